//! Regions: the specification with a wrong result on one part of the domain and the right one everywhere else. A wrong
//! entry of a table, a branch with the wrong threshold, a range reduction wrong in one octant, a special case forgotten:
//! whatever test lies in the region kills such a mutant, so that together they ask for tests all over the domain.
//!
//! The wrong result is off by three times the tolerance, and by the smallest positive number at least. That is the least
//! whole number that will do: at twice the tolerance r |f| the sets of valid results of the two, of which the mutant's is
//! wider, still touch.

use super::sites::{expression, op};
use super::{Body, Change, Collector, MutationOperator};
use crate::floats::Format;
use crate::num::float::{hex, power_of_two, rational};
use crate::num::{Interval, Rational};
use crate::ops::{Constant, Op};
use crate::oracle::unit_roundoff;
use crate::points::evenly;
use crate::spec::core::{Compare, Expr, ExprKind, Number};
use crate::spec::inputs::representable;
use crate::spec::{Accuracy, InputBox, Spec, rational_text};
use crate::tape::eval::Boxes;
use crate::tape::lower::lower;
use crate::tape::{Builder, evaluate};
use crate::text::Span;

/// The most binades of an input that are regions.
const BINADES: usize = 40;
/// Of more binades so many have exponents from the first to the second number, evenly thinned, and the others are of all:
/// thresholds of code lie at everyday numbers, however far the range goes.
const EVERYDAY: [(usize, i32, i32); 2] = [(26, 0, 12), (8, -64, 64)];
/// Into how many slices of one width a range is cut.
const SLICES: i32 = 8;
/// The most periods of a circular function that are regions.
const PERIODS: i64 = 8;
/// The most nodes of a subexpression, its variables written out, that decides a region.
const LARGEST: usize = 200;
/// How many times the tolerance the result is off.
const OFF: u32 = 3;

/// The region mutants of a specification.
pub(super) fn generate(spec: &Spec, out: &mut Collector<'_>) {
    if !out.takes(MutationOperator::Region) {
        return;
    }
    let mut regions = Regions { spec, out, wrong: wrong(spec) };
    for input in 0..spec.inputs.len() {
        regions.of_input(input);
    }
    if let Ok(domain) = InputBox::new(spec) {
        let mut inside = Inside { regions, domain, env: Vec::new(), path: Vec::new() };
        inside.walk(&spec.core.body);
    }
}

/// The result where it is wrong, over the variable that holds the right one.
fn wrong(spec: &Spec) -> (String, Expr) {
    let mut name = "f".to_owned();
    while spec.core.args.iter().any(|a| a.name == name) {
        name.push('_');
    }
    let Accuracy { rel, abs, ulps } = &spec.accuracy;
    let (mut relative, mut absolute) = (rel.clone().unwrap_or_default(), abs.clone().unwrap_or_default());
    if let Some((n, format)) = ulps {
        // An ulp is at most 2 u |f|, and below the normal numbers the least one.
        relative = relative.max(n * unit_roundoff(*format) * 2u32);
        absolute = absolute.max(n * power_of_two(format.least_exponent()));
    }
    let (relative, absolute) = (relative * OFF, absolute * OFF);
    let least = power_of_two(spec.result_format.least_exponent());
    let f = || expression(ExprKind::Var(name.clone()), Span::default());
    let magnitude = call(Op::Fabs, vec![f()]);
    let part = call(Op::Mul, vec![Expr::number(relative.clone()), magnitude]);
    let absolute = Expr::number(absolute.max(least));
    let off = if relative == 0 { absolute } else { call(Op::Fmax, vec![part, absolute]) };
    let wrong = call(Op::Add, vec![f(), off]);
    (name, wrong)
}

fn call(of: Op, args: Vec<Expr>) -> Expr {
    op(of, args, Span::default())
}

fn compare(of: Compare, args: Vec<Expr>) -> Expr {
    Expr::new(ExprKind::Compare(of, args))
}

fn both(conditions: Vec<Expr>) -> Expr {
    Expr::new(ExprKind::And(conditions))
}

fn zero() -> Expr {
    Expr::number(Rational::new())
}

/// An end of a region: its shorter spelling.
fn end(x: f64) -> Expr {
    const SHORT: usize = 20;
    let value = rational(x);
    let text = rational_text(&value);
    let text = if text.len() <= SHORT { text } else { hex(x) };
    Expr::new(ExprKind::Number(Number { value, text }))
}

/// Makes the mutants.
struct Regions<'a, 'c, 's> {
    spec: &'s Spec,
    out: &'a mut Collector<'c>,
    wrong: (String, Expr),
}

impl Regions<'_, '_, '_> {
    /// The mutant with a wrong result where `condition` holds.
    fn push(&mut self, site: &str, span: Span, of: &str, condition: Expr) {
        let after = format!("wrong where {condition}");
        let (name, wrong) = &self.wrong;
        let right = expression(ExprKind::Var(name.clone()), Span::default());
        let with = expression(ExprKind::If(Box::new([condition, wrong.clone(), right])), Span::default());
        let change = Change::Body(Body::around(&self.out.original, name.clone(), with));
        self.out.push(MutationOperator::Region, site, span, of.to_owned(), after, change);
    }

    fn of_input(&mut self, input: usize) {
        let declared = &self.spec.inputs[input];
        let Some(range) = representable(&declared.range, declared.format) else { return };
        let (name, span, format) = (
            declared.name.clone(),
            self.spec.core.argument(input).map_or(self.spec.core.span, |a| a.span),
            declared.format,
        );
        let x = || Expr::var(name.clone());
        let mut push = |condition| self.push(&name, span, &name, condition);
        for (sign, e) in binades(&range, format) {
            let (small, large) = (exponent_end(e), exponent_end(e + 1));
            push(both(match sign {
                Sign::Plus => vec![compare(Compare::Le, vec![small, x()]), compare(Compare::Lt, vec![x(), large])],
                Sign::Minus => {
                    let (small, large) = (negated(small), negated(large));
                    vec![compare(Compare::Lt, vec![large, x()]), compare(Compare::Le, vec![x(), small])]
                }
            }));
        }
        if range.contains(0.0) {
            push(compare(Compare::Eq, vec![x(), zero()]));
        }
        let least_normal = power_of_two(format.emin()).to_f64();
        let below = [Interval::new(-least_normal, 0.0), Interval::new(0.0, least_normal)];
        if below.iter().any(|part| !(range & *part).is_empty() && (range & *part) != Interval::point(0.0)) {
            let small = compare(Compare::Lt, vec![call(Op::Fabs, vec![x()]), end(least_normal)]);
            push(both(vec![compare(Compare::Ne, vec![x(), zero()]), small]));
        }
        for (lo, hi, is_last) in slices(&range, format) {
            let upper = if is_last { Compare::Le } else { Compare::Lt };
            push(both(vec![compare(Compare::Le, vec![end(lo), x()]), compare(upper, vec![x(), end(hi)])]));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Minus,
    Plus,
}

/// 2^e, spelled short.
fn exponent_end(e: i32) -> Expr {
    const PLAIN: i32 = 20;
    let value = power_of_two(e);
    let text = if e.abs() <= PLAIN { rational_text(&value) } else { format!("0x1p{e:+}") };
    Expr::new(ExprKind::Number(Number { value, text }))
}

fn negated(e: Expr) -> Expr {
    match e.kind {
        ExprKind::Number(Number { value, text }) => {
            Expr::new(ExprKind::Number(Number { value: -value, text: format!("-{text}") }))
        }
        _ => call(Op::Neg, vec![e]),
    }
}

/// The normal binades of a range by sign and exponent, thinned to [`BINADES`].
fn binades(range: &Interval, format: Format) -> Vec<(Sign, i32)> {
    let floor_log2 = |x: f64| crate::num::float::floor_log2(&rational(x));
    let least = power_of_two(format.emin()).to_f64();
    let exponents = |lo: f64, hi: f64| (hi >= least).then(|| (floor_log2(lo.max(least)), floor_log2(hi)));
    let mut all: Vec<(Sign, i32)> = Vec::new();
    if let Some((a, b)) = exponents(-range.sup(), -range.inf()) {
        all.extend((a..=b).rev().map(|e| (Sign::Minus, e)));
    }
    if let Some((a, b)) = exponents(range.inf(), range.sup()) {
        all.extend((a..=b).map(|e| (Sign::Plus, e)));
    }
    if all.len() <= BINADES {
        return all;
    }
    let mut some: Vec<(Sign, i32)> = Vec::new();
    for (count, first, last) in EVERYDAY.into_iter().chain([(BINADES, i32::MIN, i32::MAX)]) {
        let new = |b: &&(Sign, i32)| (first..=last).contains(&b.1) && !some.contains(b);
        let new: Vec<(Sign, i32)> = all.iter().filter(new).copied().collect();
        some.extend(evenly(&new, count.min(BINADES - some.len())));
    }
    all.retain(|b| some.contains(b));
    all
}

/// The slices of a range, each from its first number on and up to the next one's; the last has its end.
fn slices(range: &Interval, format: Format) -> Vec<(f64, f64, bool)> {
    let (lo, hi) = (rational(range.inf()), rational(range.sup()));
    let cut = |k: i32| {
        let at = &lo + Rational::from(&hi - &lo) * k / SLICES;
        format.floor_rational(&at).unwrap_or(range.inf()) + 0.0
    };
    let cuts: Vec<f64> = (0..=SLICES).map(cut).collect();
    let parts = cuts.windows(2).enumerate().map(|(k, w)| (w[0], w[1], k + 1 == SLICES as usize));
    parts.filter(|(a, b, is_last)| a < b || *is_last).collect()
}

/// Walks through the body and makes the regions that its subexpressions decide.
struct Inside<'a, 'c, 's> {
    regions: Regions<'a, 'c, 's>,
    domain: InputBox,
    /// The variables of the `let`s around, innermost last, written out over the inputs; none where that is too large.
    env: Vec<(String, Option<Expr>)>,
    path: Vec<usize>,
}

impl Inside<'_, '_, '_> {
    fn walk(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::If(parts) => self.sides(e, &parts[0]),
            ExprKind::Op(of, args) => self.of_operator(e, *of, args),
            _ => {}
        }
        // What holds in a loop does so in one round, and a region is a part of the domain.
        if matches!(e.kind, ExprKind::Loop(_)) {
            return;
        }
        let outer = self.env.len();
        if let ExprKind::Let { sequential, bindings, body } = &e.kind {
            let mut held = Vec::new();
            for (k, (name, value)) in bindings.iter().enumerate() {
                self.step(k, value);
                let written = written_out(value, &self.env);
                if *sequential { self.env.push((name.clone(), written)) } else { held.push((name.clone(), written)) }
            }
            self.env.append(&mut held);
            self.step(bindings.len(), body);
        } else {
            for (k, child) in e.children().into_iter().enumerate() {
                self.step(k, child);
            }
        }
        self.env.truncate(outer);
    }

    fn step(&mut self, child: usize, e: &Expr) {
        self.path.push(child);
        self.walk(e);
        self.path.pop();
    }

    /// A region of a subexpression.
    fn push(&mut self, e: &Expr, condition: Expr) {
        let site = self.path.iter().map(usize::to_string).collect::<Vec<_>>().join(".");
        self.regions.push(&site, e.span, &e.to_string(), condition);
    }

    /// The two sides of an `if`.
    fn sides(&mut self, e: &Expr, condition: &Expr) {
        let Some(condition) = written_out(condition, &self.env) else { return };
        self.push(e, condition.clone());
        self.push(e, Expr::new(ExprKind::Not(Box::new(condition))));
    }

    fn of_operator(&mut self, e: &Expr, of: Op, args: &[Expr]) {
        match (of, args) {
            (Op::Fmin | Op::Fmax, [a, b]) => {
                let (Some(a), Some(b)) = (written_out(a, &self.env), written_out(b, &self.env)) else { return };
                self.push(e, compare(Compare::Lt, vec![a.clone(), b.clone()]));
                self.push(e, compare(Compare::Lt, vec![b, a]));
            }
            (Op::Atan2, [a, b]) => {
                self.signs(e, a);
                self.signs(e, b);
            }
            (Op::Copysign, [_, b]) => self.signs(e, b),
            (Op::Fabs | Op::Erfc | Op::Expm1 | Op::Log1p | Op::Exp, [a]) => self.signs(e, a),
            (op, [a]) if op.shape().keeps_sign() => self.signs(e, a),
            (Op::Log | Op::Log2 | Op::Log10, [a]) => {
                let Some((u, range)) = self.argument(a) else { return };
                if range.inf() < 1.0 && 1.0 < range.sup() {
                    let one = || Expr::number(Rational::from(1));
                    self.push(e, compare(Compare::Lt, vec![u.clone(), one()]));
                    self.push(e, compare(Compare::Lt, vec![one(), u]));
                }
            }
            (Op::Sin | Op::Cos | Op::Tan, [a]) => self.circular(e, a),
            _ => {}
        }
    }

    /// An argument over the inputs, with its range.
    fn argument(&self, a: &Expr) -> Option<(Expr, Interval)> {
        let u = written_out(a, &self.env)?;
        let names: Vec<String> = self.regions.spec.inputs.iter().map(|i| i.name.clone()).collect();
        let mut builder = Builder::new(names.len());
        let root = lower(&mut builder, &names, &u);
        let mut values = Vec::new();
        evaluate(&builder.finish(), &mut Boxes { inputs: &self.domain.ranges }, &mut values);
        Some((u, values[root.index()].x))
    }

    /// Both signs of an argument that has both; those of an input are among its binades.
    fn signs(&mut self, e: &Expr, a: &Expr) {
        let Some((u, range)) = self.argument(a) else { return };
        let is_input = matches!(u.kind, ExprKind::Var(_));
        if !is_input && range.inf() < 0.0 && 0.0 < range.sup() {
            self.push(e, compare(Compare::Lt, vec![u.clone(), zero()]));
            self.push(e, compare(Compare::Lt, vec![zero(), u]));
        }
    }

    /// The quadrants of an angle, and its periods, evenly thinned where they are many.
    fn circular(&mut self, e: &Expr, a: &Expr) {
        let Some((u, range)) = self.argument(a) else { return };
        for (sine, cosine) in [(false, false), (false, true), (true, true), (true, false)] {
            let sign = |of: Op, is_negative: bool| {
                let value = call(of, vec![u.clone()]);
                let (small, large) = if is_negative { (value, zero()) } else { (zero(), value) };
                compare(Compare::Lt, vec![small, large])
            };
            self.push(e, both(vec![sign(Op::Sin, sine), sign(Op::Cos, cosine)]));
        }
        let turn = std::f64::consts::TAU;
        let (first, last) = ((range.inf() / turn).floor(), (range.sup() / turn).floor());
        // Beyond this a quotient in binary64 does not tell the period.
        if range.is_empty() || first.abs().max(last.abs()) > 1e9 || first == last {
            return;
        }
        let periods: Vec<i64> = match last as i64 - first as i64 {
            n if n < PERIODS => (first as i64..=last as i64).collect(),
            n => (0..PERIODS).map(|k| first as i64 + k * n / (PERIODS - 1)).collect(),
        };
        for k in periods {
            let turns = |k: i64| {
                let pi = Expr::new(ExprKind::Constant(Constant::Pi));
                call(Op::Mul, vec![Expr::number(Rational::from(2 * k)), pi])
            };
            let within = vec![
                compare(Compare::Le, vec![turns(k), u.clone()]),
                compare(Compare::Lt, vec![u.clone(), turns(k + 1)]),
            ];
            self.push(e, both(within));
        }
    }
}

/// An expression over the inputs alone: variables of `let`s written out; none if that is larger than [`LARGEST`].
fn written_out(e: &Expr, env: &[(String, Option<Expr>)]) -> Option<Expr> {
    let mut left = LARGEST;
    write_out(e, env, &mut left)
}

fn write_out(e: &Expr, env: &[(String, Option<Expr>)], left: &mut usize) -> Option<Expr> {
    *left = left.checked_sub(1)?;
    match &e.kind {
        ExprKind::Var(name) => match env.iter().rev().find(|(n, _)| n == name) {
            None => Some(e.clone()),
            Some((_, value)) => {
                let value = value.clone()?;
                *left = left.checked_sub(nodes(&value))?;
                Some(value)
            }
        },
        ExprKind::Let { sequential, bindings, body } => {
            let mut inner = env.to_vec();
            for (name, value) in bindings {
                let value = write_out(value, if *sequential { &inner } else { env }, &mut LARGEST.clone());
                inner.push((name.clone(), value));
            }
            write_out(body, &inner, left)
        }
        ExprKind::Loop(_) | ExprKind::Array(_) | ExprKind::Ref(_) | ExprKind::Dim(_) | ExprKind::Size(_) => None,
        _ => {
            let mut new = e.clone();
            let mut fits = true;
            for child in new.children_mut() {
                match write_out(child, env, left) {
                    Some(written) => *child = written,
                    None => fits = false,
                }
            }
            fits.then_some(new)
        }
    }
}

fn nodes(e: &Expr) -> usize {
    1 + e.children().into_iter().map(nodes).sum::<usize>()
}
