#include <math.h>
/* PID with anti-windup, quantised state */
double pid(double e, double i0, double d0, double kp, double ki, double kd) {
  double i = i0 + e * 0.01;
  if (i > 5.0) i = 5.0; else if (i < -5.0) i = -5.0;
  double d = (e - d0) / 0.01;
  double u = kp * e + ki * i + kd * d;
  if (u > 1.0) { if (e > 0) i -= e * 0.01; u = 1.0; }
  else if (u < -1.0) { if (e < 0) i -= e * 0.01; u = -1.0; }
  if (fabs(u) < 1e-3 && fabs(d) < 1e-6) return 0;
  if (i == i0 && e != 0) return 2;
  return u;
}
