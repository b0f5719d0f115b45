//! A model of rounding errors over many floats of one input.
//!
//! Over a stretch of floats the exact argument of each rounding of a computation, counted in units of its last place, is
//! nearly a quadratic function of the place in the sequence of floats, and its error depends only on the fractional part: a
//! wave. What a result is off by is nearly the sum of such waves, one for each operation. The frequencies are the lines in
//! the spectrum of errors at random places; a wave's shape is the mean error by phase, with those of the other waves taken
//! off (an additive model, fitted in turns).

use super::spectrum::strongest;
use crate::halt;
use std::f64::consts::TAU;

/// The most waves of a model.
const WAVES: usize = 48;
/// A line of a spectrum is a wave if it is so many times as strong as the mean.
const STRONG: f64 = 30.0;
/// The phases that are told apart.
const PHASES: usize = 128;
/// How far what is looked for is beyond what the model explains, in standard deviations of the rest.
const TILT: f64 = 0.8;
/// As a share of the highest wave, what is too low to matter.
const LOW: f64 = 1e-3;
/// So many neighbouring phases are the top of a wave.
const WIDE: usize = 9;
/// Into so many parts a stretch is cut to see how a wave's phase drifts.
const PARTS: usize = 64;

/// One wave: a function of the fractional part of a quadratic function of the place.
#[derive(Clone, Debug)]
pub(super) struct Wave {
    /// The phase at the centre. Unit: turns.
    offset: f64,
    /// Unit: turns per float.
    frequency: f64,
    /// Unit: turns per float and float.
    bend: f64,
    shape: [f64; PHASES],
    /// By how much a phase promises large errors, and small ones: see [`Model::tilt`].
    promise: [[f64; PHASES]; 2],
}

impl Wave {
    /// Unit: turns, from 0 to 1.
    pub(super) fn phase(&self, n: f64) -> f64 {
        let turns = self.offset + n * (self.frequency + n * self.bend);
        turns - turns.floor()
    }

    /// Which of the phases that are told apart it has.
    fn nth(&self, n: f64) -> usize {
        ((self.phase(n) * PHASES as f64) as usize).min(PHASES - 1)
    }

    fn at(&self, n: f64) -> f64 {
        self.shape[self.nth(n)]
    }

    /// The phase of the shape's first harmonic. Unit: turns.
    fn lead(&self) -> f64 {
        let (mut re, mut im) = (0.0, 0.0);
        for (k, s) in self.shape.iter().enumerate() {
            let (sin, cos) = ((k as f64 + 0.5) / PHASES as f64 * TAU).sin_cos();
            (re, im) = (re + s * cos, im - s * sin);
        }
        im.atan2(re) / TAU
    }

    /// Turns per place, so far from the centre.
    pub(super) fn pace(&self, n: f64) -> f64 {
        self.frequency + 2.0 * n * self.bend
    }

    /// From its lowest to its highest value.
    pub(super) fn height(&self) -> f64 {
        let (low, high) = self.shape.iter().fold((0.0, 0.0), |(low, high): (f64, f64), s| (low.min(*s), high.max(*s)));
        high - low
    }

    /// The phase about which it is highest, or lowest where `sign` is -1.
    pub(super) fn top(&self, sign: f64) -> f64 {
        let about = |k: usize| (0..WIDE).map(|j| self.promise[usize::from(sign < 0.0)][(k + j) % PHASES]).sum::<f64>();
        let best = (0..PHASES).max_by(|a, b| about(*a).total_cmp(&about(*b))).unwrap_or_default();
        (best as f64 + WIDE as f64 / 2.0) / PHASES as f64
    }

    /// Takes the mean of errors by phase as the shape.
    fn fold(&mut self, seen: &[(f64, f64)]) {
        let (mut sums, mut counts) = ([0.0; PHASES], [0.0; PHASES]);
        for (n, e) in seen {
            let k = self.nth(*n);
            sums[k] += e;
            counts[k] += 1.0;
        }
        for (shape, (sum, count)) in self.shape.iter_mut().zip(sums.iter().zip(counts)) {
            *shape = sum / (count + 1.0);
        }
    }

    /// Moves frequency and bend to where what was seen within `reach` agrees best; with `lead` also the offset, so that the
    /// first harmonic of what was seen is where the shape has it.
    fn lock(&mut self, seen: &[(f64, f64)], reach: f64, lead: Option<f64>) {
        let mut parts = [(0.0, 0.0); PARTS];
        for (n, e) in seen {
            let (sin, cos) = (self.phase(*n) * TAU).sin_cos();
            let part = ((n / reach + 1.0) / 2.0 * PARTS as f64).clamp(0.0, PARTS as f64 - 1.0) as usize;
            parts[part].0 += e * cos;
            parts[part].1 -= e * sin;
        }
        let sum = |turns: f64, bent: f64| {
            parts.iter().enumerate().fold((0.0, 0.0), |(re, im), (k, (x, y))| {
                let t = (k as f64 + 0.5) / PARTS as f64 * 2.0 - 1.0;
                let (sin, cos) = (-t * (turns + t * bent) * TAU).sin_cos();
                (re + x * cos - y * sin, im + x * sin + y * cos)
            })
        };
        let size = |turns: f64, bent: f64| {
            let (re, im) = sum(turns, bent);
            re.hypot(im)
        };
        let best = highest(size);
        self.frequency += best.0 / reach;
        self.bend += best.1 / (reach * reach);
        if let Some(lead) = lead {
            let (re, im) = sum(best.0, best.1);
            self.offset += im.atan2(re) / TAU - lead;
        }
    }
}

/// Where a function of drifts at the end of a stretch, by frequency and by bend, is highest. Unit: turns.
fn highest(f: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    let mut best = (0.0, 0.0, f(0.0, 0.0));
    let (mut step, mut width) = (0.1, 5i32);
    while step > 1e-3 {
        let (turns, bent, _) = best;
        for a in -width..=width {
            for b in -width..=width {
                let (x, y) = (turns + f64::from(a) * step, bent + f64::from(b) * step);
                let now = f(x, y);
                if now > best.2 {
                    best = (x, y, now);
                }
            }
        }
        step /= 3.0;
        width = 2;
    }
    (best.0, best.1)
}

/// Waves over the places about a centre.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// Once it is [tilted](Model::tilt), the highest first.
    pub(super) waves: Vec<Wave>,
    mean: f64,
    /// How far from the centre it holds.
    pub(super) reach: f64,
}

impl Model {
    fn at(&self, n: f64) -> f64 {
        self.mean + self.waves.iter().map(|w| w.at(n)).sum::<f64>()
    }

    fn residual(&self, seen: &[(f64, f64)]) -> Vec<(f64, f64)> {
        seen.iter().map(|(n, e)| (*n, e - self.at(*n))).collect()
    }

    /// The waves that errors at places within a first stretch are made of.
    pub(super) fn learn(seen: &[(f64, f64)], reach: f64) -> Self {
        let mean = seen.iter().map(|s| s.1).sum::<f64>() / (seen.len() as f64).max(1.0);
        let mut model = Model { waves: Vec::new(), mean, reach };
        let mut rest = model.residual(seen);
        // Who asks for an end does not wait for a model: the next call of the implementation ends the search.
        while model.waves.len() < WAVES && !halt::requested() {
            let Some(frequency) = strongest(&rest, reach, STRONG) else { break };
            let mut wave =
                Wave { offset: 0.0, frequency, bend: 0.0, shape: [0.0; PHASES], promise: [[0.0; PHASES]; 2] };
            wave.lock(&rest, reach, None);
            wave.fold(&rest);
            for (n, e) in &mut rest {
                *e -= wave.at(*n);
            }
            model.waves.push(wave);
        }
        for _ in 0..2 {
            model.fit(seen);
        }
        model
    }

    /// Each wave anew, its shape too, from what the others leave.
    pub(super) fn fit(&mut self, seen: &[(f64, f64)]) {
        let reach = self.reach;
        self.in_turns(seen, |wave, rest| {
            wave.lock(rest, reach, None);
            wave.fold(rest);
        });
    }

    /// The same waves over a longer stretch, of which something was seen.
    pub(super) fn over(&self, reach: f64, seen: &[(f64, f64)]) -> Self {
        let mut longer = Model { reach, ..self.clone() };
        for _ in 0..2 {
            longer.in_turns(seen, |wave, rest| {
                let lead = wave.lead();
                wave.lock(rest, reach, Some(lead));
            });
        }
        longer
    }

    /// Changes each wave by what the others leave.
    fn in_turns(&mut self, seen: &[(f64, f64)], change: impl Fn(&mut Wave, &[(f64, f64)])) {
        let mut rest = self.residual(seen);
        for wave in self.waves.iter_mut().take_while(|_| !halt::requested()) {
            for (n, e) in &mut rest {
                *e += wave.at(*n);
            }
            change(wave, &rest);
            for (n, e) in &mut rest {
                *e -= wave.at(*n);
            }
        }
    }

    /// What each phase of each wave promises for sums of its sign: the logarithm of the mean of e^(t r), by t, where r is
    /// what the other waves leave. Of a sum of independent parts, that is what large deviations are told by (Cramer, 1938):
    /// where a wave has a jump it may be on either side of it.
    pub(super) fn tilt(&mut self, seen: &[(f64, f64)]) {
        let rest = self.residual(seen);
        let highest = self.waves.iter().map(Wave::height).fold(0.0, f64::max);
        // What is too low to be told from nothing has no top.
        self.waves.retain(|w| w.height() > LOW * highest);
        // Where nothing is left to chance the tilt would be without bounds.
        let spread = (rest.iter().map(|r| r.1 * r.1).sum::<f64>() / rest.len() as f64).sqrt().max(LOW * highest);
        let tilt = TILT / spread;
        for wave in &mut self.waves {
            let mut sums = [[0.0; PHASES]; 2];
            let mut counts = [0.0; PHASES];
            for (n, r) in &rest {
                let k = wave.nth(*n);
                let e = (tilt * (r + wave.shape[k])).clamp(-300.0, 300.0);
                sums[0][k] += e.exp();
                sums[1][k] += (-e).exp();
                counts[k] += 1.0;
            }
            for (promise, sums) in wave.promise.iter_mut().zip(sums) {
                for (k, p) in promise.iter_mut().enumerate() {
                    *p = ((sums[k] + 1.0) / (counts[k] + 1.0)).ln() / tilt - TILT * spread / 2.0;
                }
            }
        }
        self.waves.sort_by(|a, b| b.height().total_cmp(&a.height()));
    }

    /// What a place promises for sums of a sign.
    pub(super) fn promise(&self, n: f64, sign: f64) -> f64 {
        let side = usize::from(sign < 0.0);
        sign * self.mean + self.waves.iter().map(|w| w.promise[side][w.nth(n)]).sum::<f64>()
    }

    /// The share of the variance that is explained.
    pub(super) fn explained(&self, seen: &[(f64, f64)]) -> f64 {
        let power = |list: &[(f64, f64)]| {
            let mean = list.iter().map(|s| s.1).sum::<f64>() / list.len() as f64;
            list.iter().map(|s| (s.1 - mean) * (s.1 - mean)).sum::<f64>()
        };
        1.0 - power(&self.residual(seen)) / power(seen)
    }
}
