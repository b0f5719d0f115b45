// right: log1p of the relative difference
// spec: ../lmtd.fpcore
#include <math.h>

double f(double a, double b) { return a == b ? a : (a - b) / log1p((a - b) / b); }
