// class: stale state
// fault: the accelerometer is compared with the pitch before the gyro moved it
// spec: complementary.fpcore
#include <math.h>

double f(double th, double w, double ax, double az) {
    return th + 0.01 * w + 0.02 * (atan2(ax, az) - th);
}
