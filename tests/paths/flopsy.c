/* Goals of FloPSy's evaluation (Lakhotia, Tillmann, Harman and de Halleux, 2010): functions of Moré, Garbow and Hillstrom,
   Testing Unconstrained Optimization Software (1981), evaluated from left to right. */
double atan(double), sqrt(double), pow(double, double);

#define E 2.71828182845904523536

/* Beale: the first residual, and all three. */
int beale(double x1, double x2) {
    if (1.5 - x1 * (1 - x2) == 0) return 1;
    return 0;
}

int beale_all(double x1, double x2) {
    if (1.5 - x1 * (1 - x2) == 0 && 2.25 - x1 * (1 - x2 * x2) == 0 && 2.625 - x1 * (1 - x2 * x2 * x2) == 0) return 1;
    return 0;
}

/* Freudenstein and Roth: the sum, and both. */
int freudenstein(double x1, double x2) {
    double f1 = -13 + x1 + ((5 - x2) * x2 - 2) * x2;
    double f2 = -29 + x1 + ((x2 + 1) * x2 - 14) * x2;
    if (f1 + f2 == 0) return 1;
    return 0;
}

int freudenstein_both(double x1, double x2) {
    double f1 = -13 + x1 + ((5 - x2) * x2 - 2) * x2;
    double f2 = -29 + x1 + ((x2 + 1) * x2 - 14) * x2;
    if (f1 == 0 && f2 == 0) return 1;
    return 0;
}

int helical(double x1, double x2, double x3) {
    double t = 0;
    if (x1 > 0)
        t = atan(x2 / x1) / (2 * 3.14159265358979323846);
    else if (x1 < 0)
        t = atan(x2 / x1) / (2 * 3.14159265358979323846) + 0.5;
    if (10 * (x3 - 10 * t) == 0 && 10 * (sqrt(x1 * x1 + x2 * x2) - 1) == 0 && x3 == 0) return 1;
    return 0;
}

int powell(double x1, double x2) {
    if (1e4 * x1 * x2 - 1 == 0 && pow(E, -x1) + pow(E, -x2) - 1.0001 == 0) return 1;
    return 0;
}

int rosenbrock(double x1, double x2) {
    if ((1 - x1) * (1 - x1) + 100 * ((x2 - x1 * x1) * (x2 - x1 * x1)) == 0) return 1;
    return 0;
}

int wood(double x1, double x2, double x3, double x4) {
    if (10 * (x2 - x1 * x1) == 0 && 1 - x1 == 0 && sqrt(90.0) * (x4 - x3 * x3) == 0 && 1 - x3 == 0 &&
        sqrt(10.0) * (x2 + x4 - 2) == 0 && 0.31622776601683793320 * (x2 - x4) == 0)
        return 1;
    return 0;
}

/* Mathematical Execution (Fu and Su, 2016), equation 14. */
int me14(double x) {
    if (pow(2, x) <= 5 && x * x >= 5 && x >= 0) return 1;
    return 0;
}
