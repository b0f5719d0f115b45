//! `shard.json`: which part of a run a folder holds, so that the parts can be put together.

use super::manifest::{RecordedOption, file_name, hash};
use super::{Document, Provenance, resume};
use crate::options::Settings;
use crate::text::line_column;
use crate::threads::Portion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `shard.json`: one of several parts of a run that are made apart from each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Shard {
    /// What made it.
    #[serde(flatten)]
    pub made: Provenance,
    /// Which part this is.
    #[serde(flatten)]
    pub portion: Portion,
    /// The options on which results depend, and gates, in the order of the command line's help.
    pub options: Vec<RecordedOption>,
    /// SHA-256 of the decisions about mutants (`magneto.accept.toml`) of all specifications.
    pub decisions: String,
    /// All specifications of the run in order, those of other parts too.
    pub specifications: Vec<Member>,
    /// SHA-256 of the `summary.json` beside this file, which leads to all others.
    pub summary: String,
}

/// A specification of a run that is made in parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Member {
    /// Its folder in the whole run; empty where it is the only one.
    pub folder: String,
    /// Its name.
    pub name: String,
    /// The name of its file, without folders.
    pub file: String,
    /// SHA-256 of its file.
    pub sha256: String,
    /// The line in its file in which it begins, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The part that it is in, from 1.
    pub shard: usize,
}

impl Document for Shard {
    const SCHEMA: &'static str = "magneto/shard/1";
}

impl Member {
    /// Of a specification, its folder, and the part that it is in.
    #[must_use]
    pub fn new((spec, source): resume::SourceText<'_>, folder: &str, shard: usize) -> Self {
        let (line, column) = line_column(source, spec.core.span.start);
        Member {
            folder: folder.to_owned(),
            name: spec.name.clone(),
            file: file_name(spec),
            sha256: hash(source),
            line,
            column,
            shard,
        }
    }
}

impl Shard {
    /// Of a run over `specifications`, of which one part was made, with what it depends on. `summary` is the text of the
    /// `summary.json` beside it.
    #[must_use]
    pub fn new(
        portion: Portion,
        settings: &Settings,
        decisions: &str,
        specifications: Vec<Member>,
        summary: &[u8],
    ) -> Self {
        Shard {
            made: Provenance::here(),
            portion,
            options: settings.recorded().into_iter().map(RecordedOption::from).collect(),
            decisions: hash(decisions.as_bytes()),
            specifications,
            summary: hash(summary),
        }
    }
}
