// class: saturation
// fault: the sum saturates at the high end alone
// spec: fir_q15.fpcore
#include <stdint.h>

static const int16_t H[4] = {24576, 16384, -8192, 4096};

int16_t f(const int16_t *x) {
    int64_t sum = 0;
    for (int i = 0; i < 4; i++) sum += (int32_t)H[i] * x[i];
    sum = (sum + (1 << 14)) >> 15;
    return sum > INT16_MAX ? INT16_MAX : (int16_t)sum;
}
