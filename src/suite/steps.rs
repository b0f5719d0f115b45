//! How a mutant is decided: the one table of steps, cheapest first. A run takes them in this order and looks no more at
//! what is settled; `bench solver` takes a single pair through those that know pairs; `explain` says which of them decided.

use super::inputs::regions::Candidate;
use super::inputs::{defined, earlier, ending, probing, regions, ties, zeros};
use super::phases::{Phases, Watch};
use super::run::{Interrupt, NoRun, Options, Solved};
use super::settle::near::near_misses;
use super::settle::searches::{Between, solve};
use super::settle::{accuracy, bounds, evaluations, nowhere, proofs};
use super::state::engine::Engine;
use super::{EquivalenceProof, Judged, Origin, Status, Test};
use crate::csp::{Encoding, Pair, Verifier, decide};
use crate::equiv::prove_equal;
use crate::num::Interval;
use crate::points::probes::probes;
use crate::solve::{Limits, SearchEnd, Stats};
use crate::spec::InputBox;
use std::time::Duration;

/// When a run takes a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// At its place in the table.
    InOrder,
    /// In the midst of the searches.
    Searching(Between),
}

/// The part of a run's time that a step is counted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Probe points.
    Probes,
    /// Proofs before the searches.
    Proofs,
    /// Searches, and proofs between them.
    Search,
    /// Mutants that have no other body.
    Others,
}

/// What a step makes of a single pair.
type OfPair = fn(&mut Single<'_, '_>) -> Option<(SearchEnd, Stats)>;

/// One step.
pub struct SuiteStep {
    /// Its name.
    pub name: &'static str,
    /// The mutants that it is for.
    pub applies: &'static str,
    /// What it costs.
    pub cost: &'static str,
    /// What it does, and what it settles by that.
    pub does: &'static str,
    /// Where the tests come from that it finds.
    pub origins: &'static [Origin],
    /// Whether a proof is one of its own.
    pub proves: fn(&EquivalenceProof) -> bool,
    /// When a run takes it.
    pub when: When,
    /// What its time is counted with.
    pub phase: Phase,
    /// Whether it is left out where a run is to look for no proofs.
    is_proof: bool,
    run: fn(&mut Run<'_, '_>),
    /// The same for a single pair, if it knows pairs.
    pair: Option<OfPair>,
}

/// Nothing is proved.
const NO_PROOF: fn(&EquivalenceProof) -> bool = |_| false;

/// Whether boxes alone show that there is no test.
fn is_without_tests(proof: &EquivalenceProof) -> bool {
    matches!(proof, EquivalenceProof::NoTest(how) if how.inputs == 0 && how.boxes > 0)
}

/// The table.
pub static STEPS: [SuiteStep; 15] = [
    SuiteStep {
        name: "earlier",
        applies: "every mutant, where a run is to use the tests of an earlier one",
        cost: "a row of the matrix a test",
        does: "each that kills a mutant is a test again",
        origins: &[Origin::Earlier],
        proves: NO_PROOF,
        when: When::InOrder,
        phase: Phase::Probes,
        is_proof: false,
        run: |r| r.evaluations += earlier::retry(r.engine, &r.options.earlier),
        pair: None,
    },
    SuiteStep {
        name: "filling",
        applies: "every mutant, where some differ on a part of the domain alone",
        cost: "a row of the matrix a point",
        does: "special points are tests, and points that fill what they leave of the domain; regions of several inputs share a test",
        origins: &[Origin::Spread, Origin::Special],
        proves: NO_PROOF,
        when: When::InOrder,
        phase: Phase::Probes,
        is_proof: false,
        run: |r| {
            regions::fill(r.engine, &r.candidates);
            regions::share_tests(r.engine, r.interrupt);
        },
        pair: None,
    },
    SuiteStep {
        name: "probe",
        applies: "another body",
        cost: "some hundred points in binary64, on all mutants at once",
        does: "the points at which most mutants seem to differ are verified",
        origins: &[Origin::Probe],
        proves: NO_PROOF,
        when: When::InOrder,
        phase: Phase::Probes,
        is_proof: false,
        run: |r| r.evaluations += probing::probe(r.engine, &r.points, r.interrupt),
        pair: Some(|s| {
            let point = crate::csp::decide::probe(s.pair, &probes(s.domain), s.verifier)?;
            let domain = point.iter().map(|x| Interval::point(*x)).collect();
            Some((SearchEnd::Inner { point, domain, inner: false }, Stats::default()))
        }),
    },
    SuiteStep {
        name: "region",
        applies: "a function that differs on a part of the domain alone",
        cost: "a glance a part, or a search of a thousand boxes",
        does: "inputs of the part are tests, or it is shown that it holds none",
        origins: &[],
        proves: |p| matches!(p, EquivalenceProof::EmptyRegion { .. }),
        when: When::InOrder,
        phase: Phase::Probes,
        is_proof: false,
        run: |r| regions::settle(r.engine, r.interrupt),
        pair: None,
    },
    SuiteStep {
        name: "no test",
        applies: "what differs where there can be no test: on a region, or at all inputs but 0",
        cost: "normal forms of the rounds of an iteration, on a few boxes",
        does: "that f is beyond all numbers of the result format, or below them and not 0, at all other inputs",
        origins: &[],
        proves: is_without_tests,
        when: When::InOrder,
        phase: Phase::Proofs,
        is_proof: true,
        run: |r| nowhere::settle(r.engine, r.interrupt),
        pair: None,
    },
    SuiteStep {
        name: "normal form",
        applies: "another body",
        cost: "exact rationals, less than any search",
        does: "equality on the domain: the same normal form, also case by case",
        origins: &[],
        proves: |p| {
            matches!(p, EquivalenceProof::SameExpression | EquivalenceProof::SamePart | EquivalenceProof::NormalForm(_))
        },
        when: When::InOrder,
        phase: Phase::Proofs,
        is_proof: true,
        run: |r| proofs::prove(r.engine, r.interrupt),
        pair: Some(|s| {
            let Pair { tape, f, g, conditions, .. } = s.pair;
            prove_equal(tape, *f, *g, s.domain, conditions).map(|_| (SearchEnd::Equal, Stats::default()))
        }),
    },
    SuiteStep {
        name: "ties",
        applies: "another body, where the formula compares",
        cost: "lines along which one input moves",
        does: "points where the sides of a comparison are equal, and beside them: `<` for `<=` and its kin",
        origins: &[Origin::Probe],
        proves: NO_PROOF,
        when: When::InOrder,
        phase: Phase::Probes,
        is_proof: false,
        run: |r| r.evaluations += ties::probe(r.engine, &r.points, r.interrupt),
        pair: None,
    },
    SuiteStep {
        name: "search",
        applies: "another body",
        cost: "branch and prune in turns with rising budgets",
        does: "an input that kills, or a cover of the domain on which none does",
        origins: &[Origin::Solver],
        proves: |p| matches!(p, EquivalenceProof::SameOnDomain | EquivalenceProof::Cover { .. }),
        when: When::InOrder,
        phase: Phase::Search,
        is_proof: false,
        run: search,
        pair: Some(|s| Some(decide(s.pair, s.domain, &[], s.encoding, s.limits, None, s.verifier))),
    },
    SuiteStep {
        name: "same function",
        applies: "what the first turn of the searches leaves",
        cost: "a normal form each",
        does: "mutants that are one function are searched once",
        origins: &[],
        proves: NO_PROOF,
        when: When::Searching(Between::FirstTurns),
        phase: Phase::Search,
        is_proof: true,
        run: |r| proofs::find_the_same(r.engine, r.interrupt),
        pair: None,
    },
    SuiteStep {
        name: "zeros",
        applies: "what the short turns leave",
        cost: "lines along which one input moves",
        does: "inputs beside zeros of f, where a relative tolerance is small",
        origins: &[Origin::Probe],
        proves: NO_PROOF,
        when: When::Searching(Between::LastTurns),
        phase: Phase::Search,
        is_proof: false,
        run: |r| zeros::probe(r.engine, r.interrupt),
        pair: None,
    },
    SuiteStep {
        name: "laws",
        applies: "what the short turns leave",
        cost: "an e-graph each",
        does: "equality by a chain of laws, each valid on the domain",
        origins: &[],
        proves: |p| matches!(p, EquivalenceProof::Rewriting(_)),
        when: When::Searching(Between::LastTurns),
        phase: Phase::Search,
        is_proof: true,
        run: |r| proofs::rewrite(r.engine, r.interrupt),
        pair: None,
    },
    SuiteStep {
        name: "inequality",
        applies: "what the short turns leave, and again what the long one does",
        cost: "a few boxes of normal forms, at last as many as a search has",
        does: "that the valid sets meet everywhere, or that both are one function",
        origins: &[],
        proves: |p| matches!(p, EquivalenceProof::Near { .. }),
        when: When::Searching(Between::LastTurns),
        phase: Phase::Search,
        is_proof: true,
        run: |r| proofs::are_near(r.engine, r.interrupt),
        pair: None,
    },
    SuiteStep {
        name: "long proofs",
        applies: "what all turns leave",
        cost: "as many boxes as a search has",
        does: "normal forms and inequalities once more",
        origins: &[],
        proves: NO_PROOF,
        when: When::Searching(Between::Ends),
        phase: Phase::Search,
        is_proof: true,
        run: |r| proofs::compare(r.engine, r.options.limits.boxes, r.interrupt),
        pair: None,
    },
    SuiteStep {
        name: "range, accuracy",
        applies: "another range of an input, another accuracy",
        cost: "inputs between the ranges, or a cover",
        does: "an input by which they differ, or that there is none",
        origins: &[Origin::Bounds, Origin::Accuracy],
        proves: |p| {
            let is_no_test = matches!(p, EquivalenceProof::NoTest(_)) && !is_without_tests(p);
            let is_other = matches!(
                p,
                EquivalenceProof::SameInputs
                    | EquivalenceProof::ResponseNotTold
                    | EquivalenceProof::Bounded { .. }
                    | EquivalenceProof::NeverReaches { .. }
            );
            is_no_test || is_other
        },
        when: When::InOrder,
        phase: Phase::Others,
        is_proof: false,
        run: |r| {
            if !r.interrupt.stopped() {
                bounds::judge(r.engine, r.options.limits.boxes, r.interrupt);
                accuracy::judge(r.engine, r.options.limits.boxes, r.interrupt);
            }
        },
        pair: None,
    },
    SuiteStep {
        name: "evaluation",
        applies: "a program over floats",
        cost: "errors at many inputs, climbing, a bound of the rounding errors",
        does: "an input at which it loses the accuracy, or that there is none",
        origins: &[Origin::Solver],
        proves: |p| matches!(p, EquivalenceProof::MeetsAccuracy { .. }),
        when: When::InOrder,
        phase: Phase::Others,
        is_proof: false,
        run: |r| r.evaluations += evaluations::judge(r.engine, r.options, r.interrupt) as usize,
        pair: None,
    },
];

/// The steps that are taken where loops of very many rounds are followed at each input: others look at too many inputs.
const WITH_COUNTED_LOOPS: [&str; 5] = ["earlier", "filling", "region", "normal form", "range, accuracy"];

/// The step that decided a mutant; none where nothing is decided.
#[must_use]
pub fn decided_by(judged: &Judged, tests: &[Test], mutant: usize) -> Option<&'static SuiteStep> {
    match &judged.status {
        Status::Equivalent(proof) | Status::Indistinguishable(proof) => proved_by(proof),
        Status::Killed | Status::Probable => finds(tests.iter().find(|t| t.target == Some(mutant))?.origin.name()),
        Status::Undecided(_) | Status::Accepted(_) => None,
    }
}

fn proved_by(proof: &EquivalenceProof) -> Option<&'static SuiteStep> {
    if let EquivalenceProof::SameAs { proof, .. } = proof {
        return proved_by(proof);
    }
    STEPS.iter().find(|s| (s.proves)(proof))
}

/// The first step that finds tests of an origin, by the name that it has in files.
#[must_use]
pub fn finds(origin: &str) -> Option<&'static SuiteStep> {
    STEPS.iter().find(|s| s.origins.iter().any(|o| o.name() == origin))
}

/// A single pair on its way through the table.
pub struct Single<'a, 'b> {
    /// Specification and mutant.
    pub pair: &'a Pair,
    /// The box of inputs.
    pub domain: &'a InputBox,
    /// How "must differ" is written for the search.
    pub encoding: Encoding,
    /// Bounds and choices of the search.
    pub limits: Limits,
    /// What verifies a kill.
    pub verifier: &'a mut Verifier<'b>,
}

impl Single<'_, '_> {
    /// The answer of the first step that has one, of those that know pairs, and of the search in any case.
    pub fn decide(&mut self, search_only: bool) -> Option<(SearchEnd, Stats, &'static SuiteStep)> {
        let steps = STEPS.iter().filter(|s| !search_only || s.phase == Phase::Search);
        let mut known = steps.filter_map(|s| Some((s, s.pair?)));
        known.find_map(|(step, take)| take(self).map(|(answer, stats)| (answer, stats, step)))
    }
}

/// A run of the table.
struct Run<'r, 'a> {
    engine: &'r mut Engine<'a>,
    options: &'r Options,
    interrupt: &'r Interrupt<'r>,
    /// Probe points, with those that a region asks for.
    points: Vec<Vec<f64>>,
    candidates: Vec<Candidate>,
    evaluations: usize,
    solved: Vec<(String, Solved)>,
    work: Stats,
}

/// The searches, with what is done between their turns.
fn search(run: &mut Run<'_, '_>) {
    let (options, interrupt) = (run.options, run.interrupt);
    let mut between = |engine: &mut Engine<'_>, now: Between| {
        let mut inner = Run::new(engine, options, interrupt);
        STEPS.iter().filter(|s| s.is_due(When::Searching(now), options)).for_each(|s| (s.run)(&mut inner));
    };
    (run.solved, run.work) = solve(run.engine, options, interrupt, &mut between);
}

impl SuiteStep {
    fn is_due(&self, when: When, options: &Options) -> bool {
        self.when == when && (options.proofs || !self.is_proof)
    }
}

impl<'r, 'a> Run<'r, 'a> {
    fn new(engine: &'r mut Engine<'a>, options: &'r Options, interrupt: &'r Interrupt<'r>) -> Self {
        let (points, candidates, solved) = (Vec::new(), Vec::new(), Vec::new());
        Run { engine, options, interrupt, points, candidates, evaluations: 0, solved, work: Stats::default() }
    }
}

/// What the turn of a batch gave, beside what the engine holds.
#[derive(Default)]
pub(super) struct Turn {
    pub(super) solved: Vec<(String, Solved)>,
    pub(super) boxes: u64,
    pub(super) evaluations: u64,
    pub(super) phases: Phases,
}

/// Which of the steps are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stretch {
    /// All of them.
    Whole,
    /// Those before the searches, which cost little.
    BeforeSearches,
    /// The searches and what comes after them.
    Searches,
}

impl Stretch {
    fn has(self, phase: Phase) -> bool {
        let is_before = matches!(phase, Phase::Probes | Phase::Proofs);
        match self {
            Stretch::Whole => true,
            Stretch::BeforeSearches => is_before,
            Stretch::Searches => !is_before,
        }
    }
}

/// Judge the mutants of an engine, step by step. `is_first` says that the specification itself has not been looked at
/// before.
pub(super) fn judge(
    engine: &mut Engine<'_>,
    options: &Options,
    interrupt: &Interrupt<'_>,
    stretch: Stretch,
    is_first: bool,
) -> Result<Turn, NoRun> {
    let mut watch = Watch::start();
    let mut phases = Phases::default();
    let probes = probes(engine.domain());
    let mut points = if stretch.has(Phase::Probes) { ending::ends(engine, &probes) } else { Vec::new() };
    points.extend(probes);
    if is_first {
        defined::is_defined_somewhere(engine, &points)?;
    }
    let candidates = if regions::are_asked_for(engine) { regions::candidates(engine) } else { Vec::new() };
    points.extend(candidates.iter().map(|c| c.input.clone()));
    let mut run = Run { points, candidates, ..Run::new(engine, options, interrupt) };
    let has_counted_loops = run.engine.tape().has_counted_loops();
    let is_affordable = |s: &&SuiteStep| !has_counted_loops || WITH_COUNTED_LOOPS.contains(&s.name);
    let steps = STEPS.iter().filter(|s| s.is_due(When::InOrder, options) && stretch.has(s.phase));
    for step in steps.filter(is_affordable) {
        (step.run)(&mut run);
        *phases.of(step.phase) += watch.lap(run.engine.oracle_time());
    }
    let Run { engine, points, evaluations, solved, work, .. } = run;
    if stretch != Stretch::BeforeSearches && !has_counted_loops {
        near_misses(engine, &points, interrupt);
    }
    engine.name_the_same();
    phases.others += watch.lap(engine.oracle_time());
    phases.oracle = engine.oracle_time();
    let cells = engine.tests().len() * engine.kinds().len();
    let evaluations = (evaluations + cells) as u64 + work.boxes + work.points;
    Ok(Turn { solved, boxes: work.boxes, evaluations, phases })
}

impl Phases {
    fn of(&mut self, phase: Phase) -> &mut Duration {
        match phase {
            Phase::Probes => &mut self.probes,
            Phase::Proofs => &mut self.proofs,
            Phase::Search => &mut self.solver,
            Phase::Others => &mut self.others,
        }
    }
}
