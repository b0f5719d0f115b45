//! `summary.csv`: numbers of mutants.

use super::Stored;
use crate::mutate::Operator;
use crate::report::csv::Table;

/// Every status, as it stands in files.
pub(super) const STATUSES: [&str; 6] =
    ["killed", "probable", "equivalent", "indistinguishable", "undecided", "accepted"];

/// A row for each specification, operator with mutants, and status; zeros included, so that columns can be compared.
pub(super) fn text(run: &[Stored]) -> Result<Vec<u8>, String> {
    let mut table = Table::new(["specification", "requirement", "objective", "operator", "status", "mutants"]);
    for one in run {
        for operator in Operator::ALL {
            let of = || one.mutants.iter().filter(|m| m.operator == operator.name());
            for status in STATUSES.iter().filter(|_| of().next().is_some()) {
                let count = of().filter(|m| m.status == *status).count().to_string();
                let requirement = one.requirement.as_deref().unwrap_or_default();
                table.row([&one.name, requirement, operator.objective(), operator.name(), status, &count]);
            }
        }
    }
    Ok(table.finish())
}
