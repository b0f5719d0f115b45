// class: order of updates
// fault: the second coordinate turns with the first one that is new already
// spec: cordic.fpcore
#include <math.h>

void f(double theta, double *out) {
    double x = 0.6076482562561683, y = 0, z = theta;
    for (int i = 0; i < 5; i++) {
        double p = ldexp(1, -i), d = z < 0 ? -1 : 1;
        x -= d * p * y;
        y += d * p * x;
        z -= d * atan(p);
    }
    out[0] = x;
    out[1] = y;
}
