//! A function of a shared library.

use super::{
    Foundation, FunctionOption, ImplementationKind, NotReady, Preparation, RunRecord, StartedBy, UnderTest, hash_of,
    path_seen_from, require_file,
};
use crate::harness::foundation::of_library;
use crate::harness::prepare::LibraryCall;
use crate::unfit::Unfit;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct Library;

/// A bare name may be one that the loader finds elsewhere.
fn is_bare(name: &str) -> bool {
    !name.contains('/')
}

impl ImplementationKind for Library {
    fn key(&self) -> &'static str {
        "lib"
    }

    fn help(&self) -> &'static str {
        "A shared library"
    }

    fn notes(&self) -> &'static str {
        "--lib calls a function in a process of its own. What the function takes and returns is read from the library's debug \
         information (-g); without it --signature says so: f64 or f32 (an argument each, the result returned), with -array (one \
         pointer to all inputs) or -ref (a reference each), and with -out (the last argument points to the result, or to several \
         one after the other), -status (that, and a status other than 0 refuses the input) or -info (that status is stored where \
         one more argument points to), -outs or -outs-status (a pointer to each of several results)."
    }

    fn function_option(&self) -> Option<FunctionOption> {
        Some(FunctionOption { name: "symbol", is_required: true })
    }

    fn takes_signature(&self) -> bool {
        true
    }

    fn seen_from(&self, folder: &Path, text: String) -> String {
        if is_bare(&text) { text } else { path_seen_from(folder, &text) }
    }

    fn settle_name(&self, option: &str, target: &mut UnderTest) -> Result<(), Unfit> {
        match is_bare(&target.source.to_string_lossy()) {
            true => Ok(()),
            false => require_file(option, target.path(), &["so", "dylib"]),
        }
    }

    fn prepare(&self, target: &UnderTest, preparation: &mut Preparation<'_>) -> Result<StartedBy, NotReady> {
        let shown = target.path();
        preparation.record.add("library", shown.display().to_string());
        // A name without a folder would be searched for by the loader only.
        let path = std::fs::canonicalize(shown).unwrap_or_else(|_| shown.to_owned());
        let call = LibraryCall {
            interface: &path,
            library: &path,
            name: &target.function,
            claimed: target.signature.as_ref(),
            shown,
            spec: preparation.spec,
        };
        Ok(call.command(preparation)?.into())
    }

    fn complete_record(&self, target: &UnderTest, record: &mut RunRecord, ready: &str) {
        // Where the system does not tell which file was loaded, a path still does.
        let file = if ready.is_empty() { target.path().to_owned() } else { PathBuf::from(ready) };
        if let Some(hash) = hash_of(&file) {
            record.add("library_file", file.display().to_string());
            record.add("library_sha256", hash);
        }
    }

    fn foundation(&self, command: &[OsString]) -> Foundation {
        of_library(command, false)
    }
}
