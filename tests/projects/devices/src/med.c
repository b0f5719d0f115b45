#include <math.h>

double infusion_rate(double dose, double mass, double concentration) {
    return dose * mass * 60 / (1000 * concentration);
}

/* The age in whole years. */
double clearance(double age, double mass, double creatinine) { return (140 - (int)age) * mass / (72 * creatinine); }

double surface(double height, double mass) { return sqrt(height * mass / 3600); }
