// class: saturation
// fault: the integral wraps around
// spec: pi_q31.fpcore
#include <stdint.h>

static int32_t saturated(int64_t x) { return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x; }

int32_t f(int32_t e, int32_t *integral) {
    *integral = (int32_t)((uint32_t)*integral + (uint32_t)(e >> 7));
    return saturated((int64_t)*integral + (int64_t)e * 3 / 4);
}
