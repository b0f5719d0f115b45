//! What functions of the host make of terms: exactly what IEEE 754 defines, or what the library computes, which is within
//! some ulps of the function over the reals.

use super::ops::copysign;
use super::terms::{Terms, sort_of, width_of};
use crate::code::host::{Math, math};
use crate::code::ins::Type;
use crate::code::module::Import;
use crate::floats::ordinal::{MINUS_ZERO, ZERO};
use crate::floats::set::FloatSpan;
use crate::floats::{Format, Rounding};
use crate::num::{Interval, Ternary};
use crate::ops;
use crate::solve::float::project::RoundedFunction;
use crate::solve::float::relate::TermRelation;
use crate::solve::float::{Library, Sort, Term, TermOp};
use std::sync::Arc;

/// The most ulps that a function of the host's library is taken to err by. The largest errors known of current libraries are
/// below 11 (Zimmermann and others, *Accuracy of Mathematical Functions*; `lgamma` of glibc), of all but the Bessel functions.
pub(in crate::code) const ULPS: i64 = 16;

/// The result of a mathematical function of the host; none for other functions.
pub(super) fn call(t: &mut Terms, import: &Import, x: &[Term]) -> Option<Term> {
    let function = math(&import.name).filter(|f| f.is_of(&import.ty) && f.stores().next().is_none())?;
    let sort = sort_of(*import.ty.results.first()?);
    let known: Option<Vec<u64>> = x.iter().map(|a| t.known(*a)).collect();
    if let Some(known) = known {
        let bits = t.int(width_of(sort), function.value(&known));
        return Some(t.with_bits(sort, bits));
    }
    if let Some(exact) = exact(t, &import.name, x) {
        return Some(exact);
    }
    let Some(computed) = Computed::of(import, function) else { return Some(t.anything(sort)) };
    let place = t.graph.add_library(Arc::new(computed));
    Some(t.graph.apply(TermOp::Library(place), sort, x))
}

/// The name of a function in binary64.
fn in_double(import: &Import) -> &str {
    let is_single = import.ty.results.first() == Some(&Type::F32);
    import.name.strip_suffix('f').filter(|_| is_single).unwrap_or(&import.name)
}

/// The functions that IEEE 754 defines exactly.
fn exact(t: &mut Terms, name: &str, x: &[Term]) -> Option<Term> {
    let name = name.strip_suffix('f').unwrap_or(name);
    let integral = |t: &mut Terms, mode| Some(t.rounded(RoundedFunction::Integral, mode, x));
    match (name, x) {
        ("fabs", [a]) => Some(t.exact(TermOp::Abs, &[*a])),
        ("sqrt", [_]) => Some(t.nearest(RoundedFunction::Sqrt, x)),
        ("floor", [_]) => integral(t, Rounding::Down),
        ("ceil", [_]) => integral(t, Rounding::Up),
        ("trunc", [_]) => integral(t, Rounding::Zero),
        ("round", [_]) => integral(t, Rounding::NearestAway),
        ("rint" | "nearbyint", [_]) => integral(t, Rounding::NearestEven),
        ("fma", [_, _, _]) => Some(t.nearest(RoundedFunction::Fma, x)),
        ("remainder" | "drem", [_, _]) => Some(t.exact(TermOp::Rem, x)),
        ("copysign", [a, b]) => Some(copysign(t, *a, *b)),
        ("fmin", [a, b]) => Some(lesser(t, [*a, *b], [*a, *b])),
        ("fmax", [a, b]) => Some(lesser(t, [*b, *a], [*a, *b])),
        _ => None,
    }
}

/// `fmin` of a and b, or `fmax` where these are compared in the other order: NaN is passed over unless it signals; of zeros
/// with different signs it may be either.
fn lesser(t: &mut Terms, [x, y]: [Term; 2], [a, b]: [Term; 2]) -> Term {
    let first = t.related(TermRelation::Less, x, y);
    let second = t.related(TermRelation::Less, y, x);
    let same = t.truth(TermOp::Same, &[a, b]);
    let either = t.anything(Sort::Bool);
    let zeros = t.choice(either, a, b);
    let equal = t.choice(same, a, zeros);
    let numbers = t.choice(second, b, equal);
    let numbers = t.choice(first, a, numbers);
    let quiet = t.anything(Sort::Bool);
    let (a_nan, b_nan) = (t.truth(TermOp::IsNan, &[a]), t.truth(TermOp::IsNan, &[b]));
    let (passed_a, passed_b) = (t.choice(quiet, b, a), t.choice(quiet, a, b));
    let or_b = t.choice(b_nan, passed_b, numbers);
    t.choice(a_nan, passed_a, or_b)
}

/// A function of the host with operands and result of one format, and the function over the reals that it is about.
#[derive(Debug)]
struct Computed {
    name: String,
    function: Math,
    format: Format,
    real: ops::Op,
}

/// The most operands.
const OPERANDS: usize = 2;

impl Computed {
    fn of(import: &Import, function: Math) -> Option<Computed> {
        let ty = *import.ty.results.first()?;
        let Sort::Float(format) = sort_of(ty) else { return None };
        let n = import.ty.params.len();
        if n > OPERANDS || import.ty.params.iter().any(|p| *p != ty) {
            return None;
        }
        let real = ops::Op::from_fpcore(in_double(import), n)?;
        Some(Computed { name: import.name.clone(), function, format, real })
    }

    /// The finite numbers of a set, as reals.
    fn reals(&self, s: FloatSpan) -> Interval {
        let most = self.format.infinity() - 1;
        let (lo, hi) = (s.lo.max(-1 - most), s.hi.min(most));
        if lo <= hi { Interval::new(self.format.number(lo), self.format.number(hi)) } else { Interval::EMPTY }
    }

    /// Values that the library may give for a function whose values are these.
    fn widened(&self, y: Interval) -> FloatSpan {
        if y.is_empty() {
            return FloatSpan::EMPTY;
        }
        let infinity = self.format.infinity();
        let lo = (self.format.ordinal_toward(Rounding::Down, y.inf()) - ULPS).max(-1 - infinity);
        FloatSpan::between(lo, (self.format.ordinal_toward(Rounding::Up, y.sup()) + ULPS).min(infinity))
    }

    /// Members of a set that are no numbers of an interval: infinities, and zeros of both signs.
    fn special(&self, s: FloatSpan) -> impl Iterator<Item = i64> + use<> {
        let infinity = self.format.infinity();
        [infinity, -1 - infinity, ZERO, MINUS_ZERO].into_iter().filter(move |x| s.contains(*x))
    }

    /// Whether there are poles between numbers of the domain.
    fn has_poles(&self) -> bool {
        matches!(self.real.name(), "tgamma" | "lgamma" | "tan")
    }
}

impl Library for Computed {
    fn name(&self) -> &str {
        &self.name
    }

    fn value(&self, operands: &[i64]) -> i64 {
        let mut bits = [0; OPERANDS];
        bits.iter_mut().zip(operands).for_each(|(b, x)| *b = self.format.to_bits(*x));
        self.format.from_bits(self.function.value(&bits[..operands.len()]))
    }

    fn image(&self, operands: &[FloatSpan]) -> FloatSpan {
        let all = FloatSpan::all(self.format);
        match operands {
            [x] => {
                let (y, defined) = self.real.forward(&[self.reals(*x)]);
                let mut image = self.widened(y);
                for value in self.special(*x) {
                    image = image.hull(FloatSpan::one(self.value(&[value])));
                }
                // The ends, where a pole may be.
                if x.has_numbers() {
                    image = image.hull(FloatSpan::one(self.value(&[x.lo]))).hull(FloatSpan::one(self.value(&[x.hi])));
                }
                FloatSpan { nan: image.nan || x.nan || defined != Ternary::True, ..image }
            }
            _ if operands.iter().any(|s| s.nan || self.special(*s).next().is_some()) => all,
            _ => {
                let x: Vec<Interval> = operands.iter().map(|s| self.reals(*s)).collect();
                let (y, defined) = self.real.forward(&x);
                if defined == Ternary::True { self.widened(y) } else { all }
            }
        }
    }

    fn preimage(&self, operands: &mut [FloatSpan], z: FloatSpan) {
        let infinity = self.format.infinity();
        let infinite = z.contains(infinity) || z.contains(-1 - infinity);
        let [x] = operands else { return };
        if z.nan || !z.has_numbers() || (infinite && self.has_poles()) {
            return;
        }
        let most = infinity - 1;
        let (lo, hi) = ((z.lo - ULPS).max(-1 - infinity), (z.hi + ULPS).min(infinity));
        let lo = if lo < -1 - most { f64::NEG_INFINITY } else { self.format.number(lo) };
        let hi = if hi > most { f64::INFINITY } else { self.format.number(hi) };
        let mut real = [self.reals(*x)];
        let mut left = FloatSpan::EMPTY;
        if !real[0].is_empty() && self.real.backward(Interval::new(lo, hi), &mut real) {
            let inner = FloatSpan::between(
                self.format.ordinal_toward(Rounding::Down, real[0].inf()),
                self.format.ordinal_toward(Rounding::Up, real[0].sup()),
            );
            left =
                inner.hull(if real[0].contains(0.0) { FloatSpan::between(MINUS_ZERO, ZERO) } else { FloatSpan::EMPTY });
        }
        for value in self.special(*x) {
            if z.contains(self.value(&[value])) {
                left = left.hull(FloatSpan::one(value));
            }
        }
        *x = x.meet(left);
    }
}
