// class: polynomial cut short
// fault: the series below 0.01 has three terms, which give six digits there
// spec: log1p.fpcore
#include <math.h>

double f(double x) {
    if (fabs(x) < 0.01)
        return x - x * x / 2 + x * x * x / 3;
    return log1p(x);
}
