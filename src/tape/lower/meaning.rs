//! What an expression means where it may be an infinity or no number, and comparisons and classifications of that.

use crate::spec::core::{Classify, Compare};
use crate::tape::builder::Builder;
use crate::tape::node::NodeId;

/// What an expression means: a node, or one of the special values, which are no real numbers but which comparisons,
/// classifications, `fmin` and `fmax` understand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Meaning {
    Node(NodeId),
    Infinite { positive: bool },
    Nan,
}

/// The meaning as a number.
pub(super) fn number(b: &mut Builder, m: Meaning) -> NodeId {
    match m {
        Meaning::Node(n) => n,
        Meaning::Infinite { .. } | Meaning::Nan => b.undefined(),
    }
}

/// A comparison of several, each with the next.
pub(super) fn chain(b: &mut Builder, relation: Compare, args: &[Meaning]) -> NodeId {
    let mut all = b.boolean(true);
    let last = args.len();
    for i in 0..last {
        // "Distinct" is about all pairs, the others about neighbours.
        let end = if relation == Compare::Ne { last } else { (i + 2).min(last) };
        for j in i + 1..end {
            let holds = pair(b, relation, args[i], args[j]);
            all = b.and(all, holds);
        }
    }
    all
}

fn pair(b: &mut Builder, relation: Compare, x: Meaning, y: Meaning) -> NodeId {
    if let (Meaning::Node(x), Meaning::Node(y)) = (x, y) {
        return match relation {
            Compare::Lt => b.less(x, y),
            Compare::Gt => b.less(y, x),
            Compare::Le => b.less_eq(x, y),
            Compare::Ge => b.less_eq(y, x),
            Compare::Eq => b.equal(x, y),
            Compare::Ne => {
                let same = b.equal(x, y);
                b.not(same)
            }
        };
    }
    if x == Meaning::Nan || y == Meaning::Nan {
        return b.boolean(relation == Compare::Ne);
    }
    // At least one infinity: every real number is as 0 beside it.
    let rank = |m: Meaning| match m {
        Meaning::Infinite { positive: true } => 1,
        Meaning::Infinite { positive: false } => -1,
        _ => 0,
    };
    let o = rank(x).cmp(&rank(y));
    b.boolean(match relation {
        Compare::Lt => o.is_lt(),
        Compare::Gt => o.is_gt(),
        Compare::Le => o.is_le(),
        Compare::Ge => o.is_ge(),
        Compare::Eq => o.is_eq(),
        Compare::Ne => o.is_ne(),
    })
}

/// A classification of one.
pub(super) fn classify(b: &mut Builder, class: Classify, m: Meaning) -> NodeId {
    match (class, m) {
        // A real number is finite; what has no value is of no class.
        (Classify::IsNan | Classify::IsInf | Classify::IsFinite, Meaning::Node(x)) => {
            let (zero, is_it) = (b.rational(0.into()), b.boolean(class == Classify::IsFinite));
            let has_sign = b.less(x, zero);
            b.choose(has_sign, is_it, is_it)
        }
        (Classify::IsNan, m) => b.boolean(m == Meaning::Nan),
        (Classify::IsInf, m) => b.boolean(m != Meaning::Nan),
        (Classify::IsFinite, _) => b.boolean(false),
        // Over the reals every number but zero is normal.
        (Classify::IsNormal, Meaning::Node(x)) => {
            let zero = b.rational(0.into());
            let is_zero = b.equal(x, zero);
            b.not(is_zero)
        }
        (Classify::IsNormal, _) => b.boolean(false),
        (Classify::SignBit, Meaning::Node(x)) => {
            let zero = b.rational(0.into());
            b.less(x, zero)
        }
        (Classify::SignBit, m) => b.boolean(m == Meaning::Infinite { positive: false }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_distinct_from_all_and_in_no_order() {
        let mut b = Builder::new(1);
        let x = Meaning::Node(b.var(0));
        let (yes, no) = (b.boolean(true), b.boolean(false));
        for other in [x, Meaning::Infinite { positive: true }, Meaning::Nan] {
            for pair in [[Meaning::Nan, other], [other, Meaning::Nan]] {
                for relation in [Compare::Lt, Compare::Gt, Compare::Le, Compare::Ge, Compare::Eq] {
                    assert_eq!(chain(&mut b, relation, &pair), no, "{pair:?}");
                }
                assert_eq!(chain(&mut b, Compare::Ne, &pair), yes, "{pair:?}");
            }
        }
    }

    #[test]
    fn infinities_and_no_numbers_are_of_their_own_classes() {
        let mut b = Builder::new(0);
        let classes = [Classify::IsNan, Classify::IsInf, Classify::IsFinite, Classify::IsNormal, Classify::SignBit];
        let (positive, negative) = (Meaning::Infinite { positive: true }, Meaning::Infinite { positive: false });
        for (m, expected) in [
            (Meaning::Nan, [true, false, false, false, false]),
            (positive, [false, true, false, false, false]),
            (negative, [false, true, false, false, true]),
        ] {
            let found = classes.map(|class| classify(&mut b, class, m));
            assert_eq!(found, expected.map(|is_one| b.boolean(is_one)), "{m:?}");
        }
    }
}
