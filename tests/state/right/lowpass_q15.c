// right: the specification holds for it
// spec: ../lowpass_q15.fpcore
#include <stdint.h>

int16_t f(int16_t x, int16_t y) { return (int16_t)(y + (((int32_t)x - y) >> 3)); }
