//! How a program computes: in floats of a format, or in fixed point; and what is known of the numbers that it computes with.

use super::core::{Compare, Expr, ExprKind, Number};
use crate::floats::{Format, Rounding};
use crate::num::float::{power_of_two, rational};
use crate::num::{Integer, Rational};
use crate::ops::{Constant, Exact, Op};
use crate::text::{Span, nearest, quote};

/// The most bits of the fixed-point numbers that a program computes with.
const MAX_BITS: u32 = 128;
/// The scales of fixed-point numbers lie between this with a minus and this.
const MAX_SCALE: i32 = 400;

/// What the values of the operations are rounded to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Arithmetic {
    /// The nearest number of a floating-point format, ties to even; with what becomes of fixed-point numbers beyond their format where
    /// nothing else is said inside.
    Float(Format, Overflow),
    /// Fixed point.
    Fixed(FixedPoint),
}

impl Arithmetic {
    /// What FPCore calls the format.
    pub(super) fn name(self) -> String {
        match self {
            Arithmetic::Float(format, _) => format.name(),
            Arithmetic::Fixed(own) => format!("(fixed {} {})", own.scale, own.bits),
        }
    }

    /// What it does to the result of an operation, after "each operation".
    pub(super) fn in_words(self) -> String {
        let Arithmetic::Fixed(own) = self else { return "is rounded to nearest".to_owned() };
        let towards = match own.direction {
            Rounding::NearestEven => "to nearest, halves to even",
            Rounding::NearestAway => "to nearest, halves away from zero",
            Rounding::Up => "up",
            Rounding::Down => "down",
            Rounding::Zero => "toward zero",
        };
        let end = match own.overflow {
            Overflow::Undefined => "nothing is asked where one overflows",
            Overflow::Clamp => "one that overflows gives the number at the end",
            Overflow::Wrap => "one that overflows wraps around",
        };
        format!("is rounded {towards}, and {end}")
    }

    /// The numbers that there are.
    pub(super) fn numbers(self) -> Numbers {
        match self {
            Arithmetic::Float(format, _) => Numbers::Float(format),
            Arithmetic::Fixed(own) => Numbers::Grid(own.grid()),
        }
    }

    /// An expression whose values are these, rounded.
    ///
    /// # Errors
    /// Nothing is computed in the format.
    pub(super) fn rounded(self, e: Expr, numbers: &Numbers) -> Result<Expr, Expr> {
        match self {
            Arithmetic::Float(format, _) => match Op::ALL.iter().find(|op| op.rounds_to() == Some(format)) {
                Some(rounding) => Ok(op(*rounding, vec![e])),
                None => Err(e),
            },
            Arithmetic::Fixed(own) => Ok(own.rounded(e, numbers)),
        }
    }
}

/// What becomes of a number that is beyond a fixed-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overflow {
    /// Nothing is known of it.
    Undefined,
    /// The number at the end.
    Clamp,
    /// It goes on at the other end.
    Wrap,
}

impl Overflow {
    /// All with their names in FPCore, whose `infinity` fixed-point numbers have not.
    pub(super) const ALL: [(&'static str, Overflow); 3] =
        [("infinity", Overflow::Undefined), ("clamp", Overflow::Clamp), ("wrap", Overflow::Wrap)];

    /// The one of this name.
    ///
    /// # Errors
    /// Message and hint.
    pub(super) fn from_name(name: &str) -> Result<Self, (String, String)> {
        named(name, &Overflow::ALL, "a way to overflow")
    }
}

/// The directions of rounding with their names in FPCore.
pub const DIRECTIONS: [(&str, Rounding); 5] = [
    ("nearestEven", Rounding::NearestEven),
    ("nearestAway", Rounding::NearestAway),
    ("toPositive", Rounding::Up),
    ("toNegative", Rounding::Down),
    ("toZero", Rounding::Zero),
];

/// The direction of this name.
///
/// # Errors
/// Message and hint.
pub(super) fn direction(name: &str) -> Result<Rounding, (String, String)> {
    named(name, &DIRECTIONS, "a direction of rounding")
}

fn named<T: Copy>(name: &str, all: &[(&str, T)], what: &str) -> Result<T, (String, String)> {
    if let Some((_, value)) = all.iter().find(|(own, _)| *own == name) {
        return Ok(*value);
    }
    let names: Vec<&str> = all.iter().map(|(own, _)| *own).collect();
    let hint = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", names.join(", ")),
    };
    Err((format!("{} is not {what}", quote(name)), hint))
}

/// Computing with the numbers k 2^scale, where k is an integer of so many bits in two's complement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FixedPoint {
    pub(super) scale: i32,
    pub(super) bits: u32,
    pub(super) direction: Rounding,
    pub(super) overflow: Overflow,
}

impl FixedPoint {
    /// The fixed point that FPCore writes so: `(fixed scale bits)` of at most 128 bits with a scale between -400 and 400, or `integer`,
    /// which has no end, so that nothing is known of integers that are larger than those of binary64.
    pub(super) fn from_name(name: &str, direction: Rounding, overflow: Overflow) -> Option<Self> {
        let of = |scale: i32, bits: u32| {
            let fits = (2..=MAX_BITS).contains(&bits) && (-MAX_SCALE..=MAX_SCALE).contains(&scale);
            fits.then_some(FixedPoint { scale, bits, direction, overflow })
        };
        if Format::from_name(name) == Some(Format::INTEGER) {
            let bits = Format::INTEGER.precision() + 1;
            return Some(FixedPoint { scale: 0, bits, direction, overflow: Overflow::Undefined });
        }
        let words: Vec<&str> = name.strip_prefix('(')?.strip_suffix(')')?.split_whitespace().collect();
        match words[..] {
            ["fixed", scale, bits] => of(scale.parse().ok()?, bits.parse().ok()?),
            _ => None,
        }
    }

    /// Its numbers.
    fn grid(self) -> Grid {
        let half = power_of_two(self.scale + self.bits as i32 - 1);
        Grid { scale: self.scale, least: Rational::from(-&half), largest: half - power_of_two(self.scale) }
    }

    /// The number that this one is rounded to; none where it is beyond the format and nothing is known of that.
    pub(super) fn nearest(self, x: &Rational) -> Option<Rational> {
        let Grid { least, largest, .. } = self.grid();
        let unit = power_of_two(self.scale);
        let Exact::Value(k) = rounding(self.direction).exact(&[&Rational::from(x / &unit)]) else { return None };
        let y = k * unit;
        match self.overflow {
            _ if least <= y && y <= largest => Some(y),
            Overflow::Undefined => None,
            Overflow::Clamp => Some(if y < least { least } else { largest }),
            Overflow::Wrap => {
                let length = Rational::from(&least * -2i32);
                let turns = Rational::from(&y - &least) / &length;
                Some(y - turns.floor() * length)
            }
        }
    }

    /// An expression whose values are these, rounded.
    fn rounded(self, e: Expr, numbers: &Numbers) -> Expr {
        let span = e.span;
        let number = |value: Rational| Expr { kind: ExprKind::Number(Number::new(value)), span };
        let (grid, own) = (if let Numbers::Grid(grid) = numbers { Some(grid) } else { None }, self.grid());
        let y = match grid.is_some_and(|grid| grid.scale >= self.scale) {
            true => e,
            false if self.scale == 0 => op(rounding(self.direction), vec![e]),
            false => {
                let units = op(Op::Mul, vec![e, number(power_of_two(-self.scale))]);
                op(Op::Mul, vec![op(rounding(self.direction), vec![units]), number(power_of_two(self.scale))])
            }
        };
        if grid.is_some_and(|grid| own.has_range(grid)) {
            return y;
        }
        match self.overflow {
            Overflow::Clamp => between(y, own.least, own.largest, span),
            // Half a unit more is no tie: y is a multiple of the unit, and the length an even one.
            Overflow::Wrap => {
                let half = power_of_two(self.scale - 1);
                let moved = op(Op::Add, vec![y, number(half.clone())]);
                let turned = op(Op::Remainder, vec![moved, number(own.least * -2i32)]);
                op(Op::Sub, vec![turned, number(half)])
            }
            Overflow::Undefined => {
                let name = "computed".to_owned();
                let value = || Expr { kind: ExprKind::Var(name.clone()), span };
                let inside = vec![number(own.least), value(), number(own.largest)];
                let condition = Expr { kind: ExprKind::Compare(Compare::Le, inside), span };
                let nothing = Expr { kind: ExprKind::Constant(Constant::Nan), span };
                let body = Box::new(Expr { kind: ExprKind::If(Box::new([condition, value(), nothing])), span });
                Expr { kind: ExprKind::Let { sequential: false, bindings: vec![(name, y)], body }, span }
            }
        }
    }
}

/// An expression whose values outside of a range are those at its ends.
pub(super) fn between(e: Expr, least: Rational, largest: Rational, span: Span) -> Expr {
    let number = |value: Rational| Expr { kind: ExprKind::Number(Number::new(value)), span };
    let op = |op: Op, args: Vec<Expr>| Expr { kind: ExprKind::Op(op, args), span };
    op(Op::Fmin, vec![op(Op::Fmax, vec![e, number(least)]), number(largest)])
}

/// The operator that rounds to an integer.
fn rounding(direction: Rounding) -> Op {
    match direction {
        Rounding::NearestEven => Op::Nearbyint,
        Rounding::NearestAway => Op::Round,
        Rounding::Up => Op::Ceil,
        Rounding::Down => Op::Floor,
        Rounding::Zero => Op::Trunc,
    }
}

fn op(op: Op, args: Vec<Expr>) -> Expr {
    let span = args.first().map_or_else(Span::default, |first| first.span);
    Expr { kind: ExprKind::Op(op, args), span }
}

/// Numbers among which the values of an expression are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Numbers {
    /// None: the values are truth values.
    Truths,
    /// Those of a floating-point format.
    Float(Format),
    /// Some multiples of a power of two.
    Grid(Grid),
}

impl Numbers {
    /// The numbers of any format.
    pub(super) fn of(format: Format) -> Self {
        if !format.is_fixed() {
            return Numbers::Float(format);
        }
        let [least, largest] = [format.min(), format.max()].map(rational);
        Numbers::Grid(Grid { scale: format.least_exponent(), least, largest })
    }

    /// A format that has the numbers of all others.
    pub(super) fn any() -> Self {
        Numbers::Float(Format::wide(15, 250).expect("the widest"))
    }

    /// A number that is a multiple of a power of two. 0 is one of each.
    pub(super) fn one(x: &Rational) -> Self {
        let zeros = |n: &Integer| n.find_one(0).map_or(2 * MAX_SCALE, |zeros| zeros as i32);
        Numbers::Grid(Grid { scale: zeros(x.numer()) - zeros(x.denom()), least: x.clone(), largest: x.clone() })
    }

    /// Whether each of the others surely is one of these.
    pub(super) fn has_all(&self, others: &Numbers) -> bool {
        match (self, others) {
            (_, Numbers::Truths) => true,
            (Numbers::Float(format), Numbers::Float(other)) => {
                format.is_wide() || !other.is_wide() && format.includes(*other)
            }
            (Numbers::Float(format), Numbers::Grid(grid)) => grid.is_in(*format),
            (Numbers::Grid(own), Numbers::Grid(other)) => own.has_all(other),
            (Numbers::Grid(_), Numbers::Float(_)) | (Numbers::Truths, _) => false,
        }
    }

    /// What these numbers are called.
    pub(super) fn name(&self) -> String {
        match self {
            Numbers::Truths => "truth values".to_owned(),
            Numbers::Float(format) => format.name(),
            Numbers::Grid(grid) => format!("multiples of 2^{}", grid.scale),
        }
    }

    /// Numbers of either kind.
    pub(super) fn or(self, other: Numbers) -> Self {
        match (self, other) {
            (Numbers::Truths, known) | (known, Numbers::Truths) => known,
            (Numbers::Grid(a), Numbers::Grid(b)) => Numbers::Grid(Grid {
                scale: a.scale.min(b.scale),
                least: if a.least <= b.least { a.least } else { b.least },
                largest: if a.largest >= b.largest { a.largest } else { b.largest },
            }),
            (one, other) => {
                let formats = [&one, &other].into_iter().filter_map(|known| match known {
                    Numbers::Float(format) => Some(*format),
                    _ => None,
                });
                let mut formats = formats.chain([Format::BINARY32, Format::BINARY64]);
                let has_both = |f: &Format| [&one, &other].iter().all(|n| Numbers::Float(*f).has_all(n));
                formats.find(has_both).map_or_else(Numbers::any, Numbers::Float)
            }
        }
    }

    /// Those that an operator gives for numbers like these, where the result is a multiple of a power of two.
    pub(super) fn computed(op: Op, operands: &[Numbers]) -> Option<Self> {
        let grid = |k: usize| if let Some(Numbers::Grid(grid)) = operands.get(k) { Some(grid) } else { None };
        let one = grid(0)?;
        Some(Numbers::Grid(match op {
            Op::Add => one.plus(grid(1)?),
            Op::Sub => one.plus(&grid(1)?.negative()),
            Op::Mul => one.times(grid(1)?),
            Op::Fma => one.times(grid(1)?).plus(grid(2)?),
            Op::Neg => one.negative(),
            Op::Fabs => {
                let (least, largest) = (Rational::from(one.least.abs_ref()), Rational::from(one.largest.abs_ref()));
                Grid {
                    scale: one.scale,
                    least: Rational::new(),
                    largest: if least > largest { least } else { largest },
                }
            }
            Op::Fmin | Op::Fmax => {
                let other = grid(1)?;
                let end = |a: &Rational, b: &Rational| if (op == Op::Fmin) == (a <= b) { a.clone() } else { b.clone() };
                let scale = one.scale.min(other.scale);
                Grid { scale, least: end(&one.least, &other.least), largest: end(&one.largest, &other.largest) }
            }
            Op::Floor | Op::Ceil | Op::Trunc | Op::Round | Op::Nearbyint => {
                let at = |x: &Rational| if let Exact::Value(y) = op.exact(&[x]) { Some(y) } else { None };
                Grid { scale: one.scale.max(0), least: at(&one.least)?, largest: at(&one.largest)? }
            }
            _ => return None,
        }))
    }
}

/// The multiples of 2^scale between two of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grid {
    scale: i32,
    least: Rational,
    largest: Rational,
}

impl Grid {
    /// Whether all of them are numbers of a floating-point format.
    fn is_in(&self, format: Format) -> bool {
        let size = if Rational::from(-&self.least) > self.largest { -self.least.clone() } else { self.largest.clone() };
        format.is_wide()
            || self.scale >= format.least_exponent()
                && size <= power_of_two(self.scale.saturating_add(format.precision() as i32))
                && size <= rational(format.max())
    }

    fn has_range(&self, other: &Grid) -> bool {
        self.least <= other.least && other.largest <= self.largest
    }

    fn has_all(&self, other: &Grid) -> bool {
        other.scale >= self.scale && self.has_range(other)
    }

    fn plus(&self, other: &Grid) -> Grid {
        Grid {
            scale: self.scale.min(other.scale),
            least: Rational::from(&self.least + &other.least),
            largest: Rational::from(&self.largest + &other.largest),
        }
    }

    fn negative(&self) -> Grid {
        Grid { scale: self.scale, least: Rational::from(-&self.largest), largest: Rational::from(-&self.least) }
    }

    fn times(&self, other: &Grid) -> Grid {
        let ends = |grid: &Grid| [grid.least.clone(), grid.largest.clone()];
        let products = ends(self).into_iter().flat_map(|a| ends(other).map(|b| Rational::from(&a * &b)));
        let mut products: Vec<Rational> = products.collect();
        products.sort();
        let (least, largest) = (products[0].clone(), products[3].clone());
        Grid { scale: self.scale + other.scale, least, largest }
    }
}
