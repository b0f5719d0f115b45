//! `magneto cover`

use super::code::{self, number, path};
use super::exit::{Exit, Failure};
use super::flags;
use super::interrupt::{self, STOP};
use super::output::Output;
use super::specs;
use clap::{Arg, ArgAction, ArgMatches, Command};
use magneto::code::probe::Question;
use magneto::code::program::{Kind, Program};
use magneto::csp::domain::EmptyRange;
use magneto::halt;
use magneto::options::Settings;
use magneto::reach::coverage::{Coverage, Limits};
use magneto::reach::document::Document;
use magneto::reach::errors::{ends, largest};
use magneto::reach::infeasible::BUDGET;
use magneto::reach::page;
use magneto::reach::replay::replay;
use magneto::spec::Spec;
use std::path::{Path, PathBuf};

pub(crate) fn command() -> Command {
    flags::with_knobs(plain(code::with_code(Command::new("cover"))))
}

fn plain(command: Command) -> Command {
    command
        .about("Inputs that take every branch of a C function, and proofs that the others cannot be taken")
        .after_help(
            "CODE is compiled by clang to WebAssembly, with the branches as the source has them, and run by an \
             interpreter: it can neither crash nor hang magneto. Calls of the mathematical library are the host's own. \
             Mathematical functions and memory are all that the code may use of its surroundings.\n\n\
             With --spec each input is judged by the specification's oracle, and on each branch the input at which the \
             code errs most is looked for; the specification's inputs are those of the function, in order. -o DIR writes cover.json, cover.csv (a row for each branch), report.html (the source with its \
             branches) and tests.csv, which `check` and `eval` take.",
        )
        .arg(Arg::new("spec").long("spec").value_name("SPEC").help("What the function computes: a .fpcore file"))
        .arg(number("evaluations", "200000").help("Runs of the code, at most"))
        .arg(number("judged", "20000").help("With --spec: inputs that are judged while the largest error on each branch is looked for, at most"))
        .arg(number("seed", "0").help("Where the pseudo-random sequence of the search begins"))
        .arg(
            Arg::new("callees")
                .long("callees")
                .action(ArgAction::SetTrue)
                .help("Count the branches of the functions that it calls, too"),
        )
        .arg(Arg::new("native").long("native").action(ArgAction::SetTrue).help(
            "Compile with `cc -O0 --coverage` as well, replay every input there, and compare results and gcov's branches; exit \
             code 1 where a result differs",
        ))
        .arg(
            Arg::new("min-coverage")
                .long("min-coverage")
                .value_name("SHARE")
                .value_parser(share)
                .help("Exit code 1 if less of the branches is taken, those proved infeasible left out: 0 to 1"),
        )
        .arg(
            Arg::new("goal")
                .long("goal")
                .value_name("GOAL")
                .default_value("branch")
                .value_parser(["branch", "boundary", "overflow", "nan", "inf", "div0", "assert"])
                .help(
                    "What inputs are looked for: every branch; both sides of each comparison equal and just beside each \
                     other; an operation on floats that overflows, makes a NaN or an infinity; a divisor of 0; a failing \
                     assertion",
                ),
        )
        .arg(path("lcov", "FILE").long("lcov").help("Write the coverage in lcov's format"))
        .arg(
            path("output", "DIR")
                .short('o')
                .long("output")
                .help("Write cover.json, cover.csv, report.html and tests.csv there"),
        )
}

fn share(text: &str) -> Result<f64, String> {
    let x: f64 = text.parse().map_err(|_| "expected a number from 0 to 1".to_owned())?;
    if (0.0..=1.0).contains(&x) { Ok(x) } else { Err("expected a number from 0 to 1".to_owned()) }
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    if question(matches).is_some() && (matches.get_flag("native") || matches.contains_id("lcov")) {
        return Err(Failure::usage("--native and --lcov are about branches, and --goal asks for something else"));
    }
    let program = code::program(matches, question(matches))?;
    let settings = flags::settings("cover", matches)?;
    let spec = match matches.get_one::<String>("spec") {
        Some(_) => Some(specification(matches, &settings, &program, output)?),
        None => None,
    };
    let functions = if matches.get_flag("callees") { program.reached() } else { vec![program.entry] };
    interrupt::listen();
    let work = || document(matches, &program, &functions, spec.as_ref().map(|s| (s, settings.suite.precision_cap)));
    let (document, stopped) = halt::watched(Some(&STOP), None, work);
    let document = document?;
    save(matches, &document, spec.as_ref().map(|s| s.name.as_str()))?;
    if output.json {
        output.print_json(&document)?;
    } else {
        output.print(document.text())?;
    }
    if stopped.is_some() {
        output.note("interrupted: what was found by then is all that is told");
        return Ok(Exit::Interrupted);
    }
    let wrong = document.runs.iter().any(|r| r.verdict.as_deref() == Some("KO"));
    let differs = document.native.as_ref().is_some_and(|n| !n.different.is_empty());
    let too_few = matches.get_one::<f64>("min-coverage").is_some_and(|least| document.coverage() < *least);
    Ok(if wrong || too_few || differs { Exit::Gate } else { Exit::Passed })
}

/// What is found and proved; with a specification and the last precision of its ladder, judged.
fn document(
    matches: &ArgMatches,
    program: &Program,
    functions: &[u32],
    spec: Option<(&Spec, u32)>,
) -> Result<Document, Failure> {
    let limit = |id: &str| matches.get_one::<u64>(id).copied().unwrap_or(0);
    let limits = Limits { evaluations: limit("evaluations"), seed: limit("seed") };
    let mut coverage = Coverage::new(program, functions, limits);
    let empty = |e: EmptyRange| Failure::usage(e.to_string());
    if let Some((spec, _)) = spec {
        let kinds: Vec<Kind> = program.inputs.iter().map(|i| i.kind).collect();
        coverage.search_within(&ends(spec, &kinds).map_err(empty)?);
    }
    coverage.search_and_prove(BUDGET);
    let mut document = Document::new(program, &coverage, functions);
    if let Some((spec, cap)) = spec {
        // Errors are looked for along branches.
        if program.module.asked.is_none() {
            let worst = largest(program, &coverage, spec, (limit("judged"), cap)).map_err(empty)?;
            document.add_worst(program, &worst);
        }
        document.judge(spec, cap);
    }
    if matches.get_flag("native") && !halt::requested() {
        let inputs = document.runs.iter().map(|r| r.bits.clone()).collect();
        let replayed =
            replay(program, (&code::paths(matches, "code"), &code::compiler_flags(matches)), inputs, &coverage.goals);
        document.native = Some(replayed.map_err(|e| Failure::usage(format!("--native: {e}")))?);
    }
    Ok(document)
}

/// What is asked of operations; none where branches are the goal.
fn question(matches: &ArgMatches) -> Option<Question> {
    match matches.get_one::<String>("goal").map_or("branch", String::as_str) {
        "boundary" => Some(Question::Boundary),
        "overflow" => Some(Question::Overflow),
        "nan" => Some(Question::Nan),
        "inf" => Some(Question::Infinity),
        "div0" => Some(Question::DivisionByZero),
        "assert" => Some(Question::Assertion),
        _ => None,
    }
}

/// The specification, with as many inputs as the function.
fn specification(
    matches: &ArgMatches,
    settings: &Settings,
    program: &Program,
    output: &Output,
) -> Result<Spec, Failure> {
    let loaded = specs::load_single(matches, settings, output)?;
    if loaded.spec.accuracy_defaulted {
        output.note(format!("the specification states no accuracy; {} holds by default", loaded.spec.accuracy));
    }
    if program.result().is_none() {
        return Err(Failure::usage("the function returns nothing that a specification could judge"));
    }
    let (asked, taken) = (loaded.spec.inputs.len(), program.inputs.len());
    if asked == taken {
        return Ok(loaded.spec);
    }
    Err(Failure::usage(format!("{} has {asked} inputs, and the function takes {taken}", loaded.spec.name)))
}

fn save(matches: &ArgMatches, document: &Document, specification: Option<&str>) -> Result<(), Failure> {
    let write = |path: &Path, text: Vec<u8>| {
        std::fs::write(path, text).map_err(|e| Failure::usage(format!("{}: {e}", path.display())))
    };
    if let Some(file) = matches.get_one::<PathBuf>("lcov") {
        write(file, document.lcov().into_bytes())?;
    }
    let Some(dir) = matches.get_one::<PathBuf>("output") else { return Ok(()) };
    std::fs::create_dir_all(dir).map_err(|e| Failure::usage(format!("{}: {e}", dir.display())))?;
    write(&dir.join("cover.json"), magneto::record::json::text(document))?;
    write(&dir.join("cover.csv"), document.csv().into_bytes())?;
    write(&dir.join("report.html"), page::html(document, specification).into_bytes())?;
    write(&dir.join("tests.csv"), document.tests().into_bytes())
}
