//! A specification from what a person of Python gives, and what is wrong with it as an exception.

use magneto::infix::Notation;
use magneto::options::{KNOBS, OptionOrigin, Settings};
use magneto::testing::{GivenSpec, SpecMistake};
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(_magneto, Refused, PyValueError);

/// A mistake as Python has it: message, file, line, column, hint, and all of it as a person reads it. Without a place line and
/// column are 0.
type Mistake = (String, String, usize, usize, Option<String>, String);

/// The exception of some mistakes.
pub(crate) fn refused(mistakes: Vec<SpecMistake>) -> PyErr {
    let one = |m: SpecMistake| -> Mistake {
        let (line, column) = m.place.unwrap_or((0, 0));
        (m.message, m.file, line, column, m.hint, m.text)
    };
    Refused::new_err((mistakes.into_iter().map(one).collect::<Vec<_>>(),))
}

/// What is meant by what is given, of a `kind`: a `file`, a `text` of FPCores, or a formula in a notation of that name. `options` are
/// knobs with their values, as flags give them.
pub(crate) fn asked<'g>(
    given: &'g str,
    kind: &str,
    options: &[(String, String)],
) -> PyResult<(GivenSpec<'g>, Settings)> {
    let mut settings = Settings::default();
    for (flag, value) in options {
        let knob = KNOBS.iter().find(|knob| knob.name == flag);
        let knob = knob.ok_or_else(|| PyValueError::new_err(format!("there is no option {flag}")))?;
        let set = settings.set(knob, std::slice::from_ref(value), OptionOrigin::Flag);
        set.map_err(|unfit| {
            let message = format!("{flag}: {}", unfit.message);
            let text = unfit.hint.as_ref().map_or(message.clone(), |hint| format!("{message}\nhint: {hint}"));
            refused(vec![SpecMistake { message, file: String::new(), place: None, hint: unfit.hint, text }])
        })?;
    }
    let given = match kind {
        "file" => GivenSpec::File(given),
        "text" => GivenSpec::Text(given),
        notation => {
            let notation = Notation::from_name(notation).ok_or_else(|| {
                let names = Notation::ALL.map(Notation::name).join(", ");
                PyValueError::new_err(format!("there is no notation {notation:?}; there are {names}"))
            })?;
            GivenSpec::Formula(given, notation)
        }
    };
    Ok((given, settings))
}
