//! Likely causes in words.

use super::CheckReport;
use crate::floats::Format;
use crate::harness::causes::MOST;
use crate::harness::{Fact, Hypothesis, SlightlyOff};
use crate::mutate::MutationOperator;
use crate::num::float::decimal;
use crate::report::text::clip;
use crate::text::{Span, line_column};

/// The most causes that are shown.
const SHOWN: usize = 5;

/// One cause in words.
pub struct Said {
    /// The class of mistake, if it is one of the mutation operators'.
    pub class: Option<MutationOperator>,
    /// Where the change is in the source, if it is one.
    pub span: Option<Span>,
    /// What the results agree with, as a part of a sentence.
    pub text: String,
    /// Whether every failure agrees, and every other result.
    pub explains_all: bool,
    /// How many failures agree.
    pub failures: usize,
    /// How many results agree.
    pub results: usize,
    /// The ids of the mutants that this is.
    pub mutants: Vec<String>,
}

/// All causes in words, best first.
#[must_use]
pub fn said(report: &CheckReport<'_>) -> Vec<Said> {
    let (spec, checked) = (report.spec, report.checked);
    let name = |i: usize| spec.inputs.get(i).map_or("", |i| i.name.as_str());
    let overflows = checked.facts.iter().any(|f| matches!(f, Fact::Overflow(_)));
    let one = |cause: &crate::harness::causes::LikelyCause| {
        let mut span = None;
        let (class, text, mutants) = match &cause.hypothesis {
            Hypothesis::Mutant { first, alike } => {
                let m = &checked.mutants[*first];
                let (line, column) = line_column(report.source, m.span.start);
                span = Some(m.span);
                let (before, after) = (clip(&m.before), clip(&m.after));
                let text = format!("the specification with `{after}` in place of `{before}` at {line}:{column}");
                let ids = std::iter::once(first).chain(alike).map(|k| checked.mutants[*k].id.clone()).collect();
                (Some(m.operator), text, ids)
            }
            Hypothesis::Program(mutant) => {
                let m = &checked.mutants[*mutant];
                let (line, column) = line_column(report.source, m.span.start);
                span = Some(m.span);
                let (program, before) = (&m.after, clip(&m.before));
                let text = format!("those of `{program}` for `{before}` at {line}:{column}, bit for bit");
                (Some(m.operator), text, vec![m.id.clone()])
            }
            Hypothesis::Swapped(a, b) => {
                let text = format!("the specification with the inputs `{}` and `{}` swapped", name(*a), name(*b));
                (None, text, Vec::new())
            }
            Hypothesis::Evaluated(format) => {
                let own = match (*format == spec.result_format, overflows) {
                    (true, true) => ": the formula overflows, not the program",
                    (true, false) => ": the formula loses the digits, not the program",
                    (false, _) => "",
                };
                let format = format.name();
                let text =
                    format!("the formula as it is written, each operation rounded to {format}, bit for bit{own}");
                (Some(MutationOperator::Accuracy), text, Vec::new())
            }
            Hypothesis::Constant(c) => {
                span = Some(c.span);
                (Some(MutationOperator::Constant), constant(c, report.source), Vec::new())
            }
            Hypothesis::Mistake(_, text) | Hypothesis::FloatFunction(_, text) => (None, text.clone(), Vec::new()),
            Hypothesis::Factor(c) => (None, format!("{} times what the specification gives", decimal(*c)), Vec::new()),
            Hypothesis::Offset(c) => {
                let (size, way) = (decimal(c.abs()), if *c < 0.0 { "less" } else { "more" });
                (None, format!("{size} {way} than what the specification gives"), Vec::new())
            }
            Hypothesis::Limited { limit, is_most } => {
                let way = if *is_most { "most" } else { "least" };
                (None, format!("the specification's result limited to at {way} {}", decimal(*limit)), Vec::new())
            }
        };
        let explains_all = checked.causes.explains_all(cause);
        Said { class, span, text, explains_all, failures: cause.failures, results: cause.results, mutants }
    };
    checked.causes.list.iter().map(one).collect()
}

/// A constant that is slightly off, and by how much.
fn constant(c: &SlightlyOff, source: &[u8]) -> String {
    let (line, column) = line_column(source, c.span.start);
    let way = if c.relative < 0.0 { "small" } else { "large" };
    format!(
        "the specification with `{}` in place of `{}` at {line}:{column}: a constant that is a relative {:.2e} too {way}",
        c.after,
        clip(&c.before),
        c.relative.abs()
    )
}

/// The section of likely causes: those that explain every result; with `verbose` the others too. Empty if nothing failed.
#[must_use]
pub fn text(report: &CheckReport<'_>, verbose: bool) -> String {
    let causes = &report.checked.causes;
    let (whole, partial): (Vec<Said>, Vec<Said>) = said(report).into_iter().partition(|s| s.explains_all);
    let line = |s: &Said| {
        let class = s.class.map_or(String::new(), |c| format!("[{c}] "));
        let counts =
            format!("{} of {} failures, {} of {} results", s.failures, causes.failures, s.results, causes.results);
        format!("  {class}your results match {} ({counts})", s.text)
    };
    let most = if verbose { usize::MAX } else { SHOWN };
    let mut lines = Vec::new();
    for (k, s) in whole.iter().take(most).enumerate() {
        lines.push(line(s));
        if k == 0 {
            lines.extend(s.span.and_then(|span| excerpt(report.source, span)));
        }
    }
    if whole.len() > most {
        lines.push(format!("  … and {} more (--verbose)", whole.len() - most));
    }
    // Where one change explains everything, that the results are near is its consequence.
    let explained = whole.first().is_some_and(|s| s.span.is_some());
    let best = causes.list.first().filter(|c| causes.explains_all(c));
    let is_limited = best.is_some_and(|c| matches!(c.hypothesis, Hypothesis::Limited { .. }));
    let is_consequence = |f: &Fact| match f {
        Fact::Near { .. } => explained,
        // Of a result that is limited to 0 nothing overflows.
        Fact::Overflow(_) => is_limited,
        _ => false,
    };
    let facts = report.checked.facts.iter().filter(|f| !is_consequence(f));
    lines.extend(facts.map(|f| format!("  {}", fact(f, report.spec.result_format))));
    let (failures, others) = (causes.failures, causes.results - causes.failures);
    if failures > 0 && causes.is_cut {
        let first = format!("the first {failures} failures and {others} other results were compared");
        lines.push(format!("  ({first}: the budget of evaluations was used up)"));
    } else if failures > 0 && causes.results < report.checked.outcomes.len() && failures.max(others) == MOST {
        lines.push(format!("  (of the failures and of the other results the first {MOST} were compared)"));
    }
    if lines.is_empty() && causes.failures > 0 {
        lines.push("  none: no single change of the specification gives these results".to_owned());
    }
    if verbose && !partial.is_empty() {
        lines.push("  a part of the results is explained by".to_owned());
        lines.extend(partial.iter().map(|s| format!("  {}", line(s))));
    }
    if lines.is_empty() { String::new() } else { format!("likely causes\n{}\n", lines.join("\n")) }
}

/// The line of a change with the changed part marked; none if that would not fit.
fn excerpt(source: &[u8], span: Span) -> Option<String> {
    const WIDEST: usize = 100;
    let (number, _) = line_column(source, span.start);
    let start = source.get(..span.start)?.iter().rposition(|b| *b == b'\n').map_or(0, |k| k + 1);
    let length = source[start..].iter().position(|b| *b == b'\n').unwrap_or(source.len() - start);
    let line = std::str::from_utf8(&source[start..start + length]).ok()?.trim_end();
    let end = span.end.min(start + line.len()).max(span.start);
    let width = |from: usize, to: usize| std::str::from_utf8(source.get(from..to)?).ok().map(|t| t.chars().count());
    let (before, marked) = (width(start, span.start)?, width(span.start, end)?.max(1));
    if line.chars().count() > WIDEST || line.chars().any(char::is_control) {
        return None;
    }
    let margin = " ".repeat(number.to_string().len());
    Some(format!("      {number} | {line}\n      {margin} | {}{}", " ".repeat(before), "^".repeat(marked)))
}

/// A fact as a sentence without a full stop.
#[must_use]
pub fn fact(fact: &Fact, format: Format) -> String {
    match fact {
        Fact::Near { times, .. } => format!(
            "[accuracy] all failing results are near: a bound {} times larger would accept them",
            if *times < 1e5 { decimal(*times) } else { format!("{times:e}") }
        ),
        Fact::Narrow(narrow) => format!(
            "[accuracy] all results are {} numbers, and {} is asked for: a narrower type in the computation or in the \
             output",
            narrow.name(),
            format.name()
        ),
        Fact::Printed(digits) => format!(
            "[accuracy] no result has more than {digits} digits: print with `%a` or `%.17g`, or the shortest form that \
             reads back"
        ),
        Fact::Overflow(count) => format!(
            "{} NaN, infinite or 0 where another finite number is owed: an intermediate result may overflow or underflow",
            if *count == 1 { "the failing result is".to_owned() } else { format!("all {count} failing results are") }
        ),
        Fact::Refused(refused, all) => format!(
            "every failure is a refusal (`error: …`), and no wrong result came back: {refused} of {all} inputs of the domain \
             were refused. A domain error on the way, such as the root of a negative number, counts as one"
        ),
        Fact::Constant(y) => format!("all results are the same: {}", decimal(*y)),
        Fact::Nan(some, all) => format!("{some} of {all} results are NaN"),
    }
}
