//! Data flows one way: a module uses only modules that come before it in the pipeline.

use std::path::{Path, PathBuf};

/// The library's modules in the order of the pipeline.
const ORDER: [&str; 24] = [
    "num", "ops", "spec", "testfile", "tape", "oracle", "program", "csp", "solver", "equiv", "rounding", "mutate",
    "suite", "accept", "harness", "options", "record", "report", "lint", "code", "search", "reach", "bench", "lib",
];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

#[test]
fn no_module_uses_a_later_one() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let place = |name: &str| ORDER.iter().position(|m| *m == name);
    let mut wrong = Vec::new();
    let mut edges = 0;
    for file in files {
        let inside = file.strip_prefix(&src).unwrap();
        let module = inside.iter().next().unwrap().to_string_lossy().replace(".rs", "");
        // The binary stands above the library.
        let Some(own) = place(&module) else { continue };
        let text = std::fs::read_to_string(&file).unwrap();
        for line in text.lines().filter(|l| !l.trim_start().starts_with("//")) {
            for rest in line.split("crate::").skip(1) {
                let target: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let Some(other) = place(&target) else { continue };
                edges += 1;
                if other > own {
                    wrong.push(format!("{}: {module} uses {target}", inside.display()));
                }
            }
        }
    }
    assert!(edges > 100, "{edges} uses found: is this still looking at the sources?");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
