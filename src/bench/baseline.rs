//! Random testing to compare with: how many mutants of the function do so many random points kill?
//!
//! The verdicts are the same as for Magneto's own probes: binary64 arithmetic picks the points that look like kills,
//! and only what is verified counts. Mutants of ranges and of the accuracy are left out: a point in D says nothing of
//! them.

use crate::csp::{InputBox, Pair};
use crate::mutate::{Change, Mutant};
use crate::num::float::{from_ordinal, ordinal};
use crate::oracle::{Ladder, all_hold};
use crate::solver::Verifier;
use crate::solver::decide::probe;
use crate::solver::verify::Rules;
use crate::spec::{OutOfRange, Spec};
use crate::tape::lower::lower;
use crate::tape::{Builder, NodeId};

/// How random points are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Every number of a range is as likely, up to rounding: the paper's baseline BB.
    Numbers,
    /// Every float of a range is as likely.
    Floats,
}

/// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From [0, 1), 53 bits.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From 0 to `most`, as good as uniform.
    fn below(&mut self, most: u64) -> u64 {
        ((u128::from(self.next()) * (u128::from(most) + 1)) >> 64) as u64
    }
}

/// How many draws a point may take where :pre says more than ranges.
const DRAWS: usize = 1000;

/// How many of the mutants with another function are killed by `count` random points of D.
///
/// # Errors
/// The name of an input whose range holds no value of its format.
pub fn killed(
    spec: &Spec,
    mutants: &[&Mutant],
    count: usize,
    spread: Spread,
    seed: u64,
    cap: u32,
) -> Result<usize, String> {
    let domain = InputBox::new(spec)?;
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let mut builder = Builder::new(names.len());
    let f = lower(&mut builder, &names, &spec.core.body);
    let conditions: Vec<NodeId> = spec.constraints.iter().map(|c| lower(&mut builder, &names, c)).collect();
    let bodies = mutants.iter().filter_map(|m| if let Change::Body(body) = &m.change { Some(body) } else { None });
    let roots: Vec<NodeId> = bodies.map(|body| lower(&mut builder, &names, body)).collect();
    let tape = builder.finish();
    let pair = |g: NodeId| Pair::extract(&tape, f, g, &conditions, &spec.accuracy, &spec.accuracy);

    let own = pair(f);
    let inside = |x: &[f64]| {
        own.conditions.is_empty() || all_hold(&mut Ladder::new(&own.tape, x, cap), &own.conditions).is_true()
    };
    let mut random = Random(seed);
    let mut draw = || (0..DRAWS).map(|_| point(&domain, spread, &mut random)).find(|x| inside(x));
    let points: Vec<Vec<f64>> = (0..count).map_while(|_| draw()).collect();
    let response_told = matches!(spec.out_of_range, OutOfRange::Reject | OutOfRange::Nan);
    let rules = Rules { cap, format: spec.result_format, response_told };
    let is_killed = |g: &&NodeId| {
        let pair = pair(**g);
        probe(&pair, &points, &mut Verifier::new(&pair, rules)).is_some()
    };
    Ok(roots.iter().filter(|g| **g != f).filter(is_killed).count())
}

fn point(domain: &InputBox, spread: Spread, random: &mut Random) -> Vec<f64> {
    let one = |r: &crate::num::Interval, random: &mut Random| match spread {
        Spread::Numbers => {
            let t = random.unit();
            r.inf() * (1.0 - t) + r.sup() * t
        }
        Spread::Floats => {
            let (lo, hi) = (ordinal(r.inf()), ordinal(r.sup()));
            from_ordinal(lo.wrapping_add_unsigned(random.below(hi.abs_diff(lo))))
        }
    };
    let x: Vec<f64> = domain.ranges.iter().map(|r| one(r, random)).collect();
    domain.clamp(&x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Interval;
    use crate::num::float::Format;

    #[test]
    fn points_are_in_the_box_and_repeatable() {
        let domain = InputBox {
            ranges: vec![Interval::new(-3.0, 1e300), Interval::point(0.5)],
            formats: vec![Format::Binary64; 2],
        };
        for spread in [Spread::Numbers, Spread::Floats] {
            let draw = |seed| {
                let mut random = Random(seed);
                (0..200).map(|_| point(&domain, spread, &mut random)).collect::<Vec<_>>()
            };
            let points = draw(7);
            assert!(points.iter().all(|p| domain.contains(p)));
            assert_eq!(points, draw(7));
            assert_ne!(points, draw(8));
        }
        // Half of the floats below 1e300 are below 1; hardly any of the numbers.
        let small = |spread| {
            let mut random = Random(1);
            (0..400).filter(|_| point(&domain, spread, &mut random)[0] < 1.0).count()
        };
        assert!(small(Spread::Numbers) == 0 && small(Spread::Floats) > 100);
    }
}
