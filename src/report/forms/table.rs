//! `summary.csv`: numbers of mutants.

use super::{INTERRUPTED, Stored};
use crate::mutate::MutationOperator;
use crate::record::store::FileKind;
use crate::record::table::Table;
use crate::suite::Standing;
use crate::unfit::Unfit;

/// By what a file of it is known.
pub(super) const KIND: FileKind =
    FileKind { name: "a table of numbers", start: "specification,requirement,objective,operator,", inside: "" };

/// A row for each specification, operator with mutants, and status; zeros included, so that columns can be compared.
pub(super) fn text(run: &[Stored]) -> Result<Vec<u8>, Unfit> {
    let mut table = Table::new(["specification", "requirement", "objective", "operator", "status", "mutants"]);
    for one in run {
        if one.part.manifest.interrupted {
            table.row([one.name(), one.requirement().unwrap_or_default(), "", "", INTERRUPTED, "0"]);
        }
        for operator in MutationOperator::ALL {
            let of = || one.mutants().iter().filter(|m| m.operator == operator);
            for status in Standing::OF_A_RUN.into_iter().filter(|_| of().next().is_some()) {
                let count = of().filter(|m| m.status == Some(status)).count().to_string();
                let requirement = one.requirement().unwrap_or_default();
                table.row([one.name(), requirement, operator.objective(), operator.name(), status.name(), &count]);
            }
        }
    }
    Ok(table.finish())
}
