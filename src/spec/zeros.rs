//! Whether the sign of a zero matters.

use super::core::{Classify, Expr, ExprKind};
use super::resolve::Spec;

impl Spec {
    /// Whether a program may tell an input -0 from 0, which is one number to the specification: then nothing is asked at -0.
    #[must_use]
    pub fn tells_zeros_apart(&self) -> bool {
        fn tells(e: &Expr) -> bool {
            let own = match &e.kind {
                ExprKind::Op(op, _) => op.tells_zeros_apart(),
                ExprKind::Classify(class, _) => *class == Classify::SignBit,
                _ => false,
            };
            own || e.children().into_iter().any(tells)
        }
        self.constraints.iter().chain([&self.core.body]).any(tells)
    }
}
