/* A controller with modes: a switch, integers, and a saturation. */
#include <math.h>

static double last;

float control(int mode, float error, unsigned ticks)
{
    float gain = 1;
    switch (mode) {
    case 0: return 0;
    case 1: gain = 0.5f; break;
    case 2: gain = 2; break;
    case 7: gain = ticks % 10 == 3 ? 4 : 8; break;
    default: gain = -1;
    }
    last += error;
    float out = gain * error;
    if (out > 100 && ticks > 4000000000u)
        return 100;
    if (out < -100 || last != error)
        return -100;
    return out;
}
