//! Every function against a program that calls it natively.

use super::{Math, Parameter, TABLE, math, sets_errno};
use crate::code::ins::Type;
use crate::code::sets::sample::{Random, bits, has_cc};
use std::fmt::Write as _;
use std::process::Command;

/// Numbers for each function.
const TIMES: usize = 2_000;

fn c(ty: Type) -> &'static str {
    match ty {
        Type::F64 => "double",
        Type::F32 => "float",
        Type::I32 => "int",
        Type::I64 => "long long",
    }
}

/// A function in C that calls another on bits and gives those of the result and of what is stored.
fn caller(name: &str, f: Math) -> String {
    let mut text = String::new();
    let (mut types, mut before, mut passed, mut after) = (Vec::new(), String::new(), Vec::new(), String::new());
    for (i, p) in f.parameters().iter().enumerate() {
        let (Parameter::Value(ty) | Parameter::To(ty)) = p;
        let _ = writeln!(before, "    {} x{i};", c(*ty));
        if let Parameter::Value(_) = p {
            let _ = writeln!(before, "    memcpy(&x{i}, &a[{i}], sizeof x{i});");
            types.push(c(*ty).to_owned());
            passed.push(format!("x{i}"));
        } else {
            let _ = writeln!(before, "    x{i} = 0;");
            let _ = writeln!(after, "    memcpy(&r[{i}], &x{i}, sizeof x{i});");
            types.push(format!("{} *", c(*ty)));
            passed.push(format!("&x{i}"));
        }
    }
    let result = f.result().map_or("void", c);
    let (types, passed) = (types.join(", "), passed.join(", "));
    let keep = match f.result() {
        Some(ty) => format!("    {} y = {name}({passed});\n    memcpy(&r[3], &y, sizeof y);\n", c(ty)),
        None => format!("    {name}({passed});\n"),
    };
    let _ = write!(text, "{result} {name}({types});\nstatic void call_{name}(const uint64_t *a, uint64_t *r) {{\n");
    text + &before + &keep + &after + "}\n"
}

fn argument(name: &str, p: Parameter, random: &mut Random) -> u64 {
    match p {
        Parameter::To(_) => 0,
        // The time of these is that of the order.
        Parameter::Value(Type::I32) if ["jn", "yn", "jnf", "ynf"].contains(&name) => random.below(9) as u32 as u64,
        Parameter::Value(ty) => bits(ty, random),
    }
}

/// Bits of which all NaNs are one.
fn with_one_nan(ty: Type, x: u64) -> u64 {
    match ty {
        Type::F64 if f64::from_bits(x).is_nan() => u64::MAX,
        Type::F32 if f32::from_bits(x as u32).is_nan() => u64::MAX,
        _ => x,
    }
}

#[test]
fn functions_are_those_of_a_native_program() {
    if !has_cc() {
        return;
    }
    let mut all: Vec<(&str, Math)> = TABLE.iter().map(|(name, f)| (*name, *f)).collect();
    all.sort_by_key(|(name, _)| *name);
    assert!(all.len() > 90, "{}", all.len());
    let mut random = Random(6);
    let (mut text, mut calls) =
        ("#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n".to_owned(), String::new());
    let mut inputs: Vec<[u64; 3]> = Vec::new();
    for (name, f) in &all {
        text += &caller(name, *f);
        let _ = writeln!(calls, "    each(call_{name});");
        for _ in 0..TIMES {
            let mut a = [0; 3];
            f.parameters().iter().zip(&mut a).for_each(|(p, x)| *x = argument(name, *p, &mut random));
            inputs.push(a);
        }
    }
    let _ = write!(
        text,
        "static void each(void (*call)(const uint64_t *, uint64_t *)) {{\n    for (int i = 0; i < {TIMES}; i++) {{\n        \
         uint64_t a[3], r[4] = {{0}};\n        if (fread(a, 8, 3, stdin) != 3) return;\n        call(a, r);\n        \
         fwrite(r, 8, 4, stdout);\n    }}\n}}\nint main(void) {{\n{calls}    return 0;\n}}\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let (source, program, input) =
        (folder.path().join("all.c"), folder.path().join("all"), folder.path().join("inputs"));
    std::fs::write(&source, text).unwrap();
    std::fs::write(&input, inputs.iter().flatten().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>()).unwrap();
    let flags = ["-O0", "-fno-builtin", "-ffp-contract=off"];
    let built = Command::new("cc").args(flags).arg(&source).arg("-o").arg(&program).arg("-lm").output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&program).stdin(std::fs::File::open(&input).unwrap()).output().unwrap();
    let words: Vec<u64> = output.stdout.chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(words.len(), 4 * TIMES * all.len());
    for (n, (a, native)) in inputs.iter().zip(words.chunks_exact(4)).enumerate() {
        let (name, f) = all[n / TIMES];
        let parameters = f.parameters();
        // Addresses are the indices of the parameters.
        let mut arguments = a[..parameters.len()].to_vec();
        f.stores().for_each(|(i, _)| arguments[i] = i as u64);
        let mut own = [0; 4];
        let result = f.call(&arguments, |at, ty, x| {
            own[at as usize] = with_one_nan(ty, x);
            Ok::<(), ()>(())
        });
        let mut native: Vec<u64> = native.to_vec();
        f.stores().for_each(|(i, ty)| native[i] = with_one_nan(ty, native[i]));
        if let Some(ty) = f.result() {
            own[3] = with_one_nan(ty, result.unwrap().unwrap());
            native[3] = with_one_nan(ty, native[3]);
        }
        assert_eq!(own[..], native[..], "{name} of {a:x?}");
    }
}

#[test]
fn what_the_library_lacks_is_not_there() {
    assert!(math("no_such_function").is_none());
    assert!(math("cos").is_some() && math("cosf").is_some());
}

#[test]
fn functions_without_errors_set_no_errno() {
    for name in ["fabs", "fabsf", "modff", "ceil"] {
        assert!(!sets_errno(name), "{name}");
    }
    for name in ["exp", "expf", "erff", "lgamma_r", "sqrt"] {
        assert!(sets_errno(name), "{name}");
    }
}
