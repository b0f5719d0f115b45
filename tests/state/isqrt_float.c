// class: premature rounding
// fault: float rounds a number just below a square up to it
// spec: isqrt.fpcore
#include <math.h>
#include <stdint.h>

int32_t f(int32_t n) { return (int32_t)sqrtf((float)n); }
