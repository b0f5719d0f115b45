//! How a function of a library takes its inputs and gives its result.

use crate::cc::{Prototype, SourceFunction, SourceType, declaration};
use crate::floats::Format;
use crate::spec::{ResultPlace, Spec};
use crate::unfit::Unfit;
use std::fmt;
use std::str::FromStr;

/// The type of inputs and result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// `double`.
    F64,
    /// `float`.
    F32,
}

/// How the inputs are passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentPassing {
    /// As an argument each.
    Values,
    /// As one pointer to all of them.
    Array,
    /// As a reference each, as Fortran passes arguments.
    References,
}

/// How the result comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// It is returned.
    Value,
    /// It is stored where the last argument, a pointer, points to, several one after the other; nothing is returned.
    Out,
    /// The same, and an `int` is returned: 0 for success, anything else refuses the input.
    Status,
    /// It is stored where the last argument but one points to, and where the last one does such an `int`.
    Info,
    /// Of several results, each is stored where a pointer of its own points to, the last arguments; nothing is returned.
    Outs,
    /// The same, and such an `int` is returned.
    OutsStatus,
}

impl Returns {
    const ALL: [Returns; 6] =
        [Returns::Value, Returns::Out, Returns::Status, Returns::Info, Returns::Outs, Returns::OutsStatus];

    /// How many pointers to results there are.
    fn pointers(self, results: usize) -> usize {
        match self {
            Returns::Value => 0,
            Returns::Out | Returns::Status | Returns::Info => 1,
            Returns::Outs | Returns::OutsStatus => results,
        }
    }
}

/// A signature: `f64`, `f32`, with `-array` if there is one pointer to all inputs instead of an argument each or `-ref` if each
/// argument is a reference, and `-out`, `-status` or `-info` if the result is stored through a pointer, `-outs` or `-outs-status` if
/// each of several has its own; behind that `/2of3` for the second of three. A declaration in C is read as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// `double` or `float`.
    pub width: Width,
    /// How the inputs are passed.
    pub passing: ArgumentPassing,
    /// How the result comes back.
    pub returns: Returns,
    /// Which result of how many is wanted.
    pub result: ResultPlace,
}

/// The most inputs that are passed as an argument each.
pub const MAX_ARGUMENTS: usize = 16;
/// The most results that have a pointer each.
pub const MAX_POINTERS: usize = 8;

impl Signature {
    /// The one that fits a specification: `float` where binary32 holds every input and result, else `double`.
    #[must_use]
    pub fn of(spec: &Spec) -> Self {
        let wide = |f: Format| !Format::BINARY32.includes(f);
        let double = wide(spec.result_format) || spec.inputs.iter().any(|i| wide(i.format));
        Signature {
            width: if double { Width::F64 } else { Width::F32 },
            passing: ArgumentPassing::Values,
            returns: if spec.result.count > 1 { Returns::Out } else { Returns::Value },
            result: spec.result,
        }
    }

    /// Whether the inputs of a specification can be passed so.
    ///
    /// # Errors
    /// A sentence that says why not.
    pub fn fits(self, spec: &Spec) -> Result<(), Unfit> {
        if self.width == Width::F32
            && let Some(wide) = spec.inputs.iter().find(|i| !Format::BINARY32.includes(i.format))
        {
            let (name, format) = (&wide.name, wide.format.name());
            return Err(format!(
                "the signature {self} takes float, and the input {name} is a {format} number; `--convert binary32` takes \
                 functions of floats, as `:precision binary32` in the specification does, or `:magneto-inputs binary32` where only the \
                 inputs are floats"
            )
            .into());
        }
        let count = if self.passing == ArgumentPassing::Array { 1 } else { spec.inputs.len() };
        if count > MAX_ARGUMENTS {
            return Err(
                format!("{count} inputs are more than the {MAX_ARGUMENTS} that the signature {self} can take").into()
            );
        }
        let pointers = self.returns.pointers(self.result.count);
        if pointers > MAX_POINTERS {
            let message = format!("{pointers} results are more than the {MAX_POINTERS} that can have a pointer each");
            return Err(message.into());
        }
        if self.returns == Returns::Value && self.result.count > 1 {
            let results = self.result.count;
            return Err(
                format!("the specification is of one of {results} results, and {self} returns one number").into()
            );
        }
        Ok(())
    }

    /// Whether the function gives a status, by which it refuses an input.
    #[must_use]
    pub fn has_status(self) -> bool {
        matches!(self.returns, Returns::Status | Returns::Info | Returns::OutsStatus)
    }

    /// Whether a function of this prototype is called so, with so many inputs.
    #[must_use]
    pub fn is_of(self, prototype: &Prototype, inputs: usize) -> bool {
        let (t, found) = (self.element(), &prototype.parameters);
        let results = self.result.count;
        let mut stored = vec![format!("{t} *"), format!("{t} &")];
        if results > 1 {
            stored.push(format!("{t} [{results}]"));
        }
        let taken: Vec<Vec<String>> = match self.passing {
            ArgumentPassing::Values => vec![vec![t.to_owned()]; inputs],
            ArgumentPassing::Array => vec![vec![format!("{t} *"), format!("{t} [{inputs}]")]],
            ArgumentPassing::References => vec![vec![format!("{t} &")]; inputs],
        };
        let outs: Vec<Vec<String>> = match self.returns {
            Returns::Value => Vec::new(),
            Returns::Out | Returns::Status => vec![stored],
            Returns::Info => vec![stored, vec!["int *".to_owned(), "int &".to_owned()]],
            Returns::Outs | Returns::OutsStatus => vec![stored[..2].to_vec(); results],
        };
        let expected: Vec<Vec<String>> = taken.into_iter().chain(outs).collect();
        prototype.returned == self.returned()
            && found.len() == expected.len()
            && found
                .iter()
                .zip(&expected)
                .all(|(one, may_be)| may_be.contains(one) || may_be.iter().any(|text| is_open_form(one, text)))
    }

    /// The one by which a function of this prototype is called with so many inputs for that result, if there is one.
    #[must_use]
    pub fn of_prototype(prototype: &Prototype, inputs: usize, result: ResultPlace) -> Option<Self> {
        Signature::all(result).find(|signature| !prototype.is_open() && signature.is_of(prototype, inputs))
    }

    /// All that there are for that result.
    fn all(result: ResultPlace) -> impl Iterator<Item = Self> {
        let passing = [ArgumentPassing::Values, ArgumentPassing::Array, ArgumentPassing::References];
        let all = [Width::F64, Width::F32].into_iter().flat_map(move |width| passing.map(|passing| (width, passing)));
        let all = all.flat_map(move |(width, passing)| {
            Returns::ALL.map(|returns| Signature { width, passing, returns, result })
        });
        // One result needs no way of its own, and several cannot be returned as a number.
        all.filter(move |s| match s.returns {
            Returns::Value => result.count == 1,
            Returns::Outs | Returns::OutsStatus => result.count > 1,
            Returns::Out | Returns::Status | Returns::Info => true,
        })
    }

    /// The one of a function as a person declares it, if there is one. How many of its pointers are results is seen later.
    fn of_declaration(function: &SourceFunction) -> Option<Self> {
        let width = |ty: &SourceType| match ty {
            SourceType::Float(8) => Some(Width::F64),
            SourceType::Float(4) => Some(Width::F32),
            _ => None,
        };
        let parameter = |ty: &SourceType| match ty {
            SourceType::Pointer(to, _) => Some((width(to)?, true)),
            ty => Some((width(ty)?, false)),
        };
        let parameters: Vec<_> = function.parameters.iter().map(|(_, ty)| parameter(ty)).collect::<Option<_>>()?;
        let returns = match function.result {
            SourceType::Void => Returns::Out,
            SourceType::Int { bytes: 4, signed: true } => Returns::Status,
            _ => Returns::Value,
        };
        let width = width(&function.result).or_else(|| parameters.first().map(|(width, _)| *width))?;
        let pointers = parameters.iter().filter(|(_, is_pointer)| *is_pointer).count();
        let outs = usize::from(returns != Returns::Value);
        let array = pointers > outs && parameters.first().is_some_and(|(_, is_pointer)| *is_pointer);
        // Values, and more than one pointer after them: each is a result of its own.
        let (returns, outs) = match (returns, pointers) {
            (Returns::Out, 2..) if !array => (Returns::Outs, pointers),
            (Returns::Status, 2..) if !array => (Returns::OutsStatus, pointers),
            _ => (returns, outs),
        };
        let inputs = if array { 1 } else { parameters.len().checked_sub(outs)? };
        let expected = (0..inputs).map(|_| (width, array)).chain((0..outs).map(|_| (width, true)));
        let passing = if array { ArgumentPassing::Array } else { ArgumentPassing::Values };
        let result = ResultPlace { index: 0, count: outs.max(1) };
        expected.eq(parameters.iter().copied()).then_some(Signature { width, passing, returns, result })
    }

    /// The same for this result.
    ///
    /// # Errors
    /// It has pointers to so many results, and there are others.
    pub fn for_result(self, result: ResultPlace) -> Result<Self, Unfit> {
        let pointers = self.result.count;
        match self.returns {
            Returns::Outs | Returns::OutsStatus if pointers > 1 && pointers != result.count => {
                let count = result.count;
                Err(format!(
                    "the function has pointers to {pointers} results, and the specification is of one of {count}"
                )
                .into())
            }
            _ => Ok(Signature { result, ..self }),
        }
    }

    fn element(self) -> &'static str {
        if self.width == Width::F64 { "double" } else { "float" }
    }

    /// The type of what is returned, as C writes it.
    #[must_use]
    pub fn returned(self) -> &'static str {
        match self.returns {
            Returns::Value => self.element(),
            Returns::Out | Returns::Info | Returns::Outs => "void",
            Returns::Status | Returns::OutsStatus => "int",
        }
    }

    /// As C declares it.
    #[must_use]
    pub fn declaration(self, name: &str, inputs: usize) -> String {
        let t = self.element();
        let mut parameters = match self.passing {
            ArgumentPassing::Values => vec![t.to_owned(); inputs],
            ArgumentPassing::Array => vec![format!("const {t} *")],
            ArgumentPassing::References => vec![format!("{t} &"); inputs],
        };
        let mark = if self.passing == ArgumentPassing::References { '&' } else { '*' };
        parameters.extend(vec![format!("{t} {mark}"); self.returns.pointers(self.result.count)]);
        if self.returns == Returns::Info {
            parameters.push(format!("int {mark}"));
        }
        if parameters.is_empty() {
            parameters.push("void".to_owned());
        }
        format!("{} {name}({})", self.returned(), parameters.join(", "))
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = if self.width == Width::F64 { "f64" } else { "f32" };
        let passing = match self.passing {
            ArgumentPassing::Values => "",
            ArgumentPassing::Array => "-array",
            ArgumentPassing::References => "-ref",
        };
        let returns = match self.returns {
            Returns::Value => "",
            Returns::Out => "-out",
            Returns::Status => "-status",
            Returns::Info => "-info",
            Returns::Outs => "-outs",
            Returns::OutsStatus => "-outs-status",
        };
        write!(f, "{width}{passing}{returns}")?;
        match self.result {
            ResultPlace { count: 1, .. } => Ok(()),
            ResultPlace { index, count } => write!(f, "/{}of{count}", index + 1),
        }
    }
}

impl FromStr for Signature {
    type Err = Unfit;
    fn from_str(text: &str) -> Result<Self, Unfit> {
        if text.contains('(') {
            // Only types count here that are as long everywhere.
            let function = declaration::parse(text, 8).map_err(|e| e.to_string())?;
            return Self::of_declaration(&function).ok_or_else(|| not_callable(text).into());
        }
        let several = ResultPlace { index: 0, count: 2 };
        let (name, result) = match text.split_once('/') {
            Some((name, of)) => (name, Some(result_of(of).ok_or_else(|| unknown(text))?)),
            None => (text, None),
        };
        // Which result is meant is no part of what a person writes.
        let all = Signature::all(ResultPlace::default()).chain(Signature::all(several));
        let named = all.map(|s| Signature { result: ResultPlace::default(), ..s }).find(|s| s.to_string() == name);
        let named = named.ok_or_else(|| unknown(text))?;
        Ok(Signature { result: result.unwrap_or_default(), ..named })
    }
}

/// Reads `2of3`.
pub(super) fn result_of(text: &str) -> Option<ResultPlace> {
    let (place, count) = text.split_once("of")?;
    let (place, count): (usize, usize) = (place.parse().ok()?, count.parse().ok()?);
    (1..=count).contains(&place).then(|| ResultPlace { index: place - 1, count })
}

/// Whether a parameter of which it is not known how it is passed may be one that is written so.
fn is_open_form(found: &str, written: &str) -> bool {
    let type_of = |text: &str| text.trim_end_matches(['*', '&', '?']).trim_end().to_owned();
    found.ends_with('?') && type_of(found) == type_of(written)
}

fn unknown(text: &str) -> String {
    let quoted = crate::text::quote(text);
    format!(
        "unknown signature {quoted}; there are f64 and f32, with -array or -ref behind it or not, and with -out, -status, -info, \
         -outs or -outs-status behind that or not"
    )
}

fn not_callable(text: &str) -> String {
    let quoted = crate::text::quote(text);
    format!(
        "a function {quoted} cannot be called: it takes all inputs as double or all as float, an argument each or one pointer to \
         all, and returns the result or takes a pointer to it as its last argument, or one to each of several results"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_signature_reads_back() {
        let second = ResultPlace { index: 1, count: 3 };
        assert_eq!(Signature::all(ResultPlace::default()).count(), 24);
        assert_eq!(Signature::all(second).count(), 30);
        for signature in Signature::all(ResultPlace::default()).chain(Signature::all(second)) {
            assert_eq!(signature.to_string().parse(), Ok(signature));
        }
        assert_eq!(Signature::all(second).next().unwrap().to_string(), "f64-out/2of3");
        for wrong in ["", "f16", "double", "f64-", "f64-out-array", "é64", "f64-out/3of2", "f64-out/0of2"] {
            assert!(wrong.parse::<Signature>().is_err(), "{wrong}");
        }
        for (text, short) in [
            ("double f(double x, double)", "f64"),
            ("float (float)", "f32"),
            ("double f(const double *x)", "f64-array"),
            ("double f(void)", "f64"),
            ("void f(float x, float y, float *out)", "f32-out"),
            ("int f(const double x[3], double *out);", "f64-array-status"),
            ("f64 f(f64)", "f64"),
            ("void f(double x, double *u, double *i);", "f64-outs/1of2"),
        ] {
            assert_eq!(text.parse(), short.parse::<Signature>(), "{text}");
        }
        for wrong in
            ["double f(float)", "void f(double)", "double f(double *, double)", "long f(double, double *)", "f("]
        {
            assert!(wrong.parse::<Signature>().is_err(), "{wrong}");
        }
        let s: Signature = "f32-status".parse().unwrap();
        assert_eq!(s.declaration("f", 2), "int f(float, float, float *)");
        let s: Signature = "f64-ref-info".parse().unwrap();
        assert_eq!(s.declaration("f", 1), "void f(double &, double &, int &)");
    }

    #[test]
    fn a_prototype_leads_to_one_way_to_call() {
        for (returned, parameters, inputs, results, expected) in [
            ("double", &["double &", "double &"][..], 2, 1, Some("f64-ref")),
            ("double", &["double &"], 1, 1, Some("f64-ref")),
            ("double", &["double *"], 1, 1, Some("f64-array")),
            ("double", &["double [3]"], 3, 1, Some("f64-array")),
            ("double", &["double [3]"], 2, 1, None),
            ("double", &["double *", "double *"], 2, 1, None),
            ("double", &["double &", "double"], 2, 1, None),
            ("void", &["float", "float &"], 1, 1, Some("f32-out")),
            ("void", &["double &", "double &", "int &"], 1, 1, Some("f64-ref-info")),
            ("void", &["double &", "double &", "float &"], 1, 1, None),
            ("int", &["double &", "double &"], 1, 1, Some("f64-ref-status")),
            ("void", &["double", "double *"], 1, 3, Some("f64-out/1of3")),
            ("void", &["double", "double [3]"], 1, 3, Some("f64-out/1of3")),
            ("void", &["double", "double [2]"], 1, 3, None),
            ("int", &["double", "double *", "double *"], 1, 2, Some("f64-outs-status/1of2")),
            ("void", &["double &", "double &", "double &"], 1, 2, Some("f64-ref-outs/1of2")),
            ("void", &["double *", "double *"], 4, 2, Some("f64-array-out/1of2")),
            ("double", &["double"], 1, 2, None),
        ] {
            let parameters = parameters.iter().map(|p| (*p).to_owned()).collect();
            let prototype =
                Prototype { returned: returned.to_owned(), parameters, source: None, structures: Vec::new() };
            let found = Signature::of_prototype(&prototype, inputs, ResultPlace { index: 0, count: results })
                .map(|s| s.to_string());
            assert_eq!(found.as_deref(), expected, "{prototype:?}");
        }
    }
}
