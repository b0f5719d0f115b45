// class: threshold
// fault: a branch of four cases leaves a factor out between 2 and 3
// spec: softstep.fpcore
#include <math.h>

double f(double x) {
    if (x < -37) return exp(x);
    if (x < 2) return log1p(exp(x));
    if (x < 3) return x + exp(-x);
    return x + log1p(exp(-x));
}
