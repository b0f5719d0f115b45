//! Clauses, and the solvers that are asked about them: CaDiCaL, and BatSat, which shares no code with it, for proofs looked at again.

use crate::halt;
use batsat::{Lit, SolverInterface as _, Var, lbool};

/// A solver and the clauses that it knows. A literal is a variable's number from 1 on, or the opposite of that.
pub(super) enum ClauseSolver {
    Cadical(cadical::Solver<Halted>),
    Batsat(Box<batsat::Solver<Limited>>),
}

/// What ends CaDiCaL early.
pub(super) struct Halted;

impl cadical::Callbacks for Halted {
    fn terminate(&mut self) -> bool {
        halt::requested()
    }
}

/// What ends BatSat early.
#[derive(Default)]
pub(super) struct Limited {
    /// Clauses that may be learnt yet: one for each conflict.
    left: u64,
}

impl batsat::Callbacks for Limited {
    fn on_new_clause(&mut self, _: &[Lit], kind: batsat::ClauseKind) {
        if kind == batsat::ClauseKind::Learnt {
            self.left = self.left.saturating_sub(1);
        }
    }
    fn stop(&self) -> bool {
        self.left == 0 || halt::requested()
    }
}

fn truth(value: lbool) -> Option<bool> {
    (value != lbool::UNDEF).then_some(value == lbool::TRUE)
}

fn literal(number: i32) -> Lit {
    Lit::new(Var::unsafe_from_idx(number.unsigned_abs()), number > 0)
}

impl ClauseSolver {
    pub(super) fn cadical() -> Self {
        let mut solver = cadical::Solver::new();
        solver.set_callbacks(Some(Halted));
        ClauseSolver::Cadical(solver)
    }

    pub(super) fn batsat() -> Self {
        ClauseSolver::Batsat(Box::new(batsat::Solver::new(batsat::SolverOpts::default(), Limited::default())))
    }

    /// That one of these is true.
    pub(super) fn add_clause(&mut self, any: impl IntoIterator<Item = i32>) {
        match self {
            ClauseSolver::Cadical(solver) => solver.add_clause(any),
            ClauseSolver::Batsat(solver) => {
                let mut clause: Vec<Lit> = any.into_iter().map(literal).collect();
                if let Some(last) = clause.iter().map(|l| l.var().idx()).max() {
                    solver.var_of_int(last);
                }
                solver.add_clause_reuse(&mut clause);
            }
        }
    }

    /// Whether all clauses can be true, and what is assumed; with so many conflicts at most. `None`: it is not known.
    pub(super) fn solve(&mut self, assumed: impl IntoIterator<Item = i32>, conflicts: Option<i32>) -> Option<bool> {
        match self {
            ClauseSolver::Cadical(solver) => {
                if let Some(most) = conflicts {
                    // The name is one that the solver has.
                    let _ = solver.set_limit("conflicts", most);
                }
                solver.solve_with(assumed)
            }
            ClauseSolver::Batsat(solver) => {
                solver.cb_mut().left = conflicts.map_or(u64::MAX, |n| u64::from(n.unsigned_abs()));
                let assumed: Vec<Lit> = assumed.into_iter().map(literal).collect();
                for assumption in &assumed {
                    solver.var_of_int(assumption.var().idx());
                }
                truth(solver.solve_limited(&assumed))
            }
        }
    }

    /// What a literal is in the solution that was found last, if anything is said of it.
    pub(super) fn value(&self, number: i32) -> Option<bool> {
        match self {
            ClauseSolver::Cadical(solver) => solver.value(number),
            ClauseSolver::Batsat(solver) => {
                let value = truth(solver.value_var(literal(number).var()));
                value.map(|v| v == (number > 0))
            }
        }
    }
}
