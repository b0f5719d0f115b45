//! Points that fill what other tests leave empty: along every input no gap by number is wider than a part of its range,
//! and each half of an everyday binade has a test. One point fills a gap of every input at once.

use super::spread::spread;
use crate::floats::Format;
use crate::num::Interval;
use crate::num::float::power;
use crate::num::random::Random;
use crate::spec::InputBox;

/// No gap is wider than one of so many parts of a range, where there is one input, two, or more. A function of one input
/// has tables, often with 64 entries, and what is beside a round number shifts the gaps a little; of several inputs, one test
/// fills a gap of each.
const PARTS: [f64; 3] = [66.0, 24.0, 18.0];
/// A range wider than this, where not every whole number is one of binary64, has no table, and fewer parts.
const WIDE: f64 = 9_007_199_254_740_992.0;
const PARTS_OF_WIDE: f64 = 16.0;
/// Each half of these binades has a test: thresholds lie there. Unit: exponent of 2.
const EVERYDAY: std::ops::Range<i32> = 0..10;
/// And each of these as a whole: there floats and whole numbers of a machine lose their last bits or overflow.
const MACHINE: [i32; 9] = [22, 23, 30, 31, 51, 52, 53, 62, 63];
/// Beside each of these whole numbers there is a test: code takes what is nearly whole for whole.
const WHOLE: [f64; 5] = [1.0, 2.0, 3.0, 5.0, 10.0];
/// How far beside a round number every third point lies, as a part of it. Unit: log2.
const BESIDE_ROUND: [i32; 4] = [-13, -22, -16, -34];
/// A round number is so near, as a part of the gap that is filled.
const NEAR: f64 = 0.2;

/// Points that fill the gaps between others.
pub fn fill(domain: &InputBox, known: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let inputs = domain.ranges.len();
    if inputs == 0 {
        return Vec::new();
    }
    let columns: Vec<Vec<f64>> = (0..inputs)
        .map(|i| {
            let (range, format) = (&domain.ranges[i], domain.formats[i]);
            let mut values: Vec<f64> = known.iter().map(|p| p[i]).collect();
            let mut wanted = beside_whole(range, format);
            values.extend(&wanted);
            let is_wide = half_width(range.inf(), range.sup()) > WIDE;
            let parts = if is_wide { PARTS_OF_WIDE } else { PARTS[inputs.clamp(1, PARTS.len()) - 1] };
            let between = by_number(range, format, parts, &values);
            values.extend(&between);
            wanted.extend(between);
            wanted.extend(by_magnitude(range, format, &values));
            wanted
        })
        .collect();
    let count = columns.iter().map(Vec::len).max().unwrap_or_default();
    // Where another input has more gaps, this one goes through all of its range once more.
    let mut points = spread(domain, count, 0);
    for (i, column) in columns.iter().enumerate() {
        let order = Random(!(i as u64)).permutation(count);
        for (x, k) in column.iter().zip(order) {
            points[k][i] = *x;
        }
    }
    points.iter().map(|p| domain.clamp(p)).collect()
}

/// Values that cut the gaps between others.
fn by_number(range: &Interval, format: Format, parts: f64, known: &[f64]) -> Vec<f64> {
    let mut all: Vec<f64> = known.iter().copied().chain([range.inf(), range.sup()]).collect();
    all.sort_by(f64::total_cmp);
    let part = half_width(range.inf(), range.sup()) / parts;
    let mut values = Vec::new();
    if part == 0.0 {
        // The part of a range of a few subnormal numbers is below all numbers, and of a range of one number it is 0.
        return values;
    }
    for gap in all.windows(2) {
        let (lo, hi) = (gap[0], gap[1]);
        let cuts = (half_width(lo, hi) / part).ceil();
        for k in 1..cuts as usize {
            let share = k as f64 / cuts;
            let middle = lo * (1.0 - share) + hi * share;
            // Numbers that are made round do not widen what is left beyond a part.
            let each = half_width(lo, hi) / cuts;
            let x = format.nearest(made_round(middle, (part - each).min(NEAR * each), values.len()));
            values.push(if range.contains(x) { x } else { format.nearest(middle) });
        }
    }
    values
}

/// Numbers of a range beside whole ones.
fn beside_whole(range: &Interval, format: Format) -> Vec<f64> {
    let beside = |(k, x): (usize, f64)| format.nearest(x * (1.0 + power(BESIDE_ROUND[k % BESIDE_ROUND.len()])));
    WHOLE.into_iter().enumerate().map(beside).filter(|x| range.contains(*x)).collect()
}

/// Half of the way between two numbers: the whole may be beyond all numbers.
fn half_width(lo: f64, hi: f64) -> f64 {
    hi / 2.0 - lo / 2.0
}

/// By turns a round decimal number near another, one beside that, and the number itself: code takes round numbers, and what
/// is next to them, for something special.
fn made_round(x: f64, near: f64, turn: usize) -> f64 {
    if near <= 0.0 {
        return x;
    }
    let digits = near.log10().floor();
    let unit = 10f64.powf(digits.abs());
    let round = if digits < 0.0 { (x * unit).round() / unit } else { (x / unit).round() * unit };
    match turn % 3 {
        _ if !round.is_finite() => x,
        0 => round,
        1 => round * (1.0 + power(BESIDE_ROUND[turn / 3 % BESIDE_ROUND.len()])),
        _ => x,
    }
}

/// A value in the middle of each half of an everyday binade that has none, and in some binades beyond.
fn by_magnitude(range: &Interval, format: Format, known: &[f64]) -> Vec<f64> {
    let mut values = Vec::new();
    let mut want = |sign: f64, small: f64, large: f64| {
        let part = Interval::new(small, large);
        let middle = format.nearest(sign * (small * large).sqrt());
        let is_there = |x: &f64| part.contains(x * sign) && x.abs() < large;
        if range.contains(middle) && !known.iter().any(is_there) {
            values.push(middle);
        }
    };
    for sign in [1.0, -1.0] {
        for e in EVERYDAY {
            let half = power(e) * std::f64::consts::SQRT_2;
            want(sign, power(e), half);
            want(sign, half, power(e + 1));
        }
    }
    for (k, e) in MACHINE.into_iter().enumerate() {
        let sign = if k % 2 == 0 || range.inf() >= 0.0 { 1.0 } else { -1.0 };
        want(if range.sup() > 0.0 { sign } else { -1.0 }, power(e), power(e + 1));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(ranges: &[(f64, f64)]) -> InputBox {
        let ranges: Vec<Interval> = ranges.iter().map(|(a, b)| Interval::new(*a, *b)).collect();
        InputBox { formats: vec![Format::BINARY64; ranges.len()], ranges }
    }

    /// The widest gap along an input, as a part of its range.
    fn widest(domain: &InputBox, input: usize, points: &[Vec<f64>]) -> f64 {
        let (lo, hi) = (domain.ranges[input].inf(), domain.ranges[input].sup());
        let mut xs: Vec<f64> = points.iter().map(|p| p[input]).chain([lo, hi]).collect();
        xs.sort_by(f64::total_cmp);
        xs.windows(2).map(|w| w[1] / (hi - lo) - w[0] / (hi - lo)).fold(0.0, f64::max)
    }

    #[test]
    fn no_gap_is_wide_and_what_is_filled_asks_for_little_more() {
        for ranges in [vec![(0.0, 10.0)], vec![(-1e6, 1e6)], vec![(0.25, 0.3), (-5.0, 1e12)], vec![(0.0, 1.0); 4]] {
            let domain = domain(&ranges);
            let known = vec![ranges.iter().map(|(a, b)| a * 0.3 + b * 0.7).collect::<Vec<f64>>(); 2];
            let points = fill(&domain, &known);
            let parts = PARTS[ranges.len().min(3) - 1];
            let all = [points.clone(), known].concat();
            for input in 0..ranges.len() {
                // What lies beside a round number is a little further off.
                assert!(widest(&domain, input, &all) <= 1.001 / parts, "{ranges:?}");
            }
            assert!(points.iter().all(|p| domain.contains(p)));
            assert!(fill(&domain, &all).len() * 4 < points.len(), "{ranges:?}");
        }
    }

    #[test]
    fn ranges_of_few_numbers_are_filled_with_few_points() {
        let least = f64::from_bits(1);
        for sup in [0.0, least, 3.0 * least, 70.0 * least, 1000.0 * least] {
            let points = fill(&domain(&[(0.0, sup)]), &[]);
            assert!(points.len() < 200, "{sup:e}: {}", points.len());
        }
    }

    #[test]
    fn everyday_binades_have_two_points_and_numbers_are_round() {
        let domain = domain(&[(-1e30, 1e30)]);
        let points = fill(&domain, &[]);
        for e in EVERYDAY {
            for sign in [1.0, -1.0] {
                let inside = |p: &&Vec<f64>| (power(e)..power(e + 1)).contains(&(sign * p[0]));
                assert_eq!(points.iter().filter(inside).count(), 2, "{sign} 2^{e}");
            }
        }
        assert!(points.iter().any(|p| (power(22)..power(23)).contains(&p[0].abs())));
        assert_eq!([0, 2].map(|turn| made_round(4.7183, 0.02, turn)), [4.72, 4.7183]);
        assert_eq!([0, 3].map(|turn| made_round(47183.0, 200.0, turn)), [47200.0, 47200.0]);
        let beside = made_round(3.0001, 0.02, 1);
        assert!(beside != 3.0 && (beside - 3.0).abs() < 5e-4, "{beside}");
    }
}
