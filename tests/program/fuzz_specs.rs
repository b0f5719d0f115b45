//! Specifications changed at random: whatever the text is, the program ends with the exit code that it deserves, without a
//! panic. MAGNETO_LONG asks for 10,000 of them.

use crate::cli_support::{Ended, Folder};
use crate::support::rng::Rng;
use magneto::spec::{Overrides, parse_file, resolve};
use std::path::Path;

/// What is put into a text, beside pieces of other texts.
const PIECES: [&str; 40] = [
    "(",
    ")",
    "[",
    "]",
    "\"",
    "\\",
    ";",
    "#",
    ":",
    "(FPCore (x) x)",
    "nan",
    "inf",
    "-inf",
    "1e999999999",
    "-0",
    "0x1p-1074",
    "1/0",
    "(/ 0 0)",
    "PI",
    "TRUE",
    ":pre",
    ":precision",
    "binary16",
    "real",
    ":magneto-rel-error",
    ":magneto-ulps",
    "(! :x y)",
    "let*",
    "while",
    "(if (< x 0) x)",
    "(pow 0 -1)",
    "(lgamma -1)",
    "(fmod 1 0)",
    "(tanh 1e9)",
    "\u{0}",
    "\u{2028}",
    "\u{feff}",
    "\u{d7ff}",
    "(digits 1 2 3)",
    "(- 1e-320)",
];

/// The texts that are changed.
fn texts() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["specs", "fpbench", "fpbench/paper"].map(|f| std::fs::read_dir(root.join(f)).unwrap());
    let mut paths: Vec<_> = folders.into_iter().flatten().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "fpcore"));
    paths.sort();
    // One core each, so that a change is near the rest of what is read.
    let cores = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let ends = text.match_indices("\n(FPCore").map(|(at, _)| at + 1).chain([text.len()]);
        let mut start = 0;
        let pieces: Vec<_> =
            ends.map(|end| text.as_bytes()[std::mem::replace(&mut start, end)..end].to_vec()).collect();
        pieces
    };
    paths.iter().flat_map(cores).filter(|t| t.len() < 5000).collect()
}

/// A text with some changes: bytes, pieces, other texts' parts, swaps, repetitions, and what is cut off.
fn changed(texts: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut text = rng.pick(texts).clone();
    let most = 1 + rng.below(4);
    for _ in 0..1 + rng.below(most) {
        let at = rng.below(text.len() + 1);
        let longest = 1 << rng.below(7);
        let length = 1 + rng.below(longest);
        let end = (at + length).min(text.len());
        match rng.below(8) {
            0 => drop(text.splice(at..end, [])),
            1 => drop(text.splice(at..at, rng.pick(&PIECES).bytes())),
            2 => drop(text.splice(at..end, rng.pick(&PIECES).bytes())),
            3 => drop(text.splice(at..at, [rng.bits() as u8])),
            4 => {
                let other = rng.pick(texts);
                let from = rng.below(other.len());
                let to = (from + length).min(other.len());
                text.splice(at..at, other[from..to].iter().copied());
            }
            5 => {
                let piece = text[at..end].to_vec();
                let times = 1 + rng.below(3);
                text.splice(at..at, piece.repeat(times));
            }
            6 if at < text.len() => text[at] ^= 1 << rng.below(8),
            6 => {}
            _ => {
                // A digit becomes another one, or a sign.
                if let Some(digit) = text.iter().skip(at).position(u8::is_ascii_digit) {
                    text[at + digit] = *rng.pick(b"0123456789-e./");
                }
            }
        }
    }
    text
}

/// Whether every core of a text is a specification.
fn is_good(text: &[u8]) -> bool {
    let file = parse_file(text);
    let cores = 0..file.cores.len();
    file.diagnostics.is_empty()
        && !file.cores.is_empty()
        && cores.into_iter().all(|k| resolve(&file, k, "f.fpcore", &Overrides::default()).is_ok())
}

/// Runs the program on some texts; how many of them were specifications.
fn attack(seed: u64, count: usize) -> usize {
    let (texts, mut rng) = (texts(), Rng(seed));
    let folder = Folder::new();
    let mut good = 0;
    for k in 0..count {
        let text = changed(&texts, &mut rng);
        folder.write("f.fpcore", &text);
        let shown = || format!("seed {seed}, text {k}:\n{}", String::from_utf8_lossy(&text));
        let wanted = if is_good(&text) { 0 } else { 2 };
        good += usize::from(wanted == 0);
        // What one core has costs least; what a run does as well is tried now and then.
        let run = |arguments: &[&str]| -> Ended { folder.run(arguments) };
        let listed =
            run(&["gen", "f.fpcore", "--operators", "constant", "--budget", "2", "--no-proofs", "-q", "--force"]);
        // That there is no input to test is found out by a search, not by reading.
        let is_empty =
            wanted == 0 && listed.code == Some(2) && ["no value", "no input"].iter().any(|w| listed.err.contains(w));
        let wanted = if is_empty { 2 } else { wanted };
        let codes: &[i32] = if wanted == 0 { &[0, 3] } else { &[2] };
        assert!(listed.code.is_some_and(|c| codes.contains(&c)), "{:?} {}\n{}", listed.code, listed.err, shown());
        let says = if wanted == 0 { !listed.err.contains("error:") } else { listed.err.starts_with("error:") };
        assert!(says, "{}\n{}", listed.err, shown());
        // A message is no place for what a terminal obeys.
        let obeyed = |c: char| c.is_control() && c != '\n';
        assert!(!listed.err.contains(obeyed), "{:?}\n{}", listed.err, shown());
        if wanted == 0 {
            let report = run(&["report", "magneto.out", "--format", "junit", "-o", "-"]);
            assert_eq!(report.code, Some(0), "{}\n{}", report.err, shown());
            std::fs::remove_dir_all(folder.path("magneto.out")).unwrap();
        }
    }
    good
}

#[test]
fn no_text_ends_the_program_in_a_wrong_way() {
    let count = if std::env::var_os("MAGNETO_LONG").is_some() { 5000 } else { 40 };
    let good: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = [1, 2].map(|seed| scope.spawn(move || attack(seed, count))).into_iter().collect();
        threads.into_iter().map(|t| t.join().unwrap()).sum()
    });
    println!("{} texts, {good} of them specifications", 2 * count);
    assert!(good > count / 10 && good < 2 * count);
}
