//! Proofs that no input takes a branch, attacked by calls of a native program that are made up: what is found there is run in
//! the interpreter, and takes what was left open, or contradicts a proof.

use super::coverage::{Coverage, Reached};
use super::lines::Counts;
use super::paths::{Explorer, PathLimits, PathOutcome, PathRow};
use super::pool::pool;
use super::value::text;
use crate::code::attack::{CallPlan, KeptCall};
use crate::code::given::Given;
use crate::code::native::{Native, NativeError};
use crate::code::program::{BranchGoal, CodeProgram};
use crate::code::run::Runner;
use crate::floats::BitsKind;
use crate::halt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A branch that was proved infeasible and is taken: a bug of the proof, or of the interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The branch, or those of its line.
    pub branches: Vec<String>,
    /// The function and an input that takes it, floats in hexadecimal; none where it is not known which one does.
    pub input: Option<Vec<String>>,
    /// Whether it takes the branch in the interpreter as well.
    pub is_interpreted: bool,
    /// Whether the input asks for objects that proofs leave out.
    pub is_beyond_proofs: bool,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.input.as_ref().map_or(String::new(), |input| format!(" by {}", input.join(" ")));
        let whose = if self.is_interpreted { "" } else { " in a native program" };
        write!(f, "{} was proved infeasible and is taken{at}{whose}", self.branches.join(" or "))
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub enum AttackError {
    /// There is no native program, or it does not answer.
    Native(NativeError),
    /// A proof does not hold.
    Contradicted(Contradiction),
}

impl From<NativeError> for AttackError {
    fn from(e: NativeError) -> Self {
        AttackError::Native(e)
    }
}

impl fmt::Display for AttackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttackError::Native(e) => e.fmt(f),
            AttackError::Contradicted(c) => c.fmt(f),
        }
    }
}

impl std::error::Error for AttackError {}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What an attack came to that contradicted nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Attack {
    /// Calls that were made up.
    pub calls: u64,
    /// Whether these are as many as were meant to be made; otherwise they took too long.
    pub is_whole: bool,
    /// Those that came where none before them did: they are replayed.
    pub kept: usize,
    /// Branches that are called infeasible.
    pub proofs: usize,
    /// Those of them of which the counts of `gcov` tell that none was taken.
    pub compared: usize,
    /// Paths that are called infeasible.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub paths: usize,
    /// Branches that were left open and are taken by a call that was made up.
    pub taken: usize,
    #[serde(skip)]
    pub(super) calls_kept: Vec<KeptCall>,
}

impl Attack {
    /// For a person, in a line.
    #[must_use]
    pub fn text(&self) -> String {
        let end = if self.is_whole { "" } else { " (no more: they took too long)" };
        let mut out = format!("{} calls made up{end}", self.calls);
        if self.proofs > 0 {
            out += &format!(": no infeasible branch of {} taken", self.proofs);
        }
        if self.compared < self.proofs {
            out += &format!(
                " (of {} of them by the interpreter alone: gcov has other branches there)",
                self.proofs - self.compared
            );
        }
        if self.paths > 0 {
            out += &format!(": no infeasible path of {} followed", self.paths);
        }
        if self.taken > 0 {
            out += &format!(", {} open ones taken", self.taken);
        }
        out
    }
}

/// Calls that are made up: about a second where they are short.
const CALLS: u64 = 1_000_000;
/// Instructions of the interpreter in all calls that are run there once more.
const INSTRUCTIONS: u64 = 300_000_000;

/// The function and the inputs, for people.
pub(super) fn shown(program: &CodeProgram, input: &[u64]) -> Vec<String> {
    let kinds = program.inputs.iter().map(|i| i.kind);
    std::iter::once(program.name().to_owned()).chain(kinds.zip(input).map(|(k, x)| text(k, *x).0)).collect()
}

/// A goal, for people.
pub(super) fn named(program: &CodeProgram, goal: BranchGoal) -> String {
    let place = program.place(goal.site).map_or("?".to_owned(), |p| format!("{}:{}:{}", p.file, p.line, p.column));
    match program.asked(goal.site) {
        Some(asked) => format!("{place} {asked}"),
        None => format!("{place} -> line {}", program.leads_to(goal).unwrap_or(0)),
    }
}

/// The goals that are called infeasible.
#[must_use]
pub fn claims(coverage: &Coverage<'_>) -> Vec<BranchGoal> {
    let standing = coverage.goals.iter().zip(&coverage.reached);
    standing.filter(|(_, r)| matches!(r, Reached::Infeasible { .. })).map(|(g, _)| *g).collect()
}

/// Calls of a function that are made up; they begin with some inputs.
fn plan(program: &CodeProgram, begins: Vec<Vec<u64>>) -> CallPlan {
    let kinds: Vec<BitsKind> = program.inputs.iter().map(|i| i.kind).collect();
    let values = pool(program, &kinds).values;
    CallPlan {
        calls: CALLS,
        kinds,
        begins,
        values,
        // Proofs take inputs alone for known of what is there.
        fills: program.givens().contains(&Given::Pointers),
        has_variables: program.module.is_changeable(),
    }
}

/// Attack paths that are called infeasible: which path a call that was made up follows is seen by the interpreter.
///
/// # Errors
/// A path that is called infeasible and is followed; what the native program does not do.
pub fn attack_paths(program: &CodeProgram, native: &Native, rows: &[PathRow]) -> Result<Attack, AttackError> {
    let claimed: Vec<&PathRow> = rows.iter().filter(|row| row.outcome == PathOutcome::Infeasible).collect();
    let Some(decisions) = claimed.iter().map(|row| row.decisions.len()).max() else {
        return Ok(Attack { is_whole: true, ..Attack::default() });
    };
    let feasible = rows.iter().filter_map(|row| match &row.outcome {
        PathOutcome::Feasible(input, _) => Some(input.clone()),
        PathOutcome::Infeasible | PathOutcome::Open(_) => None,
    });
    let attacked = native.attack(&plan(program, feasible.collect()))?;
    let mut explorer = Explorer::new(program, PathLimits { decisions, ..PathLimits::default() });
    for call in attacked.kept.iter().filter(|call| call.filling == 0) {
        if halt::requested() {
            break;
        }
        let (path, _) = explorer.path_of(&call.input);
        let made: Vec<BranchGoal> = path.decisions.iter().map(|decision| decision.goal).collect();
        if let Some(row) = claimed.iter().find(|row| made.starts_with(&row.decisions)) {
            let way = |goal: &BranchGoal| named(program, *goal);
            return Err(AttackError::Contradicted(Contradiction {
                branches: vec![row.decisions.iter().map(way).collect::<Vec<_>>().join(", then ")],
                input: Some(shown(program, &call.input)),
                is_interpreted: true,
                is_beyond_proofs: false,
            }));
        }
    }
    Ok(Attack {
        calls: attacked.calls,
        is_whole: attacked.is_whole,
        kept: attacked.kept.len(),
        paths: claimed.len(),
        calls_kept: attacked.kept,
        ..Attack::default()
    })
}

/// Attack what is called infeasible, and look for what is open. What is found is run, and may take what was open.
///
/// # Errors
/// A goal that is called infeasible and is taken; what the native program does not do.
pub fn attack(program: &CodeProgram, native: &Native, coverage: &mut Coverage<'_>) -> Result<Attack, AttackError> {
    let claimed = claims(coverage);
    if claimed.is_empty() && !coverage.is_open() {
        return Ok(Attack { is_whole: true, ..Attack::default() });
    }
    let attacked = native.attack(&plan(program, coverage.best_inputs()))?;
    let taken = coverage.taken();
    let (mut runner, mut left, mut kept) = (Runner::new(&program.module), INSTRUCTIONS, Vec::new());
    for mut call in attacked.kept {
        // The native program kept to what proofs take for granted.
        call.input = program.within_proofs(call.input);
        if left == 0 {
            break;
        }
        if call.filling == 0 {
            let mut counts = Counts::default();
            // However it ends: what it took counts.
            let _ = program.run(&mut runner, &call.input, &mut counts);
            left = left.saturating_sub(runner.steps());
            if let Some(goal) = claimed.iter().find(|g| counts.of(**g) > 0) {
                return Err(AttackError::Contradicted(Contradiction {
                    branches: vec![named(program, *goal)],
                    input: Some(shown(program, &call.input)),
                    is_interpreted: true,
                    is_beyond_proofs: false,
                }));
            }
            coverage.evaluate(&call.input);
        }
        kept.push(call);
    }
    Ok(Attack {
        calls: attacked.calls,
        is_whole: attacked.is_whole && left > 0,
        kept: kept.len(),
        proofs: claimed.len(),
        compared: 0,
        paths: 0,
        taken: coverage.taken() - taken,
        calls_kept: kept,
    })
}
