#include <stdint.h>
int f(int64_t a) { if (a < 0) if (a >> 3 == -5) return 1; return 0; }   /* f(-40) = 1 */
