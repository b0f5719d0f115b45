//! The reader and the printer over every file of the shared data, where it is there.

use magneto::spec::{DiagnosticKind, File, parse_file, same_core};
use std::path::{Path, PathBuf};

/// The `.fpcore` files of the shared data; none where the data is absent.
fn data_files() -> Vec<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let mut folders = vec![std::env::var_os("MAGNETO_SHARED_DATA").map_or(default, PathBuf::from)];
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

fn print_all(file: &File) -> String {
    file.cores.iter().flatten().map(|core| format!("{core}\n\n")).collect()
}

#[test]
fn every_file_is_read_except_loops_and_tensors() {
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
                        let named =
                            ["`while`", "`while*`", "`for`", "`for*`", "`tensor`", "`ref`", "`size`", "`array`"];
                        let by_name = named.iter().any(|n| d.message.starts_with(n));
                        assert!(by_name || d.message == "tensor arguments are not supported", "{shown}");
                    }
                }
            }
        }
    }
    assert!(data_files().is_empty() || (usable > 700 && refused > 10), "{usable} usable, {refused} refused");
}

#[test]
fn printing_round_trips() {
    for path in data_files() {
        let file = parse_file(&std::fs::read(&path).unwrap());
        let printed = print_all(&file);
        let again = parse_file(printed.as_bytes());
        assert!(again.all_diagnostics().is_empty(), "{}: {:?}", path.display(), again.all_diagnostics());
        let (before, after): (Vec<_>, Vec<_>) =
            (file.cores.iter().flatten().collect(), again.cores.iter().flatten().collect());
        assert_eq!(before.len(), after.len());
        for (a, b) in before.iter().zip(&after) {
            assert!(same_core(a, b), "{}:\n{a}\n{b}", path.display());
        }
        assert_eq!(print_all(&again), printed, "{}", path.display());
    }
}
