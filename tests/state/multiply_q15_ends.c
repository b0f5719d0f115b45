// class: saturation
// fault: -1 times -1 is -1
// spec: multiply_q15.fpcore
#include <stdint.h>

int16_t f(int16_t x, int16_t y) {
    return (int16_t)(((int32_t)x * y + (1 << 14)) >> 15);
}
