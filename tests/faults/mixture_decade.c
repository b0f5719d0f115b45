// class: table entry
// fault: the root of the second share is a guess with one Newton step too few from 20 to 24
// spec: mixture.fpcore
#include <math.h>

static double root(double y) {
    if (20 < y && y < 24) { double r = 4.69; return 0.5 * (r + y / r); }
    return sqrt(y);
}

double f(double x, double y, double z) { return (x + y + z) / (sqrt(x) + root(y) + sqrt(z)); }
