/* Functions with loops and branches over floats, for paths. */
#include <math.h>

/* Newton's iteration for the square root. */
double newton_sqrt(double a, double x) {
    int i;
    if (!(a > 0) || !(x > 0)) return -1;
    for (i = 0; i < 20; i++) {
        double next = (x + a / x) / 2;
        if (next == x) break;
        if (fabs(next - x) < 1e-12 * next) return next;
        x = next;
    }
    return x;
}

/* Bisection for a root of a cubic. */
double cubic_root(double lo, double hi) {
    while (hi - lo > 1e-6) {
        double m = lo + (hi - lo) / 2;
        double f = m * m * m - 2 * m - 5;
        if (f == 0) return m;
        if (f < 0)
            lo = m;
        else
            hi = m;
    }
    return lo;
}

/* x to the power n by squaring, with tests of range on the way. */
float power(float x, int n) {
    float result = 1;
    if (n < 0 || n > 12) return 0;
    while (n > 0) {
        if (n & 1) result = result * x;
        if (result > 1e30f) return INFINITY;
        x = x * x;
        if (x < 1e-30f) return 0;
        n = n / 2;
    }
    return result;
}

/* A PID loop with saturation and anti-windup. */
double pid(double target, double at) {
    double integral = 0, before = target - at;
    int i;
    if (!(fabs(target) <= 100) || !(fabs(at) <= 100)) return 0;
    for (i = 0; i < 6; i++) {
        double error = target - at;
        double u = 0.8 * error + 0.2 * integral + 0.1 * (error - before);
        if (u > 1)
            u = 1;
        else if (u < -1)
            u = -1;
        else
            integral = integral + error * 0.5;
        before = error;
        at = at + u * 0.5;
        if (fabs(target - at) < 1e-3) return at;
    }
    return at;
}

/* Kepler's equation by fixed-point iteration, with a sine of a few terms. */
double kepler(double m, double e) {
    double x = m;
    int i;
    if (!(e >= 0) || !(e < 1) || !(m >= -2) || !(m <= 2)) return -9;
    for (i = 0; i < 8; i++) {
        double s = x - x * x * x / 6 + x * x * x * x * x / 120;
        double next = m + e * s;
        if (fabs(next - x) < 1e-9) return next;
        if (next > 2)
            next = 2;
        else if (next < -2)
            next = -2;
        x = next;
    }
    return x;
}

/* The same with the library's sine in binary32. */
float kepler_sin(float m, float e) {
    float x = m;
    int i;
    if (!(e >= 0) || !(e < 1) || !(m >= -2) || !(m <= 2)) return -9;
    for (i = 0; i < 6; i++) {
        float next = m + e * sinf(x);
        if (fabsf(next - x) < 1e-5f) return next;
        x = next;
    }
    return x;
}

/* An integrator with steps that adapt: y' = -k y by Heun's method. */
double adaptive(double k, double y) {
    double t = 0, h = 0.5;
    int i;
    if (!(k >= 0) || !(k <= 50) || !(fabs(y) <= 1000)) return 0;
    for (i = 0; i < 8 && t < 1; i++) {
        double a = -k * y, b = -k * (y + h * a);
        double error = fabs(h * (b - a) / 2);
        if (error > 1e-2) {
            h = h / 2;
            continue;
        }
        y = y + h * (a + b) / 2;
        t = t + h;
        if (error < 1e-4) h = h * 2;
    }
    return y;
}

/* The sum of a geometric series until a term no longer matters. */
float series(float x) {
    float sum = 0, term = 1;
    int n = 0;
    if (!(x > -1) || !(x < 1)) return -1;
    while (fabsf(term) > 1e-4f && n < 15) {
        sum = sum + term;
        term = term * x;
        n = n + 1;
    }
    return sum;
}

/* The logistic map: how it moves. */
int logistic(double r, double x) {
    int i, above = 0;
    if (!(r > 0) || !(r < 4) || !(x > 0) || !(x < 1)) return -1;
    for (i = 0; i < 10; i++) {
        x = r * x * (1 - x);
        if (x > 0.5) above = above + 1;
        if (x < 1e-6) return -2;
    }
    return above;
}

/* A number brought into [-pi, pi] by subtraction. */
double wrapped(double x) {
    int i;
    for (i = 0; i < 12; i++) {
        if (x > 3.14159265358979323846)
            x = x - 6.28318530717958647693;
        else if (x < -3.14159265358979323846)
            x = x + 6.28318530717958647693;
        else
            return x;
    }
    return 0;
}

/* Euclid's algorithm on floats. */
float gcd(float a, float b) {
    int i;
    if (!(a >= 1) || !(b >= 1)) return 0;
    for (i = 0; i < 12; i++) {
        if (a == b) return a;
        if (a > b)
            a = a - b;
        else
            b = b - a;
    }
    return -1;
}

/* Traffic alert and collision avoidance in the style of tcas, over altitudes and rates. */
int alert(float own, float other, float own_rate, float other_rate) {
    float apart = other - own;
    float closing = other_rate - own_rate;
    if (!(fabsf(own) < 60000) || !(fabsf(other) < 60000) || !(fabsf(own_rate) < 6000) || !(fabsf(other_rate) < 6000)) return -1;
    if (fabsf(apart) < 600) {
        if (closing == 0) return 1;
        if (apart > 0 && closing < 0) return apart / -closing < 0.5f ? 3 : 2;
        if (apart < 0 && closing > 0) return -apart / closing < 0.5f ? 5 : 4;
        return 6;
    }
    if (apart * closing < 0) {
        float when = -apart / closing;
        if (when < 0.25f) return 7;
        if (when < 0.75f) return own_rate > 1500 ? 8 : 9;
    }
    return 0;
}
