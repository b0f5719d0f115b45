//! Parts of a whole that are worked on apart from each other, on other machines say.

use crate::unfit::Unfit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The most parts of a run.
const MOST: usize = 100_000;

/// One part of so many, as `k/n` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Portion {
    /// Which part this is, from 1.
    #[serde(rename = "shard")]
    pub number: usize,
    /// How many parts there are.
    pub of: usize,
}

impl FromStr for Portion {
    type Err = Unfit;

    fn from_str(text: &str) -> Result<Self, Unfit> {
        let whole = |s: &str| s.parse::<usize>().ok().filter(|n| (1..=MOST).contains(n));
        let portion = text.split_once('/').and_then(|(k, n)| Some(Portion { number: whole(k)?, of: whole(n)? }));
        portion.filter(|p| p.is_sound()).ok_or_else(|| {
            format!("expected K/N with two whole numbers, K from 1 to N and N at most {MOST}, such as 2/7").into()
        })
    }
}

impl Portion {
    /// All there is.
    pub const WHOLE: Portion = Portion { number: 1, of: 1 };

    /// Whether it is one that can be asked for: a file may say anything.
    #[must_use]
    pub fn is_sound(self) -> bool {
        (1..=self.of).contains(&self.number) && self.of <= MOST
    }
}

impl fmt::Display for Portion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// Deals things out to so many parts, from 1, with about the same weight each: the heaviest first, each to the part that has
/// least so far. Of things of one weight neighbours go to different parts: specifications beside each other are often alike.
#[must_use]
pub fn deal(weights: &[f64], parts: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]));
    // And how many things, where weights are too small to be told from nothing.
    let mut loads = vec![(0.0, 0usize); parts.max(1)];
    let mut dealt = vec![1; weights.len()];
    for thing in order {
        let by_load =
            |a: &usize, b: &usize| f64::total_cmp(&loads[*a].0, &loads[*b].0).then(loads[*a].1.cmp(&loads[*b].1));
        let least = (0..loads.len()).min_by(by_load).unwrap_or(0);
        loads[least].0 += weights[thing];
        loads[least].1 += 1;
        dealt[thing] = least + 1;
    }
    dealt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_are_read() {
        for (text, number, of) in [("1/1", 1, 1), ("2/7", 2, 7), ("100000/100000", 100_000, 100_000)] {
            assert_eq!(text.parse::<Portion>(), Ok(Portion { number, of }));
            assert_eq!(Portion { number, of }.to_string(), text);
        }
        for text in ["", "/", "1", "0/1", "2/1", "1/0", "-1/2", "1/2/3", "a/b", " 1/2", "1/100001", "1.0/2"] {
            assert!(text.parse::<Portion>().is_err(), "{text}");
        }
    }

    #[test]
    fn equal_things_are_dealt_in_turns() {
        assert_eq!(deal(&[1.0; 5], 2), [1, 2, 1, 2, 1]);
        assert_eq!(deal(&[1.0; 2], 7), [1, 2]);
        assert_eq!(deal(&[0.0; 3], 2), [1, 2, 1]);
        assert!(deal(&[], 3).is_empty());
    }

    #[test]
    fn heavy_things_are_dealt_first() {
        assert_eq!(deal(&[1.0, 1.0, 8.0, 1.0, 5.0], 2), [2, 2, 1, 2, 2]);
        // No part has more than the mean and the heaviest together: what was least loaded got its last (Graham 1966).
        let mut state = 1u64;
        for parts in 1..9 {
            let weights: Vec<f64> = (0..50)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 60) as f64 + 1.0
                })
                .collect();
            let dealt = deal(&weights, parts);
            let load = |p: usize| -> f64 { (0..50).filter(|k| dealt[*k] == p).map(|k| weights[k]).sum() };
            let most = (1..=parts).map(load).fold(0.0, f64::max);
            let mean = weights.iter().sum::<f64>() / parts as f64;
            assert!(most <= mean + 16.0, "{parts}: {most} {mean}");
        }
    }
}
