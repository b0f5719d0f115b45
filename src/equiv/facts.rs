//! What holds on the domain: signs of normal forms, by interval evaluation over its box and a few parts of it.

use super::cone::Cone;
use super::definedness::{Logic, Need, NeedId, Signs};
use super::range::{Evaluator, Range};
use super::table::{FormId, Table};
use crate::cover::{Covered, Order, PartLook, cover};
use crate::num::{Interval, Ternary};
use crate::ops::Op;
use crate::spec::InputBox;
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::{NodeId, Tape, evaluate};
use std::collections::{BTreeSet, HashMap};

/// The most terms of a sum in which a root is looked for, where nothing else helps.
pub(super) const MAX_BESIDE_A_ROOT: usize = 24;

/// How many parts of the box are looked at for one question of a proof of equality.
const MAX_BOXES: u32 = 400;
/// By what the number is divided for a part of a sum with a root: there are many such parts, and few whose sign is hard to
/// find are worth it.
const BESIDE_A_ROOT: u32 = 8;
/// A form of more terms than this is looked at on fewer boxes, by the square of how many times as many terms it has: each box
/// costs more, and enclosures of a long sum are wide. Of proofs over FPBench's formulas that take several boxes none has
/// more than 24 terms.
const FEW_TERMS: u64 = 64;
/// How often an input's range is halved, for one question: what is open there is so at a point.
const MAX_DEPTH: u32 = 64;
/// Points at which a question may be refuted at once.
const SAMPLES: usize = 8;
/// How many points are tried to find them in a domain with conditions.
const CANDIDATES: usize = 64;

/// A fact that a proof rests on, by its place.
pub(super) type FactId = u32;

/// What is known of the domain.
pub(super) struct Facts {
    /// The box.
    pub(super) ranges: Vec<Interval>,
    /// The conditions, as a tape of their own.
    conditions: (Tape, Vec<NodeId>),
    /// Signs that the conditions state.
    pub(super) stated: HashMap<FormId, Signs>,
    /// Whether the question at hand is about the rest of a form of which a part is stated.
    pub(super) within_rest: bool,
    /// Whether it is about the squares of two parts.
    pub(super) within_squares: bool,
    /// How many parts of the box are looked at for one question.
    pub(super) max_boxes: u32,
    samples: Vec<Vec<Interval>>,
    answers: HashMap<(Question, Option<Signs>), Option<u32>>,
    /// Enclosures of nodes of the tape over the whole box, for atoms that are nodes.
    pub(super) nodes: HashMap<NodeId, Enclosure>,
    /// The facts used so far, with the number of boxes that showed each.
    log: Vec<(Question, Option<Signs>, u32)>,
    log_ids: HashMap<(Question, Option<Signs>), FactId>,
}

/// What is asked of a domain: the sign of a form or, without signs, that a need holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// The form's sign, wherever it has a value.
    SignOf(FormId),
    /// The form has a value, and its sign.
    ValueAndSignOf(FormId),
    /// The need holds.
    Holds(NeedId),
    /// The node has one value.
    OneValue(NodeId),
}

impl Facts {
    /// The facts of a domain.
    pub(super) fn new(domain: &InputBox, tape: &Tape, conditions: &[NodeId]) -> Self {
        let ranges = domain.ranges.clone();
        let share = |k: usize, i: usize| {
            (0.5 + 0.618_033_988_749_895 * (k as f64) + 0.754_877_666_246_693 * (i as f64)).fract()
        };
        let point = |k: usize| {
            let at = ranges.iter().enumerate().map(|(i, r)| number_at(*r, 0.02 + 0.96 * share(k, i * (k + 1))));
            domain.clamp(&at.collect::<Vec<_>>()).into_iter().map(Interval::point).collect()
        };
        let conditions = tape.extract(conditions);
        let inside = |p: &Vec<Interval>| condition(&conditions, p).is_true();
        let samples = (0..CANDIDATES).map(point).filter(inside).take(SAMPLES).collect();
        Facts {
            conditions,
            stated: HashMap::new(),
            within_rest: false,
            within_squares: false,
            max_boxes: MAX_BOXES,
            samples,
            answers: HashMap::new(),
            nodes: HashMap::new(),
            log: Vec::new(),
            log_ids: HashMap::new(),
            ranges,
        }
    }

    /// Sample points of the domain; none where its conditions are hard to meet.
    pub(super) fn samples(&self) -> &[Vec<Interval>] {
        &self.samples
    }

    /// Less of the domain counts: of the samples those with a flag. What was not shown may hold now.
    pub(super) fn narrow(&mut self, stays: &[bool]) {
        let mut flags = stays.iter();
        self.samples.retain(|_| flags.next() == Some(&true));
        self.answers.retain(|_, boxes| boxes.is_some());
    }

    /// A condition of the domain states a sign.
    pub(super) fn state(&mut self, key: FormId, signs: Signs) {
        let known = self.stated.entry(key).or_insert(Signs::ALL);
        *known = known.and(signs);
    }

    /// A fact: the question, the signs and how many boxes it took (0: a condition of the domain states it).
    pub(super) fn fact(&self, id: FactId) -> (Question, Option<Signs>, u32) {
        self.log[id as usize]
    }

    /// Whether at every point of the domain at which the form has a value its sign is one of `signs`.
    pub(super) fn sign(&mut self, t: &mut Table, l: &Logic, form: FormId, signs: Signs) -> Option<FactId> {
        self.sign_fact(t, l, form, signs, false)
    }

    /// Whether the form has a value with one of these signs at every point of the domain.
    pub(super) fn value_and_sign(&mut self, t: &mut Table, l: &Logic, form: FormId, signs: Signs) -> Option<FactId> {
        self.sign_fact(t, l, form, signs, true)
    }

    fn sign_fact(&mut self, t: &mut Table, l: &Logic, form: FormId, signs: Signs, value: bool) -> Option<FactId> {
        let question = if value { Question::ValueAndSignOf(form) } else { Question::SignOf(form) };
        let known = self.answers.get(&(question, Some(signs))).copied();
        let boxes = known.unwrap_or_else(|| {
            let answer = self.find_sign(t, l, form, signs, value);
            self.answers.insert((question, Some(signs)), answer);
            answer
        })?;
        Some(self.note(question, Some(signs), boxes))
    }

    pub(super) fn find_sign(
        &mut self,
        t: &mut Table,
        l: &Logic,
        form: FormId,
        signs: Signs,
        value: bool,
    ) -> Option<u32> {
        if Signs::NOT_ZERO.within(signs)
            && let Some(u) = t.cosine_of_algebraic(form)
        {
            return if value { self.find_sign(t, l, u, Signs::ALL, true) } else { Some(1) };
        }
        let (key, flip) = t.sign_key(form);
        if Signs::NOT_ZERO.within(signs) && signs != Signs::ALL && t.is_never_zero(key) {
            return if value { self.find_sign(t, l, form, Signs::ALL, true) } else { Some(1) };
        }
        if Signs::NOT_ZERO.within(signs)
            && !value
            && let Some(u) = t.zero_only_with(key)
            && let Some(boxes) = self.find_sign(t, l, u, Signs::NOT_ZERO, false)
        {
            return Some(boxes);
        }
        // Where a condition of the domain holds, what it speaks of has a value.
        let stated = self.stated.get(&key).is_some_and(|s| s.within(signs.flipped_if(flip)));
        if stated && (!value || key == form) {
            return Some(0);
        }
        let alike = t.signs_alike(form, key);
        let judge = |at: &mut Evaluator<'_>| {
            let (x, def) = at.sharp(form, |x| Signs::of_interval(x).within(signs));
            let mut seen = Signs::of_interval(x);
            for other in &alike {
                if seen.within(signs) {
                    break;
                }
                let (other, flip) = (other.0, flip != other.1);
                let enough = |x| Signs::of_interval(x).flipped_if(flip).within(signs);
                seen = seen.and(Signs::of_interval(at.sharp(other, enough).0).flipped_if(flip));
            }
            let holds = seen.within(signs) && (!value || def.is_true());
            let refuted = (value && def.is_false()) || (def.is_true() && seen.within(signs.complement()));
            Ternary::decide(holds, refuted)
        };
        if self.is_refuted(t, l, judge) {
            return None;
        }
        if let Some(boxes) = self.by_stated(t, l, form, signs, value) {
            return Some(boxes);
        }
        if !value && let Some(boxes) = self.by_order(t, l, form, signs) {
            return Some(boxes);
        }
        if !value && let Some(boxes) = self.by_pairs(t, l, form, signs).or_else(|| self.by_square(t, l, form, signs, 2))
        {
            return Some(boxes);
        }
        let boxes = self.everywhere(t, l, &Cone::new(t, l, &[form]), judge);
        if value || boxes.is_some() {
            return boxes;
        }
        self.by_rest(t, l, form, signs).or_else(|| self.by_square(t, l, form, signs, MAX_BESIDE_A_ROOT))
    }

    /// Whether the need holds at every point of the domain.
    pub(super) fn holds(&mut self, t: &mut Table, l: &Logic, need: NeedId) -> Option<FactId> {
        let question = Question::Holds(need);
        let known = self.answers.get(&(question, None)).copied();
        let boxes = known.unwrap_or_else(|| {
            let answer = self.find_need(t, l, need);
            self.answers.insert((question, None), answer);
            answer
        })?;
        Some(self.note(question, None, boxes))
    }

    fn find_need(&mut self, t: &mut Table, l: &Logic, need: NeedId) -> Option<u32> {
        match l.need(need) {
            Need::Sign(f, signs) => self.find_sign(t, l, *f, *signs, true),
            Need::Own(op, args) => {
                let cone = Cone::new(t, l, &args[..op.arity()]);
                let judge = |at: &mut Evaluator<'_>| {
                    let values: Vec<Range> = args[..op.arity()].iter().map(|a| at.form(*a)).collect();
                    let def = values.iter().fold(Ternary::True, |d, v| d & v.1);
                    let x: Vec<Interval> = values.iter().map(|v| v.0).collect();
                    let own = op.forward(&x).1;
                    def & own
                };
                if self.is_refuted(t, l, judge) { None } else { self.everywhere(t, l, &cone, judge) }
            }
            Need::Never => None,
            Need::Node(n) => self.nodes.get(n).is_some_and(|e| e.def.is_true()).then_some(1),
            Need::Branch(_, a, b) => {
                let mut boxes = 0;
                for n in a.iter().chain(b) {
                    let fact = self.holds(t, l, *n)?;
                    boxes += self.fact(fact).2;
                }
                Some(boxes)
            }
        }
    }

    /// The fact that the node has one value on the whole domain.
    pub(super) fn one_value(&mut self, node: NodeId) -> FactId {
        self.note(Question::OneValue(node), None, 1)
    }

    fn note(&mut self, question: Question, signs: Option<Signs>, boxes: u32) -> FactId {
        *self.log_ids.entry((question, signs)).or_insert_with(|| {
            self.log.push((question, signs, boxes));
            self.log.len() as FactId - 1
        })
    }

    /// Whether the judge says false at a sample of the domain: nothing can show it then.
    fn is_refuted(&self, t: &Table, l: &Logic, judge: impl Fn(&mut Evaluator<'_>) -> Ternary) -> bool {
        self.samples.iter().any(|s| judge(&mut Evaluator::new(t, l, &self.nodes, s)).is_false())
    }

    /// The number of boxes on all of which the judge says true and which together hold the domain.
    fn everywhere(
        &mut self,
        t: &Table,
        l: &Logic,
        cone: &Cone,
        judge: impl Fn(&mut Evaluator<'_>) -> Ternary,
    ) -> Option<u32> {
        let inputs = &cone.inputs;
        let max_boxes = if self.within_squares { self.max_boxes / BESIDE_A_ROOT } else { self.max_boxes };
        let large = cone.terms.div_ceil(FEW_TERMS).max(1);
        let max_boxes = u64::from(max_boxes) / large.saturating_mul(large);
        let nodes = &self.nodes;
        let at = |ranges: &[Interval]| judge(&mut Evaluator::new(t, l, nodes, ranges));
        let whole = at(&self.ranges);
        if !matches!(whole, Ternary::Unknown) {
            return whole.is_true().then_some(1);
        }
        let parts = split(&self.ranges, &self.ranges, inputs)?;
        // The whole domain was the first box.
        let budget = max_boxes.saturating_sub(1);
        let covered = cover(parts, Order::Newest, budget, |b: &Vec<Interval>, place| match at(b) {
            Ternary::True => PartLook::Done,
            _ if condition(&self.conditions, b).is_false() => PartLook::Done,
            Ternary::False => PartLook::End(()),
            Ternary::Unknown if place.depth >= MAX_DEPTH * inputs.len() as u32 => PartLook::End(()),
            Ternary::Unknown => split(b, &self.ranges, inputs).map_or(PartLook::End(()), PartLook::Cut),
        });
        if let Covered::All(boxes) = covered { u32::try_from(boxes + 1).ok() } else { None }
    }

    /// An enclosure of a form over the whole box.
    pub(super) fn over_box(&self, t: &Table, l: &Logic, form: FormId) -> Interval {
        Evaluator::new(t, l, &self.nodes, &self.ranges).form(form).0
    }
}

/// What is known of all conditions of the domain together on a box.
fn condition((tape, roots): &(Tape, Vec<NodeId>), b: &[Interval]) -> Ternary {
    if roots.is_empty() {
        return Ternary::True;
    }
    let mut values = Vec::new();
    evaluate(tape, &mut Boxes { inputs: b }, &mut values);
    // Where a condition has no value it does not hold.
    roots.iter().map(|r| values[r.index()]).fold(Ternary::True, |all, e| all & e.def & e.as_truth())
}

/// Ranges beyond this are cut and sampled by magnitude: by halves of equal width their everyday numbers would never be met.
const EVERYDAY: f64 = 65_536.0;

/// Whether a range is measured by magnitude.
fn is_vast(range: Interval) -> bool {
    range.mag() > EVERYDAY
}

/// The number at a share of a range, in [0, 1]: of its width, or of the width that its inverse hyperbolic sines have.
fn number_at(range: Interval, share: f64) -> f64 {
    let of = |lo: f64, hi: f64| lo * (1.0 - share) + hi * share;
    let x = if is_vast(range) {
        Op::Sinh.point(&[of(Op::Asinh.point(&[range.inf()]), Op::Asinh.point(&[range.sup()]))])
    } else {
        of(range.inf(), range.sup())
    };
    x.clamp(range.inf(), range.sup())
}

/// The share of a range that a part of it has.
fn share_of(part: Interval, whole: Interval) -> f64 {
    let width = |x: Interval| {
        if is_vast(whole) { Op::Asinh.point(&[x.sup()]) - Op::Asinh.point(&[x.inf()]) } else { x.wid() }
    };
    let share = width(part) / width(whole).max(f64::MIN_POSITIVE);
    if share.is_nan() { 1.0 } else { share }
}

/// The halves of a box across the input that is widest in comparison with the domain; none if it is too small.
fn split(b: &[Interval], whole: &[Interval], inputs: &BTreeSet<u32>) -> Option<[Vec<Interval>; 2]> {
    let width = |i: usize| share_of(b[i], whole[i]);
    let widest = inputs.iter().map(|i| *i as usize).filter(|i| *i < b.len() && !b[*i].is_point());
    let i = widest.fold(None, |best: Option<usize>, i| match best {
        Some(j) if width(j) >= width(i) => best,
        _ => Some(i),
    })?;
    let middle = number_at(b[i], 0.5);
    if !(b[i].inf() < middle && middle < b[i].sup()) {
        return None;
    }
    let part = |lo, hi| {
        let mut half = b.to_vec();
        half[i] = Interval::new(lo, hi);
        half
    };
    Some([part(b[i].inf(), middle), part(middle, b[i].sup())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vast_ranges_are_halved_by_magnitude_and_everyday_ones_by_width() {
        let vast = Interval::new(0.0, f64::MAX);
        let (mut part, mut cuts) = (vast, 0);
        while part.sup() > 1e3 {
            let middle = number_at(part, 0.5);
            assert!((share_of(Interval::new(0.0, middle), part) - 0.5).abs() < 1e-9 || !is_vast(part));
            (part, cuts) = (Interval::new(0.0, middle), cuts + 1);
        }
        assert!(cuts < 16, "{cuts}");
        assert_eq!(number_at(Interval::new(-f64::MAX, f64::MAX), 0.5), 0.0);
        assert_eq!(number_at(Interval::new(0.0, 10.0), 0.5), 5.0);
        assert_eq!(share_of(Interval::new(0.0, 2.5), Interval::new(0.0, 10.0)), 0.25);
    }
}
