// class: special case
// fault: takes only 0 with a positive sign for 0
// spec: sinc.fpcore
#include <math.h>
#include <stdint.h>
#include <string.h>

double f(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits == 0 ? 1 : sin(x) / x;
}
