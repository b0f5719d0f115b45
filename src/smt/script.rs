//! Scripts: commands one by one, and what they answer.

use super::Result;
use super::answers::{Answers, Budget, Listener, SatStatus, ScriptEvent, UnknownReason};
use super::call::Meaning;
use super::equations::definitions;
use super::functions::Function;
use super::model;
use super::sorts;
use super::terms::{Scope, Symbol};
use crate::num::Integer;
use crate::solve::float::value::Open;
use crate::solve::float::{Sort, Term};
use crate::text::sexp::{Dialect, Sexp, SexpKind, read};
use crate::text::{Diagnostic, quote};
use std::collections::HashMap;
use std::time::Duration;

/// What is declared under a name.
#[derive(Clone, Debug)]
pub(super) enum Declared {
    Constant(sorts::Of),
    Function { function: Function, sorts: Vec<Sort>, result: Sort },
}

/// What is asserted, or assumed.
#[derive(Clone, Debug)]
pub(super) struct Assertion<'a> {
    pub(super) term: Term,
    pub(super) written: Sexp<'a>,
}

impl<'a> Assertion<'a> {
    /// The name that `(! formula :named name)` gives it.
    pub(super) fn name(&self) -> Option<&'a str> {
        let parts = self.written.list().filter(|l| l.first().and_then(Sexp::atom) == Some("!"))?;
        parts.windows(2).find(|pair| pair[0].atom() == Some(":named")).and_then(|pair| pair[1].atom())
    }
}

/// Values that were found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The bits of the unknowns.
    pub(super) inputs: Vec<Integer>,
    pub(super) open: Open,
    /// The terms that the question was about: of others nothing was asked.
    pub(super) used: Vec<bool>,
}

/// What `(set-option …)` says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ScriptOptions {
    /// How long a question may take.
    pub(super) timeout: Option<Duration>,
    /// Whether a command that has nothing to say says `success`.
    prints_success: bool,
}

/// How much there was before a `(push)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    asserted: usize,
    declared: usize,
    named: usize,
    labels: usize,
}

/// What was declared and asserted so far.
#[derive(Default)]
pub(super) struct Script<'a> {
    pub(super) scope: Scope<'a>,
    /// Constants and functions that are declared, by name.
    pub(super) declared: Vec<(&'a str, Declared)>,
    /// What unknown numbers are to be equal to, by assertions.
    definitions: HashMap<&'a str, Sexp<'a>>,
    /// Functions and sorts are as many as before `(push)` again after `(pop)`.
    named: Vec<&'a str>,
    pub(super) asserted: Vec<Assertion<'a>>,
    /// What the last question assumed.
    pub(super) assumed: Vec<Assertion<'a>>,
    pub(super) levels: Vec<Level>,
    pub(super) expected: Option<SatStatus>,
    /// What the last question came to.
    pub(super) last: Option<SatStatus>,
    /// Why it is unknown, where it is.
    pub(super) reason: Option<UnknownReason>,
    pub(super) options: ScriptOptions,
    /// Whether commands come one by one, and an error ends nothing.
    pub(super) is_stream: bool,
    /// The values of the unknowns, where the last answer was sat.
    pub(super) found: Option<Found>,
    pub(super) answers: Answers,
}

impl<'a> Script<'a> {
    /// All commands up to `(exit)`.
    pub(super) fn run(mut self, source: &'a str, budget: Budget, listener: &mut Listener<'_>) -> Result<Answers> {
        let forms = read(source, Dialect::SmtLib).all()?;
        self.definitions = definitions(&forms);
        for form in forms {
            if !self.step(&form, budget, listener)? {
                break;
            }
        }
        Ok(self.answers)
    }

    /// One command. Whether others may follow.
    pub(super) fn step(&mut self, form: &Sexp<'a>, budget: Budget, listener: &mut Listener<'_>) -> Result<bool> {
        let Some([head, rest @ ..]) = form.list() else {
            return Err(Diagnostic::syntax(form.span, "a command is expected, such as `(check-sat)`"));
        };
        let (name, said) = (head.atom().unwrap_or_default(), self.answers.output.len());
        if name.starts_with("check-sat") {
            listener(ScriptEvent::Begins(self.answers.checks.len() + 1));
        }
        if name != "exit" {
            self.command(form, name, rest, budget)?;
        }
        if self.options.prints_success && self.answers.output.len() == said {
            self.say("success");
        }
        Ok(name != "exit" && !crate::halt::requested())
    }

    /// Print a line.
    pub(super) fn say(&mut self, line: &str) {
        self.answers.output.push_str(line);
        self.answers.output.push('\n');
    }

    fn command(&mut self, form: &Sexp<'a>, name: &str, rest: &[Sexp<'a>], budget: Budget) -> Result<()> {
        match (name, rest) {
            ("set-option", [key, value]) => self.set(key.atom().unwrap_or_default(), value)?,
            ("set-logic" | "set-option", _) => {}
            ("set-info", [key, value]) if key.atom() == Some(":status") => {
                self.expected = value.atom().and_then(SatStatus::from_word);
            }
            ("set-info", _) => {}
            ("assert", [formula]) => {
                let term = self.scope.truth(formula)?;
                self.asserted.push(Assertion { term, written: formula.clone() });
                (self.found, self.last) = (None, None);
            }
            ("push", rest) => {
                for _ in 0..levels(rest)? {
                    self.levels.push(self.level());
                }
            }
            ("pop", rest) => {
                let levels = levels(rest)? as usize;
                let Some(left) = self.levels.len().checked_sub(levels) else {
                    return Err(Diagnostic::semantic(form.span, "there is no `(push)` for this"));
                };
                if let Some(level) = self.levels.get(left).copied() {
                    self.levels.truncate(left);
                    self.back_to(level);
                    (self.found, self.last) = (None, None);
                }
            }
            ("check-sat", []) => {
                self.assumed.clear();
                self.check(budget);
            }
            ("check-sat-assuming", [assumed]) if assumed.list().is_some() => {
                let one =
                    |written: &Sexp<'a>| Ok(Assertion { term: self.scope.truth(written)?, written: written.clone() });
                self.assumed = assumed.list().unwrap_or_default().iter().map(one).collect::<Result<_>>()?;
                self.check(budget);
            }
            ("reset", []) => {
                let (answers, is_stream) = (std::mem::take(&mut self.answers), self.is_stream);
                *self = Script { answers, is_stream, ..Script::default() };
            }
            ("reset-assertions", []) => {
                let first = Level { asserted: 0, declared: 0, named: 0, labels: 0 };
                self.levels.clear();
                self.back_to(first);
                (self.found, self.last) = (None, None);
            }
            _ if name.starts_with("declare-") || name.starts_with("define-") => self.declaration(form, name, rest)?,
            _ => self.question(form, name, rest, budget)?,
        }
        Ok(())
    }

    /// `(set-option key value)`: others than these change nothing.
    fn set(&mut self, key: &str, value: &Sexp<'a>) -> Result<()> {
        match (key, value.atom()) {
            (":timeout", text) => {
                let Some(milliseconds) = text.and_then(|t| t.parse().ok()) else {
                    let wrong = Diagnostic::syntax(value.span, "`:timeout` is a number of milliseconds");
                    return Err(wrong.hint("write `(set-option :timeout 5000)`; 0 is no limit"));
                };
                self.options.timeout = (milliseconds > 0).then(|| Duration::from_millis(milliseconds));
            }
            (":print-success", text) => self.options.prints_success = text == Some("true"),
            _ => {}
        }
        Ok(())
    }

    /// A command that says what a name is.
    fn declaration(&mut self, form: &Sexp<'a>, command: &str, rest: &[Sexp<'a>]) -> Result<()> {
        let names =
            |parameters: &Sexp<'a>| -> Option<Vec<&'a str>> { parameters.list()?.iter().map(Sexp::atom).collect() };
        match (command, rest) {
            ("declare-fun", [name, parameters, sort]) if parameters.list().is_some() => {
                let sorts = parameters.list().unwrap_or_default();
                if sorts.is_empty() { self.declare(name, sort)? } else { self.declare_function(name, sorts, sort)? }
            }
            ("declare-const", [name, sort]) => self.declare(name, sort)?,
            ("declare-sort", [name, rest @ ..]) => {
                if rest.first().is_some_and(|n| n.atom() != Some("0")) {
                    return Err(Diagnostic::unsupported(form.span, "declared sorts take no others here"));
                }
                let name = name.atom().ok_or_else(|| Diagnostic::syntax(name.span, "a name is expected"))?;
                self.scope.sorts.declare(name);
            }
            ("define-sort", [name, parameters, sort]) if names(parameters).is_some() => {
                let name = name.atom().ok_or_else(|| Diagnostic::syntax(name.span, "a name is expected"))?;
                self.scope.sorts.define(name, names(parameters).unwrap_or_default(), sort)?;
            }
            ("define-fun", [name, parameters, sort, body]) => self.define(name, parameters.list(), sort, body)?,
            ("define-const", [name, sort, body]) => self.define(name, Some(&[]), sort, body)?,
            ("declare-fun" | "declare-const", _) => {
                return Err(looks_otherwise(form, command, "`(declare-const x (_ FloatingPoint 8 24))`"));
            }
            ("define-fun", _) => {
                let shape = "`(define-fun f ((x Float32)) Bool (fp.isNaN x))`";
                return Err(looks_otherwise(form, command, shape));
            }
            ("define-sort", _) => return Err(looks_otherwise(form, command, "`(define-sort Word () (_ BitVec 32))`")),
            // What is needed of it is not there then, and that is told where it is used.
            _ => self.say("unsupported"),
        }
        Ok(())
    }

    /// A command that asks for something.
    fn question(&mut self, form: &Sexp<'a>, name: &str, rest: &[Sexp<'a>], budget: Budget) -> Result<()> {
        match (name, rest) {
            ("get-model", []) => self.print_model(),
            ("get-value", [terms]) => self.print_values(terms)?,
            ("get-assertions", []) => {
                let all: Vec<String> = self.asserted.iter().map(|a| model::written(&a.written)).collect();
                self.say(&format!("({})", all.join("\n ")));
            }
            ("get-unsat-core", []) => self.print_core(budget),
            ("get-unsat-assumptions", []) => self.print_assumptions(budget),
            ("get-info", [key]) => self.print_info(key.atom().unwrap_or_default()),
            ("echo", [text]) => {
                if let SexpKind::Text(text) = text.kind {
                    self.say(text);
                }
            }
            ("assert", _) => return Err(looks_otherwise(form, name, "`(assert (fp.lt x y))`")),
            ("check-sat" | "get-model", _) => return Err(looks_otherwise(form, name, "it takes nothing")),
            // The others keep their answers.
            _ => self.say("unsupported"),
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
        let scope = &mut self.scope;
        let symbol = match of {
            sorts::Of::Sort(sort) => Symbol::Term(Meaning::Term(scope.graph.variable(sort))),
            sorts::Of::Array(sort) => {
                let array = scope.arrays.declare(&mut scope.graph, &mut scope.functions, sort);
                Symbol::Term(Meaning::Array(array))
            }
            sorts::Of::Real | sorts::Of::Int => {
                Symbol::Number { definition: self.definitions.remove(name), is_integer: of == sorts::Of::Int }
            }
        };
        self.declared.push((name, Declared::Constant(of)));
        self.scope.symbols.insert(name, symbol);
        Ok(())
    }

    fn declare_function(&mut self, name: &Sexp<'a>, parameters: &[Sexp<'a>], result: &Sexp<'a>) -> Result<()> {
        let plain = |sexp: &Sexp<'a>| match sorts::sort(&self.scope.sorts, sexp)? {
            sorts::Of::Sort(sort) => Ok(sort),
            _ => {
                Err(Diagnostic::unsupported(sexp.span, "arrays and numbers are no operands of declared functions here"))
            }
        };
        let sorts = parameters.iter().map(plain).collect::<Result<Vec<Sort>>>()?;
        let result = plain(result)?;
        let name = self.name(name)?;
        let function = self.scope.functions.declare();
        self.scope.symbols.insert(name, Symbol::Unknown { function, sorts: sorts.clone(), result });
        self.declared.push((name, Declared::Function { function, sorts, result }));
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

    pub(super) fn level(&self) -> Level {
        let [asserted, declared, named] = [self.asserted.len(), self.declared.len(), self.named.len()];
        Level { asserted, declared, named, labels: self.scope.labels.len() }
    }

    /// Forgets what was said since then.
    pub(super) fn back_to(&mut self, level: Level) {
        self.asserted.truncate(level.asserted);
        self.declared.truncate(level.declared);
        for name in self.named.drain(level.named..) {
            self.scope.symbols.remove(name);
        }
        for name in self.scope.labels.drain(level.labels..) {
            self.scope.symbols.remove(name);
        }
    }
}

fn looks_otherwise(form: &Sexp<'_>, name: &str, hint: &str) -> Diagnostic {
    Diagnostic::syntax(form.span, format!("{} looks otherwise", quote(name))).hint(hint)
}

/// How many levels `(push)` or `(pop)` is about.
fn levels(rest: &[Sexp<'_>]) -> Result<u32> {
    match rest {
        [] => Ok(1),
        [n, ..] => sorts::index(n).map(|n| n.min(10_000)),
    }
}
