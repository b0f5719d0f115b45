// class: accumulator too narrow
// fault: the difference is kept in 16 bits
// spec: lowpass_q15.fpcore
#include <stdint.h>

int16_t f(int16_t x, int16_t y) {
    int16_t d = (int16_t)((uint16_t)x - (uint16_t)y);
    return (int16_t)(y + (d >> 3));
}
