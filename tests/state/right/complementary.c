// right: the specification holds for it
// spec: ../complementary.fpcore
#include <math.h>

double f(double th, double w, double ax, double az) {
    th += 0.01 * w;
    return th + 0.02 * (atan(ax / az) - th);
}
