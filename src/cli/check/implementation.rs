//! What says on a command line what an implementation is.

use crate::cli::exit::{Exit, Failure};
use crate::cli::specs::Loaded;
use clap::Args;
use magneto::cc::library::{CompiledLanguage, FORTRAN};
use magneto::harness::{ClaimedCall, HarnessFault, NotReady, UnderTest};
use magneto::options::ImplementationEntry;
use magneto::report::check::text;
use magneto::spec::beside;
use magneto::unfit::Unfit;
use std::path::{Path, PathBuf};

/// What the implementation is: one of a group.
#[derive(Args, Default)]
#[group(skip)]
pub(in crate::cli) struct Implementation {
    /// A command for the shell, which reads inputs and writes results
    #[arg(long, value_name = "CMD", allow_hyphen_values = true, group = GROUP)]
    pub(super) exec: Option<String>,
    /// A shared library
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, group = GROUP, requires = "symbol")]
    pub(super) lib: Option<String>,
    /// The function of --lib
    #[arg(long, value_name = "NAME", allow_hyphen_values = true, requires = "lib")]
    pub(super) symbol: Option<String>,
    /// A C or C++ source file, to be compiled
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, group = GROUP, requires = "function")]
    pub(super) c_source: Option<String>,
    /// A Fortran source file, to be compiled
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, group = GROUP, requires = "function")]
    pub(super) fortran_source: Option<String>,
    /// A file of Octave: that of a function, or a script that defines it
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, group = GROUP)]
    pub(super) octave: Option<String>,
    /// The function of --c-source, --fortran-source or --octave. Default: of --octave that with the name of the file
    #[arg(long = "fn", value_name = "NAME", allow_hyphen_values = true)]
    pub(super) function: Option<String>,
    /// The signature of the function, such as f64-array, or its declaration in C. Default: what the library's debug information says, else f32 if all formats are, else
    /// f64
    #[arg(long, value_name = "HOW", allow_hyphen_values = true, conflicts_with_all = ["exec", "python", "octave"])]
    pub(super) signature: Option<String>,
    /// A Python function; the module's name, or a file that ends in .py
    #[arg(long, value_name = "MODULE:FUNCTION", allow_hyphen_values = true, group = GROUP)]
    pub(super) python: Option<String>,
}

/// The options of which one says what the implementation is.
pub(in crate::cli) const GROUP: &str = "implementation";

/// That what is said of an implementation's signature fits a specification.
pub(in crate::cli) fn fits(target: Option<&UnderTest>, loaded: &Loaded) -> Result<(), Failure> {
    let Some(
        UnderTest::Lib { signature: Some(ClaimedCall::Form(s)), .. }
        | UnderTest::CSource { signature: Some(ClaimedCall::Form(s)), .. }
        | UnderTest::FortranSource { signature: Some(ClaimedCall::Form(s)), .. },
    ) = target
    else {
        return Ok(());
    };
    let spec = &loaded.spec;
    s.for_result(spec.result)
        .and_then(|s| s.fits(spec))
        .map_err(|e| Failure::usage_hint(e, "or choose another --signature"))
}

impl Implementation {
    /// The same as an entry of a magneto.toml in the current folder, for any specification, with its tests if they are given.
    pub(in crate::cli) fn entry(&self, tests: Option<&Path>) -> ImplementationEntry {
        let tests = tests.map(|path| path.to_string_lossy().into_owned());
        let said = [
            ("tests", &tests),
            ("exec", &self.exec),
            ("lib", &self.lib),
            ("symbol", &self.symbol),
            ("c-source", &self.c_source),
            ("fortran-source", &self.fortran_source),
            ("octave", &self.octave),
            ("fn", &self.function),
            ("signature", &self.signature),
            ("python", &self.python),
        ];
        let values = said.into_iter().filter_map(|(key, value)| Some((key, value.clone()?))).collect();
        ImplementationEntry::of_any(PathBuf::new(), values)
    }

    /// The implementation; none for results from elsewhere.
    pub(in crate::cli) fn target(&self) -> Result<Option<UnderTest>, Failure> {
        let named = |name: &Option<String>| name.clone().unwrap_or_default();
        if self.function.is_some() && self.c_source.is_none() && self.fortran_source.is_none() && self.octave.is_none()
        {
            let hint = "--lib has --symbol, and --python MODULE:FUNCTION";
            return Err(Failure::usage_hint("--fn is for --c-source, --fortran-source or --octave", hint));
        }
        let signature = self.signature.as_ref().map(|s| s.parse::<ClaimedCall>()).transpose();
        let signature = signature.map_err(|e| Failure::usage(format!("--signature: {e}")))?;
        if let Some(command) = &self.exec {
            return Ok(Some(UnderTest::Exec(command.clone())));
        }
        if let Some(library) = &self.lib {
            // A bare name may be one that the loader finds elsewhere.
            let library =
                if library.contains('/') { there("lib", library, &["so", "dylib"])? } else { PathBuf::from(library) };
            return Ok(Some(UnderTest::Lib { library, symbol: named(&self.symbol), signature }));
        }
        if let Some(source) = &self.c_source {
            let source = there("c-source", source, &["c", "cpp", "cc"])?;
            if CompiledLanguage::of(&source) == CompiledLanguage::Fortran {
                let hint = format!("write --fortran-source {}", source.display());
                return Err(Failure::usage_hint("--c-source is for C and C++", hint));
            }
            return Ok(Some(UnderTest::CSource { source, function: named(&self.function), signature }));
        }
        if let Some(source) = &self.fortran_source {
            let source = there("fortran-source", source, &FORTRAN)?;
            return Ok(Some(UnderTest::FortranSource { source, function: named(&self.function), signature }));
        }
        if let Some(source) = &self.octave {
            let source = there("octave", source, &["m"])?;
            let stem = || source.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
            let function = self.function.clone().unwrap_or_else(stem);
            return Ok(Some(UnderTest::Octave { source, function }));
        }
        let Some(python) = &self.python else { return Ok(None) };
        let Some((module, function)) = python.rsplit_once(':').filter(|(m, f)| !m.is_empty() && !f.is_empty()) else {
            return Err(Failure::usage_hint(
                format!("--python {python}: expected MODULE:FUNCTION"),
                "for instance --python airflow:mass_flow, or --python src/airflow.py:mass_flow",
            ));
        };
        if module.ends_with(".py") {
            there("python", module, &["py"])?;
        }
        Ok(Some(UnderTest::Python { module: module.to_owned(), function: function.to_owned() }))
    }
}

/// The file that a flag names, if it is there; a file of these `kinds` is meant.
fn there(flag: &str, path: &str, kinds: &[&str]) -> Result<PathBuf, Failure> {
    let path = Path::new(path);
    if path.is_file() {
        return Ok(path.to_owned());
    }
    let shown = path.display();
    if path.exists() {
        let kind = if path.is_dir() { "a folder" } else { "no regular file" };
        return Err(Failure::usage(format!("--{flag}: {shown} is {kind}")));
    }
    Err(Failure::usage_hint(format!("--{flag}: there is no file {shown}"), beside(path, kinds)))
}

/// That an implementation cannot be run, as a failure.
pub(in crate::cli) fn not_ready(not: NotReady) -> Failure {
    match not {
        NotReady::Misnamed(Unfit { message, hint: Some(hint) }) => Failure::usage_hint(message, hint),
        NotReady::Misnamed(Unfit { message, hint: None }) => Failure::usage(message),
        NotReady::Broken(fault) => broke(&fault),
    }
}

/// That the harness broke, as a failure.
pub(in crate::cli) fn broke(b: &HarnessFault) -> Failure {
    let text = text::broken(b);
    Failure {
        exit: Exit::Harness,
        messages: vec![format!("error: {}", text.trim_start_matches("the harness broke: "))],
    }
}
