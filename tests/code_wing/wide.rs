//! The operations on `long double` bit by bit, beside those of the processor, and what makes floats of texts, beside the library.

#![cfg(target_arch = "x86_64")]

use std::path::Path;
use std::process::Command;

/// What a program says that has texts of runs in it; none where there is no compiler.
fn said(source: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.path().join("wide");
    let mut cc = Command::new("cc");
    let source = root.join("tests/code_wing/wide").join(source);
    cc.args(["-w", "-O1", "-I"]).arg(root.join("src/code/include")).arg(source);
    let built = match cc.arg("-lm").arg("-o").arg(&program).output() {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return None,
        built => built.unwrap(),
    };
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&program).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    Some(said.into_owned())
}

#[test]
fn operations_on_long_double_are_those_of_the_processor() {
    if let Some(said) = said("beside.c") {
        assert!(said.ends_with("0 of 500000 differ\n"), "{said}");
    }
}

#[test]
#[cfg(target_env = "gnu")]
fn floats_from_texts_are_those_of_the_library() {
    if let Some(said) = said("texts.c") {
        assert_eq!(said, "0 of 20000 differ\n");
    }
}
