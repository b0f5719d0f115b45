//! Whether there is an input to test at all.

use crate::halt;
use crate::suite::inputs::probing::SECOND_LOOKS;
use crate::suite::inputs::somewhere::{Somewhere, somewhere};
use crate::suite::run::NoRun;
use crate::suite::state::engine::Engine;

/// That there is an input to test.
pub(in crate::suite) fn is_defined_somewhere(engine: &Engine<'_>, points: &[Vec<f64>]) -> Result<(), NoRun> {
    if points.iter().any(|p| engine.glance(p).is_some_and(|e| e.asks_result()))
        || points.iter().take(SECOND_LOOKS).any(|p| has_value(engine, p))
    {
        return Ok(());
    }
    defined_somewhere(engine)
}

/// Whether the conditions hold at an input and f has a value there with a result to ask for.
fn has_value(engine: &Engine<'_>, input: &[f64]) -> bool {
    engine.examine(input).is_some_and(|e| e.asks_result())
}

/// Look for one input at which f has a value and the conditions hold: no probe had one.
fn defined_somewhere(engine: &Engine<'_>) -> Result<(), NoRun> {
    let found = somewhere(engine, engine.domain().ranges.clone(), |x| has_value(engine, x));
    match found {
        Somewhere::At(_) => Ok(()),
        // Not looked at to the end.
        Somewhere::NotFound if halt::requested() => Ok(()),
        Somewhere::Nowhere => Err(NoRun::NowhereDefined),
        Somewhere::NotFound => Err(NoRun::NoInputFound),
    }
}
