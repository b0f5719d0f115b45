//! Parts of the domain on which no number of the result format is near enough to f: |f| is beyond all of them, or not 0
//! and below all the others. There is no test on them.
//!
//! Ends of binary64 cannot tell such numbers from infinity and from 0, those of multiple precision can.

use crate::cover::{Covered, Order, PartLook, cover};
use crate::csp::Pair;
use crate::equiv::Prover;
use crate::num::float::rational;
use crate::num::mpfr::Float;
use crate::num::{Interval, MpInterval, Rational};
use crate::oracle::{Ends, tolerance};
use crate::solve::bisect::{box_width, halves};
use crate::spec::{Accuracy, InputBox, Spec};
use crate::suite::state::dyadic::Quotient;
use crate::suite::{EquivalenceProof, NoTest, Status};
use crate::tape::eval::{Multi, mp_truth};
use crate::tape::evaluate;

/// The precision of f: only its size matters. Unit: bits.
const BITS: u32 = 64;
/// Term operations for the normal form of f on a region: what is larger is mostly beyond any limit.
const FUEL: u64 = 1 << 14;
/// No box is cut after so many.
const BOXES: u64 = 64;

/// A number such that no result is within the tolerance where |f| is larger: four times the largest number of the result
/// format; none where tolerances are that large.
pub(in crate::suite) fn beyond(spec: &Spec, accuracy: &Accuracy) -> Option<Rational> {
    let bound: Rational = rational(spec.result_format.max()) * 4;
    let size = Ends { lo: bound.clone(), hi: bound.clone() };
    // A tolerance is at most half of |f| from here on if it is at most a quarter here: an ulp is the same number for as
    // long as |f| does not double.
    (tolerance(&size, accuracy).hi * 4 <= bound).then_some(bound)
}

/// A number such that no result is within the tolerance where |f| is smaller and not 0: half of the least positive number
/// of the result format; none where tolerances do not shrink with |f|, or hold 0.
fn beneath(spec: &Spec, accuracy: &Accuracy) -> Option<Rational> {
    let shrinks = accuracy.abs.as_ref().is_none_or(|a| *a == 0) && accuracy.ulps.is_none();
    let least = spec.result_format.next_up(0.0)?;
    (shrinks && accuracy.rel.as_ref().is_none_or(|r| *r < 1)).then(|| rational(least) / 2)
}

/// The sizes of f at which no result of a specification can be near enough.
pub(in crate::suite) struct Unreachable {
    beyond: Option<Float>,
    beneath: Option<Float>,
}

impl Unreachable {
    /// Those of a specification; none if there are none.
    pub(in crate::suite) fn new(spec: &Spec, accuracy: &Accuracy) -> Option<Self> {
        let above = |bound: Rational| MpInterval::from_rational(&bound, BITS).hi;
        let below = |bound: Rational| MpInterval::from_rational(&bound, BITS).lo;
        let sizes =
            Unreachable { beyond: beyond(spec, accuracy).map(above), beneath: beneath(spec, accuracy).map(below) };
        (sizes.beyond.is_some() || sizes.beneath.is_some()).then_some(sizes)
    }

    /// Whether all values of f are of such sizes. `is_nonzero`: f is 0 nowhere.
    fn hold_all(&self, f: &MpInterval, is_nonzero: bool) -> bool {
        let beyond = self.beyond.as_ref().is_some_and(|b| f.lo > *b || -f.hi.clone() > *b);
        let nonzero = is_nonzero || f.lo > 0 || f.hi < 0;
        beyond || (nonzero && self.beneath.as_ref().is_some_and(|b| f.hi < *b && -f.lo.clone() < *b))
    }
}

/// Prove that at every input of a box at which the conditions of a pair hold and its f has a value, no result can be near
/// enough to f: the claim about a mutant that differs there alone.
pub(in crate::suite) fn never_near(pair: &Pair, domain: &InputBox, sizes: &Unreachable) -> Option<Status> {
    let mut is_empty = true;
    let mut values = Vec::new();
    let mut prover = Prover::new(&pair.tape, domain, &pair.conditions).with_fuel(FUEL);
    let mut quotient: Option<Option<Quotient>> = None;
    let is_nonzero = sizes.beneath.is_some() && prover.prove_nonzero(pair.f);
    let covered = cover([domain.ranges.clone()], Order::Newest, u64::MAX, |ranges: &Vec<Interval>, at| {
        let end = |x: f64| Float::with_val(BITS, x);
        let inputs: Vec<MpInterval> = ranges.iter().map(|r| MpInterval::new(end(r.inf()), end(r.sup()))).collect();
        evaluate(&pair.tape, &mut Multi { inputs: &inputs, precision: BITS }, &mut values);
        let f = &values[pair.f.index()];
        let outside = pair.conditions.iter().any(|c| mp_truth(&values[c.index()]).is_false());
        let holds = |f: &MpInterval| sizes.hold_all(f, is_nonzero);
        if outside || f.def.is_false() {
            return PartLook::Done;
        }
        let mut is_multiple = || {
            let beyond = sizes.beyond.as_ref().and_then(Float::get_exp);
            let quotient = quotient.get_or_insert_with(|| Quotient::new(&pair.tape, pair.f, domain.ranges.len()));
            beyond.zip(quotient.as_ref()).is_some_and(|(e, q)| q.is_beyond(i64::from(e), domain, ranges))
        };
        if holds(f) || prover.enclose(pair.f, &inputs, BITS).is_some_and(|f| holds(&f)) || is_multiple() {
            is_empty = false;
            return PartLook::Done;
        }
        let width = |i: &usize| box_width(&ranges[*i..=*i]);
        let widest = (0..ranges.len()).max_by(|a, b| width(a).total_cmp(&width(b)));
        let two = widest.filter(|_| at.count < BOXES).and_then(|i| halves(domain, ranges, i, at.depth));
        two.map_or(PartLook::End(()), PartLook::Cut)
    });
    let Covered::All(boxes) = covered else { return None };
    Some(if is_empty {
        Status::Equivalent(EquivalenceProof::EmptyRegion { boxes })
    } else {
        Status::Indistinguishable(EquivalenceProof::NoTest(NoTest { inputs: 0, boxes }))
    })
}
