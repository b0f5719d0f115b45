//! The cache of `gen`: what is unchanged is not computed again, and what cannot be relied on is computed anew.

use crate::cache_support::{CALLS, FEW, SHAPES, cached, entries, from_cache, same_as_fresh};
use crate::cli_support::{Ended, Folder, SMALL};
use std::collections::BTreeSet;
use std::path::PathBuf;

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

/// Entries that were changed, cut short, or put under another name.
#[test]
fn damaged_entries_are_computed_anew() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL).write("g.fpcore", SMALL.replace("0.1", "0.3"));
    let run = |file: &str| same_as_fresh(&folder, &[&[file], &FEW[..]].concat(), file);
    run("f.fpcore");
    let [entry] = &entries(&folder, ".magneto-cache")[..] else { panic!() };
    let again = |what: &str| {
        let again = run("f.fpcore");
        assert_eq!(from_cache(&again), [("small".to_owned(), false)], "{what}");
        assert!(from_cache(&run("f.fpcore"))[0].1, "{what}");
        again
    };
    for name in ["entry", "places", "tests.csv", "mutants.json", "manifest.json"] {
        let path = entry.join(name);
        let good = std::fs::read(&path).unwrap();
        let mut flipped = good.clone();
        flipped[good.len() / 2] ^= 1;
        let mut other = good.clone();
        other[3] ^= 1;
        let longer = [&good[..], b" "].concat();
        for bad in [Vec::new(), good[..good.len() / 2].to_vec(), flipped, other, longer, b"\n".to_vec()] {
            std::fs::write(&path, &bad).unwrap();
            again(name).says(&[".result is damaged: what it was about is computed anew"]);
        }
        std::fs::remove_file(&path).unwrap();
        again(name);
    }
    // Something else is in its place.
    std::fs::remove_dir_all(entry).unwrap();
    std::fs::write(entry, "no folder").unwrap();
    again("a file").says(&[".result is damaged"]);
    std::fs::remove_file(entry.join("entry")).unwrap();
    std::fs::create_dir(entry.join("entry")).unwrap();
    again("a folder");
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
}

/// A run's files are those of the cache under a second name, where the file system has such.
#[test]
fn who_changes_an_output_file_in_place_changes_no_result() {
    use std::os::unix::fs::MetadataExt as _;
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    let run = |what: &str| from_cache(&same_as_fresh(&folder, &[&["f.fpcore"], &FEW[..]].concat(), what))[0].1;
    run("first");
    for name in ["tests.csv", "mutants.json", "source.fpcore", "manifest.json", "summary.json"] {
        // At once, and of the same length.
        let path = folder.path("out").join(name);
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        let [entry] = &entries(&folder, ".magneto-cache")[..] else { panic!() };
        let file = |path: &PathBuf| std::fs::metadata(path).unwrap().ino();
        let is_shared = file(&path) == file(&entry.join(name));
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(run(name), !is_shared, "{name}");
        // Whether the run's folder is there, and another one, or not.
        assert!(run("again"));
        std::fs::remove_dir_all(folder.path("out")).unwrap();
        assert!(run("without"));
    }
}

/// What `lint` finds is told by every run, with the place at which it is now.
#[test]
fn warnings_are_told_again() {
    let folder = Folder::new();
    let text = "(FPCore (x) :pre (<= -1 x 1) :magneto-abs-error 1e-3\n  (/ 1 x))\n";
    folder.write("f.fpcore", text).write("sub/f.fpcore", text);
    let warnings = |err: &str| -> Vec<String> {
        let all = err.lines().skip_while(|line| !line.starts_with("warning: "));
        all.take_while(|line| !line.starts_with("note: ")).map(str::to_owned).collect()
    };
    for (file, is_known) in [("f.fpcore", false), ("f.fpcore", true), ("sub/f.fpcore", true), ("f.fpcore", true)] {
        let run = cached(&folder, &[&[file, "--json"], &FEW[..]].concat()).expect(0);
        assert_eq!(from_cache(&run)[0].1, is_known);
        let fresh = folder.run(&[&["gen", file, "-o", "fresh", "--force"], &FEW[..]].concat());
        assert_eq!(warnings(&run.err), warnings(&fresh.err));
        assert!(run.err.contains(&format!("warning: {file}:2:3: f has no value at")), "{}", run.err);
    }
    folder.write("f.fpcore", format!("; Above.\n{text}"));
    let run = cached(&folder, &[&["f.fpcore", "--json"], &FEW[..]].concat());
    assert!(from_cache(&run)[0].1);
    run.says(&["warning: f.fpcore:3:3: f has no value at"]);
}

/// Where files cannot have a second name they are copied.
#[cfg(target_os = "linux")]
#[test]
fn a_cache_on_another_file_system() {
    use std::os::unix::fs::MetadataExt as _;
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    let elsewhere = tempfile::tempdir_in("/dev/shm").unwrap();
    let device = |path: &std::path::Path| std::fs::metadata(path).unwrap().dev();
    let cache = elsewhere.path().join("cache");
    let run = || {
        let arguments = [&["f.fpcore", "--cache", cache.to_str().unwrap()], &FEW[..]].concat();
        from_cache(&same_as_fresh(&folder, &arguments, "elsewhere"))[0].1
    };
    assert!(!run() && run());
    folder.write("out/tests.csv", "changed");
    let is_apart = device(elsewhere.path()) != device(folder.root());
    assert_eq!(run(), is_apart);
    std::fs::remove_dir_all(folder.path("out")).unwrap();
    assert!(run());
}

/// A cache that came from elsewhere, as servers bring them, is as good.
#[test]
fn a_copy_of_a_cache_is_one() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    let run = |cache: &str| {
        from_cache(&same_as_fresh(&folder, &[&["f.fpcore", "--cache", cache], &FEW[..]].concat(), cache))[0].1
    };
    assert!(!run("one"));
    for (name, bytes) in folder.files("one") {
        folder.write(&format!("two/{name}"), bytes);
    }
    let [entry] = &entries(&folder, "two")[..] else { panic!() };
    let head = std::fs::read(entry.join("entry")).unwrap();
    assert!(run("two"));
    // Its files were read, and need not be again.
    let known = std::fs::read(entry.join("entry")).unwrap();
    assert!(known != head && run("two") && std::fs::read(entry.join("entry")).unwrap() == known);
    // A copy that is none.
    let text = std::fs::read_to_string(entry.join("tests.json")).unwrap();
    std::fs::remove_file(entry.join("tests.json")).unwrap();
    std::fs::write(entry.join("tests.json"), text.replace("1", "2")).unwrap();
    assert!(!run("two") && run("two"));
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
        let is_interrupted = child.wait().unwrap().code() == Some(130) && folder.path("out/resume.json").exists();
        // Where the first formula had come to its end it is a result.
        let is_done = |one: &serde_json::Value| one["specification"] == "long" && one["interrupted"] == false;
        let summary = folder.path("out/summary.json").exists().then(|| folder.json("out/summary.json"));
        let done = summary.iter().filter_map(|s| s["specifications"].as_array()).flatten().any(is_done);
        if is_interrupted && !done {
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

/// Killed at some moments, in the middle of anything: the same command has what was done, and gives what an uninterrupted
/// run gives.
#[test]
fn killed_runs_go_on() {
    let folder = Folder::new();
    for k in 1..=20 {
        let text = LONG.replace("long", &format!("s{k}")).replace("x 4", &format!("x {k}"));
        folder.write(&format!("lib/s{k:02}.fpcore"), text);
    }
    let base = ["gen", "lib", "-o", "out", "--budget", "30", "--operators", "constant,unary,bounds"];
    let started = std::time::Instant::now();
    folder.run(&[&base[..3], &["whole"], &base[4..]].concat()).expect(0);
    let (time, whole) = (started.elapsed(), folder.files("whole"));
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut killed, mut known) = (0, 0);
    for _ in 0..6 {
        for name in ["out", ".magneto-cache"] {
            let _ = std::fs::remove_dir_all(folder.path(name));
        }
        let quiet = std::process::Stdio::null;
        let mut child = folder.caching(&base).stdout(quiet()).stderr(quiet()).spawn().unwrap();
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        std::thread::sleep(time.mul_f64((random % 1000) as f64 / 1000.0));
        // SIGKILL.
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        assert!(!folder.path("out").exists() || folder.files("out") == whole);
        let again = folder.caching(&[&base[..], &["--resume", "--json"]].concat()).output().unwrap();
        let again = Ended::new(&again).expect(0);
        known += from_cache(&again).iter().filter(|(_, cached)| *cached).count();
        assert!(folder.files("out") == whole);
    }
    println!("{killed} runs were killed; of 120 specifications {known} were done by then");
    assert!(killed > 2 && known > 0);
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
        let _ = std::fs::remove_dir_all(entry);
    }
    for mut one in all {
        assert_eq!(one.wait().unwrap().code(), Some(0));
    }
    let first = folder.files("out0");
    assert!(first.len() > 20 && (1..6).all(|k| folder.files(&format!("out{k}")) == first));
    // Nothing is left but entries and what marks the folder.
    for (name, _) in folder.files(".magneto-cache") {
        assert!(name.contains(".result/") || ["CACHEDIR.TAG", ".gitignore"].contains(&name.as_str()), "{name}");
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
    let head = own.join("entry");
    make(&head, std::fs::metadata(&head).unwrap().len(), 99);
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

/// A cache that cannot be written costs the entry, never the run; and a full disk leaves nothing half there.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_the_entry_alone() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    same_as_fresh(&folder, &[&["f.fpcore"], &FEW[..]].concat(), "with room");
    let fresh = folder.files("fresh");
    for name in ["out", ".magneto-cache"] {
        std::fs::remove_dir_all(folder.path(name)).unwrap();
    }
    std::os::unix::fs::symlink("nowhere/at/all", folder.path(".magneto-cache")).unwrap();
    let run = cached(&folder, &[&["f.fpcore"], &FEW[..]].concat()).expect(0);
    run.says(&["note: results could not be kept for later runs in .magneto-cache: "]);
    assert!(folder.files("out") == fresh);
    std::fs::remove_file(folder.path(".magneto-cache")).unwrap();
    std::fs::remove_dir_all(folder.path("out")).unwrap();
    // There is room for all but the largest file. Unit of ulimit: 512 bytes.
    let limit = fresh.iter().map(|f| f.1.len()).max().unwrap() / 512 - 1;
    let arguments = [&["gen", "f.fpcore", "-o", "out"], &FEW[..]].concat().join(" ");
    let script = format!("trap '' XFSZ; ulimit -f {limit}; exec {} {arguments}", env!("CARGO_BIN_EXE_magneto"));
    let run = std::process::Command::new("sh").args(["-c", &script]).current_dir(folder.root()).output().unwrap();
    Ended::new(&run).expect(2).says(&["no results are written"]);
    assert!(!folder.path("out").exists());
    assert_eq!(folder.files(".magneto-cache").len(), 2);
}
