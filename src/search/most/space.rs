//! The inputs as integers: their places are ranks among their formats' values, cut into cells.

use crate::floats::Format;
use crate::points::values::of_searches;
use crate::spec::InputBox;
use std::collections::HashSet;

/// A box of inputs by places, ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The smallest places.
    pub lo: Vec<i64>,
    /// The largest places.
    pub hi: Vec<i64>,
}

/// The inputs of a specification.
#[derive(Clone, Debug)]
pub struct Space {
    /// Their formats.
    pub formats: Vec<Format>,
    /// All of them.
    pub whole: Cell,
}

/// Exponents of everyday numbers, whose binades are cut finer.
const EVERYDAY: i64 = 12;
/// Into how many parts a binade of everyday numbers is cut, where there is one input.
const PARTS: i64 = 64;

impl Space {
    /// The inputs in a box.
    #[must_use]
    pub fn new(domain: &InputBox) -> Self {
        let places = |end: fn(&crate::num::Interval) -> f64| {
            let each = domain.ranges.iter().zip(&domain.formats);
            each.map(|(range, format)| format.rank(end(range))).collect()
        };
        let whole = Cell { lo: places(|r| r.inf()), hi: places(|r| r.sup()) };
        Space { formats: domain.formats.clone(), whole }
    }

    /// A point's values.
    #[must_use]
    pub fn values(&self, places: &[i64]) -> Vec<f64> {
        places.iter().zip(&self.formats).map(|(n, format)| format.from_rank(*n)).collect()
    }

    /// The places of values of the formats.
    #[must_use]
    pub fn places(&self, values: &[f64]) -> Vec<i64> {
        values.iter().zip(&self.formats).map(|(x, format)| format.rank(*x)).collect()
    }

    /// At most about `most` cells: the binades and signs of each input, finer for everyday numbers where there is one
    /// input, neighbours put together where there would be too many.
    #[must_use]
    pub fn cells(&self, most: usize) -> Vec<Cell> {
        let inputs = self.formats.len();
        let each = (most as f64).powf(1.0 / inputs.max(1) as f64).max(1.0) as usize;
        let columns: Vec<Vec<(i64, i64)>> = (0..inputs)
            .map(|k| {
                let strips = self.strips(k, if inputs == 1 { PARTS } else { 1 });
                let share = strips.len().div_ceil(each);
                strips.chunks(share.max(1)).map(|c| (c[0].0, c[c.len() - 1].1)).collect()
            })
            .collect();
        let mut cells = vec![Cell { lo: Vec::new(), hi: Vec::new() }];
        for column in &columns {
            let longer = |cell: &Cell, (lo, hi): (i64, i64)| Cell {
                lo: cell.lo.iter().copied().chain([lo]).collect(),
                hi: cell.hi.iter().copied().chain([hi]).collect(),
            };
            cells = cells.iter().flat_map(|cell| column.iter().map(move |end| longer(cell, *end))).collect();
        }
        cells
    }

    /// The binades of one input inside its range, in order.
    fn strips(&self, input: usize, parts: i64) -> Vec<(i64, i64)> {
        let format = self.formats[input];
        let binade = 1i64 << (format.precision() - 1);
        let (lo, hi) = (self.whole.lo[input], self.whole.hi[input]);
        let mut found = Vec::new();
        let mut from = lo;
        while from <= hi {
            // The binade's number, 0 for subnormal numbers; below 0 its ends are mirrored.
            let field = from.abs() / binade - i64::from(from < 0 && from % binade == 0);
            let everyday = (field - 1 + i64::from(format.emin())).abs() <= EVERYDAY;
            let step = if everyday && binade >= parts { binade / parts } else { binade };
            let to = (from.div_euclid(step) * step + step - 1).min(hi);
            found.push((from, to));
            from = to + 1;
        }
        found
    }

    /// Values of one input at which implementations go wrong more often than elsewhere: ends, 0, and those of [`of_searches`],
    /// then the neighbours of all of them.
    #[must_use]
    pub fn special(&self, input: usize) -> Vec<i64> {
        let format = self.formats[input];
        let (lo, hi) = (self.whole.lo[input], self.whole.hi[input]);
        let mut centres = vec![lo, hi, 0];
        for x in of_searches() {
            centres.extend([x, -x].iter().map(|x| format.rank(format.nearest(*x))));
        }
        let near = (1..=NEIGHBOURS).flat_map(|d| [d, -d]);
        let all = std::iter::once(0).chain(near).flat_map(|d| centres.iter().map(move |c| c.saturating_add(d)));
        let mut seen = HashSet::new();
        all.filter(|n| (lo..=hi).contains(n) && seen.insert(*n)).collect()
    }
}

/// How many floats on each side of a special value are tried.
const NEIGHBOURS: i64 = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Interval;

    #[test]
    fn cells_cover_the_range_without_overlap() {
        for format in Format::ALL {
            let max = format.max();
            for (lo, hi) in [(-max, max), (-1.0, 1.0), (1.0, 1.0), (0.0, 100.0), (-3.0, -0.5)] {
                let domain = InputBox { ranges: vec![Interval::new(lo, hi)], formats: vec![format] };
                let space = Space::new(&domain);
                for most in [1, 10, 5000] {
                    let cells = space.cells(most);
                    assert_eq!((cells[0].lo[0], cells[cells.len() - 1].hi[0]), (space.whole.lo[0], space.whole.hi[0]));
                    assert!(cells.windows(2).all(|w| w[0].hi[0] + 1 == w[1].lo[0]));
                    assert!(cells.iter().all(|c| c.lo[0] <= c.hi[0]));
                }
            }
        }
        let domain = InputBox { ranges: vec![Interval::new(-1.0, 1.0); 3], formats: vec![Format::BINARY64; 3] };
        let cells = Space::new(&domain).cells(1000);
        assert!((200..=1000).contains(&cells.len()), "{}", cells.len());
    }
}
