/* A square root by Newton's iteration, with a guard that stops it. */
double newton(double a)
{
    double x = a > 1 ? a : 1;
    int i;
    if (!(a >= 0))
        return -1;
    for (i = 0; i < 100; i++) {
        double next = (x + a / x) / 2;
        if (next >= x)
            break;
        x = next;
    }
    if (i == 100)
        return -2;
    return x;
}
