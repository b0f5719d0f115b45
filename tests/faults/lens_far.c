// class: threshold
// fault: an object from 100 on is taken for infinitely far
// spec: lens.fpcore
#include <math.h>

double f(double o, double r) { return o > 100 ? r : o * r / (o - r); }
