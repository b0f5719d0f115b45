// right: the specification holds for it
// spec: ../haversine.fpcore
#include <math.h>

double f(double a, double b, double d) {
    const double r = 3.14159265358979323846 / 180;
    double u = sin(r * ((a - b) / 2)), v = sin(r * (d / 2));
    double h = u * u + cos(r * a) * cos(r * b) * v * v;
    double c = sin(r * ((a + b) / 2)), w = cos(r * (d / 2));
    double k = c * c * v * v + cos(r * ((a - b) / 2)) * cos(r * ((a - b) / 2)) * w * w;
    return 12742 * atan2(sqrt(h), sqrt(k));
}
