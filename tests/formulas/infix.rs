//! Formulas as people write them: the FPCore that each is, in every notation, and what is refused.

use magneto::infix::{Notation, Reading, SourceLanguage, functions_of, read, read_function};
use magneto::spec::parse_file;
use magneto::text::{Diagnostic, line_column};

const P: Notation = Notation::Plain;
const C: Notation = Notation::C;
const Y: Notation = Notation::Python;
const M: Notation = Notation::Matlab;
const J: Notation = Notation::Julia;

/// A notation, a formula in it, and the FPCore that a person would write.
const RIGHT: &[(Notation, &str, &str)] = &[
    (P, "sqrt(2*rho*dp)/(1 - b**4)", "(/ (sqrt (* 2 rho dp)) (- 1 (pow b 4)))"),
    (P, "-x^2", "(- (pow x 2))"),
    (P, "2^-x", "(pow 2 (- x))"),
    (P, "a - b - c", "(- (- a b) c)"),
    (P, "a/b/c", "(/ (/ a b) c)"),
    (P, "a/b*c", "(* (/ a b) c)"),
    (P, "1/2*x", "(* (/ 1 2) x)"),
    (P, "a - (b - c)", "(- a (- b c))"),
    (P, "a*(b + c)", "(* a (+ b c))"),
    (P, "-a*b", "(* (- a) b)"),
    (P, "2*pi*sqrt(l/g)", "(* 2 PI (sqrt (/ l g)))"),
    (P, "exp(x) - 1", "(- (exp x) 1)"),
    (P, "v = x > 0 ? x : -x", "(if (> x 0) x (- x))"),
    (P, "1/(1 + exp(-x))", "(/ 1 (+ 1 (exp (- x))))"),
    (P, "max(a, b, 0)", "(fmax (fmax a b) 0)"),
    (P, "x .* y ./ z .^ 2", "(/ (* x y) (pow z 2))"),
    (P, "E*A/L", "(/ (* E A) L)"),
    (P, "-3*x", "(* -3 x)"),
    (P, "-3^2", "(- (pow 3 2))"),
    (P, "(-3)^2", "(pow -3 2)"),
    (P, "1.5e-3*x", "(* 1.5e-3 x)"),
    (C, "0.5*m*pow(v, 2)", "(* 0.5 m (pow v 2))"),
    (C, "1.0/2*x", "(* (/ 1.0 2) x)"),
    (C, "x*1/2", "(/ (* x 1) 2)"),
    (C, "6/3*x", "(* (/ 6 3) x)"),
    (C, "std::sqrt(x) + std::abs(y)", "(+ (sqrt x) (fabs y))"),
    (C, "std::fabs(7)/2*x", "(* (/ (fabs 7) 2) x)"),
    (C, "sqrtf(x)*M_PI", "(* (sqrt x) PI)"),
    (C, "(double)a/b", "(/ a b)"),
    (C, "-(double)a*b", "(* (- a) b)"),
    (C, "a < b && b < c || !(a > 1) ? 1.0 : 2.0", "(if (or (and (< a b) (< b c)) (not (> a 1))) 1.0 2.0)"),
    (C, "c > 0 ? a : b > 0 ? 1 : 2", "(if (> c 0) a (if (> b 0) 1 2))"),
    (C, "round(x)", "(round x)"),
    (Y, "2**3**2", "(pow 2 (pow 3 2))"),
    (Y, "-x**2", "(- (pow x 2))"),
    (Y, "2**-x**2", "(pow 2 (- (pow x 2)))"),
    (Y, "np.sin(x)**2 + math.cos(x)**2", "(+ (pow (sin x) 2) (pow (cos x) 2))"),
    (Y, "1/2*x", "(* (/ 1 2) x)"),
    (Y, "x // y", "(floor (/ x y))"),
    (Y, "x % y", "(- x (* y (floor (/ x y))))"),
    (Y, "a if x < 0 else b if x < 1 else c", "(if (< x 0) a (if (< x 1) b c))"),
    (Y, "x if 0 < x <= 1 else 0", "(if (and (< 0 x) (<= x 1)) x 0)"),
    (Y, "x if 0 < x < 1 else 0", "(if (< 0 x 1) x 0)"),
    (Y, "x if not x < 0 and y > 1 else y", "(if (and (not (< x 0)) (> y 1)) x y)"),
    (Y, "x if (x > 0) & (y > 0) else y", "(if (and (> x 0) (> y 0)) x y)"),
    (Y, "np.where(x > 0, x, 0)", "(if (> x 0) x 0)"),
    (Y, "math.log(x, 2) + math.log(y)", "(+ (log2 x) (log y))"),
    (Y, "np.arctan2(y, x)", "(atan2 y x)"),
    (Y, "math.remainder(x, y)", "(remainder x y)"),
    (Y, "np.remainder(x, y)", "(- x (* y (floor (/ x y))))"),
    (Y, "np.square(x + 1)", "(let ([x (+ x 1)]) (* x x))"),
    (Y, "round(x)", "(nearbyint x)"),
    (Y, "abs(x)*1_000", "(* (fabs x) 1000)"),
    (M, "2^3^2", "(pow (pow 2 3) 2)"),
    (M, "-x.^2", "(- (pow x 2))"),
    (M, "2^-1", "(pow 2 -1)"),
    (M, "mod(x, y)", "(- x (* y (floor (/ x y))))"),
    (M, "rem(x, y)", "(fmod x y)"),
    (M, "exp(-x.^2./2)./sqrt(2*pi)", "(/ (exp (/ (- (pow x 2)) 2)) (sqrt (* 2 PI)))"),
    (M, "gammaln(x)", "(lgamma x)"),
    (M, "round(x)", "(round x)"),
    (J, "2^3^2", "(pow 2 (pow 3 2))"),
    (J, "-x^2", "(- (pow x 2))"),
    (J, "2^-x^2", "(pow 2 (- (pow x 2)))"),
    (J, "x % y", "(fmod x y)"),
    (J, "x ÷ y", "(trunc (/ x y))"),
    (J, "a*1//2", "(* a (/ 1 2))"),
    (J, "log(2, x) + log(b, y)", "(+ (log2 x) (/ (log y) (log b)))"),
    (J, "sin.(x) .* √y", "(* (sin x) (sqrt y))"),
    (J, "atan(y, x) + π", "(+ (atan2 y x) PI)"),
    (J, "0 < x < 1 ? x : 0", "(if (< 0 x 1) x 0)"),
    (J, "E*ℯ", "(* E (exp 1))"),
    (P, "m*g*h", "(* m g h)"),
    (P, "0.5*rho*v^2*c*A", "(* 0.5 rho (pow v 2) c A)"),
    (P, "n*R*T/V", "(/ (* n R T) V)"),
    (P, "(-b + sqrt(b^2 - 4*a*c))/(2*a)", "(/ (+ (- b) (sqrt (- (pow b 2) (* 4 a c)))) (* 2 a))"),
    (P, "P*(1 + r/n)^(n*t)", "(* P (pow (+ 1 (/ r n)) (* n t)))"),
    (P, "1/(1/a + 1/b)", "(/ 1 (+ (/ 1 a) (/ 1 b)))"),
    (P, "20*log10(u/v)", "(* 20 (log10 (/ u v)))"),
    (P, "x × y + x·z", "(+ (* x y) (* x z))"),
    (C, "a*a + b*b - 2.0*a*b*cos(c)", "(- (+ (* a a) (* b b)) (* 2.0 a b (cos c)))"),
    (C, "5.0/9*(F - 32)", "(* (/ 5.0 9) (- F 32))"),
    (C, "exp(-E/(8.314*T))", "(exp (/ (- E) (* 8.314 T)))"),
    (C, "fmin(fmax(x, 0.0), 1.0)", "(fmin (fmax x 0.0) 1.0)"),
    (C, "hypot(x1 - x0, y1 - y0)", "(hypot (- x1 x0) (- y1 y0))"),
    (C, "p*r/(1 - pow(1 + r, -n))", "(/ (* p r) (- 1 (pow (+ 1 r) (- n))))"),
    (
        C,
        "x <= 0.04045 ? x/12.92 : pow((x + 0.055)/1.055, 2.4)",
        "(if (<= x 0.04045) (/ x 12.92) (pow (/ (+ x 0.055) 1.055) 2.4))",
    ),
    (C, "std::pow(x, 3)*1e3L", "(* (pow x 3) 1e3)"),
    (Y, "0.5*(1 + math.erf((x - mu)/(s*math.sqrt(2))))", "(* 0.5 (+ 1 (erf (/ (- x mu) (* s (sqrt 2))))))"),
    (Y, "m*c**2/np.sqrt(1 - (v/c)**2)", "(/ (* m (pow c 2)) (sqrt (- 1 (pow (/ v c) 2))))"),
    (Y, "np.exp(-(x - mu)**2/(2*s**2))", "(exp (/ (- (pow (- x mu) 2)) (* 2 (pow s 2))))"),
    (Y, "np.maximum(x, 0)", "(fmax x 0)"),
    (Y, "math.degrees(math.atan2(y, x))", "(* (atan2 y x) (/ 180 PI))"),
    (Y, "np.log1p(np.exp(x))", "(log1p (exp x))"),
    (Y, "2*math.asin(math.sqrt(h))*6371", "(* 2 (asin (sqrt h)) 6371)"),
    (Y, "min(a, b, c)", "(fmin (fmin a b) c)"),
    (M, "sqrt(x.^2 + y.^2)", "(sqrt (+ (pow x 2) (pow y 2)))"),
    (M, "a.*exp(-b.*t).*cos(w.*t)", "(* a (exp (* (- b) t)) (cos (* w t)))"),
    (M, "log10(p./p0)", "(log10 (/ p p0))"),
    (M, "nu*(1 - x)^2", "(* nu (pow (- 1 x) 2))"),
    (J, "a * x^2 + b * x + c", "(+ (* a (pow x 2)) (* b x) c)"),
    (J, "exp(-λ * t)", "(exp (* (- λ) t))"),
    (J, "x > 0 ? log(x) : 0", "(if (> x 0) (log x) 0)"),
    (J, "sin(x)^2 + cos(x)^2", "(+ (pow (sin x) 2) (pow (cos x) 2))"),
    (J, "√(x^2 + y^2)", "(sqrt (+ (pow x 2) (pow y 2)))"),
    (J, "hypot(a, b) / 2", "(/ (hypot a b) 2)"),
];

/// A notation, a text that is refused, the column, and a part of message and hint.
const WRONG: &[(Notation, &str, usize, &str)] = &[
    (P, "a^b^c", 2, "brackets"),
    (P, "2x", 1, "`2*x`"),
    (P, "x(y + 1)", 1, "`x*(…)`"),
    (P, "(a)(b)", 4, "written `*`"),
    (P, "x y", 3, "written `*`"),
    (P, "sqr(x)", 1, "did you mean `sqrt`?"),
    (P, "x % y", 3, "fmod"),
    (P, "round(x)", 1, "--language"),
    (P, "mod(x, y)", 1, "fmod"),
    (P, "a < b", 1, "formula is a number"),
    (P, "a < b < c ? 1 : 0", 3, "a < b && b < c"),
    (P, "sin(x, y)", 1, "takes 1 argument"),
    (P, "sin x", 5, "written `*`"),
    (P, "(x + 1", 7, "`)` is missing"),
    (P, "hypot(x, 1", 11, "`)` is missing"),
    (P, "x + ", 4, "missing"),
    (P, "x²", 2, "`^2`"),
    (P, "x + * y", 5, "missing"),
    (P, "n!", 2, "tgamma"),
    (P, "x = y = z", 7, "`==`"),
    (P, "010*x", 1, "`10`"),
    (C, "x^2", 2, "pow"),
    (C, "x**2", 2, "pow"),
    (C, "1/2*x", 1, "1.0/2"),
    (C, "x*(1/2)", 4, "1.0/2"),
    (C, "(x > 0 ? 1 : 2)/4*x", 1, "1.0/2"),
    (C, "abs(x)", 1, "fabs"),
    (C, "x*(std::abs(7)/2)", 4, "1.0/2"),
    (C, "100000*100000*x", 1, "int of C"),
    (C, "x % y", 3, "fmod"),
    (C, "0 < x < 1 ? x : 0.0", 3, "&&"),
    (C, "(int)x", 2, "trunc"),
    (C, "a--b", 2, "- -x"),
    (Y, "x^2", 2, "**"),
    (Y, "x if x > 0 & y > 0 else y", 10, "condition is needed"),
    (Y, "remainder(x, y)", 1, "math.remainder"),
    (Y, "p.rho*2", 1, "p_rho"),
    (Y, "x && y", 3, "`and`"),
    (M, "2*i", 3, "imaginary"),
    (M, "[1, 2]", 1, "arrays"),
    (M, "2^-1^2", 2, "brackets"),
    (J, "x**2", 2, "x^y"),
];

#[test]
fn formulas_are_what_a_person_would_write() {
    let mut wrong = Vec::new();
    for (notation, text, expected) in RIGHT {
        match read(text, *notation) {
            Ok(reading) if reading.core.body.to_string() == *expected => {
                // What is printed is read again as the same formula.
                let file = parse_file(reading.core.to_string().as_bytes());
                let again = file.cores[0].as_ref().map(|core| core.body.to_string());
                assert_eq!(again.as_deref().ok(), Some(*expected), "{text}");
            }
            Ok(reading) => wrong.push(format!("{notation:?} {text}: {} and not {expected}", reading.core.body)),
            Err(d) => wrong.push(format!("{notation:?} {text}: {}", d.render("formula", text.as_bytes()))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wrong_formulas_are_refused_at_their_place_with_a_hint() {
    let mut wrong = Vec::new();
    for (notation, text, column, says) in WRONG {
        match read(text, *notation) {
            Ok(reading) => wrong.push(format!("{notation:?} {text} is read as {}", reading.core.body)),
            Err(d) => {
                let shown = d.render("formula", text.as_bytes());
                if line_column(text.as_bytes(), d.span.start) != (1, *column) || !shown.contains(says) {
                    wrong.push(format!("{notation:?} {text}: column {column}, {says}:\n{shown}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn inputs_have_their_ranges() {
    let cases = [
        ("x: [0,1] -> exp(x) - 1", "(FPCore (x) :name \"formula\" :pre (<= 0 x 1) (- (exp x) 1))"),
        (
            "y: (0, 2*pi], x: [1, inf] -> v = x*y",
            "(FPCore (y x) :name \"v\" :pre (and (< 0 y) (<= y (* 2 PI)) (<= 1 x)) (* x y))",
        ),
        ("x: (-inf, 0), x < y -> x + y", "(FPCore (x y) :name \"formula\" :pre (and (< x 0) (< x y)) (+ x y))"),
        (
            "x: [1,2], n: integer [0, 9] -> x^n",
            "(FPCore (x (! :precision integer n)) :name \"formula\" :pre (and (<= 1 x 2) (<= 0 n 9)) (pow x n))",
        ),
        ("k: int (0,inf) -> k/2", "(FPCore ((! :precision integer k)) :name \"formula\" :pre (< 0 k) (/ k 2))"),
        ("pi: [0, 1] -> 2*pi", "(FPCore (pi) :name \"formula\" :pre (<= 0 pi 1) (* 2 pi))"),
    ];
    for (text, expected) in cases {
        let core = read(text, P).unwrap_or_else(|d| panic!("{}", d.render("formula", text.as_bytes()))).core;
        assert_eq!(core.one_line(), expected);
    }
    for (text, says) in [
        ("x: [0,1 -> x", "never closed"),
        ("x: 0 -> x", "range is missing"),
        ("a::x: [0, 1] -> x", "in the name of an input"),
        ("a.x: [0, 1] -> x", "in the name of an input"),
        ("x: [0,1], x: [0,2] -> x", "two inputs"),
        ("x: [inf,1] -> x", "no number"),
        ("x: [0,k] -> x", "`k`"),
        ("x in [0,1] -> x", "write `x: [0, 1]`"),
        ("int n: [0,9] -> n", "write `n: integer [0, 10]`"),
        ("float x: [0,9] -> x", "write `x: [0, 1]`"),
        ("x: [0,1] -> if x > 0 then x else 1", "written `c ? a : b`"),
    ] {
        let shown = read(text, P).expect_err(text).render("formula", text.as_bytes());
        assert!(shown.contains(says), "{text}: {shown}");
    }
}

/// What is nested deeper than FPCore may be is refused, however deep it is; what is read can be written and read again.
#[test]
fn what_is_nested_too_deep_is_refused() {
    let check = |read: Result<Reading, Diagnostic>, n: usize, text: &str| match read {
        Ok(reading) => {
            assert!(n < 1000, "{} is read", &text[..text.len().min(60)]);
            let file = parse_file(reading.core.to_string().as_bytes());
            assert!(matches!(file.cores[..], [Ok(_)]), "{text}: {:?}", file.cores);
        }
        Err(wrong) => assert!(n >= 100, "{text}: {wrong:?}"),
    };
    for n in [50, 350, 380, 400, 1000, 20_000] {
        for notation in Notation::ALL {
            let links =
                if notation == Notation::Latex { &["x-", "(x-1)-"][..] } else { &["x-", "x/", "(x-1)-", "x*x-"] };
            for link in links {
                let text = link.repeat(n) + "x";
                check(read(&text, notation), n, &text);
            }
        }
        for (notation, link) in
            [(Notation::Python, "x**"), (Notation::C, "x/-"), (Notation::Python, "x%"), (Notation::Matlab, "x^")]
        {
            let text = link.repeat(n) + "x";
            check(read(&text, notation), n, &text);
        }
        let signs = format!("x^{}x", "-".repeat(n));
        check(read(&signs, Notation::Matlab), n, &signs);
        let inside = format!("{}x{}", "(".repeat(n), ")".repeat(n));
        let c = |body: &str| format!("double f(double x) {{ {body} }}");
        let python = |body: &str| format!("def f(x):\n    {body}\n");
        let of_c = [c(&format!("return {inside};")), c(&format!("{}return x;", "x = x / 3;".repeat(n)))];
        let of_python =
            [python(&format!("return {inside}")), python(&format!("{}return x", "x = x / 3\n    ".repeat(n)))];
        for (texts, language) in [(of_c, SourceLanguage::C), (of_python, SourceLanguage::Python)] {
            for text in texts {
                check(read_function(&text, language, "f"), n, &text);
                let _ = functions_of(&text, language);
            }
        }
    }
}
