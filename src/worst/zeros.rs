//! Where the formula goes through 0, or over a pole: found by the oracle alone, without a call of the implementation.
//!
//! Beside a zero that is no float, f is as small as the floats are close: what an implementation rounds on its way there is
//! large beside it. Each zero has two such floats, of all that a format has; steps towards larger errors lead to them only
//! from near by.

use super::measure::{Measure, MeasureScratch};
use crate::halt;
use crate::num::random::Random;
use crate::points::Bracket;
use crate::search::most::points::{Places, any};
use crate::search::most::space::Space;

/// Into about how many cells the domain is cut to see where signs change.
const CELLS: usize = 4096;
/// The most zeros, and of how many evaluations one is worth its points.
const ZEROS: usize = 256;
const WORTH: u64 = 32;
/// How many floats beyond those on both sides of a zero are tried, on each side.
const BEYOND: i64 = 2;

/// Places on both sides of zeros, the nearest of all zeros first, those at everyday numbers before others.
pub(super) fn zeros(space: &Space, measure: &Measure<'_>, evaluations: u64) -> Vec<Places> {
    let (mut random, mut scratch) = (Random(4), MeasureScratch::default());
    let mut sign = |point: &Places| measure.sign(&space.values(point), &mut scratch);
    // Powers of two, at which cells end, are where formulas are 0 more often than they go through it.
    let cells = if space.formats.is_empty() { Vec::new() } else { space.cells(CELLS) };
    let points: Vec<(Places, Option<bool>)> = cells
        .iter()
        .take_while(|_| !halt::requested())
        .map(|cell| any(cell, &mut random))
        .map(|point| (sign(&point), point))
        .map(|(sign, point)| (point, sign))
        .collect();
    let differ = |pair: &&[(Places, Option<bool>)]| matches!((pair[0].1, pair[1].1), (Some(a), Some(b)) if a != b);
    let mut changes: Vec<(&Places, &Places)> = points.windows(2).filter(differ).map(|p| (&p[0].0, &p[1].0)).collect();
    let far = |point: &Places| {
        let each = space.values(point).into_iter().map(|x| if x == 0.0 { 0.0 } else { x.abs().log2().abs() });
        each.fold(0.0, f64::max)
    };
    changes.sort_by(|a, b| far(a.0).total_cmp(&far(b.0)));
    changes.truncate(usize::try_from(evaluations / WORTH).map_or(ZEROS, |n| n.min(ZEROS)));
    let found: Vec<Bracket<Places>> = changes
        .into_iter()
        .take_while(|_| !halt::requested())
        .map(|(a, b)| bisected(Bracket { before: a.clone(), after: b.clone() }, &mut sign))
        .collect();
    let mut beside = Vec::new();
    for away in 0..=BEYOND {
        for Bracket { before: a, after: b } in &found {
            beside.extend([moved(space, a, b, -away), moved(space, b, a, -away)]);
        }
    }
    beside
}

/// Halves a line at whose ends f has opposite signs until they are neighbours, or f is 0 or unknown between them.
fn bisected(ends: Bracket<Places>, sign: &mut impl FnMut(&Places) -> Option<bool>) -> Bracket<Places> {
    let first = sign(&ends.before);
    let middle = |a: &Places, b: &Places| {
        let each = a.iter().zip(b).map(|(a, b)| (i128::from(*a) + i128::from(*b)).div_euclid(2) as i64);
        Some(each.collect()).filter(|middle| middle != a && middle != b)
    };
    // Each halving halves the distance of each input, up to rounding.
    ends.bisect(i64::BITS + 1, middle, |x| sign(x).map(|now| Some(now) == first))
}

/// A place moved so many floats towards another one, in each input.
fn moved(space: &Space, from: &[i64], to: &[i64], count: i64) -> Places {
    let ends = space.whole.lo.iter().zip(&space.whole.hi);
    let step = |from: i64, to: i64| if to >= from { count } else { -count };
    from.iter().zip(to).zip(ends).map(|((a, b), (lo, hi))| a.saturating_add(step(*a, *b)).clamp(*lo, *hi)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::InputBox;
    use crate::spec::{Overrides, Spec, parse_file, resolve};

    fn spec(text: &str) -> Spec {
        resolve(&parse_file(text.as_bytes()), 0, "t", &Overrides::default()).unwrap_or_else(|_| panic!("{text}"))
    }

    fn found(spec: &Spec) -> (Space, Vec<Vec<f64>>) {
        let space = Space::new(&InputBox::new(spec).unwrap());
        let all = zeros(&space, &Measure::new(spec, 3840), 100_000);
        let values = all.iter().map(|p| space.values(p)).collect();
        (space, values)
    }

    #[test]
    fn the_floats_on_both_sides_of_the_zeros_of_a_bessel_function_come_first() {
        let j1 = spec("(FPCore (x) :precision binary64 :pre (<= 1e-100 x 1e6) (- (/ (sin x) (* x x)) (/ (cos x) x)))");
        let (_, points) = found(&j1);
        // tan x = x: 4.493409457909064175…, 7.725251836937707164….
        for zero in [4.493409457909064, 7.725251836937707] {
            let beside = |x: &f64| (x - zero).abs() < 4.0 * f64::EPSILON;
            assert!(points[..16].iter().any(|p| beside(&p[0])), "{:?}", &points[..16]);
        }
        let signs = points[..2].iter().map(|p| Measure::new(&j1, 3840).sign(p, &mut MeasureScratch::default()));
        assert_eq!(signs.flatten().collect::<std::collections::HashSet<bool>>().len(), 2);
        assert!(points.len() <= ZEROS * 2 * (1 + BEYOND as usize));
    }

    #[test]
    fn lines_through_two_inputs_are_halved_too_and_where_nothing_changes_sign_there_is_nothing() {
        let circle =
            spec("(FPCore (x y) :precision binary64 :pre (and (<= -2 x 2) (<= -2 y 2)) (- (+ (* x x) (* y y)) 1))");
        let (_, points) = found(&circle);
        assert!(!points.is_empty());
        assert!(points.iter().all(|p| (p[0].hypot(p[1]) - 1.0).abs() < 1e-14), "{points:?}");
        let exp = spec("(FPCore (x) :precision binary64 :pre (<= -700 x 700) (exp x))");
        assert!(found(&exp).1.is_empty());
    }

    #[test]
    fn a_zero_that_is_a_float_is_found_itself() {
        let line = spec("(FPCore (x) :precision binary64 :pre (<= -700 x 700) (- x 3))");
        assert_eq!(found(&line).1[0], [3.0]);
    }
}
