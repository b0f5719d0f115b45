//! Projections of `solve::float` against brute force: on formats so small that every box can be looked at, no solution is
//! lost, and how often the result is the least set there is.

use crate::tiny_floats::{integer, nearest, number, remainder, sum, tiny, values};
use magneto::floats::ordinal::{MINUS_ZERO, NAN, ZERO};
use magneto::floats::set::FloatSpan;
use magneto::floats::soft;
use magneto::floats::{Format, Rounding};
use magneto::solve::float::project::{OPERANDS, Rounded, RoundedFunction};
use magneto::solve::float::relate::{self, TermRelation};

/// All ranges of ordinals, each with NaN and without, and NaN alone.
fn boxes(format: Format) -> Vec<FloatSpan> {
    let mut all = vec![FloatSpan::NAN];
    for lo in format.minus_infinity()..=format.infinity() {
        for hi in lo..=format.infinity() {
            all.extend([FloatSpan::between(lo, hi), FloatSpan { lo, hi, nan: true }]);
        }
    }
    all
}

/// A function by the standard, with exact real arithmetic; binary64 is exact here, or decides as the exact number would.
fn expected(f: Rounded, x: [i64; OPERANDS]) -> i64 {
    let [a, b, c] = x.map(|n| number(f.format, n));
    let to = |format: Format, x: f64| nearest(format, f.mode, x);
    match f.function {
        RoundedFunction::Add => sum(f.format, f.mode, a, b),
        RoundedFunction::Mul => to(f.format, a * b),
        RoundedFunction::Square => to(f.format, a * a),
        RoundedFunction::Div => to(f.format, a / b),
        RoundedFunction::Fma => sum(f.format, f.mode, a * b, c),
        RoundedFunction::Sqrt => to(f.format, a.sqrt()),
        RoundedFunction::Integral => to(f.format, integer(f.mode, a)),
        RoundedFunction::Cast(format) => to(format, a),
    }
}

fn functions(others: &[Format]) -> Vec<RoundedFunction> {
    let casts = others.iter().map(|f| RoundedFunction::Cast(*f));
    [
        RoundedFunction::Add,
        RoundedFunction::Mul,
        RoundedFunction::Div,
        RoundedFunction::Fma,
        RoundedFunction::Square,
        RoundedFunction::Sqrt,
        RoundedFunction::Integral,
    ]
    .into_iter()
    .chain(casts)
    .collect()
}

fn rounded(format: Format, others: &[Format]) -> Vec<Rounded> {
    let all = |mode| functions(others).into_iter().map(move |function| Rounded { function, format, mode });
    Rounding::ALL.into_iter().flat_map(all).collect()
}

#[test]
fn arithmetic_is_the_standards() {
    for (format, others) in [
        (tiny(2, 3), vec![tiny(3, 3), tiny(2, 2)]),
        (tiny(3, 3), vec![tiny(3, 2), tiny(2, 5), tiny(4, 2)]),
        (tiny(4, 2), vec![tiny(2, 4), tiny(4, 4)]),
        (tiny(2, 5), vec![tiny(3, 3)]),
    ] {
        let all = values(format);
        let mut count = 0u64;
        for f in rounded(format, &others) {
            let n = f.function.operands();
            let one = vec![ZERO];
            let (second, third) = (if n > 1 { &all } else { &one }, if n > 2 { &all } else { &one });
            for a in &all {
                for b in second {
                    for c in third {
                        let x = [*a, *b, *c];
                        assert_eq!(f.eval(x), expected(f, x), "{f:?} {x:?}");
                        count += 1;
                    }
                }
            }
        }
        assert!(count > 100_000);
        for x in &all {
            for y in &all {
                let rest = remainder(format, number(format, *x), number(format, *y));
                assert_eq!(soft::rem(format, *x, *y), rest, "{format:?}: the remainder of {x} by {y}");
            }
        }
    }
}

/// Figures of a projection over all boxes.
#[derive(Default)]
struct Figures {
    boxes: u64,
    hull: u64,
    empty: u64,
    shown_empty: u64,
}

impl Figures {
    fn add(&mut self, found: FloatSpan, least: FloatSpan) {
        self.boxes += 1;
        self.hull += u64::from(found == least);
        self.empty += u64::from(least.is_empty());
        self.shown_empty += u64::from(least.is_empty() && found.is_empty());
    }

    fn share(&self) -> f64 {
        self.hull as f64 / self.boxes as f64
    }
}

fn includes(outer: FloatSpan, inner: FloatSpan) -> bool {
    (!inner.nan || outer.nan)
        && (!inner.has_numbers() || (outer.lo <= inner.lo && inner.hi <= outer.hi && outer.has_numbers()))
}

/// Direct and inverse projections of a function of two operands or one, on every box.
fn every_box(f: Rounded, sets: &[FloatSpan]) -> [Figures; 3] {
    let format = f.format;
    let all = values(format);
    let index = |x: i64| if x == NAN { all.len() - 1 } else { (x - format.minus_infinity()) as usize };
    let two = f.function.operands() == 2;
    let one = [FloatSpan::one(ZERO)];
    let second = if two { sets } else { &one };
    let mut figures: [Figures; 3] = Default::default();
    let table: Vec<Vec<i64>> = all.iter().map(|a| all.iter().map(|b| f.eval([*a, *b, 0])).collect()).collect();
    let members = |s: FloatSpan| all.iter().copied().filter(move |x| s.contains(*x));
    for y in second {
        // For each x, its results with this y; for boxes of x the hull of those.
        let images: Vec<Vec<i64>> =
            all.iter().map(|x| members(*y).map(|y| table[index(*x)][index(y)]).collect()).collect();
        let hulls: Vec<FloatSpan> =
            images.iter().map(|r| r.iter().fold(FloatSpan::EMPTY, |s, z| s.hull(FloatSpan::one(*z)))).collect();
        for x in sets {
            let least = members(*x).fold(FloatSpan::EMPTY, |s, x| s.hull(hulls[index(x)]));
            let found = f.direct([*x, *y, FloatSpan::EMPTY]);
            assert!(includes(found, least), "{f:?} {x:?} {y:?}: {found:?} has not all of {least:?}");
            figures[0].add(found, least);
        }
        let whole = FloatSpan::all(format);
        for z in sets {
            let reaches = |x: &i64| images[index(*x)].iter().any(|r| z.contains(*r));
            let least = all.iter().filter(|x| reaches(x)).fold(FloatSpan::EMPTY, |s, x| s.hull(FloatSpan::one(*x)));
            let found = f.inverse(0, [whole, *y, FloatSpan::EMPTY], *z);
            assert!(includes(found, least), "{f:?} x from {y:?} {z:?}: {found:?} has not all of {least:?}");
            figures[1].add(found, least);
        }
    }
    if two {
        for x in second {
            let images: Vec<Vec<i64>> =
                all.iter().map(|y| members(*x).map(|x| table[index(x)][index(*y)]).collect()).collect();
            for z in sets {
                let reaches = |y: &i64| images[index(*y)].iter().any(|r| z.contains(*r));
                let least = all.iter().filter(|y| reaches(y)).fold(FloatSpan::EMPTY, |s, y| s.hull(FloatSpan::one(*y)));
                let found = f.inverse(1, [*x, FloatSpan::all(format), FloatSpan::EMPTY], *z);
                assert!(includes(found, least), "{f:?} y from {x:?} {z:?}: {found:?} has not all of {least:?}");
                figures[2].add(found, least);
            }
        }
    }
    figures
}

/// The figures of all functions of a format in a direction.
fn check(format: Format, mode: Rounding, sets: &[FloatSpan]) {
    let others = [tiny(2, 2), tiny(3, 3)];
    for function in functions(&others).into_iter().filter(|f| *f != RoundedFunction::Fma) {
        let f = Rounded { function, format, mode };
        for (what, figures) in ["direct", "inverse x", "inverse y"].iter().zip(&every_box(f, sets)) {
            if figures.boxes == 0 {
                continue;
            }
            println!(
                "{function:?} {mode:?} {what}: {} boxes, {:.2} % are the hull, {} of {} shown to be empty",
                figures.boxes,
                100.0 * figures.share(),
                figures.shown_empty,
                figures.empty
            );
            let exact = *what == "direct" || function.operands() == 1;
            let least = if exact { 1.0 } else { 0.95 };
            assert!(figures.share() >= least, "{f:?} {what}: {}", figures.share());
        }
    }
}

#[test]
fn no_solution_is_lost_on_any_box() {
    check(tiny(2, 3), Rounding::NearestEven, &boxes(tiny(2, 3)));
}

/// The same in the other directions, with NaN only where it is alone: NaN is the same in all of them.
#[test]
fn no_solution_is_lost_in_any_direction() {
    let sets: Vec<FloatSpan> = boxes(tiny(2, 3)).into_iter().filter(|s| !s.nan || !s.has_numbers()).collect();
    for mode in &Rounding::ALL[1..] {
        check(tiny(2, 3), *mode, &sets);
    }
}

/// Of three operands, on boxes of a smaller format: every second one of each operand.
#[test]
fn no_solution_of_a_fused_operation_is_lost() {
    let format = tiny(2, 2);
    let all = values(format);
    let sets: Vec<FloatSpan> = boxes(format).into_iter().filter(|s| s.nan == (s.lo % 3 == 0)).step_by(2).collect();
    let members = |s: FloatSpan| all.iter().copied().filter(move |x| s.contains(*x)).collect::<Vec<i64>>();
    let mut count = 0;
    for mode in Rounding::ALL {
        let f = Rounded { function: RoundedFunction::Fma, format, mode };
        for (i, x) in sets.iter().enumerate() {
            for y in sets.iter().skip(i % 5).step_by(5) {
                for c in sets.iter().skip(i % 7).step_by(7) {
                    let (mut image, mut results) = (FloatSpan::EMPTY, Vec::new());
                    for a in members(*x) {
                        for b in members(*y) {
                            for c in members(*c) {
                                let z = f.eval([a, b, c]);
                                image = image.hull(FloatSpan::one(z));
                                results.push(([a, b, c], z));
                            }
                        }
                    }
                    let operands = [*x, *y, *c];
                    let found = f.direct(operands);
                    assert!(includes(found, image), "{f:?} {operands:?}: {found:?} has not all of {image:?}");
                    let z = sets[(i * 31 + count) % sets.len()];
                    for k in 0..3 {
                        let found = f.inverse(k, operands, z);
                        let lost = results.iter().find(|(x, r)| z.contains(*r) && !found.contains(x[k]));
                        assert!(lost.is_none(), "{f:?} {operands:?} {z:?}: {lost:?} is not in {found:?}");
                    }
                    count += 1;
                }
            }
        }
    }
    assert!(count > 1000);
}

#[test]
fn comparisons_and_minima_lose_nothing() {
    let format = tiny(2, 2);
    let (all, sets) = (values(format), boxes(format));
    for x in &sets {
        for y in &sets {
            let pairs: Vec<(i64, i64)> = all
                .iter()
                .filter(|a| x.contains(**a))
                .flat_map(|a| all.iter().filter(|b| y.contains(**b)).map(move |b| (*a, *b)))
                .collect();
            for relation in [TermRelation::Less, TermRelation::LessEqual, TermRelation::Equal] {
                let holds = |(a, b): &(i64, i64)| {
                    let (a, b) = (number(format, *a), number(format, *b));
                    match relation {
                        TermRelation::Less => a < b,
                        TermRelation::LessEqual => a <= b,
                        TermRelation::Equal => a == b,
                    }
                };
                for outcome in [false, true] {
                    let left: Vec<_> = pairs.iter().filter(|p| holds(p) == outcome).collect();
                    let context = format!("{relation:?} {outcome} {x:?} {y:?}");
                    assert_eq!(relation.outcomes(*x, *y)[usize::from(outcome)], !left.is_empty(), "{context}");
                    let (a, b) = relation.prune(*x, *y, outcome);
                    let hull = |k: fn(&(i64, i64)) -> i64| {
                        left.iter().fold(FloatSpan::EMPTY, |s, p| s.hull(FloatSpan::one(k(p))))
                    };
                    if !left.is_empty() {
                        assert_eq!((a.meet(*x), b.meet(*y)), (hull(|p| p.0), hull(|p| p.1)), "{context}");
                    }
                }
            }
            minima(format, *x, *y, &pairs);
        }
    }
}

/// Both values that the lesser of two may be, where they are zeros with different signs.
fn lesser(format: Format, a: i64, b: i64) -> Vec<i64> {
    let (x, y) = (number(format, a), number(format, b));
    match (x.is_nan(), y.is_nan()) {
        (true, _) => vec![b],
        (_, true) => vec![a],
        _ if x == 0.0 && y == 0.0 && a != b => vec![MINUS_ZERO, ZERO],
        _ => vec![if x < y { a } else { b }],
    }
}

fn minima(format: Format, x: FloatSpan, y: FloatSpan, pairs: &[(i64, i64)]) {
    let image = relate::minimum(x, y);
    let least =
        pairs.iter().flat_map(|p| lesser(format, p.0, p.1)).fold(FloatSpan::EMPTY, |s, z| s.hull(FloatSpan::one(z)));
    assert!(includes(image, least), "{x:?} {y:?}: {image:?} has not all of {least:?}");
    for z in [
        FloatSpan::between(-3, -1),
        FloatSpan::between(0, 0),
        FloatSpan::between(0, 2),
        FloatSpan::NAN,
        FloatSpan { lo: 1, hi: 3, nan: true },
    ] {
        let found = relate::inverse_minimum(x, y, z);
        let reaches = |p: &&(i64, i64)| lesser(format, p.0, p.1).iter().any(|m| z.contains(*m));
        let lost = pairs.iter().filter(reaches).find(|p| !found.contains(p.0));
        assert!(lost.is_none(), "{x:?} {y:?} {z:?}: {lost:?} is not in {found:?}");
        assert!(!z.contains(NAN) || !x.nan || !y.nan || found.nan);
    }
}
