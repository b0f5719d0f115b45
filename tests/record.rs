//! The files of a run's folder: each has the schema that is published, and is read back as it was written.

mod cli_support;

use cli_support::{Folder, SMALL};
use magneto::record::{Part, read};
use serde_json::Value;
use std::collections::BTreeSet;

/// Panics with the path where a value is not what a schema says. What a schema does not name must not be there, and
/// a keyword that this does not know is no schema of ours.
fn must(value: &Value, schema: &Value, root: &Value, path: &str) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("{path}: {reference}"));
        return must(value, target, root, path);
    }
    for (keyword, is) in schema.as_object().unwrap_or_else(|| panic!("{path}: {schema}")) {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "format" | "additionalProperties" | "default" => {}
            "const" => assert_eq!(value, is, "{path}"),
            "enum" => assert!(is.as_array().unwrap().contains(value), "{path}: {value}"),
            "minimum" => assert!(value.as_f64() >= is.as_f64(), "{path}: {value}"),
            "maximum" => assert!(value.as_f64() <= is.as_f64(), "{path}: {value}"),
            "minItems" => assert!(value.as_array().unwrap().len() as u64 >= is.as_u64().unwrap(), "{path}"),
            "maxItems" => assert!(value.as_array().unwrap().len() as u64 <= is.as_u64().unwrap(), "{path}"),
            "type" => {
                let known = |name: &Value| match name.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_u64(),
                    "null" => value.is_null(),
                    other => panic!("{path}: type {other}"),
                };
                let is = is.as_array().map_or_else(|| known(is), |all| all.iter().any(known));
                assert!(is, "{path}: {value} is no {}", schema["type"]);
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                items.for_each(|(k, v)| must(v, is, root, &format!("{path}[{k}]")));
            }
            "required" => {
                let there = |key: &Value| value.get(key.as_str().unwrap()).is_some();
                is.as_array().unwrap().iter().for_each(|k| assert!(!value.is_object() || there(k), "{path} lacks {k}"));
            }
            "properties" => {
                for (key, v) in value.as_object().into_iter().flatten() {
                    let of = is.get(key).or(schema.get("additionalProperties").filter(|a| a.is_object()));
                    must(
                        v,
                        of.unwrap_or_else(|| panic!("{path}: {key} is not published")),
                        root,
                        &format!("{path}.{key}"),
                    );
                }
            }
            "anyOf" | "oneOf" => {
                let fits = |s: &Value| std::panic::catch_unwind(|| must(value, s, root, path)).is_ok();
                assert!(is.as_array().unwrap().iter().any(fits), "{path}: {value} fits none of {is}");
            }
            other => panic!("{path}: keyword {other}"),
        }
    }
    // An object of names with values.
    if schema.get("properties").is_none()
        && let Some(of) = schema.get("additionalProperties").filter(|a| a.is_object())
    {
        value.as_object().unwrap().iter().for_each(|(k, v)| must(v, of, root, &format!("{path}.{k}")));
    }
}

/// A folder with every document that a run can have, and the names of their schemas.
fn written(folder: &Folder) -> Vec<(&'static str, &'static str)> {
    folder.write("f.fpcore", SMALL).write("g.fpcore", SMALL.replace("small", "other"));
    let few = ["--operators", "constant,accuracy,delete,unary", "--budget", "20"];
    folder.run(&[&["gen", "f.fpcore", "g.fpcore", "-o", "two", "-q"], &few[..]].concat()).expect(0);
    folder.run(&[&["gen", "f.fpcore", "-o", "out", "-q"], &few[..]].concat()).expect(0);
    folder.write("mine.csv", "x,y,expected\n2,1,1.2\n3,1,7\n9,1,reject\n");
    let suggest = ["--suggest", "--matrix", "-o", "out", "-q"];
    folder.run(&[&["eval", "f.fpcore", "mine.csv"], &few[..], &suggest[..]].concat()).expect(1);
    folder.write("answers.csv", "test_id,result\nt001,1\nt002,error: no\n");
    folder.run(&["check", "f.fpcore", "out", "--results", "answers.csv", "-o", "out", "-q"]);
    vec![
        ("out/manifest.json", "manifest"),
        ("out/summary.json", "summary"),
        ("two/summary.json", "run"),
        ("out/tests.json", "tests"),
        ("out/mutants.json", "mutants"),
        ("out/check.json", "check"),
        ("out/eval.json", "eval"),
    ]
}

#[test]
fn files_have_the_schemas_that_are_published() {
    let folder = Folder::new();
    let mut seen = BTreeSet::new();
    for (file, name) in written(&folder) {
        let schema = folder.run(&["schema", name]).expect(0).json();
        must(&folder.json(file), &schema, &schema, name);
        seen.insert(name);
        // The test can fail: a field too many, one too few, a word that is none.
        let mut wrong = folder.json(file);
        wrong["unknown"] = Value::Null;
        assert!(std::panic::catch_unwind(|| must(&wrong, &schema, &schema, name)).is_err());
        let mut wrong = folder.json(file);
        wrong.as_object_mut().unwrap().remove("schema");
        assert!(std::panic::catch_unwind(|| must(&wrong, &schema, &schema, name)).is_err());
    }
    let listed = folder.run(&["schema", "--json"]).expect(0).json();
    for one in listed["documents"].as_array().unwrap() {
        let name = one["name"].as_str().unwrap();
        // Only an interrupted run writes it: tests of resuming have one.
        assert!(seen.contains(name) || name == "resume", "{name} is not looked at here");
        let schema = folder.run(&["schema", name]).expect(0).json();
        assert_eq!(schema["properties"]["schema"]["const"], one["schema"]);
    }
    folder.run(&["schema", "nothing"]).expect(2);
}

#[test]
fn a_part_is_read_as_it_was_written() {
    let folder = Folder::new();
    written(&folder);
    for (dir, names) in [("out", vec![""]), ("two", vec!["small", "other"])] {
        let dir = folder.path(dir);
        assert_eq!(read::folders(&dir).unwrap(), names);
        for name in names {
            let part = Part::read(&dir.join(name)).unwrap();
            for (file, bytes) in part.files() {
                assert!(std::fs::read(dir.join(name).join(file)).unwrap() == bytes, "{name}/{file}");
            }
        }
    }
}

/// What is wrong with a file is said with its name, and what to do.
#[test]
fn damaged_documents_are_named() {
    let folder = Folder::new();
    written(&folder);
    let report = || folder.run(&["report", "out", "--format", "csv", "-o", "-"]);
    report().expect(0);
    for file in ["manifest.json", "summary.json", "tests.json", "mutants.json", "matrix.csv", "check.json"] {
        let path = format!("out/{file}");
        let good = folder.read(&path);
        let again = if file == "check.json" { "run `magneto check` again" } else { "run `magneto gen` again" };
        for bad in [good[..good.len() / 2].to_owned(), good.replacen("magneto/", "other/", 1), String::new()] {
            if file == "matrix.csv" && bad.starts_with("test_id") {
                continue;
            }
            folder.write(&path, bad);
            report().expect(2).says(&[file, again]);
        }
        folder.write(&path, good);
    }
    report().expect(0);
}
