// class: wrong shift
// fault: the filter goes a sixteenth of the way
// spec: lowpass_q15.fpcore
#include <stdint.h>

int16_t f(int16_t x, int16_t y) { return (int16_t)(y + (((int32_t)x - y) >> 4)); }
