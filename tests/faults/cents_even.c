// class: branch cut
// fault: halves go to the even cent, which shows at odd eighths alone
// spec: cents.fpcore
#include <math.h>

double f(double x) {
    double n = floor(x * 100);
    if (fma(x, 100, -n) < 0) n -= 1;
    double rest = fma(x, 100, -n);
    if (rest > 0.5 || (rest == 0.5 && fmod(n, 2) != 0)) n += 1;
    return n / 100;
}
