//! `magneto cover` and its document, as tests that judge its claims read them.

#![allow(dead_code, reason = "no test file uses all of it")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program under judgement: this build's, or the one that `MAGNETO_JUDGED` names.
pub(crate) fn judged() -> PathBuf {
    std::env::var_os("MAGNETO_JUDGED").map_or_else(|| env!("CARGO_BIN_EXE_magneto").into(), PathBuf::from)
}

/// A branch and what is claimed of it.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) way: u64,
    /// The line to which it leads.
    pub(crate) to: u64,
    /// `taken`, `infeasible`, `given` (infeasible under assumptions) or `open`.
    pub(crate) status: String,
    /// The assumptions.
    pub(crate) given: Vec<String>,
}

impl Branch {
    /// Whether it is claimed that no call takes it: any call, not a program's first one alone.
    pub(crate) fn is_infeasible(&self) -> bool {
        self.is_claimed() && !self.given.iter().any(|g| g.contains("outside of functions"))
    }

    /// The same under whatever assumptions.
    pub(crate) fn is_claimed(&self) -> bool {
        self.status == "infeasible" || self.status == "given"
    }

    /// Where it is, as the tables of expectations name it.
    pub(crate) fn place(&self) -> (u64, u64, u64) {
        (self.line, self.column, self.way)
    }
}

/// How a run ended.
pub(crate) struct Answer {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Run it in this folder.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Answer {
    let mut command = Command::new(judged());
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1");
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Answer { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

impl Answer {
    pub(crate) fn document(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}\n{}", self.out, self.err))
    }

    /// All branches of all functions of a document of `cover`.
    pub(crate) fn branches(&self) -> Vec<Branch> {
        let document = self.document();
        let one = std::slice::from_ref(&document);
        let functions = document["functions"].as_array().map_or(one, Vec::as_slice);
        functions.iter().flat_map(branches).collect()
    }
}

fn branches(function: &Value) -> impl Iterator<Item = Branch> {
    let all = function["branches"].as_array().unwrap_or_else(|| panic!("no branches in {function}"));
    all.iter().map(|b| Branch {
        function: function["function"].as_str().unwrap().to_owned(),
        file: b["file"].as_str().unwrap_or_default().to_owned(),
        line: b["line"].as_u64().unwrap_or(0),
        column: b["column"].as_u64().unwrap_or(0),
        way: b["way"].as_u64().unwrap_or(0),
        to: b["to"].as_u64().unwrap_or(0),
        status: b["status"].as_str().unwrap().to_owned(),
        given: b["given"].as_array().into_iter().flatten().filter_map(|g| g.as_str().map(str::to_owned)).collect(),
    })
}
