//! The tests of an earlier run, tried before all other inputs: after a small change most of them are as good as before.

use crate::halt;
use crate::suite::state::engine::{Engine, Examined};
use crate::suite::state::outside::outside_row;
use crate::suite::{Expectation, MatrixCell, Origin};

/// In their order, those of the domain first, each input that kills a mutant is a test again, for one that is still open
/// if it kills such a one. Returns how often a mutant was evaluated.
pub(in crate::suite) fn retry(engine: &mut Engine<'_>, earlier: &[Vec<f64>]) -> usize {
    let mut evaluations = 0;
    // What an earlier batch has is there; none is to be there twice.
    let new: Vec<&Vec<f64>> = earlier.iter().filter(|x| !is_there(engine, x)).collect();
    let (inside, outside): (Vec<&Vec<f64>>, Vec<_>) = new.into_iter().partition(|x| engine.domain().contains(x));
    engine.each_row(
        &inside,
        |x| x,
        |engine, input, examined, row| {
            evaluations += row.len();
            keep(engine, input, examined, row);
        },
    );
    // Outside a response is owed, if one can be told from a result, and only other ranges show there.
    let tells = engine.judge().tells();
    let formats = engine.domain().formats.clone();
    let is_input = |x: &[f64]| x.iter().zip(&formats).all(|(x, format)| x.is_finite() && format.nearest(*x) == *x);
    for input in outside.into_iter().filter(|x| tells && is_input(x)).take_while(|_| !halt::requested()) {
        let expectation = Expectation::OutOfRange(engine.spec().out_of_range);
        let row = outside_row(engine, input);
        evaluations += row.len();
        keep(engine, input, Examined { input: input.clone(), expectation }, row);
    }
    evaluations
}

fn is_there(engine: &Engine<'_>, input: &[f64]) -> bool {
    engine.tests().iter().any(|t| t.input == input)
}

/// An input with its row is a test again if it kills a mutant.
fn keep(engine: &mut Engine<'_>, input: &[f64], examined: Examined, row: Vec<MatrixCell>) {
    if is_there(engine, input) {
        return;
    }
    let killed = || (0..row.len()).filter(|m| matches!(row[*m], MatrixCell::Ko { .. }));
    if let Some(target) = killed().find(|m| engine.is_open(*m)).or_else(|| killed().next()) {
        engine.add(examined, row, Origin::Earlier, target);
    }
}
