//! Projections of correctly rounded functions: what a result may be, and what an operand may be.
//!
//! Correct rounding keeps order. So a function is monotone in each operand where the signs of all operands are fixed, signed
//! zeros included; its values lie between those at two corners, and an operand that reaches a given result lies between two
//! values that bisection over ordinals finds by evaluating the function itself. That holds in subnormals, at overflow and at
//! ties, in all directions, without a rule for any of them. (After Bagnara, Carlier, Gori and Gotlieb, *Symbolic
//! Path-Oriented Test Data Generation for Floating-Point Programs*, 2013, and its successors.)

use super::sum;
use crate::floats::ordinal::{MINUS_ZERO, NAN, ZERO};
use crate::floats::set::FloatSpan;
use crate::floats::soft;
use crate::floats::{Format, Rounding};

/// A function whose result is rounded correctly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoundedFunction {
    /// `x + y`
    Add,
    /// `x * y`
    Mul,
    /// `x / y`
    Div,
    /// `x * y + z`
    Fma,
    /// `x * x`, of one operand
    Square,
    /// The square root.
    Sqrt,
    /// The nearest integer in the direction.
    Integral,
    /// The value of another format.
    Cast(Format),
}

/// A function in a format and a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounded {
    /// Which.
    pub function: RoundedFunction,
    /// The format of the operands, and of the result unless it is a cast.
    pub format: Format,
    /// How it rounds.
    pub mode: Rounding,
}

/// The most operands.
pub const OPERANDS: usize = 3;

impl RoundedFunction {
    /// How many operands it has.
    #[must_use]
    pub fn operands(self) -> usize {
        match self {
            RoundedFunction::Add | RoundedFunction::Mul | RoundedFunction::Div => 2,
            RoundedFunction::Fma => 3,
            RoundedFunction::Square | RoundedFunction::Sqrt | RoundedFunction::Integral | RoundedFunction::Cast(_) => 1,
        }
    }

    /// Whether it falls in an operand, by the signs of all (true: negative).
    fn falls(self, operand: usize, negative: [bool; OPERANDS]) -> bool {
        match (self, operand) {
            (RoundedFunction::Mul, _) | (RoundedFunction::Fma, 0 | 1) => negative[1 - operand],
            (RoundedFunction::Div, 0) => negative[1],
            (RoundedFunction::Div, _) => !negative[0],
            (RoundedFunction::Square, _) => negative[0],
            _ => false,
        }
    }

    /// Whether the sign of an operand decides whether it falls in one.
    fn turns(self, operand: usize) -> bool {
        match self {
            RoundedFunction::Mul | RoundedFunction::Div | RoundedFunction::Square => true,
            RoundedFunction::Fma => operand < 2,
            _ => false,
        }
    }
}

/// A piece of an operand: numbers of one sign, where that matters.
type Piece = (i64, i64);

/// The pieces of an operand's numbers.
#[derive(Clone, Copy)]
struct Pieces {
    all: [Piece; 6],
    count: usize,
}

impl Pieces {
    fn get(&self) -> &[Piece] {
        &self.all[..self.count]
    }
}

impl Rounded {
    /// The value.
    #[must_use]
    pub fn eval(self, x: [i64; OPERANDS]) -> i64 {
        let (format, mode) = (self.format, self.mode);
        match self.function {
            RoundedFunction::Add => soft::add(format, mode, x[0], x[1]),
            RoundedFunction::Mul => soft::mul(format, mode, x[0], x[1]),
            RoundedFunction::Div => soft::div(format, mode, x[0], x[1]),
            RoundedFunction::Fma => soft::fma(format, mode, x[0], x[1], x[2]),
            RoundedFunction::Square => soft::mul(format, mode, x[0], x[0]),
            RoundedFunction::Sqrt => soft::sqrt(format, mode, x[0]),
            RoundedFunction::Integral => soft::to_integral(format, mode, x[0]),
            RoundedFunction::Cast(to) => soft::cast(format, to, mode, x[0]),
        }
    }

    /// What the result may be: the hull of all results.
    #[must_use]
    pub fn direct(self, x: [FloatSpan; OPERANDS]) -> FloatSpan {
        let n = self.function.operands();
        let mut result = if x[..n].iter().any(|s| s.nan) { FloatSpan::NAN } else { FloatSpan::EMPTY };
        if x[..n].iter().all(|s| s.single().is_some_and(|v| v != NAN)) {
            return FloatSpan::one(self.eval(x.map(|s| s.lo)));
        }
        self.each(x, |pieces, negative| {
            let (lo, hi) =
                (self.eval(self.corner(pieces, negative, false)), self.eval(self.corner(pieces, negative, true)));
            // On a piece either no operands have a number as the result, or all have.
            result = result.hull(if lo == NAN { FloatSpan::NAN } else { FloatSpan::between(lo, hi) });
        });
        result
    }

    /// What one operand may be where the result is in `z`: all operands of its set that reach it with the others' sets, and
    /// perhaps some more.
    #[must_use]
    pub fn inverse(self, operand: usize, x: [FloatSpan; OPERANDS], z: FloatSpan) -> FloatSpan {
        let n = self.function.operands();
        let others_nan = (0..n).any(|i| i != operand && x[i].nan);
        if z.nan && others_nan {
            return x[operand];
        }
        let mut result = if z.nan && x[operand].nan { FloatSpan::NAN } else { FloatSpan::EMPTY };
        self.each(x, |pieces, negative| {
            if z.nan && self.eval(self.corner(pieces, negative, false)) == NAN {
                result = result.hull(FloatSpan::between(pieces[operand].0, pieces[operand].1));
            } else if z.has_numbers() {
                result = result.hull(self.reach(operand, pieces, negative, z));
            }
        });
        if self.function == RoundedFunction::Add && !result.nan && z.has_numbers() && !z.nan {
            result = result.meet(sum::within(self.format, self.mode, x[1 - operand], z));
        }
        result
    }

    /// The ends of the operands at which the result is least, or largest.
    fn corner(self, pieces: [Piece; OPERANDS], negative: [bool; OPERANDS], largest: bool) -> [i64; OPERANDS] {
        let mut x = [0; OPERANDS];
        for (i, piece) in pieces.iter().enumerate().take(self.function.operands()) {
            x[i] = if self.function.falls(i, negative) == largest { piece.0 } else { piece.1 };
        }
        x
    }

    /// The part of an operand's piece for which the result can be in `z`.
    fn reach(self, operand: usize, pieces: [Piece; OPERANDS], negative: [bool; OPERANDS], z: FloatSpan) -> FloatSpan {
        let falls = self.function.falls(operand, negative);
        let (first, last) = pieces[operand];
        let at = |mut corner: [i64; OPERANDS], v: i64| {
            corner[operand] = v;
            self.eval(corner)
        };
        let (least, largest) = (self.corner(pieces, negative, false), self.corner(pieces, negative, true));
        // NaN compares as neither, and the piece has none or is all NaN.
        let low_enough = |v: i64| {
            let y = at(least, v);
            y != NAN && y <= z.hi
        };
        let high_enough = |v: i64| at(largest, v) >= z.lo && at(largest, v) != NAN;
        let (from_below, from_above): (&dyn Fn(i64) -> bool, &dyn Fn(i64) -> bool) =
            if falls { (&low_enough, &high_enough) } else { (&high_enough, &low_enough) };
        match (first_where(first, last, from_below), last_where(first, last, from_above)) {
            (Some(lo), Some(hi)) => FloatSpan::between(lo, hi),
            _ => FloatSpan::EMPTY,
        }
    }

    /// Every choice of one piece of each operand, with the signs of the pieces.
    fn each(self, x: [FloatSpan; OPERANDS], mut with: impl FnMut([Piece; OPERANDS], [bool; OPERANDS])) {
        let n = self.function.operands();
        let apart = self.may_be_nan(x);
        let mut pieces = [Pieces { all: [(0, 0); 6], count: 1 }; OPERANDS];
        for i in 0..n {
            pieces[i] = self.cut(i, x[i], apart);
        }
        for a in pieces[0].get() {
            for b in pieces[1].get() {
                for c in pieces[2].get() {
                    let chosen = [*a, *b, *c];
                    with(chosen, chosen.map(|p| p.0 < 0));
                }
            }
        }
    }

    /// Whether numbers of the operands may have NaN as the result.
    fn may_be_nan(self, x: [FloatSpan; OPERANDS]) -> bool {
        let infinite = |s: FloatSpan| s.lo == self.format.minus_infinity() || s.hi == self.format.infinity();
        let zero = |s: FloatSpan| s.contains(ZERO) || s.contains(MINUS_ZERO);
        match self.function {
            RoundedFunction::Add => infinite(x[0]) && infinite(x[1]),
            RoundedFunction::Mul => (infinite(x[0]) && zero(x[1])) || (zero(x[0]) && infinite(x[1])),
            RoundedFunction::Div => (infinite(x[0]) && infinite(x[1])) || (zero(x[0]) && zero(x[1])),
            RoundedFunction::Fma => x.iter().any(|s| infinite(*s)),
            RoundedFunction::Sqrt => x[0].lo < MINUS_ZERO,
            RoundedFunction::Square | RoundedFunction::Integral | RoundedFunction::Cast(_) => false,
        }
    }

    /// Cut an operand: at its sign where that matters, and infinities and zeros for themselves where NaN is near.
    fn cut(self, operand: usize, x: FloatSpan, apart: bool) -> Pieces {
        let infinity = self.format.infinity();
        let minus = self.format.minus_infinity();
        let all: &[Piece] = match (apart, self.function.turns(operand) || self.function == RoundedFunction::Sqrt) {
            (true, true) => &[
                (minus, minus),
                (minus + 1, -2),
                (MINUS_ZERO, MINUS_ZERO),
                (ZERO, ZERO),
                (1, infinity - 1),
                (infinity, infinity),
            ],
            (true, false) => &[(minus, minus), (minus + 1, infinity - 1), (infinity, infinity)],
            (false, true) => &[(minus, MINUS_ZERO), (ZERO, infinity)],
            (false, false) => &[(minus, infinity)],
        };
        let mut pieces = Pieces { all: [(0, 0); 6], count: 0 };
        for piece in all {
            let (lo, hi) = (piece.0.max(x.lo), piece.1.min(x.hi));
            if lo <= hi {
                pieces.all[pieces.count] = (lo, hi);
                pieces.count += 1;
            }
        }
        pieces
    }
}

/// The first of a range for which something holds that holds for all after it.
fn first_where(first: i64, last: i64, holds: &dyn Fn(i64) -> bool) -> Option<i64> {
    if holds(first) {
        return Some(first);
    }
    if first == last || !holds(last) {
        return None;
    }
    let (mut no, mut yes) = (first, last);
    while no.abs_diff(yes) > 1 {
        let middle = no.midpoint(yes);
        if holds(middle) { yes = middle } else { no = middle }
    }
    Some(yes)
}

/// The last of a range for which something holds that holds for all before it.
fn last_where(first: i64, last: i64, holds: &dyn Fn(i64) -> bool) -> Option<i64> {
    if holds(last) {
        return Some(last);
    }
    if first == last || !holds(first) {
        return None;
    }
    let (mut yes, mut no) = (first, last);
    while yes.abs_diff(no) > 1 {
        let middle = yes.midpoint(no);
        if holds(middle) { yes = middle } else { no = middle }
    }
    Some(yes)
}
