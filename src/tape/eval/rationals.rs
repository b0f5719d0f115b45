//! Exact numbers at a point.

use super::{Deciding, Domain, Relation};
use crate::num::{Rational, Ternary};
use crate::ops::{Exact, Op};
use crate::tape::node::{Const, ConstValue};
use crate::tape::pi::{apply_to_pi, multiple_of_pi, order};

/// Exact arithmetic at one input, as far as values are known to be rational, or rational multiples of pi.
pub struct Rationals<'a> {
    /// The exact input.
    pub inputs: &'a [Rational],
}

impl Rationals<'_> {
    fn truth(b: bool) -> Exact {
        Exact::Value(Rational::from(u8::from(b)))
    }
}

/// The rational operands of `args`, or what the result is without them.
fn values<'v>(args: &[&'v Exact]) -> Result<Vec<&'v Rational>, Exact> {
    if args.iter().any(|a| **a == Exact::Undefined) {
        return Err(Exact::Undefined);
    }
    args.iter().map(|a| if let Exact::Value(v) = a { Ok(v) } else { Err(Exact::Unknown) }).collect()
}

impl Deciding for Rationals<'_> {
    fn decide(&self, condition: &Exact) -> Ternary {
        match condition {
            Exact::Value(v) => Ternary::decide(*v == 1, *v == 0),
            _ => Ternary::Unknown,
        }
    }
    fn has_value(&self, value: &Exact) -> bool {
        matches!(value, Exact::Value(_) | Exact::OfPi(_))
    }
}

impl Domain for Rationals<'_> {
    type Value = Exact;
    fn input(&mut self, index: usize) -> Exact {
        Exact::Value(self.inputs[index].clone())
    }
    fn constant(&mut self, c: &Const) -> Exact {
        match &c.value {
            ConstValue::Rational(r) => Exact::Value(r.clone()),
            ConstValue::Named(c) => multiple_of_pi(*c).map_or(Exact::Unknown, Exact::OfPi),
            ConstValue::Within(..) => Exact::Unknown,
        }
    }
    fn boolean(&mut self, b: bool) -> Exact {
        Self::truth(b)
    }
    fn undefined(&mut self) -> Exact {
        Exact::Undefined
    }
    fn unknown(&mut self) -> Exact {
        Exact::Unknown
    }
    fn unknown_unless(&mut self, has_none: &Exact) -> Exact {
        if self.decide(has_none) == Ternary::True { Exact::Undefined } else { Exact::Unknown }
    }
    fn apply(&mut self, op: Op, args: &[&Exact]) -> Exact {
        match values(args) {
            Ok(v) => op.exact(&v),
            Err(e) => apply_to_pi(op, args).unwrap_or(e),
        }
    }
    fn compare(&mut self, relation: Relation, a: &Exact, b: &Exact) -> Exact {
        match values(&[a, b]) {
            Ok(v) => Self::truth(relation.holds(v[0].cmp(v[1]))),
            Err(e) => order(a, b).map_or(e, |o| Self::truth(relation.holds(o))),
        }
    }
    fn and(&mut self, a: &Exact, b: &Exact) -> Exact {
        match values(&[a, b]) {
            Ok(v) => Self::truth(*v[0] != 0 && *v[1] != 0),
            Err(e) => e,
        }
    }
    fn not(&mut self, a: &Exact) -> Exact {
        match values(&[a]) {
            Ok(v) => Self::truth(*v[0] == 0),
            Err(e) => e,
        }
    }
    fn choose(&mut self, c: &Exact, t: &Exact, e: &Exact) -> Exact {
        match c {
            Exact::Value(v) => {
                if *v == 0 {
                    e.clone()
                } else {
                    t.clone()
                }
            }
            other => other.clone(),
        }
    }
}
