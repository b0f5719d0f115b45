//! Loops and arrays written out: the same function as a formula of numbers and `let`s. Whatever searches, proves and judges knows
//! only such formulas.
//!
//! How often a loop goes round is found by evaluating what its condition depends on, over exact rationals; that must depend on
//! no input. Every variable of a loop gets a new name in each round, so that the formula grows by one body a round. A name with a
//! space is none that a person writes, so that nothing is captured.

mod counter;
mod known;
mod rounds;
mod scope;
mod stuck;

use self::known::{Known, comparison, joined, operation, rounded};
use self::scope::{Meaning, Scope, either, element, number, shape};
pub(super) use self::stuck::never_ends;
use self::stuck::stuck;
pub use self::stuck::{MAX_PARTS, Stuck, StuckAt};
use super::core::{Expr, ExprKind, LoopVariable, Number, Property, Value as Written};
use super::sort::{Sort, sort};
use crate::floats::Format;
use crate::ops::Constant;
use crate::text::Span;
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// The most rounds of all loops, and elements of tensors, if no option says otherwise.
pub const MAX_ITERATIONS: u64 = 10_000;
/// The most rounds of a loop that are followed where each may be the last.
pub const OPEN_ROUNDS: usize = 100;
/// The most rounds of a loop that are followed one by one where no input decides how many there are.
pub const COUNTED_ROUNDS: u64 = 4_000_000;
/// The same of all loops together: a loop in a loop is written out in each round of that.
const ALL_OPEN_ROUNDS: usize = 500;

/// A formula without loops and arrays.
#[derive(Clone, Debug)]
pub struct Unrolled {
    /// The formula. A loop that never ends has no value in it.
    pub body: Expr,
    /// A loop that goes round for ever, if there is one: its state came back to what it was, and its condition held.
    pub endless: Option<Span>,
    /// A loop of which more than [`OPEN_ROUNDS`] rounds, or all that are allowed, depend on inputs: where it goes on after them the
    /// formula has a call of a function of which nothing is known, see [`unknown_function`]. Or one that goes round so often that there is
    /// no room for its rounds.
    pub open: Option<Span>,
    /// What the rounds do that the unknown functions stand for, by the number of the function; of loops over arrays, and of loops in
    /// which there are others, it is not kept.
    pub rests: HashMap<u128, Rest>,
    /// Whether the rounds of a loop depend on inputs, or on numbers that are not known exactly.
    pub may_end: bool,
    /// All that was decided on the way: which sides of choices are taken, whether loops go on, sizes and indices.
    pub decisions: Vec<usize>,
}

/// The rounds of a `while` that are not written out. Its variables are numbers.
#[derive(Clone, Debug)]
pub struct Rest {
    /// What the arguments of the unknown function are, in order: the loop's variables, and what else its text mentions.
    pub names: Vec<String>,
    /// The condition under which it goes on.
    pub condition: Expr,
    /// The variables on which its rounds and its value depend.
    pub state: Vec<LoopVariable>,
    /// Whether they get their new values one after the other.
    pub sequential: bool,
    /// What its value is when it has ended.
    pub body: Expr,
    /// Whether it depends on no input how often it goes round.
    pub is_counted: bool,
}

/// Whether a formula has a loop or an array, so that it has to be unrolled.
#[must_use]
pub fn has_loops(e: &Expr) -> bool {
    let mut open = vec![e];
    while let Some(e) = open.pop() {
        if matches!(
            e.kind,
            ExprKind::Loop(_) | ExprKind::Array(_) | ExprKind::Ref(_) | ExprKind::Dim(_) | ExprKind::Size(_)
        ) {
            return true;
        }
        open.extend(e.children());
    }
    false
}

/// A formula over the inputs `names` without its loops and arrays, over the reals; of an array that is an argument each element
/// is an input, named `A[0]`. Loops may go round so many times.
///
/// # Errors
/// Where the loops cannot be written out.
pub fn unroll(names: &[String], body: &Expr, iterations: u64) -> Result<Unrolled, StuckAt> {
    unroll_in(names, body, None, iterations)
}

/// The same as a program in a format: the condition of a loop is evaluated as the program does, with rounding. Over the reals it is
/// the formula where the decisions are the same.
///
/// # Errors
/// As [`unroll`].
pub fn unroll_in(names: &[String], body: &Expr, format: Option<Format>, iterations: u64) -> Result<Unrolled, StuckAt> {
    let mut scope = Scope::default();
    for name in names {
        scope.input(name);
    }
    let (left, most) = (iterations, iterations);
    let mut unroller = Unroller {
        scope,
        format,
        left,
        most,
        parts: 0,
        fresh: 0,
        endless: None,
        open: None,
        open_left: ALL_OPEN_ROUNDS,
        rests: HashMap::new(),
        may_end: false,
        decisions: Vec::new(),
    };
    let (body, _) = unroller.scalar(body)?;
    let Unroller { endless, open, rests, may_end, decisions, .. } = unroller;
    Ok(Unrolled { body, endless, open, rests, may_end, decisions })
}

/// The formula without its loops and arrays.
///
/// # Panics
/// If they cannot be written out: whoever makes a formula with loops makes sure by [`unroll`] that they can.
#[must_use]
pub fn flat<'e>(names: &[String], body: &'e Expr) -> Cow<'e, Expr> {
    if has_loops(body) { Cow::Owned(written_out(names, body).body) } else { Cow::Borrowed(body) }
}

/// A formula with loops without them.
///
/// # Panics
/// As [`flat`].
#[must_use]
pub fn written_out(names: &[String], body: &Expr) -> Unrolled {
    unroll(names, body, u64::MAX).unwrap_or_else(|stuck| panic!("{}", stuck.diagnostic().message))
}

/// The name of a function of which nothing is known, that the text tells from others. No person can write it.
fn unknown_name(text: &str) -> String {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, text).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    format!("unknown {:032x}", half(0) << 64 | half(1))
}

/// The number of a function of which nothing is known, if a call is of such.
#[must_use]
pub fn unknown_function(name: &str) -> Option<u128> {
    u128::from_str_radix(name.strip_prefix("unknown ")?, 16).ok()
}

type Bindings = Vec<(String, Expr)>;

struct Unroller {
    scope: Scope,
    /// The format of the program around; none over the reals.
    format: Option<Format>,
    /// How often loops may go round.
    left: u64,
    most: u64,
    parts: usize,
    /// How many names were made.
    fresh: usize,
    endless: Option<Span>,
    open: Option<Span>,
    /// How many rounds that may be the last may still be followed.
    open_left: usize,
    rests: HashMap<u128, Rest>,
    may_end: bool,
    decisions: Vec<usize>,
}

type Scalar = (Expr, Option<Known>);

impl Unroller {
    /// A number or a truth value, with its value where that is known.
    fn scalar(&mut self, e: &Expr) -> Result<Scalar, StuckAt> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return stuck(e.span, Stuck::Parts);
        }
        let made = |kind| Expr { kind, span: e.span };
        Ok(match &e.kind {
            ExprKind::Number(n) => (e.clone(), rounded(&n.value, self.format).map(Known::Number)),
            ExprKind::Constant(c) => {
                let is_truth = matches!(c, Constant::True | Constant::False);
                (e.clone(), is_truth.then_some(Known::Truth(*c == Constant::True)))
            }
            ExprKind::Op(op, args) => {
                let (args, known) = self.scalars(args)?;
                (made(ExprKind::Op(*op, args)), operation(*op, &known, self.format))
            }
            ExprKind::Compare(relation, args) => {
                let (args, known) = self.scalars(args)?;
                (made(ExprKind::Compare(*relation, args)), comparison(*relation, &known))
            }
            ExprKind::And(args) => {
                let (args, known) = self.scalars(args)?;
                (made(ExprKind::And(args)), joined(true, &known))
            }
            ExprKind::Or(args) => {
                let (args, known) = self.scalars(args)?;
                (made(ExprKind::Or(args)), joined(false, &known))
            }
            ExprKind::Not(inner) => {
                let (inner, known) = self.scalar(inner)?;
                (made(ExprKind::Not(Box::new(inner))), known.and_then(|k| k.truth()).map(|t| Known::Truth(!t)))
            }
            ExprKind::Classify(class, inner) => {
                (made(ExprKind::Classify(*class, Box::new(self.scalar(inner)?.0))), None)
            }
            ExprKind::If(parts) => {
                let [condition, yes, no] = &**parts;
                let (condition, known) = self.scalar(condition)?;
                if let Some(holds) = known.and_then(|k| k.truth()) {
                    self.decisions.push(usize::from(holds));
                    return self.chosen(if holds { yes } else { no });
                }
                let ((yes, _), (no, _)) = (self.scalar(yes)?, self.scalar(no)?);
                (made(ExprKind::If(Box::new([condition, yes, no]))), None)
            }
            ExprKind::Cast(inner) => {
                let (inner, known) = self.scalar(inner)?;
                let known = self.cast(known);
                (made(ExprKind::Cast(Box::new(inner))), known)
            }
            ExprKind::Annotated(props, inner) => {
                let outer = self.format;
                self.format = outer.map(|around| precision(props).unwrap_or(around));
                let result = self.scalar(inner);
                self.format = outer;
                let (inner, known) = result?;
                (made(ExprKind::Annotated(props.clone(), Box::new(inner))), known)
            }
            // The reader has inlined what can be called.
            ExprKind::Call(ident, args) => (made(ExprKind::Call(ident.clone(), self.scalars(args)?.0)), None),
            ExprKind::Dim(_)
            | ExprKind::Size(_)
            | ExprKind::Var(_)
            | ExprKind::Let { .. }
            | ExprKind::Loop(_)
            | ExprKind::Ref(_)
            | ExprKind::Array(_) => {
                let mut bindings = Vec::new();
                // An array has no value as a number; the reader admits none here.
                let (body, known) = match self.open(e, &mut bindings)? {
                    Meaning::Scalar(body, known) => (body, known),
                    Meaning::Array(_) => return stuck(e.span, Stuck::Index),
                };
                if bindings.is_empty() {
                    return Ok((body, known));
                }
                (made(ExprKind::Let { sequential: true, bindings, body: Box::new(body) }), known)
            }
        })
    }

    /// The side of an `if` that is always taken: in a program its value is rounded as any result of an `if`.
    fn chosen(&mut self, side: &Expr) -> Result<Scalar, StuckAt> {
        let (side, known) = self.scalar(side)?;
        if self.format.is_none() {
            return Ok((side, known));
        }
        let span = side.span;
        Ok((Expr { kind: ExprKind::Cast(Box::new(side)), span }, self.cast(known)))
    }

    /// An `if` whose sides are arrays: an array of such `if`s.
    fn sides(&mut self, parts: &[Expr; 3], span: Span, out: &mut Bindings) -> Result<Meaning, StuckAt> {
        let [condition, yes, no] = parts;
        let (condition, known) = self.scalar(condition)?;
        if let Some(holds) = known.and_then(|k| k.truth()) {
            self.decisions.push(usize::from(holds));
            let side = self.open(if holds { yes } else { no }, out)?;
            return Ok(if self.format.is_none() { side } else { self.rounded_side(side) });
        }
        let (yes, no) = (self.open_as("yes", yes, out)?, self.open_as("no", no, out)?);
        either(&condition, yes, no, span).map_or_else(|| stuck(span, Stuck::Ragged), Ok)
    }

    /// The side of an `if` in a program: its elements are rounded as any result of an `if`.
    fn rounded_side(&self, side: Meaning) -> Meaning {
        match side {
            Meaning::Array(elements) => Meaning::Array(elements.into_iter().map(|m| self.rounded_side(m)).collect()),
            Meaning::Scalar(e, known) => {
                let span = e.span;
                Meaning::Scalar(Expr { kind: ExprKind::Cast(Box::new(e)), span }, self.cast(known))
            }
        }
    }

    fn cast(&self, known: Option<Known>) -> Option<Known> {
        match known? {
            Known::Number(x) => rounded(&x, self.format).map(Known::Number),
            truth => Some(truth),
        }
    }

    fn scalars(&mut self, args: &[Expr]) -> Result<(Vec<Expr>, Vec<Option<Known>>), StuckAt> {
        let mut read = (Vec::with_capacity(args.len()), Vec::with_capacity(args.len()));
        for arg in args {
            let (arg, known) = self.scalar(arg)?;
            read.0.push(arg);
            read.1.push(known);
        }
        Ok(read)
    }

    /// What an expression means, over the names that are bound in `out` for it.
    fn open(&mut self, e: &Expr, out: &mut Bindings) -> Result<Meaning, StuckAt> {
        match &e.kind {
            ExprKind::Var(name) => Ok(match self.scope.get(name) {
                Some(meaning) => meaning.clone(),
                None => Meaning::Scalar(e.clone(), None),
            }),
            ExprKind::Let { sequential, bindings, body } => {
                let mut held = Vec::new();
                for (name, value) in bindings {
                    let meaning = self.open_as(name, value, out)?;
                    if *sequential { self.scope.bind(name, meaning) } else { held.push((name, meaning)) }
                }
                held.into_iter().for_each(|(name, meaning)| self.scope.bind(name, meaning));
                let result = self.open(body, out);
                self.scope.unbind(bindings.iter().map(|(name, _)| name.as_str()));
                result
            }
            ExprKind::Array(items) => {
                let elements =
                    items.iter().map(|item| self.open_as("element", item, out)).collect::<Result<Vec<_>, _>>()?;
                let is_even = elements.windows(2).all(|w| shape(&w[0]) == shape(&w[1]));
                if elements.is_empty() || !is_even {
                    return stuck(e.span, Stuck::Ragged);
                }
                Ok(Meaning::Array(elements))
            }
            ExprKind::Ref(parts) => {
                let Some((array, indices)) = parts.split_first() else { return stuck(e.span, Stuck::Index) };
                let places = indices.iter().map(|i| self.natural(i)).collect::<Result<Vec<_>, _>>()?;
                let array = match &array.kind {
                    ExprKind::Var(name) => self.scope.get(name).and_then(|array| element(array, &places)).cloned(),
                    _ => element(&self.open(array, out)?, &places).cloned(),
                };
                array.map_or_else(|| stuck(e.span, Stuck::Index), Ok)
            }
            ExprKind::Dim(array) => {
                let array = self.open(array, out)?;
                Ok(number(shape(&array).len(), e.span))
            }
            ExprKind::Size(parts) => {
                let [array, dimension] = &**parts;
                let array = self.open(array, out)?;
                match shape(&array).get(self.natural(dimension)?) {
                    Some(size) => Ok(number(*size, e.span)),
                    None => stuck(dimension.span, Stuck::Index),
                }
            }
            ExprKind::Loop(l) => self.round(l, e.span, out),
            ExprKind::If(parts) if sort(e, &mut self.scope.arrays()) == Sort::Array => self.sides(parts, e.span, out),
            // Over the reals they say nothing. In a program the formats of what is named inside would be lost.
            ExprKind::Annotated(_, inner) | ExprKind::Cast(inner) if self.format.is_none() => self.open(inner, out),
            _ => {
                let (e, known) = self.scalar(e)?;
                Ok(Meaning::Scalar(e, known))
            }
        }
    }

    /// What an expression means, as a name: nothing is written out twice where it is used twice.
    fn open_as(&mut self, name: &str, e: &Expr, out: &mut Bindings) -> Result<Meaning, StuckAt> {
        let meaning = self.open(e, out)?;
        Ok(self.named(name, meaning, out))
    }

    fn named(&mut self, name: &str, meaning: Meaning, out: &mut Bindings) -> Meaning {
        match meaning {
            Meaning::Array(elements) => {
                Meaning::Array(elements.into_iter().map(|m| self.named(name, m, out)).collect())
            }
            Meaning::Scalar(e, known) => {
                let span = e.span;
                let e = match &known {
                    // In a program it may be rounded, and is no number that is written.
                    Some(Known::Number(x)) if self.format.is_none() => {
                        Expr { kind: ExprKind::Number(Number::new(x.clone())), span }
                    }
                    Some(Known::Truth(t)) => {
                        Expr { kind: ExprKind::Constant(if *t { Constant::True } else { Constant::False }), span }
                    }
                    _ if matches!(e.kind, ExprKind::Var(_) | ExprKind::Number(_)) => e,
                    _ => {
                        let fresh = format!("{name} {}", self.fresh);
                        self.fresh += 1;
                        out.push((fresh.clone(), e));
                        Expr { kind: ExprKind::Var(fresh), span }
                    }
                };
                Meaning::Scalar(e, known)
            }
        }
    }

    /// A natural number that depends on no input.
    fn natural(&mut self, e: &Expr) -> Result<usize, StuckAt> {
        let (_, known) = self.scalar(e)?;
        let number = known.as_ref().and_then(Known::number).filter(|x| x.is_integer() && **x >= 0);
        match number.and_then(|x| x.numer().to_usize()) {
            Some(n) => {
                self.decisions.push(n);
                Ok(n)
            }
            None => stuck(e.span, Stuck::Bound),
        }
    }
}

/// The floating-point format that `:precision` names.
fn precision(props: &[Property]) -> Option<Format> {
    let property = props.iter().find(|p| p.key == "precision")?;
    match &property.value {
        Written::Data(datum) => Format::from_name(&datum.to_string()).filter(|format| !format.is_fixed()),
        Written::Expr(_) => None,
    }
}
