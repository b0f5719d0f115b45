//! The parts of a run over things that are worked on one by one, put together.

use super::{Piece, Refused, all, number};
use crate::record::continued::Continued;
use crate::record::share::Share;
use crate::record::store::SHARE;
use crate::threads::Portion;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Whether folders hold parts of a run of `cover`, `solve` or `bench`.
#[must_use]
pub fn are_shares(folders: &[PathBuf]) -> bool {
    folders.first().is_some_and(|f| f.join(SHARE).is_file())
}

/// Reads the parts, in any order: one of them, and what was found of every item in the order of the run.
///
/// # Errors
/// Why they are not all the parts of one run.
pub fn merge_shares(folders: &[PathBuf]) -> Result<(Share, Vec<Value>), Refused> {
    let shards = all::<Share>(folders)?;
    let mut found: BTreeMap<usize, Value> = BTreeMap::new();
    for (folder, share) in shards.values() {
        let own: Vec<usize> = share.own().collect();
        if !share.is_whole() || share.found.len() > own.len() {
            return Err(Refused::Other(share.portion(), folder.to_path_buf()));
        }
        if share.found.len() < own.len() {
            return Err(Refused::Unfinished(share.portion(), folder.to_path_buf()));
        }
        found.extend(own.into_iter().zip(share.found.iter().cloned()));
    }
    let Some((folder, first)) = shards.into_values().next() else { return Err(Refused::Missing(Vec::new())) };
    // Every item is in some part, unless the files were changed.
    if found.len() != first.items.len() {
        return Err(Refused::Other(first.portion(), folder.to_path_buf()));
    }
    Ok((first, found.into_values().collect()))
}

impl Piece for Share {
    const FILE: &'static str = SHARE;

    fn portion(&self) -> Portion {
        self.portion
    }
}

impl Continued for Share {
    fn difference(&self, other: &Self, own: &str) -> Option<String> {
        let was = |what: &str, there: &str, here: &str| Some(format!("{what} {there}, {own} {here}"));
        self.made.difference(&other.made, own).or_else(|| {
            let words = |s: &Share| format!("magneto {}", s.command.join(" "));
            if self.command != other.command {
                return was("is of", &words(other), &words(self));
            }
            if let Some(what) = number(self, other, own) {
                return Some(what);
            }
            let options = |s: &Share| if s.options.is_empty() { "none".to_owned() } else { s.options.join(" ") };
            if self.options != other.options {
                return was("has the options", &options(other), &options(self));
            }
            if self.settings != other.settings {
                return Some("had other options in magneto.toml".to_owned());
            }
            item(self, other, own)
        })
    }
}

/// The first item that differs.
fn item(one: &Share, other: &Share, own: &str) -> Option<String> {
    let different = one.items.iter().zip(&other.items).find(|(a, b)| a != b);
    different
        .map(|(a, b)| match (a.name == b.name, a.sha256 == b.sha256) {
            (true, true) => format!("has `{}` in shard {}, {own} in shard {}", b.name, b.shard, a.shard),
            (true, false) => format!("was made from another text of `{}`", b.name),
            _ => format!("is of a run over `{}` where {own} has `{}`", b.name, a.name),
        })
        .or_else(|| {
            let (a, b) = (one.items.len(), other.items.len());
            (a != b).then(|| format!("is of a run over {b} items, {own} over {a}"))
        })
}
