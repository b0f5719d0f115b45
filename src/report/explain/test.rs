//! One test of a run explained: its input, what is owed there, and which mutants it is there for.

use crate::record::manifest::hash;
use crate::record::mutants::MutantRow;
use crate::record::tests::TestRow;
use crate::record::{Part, ReadError, VerdictWord, read};
use crate::spec::Spec;
use crate::text::clip;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;

/// The most mutants that the text lists.
const SHOWN: usize = 20;

/// A test with the mutants that it kills.
#[derive(Clone, Debug)]
pub struct ExplainedTest {
    specification: String,
    test: TestRow,
    /// Each mutant that it kills, whether only probably, and how many other tests of the run kill it surely or probably.
    kills: Vec<(MutantRow, bool, usize)>,
}

impl ExplainedTest {
    /// Reads a test of the run in a folder.
    ///
    /// # Errors
    /// What is missing or does not fit, among that a test of this id.
    pub fn of_run(dir: &Path, spec: &Spec, source: &[u8], id: &str) -> Result<Self, ReadError> {
        let (folder, manifest) = read::folder(dir, spec, source)?;
        let misfit = |why: String| ReadError::Misfit(why);
        if manifest.specification.sha256 != hash(source) {
            return Err(misfit(format!("{} is about another version of {}", folder.display(), spec.source_file)));
        }
        let Part { tests, mutants, matrix, .. } = Part::read(&folder)?;
        let Some(place) = tests.tests.iter().position(|t| t.id == id) else {
            let (path, count) = (folder.join("tests.csv"), tests.tests.len());
            return Err(misfit(format!("{} has no test {id}, but {count} others", path.display())));
        };
        let killers = matrix.killers(mutants.mutants.len());
        let kill = |(mutant, verdict): (usize, VerdictWord)| {
            let row = mutants.mutants.get(mutant)?.clone();
            Some((row, verdict == VerdictWord::Probable, killers[mutant].len() - 1))
        };
        let kills = matrix.kills(place).filter_map(kill).collect();
        Ok(ExplainedTest { specification: spec.name.clone(), test: tests.tests[place].clone(), kills })
    }

    /// As a person reads it: mutants that no other test kills first.
    #[must_use]
    pub fn text(&self) -> String {
        let t = &self.test;
        let mut out = format!("test {} of {}\n", t.id, self.specification);
        let mut field = |name: &str, value: &str| {
            let _ = writeln!(out, "  {name:<10}{value}");
        };
        for ((name, exact), (_, dec)) in t.inputs.0.iter().zip(&t.inputs_dec.0) {
            field(name, &format!("{exact} ({dec})"));
        }
        field("owed", &self.owed());
        field("reason", &t.reason);
        let alone = self.kills.iter().filter(|k| k.2 == 0).count();
        let only = if alone > 0 { format!(", {alone} of which no other test kills") } else { String::new() };
        field("kills", &format!("{} mutants{only}; {} more probably", t.kills, t.probable));
        let mut sorted: Vec<_> = self.kills.iter().collect();
        sorted.sort_by_key(|k| k.2);
        for (m, probable, others) in sorted.iter().take(SHOWN) {
            let place = format!("{}:{}", m.line, m.column);
            let change = format!("{} -> {}", clip(&m.before), clip(&m.after));
            let how = if *probable { ", probably" } else { "" };
            let others = if *others == 0 { "no other test".to_owned() } else { format!("{others} other tests") };
            field("", &format!("{}  {:<10}  {place:<7}  {change} ({others}{how})", m.id, m.operator.name()));
        }
        if sorted.len() > SHOWN {
            field("", &format!("… and {} more (--json has all)", sorted.len() - SHOWN));
        }
        out
    }

    /// What a right program returns.
    fn owed(&self) -> String {
        let t = &self.test;
        let both = |exact: &Option<String>, dec: &Option<String>| match (exact, dec) {
            (Some(exact), Some(dec)) => Some(format!("{exact} ({dec})")),
            (exact, _) => exact.clone(),
        };
        match (both(&t.lo, &t.lo_dec), both(&t.hi, &t.hi_dec)) {
            (Some(lo), Some(hi)) => format!("from {lo} to {hi}"),
            _ => both(&t.expected, &t.expected_dec).unwrap_or_else(|| "nothing that is settled".to_owned()),
        }
    }

    /// As a document.
    #[must_use]
    pub fn document(&self) -> impl Serialize {
        #[derive(Serialize)]
        struct KilledBy {
            id: String,
            line: usize,
            column: usize,
            before: String,
            after: String,
            probable: bool,
            other_tests: usize,
        }
        #[derive(Serialize)]
        struct Document {
            schema: &'static str,
            specification: String,
            test: TestRow,
            mutants: Vec<KilledBy>,
        }
        let killed = |(m, probable, others): &(MutantRow, bool, usize)| KilledBy {
            id: m.id.clone(),
            line: m.line,
            column: m.column,
            before: m.before.clone(),
            after: m.after.clone(),
            probable: *probable,
            other_tests: *others,
        };
        Document {
            schema: "magneto/explain-test/1",
            specification: self.specification.clone(),
            test: self.test.clone(),
            mutants: self.kills.iter().map(killed).collect(),
        }
    }
}
