//! Functions of the caller: pointers to functions, virtual functions, and what is called before a run.

use crate::cover_objects::{assert_taken, count, covered, inputs, own, run};
use crate::support::compilers::has_clang;
use serde_json::Value;

#[test]
fn what_functions_of_the_caller_return_and_write_are_inputs() {
    if !has_clang() {
        return;
    }
    let file = own("stubs.c");
    let cover = assert_taken(&file, "bisect", 10);
    assert!(inputs(&cover).contains(&"f.value()[5]") && !inputs(&cover).contains(&"f.value()[6]"), "{cover}");
    let cover = assert_taken(&file, "slope_step", 2);
    assert!(inputs(&cover).contains(&"f.both().written[1]"), "{cover}");
    let cover = assert_taken(&file, "kept", 8);
    assert!(inputs(&cover).contains(&"keeps()[0]") && inputs(&cover).contains(&"keeps"), "{cover}");
    assert_taken(&file, "of_short", 6);
    assert_taken(&own("stubs.cc"), "last_one", 2);
    let cover = assert_taken(&own("stubs.cc"), "twice", 2);
    assert_eq!(inputs(&cover), ["f()[0]", "f()[1]", "f()[2]", "x"]);
}

#[test]
fn more_answers_of_a_function_are_asked_for_by_its_name() {
    if !has_clang() {
        return;
    }
    let (code, out, err) = run(&own("stubs.c"), &["--fn", "bisect", "--json", "--input", "f.value()[2]"]);
    let cover: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{code:?} {err}"));
    assert!(inputs(&cover).contains(&"f.value()[1]") && !inputs(&cover).contains(&"f.value()[2]"), "{cover}");
    assert_eq!(cover["native"]["different"].as_array().map(Vec::len), Some(0), "{cover}");
}

#[test]
fn virtual_functions_answer_with_inputs() {
    if !has_clang() {
        return;
    }
    let cover = assert_taken(&own("stubs.cc"), "kind_of", 6);
    for name in ["shape.kind", "shape.corners()[0]", "shape.area()[0]"] {
        assert!(inputs(&cover).contains(&name), "{name}: {cover}");
    }
    let cover = assert_taken(&own("stubs.cc"), "solid", 6);
    for name in ["box.width", "box.corners()[0]", "box.is_solid()[0]"] {
        assert!(inputs(&cover).contains(&name), "{name}: {cover}");
    }
}

#[test]
fn nothing_is_proved_of_what_a_function_of_the_caller_does() {
    if !has_clang() {
        return;
    }
    let cover = covered(&own("stubs.c"), "left_alone");
    assert_eq!((count(&cover, "taken"), count(&cover, "open")), (1, 1), "{cover}");
}

#[test]
fn a_function_is_called_before_each_run_if_it_is_asked_for() {
    if !has_clang() {
        return;
    }
    let covered = |more: &[&str]| -> Value {
        let (code, out, err) = run(&own("stubs.c"), &[&["--fn", "root_or_error", "--json"], more].concat());
        assert_eq!(code, Some(0), "{err}");
        serde_json::from_str(&out).unwrap()
    };
    let taken = |cover: &Value| count(cover, "taken");
    let (without, with) = (covered(&[]), covered(&["--before", "ignore_errors"]));
    assert!(taken(&with) > taken(&without), "{without} {with}");
    let aborts =
        |cover: &Value| cover["runs"].as_array().unwrap().iter().filter(|r| r["result"] == "trap: abort").count();
    assert_eq!((aborts(&without), aborts(&with)), (2, 0), "{without} {with}");
    // The native program calls it, too: else it would abort where the interpreter does not.
    assert_eq!(with["native"]["different"].as_array().map(Vec::len), Some(0), "{with}");
    assert!(with["native"]["same"].as_u64().is_some_and(|n| n > 2), "{with}");
    // What variables hold at a program's start says nothing of what they hold then.
    let start = |cover: &Value| cover.to_string().contains("have the values of the program's start");
    assert_eq!((start(&without), start(&with)), (true, false), "{without} {with}");
    for (name, why) in [
        ("failed", "it takes arguments"),
        ("aborts", "it does not return: abort"),
        ("nowhere", "there is no such function"),
    ] {
        let (code, out, err) = run(&own("stubs.c"), &["--fn", "root_or_error", "--before", name]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        assert!(err.starts_with(&format!("error: --before {name}: {why}")), "{err}");
    }
}
