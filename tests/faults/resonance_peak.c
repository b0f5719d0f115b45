// class: threshold
// fault: the value at the resonance itself for all of its neighbourhood of half a hertz
// spec: resonance.fpcore
#include <math.h>

double f(double w) {
    double r = w / 440;
    if (fabs(w - 440) < 0.5) return 100;
    return 1 / hypot((1 - r) * (1 + r), 0.01 * r);
}
