//! Points to look at before any search: deterministic, cheap, and where numerical code is likely to differ.

use super::values::{USUAL, in_range};
use crate::floats::{from_rank, rank};
use crate::num::Interval;
use crate::spec::InputBox;

/// Points that are evaluated at once.
pub const LANES: usize = 8;

/// At most [`LANES`] points, input by input; missing ones repeat the first.
#[must_use]
pub fn lanes(points: &[Vec<f64>], inputs: usize) -> Vec<[f64; LANES]> {
    (0..inputs).map(|i| std::array::from_fn(|l| points.get(l).unwrap_or(&points[0])[i])).collect()
}

/// How many points of each low-discrepancy sequence.
const SEQUENCE: usize = 24;
/// The most corners of the box: all of them for up to six inputs.
const CORNERS: usize = 64;
/// At most so many numbers are in the points with one input at a special value: of thousands of inputs some are moved,
/// evenly spread. There are at most [`SPECIAL`] such values of an input.
const MOST_NUMBERS: usize = 1 << 20;
const SPECIAL: usize = 4 + USUAL.len();
/// Numbers of everyday size are from -MODERATE to MODERATE, by magnitude from 1 / LARGE to LARGE.
const MODERATE: f64 = 100.0;
const LARGE: f64 = 1048576.0;

/// The probe points of a box in a fixed order, without repetitions: the middle, corners, low-discrepancy sequences over
/// numbers, over float ordinals and, where a range is wide, over numbers of everyday size, and points with one input at
/// a special value.
#[must_use]
pub fn probes(domain: &InputBox) -> Vec<Vec<f64>> {
    let n = domain.ranges.len();
    let middle: Vec<f64> = domain.ranges.iter().map(|r| r.mid()).collect();
    let mut points = Vec::new();
    let roots = recurrence(n);
    let sequence = |place: Place| {
        let share = |k: usize, a: &f64| (0.5 + a * (k + 1) as f64).fract();
        let point = |k: usize| domain.ranges.iter().zip(&roots).map(|(r, a)| place(r, share(k, a))).collect();
        (0..SEQUENCE).map(point).collect::<Vec<Vec<f64>>>()
    };
    // Over the whole range of a format nearly all numbers are huge or tiny.
    if domain.ranges.iter().any(is_wide) {
        points.extend(sequence(moderate));
        points.extend(sequence(by_magnitude));
    }
    points.extend(sequence(by_number));
    points.push(middle.clone());
    points.extend(sequence(by_float));
    for k in 0..CORNERS.min(1 << n.min(16)) {
        points.push(
            domain
                .ranges
                .iter()
                .enumerate()
                .map(|(i, r)| if i >= 16 || k >> i & 1 == 0 { r.inf() } else { r.sup() })
                .collect(),
        );
    }
    let step = n.div_ceil((MOST_NUMBERS / (SPECIAL * n.max(1))).max(1)).max(1);
    for (i, r) in domain.ranges.iter().enumerate().step_by(step) {
        for x in in_range(r.inf(), r.sup()) {
            let mut p = middle.clone();
            p[i] = x;
            points.push(p);
        }
    }
    points.extend(whole_numbers(domain));
    let mut seen = std::collections::HashSet::new();
    points
        .into_iter()
        .map(|p: Vec<f64>| domain.clamp(&p))
        .filter(|p| seen.insert(p.iter().map(|x| x.to_bits()).collect::<Vec<_>>()))
        .collect()
}

/// `count` points of the box in a fixed order: by turns low-discrepancy sequences over numbers, over float ordinals, over
/// numbers with one input at a special value, and over numbers of everyday size.
#[must_use]
pub fn many(domain: &InputBox, count: usize) -> Vec<Vec<f64>> {
    let roots = recurrence(domain.ranges.len());
    let special: Vec<Vec<f64>> = domain.ranges.iter().map(|r| in_range(r.inf(), r.sup()).collect()).collect();
    let sizes: Place = if domain.ranges.iter().any(is_wide) { by_magnitude } else { by_float };
    let turns: [Place; 4] = [by_number, by_float, by_number, sizes];
    let point = |k: usize| -> Vec<f64> {
        let (turn, round) = (k % turns.len(), k / turns.len());
        let share = |a: &f64| (0.5 + a * (k + 1) as f64).fract();
        let mut p: Vec<f64> = domain.ranges.iter().zip(&roots).map(|(r, a)| turns[turn](r, share(a))).collect();
        if turn == 2 && !p.is_empty() {
            let i = round % p.len();
            let values = &special[i];
            if let Some(x) = values.get((round / p.len()) % values.len().max(1)) {
                p[i] = *x;
            }
        }
        domain.clamp(&p)
    };
    (0..count).map(point).collect()
}

/// A value of a range at a share of it from 0 to 1, in some measure.
type Place = fn(&Interval, f64) -> f64;

/// The number at share `t` of a range.
pub(super) fn by_number(r: &Interval, t: f64) -> f64 {
    r.inf() * (1.0 - t) + r.sup() * t
}

/// The value at share `t` of the floats of a range.
fn by_float(r: &Interval, t: f64) -> f64 {
    let (a, b) = (rank(r.inf()) as f64, rank(r.sup()) as f64);
    from_rank((a + (b - a) * t) as i64).clamp(r.inf(), r.sup())
}

/// Whether a range goes far beyond numbers of everyday size.
fn is_wide(r: &Interval) -> bool {
    r.mag() > LARGE
}

/// The number at share `t` of those of everyday size.
fn moderate(r: &Interval, t: f64) -> f64 {
    let part = *r & Interval::new(-MODERATE, MODERATE);
    by_number(if part.is_empty() || !is_wide(r) { r } else { &part }, t)
}

/// The same by magnitude: no size is more frequent than another, and both signs are as frequent.
fn by_magnitude(r: &Interval, t: f64) -> f64 {
    let (negative, positive) = (*r & Interval::new(-LARGE, -1.0 / LARGE), *r & Interval::new(1.0 / LARGE, LARGE));
    match (is_wide(r), negative.is_empty(), positive.is_empty()) {
        (false, ..) | (_, true, true) => by_float(r, t),
        (_, false, true) => by_float(&negative, t),
        (_, true, false) => by_float(&positive, t),
        _ if t < 0.5 => by_float(&negative, 2.0 * t),
        _ => by_float(&positive, 2.0 * t - 1.0),
    }
}

/// Steps of the additive recurrence with the best known low discrepancy: powers of the inverse of the root of
/// x^(n+1) = x + 1 (M. Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018).
fn recurrence(n: usize) -> Vec<f64> {
    // The root is about 1 + ln 2 / n. A step of Newton's method from 2 comes nearer by a share of 1 / n only, so that many
    // inputs would all but have the same value.
    let mut root: f64 = if n < 64 { 2.0 } else { 1.0 + 1.0 / n as f64 };
    for _ in 0..64 {
        // x = (1 + x)^(1/(n+1)); a plain product keeps it the same on every platform.
        let mut power = 1.0;
        for _ in 0..=n {
            power *= root;
        }
        let slope = (n as f64 + 1.0) * power / root - 1.0;
        root -= (power - root - 1.0) / slope;
    }
    let mut a = 1.0;
    (0..n)
        .map(|_| {
            a /= root;
            a
        })
        .collect()
}

/// Points with whole numbers near the middle of every range, where integer-minded formulas cancel exactly.
fn whole_numbers(domain: &InputBox) -> Vec<Vec<f64>> {
    let near: Vec<f64> = domain.ranges.iter().map(|r| r.mid().round()).collect();
    let shifts = [0.0, 1.0, -1.0];
    shifts.iter().map(|s| near.iter().map(|x| x + s).collect::<Vec<f64>>()).filter(|p| domain.contains(p)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::Format;

    #[test]
    fn points_of_any_number_of_inputs_are_inside_and_apart() {
        for n in [1, 2, 17, 65, 300, 999, 1000, 1100, 5000] {
            let domain = InputBox { ranges: vec![Interval::new(1.0, 2.0); n], formats: vec![Format::BINARY64; n] };
            let points: Vec<_> = probes(&domain).into_iter().chain(many(&domain, 40)).collect();
            assert!(points.iter().all(|p| p.len() == n && domain.contains(p)), "{n}");
            assert!(points.iter().filter(|p| p[0] != p[n - 1]).count() > 20 || n == 1, "{n}");
            // No two inputs are always the same.
            let together = |i: usize, j: usize| points.iter().take(48).filter(|p| p[i] == p[j]).count();
            assert!((0..n.saturating_sub(1)).all(|i| together(i, i + 1) < 10 && together(i, n - 1) < 10), "{n}");
            // Each is a number, and all together take some megabytes.
            assert!(points.len() * n <= 4 * MOST_NUMBERS && points.len() > 80, "{n}: {}", points.len());
        }
    }
}
