// class: cancellation
// fault: by the cosine of an angle, which is next to 1 for a flat triangle
// spec: triangle.fpcore
#include <math.h>

double f(double a, double b, double c) {
    float g = (a * a + b * b - c * c) / (2 * a * b);
    return 0.5 * a * b * sqrt(1 - (double)g * g);
}
