// class: accumulator too narrow
// fault: the sum is kept in 16 bits
// spec: fir_q15.fpcore
#include <stdint.h>

static const int16_t H[4] = {24576, 16384, -8192, 4096};

int16_t f(const int16_t *x) {
    int16_t sum = 0;
    for (int i = 0; i < 4; i++) sum = (int16_t)(sum + (((int32_t)H[i] * x[i] + (1 << 14)) >> 15));
    return sum;
}
