// class: wrong coefficient
// fault: the range is taken for 4096 counts
// spec: millivolts.fpcore
#include <stdint.h>

uint16_t f(uint16_t counts) { return (uint16_t)(((uint32_t)counts * 3300 + 2048) >> 12); }
