//! The nodes of all parts of a body, from which the same body with another part is lowered.

use super::meaning::Meaning;
use super::{Mode, Replay, Walk, lower};
use crate::spec::core::Expr;
use crate::spec::unroll::has_loops;
use crate::tape::builder::Builder;
use crate::tape::node::NodeId;

/// What each subexpression of a body means, so that the body with something else at a place is lowered without the parts
/// that stay what they are.
pub struct Lowered {
    root: NodeId,
    /// By place in pre-order ([`Expr::children`] from left to right).
    entries: Vec<Entry>,
}

/// A subexpression of a [`Lowered`] body.
pub(super) struct Entry {
    pub(super) meaning: Meaning,
    /// The place after its last subexpression.
    pub(super) end: usize,
    /// The variables in it, see [`super::bit`].
    pub(super) uses: u128,
}

impl Lowered {
    /// Lower `body` as [`super::lower`] does.
    /// Of a body with loops nothing but the node of the whole is known.
    ///
    /// # Panics
    /// As [`super::lower`].
    pub fn new(builder: &mut Builder, names: &[String], body: &Expr) -> Self {
        if has_loops(body) {
            return Lowered { root: lower(builder, names, body), entries: Vec::new() };
        }
        let mut entries = Vec::new();
        let root = Walk::new(builder, names, Mode::Record { entries: &mut entries, used: 0 }).root(body);
        Lowered { root, entries }
    }

    /// The node of the whole body.
    #[must_use]
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The node of the subexpression at a place; none of a special value.
    #[must_use]
    pub fn node(&self, place: usize) -> Option<NodeId> {
        if let Meaning::Node(node) = self.entries.get(place)?.meaning { Some(node) } else { None }
    }

    /// Lower the same body, on the same builder, with another expression at some places in pre-order, none inside another.
    /// The nodes are those that [`super::lower`] would make, in the same order.
    pub fn replaced(
        &self,
        builder: &mut Builder,
        names: &[String],
        body: &Expr,
        places: &[usize],
        with: &Expr,
    ) -> NodeId {
        let replay = Replay { entries: &self.entries, next: 0, places, with, changed: 0 };
        Walk::new(builder, names, Mode::Replay(replay)).root(body)
    }
}
