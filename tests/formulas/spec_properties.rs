//! Properties that are misspelt, and precisions that are none.

use magneto::floats::Format;
use magneto::spec::{Overrides, misspelt, parse_file, resolve};

/// What is wrong with the one core of a text, with hints.
fn errors(text: &str) -> Vec<String> {
    let shown = |d: magneto::text::Diagnostic| format!("{}; {}", d.message, d.hint.unwrap_or_default());
    parse_file(text.as_bytes()).all_diagnostics().into_iter().map(shown).collect()
}

/// The warnings of a text's last core, with the text at their place and their hint.
fn warnings(text: &str) -> Vec<(String, String)> {
    let file = parse_file(text.as_bytes());
    let spec = resolve(&file, file.cores.len() - 1, "f.fpcore", &Overrides::default()).unwrap();
    let found = misspelt(&spec.core).into_iter();
    found.map(|d| (text[d.span.start..d.span.end].to_owned(), d.hint.unwrap_or_default())).collect()
}

#[test]
fn known_precisions_are_read_as_before() {
    let formats = Format::ALL.map(|f| (f.name(), f));
    let others = ["real", "binary80", "binary128", "posit32", "(posit 2 16)", "(float 15 64)"];
    let widths = ["integer", "(fixed -8 32)", "(float 8 32)", "(float 5 12)"]
        .map(|name| (name.to_owned(), Format::from_name(name).unwrap()));
    let others = others.map(|o| (o.to_owned(), Format::BINARY64));
    for (precision, format) in formats.into_iter().chain(widths).chain(others) {
        let text =
            format!("(FPCore (x (! :precision {precision} y)) :precision {precision} (! :precision {precision} x))");
        let spec = resolve(&parse_file(text.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap();
        assert_eq!((spec.result_format, spec.inputs[1].format), (format, format), "{precision}");
        assert!(misspelt(&spec.core).is_empty());
    }
}

#[test]
fn unknown_precisions_are_errors() {
    for (precision, what, hint) in [
        ("binnary32", "unknown precision `binnary32`", "did you mean `binary32`?"),
        ("binary46", "unknown precision `binary46`", "did you mean `binary64`?"),
        ("Binary32", "unknown precision `Binary32`", "did you mean `binary32`?"),
        ("binary8O", "unknown precision `binary8O`", "did you mean `binary80`?"),
        ("double", "unknown precision `double`", "did you mean `binary64`?"),
        ("float", "unknown precision `float`", "did you mean `binary32`?"),
        ("\"binary32\"", "`\"binary32\"` is a string, not a precision", "did you mean `binary32`?"),
        ("(flaot 8 32)", "unknown precision `flaot`", "did you mean `float`?"),
    ] {
        let expected = [format!("`:precision`: {what}; {hint}")];
        assert_eq!(errors(&format!("(FPCore (x) :precision {precision} x)")), expected);
        assert_eq!(errors(&format!("(FPCore ((! :precision {precision} x)) x)")), expected);
        assert_eq!(errors(&format!("(FPCore (x) (! :precision {precision} x))")), expected);
    }
    for precision in ["64", "quite-other", "()", "((float 8 32))", "(8 32)"] {
        let found = errors(&format!("(FPCore (x) :precision {precision} x)"));
        assert!(found.len() == 1 && found[0].contains("; write `binary64`"), "{found:?}");
    }
    // What defines nothing here may hold anything.
    assert!(errors("(FPCore (x) :alt (! :precision binnary32 x) :cite (:precision what) x)").is_empty());
}

#[test]
fn what_is_one_edit_from_an_essential_property_is_an_error() {
    for (key, meant) in [
        ("pr", "pre"),
        ("per", "pre"),
        ("prre", "pre"),
        ("Pre", "pre"),
        ("PRE", "pre"),
        ("precison", "precision"),
        ("percision", "precision"),
        ("precisions", "precision"),
        ("prec", "precision"),
    ] {
        let found = errors(&format!("(FPCore (x) :{key} 1 x)"));
        assert_eq!(found, [format!("unknown property `:{key}`; did you mean `:{meant}`?")]);
    }
}

#[test]
fn other_misspelt_properties_are_warned_of() {
    for (key, meant) in [
        ("nmae", "name"),
        ("naem", "name"),
        ("Name", "name"),
        ("descripton", "description"),
        ("desc", "description"),
        ("presicion", "precision"),
        ("sepc", "spec"),
        ("mathlibrary", "math-library"),
        ("math-libary", "math-library"),
        ("magento-rel-error", "magneto-rel-error"),
        ("prceison", "precision"),
    ] {
        let expected = [(format!(":{key}"), format!("did you mean `:{meant}`?"))];
        let found = warnings(&format!("(FPCore (x) :cite (:nmae) :{key} 1 x)"));
        assert_eq!(found, expected);
    }
    // In an argument, in the body, and where a core is called twice.
    assert_eq!(warnings("(FPCore ((! :ruond toZero x)) (! :nmae y x))").len(), 2);
    assert_eq!(warnings("(FPCore f (x) (! :ruond toZero x)) (FPCore (x) (+ (f x) (f 1)))").len(), 1);
}

#[test]
fn known_properties_and_those_of_tools_are_not_warned_of() {
    let keys = [
        "name",
        "description",
        "cite",
        "round",
        "overflow",
        "spec",
        "alt",
        "math-library",
        "example",
        "herbie-pre",
        "herbie-target",
        "fpbench-domain",
        "fpbench-pre-override",
        "rosa-ensuring",
        "rosa-post",
        "daisy-pre",
        "my-name",
        "test-expect",
        "type",
        "cost",
        "x",
        "q",
    ];
    for key in keys {
        assert!(warnings(&format!("(FPCore (x) :{key} 1 x)")).is_empty(), "{key}");
    }
}

#[test]
fn no_file_of_the_repository_has_a_misspelt_property() {
    let mut seen = 0;
    for folder in ["fpbench", "specs"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in std::fs::read_dir(path).unwrap().flatten().filter(|e| e.path().is_file()) {
            if entry.path().extension().is_some_and(|e| e == "fpcore") {
                let file = parse_file(&std::fs::read(entry.path()).unwrap());
                let found: Vec<_> = file.cores.iter().flatten().flat_map(misspelt).collect();
                assert!(found.is_empty(), "{}: {found:?}", entry.path().display());
                seen += file.cores.len();
            }
        }
    }
    assert!(seen > 100, "{seen} cores");
}
