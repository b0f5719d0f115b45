//! One block of consecutive inputs of an enumeration: asked in one go, judged by itself, and told in few numbers.

use super::measure::{Known, Measure, MeasureScratch};
use super::profile::Profile;
use super::running::{Seen, note};
use super::{CANDIDATES, Unanswered};
use crate::harness::Answer;
use crate::oracle::Verdict;
use crate::search::most::points::Places;
use crate::search::most::space::{Cell, Space};

/// What the blocks of an enumeration share.
pub(super) struct Plan<'a> {
    pub(super) space: &'a Space,
    pub(super) measure: &'a Measure<'a>,
    pub(super) parts: &'a [Cell],
    /// An empty picture, whose columns count.
    pub(super) columns: &'a Profile,
}

/// The inputs of a block that are in the domain, with what is known of f there.
#[derive(Default)]
pub(super) struct Asked {
    /// The inputs, those of one point after the other.
    pub(super) inputs: Vec<f64>,
    known: Vec<Known>,
    /// For each run of neighbours in one part and one column of the picture, where it ends in `known`.
    runs: Vec<usize>,
    scratch: MeasureScratch,
}

/// What became of the inputs of a block.
#[derive(Default)]
pub(super) struct Block {
    pub(super) owed: u64,
    pub(super) ok: u64,
    pub(super) ko: u64,
    pub(super) uncertain: u64,
    pub(super) at_most_ulps: f64,
    /// Those of each run with the largest errors, the largest first.
    pub(super) worst: Vec<Vec<Seen>>,
    /// What is no finite number, by kind.
    pub(super) findings: Vec<Unanswered>,
}

/// Error bounds that are closer together than this, as a share or in units of the bound, need no more precision.
const CLOSE: (f64, f64) = (1e-3, 1e-6);

impl Asked {
    /// Leaves only so many points.
    pub(super) fn end_after(&mut self, count: usize) {
        self.runs.iter_mut().for_each(|end| *end = (*end).min(count));
    }
}

impl Plan<'_> {
    /// The inputs from `from` to before `to`, in order, the last one moving fastest.
    pub(super) fn ask(&self, from: u64, to: u64, asked: &mut Asked) {
        let Asked { inputs, known, runs, scratch } = asked;
        inputs.clear();
        known.clear();
        runs.clear();
        let mut n = from;
        while n < to {
            let point = self.nth(n);
            let mut values = self.space.values(&point);
            let (Some(last), Some(value)) = (point.len().checked_sub(1), values.last().copied()) else {
                // The one value of a constant.
                known.push(self.measure.known(&[], scratch));
                runs.push(known.len());
                return;
            };
            let mut value = value;
            let end = self.run_end(&point, last).min(point[last].saturating_add((to - n - 1) as i64));
            for place in point[last]..=end {
                if place > point[last] {
                    value = self.space.formats[last].from_rank(place);
                }
                values[last] = value;
                let found = self.measure.known(&values, scratch);
                if found != Known::Outside {
                    inputs.extend_from_slice(&values);
                    known.push(found);
                }
            }
            runs.push(known.len());
            n += end.abs_diff(point[last]) + 1;
        }
    }

    /// The last place of the last input in the same row, part and column.
    fn run_end(&self, point: &[i64], last: usize) -> i64 {
        let inside = |cell: &&Cell| (0..point.len()).all(|k| cell.lo[k] <= point[k] && point[k] <= cell.hi[k]);
        let part = self.parts.iter().find(inside).map_or(i64::MAX, |cell| cell.hi[last]);
        part.min(self.space.whole.hi[last]).min(self.columns.column_end(self.space, point))
    }

    fn nth(&self, mut n: u64) -> Places {
        let whole = &self.space.whole;
        let mut point = vec![0; whole.lo.len()];
        for k in (0..point.len()).rev() {
            let width = whole.lo[k].abs_diff(whole.hi[k]) + 1;
            point[k] = whole.lo[k] + (n % width) as i64;
            n /= width;
        }
        point
    }

    /// Judges results; `others` are answers that are none, by their place.
    pub(super) fn judge(&self, asked: &Asked, results: &[f64], others: &[(usize, Answer)]) -> Block {
        let mut block = Block::default();
        let mut others = others.iter().peekable();
        let (mut from, inputs) = (0, self.space.formats.len());
        for end in &asked.runs {
            let mut worst: Vec<Seen> = Vec::new();
            for (k, &y) in results.iter().enumerate().take(*end).skip(from) {
                let input = &asked.inputs[k * inputs..(k + 1) * inputs];
                let other = others.next_if(|o| o.0 == k).map(|o| &o.1);
                let error = match other {
                    None if y.is_finite() => self.number(&mut block, &worst, (input, asked.known[k], y)),
                    None => self.none(&mut block, (input, asked.known[k]), &Answer::Value(y)),
                    Some(answer) => self.none(&mut block, (input, asked.known[k]), answer),
                };
                let Some(error) = error else { continue };
                let place = worst.partition_point(|s| s.error >= error);
                if place < CANDIDATES {
                    worst.insert(place, Seen { error, input: input.to_vec(), result: y });
                    worst.truncate(CANDIDATES);
                }
            }
            block.worst.extend(Some(worst).filter(|w| !w.is_empty()));
            from = *end;
        }
        block
    }

    /// Counts a finite result, and gives its error in units of the bound.
    #[inline]
    fn number(&self, block: &mut Block, worst: &[Seen], (input, known, y): (&[f64], Known, f64)) -> Option<f64> {
        if let Known::Value(f) = known {
            let ((least, most), ulps) = self.measure.bounds(f, y);
            let matters = ulps > block.at_most_ulps || worst.get(CANDIDATES - 1).is_none_or(|w| most > w.error);
            let is_close = most - least <= CLOSE.1 || most - least <= CLOSE.0 * most;
            if (most <= 1.0 || least > 1.0) && (is_close || !matters) {
                block.owed += 1;
                *(if most <= 1.0 { &mut block.ok } else { &mut block.ko }) += 1;
                block.at_most_ulps = block.at_most_ulps.max(ulps);
                return Some(most);
            }
        }
        let exact = self.measure.exact(input, y)?;
        block.owed += 1;
        *(match exact.oracle.verdict(y) {
            Verdict::Ok => &mut block.ok,
            Verdict::Ko => &mut block.ko,
            Verdict::Uncertain => &mut block.uncertain,
        }) += 1;
        block.at_most_ulps = block.at_most_ulps.max(exact.ulps.next_up());
        Some(exact.tolerances)
    }

    /// Counts what is no finite number, where one is owed.
    fn none(&self, block: &mut Block, (input, known): (&[f64], Known), answer: &Answer) -> Option<f64> {
        let surely = matches!(known, Known::Value(f) if self.measure.is_owed(f));
        // Where no finite number is within the tolerance, nothing is owed.
        if surely || self.measure.exact(input, self.measure.format().max()).is_some() {
            block.owed += 1;
            block.ko += 1;
            block.at_most_ulps = f64::INFINITY;
            note(&mut block.findings, Unanswered::new(input, answer));
        }
        None
    }
}
