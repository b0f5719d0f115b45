//! Bounds of the error that operations carry on from their operands, absolute and relative.

use super::fact::{Fact, product};
use crate::floats::Format;
use crate::num::Interval;
use crate::num::directed::{add_up, div_up, mul_up};
use crate::ops::{MAX_ARITY, Op};

const INF: f64 = f64::INFINITY;

/// A growth by the factor e^t or less from 1, less 1.
pub(super) fn growth(t: f64) -> f64 {
    // e^t - 1 <= t + t^2 for t <= 1.
    if t <= 1.0 { add_up(t, mul_up(t, t)) } else { INF }
}

/// |log(1 + d)| for |d| <= r is at most r / (1 - r).
pub(super) fn log_change(r: f64) -> f64 {
    if r < 1.0 { div_up(r, -add_up(r, -1.0)) } else { INF }
}

/// A relative error, or what it does to a logarithm, times a share or a condition number. Of an operand without a bound that
/// is infinite, also where its exact value is 0 and so is the share: the computed one need not be.
fn weighted(share: f64, relative: f64) -> f64 {
    if relative == INF { INF } else { product(share, relative) }
}

/// The errors of the operands times the derivatives.
pub(super) fn carried(operands: &[&Fact], partials: &[Interval]) -> f64 {
    operands.iter().zip(partials).map(|(o, p)| product(o.absolute, p.mag())).fold(0.0, add_up)
}

/// What is known of the exact value of an operation beside what its operands say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside {
    /// It is in it.
    pub(super) exact: Interval,
    /// The largest shares that the terms of a sum have in it; infinite where they are not known.
    pub(super) shares: [f64; 2],
    /// The product of a fused multiply-add is in it.
    pub(super) product: Interval,
}

/// The relative error of an exact operation at operands with relative errors.
pub(super) fn relative(op: Op, operands: &[&Fact], x: &[Interval], beside: &Beside) -> f64 {
    let r = |k: usize| operands[k].relative;
    if operands.iter().all(|o| o.relative == 0.0) {
        return 0.0;
    }
    if op != Op::Exp && operands.iter().all(|o| o.relative == INF) {
        return INF;
    }
    let times = |a: f64, b: f64| add_up(add_up(a, b), product(a, b));
    let sum = |a: Interval, ra: f64, b: Interval, rb: f64| {
        if (a.inf() >= 0.0 && b.inf() >= 0.0) || (a.sup() <= 0.0 && b.sup() <= 0.0) {
            return ra.max(rb);
        }
        let mut c = [Interval::ENTIRE; 2];
        Op::Add.conditions(&[a, b], &mut c);
        let [sa, sb] = [0, 1].map(|k| c[k].mag().min(beside.shares[k]));
        add_up(weighted(sa, ra), weighted(sb, rb))
    };
    match op {
        Op::Mul => times(r(0), r(1)),
        Op::Div if r(1) < 1.0 => div_up(add_up(r(0), r(1)), -add_up(r(1), -1.0)),
        Op::Div => INF,
        Op::Sqrt if r(0) <= 0.5 => mul_up(mul_up(0.5, r(0)), add_up(1.0, r(0))),
        Op::Neg | Op::Fabs | Op::Copysign => r(0),
        Op::Fmin | Op::Fmax => r(0).max(r(1)),
        Op::Add => sum(x[0], r(0), x[1], r(1)),
        Op::Sub => sum(x[0], r(0), -x[1], r(1)),
        Op::Fma => sum((x[0] * x[1]) & beside.product, times(r(0), r(1)), x[2], r(2)),
        // e^(x + d) = e^x e^d: what is added to the operand counts as it is, also where the operand may be 0.
        Op::Exp => growth(operands[0].absolute.min(weighted(x[0].mag(), log_change(r(0))))),
        _ if op.range(Format::BINARY64).is_some() => {
            let mut c = [Interval::ENTIRE; MAX_ARITY];
            op.conditions(x, &mut c[..x.len()]);
            let change = |(o, c): (&&Fact, &Interval)| weighted(c.mag(), log_change(o.relative));
            growth(operands.iter().zip(&c).map(change).fold(0.0, add_up))
        }
        _ => INF,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_what_has_no_bound_has_none() {
        for share in [0.0, 1e-300, 1.0, INF] {
            assert_eq!(weighted(share, INF), INF);
        }
        assert_eq!([weighted(0.0, 0.25), weighted(3.0, 0.25), weighted(3.0, 0.0)], [0.0, 0.75, 0.0]);
    }
}
