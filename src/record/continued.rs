//! Documents from which a later run goes on, or that are put together: only where they are of one and the same run.

use super::Document;
use super::json::{self, Unread};
use crate::unfit::Unfit;
use serde::de::DeserializeOwned;

/// A document of a run of which there can be several, from several machines or from before an interruption.
pub trait Continued: Document + DeserializeOwned {
    /// Why another one is not of the same run: a part of a sentence about it, in which this one is called `own`, such as "the
    /// first".
    fn difference(&self, other: &Self, own: &str) -> Option<String>;
}

/// Reads what an interrupted run left for the run that `ours` begins.
///
/// # Errors
/// A sentence that says why the run cannot go on from there.
pub fn continue_from<D: Continued>(bytes: &[u8], ours: &D) -> Result<D, Unfit> {
    let earlier: D = json::read(bytes).map_err(|e| match e {
        Unread::Damaged(e) => format!("it cannot be read: {e}"),
        Unread::Schema(there) => format!("it has the schema `{there}`, not `{}`", D::SCHEMA),
    })?;
    match ours.difference(&earlier, "this run") {
        Some(what) => Err(format!("it {what}").into()),
        None => Ok(earlier),
    }
}
