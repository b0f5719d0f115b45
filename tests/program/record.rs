//! The files of a run's folder: each has the schema that is published, and is read back as it was written.

use crate::cli_support::{Folder, SMALL};
use magneto::record::{Part, read};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Where a value is not what a schema says. What a schema does not name must not be there, and a keyword that this does not
/// know is none of ours.
pub(crate) fn must(value: &Value, schema: &Value, root: &Value, path: &str) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.trim_start_matches('#')).ok_or(format!("{path}: {reference}"))?;
        return must(value, target, root, path);
    }
    // Anything may stand there.
    if *schema == Value::Bool(true) {
        return Ok(());
    }
    let number = |is: &Value| is.as_f64().unwrap_or(f64::NAN);
    let length = value.as_array().map_or(0, Vec::len) as f64;
    let others = schema.get("additionalProperties").filter(|a| a.is_object());
    let is_named = schema.get("properties").is_some();
    for (keyword, is) in schema.as_object().ok_or(format!("{path}: {schema}"))? {
        let fits = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "format" | "default" | "additionalProperties" => true,
            "const" => value == is,
            "enum" => is.as_array().is_some_and(|all| all.contains(value)),
            "minimum" => !value.is_number() || number(value) >= number(is),
            "maximum" => !value.is_number() || number(value) <= number(is),
            "minItems" => !value.is_array() || length >= number(is),
            "maxItems" => !value.is_array() || length <= number(is),
            "type" => is.as_array().map_or_else(|| is_a(value, is), |all| all.iter().any(|t| is_a(value, t))),
            "required" => is.as_array().into_iter().flatten().all(|k| value.get(k.as_str().unwrap_or("")).is_some()),
            "anyOf" | "oneOf" => is.as_array().into_iter().flatten().any(|s| must(value, s, root, path).is_ok()),
            "prefixItems" => {
                let pairs = value.as_array().into_iter().flatten().zip(is.as_array().into_iter().flatten());
                for (k, (v, s)) in pairs.enumerate() {
                    must(v, s, root, &format!("{path}[{k}]"))?;
                }
                true
            }
            "items" => {
                for (k, v) in value.as_array().into_iter().flatten().enumerate() {
                    must(v, is, root, &format!("{path}[{k}]"))?;
                }
                true
            }
            "properties" => {
                for (key, v) in value.as_object().into_iter().flatten() {
                    let of = is.get(key).or(others).ok_or(format!("{path}: {key} is not published"))?;
                    must(v, of, root, &format!("{path}.{key}"))?;
                }
                true
            }
            _ => false,
        };
        if !fits {
            return Err(format!("{path}: {keyword} {is}"));
        }
    }
    // An object of names with values.
    for (key, v) in value.as_object().into_iter().flatten().filter(|_| !is_named) {
        if let Some(of) = others {
            must(v, of, root, &format!("{path}.{key}"))?;
        }
    }
    Ok(())
}

fn is_a(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_u64(),
        Some("number") => value.is_number(),
        Some("null") => value.is_null(),
        _ => false,
    }
}

/// A folder with every document that a run can have, and the names of their schemas.
fn written(folder: &Folder) -> Vec<(&'static str, &'static str)> {
    folder.write("f.fpcore", SMALL).write("g.fpcore", SMALL.replace("small", "other"));
    let few = ["--operators", "constant,accuracy,delete,unary", "--budget", "20"];
    folder.run(&[&["gen", "f.fpcore", "g.fpcore", "-o", "two", "-q"], &few[..]].concat()).expect(0);
    folder.run(&[&["gen", "f.fpcore", "-o", "out", "-q"], &few[..]].concat()).expect(0);
    folder.run(&[&["gen", "f.fpcore", "-o", "part", "-q", "--shard", "2/2"], &few[..]].concat()).expect(0);
    folder.write("script.smt2", "(check-sat)");
    folder.run(&["solve", "script.smt2", "-o", "share", "-q", "--shard", "1/2"]).expect(0);
    folder.write("mine.csv", "x,y,expected\n2,1,1.2\n3,1,7\n9,1,reject\n");
    let suggest = ["--suggest", "--matrix", "-o", "out", "-q"];
    folder.run(&[&["eval", "f.fpcore", "mine.csv"], &few[..], &suggest[..]].concat()).expect(1);
    folder.write("answers.csv", "test_id,result\nt001,1\n");
    folder.run(&["check", "f.fpcore", "out", "--results", "answers.csv", "-o", "out", "-q"]);
    let always = |answer: &str| format!("while read -r inputs; do echo {answer}; done");
    let search = ["--exec", &always("1"), "--against", &always("nan"), "--evaluations", "60", "-o", "out", "-q"];
    folder.run(&[&["worst", "f.fpcore"], &search[..]].concat()).expect(1);
    vec![
        ("out/worst.json", "worst"),
        ("out/manifest.json", "manifest"),
        ("out/summary.json", "summary"),
        ("two/summary.json", "run"),
        ("part/shard.json", "shard"),
        ("share/share.json", "share"),
        ("out/tests.json", "tests"),
        ("out/mutants.json", "mutants"),
        ("out/check.json", "check"),
        ("out/eval.json", "eval"),
    ]
}

/// What commands print with `--json` and write into no folder of a run, and the names of the schemas.
fn printed(folder: &Folder) -> Vec<(Value, &'static str)> {
    folder.write("f.fpcore", SMALL).write("one.smt2", "(declare-const x Float32)(assert (fp.lt x x))(check-sat)");
    folder.write("other.smt2", "(declare-const x Float32)(assert (fp.eq x x))(check-sat)").write("wrong.smt2", "(");
    folder.write("open.smt2", "(assert (exists ((x Float32)) (fp.lt x x)))(check-sat)");
    for module in ["angle", "tank"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/code/modules/{module}.wasm"));
        folder.write(&format!("{module}.wasm"), std::fs::read(path).unwrap());
    }
    folder.write(
        "level.fpcore",
        "(FPCore (v r) :precision binary64 :pre (and (<= 0 v 1) (<= 1 r 2)) :magneto-abs-error 1 (* v r))",
    );
    let level = ["--fn", "level"];
    let step = ["--fn", "step"];
    let few = ["--evaluations", "300"];
    let bench = ["--filter", "doppler1"];
    folder.write("same.fpcore", "(FPCore (x) :pre (<= 1 x 2) :magneto-ulps 1 x)");
    folder.write("same.c", "double same(double x) { return x; }\n");
    let entries = ["exec = \"cat\"", "c-source = \"same.c\"\nfn = \"same\""];
    let entries = entries.map(|what| format!("[[implementation]]\nspec = \"same.fpcore\"\n{what}\n"));
    folder.write("magneto.toml", entries.concat());
    let commands: [(&str, &[&str]); 16] = [
        ("checks", &["check"]),
        ("worsts", &["worst", "--evaluations", "60"]),
        ("covers", &[&["cover"], &few[..]].concat()),
        ("lint", &["lint", "f.fpcore"]),
        ("bench-rounding", &[&["bench", "rounding", "--boxes", "20", "--evaluations", "20"], &bench[..]].concat()),
        ("bench-written", &[&["bench", "written", "--samples", "10", "--budget", "20"], &bench[..]].concat()),
        (
            "bench-fpbench",
            &[&["bench", "fpbench", "--baseline", "evaluations", "--budget", "20", "-o", "bench"], &bench[..]].concat(),
        ),
        ("solve-script", &["solve", "one.smt2", "--check"]),
        ("solve", &["solve", "one.smt2", "other.smt2", "wrong.smt2", "open.smt2"]),
        ("bench-solve", &["bench", "solve", ".", "--alone"]),
        ("cover", &[&["cover", "angle.wasm", "--check"], &step[..], &few].concat()),
        ("cover", &[&["cover", "angle.wasm", "--goal", "overflow"], &step[..], &few].concat()),
        ("cover-run", &[&["cover", "angle.wasm", "--fn", "wrapped"], &step[..], &few].concat()),
        ("paths", &[&["reach", "angle.wasm", "--paths", "2", "--check"], &step[..], &few].concat()),
        ("reach", &[&["reach", "angle.wasm", "--overflow"], &step[..], &few].concat()),
        ("cover", &[&["cover", "tank.wasm", "--spec", "level.fpcore"], &level[..], &few].concat()),
    ];
    let run = |(name, command): (&'static str, &[&str])| (folder.run(&[command, &["--json"]].concat()).json(), name);
    let mut all: Vec<_> = commands.into_iter().map(run).collect();
    all.push((folder.json("bench/manifest.json"), "bench-fpbench-manifest"));
    all
}

/// Documents that this does not look at: that of the checker and those of interrupted runs, which tests of these have, and of
/// measurements that take minutes.
const ELSEWHERE: [&str; 11] = [
    "verify",
    "resume",
    "worst-resume",
    "bench-fpbench-resume",
    "bench-solver",
    "bench-worth",
    "bench-scaling",
    "bench-faults",
    "bench-worst",
    "bench-cover",
    "bench-paths",
];

#[test]
fn documents_have_the_schemas_that_are_published() {
    let folder = Folder::new();
    let mut seen = BTreeSet::new();
    let files = written(&folder).into_iter().map(|(file, name)| (folder.json(file), name));
    for (document, name) in files.collect::<Vec<_>>().into_iter().chain(printed(&folder)) {
        let schema = folder.run(&["schema", name]).expect(0).json();
        must(&document, &schema, &schema, name).unwrap();
        seen.insert(name);
        // The test can fail: a field too many, one too few, a word that is none.
        let mut wrong = document.clone();
        wrong["unknown"] = Value::Null;
        assert!(must(&wrong, &schema, &schema, name).is_err());
        let mut wrong = document;
        wrong.as_object_mut().unwrap().remove("schema");
        assert!(must(&wrong, &schema, &schema, name).is_err());
    }
    let listed = folder.run(&["schema", "--json"]).expect(0).json();
    for one in listed["documents"].as_array().unwrap() {
        let name = one["name"].as_str().unwrap();
        assert!(seen.contains(name) || ELSEWHERE.contains(&name), "{name} is not looked at here");
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
            if bad == good {
                continue;
            }
            folder.write(&path, bad);
            report().expect(2).says(&[file, again]);
        }
        folder.write(&path, good);
    }
    report().expect(0);
}
