//! `manifest.json`: what another run needs to repeat this one. Nothing in it depends on the time or the machine's load.

use super::{Document, Fields, Provenance, Suite};
use crate::options::Resolved;
use crate::spec::Spec;
use crate::spec::core::{Datum, DatumKind, Value};
use crate::suite::{Judged, Status};
use crate::testfile::columns::input_columns;
use crate::text::line_column;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::Path;

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The commit that it was built from, if the build was told.
pub const COMMIT: Option<&str> = option_env!("MAGNETO_COMMIT");

/// `manifest.json`: what the run depended on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// What made it.
    #[serde(flatten)]
    pub made: Provenance,
    /// The specification.
    pub specification: Specification,
    /// The options on which results depend, and gates, in the order of the command line's help.
    pub options: Vec<RecordedOption>,
    /// The decisions of `magneto.accept.toml` that hold in the run: without them it would have other statuses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<Decision>,
    /// Whether the run is large: each mutant is written by what it changes in `core`, and the kill matrix has the first kill
    /// of most.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_large: bool,
    /// Whether a limit of time was hit, so that another run may find something else.
    pub wall_clock_limit_hit: bool,
    /// Whether the run was stopped early.
    pub interrupted: bool,
    /// The other files that the run wrote into the folder, each with its SHA-256: what does not fit is of another run.
    pub files: Fields<String>,
}

/// A person's decision on a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    /// The mutant's id.
    pub mutant: String,
    /// Who decided.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// The specification of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Specification {
    /// Its `:name`, or where it stands.
    pub name: String,
    /// Its `:magneto-req`, several with commas between them.
    pub requirement: Option<String>,
    /// The same one by one; not written where there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
    /// Its `:description`; not written where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The unit of the result; not written where none is stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_unit: Option<String>,
    /// The name of its file, without folders.
    pub file: String,
    /// SHA-256 of its file.
    pub sha256: String,
    /// The line in its file in which it begins, from 1: two of one name in one file are told apart by it.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The FPCore as the run understood it, on one line, with what flags changed.
    pub core: String,
    /// The accuracy in words.
    pub accuracy: String,
    /// Whether nobody stated it.
    pub accuracy_is_default: bool,
    /// The floating-point format of results.
    pub result_format: String,
    /// The response that is owed outside the domain.
    pub out_of_range: String,
    /// The inputs in order.
    pub inputs: Vec<ManifestInput>,
    /// The sizes of arrays that have a name.
    #[serde(default, skip_serializing_if = "Fields::is_empty")]
    pub sizes: Fields<usize>,
}

/// An input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ManifestInput {
    /// Its name.
    pub name: String,
    /// Its column in `tests.csv`; the decimal is in the column with `_dec` after that.
    pub column: String,
    /// Its floating-point format.
    pub format: String,
    /// Its range, such as `[1, 4)`.
    pub range: String,
    /// Its unit; not written where none is stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// An option of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedOption {
    /// Its name, which is that of the flag.
    pub name: String,
    /// Its value; none where it is not set.
    pub value: Option<String>,
    /// Where the value came from: `default`, `flag`, or the file.
    pub origin: String,
}

impl From<Resolved> for RecordedOption {
    fn from(k: Resolved) -> Self {
        RecordedOption {
            name: k.name.to_owned(),
            value: Some(k.value).filter(|v| !v.is_empty()),
            origin: k.origin.name().to_owned(),
        }
    }
}

impl Document for Manifest {
    const SCHEMA: &'static str = "magneto/manifest/2";
}

impl Manifest {
    /// Of a suite.
    #[must_use]
    pub fn new(suite: &Suite<'_>) -> Self {
        let spec = suite.spec;
        let decision = |j: &Judged| match &j.status {
            Status::Accepted(a) => {
                Some(Decision { mutant: j.mutant.id.clone(), by: a.by.clone(), reason: a.reason.clone() })
            }
            _ => None,
        };
        let (line, column) = line_column(suite.source, spec.core.span.start);
        Manifest {
            made: Provenance::here(),
            specification: Specification {
                name: spec.name.clone(),
                requirement: spec.requirement.clone(),
                requirements: spec.requirements.clone(),
                description: description(spec),
                result_unit: spec.result_unit.clone(),
                file: file_name(spec),
                sha256: hash(suite.source),
                line,
                column,
                core: spec.to_stated_core().one_line(),
                accuracy: spec.accuracy.to_string(),
                accuracy_is_default: spec.accuracy_defaulted,
                result_format: spec.result_format.name().to_owned(),
                out_of_range: spec.out_of_range.name().to_owned(),
                inputs: inputs(spec),
                sizes: sizes(spec),
            },
            options: suite.settings.recorded().into_iter().map(RecordedOption::from).collect(),
            accepted: suite.generated.mutants.iter().filter_map(decision).collect(),
            is_large: suite.generated.is_large,
            wall_clock_limit_hit: false,
            interrupted: suite.generated.interrupted,
            files: Fields::default(),
        }
    }
}

/// The name of the specification's file without its folders, which differ from machine to machine.
#[must_use]
pub fn file_name(spec: &Spec) -> String {
    let name = Path::new(&spec.source_file).file_name();
    name.map_or_else(|| spec.source_file.clone(), |n| n.to_string_lossy().into_owned())
}

/// The text of `:description`.
fn description(spec: &Spec) -> Option<String> {
    match &spec.core.property("description")?.value {
        Value::Data(Datum { kind: DatumKind::String(text), .. }) => Some(text.clone()),
        _ => None,
    }
}

/// SHA-256 as 64 hexadecimal digits.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    sha256(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// The same as bytes.
pub(crate) fn sha256(bytes: &[u8]) -> Vec<u8> {
    Sha256::digest(bytes).to_vec()
}

impl Manifest {
    /// An option as it was given or by default.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|o| o.name == name)?.value.as_deref()
    }
}

/// The inputs of a specification, with their columns.
#[must_use]
pub fn inputs(spec: &Spec) -> Vec<ManifestInput> {
    let input = |(i, [column, _]): (&crate::spec::Input, [String; 2])| ManifestInput {
        name: i.name.clone(),
        column,
        format: i.format.name().to_owned(),
        range: i.range.to_string(),
        unit: i.unit.clone(),
    };
    spec.inputs.iter().zip(input_columns(spec)).map(input).collect()
}

/// The sizes of a specification's arrays that have a name.
#[must_use]
pub fn sizes(spec: &Spec) -> Fields<usize> {
    Fields(spec.core.sizes.iter().map(|size| (size.name.clone(), size.value)).collect())
}
