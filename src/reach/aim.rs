//! Goals that a person names: a branch by its line, a line, or what is asked of operations.

use crate::code::probe::Probe;
use crate::code::program::{BranchGoal, CodeProgram};
use std::fmt;

/// What is to be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The tests of this line come out true, or false; of a switch, go to this arm.
    Branch(u32, u32),
    /// A line to which a branch leads.
    Line(u32),
    /// A "yes" to what the module is asked, on this line or on any; of comparisons, that their sides are equal.
    Asked(Option<u32>),
}

/// Why there is no such goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AimError {
    /// No test stands on the line; with the lines that have one.
    NoTest(u32, Vec<u32>),
    /// No branch leads to the line; with the lines to which one does.
    NotLedTo(u32, Vec<u32>),
    /// Nothing is asked on the line, or on any; with the lines on which something is.
    NotAsked(Option<u32>, Vec<u32>),
}

impl fmt::Display for AimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |lines: &[u32]| {
            let all: Vec<String> = lines.iter().take(40).map(u32::to_string).collect();
            if all.is_empty() { "none".to_owned() } else { all.join(", ") }
        };
        match self {
            AimError::NoTest(line, has) => {
                write!(f, "no test stands on line {line}\n  hint: lines with tests: {}", list(has))
            }
            AimError::NotLedTo(line, has) => {
                write!(f, "no branch leads to line {line}\n  hint: lines to which branches lead: {}", list(has))
            }
            AimError::NotAsked(None, _) => write!(f, "the code has nothing of that kind"),
            AimError::NotAsked(Some(line), has) => {
                write!(f, "nothing of that kind stands on line {line}\n  hint: lines that have it: {}", list(has))
            }
        }
    }
}

impl std::error::Error for AimError {}

/// The branches, any of which does, among those of these functions.
///
/// # Errors
/// If there is none.
pub fn goals(program: &CodeProgram, functions: &[u32], aim: &Aim) -> Result<Vec<BranchGoal>, AimError> {
    let sites = program.sites(functions);
    let ways = |site: u32| (0..program.module.sites[site as usize].ways).map(move |way| BranchGoal { site, way });
    let probe = |goal: &BranchGoal| program.module.sites[goal.site as usize].probe;
    let of_kind = |goal: &BranchGoal| match (aim, probe(goal)) {
        // At a boundary the sides are equal; their neighbours are goals of coverage alone.
        (Aim::Asked(_), Some(Probe::Below(_) | Probe::Above(_)) | None) => false,
        (Aim::Asked(_), Some(_)) => goal.way == 1,
        (_, asked) => asked.is_none(),
    };
    let all: Vec<BranchGoal> = sites.iter().flat_map(|(site, _)| ways(*site)).filter(of_kind).collect();
    let line = |goal: &BranchGoal| match aim {
        Aim::Branch(..) | Aim::Asked(_) => program.place(goal.site).map(|p| p.line),
        Aim::Line(_) => program.leads_to(*goal),
    };
    let (wanted, way) = match aim {
        Aim::Branch(line, way) => (Some(*line), Some(*way)),
        Aim::Line(line) => (Some(*line), None),
        Aim::Asked(line) => (*line, None),
    };
    let fits = |goal: &&BranchGoal| (wanted.is_none() || line(goal) == wanted) && way.is_none_or(|w| w == goal.way);
    let found: Vec<BranchGoal> = all.iter().filter(fits).copied().collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let mut lines: Vec<u32> = all.iter().filter_map(line).collect();
    lines.sort_unstable();
    lines.dedup();
    Err(match aim {
        Aim::Branch(line, _) => AimError::NoTest(*line, lines),
        Aim::Line(line) => AimError::NotLedTo(*line, lines),
        Aim::Asked(line) => AimError::NotAsked(*line, lines),
    })
}
