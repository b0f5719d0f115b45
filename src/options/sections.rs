//! Sections of a `magneto.toml`: options for some specifications only.

use super::{ACCURACY, Effect, Knob, OptionOrigin, Settings, find, states_accuracy, texts};
use crate::text::{Diagnostic, Span, quote};
use std::path::PathBuf;
use toml::de::DeValue;

/// The key above the sections, as in `[spec."filters/*.fpcore"]`.
pub(super) const KEY: &str = "spec";

/// The gates that specifications have of their own. `fail-on` is about a run.
const GATES: [&str; 2] = ["min-score", "score"];

/// Which specifications a part of a `magneto.toml` is about.
#[derive(Clone, Debug)]
pub struct SpecPattern {
    /// Files, from the folder of the `magneto.toml`; `FILE.fpcore:NAME` means one FPCore of a file. An empty one, which no
    /// `magneto.toml` has, means every specification.
    pub pattern: String,
    /// Where the pattern stands.
    pub span: Span,
    /// The folder of the `magneto.toml`.
    pub folder: PathBuf,
}

/// Options for the specifications that a pattern means.
#[derive(Clone, Debug)]
pub struct Section {
    /// Which these are.
    pub about: SpecPattern,
    values: Vec<(&'static Knob, Vec<String>)>,
}

impl Section {
    /// One line for what it says.
    pub(super) fn text(&self) -> String {
        let one = |(knob, values): &(&Knob, Vec<String>)| format!("{}={}", knob.name, values.join(" "));
        let values: Vec<String> = self.values.iter().map(one).collect();
        format!("{}: {}", self.about.pattern, values.join(", "))
    }
}

impl Settings {
    /// The options of one specification, of which `means` says whether a section is about it. The command line wins over
    /// sections, a section over what stands above all, and a later section over an earlier one.
    #[must_use]
    pub fn of_specification(&self, means: impl Fn(&Section) -> bool) -> Settings {
        let mut own = Settings { sections: Vec::new(), ..self.clone() };
        for section in self.sections.iter().filter(|s| means(s)) {
            own.take(section);
        }
        own
    }

    fn take(&mut self, section: &Section) {
        // What states an accuracy does so as a whole, as on the command line.
        let is_flagged = ACCURACY.iter().any(|knob| self.origin(knob) == OptionOrigin::Flag);
        if section.values.iter().any(|(knob, _)| states_accuracy(knob)) && !is_flagged {
            ACCURACY.iter().for_each(|knob| self.clear_accuracy(knob));
        }
        for (knob, values) in &section.values {
            let loses = self.origin(knob) == OptionOrigin::Flag || is_flagged && states_accuracy(knob);
            // The values were tried when they were read.
            if !loses && (knob.set)(self, values).is_ok() {
                self.origins.insert(knob.name, OptionOrigin::File);
            }
        }
    }

    /// Reads the sections below [`KEY`].
    pub(super) fn read_sections(&mut self, value: &DeValue<'_>, at: Span, folder: PathBuf) -> Vec<Diagnostic> {
        let span = |r: std::ops::Range<usize>| Span { start: r.start, end: r.end };
        let hint = "write `[spec.\"filters/*.fpcore\"]` above the options of these specifications";
        let mut wrong = Vec::new();
        let DeValue::Table(table) = value else {
            return vec![Diagnostic::semantic(at, format!("`{KEY}`: expected sections")).hint(hint)];
        };
        for (pattern, value) in table {
            let DeValue::Table(options) = value.get_ref() else {
                let message = format!("`{KEY}.{}`: expected options", pattern.get_ref());
                wrong.push(Diagnostic::semantic(span(pattern.span()), message).hint(hint));
                continue;
            };
            let about = SpecPattern {
                pattern: pattern.get_ref().to_string(),
                span: span(pattern.span()),
                folder: folder.clone(),
            };
            let mut section = Section { about, values: Vec::new() };
            for (key, value) in options {
                let one = find(key.get_ref(), span(key.span())).and_then(|knob| {
                    if knob.effect != Effect::Result && !GATES.contains(&knob.name) {
                        let message = format!("{} is for the whole run", quote(knob.name));
                        let hint = "put it above all sections, or on the command line";
                        return Err(Diagnostic::semantic(span(key.span()), message).hint(hint));
                    }
                    let values = texts(knob, value.get_ref());
                    let tried = values.and_then(|v| (knob.set)(&mut Settings::default(), &v).map(|()| v));
                    let misfit = |e| Diagnostic::semantic(span(value.span()), format!("`{}`: {e}", knob.name));
                    Ok((knob, tried.map_err(misfit)?))
                });
                match one {
                    Ok(value) => section.values.push(value),
                    Err(diagnostic) => wrong.push(diagnostic),
                }
            }
            self.sections.push(section);
        }
        // In the order of the file, in which later ones win.
        self.sections.sort_by_key(|s| s.about.span.start);
        wrong
    }
}
