// class: order of updates
// fault: the way goes along the heading after the turn
// spec: odometry.fpcore
#include <math.h>

void f(double x, double y, double th, double dl, double dr, double *out) {
    double d = (dl + dr) / 2;
    th += (dr - dl) / 0.4;
    out[0] = x + d * cos(th);
    out[1] = y + d * sin(th);
    out[2] = th;
}
