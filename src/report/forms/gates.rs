//! A run as JUnit: a suite for each specification. What failed the run fails here: the score where the run had
//! `--min-score`, undecided mutants where it had `--fail-on undecided`. Otherwise undecided mutants are skipped cases, as
//! accepted ones always are: a server shows them without turning red. What `check` found of implementations stands behind.

use super::{Stored, change};
use crate::report::cases::{CaseGroup, ReportedCase, State};
use crate::report::check::several;
use crate::report::junit;
use crate::spec::parse_rational;
use crate::suite::Standing;
use crate::unfit::Unfit;

pub(super) fn text(run: &[Stored]) -> Result<Vec<u8>, Unfit> {
    let mut groups = run.iter().map(|one| group(one, run)).collect::<Result<Vec<_>, _>>()?;
    groups.extend(run.iter().flat_map(|one| several::groups(&one.checks)));
    junit::document("magneto gen", &groups)
}

fn group(one: &Stored, run: &[Stored]) -> Result<CaseGroup, Unfit> {
    let mut cases = vec![gate(one)?];
    if one.part.manifest.interrupted {
        let state = State::Broken("the run was interrupted".to_owned());
        cases.push(ReportedCase { name: "run complete".to_owned(), about: one.file.clone(), state });
    }
    let fails = one.part.manifest.option("fail-on").is_some_and(|gates| gates.split(',').any(|g| g == "undecided"));
    for m in one.mutants() {
        let state = match m.status {
            Some(Standing::Undecided) if fails => State::Failed(format!("undecided: {}", m.why())),
            Some(Standing::Undecided) => State::Open(format!("undecided: {}", m.why())),
            Some(Standing::Accepted) => State::Open(m.why().to_owned()),
            _ => continue,
        };
        let about = format!("{}:{}:{}: {}", one.file, m.line, m.column, change(m));
        cases.push(ReportedCase { name: format!("{} {}", m.operator, m.id), about, state });
    }
    let requirement = one.requirement().map_or(String::new(), |r| format!(" [{r}]"));
    Ok(CaseGroup { name: format!("{}{requirement}", one.name_among(run)), cases })
}

/// The score, with the gate that the run had.
fn gate(one: &Stored) -> Result<ReportedCase, Unfit> {
    let counts = one.part.mutants.counts();
    let (name, share) = match one.part.manifest.option("score") {
        Some("paper") => ("paper score", counts.paper()),
        _ => ("rigorous score", counts.rigorous()),
    };
    let said = format!("{} ({} of {})", share.text(), share.part, share.whole);
    let state = match one.part.manifest.option("min-score") {
        Some(least) if parse_rational(least).map_err(|e| format!("min-score {least}: {e}"))? > share.exact() => {
            State::Failed(format!("{said} is below {least}"))
        }
        _ => State::Passed,
    };
    Ok(ReportedCase { name: name.to_owned(), about: said, state })
}
