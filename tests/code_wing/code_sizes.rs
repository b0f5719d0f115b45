//! Sizes, places of members, alignment, macros and constants in code that is looked into are those of the native compiler.

use crate::support::compilers::{has, has_clang};
use magneto::cc::Flags;
use magneto::code::compile::compile;
use magneto::code::module::Module;
use magneto::code::program::CodeProgram;
use magneto::code::run::{Blind, Runner};
use std::fmt::Write as _;
use std::process::Command;

const HEADERS: [&str; 22] = [
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fenv.h",
    "float.h",
    "inttypes.h",
    "limits.h",
    "locale.h",
    "math.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "time.h",
    "wchar.h",
];

/// Types of the language and of the library.
const TYPES: [&str; 82] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "long double",
    "_Bool",
    "bool",
    "void *",
    "char *",
    "double *",
    "int (*)(int)",
    "float _Complex",
    "double _Complex",
    "size_t",
    "ptrdiff_t",
    "wchar_t",
    "max_align_t",
    "int8_t",
    "uint8_t",
    "int16_t",
    "uint16_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "intptr_t",
    "uintptr_t",
    "intmax_t",
    "uintmax_t",
    "int_fast8_t",
    "int_fast16_t",
    "int_fast32_t",
    "int_fast64_t",
    "uint_fast8_t",
    "uint_fast16_t",
    "uint_fast32_t",
    "uint_fast64_t",
    "int_least8_t",
    "int_least16_t",
    "int_least32_t",
    "int_least64_t",
    "float_t",
    "double_t",
    "div_t",
    "ldiv_t",
    "lldiv_t",
    "time_t",
    "clock_t",
    "struct tm",
    "sig_atomic_t",
    "wint_t",
    "mbstate_t",
    "fpos_t",
    "va_list",
    "fenv_t",
    "fexcept_t",
    "imaxdiv_t",
    "jmp_buf",
    "struct lconv",
    "enum few",
    "enum many",
    "enum negative",
    "struct mixed",
    "struct bits",
    "union both",
    "struct nested",
    "struct packed",
    "struct aligned",
    "struct tail",
    "int[3]",
    "struct mixed[5]",
    "long[2][3]",
    "double[7]",
];

/// Members and where they stand.
const MEMBERS: [(&str, &str); 22] = [
    ("struct mixed", "s"),
    ("struct mixed", "d"),
    ("struct mixed", "c"),
    ("struct mixed", "l"),
    ("struct mixed", "f"),
    ("struct mixed", "p"),
    ("struct nested", "m"),
    ("struct nested", "a"),
    ("struct nested", "b"),
    ("union both", "u"),
    ("struct packed", "d"),
    ("struct packed", "n"),
    ("struct aligned", "x"),
    ("struct tail", "more"),
    ("struct tm", "tm_year"),
    ("struct tm", "tm_isdst"),
    ("div_t", "rem"),
    ("ldiv_t", "rem"),
    ("lldiv_t", "rem"),
    ("struct lconv", "grouping"),
    ("struct lconv", "frac_digits"),
    ("imaxdiv_t", "rem"),
];

/// Integer constants and expressions.
const VALUES: [&str; 78] = [
    "CHAR_BIT",
    "CHAR_MIN",
    "CHAR_MAX",
    "SCHAR_MIN",
    "UCHAR_MAX",
    "SHRT_MAX",
    "USHRT_MAX",
    "INT_MIN",
    "INT_MAX",
    "UINT_MAX",
    "LONG_MIN",
    "LONG_MAX",
    "ULONG_MAX",
    "LLONG_MAX",
    "ULLONG_MAX",
    "SIZE_MAX",
    "PTRDIFF_MAX",
    "INTPTR_MAX",
    "INT64_MAX",
    "UINT64_MAX",
    "INT_FAST16_MAX",
    "WCHAR_MAX",
    "WINT_MAX",
    "SIG_ATOMIC_MAX",
    "FLT_RADIX",
    "FLT_MANT_DIG",
    "DBL_MANT_DIG",
    "LDBL_MANT_DIG",
    "FLT_MAX_EXP",
    "DBL_MIN_EXP",
    "LDBL_MAX_EXP",
    "DBL_DIG",
    "LDBL_DIG",
    "DECIMAL_DIG",
    "FLT_EVAL_METHOD",
    "FP_NAN",
    "FP_INFINITE",
    "FP_ZERO",
    "FP_SUBNORMAL",
    "FP_NORMAL",
    "FP_ILOGB0",
    "FP_ILOGBNAN",
    "math_errhandling",
    "EDOM",
    "ERANGE",
    "EINVAL",
    "ENOMEM",
    "FE_TONEAREST",
    "FE_UPWARD",
    "FE_DOWNWARD",
    "FE_TOWARDZERO",
    "FE_INEXACT",
    "FE_OVERFLOW",
    "FE_UNDERFLOW",
    "FE_INVALID",
    "FE_DIVBYZERO",
    "FE_ALL_EXCEPT",
    "RAND_MAX",
    "EXIT_FAILURE",
    "EOF",
    "BUFSIZ",
    "CLOCKS_PER_SEC",
    "SIGFPE",
    "SIGSEGV",
    "LC_ALL",
    "(char)200 < 0",
    "'\\377' < 0",
    "sizeof('a')",
    "sizeof(L'a')",
    "-1 >> 1",
    "alignof(max_align_t)",
    "(int)-3.7",
    "sizeof(1 ? 1 : 2L)",
    "(enum negative)-1 < 0",
    "ONE_WITH(__LP64__)",
    "ONE_WITH(__linux__)",
    "ONE_WITH(__BYTE_ORDER__)",
    "ONE_WITH(__CHAR_UNSIGNED__)",
];

const DECLARED: &str = "
enum few { A, B };
enum many { C = 1, D = 4000000000u };
enum negative { E = -1, F = 1 };
struct mixed { short s; double d; char c; long l; float f; void *p; };
struct bits { unsigned a : 3; unsigned b : 30; int c : 2; };
union both { double d; unsigned u[2]; char c[9]; };
struct nested { char a; struct mixed m; struct { char x; long long y; } b; };
struct __attribute__((packed)) packed { char c; double d; short n; };
struct __attribute__((aligned(32))) aligned { char c; _Alignas(16) float x; };
struct tail { int n; double more[]; };
#define TEXT(x) #x
#define ONE_WITH(m) (TEXT(m)[0] != '_' || TEXT(m)[1] != '_')
";

/// All of them as values of a function of a number.
fn source() -> (String, usize) {
    let mut values: Vec<String> = TYPES.iter().map(|t| format!("sizeof({t})")).collect();
    values.extend(TYPES.iter().map(|t| format!("_Alignof({t})")));
    values.extend(MEMBERS.iter().map(|(t, m)| format!("__builtin_offsetof({t}, {m})")));
    values.extend(VALUES.iter().map(|v| (*v).to_owned()));
    let mut text: String = HEADERS.iter().map(|h| format!("#include <{h}>\n")).collect();
    text += DECLARED;
    text += "static const unsigned long long all[] = {\n";
    for value in &values {
        let _ = writeln!(text, "    (unsigned long long)({value}),");
    }
    text += "};\nunsigned long long f(int i) { return all[i]; }\n";
    (text, values.len())
}

#[test]
fn sizes_places_and_constants_are_those_of_the_native_compiler() {
    if !has_clang() || !has(&["cc"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (text, count) = source();
    assert!(count >= 200, "{count}");
    let (file, main, program) = (folder.path().join("f.c"), folder.path().join("main.c"), folder.path().join("main"));
    std::fs::write(&file, text).unwrap();
    let print = format!(
        "#include \"f.c\"\nint main(void) {{ for (int i = 0; i < {count}; i++) printf(\"%llu\\n\", f(i)); }}\n"
    );
    std::fs::write(&main, print).unwrap();
    let compiled = Command::new("cc").args(["-w"]).arg(&main).arg("-o").arg(&program).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let printed = String::from_utf8(Command::new(&program).output().unwrap().stdout).unwrap();
    let native: Vec<u64> = printed.lines().map(|l| l.parse().unwrap()).collect();

    let bytes = compile(&[file], &Flags::default()).unwrap_or_else(|e| panic!("{e}"));
    let ours = CodeProgram::new(Module::decode_c(&bytes).unwrap(), "f", &[]).unwrap();
    let mut runner = Runner::new(&ours.module);
    let got: Vec<u64> = (0..count as u64).map(|i| ours.run(&mut runner, &[i], &mut Blind).unwrap().unwrap()).collect();
    let (text, _) = source();
    let names: Vec<&str> = text.lines().filter_map(|l| l.trim().strip_prefix("(unsigned long long)(")).collect();
    let differ: Vec<String> = (0..count)
        .filter(|i| native.get(*i) != Some(&got[*i]))
        .map(|i| format!("{} {:?} natively, {} here", names[i], native.get(i), got[i]))
        .collect();
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
