//! The mutants of a run of the evaluation by operator and objective.

use super::fpbench::Plan;
use super::published::TYPES;
use super::rows::{Run, published};
use crate::mutate::Operator;
use crate::suite::Counts;

/// The mutants of a row of [`by_operator`].
pub(super) struct Group {
    pub(super) objective: &'static str,
    pub(super) operator: &'static str,
    pub(super) counts: Counts,
    /// How many the paper counted for the same formulas.
    pub(super) published: Option<usize>,
}

/// By operator, then by objective, then all.
pub(super) fn by_operator(plan: &Plan, run: &Run) -> Vec<Group> {
    let of_type = |o: Operator| {
        let at = TYPES.iter().position(|t| *t == o)?;
        plan.is_counted().then(|| run.found().filter_map(|(r, _)| published(r)).map(|p| p[at]).sum::<usize>())
    };
    let group = |objective, operator, some: &[Operator]| {
        let counts: Vec<Counts> = some.iter().map(|o| run.of_operator(*o)).collect();
        let types: Vec<usize> = some.iter().filter_map(|o| of_type(*o)).collect();
        let published = (!types.is_empty()).then(|| types.iter().sum());
        Group { objective, operator, counts: counts.iter().sum(), published }
    };
    let mut groups: Vec<Group> = Operator::ALL.iter().map(|o| group(o.objective(), o.name(), &[*o])).collect();
    for objective in ["precision", "robustness", "functional"] {
        let some: Vec<Operator> = Operator::ALL.into_iter().filter(|o| o.objective() == objective).collect();
        groups.push(group(objective, "all", &some));
    }
    groups.push(group("all", "all", &Operator::ALL));
    groups
}
