//! `magneto.accept.toml`: a person's decisions on mutants. Everything here is about the file's text; the only file that
//! names toml_edit, which keeps comments.
//!
//! ```toml
//! [[accept]]
//! file = "specs/airflow.fpcore"    # from the folder of magneto.accept.toml, with `/`
//! specification = "airflow"
//! mutant = "0123456789ab"
//! change = "`4` -> `5` (constant)" # optional, for readers
//! asked = "ba9876543210"           # optional: what the specification asked for then
//! by = "A. Person"
//! reason = "differs only below the sensor's resolution"
//! ```
//!
//! An entry holds for an undecided mutant only: one that is killed or proved keeps its status.

use crate::mutate::{self, Mutant, OperatorSet, mutants};
use crate::solve::StopReason;
use crate::spec::Spec;
use crate::suite::{Acceptance, Counts, Generated, Reason, Status};
use crate::text::{Diagnostic, Span, nearest, quote};
use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::Path;
use toml_edit::{ArrayOfTables, Document, DocumentMut, Item, Table, TomlError, Value};

/// The file's name.
pub const NAME: &str = "magneto.accept.toml";

/// The keys of an entry; those of [`OPTIONAL`] may be missing.
const KEYS: [&str; 7] = ["file", "specification", "mutant", "change", "asked", "by", "reason"];

/// Keys that an entry written by hand need not have.
const OPTIONAL: [&str; 2] = ["change", "asked"];

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The specification's file, from the folder of `magneto.accept.toml`, with `/`.
    pub file: String,
    /// The specification's name.
    pub specification: String,
    /// The mutant's id.
    pub mutant: String,
    /// The change, for readers; may be empty.
    pub change: String,
    /// What the specification asked for when it was decided ([`mutate::asked`]); may be empty.
    pub asked: String,
    /// Who decided.
    pub by: String,
    /// Why, one line.
    pub reason: String,
    /// Where the mutant's id is in the text.
    pub at: Span,
}

/// Reads all entries.
///
/// # Errors
/// Everything that is wrong, and where.
pub fn read(text: &str) -> Result<Vec<Entry>, Vec<Diagnostic>> {
    let document = Document::parse(text).map_err(|e| vec![syntax(&e)])?;
    let mut wrong = Vec::new();
    let mut entries: Vec<Entry> = Vec::new();
    for (key, item) in document.iter() {
        match item.as_array_of_tables() {
            Some(tables) if key == "accept" => {
                let read = tables.iter().filter_map(|t| entry(t, &mut wrong));
                entries.extend(read);
            }
            _ => {
                let span = document.as_table().key(key).and_then(toml_edit::Key::span);
                let message = format!("{} does not belong here", quote(key));
                wrong.push(Diagnostic::semantic(place(span), message).hint("expected `[[accept]]` sections only"));
            }
        }
    }
    let mut seen = HashSet::new();
    for e in &entries {
        if !seen.insert((&e.file, &e.specification, &e.mutant)) {
            let message = format!("mutant {} of {} is accepted twice", quote(&e.mutant), quote(&e.specification));
            wrong.push(Diagnostic::semantic(e.at, message).hint("keep one of the two sections"));
        }
    }
    wrong.sort_by_key(|d| d.span.start);
    if wrong.is_empty() { Ok(entries) } else { Err(wrong) }
}

fn syntax(e: &TomlError) -> Diagnostic {
    Diagnostic::syntax(place(e.span()), e.message().trim().replace('\n', "; "))
}

fn place(span: Option<std::ops::Range<usize>>) -> Span {
    span.map(|r| Span { start: r.start, end: r.end }).unwrap_or_default()
}

fn entry(table: &Table, wrong: &mut Vec<Diagnostic>) -> Option<Entry> {
    let before = wrong.len();
    for (key, _) in table.iter().filter(|(k, _)| !KEYS.contains(k)) {
        let span = place(table.key(key).and_then(toml_edit::Key::span));
        let hint =
            nearest(key, KEYS).map_or(format!("there are {}", KEYS.join(", ")), |n| format!("did you mean `{n}`?"));
        wrong.push(Diagnostic::semantic(span, format!("unknown key {}", quote(key))).hint(hint));
    }
    let mut text = |key: &str| match table.get(key) {
        None if OPTIONAL.contains(&key) => String::new(),
        None => {
            let message = format!("`{key}` is missing");
            wrong.push(Diagnostic::semantic(place(table.span()), message));
            String::new()
        }
        Some(item) => match item.as_str().map(one_line) {
            Some(text) if !text.is_empty() || OPTIONAL.contains(&key) => text,
            found => {
                let what = if found.is_some() { "is empty" } else { "must be a string" };
                wrong.push(Diagnostic::semantic(place(item.span()), format!("`{key}` {what}")));
                String::new()
            }
        },
    };
    let [file, specification, mutant, change, asked, by, reason] = KEYS.map(&mut text);
    let at = place(table.get("mutant").and_then(Item::span));
    (wrong.len() == before).then_some(Entry { file, specification, mutant, change, asked, by, reason, at })
}

/// A text on one line: what it says stands in cells and lines of other files.
#[must_use]
pub fn one_line(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text with one more entry at its end; the rest stays as it is.
#[must_use]
pub fn added(text: &str, entry: &Entry) -> String {
    let mut out = text.to_owned();
    if out.is_empty() {
        out.push_str("# Mutants that a person has accepted. See `magneto accept --help`.\n");
    } else if !out.ends_with('\n') {
        out.push('\n');
    }
    let Entry { file, specification, mutant, change, asked, by, reason, .. } = entry;
    let values = [file, specification, mutant, change, asked, by, reason].map(String::as_str);
    out.push_str("\n[[accept]]\n");
    for (key, value) in KEYS.into_iter().zip(values).filter(|(_, v)| !v.is_empty()) {
        out.push_str(&format!("{key} = {}\n", Value::from(value)));
    }
    out
}

/// The text without the entries of some places in the list; comments right above an entry go with it, others stay.
///
/// # Errors
/// What is wrong with the text.
pub fn removed(text: &str, gone: &[usize]) -> Result<String, Diagnostic> {
    let mut document: DocumentMut = text.parse().map_err(|e: TomlError| syntax(&e))?;
    let Some(tables) = document.get_mut("accept").and_then(Item::as_array_of_tables_mut) else {
        return Ok(text.to_owned());
    };
    let mut kept = ArrayOfTables::new();
    let mut carried = String::new();
    for (k, table) in tables.iter().enumerate() {
        let above = table.decor().prefix().and_then(|p| p.as_str()).unwrap_or_default();
        if gone.contains(&k) {
            // What stands above a blank line is not about this entry.
            carried.push_str(above.rfind("\n\n").map_or("", |at| &above[..=at]));
        } else {
            let mut table = table.clone();
            let above = format!("{}{above}", std::mem::take(&mut carried));
            table.decor_mut().set_prefix(above);
            kept.push(table);
        }
    }
    *tables = kept;
    let after = document.trailing().as_str().unwrap_or_default().to_owned();
    document.set_trailing(format!("{carried}{after}"));
    Ok(document.to_string())
}

/// What is stale in an entry about a specification, if anything: no operator set makes a mutant of that id, its change is
/// another one now, or it was decided for another formula, domain or accuracy. `specs` are the specification as its file says and as the run has it: the ids of some mutants
/// depend on the accuracy, so that flags make others than the file.
#[must_use]
pub fn stale(entry: &Entry, specs: &[&Spec]) -> Option<String> {
    let sets = [OperatorSet::Full, OperatorSet::Paper];
    let made = sets.iter().flat_map(|set| specs.iter().flat_map(|s| mutants(s, set)));
    let found: Vec<Mutant> = made.filter(|m| m.id == entry.mutant).collect();
    let (id, name) = (quote(&entry.mutant), quote(&entry.specification));
    if found.iter().any(|m| entry.is_about(m)) {
        let is_other = !specs.iter().any(|spec| entry.was_decided_for(spec));
        return is_other.then(|| format!("mutant {id} was accepted when {name} asked for something else"));
    }
    Some(match found.first() {
        Some(m) => format!("mutant {id} of {name} is another change now: {}", change(m)),
        None => format!("{name} has no mutant {id}"),
    })
}

impl Entry {
    /// Whether it is about a mutant of its specification. An id that is the same by chance is of another change.
    #[must_use]
    pub fn is_about(&self, mutant: &Mutant) -> bool {
        self.mutant == mutant.id && (self.change.is_empty() || self.change == change(mutant))
    }

    /// Whether a specification asks for what it asked for when this was decided, as far as the entry says.
    #[must_use]
    pub fn was_decided_for(&self, spec: &Spec) -> bool {
        self.asked.is_empty() || self.asked == mutate::asked(spec)
    }
}

/// The change of a mutant in words.
#[must_use]
pub fn change(mutant: &Mutant) -> String {
    one_line(&format!("`{}` -> `{}` ({})", mutant.before, mutant.after, mutant.operator))
}

/// Keeps other processes from changing the decisions in a folder until what is returned is dropped; waits for one that
/// does. An entry that two write at a time would be lost otherwise.
///
/// # Errors
/// What the operating system says.
pub fn lock(folder: &Path) -> io::Result<File> {
    let folder = File::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?;
    rustix::fs::flock(&folder, rustix::fs::FlockOperation::LockExclusive)?;
    Ok(folder)
}

/// Gives the undecided mutants of a run that are in the list the status `accepted`. Returned are entries that are not
/// needed, each with the status that its mutant has without it.
pub fn apply<'a>(run: &mut Generated, entries: &[&'a Entry]) -> Vec<(&'a Entry, &'static str)> {
    let mut needless = Vec::new();
    for entry in entries {
        let Some(judged) = run.mutants.iter_mut().find(|j| entry.is_about(&j.mutant)) else { continue };
        match &judged.status {
            // The search has not ended.
            Status::Undecided(Reason::Interrupted | Reason::Stopped(StopReason::Interrupted)) => {}
            Status::Undecided(open) => {
                let (by, reason, open) = (entry.by.clone(), entry.reason.clone(), open.clone());
                judged.status = Status::Accepted(Box::new(Acceptance { by, reason, open }));
            }
            other => needless.push((*entry, other.name())),
        }
    }
    run.counts = Counts::of(&run.mutants);
    needless
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(mutant: &str) -> Entry {
        let text = |t: &str| t.to_owned();
        Entry {
            file: text("a/b.fpcore"),
            specification: text("b \"c\""),
            mutant: text(mutant),
            change: text("`1` -> `2`"),
            asked: text("ba9876543210"),
            by: text("É. \\ Person"),
            reason: text("because # of it"),
            at: Span::default(),
        }
    }

    #[test]
    fn added_entries_are_read_back_and_removed() {
        let mut text = "# Ours.\n\n# first\n".to_owned();
        for id in ["m1", "m2", "m3"] {
            text = added(&text, &one(id));
        }
        text.push_str("# the end\n");
        let read_back = read(&text).unwrap();
        let ids: Vec<&str> = read_back.iter().map(|e| e.mutant.as_str()).collect();
        assert_eq!(ids, ["m1", "m2", "m3"]);
        for e in &read_back {
            assert_eq!(Entry { at: Span::default(), ..e.clone() }, one(&e.mutant));
            assert_eq!(&text[e.at.start..e.at.end], format!("\"{}\"", e.mutant));
        }
        let less = removed(&text, &[0, 2]).unwrap();
        let ids: Vec<String> = read(&less).unwrap().into_iter().map(|e| e.mutant).collect();
        assert_eq!(ids, ["m2"]);
        assert!(less.starts_with("# Ours.\n") && less.ends_with("# the end\n"), "{less}");
        let none = removed(&less, &[0]).unwrap();
        assert!(read(&none).unwrap().is_empty() && none.contains("# Ours.") && none.contains("# the end"), "{none}");
        assert_eq!(read(&added(&none, &one("m4"))).unwrap().len(), 1);
    }

    #[test]
    fn mistakes_have_places() {
        let good = added("", &one("m1"));
        for (text, message, at) in [
            ("x = 1\n".to_owned(), "`x` does not belong here", "x = 1"),
            ("accept = 1\n".to_owned(), "does not belong here", "accept"),
            ("[[accept]\n".to_owned(), "", ""),
            (good.replace("by = ", "buy = "), "unknown key `buy`", "buy"),
            (good.replace("\"m1\"", "1"), "must be a string", "1"),
            (good.replace("because # of it", " "), "`reason` is empty", "\" \""),
            (format!("{good}{good}"), "accepted twice", "\"m1\""),
        ] {
            let wrong = read(&text).unwrap_err();
            let there = |d: &Diagnostic| d.message.contains(message) && text[d.span.start..].starts_with(at);
            assert!(wrong.iter().any(there), "{wrong:?}");
        }
    }
}
