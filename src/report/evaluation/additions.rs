//! Tests that are suggested: at everyday magnitudes first, and what the score is with them.

use super::{EvaluationReport, LINES, NAMED, owed};
use crate::report::words;
use crate::suite::{MatrixCell, ScoreShare, Standing, is_everyday};
use std::fmt::Write as _;

/// A test that is suggested, and the mutants for which it is.
pub(super) struct Suggested {
    /// By index among those of the run.
    pub(super) test: usize,
    /// Those that no test before it kills.
    pub(super) mutants: Vec<usize>,
    /// Whether a person would write its inputs, see [`is_everyday`].
    pub(super) everyday: bool,
}

impl EvaluationReport<'_> {
    /// The suggested tests, those at everyday magnitudes first; each mutant counts for the first that kills it.
    pub(super) fn suggested(&self) -> Vec<Suggested> {
        if !self.suggest {
            return Vec::new();
        }
        let (run, spec) = (self.suite.generated, self.suite.spec);
        let mut open = self.adequacy().with(Standing::Missed);
        let mut chosen: Vec<(bool, usize)> =
            self.adequacy().suggested(spec).into_iter().map(|t| (is_everyday(spec, &run.tests[t].input), t)).collect();
        chosen.sort_by_key(|(everyday, _)| !everyday);
        let one = |(everyday, test): (bool, usize)| {
            let killed = |m: &usize| matches!(run.matrix[test][*m], MatrixCell::Ko { .. } | MatrixCell::Probable);
            let mutants = open.iter().copied().filter(killed).collect();
            open.retain(|m| !killed(m));
            Suggested { test, mutants, everyday }
        };
        chosen.into_iter().map(one).collect()
    }

    /// The rigorous score with the suggested tests at everyday magnitudes, and with all of them; none where none is suggested.
    pub(super) fn after(&self) -> Option<(ScoreShare, ScoreShare)> {
        let suggested = self.suggested();
        let with = |only: bool| {
            let some: Vec<usize> = suggested.iter().filter(|s| s.everyday || !only).map(|s| s.test).collect();
            self.adequacy().counts_with(&some).rigorous()
        };
        (!suggested.is_empty()).then(|| (with(true), with(false)))
    }

    pub(super) fn suggested_text(&self, out: &mut String) {
        let suggested = self.suggested();
        if suggested.is_empty() {
            return;
        }
        let (tests, all) = (suggested.len(), self.adequacy().with(Standing::Missed).len());
        let _ = writeln!(out, "  suggested           {tests} tests, which kill the {all} that are missed");
        let shown = if self.written.is_some() { LINES } else { tests };
        let mut everyday = true;
        for s in suggested.iter().take(shown) {
            if everyday && !s.everyday {
                everyday = false;
                out.push_str("    at extreme magnitudes, which nobody would write by hand:\n");
            }
            self.suggestion_text(s, out);
        }
        if let Some(file) = self.written
            && tests > shown
        {
            let _ = writeln!(out, "    … and {} more in {file}", tests - shown);
        }
    }

    fn suggestion_text(&self, s: &Suggested, out: &mut String) {
        let test = &self.suite.generated.tests[s.test];
        let _ = writeln!(out, "    {}  {}", test.id, words::input(self.suite.spec, &test.input));
        let _ = writeln!(out, "          {}", owed(&test.expectation));
        let ids: Vec<&str> = s.mutants.iter().map(|m| self.suite.generated.mutants[*m].mutant.id.as_str()).collect();
        let more = if ids.len() > NAMED { format!(" and {} more", ids.len() - NAMED) } else { String::new() };
        let _ = writeln!(out, "          kills {}{more}", ids[..ids.len().min(NAMED)].join(" "));
    }

    /// The score as it is and as it would be, where it is not scrolled away.
    pub(super) fn after_text(&self, out: &mut String) {
        let Some((everyday, all)) = self.after() else { return };
        let suggested = self.suggested();
        let few = suggested.iter().filter(|s| s.everyday).count();
        let said = |share: ScoreShare| format!("{} ({} of {})", share.text(), share.part, share.whole);
        out.push_str("  rigorous score\n");
        let mut row = |name: &str, share| {
            let _ = writeln!(out, "    {:<30}  {}", name, said(share));
        };
        row("of the tests as they are", self.counts().rigorous());
        if few > 0 && few < suggested.len() {
            row(&format!("with {few} at everyday magnitudes"), everyday);
        }
        row(&format!("with all {} suggested", suggested.len()), all);
    }
}
