// right: the specification holds for it
// spec: ../float3.fpcore
#include <math.h>

float f(float x1, float x2, float x3) { return (x1 + x3) + x2; }
