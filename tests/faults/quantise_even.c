// class: branch cut
// fault: ties go to the even tenth
// spec: quantise.fpcore
#include <math.h>

double f(double x) {
    double n = floor(x * 10);
    if (fma(x, 10, -n) < 0) n -= 1;
    double rest = fma(x, 10, -n);
    if (rest > 0.5 || (rest == 0.5 && fmod(n, 2) != 0)) n += 1;
    return n / 10;
}
