// right: the specification holds for it
// spec: ../multiply_q15.fpcore
#include <stdint.h>

int16_t f(int16_t x, int16_t y) {
    int32_t product = ((int32_t)x * y + (1 << 14)) >> 15;
    return product > INT16_MAX ? INT16_MAX : (int16_t)product;
}
