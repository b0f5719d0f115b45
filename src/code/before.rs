//! A function that is called before each run of the one under test: it opens what that one needs, or turns an error handler off.

use super::input::EntryError;
use super::machine::Trap;
use super::module::Module;
use super::program::entry::find;
use super::run::{Blind, Runner};
use std::fmt;
use std::path::PathBuf;

/// Why a function cannot be called before each run.
#[derive(Debug)]
pub enum BeforeError {
    /// It is not found.
    Function(EntryError),
    /// It takes arguments.
    Parameters,
    /// It sets another rounding mode.
    Rounding,
    /// It does not return; with why.
    Ended(Trap),
}

impl fmt::Display for BeforeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BeforeError::Function(e) => write!(f, "{e}"),
            BeforeError::Parameters => write!(
                f,
                "it takes arguments, and what is called before each run takes none\n  hint: write a function without parameters that \
                 calls this one"
            ),
            BeforeError::Rounding => write!(f, "it sets a rounding mode, and runs begin with rounding to the nearest"),
            BeforeError::Ended(trap) => write!(f, "it does not return: {trap}"),
        }
    }
}

impl std::error::Error for BeforeError {}

impl Module {
    /// Has a function without parameters called before each run, in the native program, too. Proofs take nothing for granted of what
    /// it leaves in variables.
    ///
    /// # Errors
    /// See [`BeforeError`].
    pub fn call_before(&mut self, name: &str) -> Result<(), BeforeError> {
        let function = find(self, &self.sources_debug(), name).map_err(BeforeError::Function)?;
        if !self.functions[function as usize].ty.params.is_empty() {
            return Err(BeforeError::Parameters);
        }
        let mut runner = Runner::new(self);
        runner.call(function, &[], &mut Blind).map_err(BeforeError::Ended)?;
        if runner.memory.flags.is_some_and(|flags| flags.is_directed()) {
            return Err(BeforeError::Rounding);
        }
        self.before = Some(function);
        Ok(())
    }

    /// The source in which that function was compiled, and its name there; none where there is none.
    pub(super) fn called_before(&self) -> Option<(PathBuf, String)> {
        let start = *self.functions[self.before? as usize].offsets.first()?;
        let debug = self.sources_debug();
        Some((PathBuf::from(debug.source(start)?), debug.shape(&self.debug, start)?.name))
    }
}
