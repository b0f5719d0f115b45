// class: truncated constant
// fault: pi with six digits
// spec: haversine.fpcore
#include <math.h>

double f(double a, double b, double d) {
    const double r = 3.14159 / 180;
    double u = sin(r * ((a - b) / 2)), v = sin(r * (d / 2));
    return 12742 * asin(sqrt(u * u + cos(r * a) * cos(r * b) * v * v));
}
