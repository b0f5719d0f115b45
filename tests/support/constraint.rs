//! Problems without a specification and a mutant.

use magneto::solve::{Constraint, Constraints};
use magneto::tape::{Builder, NodeId};

/// That a root is not negative: one constraint and nothing else.
pub(crate) fn constraint(b: Builder, root: NodeId) -> Constraints {
    Constraints::extracted(&b.finish(), &[Constraint::not_negative(root)])
}
