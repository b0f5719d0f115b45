//! A specification from what a person gives: a file, the text of FPCores, or a formula; and what is wrong with it.

use magneto::infix::{Notation, read as read_formula};
use magneto::options::{KNOBS, OptionOrigin, Settings};
use magneto::spec::core::{Core, Datum, DatumKind, Property, Value};
use magneto::spec::{File, Spec, parse_file, pick, resolve};
use magneto::text::{Diagnostic, Span, line_column};
use magneto::unfit::Unfit;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(_magneto, Refused, PyValueError);

/// A mistake: message, file, line, column, hint, and all of it as a person reads it. Lines and columns count from 1; without a
/// place they are 0.
type Mistake = (String, String, usize, usize, Option<String>, String);

/// What a person gave.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    /// A path, with `:NAME` behind it or not.
    File(&'a str),
    /// The text of FPCores.
    Text(&'a str),
    /// A formula in a notation.
    Formula(&'a str, &'a str),
}

/// What was read.
pub(crate) struct Read {
    pub(crate) spec: Spec,
    pub(crate) source: Vec<u8>,
    pub(crate) settings: Settings,
    /// What the reader took for granted.
    pub(crate) notes: Vec<String>,
}

/// The exception of some mistakes.
fn refused(mistakes: Vec<Mistake>) -> PyErr {
    Refused::new_err((mistakes,))
}

fn without_place(Unfit { message, hint }: Unfit, file: &str) -> PyErr {
    let text = hint.as_ref().map_or(message.clone(), |hint| format!("{message}\nhint: {hint}"));
    refused(vec![(message, file.to_owned(), 0, 0, hint, text)])
}

fn with_places<'d>(all: impl IntoIterator<Item = &'d Diagnostic>, file: &str, source: &[u8]) -> PyErr {
    let one = |d: &Diagnostic| {
        let (line, column) = line_column(source, d.span.start.min(source.len()));
        let text = d.render(file, source);
        let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end().to_owned();
        (d.message.clone(), file.to_owned(), line, column, d.hint.clone(), text)
    };
    refused(all.into_iter().map(one).collect())
}

/// Reads a specification. `name` picks one of several FPCores, and is the name of a formula's. `options` are knobs with their
/// values, as flags give them.
pub(crate) fn specification(given: Given<'_>, name: Option<&str>, options: &[(String, String)]) -> PyResult<Read> {
    let mut settings = Settings::default();
    for (flag, value) in options {
        let knob = KNOBS.iter().find(|knob| knob.name == flag);
        let knob = knob.ok_or_else(|| PyValueError::new_err(format!("there is no option {flag}")))?;
        let set = settings.set(knob, std::slice::from_ref(value), OptionOrigin::Flag);
        set.map_err(|unfit| without_place(Unfit { message: format!("{flag}: {}", unfit.message), ..unfit }, ""))?;
    }
    let (shown, picked, source, notes) = match given {
        Given::File(path) => {
            let (path, picked) = pick::split(path);
            let source = pick::read_source(path).map_err(|unfit| without_place(unfit, path))?;
            (path, name.or(picked), source, Vec::new())
        }
        Given::Text(text) => ("<text>", name, text.as_bytes().to_vec(), Vec::new()),
        Given::Formula(text, notation) => {
            let (core, notes) = formula(text, notation, name)?;
            ("<formula>", None, format!("{core}\n").into_bytes(), notes)
        }
    };
    let file = parse_file(&source);
    if !file.diagnostics.is_empty() {
        return Err(with_places(&file.diagnostics, shown, &source));
    }
    let index = chosen(&file, picked, shown)?;
    let spec = resolve(&file, index, shown, &settings.overrides).map_err(|all| with_places(&all, shown, &source))?;
    Ok(Read { spec, source, settings, notes })
}

/// The FPCore of a formula, with a name if one is given.
fn formula(text: &str, notation: &str, name: Option<&str>) -> PyResult<(Core, Vec<String>)> {
    let notation = Notation::from_name(notation).ok_or_else(|| {
        let names = Notation::ALL.map(Notation::name).join(", ");
        PyValueError::new_err(format!("there is no notation {notation:?}; there are {names}"))
    })?;
    let reading = read_formula(text, notation).map_err(|d| with_places([&d], "<formula>", text.as_bytes()))?;
    let mut core = reading.core;
    if let Some(name) = name.or(reading.name.as_deref()) {
        let value = Value::Data(Datum { kind: DatumKind::String(name.to_owned()), span: Span::default() });
        core.props.retain(|property| property.key != "name");
        core.props.insert(0, Property { key: "name".to_owned(), key_span: Span::default(), value });
    }
    Ok((core, reading.assumptions.into_iter().map(|a| a.says).collect()))
}

/// The place of the FPCore that is meant.
fn chosen(file: &File, name: Option<&str>, shown: &str) -> PyResult<usize> {
    let fail = |message: String, hint: String| Err(without_place(Unfit { message, hint: Some(hint) }, shown));
    match (name, file.cores.len()) {
        (Some(name), _) => pick::pick(file, name, shown).map_err(|unfit| without_place(unfit, shown)),
        (None, 1) => Ok(0),
        (None, 0) => fail(format!("{shown}: there is no FPCore in it"), "write `(FPCore (x) … body)`".to_owned()),
        (None, several) => {
            let names: Vec<String> = file.labels.iter().filter_map(|labels| labels.last().cloned()).collect();
            let hint = format!("pass name=…, one of {}", pick::list(&names));
            fail(format!("{shown} holds {several} FPCores; pick one"), hint)
        }
    }
}
