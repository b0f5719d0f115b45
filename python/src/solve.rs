//! Scripts of SMT-LIB, answered for Python.

use crate::{marshal, read};
use magneto::decide::AGAIN;
use magneto::record::json;
use magneto::smt::{Budget, run};
use magneto::testing::SpecMistake;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::time::Duration;

/// What the commands of a script print, and the answers to its `(check-sat)`s as JSON. Each may cost so much, as with
/// `magneto solve`; `timeout` is in seconds, `memory` in MiB.
#[pyfunction]
#[pyo3(signature = (script, budget, check, timeout, memory))]
pub(crate) fn solve(
    py: Python<'_>,
    script: &str,
    budget: u64,
    check: bool,
    timeout: Option<f64>,
    memory: u64,
) -> PyResult<(String, String)> {
    let time = timeout.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|_| PyValueError::new_err("timeout: expected a number of seconds, 0 at least"))?;
    let confirmation = check.then_some(budget.saturating_mul(AGAIN));
    let memory = Some(memory.saturating_mul(1 << 20));
    let budget = Budget { boxes: budget, confirmation, time, memory };
    let answers =
        marshal::work(py, None, 0, |_, stop| magneto::halt::watched(Some(stop), None, || run(script, budget)).0)?;
    let answers =
        answers.map_err(|wrong| read::refused(SpecMistake::with_places([&wrong], "<script>", script.as_bytes())))?;
    let checks = String::from_utf8(json::text(&answers.checks));
    Ok((answers.output, checks.map_err(|e| PyRuntimeError::new_err(e.to_string()))?))
}
