//! What is read, put together as expressions of FPCore, with everything refused that is no number or has two readings.

use super::constants::{self, Named};
use super::functions::{self, Function};
use super::operators::Infix;
use super::template::filled;
use super::{Assumption, Notation};
use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::spec::core::{Compare, Expr, ExprKind, Number};
use crate::spec::{MAX_DEPTH, parse_file};
use crate::text::{Diagnostic, Span, nearest, quote};

/// The deepest nesting of a formula: as FPCore it is still read.
const DEEPEST: usize = MAX_DEPTH - 10;

/// What a part of a formula is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Real,
    /// One of C's integers, with its value where it is known: what is divided there loses its fraction.
    Whole(Option<Rational>),
    Condition,
}

/// A part of a formula.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) expr: Expr,
    pub(super) kind: Kind,
    /// Whether it stands in brackets.
    pub(super) grouped: bool,
}

impl Part {
    pub(super) fn span(&self) -> Span {
        self.expr.span
    }
}

/// The result of reading a part.
pub(super) type Read = Result<Part, Diagnostic>;

/// The largest `int` of C is one less.
pub(super) const INT: u64 = 1 << 31;

/// A formula that is being read.
pub(super) struct Build {
    pub(super) notation: Notation,
    declared: usize,
    pub(super) inputs: Vec<String>,
    /// Those of them that are declared integers.
    pub(super) integers: Vec<String>,
    pub(super) assumptions: Vec<Assumption>,
}

impl Build {
    pub(super) fn new(notation: Notation, declared: &[String]) -> Self {
        let (inputs, declared) = (declared.to_vec(), declared.len());
        Build { notation, declared, inputs, integers: Vec::new(), assumptions: Vec::new() }
    }

    pub(super) fn assume(&mut self, span: Span, says: impl Into<String>) {
        let assumption = Assumption { span, says: says.into() };
        if !self.assumptions.iter().any(|a| a.says == assumption.says) {
            self.assumptions.push(assumption);
        }
    }

    pub(super) fn is_declared(&self, name: &str) -> bool {
        self.inputs[..self.declared].iter().any(|i| i == name)
    }

    /// A part that is a number.
    pub(super) fn real(expr: Expr) -> Part {
        Part { expr, kind: Kind::Real, grouped: false }
    }

    pub(super) fn number(&mut self, text: &str, value: Rational, whole: bool, single: bool, span: Span) -> Part {
        if single && crate::floats::Format::BINARY32.nearest(value.to_f64()) != value.to_f64() {
            self.assume(span, format!("`{text}f` is the number {text} itself, and not the nearest float"));
        }
        let kind = if whole && self.notation == Notation::C { Kind::Whole(Some(value.clone())) } else { Kind::Real };
        let expr = Expr { kind: ExprKind::Number(Number { value, text: text.to_owned() }), span };
        Part { expr, kind, grouped: false }
    }

    /// What a name stands for that is not called.
    pub(super) fn name(&mut self, prefix: &str, name: &str, span: Span) -> Read {
        if prefix.is_empty() && self.is_declared(name) {
            return Ok(Self::real(Expr { kind: ExprKind::Var(name.to_owned()), span }));
        }
        match constants::named(prefix, name, self.notation) {
            Some(Named::Constant(constant)) => {
                if prefix.is_empty() && matches!(name, "pi" | "PI") && self.notation == Notation::C {
                    self.assume(span, format!("`{name}` is the number pi"));
                }
                Ok(Self::real(Expr { kind: ExprKind::Constant(constant), span }))
            }
            Some(Named::Formula(formula)) => self.template(formula, Vec::new(), span),
            Some(Named::Refused(why, hint)) => {
                Err(Diagnostic::semantic(span, format!("{} {why}", quote(name))).hint(hint))
            }
            None if !prefix.is_empty() => {
                let whole = format!("{prefix}{name}");
                let field = format!("{}_{name}", prefix.trim_end_matches(['.', ':']).replace(['.', ':'], "_"));
                let hint = if functions::function(prefix, name, self.notation).is_some() {
                    format!("it is a function: write `{whole}(x)`")
                } else {
                    format!("an input is a plain name, such as `{field}`")
                };
                Err(Diagnostic::semantic(span, format!("{} is no number that is known", quote(&whole))).hint(hint))
            }
            None => Ok(self.input(name, span)),
        }
    }

    /// An input.
    pub(super) fn input(&mut self, name: &str, span: Span) -> Part {
        if !self.inputs.iter().any(|i| i == name) {
            self.inputs.push(name.to_owned());
        }
        Self::real(Expr { kind: ExprKind::Var(name.to_owned()), span })
    }

    /// The number that a part is.
    pub(super) fn as_number(part: Part) -> Result<Expr, Diagnostic> {
        match part.kind {
            Kind::Condition => {
                let hint = "a condition stands before `?`, or in brackets with other conditions";
                Err(Diagnostic::semantic(part.expr.span, "this is a condition, and a number is needed").hint(hint))
            }
            _ => Ok(part.expr),
        }
    }

    /// The condition that a part is.
    pub(super) fn as_condition(part: Part) -> Result<Expr, Diagnostic> {
        match part.kind {
            Kind::Condition => Ok(part.expr),
            _ => Err(Diagnostic::semantic(part.expr.span, "this is a number, and a condition is needed")
                .hint("compare it, as in `x != 0`")),
        }
    }

    pub(super) fn negate(part: Part, span: Span) -> Read {
        let kind = match &part.kind {
            Kind::Whole(value) => Kind::Whole(value.clone().map(|v| -v)),
            kind => kind.clone(),
        };
        let grouped = part.grouped;
        let operand = Self::as_number(part)?;
        let expr = match operand.kind {
            ExprKind::Number(n) if !grouped && n.value > 0 => {
                ExprKind::Number(Number { value: -n.value, text: format!("-{}", n.text) })
            }
            kind => ExprKind::Op(Op::Neg, vec![Expr { kind, span: operand.span }]),
        };
        Ok(Part { expr: Expr { kind: expr, span }, kind, grouped: false })
    }

    pub(super) fn binary(&mut self, means: Infix, left: Part, right: Part) -> Read {
        let span = Span { start: left.span().start, end: right.span().end };
        // What is built up to here is dropped by recursion, too.
        if chain(&left.expr) > DEEPEST {
            return Err(too_deep(span));
        }
        let op = match means {
            Infix::Add => Op::Add,
            Infix::Sub => Op::Sub,
            Infix::Mul => Op::Mul,
            Infix::Div => Op::Div,
            Infix::Power => Op::Pow,
            Infix::Rest => Op::Fmod,
            Infix::Floored | Infix::Truncated => {
                let quotient = self.binary(Infix::Div, left, right)?;
                let op = if means == Infix::Floored { Op::Floor } else { Op::Trunc };
                return Ok(Self::real(Expr { kind: ExprKind::Op(op, vec![quotient.expr]), span }));
            }
            Infix::Modulo => {
                let operands = vec![Self::as_number(left)?, Self::as_number(right)?];
                return self.template("(- x (* y (floor (/ x y))))", operands, span);
            }
            Infix::And | Infix::Or => {
                let operands = vec![Self::as_condition(left)?, Self::as_condition(right)?];
                return Ok(Self::joined(means == Infix::And, operands, span));
            }
            Infix::Compare(_) | Infix::Refused(..) => return Err(Diagnostic::syntax(span, "this has no meaning here")),
        };
        let kind = Self::integer(op, &left, &right, span)?;
        let is_chain = !left.grouped && matches!(op, Op::Add | Op::Mul);
        let (left, right) = (Self::as_number(left)?, Self::as_number(right)?);
        let operands = match left.kind {
            ExprKind::Op(o, mut operands) if o == op && is_chain => {
                operands.push(right);
                operands
            }
            kind => vec![Expr { kind, span: left.span }, right],
        };
        Ok(Part { expr: Expr { kind: ExprKind::Op(op, operands), span }, kind, grouped: false })
    }

    /// Conditions that all hold, or one of which does.
    fn joined(all: bool, operands: Vec<Expr>, span: Span) -> Part {
        let mut flat = Vec::new();
        for operand in operands {
            match operand.kind {
                ExprKind::And(es) if all => flat.extend(es),
                ExprKind::Or(es) if !all => flat.extend(es),
                kind => flat.push(Expr { kind, span: operand.span }),
            }
        }
        let kind = if all { ExprKind::And(flat) } else { ExprKind::Or(flat) };
        Part { expr: Expr { kind, span }, kind: Kind::Condition, grouped: false }
    }

    /// What C makes of an operation of two integers.
    fn integer(op: Op, left: &Part, right: &Part, span: Span) -> Result<Kind, Diagnostic> {
        let (Kind::Whole(a), Kind::Whole(b)) = (&left.kind, &right.kind) else { return Ok(Kind::Real) };
        let value = match (op, a, b) {
            (Op::Div, Some(a), Some(b)) if !b.is_zero() && Rational::from(a / b).is_integer() => {
                Some(Rational::from(a / b))
            }
            (Op::Div, ..) => {
                let message = "a quotient of two integers loses its fraction in C";
                return Err(Diagnostic::semantic(span, message).hint("write one of them with a point, as in `1.0/2`"));
            }
            (Op::Add, Some(a), Some(b)) => Some(Rational::from(a + b)),
            (Op::Sub, Some(a), Some(b)) => Some(Rational::from(a - b)),
            (Op::Mul, Some(a), Some(b)) => Some(Rational::from(a * b)),
            _ => None,
        };
        let is_large = |v: &Rational| v.clone().abs() >= INT;
        let was_large = [a, b].into_iter().flatten().any(is_large);
        if value.as_ref().is_some_and(is_large) && !was_large {
            let message = "this is more than an int of C can be";
            return Err(
                Diagnostic::semantic(span, message).hint("write one of the numbers with a point, as in `1000.0`")
            );
        }
        Ok(Kind::Whole(value))
    }

    /// A chain of comparisons.
    pub(super) fn compared(&self, parts: Vec<Part>, relations: &[Compare]) -> Read {
        let operands = parts.into_iter().map(Self::as_number).collect::<Result<Vec<_>, _>>()?;
        let span = Span {
            start: operands.first().map_or(0, |e| e.span.start),
            end: operands.last().map_or(0, |e| e.span.end),
        };
        let one = |relation: Compare, operands: &[Expr]| {
            let span = Span {
                start: operands.first().map_or(0, |e| e.span.start),
                end: operands.last().map_or(0, |e| e.span.end),
            };
            Expr { kind: ExprKind::Compare(relation, operands.to_vec()), span }
        };
        let first = relations.first().copied().unwrap_or(Compare::Eq);
        // `!=` of several operands is that all are distinct, which a chain does not say.
        if relations.len() == 1 || first != Compare::Ne && relations.iter().all(|r| *r == first) {
            return Ok(Part { expr: one(first, &operands), kind: Kind::Condition, grouped: false });
        }
        let pairs = relations.iter().zip(operands.windows(2)).map(|(r, pair)| one(*r, pair)).collect();
        Ok(Self::joined(true, pairs, span))
    }

    pub(super) fn not(part: Part, span: Span) -> Read {
        let kind = ExprKind::Not(Box::new(Self::as_condition(part)?));
        Ok(Part { expr: Expr { kind, span }, kind: Kind::Condition, grouped: false })
    }

    pub(super) fn conditional(condition: Part, yes: Part, no: Part, span: Span) -> Read {
        let kind = match (&yes.kind, &no.kind) {
            (Kind::Whole(_), Kind::Whole(_)) => Kind::Whole(None),
            (Kind::Condition, Kind::Condition) => Kind::Condition,
            _ => Kind::Real,
        };
        let condition = Self::as_condition(condition)?;
        let (yes, no) = match kind {
            Kind::Condition => (yes.expr, no.expr),
            _ => (Self::as_number(yes)?, Self::as_number(no)?),
        };
        let expr = Expr { kind: ExprKind::If(Box::new([condition, yes, no])), span };
        Ok(Part { expr, kind, grouped: false })
    }

    pub(super) fn template(&self, formula: &str, arguments: Vec<Expr>, span: Span) -> Read {
        match filled(formula, arguments, span) {
            Some(expr) => Ok(Self::real(expr)),
            None => Err(Diagnostic::unsupported(span, format!("`{formula}` cannot be read"))),
        }
    }

    /// A call of a function of the notation.
    pub(super) fn call(&mut self, prefix: &str, name: &str, arguments: Vec<Part>, span: Span, head: Span) -> Read {
        let known = functions::is_prefix(prefix, self.notation);
        let found = if known { functions::function(prefix, name, self.notation) } else { None };
        let Some(function) = found else { return Err(self.unknown(prefix, name, head)) };
        let whole = self.notation == Notation::C && arguments.iter().all(|a| matches!(a.kind, Kind::Whole(_)));
        let count = |wanted: &str, fits: bool| {
            let given = arguments.len();
            let noun = if wanted == "1" { "argument" } else { "arguments" };
            let message = format!("{} takes {wanted} {noun}, not {given}", quote(name));
            if fits { Ok(()) } else { Err(Diagnostic::syntax(span, message)) }
        };
        let given = arguments.len();
        let atan = function == Function::Op(Op::Atan) && self.notation == Notation::Julia && given == 2;
        match function {
            Function::Refused(why, hint) => {
                return Err(Diagnostic::semantic(head, format!("{} {why}", quote(name))).hint(hint));
            }
            Function::Op(_) if atan => {}
            Function::Op(op) => count(&op.arity().to_string(), given == op.arity())?,
            Function::Fold(_) => count("2 or more", given >= 2)?,
            Function::Formula(_, n) => count(&n.to_string(), given == n)?,
            Function::Same | Function::Classify(_) => count("1", given == 1)?,
            Function::Log(_) => count("1 or 2", given == 1 || given == 2)?,
            Function::Choice => count("3", given == 3)?,
        }
        let mut arguments = arguments.into_iter();
        if function == Function::Choice
            && let (Some(c), Some(a), Some(b)) = (arguments.next(), arguments.next(), arguments.next())
        {
            return Self::conditional(c, a, b, span);
        }
        let mut operands = arguments.map(Self::as_number).collect::<Result<Vec<_>, _>>()?;
        let kind = match function {
            Function::Op(_) if atan => ExprKind::Op(Op::Atan2, operands),
            Function::Op(op) => {
                // Of an integer C++ has an integer as absolute value.
                let kind = if whole && prefix == "std::" && name == "abs" { Kind::Whole(None) } else { Kind::Real };
                return Ok(Part { expr: Expr { kind: ExprKind::Op(op, operands), span }, kind, grouped: false });
            }
            Function::Fold(op) => {
                let mut rest = operands.into_iter();
                let first = rest.next().ok_or_else(|| Diagnostic::syntax(span, "arguments are missing"))?;
                let fold = |a: Expr, b: Expr| Expr { span, kind: ExprKind::Op(op, vec![a, b]) };
                let folded = rest.fold(first, fold);
                let kind = if whole { Kind::Whole(None) } else { Kind::Real };
                return Ok(Part { expr: folded, kind, grouped: false });
            }
            Function::Formula(formula, _) => {
                let part = self.template(formula, operands, span)?;
                // One of three integers is an integer.
                let kind = if whole && name == "clamp" { Kind::Whole(None) } else { part.kind };
                return Ok(Part { kind, ..part });
            }
            Function::Log(base) if operands.len() == 2 => {
                let base = operands.remove(base);
                return Self::logarithm(base, operands.remove(0), span);
            }
            Function::Log(_) => ExprKind::Op(Op::Log, operands),
            Function::Classify(class) => {
                let kind = ExprKind::Classify(class, Box::new(operands.remove(0)));
                return Ok(Part { expr: Expr { kind, span }, kind: Kind::Condition, grouped: false });
            }
            _ => return Ok(Self::real(operands.remove(0))),
        };
        Ok(Self::real(Expr { kind, span }))
    }

    /// The logarithm to a base.
    pub(super) fn logarithm(base: Expr, of: Expr, span: Span) -> Read {
        let own = match &base.kind {
            ExprKind::Number(n) if n.value == 2 => Some(Op::Log2),
            ExprKind::Number(n) if n.value == 10 => Some(Op::Log10),
            ExprKind::Constant(Constant::E) => Some(Op::Log),
            _ => None,
        };
        let log = |e: Expr| Expr { kind: ExprKind::Op(Op::Log, vec![e]), span };
        let kind = match own {
            Some(op) => ExprKind::Op(op, vec![of]),
            None => ExprKind::Op(Op::Div, vec![log(of), log(base)]),
        };
        Ok(Self::real(Expr { kind, span }))
    }

    /// Why a name cannot be called.
    fn unknown(&self, prefix: &str, name: &str, head: Span) -> Diagnostic {
        let whole = format!("{prefix}{name}");
        let is_input = prefix.is_empty() && self.inputs.iter().any(|i| i == name);
        let names = functions::names(self.notation);
        let near = nearest(name, names.iter().copied());
        let elsewhere = Notation::ALL
            .into_iter()
            .find(|n| functions::is_prefix(prefix, *n) && functions::function(prefix, name, *n).is_some());
        let hint = if is_input || name.chars().count() == 1 {
            format!("multiplication is written `*`: `{name}*(…)`")
        } else if let Some(near) = near {
            format!("did you mean `{near}`?")
        } else if let Some(other) = elsewhere {
            format!("it is one of {}: say `--language {}`", other.title(), other.name())
        } else {
            "`magneto operators` lists the functions".to_owned()
        };
        Diagnostic::semantic(head, format!("unknown function {}", quote(&whole))).hint(hint)
    }

    /// A part that is nested no deeper than FPCore may be.
    pub(super) fn bounded(part: Part) -> Read {
        if nesting(&part.expr) > DEEPEST { Err(too_deep(part.expr.span)) } else { Ok(part) }
    }

    /// The whole formula: a number, in which no input hides a constant.
    pub(super) fn result(&self, part: Part) -> Result<Expr, Diagnostic> {
        if part.kind == Kind::Condition {
            let hint = "a formula is a number: write `c ? 1 : 0`, or `1 if c else 0` in Python";
            return Err(
                Diagnostic::semantic(part.expr.span, "this is a condition, and a formula is a number").hint(hint)
            );
        }
        let mut expr = Self::bounded(part)?.expr;
        self.unhide(&mut expr)?;
        Ok(expr)
    }

    /// Has constants whose name in FPCore is that of an input written otherwise.
    fn unhide(&self, e: &mut Expr) -> Result<(), Diagnostic> {
        if let ExprKind::Constant(c) = e.kind
            && self.inputs.iter().any(|i| i == c.name())
        {
            let formula = match c {
                Constant::E => "(exp 1)",
                Constant::Pi => "(* 4 (atan 1))",
                _ => {
                    let message = format!("the input {} has the name of a constant that is used here", quote(c.name()));
                    return Err(Diagnostic::semantic(e.span, message).hint("rename the input"));
                }
            };
            let file = parse_file(format!("(FPCore () {formula})").as_bytes());
            if let Some(Ok(core)) = file.cores.into_iter().next() {
                e.kind = core.body.kind;
            }
            return Ok(());
        }
        e.children_mut().into_iter().try_for_each(|child| self.unhide(child))
    }
}

fn too_deep(span: Span) -> Diagnostic {
    let hint = "`a - b - c - d` is three deep: name what parts of it are, and read them one by one";
    Diagnostic::syntax(span, format!("this is nested more than {DEEPEST} deep")).hint(hint)
}

/// How many operations stand before each other as the first operand of the next one.
fn chain(mut e: &Expr) -> usize {
    let mut count = 0;
    loop {
        let first = match &e.kind {
            ExprKind::Op(_, operands) => operands.first(),
            ExprKind::Let { bindings, .. } => bindings.first().map(|(_, value)| value),
            _ => None,
        };
        let Some(first) = first else { return count };
        (e, count) = (first, count + 1);
    }
}

/// How deep the brackets of an expression are at most, found without recursion.
fn nesting(e: &Expr) -> usize {
    let (mut deepest, mut open) = (0, vec![(e, 0)]);
    while let Some((e, depth)) = open.pop() {
        deepest = deepest.max(depth);
        // A binding stands in two lists more.
        let below = depth + if matches!(e.kind, ExprKind::Let { .. }) { 3 } else { 1 };
        open.extend(e.children().into_iter().map(|child| (child, below)));
    }
    deepest
}
