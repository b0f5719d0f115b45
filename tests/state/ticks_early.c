// class: integer division
// fault: the division comes first
// spec: ticks.fpcore
#include <stdint.h>

uint32_t f(uint32_t n) { return (n >> 15) * 1000; }
