//! Python with pytest: parametrised tests.

use super::names::{both, string};
use super::{CodeCase, CodeCases, Duty};
use crate::num::float::hex;
use crate::spec::ResultPlace;
use std::fmt::Write as _;

pub(super) fn files(cases: &CodeCases, module: &str, function: &str) -> Vec<(String, String)> {
    let ident = &cases.ident;
    // Python takes the encoding from a comment in the first two lines, and the next ones have texts from elsewhere.
    let mut out = String::from("# -*- coding: utf-8 -*-\n");
    cases.about.iter().for_each(|line| {
        let _ = writeln!(out, "# {line}");
    });
    let place = cases.place;
    let imported = if place.is_some() { "all_results" } else { "function_under_test" };
    let _ = write!(
        out,
        "\nimport os\n\nimport pytest\n\nfrom {module} import {function} as {imported}\n\nH = float.fromhex\n\n"
    );
    if let Some(ResultPlace { index, count }) = place {
        let _ = write!(
            out,
            "\ndef flat(results):\n    \
               results = results.tolist() if hasattr(results, \"tolist\") else results\n    \
               if isinstance(results, (tuple, list)):\n        return [y for part in results for y in flat(part)]\n    \
               return [results]\n\n\ndef function_under_test(*inputs):\n    \
               results = flat({imported}(*inputs))\n    \
               assert len(results) == {count}, f\"{{len(results)}} results\"\n    return results[{index}]\n\n\n"
        );
    }
    // No keyword, no fixture of pytest and no name of this file begins so.
    let prefixed: Vec<String> = cases.inputs.iter().map(|(name, _)| format!("in_{name}")).collect();
    let names: Vec<&str> = prefixed.iter().map(String::as_str).collect();
    let prefix = cases.requirement.as_ref().map_or(String::new(), |r| format!("{r}-"));
    out.push_str("TESTS = [\n");
    for case in &cases.inside {
        let Duty::Within { lo, hi } = case.duty else { continue };
        let numbers: Vec<String> = case.input.iter().chain([&lo, &hi]).map(|x| format!("H({:?})", hex(*x))).collect();
        row(&mut out, &names, case, &numbers, &prefix);
    }
    let arguments = arguments(cases, &prefixed);
    let _ = write!(
        out,
        "]\n\n\n@pytest.mark.parametrize({:?}, TESTS)\ndef test_{ident}({}lo, hi, why):\n    \
           result = function_under_test({arguments})\n    \
           assert lo <= result <= hi, f\"{{result!r}} is not in [{{lo!r}}, {{hi!r}}]; {{why}}\"\n",
        names.iter().chain(&["lo", "hi", "why"]).copied().collect::<Vec<_>>().join(", "),
        names.iter().map(|n| format!("{n}, ")).collect::<String>(),
    );
    if !cases.outside.is_empty() {
        outside(&mut out, cases, &names, &prefix, &arguments);
    }
    vec![(format!("test_{ident}.py"), out)]
}

/// What the function gets: numbers, and lists of lists for arrays.
fn arguments(cases: &CodeCases, inputs: &[String]) -> String {
    let list = |elements: &[String]| format!("[{}]", elements.join(", "));
    cases.arguments.iter().map(|argument| argument.expression(inputs, &list)).collect::<Vec<_>>().join(", ")
}

fn row(out: &mut String, names: &[&str], case: &CodeCase, numbers: &[String], prefix: &str) {
    let shown: Vec<String> = names.iter().zip(&case.input).map(|(n, x)| format!("{n} = {}", both(*x))).collect();
    let _ = writeln!(out, "    # {}", shown.join(", "));
    let id = string(&format!("{prefix}{}", case.id));
    let numbers: String = numbers.iter().map(|n| format!("{n}, ")).collect();
    let _ = writeln!(out, "    pytest.param({numbers}{}, id={id}),", string(&case.why));
}

fn outside(out: &mut String, cases: &CodeCases, names: &[&str], prefix: &str, arguments: &str) {
    out.push_str(
        "\n\n# Inputs outside the domain. How a function refuses an input is its own affair, so that these are skipped\n\
         # unless the environment has MAGNETO_OUT_OF_RANGE. A refusal is an exception or a NaN.\nOUTSIDE = [\n",
    );
    for case in &cases.outside {
        let numbers: Vec<String> = case.input.iter().map(|x| format!("H({:?})", hex(*x))).collect();
        row(out, names, case, &numbers, prefix);
    }
    let response = cases.outside.first().map(|c| &c.duty);
    let body = match response {
        Some(Duty::Response(r)) if r == "nan" => {
            format!(
                "    result = function_under_test({arguments})\n    assert result != result, f\"nan is owed, not {{result!r}}; {{why}}\"\n"
            )
        }
        Some(Duty::Response(r)) if r == "saturate" => format!(
            "    result = function_under_test({arguments})\n    \
               assert result - result == 0, f\"a value of the domain is owed, not {{result!r}}; {{why}}\"\n"
        ),
        _ => format!(
            "    try:\n        result = function_under_test({arguments})\n    except Exception:\n        return\n    \
               assert result != result, f\"a refusal is owed, not {{result!r}}; {{why}}\"\n"
        ),
    };
    let _ = write!(
        out,
        "]\n\n\n@pytest.mark.skipif(\"MAGNETO_OUT_OF_RANGE\" not in os.environ, reason=\"outside the domain\")\n\
         @pytest.mark.parametrize({:?}, OUTSIDE)\ndef test_{}_outside({}why):\n{body}",
        names.iter().chain(&["why"]).copied().collect::<Vec<_>>().join(", "),
        cases.ident,
        names.iter().map(|n| format!("{n}, ")).collect::<String>(),
    );
}
