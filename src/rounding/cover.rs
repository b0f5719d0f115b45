//! Bounds over a domain: it is cut into boxes, always the one with the worst bound next.

use super::backward::{Back, Sums};
use super::branches::Branches;
use super::fact::Fact;
use super::forward::{Known, Walker};
use super::goal::{Goal, Measure};
use super::products::Products;
use super::shares::Shares;
use super::single::of_results;
use super::stated::Stated;
use super::tiny::{self, Small};
use super::units::constant;
use crate::floats::Format;
use crate::num::Interval;
use crate::num::directed::{div_up, mul_up};
use crate::ops::Op;
use crate::ops::float::LibmUlps;
use crate::program::{Node, Program, Step};
use crate::solve::bisect::{middle, relative_width};
use crate::spec::{Accuracy, InputBox};
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::meanvalue::MeanValue;
use crate::tape::{Builder, NodeId, Tape, evaluate};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The real function that a program computes, and the conditions of its domain beyond the box.
#[derive(Clone, Copy, Debug)]
pub struct RealFunction<'a> {
    /// The tape.
    pub tape: &'a Tape,
    /// The function on it.
    pub root: NodeId,
    /// What the domain asks for beyond its box.
    pub conditions: &'a [NodeId],
}

/// A program on a domain.
#[derive(Clone, Copy, Debug)]
pub struct BoundQuestion<'a> {
    /// The program.
    pub program: &'a Program,
    /// The same function over the reals: it is what the program computes without roundings. Its range may be enclosed more
    /// tightly by another expression than by the program's own.
    pub exact: RealFunction<'a>,
    /// The box of inputs, with ends in the formats of the inputs.
    pub domain: &'a InputBox,
    /// A library function returns a value within so many units in the last place of the exact one. At most 0.5: the
    /// nearest one.
    pub ulps: f64,
}

impl BoundQuestion<'_> {
    /// Whether over the reals the program is the function, no class of a number is tested, and every literal is a number.
    fn has_an_answer(&self) -> bool {
        let is_known = |n: &Node| match &n.step {
            Step::Classify(..) => false,
            Step::Literal(l) => constant(l).is_some(),
            _ => true,
        };
        self.program.is_formula() && self.program.nodes().iter().all(is_known)
    }
}

/// How much is done for a bound.
#[derive(Clone, Copy, Debug)]
pub struct Effort<'a> {
    /// Boxes looked at.
    pub boxes: u64,
    /// Begin with these boxes, the cover of another bound on the domain, rather than with all of it. Empty: with all of it.
    pub start: &'a [Vec<Interval>],
    /// Stop as soon as the bound is no larger than this.
    pub enough: f64,
    /// Stop as soon as the bound is no larger than what it comes down to at a single input, and this share of it.
    pub slack: f64,
}

/// A proved bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The error is at most this at every input of the domain, in the goal's unit; infinite if nothing was proved. Where it
    /// is finite, no operation of the program overflows or has no value.
    pub value: f64,
    /// What the bound comes down to at the single input at which it is worst, as far as was seen: no cutting takes the bound
    /// below.
    pub reached: f64,
    /// That input.
    pub at: Option<Vec<f64>>,
    /// Boxes looked at.
    pub boxes: u64,
    /// The boxes into which the domain was cut: each input of the domain is in one of them. For a program with the same exact
    /// function they are a good start.
    pub cover: Vec<Vec<Interval>>,
}

/// A box with its bound.
struct Part {
    ranges: Vec<Interval>,
    bound: f64,
    depth: u32,
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Part {}
impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Part {
    /// The worst bound first; of equal ones the larger box.
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then(other.depth.cmp(&self.depth))
    }
}

/// Bounds a program's error box by box.
pub(super) struct Prover<'a> {
    question: BoundQuestion<'a>,
    walker: Walker<'a>,
    measure: Measure,
    back: Back,
    facts: Vec<Fact>,
    values: Vec<Enclosure>,
    /// The exact function and its negative, to be bounded by derivatives where it may be 0.
    range: Option<(Tape, [NodeId; 2])>,
    mean_value: MeanValue,
    /// The program itself, to be run at single inputs, where a bound above 1 is of no use.
    single: Option<(&'a Program, LibmUlps)>,
    /// The tolerance if it is relative alone, rounded down.
    tolerance: Option<f64>,
}

impl<'a> Prover<'a> {
    fn new(question: BoundQuestion<'a>, goal: Goal<'_>, shortcuts: bool) -> Self {
        let BoundQuestion { program, exact, domain, ulps } = question;
        let known = shortcuts.then(|| Known {
            stated: Stated::new(program, exact.tape, exact.conditions),
            shares: Shares::new(program),
            products: Products::new(program),
            branches: Branches::new(program, domain, exact.tape, exact.conditions),
        });
        Prover {
            question,
            walker: Walker::new(program, &domain.formats, ulps, known),
            measure: Measure::new(goal, program, ulps),
            back: Back::default(),
            facts: Vec::new(),
            values: Vec::new(),
            range: (shortcuts && goal != Goal::Absolute).then(|| {
                let mut builder = Builder::on(question.exact.tape.clone());
                let negative = builder.op(Op::Neg, &[question.exact.root]);
                (builder.finish(), [question.exact.root, negative])
            }),
            mean_value: MeanValue::default(),
            single: None,
            tolerance: if shortcuts { goal.relative_alone() } else { None },
        }
    }

    /// A bound on a box; `None` if no input of the domain is in it.
    pub(super) fn bound(&mut self, ranges: &[Interval]) -> Option<f64> {
        let bound = self.by_walks(ranges)?;
        match self.single {
            Some((program, ulps)) if bound > 1.0 && ranges.iter().all(|r| r.is_point()) => {
                let at: Vec<f64> = ranges.iter().map(|r| r.inf()).collect();
                let exact = (self.question.exact.tape, self.question.exact.root);
                let error = of_results(&program.results(&at, ulps), exact, &at);
                Some(error.map_or(bound, |(sums, exact)| bound.min(self.measure.of(&sums, exact))))
            }
            _ => Some(bound),
        }
    }

    /// The bound by one walk forward and one backward.
    fn by_walks(&mut self, ranges: &[Interval]) -> Option<f64> {
        let RealFunction { tape, root, conditions } = self.question.exact;
        evaluate(tape, &mut Boxes { inputs: ranges }, &mut self.values);
        let fails = |c: &NodeId| {
            let v = &self.values[c.index()];
            v.def.is_false() || v.as_truth().is_false()
        };
        let f = self.values[root.index()];
        if f.def.is_false() || conditions.iter().any(fails) {
            return None;
        }
        let exact = if f.x.contains(0.0) { f.x & self.by_derivatives(ranges) } else { f.x };
        self.walker.walk(ranges, &mut self.facts);
        let Some(result) = self.facts.last().filter(|r| r.sound) else { return Some(f64::INFINITY) };
        let back = self.back.walk(self.question.program, &self.facts);
        let sums =
            Sums { absolute: back.absolute.min(result.absolute), relative: back.relative.min(result.relative), ..back };
        let bound = self.measure.of(&sums, result.between & exact);
        match self.tolerance {
            Some(tolerance) if bound > 1.0 => Some(bound.min(self.of_tiny(exact, tolerance))),
            _ => Some(bound),
        }
    }

    /// The bound where results are so small that no other says anything.
    fn of_tiny(&self, exact: Interval, tolerance: f64) -> f64 {
        match tiny::error(self.question.program, &self.facts, exact, tolerance) {
            None => f64::INFINITY,
            Some(Small::Within(share)) => div_up(share, tolerance),
            Some(Small::Best) => 1.0,
        }
    }
}

impl Prover<'_> {
    /// The range of the exact function on a box by its derivatives.
    fn by_derivatives(&mut self, ranges: &[Interval]) -> Interval {
        let Some((tape, ends)) = &self.range else { return Interval::ENTIRE };
        evaluate(tape, &mut Boxes { inputs: ranges }, &mut self.values);
        let [hi, minus_lo] = ends.map(|node| {
            self.mean_value.upper(tape, node, ranges, &self.values, f64::NEG_INFINITY).unwrap_or(f64::INFINITY)
        });
        Interval::new(-minus_lo, hi)
    }
}

/// Bound the error of a program on a domain, see [`bound`]; `exact` is the real function that it computes. `None` where the
/// program tests the class of a number, or is another function over the reals.
#[must_use]
pub fn prove(
    program: &Program,
    exact: RealFunction<'_>,
    domain: &InputBox,
    goal: Goal<'_>,
    ulps: LibmUlps,
    effort: Effort<'_>,
) -> Option<Bound> {
    let question = BoundQuestion { program, exact, domain, ulps: ulps.get() };
    question.has_an_answer().then_some(())?;
    let mut prover = Prover::new(question, goal, true);
    prover.single = matches!(goal, Goal::Tolerance(_)).then_some((program, ulps));
    Some(bound_by(prover, effort))
}

/// Prove within so many boxes that all that a program may return on a domain is within the tolerance of its exact
/// function. `start` is empty or the cover of a bound for another program with that function. The bound is in units of the
/// tolerance, at most 1; `None`: not proved.
#[must_use]
pub fn meets(
    program: &Program,
    exact: RealFunction<'_>,
    domain: &InputBox,
    accuracy: &Accuracy,
    ulps: LibmUlps,
    boxes: u64,
    start: &[Vec<Interval>],
) -> Option<Bound> {
    let effort = Effort { boxes, start, enough: 1.0, slack: 0.0 };
    prove(program, exact, domain, Goal::Tolerance(accuracy), ulps, effort).filter(|b| b.value <= 1.0)
}

/// The same claim by the standard model of rounding alone, for a second opinion: every operation errs by 2^-p of its value
/// and half of the least value, none is taken for exact, and errors count by derivatives only. The bound may be above 1,
/// or infinite, where the claim is true.
#[must_use]
pub fn standard_bound(
    program: &Program,
    exact: RealFunction<'_>,
    domain: &InputBox,
    accuracy: &Accuracy,
    ulps: LibmUlps,
    boxes: u64,
) -> Option<Bound> {
    let question = BoundQuestion { program, exact, domain, ulps: ulps.get() };
    question.has_an_answer().then_some(())?;
    let prover = Prover::new(question, Goal::Tolerance(accuracy), false);
    Some(bound_by(prover, Effort { boxes, start: &[], enough: 1.0, slack: 0.0 }))
}

/// Bound the error of a program over a domain.
#[must_use]
pub fn bound(question: BoundQuestion<'_>, goal: Goal<'_>, effort: Effort<'_>) -> Bound {
    bound_by(Prover::new(question, goal, true), effort)
}

fn bound_by(mut prover: Prover<'_>, effort: Effort<'_>) -> Bound {
    let mut found = Bound { value: 0.0, reached: 0.0, at: None, boxes: 0, cover: Vec::new() };
    let whole = [prover.question.domain.ranges.clone()];
    let mut open = BinaryHeap::new();
    for ranges in if effort.start.is_empty() { &whole } else { effort.start } {
        found.boxes += 1;
        if let Some(bound) = prover.bound(ranges) {
            open.push(Part { ranges: ranges.clone(), bound, depth: 0 });
        }
    }
    // The bound on boxes that cannot be cut any more.
    let mut settled = 0.0f64;
    while let Some(worst) = open.peek() {
        found.value = worst.bound.max(settled);
        let good = found.reached.max(settled).max(effort.enough);
        if found.value <= good
            || found.value <= mul_up(found.reached, 1.0 + effort.slack)
            || found.boxes >= effort.boxes
        {
            break;
        }
        let Some(part) = open.pop() else { break };
        found.look(&mut prover, &part.ranges);
        match prover.cut(&part, &mut found.boxes) {
            None => {
                settled = settled.max(part.bound);
                found.cover.push(part.ranges);
            }
            Some(halves) => {
                for ranges in halves {
                    found.boxes += 1;
                    if let Some(bound) = prover.bound(&ranges) {
                        open.push(Part { ranges, bound: bound.min(part.bound), depth: part.depth + 1 });
                    }
                }
            }
        }
    }
    if open.is_empty() {
        found.value = settled;
    }
    found.cover.extend(open.into_iter().map(|part| part.ranges));
    found
}

impl Bound {
    /// Look at the middle of a box.
    fn look(&mut self, prover: &mut Prover<'_>, ranges: &[Interval]) {
        let formats = &prover.question.domain.formats;
        let point: Vec<f64> =
            ranges.iter().zip(formats).map(|(r, s)| s.round_down(r.mid()).clamp(r.inf(), r.sup())).collect();
        let at: Vec<Interval> = point.iter().map(|x| Interval::point(*x)).collect();
        self.boxes += 1;
        if let Some(bound) = prover.bound(&at).filter(|b| *b > self.reached && b.is_finite()) {
            self.reached = bound;
            self.at = Some(point);
        }
    }
}

impl Prover<'_> {
    /// The halves of a box, cut where that promises most; `None` if it is a single input.
    fn cut(&mut self, part: &Part, boxes: &mut u64) -> Option<[Vec<Interval>; 2]> {
        let cuttable: Vec<usize> = (0..part.ranges.len()).filter(|i| !part.ranges[*i].is_point()).collect();
        let i = match cuttable.as_slice() {
            [] => return None,
            [one] => *one,
            _ => self.most_promising(part, &cuttable, boxes),
        };
        let format = self.question.domain.formats[i];
        halves(part.ranges[i], format, part.depth).map(|two| {
            two.map(|half| {
                let mut ranges = part.ranges.clone();
                ranges[i] = half;
                ranges
            })
        })
    }

    /// The input without whose spread the bound would be least; now and then the widest one, lest one be forgotten.
    fn most_promising(&mut self, part: &Part, cuttable: &[usize], boxes: &mut u64) -> usize {
        let widest = || {
            let wider =
                |a: &&usize, b: &&usize| relative_width(part.ranges[**a]).total_cmp(&relative_width(part.ranges[**b]));
            *cuttable.iter().max_by(wider).unwrap_or(&cuttable[0])
        };
        if part.depth % 4 == 3 || part.bound == f64::INFINITY {
            return widest();
        }
        let mut ranges = part.ranges.clone();
        let mut best: Option<(f64, usize)> = None;
        for &i in cuttable {
            let middle = self.question.domain.formats[i].round_down(ranges[i].mid());
            let whole = std::mem::replace(&mut ranges[i], Interval::point(middle));
            *boxes += 1;
            let bound = self.bound(&ranges).unwrap_or(0.0);
            ranges[i] = whole;
            if best.is_none_or(|(b, _)| bound < b) {
                best = Some((bound, i));
            }
        }
        best.map_or_else(widest, |(_, i)| i)
    }
}

/// The two halves of a range, which together hold all values of the format in it.
fn halves(x: Interval, format: Format, depth: u32) -> Option<[Interval; 2]> {
    let (lo, hi) = (x.inf(), x.sup());
    let below = format.round_down(middle(x, depth)).clamp(lo, hi);
    let below = if below >= hi { lo } else { below };
    let above = format.successor(below);
    (above <= hi).then(|| [Interval::new(lo, below), Interval::new(above, hi)])
}
