// class: wrong coefficient
// fault: half of the distance of the wheels in place of all of it
// spec: odometry.fpcore
#include <math.h>

void f(double x, double y, double th, double dl, double dr, double *out) {
    double d = (dl + dr) / 2, turn = (dr - dl) / 0.2;
    out[0] = x + d * cos(th + turn / 2);
    out[1] = y + d * sin(th + turn / 2);
    out[2] = th + turn;
}
