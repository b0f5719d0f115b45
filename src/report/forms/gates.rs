//! A run as JUnit: a suite for each specification. What failed the run fails here: the score where the run had
//! `--min-score`, undecided mutants where it had `--fail-on undecided`. Otherwise undecided mutants are skipped cases, as
//! accepted ones always are: a server shows them without turning red.

use super::{Mutant, Stored};
use crate::num::Rational;
use crate::report::cases::{Case, Group, State};
use crate::report::{junit, text::score};
use crate::spec::parse_rational;

pub(super) fn text(run: &[Stored]) -> Result<Vec<u8>, String> {
    let groups = run.iter().map(group).collect::<Result<Vec<_>, _>>()?;
    junit::document("magneto gen", &groups)
}

fn group(one: &Stored) -> Result<Group, String> {
    let mut cases = vec![gate(one)?];
    if one.interrupted {
        let state = State::Broken("the run was interrupted".to_owned());
        cases.push(Case { name: "run complete".to_owned(), about: one.file.clone(), state });
    }
    let fails = one.option("fail-on") == Some("undecided");
    for m in &one.mutants {
        let state = match m.status.as_str() {
            "undecided" if fails => State::Failed(format!("undecided: {}", m.why())),
            "undecided" => State::Open(format!("undecided: {}", m.why())),
            "accepted" => State::Open(m.why().to_owned()),
            _ => continue,
        };
        let about = format!("{}:{}:{}: {}", one.file, m.line, m.column, m.change());
        cases.push(Case { name: format!("{} {}", m.operator, m.id), about, state });
    }
    let requirement = one.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
    Ok(Group { name: format!("{}{requirement}", one.name), cases })
}

/// The score, with the gate that the run had.
fn gate(one: &Stored) -> Result<Case, String> {
    let count = |of: &dyn Fn(&Mutant) -> bool| one.mutants.iter().filter(|m| of(m)).count();
    let paper = one.option("score") == Some("paper");
    let left_out = |m: &Mutant| matches!(m.status.as_str(), "equivalent" | "indistinguishable" | "accepted");
    let (name, part, whole) = if paper {
        let part = count(&|m| matches!(m.status.as_str(), "killed" | "probable"));
        ("paper score", part, one.mutants.len())
    } else {
        let whole = count(&|m| m.operator != "accuracy" && !left_out(m));
        ("rigorous score", count(&|m| m.status == "killed"), whole)
    };
    let said = format!("{} ({part} of {whole})", score(part, whole));
    let exact = if whole == 0 { Rational::from(1) } else { Rational::from((part as u64, whole as u64)) };
    let state = match one.option("min-score") {
        Some(least) if parse_rational(least).map_err(|e| format!("min-score {least}: {e}"))? > exact => {
            State::Failed(format!("{said} is below {least}"))
        }
        _ => State::Passed,
    };
    Ok(Case { name: name.to_owned(), about: said, state })
}
