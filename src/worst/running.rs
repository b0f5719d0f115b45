//! The running search: points are put to the implementation and judged, and what is worth telling is kept.

use super::measure::{Known, Measure, MeasureScratch};
use super::profile::Profile;
use super::{CANDIDATES, DomainPart, Unanswered};
use crate::halt;
use crate::harness::Answer;
use crate::harness::batch::{Caller, Stop};
use crate::search::most::points::{Errors, Places, Rated};
use crate::search::most::space::{Cell, Space};
use std::collections::HashSet;

/// An error of the quick judge below which a result is right in any case.
const PERHAPS_WRONG: f64 = 0.998;
/// Points that are worth a second thread.
const WORTH_THREADS: usize = 64;

/// A point that was judged.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) error: f64,
    pub(super) input: Vec<f64>,
    pub(super) result: f64,
}

/// An implementation with what was found of it.
pub(super) struct Running<'r, 'm, 'c> {
    pub(super) space: &'r Space,
    pub(super) measure: &'r Measure<'m>,
    pub(super) caller: &'r mut Caller<'c>,
    pub(super) jobs: usize,
    /// The evaluations that are left to what searches now, and those made in all.
    pub(super) left: u64,
    pub(super) spent: u64,
    /// After how many the first wrong result came.
    pub(super) first: Option<u64>,
    /// See `SearchEffort`.
    pub(super) progress: Option<&'r (dyn Fn(u64, f64) + Sync)>,
    pub(super) parts: Vec<Cell>,
    /// For each part the points with the largest errors, the largest first.
    pub(super) found: Vec<Vec<Seen>>,
    pub(super) findings: Vec<Unanswered>,
    pub(super) profile: Profile,
    /// Where it crashed or did not answer.
    pub(super) ended: HashSet<Places>,
}

/// What became of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Got {
    /// It is outside the domain, or was not looked at, or nothing can be said of it.
    Nothing,
    /// A number; its error in units of the bound, below 0 where it is too small.
    Error(f64),
    /// No finite number, where one is owed.
    Finding,
}

impl Got {
    /// Whether it is known to be wrong, or right.
    pub(super) fn is_wrong(self) -> Option<bool> {
        match self {
            Got::Nothing => None,
            Got::Error(e) => Some(e.abs() > 1.0),
            Got::Finding => Some(true),
        }
    }
}

/// Adds a finding to those of other kinds, or counts it with those of its kind.
pub(super) fn note(findings: &mut Vec<Unanswered>, new: Unanswered) {
    let kind = |a: &Answer| match a {
        Answer::Value(y) if y.is_nan() => 0,
        Answer::Value(_) => 1,
        Answer::Reject(_) => 2,
        Answer::Crash(_) => 3,
        Answer::Hang { .. } => 4,
        Answer::Garbage(_) | Answer::Missing => 5,
    };
    match findings.iter_mut().find(|f| kind(&f.answer) == kind(&new.answer)) {
        Some(known) => known.times += new.times,
        None => findings.push(new),
    }
}

impl Running<'_, '_, '_> {
    /// Applies a function to all items, in order, on several threads.
    pub(super) fn all<T: Sync, R: Send>(
        &self,
        items: &[T],
        one: impl Fn(&T, &mut MeasureScratch) -> R + Sync,
    ) -> Vec<R> {
        let share = items.len().div_ceil(self.jobs.max(1)).max(WORTH_THREADS);
        let token = halt::current();
        let work = |chunk: &[T]| {
            let mut scratch = MeasureScratch::default();
            let all = || chunk.iter().map(|item| one(item, &mut scratch)).collect::<Vec<R>>();
            halt::under(token.clone(), all)
        };
        if items.len() <= share {
            return work(items);
        }
        std::thread::scope(|scope| {
            let threads: Vec<_> = items.chunks(share).map(|chunk| scope.spawn(move || work(chunk))).collect();
            threads.into_iter().flat_map(|t| t.join().unwrap_or_default()).collect()
        })
    }

    pub(super) fn note(&mut self, places: &[i64], seen: Seen) {
        let inside = |cell: &Cell| (0..places.len()).all(|k| cell.lo[k] <= places[k] && places[k] <= cell.hi[k]);
        let Some(part) = self.parts.iter().position(inside) else { return };
        let list = &mut self.found[part];
        let place = list.partition_point(|s| s.error >= seen.error);
        // -0 and 0 are two inputs.
        let known = list.iter().any(|s| s.input.iter().map(|x| x.to_bits()).eq(seen.input.iter().map(|x| x.to_bits())));
        if place < CANDIDATES && !known {
            list.insert(place, seen);
            list.truncate(CANDIDATES);
        }
    }

    /// Notes what is no finite number.
    pub(super) fn finding(&mut self, input: &[f64], answer: &Answer) {
        note(&mut self.findings, Unanswered::new(input, answer));
    }

    /// The findings with what is owed there.
    pub(super) fn owed_at_findings(&self) -> Vec<Unanswered> {
        let owed = |f: &Unanswered| self.measure.exact(&f.input, self.measure.format().max()).map(|e| e.oracle);
        self.findings.iter().map(|f| Unanswered { oracle: owed(f), ..f.clone() }).collect()
    }

    /// What is wrong: the worst point of each part in which there is one, and the findings, the worst first. What is wrong at -0 alone
    /// is no part of a stretch.
    pub(super) fn wrong(&self) -> Vec<Rated> {
        let places = |x: &[f64]| self.space.places(x);
        let is_place = |x: &[f64]| x.iter().all(|x| *x != 0.0 || x.is_sign_positive());
        let findings = self.findings.iter().filter(|f| is_place(&f.input));
        let findings = findings.map(|f| (f64::INFINITY, places(&f.input)));
        let worst = self.found.iter().filter_map(|list| list.iter().find(|s| is_place(&s.input)));
        let worst = worst.filter(|s| s.error > 1.0);
        let mut all: Vec<_> = findings.chain(worst.map(|s| (s.error, places(&s.input)))).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all
    }

    /// The worst result in a part.
    pub(super) fn worst_of(&self, cell: &Cell, list: &[Seen]) -> Option<DomainPart> {
        let exact = self.all(list, |seen, _| self.measure.exact(&seen.input, seen.result));
        let judged = list.iter().zip(exact).filter_map(|(seen, exact)| Some((seen, exact?)));
        let (seen, exact) = judged.max_by(|a, b| a.1.tolerances.total_cmp(&b.1.tolerances))?;
        let ends = self.space.values(&cell.lo).into_iter().zip(self.space.values(&cell.hi)).collect();
        Some(DomainPart { ends, input: seen.input.clone(), result: seen.result, exact })
    }

    /// Puts points to the implementation; for each the error beyond which it matters.
    pub(super) fn judge(&mut self, points: &[Places], best: &[f64]) -> Result<Vec<Got>, Stop> {
        let inputs: Vec<Vec<f64>> = points.iter().map(|p| self.space.values(p)).collect();
        self.judge_values(points, &inputs, best)
    }

    /// Puts inputs to the implementation of which some are -0: places do not tell it from 0.
    pub(super) fn judge_minus_zeros(&mut self, inputs: &[Vec<f64>]) -> Result<(), Stop> {
        let points: Vec<Places> = inputs.iter().map(|x| self.space.places(x)).collect();
        self.judge_values(&points, inputs, &vec![0.0; inputs.len()]).map(|_| ())
    }

    fn judge_values(&mut self, points: &[Places], inputs: &[Vec<f64>], best: &[f64]) -> Result<Vec<Got>, Stop> {
        let known = self.all(inputs, |x, scratch| self.measure.known(x, scratch));
        // What ended a process once is not put again.
        let is_new = |k: &usize| known[*k] != Known::Outside && !self.ended.contains(&points[*k]);
        let mut asked: Vec<usize> = (0..points.len()).filter(is_new).collect();
        asked.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
        let questions: Vec<Vec<f64>> = asked.iter().map(|k| inputs[*k].clone()).collect();
        let answers = self.caller.call(&questions)?;
        let before = self.spent;
        self.left -= answers.len() as u64;
        self.spent += answers.len() as u64;
        let pairs: Vec<(usize, &Answer)> = asked.iter().copied().zip(&answers).collect();
        let errors = self.all(&pairs, |(k, answer), _| match answer {
            Answer::Value(y) if y.is_finite() => self.measure.signed(&inputs[*k], known[*k], *y, best[*k]),
            _ => None,
        });
        let earlier = |p: &Places| if self.ended.contains(p) { Got::Finding } else { Got::Nothing };
        let mut got: Vec<Got> = points.iter().map(earlier).collect();
        for (n, ((k, answer), error)) in (1..).zip(pairs.iter().zip(errors)) {
            let (k, input) = (*k, &inputs[*k]);
            if matches!(answer, Answer::Crash(_) | Answer::Hang { .. }) {
                self.ended.insert(points[k].clone());
            }
            got[k] = match (answer, error) {
                (Answer::Value(y), Some(error)) => {
                    let size = error.abs();
                    self.profile.add(self.space, &points[k], size);
                    self.note(&points[k], Seen { error: size, input: input.clone(), result: *y });
                    Got::Error(error)
                }
                (Answer::Value(y), None) if y.is_finite() => Got::Nothing,
                // Where no finite number is within the tolerance, an infinity is no finding.
                _ if self.measure.exact(input, self.measure.format().max()).is_none() => Got::Nothing,
                _ => {
                    self.finding(input, answer);
                    Got::Finding
                }
            };
            // The quick judge's errors are of three digits, and where the exact value is not settled of none.
            let is_wrong = || match (got[k], answer) {
                (Got::Error(e), Answer::Value(y)) => e.abs() > PERHAPS_WRONG && self.measure.is_wrong(input, *y),
                (got, _) => got == Got::Finding,
            };
            if self.first.is_none() && is_wrong() {
                self.first = Some(before + n);
            }
        }
        if let Some(tell) = self.progress {
            let largest = self.found.iter().filter_map(|list| list.first()).map(|s| s.error);
            tell(self.spent, largest.reduce(f64::max).unwrap_or_default());
        }
        Ok(got)
    }
}

impl Errors for Running<'_, '_, '_> {
    type Stop = Stop;

    fn errors(&mut self, points: &[Places], best: &[f64]) -> Result<Vec<Option<f64>>, Stop> {
        let error = |got| if let Got::Error(e) = got { Some(e.abs()) } else { None };
        Ok(self.judge(points, best)?.into_iter().map(error).collect())
    }

    fn signed(&mut self, points: &[Places]) -> Result<Vec<Option<f64>>, Stop> {
        let error = |got| if let Got::Error(e) = got { Some(e) } else { None };
        Ok(self.judge(points, &vec![-1.0; points.len()])?.into_iter().map(error).collect())
    }

    fn left(&self) -> u64 {
        self.left
    }
}
