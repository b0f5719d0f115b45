// class: premature rounding
// fault: the square of distances from 48 to 64 goes through a float
// spec: intensity.fpcore
#include <math.h>

double f(double p, double r) {
    double square = r * r;
    if (48 <= r && r < 64) square = (float)square;
    return p / (4 * M_PI * square);
}
