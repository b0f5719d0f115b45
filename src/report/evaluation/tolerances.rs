//! What the tests' own tolerances let pass.

use super::{EvaluationReport, line};
use crate::record::evaluation::OwnTolerances;
use std::fmt::Write as _;

/// The most mutants that a line names.
const NAMED: usize = 8;

impl EvaluationReport<'_> {
    pub(super) fn tolerances_document(&self) -> Option<OwnTolerances> {
        let e = self.evaluation;
        let id = |m: usize| self.suite.generated.mutants[m].mutant.id.clone();
        (e.tolerant > 0).then(|| OwnTolerances {
            tests: e.tolerant,
            loose: e.loose,
            let_pass: self.adequacy().let_pass().into_iter().map(id).collect(),
            rigorous: self.adequacy().counts_with_tolerances().rigorous().into(),
        })
    }

    /// The score as the tests themselves judge results.
    pub(super) fn tolerances_text(&self, out: &mut String) {
        let e = self.evaluation;
        if e.tolerant == 0 {
            return;
        }
        let (let_pass, share) = (self.adequacy().let_pass(), self.adequacy().counts_with_tolerances().rigorous());
        line(out, "with own tolerances", format_args!("{} ({} of {})", share.text(), share.part, share.whole));
        line(out, "  let pass", let_pass.len());
        if let_pass.is_empty() {
            return;
        }
        let ids: Vec<&str> =
            let_pass.iter().map(|m| self.suite.generated.mutants[*m].mutant.id.as_str()).take(NAMED).collect();
        let more = let_pass.len() - ids.len();
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(out, "    {}{rest}", ids.join(", "));
        out.push_str("    the inputs tell these apart, and the tests' own tolerances do not\n");
    }
}
