//! A function of a source file that a compiler makes a library of: C, C++ and Fortran.

use super::{
    Foundation, FunctionOption, ImplementationKind, NotReady, Preparation, StartedBy, UnderTest, require_file,
};
use crate::cc::library::{CompiledLanguage, FORTRAN as FORTRAN_EXTENSIONS};
use crate::harness::foundation::of_library;
use crate::harness::prepare::CompiledSource;
use crate::unfit::Unfit;
use std::ffi::OsString;

/// A source file of some languages.
#[derive(Debug)]
pub(super) struct SourceKind {
    key: &'static str,
    help: &'static str,
    notes: &'static str,
    extensions: &'static [&'static str],
    /// Whether a file is compiled as Fortran, whatever its name is.
    is_fortran: bool,
}

pub(super) static C: SourceKind = SourceKind {
    key: "c-source",
    help: "A C or C++ source file, to be compiled",
    notes: "--c-source compiles C with $CC (cc) and $CFLAGS and C++, by the name of the file, with $CXX (c++) and $CXXFLAGS, links \
            with $LDLIBS, and calls a function as --lib does. A function of C++ has its namespaces before it and the arguments of \
            its template behind it, where these tell it from others, or the types of its parameters in brackets.",
    extensions: &["c", "cpp", "cc"],
    is_fortran: false,
};

pub(super) static FORTRAN: SourceKind = SourceKind {
    key: "fortran-source",
    help: "A Fortran source file, to be compiled",
    notes: "--fortran-source compiles with $FC (gfortran) and $FFLAGS, links with $LDLIBS, and calls a function as --lib does. A \
            function of a module may have that and :: before it.",
    extensions: &FORTRAN_EXTENSIONS,
    is_fortran: true,
};

impl ImplementationKind for SourceKind {
    fn key(&self) -> &'static str {
        self.key
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn notes(&self) -> &'static str {
        self.notes
    }

    fn function_option(&self) -> Option<FunctionOption> {
        Some(FunctionOption { name: "fn", is_required: true })
    }

    fn takes_signature(&self) -> bool {
        true
    }

    fn settle_name(&self, option: &str, target: &mut UnderTest) -> Result<(), Unfit> {
        require_file(option, target.path(), self.extensions)?;
        if !self.is_fortran && CompiledLanguage::of(target.path()) == CompiledLanguage::Fortran {
            let hint = format!("write --{} {}", FORTRAN.key, target.path().display());
            return Err(Unfit { message: format!("--{} is for C and C++", self.key), hint: Some(hint) });
        }
        Ok(())
    }

    fn prepare(&self, target: &UnderTest, preparation: &mut Preparation<'_>) -> Result<StartedBy, NotReady> {
        target.record_source(&mut preparation.record);
        let language = if self.is_fortran { CompiledLanguage::Fortran } else { CompiledLanguage::of(target.path()) };
        let compiled = CompiledSource::new(target.path(), language, &mut preparation.record)?;
        let call = compiled.call(&target.function, target.signature.as_ref(), preparation.spec);
        let command = call.command(preparation)?;
        preparation.folders.push(compiled.folder());
        Ok(command.into())
    }

    fn foundation(&self, command: &[OsString]) -> Foundation {
        of_library(command, true)
    }
}
