//! A condition on inputs and result of a function as code: a function that takes the same inputs, calls it, and has one place
//! that is reached where the condition holds.

use super::compile::{CompileError, compile, compile_with};
use super::ins::Ins;
use super::program::{BranchGoal, CodeProgram};
use crate::cc::compiler::real;
use crate::cc::{Flags, SourceFunction, SourceType};
use std::fmt;
use std::path::{Path, PathBuf};

/// The name of the function.
pub const GOAL: &str = "magneto_goal";

/// Why there is no such function.
#[derive(Debug)]
pub enum GoalError {
    /// The types of the function are not known, or not those of numbers; or the file that has it is not.
    NoSource,
    /// The compiler refuses it; with what it said.
    Compile(CompileError),
}

impl fmt::Display for GoalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoalError::NoSource => {
                write!(
                    f,
                    "a condition is compiled with the function, which needs its source\n  hint: name C files, not a module"
                )
            }
            GoalError::Compile(e) => write!(f, "the condition, compiled with the function: {e}"),
        }
    }
}

impl std::error::Error for GoalError {}

fn spelled(ty: &SourceType) -> Option<String> {
    Some(match ty {
        SourceType::Float(4) => "float".to_owned(),
        SourceType::Float(_) => "double".to_owned(),
        SourceType::Int { bytes, signed } => {
            let sign = if *signed { "signed" } else { "unsigned" };
            let length = match bytes {
                1 => "char",
                2 => "short",
                4 => "int",
                _ => "long long",
            };
            format!("{sign} {length}")
        }
        SourceType::Pointer(to, is_const) => format!("{}{} *", if *is_const { "const " } else { "" }, spelled(to)?),
        SourceType::Bool => "MAGNETO_BOOL".to_owned(),
        SourceType::Void => "void".to_owned(),
        SourceType::Array(..) | SourceType::Other(_) => return None,
    })
}

/// The text of the function.
fn text(function: &SourceFunction, file: &Path, condition: &str) -> Option<String> {
    let parameters: Option<Vec<String>> =
        function.parameters.iter().map(|(name, ty)| Some(format!("{} {name}", spelled(ty)?))).collect();
    let names: Vec<&str> = function.parameters.iter().map(|(name, _)| name.as_str()).collect();
    let call = format!("{}({})", function.name, names.join(", "));
    let (result, call, back) = match &function.result {
        SourceType::Void => ("void".to_owned(), call, ""),
        ty => (spelled(ty)?, format!("{} result = {call}", spelled(ty)?), "    return result;\n"),
    };
    let parameters = parameters?.join(", ");
    let parameters = if parameters.is_empty() { "void" } else { &parameters };
    // The condition has lines of its own, so that the compiler's messages are about what was written.
    Some(format!(
        "{}#include \"{}\"\nvoid {REACHED}(void) {{}}\n{result} {GOAL}({parameters}) {{\n    {call};\n    if (\n#line 1 \"the \
         condition\"\n{condition}\n#line 1 \"{GOAL}\"\n    )\n        {REACHED}();\n{back}}}\n",
        super::kind::BOOL,
        file.display()
    ))
}

/// What it calls where the condition holds.
const REACHED: &str = "magneto_reached";

/// The module of sources with that function besides.
///
/// # Errors
/// See [`GoalError`].
pub fn compile_goal(
    program: &CodeProgram,
    sources: &[PathBuf],
    flags: &Flags,
    condition: &str,
) -> Result<Vec<u8>, GoalError> {
    let function = program.source.as_ref().ok_or(GoalError::NoSource)?;
    let place = program.begins().ok_or(GoalError::NoSource)?;
    let file = real(Path::new(&place.file));
    let at = sources.iter().position(|s| real(s) == file).ok_or(GoalError::NoSource)?;
    let text = text(function, &file, condition).ok_or(GoalError::NoSource)?;
    compile_with(sources, flags, Some((at, &text))).map(|c| c.bytes).map_err(|e| {
        // What is wrong with the sources themselves was said before there was a condition.
        GoalError::Compile(compile(sources, flags).err().unwrap_or(e))
    })
}

/// The branches that lead to where the condition holds, in a program whose function is that one.
#[must_use]
pub fn holds(program: &CodeProgram) -> Vec<BranchGoal> {
    let Some(reached) = program.module.functions.iter().position(|f| f.name.starts_with(REACHED)) else {
        return Vec::new();
    };
    let calls = |goal: &BranchGoal| {
        let (function, from) = program.goes_on(*goal);
        let ends =
            |i: &&Ins| matches!(i, Ins::Branch { .. } | Ins::Table { .. } | Ins::Jump(_) | Ins::Return | Ins::Call(_));
        function.code[from..].iter().find(ends) == Some(&Ins::Call(reached as u32))
    };
    let sites = program.sites(&[program.entry]).into_iter();
    let ways = sites
        .flat_map(|(site, _)| (0..program.module.sites[site as usize].ways).map(move |way| BranchGoal { site, way }));
    ways.filter(calls).collect()
}
