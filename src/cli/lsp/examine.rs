//! What is wrong with the text of a document, and what is known of its specifications: as `lint` finds it.

use super::settings::DocumentSettings;
use magneto::halt;
use magneto::lint::lint;
use magneto::options::Settings;
use magneto::report;
use magneto::spec::{File, Spec, parse_file, resolve};
use magneto::text::{Diagnostic, Span};
use magneto::threads::Threads;
use std::collections::HashMap;
use std::sync::Arc;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Severity {
    /// The FPCore is no specification.
    Error,
    /// What `lint` warns of.
    Warning,
    /// That something is not known.
    Information,
}

/// Something to be shown at a place of the text.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) diagnostic: Diagnostic,
    pub(super) severity: Severity,
}

/// What is known of one specification of a text, wherever its texts stand.
#[derive(Debug)]
struct Linted {
    findings: Vec<Placed>,
    /// What `lint` says of it in whole sentences.
    points: Vec<String>,
}

/// A finding, by the text of the specification that it stands in.
#[derive(Debug)]
struct Placed {
    /// Which of the texts.
    text: usize,
    /// With its place from the beginning of that text.
    diagnostic: Diagnostic,
}

/// What earlier looks at a document found, by the texts and options of specifications: what stays is not looked at again.
#[derive(Clone, Debug, Default)]
pub(super) struct Known(HashMap<String, Arc<Linted>>);

/// A specification of a document.
#[derive(Debug)]
pub(super) struct KnownSpec {
    pub(super) spec: Spec,
    /// The options for it.
    pub(super) settings: Settings,
    /// What `lint` says of it in whole sentences; none before that is known.
    pub(super) points: Vec<String>,
}

/// What is known of a document.
#[derive(Debug, Default)]
pub(super) struct Examined {
    pub(super) findings: Vec<Finding>,
    pub(super) specs: Vec<KnownSpec>,
    pub(super) known: Known,
}

/// What a text is, before anything is computed: what is wrong with it, and its specifications.
fn read(text: &str, path: &str, settings: &DocumentSettings) -> Examined {
    let file = parse_file(text.as_bytes());
    let error = |diagnostic: &Diagnostic| Finding { diagnostic: diagnostic.clone(), severity: Severity::Error };
    let mut examined = Examined::default();
    examined.findings.extend(file.diagnostics.iter().map(error));
    for index in 0..file.cores.len() {
        let own = settings.of(path, labels(&file, index));
        match resolve(&file, index, path, &own.overrides) {
            Ok(spec) => examined.specs.push(KnownSpec { spec, settings: own, points: Vec::new() }),
            Err(wrong) => examined.findings.extend(wrong.iter().map(error)),
        }
    }
    examined
}

fn labels(file: &File, index: usize) -> &[String] {
    file.labels.get(index).map_or(&[], Vec::as_slice)
}

/// The same with what `lint` finds. Where the work is to end early, what is left is said to be unknown.
pub(super) fn examine(
    text: &str,
    path: &str,
    settings: &DocumentSettings,
    known: &Known,
    threads: &Threads,
) -> Examined {
    with_lint(read(text, path, settings), text, known, |spec, cap| {
        let found = if halt::requested() { None } else { Some(Arc::new(linted(spec, cap, threads))) };
        // What ended early is not what holds.
        found.filter(|_| !halt::requested()).ok_or_else(|| Some(unknown(spec)))
    })
}

/// The same with what is known of its specifications from an earlier look, and without a new one.
pub(super) fn known_of(text: &str, path: &str, settings: &DocumentSettings, known: &Known) -> Examined {
    with_lint(read(text, path, settings), text, known, |_, _| Err(None))
}

/// Adds what `lint` finds of each specification, or what is said of it instead.
fn with_lint(
    mut examined: Examined,
    text: &str,
    known: &Known,
    lint: impl Fn(&Spec, u32) -> Result<Arc<Linted>, Option<Finding>>,
) -> Examined {
    let mut now = HashMap::new();
    for KnownSpec { spec, settings, points } in &mut examined.specs {
        let cap = settings.suite.precision_cap;
        let texts = spec.texts.iter().filter_map(|s| text.get(s.start..s.end));
        let key = format!("{:?} {cap} {}", settings.overrides, texts.collect::<Vec<_>>().join("\n"));
        let linted = match known.0.get(&key).cloned().map_or_else(|| lint(spec, cap), Ok) {
            Ok(linted) => linted,
            Err(finding) => {
                examined.findings.extend(finding);
                continue;
            }
        };
        points.clone_from(&linted.points);
        let warning = |placed: &Placed| {
            let start = spec.texts.get(placed.text).map_or(0, |t| t.start);
            let Span { start: from, end } = placed.diagnostic.span;
            let span = Span { start: start + from, end: start + end };
            Finding { diagnostic: Diagnostic { span, ..placed.diagnostic.clone() }, severity: Severity::Warning }
        };
        examined.findings.extend(linted.findings.iter().map(warning));
        now.insert(key, linted);
    }
    examined.findings.sort_by_key(|f| (f.diagnostic.span.start, f.diagnostic.span.end));
    examined.known = Known(now);
    examined
}

fn linted(spec: &Spec, cap: u32, threads: &Threads) -> Linted {
    let found = lint(spec, cap, threads);
    let place = |d: &Diagnostic| {
        let inside = |t: &Span| t.start <= d.span.start && d.span.end <= t.end;
        let text = spec.texts.iter().position(inside).unwrap_or(spec.texts.len().saturating_sub(1));
        let start = spec.texts.get(text).map_or(0, |t| t.start);
        let span = Span { start: d.span.start.saturating_sub(start), end: d.span.end.saturating_sub(start) };
        Placed { text, diagnostic: Diagnostic { span, ..d.clone() } }
    };
    Linted { findings: found.findings.iter().map(place).collect(), points: report::lint::points(spec, &found) }
}

/// That there was no time for `lint`.
fn unknown(spec: &Spec) -> Finding {
    let Span { start, end } = spec.core.span;
    let head = Span { start, end: (start + "(FPCore".len()).min(end) };
    let diagnostic = Diagnostic::semantic(head, format!("{} was not examined in the time that there is", spec.name))
        .hint("`magneto lint` takes the time that it needs");
    Finding { diagnostic, severity: Severity::Information }
}
