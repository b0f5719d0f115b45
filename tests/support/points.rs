//! Points to attack a claim with: a grid, special values, numbers of the bodies with their neighbours, random floats.

use super::judge::is_value;
use super::rng::Rng;
use magneto::floats::Format;
use magneto::spec::core::{Expr, ExprKind};
use magneto::spec::{InputBox, Spec};

fn place(x: f64) -> i64 {
    let m = (x.to_bits() << 1 >> 1) as i64;
    if x.is_sign_negative() { -m } else { m }
}

fn at_place(n: i64) -> f64 {
    let m = f64::from_bits(n.unsigned_abs());
    if n < 0 { -m } else { m }
}

/// All numbers in an expression, as binary64 approximations.
pub(crate) fn numbers(e: &Expr, out: &mut Vec<f64>) {
    if let ExprKind::Number(n) = &e.kind {
        out.push(n.value.to_f64());
    }
    for c in e.children() {
        numbers(c, out);
    }
}

/// Makes points of a domain's box.
pub(crate) struct Points {
    ranges: Vec<(f64, f64)>,
    formats: Vec<Format>,
    /// For every input, values that deserve a try.
    special: Vec<Vec<f64>>,
}

impl Points {
    /// Points for a specification; `bodies` are mined for numbers. `None` where an input has no value at all.
    pub(crate) fn new(spec: &Spec, bodies: &[&Expr]) -> Option<Points> {
        let domain = InputBox::new(spec).ok()?;
        let ranges: Vec<(f64, f64)> = domain.ranges.iter().map(|r| (r.inf(), r.sup())).collect();
        let mut known =
            vec![0.0, 1.0, 0.5, 2.0, std::f64::consts::PI, std::f64::consts::FRAC_PI_2, 1e-8, 1e-300, 5e-324];
        for b in bodies {
            numbers(b, &mut known);
        }
        known.extend(known.clone().iter().map(|x| -x));
        known.extend(known.clone().iter().filter(|x| **x != 0.0).map(|x| 1.0 / x));
        known.extend(known.clone().iter().map(|x| x.abs().sqrt()));
        let special = ranges
            .iter()
            .zip(&domain.formats)
            .map(|(&(lo, hi), f)| {
                let mut values = vec![lo, hi, lo / 2.0 + hi / 2.0, lo + (hi - lo) / 3.0];
                values.extend(&known);
                let mut near: Vec<f64> = Vec::new();
                for v in values.into_iter().filter(|v| v.is_finite()) {
                    let v = into(v.clamp(lo, hi), *f);
                    let step = |n: i64| into(at_place(place(v).saturating_add(n)), *f);
                    let unit = if *f == Format::BINARY64 { 1 } else { 1 << 29 };
                    near.extend([v, step(unit), step(-unit)]);
                }
                near.retain(|v| v.is_finite() && *v >= lo && *v <= hi && is_value(*v, *f));
                near.sort_by(f64::total_cmp);
                near.dedup_by(|a, b| a == b);
                near.into_iter().map(|v| v + 0.0).collect()
            })
            .collect();
        Some(Points { ranges, formats: domain.formats, special })
    }

    fn random(&self, i: usize, r: &mut Rng) -> f64 {
        let ((lo, hi), f) = (self.ranges[i], self.formats[i]);
        let x = match r.below(8) {
            // Even over numbers, over floats, near an end, near a special value.
            0..=2 => lo * (1.0 - r.unit()) + hi * r.unit(),
            3 | 4 => {
                let t = r.unit();
                lo * (1.0 - t) + hi * t
            }
            5 => {
                let (a, b) = (place(lo), place(hi));
                at_place(a.wrapping_add((r.bits() % b.abs_diff(a).saturating_add(1)) as i64))
            }
            6 => {
                let end = if r.below(2) == 0 { lo } else { hi };
                let away = (hi - lo) * 0.5f64.powi(r.below(60) as i32);
                if end == lo { lo + away } else { hi - away }
            }
            _ => {
                let s = *r.pick(&self.special[i]);
                s + s.abs().max(1e-3) * 0.5f64.powi(r.below(60) as i32) * if r.below(2) == 0 { 1.0 } else { -1.0 }
            }
        };
        let x = into(if x.is_finite() { x.clamp(lo, hi) } else { lo }, f);
        if x < lo || x > hi { lo } else { x + 0.0 }
    }

    /// `n` points: special ones first, then random ones.
    pub(crate) fn make(&self, n: usize, r: &mut Rng) -> Vec<Vec<f64>> {
        let k = self.ranges.len();
        let mut points: Vec<Vec<f64>> = Vec::with_capacity(n);
        if k == 0 {
            return vec![Vec::new()];
        }
        if k == 1 {
            points.extend(self.special[0].iter().take(n * 3 / 4).map(|x| vec![*x]));
        } else {
            for _ in 0..n / 3 {
                points.push((0..k).map(|i| *r.pick(&self.special[i])).collect());
            }
            // All inputs equal, where that is allowed: differences vanish there.
            for _ in 0..n / 12 {
                let x = self.random(0, r);
                let inside =
                    self.ranges.iter().zip(&self.formats).all(|((lo, hi), f)| *lo <= x && x <= *hi && is_value(x, *f));
                if inside {
                    points.push(vec![x; k]);
                }
            }
        }
        while points.len() < n {
            let special = r.below(4) == 0;
            points.push(
                (0..k)
                    .map(|i| if special && r.below(2) == 0 { *r.pick(&self.special[i]) } else { self.random(i, r) })
                    .collect(),
            );
        }
        points
    }
}

/// A value of the format near x.
fn into(x: f64, format: Format) -> f64 {
    match format {
        Format::BINARY64 => x,
        Format::BINARY32 => f64::from(x as f32),
        // The binary32 number with the low bits cut off.
        Format::BFLOAT16 => f64::from(f32::from_bits((x as f32).to_bits() & 0xffff_0000)),
        _ if format.is_fixed() => {
            let unit = 2f64.powi(format.least_exponent());
            (x / unit).trunc() * unit
        }
        _ => {
            assert_eq!(format, Format::BINARY16);
            let q = 2f64.powi((x.abs().log2().floor() as i32).max(-14) - 10);
            if x == 0.0 { 0.0 } else { (x / q).trunc() * q }
        }
    }
}
