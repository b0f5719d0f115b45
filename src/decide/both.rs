//! Both engines side by side: that of ordinals, and that of gates. The first answer ends the other.

use super::{Confirmation, DecisionWork, FIRST, QuestionVerdict, confirm, decide};
use crate::halt::{self, HaltReason, Token};
use crate::num::Integer;
use crate::sat::{SatSearch, SatVerdict};
use crate::solve::float::{Eliminated, Graph, Term, eliminate, evaluation, exact};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// What is asked, and what it may cost.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'q> {
    /// What is to be true.
    pub roots: &'q [Term],
    /// What is true of every solution as well, and may be much: instances of axioms, looked at as they are needed.
    pub lemmas: &'q [Term],
    /// Parts that the engine of ordinals looks at, at most.
    pub boxes: u64,
}

/// For each part that the one engine may look at the other may meet so many conflicts.
const CONFLICTS: u64 = 10;
/// More instances of axioms than this are for the solver alone.
const FEW: usize = 2000;
/// Questions of fewer terms are looked at by the engine of ordinals first: what is easy for it takes no gates.
const SMALL: usize = 4000;
/// How often it is looked whether this is to end.
const LOOK: Duration = Duration::from_millis(20);
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
#[must_use]
pub fn decide_both(graph: &Graph, asked: Asked<'_>) -> Decided {
    let all = [asked.roots, asked.lemmas].concat();
    let by_ordinals = |boxes: u64| by_ordinals(graph, asked, boxes);
    let is_narrow = asked.lemmas.len() <= FEW && !graph.is_wide(&all);
    if is_narrow && graph.used_by(&all).iter().filter(|u| **u).count() < SMALL {
        let decided = by_ordinals(asked.boxes.min(FIRST));
        if decided.verdict != SatVerdict::Unknown || halt::requested() {
            return decided;
        }
    }
    let tokens = [Token::default(), Token::default()];
    let (send, answers) = mpsc::channel();
    let by_gates = || Decided { verdict: by_gates(graph, asked), engine: Engine::Gates, ..Decided::unknown() };
    let first = || halt::under(Some(tokens[0].clone()), || by_ordinals(asked.boxes));
    let second = || halt::under(Some(tokens[1].clone()), by_gates);
    let engines: [Option<&(dyn Fn() -> Decided + Sync)>; 2] = [is_narrow.then_some(&first), Some(&second)];
    std::thread::scope(|scope| {
        let mut running = 0;
        // An engine for which there is no thread is not asked.
        for engine in engines.into_iter().flatten() {
            let send = send.clone();
            let run = move || _ = send.send(engine());
            running += usize::from(std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).is_ok());
        }
        let found = await_answer(&answers, running, &tokens);
        tokens.iter().for_each(|t| t.request(HaltReason::Interrupted));
        found
    })
}

/// The first answer of so many engines; where none has one, the work of all.
fn await_answer(answers: &mpsc::Receiver<Decided>, mut running: usize, tokens: &[Token]) -> Decided {
    let mut total = Decided::unknown();
    while running > 0 {
        match answers.recv_timeout(LOOK) {
            Ok(decided) => {
                running -= 1;
                total.work.boxes += decided.work.boxes;
                total.work.evaluations += decided.work.evaluations;
                if decided.verdict != SatVerdict::Unknown {
                    return Decided { work: total.work, ..decided };
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Some(reason) = halt::current().and_then(|t| t.reason()) {
                    tokens.iter().for_each(|t| t.request(reason));
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    total
}

/// What the engine of ordinals says.
fn by_ordinals(graph: &Graph, asked: Asked<'_>, boxes: u64) -> Decided {
    let all = [asked.roots, asked.lemmas].concat();
    let (verdict, work) = if graph.has_wide() {
        // It knows nothing of terms that are wide, even where nothing is asked of them.
        let question = eliminate(graph, &all);
        let (verdict, work) = decide(&question.graph, &question.roots, boxes, 0);
        (original(graph, asked, &question, in_bits(&question.graph, verdict)), work)
    } else {
        let (verdict, work) = decide(graph, &all, boxes, 0);
        (in_bits(graph, verdict), work)
    };
    Decided { verdict, work, engine: Engine::Ordinals }
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

/// What the engine of gates says.
#[must_use]
pub fn by_gates(graph: &Graph, asked: Asked<'_>) -> SatVerdict {
    let conflicts = i32::try_from(asked.boxes.saturating_mul(CONFLICTS)).unwrap_or(i32::MAX);
    if asked.lemmas.len() > FEW {
        return SatSearch::new(graph, asked.roots, asked.lemmas, conflicts).run();
    }
    let question = eliminate(graph, &[asked.roots, asked.lemmas].concat());
    let verdict = SatSearch::new(&question.graph, &question.roots, &[], conflicts).run();
    original(graph, asked, &question, verdict)
}

/// A proof looked at again, by [`confirm`].
#[must_use]
pub fn confirm_narrow(graph: &Graph, asked: Asked<'_>) -> Confirmation {
    let all = [asked.roots, asked.lemmas].concat();
    if graph.is_wide(&all) {
        return Confirmation::Open(0);
    }
    if graph.has_wide() {
        let question = eliminate(graph, &all);
        return confirm(&question.graph, &question.roots, asked.boxes);
    }
    confirm(graph, &all, asked.boxes)
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
