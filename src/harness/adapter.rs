//! Calls that are compiled: of C functions whose parameters are of several types, of integers, or pointers to several of them.
//!
//! A function of C is written that takes the inputs as real numbers, calls the function under test with what its declaration asks
//! for, and hands its results back as real numbers. Numbers of a fixed-point format with the scale s are passed and returned as the
//! integers k of k 2^s.

use super::signature::Signature;
use crate::cc::library::{CompiledLanguage, CompiledLibrary, LibraryError, Recipe};
use crate::cc::{Member, SourceFunction, SourceType};
use crate::floats::Format;
use crate::num::float::{hex, power};
use crate::spec::core::Arg;
use crate::spec::{InputBox, ResultPlace, Spec};
use crate::text::quote;
use crate::unfit::Unfit;
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::path::PathBuf;
use std::str::FromStr;

/// The function that an adapter has: `int magneto_call(void (*f)(void), const double *x, double *y, int *status)` calls `f` with the
/// inputs `x`, stores the results in `y` and the status that it returns, and returns 0, 1 where an input is no value of its type, or 2
/// where the function stores nothing at the place of a result.
pub(super) const ADAPTER: &str = "magneto_call";

/// The parameters of an adapter.
const TAKEN: &str = "void (*f)(void), const double *x, double *y, int *status";

/// What adapters use. All bytes of what the function is to write are the same before: so it is seen what it did not write.
const HELPERS: &str = "\
static double infinity(void) { volatile double zero = 0; return 1 / zero; }
static void filled(void *at, unsigned long size, unsigned char fill)
{
    for (unsigned long i = 0; i < size; i++) ((unsigned char *)at)[i] = fill;
}
static int is_filled(const void *at, unsigned long size, unsigned char fill)
{
    for (unsigned long i = 0; i < size; i++)
        if (((const unsigned char *)at)[i] != fill) return 0;
    return 1;
}
";

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

    /// The call of a function with the inputs of a specification, for its results. The members of the structure that is returned, and
    /// of those that the parameters are or point to, come with it where they are known.
    ///
    /// # Errors
    /// Why the function cannot be called so.
    pub(super) fn new(
        function: &SourceFunction,
        structures: &[Option<Vec<Member>>],
        spec: &Spec,
    ) -> Result<Self, Unfit> {
        let groups = groups(spec);
        let returned = structures.first().and_then(Option::as_deref);
        let slots = slots(function, structures);
        let roles = roles(&slots, &groups)?;
        let results = results(function, returned, &slots, &roles, &groups, spec)?;
        let writer = Writer { function, returned, spec, groups: &groups, slots: &slots, text: String::new() };
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

/// What takes numbers: a parameter, or a member of a structure that one is or points to.
struct Slot<'a> {
    parameter: usize,
    /// The place among the members, and how many numbers it has.
    member: Option<(usize, usize)>,
    name: &'a str,
    /// The type of a number.
    ty: &'a SourceType,
    is_pointer: bool,
    /// Whether the function may store there what is seen afterwards.
    is_changeable: bool,
}

fn slots<'a>(function: &'a SourceFunction, structures: &'a [Option<Vec<Member>>]) -> Vec<Slot<'a>> {
    let mut slots = Vec::new();
    for (parameter, (name, ty)) in function.parameters.iter().enumerate() {
        let is_changeable = matches!(ty, SourceType::Pointer(_, false));
        let is_pointer = matches!(ty, SourceType::Pointer(..));
        match structures.get(parameter + 1).and_then(Option::as_ref) {
            Some(members) => slots.extend(members.iter().enumerate().map(|(k, m)| Slot {
                parameter,
                member: Some((k, m.count)),
                name: &m.name,
                ty: &m.ty,
                is_pointer: false,
                is_changeable,
            })),
            None => slots.push(Slot { parameter, member: None, name, ty: element(ty), is_pointer, is_changeable }),
        }
    }
    slots
}

/// What a slot is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// The argument with that place, by value or by a pointer.
    Argument(usize),
    /// Results.
    Output,
    /// How many elements an array has.
    Size(usize),
}

fn is_integer(ty: &SourceType) -> bool {
    matches!(ty, SourceType::Int { .. } | SourceType::Bool)
}

/// The role of each slot: by the names of the arguments where the function has all of them, else in their order.
fn roles(slots: &[Slot<'_>], groups: &[Group]) -> Result<Vec<Role>, Unfit> {
    let named = |group: &Group| slots.iter().position(|slot| slot.name == group.name);
    let mut roles: Vec<Option<Role>> = vec![None; slots.len()];
    let places: Vec<Option<usize>> = groups.iter().map(named).collect();
    let by_name = places.iter().all(Option::is_some);
    if by_name {
        places.iter().flatten().enumerate().for_each(|(k, place)| roles[*place] = Some(Role::Argument(k)));
    } else if let (Some(some), Some(other)) =
        (places.iter().position(Option::is_some), places.iter().position(Option::is_none))
    {
        let (some, other) = (quote(&groups[some].name), quote(&groups[other].name));
        return Err(ambiguous(format!("there is a parameter {some}, and none {other}")));
    } else {
        let mut next = 0;
        for (slot, role) in slots.iter().zip(&mut roles) {
            let Some(group) = groups.get(next) else { break };
            let is_number = group.sizes.is_empty();
            let fits = match slot.member {
                Some((_, count)) => count == group.count() && (!is_integer(slot.ty) || group.is_fixed),
                None if slot.is_pointer => !is_number,
                None => is_number && (matches!(slot.ty, SourceType::Float(_)) || group.is_fixed && is_integer(slot.ty)),
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
            roles[at] = match &slots[at] {
                slot if slot.is_changeable => Some(Role::Output),
                slot if is_size(slot) => size(at, &roles, slots, groups).map(Role::Size),
                _ => None,
            };
        }
    }
    let is_number = |role: &Option<Role>| matches!(role, Some(Role::Argument(k)) if groups[*k].sizes.is_empty() && groups[*k].is_fixed);
    let has_size = roles.iter().any(|role| matches!(role, Some(Role::Size(_))));
    if !by_name && has_size && roles.iter().any(is_number) {
        return Err(ambiguous("which integers are arguments and which are sizes is open".to_owned()));
    }
    let all: Option<Vec<Role>> = roles.iter().copied().collect();
    all.ok_or_else(|| {
        let open = roles.iter().position(Option::is_none).unwrap_or(0);
        let message = format!(
            "the parameter {} is no argument of the specification, no pointer to results and no size of an array",
            quote(slots[open].name)
        );
        Unfit { message, hint: Some("give the arguments of the specification the names of the parameters".to_owned()) }
    })
}

/// That a function can be called in two ways.
fn ambiguous(message: String) -> Unfit {
    Unfit { message, hint: Some("give the arguments of the specification the names of the parameters".to_owned()) }
}

/// Whether a slot may be the size of an array.
fn is_size(slot: &Slot<'_>) -> bool {
    slot.member.is_none() && !slot.is_pointer && is_integer(slot.ty)
}

/// The size that the integer parameter `at` is: that of the vector before it or else behind it. Of a matrix rows and columns may stand in
/// either order.
fn size(at: usize, roles: &[Option<Role>], slots: &[Slot<'_>], groups: &[Group]) -> Option<usize> {
    // A size that is known is one of this run as well: they are found from the front.
    let is_open = |k: &usize| matches!(roles.get(*k), Some(None | Some(Role::Size(_)))) && is_size(&slots[*k]);
    let first = (0..at).rev().take_while(is_open).last().unwrap_or(at);
    let end = (at..roles.len()).take_while(is_open).last().map_or(at, |k| k + 1);
    let array = |place: Option<usize>| match roles.get(place?)? {
        Some(Role::Argument(k)) if !groups[*k].sizes.is_empty() => Some(&groups[*k]),
        _ => None,
    };
    let group = array(first.checked_sub(1)).or_else(|| array(Some(end)))?;
    match group.sizes[..] {
        [one] if end - first == 1 => Some(one),
        [rows, columns] if end - first == 2 && rows == columns => Some(rows),
        _ => None,
    }
}

/// Where the results come from: in order, what is returned and what is behind pointers, with how many.
struct Results {
    returned: bool,
    has_status: bool,
    /// By slot, the results that are there.
    slots: Vec<usize>,
}

fn results(
    function: &SourceFunction,
    returned: Option<&[Member]>,
    slots: &[Slot<'_>],
    roles: &[Role],
    groups: &[Group],
    spec: &Spec,
) -> Result<Results, Unfit> {
    let count = spec.result.count;
    // Of a floating-point result an integer can only be the status.
    let can_be_result = !is_integer(&function.result) || spec.result_format.is_fixed();
    let is_void = function.result == SourceType::Void;
    let can_be_status = matches!(function.result, SourceType::Int { bytes: 4, signed: true });
    let whole = returned.map_or(1, |members| members.iter().map(|m| m.count).sum());
    // A state that goes in and comes out of one place.
    let changed = |k: usize| match roles[k] {
        Role::Argument(group) if slots[k].is_changeable => groups[group].count(),
        _ => 0,
    };
    let of_members = |k: usize| if roles[k] == Role::Output { slots[k].member.map_or(0, |(_, n)| n) } else { 0 };
    let pointers = (0..roles.len()).filter(|k| roles[*k] == Role::Output && slots[*k].member.is_none()).count();
    let of = |returned: bool, with_changed: bool| {
        let certain = |k: usize| of_members(k) + if with_changed { changed(k) } else { 0 };
        let certain_of_all: usize = (0..roles.len()).map(certain).sum();
        let left = count.checked_sub(certain_of_all + if returned { whole } else { 0 })?;
        let each = match pointers {
            0 if left == 0 => 0,
            0 => return None,
            n if left.is_multiple_of(n) && left > 0 => left / n,
            _ => return None,
        };
        let is_pointer = |k: usize| roles[k] == Role::Output && slots[k].member.is_none();
        let slots = (0..roles.len()).map(|k| if is_pointer(k) { each } else { certain(k) }).collect();
        Some(Results { returned, has_status: !is_void && !returned, slots })
    };
    let stored = || of(false, false).or_else(|| of(false, true));
    let found = if is_void {
        stored()
    } else {
        let as_result = if can_be_result { of(true, false).or_else(|| of(true, true)) } else { None };
        let as_status = if can_be_status { stored() } else { None };
        if as_result.is_some() && as_status.is_some() {
            return Err(Unfit {
                message: "whether the integer that it returns is a result or a status is open".to_owned(),
                hint: Some(
                    "check a function that returns `void`, or that returns one result and stores each other one"
                        .to_owned(),
                ),
            });
        }
        as_result.or(as_status)
    };
    found.ok_or_else(|| {
        if !can_be_result {
            return gives_integer(spec.result_format);
        }
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
    /// The members of what is returned, if that is a structure.
    returned: Option<&'a [Member]>,
    spec: &'a Spec,
    groups: &'a [Group],
    slots: &'a [Slot<'a>],
    text: String,
}

impl Writer<'_> {
    fn write(mut self, roles: &[Role], results: &Results) -> Result<CompiledCall, Unfit> {
        let domain = InputBox::new(self.spec).map_err(|e| e.to_string())?;
        self.text.push_str(HELPERS);
        self.structures()?;
        _ = writeln!(
            self.text,
            "static int once({TAKEN}, unsigned char fill)\n{{\n    double v;\n    int untouched = 0;"
        );
        let types = self.parameters(roles, results)?;
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
            "int {ADAPTER}({TAKEN})\n{{\n    int code = once(f, x, y, status, 0x5b);\n    \
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
            _ = writeln!(self.text, "    y[{at}] = {from};");
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
fn gives_integer(format: Format) -> Unfit {
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
        CompiledCall::new(&crate::cc::declaration::parse(declaration, 8).unwrap(), &[], &spec(text))
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
        let arrays = "(FPCore ((A 3) x) (+ x (ref A 2)))";
        for declaration in [
            "double f(const double *A, double x)",
            "double f(double x, double *A)",
            "double f(const double *v, int count, double t)",
            "double f(int n, const double *v, double t)",
            "int f(const double *v, double t, double *out)",
        ] {
            let call = call_of(declaration, arrays);
            assert_eq!(call.as_ref().map(|c| c.has_status), Ok(declaration.starts_with("int")), "{declaration}");
        }
        assert!(call_of("double f(const double *v, int n, double t)", arrays).unwrap().text.contains("a1[0] = 3;"));
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
            ("double f(double y, double gain, double x)", "(FPCore (x y k) x)", "a parameter `x`, and none `k`"),
            ("double f(const double *m, int r, int c)", "(FPCore ((A 2 3)) (ref A 0 0))", "`r` is no argument"),
            (
                "double f(int a, const double *b, const double *c, int d)",
                "(FPCore ((P 3) (Q 3) (! :precision integer k)) k)",
                "sizes is open",
            ),
            (
                "int f(int a, int *b)",
                "(FPCore (x) :precision (fixed 0 32) (array x x))",
                "a result or a status is open",
            ),
            ("double f(double a, double b)", "(FPCore (x y z) x)", "no parameter is left for the argument `z`"),
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
