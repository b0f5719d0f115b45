// class: premature rounding
// fault: the quotient by a rounded fifth is a whole number where the mass is a little above a step
// spec: postage.fpcore
#include <math.h>

double f(double w) { return 1.6 + 0.45 * ceil((w - 0.5) / 0.2); }
