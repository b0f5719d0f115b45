//! An attack on claims about code that shares nothing with what makes them: the real source as a native program, called
//! in process with very many inputs, and gcov's counts of what its branches did.

#![allow(dead_code, reason = "no test file uses all of it")]

pub(crate) mod prototype;

use super::cover::Branch;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const DRIVER: &str = include_str!("driver.c");
/// As the source has it, with calls that say which code runs and what is compared.
const COUNTED: [&str; 9] = [
    "-O0",
    "-g",
    "-w",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-fno-builtin",
    "-Dmain=attack_replaced_main",
    "--coverage",
    "-fsanitize-coverage=trace-pc,trace-cmp",
];

/// What a function takes.
#[derive(Clone, Debug)]
pub(crate) enum Parameter {
    /// A number of this C type.
    Number(String),
    /// A pointer to numbers of this C type, of which so many are inputs and those after them 0.
    Pointer(String, usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
}

/// How the driver makes inputs of a C type: `d` and `f` for floats, else the bytes of an integer.
pub(crate) fn kind(ty: &str) -> Option<char> {
    let words: Vec<&str> = ty.split_whitespace().filter(|w| !matches!(*w, "const" | "unsigned" | "signed")).collect();
    Some(match words[..] {
        ["double"] => 'd',
        ["float"] => 'f',
        ["char" | "int8_t" | "uint8_t" | "_Bool" | "bool"] => '1',
        ["short" | "int16_t" | "uint16_t"] | ["short", "int"] => '2',
        [] | ["int" | "int32_t" | "uint32_t"] => '4',
        ["long" | "int64_t" | "uint64_t" | "size_t" | "ptrdiff_t"]
        | ["long", "long" | "int"]
        | ["long", "long", "int"] => '8',
        _ => return None,
    })
}

impl Target {
    /// The kinds of all inputs in order.
    fn kinds(&self) -> String {
        let mut all = String::new();
        for p in &self.parameters {
            match p {
                Parameter::Number(ty) => all.push(kind(ty).unwrap()),
                Parameter::Pointer(ty, n) => all.extend(std::iter::repeat_n(kind(ty).unwrap(), *n)),
            }
        }
        all
    }

    /// A function in C that calls it with inputs from words.
    fn caller(&self, number: usize) -> String {
        let (mut types, mut body, mut arguments, mut word) = (Vec::new(), String::new(), Vec::new(), 0);
        for (i, p) in self.parameters.iter().enumerate() {
            match p {
                Parameter::Number(ty) => {
                    let from = if ty == "_Bool" || ty == "bool" { "uint8_t" } else { ty };
                    let _ = write!(body, " {from} a{i}; __builtin_memcpy(&a{i}, w + {word}, sizeof a{i});");
                    arguments.push(if from == ty { format!("a{i}") } else { format!("a{i} & 1") });
                    types.push(ty.replace("bool", "_Bool").replace("__Bool", "_Bool"));
                    word += 1;
                }
                Parameter::Pointer(ty, n) => {
                    let _ = write!(body, " static {ty} a{i}[4096]; __builtin_memset(a{i}, 0, sizeof a{i});");
                    for k in 0..*n {
                        let _ = write!(body, " __builtin_memcpy(a{i} + {k}, w + {word}, sizeof *a{i});");
                        word += 1;
                    }
                    arguments.push(format!("a{i}"));
                    types.push(format!("{ty} *"));
                }
            }
        }
        let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
        let (name, arguments) = (&self.name, arguments.join(", "));
        format!(
            "extern void {name}({types});\nstatic void call_{number}(const uint64_t *w) {{{body} {name}({arguments}); }}\n"
        )
    }
}

/// What gcov counted on a line: how often it was run, and how often each of its branches was taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    pub(crate) runs: u64,
    pub(crate) branches: Vec<u64>,
}

/// Counts by file name (without folders) and line.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    lines: BTreeMap<(String, u64), Line>,
    /// For the lines of a file the one where the expression in parentheses begins that goes on there: compilers differ in
    /// which of these lines a branch is on.
    begins: BTreeMap<String, Vec<u64>>,
}

impl Counts {
    /// The place under which all branches of an expression are.
    fn place(&self, file: &str, line: u64) -> (String, u64) {
        let file = base_name(file);
        let begin = self.begins.get(&file).and_then(|b| b.get(line as usize)).copied();
        (file, begin.unwrap_or(line))
    }
}

/// For each line, from 0 on, the line where the parentheses open in which it begins; else itself.
fn begins(text: &str) -> Vec<u64> {
    let (mut all, mut depth, mut from, mut comment) = (vec![0], 0_i64, 0, false);
    for (i, line) in text.lines().enumerate() {
        if depth <= 0 {
            (depth, from) = (0, i as u64 + 1);
        }
        all.push(from);
        let (mut rest, mut quote) = (line, None);
        while let Some(c) = rest.chars().next() {
            let mut length = c.len_utf8();
            match (comment, quote, c) {
                (true, ..) if rest.starts_with("*/") => (comment, length) = (false, 2),
                (true, ..) => {}
                (_, Some(_), '\\') => length += rest[length..].chars().next().map_or(0, char::len_utf8),
                (_, Some(q), _) => quote = quote.filter(|_| q != c),
                (_, None, '"' | '\'') => quote = Some(c),
                _ if rest.starts_with("//") => length = rest.len(),
                _ if rest.starts_with("/*") => (comment, length) = (true, 2),
                (_, _, '(') => depth += 1,
                (_, _, ')') => depth -= 1,
                _ => {}
            }
            rest = &rest[length..];
        }
    }
    all
}

/// How long an attack goes on, and with what it begins.
#[derive(Clone, Debug)]
pub(crate) struct Effort<'a> {
    pub(crate) calls: u64,
    pub(crate) seconds: f64,
    /// Inputs to begin with, as words.
    pub(crate) seeds: &'a [Vec<u64>],
    /// Values that inputs may take.
    pub(crate) values: &'a [u64],
}

/// The native program.
pub(crate) struct Attack {
    folder: TempDir,
    objects: Vec<PathBuf>,
    base: PathBuf,
}

fn done(command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    let said = || format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.status.success().then_some(()).ok_or_else(said)?;
    Ok(output)
}

impl Attack {
    /// Compile sources with the compiler's flags for them, as seen from `base`.
    pub(crate) fn build(
        base: &Path,
        sources: &[PathBuf],
        flags: &[String],
        targets: &[Target],
    ) -> Result<Attack, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let at = |name: &str| folder.path().join(name);
        let mut calls = "#include <stdint.h>\n#include <stddef.h>\n".to_owned();
        let mut table = "typedef struct { int words; const char *kinds; void (*call)(const uint64_t *); } target;\n\
                         target targets[] = {"
            .to_owned();
        for (i, target) in targets.iter().enumerate() {
            calls += &target.caller(i);
            let kinds = target.kinds();
            let _ = write!(table, "{{{}, \"{kinds}\", call_{i}}},", kinds.len());
        }
        for (name, text) in [("driver.c", DRIVER.to_owned()), ("calls.c", format!("{calls}{table}}};\n"))] {
            std::fs::write(at(name), text).map_err(|e| e.to_string())?;
            done(
                Command::new("cc")
                    .args(["-O1", "-w", "-fno-builtin", "-c"])
                    .arg(at(name))
                    .arg("-o")
                    .arg(at(name).with_extension("o")),
            )?;
        }
        let mut objects = Vec::new();
        for (i, source) in sources.iter().enumerate() {
            let object = at(&format!("{i}.o"));
            done(
                Command::new("cc")
                    .current_dir(base)
                    .args(flags)
                    .args(COUNTED)
                    .arg("-c")
                    .arg(source)
                    .arg("-o")
                    .arg(&object),
            )?;
            objects.push(object);
        }
        let mut link = Command::new("cc");
        link.args(["--coverage", "-Wl,--wrap=exit", "-o"]).arg(at("attack")).args(&objects);
        done(link.args([at("driver.o"), at("calls.o")]).arg("-lm"))?;
        Ok(Attack { folder, objects, base: base.to_owned() })
    }

    /// Call a function; what the driver says of it.
    pub(crate) fn run(&self, target: usize, effort: &Effort<'_>) -> Result<String, String> {
        let mut command = Command::new(self.folder.path().join("attack"));
        command.args([target.to_string(), effort.calls.to_string(), effort.seconds.to_string(), "1".to_owned()]);
        command.current_dir(self.folder.path());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| e.to_string())?;
        let mut text = String::new();
        for value in effort.values {
            let _ = writeln!(text, "v {value}");
        }
        for seed in effort.seeds {
            let words: Vec<String> = seed.iter().map(u64::to_string).collect();
            let _ = writeln!(text, "s {}", words.join(" "));
        }
        child.stdin.take().unwrap().write_all(text.as_bytes()).map_err(|e| e.to_string())?;
        let output = child.wait_with_output().map_err(|e| e.to_string())?;
        if !output.status.success() {
            return Err(format!("the native program ended with {}", output.status));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Forget all counts.
    pub(crate) fn clear(&self) {
        for object in &self.objects {
            let _ = std::fs::remove_file(object.with_extension("gcda"));
        }
    }

    /// What all calls so far have taken.
    pub(crate) fn counts(&self) -> Result<Counts, String> {
        let mut all = Counts::default();
        for object in &self.objects {
            let output = done(
                Command::new("gcov")
                    .args(["--branch-probabilities", "--json-format", "--stdout"])
                    .arg(object)
                    .current_dir(&self.folder),
            )?;
            let document: Value = serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
            for file in document["files"].as_array().into_iter().flatten() {
                let path = file["file"].as_str().unwrap_or_default();
                let bytes = std::fs::read(self.base.join(path)).unwrap_or_default();
                all.begins.insert(base_name(path), begins(&String::from_utf8_lossy(&bytes)));
                for line in file["lines"].as_array().into_iter().flatten() {
                    let place = all.place(path, line["line_number"].as_u64().unwrap_or(0));
                    let entry = all.lines.entry(place).or_default();
                    entry.runs = entry.runs.max(line["count"].as_u64().unwrap_or(0));
                    let branches = line["branches"].as_array().into_iter().flatten();
                    entry.branches.extend(branches.map(|b| b["count"].as_u64().unwrap_or(0)));
                }
            }
        }
        Ok(all)
    }
}

fn base_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

/// What became of the claims of one function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdict {
    /// Claims "infeasible" that natively taken branches contradict.
    pub(crate) false_claims: Vec<String>,
    /// Lines with such claims that could be compared, and those where gcov has other branches.
    pub(crate) compared: usize,
    pub(crate) unlike: usize,
}

/// Compare: on a line with as many branches for gcov as here, those that no call took are at least the infeasible ones; and
/// no line runs of which all branches are infeasible.
pub(crate) fn judge(branches: &[Branch], counts: &Counts) -> Verdict {
    let mut lines: BTreeMap<(String, u64), Vec<&Branch>> = BTreeMap::new();
    for b in branches {
        lines.entry(counts.place(&b.file, b.line)).or_default().push(b);
    }
    let mut verdict = Verdict::default();
    for (at, here) in lines {
        let infeasible = here.iter().filter(|b| b.is_infeasible()).count();
        let Some(there) = counts.lines.get(&at).filter(|_| infeasible > 0) else { continue };
        let taken = there.branches.iter().filter(|c| **c > 0).count();
        let alike = there.branches.len() == here.len();
        verdict.compared += usize::from(alike);
        verdict.unlike += usize::from(!alike);
        let (too_many, runs) = (alike && taken + infeasible > here.len(), infeasible == here.len() && there.runs > 0);
        if too_many || runs && (alike || !there.branches.is_empty()) {
            verdict.false_claims.push(format!(
                "{}:{}: {infeasible} of {} branches are called infeasible, natively {taken} of {} are taken (the line runs {} times)",
                at.0, at.1, here.len(), there.branches.len(), there.runs
            ));
        }
    }
    verdict
}
