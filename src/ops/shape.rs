//! What is known of a real function as a whole. It stands here once, and the rules of other modules read it.

use super::Op;

/// What a sign in front of the argument does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// f(-x) = f(x).
    Even,
    /// f(-x) = -f(x).
    Odd,
}

/// What is known of a function of one argument; of what is not stated nothing is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What a sign in front of the argument does, wherever it has a value.
    pub parity: Option<Parity>,
    /// Whether it increases strictly on its domain, which is an interval then.
    pub increasing: bool,
    /// Whether it has a value at every real number.
    pub total: bool,
    /// The function g with g(f(x)) = x wherever f has a value at x.
    pub inverse: Option<Op>,
    /// n, and bounds of theta in thousandths, rounded outward, in x - f(x) = x^n theta for |x| <= 1/2. Each theta is
    /// monotone in |x| there (in x for n = 2), so that its bounds are the leading coefficient at 0 and the value at the
    /// ends.
    pub near_identity: Option<(u32, [i32; 2])>,
    /// Whether its value at an algebraic number is transcendental or 0 (Lindemann's theorem).
    pub transcendental: bool,
    /// What it is in textbooks, where a program's rounding or range makes a difference: in FPCore, of arguments x, y, z.
    pub forms: &'static [&'static str],
}

impl Shape {
    /// Nothing is claimed.
    pub const NONE: Shape = Shape {
        parity: None,
        increasing: false,
        total: false,
        inverse: None,
        near_identity: None,
        transcendental: false,
        forms: &[],
    };
    /// Even.
    pub const EVEN: Shape = Shape { parity: Some(Parity::Even), ..Shape::NONE };
    /// Odd.
    pub const ODD: Shape = Shape { parity: Some(Parity::Odd), ..Shape::NONE };

    /// The same with a value at every real number.
    #[must_use]
    pub const fn total(self) -> Self {
        Shape { total: true, ..self }
    }

    /// The same with an inverse.
    #[must_use]
    pub const fn inverse(self, inverse: Op) -> Self {
        Shape { inverse: Some(inverse), ..self }
    }

    /// The same of a function that is nearly the identity near 0.
    #[must_use]
    pub const fn near_identity(self, n: u32, theta: [i32; 2]) -> Self {
        Shape { near_identity: Some((n, theta)), ..self }
    }

    /// The same of a function that is transcendental or 0 at algebraic numbers.
    #[must_use]
    pub const fn transcendental(self) -> Self {
        Shape { transcendental: true, ..self }
    }

    /// The same with forms of textbooks.
    #[must_use]
    pub const fn forms(self, forms: &'static [&'static str]) -> Self {
        Shape { forms, ..self }
    }

    /// The same with what else is known.
    #[must_use]
    pub const fn and(self, known: Shape) -> Self {
        Shape { increasing: self.increasing || known.increasing, ..known }
    }

    /// The same of a function that increases, or does not.
    #[must_use]
    pub const fn directed(self, increasing: bool) -> Self {
        Shape { increasing, ..self }
    }

    /// Whether f(-x) = -f(x).
    #[must_use]
    pub fn is_odd(self) -> bool {
        self.parity == Some(Parity::Odd)
    }

    /// Whether the sign of the value is that of the argument.
    #[must_use]
    pub fn keeps_sign(self) -> bool {
        self.is_odd() && self.increasing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_hold_at_points() {
        let mut xs: Vec<f64> = (1..400).map(|k| f64::from(k) / 37.0).flat_map(|x| [x, -x]).chain([0.0]).collect();
        xs.sort_by(f64::total_cmp);
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-6 * a.abs().max(1e-3);
        let mut checked = 0;
        for op in Op::ALL.iter().copied().filter(|op| op.arity() == 1) {
            let shape = op.shape();
            let at = |x: f64| Some(op.point(&[x])).filter(|y| !y.is_nan());
            let values: Vec<(f64, f64)> = xs.iter().filter_map(|x| Some((*x, at(*x)?))).collect();
            assert!(!shape.total || values.len() == xs.len(), "{op:?} is not total");
            // Where values are far from one another, as beyond the precision of tanh they are not.
            let apart = |w: &[(f64, f64)]| w[0].1 < w[1].1 || w[0].1 == w[1].1 && w[0].0.abs() > 4.0;
            assert!(!shape.increasing || values.windows(2).all(apart), "{op:?} does not increase");
            for (x, y) in values {
                match (shape.parity, at(-x)) {
                    (Some(Parity::Even), other) => assert_eq!(other, Some(y), "{op:?} at {x}"),
                    (Some(Parity::Odd), other) => assert_eq!(other, Some(-y), "{op:?} at {x}"),
                    (None, _) => {}
                }
                if let Some(inverse) = shape.inverse.filter(|_| x.abs() < 3.0) {
                    assert!(close(x, inverse.point(&[y])), "{inverse:?} of {op:?} at {x}");
                    checked += 1;
                }
            }
        }
        assert!(checked > 500, "{checked}");
    }
}
