//! Scripts: commands one by one, and what they answer.

use super::Result;
use super::call::Meaning;
use super::equations::definitions;
use super::model;
use super::sorts;
use super::terms::{Scope, Symbol};
use crate::decide::{Confirmation, DecisionWork, QuestionVerdict, confirm, decide};
use crate::num::Rational;
use crate::solve::float::Term;
use crate::solve::float::value::{self, Open};
use crate::text::sexp::{Dialect, Sexp, SexpKind, read};
use crate::text::{Diagnostic, quote};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What `(check-sat)` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SatStatus {
    /// The assertions hold for some values of the unknowns; they were found, and verified by exact evaluation.
    Sat,
    /// They hold for none, as was proved.
    Unsat,
    /// Neither was found within the budget.
    Unknown,
}

impl SatStatus {
    /// As SMT-LIB writes it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            SatStatus::Sat => "sat",
            SatStatus::Unsat => "unsat",
            SatStatus::Unknown => "unknown",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        [SatStatus::Sat, SatStatus::Unsat, SatStatus::Unknown].into_iter().find(|s| s.word() == word)
    }
}

/// One `(check-sat)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckSat {
    /// The answer.
    pub status: SatStatus,
    /// What `(set-info :status …)` said before it.
    pub expected: Option<SatStatus>,
    /// The values of the constants that are declared, where it is sat: name and value.
    pub model: Vec<(String, String)>,
    /// Parts of the values of the unknowns that were looked at.
    pub boxes: u64,
    /// Points at which the formulas were evaluated by the search.
    pub evaluations: u64,
    /// Where a proof was looked at again by plain evaluation of boxes, what it came to.
    pub confirmation: Option<Confirmation>,
}

impl CheckSat {
    /// Whether the script says otherwise.
    #[must_use]
    pub fn contradicts(&self) -> bool {
        let known = |s: SatStatus| s != SatStatus::Unknown;
        known(self.status) && self.expected.is_some_and(|e| known(e) && e != self.status)
    }
}

/// What a script answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// Every `(check-sat)`, in order.
    pub checks: Vec<CheckSat>,
    /// What a solver prints.
    pub output: String,
}

/// The stack of a thread that reads a script, without its terms. Unit: bytes.
const STACK: usize = 16 << 20;
/// What reading takes for each bracket of the script. Arguments are read before a definition's body, in which they stand by
/// name: however deep the terms are that come of it, no more brackets are open at a time than the script has. Unit: bytes.
const STACK_OF_A_BRACKET: usize = 16 << 10;
/// The most stack of all. Unit: bytes.
const MOST_STACK: usize = 1 << 30;

/// The stack that a script takes at most. Unit: bytes.
fn stack(source: &str) -> usize {
    let brackets = source.bytes().filter(|b| *b == b'(').count();
    brackets.saturating_mul(STACK_OF_A_BRACKET).saturating_add(STACK).min(MOST_STACK)
}

/// What each `(check-sat)` may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Parts of the values of the unknowns that are looked at, at most.
    pub boxes: u64,
    /// The same for a proof that is looked at again, by plain evaluation; none is where this is `None`.
    pub confirmation: Option<u64>,
}

impl From<u64> for Budget {
    fn from(boxes: u64) -> Self {
        Budget { boxes, confirmation: None }
    }
}

/// Runs a script.
///
/// # Errors
/// If something of it is no SMT-LIB, or is not supported, with its place.
pub fn run(source: &str, budget: impl Into<Budget>) -> Result<Answers> {
    let budget = budget.into();
    let token = crate::halt::current();
    std::thread::scope(|scope| {
        let work = || crate::halt::under(token, || Script::default().run(source, budget));
        let thread = std::thread::Builder::new().stack_size(stack(source)).spawn_scoped(scope, work);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => {
                let whole = crate::text::Span { start: 0, end: 0 };
                Err(Diagnostic::unsupported(whole, "the system gives no memory for the stack that terms are read with"))
            }
        }
    })
}

/// What was declared and asserted so far.
#[derive(Default)]
struct Script<'a> {
    scope: Scope<'a>,
    /// Constants that are declared: name and sort.
    declared: Vec<(&'a str, sorts::Of)>,
    /// What unknown numbers are to be equal to, by assertions.
    definitions: HashMap<&'a str, Sexp<'a>>,
    /// Functions and sorts are as many as before `(push)` again after `(pop)`.
    named: Vec<&'a str>,
    asserted: Vec<Term>,
    levels: Vec<(usize, usize, usize)>,
    expected: Option<SatStatus>,
    /// The values of the unknowns, where the last answer was sat.
    values: Option<(Vec<i64>, Open)>,
    answers: Answers,
}

impl<'a> Script<'a> {
    fn run(mut self, source: &'a str, budget: Budget) -> Result<Answers> {
        let forms = read(source, Dialect::SmtLib).all()?;
        self.definitions = definitions(&forms);
        for form in forms {
            let Some([head, rest @ ..]) = form.list() else {
                return Err(Diagnostic::syntax(form.span, "a command is expected, such as `(check-sat)`"));
            };
            if head.atom() == Some("exit") {
                break;
            }
            self.command(&form, head.atom().unwrap_or_default(), rest, budget)?;
            if crate::halt::requested() {
                break;
            }
        }
        Ok(self.answers)
    }

    fn command(&mut self, form: &Sexp<'a>, name: &str, rest: &[Sexp<'a>], budget: Budget) -> Result<()> {
        let shape =
            |hint: &str| Err(Diagnostic::syntax(form.span, format!("{} looks otherwise", quote(name))).hint(hint));
        match (name, rest) {
            ("set-logic" | "set-option" | "get-info" | "get-option", _) => {}
            ("set-info", [key, value]) if key.atom() == Some(":status") => {
                self.expected = value.atom().and_then(SatStatus::from_word);
            }
            ("set-info", _) => {}
            ("declare-fun", [name, parameters, sort]) if parameters.list().is_some_and(<[_]>::is_empty) => {
                self.declare(name, sort)?;
            }
            ("declare-fun", [_, parameters, _]) => {
                let wrong = Diagnostic::unsupported(parameters.span, "functions with parameters cannot be unknowns");
                return Err(wrong.hint("`define-fun` says what a function is"));
            }
            ("declare-const", [name, sort]) => self.declare(name, sort)?,
            ("define-sort", [name, parameters, sort]) if parameters.list().is_some_and(<[_]>::is_empty) => {
                let sort = sorts::sort(&self.scope.sorts, sort)?;
                let name = name.atom().ok_or_else(|| Diagnostic::syntax(name.span, "a name is expected"))?;
                self.scope.sorts.insert(name, sort);
            }
            ("define-fun", [name, parameters, sort, body]) => self.define(name, parameters.list(), sort, body)?,
            ("define-const", [name, sort, body]) => self.define(name, Some(&[]), sort, body)?,
            ("assert", [formula]) => {
                let formula = self.scope.truth(formula)?;
                self.asserted.push(formula);
                self.values = None;
            }
            ("push", rest) => {
                for _ in 0..levels(rest)? {
                    self.levels.push((self.asserted.len(), self.declared.len(), self.named.len()));
                }
            }
            ("pop", rest) => {
                for _ in 0..levels(rest)? {
                    self.pop(form)?;
                }
            }
            ("check-sat", []) => self.check(budget),
            ("check-sat-assuming", [assumed]) if assumed.list().is_some() => {
                let asserted = self.asserted.len();
                for formula in assumed.list().unwrap_or_default() {
                    let formula = self.scope.truth(formula)?;
                    self.asserted.push(formula);
                }
                self.check(budget);
                self.asserted.truncate(asserted);
            }
            ("get-model", []) => match &self.values {
                Some(_) => self.print_model(),
                None => self.answers.output.push_str("(error \"there is no model\")\n"),
            },
            ("get-value", [terms]) => self.print_values(terms)?,
            ("echo", [text]) => {
                if let SexpKind::Text(text) = text.kind {
                    self.answers.output.push_str(&format!("{text}\n"));
                }
            }
            ("declare-fun" | "declare-const", _) => return shape("`(declare-const x (_ FloatingPoint 8 24))`"),
            ("define-fun", _) => return shape("`(define-fun f ((x Float32)) Bool (fp.isNaN x))`"),
            ("assert", _) => return shape("`(assert (fp.lt x y))`"),
            ("check-sat" | "get-model", _) => return shape("it takes nothing"),
            _ => {
                let wrong = Diagnostic::unsupported(form.span, format!("the command {} is not supported", quote(name)));
                return Err(wrong.hint(
                    "commands are set-logic, set-info, declare-const, declare-fun, define-fun, \
                     define-sort, assert, push, pop, check-sat, check-sat-assuming, get-model, get-value, echo and exit",
                ));
            }
        }
        Ok(())
    }

    fn name(&mut self, sexp: &Sexp<'a>) -> Result<&'a str> {
        let name = sexp.atom().ok_or_else(|| Diagnostic::syntax(sexp.span, "a name is expected"))?;
        if self.scope.symbols.contains_key(name) {
            return Err(Diagnostic::semantic(sexp.span, format!("{} is declared already", quote(name))));
        }
        self.named.push(name);
        Ok(name)
    }

    fn declare(&mut self, name: &Sexp<'a>, sort: &Sexp<'a>) -> Result<()> {
        let of = sorts::sort(&self.scope.sorts, sort)?;
        let name = self.name(name)?;
        let symbol = match of {
            sorts::Of::Sort(sort) => Symbol::Term(Meaning::Term(self.scope.graph.variable(sort))),
            sorts::Of::Real | sorts::Of::Int => {
                Symbol::Number { definition: self.definitions.remove(name), is_integer: of == sorts::Of::Int }
            }
        };
        self.declared.push((name, of));
        self.scope.symbols.insert(name, symbol);
        Ok(())
    }

    fn define(
        &mut self,
        name: &Sexp<'a>,
        parameters: Option<&[Sexp<'a>]>,
        sort: &Sexp<'a>,
        body: &Sexp<'a>,
    ) -> Result<()> {
        let result = sorts::sort(&self.scope.sorts, sort)?;
        let wrong = |span| Diagnostic::syntax(span, "parameters are `((name Sort) …)`");
        let (mut names, mut of) = (Vec::new(), Vec::new());
        for parameter in parameters.ok_or_else(|| wrong(name.span))? {
            let Some([name, sort]) = parameter.list() else { return Err(wrong(parameter.span)) };
            names.push(name.atom().ok_or_else(|| wrong(name.span))?);
            of.push(sorts::sort(&self.scope.sorts, sort)?);
        }
        let symbol = if names.is_empty() {
            let meaning = self.scope.term(body)?;
            let found = self.scope.sort_of(&meaning);
            if !found.fits(result) {
                let message = format!("this is of sort {}, and should be of sort {}", found.named(), result.named());
                return Err(Diagnostic::semantic(body.span, message));
            }
            Symbol::Term(meaning)
        } else {
            Symbol::Function { parameters: names, sorts: of, result, body: body.clone() }
        };
        let name = self.name(name)?;
        self.scope.symbols.insert(name, symbol);
        Ok(())
    }

    fn pop(&mut self, form: &Sexp<'a>) -> Result<()> {
        let Some((asserted, declared, named)) = self.levels.pop() else {
            return Err(Diagnostic::semantic(form.span, "there is no `(push)` for this"));
        };
        self.asserted.truncate(asserted);
        self.declared.truncate(declared);
        for name in self.named.drain(named..) {
            self.scope.symbols.remove(name);
        }
        self.values = None;
        Ok(())
    }

    fn check(&mut self, budget: Budget) {
        let (verdict, DecisionWork { boxes, evaluations }) = self.decide(budget.boxes);
        let again = budget.confirmation.filter(|_| verdict == QuestionVerdict::Unsat);
        let confirmation = again.map(|boxes| confirm(&self.scope.graph, &self.asserted, boxes));
        let (status, values) = match verdict {
            QuestionVerdict::Sat(values, open) => (SatStatus::Sat, Some((values, open))),
            QuestionVerdict::Unsat => (SatStatus::Unsat, None),
            QuestionVerdict::Unknown => (SatStatus::Unknown, None),
        };
        self.values = values;
        let model = self.model().into_iter().map(|(name, _, value)| (name, value)).collect();
        self.answers.checks.push(CheckSat { status, expected: self.expected, model, boxes, evaluations, confirmation });
        self.answers.output.push_str(status.word());
        self.answers.output.push('\n');
    }

    /// What the assertions come to. Real numbers take what is left open into account.
    fn decide(&mut self, boxes: u64) -> (QuestionVerdict, DecisionWork) {
        let (graph, reals) = (&mut self.scope.graph, &self.scope.reals);
        let (verdict, mut work) = decide(graph, &self.asserted, boxes, 0);
        let used = graph.used_by(&self.asserted);
        match &verdict {
            QuestionVerdict::Unsat if reals.leaves_out(&used) => return (QuestionVerdict::Unknown, work),
            QuestionVerdict::Sat(..) => {}
            _ => return (verdict, work),
        }
        let stronger: Vec<Term> = self.asserted.iter().copied().chain(reals.closed(graph, &used)).collect();
        if let QuestionVerdict::Sat(inputs, open) = &verdict {
            let mut values = Vec::new();
            value::all(graph, inputs, *open, &mut values);
            if stronger.iter().all(|t| values[t.index()] == 1) {
                return (verdict, work);
            }
        }
        let (verdict, again) = decide(graph, &stronger, boxes, 0);
        work.boxes += again.boxes;
        work.evaluations += again.evaluations;
        (if let QuestionVerdict::Sat(..) = verdict { verdict } else { QuestionVerdict::Unknown }, work)
    }

    /// Name, sort and value of each constant that is declared; nothing where there are none.
    fn model(&self) -> Vec<(String, String, String)> {
        let graph = &self.scope.graph;
        let Some((inputs, open)) = &self.values else { return Vec::new() };
        let mut values = Vec::new();
        value::all(graph, inputs, *open, &mut values);
        let one = |(name, sort): &(&str, sorts::Of)| {
            let value = match self.scope.symbols.get(name) {
                Some(Symbol::Term(meaning)) => self.value(meaning, &values, *sort == sorts::Of::Int),
                // It was not used.
                _ => model::number(&Rational::new(), *sort == sorts::Of::Int),
            };
            (model::symbol(name), sort.named(), value)
        };
        self.declared.iter().map(one).collect()
    }

    /// A value as SMT-LIB writes it.
    fn value(&self, meaning: &Meaning, values: &[i64], is_integer: bool) -> String {
        match meaning {
            Meaning::Term(term) => model::value(self.scope.graph.sort(*term), values[term.index()]),
            Meaning::Real(real) => model::number(&real.value(&self.scope.graph, values), is_integer),
        }
    }

    fn print_model(&mut self) {
        let lines: String =
            self.model().iter().map(|(n, sort, value)| format!("  (define-fun {n} () {sort} {value})\n")).collect();
        self.answers.output.push_str(&format!("(\n{lines})\n"));
    }

    fn print_values(&mut self, terms: &Sexp<'a>) -> Result<()> {
        let list = terms.list().ok_or_else(|| Diagnostic::syntax(terms.span, "a list of terms is expected"))?;
        let Some((mut inputs, open)) = self.values.clone() else {
            self.answers.output.push_str("(error \"there is no model\")\n");
            return Ok(());
        };
        let mut shown = Vec::new();
        for sexp in list {
            let meaning = self.scope.term(sexp)?;
            let graph = &self.scope.graph;
            inputs.resize(graph.variables().len(), 0);
            let mut values = Vec::new();
            value::all(graph, &inputs, open, &mut values);
            let value = self.value(&meaning, &values, false);
            shown.push(format!("({} {value})", model::written(sexp)));
        }
        self.answers.output.push_str(&format!("({})\n", shown.join(" ")));
        Ok(())
    }
}

/// How many levels `(push)` or `(pop)` is about.
fn levels(rest: &[Sexp<'_>]) -> Result<u32> {
    match rest {
        [] => Ok(1),
        [n, ..] => sorts::index(n).map(|n| n.min(10_000)),
    }
}
