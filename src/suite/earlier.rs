//! The tests of an earlier run, tried before all other inputs: after a small change most of them are as good as before.

use super::engine::Engine;
use super::run::Interrupt;
use super::{Cell, Origin};

/// In their order, each input that kills a mutant is a test again, for one that is still open if it kills such a one.
/// Returns how often a mutant was evaluated.
pub(super) fn retry(engine: &mut Engine<'_>, earlier: &[Vec<f64>], interrupt: &Interrupt<'_>) -> usize {
    let mut evaluations = 0;
    for input in earlier {
        if interrupt.stopped() {
            break;
        }
        // Outside, what is owed is another thing, and found by ranges. What an earlier batch has is there.
        let is_there = || engine.tests().iter().any(|t| t.input == *input);
        if !engine.domain().contains(input) || is_there() {
            continue;
        }
        let Some(examined) = engine.examine(input) else { continue };
        let row = engine.row(&examined);
        evaluations += row.len();
        let killed = || (0..row.len()).filter(|m| matches!(row[*m], Cell::Ko { .. }));
        let target = killed().find(|m| engine.is_open(*m)).or_else(|| killed().next());
        // A row that was not finished is none.
        if let Some(target) = target.filter(|_| !interrupt.stopped()) {
            engine.add(examined, row, Origin::Earlier, target);
        }
    }
    evaluations
}
