//! Programs that tests of code need.

use std::process::Command;

/// Whether clang and wasm-ld are there, with which code is looked into; under CI they have to be.
pub(crate) fn has_clang() -> bool {
    has(&["clang", "wasm-ld"])
}

/// Whether all these programs are there; under CI they have to be.
pub(crate) fn has(programs: &[&str]) -> bool {
    let there = |name: &str| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    let missing: Vec<&str> = programs.iter().copied().filter(|p| !there(p)).collect();
    let needed = std::env::var_os("CI").is_some();
    assert!(missing.is_empty() || !needed, "{missing:?} are needed: .ci/setup ci installs them");
    if !missing.is_empty() {
        eprintln!("skipped: {missing:?} are not there");
    }
    missing.is_empty()
}
