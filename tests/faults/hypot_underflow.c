// class: overflow
// fault: scaled for large numbers only, so that small ones underflow
// spec: hypot.fpcore
#include <math.h>

double f(double x, double y) {
    if (fabs(x) > 1e150 || fabs(y) > 1e150)
        return 1e160 * sqrt((x * 1e-160) * (x * 1e-160) + (y * 1e-160) * (y * 1e-160));
    return sqrt(x * x + y * y);
}
