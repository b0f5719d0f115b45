//! Runs of large formulas. Each mutant written whole, judged at each test, and searched for one by one, time, memory and
//! files would grow with the square of the formula. So a mutant is judged by what it changes, at one point after the other
//! until one kills it; what is left is proved by what it changes, and a bounded number of others is searched for.

use super::batches;
use super::engine::Engine;
use super::ground::Examined;
use super::probing::SECOND_LOOKS;
use super::run::{Generated, Interrupt, NoRun, Options};
use super::sieve::Sieve;
use super::{Cell, Counts, Judged, Proof, Reason, Row, Status, Test, defined, minimize};
use crate::csp::Pair;
use crate::equiv::prove_equal;
use crate::mutate::Change;
use crate::solve::probes::{many, probes};
use crate::spec::Spec;
use std::collections::HashMap;

/// Points after the probes at which mutants are judged.
const MORE: usize = 64;
/// Of how many nodes all formulas have together that are searched for. Unit: nodes of the tape.
const SEARCHED: usize = 1 << 20;
/// Of how many nodes a part is that is proved to be the same, and all of them together.
const PART: usize = 256;
const PARTS: usize = 1 << 20;

/// A test with the mutants that it is the first to kill, each with its margin.
type Found = (Test, Vec<(usize, f64)>);

/// Judge the mutants of a large run.
///
/// # Errors
/// See [`super::generate`].
pub(super) fn judge(
    spec: &Spec,
    mut judged: Vec<Judged>,
    options: &Options,
    interrupt: &Interrupt<'_>,
) -> Result<Generated, NoRun> {
    let found = sift(spec, &mut judged, options, interrupt)?;
    let left = choose(spec, &mut judged);
    let mut some: Vec<Judged> = left.iter().map(|m| judged[*m].clone()).collect();
    some.iter_mut().for_each(|j| j.status = Status::Undecided(Reason::Interrupted));
    let known: Vec<Test> = found.iter().map(|(test, _)| test.clone()).collect();
    let run = batches::judge(spec, some, known, &Options { minimize: false, ..options.clone() }, interrupt)?;
    Ok(join(judged, &left, &found, run, options))
}

/// Judge at points what is changed at places of the formula, and prove what is the same there.
fn sift(
    spec: &Spec,
    judged: &mut [Judged],
    options: &Options,
    interrupt: &Interrupt<'_>,
) -> Result<Vec<Found>, NoRun> {
    let mut nobody = std::iter::empty();
    let engine = Engine::of_some(spec, &mut nobody, (options.precision_cap, options.jobs), usize::MAX)?;
    let points = probes(engine.domain());
    defined::is_defined_somewhere(&engine, &points)?;
    let sieve = Sieve::new(spec, &judged.iter().map(|j| &j.mutant).collect::<Vec<_>>(), options.jobs);
    let mut open: Vec<usize> = Vec::new();
    for (mutant, one) in judged.iter_mut().enumerate().filter(|(m, _)| sieve.knows(*m)) {
        match sieve.part(mutant) {
            Some((_, from, to)) if from == to => one.status = Status::Equivalent(Proof::SameExpression),
            _ => open.push(mutant),
        }
    }
    let (first, rest) = points.split_at(points.len().min(MORE));
    let mut sift = Sift { engine, sieve, found: Vec::new(), second_looks: SECOND_LOOKS };
    sift.points(first, &mut open, judged, interrupt);
    sift.prove(&mut open, judged, interrupt);
    sift.points(rest, &mut open, judged, interrupt);
    let more = many(sift.engine.domain(), MORE);
    sift.points(&more, &mut open, judged, interrupt);
    Ok(sift.found)
}

struct Sift<'a> {
    engine: Engine<'a>,
    sieve: Sieve,
    found: Vec<Found>,
    second_looks: usize,
}

impl Sift<'_> {
    /// Judge the open mutants at points; each that kills some is a test.
    fn points(&mut self, points: &[Vec<f64>], open: &mut Vec<usize>, judged: &mut [Judged], interrupt: &Interrupt<'_>) {
        for point in points {
            if open.is_empty() || interrupt.stopped() {
                return;
            }
            let mut kills = self.sieve.kills(point, open);
            let Some(&(target, _)) = kills.first() else { continue };
            let Some(examined) = self.examine(point).filter(Examined::asks_result) else { continue };
            kills.sort_unstable_by_key(|(m, _)| *m);
            kills.iter().for_each(|(m, _)| judged[*m].status = Status::Killed);
            open.retain(|m| kills.binary_search_by_key(m, |(m, _)| *m).is_err());
            let test = self.engine.test_of(examined, &judged[target].mutant, (self.found.len(), target));
            self.found.push((test, kills));
            interrupt.progress.iter().for_each(|tell| tell(judged.len() - open.len(), judged.len()));
        }
    }

    fn examine(&mut self, point: &[f64]) -> Option<Examined> {
        let examined = self.engine.glance(point);
        if examined.is_none() && self.second_looks > 0 {
            self.second_looks -= 1;
            return self.engine.examine(point);
        }
        examined
    }

    /// Prove of the open mutants that what they change is the same function on the domain. One change at many places is
    /// looked at once.
    fn prove(&self, open: &mut Vec<usize>, judged: &mut [Judged], interrupt: &Interrupt<'_>) {
        let (spec, mut left) = (self.engine.spec(), PARTS);
        let mut known: HashMap<_, bool> = HashMap::new();
        for mutant in open.iter().copied() {
            if interrupt.stopped() {
                return;
            }
            let Some((tape, from, to)) = self.sieve.part(mutant) else { continue };
            let is_same = *known.entry((from, to)).or_insert_with(|| {
                if ![from, to].iter().all(|n| tape.is_small(*n, PART)) {
                    return false;
                }
                // The conditions of the domain are on another tape: without them less is proved, and nothing wrong.
                let pair = Pair::extract(tape, from, to, &[], &spec.accuracy, &spec.accuracy);
                left = left.saturating_sub(pair.tape.len());
                left > 0 && prove_equal(&pair.tape, pair.f, pair.g, self.engine.domain(), &[]).is_some()
            });
            if is_same {
                judged[mutant].status = Status::Equivalent(Proof::SamePart);
            }
        }
        open.retain(|m| matches!(judged[*m].status, Status::Undecided(_)));
    }
}

/// The mutants that are judged as in any other run: those that are no changes at places, and of the others as many as there
/// is room for. What is left is undecided.
fn choose(spec: &Spec, judged: &mut [Judged]) -> Vec<usize> {
    let mut room = SEARCHED / spec.core.body.size();
    let mut chosen = Vec::new();
    for (mutant, one) in judged.iter_mut().enumerate() {
        let is_edit = matches!(&one.mutant.change, Change::Body(body) if body.edit().is_some());
        match &one.status {
            Status::Undecided(_) if !is_edit => chosen.push(mutant),
            Status::Undecided(_) if room > 0 => {
                room -= 1;
                chosen.push(mutant);
            }
            Status::Undecided(_) => one.status = Status::Undecided(Reason::NotSearched),
            _ => {}
        }
    }
    chosen
}

/// The whole run: what was found at points, and the run of those that were left.
fn join(mut judged: Vec<Judged>, left: &[usize], found: &[Found], run: Generated, options: &Options) -> Generated {
    let mutants = judged.len();
    let mut tests = run.tests;
    for test in tests.iter_mut().skip(found.len()) {
        test.target = test.target.map(|t| left[t]);
    }
    let row = |(t, row): (usize, Row)| {
        let mut cells: Vec<(u32, Cell)> = row.known().map(|(k, cell)| (left[k] as u32, cell)).collect();
        let kills = found.get(t).into_iter().flat_map(|(_, kills)| kills);
        cells.extend(kills.map(|(m, margin)| (*m as u32, Cell::Ko { margin: *margin })));
        cells.sort_unstable_by_key(|(m, _)| *m);
        Row::Known { mutants, cells }
    };
    let mut matrix: Vec<Row> = run.matrix.into_iter().enumerate().map(row).collect();
    for (m, one) in left.iter().zip(run.mutants) {
        judged[*m] = one;
    }
    if options.minimize {
        minimize::minimize(&mut tests, &mut matrix, &judged);
    }
    let counts = Counts::of(&judged);
    Generated { mutants: judged, tests, matrix, counts, is_large: true, ..run }
}
