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
