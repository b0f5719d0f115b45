// class: accumulator too narrow
// fault: the product is kept in 16 bits
// spec: millivolts.fpcore
#include <stdint.h>

uint16_t f(uint16_t counts) { return (uint16_t)((uint16_t)(counts * 3300u) / 4095); }
