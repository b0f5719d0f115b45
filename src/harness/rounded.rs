//! A formula as a plain program computes it: operation by operation, each correctly rounded in one format.
//!
//! This is a hypothesis about a program, not a claim: an elementary function of a library need not be correctly rounded,
//! and a compiler may evaluate in another order.

use crate::floats::Format;
use crate::num::float::rational_to_f64;
use crate::num::mpfr::Round;
use crate::num::{MpInterval, Rational};
use crate::ops::{Exact, Op};
use crate::tape::eval::{Domain, Relation};
use crate::tape::node::{Const, ConstValue};
use crate::tape::{NodeId, Tape, evaluate};

/// The value of `root`, on a tape that was built literally, at `input` by operations rounded to nearest in `format`
/// (binary32 or binary64), with infinities and NaN after an overflow and a division by zero. None outside the domain of
/// another operation, or where a rounding could not be settled.
#[must_use]
pub fn value(tape: &Tape, root: NodeId, input: &[f64], format: Format) -> Option<f64> {
    let mut values = Vec::new();
    evaluate(tape, &mut Rounded { input, format }, &mut values);
    values.get(root.index()).copied().flatten()
}

struct Rounded<'a> {
    input: &'a [f64],
    format: Format,
}

/// Precisions that are tried to settle a rounding. Unit: bits.
const PRECISIONS: [u32; 3] = [120, 480, 2200];

impl Rounded<'_> {
    fn round(&self, x: &Rational) -> f64 {
        let nearest = rational_to_f64(x, Round::Nearest);
        if nearest.abs() >= f64::MAX && self.format == Format::BINARY32 {
            return f64::INFINITY.copysign(nearest);
        }
        match self.format {
            Format::BINARY32 => f64::from(crate::num::float::rational_to_f32(x)),
            _ => nearest,
        }
    }

    /// Both ends of an enclosure round to the same number.
    fn settle(&self, enclose: impl Fn(u32) -> MpInterval) -> Option<f64> {
        for precision in PRECISIONS {
            let v = enclose(precision);
            if !v.def.is_true() {
                return None;
            }
            let end = |x: &crate::num::mpfr::Float| Some(self.round(&x.to_rational()?));
            let (lo, hi) = (end(&v.lo)?, end(&v.hi)?);
            if lo == hi {
                return Some(lo);
            }
        }
        None
    }
}

impl Domain for Rounded<'_> {
    type Value = Option<f64>;
    fn input(&mut self, index: usize) -> Option<f64> {
        Some(self.round(&crate::num::float::rational(self.input[index])))
    }
    fn constant(&mut self, c: &Const) -> Option<f64> {
        match &c.value {
            ConstValue::Rational(r) => Some(self.round(r)),
            ConstValue::Named(n) => {
                self.settle(|precision| n.enclose(precision).unwrap_or_else(|| MpInterval::undefined(precision)))
            }
            ConstValue::Within(..) => None,
        }
    }
    fn boolean(&mut self, b: bool) -> Option<f64> {
        Some(f64::from(u8::from(b)))
    }
    fn undefined(&mut self) -> Option<f64> {
        None
    }
    fn unknown(&mut self) -> Option<f64> {
        None
    }
    fn apply(&mut self, op: Op, args: &[&Option<f64>]) -> Option<f64> {
        let args: Vec<f64> = args.iter().map(|x| **x).collect::<Option<_>>()?;
        // What comes after an overflow is not over the reals; no rounding is needed there.
        match args[..] {
            [x, y] if op == Op::Div && (y == 0.0 || !x.is_finite() || !y.is_finite()) => return Some(x / y),
            _ if args.iter().any(|x| !x.is_finite()) => return Some(op.point(&args)),
            _ => {}
        }
        let args: Vec<Rational> = args.into_iter().map(crate::num::float::rational).collect();
        // Exact where that is cheap: ties are settled only so.
        match op.exact(&args.iter().collect::<Vec<_>>()) {
            Exact::Value(v) => return Some(self.round(&v)),
            Exact::Undefined => return None,
            Exact::OfPi(_) | Exact::Unknown => {}
        }
        self.settle(|precision| {
            let points: Vec<MpInterval> = args.iter().map(|x| MpInterval::from_rational(x, precision)).collect();
            op.enclose(&points.iter().collect::<Vec<_>>(), precision)
        })
    }
    fn compare(&mut self, relation: Relation, a: &Option<f64>, b: &Option<f64>) -> Option<f64> {
        let order = (*a)?.partial_cmp(&(*b)?)?;
        self.boolean(relation.holds(order))
    }
    fn and(&mut self, a: &Option<f64>, b: &Option<f64>) -> Option<f64> {
        self.boolean((*a)? != 0.0 && (*b)? != 0.0)
    }
    fn not(&mut self, a: &Option<f64>) -> Option<f64> {
        self.boolean((*a)? == 0.0)
    }
    fn choose(&mut self, condition: &Option<f64>, then: &Option<f64>, otherwise: &Option<f64>) -> Option<f64> {
        if (*condition)? != 0.0 { *then } else { *otherwise }
    }
}
