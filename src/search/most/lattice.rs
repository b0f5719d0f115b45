//! Whole numbers by which several waves all move by nearly whole turns, or nearly to given phases: close vectors of a lattice.

/// A basis in which vectors are short and nearly at right angles (Lenstra, Lenstra and Lovász, 1982), each with the number of
/// places that it stands for.
pub(super) struct Lattice {
    rows: Vec<(Vec<f64>, i64)>,
    /// The parts of the rows at right angles to those before.
    upright: Vec<Vec<f64>>,
}

/// The share of its length that a vector at least keeps beside those before it.
const DELTA: f64 = 0.75;
/// More exchanges than any lattice of these sizes takes.
const EXCHANGES: usize = 20_000;

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn subtract(a: &mut [f64], times: f64, b: &[f64]) {
    a.iter_mut().zip(b).for_each(|(x, y)| *x -= times * y);
}

impl Lattice {
    /// Of waves with frequencies in turns per place, and how much a turn of each matters; distances up to `far` places count
    /// about as much as what is left of the phases.
    pub(super) fn new(waves: &[(f64, f64)], far: f64) -> Self {
        let count = waves.len() as f64;
        let mean = (waves.iter().map(|w| w.1.ln()).sum::<f64>() / count.max(1.0)).exp();
        let place = mean * far.powf(-(count + 1.0) / count.max(1.0));
        let mut rows: Vec<(Vec<f64>, i64)> = (0..waves.len())
            .map(|k| (0..=waves.len()).map(|j| if j == k { waves[k].1 } else { 0.0 }).collect())
            .map(|row| (row, 0))
            .collect();
        rows.push((waves.iter().map(|w| w.0 * w.1).chain([place]).collect(), 1));
        let mut lattice = Lattice { rows, upright: Vec::new() };
        lattice.reduce();
        lattice
    }

    /// The parts at right angles, from one row on.
    fn straighten(&mut self, from: usize) {
        self.upright.truncate(from);
        for k in from..self.rows.len() {
            let mut row = self.rows[k].0.clone();
            for before in &self.upright {
                let times = product(&self.rows[k].0, before) / product(before, before);
                subtract(&mut row, times, before);
            }
            self.upright.push(row);
        }
    }

    fn reduce(&mut self) {
        self.straighten(0);
        let mut k = 1;
        for _ in 0..EXCHANGES {
            if k >= self.rows.len() {
                break;
            }
            for j in (0..k).rev() {
                let before = &self.upright[j];
                let times = (product(&self.rows[k].0, before) / product(before, before)).round();
                if times != 0.0 {
                    let (low, high) = self.rows.split_at_mut(k);
                    subtract(&mut high[0].0, times, &low[j].0);
                    high[0].1 = high[0].1.wrapping_sub((times as i64).wrapping_mul(low[j].1));
                }
            }
            let (a, b) = (&self.upright[k - 1], &self.upright[k]);
            let length = product(a, a);
            let share = product(&self.rows[k].0, a) / length;
            if product(b, b) >= (DELTA - share * share) * length {
                k += 1;
            } else {
                self.rows.swap(k - 1, k);
                self.straighten(k - 1);
                k = (k - 1).max(1);
            }
        }
    }

    /// About the number of places by which the waves move by so many turns, each up to whole ones (Babai, 1986); turns are
    /// weighted as in [`Lattice::new`].
    pub(super) fn nearest(&self, turns: &[f64]) -> i64 {
        let mut left: Vec<f64> = turns.iter().copied().chain([0.0]).collect();
        let mut places = 0i64;
        for (row, upright) in self.rows.iter().zip(&self.upright).rev() {
            let times = (product(&left, upright) / product(upright, upright)).round();
            subtract(&mut left, times, &row.0);
            places = places.wrapping_add((times as i64).wrapping_mul(row.1));
        }
        places
    }

    /// Steps that move all waves by nearly whole turns.
    pub(super) fn steps(&self) -> impl Iterator<Item = i64> {
        self.rows.iter().map(|r| r.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::random::Random;

    #[test]
    fn steps_turn_all_waves_by_nearly_whole_turns_and_phases_that_are_asked_for_are_met() {
        let mut random = Random(5);
        for _ in 0..20 {
            let waves: Vec<(f64, f64)> = (0..4).map(|_| (random.unit(), 1.0)).collect();
            let lattice = Lattice::new(&waves, f64::from(1 << 20));
            let off = |turns: f64| (turns - turns.round()).abs();
            // About 2^20 places and four waves: 2^-5 of a turn is what is left at best.
            for step in lattice.steps().filter(|d| *d != 0) {
                assert!(step.unsigned_abs() < 1 << 25, "{step}");
                assert!(waves.iter().all(|w| off(w.0 * step as f64) < 0.25), "{step} {waves:?}");
            }
            let wanted: Vec<f64> = (0..4).map(|_| random.unit()).collect();
            let n = lattice.nearest(&wanted);
            assert!(n.unsigned_abs() < 1 << 25, "{n}");
            for (wave, turns) in waves.iter().zip(&wanted) {
                assert!(off(wave.0 * n as f64 - turns) < 0.25, "{n} {waves:?} {wanted:?}");
            }
        }
    }
}
