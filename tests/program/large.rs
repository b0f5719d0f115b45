//! Large runs: mutants by what they change, one kill of each, and all that is read back from such a folder.

use crate::cli_support::Folder;
use crate::support::confirm::confirm;
use magneto::mutate::{MutationOperator, OperatorSet, mutants};
use magneto::record::Part;
use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::suite::{Interrupt, Options, generate};

/// A sum with as many terms.
fn sum(terms: usize) -> String {
    let terms: Vec<String> = (0..terms).map(|k| format!("(* {} {})", 2 * k + 3, ["x", "y"][k % 2])).collect();
    let pre = "(and (<= 1 x 2) (<= 1 y 2))";
    format!("(FPCore (x y) :name \"sum\" :pre {pre} :magneto-rel-error 1e-10 (+ {}))", terms.join(" "))
}

fn spec(source: &str) -> Spec {
    resolve(&parse_file(source.as_bytes()), 0, "sum.fpcore", &Overrides::default()).unwrap()
}

#[test]
fn the_files_are_of_the_size_of_the_formula_and_say_all() {
    let folder = Folder::new();
    let source = sum(150);
    folder.write("sum.fpcore", &source);
    folder.run(&["gen", "sum.fpcore"]).expect(0);
    let part = Part::read(&folder.path("magneto.out")).unwrap();
    assert!(part.manifest.is_large && part.mutants.is_large());
    let size: u64 =
        std::fs::read_dir(folder.path("magneto.out")).unwrap().map(|f| f.unwrap().metadata().unwrap().len()).sum();
    assert!(size < 24 << 20, "{size}");
    // Written and read again they are the same.
    for (name, bytes) in part.files() {
        assert!(std::fs::read(folder.path("magneto.out").join(name)).unwrap() == bytes, "{name}");
    }
    // Each mutant is made of what the files say of it.
    let spec = spec(&source);
    let made = mutants(&spec, &OperatorSet::Full);
    assert_eq!(made.len(), part.mutants.mutants.len());
    for (m, row) in made.iter().zip(&part.mutants.mutants).step_by(7) {
        assert_eq!(row.whole(&part.manifest.specification.core).as_deref(), Some(&*m.one_line(&spec)), "{}", m.id);
    }
    let at = part.mutants.mutants.iter().position(|m| m.status_word() == "killed").unwrap();
    let id = &made[at].id;
    let whole = folder.run(&["mutants", "sum.fpcore", "--id", id, "--as", "fpcore"]).expect(0).out;
    assert_eq!(whole.trim_end(), made[at].one_line(&spec));
    let told = folder.run(&["explain", "sum.fpcore", id, "--from", "magneto.out"]).expect(0).out;
    assert!(told.contains("killed by t"), "{told}");
    let proved = part.mutants.mutants.iter().find(|m| m.proof.is_some()).unwrap();
    folder.run(&["explain", "sum.fpcore", &proved.id, "--from", "magneto.out", "--check"]).expect(0);
    folder.run(&["diff", "magneto.out", "magneto.out"]).expect(0);
    for form in ["junit", "csv", "trace", "sarif"] {
        folder.run(&["report", "magneto.out", "--format", form]).expect(0);
    }
}

/// Of so many inputs neither tests nor memory are the square: two points have all ends of the ranges, and what has no room is
/// left out and said. What is found is written in any case.
#[test]
fn many_inputs_have_room() {
    let folder = Folder::new();
    let names: Vec<String> = (0..160).map(|k| format!("x{k}")).collect();
    let pre: Vec<String> = names.iter().map(|x| format!("(<= 1 {x} 2)")).collect();
    let (inputs, pre) = (names.join(" "), pre.join(" "));
    let body = format!("(+ {inputs})");
    folder.write("many.fpcore", format!("(FPCore ({inputs}) :pre (and {pre}) :magneto-rel-error 1e-10 {body})"));
    let run = folder.run(&["gen", "many.fpcore", "--max-memory", "64"]);
    let run = run.says(&["made are those at 1 of ", "of the ranges of 1 of "]);
    assert!(matches!(run.code, Some(0 | 3)), "{:?}", run.code);
    let part = Part::read(&folder.path("magneto.out")).unwrap();
    let ranges = part.mutants.mutants.iter().filter(|m| m.operator == MutationOperator::Bounds);
    let (killed, all) = (ranges.clone().filter(|m| m.killed_by.is_some()).count(), ranges.count());
    assert!(all > 50 && all < 4 * names.len(), "{all}");
    // Who ran out of memory on the way keeps what there is.
    assert!(run.code == Some(3) || killed == all, "{killed} of {all}");
}

#[test]
fn every_kill_is_confirmed_by_another_judge() {
    let spec = spec(&sum(150));
    let g = generate(&spec, &Options { jobs: 2, ..Options::default() }, &Interrupt::default()).unwrap();
    assert!(g.is_large && g.counts.killed > 4000 && g.counts.undecided < 50, "{:?}", g.counts);
    let report = confirm(&spec, &g);
    assert!(report.kills > 4000 && report.wrong.is_empty(), "{} kills, {:#?}", report.kills, report.wrong);
}
