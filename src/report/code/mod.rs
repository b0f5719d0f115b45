//! Tests as source code: a test asserts lo <= y && y <= hi with constants that are exact, and says what it is for.
//!
//! Inputs outside the domain are kept apart, since how a function refuses an input differs from program to program: they
//! are skipped unless the reader of the code asks for them.

mod ada;
mod c;
mod cases;
mod coq;
mod gappa;
mod matlab;
mod names;
mod program;
mod python;
mod reserved;
mod rust;
#[cfg(test)]
mod tests;

use crate::unfit::Unfit;
pub use cases::{CodeArgument, CodeCase, CodeCases, Duty, read};
pub use program::{name as program_name, program, programs};
use std::collections::BTreeMap;

/// What tests can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeTarget {
    /// C99 with a `main` of its own.
    C,
    /// C with Unity.
    Unity,
    /// C with Check.
    Check,
    /// C with CMocka.
    Cmocka,
    /// C++ with GoogleTest.
    Gtest,
    /// C++ with Catch2.
    Catch2,
    /// Rust `#[test]`.
    Rust,
    /// Python with pytest.
    Pytest,
    /// MATLAB's function-based tests.
    Matlab,
    /// Ada with a main procedure of its own.
    Ada,
    /// Theorems of Coq.
    Coq,
    /// Scripts of Gappa.
    Gappa,
    /// `tests.csv` as it is.
    Csv,
    /// `tests.json` as it is.
    Json,
}

impl CodeTarget {
    /// Every target.
    pub const ALL: [CodeTarget; 14] = [
        CodeTarget::C,
        CodeTarget::Unity,
        CodeTarget::Check,
        CodeTarget::Cmocka,
        CodeTarget::Gtest,
        CodeTarget::Catch2,
        CodeTarget::Rust,
        CodeTarget::Pytest,
        CodeTarget::Matlab,
        CodeTarget::Ada,
        CodeTarget::Coq,
        CodeTarget::Gappa,
        CodeTarget::Csv,
        CodeTarget::Json,
    ];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CodeTarget::C => "c",
            CodeTarget::Unity => "unity",
            CodeTarget::Check => "check",
            CodeTarget::Cmocka => "cmocka",
            CodeTarget::Gtest => "gtest",
            CodeTarget::Catch2 => "catch2",
            CodeTarget::Rust => "rust",
            CodeTarget::Pytest => "pytest",
            CodeTarget::Matlab => "matlab",
            CodeTarget::Ada => "ada",
            CodeTarget::Coq => "coq",
            CodeTarget::Gappa => "gappa",
            CodeTarget::Csv => "csv",
            CodeTarget::Json => "json",
        }
    }
}

pub use crate::record::store::MARK;

/// What a target cannot express: reasons with the ids of the tests and mutants.
#[must_use]
pub fn left_out(cases: &CodeCases, target: CodeTarget) -> BTreeMap<String, Vec<String>> {
    match target {
        CodeTarget::Coq => coq::script(cases).map(|script| script.left_out).unwrap_or_default(),
        CodeTarget::Gappa => gappa::scripts(cases).map(|scripts| scripts.left_out).unwrap_or_default(),
        _ => BTreeMap::new(),
    }
}

/// The files of a target: names and contents. `function` is what is called; by default the name of the specification as
/// an identifier.
///
/// # Errors
/// The function is no name that the language could have.
pub fn files(cases: &CodeCases, target: CodeTarget, function: Option<&str>) -> Result<Vec<(String, String)>, Unfit> {
    let named = |wanted: fn(&str) -> bool, example: &str| match function {
        Some(f) if wanted(f) => Ok(f.to_owned()),
        Some(f) => Err(format!("--function {f}: expected a name such as `{example}`")),
        None => Ok(cases.function.clone()),
    };
    Ok(match target {
        CodeTarget::C
        | CodeTarget::Unity
        | CodeTarget::Check
        | CodeTarget::Cmocka
        | CodeTarget::Gtest
        | CodeTarget::Catch2 => c::files(cases, target, &named(|f| names::is_path(f, ""), "my_function")?),
        CodeTarget::Rust => rust::files(cases, &named(|f| names::is_path(f, "::"), "crate::my_function")?),
        CodeTarget::Pytest => {
            let given = named(|f| names::is_path(&f.replacen(':', ".", 1), "."), "module:function")?;
            let (module, function) = given.split_once(':').unwrap_or((&cases.function, &given));
            python::files(cases, module, function)
        }
        CodeTarget::Matlab => matlab::files(cases, &named(|f| names::is_path(f, "."), "my_function")?),
        CodeTarget::Ada => ada::files(cases, &named(|f| names::is_path(f, "."), "My_Package.My_Function")?),
        CodeTarget::Coq => vec![(format!("{}.v", cases.ident), coq::script(cases)?.text)],
        CodeTarget::Gappa => gappa::scripts(cases)?.files,
        CodeTarget::Csv => vec![(format!("{}.csv", cases.ident), cases.csv.clone())],
        CodeTarget::Json => vec![(format!("{}.json", cases.ident), cases.json.clone())],
    })
}
