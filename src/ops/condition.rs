//! Condition numbers of operators on boxes.

use super::domain::or_entire;
use crate::num::Interval;

const ONE: fn() -> Interval = || Interval::point(1.0);

/// `x_i p_i / y` for the values `y` and the derivatives `p`.
pub(super) fn from_derivatives<const N: usize>(x: [Interval; N], y: Interval, p: [Interval; N]) -> [Interval; N] {
    if y.contains(0.0) {
        return [Interval::ENTIRE; N];
    }
    std::array::from_fn(|i| or_entire(x[i] * p[i] / y))
}

/// `a / (a + b)`, the condition number of a sum for its first term, by a form in which each term occurs once.
pub(super) fn of_term(a: Interval, b: Interval) -> Interval {
    let share = if a.contains(0.0) {
        if b.contains(0.0) {
            return Interval::ENTIRE;
        }
        ONE() - (ONE() + a / b).recip()
    } else {
        (ONE() + b / a).recip()
    };
    let sum = a + b;
    if sum.contains(0.0) { Interval::ENTIRE } else { or_entire(share) }
}

/// The condition number of an odd function with derivative 1 at 0, even in x and monotone in |x| as far as `x` reaches,
/// from its value at 0, which is 1, and `at` points.
pub(super) fn even(x: Interval, at: impl Fn(Interval) -> Interval) -> Interval {
    let end = |t: f64| {
        if t == 0.0 {
            ONE()
        } else if t.is_finite() {
            at(Interval::point(t))
        } else {
            Interval::ENTIRE
        }
    };
    or_entire(end(x.mig()) | end(x.mag()))
}

/// A condition number that is monotone as far as `x` reaches, from its value at points other than 0, and 1 at 0.
pub(super) fn monotone(x: Interval, at: impl Fn(Interval) -> Interval) -> Interval {
    let end = |t: f64| {
        if t == 0.0 {
            ONE()
        } else if t.is_finite() {
            at(Interval::point(t))
        } else {
            Interval::ENTIRE
        }
    };
    or_entire(end(x.inf()) | end(x.sup()))
}
