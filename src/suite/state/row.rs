//! The verdicts of a test on all mutants of a run.

use crate::suite::MatrixCell;
use std::ops::Index;

/// What may stand in a row of the kill matrix.
pub trait Unknown: Copy + 'static {
    /// What stands for a mutant that nobody looked at.
    const UNKNOWN: &'static Self;
}

impl Unknown for MatrixCell {
    const UNKNOWN: &'static Self = &MatrixCell::Uncertain;
}

/// A row of the kill matrix, one cell a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row<C = MatrixCell> {
    /// Every verdict.
    Whole(Vec<C>),
    /// Of a large run: what was asked, by mutant in ascending order. All others are uncertain, since nobody looked.
    Known {
        /// How many mutants there are.
        mutants: usize,
        /// The verdicts that are known.
        cells: Vec<(u32, C)>,
    },
}

impl<C: Unknown> Row<C> {
    /// How many mutants it is about.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Row::Whole(cells) => cells.len(),
            Row::Known { mutants, .. } => *mutants,
        }
    }

    /// Whether it is about no mutant.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same row with something else in its cells.
    #[must_use]
    pub fn map<D>(&self, cell: impl Fn(C) -> D) -> Row<D> {
        match self {
            Row::Whole(cells) => Row::Whole(cells.iter().map(|c| cell(*c)).collect()),
            Row::Known { mutants, cells } => {
                Row::Known { mutants: *mutants, cells: cells.iter().map(|(m, c)| (*m, cell(*c))).collect() }
            }
        }
    }

    /// The verdicts that are known, with their mutants, in order.
    pub fn known(&self) -> impl Iterator<Item = (usize, C)> + '_ {
        let (whole, some): (&[C], &[(u32, C)]) = match self {
            Row::Whole(cells) => (cells, &[]),
            Row::Known { cells, .. } => (&[], cells),
        };
        whole.iter().copied().enumerate().chain(some.iter().map(|(m, c)| (*m as usize, *c)))
    }
}

impl<C: Unknown> Index<usize> for Row<C> {
    type Output = C;

    fn index(&self, mutant: usize) -> &C {
        match self {
            Row::Whole(cells) => &cells[mutant],
            Row::Known { cells, .. } => match cells.binary_search_by_key(&mutant, |(m, _)| *m as usize) {
                Ok(k) => &cells[k].1,
                Err(_) => C::UNKNOWN,
            },
        }
    }
}

impl<C> From<Vec<C>> for Row<C> {
    fn from(cells: Vec<C>) -> Self {
        Row::Whole(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_uncertain() {
        let ko = MatrixCell::Ko { margin: 2.0 };
        let row = Row::Known { mutants: 5, cells: vec![(1, MatrixCell::Ok), (3, ko)] };
        let all: Vec<MatrixCell> = (0..row.len()).map(|m| row[m]).collect();
        assert_eq!(all, [MatrixCell::Uncertain, MatrixCell::Ok, MatrixCell::Uncertain, ko, MatrixCell::Uncertain]);
        assert_eq!(row.known().collect::<Vec<_>>(), [(1, MatrixCell::Ok), (3, ko)]);
        let whole = Row::from(all);
        assert!((0..5).all(|m| whole[m] == row[m]));
        assert_eq!(whole.known().count(), 5);
    }
}
