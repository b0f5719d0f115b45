//! One entry of a cache: a folder with the files of a specification, and one that says what they are.

use super::stamp::{Stamp, boot};
use super::{CacheEntry, CacheKey};
use crate::mutate::Sample;
use crate::record::manifest::{RecordedOption, hash};
use crate::record::mutants::Mutants;
use crate::record::store::{self, SOURCE};
use crate::record::written::MANIFEST;
use crate::record::{Filed, Held, Manifest, Suite, Told, Written, json};
use crate::spec::Spec;
use crate::suite::Phases;
use crate::text::{Lines, Span, line_column};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// The file that says what the others are. It begins with its own hash.
pub(super) const HEAD: &str = "entry";
/// Of each mutant the text that its change is in, and where the change begins and ends in that.
const PLACES: &str = "places";

type Places = Vec<Option<[usize; 3]>>;

/// What is in the head. It has no version: the program's hash is in the name of its folder, so that no other program reads it.
#[derive(Serialize, Deserialize)]
pub(super) struct Entry {
    told: Told,
    phases: Phases,
    sample: Option<Sample>,
    needless: Vec<(String, String)>,
    astray: usize,
    warnings: Vec<String>,
    /// The path that they name.
    path: String,
    /// Lines and columns at which the specification's texts began.
    starts: Vec<(usize, usize)>,
    files: Vec<Known>,
    /// In which run of the machine the stamps were made; they say nothing in another one.
    boot: Option<String>,
}

/// A file of an entry.
#[derive(Serialize, Deserialize)]
struct Known {
    name: String,
    sha256: String,
    stamp: Stamp,
}

/// Writes the files of an entry into a new folder. What a loss of power leaves of them is seen by their hashes.
pub(super) fn write(
    folder: &Path,
    key: &str,
    q: &CacheKey<'_>,
    suite: &Suite<'_>,
    kept: &CacheEntry,
) -> io::Result<()> {
    let places = serde_json::to_vec(&places(q.spec, suite).ok_or_else(|| io::Error::other("a mutant is nowhere"))?)?;
    let places = [(PLACES.to_owned(), Filed::from(places))];
    let one = |(name, filed): &(String, Filed)| {
        let mut file = File::create_new(folder.join(name))?;
        file.write_all(&store::Content::bytes(&filed.held)?)?;
        let stamp = Stamp::new(&file)?;
        Ok(Known { name: name.clone(), sha256: filed.sha256.clone(), stamp })
    };
    let entry = Entry {
        told: kept.written.told.clone(),
        phases: kept.phases,
        sample: kept.sample,
        needless: kept.needless.clone(),
        astray: kept.astray,
        warnings: kept.warnings.clone(),
        path: q.spec.source_file.clone(),
        starts: starts(q),
        files: kept.written.files.iter().chain(&places).map(one).collect::<io::Result<_>>()?,
        boot: boot().map(str::to_owned),
    };
    File::create_new(folder.join(HEAD))?.write_all(&entry.text(key)?)
}

/// Why an entry cannot be used.
pub(super) enum Unfit {
    /// It is not there.
    Gone,
    /// It is not what was written.
    Damaged,
}

impl Entry {
    /// The entry in a folder, all of whose files are what was written. The second is whether some of them were read for that,
    /// and are known by new stamps.
    pub(super) fn read(folder: &Path, key: &str) -> Result<(Self, bool), Unfit> {
        let text = fs::read(folder.join(HEAD)).map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => Unfit::Gone,
            _ => Unfit::Damaged,
        })?;
        let mut entry: Entry =
            body(key, &text).and_then(|body| serde_json::from_slice(body).ok()).ok_or(Unfit::Damaged)?;
        let mut anew = false;
        let is_this_boot = entry.boot.is_some() && entry.boot.as_deref() == boot();
        for known in &mut entry.files {
            let path = folder.join(&known.name);
            if fs::symlink_metadata(&path).is_ok_and(|about| is_this_boot && known.stamp.fits(&about)) {
                continue;
            }
            // It was copied here, changed by way of its second name, or written before the machine was started again.
            let mut file = File::open(&path).map_err(|_| Unfit::Damaged)?;
            let stamp = Stamp::new(&file);
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(|_| Unfit::Damaged)?;
            if hash(&bytes) != known.sha256 {
                return Err(Unfit::Damaged);
            }
            if let Ok(stamp) = stamp {
                (known.stamp, anew) = (stamp, true);
            }
        }
        if anew {
            entry.boot = boot().map(str::to_owned);
        }
        Ok((entry, anew))
    }

    /// The head: the hash of the rest and of the key, then the rest.
    pub(super) fn text(&self, key: &str) -> io::Result<Vec<u8>> {
        let body = serde_json::to_vec(self)?;
        Ok([seal(key, &body).as_bytes(), b"\n", &body].concat())
    }

    /// The warnings, if they are those for a question too: they quote the file and say where it is.
    pub(super) fn warnings(self, q: &CacheKey<'_>) -> Option<Vec<String>> {
        let same_text = || self.files.iter().any(|known| known.name == SOURCE && known.sha256 == hash(q.source));
        let same = self.warnings.is_empty() || self.path == q.spec.source_file && same_text();
        same.then_some(self.warnings)
    }

    /// The result for a question: as it is written down, but for what the question's key has not in it.
    pub(super) fn kept(self, folder: &Path, q: &CacheKey<'_>) -> Option<CacheEntry> {
        let (spec, source) = q.file();
        let read = |name: &str| fs::read(folder.join(name)).ok();
        let mut manifest: Manifest = json::read(&read(MANIFEST)?).ok()?;
        manifest.specification.sha256 = hash(source);
        (manifest.specification.line, manifest.specification.column) = line_column(source, spec.core.span.start);
        manifest.options = q.settings.recorded().into_iter().map(RecordedOption::from).collect();
        let (mut told, mut moved) = (self.told, None);
        if self.starts != starts(q) {
            let mut mutants: Mutants = json::read(&read("mutants.json")?).ok()?;
            move_to(&mut mutants, &serde_json::from_slice::<Places>(&read(PLACES)?).ok()?, spec, source)?;
            told = Told::new(&told.summary, &mutants);
            moved = Some(mutants);
        }
        let is_own = store::is_own(folder);
        let as_it_was = |known: &Known| {
            let path = folder.join(&known.name);
            let held = if is_own { Held::File(path) } else { Held::Foreign(path) };
            Filed { held, sha256: known.sha256.clone() }
        };
        let now = |known: &Known| match (known.name.as_str(), &moved) {
            ("mutants.csv", Some(mutants)) => mutants.table().into(),
            ("mutants.json", Some(mutants)) => mutants.text().into(),
            (SOURCE, _) if known.sha256 != manifest.specification.sha256 => source.to_vec().into(),
            _ => as_it_was(known),
        };
        let others = self.files.iter().filter(|known| ![MANIFEST, PLACES].contains(&known.name.as_str()));
        let files = others.map(|known| (known.name.clone(), now(known))).collect();
        let mut written = Written::with_manifest(told, &manifest, files);
        if let (Some((_, filed)), Some(known)) =
            (written.files.last_mut(), self.files.iter().find(|known| known.name == MANIFEST))
            && filed.sha256 == known.sha256
        {
            *filed = as_it_was(known);
        }
        Some(CacheEntry {
            written,
            phases: self.phases,
            sample: self.sample,
            needless: self.needless,
            astray: self.astray,
            warnings: self.warnings,
        })
    }
}

/// The text without the hash, if that is the right one.
pub(super) fn body<'a>(key: &str, text: &'a [u8]) -> Option<&'a [u8]> {
    let cut = text.iter().position(|b| *b == b'\n')?;
    let (sealed, body) = (&text[..cut], &text[cut + 1..]);
    (seal(key, body).as_bytes() == sealed).then_some(body)
}

pub(super) fn seal(key: &str, body: &[u8]) -> String {
    hash(&[key.as_bytes(), b"\n", body].concat())
}

/// Where the texts of a specification begin: all that its mutants' lines and columns depend on beside the texts.
fn starts(q: &CacheKey<'_>) -> Vec<(usize, usize)> {
    let lines = Lines::new(q.source);
    q.spec.texts.iter().map(|text| lines.place(text.start)).collect()
}

/// None where a change is in none of the specification's texts, which is not so.
fn places(spec: &Spec, suite: &Suite<'_>) -> Option<Places> {
    let place = |span: Span| {
        // A range of the command line stands nowhere.
        if span == Span::default() {
            return Some(None);
        }
        let text = spec.texts.iter().position(|t| t.start <= span.start && span.end <= t.end)?;
        let start = spec.texts[text].start;
        Some(Some([text, span.start - start, span.end - start]))
    };
    suite.generated.mutants.iter().map(|j| place(j.mutant.span)).collect()
}

/// Says of each mutant where its change is in the file as it is now.
fn move_to(mutants: &mut Mutants, places: &[Option<[usize; 3]>], spec: &Spec, source: &[u8]) -> Option<()> {
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
