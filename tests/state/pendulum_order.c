// class: order of updates
// fault: the angle moves first, with the old angular velocity
// spec: pendulum.fpcore
#include <math.h>

void f(double theta, double omega, double *theta_end, double *omega_end) {
    for (int i = 0; i < 10; i++) {
        theta += 0.02 * omega;
        omega -= 0.02 * 9.81 / 0.8 * sin(theta);
    }
    *theta_end = theta;
    *omega_end = omega;
}
