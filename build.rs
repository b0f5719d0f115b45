//! Tells the program what it is built from, by what, and for what.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MAGNETO_COMMIT");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    println!("cargo:rustc-env=MAGNETO_TARGET={}", variable("TARGET"));
    println!("cargo:rustc-env=MAGNETO_TARGET_FEATURES={}", variable("CARGO_CFG_TARGET_FEATURE"));
    println!("cargo:rustc-env=MAGNETO_PROFILE={}", profile());
    println!("cargo:rustc-env=MAGNETO_RUSTC={}", rustc(&variable("RUSTC")));
    // A build for development would be made anew at every commit.
    if std::env::var("PROFILE").is_ok_and(|p| p == "release")
        && let Some(commit) = commit().or_else(|| std::env::var("MAGNETO_COMMIT").ok().filter(|c| !c.is_empty()))
    {
        println!("cargo:rustc-env=MAGNETO_COMMIT={commit}");
    }
}

/// The name of the profile: the folder below `target` that has this script's output says it.
fn profile() -> String {
    let out = std::env::var("OUT_DIR").unwrap_or_default();
    let folder = Path::new(&out).ancestors().nth(3).and_then(Path::file_name);
    folder.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// What the compiler says of itself, such as `rustc 1.88.0 (…)`.
fn rustc(program: &str) -> String {
    let output = Command::new(program).arg("--version").output().ok().filter(|o| o.status.success());
    output.map_or_else(String::new, |o| String::from_utf8_lossy(&o.stdout).trim().to_owned())
}

/// The commit of this clone, with `-dirty` after it where files have changed since. None where this is no clone, as in a
/// package of the sources, which may lie inside a clone of something else.
fn commit() -> Option<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().ok()?;
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != here {
        return None;
    }
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    for path in ["src", "Cargo.toml", "Cargo.lock", "fpbench"] {
        println!("cargo:rerun-if-changed={path}");
    }
    git(&["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"])
}

/// The first line that a git command prints, if it succeeds.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|o| o.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().next().map(str::to_owned)
}
