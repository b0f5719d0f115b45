//! The columns of `tests.csv`, as it is written and read.

use crate::spec::Spec;
use std::collections::HashSet;

/// The columns before those of the inputs.
pub const BEFORE: [&str; 1] = ["test_id"];
/// The columns after those of the inputs.
pub const AFTER: [&str; 11] =
    ["lo", "lo_dec", "hi", "hi_dec", "expected", "expected_dec", "kills", "origin", "inner_lo", "inner_hi", "reason"];

/// What a column's name ends in that has the integers of fixed-point numbers.
pub const INTEGER: &str = "_int";

/// The columns of the inputs, two each: the exact value and the decimal beside it. An input whose name is taken, or would be
/// run as a formula by a spreadsheet, gets `input.` before it.
#[must_use]
pub fn input_columns(spec: &Spec) -> Vec<[String; 2]> {
    let mut taken: HashSet<String> = BEFORE.iter().chain(&AFTER).map(|s| (*s).to_owned()).collect();
    let mut columns = Vec::new();
    for input in &spec.inputs {
        let mut name = input.name.clone();
        while name.starts_with(['=', '+', '-', '@']) || taken.contains(&name) || taken.contains(&format!("{name}_dec"))
        {
            name.insert_str(0, "input.");
        }
        let pair = [name.clone(), format!("{name}_dec")];
        taken.extend(pair.iter().cloned());
        columns.push(pair);
    }
    columns
}
