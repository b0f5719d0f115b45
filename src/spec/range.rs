//! Ranges of inputs.

use super::core::{Compare, Expr, ExprKind};
use super::number::{parse_rational, rational_text};
use crate::num::Rational;
use crate::unfit::Unfit;
use std::cmp::Ordering;
use std::fmt;

/// One end of a range.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeEnd {
    /// The end.
    pub value: Rational,
    /// Whether the end itself is left out.
    pub strict: bool,
}

/// The values of an input; a missing end is the format's largest finite number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Range {
    /// The lower end.
    pub lo: Option<RangeEnd>,
    /// The upper end.
    pub hi: Option<RangeEnd>,
}

impl Range {
    /// Whether no real number is inside.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match (&self.lo, &self.hi) {
            (Some(lo), Some(hi)) => lo.value > hi.value || lo.value == hi.value && (lo.strict || hi.strict),
            _ => false,
        }
    }

    /// Whether the number is inside.
    #[must_use]
    pub fn contains(&self, x: &Rational) -> bool {
        let above = |b: &RangeEnd| if b.strict { *x > b.value } else { *x >= b.value };
        let below = |b: &RangeEnd| if b.strict { *x < b.value } else { *x <= b.value };
        self.lo.as_ref().is_none_or(above) && self.hi.as_ref().is_none_or(below)
    }

    /// The numbers in both.
    #[must_use]
    pub fn intersect(&self, other: &Range) -> Range {
        let pick = |a: &Option<RangeEnd>, b: &Option<RangeEnd>, tighter: Ordering| match (a, b) {
            (None, x) | (x, None) => x.clone(),
            (Some(a), Some(b)) if a.value == b.value => Some(if a.strict { a } else { b }.clone()),
            (Some(a), Some(b)) => Some(if a.value.cmp(&b.value) == tighter { a } else { b }.clone()),
        };
        Range { lo: pick(&self.lo, &other.lo, Ordering::Greater), hi: pick(&self.hi, &other.hi, Ordering::Less) }
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn hull(&self, other: &Range) -> Range {
        let pick = |a: &Option<RangeEnd>, b: &Option<RangeEnd>, looser: Ordering| match (a, b) {
            (Some(a), Some(b)) if a.value == b.value => Some(if a.strict { b } else { a }.clone()),
            (Some(a), Some(b)) => Some(if a.value.cmp(&b.value) == looser { a } else { b }.clone()),
            _ => None,
        };
        Range { lo: pick(&self.lo, &other.lo, Ordering::Less), hi: pick(&self.hi, &other.hi, Ordering::Greater) }
    }

    /// The range as conjuncts of a precondition on the variable; none if it is unbounded.
    #[must_use]
    pub fn to_conditions(&self, name: &str) -> Vec<Expr> {
        let op = |b: &RangeEnd| if b.strict { Compare::Lt } else { Compare::Le };
        let end = |b: &RangeEnd| Expr::number(b.value.clone());
        let chain = |op, operands| Expr::new(ExprKind::Compare(op, operands));
        match (&self.lo, &self.hi) {
            (Some(lo), Some(hi)) if lo.strict == hi.strict => {
                vec![chain(op(lo), vec![end(lo), Expr::var(name), end(hi)])]
            }
            (lo, hi) => {
                let lo = lo.iter().map(|b| chain(op(b), vec![end(b), Expr::var(name)]));
                lo.chain(hi.iter().map(|b| chain(op(b), vec![Expr::var(name), end(b)]))).collect()
            }
        }
    }

    /// The ends in words, for a range that is bounded on both sides.
    fn in_words(&self) -> String {
        let lo = self.lo.iter().map(|b| (if b.strict { "greater than" } else { "at least" }, b));
        let hi = self.hi.iter().map(|b| (if b.strict { "less than" } else { "at most" }, b));
        let words = lo.chain(hi).map(|(word, b)| format!("{word} {}", rational_text(&b.value)));
        words.collect::<Vec<_>>().join(" and ")
    }

    /// The message for a range of an input that turned out to be empty.
    pub(super) fn empty_message(&self, name: &str) -> String {
        format!("the domain is empty: `{name}` would have to be {}", self.in_words())
    }

    /// What may help where one condition, if `together`, or several leave this empty range to an input.
    pub(super) fn empty_hint(&self, name: &str, together: bool) -> Option<String> {
        let (lo, hi) = (self.lo.as_ref()?, self.hi.as_ref()?);
        Some(if lo.value == hi.value {
            "`<=` lets the bound itself in, `<` does not".to_owned()
        } else if together {
            let (small, large) = (rational_text(&hi.value), rational_text(&lo.value));
            format!("the smaller bound comes first, as in `(<= {small} {name} {large})`")
        } else {
            format!("the conditions on `{name}` exclude each other")
        })
    }
}

impl fmt::Display for Range {
    /// As an interval: `[0, 1)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.lo {
            Some(b) => write!(f, "{}{}, ", if b.strict { '(' } else { '[' }, rational_text(&b.value))?,
            None => f.write_str("(-inf, ")?,
        }
        match &self.hi {
            Some(b) => write!(f, "{}{}", rational_text(&b.value), if b.strict { ')' } else { ']' }),
            None => f.write_str("inf)"),
        }
    }
}

/// Reads `x=[lo,hi]`, where either bracket may be round for an end that is left out and an end may be `inf`.
///
/// # Errors
/// A sentence that says what is wrong with the text.
pub fn parse_domain(text: &str) -> Result<(String, Range), Unfit> {
    let shape = || format!("`{text}` is not a domain; write `x=[lo,hi]`, with `(` or `)` for an end that is left out");
    // A name may hold `=` itself.
    let at = text.rfind("=[").max(text.rfind("=(")).ok_or_else(shape)?;
    let (name, range) = (text[..at].trim(), text[at + 1..].trim());
    let (open, rest) = range.split_at(1);
    let close = rest.chars().last().filter(|c| matches!(c, ']' | ')')).ok_or_else(shape)?;
    let (lo, hi) = rest[..rest.len() - 1].split_once(',').ok_or_else(shape)?;
    if name.is_empty() || hi.contains(',') {
        return Err(shape().into());
    }
    let end = |end: &str, strict: bool, infinities: &[&str]| {
        if infinities.iter().any(|i| end.eq_ignore_ascii_case(i)) {
            return Ok(None);
        }
        let value = parse_rational(end).map_err(|e| format!("{e}, in `{text}`"))?;
        Ok::<_, String>(Some(RangeEnd { value, strict }))
    };
    let lo = end(lo.trim(), open == "(", &["-inf", "-infinity"])?;
    let hi = end(hi.trim(), close == ')', &["inf", "infinity", "+inf", "+infinity"])?;
    let swapped = matches!((&lo, &hi), (Some(lo), Some(hi)) if lo.value > hi.value);
    let range = Range { lo, hi };
    if range.is_empty() {
        Err(format!("{}{}", range.empty_message(name), if swapped { "; the smaller end comes first" } else { "" })
            .into())
    } else {
        Ok((name.to_owned(), range))
    }
}
