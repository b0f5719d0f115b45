//! The loop: best-first branch and prune for a first verified point, or a proof that there is none.

use super::answer::{Limits, SearchEnd, Stats, StopReason};
use super::problem::{Care, PointCheck, Problem, Seen};
use super::tally::Tally;
use crate::num::Interval;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::atomic::{self, AtomicBool};

/// An open part in its place in the queue.
struct Entry<D, H> {
    seen: Seen<D, H>,
    /// Earlier parts first among equals.
    serial: u64,
    depth: u32,
}

impl<D, H> PartialEq for Entry<D, H> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl<D, H> Eq for Entry<D, H> {}
impl<D, H> PartialOrd for Entry<D, H> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<D, H> Ord for Entry<D, H> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.seen.priority.total_cmp(&other.seen.priority).then(other.serial.cmp(&self.serial))
    }
}

struct Search<'a, P: Problem> {
    problem: &'a mut P,
    limits: Limits,
    stop: Option<&'a AtomicBool>,
    heap: BinaryHeap<Entry<P::Part, P::Hint>>,
    tally: &'a mut Tally,
    /// Parts looked at by this search.
    boxes: u64,
    /// Whether it met a point that nothing settles.
    unsettled: bool,
}

/// How a search of some parts of a problem ends.
#[derive(Debug)]
pub enum Turn<X = Vec<f64>, D = Vec<Interval>> {
    /// With a verified solution.
    Found(SearchEnd<X, D>),
    /// No part is left: the tally says what was shown.
    Done,
    /// The budget was used up: the parts not yet looked into, the most promising first.
    Left(Vec<D>),
    /// It was told to stop.
    Interrupted,
}

/// Search all of a problem. It ends early where `stop` is set.
pub fn search<P: Problem>(
    problem: &mut P,
    limits: Limits,
    stop: Option<&AtomicBool>,
) -> (SearchEnd<P::Point, P::Part>, Stats) {
    let mut tally = Tally::default();
    let parts = vec![problem.whole()];
    let answer = match search_parts(problem, parts, limits, stop, &mut tally) {
        Turn::Found(answer) => answer,
        Turn::Done => tally.answer(),
        Turn::Left(_) => SearchEnd::Unknown(StopReason::Budget),
        Turn::Interrupted => SearchEnd::Unknown(StopReason::Interrupted),
    };
    (answer, tally.stats())
}

/// The same for some parts of a problem; what is shown of them goes into the tally.
pub fn search_parts<P: Problem>(
    problem: &mut P,
    parts: Vec<P::Part>,
    limits: Limits,
    stop: Option<&AtomicBool>,
    tally: &mut Tally,
) -> Turn<P::Point, P::Part> {
    Search { problem, limits, stop, heap: BinaryHeap::new(), tally, boxes: 0, unsettled: false }.run(parts)
}

impl<P: Problem> Search<'_, P> {
    fn run(&mut self, parts: Vec<P::Part>) -> Turn<P::Point, P::Part> {
        let mut delta = self.limits.delta.max(self.limits.delta_min);
        let mut aside: Vec<Entry<P::Part, P::Hint>> = Vec::new();
        for part in parts {
            self.push(part, 0);
        }
        loop {
            let Some(entry) = self.heap.pop() else {
                if aside.is_empty() {
                    return Turn::Done;
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
            let part = &entry.seen.part;
            if let Some((point, care)) = self.problem.candidate(part)
                && self.examine(&point, care) == PointCheck::Solution
            {
                return Turn::Found(entry.seen.solved_by(point));
            }
            if let Some(point) = self.problem.only_point(part) {
                // One point that is not settled spoils the proof; what matters from then on is finding a solution.
                match self.examine(&point, if self.unsettled { Care::Glance } else { Care::Thorough }) {
                    PointCheck::Solution => return Turn::Found(entry.seen.solved_by(point)),
                    PointCheck::No => {
                        self.tally.unbounded();
                        self.tally.work().pruned += 1;
                    }
                    PointCheck::Unsettled => self.leave_out(),
                }
                continue;
            }
            if self.problem.width(part) <= delta {
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
                return Turn::Left(left.into_iter().rev().map(|e| e.seen.part).collect());
            }
            match self.problem.cut(part, &entry.seen.hint, entry.depth) {
                Some(halves) => halves.into_iter().for_each(|h| self.push(h, entry.depth + 1)),
                None => self.leave_out(),
            }
        }
    }

    /// A point was met that nothing settles: it is in no part that is left, and no proof holds without it.
    fn leave_out(&mut self) {
        self.unsettled = true;
        self.tally.leave_out(StopReason::Unsettled);
    }

    fn push(&mut self, part: P::Part, depth: u32) {
        self.boxes += 1;
        self.tally.work().boxes += 1;
        match self.problem.look(part, depth, self.tally) {
            None => self.tally.work().pruned += 1,
            Some(seen) => self.heap.push(Entry { seen, serial: self.boxes, depth }),
        }
    }

    fn examine(&mut self, point: &P::Point, care: Care) -> PointCheck {
        self.tally.work().points += 1;
        self.problem.examine(point, care)
    }
}

impl<D, H> Seen<D, H> {
    /// The answer where a point of the part is a solution.
    fn solved_by<X>(self, point: X) -> SearchEnd<X, D> {
        SearchEnd::Inner { point, domain: self.part, inner: self.inner }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::{from_rank, rank};

    /// The float of a range at which a rising function reaches a level: a problem whose parts are ranges of ordinals.
    struct Reaches {
        function: fn(f64) -> f64,
        level: f64,
        range: (i64, i64),
    }

    impl Problem for Reaches {
        type Part = (i64, i64);
        type Point = i64;
        type Hint = ();

        fn whole(&self) -> (i64, i64) {
            self.range
        }

        fn look(&mut self, part: (i64, i64), _: u32, tally: &mut Tally) -> Option<Seen<(i64, i64), ()>> {
            let [lowest, highest] = [part.0, part.1].map(|n| (self.function)(from_rank(n)));
            if highest < self.level || lowest > self.level {
                tally.unbounded();
                return None;
            }
            Some(Seen { part, priority: -(highest - self.level).abs(), hint: (), inner: lowest == highest })
        }

        fn candidate(&mut self, &(a, b): &(i64, i64)) -> Option<(i64, Care)> {
            Some((a.midpoint(b), Care::Glance))
        }

        fn only_point(&self, &(a, b): &(i64, i64)) -> Option<i64> {
            (a == b).then_some(a)
        }

        fn examine(&mut self, point: &i64, _: Care) -> PointCheck {
            if (self.function)(from_rank(*point)) == self.level { PointCheck::Solution } else { PointCheck::No }
        }

        fn width(&self, &(a, b): &(i64, i64)) -> f64 {
            (b - a) as f64 / (self.range.1 - self.range.0) as f64
        }

        fn cut(&self, &(a, b): &(i64, i64), (): &(), _: u32) -> Option<[(i64, i64); 2]> {
            let middle = a.midpoint(b);
            (a < b).then_some([(a, middle), (middle + 1, b)])
        }
    }

    #[test]
    fn parts_need_not_be_boxes_of_reals() {
        let range = (rank(0.0), rank(1e300));
        let mut cube = Reaches { function: |x| x * x * x, level: 0.001_f64.powi(3), range };
        let (answer, stats) = search(&mut cube, Limits::default(), None);
        let SearchEnd::Inner { point, .. } = answer else { panic!("{answer:?}") };
        assert!((from_rank(point) - 0.001).abs() < 1e-15 && stats.boxes < 300, "{point}, {stats:?}");
        // No float's square rounds to it: all of them are shown to be none, range by range.
        let mut square = Reaches { function: |x| x * x, level: 2.0, range };
        let (answer, stats) = search(&mut square, Limits::default(), None);
        assert!(matches!(answer, SearchEnd::Infeasible { .. }), "{answer:?}, {stats:?}");
        let few = Limits { boxes: 8, ..Limits::default() };
        assert!(matches!(search(&mut square, few, None).0, SearchEnd::Unknown(StopReason::Budget)));
    }
}
