//! A file of C, C++ or Fortran compiled to a shared library in a temporary folder.

use super::compiler::{Refusal, run};
use crate::tool::{Scratch, ToolError};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A compiled source file; the folder is removed with it.
pub struct CompiledLibrary {
    /// The library.
    pub path: PathBuf,
    /// The folder that it is in.
    pub folder: Scratch,
}

/// What a source is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompiledLanguage {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Fortran.
    Fortran,
}

impl CompiledLanguage {
    /// C++ or Fortran by a name that compilers know, else C.
    #[must_use]
    pub fn of(source: &Path) -> Self {
        match source.extension().and_then(|e| e.to_str()).unwrap_or_default() {
            "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "hh" | "hpp" | "hxx" | "H" => CompiledLanguage::Cpp,
            e if FORTRAN.contains(&e.to_lowercase().as_str()) => CompiledLanguage::Fortran,
            _ => CompiledLanguage::C,
        }
    }

    /// The variable with the compiler, its default, and the variable with options.
    fn tools(self) -> (&'static str, &'static str, &'static str) {
        match self {
            CompiledLanguage::C => ("CC", "cc", "CFLAGS"),
            CompiledLanguage::Cpp => ("CXX", "c++", "CXXFLAGS"),
            CompiledLanguage::Fortran => ("FC", "gfortran", "FFLAGS"),
        }
    }

    /// What helps where there is no compiler, with what stands before it.
    #[must_use]
    pub fn hint(self) -> String {
        let (variable, default, _) = self.tools();
        format!("; install {default}, or name a compiler by ${variable}")
    }
}

/// The extensions of Fortran's files, small.
pub const FORTRAN: [&str; 7] = ["f90", "f95", "f03", "f08", "f", "for", "ftn"];

/// How a source file is compiled to a library.
pub struct Recipe {
    language: CompiledLanguage,
    cc: Vec<String>,
    flags: Vec<String>,
    libraries: Vec<String>,
}

/// Why there is no library.
pub enum LibraryError {
    /// No temporary folder can be made.
    Folder(io::Error),
    /// The compiler gives no answer.
    Tool(ToolError),
    /// The compiler refuses the source; with what it said.
    Refused(String),
}

/// What makes a library of a source. The debug information is for [`super::prototype`]; it changes no code.
const MADE: [&str; 4] = ["-shared", "-fPIC", "-g", "-o"];

impl Recipe {
    /// By `$CC` (default `cc`) and `$CFLAGS`, of C++ `$CXX` (`c++`) and `$CXXFLAGS`, of Fortran `$FC` (`gfortran`) and
    /// `$FFLAGS`, linked with `$LDLIBS`; each may be several words.
    #[must_use]
    pub fn of_environment(language: CompiledLanguage) -> Self {
        let variable = |name: &str| std::env::var(name).ok().filter(|v| !v.trim().is_empty());
        let words = |name: &str, default: &str| -> Vec<String> {
            variable(name).unwrap_or_else(|| default.to_owned()).split_whitespace().map(str::to_owned).collect()
        };
        let mut libraries = words("LDLIBS", "");
        libraries.push("-lm".to_owned());
        let (compiler, default, options) = language.tools();
        Recipe { language, cc: words(compiler, default), flags: words(options, ""), libraries }
    }

    /// The same without optimisation, where the debug information says how arguments are passed only then.
    #[must_use]
    pub fn plain(&self) -> Option<Self> {
        let flags = self.flags.iter().cloned().chain(["-O0".to_owned()]).collect();
        let is_needed = self.language == CompiledLanguage::Fortran;
        is_needed.then(|| Recipe { flags, cc: self.cc.clone(), libraries: self.libraries.clone(), ..*self })
    }

    /// The compiler's name.
    #[must_use]
    pub fn compiler(&self) -> &str {
        &self.cc[0]
    }

    /// The command line, for a person.
    #[must_use]
    pub fn line(&self, source: &Path) -> String {
        let made =
            MADE.map(str::to_owned).into_iter().chain(["implementation.so".to_owned(), source.display().to_string()]);
        let all = self.cc.iter().chain(&self.flags).cloned().chain(made).chain(self.libraries.iter().cloned());
        all.collect::<Vec<_>>().join(" ")
    }

    /// The first line that the compiler says of itself; empty where it says nothing.
    #[must_use]
    pub fn version(&self) -> String {
        let answer = run(Command::new(self.compiler()).args(&self.cc[1..]).arg("--version"), "");
        answer.map(|a| a.output.lines().next().unwrap_or_default().to_owned()).unwrap_or_default()
    }

    /// Compiles a source file.
    ///
    /// # Errors
    /// See [`LibraryError`].
    pub fn compile(&self, source: &Path) -> Result<CompiledLibrary, LibraryError> {
        let folder = Scratch::make().map_err(|(_, e)| LibraryError::Folder(e))?;
        let path = folder.path().join("implementation.so");
        let mut command = Command::new(self.compiler());
        command.args(&self.cc[1..]).args(&self.flags);
        if self.language == CompiledLanguage::Fortran {
            // Files of modules are written beside the library, and not into the current folder.
            command.arg("-J").arg(folder.path());
        }
        command.args(MADE).arg(&path).arg(source).args(&self.libraries);
        match run(&command, "") {
            Ok(_) => Ok(CompiledLibrary { path, folder }),
            Err(Refusal::Tool(e)) => Err(LibraryError::Tool(e)),
            Err(Refusal::Refused(said)) => Err(LibraryError::Refused(said)),
        }
    }
}
