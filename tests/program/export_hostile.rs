//! What a specification's author writes into names and requirements stays text in every exported file and report.

use crate::cli_support::Folder;
use crate::cli_support::payloads::PAYLOADS;
use magneto::text::is_hidden;
use std::process::Command;

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

/// What turns the direction of a text, or controls a terminal, stands by its number in everything that is written and told:
/// documents keep its value, tables, pages and messages show it.
#[test]
fn no_file_holds_a_hidden_character() {
    let folder = Folder::new();
    let name = "evil\u{202e}abc\u{85}\u{2066}\u{1b}[31m\u{61c}\u{200f}\u{e0041}";
    folder.write("s.fpcore", format!(
        "(FPCore (x) :name \"{name}\" :pre (<= 1 x 2) :magneto-req \"R\u{202e}\" :magneto-rel-error 1e-9 (* 0.1 (sqrt x)))\n"
    ));
    // Between parts of a long word of our own a line may be divided.
    let hides = |text: &str| text.contains(|c| is_hidden(c) && !matches!(c, '\n' | '\t' | '\u{ad}'));
    let few = ["--operators", "constant,bounds"];
    folder.run(&[&["gen", "s.fpcore", "-q", "-o", "run"], &few[..]].concat()).expect(0);
    folder.run(&["check", "s.fpcore", "run", "--exec", "cat", "-q", "-o", "run"]);
    folder.run(&["eval", "s.fpcore", "run", "-q", "-o", "eval"]);
    folder.run(&[
        "worst",
        "s.fpcore",
        "--exec",
        "while read -r x; do echo 1; done",
        "--evaluations",
        "50",
        "-q",
        "-o",
        "worst",
    ]);
    for format in ["html", "stryker", "sarif", "junit", "csv", "trace"] {
        folder.run(&["report", "run", "--format", format]).expect(0);
    }
    ["eval", "worst"].iter().for_each(|dir| drop(folder.run(&["report", dir]).expect(0)));
    for dir in ["run", "eval", "worst"] {
        for (file, bytes) in folder.files(dir).iter().filter(|(file, _)| file != "source.fpcore") {
            let Ok(text) = std::str::from_utf8(bytes) else { continue };
            assert!(!hides(text), "{dir}/{file}: {text:?}");
        }
    }
    let named = &folder.json("run/manifest.json")["specification"]["name"];
    assert_eq!(named, name, "its value is what it was");
    assert_eq!(folder.json("run/mutants.json")["specification"], name);
    let shown = "evil<U+202E>abc<U+0085><U+2066><U+001B>[31m<U+061C><U+200F><U+E0041>";
    assert!(folder.read("run/summary.csv").contains(shown));
    let escaped = shown.replace('<', "&lt;").replace('>', "&gt;");
    assert!(folder.read("run/report.html").contains(&escaped) && folder.read("run/junit.xml").contains(&escaped));
    for line in [
        &["lint", "s.fpcore"][..],
        &["mutants", "s.fpcore"],
        &["explain", "s.fpcore", "run"],
        &["export", "run", "--to", "c"],
    ] {
        let ended = folder.run(line);
        assert!(!hides(&ended.out) && !hides(&ended.err), "{line:?}");
    }
    // A name that a formula is read by must be seen.
    folder.write("n.fpcore", "(FPCore (x\u{202e}) :pre (<= 1 x\u{202e} 2) x\u{202e})");
    let ended = folder.run(&["lint", "n.fpcore"]).expect(2).says(&["n.fpcore:1:10", "cannot be part of a symbol"]);
    assert!(!hides(&ended.err));
}

/// What was found before an interruption is not taken for all that there is, in whatever form it is handed on.
#[test]
fn every_form_of_an_interrupted_run_says_so() {
    let folder = Folder::new();
    folder.write("s.fpcore", "(FPCore (x) :name \"half\" :pre (<= 1 x 4) :magneto-rel-error 1e-9 (* 0.5 x))");
    folder.run(&["gen", "s.fpcore", "-q", "--operators", "constant", "-o", "run"]).expect(0);
    let says = |text: &str| text.to_lowercase().contains("interrupted");
    let code = ["c", "unity", "check", "cmocka", "gtest", "catch2", "rust", "pytest", "matlab", "ada"];
    let tables = ["csv", "trace", "junit", "stryker", "html"];
    let all = |is_interrupted: bool| {
        for target in code.iter().chain(&["csv", "json"]) {
            let out = format!("{target}-{is_interrupted}");
            let ended = folder.run(&["export", "run", "--to", target, "-o", &out]).expect(0);
            assert_eq!(says(&ended.err), is_interrupted, "{target}: {}", ended.err);
            let files = folder.files(&out);
            let told = files.iter().filter(|(_, bytes)| says(std::str::from_utf8(bytes).unwrap())).count();
            // Vectors as CSV have no place for it.
            let wanted = if is_interrupted && *target != "csv" { files.len() } else { 0 };
            assert!(*target == "json" || told == wanted, "{target}: {told} of {}", files.len());
        }
        for format in tables {
            let text = folder.run(&["report", "run", "--format", format, "-o", "-"]).expect(0).out;
            let told = if format == "html" { text.contains("was interrupted before its end") } else { says(&text) };
            assert_eq!(told, is_interrupted, "{format}");
        }
        let sarif = folder.run(&["report", "run", "--format", "sarif", "-o", "-"]).expect(0).json();
        assert_eq!(sarif["runs"][0]["invocations"][0]["executionSuccessful"], !is_interrupted);
    };
    all(false);
    // As an interruption writes it.
    for (file, also) in [("summary.json", "manifest.json"), ("manifest.json", "")] {
        let before = folder.read(&format!("run/{file}"));
        let after = before.replacen("\"interrupted\": false", "\"interrupted\": true", 1);
        assert_ne!(before, after);
        folder.write(&format!("run/{file}"), &after);
        if !also.is_empty() {
            let hashed = folder.read(&format!("run/{also}"));
            let [old, new] = [before, after].map(|text| magneto::record::manifest::hash(text.as_bytes()));
            folder.write(&format!("run/{also}"), hashed.replace(&old, &new));
        }
    }
    all(true);
}
