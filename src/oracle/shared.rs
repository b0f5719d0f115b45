//! One function at one input, compared with many others that have most of their nodes in common with it: mutants at a
//! test. The common nodes are evaluated once, by whoever needs them first, on any thread.

use super::compare::compare_seen;
use super::ladder::{CHEAP, FIRST_PRECISION, knows_exact, levels};
use super::refine::{Height, Known, Wanted, enclosed, refine};
use super::twins::Twins;
use super::{Comparison, Ladder, LadderSeen};
use crate::halt;
use crate::num::{Interval, MpInterval, Rational, Ternary};
use crate::ops::Exact;
use crate::spec::Accuracy;
use crate::tape::eval::{BallEnclosure, Balls, Boxes, Deciding, Domain, Enclosure, Multi, Rationals, step};
use crate::tape::{NodeId, Tape, TapeNode, evaluate_needed};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// The nodes of one function on a tape with many.
#[derive(Clone, Debug)]
pub struct Common {
    /// In evaluation order, the function last.
    nodes: Vec<NodeId>,
    /// For every node of the tape up to the function, its place among them.
    places: Vec<Option<u32>>,
    /// By node of the tape whether it depends on what is not known; none where no node does.
    unknowns: Option<Arc<[bool]>>,
}

impl Common {
    /// The nodes of the function at `root`.
    #[must_use]
    pub fn new(tape: &Tape, root: NodeId) -> Self {
        let nodes = tape.below(&[root]);
        let mut places = vec![None; root.index() + 1];
        for (place, node) in (0..).zip(&nodes) {
            places[node.index()] = Some(place);
        }
        let unknowns = Some(tape.unknowns()).filter(|unknowns| unknowns.contains(&true));
        Common { nodes, places, unknowns: unknowns.map(Arc::from) }
    }

    /// Those of the nodes that the function needs at an input; none where that is all of them. Each of the others is in a branch
    /// that is not taken there, and belongs to whoever needs it.
    fn needed_at(&self, tape: &Tape, point: &[f64]) -> Option<Common> {
        let is_choice = |node: &NodeId| matches!(tape.node(*node), TapeNode::If(..));
        let root = self.nodes.iter().any(is_choice).then(|| self.nodes.last().copied()).flatten()?;
        let inputs: Vec<Interval> = point.iter().map(|x| Interval::point(*x)).collect();
        let mut values: FxHashMap<NodeId, Enclosure> = FxHashMap::default();
        evaluate_needed(tape, &mut Boxes { inputs: &inputs }, root, &mut values);
        let nodes: Vec<NodeId> = self.nodes.iter().copied().filter(|n| values.contains_key(n)).collect();
        let mut places = vec![None; self.places.len()];
        for (place, node) in (0..).zip(&nodes) {
            places[node.index()] = Some(place);
        }
        Some(Common { nodes, places, unknowns: self.unknowns.clone() })
    }

    fn place(&self, id: NodeId) -> Option<usize> {
        self.places.get(id.index()).copied().flatten().map(|p| p as usize)
    }

    /// What `values`, one for each of them, has of a node; `unknown` of one that is none of them, in a branch that is not taken.
    fn of<'v, V>(&self, id: NodeId, values: &'v [V], unknown: &'v V) -> &'v V {
        self.place(id).map_or(unknown, |place| &values[place])
    }
}

/// The step that has to decide the branches of a loop of which it may not be known what it returns: 480 bits. Rounds that are still
/// undecided then mostly compute with numbers that have outgrown all precisions.
const ENOUGH: usize = 3;

/// From so many nodes on, as loops have that are written out, it is worth it to look at balls first.
const LARGE: usize = 256;

/// The function at an input, precision by precision as in a [`Ladder`].
pub struct Shared<'a> {
    tape: &'a Tape,
    common: Cow<'a, Common>,
    accuracy: &'a Accuracy,
    point: Vec<Rational>,
    inputs: Vec<MpInterval>,
    exact: OnceLock<Option<(Vec<Exact>, Twins<'static>)>>,
    /// The common nodes as balls, and what they say of the function.
    balls: OnceLock<Option<(Vec<BallEnclosure>, LadderSeen)>>,
    /// By step, all common nodes at its precision. None where the work was to end early, here as everywhere below.
    steps: Vec<OnceLock<Option<Vec<MpInterval>>>>,
    /// By step, the common nodes as precise as the function needs them.
    fine: Vec<OnceLock<Option<Vec<MpInterval>>>>,
    seen: Vec<OnceLock<LadderSeen>>,
}

impl<'a> Shared<'a> {
    /// Evaluate the `common` nodes of `tape` at `point`, up to `cap` bits.
    #[must_use]
    pub fn new(tape: &'a Tape, common: &'a Common, accuracy: &'a Accuracy, point: &[f64], cap: u32) -> Self {
        let common = common.needed_at(tape, point).map_or(Cow::Borrowed(common), Cow::Owned);
        let inputs = point.iter().map(|x| MpInterval::from_f64(*x, FIRST_PRECISION)).collect();
        let point = point.iter().map(|x| crate::num::float::rational(*x)).collect();
        let levels = levels(cap);
        let [steps, fine] = [(); 2].map(|()| (1..levels).map(|_| OnceLock::new()).collect());
        let seen = (0..levels).map(|_| OnceLock::new()).collect();
        Shared {
            tape,
            common,
            accuracy,
            point,
            inputs,
            exact: OnceLock::new(),
            balls: OnceLock::new(),
            steps,
            fine,
            seen,
        }
    }

    /// What `settle` makes of the first step at which it makes something of it, as in [`Ladder::first`].
    pub fn first<T>(&self, settle: impl Fn(&Self, usize) -> Option<T>) -> Option<T> {
        super::ladder::first(self.seen.len(), |level| settle(self, level))
    }

    /// What a step says of the function.
    pub fn see(&self, level: usize) -> &LadderSeen {
        self.seen[level].get_or_init(|| self.see_with(self.accuracy, level))
    }

    /// Whether the first precision shows a value of the function, and not exactly.
    #[must_use]
    pub fn is_rounded(&self) -> bool {
        matches!(self.see(1), LadderSeen::Value(set) if !set.value.is_exact())
    }

    /// The same as [`Shared::see`] with another accuracy asked of it.
    #[must_use]
    pub fn see_with(&self, accuracy: &Accuracy, level: usize) -> LadderSeen {
        let last = self.common.nodes.len() - 1;
        let of = |values: &Vec<MpInterval>| LadderSeen::of(&values[last], accuracy);
        let seen = if level == 0 {
            self.exact().map(|(values, _)| LadderSeen::exact(&values[last], accuracy))
        } else {
            self.fine(level).map(of)
        };
        seen.unwrap_or(LadderSeen::Unsettled)
    }

    /// Compare the function at `other` with it as [`super::compare`] does, up to `cap` bits.
    #[must_use]
    pub fn compare(&self, other: NodeId, accuracy: &Accuracy, cap: u32) -> Comparison {
        if let Some(settled) = self.compare_balls(other, accuracy) {
            return settled;
        }
        let mut own = Own { root: other, exact: None, values: None, knows_exact: false };
        let levels = levels(cap).min(self.seen.len());
        let settled = super::ladder::first(levels, |level| {
            let function = self.see(level);
            // Nothing settles what is open where the function is.
            if matches!(function, LadderSeen::Unsettled) {
                return None;
            }
            let other = self.see_other(&mut own, accuracy, level)?;
            // Where it depends on what is not known, a higher precision is in vain; where it may, it is so almost always.
            let is_vain = |values: &OwnValues<_>| values.is_lost || level >= ENOUGH && values.may_be_unknown;
            let in_vain = own.values.as_ref().is_some_and(is_vain);
            compare_seen(function, &other, accuracy).or_else(|| in_vain.then_some(Comparison::Unsettled))
        });
        settled.unwrap_or(Comparison::Unsettled)
    }

    /// What balls say of the comparison, if they settle it: nothing but what they say settles it where they show that the other
    /// function depends on what is not known, as a loop does that goes on beyond all rounds that are written out.
    fn compare_balls(&self, other: NodeId, accuracy: &Accuracy) -> Option<Comparison> {
        if self.common.unknowns.is_none() && self.common.nodes.len() < LARGE {
            return None;
        }
        let inputs: Vec<BallEnclosure> = self.inputs.iter().map(|x| BallEnclosure::point(x.lo.to_f64())).collect();
        let mut domain = Balls { inputs: &inputs };
        let evaluate_common = |domain: &mut Balls<'_>| {
            let common = self.evaluate_common(domain, |_, _, value| value)?;
            let seen = LadderSeen::of(&common.last()?.interval(), self.accuracy);
            Some((common, seen))
        };
        let (common, function) = self.balls.get_or_init(|| evaluate_common(&mut domain)).as_ref()?;
        let own = self.evaluate(other, &mut domain, common, |_, _, value| value)?;
        let value = self.value(other, common, &own);
        if own.is_lost && !value.def.is_false() {
            return Some(Comparison::Unsettled);
        }
        let settled = compare_seen(function, &LadderSeen::of(&value.interval(), accuracy), accuracy);
        // Multiple precision takes minutes for millions of rounds.
        settled.or_else(|| self.tape.has_counted_loops().then_some(Comparison::Unsettled))
    }

    /// What a step says of another function.
    fn see_other(&self, own: &mut Own, accuracy: &Accuracy, level: usize) -> Option<LadderSeen> {
        if level == 0 {
            let root = own.root;
            let exact = self.exact_own(own)?;
            return Some(LadderSeen::exact(self.value(root, &self.exact()?.0, exact), accuracy));
        }
        let precision = Ladder::precision(level);
        if !knows_exact(level) {
            let common = self.step(level)?;
            let domain = &mut Multi { inputs: &self.inputs, precision };
            let values = own.values.insert(self.evaluate(own.root, domain, common, |_, _, v| v)?);
            return Some(LadderSeen::of(self.value(own.root, common, values), accuracy));
        }
        self.refine_own(own, level, accuracy)
    }

    /// What a step of high precision says of another function.
    fn refine_own(&self, own: &mut Own, level: usize, accuracy: &Accuracy) -> Option<LadderSeen> {
        let precision = Ladder::precision(level);
        self.exact_own(own)?;
        let (exact, values) = (own.exact.as_ref()?, own.values.as_mut()?);
        if !std::mem::replace(&mut own.knows_exact, true) {
            for (node, value) in &mut values.needed {
                *value = enclosed(exact.of(*node), precision).unwrap_or_else(|| value.clone());
            }
        }
        let (exact_common, common) = (&self.exact()?.0, self.fine(level)?);
        let mut known = Mine { at: self, level, exact, exact_common, common, values };
        refine(self.tape, &self.inputs, own.root, self.height(level), &mut known)?;
        Some(LadderSeen::of(known.enclosure(own.root), accuracy))
    }

    /// Exact arithmetic of another function's own nodes.
    fn exact_own<'o>(&self, own: &'o mut Own) -> Option<&'o OwnValues<Exact>> {
        if own.exact.is_none() {
            let (common, below) = self.exact()?;
            let mut twins = Twins::above(below);
            if own.values.is_none() {
                self.see_other(own, self.accuracy, 1)?;
            }
            let (enclosures, values) = (self.step(1)?, own.values.as_ref()?);
            let note = |id, node, value| twins.note((id, node), value, |o| Some(self.value(o, enclosures, values)));
            own.exact = Some(self.evaluate(own.root, &mut Rationals { inputs: &self.point }, common, note)?);
        }
        own.exact.as_ref()
    }

    /// The values of the nodes below `root` that are not common, each after `note`, but for those of branches that are not
    /// taken: of a loop that ends after few rounds all others are such branches.
    fn evaluate<D: Deciding>(
        &self,
        root: NodeId,
        domain: &mut D,
        common: &[D::Value],
        mut note: impl FnMut(NodeId, TapeNode, D::Value) -> D::Value,
    ) -> Option<OwnValues<D::Value>> {
        let mut own =
            OwnValues { needed: FxHashMap::default(), other: domain.unknown(), is_lost: false, may_be_unknown: false };
        let (mut is_lost, mut is_decided) = (false, true);
        let mut open = vec![root];
        while let Some(&id) = open.last() {
            if halt::requested() {
                return None;
            }
            let lacks = |id: NodeId| self.common.place(id).is_none() && !own.needed.contains_key(&id);
            if lacks(id) {
                let node = self.tape.node(id);
                let before = open.len();
                let mut need = |o| {
                    if lacks(o) {
                        open.push(o);
                    }
                };
                match node {
                    TapeNode::If(c, ..) if lacks(c) => need(c),
                    TapeNode::If(c, then, otherwise) => match domain.decide(self.value(c, common, &own)) {
                        Ternary::True => need(then),
                        Ternary::False => need(otherwise),
                        Ternary::Unknown => {
                            is_decided = false;
                            [then, otherwise].into_iter().for_each(need);
                        }
                    },
                    _ => node.for_each_operand(need),
                }
                if open.len() > before {
                    continue;
                }
                let value = step(self.tape, node, domain, |o| self.value(o, common, &own));
                if let TapeNode::Unknown(_, [has_none, _]) = node
                    && !domain.has_value(&value)
                {
                    own.may_be_unknown = true;
                    is_lost |= domain.decide(self.value(has_none, common, &own)) == Ternary::False;
                }
                own.needed.insert(id, note(id, node, value));
            }
            open.pop();
        }
        own.is_lost = is_lost && is_decided;
        Some(own)
    }

    fn value<'v, V>(&self, id: NodeId, common: &'v [V], own: &'v OwnValues<V>) -> &'v V {
        match self.common.place(id) {
            Some(place) => &common[place],
            None => own.of(id),
        }
    }

    fn exact(&self) -> Option<&(Vec<Exact>, Twins<'static>)> {
        let evaluate = || {
            let enclosures = self.step(CHEAP.min(self.steps.len()))?;
            let mut twins = Twins::default();
            let note = |id, node, value| {
                twins.note((id, node), value, |o| self.common.place(o).map(|place| &enclosures[place]))
            };
            let values = self.evaluate_common(&mut Rationals { inputs: &self.point }, note)?;
            Some((values, twins))
        };
        self.exact.get_or_init(evaluate).as_ref()
    }

    /// All common nodes at the precision of a step.
    fn step(&self, level: usize) -> Option<&Vec<MpInterval>> {
        let evaluate = || {
            let precision = Ladder::precision(level);
            let exact = if knows_exact(level) { self.exact()?.0.as_slice() } else { &[] };
            let known = |place: usize| enclosed(exact.get(place)?, precision);
            let domain = &mut Multi { inputs: &self.inputs, precision };
            let mut place = 0..;
            self.evaluate_common(domain, |_, _, value| place.next().and_then(known).unwrap_or(value))
        };
        self.steps[level - 1].get_or_init(evaluate).as_ref()
    }

    /// The common nodes at a step, after exact arithmetic as precise as the function needs them.
    fn fine(&self, level: usize) -> Option<&Vec<MpInterval>> {
        if !knows_exact(level) {
            return self.step(level);
        }
        self.fine[level - 1].get_or_init(|| self.refine_common(level)).as_ref()
    }

    fn height(&self, level: usize) -> Height {
        Height { precision: Ladder::precision(level), is_last: level == self.steps.len() }
    }

    fn refine_common(&self, level: usize) -> Option<Vec<MpInterval>> {
        let precision = Ladder::precision(level);
        let exact = &self.exact()?.0;
        let mut values = self.fine(level - 1)?.clone();
        if !knows_exact(level - 1) {
            for (value, exact) in values.iter_mut().zip(exact) {
                *value = enclosed(exact, precision).unwrap_or_else(|| value.clone());
            }
        }
        let Some(root) = self.common.nodes.last() else { return Some(values) };
        let unknown = (Exact::Unknown, MpInterval::entire(precision, Ternary::Unknown));
        let mut known = Ours { common: &self.common, exact, enclosures: &mut values, unknown: &unknown };
        refine(self.tape, &self.inputs, *root, self.height(level), &mut known)?;
        Some(values)
    }

    fn evaluate_common<D: Domain>(
        &self,
        domain: &mut D,
        mut note: impl FnMut(NodeId, TapeNode, D::Value) -> D::Value,
    ) -> Option<Vec<D::Value>> {
        let (mut values, unknown) = (Vec::with_capacity(self.common.nodes.len()), domain.unknown());
        for id in &self.common.nodes {
            if halt::requested() {
                return None;
            }
            let node = self.tape.node(*id);
            let value = step(self.tape, node, domain, |o| self.common.of(o, &values, &unknown));
            values.push(note(*id, node, value));
        }
        Some(values)
    }
}

/// Another function, and what is known so far of its nodes that are not common.
struct Own {
    root: NodeId,
    exact: Option<OwnValues<Exact>>,
    values: Option<OwnValues<MpInterval>>,
    /// Whether the exact values are among them.
    knows_exact: bool,
}

/// Values of those nodes of a function that are not common.
struct OwnValues<V> {
    /// Those on which the function depends at the input.
    needed: FxHashMap<NodeId, V>,
    /// What is known of the others: nothing.
    other: V,
    /// Whether all conditions are decided, and the function depends on what is not known.
    is_lost: bool,
    /// Whether the function depends on what is not known as far as it is decided which branches are taken.
    may_be_unknown: bool,
}

impl<V> OwnValues<V> {
    fn of(&self, node: NodeId) -> &V {
        self.needed.get(&node).unwrap_or(&self.other)
    }
}

/// What is known of the common nodes.
struct Ours<'k> {
    common: &'k Common,
    exact: &'k [Exact],
    enclosures: &'k mut [MpInterval],
    /// What is known of nodes in branches that are not taken.
    unknown: &'k (Exact, MpInterval),
}

impl Known for Ours<'_> {
    fn enclosure(&self, node: NodeId) -> &MpInterval {
        self.common.of(node, self.enclosures, &self.unknown.1)
    }
    fn exact(&self, node: NodeId) -> &Exact {
        self.common.of(node, self.exact, &self.unknown.0)
    }
    fn can_improve(&self, node: NodeId) -> bool {
        self.common.place(node).is_some()
    }
    fn improve(&mut self, node: NodeId, enclosure: MpInterval) {
        if let Some(place) = self.common.place(node) {
            self.enclosures[place] = enclosure;
        }
    }
}

/// What is known of the common nodes and of those of another function; the latter can be improved.
struct Mine<'k> {
    at: &'k Shared<'k>,
    level: usize,
    exact: &'k OwnValues<Exact>,
    exact_common: &'k [Exact],
    common: &'k [MpInterval],
    values: &'k mut OwnValues<MpInterval>,
}

impl Known for Mine<'_> {
    fn enclosure(&self, node: NodeId) -> &MpInterval {
        self.at.value(node, self.common, self.values)
    }
    fn exact(&self, node: NodeId) -> &Exact {
        self.at.value(node, self.exact_common, self.exact)
    }
    fn prepare(&mut self, plan: &[Wanted]) -> Option<()> {
        if !plan.iter().all(|wanted| self.can_improve(wanted.node)) {
            // It needs more of the common nodes than the function does.
            self.common = self.at.step(self.level)?;
        }
        Some(())
    }
    fn can_improve(&self, node: NodeId) -> bool {
        self.at.common.place(node).is_none()
    }
    fn improve(&mut self, node: NodeId, enclosure: MpInterval) {
        self.values.needed.insert(node, enclosure);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{DEFAULT_CAP, Function, compare};
    use crate::spec::{Overrides, parse_file, resolve};
    use crate::tape::Builder;
    use crate::tape::lower::lower;

    #[test]
    fn a_comparison_is_the_same_as_on_a_tape_of_its_own() {
        let others = [
            "(- (sqrt (+ x 1)) (sqrt x))",
            "(/ 1 (+ (sqrt (+ x 1)) (sqrt x)))",
            "(- (sqrt (+ x 1)) (sqrt y))",
            "(- (sqrt (+ x 1)) (sqrt (- 0 x)))",
            "(- (exp (exp (+ x 1))) (sqrt x))",
            "(+ (- (sqrt (+ x 1)) (sqrt x)) 1e-9)",
            "(/ (exp x) (sqrt (sin (* PI x))))",
            "(* (exp x) (sqrt (sin (* PI y))))",
            "x",
            "2",
            // Branches that are taken, and such of which it is open whether they are.
            "(if (< x 1) (- (sqrt (+ x 1)) (sqrt x)) (exp (/ y x)))",
            "(if (< (exp x) (exp y)) (log x) (if (<= (sin x) (sin y)) (- (exp (exp (+ x 1))) (sqrt x)) (sqrt y)))",
            "(if (< (sqrt (- x y)) 1) (sqrt (+ x 1)) (log y))",
        ];
        compare_with_others(others[0], &others);
        // A function of choices, whose branches others have too.
        let choices = "(if (< x 1) (- (sqrt (+ x 1)) (sqrt x)) (if (< (exp x) (exp y)) (log y) (exp (/ y x))))";
        let more =
            [choices, "(if (< x 2) (- (sqrt (+ x 1)) (sqrt x)) (exp (/ y x)))", "(+ (exp (/ y x)) (log y))", "(log y)"];
        compare_with_others(choices, &[&more[..], &others].concat());
    }

    fn compare_with_others(function: &str, others: &[&str]) {
        let text = format!("(FPCore f (x y) :magneto-rel-error 1e-6 {function})");
        let spec = resolve(&parse_file(text.as_bytes()), 0, "text", &Overrides::default()).unwrap();
        let names = ["x".to_owned(), "y".to_owned()];
        let mut b = Builder::new(2);
        let root = |text: &str, b: &mut Builder| {
            let file = parse_file(format!("(FPCore (x y) {text})").as_bytes());
            lower(b, &names, &file.cores[0].as_ref().unwrap().body)
        };
        let first = root(function, &mut b);
        let roots: Vec<NodeId> = others.iter().map(|text| root(text, &mut b)).collect();
        let tape = b.finish();
        let common = Common::new(&tape, first);
        for point in [[0.0, 0.0], [1.0, 2.0], [1e9, 1e9], [1e300, 1.0], [-0.5, 3.0], [1e-300, 0.25]] {
            for cap in [120, 480, DEFAULT_CAP] {
                let shared = Shared::new(&tape, &common, &spec.accuracy, &point, cap);
                for g in &roots {
                    let (own, at) = tape.extract(&[first, *g]);
                    let function = |root| Function { tape: &own, root, accuracy: &spec.accuracy };
                    let alone = compare(&mut Ladder::new(&own, &point, cap), function(at[0]), function(at[1]), false);
                    let together = shared.compare(*g, &spec.accuracy, cap);
                    assert_eq!(format!("{together:?}"), format!("{alone:?}"), "{point:?}, {cap} bits");
                }
            }
        }
    }
}
