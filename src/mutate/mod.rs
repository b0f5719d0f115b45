//! Mutants: first-order changes of a specification, enumerated exhaustively and in a fixed order.

mod body;
mod conditions;
mod evaluation;
mod full;
mod paper;
mod regions;
mod second;
mod sites;

use crate::unfit::Unfit;
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

    /// The change that it makes, and what a mutant that lives may mean.
    #[must_use]
    pub fn mistake(self) -> (&'static str, &'static str) {
        match self {
            Operator::Accuracy => ("a larger error bound", "A program that is less accurate than required may pass."),
            Operator::Bounds => ("other bounds of an input", "A program that takes another range of inputs may pass."),
            Operator::Add => ("an operator added", "A program that applies one operation too many may pass."),
            Operator::Delete => ("an operator deleted", "A program that leaves out an operation may pass."),
            Operator::Constant => ("another constant", "A program with a mistyped constant may pass."),
            Operator::Variable => ("another variable", "A program that mixes up two inputs may pass."),
            Operator::Unary => ("another unary operator", "A program that calls the wrong function may pass."),
            Operator::Binary => ("another binary operator", "A program with the wrong operation may pass."),
            Operator::Evaluation => (
                "the formula as a program over floats",
                "A program that loses its digits to rounding, cancellation or overflow may pass.",
            ),
            Operator::Second => ("two changes at once", "A program with two mistakes that hide one another may pass."),
            Operator::Region => (
                "a wrong result on a part of the domain",
                "A program that is wrong in one part of its domain may pass.",
            ),
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
    type Err = Unfit;
    fn from_str(s: &str) -> Result<Self, Unfit> {
        match s {
            "paper" => return Ok(OperatorSet::Paper),
            "full" => return Ok(OperatorSet::Full),
            _ => {}
        }
        let known = || Operator::ALL.map(Operator::name).join(", ").replace(", second", "");
        let one = |name: &str| {
            Operator::ALL.into_iter().find(|o| o.name() == name.trim() && *o != Operator::Second).ok_or_else(|| {
                format!("unknown operator `{}`: expected `paper`, `full`, or a list of {}", name.trim(), known()).into()
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
    sample: Sample,
    /// Changes of a variable thought of so far.
    variables: u64,
}

/// Which mutants of the body are made where memory has no room for all: evenly spread, and the same in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Of the places in the body every so manieth is changed. 1 for all.
    pub places: u64,
    /// Of the changes of one variable for another every so manieth is made. 1 for all.
    pub variables: u64,
}

/// Mutants, and which of all they are.
#[derive(Clone, Debug)]
pub struct Made {
    /// The mutants in a fixed order.
    pub mutants: Vec<Mutant>,
    /// Which are made; none if all are.
    pub sample: Option<Sample>,
}

impl Collector<'_> {
    /// Whether a place is one of those at which mutants are made other than of variables.
    fn takes_place(&self, site: &Site<'_>) -> bool {
        (site.place as u64).is_multiple_of(self.sample.places) && !crate::halt::requested()
    }

    /// Whether the next change of a variable is made.
    fn takes_next_variable(&mut self) -> bool {
        self.variables += 1;
        (self.variables - 1).is_multiple_of(self.sample.variables) && !crate::halt::requested()
    }

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
        self.keep(operator, site.key, site.expr.span, before, after, change);
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
        self.keep(operator, Key::of(&self.spec.name).and(site), span, before, after, change);
    }

    fn keep(&mut self, operator: Operator, site: Key, span: Span, before: String, after: String, change: Change) {
        let id = site.end().and(operator.name()).end().and(&after).end().text();
        self.mutants.push(Mutant { id, operator, span, before, after, change, parts: None });
    }
}

/// All mutants of a specification in a fixed order.
#[must_use]
pub fn mutants(spec: &Spec, set: &OperatorSet) -> Vec<Mutant> {
    mutants_within(spec, set, u64::MAX).mutants
}

/// The same, or a sample of those of the body if all would take more than so many bytes, with what is kept and written of
/// them.
#[must_use]
pub fn mutants_within(spec: &Spec, set: &OperatorSet, bytes: u64) -> Made {
    if let OperatorSet::Twice(first) = set {
        let mut made = mutants_within(spec, first, bytes);
        made.mutants.extend(second_order(spec, &made.mutants));
        return Made { mutants: disambiguate(made.mutants), ..made };
    }
    let (only, distinct) = match set {
        OperatorSet::Paper => (None, false),
        OperatorSet::Full | OperatorSet::Twice(_) => (None, true),
        OperatorSet::Only(list) => (Some(list.as_slice()), true),
    };
    let original = Arc::new(Original::new(spec));
    let sample = sample(spec, &original, bytes);
    // The unchanged body is no mutant.
    let seen = HashSet::from([original.difference(&[], "")]);
    let mut c = Collector { spec, only, distinct, seen, original, mutants: Vec::new(), sample, variables: 0 };
    paper::generate(spec, &mut c);
    if distinct {
        full::generate(spec, &mut c);
        regions::generate(spec, &mut c);
        evaluation::generate(spec, &mut c);
    }
    let is_all = sample == Sample { places: 1, variables: 1 };
    Made { mutants: disambiguate(c.mutants), sample: (!is_all).then_some(sample) }
}

/// Mutants at a place other than of a variable, roughly.
const AT_A_PLACE: u64 = 45;
/// What a mutant takes whatever its size, with all that is kept and written of it. Unit: bytes.
const BYTES_A_MUTANT: u64 = 2 << 10;
/// What it takes for each byte of the text of its site: the expression, what was and what is, in two files. Unit: bytes.
const BYTES_A_BYTE_OF_THE_SITE: u64 = 40;
/// What it takes for each test: the verdict, kept and written in the matrix and with the test. Unit: bytes.
const BYTES_A_TEST: u64 = 64;

/// A run is large if its mutants, each written whole, would have more than so many characters of formulas. Then they are
/// written and judged by what they change.
const LARGE: usize = 16 << 20;

/// Whether so many mutants of a specification make a large run.
#[must_use]
pub fn is_large(spec: &Spec, mutants: usize) -> bool {
    mutants > 1 && spec.core.body.to_string().len().saturating_mul(mutants) > LARGE
}

/// Which mutants so many bytes have room for. Half of them is for changes of variables: where many are in scope, there
/// are far more of those than of others.
fn sample(spec: &Spec, original: &Original, bytes: u64) -> Sample {
    let sites = sites::all(spec);
    let variable = |site: &Site<'_>| match site.expr.kind {
        crate::spec::core::ExprKind::Var(_) => site.depth() + spec.inputs.len(),
        _ => 0,
    };
    let all = sites.len() * AT_A_PLACE as usize + sites.iter().map(variable).sum::<usize>();
    // Tests of ranges, a few for each input, and others.
    let tests = 64 + 10 * spec.inputs.len() as u64;
    // The body is written twice, unless the run is large: then a mutant has one verdict, most often.
    let fixed = match is_large(spec, all) {
        true => BYTES_A_MUTANT,
        false => BYTES_A_MUTANT + 2 * original.text(0).len() as u64 + BYTES_A_TEST * tests,
    };
    let (mut others, mut variables) = (0u64, 0u64);
    for site in &sites {
        let own = BYTES_A_BYTE_OF_THE_SITE * original.text(site.place).len() as u64;
        others = others.saturating_add(AT_A_PLACE * (fixed + own));
        variables = variables.saturating_add(variable(site) as u64 * (fixed + own));
    }
    let every = |all: u64| all.div_ceil((bytes / 2).max(1)).max(1);
    Sample { places: every(others), variables: every(variables) }
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

/// An id in the making: FNV-1a over texts (Fowler, Noll, Vo), a zero after each. Stable on every platform.
#[derive(Clone, Copy, Debug)]
struct Key(u64);

impl Key {
    /// Of a first text.
    fn of(text: &str) -> Key {
        Key(0xcbf2_9ce4_8422_2325).and(text).end()
    }

    /// The text that is last goes on.
    fn and(self, text: &str) -> Key {
        Key(text.bytes().fold(self.0, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)))
    }

    /// The text that is last ends.
    fn end(self) -> Key {
        self.and("\0")
    }

    /// 48 bits as 12 hexadecimal digits.
    fn text(self) -> String {
        format!("{:012x}", (self.0 ^ self.0 >> 48) & 0xffff_ffff_ffff)
    }
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
