//! The rounding error that one operation adds, from what is known of its operands: half a unit in the last place of the
//! largest result, nothing where the result is surely a value of the format.

use super::units::{bits, half_ulp, least_exponent, significant_bits, trailing_exponent, units};
use crate::floats::Format;
use crate::num::Interval;
use crate::num::directed::{add_up, mul_up};
use crate::num::float::{exponent, power};
use crate::ops::Op;

/// What is known of the computed values of a step on a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Computed {
    /// They are in it.
    pub(super) range: Interval,
    /// They are multiples of 2 to this.
    pub(super) grid: i32,
    /// They have at most so many significant bits.
    pub(super) bits: i32,
}

impl Computed {
    /// A sum or difference of this and another value is 0 or has at least this magnitude: 2 to it. Where this one has less
    /// than half the magnitude of the other, half of that is left; else it has few bits, and the last one is no finer than
    /// their number says.
    fn apart(&self, other: &Computed) -> i32 {
        let size = other.range.mig();
        if size == 0.0 {
            return -MANY;
        }
        let e = exponent(size);
        let own = self.grid.max(e - self.bits);
        (e - 1).min(own).min(other.grid.max(e - other.bits + 1))
    }
}

/// What is known of the rounding of a step on a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    /// The computed values; `None` where one may be infinite.
    pub(super) computed: Option<Computed>,
    /// An upper bound of the error that the rounding adds.
    pub(super) error: f64,
    /// An upper bound of the same over the magnitude of the exact value at the computed operands, which is 0 only where
    /// the result is; infinite where there is none.
    pub(super) share: f64,
}

/// The exact values of an operation at its computed operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values {
    /// They are in it.
    pub(super) range: Interval,
    /// They are multiples of 2 to this, if that is known.
    pub(super) grid: Option<i32>,
    /// They have at most so many significant bits.
    pub(super) bits: i32,
    /// Those that are not 0 have at least this magnitude: 2 to it.
    pub(super) least: i32,
}

/// More bits than any value has.
pub(super) const MANY: i32 = 1 << 20;

impl Values {
    /// Values of which only the range is known.
    pub(super) fn anywhere(range: Interval) -> Self {
        let mig = range.mig();
        Values { range, grid: None, bits: MANY, least: if mig > 0.0 { exponent(mig) } else { -MANY } }
    }

    /// The exact values of an operation at computed operands.
    pub(super) fn of(op: Op, operands: &[Computed], range: Interval) -> Self {
        let mut v = Values::anywhere(range);
        let known = match (op, operands) {
            (Op::Add | Op::Sub | Op::Fdim, [a, b]) => Some((a.grid.min(b.grid), MANY)),
            (Op::Mul, [a, b]) => Some((a.grid + b.grid, product_bits(a.bits, b.bits))),
            (Op::Fma, [a, b, c]) => Some(((a.grid + b.grid).min(c.grid), MANY)),
            (Op::Neg | Op::Fabs | Op::Copysign, [a, ..]) => Some((a.grid, a.bits)),
            (Op::Fmin | Op::Fmax, [a, b]) => Some((a.grid.min(b.grid), a.bits.max(b.bits))),
            // Not larger than the operand with the finer last bit.
            (Op::Fmod | Op::Remainder, [a, b]) => Some((a.grid.min(b.grid), a.bits.max(b.bits))),
            (Op::Floor | Op::Ceil | Op::Round | Op::Nearbyint | Op::Trunc, [a]) => Some((a.grid.max(0), a.bits)),
            // By a power of two.
            (Op::Div, [a, b]) if b.bits == 1 => Some((a.grid - exponent(b.range.mag()), a.bits)),
            _ => None,
        };
        if let Some((grid, bits)) = known {
            v.grid = Some(grid);
            v.bits = bits;
            v.least = v.least.max(grid);
        }
        match (op, operands) {
            (Op::Sqrt, [a]) => v.least = v.least.max(a.grid.div_euclid(2)),
            (Op::Div, [a, b]) => v.least = v.least.max(a.grid - exponent(b.range.mag()) - 1),
            (Op::Add | Op::Sub, [a, b]) => v.least = v.least.max(a.apart(b)).max(b.apart(a)),
            _ => {}
        }
        v
    }

    /// Whether every value is one of the format, overflow apart.
    fn fit(&self, format: Format) -> bool {
        let least = least_exponent(format);
        let on_grid = self.grid.is_some_and(|g| g >= least);
        // Multiples of 2^g up to 2^(g+p), or few bits that are not below the least one.
        (on_grid && self.grid.is_some_and(|g| self.range.mag() <= power(g + bits(format))))
            || (self.bits <= bits(format) && (on_grid || self.least >= format.emin()))
    }

    /// The same values as computed ones, which they are where nothing is rounded.
    fn kept(&self, range: Interval, format: Format) -> Computed {
        let least = self.least.max(format.emin()) - bits(format) + 1;
        let grid = self.grid.map_or(least, |g| g.max(least));
        if range.is_point() && range.inf() != 0.0 {
            return Computed { range, grid: trailing_exponent(range.inf()), bits: significant_bits(range.inf()) };
        }
        Computed { range, grid, bits: self.bits.min(bits(format)) }
    }

    /// Rounded to the nearest value of the format. `ends`: the nearest values to the ends of the range, where they are
    /// known better than from the range.
    pub(super) fn nearest(&self, format: Format, ends: Option<Interval>) -> Local {
        let near = Interval::new(format.round(self.range.inf()), format.round(self.range.sup()));
        let near = ends.map_or(near, |e| near & e);
        let exact = self.fit(format);
        let computed = (near.is_bounded() && near.mag() <= format.max()).then(|| self.kept(near, format));
        // What rounds to a value below the normal ones is no multiple of the unit roundoff away.
        let share = if exact {
            0.0
        } else if self.least >= format.emin() || self.grid.is_some_and(|g| g >= least_exponent(format)) {
            power(-bits(format))
        } else {
            // 0 is a value: nothing is further from the nearest one than its magnitude.
            1.0
        };
        Local { computed, error: if exact { 0.0 } else { half_ulp(format, self.range.mag()) }, share }
    }

    /// Rounded by the standard model alone: an error of at most 2^-p of the value, and half of the least value.
    pub(super) fn standard(&self, format: Format) -> Local {
        let least = power(least_exponent(format));
        let error = add_up(mul_up(power(-bits(format)), self.range.mag()), least);
        let range = self.range + Interval::new(-error, error);
        let computed = (range.is_bounded() && range.mag() <= format.max()).then_some(Computed {
            range,
            grid: least_exponent(format),
            bits: bits(format),
        });
        Local { computed, error, share: f64::INFINITY }
    }

    /// Some value of the format within `ulps` units in the last place of the exact value, inside the `image` of the
    /// function.
    pub(super) fn library(&self, format: Format, ulps: f64, image: Interval) -> Local {
        if ulps <= 0.5 {
            return self.nearest(format, None);
        }
        // The ends of the range of a function are no values of it, but where Annex F gives them exactly.
        let size = self.range.mag();
        let size = if size >= image.mag() { image.mag().next_down() } else { size };
        let error = units(format, ulps, size);
        let near = (self.range + Interval::new(-error, error)) & image;
        let near = Interval::new(format.round(near.inf()), format.round(near.sup())) | near;
        let computed = (near.is_bounded() && near.mag() <= format.max()).then(|| Computed {
            range: near,
            grid: if near.mig() > 0.0 { exponent(near.mig()).max(format.emin()) } else { format.emin() } - bits(format)
                + 1,
            bits: bits(format),
        });
        let share = if self.least >= format.emin() { mul_up(ulps, power(1 - bits(format))) } else { f64::INFINITY };
        Local { computed, error, share }
    }
}

/// The significant bits of a product.
fn product_bits(a: i32, b: i32) -> i32 {
    if a <= 1 || b <= 1 { a.max(b) } else { a + b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::float::{power_of_two, rational};
    use crate::ops::Exact;

    /// What is said of the last bit, of the number of bits and of the least magnitude, of all operators at floats of few bits.
    #[test]
    fn exact_values_have_the_bits_that_are_said() {
        const OPS: [Op; 18] = [
            Op::Add,
            Op::Sub,
            Op::Fdim,
            Op::Mul,
            Op::Div,
            Op::Neg,
            Op::Fabs,
            Op::Copysign,
            Op::Fmin,
            Op::Fmax,
            Op::Fmod,
            Op::Remainder,
            Op::Floor,
            Op::Ceil,
            Op::Round,
            Op::Nearbyint,
            Op::Trunc,
            Op::Fma,
        ];
        let numbers: Vec<f64> =
            (1..8).flat_map(|m| [-3, 0, 2].map(|e| f64::from(m) * power(e))).flat_map(|x| [x, -x]).collect();
        let of = |x: f64| Computed { range: Interval::point(x), grid: trailing_exponent(x), bits: significant_bits(x) };
        let mut few = 0;
        for (x, y) in numbers.iter().flat_map(|x| numbers.iter().map(move |y| (*x, *y))) {
            for op in OPS {
                let (operands, exact) = ([of(x), of(y), of(0.375)], [x, y, 0.375].map(rational));
                let [a, b, c] = exact.each_ref();
                let Exact::Value(value) = op.exact(&[a, b, c][..op.arity()]) else { continue };
                let said = Values::of(op, &operands[..op.arity()], Interval::ENTIRE);
                if value == 0 {
                    continue;
                }
                let units = said.grid.map(|g| &value / power_of_two(g));
                assert!(units.is_none_or(|units| units.is_integer()), "{op:?} {x} {y}: {said:?}");
                // Of a number of few bits the denominator is a power of two.
                let odd = value.numer().clone() >> value.numer().find_one(0).unwrap_or(0);
                let is_short = value.denom().is_power_of_two() && odd.significant_bits() as i32 <= said.bits;
                assert!(is_short || said.bits == MANY, "{op:?} {x} {y}: {said:?}");
                assert!(value.abs() >= power_of_two(said.least.max(-1000)), "{op:?} {x} {y}: {said:?}");
                few += usize::from(said.bits < 10);
            }
        }
        assert!(few > 10 * numbers.len() * numbers.len(), "{few}");
    }
}
