// class: truncated constant
// fault: 1.05501 for 1.055
// spec: srgb.fpcore
#include <math.h>

double f(double x) { return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.05501, 2.4); }
