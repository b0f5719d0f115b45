/// Specifications at the edge of what has a value: arguments, precondition and accuracy; the body.
const SPECS: &[(&str, &str)] = &[
    ("(x) :pre (<= -1 x 1) :magneto-abs-error 0.1", "(pow (fabs x) x)"),
    ("(x y) :pre (and (<= 0 x 1) (<= -1 y 1)) :magneto-rel-error 1e-6", "(pow x y)"),
    ("(x y) :pre (and (<= -2 x 2) (<= -2 y 2)) :magneto-abs-error 1e-3", "(pow x (floor y))"),
    ("(x y) :pre (and (<= -1 x 1) (<= -1 y 1)) :magneto-abs-error 1e-6", "(atan2 y x)"),
    ("(x y) :pre (and (<= -1 x 0) (<= 0 y 0)) :magneto-abs-error 1e-6", "(atan2 y x)"),
    ("(x) :pre (<= -2 x 2) :magneto-rel-error 1e-10", "(fmod x 0.3)"),
    ("(x y) :pre (and (<= -2 x 2) (<= -1 y 1)) :magneto-abs-error 1e-3", "(fmod x y)"),
    ("(x y) :pre (and (<= -2 x 2) (<= 0.5 y 1)) :magneto-abs-error 1e-3", "(remainder x y)"),
    ("(x) :pre (<= 0 x 3) :magneto-rel-error 1e-3", "(tan x)"),
    ("(x) :pre (<= 0 x 2) :magneto-rel-error 1e-3", "(tan (* x PI_2))"),
    ("(x) :pre (<= -3 x 3) :magneto-rel-error 1e-3", "(tgamma x)"),
    ("(x) :pre (<= -3 x 3) :magneto-abs-error 1e-3", "(lgamma x)"),
    ("(x) :pre (<= -3 x 3) :magneto-abs-error 1e-3", "(+ (floor x) (* 0.5 (round x)))"),
    ("(x) :pre (<= -3 x 3) :magneto-abs-error 0.5", "(nearbyint (* 2 x))"),
    ("(x y) :pre (and (<= -1 x 1) (<= -1 y 1)) :magneto-rel-error 1e-3", "(copysign x y)"),
    ("(x y) :pre (and (<= -1 x 1) (<= -1 y 1)) :magneto-rel-error 1e-3", "(fdim x y)"),
    ("(x y) :pre (and (<= 0 x 1) (<= 0 y 1)) :magneto-abs-error 1e-3", "(- (fmin x (* x y)) (fmin y (* x y)))"),
    ("(x y) :pre (and (<= -1 x 1) (<= -1 y 1)) :magneto-abs-error 1e-2", "(let ([t (* x y)]) (- (fabs (+ x t)) (fabs (+ y t))))"),
    ("(x) :pre (<= -0.5 x 0.5) :magneto-rel-error 1e-3", "(- (sin x) (- x (/ (pow x 3) 6)))"),
    ("(x) :pre (<= -0.5 x 0.5) :magneto-abs-error 1e-8", "(- (sinh x) (tan x))"),
    ("(x) :pre (<= -1e-5 x 1e-5) :magneto-rel-error 1e-12", "(/ (- (exp x) 1) x)"),
    ("(x) :pre (<= -1e-5 x 1e-5) :magneto-rel-error 1e-12", "(if (== x 0) 1 (/ (log1p x) x))"),
    ("(x) :pre (<= -1 x 1) :magneto-rel-error 1e-10", "(if (< x 0) (sqrt (- x)) (if (> x 0) (log x) 7))"),
    ("(x y) :pre (and (<= -1 x 1) (<= -1 y 1)) :magneto-abs-error 0.1", "(if (or (< x y) (== x 0)) (sqrt (- y x)) (/ 1 (+ x y)))"),
    ("(x y) :pre (and (<= -1 x 1) (<= -1 y 1) (< x y)) :magneto-rel-error 1e-3", "(/ 1 (- y x))"),
    ("(x y) :pre (and (<= -1 x 1) (<= -1 y 1) (< (+ (* x x) (* y y)) 1)) :magneto-abs-error 1e-3", "(sqrt (- 1 (+ (* x x) (* y y))))"),
    ("(x y) :pre (and (<= -1 x 1) (<= -1 y 1) (or (< x -1/2) (> y 1/2))) :magneto-rel-error 1e-3", "(* (fabs x) y)"),
    ("(x y) :pre (and (<= -1 x 1) (<= -1 y 1) (not (== x y))) :magneto-abs-error 1e-3", "(/ (- (* x x) (* y y)) (- x y))"),
    ("(x y) :pre (and (<= -1 x 1) (<= -1 y 1) (!= x 0) (<= (* x y) 0)) :magneto-abs-error 1e-3", "(/ y x)"),
    ("(x) :magneto-rel-error 1e-10", "(* x x)"),
    ("(x y) :magneto-rel-error 1e-3", "(- x y)"),
    ("(x) :magneto-abs-error 1e-3", "(- (+ x 1) x)"),
    ("(x) :magneto-rel-error 1e-10", "(sqrt (+ (* x x) 1))"),
    ("(x) :pre (< 0 x) :magneto-rel-error 1e-10", "(exp (- 0 (/ 1 x)))"),
    ("(x) :pre (<= 0 x 1e5) :magneto-rel-error 1e-3", "(/ (exp x) (+ 1 (exp x)))"),
    ("(x) :pre (<= 0 x 1e308) :magneto-rel-error 1e-3", "(/ (* x 1e300) (* (+ x 1) 1e300))"),
    ("(x) :pre (<= 0 x 1e-310) :magneto-ulps (1 binary64)", "(* 3 x)"),
    ("(x) :pre (<= 0 x 1e-310) :magneto-rel-error 0.4", "(/ (* x x) 1e-300)"),
    ("(x) :pre (< -5e-324 x 5e-324) :magneto-rel-error 1e-3", "(+ 1 (sqrt x))"),
    ("(x) :pre (< 0 x 1e-323) :magneto-rel-error 1e-3", "(log x)"),
    ("(x) :pre (<= 0.1 x 0.1) :magneto-rel-error 1e-15", "(sin (* 10 x))"),
    ("(x y) :pre (and (<= 1 x 1) (<= 0 y 2)) :magneto-rel-error 1e-3", "(/ (log x) (- y 1))"),
    ("(x) :pre (<= 0.99 x 1.01) :magneto-ulps (1 binary64)", "(+ x 1e-16)"),
    ("(x) :pre (<= 0.5 x 4) :magneto-ulps (1/2 binary32)", "(sqrt x)"),
    ("(x) :precision binary32 :pre (<= 0 x 4) :magneto-ulps (1 binary32)", "(- (sqrt x) 1)"),
    ("(x) :precision binary64 :magneto-inputs binary32 :pre (<= 0.1 x 0.3) :magneto-ulps (2 binary64)", "(* x 0.1)"),
    ("(x) :precision binary32 :magneto-inputs binary64 :pre (<= 0.1 x 0.3) :magneto-abs-error 1e-7", "(* x x)"),
    ("(x) :precision binary32 :pre (<= -1e38 x 1e38) :magneto-rel-error 1e-6", "(/ x (+ 1 (fabs x)))"),
    ("(x) :pre (<= -1 x 1) :magneto-rel-error 1e-3 :magneto-abs-error 1e-6", "(* x (fabs x))"),
    ("(x) :pre (<= -1 x 1) :magneto-rel-error 1e-6 :magneto-abs-error 1e-9 :magneto-ulps (100 binary32)", "(sin (* 3 x))"),
    ("(x) :pre (<= -1 x 1) :magneto-rel-error 1", "(- x 0.25)"),
    ("(x) :pre (<= -1 x 1) :magneto-rel-error 1e-10", "(- x x)"),
    ("(x) :pre (<= -1 x 1) :magneto-rel-error 1e-10", "(fmax 0 x)"),
    ("(x) :pre (<= -1 x 1) :magneto-out-of-range any :magneto-rel-error 1e-3", "(sqrt x)"),
    ("(x) :pre (<= -1 x 1) :magneto-out-of-range nan :magneto-rel-error 1e-3", "(acos (* 2 x))"),
    ("(x) :pre (<= -1 x 1) :magneto-out-of-range saturate :magneto-rel-error 1e-3", "(/ 1 x)"),
    ("(x) :pre (<= -1 x 1) :magneto-abs-error 1e-3", "(asin (sin (* 2 x)))"),
    ("(x) :pre (<= -1 x 1) :magneto-abs-error 1e-3", "(acosh (cosh x))"),
    ("(x) :pre (<= -1 x 1) :magneto-abs-error 1e-3", "(let ([x (* x x)]) (let* ([x (+ x 1)] [y x]) (/ y x)))"),
    ("(x y) :pre (and (<= -1 x 1) (<= -1 y 1)) :magneto-abs-error 1e-3", "(let ([x y] [y x]) (- (* x 2) (sqrt y)))"),
    ("(x) :pre (<= -1 x 1) :magneto-abs-error 1e-3", "(sin (* PI x))"),
    ("(x) :pre (<= -1 x 1) :magneto-abs-error 1e-3", "(if (== (sin (* PI x)) 0) 1 2)"),
    ("(x) :pre (<= -1 x 1) :magneto-abs-error 1e-3", "(if (< (exp x) 1) (cbrt x) (erf x))"),
    ("(x y) :pre (and (<= -1 x 1) (<= -1 y 1) (== x y)) :magneto-abs-error 1e-3", "(hypot x y)"),
    ("(a b c) :pre (and (<= 0 a 1) (<= -2 b 2) (<= 0 c 1)) :magneto-rel-error 1e-3", "(/ (- (sqrt (- (* b b) (* 4 (* a c)))) b) (* 2 a))"),
    ("(a b c) :pre (and (<= 1 a 9) (<= 1 b 9) (<= 1 c 9) (> (+ a b) (+ c 1e-6)) (> (+ a c) (+ b 1e-6)) (> (+ b c) (+ a 1e-6))) :magneto-rel-error 1e-3",
     "(let ([s (/ (+ (+ a b) c) 2)]) (sqrt (* s (* (- s a) (* (- s b) (- s c))))))"),
];

/// Whole runs, every KO confirmed and every proof attacked. `MAGNETO_LONG=1` makes all mutants and looks into many
/// more boxes.
#[test]
fn runs_at_the_edge() {
    let long = support::long();
    let judged = support::on_two_threads(SPECS, |k, (head, body)| {
        let spec = support::spec(&text(head, body));
        let turn = |n: usize| Operator::ALL[(k * 3 + n) % Operator::ALL.len()];
        let operators = if long { OperatorSet::Full } else { OperatorSet::Only(vec![turn(0), turn(1), turn(2)]) };
        let mut options = Options { operators, jobs: 1, precision_cap: 960, ..Options::default() };
        options.limits.boxes = if long { 2000 } else { 100 };
        let Ok(g) = generate(&spec, &options, &Interrupt::default()) else { return (0, 0, 0, Vec::new()) };
        let report = confirm(&spec, &g);
        let (proofs, broken) = attack(&spec, &g, if long { 300 } else { 30 }, k as u64);
        let wrong = report.wrong.into_iter().chain(broken).map(|w| format!("{w}\n    {head} {body}"));
        if std::env::var_os("MAGNETO_SHOW").is_some() {
            println!("{} mutants, {} kills, {proofs} proofs: {head} {body}", g.mutants.len(), report.kills);
        }
        (g.mutants.len(), report.kills, proofs, wrong.collect::<Vec<_>>())
    });
    let sum = |f: fn(&(usize, usize, usize, Vec<String>)) -> usize| judged.iter().map(f).sum::<usize>();
    let (mutants, kills, proofs) = (sum(|j| j.0), sum(|j| j.1), sum(|j| j.2));
    println!("{} specifications: {mutants} mutants, {kills} KO, {proofs} proofs", SPECS.len());
    let wrong: Vec<&String> = judged.iter().flat_map(|j| &j.3).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{wrong:#?}", wrong.len());
    assert!(mutants > 1000 && kills > 1000 && proofs > 100);
}
