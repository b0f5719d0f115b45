//! What `magneto cover` found as test cases: a group for each function, a case for each branch.

use super::{place, shown};
use crate::record::cover::{Branch, BranchStatus, CoveredFunction, CoveredFunctions, RefusedFunction};
use crate::report::cases::{CaseGroup, ReportedCase, State};

/// What became of a branch, or of what is asked of an operation.
fn state(function: &CoveredFunction, branch: &Branch) -> State {
    let wrong = |at: &Option<usize>| at.map(|i| &function.runs[i]).filter(|r| r.verdict.as_deref() == Some("KO"));
    match (wrong(&branch.worst).or_else(|| wrong(&branch.by)), branch.status) {
        (Some(run), _) => State::Failed(format!("{} gives {}", shown(&function.inputs, run), run.result)),
        (None, BranchStatus::Taken | BranchStatus::Infeasible) => State::Passed,
        (None, BranchStatus::Given) => State::Open(format!("infeasible, given that {}", branch.given.join(", and "))),
        (None, BranchStatus::Open) => State::Open("not reached, and nothing proved".to_owned()),
    }
}

/// A group for each function. A branch fails where the specification calls a result along it wrong; what is open is not settled; a
/// function that could not be looked into is broken.
#[must_use]
pub fn groups(all: &CoveredFunctions) -> Vec<CaseGroup> {
    let of = |f: &CoveredFunction| {
        let case = |b: &Branch| ReportedCase {
            name: place(b),
            about: format!("{} of {}", b.leads(), f.function),
            state: state(f, b),
        };
        let mut cases: Vec<ReportedCase> = f.branches.iter().map(case).collect();
        if let Some(judging) = &f.judging {
            let wrong = f.runs.iter().filter(|r| r.verdict.as_deref() == Some("KO")).count();
            let state = match wrong {
                0 => State::Passed,
                wrong => State::Failed(format!("{wrong} of {} results are wrong", f.runs.len())),
            };
            cases.push(ReportedCase { name: "results".to_owned(), about: judging.specification.clone(), state });
        }
        if let Some(native) = &f.native {
            let state = if native.differs() { State::Failed(native.text()) } else { State::Passed };
            cases.push(ReportedCase { name: "native program".to_owned(), about: native.compiler.clone(), state });
        }
        CaseGroup { name: f.function.clone(), cases }
    };
    let broken = |r: &RefusedFunction| {
        let state = State::Broken(r.reason.clone());
        CaseGroup {
            name: r.function.clone(),
            cases: vec![ReportedCase { name: "refused".to_owned(), about: r.function.clone(), state }],
        }
    };
    all.functions.iter().map(|f| of(&f.0)).chain(all.refused.iter().map(broken)).collect()
}
