//! What a function of Python is worth by a specification, as the documents and texts of `magneto check` and `magneto worst`.

use crate::marshal;
use magneto::harness::batch::Caller;
use magneto::harness::inside::{self, InsideCheck};
use magneto::harness::{Case, RunLimits, RunRecord, Verdict};
use magneto::record::check::Check;
use magneto::record::json;
use magneto::report::check::document::{LISTED, document};
use magneto::report::check::{CheckReport, text};
use magneto::report::worst::{WorstReport, document as worst_document};
use magneto::spec::EmptyRange;
use magneto::testing::{ReadSpec, exit, for_code};
use magneto::threads::Threads;
use magneto::worst::{PointChoice, SearchEffort, look};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(_magneto, Broken, PyRuntimeError);

/// How a function is called and made, for the record: names with values.
pub(crate) type Described = Vec<(String, String)>;

fn utf8(bytes: Vec<u8>) -> PyResult<String> {
    String::from_utf8(bytes).map_err(|e| PyRuntimeError::new_err(e.to_string()))
}

/// Puts tests to a function and judges what it answers.
pub(crate) fn check(
    py: Python<'_>,
    ReadSpec { spec, source, settings, .. }: &ReadSpec,
    function: &Bound<'_, PyAny>,
    described: Described,
    cases: Vec<Case>,
) -> PyResult<(String, String, String)> {
    let checked = marshal::work(py, Some(function), spec.inputs.len(), |function, stop| {
        let with = InsideCheck { spec, options: &settings.suite, stop: Some(stop) };
        inside::check(&with, cases, function, RunRecord(described))
    })?;
    if let Some(fault) = &checked.run.broken {
        return Err(Broken::new_err(fault.why.clone()));
    }
    py.detach(|| {
        let report = CheckReport { spec, source, checked: &checked };
        let written: Check = document(&report, exit(checked.verdict()), LISTED, &Threads::new(settings.suite.jobs));
        let told = |verbose: bool| for_code(&text::text(&report, verbose), "worst");
        Ok((utf8(written.text())?, told(false), told(true)))
    })
}

/// Searches for the input at which a function errs most, in so many evaluations that begin with some points.
pub(crate) fn worst(
    py: Python<'_>,
    ReadSpec { spec, source, settings, .. }: &ReadSpec,
    function: &Bound<'_, PyAny>,
    described: Described,
    (evaluations, starts): (u64, &[Vec<f64>]),
) -> PyResult<(String, String)> {
    let options = &settings.suite;
    let searched = marshal::work(py, Some(function), spec.inputs.len(), |function, stop| {
        let limits = RunLimits::default();
        let mut caller = Caller::of_function(function, spec.inputs.len(), spec.result_format, &limits, Some(stop));
        let effort =
            SearchEffort { evaluations, cap: options.precision_cap, jobs: options.jobs, starts, progress: None };
        look(PointChoice::Search, spec, &mut caller, &effort)
    })?;
    let searched = searched.map_err(|e: EmptyRange| PyValueError::new_err(e.to_string()))?;
    if let Some(fault) = &searched.broken {
        return Err(Broken::new_err(fault.why.clone()));
    }
    let record = RunRecord(described);
    let report = WorstReport { spec, source, record: &record, searched: &searched, tally: None, against: None };
    let verdict = match report.verdict() {
        Verdict::Ok if searched.parts.is_empty() => Verdict::Uncertain,
        verdict => verdict,
    };
    let text = report.text();
    Ok((utf8(json::text(&json::Versioned(&worst_document(&report, exit(Some(verdict))))))?, text))
}
