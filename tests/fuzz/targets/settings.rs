//! Files that people write beside specifications: options, decisions, requirements. The first byte says which.

#![no_main]

use libfuzzer_sys::fuzz_target;
use magneto::options::Settings;
use magneto::requirements::Requirements;
use magneto::{accept, cc};
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    if let name @ ("r.csv" | "r.reqif" | "r.toml") = ["r.csv", "r.reqif", "r.toml", ""][usize::from(*first) % 4] {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder");
        let path = folder.path().join(name);
        std::fs::write(&path, rest).expect("a file");
        let _ = Requirements::read(&path);
        return;
    }
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let mut settings = Settings::default();
    match settings.read_toml(text, Path::new("magneto.toml")) {
        Ok(()) => {
            let _ = (settings.recorded(), settings.fingerprint());
        }
        Err(wrong) => wrong.iter().for_each(|d| _ = d.render("magneto.toml", rest)),
    }
    match accept::read(text) {
        Ok(entries) => {
            for entry in &entries {
                // What is added is there afterwards, unless it is there already.
                let other = accept::Entry { mutant: format!("{}+", entry.mutant), ..entry.clone() };
                let _ = accept::read(&accept::added(text, &other));
            }
            let all: Vec<usize> = (0..entries.len()).collect();
            let none = accept::removed(text, &all).expect("entries that were read");
            assert_eq!(accept::read(&none), Ok(Vec::new()));
        }
        Err(wrong) => wrong.iter().for_each(|d| _ = d.render(accept::NAME, rest)),
    }
    let _ = cc::declaration::parse(text, 8);
});
