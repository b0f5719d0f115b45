//! Proofs before and between the searches, and mutants that are one function.

use crate::csp::Pair;
use crate::csp::tolerance::LowerTolerance;
use crate::equiv::{Prover, prove_by_cases, prove_by_rewriting};
use crate::points::probes::{LANES, lanes, many};
use crate::suite::run::Interrupt;
use crate::suite::state::engine::Engine;
use crate::suite::{EquivalenceProof, Status};
use crate::tape::eval::Points;
use crate::tape::{NodeId, evaluate};
use std::collections::{BTreeMap, HashMap, HashSet};

fn names(engine: &Engine<'_>) -> Vec<String> {
    engine.spec().inputs.iter().map(|i| i.name.clone()).collect()
}

/// How many terms a prover may keep. The partial sums of a long polynomial have as many as the square of its degree.
const MOST_TERMS: usize = 1 << 21;

/// Term operations for the normal forms of all mutants together, in each of the steps below.
const FUEL: u64 = 1 << 25;

/// What proofs by cases may cost together. Unit: squares of nodes, with which the time of a normal form grows.
const CASES: u64 = 1 << 26;

/// Prove what is the same function in normal form: that costs less than any search.
pub(in crate::suite) fn prove(engine: &mut Engine<'_>, interrupt: &Interrupt<'_>) {
    let names = names(engine);
    let new =
        |fuel| Prover::new(engine.tape(), engine.domain(), engine.conditions()).with_names(&names).with_fuel(fuel);
    let mut prover = new(FUEL);
    let mut proofs = Vec::new();
    let mut cases_left = CASES;
    for mutant in engine.open_bodies() {
        if interrupt.stopped() {
            break;
        }
        if prover.terms() > MOST_TERMS {
            prover = new(prover.fuel_left());
        }
        let Some(g) = engine.root_of(mutant) else { continue };
        let proof = prover.prove_equal(engine.root(), g).or_else(|| {
            let nodes = engine.tape().cone(&[engine.root(), g]).iter().filter(|live| **live).count() as u64;
            cases_left = cases_left.checked_sub(nodes * nodes)?;
            prove_by_cases(engine.tape(), engine.root(), g, engine.domain(), engine.conditions(), &names)
        });
        proofs.extend(proof.map(|p| (mutant, p)));
    }
    for (mutant, proof) in proofs {
        engine.set(mutant, Status::Equivalent(EquivalenceProof::NormalForm(proof)));
    }
}

/// The open mutants that normal forms may tell something of: those that compute all parts of f that have none. In the rounds
/// of a loop forms grow beyond any limit, for each mutant once more, and none is compared with that of another in the end.
fn comparable(engine: &Engine<'_>) -> Vec<usize> {
    let open = engine.open_bodies();
    if open.is_empty() {
        return open;
    }
    let mut prover = Prover::new(engine.tape(), engine.domain(), engine.conditions()).with_fuel(FUEL);
    let parts = prover.parts_as_they_stand(engine.root());
    let computes_all = |m: &usize| engine.root_of(*m).is_some_and(|g| engine.tape().computes_all(g, &parts));
    open.into_iter().filter(computes_all).collect()
}

/// Note which of the open mutants are one function by their normal forms. Called for what a short search does not
/// resolve: a normal form may cost more than that.
pub(in crate::suite) fn find_the_same(engine: &mut Engine<'_>, interrupt: &Interrupt<'_>) {
    let mut prover = Prover::new(engine.tape(), engine.domain(), engine.conditions()).with_fuel(FUEL);
    let mut same = Vec::new();
    for alike in alike(engine, &comparable(engine)) {
        let mut first = HashMap::new();
        for mutant in alike {
            if interrupt.stopped() || prover.terms() > MOST_TERMS {
                break;
            }
            let function = engine.root_of(mutant).and_then(|g| prover.function(g));
            let known = function.map(|f| *first.entry(f).or_insert(mutant));
            same.extend(known.filter(|k| *k != mutant).map(|k| (mutant, k)));
        }
    }
    for (mutant, known) in same {
        engine.is_the_same(mutant, known);
    }
}

/// At how many points values are compared before normal forms are.
const POINTS: usize = 64;

/// Mutants with nearly the same values at some points in binary64 arithmetic: normal forms, which are dear, are compared
/// within these groups only.
fn alike(engine: &Engine<'_>, mutants: &[usize]) -> Vec<Vec<usize>> {
    let roots: Vec<NodeId> = mutants.iter().filter_map(|m| engine.root_of(*m)).collect();
    let (tape, at) = engine.tape().extract(&roots);
    let mut keys: Vec<Vec<u32>> = vec![Vec::new(); mutants.len()];
    let mut values: Vec<[f64; LANES]> = Vec::new();
    for points in many(engine.domain(), POINTS).chunks(LANES) {
        evaluate(&tape, &mut Points { inputs: &lanes(points, tape.inputs()) }, &mut values);
        for (key, root) in keys.iter_mut().zip(&at) {
            // To single precision: beyond the errors of rounding, mostly.
            let rounded = |y: f64| if y.is_nan() { u32::MAX } else { (y as f32 + 0.0).to_bits() };
            key.extend(values[root.index()].map(rounded));
        }
    }
    let mut groups: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
    for (mutant, key) in mutants.iter().zip(keys) {
        groups.entry(key).or_default().push(*mutant);
    }
    groups.into_values().filter(|g| g.len() > 1).collect()
}

/// Give each of some open mutants the status that `prove` finds for it, several at a time. One function is tried once, however
/// many mutants are that function. `prove` gets what it may spend on normal forms. Unit: term operations.
fn settle_each(
    engine: &mut Engine<'_>,
    mutants: Vec<usize>,
    interrupt: &Interrupt<'_>,
    prove: impl Fn(&Engine<'_>, usize, u64) -> Option<Status> + Sync,
) {
    let mut tried = HashSet::new();
    let open: Vec<usize> = mutants.into_iter().filter(|i| tried.insert(engine.searched_as(*i))).collect();
    let share = FUEL / (open.len() as u64).max(1);
    let prove = |i: &usize| if interrupt.stopped() { None } else { prove(engine, *i, share) };
    let found = engine.threads().side_by_side(1, &open, prove);
    for (mutant, status) in open.into_iter().zip(found) {
        // It may have been settled as the same function as one before it.
        if let Some(status) = status.filter(|_| engine.is_open(mutant)) {
            engine.settle(mutant, status);
        }
    }
}

/// Prove what is the same function by laws of its operators. Dearer than a short search and cheaper than a long one.
pub(in crate::suite) fn rewrite(engine: &mut Engine<'_>, interrupt: &Interrupt<'_>) {
    let names = names(engine);
    settle_each(engine, engine.open_bodies(), interrupt, |engine, mutant, _| {
        let (f, g) = (engine.root(), engine.root_of(mutant)?);
        let proof = prove_by_rewriting(engine.tape(), f, g, engine.domain(), engine.conditions(), &names);
        proof.map(|proof| Status::Equivalent(EquivalenceProof::Rewriting(proof)))
    });
}

/// How many parts of the domain's box are looked at for one question of a proof where short searches and proofs have
/// failed, by the budget of a search. A proof is one question or a few.
pub(in crate::suite) fn boxes(budget: u64) -> u32 {
    u32::try_from(budget.saturating_mul(2)).unwrap_or(u32::MAX)
}

/// The boxes of a proof between two searches.
pub(super) const FEW_BOXES: u32 = 16;

/// Prove by normal forms that valid sets meet everywhere, where a short search has not found that they do.
pub(in crate::suite) fn are_near(engine: &mut Engine<'_>, interrupt: &Interrupt<'_>) {
    let tolerance = LowerTolerance::new(&engine.spec().accuracy);
    settle_each(engine, comparable(engine), interrupt, |engine, mutant, fuel| {
        let pair = engine.pair(mutant)?;
        let prover = Prover::new(&pair.tape, engine.domain(), &pair.conditions);
        let mut prover = prover.with_boxes(FEW_BOXES).with_fuel(fuel);
        near(&mut prover, &pair, &tolerance)
    });
}

/// The last question to a prover: it looks no more at inputs at which f has no value.
fn near(prover: &mut Prover<'_>, pair: &Pair, tolerance: &LowerTolerance) -> Option<Status> {
    // No test lies where f has no value, whatever the mutant has there.
    prover.assume_value(pair.f);
    let boxes = prover.prove_near(pair.f, pair.g, tolerance)?;
    Some(Status::Indistinguishable(EquivalenceProof::Near { boxes: u64::from(boxes) }))
}

/// Prove with more boxes than before that functions are the same, or that their valid sets meet everywhere: for what no
/// search has settled.
pub(in crate::suite) fn compare(engine: &mut Engine<'_>, budget: u64, interrupt: &Interrupt<'_>) {
    let names = names(engine);
    let tolerance = LowerTolerance::new(&engine.spec().accuracy);
    settle_each(engine, comparable(engine), interrupt, |engine, mutant, fuel| {
        let pair = engine.pair(mutant)?;
        let prover = Prover::new(&pair.tape, engine.domain(), &pair.conditions);
        let mut prover = prover.with_names(&names).with_boxes(boxes(budget)).with_fuel(fuel);
        if let Some(proof) = prover.prove_equal(pair.f, pair.g) {
            return Some(Status::Equivalent(EquivalenceProof::NormalForm(proof)));
        }
        near(&mut prover, &pair, &tolerance)
    });
}
