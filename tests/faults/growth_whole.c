// class: threshold
// fault: a power within 5e-4 of a whole number is taken for it
// spec: growth.fpcore
#include <math.h>

double f(double b, double y) { return pow(b, fabs(y - round(y)) < 5e-4 ? round(y) : y); }
