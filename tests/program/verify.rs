//! `magneto verify`: a checker that shares nothing with this program proves the claims of runs, and refutes false ones.

use crate::ball_judge::python;
use crate::cli_support::Folder;
use crate::record::must;
use crate::support;
use std::path::PathBuf;
use std::process::{Command, Output};

const MAGNETO: &str = env!("CARGO_BIN_EXE_magneto");

fn package() -> PathBuf {
    support::here("verify")
}

/// A run of `gen` over a specification of `specs/`, verified.
fn verified(folder: &Folder, spec: &str, options: &[&str]) -> Output {
    let spec = support::here(&format!("specs/{spec}.fpcore"));
    let made = Command::new(MAGNETO)
        .current_dir(folder.root())
        .args([
            "gen",
            "--quiet",
            "--no-cache",
            "-o",
            "out",
            "--operators",
            "accuracy,bounds,constant,variable,evaluation",
        ])
        .arg(spec)
        .status();
    assert!(made.is_ok_and(|s| s.success()));
    verify(folder, options)
}

fn verify(folder: &Folder, options: &[&str]) -> Output {
    verify_results(folder, "out", options)
}

fn verify_results(folder: &Folder, results: &str, options: &[&str]) -> Output {
    let run = Command::new(MAGNETO)
        .current_dir(folder.root())
        .env("PYTHONPATH", package())
        .args(["verify", results])
        .args(options)
        .output();
    run.expect("the program starts")
}

#[test]
fn one_mutant_or_test_is_verified_alone_and_each_claim_is_named() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    assert_eq!(verified(&folder, "nernst", &["--only", "t001"]).status.code(), Some(0));
    let mutants: serde_json::Value = serde_json::from_str(&folder.read("out/mutants.json")).unwrap();
    let one_of = |status: &str| {
        let found = mutants["mutants"].as_array().unwrap().iter().find(|m| m["status"] == status).unwrap();
        found["id"].as_str().unwrap().to_owned()
    };
    let (killed, proved) = (one_of("killed"), one_of("indistinguishable"));
    let said = |id: &str, code: i32| {
        let found = verify(&folder, &["--only", id]);
        let text = String::from_utf8_lossy(&found.stdout).into_owned();
        assert_eq!(found.status.code(), Some(code), "{text}{}", String::from_utf8_lossy(&found.stderr));
        text
    };
    let text = said(&killed, 0);
    for line in
        [format!("verified: killed {killed}"), format!("verified: change {killed}"), "verified: oracle t".to_owned()]
    {
        assert!(text.contains(&line), "no {line} in\n{text}");
    }
    assert!(text.contains("verified: kill t") && text.contains(" 0 not verified, 0 REFUTED"), "{text}");
    assert!(said(&proved, 0).contains(&format!("verified: indistinguishable {proved}")));
    assert!(said("t001", 0).contains("verified: oracle t001\n"));
    let found = verify(&folder, &["--only", &killed, "--format", "json"]);
    let some: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    let claims = some["specifications"][0]["claims"].as_array().unwrap();
    let tests = claims.iter().filter(|c| c["kind"] == "oracle").count();
    assert!(tests > 0 && claims.len() < 3 * tests + 4, "{some}");
    assert_eq!(verify(&folder, &["--only", "nothing"]).status.code(), Some(2));
    // `explain` asks it as well.
    let spec = support::here("specs/nernst.fpcore");
    let explain = || {
        let mut run = Command::new(MAGNETO);
        run.current_dir(folder.root()).env("PYTHONPATH", package()).arg("explain").arg(&spec);
        run.args([&proved, "--from", "out", "--check", "--operators", "accuracy,bounds,constant,variable,evaluation"]);
        let found = run.output().unwrap();
        assert_eq!(found.status.code(), Some(0), "{}", String::from_utf8_lossy(&found.stderr));
        String::from_utf8(found.stdout).unwrap()
    };
    let text = explain();
    assert!(
        text.contains("the independent checker\n") && text.contains(&format!("verified: indistinguishable {proved}")),
        "{text}"
    );
    // A lie about this mutant is seen, and only with it.
    let mut lie = mutants.clone();
    let of_it = lie["mutants"].as_array_mut().unwrap().iter_mut().find(|m| m["id"] == killed.as_str()).unwrap();
    of_it["status"] = "indistinguishable".into();
    std::fs::write(folder.path("out/mutants.json"), lie.to_string()).unwrap();
    assert!(said(&killed, 1).contains(&format!("REFUTED: indistinguishable {killed}: t")));
    said(&proved, 0);
}

#[test]
fn an_honest_run_verifies_and_a_false_file_is_refuted() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    let found = verified(&folder, "nernst", &[]);
    let text = String::from_utf8_lossy(&found.stdout);
    assert_eq!(found.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&found.stderr));
    assert!(text.contains("indistinguishable") && text.ends_with(" verified, 0 not verified, 0 REFUTED\n"), "{text}");
    let found = verify(&folder, &["--format", "junit"]);
    assert!(String::from_utf8_lossy(&found.stdout).starts_with("<?xml"));
    let path = folder.path("out/summary.json");
    let changed = std::fs::read_to_string(&path).unwrap().replacen("\"killed\": ", "\"killed\": 9", 1);
    std::fs::write(&path, changed).unwrap();
    let found = verify(&folder, &["--json"]);
    let json: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(found.status.code(), Some(1), "{json}");
    assert!(json["REFUTED"].as_u64().unwrap() > 0);
}

/// The checker reads names of sizes, one of them hidden by a variable and each beside a literal of its value, and preconditions with loops
/// and alternatives.
#[test]
fn sizes_and_preconditions_verify_and_another_domain_is_refuted() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    folder.write(
        "f.fpcore",
        "(FPCore mean ((a n)) :name \"the mean\" :magneto-sizes ((n 2 3)) :magneto-abs-error 1e-10
           :pre (for ([i n]) ([all TRUE (and all (<= -1 (ref a i) 1))]) all)
           (+ (* 3 (let ([n 3]) (+ n 2))) (/ (for ([i n]) ([s 0 (+ s (* 2 (ref a i)))]) s) n)))
         (FPCore sums ((v n)) :magneto-sizes ((n 2 2)) :magneto-abs-error 1e-10
           :pre (and (<= 0 (ref v 0) 1) (<= 0 (ref v 1) 1))
           (tensor* ([i n]) ([s 0 (+ s (ref v i))]) (* s n)))
         (FPCore parts (x y) :magneto-rel-error 1e-3
           :pre (and (<= 0 y 1) (or (and (< 0 x 0.5) (< y 0.5)) (not (or (<= x 1) (>= x 1.5))) (and (< 2 x 2.5) (< 3 y))))
           (+ x (+ y 1)))
         (FPCore steps (x) :pre (for ([i 3]) ([some FALSE (or some (< i x (+ i 1/2)))]) some) :magneto-rel-error 1e-3 (j0 x))",
    );
    folder.run(&["gen", "f.fpcore", "-o", "out", "--quiet", "--operators", "paper"]).expect(0);
    let found = verify(&folder, &[]);
    let text = String::from_utf8_lossy(&found.stdout);
    assert!(found.status.code() == Some(0) && text.contains(", 0 REFUTED"), "{text}");
    let changed = folder.read("out/parts/source.fpcore").replace("(>= x 1.5)", "(>= x 1.75)");
    folder.write("out/parts/source.fpcore", changed);
    let found = verify(&folder, &[]);
    assert!(String::from_utf8_lossy(&found.stdout).contains("another precondition"), "{found:?}");
}

#[test]
fn calls_verify_and_a_change_of_another_place_is_refuted() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    // A name that stands for two cores, one that is called twice, and sizes.
    folder.write(
        "f.fpcore",
        "(FPCore sq (x) (+ (* x x) 3))
         (FPCore p (a) (+ (sq a) (sq 2)))
         (FPCore sq (x y) (* x y))
         (FPCore inner ((a n) (b n)) (for ([i n]) ([s 0 (+ s (* (ref a i) (ref b i)))]) s))
         (FPCore top (x y) :pre (and (<= 1 x 2) (<= 1 y 2) (<= (sq x y) 3))
           (sqrt (+ (p x) (+ (sq y 3) (inner (array x y) (array y 2))))))",
    );
    folder.run(&["gen", "f.fpcore:top", "-o", "out", "--quiet", "--operators", "constant,variable"]).expect(0);
    let said = verify(&folder, &[]);
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.status.code() == Some(0) && text.contains(" 0 REFUTED"), "{text}");
    // The same change, said to be at the place of another call.
    let own = folder.read("out/mutants.json");
    let mark = "\"operator\":\"variable\",\"objective\":\"functional\",\"line\":1,";
    let (before, behind) = own.split_once(mark).expect("a mutant of the first core");
    let behind = behind.replacen("\"end_line\":1,", "\"end_line\":3,", 1);
    folder.write("out/mutants.json", format!("{before}{}{behind}", mark.replace(":1,", ":3,")));
    let said = verify(&folder, &[]);
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.status.code() == Some(1) && text.contains("the change at its place does not give"), "{text}");
}

/// The checker goes round loops by itself, and finds by itself that one never ends.
#[test]
fn loops_verify_and_a_result_of_one_that_never_ends_is_refuted() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    folder.write(
        "f.fpcore",
        "(FPCore (x y) :name \"f\" :pre (and (<= 1 x 2) (<= 1 y 3)) :magneto-rel-error 1e-9
           (while* (> s 0.01) ([s x (* s 1/2)] [t y (+ (* t 3/4) s)]) (+ s t)))",
    );
    folder.run(&["gen", "f.fpcore", "-o", "out", "--quiet", "--operators", "binary,variable"]).expect(0);
    let found = verify(&folder, &[]);
    let text = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(text.ends_with(", 0 REFUTED\n"), "{text}");
    let mutants = folder.read("out/mutants.csv");
    let endless = mutants.lines().find(|l| l.contains(",(* s 1/2),(+ s 1/2),")).expect("a mutant that never ends");
    let id = endless.split(',').next().unwrap();
    assert!(endless.contains(",killed,"), "{endless}");
    let found = verify(&folder, &["--only", id]);
    let text = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(text.contains(&format!(" {id}\n")) && text.ends_with(" 0 not verified, 0 REFUTED\n"), "{text}");
    // It has the right result, says the first test.
    let row = |l: &str| if l.starts_with("t001,") { l.replace('K', "O") } else { l.to_owned() };
    let matrix: Vec<String> = folder.read("out/matrix.csv").lines().map(row).collect();
    folder.write("out/matrix.csv", matrix.join("\n") + "\n");
    let found = verify(&folder, &["--only", "t001"]);
    let text = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(text.contains(&format!("REFUTED: right result t001 {id}")), "{text}");
}

#[test]
fn fixed_point_claims_verify_and_a_changed_result_is_refuted() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    let spec =
        "(FPCore f (x y) :name \"f\" :precision (fixed -3 6) :magneto-overflow saturate :magneto-ulps 1 (- (* x y) x))";
    folder.write("f.fpcore", spec);
    folder
        .run(&["gen", "f.fpcore", "-o", "out", "--quiet", "--operators", "constant,variable,binary,region"])
        .expect(0);
    let found = verify(&folder, &[]);
    let text = String::from_utf8_lossy(&found.stdout);
    assert!(found.status.code() == Some(0) && text.ends_with(", 0 REFUTED\n"), "{text}");
    // An end of a valid interval that is one unit off.
    for name in ["out/tests.json", "out/tests.csv"] {
        let changed = folder.read(name).replace("-0x1p+2", "-0x1.fp+1");
        folder.write(name, changed);
    }
    let found = verify(&folder, &[]);
    assert!(String::from_utf8_lossy(&found.stdout).contains("REFUTED: oracle"), "{found:?}");
}

#[test]
fn claims_of_results_that_wrap_around_verify_and_a_lie_near_an_end_is_refuted() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    let spec =
        "(FPCore (x y) :name \"f\" :precision (fixed -3 6) :magneto-overflow wrap :magneto-ulps 1/2 (* 3 (- x y)))";
    folder.write("f.fpcore", spec);
    folder.run(&["gen", "f.fpcore", "-o", "out", "--quiet", "--operators", "full"]).expect(0);
    let found = verify(&folder, &[]);
    let text = String::from_utf8_lossy(&found.stdout);
    assert!(found.status.code() == Some(0) && text.ends_with(", 0 REFUTED\n"), "{text}");
    // The numbers nearer to an end are owed as well, says the run.
    for (name, from, to) in [
        ("manifest.json", "(remainder (* 3 (- x y)) 8)) 3.8125)", "(remainder (* 3 (- x y)) 8)) 3.9375)"),
        ("manifest.json", "any", "reject"),
    ] {
        let path = format!("out/{name}");
        let before = folder.read(&path);
        assert!(before.contains(from), "{from}: {before}");
        folder.write(&path, before.replace(from, to));
        let found = verify(&folder, &[]);
        assert!(String::from_utf8_lossy(&found.stdout).contains("REFUTED: specification"), "{found:?}");
        folder.write(&path, before);
    }
}

#[test]
fn claims_about_programs_verify_and_what_is_none_is_refuted() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    folder.write(
        "f.fpcore",
        "(FPCore f (x y) :name \"f\" :precision binary32 :pre (and (<= -4 x y) (<= y 4)) :magneto-meaning program \
         (+ (* x (! :precision binary64 (* y 0.1))) x 1/3))",
    );
    folder.run(&["gen", "f.fpcore", "-o", "out", "--quiet", "--operators", "full"]).expect(0);
    let found = verify(&folder, &[]);
    let text = String::from_utf8_lossy(&found.stdout);
    assert!(found.status.code() == Some(0) && text.ends_with(", 0 REFUTED\n"), "{text}");
    // As a formula over the reals it has other values, and the checker reads the file anew.
    for name in ["manifest.json", "source.fpcore"] {
        let path = format!("out/{name}");
        let before = folder.read(&path);
        assert!(before.contains("program"), "{before}");
        folder.write(&path, before.replace(":magneto-meaning program", ":magneto-meaning real"));
        let found = verify(&folder, &[]);
        let text = String::from_utf8_lossy(&found.stdout);
        assert!(text.contains("REFUTED: specification"), "{text}");
        folder.write(&path, before);
    }
    // The number beside the result.
    let tests = folder.read("out/tests.json");
    let document: serde_json::Value = serde_json::from_str(&tests).unwrap();
    let all = document["tests"].as_array().unwrap();
    let test =
        all.iter().rev().find(|t| t["lo"].as_str().is_some_and(|lo| lo.len() == "-0x1.abcdefp+0".len())).unwrap();
    let lo = test["lo"].as_str().unwrap();
    let digit = lo.find('p').unwrap() - 1;
    let other = if &lo[digit..=digit] == "2" { "4" } else { "2" };
    let lie = format!("{}{other}{}", &lo[..digit], &lo[digit + 1..]);
    for name in ["out/tests.json", "out/tests.csv"] {
        folder.write(name, folder.read(name).replace(lo, &lie));
    }
    let found = verify(&folder, &[]);
    assert!(String::from_utf8_lossy(&found.stdout).contains("REFUTED: oracle"), "{found:?}");
}

#[test]
fn claims_about_programs_in_fixed_point_verify_and_another_rounding_is_refuted() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    for overflow in ["clamp", "wrap", "infinity"] {
        folder.write(
            "f.fpcore",
            format!(
                "(FPCore f ((! :precision (fixed -7 8) x) (! :precision (fixed -5 8) y)) :name \"f\" :precision (fixed -6 8) \
                 :round toNegative :overflow {overflow} :magneto-meaning program \
                 (cast (! :precision (fixed -14 32) (+ (* 0.3 x) (if (< x y) (/ x 3) (- (* 3/4 y)))))))"
            ),
        );
        let out = format!("out-{overflow}");
        folder.run(&["gen", "f.fpcore", "-o", &out, "--quiet", "--operators", "evaluation,constant,delete"]).expect(0);
        let verified = || String::from_utf8_lossy(&verify_results(&folder, &out, &[]).stdout).into_owned();
        let text = verified();
        assert!(text.ends_with(", 0 REFUTED\n"), "{text}");
        let counts: Vec<&str> = text.lines().last().unwrap().split(' ').collect();
        let [done, open] = [counts[0], counts[2]].map(|n| n.parse::<usize>().unwrap());
        assert!(done > 200 && open * 50 < done, "{text}");
        for name in ["manifest.json", "source.fpcore"] {
            let path = format!("{out}/{name}");
            let before = folder.read(&path);
            folder.write(&path, before.replace(":round toNegative", ":round toPositive"));
            let text = verified();
            assert!(text.contains("REFUTED: specification"), "{text}");
            folder.write(&path, before);
        }
    }
}

#[test]
fn branches_of_code_verify_and_a_branch_that_is_taken_is_not_infeasible() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    folder.write(
        "f.c",
        "double f(double x) {\n    double y = x * x;\n    if (y < 0) return 1;\n    if (y == 1e300) return 2;\n    \
           return x > 3 ? y : -y;\n}\nint g(int n) {\n    if (n % 7 > 6) return 1;\n    return 0;\n}\n",
    );
    folder.run(&["cover", "f.c", "--all", "--no-native", "-o", "out", "--quiet"]).expect(0);
    assert!(std::path::Path::new(&folder.path("out/code.wasm")).exists(), "functions of one build share their module");
    let found = verify(&folder, &[]);
    let text = String::from_utf8_lossy(&found.stdout);
    assert!(found.status.code() == Some(0) && text.contains("infeasible                2 verified"), "{text}");
    // What some input takes is said to be infeasible; and the other way round.
    let before = folder.read("out/f/cover.json");
    let taken = before.replacen("\"status\": \"taken\"", "\"status\": \"infeasible\"", 1);
    let is_taken = before.replacen(
        "\"status\": \"infeasible\",\n      \"by\": null",
        "\"status\": \"taken\",\n      \"by\": 0",
        1,
    );
    assert!(taken != before && is_taken != before, "{before}");
    for (lie, said) in [(taken, "REFUTED: infeasible"), (is_taken, "REFUTED: taken")] {
        folder.write("out/f/cover.json", lie);
        let found = verify(&folder, &[]);
        let text = String::from_utf8_lossy(&found.stdout);
        assert!(found.status.code() == Some(1) && text.contains(said), "{text}");
    }
    folder.write("out/f/cover.json", before);
    // Of a line, too.
    for (line, word) in [("3", "infeasible"), ("5", "feasible")] {
        let out = format!("reached{line}");
        folder.run(&["reach", "f.c", "--fn", "f", "--line", line, "--no-native", "-o", &out]).expect(0);
        let found = verify_results(&folder, &out, &[]);
        let text = String::from_utf8_lossy(&found.stdout);
        assert!(found.status.success() && text.contains(&format!("  {word} ")), "{text}");
    }
    let lie = folder.read("reached5/reach.json").replace("\"feasible\",", "\"infeasible\",");
    folder.write("reached5/reach.json", lie);
    let found = verify_results(&folder, "reached5", &[]);
    assert!(String::from_utf8_lossy(&found.stdout).contains("REFUTED: infeasible --line 5"), "{found:?}");
    std::fs::write(folder.path("out/code.wasm"), b"\0asm\x01\0\0\0").unwrap();
    let found = verify(&folder, &[]);
    assert!(String::from_utf8_lossy(&found.stdout).contains("REFUTED: module"), "{found:?}");
}

#[test]
fn the_module_that_is_looked_into_is_not_written_over() {
    let folder = Folder::new();
    folder.write("f.c", "int f(int n) { if (n > 3) return 1; return 0; }\n");
    folder.run(&["reach", "f.c", "--fn", "f", "--line", "1", "--no-native", "-o", ".", "--quiet"]).expect(0);
    let own = std::fs::read(folder.path("code.wasm")).unwrap();
    for options in [&["reach", "--div0"][..], &["cover"]] {
        let options = [options, &["code.wasm", "--fn", "f", "--no-native", "-o", "."]].concat();
        folder.run(&options).expect(2).says(&["code.wasm is ", "would be overwritten"]);
    }
    assert_eq!(std::fs::read(folder.path("code.wasm")).unwrap(), own);
}

#[test]
fn what_is_missing_is_told_with_a_remedy() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    let found = verify(&folder, &[]);
    let said = String::from_utf8_lossy(&found.stderr);
    assert_eq!(found.status.code(), Some(2), "{said}");
    assert!(said.contains("no folder of `magneto gen`"), "{said}");
    let without = Command::new(MAGNETO)
        .current_dir(folder.root())
        .env("PYTHON", "no-such-python")
        .args(["verify", "out"])
        .output();
    let without = without.unwrap();
    assert_eq!(without.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&without.stderr).contains("no-such-python"));
}

/// What an implementation did is checked with the run, and the record says who checked what.
#[test]
fn the_record_says_what_the_checker_found() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    folder.write(
        "half.fpcore",
        "(FPCore (x) :name \"half\" :magneto-req \"R-1\" :pre (<= 1 x 9) :magneto-rel-error 1e-9 (/ x 2))",
    );
    folder.write("requirements.toml", "[[requirement]]\nid = \"R-1\"\ntext = \"Half of it.\"\n");
    folder.write("half.c", "double half(double x) { return x > 8 ? x / 2 + 1e-6 : x / 2; }\n");
    let code = ["--c-source", "half.c", "--fn", "half", "-q", "-o"];
    folder.run(&["gen", "half.fpcore", "-q", "-o", "out", "--operators", "constant,unary,region"]).expect(0);
    folder.run(&[&["check", "half.fpcore", "out"], &code[..], &["out"]].concat()).expect(1);
    folder.run(&[&["worst", "half.fpcore", "--evaluations", "500"], &code[..], &["searched"]].concat()).expect(1);
    let record =
        |dirs: &[&str]| folder.run(&[&["report"], dirs, &["--format", "record", "-o", "-"]].concat()).expect(0);
    assert!(record(&["out", "searched"]).out.contains("Nothing here was checked by other means"));
    let found = verify(&folder, &["searched", "--keep"]);
    let text = String::from_utf8_lossy(&found.stdout);
    assert_eq!(found.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&found.stderr));
    for kind in ["check: verdict", "check: error", "worst: oracle", "worst: verdict"] {
        assert!(text.contains(kind), "{kind}: {text}");
    }
    let (document, schema) = (folder.json("out/verify.json"), folder.run(&["schema", "verify"]).expect(0).json());
    must(&document, &schema, &schema, "verify").unwrap();
    let proved = format!("proved <strong>{}</strong> claims again", document["verified"]);
    let page = record(&["out", "searched"]).out;
    assert!(page.contains(&proved) && page.contains("worst: verdict ("), "{page}");
    // The page of the run says it of each mutant and test.
    let run_page = || folder.run(&["report", "out", "-o", "-"]).expect(0).out;
    let rows = |page: &str| page.matches("<td>both</td>").count();
    let claims = folder.json("out/mutants.json")["mutants"].as_array().unwrap().len()
        + folder.json("out/tests.json")["tests"].as_array().unwrap().len();
    assert!(run_page().contains(&proved) && rows(&run_page()) == claims, "{claims}");
    let kept = folder.read("out/verify.json");
    let mutant = folder.json("out/mutants.json")["mutants"][0]["id"].as_str().unwrap().to_owned();
    let limit = format!(
        "\"not_verified\": [{{\"kind\": \"kill\", \"subject\": \"t001 {mutant}\", \"verdict\": \"not verified\", \"why\": \"it is late\"}}"
    );
    folder.write("out/verify.json", kept.replacen("\"not_verified\": [", &limit, 1));
    assert!(run_page().contains("Magneto; not the kill"));
    // A test and a mutant.
    assert_eq!(rows(&run_page()), claims - 2);
    let refuted = "\"not_verified\": [{\"kind\": \"specification\", \"subject\": \"half\", \"verdict\": \"REFUTED\", \"why\": \"another one\"}";
    folder.write("out/verify.json", kept.replacen("\"not_verified\": [", refuted, 1));
    assert!(rows(&run_page()) == 0 && run_page().contains("REFUTED: specification"));
    folder.write("out/verify.json", &kept);
    // What was said of another run is left out.
    folder.run(&["gen", "half.fpcore", "-q", "-o", "other", "--operators", "constant"]).expect(0);
    folder.write("other/verify.json", folder.read("out/verify.json"));
    assert!(!folder.run(&["report", "other", "-o", "-"]).expect(0).out.contains("checked by"));
    record(&["other"]).says(&["verify.json is about another run"]);
    folder.write("half.c", "double half(double x) { return x / 2; }\n");
    folder.run(&[&["check", "half.fpcore", "out"], &code[..], &["out"]].concat()).expect(0);
    record(&["out"]).says(&["verify.json is about another run"]);
    // What is not the checker's is not overwritten.
    folder.write("other/verify.json", "{\"mine\": 1}");
    let other = Command::new(MAGNETO)
        .current_dir(folder.root())
        .env("PYTHONPATH", package())
        .args(["verify", "other", "--keep"])
        .output();
    assert_eq!((other.unwrap().status.code(), folder.read("other/verify.json").as_str()), (Some(2), "{\"mine\": 1}"));
    // A claim that is refuted leaves all open.
    assert_eq!(verify(&folder, &["--keep"]).status.code(), Some(0));
    assert!(record(&["out"]).out.contains("Result: <strong>PASSED</strong>"));
    let refuted = folder.read("out/verify.json").replacen("\"REFUTED\": 0", "\"REFUTED\": 1", 1);
    folder.write("out/verify.json", refuted);
    assert!(record(&["out"]).out.contains("Result: <strong>OPEN</strong>"));
}

/// The claims about code, and not those about a version that is not there any more.
#[test]
fn the_record_says_who_checked_branches_of_code() {
    if python().is_none() {
        return;
    }
    let folder = Folder::new();
    folder.write("half.fpcore", "(FPCore half (x) :name \"half\" :pre (<= 1 x 9) :magneto-rel-error 1e-9 (/ x 2))");
    folder.write(
        "near.c",
        "double near(double x, double y) {\n if (x > y) return y;\n if (x * x < -1) return 7;\n return x;\n}\n",
    );
    folder.run(&["gen", "half.fpcore", "-q", "-o", "out", "--operators", "constant"]).expect(0);
    folder.run(&["cover", "near.c", "--fn", "near", "--no-native", "-q", "-o", "branches"]).expect(0);
    let record = || folder.run(&["report", "out", "branches", "--format", "record", "-o", "-"]).expect(0).out;
    assert!(record().contains("<td>Magneto</td>"), "{}", record());
    // Beside the branches.
    let found = verify_results(&folder, "branches", &["--keep"]);
    assert_eq!(found.status.code(), Some(0), "{}", String::from_utf8_lossy(&found.stdout));
    let (document, schema) = (folder.json("branches/verify.json"), folder.run(&["schema", "verify"]).expect(0).json());
    must(&document, &schema, &schema, "verify").unwrap();
    let page = record();
    assert!(page.contains("<td>both</td>") && page.contains("infeasible (1)") && page.contains("taken (3)"), "{page}");
    let page = folder.run(&["report", "branches", "-o", "-"]).expect(0).out;
    assert!(page.contains("Independent check") && page.contains("proved <strong>4</strong> claims again"), "{page}");
    // With the run, where the branches stand elsewhere.
    std::fs::remove_file(folder.root().join("branches/verify.json")).unwrap();
    assert_eq!(verify_results(&folder, "out", &["branches", "--keep"]).status.code(), Some(0));
    assert!(record().contains("<td>both</td>") && record().contains("infeasible (1)"), "{}", record());
    // What is refuted is no claim of Magneto alone.
    let kept = folder.read("out/verify.json");
    folder.write(
        "out/verify.json",
        kept.replacen(
            "\"kind\": \"infeasible\",\n     \"verdict\": \"verified\"",
            "\"kind\": \"infeasible\",\n     \"verdict\": \"REFUTED\"",
            1,
        ),
    );
    assert!(record().contains("<td>REFUTED: 1 of 4 claims</td>"), "{}", record());
    folder.write("out/verify.json", kept);
    // Another version of the branches is not what was checked.
    folder.write("branches/cover.json", folder.read("branches/cover.json") + "\n");
    assert!(record().contains("<td>Magneto</td>") && !record().contains("infeasible (1)"), "{}", record());
    // All functions of a file have folders of their own.
    folder.run(&["cover", "near.c", "--all", "--no-native", "-q", "-o", "all"]).expect(0);
    assert_eq!(verify_results(&folder, "all", &["--keep"]).status.code(), Some(0));
    let pages = folder.run(&["report", "out", "all", "--format", "record", "-o", "-"]).expect(0).out;
    assert!(pages.contains("<td>both</td>") && pages.contains("infeasible (1)"), "{pages}");
    // A folder without documents.
    std::fs::create_dir(folder.root().join("empty")).unwrap();
    assert_eq!(verify_results(&folder, "empty", &["--keep"]).status.code(), Some(2));
}
