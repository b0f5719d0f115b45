//! Probes where conditions go over. A comparison that is wrong only where its sides are equal, or by little, differs at
//! so few inputs that no sequence of points has one of them.
//!
//! One input moves, the others stay at a point with short numbers, so that the sides can be equal exactly.

use crate::csp::Verifier;
use crate::csp::decide::probe as first_kill;
use crate::points::Bracket;
use crate::points::switches::{Line, STEPS, comparison, steps};
use crate::suite::Origin;
use crate::suite::run::Interrupt;
use crate::suite::state::engine::Engine;
use crate::tape::{NodeId, TapeNode};
use std::collections::{HashMap, HashSet};

/// The most points through which lines go.
const THROUGH: usize = 8;
/// The bits of their numbers, by turns: sums and products of 8 bits are exact, and so are quotients by powers of two.
const BITS: [u32; 2] = [8, 1];
/// The work for one mutant where two comparisons meet. Unit: nodes evaluated.
const WORK: usize = 5_000_000;

/// The work for all mutants on lines: the rounds of a loop have a comparison each, and each mutant has its own. Unit: nodes
/// evaluated.
const LINES: u64 = 1 << 30;
/// The work for all mutants at inputs that do not kill. Unit: nodes at the first precision.
pub(super) const VAIN: u64 = 1 << 25;

/// Two sides of a comparison.
type Sides = [NodeId; 2];
/// Inputs just before the sides are equal or change places, there, and just after.
type Tie = [Vec<f64>; 3];

/// Try each open mutant where the sides of its comparisons and the specification's are equal; if that does not kill it,
/// on lines through those points where those of another comparison are. Returns how often a mutant was evaluated.
/// `points` are points of the domain.
pub(in crate::suite) fn probe(engine: &mut Engine<'_>, points: &[Vec<f64>], interrupt: &Interrupt<'_>) -> usize {
    let mut evaluations = 0;
    if !engine.tape().nodes().iter().any(|n| matches!(n, TapeNode::If(..))) {
        return evaluations;
    }
    let mut ties = Ties::new(engine, points);
    let mut tried: HashSet<NodeId> = HashSet::new();
    let mut vain = 0;
    for mutant in engine.open_bodies() {
        if interrupt.stopped() || vain > VAIN {
            break;
        }
        let root = engine.root_of(mutant).filter(|g| engine.is_open(mutant) && tried.insert(*g));
        let (Some(g), Some(pair)) = (root, engine.pair(mutant)) else { continue };
        let all = comparisons(engine, g);
        let single = all.iter().map(|c| (*c, None));
        let crossing = all.iter().flat_map(|on| all.iter().filter(move |of| *of != on).map(|of| (*of, Some(*on))));
        let mut verifier = Verifier::new(&pair, engine.rules());
        ties.begin(engine);
        let mut all = single.chain(crossing).take_while(|_| !interrupt.stopped());
        let mut kill = None;
        while kill.is_none()
            && vain + verifier.vain_nodes() <= VAIN
            && let Some((of, on)) = all.next()
        {
            let candidates: Vec<Vec<f64>> = ties.find(engine, of, on).iter().flatten().cloned().collect();
            evaluations += candidates.len();
            kill = first_kill(&pair, &candidates, &mut verifier);
        }
        vain += verifier.vain_nodes();
        if let Some(point) = kill {
            engine.try_input(&point, Origin::Probe, mutant);
        }
    }
    evaluations
}

/// The ties found so far: of a comparison, on lines through a few points or through ties of another comparison.
struct Ties {
    through: Vec<Vec<f64>>,
    known: HashMap<(Sides, Option<Sides>), Vec<Tie>>,
    /// How many comparisons may still be looked at on the ties of others.
    scans: usize,
    /// What lines may still take, see [`LINES`].
    left: u64,
}

impl Ties {
    fn new(engine: &Engine<'_>, points: &[Vec<f64>]) -> Self {
        let short = |(p, bits): (&Vec<f64>, &u32)| {
            let p: Vec<f64> = p.iter().map(|x| shortened(*x, *bits)).collect();
            engine.domain().clamp(&p)
        };
        let through = points.iter().take(THROUGH).zip(BITS.iter().cycle()).map(short).collect();
        Ties { through, known: HashMap::new(), scans: 0, left: LINES }
    }

    /// Begin with another mutant.
    fn begin(&mut self, engine: &Engine<'_>) {
        let lines = THROUGH * engine.domain().ranges.len();
        self.scans = WORK / (engine.own().tape.len() * lines * 2 * STEPS).max(1);
    }

    fn find(&mut self, engine: &Engine<'_>, of: Sides, on: Option<Sides>) -> &[Tie] {
        if !self.known.contains_key(&(of, on)) {
            let found = match on {
                None => ties_of(engine, of, &self.through, &mut self.left),
                Some(_) if self.scans == 0 => return &[],
                Some(on) => {
                    self.scans -= 1;
                    let on = self.known.get(&(on, None)).into_iter().flatten();
                    let through: Vec<Vec<f64>> = on.take(THROUGH).map(|[_, there, _]| there.clone()).collect();
                    ties_of(engine, of, &through, &mut self.left)
                }
            };
            self.known.insert((of, on), found);
        }
        &self.known[&(of, on)]
    }
}

/// The number cut off after some of its leading bits, from 1 to 53.
fn shortened(x: f64, bits: u32) -> f64 {
    f64::from_bits(x.to_bits() & u64::MAX << (53 - bits))
}

/// The comparisons on which the specification or a mutant depends.
fn comparisons(engine: &Engine<'_>, mutant: NodeId) -> Vec<Sides> {
    let sides = |id: NodeId| match engine.tape().node(id) {
        TapeNode::Less(a, b) | TapeNode::LessEq(a, b) | TapeNode::Equal(a, b) => Some([a, b]),
        _ => None,
    };
    let mut all: Vec<Sides> = engine.tape().below(&[engine.root(), mutant]).into_iter().filter_map(sides).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Where the sides of a comparison are equal or change places on lines through some points; nowhere if that takes more nodes
/// than are left.
fn ties_of(engine: &Engine<'_>, sides: Sides, through: &[Vec<f64>], left: &mut u64) -> Vec<Tie> {
    let (tape, at) = engine.tape().extract(&sides);
    let lines = through.len() * engine.domain().ranges.len();
    match left.checked_sub((tape.len() * lines * 2 * STEPS) as u64) {
        Some(rest) => *left = rest,
        None => return Vec::new(),
    }
    let choice = [comparison([at[0], at[1]])];
    let mut found = Vec::new();
    for (input, (range, format)) in engine.domain().ranges.iter().zip(&engine.domain().formats).enumerate() {
        if !tape.nodes().iter().any(|n| matches!(n, TapeNode::Var(i) if *i as usize == input)) {
            continue;
        }
        let xs = steps(range.inf(), range.sup(), *format);
        for point in through.iter().take_while(|_| !crate::halt::requested()) {
            let places = Line::new(&tape, point, input).changes(&choice, &xs, *format);
            for Bracket { before, after: there } in places.into_iter().flatten() {
                let after = format.next_up(there).filter(|x| *x <= range.sup()).unwrap_or(there);
                found.push([before, there, after].map(|x| {
                    let mut point = point.clone();
                    point[input] = x;
                    point
                }));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::{MutationOperator, OperatorSet};
    use crate::spec::{Overrides, Spec, parse_file, resolve};
    use crate::suite::{self, Generated, Options, Status};

    fn spec(text: &str) -> Spec {
        resolve(&parse_file(text.as_bytes()), 0, "text.fpcore", &Overrides::default()).unwrap()
    }

    /// The run without any search.
    fn probed(text: &str, operator: MutationOperator) -> Generated {
        let mut options = Options { operators: OperatorSet::Only(vec![operator]), jobs: 1, ..Options::default() };
        options.limits.boxes = 0;
        suite::generate(&spec(text), &options, &Interrupt::default()).unwrap()
    }

    /// The input that kills the mutant with a change.
    fn killer<'g>(g: &'g Generated, before: &str, after: &str) -> &'g [f64] {
        let of_it = |m: &usize| g.mutants[*m].mutant.before == before && g.mutants[*m].mutant.after == after;
        let m = (0..g.mutants.len()).find(of_it).expect("a mutant");
        assert_eq!(g.mutants[m].status, Status::Killed, "{before} -> {after}");
        let test = (0..g.tests.len()).find(|t| g.matrix[*t][m].is_kill()).expect("a test");
        &g.tests[test].input
    }

    #[test]
    fn sides_are_made_equal() {
        let text = "(FPCore (a b) :precision binary64 :pre (and (<= 0.5 a 20) (<= 0.01 b 300))
            (if (< (- (* a a) b) 0) -1 (/ b (+ a (sqrt (- (* a a) b))))))";
        let g = probed(text, MutationOperator::Binary);
        let at = killer(&g, "(< (- (* a a) b) 0)", "(<= (- (* a a) b) 0)");
        assert!(at[0] * at[0] == at[1] && (at[0].to_bits() << 40) == 0, "{at:?}");
        // A quotient that is exact.
        let text = "(FPCore (a b) :precision binary64 :pre (and (<= 0 a 10) (<= 0 b 10)) (if (< (* a b) 4) a (+ b 1)))";
        let g = probed(text, MutationOperator::Binary);
        let at = killer(&g, "(< (* a b) 4)", "(<= (* a b) 4)");
        assert_eq!(at[0] * at[1], 4.0, "{at:?}");
    }

    #[test]
    fn what_is_a_little_off_is_seen_beside_the_edge() {
        let text = "(FPCore (x y) :precision binary64 :pre (and (<= 0 x 1) (<= 0 y 1)) (if (< x 0.75) x (+ y 1)))";
        let g = probed(text, MutationOperator::Constant);
        let at = killer(&g, "0.75", "0.75000000075").to_vec();
        assert!((0.75..=0.75000001).contains(&at[0]), "{at:?}");
    }

    #[test]
    fn two_comparisons_meet() {
        let text = "(FPCore (x y) :precision binary64 :pre (and (<= 0 x 1) (<= 0 y 1))
            (if (or (< y x) (not (== y 0.25)) (< x 0.125)) (- 2 x) (* x y)))";
        let g = probed(text, MutationOperator::Delete);
        let before = "(or (< y x) (not (== y 0.25)) (< x 0.125))";
        let at = killer(&g, before, "TRUE");
        assert!(at[1] == 0.25 && (0.125..=0.25).contains(&at[0]), "{at:?}");
    }

    #[test]
    fn numbers_are_cut_off() {
        assert_eq!([8, 1].map(|bits| shortened(0.7548, bits)), [0.75390625, 0.5]);
        assert_eq!([8, 1, 53].map(|bits| shortened(-3.0, bits)), [-3.0, -2.0, -3.0]);
        assert_eq!(shortened(5e-324, 8), 0.0);
    }
}
