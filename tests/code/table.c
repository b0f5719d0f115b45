/* An old-style definition, a table, and a result behind a pointer. */
static double table[8] = {0, 1, 4, 9, 16, 25, 36, 49};

int look_up(x, y)
double x;
double *y;
{
    int i = (int)x;
    if (x != x || i < 0 || i > 7)
        return 0;
    *y = table[i];
    if (*y == 25)
        return 2;
    return 1;
}

double total(const double *v, int n)
{
    double s = 0;
    for (int i = 0; i < n && i < 3; i++)
        s += v[i];
    if (s == 6)
        return 1e9;
    return s;
}
