//! `[[implementation]]` of a `magneto.toml`: which code claims to meet which specifications.

use super::commands::text;
use super::sections::SpecPattern;
use super::{Settings, article};
use crate::harness::{KINDS, SIGNATURE_OPTION, kind_of_key, listed_options, names_of_function_options};
use crate::text::{Diagnostic, Span, nearest, quote};
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// The key of the list.
pub(super) const KEY: &str = "implementation";

/// Results from elsewhere, which are no implementation that is run.
const RESULTS: &str = "results";
/// What else may be said.
const OTHERS: [&str; 6] = ["spec", "name", "tests", "target", "tester", "software"];

/// The keys of which one says what the implementation is.
fn keys_of_kinds() -> impl Iterator<Item = &'static str> + Clone {
    KINDS.iter().map(|kind| kind.key()).chain([RESULTS])
}

/// The options that say what an implementation is and how it is called.
pub fn options_of_implementations() -> impl Iterator<Item = &'static str> + Clone {
    let kinds = KINDS.iter().map(|kind| kind.key());
    kinds.chain(names_of_function_options()).chain([SIGNATURE_OPTION])
}

/// The flags that say what an implementation is, of the kinds that are taken, for people: "--lib or --exec".
#[must_use]
pub fn flags_of_kinds(takes: fn(&str) -> bool) -> String {
    listed_options(keys_of_kinds().filter(|key| takes(key)))
}

/// An implementation that claims to meet some specifications. In its values `{name}` stands for the name of the specification
/// and `{file}` for that of its file, without `.fpcore`.
#[derive(Clone, Debug)]
pub struct ImplementationEntry {
    /// The specifications.
    pub about: SpecPattern,
    values: Vec<(&'static str, String)>,
}

impl ImplementationEntry {
    /// An entry for any specification, with what it says of keys; paths are from `folder`.
    #[must_use]
    pub fn of_any(folder: PathBuf, values: Vec<(&'static str, String)>) -> Self {
        let about = SpecPattern { pattern: String::new(), span: Span::default(), folder };
        ImplementationEntry { about, values }
    }

    /// What it says of a key, for the specification of a name in a file.
    #[must_use]
    pub fn value(&self, key: &str, name: &str, file: &str) -> Option<String> {
        let stem = Path::new(file).file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
        let value = self.values.iter().find(|(k, _)| *k == key)?;
        let kind = kind_of_key(key);
        let word = |text: &str| kind.map_or_else(|| text.to_owned(), |kind| kind.quote_name(text));
        Some(value.1.replace("{name}", &word(name)).replace("{file}", &word(&stem)))
    }

    /// The key that says what it is, such as `c-source`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        keys_of_kinds().find(|kind| self.values.iter().any(|(k, _)| k == kind)).unwrap_or_default()
    }

    /// What it is called: by its name, else by its kind.
    #[must_use]
    pub fn label(&self, name: &str, file: &str) -> String {
        self.value("name", name, file).unwrap_or_else(|| self.kind().to_owned())
    }

    fn read(table: &DeTable<'_>, at: Span, folder: &Path) -> Result<Self, Vec<Diagnostic>> {
        let span = |r: std::ops::Range<usize>| Span { start: r.start, end: r.end };
        let keys = || options_of_implementations().chain([RESULTS]).chain(OTHERS);
        let (mut values, mut about, mut wrong) = (Vec::new(), None, Vec::new());
        for (key, value) in table {
            let (name, at): (&str, Span) = (key.get_ref(), span(key.span()));
            let Some(known) = keys().find(|k| *k == name) else {
                let hint = match nearest(name, keys()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("there are {}", keys().collect::<Vec<_>>().join(", ")),
                };
                wrong.push(Diagnostic::semantic(at, format!("unknown key {}", quote(name))).hint(hint));
                continue;
            };
            let DeValue::String(_) = value.get_ref() else {
                let kind = value.get_ref().type_str();
                let message = format!("`{name}`: expected a string, found {} {kind}", article(kind));
                wrong.push(Diagnostic::semantic(span(value.span()), message));
                continue;
            };
            let value_text = text(value.get_ref()).unwrap_or_default();
            if known == "spec" {
                about = Some(SpecPattern { pattern: value_text, span: span(value.span()), folder: folder.to_owned() });
            } else {
                values.push((known, value_text));
            }
        }
        let has = |key: &str| values.iter().any(|(k, _)| *k == key);
        let said: Vec<&str> = keys_of_kinds().filter(|kind| has(kind)).collect();
        let list = keys_of_kinds().collect::<Vec<_>>().join(", ");
        match said[..] {
            [kind] => {
                let function = kind_of_key(kind).and_then(|kind| kind.function_option());
                if let Some(function) = function.filter(|function| function.is_required && !has(function.name)) {
                    let needed = function.name;
                    let message = format!("an implementation by `{kind}` without `{needed}`");
                    let hint = format!("say `{needed} = \"{{name}}\"`, for instance");
                    wrong.push(Diagnostic::semantic(at, message).hint(hint));
                }
            }
            [] if !wrong.is_empty() => {}
            [] => wrong.push(
                Diagnostic::semantic(at, "nothing says what the implementation is").hint(format!("say one of {list}")),
            ),
            _ => wrong.push(
                Diagnostic::semantic(at, "several things say what the implementation is")
                    .hint(format!("say one of {list}")),
            ),
        }
        match about {
            Some(about) if wrong.is_empty() => Ok(ImplementationEntry { about, values }),
            Some(_) => Err(wrong),
            None => {
                let hint = "say `spec = \"filters/*.fpcore\"`, for instance";
                wrong.push(Diagnostic::semantic(at, "an implementation of no specification").hint(hint));
                Err(wrong)
            }
        }
    }
}

impl Settings {
    /// Reads the list below [`KEY`].
    pub(super) fn read_implementations(&mut self, value: &DeValue<'_>, at: Span, folder: &Path) -> Vec<Diagnostic> {
        let hint = "write `[[implementation]]` above each";
        let DeValue::Array(list) = value else {
            return vec![Diagnostic::semantic(at, format!("`{KEY}`: expected a list")).hint(hint)];
        };
        let mut wrong = Vec::new();
        for item in list.iter() {
            let at = Span { start: item.span().start, end: item.span().end };
            let DeValue::Table(table) = item.get_ref() else {
                wrong.push(Diagnostic::semantic(at, format!("`{KEY}`: expected keys and values")).hint(hint));
                continue;
            };
            match ImplementationEntry::read(table, at, folder) {
                Ok(entry) => self.implementations.push(entry),
                Err(more) => wrong.extend(more),
            }
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Settings;
    use std::path::Path;

    fn read(text: &str) -> Result<Vec<ImplementationEntry>, String> {
        let mut settings = Settings::default();
        let read = settings.read_toml(text, Path::new("/p/magneto.toml"));
        let render = |all: Vec<Diagnostic>| all.iter().map(|d| d.render("m", text.as_bytes())).collect::<String>();
        read.map(|()| settings.implementations).map_err(render)
    }

    #[test]
    fn names_take_the_place_of_braces() {
        let text = "[[implementation]]\nspec = \"f/*.fpcore\"\nc-source = \"src/{file}.c\"\nfn = \"{name}_{x}\"\n";
        let all = read(text).unwrap();
        let [one] = &all[..] else { panic!("{all:?}") };
        assert_eq!(one.value("c-source", "a", "f/b.fpcore").as_deref(), Some("src/b.c"));
        assert_eq!(one.value("fn", "a", "f/b.fpcore").as_deref(), Some("a_{x}"));
        assert_eq!((one.label("a", "b"), one.about.pattern.as_str()), ("c-source".to_owned(), "f/*.fpcore"));
    }

    #[test]
    fn a_name_is_no_command() {
        let all = read("[[implementation]]\nspec = \"f\"\nexec = \"run {name} {file}\"\n").unwrap();
        let command = |name: &str, file: &str| all[0].value("exec", name, file).unwrap();
        assert_eq!(command("a", "f/b.fpcore"), "run a b");
        assert_eq!(command("a; touch 'x'", "f/$(b).fpcore"), r"run 'a; touch '\''x'\''' '$(b)'");
    }

    #[test]
    fn mistakes_have_places_and_hints() {
        for (text, said) in [
            ("implementation = 3\n", ":1:1"),
            ("[[implementation]]\nspec = \"a\"\n", "nothing says what"),
            ("[[implementation]]\npython = \"a:b\"\n", "of no specification"),
            ("[[implementation]]\nspec = \"a\"\nlib = \"a.so\"\n", "without `symbol`"),
            ("[[implementation]]\nspec = \"a\"\nexec = \"a\"\npython = \"a:b\"\n", "several things"),
            ("[[implementation]]\nspec = \"a\"\nexce = \"a\"\n", "did you mean `exec`?"),
            ("[[implementation]]\nspec = \"a\"\nexec = 3\n", ":3:8"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(said), "{message}");
        }
    }
}
