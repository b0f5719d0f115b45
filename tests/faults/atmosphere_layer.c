// class: copy and paste
// fault: the third layer has the base of the fourth
// spec: atmosphere.fpcore
#include <math.h>

double f(double h) {
    if (h <= 11000) return 288.15 - 0.0065 * h;
    if (h <= 20000) return 216.65;
    if (h <= 32000) return 228.65 + 0.001 * (h - 20000);
    return 228.65 + 0.0028 * (h - 32000);
}
