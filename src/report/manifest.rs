//! `manifest.json`: what another run needs to repeat this one. Nothing in it depends on the time or the machine's load.

use super::Suite;
use crate::num::mpfr;
use crate::spec::Spec;
use crate::suite::{Judged, Status};
use crate::testfile::columns::input_columns;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::path::Path;

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The commit that it was built from, if the build was told.
pub const COMMIT: Option<&str> = option_env!("MAGNETO_COMMIT");

/// `manifest.json`.
#[derive(Serialize)]
pub struct Manifest {
    schema: &'static str,
    magneto: &'static str,
    commit: Option<&'static str>,
    mpfr: String,
    platform: String,
    specification: Specification,
    options: Vec<Knob>,
    /// The decisions of `magneto.accept.toml` that hold in the run: without them it would have other statuses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    accepted: Vec<Decision>,
    wall_clock_limit_hit: bool,
    interrupted: bool,
}

#[derive(Serialize)]
struct Decision {
    mutant: String,
    by: String,
    reason: String,
}

#[derive(Serialize)]
struct Specification {
    name: String,
    requirement: Option<String>,
    file: String,
    sha256: String,
    core: String,
    accuracy: String,
    accuracy_is_default: bool,
    result_format: &'static str,
    out_of_range: &'static str,
    inputs: Vec<Input>,
}

#[derive(Serialize)]
struct Input {
    name: String,
    column: String,
    format: &'static str,
    range: String,
}

#[derive(Serialize)]
struct Knob {
    name: &'static str,
    value: Option<String>,
    origin: &'static str,
}

impl Manifest {
    /// Of a suite.
    #[must_use]
    pub fn new(suite: &Suite<'_>) -> Self {
        let spec = suite.spec;
        let columns = input_columns(spec);
        let input = |(i, [column, _]): (&crate::spec::Input, [String; 2])| Input {
            name: i.name.clone(),
            column,
            format: i.format.name(),
            range: i.range.to_string(),
        };
        let knob = |k: crate::options::Resolved| Knob {
            name: k.name,
            value: Some(k.value).filter(|v| !v.is_empty()),
            origin: k.origin.name(),
        };
        let decision = |j: &Judged| match &j.status {
            Status::Accepted(a) => {
                Some(Decision { mutant: j.mutant.id.clone(), by: a.by.clone(), reason: a.reason.clone() })
            }
            _ => None,
        };
        Manifest {
            schema: "magneto/manifest/1",
            magneto: VERSION,
            commit: COMMIT,
            mpfr: mpfr::version(),
            platform: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
            specification: Specification {
                name: spec.name.clone(),
                requirement: spec.requirement.clone(),
                file: file_name(spec),
                sha256: hash(suite.source),
                core: spec.to_core().one_line(),
                accuracy: spec.accuracy.to_string(),
                accuracy_is_default: spec.accuracy_defaulted,
                result_format: spec.result_format.name(),
                out_of_range: spec.out_of_range.name(),
                inputs: spec.inputs.iter().zip(columns).map(input).collect(),
            },
            options: suite.settings.recorded().into_iter().map(knob).collect(),
            accepted: suite.generated.mutants.iter().filter_map(decision).collect(),
            wall_clock_limit_hit: false,
            interrupted: suite.generated.interrupted,
        }
    }
}

/// The name of the specification's file without its folders, which differ from machine to machine.
#[must_use]
pub fn file_name(spec: &Spec) -> String {
    let name = Path::new(&spec.source_file).file_name();
    name.map_or_else(|| spec.source_file.clone(), |n| n.to_string_lossy().into_owned())
}

/// SHA-256 as 64 hexadecimal digits.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}
