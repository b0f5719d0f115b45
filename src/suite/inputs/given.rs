//! The tests that a person brings, such as the inputs that take the branches of an implementation: wanted whatever they kill.

use crate::suite::Origin;
use crate::suite::state::engine::Engine;

/// Add inputs as tests, each with its reason; what lies outside of the domain, and where f has no value, is left out.
pub(in crate::suite) fn add(engine: &mut Engine<'_>, given: &[(Vec<f64>, String)]) {
    let inside: Vec<&(Vec<f64>, String)> = given.iter().filter(|(x, _)| engine.domain().contains(x)).collect();
    engine.each_row(
        &inside,
        |(x, _)| x,
        |engine, (_, reason), examined, row| {
            engine.add_expected(examined, row, Origin::Given, reason.clone());
        },
    );
}
