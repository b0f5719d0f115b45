//! Specifications of one input that have no test beside 0: what an iteration comes near to may be below all numbers of the
//! result format, and not 0, so that no result meets a relative accuracy.

use crate::csp::Pair;
use crate::num::Interval;
use crate::oracle::{Comparison, Ladder, compare};
use crate::spec::InputBox;
use crate::suite::run::Interrupt;
use crate::suite::state::beyond::{Unreachable, never_near};
use crate::suite::state::engine::Engine;
use crate::suite::{EquivalenceProof, NoTest, Status};

/// Prove of the open mutants that no input kills them, where there can be no test but at 0.
pub(in crate::suite) fn settle(engine: &mut Engine<'_>, interrupt: &Interrupt<'_>) {
    let open = engine.open_bodies();
    let Some(boxes) = (if open.is_empty() || interrupt.stopped() { None } else { boxes_beside_0(engine) }) else {
        return;
    };
    let has_0 = engine.domain().ranges[0].contains(0.0);
    for mutant in open {
        if interrupt.stopped() {
            return;
        }
        if !has_0 || lives_at_0(engine, mutant) {
            let none = NoTest { inputs: 0, boxes };
            engine.settle(mutant, Status::Indistinguishable(EquivalenceProof::NoTest(none)));
        }
    }
}

/// How many boxes show that no input but 0 can be a test; none where that is not shown.
fn boxes_beside_0(engine: &Engine<'_>) -> Option<u64> {
    let [range] = engine.domain().ranges[..] else { return None };
    if engine.tests().iter().any(|t| t.input[0] != 0.0) {
        return None;
    }
    let accuracy = &engine.spec().accuracy;
    let sizes = Unreachable::new(engine.spec(), accuracy)?;
    let pair = Pair::extract(engine.tape(), engine.root(), engine.root(), engine.conditions(), accuracy, accuracy);
    let least = engine.domain().formats[0].next_up(0.0)?;
    let sides = [range & Interval::new(f64::NEG_INFINITY, -least), range & Interval::new(least, f64::INFINITY)];
    let shown = sides.into_iter().filter(|side| !side.is_empty()).map(|side| {
        let part = InputBox { ranges: vec![side], ..engine.domain().clone() };
        // Where f has no value a mutant may be killed by having one.
        let none = never_near(&pair, &part, &sizes).filter(|none| none.has_values || !engine.judge().tells());
        none.map(|none| none.boxes)
    });
    shown.sum()
}

/// Whether the input 0 surely does not kill a mutant.
fn lives_at_0(engine: &Engine<'_>, mutant: usize) -> bool {
    let Some(pair) = engine.pair(mutant) else { return false };
    let mut ladder = Ladder::new(&pair.tape, &[0.0], engine.cap());
    matches!(compare(&mut ladder, pair.spec(), pair.mutant(), false), Comparison::Inside | Comparison::NotKilled)
}
