// class: GSL
// fault: whatever gsl_sf_erf itself does
// spec: erf.fpcore
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf.h>

double f(double x) {
    gsl_sf_result y = {0, 0};
    gsl_set_error_handler_off();
    gsl_sf_erf_e(x, &y);
    return y.val;
}
