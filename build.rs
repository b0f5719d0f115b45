//! Tells the program the commit that it is built from.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A build for development would be made anew at every commit.
    if std::env::var("PROFILE").is_ok_and(|p| p == "release")
        && let Some(commit) = commit()
    {
        println!("cargo:rustc-env=MAGNETO_COMMIT={commit}");
    }
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
