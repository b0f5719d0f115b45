//! `traceability.csv`: the traces of all specifications of a run, with what an implementation did at the tests.

use super::{INTERRUPTED, Stored, TestRow};
use crate::record::VerdictWord;
use crate::record::check::Check;
use crate::record::store::FileKind;
use crate::record::table::Table;
use crate::suite::Standing;
use crate::unfit::Unfit;

/// What a trace says of a test that kills no mutant.
const KILLS_NOTHING: &str = "kills nothing";
/// What a trace says of a requirement without a test.
const NO_TEST: &str = "no test";

/// By what a file of it is known.
pub(super) const KIND: FileKind =
    FileKind { name: "a table of traces", start: "requirement,specification,objective,mutant,", inside: "" };

const HEADER: [&str; 9] =
    ["requirement", "specification", "objective", "mutant", "operator", "test", "verdict", "implementation", "reason"];

/// For every mutant the tests that kill it. Gaps have rows of their own: a mutant without a test, a test that kills
/// nothing, a requirement without a test in any of its specifications.
pub(super) fn text(run: &[Stored]) -> Result<Vec<u8>, Unfit> {
    let mut table = Table::new(HEADER);
    // The specifications of one requirement stand together, in the order of their first; one of several has its rows for each.
    let mut order: Vec<(Option<&str>, &Stored)> = Vec::new();
    for one in run {
        let all = one.requirements();
        order.extend(all.iter().map(|r| (Some(*r), one)));
        order.extend(all.is_empty().then_some((None, one)));
    }
    let named: Vec<Option<&str>> = order.iter().map(|o| o.0).collect();
    order.sort_by_key(|(r, _)| named.iter().position(|n| n == r));
    for (k, (own, one)) in order.iter().enumerate() {
        let requirement = own.unwrap_or_default();
        let name = one.name();
        if one.part.manifest.interrupted {
            table.row([requirement, name, "", "", "", "", INTERRUPTED, "", "the run did not come to its end"]);
        }
        for (place, (m, killers)) in one.killed().enumerate() {
            let mut row = |test: &str, verdict: &str, implementation: &str, why: &str| {
                table.row([
                    requirement,
                    name,
                    &m.objective,
                    &m.id,
                    m.operator.name(),
                    test,
                    verdict,
                    implementation,
                    why,
                ]);
            };
            for (test, at) in killers.iter().zip(&one.killers[place]) {
                row(&test.id, kill(one.part.matrix.rows[*at][place]), &implementation(one, test), "");
            }
            if killers.is_empty() || !matches!(m.status, Some(Standing::Killed | Standing::Probable)) {
                row("", m.status_word(), "", m.why());
            }
        }
        for test in one.tests().iter().filter(|t| t.kills + t.probable == 0) {
            let implementation = implementation(one, test);
            table.row([requirement, name, "", "", "", &test.id, KILLS_NOTHING, &implementation, &test.reason]);
        }
        let last = order.get(k + 1).is_none_or(|next| next.0 != *own);
        let same = || order.iter().filter(|o| o.0 == *own);
        // Of no requirement at all, each specification is a thing of its own.
        if own.is_none() && one.tests().is_empty() {
            table.row(["", name, "", "", "", "", NO_TEST, "", "and no requirement"]);
        } else if last && same().all(|o| o.1.tests().is_empty()) {
            table.row([requirement, "", "", "", "", "", NO_TEST, "", ""]);
        }
    }
    Ok(table.finish())
}

/// What a test does to a mutant.
fn kill(cell: VerdictWord) -> &'static str {
    match cell {
        VerdictWord::Ko => Standing::Killed.name(),
        VerdictWord::Probable => Standing::Probable.name(),
        other => other.name(),
    }
}

/// The verdict on the implementation at a test, on several after their names; empty if none was run there.
fn implementation(one: &Stored, test: &TestRow) -> String {
    let verdict = |check: &Check| {
        // Another file of tests may use the same ids.
        let same = check.tests.iter().find(|c| c.id == test.id && c.inputs == test.inputs);
        same.map(|c| c.verdict.name())
    };
    match &one.checks[..] {
        [only] => verdict(only).unwrap_or_default().to_owned(),
        several => {
            let named = several.iter().filter_map(|c| Some(format!("{} {}", c.label(), verdict(c)?)));
            named.collect::<Vec<_>>().join("; ")
        }
    }
}
