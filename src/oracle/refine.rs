//! What a higher precision needs to compute anew: from a function backward, each node only as precisely as the nodes that
//! use it need it, and not at all where it is known so well already.
//!
//! The precisions only decide what is computed: every value stays an enclosure, whatever was guessed of the bits that an
//! operator loses.

use crate::halt;
use crate::num::mpfr::Float;
use crate::num::{MpInterval, Ternary};
use crate::ops::{Exact, Op};
use crate::tape::eval::{Multi, decided, step};
use crate::tape::{NodeId, Tape, TapeNode};
use std::collections::BTreeMap;

/// What is added to the bits that are wanted of a node, for the rounding of its operation and guesses that are too low.
/// Unit: bits.
const GUARD: u32 = 32;

/// What is first wanted of a value of which nothing is known yet. Unit: bits.
const FEW_BITS: u32 = 64;

/// The part of a precision that is shown of a value: what is still open then is as near to an end of its tolerance as numbers
/// rarely are.
const SHOWN: u32 = 4;

/// How well a node should be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// The node.
    pub(super) node: NodeId,
    /// Its precision. Unit: bits.
    pub(super) bits: u32,
}

/// What is known of the nodes of a tape at one input.
pub(super) trait Known {
    /// An enclosure of the node.
    fn enclosure(&self, node: NodeId) -> &MpInterval;
    /// What exact arithmetic says of it.
    fn exact(&self, node: NodeId) -> &Exact;
    /// Gets ready for a plan; none where the work is to end early.
    fn prepare(&mut self, _plan: &[Wanted]) -> Option<()> {
        Some(())
    }
    /// Whether the node's enclosure is to be replaced by a better one.
    fn can_improve(&self, _node: NodeId) -> bool {
        true
    }
    /// A better enclosure.
    fn improve(&mut self, node: NodeId, enclosure: MpInterval);
}

/// The nodes to compute anew so that `root` is known to so many bits, in evaluation order; `precision` is the most that any
/// node is computed with.
fn plan(tape: &Tape, root: Wanted, precision: u32, known: &impl Known) -> Vec<Wanted> {
    let mut wanted = BTreeMap::from([(root.node, root.bits)]);
    let mut plan = Vec::new();
    // Operands come before what uses them: all that use the last one were seen.
    while let Some((node, bits)) = wanted.pop_last() {
        // What is computed with all of the precision has lost a few bits.
        let bits = bits.min(precision - GUARD);
        if known_bits(known.enclosure(node)) >= bits {
            continue;
        }
        plan.push(Wanted { node, bits });
        if is_known(known.exact(node)) {
            continue;
        }
        for_each_demand(tape, node, known, |operand, more| {
            let bits = more.map_or(precision, |more| bits.saturating_add_signed(more));
            let most = wanted.entry(operand).or_default();
            *most = bits.max(*most);
        });
    }
    plan.reverse();
    plan
}

/// A precision of a ladder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Height {
    /// Unit: bits.
    pub(super) precision: u32,
    /// Whether none is higher.
    pub(super) is_last: bool,
}

/// Improve what is known of `root`, with no node computed beyond a precision. None where the work is to end early. `inputs` are
/// the exact ones.
///
/// Where nothing of it is known yet, what is to blame for that comes first: as long as that is so, the other nodes are not worth
/// their precision. Then it is shown to a part of the precision, and at the last one, if it was known before, to all of it.
pub(super) fn refine<K: Known>(
    tape: &Tape,
    inputs: &[MpInterval],
    root: NodeId,
    height: Height,
    known: &mut K,
) -> Option<()> {
    let Height { precision, is_last } = height;
    let improve = |known: &mut K, bits: u32| {
        let plan = plan(tape, Wanted { node: root, bits }, precision, known);
        known.prepare(&plan)?;
        compute(tape, inputs, &plan, precision, known)
    };
    let was_known = known_bits(known.enclosure(root)) > 0;
    improve(known, if was_known { precision / SHOWN } else { FEW_BITS })?;
    if is_last && known_bits(known.enclosure(root)) > 0 {
        improve(known, if was_known { precision } else { precision / SHOWN })?;
    }
    Some(())
}

/// Compute the nodes of a plan that can be improved.
fn compute(tape: &Tape, inputs: &[MpInterval], plan: &[Wanted], precision: u32, known: &mut impl Known) -> Option<()> {
    for wanted in plan {
        if halt::requested() {
            return None;
        }
        if !known.can_improve(wanted.node) {
            continue;
        }
        let (node, precision) = (wanted.node, precision.min(wanted.bits + GUARD));
        let value = enclosed(known.exact(node), precision).unwrap_or_else(|| {
            step(tape, tape.node(node), &mut Multi { inputs, precision }, |operand| known.enclosure(operand))
        });
        known.improve(node, value);
    }
    Some(())
}

/// Whether an exact value is known.
fn is_known(value: &Exact) -> bool {
    matches!(value, Exact::Value(_) | Exact::Undefined)
}

/// The enclosure of an exact value that is known.
pub(super) fn enclosed(value: &Exact, precision: u32) -> Option<MpInterval> {
    match value {
        Exact::Value(v) => Some(MpInterval::from_rational(v, precision)),
        Exact::Undefined => Some(MpInterval::undefined(precision)),
        Exact::OfPi(_) | Exact::Unknown => None,
    }
}

/// How many of the leading bits of a value are known; all where it is exact or surely does not exist, none where it may
/// have either sign.
fn known_bits(v: &MpInterval) -> u32 {
    if v.def.is_false() || v.def.is_true() && v.is_point() {
        return u32::MAX;
    }
    let Some(size) = least_exponent(v).filter(|_| v.def.is_true()) else { return 0 };
    let width = Float::with_val(64, &v.hi - &v.lo);
    width.get_exp().map_or(0, |w| u32::try_from(i64::from(size) - i64::from(w)).unwrap_or(0))
}

/// The exponent of the number of least magnitude in an enclosure; none where that is 0, or it is unbounded.
fn least_exponent(v: &MpInterval) -> Option<i32> {
    let one_sign = v.lo > 0 || v.hi < 0;
    if one_sign { Some(v.lo.get_exp()?.min(v.hi.get_exp()?)) } else { None }
}

/// The exponent of the number of largest magnitude; 0 for 0, none where it is unbounded.
fn most_exponent(v: &MpInterval) -> Option<i32> {
    let of = |x: &Float| if x.is_zero() { Some(i32::MIN / 4) } else { x.get_exp() };
    Some(of(&v.lo)?.max(of(&v.hi)?))
}

/// For every operand that the value of a node depends on, how many bits more are wanted of it than of the node: the bits
/// that the operator loses. None if that is not known.
fn for_each_demand(tape: &Tape, node: NodeId, known: &impl Known, mut demand: impl FnMut(NodeId, Option<i32>)) {
    /// Of an operator that keeps relative errors.
    const FEW: i32 = 2;
    let least = |id: NodeId| least_exponent(known.enclosure(id));
    let most = |id: NodeId| most_exponent(known.enclosure(id));
    match tape.node(node) {
        TapeNode::Op(Op::Neg | Op::Fabs | Op::Sqrt | Op::Cbrt, [a, ..]) => demand(a, Some(FEW)),
        TapeNode::Op(Op::Mul | Op::Div, [a, b, _]) => {
            demand(a, Some(FEW));
            demand(b, Some(FEW));
        }
        // An operand that is larger by so many bits is needed so much better.
        TapeNode::Op(Op::Add | Op::Sub, [a, b, _]) => {
            for o in [a, b] {
                let more = least(node).zip(most(o));
                demand(o, more.map(|(to, from)| from.saturating_sub(to).saturating_add(FEW)));
            }
        }
        // The relative error of e^x is the absolute one of x, and the absolute error of log x the relative one of x.
        TapeNode::Op(Op::Exp, [x, ..]) => demand(x, most(x).map(|e| e.max(0) + FEW)),
        TapeNode::Op(Op::Log, [x, ..]) => demand(x, least(node).map(|e| (-e).max(0) + FEW)),
        // x^y = e^(y log x), where |log x| is below the magnitude of the exponent of x.
        TapeNode::Op(Op::Pow, [x, y, _]) => {
            let of_y = most(y).map(|e| e.max(0) + FEW).filter(|_| known.enclosure(x).lo > 0);
            let of_log = most(x).zip(least(x)).map(|(m, l)| m.unsigned_abs().max(l.unsigned_abs()));
            let of_log = of_log.map(|e| 32 - e.leading_zeros() as i32);
            demand(x, of_y);
            demand(y, of_y.zip(of_log).map(|(a, b)| a + b));
        }
        TapeNode::If(condition, then, otherwise) => match decided(known.enclosure(condition)) {
            Ternary::True => demand(then, Some(0)),
            Ternary::False => demand(otherwise, Some(0)),
            Ternary::Unknown => {
                demand(condition, None);
                demand(then, Some(0));
                demand(otherwise, Some(0));
            }
        },
        other => other.for_each_operand(|o| demand(o, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rational;
    use crate::oracle::{DEFAULT_CAP, FIRST_PRECISION, Function, Ladder, LadderSeen};
    use crate::spec::{Overrides, parse_file, resolve};
    use crate::tape::{Builder, evaluate, lower::lower};

    const BODIES: [&str; 14] = [
        "(- 1 (/ 1 (+ 1 (exp (- x)))))",
        "(pow (- 1 (/ 1 (+ 1 (exp (- x))))) y)",
        "(* (pow (/ 1 (+ 1 (exp (- y)))) x) (pow (- 1 (/ 1 (+ 1 (exp (- x))))) y))",
        "(log (- 1 (/ 1 (+ 1 (exp (- x))))))",
        "(- (sqrt (+ (* x x) 1)) x)",
        "(- (exp (/ y (+ 1 (exp x)))) 1)",
        "(/ (- 1 (cos (/ 1 (* x x)))) (- (exp (/ y (pow x 9))) 1))",
        "(- (log (+ (exp x) 1)) x)",
        "(sqrt (- (cosh (/ 1 x)) 1))",
        "(if (< (- (exp x) (exp (- x))) (exp x)) (- (exp (/ 1 (exp x))) 1) y)",
        "(- (pow (+ 1 (/ 1 (exp x))) y) 1)",
        "(/ 1 (- (tanh x) 1))",
        "(- (cbrt (+ (exp x) 1)) (exp (/ x 3)))",
        "(fmin (- 1 (tanh x)) (/ y (exp x)))",
    ];

    /// All nodes at one precision, and what it says of the function.
    fn whole(tape: &Tape, function: Function<'_>, point: &[f64], precision: u32) -> LadderSeen {
        let inputs: Vec<_> = point.iter().map(|x| MpInterval::from_f64(*x, precision)).collect();
        let mut values = Vec::new();
        evaluate(tape, &mut Multi { inputs: &inputs, precision }, &mut values);
        LadderSeen::of(&values[function.root.index()], function.accuracy)
    }

    #[test]
    fn a_refined_value_is_the_one_that_all_nodes_at_a_high_precision_give() {
        let (mut settled, mut lost) = (0, Vec::new());
        for body in BODIES {
            let text = format!("(FPCore (x y) :magneto-rel-error 1e-10 {body})");
            let spec = resolve(&parse_file(text.as_bytes()), 0, "text", &Overrides::default()).unwrap();
            let mut b = Builder::new(2);
            let root = lower(&mut b, &["x".to_owned(), "y".to_owned()], &spec.core.body);
            let tape = b.finish();
            let function = Function { tape: &tape, root, accuracy: &spec.accuracy };
            for point in [[40.0, 3.25], [150.5, 0.75], [300.0, 2.0], [700.0, 1e-3], [1300.0, 77.0], [2500.0, 0.3]] {
                let mut ladder = Ladder::new(&tape, &point, DEFAULT_CAP);
                let sharp = |seen: LadderSeen| match &seen {
                    LadderSeen::Value(set) => {
                        (Rational::from(&set.value.hi - &set.value.lo) << 10 <= set.tolerance.lo).then_some(seen)
                    }
                    LadderSeen::Vast { .. } | LadderSeen::Undefined => Some(seen),
                    LadderSeen::Unsettled => None,
                };
                let refined = ladder.first(|l, level| sharp(l.see(function, level)));
                let full = (1..ladder.levels())
                    .find_map(|level| sharp(whole(&tape, function, &point, Ladder::precision(level))));
                match (refined, full, whole(&tape, function, &point, 8 * DEFAULT_CAP)) {
                    (Some(LadderSeen::Value(ours)), _, LadderSeen::Value(all)) => {
                        settled += 1;
                        assert!(ours.value.lo <= all.value.lo && all.value.hi <= ours.value.hi, "{body} at {point:?}");
                    }
                    (None, None, _) => {}
                    (ours, full, _) if ours.is_none() != full.is_none() => lost.push((body, point)),
                    (ours, full, _) => assert_eq!(format!("{ours:?}"), format!("{full:?}"), "{body} at {point:?}"),
                }
            }
        }
        assert!(lost.is_empty(), "{lost:?}");
        assert!(settled > 60, "{settled}");
    }

    /// What is known of all nodes, nothing exactly.
    struct Enclosures {
        exact: Exact,
        values: Vec<MpInterval>,
    }

    impl Known for Enclosures {
        fn enclosure(&self, node: NodeId) -> &MpInterval {
            &self.values[node.index()]
        }
        fn exact(&self, _: NodeId) -> &Exact {
            &self.exact
        }
        fn improve(&mut self, node: NodeId, enclosure: MpInterval) {
            self.values[node.index()] = enclosure;
        }
    }

    #[test]
    fn what_is_known_and_not_wanted_better_is_not_computed_again() {
        let mut b = Builder::new(1);
        let text = "(FPCore (x) (* (exp (sin x)) (- (sqrt (+ (* x x) 1)) x)))";
        let spec = parse_file(text.as_bytes());
        let root = lower(&mut b, &["x".to_owned()], &spec.cores[0].as_ref().unwrap().body);
        let tape = b.finish();
        let inputs = [MpInterval::from_f64(1e50, FIRST_PRECISION)];
        let mut values = Vec::new();
        evaluate(&tape, &mut Multi { inputs: &inputs, precision: 400 }, &mut values);
        let known = Enclosures { exact: Exact::Unknown, values };
        let plan = plan(&tape, Wanted { node: root, bits: 120 }, 960, &known);
        let ops: Vec<_> = plan.iter().map(|w| tape.node(w.node)).collect();
        assert!(!ops.iter().any(|n| matches!(n, TapeNode::Op(Op::Exp | Op::Sin, _))), "{ops:?}");
        let root_of = |n: &&Wanted| matches!(tape.node(n.node), TapeNode::Op(Op::Sqrt, _));
        let bits = plan.iter().find(root_of).map(|w| w.bits);
        // x + 1/(2x) - x loses twice the bits of x.
        assert!(bits.is_some_and(|bits| (450..=480).contains(&bits)), "{bits:?}");
    }
}
