//! A new specification as a file for people: what it is of, and what is known of it, as comments above the FPCore.

use super::lint;
use crate::floats::Format;
use crate::lint::Lint;
use crate::num::float::decimal;
use crate::spec::core::{Core, Datum, DatumKind, Property, Value};
use crate::spec::{Accuracy, Input, Spec};
use crate::text::Span;

/// Comments are wrapped at this column where the text permits.
const WIDTH: usize = 100;

/// What a person states of a formula, for its properties.
#[derive(Clone, Copy, Debug)]
pub struct Stated<'a> {
    /// The name of the specification.
    pub name: &'a str,
    /// The format of inputs and result.
    pub format: Format,
    /// How far a result may be off.
    pub accuracy: &'a Accuracy,
    /// Names of inputs, or `result`, each with its unit.
    pub units: &'a [(String, String)],
}

/// The core with all that is stated as properties.
#[must_use]
pub fn stated(mut core: Core, stated: &Stated<'_>) -> Core {
    let datum = |kind| Datum { kind, span: Span::default() };
    let property =
        |key: &str, kind| Property { key: key.to_owned(), key_span: Span::default(), value: Value::Data(datum(kind)) };
    let unit = |(name, unit): &(String, String)| {
        datum(DatumKind::List(vec![datum(DatumKind::Symbol(name.clone())), datum(DatumKind::String(unit.clone()))]))
    };
    core.props.retain(|p| p.key != "name");
    core.props.splice(
        ..0,
        [
            property("name", DatumKind::String(stated.name.to_owned())),
            property("precision", DatumKind::Symbol(stated.format.name().to_owned())),
        ],
    );
    if !stated.units.is_empty() {
        core.props.push(property("magneto-units", DatumKind::List(stated.units.iter().map(unit).collect())));
    }
    core.props.extend(stated.accuracy.to_properties());
    core
}

/// The text of a file: the formula as a person wrote it, the inputs, what was taken for granted and what was found of the
/// specification, as comments above its core.
#[must_use]
pub fn file(formula: &str, assumed: &[String], spec: &Spec, found: &Lint) -> String {
    let mut lines = vec![spec.name.clone(), String::new()];
    lines.extend(formula.trim().lines().map(|line| format!("  {}", line.trim_end())));
    lines.push(String::new());
    lines.extend(table(spec));
    lines.push(String::new());
    if !assumed.is_empty() {
        lines.push("What was taken for granted:".to_owned());
        lines.extend(assumed.iter().flat_map(|says| wrapped(says)));
        lines.push(String::new());
    }
    lines.push("What `magneto lint` found when this file was written; ask it again after a change:".to_owned());
    lines.extend(remarks(spec, found).iter().flat_map(|remark| wrapped(remark)));
    let mut text = String::new();
    for line in lines {
        // A line that ends where no one sees it would put the rest of a comment into the specification.
        let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        text += format!("; {line}").trim_end();
        text.push('\n');
    }
    format!("{text}{}\n", spec.core)
}

/// A line for each input and for the result: name, range, unit.
fn table(spec: &Spec) -> Vec<String> {
    let unit = |unit: &Option<String>| unit.clone().unwrap_or_default();
    let inputs = spec.inputs.iter().map(|i| [i.name.clone(), i.range.to_string(), unit(&i.unit)]);
    let result = ["result".to_owned(), format!("within {}", spec.accuracy), unit(&spec.result_unit)];
    let rows: Vec<[String; 3]> = inputs.chain([result]).collect();
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or_default();
    let (name, range) = (width(0), width(1));
    rows.iter().map(|[n, r, u]| format!("  {n:<name$}  {r:<range$}  {u}").trim_end().to_owned()).collect()
}

/// What is worth knowing of a specification before its first run, each a sentence without a full stop.
#[must_use]
pub fn remarks(spec: &Spec, found: &Lint) -> Vec<String> {
    let findings = found.findings.iter().map(|f| match &f.hint {
        Some(hint) => format!("{} ({hint})", f.message),
        None => f.message.clone(),
    });
    let ends = spec.inputs.iter().filter(|i| ends_at_zero(i)).map(|i| {
        let least = decimal(i.format.least());
        let name = &i.name;
        format!(
            "`{name}` ends at 0, so that numbers as small as {least} are inputs; end it at the least number that matters if \
             these play no part"
        )
    });
    lint::points(spec, found).into_iter().chain(findings).chain(ends).collect()
}

/// Whether the range of an input has 0 as an end.
fn ends_at_zero(input: &Input) -> bool {
    [&input.range.lo, &input.range.hi].into_iter().flatten().any(|end| end.value.is_zero())
}

/// A text as an item of a list, in lines.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec!["-".to_owned()];
    for word in text.split_whitespace() {
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 2 && last + 1 + word.chars().count() + 2 > WIDTH {
            lines.push(" ".to_owned());
        }
        if let Some(line) = lines.last_mut() {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines
}
