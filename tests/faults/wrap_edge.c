// class: branch cut
// fault: 180 stays 180 instead of -180
// spec: wrap.fpcore
#include <math.h>

double f(double a) {
    double w = a - 360 * floor((a + 180) / 360);
    return w == -180 ? 180 : w;
}
