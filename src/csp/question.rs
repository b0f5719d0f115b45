//! "Do the valid sets of f and g lie apart at some input?" as a problem for the solver.
//!
//! A kill is by value, where the gap is positive, or by definedness, where f has a value and g has none. A box is pruned by
//! value only where g surely has a value wherever f has one.

use super::build::{Csp, RelativeGap};
use super::meets::meets;
use crate::num::{Interval, Ternary};
use crate::solve::bisect::box_width;
use crate::solve::contract::Outcome;
use crate::solve::problem::Examine;
use crate::solve::reals::Reals;
use crate::solve::{Care, Limits, PointCheck, Problem, Seen, Tally};
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::meanvalue::MeanValue;
use crate::tape::{NodeId, evaluate};

/// A problem with what a search of it needs.
pub struct Question<'a> {
    csp: &'a Csp,
    reals: Reals<'a>,
    mean_value: MeanValue,
    values: Vec<Enclosure>,
    examine: &'a mut Examine<'a>,
}

/// An upper bound of the gap on a box, as far as its parts are known.
struct Known {
    gap: Enclosure,
    scale: Interval,
    /// At most this, whatever the cancelled form has no value for.
    upper: f64,
    /// The relative gap, where it has a value on all of the box, and the largest it can be.
    relative: Option<RelativeGap>,
    share: f64,
}

impl<'a> Question<'a> {
    /// `examine` looks at a point exactly; its points are values of the input formats.
    pub fn new(csp: &'a Csp, limits: Limits, examine: &'a mut Examine<'a>) -> Self {
        let reals = Reals::new(&csp.start, csp.inputs, limits);
        Question { csp, reals, mean_value: MeanValue::default(), values: Vec::new(), examine }
    }

    fn at(&self, node: NodeId) -> Enclosure {
        self.values[node.index()]
    }

    /// Evaluate all nodes on a box; false if a condition fails on all of it or the specification's function has no value
    /// there: none of its points is in the domain.
    fn evaluate(&mut self, domain: &[Interval]) -> bool {
        evaluate(self.csp.tape(), &mut Boxes { inputs: domain }, &mut self.values);
        let holds = |c: NodeId| !(self.at(c).def.is_false() || self.at(c).as_truth().is_false());
        self.csp.conditions().all(holds) && !self.at(self.csp.f).def.is_false()
    }

    /// Whether g surely has a value wherever f has one, on the box on which the values were computed.
    fn same_definedness(&self) -> bool {
        if self.at(self.csp.f).def == Ternary::True && self.at(self.csp.g).def == Ternary::True {
            return true;
        }
        // What both depend on has a value where f has; what g alone depends on must always have one.
        !self.csp.conditional && self.csp.exclusive.iter().all(|n| self.at(*n).own.is_true())
    }

    /// Whether the gap surely has a value wherever f and g have one. Cancelling makes holes: sqrt x - sqrt (2 x) as
    /// (x - 2 x) / (sqrt x + sqrt (2 x)) has none at 0, where other parts of f and g may differ.
    fn gap_has_no_holes(&self) -> bool {
        self.csp.auxiliary.iter().all(|n| self.at(*n).own.is_true())
    }

    /// What the values say of the gap.
    fn known(&self, whole: bool) -> Known {
        let (gap, scale) = (self.at(self.csp.gap), self.at(self.csp.scale).x);
        let upper = if whole {
            gap.x.sup()
        } else {
            // As written: it has a value wherever f and g have.
            let (f, g) = (self.at(self.csp.f).x, self.at(self.csp.g).x);
            ((f - g).abs() - scale).sup()
        };
        let relative = self.csp.relative.filter(|r| self.at(r.gap).def.is_true());
        let share = relative.map_or(f64::INFINITY, |r| self.at(r.gap).x.sup());
        Known { gap, scale, upper, relative, share }
    }

    /// On all of a box on which g has a value wherever f has: how far the distance is below the room for it, which is
    /// returned too, if the gap or the relative gap shows that it is nowhere above.
    fn refuted(&self, known: &Known) -> Option<(f64, Interval)> {
        if known.upper <= 0.0 {
            return Some((known.upper, known.scale));
        }
        let relative = known.relative.filter(|_| known.share <= 0.0)?;
        Some((known.share, self.at(relative.room).x))
    }

    /// The same by derivatives, which tighten the upper bound of the gap and are left in `slopes`.
    fn refuted_by_slopes(
        &mut self,
        known: &mut Known,
        domain: &[Interval],
        same_domain: bool,
        slopes: &mut Vec<Interval>,
    ) -> Option<(f64, Interval)> {
        let tape = self.csp.tape();
        if let Some(tighter) = self.mean_value.upper(tape, self.csp.gap, domain, &self.values, known.upper) {
            known.upper = known.upper.min(tighter);
        }
        slopes.extend_from_slice(self.mean_value.slopes());
        if !same_domain {
            return None;
        }
        if known.upper <= 0.0 {
            return Some((known.upper, known.scale));
        }
        let relative = known.relative.filter(|_| known.share.is_finite())?;
        let share = self.mean_value.never_positive(tape, relative.gap, domain, &self.values)?;
        Some((share, self.at(relative.room).x))
    }
}

impl Problem for Question<'_> {
    type Part = Vec<Interval>;
    type Point = Vec<f64>;
    /// Derivatives of the gap, if there are any.
    type Hint = Vec<Interval>;

    fn whole(&self) -> Vec<Interval> {
        self.csp.start.ranges.clone()
    }

    /// Evaluate a box, contract it, bound its gap.
    fn look(
        &mut self,
        mut part: Vec<Interval>,
        depth: u32,
        tally: &mut Tally,
    ) -> Option<Seen<Vec<Interval>, Vec<Interval>>> {
        if !self.evaluate(&part) {
            return None;
        }
        let same_domain = self.same_definedness();
        let whole = self.gap_has_no_holes();
        if same_domain && whole && self.reals.limits.hc4 {
            let gap = self.at(self.csp.gap).x;
            if gap.sup() <= 0.0 {
                tally.bounded(gap.sup(), self.at(self.csp.scale).x);
                return None;
            }
            let outcome = self.reals.contract(&self.csp.constraints, &mut part, depth, tally)?;
            if outcome == Outcome::Contracted && !self.evaluate(&part) {
                return None;
            }
        }
        let mut known = self.known(whole);
        if let Some((upper, room)) = self.refuted(&known).filter(|_| same_domain) {
            tally.bounded(upper, room);
            return None;
        }
        let mut slopes = Vec::new();
        if self.reals.limits.mean_value && known.gap.def.is_true() && known.upper < f64::INFINITY {
            let refuted = self.refuted_by_slopes(&mut known, &part, same_domain, &mut slopes);
            if let Some((upper, room)) = refuted {
                tally.bounded(upper, room);
                return None;
            }
        }
        if self.reals.precision(&part).is_some_and(|bits| meets(self.csp, &part, bits)) {
            tally.unbounded();
            return None;
        }
        let priority = if same_domain { known.upper / known.scale.inf().max(0.0) } else { f64::INFINITY };
        let priority = if priority.is_nan() { f64::INFINITY } else { priority };
        let inner = known.gap.def.is_true() && known.gap.x.inf() > 0.0;
        Some(Seen { part, priority, hint: slopes, inner })
    }

    /// The middle of a box, if binary64 intervals do not exclude that it is a solution.
    fn candidate(&mut self, part: &Vec<Interval>) -> Option<(Vec<f64>, Care)> {
        let mut middle = self.reals.middle(part)?;
        let mut point: Vec<Interval> = middle.iter().map(|x| Interval::point(*x)).collect();
        let extra = self.csp.inputs..point.len();
        if !extra.is_empty() {
            // What the inputs leave of y follows from them: its own middle would hardly ever be valid.
            point[extra.clone()].copy_from_slice(&part[extra]);
            if !self.reals.follow(&self.csp.constraints, &mut point) {
                return None;
            }
        }
        if !self.evaluate(&point) {
            return None;
        }
        let (f, g, gap) = (self.at(self.csp.f), self.at(self.csp.g), self.at(self.csp.gap));
        let settled = f.def.is_true() && g.def.is_true();
        if settled && gap.x.sup() <= 0.0 {
            return None;
        }
        // Where intervals are too coarse to tell, exact examination is dear and seldom worth it.
        let one_sided = f.def.is_true() && g.def.is_false() || g.def.is_true() && f.def.is_false();
        let sure = settled && gap.x.inf() > 0.0 || one_sided;
        if !sure && !self.reals.may_doubt() {
            return None;
        }
        middle.truncate(self.csp.inputs);
        Some((middle, if sure { Care::Thorough } else { Care::Glance }))
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

    fn cut(&self, part: &Vec<Interval>, slopes: &Vec<Interval>, depth: u32) -> Option<[Vec<Interval>; 2]> {
        self.reals.cut(part, slopes, depth)
    }
}
