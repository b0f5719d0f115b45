//! The text of an adapter.

use super::{ADAPTER, CompiledCall, Group, Results, Role, Slot, is_integer};
use crate::cc::{SourceFunction, SourceType, StructMember};
use crate::floats::Format;
use crate::num::Interval;
use crate::num::float::{hex, power};
use crate::spec::{InputBox, Spec};
use crate::text::quote;
use crate::unfit::Unfit;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The parameters of an adapter.
const TAKEN: &str = "void (*f)(void), const double *x, double *y, int *status";

/// What adapters use. All bytes of what the function is to write are the same before: so it is seen what it did not write.
const HELPERS: &str = "\
#ifdef __GNUC__
#define MAY_BE_UNUSED __attribute__((unused))
#else
#define MAY_BE_UNUSED
#endif
MAY_BE_UNUSED static double infinity(void) { volatile double zero = 0; return 1 / zero; }
MAY_BE_UNUSED static void filled(void *at, unsigned long size, unsigned char fill)
{
    unsigned long i;
    for (i = 0; i < size; i++) ((unsigned char *)at)[i] = fill;
}
MAY_BE_UNUSED static int is_filled(const void *at, unsigned long size, unsigned char fill)
{
    unsigned long i;
    for (i = 0; i < size; i++)
        if (((const unsigned char *)at)[i] != fill) return 0;
    return 1;
}
";

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
        SourceType::Other(name) => (OTHER_FLOATS.iter().find(|(own, _)| own == name)?.0, None),
        _ => return None,
    })
}

/// Floating-point types that are neither `double` nor `float`, by their names in C and in debug information, each with a format whose
/// numbers it has. Numbers are converted to and from them as an assignment in C does.
const OTHER_FLOATS: [(&str, Format); 5] = [
    ("long double", Format::BINARY64),
    ("_Float128", Format::BINARY64),
    ("__float128", Format::BINARY64),
    ("_Float16", Format::BINARY16),
    ("__bf16", Format::BFLOAT16),
];

/// The format whose numbers a floating-point type has.
pub(super) fn float_of(ty: &SourceType) -> Option<Format> {
    match ty {
        SourceType::Float(8) => Some(Format::BINARY64),
        SourceType::Float(4) => Some(Format::BINARY32),
        SourceType::Other(name) => OTHER_FLOATS.iter().find(|(own, _)| own == name).map(|(_, format)| *format),
        _ => None,
    }
}

/// Writes an adapter.
pub(super) struct Writer<'a> {
    pub(super) function: &'a SourceFunction,
    /// The members of what is returned, if that is a structure.
    pub(super) returned: Option<&'a [StructMember]>,
    pub(super) spec: &'a Spec,
    pub(super) groups: &'a [Group],
    pub(super) slots: &'a [Slot<'a>],
    /// The adapter as far as it is written.
    pub(super) text: String,
}

impl Writer<'_> {
    /// The whole adapter.
    pub(super) fn write(mut self, roles: &[Role], results: &Results) -> Result<CompiledCall, Unfit> {
        let domain = InputBox::new(self.spec).map_err(|e| e.to_string())?;
        self.text.push_str(HELPERS);
        self.structures()?;
        _ = writeln!(
            self.text,
            "static int once({TAKEN}, unsigned char fill)\n{{\n    double v = 0;\n    int untouched = 0;"
        );
        let types = self.parameters(roles, results)?;
        self.text.push_str("    (void)v;\n    (void)x;\n    (void)fill;\n");
        for (slot, role) in self.slots.iter().zip(roles) {
            let (word, bounds) = type_of(slot.ty).ok_or_else(|| unknown(slot.name))?;
            match role {
                Role::Argument(group) => {
                    let group = &self.groups[*group];
                    let room = slot.member.map_or(usize::MAX, |(_, count)| count);
                    if group.count() > 1 && !slot.is_pointer && room != group.count() {
                        return Err(format!("the array {} is not passed by a pointer", quote(&group.name)).into());
                    }
                    for input in 0..group.count() {
                        let of = &self.spec.inputs[group.first + input];
                        let scale = passed(&of.name, of.format, slot.ty, domain.ranges[group.first + input], word)?;
                        let from = format!("x[{}]", group.first + input);
                        self.store(&number_of(slot, input), &from, word, scale, bounds);
                    }
                }
                Role::Output => {}
                Role::Size(n) => _ = writeln!(self.text, "    {} = {n};", number_of(slot, 0)),
            }
        }
        self.call(&types, roles, results)?;
        // A result that is what was there before may be one all the same: another filling tells.
        _ = writeln!(
            self.text,
            "int {ADAPTER}({TAKEN});\nint {ADAPTER}({TAKEN})\n{{\n    int code = once(f, x, y, status, 0x5b);\n    \
             return code == 2 ? once(f, x, y, status, 0xa4) : code;\n}}"
        );
        Ok(CompiledCall { text: self.text, has_status: results.has_status })
    }

    /// Declares the structures: `s0` is what the first parameter is or points to, and `r0` what is returned.
    fn structures(&mut self) -> Result<(), Unfit> {
        let mut text = String::new();
        for (k, slot) in self.slots.iter().enumerate() {
            let Some((member, count)) = slot.member else { continue };
            if member == 0 {
                _ = writeln!(text, "struct s{} {{", slot.parameter);
            }
            let (word, _) = type_of(slot.ty).ok_or_else(|| unknown(slot.name))?;
            _ = writeln!(text, "    {word} m{member}[{count}];");
            if self.slots.get(k + 1).is_none_or(|next| next.parameter != slot.parameter) {
                text.push_str("};\n");
            }
        }
        if let Some(members) = self.returned {
            text.push_str("struct r0 {\n");
            for (k, member) in members.iter().enumerate() {
                let (word, _) = type_of(&member.ty).ok_or_else(|| unknown(&member.name))?;
                _ = writeln!(text, "    {word} m{k}[{}];", member.count);
            }
            text.push_str("};\n");
        }
        self.text.push_str(&text);
        Ok(())
    }

    /// Declares a variable `a0`, an array, for each parameter, and gives the types of the parameters.
    fn parameters(&mut self, roles: &[Role], results: &Results) -> Result<Vec<String>, Unfit> {
        let mut types = Vec::new();
        for (k, slot) in self.slots.iter().enumerate().filter(|(_, slot)| slot.member.is_none_or(|(m, _)| m == 0)) {
            let at = slot.parameter;
            let is_pointer = matches!(self.function.parameters[at].1, SourceType::Pointer(..));
            let (word, count) = match (slot.member, roles[k]) {
                (Some(_), _) => (format!("struct s{at}"), 1),
                (None, role) => {
                    let (word, _) = type_of(slot.ty).ok_or_else(|| unknown(slot.name))?;
                    let count = match role {
                        Role::Argument(group) => self.groups[group].count(),
                        Role::Output => results.slots[k].max(1),
                        Role::Size(_) => 1,
                    };
                    (word.to_owned(), count)
                }
            };
            types.push(format!("{word}{}", if is_pointer { " *" } else { "" }));
            _ = writeln!(self.text, "    {word} a{at}[{count}];\n    filled(a{at}, sizeof a{at}, fill);");
        }
        Ok(types)
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
    fn call(&mut self, types: &[String], roles: &[Role], results: &Results) -> Result<(), Unfit> {
        let argument = |(k, (_, ty)): (usize, &(String, SourceType))| match ty {
            SourceType::Pointer(..) => format!("a{k}"),
            _ => format!("a{k}[0]"),
        };
        let arguments: Vec<String> = self.function.parameters.iter().enumerate().map(argument).collect();
        let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
        let returned = match (&self.function.result, self.returned) {
            (_, Some(_)) => "struct r0",
            (SourceType::Void, None) => "void",
            (ty, None) => type_of(ty).ok_or_else(|| unknown(""))?.0,
        };
        let keep = if returned == "void" { String::new() } else { format!("{returned} r = ") };
        _ = writeln!(self.text, "    {keep}(({returned} (*)({types}))f)({});", arguments.join(", "));
        // In the order of the function: where each result is, its type, and the name of its place.
        let mut all: Vec<(String, &SourceType, &str)> = Vec::new();
        match self.returned {
            Some(members) => {
                for (k, member) in members.iter().enumerate() {
                    all.extend((0..member.count).map(|i| (format!("r.m{k}[{i}]"), &member.ty, member.name.as_str())));
                }
            }
            None if results.returned => all.push(("r".to_owned(), &self.function.result, "")),
            None => {}
        }
        for (k, slot) in self.slots.iter().enumerate() {
            for i in 0..results.slots[k] {
                let from = number_of(slot, i);
                if roles[k] == Role::Output {
                    _ = writeln!(self.text, "    untouched |= is_filled(&{from}, sizeof {from}, fill);");
                }
                all.push((from, slot.ty, slot.name));
            }
        }
        let names = &self.spec.core.results;
        let named: Vec<Option<usize>> = all.iter().map(|(_, _, name)| names.iter().position(|n| n == name)).collect();
        let mut others = (0..all.len()).filter(|place| !named.contains(&Some(*place)));
        let places: Vec<usize> = named.iter().filter_map(|place| place.or_else(|| others.next())).collect();
        if places.iter().collect::<BTreeSet<_>>().len() < all.len() {
            return Err("two of its results have one name".into());
        }
        for ((from, ty, _), place) in all.iter().zip(places) {
            self.result(from, ty, place)?;
        }
        let status = if results.has_status { "r" } else { "0" };
        _ = writeln!(self.text, "    *status = {status};\n    return *status == 0 && untouched ? 2 : 0;\n}}");
        Ok(())
    }

    /// A result as the real number at a place.
    fn result(&mut self, from: &str, ty: &SourceType, at: usize) -> Result<(), Unfit> {
        let format = self.spec.result_format;
        if !is_integer(ty) {
            _ = writeln!(self.text, "    y[{at}] = (double){from};");
            return Ok(());
        }
        if !format.is_fixed() {
            return Err(gives_integer(format));
        }
        let scale = hex(format.least());
        _ = writeln!(self.text, "    y[{at}] = (double){from} * {scale};");
        if matches!(ty, SourceType::Int { bytes: 8, .. }) {
            // Binary64 has no larger one exactly, and no format that large ones.
            _ = writeln!(self.text, "    if ((double){from} > 0x1p53) y[{at}] = infinity();");
            _ = writeln!(self.text, "    if ((double){from} < -0x1p53) y[{at}] = -infinity();");
        }
        Ok(())
    }
}

/// The place of a number of a slot.
fn number_of(slot: &Slot<'_>, at: usize) -> String {
    match slot.member {
        Some((member, _)) => format!("a{}[0].m{member}[{at}]", slot.parameter),
        None => format!("a{}[{at}]", slot.parameter),
    }
}

/// That a function returns or stores an integer where a floating-point number is owed.
pub(super) fn gives_integer(format: Format) -> Unfit {
    let message = format!("it gives an integer, and the result of the specification is a {} number", format.name());
    let hint = "write `:precision integer`, or `:precision (fixed scale bits)`, and `:magneto-inputs` for the inputs";
    Unfit { message, hint: Some(hint.to_owned()) }
}

fn unknown(parameter: &str) -> Unfit {
    let what =
        if parameter.is_empty() { "the result".to_owned() } else { format!("the parameter {}", quote(parameter)) };
    format!("{what} is of a type that cannot be passed").into()
}

/// By what an input is multiplied for a parameter of a type, if all of its range can be passed so.
fn passed(name: &str, format: Format, ty: &SourceType, range: Interval, word: &str) -> Result<f64, Unfit> {
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
        _ if float_of(ty).is_some_and(|own| !own.includes(format)) => {
            let own = float_of(ty).map_or_else(String::new, Format::name);
            unfit(
                format!("the input {name} is a {} number, and its parameter a {word}", format.name()),
                &format!(
                    "`--convert {own}` takes it, as `:precision {own}` in the specification does, or `:magneto-inputs {own}`"
                ),
            )
        }
        _ => Ok(1.0),
    }
}
