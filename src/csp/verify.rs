//! Whether one input kills one mutant: binary64 intervals where they settle it, multiple precision where not.

use super::build::Pair;
use super::judge::{InputJudgement, StatusJudge};
use crate::floats::Format;
use crate::num::{Interval, Ternary};
use crate::oracle::quick::{QuickTolerance, attainable};
use crate::oracle::{FIRST_PRECISION, Ladder, Oracle, all_hold, compare, oracle};
use crate::solve::{Care, PointCheck};
use crate::spec::OutOfRange;
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::evaluate;

/// What decides whether a difference is a kill.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The last precision of the ladder, in bits.
    pub cap: u32,
    /// The format of results.
    pub format: Format,
    /// What a program owes outside its domain: a mutant without a value owes it too.
    pub response: OutOfRange,
}

/// The precision cap where an answer is wanted only if it is cheap, in bits.
pub const GLANCE: u32 = 480;
/// How many glances that settle nothing are worth that much; the next ones are unlikely to settle more, and go up the
/// first step only.
const GLANCES: u32 = 64;

/// Examines inputs of the domain's box exactly.
pub struct Verifier<'a> {
    pair: &'a Pair,
    rules: Rules,
    /// Glances that settled nothing, so far.
    in_vain: u32,
    /// See [`Verifier::vain_nodes`].
    vain_nodes: u64,
    spec: QuickTolerance,
    mutant: QuickTolerance,
    values: Vec<Enclosure>,
    point: Vec<Interval>,
}

impl<'a> Verifier<'a> {
    /// For the mutant of `pair`.
    #[must_use]
    pub fn new(pair: &'a Pair, rules: Rules) -> Self {
        let (spec, mutant) = (QuickTolerance::new(&pair.spec_accuracy), QuickTolerance::new(&pair.mutant_accuracy));
        Verifier { pair, rules, in_vain: 0, vain_nodes: 0, spec, mutant, values: Vec::new(), point: Vec::new() }
    }

    /// What was evaluated at inputs that are no solution, so far. Unit: nodes at the first precision.
    #[must_use]
    pub fn vain_nodes(&self) -> u64 {
        self.vain_nodes
    }

    /// Whether the input surely kills the mutant and can be a test.
    pub fn check(&mut self, input: &[f64], care: Care) -> PointCheck {
        match self.quick(input) {
            Some(InputJudgement::Sure { .. }) => self.is_a_test(&mut self.ladder(input, self.rules.cap)),
            Some(_) => PointCheck::No,
            None => {
                let check = self.exact(input, care);
                self.in_vain += u32::from(care == Care::Glance && check == PointCheck::Unsettled);
                check
            }
        }
    }

    /// What binary64 intervals prove: that the input kills and may be a test, or that it does not kill.
    fn quick(&mut self, input: &[f64]) -> Option<InputJudgement> {
        self.point.clear();
        self.point.extend(input.iter().map(|x| Interval::point(*x)));
        evaluate(&self.pair.tape, &mut Boxes { inputs: &self.point }, &mut self.values);
        let of = |n: crate::tape::NodeId| &self.values[n.index()];
        let (f, g) = (of(self.pair.f), of(self.pair.g));
        let holds = |c: &crate::tape::NodeId| of(*c).def.is_true() && of(*c).as_truth().is_true();
        let judgement = self.judge().quick(f, g, &self.spec, &self.mutant)?;
        let is_settled = match judgement {
            InputJudgement::Sure { .. } => attainable(f.x, &self.spec, self.rules.format),
            InputJudgement::Inside | InputJudgement::No => true,
            InputJudgement::Open => false,
        };
        (is_settled && self.pair.conditions.iter().all(holds)).then_some(judgement)
    }

    fn judge(&self) -> StatusJudge {
        StatusJudge { response: self.rules.response }
    }

    fn ladder(&self, input: &[f64], cap: u32) -> Ladder<'a> {
        Ladder::new(&self.pair.tape, input, cap)
    }

    /// Whether an input that kills can be a test: it needs an oracle that is settled. A kill where it is not, or where
    /// the accuracy cannot be met at all, is no test, and no proof of the contrary either.
    fn is_a_test(&self, ladder: &mut Ladder<'_>) -> PointCheck {
        match oracle(ladder, self.pair.spec(), self.rules.format) {
            Oracle::Decided { .. } => PointCheck::Solution,
            _ => PointCheck::Unsettled,
        }
    }

    fn exact(&mut self, input: &[f64], care: Care) -> PointCheck {
        let cap = match care {
            Care::Thorough => self.rules.cap,
            Care::Glance if self.in_vain < GLANCES => self.rules.cap.min(GLANCE),
            Care::Glance => FIRST_PRECISION,
        };
        let mut ladder = self.ladder(input, cap);
        let check = self.check_with(&mut ladder);
        self.vain_nodes += if check == PointCheck::Solution { 0 } else { ladder.cost() };
        check
    }

    fn check_with(&self, ladder: &mut Ladder<'_>) -> PointCheck {
        let pair = self.pair;
        match all_hold(ladder, &pair.conditions) {
            Ternary::False => return PointCheck::No,
            Ternary::Unknown => return PointCheck::Unsettled,
            Ternary::True => {}
        }
        match self.judge().of(&compare(ladder, pair.spec(), pair.mutant(), false)) {
            InputJudgement::Sure { .. } => {
                ladder.raise(self.rules.cap);
                self.is_a_test(ladder)
            }
            InputJudgement::Inside | InputJudgement::No => PointCheck::No,
            InputJudgement::Open => PointCheck::Unsettled,
        }
    }
}
