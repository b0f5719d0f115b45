//! What each part of the solver is worth: the same pairs with one part switched off at a time.

use super::NotMade;
use super::solver::{Setup, SolverRow, families, pairs};
use crate::csp::Encoding;
use crate::solve::Limits;
use std::time::Duration;

/// One way to run the solver, and what it reached.
#[derive(Clone, Debug)]
pub struct Worth {
    /// What is on or off.
    pub name: &'static str,
    /// Pairs decided rightly.
    pub decided: usize,
    /// Pairs decided wrongly: a defect.
    pub wrong: usize,
    /// All pairs.
    pub pairs: usize,
    /// Boxes looked at.
    pub boxes: u64,
    /// Solve time of all pairs.
    pub time: Duration,
}

/// A budget that keeps the whole comparison short. Unit: boxes.
const BUDGET: u64 = 5000;

/// Run the named pairs and the generated families with everything, and with one part off at a time. Neither probes nor
/// normal forms: they would settle most of it beforehand.
///
/// # Errors
/// A sentence, if the pairs cannot be read: a defect of the program.
pub fn worth() -> Result<Vec<Worth>, NotMade> {
    let all = Limits { boxes: BUDGET, ..Limits::default() };
    let ways = [
        ("everything", all),
        ("without HC4", Limits { hc4: false, shave: false, ..all }),
        ("without mean value", Limits { mean_value: false, ..all }),
        ("without shaving", Limits { shave: false, ..all }),
        ("without MPFR boxes", Limits { multi: false, ..all }),
        ("bisection only", Limits { hc4: false, mean_value: false, shave: false, multi: false, ..all }),
        ("largest width first", Limits { bisection: crate::solve::Bisection::Largest, ..all }),
        ("round robin", Limits { bisection: crate::solve::Bisection::RoundRobin, ..all }),
    ];
    ways.into_iter()
        .map(|(name, limits)| {
            let setup = Setup { encoding: Encoding::Separation, repeat: 1, limits, search_only: true };
            let mut rows = pairs(setup)?;
            rows.extend(families(setup)?.into_iter().map(|(_, row)| row));
            Ok(summary(name, &rows))
        })
        .collect()
}

fn summary(name: &'static str, rows: &[SolverRow]) -> Worth {
    let answers = |right| rows.iter().filter(|r| r.verdict().1 == Some(right)).count();
    Worth {
        name,
        decided: answers(true),
        wrong: answers(false),
        pairs: rows.len(),
        boxes: rows.iter().map(|r| r.stats.boxes).sum(),
        time: rows.iter().map(|r| r.time).sum(),
    }
}
