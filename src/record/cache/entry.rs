//! One file of a cache: a result with the hash of the file, its places from where texts begin.

use super::{Kept, Question};
use crate::mutate::Sample;
use crate::record::manifest::{Knob, hash};
use crate::record::{Manifest, Matrix, Part, Suite, Summary, mutants, tests};
use crate::spec::Spec;
use crate::spec::core::Span;
use crate::spec::diagnostic::{Lines, line_column};
use crate::suite::Phases;
use serde::{Deserialize, Serialize};

/// What is written. It has no version: the program's hash is in the name of its file, so that no other program reads it.
#[derive(Serialize, Deserialize)]
pub(super) struct Entry {
    manifest: Manifest,
    summary: Summary,
    tests: tests::Tests,
    mutants: mutants::Mutants,
    /// `matrix.csv`.
    matrix: String,
    phases: Phases,
    sample: Option<Sample>,
    needless: Vec<(String, String)>,
    /// Where the specification's texts stood in the file.
    texts: Vec<[usize; 2]>,
    /// Of each mutant the text that its change is in, and where the change begins and ends in that.
    places: Vec<Option<[usize; 3]>>,
}

impl Entry {
    /// None where a change is in none of the specification's texts, which is not so.
    pub(super) fn new(spec: &Spec, suite: &Suite<'_>, kept: &Kept) -> Option<Self> {
        let place = |span: Span| {
            // A range of the command line stands nowhere.
            if span == Span::default() {
                return Some(None);
            }
            let text = spec.texts.iter().position(|t| t.start <= span.start && span.end <= t.end)?;
            let start = spec.texts[text].start;
            Some(Some([text, span.start - start, span.end - start]))
        };
        let places = suite.generated.mutants.iter().map(|j| place(j.mutant.span)).collect::<Option<_>>()?;
        let part = kept.part.clone();
        let is_large = part.mutants.is_large();
        Some(Entry {
            manifest: part.manifest,
            summary: part.summary,
            tests: part.tests,
            mutants: part.mutants,
            matrix: String::from_utf8(part.matrix.text(is_large)).ok()?,
            phases: kept.phases,
            sample: kept.sample,
            needless: kept.needless.clone(),
            texts: spec.texts.iter().map(|t| [t.start, t.end]).collect(),
            places,
        })
    }

    /// The file's text: the hash of the rest and of the key, then the rest.
    pub(super) fn text(&self, key: &str) -> Vec<u8> {
        let body = serde_json::to_vec(self).unwrap_or_default();
        [seal(key, &body).as_bytes(), b"\n", &body].concat()
    }

    /// None if it is not what was written under that key.
    pub(super) fn read(key: &str, text: &[u8]) -> Option<Self> {
        serde_json::from_slice(body(key, text)?).ok()
    }

    /// The result for a question: as it is written down, but for what the question's key has not in it.
    pub(super) fn kept(self, q: &Question<'_>) -> Option<Kept> {
        let (spec, source) = q.file();
        let mut manifest = self.manifest;
        let sha256 = hash(source);
        let moved = manifest.specification.sha256 != sha256
            || !spec.texts.iter().map(|t| [t.start, t.end]).eq(self.texts.iter().copied());
        let mut mutants = self.mutants;
        if moved {
            move_to(&mut mutants, &self.places, spec, source)?;
        }
        manifest.specification.sha256 = sha256;
        (manifest.specification.line, manifest.specification.column) = line_column(source, spec.core.span.start);
        manifest.options = q.settings.recorded().into_iter().map(Knob::from).collect();
        let tests: Vec<&str> = self.tests.tests.iter().map(|t| t.id.as_str()).collect();
        let columns: Vec<&str> = mutants.mutants.iter().map(|m| m.id.as_str()).collect();
        let matrix = Matrix::read(self.matrix.as_bytes(), &tests, &columns).ok()?;
        let part =
            Part { manifest, summary: self.summary, tests: self.tests, mutants, matrix, source: source.to_vec() };
        Some(Kept { part, phases: self.phases, sample: self.sample, needless: self.needless })
    }
}

/// Whether a text is what was written under that key.
pub(super) fn is_sound(key: &str, text: &[u8]) -> bool {
    body(key, text).is_some()
}

/// The text without the hash, if that is the right one.
fn body<'a>(key: &str, text: &'a [u8]) -> Option<&'a [u8]> {
    let cut = text.iter().position(|b| *b == b'\n')?;
    let (sealed, body) = (&text[..cut], &text[cut + 1..]);
    (seal(key, body).as_bytes() == sealed).then_some(body)
}

fn seal(key: &str, body: &[u8]) -> String {
    hash(&[key.as_bytes(), b"\n", body].concat())
}

/// Says of each mutant where its change is in the file as it is now.
fn move_to(mutants: &mut mutants::Mutants, places: &[Option<[usize; 3]>], spec: &Spec, source: &[u8]) -> Option<()> {
    if places.len() != mutants.mutants.len() {
        return None;
    }
    let lines = Lines::new(source);
    for (mutant, place) in mutants.mutants.iter_mut().zip(places) {
        let span = match *place {
            None => Span::default(),
            Some([text, start, end]) => {
                let begin = spec.texts.get(text)?.start;
                Span { start: begin + start, end: begin + end }
            }
        };
        (mutant.line, mutant.column) = lines.place(span.start);
        (mutant.end_line, mutant.end_column) = lines.place(span.end);
    }
    Some(())
}
