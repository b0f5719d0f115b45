// right: the specification holds for it
// spec: ../wrap.fpcore
#include <math.h>

double f(double a) { return a - 360 * floor((a + 180) / 360); }
