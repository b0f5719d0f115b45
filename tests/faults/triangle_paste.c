// class: copy and paste
// fault: s - b twice
// spec: triangle.fpcore
#include <math.h>

double f(double a, double b, double c) {
    double s = (a + b + c) / 2;
    return sqrt(s * (s - a) * (s - b) * (s - b));
}
