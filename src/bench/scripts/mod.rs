//! SMT-LIB scripts as several solvers answer them, each in a process of its own: what they decide, how long that takes, and
//! where they contradict each other or what a script says of itself.

pub mod files;

use crate::smt::{SatStatus, expected};
use crate::threads::Threads;
use crate::tool::{self, ToolError, ToolOutput};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A solver, by the command that answers the script whose name is put behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ScriptSolver {
    /// What it is called.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The file of the program, where it is not looked for by its name.
    #[serde(skip)]
    pub program: Option<PathBuf>,
    /// What it says of its version.
    pub version: String,
}

/// A solver that is looked for.
struct KnownSolver {
    name: &'static str,
    /// What it is given where a script asks more than once.
    incremental: &'static [&'static str],
}

/// Solvers that are looked for on PATH.
const KNOWN: [KnownSolver; 3] = [
    KnownSolver { name: "z3", incremental: &[] },
    KnownSolver { name: "bitwuzla", incremental: &[] },
    KnownSolver { name: "cvc5", incremental: &["--incremental"] },
];

/// How long a solver may take to say its version.
const VERSION: Duration = Duration::from_secs(10);

impl ScriptSolver {
    /// A solver by its command.
    ///
    /// # Errors
    /// There is no such program, or it cannot be started.
    pub fn new(name: &str, command: Vec<String>) -> Result<Self, ToolError> {
        let Some(program) = command.first() else { return Err(ToolError::Missing) };
        let said = match tool::answer_within(Command::new(program).arg("--version"), "", VERSION) {
            Ok(said) if said.status.success() => said.output,
            Err(ToolError::Missing) => return Err(ToolError::Missing),
            Err(ToolError::Io(e)) => return Err(ToolError::Io(e)),
            _ => String::new(),
        };
        let version = said.lines().find(|l| !l.trim().is_empty()).unwrap_or_default().trim().to_owned();
        Ok(ScriptSolver { name: name.to_owned(), command, program: None, version })
    }

    /// Those that are on PATH.
    #[must_use]
    pub fn installed() -> Vec<Self> {
        KNOWN.iter().filter_map(|k| ScriptSolver::new(k.name, vec![k.name.to_owned()]).ok()).collect()
    }

    fn answer(&self, file: &Path, questions: usize, limit: Duration) -> Result<ToolOutput, ToolError> {
        let (program, arguments) = self.command.split_first().ok_or(ToolError::Missing)?;
        let mut command = Command::new(self.program.as_deref().unwrap_or(Path::new(program)));
        command.args(arguments);
        if let Some(known) = KNOWN.iter().find(|k| questions > 1 && [k.name] == self.command[..]) {
            command.args(known.incremental);
        }
        tool::answer_within(command.arg(file), "", limit)
    }
}

/// How a solver ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScriptOutcome {
    /// It answered every question by sat or unsat.
    Decided,
    /// It answered every question, and some by unknown.
    Unknown,
    /// Its time was over.
    Late,
    /// It needs more memory than there is for each.
    Memory,
    /// It did not answer every question: something is wrong or not supported.
    Refused,
}

/// What a solver made of a script.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ScriptRun {
    /// The solver.
    pub solver: String,
    /// How it ended.
    pub outcome: ScriptOutcome,
    /// What it answered, question by question.
    pub answers: Vec<SatStatus>,
    /// The wall-clock time of its process. Unit: seconds.
    pub seconds: f64,
    /// What it said where it refused.
    pub said: Option<String>,
}

/// A script, and what all solvers made of it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredScript {
    /// The file below the folder.
    pub file: String,
    /// The folder that it is in, below the folder of all.
    pub family: String,
    /// What it says of itself, for each of its questions.
    pub expected: Vec<Option<SatStatus>>,
    /// What came of it.
    pub runs: Vec<ScriptRun>,
}

/// Whether two answers cannot both be right.
fn contradict(a: SatStatus, b: SatStatus) -> bool {
    ![a, b].contains(&SatStatus::Unknown) && a != b
}

impl MeasuredScript {
    /// Whether an answer of a solver is not what the script says.
    #[must_use]
    pub fn is_wrong(&self, run: &ScriptRun) -> bool {
        let pairs = run.answers.iter().zip(&self.expected);
        pairs.into_iter().any(|(is, says)| says.is_some_and(|says| contradict(*is, says)))
    }

    /// The solvers that contradict each other about a question: its number from 1, with their answers.
    #[must_use]
    pub fn contradictions(&self) -> Vec<(usize, Vec<(&str, SatStatus)>)> {
        let question = |k: usize| {
            let of = |run: &'_ ScriptRun| run.answers.get(k).copied();
            let all: Vec<(&str, SatStatus)> =
                self.runs.iter().filter_map(|run| Some((run.solver.as_str(), of(run)?))).collect();
            let known: Vec<_> = all.into_iter().filter(|(_, is)| *is != SatStatus::Unknown).collect();
            known.windows(2).any(|w| contradict(w[0].1, w[1].1)).then_some((k + 1, known))
        };
        (0..self.expected.len()).filter_map(question).collect()
    }
}

/// The scripts below a folder, by their names there, in order.
///
/// # Errors
/// A folder cannot be read.
pub fn scripts(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(within) = folders.pop() {
        for entry in std::fs::read_dir(within)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "smt2") && path.is_file() {
                files.push(path.strip_prefix(folder).unwrap_or(&path).to_owned());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// How to measure.
#[derive(Clone, Debug)]
pub struct ScriptsPlan {
    /// The solvers, in the order of the results.
    pub solvers: Vec<ScriptSolver>,
    /// How long each may take for a script.
    pub limit: Duration,
    /// Scripts at a time.
    pub jobs: usize,
}

/// Lets all solvers answer scripts of a folder. Ends early, with what is done, where the program is to end.
///
/// # Errors
/// A script cannot be read, or a solver not be started.
pub fn measure(
    folder: &Path,
    files: &[PathBuf],
    plan: &ScriptsPlan,
    progress: &(dyn Fn(&str) + Sync),
) -> io::Result<Vec<MeasuredScript>> {
    let done = AtomicUsize::new(0);
    let one = |file: &PathBuf| {
        let told = |solver: &str| {
            progress(&format!(
                "{}/{} scripts, {}: {solver}",
                done.load(Ordering::Relaxed),
                files.len(),
                file.display()
            ));
        };
        let measured = measured(folder, file, plan, &told);
        done.fetch_add(1, Ordering::Relaxed);
        measured.transpose()
    };
    Threads::new(plan.jobs).side_by_side(1, files, one).into_iter().flatten().collect()
}

/// One script; none where the program is to end.
fn measured(folder: &Path, file: &Path, plan: &ScriptsPlan, told: &dyn Fn(&str)) -> io::Result<Option<MeasuredScript>> {
    let path = folder.join(file);
    let text = std::fs::read(&path).map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
    let expected = expected(&String::from_utf8_lossy(&text));
    let mut runs = Vec::new();
    for solver in &plan.solvers {
        told(&solver.name);
        let start = Instant::now();
        let answer = solver.answer(&path, expected.len(), plan.limit);
        let seconds = start.elapsed().as_secs_f64();
        let run = |outcome, answers, said| ScriptRun { solver: solver.name.clone(), outcome, answers, seconds, said };
        runs.push(match answer {
            Ok(said) => {
                let (outcome, answers, why) = outcome(&said, expected.len());
                run(outcome, answers, why)
            }
            Err(ToolError::Halted) => return Ok(None),
            Err(ToolError::Slow(_)) => run(ScriptOutcome::Late, Vec::new(), None),
            Err(ToolError::Memory) => run(ScriptOutcome::Memory, Vec::new(), None),
            Err(why @ ToolError::Wordy) => run(ScriptOutcome::Refused, Vec::new(), Some(why.to_string())),
            Err(why) => return Err(io::Error::other(format!("{}: {why}", solver.name))),
        });
    }
    let family = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (file, family) = (file.display().to_string(), family.display().to_string());
    Ok(Some(MeasuredScript { file, family, expected, runs }))
}

/// What a solver that ended by itself came to: answers behind an error are none, since the question is another one.
fn outcome(said: &ToolOutput, questions: usize) -> (ScriptOutcome, Vec<SatStatus>, Option<String>) {
    let lines = || said.output.lines().map(str::trim);
    let answer = |line: &str| SatStatus::from_word(line);
    let is_error = |line: &str| line.starts_with("(error");
    let answers: Vec<SatStatus> = lines().take_while(|l| !is_error(l)).filter_map(answer).collect();
    if answers.len() >= questions && (questions > 0 || said.status.success()) {
        let is_known = answers.iter().all(|a| *a != SatStatus::Unknown);
        return (if is_known { ScriptOutcome::Decided } else { ScriptOutcome::Unknown }, answers, None);
    }
    let first = lines().find(|l| is_error(l)).or_else(|| said.said.lines().find(|l| !l.trim().is_empty()));
    let why = first.map_or_else(|| format!("it ended with {}", said.status), str::to_owned);
    (ScriptOutcome::Refused, answers, Some(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(output: &str, script: &str) -> (ScriptOutcome, Vec<SatStatus>, Option<String>) {
        let ended = tool::answer(Command::new("sh").args(["-c", script]), "").unwrap();
        outcome(&ToolOutput { output: output.to_owned(), ..ended }, 2)
    }

    #[test]
    fn answers_are_what_was_said_before_any_error() {
        use SatStatus::{Sat, Unknown, Unsat};
        let (ends, fails) = ("exit 0", "echo why >&2; exit 1");
        assert_eq!(said("sat\n(model)\nunsat\n", ends), (ScriptOutcome::Decided, vec![Sat, Unsat], None));
        assert_eq!(said("sat\nunknown\n(error \"x\")\n", fails), (ScriptOutcome::Unknown, vec![Sat, Unknown], None));
        let (outcome, answers, why) = said("sat\n(error \"x\")\nsat\n", ends);
        assert_eq!((outcome, answers, why.as_deref()), (ScriptOutcome::Refused, vec![Sat], Some("(error \"x\")")));
        let nothing = tool::answer(Command::new("sh").args(["-c", fails]), "").unwrap();
        assert_eq!(super::outcome(&nothing, 0).0, ScriptOutcome::Refused);
        let (outcome, answers, why) = said("", fails);
        assert_eq!((outcome, answers, why.as_deref()), (ScriptOutcome::Refused, vec![], Some("why")));
    }

    #[test]
    fn contradictions_are_between_answers_that_are_known() {
        use SatStatus::{Sat, Unknown, Unsat};
        let run = |solver: &str, answers: &[SatStatus]| ScriptRun {
            solver: solver.to_owned(),
            outcome: ScriptOutcome::Decided,
            answers: answers.to_vec(),
            seconds: 0.0,
            said: None,
        };
        let script = MeasuredScript {
            file: "f.smt2".to_owned(),
            family: ".".to_owned(),
            expected: vec![Some(Sat), None, Some(Unknown)],
            runs: vec![run("a", &[Sat, Unknown, Sat]), run("b", &[Unsat, Sat]), run("c", &[Sat, Unsat, Sat])],
        };
        let wrong: Vec<bool> = script.runs.iter().map(|run| script.is_wrong(run)).collect();
        assert_eq!(wrong, [false, true, false]);
        let found = script.contradictions();
        assert_eq!(found, [(1, vec![("a", Sat), ("b", Unsat), ("c", Sat)]), (2, vec![("b", Sat), ("c", Unsat)])]);
    }
}
