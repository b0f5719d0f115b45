// class: threshold
// fault: taken for 0 below -30
// spec: sigmoid.fpcore
#include <math.h>

double f(double x) {
    if (x < -30) return 0;
    if (x > 30) return 1;
    return 1 / (1 + exp(-x));
}
