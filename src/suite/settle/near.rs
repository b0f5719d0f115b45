//! How near a mutant came to being killed that is left undecided.

use crate::csp::Pair;
use crate::csp::tolerance::Guess;
use crate::csp::verify::GLANCE;
use crate::num::Rational;
use crate::oracle::{Ladder, LadderSeen, ValidSet};
use crate::points::probes::{LANES, lanes};
use crate::suite::NearestMiss;
use crate::suite::run::Interrupt;
use crate::suite::state::engine::Engine;
use crate::tape::eval::Points;
use crate::tape::evaluate;

/// For what is left undecided, the probe at which it comes nearest to a kill, in binary64 arithmetic.
pub(in crate::suite) fn near_misses(engine: &mut Engine<'_>, points: &[Vec<f64>], interrupt: &Interrupt<'_>) {
    let tolerance = Guess::new(&engine.spec().accuracy);
    for mutant in engine.open_bodies() {
        if interrupt.stopped() {
            return;
        }
        let Some(pair) = engine.pair(mutant) else { continue };
        let mut values: Vec<[f64; LANES]> = Vec::new();
        let mut best: Option<NearestMiss> = None;
        for chunk in points.chunks(LANES) {
            evaluate(&pair.tape, &mut Points { inputs: &lanes(chunk, pair.tape.inputs()) }, &mut values);
            for (l, point) in chunk.iter().enumerate() {
                let (f, g) = (values[pair.f.index()][l], values[pair.g.index()][l]);
                let ratio = (f - g).abs() / (tolerance.at(f) + tolerance.at(g));
                let is_best = ratio.is_finite() && best.as_ref().is_none_or(|b| ratio > b.ratio);
                if is_best && engine.inside(point) {
                    best = Some(NearestMiss { input: point.clone(), ratio });
                }
            }
        }
        engine.set_near_miss(mutant, best.and_then(|b| exactly(engine, &pair, b)));
    }
}

/// A near miss with its ratio from multiple precision: binary64 arithmetic may take one ulp for two where f is just below a
/// power of two, and rounding errors for a difference. None where so many bits do not show the ratio.
fn exactly(engine: &Engine<'_>, pair: &Pair, miss: NearestMiss) -> Option<NearestMiss> {
    let mut ladder = Ladder::new(&pair.tape, &miss.input, engine.cap().min(GLANCE));
    let ratio = ladder.first(|ladder, level| {
        let (LadderSeen::Value(f), LadderSeen::Value(g)) =
            (ladder.see(pair.spec(), level), ladder.see(pair.mutant(), level))
        else {
            return None;
        };
        let room = Rational::from(&f.tolerance.hi + &g.tolerance.hi);
        let distance = (f.middle() - g.middle()).abs();
        let width = |set: &ValidSet| Rational::from(&set.value.hi - &set.value.lo);
        let known = (width(&f) + width(&g)) * 1000 <= distance;
        (known && room > 0).then(|| (distance / room).to_f64())
    })?;
    Some(NearestMiss { ratio, ..miss })
}
