//! What made a document: its version, and the machine's kind.

use super::manifest::{COMMIT, VERSION};
use crate::num::mpfr;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What made a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Provenance {
    /// The version of Magneto.
    pub magneto: String,
    /// The commit that it was built from, if the build was told.
    pub commit: Option<String>,
    /// The version of MPFR.
    pub mpfr: String,
    /// Architecture and operating system.
    pub platform: String,
}

impl Provenance {
    /// Of this program on this machine.
    #[must_use]
    pub fn here() -> Self {
        Provenance {
            magneto: VERSION.to_owned(),
            commit: COMMIT.map(str::to_owned),
            mpfr: mpfr::version(),
            platform: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
        }
    }

    /// How another one differs: a part of a sentence about it, in which this one is called `own`.
    #[must_use]
    pub fn difference(&self, other: &Self, own: &str) -> Option<String> {
        let program = |p: &Self| match &p.commit {
            Some(commit) => format!("magneto {} ({commit})", p.magneto),
            None => format!("magneto {}", p.magneto),
        };
        let parts = [
            ("is by", program(self), program(other)),
            ("was made with MPFR", self.mpfr.clone(), other.mpfr.clone()),
            ("was made on", self.platform.clone(), other.platform.clone()),
        ];
        let (what, here, there) = parts.into_iter().find(|(_, here, there)| here != there)?;
        Some(format!("{what} {there}, {own} {here}"))
    }
}
