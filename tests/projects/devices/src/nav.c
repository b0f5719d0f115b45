#include <math.h>

double wind_correction(double w, double a, double v) { return asin(w * sin(a) / v); }
