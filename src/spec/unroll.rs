//! Loops and arrays written out: the same function as a formula of numbers and `let`s. Whatever searches, proves and judges knows
//! only such formulas.
//!
//! How often a loop goes round is found by evaluating what its condition depends on, over exact rationals; that must depend on
//! no input. Every variable of a loop gets a new name in each round, so that the formula grows by one body a round. A name with a
//! space is none that a person writes, so that nothing is captured.

mod known;

use self::known::{Known, comparison, joined, operation, rounded};
use super::core::{Datum, DatumKind, Expr, ExprKind, Loop, LoopHead, Number, Property, Value as Written};
use crate::floats::Format;
use crate::num::Rational;
use crate::ops::Constant;
use crate::text::{Diagnostic, Span};
use std::borrow::Cow;
use std::collections::HashMap;

/// The most parts of an expression whose loops are written out.
pub const MAX_PARTS: usize = 400_000;
/// The most rounds of all loops, and elements of tensors, if no option says otherwise.
pub const MAX_ITERATIONS: u64 = 10_000;

/// A formula without loops and arrays.
#[derive(Clone, Debug)]
pub struct Unrolled {
    /// The formula. A loop that never ends has no value in it.
    pub body: Expr,
    /// A loop that goes round for ever, if there is one: its state came back to what it was, and its condition held.
    pub endless: Option<Span>,
    /// All that was decided on the way: which sides of choices are taken, whether loops go on, sizes and indices.
    pub decisions: Vec<usize>,
}

/// Why loops cannot be written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// Whether a loop goes on depends on an input, or on a number that is not known exactly.
    Open,
    /// The loops go round more often than allowed.
    Iterations(u64),
    /// The formula would have more than [`MAX_PARTS`] parts.
    Parts,
    /// A number of rounds or a size is no known natural number.
    Bound,
    /// An index is no known number of an element.
    Index,
    /// An array has rows of different lengths, or no elements.
    Ragged,
}

/// Where and why loops cannot be written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StuckAt {
    /// The loop, bound or index.
    pub span: Span,
    /// The reason.
    pub why: Stuck,
}

impl StuckAt {
    /// The same for the person who wrote it.
    #[must_use]
    pub fn diagnostic(self) -> Diagnostic {
        let (message, hint) = match self.why {
            Stuck::Open => (
                "how often this loop goes round depends on the inputs, or on numbers that are not known exactly"
                    .to_owned(),
                "count the rounds: `(while (< i 10) ([i 0 (+ i 1)] …) …)` or `(for ([i 10]) (…) …)`",
            ),
            Stuck::Iterations(most) => (
                format!("the loops go round more than {most} times"),
                "allow more with `--max-iterations`, or make the condition end sooner",
            ),
            Stuck::Parts => (
                format!("with its loops written out the formula has more than {MAX_PARTS} parts"),
                "let the loops go round less often, or specify one step",
            ),
            Stuck::Bound => (
                "this must be a natural number that depends on no input".to_owned(),
                "write a number, or a variable of a `let` that is one",
            ),
            Stuck::Index => (
                "this is no element of the array".to_owned(),
                "indices are natural numbers from 0 on that depend on no input",
            ),
            Stuck::Ragged => (
                "the rows of this array differ in size, or it has no elements".to_owned(),
                "give all rows the same size",
            ),
        };
        Diagnostic::unsupported(self.span, message).hint(hint)
    }
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
    let mut unroller = Unroller { scope, format, left, most, parts: 0, fresh: 0, endless: None, decisions: Vec::new() };
    let (body, _) = unroller.scalar(body)?;
    Ok(Unrolled { body, endless: unroller.endless, decisions: unroller.decisions })
}

/// The formula without its loops and arrays.
///
/// # Panics
/// If they cannot be written out: whoever makes a formula with loops makes sure by [`unroll`] that they can.
#[must_use]
pub fn flat<'e>(names: &[String], body: &'e Expr) -> Cow<'e, Expr> {
    if !has_loops(body) {
        return Cow::Borrowed(body);
    }
    let unrolled = unroll(names, body, u64::MAX).unwrap_or_else(|stuck| panic!("{}", stuck.diagnostic().message));
    Cow::Owned(unrolled.body)
}

/// What a name or an expression stands for.
#[derive(Clone, Debug)]
enum Meaning {
    /// A number or a truth value.
    Scalar(Expr, Option<Known>),
    Array(Vec<Meaning>),
}

type Bindings = Vec<(String, Expr)>;

/// What names mean, innermost last.
#[derive(Default)]
struct Scope(HashMap<String, Vec<Meaning>>);

impl Scope {
    /// An input, or an element of one: of `A[1][0]` the place in the array `A`. Elements come in order.
    fn input(&mut self, name: &str) {
        let leaf = Meaning::Scalar(Expr::var(name), None);
        let Some((array, rest)) = name.split_once('[') else {
            self.0.insert(name.to_owned(), vec![leaf]);
            return;
        };
        let stack = self.0.entry(array.to_owned()).or_insert_with(|| vec![Meaning::Array(Vec::new())]);
        let mut at = &mut stack[0];
        let places: Vec<usize> = rest.split('[').filter_map(|p| p.trim_end_matches(']').parse().ok()).collect();
        for (depth, place) in places.iter().enumerate() {
            let Meaning::Array(elements) = at else { return };
            if elements.len() <= *place {
                let is_last = depth + 1 == places.len();
                elements.push(if is_last { leaf.clone() } else { Meaning::Array(Vec::new()) });
            }
            let Some(next) = elements.get_mut(*place) else { return };
            at = next;
        }
    }

    fn get(&self, name: &str) -> Option<&Meaning> {
        self.0.get(name)?.last()
    }

    fn bind(&mut self, name: &str, meaning: Meaning) {
        self.0.entry(name.to_owned()).or_default().push(meaning);
    }

    fn unbind<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        for name in names {
            if let Some(stack) = self.0.get_mut(name) {
                stack.pop();
            }
        }
    }

    /// Let a name that is bound mean something else.
    fn update(&mut self, name: &str, meaning: Meaning) {
        self.unbind(std::iter::once(name));
        self.bind(name, meaning);
    }
}

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
    decisions: Vec<usize>,
}

type Scalar = (Expr, Option<Known>);

fn stuck<T>(span: Span, why: Stuck) -> Result<T, StuckAt> {
    Err(StuckAt { span, why })
}

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

    /// Another round.
    fn step(&mut self, span: Span) -> Result<(), StuckAt> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => stuck(span, Stuck::Iterations(self.most)),
        }
    }

    fn round(&mut self, l: &Loop, span: Span, out: &mut Bindings) -> Result<Meaning, StuckAt> {
        let sizes = match &l.head {
            LoopHead::While(_) => Vec::new(),
            LoopHead::For(indices) | LoopHead::Tensor(indices) => {
                indices.iter().map(|(_, bound)| self.natural(bound)).collect::<Result<Vec<_>, _>>()?
            }
        };
        if let LoopHead::Tensor(indices) = &l.head {
            return self.tensor(indices, &sizes, &l.body, span, out);
        }
        let mut held = Vec::new();
        let in_order = l.sequential && matches!(l.head, LoopHead::While(_));
        for v in &l.state {
            let meaning = self.open_as(&v.name, &v.init, out)?;
            if in_order { self.scope.bind(&v.name, meaning) } else { held.push((&v.name, meaning)) }
        }
        held.into_iter().for_each(|(name, meaning)| self.scope.bind(name, meaning));
        let is_done = match &l.head {
            LoopHead::For(indices) => self.counted(l, indices, &sizes, span, out).map(|()| true),
            LoopHead::While(condition) => self.guarded(l, condition, span, out),
            LoopHead::Tensor(_) => Ok(true),
        };
        let result = match is_done {
            Ok(true) => self.open(&l.body, out),
            Ok(false) => {
                self.endless = self.endless.or(Some(span));
                Ok(Meaning::Scalar(Expr { kind: ExprKind::Constant(Constant::Nan), span }, None))
            }
            Err(e) => Err(e),
        };
        self.scope.unbind(l.state.iter().map(|v| v.name.as_str()));
        result
    }

    /// The rounds of a `while`; whether it ends.
    fn guarded(&mut self, l: &Loop, condition: &Expr, span: Span, out: &mut Bindings) -> Result<bool, StuckAt> {
        // What is known decides the condition, and what is known next: if it comes back, it does so for ever.
        let (mut before, mut since, mut period) = (self.known_state(l), 0u64, 1u64);
        loop {
            let Some(goes_on) = self.scalar(condition)?.1.and_then(|k| k.truth()) else {
                return stuck(condition.span, Stuck::Open);
            };
            self.decisions.push(usize::from(goes_on));
            if !goes_on {
                return Ok(true);
            }
            self.step(span)?;
            self.advance(l, out)?;
            let now = self.known_state(l);
            if now == before {
                return Ok(false);
            }
            since += 1;
            if since == period {
                (before, since, period) = (now, 0, period * 2);
            }
        }
    }

    /// The rounds of a `for`: the last index changes fastest.
    fn counted(
        &mut self,
        l: &Loop,
        indices: &[(String, Expr)],
        sizes: &[usize],
        span: Span,
        out: &mut Bindings,
    ) -> Result<(), StuckAt> {
        let mut places = (!sizes.contains(&0)).then(|| vec![0; sizes.len()]);
        while let Some(at) = places {
            self.step(span)?;
            let names = || indices.iter().map(|(name, _)| name.as_str());
            names().zip(&at).for_each(|(name, k)| self.scope.bind(name, number(*k, span)));
            let result = self.advance(l, out);
            self.scope.unbind(names());
            result?;
            places = next(at, sizes);
        }
        Ok(())
    }

    /// New values for the variables of a loop: all at once, or one after the other.
    fn advance(&mut self, l: &Loop, out: &mut Bindings) -> Result<(), StuckAt> {
        let mut held = Vec::new();
        for v in &l.state {
            let meaning = self.open_as(&v.name, &v.update, out)?;
            if l.sequential { self.scope.update(&v.name, meaning) } else { held.push((&v.name, meaning)) }
        }
        held.into_iter().for_each(|(name, meaning)| self.scope.update(name, meaning));
        Ok(())
    }

    fn known_state(&self, l: &Loop) -> Vec<Option<Known>> {
        let mut found = Vec::new();
        let mut open: Vec<&Meaning> = l.state.iter().filter_map(|v| self.scope.get(&v.name)).collect();
        while let Some(meaning) = open.pop() {
            match meaning {
                Meaning::Scalar(_, known) => found.push(known.clone()),
                Meaning::Array(elements) => {
                    found.push(Some(Known::Number(Rational::from(elements.len()))));
                    open.extend(elements);
                }
            }
        }
        found
    }

    fn tensor(
        &mut self,
        indices: &[(String, Expr)],
        sizes: &[usize],
        body: &Expr,
        span: Span,
        out: &mut Bindings,
    ) -> Result<Meaning, StuckAt> {
        let (Some(((name, _), indices)), Some((size, sizes))) = (indices.split_first(), sizes.split_first()) else {
            self.step(span)?;
            return self.open_as("element", body, out);
        };
        let mut elements = Vec::new();
        for k in 0..*size {
            self.scope.bind(name, number(k, span));
            let element = self.tensor(indices, sizes, body, span, out);
            self.scope.unbind(std::iter::once(name.as_str()));
            elements.push(element?);
        }
        if elements.is_empty() { stuck(span, Stuck::Ragged) } else { Ok(Meaning::Array(elements)) }
    }
}

/// The indices that come after these, if there are any.
fn next(mut places: Vec<usize>, sizes: &[usize]) -> Option<Vec<usize>> {
    for k in (0..places.len()).rev() {
        places[k] += 1;
        if places[k] < sizes[k] {
            return Some(places);
        }
        places[k] = 0;
    }
    None
}

/// The element of an array at these places.
fn element<'m>(array: &'m Meaning, places: &[usize]) -> Option<&'m Meaning> {
    places
        .iter()
        .try_fold(array, |at, place| if let Meaning::Array(elements) = at { elements.get(*place) } else { None })
}

/// The sizes of an array, the outermost first; none of a number.
fn shape(meaning: &Meaning) -> Vec<usize> {
    let (mut sizes, mut at) = (Vec::new(), meaning);
    while let Meaning::Array(elements) = at {
        sizes.push(elements.len());
        let Some(first) = elements.first() else { break };
        at = first;
    }
    sizes
}

fn number(n: usize, span: Span) -> Meaning {
    let value = Rational::from(n);
    Meaning::Scalar(Expr { kind: ExprKind::Number(Number::new(value.clone())), span }, Some(Known::Number(value)))
}

/// The format that `:precision` names.
fn precision(props: &[Property]) -> Option<Format> {
    let property = props.iter().find(|p| p.key == "precision")?;
    match &property.value {
        Written::Data(Datum { kind: DatumKind::Symbol(name), .. }) => Format::from_name(name),
        _ => None,
    }
}
