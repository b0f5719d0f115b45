//! Mutants: first-order changes of a specification, enumerated exhaustively and in a fixed order.

mod body;
mod conditions;
mod evaluation;
mod full;
mod paper;
mod regions;
mod second;
mod sites;

pub use body::{Body, Lowering};
pub use evaluation::Evaluation;
pub(crate) use regions::evenly;
pub use second::{MOST as MOST_SECOND_ORDER, second_order};

use self::body::Original;
use self::sites::Site;
use crate::num::Rational;
use crate::spec::core::{Expr, Span};
use crate::spec::{Accuracy, Range, Spec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// What a mutation operator changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Operator {
    /// A larger error bound.
    Accuracy,
    /// Other bounds for one input.
    Bounds,
    /// An operator is added.
    Add,
    /// An operator, a term of a condition or an `if` is deleted.
    Delete,
    /// Another value of a constant.
    Constant,
    /// Another variable.
    Variable,
    /// Another unary operator.
    Unary,
    /// Another binary operator or comparison, or its operands swapped.
    Binary,
    /// The formula as a program over floats.
    Evaluation,
    /// A wrong result on one part of the domain.
    Region,
    /// Two changes at once.
    Second,
}

impl Operator {
    /// Every operator.
    pub const ALL: [Operator; 11] = [
        Operator::Accuracy,
        Operator::Bounds,
        Operator::Add,
        Operator::Delete,
        Operator::Constant,
        Operator::Variable,
        Operator::Unary,
        Operator::Binary,
        Operator::Evaluation,
        Operator::Region,
        Operator::Second,
    ];

    /// Its name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Operator::Accuracy => "accuracy",
            Operator::Bounds => "bounds",
            Operator::Add => "add",
            Operator::Delete => "delete",
            Operator::Constant => "constant",
            Operator::Variable => "variable",
            Operator::Unary => "unary",
            Operator::Binary => "binary",
            Operator::Evaluation => "evaluation",
            Operator::Region => "region",
            Operator::Second => "second",
        }
    }

    /// The test objective that it serves (the paper's Table 1).
    #[must_use]
    pub fn objective(self) -> &'static str {
        match self {
            Operator::Accuracy | Operator::Evaluation => "precision",
            Operator::Bounds | Operator::Add | Operator::Delete => "robustness",
            Operator::Constant
            | Operator::Variable
            | Operator::Unary
            | Operator::Binary
            | Operator::Region
            | Operator::Second => "functional",
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which mutants to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperatorSet {
    /// The paper's, with its counts.
    Paper,
    /// The paper's at every site, and what numerical programmers really get wrong.
    Full,
    /// Some operators of the full set.
    Only(Vec<Operator>),
    /// The mutants of another set, and pairs of its changes at once: see [`second_order`].
    Twice(Box<OperatorSet>),
}

impl OperatorSet {
    /// The set without pairs.
    #[must_use]
    pub fn first_order(&self) -> &OperatorSet {
        if let OperatorSet::Twice(first) = self { first.first_order() } else { self }
    }
}

impl std::str::FromStr for OperatorSet {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        match s {
            "paper" => return Ok(OperatorSet::Paper),
            "full" => return Ok(OperatorSet::Full),
            _ => {}
        }
        let known = || Operator::ALL.map(Operator::name).join(", ").replace(", second", "");
        let one = |name: &str| {
            Operator::ALL.into_iter().find(|o| o.name() == name.trim() && *o != Operator::Second).ok_or_else(|| {
                format!("unknown operator `{}`: expected `paper`, `full`, or a list of {}", name.trim(), known())
            })
        };
        s.split(',').map(one).collect::<Result<Vec<_>, _>>().map(OperatorSet::Only)
    }
}

impl fmt::Display for OperatorSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OperatorSet::Paper => f.write_str("paper"),
            OperatorSet::Full => f.write_str("full"),
            OperatorSet::Twice(first) => write!(f, "{first} and pairs"),
            OperatorSet::Only(list) => f.write_str(&list.iter().map(|o| o.name()).collect::<Vec<_>>().join(",")),
        }
    }
}

/// What a mutant has in place of the specification's part.
#[derive(Clone, Debug)]
pub enum Change {
    /// Another body.
    Body(Body),
    /// Another range of one input.
    Range {
        /// Which input.
        input: usize,
        /// Its range.
        range: Range,
    },
    /// Another accuracy.
    Accuracy(Accuracy),
    /// The body, or an algebraically equal form, evaluated over floats.
    Evaluation(Evaluation),
}

/// A first-order change of a specification.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Stable across runs: a hash of the specification's name, the site, the operator and the replacement.
    pub id: String,
    /// What kind of change.
    pub operator: Operator,
    /// Where the change is in the source.
    pub span: Span,
    /// The changed part as it was.
    pub before: String,
    /// The changed part as it is.
    pub after: String,
    /// The change itself.
    pub change: Change,
    /// Of a second-order mutant the ids of the two first-order ones whose changes it has.
    pub parts: Option<[String; 2]>,
}

impl Mutant {
    /// The mutant as a specification of its own.
    #[must_use]
    pub fn apply(&self, spec: &Spec) -> Spec {
        let mut mutated = spec.clone();
        match &self.change {
            Change::Body(body) => mutated.core.body = Expr::clone(body),
            Change::Range { input, range } => mutated.inputs[*input].range = range.clone(),
            Change::Accuracy(accuracy) => mutated.accuracy = accuracy.clone(),
            Change::Evaluation(program) => mutated.core.body = program.expression(),
        }
        mutated
    }

    /// The mutant as an FPCore on one line; `spec` is the specification that it was made of.
    #[must_use]
    pub fn one_line(&self, spec: &Spec) -> String {
        match &self.change {
            Change::Body(body) => body.one_line(spec),
            Change::Range { .. } | Change::Accuracy(_) | Change::Evaluation(_) => self.apply(spec).to_core().one_line(),
        }
    }
}

/// Collects mutants, with their ids.
pub(crate) struct Collector<'a> {
    spec: &'a Spec,
    only: Option<&'a [Operator]>,
    /// Leave out a change that was made before, and one that changes nothing.
    distinct: bool,
    /// What tells the changes apart, see [`Original::difference`]; of those that are not of the body it is their text.
    seen: HashSet<(usize, usize, Vec<u8>)>,
    original: Arc<Original>,
    mutants: Vec<Mutant>,
}

impl Collector<'_> {
    fn takes(&self, operator: Operator) -> bool {
        self.only.is_none_or(|list| list.contains(&operator))
    }

    /// Add a mutant of the body: another expression at the `places` in pre-order, of which the site has one.
    fn replace(&mut self, operator: Operator, site: &Site<'_>, places: Vec<usize>, with: Expr) {
        if !self.takes(operator) {
            return;
        }
        let (before, after) = (self.original.text(site.place).to_owned(), with.to_string());
        if self.distinct && (before == after || !self.seen.insert(self.original.difference(&places, &after))) {
            return;
        }
        let change = Change::Body(Body::edited(&self.original, places, with));
        self.keep(operator, &site.key(), site.expr.span, before, after, change);
    }

    /// Add a mutant with the subexpression at `site` replaced.
    fn substitute(&mut self, site: &Site<'_>, operator: Operator, with: Expr) {
        self.replace(operator, site, vec![site.place], with);
    }

    /// Add a mutant of something else; `site` tells apart equal changes at different places.
    fn push(&mut self, operator: Operator, site: &str, span: Span, before: String, after: String, change: Change) {
        if !self.takes(operator) {
            return;
        }
        // No text of a body is as long.
        let whole = || (usize::MAX, usize::MAX, format!("{site} {after}").into_bytes());
        if self.distinct && (before == after || !self.seen.insert(whole())) {
            return;
        }
        self.keep(operator, site, span, before, after, change);
    }

    fn keep(&mut self, operator: Operator, site: &str, span: Span, before: String, after: String, change: Change) {
        let id = hash(&[&self.spec.name, site, operator.name(), &after]);
        self.mutants.push(Mutant { id, operator, span, before, after, change, parts: None });
    }
}

/// All mutants of a specification in a fixed order.
#[must_use]
pub fn mutants(spec: &Spec, set: &OperatorSet) -> Vec<Mutant> {
    if let OperatorSet::Twice(first) = set {
        let mut made = mutants(spec, first);
        made.extend(second_order(spec, &made));
        return disambiguate(made);
    }
    let (only, distinct) = match set {
        OperatorSet::Paper => (None, false),
        OperatorSet::Full | OperatorSet::Twice(_) => (None, true),
        OperatorSet::Only(list) => (Some(list.as_slice()), true),
    };
    let original = Arc::new(Original::new(spec));
    // The unchanged body is no mutant.
    let seen = HashSet::from([original.difference(&[], "")]);
    let mut c = Collector { spec, only, distinct, seen, original, mutants: Vec::new() };
    paper::generate(spec, &mut c);
    if distinct {
        full::generate(spec, &mut c);
        regions::generate(spec, &mut c);
        evaluation::generate(spec, &mut c);
    }
    disambiguate(c.mutants)
}

/// Give the second and later mutants of one id a suffix: distinct changes at one site with one spelling.
fn disambiguate(mut mutants: Vec<Mutant>) -> Vec<Mutant> {
    let mut seen: HashSet<String> = HashSet::new();
    for m in &mut mutants {
        let mut k = 2;
        let base = m.id.clone();
        while !seen.insert(m.id.clone()) {
            m.id = format!("{base}-{k}");
            k += 1;
        }
    }
    mutants
}

/// FNV-1a over the parts (Fowler, Noll, Vo), 48 bits as 12 hexadecimal digits: stable on every platform.
fn hash(parts: &[&str]) -> String {
    let mut h: u64 = 0xcbf2_9ce4_8422_2325;
    for part in parts {
        for byte in part.bytes().chain([0]) {
            h = (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{:012x}", (h ^ h >> 48) & 0xffff_ffff_ffff)
}

/// `x * 10^e`.
pub(crate) fn scaled(x: &Rational, e: i32) -> Rational {
    let mut y = x.clone();
    for _ in 0..e.unsigned_abs() {
        if e > 0 {
            y *= 10;
        } else {
            y /= 10;
        }
    }
    y
}
