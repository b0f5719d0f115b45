/* Functions as people write them: what each computes is read as a formula, and compared with what it returns. */
#include <errno.h>
#include <math.h>

#define G 9.81
#define RHO (1.2 + 0.025)
#define LOW -0.5
typedef double real;
static const double R_DRY = 287.05;
static const double AREA = 0.00196, CD = 0.98;
static const int ORDER = 4;

static double sq(double x) { return x * x; }
static double norm2(double a, double b) { return sq(a) + sq(b); }

double fall(double h) { return sqrt(2 * G * fabs(h)); }
double kinetic(double m, double v) { return 0.5 * m * pow(v, 2); }
double flow(double dp, double p, double T) {
    double beta = 0.6, rho = fabs(p) / (R_DRY * fabs(T));
    return CD * AREA * sqrt(2 * rho * fabs(dp) / (1 - pow(beta, ORDER)));
}
double srgb(double x) {
    if (x <= 0.04045) return x / 12.92;
    return pow((x + 0.055) / 1.055, 2.4);
}
double clampit(double x, double lo, double hi) {
    double y = x;
    if (y < lo) {
        y = lo;
    } else if (y > hi)
        y = hi;
    return y;
}
double guarded(double x) {
    if (x <= 0 || x > 100) return NAN;
    return log(x) + sq(x + G);
}
double reported(double x) {
    if (x <= 0) { errno = EDOM; return NAN; }
    float f = 0.5f;
    return f * sqrt(x);
}
double ratio(double a, double b) {
    double m, n;
    if (a > b) { m = a; n = b; } else { m = b; n = a; }
    return m - n / m;
}
real steps(real x) {
    real s = x;
    s += 1;
    s *= s;
    s -= RHO;
    s /= 3;
    return s > 0 ? s : -s;
}
double quadratic(double a, double b, double c) {
    double d = b * b - 4.0 * a * c;
    double q = -0.5 * (b + (b >= 0 ? sqrt(fabs(d)) : -sqrt(fabs(d))));
    return q / a;
}
double horner(double x) { return ((1.0 / 6 * x + 0.5) * x + 1) * x + 1; }
double haversine(double a, double b) {
    double s = sin((b - a) / 2);
    return 2 * 6371.0 * asin(fmin(1.0, fabs(s)));
}
double drag(double v, double a) {
    const double cw = 0.3;
    return 0.5 * RHO * cw * a * v * fabs(v);
}
double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
double lerp(double a, double b, double t) { return (1 - t) * a + t * b; }
double sigmoid(double x) { return 1 / (1 + exp(-x)); }
double softplus(double x) {
    if (x > 2) return x + log1p(exp(-x));
    else return log1p(exp(x));
}
double hyp(double x, double y, double z) { return sqrt(norm2(x, y) + sq(z)); }
double three(double x, double y) {
    double r;
    if (x > 0) {
        if (y > 0) r = x * y;
        else r = x - y;
    } else {
        double t = x * x;
        r = t + y;
    }
    return r + 1;
}
double early(double x, double y) {
    double s = x + y;
    if (s > 3) return s;
    s = s * 2;
    if (s < 0) { return -s; }
    s = s + LOW;
    return s;
}
double flags(double x, double y) {
    int big = x > 1, far = !(y < 2);
    if (big && far) return 1;
    if (big || far) return 0.5;
    return 0;
}
double casts(double x) { return (double)3 / 2 * x + (float)0.5; }
double integers(double x) {
    int n = 6, m = n / 3;
    return n * x / m + 1e0L;
}
double series(double x, int n, short k) {
    if (n > 2) return n * (k - 1) * x / 2.0;
    return pow(x, n);
}
double degrees_of(double x) { return x * 180 / M_PI; }
double planck(double x) { return x * x * x / expm1(fabs(x) + 0.1); }
double swap(double a, double b) {
    double t = a;
    if (a < b) { t = a; a = b; b = t; }
    return a - 2 * b + t;
}
double nested(double x) {
    double y = 0;
    if (x > 0) { y = x; y = y * y; y = y + x; }
    return y;
}
double shadow(double E, double x) { double PI = 3; return E * PI + x * M_PI; }
double minmax(double a, double b, double c) { return fmax(fmin(a, b), fmin(fmax(a, b), c)); }
double wrapped(double x) { return x - 2 * M_PI * floor(x / (2 * M_PI)); }
double chain(double x) { return norm2(sq(x), fall(x)); }
double cubic(double x) { double x2 = x * x, x3 = x2 * x; return x3 - 2 * x2 + x - 1; }
double plus(double x) { return +x - -x; }
double rounding(double x) { return floor(x) + ceil(x) + trunc(x) + round(x); }
