/* Bisection for the root of x * x - 2 in binary32: Figure 2 of Bagnara, Carlier, Gori and Gotlieb, Symbolic Path-Oriented
   Test Data Generation for Floating-Point Programs (2013). */
static float f(float x) {
    return x * x - 2.0f;
}

float dichotomic(float xL, float xR) {
    float xM = 1.0f;
    while (xR - xL > 0.0001f) {
        xM = (xR + xL) / 2.0f;
        if (f(xL) * f(xM) > -1.0f)
            xL = xM;
        else
            xR = xM;
    }
    return xM;
}

/* Of finite numbers, and of any but NaN. */
float dichotomic_finite(float xL, float xR) {
    if (__builtin_fabsf(xL) <= 3.40282347e38f && __builtin_fabsf(xR) <= 3.40282347e38f) return dichotomic(xL, xR);
    return 0;
}

float dichotomic_any(float xL, float xR) {
    if (__builtin_fabsf(xL) >= 0 && __builtin_fabsf(xR) >= 0) return dichotomic(xL, xR);
    return 0;
}
