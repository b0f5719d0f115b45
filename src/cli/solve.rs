//! `magneto solve`

use super::exit::{Exit, Failure};
use super::heartbeat;
use super::interrupt::{STOP, may_leave};
use super::output::Output;
use super::shards::{self, Sharded};
use super::{destination, flags};
use clap::{ArgMatches, Args, Command, value_parser};
use magneto::decide::{AGAIN, Confirmation};
use magneto::halt::{self, HaltReason};
use magneto::options::duration;
use magneto::record::solve::{ScriptAnswers, ScriptFile, ScriptsAnswers};
use magneto::record::store::{FolderClaim, Mark};
use magneto::record::{json, store};
use magneto::smt::{self, Answers, Budget, CheckSat, SatStatus, ScriptEvent, UnknownReason};
use magneto::threads::{self, Threads};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{self, BufReader, Read};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Whether formulas over floats hold for some values: SMT-LIB scripts (QF_ABVFP, QF_UFBVFP, QF_FPLRA)
#[derive(Args)]
#[group(skip)]
struct Options {
    /// .smt2 files; `-` is standard input, of which each command is answered when it is there
    #[arg(value_name = "FILE", required = true)]
    file: Vec<String>,
    /// Parts of the values of the unknowns to look at for each (check-sat), at most
    #[arg(long, value_name = "BOXES", default_value_t = 200_000)]
    budget: u64,
    /// How long each (check-sat) may take; what is answered depends on the machine then. Unit: seconds. Default: no limit
    #[arg(long, value_name = "SECONDS", value_parser = duration)]
    timeout: Option<Duration>,
    /// The memory that the program may have in use while it looks for an answer. Unit: MiB
    #[arg(long, value_name = "MIB", value_parser = value_parser!(u64).range(1..=1 << 30), default_value_t = 4096)]
    memory: u64,
    /// Look at every unsat again, by plain evaluation of boxes, by the other engine or by another SAT solver
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
         The answers to each of several scripts stand below `; FILE`. A script that is wrong keeps no other from its answers. \
         With `-` alone a program can ask and wait for each answer: what is wrong is answered by `(error …)`, and the rest goes on.\n\n\
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
    /// Why a question for an unsat core ended early.
    core_ended: Option<UnknownReason>,
    /// Commands that were answered by an error.
    errors: usize,
}

impl Solved {
    /// Of a script of which nothing is known yet.
    fn of(name: &str) -> Self {
        let (checks, output) = (Vec::new(), String::new());
        Solved { file: name.to_owned(), checks, output, problem: None, core_ended: None, errors: 0 }
    }

    /// Of a script that was answered.
    fn answered(name: &str, answers: Answers) -> Self {
        let Answers { checks, output, errors, core_ended } = answers;
        Solved { checks, output, errors, core_ended, ..Solved::of(name) }
    }

    /// Whether something ended early for this reason.
    fn ended_by(&self, reason: UnknownReason) -> bool {
        self.core_ended == Some(reason) || self.checks.iter().any(|c| c.reason == Some(reason))
    }
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("solve", matches)?;
    let Options { file: files, budget: boxes, check, part, timeout, memory } = flags::options(matches)?;
    let confirmation = check.then_some(AGAIN * boxes);
    let budget = Budget { boxes, confirmation, time: timeout, memory: Some(memory << 20) };
    if files == ["-"] && part.shard.is_none() && !output.json {
        free(matches, &part)?;
        return stream(matches, budget, output);
    }
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
    let own = shards::own(part.as_ref(), texts.len());
    let jobs = Threads::new(settings.suite.jobs);
    let done = AtomicUsize::new(0);
    let one = |place: &usize| {
        let (name, bytes) = &texts[*place];
        let begins = |number: usize| match own.len() {
            1 => output.doing(&format!("{name}, (check-sat) {number}")),
            all => output
                .progress(&format!("{}/{all} scripts, {name}, (check-sat) {number}", done.load(Ordering::Relaxed))),
        };
        let solved = (!STOP.load(Ordering::Relaxed)).then(|| match unread.get(place) {
            Some(problem) => (Solved { problem: Some(problem.clone()), ..Solved::of(name) }, None),
            None => solve(name, bytes, budget, &begins),
        });
        done.fetch_add(1, Ordering::Relaxed);
        solved
    };
    let mut all = threads::deep(|| jobs.side_by_side(1, &own, one));
    // The memory is for one at a time.
    for (place, found) in own.iter().zip(&mut all).filter(|_| jobs.most() > 1) {
        if found.as_ref().is_some_and(|(solved, _)| solved.ended_by(UnknownReason::Memout)) {
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

/// Answers the commands of standard input as they come.
fn stream(matches: &ArgMatches, budget: Budget, output: &Output) -> Result<Exit, Failure> {
    /// Standard input; while a program or a person has yet to write, no progress is shown and nothing is lost.
    struct Typed(io::Stdin);
    impl Read for Typed {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            may_leave(|| heartbeat::held(|| self.0.read(to)))
        }
    }
    let mut told = Ok(());
    let mut listener = |event: ScriptEvent<'_>| match event {
        ScriptEvent::Begins(number) => output.doing(&format!("(check-sat) {number}")),
        ScriptEvent::Answered(answer) if told.is_ok() => told = output.say(answer),
        ScriptEvent::Answered(_) => {}
    };
    let input = BufReader::new(Typed(io::stdin()));
    let (answers, stopped) = halt::watched(Some(&STOP), None, || smt::run_stream(input, budget, &mut listener));
    told?;
    let answers = answers.map_err(|e| Failure::usage(format!("cannot read standard input: {e}")))?;
    let exit = end(matches, vec![Solved::answered(STDIN, answers)], output);
    if stopped.is_some() { Ok(Exit::Interrupted) } else { exit }
}

fn solve(name: &str, bytes: &[u8], budget: Budget, begins: &(dyn Fn(usize) + Sync)) -> (Solved, Option<HaltReason>) {
    let wrong = Solved::of(name);
    let Ok(source) = std::str::from_utf8(bytes) else {
        return (Solved { problem: Some(format!("error: {name} is not a text file\n")), ..wrong }, None);
    };
    let mut listener = |event: ScriptEvent<'_>| {
        if let ScriptEvent::Begins(number) = event {
            begins(number);
        }
    };
    let (answers, stopped) = halt::watched(Some(&STOP), None, || smt::run_told(source, budget, &mut listener));
    let solved = match answers {
        Ok(answers) => Solved::answered(name, answers),
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
    let Options { part, memory, .. } = flags::options(matches)?;
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
    for one in solved.iter().filter(|s| s.ended_by(UnknownReason::Memout)) {
        let place = place(&solved, one);
        output.note(format!("{place}a search ended since more than {memory} MiB were in use; --memory allows more"));
    }
    for one in solved.iter().filter(|s| s.ended_by(UnknownReason::Timeout)) {
        let place = place(&solved, one);
        output.note(format!("{place}a search ended since its time was over: the answers depend on this machine"));
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
    let refused = |s: &Solved| {
        let commands = if s.errors == 1 { "1 command is".to_owned() } else { format!("{} commands are", s.errors) };
        (s.errors > 0).then(|| format!("error: {}: {commands} wrong\n", s.file))
    };
    let wrong: Vec<String> = solved.iter().filter_map(|s| s.problem.clone().or_else(|| refused(s))).collect();
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
    let open = solved.iter().any(|s| s.core_ended.is_some() || s.checks.iter().any(CheckSat::is_open));
    if open { Exit::Inconclusive } else { Exit::Passed }
}

/// Standard input in messages.
const STDIN: &str = "<stdin>";

/// The name of a file in messages, and its bytes.
fn read(file: &str) -> Result<(String, Vec<u8>), Failure> {
    if file == "-" {
        let mut bytes = Vec::new();
        let read = heartbeat::held(|| io::stdin().lock().read_to_end(&mut bytes));
        return match read {
            Ok(_) => Ok((STDIN.to_owned(), bytes)),
            Err(e) => Err(Failure::usage(format!("cannot read standard input: {e}"))),
        };
    }
    match std::fs::read(file) {
        Ok(bytes) => Ok((file.to_owned(), bytes)),
        Err(e) => Err(Failure::unread(std::path::Path::new(file), &e, &["smt2"])),
    }
}
