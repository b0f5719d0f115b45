//! The laws: pairs of expressions that are one partial function of their variables, or are where a condition holds.
//!
//! A law says that at every point at which its condition holds, either both sides have a value and it is the same, or
//! neither has one. That definedness is part of it is what makes a law usable inside any expression. The identities
//! are those of the NIST Digital Library of Mathematical Functions: chapter 4 (elementary functions: 4.16, 4.21, 4.23,
//! 4.24, 4.35, 4.37, 4.38), chapter 5 (5.5, recurrences of the gamma function); the others follow from the definitions.

use super::expr::{Expr, Head};
use crate::num::Interval;
use crate::num::Ternary;
use crate::ops::{Constant, Op};
use crate::spec::parse_rational;
use crate::tape::eval::Boxes;
use crate::tape::{Builder, NodeId, Tape, evaluate};
use std::iter::Peekable;
use std::sync::LazyLock;

/// A law, ready to be matched: the variables are the inputs of its expressions.
pub(super) struct Law {
    /// For a reader, and unique.
    pub(super) name: String,
    /// The names of the variables.
    pub(super) names: Vec<String>,
    /// One side.
    pub(super) left: Expr,
    /// The other side.
    pub(super) right: Expr,
    /// What has to hold on the whole domain where the variables have values; none if it always does.
    pub(super) when: Option<Condition>,
    /// Variables that must have a value on the whole domain: those of one side only, and those that only one side needs.
    pub(super) needed: Vec<usize>,
}

/// A side condition.
pub(super) struct Condition {
    tape: Tape,
    root: NodeId,
    /// As an expression of the variables.
    pub(super) expr: Expr,
}

impl Condition {
    /// Whether it surely holds for all values of the variables in these intervals.
    pub(super) fn holds(&self, variables: &[Interval]) -> bool {
        let mut values = Vec::new();
        evaluate(&self.tape, &mut Boxes { inputs: variables }, &mut values);
        let value = &values[self.root.index()];
        value.def == Ternary::True && value.as_truth().is_true()
    }
}

/// Name, variables, condition (empty: always; `defined x`: that a variable has a value), both sides.
type Row<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str);

#[rustfmt::skip]
const ROWS: &[Row<'static>] = &[
    // Order of operands.
    ("a sum commutes", "x y", "", "(+ x y)", "(+ y x)"),
    ("a product commutes", "x y", "", "(* x y)", "(* y x)"),
    ("a maximum commutes", "x y", "", "(fmax x y)", "(fmax y x)"),
    ("a minimum commutes", "x y", "", "(fmin x y)", "(fmin y x)"),
    ("maxima associate", "x y z", "", "(fmax x (fmax y z))", "(fmax (fmax x y) z)"),
    ("minima associate", "x y z", "", "(fmin x (fmin y z))", "(fmin (fmin x y) z)"),
    ("a minimum distributes", "x y z", "", "(fmin x (fmax y z))", "(fmax (fmin x y) (fmin x z))"),
    ("a maximum distributes", "x y z", "", "(fmax x (fmin y z))", "(fmin (fmax x y) (fmax x z))"),
    // Hyperbolic functions and their inverses.
    ("acosh of cosh", "x", "", "(acosh (cosh x))", "(fabs x)"),
    ("cosh of acosh", "x", "(<= 1 x)", "(cosh (acosh x))", "x"),
    ("cosh of asinh", "x", "", "(cosh (asinh x))", "(sqrt (+ 1 (* x x)))"),
    ("sinh of acosh", "x", "(<= 0 x)", "(sinh (acosh x))", "(sqrt (- (* x x) 1))"),
    ("tanh of asinh", "x", "", "(tanh (asinh x))", "(/ x (sqrt (+ 1 (* x x))))"),
    ("asinh as a logarithm", "x", "", "(asinh x)", "(log (+ x (sqrt (+ (* x x) 1))))"),
    ("acosh as a logarithm", "x", "", "(acosh x)", "(log (+ x (sqrt (- (* x x) 1))))"),
    ("Gudermann's function by asin", "x", "", "(atan (sinh x))", "(asin (tanh x))"),
    ("Gudermann's function by tanh", "x", "", "(atan (sinh x))", "(* 2 (atan (tanh (/ x 2))))"),
    // Circular functions and their inverses.
    ("cos of asin", "x", "", "(cos (asin x))", "(sqrt (- 1 (* x x)))"),
    ("sin of acos", "x", "", "(sin (acos x))", "(sqrt (- 1 (* x x)))"),
    ("tan of asin", "x", "", "(tan (asin x))", "(/ x (sqrt (- 1 (* x x))))"),
    ("tan of acos", "x", "", "(tan (acos x))", "(/ (sqrt (- 1 (* x x))) x)"),
    ("the magnitude of a sine", "x", "", "(sqrt (- 1 (* (cos x) (cos x))))", "(fabs (sin x))"),
    ("the magnitude of a cosine", "x", "", "(sqrt (- 1 (* (sin x) (sin x))))", "(fabs (cos x))"),
    ("asin as an atan", "x", "(and (< -1 x) (< x 1))", "(asin x)", "(atan (/ x (sqrt (- 1 (* x x)))))"),
    ("acos by half the angle", "x", "", "(acos x)", "(* 2 (asin (sqrt (/ (- 1 x) 2))))"),
    ("acos as an atan", "x", "(< -1 x)", "(acos x)", "(* 2 (atan (sqrt (/ (- 1 x) (+ 1 x)))))"),
    ("atan of a reciprocal, both positive", "x y", "(and (< 0 x) (< 0 y))", "(atan (/ x y))", "(- PI_2 (atan (/ y x)))"),
    ("atan of a reciprocal, both negative", "x y", "(and (< x 0) (< y 0))", "(atan (/ x y))", "(- PI_2 (atan (/ y x)))"),
    ("atan of a reciprocal, negative numerator", "x y", "(and (< x 0) (< 0 y))", "(atan (/ x y))", "(- (- PI_2) (atan (/ y x)))"),
    ("atan of a reciprocal, negative denominator", "x y", "(and (< 0 x) (< y 0))", "(atan (/ x y))", "(- (- PI_2) (atan (/ y x)))"),
    ("atan2 to the right", "x y", "(< 0 x)", "(atan2 y x)", "(atan (/ y x))"),
    ("atan2 above", "x y", "(< 0 y)", "(atan2 y x)", "(- PI_2 (atan (/ x y)))"),
    ("atan2 below", "x y", "(< y 0)", "(atan2 y x)", "(- (- PI_2) (atan (/ x y)))"),
    ("atan2 to the upper left", "x y", "(and (< x 0) (<= 0 y))", "(atan2 y x)", "(+ (atan (/ y x)) PI)"),
    ("atan2 to the lower left", "x y", "(and (< x 0) (< y 0))", "(atan2 y x)", "(- (atan (/ y x)) PI)"),
    ("sine of a sum", "x y", "", "(sin (+ x y))", "(+ (* (sin x) (cos y)) (* (cos x) (sin y)))"),
    ("sine of a difference", "x y", "", "(sin (- x y))", "(- (* (sin x) (cos y)) (* (cos x) (sin y)))"),
    ("cosine of a sum", "x y", "", "(cos (+ x y))", "(- (* (cos x) (cos y)) (* (sin x) (sin y)))"),
    ("cosine of a difference", "x y", "", "(cos (- x y))", "(+ (* (cos x) (cos y)) (* (sin x) (sin y)))"),
    ("sine of the double angle", "x", "", "(sin (* 2 x))", "(* 2 (* (sin x) (cos x)))"),
    ("cosine of the double angle", "x", "", "(cos (* 2 x))", "(- 1 (* 2 (* (sin x) (sin x))))"),
    ("sine of the triple angle", "x", "", "(sin (* 3 x))", "(- (* 3 (sin x)) (* 4 (* (sin x) (* (sin x) (sin x)))))"),
    ("cosine of the triple angle", "x", "", "(cos (* 3 x))", "(- (* 4 (* (cos x) (* (cos x) (cos x)))) (* 3 (cos x)))"),
    ("tangent of half the angle", "x", "", "(tan (/ x 2))", "(/ (sin x) (+ 1 (cos x)))"),
    // The gamma function.
    ("gamma of the next number", "x", "(< 0 x)", "(tgamma (+ x 1))", "(* x (tgamma x))"),
    ("log-gamma of the next number", "x", "(< 0 x)", "(lgamma (+ x 1))", "(+ (log x) (lgamma x))"),
    ("log-gamma by gamma", "x", "(< 0 x)", "(lgamma x)", "(log (tgamma x))"),
    ("gamma by log-gamma", "x", "(< 0 x)", "(tgamma x)", "(exp (lgamma x))"),
    // Choices.
    ("the smaller one, chosen", "x y", "", "(if (< x y) x y)", "(fmin x y)"),
    ("the smaller one, chosen where equal", "x y", "", "(if (<= x y) x y)", "(fmin x y)"),
    ("the larger one, chosen", "x y", "", "(if (< x y) y x)", "(fmax x y)"),
    ("the larger one, chosen where equal", "x y", "", "(if (<= x y) y x)", "(fmax x y)"),
    ("the magnitude, chosen", "x", "", "(if (< x 0) (- x) x)", "(fabs x)"),
    ("the magnitude, chosen where zero", "x", "", "(if (<= x 0) (- x) x)", "(fabs x)"),
    ("the magnitude, chosen by positive", "x", "", "(if (< 0 x) x (- x))", "(fabs x)"),
    ("the magnitude, chosen by not negative", "x", "", "(if (<= 0 x) x (- x))", "(fabs x)"),
    ("both branches the same", "c x", "", "(if c x x)", "x"),
    ("a negated condition", "c x y", "", "(if (not c) x y)", "(if c y x)"),
    ("the condition again, then", "c x y z", "", "(if c (if c x y) z)", "(if c x z)"),
    ("the condition again, else", "c x y z", "", "(if c x (if c y z))", "(if c x z)"),
    ("nested conditions", "c d x y", "defined d", "(if c (if d x y) y)", "(if (and c d) x y)"),
    ("alternative conditions", "c d x y", "defined d", "(if c x (if d x y))", "(if (or c d) x y)"),
    ("not below is above or equal", "x y", "", "(not (< x y))", "(<= y x)"),
    ("not above is below or equal", "x y", "", "(not (<= x y))", "(< y x)"),
    ("a larger operand of a maximum", "x y", "(<= x y)", "(fmax x y)", "y"),
    ("a smaller operand of a minimum", "x y", "(<= x y)", "(fmin x y)", "x"),
    // Remainders, signs.
    ("a remainder by its quotient", "x y", "", "(fmod x y)", "(- x (* y (trunc (/ x y))))"),
    ("a nearest remainder by its quotient", "x y", "", "(remainder x y)", "(- x (* y (nearbyint (/ x y))))"),
    ("a remainder of a remainder", "x y", "", "(fmod (fmod x y) y)", "(fmod x y)"),
    ("a remainder of less", "x y", "(and (<= 0 x) (< x y))", "(fmod x y)", "x"),
    ("the magnitude of a remainder", "x y", "", "(fabs (fmod x y))", "(fmod (fabs x) y)"),
    ("the sign twice", "x y z", "", "(copysign (copysign x y) z)", "(copysign x z)"),
    ("the sign again", "x y", "", "(copysign (copysign x y) y)", "(copysign x y)"),
    ("the magnitude with a sign", "x y", "", "(fabs (copysign x y))", "(fabs x)"),
];

/// Functions that are defined everywhere and do not decrease.
const INCREASING: &[Op] = &[
    Op::Exp,
    Op::Exp2,
    Op::Expm1,
    Op::Cbrt,
    Op::Atan,
    Op::Sinh,
    Op::Tanh,
    Op::Asinh,
    Op::Erf,
    Op::Floor,
    Op::Ceil,
    Op::Trunc,
    Op::Round,
    Op::Nearbyint,
];

/// Functions that increase where they are defined, and where that is.
const INCREASING_WHERE: &[(Op, &str)] = &[
    (Op::Log, "(and (< 0 x) (< 0 y))"),
    (Op::Log2, "(and (< 0 x) (< 0 y))"),
    (Op::Log10, "(and (< 0 x) (< 0 y))"),
    (Op::Log1p, "(and (< -1 x) (< -1 y))"),
    (Op::Sqrt, "(and (<= 0 x) (<= 0 y))"),
    (Op::Asin, "(and (and (<= -1 x) (<= x 1)) (and (<= -1 y) (<= y 1)))"),
    (Op::Acosh, "(and (<= 1 x) (<= 1 y))"),
    (Op::Atanh, "(and (and (< -1 x) (< x 1)) (and (< -1 y) (< y 1)))"),
    (Op::Cosh, "(and (<= 0 x) (<= 0 y))"),
    (Op::Fabs, "(and (<= 0 x) (<= 0 y))"),
];

/// Functions with values among the integers.
const ROUNDING: &[Op] = &[Op::Floor, Op::Ceil, Op::Trunc, Op::Round, Op::Nearbyint];

/// Arithmetic into which a choice is taken.
const ARITHMETIC: &[Op] = &[Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Pow];

/// How much a head costs in an expression: least what normal forms know most of, arithmetic and few and common functions.
pub(super) fn weight(head: &Head) -> u64 {
    match head {
        Head::Op(Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Div | Op::Fma | Op::Fmin | Op::Fmax | Op::Fabs) => 1,
        Head::Op(Op::Exp | Op::Log | Op::Sqrt) => 3,
        Head::Op(Op::Sin | Op::Cos | Op::Tan | Op::Asin | Op::Acos | Op::Atan | Op::Floor) => 5,
        Head::Op(_) | Head::If => 40,
        _ => 1,
    }
}

/// All laws.
pub(super) static LAWS: LazyLock<Vec<Law>> = LazyLock::new(|| {
    let mut laws: Vec<Law> = ROWS.iter().map(|row| law(*row)).collect();
    let everywhere = INCREASING.iter().map(|op| (*op, ""));
    for (op, when) in everywhere.chain(INCREASING_WHERE.iter().copied()) {
        let op = op.name();
        for (of, name) in [("fmax", "maximum"), ("fmin", "minimum")] {
            let (left, right) = (format!("({op} ({of} x y))"), format!("({of} ({op} x) ({op} y))"));
            laws.push(law((&format!("{op} of a {name}"), "x y", when, &left, &right)));
        }
    }
    for outer in ROUNDING {
        for inner in ROUNDING {
            let (outer, inner) = (outer.name(), inner.name());
            let (name, left) = (format!("{outer} of {inner}"), format!("({outer} ({inner} x))"));
            laws.push(law((&name, "x", "", &left, &format!("({inner} x)"))));
        }
    }
    for op in Op::ALL.iter().filter(|op| op.arity() == 1) {
        let (left, right) = (format!("({} (if c x y))", op.name()), format!("(if c ({0} x) ({0} y))", op.name()));
        let shown = if *op == Op::Neg { "negation" } else { op.name() };
        laws.push(law((&format!("{shown} of a choice"), "c x y", "", &left, &right)));
    }
    for op in ARITHMETIC {
        let op = op.name();
        let (left, right) = (format!("({op} (if c x y) z)"), format!("(if c ({op} x z) ({op} y z))"));
        laws.push(law((&format!("{op} after a choice"), "c x y z", "", &left, &right)));
        let (left, right) = (format!("({op} z (if c x y))"), format!("(if c ({op} z x) ({op} z y))"));
        laws.push(law((&format!("{op} before a choice"), "c x y z", "", &left, &right)));
    }
    laws
});

/// A law from its row. The rows are the program's own, so that what cannot be read is a mistake in it; a test reads all.
fn law((name, variables, when, left, right): Row<'_>) -> Law {
    let names: Vec<String> = variables.split(' ').map(str::to_owned).collect();
    let read = |text: &str| read(text, &names).expect(text);
    let (left, right) = (read(left), read(right));
    let mut needed: Vec<usize> = (0..names.len()).filter(|i| left.uses(*i) != right.uses(*i)).collect();
    let defined = when.strip_prefix("defined ");
    needed.extend(defined.and_then(|v| names.iter().position(|n| n == v)));
    let when = (!when.is_empty() && defined.is_none()).then(|| {
        let (expr, mut builder) = (read(when), Builder::new(names.len()));
        let root = expr.build(&mut builder);
        Condition { expr, tape: builder.finish(), root }
    });
    Law { name: name.to_owned(), names, left, right, when, needed }
}

/// Read an expression in variables with these names.
pub(super) fn read(text: &str, names: &[String]) -> Option<Expr> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut tokens = spaced.split_whitespace().peekable();
    expression(&mut tokens, names).filter(|_| tokens.next().is_none())
}

/// Read an expression. Unlike in a specification, a variable may stand for a condition.
fn expression<'t>(tokens: &mut Peekable<impl Iterator<Item = &'t str>>, names: &[String]) -> Option<Expr> {
    let token = tokens.next()?;
    if token != "(" {
        let variable = names.iter().position(|n| n == token).map(|i| Head::Var(i as u32));
        let constant = || Constant::ALL.iter().find(|c| c.name() == token).map(|c| Head::Named(*c));
        let head = variable.or_else(constant).or_else(|| parse_rational(token).ok().map(Head::Number))?;
        return Some(Expr { head, args: Vec::new() });
    }
    let name = tokens.next()?;
    let mut args = Vec::new();
    while *tokens.peek()? != ")" {
        args.push(expression(tokens, names)?);
    }
    tokens.next();
    let head = match name {
        "<" => Head::Less,
        "<=" => Head::LessEq,
        "and" => Head::And,
        "or" => Head::Or,
        "not" => Head::Not,
        "if" => Head::If,
        name => Head::Op(Op::from_fpcore(name, args.len())?),
    };
    Some(Expr { head, args })
}

/// The node of an expression that [`super::expr::text_of`] wrote.
pub(in crate::equiv) fn expression_of(text: &str, names: &[String], b: &mut Builder) -> Option<NodeId> {
    Some(read(text, names)?.build(b))
}
