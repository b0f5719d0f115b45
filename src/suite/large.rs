//! Runs of large formulas. Each mutant written whole, judged at each test, and searched for one by one, time, memory and
//! files would grow with the square of the formula. So a mutant is judged by what it changes, at one point after the other
//! until one kills it; what is left is proved by what it changes, and a bounded number of others is searched for.

mod sieve;

use super::adequacy::minimize;
use super::batches;
use super::inputs::defined;
use super::inputs::probing::SECOND_LOOKS;
use super::run::{Generated, Interrupt, NoRun, Options};
use super::state::engine::Engine;
use super::state::ground::Examined;
use super::{Counts, EquivalenceProof, Judged, MatrixCell, Reason, Row, Status, Test};
use crate::csp::Pair;
use crate::equiv::prove_equal;
use crate::mutate::Change;
use crate::num::{AtMost, Interval};
use crate::points::probes::{many, probes};
use crate::solve::Limits;
use crate::spec::Spec;
use sieve::Sieve;
use std::collections::HashMap;

/// Points after the probes at which mutants are judged, and again as many while some of them kill: a formula of many
/// choices needs a point of each.
const MORE: usize = 64;
/// The most of these points.
const MOST: usize = 1 << 12;
/// How often the domain is cut in two for a cover.
const CUTS: usize = 6;
/// Of how many nodes all formulas have together that are judged as in any other run, with the default budget: as many as
/// the largest run has that is not large. Unit: nodes of the tape.
const JUDGED: u64 = 1 << 22;
/// What their searches may take together, for each box of the budget of one. Unit: nodes of the tape.
const SEARCHED: u64 = 1 << 18;
/// Of how many nodes a part is that is proved to be the same, and all of them together.
const PART: usize = 256;
const PARTS: usize = 1 << 20;

/// A test with the mutants that it is the first to kill, each with its margin.
type Found = (Test, Vec<(usize, f64)>);

/// Judge the mutants of a large run.
///
/// # Errors
/// See [`super::generate`].
pub(super) fn judge(
    spec: &Spec,
    mut judged: Vec<Judged>,
    options: &Options,
    interrupt: &Interrupt<'_>,
) -> Result<Generated, NoRun> {
    let found = sift(spec, &mut judged, options, interrupt)?;
    let left = choose(spec, &mut judged, options);
    let mut some: Vec<Judged> = left.iter().map(|m| judged[*m].clone()).collect();
    some.iter_mut().for_each(|j| j.status = Status::Undecided(Reason::Interrupted));
    let known: Vec<Test> = found.iter().map(|(test, _)| test.clone()).collect();
    let all_boxes = SEARCHED.saturating_mul(options.limits.boxes) / spec.core.body.size() as u64;
    let of_left = Options { minimize: false, all_boxes, ..options.clone() };
    let run = batches::judge(spec, some, known, &of_left, interrupt)?;
    Ok(join(judged, &left, &found, run, options))
}

/// Judge at points what is changed at places of the formula, and prove what is the same there.
fn sift(spec: &Spec, judged: &mut [Judged], options: &Options, interrupt: &Interrupt<'_>) -> Result<Vec<Found>, NoRun> {
    let mut nobody = std::iter::empty();
    let engine =
        Engine::of_some(spec, &mut nobody, (options.precision_cap, interrupt.threads_of(options)), usize::MAX)?;
    let mut points = options.earlier.clone();
    points.retain(|p| engine.domain().contains(p));
    points.extend(probes(engine.domain()));
    defined::is_defined_somewhere(&engine, &points)?;
    let sieve = Sieve::new(spec, &judged.iter().map(|j| &j.mutant).collect::<Vec<_>>(), interrupt.threads_of(options));
    let mut open: Vec<usize> = Vec::new();
    for (mutant, one) in judged.iter_mut().enumerate().filter(|(m, _)| sieve.knows(*m)) {
        match sieve.is_same(mutant) {
            true => one.status = Status::Equivalent(EquivalenceProof::SameExpression),
            false => open.push(mutant),
        }
    }
    let (first, rest) = points.split_at(points.len().min(MORE));
    let mut sift = Sift { engine, sieve, found: Vec::new(), second_looks: SECOND_LOOKS };
    sift.points(first, &mut open, judged, interrupt);
    sift.prove(&mut open, judged, interrupt);
    sift.points(rest, &mut open, judged, interrupt);
    let more = many(sift.engine.domain(), spec.core.body.size().clamp(MORE, MOST));
    for points in more.chunks(MORE) {
        let before = open.len();
        sift.points(points, &mut open, judged, interrupt);
        if open.len() == before {
            break;
        }
    }
    sift.cover(&mut open, judged, interrupt);
    Ok(sift.found)
}

struct Sift<'a> {
    engine: Engine<'a>,
    sieve: Sieve,
    found: Vec<Found>,
    second_looks: usize,
}

impl Sift<'_> {
    /// Judge the open mutants at points; each that kills some is a test.
    fn points(&mut self, points: &[Vec<f64>], open: &mut Vec<usize>, judged: &mut [Judged], interrupt: &Interrupt<'_>) {
        for point in points {
            if open.is_empty() || interrupt.stopped() {
                return;
            }
            let mut kills = self.sieve.kills(point, open);
            let Some(&(target, _)) = kills.first() else { continue };
            let Some(examined) = self.examine(point).filter(Examined::asks_result) else { continue };
            kills.sort_unstable_by_key(|(m, _)| *m);
            kills.iter().for_each(|(m, _)| judged[*m].status = Status::Killed);
            open.retain(|m| kills.binary_search_by_key(m, |(m, _)| *m).is_err());
            let test = self.engine.test_of(examined, &judged[target].mutant, (self.found.len(), target));
            self.found.push((test, kills));
            interrupt.progress.iter().for_each(|tell| tell(judged.len() - open.len(), judged.len()));
        }
    }

    /// Prove of the open mutants that at no input of the domain the valid sets are disjoint, by a cover with few boxes.
    fn cover(&self, open: &mut Vec<usize>, judged: &mut [Judged], interrupt: &Interrupt<'_>) {
        let boxes = parts(&self.engine.domain().ranges);
        let mut left: Vec<(usize, f64)> = open.iter().map(|m| (*m, 0.0)).collect();
        for part in &boxes {
            if interrupt.stopped() {
                return;
            }
            let some: Vec<usize> = left.iter().map(|(m, _)| *m).collect();
            let near: HashMap<usize, f64> = self.sieve.near(part, &some).into_iter().collect();
            left = left.into_iter().filter_map(|(m, worst)| Some((m, near.get(&m)?.max(worst)))).collect();
        }
        for (mutant, worst) in left {
            let proof = EquivalenceProof::Cover { boxes: boxes.len() as u64, worst: AtMost(worst) };
            judged[mutant].status = Status::Indistinguishable(proof);
        }
        open.retain(|m| matches!(judged[*m].status, Status::Undecided(_)));
    }

    fn examine(&mut self, point: &[f64]) -> Option<Examined> {
        let examined = self.engine.glance(point);
        if examined.is_none() && self.second_looks > 0 {
            self.second_looks -= 1;
            return self.engine.examine(point);
        }
        examined
    }

    /// Prove of the open mutants that what they change is the same function on the domain. One change at many places is
    /// looked at once.
    fn prove(&self, open: &mut Vec<usize>, judged: &mut [Judged], interrupt: &Interrupt<'_>) {
        let (spec, mut left) = (self.engine.spec(), PARTS);
        let mut known: HashMap<_, bool> = HashMap::new();
        for mutant in open.iter().copied() {
            if interrupt.stopped() {
                return;
            }
            let Some((tape, from, to)) = self.sieve.part(mutant) else { continue };
            let is_same = *known.entry((from, to)).or_insert_with(|| {
                if ![from, to].iter().all(|n| tape.is_small(*n, PART)) {
                    return false;
                }
                // The conditions of the domain are on another tape: without them less is proved, and nothing wrong.
                let pair = Pair::extract(tape, from, to, &[], &spec.accuracy, &spec.accuracy);
                left = left.saturating_sub(pair.tape.len());
                left > 0 && prove_equal(&pair.tape, pair.f, pair.g, self.engine.domain(), &[]).is_some()
            });
            if is_same {
                judged[mutant].status = Status::Equivalent(EquivalenceProof::SamePart);
            }
        }
        open.retain(|m| matches!(judged[*m].status, Status::Undecided(_)));
    }
}

/// The domain's box, cut in two along one input after the other.
fn parts(ranges: &[Interval]) -> Vec<Vec<Interval>> {
    let mut parts = vec![ranges.to_vec()];
    for input in (0..ranges.len()).cycle().take(CUTS) {
        let cut = |part: &Vec<Interval>| {
            let range = part[input];
            let middle = range.mid();
            let halves = [Interval::new(range.inf(), middle), Interval::new(middle, range.sup())];
            halves.map(|half| part.iter().enumerate().map(|(k, r)| if k == input { half } else { *r }).collect())
        };
        parts = parts.iter().flat_map(cut).collect();
    }
    parts
}

/// The mutants that are judged as in any other run: those that are no changes at places, and of the others as many as there
/// is room for, which grows with the budget of a search. What is left is undecided.
fn choose(spec: &Spec, judged: &mut [Judged], options: &Options) -> Vec<usize> {
    let nodes = JUDGED.saturating_mul(options.limits.boxes) / Limits::default().boxes;
    let mut room = nodes / spec.core.body.size() as u64;
    let mut chosen = Vec::new();
    for (mutant, one) in judged.iter_mut().enumerate() {
        let is_edit = matches!(&one.mutant.change, Change::Body(body) if body.edit().is_some());
        match &one.status {
            Status::Undecided(_) if !is_edit => chosen.push(mutant),
            Status::Undecided(_) if room > 0 => {
                room -= 1;
                chosen.push(mutant);
            }
            Status::Undecided(_) => one.status = Status::Undecided(Reason::NotSearched),
            _ => {}
        }
    }
    chosen
}

/// The whole run: what was found at points, and the run of those that were left.
fn join(mut judged: Vec<Judged>, left: &[usize], found: &[Found], run: Generated, options: &Options) -> Generated {
    let mutants = judged.len();
    let mut tests = run.tests;
    for test in tests.iter_mut().skip(found.len()) {
        test.target = test.target.map(|t| left[t]);
    }
    let row = |(t, row): (usize, Row)| {
        let mut cells: Vec<(u32, MatrixCell)> = row.known().map(|(k, cell)| (left[k] as u32, cell)).collect();
        let kills = found.get(t).into_iter().flat_map(|(_, kills)| kills);
        cells.extend(kills.map(|(m, margin)| (*m as u32, MatrixCell::Ko { margin: *margin })));
        cells.sort_unstable_by_key(|(m, _)| *m);
        Row::Known { mutants, cells }
    };
    let mut matrix: Vec<Row> = run.matrix.into_iter().enumerate().map(row).collect();
    for (m, one) in left.iter().zip(run.mutants) {
        judged[*m] = one;
    }
    if options.minimize {
        minimize::minimize(&mut tests, &mut matrix, &judged);
    }
    let counts = Counts::of(&judged);
    Generated { mutants: judged, tests, matrix, counts, is_large: true, ..run }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::{OperatorSet, mutants};
    use crate::spec::{Overrides, parse_file, resolve};

    /// Sums and products, a name that is used twice, choices, operations with a domain, and values beyond all floats.
    const SPECS: [&str; 6] = [
        "(FPCore (x y) :pre (and (<= 1 x 4) (<= 1 y 2)) :magneto-rel-error 1e-6
           (+ (* 3 x) (- (/ (* 2 y) (+ x 7)) (* x y 4)) (- (* y 6))))",
        "(FPCore (x y) :pre (and (<= 1 x 4) (<= 1 y 2)) :magneto-rel-error 1e-6
           (let* ([a (+ x 1)] [b (* a y)] [c (- (* b b) a)]) (/ (+ (* a b c) 2) (- c 100))))",
        "(FPCore (x y) :pre (and (<= -1 x 4) (<= 1 y 2) (< (+ x y) 5)) :magneto-abs-error 1e-6
           (if (and (< x y) (not (== x 0))) (+ (* x 3) (sqrt (+ x 1))) (let ([p (<= 2 x)]) (if p (- x y) (log y)))))",
        "(FPCore (x) :pre (<= 1 x 900) :magneto-rel-error 1e-9 (+ (* 943 x) (* 2 (fmin x 7)) (fabs (* x 3))))",
        "(FPCore (x) :pre (<= -0.9 x 1000) :magneto-ulps (2 binary64) (fma 2 x (log (+ 1 x))))",
        "(FPCore (x) :pre (<= -2 x 2) :magneto-rel-error 1e-6 :magneto-out-of-range reject (/ (+ x 3) (+ (* x x) 1)))",
    ];

    #[test]
    fn what_is_sifted_is_judged_as_in_any_other_run() {
        let (mut killed, mut parts) = (0, 0);
        for source in SPECS {
            let spec = resolve(&parse_file(source.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap();
            let options = Options { operators: OperatorSet::Full, jobs: 2, ..Options::default() };
            let all = || mutants(&spec, &options.operators).into_iter().map(Judged::new).collect::<Vec<_>>();
            let whole = batches::judge(&spec, all(), Vec::new(), &options, &Interrupt::default()).unwrap();
            let large = judge(&spec, all(), &options, &Interrupt::default()).unwrap();
            assert_eq!(large.matrix.len(), large.tests.len());
            let mut sifted = all();
            sift(&spec, &mut sifted, &options, &Interrupt::default()).unwrap();
            for (m, (a, b)) in large.mutants.iter().zip(&whole.mutants).enumerate() {
                let about = format!("{}: {} -> {}", spec.name, a.mutant.before, a.mutant.after);
                assert_eq!(a.mutant.id, b.mutant.id);
                let is_killed = |s: &Status| *s == Status::Killed;
                let is_open = |s: &Status| matches!(s, Status::Undecided(_));
                assert!(
                    is_open(&a.status) || is_open(&b.status) || is_killed(&a.status) == is_killed(&b.status),
                    "{about}"
                );
                assert_eq!(
                    is_killed(&a.status),
                    large.matrix.iter().any(|row| matches!(row[m], MatrixCell::Ko { .. })),
                    "{about}"
                );
                killed += usize::from(is_killed(&sifted[m].status));
                parts += usize::from(matches!(a.status, Status::Equivalent(EquivalenceProof::SamePart)));
            }
        }
        assert!(killed > 500 && parts > 1, "{killed} {parts}");
    }

    #[test]
    fn every_branch_of_many_gets_points() {
        let choices: String = (1..150).map(|k| format!("(if (< x {k}) (* x {}) ", k + 2)).collect();
        let (spec, mut all) = of(&format!("(FPCore (x) :pre (<= 0 x 150) {choices} x{})", ")".repeat(149)));
        // One change in each branch.
        all.retain(|j| j.mutant.before.starts_with("(* x") && j.mutant.after.starts_with("(+ x"));
        assert_eq!(all.len(), 149);
        sift(&spec, &mut all, &Options { jobs: 1, ..Options::default() }, &Interrupt::default()).unwrap();
        let killed = all.iter().filter(|j| j.status == Status::Killed).count();
        assert!(killed > 135, "{killed}");
    }

    /// A formula with values that no result depends on.
    const IDLE: &str = "(FPCore (x y) :pre (and (<= 1 x 4) (<= 1 y 2)) :magneto-rel-error 1e-6
        (let ([a (* x y)] [b (/ (+ x 3) y)] [c (sqrt (+ x y))]) (let ([d (* b 7)]) (+ a (* 3 x)))))";

    fn of(source: &str) -> (Spec, Vec<Judged>) {
        let spec = resolve(&parse_file(source.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap();
        let all = mutants(&spec, &OperatorSet::Full).into_iter().map(Judged::new).collect();
        (spec, all)
    }

    #[test]
    fn what_no_result_depends_on_is_the_same_expression_without_a_search() {
        let (spec, all) = of(IDLE);
        let options = Options { jobs: 1, ..Options::default() };
        let whole = batches::judge(&spec, all.clone(), Vec::new(), &options, &Interrupt::default()).unwrap();
        let mut sifted = all;
        sift(&spec, &mut sifted, &options, &Interrupt::default()).unwrap();
        let same = |s: &Status| matches!(s, Status::Equivalent(EquivalenceProof::SameExpression));
        let idle = sifted.iter().zip(&whole.mutants).filter(|(a, _)| same(&a.status));
        let idle: Vec<_> =
            idle.map(|(a, b)| (same(&b.status), a.mutant.before.clone(), a.mutant.after.clone())).collect();
        assert!(idle.len() > 300, "{}", idle.len());
        assert!(idle.iter().all(|(is_same, ..)| *is_same), "{idle:?}");
    }

    #[test]
    fn searches_end_where_their_common_budget_does_and_a_larger_one_decides_the_rest() {
        let (spec, all) = of("(FPCore (x y) :pre (and (<= 0 x 3) (<= 0 y 3)) :magneto-abs-error 0.05
            (+ (* (sin x) (exp (- y))) (* 0.1 (cos (* x y)))))");
        let run = |all_boxes: u64| {
            // One turn, so that several batches of searches take all of it.
            let limits = Limits { boxes: 100, ..Limits::default() };
            let options = Options { proofs: false, jobs: 1, limits, all_boxes, ..Options::default() };
            batches::judge(&spec, all.clone(), Vec::new(), &options, &Interrupt::default()).unwrap()
        };
        let whole = run(u64::MAX);
        let (none, some) = (run(0), run(whole.boxes / 4));
        let boxes = [none.boxes, some.boxes, whole.boxes];
        assert!(boxes[0] == 0 && boxes[1] >= boxes[2] / 4 && boxes[1] < boxes[2], "{boxes:?}");
        let open = [none, some, whole].map(|r| r.counts.undecided);
        assert!(open[0] > open[1] && open[1] > open[2], "{open:?}");
    }
}
