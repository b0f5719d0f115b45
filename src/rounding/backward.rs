//! The second walk, from the result back: how much the error of each step moves the result, and the sums of that.
//!
//! With v_k the result of the program of which the first k steps round and the others are exact, v_n is the computed and
//! v_0 the exact result. v_k and v_(k-1) differ by the error of step k, and by the mean value theorem the results differ by
//! it times a derivative of the result by that step, at values between those of the two programs: they all lie in
//! [`Fact::between`]. So the sum over the steps of |derivative| times error bounds the whole error, without a rest of
//! second order. The same with logarithms gives the relative error: the sum of |condition number| times relative error.

use super::carried::{growth, log_change};
use super::fact::{Fact, product, share_of};
use crate::num::Interval;
use crate::num::directed::{add_up, div_up};
use crate::ops::{MAX_ARITY, Op};
use crate::program::{Id, Program, Step};

const ZERO: fn() -> Interval = || Interval::point(0.0);
const ONE: fn() -> Interval = || Interval::point(1.0);
const INF: f64 = f64::INFINITY;

/// Bounds of the error of the result on a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    /// Of the distance from the exact value.
    pub(super) absolute: f64,
    /// Of that relative to the exact value.
    pub(super) relative: f64,
    /// The first one without what the last step adds.
    pub(super) before_last: f64,
    /// The relative one without what the last step adds.
    pub(super) relative_before_last: f64,
}

impl Sums {
    /// Nothing is known.
    pub(super) const UNKNOWN: Sums = Sums { absolute: INF, relative: INF, before_last: INF, relative_before_last: INF };
}

/// Scratch memory.
#[derive(Default)]
pub(super) struct Back {
    slopes: Vec<Interval>,
    conditions: Vec<Interval>,
    reached: Vec<bool>,
}

impl Back {
    /// Bounds of the error of the last step's value from the facts of all steps.
    pub(super) fn walk(&mut self, program: &Program, facts: &[Fact]) -> Sums {
        let last = facts.len() - 1;
        if !facts[last].sound {
            return Sums::UNKNOWN;
        }
        self.prepare(last);
        let root = facts[last].between;
        let nonzero = !root.contains(0.0);
        let (mut absolute, mut logs) = (0.0, if nonzero { 0.0 } else { INF });
        let (mut before_last, mut logs_before_last) = (0.0, logs);
        for i in (0..=last).rev() {
            if !self.reached[i] {
                continue;
            }
            let fact = &facts[i];
            self.sharpen(i, fact, root, nonzero);
            if fact.error > 0.0 {
                let (slope, condition) = (self.slopes[i].mag(), self.conditions[i].mag());
                let change = log_change(fact.share);
                let by_condition = if change == INF { INF } else { product(condition, change) };
                let by_slope = product(slope, fact.error);
                let term = by_slope.min(share_of(by_condition, root));
                absolute = add_up(absolute, term);
                let log = if nonzero { by_condition.min(div_up(by_slope, root.mig())) } else { INF };
                logs = add_up(logs, log);
                if i < last {
                    before_last = add_up(before_last, term);
                    logs_before_last = add_up(logs_before_last, log);
                }
            }
            self.pass(program, facts, i, root, nonzero);
        }
        Sums { absolute, relative: growth(logs), before_last, relative_before_last: growth(logs_before_last) }
    }

    fn prepare(&mut self, last: usize) {
        for v in [&mut self.slopes, &mut self.conditions] {
            v.clear();
            v.resize(last + 1, ZERO());
            v[last] = ONE();
        }
        self.reached.clear();
        self.reached.resize(last + 1, false);
        self.reached[last] = true;
    }

    /// Derivative and condition number say the same in different words: each may be the narrower.
    fn sharpen(&mut self, i: usize, fact: &Fact, root: Interval, nonzero: bool) {
        if !nonzero {
            self.conditions[i] = Interval::ENTIRE;
            return;
        }
        let (slope, condition) = (self.slopes[i], self.conditions[i]);
        let x = fact.between;
        let kept = |old: Interval, new: Interval| if (old & new).is_empty() { old } else { old & new };
        if !x.contains(0.0) {
            self.slopes[i] = kept(slope, condition * root / x);
        }
        self.conditions[i] = kept(condition, slope * x / root);
    }

    /// From a step to its operands.
    fn pass(&mut self, program: &Program, facts: &[Fact], i: usize, root: Interval, nonzero: bool) {
        let step = &program.nodes()[i].step;
        let n = step.arity();
        let operands = step.operands().map(Id::index);
        let (slope, condition) = (self.slopes[i], self.conditions[i]);
        let fact = &facts[i];
        let mut own = [Interval::ENTIRE; MAX_ARITY];
        let usable = nonzero && !fact.between.contains(0.0);
        if usable {
            conditions(step, facts, &operands[..n], &fact.partials, &mut own[..n]);
        }
        for ((partial, own), &o) in fact.partials.into_iter().zip(own).zip(&operands[..n]) {
            // Nothing flows into constants, nor into what is not chosen.
            if partial == ZERO() || (facts[o].absolute == 0.0 && facts[o].error == 0.0) {
                continue;
            }
            self.reached[o] = true;
            self.slopes[o] = self.slopes[o] + slope * partial;
            if nonzero {
                let share = if usable { condition * own } else { slope * partial * facts[o].between / root };
                self.conditions[o] = self.conditions[o] + share;
            }
        }
    }
}

/// The condition numbers of a step for its operands, where it is not 0.
fn conditions(step: &Step, facts: &[Fact], operands: &[usize], partials: &[Interval], out: &mut [Interval]) {
    match step {
        Step::Op(Op::Mul | Op::Neg | Op::Fabs, _) | Step::Convert(_) => out.fill(ONE()),
        Step::Op(op, _) => {
            let mut x = [Interval::EMPTY; MAX_ARITY];
            let n = out.len();
            x.iter_mut().zip(operands).for_each(|(x, o)| *x = facts[*o].between);
            op.conditions(&x[..n], out);
        }
        // The value is that of one of the branches.
        Step::If(..) => out.copy_from_slice(&partials[..out.len()]),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::Format;
    use crate::program::Node;
    use crate::rounding::local::Computed;

    /// A step with values in a range, an error of its own, and derivatives by its operands.
    fn fact(range: Interval, error: f64, partials: [f64; 2]) -> Fact {
        let partials = [partials[0], partials[1], 0.0].map(Interval::point);
        let computed = Computed { range, ..Fact::nothing().computed };
        let share = error / range.mig();
        Fact { computed, between: range, error, share, partials, sound: true, ..Fact::nothing() }
    }

    fn walked(steps: &[Step], facts: &[Fact]) -> Sums {
        let node = |step: &Step| Node { step: step.clone(), format: Format::BINARY64 };
        Back::default().walk(&Program::of_nodes(steps.iter().map(node).collect()), facts)
    }

    /// (x + y) - z
    #[test]
    fn errors_before_the_last_step_are_all_but_its_own() {
        let step = |op: Op, operands: [usize; 3]| Step::Op(op, operands.map(Id::at));
        let steps =
            [Step::Input(0), Step::Input(1), Step::Input(2), step(Op::Add, [0, 1, 0]), step(Op::Sub, [3, 2, 0])];
        let input = |error: f64| fact(Interval::new(-1.0, 1.0), error, [0.0, 0.0]);
        let sum = fact(Interval::new(-2.0, 2.0), 0.25, [1.0, 1.0]);
        let last = fact(Interval::new(-3.0, 3.0), 0.0625, [1.0, -1.0]);
        let sums = walked(&steps, &[input(1.0), input(2.0), input(4.0), sum, last]);
        assert_eq!((sums.absolute, sums.before_last), (7.3125, 7.25));
    }

    /// x - y, which may be 0, and 16 more: errors of the first two are a sixteenth of the result and less.
    #[test]
    fn relative_errors_pass_a_step_that_may_be_0() {
        let step = |op: Op, operands: [usize; 3]| Step::Op(op, operands.map(Id::at));
        let steps =
            [Step::Input(0), Step::Input(1), Step::Input(2), step(Op::Sub, [0, 1, 0]), step(Op::Add, [3, 2, 0])];
        let error = 2f64.powi(-20);
        for own in [[error, 0.0], [0.0, error]] {
            let [x, y] = own.map(|error| {
                let fact = fact(Interval::new(1.0, 2.0), error, [0.0, 0.0]);
                if error == 0.0 { Fact { absolute: 0.0, ..fact } } else { fact }
            });
            let shift = Fact { absolute: 0.0, ..fact(Interval::point(16.0), 0.0, [0.0, 0.0]) };
            let difference = fact(Interval::new(-1.0, 1.0), 0.0, [1.0, -1.0]);
            let last = fact(Interval::new(15.0, 17.0), 0.0, [1.0, 1.0]);
            let sums = walked(&steps, &[x, y, shift, difference, last]);
            // The least result is 15, and 2 the largest operand.
            let most = 2.0 * error / 15.0;
            assert!(sums.relative >= error / 17.0 && sums.relative <= 1.01 * most, "{own:?}: {sums:?}");
        }
    }
}
