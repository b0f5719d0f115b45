//! Casts against those of a program that is compiled for this machine.

use super::cast;
use crate::code::ins::Type;
use crate::code::ins::Unary::{self, *};
use crate::code::sets::sample::{CORNERS, Random, bits, has_cc};
use std::process::Command;

/// The integer types of C, and the conversions that stand for a cast of a double and of a float, of which the low bits
/// are the result.
const TYPES: [(&str, u32, Unary, Unary); 10] = [
    ("signed char", 8, I32TruncSatF64S, I32TruncSatF32S),
    ("unsigned char", 8, I32TruncSatF64S, I32TruncSatF32S),
    ("short", 16, I32TruncSatF64S, I32TruncSatF32S),
    ("unsigned short", 16, I32TruncSatF64S, I32TruncSatF32S),
    ("int", 32, I32TruncSatF64S, I32TruncSatF32S),
    ("unsigned", 32, I32TruncSatF64U, I32TruncSatF32U),
    ("long", 64, I64TruncSatF64S, I64TruncSatF32S),
    ("unsigned long", 64, I64TruncSatF64U, I64TruncSatF32U),
    ("long long", 64, I64TruncSatF64S, I64TruncSatF32S),
    ("unsigned long long", 64, I64TruncSatF64U, I64TruncSatF32U),
];

#[test]
fn casts_are_those_of_a_native_program() {
    if !has_cc() {
        return;
    }
    let mut random = Random(8);
    let mut numbers: Vec<f64> = CORNERS.iter().flat_map(|x| [*x, -x]).collect();
    numbers.extend((0..66).flat_map(|n| [-1.0, -0.5, 0.0, 0.5, 1.0].map(|d| 2f64.powi(n) + d)));
    numbers.extend(numbers.clone().iter().flat_map(|x| [-x, x.next_up(), x.next_down()]));
    numbers.push(f64::NAN);
    numbers.extend((0..2_000).map(|_| f64::from_bits(bits(Type::F64, &mut random))));
    let mut text = "#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\nint main(void) {\n    uint64_t r[20];\n    \
                    volatile double x;\n    double y;\n    while (fread(&y, 8, 1, stdin) == 1) {\n        x = y;\n        \
                    volatile float z = (float)x;\n"
        .to_owned();
    for (i, (name, ..)) in TYPES.iter().enumerate() {
        text +=
            &format!("        r[{}] = (uint64_t)({name})x;\n        r[{}] = (uint64_t)({name})z;\n", 2 * i, 2 * i + 1);
    }
    text += "        fwrite(r, 8, 20, stdout);\n    }\n    return 0;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let (source, program, input) = (folder.path().join("c.c"), folder.path().join("c"), folder.path().join("inputs"));
    std::fs::write(&source, text).unwrap();
    std::fs::write(&input, numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>()).unwrap();
    let built = Command::new("cc").arg("-O0").arg(&source).arg("-o").arg(&program).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&program).stdin(std::fs::File::open(&input).unwrap()).output().unwrap();
    let words: Vec<u64> = output.stdout.chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(words.len(), 20 * numbers.len());
    let mut different = Vec::new();
    for (x, native) in numbers.iter().zip(words.chunks_exact(20)) {
        for (i, (name, width, double, single)) in TYPES.iter().enumerate() {
            let mask = u64::MAX >> (64 - width);
            let own = [cast(*double, x.to_bits()), cast(*single, u64::from((*x as f32).to_bits()))];
            for (from, (own, native)) in ["double", "float"].iter().zip(own.into_iter().zip(&native[2 * i..])) {
                if own & mask != native & mask {
                    different.push(format!("{from} {x:e} to {name}: {:#x}, natively {:#x}", own & mask, native & mask));
                }
            }
        }
    }
    assert!(different.is_empty(), "{} of them: {:#?}", different.len(), &different[..different.len().min(20)]);
}
