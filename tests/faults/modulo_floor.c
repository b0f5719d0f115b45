// class: branch cut
// fault: floor in place of trunc for a negative number
// spec: modulo.fpcore
#include <math.h>

double f(double x, double y) { return fmod(x, y) + (x < 0 && fmod(x, y) != 0 ? y : 0); }
