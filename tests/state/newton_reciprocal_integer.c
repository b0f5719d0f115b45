// class: integer division
// fault: the line is made of quotients of integers, 2 and 1
// spec: newton_reciprocal.fpcore
double f(double d) {
    double x = 48 / 17 - 32 / 17 * d;
    for (int i = 0; i < 3; i++) x = x + x * (1 - d * x);
    return x;
}
