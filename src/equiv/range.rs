//! Enclosures of normal forms over a box.

use super::definedness::{Cond, CondId, Logic, Signs};
use super::table::{Atom, AtomId, FormId, Table};
use crate::num::{Interval, Ternary};
use crate::ops::{Constant, Op};
use crate::tape::NodeId;
use crate::tape::eval::Enclosure;
use std::collections::HashMap;

/// An enclosure of a form over a box, and whether it has a value at every point of it.
pub(super) type Range = (Interval, Ternary);

/// Evaluates forms over one box.
pub(super) struct Evaluator<'a> {
    pub(super) t: &'a Table,
    l: &'a Logic,
    pub(super) nodes: &'a HashMap<NodeId, Enclosure>,
    pub(super) ranges: &'a [Interval],
    known: HashMap<FormId, Range>,
    /// Powers of atoms, which stand in many terms.
    powers: HashMap<(AtomId, i32), Range>,
}

impl<'a> Evaluator<'a> {
    /// Nothing is evaluated yet.
    pub(super) fn new(
        t: &'a Table,
        l: &'a Logic,
        nodes: &'a HashMap<NodeId, Enclosure>,
        ranges: &'a [Interval],
    ) -> Self {
        Evaluator { t, l, nodes, ranges, known: HashMap::new(), powers: HashMap::new() }
    }

    /// The same over another box.
    pub(super) fn over<'b>(&self, ranges: &'b [Interval]) -> Evaluator<'b>
    where
        'a: 'b,
    {
        Evaluator::new(self.t, self.l, self.nodes, ranges)
    }

    /// An enclosure of the form's values.
    pub(super) fn form(&mut self, id: FormId) -> Range {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let f = self.t.form(id);
        let mut value = (self.t.factor(id), Ternary::True);
        if f.exp != FormId::ZERO {
            let exp = self.form(f.exp);
            value = times(value, unary(Op::Exp, exp));
        }
        for &(a, k) in &f.atoms {
            value = times(value, self.power_of_atom(a, k));
        }
        for &(p, k) in &f.polys {
            let mut sum = (Interval::point(0.0), Ternary::True);
            let t = self.t;
            for (m, c) in t.terms(p) {
                let mut term = (c, Ternary::True);
                if m.exp != FormId::ZERO {
                    let exp = self.form(m.exp);
                    term = times(term, unary(Op::Exp, exp));
                }
                for &(a, k) in &m.atoms {
                    term = times(term, self.power_of_atom(a, k as i32));
                }
                sum = both(sum, term, |a, b| a + b);
            }
            value = times(value, power(sum, k));
        }
        self.known.insert(id, value);
        value
    }

    /// An enclosure of the values of a power of an atom.
    fn power_of_atom(&mut self, id: AtomId, k: i32) -> Range {
        if let Some(&known) = self.powers.get(&(id, k)) {
            return known;
        }
        let value = match k {
            1 => self.compute_atom(id),
            _ => power(self.atom(id), k),
        };
        self.powers.insert((id, k), value);
        value
    }

    /// An enclosure of an atom's values.
    pub(super) fn atom(&mut self, id: AtomId) -> Range {
        self.power_of_atom(id, 1)
    }

    fn compute_atom(&mut self, id: AtomId) -> Range {
        match self.t.atom(id) {
            Atom::Input(i) => (self.ranges[*i as usize], Ternary::True),
            Atom::Pi => {
                let pi = Constant::Pi.enclose(53).map(|p| {
                    use crate::num::mpfr::Round;
                    Interval::new(p.lo.to_f64_round(Round::Down), p.hi.to_f64_round(Round::Up))
                });
                (pi.unwrap_or(Interval::ENTIRE), Ternary::True)
            }
            Atom::Apply(op, args) => {
                let args: Vec<Range> = args[..op.arity()].iter().map(|a| self.form(*a)).collect();
                apply(*op, &args)
            }
            Atom::Factor(op, u) => (super::near_zero::factor(*op), self.form(*u).1),
            Atom::If(c, a, b) => {
                let (a, b) = (self.form(*a), self.form(*b));
                let (truth, def) = self.cond(*c);
                let (x, chosen) = match truth {
                    Ternary::True => a,
                    Ternary::False => b,
                    Ternary::Unknown => (a.0 | b.0, a.1.join(b.1)),
                };
                (x, chosen & def)
            }
            Atom::Node(n) => self.nodes.get(n).map_or((Interval::ENTIRE, Ternary::Unknown), |e| (e.x, e.def)),
        }
    }

    /// What is known of a condition wherever all it is made of has a value, and whether that is so everywhere.
    pub(super) fn cond(&mut self, id: CondId) -> (Ternary, Ternary) {
        match self.l.cond(id) {
            Cond::Bool(b) => (Ternary::from(*b), Ternary::True),
            Cond::Sign(f, signs) => {
                let (x, def) = self.form(*f);
                let seen = Signs::of_interval(x);
                (Ternary::decide(seen.within(*signs), seen.within(signs.complement())), def)
            }
            Cond::All(parts) => parts
                .iter()
                .map(|p| self.cond(*p))
                .fold((Ternary::True, Ternary::True), |all, p| (all.0 & p.0, all.1 & p.1)),
            Cond::Any(parts) => parts
                .iter()
                .map(|p| self.cond(*p))
                .fold((Ternary::False, Ternary::True), |any, p| (any.0 | p.0, any.1 & p.1)),
            Cond::Node(..) => (Ternary::Unknown, Ternary::Unknown),
        }
    }
}

fn both(a: Range, b: Range, f: impl Fn(Interval, Interval) -> Interval) -> Range {
    let def = a.1 & b.1;
    if def.is_false() { (Interval::EMPTY, def) } else { (f(a.0, b.0), def) }
}

pub(super) fn times(a: Range, b: Range) -> Range {
    // Exact: beside 0 a rounded product may hold 0, and x > 0 would not show that x is not 0.
    if a == (Interval::point(1.0), Ternary::True) {
        return b;
    }
    both(a, b, |a, b| a * b)
}

fn apply(op: Op, args: &[Range]) -> Range {
    let def = args.iter().fold(Ternary::True, |d, a| d & a.1);
    let x: Vec<Interval> = args.iter().map(|a| a.0).collect();
    if def.is_false() || x.iter().any(|x| x.is_empty()) {
        return (Interval::EMPTY, Ternary::False);
    }
    let (y, own) = op.forward(&x);
    (y, def & own)
}

fn unary(op: Op, x: Range) -> Range {
    apply(op, &[x])
}

pub(super) fn power(x: Range, k: i32) -> Range {
    if k == 1 { x } else { apply(Op::Pow, &[x, (Interval::point(f64::from(k)), Ternary::True)]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rational;

    /// What is known of a condition, and of whether it has a value.
    #[derive(Clone, Copy, Debug)]
    struct Known {
        truth: Ternary,
        def: Ternary,
    }

    /// All but a condition that surely has no value: nothing is in its range.
    fn all_known() -> Vec<Known> {
        let all = |truth| [Ternary::True, Ternary::Unknown].map(|def| Known { truth, def });
        [Ternary::True, Ternary::Unknown, Ternary::False].into_iter().flat_map(all).collect()
    }

    /// That the root of an input is above a number, and a range of the input on which that is known of it.
    fn above(t: &mut Table, logic: &mut Logic, input: u32, known: Known) -> (CondId, Interval) {
        let x = t.atomic(Atom::Input(input)).expect("a form");
        let root = t.apply1(Op::Sqrt, x).expect("a form");
        let number = match known.truth {
            Ternary::True => Rational::from(-1),
            Ternary::Unknown => Rational::from((3, 2)),
            Ternary::False => Rational::from(3),
        };
        let number = t.constant(number);
        let difference = t.sub(root, number).expect("a form");
        let range = Interval::new(if known.def.is_true() { 1.0 } else { -1.0 }, 4.0);
        (logic.cond_id(Cond::Sign(difference, Signs::POSITIVE)), range)
    }

    #[test]
    fn what_depends_on_a_condition_has_a_value_only_where_the_condition_has_one() {
        for (a, b) in all_known().into_iter().flat_map(|a| all_known().into_iter().map(move |b| (a, b))) {
            let (mut t, mut logic, nodes) = (Table::new(), Logic::default(), HashMap::new());
            t.fuel = 1_000_000;
            let (of_a, first) = above(&mut t, &mut logic, 0, a);
            let (of_b, second) = above(&mut t, &mut logic, 1, b);
            let (both, either) = (logic.all(vec![of_a, of_b]), logic.any(vec![of_a, of_b]));
            let two = t.constant(Rational::from(2));
            let x = t.atomic(Atom::Input(1)).expect("a form");
            let root = t.apply1(Op::Sqrt, x).expect("a form");
            let choice = t.atomic(Atom::If(of_a, two, root)).expect("a form");

            let ranges = [first, second];
            let mut at = Evaluator::new(&t, &logic, &nodes, &ranges);
            assert_eq!(at.cond(of_a), (a.truth, a.def));
            assert_eq!(at.cond(both), (a.truth & b.truth, a.def & b.def), "{a:?} {b:?}");
            assert_eq!(at.cond(either), (a.truth | b.truth, a.def & b.def), "{a:?} {b:?}");
            let (then, otherwise) = (at.form(two), at.form(root));
            let (x, chosen) = match a.truth {
                Ternary::True => then,
                Ternary::False => otherwise,
                Ternary::Unknown => (then.0 | otherwise.0, then.1.join(otherwise.1)),
            };
            assert_eq!(at.form(choice), (x, chosen & a.def), "{a:?} {b:?}");
        }
    }

    #[test]
    fn a_product_or_a_result_has_a_value_only_where_all_operands_have_one() {
        let all = [Ternary::True, Ternary::Unknown, Ternary::False];
        for (a, b) in all.into_iter().flat_map(|a| all.map(move |b| (a, b))) {
            let of = |def: Ternary| (Interval::new(2.0, 3.0), def);
            for def in [times(of(a), of(b)).1, apply(Op::Add, &[of(a), of(b)]).1, apply(Op::Div, &[of(a), of(b)]).1] {
                assert_eq!(def, a & b, "{a:?} {b:?}");
            }
            // Nor is a root one where its operand may be negative.
            let root = apply(Op::Sqrt, &[(Interval::new(-1.0, 4.0), a)]).1;
            assert_eq!(root, a & Ternary::Unknown, "{a:?}");
        }
    }
}
