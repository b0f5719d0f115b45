// right: the specification holds for it
// spec: ../millivolts.fpcore
#include <stdint.h>

uint16_t f(uint16_t counts) { return (uint16_t)(((uint32_t)counts * 3300 + 2047) / 4095); }
