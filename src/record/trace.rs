//! `trace.csv`: from requirements to verdicts.

use super::Part;
use super::matrix::Verdict;
use super::table::Table;
use crate::suite::Standing;
use std::collections::HashMap;

/// What a trace says of a test that kills no mutant.
pub(crate) const KILLS_NOTHING: &str = "kills nothing";
/// What a trace says of a requirement without a test.
pub(crate) const NO_TEST: &str = "no test";

impl Part {
    /// `trace.csv`: for every mutant the tests that kill it. The gaps have rows of their own: a mutant without a test, with
    /// its status and why; a test that kills nothing; a specification without any test.
    #[must_use]
    pub fn trace(&self) -> Vec<u8> {
        let mut table = Table::new(["requirement", "objective", "mutant", "operator", "test", "verdict", "reason"]);
        let requirement = self.manifest.specification.requirement.as_deref().unwrap_or_default();
        let rows: HashMap<&str, usize> = self.matrix.tests.iter().enumerate().map(|(k, t)| (t.as_str(), k)).collect();
        for (column, m) in self.mutants.mutants.iter().enumerate() {
            let mut row = |test: &str, verdict: &str, reason: &str| {
                table.row([requirement, &m.objective, &m.id, m.operator.name(), test, verdict, reason]);
            };
            for test in &m.killed_by {
                let cell = rows.get(test.as_str()).map(|t| self.matrix.rows[*t][column]);
                row(test, cell.map_or("", Verdict::name), "");
            }
            let seen = matches!(m.status, Some(Standing::Killed | Standing::Probable));
            if m.killed_by.is_empty() || !seen {
                row("", m.status_word(), m.why());
            }
        }
        for test in self.tests.tests.iter().filter(|t| t.kills.is_empty() && t.probable.is_empty()) {
            table.row([requirement, "", "", "", &test.id, KILLS_NOTHING, &test.reason]);
        }
        if self.tests.tests.is_empty() {
            table.row([requirement, "", "", "", "", NO_TEST, ""]);
        }
        table.finish()
    }
}
