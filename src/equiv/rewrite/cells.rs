//! The domain in a few cells, and what expressions are on them.

use super::expr::{Expr, Head};
use super::laws::Law;
use crate::num::{Interval, Ternary};
use crate::solve::bisect::{Bisection, choose, halves};
use crate::spec::InputBox;
use crate::tape::eval::{Boxes, Enclosure, step};
use crate::tape::{Builder, NodeId, Tape, evaluate};

/// Boxes that together hold all of the domain.
#[derive(Default)]
pub(super) struct Cells {
    boxes: Vec<Vec<Interval>>,
}

/// The most cells.
const MAX_CELLS: usize = 16;
/// How often the cells are cut: more often than makes that many, as some are left out.
const MAX_CUTS: u32 = 8;

impl Cells {
    /// The domain cut in halves a few times; parts on which a condition surely fails are left out.
    pub(super) fn new(domain: &InputBox, tape: &Tape, conditions: &[NodeId]) -> Cells {
        let outside = |x: &[Interval]| {
            let mut values = Vec::new();
            evaluate(tape, &mut Boxes { inputs: x }, &mut values);
            conditions.iter().any(|c| values[c.index()].def.is_false() || values[c.index()].as_truth().is_false())
        };
        let mut boxes = vec![domain.ranges.clone()];
        for depth in 0..MAX_CUTS {
            if boxes.len() * 2 > MAX_CELLS {
                break;
            }
            let half = |x: Vec<Interval>| {
                let input = choose(Bisection::RoundRobin, &x, &[], depth);
                let two = input.and_then(|i| halves(domain, &x, i, depth));
                two.map_or_else(|| vec![x], Vec::from)
            };
            boxes = boxes.into_iter().flat_map(half).filter(|x| !outside(x)).collect();
        }
        // Laws must not hold for want of a cell.
        if boxes.is_empty() {
            boxes.push(domain.ranges.clone());
        }
        Cells { boxes }
    }

    /// An expression on every cell, by those of its operands.
    pub(super) fn enclose(&self, head: &Head, args: &[&Vec<Enclosure>]) -> Vec<Enclosure> {
        // One node over as many unknowns: what `step` evaluates.
        let mut builder = Builder::literal(args.len());
        let operands: Vec<NodeId> = (0..args.len()).map(|i| builder.var(i)).collect();
        let root = head.build(&mut builder, &operands);
        let tape = builder.finish();
        let on = |(k, cell): (usize, &Vec<Interval>)| {
            step(&tape, tape.node(root), &mut Boxes { inputs: cell }, |o| &args[o.index()][k])
        };
        self.boxes.iter().enumerate().map(on).collect()
    }

    /// The same for a whole expression.
    pub(super) fn evaluate(&self, expr: &Expr) -> Vec<Enclosure> {
        let args: Vec<Vec<Enclosure>> = expr.args.iter().map(|a| self.evaluate(a)).collect();
        self.enclose(&expr.head, &args.iter().collect::<Vec<_>>())
    }

    /// Whether a law holds where its variables are these functions.
    pub(super) fn allow(&self, law: &Law, variables: &[Option<&[Enclosure]>]) -> bool {
        let known = |i: usize| variables.get(i).copied().flatten();
        let everywhere = |i: &usize| known(*i).is_some_and(|e| e.iter().all(|e| e.def == Ternary::True));
        if !law.needed.iter().all(everywhere) {
            return false;
        }
        let Some(when) = &law.when else { return true };
        (0..self.boxes.len()).all(|k| {
            let values: Option<Vec<Interval>> = (0..law.names.len()).map(|i| known(i).map(|e| e[k].x)).collect();
            // Where a variable has no value, neither side has one.
            values.is_some_and(|v| v.iter().any(|x| x.is_empty()) || when.holds(&v))
        })
    }
}
