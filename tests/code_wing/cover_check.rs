//! `cover --check`: proofs are confirmed by a second evaluation, which is not taken in by what does not hold.

use crate::support::compilers::has_clang;
use magneto::cc::Flags;
use magneto::code::compile::compile;
use magneto::code::given::Given;
use magneto::code::ins::BranchTest;
use magneto::code::module::Module;
use magneto::code::probe::ProbeQuestion;
use magneto::code::program::{BranchGoal, CodeProgram};
use magneto::code::run::{Runner, Watch};
use magneto::reach::infeasible::{BUDGET, ProofVerdict, prove};
use magneto::reach::recheck::{Recheck, recheck};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn source(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code").join(file)
}

fn program(file: &str, function: &str, question: Option<ProbeQuestion>) -> CodeProgram {
    let bytes = compile(&[source(file)], &Flags::default()).unwrap();
    CodeProgram::new(Module::decode_asking(&bytes, true, question).unwrap(), function, &[]).unwrap()
}

/// The branches of a function, or the answers "yes" to a question.
fn goals(program: &CodeProgram, question: Option<ProbeQuestion>) -> Vec<BranchGoal> {
    let sites = program.sites(&[program.entry]).into_iter().map(|(site, _)| site);
    let all =
        sites.flat_map(|site| (0..program.module.sites[site as usize].ways).map(move |way| BranchGoal { site, way }));
    all.filter(|g| question.is_none() || (g.way == 1 && program.module.sites[g.site as usize].probe.is_some()))
        .collect()
}

/// Functions with proofs of few boxes.
const FUNCTIONS: [(&str, &str); 7] = [
    ("ladder.c", "ladder"),
    ("reduce.c", "sine"),
    ("hypot.c", "my_hypot"),
    ("cases.c", "length"),
    ("iterate.c", "between"),
    ("cases.c", "roots"),
    ("cases.c", "interpolated"),
];

#[test]
fn what_is_proved_is_confirmed() {
    if !has_clang() {
        return;
    }
    let mut confirmed = 0;
    for (file, function) in FUNCTIONS {
        for question in [None, Some(ProbeQuestion::Nan), Some(ProbeQuestion::Infinity), Some(ProbeQuestion::Boundary)] {
            let program = program(file, function, question);
            for goal in goals(&program, question) {
                let ProofVerdict::Infeasible { boxes, given } = prove(&program, goal, BUDGET / 100) else { continue };
                if boxes < 1_000 {
                    let found = recheck(&program, goal, boxes, given, 10 * BUDGET);
                    assert!(
                        matches!(found, Recheck::Confirmed(_)),
                        "{function}, {question:?}, {goal:?}, {boxes}: {found}"
                    );
                    confirmed += 1;
                }
            }
        }
    }
    assert!(confirmed > 50, "{confirmed}");
}

/// The branches that a run takes, and the questions whose answer is "yes".
#[derive(Default)]
struct Taken(BTreeSet<(u32, u32)>);

impl Watch for Taken {
    fn branch(&mut self, site: u32, way: u32, _: BranchTest, _: u64, _: u64) {
        self.0.insert((site, way));
    }

    fn arm(&mut self, site: u32, arm: u32, _: u32, _: u32) {
        self.0.insert((site, arm));
    }

    fn asked(&mut self, site: u32, yes: bool, _: BranchTest, _: u64, _: u64) {
        if yes {
            self.0.insert((site, 1));
        }
    }
}

#[test]
fn what_inputs_take_is_not_confirmed_and_refuted_by_an_input_that_takes_it() {
    if !has_clang() {
        return;
    }
    let inputs: [u64; 6] = [0, 1f64.to_bits(), (-3.5f64).to_bits(), f64::NAN.to_bits(), 1e300f64.to_bits(), 40];
    let mut refuted = 0;
    for (file, function) in FUNCTIONS {
        for question in [None, Some(ProbeQuestion::Nan), Some(ProbeQuestion::Infinity), Some(ProbeQuestion::Boundary)] {
            let program = program(file, function, question);
            let mut runner = Runner::new(&program.module);
            let mut takes = |input: &[u64]| {
                let mut taken = Taken::default();
                let _ = program.run(&mut runner, input, &mut taken);
                taken.0
            };
            let of =
                |n: usize| (0..program.inputs.len()).map(|i| inputs[(n + i * n) % inputs.len()]).collect::<Vec<_>>();
            let taken: BTreeSet<(u32, u32)> = (0..inputs.len()).flat_map(|n| takes(&of(n))).collect();
            let all = goals(&program, question);
            for goal in all.into_iter().filter(|g| taken.contains(&(g.site, g.way))) {
                match recheck(&program, goal, 1, Given::Nothing, BUDGET / 20) {
                    Recheck::Confirmed(boxes) => panic!("{function}, {question:?}, {goal:?}: confirmed by {boxes}"),
                    Recheck::Refuted(input) => {
                        assert!(takes(&input).contains(&(goal.site, goal.way)), "{function}, {goal:?}: {input:x?}");
                        refuted += 1;
                    }
                    Recheck::Open(_) => {}
                }
            }
        }
    }
    assert!(refuted > 30, "{refuted}");
}

#[test]
fn integers_that_inputs_reach_are_refuted() {
    if !has_clang() {
        return;
    }
    // a / 8 == -5, rounded down: no point of the first boxes takes it.
    let program = program("int64.c", "shift", None);
    for goal in goals(&program, None) {
        let found = recheck(&program, goal, 1_000, Given::Nothing, BUDGET);
        assert!(matches!(found, Recheck::Refuted(_)), "{goal:?}: {found}");
    }
}

#[test]
fn the_command_line_tells_what_is_confirmed() {
    if !has_clang() {
        return;
    }
    let run = |more: &[&str]| {
        let arguments = ["cover", "--fn", "ladder", "--check"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_magneto"));
        let output = command.args(arguments).arg(source("ladder.c")).args(more).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = run(&[]);
    assert!(text.contains("(proved, 1 confirmed)"), "{text}");
    assert!(text.contains(", confirmed by "), "{text}");
    let json: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    let rechecks = json["branches"].as_array().unwrap().iter().filter_map(|b| b.get("recheck"));
    assert!(rechecks.clone().count() == 1 && rechecks.clone().all(|r| r["confirmed"].is_u64()), "{json}");
}
