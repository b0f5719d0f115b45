//! Sizes that a quotient of polynomials cannot have at floats, by powers of two: a float at or above 2^e is a multiple
//! of the ulp of 2^e, so a polynomial of large floats is a multiple of a large power of two, and either 0 or at least
//! as large.
//!
//! It is not 0 where one term alone is divisible by the least power of two (the ultrametric inequality: the 2-adic
//! valuation of a sum is the least one of its terms if only one term has it). Intervals cannot show this: near a zero
//! over the reals they hold 0, however small the box.

use crate::num::float::exponent;
use crate::num::mpfr::Integer;
use crate::num::{Interval, Rational};
use crate::ops::Op;
use crate::spec::InputBox;
use crate::tape::{NodeId, Tape, TapeNode};
use std::collections::BTreeMap;

/// No polynomial has more terms.
const TERMS: usize = 64;
/// No power of one input is larger.
const DEGREE: u32 = 32;
/// No more combinations of the inputs' valuations are looked at.
const COMBINATIONS: u64 = 1 << 18;

/// Terms: the powers of the inputs, with a coefficient that is not 0.
type Polynomial = BTreeMap<Vec<u32>, Rational>;

/// A quotient of polynomials in the inputs. All coefficients of the numerator are integers.
#[derive(Clone)]
pub(super) struct Quotient {
    numerator: Polynomial,
    denominator: Polynomial,
}

/// What is known of one input in a box that does not hold 0: it is an odd multiple of 2^v.
struct Valuation {
    /// The least v.
    least: i64,
    /// The largest v, and the largest e with 2^e <= |x|.
    largest: i64,
}

/// A term in a box.
struct Term<'q> {
    powers: &'q [u32],
    /// The valuation of the coefficient.
    own: i64,
    /// The least valuation of the term in the box.
    least: i64,
    /// The term is less than 2 to this.
    size: i64,
}

impl Quotient {
    /// The function at a node as a quotient; none where it is no quotient of small polynomials.
    pub(in crate::suite) fn new(tape: &Tape, f: NodeId, inputs: usize) -> Option<Self> {
        let mut known: BTreeMap<NodeId, Quotient> = BTreeMap::new();
        let mut open = vec![f];
        // Operands come first: a node is left on the stack until they are known.
        while let Some(&node) = open.last() {
            let before = open.len();
            tape.node(node).for_each_operand(|x| open.extend((!known.contains_key(&x)).then_some(x)));
            if open.len() > before {
                continue;
            }
            open.pop();
            if !known.contains_key(&node) {
                let quotient = Self::of_node(tape, node, inputs, &known)?;
                known.insert(node, quotient);
            }
        }
        let Quotient { numerator, denominator } = known.remove(&f)?;
        let scale = numerator.values().fold(Integer::from(1), |l, c| l.lcm(c.denom()));
        let scaled = |p: Polynomial| p.into_iter().map(|(powers, c)| (powers, c * &scale)).collect();
        Some(Quotient { numerator: scaled(numerator), denominator: scaled(denominator) })
    }

    fn of_node(tape: &Tape, node: NodeId, inputs: usize, known: &BTreeMap<NodeId, Quotient>) -> Option<Self> {
        let constant = |c: Rational| Quotient { numerator: polynomial(vec![0; inputs], c), denominator: one(inputs) };
        if let Some(c) = tape.rational(node) {
            return Some(constant(c.clone()));
        }
        match tape.node(node) {
            TapeNode::Var(i) => {
                let powers = (0..inputs).map(|k| u32::from(k == i as usize)).collect();
                Some(Quotient { numerator: polynomial(powers, Rational::from(1)), denominator: one(inputs) })
            }
            TapeNode::Op(op, args) => {
                let [x, y, z] = args.map(|x| known.get(&x));
                match op {
                    Op::Neg => constant(Rational::from(-1)).times(x?),
                    Op::Add => x?.plus(y?),
                    Op::Sub => x?.plus(&constant(Rational::from(-1)).times(y?)?),
                    Op::Mul => x?.times(y?),
                    Op::Div => x?.times(&y?.inverse()),
                    Op::Fma => x?.times(y?)?.plus(z?),
                    Op::Pow => {
                        let n = tape.rational(args[1]).filter(|n| n.is_integer())?.numer().to_i32()?;
                        let x = if n < 0 { x?.inverse() } else { x?.clone() };
                        if n.unsigned_abs() > DEGREE {
                            return None;
                        }
                        (0..n.abs()).try_fold(constant(Rational::from(1)), |power, _| power.times(&x))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn inverse(&self) -> Quotient {
        Quotient { numerator: self.denominator.clone(), denominator: self.numerator.clone() }
    }

    fn times(&self, other: &Self) -> Option<Quotient> {
        Some(Quotient {
            numerator: product(&self.numerator, &other.numerator)?,
            denominator: product(&self.denominator, &other.denominator)?,
        })
    }

    fn plus(&self, other: &Self) -> Option<Quotient> {
        if self.denominator == other.denominator {
            let numerator = sum(self.numerator.clone(), &other.numerator)?;
            return Some(Quotient { numerator, denominator: self.denominator.clone() });
        }
        let left = product(&self.numerator, &other.denominator)?;
        let numerator = sum(left, &product(&other.numerator, &self.denominator)?)?;
        Some(Quotient { numerator, denominator: product(&self.denominator, &other.denominator)? })
    }

    /// Whether at all inputs of a box at which the quotient has a value it is larger than 2^`size`, by magnitude.
    /// `domain`: the formats of the inputs, and a box that holds the other one.
    pub(in crate::suite) fn is_beyond(&self, size: i64, domain: &InputBox, ranges: &[Interval]) -> bool {
        let inputs = ranges.iter().zip(&domain.formats).map(|(range, format)| {
            let nearest = range.inf().max(-range.sup());
            let farthest = range.sup().max(-range.inf());
            (nearest > 0.0 && farthest.is_finite()).then(|| Valuation {
                least: i64::from(format.ulp_exponent(exponent(nearest))),
                largest: i64::from(exponent(farthest)),
            })
        });
        let Some(inputs) = inputs.collect::<Option<Vec<Valuation>>>() else { return false };
        let terms: Vec<Term<'_>> = self.numerator.iter().map(|(powers, c)| Term::new(powers, c, &inputs)).collect();
        let below = |sizes: &mut dyn Iterator<Item = i64>| {
            let (count, largest) = sizes.fold((0_usize, i64::MIN), |(n, m), s| (n + 1, m.max(s)));
            (count > 0).then(|| largest + i64::from(count.next_power_of_two().ilog2()))
        };
        let denominator = self.denominator.iter().map(|(powers, c)| Term::new(powers, c, &inputs).size);
        let Some(denominator) = below(&mut denominator.collect::<Vec<_>>().into_iter()) else { return false };
        // The terms that are multiples of 2^g are a number of at least 2^g; the others, and what |f| <= 2^size would
        // leave of the numerator, are less than half of it each.
        let is_shown = |g: i64| {
            let others = below(&mut terms.iter().filter(|t| t.least < g).map(|t| t.size));
            let rest: Vec<&Term<'_>> = terms.iter().filter(|t| t.least >= g).collect();
            size + denominator < g && others.is_none_or(|o| o < g) && one_is_least(&rest, &inputs)
        };
        terms.iter().any(|t| is_shown(t.least))
    }
}

impl<'q> Term<'q> {
    fn new(powers: &'q [u32], c: &Rational, inputs: &[Valuation]) -> Self {
        let zeros = |n: &Integer| i64::from(n.find_one(0).unwrap_or(0));
        let own = zeros(c.numer()) - zeros(c.denom());
        let sum = |of: &dyn Fn(&Valuation) -> i64| -> i64 {
            powers.iter().zip(inputs).map(|(k, v)| i64::from(*k) * of(v)).sum()
        };
        // |c| < 2^(bits of the numerator - bits of the denominator + 1).
        let bits = i64::from(c.numer().significant_bits()) - i64::from(c.denom().significant_bits()) + 1;
        Term { powers, own, least: own + sum(&|v| v.least), size: bits + sum(&|v| v.largest + 1) }
    }
}

/// Whether for all valuations that the inputs may have one term's valuation is less than those of all the others.
fn one_is_least(terms: &[&Term<'_>], inputs: &[Valuation]) -> bool {
    if terms.len() == 1 {
        return true;
    }
    let counts = inputs.iter().map(|v| (v.largest - v.least + 1) as u64);
    if counts.clone().try_fold(1_u64, u64::checked_mul).is_none_or(|n| n > COMBINATIONS) {
        return false;
    }
    let mut at: Vec<i64> = inputs.iter().map(|v| v.least).collect();
    loop {
        let valuation = |t: &&Term<'_>| t.own + t.powers.iter().zip(&at).map(|(k, v)| i64::from(*k) * v).sum::<i64>();
        let least = terms.iter().map(valuation).min();
        if terms.iter().map(valuation).filter(|v| Some(*v) == least).count() != 1 {
            return false;
        }
        let Some(next) = (0..at.len()).find(|i| at[*i] < inputs[*i].largest) else { return true };
        at[next] += 1;
        (0..next).for_each(|i| at[i] = inputs[i].least);
    }
}

/// The polynomial of one term.
fn polynomial(powers: Vec<u32>, c: Rational) -> Polynomial {
    if c == 0 { Polynomial::new() } else { Polynomial::from([(powers, c)]) }
}

/// The polynomial 1.
fn one(inputs: usize) -> Polynomial {
    polynomial(vec![0; inputs], Rational::from(1))
}

/// The sum; none if it has too many terms.
fn sum(mut a: Polynomial, b: &Polynomial) -> Option<Polynomial> {
    for (powers, c) in b {
        *a.entry(powers.clone()).or_default() += c;
    }
    a.retain(|_, c| *c != 0);
    (a.len() <= TERMS).then_some(a)
}

/// The product; none if it has too many terms, or too large powers.
fn product(a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    let mut all = Polynomial::new();
    for (x, c) in a {
        for (y, d) in b {
            let powers: Vec<u32> = x.iter().zip(y).map(|(x, y)| x + y).collect();
            if powers.iter().any(|k| *k > DEGREE) {
                return None;
            }
            *all.entry(powers).or_default() += Rational::from(c * d);
        }
    }
    all.retain(|_, c| *c != 0);
    (all.len() <= TERMS).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::Format;
    use crate::num::float::rational;
    use crate::num::random::Random;

    /// The numbers of a format from one to another.
    fn numbers(format: Format, range: Interval) -> Vec<Rational> {
        let all = std::iter::successors(Some(range.inf()), |x| format.next_up(*x).filter(|x| *x <= range.sup()));
        all.map(rational).collect()
    }

    fn value(p: &Polynomial, at: &[&Rational]) -> Rational {
        let power = |x: &Rational, k: u32| (0..k).fold(Rational::from(1), |p, _| p * x);
        let term =
            |(powers, c): (&Vec<u32>, &Rational)| powers.iter().zip(at).fold(c.clone(), |t, (k, x)| t * power(x, *k));
        p.iter().map(term).fold(Rational::new(), |s, t| s + t)
    }

    fn random_polynomial(rng: &mut Random, terms: usize) -> Polynomial {
        let coefficients = [1, -1, 2, -3, 4, 5, -11, 16].map(Rational::from);
        let term = |rng: &mut Random| {
            let powers = vec![rng.index(4) as u32, rng.index(4) as u32];
            (powers, coefficients[rng.index(8)].clone())
        };
        (0..terms).map(|_| term(rng)).collect()
    }

    /// Every input of small boxes of a format of 4 bits: what is claimed holds at all of them, also where the numerator
    /// has both signs, so that no interval could show it.
    #[test]
    fn no_input_of_a_small_format_has_a_size_that_is_excluded() {
        let format = Format::small(4, -6, 6);
        let mut rng = Random::seeded(7);
        let (mut shown, mut shown_with_both_signs) = (0, 0);
        let positive = numbers(format, Interval::new(0.0, format.max()));
        let ends: Vec<f64> = positive.iter().skip(1).map(Rational::to_f64).collect();
        for _ in 0..40_000 {
            let range = |rng: &mut Random| {
                let first = rng.index(ends.len());
                let last = (first + rng.index(12)).min(ends.len() - 1);
                let (lo, hi) = (ends[first], ends[last]);
                if rng.index(2) == 0 { Interval::new(lo, hi) } else { Interval::new(-hi, -lo) }
            };
            let ranges = vec![range(&mut rng), range(&mut rng)];
            let (more, below) = (2 + rng.index(3), 1 + rng.index(2));
            let mut numerator = random_polynomial(&mut rng, more);
            if rng.index(2) == 0 {
                // An even and an odd valuation, with a zero over the reals nearby.
                let twice = Rational::from(-2 << (2 * rng.index(3)));
                numerator = Polynomial::from([(vec![2, 0], Rational::from(1)), (vec![0, 2], twice)]);
            }
            let quotient = Quotient { numerator, denominator: random_polynomial(&mut rng, below) };
            let domain = InputBox { ranges: ranges.clone(), formats: vec![format, format] };
            let size = rng.index(20) as i64 - 16;
            if !quotient.is_beyond(size, &domain, &ranges) {
                continue;
            }
            let limit = if size < 0 { Rational::from((1, 1 << -size)) } else { Rational::from(1 << size) };
            let (mut positive, mut negative) = (false, false);
            for x in numbers(format, ranges[0]) {
                for y in numbers(format, ranges[1]) {
                    let (n, d) = (value(&quotient.numerator, &[&x, &y]), value(&quotient.denominator, &[&x, &y]));
                    positive |= n > 0;
                    negative |= n < 0;
                    assert!(n.clone().abs() > limit.clone() * d.clone().abs(), "{n} / {d} at {x}, {y}");
                }
            }
            shown += 1;
            shown_with_both_signs += usize::from(positive && negative);
        }
        assert!(shown > 500 && shown_with_both_signs > 50, "{shown}, {shown_with_both_signs} with both signs");
    }

    /// (a^2 - 2 b^2) / b: 0 at no floats, since the valuations of the two terms differ by an odd number, and at least
    /// 2^-7 for floats of 4 bits in [1, 2).
    #[test]
    fn a_quotient_is_read_from_a_tape() {
        let mut builder = crate::tape::Builder::default();
        let (a, b) = (builder.var(0), builder.var(1));
        let (two, three) = (builder.rational(Rational::from(2)), builder.rational(Rational::from(3)));
        let square = builder.op(Op::Pow, &[a, two]);
        let product = builder.op(Op::Mul, &[b, b]);
        let twice = builder.op(Op::Mul, &[two, product]);
        let difference = builder.op(Op::Sub, &[square, twice]);
        let f = builder.op(Op::Div, &[difference, b]);
        let third = builder.op(Op::Div, &[f, three]);
        let root = builder.op(Op::Sqrt, &[f]);
        let tape = builder.tape();
        let format = Format::small(4, -6, 6);
        let ranges = vec![Interval::new(1.0, 1.875); 2];
        let domain = InputBox { ranges: ranges.clone(), formats: vec![format; 2] };
        let quotient = Quotient::new(tape, f, 2).unwrap();
        assert!(quotient.is_beyond(-9, &domain, &ranges) && !quotient.is_beyond(-7, &domain, &ranges));
        // A third of a third is no dyadic fraction: the numerator is multiplied until it has whole coefficients.
        let quotient = Quotient::new(tape, third, 2).unwrap();
        assert!(quotient.numerator.values().all(Rational::is_integer));
        assert!(quotient.is_beyond(-11, &domain, &ranges) && !quotient.is_beyond(-8, &domain, &ranges));
        assert!(Quotient::new(tape, root, 2).is_none());
        let around = vec![Interval::new(-1.0, 1.0), Interval::new(1.0, 1.875)];
        assert!(!quotient.is_beyond(-60, &InputBox { ranges: around.clone(), ..domain }, &around));
    }
}
