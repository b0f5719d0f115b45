//! Interval gradients by reverse accumulation: enclosures of the derivatives of one node over a box.

use super::eval::Enclosure;
use super::node::{NodeId, Tape, TapeNode};
use crate::num::{Interval, Ternary};
use crate::ops::Op;

/// Enclosures of the derivatives of `root` by every input over the box on which `values` were computed, into `out`.
///
/// Returns false, with `out` meaningless, where there is no such enclosure: `root` may be undefined on the box, or a
/// value is chosen by a condition that is not settled, so that the function may jump. `adjoint` is scratch memory.
///
/// Source: reverse mode of automatic differentiation (Griewank, Walther) with interval partials.
pub fn gradient(
    tape: &Tape,
    values: &[Enclosure],
    root: NodeId,
    adjoint: &mut Vec<Interval>,
    out: &mut [Interval],
) -> bool {
    let zero = Interval::point(0.0);
    if !values[root.index()].def.is_true() {
        return false;
    }
    adjoint.clear();
    adjoint.resize(tape.len(), zero);
    adjoint[root.index()] = Interval::point(1.0);
    out.fill(zero);
    for i in (0..=root.index()).rev() {
        let a = adjoint[i];
        if a == zero {
            continue;
        }
        match tape.nodes()[i] {
            TapeNode::Var(v) => out[v as usize] = out[v as usize] + a,
            TapeNode::Op(op, args) if matches!(op, Op::Add | Op::Sub | Op::Neg | Op::Mul) => {
                let [p, q] = [args[0].index(), args[1].index()];
                let (x, y) = (values[p].x, values[q].x);
                // Nothing flows into constants, nor does it matter what does.
                let varies = |i: usize| !matches!(tape.nodes()[i], TapeNode::Const(_));
                let (to_x, to_y) = match op {
                    Op::Add => (a, a),
                    Op::Sub => (a, -a),
                    Op::Neg => (-a, zero),
                    _ => (if varies(p) { a * y } else { zero }, if varies(q) { a * x } else { zero }),
                };
                if varies(p) {
                    adjoint[p] = adjoint[p] + to_x;
                }
                if op.arity() == 2 && varies(q) {
                    adjoint[q] = adjoint[q] + to_y;
                }
            }
            TapeNode::Op(op, args) => {
                let n = op.arity();
                let mut x = [Interval::EMPTY; crate::ops::MAX_ARITY];
                for (slot, id) in x.iter_mut().zip(&args[..n]) {
                    *slot = values[id.index()].x;
                }
                let mut partials = [Interval::EMPTY; crate::ops::MAX_ARITY];
                op.partials(&x[..n], &mut partials[..n]);
                for (p, id) in partials.iter().zip(&args[..n]) {
                    adjoint[id.index()] = adjoint[id.index()] + a * *p;
                }
            }
            TapeNode::If(c, t, e) => match values[c.index()].as_truth() {
                Ternary::True => adjoint[t.index()] = adjoint[t.index()] + a,
                Ternary::False => adjoint[e.index()] = adjoint[e.index()] + a,
                Ternary::Unknown => return false,
            },
            TapeNode::Const(_) => {}
            // Truth values are no functions to differentiate.
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::Builder;
    use crate::tape::eval::{Boxes, evaluate};

    /// Where x is below 0 the product x y, else 3 x - y: once alone, and once taken from x + 2 y.
    #[test]
    fn a_branch_that_is_taken_has_the_derivatives() {
        let mut b = Builder::new(2);
        let [x, y] = [b.var(0), b.var(1)];
        let [zero, two, three] = [0, 2, 3].map(|n| b.rational(n.into()));
        let (product, thrice, twice) = (b.op(Op::Mul, &[x, y]), b.op(Op::Mul, &[three, x]), b.op(Op::Mul, &[two, y]));
        let (line, sum, is_below) = (b.op(Op::Sub, &[thrice, y]), b.op(Op::Add, &[x, twice]), b.less(x, zero));
        let choice = b.choose(is_below, product, line);
        let difference = b.op(Op::Sub, &[sum, choice]);
        let (tape, mut values, mut scratch) = (b.finish(), Vec::new(), Vec::new());
        let mut slopes = |x: Interval, root: NodeId| {
            evaluate(&tape, &mut Boxes { inputs: &[x, Interval::new(4.0, 5.0)] }, &mut values);
            let mut out = [Interval::EMPTY; 2];
            gradient(&tape, &values, root, &mut scratch, &mut out).then_some(out)
        };
        let (below, above) = (Interval::new(-2.0, -1.0), Interval::new(1.0, 2.0));
        let point = Interval::point;
        assert_eq!(slopes(below, choice), Some([Interval::new(4.0, 5.0), below]));
        assert_eq!(slopes(above, choice), Some([point(3.0), point(-1.0)]));
        assert_eq!(slopes(below, difference), Some([Interval::new(-4.0, -3.0), Interval::new(3.0, 4.0)]));
        assert_eq!(slopes(above, difference), Some([point(-2.0), point(3.0)]));
        assert_eq!(slopes(Interval::new(-1.0, 1.0), choice), None);
    }
}
