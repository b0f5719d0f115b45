//! `magneto cover`

mod covered;
mod project;

use self::covered::{Covered, FILES};
use super::code::{self, CodeArgs};
use super::exit::{Exit, Failure};
use super::interrupt::{self, STOP};
use super::native::{self, NativeArgs, NativePrograms};
use super::output::Output;
use super::shards::{self, Sharded};
use super::specs::Loaded;
use super::{destination, flags, specs};
use clap::{ArgMatches, Args, Command, ValueEnum};
use magneto::code::probe::ProbeQuestion;
use magneto::code::program::CodeProgram;
use magneto::floats::BitsKind;
use magneto::halt;
use magneto::options::Settings;
use magneto::reach::attack::{attack, claims};
use magneto::reach::coverage::{Coverage, CoverageLimits};
use magneto::reach::infeasible::BUDGET;
use magneto::reach::replay::{Replayed, replay};
use magneto::record::cover::{CoveredFunction, CoveredFunctions, RefusedFunction};
use magneto::record::json::{self, Versioned};
use magneto::record::store::{self, FolderClaim, Mark};
use magneto::report::cover::LCOV;
use magneto::report::cover::cases::groups;
use magneto::report::{html, junit};
use magneto::spec::{EmptyRange, Spec};
use magneto::threads::{self, Threads};
use magneto::worst::branches::{ends, largest};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Inputs that take every branch of a C function, and proofs that the others cannot be taken
#[derive(Args, Clone)]
#[group(skip)]
struct Options {
    #[command(flatten)]
    code: CodeArgs,
    /// The function. Repeatable. Default: those of the C files that magneto.toml names as implementations of CODE, which
    /// then are specifications, folders and patterns, or of all for which it names one
    #[arg(long = "fn", value_name = "NAME")]
    functions: Vec<String>,
    /// Every function that the files define, with one build and one table
    #[arg(long, conflicts_with_all = ["functions", "spec", "shard"])]
    all: bool,
    /// What the function computes: a .fpcore file
    #[arg(long, value_name = "SPEC")]
    spec: Option<String>,
    #[command(flatten)]
    _formula: specs::FormulaArgs,
    /// Runs of the code, at most
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    evaluations: u64,
    /// Search and proofs of a function end after so many seconds. What is found then depends on the machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    seconds: Option<u32>,
    /// With --spec: inputs that are judged while the largest error on each branch is looked for, at most
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    judged: u64,
    /// Where the pseudo-random sequence of the search begins
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Count the branches of the functions that it calls, too
    #[arg(long)]
    callees: bool,
    /// Look at every proof again, by a second, simpler evaluation; exit code 70 if one does not hold
    #[arg(long)]
    check: bool,
    /// Exit code 1 if of some function less of the branches is taken, those proved infeasible left out: 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    min_coverage: Option<f64>,
    /// What inputs are looked for: every branch; both sides of each comparison equal and just beside each other; an
    /// operation on floats that overflows, makes a NaN or an infinity; a divisor of 0; a failing assertion
    #[arg(long, value_name = "GOAL", value_enum, default_value_t = Sought::Branch)]
    goal: Sought,
    /// Write the coverage in lcov's format
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
    /// Also write a JUnit file: a suite for each function, a case for each branch
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    native: NativeArgs,
    #[command(flatten)]
    part: Sharded,
}

/// What `--goal` is about.
#[derive(Clone, Copy, ValueEnum)]
enum Sought {
    Branch,
    Boundary,
    Overflow,
    Nan,
    Inf,
    Div0,
    Assert,
}

impl Sought {
    /// What is asked of operations; none where branches are the goal.
    fn question(self) -> Option<ProbeQuestion> {
        match self {
            Sought::Branch => None,
            Sought::Boundary => Some(ProbeQuestion::Boundary),
            Sought::Overflow => Some(ProbeQuestion::Overflow),
            Sought::Nan => Some(ProbeQuestion::Nan),
            Sought::Inf => Some(ProbeQuestion::Infinity),
            Sought::Div0 => Some(ProbeQuestion::DivisionByZero),
            Sought::Assert => Some(ProbeQuestion::Assertion),
        }
    }
}

pub(crate) fn command() -> Command {
    let command = code::optional(flags::command::<Options>(
        "cover",
        "CODE is compiled by clang to WebAssembly, with the branches as the source has them, and run by an \
         interpreter: it can neither crash nor hang magneto. Calls of the mathematical library are the host's own. \
         Mathematical functions and memory are all that the code may use of its surroundings.\n\n\
         With --spec each input is judged by the specification's oracle, and on each branch the input at which the \
         code errs most is looked for; the specification's inputs are those of the function, in order. -o DIR writes \
         cover.json, cover.csv (a row for each branch), report.html (the source with its branches) and tests.csv, which \
         `check` and `eval` take. Of several functions each has a folder of its own in DIR, and cover.json there has all \
         of them.\n\n\
         --shard deals out functions. One function is not divided, since an input that is found for one of its branches \
         is tried for all others: parts beyond the number of functions are empty.\n\n\
         Without --fn all C files that magneto.toml names as [[implementation]] are looked into, side by side, each with its \
         specification. -o DIR then has covers.json and a folder for each.\n\n\
         Exit codes: 0; 1 a result is wrong by --spec or another one in the native program, or --min-coverage is not met; 2 usage, \
         code or another input cannot be taken; 70 a proof does not hold, a bug; 130 interrupted",
    ));
    shards::with_output_help(command, "Write cover.json, cover.csv, report.html and tests.csv there")
}

/// To look at a proof again so many times more instructions are allowed.
const AGAIN: u64 = 10;

fn share(text: &str) -> Result<f64, String> {
    let x: f64 = text.parse().map_err(|_| "expected a number from 0 to 1".to_owned())?;
    if (0.0..=1.0).contains(&x) { Ok(x) } else { Err("expected a number from 0 to 1".to_owned()) }
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let question = options.goal.question();
    if question.is_some() && options.lcov.is_some() {
        return Err(Failure::usage("--lcov is about branches, and --goal asks for something else"));
    }
    if options.functions.is_empty() && !options.all {
        if options.junit.is_some() {
            return Err(Failure::usage_hint(
                "--junit is for functions of CODE",
                "--lcov FILE has the implementations of magneto.toml",
            ));
        }
        return project::run(matches, &options, &flags::settings("cover", matches)?, output);
    }
    if options.code.code.is_empty() {
        return Err(Failure::usage_hint("no code is given", "write magneto cover CODE --fn NAME"));
    }
    let settings = flags::settings("cover", matches)?;
    let functions = Threads::new(settings.suite.jobs);
    // A specification has no inputs for these.
    let has_objects = options.spec.is_none();
    let (mut programs, refused) = interrupt::stoppable(|| match options.all {
        true => code::all_programs(&options.code, question, (&functions, has_objects), output),
        false => Ok((code::programs(&options.code, &options.functions, (question, has_objects), output)?, Vec::new())),
    })?;
    if options.spec.is_some() {
        programs.iter_mut().for_each(CodeProgram::always_allocate);
    }
    if options.part.shard.is_none() {
        let names: Vec<_> = programs.iter().map(CodeProgram::full_name).collect();
        free(matches, &options, names.iter().map(|name| &**name))?;
    }
    let mut items = Vec::new();
    for program in &programs {
        items.push((program.full_name().into_owned(), sources(&options)?));
    }
    let part = shards::part(matches, (&["cover"], &command()), &options.part, settings.fingerprint(), &items, output)?;
    let spec = match &options.spec {
        Some(spec) => Some(specification(spec, &settings, &programs, output)?),
        None => None,
    };
    let own = shards::own(part.as_ref(), programs.len());
    let done = AtomicUsize::new(0);
    let natives = NativePrograms::of(&options.native, &options.code);
    let one = |place: &usize| {
        let program = &programs[*place];
        if own.len() > 1 {
            output.progress(&format!(
                "{}/{} functions, {}",
                done.load(Ordering::Relaxed),
                own.len(),
                program.full_name()
            ));
        }
        let covered = (!halt::requested()).then(|| covered_by(&options, program, (spec.as_ref(), &natives), output));
        done.fetch_add(1, Ordering::Relaxed);
        covered
    };
    let work = || threads::deep(|| functions.side_by_side(1, &own, one));
    let (covered, stopped) = halt::watched(Some(&STOP), None, work);
    output.progress("");
    let covered: Vec<Covered> = covered.into_iter().map_while(|found| found).collect::<Result<_, _>>()?;
    if let Some(part) = part {
        return part.save(&covered, stopped.is_some(), output);
    }
    let exit = write_functions(matches, covered, refused, output)?;
    if stopped.is_some() {
        output.note("interrupted: what was found by then is all that is told");
        return Ok(Exit::Interrupted);
    }
    Ok(exit)
}

/// The text of the code and of the specification, by which parts know that they are about the same.
fn sources(options: &Options) -> Result<Vec<u8>, Failure> {
    let mut all = Vec::new();
    let spec = options.spec.as_ref().map(PathBuf::from).filter(|p| p.is_file());
    for path in options.code.code.iter().chain(&spec) {
        all.extend(std::fs::read(path).map_err(|e| Failure::unread(path, &e, &["c", "cpp", "cc", "fpcore"]))?);
        all.push(0);
    }
    Ok(all)
}

/// What is found and proved of a function, and its files.
fn covered_by(
    options: &Options,
    program: &CodeProgram,
    (spec, natives): (Option<&Loaded>, &NativePrograms<'_>),
    output: &Output,
) -> Result<Covered, Failure> {
    let functions = if options.callees { program.reached_in_source() } else { vec![program.entry] };
    let document = document(options, program, (&functions, spec, natives), output)?;
    let page = html::code::page(&document);
    let texts = [("cover.csv", document.csv()), ("report.html", page), ("tests.csv", document.tests())];
    let module = if document.module.is_some() { program.module.bytes.clone() } else { Arc::default() };
    Ok(Covered { texts: texts.map(|(name, text)| (name.to_owned(), text)).into(), document, module })
}

/// What is written for these functions must not be there, unless it is of an earlier run.
fn free<'a>(
    matches: &ArgMatches,
    options: &Options,
    functions: impl ExactSizeIterator<Item = &'a str>,
) -> Result<(), Failure> {
    let folders = if functions.len() == 1 { Vec::new() } else { store::folders(functions) };
    let names: Vec<&str> = FILES.into_iter().chain(folders.iter().map(String::as_str)).collect();
    destination::file(matches, options.lcov.as_deref(), LCOV)?;
    destination::file(matches, options.junit.as_deref(), junit::KIND)?;
    let own = FolderClaim::Own(&names, Mark { file: "cover.json", schema: "magneto/cover" });
    destination::folder(matches, options.part.output.as_deref(), &own)
}

/// Ends a run of which all parts are there.
pub(super) fn end(matches: &ArgMatches, found: Vec<Value>, output: &Output) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    match options.functions.is_empty() {
        true => project::end(matches, shards::read(found)?, output),
        false => write_functions(matches, shards::read(found)?, Vec::new(), output),
    }
}

/// Tells what became of all functions, writes their files, and says how that ends.
fn write_functions(
    matches: &ArgMatches,
    covered: Vec<Covered>,
    refused: Vec<RefusedFunction>,
    output: &Output,
) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let documents: Vec<&CoveredFunction> = covered.iter().map(|c| &c.document).collect();
    free(matches, &options, documents.iter().map(|d| d.function.as_str()))?;
    let (wrong, too_few, differs) = gates(&options, &documents);
    let refuted = refuted(&documents);
    let all = CoveredFunctions { functions: documents.iter().map(|d| Versioned((*d).clone())).collect(), refused };
    let texts: String = match options.all {
        true => all.text(),
        false => documents.iter().map(|d| d.text()).collect(),
    };
    let lcov: String = documents.iter().map(|d| d.lcov()).collect();
    let document = match &documents[..] {
        [one] if !options.all => json::document(one),
        _ => json::document(&all),
    };
    let cases = || junit::document("magneto cover", &groups(&all)).map_err(Failure::usage);
    destination::write(matches, options.junit.as_deref(), junit::KIND, cases)?;
    save(matches, &options, &covered, &document, lcov)?;
    match output.json {
        true => output.print(document)?,
        false => output.say_verdicts(texts)?,
    }
    if !refuted.is_empty() {
        return Err(Failure { exit: Exit::Bug, messages: refuted });
    }
    Ok(if wrong || too_few || differs { Exit::Gate } else { Exit::Passed })
}

/// What is to be said of proofs that do not hold.
fn refuted(documents: &[&CoveredFunction]) -> Vec<String> {
    let bug = |place: String| {
        format!("error: a bug in magneto: {place} was proved infeasible and is not; please report it\n")
    };
    documents.iter().flat_map(|d| d.refuted()).map(bug).collect()
}

/// Whether a result is wrong, too few branches are taken, and the native program does something else.
fn gates(options: &Options, documents: &[&CoveredFunction]) -> (bool, bool, bool) {
    let mut runs = documents.iter().flat_map(|d| &d.runs);
    let wrong = runs.any(|r| r.verdict.as_deref() == Some("KO"));
    let too_few = options.min_coverage.is_some_and(|least| documents.iter().any(|d| d.coverage() < least));
    let mut natives = documents.iter().filter_map(|d| d.native.as_ref());
    (wrong, too_few, natives.any(Replayed::differs))
}

/// What is found and proved; with a specification, judged.
fn document(
    options: &Options,
    program: &CodeProgram,
    (functions, loaded, natives): (&[u32], Option<&Loaded>, &NativePrograms<'_>),
    output: &Output,
) -> Result<CoveredFunction, Failure> {
    let limits = CoverageLimits { evaluations: options.evaluations, seed: options.seed };
    let mut coverage = Coverage::new(program, functions, limits);
    match options.native.compiles() {
        true => coverage.share(&natives.machine_code(&program.module)),
        false => coverage.interpret(),
    }
    if options.seconds.is_some() {
        coverage.ends_in_time();
    }
    let empty = |e: EmptyRange| Failure::usage(e.to_string());
    if let Some(Loaded { spec, .. }) = loaded {
        let kinds: Vec<BitsKind> = program.inputs.iter().map(|i| i.kind).collect();
        coverage.search_within(&ends(spec, &kinds).map_err(empty)?);
    }
    let mut search = || {
        coverage.search_and_prove(BUDGET);
        if options.check {
            coverage.recheck(AGAIN * BUDGET);
        }
    };
    match options.seconds {
        Some(seconds) => halt::limited(Some(&STOP), Duration::from_secs(seconds.into()), search),
        None => search(),
    }
    let native = natives.build(program, output)?;
    let attacked = match &native {
        Some(native) => native::answer(&options.native, attack(program, native, &mut coverage), output)?,
        None => None,
    };
    let mut document = CoveredFunction::new(program, &coverage, functions);
    if let Some(Loaded { spec, source, settings, .. }) = loaded {
        let cap = settings.suite.precision_cap;
        // Errors are looked for along branches.
        if program.module.asked.is_none() {
            let worst = largest(program, &coverage, spec, options.judged, cap).map_err(empty)?;
            document.add_worst(program, &worst);
        }
        document.judge(spec, source, cap);
    }
    if let Some(native) = native.filter(|_| !halt::requested()) {
        let inputs = document.runs.iter().map(|r| r.bits.clone()).collect();
        let replayed = replay(program, &native, inputs, attacked, &claims(&coverage));
        let is_contradicted = native::contradicts_assumptions(program, &replayed);
        if !is_contradicted {
            document.native = native::answer(&options.native, replayed, output)?;
        }
        let differs = document.native.as_ref().is_some_and(Replayed::differs);
        if (differs || is_contradicted) && document.withdraw_proofs() {
            let does = if differs { "what the module does" } else { "what proofs take for granted" };
            output.note(format!(
                "{}: nothing is called infeasible, since the native program does not do {does}",
                program.name()
            ));
        }
    }
    Ok(document)
}

/// The specification, with as many inputs as each function.
fn specification(
    spec: &str,
    settings: &Settings,
    programs: &[CodeProgram],
    output: &Output,
) -> Result<Loaded, Failure> {
    let loaded = specs::load_single(spec, settings, output)?;
    if loaded.spec.accuracy_defaulted {
        output.note(format!("the specification states no accuracy; {} holds by default", loaded.spec.accuracy));
    }
    fits(&loaded.spec, programs)?;
    Ok(loaded)
}

/// That a specification can judge what some functions return.
fn fits(spec: &Spec, programs: &[CodeProgram]) -> Result<(), Failure> {
    let asked = spec.inputs.len();
    let formats = spec.inputs.iter().map(|i| i.format).chain([spec.result_format]);
    if formats.into_iter().any(|f| f.is_fixed() && f.least_exponent() != 0) {
        let message = format!("{} has fixed-point numbers, which the code has as integers of another scale", spec.name);
        return Err(Failure::usage_hint(message, "`magneto check` and `magneto worst` take such specifications"));
    }
    for program in programs {
        let which = if programs.len() > 1 { program.full_name() } else { "the function".into() };
        let taken = program.inputs.len();
        if program.result().is_none() {
            return Err(Failure::usage(format!("{which} returns nothing that a specification could judge")));
        }
        if asked != taken {
            return Err(Failure::usage(format!("{} has {asked} inputs, and {which} takes {taken}", spec.name)));
        }
    }
    Ok(())
}

fn save(
    matches: &ArgMatches,
    options: &Options,
    covered: &[Covered],
    document: &[u8],
    lcov: String,
) -> Result<(), Failure> {
    destination::write(matches, options.lcov.as_deref(), LCOV, || Ok(lcov.into_bytes()))?;
    let Some(dir) = &options.part.output else { return Ok(()) };
    let files = covered::files(covered, document);
    Ok(store::write(dir, &files, &[])?)
}
