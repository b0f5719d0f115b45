//! A printed proof read back: what each of its lines states, as nodes of a tape, to be evaluated at points. The text is
//! all that is looked at, so that a number or a condition that is printed wrongly is found out as well as one that was
//! found wrongly.

mod grammar;

use super::rewrite::laws::expression_of;
use crate::num::{MpInterval, Rational, Ternary};
use crate::spec::parse_rational;
use crate::tape::eval::mp_truth;
use crate::tape::{Builder, NodeId};
use grammar::Reader;

/// A condition of a printed proof.
#[derive(Clone, Debug)]
pub enum PrintedCondition {
    /// The node has a value that is negative, zero, positive, where that is allowed.
    Sign(NodeId, [bool; 3]),
    /// The node has a value.
    HasValue(NodeId),
    /// The condition holds.
    Condition(NodeId),
    /// A truth value.
    Bool(bool),
    /// All of them.
    All(Vec<PrintedCondition>),
    /// At least one of them.
    Any(Vec<PrintedCondition>),
    /// The contrary.
    Not(Box<PrintedCondition>),
    /// Where the first holds the second, elsewhere the third.
    If(Box<[PrintedCondition; 3]>),
}

impl PrintedCondition {
    /// Whether it holds at a point where the nodes have these values. What has no value has no sign.
    #[must_use]
    pub fn holds(&self, values: &[MpInterval]) -> Ternary {
        match self {
            PrintedCondition::Bool(b) => Ternary::from(*b),
            PrintedCondition::HasValue(n) => values[n.index()].def,
            PrintedCondition::Condition(n) => values[n.index()].def & mp_truth(&values[n.index()]),
            PrintedCondition::Sign(n, allowed) => {
                let v = &values[n.index()];
                let seen = [v.lo < 0, v.lo <= 0 && v.hi >= 0, v.hi > 0];
                let of = |wanted: bool| seen.iter().zip(allowed).any(|(s, a)| *s && *a == wanted);
                v.def & Ternary::decide(!of(false), !of(true))
            }
            PrintedCondition::All(parts) => parts.iter().fold(Ternary::True, |all, p| all & p.holds(values)),
            PrintedCondition::Any(parts) => parts.iter().fold(Ternary::False, |any, p| any | p.holds(values)),
            PrintedCondition::Not(part) => !part.holds(values),
            PrintedCondition::If(parts) => match parts[0].holds(values) {
                Ternary::True => parts[1].holds(values),
                Ternary::False => parts[2].holds(values),
                Ternary::Unknown => parts[1].holds(values).join(parts[2].holds(values)),
            },
        }
    }

    /// Whether it is false at a point at which all that it speaks of has a value.
    #[must_use]
    pub fn is_contradicted(&self, values: &[MpInterval]) -> bool {
        match self {
            PrintedCondition::Sign(n, _) => values[n.index()].def.is_true() && self.holds(values).is_false(),
            _ => self.holds(values).is_false(),
        }
    }
}

/// What a line of a proof states of f and g.
#[derive(Clone, Debug)]
pub enum Says {
    /// Both have this value wherever they have one.
    Value(NodeId),
    /// It holds at every point of the domain.
    Holds(PrintedCondition),
    /// There is a value exactly where all of these hold.
    ValueWhere(Vec<PrintedCondition>),
    /// Two expressions have the same value, and at the same points.
    Same(NodeId, NodeId),
    /// |f - g| is at most so many times the sum of the tolerances.
    Ratio(Rational),
    /// |f| is at most that.
    AtMost(Rational),
    /// |f| is less than that.
    Below(Rational),
}

/// A statement, the cases in which it is made, and its text.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Where it is made.
    pub cases: Vec<PrintedCondition>,
    /// What it says; none if the text cannot be read: forms that are too long are cut.
    pub says: Option<Says>,
    /// The line.
    pub text: String,
}

/// The statements of a printed proof about functions of inputs with these names. Nodes are added to `b`, which must
/// rewrite nothing.
#[must_use]
pub fn statements(proof: &str, names: &[String], b: &mut Builder) -> Vec<Statement> {
    let mut out = Vec::new();
    let lines: Vec<&str> = proof.lines().collect();
    Lines { names, b, out: &mut out }.proof(&lines, &[]);
    out
}

/// What comes before a form that both functions have.
pub(super) const FORM_ON_DOMAIN: &str = "the same normal form on this domain:";
/// The same where nothing of the domain was used.
pub(super) const FORM: &str = "the same normal form:";
/// What comes before the facts of the domain.
pub(super) const ON_DOMAIN: &str = "on the domain:";
/// What comes before the conditions for a value.
pub(super) const VALUE_WHERE: &str = "both have a value where:";
/// What comes before the conditions that only one side asks for.
pub(super) const ONE_SIDE: &str = "only one side needs, and it holds on the whole domain:";
/// What comes before a proof by cases.
pub(super) const BY_CASES: &str = "the same function in every case:";
/// What comes before a chain of laws.
pub(super) const BY_REWRITING: &str = "the same function by rewriting:";

struct Lines<'a> {
    names: &'a [String],
    b: &'a mut Builder,
    out: &'a mut Vec<Statement>,
}

impl Lines<'_> {
    fn proof(&mut self, lines: &[&str], cases: &[PrintedCondition]) {
        let Some((title, rest)) = lines.split_first() else { return };
        let mut title = title.trim();
        while let Some((_, proof)) = title.strip_prefix("the same function as ").and_then(|t| t.split_once(": ")) {
            title = proof;
        }
        match title {
            FORM | FORM_ON_DOMAIN => self.by_form(rest, cases),
            BY_CASES => self.by_cases(rest, cases),
            BY_REWRITING => rest.iter().for_each(|line| self.step(line, cases)),
            _ => self.number(title, cases),
        }
    }

    fn push(&mut self, text: &str, cases: &[PrintedCondition], says: Option<Says>) {
        self.out.push(Statement { cases: cases.to_vec(), says, text: text.trim().to_owned() });
    }

    fn read<'t, T>(&mut self, text: &'t str, part: impl Fn(&mut Reader<'t, '_>) -> Option<T>) -> Option<T> {
        let mut reader = Reader { text, at: 0, names: self.names, b: self.b };
        let found = part(&mut reader)?;
        (reader.at == text.len()).then_some(found)
    }

    fn by_form(&mut self, lines: &[&str], cases: &[PrintedCondition]) {
        let Some((form, rest)) = lines.split_first() else { return };
        let value = self.read(form.trim(), |r| r.sum()).map(Says::Value);
        self.push(form, cases, value);
        let mut section = "";
        let (mut needs, mut all_read, mut texts) = (Vec::new(), true, Vec::new());
        for line in rest.iter().map(|l| l.trim()) {
            match line {
                ON_DOMAIN | VALUE_WHERE | ONE_SIDE => section = line,
                _ if section == VALUE_WHERE => {
                    let need = self.read(line, |r| r.formula());
                    all_read &= need.is_some();
                    needs.extend(need);
                    texts.push(line);
                }
                _ => {
                    let fact = line.rsplit_once(": ").map_or(line, |(fact, _)| fact);
                    let fact = self.read(fact, |r| r.fact());
                    self.push(line, cases, fact);
                }
            }
        }
        let text = if texts.is_empty() { "both have a value everywhere".into() } else { texts.join("; ") };
        self.push(&text, cases, all_read.then_some(Says::ValueWhere(needs)));
    }

    /// Lines of one depth begin cases; what is deeper belongs to the case before it.
    fn by_cases(&mut self, lines: &[&str], cases: &[PrintedCondition]) {
        let depth = |line: &str| line.len() - line.trim_start().len();
        let Some(first) = lines.first().map(|l| depth(l)) else { return };
        let starts: Vec<usize> = (0..lines.len()).filter(|i| depth(lines[*i]) <= first).collect();
        for (k, &start) in starts.iter().enumerate() {
            let end = starts.get(k + 1).copied().unwrap_or(lines.len());
            let title = lines[start].trim().strip_prefix("where ").and_then(|t| t.strip_suffix(':'));
            let nested = title.and_then(|t| t.strip_suffix(", by cases"));
            let condition = nested.or(title).and_then(|t| self.read(t, |r| r.formula()));
            let Some(condition) = condition else {
                self.push(lines[start], cases, None);
                continue;
            };
            let here: Vec<PrintedCondition> = cases.iter().cloned().chain([condition]).collect();
            let part = &lines[start + 1..end];
            if nested.is_some() { self.by_cases(part, &here) } else { self.proof(part, &here) }
        }
    }

    fn step(&mut self, line: &str, cases: &[PrintedCondition]) {
        let sides = line.trim().split_once(" = ").and_then(|(before, rest)| {
            let after = rest.split_once(": ").map_or(rest, |(after, _)| after);
            Some((expression_of(before, self.names, self.b)?, expression_of(after, self.names, self.b)?))
        });
        self.push(line, cases, sides.map(|(a, b)| Says::Same(a, b)));
    }

    /// The proofs that are one line with a number.
    fn number(&mut self, line: &str, cases: &[PrintedCondition]) {
        let between = |start: &str, end: &str| {
            let rest = &line[line.find(start)? + start.len()..];
            parse_rational(&rest[..rest.find(end)?]).ok()
        };
        let says = if line.starts_with("cover of the domain by ") && line.contains("|f - g|") {
            Some(between("|f - g| is at most ", " times").map(Says::Ratio))
        } else if line.starts_with("|f| is less than ") {
            Some(between("|f| is less than ", " on the domain").map(Says::Below))
        } else if line.starts_with("|f| is at most ") {
            Some(between("|f| is at most ", " on the domain").map(Says::AtMost))
        } else {
            None
        };
        if let Some(says) = says {
            self.push(line, cases, says);
        }
    }
}
