//! Random C programs with branches that are rare, and feasible by construction: no claim "infeasible" is made of a branch that
//! a known input takes, nor of one that an attack with native calls takes; inputs that are found give natively the same.
//! `MAGNETO_PROGRAMS=N` tries N programs, `MAGNETO_FIRST=K` from the K-th on.

mod conditions;
mod generator;

use crate::support::attack;
use crate::support::attack::{Attack, Effort, judge, prototype};
use crate::support::compilers::{has, has_clang};
use crate::support::cover::{Branch, run};
use crate::support::rng::Rng;
use generator::{Condition, Program, Purpose};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs in one file.
const AT_ONCE: usize = 10;
const PRELUDE: &str = include_str!("code_random/prelude.h");

/// Programs with the line of each one's first line in the file, and their conditions.
struct Batch {
    programs: Vec<Program>,
    conditions: Vec<Vec<Condition>>,
    folder: tempfile::TempDir,
}

/// What is known of the claims about conditions.
#[derive(Default)]
struct Tally {
    programs: usize,
    /// By purpose and status.
    counts: BTreeMap<(&'static str, String), usize>,
    wrong: Vec<String>,
    compared: usize,
    unlike: usize,
}

/// An input as C text.
fn argument(program: &Program, i: usize) -> String {
    let (ty, bits) = (program.types[i], program.secret[i]);
    match (ty.float, ty.bits) {
        (true, 64) => format!("of_bits({bits:#x}ull)"),
        (true, _) => format!("float_of({bits:#x}u)"),
        _ => format!("({}){bits:#x}ull", ty.name),
    }
}

/// Compile a file with a `main` that prints `shown` of each program's call, without undefined behaviour, and run it.
fn native(
    folder: &Path,
    name: &str,
    before: &str,
    programs: &[Program],
    texts: &[String],
    shown: &str,
) -> Vec<Vec<u64>> {
    let mut text =
        format!("#include <stdio.h>\n#include \"prelude.h\"\n{before}\n{}int main(void)\n{{\n", texts.concat());
    for program in programs {
        let arguments: Vec<String> = (0..program.types.len()).map(|i| argument(program, i)).collect();
        let call = format!("{}({})", program.name, arguments.join(", "));
        let _ = writeln!(text, "    {}", shown.replace("CALL", &call));
    }
    text += "    return 0;\n}\n";
    let (source, exe) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&source, text).unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-O0", "-w", "-ffp-contract=off", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]);
    let compiled = cc.arg(&source).arg("-o").arg(&exe).arg("-lm").output().unwrap();
    assert!(compiled.status.success(), "{}\n{}", String::from_utf8_lossy(&compiled.stderr), source.display());
    let output = Command::new(&exe).output().unwrap();
    assert!(output.status.success(), "undefined behaviour or a crash in\n{}", texts.concat());
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|l| l.split_whitespace().map(|w| w.parse().unwrap()).collect()).collect()
}

impl Batch {
    fn new(first: usize, count: usize) -> Batch {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("prelude.h"), PRELUDE).unwrap();
        let of = |k: usize| Program::new(k, &mut Rng(0x00c0_ffee ^ (k as u64) << 20));
        let programs: Vec<Program> = (first..first + count).map(of).collect();
        let probe = "static void probe(const void *p, size_t n) { uint64_t u = 0; memcpy(&u, p, n); printf(\"%llu \", (unsigned long long)u); }";
        let texts: Vec<String> = programs.iter().map(Program::probing).collect();
        let values = native(folder.path(), "probe", probe, &programs, &texts, "CALL; puts(\"\");");
        let (texts, mut conditions): (Vec<String>, Vec<Vec<Condition>>) =
            programs.iter().zip(&values).map(|(p, v)| p.finished(v)).unzip();
        let results = native(folder.path(), "confirm", "", &programs, &texts, "printf(\"%d\\n\", CALL);");
        for (text, result) in texts.iter().zip(&results) {
            assert_eq!(result, &[1], "the secret input does not get behind all conditions of\n{text}");
        }
        let mut line = 2;
        for (text, conditions) in texts.iter().zip(&mut conditions) {
            conditions.iter_mut().for_each(|c| c.line += line);
            line += text.matches('\n').count();
        }
        std::fs::write(folder.path().join("all.c"), format!("#include \"prelude.h\"\n{}", texts.concat())).unwrap();
        Batch { programs, conditions, folder }
    }

    fn text(&self, program: &Program) -> String {
        let all = std::fs::read_to_string(self.folder.path().join("all.c")).unwrap();
        let from = all.find(&format!("int {}(", program.name)).unwrap();
        let to = all[from..].find("\n}\n").unwrap() + 3;
        let inputs: Vec<String> = (0..program.types.len()).map(|i| argument(program, i)).collect();
        format!("{}({})\n{}", program.name, inputs.join(", "), &all[from..from + to])
    }

    /// What `cover` says of some of the programs; those that it refuses are left out.
    fn claims(&self, of: &[Program], tally: &mut Tally) -> Vec<Branch> {
        let mut arguments = vec!["cover", "all.c", "--json", "--native", "--evaluations", "400"];
        arguments.extend(of.iter().flat_map(|p| ["--fn", &p.name]));
        let answer = run(self.folder.path(), &arguments);
        match answer.code {
            Some(0) => answer.branches(),
            Some(1) => {
                let document = answer.document();
                let one = std::slice::from_ref(&document);
                let functions = document["functions"].as_array().map_or(one, Vec::as_slice);
                let different =
                    functions.iter().filter(|f| f["native"]["different"].as_array().is_some_and(|d| !d.is_empty()));
                for f in different {
                    let program = of.iter().find(|p| f["function"] == p.name.as_str()).unwrap();
                    tally.wrong.push(format!("results differ: {}\n{}", f["native"]["different"], self.text(program)));
                }
                answer.branches()
            }
            Some(2) if of.len() > 1 => of.chunks(1).flat_map(|one| self.claims(one, tally)).collect(),
            Some(2) => {
                let why = answer.err.lines().find(|l| l.starts_with("error")).unwrap_or("no error is told");
                *tally.counts.entry(("refused", why.replace(&of[0].name, "f"))).or_default() += 1;
                Vec::new()
            }
            code => {
                tally.wrong.push(format!("exit code {code:?}: {}\n{}", answer.err, self.text(&of[0])));
                Vec::new()
            }
        }
    }

    fn judge(&self, tally: &mut Tally) {
        tally.programs += self.programs.len();
        let branches = self.claims(&self.programs, tally);
        let counts = self.attack();
        for (program, conditions) in self.programs.iter().zip(&self.conditions) {
            let own: Vec<Branch> = branches.iter().filter(|b| b.function == program.name).cloned().collect();
            if own.is_empty() {
                continue;
            }
            let mut wrong = Vec::new();
            for condition in conditions {
                let at: Vec<&Branch> = own.iter().filter(|b| b.line == condition.line as u64).collect();
                wrong.extend(tally.one(condition, &at).into_iter().map(|w| format!("all.c:{}: {w}", condition.line)));
            }
            // The claims about all other branches, and other claims about these.
            let verdict = judge(&own, &counts);
            tally.compared += verdict.compared;
            tally.unlike += verdict.unlike;
            wrong.extend(verdict.false_claims);
            if !wrong.is_empty() {
                tally.wrong.push(format!("{}\n{}", wrong.join("\n"), self.text(program)));
            }
        }
    }

    /// What native calls take, the known inputs and others.
    fn attack(&self) -> attack::Counts {
        let (base, source) = (self.folder.path(), PathBuf::from("all.c"));
        let targets = prototype::targets(base, &source, &[], &|_| 1);
        assert_eq!(targets.len(), self.programs.len());
        let attack = Attack::build(base, &[source], &[], &targets).unwrap();
        for (i, program) in self.programs.iter().enumerate() {
            let effort =
                Effort { calls: 20_000, seconds: 20.0, seeds: std::slice::from_ref(&program.secret), values: &[] };
            attack.run(i, &effort).unwrap();
        }
        attack.counts().unwrap()
    }
}

impl Tally {
    /// Count what is claimed of a condition's branches; what is wrong with it.
    fn one(&mut self, condition: &Condition, at: &[&Branch]) -> Vec<String> {
        // Those that hold lead to the next line, or to the rest of this one.
        let line = condition.line as u64;
        let holds = |b: &&&Branch| b.to == line || b.to == line + 1;
        let (yes, no): (Vec<&&Branch>, Vec<&&Branch>) = at.iter().partition(|b| holds(b));
        if yes.is_empty() || yes.len() != no.len() {
            *self.counts.entry(("not told apart", format!("of {}", at.len()))).or_default() += 1;
            // All ways of a line that the secret input passes.
            let all = !at.is_empty() && at.iter().all(|b| b.is_infeasible());
            return if all { vec!["all ways are called infeasible".to_owned()] } else { Vec::new() };
        }
        let ways = if condition.holds { &yes } else { &no };
        if condition.purpose == Purpose::Never {
            let status = &yes[yes.len() - 1].status;
            *self.counts.entry(("never", status.clone())).or_default() += 1;
            let mut wrong = Vec::new();
            if yes.iter().all(|b| b.status == "taken") {
                wrong.push("what no input takes is called taken".to_owned());
            }
            if no.iter().all(|b| b.is_infeasible()) {
                wrong.push("what the known input takes is called infeasible".to_owned());
            }
            return wrong;
        }
        let status = ["infeasible", "open", "taken"].into_iter().find(|s| ways.iter().any(|b| b.status == *s));
        *self.counts.entry(("rare", status.unwrap_or_default().to_owned())).or_default() += 1;
        let false_claim = ways.iter().any(|b| b.is_infeasible());
        if false_claim { vec!["what the known input takes is called infeasible".to_owned()] } else { Vec::new() }
    }

    fn text(&self) -> String {
        let mut text = format!("{} programs, {} with wrong claims or results\n", self.programs, self.wrong.len());
        for ((purpose, status), n) in &self.counts {
            let _ = writeln!(text, "{purpose:16}{status:12} {n}");
        }
        let _ = writeln!(text, "lines with claims {} compared with gcov's, {} unlike", self.compared, self.unlike);
        for wrong in &self.wrong {
            let _ = writeln!(text, "WRONG  {wrong}");
        }
        text
    }
}

#[test]
fn rare_branches_of_random_programs_are_not_called_infeasible() {
    if !has_clang() || !has(&["cc", "gcov"]) {
        return;
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<usize>().ok());
    let (wanted, first) = (number("MAGNETO_PROGRAMS").unwrap_or(4), number("MAGNETO_FIRST").unwrap_or(0));
    let mut tally = Tally::default();
    for k in (first..first + wanted).step_by(AT_ONCE) {
        let before = tally.wrong.len();
        if tally.programs > 0 && tally.programs.is_multiple_of(100) {
            eprintln!("{}", tally.text());
        }
        Batch::new(k, AT_ONCE.min(first + wanted - k)).judge(&mut tally);
        for wrong in &tally.wrong[before..] {
            eprintln!("{} programs, WRONG  {wrong}", tally.programs);
        }
    }
    eprintln!("{}", tally.text());
    assert!(tally.wrong.is_empty(), "{}", tally.text());
}
