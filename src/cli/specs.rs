//! SPEC arguments: files, cores picked by name, standard input.

use super::exit::Failure;
use super::heartbeat;
use super::interrupt;
use super::output::Output;
use super::sources;
use super::written;
use clap::Args;
use clap::builder::PossibleValuesParser;
use magneto::infix::{Notation, Places};
use magneto::options::Settings;
use magneto::spec::pick::{self, list, read_source, read_stdin, split};
use magneto::spec::{File, Spec, parse_file, resolve};
use magneto::text::{Diagnostic, DiagnosticKind, line_column, quote};
use magneto::threads::Threads;
use magneto::unfit::Unfit;
use std::path::Path;
use std::sync::Arc;

/// A specification with the text of its file.
pub(crate) struct Loaded {
    pub(crate) spec: Spec,
    pub(crate) source: Arc<Vec<u8>>,
    /// The options for it: those of the command, and of the sections of `magneto.toml` that mean it.
    pub(crate) settings: Arc<Settings>,
    /// Of a formula of the command line what was written, and where its parts stand there.
    written: Option<Arc<(String, Places)>>,
}

impl Loaded {
    /// A message about the specification as a whole, with the place of its core.
    pub(crate) fn message(&self, kind: &str, text: &str) -> String {
        let (line, column) = match &self.written {
            Some(_) => (1, 1),
            None => line_column(&self.source, self.spec.core.span.start),
        };
        format!("{kind}: {}:{line}:{column}: {}: {text}\n", self.shown(), self.spec.name)
    }

    /// A finding at its place in the text that a person wrote, which is [`Loaded::text`].
    pub(crate) fn placed(&self, finding: &Diagnostic) -> Diagnostic {
        let span = self.written.as_ref().map_or(finding.span, |written| written.1.written(finding.span));
        Diagnostic { span, ..finding.clone() }
    }

    /// The text that a person wrote: that of the file, or the formula.
    pub(crate) fn text(&self) -> &[u8] {
        self.written.as_ref().map_or(&self.source, |written| written.0.as_bytes())
    }

    /// The name of the file in messages.
    pub(crate) fn shown(&self) -> &str {
        shown(&self.spec.source_file)
    }

    /// The options for it in a run that has more to say than files and flags: the inputs of `--with`.
    pub(crate) fn settings_of(&self, run: &Settings) -> Settings {
        let mut own = Settings::clone(&self.settings);
        own.suite.given.clone_from(&run.suite.given);
        own
    }

    /// Says what a run should not go by: findings of `lint` of which no score says anything.
    pub(crate) fn warnings(&self, threads: &Threads) -> Vec<String> {
        let all = magneto::lint::serious(&self.spec, self.settings.suite.precision_cap, threads);
        all.iter().map(|d| warning(&self.placed(d), self.shown(), self.text())).collect()
    }
}

pub(super) fn shown(path: &str) -> &str {
    if path == "-" { "<stdin>" } else { path }
}

/// A formula on the command line.
#[derive(Args, Clone)]
#[group(skip)]
pub(crate) struct FormulaArgs {
    /// A formula in the place of SPEC, with its inputs: 'x: [0,1], y: (0,inf) -> exp(x) - y^2'. Default: SPEC is a file
    // It is moved to the place of SPEC before clap reads it, see `written`.
    #[arg(long, value_name = "FORMULA")]
    _formula: Option<String>,
    /// How --formula is written; `plain` is what the others agree on
    #[arg(long, value_name = "NOTATION", value_parser = PossibleValuesParser::new(Notation::ALL.map(Notation::name)), default_value = "plain")]
    _language: String,
}

/// The argument of a command that takes one specification.
#[derive(Args)]
#[group(skip)]
pub(crate) struct OneSpec {
    /// An FPCore file; `file.fpcore:name` picks one of its FPCores by :name or identifier, `-` is standard input
    #[arg(value_name = "SPEC")]
    pub(crate) spec: String,
    #[command(flatten)]
    _formula: FormulaArgs,
}

/// The arguments of a command that takes several specifications.
#[derive(Args)]
#[group(skip)]
pub(crate) struct ManySpecs {
    /// An FPCore file; `file.fpcore:name` picks one of its FPCores by :name or identifier, `-` is standard input; a folder
    /// stands for all .fpcore files below it, a pattern such as 'specs/*.fpcore' for those that fit
    #[arg(value_name = "SPEC", required = true)]
    pub(crate) spec: Vec<String>,
    #[command(flatten)]
    _formula: FormulaArgs,
}

/// What becomes of an FPCore that is no specification.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unreadable {
    /// It is an error, unless it is unsupported and the options say that such are left out.
    Refused,
    /// It is left out with a note, whatever is wrong with it.
    LeftOut,
}

/// The specifications of one file, or everything that is wrong with any of them.
pub(crate) fn load(spec: &str, settings: &Settings, output: &Output) -> Result<Vec<Loaded>, Failure> {
    interrupt::may_leave(|| load_files((&[spec.to_owned()], Vec::new()), Unreadable::Refused, settings, output))
}

/// The specifications of files, folders and patterns, or everything that is wrong with any of them.
pub(crate) fn load_named(given: &[String], settings: &Settings, output: &Output) -> Result<Vec<Loaded>, Failure> {
    let (files, messages) = sources::expand(given.iter());
    interrupt::may_leave(|| load_files((&files, messages), Unreadable::Refused, settings, output))
}

/// The same without the FPCores that cannot be read, of which notes tell.
pub(crate) fn load_readable(given: &[String], settings: &Settings, output: &Output) -> Result<Vec<Loaded>, Failure> {
    let (files, messages) = sources::expand(given.iter());
    interrupt::may_leave(|| load_files((&files, messages), Unreadable::LeftOut, settings, output))
}

fn load_files(
    (files, mut messages): (&[String], Vec<String>),
    unreadable: Unreadable,
    settings: &Settings,
    output: &Output,
) -> Result<Vec<Loaded>, Failure> {
    sources::unmatched(settings).iter().for_each(|warning| output.message(warning));
    let mut loaded = Vec::new();
    for file in files {
        match load_one(file, unreadable, settings, output) {
            Ok(mut more) => loaded.append(&mut more),
            Err(more) => messages.extend(more),
        }
    }
    if messages.is_empty() {
        return Ok(loaded);
    }
    // A file that is given twice has its mistakes once.
    let mut seen = std::collections::HashSet::new();
    messages.retain(|m| seen.insert(m.clone()));
    Err(Failure::rendered(messages))
}

/// The one specification that a command needs.
pub(crate) fn load_single(spec: &str, settings: &Settings, output: &Output) -> Result<Loaded, Failure> {
    only(load(spec, settings, output)?)
}

/// The one specification that a command needs, or those of all results and sizes of one FPCore.
pub(crate) fn load_results(spec: &str, settings: &Settings, output: &Output) -> Result<Vec<Loaded>, Failure> {
    let loaded = load(spec, settings, output)?;
    match loaded.windows(2).all(|pair| pair[0].spec.core.span == pair[1].spec.core.span) && loaded.len() > 1 {
        true => Ok(loaded),
        false => Ok(vec![only(loaded)?]),
    }
}

/// That no option is given that is for one result where a specification has several.
///
/// # Errors
/// One is: `options` has the names of such, each with whether it is given.
pub(crate) fn refuse_several(options: &[(&str, bool)]) -> Result<(), Failure> {
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(Failure::usage_hint(
            format!("{name} is for one specification, and there is one for each result or size"),
            "pick one by FILE.fpcore:NAME, or name the implementation in magneto.toml",
        )),
        None => Ok(()),
    }
}

fn only(mut loaded: Vec<Loaded>) -> Result<Loaded, Failure> {
    match (loaded.pop(), loaded.len()) {
        (Some(one), 0) => Ok(one),
        (Some(last), _) => {
            loaded.push(last);
            let is_alone = |l: &Loaded| loaded.iter().filter(|o| o.spec.core.span == l.spec.core.span).count() == 1;
            let name = |l: &Loaded| l.spec.core.ident.clone().filter(|_| is_alone(l)).unwrap_or(l.spec.name.clone());
            let names: Vec<String> = loaded.iter().map(name).collect();
            let message = format!("{} holds {} FPCores; pick one", loaded[0].shown(), names.len());
            let hint = format!("append :NAME, one of {}", list(&names));
            Err(Failure::usage_hint(message, hint))
        }
        (None, _) => Err(Failure::usage("there is no FPCore")),
    }
}

/// That a specification and a file of tests are not given in each other's place.
pub(crate) fn in_order(spec: &str, command: &str, tests: Option<&Path>) -> Result<(), Failure> {
    let is_spec = |path: &Path| split(&path.to_string_lossy()).0.ends_with(".fpcore");
    match tests {
        Some(tests) if is_spec(tests) && !is_spec(Path::new(spec)) && spec != "-" && !written::is_formula(spec) => {
            let tests = tests.display();
            Err(Failure::usage_hint(
                format!("{tests} is a specification, and stands in the place of the tests"),
                format!("write magneto {command} {tests} {spec}"),
            ))
        }
        _ => Ok(()),
    }
}

fn load_one(
    argument: &str,
    unreadable: Unreadable,
    settings: &Settings,
    output: &Output,
) -> Result<Vec<Loaded>, Vec<String>> {
    let formula = written::formula_of(argument, output).transpose().map_err(|e| vec![e])?;
    let (path, picked) = if formula.is_some() { (written::SHOWN, None) } else { split(argument) };
    let bytes = formula.as_ref().map_or_else(|| read(path), |formula| Ok(formula.printed())).map_err(|e| vec![e])?;
    let file = parse_file(&bytes);
    let source = Arc::new(bytes);
    let shown = shown(path);
    let written = formula.and_then(|formula| {
        let printed = file.cores.first()?.as_ref().ok()?;
        Some(Arc::new((formula.text.clone(), formula.places(printed))))
    });
    let indices = match picked {
        Some(name) => pick::pick_results(&file, name, shown).map_err(|e| vec![rendered(&e)])?,
        None => (0..file.cores.len()).collect(),
    };
    let all = unreadable == Unreadable::LeftOut && picked.is_none();
    let mut messages: Vec<String> = Vec::new();
    match all {
        true => file.diagnostics.iter().for_each(|d| output.message(&warning(d, shown, &source))),
        false => messages.extend(file.diagnostics.iter().map(|d| d.render(shown, &source))),
    }
    if indices.is_empty() && file.diagnostics.is_empty() {
        messages.push(format!("error: {shown}: there is no FPCore in it\nhint: write `(FPCore (x) … body)`\n"));
    }
    let mut loaded = Vec::new();
    for index in indices {
        let labels = file.labels.get(index).map_or(&[][..], Vec::as_slice);
        let own = Arc::new(settings.of_specification(|section| sources::is_meant(&section.about, path, labels)));
        match resolve(&file, index, path, &own.overrides) {
            Ok(spec) => loaded.push(Loaded { spec, source: source.clone(), settings: own, written: written.clone() }),
            Err(list) => {
                let unsupported = list.iter().all(|d| d.kind == DiagnosticKind::Unsupported);
                let may_skip = all || unsupported && settings.skip_unsupported && picked.is_none();
                if let Some(first) = list.first().filter(|_| may_skip) {
                    list.iter().filter(|_| all).for_each(|d| output.message(&warning(d, shown, &source)));
                    let (line, _) = line_column(&source, first.span.start);
                    output.note(format!("{shown}:{line}: skipped {}: {}", label(&file, index), first.message));
                } else {
                    messages.extend(list.iter().map(|d| match &written {
                        Some(written) => {
                            let span = written.1.written(d.span);
                            Diagnostic { span, ..d.clone() }.render(shown, written.0.as_bytes())
                        }
                        None => d.render(shown, &source),
                    }));
                    if unsupported && picked.is_none() && list.iter().all(|d| d.hint.is_none()) {
                        messages.push(SKIP.to_owned());
                    }
                }
            }
        }
    }
    if messages.is_empty() { Ok(loaded) } else { Err(messages) }
}

/// What helps where an FPCore is unsupported.
const SKIP: &str = "hint: --skip-unsupported of gen and lint, or `skip-unsupported = true` in magneto.toml, leaves such \
                    FPCores out\n";

/// A mistake that is no reason to end.
fn warning(mistake: &Diagnostic, shown: &str, source: &[u8]) -> String {
    mistake.render(shown, source).replacen("error:", "warning:", 1)
}

fn read(path: &str) -> Result<Vec<u8>, String> {
    if path == "-" { heartbeat::held(read_stdin) } else { read_source(path) }.map_err(|e| rendered(&e))
}

fn rendered(Unfit { message, hint }: &Unfit) -> String {
    let hint = hint.as_ref().map_or(String::new(), |hint| format!("hint: {hint}\n"));
    format!("error: {message}\n{hint}")
}

/// What a core is called in messages.
fn label(file: &File, index: usize) -> String {
    let labels = file.labels.get(index).map_or(&[][..], Vec::as_slice);
    labels.last().map_or_else(|| format!("core {}", index + 1), |l| quote(l))
}
