//! What is known of the value of one operation on a box.

use super::local::{Computed, Local};
use crate::num::directed::{add_up, div_up, mul_up};
use crate::num::{Interval, Ternary};
use crate::ops::MAX_ARITY;

const ZERO: fn() -> Interval = || Interval::point(0.0);
const ONE: fn() -> Interval = || Interval::point(1.0);
const EITHER: fn() -> Interval = || Interval::new(0.0, 1.0);
const INF: f64 = f64::INFINITY;

/// An upper bound of a product of bounds: 0 times anything is 0.
pub(super) fn product(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { mul_up(a, b) }
}

/// The error of values in `x` by a bound relative to them; infinite where there is none, whatever the values.
pub(super) fn share_of(relative: f64, x: Interval) -> f64 {
    if relative == INF { INF } else { mul_up(relative, x.mag()) }
}

/// What is known of a step on a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    /// The computed values.
    pub(super) computed: Computed,
    /// The computed values, the exact ones, and those of the program of which only the first so many steps round:
    /// whatever their number, the value of this step is in it.
    pub(super) between: Interval,
    /// What this step's own rounding adds at most, see [`Local`].
    pub(super) error: f64,
    /// The same relative to the value, see [`Local`].
    pub(super) share: f64,
    /// A bound of the distance of the computed from the exact value; of a truth value, 0 if they are surely the same.
    pub(super) absolute: f64,
    /// A bound of that distance relative to the exact value: where that is 0, so is the computed one.
    pub(super) relative: f64,
    /// The derivatives by the operands on `between`.
    pub(super) partials: [Interval; MAX_ARITY],
    /// Whether every value is surely a finite number.
    pub(super) sound: bool,
}

impl Fact {
    /// Nothing is known, not even that there is a value.
    pub(super) fn nothing() -> Self {
        Fact {
            computed: Computed { range: Interval::ENTIRE, grid: -(1 << 20), bits: 1 << 20 },
            between: Interval::ENTIRE,
            error: INF,
            share: INF,
            absolute: INF,
            relative: INF,
            partials: [Interval::ENTIRE; MAX_ARITY],
            sound: false,
        }
    }

    /// A truth value; `same`: whether computed and exact ones are surely the same.
    pub(super) fn truth(t: Ternary, same: bool) -> Self {
        let x = match t {
            Ternary::True => ONE(),
            Ternary::False => ZERO(),
            Ternary::Unknown => EITHER(),
        };
        Fact {
            computed: Computed { range: x, grid: 0, bits: 1 },
            between: x,
            error: 0.0,
            share: 0.0,
            absolute: if same || t != Ternary::Unknown { 0.0 } else { INF },
            relative: INF,
            partials: [ZERO(); MAX_ARITY],
            sound: true,
        }
    }

    pub(super) fn as_truth(&self) -> Ternary {
        Ternary::decide(self.between.inf() == 1.0, self.between.sup() == 0.0)
    }

    /// The same where the exact values are known to be in a range as well.
    pub(super) fn within(self, exact: Interval) -> Fact {
        if !self.sound || exact == Interval::ENTIRE {
            return self;
        }
        // Each of the values is as near to the exact one as the computed one is.
        let mut near = exact + Interval::new(-self.absolute, self.absolute);
        if self.relative < 1.0 {
            near = near & (exact * (ONE() + Interval::new(-self.relative, self.relative)));
        }
        let (range, between) = (self.computed.range & near, self.between & near);
        // No input of the domain is in the box.
        if range.is_empty() || between.is_empty() {
            return self;
        }
        let relative =
            if exact.mig() > 0.0 { self.relative.min(div_up(self.absolute, exact.mig())) } else { self.relative };
        Fact { computed: Computed { range, ..self.computed }, between, relative, ..self }
    }

    /// From a rounding and the range of the exact values at whatever operands.
    pub(super) fn new(local: Local, values: Interval, partials: [Interval; MAX_ARITY], before: (f64, f64)) -> Self {
        let Some(computed) = local.computed else { return Fact::nothing() };
        if !values.is_bounded() {
            return Fact::nothing();
        }
        let between = computed.range | values;
        let relative = add_up(add_up(before.1, local.share), product(before.1, local.share));
        let absolute = add_up(before.0, local.error);
        Fact {
            computed,
            between,
            error: local.error,
            share: local.share,
            absolute: absolute.min(share_of(relative, between)),
            relative,
            partials,
            sound: true,
        }
    }
}
