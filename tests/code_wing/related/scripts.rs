//! Scripts over binary32.

use super::{Comparison, PLAIN, STYLES, Style, Term};
use crate::support::long;
use crate::support::rng::Rng;
use magneto::smt::{SatStatus, run};
use std::fmt::Write as _;

/// Comparisons that are all to be true of three unknowns within a range.
struct Question {
    comparisons: Vec<Comparison>,
    bound: &'static str,
}

fn number(text: &str) -> String {
    format!("((_ to_fp 8 24) RNE {text})")
}

/// Writes a term, and definitions before it where the style asks for them.
fn term(of: &Term, style: Style, definitions: &mut String) -> String {
    let (operation, operands) = match of {
        Term::Unknown(k) => return style.names[*k].to_owned(),
        Term::Number(text) => return number(text),
        Term::Two(operation, operands) => (operation, operands),
    };
    let [mut a, mut b] = [&operands[0], &operands[1]].map(|t| term(t, style, definitions));
    let name = match operation {
        '-' if style.adds_negated => {
            b = format!("(fp.neg {b})");
            "fp.add"
        }
        '+' => "fp.add",
        '-' => "fp.sub",
        '*' => "fp.mul",
        _ => "fp.div",
    };
    if style.is_turned && "+*".contains(*operation) {
        (a, b) = (b, a);
    }
    let text = format!("({name} RNE {a} {b})");
    if !style.names_terms {
        return text;
    }
    let name = format!("t{}", definitions.matches("define-fun").count());
    let _ = write!(definitions, "(define-fun {name} () Float32 {text})");
    name
}

impl Question {
    fn random(rng: &mut Rng) -> Question {
        let count = 1 + rng.below(3);
        let comparisons = (0..count).map(|_| Comparison::random(rng, &['+', '-', '*', '/', '+', '-'])).collect();
        Question { comparisons, bound: ["1.0", "100.0", "1000000.0"][rng.below(3)] }
    }

    /// The script, with `more` before the question.
    fn text(&self, style: Style, more: &str) -> String {
        let mut text = String::new();
        for name in style.names {
            let _ = write!(text, "(declare-const {name} Float32)");
            let bound = number(self.bound);
            let _ = writeln!(text, "(assert (fp.leq (fp.abs {name}) {bound}))");
        }
        let mut assertions = Vec::new();
        for Comparison { is_strict, terms } in &self.comparisons {
            let [a, b] = [&terms[0], &terms[1]].map(|t| term(t, style, &mut text));
            let [less, greater] = if *is_strict { ["fp.lt", "fp.gt"] } else { ["fp.leq", "fp.geq"] };
            let formula = if style.is_turned { format!("({greater} {b} {a})") } else { format!("({less} {a} {b})") };
            assertions.push(format!("(assert {formula})"));
        }
        if style.is_turned {
            assertions.reverse();
        }
        format!("{text}{}{more}", assertions.join("\n"))
    }

    fn ask(&self, style: Style, more: &str) -> Vec<SatStatus> {
        let text = self.text(style, more);
        let answers = run(&text, 3000).unwrap_or_else(|d| panic!("{text}\n{d:?}"));
        answers.checks.iter().map(|c| c.status).collect()
    }
}

/// Whether one answer says that there is a solution, and the other one that there is none.
fn contradict(a: SatStatus, b: SatStatus) -> bool {
    matches!((a, b), (SatStatus::Sat, SatStatus::Unsat) | (SatStatus::Unsat, SatStatus::Sat))
}

#[test]
fn related_scripts_have_one_answer() {
    let count = if long() { 3000 } else { 40 };
    let (mut decided, mut unsat) = (0, 0);
    for seed in 0..count {
        let question = Question::random(&mut Rng(seed));
        let text = question.text(PLAIN, "(check-sat)");
        let plain = question.ask(PLAIN, "(check-sat)")[0];
        decided += u64::from(plain != SatStatus::Unknown);
        unsat += u64::from(plain == SatStatus::Unsat);
        for (what, style) in STYLES {
            let other = question.ask(style, "(check-sat)")[0];
            assert!(!contradict(plain, other), "{seed}, {what}: {plain:?}, {other:?}\n{text}");
        }
        // The inputs in two parts, as assertions that are taken back and as assumptions.
        let half = format!("(fp.leq x {})", number("0.25"));
        let pushed = format!(
            "(push 1)(assert {half})(check-sat)(pop 1)(push 1)(assert (not {half}))(check-sat)(pop 1)(check-sat)"
        );
        let assumed = format!(
            "(declare-const p Bool)(assert (= p {half}))(check-sat-assuming (p))(check-sat-assuming ((not p)))(check-sat)"
        );
        for more in [pushed, assumed] {
            let [below, above, whole] = question.ask(PLAIN, &more)[..] else { panic!("three answers: {text}{more}") };
            assert!(!contradict(plain, whole), "{seed}, again: {plain:?}, {whole:?}\n{text}");
            let parts = [below, above];
            if parts.contains(&SatStatus::Sat) {
                assert_ne!(plain, SatStatus::Unsat, "{seed}, parts {parts:?}\n{text}");
            }
            if parts == [SatStatus::Unsat; 2] {
                assert_ne!(plain, SatStatus::Sat, "{seed}, parts {parts:?}\n{text}");
            }
        }
    }
    assert!(10 * decided > 9 * count && 10 * unsat > count, "{decided} decided, {unsat} unsat, of {count}");
}
