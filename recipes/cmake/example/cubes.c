double cube(double x) { return x * x * x; }

/* Wrong on purpose: the last sign. */
double cube_of_sum(double x, double y) { return x * x * x + 3 * x * x * y + 3 * x * y * y - y * y * y; }
