//! What a core means as a specification: inputs, domain, real function, accuracy.

use super::accuracy::{ACCURACY_PROPERTIES, Accuracy, Overrides, accuracy, format_named};
use super::core::{Arg, Core, Datum, DatumKind, Expr, ExprKind, Property, Value};
use super::domain::domain;
use super::inline::inline;
use super::meaning;
use super::overflow::write_overflow_out;
use super::parse::File;
use super::people::{requirements, units};
use super::precondition::flat_precondition;
use super::range::Range;
use super::results::{ResultPlace, place, project};
use super::sort::is_condition;
use super::unroll::{MAX_ITERATIONS, has_loops, never_ends, unroll};
use crate::floats::Format;
use crate::ops::float::LibmUlps;
use crate::text::{Diagnostic, Span, nearest, quote};
use std::path::Path;

/// A specification: a core with its meaning settled.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Its `:name`, else its identifier, else the file's stem with the core's number.
    pub name: String,
    /// The core, calls of earlier cores inlined. Its body is the real function.
    pub core: Core,
    /// The file that it was read from, as given.
    pub source_file: String,
    /// Where in the file the texts stand on which it depends: of the cores that it calls, directly or not, in their order,
    /// and its own as the last.
    pub texts: Vec<Span>,
    /// The inputs in order.
    pub inputs: Vec<Input>,
    /// The formula that is a program by `:magneto-meaning`: the body has its roundings, this has not. `None` where the body is what
    /// is written.
    pub formula: Option<Expr>,
    /// Conditions on the inputs beyond their ranges; all of them hold in the domain.
    pub constraints: Vec<Expr>,
    /// How far a result may be from the exact value.
    pub accuracy: Accuracy,
    /// Whether neither the core nor a flag states an accuracy.
    pub accuracy_defaulted: bool,
    /// The format that an implementation returns.
    pub result_format: Format,
    /// The largest error of the library functions that an implementation calls.
    pub libm_ulps: LibmUlps,
    /// How often the loops of the formula or of a mutant may go round, all together.
    pub max_iterations: u64,
    /// What an implementation owes outside the domain.
    pub out_of_range: OutOfRange,
    /// Whether the core writes it.
    pub out_of_range_stated: bool,
    /// The identifiers of the requirements that the specification stands for, with commas between them.
    pub requirement: Option<String>,
    /// The same one by one.
    pub requirements: Vec<String>,
    /// The unit of the result, if `:magneto-units` states it.
    pub result_unit: Option<String>,
    /// Which of the results of an implementation this is.
    pub result: ResultPlace,
}

/// One input.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// The format whose values it takes.
    pub format: Format,
    /// The range that the precondition leaves to it.
    pub range: Range,
    /// Its unit, if `:magneto-units` states it: a text, on which nothing depends.
    pub unit: Option<String>,
}

/// What an implementation owes for inputs outside the domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutOfRange {
    /// To report an error.
    #[default]
    Reject,
    /// To return NaN.
    Nan,
    /// To return a value that it also returns inside the domain.
    Saturate,
    /// Nothing.
    Any,
}

impl OutOfRange {
    /// Every response.
    pub const ALL: [OutOfRange; 4] = [OutOfRange::Reject, OutOfRange::Nan, OutOfRange::Saturate, OutOfRange::Any];

    /// Its name in `:magneto-out-of-range`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            OutOfRange::Reject => "reject",
            OutOfRange::Nan => "nan",
            OutOfRange::Saturate => "saturate",
            OutOfRange::Any => "any",
        }
    }
}

/// Settles the meaning of the core at `index` of a file.
///
/// # Errors
/// Every reason for which the core is no specification; those of the reader if it could not even be read.
pub fn resolve(file: &File, index: usize, source_file: &str, overrides: &Overrides) -> Result<Spec, Vec<Diagnostic>> {
    let (mut core, texts) = inline(file, index)?;
    core.body = project(core.body, &std::mem::take(&mut core.element));
    let mut diagnostics = Vec::new();
    let max_iterations = overrides.max_iterations.unwrap_or(MAX_ITERATIONS);
    if is_condition(&core.body) {
        let message = "the body is a condition; a specification returns a number";
        diagnostics.push(Diagnostic::semantic(core.body.span, message).hint("write `(if condition 1 0)`"));
    }
    convert(&mut core, overrides.precision);
    let result_format = core.data("precision").and_then(precision).unwrap_or(Format::BINARY64);
    diagnostics.extend(unknown_fixed(&core));
    let (mut accuracy, mut accuracy_defaulted) = accuracy(&core, result_format, overrides, &mut diagnostics);
    write_overflow_out(&mut core, result_format, &accuracy, &mut diagnostics);
    let mut inputs = inputs(&core, result_format, &mut diagnostics);
    let formula =
        meaning::program(&mut core, &callees(file, &texts), &formats(&inputs), &mut diagnostics).map(|program| {
            if std::mem::take(&mut accuracy_defaulted) {
                accuracy = Accuracy::exact(result_format);
                diagnostics.extend(program.library_call.map(|(op, span)| meaning::inexact(op, span)));
            }
            std::mem::replace(&mut core.body, program.body)
        });
    let constraints = match core.property("pre").map(|p| &p.value) {
        Some(Value::Expr(pre)) => {
            let names: Vec<String> = inputs.iter().map(|i| i.name.clone()).collect();
            let piece = match flat_precondition(pre, &names, max_iterations) {
                Ok(pre) => domain(&pre, &names),
                Err(wrong) => return Err(diagnostics.into_iter().chain([wrong]).collect()),
            };
            diagnostics.extend(piece.empty);
            for (input, range) in inputs.iter_mut().zip(piece.ranges) {
                input.range = range;
            }
            piece.rest
        }
        _ => Vec::new(),
    };
    if diagnostics.is_empty() && has_loops(&core.body) {
        let names: Vec<String> = inputs.iter().map(|i| i.name.clone()).collect();
        diagnostics.extend(endless(&names, &core.body, max_iterations));
    }
    if diagnostics.is_empty() {
        narrow(&core, &mut inputs, overrides, &mut diagnostics);
    }
    let out_of_range = out_of_range(&core, &mut diagnostics);
    let out_of_range_stated = core.property("magneto-out-of-range").is_some();
    let requirements = requirements(core.data("magneto-req"), &mut diagnostics);
    let mut slots = inputs.iter_mut().map(|i| (i.name.as_str(), &mut i.unit)).collect();
    let result_unit = units(core.data("magneto-units"), &mut slots, &mut diagnostics);
    if !diagnostics.is_empty() {
        diagnostics.sort_by_key(|d| (d.span.start, d.span.end));
        return Err(diagnostics);
    }
    let result = match place(core.data("magneto-result")) {
        Ok(place) => place,
        Err(wrong) => return Err(vec![wrong]),
    };
    Ok(Spec {
        name: name(&core, index, source_file),
        core,
        source_file: source_file.to_owned(),
        texts,
        inputs,
        formula,
        constraints,
        accuracy,
        accuracy_defaulted,
        result_format,
        libm_ulps: overrides.libm_ulps.unwrap_or_default(),
        max_iterations,
        out_of_range,
        out_of_range_stated,
        requirement: (!requirements.is_empty()).then(|| requirements.join(", ")),
        requirements,
        result_unit,
        result,
    })
}

impl Spec {
    /// What is written: the body, but of a program its formula.
    #[must_use]
    pub fn stated_body(&self) -> &Expr {
        self.formula.as_ref().unwrap_or(&self.core.body)
    }

    /// A formula as a program, as [`Spec::formula`] is one: with its roundings. None where it cannot be one: a literal is beyond
    /// the numbers of its fixed point, or a rounding context is none.
    #[must_use]
    pub fn with_roundings(&self, formula: &Expr) -> Option<Expr> {
        meaning::rounded(&self.core, &formats(&self.inputs), formula)
    }

    /// The specification as a core as people wrote it: [`Spec::to_core`], but of a program the formula.
    #[must_use]
    pub fn to_stated_core(&self) -> Core {
        let core = self.to_core();
        let Some(formula) = &self.formula else { return core };
        let mut props = core.props;
        props.push(meaning::property());
        Core { props, body: formula.clone(), ..core }
    }

    /// The specification as a core: `:pre` and the accuracy properties are written anew from the ranges, constraints and
    /// accuracy, everything else is kept.
    ///
    /// The core resolves to the same ranges, constraints and accuracy, unless a range was widened beyond what a
    /// constraint implies.
    #[must_use]
    pub fn to_core(&self) -> Core {
        let mut pre: Vec<Expr> = self.inputs.iter().flat_map(|i| i.range.to_conditions(&i.name)).collect();
        pre.extend(self.constraints.iter().cloned());
        let pre = match pre.len() {
            0 => None,
            1 => pre.pop(),
            _ => Some(Expr::new(ExprKind::And(pre))),
        };
        let mut pre = pre.map(|e| Property { key: "pre".to_owned(), key_span: Span::default(), value: Value::Expr(e) });
        let mut accuracy = self.accuracy.to_properties();
        let mut props = Vec::new();
        for property in &self.core.props {
            if property.key == "pre" {
                props.extend(pre.take());
            } else if ACCURACY_PROPERTIES.contains(&property.key.as_str()) {
                props.append(&mut accuracy);
            } else {
                props.push(property.clone());
            }
        }
        props.extend(pre);
        props.append(&mut accuracy);
        Core { props, ..self.core.clone() }
    }
}

/// Gives a core another `:precision`, if there is one.
fn convert(core: &mut Core, format: Option<Format>) {
    let Some(format) = format else { return };
    let at = core.span;
    let value = Value::Data(Datum { kind: DatumKind::Symbol(format.name()), span: at });
    core.props.retain(|p| p.key != "precision");
    core.props.push(Property { key: "precision".to_owned(), key_span: at, value });
}

/// The cores that are called, of the texts on which a core depends.
fn callees<'f>(file: &'f File, texts: &[Span]) -> Vec<&'f Core> {
    let is_called = |core: &&Core| texts.iter().rev().skip(1).any(|text| *text == core.span);
    file.cores.iter().flatten().filter(is_called).collect()
}

fn formats(inputs: &[Input]) -> Vec<Format> {
    inputs.iter().map(|i| i.format).collect()
}

/// Why a formula with loops is no specification, if so.
fn endless(names: &[String], body: &Expr, iterations: u64) -> Option<Diagnostic> {
    match unroll(names, body, iterations) {
        Err(stuck) => Some(stuck.diagnostic()),
        Ok(unrolled) => unrolled.endless.map(never_ends),
    }
}

/// The format that a `:precision` names; others, such as `real`, say nothing about an implementation.
fn precision(datum: &Datum) -> Option<Format> {
    Format::from_name(&datum.to_string())
}

/// What is wrong with the fixed-point formats of a core and its arguments.
fn unknown_fixed(core: &Core) -> Vec<Diagnostic> {
    let properties = core.props.iter().chain(core.args.iter().flat_map(|arg| &arg.props));
    let wrong = |p: &Property| match &p.value {
        Value::Data(datum) if p.key == "precision" && datum.to_string().starts_with("(fixed") => {
            let (message, hint) = format_named(&datum.to_string()).err()?;
            Some(Diagnostic::semantic(datum.span, format!("`:precision`: {message}")).hint(hint))
        }
        _ => None,
    };
    properties.filter_map(wrong).collect()
}

fn name(core: &Core, index: usize, source_file: &str) -> String {
    match core.data("name").map(|d| &d.kind) {
        Some(DatumKind::String(name) | DatumKind::Symbol(name)) if !name.trim().is_empty() => return name.clone(),
        _ => {}
    }
    if let Some(ident) = &core.ident {
        return ident.clone();
    }
    let stem = Path::new(source_file).file_stem().map(|s| s.to_string_lossy().into_owned());
    let stem = stem.filter(|s| s != "-").unwrap_or_else(|| "stdin".to_owned());
    format!("{stem}#{}", index + 1)
}

/// The inputs with their formats: from `:magneto-inputs`, else the argument's own `:precision`, else the core's.
fn inputs(core: &Core, default: Format, diagnostics: &mut Vec<Diagnostic>) -> Vec<Input> {
    let own = |props: &[Property]| {
        let last = props.iter().rev().find(|p| p.key == "precision")?;
        if let Value::Data(d) = &last.value { precision(d) } else { None }
    };
    let input = |arg: &Arg, name| {
        let format = own(&arg.props).unwrap_or(default);
        Input { name, format, range: Range::default(), unit: None }
    };
    let of = |arg: &Arg| arg.inputs().into_iter().map(|name| input(arg, name)).collect::<Vec<_>>();
    let mut inputs: Vec<Input> = core.args.iter().flat_map(of).collect();
    let Some(datum) = core.data("magneto-inputs") else { return inputs };
    let mut report = |span, (message, hint): (String, String)| {
        diagnostics.push(Diagnostic::semantic(span, format!("`:magneto-inputs`: {message}")).hint(hint));
    };
    let usage = || "write a format, or `((x binary32) (y (fixed -15 16)))`".to_owned();
    let is_format = |items: &[Datum]| matches!(items, [Datum { kind: DatumKind::Symbol(_), .. }, ..]);
    match &datum.kind {
        DatumKind::List(items) if is_format(items) => match format_named(&datum.to_string()) {
            Ok(format) => inputs.iter_mut().for_each(|i| i.format = format),
            Err(problem) => report(datum.span, problem),
        },
        DatumKind::Symbol(name) => match format_named(name) {
            Ok(format) => inputs.iter_mut().for_each(|i| i.format = format),
            Err(problem) => report(datum.span, problem),
        },
        DatumKind::List(items) => {
            let mut seen: Vec<&str> = Vec::new();
            for item in items {
                let pair = if let DatumKind::List(pair) = &item.kind { pair.as_slice() } else { &[] };
                let [Datum { kind: DatumKind::Symbol(name), span }, format] = pair else {
                    report(item.span, (format!("{} is not `(name format)`", quote(&item.to_string())), usage()));
                    continue;
                };
                let names: Vec<String> = inputs.iter().map(|i| i.name.clone()).collect();
                let mut meant: Vec<&mut Input> = inputs.iter_mut().filter(|i| is_of(&i.name, name)).collect();
                match (meant.first_mut(), format_named(&format.to_string())) {
                    (None, _) => {
                        let near = nearest(name, names.iter().map(String::as_str));
                        let hint = near.map_or_else(usage, |n| format!("did you mean `{n}`?"));
                        report(*span, (format!("there is no input {}", quote(name)), hint));
                    }
                    (_, Err(problem)) => report(format.span, problem),
                    _ if seen.contains(&name.as_str()) => {
                        report(*span, (format!("{} is given twice", quote(name)), usage()));
                    }
                    (Some(_), Ok(format)) => meant.into_iter().for_each(|input| input.format = format),
                }
                seen.push(name);
            }
        }
        _ => report(datum.span, (format!("{} is not a format", quote(&datum.to_string())), usage())),
    }
    inputs
}

/// Takes in the domains that the command line gives.
fn narrow(core: &Core, inputs: &mut [Input], overrides: &Overrides, diagnostics: &mut Vec<Diagnostic>) {
    let head = Span { start: core.span.start, end: (core.span.start + "(FPCore".len()).min(core.span.end) };
    for (name, range) in &overrides.domain {
        let names: Vec<String> = inputs.iter().map(|i| i.name.clone()).collect();
        let meant: Vec<usize> = (0..inputs.len()).filter(|k| is_of(&inputs[*k].name, name)).collect();
        if meant.is_empty() {
            let hint = match nearest(name, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the inputs are {}", names.join(", ")),
            };
            let message = format!("`--domain {name}={range}`: there is no input {}", quote(name));
            diagnostics.push(Diagnostic::semantic(head, message).hint(hint));
        }
        for k in meant {
            let both = inputs[k].range.intersect(range);
            if both.is_empty() {
                let message = format!("with `--domain {name}={range}` {}", both.empty_message(name));
                let hint = format!("the precondition leaves {} to `{name}`", inputs[k].range);
                let span = core.argument(k).map_or(core.span, |a| a.span);
                diagnostics.push(Diagnostic::semantic(span, message).hint(hint));
            }
            inputs[k].range = both;
        }
    }
}

fn out_of_range(core: &Core, diagnostics: &mut Vec<Diagnostic>) -> OutOfRange {
    let Some(datum) = core.data("magneto-out-of-range") else { return OutOfRange::default() };
    let text = match &datum.kind {
        DatumKind::Symbol(text) => text.clone(),
        _ => datum.to_string(),
    };
    OutOfRange::ALL.into_iter().find(|r| r.name() == text).unwrap_or_else(|| {
        let hint = match nearest(&text, OutOfRange::ALL.map(OutOfRange::name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", OutOfRange::ALL.map(OutOfRange::name).join(", ")),
        };
        let message = format!("`:magneto-out-of-range`: {} is not a response", quote(&text));
        diagnostics.push(Diagnostic::semantic(datum.span, message).hint(hint));
        OutOfRange::default()
    })
}

/// Whether an input has this name, or is an element of the array of this name.
fn is_of(input: &str, name: &str) -> bool {
    input == name || input.split_once('[').is_some_and(|(array, _)| array == name)
}
