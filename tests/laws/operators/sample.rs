//! Numbers and boxes sampled badly on purpose, from a small deterministic generator.

use crate::support::rng::Rng;
use magneto::num::Interval;
use std::f64::consts::FRAC_PI_2;

impl Rng {
    fn sign(&mut self, x: f64) -> f64 {
        if self.bits() & 1 == 0 { x } else { -x }
    }

    /// A finite number from where things go wrong.
    pub(crate) fn number(&mut self) -> f64 {
        #[rustfmt::skip]
        const SPECIAL: &[f64] = &[
            0.0, 5e-324, 1e-310, f64::MIN_POSITIVE, 1e-300, 1e-160, 1e-20, 1e-9, f64::EPSILON, 0.1, 0.25, 0.5, 0.75,
            1.0, 1.2, 1.461_632_144_968_362_3, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 26.0, 27.0, 27.5,
            64.0, 100.0, 125.0, 170.0, 171.62, 172.0, 184.0, 300.0, 308.0, 709.78, 710.0, 710.5, 744.4, 745.2, 1000.0,
            1023.0, 1024.0, 1073.0, 1074.0, 1075.0, 1024.0 * 1024.0, 1e9, 4_503_599_627_370_496.0,
            9_007_199_254_740_992.0, 9_007_199_254_740_994.0, 1e22, 1e23, 1e100, 1e154, 1.4e154, 1e300, 2.5e305,
            f64::MAX,
        ];
        let x = match self.below(10) {
            0 | 1 => *self.pick(SPECIAL),
            2 => {
                // a neighbour
                let steps = 1 + self.below(3) as u64;
                let near = self.pick(SPECIAL).to_bits();
                f64::from_bits(if self.bits() & 1 == 0 { near + steps } else { near.saturating_sub(steps) })
            }
            3 => {
                // near a multiple of pi/2
                let k = [1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 101.0, 65536.0, 667_543.0, 1e8, 6_381_956_970_095_103.0];
                let near = (*self.pick(&k) * FRAC_PI_2).to_bits() as i64;
                f64::from_bits((near + self.below(5) as i64 - 2) as u64)
            }
            4 | 5 => self.unit() * 10.0,
            6 => self.unit(),
            7 => self.below(80) as f64 / 8.0,
            8 => 10.0f64.powf(self.unit() * 12.0 - 6.0),
            _ => f64::from_bits(self.bits() & (u64::MAX >> 1)),
        };
        let x = if x.is_finite() { x } else { f64::MAX };
        self.sign(x)
    }

    /// An interval that is not empty.
    pub(crate) fn interval(&mut self) -> Interval {
        let a = self.number();
        let up = |x: f64| if x == f64::MAX { x } else { x.next_up() };
        match self.below(14) {
            0..=2 => Interval::point(a),
            3 => Interval::new(a, up(a)),
            4 => {
                let b = a + a.abs() * 10.0f64.powf(-15.0 * self.unit());
                Interval::new(a, if b.is_finite() { b } else { a })
            }
            5 => {
                let b = a + self.unit() * 4.0;
                Interval::new(a, b)
            }
            6 => Interval::new(a.min(0.0), a.max(0.0)),
            7 => Interval::new(-a.abs(), self.number().abs()),
            8 => match self.below(4) {
                0 => Interval::new(f64::NEG_INFINITY, a),
                1 => Interval::ENTIRE,
                2 => Interval::new(a, f64::INFINITY),
                _ => Interval::new(0.0, f64::INFINITY),
            },
            9 => {
                let n = (self.unit() * 20.0 - 10.0).round();
                Interval::new(n, n + self.below(3) as f64)
            }
            10 => {
                // around a multiple of pi/2 from 2^10 to 2^40
                let k = (10.0 + 30.0 * self.unit()).exp2().floor();
                let a = self.sign(k) * FRAC_PI_2 - 2.0 * self.unit();
                Interval::new(a, a + 3.5 * self.unit())
            }
            _ => {
                let b = self.number();
                Interval::new(a.min(b), a.max(b))
            }
        }
    }

    /// A box of `n` intervals; sometimes its sides are related to each other.
    pub(crate) fn ibox(&mut self, n: usize) -> Vec<Interval> {
        let mut b: Vec<Interval> = (0..n).map(|_| self.interval()).collect();
        if n == 2 {
            match self.below(8) {
                // near a multiple (fmod, remainder), or of the same size (hypot, fdim)
                0 | 1 => {
                    let k = (self.unit() * 12.0 - 6.0).round() * 0.5;
                    let x = b[1] * Interval::point(k);
                    if !x.is_empty() && x.mag() < 1e300 {
                        b[0] = if self.bits() & 1 == 0 { x } else { Interval::outward(x.inf(), x.sup()) };
                    }
                }
                2 => b[1] = Interval::point((self.unit() * 12.0 - 6.0).round()),
                _ => {}
            }
        }
        b
    }

    /// A finite number inside.
    pub(crate) fn inside(&mut self, i: Interval) -> f64 {
        let (a, b) = (i.inf().max(f64::MIN), i.sup().min(f64::MAX));
        let x = match self.below(8) {
            0 => a,
            1 => b,
            2 => a.next_up(),
            3 => b.next_down(),
            4 => i.mid(),
            5 => self.number(),
            6 => (a + (b - a) * self.unit()).round(),
            _ => a * 0.5 + (b * 0.5 - a * 0.5) * 2.0 * self.unit() + a * 0.5,
        };
        x.clamp(a, b)
    }

    /// A point inside.
    pub(crate) fn point_in(&mut self, b: &[Interval]) -> Vec<f64> {
        b.iter().map(|&i| self.inside(i)).collect()
    }

    /// A smaller box inside.
    pub(crate) fn part_of(&mut self, b: &[Interval]) -> Vec<Interval> {
        let part = |rng: &mut Rng, i: Interval| {
            let (x, y) = (rng.inside(i), rng.inside(i));
            match rng.below(6) {
                0 => Interval::point(x),
                1 => i,
                2 => Interval::new(i.inf(), x),
                3 => Interval::new(x, i.sup()),
                _ => Interval::new(x.min(y), x.max(y)),
            }
        };
        b.iter().map(|&i| part(self, i)).collect()
    }
}
