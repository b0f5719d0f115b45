//! Both engines in rounds: that of ordinals, and that of gates.

use super::laws::follows_from_laws;
use super::{AGAIN, Confirmation, DecisionWork, OrdinalQuestion, OrdinalSearch, QuestionVerdict, confirm};
use crate::halt::{self, HaltReason, Token};
use crate::num::Integer;
use crate::sat::circuit::Circuit;
use crate::sat::{SatSearch, SatVerdict};
use crate::solve::float::{Eliminated, Graph, Term, eliminate, evaluation, exact};
use std::sync::{Mutex, PoisonError};

/// What is asked, and what it may cost.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'q> {
    /// What is to be true.
    pub roots: &'q [Term],
    /// What is true of every solution as well, and may be much: instances of axioms, looked at as they are needed.
    pub lemmas: &'q [Term],
    /// What it may cost.
    pub effort: DecisionEffort,
}

/// What a question may cost.
#[derive(Clone, Copy, Debug)]
pub struct DecisionEffort {
    /// Parts that the engine of ordinals looks at, at most.
    pub boxes: u64,
    /// Conflicts that the engine of gates meets, at most; with 0 it is not asked.
    pub conflicts: u64,
    /// Gates that it makes, at most.
    pub gates: u32,
    /// Where the search of the engine of ordinals begins its pseudo-random sequence.
    pub seed: u64,
}

impl DecisionEffort {
    /// The most gates of a question. Some gigabytes.
    pub const MOST_GATES: u32 = 60_000_000;
    /// For each part that the one engine may look at the other may meet so many conflicts.
    const CONFLICTS: u64 = 10;

    /// For so many parts, both engines.
    #[must_use]
    pub fn of_boxes(boxes: u64) -> Self {
        let conflicts = boxes.saturating_mul(DecisionEffort::CONFLICTS);
        DecisionEffort { boxes, conflicts, gates: DecisionEffort::MOST_GATES, seed: 0 }
    }
}

impl Asked<'_> {
    fn all(&self) -> Vec<Term> {
        [self.roots, self.lemmas].concat()
    }
}

/// The conflicts of the first round. They double from round to round.
const FIRST_CONFLICTS: u64 = 500;
/// More instances of axioms than this are for the solver alone.
const FEW: usize = 2000;
/// Questions of fewer terms are looked at by the engine of ordinals first: what is easy for it takes no gates.
const SMALL: usize = 4000;
/// The stack of an engine. Unit: bytes.
const STACK: usize = 64 << 20;

/// Which engine has the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// That of ordinals: propagation and search.
    Ordinals,
    /// That of gates.
    Gates,
}

/// What a question comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// The answer, with the bits of all unknowns where the formulas hold.
    pub verdict: SatVerdict,
    /// The work of the engine of ordinals.
    pub work: DecisionWork,
    /// Whose answer it is.
    pub engine: Engine,
}

impl Decided {
    /// That nothing is known.
    #[must_use]
    pub fn unknown() -> Self {
        Decided { verdict: SatVerdict::Unknown, work: DecisionWork::default(), engine: Engine::Ordinals }
    }
}

/// Whether formulas can all be true.
///
/// The engines take rounds, each a turn of both, side by side; from round to round the work doubles. Where both have an answer in
/// the same round it is that of ordinals: what is answered depends on no clock.
#[must_use]
pub fn decide_both(graph: &Graph, asked: Asked<'_>) -> Decided {
    let all = asked.all();
    let is_narrow = asked.lemmas.len() <= FEW && !graph.is_wide(&all);
    // The engine of ordinals knows nothing of terms that are wide, even where nothing is asked of them.
    let without = (is_narrow && graph.has_wide()).then(|| eliminate(graph, &all));
    let (narrow, roots) = without.as_ref().map_or((graph, &all), |q| (&q.graph, &q.roots));
    let question = is_narrow.then(|| OrdinalQuestion::new(narrow, roots));
    let mut ordinals = question.as_ref().map(|q| OrdinalSearch::new(q, asked.effort.boxes, asked.effort.seed));
    let mut work = DecisionWork::default();
    let mut conflicts_met = 0;
    let by_ordinals = |verdict: QuestionVerdict, work: DecisionWork| {
        let verdict = in_bits(narrow, verdict);
        let verdict = match &without {
            Some(question) => original(graph, asked, question, verdict),
            None => verdict,
        };
        (verdict != SatVerdict::Unknown).then_some(Decided { verdict, work, engine: Engine::Ordinals })
    };
    if graph.used_by(&all).iter().filter(|u| **u).count() < SMALL
        && let Some(search) = &mut ordinals
    {
        let verdict = search.turn();
        work = search.work;
        if let Some(verdict) = verdict {
            if let Some(decided) = by_ordinals(verdict, work) {
                return decided;
            }
            ordinals = None;
        }
    }
    let question = GateQuestion::new(graph, asked);
    let mut left = asked.effort.conflicts;
    let mut gates = (left > 0).then(|| question.search());
    let mut conflicts = FIRST_CONFLICTS;
    while (ordinals.is_some() || gates.is_some()) && !halt::requested() {
        let (first, second) = round(ordinals.as_mut(), gates.as_mut(), conflicts.min(left));
        if gates.is_some() {
            conflicts_met += conflicts.min(left);
        }
        (left, conflicts) = (left - conflicts.min(left), 2 * conflicts);
        let of_ordinals = ordinals.as_ref().map_or(work, |o| o.work);
        work = DecisionWork { conflicts: conflicts_met, ..of_ordinals };
        if let Some(verdict) = first {
            if let Some(decided) = by_ordinals(verdict, work) {
                return decided;
            }
            ordinals = None;
        }
        match second {
            None if left > 0 => {}
            None | Some(SatVerdict::Unknown) => gates = None,
            Some(verdict) => {
                return Decided { verdict: question.original(verdict), work, engine: Engine::Gates };
            }
        }
    }
    Decided { work, ..Decided::unknown() }
}

/// A turn of both engines, side by side. An answer of that of ordinals ends that of gates.
fn round(
    ordinals: Option<&mut OrdinalSearch<'_>>,
    gates: Option<&mut SatSearch<'_>>,
    conflicts: u64,
) -> (Option<QuestionVerdict>, Option<SatVerdict>) {
    let (ordinals, gates) = match (ordinals, gates) {
        (Some(ordinals), Some(gates)) => (ordinals, gates),
        (ordinals, gates) => return (ordinals.and_then(OrdinalSearch::turn), gates.and_then(|g| g.run(conflicts))),
    };
    let token = Token::of_part();
    let beside = Mutex::new((gates, None));
    let run = || {
        let (gates, answer) = &mut *beside.lock().unwrap_or_else(PoisonError::into_inner);
        *answer = halt::under(Some(token.clone()), || gates.run(conflicts));
    };
    let (first, is_run) = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        let first = ordinals.turn();
        if first.as_ref().is_some_and(|v| *v != QuestionVerdict::Unknown) {
            token.request(HaltReason::Interrupted);
        }
        (first, thread.is_ok())
    });
    if !is_run {
        run();
    }
    (first, beside.into_inner().unwrap_or_else(PoisonError::into_inner).1)
}

/// A question as the engine of gates is asked.
struct GateQuestion<'q> {
    graph: &'q Graph,
    asked: Asked<'q>,
    /// Without the unknowns that follow from others, where the instances of axioms are few.
    fewer: Option<Eliminated>,
}

impl<'q> GateQuestion<'q> {
    fn new(graph: &'q Graph, asked: Asked<'q>) -> Self {
        let fewer = (asked.lemmas.len() <= FEW).then(|| eliminate(graph, &asked.all()));
        GateQuestion { graph, asked, fewer }
    }

    fn search(&self) -> SatSearch<'_> {
        let circuit = Circuit::of_at_most(self.asked.effort.gates);
        match &self.fewer {
            Some(question) => SatSearch::new(&question.graph, &question.roots, &[], circuit),
            None => SatSearch::new(self.graph, self.asked.roots, self.asked.lemmas, circuit),
        }
    }

    fn original(&self, verdict: SatVerdict) -> SatVerdict {
        match &self.fewer {
            Some(question) => original(self.graph, self.asked, question, verdict),
            None => verdict,
        }
    }
}

/// The bits of what the engine of ordinals found.
fn in_bits(graph: &Graph, verdict: QuestionVerdict) -> SatVerdict {
    match verdict {
        QuestionVerdict::Sat(values, open) => {
            let bits = graph.variables().iter().zip(values).map(|(v, x)| exact::bits_of(graph.sort(*v), x));
            SatVerdict::Sat(bits.collect(), open)
        }
        QuestionVerdict::Unsat => SatVerdict::Unsat,
        QuestionVerdict::Unknown => SatVerdict::Unknown,
    }
}

/// A proof is looked at again with so many boxes at least.
const LEAST: u64 = 10_000;
/// And with so many conflicts.
const LEAST_CONFLICTS: u64 = 50_000;

/// A proof of one engine, and the work that was done for it, looked at again.
///
/// First come boxes, evaluated plainly; then laws of rounding; then gates, by the engine that did not find it, or by another solver of
/// clauses: each with [`AGAIN`] times the work of the proof, 10,000 boxes and 50,000 conflicts at least, and no more than `asked` allows.
#[must_use]
pub fn confirm_by_another(graph: &Graph, asked: Asked<'_>, engine: Engine, took: DecisionWork) -> Confirmation {
    let boxes = asked.effort.boxes.min(took.boxes.saturating_mul(AGAIN).max(LEAST));
    let plain = confirm_narrow(graph, asked, boxes);
    if !matches!(plain, Confirmation::Open(_)) {
        return plain;
    }
    if follows_from_laws(graph, asked) {
        return Confirmation::Laws;
    }
    let gates = asked.effort.gates;
    let (circuit, confirmed) = match engine {
        Engine::Ordinals => (Circuit::of_at_most(gates), Confirmation::Gates),
        Engine::Gates => (Circuit::to_confirm(gates), Confirmation::Solver),
    };
    // As it was asked: nothing is eliminated, so that the proof does not rest on that.
    let mut search = SatSearch::new(graph, asked.roots, asked.lemmas, circuit);
    let conflicts = asked.effort.conflicts.min(took.conflicts.saturating_mul(AGAIN).max(LEAST_CONFLICTS));
    match search.run(conflicts).unwrap_or(SatVerdict::Unknown) {
        SatVerdict::Unsat => confirmed,
        SatVerdict::Sat(..) => Confirmation::Refuted(Vec::new()),
        SatVerdict::Unknown => plain,
    }
}

/// A proof looked at again by [`confirm`], with so many boxes.
fn confirm_narrow(graph: &Graph, asked: Asked<'_>, boxes: u64) -> Confirmation {
    let all = asked.all();
    if graph.is_wide(&all) {
        return Confirmation::Open(0);
    }
    if graph.has_wide() {
        let question = eliminate(graph, &all);
        return confirm(&question.graph, &question.roots, boxes);
    }
    confirm(graph, &all, boxes)
}

/// What is said of the question as it was asked, where something is said of it without the unknowns that follow from others.
/// Nothing is told that does not hold of it.
fn original(graph: &Graph, asked: Asked<'_>, question: &Eliminated, verdict: SatVerdict) -> SatVerdict {
    let SatVerdict::Sat(inputs, open) = verdict else { return verdict };
    let values = evaluation::all_bits(&question.graph, &inputs, open);
    let one = |term: &Option<Term>| term.map_or_else(Integer::new, |t| values[t.index()].clone());
    let inputs: Vec<Integer> = question.unknowns.iter().map(one).collect();
    let values = evaluation::all_bits(graph, &inputs, open);
    let holds = asked.roots.iter().chain(asked.lemmas).all(|t| values[t.index()] == 1);
    if holds { SatVerdict::Sat(inputs, open) } else { SatVerdict::Unknown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::{Format, Rounding};
    use crate::solve::float::project::RoundedFunction;
    use crate::solve::float::relate::TermRelation;
    use crate::solve::float::{BitsOp, Sort, TermOp};

    /// What somebody says to be proved, and is not, is refuted in the place of both engines; what is, is confirmed.
    #[test]
    fn false_proofs_are_refuted() {
        let sort = Sort::Bits(100);
        for (engine, confirmed) in [(Engine::Ordinals, Confirmation::Gates), (Engine::Gates, Confirmation::Solver)] {
            let mut graph = Graph::default();
            let (x, zero) = (graph.variable(sort), graph.constant(sort, 0));
            let double = graph.apply(TermOp::Bits(BitsOp::Add), sort, &[x, x]);
            let is_zero = graph.apply(TermOp::Same, Sort::Bool, &[double, zero]);
            let one = graph.constant(sort, 1);
            let odd = graph.apply(TermOp::Same, Sort::Bool, &[double, one]);
            let confirm = |root: Term| {
                let asked = Asked { roots: &[root], lemmas: &[], effort: DecisionEffort::of_boxes(100) };
                confirm_by_another(&graph, asked, engine, DecisionWork::default())
            };
            assert!(matches!(confirm(is_zero), Confirmation::Refuted(_)), "{engine:?}");
            assert_eq!(confirm(odd), confirmed);
        }
    }

    /// Sums are in the order of what is summed up; that they are in another order is no consequence, whatever the engine says.
    #[test]
    fn order_follows_from_laws_of_rounding() {
        let sort = Sort::Float(Format::BINARY64);
        let mut graph = Graph::default();
        let [x, y, z] = [(); 3].map(|()| graph.variable(sort));
        let mode = graph.mode(Rounding::NearestEven);
        let sums = [x, y].map(|t| graph.apply(TermOp::Rounded(RoundedFunction::Add), sort, &[mode, t, z]));
        let [less, right, wrong] = [[x, y], sums, [sums[1], sums[0]]]
            .map(|pair| graph.apply(TermOp::Relation(TermRelation::Less), Sort::Bool, &pair));
        let confirm = |roots: &[Term]| {
            let asked = Asked { roots, lemmas: &[], effort: DecisionEffort::of_boxes(100) };
            confirm_by_another(&graph, asked, Engine::Ordinals, DecisionWork::default())
        };
        assert_eq!(confirm(&[less, wrong]), Confirmation::Laws);
        assert!(matches!(confirm(&[less, right]), Confirmation::Refuted(_)));
    }

    #[test]
    fn work_is_added_up() {
        let [one, other] = [[1, 2, 3], [10, 20, 30]].map(|[boxes, evaluations, conflicts]| DecisionWork {
            boxes,
            evaluations,
            conflicts,
        });
        assert_eq!(one.and(other), DecisionWork { boxes: 11, evaluations: 22, conflicts: 33 });
    }
}
