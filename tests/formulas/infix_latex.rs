//! Formulas in LaTeX as textbooks write them: the FPCore that each is, and what is refused.

use magneto::infix::{Notation, read};
use magneto::text::line_column;

/// A formula, and the FPCore that a person would write.
const RIGHT: &[(&str, &str)] = &[
    (r"\frac{1}{2} m v^2", "(* (/ 1 2) m (pow v 2))"),
    (r"\sqrt{2gh}", "(sqrt (* 2 g h))"),
    (r"2\pi\sqrt{\frac{l}{g}}", "(* 2 PI (sqrt (/ l g)))"),
    (r"v = v_0 + a t", "(+ v_0 (* a t))"),
    (r"s = v_0 t + \frac12 a t^2", "(+ (* v_0 t) (* (/ 1 2) a (pow t 2)))"),
    (r"\frac{-b + \sqrt{b^2 - 4ac}}{2a}", "(/ (+ (- b) (sqrt (- (pow b 2) (* 4 a c)))) (* 2 a))"),
    (r"a^2 + b^2 - 2ab\cos\gamma", "(- (+ (pow a 2) (pow b 2)) (* 2 a b (cos gamma)))"),
    (r"G\frac{m_1 m_2}{r^2}", "(* G (/ (* m_1 m_2) (pow r 2)))"),
    (r"\frac{m c^2}{\sqrt{1 - \frac{v^2}{c^2}}}", "(/ (* m (pow c 2)) (sqrt (- 1 (/ (pow v 2) (pow c 2)))))"),
    (r"\sin^2 x + \cos^2 x", "(+ (pow (sin x) 2) (pow (cos x) 2))"),
    (r"\sin 2x", "(sin (* 2 x))"),
    (r"A\sin(2\pi f t + \varphi)", "(* A (sin (+ (* 2 PI f t) varphi)))"),
    (r"A \sin\omega t", "(* A (sin (* omega t)))"),
    (r"2\sin x\cos x", "(* 2 (sin x) (cos x))"),
    (r"\sin\frac{x}{2}", "(sin (/ x 2))"),
    (r"\sin x^2", "(sin (pow x 2))"),
    (r"\cos\left(\frac{\pi x}{L}\right)", "(cos (/ (* PI x) L))"),
    (r"e^{-x^2}", "(exp (- (pow x 2)))"),
    (r"N_0 e^{-\lambda t}", "(* N_0 (exp (- (* lambda t))))"),
    (r"\mathrm{e}^2", "(exp 2)"),
    (r"\mathrm{e}^{x}", "(exp x)"),
    (
        r"\frac{1}{\sigma\sqrt{2\pi}} e^{-\frac{(x-\mu)^2}{2\sigma^2}}",
        "(* (/ 1 (* sigma (sqrt (* 2 PI)))) (exp (- (/ (pow (- x mu) 2) (* 2 (pow sigma 2))))))",
    ),
    (r"\ln(1+x)", "(log (+ 1 x))"),
    (r"\ln\frac{p_1}{p_2}", "(log (/ p_1 p_2))"),
    (r"10\log_{10}\frac{P}{P_0}", "(* 10 (log10 (/ P P_0)))"),
    (r"\log_2 x", "(log2 x)"),
    (r"\log_b(x)", "(/ (log x) (log b))"),
    (r"\exp(-E_a/(RT))", "(exp (- (/ E_a (* R T))))"),
    (r"P(1 + r)^n", "(* P (pow (+ 1 r) n))"),
    (r"P\left(1+\frac{r}{n}\right)^{nt}", "(* P (pow (+ 1 (/ r n)) (* n t)))"),
    (r"\frac{P r}{1-(1+r)^{-n}}", "(/ (* P r) (- 1 (pow (+ 1 r) (- n))))"),
    (r"\sqrt[3]{x}", "(cbrt x)"),
    (r"\sqrt[4]{x+1}", "(pow (+ x 1) (/ 1 4))"),
    (r"\sqrt[n]{a}", "(pow a (/ 1 n))"),
    (r"\left|x - y\right|", "(fabs (- x y))"),
    (r"|x||y|", "(* (fabs x) (fabs y))"),
    (r"\lvert a \rvert b", "(* (fabs a) b)"),
    (r"\lfloor x + \frac{1}{2} \rfloor", "(floor (+ x (/ 1 2)))"),
    (r"\lceil x \rceil", "(ceil x)"),
    (r"\max(a, b, 0)", "(fmax (fmax a b) 0)"),
    (r"\min\{a, b\}", "(fmin a b)"),
    (r"\arctan\frac{y}{x}", "(atan (/ y x))"),
    (r"\operatorname{atan2}(y, x)", "(atan2 y x)"),
    (r"\operatorname{erf}\left(\frac{x}{\sqrt2}\right)", "(erf (/ x (sqrt 2)))"),
    (r"\operatorname{arsinh} x", "(asinh x)"),
    (r"\tanh x", "(tanh x)"),
    (r"\cot x", "(/ (cos x) (sin x))"),
    (r"\Gamma(n+1)", "(tgamma (+ n 1))"),
    (r"\Gamma l", "(* Gamma l)"),
    (r"\frac{Q}{\dot{m} c_p}", "(/ Q (* m_dot c_p))"),
    (r"\rho_{\mathrm{air}} g h", "(* rho_air g h)"),
    (r"T_\text{in} - T_\text{out}", "(- T_in T_out)"),
    (r"x_{i,j} + x_{12}", "(+ x_i_j x_12)"),
    (r"\frac{{\Delta p}}{L}", "(/ Delta_p L)"),
    (r"\mathrm{Re}\, \nu / d", "(/ (* Re nu) d)"),
    (r"a/b", "(/ a b)"),
    (r"a b / c", "(/ (* a b) c)"),
    (r"a \cdot b + c \times d", "(+ (* a b) (* c d))"),
    (r"-x^2", "(- (pow x 2))"),
    (r"x^{-1}", "(pow x -1)"),
    (r"x_1^2 + x_2^2", "(+ (pow x_1 2) (pow x_2 2))"),
    (r"{x^a}^b", "(pow (pow x a) b)"),
    (r"x^{y^z}", "(pow x (pow y z))"),
    (r"(a+b)(a-b)", "(* (+ a b) (- a b))"),
    (r"[a+(b+c)d]^2", "(pow (+ a (* (+ b c) d)) 2)"),
    (r"3.5\times 10^{-3} x", "(* 3.5 (* (pow 10 -3) x))"),
    (r"$$ \dfrac{a}{b} $$", "(/ a b)"),
    (r"\[ \tfrac{1}{2}x \]", "(* (/ 1 2) x)"),
    (r"\begin{cases} -x & \text{if } x < 0 \\ x & \text{otherwise} \end{cases}", "(if (< x 0) (- x) x)"),
    (
        r"\begin{cases} 0, & x \le 0 \\ x^2, & 0 < x \leq 1 \\ 1, & \text{else} \end{cases}",
        "(if (<= x 0) 0 (if (and (< 0 x) (<= x 1)) (pow x 2) 1))",
    ),
    (r"\sigma T^4 \varepsilon A", "(* sigma (pow T 4) varepsilon A)"),
    (
        r"\frac{8 \pi h \nu^3}{c^3} \frac{1}{e^{\frac{h\nu}{kT}} - 1}",
        "(* (/ (* 8 PI h (pow nu 3)) (pow c 3)) (/ 1 (- (exp (/ (* h nu) (* k T))) 1)))",
    ),
    (r"e: [0, 1), a: (0, inf) -> a(1 - e^2)", "(* a (- 1 (pow e 2)))"),
    (r"\rho: [1, 2] -> 2\rho", "(* 2 rho)"),
    (r"rho: [1, 2] -> \rho x", "(* rho x)"),
    (r"\hbar\omega\left(n + \frac12\right)", "(* hbar omega (+ n (/ 1 2)))"),
    (r"\ln\sin x", "(log (sin x))"),
    (r"mgh", "(* m g h)"),
    (r"\operatorname{sgn}(x)", "(if (> x 0) 1 (if (< x 0) -1 0))"),
    (r"0.5\,\rho\,v^2\,c_\mathrm{w}\,A", "(* 0.5 rho (pow v 2) c_w A)"),
    (r"\sin{\left(x - 3 \right)} y", "(* (sin (- x 3)) y)"),
    (r"\left|{x + 1}\right|", "(fabs (+ x 1))"),
    (r"\max(a, b)^2", "(pow (fmax a b) 2)"),
    (r"v_0\sin 30^\circ", "(* v_0 (sin (* 30 (/ PI 180))))"),
    (r"\cos(\theta^{\circ})", "(cos (* theta (/ PI 180)))"),
    (r"f(x, y) = y + x^2", "(+ y (pow x 2))"),
    (r"y(t) = y_0 + v t", "(+ y_0 (* v t))"),
    (r"\begin{cases} 1 & x \ne y \\ 2 & y = x \end{cases}", "(if (!= x y) 1 2)"),
    (r"\begin{cases} x & x > 1 \\ 1 & \text{otherwise.} \end{cases}", "(if (> x 1) x 1)"),
    (r"\begin{cases} x & x \ge 0. \\ -x & x < 0. \end{cases}", "(if (>= x 0) x (- x))"),
    (r"\begin{equation} E = m c^2 \label{eq:rest} \end{equation}", "(* m (pow c 2))"),
    (r"\begin{equation*} a + b, \nonumber \end{equation*}", "(+ a b)"),
    (r"\begin{equation} a + 2. \end{equation}", "(+ a 2)"),
    (r"p_0\left(1-\frac{L h}{T_0}\right)^{\frac{g M}{R L}}", "(* p_0 (pow (- 1 (/ (* L h) T_0)) (/ (* g M) (* R L))))"),
    (r"\frac{1}{4\pi\varepsilon_0}\,\frac{q_1 q_2}{r^2}", "(* (/ 1 (* 4 PI varepsilon_0)) (/ (* q_1 q_2) (pow r 2)))"),
    (r"20\log_{10}\left(\frac{V_2}{V_1}\right)", "(* 20 (log10 (/ V_2 V_1)))"),
    (r"\left\lvert \dfrac{a}{b} \right\rvert^{3/2}", "(pow (fabs (/ a b)) (/ 3 2))"),
    (r"\sqrt[3]{\tfrac{3V}{4\pi}}", "(cbrt (/ (* 3 V) (* 4 PI)))"),
    (r"\Bigl( a + b \Bigr) \; c", "(* (+ a b) c)"),
    (r"\cfrac{1}{1+\cfrac{1}{x}}", "(/ 1 (+ 1 (/ 1 x)))"),
    (r"k_{\mathrm{B}} \cdot T \times \ln 2", "(* k_B T (log 2))"),
    (r"1 - \frac{x^2}{2} % the cosine", "(- 1 (/ (pow x 2) 2))"),
];

/// A text that is refused, the column, and a part of message and hint.
const WRONG: &[(&str, usize, &str)] = &[
    (r"a/bc", 2, r"\frac{a}{bc}"),
    (r"\sin(x)^2", 5, r"\sin^2(x)"),
    (r"\ln{\left(y \right)}^{2}", 4, r"\ln^2(x)"),
    (r"\sin^{-1} x", 1, r"\arcsin x"),
    (r"\log x", 1, r"\ln x"),
    (r"\lg x", 1, r"\log_{10} x"),
    (r"2\frac{1}{2}", 1, r"\cdot"),
    (r"x^10", 3, "x^{10}"),
    (r"b\sqrt{\text{2nd}}", 8, "a name begins with a letter"),
    (r"x^-1", 3, "x^{-1}"),
    (r"sin x", 1, r"\sin"),
    (r"f(x)", 1, "a function"),
    (r"f(x, y)", 1, "a function"),
    (r"\phi(x)", 1, "a function"),
    (r"c_{p}(T)", 5, "a function"),
    (r"5\,\mathrm{m}", 1, "a unit"),
    (r"\vec{v}", 1, "vectors"),
    (r"e^{i\omega t}", 1, "imaginary"),
    (r"\coz x", 1, r"\cos"),
    (r"\sin x/2", 7, r"\sin(…)"),
    (r"\sin x(y+1)", 7, r"\sin(…)"),
    (r"\sin x \frac{y}{2}", 8, r"\sin(…)"),
    (r"\Delta p", 1, r"{\Delta p}"),
    (r"1 - e^2", 5, r"\mathrm{e}"),
    (r"e + e^{x}", 5, "name the input otherwise"),
    (r"x2", 1, "x_2"),
    (r"2 3", 3, r"\cdot"),
    (r"3{,}14 r^2", 1, "a point"),
    (r"\frac{dy}{dx}", 1, "derivative"),
    (r"\frac{1}{f} = x", 1, "name stands before `=`"),
    (r"e^{h\nu/kT}", 8, r"\frac{a}{bc}"),
    (r"\frac{d}{dx} x", 1, "derivative"),
    (r"\sum_{i=1}^n i", 1, "sums, integrals"),
    (r"S = \sum_{i=1}^n i", 5, "sums, integrals"),
    (r"20\,^\circ\mathrm{C}", 1, "unit of temperature"),
    (r"^\circ", 1, "missing"),
    (r"\sinh^{-1} x", 1, r"\operatorname{arsinh} x"),
    (r"\operatorname{sinc} x", 1, "unknown function"),
    (r"\cos\Delta\lambda", 5, r"{\Delta \lambda}"),
    (r"\lVert v \rVert", 1, "vectors"),
    (r"x \in [0,1]", 3, "range stands before"),
    (r"a \bmod b", 3, r"\lfloor\frac{a}{b}\rfloor"),
    (r"1 + 2 + \cdots + n", 9, "write all of them"),
    (r"\binom{n}{k}", 1, r"\Gamma(k+1)"),
    (r"a \approx b", 3, "leave out one"),
    (r"\sgn(x)", 1, r"\operatorname{sgn}"),
    (r"\left\{ x \right.", 11, r"\begin{cases}"),
    (r"f(2) = x", 1, "name stands before `=`"),
    (r"\begin{cases} a & x < 0 \\ b & x \ge 1 \end{cases}", 40, r"\text{otherwise}"),
    (r"\int x", 1, "integrals"),
    (r"x \pm y", 3, "two formulas"),
    (r"n!", 2, r"\Gamma(n+1)"),
    (r"x'", 2, "prime"),
    (r"\sqrt", 6, "braces is missing"),
    (r"\frac{a}{b", 11, "`}` is missing"),
    (r"(a + b", 7, "`)` is missing"),
    (r"\left(a + b\right]", 18, "`)` is missing"),
    (r"{a + b}c", 1, "round brackets"),
    (r"a + ", 4, "missing"),
    (r"\operatorname{foo}(x)", 1, "unknown function"),
    (r"\begin{matrix} a \end{matrix}", 1, "cases"),
    (r"\begin{cases} a & x < 0 \\ b & x > 0 \end{cases}", 38, r"\text{otherwise}"),
    (r"x = y = z", 7, "formula ends"),
    (r"x + y = 1", 1, "name stands before `=`"),
    (r"\mathrm{i} x", 1, "imaginary"),
    (r"\sin(x, y)", 1, "takes 1 argument"),
    (r"\foo x", 1, "missing"),
    (r"\tilde1p", 7, "a letter is missing"),
    (r"\hat{\mathrm{1a}}", 6, "is no name"),
    (r"x^a^b", 4, "{x^a}^b"),
    (r"50\%", 3, r"\frac{x}{100}"),
];

#[test]
fn formulas_in_latex_are_what_a_person_would_write() {
    let mut wrong = Vec::new();
    for (text, expected) in RIGHT {
        match read(text, Notation::Latex) {
            Ok(reading) if reading.core.body.to_string() == *expected => {}
            Ok(reading) => wrong.push(format!("{text}: {} and not {expected}", reading.core.body)),
            Err(d) => wrong.push(format!("{text}: {}", d.render("formula", text.as_bytes()))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn conditions_may_be_on_inputs_without_a_range() {
    let reading = read(r"x: [0, 1], x < y -> \sqrt{y - x}", Notation::Latex).unwrap();
    let expected = "(FPCore (x y) :name \"formula\" :pre (and (<= 0 x 1) (< x y)) (sqrt (- y x)))";
    assert_eq!(reading.core.one_line(), expected);
    let unused = read("z > 0 -> 2x", Notation::Latex).unwrap().core;
    assert_eq!(unused.one_line(), "(FPCore (z x) :name \"formula\" :pre (> z 0) (* 2 x))");
}

#[test]
fn latex_with_two_readings_is_refused_at_its_place_with_a_hint() {
    let mut wrong = Vec::new();
    for (text, column, says) in WRONG {
        match read(text, Notation::Latex) {
            Ok(reading) => wrong.push(format!("{text} is read as {}", reading.core.body)),
            Err(d) => {
                let shown = d.render("formula", text.as_bytes());
                if line_column(text.as_bytes(), d.span.start) != (1, *column) || !shown.contains(says) {
                    wrong.push(format!("{text}: column {column}, {says}:\n{shown}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
