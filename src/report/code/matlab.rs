//! MATLAB: function-based tests.

use super::names::both;
use super::{CodeArgument, CodeCase, CodeCases, Duty};
use crate::floats::Format;
use crate::spec::ResultPlace;
use std::fmt::Write as _;

/// An exact constant: the bits, since MATLAB has neither hexadecimal literals nor exact decimal ones on paper.
fn constant(x: f64, format: Format) -> String {
    if format == Format::BINARY64 || format.is_fixed() {
        return format!("hex2num('{:016x}')", x.to_bits());
    }
    // Every binary32 number is a binary64 number, and the conversion of one is exact.
    format!("single(hex2num('{:016x}'))", x.to_bits())
}

/// One of several results: an output of its own, or an element of an array, row by row.
const ONE_OF: &str = "
function y = magneto_one_of(f, index, count, varargin)
if nargout(f) == count
results = cell(1, count);
[results{:}] = f(varargin{:});
y = results{index};
else
y = f(varargin{:}).';
y = y(index);
end
end
";

/// A text between single quotes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

pub(super) fn files(cases: &CodeCases, function: &str) -> Vec<(String, String)> {
    let ident = &cases.ident;
    let mut out = format!("function tests = test_{ident}\n");
    cases.about.iter().for_each(|line| {
        let _ = writeln!(out, "% {line}");
    });
    out.push_str("% Run it with runtests.\ntests = functiontests(localfunctions);\nend\n");
    for case in &cases.inside {
        let Duty::Within { lo, hi } = case.duty else { continue };
        head(&mut out, cases, case, function);
        let [low, high] = [lo, hi].map(|x| constant(x, cases.result));
        let _ = writeln!(out, "magneto_lo = {low}; % {}\nmagneto_hi = {high}; % {}", both(lo), both(hi));
        let _ = writeln!(
            out,
            "verifyTrue(testCase, magneto_lo <= magneto_y && magneto_y <= magneto_hi, {});\nend",
            quoted(&case.why)
        );
    }
    if !cases.outside.is_empty() {
        out.push_str(
            "\n% Inputs outside the domain. How a function refuses an input is its own affair, so that these are filtered\n\
             % unless the environment has MAGNETO_OUT_OF_RANGE. A refusal is an error or a NaN.\n",
        );
    }
    for case in &cases.outside {
        let Duty::Response(response) = &case.duty else { continue };
        let filter = "assumeTrue(testCase, ~isempty(getenv('MAGNETO_OUT_OF_RANGE')));\n";
        let why = quoted(&case.why);
        if response == "reject" {
            let _ = write!(out, "\nfunction test_{}(testCase)\n% {}\n{filter}try\n", case.id, case.why);
            let _ = write!(out, "magneto_y = {};\ncatch\nmagneto_y = NaN;\nend\n", call(cases, case, function));
        } else {
            let _ = write!(out, "\nfunction test_{}(testCase)\n% {}\n{filter}", case.id, case.why);
            let _ = writeln!(out, "magneto_y = {};", call(cases, case, function));
        }
        let condition = if response == "saturate" { "isfinite(magneto_y)" } else { "isnan(magneto_y)" };
        let _ = writeln!(out, "verifyTrue(testCase, {condition}, {why});\nend");
    }
    if cases.place.is_some() {
        out.push_str(ONE_OF);
    }
    vec![(format!("test_{ident}.m"), out)]
}

fn head(out: &mut String, cases: &CodeCases, case: &CodeCase, function: &str) {
    let _ = write!(out, "\nfunction test_{}(testCase)\n% {}\n", case.id, case.why);
    let _ = writeln!(out, "magneto_y = {};", call(cases, case, function));
}

/// A number, a row, a matrix, or an array of more dimensions: `reshape` takes the first index to change fastest, and here the last does.
fn array(argument: &CodeArgument, inputs: &[String]) -> String {
    let row = argument.expression(inputs, &|elements| elements.join("  , "));
    match &argument.sizes[..] {
        [] => row,
        [_] => format!("[...\n  {row}  ] ...\n"),
        [rows, columns] => {
            let elements = &inputs[argument.first..][..rows * columns];
            let rows: Vec<String> = elements.chunks(*columns).map(|row| row.join("  , ")).collect();
            format!("[...\n  {}  ] ...\n", rows.join("  ; "))
        }
        sizes => {
            let backwards: Vec<String> = sizes.iter().rev().map(usize::to_string).collect();
            let order: Vec<String> = (1..=sizes.len()).rev().map(|k| k.to_string()).collect();
            format!("permute(reshape([...\n  {row}  ], {}), [{}]) ...\n", backwards.join(", "), order.join(" "))
        }
    }
}

fn call(cases: &CodeCases, case: &CodeCase, function: &str) -> String {
    let one = |((name, format), x): (&(String, Format), &f64)| {
        format!("{} ... % {name} = {}\n", constant(*x, *format), both(*x))
    };
    let inputs: Vec<String> = cases.inputs.iter().zip(&case.input).map(one).collect();
    let arguments: Vec<String> = cases.arguments.iter().map(|argument| array(argument, &inputs)).collect();
    let arguments = arguments.join("  , ");
    match cases.place {
        None => format!("{function}(...\n  {arguments})"),
        Some(ResultPlace { index, count }) => {
            format!("magneto_one_of(@{function}, {}, {count}, ...\n  {arguments})", index + 1)
        }
    }
}
