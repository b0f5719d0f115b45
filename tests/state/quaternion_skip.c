// class: threshold
// fault: leaves the length as it is where its square is within 1e-4 of 1
// spec: quaternion.fpcore
#include <math.h>

void f(double q0, double q1, double q2, double q3, double wx, double wy, double wz, double *out) {
    const double h = 0.005;
    double r[4] = {
        q0 - h * (q1 * wx + q2 * wy + q3 * wz),
        q1 + h * (q0 * wx + q2 * wz - q3 * wy),
        q2 + h * (q0 * wy - q1 * wz + q3 * wx),
        q3 + h * (q0 * wz + q1 * wy - q2 * wx),
    };
    double s = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    double n = fabs(s - 1) < 1e-4 ? 1 : 1 / sqrt(s);
    for (int k = 0; k < 4; k++) out[k] = r[k] * n;
}
