//! What functions are where two expressions stand in a known order.

use super::builder::Builder;
use super::node::{NodeId, Tape, TapeNode};
use crate::num::Interval;
use crate::num::float::rational;
use crate::ops::Op;
use std::cmp::Ordering;

/// Functions where two expressions stand in one order.
pub struct OrderedCase {
    /// The tape of all that follows.
    pub tape: Tape,
    /// The functions there.
    pub roots: Vec<NodeId>,
    /// What holds there.
    pub stated: Vec<NodeId>,
}

/// The condition that `pair` has values in this order.
pub fn state_order(b: &mut Builder, [x, y]: [NodeId; 2], order: Ordering) -> NodeId {
    match order {
        Ordering::Less => b.less(x, y),
        Ordering::Equal => b.equal(x, y),
        Ordering::Greater => b.less(y, x),
    }
}

/// The same functions wherever the two nodes of `pair` have values in this order: comparisons of the two are decided. Where
/// both are equal and that tells an input by the others, the input gives way to this, and its range is stated. The ends of
/// `domain` are finite.
#[must_use]
pub fn assume_order(
    tape: &Tape,
    roots: &[NodeId],
    pair: [NodeId; 2],
    order: Ordering,
    domain: &[Interval],
) -> OrderedCase {
    let mut b = Builder::new(tape.inputs());
    let solved = if order.is_eq() { solve_for_input(tape, pair) } else { None };
    let input = solved.map(|solved| (solved.input, solved.value(tape, &mut b)));
    let mut place: Vec<NodeId> = Vec::with_capacity(tape.len());
    for &node in tape.nodes() {
        let new = match (decided_by_order(&mut b, node, pair, order, &place), input) {
            (Some(decided), _) => decided,
            (None, Some((input, value))) if node == TapeNode::Var(input) => value,
            _ => b.copy(tape, node, &place),
        };
        place.push(new);
    }
    let stated = match input {
        Some((input, value)) => {
            let range = domain[input as usize];
            let [lo, hi] = [range.inf(), range.sup()].map(|end| b.rational(rational(end)));
            vec![b.less_eq(lo, value), b.less_eq(value, hi)]
        }
        None => vec![state_order(&mut b, pair.map(|node| place[node.index()]), order)],
    };
    let all: Vec<NodeId> = roots.iter().map(|r| place[r.index()]).chain(stated).collect();
    let (tape, mut roots_then_stated) = b.finish().extract(&all);
    let stated = roots_then_stated.split_off(roots.len());
    OrderedCase { tape, roots: roots_then_stated, stated }
}

/// What a comparison of these two nodes, or a choice between them, is where they stand in this order; none of another node.
fn decided_by_order(
    b: &mut Builder,
    node: TapeNode,
    [x, y]: [NodeId; 2],
    order: Ordering,
    place: &[NodeId],
) -> Option<NodeId> {
    let [u, v] = ordered_operands(node)?;
    let order = match (u, v) {
        _ if (u, v) == (x, y) => order,
        _ if (u, v) == (y, x) => order.reverse(),
        _ => return None,
    };
    let (u, v) = (place[u.index()], place[v.index()]);
    Some(match node {
        TapeNode::Less(..) => b.boolean(order.is_lt()),
        TapeNode::LessEq(..) => b.boolean(order.is_le()),
        TapeNode::Equal(..) => b.boolean(order.is_eq()),
        TapeNode::Op(Op::Fmax, _) => {
            if order.is_ge() {
                u
            } else {
                v
            }
        }
        TapeNode::Op(Op::Fmin, _) => {
            if order.is_le() {
                u
            } else {
                v
            }
        }
        _ => return None,
    })
}

/// The two expressions of whose order alone it depends what a node is: those that it compares, or chooses from. (`fdim` is an
/// `fmax` of a difference on a tape.)
#[must_use]
pub fn ordered_operands(node: TapeNode) -> Option<[NodeId; 2]> {
    match node {
        TapeNode::Op(Op::Fmax | Op::Fmin, [x, y, _]) => Some([x, y]),
        _ => compared(node),
    }
}

/// The two expressions that a comparison compares.
#[must_use]
pub fn compared(node: TapeNode) -> Option<[NodeId; 2]> {
    match node {
        TapeNode::Less(x, y) | TapeNode::LessEq(x, y) | TapeNode::Equal(x, y) => Some([x, y]),
        _ => None,
    }
}

/// A step from the value of an expression to that of an operand.
#[derive(Clone, Copy)]
enum Inverse {
    /// The operator of the value and the node.
    ValueFirst(Op, NodeId),
    /// The operator of the node and the value.
    ValueSecond(Op, NodeId),
    /// The operator of the value alone.
    Alone(Op),
}

/// An input as an expression that does not depend on it.
struct SolvedInput {
    input: u32,
    /// What the steps begin with.
    known: NodeId,
    steps: Vec<Inverse>,
}

/// The most steps to an input.
const MOST_STEPS: usize = 12;

/// The input that is known where both nodes have one value.
fn solve_for_input(tape: &Tape, [x, y]: [NodeId; 2]) -> Option<SolvedInput> {
    [(x, y), (y, x)].into_iter().find_map(|(known, side)| unwind(tape, known, side, Vec::new()))
}

/// The input that is known where `side` has the value that the steps make of the `known` node.
fn unwind(tape: &Tape, known: NodeId, side: NodeId, steps: Vec<Inverse>) -> Option<SolvedInput> {
    if steps.len() > MOST_STEPS {
        return None;
    }
    let on = |operand, step| unwind(tape, known, operand, steps.iter().copied().chain([step]).collect());
    let is_factor = |node| tape.rational(node).is_some_and(|r| *r != 0);
    match tape.node(side) {
        TapeNode::Var(input) => {
            let solved = SolvedInput { input, known, steps };
            (!solved.depends_on_input(tape)).then_some(solved)
        }
        TapeNode::Op(Op::Add, [p, q, _]) => {
            on(p, Inverse::ValueFirst(Op::Sub, q)).or_else(|| on(q, Inverse::ValueFirst(Op::Sub, p)))
        }
        TapeNode::Op(Op::Sub, [p, q, _]) => {
            on(p, Inverse::ValueFirst(Op::Add, q)).or_else(|| on(q, Inverse::ValueSecond(Op::Sub, p)))
        }
        TapeNode::Op(Op::Neg, [p, ..]) => on(p, Inverse::Alone(Op::Neg)),
        TapeNode::Op(Op::Mul, [p, q, _]) if is_factor(q) => on(p, Inverse::ValueFirst(Op::Div, q)),
        TapeNode::Op(Op::Mul, [p, q, _]) if is_factor(p) => on(q, Inverse::ValueFirst(Op::Div, p)),
        TapeNode::Op(Op::Div, [p, q, _]) if is_factor(q) => on(p, Inverse::ValueFirst(Op::Mul, q)),
        _ => None,
    }
}

impl SolvedInput {
    /// Whether what it is made of depends on it, as far as anybody knows.
    fn depends_on_input(&self, tape: &Tape) -> bool {
        let operand = |step: &Inverse| match *step {
            Inverse::ValueFirst(_, node) | Inverse::ValueSecond(_, node) => Some(node),
            Inverse::Alone(_) => None,
        };
        let used: Vec<NodeId> = self.steps.iter().filter_map(operand).chain([self.known]).collect();
        let may_depend = |node: TapeNode| node == TapeNode::Var(self.input) || matches!(node, TapeNode::Unknown(..));
        tape.nodes().iter().zip(tape.cone(&used)).any(|(node, live)| live && may_depend(*node))
    }

    /// The input on another tape.
    fn value(&self, tape: &Tape, b: &mut Builder) -> NodeId {
        let mut place: Vec<NodeId> = Vec::with_capacity(tape.len());
        for &node in tape.nodes() {
            let new = b.copy(tape, node, &place);
            place.push(new);
        }
        self.steps.iter().fold(place[self.known.index()], |value, step| match *step {
            Inverse::ValueFirst(op, node) => b.op(op, &[value, place[node.index()]]),
            Inverse::ValueSecond(op, node) => b.op(op, &[place[node.index()], value]),
            Inverse::Alone(op) => b.op(op, &[value]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::eval::{Boxes, evaluate};

    type Build = fn(&mut Builder, [NodeId; 2]) -> [NodeId; 2];

    /// Where an input gives way to what it is, both expressions are the same function of the others.
    #[test]
    fn expressions_in_the_order_equal_have_one_value() {
        let built: [Build; 7] = [
            |b, [x, y]| [x, b.op(Op::Add, &[x, y])],
            |b, [x, y]| [b.op(Op::Sub, &[y, x]), x],
            |b, [x, y]| [b.op(Op::Mul, &[x, y]), b.op(Op::Sub, &[y, x])],
            |b, [x, y]| {
                let (three, sine) = (b.rational(3.into()), b.op(Op::Sin, &[y]));
                let product = b.op(Op::Mul, &[three, x]);
                [b.op(Op::Add, &[product, y]), sine]
            },
            |b, [x, y]| {
                let (three, minus) = (b.rational(3.into()), b.op(Op::Neg, &[x]));
                let quotient = b.op(Op::Div, &[minus, three]);
                [y, b.op(Op::Sub, &[quotient, y])]
            },
            // The number is older than what it is multiplied with, and stands first.
            |b, [x, y]| {
                let (three, sine, root) = (b.rational(3.into()), b.op(Op::Sin, &[y]), b.op(Op::Cbrt, &[y]));
                let difference = b.op(Op::Sub, &[x, root]);
                [b.op(Op::Mul, &[three, difference]), b.op(Op::Mul, &[sine, root])]
            },
            |b, [x, y]| [b.op(Op::Exp, &[x]), b.op(Op::Exp, &[y])],
        ];
        let mut solved = 0;
        for build in built {
            let mut b = Builder::new(2);
            let inputs = [b.var(0), b.var(1)];
            let pair = build(&mut b, inputs);
            let domain = [Interval::new(-4.0, 4.0); 2];
            let case = assume_order(&b.finish(), &pair, pair, Ordering::Equal, &domain);
            // An input that stays has the condition itself.
            if case.stated.len() == 1 {
                continue;
            }
            solved += 1;
            for (x, y) in (-3..=3).flat_map(|x| (-3..=3).map(move |y| (f64::from(x), f64::from(y)))) {
                let mut values = Vec::new();
                evaluate(&case.tape, &mut Boxes { inputs: &[x, y].map(Interval::point) }, &mut values);
                let [u, v] = [0, 1].map(|k| values[case.roots[k].index()].x);
                assert!(!(u & v).is_empty() && u.wid() < 1e-12 && v.wid() < 1e-12, "{x} {y}: {u:?} {v:?}");
            }
        }
        assert!(solved == 5, "{solved}");
    }

    /// What else is made of that input has its value at all points at which both expressions are equal: x is y + 1.
    #[test]
    fn other_functions_stay_where_an_input_gives_way() {
        let mut b = Builder::new(2);
        let (x, y, one) = (b.var(0), b.var(1), b.rational(1.into()));
        let (above, product, two) = (b.op(Op::Add, &[y, one]), b.op(Op::Mul, &[x, y]), b.rational(2.into()));
        let (twice, sum) = (b.op(Op::Mul, &[two, x]), b.op(Op::Add, &[product, y]));
        let roots = [product, twice, sum, y, two];
        let tape = b.finish();
        let case = assume_order(&tape, &roots, [x, above], Ordering::Equal, &[Interval::new(-9.0, 9.0); 2]);
        assert_eq!(case.stated.len(), 2, "an input gives way");
        let values_at = |tape: &Tape, roots: &[NodeId], at: [f64; 2]| {
            let mut values = Vec::new();
            evaluate(tape, &mut Boxes { inputs: &at.map(Interval::point) }, &mut values);
            roots.iter().map(|r| values[r.index()].x).collect::<Vec<_>>()
        };
        for y in (-5..=5).map(f64::from) {
            let at = [y + 1.0, y];
            assert_eq!(values_at(&case.tape, &case.roots, at), values_at(&tape, &roots, at), "{at:?}");
        }
    }
}
