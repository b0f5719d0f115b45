// class: order of updates
// fault: the vector part moves with the scalar part that is new already
// spec: quaternion.fpcore
#include <math.h>

void f(double q0, double q1, double q2, double q3, double wx, double wy, double wz, double *out) {
    const double h = 0.005;
    q0 -= h * (q1 * wx + q2 * wy + q3 * wz);
    double a = q1 + h * (q0 * wx + q2 * wz - q3 * wy);
    double b = q2 + h * (q0 * wy - q1 * wz + q3 * wx);
    double c = q3 + h * (q0 * wz + q1 * wy - q2 * wx);
    double n = 1 / sqrt(q0 * q0 + a * a + b * b + c * c);
    out[0] = q0 * n;
    out[1] = a * n;
    out[2] = b * n;
    out[3] = c * n;
}
