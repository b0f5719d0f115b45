//! What holds on the domain: signs of normal forms, by interval evaluation over its box and a few parts of it.

use super::needs::{Cond, CondId, Logic, Need, NeedId, Signs};
use super::polynomial::Monomial;
use super::range::{Evaluator, Range};
use super::table::{Atom, AtomId, FormId, Table};
use crate::csp::InputBox;
use crate::num::{Interval, Rational, Ternary};
use crate::ops::Op;
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::{NodeId, Tape, evaluate};
use std::collections::{BTreeSet, HashMap};

/// How many parts of the box are looked at for one question.
const MAX_BOXES: u32 = 400;
/// Points at which a question may be refuted at once.
const SAMPLES: usize = 4;
/// How many points are tried to find them in a domain with conditions.
const CANDIDATES: usize = 64;

/// Functions that increase strictly wherever they have a value.
const INCREASING: [Op; 7] = [Op::Log, Op::Asinh, Op::Acosh, Op::Atan, Op::Asin, Op::Cbrt, Op::Sqrt];

/// Term operations to take a stated form out of another.
const REST_FUEL: u32 = 10_000;

/// A fact that a proof rests on, by its place.
pub(super) type FactId = u32;

/// What is known of the domain.
pub(super) struct Facts {
    /// The box.
    pub(super) ranges: Vec<Interval>,
    /// The conditions, as a tape of their own.
    conditions: (Tape, Vec<NodeId>),
    /// Signs that the conditions state.
    stated: HashMap<FormId, Signs>,
    /// Whether the question at hand is about the rest of a form of which a part is stated.
    within_rest: bool,
    samples: Vec<Vec<Interval>>,
    answers: HashMap<(Question, Option<Signs>), Option<u32>>,
    inputs_of: HashMap<FormId, BTreeSet<u32>>,
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
            let at = ranges.iter().enumerate().map(|(i, r)| {
                let t = 0.02 + 0.96 * share(k, i * (k + 1));
                (r.inf() * (1.0 - t) + r.sup() * t).clamp(r.inf(), r.sup())
            });
            domain.clamp(&at.collect::<Vec<_>>()).into_iter().map(Interval::point).collect()
        };
        let conditions = tape.extract(conditions);
        let inside = |p: &Vec<Interval>| condition(&conditions, p).is_true();
        let samples = (0..CANDIDATES).map(point).filter(inside).take(SAMPLES).collect();
        Facts {
            conditions,
            stated: HashMap::new(),
            within_rest: false,
            samples,
            answers: HashMap::new(),
            inputs_of: HashMap::new(),
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

    fn find_sign(&mut self, t: &mut Table, l: &Logic, form: FormId, signs: Signs, value: bool) -> Option<u32> {
        let (key, flip) = t.sign_key(form);
        // Where a condition of the domain holds, what it speaks of has a value.
        let stated = self.stated.get(&key).is_some_and(|s| s.within(signs.flipped_if(flip)));
        if stated && (!value || key == form) {
            return Some(0);
        }
        if let Some(boxes) = self.by_stated(t, l, form, signs, value) {
            return Some(boxes);
        }
        if !value && let Some(boxes) = self.by_order(t, l, form, signs) {
            return Some(boxes);
        }
        let judge = |at: &mut Evaluator<'_>| {
            let (x, def) = at.sharp(form, |x| Signs::of_interval(x).within(signs));
            let seen = Signs::of_interval(x);
            let holds = seen.within(signs) && (!value || def.is_true());
            let refuted = (value && def.is_false()) || (def.is_true() && seen.within(signs.complement()));
            Ternary::decide(holds, refuted)
        };
        let inputs = self.inputs(t, l, form);
        self.everywhere(t, l, &inputs, judge)
    }

    /// The form as a multiple of what a condition of the domain speaks of, and a rest of which the sign is known:
    /// (b + c - a) / 2 > 0 follows from b + c > a + 1e-6. The number of boxes for the rest.
    fn by_stated(&mut self, t: &mut Table, l: &Logic, form: FormId, signs: Signs, value: bool) -> Option<u32> {
        if self.within_rest || self.stated.is_empty() {
            return None;
        }
        // Few, and in a fixed order.
        let mut stated: Vec<(FormId, Signs)> = self.stated.iter().map(|(f, s)| (*f, *s)).collect();
        stated.sort_unstable_by_key(|s| s.0);
        for (key, of_key) in stated {
            let fuel = std::mem::replace(&mut t.fuel, REST_FUEL);
            let parts = multiple_and_rest(t, form, key);
            t.fuel = fuel;
            let Some((factor, rest)) = parts else { continue };
            let of_multiple = of_key.flipped_if(factor < 0);
            let side = [Signs::NOT_NEGATIVE, Signs::NOT_POSITIVE].into_iter().find(|s| of_multiple.within(*s));
            let Some(side) = side else { continue };
            if let Some(r) = t.rational(rest) {
                if of_multiple.plus(Signs::of(&r)).within(signs) {
                    return Some(0);
                }
                continue;
            }
            if !of_multiple.plus(side).within(signs) {
                continue;
            }
            self.within_rest = true;
            let boxes = self.find_sign(t, l, rest, side, value);
            self.within_rest = false;
            if boxes.is_some() {
                return boxes;
            }
        }
        None
    }

    /// The sign of a multiple of A(u) - A(v), of an increasing function, from that of u - v: log(x + 1) > log(x). The
    /// number of boxes for the latter.
    fn by_order(&mut self, t: &mut Table, l: &Logic, form: FormId, signs: Signs) -> Option<u32> {
        let fuel = std::mem::replace(&mut t.fuel, REST_FUEL);
        let arguments = of_difference(t, form);
        t.fuel = fuel;
        let (c, difference) = arguments?;
        self.find_sign(t, l, difference, signs.flipped_if(c < 0), false)
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
                let mut inputs = BTreeSet::new();
                for a in &args[..op.arity()] {
                    inputs.extend(self.inputs(t, l, *a));
                }
                let judge = |at: &mut Evaluator<'_>| {
                    let values: Vec<Range> = args[..op.arity()].iter().map(|a| at.form(*a)).collect();
                    let def = values.iter().fold(Ternary::True, |d, v| d & v.1);
                    let x: Vec<Interval> = values.iter().map(|v| v.0).collect();
                    let own = op.forward(&x).1;
                    def & own
                };
                self.everywhere(t, l, &inputs, judge)
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

    /// The number of boxes on all of which the judge says true and which together hold the domain.
    fn everywhere(
        &mut self,
        t: &Table,
        l: &Logic,
        inputs: &BTreeSet<u32>,
        mut judge: impl FnMut(&mut Evaluator<'_>) -> Ternary,
    ) -> Option<u32> {
        let nodes = &self.nodes;
        let mut at = |ranges: &[Interval]| judge(&mut Evaluator::new(t, l, nodes, ranges));
        let whole = at(&self.ranges);
        if !matches!(whole, Ternary::Unknown) {
            return whole.is_true().then_some(1);
        }
        if self.samples.iter().any(|s| at(s).is_false()) {
            return None;
        }
        let mut open = split(&self.ranges, &self.ranges, inputs)?;
        let mut boxes = 1;
        while let Some(b) = open.pop() {
            boxes += 1;
            if boxes > MAX_BOXES {
                return None;
            }
            match at(&b) {
                Ternary::True => {}
                _ if condition(&self.conditions, &b).is_false() => {}
                Ternary::False => return None,
                Ternary::Unknown => open.extend(split(&b, &self.ranges, inputs)?),
            }
        }
        Some(boxes)
    }

    /// The inputs on which a form depends.
    fn inputs(&mut self, t: &Table, l: &Logic, form: FormId) -> BTreeSet<u32> {
        if let Some(known) = self.inputs_of.get(&form) {
            return known.clone();
        }
        let mut found = BTreeSet::new();
        let f = t.form(form);
        if f.exp != FormId::ZERO {
            found.extend(self.inputs(t, l, f.exp));
        }
        let mut atoms: BTreeSet<AtomId> = f.atoms.iter().map(|a| a.0).collect();
        for (p, _) in &f.polys {
            for (m, _) in &t.poly(*p).clone().0 {
                atoms.extend(m.atoms.iter().map(|a| a.0));
                if m.exp != FormId::ZERO {
                    found.extend(self.inputs(t, l, m.exp));
                }
            }
        }
        for a in atoms {
            match t.atom(a).clone() {
                Atom::Input(i) => {
                    found.insert(i);
                }
                Atom::Apply(op, args) => {
                    for a in &args[..op.arity()] {
                        found.extend(self.inputs(t, l, *a));
                    }
                }
                Atom::If(c, a, b) => {
                    found.extend(self.cond_inputs(t, l, c));
                    found.extend(self.inputs(t, l, a));
                    found.extend(self.inputs(t, l, b));
                }
                Atom::Pi | Atom::Node(_) => {}
            }
        }
        self.inputs_of.insert(form, found.clone());
        found
    }

    fn cond_inputs(&mut self, t: &Table, l: &Logic, c: CondId) -> BTreeSet<u32> {
        match l.cond(c) {
            Cond::Sign(f, _) => self.inputs(t, l, *f),
            Cond::All(parts) | Cond::Any(parts) => parts.iter().flat_map(|p| self.cond_inputs(t, l, *p)).collect(),
            Cond::Bool(_) | Cond::Node(..) => BTreeSet::new(),
        }
    }
}

/// `form` = factor * `key` + rest, such that the first term that the two share is gone from the rest. `None` where they
/// share none or are no polynomials.
fn multiple_and_rest(t: &mut Table, form: FormId, key: FormId) -> Option<(Rational, FormId)> {
    let (f, k) = (t.form(form), t.form(key));
    let (f, k) = (t.expand(&f).ok()?, t.expand(&k).ok()?);
    let (of_f, of_k) = k.iter().find_map(|(m, c)| {
        let constant = m.exp == FormId::ZERO && m.atoms.is_empty();
        f.get(m).filter(|_| !constant).map(|d| (d.clone(), c.clone()))
    })?;
    let factor = of_f / of_k;
    let multiple = t.scale(key, &factor).ok()?;
    let rest = t.sub(form, multiple).ok()?;
    Some((factor, rest))
}

/// The factor c and the form u - v of c A(u) - c A(v), where A increases wherever it has a value.
fn of_difference(t: &mut Table, form: FormId) -> Option<(Rational, FormId)> {
    let f = t.form(form);
    let terms: Vec<(Monomial, Rational)> = t.expand(&f).ok()?.into_iter().collect();
    let [(m, c), (n, d)] = terms.as_slice() else { return None };
    let argument = |m: &Monomial| match (m.exp, m.atoms.as_slice()) {
        (FormId::ZERO, [(a, 1)]) => match t.atom(*a) {
            Atom::Apply(op, args) if INCREASING.contains(op) => Some((*op, args[0])),
            _ => None,
        },
        _ => None,
    };
    let ((a, u), (b, v)) = (argument(m)?, argument(n)?);
    if a != b || *c != Rational::from(-d) {
        return None;
    }
    Some((c.clone(), t.sub(u, v).ok()?))
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

/// The halves of a box across the input that is widest in comparison with the domain; none if it is too small.
fn split(b: &[Interval], whole: &[Interval], inputs: &BTreeSet<u32>) -> Option<Vec<Vec<Interval>>> {
    let share = |i: usize| b[i].wid() * 0.5 / (whole[i].wid() * 0.5).max(f64::MIN_POSITIVE);
    let width = |i: usize| if share(i).is_nan() { 1.0 } else { share(i) };
    let widest = inputs.iter().map(|i| *i as usize).filter(|i| *i < b.len() && !b[*i].is_point());
    let i = widest.fold(None, |best: Option<usize>, i| match best {
        Some(j) if width(j) >= width(i) => best,
        _ => Some(i),
    })?;
    let middle = b[i].mid();
    if !(b[i].inf() < middle && middle < b[i].sup()) {
        return None;
    }
    let part = |lo, hi| {
        let mut half = b.to_vec();
        half[i] = Interval::new(lo, hi);
        half
    };
    Some(vec![part(b[i].inf(), middle), part(middle, b[i].sup())])
}
