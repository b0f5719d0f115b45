// class: off by one
// fault: begins with the turn of 2^-1, so that angles beyond 1 are out of reach
// spec: cordic.fpcore
#include <math.h>

void f(double theta, double *out) {
    double x = 0.8589251104651273, y = 0, z = theta;
    for (int i = 1; i < 6; i++) {
        double p = ldexp(1, -i), d = z < 0 ? -1 : 1, t = x - d * p * y;
        y += d * p * x;
        x = t;
        z -= d * atan(p);
    }
    out[0] = x;
    out[1] = y;
}
