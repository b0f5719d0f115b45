//! The tests of an earlier run, tried before all other inputs: after a small change most of them are as good as before.

use super::engine::Engine;
use super::{Cell, Origin};

/// In their order, each input that kills a mutant is a test again, for one that is still open if it kills such a one.
/// Returns how often a mutant was evaluated.
pub(super) fn retry(engine: &mut Engine<'_>, earlier: &[Vec<f64>]) -> usize {
    let mut evaluations = 0;
    // What an earlier batch has is there; none is to be there twice.
    let is_there = |engine: &Engine<'_>, x: &[f64]| engine.tests().iter().any(|t| t.input == x);
    // Outside, what is owed is another thing, and found by ranges.
    let is_new = |x: &&Vec<f64>| engine.domain().contains(x) && !is_there(engine, x);
    let inside: Vec<&Vec<f64>> = earlier.iter().filter(is_new).collect();
    engine.each_row(
        &inside,
        |x| x,
        |engine, input, examined, row| {
            if is_there(engine, input) {
                return;
            }
            evaluations += row.len();
            let killed = || (0..row.len()).filter(|m| matches!(row[*m], Cell::Ko { .. }));
            if let Some(target) = killed().find(|m| engine.is_open(*m)).or_else(|| killed().next()) {
                engine.add(examined, row, Origin::Earlier, target);
            }
        },
    );
    evaluations
}
