// class: range reduction
// fault: the remainder of a negative number is negative, and the quadrant with it
// spec: sine.fpcore
#include <math.h>

double f(double x) {
    const double half = 1.57079632679489661923;
    double k = trunc(x / half);
    double y = x - k * half - k * 6.123233995736766e-17;
    int q = (int)fmod(k, 4);
    switch (q) {
    case 0: return sin(y);
    case 1: return cos(y);
    case 2: return -sin(y);
    default: return -cos(y);
    }
}
