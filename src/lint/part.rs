//! What is known of a part of a formula: which values it takes over the domain, and its value at one input.

use crate::csp::look::{Look, Prepared};
use crate::halt;
use crate::num::{Interval, Ternary};
use crate::oracle::formula::Formula;
use crate::oracle::{Ladder, all_hold};
use crate::points::probes::probes;
use crate::solve::bisect::largest_halves;
use crate::spec::core::{Expr, ExprKind, Value};
use crate::spec::unroll::{has_loops, unroll};
use crate::spec::{InputBox, Spec, is_condition};
use crate::tape::eval::Boxes;
use crate::tape::evaluate;
use std::collections::VecDeque;

/// So many boxes of the domain are looked at for the values of a part.
const BOXES: usize = 512;
/// Of a large formula fewer: so many nodes are evaluated in all.
const NODES: usize = 1 << 20;
/// So many probe points are rounded to few digits in the search for an example.
const ROUNDED: usize = 64;

/// A part of a formula or of its precondition, with the names that it uses.
#[derive(Clone, Debug)]
pub struct FormulaPart {
    /// The specification with this part, inside the `let` around it, as its body.
    spec: Spec,
    /// The part as it is written.
    pub expr: Expr,
    /// Whether it is a condition, not a number.
    pub is_condition: bool,
}

/// The values that a part takes over the domain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartValues {
    /// Holds all of them; empty where the part has no value at any input. Of a condition 1 is true, and 0 is false.
    pub hull: Interval,
    /// Whether the part has a value at all inputs of the domain, or at none.
    pub defined: Ternary,
}

/// The `let` around a part, as far as the part sees it.
#[derive(Clone, Copy)]
struct Scope<'e> {
    sequential: bool,
    bindings: &'e [(String, Expr)],
}

impl FormulaPart {
    /// The smallest part of a specification's body or precondition that stands around a byte of its text; none where there
    /// is none.
    #[must_use]
    pub fn around(spec: &Spec, offset: usize) -> Option<FormulaPart> {
        let of_property = |value: &'_ Value| if let Value::Expr(e) = value { Some(e.clone()) } else { None };
        let pre = spec.core.property("pre").and_then(|p| of_property(&p.value));
        let (mut scopes, mut found) = (Vec::new(), None);
        for whole in std::iter::once(&spec.core.body).chain(&pre) {
            look(whole, offset, &mut scopes, &mut found);
        }
        let (expr, scopes) = found?;
        let inside = |body: Expr, scope: &Scope<'_>| {
            let Scope { sequential, bindings } = *scope;
            Expr::new(ExprKind::Let { sequential, bindings: bindings.to_vec(), body: Box::new(body) })
        };
        let body = scopes.iter().rev().fold(expr.clone(), inside);
        let is_condition = is_condition(&body);
        let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
        if has_loops(&body) && unroll(&names, &body, spec.max_iterations).is_err() {
            return None;
        }
        let mut own = spec.clone();
        own.core.body = body;
        Some(FormulaPart { spec: own, expr: expr.clone(), is_condition })
    }

    /// An enclosure of all its values at inputs of the domain; none where the domain is empty or the work is to end early.
    #[must_use]
    pub fn values(&self) -> Option<PartValues> {
        let domain = InputBox::new(&self.spec).ok()?;
        let formula = Formula::new(&self.spec);
        let boxes = (NODES / formula.tape.len().max(1)).clamp(1, BOXES);
        let mut open = VecDeque::from([(domain.ranges.clone(), 0)]);
        let mut whole = Vec::new();
        while let Some((ranges, depth)) = open.pop_front() {
            match largest_halves(&domain, &ranges, depth).filter(|_| open.len() + whole.len() + 2 <= boxes) {
                Some(halves) => open.extend(halves.map(|half| (half, depth + 1))),
                None => whole.push(ranges),
            }
        }
        let (mut hull, mut defined) = (Interval::EMPTY, None);
        let mut values = Vec::new();
        for ranges in whole {
            if halt::requested() {
                return None;
            }
            evaluate(&formula.tape, &mut Boxes { inputs: &ranges }, &mut values);
            let fails = |c: &crate::tape::NodeId| {
                let c = &values[c.index()];
                c.def.is_false() || c.as_truth().is_false()
            };
            if formula.conditions.iter().any(fails) {
                continue;
            }
            let value = &values[formula.root.index()];
            hull = hull | value.x;
            let both = |d: Ternary| if d == value.def { d } else { Ternary::Unknown };
            defined = Some(defined.map_or(value.def, both));
        }
        Some(PartValues { hull, defined: defined? })
    }

    /// Its value at an input, with `cap` as the last precision in bits.
    #[must_use]
    pub fn at(&self, input: &[f64], cap: u32) -> Look {
        Prepared::new(&self.spec).look(input, cap)
    }

    /// Whether it holds at an input, for a condition.
    #[must_use]
    pub fn holds_at(&self, input: &[f64], cap: u32) -> Ternary {
        let formula = Formula::new(&self.spec);
        let mut ladder = Ladder::new(&formula.tape, input, cap);
        all_hold(&mut ladder, &[formula.root])
    }
}

/// The smallest expression around a place, with the `let`s around it.
fn look<'e>(e: &'e Expr, offset: usize, scopes: &mut Vec<Scope<'e>>, found: &mut Option<(&'e Expr, Vec<Scope<'e>>)>) {
    if !(e.span.start..e.span.end).contains(&offset) {
        return;
    }
    let width = |e: &Expr| e.span.end - e.span.start;
    if found.as_ref().is_none_or(|(best, _)| width(e) <= width(best)) {
        *found = Some((e, scopes.clone()));
    }
    // A part of a loop is another number in each round.
    if matches!(e.kind, ExprKind::Loop(_)) {
        return;
    }
    let ExprKind::Let { sequential, bindings, body } = &e.kind else {
        e.children().into_iter().for_each(|child| look(child, offset, scopes, found));
        return;
    };
    let sequential = *sequential;
    for (k, (_, value)) in bindings.iter().enumerate() {
        scopes.push(Scope { sequential, bindings: if sequential { &bindings[..k] } else { &[] } });
        look(value, offset, scopes, found);
        scopes.pop();
    }
    scopes.push(Scope { sequential, bindings });
    look(body, offset, scopes, found);
    scopes.pop();
}

/// An input of the domain at which f surely has a value, with few digits where there is such a one; `cap` is the last
/// precision in bits. None where none is found.
#[must_use]
pub fn example(spec: &Spec, cap: u32) -> Option<Vec<f64>> {
    let domain = InputBox::new(spec).ok()?;
    let prepared = Prepared::new(spec);
    let (tape, _, conditions) = prepared.parts();
    let all = probes(&domain);
    let short = |x: &f64| format!("{x:.1e}").parse().unwrap_or(*x);
    let rounded = all.iter().take(ROUNDED).map(|p| domain.clamp(&p.iter().map(short).collect::<Vec<f64>>()));
    let has_value = |x: &Vec<f64>| {
        let mut ladder = Ladder::new(tape, x, cap);
        all_hold(&mut ladder, conditions).is_true() && ladder.has_value(prepared.function()).is_true()
    };
    rounded.chain(all.iter().cloned()).take_while(|_| !halt::requested()).find(has_value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Overrides, parse_file, resolve};

    fn spec(text: &str) -> Spec {
        let file = parse_file(text.as_bytes());
        resolve(&file, file.cores.len() - 1, "text.fpcore", &Overrides::default()).unwrap()
    }

    fn part(text: &str, what: &str) -> FormulaPart {
        FormulaPart::around(&spec(text), text.rfind(what).unwrap()).unwrap()
    }

    #[test]
    fn a_part_is_found_with_its_names() {
        let text = "(FPCore sq (x) (* x x))
(FPCore (x y) :pre (and (<= 1 x 2) (<= 3 y 4) (< (+ x y) 5))
  (let* ([a (+ x 1)] [b (* a a)]) (if (> b 4) (sqrt (sq b)) (- y))))";
        assert_eq!(part(text, "a a)").expr.to_string(), "a");
        assert_eq!(part(text, "* a a)").expr.to_string(), "(* a a)");
        // What stands in another FPCore is no part of this one.
        assert!(FormulaPart::around(&spec(text), text.find("* x x").unwrap()).is_none());
        let near = |p: &FormulaPart, lo: f64, hi: f64| {
            let found = p.values().unwrap();
            assert!(found.hull.inf() <= lo && found.hull.sup() >= hi, "{found:?}");
            assert!(found.hull.inf() >= lo - 0.1 && found.hull.sup() <= hi + 0.1, "{found:?}");
            assert!(found.defined.is_true());
        };
        near(&part(text, "* a a)"), 4.0, 9.0);
        near(&part(text, "sqrt (sq b)"), 4.0, 9.0);
        near(&part(text, "- y"), -4.0, -3.0);
        // Where the conditions of the domain do not hold nothing counts.
        near(&part(text, "+ x y"), 4.0, 5.0);
        let condition = part(text, "< (+ x y)");
        assert!(condition.is_condition && condition.holds_at(&[1.0, 3.0], 256).is_true());
        assert!(condition.holds_at(&[2.0, 4.0], 256).is_false());
        let set = part(text, "* a a)").at(&[1.5, 3.0], 256).set.unwrap();
        assert_eq!((set.value.lo.to_f64(), set.value.hi.to_f64()), (6.25, 6.25));
    }

    #[test]
    fn where_a_part_has_no_value_is_said() {
        let text = "(FPCore (x) :pre (<= -1 x 1) (if (> x 0) (log x) (sqrt (- -2 x))))";
        assert_eq!(part(text, "log x").values().unwrap().defined, Ternary::Unknown);
        let nowhere = part(text, "sqrt (").values().unwrap();
        assert!(nowhere.hull.is_empty() && nowhere.defined.is_false());
    }

    /// Over all kinds of parts: the values at points lie in the enclosure.
    #[test]
    fn the_enclosure_holds_the_values_at_points() {
        let text = "(FPCore (x y) :pre (and (<= -2 x 3) (<= 1/2 y 2))
          (let ([s (sin (* x y))] [q (/ x y)]) (- (* q q) (+ (* s (exp x)) (fabs (- q s))))))";
        let whole = spec(text);
        let points = probes(&InputBox::new(&whole).unwrap());
        let mut looked = 0;
        for (at, _) in text.match_indices('(').skip(2) {
            let Some(part) = FormulaPart::around(&whole, at).filter(|p| !p.is_condition) else { continue };
            let hull = part.values().unwrap().hull;
            for x in &points {
                if let Some(set) = part.at(x, 256).set {
                    assert!(
                        hull.inf() <= set.value.hi.to_f64() && set.value.lo.to_f64() <= hull.sup(),
                        "{}",
                        part.expr
                    );
                    looked += 1;
                }
            }
        }
        assert!(looked > 300, "{looked}");
    }

    #[test]
    fn an_example_has_few_digits_and_a_value() {
        let of = |text| example(&spec(text), 256);
        let x = of("(FPCore (x y) :pre (and (<= 1 x 20000) (<= 1 y 2) (< y 1.5)) (log (- x 2)))").unwrap();
        assert!(x.iter().all(|x| format!("{x:.1e}").parse::<f64>().unwrap() == *x), "{x:?}");
        assert!(x[0] > 2.0 && x[1] < 1.5);
        assert_eq!(of("(FPCore (x) :pre (<= 0 x 1) (sqrt (- -1 x)))"), None);
    }
}
