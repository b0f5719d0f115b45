//! `magneto solve`

use super::exit::{Exit, Failure};
use super::heartbeat;
use super::interrupt::STOP;
use super::output::Output;
use super::shards::{self, Sharded};
use super::{destination, flags};
use clap::{ArgMatches, Args, Command};
use magneto::decide::{AGAIN, Confirmation};
use magneto::halt::{self, HaltReason};
use magneto::record::solve::{ScriptAnswers, ScriptFile, ScriptsAnswers};
use magneto::record::store::{FolderClaim, Mark};
use magneto::record::{json, store};
use magneto::smt::{self, Budget, CheckSat, SatStatus};
use magneto::threads::{self, Threads};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::Read as _;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The most memory in bytes: a search that needs more is given up, and the answer is unknown.
const MEMORY: u64 = 4 << 30;

/// Whether formulas over floats hold for some values: SMT-LIB scripts (QF_ABVFP, QF_UFBVFP, QF_FPLRA)
#[derive(Args)]
#[group(skip)]
struct Options {
    /// .smt2 files; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    file: Vec<String>,
    /// Parts of the values of the unknowns to look at for each (check-sat), at most
    #[arg(long, value_name = "BOXES", default_value_t = 200_000)]
    budget: u64,
    /// Look at every unsat again, by plain evaluation of boxes or by the other engine
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    part: Sharded,
}

pub(crate) fn command() -> Command {
    flags::command::<Options>(
        "solve",
        "Answers `sat` with values that were verified by exact evaluation, `unsat` by proof, or `unknown`. Floats \
         with up to 15 bits of exponent and 250 of significand, bit vectors, arrays, declared functions and sorts, real numbers as \
         polynomials of floats; all five rounding modes. \
         What the standard leaves open, such as the minimum of -0 and +0, is sat if some meaning of it makes it so.\n\n\
         The answers to each of several scripts stand below `; FILE`. A script that is wrong keeps no other from its answers.\n\n\
         Exit codes: 0; 1 if an answer is not what `(set-info :status …)` says; 2 for a wrong script; 3 if an answer is \
         unknown",
    )
}

/// What became of one script.
#[derive(Serialize, Deserialize)]
pub(super) struct Solved {
    file: String,
    /// Every `(check-sat)`, in order.
    checks: Vec<CheckSat>,
    /// What a solver prints.
    output: String,
    /// Why it is no script, as it is told.
    problem: Option<String>,
    /// Whether more memory was in use than may be.
    out_of_memory: bool,
}

impl Solved {
    /// Of a script of which nothing is known yet.
    fn of(name: &str) -> Self {
        let (checks, output) = (Vec::new(), String::new());
        Solved { file: name.to_owned(), checks, output, problem: None, out_of_memory: false }
    }
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("solve", matches)?;
    let Options { file: files, budget: boxes, check, part } = flags::options(matches)?;
    let mut unread = HashMap::new();
    let several = files.len() > 1;
    let read = |(place, file): (usize, &String)| match read(file) {
        // One of several keeps no other from its answers.
        Err(e) if several => {
            unread.insert(place, e.messages.concat());
            Ok((file.clone(), Vec::new()))
        }
        read => read,
    };
    let texts: Vec<(String, Vec<u8>)> = files.iter().enumerate().map(read).collect::<Result<_, _>>()?;
    if part.shard.is_none() {
        free(matches, &part)?;
    }
    let part = shards::part(matches, (&["solve"], &command()), &part, String::new(), &texts, output)?;
    let budget = Budget { boxes, confirmation: check.then_some(AGAIN * boxes) };
    let own = shards::own(part.as_ref(), texts.len());
    let jobs = Threads::new(settings.suite.jobs);
    let done = AtomicUsize::new(0);
    let one = |place: &usize| {
        let (name, bytes) = &texts[*place];
        if own.len() > 1 {
            output.progress(&format!("{}/{} scripts, {name}", done.load(Ordering::Relaxed), own.len()));
        }
        let solved = (!STOP.load(Ordering::Relaxed)).then(|| match unread.get(place) {
            Some(problem) => (Solved { problem: Some(problem.clone()), ..Solved::of(name) }, None),
            None => solve(name, bytes, budget),
        });
        done.fetch_add(1, Ordering::Relaxed);
        solved
    };
    let mut all = threads::deep(|| jobs.side_by_side(1, &own, one));
    // The memory is for one at a time.
    for (place, found) in own.iter().zip(&mut all).filter(|_| jobs.most() > 1) {
        if found.as_ref().is_some_and(|(solved, _)| solved.out_of_memory) {
            *found = threads::deep(|| one(place));
        }
    }
    output.progress("");
    let interrupted = all.iter().any(|f| f.as_ref().is_none_or(|(_, why)| *why == Some(HaltReason::Interrupted)));
    let solved: Vec<Solved> = all.into_iter().flatten().map(|(solved, _)| solved).collect();
    if let Some(part) = part {
        return part.save(&solved, interrupted, output);
    }
    let exit = end(matches, solved, output);
    if interrupted {
        output.note("interrupted: what was answered by then is all that is told");
        return Ok(Exit::Interrupted);
    }
    exit
}

fn solve(name: &str, bytes: &[u8], budget: Budget) -> (Solved, Option<HaltReason>) {
    let wrong = Solved::of(name);
    let Ok(source) = std::str::from_utf8(bytes) else {
        return (Solved { problem: Some(format!("error: {name} is not a text file\n")), ..wrong }, None);
    };
    let (answers, stopped) = halt::watched(Some(&STOP), Some(MEMORY), || smt::run(source, budget));
    let solved = match answers {
        Ok(a) => {
            Solved { checks: a.checks, output: a.output, out_of_memory: stopped == Some(HaltReason::Memory), ..wrong }
        }
        Err(d) => Solved { problem: Some(d.render(name, bytes)), ..wrong },
    };
    (solved, stopped)
}

/// What is written of one of several scripts.
fn script_file(of: &Solved) -> ScriptFile {
    let error = of.problem.as_deref().map(|e| e.trim_end().to_owned());
    ScriptFile { file: of.file.clone(), checks: of.checks.clone(), error }
}

/// What is written must not be there, unless it is of an earlier run.
fn free(matches: &ArgMatches, part: &Sharded) -> Result<(), Failure> {
    let own = FolderClaim::Own(&["solve.json"], Mark { file: "solve.json", schema: "magneto/solve" });
    destination::folder(matches, part.output.as_deref(), &own)
}

/// Tells what became of all scripts, and how that ends.
pub(super) fn end(matches: &ArgMatches, solved: Vec<Solved>, output: &Output) -> Result<Exit, Failure> {
    let Options { part, .. } = flags::options(matches)?;
    if let [Solved { problem: Some(problem), .. }] = &solved[..] {
        return Err(Failure::rendered(vec![problem.clone()]));
    }
    free(matches, &part)?;
    let document = match &solved[..] {
        [one] => json::document(&ScriptAnswers { file: one.file.clone(), checks: one.checks.clone() }),
        all => json::document(&ScriptsAnswers { files: all.iter().map(script_file).collect() }),
    };
    if let Some(dir) = &part.output {
        store::write(dir, &store::Files::from([("solve.json".to_owned(), document.clone())]), &[])?;
    }
    if output.json {
        output.print(&document)?;
    } else {
        let head = |s: &Solved| if solved.len() > 1 { format!("; {}\n", s.file) } else { String::new() };
        output.say(solved.iter().map(|s| format!("{}{}", head(s), s.output)).collect::<String>())?;
    }
    for one in solved.iter().filter(|s| s.out_of_memory) {
        let place = place(&solved, one);
        output.note(format!("{place}stopped since more than {} MiB were in use", MEMORY >> 20));
    }
    Ok(exit(&solved, output))
}

/// The name of a script before what is said of it, where there are several.
fn place(all: &[Solved], one: &Solved) -> String {
    if all.len() > 1 { format!("{}: ", one.file) } else { String::new() }
}

fn exit(solved: &[Solved], output: &Output) -> Exit {
    let all = || solved.iter().flat_map(|s| s.checks.iter().enumerate().map(move |(i, check)| (s, i + 1, check)));
    let refuted = |c: &CheckSat| matches!(c.confirmation, Some(Confirmation::Refuted(_)));
    let bugs = all().filter(|(.., check)| refuted(check)).map(|(s, i, _)| {
        format!("error: a bug in magneto: {}(check-sat) {i} is not unsat; please report it\n", place(solved, s))
    });
    let bugs: Vec<String> = bugs.collect();
    let contradicted = all().filter(|(.., check)| check.contradicts()).map(|(s, i, check)| {
        let (is, expected) = (check.status.word(), check.expected.map_or("", SatStatus::word));
        format!("error: {}(check-sat) {i} is {is}, and the script says that it is {expected}\n", place(solved, s))
    });
    let contradicted: Vec<String> = contradicted.collect();
    let wrong: Vec<String> = solved.iter().filter_map(|s| s.problem.clone()).collect();
    let failed = [(bugs, Exit::Bug), (wrong, Exit::Usage), (contradicted, Exit::Gate)];
    failed.iter().flat_map(|(messages, _)| messages).for_each(|m| output.message(m));
    for (s, i, check) in all().filter(|(.., check)| !refuted(check)) {
        if let Some(said) = &check.confirmation {
            output.note(format!("{}(check-sat) {i}: unsat {said}", place(solved, s)));
        }
    }
    if let Some((_, exit)) = failed.iter().find(|(messages, _)| !messages.is_empty()) {
        return *exit;
    }
    let is_open =
        |c: &CheckSat| c.status == SatStatus::Unknown || matches!(c.confirmation, Some(Confirmation::Open(_)));
    let open = solved.iter().any(|s| s.out_of_memory || s.checks.iter().any(is_open));
    if open { Exit::Inconclusive } else { Exit::Passed }
}

/// The name of a file in messages, and its bytes.
fn read(file: &str) -> Result<(String, Vec<u8>), Failure> {
    if file == "-" {
        let mut bytes = Vec::new();
        let read = heartbeat::held(|| std::io::stdin().lock().read_to_end(&mut bytes));
        return match read {
            Ok(_) => Ok(("<stdin>".to_owned(), bytes)),
            Err(e) => Err(Failure::usage(format!("cannot read standard input: {e}"))),
        };
    }
    match std::fs::read(file) {
        Ok(bytes) => Ok((file.to_owned(), bytes)),
        Err(e) => Err(Failure::usage(format!("cannot read {file}: {e}"))),
    }
}
