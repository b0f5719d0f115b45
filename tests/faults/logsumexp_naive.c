// class: overflow
// fault: the exponentials overflow, or are both 0
// spec: logsumexp.fpcore
#include <math.h>

double f(double a, double b) { return log(exp(a) + exp(b)); }
