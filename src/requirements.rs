//! Requirements: what a specification answers to, from `requirements.toml`, a table or ReqIF, and what of them has no counterpart.

mod archive;
mod reqif;

use crate::testfile::FileProblem;
use crate::text::{Diagnostic, Span, quote, visible};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// The name of the file that is looked for.
pub const NAME: &str = "requirements.toml";

/// What a requirement has, for a hint.
const FIELDS: &str = "a requirement has id and text, and may have source, level, rationale and method";
/// The same of ReqIF.
const REQIF: &str = "attributes are known by their LONG-NAME: ReqIF.ForeignID or ID, ReqIF.Text or Text, and Source, Level, Rationale, \
                     Verification Method; export these, or write a requirements.toml or CSV";

/// One requirement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirement {
    /// Its id, by which `:magneto-req` names it.
    pub id: String,
    /// What it asks for.
    pub text: String,
    /// The document that it comes from.
    pub source: String,
    /// Its level, such as an assurance or integrity level.
    pub level: String,
    /// Why it is asked for.
    pub rationale: String,
    /// How it is verified: test, analysis, review …
    pub method: String,
}

/// The requirements of a project, in the order of their file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// The requirements.
    pub list: Vec<Requirement>,
}

impl Requirements {
    /// The file of this name that is nearest to a folder, upward.
    #[must_use]
    pub fn nearest(folder: &Path) -> Option<PathBuf> {
        folder.ancestors().map(|f| f.join(NAME)).find(|p| p.is_file())
    }

    /// Reads a file: a table where its name ends with `.csv`, ReqIF where it ends with `.reqif` or `.xml`, all ReqIF files of an
    /// archive, else TOML.
    ///
    /// # Errors
    /// A complete message with file, line and column.
    pub fn read(path: &Path) -> Result<Requirements, FileProblem> {
        let shown = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|e| FileProblem(format!("error: cannot read {shown}: {e}\n")))?;
        let mut all = Requirements::default();
        let mut seen = BTreeSet::new();
        if !bytes.starts_with(b"PK") {
            all.add(&shown, path, &bytes, &mut seen)?;
            return Ok(all);
        }
        let wrong = |message: String| {
            let hint = "a .reqifz is a zip archive with .reqif files; unpack it, and name one of these";
            FileProblem(Diagnostic::semantic(Span { start: 0, end: 1 }, message).hint(hint).render(&shown, &bytes))
        };
        for member in archive::reqif_files(&bytes).map_err(wrong)? {
            let name = format!("{shown}/{}", visible(&member.name));
            all.add(&name, Path::new(&member.name), &member.bytes, &mut seen)?;
        }
        Ok(all)
    }

    /// Adds what a file has, by the end of its name; `seen` are the ids that are there.
    fn add(&mut self, shown: &str, path: &Path, bytes: &[u8], seen: &mut BTreeSet<String>) -> Result<(), FileProblem> {
        let wrong = |span: Span, message: String, hint: &str| {
            FileProblem(Diagnostic::semantic(span, message).hint(hint).render(shown, bytes))
        };
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(wrong(Span { start: 0, end: 1 }, "the file is not UTF-8".to_owned(), "save it as UTF-8"));
        };
        let is = |extension: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension));
        let (read, hint) = match () {
            () if is("csv") => (table(text), FIELDS),
            () if is("reqif") || is("xml") => (reqif::read(text), REQIF),
            () => (toml_text(text), FIELDS),
        };
        for (span, one) in read.map_err(|(span, message)| wrong(span, message, hint))? {
            if one.id.is_empty() || one.text.is_empty() {
                return Err(wrong(span, "a requirement without an id or without a text".to_owned(), "give it both"));
            }
            if !seen.insert(one.id.clone()) {
                let message = format!("the requirement {} is there twice", quote(&one.id));
                return Err(wrong(span, message, "give each an id of its own"));
            }
            self.list.push(one);
        }
        Ok(())
    }

    /// The requirement of an id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&Requirement> {
        self.list.iter().find(|r| r.id == id)
    }

    /// What has no counterpart: requirements that no specification names, and names that no requirement has. `named` are the ids
    /// that specifications name, each with the specification; of one that names none there is an empty list.
    #[must_use]
    pub fn gaps(&self, named: &[(String, Vec<String>)]) -> Vec<Gap> {
        let is_named = |id: &String| named.iter().any(|(_, ids)| ids.contains(id));
        let open = self.list.iter().map(|r| &r.id).filter(|id| !is_named(id));
        let mut gaps: Vec<Gap> = open.map(|id| Gap::NoSpecification { requirement: id.clone() }).collect();
        for (specification, ids) in named {
            if ids.is_empty() {
                gaps.push(Gap::NoRequirement { specification: specification.clone() });
            }
            let unknown = ids.iter().filter(|id| self.find(id).is_none());
            gaps.extend(
                unknown.map(|id| Gap::Unknown { specification: specification.clone(), requirement: id.clone() }),
            );
        }
        gaps
    }
}

/// Something without its counterpart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// No specification names the requirement.
    NoSpecification {
        /// Its id.
        requirement: String,
    },
    /// The specification names no requirement.
    NoRequirement {
        /// Its name.
        specification: String,
    },
    /// Specifications name a requirement, and there is no file of requirements.
    NoText {
        /// Its id.
        requirement: String,
    },
    /// The specification names a requirement that the file has not.
    Unknown {
        /// The specification.
        specification: String,
        /// The id.
        requirement: String,
    },
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Gap::NoSpecification { requirement } => write!(f, "requirement {requirement} has no specification"),
            Gap::NoRequirement { specification } => write!(f, "specification {specification} names no requirement"),
            Gap::NoText { requirement } => {
                write!(f, "no file of requirements has the text of {requirement}")
            }
            Gap::Unknown { specification, requirement } => {
                write!(f, "specification {specification} names {requirement}, which is no requirement of the file")
            }
        }
    }
}

/// Requirements with their places, or a mistake at one.
type Found = Result<Vec<(Span, Requirement)>, (Span, String)>;

fn toml_text(text: &str) -> Found {
    let span = |r: std::ops::Range<usize>| Span { start: r.start, end: r.end.max(r.start + 1) };
    let file =
        DeTable::parse(text).map_err(|e| (span(e.span().unwrap_or(0..1)), e.message().trim().replace('\n', "; ")))?;
    let mut found = Vec::new();
    for (key, value) in file.get_ref() {
        let (DeValue::Array(list), "requirement") = (value.get_ref(), key.get_ref().as_ref()) else {
            return Err((span(key.span()), format!("{} is no [[requirement]]", quote(key.get_ref()))));
        };
        for item in list.iter() {
            let DeValue::Table(table) = item.get_ref() else {
                return Err((span(item.span()), "a requirement is a table".to_owned()));
            };
            let mut one = Requirement::default();
            for (key, value) in table {
                let slot = one.field(key.get_ref());
                let (Some(slot), DeValue::String(text)) = (slot, value.get_ref()) else {
                    return Err((span(key.span()), format!("{} is no text of a requirement", quote(key.get_ref()))));
                };
                *slot = text.to_string();
            }
            found.push((span(item.span()), one));
        }
    }
    Ok(found)
}

impl Requirement {
    /// The text that a key means.
    fn field(&mut self, key: &str) -> Option<&mut String> {
        Some(match key {
            "id" => &mut self.id,
            "text" => &mut self.text,
            "source" => &mut self.source,
            "level" => &mut self.level,
            "rationale" => &mut self.rationale,
            "method" => &mut self.method,
            _ => return None,
        })
    }
}

fn table(text: &str) -> Found {
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let start = |p: Option<&csv::Position>| p.map_or(0, |p| usize::try_from(p.byte()).unwrap_or(0));
    let wrong = |e: csv::Error| {
        let at = start(e.position());
        (Span { start: at, end: at + 1 }, format!("this is no table of requirements: {e}"))
    };
    let header: Vec<String> = reader.headers().map_err(wrong)?.iter().map(str::to_ascii_lowercase).collect();
    let has = |name: &str| header.iter().any(|h| h == name);
    if !has("id") || !has("text") {
        return Err((Span { start: 0, end: 1 }, "the table has no columns id and text".to_owned()));
    }
    let mut found = Vec::new();
    for record in reader.records() {
        let record = record.map_err(wrong)?;
        let at = start(record.position());
        let mut one = Requirement::default();
        for (key, cell) in header.iter().zip(&record) {
            if let Some(slot) = one.field(key) {
                cell.clone_into(slot);
            }
        }
        found.push((Span { start: at, end: at + 1 }, one));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Result<Requirements, FileProblem> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        Requirements::read(&path)
    }

    #[test]
    fn toml_and_tables_say_the_same() {
        let toml = "[[requirement]]\nid = \"R-1\"\ntext = \"The flow, within 1e-10.\"\nlevel = \"DAL A\"\n\n[[requirement]]\nid = \"R-2\"\ntext = \"b\"\nmethod = \"test\"\n";
        let csv = "ID,Text,Level,Method\nR-1,\"The flow, within 1e-10.\",DAL A,\nR-2,b,,test\n";
        let (one, other) = (read("r.toml", toml).unwrap(), read("r.csv", csv).unwrap());
        assert_eq!(one, other);
        assert_eq!((one.list.len(), one.find("R-1").unwrap().level.as_str()), (2, "DAL A"));
    }

    #[test]
    fn gaps_are_named_both_ways() {
        let all =
            read("r.toml", "[[requirement]]\nid = \"A\"\ntext = \"a\"\n[[requirement]]\nid = \"B\"\ntext = \"b\"\n");
        let named = |s: &str, ids: &[&str]| (s.to_owned(), ids.iter().map(|i| (*i).to_owned()).collect());
        let gaps = all.unwrap().gaps(&[named("f", &["A", "C"]), named("g", &[])]);
        let said: Vec<String> = gaps.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "requirement B has no specification",
                "specification f names C, which is no requirement of the file",
                "specification g names no requirement"
            ]
        );
    }

    #[test]
    fn mistakes_have_places() {
        for (name, text, place) in [
            ("r.toml", "[[requirement]]\nid = \"A\"\n", ":1:1"),
            ("r.toml", "[[requirement]]\nid = \"A\"\ntext = \"a\"\nlvl = \"x\"\n", ":4:1"),
            (
                "r.toml",
                "[[requirement]]\nid = \"A\"\ntext = \"a\"\n[[requirement]]\nid = \"A\"\ntext = \"a\"\n",
                ":4:1",
            ),
            ("r.csv", "id,title\nA,b\n", ":1:1"),
            ("r.csv", "id,text\nA,a\nA,b\n", ":3:1"),
            ("r.csv", "id,text\nA,\n", ":2:1"),
            ("r.reqif", "<REQ-IF>\n</REQ-IF>", ":1:1"),
            ("r.reqifz", "PK\u{3}\u{4}", ":1:1"),
        ] {
            let message = read(name, text).unwrap_err().0;
            assert!(message.contains(place) && message.contains("hint: "), "{message}");
        }
    }
}
