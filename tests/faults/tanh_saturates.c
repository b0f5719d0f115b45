// class: threshold
// fault: taken for 1 from 10 on, where it differs by 4e-9
// spec: tanh.fpcore
#include <math.h>

double f(double x) {
    if (x > 10) return 1;
    if (x < -10) return -1;
    return tanh(x);
}
