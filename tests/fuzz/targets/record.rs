//! The documents of a run's folder: what is read is written, and read again as the same document.

#![no_main]

use libfuzzer_sys::fuzz_target;
use magneto::record::json::{document, read};
use magneto::record::{Document, Manifest, Matrix, Overview, Summary};
use magneto::record::{check, checks, cover, covers, evaluation, lint, mutants, reach, resume, shard, share, solve};
use magneto::record::{tests, verification, worst, worsts};
use serde::de::DeserializeOwned;

/// A document twice read, as text: not all can be compared.
fn twice<D: Document + DeserializeOwned>(bytes: &[u8]) -> Option<D> {
    let one: D = read(bytes).ok()?;
    let text = document(&one);
    let two: D = read(&text).unwrap_or_else(|e| panic!("{e:?}: {}", String::from_utf8_lossy(&text)));
    assert!(document(&two) == text, "another document: {}", String::from_utf8_lossy(&text));
    Some(one)
}

fuzz_target!(|bytes: &[u8]| {
    twice::<Manifest>(bytes);
    twice::<Summary>(bytes);
    twice::<Overview>(bytes);
    if let Some(tests) = twice::<tests::Tests>(bytes) {
        tests.tests.iter().for_each(|t| _ = t.case());
    }
    if let Some(mutants) = twice::<mutants::Mutants>(bytes) {
        let _ = (mutants.text(), mutants.counts(), mutants.table());
    }
    if let Some(check) = twice::<check::Check>(bytes) {
        let _ = (check.label().to_owned(), check.disagreement());
    }
    twice::<checks::Checks>(bytes);
    if let Some(cover) = twice::<cover::CoveredFunction>(bytes) {
        let _ = (cover.text(), cover.csv(), cover.tests(), cover.lcov());
    }
    twice::<cover::CoveredFunctions>(bytes);
    twice::<covers::Covers>(bytes);
    twice::<evaluation::Evaluation>(bytes);
    twice::<lint::LintRun>(bytes);
    twice::<reach::ListedPaths>(bytes);
    twice::<reach::ListedGoal>(bytes);
    twice::<shard::Shard>(bytes);
    twice::<share::Share>(bytes);
    twice::<solve::ScriptAnswers>(bytes);
    twice::<solve::ScriptsAnswers>(bytes);
    twice::<verification::Verification>(bytes);
    twice::<worst::Worst>(bytes);
    twice::<worst::Enumeration>(bytes);
    twice::<worsts::Worsts>(bytes);
    twice::<resume::Resume>(bytes);
    let _ = (Matrix::read(bytes, 3, false), Matrix::read(bytes, 3, true));
});
