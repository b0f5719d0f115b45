/* Functions of complex numbers. */
#include <complex.h>

static double complex one(double complex z, unsigned char which)
{
    switch (which % 16) {
    case 0: return cexp(z);
    case 1: return clog(z);
    case 2: return csqrt(z);
    case 3: return csin(z);
    case 4: return ccos(z);
    case 5: return ctan(z);
    case 6: return casin(z);
    case 7: return cacos(z);
    case 8: return catan(z);
    case 9: return csinh(z);
    case 10: return ccosh(z);
    case 11: return ctanh(z);
    case 12: return casinh(z);
    case 13: return cacosh(z);
    case 14: return catanh(z);
    default: return cproj(z);
    }
}

static float complex single(float complex z, unsigned char which)
{
    switch (which % 16) {
    case 0: return cexpf(z);
    case 1: return clogf(z);
    case 2: return csqrtf(z);
    case 3: return csinf(z);
    case 4: return ccosf(z);
    case 5: return ctanf(z);
    case 6: return casinf(z);
    case 7: return cacosf(z);
    case 8: return catanf(z);
    case 9: return csinhf(z);
    case 10: return ccoshf(z);
    case 11: return ctanhf(z);
    case 12: return casinhf(z);
    case 13: return cacoshf(z);
    case 14: return catanhf(z);
    default: return cprojf(z);
    }
}

double real_part(double x, double y, unsigned char which) { return creal(one(x + y * I, which)); }
double imaginary_part(double x, double y, unsigned char which) { return cimag(one(x + y * I, which)); }
float single_real(float x, float y, unsigned char which) { return crealf(single(x + y * I, which)); }
float single_imaginary(float x, float y, unsigned char which) { return cimagf(single(x + y * I, which)); }

double power(double x, double y, double u, double v, _Bool is_real)
{
    double complex z = cpow(x + y * I, u + v * I);
    return is_real ? creal(z) : cimag(z);
}

float single_power(float x, float y, float u, float v, _Bool is_real)
{
    float complex z = cpowf(x + y * I, u + v * I);
    return is_real ? crealf(z) : cimagf(z);
}

double quotient(double x, double y, double u, double v, _Bool is_real)
{
    double complex z = (x + y * I) / (u + v * I);
    return is_real ? creal(z) : cimag(z);
}

float single_quotient(float x, float y, float u, float v, _Bool is_real)
{
    float complex z = (x + y * I) / (u + v * I);
    return is_real ? crealf(z) : cimagf(z);
}

double product(double x, double y, double u, double v, _Bool is_real)
{
    double complex z = (x + y * I) * (u + v * I);
    return is_real ? creal(z) : cimag(z);
}

float single_product(float x, float y, float u, float v, _Bool is_real)
{
    float complex z = (x + y * I) * (u + v * I);
    return is_real ? crealf(z) : cimagf(z);
}
