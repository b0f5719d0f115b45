//! What proofs take for granted of how code is compiled: that the compiler of the user makes the same of it.

use super::probe::ProbeQuestion;

/// What a proof takes for granted of how the code is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledAssumption {
    /// The symbol of the function that it is about; empty where it is about all.
    pub function: String,
    /// A sentence.
    pub said: String,
    /// The question to whose answers it matters; none where it does to all proofs.
    pub question: Option<ProbeQuestion>,
}

/// Of code that rounds in the direction that is set when it runs.
pub(super) const ROUNDING: &str = "the rounding mode is to nearest";

/// Of code for processors that have fused operations.
pub(super) const UNFUSED: &str = "each product and each sum is rounded by itself (no fused multiply-add)";

/// Of code that asks gcc for optimisations that may change results. Clang has none of these words.
pub(super) const OPTIMIZED: &str = "what the code asks of gcc by `optimize` changes no result";

/// A comment in code that has the date or time of its compilation in it.
pub(super) const DATED: &str = "\n; has the time of its compilation in it\n";

impl CompiledAssumption {
    /// One that matters to all proofs about a function.
    pub(super) fn of(function: &str, said: &str) -> Self {
        CompiledAssumption { function: function.to_owned(), said: said.to_owned(), question: None }
    }
}
