//! Functions under test as a native program calls them: in C, inputs and results as words.

use super::input::kind_of;
use super::made::{MadeObject, PointerAlias, PointerPlace};
use super::objects::{CallObjects, MemoryObject, Passed};
use super::program::CodeProgram;
use super::stubs::Stub;
use crate::cc::shape::{RecordShape, ShapeParameter, TypeShape};
use crate::floats::BitsKind;
use std::fmt::Write as _;

/// The head of a file of callers.
pub(super) const CALLER: &str = "#ifdef __cplusplus\n#include <new>\nstruct magneto_any {\n  void *to;\n  \
                                 template <class magneto_type> operator magneto_type *() const { return (magneto_type *)to; }\n};\nextern \"C\" {\n#endif\n\
                                 struct magneto_run {\n  unsigned object, at, count, kind;\n};\n\
                                 void magneto_make(char **, const unsigned *, unsigned);\n\
                                 void magneto_fill(char *const *, const struct magneto_run *, unsigned);\n\
                                 void magneto_keep(char *const *, const struct magneto_run *, unsigned, unsigned long long *);\n\
                                 unsigned long long magneto_answer(char *);\nvoid magneto_write(char *, void *);\n\
                                 void magneto_bits(char *, unsigned, unsigned, unsigned long long);\nvoid magneto_fail(unsigned);\n\
                                 extern int magneto_makes;\n\
                                 #ifdef __cplusplus\n}\n#define MAGNETO_POINTER(p) (p)\n#else\n\
                                 #define MAGNETO_POINTER(p) (void *)(p)\n#endif\n\
                                 #define MAGNETO_TEXT(s) #s\n#define MAGNETO_QUOTED(s) MAGNETO_TEXT(s)\n";

/// A type of the native compiler that has the values of a kind.
fn c_type(kind: BitsKind) -> &'static str {
    match kind {
        BitsKind::F32 => "float",
        BitsKind::F64 => "double",
        BitsKind::Bool => "MAGNETO_BOOL",
        BitsKind::Int { bytes: 1, signed: true } => "signed char",
        BitsKind::Int { bytes: 1, signed: false } => "unsigned char",
        BitsKind::Int { bytes: 2, signed: true } => "short",
        BitsKind::Int { bytes: 2, signed: false } => "unsigned short",
        BitsKind::Int { bytes: 4, signed: true } => "int",
        BitsKind::Int { bytes: 4, signed: false } => "unsigned",
        BitsKind::Int { signed: true, .. } => "__INT64_TYPE__",
        BitsKind::Int { signed: false, .. } => "__UINT64_TYPE__",
    }
}

/// A kind as the driver has it.
pub(super) fn number(kind: BitsKind) -> u8 {
    match kind {
        BitsKind::F32 => 32 | 4,
        BitsKind::F64 => 32 | 8,
        BitsKind::Bool => 64 | 1,
        BitsKind::Int { bytes, signed } => bytes | u8::from(signed) << 4,
    }
}

/// A type as the source writes it; none where it has no name.
pub(super) fn spelled(shape: &TypeShape) -> Option<String> {
    match shape {
        TypeShape::Number(ty, name) if name.is_empty() => kind_of(ty).map(|kind| c_type(kind).to_owned()),
        TypeShape::Number(_, name) => Some(name.clone()),
        TypeShape::Record(RecordShape { name, .. }) => (!name.is_empty()).then(|| name.clone()),
        TypeShape::Pointer(to) if !to.is_reference => {
            let (mark, text) = (if to.is_const { "const " } else { "" }, spelled(&to.to)?);
            // What is constant of a pointer stands behind its star.
            Some(match *to.to {
                TypeShape::Pointer(_) => format!("{text} {mark}*"),
                _ => format!("{mark}{text} *"),
            })
        }
        TypeShape::Void => Some("void".to_owned()),
        _ => None,
    }
}

/// Writes objects, with what is made up or zero where no inputs are. There may be thousands of numbers in them: tables of them
/// take a compiler far less time than statements.
fn write_objects((place, program): (usize, &CodeProgram), text: &mut String) {
    let objects = &program.call_objects().objects;
    if objects.is_empty() {
        return;
    }
    let (count, sizes) = (objects.len(), objects.iter().map(|o| o.bytes.max(1).to_string()));
    let sizes = sizes.collect::<Vec<_>>().join(", ");
    let _ = writeln!(text, "    static const unsigned magneto_sizes[] = {{{sizes}}};\n    char *magneto_o[{count}];");
    let _ = writeln!(text, "    magneto_make(magneto_o, magneto_sizes, {count});");
    let without: Vec<String> = table_of(objects, |_| true, |f| f.input.is_none());
    if !without.is_empty() {
        write_table("magneto_fills", &without, text);
        let _ = writeln!(text, "    magneto_fill(magneto_o, magneto_fills, {});", without.len());
    }
    for (i, object) in objects.iter().enumerate() {
        for (word, at) in object.stub.iter().flat_map(|stub| stub.head().into_iter().zip([8, 12])) {
            let _ = writeln!(text, "    *(unsigned *)(magneto_o[{i}] + {at}) = {word}u;");
        }
        if object.stub.is_some() {
            let _ = writeln!(text, "    magneto_s{place}_{i} = magneto_o[{i}];");
        }
        for field in &object.fields {
            let Some(input) = field.input else { continue };
            // Other bits than 0 and 1 are no truth value.
            let _ = match field.kind {
                BitsKind::Bool => writeln!(text, "    magneto_o[{i}][{}] = magneto_given[{input}] & 1;", field.at),
                kind => writeln!(
                    text,
                    "    __builtin_memcpy(magneto_o[{i}] + {}, magneto_given + {input}, {});",
                    field.at,
                    kind.bytes()
                ),
            };
        }
        for field in &object.bit_fields {
            let _ = writeln!(
                text,
                "    magneto_bits(magneto_o[{i}] + {}, {}, {}, magneto_given[{}]);",
                field.at, field.from, field.width, field.input
            );
        }
        for link in &object.links {
            let to = chosen(&address(place, objects, link.object), link.choice);
            let _ = writeln!(text, "    *(char **)(magneto_o[{i}] + {}) = {to};", link.at);
        }
    }
    for alias in &program.call_objects().aliases {
        if let PointerPlace::Member { object, at } = alias.pointer {
            write_alias(&format!("*(char **)(magneto_o[{object}] + {at})"), alias, text);
        }
    }
}

/// Has a pointer lead to the object of another one where an input asks for it.
fn write_alias(pointer: &str, alias: &PointerAlias, text: &mut String) {
    let PointerAlias { object, at, choice, .. } = alias;
    let asked = format!("magneto_makes && magneto_given[{choice}] == 1 && {pointer}");
    let _ = writeln!(text, "    if ({asked}) {pointer} = magneto_o[{object}] + {at};");
}

/// Runs of numbers of objects as the driver has them.
fn table_of(
    objects: &[MemoryObject],
    is_meant: impl Fn(&MemoryObject) -> bool,
    of: impl Fn(&super::objects::ObjectField) -> bool,
) -> Vec<String> {
    let all = objects.iter().enumerate().filter(|(_, object)| is_meant(object));
    let one = |(i, object)| {
        let row = move |(first, count): (super::objects::ObjectField, u32)| {
            format!("{{{i}, {}, {count}, {}}}", first.at, number(first.kind))
        };
        runs(object, &of).into_iter().map(row).collect::<Vec<_>>()
    };
    all.flat_map(one).collect()
}

fn write_table(name: &str, rows: &[String], text: &mut String) {
    let _ = writeln!(text, "    static const struct magneto_run {name}[] = {{\n{}}};", rows.join(",\n"));
}

/// The numbers of an object one after the other that are of one kind: the first one, and how many there are.
fn runs(
    object: &MemoryObject,
    of: impl Fn(&super::objects::ObjectField) -> bool,
) -> Vec<(super::objects::ObjectField, u32)> {
    let mut all: Vec<(super::objects::ObjectField, u32)> = Vec::new();
    for field in object.fields.iter().filter(|f| of(f)) {
        match all.last_mut() {
            Some((first, count))
                if first.kind == field.kind && field.at == first.at + *count * u32::from(field.kind.bytes()) =>
            {
                *count += 1;
            }
            _ => all.push((field.clone(), 1)),
        }
    }
    all
}

fn chosen(address: &str, choice: Option<usize>) -> String {
    choice.map_or_else(|| address.to_owned(), |input| format!("(magneto_given[{input}] & 1 ? {address} : (char *)0)"))
}

/// The arguments in C, in the order of the source's parameters.
fn arguments((number, program): (usize, &CodeProgram), text: &mut String, is_c: bool) -> Vec<String> {
    let call = program.call_objects();
    let mut passed = call.passed.iter().peekable();
    if call.objects.first().is_some_and(|o| o.is_result) {
        passed.next();
    }
    let mut all = Vec::new();
    for (i, ShapeParameter { shape, .. }) in program.shape.parameters.iter().enumerate() {
        if matches!(shape, TypeShape::Record(r) if r.members.is_empty() && r.bytes <= 1) {
            all.push(format!("{}()", spelled(shape).unwrap_or_default()));
            continue;
        }
        let own = passed.next();
        all.push(match (own, shape) {
            (Some(Passed::Number(kind, input)), _) => {
                // Of types of one size the source may use another one than this file.
                let ty = spelled(shape).filter(|_| !is_c).unwrap_or_else(|| c_type(*kind).to_owned());
                let _ = match kind {
                    BitsKind::Bool => writeln!(text, "    {ty} magneto_a{i} = magneto_given[{input}] & 1;"),
                    _ => writeln!(text, "    {ty} magneto_a{i}; __builtin_memcpy(&magneto_a{i}, magneto_given + {input}, sizeof magneto_a{i});"),
                };
                format!("magneto_a{i}")
            }
            (Some(Passed::Address { object, choice }), TypeShape::Pointer(to)) => {
                let given = chosen(&address(number, &call.objects, *object), *choice);
                let own = own.map(|own| call.passed.iter().position(|p| std::ptr::eq(p, own)));
                let address = made(number, (call, own.flatten()), given, text);
                pointer(&address, to, is_c)
            }
            (Some(Passed::Address { object, .. }), _) => {
                format!("*({} *)magneto_o[{object}]", spelled(shape).unwrap_or_default())
            }
            (Some(Passed::Part { object, .. }), _) => {
                while matches!(passed.peek(), Some(Passed::Part { object: other, .. }) if other == object) {
                    passed.next();
                }
                format!("*({} *)magneto_o[{object}]", spelled(shape).unwrap_or_default())
            }
            _ => "0".to_owned(),
        });
    }
    all
}

/// The address of an object, or of the one that a function makes or another pointer leads to in its place.
fn made(place: usize, (call, parameter): (&CallObjects, Option<usize>), given: String, text: &mut String) -> String {
    let all: Vec<(usize, &MadeObject)> =
        call.made.iter().enumerate().filter(|(_, made)| Some(made.place) == parameter).collect();
    let is_own = |alias: &&PointerAlias| parameter.is_some_and(|p| alias.pointer == PointerPlace::Parameter(p));
    let aliases: Vec<&PointerAlias> = call.aliases.iter().filter(is_own).collect();
    let Some(parameter) = parameter.filter(|_| !(all.is_empty() && aliases.is_empty())) else { return given };
    let own = format!("magneto_m{parameter}");
    let _ = writeln!(text, "    char *{own} = {given};");
    aliases.into_iter().for_each(|alias| write_alias(&own, alias, text));
    for (k, made) in all {
        let _ = writeln!(text, "    if (magneto_makes && {own} && (magneto_given[{}] & 1)) {{", made.choice);
        let numbers = made.arguments().map(|(kind, input)| {
            let ty = c_type(kind);
            let _ = match kind {
                BitsKind::Bool => writeln!(text, "        {ty} magneto_n{input} = magneto_given[{input}] & 1;"),
                _ => writeln!(text, "        {ty} magneto_n{input}; __builtin_memcpy(&magneto_n{input}, magneto_given + {input}, sizeof magneto_n{input});"),
            };
            format!("magneto_n{input}")
        });
        let numbers = numbers.collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            text,
            "        char *made = magneto_k{place}_{k}({numbers});\n        if (made) {own} = made;\n    }}"
        );
    }
    own
}

/// Declarations of the functions that make objects, under names of their own: what the source declares is left alone.
fn makers(place: usize, call: &CallObjects) -> String {
    let one = |(k, made): (usize, &MadeObject)| {
        let types: Vec<&str> = made.arguments().map(|(kind, _)| c_type(kind)).collect();
        let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
        let symbol = &made.maker.symbol;
        format!(
            "extern char *magneto_k{place}_{k}({types}) __asm__(MAGNETO_QUOTED(__USER_LABEL_PREFIX__) \"{symbol}\");\n"
        )
    };
    call.made.iter().enumerate().map(one).collect()
}

/// A pointer or a reference to an object.
fn pointer(address: &str, to: &crate::cc::shape::PointerShape, is_c: bool) -> String {
    let mark = if to.is_const { "const " } else { "" };
    let ty = match &*to.to {
        TypeShape::Array(of, count) => spelled(of).map(|of| (format!("{mark}{of} (*)[{count}]"), true)),
        inner @ TypeShape::Pointer(_) => spelled(inner).map(|of| (format!("{of} {mark}*"), false)),
        other => spelled(other).map(|of| (format!("{mark}{of} *"), false)),
    };
    match ty {
        _ if is_c => format!("(void *)({address})"),
        _ if matches!(*to.to, TypeShape::Function(_)) => format!("magneto_any{{(void *)({address})}}"),
        Some((ty, _)) if to.is_reference => format!("*({ty})({address})"),
        Some((ty, _)) => format!("({ty})({address})"),
        None => format!("MAGNETO_POINTER((void *)({address}))"),
    }
}

/// The call of a function as C or C++ writes it.
fn call((place, program): (usize, &CodeProgram), text: &mut String, is_c: bool) -> String {
    let (shape, mut all) = (&program.shape, arguments((place, program), text, is_c));
    let is_method = shape.parameters.first().is_some_and(|p| p.is_object);
    if !is_method {
        let name = if is_c { program.name() } else { &shape.name };
        return format!("{name}({})", all.join(", "));
    }
    let object = all.remove(0);
    let (class, name) = shape.name.rsplit_once("::").unwrap_or(("", &shape.name));
    if shape.is_constructor {
        return format!("(void)::new ((void *){object}) {class}({})", all.join(", "));
    }
    format!("({object})->{class}::{name}({})", all.join(", "))
}

/// A function that takes inputs from words, calls the function of this place, and puts what comes of it into words. All that it
/// names begins with `magneto_`: no name of the file under test is hidden.
pub(super) fn caller(place: usize, program: &CodeProgram, is_c: bool) -> String {
    let mut text = stubs(place, &program.call_objects().objects) + &makers(place, program.call_objects());
    let _ = write!(
        text,
        "#ifdef __cplusplus\nextern \"C\"\n#endif\nvoid magneto_call_{place}(const unsigned long long *magneto_given, \
         unsigned long long *magneto_kept)\n{{\n"
    );
    write_objects((place, program), &mut text);
    let call = call((place, program), &mut text, is_c);
    let failure = program.call_objects().objects.iter().position(|object| object.is_of_failure);
    if let Some(object) = failure {
        let _ = writeln!(text, "    magneto_fail(*(unsigned char *)magneto_o[{object}]);");
    }
    let first = program.call_objects().objects.first();
    let is_result_stored = first.is_some_and(|o| o.is_result);
    let _ = match (program.result(), spelled(&program.shape.result)) {
        (Some(kind), _) => {
            writeln!(
                text,
                "    {} magneto_result = {call};\n    __builtin_memcpy(magneto_kept, &magneto_result, sizeof magneto_result);",
                c_type(kind)
            )
        }
        (None, Some(ty)) if is_result_stored => {
            writeln!(
                text,
                "    {ty} magneto_result = {call};\n    __builtin_memcpy(magneto_o[0], (void *)&magneto_result, sizeof magneto_result);"
            )
        }
        _ => writeln!(text, "    {call};"),
    };
    if failure.is_some() {
        text += "    magneto_fail(0);\n";
    }
    let left = table_of(&program.call_objects().objects, MemoryObject::is_left, |_| true);
    if !left.is_empty() {
        write_table("magneto_left", &left, &mut text);
        let _ = writeln!(text, "    magneto_keep(magneto_o, magneto_left, {}, magneto_kept + 1);", left.len());
    }
    text + "}\n"
}

/// The address of an object, or of the function that a stub is.
fn address(place: usize, objects: &[MemoryObject], object: usize) -> String {
    match objects[object].stub {
        Some(_) => format!("(char *)magneto_f{place}_{object}"),
        None => format!("magneto_o[{object}]"),
    }
}

/// The stubs of a function under test, which take what they return from their objects.
fn stubs(place: usize, objects: &[MemoryObject]) -> String {
    let mut text = String::new();
    for (i, object) in objects.iter().enumerate() {
        let Some(stub) = &object.stub else { continue };
        let ty = |shape: &TypeShape| match shape {
            TypeShape::Number(ty, _) => kind_of(ty).map_or("void", c_type),
            TypeShape::Pointer(_) => "void *",
            _ => "void",
        };
        let parameters = stub.ty.parameters.iter().enumerate();
        let list: Vec<String> = parameters.clone().map(|(k, shape)| format!("{} magneto_p{k}", ty(shape))).collect();
        let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
        let result = ty(&stub.ty.result);
        let _ = write!(text, "static char *magneto_s{place}_{i};\nstatic {result} magneto_f{place}_{i}({list})\n{{\n");
        for (k, _) in parameters.filter(|(_, shape)| Stub::is_written(shape)) {
            let _ = writeln!(text, "    magneto_write(magneto_s{place}_{i}, magneto_p{k});");
        }
        match (stub.result(), &*stub.ty.result) {
            (Some(_), _) => {
                let _ = writeln!(
                    text,
                    "    unsigned long long magneto_x = magneto_answer(magneto_s{place}_{i});\n    {result} magneto_r;\n    \
                     __builtin_memcpy(&magneto_r, &magneto_x, sizeof magneto_r);\n    return magneto_r;"
                );
            }
            (None, TypeShape::Pointer(_)) => text += "    return 0;\n",
            (None, _) => {}
        }
        text += "}\n";
    }
    text
}

/// The call of a function before each run, in the file that defines it.
pub(super) fn called_before(name: &str) -> String {
    format!("#ifdef __cplusplus\nextern \"C\"\n#endif\nvoid magneto_before(void)\n{{\n    {name}();\n}}\n")
}

/// The callers by number, for the driver.
pub(super) fn table(count: usize, (inputs, behind): (usize, usize), is_prepared: bool) -> String {
    let (declared, call) = if is_prepared { ("void magneto_before(void);\n", "magneto_before();") } else { ("", "") };
    let mut text = format!("{declared}static void prepare(void) {{ {call} }}\n");
    for i in 0..count {
        let _ = writeln!(text, "void magneto_call_{i}(const word *, word *);");
    }
    let names: Vec<String> = (0..count).map(|i| format!("magneto_call_{i}")).collect();
    let _ = writeln!(text, "void (*const magneto_functions[])(const word *, word *) = {{{}}};", names.join(", "));
    let _ = writeln!(text, "const unsigned magneto_in = {inputs}, magneto_out = {behind};");
    text
}
