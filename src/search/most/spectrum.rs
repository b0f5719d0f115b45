//! The strongest line in the spectrum of values at scattered places.

use std::f64::consts::TAU;

/// The frequency, in turns per place, of the strongest line of values at whole places in [-reach, reach), if it is more than
/// so many times as strong as the mean; `reach` is a power of two.
pub(super) fn strongest(seen: &[(f64, f64)], reach: f64, strong: f64) -> Option<f64> {
    let len = 2 * reach as usize;
    let mut values = vec![(0.0, 0.0); len];
    for (n, e) in seen {
        values[(n + reach) as usize].0 += e;
    }
    transform(&mut values);
    let powers = values[..len / 2].iter().map(|(re, im)| re * re + im * im);
    // The first lines are the mean and what changes slowly.
    let (line, power) = powers.clone().enumerate().skip(2).max_by(|a, b| a.1.total_cmp(&b.1))?;
    let mean = powers.skip(2).sum::<f64>() / (len / 2 - 2) as f64;
    (power > strong * mean).then_some(line as f64 / len as f64)
}

/// The discrete Fourier transform in place (Cooley and Tukey, 1965), of a power of two of complex numbers.
fn transform(values: &mut [(f64, f64)]) {
    let count = values.len();
    let bits = count.trailing_zeros();
    for k in 1..count {
        let other = k.reverse_bits() >> (usize::BITS - bits);
        if k < other {
            values.swap(k, other);
        }
    }
    let roots: Vec<(f64, f64)> = (0..count / 2)
        .map(|k| {
            let (sin, cos) = (-TAU * k as f64 / count as f64).sin_cos();
            (cos, sin)
        })
        .collect();
    let mut half = 1;
    while half < count {
        let stride = count / (2 * half);
        for group in values.chunks_exact_mut(2 * half) {
            let (low, high) = group.split_at_mut(half);
            for (k, (a, b)) in low.iter_mut().zip(high).enumerate() {
                let (cos, sin) = roots[k * stride];
                let turned = (b.0 * cos - b.1 * sin, b.0 * sin + b.1 * cos);
                *b = (a.0 - turned.0, a.1 - turned.1);
                *a = (a.0 + turned.0, a.1 + turned.1);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::random::Random;

    #[test]
    fn a_line_is_found_below_noise_and_noise_has_none() {
        let mut random = Random(9);
        let reach = 4096.0;
        let seen = |size: f64, random: &mut Random| -> Vec<(f64, f64)> {
            (0..2000)
                .map(|_| {
                    let n = random.below(8191) as f64 - reach;
                    (n, size * (TAU * (0.1234 * n + 0.3)).cos() + 4.0 * (random.unit() - 0.5))
                })
                .collect()
        };
        let found = strongest(&seen(0.5, &mut random), reach, 30.0).unwrap();
        assert!((found - 0.1234).abs() <= 1.0 / 8192.0, "{found}");
        assert_eq!(strongest(&seen(0.0, &mut random), reach, 30.0), None);
    }
}
