//! `magneto cover` of all C functions that a `magneto.toml` names.

use super::super::native::NativePrograms;
use super::{Covered, Options, covered_by, fits, gates, refuted};
use crate::cli::check::files::{FilePlace, Neighbours, ProjectFiles};
use crate::cli::check::pairs::{Pair, Taker, each, items, pairs, specifications, worst};
use crate::cli::code;
use crate::cli::exit::{Exit, Failure};
use crate::cli::flags;
use crate::cli::interrupt::STOP;
use crate::cli::output::Output;
use crate::cli::shards;
use crate::cli::specs::Loaded;
use clap::ArgMatches;
use magneto::cc::SourceType;
use magneto::code::program::CodeProgram;
use magneto::halt;
use magneto::options::Settings;
use magneto::record::Provenance;
use magneto::record::cover::CoveredFunction;
use magneto::record::covers::{BranchCounts, CoveredImplementation, Covers};
use magneto::record::json;
use magneto::record::store::{self, COVERS};
use magneto::report::cover::{LCOV, several};
use magneto::threads::Threads;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What is looked into are functions of C files.
const TAKER: Taker = Taker { stem: "cover", takes: |kind| kind == "c-source", alone: |_| "CODE and --fn".to_owned() };

/// What came of one implementation.
#[derive(Serialize, Deserialize)]
pub(super) struct OneOfAll {
    /// What was found; none where it could not be looked into.
    found: Option<Covered>,
    /// Why not.
    broken: Option<String>,
    /// How that ends.
    exit: u8,
}

/// Looks into all functions of the specifications that are given, or of all that have one.
pub(super) fn run(
    matches: &ArgMatches,
    options: &Options,
    settings: &Settings,
    output: &Output,
) -> Result<Exit, Failure> {
    let loaded = loaded(options, settings, output)?;
    let pairs = pairs(&loaded, settings, options.part.output.as_deref(), &TAKER, output)?;
    let words = (&["cover"][..], &super::command());
    let part = shards::part(matches, words, &options.part, settings.fingerprint(), &items(&pairs), output)?;
    if part.is_none() {
        files(matches, options, &pairs).claim()?;
    }
    let threads = Threads::new(settings.suite.jobs);
    let one = |pair: &Pair<'_>| {
        output.progress(&format!("{}, {}", pair.loaded.spec.name, pair.label));
        cover_one(pair, options, output)
    };
    let (found, stopped) = halt::watched(Some(&STOP), None, || each(&pairs, part.as_ref(), &threads, one));
    output.progress("");
    match part {
        Some(part) => part.save(&found, stopped.is_some(), output),
        None => write_covers(matches, options, (&pairs, found), stopped.is_some(), output),
    }
}

/// Ends a run of which all parts are there.
pub(super) fn end(matches: &ArgMatches, found: Vec<OneOfAll>, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("cover", matches)?;
    let options: Options = flags::options(matches)?;
    let loaded = loaded(&options, &settings, output)?;
    let pairs = pairs(&loaded, &settings, options.part.output.as_deref(), &TAKER, output)?;
    write_covers(matches, &options, (&pairs, found), false, output)
}

/// The specifications, which stand in the place of code.
fn loaded(options: &Options, settings: &Settings, output: &Output) -> Result<Vec<Loaded>, Failure> {
    const CODE: [&str; 6] = ["c", "cc", "cpp", "cxx", "h", "wasm"];
    let is_code = |path: &&PathBuf| path.extension().is_some_and(|e| CODE.iter().any(|c| e == *c));
    let hint = "--fn NAME says which; specifications stand alone, with their implementations in magneto.toml";
    if let Some(code) = options.code.code.iter().find(is_code) {
        return Err(Failure::usage_hint(format!("no function of {} is named", code.display()), hint));
    }
    if options.spec.is_some() {
        return Err(Failure::usage_hint("--spec says of no function what it computes", hint));
    }
    let given: Vec<String> = options.code.code.iter().map(|p| p.to_string_lossy().into_owned()).collect();
    specifications(&given, settings, &TAKER, output)
}

/// The folders of the implementations, in order: of the specification's name where that has one.
fn folders(pairs: &[Pair<'_>]) -> Vec<String> {
    let name = |p: &Pair<'_>| match p.stem == TAKER.stem {
        true => p.loaded.spec.name.clone(),
        false => format!("{} {}", p.loaded.spec.name, p.label),
    };
    let names: Vec<String> = pairs.iter().map(name).collect();
    store::folders(names.iter().map(String::as_str))
}

/// The files of a run.
fn files<'a>(matches: &'a ArgMatches, options: &'a Options, pairs: &[Pair<'_>]) -> ProjectFiles<'a> {
    ProjectFiles {
        matches,
        dir: options.part.output.as_deref(),
        overview: COVERS,
        beside: Neighbours::None("magneto/covers"),
        places: folders(pairs).into_iter().map(|folder| FilePlace { folder, names: Vec::new() }).collect(),
        aside: options.lcov.as_deref(),
        aside_kind: LCOV,
    }
}

/// What came of one implementation; one that cannot be looked into is no reason to leave the others.
fn cover_one(pair: &Pair<'_>, options: &Options, output: &Output) -> OneOfAll {
    match looked_into(pair, options, output) {
        Ok(found) => {
            let (wrong, too_few, differs) = gates(options, &[&found.document]);
            let exit = match () {
                () if !refuted(&[&found.document]).is_empty() => Exit::Bug,
                () if wrong || too_few || differs => Exit::Gate,
                () => Exit::Passed,
            };
            OneOfAll { found: Some(found), broken: None, exit: exit as u8 }
        }
        Err(failure) => OneOfAll { found: None, broken: Some(failure.why()), exit: Exit::Harness as u8 },
    }
}

fn looked_into(pair: &Pair<'_>, options: &Options, output: &Output) -> Result<Covered, Failure> {
    let spec = &pair.loaded.spec;
    let mut own = options.clone();
    own.code.code = vec![PathBuf::from(pair.file("c-source").unwrap_or_default())];
    own.functions = vec![pair.said("fn").unwrap_or_default()];
    if let Some(signature) = pair.said("signature") {
        own.code.means(&signature);
    }
    let programs = |own: &Options| {
        let mut all = code::programs(&own.code, &own.functions, (own.goal.question(), false), output)?;
        all.iter_mut().for_each(CodeProgram::always_allocate);
        Ok::<_, Failure>(all)
    };
    let mut found = programs(&own)?;
    let behind = found.first().map(|program| Behind::of(program, spec.inputs.len())).unwrap_or_default();
    if let Some(parameter) = behind.inputs.filter(|_| spec.inputs.len() != 1) {
        own.code.reads(&parameter, spec.inputs.len());
        found = programs(&own)?;
    }
    let Some(program) = found.first() else { return Err(Failure::usage("there is no function")) };
    let natives = NativePrograms::of(&own.native, &own.code);
    if behind.result {
        output.note(format!(
            "{}, {}: the result is behind a pointer; branches are looked for, and no result is judged",
            spec.name, pair.label
        ));
        return covered_by(&own, program, (None, &natives), output);
    }
    fits(spec, std::slice::from_ref(program))?;
    covered_by(&own, program, (Some(pair.loaded), &natives), output)
}

/// What a function has behind pointers, in the forms in which `check` calls functions of C.
#[derive(Debug, Default, PartialEq, Eq)]
struct Behind {
    /// The parameter that points to all inputs, if one does.
    inputs: Option<String>,
    /// Whether the last parameter points to the result.
    result: bool,
}

impl Behind {
    /// Of a function for so many inputs.
    fn of(program: &CodeProgram, inputs: usize) -> Self {
        let Some(source) = &program.source else { return Behind::default() };
        let is_pointer = |(_, kind): &&(String, SourceType)| matches!(kind, SourceType::Pointer(..));
        let pointers: Vec<&String> = source.parameters.iter().filter(is_pointer).map(|(name, _)| name).collect();
        let numbers = source.parameters.len() - pointers.len();
        let is_last = |pointer: &String| source.parameters.last().is_some_and(|(name, _)| name == pointer);
        match pointers[..] {
            [all] if numbers == 0 => Behind { inputs: Some(all.clone()), result: false },
            [all, result] if numbers == 0 && is_last(result) => Behind { inputs: Some(all.clone()), result: true },
            [result] if numbers == inputs && is_last(result) => Behind { inputs: None, result: true },
            _ => Behind::default(),
        }
    }
}

/// Writes and shows what was found.
fn write_covers(
    matches: &ArgMatches,
    options: &Options,
    (pairs, found): (&[Pair<'_>], Vec<OneOfAll>),
    interrupted: bool,
    output: &Output,
) -> Result<Exit, Failure> {
    let exits: Vec<u8> = found.iter().map(|one| one.exit).collect();
    let exit = worst(&exits, interrupted || found.len() < pairs.len());
    let files = files(matches, options, pairs);
    let folders = files.places.iter().map(|place| &place.folder);
    let one = |((pair, folder), one): ((&Pair<'_>, &String), &OneOfAll)| CoveredImplementation {
        specification: pair.loaded.spec.name.clone(),
        requirement: pair.loaded.spec.requirement.clone(),
        implementation: pair.label.clone(),
        folder: folder.clone(),
        exit: one.exit,
        counts: one.found.as_ref().map(|f| BranchCounts::of(&f.document)),
        broken: one.broken.clone(),
    };
    let implementations = pairs.iter().zip(folders).zip(&found).map(one).collect();
    let covers = Covers { made: Provenance::here(), exit: exit as u8, implementations };
    let functions: Vec<Option<&CoveredFunction>> =
        found.iter().map(|one| one.found.as_ref().map(|f| &f.document)).collect();
    let documents: Vec<&CoveredFunction> = functions.iter().copied().flatten().collect();
    files.write_aside(|| Ok(documents.iter().map(|d| d.lcov()).collect::<String>().into_bytes()))?;
    let own = |one: &OneOfAll| one.found.as_ref().map(|f| f.files(None)).unwrap_or_default();
    files.write(found.iter().map(own).collect(), json::document(&covers), output)?;
    if output.json {
        output.print_json(&json::Versioned(&covers))?;
    } else if !output.quiet {
        output.say_verdicts(several::text(&covers, &functions))?;
    }
    let bugs = refuted(&documents);
    if !bugs.is_empty() {
        return Err(Failure { exit: Exit::Bug, messages: bugs });
    }
    if exit == Exit::Interrupted {
        output.note("interrupted: what was found by then is all that is told");
    }
    Ok(exit)
}
