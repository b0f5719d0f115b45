//! A Python function.

use super::{
    Foundation, ImplementationKind, NotReady, Preparation, RunRecord, StartedBy, UnderTest, hash_of, path_seen_from,
    require_file,
};
use crate::harness::foundation::{ask, known};
use crate::spec::Input;
use crate::unfit::Unfit;
use std::ffi::OsString;
use std::path::Path;

/// How a Python function is called with the inputs of a specification, and what of it is a result, a refusal or a crash, as
/// the text of a Python module.
pub const PYTHON_RULES: &str = include_str!("../calling.py");
/// The Python side of the protocol.
const DRIVER: &str = concat!(include_str!("../calling.py"), "\n", include_str!("../driver.py"));
/// What asks for the files that are loaded with a function, after [`DRIVER`].
const FILES: &str = include_str!("../foundation/python.py");

#[derive(Debug)]
pub(super) struct Python;

/// The interpreter that the environment names.
fn variable() -> Option<String> {
    std::env::var("PYTHON").ok().filter(|p| !p.trim().is_empty())
}

impl ImplementationKind for Python {
    fn key(&self) -> &'static str {
        "python"
    }

    fn value_name(&self) -> &'static str {
        "MODULE:FUNCTION"
    }

    fn help(&self) -> &'static str {
        "A Python function; the module's name, or a file that ends in .py"
    }

    fn notes(&self) -> &'static str {
        "--python calls a Python function with $PYTHON (python3): inputs bind by name where its parameters have their names, else \
         by place; a result is a number or an array of one; ValueError, ArithmeticError and AssertionError refuse the input, other \
         exceptions are crashes."
    }

    fn seen_from(&self, folder: &Path, text: String) -> String {
        if text.contains(".py:") { path_seen_from(folder, &text) } else { text }
    }

    fn settle_name(&self, option: &str, target: &mut UnderTest) -> Result<(), Unfit> {
        let text = target.source.to_string_lossy().into_owned();
        let Some((module, function)) = text.rsplit_once(':').filter(|(m, f)| !m.is_empty() && !f.is_empty()) else {
            return Err(Unfit {
                message: format!("--{option} {text}: expected MODULE:FUNCTION"),
                hint: Some(format!(
                    "for instance --{option} airflow:mass_flow, or --{option} src/airflow.py:mass_flow"
                )),
            });
        };
        if module.ends_with(".py") {
            require_file(option, Path::new(module), &["py"])?;
        }
        (target.source, target.function) = (module.into(), function.to_owned());
        Ok(())
    }

    fn prepare(&self, target: &UnderTest, preparation: &mut Preparation<'_>) -> Result<StartedBy, NotReady> {
        let (spec, module) = (preparation.spec, target.source.to_string_lossy());
        preparation.record.add("function", format!("{module}:{}", target.function));
        let (python, named) = match variable() {
            Some(python) => (python, "of $PYTHON"),
            None => ("python3".to_owned(), "($PYTHON names another)"),
        };
        preparation.record.add("python", &python);
        let driver = format!("{DRIVER}\n\nmain()\n");
        let is_integer = |i: &Input| i.format.is_fixed() && i.format.least_exponent() >= 0;
        let kinds: String = spec.inputs.iter().map(|i| if is_integer(i) { 'i' } else { 'f' }).collect();
        let place = [spec.result.index.to_string(), spec.result.count.to_string(), kinds];
        let words = [&python, "-c", &driver, &module, &target.function];
        let names = spec.inputs.iter().map(|input| input.name.as_str());
        let words = words.into_iter().chain(place.iter().map(String::as_str)).chain(names);
        let command = words.map(OsString::from).collect();
        Ok(StartedBy { command, name: format!("the Python interpreter `{python}` {named}") })
    }

    fn complete_record(&self, _target: &UnderTest, record: &mut RunRecord, ready: &str) {
        let (version, path) = ready.split_once(' ').unwrap_or((ready, ""));
        record.add("python_version", version);
        record.add("source_sha256", hash_of(Path::new(path)).unwrap_or_default());
    }

    fn foundation(&self, command: &[OsString]) -> Foundation {
        let mut command = command.to_vec();
        // Interpreter, -c, text, module, function, inputs.
        let Some(text) = command.get_mut(2) else { return Foundation::Unknown("it cannot be loaded".to_owned()) };
        *text = format!("{DRIVER}\n\n{FILES}").into();
        match ask(&command) {
            Ok(told) => known(&told, ""),
            Err(why) => Foundation::Unknown(why),
        }
    }
}
