//! A condition on inputs and result of a function as code: a function that takes the same inputs, calls it, and has one place
//! that is reached where the condition holds.

use super::callers::spelled;
use super::compile::{CompileError, Compiled, compile_alone};
use super::ins::Ins;
use super::program::{BranchGoal, CodeProgram};
use crate::cc::Flags;
use crate::cc::compiler::real;
use crate::cc::shape::{FunctionShape, ShapeParameter, TypeShape};
use crate::tool::Scratch;
use std::fmt;
use std::path::{Path, PathBuf};

/// The name of the function.
pub const GOAL: &str = "magneto_goal";

/// Why there is no such function.
#[derive(Debug)]
pub enum GoalError {
    /// The file that has the function is not known.
    NoSource,
    /// A type of the function has no name that could be written.
    Unspelled {
        /// The function.
        function: String,
        /// What has that type.
        what: String,
    },
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
            GoalError::Unspelled { function, what } => {
                write!(f, "no condition can be put on `{function}`: {what} that cannot be written by its name")
            }
            GoalError::Compile(e) => write!(f, "the condition, compiled with the function: {e}"),
        }
    }
}

impl std::error::Error for GoalError {}

/// The text of the function.
fn text(shape: &FunctionShape, file: &Path, condition: &str) -> Result<String, GoalError> {
    let unspelled = |what: String| GoalError::Unspelled { function: shape.name.clone(), what };
    let spelled_parameter = |shape: &TypeShape| match shape {
        TypeShape::Pointer(to) if to.is_reference => {
            let mark = if to.is_const { "const " } else { "" };
            Some(format!("{mark}{} &", spelled(&to.to)?))
        }
        other => spelled(other),
    };
    let parameter = |p: &ShapeParameter| match spelled_parameter(&p.shape) {
        Some(ty) => Ok(format!("{ty} {}", p.name)),
        None => Err(unspelled(format!("the parameter `{}` has a type", p.name))),
    };
    let parameters = shape.parameters.iter().map(parameter).collect::<Result<Vec<String>, _>>()?;
    let names: Vec<&str> = shape.parameters.iter().map(|p| p.name.as_str()).collect();
    let call = format!("{}({})", shape.name, names.join(", "));
    let result = spelled(&shape.result).ok_or_else(|| unspelled("the result has a type".to_owned()))?;
    let (call, back) = match &shape.result {
        TypeShape::Void => (call, ""),
        _ => (format!("{result} result = {call}"), "    return result;\n"),
    };
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    // The condition has lines of its own, so that the compiler's messages are about what was written.
    Ok(format!(
        "{}#include \"{}\"\nvoid {REACHED}(void) {{}}\n{result} {GOAL}({parameters}) {{\n    {call};\n    if (\n#line 1 \"the \
         condition\"\n{condition}\n#line 1 \"{GOAL}\"\n    )\n        {REACHED}();\n{back}}}\n",
        super::kind::BOOL,
        file.display()
    ))
}

/// What it calls where the condition holds.
const REACHED: &str = "magneto_reached";

/// Sources compiled with that function besides.
pub struct CompiledGoal {
    /// What the compiler made of them.
    pub compiled: Compiled,
    /// Where the text of the function stands, as long as a native program may be made of it.
    pub folder: Scratch,
}

/// Compiles sources with that function besides.
///
/// # Errors
/// See [`GoalError`].
pub fn compile_goal(
    program: &CodeProgram,
    sources: &[PathBuf],
    flags: &Flags,
    condition: &str,
) -> Result<CompiledGoal, GoalError> {
    let file = real(program.source_file().ok_or(GoalError::NoSource)?);
    let at = sources.iter().position(|s| real(s) == file).ok_or(GoalError::NoSource)?;
    let text = text(&program.shape, &file, condition)?;
    let failed = |path: PathBuf, e| GoalError::Compile(CompileError::Io(path, e));
    let folder = Scratch::make().map_err(|(path, e)| failed(path, e))?;
    let goal = folder.path().join("goal").with_extension(sources[at].extension().unwrap_or_default());
    std::fs::write(&goal, text).map_err(|e| failed(goal.clone(), e))?;
    // The function's file includes the one that it is about.
    let mut all = sources.to_vec();
    all[at].clone_from(&goal);
    let compiled = compile_alone(&all, flags).map_err(|e| {
        // What is wrong with the sources themselves was said before there was a condition.
        GoalError::Compile(compile_alone(sources, flags).err().unwrap_or(match e {
            // Nobody wrote that file.
            CompileError::Refused(said) => CompileError::Refused(said.replace(&*goal.to_string_lossy(), GOAL)),
            other => other,
        }))
    })?;
    Ok(CompiledGoal { compiled, folder })
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
