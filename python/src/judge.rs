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
use magneto::threads::{Portion, Threads};
use magneto::worst::exhaustive::{self, EnumerationTally, TOO_MANY, exhaust};
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

/// Which inputs a function is put to, to find where it errs most.
pub(crate) enum Inputs<'a> {
    /// Those of a search of so many evaluations, which begins with some points.
    Searched(u64, &'a [Vec<f64>]),
    /// All of the domain.
    All,
}

/// Looks for the input at which a function errs most.
pub(crate) fn worst(
    py: Python<'_>,
    ReadSpec { spec, source, settings, .. }: &ReadSpec,
    function: &Bound<'_, PyAny>,
    described: Described,
    inputs: &Inputs<'_>,
) -> PyResult<(String, String)> {
    let (cap, jobs) = (settings.suite.precision_cap, settings.suite.jobs);
    if matches!(inputs, Inputs::All) && exhaustive::inputs(spec).is_none() {
        return Err(PyValueError::new_err(format!("{TOO_MANY}; make the ranges smaller with domain=")));
    }
    let mut tally = matches!(inputs, Inputs::All).then(EnumerationTally::default);
    let searched = marshal::work(py, Some(function), spec.inputs.len(), |function, stop| {
        let limits = RunLimits::default();
        let mut caller = Caller::of_function(function, spec.inputs.len(), spec.result_format, &limits, Some(stop));
        match (inputs, &mut tally) {
            (Inputs::Searched(evaluations, starts), _) => {
                let effort = SearchEffort { evaluations: *evaluations, cap, jobs, starts, progress: None };
                look(PointChoice::Search, spec, &mut caller, &effort)
            }
            (Inputs::All, tally) => {
                let tally = tally.get_or_insert_default();
                exhaust(spec, &mut caller, cap, jobs, Portion::WHOLE, tally, &mut |_| true)
            }
        }
    })?;
    let searched = searched.map_err(|e: EmptyRange| PyValueError::new_err(e.to_string()))?;
    if let Some(fault) = &searched.broken {
        return Err(Broken::new_err(fault.why.clone()));
    }
    let record = RunRecord(described);
    let report =
        WorstReport { spec, source, record: &record, searched: &searched, tally: tally.as_ref(), against: None };
    let verdict = match report.verdict() {
        Verdict::Ok if searched.parts.is_empty() => Verdict::Uncertain,
        verdict => verdict,
    };
    let text = report.text();
    Ok((utf8(json::text(&json::Versioned(&worst_document(&report, exit(Some(verdict))))))?, text))
}
