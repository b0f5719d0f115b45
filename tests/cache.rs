//! The cache of `gen`: what comes from it is byte by byte what a run without it gives, whatever was changed since, and what
//! cannot be relied on is computed anew.

mod cli_support;

use cli_support::{Ended, Folder, SMALL};
use magneto::options::KNOBS;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Runs `gen` with a cache into `out`.
fn cached(folder: &Folder, arguments: &[&str]) -> Ended {
    let all = [&["gen", "-o", "out", "--force"], arguments].concat();
    Ended::new(&folder.caching(&all).output().unwrap())
}

/// The specifications of a run, and of each whether an earlier run found it.
fn from_cache(run: &Ended) -> Vec<(String, bool)> {
    let document = run.json();
    let one = |s: &Value| (s["summary"]["specification"].as_str().unwrap().to_owned(), s["cached"].as_bool().unwrap());
    document["specifications"].as_array().unwrap().iter().map(one).collect()
}

/// The files of a cache, without what marks it as one.
fn entries(folder: &Folder, name: &str) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder.path(name)).into_iter().flatten();
    let mut all: Vec<PathBuf> = listed.map(|e| e.unwrap().path()).collect();
    all.retain(|p| p.extension().is_some_and(|e| e == "result"));
    all.sort();
    all
}

/// What a run prints as JSON, without what differs from run to run.
fn said(run: &Ended) -> Value {
    let mut document = run.json();
    for key in ["seconds", "output"] {
        document.as_object_mut().unwrap().remove(key);
    }
    for one in document["specifications"].as_array_mut().into_iter().flatten() {
        one.as_object_mut().unwrap().retain(|key, _| key == "summary" || key == "folder");
    }
    document
}

/// That a run with the cache gives what one without gives; the former.
#[track_caller]
fn same_as_fresh(folder: &Folder, arguments: &[&str], what: &str) -> Ended {
    for name in ["out", "fresh"] {
        let _ = std::fs::remove_dir_all(folder.path(name));
    }
    let with = cached(folder, &[&["--json"], arguments].concat());
    let without = folder.run(&[&["gen", "-o", "fresh", "--json"], arguments].concat());
    assert_eq!(with.code, without.code, "{what}: {}\n{}", with.err, without.err);
    if with.code == Some(2) {
        assert_eq!(with.err, without.err, "{what}");
        return with;
    }
    assert_eq!(said(&with), said(&without), "{what}");
    let (got, wanted) = (folder.files("out"), folder.files("fresh"));
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|f| f.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&got), names(&wanted), "{what}");
    for (got, wanted) in got.iter().zip(&wanted) {
        assert!(got == wanted, "{what}: {} is another one", got.0);
    }
    with
}

const FEW: [&str; 4] = ["--operators", "constant,bounds", "--budget", "20"];

#[test]
fn what_is_unchanged_is_not_computed_again() {
    let folder = Folder::new();
    folder.write("f.fpcore", CALLS).write("g.fpcore", SMALL);
    let run = |what: &str| -> BTreeSet<String> {
        let run = same_as_fresh(&folder, &[&["f.fpcore", "g.fpcore"], &FEW[..]].concat(), what);
        from_cache(&run).into_iter().filter(|(_, cached)| !cached).map(|(name, _)| name).collect()
    };
    let all = ["scale", "shift", "calls", "other", "small"].map(str::to_owned);
    assert_eq!(run("first"), BTreeSet::from(all));
    assert_eq!(run("second"), BTreeSet::new());
    // Git and backups leave the folder out.
    assert_eq!(folder.read(".magneto-cache/.gitignore"), "*\n");
    assert!(folder.read(".magneto-cache/CACHEDIR.TAG").starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"));
    assert_eq!(entries(&folder, ".magneto-cache").len(), 5);
    // One constant: of all in the file only this one, though what comes after it has moved.
    let only = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<BTreeSet<_>>();
    let change = |from: &str, to: &str| {
        let text = folder.read("f.fpcore");
        assert!(text.contains(from), "{from}");
        folder.write("f.fpcore", text.replace(from, to));
    };
    change("(/ 3 y)", "(/ 2.75 y)");
    assert_eq!(run("a constant"), only(&["calls"]));
    // What is called is a part of what calls it.
    change("0.25", "0.125");
    assert_eq!(run("of what is called"), only(&["scale", "shift", "calls"]));
    change("; First.", "; First,\n; in two lines.\n");
    assert_eq!(run("a comment above"), only(&[]));
    change("(FPCore other", "   (FPCore other");
    assert_eq!(run("a column"), only(&[]));
    change("0.125", "0.25");
    change("(/ 2.75 y)", "(/ 3 y)");
    assert_eq!(run("as it was"), only(&[]));
    let told = cached(&folder, &[&["f.fpcore", "g.fpcore"], &FEW[..]].concat());
    told.says(&["note: 5 of 5 unchanged since an earlier run, whose results are in .magneto-cache (--no-cache"]);
    // Shards and the whole have one cache.
    let more = [&["--shard", "1/2", "--json"], &FEW[..]].concat();
    let shard = cached(&folder, &[&["f.fpcore", "g.fpcore"], &more[..]].concat()).expect(0);
    assert!(from_cache(&shard).iter().all(|(_, cached)| *cached));
    // Which options the run had, and from where, is of this run.
    let gate = [&["g.fpcore", "--jobs", "2", "--min-score", "0.5"], &FEW[..]].concat();
    assert_eq!(from_cache(&same_as_fresh(&folder, &gate, "a gate")), [("small".to_owned(), true)]);
}

/// A file of specifications that call each other.
const CALLS: &str = "; First.
(FPCore scale (x) :pre (<= 0 x 9) :magneto-abs-error 1e-6 (* 0.25 x))
(FPCore shift (x w) :pre (and (<= 0 x 9) (<= 1 w 2)) :magneto-abs-error 1e-6 (+ (scale x) w))
(FPCore (x y)
  :name \"calls\" ; Of the name.
  :pre (and (<= 1 x 4) (<= 0.5 y 2))
  :magneto-req \"REQ-1\"
  :description \"d\"
  :magneto-rel-error 1e-9
  :magneto-out-of-range reject
  :spec (+ x y)
  (- (shift x y) (/ 3 y)))
(FPCore other (x) :pre (<= 1 x 2) :magneto-abs-error 1e-6 (sqrt (* 1.5 x)))
";

/// One of another shape, without a name, and two of the same name.
const SHAPES: &str = "(FPCore (x) :pre (<= 1 x 2) :magneto-abs-error 1e-3 (if (< x 1.5) (* x x) (/ 2 x)))
(FPCore (x) :name \"twice\" :pre (<= 2 x 3) (- x 1))
(FPCore (x) :name \"twice\" :pre (<= 2 x 3) (- x 1))
";

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

#[test]
fn random_edits_give_what_a_fresh_run_gives() {
    const ROUNDS: usize = 50;
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

/// Entries that were changed, cut short, or put under another name.
#[test]
fn damaged_entries_are_computed_anew() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL).write("g.fpcore", SMALL.replace("0.1", "0.3"));
    let run = |file: &str| same_as_fresh(&folder, &[&[file], &FEW[..]].concat(), file);
    run("f.fpcore");
    let [entry] = &entries(&folder, ".magneto-cache")[..] else { panic!() };
    let good = std::fs::read(entry).unwrap();
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    let mut other = good.clone();
    other[3] = if other[3] == b'0' { b'1' } else { b'0' };
    let longer = [&good[..], b" "].concat();
    let half = good[..good.len() / 2].to_vec();
    for bad in [Vec::new(), half, flipped, other, longer, b"\n".to_vec(), good[65..].to_vec()] {
        std::fs::write(entry, &bad).unwrap();
        let again = run("f.fpcore");
        assert_eq!(from_cache(&again), [("small".to_owned(), false)]);
        again.says(&[".result is damaged: what it was about is computed anew"]);
        // The times that it took are another run's.
        assert!(from_cache(&run("f.fpcore"))[0].1);
    }
    // Of another specification.
    run("g.fpcore");
    let [one, two] = &entries(&folder, ".magneto-cache")[..] else { panic!() };
    let swapped = folder.path("swapped");
    std::fs::rename(one, &swapped).unwrap();
    std::fs::rename(two, one).unwrap();
    std::fs::rename(&swapped, two).unwrap();
    for file in ["f.fpcore", "g.fpcore"] {
        assert!(!from_cache(&run(file))[0].1 && from_cache(&run(file))[0].1);
    }
    // What cannot be read at all is not there.
    let [one, _] = &entries(&folder, ".magneto-cache")[..] else { panic!() };
    std::fs::remove_file(one).unwrap();
    std::fs::create_dir(one).unwrap();
    let runs = [run("f.fpcore"), run("g.fpcore")];
    assert_eq!(runs.iter().filter(|r| r.err.contains("could not be kept for later runs in .magneto-cache")).count(), 1);
}

/// What another program found says nothing of what this one finds, even where the two differ by a byte only.
#[cfg(target_os = "linux")]
#[test]
fn another_program_computes_anew() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    let own = std::fs::read(env!("CARGO_BIN_EXE_magneto")).unwrap();
    // The schema of what is printed, which is in memory.
    let at = own.windows(13).position(|w| w == b"magneto/gen/1").unwrap();
    let mut changed = own.clone();
    changed[at] = b'M';
    for (name, bytes) in [("same", &own), ("changed", &changed)] {
        folder.write(name, bytes);
        std::fs::set_permissions(folder.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let run = |program: &str| {
        let mut command = std::process::Command::new(folder.path(program));
        command.args(["gen", "f.fpcore", "-o", "out", "--json"]).args(FEW).current_dir(folder.root());
        from_cache(&Ended::new(&command.output().unwrap()).expect(0))[0].1
    };
    assert!(!run("same") && run("same"));
    assert!(!run("changed") && run("changed") && run("same"));
    // Wherever the program is.
    assert!(from_cache(&cached(&folder, &[&["f.fpcore", "--json"], &FEW[..]].concat()))[0].1);
}

#[test]
fn where_the_cache_is() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL).write("sources/f.c", "int x;\n");
    let run = |more: &[&str]| cached(&folder, &[&["f.fpcore"], &FEW[..], more].concat());
    // Nobody's folder becomes a cache.
    for wrong in ["sources", "f.fpcore"] {
        run(&["--cache", wrong]).expect(2).says(&[&format!("{wrong} is no cache"), "hint: "]);
    }
    for wrong in ["out", "out/cache", "./out/../out/x"] {
        run(&["--cache", wrong]).expect(2).says(&["is in the output folder", "hint: "]);
    }
    run(&["--cache="]).expect(2);
    assert!(
        folder.files("sources").len() == 1 && !folder.path("out").exists() && !folder.path(".magneto-cache").exists()
    );
    run(&["--no-cache"]).expect(0);
    run(&["--no-cache", "--cache", "elsewhere"]).expect(0);
    assert!(!folder.path(".magneto-cache").exists() && !folder.path("elsewhere").exists());
    run(&["--cache", "some/where"]).expect(0);
    assert_eq!(entries(&folder, "some/where").len(), 1);
    // An empty folder will do, and magneto.toml says it as well.
    std::fs::create_dir(folder.path("empty")).unwrap();
    folder.write("magneto.toml", "cache = \"empty\"\n");
    run(&[]).expect(0);
    assert_eq!(entries(&folder, "empty").len(), 1);
    folder.write("magneto.toml", "no-cache = true\n");
    run(&[]).expect(0);
    assert!(!folder.path(".magneto-cache").exists());
    folder.write("magneto.toml", "");
    // Beside the output folder, wherever that is; a run there is not in its way.
    let output = |output: &str| {
        let all = [&["gen", "f.fpcore", "-q", "-o", output], &FEW[..]].concat();
        Ended::new(&folder.caching(&all).output().unwrap()).expect(0);
    };
    output("deep/down");
    assert_eq!(entries(&folder, "deep/.magneto-cache").len(), 1);
    output("out/in");
    output("out");
    // Something else has the name: the run does without.
    std::fs::remove_dir_all(folder.path(".magneto-cache")).unwrap();
    folder.write(".magneto-cache/mine", "");
    run(&[]).expect(0).says(&["note: no results are kept for later runs: .magneto-cache is no cache"]);
    assert_eq!(folder.files(".magneto-cache").len(), 1);
}

/// A formula that takes a while.
const LONG: &str = "(FPCore (x y) :name \"long\" :pre (and (<= 0 x 4) (<= 1 y 2)) :magneto-abs-error 1e-1
    (+ (* (sin x) (exp (- 0 (* x y)))) (/ (sqrt (+ 1 (* x y))) (+ 1 (log y)))))";

/// What did not come to its end is no result, nor is what rests on answers that another process found.
#[test]
fn interrupted_and_resumed_runs_are_not_kept() {
    let folder = Folder::new();
    folder.write("f.fpcore", LONG).write("g.fpcore", SMALL);
    let files = ["f.fpcore", "g.fpcore", "--budget", "1000"];
    let base = [&["gen", "-o", "out", "--jobs", "1"], &files[..]].concat();
    let mut interrupted = false;
    for wait in [300, 150, 600, 75, 1200, 2400] {
        let _ = std::fs::remove_dir_all(folder.path(".magneto-cache"));
        let mut command = folder.caching(&[&base[..], &["--force"]].concat());
        let mut child =
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(wait));
        let pid = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-s", "INT", &pid]).status().is_ok());
        if child.wait().unwrap().code() == Some(130) && folder.path("out/resume.json").exists() {
            interrupted = true;
            break;
        }
    }
    if !interrupted {
        println!("no signal came at the right moment");
        return;
    }
    let solved = folder.json("out/resume.json")["specifications"][0]["solved"].as_array().unwrap().len();
    assert_eq!(entries(&folder, ".magneto-cache").len(), 0);
    let resumed =
        Ended::new(&folder.caching(&[&base[..], &["--resume", "--json"]].concat()).output().unwrap()).expect(0);
    assert_eq!(from_cache(&resumed), [("long".to_owned(), false), ("small".to_owned(), false)]);
    assert_eq!(entries(&folder, ".magneto-cache").len(), if solved > 0 { 1 } else { 2 });
    let anew = same_as_fresh(&folder, &files, "anew");
    assert_eq!(from_cache(&anew), [("long".to_owned(), solved == 0), ("small".to_owned(), true)]);
}

/// Several processes with one cache, and one whose entries vanish meanwhile.
#[test]
fn processes_share_a_cache() {
    let folder = Folder::new();
    folder.write("f.fpcore", CALLS).write("g.fpcore", SHAPES);
    let start = |k: usize| {
        let out = format!("out{k}");
        let mut command = folder.caching(&[&["gen", "f.fpcore", "g.fpcore", "-q", "-o", &out], &FEW[..]].concat());
        command.spawn().unwrap()
    };
    let all: Vec<_> = (0..6).map(start).collect();
    for entry in entries(&folder, ".magneto-cache") {
        let _ = std::fs::remove_file(entry);
    }
    for mut one in all {
        assert_eq!(one.wait().unwrap().code(), Some(0));
    }
    let first = folder.files("out0");
    assert!(first.len() > 20 && (1..6).all(|k| folder.files(&format!("out{k}")) == first));
    // Nothing is left but entries and what marks the folder.
    for (name, _) in folder.files(".magneto-cache") {
        assert!(name.ends_with(".result") || ["CACHEDIR.TAG", ".gitignore"].contains(&name.as_str()), "{name}");
    }
    same_as_fresh(&folder, &[&["f.fpcore", "g.fpcore"], &FEW[..]].concat(), "after all");
}

/// Entries that no run uses go by themselves, and nothing else does.
#[test]
fn old_entries_are_removed() {
    use std::time::{Duration, SystemTime};
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    let run = || cached(&folder, &[&["f.fpcore", "-q"], &FEW[..]].concat()).expect(0);
    run();
    let [own] = &entries(&folder, ".magneto-cache")[..] else { panic!() };
    let entry = |digit: &str| folder.path(&format!(".magneto-cache/{}.result", digit.repeat(64)));
    let make = |path: &PathBuf, bytes: u64, days: u64| {
        let file = std::fs::File::options().create(true).append(true).open(path).unwrap();
        // A file with a hole takes no room.
        file.set_len(bytes).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(days * 24 * 60 * 60 + 60)).unwrap();
    };
    let mine = folder.path(".magneto-cache/mine.result");
    make(&entry("a"), 10, 29);
    make(&entry("b"), 10, 30);
    make(&mine, 10, 99);
    make(own, std::fs::metadata(own).unwrap().len(), 99);
    folder.write(".magneto-cache/.magneto-tmp-1-0", "of a process that is dead");
    // What is used is as new.
    run();
    let left = |all: &[&PathBuf]| all.iter().map(|p| p.exists()).collect::<Vec<_>>();
    assert_eq!(left(&[own, &entry("a"), &entry("b"), &mine]), [true, true, false, true]);
    assert!(!folder.path(".magneto-cache/.magneto-tmp-1-0").exists());
    make(&entry("b"), 3 << 30, 1);
    make(&entry("c"), 10, 0);
    run();
    assert_eq!(left(&[own, &entry("a"), &entry("b"), &entry("c"), &mine]), [true, false, false, true, true]);
}

/// A disk that is full costs the entry, never the run.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_the_entry_alone() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    let size = |name: &str| folder.files(name).iter().map(|f| f.1.len()).max().unwrap();
    same_as_fresh(&folder, &[&["f.fpcore"], &FEW[..]].concat(), "with room");
    // An entry is larger than any file of the run; the limit lies between. Unit of ulimit: 512 bytes.
    let (file, entry) = (size("out"), size(".magneto-cache"));
    let limit = (file + entry) / 2 / 512;
    assert!(file < limit * 512 && limit * 512 < entry, "{file} {entry}");
    std::fs::remove_dir_all(folder.path(".magneto-cache")).unwrap();
    std::fs::remove_dir_all(folder.path("out")).unwrap();
    let arguments = [&["gen", "f.fpcore", "-o", "out"], &FEW[..]].concat().join(" ");
    let script = format!("trap '' XFSZ; ulimit -f {limit}; exec {} {arguments}", env!("CARGO_BIN_EXE_magneto"));
    let run = std::process::Command::new("sh").args(["-c", &script]).current_dir(folder.root()).output().unwrap();
    Ended::new(&run).expect(0).says(&["note: results could not be kept for later runs in .magneto-cache: "]);
    assert!(folder.files("out") == folder.files("fresh"));
    assert_eq!(folder.files(".magneto-cache").len(), 2);
}
