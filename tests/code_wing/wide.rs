//! The operations on `long double` bit by bit, beside those of the processor.

#![cfg(target_arch = "x86_64")]

use std::path::Path;
use std::process::Command;

#[test]
fn operations_on_long_double_are_those_of_the_processor() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.path().join("wide");
    let mut cc = Command::new("cc");
    cc.args(["-w", "-O1", "-I"]).arg(root.join("src/code/include")).arg(root.join("tests/code_wing/wide/beside.c"));
    let built = match cc.arg("-lm").arg("-o").arg(&program).output() {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return,
        built => built.unwrap(),
    };
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&program).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.ends_with("0 of 500000 differ\n"), "{said}");
}
