//! Where the tests of each objective lie.

use super::data::Run;
use super::errors::parallel;
use super::scale::Scale;
use super::scatter;
use super::tables::plural;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// A chart for each objective that has tests, with those that kill mutants of it among the others.
pub(super) fn charts(run: &Run) -> Markup {
    let names: BTreeSet<&str> = run.mutants.iter().map(|m| m.objective.as_str()).collect();
    html! {
        p { "A test serves an objective if it kills a mutant of it; one may serve several. Others are faint." }
        div.panels { @for name in names {
            @let own = of(run, name);
            div.objective id={ "objective-" (name) } {
                h4 { (name) ": " (plural(own.iter().filter(|s| **s).count(), "test", "tests")) }
                (chart(run, name, &own))
            }
        } }
    }
}

/// Which tests kill a mutant of an objective.
fn of(run: &Run, objective: &str) -> Vec<bool> {
    (0..run.tests.len()).map(|t| run.kills(t).any(|m| m.objective == objective)).collect()
}

fn chart(run: &Run, name: &str, own: &[bool]) -> Markup {
    let scales: Vec<Scale> = (0..run.spec.inputs.len()).map(|i| scatter::scale(run, i)).collect();
    match &scales[..] {
        [] => html! {},
        [h] => scatter::panel(run, (h, 0), None, Some(own)),
        [h, v] => scatter::panel(run, (h, 0), Some((v, 1)), Some(own)),
        all => {
            // Those that serve it are drawn over the others.
            let mut tests: Vec<usize> = (0..run.tests.len()).collect();
            tests.sort_by_key(|t| own[*t]);
            let class = |t: usize| if own[t] { "p-line" } else { "p-line off" };
            let lines = tests.into_iter().map(|t| (class(t).to_owned(), run.tests[t].x.as_slice()));
            parallel(&format!("Tests of the objective {name} over all inputs"), all, lines)
        }
    }
}
