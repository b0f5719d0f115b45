//! Functions of which only what is asked of them is known: declared ones, arrays at their places, and what the standard leaves open.
//!
//! An application is an unknown. That equal operands have equal results is said by lemmas (Ackermann, *Solvable Cases of the
//! Decision Problem*, 1954).

use crate::solve::float::{Graph, Sort, Term, TermOp};
use std::collections::HashMap;

/// A function, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Function(usize);

/// One application: the operands, and the unknown that is the result.
#[derive(Clone, Debug)]
pub(super) struct Application {
    pub(super) function: Function,
    pub(super) operands: Vec<Term>,
    pub(super) result: Term,
}

/// All functions with their applications.
#[derive(Clone, Debug, Default)]
pub(super) struct Functions {
    applications: Vec<Vec<Application>>,
    known: HashMap<(Function, Vec<Term>), Term>,
    /// Where the application is that an unknown is the result of.
    places: HashMap<Term, (Function, usize)>,
    /// What the standard leaves open, by a name for it.
    open: HashMap<String, Function>,
}

/// The most lemmas for one question.
const MOST_LEMMAS: usize = 3_000_000;

impl Functions {
    /// A new function.
    pub(super) fn declare(&mut self) -> Function {
        self.applications.push(Vec::new());
        Function(self.applications.len() - 1)
    }

    /// The function for what is left open under a name.
    pub(super) fn open(&mut self, name: String) -> Function {
        match self.open.get(&name) {
            Some(known) => *known,
            None => {
                let function = self.declare();
                self.open.insert(name, function);
                function
            }
        }
    }

    /// The value for some operands.
    pub(super) fn apply(&mut self, graph: &mut Graph, function: Function, operands: &[Term], sort: Sort) -> Term {
        let key = (function, operands.to_vec());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let result = graph.variable(sort);
        self.known.insert(key, result);
        self.places.insert(result, (function, self.applications[function.0].len()));
        self.applications[function.0].push(Application { function, operands: operands.to_vec(), result });
        result
    }

    /// The application that an unknown is the result of, and all of that function.
    pub(super) fn application(&self, result: Term) -> Option<(&Application, &[Application])> {
        let (function, place) = self.places.get(&result)?;
        let all = self.of(*function);
        Some((&all[*place], all))
    }

    /// The applications of a function.
    pub(super) fn of(&self, function: Function) -> &[Application] {
        &self.applications[function.0]
    }

    /// All operands of applications whose results are used, which are used then.
    pub(super) fn extend(&self, used: &[bool], roots: &mut Vec<Term>) -> bool {
        let mut changed = false;
        for application in self.applications.iter().flatten() {
            if is_used(used, application.result) {
                for operand in application.operands.iter().filter(|t| !is_used(used, **t)) {
                    roots.push(*operand);
                    changed = true;
                }
            }
        }
        changed
    }

    /// That functions have one value for the same operands, as far as results are used; `None` where that is too much.
    pub(super) fn lemmas(&self, graph: &mut Graph, used: &[bool]) -> Option<Vec<Term>> {
        let mut lemmas = Vec::new();
        for applications in &self.applications {
            let applications: Vec<&Application> = applications.iter().filter(|a| is_used(used, a.result)).collect();
            for (k, a) in applications.iter().enumerate() {
                for b in &applications[..k] {
                    if let Some(lemma) = congruence(graph, a, b) {
                        lemmas.push(lemma);
                    }
                }
                if lemmas.len() > MOST_LEMMAS || crate::halt::requested() {
                    return None;
                }
            }
        }
        Some(lemmas)
    }
}

/// Whether a term is used, of which terms that were made later know nothing.
pub(super) fn is_used(used: &[bool], term: Term) -> bool {
    used.get(term.index()).copied().unwrap_or(false)
}

/// That two applications have one value where their operands are the same; nothing where these surely differ.
fn congruence(graph: &mut Graph, a: &Application, b: &Application) -> Option<Term> {
    let mut differ = Vec::new();
    for (x, y) in a.operands.iter().zip(&b.operands) {
        if surely_differ(graph, *x, *y) {
            return None;
        }
        let same = graph.apply(TermOp::Same, Sort::Bool, &[*x, *y]);
        differ.push(graph.not(same));
    }
    differ.push(graph.apply(TermOp::Same, Sort::Bool, &[a.result, b.result]));
    Some(graph.any(&differ))
}

/// Whether two terms are known to be different values.
pub(super) fn surely_differ(graph: &Graph, x: Term, y: Term) -> bool {
    let is_constant = |t: Term| matches!(graph.op(t), TermOp::Const(_) | TermOp::Wide(_));
    x != y && is_constant(x) && is_constant(y)
}
