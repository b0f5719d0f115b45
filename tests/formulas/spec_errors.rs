//! What a person sees of a mistake.

use magneto::spec::{Overrides, parse_file, resolve};

/// Everything that is wrong with a text, as rendered.
fn report(text: &str) -> String {
    let file = parse_file(text.as_bytes());
    let mut all = file.all_diagnostics();
    for k in 0..file.cores.len() {
        if file.cores[k].is_ok() {
            all.extend(resolve(&file, k, "f.fpcore", &Overrides::default()).err().into_iter().flatten());
        }
    }
    all.iter().map(|d| d.render("f.fpcore", text.as_bytes())).collect()
}

#[test]
fn snapshots() {
    let cases: &[(&str, &str)] = &[
        (
            "(FPCore (x)\n  (sqrtt x))",
            "error: f.fpcore:2:4: unknown operator `sqrtt`\n      (sqrtt x))\n       ^^^^^\nhint: did you mean `sqrt`?\n",
        ),
        (
            "(FPCore (x) (ln x))",
            "error: f.fpcore:1:14: unknown operator `ln`\n    (FPCore (x) (ln x))\n                 ^^\nhint: did you mean `log`?\n",
        ),
        (
            "(FPCore (radius) (* 2 PI raduis))",
            "error: f.fpcore:1:26: unbound variable `raduis`\n    (FPCore (radius) (* 2 PI raduis))\n                             ^^^^^^\nhint: did you \
             mean `radius`?\n",
        ),
        (
            "(FPCore (x)\n\t(+ x 0.6931f0))",
            "error: f.fpcore:2:7: `0.6931f0` is not a number\n     (+ x 0.6931f0))\n          ^^^^^^^^\nhint: numbers are written `-1.5`, `1e-10`, `1/3` or `0x1.8p-3`\n",
        ),
        (
            "(FPCore (x) 1e-1O)",
            "error: f.fpcore:1:13: `1e-1O` is not a number\n    (FPCore (x) 1e-1O)\n                ^^^^^\nhint: did you mean `1e-10`?\n",
        ),
        (
            "(FPCore (x) 1e999999999)",
            "error: f.fpcore:1:13: the exponent of `1e999999999` is too large\n    (FPCore (x) 1e999999999)\n                ^^^^^^^^^^^\n",
        ),
        (
            "(FPCore (θ x) (pow x))",
            "error: f.fpcore:1:15: `pow` takes 2 operands, not 1\n    (FPCore (θ x) (pow x))\n                  ^^^^^^^\nhint: write `(pow x y)`\n",
        ),
        (
            "(FPCore (n) (for ([i n])\n ([s 0 (+ s i)]) s))",
            "error: f.fpcore:1:22: this must be a natural number that depends on no input\n    (FPCore (n) (for ([i n])\n                         ^\nhint: write a number, or a variable of a `let` that is one\n",
        ),
        (
            "(FPCore (x x) x)",
            "error: f.fpcore:1:12: two arguments are named `x`\n    (FPCore (x x) x)\n               ^\n",
        ),
        (
            "(FPCore (x) :pre x x)",
            "error: f.fpcore:1:18: expected a condition, but `x` is a number\n    (FPCore (x) :pre x x)\n                     ^\n",
        ),
        (
            "(FPCore (x) :magneto-relerror 1e-3 x)",
            "error: f.fpcore:1:13: unknown property `:magneto-relerror`\n    (FPCore (x) :magneto-relerror 1e-3 x)\n                \
             ^^^^^^^^^^^^^^^^^\nhint: did you mean `:magneto-rel-error`?\n",
        ),
        (
            "(FPCore (x)\n :pre (and (<= 0 x 5)\n           (<= 2 x 1)) x)",
            "error: f.fpcore:3:12: the domain is empty: `x` would have to be at least 2 and at most 1\n               (<= 2 x 1)) x)\n               \
             ^^^^^^^^^^\nhint: the smaller bound comes first, as in `(<= 1 x 2)`\n",
        ),
        (
            "(FPCore (x) :magneto-ulps (2 binary46) x)",
            "error: f.fpcore:1:30: `:magneto-ulps`: unknown format `binary46`\n    (FPCore (x) :magneto-ulps (2 binary46) x)\n                                 \
             ^^^^^^^^\nhint: did you mean `binary64`?\n",
        ),
        (
            "(FPCore (x) :magneto-rel-error -1 x)",
            "error: f.fpcore:1:32: `:magneto-rel-error`: an error bound must be positive, not -1\n    (FPCore (x) :magneto-rel-error -1 x)\n                                   \
             ^^\n",
        ),
        (
            "(FPCore (x) (+ x 1)",
            "error: f.fpcore:1:1: this `(` is never closed\n    (FPCore (x) (+ x 1)\n    ^\nhint: one is still open at the end of the \
             text\n",
        ),
        (
            "(FPCore (x) (+ x 1]) ",
            "error: f.fpcore:1:19: `]` closes the `(` of line 1, column 13\n    (FPCore (x) (+ x 1])\n                      ^\nhint: write \
             `)`, or close what is open\n",
        ),
        (
            "(FPCore (x) x))",
            "error: f.fpcore:1:15: this `)` closes nothing\n    (FPCore (x) x))\n                  ^\nhint: remove it, or open what it is to close\n",
        ),
        (
            "(FPCore (x) :name \"no end x)",
            "error: f.fpcore:1:19: this string is never closed\n    (FPCore (x) :name \"no end x)\n                      ^\nhint: a string \
             ends with `\"`; inside it write `\\\"`\n",
        ),
        (
            "(FPCore (x) :name)",
            "error: f.fpcore:1:13: `:name` has no value\n    (FPCore (x) :name)\n                ^^^^^\nerror: f.fpcore:1:18: the core has \
             no body\n    (FPCore (x) :name)\n                     ^\nhint: an expression comes last\n",
        ),
        (
            "(FPCore (x) (+ x 1) :pre (< 0 x))",
            "error: f.fpcore:1:21: a core has one body, and this comes after it\n    (FPCore (x) (+ x 1) :pre (< 0 x))\n                        \
             ^^^^\nhint: properties stand before the body\n",
        ),
        (
            "(define x 1)",
            "error: f.fpcore:1:1: expected `(FPCore …)`, found `(define …)`\n    (define x 1)\n    ^^^^^^^^^^^^\nhint: write `(FPCore (x y) … body)`\n",
        ),
        (
            "(FPcore (x)\n  (+ x 1))",
            "error: f.fpcore:1:1: expected `(FPCore …)`, found `(FPcore …)`\n    (FPcore (x)\n    ^^^^^^^^^^^\nhint: did you mean `FPCore`?\n",
        ),
        (
            "(FPCore (x)\n :precision binnary32 x)",
            "error: f.fpcore:2:13: `:precision`: unknown precision `binnary32`\n     :precision binnary32 x)\n                ^^^^^^^^^\nhint: did you \
             mean `binary32`?\n",
        ),
        (
            "(FPCore (x) :pr (< 0 x) x)",
            "error: f.fpcore:1:13: unknown property `:pr`\n    (FPCore (x) :pr (< 0 x) x)\n                ^^^\nhint: did you mean `:pre`?\n",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(report(text), *expected, "{text}");
    }
}

#[test]
fn hints() {
    let hint = |text: &str| {
        let shown = report(text);
        let hints: Vec<&str> = shown.lines().filter_map(|l| l.strip_prefix("hint: ")).collect();
        hints.join("; ")
    };
    for (text, expected) in [
        ("(FPCore (x) (if x))", "write `(if condition then else)`"),
        ("(FPCore (x) (if (not) x 1))", "write `(not condition)`"),
        ("(FPCore (x) (sqrt x x))", "write `(sqrt x)`"),
        ("(FPCore (x) (fma x x))", "write `(fma x y z)`"),
        ("(FPCore (x) (if (<) x 1))", "write `(< x y)`"),
        ("(FPCore (x) (let ([y x])))", "write `(let ([x 1]) body)`"),
        ("(FPCore two (x y) (+ x y)) (FPCore (x) (two x))", "write `(two x y)`"),
        ("(FPCore (x) :magneto-rel-error 1e-l0 x)", "did you mean `1e-10`?"),
        ("(FPCore (x) 1,5)", "did you mean `1.5`?"),
        ("(FPCore (x) :pre (< 1 x 1) x)", "`<=` lets the bound itself in, `<` does not"),
        ("(FPCore (x) :pre (>= 1 x 2) x)", "the smaller bound comes first, as in `(<= 1 x 2)`"),
        ("(FPCore (x) :pre (and (< x 1) (< 2 x)) x)", "the conditions on `x` exclude each other"),
        ("(fpcore (x) x)", "did you mean `FPCore`?"),
        ("FPCore (x) x", "did you mean `FPCore`?"),
        ("\"text\"", "write `(FPCore (x y) … body)`"),
        ("()", "write `(FPCore (x y) … body)`"),
    ] {
        assert_eq!(hint(text), expected, "{text}");
    }
}

#[test]
fn long_lines_are_clipped_around_the_place() {
    let text = format!("(FPCore (x) (+ {} frob {}))", "x ".repeat(5000), "x ".repeat(100_000));
    let shown = report(&text);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "error: f.fpcore:1:10017: unbound variable `frob`");
    assert!(lines[1].chars().count() < 110 && lines[1].starts_with("    …") && lines[1].ends_with('…'), "{}", lines[1]);
    let at = lines[2].chars().position(|c| c == '^').unwrap();
    assert_eq!(lines[1].chars().skip(at).take(4).collect::<String>(), "frob");
    assert_eq!(lines[2].trim(), "^^^^");
    // A marked place longer than the window.
    let shown = report(&format!("(FPCore (x) :magneto-req ({}) x)", "1 ".repeat(500)));
    assert!(shown.lines().all(|l| l.chars().count() < 120), "{shown}");
}

#[test]
fn bytes_that_are_no_text_are_shown_safely() {
    let source = b"(FPCore (x)\n \x1b[31m\xff x)";
    let file = parse_file(source);
    let shown = file.diagnostics[0].render("f", source);
    assert!(shown.starts_with("error: f:2:7: this is not a text file: byte 18 "), "{shown}");
    assert!(!shown.contains('\x1b') && shown.lines().count() == 2, "{shown}");
    // UTF-16 and programs may be UTF-8 by chance.
    let source = "(FPCore (x) x)".bytes().flat_map(|b| [b, 0]).collect::<Vec<_>>();
    let file = parse_file(&source);
    assert!(file.cores.is_empty() && file.diagnostics.len() == 1);
    let shown = file.diagnostics[0].render("f", &source);
    assert!(shown.starts_with("error: f:1:2: this is not a text file: byte 1 "), "{shown}");
    assert!(!shown.contains(['\0', '\u{FFFD}']), "{shown}");
}
