//! Functions under test as a native program calls them: in C, inputs and results as words.

use super::program::CodeProgram;
use crate::floats::BitsKind;
use std::fmt::Write as _;

/// The head of a file of callers.
pub(super) const CALLER: &str = "#ifdef __cplusplus\nextern \"C\"\n#endif\n\
                                 void *magneto_room(unsigned long, int);\n\
                                 #ifdef __cplusplus\n#define MAGNETO_POINTER(p) (p)\n#else\n\
                                 #define MAGNETO_POINTER(p) (void *)(p)\n#endif\n";

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

/// A function that takes inputs from words, calls the function of this place, and puts what comes of it into words.
pub(super) fn caller(place: usize, program: &CodeProgram) -> String {
    let mut text = format!(
        "#ifdef __cplusplus\nextern \"C\"\n#endif\nvoid magneto_call_{place}(const unsigned long long *in, unsigned long \
         long *out)\n{{\n"
    );
    let (mut next, mut element, mut arguments, mut after) = (0, 1, Vec::new(), String::new());
    for (i, (kind, pointer)) in program.parameters().enumerate() {
        let ty = c_type(kind);
        match pointer {
            None => {
                let _ = match kind {
                    // Other bits than 0 and 1 are no truth value.
                    BitsKind::Bool => writeln!(text, "    {ty} a{i} = in[{next}] & 1;"),
                    _ => writeln!(text, "    {ty} a{i}; __builtin_memcpy(&a{i}, in + {next}, sizeof a{i});"),
                };
                next += 1;
            }
            Some((inputs, room)) => {
                let room_of = format!("magneto_room({room}, {})", number(kind));
                let _ = writeln!(text, "    {ty} *a{i} = ({ty} *){room_of};");
                for k in 0..inputs {
                    let _ = match kind {
                        BitsKind::Bool => writeln!(text, "    a{i}[{k}] = in[{next}] & 1;"),
                        _ => writeln!(text, "    __builtin_memcpy(a{i} + {k}, in + {next}, sizeof *a{i});"),
                    };
                    next += 1;
                }
                let _ = writeln!(
                    after,
                    "    for (int i = 0; i < {room}; i++) __builtin_memcpy(out + {element} + i, a{i} + i, sizeof *a{i});"
                );
                element += room;
            }
        }
        // Of types of one size the source may use another one than this file.
        arguments.push(if pointer.is_some() { format!("MAGNETO_POINTER(a{i})") } else { format!("a{i}") });
    }
    let call = format!("{}({})", program.name(), arguments.join(", "));
    match program.result() {
        None => _ = writeln!(text, "    {call};"),
        Some(kind) => {
            let _ = writeln!(text, "    {} result = {call};", c_type(kind));
            let _ = writeln!(text, "    __builtin_memcpy(out, &result, sizeof result);");
        }
    }
    text + &after + "}\n"
}

/// The callers by number, for the driver.
pub(super) fn table(count: usize, (inputs, behind): (usize, usize)) -> String {
    let mut text = String::new();
    for i in 0..count {
        let _ = writeln!(text, "void magneto_call_{i}(const word *, word *);");
    }
    let names: Vec<String> = (0..count).map(|i| format!("magneto_call_{i}")).collect();
    let _ = writeln!(text, "void (*const magneto_functions[])(const word *, word *) = {{{}}};", names.join(", "));
    let _ = writeln!(text, "const unsigned magneto_in = {inputs}, magneto_out = {behind};");
    text
}
