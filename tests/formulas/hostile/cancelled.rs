//! The differences that the solver bounds, at random points.

use super::twins::Maker;
use super::{Builder, InputBox, lower, seeds, text};
use crate::support;
use crate::support::rng::Rng;
use magneto::num::{Interval, MpInterval};
use magneto::ops::Op;
use magneto::tape::diff::difference;
use magneto::tape::diff::relative::relative_difference;
use magneto::tape::eval::{Boxes, Multi};
use magneto::tape::meanvalue::MeanValue;
use magneto::tape::simplify::{sharpen, simplify};
use magneto::tape::{NodeId, Tape, evaluate};

/// What is known of a node at a point, in 300 bits.
fn at(tape: &Tape, nodes: &[NodeId], x: &[f64]) -> Vec<MpInterval> {
    let inputs: Vec<MpInterval> = x.iter().map(|x| MpInterval::from_f64(*x, 300)).collect();
    let mut values = Vec::new();
    evaluate(tape, &mut Multi { inputs: &inputs, precision: 300 }, &mut values);
    nodes.iter().map(|n| values[n.index()].clone()).collect()
}

fn apart(a: &MpInterval, b: &MpInterval) -> bool {
    a.hi < b.lo || b.hi < a.lo
}

/// Random sub-boxes of a box, the box itself first.
fn parts(domain: &InputBox, random: &mut Rng) -> Vec<Vec<Interval>> {
    let mut all = vec![domain.ranges.clone()];
    for k in 0..4 {
        let part = |r: &Interval, random: &mut Rng| {
            let (s, t) = (random.unit(), random.unit() * 0.1f64.powi(3 * k));
            let lo = (r.inf() * (1.0 - s) + r.sup() * s).clamp(r.inf(), r.sup());
            let hi = (lo + (r.sup() - lo) * t).clamp(lo, r.sup());
            Interval::new(lo, hi)
        };
        all.push(domain.ranges.iter().map(|r| part(r, random)).collect());
    }
    all
}

/// The differences that the solver bounds are the differences, where they have a value: with common parts cancelled, in
/// units of f, on simplified tapes, bounded by derivatives.
#[test]
fn cancelled_differences() {
    let seeds = seeds(400);
    let found = support::on_two_threads(&seeds, |_, seed| {
        let mut maker = Maker { random: Rng(seed.wrapping_mul(0x5851_f42d_4c95_7f2d)) };
        let (head, own, mutant) = maker.twins();
        let (spec, other) = (support::spec(&text(&head, &own)), support::spec(&text(&head, &mutant)));
        let Ok(domain) = InputBox::new(&spec) else { return (0, 0, None) };
        let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
        let mut b = Builder::new(2);
        let (f, g) = (lower(&mut b, &names, &spec.core.body), lower(&mut b, &names, &other.core.body));
        let (tape, at_fg) = b.finish().extract(&[f, g]);
        let (mut checked, mut bounded) = (0, 0);
        let mut mean_value = MeanValue::default();
        for part in parts(&domain, &mut maker.random) {
            let mut b = Builder::on(tape.clone());
            b.announce(&part);
            let d = difference(&mut b, at_fg[0], at_fg[1]);
            let q = relative_difference(&mut b, at_fg[0], at_fg[1]);
            let (all, nodes) = b.finish().extract(&[at_fg[0], at_fg[1], d, q]);
            let (simple, of_simple) = simplify(&tape, &at_fg, &part);
            let (sharp, of_sharp) = sharpen(&tape, &at_fg, &part);
            let mut boxes = Vec::new();
            evaluate(&all, &mut Boxes { inputs: &part }, &mut boxes);
            let uppers: Vec<Option<f64>> =
                nodes.iter().map(|n| mean_value.upper(&all, *n, &part, &boxes, f64::INFINITY)).collect();
            let random = &mut maker.random;
            for k in 0..12 {
                let one = |r: &Interval, random: &mut Rng| {
                    let t = [0.0, 1.0, random.unit(), random.unit()][random.below(4)];
                    let x = (r.inf() * (1.0 - t) + r.sup() * t).clamp(r.inf(), r.sup());
                    if k % 3 == 0 && r.contains(0.0) && random.below(3) == 0 { 0.0 } else { x + 0.0 }
                };
                let x: Vec<f64> = part.iter().map(|r| one(r, random)).collect();
                let v = at(&all, &nodes, &x);
                let say = |what: &str| {
                    Some(format!("{seed}: {what} at {x:?} of {part:?}\n    {}\n    {mutant}", text(&head, &own)))
                };
                // An enclosure on the box and an upper bound hold at every point of it.
                for ((n, v), upper) in nodes.iter().zip(&v).zip(&uppers) {
                    let e = &boxes[n.index()];
                    if v.def.is_true() {
                        bounded += 1;
                        if e.def.is_false() || v.hi < e.x.inf() || v.lo > e.x.sup() {
                            return (checked, bounded, say("a box without the value"));
                        }
                        if upper.is_some_and(|u| v.lo > u) {
                            return (checked, bounded, say("above the upper bound"));
                        }
                    } else if v.def.is_false() && e.def.is_true() {
                        return (checked, bounded, say("no value in a box that has one everywhere"));
                    }
                }
                let (s, t) = (at(&simple, &of_simple, &x), at(&sharp, &of_sharp, &x));
                for k in 0..2 {
                    let other = |w: &MpInterval| v[k].def.is_true() && w.def.is_true() && apart(&v[k], w);
                    let gone = v[k].def.is_true() && s[k].def.is_false() || v[k].def.is_false() && s[k].def.is_true();
                    if other(&s[k]) || other(&t[k]) || gone {
                        return (checked, bounded, say("simplified to something else"));
                    }
                }
                let (f, g, d, q) = (&v[0], &v[1], &v[2], &v[3]);
                if !(f.def.is_true() && g.def.is_true()) {
                    continue;
                }
                let apply = |op: Op, a: &MpInterval, b: &MpInterval| op.enclose(&[a, b], 300);
                let distance = apply(Op::Sub, f, g);
                checked += 1;
                if d.def.is_true() && apart(&distance, d) {
                    return (checked, bounded, say("another difference"));
                }
                if q.def.is_true() {
                    let share = apply(Op::Div, &distance, f);
                    if share.def.is_true() && apart(&share, q) {
                        return (checked, bounded, say("another relative difference"));
                    }
                    let zero = |x: &MpInterval| x.lo == 0 && x.hi == 0;
                    if zero(f) && (g.lo > 0 || g.hi < 0) {
                        return (checked, bounded, say("a relative difference where f is 0 and g is not"));
                    }
                }
            }
        }
        (checked, bounded, None)
    });
    let problems: Vec<&String> = found.iter().filter_map(|f| f.2.as_ref()).collect();
    let (checked, bounded) = (found.iter().map(|f| f.0).sum::<usize>(), found.iter().map(|f| f.1).sum::<usize>());
    println!("{checked} differences, {bounded} bounds");
    assert!(problems.is_empty(), "{} wrong:\n{problems:#?}", problems.len());
    assert!(checked > 10 * seeds.len() && bounded > 50 * seeds.len());
}
