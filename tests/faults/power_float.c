// class: premature rounding
// fault: a float holds the logarithm
// spec: power.fpcore
#include <math.h>

double f(double x, double y) {
    float l = log(x);
    return exp(y * l);
}
