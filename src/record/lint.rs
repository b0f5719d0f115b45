//! What `lint` found, as a document.

use super::tests::named;
use super::{Document, Fields};
use crate::lint::{Defined, Lint, Plain, PlainMeets};
use crate::num::float::hex;
use crate::num::{AtLeast, AtMost};
use crate::program::LibmUlps;
use crate::rounding::FoundError;
use crate::spec::Spec;
use crate::text::{Diagnostic, line_column};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `magneto lint --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LintRun {
    /// The specifications in order.
    pub specifications: Vec<LintedSpecification>,
}

impl Document for LintRun {
    const SCHEMA: &'static str = "magneto/lint/1";
    const WRITER: &'static str = "lint";
}

/// What was found about one specification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LintedSpecification {
    /// Its name.
    pub specification: String,
    /// Its file, as it was named.
    pub file: String,
    /// Whether f has a value on all of the domain: `yes` by proof, `no`, or `not settled`.
    pub defined: String,
    /// An input of the domain at which f has no value.
    pub witness: Option<Fields<String>>,
    /// Probe points of the domain at which f has a value.
    pub probes: usize,
    /// Those of them at which some number of the result format is accurate enough.
    pub attainable: usize,
    /// The plain evaluation; none where nothing is known of it.
    pub plain: Option<LintedPlain>,
    /// What is worth a warning, by place.
    pub warnings: Vec<LintWarning>,
}

/// An error in units of the tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Tolerances {
    /// Proved: it is no larger.
    Proved(AtMost),
    /// Found: some error is as large.
    Found(AtLeast),
}

/// The plain evaluation: the body as written, operation by operation in the format of the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LintedPlain {
    /// The format of all operations.
    pub format: String,
    /// How its error is measured: `relative` or `absolute`.
    pub kind: String,
    /// No error is larger; none where none was proved.
    pub bound: Option<AtMost>,
    /// The largest error that was found.
    pub found: Option<AtLeast>,
    /// Where.
    pub at: Option<Fields<String>>,
    /// Whether it meets the accuracy: `met` by proof, `missed`, or `open`.
    pub accuracy: String,
    /// In units of the tolerance: what was proved, or what was found.
    pub tolerances: Option<Tolerances>,
    /// Where it misses the accuracy.
    pub missed_at: Option<Fields<String>>,
    /// The errors of library functions that proofs take for granted. Unit: ulps.
    pub library_ulps: Option<f64>,
}

/// Something worth a warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LintWarning {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What it is.
    pub message: String,
    /// What may help.
    pub hint: Option<String>,
}

impl LintedSpecification {
    /// Of a specification, the text of its file and that file as it was named.
    #[must_use]
    pub fn new(spec: &Spec, source: &[u8], file: &str, found: &Lint) -> Self {
        let warning = |d: &Diagnostic| {
            let (line, column) = line_column(source, d.span.start);
            LintWarning { line, column, message: d.message.clone(), hint: d.hint.clone() }
        };
        LintedSpecification {
            specification: spec.name.clone(),
            file: file.to_owned(),
            defined: match found.defined {
                Defined::Everywhere(_) => "yes",
                Defined::NotAt(_) => "no",
                Defined::NotSettled => "not settled",
            }
            .to_owned(),
            witness: match &found.defined {
                Defined::NotAt(x) => Some(named(spec, x, hex)),
                _ => None,
            },
            probes: found.attainable.0,
            attainable: found.attainable.1,
            plain: found.plain.as_ref().map(|p| evaluation(spec, p)),
            warnings: found.findings.iter().map(warning).collect(),
        }
    }
}

fn evaluation(spec: &Spec, p: &Plain) -> LintedPlain {
    let found = |f: &FoundError| f.error.is_finite().then_some(AtLeast(f.error));
    let (accuracy, tolerances, missed) = match &p.accuracy {
        PlainMeets::Proved(worst) => ("met", Some(Tolerances::Proved(*worst)), None),
        PlainMeets::Missed(f) => ("missed", found(f).map(Tolerances::Found), Some(named(spec, &f.at, hex))),
        PlainMeets::Open => ("open", None, None),
    };
    LintedPlain {
        format: p.format.name().to_owned(),
        kind: if p.relative { "relative" } else { "absolute" }.to_owned(),
        bound: p.bound.0.is_finite().then_some(p.bound),
        found: p.found.as_ref().and_then(found),
        at: p.found.as_ref().map(|f| named(spec, &f.at, hex)),
        accuracy: accuracy.to_owned(),
        tolerances,
        missed_at: missed,
        library_ulps: p.library.map(LibmUlps::get),
    }
}
