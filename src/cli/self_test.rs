//! `magneto self-test`: whether this build, on this machine, gives the answers that are known.

mod answers;

use super::exit::{Exit, Failure};
use super::output::Output;
use answers::ANSWERS;
use clap::{ArgMatches, Command};
use magneto::record::manifest::VERSION;
use magneto::tool::{Scratch, ToolError, answer_within};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// The most that one command may take.
const MOST: Duration = Duration::from_secs(60);

pub(crate) fn command() -> Command {
    Command::new("self-test").about("Check this program on this machine: known answers for each kind of claim").after_help(
        "Takes seconds. What needs a program that is not there, such as clang or Python, is skipped and said to be. Exit codes: 0 \
         nothing is wrong; 1 an answer is wrong.",
    )
}

/// One known answer.
struct KnownAnswer {
    /// What kind of claim it is about.
    name: &'static str,
    /// What is known, in a few words.
    known: &'static str,
    check: fn(&Bench) -> Result<(), Trouble>,
}

/// Why an answer is not the one that is known.
enum Trouble {
    /// Something is not there without which nothing can be said.
    Missing(String),
    /// It is another one.
    Wrong(String),
}

/// Where commands are run.
struct Bench {
    program: PathBuf,
    folder: Scratch,
}

impl Bench {
    fn new() -> Result<Self, Failure> {
        let program = std::env::current_exe();
        let program = program.map_err(|e| Failure::usage(format!("cannot find this program: {e}")))?;
        let folder = Scratch::make()
            .map_err(|(at, e)| Failure::usage(format!("cannot make a temporary folder in {}: {e}", at.display())))?;
        Ok(Bench { program, folder })
    }

    /// Writes a file into the folder.
    fn write(&self, name: &str, text: &str) -> Result<(), Trouble> {
        let written = std::fs::write(self.folder.path().join(name), text);
        written.map_err(|e| Trouble::Missing(format!("{name} cannot be written: {e}")))
    }

    /// Reads a document from the folder.
    fn read(&self, name: &str) -> Result<serde_json::Value, Trouble> {
        let bytes = std::fs::read(self.folder.path().join(name));
        let bytes = bytes.map_err(|e| Trouble::Wrong(format!("{name} cannot be read: {e}")))?;
        serde_json::from_slice(&bytes).map_err(|e| Trouble::Wrong(format!("{name} is no document: {e}")))
    }

    /// Runs this program, which has to end with an exit code. Returns what it printed.
    fn run(&self, arguments: &[&str], code: i32) -> Result<String, Trouble> {
        // Tools are run where this program is; a shell goes where the files are.
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "cd \"$1\" && shift && exec \"$@\"", "sh"]);
        command.arg(self.folder.path()).arg(&self.program).args(arguments);
        let line = || format!("magneto {}", arguments.join(" "));
        let found = answer_within(&command, "", MOST).map_err(|e| Trouble::Wrong(format!("{}: {e}", line())))?;
        match found.status.code() {
            Some(found) if found == code => {}
            other => {
                let how = other.map_or("was killed".to_owned(), |c| format!("ended with {c} instead of {code}"));
                let said = found.said.lines().next().map_or(String::new(), |l| format!(": {l}"));
                return Err(Trouble::Wrong(format!("{} {how}{said}", line())));
            }
        }
        Ok(found.output)
    }

    /// The same, for a document.
    fn document(&self, arguments: &[&str], code: i32) -> Result<serde_json::Value, Trouble> {
        let text = self.run(&[arguments, &["--json"]].concat(), code)?;
        serde_json::from_str(&text).map_err(|e| Trouble::Wrong(format!("magneto {}: {e}", arguments.join(" "))))
    }

    /// That a program of others is there.
    fn needs(&self, program: &str) -> Result<(), Trouble> {
        let mut command = std::process::Command::new(program);
        command.arg("--version");
        match answer_within(&command, "", MOST) {
            Err(ToolError::Missing) => Err(Trouble::Missing(format!("there is no {program} here"))),
            Err(e) => Err(Trouble::Missing(format!("{program}: {e}"))),
            Ok(found) if !found.status.success() => Err(Trouble::Missing(format!("{program} does not run"))),
            Ok(_) => Ok(()),
        }
    }
}

/// That two things are equal.
fn is<T: PartialEq + std::fmt::Display>(what: &str, found: T, known: T) -> Result<(), Trouble> {
    match found == known {
        true => Ok(()),
        false => Err(Trouble::Wrong(format!("{what} is {found}, not {known}"))),
    }
}

/// What came of one answer.
#[derive(Serialize)]
struct AnswerRow {
    name: &'static str,
    known: &'static str,
    /// `ok`, `skipped` or `wrong`.
    outcome: &'static str,
    /// Why it is not `ok`.
    why: Option<String>,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    magneto: &'static str,
    exit: u8,
    answers: Vec<AnswerRow>,
}

pub(crate) fn run(_: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let bench = Bench::new()?;
    let mut rows = Vec::new();
    for (done, answer) in ANSWERS.iter().enumerate() {
        output.progress(&format!("{done}/{} answers, {}", ANSWERS.len(), answer.name));
        let (outcome, why) = match (answer.check)(&bench) {
            Ok(()) => ("ok", None),
            Err(Trouble::Missing(why)) => ("skipped", Some(why)),
            Err(Trouble::Wrong(why)) => ("wrong", Some(why)),
        };
        rows.push(AnswerRow { name: answer.name, known: answer.known, outcome, why });
    }
    output.progress("");
    let count = |outcome: &str| rows.iter().filter(|r| r.outcome == outcome).count();
    let (ok, skipped, wrong) = (count("ok"), count("skipped"), count("wrong"));
    let exit = if wrong == 0 { Exit::Passed } else { Exit::Gate };
    if output.json {
        let schema = "magneto/self-test/1";
        output.print_json(&Document { schema, magneto: VERSION, exit: exit as u8, answers: rows })?;
        return Ok(exit);
    }
    let line = |r: &AnswerRow| {
        let why = r.why.as_ref().map_or(String::new(), |why| format!("\n                     {why}"));
        format!("{:<8}  {:<9}  {}{why}\n", r.outcome, r.name, r.known)
    };
    let shown: String = rows.iter().filter(|r| !output.quiet || r.outcome == "wrong").map(line).collect();
    let skips = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
    output.say(format!("{shown}{ok} of {} answers are right{skips}, {wrong} wrong\n", rows.len()))?;
    Ok(exit)
}
