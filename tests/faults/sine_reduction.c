// class: range reduction
// fault: 2 pi in one double with seven digits
// spec: sine.fpcore
#include <math.h>

double f(double x) { return sin(x - 6.283185 * round(x / 6.283185)); }
