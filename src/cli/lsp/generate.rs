//! Making tests of a document: `gen` as a program of its own, since it prints, may take long, and is ended by whoever
//! cancels it.

use magneto::tool::{self, ToolError};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The command that an editor asks for.
pub(super) const COMMAND: &str = "magneto.generateTests";

/// How long it may take.
const TIME: Duration = Duration::from_secs(3600);

/// What tests are made of, and where they go.
#[derive(Clone, Debug)]
pub(super) struct TestRequest {
    /// The file of the specifications.
    pub(super) file: PathBuf,
    /// The folder of the run.
    pub(super) output: PathBuf,
}

/// What came of it.
pub(super) struct TestAnswer {
    /// For a person.
    pub(super) message: String,
    /// Whether there are tests.
    pub(super) is_done: bool,
    /// For the editor.
    pub(super) result: Value,
}

impl TestRequest {
    /// For a file: the folder has its name, and is beside it or in another one, which may be relative to the file's.
    pub(super) fn new(file: &Path, configured: Option<&Path>) -> Self {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let beside = file.parent().unwrap_or(Path::new("."));
        let output = match configured {
            Some(folder) => beside.join(folder).join(stem),
            None => beside.join(format!("{stem}.tests")),
        };
        TestRequest { file: file.to_owned(), output }
    }

    /// Makes them.
    pub(super) fn run(&self) -> TestAnswer {
        let failed = |message: String| TestAnswer { message, is_done: false, result: Value::Null };
        let program = match std::env::current_exe() {
            Ok(program) => program,
            Err(e) => return failed(format!("magneto cannot find itself: {e}")),
        };
        // From the folder of the file, whose magneto.toml counts.
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "cd \"$1\" && shift && exec \"$@\"", "sh"]);
        command.arg(self.file.parent().unwrap_or(Path::new("."))).arg(program);
        command.args(["gen", "--json", "--color", "never", "-o"]).arg(&self.output).arg("--").arg(&self.file);
        match tool::answer_within(&command, "", TIME) {
            Err(ToolError::Halted) => failed("no tests were made: cancelled".to_owned()),
            Err(e) => failed(format!("no tests were made: {e}")),
            Ok(answer) => {
                let document: Value = serde_json::from_str(&answer.output).unwrap_or_default();
                let scores: Vec<String> =
                    document["specifications"].as_array().into_iter().flatten().filter_map(told).collect();
                if scores.is_empty() {
                    let why = answer.said.trim().trim_start_matches("error: ").to_owned();
                    return failed(format!("no tests were made: {why}"));
                }
                let folder = self.output.display().to_string();
                let message = format!("{}; in {folder}", scores.join("; "));
                let result = json!({ "folder": folder, "exit": document["exit"], "scores": scores });
                TestAnswer { message, is_done: true, result }
            }
        }
    }
}

/// What is told of one specification.
fn told(specification: &Value) -> Option<String> {
    let summary = &specification["summary"];
    let (name, tests, scores) = (summary["specification"].as_str()?, &summary["tests"], &summary["scores"]);
    let [part, whole] = ["part", "whole"].map(|key| &scores["rigorous"][key]);
    let undecided = scores["undecided"].as_u64().filter(|n| *n > 0);
    let undecided = undecided.map_or(String::new(), |n| format!(", {n} undecided"));
    Some(format!("{name}: {tests} tests kill {part} of {whole} mutants that can be killed{undecided}"))
}
