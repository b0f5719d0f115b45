//! Parts of the domain on which no number of the result format is near enough to f: |f| is beyond all of them, or not 0
//! and below all the others. There is no test on them.
//!
//! Ends of binary64 cannot tell such numbers from infinity and from 0, those of multiple precision can.

use crate::cover::{Covered, Order, PartLook, cover};
use crate::csp::Pair;
use crate::equiv::Prover;
use crate::floats::Format;
use crate::num::float::rational;
use crate::num::mpfr::Float;
use crate::num::{Interval, MpInterval, Rational, Ternary};
use crate::ops::Op;
use crate::oracle::{Ends, tolerance};
use crate::solve::bisect::{box_width, halves};
use crate::spec::{Accuracy, InputBox, Spec};
use crate::suite::state::dyadic::Quotient;
use crate::suite::{EquivalenceProof, NoTest, Status};
use crate::tape::chain::ChainLink;
use crate::tape::eval::{Multi, mp_truth};
use crate::tape::{NodeId, Tape, TapeNode, evaluate};

/// The precision of f: only its size matters. Unit: bits.
const BITS: u32 = 64;
/// Term operations for the normal form of f on a region: what is larger is mostly beyond any limit.
const FUEL: u64 = 1 << 14;
/// A function is enclosed link by link where it has so many: some rounds of an iteration.
const LINKS: usize = 3;
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

/// A function as a chain of others, of which each is enclosed by its normal form. In an iteration that comes near to a limit the
/// normal form of a round shows what its terms hide, and that of all rounds is beyond any limit.
struct Chain<'t> {
    links: &'t [ChainLink],
    provers: Vec<Prover<'t>>,
}

/// Whether a function is a rational number at all inputs, which are. Proofs by normal forms rest on it: no rational number but
/// 0 is a zero of the sine.
fn is_rational(tape: &Tape, f: NodeId) -> bool {
    let is_whole = |n: NodeId| tape.rational(n).is_some_and(|n| n.is_integer());
    tape.below(&[f]).into_iter().all(|id| match tape.node(id) {
        TapeNode::Const(_) => tape.rational(id).is_some(),
        TapeNode::Op(Op::Pow, [_, n, _]) => is_whole(n),
        TapeNode::Op(op, _) => {
            matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Fma | Op::Neg | Op::Fabs | Op::Fmin | Op::Fmax)
        }
        TapeNode::Unknown(..) => false,
        _ => true,
    })
}

impl<'t> Chain<'t> {
    fn new(links: &'t [ChainLink]) -> Self {
        let prover = |link: &'t ChainLink| {
            // What the link before gives may be any rational number.
            let anywhere = vec![Interval::ENTIRE; link.tape.inputs()];
            let formats = vec![Format::BINARY64; link.tape.inputs()];
            Prover::new(&link.tape, &InputBox { ranges: anywhere, formats }, &[]).with_fuel(FUEL)
        };
        Chain { links, provers: links.iter().map(prover).collect() }
    }

    /// Encloses the function on a box of inputs, and says whether it has a value on all of it.
    fn enclose(&mut self, inputs: &[MpInterval]) -> Option<MpInterval> {
        let (mut values, mut is_defined) = (Vec::new(), Ternary::True);
        let last = self.links.iter().zip(&mut self.provers).try_fold(inputs.to_vec(), |at, (link, prover)| {
            evaluate(&link.tape, &mut Multi { inputs: &at, precision: BITS }, &mut values);
            let whole = values[link.root.index()].clone();
            let by_form = prover.enclose(link.root, &at, BITS);
            let known = match by_form {
                Some(form) => MpInterval { lo: whole.lo.max(&form.lo), hi: whole.hi.min(&form.hi), def: whole.def },
                None => whole,
            };
            is_defined = is_defined & known.def;
            (known.lo <= known.hi).then(|| vec![known])
        });
        Some(last?.pop()?.with_def(is_defined))
    }
}

/// A cover of a box that shows that it holds no test.
pub(in crate::suite) struct NeverNear {
    /// The boxes looked at.
    pub(in crate::suite) boxes: u64,
    /// Whether f surely has a value wherever the conditions hold.
    pub(in crate::suite) has_values: bool,
    /// Whether at none of its inputs the conditions hold and f has a value.
    is_empty: bool,
}

impl NeverNear {
    /// What it says of a mutant that differs on the box alone.
    pub(in crate::suite) fn status(&self) -> Status {
        let boxes = self.boxes;
        if self.is_empty {
            Status::Equivalent(EquivalenceProof::EmptyRegion { boxes })
        } else {
            Status::Indistinguishable(EquivalenceProof::NoTest(NoTest { inputs: 0, boxes }))
        }
    }
}

/// Prove that at every input of a box at which the conditions of a pair hold and its f has a value, no result can be near
/// enough to f.
pub(in crate::suite) fn never_near(pair: &Pair, domain: &InputBox, sizes: &Unreachable) -> Option<NeverNear> {
    let (mut is_empty, mut has_values) = (true, true);
    let mut values = Vec::new();
    let mut prover = Prover::new(&pair.tape, domain, &pair.conditions).with_fuel(FUEL);
    let mut quotient: Option<Option<Quotient>> = None;
    let links = if is_rational(&pair.tape, pair.f) { pair.tape.chain(pair.f) } else { Vec::new() };
    let mut chain = (links.len() >= LINKS).then(|| Chain::new(&links));
    let is_nonzero = sizes.beneath.is_some() && prover.prove_nonzero(pair.f);
    let covered = cover([domain.ranges.clone()], Order::Newest, u64::MAX, |ranges: &Vec<Interval>, at| {
        let end = |x: f64| Float::with_val(BITS, x);
        let inputs: Vec<MpInterval> = ranges.iter().map(|r| MpInterval::new(end(r.inf()), end(r.sup()))).collect();
        evaluate(&pair.tape, &mut Multi { inputs: &inputs, precision: BITS }, &mut values);
        let f = &values[pair.f.index()];
        let outside = pair.conditions.iter().any(|c| mp_truth(&values[c.index()]).is_false());
        let holds = |f: &MpInterval| sizes.hold_all(f, is_nonzero);
        if outside || f.def.is_false() {
            has_values &= outside;
            return PartLook::Done;
        }
        let mut is_multiple = || {
            let beyond = sizes.beyond.as_ref().and_then(Float::get_exp);
            let quotient = quotient.get_or_insert_with(|| Quotient::new(&pair.tape, pair.f, domain.ranges.len()));
            beyond.zip(quotient.as_ref()).is_some_and(|(e, q)| q.is_beyond(i64::from(e), domain, ranges))
        };
        let by_links = chain.as_mut().and_then(|chain| chain.enclose(&inputs));
        let is_shown = holds(f)
            || prover.enclose(pair.f, &inputs, BITS).is_some_and(|f| holds(&f))
            || is_multiple()
            || by_links.as_ref().is_some_and(holds);
        if is_shown {
            is_empty = false;
            has_values &= f.def.is_true() || by_links.is_some_and(|f| f.def.is_true());
            return PartLook::Done;
        }
        let width = |i: &usize| box_width(&ranges[*i..=*i]);
        let widest = (0..ranges.len()).max_by(|a, b| width(a).total_cmp(&width(b)));
        let two = widest.filter(|_| at.count < BOXES).and_then(|i| halves(domain, ranges, i, at.depth));
        two.map_or(PartLook::End(()), PartLook::Cut)
    });
    let Covered::All(boxes) = covered else { return None };
    Some(NeverNear { boxes, has_values, is_empty })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::Constant;
    use crate::tape::Builder;

    #[test]
    fn functions_of_rational_numbers_alone_are_chains() {
        let mut b = Builder::new(1);
        let (x, three, half) = (b.var(0), b.rational(3.into()), b.rational(Rational::from((1, 2))));
        let pi = b.constant(crate::tape::node::ConstValue::Named(Constant::Pi));
        let cube = b.op(Op::Pow, &[x, three]);
        let (quotient, positive) = (b.op(Op::Div, &[cube, half]), b.less(half, x));
        let chosen = b.choose(positive, quotient, x);
        let others = [b.op(Op::Pow, &[x, half]), b.op(Op::Sin, &[x]), b.op(Op::Mul, &[x, pi]), b.op(Op::Sqrt, &[x])];
        let tape = b.finish();
        assert!(is_rational(&tape, chosen));
        assert_eq!(others.map(|f| is_rational(&tape, f)), [false; 4]);
    }
}
