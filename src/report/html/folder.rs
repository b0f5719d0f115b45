//! The pages of a folder: one for each document, and what the index says of it.

use super::overview::{ClaimKind, ClaimStanding, IndexedClaim};
use super::tables::{percent, plural};
use super::{
    INDEX, NAME, answered, code, conformity, data, evaluated, independent, listed, overview, page, searched, shown,
};
use crate::reach::replay::Replayed;
use crate::record::check::Check;
use crate::record::cover::CoveredFunction;
use crate::record::covers::{BranchCounts, CoveredImplementation};
use crate::record::evaluation::Evaluation;
use crate::record::manifest::{Specification, hash};
use crate::record::reach::{ListedPath, Listing};
use crate::record::results::{FolderResult, FoundDocument, results};
use crate::record::solve::ScriptFile;
use crate::record::verification::{self, Verification};
use crate::record::worst::Worst;
use crate::record::{ReadError, VerdictWord, read};
use crate::report::number::rough;
use maud::html;
use std::collections::BTreeMap;
use std::path::Path;

/// A page.
#[derive(Clone, Debug)]
pub struct PageFile {
    /// Its path below the folder that it is about.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl PageFile {
    /// Adds a link to the index of all pages, which is in a folder: empty for that of the page, else with a slash at its end.
    pub fn lead_to_index(&mut self, folder: &str) {
        const START: &str = "<header>";
        let link = html! { p.back { a href={ (folder) (INDEX) } { "All results" } } }.into_string();
        self.text = self.text.replacen(START, &format!("{START}{link}"), 1);
    }
}

/// The pages of a folder.
#[derive(Clone, Debug, Default)]
pub struct FolderPages {
    /// Each with its path.
    pub pages: Vec<PageFile>,
    /// What is claimed, with links to the pages.
    claims: Vec<IndexedClaim>,
}

impl FolderPages {
    /// The same with links that begin with a path, such as `../other/`: the index is in another folder.
    #[must_use]
    pub fn seen_from(mut self, path: &str) -> Self {
        self.claims.iter_mut().flat_map(|c| &mut c.link).for_each(|link| link.insert_str(0, path));
        self
    }
}

/// The index of several folders: a row for each specification and implementation, the worst first.
#[must_use]
pub fn index(folders: &[FolderPages]) -> String {
    let claims: Vec<IndexedClaim> = folders.iter().flat_map(|f| f.claims.clone()).collect();
    shown(overview::page(&claims))
}

/// The pages of all that commands left in a folder: of a run of `gen`, of `eval`, `check`, `worst`, `cover`, `reach` and
/// `solve`, over one specification or many.
///
/// # Errors
/// A sentence that says what is missing or does not fit.
pub fn pages(dir: &Path) -> Result<FolderPages, ReadError> {
    let all = results(dir)?;
    if all.is_empty() {
        // It says that there is no run.
        read::folders(dir)?;
    }
    let mut of_folder: BTreeMap<String, usize> = BTreeMap::new();
    all.iter().for_each(|r| *of_folder.entry(r.folder.clone()).or_default() += 1);
    // A file of that name that is not the checker's says nothing of the run.
    let verified = verification::of_folder(dir).ok().flatten();
    let mut made = FolderPages::default();
    // Runs stand first: they show the only check of theirs.
    let mut checked = Vec::new();
    for result in all {
        let is_alone = of_folder[&result.folder] == 1;
        if let FoundDocument::Run = result.document {
            let run = data::read(&dir.join(&result.folder), verified.as_ref())?;
            if run.check.is_some() && run.other_checks.is_empty() && !run.misfit {
                checked.push(result.folder.clone());
            }
            let path = path(&result.folder, NAME);
            made.claims.push(of_run(&run, &path));
            made.pages.push(PageFile { path, text: shown(page::page(&run)) });
            continue;
        }
        made.add(result, is_alone, &checked, verified.as_ref());
    }
    Ok(made)
}

/// Something that a command other than `gen` and `check` found, as the record has it.
#[derive(Clone, Debug)]
pub struct FurtherEvidence {
    /// What it says of which implementation.
    pub(super) claim: IndexedClaim,
    /// Its file, below the folder that it is about.
    pub(super) file: String,
    /// SHA-256 of the specification's file, where the document has it.
    about: Option<String>,
    /// SHA-256 of the file; empty where there is none, since it could not be run.
    pub(super) sha256: String,
}

impl FurtherEvidence {
    /// Why it is no evidence of a specification of that name, whose file is this one: it is about another version. None where it
    /// is about another specification, or does not say.
    #[must_use]
    pub fn misfit(&self, specification: &Specification) -> Option<String> {
        let is_other = self.about.as_ref().is_some_and(|sha256| *sha256 != specification.sha256);
        (self.claim.specification == specification.name && is_other)
            .then(|| format!("{} is about another version of {}", self.file, specification.file))
    }
}

/// What `worst`, `cover`, `eval`, `reach` and `solve` left in a folder.
///
/// # Errors
/// A document is damaged or has another schema.
pub fn further_evidence(dir: &Path) -> Result<Vec<FurtherEvidence>, ReadError> {
    let is_further = |r: &FolderResult| !matches!(r.document, FoundDocument::Run | FoundDocument::Check(_));
    let one = |result: FolderResult| {
        let file = path(&result.folder, &format!("{}.json", result.stem));
        let sha256 = std::fs::read(dir.join(&file)).map(|bytes| hash(&bytes)).unwrap_or_default();
        let judging = |f: &CoveredFunction| f.judging.as_ref().map(|j| j.sha256.clone());
        let about = match &result.document {
            FoundDocument::Worst(worst) => Some(worst.sha256.clone()),
            FoundDocument::Evaluation(e) => Some(e.sha256.clone()),
            FoundDocument::Cover(found) => judging(found),
            FoundDocument::Covered(_, found) => found.as_deref().and_then(judging),
            _ => None,
        };
        // Documents of earlier versions do not say.
        let about = about.filter(|sha256| !sha256.is_empty());
        Some(FurtherEvidence { claim: claim_of(&result.document, "")?, file, about, sha256 })
    };
    Ok(results(dir)?.into_iter().filter(is_further).filter_map(one).collect())
}

fn path(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

impl FolderPages {
    /// Adds the page of a document, and what it claims. `checked` are the folders whose run shows their check.
    fn add(&mut self, result: FolderResult, is_alone: bool, checked: &[String], verified: Option<&Verification>) {
        let FolderResult { folder, stem, document } = result;
        let checker = independent::section(verified, &path(&folder, &format!("{stem}.json")));
        let at = if is_alone { path(&folder, NAME) } else { path(&folder, &format!("{stem}.html")) };
        let is_shown = matches!(document, FoundDocument::Check(_)) && checked.contains(&folder);
        let at = if is_shown { path(&folder, NAME) } else { at };
        self.claims.extend(claim_of(&document, &at));
        let page = match document {
            FoundDocument::Run => None,
            FoundDocument::Check(check) => (!is_shown).then(|| shown(conformity::page(&check))),
            FoundDocument::Worst(worst) => Some(shown(searched::page(&worst))),
            FoundDocument::Evaluation(e) => Some(shown(evaluated::page(&e))),
            FoundDocument::Cover(found) => Some(code::checked_page(&found, &checker)),
            FoundDocument::Covered(_, found) => found.map(|f| code::checked_page(&f, &checker)),
            FoundDocument::Reach(listing) => Some(shown(listed::page(&listing, &checker))),
            FoundDocument::Solve(scripts) => Some(shown(answered::page(&scripts, &checker))),
        };
        self.pages.extend(page.map(|text| PageFile { path: at, text }));
    }
}

/// What a document claims, whose page is at a path; none of a run, of which more has to be read.
fn claim_of(document: &FoundDocument, at: &str) -> Option<IndexedClaim> {
    Some(match document {
        FoundDocument::Run => return None,
        FoundDocument::Check(check) => of_check(check, at),
        FoundDocument::Worst(worst) => of_worst(worst, at),
        FoundDocument::Evaluation(e) => of_evaluation(e, at),
        FoundDocument::Cover(found) => of_function(found, at),
        FoundDocument::Covered(entry, found) => of_branches(entry, found.as_deref(), at),
        FoundDocument::Reach(listing) => of_paths(listing, at),
        FoundDocument::Solve(scripts) => of_scripts(scripts, at),
    })
}

fn of_check(check: &Check, at: &str) -> IndexedClaim {
    IndexedClaim {
        specification: check.specification.clone(),
        requirement: check.requirement.clone(),
        implementation: check.label().to_owned(),
        kind: ClaimKind::Check,
        standing: conformity::standing(check),
        said: conformity::tally(check),
        badness: (check.counts.ko + if check.robustness_counts { check.robustness.ko } else { 0 }) as f64,
        link: Some(at.to_owned()),
    }
}

fn of_run(run: &data::Run, at: &str) -> IndexedClaim {
    let (s, about) = (&run.summary.scores, &run.manifest.specification);
    let is_whole = s.rigorous.part == s.rigorous.whole && !run.summary.interrupted;
    IndexedClaim {
        specification: about.name.clone(),
        requirement: about.requirement.clone(),
        implementation: String::new(),
        kind: ClaimKind::Tests,
        standing: if is_whole { ClaimStanding::Settled } else { ClaimStanding::Open },
        said: format!("{}, {}", percent(s.rigorous.part, s.rigorous.whole), plural(run.tests.len(), "test", "tests")),
        badness: missing(s.rigorous.part, s.rigorous.whole),
        link: Some(at.to_owned()),
    }
}

/// The share that is missing: 0 to 1.
fn missing(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { 1.0 - part as f64 / whole as f64 }
}

fn of_evaluation(e: &Evaluation, at: &str) -> IndexedClaim {
    let rigorous = &e.scores.rigorous;
    let standing = match () {
        () if e.tests.wrong_expectations > 0 => ClaimStanding::Wrong,
        () if e.missed > 0 || e.scores.undecided > 0 || e.interrupted => ClaimStanding::Open,
        () => ClaimStanding::Settled,
    };
    let wrong = match e.tests.wrong_expectations {
        0 => String::new(),
        n => format!(", {n} wrong"),
    };
    IndexedClaim {
        specification: e.specification.clone(),
        requirement: e.requirement.clone(),
        implementation: String::new(),
        kind: ClaimKind::Evaluation,
        standing,
        said: format!("{}, {} tests{wrong}", percent(rigorous.part, rigorous.whole), e.tests.all),
        badness: missing(rigorous.part, rigorous.whole),
        link: Some(at.to_owned()),
    }
}

fn of_worst(w: &Worst, at: &str) -> IndexedClaim {
    let has = |verdict| w.parts.iter().any(|p| p.verdict == verdict);
    let tally = w.exhaustive.as_ref();
    let standing = match () {
        () if has(VerdictWord::Ko) || !w.findings.is_empty() || tally.is_some_and(|t| t.ko > 0) => ClaimStanding::Wrong,
        () if w.broken.is_some() || w.evaluations == 0 && tally.is_none() => ClaimStanding::NotRun,
        () if has(VerdictWord::Uncertain) || w.interrupted || tally.is_some_and(|t| t.uncertain > 0 || !t.complete) => {
            ClaimStanding::Open
        }
        () => ClaimStanding::Settled,
    };
    let largest = w.parts.first().and_then(|p| p.tolerances.parse::<f64>().ok());
    let said = match (largest, standing) {
        (_, ClaimStanding::NotRun) => "not run".to_owned(),
        _ if !w.findings.is_empty() => "no finite result somewhere".to_owned(),
        (Some(x), _) => format!("{} × the bound", rough(x)),
        (None, _) => "no result was judged".to_owned(),
    };
    IndexedClaim {
        specification: w.specification.clone(),
        requirement: w.requirement.clone(),
        implementation: w.label().to_owned(),
        kind: ClaimKind::Worst,
        standing,
        said,
        badness: if w.findings.is_empty() { largest.unwrap_or(0.0) } else { f64::INFINITY },
        link: Some(at.to_owned()),
    }
}

/// How the branches of a function stand.
fn branches(counts: &BranchCounts, differs: bool) -> (ClaimStanding, String, f64) {
    let standing = match () {
        () if counts.wrong > 0 || differs => ClaimStanding::Wrong,
        () if counts.open > 0 => ClaimStanding::Open,
        () => ClaimStanding::Settled,
    };
    let wrong =
        if counts.wrong > 0 { format!(", {} wrong", plural(counts.wrong, "result", "results")) } else { String::new() };
    let feasible = counts.branches - counts.infeasible;
    (standing, format!("{} of {feasible} taken{wrong}", counts.taken), 1.0 - counts.coverage + counts.wrong as f64)
}

fn of_function(f: &CoveredFunction, at: &str) -> IndexedClaim {
    let (standing, said, badness) = branches(&BranchCounts::of(f), f.native.as_ref().is_some_and(Replayed::differs));
    IndexedClaim {
        specification: f.judging.as_ref().map_or(f.function.clone(), |j| j.specification.clone()),
        requirement: f.judging.as_ref().and_then(|j| j.requirement.clone()),
        implementation: if f.judging.is_some() { f.function.clone() } else { String::new() },
        kind: ClaimKind::Branches,
        standing,
        said,
        badness,
        link: Some(at.to_owned()),
    }
}

fn of_branches(entry: &CoveredImplementation, found: Option<&CoveredFunction>, at: &str) -> IndexedClaim {
    let differs = found.and_then(|f| f.native.as_ref()).is_some_and(Replayed::differs);
    let (standing, said, badness) = match &entry.counts {
        Some(counts) => branches(counts, differs),
        None => (ClaimStanding::NotRun, "not run".to_owned(), 0.0),
    };
    IndexedClaim {
        specification: entry.specification.clone(),
        requirement: entry.requirement.clone(),
        implementation: entry.implementation.clone(),
        kind: ClaimKind::Branches,
        standing,
        said,
        badness,
        link: found.map(|_| at.to_owned()),
    }
}

fn of_paths(l: &Listing, at: &str) -> IndexedClaim {
    let is_wrong = l.native.as_ref().is_some_and(Replayed::differs) || l.paths.iter().any(ListedPath::is_refuted);
    let standing = match () {
        () if is_wrong => ClaimStanding::Wrong,
        () if !l.is_settled() => ClaimStanding::Open,
        () => ClaimStanding::Settled,
    };
    IndexedClaim {
        specification: l.function.clone(),
        requirement: None,
        implementation: String::new(),
        kind: ClaimKind::Paths,
        standing,
        said: format!("{} feasible, {} infeasible, {} open", l.feasible, l.infeasible, l.open),
        badness: l.open as f64,
        link: Some(at.to_owned()),
    }
}

fn of_scripts(scripts: &[ScriptFile], at: &str) -> IndexedClaim {
    let name = match scripts {
        [one] if !one.file.is_empty() => one.file.clone(),
        all => plural(all.len(), "script", "scripts"),
    };
    IndexedClaim {
        specification: name,
        requirement: None,
        implementation: String::new(),
        kind: ClaimKind::Answers,
        standing: answered::standing(scripts),
        said: answered::tally(scripts),
        badness: 0.0,
        link: Some(at.to_owned()),
    }
}
