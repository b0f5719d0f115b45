//! The tests that a person brings, such as the inputs that take the branches of an implementation: wanted whatever they kill.

use super::Origin;
use super::engine::Engine;
use super::run::Interrupt;

/// Add inputs as tests, each with its reason; what lies outside of the domain, and where f has no value, is left out.
pub(super) fn add(engine: &mut Engine<'_>, given: &[(Vec<f64>, String)], interrupt: &Interrupt<'_>) {
    for (input, reason) in given.iter().take_while(|_| !interrupt.stopped()) {
        if !engine.domain().contains(input) {
            continue;
        }
        let Some(examined) = engine.examine(input) else { continue };
        let row = engine.row(&examined);
        // A row that was not finished is none.
        if !interrupt.stopped() {
            engine.add_expected(examined, row, Origin::Given, reason.clone());
        }
    }
}
