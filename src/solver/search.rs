//! The loop: best-first branch and prune for a first verified point, or a proof that there is none.

use super::bisect::{Bisection, box_width, choose, halves, real_halves, snap};
use super::contract::{Contractor, Fixpoint, Outcome};
use super::hc4::Hc4;
use super::multi::meets;
use super::shave::Shave;
use super::tally::Tally;
use crate::csp::Csp;
use crate::num::{Interval, Ternary};
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::evaluate;
use crate::tape::meanvalue::MeanValue;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::atomic::{self, AtomicBool};

/// What an exact examination says of one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// It is a solution, verified.
    Solution,
    /// It surely is none.
    No,
    /// Not settled.
    Unsettled,
}

/// How much an exact examination may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// Little: one point of many.
    Glance,
    /// As much as the precision cap allows: a proof depends on it.
    Thorough,
}

/// Bounds and choices of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most boxes to look at. Unit: boxes. Default: 4000.
    pub boxes: u64,
    /// The relative width below which a box is set aside at first; it shrinks by factors of 10. Default: 1e-2.
    pub delta: f64,
    /// The smallest such width; 0 goes down to single floats. Default: 0.
    pub delta_min: f64,
    /// How to choose the input to cut.
    pub bisection: Bisection,
    /// Whether to contract boxes with HC4. Default: yes.
    pub hc4: bool,
    /// Whether to bound the gap by its derivatives. Default: yes.
    pub mean_value: bool,
    /// Whether to shave boxes that HC4 does not contract, deep in the search. Default: yes.
    pub shave: bool,
    /// Whether to look at narrow boxes in multiple precision. Default: yes.
    pub multi: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            boxes: 4000,
            delta: 1e-2,
            delta_min: 0.0,
            bisection: Bisection::Smear,
            hc4: true,
            mean_value: true,
            shave: true,
            multi: true,
        }
    }
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The budget of boxes was used up.
    Budget,
    /// Boxes were left that are narrower than the smallest width allowed.
    DeltaMin,
    /// Single points were left at which exact examination settles nothing.
    Unsettled,
    /// The run was interrupted.
    Interrupted,
}

/// What a search cost, and how near it came.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    /// Boxes looked at.
    pub boxes: u64,
    /// Boxes proved to hold no solution.
    pub pruned: u64,
    /// Points examined exactly.
    pub points: u64,
    /// How often the width shrank by 10.
    pub rounds: u32,
}

/// The end of a search.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A verified solution.
    Inner {
        /// The point.
        point: Vec<f64>,
        /// The box around it that was being looked at.
        domain: Vec<Interval>,
        /// Whether all of that box is proved to solve the problem by value, f and g being defined on all of it.
        inner: bool,
    },
    /// There is no solution among the representable points of the box.
    Infeasible {
        /// The largest ratio |f - g| / (t_f + t_g) that any box was left with: below 1.
        worst: f64,
    },
    /// There is nothing to search: both are the same function on the box.
    Equal,
    /// Neither was reached.
    Unknown(StopReason),
}

struct Entry {
    /// The largest ratio of distance to tolerance that the box may hold.
    priority: f64,
    /// Earlier boxes first among equals.
    serial: u64,
    depth: u32,
    domain: Vec<Interval>,
    /// Derivatives of the gap, if there are any.
    slopes: Vec<Interval>,
    inner: bool,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.priority.total_cmp(&other.priority).then(other.serial.cmp(&self.serial))
    }
}

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

struct Search<'a> {
    csp: &'a Csp,
    limits: Limits,
    stop: Option<&'a AtomicBool>,
    hc4: Fixpoint<Hc4>,
    shave: Shave,
    mean_value: MeanValue,
    values: Vec<Enclosure>,
    /// How many more points may be examined exactly that intervals do not settle.
    doubtful: u32,
    /// How many more boxes may be looked at in multiple precision.
    multi: u32,
    heap: BinaryHeap<Entry>,
    tally: &'a mut Tally,
    /// Boxes of this search.
    boxes: u64,
    /// Whether it met a point that nothing settles.
    unsettled: bool,
}

/// What looking at a box showed.
enum Look {
    Pruned,
    Open(Entry),
}

/// How a search of some parts of a problem's box ends.
#[derive(Debug)]
pub(super) enum Turn {
    /// With a verified solution.
    Found(Answer),
    /// No box is left: the tally says what was shown.
    Done,
    /// The budget was used up: the boxes not yet looked into, the most promising first.
    Left(Vec<Vec<Interval>>),
    /// It was told to stop.
    Interrupted,
}

/// Search the problem's box. `check` examines a point exactly; its points are values of the input formats.
/// It ends early where `stop` is set.
pub fn search(
    csp: &Csp,
    limits: Limits,
    stop: Option<&AtomicBool>,
    check: &mut dyn FnMut(&[f64], Care) -> Check,
) -> (Answer, Stats) {
    let mut tally = Tally::default();
    let answer = match search_parts(csp, vec![csp.start.ranges.clone()], limits, stop, check, &mut tally) {
        Turn::Found(answer) => answer,
        Turn::Done => tally.answer(),
        Turn::Left(_) => Answer::Unknown(StopReason::Budget),
        Turn::Interrupted => Answer::Unknown(StopReason::Interrupted),
    };
    (answer, tally.stats())
}

/// The same for some parts of the problem's box; what is shown of them goes into the tally.
pub(super) fn search_parts(
    csp: &Csp,
    parts: Vec<Vec<Interval>>,
    limits: Limits,
    stop: Option<&AtomicBool>,
    check: &mut dyn FnMut(&[f64], Care) -> Check,
    tally: &mut Tally,
) -> Turn {
    let mut s = Search {
        csp,
        limits,
        stop,
        hc4: Fixpoint(Hc4::default()),
        shave: Shave::default(),
        mean_value: MeanValue::default(),
        values: Vec::new(),
        doubtful: DOUBTFUL,
        multi: if limits.multi { MULTI } else { 0 },
        heap: BinaryHeap::new(),
        tally,
        boxes: 0,
        unsettled: false,
    };
    s.run(parts, check)
}

impl Search<'_> {
    fn run(&mut self, parts: Vec<Vec<Interval>>, check: &mut dyn FnMut(&[f64], Care) -> Check) -> Turn {
        let mut delta = self.limits.delta.max(self.limits.delta_min);
        let mut aside: Vec<Entry> = Vec::new();
        for part in parts {
            self.push(part, 0);
        }
        loop {
            let Some(entry) = self.heap.pop() else {
                if aside.is_empty() {
                    break;
                }
                if delta <= self.limits.delta_min {
                    self.tally.leave_out(StopReason::DeltaMin);
                    return Turn::Done;
                }
                // What was too narrow is carried over to the next width, not solved anew.
                delta = if delta < 1e-16 { self.limits.delta_min } else { (delta / 10.0).max(self.limits.delta_min) };
                self.tally.work().rounds += 1;
                self.heap.extend(aside.drain(..));
                continue;
            };
            if let Some(point) = self.sample(&entry, check) {
                return Turn::Found(Answer::Inner { point, domain: entry.domain, inner: entry.inner });
            }
            // One input: whatever y may be.
            if entry.domain[..self.csp.inputs].iter().all(|x| x.is_point()) {
                match self.examine(&entry.domain, check) {
                    Check::Solution => {
                        let point = entry.domain[..self.csp.inputs].iter().map(|x| x.inf()).collect();
                        return Turn::Found(Answer::Inner { point, domain: entry.domain, inner: entry.inner });
                    }
                    Check::No => {
                        self.tally.unbounded();
                        self.tally.work().pruned += 1;
                    }
                    Check::Unsettled => self.leave_out(),
                }
                continue;
            }
            if box_width(&entry.domain) <= delta {
                aside.push(entry);
                continue;
            }
            if self.stop.is_some_and(|s| s.load(atomic::Ordering::Relaxed)) || crate::halt::requested() {
                return Turn::Interrupted;
            }
            if self.boxes >= self.limits.boxes {
                self.heap.push(entry);
                self.heap.extend(aside);
                let left = std::mem::take(&mut self.heap).into_sorted_vec();
                return Turn::Left(left.into_iter().rev().map(|e| e.domain).collect());
            }
            self.split(entry);
        }
        Turn::Done
    }

    /// A point was met that nothing settles: it is in no box that is left, and no proof holds without it.
    fn leave_out(&mut self) {
        self.unsettled = true;
        self.tally.leave_out(StopReason::Unsettled);
    }

    fn split(&mut self, entry: Entry) {
        let first = choose(self.limits.bisection, &entry.domain, &entry.slopes, entry.depth);
        // An input without a second representable value cannot be cut: take another.
        let any = first.into_iter().chain(0..entry.domain.len());
        let halves = any.filter(|i| !entry.domain[*i].is_point()).find_map(|i| match i < self.csp.inputs {
            true => halves(&self.csp.start, &entry.domain, i, entry.depth),
            false => real_halves(&entry.domain, i, entry.depth),
        });
        match halves {
            Some(halves) => halves.into_iter().for_each(|h| self.push(h, entry.depth + 1)),
            None => self.leave_out(),
        }
    }

    fn push(&mut self, domain: Vec<Interval>, depth: u32) {
        self.boxes += 1;
        self.tally.work().boxes += 1;
        match self.look(domain, depth) {
            Look::Pruned => self.tally.work().pruned += 1,
            Look::Open(entry) => self.heap.push(entry),
        }
    }

    /// Evaluate a box, contract it, bound its gap.
    fn look(&mut self, mut domain: Vec<Interval>, depth: u32) -> Look {
        let csp = self.csp;
        if !self.evaluate(&domain) {
            return Look::Pruned;
        }
        let same_domain = self.same_definedness();
        let whole = self.gap_has_no_holes();
        if same_domain && whole && self.limits.hc4 {
            let (gap, scale) = (self.values[csp.gap.index()].x, self.values[csp.scale.index()].x);
            if gap.sup() <= 0.0 {
                return self.prune(gap.sup(), scale);
            }
            let mut outcome = self.hc4.contract(csp, &mut domain);
            let stalled = outcome == Outcome::Same && depth >= SHAVE_FROM && depth.is_multiple_of(SHAVE_EVERY);
            if stalled && self.limits.shave {
                outcome = self.shave.contract(csp, &mut domain);
            }
            if outcome != Outcome::Same {
                // Of what is contracted away no more is known than that it holds no solution.
                self.tally.unbounded();
            }
            let left = match outcome {
                Outcome::Empty => false,
                Outcome::Contracted => snap(&csp.start, &mut domain, csp.inputs).is_some() && self.evaluate(&domain),
                Outcome::Same => true,
            };
            if !left {
                return Look::Pruned;
            }
        }
        let (gap, scale) = (self.values[csp.gap.index()], self.values[csp.scale.index()]);
        let mut upper = if whole {
            gap.x.sup()
        } else {
            // As written: it has a value wherever f and g have.
            let (f, g) = (self.values[csp.f.index()].x, self.values[csp.g.index()].x);
            ((f - g).abs() - scale.x).sup()
        };
        if same_domain && upper <= 0.0 {
            return self.prune(upper, scale.x);
        }
        let relative = csp.relative.filter(|r| self.values[r.gap.index()].def.is_true());
        let share = relative.map_or(f64::INFINITY, |r| self.values[r.gap.index()].x.sup());
        if let Some(r) = relative.filter(|_| same_domain && share <= 0.0) {
            return self.prune(share, self.values[r.room.index()].x);
        }
        let mut slopes = Vec::new();
        if self.limits.mean_value && gap.def.is_true() && upper < f64::INFINITY {
            if let Some(tighter) = self.mean_value.upper(&csp.tape, csp.gap, &domain, &self.values, upper) {
                upper = upper.min(tighter);
            }
            slopes = self.mean_value.slopes().to_vec();
            if same_domain && upper <= 0.0 {
                return self.prune(upper, scale.x);
            }
            if let Some(r) = relative.filter(|_| same_domain && share.is_finite())
                && let Some(share) = self.mean_value.never_positive(&csp.tape, r.gap, &domain, &self.values)
            {
                return self.prune(share, self.values[r.room.index()].x);
            }
        }
        if self.multi > 0 && box_width(&domain) < NARROW {
            self.multi -= 1;
            if meets(csp, &domain, MULTI_BITS) {
                self.tally.unbounded();
                return Look::Pruned;
            }
        }
        let priority = if same_domain { upper / scale.x.inf().max(0.0) } else { f64::INFINITY };
        let priority = if priority.is_nan() { f64::INFINITY } else { priority };
        let inner = gap.def.is_true() && gap.x.inf() > 0.0;
        Look::Open(Entry { priority, serial: self.boxes, depth, domain, slopes, inner })
    }

    /// Evaluate all nodes on a box; false if a condition fails on all of it or the specification's function has no value
    /// there: none of its points is in the domain.
    fn evaluate(&mut self, domain: &[Interval]) -> bool {
        evaluate(&self.csp.tape, &mut Boxes { inputs: domain }, &mut self.values);
        let v = &self.values;
        let holds = |c: &crate::tape::NodeId| {
            let c = &v[c.index()];
            !(c.def.is_false() || c.as_truth().is_false())
        };
        self.csp.conditions.iter().all(holds) && !v[self.csp.f.index()].def.is_false()
    }

    /// Whether g surely has a value wherever f has one, on the box on which the values were computed.
    fn same_definedness(&self) -> bool {
        let (f, g) = (self.values[self.csp.f.index()].def, self.values[self.csp.g.index()].def);
        if f == Ternary::True && g == Ternary::True {
            return true;
        }
        // What both depend on has a value where f has; what g alone depends on must always have one.
        !self.csp.conditional && self.csp.exclusive.iter().all(|n| self.values[n.index()].own.is_true())
    }

    /// Whether the gap surely has a value wherever f and g have one. Cancelling makes holes: sqrt x - sqrt (2 x) as
    /// (x - 2 x) / (sqrt x + sqrt (2 x)) has none at 0, where other parts of f and g may differ.
    fn gap_has_no_holes(&self) -> bool {
        self.csp.auxiliary.iter().all(|n| self.values[n.index()].own.is_true())
    }

    /// distance - room is at most `upper`, which is not positive, on all of the box.
    fn prune(&mut self, upper: f64, room: Interval) -> Look {
        self.tally.bounded(upper, room);
        Look::Pruned
    }

    /// Look at the middle of a box, and exactly if binary64 intervals do not exclude that it is a solution.
    fn sample(&mut self, entry: &Entry, check: &mut dyn FnMut(&[f64], Care) -> Check) -> Option<Vec<f64>> {
        let middle: Vec<f64> = entry.domain.iter().map(|x| x.mid()).collect();
        let middle = self.csp.start.clamp(&middle);
        if !entry.domain.iter().zip(&middle).all(|(d, x)| d.contains(*x)) {
            return None;
        }
        let mut point: Vec<Interval> = middle.iter().map(|x| Interval::point(*x)).collect();
        let extra = self.csp.inputs..point.len();
        if !extra.is_empty() {
            // What the inputs leave of y follows from them: its own middle would hardly ever be valid.
            point[extra.clone()].copy_from_slice(&entry.domain[extra]);
            if self.hc4.contract(self.csp, &mut point) == Outcome::Empty {
                return None;
            }
        }
        if !self.evaluate(&point) {
            return None;
        }
        let of = |n: crate::tape::NodeId| &self.values[n.index()];
        let (f, g, gap) = (of(self.csp.f), of(self.csp.g), of(self.csp.gap));
        let settled = f.def.is_true() && g.def.is_true();
        if settled && gap.x.sup() <= 0.0 {
            return None;
        }
        // Where intervals are too coarse to tell, exact examination is dear and seldom worth it.
        let one_sided = f.def.is_true() && g.def.is_false() || g.def.is_true() && f.def.is_false();
        let sure = settled && gap.x.inf() > 0.0 || one_sided;
        if !sure {
            if self.doubtful == 0 {
                return None;
            }
            self.doubtful -= 1;
        }
        self.tally.work().points += 1;
        let input = &middle[..self.csp.inputs];
        let care = if sure { Care::Thorough } else { Care::Glance };
        (check(input, care) == Check::Solution).then(|| input.to_vec())
    }

    /// Examine the one input of a box.
    fn examine(&mut self, domain: &[Interval], check: &mut dyn FnMut(&[f64], Care) -> Check) -> Check {
        self.tally.work().points += 1;
        let point: Vec<f64> = domain[..self.csp.inputs].iter().map(|x| x.inf()).collect();
        // One point that is not settled spoils the proof; what matters from then on is finding a kill.
        check(&point, if self.unsettled { Care::Glance } else { Care::Thorough })
    }
}
