//! What `reach` found: paths, or what became of a goal.

use super::Document;
use super::proved::{BranchCode, ProvedModule};
use crate::code::machine::Trap;
use crate::code::program::{BranchGoal, CodeProgram};
use crate::decide::{Confirmation, DecisionWork};
use crate::reach::coverage::{Coverage, Reached};
use crate::reach::paths::{OpenReason, PathOutcome, PathRow, PathTable};
use crate::reach::replay::Replayed;
use crate::reach::value::text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What became of a path, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PathStatus {
    /// An input follows it.
    Feasible,
    /// Proved that none does.
    Infeasible,
    /// Neither.
    Open,
}

/// A path.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListedPath {
    /// Its decisions that depend on inputs: T where the test of the code holds, F where it fails, the arm of a switch.
    pub path: String,
    /// What is asked of an operation, where the goal is no branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// The lines of the source at which they are made; 0 where they are not known.
    pub lines: Vec<u32>,
    /// What became of it.
    pub status: PathStatus,
    /// The input, floats in hexadecimal; empty where there is none.
    pub input: Vec<String>,
    /// The same in decimal.
    pub input_dec: Vec<String>,
    /// The function's result with it.
    pub result: Option<String>,
    /// Why it is open.
    pub reason: Option<String>,
    /// Boxes that were looked at.
    pub boxes: u64,
    /// Points at which the path's conditions were evaluated.
    pub evaluations: u64,
    /// Where a proof was looked at again, by plain evaluation of boxes or by the other engine, what it came to.
    pub confirmation: Option<Confirmation>,
}

/// ListedPaths that were looked at.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Listing {
    /// The function.
    pub function: String,
    /// The files of its code, as they were named.
    #[serde(default)]
    pub code: Vec<String>,
    /// What was asked, as options say it.
    #[serde(default)]
    pub question: String,
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Whether every input follows one of these paths.
    pub complete: bool,
    /// How many are feasible.
    pub feasible: usize,
    /// How many are proved infeasible.
    pub infeasible: usize,
    /// How many are neither.
    pub open: usize,
    /// What proofs that no input follows a path take for granted.
    pub given: Vec<String>,
    /// The paths, fails before holds.
    pub paths: Vec<ListedPath>,
    /// Where the branches that are the goal stand in the module, any of which does; none of paths, and where it is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<BranchCode>,
    /// The module, where a file has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<ProvedModule>,
    /// What the inputs came to in a native program, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native: Option<Replayed>,
}

/// What `magneto reach --path` and `--paths` print with `--json`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListedPaths {
    /// What was found.
    #[serde(flatten)]
    pub listing: Listing,
}

impl Document for ListedPaths {
    const SCHEMA: &'static str = "magneto/paths/1";
    const WRITER: &'static str = "reach";
}

/// What `magneto reach` prints with `--json` of any other goal, as one path.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListedGoal {
    /// What was found.
    #[serde(flatten)]
    pub listing: Listing,
}

impl Document for ListedGoal {
    const SCHEMA: &'static str = "magneto/reach/1";
    const WRITER: &'static str = "reach";
}

/// A decision as a letter.
fn letter(program: &CodeProgram, goal: BranchGoal) -> String {
    match (program.module.sites[goal.site as usize].ways, goal.way) {
        (2, 0) => "F".to_owned(),
        (2, _) => "T".to_owned(),
        (_, arm) => format!("[{arm}]"),
    }
}

/// What a function gave, for people.
pub(super) fn result(program: &CodeProgram, outcome: &Result<Option<u64>, Trap>) -> String {
    match (outcome, program.result()) {
        (Ok(Some(bits)), Some(kind)) => text(kind, *bits).1,
        (Ok(_), _) => "none".to_owned(),
        (Err(trap), _) => format!("trap: {trap}"),
    }
}

fn entry(program: &CodeProgram, row: &PathRow) -> ListedPath {
    let texts = |bits: &[u64]| -> Vec<(String, String)> {
        program.inputs.iter().zip(bits).map(|(i, x)| text(i.kind, *x)).collect()
    };
    let (status, input, given, reason) = match &row.outcome {
        PathOutcome::Feasible(input, outcome) => {
            (PathStatus::Feasible, texts(input), Some(result(program, outcome)), None)
        }
        PathOutcome::Infeasible => (PathStatus::Infeasible, Vec::new(), None, None),
        PathOutcome::Open(reason) => (PathStatus::Open, Vec::new(), None, Some(reason.words().to_owned())),
    };
    ListedPath {
        path: row.decisions.iter().map(|g| letter(program, *g)).collect(),
        asked: row.decisions.iter().find_map(|g| program.asked(g.site)),
        lines: row.decisions.iter().map(|g| program.place(g.site).map_or(0, |p| p.line)).collect(),
        status,
        input: input.iter().map(|t| t.0.clone()).collect(),
        input_dec: input.into_iter().map(|t| t.1).collect(),
        result: given,
        reason,
        boxes: row.work.boxes,
        evaluations: row.work.evaluations,
        confirmation: row.confirmation.clone(),
    }
}

impl ListedPath {
    /// Whether a proof was looked at again and does not hold.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        matches!(self.confirmation, Some(Confirmation::Refuted(_)))
    }
}

/// Why a path is open whose proof was withdrawn.
const WITHDRAWN: &str = "proved infeasible, but the native program does not do what the module does";

impl Listing {
    /// Withdraws what is called infeasible where the native program does not do what the module does: which of them the user has is not
    /// known then.
    pub fn withdraw_proofs(&mut self) {
        if !self.native.as_ref().is_some_and(Replayed::differs) {
            return;
        }
        for path in self.paths.iter_mut().filter(|p| p.status == PathStatus::Infeasible) {
            path.status = PathStatus::Open;
            path.reason = Some(WITHDRAWN.to_owned());
            path.confirmation = None;
        }
        self.complete &= self.infeasible == 0;
        self.open += std::mem::take(&mut self.infeasible);
        self.given.clear();
    }

    /// Of what was found.
    #[must_use]
    pub fn new(program: &CodeProgram, table: &PathTable) -> Self {
        let paths: Vec<ListedPath> = table.rows.iter().map(|r| entry(program, r)).collect();
        let count = |status| paths.iter().filter(|p| p.status == status).count();
        Listing {
            function: program.name().to_owned(),
            code: Vec::new(),
            question: String::new(),
            inputs: program.inputs.iter().map(|i| i.name.clone()).collect(),
            complete: table.complete,
            feasible: count(PathStatus::Feasible),
            infeasible: count(PathStatus::Infeasible),
            open: count(PathStatus::Open),
            given: match count(PathStatus::Infeasible) {
                0 => Vec::new(),
                _ => program.assumptions(program.given_of_paths(table.is_given_library())),
            },
            paths,
            branches: Vec::new(),
            module: None,
            native: None,
        }
    }

    /// Of a search for goals, any of which does: an input, or that each of them is infeasible.
    #[must_use]
    pub fn of_goals(program: &CodeProgram, coverage: &Coverage<'_>, goals: &[BranchGoal]) -> Self {
        let standing = |goal: &BranchGoal| {
            let at = coverage.goals.iter().position(|g| g == goal)?;
            Some((at, &coverage.reached[at]))
        };
        let all: Vec<(usize, &Reached)> = goals.iter().filter_map(standing).collect();
        let boxes = all.iter().map(|(_, r)| if let Reached::Infeasible { boxes, .. } = r { *boxes } else { 0 }).sum();
        let found = all.iter().find_map(|(at, r)| match r {
            Reached::By(n) => Some((*at, &coverage.found[*n])),
            _ => None,
        });
        let (at, outcome) = match found {
            Some((at, f)) => (at, PathOutcome::Feasible(f.input.clone(), f.outcome.clone())),
            None if all.iter().all(|(_, r)| matches!(r, Reached::Infeasible { .. })) => {
                (all.first().map_or(0, |(at, _)| *at), PathOutcome::Infeasible)
            }
            None => (all.first().map_or(0, |(at, _)| *at), PathOutcome::Open(OpenReason::Budget)),
        };
        let infeasible = outcome == PathOutcome::Infeasible;
        let work =
            DecisionWork { boxes, evaluations: coverage.evaluations + coverage.solved, ..DecisionWork::default() };
        let decisions = coverage.goals.get(at).copied().into_iter().collect();
        let row = PathRow { work, ..PathRow::new(decisions, outcome) };
        let given =
            all.iter().filter_map(|(_, r)| if let Reached::Infeasible { given, .. } = r { Some(*given) } else { None });
        let given = if infeasible { given.max().map_or(Vec::new(), |g| program.assumptions(g)) } else { Vec::new() };
        let branches: Option<Vec<BranchCode>> = goals.iter().map(|goal| BranchCode::of(program, *goal)).collect();
        let branches = branches.filter(|_| given.is_empty()).unwrap_or_default();
        let module = if branches.is_empty() { None } else { ProvedModule::of(program) };
        let table = PathTable { rows: vec![row], complete: true, whole: false };
        Listing { given, branches, module, ..Listing::new(program, &table) }
    }

    /// Whether nothing is open or unseen, and no proof that was looked at again unconfirmed.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.open == 0
            && self.complete
            && !self.paths.iter().any(|p| matches!(p.confirmation, Some(Confirmation::Open(_))))
    }
}
