//! Rust: `#[test]` functions in one module.

use super::names::{both, string};
use super::{CodeArgument, CodeCases, Duty};
use crate::floats::Format;
use crate::spec::ResultPlace;
use std::fmt::Write as _;

fn type_of(format: Format) -> &'static str {
    match format.integer_bits() {
        Some(8) => "i8",
        Some(16) => "i16",
        Some(32) => "i32",
        Some(_) => "i64",
        None if format == Format::BINARY64 => "f64",
        None => "f32",
    }
}

/// An exact constant: Rust has no hexadecimal floating-point literals.
fn constant(x: f64, format: Format) -> String {
    match format {
        _ if format.is_fixed() => format.rank(x).to_string(),
        Format::BINARY64 => format!("f64::from_bits({:#018x})", x.to_bits()),
        _ => format!("f32::from_bits({:#010x})", (x as f32).to_bits()),
    }
}

pub(super) fn files(cases: &CodeCases, function: &str) -> Vec<(String, String)> {
    let mut out = String::new();
    cases.about.iter().for_each(|line| {
        let _ = writeln!(out, "// {line}");
    });
    let ident = &cases.ident;
    let result = type_of(cases.result);
    // Sizes with names are no part of a type.
    let is_any = !cases.sizes.is_empty();
    let taken = |argument: &CodeArgument| {
        let array =
            |inner: String, size: &usize| if is_any { format!("&[{inner}]") } else { format!("[{inner}; {size}]") };
        let whole = argument.sizes.iter().rev().fold(type_of(argument.format).to_owned(), array);
        if argument.sizes.is_empty() || is_any { whole } else { format!("&{whole}") }
    };
    let types: Vec<String> = cases.arguments.iter().map(taken).collect();
    // A path of one name is looked up where the module is declared.
    let returned = match cases.place {
        None => result.to_owned(),
        Some(ResultPlace { count, .. }) => format!("[{result}; {count}]"),
    };
    let path = if function.contains("::") { function.to_owned() } else { format!("super::{function}") };
    let _ = write!(
        out,
        "//\n// Declare it beside the function: #[cfg(test)] mod test_{ident};\n\n\
         /// The function under test.\nconst FUNCTION: fn({}) -> {returned} = {path};\n\n\
         #[track_caller]\nfn check(y: {result}, lo: {result}, hi: {result}, why: &str) {{\n    \
           assert!(lo <= y && y <= hi, \"{{y:?}} is not in [{{lo:?}}, {{hi:?}}]; {{why}}\");\n}}\n",
        types.join(", ")
    );
    for case in &cases.inside {
        let Duty::Within { lo, hi } = case.duty else { continue };
        let _ = write!(
            out,
            "\n/// {}\n#[test]\nfn {}() {{\n    let y = {};\n",
            case.why,
            case.id,
            call(cases, &case.input)
        );
        let [low, high] = [lo, hi].map(|x| constant(x, cases.result));
        let _ = writeln!(
            out,
            "    // from {} to {}\n    check(y, {low}, {high}, {});\n}}",
            both(lo),
            both(hi),
            string(&case.why)
        );
    }
    if !cases.outside.is_empty() {
        out.push_str(
            "\n// Inputs outside the domain. How a function refuses an input is its own affair, so that these are ignored\n\
             // by default: cargo test -- --include-ignored. A refusal is a NaN or a panic.\n",
        );
    }
    for case in &cases.outside {
        let Duty::Response(response) = &case.duty else { continue };
        let _ = write!(out, "\n/// {}\n#[test]\n#[ignore = \"outside the domain\"]\nfn {}() {{\n", case.why, case.id);
        let (call, why) = (call(cases, &case.input), string(&case.why));
        let _ = match response.as_str() {
            // An integer is no NaN.
            "reject" | "nan" if cases.result.is_fixed() => writeln!(
                out,
                "    let answer = std::panic::catch_unwind(|| {call});\n    \
                   assert!(answer.is_err(), \"a refusal is owed; {{}}\", {why});\n}}"
            ),
            _ if cases.result.is_fixed() => writeln!(out, "    let _ = {call};\n}}"),
            "reject" => writeln!(
                out,
                "    let answer = std::panic::catch_unwind(|| {call});\n    \
                   assert!(answer.map_or(true, {result}::is_nan), \"a refusal is owed; {{}}\", {why});\n}}"
            ),
            "nan" => writeln!(out, "    assert!({call}.is_nan(), \"nan is owed; {{}}\", {why});\n}}"),
            _ => writeln!(out, "    assert!({call}.is_finite(), \"a value of the domain is owed; {{}}\", {why});\n}}"),
        };
    }
    vec![(format!("test_{ident}.rs"), out)]
}

fn call(cases: &CodeCases, input: &[f64]) -> String {
    let one = |((name, format), x): (&(String, Format), &f64)| {
        let shown = both(*x);
        format!("/* {name} = {shown} */ {}", constant(*x, *format))
    };
    let inputs: Vec<String> = cases.inputs.iter().zip(input).map(one).collect();
    let inner = if cases.sizes.is_empty() { "" } else { "&" };
    let list = |elements: &[String]| format!("{inner}[{}]", elements.join(", "));
    let argument = |argument: &CodeArgument| {
        let value = argument.expression(&inputs, &list);
        if argument.sizes.is_empty() || value.starts_with('&') { value } else { format!("&{value}") }
    };
    let arguments = cases.arguments.iter().map(argument).collect::<Vec<_>>().join(", ");
    let element = cases.place.map_or_else(String::new, |place| format!("[{}]", place.index));
    format!("FUNCTION({arguments}){element}")
}
