// class: swapped indices
// fault: the arguments of atan2 are swapped
// spec: complementary.fpcore
#include <math.h>

double f(double th, double w, double ax, double az) {
    return 0.98 * (th + 0.01 * w) + 0.02 * atan2(az, ax);
}
