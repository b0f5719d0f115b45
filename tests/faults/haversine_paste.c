// class: copy and paste
// fault: cos of one latitude twice
// spec: haversine.fpcore
#include <math.h>

double f(double a, double b, double d) {
    const double r = 3.14159265358979323846 / 180;
    double u = sin(r * ((a - b) / 2)), v = sin(r * (d / 2));
    return 12742 * asin(sqrt(u * u + cos(r * a) * cos(r * a) * v * v));
}
