//! `magneto gen --reuse`: the tests of an earlier run, which are tried before all other inputs.

use crate::cli::exit::Failure;
use crate::cli::output::Output;
use crate::cli::specs::Loaded;
use magneto::record::number::from_hex;
use magneto::record::read;
use magneto::record::tests::Tests;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Gives each specification the inputs of its tests in an earlier run, before that is replaced.
pub(super) fn read(dir: &Path, loaded: &mut [Loaded], output: &Output) -> Result<(), Failure> {
    let shown = dir.display();
    let name = |folder: String| {
        let folder = dir.join(folder);
        Ok((read::manifest(&folder)?.specification.name, folder))
    };
    let mut folders: Vec<(String, PathBuf)> =
        read::folders(dir)?.into_iter().map(name).collect::<Result<_, magneto::record::ReadError>>()?;
    for one in loaded {
        let name = &one.spec.name;
        let Some(k) = folders.iter().position(|(n, _)| n == name) else {
            output.note(format!("{shown} has no tests of {name}"));
            continue;
        };
        // All the rest of a run may be large.
        let tests = read::document::<Tests>(&folders.remove(k).1.join("tests.json"))?.tests;
        let names: Vec<&String> = one.spec.inputs.iter().map(|i| &i.name).collect();
        // Inputs by name: they may be in another order now.
        let input = |all: &[(String, String)]| -> Option<Vec<f64>> {
            let value = |name: &&String| from_hex(&all.iter().find(|(n, _)| n == *name)?.1);
            names.iter().map(value).collect::<Option<_>>().filter(|_| all.len() == names.len())
        };
        let earlier: Option<Vec<Vec<f64>>> = tests.iter().map(|t| input(&t.inputs.0)).collect();
        match earlier {
            Some(earlier) => Arc::make_mut(&mut one.settings).suite.earlier = earlier,
            None => output.note(format!("the tests of {name} in {shown} are of other inputs, and are not used")),
        }
    }
    Ok(())
}
