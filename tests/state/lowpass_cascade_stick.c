// class: threshold
// fault: the last low-pass does not move where it is within 1e-6 of its input
// spec: lowpass_cascade.fpcore
#include <math.h>

void f(double x, double a, double b, double c, double out[3]) {
    const double k = 0.15;
    a += k * (x - a);
    b += k * (a - b);
    if (fabs(b - c) > 1e-6) c += k * (b - c);
    out[0] = a;
    out[1] = b;
    out[2] = c;
}
