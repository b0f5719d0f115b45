//! All inputs of a domain one by one, where they are few enough: a proof by enumeration for the build that was run.

use super::blocks::{Asked, Block, Plan};
use super::profile::Profile;
use super::running::{Running, note};
use super::{Measure, PARTS, Searched, Unanswered};
use crate::halt;
use crate::harness::Answer;
use crate::harness::batch::{Caller, Stop};
use crate::search::most::points::Places;
use crate::search::most::space::Space;
use crate::spec::{EmptyRange, InputBox, Spec};
use crate::threads::Portion;
use std::collections::HashSet;
use std::sync::mpsc::{Receiver, sync_channel};

/// Counts of an enumeration, with where it goes on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnumerationTally {
    /// How many inputs there are in the slice, the values of the formats in their ranges.
    pub inputs: u64,
    /// How many were looked at, from the smallest on.
    pub seen: u64,
    /// Those of the domain, where a result is owed.
    pub owed: u64,
    /// Results surely within the bound.
    pub ok: u64,
    /// Results surely outside of it, and what is no result.
    pub ko: u64,
    /// Not settled at the precision cap.
    pub uncertain: u64,
    /// No result has a larger error. Unit: ulps of the result format.
    pub at_most_ulps: f64,
    /// Inputs with the largest errors, and findings with how often there was one, which are put again when an
    /// interrupted enumeration goes on.
    pub points: Vec<(Vec<f64>, u64)>,
    /// The picture: inputs with their errors in units of the bound.
    pub picture: Vec<(Vec<f64>, f64)>,
}

impl EnumerationTally {
    /// Whether every input was looked at.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.seen == self.inputs
    }
}

/// The first input of the n-th block of a part, from 0: a part has every so many blocks one, so that none has only what is cheap.
fn start(part: Portion, block: u64) -> u64 {
    (block * part.of as u64 + part.number as u64 - 1) * CHUNK
}

/// How many of so many inputs are in the blocks of a part.
#[must_use]
pub fn inputs_of(part: Portion, all: u64) -> u64 {
    let (number, of) = (part.number as u64, part.of as u64);
    let blocks = all.div_ceil(CHUNK);
    let own = (blocks + of - number) / of;
    let has_last = own > 0 && start(part, own - 1) + CHUNK >= all;
    if has_last { start(part, own - 1).abs_diff(all) + (own - 1) * CHUNK } else { own * CHUNK }
}

/// What is said where there are more, without a full stop.
pub const TOO_MANY: &str = "the domain has more than 2^32 inputs, too many to look at each";
/// The most inputs that are enumerated: all of one binary32 input, or of two binary16 inputs.
pub const MOST: u64 = 1 << 32;
/// How many are put at once.
const CHUNK: u64 = 1 << 16;
/// So many blocks a thread may be ahead of the one that is waited for.
const AHEAD: usize = 4;

/// How many inputs there are; none if they are more than [`MOST`].
#[must_use]
pub fn inputs(spec: &Spec) -> Option<u64> {
    let space = Space::new(&InputBox::new(spec).ok()?);
    let widths = space.whole.lo.iter().zip(&space.whole.hi).map(|(lo, hi)| u128::from(lo.abs_diff(*hi)) + 1);
    let all = widths.fold(1u128, u128::saturating_mul);
    (all <= u128::from(MOST)).then_some(all as u64)
}

/// Put all inputs of a slice from where `tally` stands, on `jobs` threads, each with a process of its own. `progress` is told
/// after every block, and says whether to go on.
///
/// # Errors
/// An input whose range holds no value of its format.
pub fn exhaust(
    spec: &Spec,
    caller: &mut Caller<'_>,
    cap: u32,
    jobs: usize,
    slice: Portion,
    tally: &mut EnumerationTally,
    progress: &mut dyn FnMut(&EnumerationTally) -> bool,
) -> Result<Searched, EmptyRange> {
    let space = Space::new(&InputBox::new(spec)?);
    let measure = Measure::new(spec, cap);
    let parts = space.cells(PARTS);
    let columns = Profile::new(spec.inputs.len());
    let plan = Plan { space: &space, measure: &measure, parts: &parts, columns: &columns };
    let stop = caller.stop();
    let mut run = Running {
        space: &space,
        measure: &measure,
        caller,
        jobs,
        left: u64::MAX,
        spent: 0,
        first: None,
        progress: None,
        found: parts.iter().map(|_| Vec::new()).collect(),
        parts: parts.clone(),
        findings: Vec::new(),
        profile: columns.clone(),
        ended: HashSet::new(),
    };
    let whole = inputs(spec).unwrap_or(u64::MAX);
    tally.inputs = inputs_of(slice, whole);
    let work = || again(&mut run, tally).and_then(|()| all(&mut run, &plan, (slice, whole), tally, progress)).err();
    let (stopped, _) = halt::watched(stop, None, work);
    let mut searched = Searched { evaluations: tally.owed, ..Searched::default() };
    match stopped {
        Some(Stop::Interrupted) => searched.interrupted = true,
        Some(Stop::Broken(broken)) => searched.broken = Some(broken),
        None => {}
    }
    tally.points = run.found.iter().flatten().map(|s| (s.input.clone(), 0)).collect();
    tally.points.extend(run.findings.iter().map(|f| (f.input.clone(), f.times)));
    tally.picture = run.profile.cells.iter().flatten().cloned().collect();
    searched.parts = run.parts.iter().zip(&run.found).filter_map(|(cell, list)| run.worst_of(cell, list)).collect();
    searched.parts.sort_by(|a, b| b.exact.tolerances.total_cmp(&a.exact.tolerances));
    searched.findings = run.owed_at_findings();
    searched.profile = run.profile;
    Ok(searched)
}

/// What was found before an interruption is found again.
fn again(run: &mut Running<'_, '_, '_>, tally: &EnumerationTally) -> Result<(), Stop> {
    for (input, error) in &tally.picture {
        run.profile.add(run.space, &run.space.places(input), *error);
    }
    let results = tally.points.iter().filter(|p| p.1 == 0);
    let known: Vec<Places> = results.map(|p| run.space.places(&p.0)).collect();
    run.judge(&known, &vec![0.0; known.len()])?;
    for (input, times) in tally.points.iter().filter(|p| p.1 > 0) {
        let before: Vec<u64> = run.findings.iter().map(|f| f.times).collect();
        run.judge(&[run.space.places(input)], &[0.0])?;
        // It counts as one of its kind, and stands for so many.
        let counted = |(k, f): &(usize, &mut Unanswered)| f.times > before.get(*k).copied().unwrap_or_default();
        run.findings.iter_mut().enumerate().filter(counted).for_each(|(_, f)| f.times += times - 1);
    }
    Ok(())
}

/// What a thread says of its next block.
enum Done {
    Judged(Block),
    /// The process did not survive it, or broke.
    Alone,
    Interrupted,
}

/// The blocks in order. They are judged on several threads, each by itself, so that what comes out is the same for any
/// number of them. What a process does not survive is put by one caller, whose restarts count.
fn all(
    run: &mut Running<'_, '_, '_>,
    plan: &Plan<'_>,
    (slice, whole): (Portion, u64),
    tally: &mut EnumerationTally,
    progress: &mut dyn FnMut(&EnumerationTally) -> bool,
) -> Result<(), Stop> {
    let first = tally.seen / CHUNK;
    let jobs = if run.caller.allows_threads() { run.jobs.max(1) } else { 1 };
    let blocks = tally.inputs.div_ceil(CHUNK);
    let starts = |job: usize| (first + job as u64..blocks).step_by(jobs).map(|block| start(slice, block));
    std::thread::scope(|scope| {
        let threads: Vec<Receiver<Done>> = (0..jobs)
            .map(|job| {
                let (sender, receiver) = sync_channel(AHEAD);
                let (mut caller, token) = (run.caller.another(), halt::current());
                let work = move || {
                    let mut room = Room::default();
                    for from in starts(job) {
                        let done = one(plan, &mut caller, (from, (from + CHUNK).min(whole)), &mut room);
                        let ends = matches!(done, Done::Interrupted);
                        if sender.send(done).is_err() || ends {
                            return;
                        }
                        if caller.takes_batches() && caller.starts > 1 {
                            caller = caller.another();
                        }
                    }
                };
                scope.spawn(move || halt::under(token, work));
                receiver
            })
            .collect();
        for receiver in threads.iter().cycle() {
            if tally.is_complete() {
                break;
            }
            let from = start(slice, tally.seen / CHUNK);
            let end = (from + CHUNK).min(whole);
            match receiver.recv() {
                Ok(Done::Judged(block)) => merge(run, block, tally),
                Ok(Done::Alone) => alone(run, plan, (from, end), tally)?,
                Ok(Done::Interrupted) | Err(_) => return Err(Stop::Interrupted),
            }
            tally.seen += end - from;
            if !progress(tally) {
                break;
            }
        }
        Ok(())
    })
}

/// Room for a block, to be used again and again.
#[derive(Default)]
struct Room {
    asked: Asked,
    results: Vec<f64>,
    others: Vec<(usize, Answer)>,
}

fn one(plan: &Plan<'_>, caller: &mut Caller<'_>, (from, to): (u64, u64), room: &mut Room) -> Done {
    let Room { asked, results, others } = room;
    plan.ask(from, to, asked);
    match caller.results(&asked.inputs, results, others) {
        Ok(true) => {
            let block = plan.judge(asked, results, others);
            // A judge that was told to end knows nothing.
            if halt::requested() { Done::Interrupted } else { Done::Judged(block) }
        }
        Ok(false) | Err(Stop::Broken(_)) => Done::Alone,
        Err(Stop::Interrupted) => Done::Interrupted,
    }
}

/// A block that a process did not survive.
fn alone(
    run: &mut Running<'_, '_, '_>,
    plan: &Plan<'_>,
    (from, to): (u64, u64),
    tally: &mut EnumerationTally,
) -> Result<(), Stop> {
    let mut asked = Asked::default();
    plan.ask(from, to, &mut asked);
    let inputs = plan.space.formats.len().max(1);
    let questions: Vec<Vec<f64>> = asked.inputs.chunks(inputs).map(<[f64]>::to_vec).collect();
    let answers = run.caller.call(&questions)?;
    let results: Vec<f64> = answers.iter().map(|a| if let Answer::Value(y) = a { *y } else { f64::NAN }).collect();
    let is_other = |(k, a): (usize, Answer)| (!matches!(a, Answer::Value(_))).then_some((k, a));
    let count = answers.len();
    let others: Vec<(usize, Answer)> = answers.into_iter().enumerate().filter_map(is_other).collect();
    asked.end_after(count);
    let block = plan.judge(&asked, &results, &others);
    if count < questions.len() {
        // Why there are no more is what the next call says; the findings are kept, the block is not counted.
        block.findings.into_iter().for_each(|f| note(&mut run.findings, f));
        return Err(run.caller.call(&questions).err().unwrap_or(Stop::Interrupted));
    }
    if halt::requested() {
        return Err(Stop::Interrupted);
    }
    merge(run, block, tally);
    Ok(())
}

fn merge(run: &mut Running<'_, '_, '_>, block: Block, tally: &mut EnumerationTally) {
    tally.owed += block.owed;
    tally.ok += block.ok;
    tally.ko += block.ko;
    tally.uncertain += block.uncertain;
    tally.at_most_ulps = tally.at_most_ulps.max(block.at_most_ulps);
    for worst in block.worst {
        for (n, seen) in worst.into_iter().enumerate() {
            let places = run.space.places(&seen.input);
            if n == 0 {
                run.profile.add(run.space, &places, seen.error);
            }
            run.note(&places, seen);
        }
    }
    block.findings.into_iter().for_each(|f| note(&mut run.findings, f));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_hold_every_input_once() {
        for all in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK, 5 * CHUNK + 7, MOST] {
            for of in [1, 2, 3, 7] {
                let slices = || (1..=of).map(|number| Portion { number, of });
                assert_eq!(slices().map(|s| inputs_of(s, all)).sum::<u64>(), all, "{all} {of}");
                let blocks = |s: Portion| (0..inputs_of(s, all).div_ceil(CHUNK)).map(move |b| start(s, b));
                let mut starts: Vec<u64> = slices().flat_map(blocks).collect();
                starts.sort_unstable();
                assert!(starts.into_iter().eq((0..all).step_by(CHUNK as usize)), "{all} {of}");
            }
        }
        assert_eq!(inputs_of(Portion::WHOLE, MOST), MOST);
    }
}
