//! Probes: binary64 arithmetic on all mutants at once says which points are worth an exact look.

use crate::csp::decide::seems_killed;
use crate::csp::tolerance::Guess;
use crate::halt;
use crate::points::probes::{LANES, lanes};
use crate::suite::run::Interrupt;
use crate::suite::state::bits::Bits;
use crate::suite::state::engine::Engine;
use crate::suite::{MatrixCell, Origin};
use crate::tape::eval::Points;
use crate::tape::{NeededValues, NodeId, Tape};
use crate::threads::Room;

/// How many probe points that a glance does not settle are examined up to the cap of the precision. Where the whole
/// range of a format is the domain, powers of huge numbers are never settled, and each examination costs much.
pub(in crate::suite) const SECOND_LOOKS: usize = 64;

/// The part of the mutants that few are: of so many that a point seems to kill one nearly always is killed.
const FEW: usize = 8;

/// A mutant that may depend on rounds of a loop that are not written out is given up after so many points that seem to kill it and
/// do not: of rounds that go on nothing is known at nearly all of the others either.
const MISSES: u32 = 32;

/// The probe points, best first: each time the one that kills most of what is left. Returns how often a mutant was
/// evaluated.
pub(in crate::suite) fn probe(engine: &mut Engine<'_>, points: &[Vec<f64>], interrupt: &Interrupt<'_>) -> usize {
    let mut second_looks = SECOND_LOOKS;
    let open = engine.open_bodies();
    let roots: Vec<NodeId> = open.iter().filter_map(|i| engine.root_of(*i)).collect();
    // kills[p]: the mutants open[k] that point p seems to kill, of which there are left[p].
    let mut kills = predicted(engine, &roots, points);
    let mut left: Vec<usize> = kills.iter().map(Bits::count).collect();
    let mut counted: Vec<bool> = vec![true; open.len()];
    let unknowns = engine.tape().unknowns();
    let may_go_on: Vec<bool> = roots.iter().map(|root| unknowns[root.index()]).collect();
    let mut misses: Vec<u32> = vec![0; open.len()];
    while !interrupt.stopped() {
        let best = left.iter().enumerate().max_by_key(|(p, left)| (**left, points.len() - p));
        let Some((p, _)) = best.filter(|(_, left)| **left > 0) else { break };
        let targets: Vec<usize> = kills[p].ones().map(|k| open[k]).collect();
        let mut examined = engine.glance(&points[p]);
        if examined.is_none() && second_looks > 0 {
            second_looks -= 1;
            examined = engine.examine(&points[p]);
        }
        // A row is worth its time where one of those is killed.
        let is_kill = |c: &MatrixCell| matches!(c, MatrixCell::Ko { .. });
        let is_sure = FEW * targets.len() > engine.kinds().len();
        if let Some(examined) = examined {
            let is_worth_it = is_sure || engine.cells(&examined, &targets).iter().any(is_kill);
            let row = is_worth_it.then(|| engine.open_row(&examined));
            let lives = |k: &usize| row.as_ref().is_none_or(|row| !is_kill(&row.cells[open[*k]]));
            kills[p].ones().filter(lives).for_each(|k| misses[k] += 1);
            // A row that was not finished is none.
            if let Some(row) = row.filter(|_| !interrupt.stopped())
                && let Some(&target) = targets.iter().find(|i| engine.is_open(**i) && is_kill(&row.cells[**i]))
            {
                engine.add(examined, row, Origin::Probe, target);
            }
        }
        (kills[p], left[p]) = (Bits::new(open.len()), 0);
        let is_done = |k: usize| !engine.is_open(open[k]) || may_go_on[k] && misses[k] >= MISSES;
        for k in (0..open.len()).filter(|k| is_done(*k)) {
            if std::mem::take(&mut counted[k]) {
                kills.iter_mut().zip(&mut left).for_each(|(kills, left)| *left -= usize::from(kills.clear(k)));
            }
        }
    }
    points.len() * open.len()
}

/// Binary64 arithmetic says at which points which mutants differ by more than the tolerances. A guess: every kill is
/// verified later. What is not looked at any more when the work is to end early seems to kill nothing.
pub(super) fn predicted(engine: &Engine<'_>, roots: &[NodeId], points: &[Vec<f64>]) -> Vec<Bits> {
    let mut all = vec![engine.root()];
    all.extend(roots);
    let (tape, at): (Tape, Vec<NodeId>) = engine.tape().extract(&all);
    let tolerance = Guess::new(&engine.spec().accuracy);
    let chunks: Vec<&[Vec<f64>]> = points.chunks(LANES).collect();
    let room = Room::default();
    let chunk = |points: &&[Vec<f64>]| {
        let mut kills = vec![Bits::new(roots.len()); points.len()];
        if halt::requested() {
            return kills;
        }
        room.with(|values: &mut NeededValues<[f64; LANES]>| {
            values.evaluate(&tape, &mut Points { inputs: &lanes(points, tape.inputs()) }, at.iter().copied());
            for (l, kills) in kills.iter_mut().enumerate() {
                let f = values.value(at[0])[l];
                for (k, g) in at[1..].iter().enumerate() {
                    if seems_killed(f, values.value(*g)[l], &tolerance, &tolerance) {
                        kills.set(k);
                    }
                }
            }
        });
        kills
    };
    engine.threads().side_by_side(1, &chunks, chunk).concat()
}
