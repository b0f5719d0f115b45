//! Values for inputs that the code itself names.

use crate::code::ins::{CodeConst, Ins};
use crate::code::module::Module;
use crate::code::program::CodeProgram;
use crate::floats::BitsKind;
use crate::search::values::{Pool, special};

/// For inputs of a program of these kinds, what is special for their kinds, and constants and texts of the code.
#[must_use]
pub fn pool(program: &CodeProgram, kinds: &[BitsKind]) -> Pool {
    let constants = |k: &BitsKind| constants(&program.module, &program.reached(), *k);
    let texts = program.module.texts(program.reached());
    let written = |inputs: &Vec<usize>| -> Vec<Vec<(usize, u64)>> {
        let ended = |text: &&[u8]| text.iter().chain([&0]).map(|byte| u64::from(*byte)).collect::<Vec<_>>();
        texts.iter().map(|text| inputs.iter().copied().zip(ended(text)).collect()).collect()
    };
    Pool {
        values: kinds.iter().map(|k| [special(*k), constants(k)].concat()).collect(),
        texts: program.byte_arrays().iter().flat_map(written).collect(),
    }
}

/// The constants that functions of a module compare and compute with, as values of a kind: numbers as they are, and
/// integers also as the upper part of a float, as code that looks at bits has them.
#[must_use]
pub fn constants(module: &Module, functions: &[u32], kind: BitsKind) -> Vec<u64> {
    let mut all = Vec::new();
    for f in functions {
        for ins in &module.functions[*f as usize].code {
            let Ins::Const(c) = ins else { continue };
            match (kind, *c) {
                (BitsKind::F64, CodeConst::F64(bits)) => all.push(bits),
                (BitsKind::F64, CodeConst::F32(bits)) => all.push(f64::from(f32::from_bits(bits)).to_bits()),
                (BitsKind::F64, CodeConst::I64(n)) => all.extend([n as u64, (n as f64).to_bits()]),
                (BitsKind::F64, CodeConst::I32(n)) => all.extend([u64::from(n as u32) << 32, f64::from(n).to_bits()]),
                (BitsKind::F32, CodeConst::F32(bits)) => all.push(bits.into()),
                (BitsKind::F32, CodeConst::F64(bits)) => all.push((f64::from_bits(bits) as f32).to_bits().into()),
                (BitsKind::F32, CodeConst::I32(n)) => all.extend([u64::from(n as u32), (n as f32).to_bits().into()]),
                (BitsKind::Int { .. }, CodeConst::I32(n)) => all.push(kind.masked(n as u64)),
                (BitsKind::Int { .. }, CodeConst::I64(n)) => all.push(kind.masked(n as u64)),
                _ => {}
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}
