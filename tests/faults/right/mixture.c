// right: as specified
// spec: ../mixture.fpcore
#include <math.h>

double f(double x, double y, double z) { return (x + y + z) / (sqrt(x) + sqrt(y) + sqrt(z)); }
