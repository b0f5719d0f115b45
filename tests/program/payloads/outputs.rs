//! What a run, its exports and its reports write, looked at by independent readers.

use super::is_plain;
use crate::cli_support::{Folder, missing};
use std::process::Command;

/// A run in `magneto.out` over specifications with hostile texts.
pub(crate) struct Run<'a> {
    pub(crate) folder: &'a Folder,
    /// For messages.
    pub(crate) said: String,
    /// The number of specifications.
    pub(crate) count: usize,
}

/// Runs a tool that has to succeed.
fn succeeds(folder: &Folder, program: &str, arguments: &[&str]) {
    let Ok(output) = Command::new(program).args(arguments).current_dir(folder.root()).output() else {
        missing(&format!("there is no {program}"));
        return;
    };
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{program} {arguments:?}\n{}", said.chars().take(3000).collect::<String>());
}

/// Asserts that a table has as many cells in each row as in the first, and that no spreadsheet runs one of them.
pub(crate) fn is_table(text: &str, name: &str) {
    let rows = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes()).into_records();
    for row in rows.map(|row| row.unwrap_or_else(|e| panic!("{name}: {e}"))) {
        for cell in &row {
            let begins = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.len() > 1;
            let is_number = cell.parse::<f64>().is_ok() || cell.trim_start_matches(['-', '+']).starts_with("0x");
            assert!(!begins || is_number, "{name}: {cell:?}");
        }
    }
}

/// Asserts that a file is XML: by its characters, and by xmllint.
pub(crate) fn is_xml(folder: &Folder, name: &str) {
    let text = folder.read(name);
    let is_char = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    assert!(text.chars().all(is_char), "{name}");
    succeeds(folder, "xmllint", &["--noout", name]);
}

/// What a browser would make of pages: fails for a script that is not the page's own, for an image, for what is done on
/// an event, and for addresses that are code. The page's own script is the same on every page.
const READER: &str = r#"
import html.parser, sys
class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.script, self.scripts = False, []
    def handle_starttag(self, tag, attributes):
        assert tag not in ("img", "iframe", "object", "embed", "blink"), tag
        for name, value in attributes:
            assert not name.startswith("on"), (name, value)
            assert not (value or "").strip().lower().startswith("javascript:"), value
        self.script = tag == "script" and "json" not in dict(attributes).get("type", "")
    def handle_endtag(self, tag):
        self.script = False
    def handle_data(self, data):
        if self.script:
            self.scripts.append(data)
own = set()
for name in sys.argv[1:]:
    reader = Reader()
    reader.feed(open(name, encoding="utf-8").read())
    reader.close()
    own.add(tuple(reader.scripts))
    assert len(reader.scripts) <= 1, name
assert len(own) == 1, len(own)
"#;

impl Run<'_> {
    /// The run's own files: how many.
    pub(crate) fn files(&self) -> usize {
        let files = self.folder.files("magneto.out");
        for (name, bytes) in &files {
            let name = format!("{}: {name}", self.said);
            if name.ends_with(".json") {
                serde_json::from_slice::<serde_json::Value>(bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
            } else if name.ends_with(".csv") {
                is_table(std::str::from_utf8(bytes).unwrap(), &name);
            } else {
                assert!(name.ends_with("source.fpcore"), "{name}");
            }
            let place = name.rsplit(": ").next().unwrap_or_default();
            assert!(place.is_ascii() && place.split('/').count() <= 2, "{name}");
        }
        files.len()
    }

    /// The folders of the specifications.
    fn folders(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path("magneto.out")).unwrap().map(|e| e.unwrap());
        let folders = entries.filter(|e| e.file_type().unwrap().is_dir());
        let mut names: Vec<_> = folders.map(|e| format!("magneto.out/{}", e.file_name().to_string_lossy())).collect();
        names.sort();
        names
    }

    /// Tests as code in every language, compiled where there is a compiler: how many files.
    pub(crate) fn exports(&self) -> usize {
        let folder = self.folder;
        let mut count = 0;
        let targets =
            ["c", "unity", "check", "cmocka", "gtest", "catch2", "rust", "pytest", "matlab", "ada", "csv", "json"];
        for target in targets {
            let function = if target == "pytest" { "probe:probe" } else { "probe" };
            for (k, of) in self.folders().iter().enumerate() {
                let to = format!("{target}/{k}");
                folder.run(&["export", of, "--to", target, "-o", &to, "--function", function]).expect(0);
            }
            for (name, bytes) in folder.files(target) {
                let text = String::from_utf8(bytes).unwrap();
                let name = format!("{}: {target}/{name}", self.said);
                match target {
                    "csv" => is_table(&text, &name),
                    "json" => drop(serde_json::from_str::<serde_json::Value>(&text).unwrap()),
                    _ => assert!(is_plain(&text), "{name}: {text:?}"),
                }
                count += 1;
            }
        }
        let named = |target: &str, ending: &str| -> Vec<String> {
            let names = folder.files(target).into_iter().map(|f| f.0).filter(|n| n.ends_with(ending));
            let found: Vec<String> = names.map(|n| format!("{target}/{n}")).collect();
            assert_eq!(found.len(), self.count, "{} {target}", self.said);
            found
        };
        let all = |fixed: &[&str], names: &[String]| {
            let arguments: Vec<&str> = fixed.iter().copied().chain(names.iter().map(String::as_str)).collect();
            succeeds(folder, arguments[0], &arguments[1..]);
        };
        let strict = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-trigraphs", "-DMAGNETO_OUT_OF_RANGE", "-Ic"];
        all(&[&["cc"], &strict[..], &["-std=c99"]].concat(), &named("c", ".c"));
        all(&[&["c++"], &strict[..], &["-std=c++17", "-x", "c++"]].concat(), &named("c", ".c"));
        let modules = named("rust", ".rs");
        let modules = modules.iter().enumerate().map(|(k, m)| format!("#[cfg(test)] #[path = \"{m}\"] mod t{k};\n"));
        folder.write("lib.rs", format!("pub fn probe(x: f64) -> f64 {{ x }}\n{}", modules.collect::<String>()));
        succeeds(folder, "rustc", &["--edition=2021", "--test", "-Dwarnings", "--emit=metadata", "lib.rs"]);
        folder.write("probe.py", "def probe(x):\n    return 0.1 * x + 0.5\n");
        all(&["python3", "-W", "error", "-m", "py_compile"], &named("pytest", ".py"));
        if Command::new("python3").args(["-c", "import pytest"]).output().is_ok_and(|o| o.status.success()) {
            let quiet = ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib"];
            all(&[&quiet[..], &["--rootdir=.", "-o", "pythonpath=."]].concat(), &named("pytest", ".py"));
        }
        folder.write("ada/probe.ads", "function Probe (X : Long_Float) return Long_Float;\n");
        folder.write("ada/evil.ads", "package Evil is pragma Elaborate_Body; end Evil;\n");
        if Command::new("gnatmake").arg("--version").output().is_ok() {
            for unit in named("ada", ".adb") {
                succeeds(folder, "gnatmake", &["-q", "-f", "-c", "-gnatc", "-gnatW8", "-Iada", &unit]);
            }
            assert!(!folder.path("evil.ali").exists(), "{}", self.said);
        }
        count
    }

    /// The run in the forms of other tools: how many files.
    pub(crate) fn reports(&self) -> usize {
        let folder = self.folder;
        for (format, name) in
            [("stryker", "r.stryker"), ("sarif", "r.sarif"), ("junit", "r.xml"), ("csv", "r.csv"), ("trace", "t.csv")]
        {
            folder.run(&["report", "magneto.out", "--format", format, "-o", name]).expect(0);
        }
        for (name, schema) in [("r.stryker", "stryker.json"), ("r.sarif", "sarif.json")] {
            folder.json(name);
            if let Some(schemas) = std::env::var_os("MAGNETO_SCHEMAS") {
                let program = "import json, sys, jsonschema; a, b = (json.load(open(f)) for f in sys.argv[1:]); \
                               jsonschema.validate(a, b)";
                let schema = std::path::Path::new(&schemas).join(schema);
                succeeds(folder, "python3", &["-c", program, name, &schema.to_string_lossy()]);
            }
        }
        is_xml(folder, "r.xml");
        is_table(&folder.read("r.csv"), "summary.csv");
        is_table(&folder.read("t.csv"), "traceability.csv");
        folder.run(&["report", "magneto.out"]).expect(0);
        let pages: Vec<_> = folder.files("magneto.out").into_iter().filter(|f| f.0.ends_with(".html")).collect();
        assert!(pages.len() >= self.count, "{}: {}", self.said, pages.len());
        let names: Vec<String> = pages.iter().map(|(name, _)| format!("magneto.out/{name}")).collect();
        let arguments: Vec<&str> = ["-c", READER].into_iter().chain(names.iter().map(String::as_str)).collect();
        succeeds(folder, "python3", &arguments);
        5 + pages.len()
    }
}
