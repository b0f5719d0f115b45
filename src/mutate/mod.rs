//! Mutants: first-order changes of a specification, enumerated exhaustively and in a fixed order.

mod body;
mod conditions;
mod evaluation;
mod full;
mod key;
mod loops;
pub mod loose;
mod paper;
mod programs;
mod regions;
mod sample;
mod second;
mod sites;

use crate::unfit::Unfit;
pub use body::{Body, Lowering};
pub use evaluation::EvaluationMutant;
pub use sample::{Room, Sample, is_large};
pub use second::{MOST as MOST_SECOND_ORDER, second_order};

use self::body::Original;
use self::key::Key;
pub use self::key::asked;
use self::sample::{LARGE, sample, shortened};
use self::sites::Site;
use crate::num::Rational;
use crate::spec::core::Expr;
use crate::spec::unroll::{has_loops, unroll};
use crate::spec::{Accuracy, Range, Spec};
use crate::text::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// What a mutation operator changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MutationOperator {
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

impl MutationOperator {
    /// Every operator.
    pub const ALL: [MutationOperator; 11] = [
        MutationOperator::Accuracy,
        MutationOperator::Bounds,
        MutationOperator::Add,
        MutationOperator::Delete,
        MutationOperator::Constant,
        MutationOperator::Variable,
        MutationOperator::Unary,
        MutationOperator::Binary,
        MutationOperator::Evaluation,
        MutationOperator::Region,
        MutationOperator::Second,
    ];

    /// Its name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MutationOperator::Accuracy => "accuracy",
            MutationOperator::Bounds => "bounds",
            MutationOperator::Add => "add",
            MutationOperator::Delete => "delete",
            MutationOperator::Constant => "constant",
            MutationOperator::Variable => "variable",
            MutationOperator::Unary => "unary",
            MutationOperator::Binary => "binary",
            MutationOperator::Evaluation => "evaluation",
            MutationOperator::Region => "region",
            MutationOperator::Second => "second",
        }
    }

    /// The test objective that it serves (the paper's Table 1).
    #[must_use]
    pub fn objective(self) -> &'static str {
        match self {
            MutationOperator::Accuracy | MutationOperator::Evaluation => "precision",
            MutationOperator::Bounds | MutationOperator::Add | MutationOperator::Delete => "robustness",
            MutationOperator::Constant
            | MutationOperator::Variable
            | MutationOperator::Unary
            | MutationOperator::Binary
            | MutationOperator::Region
            | MutationOperator::Second => "functional",
        }
    }

    /// The change that it makes, and what a mutant that lives may mean.
    #[must_use]
    pub fn mistake(self) -> (&'static str, &'static str) {
        match self {
            MutationOperator::Accuracy => {
                ("a larger error bound", "A program that is less accurate than required may pass.")
            }
            MutationOperator::Bounds => {
                ("other bounds of an input", "A program that takes another range of inputs may pass.")
            }
            MutationOperator::Add => ("an operator added", "A program that applies one operation too many may pass."),
            MutationOperator::Delete => ("an operator deleted", "A program that leaves out an operation may pass."),
            MutationOperator::Constant => ("another constant", "A program with a mistyped constant may pass."),
            MutationOperator::Variable => ("another variable", "A program that mixes up two inputs may pass."),
            MutationOperator::Unary => ("another unary operator", "A program that calls the wrong function may pass."),
            MutationOperator::Binary => ("another binary operator", "A program with the wrong operation may pass."),
            MutationOperator::Evaluation => (
                "the formula as a program over floats",
                "A program that loses its digits to rounding, cancellation or overflow may pass.",
            ),
            MutationOperator::Second => {
                ("two changes at once", "A program with two mistakes that hide one another may pass.")
            }
            MutationOperator::Region => (
                "a wrong result on a part of the domain",
                "A program that is wrong in one part of its domain may pass.",
            ),
        }
    }
}

impl fmt::Display for MutationOperator {
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
    Only(Vec<MutationOperator>),
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
        let known = || MutationOperator::ALL.map(MutationOperator::name).join(", ").replace(", second", "");
        let one = |name: &str| {
            MutationOperator::ALL
                .into_iter()
                .find(|o| o.name() == name.trim() && *o != MutationOperator::Second)
                .ok_or_else(|| {
                    format!("unknown operator `{}`: expected `paper`, `full`, or a list of {}", name.trim(), known())
                        .into()
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
    Evaluation(EvaluationMutant),
}

/// A first-order change of a specification.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Stable across runs: a hash of the specification's name, the site, the operator and the replacement.
    pub id: String,
    /// What kind of change.
    pub operator: MutationOperator,
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
            Change::Body(body) => {
                mutated.core.body = Expr::clone(body);
                mutated.formula = None;
            }
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
    only: Option<&'a [MutationOperator]>,
    /// Leave out a change that was made before, and one that changes nothing.
    distinct: bool,
    /// What tells the changes apart, see [`Original::difference`]; of those that are not of the body it is their text.
    seen: HashSet<(usize, usize, Vec<u8>)>,
    original: Arc<Original>,
    mutants: Vec<Mutant>,
    sample: Sample,
    /// Changes of a variable thought of so far.
    variables: u64,
    /// Of a formula with loops the names of its inputs.
    looped: Option<Vec<String>>,
    /// Whether the rounds of its own loops depend on inputs.
    may_end: bool,
    /// Changes left out because their loops cannot be written out.
    left_out: usize,
}

/// Mutants, and which of all they are.
#[derive(Clone, Debug)]
pub struct Made {
    /// The mutants in a fixed order.
    pub mutants: Vec<Mutant>,
    /// Which are made; none if all are.
    pub sample: Option<Sample>,
    /// How many changes of loops are no mutants: how often the loop would go round depends on an input or is more than allowed,
    /// or an index would be outside of its array. Nothing is known of a program with such a change.
    pub left_out: usize,
}

impl Collector<'_> {
    /// Whether a place is one of those at which mutants are made other than of variables.
    fn takes_place(&self, site: &Site<'_>) -> bool {
        !site.is_made_up() && (site.place as u64).is_multiple_of(self.sample.places) && !crate::halt::requested()
    }

    /// Whether the next change of a variable is made.
    fn takes_next_variable(&mut self) -> bool {
        self.variables += 1;
        (self.variables - 1).is_multiple_of(self.sample.variables) && !crate::halt::requested()
    }

    /// Whether the loops of a body can be written out; if not, it is counted.
    fn is_formula(&mut self, body: &Expr) -> bool {
        let Some(names) = &self.looped else { return true };
        let unrolled = unroll(names, body, self.spec.max_iterations);
        // Where all loops are counted, one that is not any more would cost more than it tells.
        let is = unrolled.is_ok_and(|u| self.may_end || !u.may_end);
        self.left_out += usize::from(!is);
        is
    }

    fn takes(&self, operator: MutationOperator) -> bool {
        self.only.is_none_or(|list| list.contains(&operator))
    }

    /// Add a mutant of the body: another expression at the `places` in pre-order, of which the site has one.
    fn replace(&mut self, operator: MutationOperator, site: &Site<'_>, places: Vec<usize>, with: Expr) {
        if !self.takes(operator) {
            return;
        }
        let (before, after) = (self.original.text(site.place).to_owned(), with.to_string());
        if self.distinct && (before == after || !self.seen.insert(self.original.difference(&places, &after))) {
            return;
        }
        let body = Body::edited(&self.original, places, with);
        // To look at the whole body would make it, and keep it.
        if self.looped.is_some() && !self.is_formula(&body) {
            return;
        }
        let change = Change::Body(body);
        self.keep(operator, site.key, site.expr.span, before, after, change);
    }

    /// Add a mutant with the subexpression at `site` replaced.
    fn substitute(&mut self, site: &Site<'_>, operator: MutationOperator, with: Expr) {
        self.replace(operator, site, vec![site.place], with);
    }

    /// Add a mutant of something else; `site` tells apart equal changes at different places.
    fn push(
        &mut self,
        operator: MutationOperator,
        site: &str,
        span: Span,
        before: String,
        after: String,
        change: Change,
    ) {
        let is_left_out =
            matches!(&change, Change::Range { input, .. } if !(*input as u64).is_multiple_of(self.sample.inputs));
        if !self.takes(operator) || is_left_out {
            return;
        }
        // No text of a body is as long.
        let whole = || (usize::MAX, usize::MAX, format!("{site} {after}").into_bytes());
        if self.distinct && (before == after || !self.seen.insert(whole())) {
            return;
        }
        self.keep(operator, Key::of(&self.spec.name).and(site), span, before, after, change);
    }

    fn keep(
        &mut self,
        operator: MutationOperator,
        site: Key,
        span: Span,
        before: String,
        after: String,
        change: Change,
    ) {
        let id = site.end().and(operator.name()).end().and(&after).end().text();
        // There are as many already as make a large run.
        let is_large = self.original.text(0).len().saturating_mul(self.mutants.len()) > LARGE;
        let [before, after] = if is_large { [shortened(before), shortened(after)] } else { [before, after] };
        self.mutants.push(Mutant { id, operator, span, before, after, change, parts: None });
    }
}

/// All mutants of a specification in a fixed order.
#[must_use]
pub fn mutants(spec: &Spec, set: &OperatorSet) -> Vec<Mutant> {
    mutants_within(spec, set, Room { bytes: u64::MAX, whole: false }).mutants
}

/// The same, or a sample of those of the body if there is no room for all, with what is kept and written of them.
#[must_use]
pub fn mutants_within(spec: &Spec, set: &OperatorSet, room: Room) -> Made {
    if let OperatorSet::Twice(first) = set {
        let mut made = mutants_within(spec, first, room);
        made.mutants.extend(second_order(spec, &made.mutants));
        return Made { mutants: disambiguate(made.mutants), ..made };
    }
    match spec.formula {
        Some(_) => programs::mutants(spec, set, room),
        None => mutants_of_body(spec, set, room),
    }
}

/// The mutants of a specification's body as it stands.
fn mutants_of_body(spec: &Spec, set: &OperatorSet, room: Room) -> Made {
    let (only, distinct) = match set {
        OperatorSet::Paper => (None, false),
        OperatorSet::Full | OperatorSet::Twice(_) => (None, true),
        OperatorSet::Only(list) => (Some(list.as_slice()), true),
    };
    let original = Arc::new(Original::new(spec));
    let sample = sample(spec, &original, room);
    let looped: Option<Vec<String>> =
        has_loops(&spec.core.body).then(|| spec.inputs.iter().map(|i| i.name.clone()).collect());
    let own = looped.as_ref().and_then(|names| unroll(names, &spec.core.body, spec.max_iterations).ok());
    let may_end = own.is_some_and(|own| own.may_end);
    // The unchanged body is no mutant.
    let seen = HashSet::from([original.difference(&[], "")]);
    let mut c = Collector {
        spec,
        only,
        distinct,
        seen,
        original,
        mutants: Vec::new(),
        sample,
        variables: 0,
        looped,
        may_end,
        left_out: 0,
    };
    paper::generate(spec, &mut c);
    if distinct {
        full::generate(spec, &mut c);
        regions::generate(spec, &mut c);
        evaluation::generate(spec, &mut c);
    }
    if is_large(spec, c.mutants.len()) {
        for m in &mut c.mutants {
            (m.before, m.after) = (shortened(std::mem::take(&mut m.before)), shortened(std::mem::take(&mut m.after)));
        }
    }
    let is_all = sample == Sample::ALL;
    let left_out = c.left_out;
    Made { mutants: disambiguate(c.mutants), sample: (!is_all).then_some(sample), left_out }
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
