// class: iteration count
// fault: ten Newton steps from x, which is not enough for large and small numbers
// spec: sqrtnewton.fpcore
#include <math.h>

double f(double x) {
    double y = x;
    for (int i = 0; i < 10; i++)
        y = (y + x / y) / 2;
    return y;
}
