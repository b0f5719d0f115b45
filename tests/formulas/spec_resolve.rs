//! From cores to specifications: domains, accuracy, formats, calls.

use magneto::floats::Format;
use magneto::num::Rational;
use magneto::spec::core::Expr;
use magneto::spec::{
    OutOfRange, Overrides, Spec, parse_domain, parse_error_bound, parse_file, parse_ulps, resolve, same_core, same_expr,
};

fn resolve_with(text: &str, overrides: &Overrides) -> Result<Spec, String> {
    let file = parse_file(text.as_bytes());
    let last = file.cores.len() - 1;
    assert!(file.diagnostics.is_empty(), "{:?}", file.diagnostics);
    resolve(&file, last, "dir/file.fpcore", overrides)
        .map_err(|ds| ds.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; "))
}

/// The last core of a text.
fn spec(text: &str) -> Spec {
    let spec = resolve_with(text, &Overrides::default()).unwrap();
    // The law of to_core, on everything that these tests touch.
    let core = spec.to_core();
    let again = resolve_with(&core.to_string(), &Overrides::default()).unwrap();
    assert_eq!(again.inputs, spec.inputs, "{core}");
    assert_eq!(again.accuracy, spec.accuracy, "{core}");
    assert_eq!(shown(&again.constraints), shown(&spec.constraints), "{core}");
    assert!(same_expr(&again.core.body, &spec.core.body), "{core}");
    assert!(same_core(&again.to_core(), &core), "{core}\n{}", again.to_core());
    spec
}

fn fails(text: &str) -> String {
    resolve_with(text, &Overrides::default()).map(|s| s.to_core().to_string()).unwrap_err()
}

fn shown(es: &[Expr]) -> Vec<String> {
    es.iter().map(ToString::to_string).collect()
}

/// Ranges and constraints of a precondition on `a b x y`.
fn domain(pre: &str) -> (String, String) {
    let spec = spec(&format!("(FPCore (a b x y) :pre {pre} (+ a b x y))"));
    let bounded = spec.inputs.iter().filter(|i| i.range.lo.is_some() || i.range.hi.is_some());
    let ranges = bounded.map(|i| format!("{} {}", i.name, i.range)).collect::<Vec<_>>();
    (ranges.join(" "), shown(&spec.constraints).join(" "))
}

#[test]
fn preconditions_become_ranges_and_constraints() {
    let cases = [
        ("TRUE", "", ""),
        ("(and)", "", ""),
        ("(<= -1.5 x 2)", "x [-1.5, 2]", ""),
        ("(< 0 x 1)", "x (0, 1)", ""),
        ("(and (< 0 x) (<= x 1))", "x (0, 1]", ""),
        ("(> 5 x 1)", "x (1, 5)", ""),
        ("(> x 1)", "x (1, inf)", ""),
        ("(>= 3 x)", "x (-inf, 3]", ""),
        ("(<= 1 a 2 b 4)", "a [1, 2] b [2, 4]", ""),
        ("(<= 0 b a 1)", "a [0, 1] b [0, 1]", "(<= b a)"),
        ("(>= 1 a b x 0)", "a [0, 1] b [0, 1] x [0, 1]", "(>= a b x)"),
        ("(<= x 0 1)", "x (-inf, 0]", ""),
        ("(<= (fabs x) 3)", "x [-3, 3]", ""),
        ("(<= 1 (fabs x) 3)", "x [-3, 3]", "(<= 1 (fabs x))"),
        ("(< 0 (fabs x) 3)", "x (-3, 3)", "(< 0 (fabs x))"),
        ("(<= 0 (fabs x) 3)", "x [-3, 3]", ""),
        ("(== x 1/3)", "x [1/3, 1/3]", ""),
        ("(== x y 2)", "x [2, 2] y [2, 2]", ""),
        ("(== x y)", "", "(== x y)"),
        ("(<= 9.0 a 9.0)", "a [9, 9]", ""),
        ("(!= x 0 1 -1)", "", "(!= x 0 1 -1)"),
        ("(and (< 0 x 1) (and (< 0 y) (and (!= x y) (< y 2))))", "x (0, 1) y (0, 2)", "(!= x y)"),
        ("(or (< -5 x -1) (< 1 x 5))", "x (-5, 5)", "(or (< -5 x -1) (< 1 x 5))"),
        ("(or (< -5 x -1) (< 1 y 5))", "", "(or (< -5 x -1) (< 1 y 5))"),
        ("(or (< 2 x 1) (< 1 y 5))", "y (1, 5)", ""),
        ("(not (< x 1))", "x [1, inf)", ""),
        ("(not (or (< x 1) (> x 2)))", "x [1, 2]", ""),
        ("(not (== x 1))", "", "(!= x 1)"),
        ("(not (< x y a))", "", "(not (< x y a))"),
        ("(> (* b b) (* 4 (* a x)))", "", "(> (* b b) (* 4 (* a x)))"),
        ("(< 1/2 (+ x y) 10)", "", "(< 1/2 (+ x y) 10)"),
        ("(< 1 x INFINITY)", "x (1, inf)", ""),
        ("(< (- INFINITY) x 2)", "x (-inf, 2)", ""),
        ("(<= (- 1) x (/ (+ 1 2 3) 4))", "x [-1, 1.5]", ""),
        ("(<= -1e-320 x 1.7e308)", "x [-1e-320, 1.7e308]", ""),
        ("(< 0.05 x (* 2 PI))", "x (0.05, 0x1.921fb54442d1846ap+2)", "(< x (* 2 PI))"),
        ("(< (! :precision binary32 0.5) (cast x))", "x (0.5, inf)", ""),
        ("(and (isfinite x) (not (isnan y)) (isnormal x))", "", "(isnormal x)"),
        ("(if (< x 0) (< y 0) TRUE)", "", "(if (< x 0) (< y 0) TRUE)"),
        ("(let ([c 3] [d 3.5]) (and (<= -2 x c) (> (* d d) y)))", "x [-2, 3] y (-inf, 12.25)", ""),
        ("(let ([c 3]) (and (<= -2 x c) (> (* c x) y)))", "x [-2, 3]", "(let ([c 3]) (> (* c x) y))"),
        ("(let ([x 3]) (<= 0 x 4))", "", ""),
        ("(let* ([a 1] [x a]) (and (< x y) (< b y)))", "y (1, inf)", "(< b y)"),
        ("(and (<= 0 x 10) (<= 5 x 20) (< x 10))", "x [5, 10)", ""),
    ];
    for (pre, ranges, constraints) in cases {
        assert_eq!(domain(pre), (ranges.to_owned(), constraints.to_owned()), "{pre}");
    }
}

#[test]
fn enclosures_of_bounds_point_outward() {
    let spec = spec("(FPCore (x) :pre (<= PI x (* 2 PI)) x)");
    let pi_below = Rational::from((314_159_265_358_979_323_u64, 100_000_000_000_000_000_u64));
    let two_pi_above = Rational::from((628_318_530_717_958_648_u64, 100_000_000_000_000_000_u64));
    let (lo, hi) = (spec.inputs[0].range.lo.clone().unwrap(), spec.inputs[0].range.hi.clone().unwrap());
    assert!(lo.value > pi_below && lo.value < Rational::from((22, 7)));
    assert!(hi.value < two_pi_above && hi.value > pi_below * 2_u32);
    assert_eq!(shown(&spec.constraints), ["(<= PI x (* 2 PI))"]);
}

#[test]
fn empty_domains_are_errors() {
    let fails = |pre: &str| fails(&format!("(FPCore (x y) :pre {pre} (+ x y))"));
    assert_eq!(fails("(<= 2 x 1)"), "the domain is empty: `x` would have to be at least 2 and at most 1");
    assert_eq!(
        fails("(and (< 0 y 1) (< 1 x) (< x 1))"),
        "the domain is empty: `x` would have to be greater than 1 and less than 1"
    );
    for pre in
        ["FALSE", "(or)", "(<= 3 2)", "(== x 1 2)", "(< INFINITY x)", "(isnan x)", "(not TRUE)", "(or (< 2 x 1) FALSE)"]
    {
        assert_eq!(fails(pre), "the domain is empty: this condition is never true", "{pre}");
    }
    assert!(fails("(< (fabs x) 0)").contains("`x`"));
    let file = parse_file(b"(FPCore (x)\n :pre (and (< x 5) (<= 2 x 1)) x)");
    let d = resolve(&file, 0, "f", &Overrides::default()).unwrap_err();
    assert_eq!((d[0].span.start, d[0].span.end), (31, 41));
}

#[test]
fn accuracy_is_read() {
    let one = |props: &str| spec(&format!("(FPCore (x) :precision binary32 {props} x)"));
    let s = one("");
    assert!(s.accuracy_defaulted && s.accuracy.rel.is_none());
    assert_eq!(s.accuracy.ulps, Some((Rational::from(4), Format::BINARY32)));
    let s = spec("(FPCore (x) :precision binary64 x)");
    assert!(s.accuracy_defaulted && s.accuracy.ulps.is_none());
    assert_eq!(s.accuracy.rel, Some(Rational::from((1, 10_000_000_000_u64))));
    let s = one(":magneto-rel-error 1e-6 :magneto-abs-error (digits 1 -3 10) :magneto-ulps (2.5 binary64)");
    assert!(!s.accuracy_defaulted);
    assert_eq!(s.accuracy.rel, Some(Rational::from((1, 1_000_000))));
    assert_eq!(s.accuracy.abs, Some(Rational::from((1, 1000))));
    assert_eq!(s.accuracy.ulps, Some((Rational::from((5, 2)), Format::BINARY64)));
    assert_eq!(s.accuracy.to_string(), "relative 1e-6, absolute 0.001, 2.5 ulps of binary64");
    assert_eq!(one(":magneto-ulps 4").accuracy.ulps, Some((Rational::from(4), Format::BINARY32)));
    for bad in ["0", "-1e-3", "\"1e-3\"", "small", "(1 2)", "1e999999999", "0/5"] {
        assert!(
            fails(&format!("(FPCore (x) :magneto-rel-error {bad} x)")).starts_with("`:magneto-rel-error`: "),
            "{bad}"
        );
    }
    for bad in ["0", "(0 binary32)", "(1 binary33)", "(1 2)", "(binary32 1)", "()"] {
        assert!(fails(&format!("(FPCore (x) :magneto-ulps {bad} x)")).starts_with("`:magneto-ulps`: "), "{bad}");
    }
}

#[test]
fn flags_replace_what_the_core_states() {
    let text = "(FPCore (x y) :pre (<= 0 x 10) :magneto-rel-error 1e-6 (+ x y))";
    let with = |overrides| resolve_with(text, &overrides);
    let s = with(Overrides { abs: Some(parse_error_bound("1e-3").unwrap()), ..Overrides::default() }).unwrap();
    assert_eq!((s.accuracy.rel, s.accuracy.abs), (None, Some(Rational::from((1, 1000)))));
    let s = with(Overrides { ulps: Some(parse_ulps("2 binary32").unwrap()), ..Overrides::default() }).unwrap();
    assert_eq!(s.accuracy.ulps, Some((Rational::from(2), Format::BINARY32)));
    let domain = |texts: &[&str]| Overrides {
        domain: texts.iter().map(|t| parse_domain(t).unwrap()).collect(),
        ..Overrides::default()
    };
    let s = with(domain(&["x=[-5,5)", "y=(0x1p-3,inf)"])).unwrap();
    assert_eq!(s.inputs[0].range.to_string(), "[0, 5)");
    assert_eq!(s.inputs[1].range.to_string(), "(0.125, inf)");
    assert!(
        with(domain(&["x=[11,12]"])).unwrap_err().starts_with("with `--domain x=[11, 12]` the domain is empty: `x`")
    );
    assert_eq!(with(domain(&["z=[11,12]"])).unwrap_err(), "`--domain z=[11, 12]`: there is no input `z`");
    for bad in [
        "x",
        "x=",
        "x=[1]",
        "x=[1,2",
        "[1,2]",
        "x=[1,2,3]",
        "x=[a,2]",
        "x=[2,1]",
        "x=(1,1]",
        "x=[inf,2]",
        "x=1,2",
        "é=[é",
    ] {
        assert!(parse_domain(bad).is_err(), "{bad}");
    }
    assert_eq!(parse_domain("a==[1,2]").unwrap().0, "a=");
    for bad in ["", "x", "0", "-1", "1 2", "1 binary32 3"] {
        assert!(parse_ulps(bad).is_err(), "{bad}");
    }
}

#[test]
fn formats() {
    let formats = |text: &str| {
        let s = spec(text);
        (s.inputs.iter().map(|i| i.format).collect::<Vec<_>>(), s.result_format)
    };
    assert_eq!(formats("(FPCore (x y) (+ x y))"), (vec![Format::BINARY64, Format::BINARY64], Format::BINARY64));
    assert_eq!(
        formats("(FPCore (x y) :precision real (+ x y))"),
        (vec![Format::BINARY64, Format::BINARY64], Format::BINARY64)
    );
    assert_eq!(
        formats("(FPCore (x y) :precision (float 8 32) (+ x y))"),
        (vec![Format::BINARY32, Format::BINARY32], Format::BINARY32)
    );
    assert_eq!(
        formats("(FPCore (x (! :precision bfloat16 y)) :precision binary32 (+ x y))"),
        (vec![Format::BINARY32, Format::BFLOAT16], Format::BINARY32)
    );
    assert_eq!(
        formats("(FPCore (x y) :magneto-inputs binary32 (+ x y))"),
        (vec![Format::BINARY32, Format::BINARY32], Format::BINARY64)
    );
    assert_eq!(
        formats("(FPCore (x y) :magneto-inputs ((y bfloat16)) (+ x y))"),
        (vec![Format::BINARY64, Format::BFLOAT16], Format::BINARY64)
    );
    for bad in
        ["binary33", "4", "((x))", "((z binary32))", "((x binary32) (x binary64))", "((x binary33))", "\"binary32\""]
    {
        assert!(fails(&format!("(FPCore (x) :magneto-inputs {bad} x)")).starts_with("`:magneto-inputs`: "), "{bad}");
    }
}

#[test]
fn names_and_other_properties() {
    assert_eq!(spec("(FPCore f (x) :name \"a b\" x)").name, "a b");
    assert_eq!(spec("(FPCore f (x) x)").name, "f");
    assert_eq!(spec("(FPCore (x) x) (FPCore (x) x)").name, "file#2");
    let s = spec("(FPCore (x) :magneto-req \"REQ-012\" :magneto-out-of-range nan x)");
    assert_eq!((s.requirement.as_deref(), s.out_of_range), (Some("REQ-012"), OutOfRange::Nan));
    assert_eq!(spec("(FPCore (x) x)").out_of_range, OutOfRange::Reject);
    assert_eq!(fails("(FPCore (x) :magneto-out-of-range nah x)"), "`:magneto-out-of-range`: `nah` is not a response");
    assert_eq!(fails("(FPCore (x) :magneto-req 12 x)"), "`:magneto-req`: `12` is no string or list of strings");
    assert_eq!(fails("(FPCore (x) (< x 1))"), "the body is a condition; a specification returns a number");
    assert_eq!(
        fails("(FPCore (x) (let* ([a (< x 1)] [b a]) b))"),
        "the body is a condition; a specification returns a number"
    );
    // Cores of the same name do not disturb each other.
    assert_eq!(spec("(FPCore (x) :name \"n\" x) (FPCore (x) :name \"n\" (* x x))").core.body.to_string(), "(* x x)");
}

#[test]
fn calls_are_written_out() {
    let text = "(FPCore sq (x) :pre (< 0 x) (* x x))\n(FPCore one () 1)\n(FPCore (x y) :pre (< (sq x) y) (sq (- (sq y) x (one))))";
    let s = spec(text);
    let square = "(let ([x (- (let ([x y]) (* x x)) x 1)]) (* x x))";
    assert_eq!(s.core.body.to_string(), square);
    assert_eq!(shown(&s.constraints), ["(< (let ([x x]) (* x x)) y)"]);
    // The callee is the nearest one before the call.
    assert_eq!(
        spec("(FPCore f () 1) (FPCore g () (f)) (FPCore f () 2) (FPCore (x) (+ (g) (f) x))").core.body.to_string(),
        "(+ 1 2 x)"
    );
    assert_eq!(
        fails("(FPCore f (x) (* E x)) (FPCore (E) (f E))"),
        "the variable `E` hides the constant `E` that a called core uses"
    );
    // Calls of calls grow exponentially.
    let mut tower = "(FPCore f0 (x) (+ x 1))\n".to_owned();
    for k in 1..200 {
        tower += &format!("(FPCore f{k} (x) (+ (f{p} x) (f{p} (- x))))\n", p = k - 1);
    }
    assert!(fails(&tower).contains("has more than 100000 operations"));
    let mut chain = "(FPCore f0 (x) (+ x 1))\n".to_owned();
    for k in 1..5000 {
        chain += &format!("(FPCore f{k} (x) (f{} x))\n", k - 1);
    }
    assert!(fails(&chain).contains("is nested more than 400 deep"));
}

#[test]
fn a_broken_core_gives_its_own_diagnostics() {
    assert_eq!(fails("(FPCore (x) (frob x))"), "unknown operator `frob`");
    let file = parse_file(b"");
    assert_eq!(resolve(&file, 3, "f", &Overrides::default()).unwrap_err()[0].message, "there is no core 4");
}
