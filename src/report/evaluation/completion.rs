//! What `eval --complete` found: tests that are redundant, what tolerances let pass, where what is missed lies; and the completed tests
//! as a file.

use super::{EvaluationReport, line};
use crate::num::float::hex;
use crate::num::float::rational_to_f64;
use crate::num::mpfr::Round;
use crate::record::evaluation::{CompletionRecord as Document, Named};
use crate::record::store::FileKind;
use crate::record::table::Table;
use crate::record::tests::Owed;
use crate::record::{Fields, manifest};
use crate::suite::{KeptTests, Whereabouts};
use crate::testfile::{Expected, TestRecord};
use std::fmt::Write as _;

/// The completed tests, as a file.
pub const COMPLETED: FileKind =
    FileKind { name: "a completed test file", start: "test_id,", inside: ",abs_tol,origin,reason" };

/// The tests with what was found of them.
#[derive(Clone, Copy)]
pub struct Completion<'a> {
    /// All of them, with what they kill.
    pub kept: &'a KeptTests,
    /// Those that can be taken out together, by index.
    pub redundant: &'a [usize],
}

/// The most that a line names.
const NAMED: usize = 8;

impl EvaluationReport<'_> {
    /// Where the missed mutants would be killed, by input.
    fn missed_at(&self) -> Vec<(String, Whereabouts)> {
        let end = |b: &Option<crate::spec::RangeEnd>| b.as_ref().map(|b| rational_to_f64(&b.value, Round::Down));
        let inputs = &self.suite.spec.inputs;
        let ranges: Vec<Option<(f64, f64)>> = inputs.iter().map(|i| end(&i.range.lo).zip(end(&i.range.hi))).collect();
        let along = self.adequacy().whereabouts(&ranges);
        inputs.iter().zip(along).filter_map(|(i, w)| Some((i.name.clone(), w?))).collect()
    }

    pub(super) fn completion_document(&self) -> Option<Document> {
        let Completion { kept, redundant } = self.completion?;
        let named = |t: &usize| Named { test: kept.records[*t].id.clone(), line: kept.records[*t].line };
        let id = |m: usize| self.suite.generated.mutants[m].mutant.id.clone();
        let let_pass = self.adequacy().let_pass();
        Some(Document {
            redundant: redundant.iter().map(named).collect(),
            let_pass: let_pass.into_iter().map(id).collect(),
            missed_at: Fields(self.missed_at()),
        })
    }

    pub(super) fn completion_text(&self, out: &mut String) {
        let Some(Completion { kept, redundant }) = self.completion else { return };
        let some = |names: Vec<&str>| {
            let more = names.len().saturating_sub(NAMED);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{}{rest}", names[..names.len().min(NAMED)].join(", "))
        };
        line(out, "redundant", redundant.len());
        if !redundant.is_empty() {
            let names = redundant.iter().map(|t| kept.records[*t].id.as_str()).collect();
            let _ = writeln!(out, "    {}", some(names));
            out.push_str("    without them the others kill the same mutants: they were judged again\n");
        }
        if super::missed(&self.counts()) > 0 {
            out.push_str("  where the missed would be killed, by input\n");
            for (name, w) in self.missed_at() {
                let Whereabouts { low, high, outside, elsewhere } = w;
                let _ = writeln!(
                    out,
                    "    {name}: in the lowest tenth {low}, in the highest tenth {high}, outside its range {outside}, elsewhere {elsewhere}"
                );
            }
        }
    }

    /// The tests as they are, and those that close the gap, as a file that `eval` reads.
    #[must_use]
    pub fn completed_csv(&self) -> Vec<u8> {
        let inputs: Vec<String> = manifest::inputs(self.suite.spec).into_iter().map(|i| i.column).collect();
        let after = ["lo", "hi", "expected", "abs_tol", "origin", "reason"].map(str::to_owned);
        let mut table = Table::new(["test_id".to_owned()].into_iter().chain(inputs).chain(after));
        let records = self.completion.iter().flat_map(|c| &c.kept.records);
        for record in records {
            let expected = record.expected.map(|e| match e {
                Expected::Value(y) => hex(y),
                Expected::Response(r) => r.name().to_owned(),
            });
            let own = [record.lo.map(hex), record.hi.map(hex), expected, tolerance(record)];
            let inputs = record.input.iter().map(|x| hex(*x));
            let reason = format!("line {} of {}", record.line, self.file);
            let row = std::iter::once(record.id.clone()).chain(inputs).chain(own.map(Option::unwrap_or_default));
            table.row(row.chain(["file".to_owned(), reason]));
        }
        for s in self.suggested() {
            let test = &self.suite.generated.tests[s.test];
            let owed = Owed::new(&test.expectation);
            let ends = [owed.bounds.map(|b| hex(b.0)), owed.bounds.map(|b| hex(b.1)), owed.expected(), None];
            let named: Vec<String> = s.mutants.iter().take(NAMED).map(|m| self.mutant_line(*m)).collect();
            let (n, more) = (s.mutants.len(), s.mutants.len().saturating_sub(NAMED));
            let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
            let reason = format!("kills {n} that the tests before it miss: {}{rest}", named.join("; "));
            let origin = if s.everyday { "added" } else { "added-extreme" };
            let row = std::iter::once(format!("added-{}", test.id)).chain(test.input.iter().map(|x| hex(*x)));
            table.row(row.chain(ends.map(Option::unwrap_or_default)).chain([origin.to_owned(), reason]));
        }
        table.finish()
    }
}

/// A test's own tolerance, where it has no interval: the larger side of what it lets pass.
fn tolerance(record: &TestRecord) -> Option<String> {
    let (Some((lo, hi)), Some(Expected::Value(y)), None) = (record.passes, record.expected, record.lo.or(record.hi))
    else {
        return None;
    };
    Some(hex((hi - y).max(y - lo)))
}
