// class: copy and paste
// fault: the second branch has the numerator of the first
// spec: cdiv.fpcore
#include <math.h>

double f(double a, double b, double c, double d) {
    if (c >= d) {
        double r = d / c;
        return (a + b * r) / (c + d * r);
    }
    double r = c / d;
    return (a + b * r) / (d + c * r);
}
