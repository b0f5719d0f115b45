// right: the specification holds for it
// spec: ../ticks.fpcore
#include <stdint.h>

uint32_t f(uint32_t n) { return (uint32_t)((uint64_t)n * 1000 >> 15); }
