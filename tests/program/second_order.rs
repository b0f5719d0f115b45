//! `--order 2`: two first-order changes at different sites, and how many are harder to kill than both of their parts.

use crate::cli_support::Folder;
use magneto::mutate::{MOST_SECOND_ORDER, Mutant, OperatorSet, mutants};
use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::suite::second::second_order;
use magneto::suite::{Interrupt, Options, Status, generate};
use std::collections::{HashMap, HashSet};

const SMALL: &str = "(FPCore (x y) :pre (and (<= 1 x 2) (<= 1 y 2)) :magneto-rel-error 1e-9 (+ (* x 3) (sqrt y)))";
const LARGE: &str = "(FPCore (x y) :pre (and (<= 1 x 2) (<= 1 y 2)) :magneto-rel-error 1e-9
    (let* ([a (sqrt (+ (* x x) (* 3 y)))] [b (/ (exp (- x y)) (+ a 7))]) (if (< a 3) (* a (+ b 1)) (- (* b b) (log a)))))";

fn spec(text: &str) -> Spec {
    resolve(&parse_file(text.as_bytes()), 0, "text.fpcore", &Overrides::default()).unwrap()
}

fn twice(set: OperatorSet) -> OperatorSet {
    OperatorSet::Twice(Box::new(set))
}

#[test]
fn two_changes_that_do_not_touch() {
    for text in [SMALL, LARGE] {
        let spec = spec(text);
        let first = mutants(&spec, &OperatorSet::Full);
        let all = mutants(&spec, &twice(OperatorSet::Full));
        let (known, pairs) = all.split_at(first.len());
        assert!(first.iter().zip(known).all(|(a, b)| a.id == b.id && b.parts.is_none()));
        assert!(!pairs.is_empty() && pairs.len() <= MOST_SECOND_ORDER, "{}", pairs.len());
        let by_id: HashMap<&str, &Mutant> = known.iter().map(|m| (m.id.as_str(), m)).collect();
        let original = spec.to_core().one_line();
        let mut seen = HashSet::new();
        for pair in pairs {
            let parts = pair.parts.as_ref().unwrap();
            assert!(seen.insert(parts.clone()), "{parts:?} twice");
            let [a, b] = parts.each_ref().map(|id| by_id[id.as_str()]);
            assert_eq!(pair.after, format!("{}; {}", a.after, b.after));
            // Each change makes the text longer or shorter by what it replaces, wherever the other one is.
            let length = |m: &Mutant| m.one_line(&spec).len() as i64 - original.len() as i64;
            assert_eq!(length(pair), length(a) + length(b), "{} and {}", a.before, b.before);
            assert_ne!(pair.one_line(&spec), a.one_line(&spec));
        }
        let again: Vec<String> = mutants(&spec, &twice(OperatorSet::Full)).into_iter().map(|m| m.id).collect();
        assert_eq!(again, all.iter().map(|m| m.id.clone()).collect::<Vec<_>>());
        assert_eq!(again.iter().collect::<HashSet<_>>().len(), again.len());
    }
}

#[test]
fn the_share_that_subsumes_its_parts() {
    let spec = spec(SMALL);
    let operators = twice("constant,binary,unary".parse().unwrap());
    let options = Options { operators, jobs: 1, ..Options::default() };
    let g = generate(&spec, &options, &Interrupt::default()).unwrap();
    let told = second_order(&g.mutants, &g.matrix).unwrap();
    // By sets of tests.
    let killers = |id: &str| -> HashSet<usize> {
        let m = g.mutants.iter().position(|j| j.mutant.id == id).unwrap();
        (0..g.tests.len()).filter(|t| g.matrix[*t][m].is_kill()).collect()
    };
    let pairs: Vec<_> = g.mutants.iter().filter(|j| j.mutant.parts.is_some()).collect();
    let killed: Vec<_> = pairs.iter().filter(|j| j.status == Status::Killed).collect();
    let subsumes = |id: &str, parts: &[String; 2]| {
        let both: HashSet<usize> = killers(&parts[0]).intersection(&killers(&parts[1])).copied().collect();
        killers(id).is_subset(&both)
    };
    let subsuming = killed.iter().filter(|j| subsumes(&j.mutant.id, j.mutant.parts.as_ref().unwrap())).count();
    assert_eq!((told.mutants, told.killed, told.subsuming), (pairs.len(), killed.len(), subsuming));
    assert!(told.killed > 0);
}

#[test]
fn on_the_command_line() {
    let folder = Folder::new();
    folder.write("s.fpcore", SMALL);
    let gen_ = ["gen", "s.fpcore", "-o", "out", "--operators", "constant,unary"];
    let said = folder.run(&[&gen_[..], &["--order", "2"]].concat()).expect(0).out;
    assert!(said.contains("  second order"), "{said}");
    let manifest = folder.json("out/manifest.json").to_string();
    assert!(manifest.contains("\"order\""), "{manifest}");
    assert!(!folder.run(&gen_).expect(0).out.contains("second order"));
    let listed = folder.run(&["mutants", "s.fpcore", "--operators", "constant,unary", "--order", "2"]).expect(0).out;
    let line = listed.lines().find(|l| l.contains("  second  ")).expect("a pair");
    let id = line.split_whitespace().next().unwrap();
    let explained =
        folder.run(&["explain", "s.fpcore", id, "--operators", "constant,unary", "--order", "2"]).expect(0).out;
    assert!(explained.contains(id), "{explained}");
    let said = folder.run(&["gen", "s.fpcore", "--order", "3"]).expect(2).err;
    assert!(said.contains("--order") && said.contains('3'), "{said}");
}
