//! The summary that a person reads.

use super::{CheckReport, causes, finding};
use crate::harness::{Answer, HarnessFault, Verdict, VerdictTally};
use crate::oracle::Oracle;
use crate::report::off::ErrorUnit;
use crate::report::point::response;
use crate::report::words;
use crate::spec::OutOfRange;
use crate::suite::Expectation;
use std::fmt::Write as _;

/// The most tests of one kind that are shown.
const SHOWN: usize = 3;

/// The whole of it; with `verbose` all failures, and causes that explain a part of the results.
#[must_use]
pub fn text(report: &CheckReport<'_>, verbose: bool) -> String {
    let (spec, checked) = (report.spec, report.checked);
    let mut out = String::new();
    let requirement = spec.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
    let _ = writeln!(out, "{}{requirement}: accuracy {}", spec.name, spec.accuracy);
    if spec.accuracy_defaulted {
        let _ = writeln!(out, "  note: the specification states no accuracy; this is the default");
    }
    let mut line = |name: &str, value: String| {
        let _ = writeln!(out, "  {name:<20}{value}");
    };
    line("implementation", implementation(report));
    let (inside, outside) = (checked.tally(false), checked.tally(true));
    line("tests", counts(inside));
    let not_ok = outside.ko + outside.uncertain;
    let waived = not_ok > 0 && !spec.out_of_range_stated;
    if outside.all() > 0 {
        line("robustness tests", counts(outside) + if waived { " (not counted)" } else { "" });
    }
    let ran = inside.all() + outside.all() - not_run(report);
    line("inputs tried", format!("{ran}; nothing is said of others: `magneto worst` searches them"));
    let mut show = |title: &str, robustness: bool, wanted: Option<Verdict>| {
        out.push_str(&shown(report, title, robustness, wanted, verbose));
    };
    show(if inside.ko > 1 { "KO, the worst first" } else { "KO" }, false, Some(Verdict::Ko));
    show("UNCERTAIN", false, Some(Verdict::Uncertain));
    show("no verdict", false, None);
    let takes_all = !waived && takes_all(report);
    if !waived || verbose {
        show("KO, robustness", true, Some(Verdict::Ko));
        show("UNCERTAIN, robustness", true, Some(Verdict::Uncertain));
    }
    show("no verdict, robustness", true, None);
    out.push_str(&causes::text(report, verbose));
    if waived {
        out.push_str(&not_counted(spec.out_of_range, not_ok, outside.all()));
    } else if takes_all {
        out.push_str(&never_refuses(spec.out_of_range, inside.ko + inside.none == 0));
    }
    if let Some(b) = &checked.run.broken {
        out.push_str(&broken(b));
    } else if inside.ko + inside.none + outside.ko + outside.none > 0 {
        out.push_str(&errors(&checked.run.errors));
    }
    out
}

/// What was run, in a few words.
fn implementation(report: &CheckReport<'_>) -> String {
    let record = &report.checked.record.0;
    let get = |name: &str| record.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
    let place = get("command").or(get("results")).or(get("library")).or(get("source"));
    match (get("function"), place) {
        (Some(function), Some(place)) => format!("{function} of {place}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => String::new(),
    }
}

fn counts(t: VerdictTally) -> String {
    let mut parts = vec![format!("{} OK", t.ok)];
    for (n, name) in [(t.ko, "KO"), (t.uncertain, "UNCERTAIN"), (t.none, "without a verdict")] {
        if n > 0 {
            parts.push(format!("{n} {name}"));
        }
    }
    format!("{}: {}", t.all(), parts.join(", "))
}

/// How many tests were not put to the implementation.
fn not_run(report: &CheckReport<'_>) -> usize {
    report.checked.run.answers.iter().filter(|g| g.answer == Answer::Missing).count()
}

/// The tests of one verdict, the worst first by how far they are off in units of the bound: no number at all is worse
/// than any.
fn shown(report: &CheckReport<'_>, title: &str, robustness: bool, wanted: Option<Verdict>, verbose: bool) -> String {
    let checked = report.checked;
    let of_kind = |k: &usize| checked.outcomes[*k].robustness == robustness && checked.outcomes[*k].verdict == wanted;
    // What was not run needs no line each.
    let was_run = |k: &usize| checked.run.answers[*k].answer != Answer::Missing;
    let all: Vec<usize> = (0..checked.cases.len()).filter(of_kind).collect();
    let unit = ErrorUnit::of(&report.spec.accuracy);
    let off = |k: &usize| checked.outcomes[*k].error.map_or(f64::INFINITY, |e| e.0);
    let mut some: Vec<usize> = all.iter().copied().filter(was_run).collect();
    some.sort_by(|a, b| off(b).total_cmp(&off(a)));
    some.truncate(if verbose { usize::MAX } else { SHOWN });
    let mut out = String::new();
    if all.is_empty() {
        return out;
    }
    let _ = writeln!(out, "{title}");
    let format = report.spec.result_format;
    for &k in &some {
        let (case, outcome) = (&checked.cases[k], &checked.outcomes[k]);
        let _ = writeln!(out, "  {}: {}", case.id, words::input(report.spec, &case.input));
        let _ = writeln!(out, "      {}", finding(&checked.run.answers[k].answer, outcome, &unit, format));
        if let Expectation::Result(Oracle::Decided { lo, hi, .. } | Oracle::Capped { outer: (lo, hi), .. }) =
            case.expectation
        {
            let _ = writeln!(out, "      owed: from {} to {}", format.shown(lo), format.shown(hi));
        }
    }
    let not_run = all.iter().filter(|k| !was_run(k)).count();
    let more = all.len() - some.len() - not_run;
    if more > 0 {
        let _ = writeln!(out, "  … and {more} more (--verbose)");
    }
    if not_run > 0 {
        let _ = writeln!(out, "  {not_run} tests were not run");
    }
    out
}

/// Whether every robustness test failed, and by a result.
fn takes_all(report: &CheckReport<'_>) -> bool {
    let checked = report.checked;
    let outside: Vec<usize> = (0..checked.cases.len()).filter(|k| checked.outcomes[*k].robustness).collect();
    let takes = |k: &usize| {
        let is_result = matches!(checked.run.answers[*k].answer, Answer::Value(_));
        is_result && checked.outcomes[*k].verdict == Some(Verdict::Ko)
    };
    !outside.is_empty() && outside.iter().all(takes)
}

/// What to think of it if every input outside the domain gets a result.
fn never_refuses(owed: OutOfRange, only: bool) -> String {
    let (owed, which) = (response(owed), if only { "only the" } else { "all" });
    format!(
        "note: {which} robustness tests fail: inputs outside the domain, where the specification asks for\n      {owed}, \
         and the implementation returns a result. A plain library function owes nothing\n      there; \
         `:magneto-out-of-range any` in the specification says so.\n"
    )
}

/// What to think of inputs outside the domain that are not refused, where the specification does not ask for it.
fn not_counted(default: OutOfRange, some: usize, all: usize) -> String {
    format!(
        "note: at {some} of {all} inputs outside the domain the answer is another one than {}, which is\n      expected there. \
         Nothing fails by that, unless the specification says `:magneto-out-of-range {}`.\n",
        response(default),
        default.name()
    )
}

/// Why the run ended early.
#[must_use]
pub fn broken(b: &HarnessFault) -> String {
    let at = b.test.as_ref().map_or(String::new(), |t| format!(" at test {t}"));
    format!("the harness broke{at}: {}\n{}", b.why, errors(&b.errors))
}

fn errors(lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let lines: String = lines.iter().map(|l| format!("  | {l}\n")).collect();
    format!("the last lines of its standard error\n{lines}")
}
