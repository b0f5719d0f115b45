//! Interrupted runs: what is saved, and that a resumed run gives the files of an uninterrupted one.

use crate::cli_support::{Folder, SMALL};
use magneto::options::{KNOBS, OptionOrigin, Settings};
use magneto::record::continued::continue_from;
use magneto::record::json::document as text;
use magneto::record::manifest::COMMIT;
use magneto::record::resume::{Resume, SourceText};
use magneto::record::{Part, Suite};
use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::suite::{Generated, Interrupt, Solved, generate};
use magneto::unfit::Unfit;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// A bound so large that many of its mutants need a search.
const HARDER: &str = "(FPCore (x y) :name \"harder\" :pre (and (<= 0 x 4) (<= 1 y 2)) :magneto-abs-error 1e-1\n  \
                      (+ (* (sin x) (exp (- 0 (* x y)))) (/ (sqrt (+ 1 (* x y))) (+ 1 (log y)))))";

fn spec(source: &str) -> Spec {
    resolve(&parse_file(source.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap()
}

fn settings(values: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::default();
    for (name, value) in values {
        let knob = KNOBS.iter().find(|k| k.name == *name).unwrap();
        settings.set(knob, &[(*value).to_owned()], OptionOrigin::Flag).unwrap();
    }
    settings
}

/// The answers that a document has for a run.
fn known(
    document: &[u8],
    settings: &Settings,
    sources: &[SourceText<'_>],
) -> Result<Vec<HashMap<String, Solved>>, Unfit> {
    let ours = Resume::new(settings, sources.iter().map(|source| (*source, &[][..])));
    continue_from(document, &ours)?.answers(sources)
}

fn written(spec: &Spec, settings: &Settings, generated: &Generated) -> Vec<(&'static str, Vec<u8>)> {
    Part::new(&Suite { spec, source: HARDER.as_bytes(), settings, generated }).files()
}

#[test]
fn answers_of_an_interrupted_run_are_taken_over() {
    // Without proofs, so that there are searches for more than one batch however much is proved without them.
    let settings = settings(&[("budget", "50"), ("jobs", "1"), ("no-proofs", "true")]);
    let spec = spec(HARDER);
    let source = (&spec, HARDER.as_bytes());
    let whole = generate(&spec, &settings.suite, &Interrupt::default()).unwrap();
    let expected = written(&spec, &settings, &whole);

    let stop = AtomicBool::new(false);
    let progress = |_: usize, _: usize| stop.store(true, Ordering::Relaxed);
    let interrupt = Interrupt { stop: Some(&stop), progress: Some(&progress), ..Interrupt::default() };
    let part = generate(&spec, &settings.suite, &interrupt).unwrap();
    assert!(part.interrupted);
    assert!(!part.solved.is_empty() && part.solved.len() < whole.solved.len());

    let kept = text(&Resume::new(&settings, [(source, part.solved.as_slice())]));
    let mut known = known(&kept, &settings, &[source]).unwrap();
    let known = known.remove(0);
    assert_eq!(known.len(), part.solved.len());
    let resumed = generate(&spec, &settings.suite, &Interrupt { known, ..Interrupt::default() }).unwrap();
    assert!(written(&spec, &settings, &resumed) == expected);
}

#[test]
fn answers_of_other_runs_are_refused() {
    let (spec, own) = (spec(HARDER), settings(&[]));
    let source = (&spec, HARDER.as_bytes());
    let kept = text(&Resume::new(&own, [(source, &[][..])]));
    assert!(known(&kept, &own, &[source]).is_ok());
    let refusal = |settings: &Settings, sources: &[SourceText<'_>]| known(&kept, settings, sources).unwrap_err();
    assert!(refusal(&settings(&[("budget", "7")]), &[source]).message.contains("other options"));
    assert!(refusal(&own, &[(&spec, b"changed".as_slice())]).message.contains("another text of `harder`"));
    assert!(refusal(&own, &[source, source]).message.contains("over harder"));
    // What does not matter for the result may differ.
    assert!(known(&kept, &settings(&[("jobs", "7"), ("min-score", "1")]), &[source]).is_ok());
    assert!(known(b"{}", &own, &[source]).is_err() && known(b"no", &own, &[source]).is_err());
    // Another build is another program: its answers are not taken.
    let of = |from: &str, to: &str| {
        let all = String::from_utf8(kept.clone()).unwrap();
        assert!(all.contains(from), "{all}");
        known(all.replacen(from, to, 1).as_bytes(), &own, &[source]).unwrap_err().message
    };
    let commit = COMMIT.map_or("\"commit\": null".to_owned(), |c| format!("\"commit\": \"{c}\""));
    assert!(of(&commit, "\"commit\": \"another\"").contains("is by magneto"));
    assert!(of("\"mpfr\": \"", "\"mpfr\": \"1").contains("was made with MPFR 1"));
}

#[test]
fn resuming_from_the_command_line() {
    let folder = Folder::new();
    folder.write("f.fpcore", SMALL);
    let base = ["gen", "f.fpcore", "--operators", "constant", "-o", "out"];
    // Nothing was interrupted: the run starts anew.
    folder.run(&[&base[..], &["--resume"]].concat()).expect(0).says(&["starts anew"]);
    let expected = folder.files("out");
    let spec = spec(SMALL);
    let settings = settings(&[("operators", "constant")]);
    let kept = text(&Resume::new(&settings, [((&spec, SMALL.as_bytes()), &[][..])]));
    folder.write("out/resume.json", &kept);
    folder.run(&[&base[..], &["--resume", "--budget", "7"]].concat()).expect(2).says(&[
        "cannot resume from out/resume.json",
        "other options",
        "leave out --resume",
    ]);
    assert!(folder.path("out/resume.json").exists());
    folder.write("g.fpcore", format!("{SMALL} "));
    folder
        .run(&["gen", "g.fpcore", "--operators", "constant", "-o", "out", "--resume"])
        .expect(2)
        .says(&["another text of"]);
    folder.run(&[&base[..], &["--resume"]].concat()).expect(0);
    // A complete run leaves nothing to go on from.
    assert!(folder.files("out") == expected);
    folder.write("out/resume.json", "garbage");
    folder.run(&[&base[..], &["--resume"]].concat()).expect(2).says(&["cannot resume"]);
}

/// A real interruption: SIGINT at some moment, whichever; then `--resume`.
#[cfg(unix)]
#[test]
fn a_signal_saves_what_is_done() {
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    folder.write("f.fpcore", HARDER);
    let base = ["gen", "f.fpcore", "--budget", "1000", "--jobs", "1"];
    folder.run(&[&base[..], &["-o", "whole"]].concat()).expect(0);
    let mut interrupted = false;
    for wait in [300, 150, 500, 75, 800, 1600, 3200] {
        let mut command = folder.command(&[&base[..], &["-o", "part"]].concat());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(wait));
        // Twice at once, as a terminal and a wrapper together deliver it: the second is no wish to end without saving.
        let pid = child.id();
        let twice = format!("kill -s INT {pid}; kill -s INT {pid}");
        let kill = Command::new("sh").args(["-c", &twice]).stderr(Stdio::null()).status();
        assert!(kill.is_ok());
        // Too early it is an ordinary death, too late the run is complete.
        if child.wait().unwrap().code() == Some(130) {
            interrupted = true;
            break;
        }
    }
    if interrupted {
        assert!(folder.path("part/resume.json").exists());
        assert_eq!(folder.json("part/summary.json")["interrupted"], true);
        assert_eq!(folder.json("part/tests.json")["interrupted"], true);
    }
    folder.run(&[&base[..], &["-o", "part", "--resume"]].concat()).expect(0);
    assert!(folder.files("part") == folder.files("whole"));
}
