//! What problems over the reals share: boxes, their middles and halves, and the contractors in the order of their cost.

use super::answer::Limits;
use super::bisect::{box_width, choose, halves, real_halves, snap};
use super::constraints::Constraints;
use super::contract::{Contractor, Fixpoint, Outcome};
use super::hc4::Hc4;
use super::shave::Shave;
use super::tally::Tally;
use crate::num::{Interval, MpInterval};
use crate::spec::InputBox;
use crate::tape::eval::Multi;
use crate::tape::{Tape, evaluate};

/// The depth from which boxes that HC4 leaves as they are are shaved, every so many levels.
const SHAVE_FROM: u32 = 6;
const SHAVE_EVERY: u32 = 4;

/// How many points are examined exactly in a search although binary64 intervals do not say that they are solutions.
const DOUBTFUL: u32 = 200;

/// The relative width of boxes that are looked at in multiple precision too: what binary64 cannot decide there is its
/// rounding more often than the width.
const NARROW: f64 = 1e-9;
/// How many boxes are in one search, and in how many bits.
const MULTI: u32 = 400;
const MULTI_BITS: u32 = 160;

/// The box of a problem over the reals, its contractors, and what of the dear means is left.
pub struct Reals<'a> {
    /// The box that is searched.
    pub start: &'a InputBox,
    /// How many of its dimensions are inputs, which have values of a format; the others hold all real numbers.
    pub inputs: usize,
    /// Bounds and choices of the search.
    pub limits: Limits,
    hc4: Fixpoint<Hc4>,
    shave: Shave,
    /// How many more points may be examined exactly that intervals do not settle.
    doubtful: u32,
    /// How many more boxes may be looked at in multiple precision.
    multi: u32,
}

impl<'a> Reals<'a> {
    /// For a search of a box of which so many dimensions are inputs.
    #[must_use]
    pub fn new(start: &'a InputBox, inputs: usize, limits: Limits) -> Self {
        Reals {
            start,
            inputs,
            limits,
            hc4: Fixpoint(Hc4::default()),
            shave: Shave::default(),
            doubtful: DOUBTFUL,
            multi: if limits.multi { MULTI } else { 0 },
        }
    }

    /// Contract a box to what may solve the constraints. `None`: it holds no solution.
    pub fn contract(
        &mut self,
        constraints: &Constraints,
        domain: &mut [Interval],
        depth: u32,
        tally: &mut Tally,
    ) -> Option<Outcome> {
        let mut outcome = self.hc4.contract(constraints, domain);
        let stalled = outcome == Outcome::Same && depth >= SHAVE_FROM && depth.is_multiple_of(SHAVE_EVERY);
        if stalled && self.limits.shave {
            outcome = self.shave.contract(constraints, domain);
        }
        if outcome != Outcome::Same {
            // Of what is contracted away no more is known than that it holds no solution.
            tally.unbounded();
        }
        match outcome {
            Outcome::Empty => None,
            Outcome::Contracted => snap(self.start, domain, self.inputs).map(|()| outcome),
            Outcome::Same => Some(outcome),
        }
    }

    /// Let the constraints contract a box whose inputs are one point. False if it holds no solution.
    pub fn follow(&mut self, constraints: &Constraints, domain: &mut [Interval]) -> bool {
        self.hc4.contract(constraints, domain) != Outcome::Empty
    }

    /// The input in the middle of a box; `None` if none of the format is in it.
    #[must_use]
    pub fn middle(&self, domain: &[Interval]) -> Option<Vec<f64>> {
        let middle: Vec<f64> = domain.iter().map(|x| x.mid()).collect();
        let middle = self.start.clamp(&middle);
        domain.iter().zip(&middle).all(|(d, x)| d.contains(*x)).then_some(middle)
    }

    /// The one input of a box, whatever the dimensions that are no inputs are.
    #[must_use]
    pub fn only_input(&self, domain: &[Interval]) -> Option<Vec<f64>> {
        let inputs = &domain[..self.inputs];
        inputs.iter().all(|x| x.is_point()).then(|| inputs.iter().map(|x| x.inf()).collect())
    }

    /// Cut a box where the derivatives, if there are any, promise most.
    #[must_use]
    pub fn cut(&self, domain: &[Interval], slopes: &[Interval], depth: u32) -> Option<[Vec<Interval>; 2]> {
        let first = choose(self.limits.bisection, domain, slopes, depth);
        // An input without a second representable value cannot be cut: take another.
        let any = first.into_iter().chain(0..domain.len());
        any.filter(|i| !domain[*i].is_point()).find_map(|i| match i < self.inputs {
            true => halves(self.start, domain, i, depth),
            false => real_halves(domain, i, depth),
        })
    }

    /// Whether one more point may be examined exactly that intervals do not settle: that is dear and seldom worth it.
    pub fn may_doubt(&mut self) -> bool {
        let may = self.doubtful > 0;
        self.doubtful = self.doubtful.saturating_sub(1);
        may
    }

    /// The precision in which to look at a box too, if it is narrow and one of the first such. Unit: bits.
    pub fn precision(&mut self, domain: &[Interval]) -> Option<u32> {
        let is_due = self.multi > 0 && box_width(domain) < NARROW;
        self.multi -= u32::from(is_due);
        is_due.then_some(MULTI_BITS)
    }
}

/// All nodes of a tape on a box, in multiple precision: where binary64 intervals are coarser than what is asked.
#[must_use]
pub fn enclose(tape: &Tape, domain: &[Interval], bits: u32) -> Vec<MpInterval> {
    let ends = |x: &Interval| MpInterval::from_f64(x.inf(), bits).hull(&MpInterval::from_f64(x.sup(), bits));
    let inputs: Vec<MpInterval> = domain.iter().map(ends).collect();
    let mut values = Vec::new();
    evaluate(tape, &mut Multi { inputs: &inputs, precision: bits }, &mut values);
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::Format;

    #[test]
    fn some_narrow_boxes_are_looked_at_in_multiple_precision() {
        let start = InputBox { ranges: vec![Interval::new(1.0, 2.0)], formats: vec![Format::BINARY64] };
        let due = |multi: bool, width: f64| {
            let mut reals = Reals::new(&start, 1, Limits { multi, ..Limits::default() });
            let domain = [Interval::new(1.0, 1.0 + width)];
            (0..2 * MULTI).filter(|_| reals.precision(&domain) == Some(MULTI_BITS)).count()
        };
        let narrow = [1e-3, 1e-6, 1e-10, 1e-14, 0.0].map(|width| due(true, width));
        assert_eq!(narrow, [0, 0, 1, 1, 1].map(|k| k * MULTI as usize));
        assert_eq!([1e-3, 1e-10].map(|width| due(false, width)), [0, 0]);
    }
}
