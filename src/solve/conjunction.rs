//! The problem that asks for nothing but constraints: a point of a box at which all of them hold.

use super::answer::Limits;
use super::bisect::box_width;
use super::constraints::{Constraint, Constraints};
use super::contract::Outcome;
use super::problem::{Care, Examine, PointCheck, Problem, Seen};
use super::reals::{Reals, enclose};
use super::tally::Tally;
use crate::num::{Interval, MpInterval, Ternary};
use crate::spec::InputBox;
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::evaluate;

/// Constraints over a box, with what examines a point exactly.
pub struct Conjunction<'a> {
    constraints: &'a Constraints,
    reals: Reals<'a>,
    values: Vec<Enclosure>,
    examine: &'a mut Examine<'a>,
}

impl<'a> Conjunction<'a> {
    /// The inputs of `domain` at which the constraints hold. Boxes are cut by their widths, as nothing is to be made large.
    pub fn new(
        constraints: &'a Constraints,
        domain: &'a InputBox,
        limits: Limits,
        examine: &'a mut Examine<'a>,
    ) -> Self {
        let reals = Reals::new(domain, domain.ranges.len(), limits);
        Conjunction { constraints, reals, values: Vec::new(), examine }
    }

    /// Evaluate on a box. Whether all constraints hold on all of it, none does at any point of it, or neither is known.
    fn holds(&mut self, domain: &[Interval]) -> Ternary {
        evaluate(&self.constraints.tape, &mut Boxes { inputs: domain }, &mut self.values);
        let one = |c: &Constraint| {
            let v = &self.values[c.node.index()];
            v.def & Ternary::decide(v.x.subset(c.within), v.x.disjoint(c.within))
        };
        self.constraints.list.iter().map(one).fold(Ternary::True, |all, one| all & one)
    }

    /// Whether some constraint surely holds nowhere on a box, by multiple precision.
    fn fails(&self, domain: &[Interval], bits: u32) -> bool {
        let values = enclose(&self.constraints.tape, domain, bits);
        let fails = |c: &Constraint| {
            let v: &MpInterval = &values[c.node.index()];
            v.def.is_false() || v.hi < c.within.inf() || v.lo > c.within.sup()
        };
        self.constraints.list.iter().any(fails)
    }
}

impl Problem for Conjunction<'_> {
    type Part = Vec<Interval>;
    type Point = Vec<f64>;
    type Hint = ();

    fn whole(&self) -> Vec<Interval> {
        self.reals.start.ranges.clone()
    }

    fn look(&mut self, mut part: Vec<Interval>, depth: u32, tally: &mut Tally) -> Option<Seen<Vec<Interval>, ()>> {
        if self.holds(&part).is_false() {
            return None;
        }
        // Where a value is chosen it may be that of a branch that has none here.
        let all_have_values = self.constraints.list.iter().all(|c| self.values[c.node.index()].def.is_true());
        if self.reals.limits.hc4 && (all_have_values || !self.constraints.cone.choices) {
            let outcome = self.reals.contract(self.constraints, &mut part, depth, tally)?;
            if outcome == Outcome::Contracted && self.holds(&part).is_false() {
                return None;
            }
        }
        if self.reals.precision(&part).is_some_and(|bits| self.fails(&part, bits)) {
            tally.unbounded();
            return None;
        }
        let inner = self.constraints.list.iter().all(|c| {
            let v = &self.values[c.node.index()];
            v.def.is_true() && v.x.subset(c.within)
        });
        Some(Seen { part, priority: 0.0, hint: (), inner })
    }

    fn candidate(&mut self, part: &Vec<Interval>) -> Option<(Vec<f64>, Care)> {
        let middle = self.reals.middle(part)?;
        let point: Vec<Interval> = middle.iter().map(|x| Interval::point(*x)).collect();
        match self.holds(&point) {
            Ternary::True => Some((middle, Care::Thorough)),
            Ternary::False => None,
            Ternary::Unknown => self.reals.may_doubt().then_some((middle, Care::Glance)),
        }
    }

    fn only_point(&self, part: &Vec<Interval>) -> Option<Vec<f64>> {
        self.reals.only_input(part)
    }

    fn examine(&mut self, point: &Vec<f64>, care: Care) -> PointCheck {
        (self.examine)(point, care)
    }

    fn width(&self, part: &Vec<Interval>) -> f64 {
        box_width(part)
    }

    fn cut(&self, part: &Vec<Interval>, (): &(), depth: u32) -> Option<[Vec<Interval>; 2]> {
        self.reals.cut(part, &[], depth)
    }
}
