//! What the search asks of a problem.

use super::tally::Tally;

/// What an exact examination says of one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointCheck {
    /// It is a solution, verified.
    Solution,
    /// It surely is none.
    No,
    /// Not settled.
    Unsettled,
}

/// How much an exact examination may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// Little: one point of many.
    Glance,
    /// As much as the problem allows: a proof depends on it.
    Thorough,
}

/// Examines a point exactly.
pub type Examine<'a> = dyn FnMut(&[f64], Care) -> PointCheck + 'a;

/// A part that may hold a solution, with what looking at it showed.
#[derive(Clone, Debug)]
pub struct Seen<D, H> {
    /// What is left of the part: all of its solutions.
    pub part: D,
    /// How promising it is: the most promising part is looked into first. Infinite where nothing is known.
    pub priority: f64,
    /// What helps to cut it.
    pub hint: H,
    /// Whether every point of it is proved to be a solution, up to exact examination.
    pub inner: bool,
}

/// A question about a set of points: is one of them a solution?
///
/// The search rests on this: [`Problem::look`] takes away no solution, the parts of [`Problem::cut`] together hold all
/// points of the part, and [`Problem::examine`] says `Solution` and `No` only of what surely is one or none. Everything else
/// says where to look, and a mistake in it costs time.
pub trait Problem {
    /// A part of what is searched: a box of intervals, say, or a range of ordinals.
    type Part;
    /// One point.
    type Point;
    /// What looking at a part shows that helps to cut it.
    type Hint;

    /// All that is searched.
    fn whole(&self) -> Self::Part;

    /// Look at a part at a depth of the search. `None`: it surely holds no solution; then, or where something of it was
    /// taken away, the tally is told how near a solution that came.
    fn look(&mut self, part: Self::Part, depth: u32, tally: &mut Tally) -> Option<Seen<Self::Part, Self::Hint>>;

    /// A point of the part that is worth an exact examination, and how much of one.
    fn candidate(&mut self, part: &Self::Part) -> Option<(Self::Point, Care)>;

    /// The point that the part is, if it holds no other.
    fn only_point(&self, part: &Self::Part) -> Option<Self::Point>;

    /// Examine a point exactly.
    fn examine(&mut self, point: &Self::Point, care: Care) -> PointCheck;

    /// The width of a part, from 0 for a point to 2 or so, by which the search goes from coarse to fine.
    fn width(&self, part: &Self::Part) -> f64;

    /// Cut a part in two; `None` where that is not possible.
    fn cut(&self, part: &Self::Part, hint: &Self::Hint, depth: u32) -> Option<[Self::Part; 2]>;
}
