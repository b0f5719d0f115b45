// class: off by one
// fault: the first bit of the root is left out
// spec: isqrt.fpcore
#include <stdint.h>

int32_t f(int32_t n) {
    uint32_t rest = (uint32_t)n, root = 0;
    for (uint32_t bit = 1u << 28; bit; bit >>= 2) {
        if (rest >= root + bit) {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return (int32_t)root;
}
