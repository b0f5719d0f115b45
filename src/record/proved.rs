//! What a program that shares nothing with this one needs to look at a proof about code again: the module, and where in it
//! a branch stands.

use super::manifest::hash;
use crate::code::program::{BranchGoal, CodeProgram};
use crate::floats::BitsKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The file of the module.
pub const MODULE_FILE: &str = "code.wasm";

/// The WebAssembly module that proofs are about. Its function takes the inputs as its parameters, all numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProvedModule {
    /// The file beside this document.
    pub file: String,
    /// SHA-256 of it.
    pub sha256: String,
    /// The function among those that the module defines, from 0.
    pub function: u32,
    /// What each input is: `f32`, `f64`, `bool`, `i8` to `i64`, `u8` to `u64`.
    pub inputs: Vec<String>,
}

impl ProvedModule {
    /// That of a program whose parameters are its inputs, and before which nothing is called; none of another.
    #[must_use]
    pub fn of(program: &CodeProgram) -> Option<Self> {
        let kind = |kind: BitsKind| match kind {
            BitsKind::F32 => "f32".to_owned(),
            BitsKind::F64 => "f64".to_owned(),
            BitsKind::Bool => "bool".to_owned(),
            BitsKind::Int { bytes, signed } => format!("{}{}", if signed { 'i' } else { 'u' }, 8 * bytes),
        };
        (program.takes_numbers_alone() && program.module.before.is_none()).then(|| ProvedModule {
            file: MODULE_FILE.to_owned(),
            sha256: hash(&program.module.bytes),
            function: program.entry,
            inputs: program.inputs.iter().map(|input| kind(input.kind)).collect(),
        })
    }
}

/// A branch in a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BranchCode {
    /// The function among those that the module defines, from 0.
    pub function: u32,
    /// The offset in the code section of the `if`, `br_if`, `select` or `br_table`. Unit: bytes.
    pub offset: u32,
    /// Of a `br_table` the arm, the default the last; else 1 where a condition other than 0 takes the branch, and 0 where 0 does.
    pub value: u32,
}

impl BranchCode {
    /// That of a branch; none where an operation is asked for something.
    #[must_use]
    pub fn of(program: &CodeProgram, goal: BranchGoal) -> Option<Self> {
        let site = &program.module.sites[goal.site as usize];
        let offset = *program.module.functions[site.function as usize].offsets.get(site.pc as usize)?;
        let value = if site.ways == 2 { u32::from(goal.way == site.when) } else { goal.way };
        site.probe.is_none().then_some(BranchCode { function: site.function, offset, value })
    }
}
