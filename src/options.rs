//! Every knob: what it does, its default and unit, and where its value came from.

use crate::csp::Encoding;
use crate::harness::RunLimits;
use crate::num::Rational;
use crate::solve::Bisection;
use crate::spec::{
    Overrides, parse_domain, parse_error_bound, parse_format, parse_libm_ulps, parse_rational, parse_ulps,
    rational_text,
};
use crate::suite;
use crate::text::{Diagnostic, Span, nearest, quote};
use crate::unfit::Unfit;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::de::{DeTable, DeValue};

/// Where the value of a knob came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum OptionOrigin {
    /// Nobody set it.
    #[default]
    Default,
    /// A `magneto.toml`.
    File,
    /// The command line.
    Flag,
}

impl OptionOrigin {
    /// As it stands in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            OptionOrigin::Default => "default",
            OptionOrigin::File => "magneto.toml",
            OptionOrigin::Flag => "flag",
        }
    }
}

/// What depends on a knob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// What is found: another value may give other files.
    Result,
    /// The exit code only.
    Gate,
    /// Neither.
    Run,
}

/// How a knob is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionShape {
    /// `--name` or `--name=false`.
    Switch,
    /// `--name VALUE`.
    Value,
    /// `--name VALUE`, any number of times.
    List,
}

/// The commands that know a knob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All that read specifications: not `reach` nor `solve`.
    Every,
    /// Those that evaluate f: not `mutants` nor `diff`.
    Evaluating,
    /// Those that make mutants: `gen`, `eval`, `mutants`, `explain`, `check`, `accept`, `diff`.
    Mutating,
    /// Those that search: `gen`, `eval`, `explain`, `accept`, and `check` where it has no tests.
    Searching,
    /// Those that search, for experts: the solver's inside.
    Solver,
    /// Those with a score: `gen` and `eval`.
    Scoring,
    /// Those that run an implementation: `check` and `worst`.
    Check,
    /// Those that use several threads: those that search, `worst` and `solve`.
    Threads,
    /// `gen` only.
    Gen,
    /// Those that keep results for later runs: `gen`, and `check` of the implementations that `magneto.toml` names.
    Keeping,
    /// Those that take several specifications: `gen` and `lint`.
    Several,
}

impl Scope {
    /// Whether the command of that name knows the knob.
    #[must_use]
    pub fn covers(self, command: &str) -> bool {
        match self {
            Scope::Every => !matches!(command, "reach" | "solve"),
            Scope::Evaluating => Scope::Every.covers(command) && !matches!(command, "mutants" | "diff"),
            Scope::Mutating => matches!(command, "gen" | "eval" | "mutants" | "explain" | "check" | "accept" | "diff"),
            Scope::Searching | Scope::Solver => matches!(command, "gen" | "eval" | "explain" | "check" | "accept"),
            Scope::Threads => matches!(command, "worst" | "solve") || Scope::Searching.covers(command),
            Scope::Scoring => matches!(command, "gen" | "eval"),
            Scope::Check => matches!(command, "check" | "worst"),
            Scope::Gen => command == "gen",
            Scope::Keeping => matches!(command, "gen" | "check"),
            Scope::Several => matches!(command, "gen" | "lint"),
        }
    }
}

/// One knob: a flag `--name` and a key `name` of `magneto.toml`.
#[derive(Debug)]
pub struct Knob {
    /// The name.
    pub name: &'static str,
    /// What a value looks like, for help; empty for a switch.
    pub value: &'static str,
    /// What it does, default and unit included.
    pub doc: &'static str,
    /// How it is written.
    pub shape: OptionShape,
    /// What depends on it.
    pub effect: Effect,
    /// The commands that know it.
    pub scope: Scope,
    set: fn(&mut Settings, &[String]) -> Result<(), Unfit>,
    show: fn(&Settings) -> String,
}

/// The values of all knobs.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What replaces parts of the specification.
    pub overrides: Overrides,
    /// How mutants are made and searched.
    pub suite: suite::Options,
    /// Bounds of running an implementation.
    pub limits: RunLimits,
    /// Where files go.
    pub output: PathBuf,
    /// Where results are kept for later runs. Default: beside `output`.
    pub cache: Option<PathBuf>,
    /// Whether none are kept, and none of earlier runs taken.
    pub no_cache: bool,
    /// What fails the run, beside a score that is too low.
    pub fail_on: FailOn,
    /// The lowest score that passes.
    pub min_score: Option<Rational>,
    /// The score that has to reach it.
    pub score: Score,
    /// Whether cores with unsupported features are left out.
    pub skip_unsupported: bool,
    /// Options for some specifications only; see [`Settings::of_specification`].
    pub sections: Vec<Section>,
    /// Options of one command each.
    pub commands: Vec<CommandOption>,
    /// The implementations of specifications.
    pub implementations: Vec<ImplementationEntry>,
    origins: BTreeMap<&'static str, OptionOrigin>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            overrides: Overrides::default(),
            suite: suite::Options::default(),
            limits: RunLimits::default(),
            output: PathBuf::from("magneto.out"),
            cache: None,
            no_cache: false,
            fail_on: FailOn::default(),
            min_score: None,
            score: Score::default(),
            skip_unsupported: false,
            sections: Vec::new(),
            commands: Vec::new(),
            implementations: Vec::new(),
            origins: BTreeMap::new(),
        }
    }
}

/// A knob with its value, as files show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The knob.
    pub name: &'static str,
    /// The value, as it would be given.
    pub value: String,
    /// Where it came from.
    pub origin: OptionOrigin,
}

/// The knobs that state an accuracy: one of them on the command line replaces those of `magneto.toml` together.
const ACCURACY: [&Knob; 3] = [REL_ERROR, ABS_ERROR, ULPS];

impl Settings {
    /// Sets a knob.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the value.
    pub fn set(&mut self, knob: &Knob, values: &[String], origin: OptionOrigin) -> Result<(), Unfit> {
        if origin == OptionOrigin::Flag && states_accuracy(knob) {
            for other in ACCURACY {
                if self.origin(other) == OptionOrigin::File {
                    self.clear_accuracy(other);
                }
            }
        }
        (knob.set)(self, values)?;
        self.origins.insert(knob.name, origin);
        Ok(())
    }

    fn clear_accuracy(&mut self, knob: &Knob) {
        let Overrides { rel, abs, ulps, .. } = &mut self.overrides;
        match knob.name {
            name if name == REL_ERROR.name => *rel = None,
            name if name == ABS_ERROR.name => *abs = None,
            _ => *ulps = None,
        }
        self.origins.remove(knob.name);
    }

    /// Where the value of a knob came from.
    #[must_use]
    pub fn origin(&self, knob: &Knob) -> OptionOrigin {
        self.origins.get(knob.name).copied().unwrap_or_default()
    }

    /// The knobs that are worth recording, in a fixed order: all but those without an effect on what is found. Sections
    /// for some specifications follow.
    #[must_use]
    pub fn recorded(&self) -> Vec<Resolved> {
        let worth = KNOBS.iter().filter(|k| k.effect != Effect::Run);
        let knobs = worth.map(|k| Resolved { name: k.name, value: (k.show)(self), origin: self.origin(k) });
        let section = |s: &Section| Resolved { name: sections::KEY, value: s.text(), origin: OptionOrigin::File };
        knobs.chain(self.sections.iter().map(section)).collect()
    }

    /// One line for each knob on which what is found depends: equal for runs with equal results.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let worth = KNOBS.iter().filter(|k| k.effect == Effect::Result);
        let knobs = worth.map(|k| format!("{}={}\n", k.name, (k.show)(self)));
        knobs.chain(self.sections.iter().map(|s| format!("{} {}\n", sections::KEY, s.text()))).collect()
    }

    /// Takes the knobs of a `magneto.toml` over. `path` is where it is: paths in it are relative to that.
    ///
    /// # Errors
    /// Every key and value that is wrong, and where.
    pub fn read_toml(&mut self, source: &str, path: &Path) -> Result<(), Vec<Diagnostic>> {
        let span = |r: std::ops::Range<usize>| Span { start: r.start, end: r.end };
        let table = DeTable::parse(source).map_err(|e| {
            vec![Diagnostic::syntax(e.span().map(span).unwrap_or_default(), e.message().trim().replace('\n', "; "))]
        })?;
        let mut diagnostics = Vec::new();
        for (key, value) in table.get_ref() {
            let (name, at): (&str, Span) = (key.get_ref(), span(value.span()));
            if name == sections::KEY {
                let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                diagnostics.extend(self.read_sections(value.get_ref(), span(key.span()), folder));
                continue;
            }
            if name == implementations::KEY {
                let folder = path.parent().unwrap_or(Path::new(""));
                diagnostics.extend(self.read_implementations(value.get_ref(), span(key.span()), folder));
                continue;
            }
            if let Some(command) = COMMANDS.iter().find(|command| **command == name) {
                diagnostics.extend(self.read_command(command, value.get_ref(), span(key.span())));
                continue;
            }
            let knob = match find(name, span(key.span())) {
                Ok(knob) => knob,
                Err(diagnostic) => {
                    diagnostics.push(diagnostic);
                    continue;
                }
            };
            let set = texts(knob, value.get_ref()).and_then(|values| self.set(knob, &values, OptionOrigin::File));
            if let Err(message) = set {
                diagnostics.push(Diagnostic::semantic(at, format!("`{name}`: {message}")));
            }
        }
        let beside = path.parent().unwrap_or(Path::new(""));
        if self.origin(OUTPUT) == OptionOrigin::File {
            self.output = beside.join(&self.output);
        }
        if self.origin(CACHE) == OptionOrigin::File {
            self.cache = self.cache.take().map(|dir| beside.join(dir));
        }
        diagnostics.sort_by_key(|d| d.span.start);
        if diagnostics.is_empty() { Ok(()) } else { Err(diagnostics) }
    }
}

/// The knob of a key.
fn find(name: &str, at: Span) -> Result<&'static Knob, Diagnostic> {
    KNOBS.iter().find(|k| k.name == name).ok_or_else(|| commands::misplaced(name, at))
}

/// A value of `magneto.toml` as the command line would give it; numbers keep their spelling.
fn texts(knob: &Knob, value: &DeValue<'_>) -> Result<Vec<String>, Unfit> {
    let one = |value: &DeValue<'_>| {
        let text = commands::text(value).ok();
        text.filter(|_| knob.shape == OptionShape::Switch || !matches!(value, DeValue::Boolean(_))).ok_or_else(|| {
            let kind = value.type_str();
            Unfit::from(format!("expected {}, found {} {kind}", expected(knob), article(kind)))
        })
    };
    match value {
        DeValue::Array(items) if knob.shape == OptionShape::List || knob.name == OPERATORS.name => {
            let items = items.iter().map(|i| one(i.get_ref())).collect::<Result<Vec<_>, _>>()?;
            Ok(if knob.shape == OptionShape::List { items } else { vec![items.join(",")] })
        }
        value => one(value).map(|v| vec![v]),
    }
}

fn states_accuracy(knob: &Knob) -> bool {
    ACCURACY.iter().any(|k| k.name == knob.name)
}

fn expected(knob: &Knob) -> &'static str {
    match knob.shape {
        OptionShape::Switch => "true or false",
        OptionShape::Value => "a string or a number",
        OptionShape::List => "a list of strings",
    }
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn only(values: &[String]) -> Result<&str, Unfit> {
    match values {
        [one] => Ok(one.trim()),
        _ => Err("expected one value".into()),
    }
}

fn switch(values: &[String]) -> Result<bool, Unfit> {
    match only(values)? {
        "true" => Ok(true),
        "false" => Ok(false),
        other => Err(format!("expected true or false, not {}", quote(other)).into()),
    }
}

fn whole<T: TryFrom<u64>>(values: &[String], least: u64, most: u64) -> Result<T, Unfit> {
    let text = only(values)?;
    let value = text.parse::<u64>().ok().filter(|v| (least..=most).contains(v)).and_then(|v| T::try_from(v).ok());
    value.ok_or_else(|| {
        let range = if most == u64::MAX { format!("of at least {least}") } else { format!("from {least} to {most}") };
        format!("expected a whole number {range}, not {}", quote(text)).into()
    })
}

/// A time from a millisecond to a day.
fn seconds(values: &[String]) -> Result<Duration, Unfit> {
    duration(only(values)?)
}

/// A time as a command line gives it. Unit: seconds.
///
/// # Errors
/// It is no number, or not from a millisecond to a day.
pub fn duration(text: &str) -> Result<Duration, Unfit> {
    let value = parse_rational(text)?;
    if value >= Rational::from((1, 1000)) && value <= 86_400 {
        Ok(Duration::from_secs_f64(value.to_f64()))
    } else {
        Err(format!("expected a time from 0.001 to 86400 s, not {}", rational_text(&value)).into())
    }
}

/// A width from 0 to 2 in binary64.
fn width(values: &[String]) -> Result<f64, Unfit> {
    let value = parse_rational(only(values)?)?;
    if (0..=2).contains(&value) {
        Ok(value.to_f64())
    } else {
        Err(format!("expected a width from 0 to 2, not {}", rational_text(&value)).into())
    }
}

fn one_of<T: Copy>(values: &[String], choices: &[(&str, T)]) -> Result<T, Unfit> {
    let text = only(values)?;
    choices.iter().find(|c| c.0 == text).map(|c| c.1).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|c| c.0).collect();
        match nearest(text, names.iter().copied()) {
            Some(near) => format!("unknown value {}; did you mean `{near}`?", quote(text)).into(),
            None => format!("unknown value {}; there are {}", quote(text), names.join(", ")).into(),
        }
    })
}

fn name_of<T: PartialEq>(value: &T, choices: &[(&'static str, T)]) -> String {
    choices.iter().find(|c| c.1 == *value).map_or("", |c| c.0).to_owned()
}

const ENCODINGS: &[(&str, Encoding)] = &[("separation", Encoding::Separation), ("paper", Encoding::Paper)];
const BISECTIONS: &[(&str, Bisection)] =
    &[("smear", Bisection::Smear), ("largest", Bisection::Largest), ("round-robin", Bisection::RoundRobin)];

fn optional(value: Option<&Rational>) -> String {
    value.map(rational_text).unwrap_or_default()
}

mod commands;
mod gates;
mod implementations;
mod sections;
mod table;
pub use commands::{COMMANDS, CommandOption, OF_COMMANDS, OF_ONE_RUN};
pub use gates::{FailOn, Score};
pub use implementations::{ImplementationEntry, flags_of_kinds, options_of_implementations};
pub use sections::{Section, SpecPattern};
pub use table::{ABS_ERROR, BOUNDARY, BUDGET, CACHE, JOBS, KNOBS, MINIMIZE, OPERATORS, ORDER, OUTPUT, REL_ERROR, ULPS};
