//! The reader: what real files hold that is easy to get wrong.

use magneto::num::Rational;
use magneto::ops::Constant;
use magneto::spec::core::{Core, DatumKind, Expr, ExprKind, Value};
use magneto::spec::{Overrides, parse_file, resolve, same_core, same_expr};
use magneto::text::{Diagnostic, DiagnosticKind};

/// The only core of a text.
fn core(text: &str) -> Core {
    let file = parse_file(text.as_bytes());
    let shown: String = file.all_diagnostics().iter().map(|d| d.render("test", text.as_bytes())).collect();
    assert_eq!(shown, "");
    let [Ok(core)] = file.cores.as_slice() else { panic!("not one core: {text}") };
    core.clone()
}

/// The body of `(FPCore (x y z) BODY)`.
fn body(text: &str) -> Expr {
    core(&format!("(FPCore (x y z) {text})")).body
}

fn errors(text: &str) -> Vec<Diagnostic> {
    parse_file(text.as_bytes()).all_diagnostics()
}

fn number(e: &Expr) -> Rational {
    let ExprKind::Number(n) = &e.kind else { panic!("{e} is not a number") };
    n.value.clone()
}

#[test]
fn numbers_are_exact_rationals() {
    let cases: &[(&str, (i64, u64))] = &[
        (".499", (499, 1000)),
        ("-.05", (-5, 100)),
        ("-.985", (-985, 1000)),
        (".000005", (5, 1_000_000)),
        ("6400.0e3", (6_400_000, 1)),
        ("10e-6", (1, 100_000)),
        ("1E-3", (1, 1000)),
        ("0.1", (1, 10)),
        ("1/3", (1, 3)),
        ("-4/6", (-2, 3)),
        ("0xf.fp-4", (255, 256)),
        ("-0x1.8P1", (-3, 1)),
        ("(digits 3 -1 2)", (3, 2)),
        ("(digits -1 1 2)", (-2, 1)),
        ("(digits 15e1 -2 10)", (3, 2)),
    ];
    for (text, (p, q)) in cases {
        assert_eq!(number(&body(text)), Rational::from((*p, *q)), "{text}");
    }
    let tiny = number(&body("1E-24"));
    assert_eq!(tiny.recip(), Rational::from(10_u64.pow(12)) * Rational::from(10_u64.pow(12)));
}

#[test]
fn broken_and_absurd_numbers_are_refused() {
    for text in
        ["0.6931f0", "1e999999999", "-1e-999999999999999999999", "0x1p99999999", "1/0", "1.2.3", "(digits 1 1 1)"]
    {
        let found = errors(&format!("(FPCore (x) (+ x {text}))"));
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].kind, DiagnosticKind::Syntax);
    }
    assert_eq!(errors("(FPCore (x) (+ x 0.6931f0))")[0].message, "`0.6931f0` is not a number");
    // A number too large to be one is no reason to refuse data that nobody reads.
    assert!(errors("(FPCore (x) :date 2020-01-01 :note 1e999999999 x)").is_empty());
}

#[test]
fn symbols_of_real_files() {
    let core = core("(FPCore (t* s* sr* dX.u E3/2 θ ε e i)\n (+ t* s* sr* dX.u E3/2 θ ε e i))");
    let ExprKind::Op(_, operands) = &core.body.kind else { panic!() };
    let names: Vec<String> = operands.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["t*", "s*", "sr*", "dX.u", "E3/2", "θ", "ε", "e", "i"]);
    assert!(operands.iter().all(|o| matches!(o.kind, ExprKind::Var(_))));
}

#[test]
fn variables_shadow_constants_and_operators() {
    let e = body("(let ([E 2] [exp2 (exp2 x)]) (+ E exp2 (exp2 exp2)))");
    let ExprKind::Let { body: inner, .. } = &e.kind else { panic!() };
    let ExprKind::Op(_, operands) = &inner.kind else { panic!() };
    assert!(matches!(&operands[0].kind, ExprKind::Var(n) if n == "E"));
    assert!(matches!(&operands[1].kind, ExprKind::Var(n) if n == "exp2"));
    assert!(matches!(&operands[2].kind, ExprKind::Op(op, _) if op.name() == "exp2"));
    assert!(matches!(body("E").kind, ExprKind::Constant(Constant::E)));
    assert!(matches!(core("(FPCore (E) E)").body.kind, ExprKind::Var(_)));
    // In `let` the values stand outside the scope, in `let*` inside.
    assert!(matches!(body("(let ([E 1] [a E]) a)").kind, ExprKind::Let { bindings, .. }
        if matches!(bindings[1].1.kind, ExprKind::Constant(_))));
    assert!(matches!(body("(let* ([E 1] [a E]) a)").kind, ExprKind::Let { bindings, .. }
        if matches!(bindings[1].1.kind, ExprKind::Var(_))));
}

#[test]
fn constants_in_both_spellings() {
    let old = [("1_PI", Constant::InvPi), ("2_PI", Constant::TwoInvPi), ("2_SQRTPI", Constant::TwoInvSqrtPi)];
    for (text, constant) in old.into_iter().chain(Constant::ALL.iter().map(|&c| (c.name(), c))) {
        let is_bool = matches!(constant, Constant::True | Constant::False);
        let e = core(&format!("(FPCore () {text})")).body;
        assert!(matches!(e.kind, ExprKind::Constant(c) if c == constant), "{text} {is_bool}");
        assert_eq!(e.to_string(), constant.name());
    }
}

#[test]
fn more_than_two_operands() {
    for op in ["+", "-", "*", "/"] {
        let e = body(&format!("({op} x y z 2)"));
        assert!(matches!(&e.kind, ExprKind::Op(op, es) if op.arity() == 2 && es.len() == 4));
        assert_eq!(e.to_string(), format!("({op} x y z 2)"));
    }
    assert!(matches!(&body("(- x)").kind, ExprKind::Op(op, _) if op.arity() == 1));
    assert!(matches!(&body("(- x y)").kind, ExprKind::Op(op, _) if op.arity() == 2));
}

#[test]
fn hash_means_integer_precision() {
    assert!(same_expr(&body("(+ x #1)"), &body("(+ x (! :precision integer 1))")));
    assert!(same_expr(&body("(+ #(+ x 1) y)"), &body("(+ (! :precision integer (+ x 1)) y)")));
    assert_eq!(errors("(FPCore (x) (+ x #))")[0].message, "`#` must be followed by an expression");
}

#[test]
fn brackets_comments_blanks() {
    let text = "\u{FEFF} ; a comment (\r\n [FPCore (x [! :precision binary32 y])\r\n\t:name ; comment between\r\n \"a \
                \\\"b\\\\ \n c\" :pre [< x y] (* x y)] ; end";
    let core = core(text);
    let Value::Data(name) = &core.property("name").unwrap().value else { panic!() };
    assert!(matches!(&name.kind, DatumKind::String(s) if s == "a \"b\\ \n c"));
    assert_eq!(core.args[1].name, "y");
    assert_eq!(core.args[1].props[0].key, "precision");
    assert!(same_core(&core, &self::core(&core.to_string())));
}

#[test]
fn properties_are_kept_in_order() {
    let text = "(FPCore f (x)\n :alt (+ x 1)\n :alt (! :herbie-platform c (- x -1))\n :spec (+ x unbound)\n :example ([x (/ 1 3)])\n \
                :cite (a b)\n x)";
    let core = core(text);
    let keys: Vec<&str> = core.props.iter().map(|p| p.key.as_str()).collect();
    assert_eq!(keys, ["alt", "alt", "spec", "example", "cite"]);
    assert!(matches!(core.props[1].value, Value::Expr(_)));
    // A :spec that is no expression of ours does not make the core unusable.
    assert!(matches!(core.props[2].value, Value::Data(_)));
    assert_eq!(core.ident.as_deref(), Some("f"));
}

#[test]
fn calls_of_earlier_cores() {
    let text =
        "(FPCore sq (x) (* x x))\n(FPCore (a b) (+ (sq a) (sq b)))\n(FPCore sq (x y) (* x y))\n(FPCore (a) (sq a a))";
    assert!(errors(text).is_empty());
    let message = |text: &str| errors(text)[0].message.clone();
    assert_eq!(message("(FPCore sq (x) (* x x)) (FPCore (a) (sq a a))"), "`sq` takes 1 operand, not 2");
    assert_eq!(message("(FPCore f (x) (f x))"), "only earlier cores can be called, and `f` is not");
    assert_eq!(message("(FPCore (x) (g x)) (FPCore g (x) x)"), "only earlier cores can be called, and `g` is not");
    assert_eq!(message("(FPCore sin (x) x)"), "`sin` is an operator and cannot be the name of a core");
    let broken = errors("(FPCore f (x) (frob x)) (FPCore (a) (f a))");
    assert_eq!(broken[1].message, "the core `f` that is called here cannot be used");
}

#[test]
fn what_is_not_supported_is_refused_by_name_without_harm_to_others() {
    let text = "(FPCore a (x) x)\n(FPCore (n) (tensor ([i n]) i))\n(FPCore ((v 0)) (ref v 0))\n(FPCore (x) (a x))";
    let file = parse_file(text.as_bytes());
    assert!(file.cores[0].is_ok() && file.cores[3].is_ok());
    let messages: Vec<String> = file.all_diagnostics().iter().map(|d| d.message.clone()).collect();
    assert_eq!(
        messages,
        [
            "how many results there are does not stand in the text",
            "the size of an array must be a name or a natural number from 1 on"
        ]
    );
    assert!(file.all_diagnostics().iter().all(|d| d.kind == DiagnosticKind::Unsupported));
}

#[test]
fn every_mistake_of_a_core_is_reported() {
    let found = errors("(FPCore (x) :pre (< 0 y) (+ (sqroot x) (let ([a (frob 1)]) (+ a (atan3 x)))))");
    let messages: Vec<&str> = found.iter().map(|d| d.message.as_str()).collect();
    let unknown = ["unknown operator `sqroot`", "unknown operator `frob`", "unknown operator `atan3`"];
    assert_eq!(messages, ["unbound variable `y`", unknown[0], unknown[1], unknown[2]]);
}

#[test]
fn a_missing_bracket_costs_one_core() {
    let text = "(FPCore (x) x)\n(FPCore (x) (+ x 1)\n(FPCore (x) (* x 2))\n(FPCore (x) (/ x 3]\n)\n(FPCore (x) x)";
    let file = parse_file(text.as_bytes());
    let usable: Vec<bool> = file.cores.iter().map(Result::is_ok).collect();
    assert_eq!(usable, [true, false, true, false, true]);
    assert_eq!(file.all_diagnostics()[0].message, "this `(` is never closed");
    assert_eq!(file.all_diagnostics()[1].message, "`]` closes the `(` of line 4, column 13");
}

#[test]
fn depth_is_limited_and_the_limit_is_safe() {
    let nested = |open: &str, n: usize, close: &str| format!("(FPCore (x) {}x{})", open.repeat(n), close.repeat(n));
    // Within the limit everything has to get by with the stack of a test's thread.
    let forms = [
        ("(- ", ")", 398),
        ("(+ 1 x ", ")", 398),
        ("(if TRUE 1 ", ")", 398),
        ("(! :precision real ", ")", 398),
        ("(cast ", ")", 398),
        ("(let ([x 1]) ", ")", 395),
        ("(let* ([x ", "]) x)", 132),
        ("(if (< (- 1) ", ") 1 2)", 199),
        ("#", "", 390),
    ];
    for (open, close, n) in forms {
        let text = nested(open, n, close);
        let deep = core(&text);
        assert!(same_core(&deep, &core(&deep.to_string())), "{open}");
        let spec = resolve(&parse_file(text.as_bytes()), 0, "f", &Overrides::default()).unwrap();
        assert!(same_core(&spec.to_core().clone(), &core(&spec.to_core().to_string())), "{open}");
        assert_eq!(errors(&nested(open, 401, close))[0].message, "brackets are nested more than 400 deep");
    }
    let pre = format!("(FPCore (x) :pre {}(< x 1){} x)", "(and (not (or ".repeat(130), ")))".repeat(130));
    let spec = resolve(&parse_file(pre.as_bytes()), 0, "f", &Overrides::default()).unwrap();
    assert_eq!(spec.inputs[0].range.to_string(), "(-inf, 1)");
    for text in [
        "(".repeat(1 << 20),
        "[(".repeat(1 << 19),
        "#".repeat(1 << 20),
        ")".repeat(1 << 20),
        "(]".repeat(1 << 19),
        "(FPCore \n".repeat(1 << 17),
    ] {
        let found = errors(&text);
        assert!(!found.is_empty() && found.len() <= 60, "{}", found.len());
    }
    assert!(parse_file("(FPCore f (x) x)\n".repeat(60_000).as_bytes()).cores.iter().all(Result::is_ok));
    let wide = format!("(FPCore (x) (+ {}))", "x ".repeat(100_000));
    assert!(errors(&wide).is_empty());
}

#[test]
fn what_is_no_text_is_refused() {
    assert_eq!(errors("").len(), 0);
    let file = parse_file(b"(FPCore (x) x)\n\xff\xfe");
    assert_eq!(file.diagnostics[0].message, "this is not a text file: byte 15 is not part of UTF-8 text");
    assert_eq!(errors("int main(void) { return 0; } // { \n void f();").len(), 1);
}

#[test]
fn types_are_checked() {
    for text in ["(+ x TRUE)", "(if x 1 2)", "(if (< x 1) 1 TRUE)", "(and x TRUE)", "(sqrt (< x y))", "(< (< x y) z)"] {
        let found = errors(&format!("(FPCore (x y z) {text})"));
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].message.starts_with("expected a "), "{}", found[0].message);
    }
    for text in ["(let ([b (< x y)]) (if b x y))", "(if (if TRUE FALSE (not (isnan x))) 1 2)", "(< x)", "(and)"] {
        assert!(errors(&format!("(FPCore (x y z) {text})")).is_empty(), "{text}");
    }
}

#[test]
fn printing_wraps_long_lines() {
    let text = core(
        "(FPCore f (x y) :name \"n\" :pre (and (<= -100000000000 x 100000000000) (<= -100000000000 y 100000000000) (< x y)) \
         (let* ([aaaaaaaaaa (+ (* x x) (* y y))] [bbbbbbbbbbbbb (sqrt (+ aaaaaaaaaa 1))]) (if (< aaaaaaaaaa 1) bbbbbbbbbbbbb \
         (/ bbbbbbbbbbbbb (+ 1 bbbbbbbbbbbbb)))))",
    )
    .to_string();
    let expected = r#"(FPCore f (x y)
 :name "n"
 :pre (and (<= -100000000000 x 100000000000) (<= -100000000000 y 100000000000) (< x y))
 (let* ([aaaaaaaaaa (+ (* x x) (* y y))]
        [bbbbbbbbbbbbb (sqrt (+ aaaaaaaaaa 1))])
   (if (< aaaaaaaaaa 1) bbbbbbbbbbbbb (/ bbbbbbbbbbbbb (+ 1 bbbbbbbbbbbbb)))))"#;
    assert_eq!(text, expected);
}
