//! C functions of two small integers: what is claimed of their branches beside what all 65,536 inputs take.

use super::{Comparison, Term};
use crate::support::compilers::{has, has_clang};
use crate::support::cover::{Branch, run};
use crate::support::long;
use crate::support::rng::Rng;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const OPERATIONS: [char; 7] = ['+', '-', '*', '&', '|', '^', '/'];

/// A function: each condition is on a line of its own, and what follows where it holds on the next one.
struct Function {
    name: String,
    ty: &'static str,
    conditions: Vec<Comparison>,
}

/// Each operation is converted to the type: nothing overflows that is undefined.
fn term(of: &Term, ty: &str) -> String {
    match of {
        Term::Unknown(k) => ["x", "y", "x"][*k].to_owned(),
        Term::Number("0.5") => "100".to_owned(),
        Term::Number(text) => text.trim_end_matches(".0").to_owned(),
        Term::Two(operation, operands) => {
            let [a, b] = [&operands[0], &operands[1]].map(|t| term(t, ty));
            match operation {
                '/' => format!("({ty})({b} ? {a} / {b} : {a})"),
                _ => format!("({ty})({a} {operation} {b})"),
            }
        }
    }
}

impl Function {
    fn random(place: usize, rng: &mut Rng) -> Function {
        let count = 3 + rng.below(3);
        let conditions = (0..count).map(|_| Comparison::random(rng, &OPERATIONS)).collect();
        Function { name: format!("f{place}"), ty: ["int8_t", "uint8_t"][rng.below(2)], conditions }
    }

    /// The function; `asked` makes what is asked of a condition, from its place and its text.
    fn text(&self, asked: impl Fn(usize, String) -> String) -> String {
        let Function { name, ty, conditions } = self;
        let mut text = format!("int {name}({ty} x, {ty} y) {{\n");
        for (place, Comparison { is_strict, terms }) in conditions.iter().enumerate() {
            let [a, b] = [&terms[0], &terms[1]].map(|t| term(t, ty));
            let condition = format!("{a} {} {b}", if *is_strict { "<" } else { "<=" });
            // Some conditions lead out of the function, and what comes later is asked where they do not hold.
            let then = if place % 2 == 0 { format!("x ^= ({ty})y;") } else { format!("return {};", place + 1) };
            let _ = writeln!(text, "  if ({})\n    {then}", asked(place, condition));
        }
        text + "  return 0;\n}\n"
    }
}

/// How often each condition holds, and does not, over all inputs.
fn counts(folder: &Path, functions: &[Function]) -> Vec<Vec<[u64; 2]>> {
    let mut text = "#include <stdint.h>\n#include <stdio.h>\nstatic unsigned long n[16][2];\n".to_owned();
    for function in functions {
        text += &function.text(|place, condition| format!("n[{place}][{condition}]++, {condition}"));
    }
    text += "int main(void) {\n";
    for Function { name, ty, conditions } in functions {
        let _ =
            writeln!(text, "  for (int x = 0; x < 256; x++) for (int y = 0; y < 256; y++) {name}(({ty})x, ({ty})y);");
        for place in 0..conditions.len() {
            let _ = writeln!(
                text,
                "  printf(\"%lu %lu \", n[{place}][0], n[{place}][1]); n[{place}][0] = n[{place}][1] = 0;"
            );
        }
        text += "  puts(\"\");\n";
    }
    std::fs::write(folder.join("count.c"), text + "  return 0;\n}\n").unwrap();
    let compiled =
        Command::new("cc").args(["-O1", "-w", "count.c", "-o", "count"]).current_dir(folder).status().unwrap();
    assert!(compiled.success());
    let output = Command::new(folder.join("count")).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let numbers = |line: &str| line.split_whitespace().map(|w| w.parse().unwrap()).collect::<Vec<u64>>();
    lines.lines().map(|line| numbers(line).chunks(2).map(|pair| [pair[0], pair[1]]).collect()).collect()
}

#[test]
fn claims_about_small_integers_are_what_all_inputs_say() {
    if !has_clang() || !has(&["cc"]) {
        return;
    }
    let count = if long() { 1000 } else { 10 };
    let mut rng = Rng(31);
    let (mut taken, mut infeasible, mut open) = (0, 0, 0);
    for first in (0..count).step_by(20) {
        let functions: Vec<Function> = (first..count.min(first + 20)).map(|k| Function::random(k, &mut rng)).collect();
        let folder = tempfile::tempdir().unwrap();
        let own: String = functions.iter().map(|f| f.text(|_, condition| condition)).collect();
        std::fs::write(folder.path().join("all.c"), format!("#include <stdint.h>\n{own}")).unwrap();
        let mut arguments = vec!["cover", "all.c", "--json", "--no-native", "--evaluations", "300"];
        arguments.extend(functions.iter().flat_map(|f| ["--fn", &f.name]));
        let answer = run(folder.path(), &arguments);
        assert_eq!(answer.code, Some(0), "{}\n{own}", answer.err);
        let branches = answer.branches();
        let mut line = 2;
        for (function, counts) in functions.iter().zip(counts(folder.path(), &functions)) {
            for (place, ways) in counts.iter().enumerate() {
                let at = line + 1 + 2 * place as u64;
                // A division asks a question of its own, on the same line.
                let is_own = |b: &&Branch| b.function == function.name && b.line == at && b.to != at;
                let own: Vec<&Branch> = branches.iter().filter(is_own).collect();
                // Where the next condition is a constant, a compiler may have both ways lead to the same line.
                let [lines, all] = [own.iter().filter(|b| b.to == at + 1).count(), own.len()];
                for branch in own.into_iter().filter(|_| 2 * lines == all) {
                    let is_taken = ways[usize::from(branch.to == at + 1)] > 0;
                    match branch.status.as_str() {
                        "taken" => taken += 1,
                        "infeasible" => infeasible += 1,
                        _ => open += 1,
                    }
                    let is_wrong = (branch.status == "taken" && !is_taken) || (branch.is_claimed() && is_taken);
                    assert!(
                        !is_wrong,
                        "line {at} to {}: {} is wrong\n{own_text}",
                        branch.to,
                        branch.status,
                        own_text = function.text(|_, c| c)
                    );
                }
            }
            line += 3 + 2 * counts.len() as u64;
        }
    }
    println!("{taken} taken, {infeasible} infeasible, {open} open");
    assert!(taken > 4 * count && infeasible > count / 8, "{taken} taken, {infeasible} infeasible, {open} open");
    assert!(20 * open < taken + infeasible, "{taken} taken, {infeasible} infeasible, {open} open");
}
