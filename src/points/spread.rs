//! Points that fill a box: a Latin hypercube (McKay, Beckman and Conover, 1979). Along every input each of as many strata
//! as there are points has exactly one point, so that no input stays at one value, and no two points share one.
//!
//! Some strata cut a range by number, and some by magnitude: sign, exponent and mantissa. Tables, thresholds and
//! periods are spread by number, cancellations and underflows by magnitude.

use super::probes::by_number;
use crate::num::Interval;
use crate::num::float::{floor_log2, power_of_two, rational};
use crate::num::random::Random;
use crate::spec::InputBox;

/// Of the strata by magnitude so many in sixteen are for exponents from -e to e: thresholds lie near 1 mostly, digits are
/// lost down to 1e-16 or so, and numbers overflow or underflow at the ends.
const SIZES: [(i32, usize); 3] = [(8, 8), (64, 5), (i32::MAX, 3)];
/// A range of so few binades is cut by number alone.
const FEW: usize = 2;

/// `numbers` and `magnitudes` points of a box in a fixed order: of the strata of each input so many cut its range by number,
/// and so many by magnitude.
#[must_use]
pub fn spread(domain: &InputBox, numbers: usize, magnitudes: usize) -> Vec<Vec<f64>> {
    let count = numbers + magnitudes;
    let columns: Vec<Vec<f64>> = domain
        .ranges
        .iter()
        .enumerate()
        .map(|(i, range)| column(range, count, magnitudes, &mut Random(i as u64)))
        .collect();
    (0..count).map(|k| domain.clamp(&columns.iter().map(|c| c[k]).collect::<Vec<f64>>())).collect()
}

/// The values of one input: one of each stratum, in an order of its own.
fn column(range: &Interval, count: usize, magnitudes: usize, random: &mut Random) -> Vec<f64> {
    let binades = binades(range);
    let by_magnitude = if binades.len() <= FEW { 0 } else { magnitudes };
    let mantissas = random.permutation(by_magnitude);
    let mut values: Vec<f64> = Vec::with_capacity(count);
    let by_numbers = count - by_magnitude;
    // From the middle half of each stratum: no gap is wider than one and a half of them.
    let place = |k: usize, random: &mut Random| (k as f64 + 0.25 + 0.5 * random.unit()) / by_numbers as f64;
    values.extend((0..by_numbers).map(|k| by_number(range, place(k, random))));
    let placed = by_size(&binades, by_magnitude, random);
    for ((sign, e), mantissa) in placed.into_iter().zip(mantissas) {
        let fraction = (mantissa as f64 + random.unit()) / by_magnitude as f64;
        let (small, large) = (power_of_two(e).to_f64(), power_of_two(e).to_f64() * (1.0 + fraction));
        let x = sign * if large.is_finite() { large } else { small };
        values.push(if range.contains(x) { x } else { by_number(&binade(range, sign, e), fraction) });
    }
    let order = random.permutation(count);
    order.into_iter().map(|k| values[k]).collect()
}

/// So many binades of a list: of each of the [`SIZES`] its share, or of all where the list has none of that size, evenly
/// spread.
fn by_size(binades: &[(f64, i32)], count: usize, random: &mut Random) -> Vec<(f64, i32)> {
    let all: usize = SIZES.iter().map(|(_, share)| share).sum();
    let mut placed = Vec::with_capacity(count);
    let mut shares = 0;
    for (largest, share) in SIZES {
        shares += share;
        let some: Vec<(f64, i32)> = binades.iter().copied().filter(|(_, e)| e.abs() <= largest).collect();
        let list = if some.is_empty() { binades } else { &some };
        let of = count * shares / all - placed.len();
        placed.extend((0..of).map(|k| {
            let place = (k as f64 + random.unit()) / of as f64 * list.len() as f64;
            list[(place as usize).min(list.len() - 1)]
        }));
    }
    placed
}

/// Signs and exponents of the numbers of a range other than 0.
fn binades(range: &Interval) -> Vec<(f64, i32)> {
    let mut all = Vec::new();
    for (sign, lo, hi) in [(-1.0, -range.sup(), -range.inf()), (1.0, range.inf(), range.sup())] {
        if hi > 0.0 {
            let log2 = |x: f64| floor_log2(&rational(x));
            let first = if lo > 0.0 { log2(lo) } else { f64::MIN_EXP - f64::MANTISSA_DIGITS as i32 };
            all.extend((first..=log2(hi)).map(|e| (sign, e)));
        }
    }
    all
}

/// The part of a range in a binade.
fn binade(range: &Interval, sign: f64, e: i32) -> Interval {
    let small = power_of_two(e).to_f64();
    let large = (small * 2.0).min(f64::MAX);
    let part = *range & if sign > 0.0 { Interval::new(small, large) } else { Interval::new(-large, -small) };
    if part.is_empty() { *range } else { part }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::Format;
    use std::collections::HashSet;

    #[test]
    fn every_stratum_has_a_point() {
        const COUNT: usize = 64;
        let ranges = [Interval::new(1.0, 2.0), Interval::new(-0.9, 1000.0), Interval::new(-f64::MAX, f64::MAX)];
        let domain = InputBox { ranges: ranges.to_vec(), formats: vec![Format::BINARY64; 3] };
        let points = spread(&domain, COUNT / 2, COUNT / 2);
        assert_eq!(points.len(), COUNT);
        assert_eq!(points, spread(&domain, COUNT / 2, COUNT / 2));
        assert!(points.iter().all(|p| domain.contains(p)));
        for input in 0..3 {
            let values: HashSet<u64> = points.iter().map(|p| p[input].to_bits()).collect();
            assert_eq!(values.len(), COUNT, "input {input}");
        }
        // A range of one binade: one point in each of as many slices.
        let slices: HashSet<u64> = points.iter().map(|p| ((p[0] - 1.0) * COUNT as f64) as u64).collect();
        assert_eq!(slices.len(), COUNT);
        // By number half of the points are in the upper half of a range, by magnitude nearly none.
        let large = points.iter().filter(|p| p[1] > 500.0).count();
        assert!((COUNT / 4..COUNT / 2).contains(&large), "{large}");
        let tiny = |p: &&Vec<f64>| p[1] != 0.0 && p[1].abs() < 1e-3;
        assert!(points.iter().filter(tiny).count() > COUNT / 8);
        assert!(points.iter().filter(|p| p[2].abs() < 1e20).count() > COUNT / 8);
    }
}
