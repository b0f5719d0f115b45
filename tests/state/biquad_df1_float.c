// class: premature rounding
// fault: the accumulator is a float
// spec: biquad_df1.fpcore
double f(double x, double x1, double x2, double y1, double y2) {
    float sum = 0.0675 * x;
    sum += 0.1349 * x1;
    sum += 0.0675 * x2;
    sum += 1.143 * y1;
    sum -= 0.4128 * y2;
    return sum;
}
