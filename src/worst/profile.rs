//! The largest error by place, for a picture.

use crate::search::most::space::Space;

/// The largest errors in columns of the domain, of two inputs in cells of a grid, all equally many floats wide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// How many columns each input has; none where there are more than two inputs.
    pub columns: usize,
    /// For each cell, the first input's column counting most, an input in it and the largest error there in units of the
    /// bound; `None` where nothing was found.
    pub cells: Vec<Option<(Vec<f64>, f64)>>,
}

/// The columns of one input, and of each of two.
const ONE: usize = 480;
const TWO: usize = 48;

impl Profile {
    pub(super) fn new(inputs: usize) -> Self {
        let (columns, cells) = match inputs {
            1 => (ONE, ONE),
            2 => (TWO, TWO * TWO),
            _ => (0, 0),
        };
        Profile { columns, cells: vec![None; cells] }
    }

    pub(super) fn add(&mut self, space: &Space, point: &[i64], error: f64) {
        if self.columns == 0 {
            return;
        }
        let cell = point.iter().enumerate().fold(0, |cell, (k, n)| {
            let (lo, hi) = (i128::from(space.whole.lo[k]), i128::from(space.whole.hi[k]));
            let column = (i128::from(*n) - lo) * self.columns as i128 / (hi - lo + 1);
            cell * self.columns + usize::try_from(column).unwrap_or(0)
        });
        if let Some(kept) = self.cells.get_mut(cell)
            && kept.as_ref().is_none_or(|k| k.1 < error)
        {
            *kept = Some((space.values(point), error));
        }
    }

    /// The last place of the last input that lies in one column with a point.
    pub(super) fn column_end(&self, space: &Space, point: &[i64]) -> i64 {
        let Some(k) = point.len().checked_sub(1).filter(|_| self.columns > 0) else { return i64::MAX };
        let (lo, hi) = (i128::from(space.whole.lo[k]), i128::from(space.whole.hi[k]));
        let (width, columns) = (hi - lo + 1, self.columns as i128);
        let column = (i128::from(point[k]) - lo) * columns / width;
        i64::try_from(lo + ((column + 1) * width - 1) / columns).unwrap_or(i64::MAX)
    }
}
