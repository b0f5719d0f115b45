/* Functions that are given pointers to functions, and one that needs another one to be called first. */
#include <math.h>
#include <stdlib.h>

struct function {
    double (*value)(double x, void *parameters);
    void *parameters;
};

struct with_slope {
    void (*both)(double x, void *parameters, double *value, double *slope);
    void *parameters;
};

int bisect(const struct function *f, double a, double b, double *root)
{
    double at_a = f->value(a, f->parameters), at_b = f->value(b, f->parameters);
    int i;
    *root = a;
    if (at_a == 0)
        return 0;
    if (at_a * at_b > 0)
        return 4;
    for (i = 0; i < 4; i++) {
        double middle = (a + b) / 2, at_middle = f->value(middle, f->parameters);
        if (at_a * at_middle < 0) {
            b = middle;
        } else {
            a = middle;
            at_a = at_middle;
        }
    }
    *root = a;
    return fabs(b - a) < 1e-3 ? 1 : 2;
}

int slope_step(const struct with_slope *f, double x, double *next)
{
    double value, slope;
    f->both(x, f->parameters, &value, &slope);
    if (slope == 0)
        return 1;
    *next = x - value / slope;
    return fabs(*next - x) < 1e-9 ? 0 : 2;
}

int kept(const int *all, int count, int (*keeps)(int, float))
{
    int i, kept = 0;
    if (!keeps)
        return -1;
    for (i = 0; i < count && i < 4; i++)
        kept += keeps(all[i], 0.5f) > 7;
    return kept == 3 ? 30 : kept;
}

int of_short(short (*level)(void), signed char (*sign)(unsigned char))
{
    if (level() == -300)
        return sign(200) == -3 ? 1 : 2;
    return level() > 30000 ? 3 : 4;
}

/* What the caller's function does to variables is not known. */
int left_alone(void (*change)(int *), int n)
{
    int own = 1;
    change(&own);
    if (own == 2)
        return 2;
    return n;
}

static void (*handler)(int status);

static void ignore(int status) { (void)status; }

void ignore_errors(void) { handler = ignore; }

void aborts(void) { abort(); }

static int failed(int status)
{
    if (!handler)
        abort();
    handler(status);
    return status;
}

double root_or_error(double x)
{
    if (x < 0 && failed(3) == 3)
        return -1;
    if (x > 1e300 && failed(4) == 4)
        return -2;
    return sqrt(x);
}
