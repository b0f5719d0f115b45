//! What a specification's author writes into names and requirements stays text in every exported file and report.

mod cli_support;
#[path = "cli_support/payloads.rs"]
mod texts;

use cli_support::Folder;
use magneto::spec::diagnostic::is_hidden;
use std::process::Command;
use texts::PAYLOADS;

fn succeeds(folder: &Folder, program: &str, arguments: &[&str]) {
    let Ok(output) = Command::new(program).args(arguments).current_dir(folder.root()).output() else {
        println!("skipped: there is no {program}");
        return;
    };
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{program} {arguments:?}\n{said}");
}

/// A run with all of it in the name and the requirement.
fn hostile() -> Folder {
    let folder = Folder::new();
    let text: String = PAYLOADS[..16].join(" ").replace('\\', "\\\\").replace('"', "\\\"");
    let spec = format!(
        "(FPCore (x)\n  :name \"{text}\"\n  :pre (<= 1 x 4)\n  :magneto-req \"{text}\"\n  :magneto-rel-error 1e-9\n  (* 0.1 x))\n"
    );
    folder.write("s.fpcore", spec);
    let ended = folder.run(&["gen", "s.fpcore", "--operators", "constant,bounds"]).expect(0);
    assert!(!ended.out.contains(|c| is_hidden(c) && c != '\n'), "{:?}", ended.out);
    assert!(!ended.err.contains(|c| is_hidden(c) && c != '\n'), "{:?}", ended.err);
    folder
}

#[test]
fn exported_code_compiles_and_holds_no_hidden_character() {
    let folder = hostile();
    for target in ["c", "unity", "check", "cmocka", "gtest", "catch2", "rust", "pytest", "matlab", "ada"] {
        folder.run(&["export", "magneto.out", "--to", target, "-o", target, "--function", "probe"]).expect(0);
        for (name, bytes) in folder.files(target) {
            let text = String::from_utf8(bytes).unwrap();
            assert!(!text.contains(|c| is_hidden(c) && c != '\n'), "{target}/{name}: {text:?}");
        }
    }
    let file = |target: &str, ending: &str| {
        let mut names = folder.files(target).into_iter().map(|f| f.0);
        format!("{target}/{}", names.find(|n| n.ends_with(ending)).unwrap())
    };
    let strict = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-trigraphs", "-DMAGNETO_OUT_OF_RANGE"];
    succeeds(&folder, "cc", &[&strict[..], &["-std=c99", "-Ic", &file("c", ".c")]].concat());
    succeeds(&folder, "c++", &[&strict[..], &["-std=c++17", "-x", "c++", "-Ic", &file("c", ".c")]].concat());
    let module = file("rust", ".rs");
    folder.write(
        "lib.rs",
        format!("pub fn probe(x: f64) -> f64 {{ 0.1 * x }}\n#[cfg(test)] #[path = \"{module}\"] mod tests;\n"),
    );
    succeeds(&folder, "rustc", &["--edition=2021", "--test", "-Dwarnings", "--emit=metadata", "lib.rs"]);
    succeeds(&folder, "python3", &["-m", "py_compile", &file("pytest", ".py")]);
    // Nothing is taken in but what the file itself names; with Evil there, its body would run.
    let ada = file("ada", ".adb");
    let withs: Vec<String> = folder.read(&ada).lines().filter(|l| l.starts_with("with ")).map(str::to_owned).collect();
    assert_eq!(withs.len(), 4, "{withs:?}");
    folder.write("ada/probe.ads", "function Probe (X : Long_Float) return Long_Float;\n");
    folder.write("ada/evil.ads", "package Evil is pragma Elaborate_Body; end Evil;\n");
    if Command::new("gnatmake").arg("--version").output().is_ok() {
        succeeds(&folder, "gnatmake", &["-q", "-c", "-gnatc", "-gnatW8", "-Iada", &ada]);
        assert!(!folder.path("evil.ali").exists());
    }
}

#[test]
fn junit_is_xml() {
    let folder = hostile();
    folder.run(&["report", "magneto.out", "--format", "junit", "-o", "run.xml"]).expect(0);
    folder.write("in.csv", "test_id,x\n\"a\u{fffe}\u{ffff}\u{1}<&\",1\nb,2\n");
    let refusal = "while read -r x; do printf 'error: \\357\\277\\276 \\357\\277\\277 \\001 ]]>\\n'; done";
    let arguments = ["check", "s.fpcore", "in.csv", "--exec", refusal, "--junit", "check.xml"];
    let shown = folder.run(&arguments).expect(1).out;
    assert!(!shown.contains(|c| is_hidden(c) && c != '\n'), "{shown:?}");
    for name in ["run.xml", "check.xml"] {
        let text = folder.read(name);
        let is_char = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
        assert!(text.chars().all(is_char), "{name}: {text:?}");
        succeeds(&folder, "xmllint", &["--noout", name]);
    }
}
