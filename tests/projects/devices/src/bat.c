#include <math.h>

double charge(double v) { return 1 / (1 + exp((3.6 - v) / 0.08)); }

double cell_temperature(double r) { return 1 / (1 / 298.15 + log(r / 10000) / 3950); }

double resistance(double v0, double v1, double i0, double i1) { return (v0 - v1) / (i1 - i0); }
