//! Whatever was changed since, what comes from the cache of `gen` is byte by byte what a run without it gives.

use crate::cache_support::{CALLS, SHAPES, cached, entries, from_cache, same_as_fresh};
use crate::cli_support::{Folder, SMALL};
use magneto::options::KNOBS;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Everything that one can change in the files: each edit can be made and taken back beside all others.
const EDITS: &[(&str, &str, &str)] = &[
    ("f", "; First.", "; Another comment,\n\n; further down.\n"),
    ("f", "(FPCore scale (x)", "(FPCore top (x) :pre (<= 1 x 2) (* 7 x))\n(FPCore scale (x)"),
    ("f", "0 x 9) :magneto", "0 x 8) :magneto"),
    ("f", "(* 0.25 x)", "(* 0.5 x)"),
    ("f", "(FPCore shift", "(FPCore scale (x) :pre (<= 0 x 9) (* 0.75 x))\n(FPCore shift"),
    ("f", "1 w 2", "1 w 4"),
    ("f", "(scale x) w", "w (scale x)"),
    ("f", "(FPCore (x y)", "(FPCore (x (! :precision binary32 y))"),
    ("f", "\"calls\"", "\"named\""),
    ("f", "; Of the name.", "; Of the name of this one."),
    ("f", "(<= 1 x 4)", "(< 1 x 4)"),
    ("f", "(<= 0.5 y 2)", "(<= 0.5 y 3)"),
    ("f", "REQ-1", "REQ-2"),
    ("f", ":description \"d\"", ":precision binary32"),
    ("f", "1e-9", "1e-7"),
    ("f", ":magneto-rel-error", ":magneto-abs-error"),
    ("f", "range reject", "range nan"),
    ("f", ":spec (+ x y)", ":spec (- x y)"),
    ("f", "(- (shift", "(+ (shift"),
    ("f", "(/ 3 y)", "(/ 3.0 y)"),
    ("f", "shift x y", "shift y x"),
    ("f", "FPCore other", "FPCore others"),
    ("f", "sqrt (* 1.5", "sqrt (* 2.5"),
    ("f", "1.5 x)))\n", "1.5 x)))"),
    ("g", "(<= 1 x 2)", "(<= 1 x 1.75)"),
    ("g", "(< x 1.5)", "(<= x 1.5)"),
    ("g", "(* x x)", "(* x\n   x)"),
    ("g", "1e-3", "1e-4"),
    (
        "g",
        "\"twice\" :pre (<= 2 x 3) (- x 1))\n(FPCore (x) :name \"twice\"",
        "\"once\" :pre (<= 2 x 3) (- x 1))\n(FPCore (x) :name \"twice\"",
    ),
    ("small", "\"small\"", "\"large\""),
    ("small", "REQ-1", "REQ-11"),
    ("small", "0.1", "0.3"),
    ("small", "sqrt", "cbrt"),
    ("small", "1e-9", "1e-8"),
    ("small", "0.5 y 2", "0.5 y 2.5"),
    // The file itself has another name.
    ("small", "(FPCore", "(FPCore"),
];

/// A value of every knob that `gen` knows, but for those that say where files are.
const VALUES: &[(&str, &str)] = &[
    ("operators", "unary,delete,bounds"),
    ("order", "2"),
    ("rel-error", "1e-6"),
    ("abs-error", "1e-3"),
    ("ulps", "4 binary32"),
    ("libm-ulps", "2"),
    ("convert", "binary32"),
    ("domain", "x=[1,2]"),
    ("budget", "1"),
    ("delta", "0.5"),
    ("delta-min", "0.25"),
    ("encoding", "paper"),
    ("bisection", "largest"),
    ("no-hc4", "true"),
    ("no-mean-value", "true"),
    ("no-shave", "true"),
    ("no-multi", "true"),
    ("no-proofs", "true"),
    ("precision-cap", "120"),
    ("minimize", "true"),
    ("boundary", "true"),
    ("max-memory", "2000"),
    ("max-iterations", "5"),
    ("jobs", "1"),
    ("min-score", "0.999"),
    ("score", "paper"),
    ("fail-on", "undecided"),
    ("skip-unsupported", "true"),
];

/// Multiplicative congruential: the same edits in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

/// What befalls files between two runs.
fn disturb(folder: &Folder, random: &mut Random) {
    fn change(files: &[PathBuf], random: &mut Random) {
        let path = &files[random.below(files.len())];
        let mut bytes = std::fs::read(path).unwrap();
        match random.below(3) {
            0 => std::fs::remove_file(path).unwrap(),
            1 => std::fs::write(path, [&bytes[..], b"\n"].concat()).unwrap(),
            // In place, and of the same length.
            _ => {
                let at = random.below(bytes.len());
                bytes[at] ^= 1;
                std::fs::write(path, bytes).unwrap();
            }
        }
    }
    let entries = entries(folder, ".magneto-cache");
    let outputs = || folder.files("out").into_iter().map(|(name, _)| folder.path("out").join(name)).collect::<Vec<_>>();
    match random.below(6) {
        0 => drop(std::fs::remove_dir_all(folder.path("out"))),
        1 if folder.path("out").exists() => change(&outputs(), random),
        2 if !entries.is_empty() => std::fs::remove_dir_all(&entries[random.below(entries.len())]).unwrap(),
        3 if !entries.is_empty() => {
            let files = std::fs::read_dir(&entries[random.below(entries.len())]).unwrap();
            change(&files.map(|e| e.unwrap().path()).collect::<Vec<_>>(), random);
        }
        _ => {}
    }
}

#[test]
fn random_edits_give_what_a_fresh_run_gives() {
    const ROUNDS: usize = 40;
    const EDITS_EACH: usize = 6;
    let known: BTreeSet<&str> = KNOBS.iter().filter(|k| k.scope.covers("gen")).map(|k| k.name).collect();
    let tried: BTreeSet<&str> = VALUES.iter().map(|v| v.0).chain(["output", "cache", "no-cache"]).collect();
    assert_eq!(known, tried, "a knob that no edit is about");
    let folder = Folder::new();
    let bases = BTreeMap::from([("f", CALLS), ("g", SHAPES), ("small", SMALL)]);
    let (mut random, mut made) = (Random(42), BTreeSet::new());
    let (mut hits, mut all, mut valid) = (0, 0, 0);
    for round in 0..ROUNDS {
        for _ in 0..EDITS_EACH {
            let edit = random.below(EDITS.len());
            if !made.remove(&edit) {
                made.insert(edit);
            }
        }
        let mut names = Vec::new();
        for (file, base) in &bases {
            let mut text = (*base).to_owned();
            for (_, from, to) in made.iter().map(|k| EDITS[*k]).filter(|e| e.0 == *file) {
                assert_eq!(base.matches(from).count().min(1), 1, "{from}");
                text = text.replacen(from, to, 1);
            }
            let renamed = *file == "small" && made.contains(&(EDITS.len() - 1));
            let name = format!("{file}{}.fpcore", if renamed { "er" } else { "" });
            folder.write(&name, text);
            names.push(name);
        }
        // The later rounds have an option more, in turns by the command line and by the file.
        let mut flags = BTreeMap::from([("operators", "constant,bounds"), ("budget", "20")]);
        let mut toml = String::new();
        if let Some((name, value)) = VALUES.get(ROUNDS - 1 - round) {
            flags.remove(name);
            match round % 2 {
                0 => drop(flags.insert(name, value)),
                _ if *value == "true" => toml = format!("{name} = true\n"),
                _ => toml = format!("{name} = \"{value}\"\n"),
            }
        }
        folder.write("magneto.toml", &toml);
        let flags: Vec<String> = flags.iter().map(|(name, value)| format!("--{name}={value}")).collect();
        let arguments: Vec<&str> = names.iter().chain(&flags).map(String::as_str).collect();
        disturb(&folder, &mut random);
        let run = same_as_fresh(&folder, &arguments, &format!("round {round}: {made:?} {flags:?} {toml}"));
        if run.code != Some(2) {
            valid += 1;
            all += from_cache(&run).len();
            hits += from_cache(&run).iter().filter(|(_, cached)| *cached).count();
        }
    }
    println!("{valid} runs over {all} specifications, {hits} of them from the cache");
    assert!(valid * 10 > ROUNDS * 8, "{valid} of {ROUNDS} runs are of valid specifications");
    assert!(hits * 4 > all && hits < all, "{hits} of {all}");
}

/// Inputs that a person brings, and decisions about mutants.
#[test]
fn what_comes_beside_the_specification() {
    let folder = Folder::new();
    folder.write(
        "f.fpcore",
        "(FPCore (x y) :name \"hard\" :pre (and (<= 1 x 2) (<= 1 y 2)) :magneto-rel-error 1e-3
           (/ (- (sqrt (+ x 1)) (sin (* x y))) (+ 1 (exp (- x y)))))",
    );
    let few = ["f.fpcore", "--operators", "unary,evaluation", "--budget", "1", "--no-proofs"];
    let run = |more: &[&str], what: &str| {
        let run = same_as_fresh(&folder, &[&few[..], more].concat(), what);
        from_cache(&run)[0].1
    };
    assert!(!run(&[], "first") && run(&[], "second"));
    for (k, (text, is_known)) in [
        ("x,y\n1.5,1.5\n", false),
        ("x,y\n1.5,1.25\n", false),
        ("x,y\n1.5,1.25\n9,9\n", false),
        ("x,y\n1.5,1.5\n", true),
    ]
    .into_iter()
    .enumerate()
    {
        folder.write("with.csv", text);
        assert_eq!(run(&["--with", "with.csv"], "inputs"), is_known, "{k}");
    }
    // What is told is told again.
    folder.write("with.csv", "x,y\n1.5,1.25\n9,9\n");
    let told = cached(&folder, &[&few[..], &["--with", "with.csv"]].concat());
    told.says(&["1 of 2 inputs of --with are no tests", "note: unchanged since an earlier run"]);
    assert!(run(&[], "without"));

    let mutants = folder.json("out/mutants.json");
    let of = |status: &str| {
        let all = mutants["mutants"].as_array().unwrap();
        let found = all.iter().find(|m| m["status"] == status);
        found.unwrap_or_else(|| panic!("no mutant is {status}"))["id"].as_str().unwrap().to_owned()
    };
    let (open, dead) = (of("undecided"), of("killed"));
    folder.run(&[&["accept", "f.fpcore", &open, "--by", "A", "--reason", "B"], &few[1..]].concat()).expect(0);
    assert!(!run(&[], "accepted") && run(&[], "accepted still"));
    assert!(folder.read("out/mutants.csv").contains("accepted"));
    let text = folder.read("magneto.accept.toml");
    folder.write("magneto.accept.toml", text.replace("\"B\"", "\"C\""));
    assert!(!run(&[], "another reason"));
    let needless = format!(
        "{}\n[[accept]]\nfile = \"f.fpcore\"\nspecification = \"hard\"\nmutant = \"{dead}\"\nby = \"A\"\nreason = \"B\"\n",
        text
    );
    folder.write("magneto.accept.toml", needless);
    assert!(!run(&[], "without need"));
    cached(&folder, &few).says(&[&format!("mutant {dead} of hard need not be accepted: it is killed"), "unchanged"]);
    folder.write("magneto.accept.toml", text);
    folder.run(&["accept", "f.fpcore", "--remove", &open]).expect(0);
    assert!(run(&[], "taken back"));
}
