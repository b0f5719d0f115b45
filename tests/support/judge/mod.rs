//! The judge: values, tolerances, verdicts.

mod expr;
mod format;
mod loops;
mod operators;
mod pi;
mod program;
mod tolerance;
mod value;

pub(crate) use format::{in_range, is_value, neighbour};
pub(crate) use value::Tri;

use Tri::{Maybe, No, Yes};
use format::{parameters, two_to};
use magneto::mutate::{Change, EvaluationMutant, Mutant};
use magneto::num::mpfr::Rational;
use magneto::spec::core::{Expr, ExprKind, Value};
use magneto::spec::{Accuracy, OutOfRange, Spec};
use std::cell::OnceCell;
use tolerance::{Ends, FAR, distance, ends, is_far, tolerance};
use value::{Evaluator, Num};

/// How a specification and a mutant compare at one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// No result is valid for both.
    Apart,
    /// Some real number is valid for both.
    Meet,
    /// The specification has a value, the mutant has none.
    OnlySpec,
    /// The mutant has a value, the specification has none.
    OnlyMutant,
    /// Neither has a value.
    Neither,
    /// Not settled.
    Open,
}

/// The steps of precision.
const BITS: [u32; 7] = [256, 512, 1024, 2048, 4096, 8192, 16384];

fn evaluators(most: u32) -> impl Iterator<Item = Evaluator> {
    BITS.into_iter().filter(move |b| *b <= most).enumerate().map(|(k, bits)| Evaluator { bits, exact: k > 0 })
}

/// Judges one specification.
pub(crate) struct Judge<'a> {
    pub(crate) spec: &'a Spec,
    /// The last precision.
    pub(crate) most: u32,
}

impl Judge<'_> {
    /// Whether the input is in the box and satisfies the precondition as written: by the text of `:pre`, not by what
    /// was made of it.
    pub(crate) fn precondition(&self, input: &[f64]) -> Tri {
        let Some(pre) = self.spec.core.property("pre") else { return Yes };
        let Value::Expr(pre) = &pre.value else { return Maybe };
        self.settle(|e| e.holds(self.spec, pre, input))
    }

    fn settle(&self, f: impl Fn(&Evaluator) -> Tri) -> Tri {
        evaluators(self.most).map(|e| f(&e)).find(|t| *t != Maybe).unwrap_or(Maybe)
    }

    /// Whether the body has a value.
    pub(crate) fn defined(&self, input: &[f64]) -> Tri {
        self.settle(|e| e.value(self.spec, &self.spec.core.body, input).defined)
    }

    /// Compare the specification with another body.
    pub(crate) fn compare(&self, other: &Expr, input: &[f64]) -> Outcome {
        for e in evaluators(self.most) {
            let f = e.value(self.spec, &self.spec.core.body, input);
            let outcome = self.versus(&e, &f, other, input);
            if outcome != Outcome::Open {
                return outcome;
            }
        }
        Outcome::Open
    }

    /// The specification's value at the first precision, to be compared with many mutants.
    pub(crate) fn first(&self, input: &[f64]) -> Num {
        Evaluator { bits: BITS[0], exact: false }.value(self.spec, &self.spec.core.body, input)
    }

    /// As [`Judge::compare`], with [`Judge::first`] at hand.
    pub(crate) fn compare_with(&self, first: &Num, other: &Expr, input: &[f64]) -> Outcome {
        match self.versus(&Evaluator { bits: BITS[0], exact: false }, first, other, input) {
            Outcome::Open => self.compare(other, input),
            settled => settled,
        }
    }

    fn versus(&self, e: &Evaluator, f: &Num, other: &Expr, input: &[f64]) -> Outcome {
        let g = e.value(self.spec, other, input);
        match (f.defined, g.defined) {
            (Yes, No) => return Outcome::OnlySpec,
            (No, Yes) => return Outcome::OnlyMutant,
            (No, No) => return Outcome::Neither,
            (Yes, Yes) => {}
            _ => return Outcome::Open,
        }
        let accuracy = &self.spec.accuracy;
        if let (Some(f), true) = (ends(f), is_far(&g)) {
            // At most half of |g| is tolerated, and the rest is far from f.
            let half = |k: &Rational| *k <= Rational::from((1, 2));
            let few = accuracy.ulps.as_ref().is_none_or(|(n, format)| half(&(n * two_to(1 - parameters(*format).0))));
            let t = tolerance(&f, accuracy);
            let near = f.0.abs().max(f.1.abs()) + t.1;
            if few && accuracy.rel.as_ref().is_none_or(half) && near < two_to(FAR / 2) {
                return Outcome::Apart;
            }
        }
        let (Some(f), Some(g)) = (ends(f), ends(&g)) else { return Outcome::Open };
        let (tf, tg) = (tolerance(&f, &self.spec.accuracy), tolerance(&g, &self.spec.accuracy));
        let d = distance(&f, &g);
        if d.0 > tf.1 + tg.1 {
            Outcome::Apart
        } else if d.1 <= tf.0 + tg.0 {
            Outcome::Meet
        } else {
            Outcome::Open
        }
    }

    /// Whether the two surely are different numbers, or only one of them has a value.
    pub(crate) fn differ(&self, other: &Expr, input: &[f64]) -> bool {
        let different = |e: &Evaluator| {
            let (f, g) = (e.value(self.spec, &self.spec.core.body, input), e.value(self.spec, other, input));
            match (f.defined, g.defined) {
                (Yes, No) | (No, Yes) => Yes,
                (No, No) => No,
                (Yes, Yes) if f.exact.is_some() && g.exact.is_some() => Tri::of(f.exact != g.exact, true),
                (Yes, Yes) => Tri::of(f.hi < g.lo || g.hi < f.lo, false),
                _ => Maybe,
            }
        };
        // Equal numbers that are not rational stay open at every precision: two steps are enough of that.
        evaluators(self.most.min(512)).any(|e| different(&e) == Yes)
    }

    /// Whether a value is within the tolerance.
    pub(crate) fn valid(&self, y: f64, input: &[f64]) -> Tri {
        self.tolerated(input)(y)
    }

    /// Whether values are within the tolerance at one input: the function is evaluated once for all of them.
    pub(crate) fn tolerated(&self, input: &[f64]) -> impl Fn(f64) -> Tri {
        let steps = evaluators(self.most).collect::<Vec<_>>();
        // What is owed and the tolerance at each precision.
        let known: Vec<OnceCell<Option<[Ends; 2]>>> = vec![OnceCell::new(); steps.len()];
        move |y| {
            let y = Rational::from_f64(y).expect("a finite result");
            let y = Ends(y.clone(), y);
            let is_near = |(e, known): (&Evaluator, &OnceCell<Option<[Ends; 2]>>)| {
                let owed = known.get_or_init(|| {
                    let f = ends(&e.value(self.spec, &self.spec.core.body, input))?;
                    let t = tolerance(&f, &self.spec.accuracy);
                    Some([f, t])
                });
                let Some([f, t]) = owed else { return Maybe };
                let d = distance(f, &y);
                Tri::of(d.1 <= t.0, d.0 > t.1)
            };
            steps.iter().zip(&known).map(is_near).find(|t| *t != Maybe).unwrap_or(Maybe)
        }
    }

    /// Whether the part of a larger valid set that is invalid for the specification reaches beyond it by more than
    /// 1000 r, r being the relative bound, else the absolute one, else n 2^-p.
    pub(crate) fn reaches(&self, more: &Accuracy, input: &[f64]) -> Tri {
        let own = &self.spec.accuracy;
        let ulps = || own.ulps.as_ref().map(|(n, f)| n * two_to(-parameters(*f).0));
        let r = own.rel.clone().or_else(|| own.abs.clone()).or_else(ulps).unwrap_or_default() * 1000;
        self.settle(|e| {
            let f = e.value(self.spec, &self.spec.core.body, input);
            if f.defined == No {
                return No;
            }
            let Some(f) = ends(&f) else { return Maybe };
            let (small, large) = (tolerance(&f, own), tolerance(&f, more));
            Tri::of(Rational::from(&large.0 - &small.1) > r, Rational::from(&large.1 - &small.0) <= r)
        })
    }

    /// What is wrong with a decided oracle, if anything is.
    pub(crate) fn oracle_problem(&self, lo: f64, hi: f64, input: &[f64]) -> Option<String> {
        let format = self.spec.result_format;
        let (mut wrong, is_valid) = (Vec::new(), self.tolerated(input));
        let mut expect = |what: &str, y: Option<f64>, wanted: Tri| {
            let Some(y) = y else { return };
            let found = is_valid(y);
            if found != wanted {
                wrong.push(format!("{what} {y:e} valid: {found:?}"));
            }
        };
        expect("lo", Some(lo), Yes);
        expect("hi", Some(hi), Yes);
        expect("below lo", neighbour(lo, false, format), No);
        expect("above hi", neighbour(hi, true, format), No);
        if lo > hi {
            wrong.push("lo > hi".into());
        }
        if !(is_value(lo, format) && is_value(hi, format)) {
            wrong.push("no values of the format".into());
        }
        (!wrong.is_empty()).then(|| format!("oracle [{lo:e}, {hi:e}]: {}", wrong.join(", ")))
    }

    /// What a specification that is a program may return at an input, each operation as the standard has it.
    pub(crate) fn program(&self, input: &[f64]) -> Result<Vec<f64>, String> {
        let names: Vec<String> = self.spec.inputs.iter().map(|i| i.name.clone()).collect();
        let formula = self.spec.formula.clone().ok_or("no program")?;
        let returned = Expr::new(ExprKind::Cast(Box::new(formula)));
        program::may_return(&names, &returned, self.spec.result_format, input)
    }

    /// All that a program may return at an input, its library within one ulp.
    pub(crate) fn may_return(&self, program: &EvaluationMutant, input: &[f64]) -> Result<Vec<f64>, String> {
        let names: Vec<String> = self.spec.inputs.iter().map(|i| i.name.clone()).collect();
        program::may_return(&names, &program.body, program.format, input)
    }

    /// Whether a KO of a mutant at an input is right, with what the judge found.
    pub(crate) fn confirms(&self, mutant: &Mutant, input: &[f64], first: &Num) -> Result<(), String> {
        let told = matches!(self.spec.out_of_range, OutOfRange::Reject | OutOfRange::Nan);
        match &mutant.change {
            Change::Body(body) => match self.compare_with(first, body, input) {
                Outcome::Apart => Ok(()),
                Outcome::OnlySpec if self.spec.out_of_range != OutOfRange::Any => Ok(()),
                other => Err(format!("{other:?}")),
            },
            Change::Range { input: k, range } => {
                if !told {
                    return Err("the response is not told".into());
                }
                match self.defined(input) {
                    Yes => {}
                    No => return Err("no value".into()),
                    Maybe => return Err("Open".into()),
                }
                let inside = self.precondition(input);
                let others = self.spec.inputs.iter().enumerate().all(|(i, own)| {
                    let x = Rational::from_f64(input[i]).expect("a finite input");
                    in_range(if i == *k { range } else { &own.range }, &x)
                });
                let conditions = self
                    .spec
                    .constraints
                    .iter()
                    .fold(Yes, |all, c| all.and(self.settle(|e| e.holds(self.spec, c, input))));
                let mutant = Tri::of(others, !others).and(conditions);
                match (inside, mutant) {
                    (Yes, No) | (No, Yes) => Ok(()),
                    other => Err(format!("in the domains: {other:?}")),
                }
            }
            Change::Accuracy(_) => Err("an accuracy mutant is never killed".into()),
            Change::Evaluation(e) => {
                let all = self.may_return(e, input)?;
                match all.iter().find(|y| y.is_finite() && self.valid(**y, input) != No) {
                    Some(y) => Err(format!("{y:e} may be returned")),
                    None => Ok(()),
                }
            }
        }
    }
}
