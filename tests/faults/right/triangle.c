// right: the specification holds for it
// spec: ../triangle.fpcore
#include <math.h>

double f(double a, double b, double c) {
    return sqrt((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c))) / 4;
}
