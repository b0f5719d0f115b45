// class: threshold
// fault: below 0.01 rad the sine is taken for the angle, which is off by 1.7e-7
// spec: pendulum.fpcore
#include <math.h>

void f(double theta, double omega, double *theta_end, double *omega_end) {
    for (int i = 0; i < 10; i++) {
        omega -= 0.02 * 9.81 / 0.8 * (fabs(theta) < 0.01 ? theta : sin(theta));
        theta += 0.02 * omega;
    }
    *theta_end = theta;
    *omega_end = omega;
}
