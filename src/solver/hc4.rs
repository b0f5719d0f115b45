//! HC4Revise on the conjunction of all constraints: one forward and one backward walk over the shared tape.
//!
//! Source: Benhamou, Goualard, Granvilliers, Puget, "Revising hull and box consistency", ICLP 1999. The constraints
//! share one tape, so that one backward walk projects all of them at once.

use super::contract::{Contractor, Outcome};
use crate::csp::Csp;
use crate::num::{Interval, Ternary};
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::{Node, Tape, evaluate};

/// The contractor, with its scratch memory.
#[derive(Default)]
pub struct Hc4 {
    values: Vec<Enclosure>,
    /// Nodes that must have a value at a solution. A branch not taken need not: it must not contract anything.
    needed: Vec<bool>,
}

impl Contractor for Hc4 {
    fn contract(&mut self, csp: &Csp, domain: &mut [Interval]) -> Outcome {
        evaluate(&csp.tape, &mut Boxes { inputs: domain }, &mut self.values);
        self.contract_evaluated(csp, domain)
    }
}

impl Hc4 {
    /// The backward half, on values that were computed on `domain` by a forward walk.
    fn contract_evaluated(&mut self, csp: &Csp, domain: &mut [Interval]) -> Outcome {
        let (values, needed) = (&mut self.values, &mut self.needed);
        needed.clear();
        needed.resize(csp.tape.len(), false);
        needed[csp.gap.index()] = true;
        let gap = &mut values[csp.gap.index()].x;
        *gap = *gap & Interval::new(0.0, f64::INFINITY);
        if gap.is_empty() {
            return Outcome::Empty;
        }
        for c in &csp.conditions {
            needed[c.index()] = true;
            let truth = &mut values[c.index()].x;
            *truth = *truth & Interval::point(1.0);
            if truth.is_empty() {
                return Outcome::Empty;
            }
        }
        if !backward(&csp.tape, values, needed) {
            return Outcome::Empty;
        }
        let mut outcome = Outcome::Same;
        for (node, value) in csp.tape.nodes().iter().zip(values.iter()) {
            let Node::Var(i) = *node else { continue };
            let old = &mut domain[i as usize];
            let new = *old & value.x;
            if new.is_empty() {
                return Outcome::Empty;
            }
            if new != *old {
                *old = new;
                outcome = Outcome::Contracted;
            }
        }
        outcome
    }
}

/// Project the values of all nodes onto their operands, from the roots to the inputs. Returns false if some node is
/// left without a value.
fn backward(tape: &Tape, values: &mut [Enclosure], needed: &mut [bool]) -> bool {
    for i in (0..tape.len()).rev() {
        if !needed[i] {
            continue;
        }
        let node = tape.nodes()[i];
        if let Node::If(c, ..) = node {
            needed[c.index()] = true;
        } else {
            node.for_each_operand(|o| needed[o.index()] = true);
        }
        let y = values[i].x;
        if y.is_empty() {
            return false;
        }
        match node {
            Node::Op(op, args) => {
                let n = op.arity();
                let mut x = [Interval::EMPTY; crate::ops::MAX_ARITY];
                for (slot, id) in x.iter_mut().zip(&args[..n]) {
                    *slot = values[id.index()].x;
                }
                if !op.backward(y, &mut x[..n]) {
                    return false;
                }
                for (new, id) in x.iter().zip(&args[..n]) {
                    let old = &mut values[id.index()].x;
                    *old = *old & *new;
                    if old.is_empty() {
                        return false;
                    }
                }
            }
            Node::Less(a, b) | Node::LessEq(a, b) => {
                let (p, q) = (values[a.index()].x, values[b.index()].x);
                let (p, q) = match truth(y) {
                    Ternary::True => (p & below(q), q & above(p)),
                    Ternary::False => (p & above(q), q & below(p)),
                    Ternary::Unknown => continue,
                };
                if p.is_empty() || q.is_empty() {
                    return false;
                }
                (values[a.index()].x, values[b.index()].x) = (p, q);
            }
            Node::Equal(a, b) if truth(y).is_true() => {
                let both = values[a.index()].x & values[b.index()].x;
                if both.is_empty() {
                    return false;
                }
                (values[a.index()].x, values[b.index()].x) = (both, both);
            }
            Node::And(a, b) if truth(y).is_true()
                && !(hold(values, a.index(), 1.0) && hold(values, b.index(), 1.0)) => {
                    return false;
                }
            Node::Or(a, b) if truth(y).is_false()
                && !(hold(values, a.index(), 0.0) && hold(values, b.index(), 0.0)) => {
                    return false;
                }
            Node::Not(a) => {
                let t = match truth(y) {
                    Ternary::True => 0.0,
                    Ternary::False => 1.0,
                    Ternary::Unknown => continue,
                };
                if !hold(values, a.index(), t) {
                    return false;
                }
            }
            Node::If(c, t, e) => {
                let (then, otherwise) = (values[t.index()].x & y, values[e.index()].x & y);
                let (taken, value, condition) = match truth(values[c.index()].x) {
                    Ternary::True => (t, then, 1.0),
                    Ternary::False => (e, otherwise, 0.0),
                    // A branch that cannot give the value is not taken.
                    Ternary::Unknown if otherwise.is_empty() => (t, then, 1.0),
                    Ternary::Unknown if then.is_empty() => (e, otherwise, 0.0),
                    Ternary::Unknown => continue,
                };
                if value.is_empty() {
                    return false;
                }
                values[c.index()].x = Interval::point(condition);
                values[taken.index()].x = value;
                needed[taken.index()] = true;
            }
            _ => {}
        }
    }
    true
}

fn hold(values: &mut [Enclosure], node: usize, truth: f64) -> bool {
    let v = &mut values[node].x;
    *v = *v & Interval::point(truth);
    !v.is_empty()
}

fn truth(x: Interval) -> Ternary {
    Ternary::decide(x.inf() == 1.0, x.sup() == 0.0)
}

fn below(x: Interval) -> Interval {
    Interval::new(f64::NEG_INFINITY, x.sup())
}

fn above(x: Interval) -> Interval {
    Interval::new(x.inf(), f64::INFINITY)
}
