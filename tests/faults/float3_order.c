// class: cancellation
// fault: the small number is added to a large one first
// spec: float3.fpcore
#include <math.h>

float f(float x1, float x2, float x3) { return (x1 + x2) + x3; }
