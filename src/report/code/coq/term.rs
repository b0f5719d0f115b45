//! Formulas as terms of Coq over its real numbers, with what has to hold for a value.
//!
//! Coq's functions are total, so that a term alone says nothing of where the formula has a value.

use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::spec::core::{Expr, ExprKind};

/// The largest exponent that is written as a power.
const LARGEST: u32 = 512;

/// A formula.
pub(super) struct Term {
    /// Its value.
    pub(super) value: String,
    /// What has to hold of the inputs; nothing for a formula that has a value everywhere.
    pub(super) defined: Vec<String>,
}

/// What formulas bind: names with the identifiers that stand for them.
pub(super) struct Names {
    scope: Vec<(String, String)>,
    bound: usize,
}

/// A rational number, exactly.
pub(super) fn number(x: &Rational) -> String {
    let sign = if *x < 0 { "-" } else { "" };
    let (top, bottom) = (x.numer().clone().abs(), x.denom());
    match *bottom == 1 {
        true => format!("({sign}{top})"),
        false => format!("({sign}{top} / {bottom})"),
    }
}

impl Names {
    /// Of inputs with their identifiers.
    pub(super) fn new(inputs: &[(String, String)]) -> Self {
        Names { scope: inputs.to_vec(), bound: 0 }
    }

    /// An expression as a term, or what it has that Coq's Interval does not know.
    pub(super) fn term(&mut self, e: &Expr) -> Result<Term, String> {
        let plain = |value: String| Ok(Term { value, defined: Vec::new() });
        match &e.kind {
            ExprKind::Number(n) => plain(number(&n.value)),
            ExprKind::Var(name) => match self.scope.iter().rev().find(|(own, _)| own == name) {
                Some((_, ident)) => plain(ident.clone()),
                None => Err(format!("the name `{name}`")),
            },
            ExprKind::Constant(c) => plain(constant(*c)?.to_owned()),
            ExprKind::Op(op, operands) => self.operation(*op, operands),
            ExprKind::Let { sequential, bindings, body } => self.bound(*sequential, bindings, body),
            ExprKind::If(_) => Err("a choice (`if`)".to_owned()),
            _ => Err("a part that is no operation on numbers".to_owned()),
        }
    }

    fn bound(&mut self, sequential: bool, bindings: &[(String, Expr)], body: &Expr) -> Result<Term, String> {
        let outer = self.scope.len();
        let (mut lets, mut defined, mut inner) = (String::new(), Vec::new(), Vec::new());
        for (name, value) in bindings {
            let Term { value, defined: needs } = self.term(value)?;
            let seen = if sequential { lets.as_str() } else { "" };
            defined.extend(needs.into_iter().map(|need| within(seen, &need)));
            self.bound += 1;
            let ident = format!("b{}", self.bound);
            lets += &format!("let {ident} := {value} in ");
            match sequential {
                true => self.scope.push((name.clone(), ident)),
                false => inner.push((name.clone(), ident)),
            }
        }
        self.scope.append(&mut inner);
        let of = self.term(body)?;
        self.scope.truncate(outer);
        defined.extend(of.defined.iter().map(|need| within(&lets, need)));
        Ok(Term { value: within(&lets, &of.value), defined })
    }

    fn operation(&mut self, op: Op, operands: &[Expr]) -> Result<Term, String> {
        let mut defined = Vec::new();
        if let (Op::Pow, [base, exponent]) = (op, operands) {
            let Term { value, defined } = self.term(base)?;
            return power(value, defined, exponent);
        }
        let mut terms = Vec::new();
        for operand in operands {
            let Term { value, defined: needs } = self.term(operand)?;
            defined.extend(needs);
            terms.push(value);
        }
        let joined = |sign: &str| format!("({})", terms.join(sign));
        let value = match (op, &terms[..]) {
            (Op::Neg, [a]) => format!("(- {a})"),
            (Op::Add, _) => joined(" + "),
            (Op::Sub, _) => joined(" - "),
            (Op::Mul, _) => joined(" * "),
            (Op::Div, [_, divisors @ ..]) => {
                defined.extend(divisors.iter().map(|d| format!("{d} <> 0")));
                joined(" / ")
            }
            (Op::Fma, [a, b, c]) => format!("({a} * {b} + {c})"),
            (Op::Fabs, [a]) => format!("(Rabs {a})"),
            (Op::Hypot, [a, b]) => format!("(sqrt ({a} * {a} + {b} * {b}))"),
            (Op::Sqrt, [a]) => {
                defined.push(format!("0 <= {a}"));
                format!("(sqrt {a})")
            }
            (Op::Exp, [a]) => format!("(exp {a})"),
            (Op::Exp2, [a]) => format!("(exp ({a} * ln 2))"),
            (Op::Expm1, [a]) => format!("(exp {a} - 1)"),
            (Op::Log, [a]) => logarithm(a, "", &mut defined),
            (Op::Log2, [a]) => logarithm(a, " / ln 2", &mut defined),
            (Op::Log10, [a]) => logarithm(a, " / ln 10", &mut defined),
            (Op::Log1p, [a]) => logarithm(&format!("(1 + {a})"), "", &mut defined),
            (Op::Sin, [a]) => format!("(sin {a})"),
            (Op::Cos, [a]) => format!("(cos {a})"),
            (Op::Tan, [a]) => {
                defined.push(format!("cos {a} <> 0"));
                format!("(tan {a})")
            }
            (Op::Atan, [a]) => format!("(atan {a})"),
            (Op::Sinh, [a]) => format!("((exp {a} - exp (- {a})) / 2)"),
            (Op::Cosh, [a]) => format!("((exp {a} + exp (- {a})) / 2)"),
            (Op::Tanh, [a]) => format!("((exp {a} - exp (- {a})) / (exp {a} + exp (- {a})))"),
            _ => return Err(format!("the operator `{}`", op.name())),
        };
        Ok(Term { value, defined })
    }
}

fn within(lets: &str, text: &str) -> String {
    if lets.is_empty() { text.to_owned() } else { format!("({lets}{text})") }
}

fn logarithm(of: &str, by: &str, defined: &mut Vec<String>) -> String {
    defined.push(format!("0 < {of}"));
    format!("(ln {of}{by})")
}

/// A power with a whole exponent that is written out.
fn power(base: String, mut defined: Vec<String>, exponent: &Expr) -> Result<Term, String> {
    let written = match &exponent.kind {
        ExprKind::Number(n) => Some(n.value.clone()),
        ExprKind::Op(Op::Neg, of) => match &of[0].kind {
            ExprKind::Number(n) => Some(Rational::from(-&n.value)),
            _ => None,
        },
        _ => None,
    };
    let whole = written.filter(|n| *n.denom() == 1 && n.clone().abs() <= LARGEST);
    let Some(n) = whole else { return Err("a power whose exponent is no small whole number".to_owned()) };
    let raised = format!("({base} ^ {})", n.numer().clone().abs());
    let value = if n < 0 {
        defined.push(format!("{base} <> 0"));
        format!("(/ {raised})")
    } else {
        raised
    };
    Ok(Term { value, defined })
}

fn constant(c: Constant) -> Result<&'static str, String> {
    Ok(match c {
        Constant::Pi => "PI",
        Constant::Pi2 => "(PI / 2)",
        Constant::Pi4 => "(PI / 4)",
        Constant::InvPi => "(1 / PI)",
        Constant::TwoInvPi => "(2 / PI)",
        Constant::E => "(exp 1)",
        Constant::Ln2 => "(ln 2)",
        Constant::Ln10 => "(ln 10)",
        Constant::Sqrt2 => "(sqrt 2)",
        Constant::Sqrt1_2 => "(/ sqrt 2)",
        _ => return Err(format!("the constant `{}`", c.name())),
    })
}
