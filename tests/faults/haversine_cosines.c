// class: cancellation
// fault: the law of cosines: acos next to 1
// spec: haversine.fpcore
#include <math.h>

double f(double a, double b, double d) {
    const double r = 3.14159265358979323846 / 180;
    double c = sin(r * a) * sin(r * b) + cos(r * a) * cos(r * b) * cos(r * d);
    return 6371 * acos(c > 1 ? 1 : c < -1 ? -1 : c);
}
