//! Bisection: two points with a change between them, of a sign, the side of a comparison or a state, come together.

/// Two points with a change between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Bracket<P> {
    /// The point before it.
    pub before: P,
    /// The point after it.
    pub after: P,
}

impl<P: Clone> Bracket<P> {
    /// Halves the way between both points, `most` times or until there is no `middle`. `is_before` says whether a point is
    /// still before the change; where that cannot be told, both points are that one.
    #[must_use]
    pub fn bisect(
        mut self,
        most: u32,
        mut middle: impl FnMut(&P, &P) -> Option<P>,
        mut is_before: impl FnMut(&P) -> Option<bool>,
    ) -> Self {
        for _ in 0..most {
            let Some(point) = middle(&self.before, &self.after) else { break };
            match is_before(&point) {
                Some(true) => self.before = point,
                Some(false) => self.after = point,
                None => return Bracket { before: point.clone(), after: point },
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn middle(a: &i64, b: &i64) -> Option<i64> {
        let middle = a.midpoint(*b);
        (middle != *a && middle != *b).then_some(middle)
    }

    #[test]
    fn a_bracket_is_bisected_to_neighbours() {
        for place in 1..=100 {
            let bracket = Bracket { before: 0, after: 100 }.bisect(64, middle, |x| Some(*x < place));
            assert_eq!(bracket, Bracket { before: place - 1, after: place });
            let back = Bracket { before: 100, after: 0 }.bisect(64, middle, |x| Some(*x >= place));
            assert_eq!(back, Bracket { before: place, after: place - 1 });
        }
    }

    #[test]
    fn bisection_ends_where_nothing_is_known_and_after_so_many_steps() {
        let way = Bracket { before: 0, after: 100 };
        assert_eq!(way.clone().bisect(64, middle, |_| None), Bracket { before: 50, after: 50 });
        assert_eq!(way.bisect(1, middle, |x| Some(*x < 3)), Bracket { before: 0, after: 50 });
    }
}
