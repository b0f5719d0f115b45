//! The mutants of a run of the evaluation by operator and objective.

use super::fpbench::FpbenchPlan;
use super::published::TYPES;
use super::rows::{Run, published};
use crate::mutate::MutationOperator;
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
pub(super) fn by_operator(plan: &FpbenchPlan, run: &Run) -> Vec<Group> {
    let of_type = |o: MutationOperator| {
        let at = TYPES.iter().position(|t| *t == o)?;
        plan.is_counted().then(|| run.found().filter_map(|(r, _)| published(r)).map(|p| p[at]).sum::<usize>())
    };
    let group = |objective, operator, some: &[MutationOperator]| {
        let counts: Vec<Counts> = some.iter().map(|o| run.of_operator(*o)).collect();
        let types: Vec<usize> = some.iter().filter_map(|o| of_type(*o)).collect();
        let published = (!types.is_empty()).then(|| types.iter().sum());
        Group { objective, operator, counts: counts.iter().sum(), published }
    };
    let mut groups: Vec<Group> = MutationOperator::ALL.iter().map(|o| group(o.objective(), o.name(), &[*o])).collect();
    for objective in ["precision", "robustness", "functional"] {
        let some: Vec<MutationOperator> =
            MutationOperator::ALL.into_iter().filter(|o| o.objective() == objective).collect();
        groups.push(group(objective, "all", &some));
    }
    groups.push(group("all", "all", &MutationOperator::ALL));
    groups
}
