//! The reader and the printer over every specification of this repository, and over those of the shared data where it is
//! there, which have loops and tensors too.

use magneto::spec::core::Core;
use magneto::spec::{File, Overrides, parse_file, resolve, same_core, same_expr};
use magneto::text::DiagnosticKind;
use std::path::{Path, PathBuf};

/// The shared data.
fn shared() -> PathBuf {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    std::env::var_os("MAGNETO_SHARED_DATA").map_or(default, PathBuf::from)
}

/// The `.fpcore` files of this repository and of the shared data.
fn data_files() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        ["fpbench", "specs", "src"].map(|name| Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).to_vec();
    folders.push(shared());
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "fpcore") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The cores with one result: those of several are printed as specifications alone.
fn single(file: &File) -> Vec<&Core> {
    file.cores.iter().flatten().filter(|core| core.element.is_empty()).collect()
}

fn print_all(file: &File) -> String {
    single(file).iter().map(|core| format!("{core}\n\n")).collect()
}

#[test]
fn every_file_is_read_except_what_is_not_supported() {
    let (mut usable, mut refused) = (0, 0);
    for path in data_files() {
        let source = std::fs::read(&path).unwrap();
        let file = parse_file(&source);
        assert_eq!(file.diagnostics, [], "{}", path.display());
        for core in &file.cores {
            match core {
                Ok(_) => usable += 1,
                Err(diagnostics) => {
                    refused += 1;
                    for d in diagnostics {
                        let shown = d.render(&path.display().to_string(), &source);
                        assert_eq!(d.kind, DiagnosticKind::Unsupported, "{shown}");
                        let known = ["how many results there are"];
                        assert!(known.iter().any(|n| d.message.starts_with(n)), "{shown}");
                    }
                }
            }
        }
    }
    assert!(usable > 200, "{usable} usable");
    assert!(!shared().is_dir() || usable > 700, "{usable} usable, {refused} refused");
}

#[test]
fn printing_round_trips() {
    for path in data_files() {
        let file = parse_file(&std::fs::read(&path).unwrap());
        let printed = print_all(&file);
        let again = parse_file(printed.as_bytes());
        assert!(again.all_diagnostics().is_empty(), "{}: {:?}", path.display(), again.all_diagnostics());
        let (before, after) = (single(&file), single(&again));
        assert_eq!(before.len(), after.len());
        for (a, b) in before.iter().zip(&after) {
            assert!(same_core(a, b), "{}:\n{a}\n{b}", path.display());
        }
        assert_eq!(print_all(&again), printed, "{}", path.display());
    }
}

#[test]
fn every_readable_core_resolves_and_its_core_resolves_alike() {
    let mut resolved = 0;
    for path in data_files() {
        let file = parse_file(&std::fs::read(&path).unwrap());
        let name = path.display().to_string();
        for (k, core) in file.cores.iter().enumerate() {
            let Ok(core) = core else { continue };
            let spec = match resolve(&file, k, &name, &Overrides::default()) {
                Ok(spec) => spec,
                Err(diagnostics) => {
                    // The conformance files hold bodies that are conditions, FPBench's loops without a known number of
                    // rounds, and nothing else is refused.
                    let known = [
                        "the body is a condition; a specification returns a number",
                        "how often this loop goes round",
                        "the loops go round more than",
                        "with its loops written out the formula has more than",
                        "this loop never ends",
                    ];
                    assert_eq!(diagnostics.len(), 1, "{name}:\n{core}");
                    assert!(known.iter().any(|k| diagnostics[0].message.starts_with(k)), "{name}:\n{core}");
                    continue;
                }
            };
            resolved += 1;
            let printed = spec.to_core().to_string();
            let again = parse_file(printed.as_bytes());
            let again = resolve(&again, 0, &name, &Overrides::default()).unwrap();
            assert_eq!(again.inputs, spec.inputs, "{printed}");
            assert_eq!(again.accuracy, spec.accuracy, "{printed}");
            assert_eq!(again.constraints.len(), spec.constraints.len(), "{printed}");
            assert!(again.constraints.iter().zip(&spec.constraints).all(|(a, b)| same_expr(a, b)), "{printed}");
            assert!(same_expr(&again.core.body, &spec.core.body), "{printed}");
            assert!(same_core(&again.to_core(), &spec.to_core()), "{printed}");
        }
    }
    assert!(resolved > 200, "{resolved}");
    assert!(!shared().is_dir() || resolved > 500, "{resolved}");
}

/// A small generator of pseudo-random numbers, the same ones on every run.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n.max(1)
    }
}

/// Reads, renders, prints and resolves whatever it is given.
fn exercise(source: &[u8]) {
    let file = parse_file(source);
    for diagnostic in file.all_diagnostics() {
        let shown = diagnostic.render("fuzz", source);
        assert!(shown.lines().all(|l| l.chars().count() < 400), "{shown}");
    }
    for (k, core) in file.cores.iter().enumerate() {
        let Ok(core) = core else { continue };
        let again = parse_file(core.to_string().as_bytes());
        if let [Ok(again)] = again.cores.as_slice() {
            assert!(same_core(core, again), "{core}");
        }
        match resolve(&file, k, "fuzz", &Overrides::default()) {
            Ok(spec) => drop(spec.to_core().to_string()),
            Err(diagnostics) => diagnostics.iter().for_each(|d| drop(d.render("fuzz", source))),
        }
    }
}

#[test]
fn mutilated_files_never_panic() {
    let mut random = Lcg(1);
    let pieces: [&[u8]; 24] = [
        b"(",
        b")",
        b"[",
        b"]",
        b"\"",
        b";",
        b"#",
        b"\\",
        b"\n(FPCore (x) ",
        b":pre ",
        b":",
        b"!",
        b"let ",
        b"let* ",
        b"x",
        b"1e9",
        b"0x",
        b"/",
        b"PI",
        b" (digits 1 2 3) ",
        b"\xff",
        "θ".as_bytes(),
        b"(if TRUE ",
        b":magneto-rel-error ",
    ];
    let mut texts: Vec<Vec<u8>> = data_files().iter().map(|p| std::fs::read(p).unwrap()).collect();
    texts.push(
        b"(FPCore f (x (! :precision binary32 y)) :name \"n\" :pre (and (< 0 x (* 2 PI)) (<= 1 (fabs y) 3))\n \
          :magneto-ulps (2 binary32) :magneto-inputs ((x binary32)) (let* ([a (+ x #1)]) (if (< a 1) (sqrt a) y)))\n\
          (FPCore (z) (f z 0x1.8p+1))"
            .to_vec(),
    );
    for round in 0..400 {
        let whole = &texts[(texts.len() - 1).min(random.below(2 * texts.len()))];
        // A window of the file, so that a round is quick.
        let start = random.below(whole.len());
        let mut text = whole[start..(start + 1500).min(whole.len())].to_vec();
        if round % 2 == 0 {
            text = texts[texts.len() - 1].clone();
        }
        for _ in 0..=random.below(6) {
            let at = random.below(text.len());
            match random.below(4) {
                0 => drop(text.drain(at..(at + random.below(20)).min(text.len()))),
                1 => drop(text.splice(at..at, pieces[random.below(pieces.len())].iter().copied())),
                2 => {
                    let from = random.below(text.len());
                    let piece = text[from..(from + random.below(40)).min(text.len())].to_vec();
                    drop(text.splice(at..at, piece));
                }
                _ => {
                    if let Some(byte) = text.get_mut(at) {
                        *byte = u8::try_from(random.below(256)).unwrap();
                    }
                }
            }
        }
        exercise(&text);
    }
}

#[test]
fn garbage_never_panics() {
    const SOUP: &[u8] = b"(()[]) FPCorex:\"#;+-*/.0123456789e \n!";
    let mut random = Lcg(7);
    for round in 0..300 {
        let length = random.below(300);
        let limit = if round % 2 == 0 { 256 } else { 128 };
        let text: Vec<u8> = (0..length).map(|_| u8::try_from(random.below(limit)).unwrap()).collect();
        exercise(&text);
        let soup: Vec<u8> = (0..length).map(|_| SOUP[random.below(SOUP.len())]).collect();
        exercise(&soup);
    }
}
