// right: the specification holds for it
// spec: ../roundhalf.fpcore
#include <math.h>

double f(double x) { return round(x); }
