// class: truncated constant
// fault: log(10) with seven digits
// spec: decibel.fpcore
#include <math.h>

double f(double p) { return 10 * (log(p) / 2.302585); }
