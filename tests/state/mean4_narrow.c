// class: accumulator too narrow
// fault: the sum of two is kept in 16 bits
// spec: mean4.fpcore
#include <stdint.h>

int16_t f(int16_t a, int16_t b, int16_t c, int16_t d) {
    int16_t first = (int16_t)(a + b), second = (int16_t)(c + d);
    return (int16_t)(((int32_t)first + second) >> 2);
}
