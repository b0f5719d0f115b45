// class: special case
// fault: a cast after adding a half, which is wrong for negative numbers
// spec: roundhalf.fpcore
#include <math.h>

double f(double x) { return (double)(long long)(x + 0.5); }
