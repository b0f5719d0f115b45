//! What a run claims of tests and kills as theorems of Coq, proved by its library Interval.
//!
//! A theorem is about exact rational numbers and Coq's real functions; nothing of this program is taken for granted in its
//! proof. What cannot be expressed is told by name.

mod term;

use super::CodeCases;
use super::names::comment;
use crate::floats::Format;
use crate::num::float::rational;
use crate::record::Part;
use crate::record::mutants::MutantRow;
use crate::record::number::from_hex;
use crate::record::tests::TestRow;
use crate::spec::core::{Core, Expr};
use crate::spec::{is_program, parse_file, parse_rational, same_core};
use crate::suite::Standing;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use term::{Names, Term, number};

/// The bits of the first attempt, which decides nearly all; and of the second.
const BITS: [u32; 2] = [90, 600];

/// Theorems, and claims without one.
#[derive(Default)]
pub(super) struct Script {
    /// The file.
    pub(super) text: String,
    /// What is not expressed: reasons with the names of tests and mutants.
    pub(super) left_out: BTreeMap<String, Vec<String>>,
}

/// What is shown of a specification.
struct Claims<'a> {
    part: &'a Part,
    core: Core,
    /// Inputs with their identifiers.
    inputs: Vec<(String, String)>,
    result: Format,
    script: Script,
}

/// The theorems of a run.
///
/// # Errors
/// A sentence that says why there are none.
pub(super) fn script(cases: &CodeCases) -> Result<Script, String> {
    let Some(part) = &cases.run else {
        return Err("--to coq: theorems are about a folder of `magneto gen`".to_owned());
    };
    let core = core(&part.manifest.specification.core).ok_or("the specification in manifest.json cannot be read")?;
    let named = cases.inputs.iter().map(|(ident, _)| format!("v_{ident}"));
    let inputs = core.args.iter().map(|a| a.name.clone()).zip(named).collect();
    let mut claims = Claims { part, core, inputs, result: cases.result, script: Script::default() };
    let mut head = String::new();
    for line in &cases.about {
        let _ = writeln!(head, "(* {} *)", plain(line));
    }
    claims.all();
    let Script { text, left_out } = claims.script;
    for (why, names) in &left_out {
        let _ = writeln!(head, "(* Not expressed, for {}: {} *)", plain(why), plain(&names.join(", ")));
    }
    Ok(Script { text: format!("{head}{text}"), left_out })
}

/// A text for a comment of Coq.
fn plain(text: &str) -> String {
    comment(text).replace(['"', '*'], "'")
}

/// The core that a text holds, if it can be read.
pub(super) fn core(text: &str) -> Option<Core> {
    parse_file(text.as_bytes()).cores.into_iter().next()?.ok()
}

/// The tolerance as a term of the exact value `v`, if the accuracy is one bound and no ulps.
fn tolerance(accuracy: &str) -> Option<String> {
    let (kind, bound) = accuracy.split_once(' ')?;
    let bound = number(&parse_rational(bound).ok()?);
    match kind {
        "relative" => Some(format!("{bound} * Rabs v")),
        "absolute" => Some(bound),
        _ => None,
    }
}

impl Claims<'_> {
    fn leave_out(&mut self, why: &str, name: &str) {
        self.script.left_out.entry(why.to_owned()).or_default().push(name.to_owned());
    }

    fn all(&mut self) {
        let part = self.part;
        let (tests, mutants) = (&part.tests.tests, &part.mutants.mutants);
        let body = self.core.body.clone();
        let accuracy = &part.manifest.specification.accuracy;
        // What is written of a program is its formula.
        let found = match is_program(&self.core) {
            true => Err("a program over floats".to_owned()),
            false => Names::new(&self.inputs).term(&body),
        };
        let tolerance = tolerance(accuracy).ok_or_else(|| format!("an accuracy of {accuracy}"));
        let (term, tolerance) = match (found, tolerance) {
            (Ok(term), Ok(tolerance)) => (term, tolerance),
            (Err(why), _) | (_, Err(why)) => {
                tests.iter().for_each(|t| self.leave_out(&why, &t.id));
                mutants.iter().for_each(|m| self.leave_out(&why, &m.id));
                return;
            }
        };
        self.script.text = prelude(&tolerance);
        self.define("f", &term);
        for test in tests {
            self.oracle(test);
        }
        for mutant in mutants {
            if let Err(why) = self.kill(mutant) {
                self.leave_out(&why, &mutant.id);
            }
        }
    }

    /// Defines a formula, and where it has a value.
    fn define(&mut self, name: &str, term: &Term) {
        let names: Vec<&str> = self.inputs.iter().map(|(_, ident)| ident.as_str()).collect();
        let inputs = if names.is_empty() { String::new() } else { format!(" ({} : R)", names.join(" ")) };
        let defined = if term.defined.is_empty() { "True".to_owned() } else { term.defined.join(" /\\ ") };
        let out = &mut self.script.text;
        let _ = writeln!(out, "\nDefinition {name}{inputs} : R :=\n  {}.", term.value);
        let _ = writeln!(out, "Definition {name}_defined{inputs} : Prop :=\n  {defined}.");
    }

    /// The inputs of a test, as arguments.
    fn arguments(&self, test: &TestRow) -> Option<String> {
        let value = |(name, _): &(String, String)| {
            let (_, text) = test.inputs.0.iter().find(|(own, _)| own == name)?;
            Some(format!(" {}", number(&rational(from_hex(text)?))))
        };
        self.inputs.iter().map(value).collect()
    }

    /// That the bounds of a test are valid, and that what lies next to them outside is not.
    fn oracle(&mut self, test: &TestRow) {
        let bound = |text: &Option<String>| text.as_deref().and_then(from_hex);
        let (Some(lo), Some(hi)) = (bound(&test.lo), bound(&test.hi)) else {
            return self.leave_out("a test outside of the domain", &test.id);
        };
        if test.inner_lo.is_some() || test.inner_hi.is_some() {
            return self.leave_out("an oracle at the precision cap", &test.id);
        }
        let Some(at) = self.arguments(test) else { return self.leave_out("a test without an input", &test.id) };
        let exact = |x: f64| number(&rational(x));
        let mut claims = vec![format!("f_defined{at}")];
        claims.extend([lo, hi].map(|y| format!("valid {} (f{at})", exact(y))));
        let beside = [self.result.next_down(lo), self.result.next_up(hi)];
        claims.extend(beside.into_iter().flatten().map(|y| format!("~ valid {} (f{at})", exact(y))));
        self.theorem(&format!("oracle_{}", test.id), &claims, &["f"]);
    }

    /// That the valid sets of specification and mutant have no number in common at the test that kills it.
    fn kill(&mut self, mutant: &MutantRow) -> Result<(), String> {
        if mutant.status != Some(Standing::Killed) {
            return Err("a mutant that no test kills".to_owned());
        }
        let text = mutant.fpcore.as_deref().ok_or("a mutant of a large run")?;
        let mut other = core(text).ok_or("a mutant that cannot be read")?;
        let body: Expr = std::mem::replace(&mut other.body, self.core.body.clone());
        if !same_core(&other, &self.core) {
            return Err("a mutant of the domain or of the accuracy".to_owned());
        }
        if mutant.margin.as_deref().is_none_or(|m| m.parse().is_ok_and(f64::is_infinite)) {
            return Err("a kill where one of the two has no value".to_owned());
        }
        let term = Names::new(&self.inputs).term(&body)?;
        let killer = self.part.tests.tests.iter().find(|t| Some(&t.id) == mutant.killed_by.as_ref());
        let at = killer.and_then(|t| self.arguments(t)).ok_or("a kill without a test")?;
        // Changes with one spelling at one place have ids such as `742af9308f94-2`.
        let id = mutant.id.replace('-', "_");
        let name = format!("m_{id}");
        self.define(&name, &term);
        let apart = format!("forall y, ~ (valid y (f{at}) /\\ valid y ({name}{at}))");
        let claims = [format!("f_defined{at}"), format!("{name}_defined{at}"), apart];
        self.theorem(&format!("kill_{id}"), &claims, &["f", &name]);
        Ok(())
    }

    fn theorem(&mut self, name: &str, claims: &[String], of: &[&str]) {
        let unfolded: Vec<String> = of.iter().map(|f| format!("{f}_defined, {f}")).collect();
        let claims: Vec<String> = claims.iter().map(|c| format!("({c})")).collect();
        let out = &mut self.script.text;
        let _ = writeln!(out, "\nTheorem {name} :\n  {}.", claims.join(" /\\\n  "));
        let _ = writeln!(out, "Proof. unfold {}; cbv zeta; parts; decided. Qed.", unfolded.join(", "));
    }
}

/// What valid results are, and how theorems are proved.
fn prelude(tolerance: &str) -> String {
    let [first, second] = BITS;
    format!(
        "From Coq Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

(* How far a right result may be from the exact value v. *)
Definition tolerance (v : R) : R := {tolerance}.
(* Whether y is a right result where the exact value is v. *)
Definition valid (y v : R) : Prop := Rabs (y - v) <= tolerance v.

Lemma is_valid (y v : R) : Rabs (y - v) - tolerance v <= 0 -> valid y v.
Proof. unfold valid; lra. Qed.
Lemma is_not_valid (y v : R) : 0 < Rabs (y - v) - tolerance v -> ~ valid y v.
Proof. unfold valid; lra. Qed.
Lemma are_apart (v w : R) :
  0 < Rabs (v - w) - (tolerance v + tolerance w) -> forall y, ~ (valid y v /\\ valid y w).
Proof.
  unfold valid; intros apart y [first second].
  assert (Rabs (v - w) <= Rabs (y - w) + Rabs (y - v)); [| lra].
  replace (v - w) with ((y - w) + - (y - v)) by ring.
  rewrite <- (Rabs_Ropp (y - v)); apply Rabs_triang.
Qed.

Ltac evaluated :=
  first [ interval with (i_prec {first}) | interval with (i_prec {second})
        | unfold Rabs; repeat destruct (Rcase_abs _); lra ].
Ltac parts := repeat match goal with |- _ /\\ _ => split end.
Ltac decided :=
  match goal with
  | |- True => exact I
  | |- valid _ _ => apply is_valid; unfold tolerance; evaluated
  | |- ~ valid _ _ => apply is_not_valid; unfold tolerance; evaluated
  | |- forall y, ~ (valid y _ /\\ valid y _) => apply are_apart; unfold tolerance; evaluated
  | |- _ <> 0 => first [ apply Rgt_not_eq; unfold Rgt; evaluated | apply Rlt_not_eq; evaluated ]
  | |- _ => evaluated
  end.
"
    )
}
