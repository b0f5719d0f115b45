// class: overflow
// fault: infinity by infinity for a large argument
// spec: sigmoid.fpcore
#include <math.h>

double f(double x) { return exp(x) / (1 + exp(x)); }
