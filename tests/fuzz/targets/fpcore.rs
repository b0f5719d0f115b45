//! The reader of FPCore: what it reads and resolves is written back, and means the same when it is read again.

#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target, fuzzer_mutate};
use magneto::spec::core::Core;
use magneto::spec::{Overrides, parse_file, resolve, same_core};

/// The core that a text of one core is.
fn read(text: &str) -> Core {
    let mut file = parse_file(text.as_bytes());
    assert!(file.diagnostics.is_empty() && file.cores.len() == 1, "{text} is not read: {:?}", file.diagnostics);
    file.cores.remove(0).unwrap_or_else(|wrong| panic!("{text} is not read: {wrong:?}"))
}

fuzz_target!(|source: &[u8]| {
    let file = parse_file(source);
    for diagnostic in &file.diagnostics {
        let _ = diagnostic.render("source.fpcore", source);
    }
    // Loops are written out; a few thousand iterations of some say nothing that fewer do not.
    let overrides = Overrides { max_iterations: Some(100), ..Overrides::default() };
    for (index, core) in file.cores.iter().enumerate() {
        // One of several results has no text of its own.
        if let Ok(core) = core
            && core.element.is_empty()
        {
            for text in [core.to_string(), core.one_line()] {
                assert!(same_core(core, &read(&text)), "{core} is read as another core");
            }
        }
        let spec = match resolve(&file, index, "source.fpcore", &overrides) {
            Ok(spec) => spec,
            Err(diagnostics) => {
                for diagnostic in diagnostics {
                    let _ = diagnostic.render("source.fpcore", source);
                }
                continue;
            }
        };
        let text = spec.to_core().to_string();
        let again = resolve(&parse_file(text.as_bytes()), 0, "source.fpcore", &overrides);
        let again = again.unwrap_or_else(|e| panic!("{text} is no specification: {e:?}"));
        assert_eq!((&spec.accuracy, spec.out_of_range), (&again.accuracy, again.out_of_range), "{text}");
        assert_eq!(spec.inputs, again.inputs, "{text}");
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    magneto_fuzz::mutate(&mut data[..max_size], size, seed, |data, size| fuzzer_mutate(data, size, max_size))
});

fuzz_crossover!(|data1: &[u8], data2: &[u8], out: &mut [u8], seed: u32| {
    magneto_fuzz::cross(data1, data2, out, seed)
});
