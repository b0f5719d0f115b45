//! How many mutants became what, and the scores.

use super::{Judged, Standing};
use crate::num::Rational;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The counts of a run, and the scores of semantics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// All mutants.
    pub all: usize,
    /// Killed ones.
    pub killed: usize,
    /// Probably killed ones.
    pub probable: usize,
    /// Equivalent ones.
    pub equivalent: usize,
    /// Indistinguishable ones.
    pub indistinguishable: usize,
    /// Undecided ones.
    pub undecided: usize,
    /// Accepted ones.
    #[serde(default)]
    pub accepted: usize,
    /// All but the accuracy mutants.
    pub functional: usize,
    /// Equivalent, indistinguishable and accepted ones that are no accuracy mutants: what nobody need kill.
    pub functional_not_killable: usize,
}

impl Counts {
    /// Count.
    #[must_use]
    pub fn of<'a>(mutants: impl IntoIterator<Item = &'a Judged>) -> Self {
        let mut c = Counts::default();
        for j in mutants {
            c.add(j.mutant.operator, j.status.standing());
        }
        c
    }

    /// Count one more mutant.
    pub fn add(&mut self, operator: crate::mutate::MutationOperator, standing: Standing) {
        let functional = operator != crate::mutate::MutationOperator::Accuracy;
        self.all += 1;
        self.functional += usize::from(functional);
        match standing {
            Standing::Killed => self.killed += 1,
            Standing::Probable => self.probable += 1,
            // Killable: in the denominator only.
            Standing::Missed => {}
            Standing::Equivalent => self.equivalent += 1,
            Standing::Indistinguishable => self.indistinguishable += 1,
            Standing::Undecided => self.undecided += 1,
            Standing::Accepted => self.accepted += 1,
        }
        if functional && matches!(standing, Standing::Equivalent | Standing::Indistinguishable | Standing::Accepted) {
            self.functional_not_killable += 1;
        }
    }

    /// Killed of those that can be killed, accuracy mutants left out.
    #[must_use]
    pub fn rigorous(&self) -> ScoreShare {
        ScoreShare { part: self.killed, whole: self.functional - self.functional_not_killable }
    }

    /// Killed or probably killed of all, as the paper counts.
    #[must_use]
    pub fn paper(&self) -> ScoreShare {
        ScoreShare { part: self.killed + self.probable, whole: self.all }
    }

    /// Those that are not undecided, of all.
    #[must_use]
    pub fn resolved_share(&self) -> ScoreShare {
        ScoreShare { part: self.all - self.undecided, whole: self.all }
    }

    /// [`Counts::rigorous`] as a number; 1 where no mutant can be killed.
    #[must_use]
    pub fn rigorous_score(&self) -> f64 {
        self.rigorous().value()
    }

    /// [`Counts::paper`] as a number; 1 where there are no mutants.
    #[must_use]
    pub fn paper_score(&self) -> f64 {
        self.paper().value()
    }

    /// The share that is not undecided; 1 where there are no mutants.
    #[must_use]
    pub fn resolved(&self) -> f64 {
        self.resolved_share().value()
    }
}

impl<'a> std::iter::Sum<&'a Counts> for Counts {
    fn sum<I: Iterator<Item = &'a Counts>>(counts: I) -> Self {
        counts.fold(Counts::default(), |a, b| Counts {
            all: a.all + b.all,
            killed: a.killed + b.killed,
            probable: a.probable + b.probable,
            equivalent: a.equivalent + b.equivalent,
            indistinguishable: a.indistinguishable + b.indistinguishable,
            undecided: a.undecided + b.undecided,
            accepted: a.accepted + b.accepted,
            functional: a.functional + b.functional,
            functional_not_killable: a.functional_not_killable + b.functional_not_killable,
        })
    }
}

/// A score with its counts: `part` of `whole`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreShare {
    /// How many.
    pub part: usize,
    /// Of how many.
    pub whole: usize,
}

impl ScoreShare {
    /// As a number from 0 to 1; 1 of nothing.
    #[must_use]
    pub fn value(self) -> f64 {
        if self.whole == 0 { 1.0 } else { self.part as f64 / self.whole as f64 }
    }

    /// Exactly.
    #[must_use]
    pub fn exact(self) -> Rational {
        if self.whole == 0 { Rational::from(1) } else { Rational::from((self.part as u64, self.whole as u64)) }
    }

    /// To four places, rounded down: 1.0000 means all.
    #[must_use]
    pub fn text(self) -> String {
        let units = if self.whole == 0 { 10_000 } else { self.part as u128 * 10_000 / self.whole as u128 };
        format!("{}.{:04}", units / 10_000, units % 10_000)
    }
}
