//! Test files of all forms that people have. The first byte says which form the name of the file has.

#![no_main]

use libfuzzer_sys::fuzz_target;
use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::testfile::{Layout, Reader};
use std::sync::OnceLock;

const NAMES: [&str; 9] = ["t.csv", "t.json", "t.py", "t.c", "t.cpp", "t.xml", "t.txt", "t.xlsx", "t.ods"];

fn spec() -> &'static Spec {
    static SPEC: OnceLock<Spec> = OnceLock::new();
    SPEC.get_or_init(|| {
        let text = "(FPCore f ((! :precision binary32 x) y) :pre (and (<= -4 x 4) (<= 0 y 1)) (+ x (* y y)))";
        resolve(&parse_file(text.as_bytes()), 0, "f.fpcore", &Overrides::default()).expect("a specification")
    })
}

fuzz_target!(|bytes: &[u8]| {
    let Some((first, text)) = bytes.split_first() else { return };
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder");
    let path = folder.path().join(NAMES[usize::from(*first) % NAMES.len()]);
    std::fs::write(&path, text).expect("a file");
    let layout = Layout { strict: *first >= 128, ..Layout::default() };
    let Ok(mut reader) = Reader::open_as(&path, spec(), layout) else { return };
    let mut count = 0;
    for record in reader.by_ref().flatten() {
        assert_eq!(record.input.len(), 2);
        assert!(record.input.iter().all(|x| x.is_finite()), "{record:?}");
        assert!(f64::from(record.input[0] as f32) == record.input[0], "{record:?}");
        count += 1;
    }
    assert!(count <= text.len(), "{count} tests of {} bytes", text.len());
    let _ = reader.notes();
});
