// class: GSL
// fault: whatever gsl_sf_sin_pi itself does
// spec: sin_pi.fpcore
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf.h>

double f(double x) {
    gsl_sf_result y = {0, 0};
    gsl_set_error_handler_off();
    gsl_sf_sin_pi_e(x, &y);
    return y.val;
}
