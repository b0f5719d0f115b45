//! Points to look at before any search: deterministic, cheap, and where numerical code is likely to differ.

use crate::csp::InputBox;
use crate::num::Interval;
use crate::num::float::{from_ordinal, ordinal};

/// Points that are evaluated at once.
pub const LANES: usize = 8;

/// At most [`LANES`] points, input by input; missing ones repeat the first.
#[must_use]
pub fn lanes(points: &[Vec<f64>], inputs: usize) -> Vec<[f64; LANES]> {
    (0..inputs).map(|i| std::array::from_fn(|l| points.get(l).unwrap_or(&points[0])[i])).collect()
}

/// How many points of each low-discrepancy sequence.
const SEQUENCE: usize = 24;
/// The most corners of the box.
const CORNERS: usize = 16;

/// The probe points of a box in a fixed order, without repetitions: the middle, corners, low-discrepancy sequences over
/// numbers and over float ordinals, and points with one input at a special value.
#[must_use]
pub fn probes(domain: &InputBox) -> Vec<Vec<f64>> {
    let n = domain.ranges.len();
    let middle: Vec<f64> = domain.ranges.iter().map(|r| r.mid()).collect();
    let mut points = Vec::new();
    let roots = recurrence(n);
    for k in 0..SEQUENCE {
        let t: Vec<f64> = roots.iter().map(|a| (0.5 + a * (k + 1) as f64).fract()).collect();
        points.push(domain.ranges.iter().zip(&t).map(|(r, t)| r.inf() * (1.0 - t) + r.sup() * t).collect());
    }
    points.push(middle.clone());
    for k in 0..SEQUENCE {
        let t: Vec<f64> = roots.iter().map(|a| (0.5 + a * (k + 1) as f64).fract()).collect();
        points.push(domain.ranges.iter().zip(&t).map(|(r, t)| by_ordinal(r.inf(), r.sup(), *t)).collect());
    }
    for k in 0..CORNERS.min(1 << n.min(16)) {
        points.push(
            domain.ranges.iter().enumerate().map(|(i, r)| if k >> i & 1 == 0 { r.inf() } else { r.sup() }).collect(),
        );
    }
    for (i, r) in domain.ranges.iter().enumerate() {
        for x in special_values(r.inf(), r.sup()) {
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

/// `count` points of the box in a fixed order: by turns a low-discrepancy sequence over numbers, one over float ordinals,
/// and one over numbers with one input at a special value.
#[must_use]
pub fn many(domain: &InputBox, count: usize) -> Vec<Vec<f64>> {
    let roots = recurrence(domain.ranges.len());
    let special: Vec<Vec<f64>> = domain.ranges.iter().map(|r| special_values(r.inf(), r.sup()).collect()).collect();
    let point = |k: usize| -> Vec<f64> {
        let share = |a: &f64| (0.5 + a * (k + 1) as f64).fract();
        let by_number = |(r, a): (&Interval, &f64)| r.inf() * (1.0 - share(a)) + r.sup() * share(a);
        let by_float = |(r, a): (&Interval, &f64)| by_ordinal(r.inf(), r.sup(), share(a));
        let pairs = domain.ranges.iter().zip(&roots);
        let mut p: Vec<f64> = if k % 3 == 1 { pairs.map(by_float).collect() } else { pairs.map(by_number).collect() };
        if k % 3 == 2 && !p.is_empty() {
            let i = (k / 3) % p.len();
            let values = &special[i];
            if let Some(x) = values.get((k / 3 / p.len()) % values.len().max(1)) {
                p[i] = *x;
            }
        }
        domain.clamp(&p)
    };
    (0..count).map(point).collect()
}

/// The value at share `t` of the floats from `lo` to `hi`.
fn by_ordinal(lo: f64, hi: f64, t: f64) -> f64 {
    let (a, b) = (ordinal(lo) as f64, ordinal(hi) as f64);
    from_ordinal((a + (b - a) * t) as i64).clamp(lo, hi)
}

/// Steps of the additive recurrence with the best known low discrepancy: powers of the inverse of the root of
/// x^(n+1) = x + 1 (M. Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018).
fn recurrence(n: usize) -> Vec<f64> {
    let mut root: f64 = 2.0;
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

/// Values at which functions have their zeros, poles and kinks.
fn special_values(lo: f64, hi: f64) -> impl Iterator<Item = f64> {
    let near_ends = [lo, lo.next_up(), hi.next_down(), hi];
    let usual = [0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 1e-8, -1e-8, 1e-3, -1e-3, 10.0, -10.0];
    near_ends.into_iter().chain(usual).filter(move |x| lo <= *x && *x <= hi)
}
