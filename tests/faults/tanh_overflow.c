// class: overflow
// fault: infinity by infinity for a large argument
// spec: tanh.fpcore
#include <math.h>

double f(double x) {
    double e = expm1(2 * x);
    return e / (e + 2);
}
