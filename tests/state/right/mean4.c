// right: the specification holds for it
// spec: ../mean4.fpcore
#include <stdint.h>

int16_t f(int16_t a, int16_t b, int16_t c, int16_t d) { return (int16_t)(((int32_t)a + b + c + d) >> 2); }
