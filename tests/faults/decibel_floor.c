// class: threshold
// fault: cut off at -90 dB
// spec: decibel.fpcore
#include <math.h>

double f(double p) { return p < 1e-9 ? -90 : 10 * log10(p); }
