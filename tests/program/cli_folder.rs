//! The folder of a run from the command line: what is taken for a run, what is mended, and which specification is meant.

use crate::cli_support::{Ended, Folder, SMALL};
use std::process::{Command, Stdio};

#[test]
fn a_folder_that_lost_documents_is_still_a_runs() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    let again =
        |more: &[&str]| folder.run(&[&["gen", "f.fpcore", "--operators", "constant", "-o", "out"], more].concat());
    again(&[]).expect(0);
    let whole = folder.files("out");
    let remove = |names: &[&str]| names.iter().for_each(|n| std::fs::remove_file(folder.path("out").join(n)).unwrap());
    let documents = ["summary.json", "manifest.json", "mutants.json", "tests.json"];
    for more in [&[][..], &["--resume"], &["--force"]] {
        for name in documents {
            remove(&[name]);
            folder.run(&["report", "out"]).expect(2).says(&[name]);
            again(more).expect(0);
            assert!(folder.files("out") == whole, "{name}");
        }
    }
    // Only tables are left: that they are a run's is for a person to say.
    remove(&documents);
    again(&[]).expect(2).says(&["which magneto did not write"]);
    again(&["--force"]).expect(0);
    assert!(folder.files("out") == whole);
}

#[test]
fn the_specification_is_known_by_more_than_its_name() {
    let folder = Folder::new();
    let core = |id: &str, body: &str| {
        format!("(FPCore {id} (x) :name \"same\" :pre (<= 1 x 2) :magneto-rel-error 1e-9 {body})\n")
    };
    let text = core("first", "(+ x 0.5)") + &core("second", "(* x 0.3)");
    folder.write("f.fpcore", &text);
    let few = ["--operators", "constant"];
    folder.run(&[&["gen", "f.fpcore", "-o", "both"], &few[..]].concat()).expect(0);
    folder.run(&[&["gen", "f.fpcore:first", "-o", "one"], &few[..]].concat()).expect(0);
    let eval = |spec: &str, dir: &str| folder.run(&[&["eval", spec, dir], &few[..]].concat());
    for spec in ["f.fpcore:first", "f.fpcore:second"] {
        let text = eval(spec, "both").expect(0).out;
        assert!(text.contains("rigorous score      1.0000"), "{text}");
        let id = folder.run(&["mutants", spec, "--operators", "constant"]).expect(0).out;
        let id = id.split_whitespace().next().unwrap().to_owned();
        folder.run(&[&["explain", spec, &id, "--from", "both"], &few[..]].concat()).expect(0);
    }
    let other = "is about another FPCore that is called `same`";
    eval("f.fpcore:second", "one").expect(2).says(&[other]);
    folder.run(&["check", "f.fpcore:second", "one", "--exec", "cat"]).expect(2).says(&[other]);
    // In a file that has changed neither is surely meant.
    folder.write("f.fpcore", text.replace("0.5", "0.25"));
    eval("f.fpcore:first", "both").expect(2).says(&["2 specifications there are called `same`", "both/same-2"]);
    eval("f.fpcore:first", "both/same").says(&["was made for another version"]);
}

/// An overview that somebody changed names folders that are not of the run: nothing is read or written there.
#[test]
fn a_run_stays_in_its_folder() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL).write("g.fpcore", SMALL.replace("small", "other"));
    let few = ["--operators", "constant", "-o"];
    folder.run(&[&["gen", "f.fpcore", "g.fpcore"], &few[..], &["out"]].concat()).expect(0);
    // Folders with a run elsewhere, which fit the overview by their manifests.
    for place in ["elsewhere", "out/other/deeper"] {
        folder.write(&format!("{place}/manifest.json"), folder.read("out/other/manifest.json"));
        for name in ["source.fpcore", "summary.json", "mutants.json", "tests.json", "matrix.csv", "mutants.csv"] {
            folder.write(&format!("{place}/{name}"), folder.read(&format!("out/other/{name}")));
        }
    }
    let whole = folder.read("out/summary.json");
    let absolute = folder.path("elsewhere").display().to_string();
    let before = folder.files("elsewhere");
    for name in [absolute.as_str(), "../elsewhere", "other/../../elsewhere", "other/deeper", "..", ".", ""] {
        let text = whole.replace("\"folder\": \"other\"", &format!("\"folder\": \"{name}\""));
        assert_ne!(text, whole);
        folder.write("out/summary.json", text);
        let refused = format!("`{name}` is not the name of a folder");
        for format in ["html", "stryker", "sarif", "junit", "csv", "trace"] {
            folder.run(&["report", "out", "--format", format]).expect(2).says(&[&refused]);
        }
        folder.run(&["export", "out", "--to", "c"]).expect(2).says(&[&refused]);
        folder.run(&["eval", "g.fpcore", "out", few[0], few[1]]).expect(2).says(&[&refused]);
        let mend = [&["gen", "f.fpcore", "g.fpcore", "--force"], &few[..], &["out"]].concat();
        folder.run(&mend).expect(0);
        assert!(folder.files("elsewhere") == before, "{name}");
    }
    let summary = folder.json("out/summary.json");
    assert_eq!(summary["specifications"][1]["folder"], "other");
}

/// A report goes through a pipe, which no file replaces.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_replaced() {
    use std::os::unix::fs::FileTypeExt as _;
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    folder.run(&["gen", "f.fpcore", "--operators", "constant", "-o", "out"]).expect(0);
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    for format in ["csv", "html", "junit"] {
        let expected = folder.run(&["report", "out", "--format", format, "-o", "-"]).expect(0).out;
        let pipe = folder.path("pipe");
        let reader = std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap());
        folder.run(&["report", "out", "--format", format, "-o", "pipe"]).expect(0);
        assert!(std::fs::symlink_metadata(folder.path("pipe")).unwrap().file_type().is_fifo(), "{format}");
        assert!(reader.join().unwrap() == expected, "{format}");
    }
}

/// A disk that refuses: the limit on the size of files stands in for a full one.
#[test]
fn an_error_leaves_the_older_run() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    folder.run(&["gen", "f.fpcore", "--operators", "constant", "-o", "out"]).expect(0);
    let before = folder.files(".");
    let program = env!("CARGO_BIN_EXE_magneto");
    let limited = |dir: &str| {
        let script =
            format!("trap '' XFSZ; ulimit -f 8; exec {program} gen f.fpcore --budget 10 -q --no-cache -o {dir}");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(folder.root()).stdin(Stdio::null());
        Ended::new(&command.output().unwrap())
    };
    let ended = limited("out").expect(2).says(&["error: cannot write", "the earlier results there are as they were"]);
    assert_eq!(ended.err.lines().count(), 1, "{}", ended.err);
    assert!(folder.files(".") == before);
    limited("new/deep").expect(2).says(&["no results are written"]);
    assert!(!folder.path("new").exists() && folder.files(".") == before);
}

/// Ended at random moments while it takes the place of an older run, by SIGKILL or by a signal on which what is done is
/// saved. MAGNETO_LONG asks for 200 times over all formulas.
#[cfg(unix)]
#[test]
fn kills_at_random_moments() {
    let long = std::env::var_os("MAGNETO_LONG").is_some();
    let folder = Folder::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(if long { "fpbench" } else { "specs" });
    let mut specs: Vec<String> = std::fs::read_dir(root)
        .unwrap()
        .map(|e| e.unwrap().path().display().to_string())
        .filter(|p| p.ends_with(".fpcore"))
        .collect();
    specs.sort();
    let base = |set: &'static str, dir: &'static str| -> Vec<String> {
        let mut all = vec!["gen".to_owned()];
        all.extend(specs.iter().cloned());
        let flags = ["--skip-unsupported", "--operators", set, "--budget", "1", "--no-proofs", "-q", "-o", dir];
        all.extend(flags.map(str::to_owned));
        all
    };
    let start = |line: &[String]| {
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        folder.command(&line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let started = std::time::Instant::now();
    for (set, dir) in [("constant", "constant"), ("delete", "delete")] {
        assert!(start(&base(set, dir)).wait().unwrap().success());
    }
    let time = started.elapsed() / 2;
    let whole = ["constant", "delete"].map(|dir| folder.files(dir));
    // xorshift64.
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below
    };
    let (mut killed, mut old, mut new, mut saved) = (0, 0, 0, 0);
    let mut k = 0;
    // Some runs come to their end before. Few are enough where that is not the question.
    while if long { killed < 200 } else { k < 6 } {
        let set = ["constant", "delete"][k % 2];
        let line = [base(set, "run"), vec!["--resume".to_owned()]].concat();
        let mut child = start(&line);
        // Most of them in the second half, at whose end files are written.
        let part = if next(4) == 0 { next(1000) } else { 500 + next(600) };
        std::thread::sleep(time.mul_f64(part as f64 / 1000.0));
        let signal = ["-KILL", "-KILL", "-INT", "-TERM"][next(4) as usize];
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        let status = child.wait().unwrap();
        killed += usize::from(!status.success());
        if folder.path("run").exists() {
            let there = folder.files("run");
            match whole.iter().position(|w| *w == there) {
                Some(at) if at == k % 2 => new += 1,
                Some(_) => old += 1,
                None => {
                    assert_eq!(status.code(), Some(130), "kill {k}: a folder of neither run");
                    assert!(folder.path("run/resume.json").exists(), "kill {k}");
                    saved += 1;
                }
            }
            folder.run(&["report", "run", "--format", "csv", "-o", "-"]).expect(0);
        }
        assert!(start(&line).wait().unwrap().success());
        assert!(folder.files("run") == whole[k % 2], "kill {k}");
        let names = std::fs::read_dir(folder.root()).unwrap().map(|e| e.unwrap().file_name());
        let left: Vec<_> = names.filter(|n| n.to_string_lossy().starts_with(".magneto")).collect();
        assert!(left.is_empty(), "kill {k}: {left:?}");
        k += 1;
    }
    println!("{killed} kills; the folder was {old} times the older run's, {new} the new one's, {saved} what was done");
}
