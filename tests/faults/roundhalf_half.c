// class: branch cut
// fault: halves go up
// spec: roundhalf.fpcore
#include <math.h>

double f(double x) { return floor(x + 0.5); }
