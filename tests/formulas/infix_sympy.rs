//! What SymPy prints: the FPCore that each expression is, and what is refused.

use magneto::infix::{Notation, read};
use magneto::text::line_column;

/// A text, and the FPCore that a person would write.
const RIGHT: &[(&str, &str)] = &[
    ("m*v**2/2", "(/ (* m (pow v 2)) 2)"),
    ("Mul(Rational(1, 2), Symbol('m'), Pow(Symbol('v'), Integer(2)))", "(/ (* m (pow v 2)) 2)"),
    ("sqrt(2)*sqrt(dp*rho)/(1 - b**4)", "(/ (* (sqrt 2) (sqrt (* dp rho))) (- 1 (pow b 4)))"),
    (
        "Mul(Pow(Integer(2), Rational(1, 2)), Pow(Mul(Symbol('dp'), Symbol('rho')), Rational(1, 2)), \
         Pow(Add(Integer(1), Mul(Integer(-1), Pow(Symbol('b'), Integer(4)))), Integer(-1)))",
        "(/ (* (sqrt 2) (sqrt (* dp rho))) (- 1 (pow b 4)))",
    ),
    (
        "Add(Pow(Symbol('x'), Integer(2)), Mul(Integer(-1), Integer(2), Symbol('x')), Integer(1))",
        "(+ (- (pow x 2) (* 2 x)) 1)",
    ),
    ("Mul(Rational(-3, 2), Symbol('x', positive=True))", "(- (/ (* 3 x) 2))"),
    ("Mul(Float('2.5', precision=53), pi, Symbol('x'))", "(* 2.5 PI x)"),
    ("Pow(Add(Symbol('x'), Symbol('y')), Rational(-1, 2))", "(/ 1 (sqrt (+ x y)))"),
    ("Pow(Symbol('x'), Rational(2, 3))", "(pow x (/ 2 3))"),
    ("Mul(Symbol('x'), Pow(Add(Symbol('y'), Integer(1)), Integer(-2)))", "(/ x (pow (+ y 1) 2))"),
    ("exp(-x**2/2)/sqrt(2*pi)", "(/ (exp (/ (- (pow x 2)) 2)) (sqrt (* 2 PI)))"),
    ("sp.Abs(x - y) + sympy.sqrt(x)", "(+ (fabs (- x y)) (sqrt x))"),
    ("Max(0, x, y)", "(fmax (fmax 0 x) y)"),
    ("log(x, 2) + log(y)", "(+ (log2 x) (log y))"),
    ("Piecewise((x, x > 0), (-x, True))", "(if (> x 0) x (- x))"),
    (
        "Piecewise(ExprCondPair(Symbol('x'), StrictGreaterThan(Symbol('x'), Integer(0))), ExprCondPair(Integer(0), true))",
        "(if (> x 0) x 0)",
    ),
    (
        "Piecewise((0, (x < 0) & (y < 1)), (1, Or(y <= 3, ~(x > 2))), (2, True))",
        "(if (and (< x 0) (< y 1)) 0 (if (or (<= y 3) (not (> x 2))) 1 2))",
    ),
    ("S(1)/3 + S.Half*x + Rational(1, 4)", "(+ (/ 1 3) (* (/ 1 2) x) (/ 1 4))"),
    ("E*exp(x)", "(* E (exp x))"),
    ("gamma(x + 1)*Mod(x, y)", "(* (tgamma (+ x 1)) (- x (* y (floor (/ x y)))))"),
    ("v = x/t", "(/ x t)"),
    ("x: [0, 1] -> ceiling(x)", "(ceil x)"),
    ("Symbol('E')*E", "(* E (exp 1))"),
];

/// A text that is refused, the column, and a part of message and hint.
const WRONG: &[(&str, usize, &str)] = &[
    ("x^2", 2, "**"),
    ("I*x", 1, "imaginary"),
    ("Integral(x, x)", 1, "no function of numbers"),
    ("Piecewise((x, x > 0), (0, x < 0))", 33, "`(0, True)`"),
    ("Symbol('x y')", 8, "no name of an input"),
    ("Symbol(x)", 8, "name of a symbol"),
    ("Symbol('x", 8, "never closed"),
    ("fabs(x)", 1, "unknown function"),
    ("Pow(x)", 1, "other arguments"),
    ("nan", 1, "no number"),
];

#[test]
fn what_sympy_prints_is_what_a_person_would_write() {
    let mut wrong = Vec::new();
    for (text, expected) in RIGHT {
        match read(text, Notation::Sympy) {
            Ok(reading) if reading.core.body.to_string() == *expected => {}
            Ok(reading) => wrong.push(format!("{text}: {} and not {expected}", reading.core.body)),
            Err(d) => wrong.push(format!("{text}: {}", d.render("formula", text.as_bytes()))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_sympy_has_and_formulas_have_not_is_refused_at_its_place() {
    let mut wrong = Vec::new();
    for (text, column, says) in WRONG {
        match read(text, Notation::Sympy) {
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
