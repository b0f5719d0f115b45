//! The input at which an implementation errs most: a search on the running implementation, with the oracle as its judge.

pub mod against;
mod baseline;
mod blocks;
mod boundary;
pub mod branches;
pub mod exhaustive;
pub mod measure;
mod profile;
mod running;
mod zeros;

use crate::halt;
use crate::harness::batch::{Caller, Stop};
use crate::harness::{Answer, HarnessFault};
use crate::oracle::{Oracle, Verdict};
use crate::search::most;
use crate::search::most::points::Places;
use crate::search::most::space::Space;
use crate::spec::{EmptyRange, InputBox, Spec};
pub use boundary::WrongStretch;
pub use measure::{ExactError, Measure};
pub use profile::Profile;
use running::Running;
use std::collections::HashSet;

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// How often the implementation was called.
    pub evaluations: u64,
    /// After how many of them a result surely was outside the bound, or none came.
    pub first: Option<u64>,
    /// The worst result of each part of the domain in which there is one, the worst first.
    pub parts: Vec<DomainPart>,
    /// Stretches in which most results are wrong.
    pub regions: Vec<WrongStretch>,
    /// The largest errors by place.
    pub profile: Profile,
    /// What came back instead of a finite number, the first of each kind.
    pub findings: Vec<Unanswered>,
    /// Whether it was stopped from outside.
    pub interrupted: bool,
    /// Why the harness broke, if it did.
    pub broken: Option<HarnessFault>,
}

/// A part of the domain with the worst result in it.
#[derive(Clone, Debug)]
pub struct DomainPart {
    /// For each input the smallest and the largest value.
    pub ends: Vec<(f64, f64)>,
    /// The input.
    pub input: Vec<f64>,
    /// The result.
    pub result: f64,
    /// Its error, found rigorously.
    pub exact: ExactError,
}

/// An input of the domain that got no finite number.
#[derive(Clone, Debug)]
pub struct Unanswered {
    /// The input.
    pub input: Vec<f64>,
    /// What happened.
    pub answer: Answer,
    /// How often something of that kind did.
    pub times: u64,
    /// What a result may be there, once the search is over.
    pub oracle: Option<Oracle>,
}

impl Unanswered {
    fn new(input: &[f64], answer: &Answer) -> Self {
        Unanswered { input: input.to_vec(), answer: answer.clone(), times: 1, oracle: None }
    }
}

/// How points are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointChoice {
    /// By the search.
    Search,
    /// At random, every number as likely: to compare with.
    Numbers,
    /// At random, every float as likely, as good as uniform in the logarithm: to compare with.
    Floats,
    /// By steps from random floats to where the error is larger: to compare with.
    Climb,
}

impl Searched {
    /// Whether a result surely is outside the bound, or none came.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        let wrong = |p: &DomainPart| p.exact.oracle.verdict(p.result) == Verdict::Ko;
        !self.findings.is_empty() || self.parts.iter().any(wrong)
    }
}

/// Into about how many parts the domain is divided in what is reported.
const PARTS: usize = 24;
/// So many points of each part are looked at rigorously: the search itself knows errors to three digits only.
const CANDIDATES: usize = 4;
/// One of so many evaluations, and at most so many, look for the ends of stretches in which results are wrong.
const FOR_ENDS: u64 = 10;
const MOST_FOR_ENDS: u64 = 20_000;
/// At most one of so many evaluations is at -0.
const FOR_MINUS_ZEROS: u64 = 16;
/// Where there are several inputs, one of so many evaluations looks where they are alike, and no more than so many do.
const ALIKE: u64 = 10;
const MOST_ALIKE: u64 = 100_000;

/// How much is looked at.
#[derive(Clone, Copy)]
pub struct SearchEffort<'a> {
    /// How often the implementation is called.
    pub evaluations: u64,
    /// The last precision of the ladder. Unit: bits.
    pub cap: u32,
    /// Threads.
    pub jobs: usize,
    /// Inputs that the search begins with. Those outside the ranges are left out.
    pub starts: &'a [Vec<f64>],
    /// Called with the evaluations so far, and the largest error that was found until then, in units of the bound, to three
    /// digits.
    pub progress: Option<&'a (dyn Fn(u64, f64) + Sync)>,
}

/// Choose points in some way, put them to the implementation, and judge it there.
///
/// # Errors
/// An input whose range holds no value of its format.
pub fn look(
    way: PointChoice,
    spec: &Spec,
    caller: &mut Caller<'_>,
    effort: &SearchEffort<'_>,
) -> Result<Searched, EmptyRange> {
    let SearchEffort { evaluations, cap, jobs, .. } = *effort;
    let domain = InputBox::new(spec)?;
    let space = Space::new(&domain);
    let parts = space.cells(PARTS);
    let found = parts.iter().map(|_| Vec::new()).collect();
    let measure = Measure::new(spec, cap);
    let stop = caller.stop();
    let mut run = Running {
        space: &space,
        measure: &measure,
        caller,
        jobs,
        left: evaluations,
        spent: 0,
        first: None,
        progress: effort.progress,
        parts,
        found,
        findings: Vec::new(),
        profile: Profile::new(spec.inputs.len()),
        ended: HashSet::new(),
    };
    let mut searched = Searched::default();
    let work = || match way {
        PointChoice::Search => regions(&mut run, &domain, effort.starts),
        way => baseline::look(way, &domain, &mut run).map(|()| Vec::new()),
    };
    // What was found by then is judged in any case.
    let (found, _) = halt::watched(stop, None, work);
    match found {
        Ok(regions) => searched.regions = regions,
        Err(Stop::Interrupted) => searched.interrupted = true,
        Err(Stop::Broken(broken)) => searched.broken = Some(broken),
    }
    searched.evaluations = run.spent;
    searched.first = run.first;
    searched.parts = run.parts.iter().zip(&run.found).filter_map(|(cell, list)| run.worst_of(cell, list)).collect();
    searched.parts.sort_by(|a, b| b.exact.tolerances.total_cmp(&a.exact.tolerances));
    searched.findings = run.owed_at_findings();
    searched.profile = run.profile;
    Ok(searched)
}

/// The search itself, then the ends of stretches in which results are wrong.
fn regions(run: &mut Running<'_, '_, '_>, domain: &InputBox, given: &[Vec<f64>]) -> Result<Vec<WrongStretch>, Stop> {
    let (space, measure) = (run.space, run.measure);
    let reserve = (run.left / FOR_ENDS).min(MOST_FOR_ENDS);
    let zeros = zeros::zeros(space, measure, run.left);
    let starts = in_turn(&[zeros, beginnings((space, domain), measure, given, run.left)]);
    run.left -= reserve;
    let mut minus_zeros = measure.minus_zeros(domain);
    minus_zeros.truncate(usize::try_from(run.left / FOR_MINUS_ZEROS).unwrap_or(usize::MAX));
    run.judge_minus_zeros(&minus_zeros)?;
    most::search(space, &starts, run)?;
    run.left += reserve;
    boundary::regions(run)
}

/// The points that a search of so many evaluations begins with: those that are given, special ones, those where what the
/// formula computes turns, and those where inputs are alike.
pub(crate) fn beginnings(
    (space, domain): (&Space, &InputBox),
    measure: &Measure<'_>,
    given: &[Vec<f64>],
    evaluations: u64,
) -> Vec<Places> {
    let alike = match space.formats.len() {
        0 | 1 => Vec::new(),
        _ => most::alike(space, (evaluations / ALIKE).min(MOST_ALIKE) as usize),
    };
    let turning = measure.turning_points(domain).iter().map(|x| space.places(x)).collect();
    let inside = |x: &&Vec<f64>| domain.ranges.iter().zip(*x).all(|(range, x)| range.contains(*x));
    let given = given.iter().filter(inside).map(|x| space.places(x)).collect();
    in_turn(&[given, starts(space), turning, alike])
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
    points
}

/// One of each list in turn, without repetitions.
fn in_turn(lists: &[Vec<Places>]) -> Vec<Places> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let mut seen = HashSet::new();
    let all = (0..longest).flat_map(|n| lists.iter().filter_map(move |list| list.get(n)));
    all.filter(|p| seen.insert(*p)).cloned().collect()
}
