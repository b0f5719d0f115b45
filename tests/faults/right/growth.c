// right: pow
// spec: ../growth.fpcore
#include <math.h>

double f(double b, double y) { return pow(b, y); }
