// class: range reduction
// fault: one turn is taken off, never two
// spec: wrap.fpcore
#include <math.h>

double f(double a) {
    if (a >= 180) a -= 360;
    if (a < -180) a += 360;
    return a;
}
