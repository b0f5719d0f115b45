//! Questions of a script: whether what is asserted can hold, with which values, and what of it is needed for a proof.

use super::Result;
use super::answers::{Budget, CheckSat, SatStatus, UnknownReason};
use super::call::Meaning;
use super::functions::is_used;
use super::model;
use super::script::{Assertion, Declared, Found, Script};
use super::sorts;
use super::terms::Symbol;
use crate::decide::{Asked, Confirmation, Decided, DecisionEffort, DecisionWork, confirm_by_another, decide_both};
use crate::halt::{self, HaltReason};
use crate::num::{Integer, Rational};
use crate::sat::SatVerdict;
use crate::solve::float::{Sort, Term, evaluation, exact};
use crate::text::Diagnostic;
use crate::text::sexp::Sexp;

/// What values of functions say of each other is put in so often at most.
const ROUNDS: usize = 20;

impl<'a> Script<'a> {
    /// `(check-sat)`
    pub(super) fn check(&mut self, budget: Budget) {
        let roots: Vec<Term> = self.asserted.iter().chain(&self.assumed).map(|a| a.term).collect();
        let both = |script: &mut Self| {
            let decided = script.decide(&roots, budget.boxes);
            let again = budget.confirmation.filter(|_| decided.verdict == SatVerdict::Unsat);
            let confirmation = again.map(|boxes| script.confirm(&roots, boxes, &decided));
            (decided, confirmation)
        };
        let ((Decided { verdict, work, .. }, confirmation), halted) = self.bounded(budget, both);
        let status = match verdict {
            SatVerdict::Sat(inputs, open) => {
                let used = self.used(&roots);
                self.found = Some(Found { inputs, open, used });
                SatStatus::Sat
            }
            SatVerdict::Unsat => SatStatus::Unsat,
            SatVerdict::Unknown => SatStatus::Unknown,
        };
        if status != SatStatus::Sat {
            self.found = None;
        }
        self.last = Some(status);
        let model = self.model().into_iter().map(|(name, _, value)| (name, value)).collect();
        let DecisionWork { boxes, evaluations, .. } = work;
        let expected = self.expected;
        let mut check = CheckSat { status, expected, model, boxes, evaluations, confirmation, reason: None };
        check.reason = check.is_open().then(|| UnknownReason::of(halted));
        self.reason = check.reason;
        self.answers.checks.push(check);
        self.say(status.word());
    }

    /// Answers one question, with the memory and in the time that there are for one.
    fn bounded<T>(&mut self, budget: Budget, work: impl FnOnce(&mut Self) -> T) -> (T, Option<HaltReason>) {
        let time = [budget.time, self.options.timeout].into_iter().flatten().min();
        halt::bounded(budget.memory, time, || work(self))
    }

    /// The terms that a question is about.
    fn used(&mut self, roots: &[Term]) -> Vec<bool> {
        let lemmas = self.scope.lemmas(roots).unwrap_or_default();
        self.scope.graph.used_by(&[roots, &lemmas].concat())
    }

    /// What formulas come to. Real numbers take what is left open into account.
    fn decide(&mut self, roots: &[Term], boxes: u64) -> Decided {
        let Some(lemmas) = self.scope.lemmas(roots) else { return Decided::unknown() };
        let (graph, reals) = (&mut self.scope.graph, &self.scope.reals);
        let effort = DecisionEffort::of_boxes(boxes);
        let mut decided = decide_both(graph, Asked { roots, lemmas: &lemmas, effort });
        let used = graph.used_by(&[roots, &lemmas].concat());
        match &decided.verdict {
            SatVerdict::Unsat if reals.leaves_out(&used) => decided.verdict = SatVerdict::Unknown,
            SatVerdict::Sat(..) if self.scope.abstracted.iter().any(|t| is_used(&used, *t)) => {
                decided.verdict = SatVerdict::Unknown;
            }
            SatVerdict::Sat(inputs, open) => {
                let closed = reals.closed(graph, &used);
                let values = evaluation::all_bits(graph, inputs, *open);
                if closed.iter().all(|t| values[t.index()] == 1) {
                    return decided;
                }
                let stronger: Vec<Term> = roots.iter().copied().chain(closed).collect();
                let again = decide_both(graph, Asked { roots: &stronger, lemmas: &lemmas, effort });
                let verdict = if let SatVerdict::Sat(..) = again.verdict { again.verdict } else { SatVerdict::Unknown };
                let work = decided.work.and(again.work);
                return Decided { verdict, work, engine: again.engine };
            }
            _ => {}
        }
        decided
    }

    /// A proof looked at again.
    fn confirm(&mut self, roots: &[Term], boxes: u64, proof: &Decided) -> Confirmation {
        let Some(lemmas) = self.scope.lemmas(roots) else { return Confirmation::Open(0) };
        confirm_by_another(
            &self.scope.graph,
            Asked { roots, lemmas: &lemmas, effort: DecisionEffort::of_boxes(boxes) },
            proof.engine,
            proof.work,
        )
    }

    /// The bits of all terms, functions that were not asked for put in: those that were say what they are.
    fn values(&self) -> Option<Vec<Integer>> {
        let Found { inputs, open, used } = self.found.as_ref()?;
        let (graph, functions, arrays) = (&self.scope.graph, &self.scope.functions, &self.scope.arrays);
        let mut inputs = inputs.clone();
        inputs.resize(graph.variables().len(), Integer::new());
        let mut values = evaluation::all_bits(graph, &inputs, *open);
        for _ in 0..ROUNDS {
            let mut changed = false;
            for (number, variable) in graph.variables().iter().enumerate() {
                if is_used(used, *variable) {
                    continue;
                }
                let Some((application, siblings)) = functions.application(*variable) else { continue };
                let of = |terms: &[Term]| terms.iter().map(|t| values[t.index()].clone()).collect::<Vec<_>>();
                let operands = of(&application.operands);
                let known = siblings.iter().find(|a| is_used(used, a.result) && of(&a.operands) == operands);
                let elsewhere = || arrays.elsewhere(application.function);
                if let Some(term) = known.map(|a| a.result).or_else(elsewhere) {
                    let value = values[term.index()].clone();
                    changed |= inputs[number] != value;
                    inputs[number] = value;
                }
            }
            if !changed {
                break;
            }
            values = evaluation::all_bits(graph, &inputs, *open);
        }
        Some(values)
    }

    /// Name, sort and value of each constant that is declared; nothing where there are no values.
    fn model(&self) -> Vec<(String, String, String)> {
        let Some(values) = self.values() else { return Vec::new() };
        let one = |(name, declared): &(&str, Declared)| {
            let Declared::Constant(of) = declared else { return None };
            let is_integer = *of == sorts::Of::Int;
            let value = match self.scope.symbols.get(name) {
                Some(Symbol::Term(meaning)) => self.value(meaning, &values, is_integer),
                // It was not used.
                _ => model::number(&Rational::new(), is_integer),
            };
            Some((model::symbol(name), self.scope.sorts.written(*of), value))
        };
        self.declared.iter().filter_map(one).collect()
    }

    /// Bits of a sort as SMT-LIB writes them.
    fn written(&self, sort: Sort, bits: &Integer) -> String {
        match sort {
            Sort::Element(_) => {
                let name = self.scope.sorts.written(sorts::Of::Sort(sort));
                format!("(as @{}!{bits} {name})", name.trim_matches('|'))
            }
            _ => model::value(sort, bits),
        }
    }

    /// A value as SMT-LIB writes it.
    fn value(&self, meaning: &Meaning, values: &[Integer], is_integer: bool) -> String {
        let scope = &self.scope;
        let graph = &scope.graph;
        match meaning {
            Meaning::Term(term) => self.written(graph.sort(*term), &values[term.index()]),
            Meaning::Real(real) => {
                let narrow = |t: Term| {
                    if graph.sort(t).is_wide() { 0 } else { exact::narrow(graph.sort(t), &values[t.index()]) }
                };
                let values: Vec<i64> = graph.terms().map(narrow).collect();
                model::number(&real.value(graph, &values), is_integer)
            }
            Meaning::Array(array) => {
                let sort = scope.arrays.sort(*array);
                let used = self.found.as_ref().map_or(&[][..], |f| &f.used);
                let (writes, elsewhere) = scope.arrays.value(&scope.functions, *array, values, used);
                let of = scope.sorts.written(sorts::Of::Array(sort));
                let first = format!("((as const {of}) {})", self.written(sort.element, &elsewhere));
                writes.iter().fold(first, |before, (index, value)| {
                    let (index, value) = (self.written(sort.index, index), self.written(sort.element, value));
                    format!("(store {before} {index} {value})")
                })
            }
        }
    }

    pub(super) fn print_model(&mut self) {
        let Some(values) = self.values() else {
            self.say("(error \"there is no model\")");
            return;
        };
        let mut lines: String =
            self.model().iter().map(|(n, sort, value)| format!("  (define-fun {n} () {sort} {value})\n")).collect();
        for (name, declared) in &self.declared {
            if let Declared::Function { function, sorts, result } = declared {
                lines += &self.function(name, (*function, sorts, *result), &values);
            }
        }
        self.say(&format!("(\n{lines})"));
    }

    /// A declared function as the choice between the values that it was asked for.
    fn function(
        &self,
        name: &str,
        (function, sorts, result): (super::functions::Function, &[Sort], Sort),
        values: &[Integer],
    ) -> String {
        let used = self.found.as_ref().map_or(&[][..], |f| &f.used);
        let of = |sort: Sort| self.scope.sorts.written(sorts::Of::Sort(sort));
        let parameters: Vec<String> =
            sorts.iter().enumerate().map(|(k, sort)| format!("(x!{k} {})", of(*sort))).collect();
        let mut body = self.written(result, &Integer::new());
        for application in self.scope.functions.of(function).iter().filter(|a| is_used(used, a.result)) {
            let is = |(k, t): (usize, &Term)| format!("(= x!{k} {})", self.written(sorts[k], &values[t.index()]));
            let is: Vec<String> = application.operands.iter().enumerate().map(is).collect();
            let value = self.written(result, &values[application.result.index()]);
            body = format!("(ite (and {}) {value} {body})", is.join(" "));
        }
        format!("  (define-fun {} ({}) {} {body})\n", model::symbol(name), parameters.join(" "), of(result))
    }

    pub(super) fn print_values(&mut self, terms: &Sexp<'a>) -> Result<()> {
        let list = terms.list().ok_or_else(|| Diagnostic::syntax(terms.span, "a list of terms is expected"))?;
        if self.found.is_none() {
            self.say("(error \"there is no model\")");
            return Ok(());
        }
        let meanings = list.iter().map(|sexp| self.scope.term(sexp)).collect::<Result<Vec<Meaning>>>()?;
        let values = self.values().unwrap_or_default();
        let one = |(sexp, meaning): (&Sexp<'a>, &Meaning)| {
            format!("({} {})", model::written(sexp), self.value(meaning, &values, false))
        };
        let shown: Vec<String> = list.iter().zip(&meanings).map(one).collect();
        self.say(&format!("({})", shown.join(" ")));
        Ok(())
    }

    /// Those of some assertions that are needed: each of the others can be left out, and a proof is still found, as far as time
    /// and memory go.
    fn needed(&mut self, candidates: &[Assertion<'a>], always: &[Term], budget: Budget) -> Vec<Assertion<'a>> {
        let (needed, halted) = self.bounded(budget, |script| script.reduced(candidates, always, budget.boxes));
        if halted.is_some() {
            self.answers.core_ended = Some(UnknownReason::of(halted));
        }
        needed
    }

    fn reduced(&mut self, candidates: &[Assertion<'a>], always: &[Term], boxes: u64) -> Vec<Assertion<'a>> {
        let mut needed = candidates.to_vec();
        let mut k = 0;
        while k < needed.len() && !halt::requested() {
            let rest: Vec<Term> = needed
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != k)
                .map(|(_, a)| a.term)
                .chain(always.iter().copied())
                .collect();
            if self.decide(&rest, boxes).verdict == SatVerdict::Unsat {
                needed.remove(k);
            } else {
                k += 1;
            }
        }
        needed
    }

    pub(super) fn print_core(&mut self, budget: Budget) {
        if self.last != Some(SatStatus::Unsat) {
            self.say("(error \"the last answer is not unsat\")");
            return;
        }
        let (named, others): (Vec<_>, Vec<_>) = self.asserted.iter().cloned().partition(|a| a.name().is_some());
        let always: Vec<Term> = others.iter().chain(&self.assumed).map(|a| a.term).collect();
        let core = self.needed(&named, &always, budget);
        let names: Vec<String> = core.iter().filter_map(Assertion::name).map(model::symbol).collect();
        self.say(&format!("({})", names.join(" ")));
    }

    pub(super) fn print_assumptions(&mut self, budget: Budget) {
        if self.last != Some(SatStatus::Unsat) {
            self.say("(error \"the last answer is not unsat\")");
            return;
        }
        let always: Vec<Term> = self.asserted.iter().map(|a| a.term).collect();
        let core = self.needed(&self.assumed.clone(), &always, budget);
        let written: Vec<String> = core.iter().map(|a| model::written(&a.written)).collect();
        self.say(&format!("({})", written.join(" ")));
    }

    pub(super) fn print_info(&mut self, key: &str) {
        let line = match key {
            ":name" => "(:name \"magneto\")".to_owned(),
            ":version" => format!("(:version \"{}\")", env!("CARGO_PKG_VERSION")),
            ":authors" => "(:authors \"the authors of magneto\")".to_owned(),
            ":error-behavior" => {
                let behavior = if self.is_stream { "continued-execution" } else { "immediate-exit" };
                format!("(:error-behavior {behavior})")
            }
            ":reason-unknown" if self.last == Some(SatStatus::Unknown) => {
                format!("(:reason-unknown {})", self.reason.unwrap_or(UnknownReason::Incomplete).word())
            }
            ":reason-unknown" => "(error \"the last answer is not unknown\")".to_owned(),
            _ => "unsupported".to_owned(),
        };
        self.say(&line);
    }
}
