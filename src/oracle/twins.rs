//! Exact values at one input of nodes whose operands are equal there, though no rational numbers: exp(x) - exp(y) is 0
//! where x = y, and exp(x)/exp(y) is 1.

use crate::num::{MpInterval, Rational, Ternary};
use crate::ops::{Exact, Op};
use crate::tape::{NodeId, TapeNode};
use rustc_hash::FxHashMap;

/// Which nodes surely have the same value at one input, wherever they have one: the same exact value, or the same operator
/// with operands that have the same value.
#[derive(Default)]
pub(super) struct Twins<'a> {
    /// What was found of the nodes on which these depend.
    below: Option<&'a Twins<'a>>,
    /// The first node with that exact value.
    by_value: FxHashMap<Rational, NodeId>,
    /// The first node that applies that operator to such operands.
    by_node: FxHashMap<TapeNode, NodeId>,
    /// The node of the same value that was found first, for those that are not the first.
    first: FxHashMap<NodeId, NodeId>,
}

impl<'a> Twins<'a> {
    /// Nodes that depend on others of which it is known already.
    pub(super) fn above(below: &'a Twins<'a>) -> Self {
        Twins { below: Some(below), ..Twins::default() }
    }

    /// The exact value of a node, and it is noted for the nodes that use this one. `value` is what exact arithmetic says of
    /// it, `enclosure` what multiple precision says of its operands.
    pub(super) fn note<'v>(
        &mut self,
        (id, node): (NodeId, TapeNode),
        value: Exact,
        enclosure: impl Fn(NodeId) -> Option<&'v MpInterval>,
    ) -> Exact {
        let value = if value == Exact::Unknown { self.value_of(node, enclosure).unwrap_or(value) } else { value };
        let first = match &value {
            Exact::Value(v) => self.find(|t| t.by_value.get(v).copied()).unwrap_or_else(|| {
                self.by_value.insert(v.clone(), id);
                id
            }),
            Exact::OfPi(_) | Exact::Unknown => {
                let key = sorted(node.map_operands(|o| self.first(o)));
                self.find(|t| t.by_node.get(&key).copied()).unwrap_or_else(|| {
                    self.by_node.insert(key, id);
                    id
                })
            }
            Exact::Undefined => id,
        };
        if first != id {
            self.first.insert(id, first);
        }
        value
    }

    /// The value of a node whose operands are the same and have one.
    fn value_of<'v>(&self, node: TapeNode, enclosure: impl Fn(NodeId) -> Option<&'v MpInterval>) -> Option<Exact> {
        let (a, b) = match node {
            TapeNode::Op(Op::Sub | Op::Div, [a, b, _])
            | TapeNode::Less(a, b)
            | TapeNode::LessEq(a, b)
            | TapeNode::Equal(a, b) => (a, b),
            _ => return None,
        };
        let known = if self.first(a) == self.first(b) { enclosure(a)? } else { return None };
        // One of the two has a value: so has the other, unless it may lack one by itself.
        if known.def != Ternary::True || enclosure(b)?.def != Ternary::True {
            return None;
        }
        let value = match node {
            TapeNode::Op(Op::Div, _) if known.lo > 0 || known.hi < 0 => 1,
            TapeNode::LessEq(..) | TapeNode::Equal(..) => 1,
            TapeNode::Op(Op::Sub, _) | TapeNode::Less(..) => 0,
            _ => return None,
        };
        Some(Exact::Value(Rational::from(value)))
    }

    fn first(&self, id: NodeId) -> NodeId {
        self.find(|t| t.first.get(&id).copied()).unwrap_or(id)
    }

    /// What these know, or those below.
    fn find(&self, known: impl Fn(&Twins<'a>) -> Option<NodeId>) -> Option<NodeId> {
        known(self).or_else(|| known(self.below?))
    }
}

/// The same node with the operands of a sum or a product in one order.
fn sorted(node: TapeNode) -> TapeNode {
    match node {
        TapeNode::Op(op @ (Op::Add | Op::Mul), [a, b, _]) => TapeNode::Op(op, [a.min(b), a.max(b), a.min(b)]),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use crate::num::Ternary;
    use crate::oracle::{DEFAULT_CAP, Function, Ladder, LadderSeen};
    use crate::spec::{Overrides, parse_file, resolve};
    use crate::tape::{Builder, lower::lower};

    /// Whether a formula has a value at an input, and that value where it is known to be a whole number.
    fn at(body: &str, x: f64, y: f64) -> (Ternary, Option<i32>) {
        let text = format!("(FPCore (x y) :magneto-rel-error 1e-10 {body})");
        let spec = resolve(&parse_file(text.as_bytes()), 0, "text", &Overrides::default()).unwrap();
        let mut b = Builder::new(2);
        let root = lower(&mut b, &["x".to_owned(), "y".to_owned()], &spec.core.body);
        let tape = b.finish();
        let mut ladder = Ladder::new(&tape, &[x, y], DEFAULT_CAP);
        let function = Function { tape: &tape, root, accuracy: &spec.accuracy };
        let value = ladder.first(|ladder, level| match ladder.see(function, level) {
            LadderSeen::Value(set) if set.value.lo == set.value.hi => set.value.lo.numer().to_i32(),
            _ => None,
        });
        (ladder.has_value(function), value)
    }

    #[test]
    fn equal_operands_that_are_no_rational_numbers_cancel_exactly() {
        use Ternary::{False, True, Unknown};
        for x in [0.7, 3.0, 1e-9] {
            assert_eq!(at("(- (exp x) (exp y))", x, x), (True, Some(0)), "{x}");
            assert_eq!(at("(acos (/ (exp x) (exp y)))", x, x), (True, Some(0)), "{x}");
            assert_eq!(at("(log (- 1 (/ (exp x) (exp y))))", x, x), (False, None), "{x}");
            // Also of negative numbers.
            assert_eq!(at("(acos (/ (log x) (log y)))", x, x), (True, Some(0)), "{x}");
            assert_eq!(at("(sqrt (- (sin (* 2 x)) (sin (+ x y))))", x, x), (True, Some(0)), "{x}");
            assert_eq!(at("(sqrt (- (* (exp x) (sin y)) (* (sin x) (exp y))))", x, x), (True, Some(0)), "{x}");
            assert_eq!(at("(if (< (exp x) (exp y)) 1 2)", x, x), (True, Some(2)), "{x}");
            assert_eq!(at("(if (<= (exp x) (exp y)) 1 2)", x, x), (True, Some(1)), "{x}");
            assert_eq!(at("(/ 1 (- (exp x) (exp y)))", x, x.next_up()).0, True, "{x}");
            assert_eq!(at("(sqrt (- (exp x) (exp y)))", x, x.next_up()), (False, None), "{x}");
            assert_eq!(at("(log (- 1 (/ (exp x) (exp y))))", x, x.next_up()).0, True, "{x}");
        }
        // 0 by 0, and operands of which it is open if they have a value.
        assert_eq!(at("(/ (atan (- x y)) (atan (- y x)))", 2.0, 2.0), (False, None));
        assert_eq!(
            at("(/ (exp (- (tan x) (tan y))) (exp (- (sin (+ x y)) (* 2 (* (sin x) (cos y))))))", 2.0, 2.0).0,
            True
        );
        let open = "(- (* 2 (* (sin x) (cos x))) (sin (* 2 x)))";
        assert_eq!(
            at(&format!("(- (exp (sqrt {open})) (exp (sqrt {})))", open.replace('x', "y")), 2.0, 2.0).0,
            Unknown
        );
    }
}
