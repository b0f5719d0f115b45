// class: threshold
// fault: the threshold of the inverse function
// spec: srgb.fpcore
#include <math.h>

double f(double x) { return x <= 0.0031308 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4); }
