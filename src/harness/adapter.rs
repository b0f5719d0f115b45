//! Calls that are compiled: of C functions whose parameters are of several types, of integers, structures, or pointers to several of
//! them.
//!
//! A function of C is written that takes the inputs as real numbers, calls the function under test with what its declaration asks
//! for, and hands its results back as real numbers. Numbers of a fixed-point format with the scale s are passed and returned as the
//! integers k of k 2^s.

mod writer;

use super::signature::Signature;
use crate::cc::library::{CompiledLanguage, CompiledLibrary, LibraryError, Recipe};
use crate::cc::{SourceFunction, SourceType, StructMember};
use crate::spec::core::{Arg, SizeName};
use crate::spec::{ResultPlace, Spec};
use crate::text::quote;
use crate::unfit::Unfit;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use writer::{Writer, float_of, gives_integer};

/// The function that an adapter has: `int magneto_call(void (*f)(void), const double *x, double *y, int *status)` calls `f` with the
/// inputs `x`, stores the results in `y` and the status that it returns, and returns 0, 1 where an input is no value of its type, or 2
/// where the function stores nothing at the place of a result.
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

    /// The call of a function with the inputs of a specification, for its results. The members of the structure that is returned, and
    /// of those that the parameters are or point to, come with it where they are known.
    ///
    /// # Errors
    /// Why the function cannot be called so.
    pub(super) fn new(
        function: &SourceFunction,
        structures: &[Option<Vec<StructMember>>],
        spec: &Spec,
    ) -> Result<Self, Unfit> {
        let groups = groups(spec);
        let returned = structures.first().and_then(Option::as_deref);
        let slots = slots(function, structures);
        let roles = roles(&slots, &groups, &spec.core.sizes)?;
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
    /// Of a pointer to the rows of a matrix the sizes of a row, 0 where they are not known.
    row: &'a [usize],
}

fn row_of(ty: &SourceType) -> &[usize] {
    match ty {
        SourceType::Pointer(to, _) if let SourceType::Array(_, sizes) = &**to => sizes,
        _ => &[],
    }
}

fn slots<'a>(function: &'a SourceFunction, structures: &'a [Option<Vec<StructMember>>]) -> Vec<Slot<'a>> {
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
                row: &[],
            })),
            None => slots.push(Slot {
                parameter,
                member: None,
                name,
                ty: ty.element(),
                is_pointer,
                is_changeable,
                row: row_of(ty),
            }),
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

/// The role of each slot: by the names of the arguments where the function has all of them, else in their order. `sizes` are those that have
/// a name in the specification.
fn roles(slots: &[Slot<'_>], groups: &[Group], sizes: &[SizeName]) -> Result<Vec<Role>, Unfit> {
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
                None => is_number && (float_of(slot.ty).is_some() || group.is_fixed && is_integer(slot.ty)),
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
                slot if is_size(slot) => {
                    let named = sizes.iter().find(|size| size.name == slot.name).map(|size| size.value);
                    named.or_else(|| size(at, &roles, slots, groups)).map(Role::Size)
                }
                _ => None,
            };
        }
    }
    for (slot, role) in slots.iter().zip(&roles) {
        if let Some(Role::Argument(k)) = role
            && let own = groups[*k].sizes.get(1..).unwrap_or_default()
            && !slot.row.is_empty()
            && (slot.row.len() != own.len() || slot.row.iter().zip(own).any(|(row, own)| *row != 0 && row != own))
        {
            return Err(format!(
                "the rows of the parameter {} have another size in the specification",
                quote(slot.name)
            )
            .into());
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
    returned: Option<&[StructMember]>,
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

/// The type that a parameter is of or points to.
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
    fn a_parameter_with_the_name_of_a_size_is_that_size() {
        let text = "(FPCore ((A r c)) :magneto-sizes ((r 3 3) (c 2 2)) (ref A 0 0))";
        let text = call_of("double f(int c, const double *A, int r)", text).unwrap().text;
        assert!(text.contains("a0[0] = 2;") && text.contains("a2[0] = 3;"), "{text}");
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
