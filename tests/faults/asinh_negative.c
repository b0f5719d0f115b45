// class: cancellation
// fault: for a negative argument the sum in the logarithm cancels
// spec: asinh.fpcore
#include <math.h>

double f(double x) {
    if (fabs(x) < 1e-3) return asinh(x);
    if (x > 1e8) return log(x) + 0.69314718055994530942;
    return log(x + sqrt(x * x + 1));
}
