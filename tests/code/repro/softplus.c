#include <math.h>
/* softplus log(1+exp(x)), stable with thresholds */
double softplus(double x){ if (x > 30) return x; if (x < -30) return exp(x); return log1p(exp(x)); }
double softplus_bad(double x){ if (x > 20) return x; if (x < -30) return exp(x); return log1p(exp(x)); }
double softplus_naive(double x){ return log(1+exp(x)); }
