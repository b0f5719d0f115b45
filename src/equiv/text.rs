//! Normal forms, conditions and facts as text.

use super::definedness::{Cond, CondId, Need, NeedId, Signs};
use super::facts::{FactId, Question};
use super::normal::Normalizer;
use super::polynomial::Monomial;
use super::rewrite::expr::text_of;
use super::table::{Atom, AtomId, FormId};
use crate::num::float::rational;
use crate::ops::Constant;
use crate::spec::rational_text;
use crate::tape::NodeId;
use std::fmt::Write;

/// Longer texts are cut.
const MAX_LENGTH: usize = 2000;

/// What stands for expressions that are not written out.
const TOO_LONG: &str = "...";

/// An input's name, in backquotes if it has characters that operators are written with.
fn quoted(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_') && name != Constant::Pi.name() && name != "if";
    if plain { name.to_owned() } else { format!("`{name}`") }
}

/// Writes forms in terms of the inputs' names.
pub(super) struct Text<'a, 'n> {
    pub(super) n: &'a Normalizer<'n>,
    pub(super) names: &'a [String],
}

impl Text<'_, '_> {
    fn cut(mut s: String) -> String {
        if s.len() > MAX_LENGTH {
            let end = (0..=MAX_LENGTH).rev().find(|i| s.is_char_boundary(*i)).unwrap_or(0);
            s.truncate(end);
            s.push_str(" ...");
        }
        s
    }

    /// A form.
    pub(super) fn form(&self, id: FormId) -> String {
        let f = self.n.table.form(id);
        let (mut top, mut bottom) = (Vec::new(), Vec::new());
        let coeff = f.coeff.numer().to_string();
        if *f.coeff.denom() != 1 {
            bottom.push(f.coeff.denom().to_string());
        }
        if f.exp != FormId::ZERO {
            top.push(format!("exp({})", self.form(f.exp)));
        }
        let mut push = |text: String, k: i32| {
            let side = if k > 0 { &mut top } else { &mut bottom };
            side.push(if k.abs() == 1 { text } else { format!("{text}^{}", k.unsigned_abs()) });
        };
        for &(a, k) in &f.atoms {
            push(self.atom(a), k);
        }
        for &(p, k) in &f.polys {
            let terms = &self.n.table.poly(p).0;
            push(format!("({})", self.sum(terms.iter().rev().map(|(m, c)| (m, c.to_string())))), k);
        }
        let mut text = match (coeff.as_str(), top.is_empty()) {
            ("1", false) => top.join("*"),
            ("-1", false) => format!("-{}", top.join("*")),
            (_, true) => coeff,
            _ => format!("{coeff}*{}", top.join("*")),
        };
        match bottom.as_slice() {
            [] => {}
            [one] => {
                let _ = write!(text, "/{one}");
            }
            many => {
                let _ = write!(text, "/({})", many.join("*"));
            }
        }
        Self::cut(text)
    }

    fn sum<'m>(&self, terms: impl Iterator<Item = (&'m Monomial, String)>) -> String {
        let mut text = String::new();
        for (m, c) in terms {
            let mut factors = Vec::new();
            if m.exp != FormId::ZERO {
                factors.push(format!("exp({})", self.form(m.exp)));
            }
            for &(a, k) in &m.atoms {
                factors.push(if k == 1 { self.atom(a) } else { format!("{}^{k}", self.atom(a)) });
            }
            let (sign, size) = c.strip_prefix('-').map_or(("+", c.as_str()), |s| ("-", s));
            match (text.is_empty(), sign) {
                (true, "+") => {}
                (true, _) => text.push('-'),
                _ => {
                    let _ = write!(text, " {sign} ");
                }
            }
            match (size, factors.is_empty()) {
                ("1", false) => {}
                (_, true) => text.push_str(size),
                _ => {
                    let _ = write!(text, "{size}*");
                }
            }
            text.push_str(&factors.join("*"));
            if text.len() > MAX_LENGTH {
                break;
            }
        }
        text
    }

    /// A node as it stands, in FPCore.
    fn node(&self, id: NodeId) -> String {
        format!("{{{}}}", text_of(self.n.tape, id, self.names).unwrap_or_else(|| TOO_LONG.into()))
    }

    fn atom(&self, id: AtomId) -> String {
        match self.n.table.atom(id) {
            Atom::Input(i) => self.names.get(*i as usize).map_or_else(|| format!("x{i}"), |n| quoted(n)),
            Atom::Pi => "PI".into(),
            Atom::Apply(op, args) => {
                let args: Vec<String> = args[..op.arity()].iter().map(|a| self.form(*a)).collect();
                Self::cut(format!("{}({})", op.name(), args.join(", ")))
            }
            Atom::Factor(op, u) => format!("factor_of_{}({})", op.name(), self.form(*u)),
            Atom::If(c, t, e) => Self::cut(format!("if({}, {}, {})", self.cond(*c), self.form(*t), self.form(*e))),
            Atom::Node(n) => self.node(*n),
        }
    }

    pub(super) fn cond(&self, id: CondId) -> String {
        let join = |parts: &[CondId], word: &str| {
            let parts: Vec<String> = parts.iter().map(|p| format!("({})", self.cond(*p))).collect();
            parts.join(word)
        };
        match self.n.logic.cond(id) {
            Cond::Bool(b) => b.to_string(),
            Cond::Sign(f, signs) => self.sign(*f, *signs),
            Cond::All(parts) => join(parts, " and "),
            Cond::Any(parts) => join(parts, " or "),
            Cond::Node(n, true) => self.node(*n),
            Cond::Node(n, false) => format!("not {}", self.node(*n)),
        }
    }

    /// That the sign of a form is one of these.
    pub(super) fn sign(&self, form: FormId, signs: Signs) -> String {
        format!("{} {}", self.form(form), signs.text())
    }

    /// A need.
    pub(super) fn need(&self, id: NeedId) -> String {
        match self.n.logic.need(id) {
            Need::Sign(f, signs) => self.sign(*f, *signs),
            Need::Own(op, args) => {
                let args: Vec<String> = args[..op.arity()].iter().map(|a| self.form(*a)).collect();
                format!("({}) is in the domain of {}", args.join(", "), op.name())
            }
            Need::Node(n) => format!("{} has a value", self.node(*n)),
            Need::Never => "never".into(),
            Need::Branch(c, t, e) => {
                let all = |set: &[NeedId]| set.iter().map(|n| self.need(*n)).collect::<Vec<_>>().join(", ");
                format!("if {} then [{}] else [{}]", self.cond(*c), all(t), all(e))
            }
        }
    }

    /// A fact with how it was found.
    pub(super) fn fact(&self, id: FactId) -> String {
        let (question, sign, boxes) = self.n.facts.fact(id);
        let signs = sign.map_or("", |s| s.text());
        let what = match question {
            Question::SignOf(f) | Question::ValueAndSignOf(f) => format!("{} {signs}", self.form(f)),
            Question::Holds(n) => self.need(n),
            Question::OneValue(n) => {
                let x = self.n.facts.nodes.get(&n).map_or(f64::NAN, |e| e.x.inf());
                format!("{} = {}", self.node(n), rational_text(&rational(x)))
            }
        };
        let of_sign = match (question, sign) {
            (Question::SignOf(f) | Question::ValueAndSignOf(f), Some(sign)) => Some((f, sign)),
            _ => None,
        };
        let transcendental = of_sign.is_some_and(|(f, s)| s == Signs::NOT_ZERO && self.n.table.is_never_zero(f));
        match boxes {
            _ if transcendental => {
                format!(
                    "{what}: inputs are binary fractions, and it is irrational or none of these where it would be 0 (Lindemann)"
                )
            }
            0 => format!("{what}: a condition of the domain"),
            1 => format!("{what}: by interval evaluation"),
            n => format!("{what}: by interval evaluation on {n} boxes, of it or of forms from which its sign follows"),
        }
    }
}
