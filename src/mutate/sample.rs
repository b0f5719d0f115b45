//! Which mutants are made, where memory has no room for all, and which runs are large.

use super::body::Original;
use super::sites::{self, Site};
use crate::spec::Spec;
use crate::spec::unroll::{flat, has_loops};
use serde::{Deserialize, Serialize};

/// What there is room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Bytes.
    pub bytes: u64,
    /// Whether each mutant takes what it takes whole, also where the run is large.
    pub whole: bool,
}

/// Which mutants are made where memory has no room for all: evenly spread, and the same in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Of the places in the body every so manieth is changed. 1 for all.
    pub places: u64,
    /// Of the changes of one variable for another every so manieth is made. 1 for all.
    pub variables: u64,
    /// Of the inputs every so manieth has mutants of its range. 1 for all.
    pub inputs: u64,
}

impl Sample {
    /// Every mutant.
    pub const ALL: Sample = Sample { places: 1, variables: 1, inputs: 1 };
}

/// Mutants at a place other than of a variable, roughly.
const AT_A_PLACE: u64 = 45;
/// What a mutant takes whatever its size, with all that is kept and written of it. Unit: bytes.
const BYTES_A_MUTANT: u64 = 2 << 10;
/// What it takes for each byte of the text of its site: the expression, what was and what is, in two files. Unit: bytes.
const BYTES_A_BYTE_OF_THE_SITE: u64 = 40;
/// What it takes for each test: the verdict, kept and written in the matrix and with the test. Unit: bytes.
const BYTES_A_TEST: u64 = 64;

/// What a part of a formula whose loops are written out takes, on the tape and in what is found by its node. Unit: bytes.
const BYTES_A_PART: u64 = 40;
/// What a number of a test takes: its input, exact and in decimal, kept and written in two files. Unit: bytes.
const BYTES_A_NUMBER: u64 = 400;
/// Tests for the ranges of an input: an input beyond each end.
const TESTS_OF_A_RANGE: u64 = 2;

/// A run is large if its mutants, each written whole, would have more than so many characters of formulas. Then they are
/// written and judged by what they change.
pub(super) const LARGE: usize = 16 << 20;

/// Whether so many mutants of a specification make a large run.
#[must_use]
pub fn is_large(spec: &Spec, mutants: usize) -> bool {
    mutants > 1 && spec.core.body.to_string().len().saturating_mul(mutants) > LARGE
}

/// How many characters of a text are shown at its beginning and at its end, if it is longer than both and the run is large.
const SHOWN: [usize; 2] = [160, 40];

/// What a person reads of a text: of a long one not all.
pub(super) fn shortened(text: String) -> String {
    let [first, last] = SHOWN;
    if text.len() <= first + last || text.chars().count() <= first + last + 3 {
        return text;
    }
    let end: String = text.chars().rev().take(last).collect::<Vec<char>>().into_iter().rev().collect();
    text.chars().take(first).chain(" … ".chars()).chain(end.chars()).collect()
}

/// What a mutant of a formula with loops takes: what it changes may change in every round.
fn in_rounds(spec: &Spec) -> u64 {
    if !has_loops(&spec.core.body) {
        return 0;
    }
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    BYTES_A_PART * flat(&names, &spec.core.body).size() as u64
}

/// Which mutants so many bytes have room for. Half of them is for changes of variables: where many are in scope, there
/// are far more of those than of others. A quarter is for tests of ranges, each of which has all inputs.
pub(super) fn sample(spec: &Spec, original: &Original, Room { bytes, whole }: Room) -> Sample {
    let sites = sites::all(spec);
    let variable = |site: &Site<'_>| match site.expr.kind {
        crate::spec::core::ExprKind::Var(_) => site.depth() + spec.inputs.len(),
        _ => 0,
    };
    let all = sites.len() * AT_A_PLACE as usize + sites.iter().map(variable).sum::<usize>();
    // Tests of ranges, a few for each input, and others.
    let tests = 64 + 10 * spec.inputs.len() as u64;
    // The body is written twice, unless the run is large: then a mutant has one verdict, most often, and of long texts no
    // more is kept than a person reads.
    let (fixed, longest) = match !whole && is_large(spec, all) {
        true => (BYTES_A_MUTANT, SHOWN[0] + SHOWN[1]),
        false => (BYTES_A_MUTANT + 2 * original.text(0).len() as u64 + BYTES_A_TEST * tests, usize::MAX),
    };
    let fixed = fixed + in_rounds(spec);
    let (mut others, mut variables) = (0u64, 0u64);
    for site in &sites {
        let own = BYTES_A_BYTE_OF_THE_SITE * original.text(site.place).len().min(longest) as u64;
        others = others.saturating_add(AT_A_PLACE * (fixed + own));
        variables = variables.saturating_add(variable(site) as u64 * (fixed + own));
    }
    let every = |all: u64| all.div_ceil((bytes / 2).max(1)).max(1);
    let inputs = spec.inputs.len() as u64;
    let ranges = (TESTS_OF_A_RANGE * BYTES_A_NUMBER).saturating_mul(inputs.saturating_mul(inputs));
    Sample { places: every(others), variables: every(variables), inputs: every(ranges.saturating_mul(2)) }
}
