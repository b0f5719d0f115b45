//! The tests that a person brings, such as the inputs that take the branches of an implementation: wanted whatever they kill.

use super::Origin;
use super::engine::{Engine, Look};
use super::run::Interrupt;

/// Add inputs as tests, each with its reason; what lies outside of the domain, and where f has no value, is left out.
pub(super) fn add(engine: &mut Engine<'_>, given: &[(Vec<f64>, String)], interrupt: &Interrupt<'_>) {
    let inside: Vec<&(Vec<f64>, String)> = given.iter().filter(|(x, _)| engine.domain().contains(x)).collect();
    for some in inside.chunks(engine.rows_at_once()) {
        let inputs: Vec<&[f64]> = some.iter().map(|(input, _)| input.as_slice()).collect();
        let rows = engine.examined_rows(&inputs, Look::Whole);
        // Rows that were not finished are none.
        if interrupt.stopped() {
            return;
        }
        for ((_, reason), row) in some.iter().zip(rows) {
            if let Some((examined, row)) = row {
                engine.add_expected(examined, row, Origin::Given, reason.clone());
            }
        }
    }
}
