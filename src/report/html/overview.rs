//! The index of a run over many specifications: a row for each specification and implementation, the worst first, with
//! links to the pages.

use super::page::{SCRIPT, scripted};
use super::tables::plural;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// How a claim stands, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ClaimStanding {
    /// Something is wrong.
    Wrong,
    /// Nothing is known, since it could not be run.
    NotRun,
    /// Something is undecided, missed, or was interrupted.
    Open,
    /// Nothing of that.
    Settled,
}

/// What is claimed: a column of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ClaimKind {
    Tests,
    Evaluation,
    Check,
    Worst,
    Branches,
    Paths,
    Answers,
}

/// A claim with the page that has it.
#[derive(Clone, Debug)]
pub(super) struct IndexedClaim {
    /// The specification, or the function or script where there is none.
    pub(super) specification: String,
    pub(super) requirement: Option<String>,
    /// Empty where it is of no implementation.
    pub(super) implementation: String,
    pub(super) kind: ClaimKind,
    pub(super) standing: ClaimStanding,
    /// In a few words.
    pub(super) said: String,
    /// By what the column is sorted: the worst is the largest.
    pub(super) badness: f64,
    /// The page from the folder of the index; none where there is none.
    pub(super) link: Option<String>,
}

impl ClaimStanding {
    const ALL: [ClaimStanding; 4] =
        [ClaimStanding::Wrong, ClaimStanding::NotRun, ClaimStanding::Open, ClaimStanding::Settled];

    /// In words.
    pub(super) fn word(self) -> &'static str {
        match self {
            ClaimStanding::Wrong => "wrong",
            ClaimStanding::NotRun => "not run",
            ClaimStanding::Open => "open",
            ClaimStanding::Settled => "nothing wrong found",
        }
    }

    /// Of rows that are so.
    fn summed(self) -> &'static str {
        match self {
            ClaimStanding::Wrong => "something wrong",
            ClaimStanding::NotRun => "something that could not be run",
            ClaimStanding::Open => "something open",
            ClaimStanding::Settled => "nothing wrong found",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            ClaimStanding::Wrong => "a result, an expectation or an answer is wrong",
            ClaimStanding::NotRun => "it could not be run: nothing is known",
            ClaimStanding::Open => "something is undecided, missed or not settled, or the run was interrupted",
            ClaimStanding::Settled => "none of these; what that is worth stands on the page",
        }
    }

    /// The class of a verdict.
    pub(super) fn class(self) -> &'static str {
        match self {
            ClaimStanding::Wrong | ClaimStanding::NotRun => "bad",
            ClaimStanding::Open => "open",
            ClaimStanding::Settled => "good",
        }
    }

    /// The class of a tag: the colours of a run's mutants.
    fn tag(self) -> &'static str {
        match self {
            ClaimStanding::Wrong => "s-undecided",
            ClaimStanding::NotRun => "s-accepted",
            ClaimStanding::Open => "s-indistinguishable",
            ClaimStanding::Settled => "s-ok",
        }
    }
}

impl ClaimKind {
    const ALL: [ClaimKind; 7] = [
        ClaimKind::Tests,
        ClaimKind::Evaluation,
        ClaimKind::Check,
        ClaimKind::Worst,
        ClaimKind::Branches,
        ClaimKind::Paths,
        ClaimKind::Answers,
    ];

    /// The head of its column.
    pub(super) fn head(self) -> &'static str {
        match self {
            ClaimKind::Tests => "tests",
            ClaimKind::Evaluation => "tests of others",
            ClaimKind::Check => "check",
            ClaimKind::Worst => "worst error",
            ClaimKind::Branches => "branches",
            ClaimKind::Paths => "paths",
            ClaimKind::Answers => "answers",
        }
    }
}

/// A row: what is said of a specification and an implementation of it.
struct IndexRow<'a> {
    specification: &'a str,
    requirement: Option<&'a str>,
    implementation: &'a str,
    claims: Vec<&'a IndexedClaim>,
}

impl IndexRow<'_> {
    fn standing(&self) -> ClaimStanding {
        self.claims.iter().map(|c| c.standing).min().unwrap_or(ClaimStanding::Settled)
    }

    /// Of the claims that make the row as bad as it is the worst.
    fn badness(&self) -> f64 {
        let worst = self.claims.iter().filter(|c| c.standing == self.standing());
        worst.map(|c| c.badness).fold(0.0, f64::max)
    }
}

/// The rows, the worst first. What is of no implementation stands with all implementations of its specification.
fn rows(claims: &[IndexedClaim]) -> Vec<IndexRow<'_>> {
    let implemented: BTreeSet<&str> =
        claims.iter().filter(|c| !c.implementation.is_empty()).map(|c| c.specification.as_str()).collect();
    let mut rows: Vec<IndexRow<'_>> = Vec::new();
    for c in claims.iter().filter(|c| !c.implementation.is_empty() || !implemented.contains(c.specification.as_str())) {
        let at = rows.iter().position(|r| r.specification == c.specification && r.implementation == c.implementation);
        let at = at.unwrap_or_else(|| {
            let (specification, implementation) = (c.specification.as_str(), c.implementation.as_str());
            rows.push(IndexRow { specification, requirement: None, implementation, claims: Vec::new() });
            rows.len() - 1
        });
        rows[at].claims.push(c);
    }
    for row in &mut rows {
        let of_all = |c: &&IndexedClaim| c.implementation.is_empty() && c.specification == row.specification;
        if !row.implementation.is_empty() {
            row.claims.extend(claims.iter().filter(of_all));
        }
        row.requirement = row.claims.iter().find_map(|c| c.requirement.as_deref());
    }
    rows.sort_by(|a, b| {
        let worse = a.standing().cmp(&b.standing()).then(b.badness().total_cmp(&a.badness()));
        worse.then(a.specification.cmp(b.specification)).then(a.implementation.cmp(b.implementation))
    });
    rows
}

/// The whole file.
pub(super) fn page(claims: &[IndexedClaim]) -> Markup {
    let rows = rows(claims);
    let kinds: Vec<ClaimKind> = ClaimKind::ALL.into_iter().filter(|k| claims.iter().any(|c| c.kind == *k)).collect();
    let inside = html! {
        header {
            h1 { "Index" }
            p { "What Magneto found of " (plural(specifications(&rows), "specification", "specifications")) ", the worst first" }
        }
        main {
            section aria-labelledby="h-summary" { h2 #h-summary { "Summary" } (summary(&rows)) }
            section aria-labelledby="h-all" { h2 #h-all { "All" }
                p.filter hidden { label { "Find " input #filter type="search" placeholder="name, requirement, implementation, wrong" autocomplete="off"; } " " output #found {} }
                (table(&rows, &kinds))
            }
        }
    };
    scripted("Magneto: index", inside, SCRIPT)
}

fn specifications(rows: &[IndexRow<'_>]) -> usize {
    rows.iter().map(|r| r.specification).collect::<BTreeSet<_>>().len()
}

fn summary(rows: &[IndexRow<'_>]) -> Markup {
    let count = |standing| rows.iter().filter(|r| r.standing() == standing).count();
    let worst = rows.first().map_or(ClaimStanding::Settled, IndexRow::standing);
    let said: Vec<String> = ClaimStanding::ALL
        .into_iter()
        .filter(|s| count(*s) > 0)
        .map(|s| format!("{} with {}", count(s), s.summed()))
        .collect();
    html! {
        p.verdict.(worst.class()) { "Of " (plural(rows.len(), "row", "rows")) ": " (said.join("; ")) "." }
        dl { @for s in ClaimStanding::ALL { @if count(s) > 0 { dt { (tag(s)) } dd { (s.meaning()) } } } }
    }
}

fn tag(standing: ClaimStanding) -> Markup {
    html! { span.tag.(standing.tag()) { (standing.word()) } }
}

fn table(rows: &[IndexRow<'_>], kinds: &[ClaimKind]) -> Markup {
    let (requirements, implementations) =
        (rows.iter().any(|r| r.requirement.is_some()), rows.iter().any(|r| !r.implementation.is_empty()));
    html! { div.scroll tabindex="0" role="region" aria-label="All specifications" { table.sortable.index {
        thead { tr {
            th scope="col" { "state" } th scope="col" { "specification" }
            @if requirements { th scope="col" { "requirement" } }
            @if implementations { th scope="col" { "implementation" } }
            @for kind in kinds { th scope="col" { (kind.head()) } }
        } }
        tbody { @for (k, row) in rows.iter().enumerate() { tr {
            // The order of the page, which a browser without scripts shows.
            td data-k=(k) { (tag(row.standing())) }
            td { strong { (row.specification) } }
            @if requirements { td data-head="requirement" { (row.requirement.unwrap_or("")) } }
            @if implementations { td data-head="implementation" { (row.implementation) } }
            @for kind in kinds { (cell(row, *kind)) }
        } } }
    } } }
}

/// What a row says of one kind.
fn cell(row: &IndexRow<'_>, kind: ClaimKind) -> Markup {
    let claims: Vec<&&IndexedClaim> = row.claims.iter().filter(|c| c.kind == kind).collect();
    let badness = claims.iter().map(|c| c.badness).reduce(f64::max);
    html! { td data-k=(badness.map_or(String::new(), |b| b.to_string())) data-head=(kind.head()) {
        @for (k, c) in claims.iter().enumerate() {
            @if k > 0 { br; }
            @match &c.link {
                Some(link) => a href=(link) { (c.said) },
                None => (c.said),
            }
        }
    } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(specification: &str, implementation: &str, kind: ClaimKind, standing: ClaimStanding) -> IndexedClaim {
        IndexedClaim {
            specification: specification.to_owned(),
            requirement: None,
            implementation: implementation.to_owned(),
            kind,
            standing,
            said: "said".to_owned(),
            badness: 1.0,
            link: Some(format!("{specification}/report.html")),
        }
    }

    #[test]
    fn the_worst_stands_first_and_tests_stand_with_every_implementation() {
        let claims = [
            claim("a", "", ClaimKind::Tests, ClaimStanding::Settled),
            claim("a", "good", ClaimKind::Check, ClaimStanding::Settled),
            claim("a", "bad", ClaimKind::Check, ClaimStanding::Wrong),
            claim("a", "good", ClaimKind::Worst, ClaimStanding::Open),
            claim("b", "", ClaimKind::Tests, ClaimStanding::Open),
            claim("c", "", ClaimKind::Tests, ClaimStanding::Settled),
        ];
        let rows = rows(&claims);
        let told: Vec<(&str, &str, ClaimStanding, usize)> =
            rows.iter().map(|r| (r.specification, r.implementation, r.standing(), r.claims.len())).collect();
        assert_eq!(
            told,
            [
                ("a", "bad", ClaimStanding::Wrong, 2),
                ("a", "good", ClaimStanding::Open, 3),
                ("b", "", ClaimStanding::Open, 1),
                ("c", "", ClaimStanding::Settled, 1),
            ]
        );
    }
}
