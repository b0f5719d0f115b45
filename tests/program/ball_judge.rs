//! Claims of runs, judged by a program that shares no code with this one: ball arithmetic in Python (`tests/ball_judge/`)
//! looks at every input of small domains.

use std::path::{Path, PathBuf};
use std::process::Command;

const MAGNETO: &str = env!("CARGO_BIN_EXE_magneto");

/// How many specifications are judged; with `MAGNETO_LONG` set, of other seeds and more.
const SPECS: u32 = 24;
const SPECS_LONG: u32 = 20_000;
/// How many bounds that are printed there are among their claims at least.
const BOUNDS: u32 = 75;
const BOUNDS_LONG: u32 = 100_000;

/// The folder of the package on which the judge is built.
fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("verify")
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ball_judge/main.py")
}

/// A Python with python-flint. Without one the test is skipped with a note; in CI that is a failure.
pub(crate) fn python() -> Option<String> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&python).args(["-c", "import flint"]).output();
    if found.is_ok_and(|o| o.status.success()) {
        return Some(python);
    }
    let note = "no Python with python-flint: `.ci/setup ci` installs it";
    assert!(std::env::var_os("CI").is_none(), "{note}");
    eprintln!("skipped: {note}");
    None
}

/// Judge random specifications; `more` says which, and what of them.
fn judge(more: &[&str]) {
    let Some(python) = python() else { return };
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let judged = Command::new(python)
        .env("PYTHONPATH", package())
        .arg(script())
        .args(["--magneto", MAGNETO, "--jobs", &jobs.to_string()])
        // Programs over floats have a judge of their own, in Rust.
        .args(["--operators", "accuracy,bounds,add,delete,constant,variable,unary,binary"])
        .args(more)
        .output()
        .expect("the judge starts");
    let (out, err) = (String::from_utf8_lossy(&judged.stdout), String::from_utf8_lossy(&judged.stderr));
    println!("{out}");
    assert!(judged.status.success(), "{out}\n{err}");
}

fn is_long() -> bool {
    std::env::var_os("MAGNETO_LONG").is_some()
}

#[test]
fn every_claim_holds_at_every_input_of_small_domains() {
    let (specs, seed) = if is_long() { (SPECS_LONG, 1_000_000) } else { (SPECS, 0) };
    judge(&["--specs", &specs.to_string(), "--seed", &seed.to_string()]);
}

/// Of formulas with loops and arrays too: the judge runs their loops.
#[test]
fn every_claim_about_loops_holds() {
    let (specs, seed) = if is_long() { (SPECS_LONG, 4_000_000) } else { (SPECS / 8, 3_000_000) };
    judge(&["--loops", "--specs", &specs.to_string(), "--seed", &seed.to_string()]);
}

/// Of programs over floats, and of formulas with roundings: those in another order are judged as well.
#[test]
fn every_claim_about_programs_holds() {
    let (specs, seed) = if is_long() { (SPECS_LONG, 6_000_000) } else { (SPECS, 5_000_000) };
    let operators = "accuracy,bounds,add,delete,constant,variable,unary,binary,evaluation";
    judge(&["--programs", "--operators", operators, "--specs", &specs.to_string(), "--seed", &seed.to_string()]);
}

/// Of each bound that a person reads in a proof or of the plain evaluation, at every input.
#[test]
fn every_printed_bound_is_rounded_outward() {
    let (specs, bounds) = if is_long() { (BOUNDS_LONG / 8, BOUNDS_LONG) } else { (BOUNDS / 8, BOUNDS) };
    let [specs, bounds] = [specs, bounds].map(|n| n.to_string());
    judge(&["--printed", "--inputs", "8", "--specs", &specs, "--bounds", &bounds, "--seed", "2000000"]);
}

/// A judge that finds nothing could be blind: it finds what is wrong in runs that are changed by hand.
#[test]
fn the_judge_sees_false_claims() {
    let Some(python) = python() else { return };
    let judged = Command::new(python)
        .env("PYTHONPATH", package())
        .arg(script().with_file_name("self_test.py"))
        .args(["--magneto", MAGNETO])
        .output()
        .expect("the judge starts");
    let text = format!("{}{}", String::from_utf8_lossy(&judged.stdout), String::from_utf8_lossy(&judged.stderr));
    assert!(judged.status.success(), "{text}");
}
