//! HC4Revise on the conjunction of all constraints: one forward and one backward walk over the shared tape.
//!
//! Source: Benhamou, Goualard, Granvilliers, Puget, "Revising hull and box consistency", ICLP 1999. The constraints
//! share one tape, so that one backward walk projects all of them at once.
//!
//! Only the nodes on which the constraints depend are walked ([`super::Cone`]). A total operation whose value is
//! still the image of its operands, or of larger ones, is not projected: each number in an operand gives a value in it,
//! so the projection is the operand. Nor is anything projected onto constants.

use super::constraints::Constraints;
use super::contract::{Contractor, Outcome};
use crate::num::{Interval, Ternary};
use crate::ops::{MAX_ARITY, Op};
use crate::tape::{NodeId, Tape, TapeNode};

/// The contractor, with its scratch memory.
#[derive(Default)]
pub struct Hc4 {
    values: Values,
}

/// The state of a walk.
#[derive(Default)]
struct Values {
    x: Vec<Interval>,
    /// Nodes that are contracted below the image of their operands.
    changed: Vec<bool>,
    /// Nodes that must have a value at a solution, if there are choices. A branch not taken need not: it must not
    /// contract anything.
    needed: Vec<bool>,
}

impl Contractor for Hc4 {
    fn contract(&mut self, all: &Constraints, domain: &mut [Interval]) -> Outcome {
        let x = &mut self.values.x;
        x.resize(all.tape.len(), Interval::EMPTY);
        for &i in &all.cone.nodes {
            let value = forward(&all.tape, all.tape.node(i), domain, x);
            if value.is_empty() && !all.cone.choices {
                return Outcome::Empty;
            }
            x[i.index()] = value;
        }
        self.contract_evaluated(all, domain)
    }
}

impl Hc4 {
    fn contract_evaluated(&mut self, all: &Constraints, domain: &mut [Interval]) -> Outcome {
        let v = &mut self.values;
        v.changed.clear();
        v.changed.resize(all.tape.len(), false);
        if all.cone.choices {
            v.needed.clear();
            v.needed.resize(all.tape.len(), false);
            all.list.iter().for_each(|c| v.needed[c.node.index()] = true);
        }
        let solvable = all.list.iter().all(|c| v.keep(c.node, c.within))
            && all.cone.nodes.iter().rev().all(|i| v.project(&all.tape, *i, all.cone.choices));
        if !solvable {
            return Outcome::Empty;
        }
        let mut outcome = Outcome::Same;
        for &i in &all.cone.nodes {
            let TapeNode::Var(var) = all.tape.node(i) else { continue };
            if v.changed[i.index()] {
                domain[var as usize] = v.x[i.index()];
                outcome = Outcome::Contracted;
            }
        }
        outcome
    }
}

/// The image of a node, empty where it has no value; that of the usual operators without their definedness.
#[inline]
fn forward(tape: &Tape, node: TapeNode, domain: &[Interval], x: &[Interval]) -> Interval {
    let of = |n: NodeId| x[n.index()];
    match node {
        TapeNode::Var(i) => domain[i as usize],
        TapeNode::Const(c) => tape.constant(c).interval,
        TapeNode::Op(Op::Add, [a, b, _]) => of(a) + of(b),
        TapeNode::Op(Op::Sub, [a, b, _]) => of(a) - of(b),
        TapeNode::Op(Op::Mul, [a, b, _]) => of(a) * of(b),
        TapeNode::Op(Op::Div, [a, b, _]) => of(a) / of(b),
        TapeNode::Op(Op::Neg, [a, ..]) => -of(a),
        TapeNode::Op(Op::Fabs, [a, ..]) => of(a).abs(),
        TapeNode::Op(Op::Sqrt, [a, ..]) => of(a).sqrt(),
        TapeNode::Op(op, args) => {
            let operands = args.map(of);
            let (image, def) = op.forward(&operands[..op.arity()]);
            if def.is_false() { Interval::EMPTY } else { image }
        }
        TapeNode::Bool(b) => truth_of(b.into()),
        TapeNode::Undefined => Interval::EMPTY,
        TapeNode::Unknown(..) | TapeNode::Arguments(..) => Interval::ENTIRE,
        TapeNode::Less(a, b) => both(of(a), of(b), |a, b| Ternary::decide(a.sup() < b.inf(), a.inf() >= b.sup())),
        TapeNode::LessEq(a, b) => both(of(a), of(b), |a, b| Ternary::decide(a.sup() <= b.inf(), a.inf() > b.sup())),
        TapeNode::Equal(a, b) => both(of(a), of(b), |a, b| Ternary::decide(a.is_point() && a == b, a.disjoint(b))),
        TapeNode::And(a, b) => both(of(a), of(b), |a, b| truth(a) & truth(b)),
        TapeNode::Or(a, b) => both(of(a), of(b), |a, b| truth(a) | truth(b)),
        TapeNode::Not(a) => both(of(a), of(a), |a, _| !truth(a)),
        TapeNode::If(c, ..) if of(c).is_empty() => Interval::EMPTY,
        TapeNode::If(c, t, e) => match truth(of(c)) {
            Ternary::True => of(t),
            Ternary::False => of(e),
            Ternary::Unknown => of(t) | of(e),
        },
    }
}

fn both(a: Interval, b: Interval, decide: impl Fn(Interval, Interval) -> Ternary) -> Interval {
    if a.is_empty() || b.is_empty() { Interval::EMPTY } else { truth_of(decide(a, b)) }
}

impl Values {
    #[inline]
    fn of(&self, n: NodeId) -> Interval {
        self.x[n.index()]
    }

    /// Keep the part of a node's value in `part`. Returns false if there is none.
    #[inline]
    fn keep(&mut self, n: NodeId, part: Interval) -> bool {
        let old = self.x[n.index()];
        let new = old & part;
        if new != old {
            self.x[n.index()] = new;
            self.changed[n.index()] = true;
        }
        !new.is_empty()
    }

    /// Project a node's value onto its operands. Returns false if there is no solution.
    #[inline]
    fn project(&mut self, tape: &Tape, i: NodeId, choices: bool) -> bool {
        let node = tape.node(i);
        if choices {
            if !self.needed[i.index()] {
                return true;
            }
            if let TapeNode::If(c, ..) = node {
                self.needed[c.index()] = true;
            } else {
                node.for_each_operand(|o| self.needed[o.index()] = true);
            }
        }
        let z = self.of(i);
        if z.is_empty() {
            return false;
        }
        let TapeNode::Op(op, args) = node else { return self.project_truth(node, z) };
        let [a, b, _] = args;
        let (x, y) = (self.of(a), self.of(b));
        let total = match op {
            Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Fabs | Op::Fmin | Op::Fmax => true,
            Op::Div => !y.contains(0.0),
            _ => false,
        };
        if total && !self.changed[i.index()] && !choices {
            return true;
        }
        let constant = |n: NodeId| matches!(tape.node(n), TapeNode::Const(_));
        match op {
            Op::Add => (constant(a) || self.keep(a, z - y)) && (constant(b) || self.keep(b, z - self.of(a))),
            Op::Sub => (constant(a) || self.keep(a, z + y)) && (constant(b) || self.keep(b, self.of(a) - z)),
            Op::Neg => self.keep(a, -z),
            Op::Mul => {
                (constant(a) || self.keep(a, y.mul_rev(z, x)))
                    && (constant(b) || self.keep(b, self.of(a).mul_rev(z, self.of(b))))
            }
            Op::Div => {
                // By zero alone there is no value.
                (constant(a) || self.keep(a, z * y)) && (constant(b) || self.keep(b, z.mul_rev(self.of(a), self.of(b))))
            }
            _ => {
                let n = op.arity();
                let mut operands: [Interval; MAX_ARITY] = args.map(|n| self.of(n));
                op.backward(z, &mut operands[..n]) && operands.iter().zip(&args[..n]).all(|(x, n)| self.keep(*n, *x))
            }
        }
    }

    /// The same for truth values and choices.
    fn project_truth(&mut self, node: TapeNode, z: Interval) -> bool {
        match node {
            TapeNode::Less(a, b) | TapeNode::LessEq(a, b) => {
                let (p, q) = (self.of(a), self.of(b));
                match truth(z) {
                    Ternary::True => self.keep(a, below(q)) && self.keep(b, above(p)),
                    Ternary::False => self.keep(a, above(q)) && self.keep(b, below(p)),
                    Ternary::Unknown => true,
                }
            }
            TapeNode::Equal(a, b) if truth(z).is_true() => {
                let (p, q) = (self.of(a), self.of(b));
                self.keep(a, q) && self.keep(b, p)
            }
            TapeNode::And(a, b) if truth(z).is_true() => {
                self.keep(a, Interval::point(1.0)) && self.keep(b, Interval::point(1.0))
            }
            TapeNode::Or(a, b) if truth(z).is_false() => {
                self.keep(a, Interval::point(0.0)) && self.keep(b, Interval::point(0.0))
            }
            TapeNode::Not(a) => match truth(z) {
                Ternary::Unknown => true,
                t => self.keep(a, truth_of(!t)),
            },
            TapeNode::If(c, t, e) => {
                let (then, otherwise) = (self.of(t) & z, self.of(e) & z);
                let (taken, value, condition) = match truth(self.of(c)) {
                    Ternary::True => (t, then, 1.0),
                    Ternary::False => (e, otherwise, 0.0),
                    // A branch that cannot give the value is not taken.
                    Ternary::Unknown if otherwise.is_empty() => (t, then, 1.0),
                    Ternary::Unknown if then.is_empty() => (e, otherwise, 0.0),
                    Ternary::Unknown => return true,
                };
                self.needed[taken.index()] = true;
                self.keep(taken, value) && self.keep(c, Interval::point(condition))
            }
            _ => true,
        }
    }
}

fn truth(x: Interval) -> Ternary {
    Ternary::decide(x.inf() == 1.0, x.sup() == 0.0)
}

fn truth_of(t: Ternary) -> Interval {
    match t {
        Ternary::True => Interval::point(1.0),
        Ternary::False => Interval::point(0.0),
        Ternary::Unknown => Interval::new(0.0, 1.0),
    }
}

fn below(x: Interval) -> Interval {
    Interval::new(f64::NEG_INFINITY, x.sup())
}

fn above(x: Interval) -> Interval {
    Interval::new(x.inf(), f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::constraints::Constraint;
    use crate::tape::Builder;
    use crate::tape::eval::{Boxes, evaluate};

    const MOST: i32 = 2;

    /// All ranges between small integers.
    fn ranges() -> impl Iterator<Item = Interval> + Clone {
        (-MOST..=MOST).flat_map(|lo| (lo..=MOST).map(move |hi| Interval::new(lo.into(), hi.into())))
    }

    /// What the contractor leaves of all boxes, and the integer points of each that satisfy the constraint.
    fn contracted(
        build: impl Fn(&mut Builder, [NodeId; 2]) -> NodeId,
        within: Interval,
        mut judge: impl FnMut([Interval; 2], Option<[Interval; 2]>, &[[f64; 2]]),
    ) {
        let mut b = Builder::new(2);
        let inputs = [b.var(0), b.var(1)];
        let node = build(&mut b, inputs);
        let all = Constraints::new(b.finish(), vec![Constraint { node, within }]);
        let mut values = Vec::new();
        let grid = || (-MOST..=MOST).flat_map(|x| (-MOST..=MOST).map(move |y| [x, y].map(f64::from)));
        let solutions: Vec<[f64; 2]> = grid()
            .filter(|at| {
                evaluate(&all.tape, &mut Boxes { inputs: &at.map(Interval::point) }, &mut values);
                let value = values[node.index()];
                value.def.is_true() && value.x.subset(within)
            })
            .collect();
        for (x, y) in ranges().flat_map(|x| ranges().map(move |y| (x, y))) {
            let mut left = [x, y];
            let outcome = Hc4::default().contract(&all, &mut left);
            let here: Vec<[f64; 2]> =
                solutions.iter().filter(|[u, v]| x.contains(*u) && y.contains(*v)).copied().collect();
            judge([x, y], (outcome != Outcome::Empty).then_some(left), &here);
        }
    }

    type Build = fn(&mut Builder, [NodeId; 2]) -> NodeId;

    #[test]
    fn no_solution_is_lost() {
        let conditions: [Build; 8] = [
            |b, [x, y]| b.less(x, y),
            |b, [x, y]| b.less_eq(x, y),
            |b, [x, y]| b.equal(x, y),
            |b, [x, y]| {
                let (less, sum) = (b.less(x, y), b.op(Op::Add, &[x, y]));
                let small = b.less_eq(sum, x);
                b.and(less, small)
            },
            |b, [x, y]| {
                let (less, difference) = (b.less_eq(y, x), b.op(Op::Sub, &[x, y]));
                let same = b.equal(difference, y);
                b.or(less, same)
            },
            |b, [x, y]| {
                let (product, quotient) = (b.op(Op::Mul, &[x, y]), b.op(Op::Div, &[x, y]));
                let less = b.less_eq(product, quotient);
                b.not(less)
            },
            |b, [x, y]| {
                let (difference, one) = (b.op(Op::Sub, &[x, y]), b.rational(1.into()));
                b.less_eq(one, difference)
            },
            |b, [x, y]| {
                let (least, distance) = (b.op(Op::Fmin, &[x, y]), b.op(Op::Sub, &[x, y]));
                let distance = b.op(Op::Fabs, &[distance]);
                b.less(least, distance)
            },
        ];
        let choose: Build = |b, [x, y]| {
            let (less, difference) = (b.less_eq(x, y), b.op(Op::Sub, &[x, y]));
            let root = b.op(Op::Sqrt, &[y]);
            b.choose(less, root, difference)
        };
        let truths = conditions.iter().flat_map(|c| [0.0, 1.0].map(|t| (*c, Interval::point(t))));
        let mut removed = 0;
        for (build, within) in
            truths.chain([(0.0, 0.0), (1.0, 1.0), (1.0, 2.0)].map(|(lo, hi)| (choose, Interval::new(lo, hi))))
        {
            contracted(build, within, |start, left, solutions| {
                let holds = |[x, y]: &[f64; 2]| left.is_some_and(|[u, v]| u.contains(*x) && v.contains(*y));
                assert!(solutions.iter().all(holds), "{start:?} became {left:?}");
                removed += usize::from(left != Some(start));
            });
        }
        assert!(removed > 1000, "{removed}");
    }

    /// Of a comparison all is left out that it can leave out.
    #[test]
    fn comparisons_leave_what_is_between_the_ends() {
        for strict in [false, true] {
            contracted(
                |b, [x, y]| if strict { b.less(x, y) } else { b.less_eq(x, y) },
                Interval::point(1.0),
                |start, left, _| {
                    let [x, y] = start;
                    let is_empty = x.inf() > y.sup() || strict && x.inf() == y.sup();
                    let expected = [x & below(y), y & above(x)];
                    assert_eq!(left, (!is_empty).then_some(expected), "{start:?}");
                },
            );
        }
    }

    #[test]
    fn sums_and_differences_narrow_both_operands() {
        for within in [Interval::point(1.0), Interval::new(-1.0, 0.0)] {
            contracted(
                |b, [x, y]| b.op(Op::Add, &[x, y]),
                within,
                |[x, y], left, _| {
                    let expected = [x & (within - y), y & (within - x)];
                    assert_eq!(left, (!expected[0].is_empty()).then_some(expected), "{x:?} + {y:?}");
                },
            );
            contracted(
                |b, [x, y]| b.op(Op::Sub, &[x, y]),
                within,
                |[x, y], left, _| {
                    let expected = [x & (within + y), y & (x - within)];
                    assert_eq!(left, (!expected[0].is_empty()).then_some(expected), "{x:?} - {y:?}");
                },
            );
        }
    }

    /// 1 where x < y, else 2.
    #[test]
    fn a_branch_that_cannot_give_the_value_is_not_taken() {
        let build: Build = |b, [x, y]| {
            let (less, one, two) = (b.less(x, y), b.rational(1.into()), b.rational(2.into()));
            b.choose(less, one, two)
        };
        contracted(build, Interval::point(1.0), |[x, y], left, _| {
            assert_eq!(left, (x.inf() < y.sup()).then_some([x & below(y), y & above(x)]));
        });
        contracted(build, Interval::point(2.0), |[x, y], left, _| {
            assert_eq!(left, (x.sup() >= y.inf()).then_some([x & above(y), y & below(x)]));
        });
    }
}
