//! A command for the shell, which speaks the pipe protocol.

use super::{Foundation, ImplementationKind, NotReady, Preparation, StartedBy, UnderTest};
use crate::tool::shell_word;
use crate::unfit::Unfit;
use std::ffi::OsString;
use std::path::Path;

#[derive(Debug)]
pub(super) struct Exec;

impl ImplementationKind for Exec {
    fn key(&self) -> &'static str {
        "exec"
    }

    fn value_name(&self) -> &'static str {
        "CMD"
    }

    fn help(&self) -> &'static str {
        "A command for the shell, which reads inputs and writes results"
    }

    fn notes(&self) -> &'static str {
        "An --exec program reads one line a test, the inputs as hexadecimal numbers such as 0x1.8p+1 separated by spaces, and \
         answers with one line: a number, `nan`, `inf`, `-inf`, or `error: text` to refuse the input. It flushes each line, and \
         ends at the end of its input."
    }

    fn says_ready(&self) -> bool {
        false
    }

    fn quote_name(&self, name: &str) -> String {
        // A name may hold anything, and is to be no command.
        shell_word(name)
    }

    fn seen_from(&self, folder: &Path, text: String) -> String {
        // A command runs in the folder in which it was written, whatever the current one is.
        let is_here = folder.as_os_str().is_empty() || folder.canonicalize().ok() == std::env::current_dir().ok();
        match is_here {
            true => text,
            false => format!("cd -- {} && {text}", shell_word(&folder.to_string_lossy())),
        }
    }

    fn settle_name(&self, _option: &str, _target: &mut UnderTest) -> Result<(), Unfit> {
        Ok(())
    }

    fn prepare(&self, target: &UnderTest, preparation: &mut Preparation<'_>) -> Result<StartedBy, NotReady> {
        preparation.record.add("command", target.source.to_string_lossy());
        Ok(vec!["sh".into(), "-c".into(), target.source.clone()].into())
    }

    fn foundation(&self, _command: &[OsString]) -> Foundation {
        Foundation::Unknown("what a command reads is not known".to_owned())
    }
}
