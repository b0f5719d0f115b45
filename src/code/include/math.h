/* What a program may use of the mathematical library; each function is the host's own. */
#ifndef MAGNETO_MATH_H
#define MAGNETO_MATH_H
#ifdef __cplusplus
extern "C" {
#endif
typedef float float_t;
typedef double double_t;
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf(x)
#define isnan(x) __builtin_isnan(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) (sizeof(x) == sizeof(float) ? __builtin_signbitf(x) : __builtin_signbit(x))
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define MAGNETO_1(name) double name(double); float name##f(float);
#define MAGNETO_2(name) double name(double, double); float name##f(float, float);
MAGNETO_1(sin) MAGNETO_1(cos) MAGNETO_1(tan) MAGNETO_1(asin) MAGNETO_1(acos) MAGNETO_1(atan)
MAGNETO_1(sinh) MAGNETO_1(cosh) MAGNETO_1(tanh) MAGNETO_1(asinh) MAGNETO_1(acosh) MAGNETO_1(atanh)
MAGNETO_1(exp) MAGNETO_1(exp2) MAGNETO_1(exp10) MAGNETO_1(expm1)
MAGNETO_1(log) MAGNETO_1(log2) MAGNETO_1(log10) MAGNETO_1(log1p) MAGNETO_1(logb)
MAGNETO_1(cbrt) MAGNETO_1(sqrt) MAGNETO_1(fabs) MAGNETO_1(floor) MAGNETO_1(ceil) MAGNETO_1(trunc)
MAGNETO_1(round) MAGNETO_1(rint) MAGNETO_1(nearbyint) MAGNETO_1(erf) MAGNETO_1(erfc) MAGNETO_1(tgamma) MAGNETO_1(lgamma)
MAGNETO_2(pow) MAGNETO_2(atan2) MAGNETO_2(hypot) MAGNETO_2(fmod) MAGNETO_2(remainder) MAGNETO_2(copysign)
MAGNETO_2(fmin) MAGNETO_2(fmax) MAGNETO_2(fdim) MAGNETO_2(nextafter)
#undef MAGNETO_1
#undef MAGNETO_2
double fma(double, double, double);
float fmaf(float, float, float);
double ldexp(double, int);
float ldexpf(float, int);
double scalbn(double, int);
float scalbnf(float, int);
int ilogb(double);
double j0(double);
double j1(double);
double jn(int, double);
double y0(double);
double y1(double);
double yn(int, double);
double frexp(double, int *);
double modf(double, double *);
#ifdef __cplusplus
}
#endif
#endif
