//! What DESIGN.md says of the layout: data flows one way, files do not import each other in a circle, and each foreign
//! crate is fenced in.

use magneto::num::AtMost;
use magneto::suite::{EquivalenceProof, NoTest};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The library's modules in the order of the pipeline.
const ORDER: [&str; 40] = [
    "unfit",
    "text",
    "halt",
    "tool",
    "cc",
    "threads",
    "num",
    "floats",
    "cover",
    "ops",
    "spec",
    "infix",
    "testfile",
    "tape",
    "solve",
    "points",
    "search",
    "sat",
    "decide",
    "smt",
    "oracle",
    "program",
    "csp",
    "equiv",
    "rounding",
    "mutate",
    "suite",
    "accept",
    "requirements",
    "code",
    "reach",
    "lint",
    "harness",
    "worst",
    "options",
    "record",
    "report",
    "testing",
    "bench",
    "lib",
];

/// The wings of the house, and what each room of them may not know: the other wing. Rooms that no wing has are the ground
/// floor, which knows neither, or stand above both.
const WINGS: [(&str, &[&str]); 2] = [
    ("formulas", &["oracle", "program", "csp", "equiv", "rounding", "mutate", "suite", "accept", "lint"]),
    ("code", &["code", "decide", "reach", "sat", "smt"]),
];
/// The rooms above both wings.
const ABOVE: [&str; 7] = ["harness", "worst", "options", "record", "report", "testing", "bench"];

/// Foreign crates that only some files name: a change of one of them is a change of these files.
const FENCES: &[(&str, &[&str])] = &[
    ("bumpalo", &["smt/stream.rs"]),
    ("batsat", &["sat/clauses.rs"]),
    ("cadical", &["sat/clauses.rs"]),
    ("inari", &["num/interval.rs"]),
    ("rug", &["num/mpfr.rs"]),
    ("gmp_mpfr_sys", &["num/mpfr.rs"]),
    ("core_math", &["num/", "ops/"]),
    ("pest", &["text/sexp.rs"]),
    ("pest_derive", &["text/sexp.rs"]),
    ("egg", &["equiv/rewrite/graph.rs"]),
    (
        "toml",
        &["options.rs", "options/sections.rs", "options/commands.rs", "options/implementations.rs", "requirements.rs"],
    ),
    ("toml_edit", &["accept.rs"]),
    ("libloading", &["harness/cdylib.rs", "code/host.rs", "code/compiled/machine_code.rs"]),
    ("gimli", &["cc/"]),
    ("tree_sitter", &["infix/source/"]),
    ("tree_sitter_c", &["infix/source/"]),
    ("tree_sitter_cpp", &["infix/source/"]),
    ("tree_sitter_python", &["infix/source/"]),
    ("wasmparser", &["code/"]),
    ("object", &["cc/prototype.rs", "cc/imports.rs", "cc/names.rs"]),
    ("cpp_demangle", &["cc/names.rs"]),
    ("tempfile", &["tool.rs", "requirements.rs", "code/bits/tests.rs", "code/host/tests.rs", "report/code/tests.rs"]),
    ("rustix", &["accept.rs", "tool.rs", "harness/", "record/store/", "cli/closed.rs"]),
    ("sha2", &["harness/mod.rs", "record/manifest.rs"]),
    ("quick_junit", &["report/junit.rs"]),
    ("quick_xml", &["testfile/code/junit.rs", "requirements/reqif.rs"]),
    ("calamine", &["testfile/sheet.rs"]),
    ("zip", &["requirements/archive.rs"]),
    ("maud", &["report/html/"]),
    ("plotters", &["bench/draw.rs"]),
    ("clap", &["cli/"]),
    ("clap_complete", &["cli/completions.rs"]),
    ("clap_mangen", &["cli/man.rs"]),
    ("ctrlc", &["cli/interrupt.rs"]),
    ("glob", &["cli/sources.rs"]),
    ("lsp_server", &["cli/lsp.rs", "cli/lsp/"]),
    ("gen_lsp_types", &["cli/lsp.rs", "cli/lsp/"]),
];

/// Modules in which files still import each other in circles, with how many files are in some circle at most. The numbers
/// may only fall, and a module that is not here has none.
const CIRCLES: &[(&str, usize)] = &[];

/// The most lines of a function.
const LINES: usize = 80;
/// Functions that are longer, and no longer than this. The numbers may only fall.
const LONG: &[(&str, &str, usize)] = &[];

/// The most source files that name the arc sine, as a function or as an operator: the operator, the list of all, what
/// computes it, the C function under test, and the rules and the laws that are about it.
const NAME_ASIN: usize = 6;

/// The files below `src`, with their text without comments.
fn sources() -> Vec<(String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![src.clone()];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.retain(|p| p.extension().is_some_and(|e| e == "rs"));
    files.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let code: Vec<&str> = text.lines().map(|l| l.split("//").next().unwrap_or_default()).collect();
        let name = path.strip_prefix(&src).unwrap().to_string_lossy().replace('\\', "/");
        (name, code.join("\n"))
    };
    let all: Vec<_> = files.into_iter().map(read).collect();
    assert!(all.len() > 100, "{} files: is this still looking at the sources?", all.len());
    all
}

/// The path of the module that a file is.
fn module(file: &str) -> Vec<String> {
    let mut parts: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|p| p == "mod") {
        parts.pop();
    }
    parts
}

/// Every path of a text that begins with `crate`, `super` or `self`, groups in braces one by one.
fn paths(text: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for start in ["crate::", "super::", "self::"].iter().flat_map(|w| text.match_indices(w)).map(|(at, _)| at) {
        let before = text[..start].chars().next_back();
        if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            follow(&text[start..], Vec::new(), &mut all);
        }
    }
    all
}

/// Reads one path, or a group of them, and says how many bytes it has.
fn follow(text: &str, mut path: Vec<String>, all: &mut Vec<Vec<String>>) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if let Some(inside) = trimmed.strip_prefix('{') {
            let mut k = 0;
            loop {
                let rest = inside[k..].trim_start_matches([',', ' ', '\n']);
                k = inside.len() - rest.len();
                if rest.is_empty() || rest.starts_with('}') {
                    return at + 1 + k + 1;
                }
                k += follow(rest, path.clone(), all);
                // What is no path, such as `*` or ` as _`, is passed over.
                k += inside[k..].find([',', '}']).unwrap_or(inside.len() - k);
            }
        }
        let word: String = trimmed.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        at += word.len();
        if !word.is_empty() {
            path.push(word);
        }
        if !text[at..].starts_with("::") {
            all.push(path);
            return at;
        }
        at += 2;
    }
}

/// Which files a file imports, modules above it left out: who names what is above names no file in particular.
fn imports(files: &[(String, String)]) -> BTreeMap<String, BTreeSet<String>> {
    let known: BTreeMap<Vec<String>, &str> = files.iter().map(|(name, _)| (module(name), name.as_str())).collect();
    let of = |(name, text): &(String, String)| {
        let own = module(name);
        let mut found = BTreeSet::new();
        for path in paths(text) {
            let mut at = if path[0] == "crate" { Vec::new() } else { own.clone() };
            let mut rest = path.iter().skip(usize::from(path[0] == "crate")).peekable();
            while let Some(up) = rest.next_if(|w| ["super", "self"].contains(&w.as_str())) {
                if up == "super" {
                    at.pop();
                }
            }
            for word in rest {
                let inner = [at.clone(), vec![word.clone()]].concat();
                if !known.contains_key(&inner) {
                    break;
                }
                at = inner;
            }
            if !own.starts_with(&at)
                && let Some(target) = known.get(&at)
            {
                found.insert((*target).to_owned());
            }
        }
        (name.clone(), found)
    };
    files.iter().map(of).collect()
}

/// All files that can be reached from one, by what they import.
fn reached<'a>(from: &'a str, edges: &'a BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut next = vec![from];
    while let Some(file) = next.pop() {
        next.extend(edges[file].iter().map(String::as_str).filter(|f| seen.insert(*f)));
    }
    seen
}

#[test]
fn no_module_uses_a_later_one() {
    let place = |name: &str| ORDER.iter().position(|m| *m == name);
    let top = |file: &str| module(file).first().cloned().unwrap_or_default();
    let files = sources();
    let (mut wrong, mut edges) = (Vec::new(), 0);
    for (file, targets) in imports(&files) {
        // The binary stands above the library.
        let Some(own) = place(&top(&file)) else {
            assert!(file.starts_with("cli/") || file == "main.rs", "{file} has no place in the order");
            continue;
        };
        for target in targets {
            edges += 1;
            if place(&top(&target)).is_none_or(|other| other > own) {
                wrong.push(format!("{file} uses {target}"));
            }
        }
    }
    assert!(edges > 500, "{edges} uses found: is this still looking at the sources?");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_wings_meet_above_alone() {
    let wing = |room: &str| WINGS.iter().find(|w| w.1.contains(&room)).map(|w| w.0);
    let top = |file: &str| module(file).first().cloned().unwrap_or_default();
    let (mut wrong, mut edges) = (Vec::new(), 0);
    for (file, targets) in imports(&sources()) {
        let room = top(&file);
        if !ORDER.contains(&room.as_str()) || room == "lib" || ABOVE.contains(&room.as_str()) {
            continue;
        }
        for target in targets {
            edges += 1;
            let other = top(&target);
            let is_wrong = match (wing(&room), wing(&other)) {
                (_, None) => ABOVE.contains(&other.as_str()),
                (own, other) => own != other,
            };
            if is_wrong {
                wrong.push(format!("{file} uses {target}"));
            }
        }
    }
    assert!(edges > 300, "{edges} uses found: is this still looking at the sources?");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_import_each_other_in_no_circle() {
    let files = sources();
    let edges = imports(&files);
    let mut circles: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for file in edges.keys().filter(|f| reached(f, &edges).contains(f.as_str())) {
        circles.entry(module(file)[0].clone()).or_default().push(file);
    }
    for (room, found) in &circles {
        let most = CIRCLES.iter().find(|c| c.0 == room).map_or(0, |c| c.1);
        assert!(found.len() <= most, "{room}: {} files in circles, at most {most} were: {found:?}", found.len());
    }
    let total: usize = circles.values().map(Vec::len).sum();
    println!("{total} files are in circles: {circles:?}");
}

#[test]
fn foreign_crates_are_fenced() {
    let files = sources();
    for (name, allowed) in FENCES {
        let names = |text: &str| {
            text.match_indices(&format!("{name}::")).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || "_:`\"./".contains(c))
            })
        };
        let found: Vec<&str> = files.iter().filter(|(_, text)| names(text)).map(|(file, _)| file.as_str()).collect();
        assert!(!found.is_empty(), "nobody uses {name}");
        let outside: Vec<&&str> = found.iter().filter(|f| !allowed.iter().any(|a| f.starts_with(a))).collect();
        assert!(outside.is_empty(), "{name} is for {allowed:?} alone, and stands in {outside:?}");
    }
}

/// Programs of others are started in one place, which sees to it that none outlives this one; but what opens a report for
/// a person does.
#[test]
fn programs_are_started_in_one_place() {
    let starts = |text: &str| [".spawn()", ".output()"].iter().any(|call| text.contains(call));
    let is_test = |file: &str| file.ends_with("tests.rs") || file == "code/sets/sample.rs";
    let files = sources();
    let found: Vec<&str> =
        files.iter().filter(|(f, text)| !is_test(f) && starts(text)).map(|(f, _)| f.as_str()).collect();
    assert_eq!(found, ["cli/report.rs", "tool.rs"]);
}

/// The reading of paths that the others rest on.
#[test]
fn paths_are_read() {
    let read = |text: &str| paths(text).iter().map(|p| p.join(" ")).collect::<Vec<_>>();
    assert_eq!(
        read("use crate::a::{b, c::{d, e}, self};"),
        ["crate a b", "crate a c d", "crate a c e", "crate a self"]
    );
    assert_eq!(read("let x = super::super::f(crate::g);"), ["crate g", "super super f"]);
    assert_eq!(read("use mycrate::a; use crate::x::*; use crate::y as z;"), ["crate x", "crate y"]);
}

/// DESIGN.md has one line for every module, and names none that is not there.
#[test]
fn the_design_page_names_every_module() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("DESIGN.md")).unwrap();
    let named: Vec<&str> = page.lines().filter_map(|l| l.strip_prefix("| `")?.split_once("` |")).map(|l| l.0).collect();
    for room in ORDER.iter().filter(|m| **m != "lib") {
        assert_eq!(named.iter().filter(|n| *n == room).count(), 1, "DESIGN.md has one line for `{room}`");
    }
    for file in page.split('`').filter(|word| word.starts_with("src/") || word.starts_with("tests/")) {
        assert!(
            Path::new(env!("CARGO_MANIFEST_DIR")).join(file).exists(),
            "DESIGN.md names {file}, which is not there"
        );
    }
    let guide = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CONTRIBUTING.md")).unwrap();
    let ours = |word: &&str| ["src/", "tests/", "specs/", "fpbench/", "benches/"].iter().any(|f| word.starts_with(f));
    for file in guide.split('`').filter(ours) {
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(file).exists(), "CONTRIBUTING.md names {file}: not there");
    }
}

/// The functions of a text: name, and how many lines each has.
fn functions(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let body = line.trim_start();
        let words: Vec<&str> = body.split_whitespace().collect();
        let Some(at) = words.iter().position(|w| *w == "fn") else { continue };
        let is_item = words[..at]
            .iter()
            .all(|w| w.starts_with("pub") || ["const", "unsafe", "async", "crate)", "super)"].contains(w));
        // A declaration has no body.
        let head_ends = lines[start..].iter().find(|l| l.ends_with(['{', '}', ';']));
        if !is_item || head_ends.is_some_and(|l| l.ends_with(';')) {
            continue;
        }
        let end = format!("{}}}", &line[..line.len() - body.len()]);
        let length = if line.ends_with('}') {
            1
        } else {
            1 + lines[start..].iter().skip(1).position(|l| *l == end).unwrap_or(0) + 1
        };
        let name: String =
            words.get(at + 1).map_or("", |w| w).chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        found.push((name, length));
    }
    found
}

#[test]
fn functions_are_short() {
    let mut long = Vec::new();
    let mut count = 0;
    for (file, text) in sources() {
        for (name, length) in functions(&text) {
            count += 1;
            let most = LONG.iter().find(|l| l.0 == file && l.1 == name).map_or(LINES, |l| l.2);
            if length > most {
                long.push(format!("{file}: {name} has {length} lines, at most {most} are"));
            }
        }
    }
    assert!(count > 1000, "{count} functions found: is this still looking at the sources?");
    assert!(long.is_empty(), "{}", long.join("\n"));
    let text = "    fn one(x: u8) -> u8 { x }\npub(super) fn two() {\n    a();\n}\n    fn three(\n    );\n";
    assert_eq!(functions(text), [("one".to_owned(), 1), ("two".to_owned(), 3)]);
}

/// The public types of a text.
fn types(text: &str) -> Vec<&str> {
    let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
    let public = text.lines().filter_map(|l| l.trim_start().strip_prefix("pub "));
    let named = public.filter_map(|l| kinds.iter().find_map(|kind| l.strip_prefix(kind)));
    // A macro's type has no name of its own.
    let names = named.filter_map(|l| l.split(|c: char| !c.is_alphanumeric() && c != '_').next());
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn public_types_have_names_of_their_own() {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for (_, text) in sources().iter().filter(|(file, _)| !file.starts_with("cli/")) {
        types(text).into_iter().for_each(|name| *count.entry(name.to_owned()).or_default() += 1);
    }
    assert!(count.len() > 400, "{} types found: is this still looking at the sources?", count.len());
    let wrong: Vec<_> = count.iter().filter(|(_, n)| **n > 1).collect();
    assert!(wrong.is_empty(), "several types have these names: {wrong:?}");
    assert_eq!(
        types("pub struct A<T>(T);\n    pub enum B {\n pub fn c() {}\nstruct D;\npub type E = A;"),
        ["A", "B", "E"]
    );
}

/// The public functions of a text that take several things as one parameter without a name for what they are together.
fn packing(text: &str) -> Vec<&str> {
    // The length of an array has a semicolon before it as well.
    let signature = |at: usize| text[at + 7..].split('{').next().and_then(|s| s.split(";\n").next()).unwrap_or("");
    let signatures = text.match_indices("pub fn ").map(|(at, _)| signature(at));
    let packs = |signature: &str| {
        let types =
            [": (", ": &("].map(|start| signature.match_indices(start).map(|(at, w)| &signature[at + w.len()..]));
        types.into_iter().flatten().any(|inside| !inside.starts_with("dyn ") && !inside.starts_with("impl "))
    };
    signatures.filter(|s| packs(s)).filter_map(|s| s.split(['(', '<']).next()).collect()
}

#[test]
fn no_public_function_takes_a_tuple() {
    let all = sources();
    let found: Vec<_> = all.iter().flat_map(|(file, text)| packing(text).into_iter().map(move |f| (file, f))).collect();
    assert!(found.is_empty(), "give these their own parameters, or a type: {found:?}");
    let text = "pub fn a((x, y): (u8, u8)) {}\npub fn b(x: &(u8, u8));\npub fn c(f: &(dyn Fn(u8) + Sync)) -> (u8, u8) {}\n\
                fn d(x: (u8, u8)) {}\npub fn e<F: Fn((u8, u8))>(x: [u8; 2]) {}\n\
                pub fn f(x: [u8; 2], y: (u8, u8));\n";
    assert_eq!(packing(text), ["a", "b", "f"]);
}

/// What an operator is stands with the operator: a rule elsewhere asks for its shape.
#[test]
fn an_operator_is_named_in_few_files() {
    let names = |text: &str| {
        let text = text.to_lowercase();
        text.match_indices("asin").any(|(at, word)| {
            let beside = [text[..at].chars().next_back(), text[at + word.len()..].chars().next()];
            !beside.iter().flatten().any(|c| c.is_alphanumeric() || *c == '_')
        })
    };
    let found: Vec<String> = sources().into_iter().filter(|(_, text)| names(text)).map(|(file, _)| file).collect();
    assert!((2..=NAME_ASIN).contains(&found.len()), "{found:?}");
}

#[test]
fn errors_that_leave_a_module_are_no_sentences() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut results = 0;
    for (file, text) in sources() {
        if file.starts_with("cli/") || file == "main.rs" {
            continue;
        }
        let text = text.replace('\n', " ");
        for (at, _) in text.match_indices("pub fn ") {
            let signature = text[at..].split(['{', ';']).next().unwrap_or_default();
            let result = signature.split_once("-> Result<").map(|r| r.1);
            results += usize::from(result.is_some());
            if result.is_some_and(|r| r.trim_end().ends_with(", String>")) {
                let name = signature[7..].split(['(', '<']).next().unwrap_or_default();
                found.entry(module(&file)[0].clone()).or_default().push(format!("{file}: {name}"));
            }
        }
    }
    assert!(results > 50, "{results} functions found: is this still looking at the sources?");
    assert!(found.is_empty(), "{found:#?}");
}

/// DESIGN.md says where the table of steps is, and no step settles what another one does.
#[test]
fn every_step_has_its_place() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("DESIGN.md")).unwrap();
    assert!(page.contains("`STEPS` in `src/suite/steps.rs`"));
    let steps = &magneto::suite::steps::STEPS;
    let names: BTreeSet<&str> = steps.iter().map(|s| s.name).collect();
    assert_eq!(names.len(), steps.len(), "two steps with one name");
    let proofs = [
        EquivalenceProof::SameExpression,
        EquivalenceProof::SameOnDomain,
        EquivalenceProof::SameInputs,
        EquivalenceProof::ResponseNotTold,
        EquivalenceProof::Cover { boxes: 1, worst: AtMost(0.0) },
        EquivalenceProof::NoTest(NoTest::default()),
        EquivalenceProof::Near { boxes: 1 },
        EquivalenceProof::Bounded { bound: AtMost(1.0), strict: false, boxes: 1 },
        EquivalenceProof::MeetsAccuracy { boxes: 1, worst: AtMost(0.0), library: None },
        EquivalenceProof::EmptyRegion { boxes: 1 },
        EquivalenceProof::NeverReaches { boxes: 1 },
    ];
    for proof in &proofs {
        assert_eq!(steps.iter().filter(|s| (s.proves)(proof)).count(), 1, "{proof:?}");
    }
}
