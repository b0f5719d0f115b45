//! Second-order mutants against their parts.

use crate::suite::{Judged, Row, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// How second-order mutants compare with the two first-order ones that each is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SecondOrder {
    /// All of them.
    pub mutants: usize,
    /// Those that are killed.
    pub killed: usize,
    /// Those that are killed, and only by tests that kill both of their parts: they strongly subsume them (Jia and Harman,
    /// 2009) on the tests of the run.
    pub subsuming: usize,
}

/// The comparison on the tests of a run; none where there is no second-order mutant.
#[must_use]
pub fn second_order(judged: &[Judged], matrix: &[Row]) -> Option<SecondOrder> {
    let places: HashMap<&str, usize> = judged.iter().enumerate().map(|(i, j)| (j.mutant.id.as_str(), i)).collect();
    let mut all = SecondOrder::default();
    for (mutant, one) in judged.iter().enumerate() {
        let Some(parts) = &one.mutant.parts else { continue };
        all.mutants += 1;
        if one.status != Status::Killed {
            continue;
        }
        all.killed += 1;
        let parts: Vec<usize> = parts.iter().filter_map(|id| places.get(id.as_str()).copied()).collect();
        let mut killers = matrix.iter().filter(|row| row[mutant].is_kill());
        all.subsuming += usize::from(killers.all(|row| parts.iter().all(|part| row[*part].is_kill())));
    }
    (all.mutants > 0).then_some(all)
}
