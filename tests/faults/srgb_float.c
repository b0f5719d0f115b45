// class: premature rounding
// fault: pow in single precision
// spec: srgb.fpcore
#include <math.h>

double f(double x) { return x <= 0.04045 ? x / 12.92 : powf((x + 0.055f) / 1.055f, 2.4f); }
