//! Calls that are compiled: of C functions whose parameters are of several types, of integers, or pointers to several of them.
//!
//! A function of C is written that takes the inputs as real numbers, calls the function under test with what its declaration asks
//! for, and hands its results back as real numbers. Numbers of a fixed-point format with the scale s are passed and returned as the
//! integers k of k 2^s.

use super::signature::Signature;
use crate::cc::library::{CompiledLanguage, CompiledLibrary, LibraryError, Recipe};
use crate::cc::{SourceFunction, SourceType};
use crate::floats::Format;
use crate::num::float::{hex, power};
use crate::spec::core::Arg;
use crate::spec::{InputBox, ResultPlace, Spec};
use crate::text::quote;
use crate::unfit::Unfit;
use std::fmt::{self, Write as _};
use std::path::PathBuf;
use std::str::FromStr;

/// The function that an adapter has: `int magneto_call(void (*f)(void), const double *x, double *y, int *status)` calls `f` with the
/// inputs `x`, stores the results in `y` and the status that it returns, and returns 0, or 1 where an input is no value of its type.
pub(super) const ADAPTER: &str = "magneto_call";

/// What a person says of how a function is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimedCall {
    /// One of the forms that need no compiler.
    Form(Signature),
    /// Any declaration in C.
    Declaration(SourceFunction),
}

impl FromStr for ClaimedCall {
    type Err = Unfit;
    fn from_str(text: &str) -> Result<Self, Unfit> {
        match text.parse() {
            Ok(signature) => Ok(ClaimedCall::Form(signature)),
            Err(_) if text.contains('(') => {
                // Only types count here that are as long everywhere.
                let function = crate::cc::declaration::parse(text, 8).map_err(|e| e.to_string())?;
                Ok(ClaimedCall::Declaration(function))
            }
            Err(unknown) => Err(unknown),
        }
    }
}

/// How a loaded function is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallingWay {
    /// As the signature says.
    Form(Signature),
    /// By the adapter in that library, for that one of the results.
    Adapter(PathBuf, ResultPlace),
}

impl fmt::Display for CallingWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallingWay::Form(signature) => signature.fmt(f),
            CallingWay::Adapter(path, place) => {
                write!(f, "adapter:{}of{}:{}", place.index + 1, place.count, path.display())
            }
        }
    }
}

impl FromStr for CallingWay {
    type Err = Unfit;
    fn from_str(text: &str) -> Result<Self, Unfit> {
        let Some((place, path)) = text.strip_prefix("adapter:").and_then(|rest| rest.split_once(':')) else {
            return text.parse().map(CallingWay::Form);
        };
        let place = super::signature::result_of(place).ok_or_else(|| format!("{} is no adapter", quote(text)))?;
        Ok(CallingWay::Adapter(path.into(), place))
    }
}

/// A call that is to be compiled.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CompiledCall {
    /// The adapter in C.
    text: String,
    /// Whether the function returns a status, by which it refuses an input.
    pub(super) has_status: bool,
}

impl CompiledCall {
    /// Compiles the adapter, with the options that C sources are compiled with.
    pub(super) fn compile(&self) -> Result<CompiledLibrary, LibraryError> {
        let folder = crate::tool::Scratch::make().map_err(|(_, e)| LibraryError::Folder(e))?;
        let source = folder.path().join("adapter.c");
        std::fs::write(&source, &self.text).map_err(LibraryError::Folder)?;
        Recipe::of_environment(CompiledLanguage::C).compile(&source)
    }

    /// The call of a function with the inputs of a specification, for its results.
    ///
    /// # Errors
    /// Why the function cannot be called so.
    pub(super) fn new(function: &SourceFunction, spec: &Spec) -> Result<Self, Unfit> {
        let groups = groups(spec);
        let roles = roles(function, &groups)?;
        let results = results(function, &roles, spec.result.count)?;
        let writer = Writer { function, spec, groups: &groups, text: String::new() };
        writer.write(&roles, &results)
    }
}

/// An argument of the specification: a number, or an array with its elements one after the other.
struct Group {
    name: String,
    /// The place of its first input.
    first: usize,
    sizes: Vec<usize>,
    /// Whether it is of a fixed-point format.
    is_fixed: bool,
}

impl Group {
    fn count(&self) -> usize {
        self.sizes.iter().product()
    }
}

fn groups(spec: &Spec) -> Vec<Group> {
    let mut first = 0;
    let mut group = |arg: &Arg| {
        let is_fixed = spec.inputs[first].format.is_fixed();
        let group = Group { name: arg.name.clone(), first, sizes: arg.sizes.clone(), is_fixed };
        first += group.count();
        group
    };
    spec.core.args.iter().map(&mut group).collect()
}

/// What a parameter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// The argument with that place, by value or by a pointer.
    Argument(usize),
    /// A pointer to results.
    Output,
    /// How many elements an array has.
    Size(usize),
}

fn is_integer(ty: &SourceType) -> bool {
    matches!(ty, SourceType::Int { .. } | SourceType::Bool)
}

/// The role of each parameter: by the names of the arguments where the function has all of them, else in their order.
fn roles(function: &SourceFunction, groups: &[Group]) -> Result<Vec<Role>, Unfit> {
    let parameters = &function.parameters;
    let named = |group: &Group| parameters.iter().position(|(name, _)| *name == group.name);
    let mut roles: Vec<Option<Role>> = vec![None; parameters.len()];
    if let Some(places) = groups.iter().map(named).collect::<Option<Vec<usize>>>() {
        places.iter().enumerate().for_each(|(k, place)| roles[*place] = Some(Role::Argument(k)));
    } else {
        let mut next = 0;
        for ((_, ty), role) in parameters.iter().zip(&mut roles) {
            let Some(group) = groups.get(next) else { break };
            let fits = match ty {
                SourceType::Pointer(_, is_const) => !group.sizes.is_empty() || *is_const,
                SourceType::Float(_) => group.sizes.is_empty(),
                _ => group.sizes.is_empty() && group.is_fixed && is_integer(ty),
            };
            if fits {
                *role = Some(Role::Argument(next));
                next += 1;
            }
        }
        if let Some(left) = groups.get(next) {
            return Err(format!("no parameter is left for the argument {}", quote(&left.name)).into());
        }
    }
    for at in 0..roles.len() {
        if roles[at].is_none() {
            roles[at] = match &parameters[at].1 {
                SourceType::Pointer(_, false) => Some(Role::Output),
                ty if is_integer(ty) => size(at, &roles, function, groups).map(Role::Size),
                _ => None,
            };
        }
    }
    let all: Option<Vec<Role>> = roles.iter().copied().collect();
    all.ok_or_else(|| {
        let open = roles.iter().position(Option::is_none).unwrap_or(0);
        let message = format!(
            "the parameter {} is no argument of the specification, no pointer to results and no size of an array",
            quote(&parameters[open].0)
        );
        Unfit { message, hint: Some("give the arguments of the specification the names of the parameters".to_owned()) }
    })
}

/// The size that the integer parameter `at` is: of the array before it or else behind it, in one number or one for each dimension.
fn size(at: usize, roles: &[Option<Role>], function: &SourceFunction, groups: &[Group]) -> Option<usize> {
    // A size that is known is one of this run as well: they are found from the front.
    let is_open =
        |k: &usize| matches!(roles.get(*k), Some(None | Some(Role::Size(_)))) && is_integer(&function.parameters[*k].1);
    let first = (0..at).rev().take_while(is_open).last().unwrap_or(at);
    let end = (at..roles.len()).take_while(is_open).last().map_or(at, |k| k + 1);
    let array = |place: Option<usize>| match roles.get(place?)? {
        Some(Role::Argument(k)) if !groups[*k].sizes.is_empty() => Some(&groups[*k]),
        _ => None,
    };
    let group = array(first.checked_sub(1)).or_else(|| array(Some(end)))?;
    match end - first {
        1 => Some(group.count()),
        many if many == group.sizes.len() => group.sizes.get(at - first).copied(),
        _ => None,
    }
}

/// Where the results come from: in order, the returned one and those behind pointers, with how many.
struct Results {
    returned: bool,
    has_status: bool,
    /// By parameter, the results that are behind it.
    pointers: Vec<usize>,
}

fn results(function: &SourceFunction, roles: &[Role], count: usize) -> Result<Results, Unfit> {
    let is_void = function.result == SourceType::Void;
    let can_be_status = matches!(function.result, SourceType::Int { bytes: 4, signed: true });
    let outputs = roles.iter().filter(|role| **role == Role::Output).count();
    let is_changed = |k: usize| {
        matches!(roles[k], Role::Argument(_)) && matches!(function.parameters[k].1, SourceType::Pointer(_, false))
    };
    // A state that goes in and comes out of one place is a number.
    let changed: Vec<usize> = (0..roles.len()).filter(|k| is_changed(*k)).collect();
    let of = |returned: bool, with_changed: bool| {
        let left = count.checked_sub(usize::from(returned) + if with_changed { changed.len() } else { 0 })?;
        let each = match outputs {
            0 if left == 0 => 0,
            0 => return None,
            n if left.is_multiple_of(n) && left > 0 => left / n,
            _ => return None,
        };
        let pointer = |k: usize| match roles[k] {
            Role::Output => each,
            _ => usize::from(with_changed && is_changed(k)),
        };
        let pointers = (0..roles.len()).map(pointer).collect();
        Some(Results { returned, has_status: !is_void && !returned, pointers })
    };
    let found = if is_void {
        of(false, false).or_else(|| of(false, true))
    } else {
        let with_status = || if can_be_status { of(false, false).or_else(|| of(false, true)) } else { None };
        of(true, false).or_else(|| of(true, true)).or_else(with_status)
    };
    found.ok_or_else(|| {
        let what = if count == 1 { "the result".to_owned() } else { format!("the {count} results") };
        format!("what it returns and its pointers do not make up {what} of the specification").into()
    })
}

/// The type in C, and the numbers from the first up to before the second that an integer one has.
fn type_of(ty: &SourceType) -> Option<(&'static str, Option<(f64, f64)>)> {
    Some(match ty {
        SourceType::Float(8) => ("double", None),
        SourceType::Float(4) => ("float", None),
        SourceType::Bool => ("_Bool", Some((0.0, 2.0))),
        SourceType::Int { bytes, signed } => {
            let name = match (bytes, signed) {
                (1, true) => "signed char",
                (1, false) => "unsigned char",
                (2, true) => "short",
                (2, false) => "unsigned short",
                (4, true) => "int",
                (4, false) => "unsigned int",
                (8, true) => "long long",
                (8, false) => "unsigned long long",
                _ => return None,
            };
            let all = power(8 * i32::from(*bytes));
            (name, Some(if *signed { (-all / 2.0, all / 2.0) } else { (0.0, all) }))
        }
        _ => return None,
    })
}

/// The type that a parameter is of or points to.
fn element(ty: &SourceType) -> &SourceType {
    if let SourceType::Pointer(to, _) = ty { to } else { ty }
}

/// Writes an adapter.
struct Writer<'a> {
    function: &'a SourceFunction,
    spec: &'a Spec,
    groups: &'a [Group],
    text: String,
}

impl Writer<'_> {
    fn write(mut self, roles: &[Role], results: &Results) -> Result<CompiledCall, Unfit> {
        let domain = InputBox::new(self.spec).map_err(|e| e.to_string())?;
        self.text.push_str("static double magneto_infinity(void) { volatile double zero = 0; return 1 / zero; }\n");
        _ = writeln!(self.text, "int {ADAPTER}(void (*f)(void), const double *x, double *y, int *status)\n{{");
        self.text.push_str("    double v;\n");
        let mut types = Vec::new();
        for (k, ((name, ty), role)) in self.function.parameters.iter().zip(roles).enumerate() {
            let (word, bounds) = type_of(element(ty)).ok_or_else(|| unknown(name))?;
            let is_pointer = matches!(ty, SourceType::Pointer(..));
            types.push(format!("{word}{}", if is_pointer { " *" } else { "" }));
            match role {
                Role::Argument(group) => {
                    let group = &self.groups[*group];
                    if group.count() > 1 && !is_pointer {
                        return Err(format!("the array {} is not passed by a pointer", quote(&group.name)).into());
                    }
                    _ = writeln!(self.text, "    {word} a{k}[{}];", group.count());
                    for input in 0..group.count() {
                        let (format, range) =
                            (self.spec.inputs[group.first + input].format, domain.ranges[group.first + input]);
                        let scale =
                            passed(&self.spec.inputs[group.first + input].name, format, element(ty), range, word)?;
                        self.store(
                            &format!("a{k}[{input}]"),
                            &format!("x[{}]", group.first + input),
                            word,
                            scale,
                            bounds,
                        );
                    }
                }
                Role::Output => {
                    // What is not written is not taken for a result: no function is likely to give this.
                    let count = results.pointers[k].max(1);
                    _ = writeln!(self.text, "    {word} a{k}[{count}];");
                    _ = writeln!(
                        self.text,
                        "    for (unsigned long i = 0; i < sizeof a{k}; i++) ((unsigned char *)a{k})[i] = 0x5b;"
                    );
                }
                Role::Size(n) => _ = writeln!(self.text, "    {word} a{k}[1] = {{{n}}};"),
            }
        }
        self.call(&types, results)?;
        Ok(CompiledCall { text: self.text, has_status: results.has_status })
    }

    /// One input as a number of a type.
    fn store(&mut self, to: &str, from: &str, word: &str, scale: f64, bounds: Option<(f64, f64)>) {
        _ = writeln!(self.text, "    v = {from} * {};", hex(scale));
        if let Some((lo, end)) = bounds {
            _ = writeln!(self.text, "    if (!(v >= {} && v < {})) return 1;", hex(lo), hex(end));
        }
        _ = writeln!(self.text, "    {to} = ({word})v;");
    }

    /// The call, and its results as real numbers.
    fn call(&mut self, types: &[String], results: &Results) -> Result<(), Unfit> {
        let argument = |(k, (_, ty)): (usize, &(String, SourceType))| match ty {
            SourceType::Pointer(..) => format!("a{k}"),
            _ => format!("a{k}[0]"),
        };
        let arguments: Vec<String> = self.function.parameters.iter().enumerate().map(argument).collect();
        let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
        let returned = match &self.function.result {
            SourceType::Void => "void",
            ty => type_of(ty).ok_or_else(|| unknown(""))?.0,
        };
        let keep = if returned == "void" { String::new() } else { format!("{returned} r = ") };
        _ = writeln!(self.text, "    {keep}(({returned} (*)({types}))f)({});", arguments.join(", "));
        let mut place = 0;
        if results.returned {
            self.result("r", &self.function.result, &mut place)?;
        }
        for (k, (_, ty)) in self.function.parameters.iter().enumerate() {
            for i in 0..results.pointers[k] {
                self.result(&format!("a{k}[{i}]"), element(ty), &mut place)?;
            }
        }
        let status = if results.has_status { "r" } else { "0" };
        _ = writeln!(self.text, "    *status = {status};\n    return 0;\n}}");
        Ok(())
    }

    fn result(&mut self, from: &str, ty: &SourceType, place: &mut usize) -> Result<(), Unfit> {
        let at = *place;
        *place += 1;
        let format = self.spec.result_format;
        if !is_integer(ty) {
            _ = writeln!(self.text, "    y[{at}] = {from};");
            return Ok(());
        }
        if !format.is_fixed() {
            let message =
                format!("it gives an integer, and the result of the specification is a {} number", format.name());
            let hint =
                "write `:precision integer`, or `:precision (fixed scale bits)`, and `:magneto-inputs` for the inputs";
            return Err(Unfit { message, hint: Some(hint.to_owned()) });
        }
        let scale = hex(format.least());
        _ = writeln!(self.text, "    y[{at}] = (double){from} * {scale};");
        if matches!(ty, SourceType::Int { bytes: 8, .. }) {
            // Binary64 has no larger one exactly, and no format that large ones.
            _ = writeln!(self.text, "    if ((double){from} > 0x1p53) y[{at}] = magneto_infinity();");
            _ = writeln!(self.text, "    if ((double){from} < -0x1p53) y[{at}] = -magneto_infinity();");
        }
        Ok(())
    }
}

fn unknown(parameter: &str) -> Unfit {
    let what =
        if parameter.is_empty() { "the result".to_owned() } else { format!("the parameter {}", quote(parameter)) };
    format!("{what} is of a type that cannot be passed").into()
}

/// By what an input is multiplied for a parameter of a type, if all of its range can be passed so.
fn passed(name: &str, format: Format, ty: &SourceType, range: crate::num::Interval, word: &str) -> Result<f64, Unfit> {
    let name = quote(name);
    let unfit = |message: String, hint: &str| Err(Unfit { message, hint: Some(hint.to_owned()) });
    match type_of(ty) {
        Some((_, Some((lo, end)))) if format.is_fixed() => {
            let scale = 1.0 / format.least();
            if range.inf() * scale < lo || range.sup() * scale >= end {
                let message = format!("the range of {name} goes beyond the numbers of its type in C, {word}");
                return unfit(message, "narrow the range in `:pre`, or the format");
            }
            Ok(scale)
        }
        Some((_, Some(_))) => unfit(
            format!("the input {name} is a {} number, and its parameter of the type {word}", format.name()),
            "write `(! :precision integer …)` around the argument, or `(! :precision (fixed scale bits) …)`",
        ),
        _ if *ty == SourceType::Float(4) && !Format::BINARY32.includes(format) => unfit(
            format!("the input {name} is a {} number, and its parameter a float", format.name()),
            "for a function of floats the specification has `:precision binary32`, or `:magneto-inputs binary32`",
        ),
        _ => Ok(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Overrides, parse_file, resolve};

    fn spec(text: &str) -> Spec {
        resolve(&parse_file(text.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap()
    }

    fn call_of(declaration: &str, text: &str) -> Result<CompiledCall, Unfit> {
        CompiledCall::new(&crate::cc::declaration::parse(declaration, 8).unwrap(), &spec(text))
    }

    #[test]
    fn parameters_are_taken_by_name_or_in_order() {
        let q15 = "(FPCore (x y) :precision (fixed -15 16) :magneto-overflow saturate (+ x y))";
        for declaration in
            ["short f(short, short)", "int16_t f(int16_t y, int16_t x)", "void f(short a, short b, short *r)"]
        {
            assert!(call_of(declaration, q15).is_ok(), "{declaration}");
        }
        let by_name = call_of("short f(short y, short x)", q15).unwrap().text;
        assert!(by_name.find("v = x[1] * 0x1p+15").unwrap() < by_name.find("v = x[0] * 0x1p+15").unwrap(), "{by_name}");
        assert!(by_name.contains("y[0] = (double)r * 0x1p-15"), "{by_name}");
        let arrays = "(FPCore ((A 2 3) x) (+ x (ref A 1 2)))";
        for declaration in [
            "double f(const double *A, double x)",
            "double f(double x, double *A)",
            "double f(const double *m, int rows, int columns, double t)",
            "double f(int n, const double *m, double t)",
            "int f(const double *m, double t, double *out)",
        ] {
            let call = call_of(declaration, arrays);
            assert_eq!(call.as_ref().map(|c| c.has_status), Ok(declaration.starts_with("int")), "{declaration}");
        }
        assert!(
            call_of("double f(const double *m, int r, int c, double t)", arrays).unwrap().text.contains("a2[1] = {3}")
        );
        assert!(call_of("double f(const double *m, int n, double t)", arrays).unwrap().text.contains("a1[1] = {6}"));
    }

    #[test]
    fn a_state_goes_in_and_comes_out_of_one_place() {
        let pi = "(FPCore (e integral) :precision (fixed 0 32) (array (+ e integral) (+ integral 1)))";
        let declaration = "int f(int e, int *integral)";
        let text = call_of(declaration, pi).unwrap().text;
        assert!(text.contains("y[0] = (double)r") && text.contains("y[1] = (double)a1[0]"), "{text}");
        // Where the returned number is all that is asked for, a pointer without `const` is an input all the same.
        assert!(call_of("double f(double *A)", "(FPCore ((A 2)) (ref A 0))").is_ok());
    }

    #[test]
    fn what_cannot_be_passed_is_said() {
        for (declaration, text, said) in [
            ("int f(int n)", "(FPCore (n) n)", "binary64"),
            ("double f(int n)", "(FPCore (n) n)", "`n` is a binary64 number"),
            ("short f(short n)", "(FPCore (n) :precision integer n)", "beyond the numbers"),
            ("double f(float x)", "(FPCore (x) x)", "parameter a float"),
            ("double f(double x, const double *t)", "(FPCore (x) x)", "`t` is no argument"),
            ("double f(double x, double y)", "(FPCore (x y z) x)", "no parameter is left for the argument `z`"),
            ("void f(double x)", "(FPCore (x) x)", "do not make up the result"),
            ("double f(double x)", "(FPCore (x) (array x x))", "do not make up the 2 results"),
        ] {
            let unfit = call_of(declaration, text).unwrap_err();
            assert!(unfit.message.contains(said), "{declaration}: {unfit}");
        }
    }

    #[test]
    fn ways_to_call_read_back() {
        for text in ["f64", "f32-array-status", "adapter:2of3:/tmp/a b/c:d.so"] {
            assert_eq!(text.parse::<CallingWay>().unwrap().to_string(), text);
        }
        assert!("adapter:2of1:x".parse::<CallingWay>().is_err() && "adapter:".parse::<CallingWay>().is_err());
        assert!("int f(short n)".parse::<ClaimedCall>().is_ok() && "short".parse::<ClaimedCall>().is_err());
    }
}
