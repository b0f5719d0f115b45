//! The tests of an earlier run, tried before all other inputs: after a small change most of them are as good as before.

use super::engine::{Engine, Look};
use super::run::Interrupt;
use super::{Cell, Origin};

/// In their order, each input that kills a mutant is a test again, for one that is still open if it kills such a one.
/// Returns how often a mutant was evaluated.
pub(super) fn retry(engine: &mut Engine<'_>, earlier: &[Vec<f64>], interrupt: &Interrupt<'_>) -> usize {
    let mut evaluations = 0;
    // Outside, what is owed is another thing, and found by ranges.
    let inside: Vec<&[f64]> = earlier.iter().map(Vec::as_slice).filter(|x| engine.domain().contains(x)).collect();
    for inputs in inside.chunks(engine.rows_at_once()) {
        // What an earlier batch has is there.
        let inputs: Vec<&[f64]> = inputs.iter().copied().filter(|x| !is_there(engine, x)).collect();
        let rows = engine.examined_rows(&inputs, Look::Whole);
        // Rows that were not finished are none.
        if interrupt.stopped() {
            break;
        }
        for (input, row) in inputs.into_iter().zip(rows) {
            let Some((examined, row)) = row.filter(|_| !is_there(engine, input)) else { continue };
            evaluations += row.len();
            let killed = || (0..row.len()).filter(|m| matches!(row[*m], Cell::Ko { .. }));
            if let Some(target) = killed().find(|m| engine.is_open(*m)).or_else(|| killed().next()) {
                engine.add(examined, row, Origin::Earlier, target);
            }
        }
    }
    evaluations
}

fn is_there(engine: &Engine<'_>, input: &[f64]) -> bool {
    engine.tests().iter().any(|t| t.input == input)
}
