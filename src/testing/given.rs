//! A specification from what a person gives in a program: a file, the text of FPCores, or a formula; and what is wrong with it.

use crate::infix::{Notation, read};
use crate::options::Settings;
use crate::spec::core::{Core, Datum, DatumKind, Property, Value};
use crate::spec::{File, Spec, parse_file, pick, resolve};
use crate::text::{Diagnostic, Span, line_column};
use crate::unfit::Unfit;
use std::fmt;

/// What a person gave.
#[derive(Clone, Copy, Debug)]
pub enum GivenSpec<'a> {
    /// A path, with `:NAME` behind it or not.
    File(&'a str),
    /// The text of FPCores.
    Text(&'a str),
    /// A formula in a notation.
    Formula(&'a str, Notation),
}

/// A specification that was read.
#[derive(Debug)]
pub struct ReadSpec {
    /// The specification.
    pub spec: Spec,
    /// The text of its FPCore's file.
    pub source: Vec<u8>,
    /// The knobs for it.
    pub settings: Settings,
    /// What the reader took for granted, a sentence without a full stop each.
    pub notes: Vec<String>,
}

/// Something that is wrong with what was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecMistake {
    /// What is wrong.
    pub message: String,
    /// Where it stands; `<text>` and `<formula>` are no files.
    pub file: String,
    /// Line and column of it, from 1; none where it has no place.
    pub place: Option<(usize, usize)>,
    /// What may help.
    pub hint: Option<String>,
    /// All of it, as a person reads it.
    pub text: String,
}

impl fmt::Display for SpecMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for SpecMistake {}

impl SpecMistake {
    fn without_place(Unfit { message, hint }: Unfit, file: &str) -> Vec<Self> {
        let text = hint.as_ref().map_or(message.clone(), |hint| format!("{message}\nhint: {hint}"));
        vec![SpecMistake { message, file: file.to_owned(), place: None, hint, text }]
    }

    /// What diagnostics of a source say; `file` is what the source is called.
    pub fn with_places<'d>(all: impl IntoIterator<Item = &'d Diagnostic>, file: &str, source: &[u8]) -> Vec<Self> {
        let one = |d: &Diagnostic| {
            let text = d.render(file, source);
            SpecMistake {
                message: d.message.clone(),
                file: file.to_owned(),
                place: Some(line_column(source, d.span.start.min(source.len()))),
                hint: d.hint.clone(),
                text: text.strip_prefix("error: ").unwrap_or(&text).trim_end().to_owned(),
            }
        };
        all.into_iter().map(one).collect()
    }
}

/// Reads a specification of one result. `name` picks one of several FPCores, and is the name of a formula's.
///
/// # Errors
/// All that is wrong with it.
pub fn specification(
    given: GivenSpec<'_>,
    name: Option<&str>,
    settings: Settings,
) -> Result<ReadSpec, Vec<SpecMistake>> {
    let mut all = specifications(given, name, settings)?;
    match (all.pop(), all.len()) {
        (Some(one), 0) => Ok(one),
        (last, _) => {
            let names: Vec<String> = all.into_iter().chain(last).map(|read| read.spec.name).collect();
            let shown = shown(given);
            let message = format!("the specification has {} results; pick one", names.len());
            let hint = Some(format!("say which by its name, one of {}", pick::list(&names)));
            Err(SpecMistake::without_place(Unfit { message, hint }, shown))
        }
    }
}

/// What the source of a specification is called.
fn shown(given: GivenSpec<'_>) -> &str {
    match given {
        GivenSpec::File(path) => pick::split(path).0,
        GivenSpec::Text(_) => "<text>",
        GivenSpec::Formula(..) => "<formula>",
    }
}

/// Reads the specifications of all results of one FPCore, in their order; of most there is one. `name` picks one of several
/// FPCores, or one result, and is the name of a formula's.
///
/// # Errors
/// All that is wrong with them.
pub fn specifications(
    given: GivenSpec<'_>,
    name: Option<&str>,
    settings: Settings,
) -> Result<Vec<ReadSpec>, Vec<SpecMistake>> {
    let shown = shown(given);
    let (picked, source, notes) = match given {
        GivenSpec::File(path) => {
            let (path, picked) = pick::split(path);
            let source = pick::read_source(path).map_err(|unfit| SpecMistake::without_place(unfit, path))?;
            (name.or(picked), source, Vec::new())
        }
        GivenSpec::Text(text) => (name, text.as_bytes().to_vec(), Vec::new()),
        GivenSpec::Formula(text, notation) => {
            let (core, notes) = formula(text, notation, name)?;
            (None, format!("{core}\n").into_bytes(), notes)
        }
    };
    let file = parse_file(&source);
    if !file.diagnostics.is_empty() {
        return Err(SpecMistake::with_places(&file.diagnostics, shown, &source));
    }
    let places = chosen(&file, picked, shown).map_err(|unfit| SpecMistake::without_place(unfit, shown))?;
    let one = |place: usize| {
        let spec = resolve(&file, place, shown, &settings.overrides);
        let spec = spec.map_err(|all| SpecMistake::with_places(&all, shown, &source))?;
        Ok(ReadSpec { spec, source: source.clone(), settings: settings.clone(), notes: notes.clone() })
    };
    places.into_iter().map(one).collect()
}

/// The FPCore of a formula, with a name if one is given.
fn formula(text: &str, notation: Notation, name: Option<&str>) -> Result<(Core, Vec<String>), Vec<SpecMistake>> {
    let reading = read(text, notation);
    let reading = reading.map_err(|d| SpecMistake::with_places([&d], "<formula>", text.as_bytes()))?;
    let mut core = reading.core;
    if let Some(name) = name.or(reading.name.as_deref()) {
        let value = Value::Data(Datum { kind: DatumKind::String(name.to_owned()), span: Span::default() });
        core.props.retain(|property| property.key != "name");
        core.props.insert(0, Property { key: "name".to_owned(), key_span: Span::default(), value });
    }
    Ok((core, reading.assumptions.into_iter().map(|a| a.says).collect()))
}

/// The places of the results of the FPCore that is meant.
fn chosen(file: &File, name: Option<&str>, shown: &str) -> Result<Vec<usize>, Unfit> {
    let fail = |message: String, hint: String| Err(Unfit { message, hint: Some(hint) });
    let span = |core: &Result<Core, _>| core.as_ref().ok().map(|core| core.span);
    let is_one = || file.cores.windows(2).all(|pair| span(&pair[0]).is_some() && span(&pair[0]) == span(&pair[1]));
    match (name, file.cores.len()) {
        (Some(name), _) => pick::pick_results(file, name, shown),
        (None, 0) => fail(format!("{shown}: there is no FPCore in it"), "write `(FPCore (x) … body)`".to_owned()),
        (None, several) if is_one() => Ok((0..several).collect()),
        (None, several) => {
            let names: Vec<String> = file.labels.iter().filter_map(|labels| labels.last().cloned()).collect();
            let hint = format!("say which by its name, one of {}", pick::list(&names));
            fail(format!("{shown} holds {several} FPCores; pick one"), hint)
        }
    }
}
