//! The input at which an implementation errs most: a search on the running implementation, with the oracle as its judge.

pub mod measure;
pub mod search;
pub mod space;

use crate::csp::InputBox;
use crate::harness::batch::{Caller, Stop};
use crate::harness::{Answer, Broken};
use crate::spec::Spec;
use crate::tape::eval::Enclosure;
use measure::Known;
pub use measure::{Exact, Measure};
use search::{Errors, Places};
use space::{Cell, Space};

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// How often the implementation was called.
    pub evaluations: u64,
    /// The worst result of each part of the domain in which there is one, the worst first.
    pub parts: Vec<Part>,
    /// What came back instead of a finite number, the first of each kind.
    pub findings: Vec<Finding>,
    /// Whether it was stopped from outside.
    pub interrupted: bool,
    /// Why the harness broke, if it did.
    pub broken: Option<Broken>,
}

/// A part of the domain with the worst result in it.
#[derive(Clone, Debug)]
pub struct Part {
    /// For each input the smallest and the largest value.
    pub ends: Vec<(f64, f64)>,
    /// The input.
    pub input: Vec<f64>,
    /// The result.
    pub result: f64,
    /// Its error, found rigorously.
    pub exact: Exact,
}

/// An input of the domain that got no finite number.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The input.
    pub input: Vec<f64>,
    /// What happened.
    pub answer: Answer,
    /// How often something of that kind did.
    pub times: u64,
}

/// Into about how many parts the domain is divided in what is reported.
const PARTS: usize = 24;
/// So many points of each part are looked at rigorously: the search itself knows errors to three digits only.
const CANDIDATES: usize = 4;
/// Where there are several inputs, one of so many evaluations looks where they are alike.
const ALIKE: u64 = 10;
/// Points that are worth a second thread.
const WORTH_THREADS: usize = 64;

/// Search with so many calls of the implementation.
///
/// # Errors
/// The name of an input whose range holds no value of its format.
pub fn search(
    spec: &Spec,
    caller: &mut Caller<'_>,
    evaluations: u64,
    cap: u32,
    jobs: usize,
) -> Result<Searched, String> {
    let domain = InputBox::new(spec)?;
    let space = Space::new(&domain);
    let parts = space.cells(PARTS);
    let found = parts.iter().map(|_| Vec::new()).collect();
    let measure = Measure::new(spec, cap);
    let mut run = Running {
        space: &space,
        measure: &measure,
        caller,
        jobs,
        left: evaluations,
        parts,
        found,
        findings: Vec::new(),
    };
    let mut starts = starts(&space);
    if spec.inputs.len() > 1 {
        starts.extend(search::alike(&space, usize::try_from(evaluations / ALIKE).unwrap_or(usize::MAX)));
    }
    let stopped = search::search(&space, &starts, &mut run).err();
    let mut searched = Searched { evaluations: evaluations - run.left, ..Searched::default() };
    match stopped {
        Some(Stop::Interrupted) => searched.interrupted = true,
        Some(Stop::Broken(broken)) => searched.broken = Some(broken),
        None => {}
    }
    searched.parts = run.parts.iter().zip(&run.found).filter_map(|(cell, list)| run.worst_of(cell, list)).collect();
    searched.parts.sort_by(|a, b| b.exact.tolerances.total_cmp(&a.exact.tolerances));
    searched.findings = run.findings;
    Ok(searched)
}

/// The points to begin with: each special value of an input beside special values of the others.
fn starts(space: &Space) -> Vec<Places> {
    let columns: Vec<Vec<i64>> = (0..space.formats.len()).map(|k| space.special(k)).collect();
    let Some(longest) = columns.iter().map(Vec::len).max() else { return vec![Vec::new()] };
    let all_one = columns.len() == 1;
    // Strides that share no factor with most lengths pair the values up in many ways.
    let strides: &[usize] = if all_one { &[1] } else { &[1, 7, 31, 101] };
    let mut points = Vec::new();
    for stride in strides {
        for n in 0..longest {
            let each = columns.iter().enumerate().map(|(k, c)| c[if k == 0 { n } else { n * stride + k } % c.len()]);
            points.push(each.collect::<Places>());
        }
    }
    points.sort_unstable();
    points.dedup();
    points
}

/// A point that was judged.
#[derive(Clone, Debug)]
struct Seen {
    error: f64,
    input: Vec<f64>,
    result: f64,
}

struct Running<'r, 'm, 'c> {
    space: &'r Space,
    measure: &'r Measure<'m>,
    caller: &'r mut Caller<'c>,
    jobs: usize,
    left: u64,
    parts: Vec<Cell>,
    /// For each part the points with the largest errors, the largest first.
    found: Vec<Vec<Seen>>,
    findings: Vec<Finding>,
}

impl Running<'_, '_, '_> {
    /// Applies a function to all items, in order, on several threads.
    fn all<T: Sync, R: Send>(&self, items: &[T], one: impl Fn(&T, &mut Vec<Enclosure>) -> R + Sync) -> Vec<R> {
        let share = items.len().div_ceil(self.jobs.max(1)).max(WORTH_THREADS);
        let work = |chunk: &[T]| {
            let mut scratch = Vec::new();
            chunk.iter().map(|item| one(item, &mut scratch)).collect::<Vec<R>>()
        };
        if items.len() <= share {
            return work(items);
        }
        std::thread::scope(|scope| {
            let threads: Vec<_> = items.chunks(share).map(|chunk| scope.spawn(move || work(chunk))).collect();
            threads.into_iter().flat_map(|t| t.join().unwrap_or_default()).collect()
        })
    }

    fn note(&mut self, places: &[i64], seen: Seen) {
        let inside = |cell: &Cell| (0..places.len()).all(|k| cell.lo[k] <= places[k] && places[k] <= cell.hi[k]);
        let Some(part) = self.parts.iter().position(inside) else { return };
        let list = &mut self.found[part];
        let place = list.partition_point(|s| s.error >= seen.error);
        let known = list.iter().any(|s| s.input == seen.input);
        if place < CANDIDATES && !known {
            list.insert(place, seen);
            list.truncate(CANDIDATES);
        }
    }

    /// Notes what is no finite number.
    fn finding(&mut self, input: &[f64], answer: &Answer) {
        let kind = |a: &Answer| match a {
            Answer::Value(y) if y.is_nan() => 0,
            Answer::Value(_) => 1,
            Answer::Reject(_) => 2,
            Answer::Crash(_) => 3,
            Answer::Hang { .. } => 4,
            Answer::Garbage(_) | Answer::Missing => 5,
        };
        match self.findings.iter_mut().find(|f| kind(&f.answer) == kind(answer)) {
            Some(known) => known.times += 1,
            None => self.findings.push(Finding { input: input.to_vec(), answer: answer.clone(), times: 1 }),
        }
    }

    /// The worst result in a part.
    fn worst_of(&self, cell: &Cell, list: &[Seen]) -> Option<Part> {
        let exact = self.all(list, |seen, _| self.measure.exact(&seen.input, seen.result));
        let judged = list.iter().zip(exact).filter_map(|(seen, exact)| Some((seen, exact?)));
        let (seen, exact) = judged.max_by(|a, b| a.1.tolerances.total_cmp(&b.1.tolerances))?;
        let ends = self.space.values(&cell.lo).into_iter().zip(self.space.values(&cell.hi)).collect();
        Some(Part { ends, input: seen.input.clone(), result: seen.result, exact })
    }
}

impl Errors for Running<'_, '_, '_> {
    type Stop = Stop;

    fn errors(&mut self, points: &[Places], best: &[f64]) -> Result<Vec<Option<f64>>, Stop> {
        let inputs: Vec<Vec<f64>> = points.iter().map(|p| self.space.values(p)).collect();
        let known = self.all(&inputs, |x, scratch| self.measure.known(x, scratch));
        let mut asked: Vec<usize> = (0..points.len()).filter(|k| known[*k] != Known::Outside).collect();
        asked.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
        let questions: Vec<Vec<f64>> = asked.iter().map(|k| inputs[*k].clone()).collect();
        let answers = self.caller.call(&questions)?;
        self.left -= asked.len() as u64;
        let pairs: Vec<(usize, &Answer)> = asked.iter().copied().zip(&answers).collect();
        let errors = self.all(&pairs, |(k, answer), _| match answer {
            Answer::Value(y) if y.is_finite() => self.measure.error(&inputs[*k], known[*k], *y, best[*k]),
            _ => None,
        });
        let mut found = vec![None; points.len()];
        for ((k, answer), error) in pairs.iter().zip(errors) {
            found[*k] = error;
            match (answer, error) {
                (Answer::Value(y), Some(error)) => {
                    self.note(&points[*k], Seen { error, input: inputs[*k].clone(), result: *y });
                }
                (Answer::Value(y), None) if y.is_finite() => {}
                // Where no finite number is within the tolerance, an infinity is no finding.
                _ if self.measure.exact(&inputs[*k], self.measure.format().max()).is_none() => {}
                _ => self.finding(&inputs[*k], answer),
            }
        }
        Ok(found)
    }

    fn left(&self) -> u64 {
        self.left
    }
}
