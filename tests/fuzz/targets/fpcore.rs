//! The reader of FPCore: what it reads and resolves is written back, and means the same when it is read again.

#![no_main]

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target, fuzzer_mutate};
use magneto::spec::core::Core;
use magneto::spec::{Overrides, parse_file, resolve, same_core};

/// The last core of a text, which calls those before it.
fn read(text: &str) -> Core {
    let mut file = parse_file(text.as_bytes());
    assert!(file.diagnostics.is_empty(), "{text} is not read: {:?}", file.diagnostics);
    file.cores.pop().and_then(Result::ok).unwrap_or_else(|| panic!("{text} is not read"))
}

fuzz_target!(|source: &[u8]| {
    let file = parse_file(source);
    for diagnostic in &file.diagnostics {
        let _ = diagnostic.render("source.fpcore", source);
    }
    // Loops are written out; a few thousand iterations of some say nothing that fewer do not.
    let overrides = Overrides { max_iterations: Some(100), ..Overrides::default() };
    // One of several results has no text of its own, so that nothing is read after it.
    let mut earlier = Some(String::new());
    for (index, core) in file.cores.iter().enumerate() {
        if let Ok(core) = core {
            earlier = earlier.filter(|_| core.element.is_empty());
            for text in [core.to_string(), core.one_line()] {
                if let Some(earlier) = &earlier {
                    assert!(same_core(core, &read(&format!("{earlier}{text}"))), "{core} is read as another core");
                }
            }
            earlier = earlier.map(|earlier| earlier + &core.one_line() + "\n");
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
