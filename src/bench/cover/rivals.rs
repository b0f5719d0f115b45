//! Other ways to look for inputs, under the same number of runs: at random; by the alternating-variable method over
//! values; and by basin hopping with Powell's method on the representing function of CoverMe (Fu and Su, PLDI 2017,
//! sections 3 and 5: 0 where an input takes a new branch, else the distance at the last condition of which one side alone
//! was taken).

use super::powell::minimise;
use crate::code::ins::BranchTest;
use crate::code::program::CodeProgram;
use crate::code::relation::{CodeRelation, relation};
use crate::code::run::{Runner, Watch};
use crate::floats::BitsKind;
use crate::halt;
use crate::num::random::Random;
use crate::search::values::any;

/// A way to look for inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rival {
    /// Inputs of every size.
    Random,
    /// The alternating-variable method over values.
    Values,
    /// Basin hopping with Powell's method.
    Hopping,
}

/// Local minimisations from one start, of which each but the first begins beside the last minimum.
const HOPS: u32 = 6;
/// The first steps of the method over values.
const STEPS: [f64; 7] = [1.0, 1e-3, 1e-6, 1e-9, 1e3, 1e6, 1e12];
/// What is left of a strict comparison at equality.
const SMALL: f64 = 1e-10;

/// Run one of them; at which run each branch was taken, in order. `functions` are those whose branches count.
#[must_use]
pub(super) fn run(rival: Rival, program: &CodeProgram, functions: &[u32], evaluations: u64, seed: u64) -> Vec<u64> {
    let mut first = vec![None; program.module.sites.len()];
    let mut count = 0;
    for (site, _) in program.sites(functions) {
        first[site as usize] = Some(count);
        count += program.module.sites[site as usize].ways;
    }
    let seen = Seen {
        first,
        taken: vec![false; count as usize],
        fresh: Vec::new(),
        represented: 1.0,
        aim: None,
        distance: f64::INFINITY,
    };
    let kinds: Vec<BitsKind> = program.inputs.iter().map(|i| i.kind).collect();
    let runner = Runner::new(&program.module);
    let mut search =
        Search { program, runner, seen, kinds, evaluations, done: 0, taken: Vec::new(), rng: Random::seeded(seed) };
    // Each ends with the budget.
    let _ = match rival {
        Rival::Random => search.random(),
        Rival::Values => search.values(),
        Rival::Hopping => search.hopping(),
    };
    search.taken
}

struct Search<'p> {
    program: &'p CodeProgram,
    runner: Runner<'p>,
    seen: Seen,
    kinds: Vec<BitsKind>,
    evaluations: u64,
    done: u64,
    taken: Vec<u64>,
    rng: Random,
}

impl Search<'_> {
    fn run(&mut self, bits: &[u64]) -> Option<()> {
        let all = self.taken.len() == self.seen.taken.len();
        if self.done >= self.evaluations || all || halt::requested() {
            return None;
        }
        self.done += 1;
        (self.seen.represented, self.seen.distance) = (1.0, f64::INFINITY);
        // How the run ends does not matter.
        let _ = self.program.run(&mut self.runner, bits, &mut self.seen);
        for goal in self.seen.fresh.drain(..) {
            if !std::mem::replace(&mut self.seen.taken[goal as usize], true) {
                self.taken.push(self.done);
            }
        }
        Some(())
    }

    fn any(&mut self) -> Vec<u64> {
        self.kinds.iter().map(|k| any(*k, &mut self.rng)).collect()
    }

    fn random(&mut self) -> Option<()> {
        loop {
            let input = self.any();
            self.run(&input)?;
        }
    }

    fn at(&mut self, x: &[f64]) -> Option<()> {
        let bits: Vec<u64> = x.iter().zip(&self.kinds).map(|(x, k)| bits(*k, *x)).collect();
        self.run(&bits)
    }

    fn start(&mut self) -> Vec<f64> {
        let input = self.any();
        input.iter().zip(&self.kinds).map(|(x, k)| value(*k, *x)).map(|x| if x.is_nan() { 0.0 } else { x }).collect()
    }

    /// Each open branch in turn, from a random start.
    fn values(&mut self) -> Option<()> {
        while self.taken.len() < self.seen.taken.len() {
            for goal in 0..self.seen.taken.len() as u32 {
                if self.seen.taken[goal as usize] {
                    continue;
                }
                self.seen.aim = Some(goal);
                let mut x = self.start();
                self.at(&x)?;
                let mut here = self.seen.distance;
                let mut helped = here.is_finite();
                while helped && here > 0.0 {
                    helped = false;
                    for i in 0..x.len() {
                        helped |= self.along(&mut x, &mut here, i)?;
                    }
                }
            }
        }
        None
    }

    fn along(&mut self, x: &mut [f64], here: &mut f64, i: usize) -> Option<bool> {
        let mut helped = false;
        for step in STEPS.iter().flat_map(|s| [*s, -*s]) {
            let mut step = step;
            loop {
                let before = x[i];
                x[i] += step;
                self.at(x)?;
                if self.seen.distance >= *here {
                    x[i] = before;
                    break;
                }
                *here = self.seen.distance;
                helped = true;
                step *= 2.0;
            }
        }
        Some(helped)
    }

    fn hopping(&mut self) -> Option<()> {
        loop {
            let mut x = self.start();
            let mut best = minimise(&mut x, &mut |x| self.represent(x))?;
            for _ in 1..HOPS {
                if best == 0.0 {
                    break;
                }
                // Beside the last minimum, by at most 1, or by a part of a large number.
                let mut next: Vec<f64> =
                    x.iter().map(|a| a + (self.rng.bits() as f64 / u64::MAX as f64 - 0.5) * a.abs().max(2.0)).collect();
                let value = minimise(&mut next, &mut |x| self.represent(x))?;
                let worse = (best - value).exp();
                if value < best || self.rng.bits() as f64 / (u64::MAX as f64) < worse {
                    (x, best) = (next, value);
                }
            }
        }
    }

    fn represent(&mut self, x: &[f64]) -> Option<f64> {
        self.at(x)?;
        Some(self.seen.represented)
    }
}

/// What these searches see of a run.
struct Seen {
    first: Vec<Option<u32>>,
    /// Goals taken by earlier runs.
    taken: Vec<bool>,
    /// Those that this run takes first.
    fresh: Vec<u32>,
    represented: f64,
    aim: Option<u32>,
    distance: f64,
}

impl Seen {
    fn pass(&mut self, goal: u32) {
        if !self.taken[goal as usize] {
            self.fresh.push(goal);
        }
        if self.aim == Some(goal) {
            self.distance = 0.0;
        }
    }
}

impl Watch for Seen {
    fn branch(&mut self, site: u32, way: u32, test: BranchTest, a: u64, b: u64) {
        let Some(first) = self.first[site as usize] else { return };
        let (here, other) = (first + way, first + 1 - way);
        self.pass(here);
        if self.aim == Some(other) {
            self.distance = self.distance.min(gap(test, a, b, way == 0));
        }
        match (self.taken[here as usize], self.taken[other as usize]) {
            (true, true) => {}
            (true, false) => self.represented = gap(test, a, b, way == 0),
            (false, _) => self.represented = 0.0,
        }
    }

    fn arm(&mut self, site: u32, arm: u32, arms: u32, index: u32) {
        let Some(first) = self.first[site as usize] else { return };
        self.pass(first + arm);
        let to = |other: u32| (f64::from(index as i32) - f64::from(other)).powi(2);
        let open = (0..arms).filter(|w| !self.taken[(first + w) as usize]).map(to).reduce(f64::min);
        if let Some(open) = open {
            self.represented = if self.taken[(first + arm) as usize] { open } else { 0.0 };
        }
        if let Some(aim) = self.aim.and_then(|g| g.checked_sub(first)).filter(|w| *w < arms) {
            self.distance = self.distance.min(to(aim));
        }
    }
}

/// How far a test is from coming out as `wanted`, in values.
fn gap(test: BranchTest, a: u64, b: u64, wanted: bool) -> f64 {
    let int = |x: u64| f64::from(x as u32 as i32);
    let (relation, x, y) = match test {
        BranchTest::NonZero => (CodeRelation::Ne, int(a), 0.0),
        BranchTest::Either => (CodeRelation::Ne, int(a | b), 0.0),
        BranchTest::Compare(op) => {
            let (relation, kind) = relation(op);
            (relation, value(kind, a), value(kind, b))
        }
    };
    if x.is_nan() || y.is_nan() {
        return if (relation == CodeRelation::Ne) == wanted { 0.0 } else { f64::MAX };
    }
    let relation = if wanted { relation } else { relation.negated() };
    let apart = if x == y { 0.0 } else { ((x - y) * (x - y)).min(f64::MAX) };
    let (holds, left) = match relation {
        CodeRelation::Eq => (x == y, apart.max(f64::MIN_POSITIVE)),
        CodeRelation::Ne => (x != y, 1.0),
        CodeRelation::Lt => (x < y, apart + SMALL),
        CodeRelation::Le => (x <= y, apart.max(f64::MIN_POSITIVE)),
        CodeRelation::Gt => (x > y, apart + SMALL),
        CodeRelation::Ge => (x >= y, apart.max(f64::MIN_POSITIVE)),
    };
    if holds { 0.0 } else { left }
}

fn value(kind: BitsKind, bits: u64) -> f64 {
    match kind {
        BitsKind::F64 => f64::from_bits(bits),
        BitsKind::F32 => f32::from_bits(bits as u32).into(),
        BitsKind::Bool | BitsKind::Int { .. } => kind.rank(bits) as f64,
    }
}

fn bits(kind: BitsKind, x: f64) -> u64 {
    match kind {
        BitsKind::F64 => x.to_bits(),
        BitsKind::F32 => u64::from((x as f32).to_bits()),
        BitsKind::Bool | BitsKind::Int { .. } => kind.from_rank(x.round() as i128),
    }
}
