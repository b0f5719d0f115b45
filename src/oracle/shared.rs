//! One function at one input, compared with many others that have most of their nodes in common with it: mutants at a
//! test. The common nodes are evaluated once, by whoever needs them first, on any thread.

use super::compare::compare_seen;
use super::ladder::{FIRST_PRECISION, enclosed, knows_exact, levels};
use super::{Comparison, Ladder, LadderSeen};
use crate::halt;
use crate::num::{MpInterval, Rational};
use crate::ops::Exact;
use crate::spec::Accuracy;
use crate::tape::eval::{Domain, Multi, Rationals, step};
use crate::tape::{NodeId, Tape};
use std::cell::OnceCell;
use std::sync::OnceLock;

/// The nodes of one function on a tape with many.
#[derive(Clone, Debug)]
pub struct Common {
    /// In evaluation order, the function last.
    nodes: Vec<NodeId>,
    /// For every node of the tape up to the function, its place among them.
    places: Vec<Option<u32>>,
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
        Common { nodes, places }
    }

    fn place(&self, id: NodeId) -> Option<usize> {
        self.places.get(id.index()).copied().flatten().map(|p| p as usize)
    }
}

/// Above this step the precision is high enough that a try at the first one costs little beside it.
const DEAR: usize = 3;

/// The inputs, and the common nodes.
type Step = (Vec<MpInterval>, Vec<MpInterval>);

/// The function at an input, precision by precision as in a [`Ladder`].
pub struct Shared<'a> {
    tape: &'a Tape,
    common: &'a Common,
    accuracy: &'a Accuracy,
    point: Vec<Rational>,
    exact: OnceLock<Option<Vec<Exact>>>,
    /// By step. None where the work was to end early, here as everywhere below.
    steps: Vec<OnceLock<Option<Step>>>,
    seen: Vec<OnceLock<LadderSeen>>,
}

impl<'a> Shared<'a> {
    /// Evaluate the `common` nodes of `tape` at `point`, up to `cap` bits.
    #[must_use]
    pub fn new(tape: &'a Tape, common: &'a Common, accuracy: &'a Accuracy, point: &[f64], cap: u32) -> Self {
        let point = point.iter().map(|x| crate::num::float::rational(*x)).collect();
        let levels = levels(cap);
        let steps = (1..levels).map(|_| OnceLock::new()).collect();
        let seen = (0..levels).map(|_| OnceLock::new()).collect();
        Shared { tape, common, accuracy, point, exact: OnceLock::new(), steps, seen }
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
        let seen = if level == 0 {
            self.exact().map(|values| LadderSeen::exact(&values[last], accuracy))
        } else {
            self.step(level).map(|(_, values)| LadderSeen::of(&values[last], accuracy))
        };
        seen.unwrap_or(LadderSeen::Unsettled)
    }

    /// Compare the function at `other` with it as [`super::compare`] does, up to `cap` bits.
    ///
    /// Where it is the function that needs a high precision, what cancels is mostly common to both: the other nodes are tried
    /// at the first precision before they are computed at the high one too.
    #[must_use]
    pub fn compare(&self, other: NodeId, accuracy: &Accuracy, cap: u32) -> Comparison {
        let own = Own { nodes: self.own_nodes(other), exact: OnceCell::new() };
        let levels = levels(cap).min(self.seen.len());
        let settled = super::ladder::first(levels, |level| {
            let function = self.see(level);
            // Nothing settles what is open where the function is.
            if matches!(function, LadderSeen::Unsettled) {
                return None;
            }
            let compare_with =
                |precision| compare_seen(function, &self.see_other(other, &own, accuracy, level, precision)?, accuracy);
            let whole = Ladder::precision(level);
            let sharpens = level > DEAR && !self.see(level - 1).is_sharp();
            let at_first = if sharpens { compare_with(FIRST_PRECISION) } else { None };
            at_first.or_else(|| compare_with(whole))
        });
        settled.unwrap_or(Comparison::Unsettled)
    }

    /// What a step says of another function, of which `own` are the nodes that are not common; these have a precision of
    /// their own.
    fn see_other(
        &self,
        other: NodeId,
        own: &Own,
        accuracy: &Accuracy,
        level: usize,
        precision: u32,
    ) -> Option<LadderSeen> {
        if level == 0 {
            let value = self.value(other, &own.nodes, self.exact()?, self.exact_own(own)?);
            return Some(LadderSeen::exact(value, accuracy));
        }
        let (inputs, common) = self.step(level)?;
        let exact = if knows_exact(level) { self.exact_own(own)? } else { &[] };
        let known = |place: usize| exact.get(place).and_then(|value| enclosed(value, precision));
        let values = self.evaluate(&own.nodes, &mut Multi { inputs, precision }, common, known)?;
        Some(LadderSeen::of(self.value(other, &own.nodes, common, &values), accuracy))
    }

    fn exact_own<'o>(&self, own: &'o Own) -> Option<&'o [Exact]> {
        let walk = || self.evaluate(&own.nodes, &mut Rationals { inputs: &self.point }, self.exact()?, |_| None);
        own.exact.get_or_init(walk).as_deref()
    }

    /// The nodes below `root` that are not common, in evaluation order.
    fn own_nodes(&self, root: NodeId) -> Vec<NodeId> {
        let (mut found, mut next) = (Vec::new(), vec![root]);
        let mut seen = std::collections::HashSet::new();
        while let Some(id) = next.pop() {
            if self.common.place(id).is_none() && seen.insert(id) {
                found.push(id);
                self.tape.node(id).for_each_operand(|o| next.push(o));
            }
        }
        found.sort_unstable();
        found
    }

    /// The values of nodes that are not common, those not computed that are `known`.
    fn evaluate<D: Domain>(
        &self,
        own: &[NodeId],
        domain: &mut D,
        common: &[D::Value],
        known: impl Fn(usize) -> Option<D::Value>,
    ) -> Option<Vec<D::Value>> {
        let mut values = Vec::with_capacity(own.len());
        for (place, id) in own.iter().enumerate() {
            if halt::requested() {
                return None;
            }
            let compute = || step(self.tape, self.tape.node(*id), domain, |o| self.value(o, own, common, &values));
            let value = known(place).unwrap_or_else(compute);
            values.push(value);
        }
        Some(values)
    }

    fn value<'v, V>(&self, id: NodeId, own: &[NodeId], common: &'v [V], values: &'v [V]) -> &'v V {
        match self.common.place(id) {
            Some(place) => &common[place],
            None => &values[own.partition_point(|o| *o < id)],
        }
    }

    fn exact(&self) -> Option<&[Exact]> {
        self.exact.get_or_init(|| self.evaluate_common(&mut Rationals { inputs: &self.point }, |_| None)).as_deref()
    }

    fn step(&self, level: usize) -> Option<&(Vec<MpInterval>, Vec<MpInterval>)> {
        let step = self.steps[level - 1].get_or_init(|| {
            let precision = Ladder::precision(level);
            let inputs: Vec<_> = self.point.iter().map(|x| MpInterval::from_rational(x, precision)).collect();
            let exact = if knows_exact(level) { self.exact()? } else { &[] };
            let known = |place: usize| exact.get(place).and_then(|value| enclosed(value, precision));
            let values = self.evaluate_common(&mut Multi { inputs: &inputs, precision }, known)?;
            Some((inputs, values))
        });
        step.as_ref()
    }

    fn evaluate_common<D: Domain>(
        &self,
        domain: &mut D,
        known: impl Fn(usize) -> Option<D::Value>,
    ) -> Option<Vec<D::Value>> {
        let mut values = Vec::with_capacity(self.common.nodes.len());
        for (place, id) in self.common.nodes.iter().enumerate() {
            if halt::requested() {
                return None;
            }
            let of = |o: NodeId| &values[self.common.place(o).unwrap_or_default()];
            let value = known(place).unwrap_or_else(|| step(self.tape, self.tape.node(*id), domain, of));
            values.push(value);
        }
        Some(values)
    }
}

/// The nodes of another function that are not common, in evaluation order, with their exact values once they are wanted.
struct Own {
    nodes: Vec<NodeId>,
    exact: OnceCell<Option<Vec<Exact>>>,
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
        ];
        let text = format!("(FPCore f (x y) :magneto-rel-error 1e-6 {})", others[0]);
        let spec = resolve(&parse_file(text.as_bytes()), 0, "text", &Overrides::default()).unwrap();
        let names = ["x".to_owned(), "y".to_owned()];
        let mut b = Builder::new(2);
        let root = |text: &str, b: &mut Builder| {
            let file = parse_file(format!("(FPCore (x y) {text})").as_bytes());
            lower(b, &names, &file.cores[0].as_ref().unwrap().body)
        };
        let roots = others.map(|text| root(text, &mut b));
        let tape = b.finish();
        let common = Common::new(&tape, roots[0]);
        for point in [[0.0, 0.0], [1.0, 2.0], [1e9, 1e9], [1e300, 1.0], [-0.5, 3.0], [1e-300, 0.25]] {
            for cap in [120, 480, DEFAULT_CAP] {
                let shared = Shared::new(&tape, &common, &spec.accuracy, &point, cap);
                for g in roots {
                    let (own, at) = tape.extract(&[roots[0], g]);
                    let function = |root| Function { tape: &own, root, accuracy: &spec.accuracy };
                    let alone = compare(&mut Ladder::new(&own, &point, cap), function(at[0]), function(at[1]), false);
                    let together = shared.compare(g, &spec.accuracy, cap);
                    assert_eq!(format!("{together:?}"), format!("{alone:?}"), "{point:?}, {cap} bits");
                }
            }
        }
    }
}
