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
    /// Whether it is about calls of the function alone.
    pub is_of_calls: bool,
}

/// Functions in the place of which gcc puts its own code, or calls of others, at every level. `fabs` and `copysign` are left out: what
/// gcc puts there is what a library of mathematics that defines them means.
const EXPANDED: [&str; 19] = [
    "abs", "labs", "llabs", "imaxabs", "ffs", "ffsl", "ffsll", "strcmp", "strncmp", "strlen", "memcmp", "strchr",
    "strrchr", "strcpy", "strncat", "strpbrk", "memcpy", "memmove", "memset",
];
/// Functions that gcc calls in the place of `printf` and its like.
const CALLED_FOR_PRINTF: [&str; 5] = ["puts", "putchar", "fwrite", "fputc", "fputs"];

/// What proofs take for granted of a function that code defines and compilers know by its name.
pub(super) fn of_definition(function: &str) -> Option<CompiledAssumption> {
    if EXPANDED.contains(&function) {
        let said =
            format!("calls of `{function}` are of the code's own function, and compilers put nothing in their place");
        return Some(CompiledAssumption { is_of_calls: true, ..CompiledAssumption::of(function, &said) });
    }
    let said = || format!("`printf` and its like do not call the code's own `{function}`");
    CALLED_FOR_PRINTF.contains(&function).then(|| CompiledAssumption::of("", &said()))
}

/// What proofs take for granted of a function of C of which an inline definition alone is known.
pub(super) fn of_inline(function: &str) -> CompiledAssumption {
    CompiledAssumption::of(
        function,
        &format!("calls of `{function}` are calls of its inline definition, the same one in all files"),
    )
}

/// Of code that rounds in the direction that is set when it runs.
pub(super) const ROUNDING: &str = "the rounding mode is to nearest";

/// Of code for processors that have fused operations.
pub(super) const UNFUSED: &str = "each product and each sum is rounded by itself (no fused multiply-add)";

/// Of code that asks gcc for optimisations that may change results. Clang has none of these words.
pub(super) const OPTIMIZED: &str = "what the code asks of gcc by `optimize` changes no result";

/// Of code that asks what its compiler knows.
pub(super) const UNKNOWN_CONSTANTS: &str = "`__builtin_constant_p` knows what it knows without optimisation";

/// Of code that asks which of two places in memory comes first.
pub(super) const ORDERED: &str = "objects lie in memory in the order in which they lie here";

/// Of code with expressions whose parts may be evaluated in several orders.
pub(super) const UNORDERED: &str = "calls in one expression are made in the order in which clang makes them";

/// Of code with bit-fields that are longer than `int`.
pub(super) const LONG_FIELDS: &str = "bit-fields longer than int are computed with as their type is, as clang does";

/// A comment in code that has the date or time of its compilation in it.
pub(super) const DATED: &str = "\n; has the time of its compilation in it\n";

impl CompiledAssumption {
    /// One that matters to all proofs about a function.
    pub(super) fn of(function: &str, said: &str) -> Self {
        CompiledAssumption { function: function.to_owned(), said: said.to_owned(), question: None, is_of_calls: false }
    }
}
