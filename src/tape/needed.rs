//! The lazy walk over a tape at an input: only the nodes that some others depend on there. Of a loop that ends after few of the
//! rounds that are written out, and of a choice, most nodes are in branches that are not taken.

use super::eval::{Deciding, evaluate, step};
use super::{NodeId, Tape, TapeNode};
use crate::num::Ternary;
use crate::ops::Op;
use rustc_hash::FxHashMap;

/// Where the values of nodes are kept that were needed.
pub trait NodeValues<V> {
    /// The value of a node, if it was needed.
    fn get(&self, node: NodeId) -> Option<&V>;
    /// Keep the value of a node.
    fn put(&mut self, node: NodeId, value: V);
}

impl<V> NodeValues<V> for FxHashMap<NodeId, V> {
    fn get(&self, node: NodeId) -> Option<&V> {
        FxHashMap::get(self, &node)
    }
    fn put(&mut self, node: NodeId, value: V) {
        self.insert(node, value);
    }
}

/// Evaluate a root, and what it depends on at the input that the domain has, as far as it is not known.
pub fn evaluate_needed<D: Deciding>(tape: &Tape, domain: &mut D, root: NodeId, values: &mut impl NodeValues<D::Value>) {
    let unknown = domain.unknown();
    let mut open = vec![root];
    while let Some(&id) = open.last() {
        if values.get(id).is_some() {
            open.pop();
            continue;
        }
        let (node, before) = (tape.node(id), open.len());
        let mut need = |o: NodeId| {
            if values.get(o).is_none() {
                open.push(o);
            }
        };
        match node {
            TapeNode::If(c, then, otherwise) => match values.get(c).map(|c| domain.decide(c)) {
                None => need(c),
                Some(Ternary::True) => need(then),
                Some(Ternary::False) => need(otherwise),
                Some(Ternary::Unknown) => [then, otherwise].into_iter().for_each(need),
            },
            _ => node.for_each_operand(need),
        }
        if open.len() == before {
            let value = step(tape, node, domain, |o| values.get(o).unwrap_or(&unknown));
            values.put(id, value);
            open.pop();
        }
    }
}

/// What is settled of nodes at an input.
pub trait Settled {
    /// Whether a node surely has a value.
    fn has_value(&self, node: NodeId) -> bool;
    /// Whether a condition holds; unknown where it may have no truth value.
    fn truth(&self, condition: NodeId) -> Ternary;
    /// Whether a node, whose operator has several operands, surely has a value wherever these have.
    fn is_total(&self, node: NodeId, op: Op) -> bool;
    /// Whether loops were followed after the rounds that are written out, with all the precision that is worth it.
    fn follows_loops(&self) -> bool;
}

/// Whether a node surely needs what is not known, such as rounds of a loop that are not written out, and whether it has a value hangs
/// on nothing else: a higher precision shows none.
pub fn is_lost(tape: &Tape, mut node: NodeId, settled: &impl Settled) -> bool {
    loop {
        node = match tape.node(node) {
            // A higher precision may show that it has no value.
            TapeNode::Unknown(number, [has_none, _]) => {
                let shows_more = tape.rest(number).is_some() && !settled.follows_loops();
                return !shows_more && settled.truth(has_none) == Ternary::False;
            }
            TapeNode::If(condition, then, otherwise) => match settled.truth(condition) {
                Ternary::True => then,
                Ternary::False => otherwise,
                Ternary::Unknown => return false,
            },
            // Of an operator with several operands one must not decide alone that there is no value.
            of @ TapeNode::Op(op, _) if op.arity() == 1 || settled.is_total(node, op) => {
                let mut open = Vec::new();
                of.for_each_operand(|o| open.extend((!settled.has_value(o)).then_some(o)));
                let [one] = open[..] else { return false };
                one
            }
            _ => return false,
        }
    }
}

/// Values of the nodes of a tape that were needed at an input. What was allocated is used again at the next one.
pub struct NeededValues<V> {
    values: Vec<V>,
    /// When each of them was computed: it is of this input where that is `turn`.
    turns: Vec<u32>,
    turn: u32,
    /// Whether all nodes were computed.
    is_whole: bool,
    /// What stands for nodes that were not needed.
    unknown: Option<V>,
}

impl<V> Default for NeededValues<V> {
    fn default() -> Self {
        NeededValues { values: Vec::new(), turns: Vec::new(), turn: 0, is_whole: false, unknown: None }
    }
}

impl<V> NodeValues<V> for NeededValues<V> {
    fn get(&self, node: NodeId) -> Option<&V> {
        (self.is_whole || self.turns[node.index()] == self.turn).then(|| &self.values[node.index()])
    }
    fn put(&mut self, node: NodeId, value: V) {
        self.values[node.index()] = value;
        self.turns[node.index()] = self.turn;
    }
}

impl<V: Clone> NeededValues<V> {
    /// Evaluate roots, and what they depend on at the input that the domain has; all of a tape without choices.
    pub fn evaluate<D: Deciding<Value = V>>(
        &mut self,
        tape: &Tape,
        domain: &mut D,
        roots: impl IntoIterator<Item = NodeId>,
    ) {
        self.is_whole = !tape.nodes().iter().any(|n| matches!(n, TapeNode::If(..)));
        if self.is_whole {
            evaluate(tape, domain, &mut self.values);
            return;
        }
        let unknown = domain.unknown();
        self.values.resize(tape.len(), unknown.clone());
        self.unknown = Some(unknown);
        // Another tape may be shorter, and turns begin again after all numbers were used.
        self.turn = self.turn.wrapping_add(1);
        if self.turns.len() != tape.len() || self.turn == 0 {
            (self.turn, self.turns) = (1, vec![0; tape.len()]);
        }
        for root in roots {
            evaluate_needed(tape, domain, root, self);
        }
    }

    /// The value of a node; what is unknown where the node was not needed.
    ///
    /// # Panics
    /// If nothing was evaluated.
    #[must_use]
    pub fn value(&self, node: NodeId) -> &V {
        self.get(node).or(self.unknown.as_ref()).expect("something was evaluated")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Interval;
    use crate::tape::Builder;
    use crate::tape::eval::{Boxes, Enclosure, Points};
    use crate::tape::lower::lower;

    /// Choices in choices, of which one hangs on what has no value, and a loop written out.
    const FORMULAS: [&str; 5] = [
        "(+ x (* y 2))",
        "(if (< x y) (sqrt (- y x)) (if (== x y) 1 (log (- x y))))",
        "(if (< (sqrt x) 1) (if (< (log y) 0) (/ 1 x) (* x y)) (- x y))",
        "(+ (if (< x 1) (if (< x 0) (exp y) y) 3) (if (and (< x 1) (< (/ 1 y) 2)) 4 (/ x y)))",
        "(while (and (< i 5) (< s 9)) ([i 0 (+ i 1)] [s x (+ (* s s) y)]) (if (< s 3) (/ s y) i))",
    ];

    #[test]
    fn what_is_needed_has_the_values_of_a_whole_evaluation() {
        let names = ["x".to_owned(), "y".to_owned()];
        let mut builder = Builder::new(2);
        let roots = FORMULAS.map(|text| {
            let file = crate::spec::parse_file(format!("(FPCore (x y) {text})").as_bytes());
            let body = &file.cores[0].as_ref().unwrap().body;
            lower(&mut builder, &names, &crate::spec::unroll::flat(&names, body))
        });
        let tape = builder.finish();
        let numbers = [-2.0, -0.5, 0.0, 0.25, 1.0, 2.0, 7.0];
        let pairs: Vec<[f64; 2]> = numbers.iter().flat_map(|x| numbers.map(|y| [*x, y])).collect();
        let (mut needed, mut whole): (NeededValues<Enclosure>, _) = (NeededValues::default(), Vec::new());
        let mut left_out = 0;
        for [x, y] in &pairs {
            let inputs = [Interval::point(*x), Interval::new(*y, y + 0.5)];
            needed.evaluate(&tape, &mut Boxes { inputs: &inputs }, roots);
            evaluate(&tape, &mut Boxes { inputs: &inputs }, &mut whole);
            assert_eq!(roots.map(|r| *needed.value(r)), roots.map(|r| whole[r.index()]), "{x} {y}");
            left_out += (0..tape.len()).filter(|n| needed.turns[*n] != needed.turn).count();
        }
        assert!(left_out > pairs.len() * tape.len() / 4, "{left_out}");
        let (mut needed, mut whole): (NeededValues<[f64; 2]>, _) = (NeededValues::default(), Vec::new());
        for both in pairs.windows(2) {
            let inputs = [[both[0][0], both[1][0]], [both[0][1], both[1][1]]];
            needed.evaluate(&tape, &mut Points { inputs: &inputs }, roots);
            evaluate(&tape, &mut Points { inputs: &inputs }, &mut whole);
            let bits = |v: &[f64; 2]| v.map(f64::to_bits);
            let is_same = |r: &NodeId| {
                let (a, b) = (needed.value(*r), &whole[r.index()]);
                bits(a) == bits(b) || (0..2).all(|l| a[l] == b[l] || a[l].is_nan() && b[l].is_nan())
            };
            assert!(roots.iter().all(is_same), "{both:?}");
        }
    }
}
