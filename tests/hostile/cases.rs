const CASES: &[Case] = &[
    // Two shares of the same bounds are not the same share: |x + t| - |y + t| and the like.
    (
        "(x y) :pre (and (<= -1 x 1) (<= -1 y 1)) :magneto-abs-error 0.01",
        "(let ([t (* x y)]) (- (fabs (+ x t)) (fabs (+ y t))))",
        "(let ([t (/ x 2)]) (- (fabs (+ x t)) (fabs (+ y t))))",
        &[1.0, -1.0],
    ),
    (
        "(x y) :pre (and (<= -1 x 1) (<= -1 y 1)) :magneto-abs-error 0.01",
        "(let ([t (* x y)]) (- (fmin x t) (fmin y t)))",
        "(let ([t (/ x 2)]) (- (fmin x t) (fmin y t)))",
        &[1.0, -1.0],
    ),
    (
        "(x y) :pre (and (<= -1 x 1) (<= -1 y 1)) :magneto-abs-error 0.01",
        "(let ([t (* x y)]) (- (fmax x t) (fmax y t)))",
        "(let ([t (/ x 2)]) (- (fmax x t) (fmax y t)))",
        &[1.0, -1.0],
    ),
];

/// The same where the judge cannot settle what happens at the input, and reason can.
const BEYOND: &[Case] = &[
    // z is |x - 0.3125| and a 0 that no precision shows: z / z has no value at 0.3125. That input is met in the first of
    // many turns, which hundreds of others take.
    (
        "(x) :pre (<= 0.3125 x 0.31250000000004) :magneto-abs-error 1e-60",
        "(+ 2 (sin x))",
        "(let ([z (+ (fabs (- x 0.3125)) (- (+ (pow (sin x) 2) (pow (cos x) 2)) 1))])
           (+ 1 (+ (/ z z) (* 2 (* (sin (/ x 2)) (cos (/ x 2)))))))",
        &[0.3125],
    ),
];
