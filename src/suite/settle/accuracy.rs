//! Mutants with a larger error bound: never KO, probably killed as in the paper, or proved not to reach far enough.

use crate::cover::{At, Covered, Order, PartLook, cover};
use crate::equiv::Prover;
use crate::floats::middle_float;
use crate::halt;
use crate::mutate::Change;
use crate::num::float::{floor_log2, power_of_two, rational, rational_to_f64};
use crate::num::mpfr::Round;
use crate::num::{AtMost, Interval, Rational};
use crate::oracle::{Ends, Ladder, LadderSeen, tolerance};
use crate::points::probes::probes;
use crate::solve::StopReason;
use crate::solve::bisect::largest_halves;
use crate::spec::Accuracy;
use crate::suite::run::Interrupt;
use crate::suite::settle::proofs::{FEW_BOXES, boxes};
use crate::suite::state::engine::{Engine, Kind};
use crate::suite::{EquivalenceProof, Origin, Reason, Status};
use crate::tape::eval::{Boxes, Enclosure, Points};
use crate::tape::simplify::sharpen;
use crate::tape::{NodeId, Tape, evaluate};

/// Judge every open mutant of this kind.
pub(in crate::suite) fn judge(engine: &mut Engine<'_>, budget: u64, interrupt: &Interrupt<'_>) {
    let open: Vec<usize> = (0..engine.kinds().len())
        .filter(|i| engine.is_open(*i) && matches!(engine.kinds()[*i], Kind::Accuracy))
        .collect();
    if open.is_empty() {
        return;
    }
    let sharp = Sharp::new(engine);
    let best = largest_values(engine, &sharp);
    let mut higher: Option<Vec<Vec<f64>>> = None;
    let shown = |engine: &mut Engine<'_>, mutant: usize, points: &[Vec<f64>]| {
        points
            .iter()
            .take_while(|_| !halt::requested())
            .any(|x| engine.reaches(mutant, x) && engine.try_input(x, Origin::Accuracy, mutant))
    };
    // The smallest change is the hardest: what shows it shows the larger ones too.
    for &mutant in &open {
        if interrupt.stopped() {
            return;
        }
        if !engine.is_open(mutant) || shown(engine, mutant, &best) {
            continue;
        }
        let climb = || best.iter().take(CLIMBS).map(|x| climb(engine, &sharp, x.clone())).collect();
        let higher = higher.get_or_insert_with(climb);
        if !shown(engine, mutant, higher) {
            let status = small_everywhere(engine, &sharp, mutant, budget);
            engine.set(mutant, status);
        }
    }
}

/// From how many points to climb.
const CLIMBS: usize = 4;
/// How often the step of a climb is halved: down to neighbouring floats.
const HALVINGS: i32 = 52;

/// A point with a larger |f| near another: one input after the other moves by steps that shrink as long as that helps
/// (R. Hooke, T. A. Jeeves, "Direct search", 1961). Poles are found so that are at no probe.
fn climb(engine: &Engine<'_>, sharp: &Sharp, mut best: Vec<f64>) -> Vec<f64> {
    let mut size = sharp.approximate(&best).abs();
    for halving in (2..HALVINGS).take_while(|_| !halt::requested()) {
        for input in 0..best.len() {
            for sign in [1.0, -1.0] {
                let mut point = best.clone();
                point[input] += sign * point[input].abs() * 0.5f64.powi(halving);
                let point = engine.domain().clamp(&point);
                let here = sharp.approximate(&point).abs();
                if here.is_finite() && here > size {
                    (best, size) = (point, here);
                }
            }
        }
    }
    best
}

/// The specification's function with its differences cancelled: what is left of them as written may be nothing.
struct Sharp {
    tape: Tape,
    f: NodeId,
}

impl Sharp {
    fn new(engine: &Engine<'_>) -> Self {
        let (tape, at) = sharpen(&engine.own().tape, &[engine.own().f], &engine.domain().ranges);
        Sharp { tape, f: at[0] }
    }

    /// The value in binary64 arithmetic.
    fn approximate(&self, input: &[f64]) -> f64 {
        let lanes: Vec<[f64; 1]> = input.iter().map(|v| [*v]).collect();
        let mut values = Vec::new();
        evaluate(&self.tape, &mut Points { inputs: &lanes }, &mut values);
        values[self.f.index()][0]
    }
}

/// How many points with a large |f| are tried.
const LARGEST: usize = 8;

/// Points with a large |f| in binary64 arithmetic: among probes and tests, and between those where |f| is a number and
/// those where it is beyond all numbers. Over the whole range of a format hardly any probe is near that edge.
fn largest_values(engine: &Engine<'_>, sharp: &Sharp) -> Vec<Vec<f64>> {
    let mut points = probes(engine.domain());
    points.extend(engine.tests().iter().map(|t| t.input.clone()).filter(|x| engine.domain().contains(x)));
    let sized = points.into_iter().map(|x| (sharp.approximate(&x).abs(), x));
    let (mut finite, beyond): (Vec<_>, Vec<_>) = sized.filter(|x| !x.0.is_nan()).partition(|x| x.0.is_finite());
    finite.sort_by(|a, b| b.0.total_cmp(&a.0));
    let edges = finite.iter().take(LARGEST).zip(&beyond).map(|(p, q)| edge(engine, sharp, p.1.clone(), q.1.clone()));
    let edges: Vec<Vec<f64>> = edges.collect();
    finite.truncate(LARGEST);
    finite.into_iter().map(|(_, x)| x).chain(edges).collect()
}

/// The last point on the way from `inside` to `outside`, by middle floats, at which |f| is a number.
fn edge(engine: &Engine<'_>, sharp: &Sharp, mut inside: Vec<f64>, mut outside: Vec<f64>) -> Vec<f64> {
    // As many steps as a float has bits.
    for _ in 0..64 {
        let middle: Vec<f64> = inside.iter().zip(&outside).map(|(p, q)| middle_float(p.min(*q), p.max(*q))).collect();
        let middle = engine.domain().clamp(&middle);
        if sharp.approximate(&middle).is_finite() {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

/// The boxes of the first, short cover: enough for most.
const FIRST_COVER: u64 = 256;

/// A proof that |f| is nowhere too large, the cheap ones first. What needs many boxes one way often needs few the other.
fn small_everywhere(engine: &mut Engine<'_>, sharp: &Sharp, mutant: usize, budget: u64) -> Status {
    let mut status = never_reaches(engine, sharp, mutant, FIRST_COVER.min(budget));
    for (parts, cover) in [(FEW_BOXES, budget), (boxes(budget), 0)] {
        if !matches!(status, Status::Undecided(_)) {
            break;
        }
        if let Some(proved) = bounded(engine, mutant, parts) {
            return proved;
        }
        if cover > FIRST_COVER {
            status = never_reaches(engine, sharp, mutant, cover);
        }
    }
    status
}

/// The proof by normal forms that |f| is nowhere so large that the larger tolerance exceeds the specification's by more
/// than the reach.
fn bounded(engine: &Engine<'_>, mutant: usize, parts: u32) -> Option<Status> {
    let Change::Accuracy(larger) = &engine.judged()[mutant].mutant.change else { return None };
    let limit = engine.reach().clone();
    let is_within = |size: f64| within(Interval::point(size), &engine.spec().accuracy, larger, &limit);
    let (mut low, mut high) = (0.0, f64::MAX);
    if !is_within(low) {
        return None;
    }
    while low < middle_float(low, high) {
        let middle = middle_float(low, high);
        if is_within(middle) { low = middle } else { high = middle }
    }
    let mut prover = Prover::new(&engine.own().tape, engine.domain(), &engine.own().conditions).with_boxes(parts);
    if let Some(boxes) = prover.prove_at_most(engine.own().f, &rational(low)) {
        return Some(Status::Indistinguishable(EquivalenceProof::Bounded {
            bound: AtMost(low),
            strict: false,
            boxes: u64::from(boxes),
        }));
    }
    // An ulp is the same number up to the next power of two, and so is a tolerance that is all ulps.
    let next = rational(low.next_up());
    if engine.spec().accuracy.rel.is_some() || larger.rel.is_some() || next != power_of_two(floor_log2(&next)) {
        return None;
    }
    let boxes = prover.prove_below(engine.own().f, &next)?;
    let bound = AtMost(low.next_up());
    Some(Status::Indistinguishable(EquivalenceProof::Bounded { bound, strict: true, boxes: u64::from(boxes) }))
}

/// Cover D by boxes on each of which the larger tolerance stays within the reach; a box's middle that does not is a
/// test.
fn never_reaches(engine: &mut Engine<'_>, sharp: &Sharp, mutant: usize, budget: u64) -> Status {
    let Change::Accuracy(larger) = engine.judged()[mutant].mutant.change.clone() else {
        return Status::Undecided(Reason::NoDefinedPoint);
    };
    let limit = engine.reach().clone();
    let (mut values, mut sharper): (Vec<Enclosure>, Vec<Enclosure>) = (Vec::new(), Vec::new());
    let whole = engine.domain().ranges.clone();
    let covered = cover([whole], Order::Oldest, budget, |domain: &Vec<Interval>, At { depth, .. }| {
        evaluate(&engine.own().tape, &mut Boxes { inputs: domain }, &mut values);
        evaluate(&sharp.tape, &mut Boxes { inputs: domain }, &mut sharper);
        let mut f = values[engine.own().f.index()];
        let cancelled = sharper[sharp.f.index()];
        if cancelled.def.is_true() {
            f.x = f.x & cancelled.x;
        }
        if f.def.is_false() || within(f.x, &engine.spec().accuracy, &larger, &limit) {
            return PartLook::Done;
        }
        let middle: Vec<f64> = domain.iter().map(|x: &Interval| x.mid()).collect();
        let middle = engine.domain().clamp(&middle);
        // Exact examination is dear: only where binary64 arithmetic says that it is worth it.
        let size = Interval::point(sharp.approximate(&middle));
        let promising = size.is_bounded() && !within(size, &engine.spec().accuracy, &larger, &limit);
        if promising && engine.try_input(&middle, Origin::Accuracy, mutant) {
            return PartLook::End(Status::Probable);
        }
        match largest_halves(engine.domain(), domain, depth) {
            Some(two) => PartLook::Cut(two),
            None if point_within(engine, &middle, &larger, &limit) => PartLook::Done,
            None => PartLook::End(Status::Undecided(Reason::Stopped(StopReason::Unsettled))),
        }
    });
    match covered {
        Covered::All(boxes) => Status::Indistinguishable(EquivalenceProof::NeverReaches { boxes }),
        Covered::Budget => Status::Undecided(Reason::Stopped(StopReason::Budget)),
        Covered::Interrupted => Status::Undecided(Reason::Interrupted),
        Covered::Ended(status) => status,
    }
}

/// The same at one input, in multiple precision: binary64 intervals are too coarse among the subnormal numbers.
fn point_within(engine: &Engine<'_>, input: &[f64], larger: &Accuracy, limit: &Rational) -> bool {
    let mut ladder = Ladder::new(&engine.own().tape, input, engine.cap());
    let within = ladder.first(|ladder, level| match ladder.see(engine.own().spec(), level) {
        LadderSeen::Undefined => Some(()),
        LadderSeen::Value(set) => ((tolerance(&set.value, larger).hi - &set.tolerance.lo) <= *limit).then_some(()),
        LadderSeen::Vast { .. } | LadderSeen::Unsettled => None,
    });
    within.is_some()
}

/// Whether the larger tolerance exceeds the specification's by no more than `limit` at every value in `f`.
fn within(f: Interval, own: &Accuracy, larger: &Accuracy, limit: &Rational) -> bool {
    if !f.is_bounded() {
        return false;
    }
    let ends = |x: f64| Ends { lo: rational(x), hi: rational(x) };
    // The difference grows with |f|: both tolerances are the largest of parts of which the mutant's are k times the
    // specification's, so it is (k - 1) times the specification's.
    let size = ends(f.mag());
    let difference = tolerance(&size, larger).hi - tolerance(&size, own).lo;
    rational_to_f64(&difference, Round::Up) <= rational_to_f64(limit, Round::Down)
}
