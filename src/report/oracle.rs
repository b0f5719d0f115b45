//! The oracle at one input, and the verdict on one result, explained.

use super::number::{both, decimal, digits};
use super::off::ErrorUnit;
use super::point::{ends, precision, response, value, without_digits};
use super::words;
use crate::csp::look::{Judgement, Look, Prepared};
use crate::num::Rational;
use crate::num::float::hex;
use crate::oracle::{Oracle, Verdict};
use crate::record::Fields;
use crate::record::tests::named;
use crate::spec::Spec;
use serde::Serialize;
use std::fmt::Write as _;

/// The answer to `magneto oracle`.
pub struct OracleAnswer<'a> {
    spec: &'a Spec,
    input: Vec<f64>,
    look: Look,
    result: Option<Judgement>,
}

impl<'a> OracleAnswer<'a> {
    /// Ask about an input, values of the input formats, and about a result if there is one.
    #[must_use]
    pub fn new(spec: &'a Spec, input: Vec<f64>, result: Option<f64>, cap: u32) -> Self {
        let look = Prepared::new(spec).look(&input, cap);
        let result = result.map(|y| look.judge(spec, y));
        OracleAnswer { spec, input, look, result }
    }

    /// The verdict on the result.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        self.result.as_ref().map(|j| j.verdict)
    }

    /// Whether the verdict counts: outside of the domain the specification has to say what is owed.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        !self.look.is_outside() || self.spec.out_of_range_stated
    }

    /// The error of the result in units of the bound and in ulps, where it is a finite number and f has a value.
    #[must_use]
    pub fn error(&self) -> Option<(f64, f64)> {
        self.result.as_ref().and_then(|j| j.error)
    }

    /// As a person reads it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(out, "{name:<12}{value}");
        };
        for (i, x) in self.spec.inputs.iter().zip(&self.input) {
            line(&i.name, both(*x));
        }
        let look = &self.look;
        match (&look.outside, &look.oracle) {
            (Some(why), _) => {
                line("domain", format!("outside: {why}"));
                line("owed", response(look.response).to_owned());
            }
            (None, Oracle::Undefined) => {
                line("f(x)", "no value, and :pre does not exclude the input".to_owned());
                line("owed", response(look.response).to_owned());
            }
            (None, oracle) => {
                if !look.conditions.is_true() {
                    line("domain", "not settled at the precision cap".to_owned());
                }
                match &look.set {
                    Some(set) => {
                        line("f(x)", value(set));
                        line("tolerance", format!("{} ({})", digits(&set.tolerance.hi, 6), self.spec.accuracy));
                        let [lower, upper] = ends(set);
                        line("valid set", format!("[{lower}, {upper}]"));
                    }
                    None => line("f(x)", without_digits(look).to_owned()),
                }
                match oracle {
                    Oracle::Decided { lo, hi, expected } => {
                        line("lo", both(*lo));
                        line("hi", both(*hi));
                        line("nearest", both(*expected));
                    }
                    Oracle::Capped { outer, inner } => {
                        let some = inner.0 <= inner.1;
                        let ok = some.then(|| format!("from {} to {}", both(inner.0), both(inner.1)));
                        line("surely OK", ok.unwrap_or_else(|| "nothing".to_owned()));
                        line("surely KO", format!("below {} and above {}", both(outer.0), both(outer.1)));
                    }
                    Oracle::Unsatisfiable => {
                        let format = self.spec.result_format.name();
                        line("oracle", format!("no {format} number is in the valid set: the accuracy cannot be met"));
                    }
                    Oracle::Undefined | Oracle::Unsettled => {}
                }
                line("precision", precision(look));
            }
        }
        if let Some(j) = &self.result {
            line("result", both(j.y));
            if let Some((bounds, _)) = j.error {
                line("error", ErrorUnit::of(&self.spec.accuracy).tell(bounds));
            }
            line("verdict", format!("{}: {}", j.verdict.name(), j.why));
        }
        out
    }

    /// As a document.
    #[must_use]
    pub fn document(&self) -> impl Serialize {
        let look = &self.look;
        let inside = !look.is_outside();
        let set = look.set.as_ref().filter(|_| inside);
        let (bounds, inner, expected) = match &look.oracle {
            Oracle::Decided { lo, hi, expected } if inside => (Some((*lo, *hi)), None, Some(*expected)),
            Oracle::Capped { outer, inner: i } if inside => (Some(*outer), Some(*i), None),
            _ => (None, None, None),
        };
        Document {
            schema: "magneto/oracle/1",
            specification: self.spec.name.clone(),
            inputs: named(self.spec, &self.input, hex),
            inputs_dec: named(self.spec, &self.input, decimal),
            in_domain: inside,
            outside: look.outside.clone(),
            state: if look.outside.is_some() { "outside" } else { state(&look.oracle) },
            owed: (!inside).then(|| look.response.name()),
            value: set.map(value),
            tolerance: set.map(|s| digits(&s.tolerance.hi, 20)),
            lower: set.map(|s| ends(s)[0].clone()),
            upper: set.map(|s| ends(s)[1].clone()),
            lo: bounds.map(|b| hex(b.0)),
            lo_dec: bounds.map(|b| decimal(b.0)),
            hi: bounds.map(|b| hex(b.1)),
            hi_dec: bounds.map(|b| decimal(b.1)),
            expected: expected.map(hex),
            inner_lo: inner.map(|b| hex(b.0)),
            inner_hi: inner.map(|b| hex(b.1)),
            precision: inside.then(|| precision(look)),
            result: self.result.as_ref().map(|j| ResultDocument {
                value: hex(j.y),
                value_dec: decimal(j.y),
                verdict: j.verdict.name(),
                reason: j.why.to_owned(),
                error_in_bounds: j.error.map(|e| decimal(e.0)),
                error_in_ulps: j.error.map(|e| decimal(e.1)),
            }),
        }
    }
}

fn state(oracle: &Oracle) -> &'static str {
    match oracle {
        Oracle::Decided { .. } => "decided",
        Oracle::Capped { .. } => "capped",
        Oracle::Unsatisfiable => "unsatisfiable",
        Oracle::Undefined => "undefined",
        Oracle::Unsettled => "unsettled",
    }
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    specification: String,
    inputs: Fields<String>,
    inputs_dec: Fields<String>,
    in_domain: bool,
    state: &'static str,
    outside: Option<String>,
    owed: Option<&'static str>,
    value: Option<String>,
    tolerance: Option<String>,
    lower: Option<String>,
    upper: Option<String>,
    lo: Option<String>,
    lo_dec: Option<String>,
    hi: Option<String>,
    hi_dec: Option<String>,
    expected: Option<String>,
    inner_lo: Option<String>,
    inner_hi: Option<String>,
    precision: Option<String>,
    result: Option<ResultDocument>,
}

#[derive(Serialize)]
struct ResultDocument {
    value: String,
    value_dec: String,
    verdict: &'static str,
    reason: String,
    error_in_bounds: Option<String>,
    error_in_ulps: Option<String>,
}

/// What is wrong with a number that is no value of a format: the nearest values.
#[must_use]
pub fn neighbours(x: &Rational, format: crate::floats::Format) -> String {
    match (format.floor_rational(x), format.ceil_rational(x)) {
        (Some(lo), Some(hi)) => format!("the nearest are {} and {}", both(lo), both(hi)),
        (Some(end), None) | (None, Some(end)) => format!("the nearest is {}", both(end)),
        (None, None) => words::NO_VALUE.to_owned(),
    }
}
