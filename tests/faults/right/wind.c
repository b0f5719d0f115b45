// right: a table of 36 headings and the addition theorem
// spec: ../wind.fpcore
#include <math.h>

#define DEGREES (3.14159265358979323846 / 180)

double f(double rho, double v, double h) {
    int k = (int)(h / 10);
    double a = cos(10 * k * DEGREES), b = sin(10 * k * DEGREES), r = (h - 10 * k) * DEGREES;
    return 0.5 * rho * v * v * (a * cos(r) - b * sin(r));
}
