// right: the specification holds for it
// spec: ../quaternion.fpcore
#include <math.h>

void f(double q0, double q1, double q2, double q3, double wx, double wy, double wz, double *out) {
    const double h = 0.005;
    double r[4] = {
        q0 - h * (q1 * wx + q2 * wy + q3 * wz),
        q1 + h * (q0 * wx + q2 * wz - q3 * wy),
        q2 + h * (q0 * wy - q1 * wz + q3 * wx),
        q3 + h * (q0 * wz + q1 * wy - q2 * wx),
    };
    double n = 1 / sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    for (int k = 0; k < 4; k++) out[k] = r[k] * n;
}
