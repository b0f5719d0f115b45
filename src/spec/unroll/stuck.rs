//! Why loops cannot be written out, and where.

use crate::text::{Diagnostic, Span};

/// The most parts of an expression whose loops are written out.
pub const MAX_PARTS: usize = 400_000;
/// Why loops cannot be written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// Whether a loop goes on depends on an input, or on a number that is not known exactly.
    Open,
    /// The loops go round more often than allowed.
    Iterations(u64),
    /// The formula would have more than [`MAX_PARTS`] parts.
    Parts,
    /// A number of rounds or a size is no known natural number.
    Bound,
    /// An index is no known number of an element.
    Index,
    /// An array has rows of different lengths, or no elements.
    Ragged,
}

/// Where and why loops cannot be written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StuckAt {
    /// The loop, bound or index.
    pub span: Span,
    /// The reason.
    pub why: Stuck,
}

impl StuckAt {
    /// The same for the person who wrote it.
    #[must_use]
    pub fn diagnostic(self) -> Diagnostic {
        let (message, hint) = match self.why {
            Stuck::Open => (
                "how often this loop goes round depends on the inputs, or on numbers that are not known exactly"
                    .to_owned(),
                "count the rounds: `(while (< i 10) ([i 0 (+ i 1)] …) …)` or `(for ([i 10]) (…) …)`",
            ),
            Stuck::Iterations(most) => (
                format!("the loops go round more than {most} times"),
                "allow more with `--max-iterations`, or make the condition end sooner",
            ),
            Stuck::Parts => (
                format!("with its loops written out the formula has more than {MAX_PARTS} parts"),
                "let the loops go round less often, or specify one step",
            ),
            Stuck::Bound => (
                "this must be a natural number that depends on no input".to_owned(),
                "write a number, or a variable of a `let` that is one",
            ),
            Stuck::Index => (
                "this is no element of the array".to_owned(),
                "indices are natural numbers from 0 on that depend on no input",
            ),
            Stuck::Ragged => (
                "the rows of this array differ in size, or it has no elements".to_owned(),
                "give all rows the same size",
            ),
        };
        Diagnostic::unsupported(self.span, message).hint(hint)
    }
}

/// What is wrong with a loop that never ends.
pub(in crate::spec) fn never_ends(span: Span) -> Diagnostic {
    let hint = "its condition holds, and its variables come back to what they were";
    Diagnostic::semantic(span, "this loop never ends".to_owned()).hint(hint)
}

pub(super) fn stuck<T>(span: Span, why: Stuck) -> Result<T, StuckAt> {
    Err(StuckAt { span, why })
}
