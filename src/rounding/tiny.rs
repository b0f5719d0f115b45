//! Errors of results near the least number of binary64. Bounds in binary64 numbers are of no use there: none of them is
//! below that number itself, which is more than the tolerance. So an error is the sum of a share of the exact value, and of
//! so many times the least number.
//!
//! Two numbers of the format are at least the least number apart. Where the error and the tolerance together are less than
//! that, a number that is within the tolerance can only be what the program returns.

use super::fact::{Fact, product};
use super::units::{significant_bits, trailing_exponent};
use crate::num::directed::{add_up, div_up, mul_up};
use crate::num::{Interval, Ternary};
use crate::ops::{MAX_ARITY, Op};
use crate::program::{Node, Program, Step};

/// Results of at most this magnitude are looked at.
pub(super) const MOST: f64 = 1e-280;
/// 2^537: its square times the least number is 1.
const HALF_WAY: f64 = f64::from_bits((1023 + 537) << 52);
/// Relative errors from here on are of no use.
const COARSE: f64 = 1e-6;
const INF: f64 = f64::INFINITY;

/// A bound of the distance of a computed from the exact value v.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Error {
    /// So many times |v|,
    share: f64,
    /// and so many times the least number.
    least: f64,
}

impl Error {
    const UNKNOWN: Error = Error { share: INF, least: INF };

    fn plus(self, other: Error) -> Error {
        Error { share: add_up(self.share, other.share), least: add_up(self.least, other.least) }
    }
}

/// How a program errs where its results are that small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Small {
    /// By at most this share of the exact value.
    Within(f64),
    /// What it returns is within the tolerance wherever any number of the format is.
    Best,
}

/// A bound of the error of the last step on a box on which the exact values are in a range, for a relative tolerance.
pub(super) fn error(program: &Program, facts: &[Fact], exact: Interval, tolerance: f64) -> Option<Small> {
    if exact.mag() > MOST || !program.format().is_binary64() {
        return None;
    }
    let mut errors: Vec<Error> = Vec::with_capacity(facts.len());
    for (node, fact) in program.nodes().iter().zip(facts) {
        let operands = node.step.operands().map(|o| (errors.get(o.index()).copied(), facts.get(o.index())));
        let operands = operands.map(|(e, f)| (e.unwrap_or(Error::UNKNOWN), f.unwrap_or(fact)));
        errors.push(of_node(node, &operands, fact));
    }
    let Error { share, least } = *errors.last()?;
    if share > COARSE || least == INF {
        return None;
    }
    // The least |v|, and the largest, in units of the least number.
    let (few, many) = (in_least(exact.mig()), in_least(exact.mag()));
    let whole = if least == 0.0 { share } else { add_up(share, div_up(least, few)) };
    if whole <= tolerance {
        return Some(Small::Within(whole));
    }
    let reach = add_up(mul_up(add_up(share, tolerance.next_up()), many), least);
    Some(if reach < 1.0 { Small::Best } else { Small::Within(whole) })
}

/// A magnitude of at most [`MOST`] in units of the least number: exact.
fn in_least(x: f64) -> f64 {
    x * HALF_WAY * HALF_WAY
}

/// The error of a node by those of its operands.
fn of_node(node: &Node, operands: &[(Error, &Fact); MAX_ARITY], fact: &Fact) -> Error {
    let step = &node.step;
    if !fact.sound {
        return Error::UNKNOWN;
    }
    if fact.relative <= COARSE {
        return Error { share: fact.relative, least: 0.0 };
    }
    let [a, b, c] = *operands;
    let carried = match step {
        Step::Op(Op::Neg | Op::Fabs, _) | Step::Convert(_) => a.0,
        Step::Op(Op::Add, _) => sum((a.0, a.1.between), (b.0, b.1.between)),
        Step::Op(Op::Sub, _) => sum((a.0, a.1.between), (b.0, -b.1.between)),
        Step::Op(Op::Mul, _) => times(a, b),
        Step::Op(Op::Fma, _) => sum((times(a, b), a.1.between * b.1.between), (c.0, c.1.between)),
        Step::Op(Op::Div, _) => over(a, b),
        Step::If(..) => match a.1.as_truth() {
            Ternary::True => b.0,
            Ternary::False => c.0,
            Ternary::Unknown => Error::UNKNOWN,
        },
        _ => Error::UNKNOWN,
    };
    if fact.error == 0.0 {
        return carried;
    }
    // The least number is that of binary64.
    if !node.format.is_binary64() {
        return Error::UNKNOWN;
    }
    carried.plus(rounding(step, operands, carried))
}

/// What the rounding of a step adds: half a unit in the last place, which among subnormal numbers is half of the least.
fn rounding(step: &Step, [a, b, _]: &[(Error, &Fact); MAX_ARITY], carried: Error) -> Error {
    let unit = f64::EPSILON / 2.0;
    let local = match step {
        Step::Op(Op::Div, _) => quotient(b.1.computed.range),
        // Nothing is further from the nearest number than from 0.
        Step::Op(Op::Mul, _) => {
            let [x, y] = [a, b].map(|o| o.1.computed.range.mag());
            let size = if x.min(y) <= MOST { product(in_least(x.min(y)), x.max(y)) } else { INF };
            if size < 0.5 {
                return Error { share: 0.0, least: size };
            }
            Error { share: 0.0, least: 0.5 }
        }
        _ => Error { share: 0.0, least: 0.5 },
    };
    // A share of the value before rounding, which is v and what is carried.
    let own = add_up(unit, local.share);
    Error { share: mul_up(own, add_up(1.0, carried.share)), least: add_up(local.least, mul_up(own, carried.least)) }
}

/// How far a subnormal quotient by a number in a range is from the numbers of the format at most: by q 2^e, with an odd q
/// and an e of at most 0, the quotients are multiples of a q-th of the least number, never half way between two of its
/// multiples, and so at least half a q-th of it away from there. Of others that differ by a share this is as true but for it.
fn quotient(by: Interval) -> Error {
    // Some number of few digits.
    let near = f64::from(by.mid() as f32).abs();
    let half = Error { share: 0.0, least: 0.5 };
    if near == 0.0 || !near.is_finite() || significant_bits(near) > 20 || trailing_exponent(near) > 0 {
        return half;
    }
    let q = near * 2f64.powi(-trailing_exponent(near));
    let apart = (by.abs() - Interval::point(near)).mag();
    // |a / b - a / near| = |a / b| |b - near| / near
    Error { share: div_up(apart, near), least: add_up(0.5, -0.5 / q) }
}

fn sum(a: (Error, Interval), b: (Error, Interval)) -> Error {
    let mut conditions = [Interval::ENTIRE; 2];
    Op::Add.conditions(&[a.1, b.1], &mut conditions);
    let mut all = Error { share: 0.0, least: add_up(a.0.least, b.0.least) };
    for ((error, x), condition) in [a, b].into_iter().zip(conditions) {
        let share = product(condition.mag(), error.share);
        if share <= COARSE {
            all.share = add_up(all.share, share);
        } else {
            let size = if x.mag() <= MOST { in_least(x.mag()) } else { INF };
            all.least = add_up(all.least, product(error.share, size));
        }
    }
    all
}

fn times(a: (Error, &Fact), b: (Error, &Fact)) -> Error {
    let grown = |e: Error| add_up(1.0, e.share);
    let share = add_up(add_up(a.0.share, b.0.share), product(a.0.share, b.0.share));
    // (a + s |a| + m l) (b + t |b| + n l), with the least number l below 1.
    let one = product(product(a.0.least, b.1.between.mag()), grown(b.0));
    let other = product(product(b.0.least, a.1.between.mag()), grown(a.0));
    let both = product(product(a.0.least, b.0.least), f64::from_bits(1));
    Error { share, least: add_up(add_up(one, other), both) }
}

fn over(a: (Error, &Fact), b: (Error, &Fact)) -> Error {
    let by = b.1.between.mig();
    if by == 0.0 {
        return Error::UNKNOWN;
    }
    let change = add_up(b.0.share, div_up(product(b.0.least, f64::from_bits(1)), by));
    let kept = -add_up(change, -1.0);
    if kept <= 0.0 {
        return Error::UNKNOWN;
    }
    Error { share: div_up(add_up(a.0.share, change), kept), least: div_up(div_up(a.0.least, by), kept) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rational;
    use crate::num::float::rational;

    /// Quotients are counted in least numbers, of which the dividends are multiples.
    #[test]
    fn subnormal_quotients_are_as_far_from_half_way_as_is_said() {
        for near in [3.0, -3.0, 5.0, 1.5, 0.75, 10.5, 1023.0, 2.0, 6.0, 0.1, 1.0 / 3.0] {
            let said = quotient(Interval::new(near, near));
            let by = rational(near);
            for k in 1..2000 {
                let q = Rational::from(k) / by.clone().abs();
                let away = (&q - q.clone().round()).abs();
                assert!(away <= rational(said.least) + rational(said.share) * &q, "{near} {k}: {said:?}");
            }
            // An odd number, over a power of two, keeps all quotients away from there.
            let is_odd = [3.0, 5.0, 1.5, 0.75, 10.5, 1023.0].contains(&near.abs());
            assert!(said.least < 0.5 || !is_odd, "{near}: {said:?}");
        }
    }

    #[test]
    fn what_is_not_known_to_have_a_value_has_no_bound() {
        use crate::floats::Format;
        use crate::program::Id;
        let node = Node { step: Step::Convert(Id::at(0)), format: Format::BINARY64 };
        let sound = Fact { error: 0.0, relative: INF, sound: true, ..Fact::nothing() };
        let own = Error { share: 0.0, least: 3.0 };
        let of = |fact: &Fact| of_node(&node, &[(own, fact); MAX_ARITY], fact);
        assert_eq!([of(&sound), of(&Fact { sound: false, ..sound })], [own, Error::UNKNOWN]);
        let near = Fact { relative: COARSE / 2.0, ..sound };
        assert_eq!(of(&near), Error { share: COARSE / 2.0, least: 0.0 });
    }
}
