//! C and C++: a header with the tests as a table, and a file for the framework with a test function for each of them.

use super::names::{both, string};
use super::{CodeArgument, CodeCase, CodeCases, CodeTarget, Duty};
use crate::floats::Format;
use crate::num::float::hex;
use crate::spec::ResultPlace;
use std::fmt::Write as _;

// The members for inputs begin with `in_`, and what is local where the function under test is called with `magneto_`: no
// keyword, no macro and no function can have such a name.

/// The type of a format's values.
fn type_of(format: Format) -> &'static str {
    match format.integer_bits() {
        Some(8) => "int8_t",
        Some(16) => "int16_t",
        Some(32) => "int32_t",
        Some(_) => "int64_t",
        None if format == Format::BINARY64 => "double",
        None => "float",
    }
}

/// The sizes of an array behind its name.
fn bounds(sizes: &[usize]) -> String {
    sizes.iter().map(|size| format!("[{size}]")).collect()
}

/// The declaration of a parameter. C before C23 converts no pointer to rows to one to constant rows. An array of any size is one
/// parameter for all sizes, where headers meet: a pointer to its first element.
fn parameter(argument: &CodeArgument, is_fixed: bool) -> String {
    let kind = type_of(argument.format);
    match argument.sizes.len() {
        0 => kind.to_owned(),
        _ if !is_fixed => format!("const {kind} *{}", argument.name),
        1 => format!("const {kind} {}{}", argument.name, bounds(&argument.sizes)),
        _ => format!("{kind} {}{}", argument.name, bounds(&argument.sizes)),
    }
}

/// An exact constant.
fn constant(x: f64, format: Format) -> String {
    if let Some(bits) = format.integer_bits() {
        return format!("{}{}", format.rank(x), if bits > 32 { "LL" } else { "" });
    }
    let suffix = if format == Format::BINARY64 { "" } else { "f" };
    format!("{}{suffix}", hex(x))
}

pub(super) fn files(cases: &CodeCases, target: CodeTarget, function: &str) -> Vec<(String, String)> {
    let extension = if matches!(target, CodeTarget::Gtest | CodeTarget::Catch2) { "cpp" } else { "c" };
    let ident = &cases.ident;
    vec![
        (format!("{ident}_tests.h"), header(cases, function)),
        (format!("test_{ident}.{extension}"), runner(cases, target)),
    ]
}

fn about(cases: &CodeCases) -> String {
    let mut out = String::from("/* ");
    out.push_str(&cases.about.join("\n   "));
    out.push_str(" */\n");
    out
}

const OUTSIDE: &str = "\
/* Inputs outside the domain. How a function refuses an input is its own affair, so that these are skipped unless
   MAGNETO_OUT_OF_RANGE is defined. Define MAGNETO_REJECTED(y) too if a refusal is neither a NaN nor EDOM or ERANGE in errno. */
";

fn header(cases: &CodeCases, function: &str) -> String {
    let ident = &cases.ident;
    let upper = ident.to_ascii_uppercase();
    let result = type_of(cases.result);
    let mut out = about(cases);
    let _ = writeln!(out, "#ifndef MAGNETO_{upper}_TESTS_H\n#define MAGNETO_{upper}_TESTS_H\n");
    let has_integers = cases.inputs.iter().any(|(_, f)| f.is_fixed()) || cases.result.is_fixed();
    let integers = if has_integers { "#include <stdint.h>\n" } else { "" };
    let _ = writeln!(out, "#include <errno.h>\n{integers}#include <stdio.h>\n");
    let requirement = string(cases.requirement.as_deref().unwrap_or_default());
    let _ = writeln!(out, "#define MAGNETO_{upper}_REQUIREMENT {requirement}\n");
    let types: Vec<&str> = cases.inputs.iter().map(|(_, f)| type_of(*f)).collect();
    let taken = cases
        .arguments
        .iter()
        .map(|a| parameter(a, cases.sizes.is_empty()))
        .chain(cases.sizes.iter().map(|(name, _)| format!("int /* {name} */")));
    // An array goes to where the last argument points to.
    let parameters: Vec<String> = taken.chain(cases.place.map(|_| format!("{result} *"))).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let returned = if cases.place.is_some() { "void" } else { result };
    let _ = writeln!(
        out,
        "/* The function under test; define the macro to call another one, or one that takes other parameters. */"
    );
    let _ = writeln!(out, "#ifndef MAGNETO_{upper}_FUNCTION\n#define MAGNETO_{upper}_FUNCTION {function}");
    let _ = writeln!(out, "#ifdef __cplusplus\nextern \"C\"\n#endif\n{returned} {function}({parameters});\n#endif\n");
    let _ = writeln!(out, "struct magneto_{ident} {{\n  const char *id;\n  const char *why;");
    for ((name, _), kind) in cases.inputs.iter().zip(&types) {
        let _ = writeln!(out, "  {kind} in_{name};");
    }
    let _ = writeln!(out, "  {result} lo;\n  {result} hi;\n}};\n");
    table(&mut out, cases, "tests", &cases.inside);
    let members: Vec<String> = cases.inputs.iter().map(|(name, _)| format!("magneto_t->in_{name}")).collect();
    let call = call(cases, &members);
    let at: Vec<String> = cases.inputs.iter().map(|(name, _)| format!("{name} = %.17g")).collect();
    let at = if at.is_empty() { String::new() } else { format!("at {}: ", at.join(", ")) };
    let values: String = members.iter().map(|member| format!("(double){member}, ")).collect();
    // A number takes up to 24 letters.
    let room = 800 + cases.inputs.iter().map(|(name, _)| name.len() + 30).sum::<usize>();
    let _ = write!(
        out,
        "/* What is wrong with the result of a test; a null pointer if nothing is. */\n\
         static inline const char *magneto_{ident}_check(const struct magneto_{ident} *magneto_t) {{\n  \
           static char magneto_said[{room}];\n  \
           {call}\n  \
           if (magneto_t->lo <= magneto_y && magneto_y <= magneto_t->hi) return 0;\n  \
           snprintf(magneto_said, sizeof magneto_said, \"%s: {at}%.17g is not in [%.17g, %.17g] (%a, [%a, %a]); %s\",\n           \
           magneto_t->id, {values}(double)magneto_y, (double)magneto_t->lo, (double)magneto_t->hi,\n           \
           (double)magneto_y, (double)magneto_t->lo, (double)magneto_t->hi, magneto_t->why);\n  \
           return magneto_said;\n}}\n\n",
    );
    out.push_str(OUTSIDE);
    out.push_str("#ifdef MAGNETO_OUT_OF_RANGE\n");
    table(&mut out, cases, "outside", &cases.outside);
    out.push_str("#ifndef MAGNETO_REJECTED\n#define MAGNETO_REJECTED(y) (errno == EDOM || errno == ERANGE || (y) != (y))\n#endif\n\n");
    let (condition, owed) = match cases.outside.first().map(|c| &c.duty) {
        Some(Duty::Response(r)) if r == "nan" => ("magneto_y != magneto_y", "nan is owed"),
        Some(Duty::Response(r)) if r == "saturate" => ("magneto_y - magneto_y == 0", "a value of the domain is owed"),
        _ => ("MAGNETO_REJECTED(magneto_y)", "a refusal is owed"),
    };
    let _ = write!(
        out,
        "/* The same at an input outside the domain. */\n\
         static inline const char *magneto_{ident}_refuses(const struct magneto_{ident} *magneto_t) {{\n  \
           static char magneto_said[{room}];\n  \
           errno = 0;\n  \
           {call}\n  \
           if ({condition}) return 0;\n  \
           snprintf(magneto_said, sizeof magneto_said, \"%s: {at}{owed}, not %.17g (%a); %s\", magneto_t->id, {values}(double)magneto_y, (double)magneto_y,\n           \
           magneto_t->why);\n  \
           return magneto_said;\n}}\n#endif\n\n#endif\n",
    );
    out
}

/// The statements that call the function under test with the members of a test, and keep its result.
fn call(cases: &CodeCases, members: &[String]) -> String {
    let (result, upper) = (type_of(cases.result), cases.ident.to_ascii_uppercase());
    let mut arguments: Vec<String> = Vec::new();
    let mut call = String::new();
    for argument in &cases.arguments {
        let value = argument.expression(members, &|elements| format!("{{{}}}", elements.join(", ")));
        if argument.sizes.is_empty() {
            arguments.push(value);
        } else {
            let (kind, name) = (type_of(argument.format), format!("magneto_in_{}", argument.name));
            let _ = write!(call, "{kind} {name}{} = {value};\n  ", bounds(&argument.sizes));
            // To the first element of a matrix of any size.
            let inner = if cases.sizes.is_empty() { 0 } else { argument.sizes.len() - 1 };
            arguments.push(format!(
                "{}{name}{}",
                if inner > 0 { "&" } else { "" },
                "[0]".repeat(inner + usize::from(inner > 0))
            ));
        }
    }
    arguments.extend(cases.sizes.iter().map(|(_, size)| size.to_string()));
    match cases.place {
        None => {
            let _ = write!(call, "const {result} magneto_y = MAGNETO_{upper}_FUNCTION({});", arguments.join(", "));
        }
        Some(ResultPlace { index, count }) => {
            arguments.push("magneto_results".to_owned());
            let _ = write!(
                call,
                "{result} magneto_results[{count}];\n  MAGNETO_{upper}_FUNCTION({});\n  \
                 const {result} magneto_y = magneto_results[{index}];",
                arguments.join(", "),
            );
        }
    }
    call
}

fn table(out: &mut String, cases: &CodeCases, name: &str, list: &[CodeCase]) {
    let ident = &cases.ident;
    let _ = writeln!(out, "enum {{ magneto_{ident}_{name}_count = {} }};", list.len());
    let _ = writeln!(out, "static const struct magneto_{ident} magneto_{ident}_{name}[] = {{");
    for case in list {
        let shown: Vec<String> =
            cases.inputs.iter().zip(&case.input).map(|((name, _), x)| format!("{name} = {}", both(*x))).collect();
        let _ = writeln!(out, "  /* {} */", shown.join(", "));
        let (lo, hi) = match case.duty {
            Duty::Within { lo, hi } => (lo, hi),
            Duty::Response(_) => (0.0, 0.0),
        };
        let inputs = cases.inputs.iter().zip(&case.input).map(|((_, f), x)| constant(*x, *f));
        let numbers: Vec<String> = inputs.chain([lo, hi].map(|x| constant(x, cases.result))).collect();
        let _ = writeln!(out, "  {{{}, {},\n   {}}},", string(&case.id), string(&case.why), numbers.join(", "));
    }
    if list.is_empty() {
        // C has no empty arrays.
        let zeros = vec!["0"; cases.inputs.len() + 2].join(", ");
        let _ = writeln!(out, "  {{\"\", \"\", {zeros}}},");
    }
    out.push_str("};\n\n");
}

/// What a framework needs around the tests: `{S}` the name of the specification, `{R}` that with the requirement, `{T}`
/// the test, `{E}` the expression that is a null pointer or a message.
struct Template {
    before: &'static str,
    /// A test in the domain, or one outside when those are wanted.
    test: &'static str,
    /// A test outside when those are not wanted; empty if it is left out.
    skipped: &'static str,
    /// What comes before, for each test in, and after the list of tests.
    list: [&'static str; 3],
}

fn template(target: CodeTarget) -> Template {
    match target {
        CodeTarget::Unity => Template {
            before: "#include \"unity.h\"\n\nvoid setUp(void) {}\nvoid tearDown(void) {}\n\n",
            test: "static void {R}_{T}(void) {\n  const char *said = {E};\n  TEST_ASSERT_TRUE_MESSAGE(said == 0, said ? said : \"\");\n}\n",
            skipped: "static void {R}_{T}(void) {\n  TEST_IGNORE_MESSAGE(\"outside the domain\");\n}\n",
            list: ["int main(void) {\n  UNITY_BEGIN();\n", "  RUN_TEST({R}_{T});\n", "  return UNITY_END();\n}\n"],
        },
        CodeTarget::Check => Template {
            before: "#include <check.h>\n#include <stdlib.h>\n\n",
            test: "START_TEST({R}_{T}) {\n  const char *said = {E};\n  ck_assert_msg(said == 0, \"%s\", said ? said : \"\");\n}\nEND_TEST\n",
            skipped: "",
            list: [
                "int main(void) {\n  Suite *suite = suite_create(\"{R}\");\n  TCase *tests = tcase_create(\"{R}\");\n",
                "  tcase_add_test(tests, {R}_{T});\n",
                "  suite_add_tcase(suite, tests);\n  SRunner *runner = srunner_create(suite);\n  srunner_run_all(runner, CK_NORMAL);\n  const int failed = srunner_ntests_failed(runner);\n  srunner_free(runner);\n  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;\n}\n",
            ],
        },
        CodeTarget::Cmocka => Template {
            before: "#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <cmocka.h>\n\n",
            test: "static void {R}_{T}(void **state) {\n  (void)state;\n  const char *said = {E};\n  if (said) fail_msg(\"%s\", said);\n}\n",
            skipped: "static void {R}_{T}(void **state) {\n  (void)state;\n  skip();\n}\n",
            list: [
                "int main(void) {\n  const struct CMUnitTest tests[] = {\n",
                "    cmocka_unit_test({R}_{T}),\n",
                "  };\n  return cmocka_run_group_tests(tests, NULL, NULL);\n}\n",
            ],
        },
        CodeTarget::Gtest => Template {
            before: "#include <gtest/gtest.h>\n\n",
            test: "TEST({R}, {T}) {\n  const char *said = {E};\n  EXPECT_TRUE(said == nullptr) << (said ? said : \"\");\n}\n",
            skipped: "TEST({R}, {T}) { GTEST_SKIP() << \"outside the domain\"; }\n",
            list: ["", "", ""],
        },
        CodeTarget::Catch2 => Template {
            before: "#if __has_include(<catch2/catch_test_macros.hpp>)\n#include <catch2/catch_test_macros.hpp>\n#else\n#ifndef MAGNETO_CATCH_MAIN /* the main program is elsewhere */\n#define CATCH_CONFIG_MAIN\n#endif\n#include <catch2/catch.hpp>\n#endif\n\n",
            test: "TEST_CASE(\"{R} {T}\", \"[{S}]\") {\n  const char *said = {E};\n  INFO((said ? said : \"\"));\n  CHECK(said == nullptr);\n}\n",
            skipped: "",
            list: ["", "", ""],
        },
        // Plain C keeps to the table.
        _ => Template { before: "", test: "", skipped: "", list: ["", "", ""] },
    }
}

fn runner(cases: &CodeCases, target: CodeTarget) -> String {
    let ident = &cases.ident;
    let traced = super::names::identifier(&match &cases.requirement {
        Some(requirement) => format!("{ident}_{requirement}"),
        None => ident.clone(),
    });
    let mut out = about(cases);
    let include = format!("#include \"{ident}_tests.h\"\n");
    if target == CodeTarget::C {
        out.push_str(&include);
        out.push_str(&plain(ident));
        return out;
    }
    let t = template(target);
    // The framework's header first where it wants others before it.
    out.push_str(t.before);
    out.push_str(&include);
    out.push('\n');
    let fill = |text: &str, test: &str, expression: &str| {
        text.replace("{R}", &traced).replace("{S}", ident).replace("{T}", test).replace("{E}", expression)
    };
    for (k, case) in cases.inside.iter().enumerate() {
        let _ = writeln!(out, "/* {} */", case.why);
        out.push_str(&fill(t.test, &case.id, &format!("magneto_{ident}_check(&magneto_{ident}_tests[{k}])")));
    }
    let outside = |out: &mut String, text: &str, comments: bool| {
        for (k, case) in cases.outside.iter().enumerate() {
            if comments {
                let _ = writeln!(out, "/* {} */", case.why);
            }
            out.push_str(&fill(text, &case.id, &format!("magneto_{ident}_refuses(&magneto_{ident}_outside[{k}])")));
        }
    };
    if !cases.outside.is_empty() {
        out.push('\n');
        out.push_str(OUTSIDE);
        out.push_str("#ifdef MAGNETO_OUT_OF_RANGE\n");
        outside(&mut out, t.test, true);
        if !t.skipped.is_empty() {
            out.push_str("#else\n");
            outside(&mut out, t.skipped, false);
        }
        out.push_str("#endif\n");
    }
    if !t.list[0].is_empty() {
        out.push('\n');
        out.push_str(&fill(t.list[0], "", ""));
        cases.inside.iter().for_each(|case| out.push_str(&fill(t.list[1], &case.id, "")));
        let left_out = t.skipped.is_empty() && !cases.outside.is_empty();
        if left_out {
            out.push_str("#ifdef MAGNETO_OUT_OF_RANGE\n");
        }
        cases.outside.iter().for_each(|case| out.push_str(&fill(t.list[1], &case.id, "")));
        if left_out {
            out.push_str("#endif\n");
        }
        out.push_str(&fill(t.list[2], "", ""));
    }
    out
}

/// A program that goes over the tables, says what is wrong, and ends with 1 if anything is.
fn plain(ident: &str) -> String {
    format!(
        "\nint main(void) {{\n  int failed = 0;\n  \
           for (int k = 0; k < magneto_{ident}_tests_count; k++) {{\n    \
             const char *said = magneto_{ident}_check(&magneto_{ident}_tests[k]);\n    \
             if (said) failed++, printf(\"FAIL %s\\n\", said);\n  }}\n  \
           int count = magneto_{ident}_tests_count;\n\
         #ifdef MAGNETO_OUT_OF_RANGE\n  \
           for (int k = 0; k < magneto_{ident}_outside_count; k++) {{\n    \
             const char *said = magneto_{ident}_refuses(&magneto_{ident}_outside[k]);\n    \
             if (said) failed++, printf(\"FAIL %s\\n\", said);\n  }}\n  \
           count += magneto_{ident}_outside_count;\n\
         #endif\n  \
           printf(\"%d of %d tests failed\\n\", failed, count);\n  return failed != 0;\n}}\n"
    )
}
