//! Every function of `long double` against a program that calls it natively.

use super::{MOST, WideBits, WideKind, WideResult, wide_math};
use crate::code::host::with_errno;
use crate::code::sets::sample::{Random, has_cc};
use crate::tool::Scratch;
use std::fmt::Write as _;
use std::process::Command;

/// Calls of each function.
const TIMES: usize = 1_000;

const REAL: [&str; 47] = [
    "sinl",
    "cosl",
    "tanl",
    "asinl",
    "acosl",
    "atanl",
    "sinhl",
    "coshl",
    "tanhl",
    "asinhl",
    "acoshl",
    "atanhl",
    "expl",
    "exp2l",
    "exp10l",
    "expm1l",
    "logl",
    "log2l",
    "log10l",
    "log1pl",
    "cbrtl",
    "erfl",
    "erfcl",
    "tgammal",
    "lgammal",
    "logbl",
    "significandl",
    "j0l",
    "j1l",
    "y0l",
    "y1l",
    "powl",
    "atan2l",
    "hypotl",
    "fmodl",
    "remainderl",
    "fdiml",
    "nextafterl",
    "fmal",
    "jnl",
    "ynl",
    "lgammal_r",
    "sincosl",
    "lrintl",
    "llroundl",
    "ilogbl",
    "lroundl",
];

const COMPLEX: [&str; 17] = [
    "cexpl", "clogl", "csqrtl", "csinl", "ccosl", "ctanl", "casinl", "cacosl", "catanl", "csinhl", "ccoshl", "ctanhl",
    "casinhl", "cacoshl", "catanhl", "cprojl", "cpowl",
];

/// Two values, an integer and `errno`.
type Given = [u64; 6];

/// A function in C that calls another on bits, with its own name and that of what code under test calls.
fn caller(called: &str, name: &str) -> String {
    let f = wide_math(called).unwrap();
    let values: Vec<String> = (0..f.count).map(|i| format!("a[{i}]")).collect();
    let values = values.join(", ");
    let complex: Vec<String> = (0..f.count).step_by(2).map(|i| format!("CMPLXL(a[{i}], a[{}])", i + 1)).collect();
    let complex = complex.join(", ");
    let call = match f.kind {
        WideKind::Wide => format!("x = {name}({values});"),
        WideKind::Order => format!("x = {name}(n, {values});"),
        WideKind::Sign => format!("x = {name}({values}, &sign); r[4] = (uint32_t)sign;"),
        WideKind::Both => format!("{name}({values}, &x, &y);"),
        WideKind::Long | WideKind::Int => format!("r[4] = {name}({values});"),
        WideKind::Complex if name == "*" || name == "/" => {
            format!("z = CMPLXL(a[0], a[1]); z = z {name} CMPLXL(a[2], a[3]); x = creall(z), y = cimagl(z);")
        }
        WideKind::Complex => format!("z = {name}({complex}); x = creall(z), y = cimagl(z);"),
    };
    let cut = if f.kind == WideKind::Int { "r[4] &= 0xffffffff;" } else { "" };
    format!(
        "static void call_{called}(const long double *a, int n, uint64_t *r) {{\n    long double x = 0, y = 0; int sign = 0; long double _Complex z;\n    \
         errno = 0; {call} {cut} r[5] = errno;\n    memcpy(r, &x, 10); memcpy(r + 2, &y, 10);\n}}\n"
    )
}

/// A value as it stands in memory: of all sizes, or such as functions have something to say of.
fn value(random: &mut Random) -> WideBits {
    let (m, choice) = (random.bits(), random.below(16));
    let exponent = match choice {
        0 => 0,
        1 => 0x7fff,
        2 => random.below(0x7fff) as u64,
        3 => 1 + random.below(70) as u64,
        4 => 0x7ffe - random.below(70) as u64,
        _ => 0x3fff + 12 - random.below(24) as u64,
    };
    let sign = m & 1;
    let m = match random.below(4) {
        0 => m << 60,
        1 => m << 52,
        _ => m,
    };
    let m = match exponent {
        0 if random.below(3) == 0 => 0,
        0 => m >> 1,
        // NaNs are quiet: of those that signal functions make different ones.
        0x7fff if random.below(2) == 0 => 1 << 63,
        0x7fff => m | 3 << 62,
        _ => m | 1 << 63,
    };
    [m, exponent | sign << 15]
}

/// Bits of which all NaNs are one.
fn with_one_nan([m, rest]: WideBits) -> WideBits {
    if rest & 0x7fff == 0x7fff && m != 1 << 63 { [3 << 62, 0x7fff] } else { [m, rest] }
}

/// What a call comes to, as the native program writes it.
fn own(called: &str, values: &[WideBits], n: u64) -> Given {
    let f = wide_math(called).unwrap();
    let words = values[..f.count].iter().flatten().copied();
    let arguments: Vec<u64> = match f.kind {
        WideKind::Wide => [0].into_iter().chain(words).collect(),
        WideKind::Order => [0, n].into_iter().chain(words).collect(),
        WideKind::Sign => [0].into_iter().chain(words).chain([4]).collect(),
        WideKind::Both | WideKind::Complex => words.chain([0, 2]).collect(),
        WideKind::Long | WideKind::Int => words.collect(),
    };
    let mut given = [0; 6];
    let (result, errno) = with_errno(|| f.call(&arguments));
    let mut keep = |(at, value): (u64, WideBits)| given[at as usize..][..2].copy_from_slice(&value);
    match result {
        WideResult::Wide(at, value) => keep((at, value)),
        WideResult::Both(values) => values.into_iter().for_each(keep),
        WideResult::WithSign(value, (at, sign)) => {
            keep(value);
            given[at as usize] = sign.into();
        }
        WideResult::Integer(n) => given[4] = n,
    }
    given[5] = errno as u64;
    given
}

fn native(text: &str, input: &[u8]) -> Vec<u64> {
    let folder = Scratch::make().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("all.c"), text).unwrap();
    std::fs::write(at("inputs"), input).unwrap();
    let flags = ["-O0", "-fno-builtin", "-ffp-contract=off", "-w"];
    let built = Command::new("cc").args(flags).arg(at("all.c")).arg("-o").arg(at("all")).arg("-lm").output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(at("all")).stdin(std::fs::File::open(at("inputs")).unwrap()).output().unwrap();
    output.stdout.chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap())).collect()
}

#[test]
fn functions_are_those_of_a_native_program() {
    if !has_cc() || cfg!(not(target_arch = "x86_64")) {
        return;
    }
    let mut all: Vec<(String, &str)> = REAL.iter().map(|name| ((*name).to_owned(), *name)).collect();
    all.extend(COMPLEX.iter().map(|name| (format!("magneto_{name}"), *name)));
    all.extend([("magneto___mulxc3".to_owned(), "*"), ("magneto___divxc3".to_owned(), "/")]);
    let mut random = Random(8);
    let mut text =
        "#define _GNU_SOURCE\n#include <complex.h>\n#include <errno.h>\n#include <math.h>\n#include <stdint.h>\n\
                    #include <stdio.h>\n#include <string.h>\n"
            .to_owned();
    let mut calls = String::new();
    let mut inputs: Vec<([WideBits; MOST], u64)> = Vec::new();
    for (called, name) in &all {
        text += &caller(called, name);
        let _ = writeln!(calls, "    each(call_{called});");
        inputs.extend((0..TIMES).map(|_| {
            // The time of Bessel functions is that of the order.
            ([(); MOST].map(|()| value(&mut random)), random.below(9) as u64)
        }));
    }
    let _ = write!(
        text,
        "static void each(void (*call)(const long double *, int, uint64_t *)) {{\n    for (int i = 0; i < {TIMES}; i++) {{\n        \
         long double a[{MOST}]; uint64_t n, r[6] = {{0}};\n        if (fread(a, 16, {MOST}, stdin) != {MOST} || !fread(&n, 8, 1, stdin)) \
         return;\n        call(a, (int)n, r);\n        fwrite(r, 8, 6, stdout);\n    }}\n}}\nint main(void) {{\n{calls}    return 0;\n}}\n"
    );
    let bytes =
        inputs.iter().flat_map(|(values, n)| values.iter().flatten().copied().chain([*n]).flat_map(u64::to_le_bytes));
    let words = native(&text, &bytes.collect::<Vec<u8>>());
    assert_eq!(words.len(), 6 * TIMES * all.len());
    for (k, ((values, n), native)) in inputs.iter().zip(words.chunks_exact(6)).enumerate() {
        let called = &all[k / TIMES].0;
        let of = |g: &[u64]| (with_one_nan([g[0], g[1]]), with_one_nan([g[2], g[3]]), g[4], g[5]);
        assert_eq!(of(&own(called, values, *n)), of(native), "{called} of {values:x?}, {n}");
    }
}

#[test]
fn what_the_library_lacks_is_not_there() {
    for name in ["no_such_functionl", "magneto_csinfl", "magneto_cexp", "csinl", "magneto_l"] {
        assert!(wide_math(name).is_none(), "{name}");
    }
}
