//! `share.json`: one part of a run over things that are worked on one by one, such as the functions of `cover`, the scripts
//! of `solve` and the programs of `bench`, with what was found of them.

use super::manifest::hash;
use super::{Document, Provenance};
use crate::threads::{Portion, deal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `share.json`: one of several parts of a run of `cover`, `solve` or `bench`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// What made it.
    #[serde(flatten)]
    pub made: Provenance,
    /// Which part this is.
    #[serde(flatten)]
    pub portion: Portion,
    /// The command: its words.
    pub command: Vec<String>,
    /// The options that were given, as `--name=value`, but those that say where files go.
    pub options: Vec<String>,
    /// The files and folders that were given.
    pub arguments: Vec<String>,
    /// SHA-256 of what else results depend on, such as the options of a `magneto.toml`.
    pub settings: String,
    /// Everything that the run is over, in order, that of other parts too.
    pub items: Vec<Item>,
    /// What was found of each item of this part, in their order; fewer where the run was interrupted.
    pub found: Vec<Value>,
    /// SHA-256 of `found`.
    pub sha256: String,
}

/// One of the things that a run is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// SHA-256 of its text.
    pub sha256: String,
    /// The part that it is in, from 1.
    pub shard: usize,
}

impl Document for Share {
    const SCHEMA: &'static str = "magneto/share/1";
    const WRITER: &'static str = "cover, solve or bench";
}

/// What a run depends on beside its items.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The command: its words.
    pub command: Vec<String>,
    /// The options that were given.
    pub options: Vec<String>,
    /// The files and folders that were given.
    pub arguments: Vec<String>,
    /// What else results depend on.
    pub settings: String,
}

impl Share {
    /// A part of a run over `items`, each a name and a text, with nothing found yet.
    #[must_use]
    pub fn new(portion: Portion, about: About, items: &[(String, Vec<u8>)]) -> Self {
        let dealt = deal(&vec![1.0; items.len()], portion.of);
        let item =
            |((name, text), shard): (&(String, Vec<u8>), usize)| Item { name: name.clone(), sha256: hash(text), shard };
        Share {
            made: Provenance::here(),
            portion,
            command: about.command,
            options: about.options,
            arguments: about.arguments,
            settings: hash(about.settings.as_bytes()),
            items: items.iter().zip(dealt).map(item).collect(),
            found: Vec::new(),
            sha256: hash_of(&[]),
        }
    }

    /// The places of this part's items among all.
    pub fn own(&self) -> impl Iterator<Item = usize> {
        let mine = self.items.iter().enumerate().filter(|(_, item)| item.shard == self.portion.number);
        mine.map(|(place, _)| place)
    }

    /// The same with what was found.
    #[must_use]
    pub fn with(mut self, found: Vec<Value>) -> Self {
        self.sha256 = hash_of(&found);
        self.found = found;
        self
    }

    /// Whether what was found is as it was written.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.sha256 == hash_of(&self.found)
    }
}

fn hash_of(found: &[Value]) -> String {
    hash(&serde_json::to_vec(found).unwrap_or_default())
}
