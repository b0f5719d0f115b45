//! The searches of a run: mutant by mutant, in turns with growing budgets, side by side on several threads.

use crate::csp::{Verifier, decide};
use crate::num::AtMost;
use crate::solve::{Limits, SearchEnd, Stats, StopReason};
use crate::suite::run::{Interrupt, Options, Solved};
use crate::suite::state::engine::Engine;
use crate::suite::{EquivalenceProof, Origin, Reason, Status};
use std::collections::HashSet;

/// How many mutants are searched side by side before their tests are tried on the others. Fixed, so that the result
/// does not depend on the number of threads.
const BATCH: usize = 8;

/// The boxes of the first turn of every search.
const FIRST_TURN: u64 = 32;
/// How many times as many boxes the next turn has.
const GROWTH: u64 = 8;

/// The boxes of each turn. An easy mutant's test often kills those that would take all of the budget, so that every
/// mutant has a short search before any has a long one. The last turn has all of the budget, and comes early enough
/// for the others to cost little beside it.
fn turns(boxes: u64) -> Vec<u64> {
    let short = std::iter::successors(Some(FIRST_TURN), |b| b.checked_mul(GROWTH));
    short.take_while(|b| b.saturating_mul(GROWTH) < boxes).chain([boxes]).collect()
}

/// Where in the searches other steps have their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// After the first turn, which settles what is easy.
    FirstTurns,
    /// Before the last turn, which is the long one.
    LastTurns,
    /// After the last turn.
    Ends,
}

/// Search for each mutant that is still open, with other steps between the turns; every test found is tried on all others.
pub(in crate::suite) fn solve(
    engine: &mut Engine<'_>,
    options: &Options,
    interrupt: &Interrupt<'_>,
    between: &mut dyn FnMut(&mut Engine<'_>, Between),
) -> (Vec<(String, Solved)>, Stats) {
    let mut log = Vec::new();
    let mut work = Stats::default();
    // The mutants of which a search says all that it can.
    let mut finished: HashSet<usize> = HashSet::new();
    let turns = turns(options.limits.boxes);
    for (turn, boxes) in (0..).zip(&turns) {
        let is_last = turn as usize + 1 == turns.len();
        let limits = Limits { boxes: *boxes, ..options.limits };
        if turn == 1 {
            between(engine, Between::FirstTurns);
        }
        if is_last {
            between(engine, Between::LastTurns);
        }
        let mut searched = finished.clone();
        // The boxes of this turn since the last kill. A short turn that finds nothing for as long as a whole search
        // may take ends: long searches are what is needed then.
        let mut fruitless: u64 = 0;
        while work.boxes < options.all_boxes && (is_last || fruitless < options.limits.boxes) {
            // One function is searched once, however many mutants are that function.
            let next = engine.open_bodies().into_iter().filter(|i| searched.insert(engine.searched_as(*i)));
            let batch: Vec<usize> = next.take(BATCH).collect();
            if interrupt.stopped() {
                return (log, work);
            }
            if batch.is_empty() {
                break;
            }
            let answers = search_batch(engine, &batch, options, (turn, limits), interrupt);
            for (&mutant, solved) in batch.iter().zip(answers) {
                let Some(solved) = solved else { continue };
                let before = engine.set_stats(mutant, solved.stats);
                work.boxes += solved.stats.boxes.saturating_sub(before.boxes);
                work.points += solved.stats.points.saturating_sub(before.points);
                if is_last || !matches!(solved.answer, SearchEnd::Unknown(StopReason::Budget)) {
                    finished.insert(engine.searched_as(mutant));
                    let id = &engine.judged()[mutant].mutant.id;
                    interrupt.solved.iter().for_each(|tell| tell(id, &solved));
                    log.push((id.clone(), solved.clone()));
                }
                fruitless = match take_answer(engine, mutant, &solved) {
                    true => 0,
                    false => fruitless + boxes,
                };
            }
            if let Some(report) = interrupt.progress {
                let open = engine.open_bodies();
                let open = open.iter().filter(|i| !finished.contains(&engine.searched_as(**i)));
                report(engine.kinds().len() - open.count(), engine.kinds().len());
            }
        }
    }
    between(engine, Between::Ends);
    (log, work)
}

/// What a search's answer makes of a mutant that is still open. Returns whether it is killed.
fn take_answer(engine: &mut Engine<'_>, mutant: usize, solved: &Solved) -> bool {
    if !engine.is_open(mutant) {
        return engine.judged()[mutant].status == Status::Killed;
    }
    let status = match &solved.answer {
        SearchEnd::Inner { point, .. } => {
            if engine.try_input(point, Origin::Solver, mutant) {
                return true;
            }
            Status::Undecided(Reason::Stopped(StopReason::Unsettled))
        }
        SearchEnd::Infeasible { worst } => {
            Status::Indistinguishable(EquivalenceProof::Cover { boxes: solved.stats.boxes, worst: AtMost(*worst) })
        }
        SearchEnd::Equal => Status::Equivalent(EquivalenceProof::SameOnDomain),
        SearchEnd::Unknown(reason) => Status::Undecided(Reason::Stopped(*reason)),
    };
    engine.settle(mutant, status);
    false
}

/// Search for the mutants of a batch side by side.
fn search_batch(
    engine: &Engine<'_>,
    batch: &[usize],
    options: &Options,
    turn: (u32, Limits),
    interrupt: &Interrupt<'_>,
) -> Vec<Option<Solved>> {
    engine.threads().side_by_side(1, batch, |mutant| search_one(engine, *mutant, options, turn, interrupt))
}

fn search_one(
    engine: &Engine<'_>,
    mutant: usize,
    options: &Options,
    (turn, limits): (u32, Limits),
    interrupt: &Interrupt<'_>,
) -> Option<Solved> {
    let judged = &engine.judged()[mutant];
    if let Some(known) = interrupt.known.get(&judged.mutant.id) {
        let open = Solved { answer: SearchEnd::Unknown(StopReason::Budget), turn, ..known.clone() };
        return Some(if known.turn > turn { open } else { known.clone() });
    }
    let pair = engine.pair(mutant)?;
    let mut verifier = Verifier::new(&pair, engine.rules());
    let (answer, now) = decide(&pair, engine.domain(), &[], options.encoding, limits, interrupt.stop, &mut verifier);
    if interrupt.stopped() {
        return None;
    }
    let before = judged.stats;
    let stats = Stats {
        boxes: before.boxes + now.boxes,
        pruned: before.pruned + now.pruned,
        points: before.points + now.points,
        rounds: before.rounds.max(now.rounds),
    };
    Some(Solved { answer, stats, turn })
}
