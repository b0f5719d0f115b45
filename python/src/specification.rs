//! A specification as Python has it: what it says, its oracle, its tests, and what functions are worth by it.

use crate::judge::{self, Described, Inputs};
use crate::marshal::{self, astray, bytes, floats};
use crate::read::{self, refused};
use magneto::csp::look::{Look, Prepared};
use magneto::floats::Format;
use magneto::harness::Case;
use magneto::num::Rational;
use magneto::oracle::Oracle;
use magneto::record::cache::{Cache, CacheKey, tests_of};
use magneto::record::json;
use magneto::record::tests::Tests;
use magneto::spec::inputs::representable;
use magneto::spec::resolve::Spec;
use magneto::suite::random::inputs_of_both_spreads;
use magneto::suite::{Interrupt, NoRun};
use magneto::testfile::TestRecord;
use magneto::testing::{ReadSpec, given};
use magneto::threads::Threads;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// So many oracles are worth a thread: one takes from 20 us on.
const LOOKED_AT: usize = 16;

/// What the oracle says at some inputs, each a list over them: a state, and numbers, NaN where there is none.
type Oracles<'py> = (Vec<&'static str>, [Bound<'py, PyBytes>; 5]);
/// An input: name, format, and its smallest and largest value.
type InputRange = (String, String, f64, f64);

/// A specification.
#[pyclass(frozen, module = "magneto._magneto")]
pub(crate) struct Specification {
    pub(crate) read: ReadSpec,
    /// The tests, once they are made.
    tests: Mutex<Option<Arc<Tests>>>,
}

impl From<ReadSpec> for Specification {
    fn from(read: ReadSpec) -> Self {
        Specification { read, tests: Mutex::new(None) }
    }
}

#[pymethods]
impl Specification {
    /// Reads what is given: a `file`, a `text` of FPCores, or a formula in a notation of that name. `name` picks one of several
    /// FPCores, and is the name of a formula's.
    #[staticmethod]
    fn read(given: &str, kind: &str, name: Option<&str>, options: Vec<(String, String)>) -> PyResult<Self> {
        let (given, settings) = read::asked(given, kind, &options)?;
        given::specification(given, name, settings).map(Self::from).map_err(refused)
    }

    /// The same of an FPCore with several results: one for each.
    #[staticmethod]
    fn read_results(
        given: &str,
        kind: &str,
        name: Option<&str>,
        options: Vec<(String, String)>,
    ) -> PyResult<Vec<Self>> {
        let (given, settings) = read::asked(given, kind, &options)?;
        let all = given::specifications(given, name, settings).map_err(refused)?;
        Ok(all.into_iter().map(Self::from).collect())
    }

    #[getter]
    fn name(&self) -> &str {
        &self.spec().name
    }

    #[getter]
    fn text(&self) -> String {
        self.spec().to_core().to_string()
    }

    #[getter]
    fn accuracy(&self) -> String {
        self.spec().accuracy.to_string()
    }

    #[getter]
    fn accuracy_is_default(&self) -> bool {
        self.spec().accuracy_defaulted
    }

    #[getter]
    fn result_format(&self) -> String {
        self.spec().result_format.name()
    }

    /// The place of the result among those of an implementation, counted from 0, and how many there are.
    #[getter]
    fn result_place(&self) -> (usize, usize) {
        (self.spec().result.index, self.spec().result.count)
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.read.notes.clone()
    }

    #[getter]
    fn inputs(&self) -> Vec<InputRange> {
        let one = |input: &magneto::spec::Input| {
            let range = representable(&input.range, input.format);
            let (lo, hi) = range.map_or((f64::NAN, f64::NAN), |r| (r.inf(), r.sup()));
            (input.name.clone(), input.format.name(), lo, hi)
        };
        self.spec().inputs.iter().map(one).collect()
    }

    /// The oracle at points, the numbers of one after the other: states, then the enclosures' ends, the accepted results' ends
    /// and the nearest numbers.
    fn oracle<'py>(&self, py: Python<'py>, points: &[u8]) -> PyResult<Oracles<'py>> {
        let points = self.points(points)?;
        let (spec, cap) = (self.spec(), self.read.settings.suite.precision_cap);
        let looks = marshal::work(py, None, 0, |_, stop| {
            let work = || {
                let one = |x: &Vec<f64>| (!magneto::halt::requested()).then(|| seen(&Prepared::new(spec).look(x, cap)));
                Threads::default().side_by_side(LOOKED_AT, &points, one)
            };
            magneto::halt::watched(Some(stop), None, work).0
        })?;
        let looks: Vec<Seen> = looks.into_iter().flatten().collect();
        let column = |k: usize| bytes(py, &looks.iter().map(|seen| seen.1[k]).collect::<Vec<f64>>());
        Ok((looks.iter().map(|seen| seen.0).collect(), [column(0), column(1), column(2), column(3), column(4)]))
    }

    /// The document `tests.json`. They are made once, unless the cache in a folder has them.
    fn tests(&self, py: Python<'_>, cache: Option<PathBuf>) -> PyResult<String> {
        let tests = self.made(py, cache)?;
        String::from_utf8(json::document(&*tests)).map_err(|e| PyRuntimeError::new_err(e.to_string()))
    }

    /// Inputs of the domain that a seed decides, at most `count`.
    fn random<'py>(&self, py: Python<'py>, count: usize, seed: u64) -> PyResult<Bound<'py, PyBytes>> {
        let (spec, cap) = (self.spec(), self.read.settings.suite.precision_cap);
        let inputs = marshal::work(py, None, 0, |_, _| inputs_of_both_spreads(spec, count, seed, cap))?;
        let inputs = inputs.map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(bytes(py, &inputs.concat()))
    }

    /// Puts tests to a function and judges it: the document `check.json`, and what a person reads, short and long. The tests are
    /// those that are generated, where `generated` says so, and the further points.
    #[pyo3(signature = (function, described, generated, points, cache))]
    fn check(
        &self,
        py: Python<'_>,
        function: &Bound<'_, PyAny>,
        described: Described,
        generated: bool,
        points: &[u8],
        cache: Option<PathBuf>,
    ) -> PyResult<(String, String, String)> {
        let further = self.points(points)?;
        let mut cases = if generated { cases(&*self.made(py, cache)?)? } else { Vec::new() };
        cases.extend(self.cases_at(py, further)?);
        if cases.is_empty() {
            return Err(PyValueError::new_err("there is no test: nothing is owed at these inputs"));
        }
        judge::check(py, &self.read, function, described, cases)
    }

    /// Looks for the worst input of a function: the document `worst.json`, and what a person reads. A search of so many
    /// evaluations begins with the points; without a number all inputs are looked at.
    #[pyo3(signature = (function, described, evaluations, points))]
    fn worst(
        &self,
        py: Python<'_>,
        function: &Bound<'_, PyAny>,
        described: Described,
        evaluations: Option<u64>,
        points: &[u8],
    ) -> PyResult<(String, String)> {
        let starts = self.points(points)?;
        let inputs = evaluations.map_or(Inputs::All, |evaluations| Inputs::Searched(evaluations, &starts));
        judge::worst(py, &self.read, function, described, &inputs)
    }
}

impl Specification {
    fn spec(&self) -> &Spec {
        &self.read.spec
    }

    fn formats(&self) -> Vec<Format> {
        self.spec().inputs.iter().map(|input| input.format).collect()
    }

    /// Points of numbers one after the other, all of them values of their formats.
    fn points(&self, given: &[u8]) -> PyResult<Vec<Vec<f64>>> {
        let (numbers, formats) = (floats(given).collect::<Vec<f64>>(), self.formats());
        if let Some((k, x)) = astray(&numbers, &formats) {
            let (name, format) = (&self.spec().inputs[k].name, formats[k].name());
            let hint =
                if x.is_finite() { format!("; the nearest is {}", formats[k].nearest(x)) } else { String::new() };
            return Err(PyValueError::new_err(format!("{name} = {x} is no {format} number{hint}")));
        }
        Ok(numbers.chunks(formats.len().max(1)).map(<[f64]>::to_vec).collect())
    }

    fn made(&self, py: Python<'_>, cache: Option<PathBuf>) -> PyResult<Arc<Tests>> {
        if let Some(tests) = self.tests.lock().ok().and_then(|tests| tests.clone()) {
            return Ok(tests);
        }
        let ReadSpec { spec, source, settings, .. } = &self.read;
        let cache = cache.map(|dir| Cache::open(&dir)).transpose().map_err(|e| PyValueError::new_err(e.to_string()))?;
        let made = marshal::work(py, None, 0, |_, stop| {
            let key = CacheKey { spec, source, settings, decisions: "" };
            let made = tests_of(&key, cache.as_ref(), &Interrupt { stop: Some(stop), ..Interrupt::default() });
            cache.iter().for_each(Cache::clean);
            made
        })?;
        let tests = Arc::new(made.map_err(|e: NoRun| PyValueError::new_err(format!("{}: {e}", spec.name)))?);
        if let Ok(mut kept) = self.tests.lock() {
            *kept = Some(tests.clone());
        }
        Ok(tests)
    }

    /// What is owed at points; those at which nothing can be asked are left out.
    fn cases_at(&self, py: Python<'_>, points: Vec<Vec<f64>>) -> PyResult<Vec<Case>> {
        let record = |(k, input)| {
            let id = format!("x{:03}", k + 1);
            TestRecord { id, line: k + 1, input, lo: None, hi: None, expected: None, passes: None }
        };
        let records: Vec<TestRecord> = points.into_iter().enumerate().map(record).collect();
        let (spec, cap) = (self.spec(), self.read.settings.suite.precision_cap);
        let found = marshal::work(py, None, 0, |_, _| magneto::harness::cases(spec, &records, cap))?;
        found.map(|found| found.cases).map_err(|problems| {
            PyValueError::new_err(problems.into_iter().map(|(_, why)| why).collect::<Vec<_>>().join("\n"))
        })
    }
}

/// The tests as a harness takes them.
fn cases(tests: &Tests) -> PyResult<Vec<Case>> {
    let cases: Option<Vec<Case>> = tests.tests.iter().map(|row| row.case()).collect();
    cases.ok_or_else(|| PyRuntimeError::new_err("a bug in Magneto: its own tests cannot be read"))
}

/// What the oracle says at one input: a state, the ends of what encloses f, those of the accepted results, and the nearest number.
type Seen = (&'static str, [f64; 5]);

fn seen(look: &Look) -> Seen {
    let none = f64::NAN;
    if look.outside.is_some() {
        return ("outside", [none; 5]);
    }
    let below = |x: &Rational| Format::BINARY64.floor_rational(x).unwrap_or(f64::NEG_INFINITY);
    let above = |x: &Rational| Format::BINARY64.ceil_rational(x).unwrap_or(f64::INFINITY);
    let (lo, hi) = look.set.as_ref().map_or((none, none), |s| (below(&s.value.lo), above(&s.value.hi)));
    let (from, to) = look.oracle.ends().unwrap_or((none, none));
    let (state, nearest) = match look.oracle {
        Oracle::Decided { expected, .. } => ("decided", expected),
        Oracle::Capped { .. } => ("capped", none),
        Oracle::Unsatisfiable => ("unsatisfiable", none),
        Oracle::Undefined => ("undefined", none),
        Oracle::Unsettled => ("unsettled", none),
    };
    (if look.conditions.is_true() { state } else { "unsettled" }, [lo, hi, from, to, nearest])
}
