//! Calls of a native program against proofs: a branch that is called infeasible and is taken is told as a bug, calls that
//! trap are replayed, and counts that differ fail. What the interpreter gets wrong is made up here by code that asks
//! which program it is in.

use crate::support::compilers::{has, has_clang};
use magneto::cc::Flags;
use magneto::code::attack::CallPlan;
use magneto::code::compile::compile;
use magneto::code::given::Given;
use magneto::code::goal::{GOAL, compile_goal, holds};
use magneto::code::module::Module;
use magneto::code::native::{Native, NativeCall, NativeOutcome, NativeSources, NativeUse};
use magneto::code::program::CodeProgram;
use magneto::reach::attack::{AttackError, Contradiction, attack, attack_paths};
use magneto::reach::coverage::{Coverage, CoverageLimits, Reached};
use magneto::reach::paths::{Explorer, PathLimits, PathOutcome};
use magneto::reach::replay::replay;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;
use tempfile::TempDir;

fn has_compilers() -> bool {
    has_clang() && has(&["cc", "gcov"])
}

/// A file of C in a folder of its own.
struct Code {
    folder: TempDir,
}

impl Code {
    fn new(text: &str) -> Code {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("f.c"), text).unwrap();
        Code { folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("f.c")
    }

    fn program(&self) -> CodeProgram {
        let bytes = compile(&[self.file()], &Flags::default()).unwrap();
        CodeProgram::new(Module::decode_asking(&bytes, true, None).unwrap(), "f", &[]).unwrap()
    }

    fn native(&self, program: &CodeProgram) -> Native {
        Native::build(&[program], &Arc::new(NativeSources::new(&[self.file()], &Flags::default())), NativeUse::Counts)
            .unwrap()
    }

    fn magneto(&self, command: &str, more: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_magneto"))
            .args([command, "f.c", "--fn", "f"])
            .args(more)
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }

    fn json(&self, more: &[&str]) -> serde_json::Value {
        let run = self.magneto("cover", &[more, &["--native", "--json"]].concat());
        serde_json::from_slice(&run.stdout).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&run.stderr)))
    }
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const NARROW: &str = "int f(long long a) {\n    if (a < 0)\n        if (a >> 3 == -123456789012)\n            return 1;\n    return 0;\n}\n";

#[test]
fn an_input_that_takes_what_is_claimed_infeasible_is_found_and_named() {
    if !has_compilers() {
        return;
    }
    let code = Code::new(NARROW);
    let program = code.program();
    let native = code.native(&program);
    let mut coverage = Coverage::new(&program, &[program.entry], CoverageLimits { evaluations: 20, seed: 0 });
    coverage.search(20);
    let claimed = coverage.goals.iter().position(|g| program.leads_to(*g) == Some(4)).unwrap();
    assert!(matches!(coverage.reached[claimed], Reached::Open(_)));
    coverage.reached[claimed] = Reached::Infeasible { boxes: 1, given: Given::Nothing };
    let Err(AttackError::Contradicted(Contradiction { branches, input, is_interpreted, .. })) =
        attack(&program, &native, &mut coverage)
    else {
        panic!("nothing contradicts a false claim");
    };
    assert!(is_interpreted && branches.len() == 1 && branches[0].contains("f.c:3:"), "{branches:?}");
    let input: i64 = input.unwrap()[1].parse().unwrap();
    assert_eq!(input >> 3, -123_456_789_012);
}

#[test]
fn a_path_that_is_claimed_infeasible_and_is_followed_is_named() {
    if !has_compilers() {
        return;
    }
    let code = Code::new(NARROW);
    let program = code.program();
    let native = code.native(&program);
    let mut table = Explorer::new(&program, PathLimits::default()).explore();
    assert_eq!(attack_paths(&program, &native, &table.rows).unwrap().paths, 0, "no path is called infeasible");
    // Each of the three paths, one of which only eight inputs follow.
    assert_eq!(table.rows.len(), 3);
    for k in 0..3 {
        let own = std::mem::replace(&mut table.rows[k].outcome, PathOutcome::Infeasible);
        let Err(AttackError::Contradicted(c)) = attack_paths(&program, &native, &table.rows) else {
            panic!("nothing contradicts a false claim about {:?}", table.rows[k].decisions);
        };
        assert!(c.is_interpreted && c.branches[0].contains("f.c:2:"), "{c}");
        let input: i64 = c.input.unwrap()[1].parse().unwrap();
        assert_eq!(table.rows[k].decisions.len() == 1, input >= 0, "{input}");
        table.rows[k].outcome = own;
    }
}

/// The function that asks a condition is in the native program, too.
#[test]
fn a_condition_that_is_claimed_never_to_hold_and_holds_is_found() {
    if !has_compilers() {
        return;
    }
    let code = Code::new(NARROW);
    let goal = compile_goal(&code.program(), &[code.file()], &Flags::default(), "result == 1 && a % 8 == -1").unwrap();
    let program = CodeProgram::new(goal.compiled.module(None).unwrap(), GOAL, &[]).unwrap();
    let native = Native::build(
        &[&program],
        &Arc::new(NativeSources::new(&program.module.sources, &Flags::default())),
        NativeUse::Counts,
    )
    .unwrap();
    let goals = holds(&program);
    let mut coverage = Coverage::new(&program, &program.reached(), CoverageLimits { evaluations: 20, seed: 0 });
    coverage.only(&goals);
    let claimed = coverage.goals.iter().position(|g| *g == goals[0]).unwrap();
    coverage.reached[claimed] = Reached::Infeasible { boxes: 1, given: Given::Nothing };
    let Err(AttackError::Contradicted(c)) = attack(&program, &native, &mut coverage) else {
        panic!("nothing contradicts a false claim");
    };
    let input: i64 = c.input.unwrap()[1].parse().unwrap();
    assert_eq!((input >> 3, input % 8), (-123_456_789_012, -1));
}

#[test]
fn what_the_attack_takes_is_open_no_longer() {
    if !has_compilers() {
        return;
    }
    let code = Code::new(NARROW);
    let program = code.program();
    let native = code.native(&program);
    let mut coverage = Coverage::new(&program, &[program.entry], CoverageLimits { evaluations: 20, seed: 0 });
    coverage.search(20);
    assert!(coverage.taken() < 4);
    let open = 4 - coverage.taken();
    assert_eq!(attack(&program, &native, &mut coverage).unwrap().taken, open);
    assert_eq!(coverage.taken(), 4);
}

/// The line of the value that no run gives has the other value, too.
#[test]
fn a_line_with_both_values_of_a_choice_contradicts_nothing() {
    if !has_compilers() {
        return;
    }
    let code = Code::new("int f(int x) {\n    return\n        x * 0 > 0 ?\n        x - 1 : 0;\n}\n");
    let program = code.program();
    let native = code.native(&program);
    let coverage = Coverage::new(&program, &[program.entry], CoverageLimits { evaluations: 20, seed: 0 });
    let claimed = *coverage.goals.iter().find(|g| program.leads_to(**g) == Some(4)).unwrap();
    let replayed = replay(&program, &native, vec![vec![1], vec![2]], None, &[claimed]).unwrap();
    assert!(replayed.same == 2 && !replayed.differs(), "{replayed:?}");
}

#[test]
fn counts_contradict_a_claim_and_an_input_is_named() {
    if !has_compilers() {
        return;
    }
    let code = Code::new("int f(int x) {\n    if (x > 5)\n        return 1;\n    return 0;\n}\n");
    let program = code.program();
    let native = code.native(&program);
    let coverage = Coverage::new(&program, &[program.entry], CoverageLimits { evaluations: 20, seed: 0 });
    let to = |line| *coverage.goals.iter().find(|g| program.leads_to(**g) == Some(line)).unwrap();
    let inputs = || vec![vec![1], vec![2], vec![7], vec![3]];
    match replay(&program, &native, inputs(), None, &[to(3)]) {
        Err(AttackError::Contradicted(c)) => {
            assert!(!c.is_interpreted && c.branches[0].ends_with("f.c:2:9 -> line 3"), "{c}");
            assert_eq!(c.input.unwrap(), ["f", "7"]);
        }
        other => panic!("{other:?}"),
    }
    let replayed = replay(&program, &native, vec![vec![1], vec![2]], None, &[to(3)]).unwrap();
    assert!(replayed.same == 2 && !replayed.differs(), "{replayed:?}");
}

/// A call whose result depends on what the code never writes is no difference, and a claim is held against it all the same.
#[test]
fn a_call_that_is_left_out_contradicts_a_claim() {
    if !has_compilers() {
        return;
    }
    let code = Code::new(
        "#ifdef main\n#define LEFT 5\n#else\n#define LEFT 0\n#endif\n\
         static int leave(int a) { volatile int t[8]; for (int i = 0; i < 8; i++) t[i] = a; return t[2]; }\n\
         static int find(void) { int t[8], s = 0; for (int i = 0; i < 8; i++) s += t[i]; return s; }\n\
         int f(int x) {\n    if (x > 5) {\n        leave(LEFT);\n        return find();\n    }\n    return 0;\n}\n",
    );
    let program = code.program();
    let native = code.native(&program);
    let coverage = Coverage::new(&program, &[program.entry], CoverageLimits { evaluations: 20, seed: 0 });
    let claimed = *coverage.goals.iter().find(|g| program.leads_to(**g) == Some(10)).unwrap();
    let inputs = || vec![vec![1], vec![7]];
    let replayed = replay(&program, &native, inputs(), None, &[]).unwrap();
    assert!(replayed.same == 1 && !replayed.differs() && replayed.unwritten == [["f", "7"]], "{replayed:?}");
    match replay(&program, &native, inputs(), None, &[claimed]) {
        Err(AttackError::Contradicted(c)) => assert_eq!(c.input.unwrap(), ["f", "7"]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_same_plan_makes_the_same_calls_and_fills_what_is_behind_pointers() {
    if !has_compilers() {
        return;
    }
    let code = Code::new(
        "int f(int x, const int *p) {\n    if (p[3] == 77)\n        return x > 5 ? 2 : 1;\n    return 0;\n}\n",
    );
    let program = code.program();
    let native = code.native(&program);
    let kinds: Vec<_> = program.inputs.iter().map(|i| i.kind).collect();
    let values = vec![vec![0, 5]; kinds.len()];
    let mut plan = CallPlan { calls: 40_000, kinds, begins: Vec::new(), values, fills: true, has_variables: false };
    let one = native.attack(&plan).unwrap();
    assert_eq!(one, native.attack(&plan).unwrap());
    assert!(one.is_whole && one.calls == 40_000, "{one:?}");
    let calls: Vec<NativeCall> =
        one.kept.into_iter().map(|k| NativeCall { function: 0, input: k.input, filling: k.filling }).collect();
    let outcomes = native.calls(&calls).unwrap();
    assert!(calls.iter().any(|c| c.filling != 0));
    // The same values are there when a call is made once more.
    assert_eq!(outcomes, native.calls(&calls).unwrap());
    assert!(outcomes.iter().all(|o| matches!(o, NativeOutcome::Returned(Some(_), _))), "{outcomes:?}");
    plan.fills = false;
    assert!(native.attack(&plan).unwrap().kept.iter().all(|k| k.filling == 0));
}

/// The native compiler alone has another name for `main`: the interpreter never adds 4.
const OTHERWISE: &str = "int f(int x) {
    int y = x & 3;
#ifdef main
    y += x == 123456788 ? 4 : 0;
#endif
    if (y == 4)
        return 0;
    return 0;
}
";

#[test]
fn a_branch_that_only_the_native_program_takes_is_a_bug_and_no_result() {
    if !has_compilers() {
        return;
    }
    let code = Code::new(OTHERWISE);
    for (command, more) in [("cover", &[][..]), ("reach", &["--line", "7"])] {
        let run = code.magneto(command, more);
        let error = said(&run.stderr);
        assert_eq!(run.status.code(), Some(70), "{command} {more:?}: {}{error}", said(&run.stdout));
        assert!(error.contains("a bug in magneto: f.c:6:") && error.contains("by f 123456788 in a native"), "{error}");
        assert!(!said(&run.stdout).contains("infeasible"), "{}", said(&run.stdout));
        let alone = code.magneto(command, &[more, &["--no-native"]].concat());
        assert_eq!(alone.status.code(), Some(0), "{}", said(&alone.stderr));
        assert!(said(&alone.stdout).contains("infeasible") && !said(&alone.stdout).contains("native"));
    }
}

#[test]
fn a_line_that_only_the_native_program_comes_to_is_a_bug() {
    if !has_compilers() {
        return;
    }
    // Each program takes one way at the second test, always the same one.
    let code = Code::new(
        "int f(int x) {\n    int y = x - x;\n#ifdef main\n    y = 1;\n#endif\n    if (x == 1000)\n        if (y)\n            \
         return 1;\n    return 0;\n}\n",
    );
    let run = code.magneto("cover", &[]);
    assert_eq!(run.status.code(), Some(70), "{}{}", said(&run.stdout), said(&run.stderr));
    assert!(said(&run.stderr).contains("f.c:7:13 -> line 8 was proved infeasible and is taken by f 1000"), "{run:?}");
}

#[test]
fn a_signal_contradicts_that_no_assertion_fails() {
    if !has_compilers() {
        return;
    }
    let code = Code::new(
        "#include <assert.h>\nint f(int x) {\n    int y = x & 1;\n#ifdef main\n    y += 2 * (x == 1234);\n#endif\n    assert(y \
         != 2);\n    return 0;\n}\n",
    );
    let run = code.magneto("cover", &["--goal", "assert"]);
    assert_eq!(run.status.code(), Some(70), "{}{}", said(&run.stdout), said(&run.stderr));
    assert!(said(&run.stderr).contains("fails was proved infeasible and is taken by f 1234 in a native"), "{run:?}");
}

#[test]
fn calls_that_trap_are_replayed() {
    if !has_compilers() {
        return;
    }
    let code = Code::new(
        "#include <assert.h>\n#include <stdlib.h>\nint f(int x) {\n    if (x == 3)\n        abort();\n    if (x == 4)\n        \
         exit(1);\n    if (x == 7) {\n        int *p = 0;\n        \
         return *p;\n    }\n    assert(x != 5);\n    if (x == 6)\n        return x / (x - \
         6);\n    return 0;\n}\n",
    );
    let document = code.json(&[]);
    let native = &document["native"];
    let runs = document["runs"].as_array().unwrap();
    assert_eq!(runs.iter().filter(|r| r["result"].as_str().unwrap().starts_with("trap")).count(), 5, "{runs:?}");
    // What is read at address 0 is anybody's guess; what divides by 0 is refused by some processors.
    let refuses = cfg!(any(target_arch = "x86", target_arch = "x86_64"));
    assert_eq!(native["left_out"], if refuses { 1 } else { 2 }, "{native}");
    assert_eq!(native["different"], serde_json::json!([]), "{native}");
    assert_eq!(native["lines"]["different"], serde_json::json!([]), "{native}");
    assert!(native["lines"]["same"].as_u64().unwrap() + native["lines"]["apart"].as_array().unwrap().len() as u64 > 0);
}

#[test]
fn counts_that_differ_fail() {
    if !has_compilers() {
        return;
    }
    let code = Code::new(
        "int f(int x) {\n    int n = 3;\n#ifdef main\n    n = 4;\n#endif\n    for (int i = 0; i < n; i++)\n        x ^= x \
         << 1;\n    return 0;\n}\n",
    );
    let run = code.magneto("cover", &[]);
    let out = said(&run.stdout);
    assert_eq!(run.status.code(), Some(1), "{out}{}", said(&run.stderr));
    assert!(out.contains("f.c:6: taken [1, 3] times here, [1, 4] times by gcov"), "{out}");
}

#[test]
fn a_condition_on_several_lines_is_no_difference_and_no_bug() {
    if !has_compilers() {
        return;
    }
    // As in Fdlibm: compilers do not agree on which line has which test, and the first one always holds.
    let code = Code::new(
        "static const double two54 = 1.80143985094819840000e+16, zero = 0.0;\ndouble f(double x) {\n    double ax = x < 0 ? -x : \
         x;\n\n\n\n    if (ax < 1e-9) {\n        if (two54 + x > zero\n            && ax < 1e-17)\n            return x;\n        \
         else\n            return x - x * x * 0.5;\n    }\n    return 1;\n}\n",
    );
    let run = code.magneto("cover", &[]);
    assert_eq!(run.status.code(), Some(0), "{}{}", said(&run.stdout), said(&run.stderr));
    assert!(said(&run.stdout).contains("no infeasible branch of 1 taken"), "{run:?}");
}

#[test]
fn the_record_of_an_attack_is_in_every_form() {
    if !has_compilers() {
        return;
    }
    // A variable that calls change, so that each process makes few of them.
    let code = Code::new(
        "static int count;\nint f(int x) {\n    count++;\n    if (count > 1)\n        return 2;\n    int y = x & 7;\n    if (y == \
         9)\n        return 1;\n    return 0;\n}\n",
    );
    let folder = code.folder.path().join("out");
    let document = code.json(&["-o", folder.to_str().unwrap()]);
    let attack = &document["native"]["attack"];
    // Of one the proof takes the variable's value at the start for granted.
    assert!(document["infeasible"] == 1 && document["infeasible_given"] == 1, "{document}");
    assert!(attack["calls"].as_u64().unwrap() > 10_000 && attack["is_whole"] == true, "{attack}");
    assert!(attack["proofs"] == 2 && attack["compared"] == 2, "{attack}");
    let page = std::fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.contains("calls made up: no infeasible branch of 2 taken"), "{page}");
    let text = said(&code.magneto("cover", &[]).stdout);
    assert!(text.contains("calls made up: no infeasible branch of 2 taken"), "{text}");
    let asked = code.magneto("cover", &["--goal", "div0"]);
    assert_eq!(asked.status.code(), Some(0), "{}", said(&asked.stderr));
}
