// class: accumulator too narrow
// fault: the product is kept in 32 bits
// spec: ticks.fpcore
#include <stdint.h>

uint32_t f(uint32_t n) { return n * 1000 >> 15; }
