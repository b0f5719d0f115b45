//! Small C functions of which `cover` and `reach` once claimed what is false, or answered nothing. Of each, the branches that
//! inputs take are never called infeasible, or the function is refused with a message that names why.

use crate::support;
use crate::support::compilers::{has, has_clang};
use crate::support::cover::{Branch, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A place of a branch: line and column.
type Place = (u64, u64);

enum Expected {
    /// No branch is infeasible, but one way each at these places may be.
    Feasible(&'static [Place]),
    /// One way each at these places is proved infeasible, and the other one taken; nothing else is infeasible.
    Proved(&'static [Place]),
    /// Exit code 2, and a message with one of these words.
    Refused(&'static [&'static str]),
    /// The one or the other, since the code needs what may or may not be modelled; where it is, natively as well.
    FeasibleOrRefused(&'static [Place], &'static [&'static str]),
}
use Expected::{Feasible, FeasibleOrRefused, Proved, Refused};

const ALL: Expected = Feasible(&[]);

/// What is expected of a function: its files, its name, further options.
const TABLE: &[(&str, &str, &str, Expected)] = &[
    // Each step of `xs` can be undone: one number alone comes to 23.
    ("shift64.c", "xs", "", Feasible(&[(8, 13)])),
    ("shift64.c", "mix", "", ALL),
    ("shift64.c", "sub", "", ALL),
    ("shift_small.c", "f", "--evaluations 20", ALL),
    // No `k` at all: the lowest three bits of `k` determine the others, and none of the eight values fits.
    ("halves.c", "f", "", Feasible(&[(3, 76)])),
    ("halves.c", "g", "", ALL),
    ("halves.c", "h", "", ALL),
    ("halves.c", "k", "", ALL),
    ("halves.c", "m", "", ALL),
    ("halves.c", "n", "", ALL),
    ("halves.c", "o", "", ALL),
    ("divisors.c", "d0", "--goal div0", ALL),
    ("divisors.c", "d1", "--goal div0", ALL),
    ("divisors.c", "as", "--goal assert", ALL),
    // The first call of a program, as the notes say.
    ("surroundings.c", "s1", "", Feasible(&[(6, 40)])),
    ("surroundings.c", "s2", "", Refused(&["volatile"])),
    ("surroundings.c", "s3", "", ALL),
    ("surroundings.c", "s4", "", Feasible(&[(12, 65), (12, 93)])),
    ("surroundings.c", "s5", "", ALL),
    ("surroundings.c", "s6", "", ALL),
    ("surroundings.c", "s7", "", Feasible(&[])),
    ("surroundings.c", "s8", "", FeasibleOrRefused(&[(22, 93)], &["qsort"])),
    ("surroundings.c", "s9", "", ALL),
    // A `long long` has 19 digits at most.
    ("surroundings.c", "s11", "", FeasibleOrRefused(&[(26, 142)], &["strlen"])),
    ("surroundings.c", "s12", "", ALL),
    ("surroundings.c", "s12", "--input s[5]", ALL),
    ("flags.c", "s7", "", Feasible(&[])),
    ("pairs.c", "f", "", FeasibleOrRefused(&[], &["complex"])),
    ("pairs.c", "g", "", FeasibleOrRefused(&[], &["complex"])),
    ("pairs.c", "h", "", FeasibleOrRefused(&[], &["complex"])),
    ("pairs.c", "k", "", FeasibleOrRefused(&[(4, 112)], &["complex"])),
    ("by_value.c", "dot", "", FeasibleOrRefused(&[], &["struct"])),
    ("by_value.c", "mk", "", FeasibleOrRefused(&[], &["struct"])),
    ("by_value.c", "one", "", FeasibleOrRefused(&[], &["struct"])),
    ("by_value.c", "lp", "", FeasibleOrRefused(&[], &["`p`"])),
    ("no_prototype.c", "f", "", Refused(&["no_prototype.c:2"])),
    ("no_prototype.c", "g", "", Refused(&["no_prototype.c:3"])),
    ("no_prototype.c half.c", "f", "", Refused(&["no_prototype.c:2"])),
    ("no_prototype.c half.c", "g", "", Refused(&["no_prototype.c:3"])),
    ("stores.c", "f", "", ALL),
    ("stores.c", "g", "", ALL),
    ("stores.c", "h", "", ALL),
    ("stores.c", "k", "", ALL),
    ("controller.c", "pid", "", ALL),
    ("relations.c", "sub", "", Proved(&[(2, 39)])),
    ("relations.c", "tot", "", Proved(&[(3, 64)])),
    ("relations.c", "com", "", Proved(&[(4, 54)])),
    ("relations.c", "mono", "", Proved(&[(5, 41)])),
    // Open as yet. The last place is the end of a block, which clang makes a switch of.
    ("relations.c", "mid", "", Feasible(&[(6, 88), (6, 107), (6, 121)])),
    ("relations.c", "cyc", "", Proved(&[(7, 57)])),
    ("relations.c", "clampd", "", Feasible(&[(8, 73)])),
];

/// What x86-64 gives for floats outside of the integers' range: 32 bits are converted, then cut off.
#[cfg(target_arch = "x86_64")]
const CASTS: &[(&str, &str, &str, Expected)] = &[
    ("narrow_casts.c", "u8", "", Feasible(&[(5, 13)])),
    ("narrow_casts.c", "u16", "", Feasible(&[(12, 13)])),
    ("narrow_casts.c", "u8f", "", Feasible(&[(19, 13)])),
];
#[cfg(not(target_arch = "x86_64"))]
const CASTS: &[(&str, &str, &str, Expected)] = &[];

/// Calls, and what the native program gives for them: inputs of the rare branches above, so that the table is judged, too.
const WITNESSES: &[(&str, &str, &str)] = &[
    ("shift64.c", "xs(15960456074741200697ull)", "1"),
    ("shift64.c", "mix(-6597069766636911257LL, -5312322896941573225LL)", "1"),
    (
        "shift64.c",
        "sub(-77LL * (1LL << 40) + 0xdeadbeefLL, -77LL * (1LL << 40) + 0xdeadbeefLL + (123456789LL << 32))",
        "1",
    ),
    ("shift_small.c", "f(-40)", "1"),
    ("halves.c", "g(D(0xc008000012345678ull ^ 0x5555))", "1"),
    ("halves.c", "h(D(0xffe0000012345677ull))", "1"),
    ("halves.c", "k(D(-0xbff0000012345678ull))", "1"),
    ("halves.c", "m(D(0xc03123456789abcdull))", "1"),
    ("halves.c", "n(D(0xc03123456789abcdull))", "1"),
    ("halves.c", "o(D(0xc03123456789abcdull))", "1"),
    ("surroundings.c", "s4(1.0, 0x10000001u)", "2"),
    ("surroundings.c", "s5(7.0)", "1"),
    ("surroundings.c", "s6(1.0)", "1"),
    ("surroundings.c", "s11(1e18)", "1"),
    ("surroundings.c", "s12(\"0001\")", "-1"),
];
#[cfg(target_arch = "x86_64")]
const CAST_WITNESSES: &[(&str, &str, &str)] = &[
    ("narrow_casts.c", "u8(4294967294.0 + D(0))", "1"),
    ("narrow_casts.c", "u16(4294967297.0 + D(0))", "1"),
    ("narrow_casts.c", "u8f(1e10f + (float)D(0))", "1"),
];
#[cfg(not(target_arch = "x86_64"))]
const CAST_WITNESSES: &[(&str, &str, &str)] = &[];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code/repro")
}

fn arguments<'a>(command: &'a str, files: &'a str, function: &'a str, options: &'a str) -> Vec<&'a str> {
    let mut all = vec![command];
    all.extend(files.split(' '));
    all.extend(["--fn", function]);
    all.extend(options.split_whitespace());
    all
}

/// What is wrong with the branches, where one way at each of these places may be infeasible.
fn wrong(branches: &[Branch], places: &[Place], proved: bool) -> Vec<String> {
    let at = |place: Place| branches.iter().filter(move |b| (b.line, b.column) == place);
    let mut wrong: Vec<String> = branches
        .iter()
        .filter(|b| b.is_claimed() && !places.contains(&(b.line, b.column)))
        .map(|b| format!("{}:{} way {} is called infeasible, but is taken by some input", b.line, b.column, b.way))
        .collect();
    for place in places {
        let (ways, claimed) = (at(*place).count(), at(*place).filter(|b| b.is_claimed()).count());
        if ways > 0 && claimed == ways {
            wrong.push(format!("all ways at {place:?} are called infeasible"));
        }
        if proved && !(at(*place).any(|b| b.status == "infeasible") && at(*place).any(|b| b.status == "taken")) {
            wrong.push(format!("at {place:?} no way is proved infeasible, or none is taken"));
        }
    }
    wrong
}

/// What is wrong with the answer to one row.
fn judged((files, function, options, expected): &(&str, &str, &str, Expected)) -> Vec<String> {
    let mut arguments = arguments("cover", files, function, options);
    arguments.push("--json");
    let mut answer = run(&folder(), &arguments);
    if answer.code == Some(0) && matches!(expected, FeasibleOrRefused(..)) {
        arguments.push("--native");
        answer = run(&folder(), &arguments);
        if answer.code != Some(0) {
            return vec![format!(
                "not as in a native program: exit code {:?}, {}{}",
                answer.code, answer.out, answer.err
            )];
        }
    }
    let refused = |words: &[&str]| answer.code == Some(2) && words.iter().any(|w| answer.err.contains(w));
    let feasible = |places: &[Place], proved: bool| match answer.code {
        Some(0) => wrong(&answer.branches(), places, proved),
        _ => vec![format!("exit code {:?}: {}", answer.code, answer.err)],
    };
    match expected {
        Feasible(places) => feasible(places, false),
        Proved(places) => feasible(places, true),
        Refused(words) | FeasibleOrRefused(_, words) if refused(words) => Vec::new(),
        Refused(words) => {
            vec![format!("not refused for one of {words:?}: exit code {:?}, {}", answer.code, answer.err)]
        }
        FeasibleOrRefused(places, _) => feasible(places, false),
    }
}

/// Every fifth of them; with `MAGNETO_LONG` set, all.
#[test]
fn no_feasible_branch_is_called_infeasible() {
    if !has_clang() {
        return;
    }
    let mut all = Vec::new();
    for row in TABLE.iter().chain(CASTS).step_by(if support::long() { 1 } else { 5 }) {
        let (files, function, options, _) = row;
        all.extend(judged(row).into_iter().map(|w| format!("{files} {function} {options}: {w}")));
    }
    assert!(all.is_empty(), "{} wrong:\n{}", all.len(), all.join("\n"));
}

/// Compile a program of these lines after the file natively, run it, and give what it prints.
fn native(file: &str, body: &str) -> String {
    let scratch = tempfile::tempdir().unwrap();
    let (source, program) = (scratch.path().join("main.c"), scratch.path().join("main"));
    let text = format!(
        "#include \"{file}\"\n#include <stdio.h>\n\
         double D(unsigned long long u) {{ union {{ unsigned long long u; double d; }} v; v.u = u; return v.d; }}\n\
         int main(void) {{ {body} }}\n"
    );
    std::fs::write(&source, text).unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-O0", "-w", "-I"]).arg(folder()).arg(&source).arg("-o").arg(&program).arg("-lm");
    let compiled = cc.output().unwrap();
    assert!(compiled.status.success(), "{file}: {}", String::from_utf8_lossy(&compiled.stderr));
    String::from_utf8(Command::new(&program).output().unwrap().stdout).unwrap()
}

#[test]
fn native_programs_take_the_rare_branches() {
    if !has(&["cc"]) {
        return;
    }
    for (file, call, wanted) in WITNESSES.iter().chain(CAST_WITNESSES) {
        assert_eq!(native(file, &format!("printf(\"%g\", (double){call});")), *wanted, "{file}: {call}");
    }
}

/// The cube root is the host's: of `cbrt(27) != 3` the way that a native program takes is taken, and no other.
#[test]
fn cube_roots_are_those_of_the_host() {
    if !has_clang() || !has(&["cc"]) {
        return;
    }
    let wanted = native("cube_root.c", "volatile double x = 3; printf(\"%d\", c2(x));");
    let answer = run(&folder(), &arguments("cover", "cube_root.c", "c2", "--json"));
    let document = answer.document();
    let results: Vec<&str> = document["runs"].as_array().unwrap().iter().filter_map(|r| r["result"].as_str()).collect();
    assert!(results.contains(&wanted.as_str()), "natively {wanted}, here {results:?}");
    let other = if wanted == "1" { "2" } else { "1" };
    assert!(!results.contains(&other), "natively {wanted}, here {results:?}");
    let answer = run(&folder(), &arguments("cover", "cube_root.c", "c1", "--json"));
    assert!(answer.branches().iter().all(|b| b.status == "taken"), "{}", answer.out);
}

/// A store through a pointer hides no path.
#[test]
fn paths_after_stores_are_all_told() {
    if !has_clang() {
        return;
    }
    for (function, paths) in [("f", 2), ("g", 2), ("h", 3), ("k", 3)] {
        let answer = run(&folder(), &arguments("reach", "stores.c", function, "--paths 6 --no-native --json"));
        let document = answer.document();
        assert_eq!(document["feasible"], paths, "{function}: {}{}", answer.out, answer.err);
        assert_eq!(document["complete"], true, "{function}: {}{}", answer.out, answer.err);
    }
}

/// A path through a controller with six inputs is found, as its branches are.
#[test]
fn a_path_with_six_inputs_is_found() {
    if !has_clang() {
        return;
    }
    let answer = run(&folder(), &arguments("reach", "controller.c", "pid", "--path TTTF --no-native --json"));
    let document = answer.document();
    assert_eq!(document["feasible"], 1, "{}{}", answer.out, answer.err);
}

/// A function without branches is judged by its specification, like any other.
#[test]
fn code_without_branches_is_judged() {
    if !has_clang() {
        return;
    }
    for (function, code) in [("softplus", 0), ("softplus_bad", 1), ("softplus_naive", 1)] {
        let answer = run(&folder(), &arguments("cover", "softplus.c", function, "--spec softplus.fpcore --json"));
        assert_eq!(answer.code, Some(code), "{function}: {}{}", answer.out, answer.err);
        let runs = answer.document()["runs"].as_array().unwrap().len();
        assert!(runs > 0, "{function} is never run");
    }
}
