//! That a folder which a command is to read holds no run of `gen`.

use super::exit::Failure;
use magneto::record::ReadError;
use std::path::Path;

/// That a folder is no run.
pub(crate) fn no_run(dir: &Path, why: &ReadError) -> Failure {
    let shown = dir.display();
    if !dir.join("summary.json").exists() {
        return Failure::usage(format!("{shown} is no output folder of a run: {why}"));
    }
    let message = format!("cannot read the run in {shown}: {why}");
    if why.has_remedy() {
        return Failure::usage(message);
    }
    Failure::usage_hint(message, "run `magneto gen` again")
}
