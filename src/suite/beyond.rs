//! Parts of the domain on which f is beyond all numbers of the result format: there is no test on them.
//!
//! Ends of binary64 cannot tell numbers beyond binary64 from one another, those of multiple precision can.

use crate::cover::{Covered, Look, Order, cover};
use crate::csp::{InputBox, Pair};
use crate::num::float::rational;
use crate::num::mpfr::Float;
use crate::num::{Interval, MpInterval, Rational};
use crate::oracle::{Ends, tolerance};
use crate::solve::bisect::{box_width, halves};
use crate::spec::{Accuracy, Spec};
use crate::tape::eval::{Multi, mp_truth};
use crate::tape::evaluate;

/// The precision of f: only its size matters. Unit: bits.
const BITS: u32 = 64;
/// No box is cut after so many.
const BOXES: u64 = 64;

/// A number such that no result is within the tolerance where |f| is larger: four times the largest number of the result
/// format; none where tolerances are that large.
pub(super) fn beyond(spec: &Spec, accuracy: &Accuracy) -> Option<Rational> {
    let bound: Rational = rational(spec.result_format.max()) * 4;
    let size = Ends { lo: bound.clone(), hi: bound.clone() };
    // A tolerance is at most half of |f| from here on if it is at most a quarter here: an ulp is the same number for as
    // long as |f| does not double.
    (tolerance(&size, accuracy).hi * 4 <= bound).then_some(bound)
}

/// The boxes that show that at every input of a box at which the conditions of a pair hold and its f has a value, |f| is
/// larger than a bound.
pub(super) fn always_larger(pair: &Pair, domain: &InputBox, bound: &Rational) -> Option<u64> {
    let bound = MpInterval::from_rational(bound, BITS).hi;
    let mut values = Vec::new();
    let covered = cover([domain.ranges.clone()], Order::Newest, u64::MAX, |ranges: &Vec<Interval>, at| {
        let end = |x: f64| Float::with_val(BITS, x);
        let inputs: Vec<MpInterval> = ranges.iter().map(|r| MpInterval::new(end(r.inf()), end(r.sup()))).collect();
        evaluate(&pair.tape, &mut Multi { inputs: &inputs, precision: BITS }, &mut values);
        let f = &values[pair.f.index()];
        let outside = pair.conditions.iter().any(|c| mp_truth(&values[c.index()]).is_false());
        if outside || f.def.is_false() || f.lo > bound || f.hi < Float::with_val(BITS, -&bound) {
            return Look::Done;
        }
        let width = |i: &usize| box_width(&ranges[*i..=*i]);
        let widest = (0..ranges.len()).max_by(|a, b| width(a).total_cmp(&width(b)));
        let two = widest.filter(|_| at.count < BOXES).and_then(|i| halves(domain, ranges, i, at.depth));
        two.map_or(Look::End(()), Look::Cut)
    });
    if let Covered::All(boxes) = covered { Some(boxes) } else { None }
}
