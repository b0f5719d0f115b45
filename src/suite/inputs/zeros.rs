//! Probes next to zeros of f. A relative tolerance shrinks with f, so that what differs from f by little anywhere differs
//! by more than the tolerances there; but these inputs are so few that neither a sequence of points nor the middle of a
//! box is one of them.

use super::ties::VAIN;
use crate::csp::Verifier;
use crate::csp::decide::probe as first_kill;
use crate::points::Bracket;
use crate::points::probes::probes;
use crate::points::switches::{Line, sign_of, steps};
use crate::suite::Origin;
use crate::suite::run::Interrupt;
use crate::suite::state::engine::Engine;
use crate::tape::TapeNode;

/// The most points through which lines go.
const THROUGH: usize = 12;

/// Try each open mutant at the neighbours of zeros of f, on lines along which one input moves.
pub(in crate::suite) fn probe(engine: &mut Engine<'_>, interrupt: &Interrupt<'_>) {
    let open = engine.open_bodies();
    if open.is_empty() {
        return;
    }
    let points = beside_zeros(engine);
    let mut vain = 0;
    for mutant in open {
        if interrupt.stopped() || vain > VAIN {
            return;
        }
        let Some(pair) = engine.pair(mutant).filter(|_| engine.is_open(mutant)) else { continue };
        let mut verifier = Verifier::new(&pair, engine.rules());
        let kill = first_kill(&pair, &points, &mut verifier);
        vain += verifier.vain_nodes();
        if let Some(point) = kill {
            engine.try_input(&point, Origin::Probe, mutant);
        }
    }
}

/// The inputs of the domain's box on both sides of a change of the sign of f.
fn beside_zeros(engine: &Engine<'_>) -> Vec<Vec<f64>> {
    let (tape, f) = (&engine.own().tape, engine.own().f);
    let sign = [sign_of(f)];
    let mut found = Vec::new();
    for (input, (range, format)) in engine.domain().ranges.iter().zip(&engine.domain().formats).enumerate() {
        if !tape.nodes().iter().any(|n| matches!(n, TapeNode::Var(i) if *i as usize == input)) {
            continue;
        }
        let xs = steps(range.inf(), range.sup(), *format);
        for point in probes(engine.domain()).iter().take(THROUGH) {
            let places = Line::new(tape, point, input).changes(&sign, &xs, *format);
            for Bracket { before, after: there } in places.into_iter().flatten() {
                found.extend([before, there].map(|x| {
                    let mut point = point.clone();
                    point[input] = x;
                    point
                }));
            }
        }
    }
    found
}
