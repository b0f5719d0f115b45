//! What is asked of a native program that makes calls up, and what it answers.

use super::callers::number;
use crate::floats::BitsKind;

/// Calls that are made up: from values of the code, by changes of inputs that came somewhere new, and by steps towards the
/// comparisons that were seen. The same plan gives the same calls.
#[derive(Clone, Debug)]
pub struct CallPlan {
    /// How many calls; fewer where they take long.
    pub calls: u64,
    /// The kinds of the inputs.
    pub kinds: Vec<BitsKind>,
    /// Inputs to begin with.
    pub begins: Vec<Vec<u64>>,
    /// For each input values to choose from.
    pub values: Vec<Vec<u64>>,
    /// Whether what lies behind pointers and is no input is made up as well; otherwise zeros are there.
    pub fills: bool,
    /// Whether a call may leave something behind for the next one.
    pub has_variables: bool,
}

/// Blocks of code in all calls: about a second.
const BLOCKS: u64 = 60_000_000;
/// Calls of one process: where they leave nothing behind, and where the functions have variables. Of these the first one of
/// each process counts for itself.
const PROCESS: [u64; 2] = [8192, 32];
/// Calls that take as long as one with a process of its own, at most.
const ALONE: u64 = 16;

impl CallPlan {
    /// Its words.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let calls = if self.has_variables { self.calls.div_ceil(ALONE) } else { self.calls };
        let each = PROCESS[usize::from(self.has_variables)];
        // Where there is nothing to choose there is one call.
        let calls = if self.kinds.is_empty() && !self.fills { 1 } else { calls };
        let nothing = vec![0; self.kinds.len()];
        let begins = std::iter::once(nothing).chain(self.begins.iter().cloned());
        let head =
            [calls, BLOCKS, each, u64::from(self.fills), u64::from(self.has_variables), 1 + self.begins.len() as u64];
        let values = self.kinds.iter().zip(&self.values).flat_map(|(kind, values)| {
            let values = if values.is_empty() { &[0][..] } else { values };
            [number(*kind).into(), values.len() as u64].into_iter().chain(values.iter().copied())
        });
        head.into_iter().chain(begins.flatten()).chain(values)
    }
}

/// A call that came where none before it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptCall {
    /// The bits of its inputs.
    pub input: Vec<u64>,
    /// Where the pseudo-random values behind pointers begin; 0: zeros are there.
    pub filling: u64,
}

/// What came of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attacked {
    /// Calls that were made.
    pub calls: u64,
    /// Whether these are all; otherwise they took too long, or ended the process too often.
    pub is_whole: bool,
    /// The calls that came where none before them did.
    pub kept: Vec<KeptCall>,
}

impl Attacked {
    /// From the words of the answer.
    pub(super) fn read(words: &[u64], inputs: usize) -> Option<Attacked> {
        let (head, rows) = words.split_at_checked(3)?;
        let kept: Vec<KeptCall> =
            rows.chunks_exact(1 + inputs).map(|row| KeptCall { input: row[1..].to_vec(), filling: row[0] }).collect();
        (kept.len() as u64 == head[2]).then_some(Attacked { calls: head[0], is_whole: head[1] == 1, kept })
    }
}
