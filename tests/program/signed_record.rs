//! `report --format record`: the document that people sign, with its requirements, verdicts, open items and hashes, and as many pages
//! as it may have.

use crate::cli_support::{Folder, missing};
use std::path::Path;

fn specs(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).to_str().unwrap().to_owned()
}

const REQUIREMENTS: &str = "[[requirement]]\nid = \"REQ-AIR-001\"\ntext = \"The mass flow is right within 1e-10.\"\nlevel = \"DAL B\"\n\n\
    [[requirement]]\nid = \"REQ-X\"\ntext = \"Nobody specified this.\"\n";

/// How many pages a PDF has.
fn pages(pdf: &[u8]) -> usize {
    let text = String::from_utf8_lossy(pdf);
    text.matches("/Type /Page\n").count() + text.matches("/Type /Page/").count() + text.matches("/Type /Page ").count()
}

fn has_chromium(folder: &Folder) -> bool {
    let there = folder.command(&["--version"]).get_program().to_owned();
    let named = std::env::var_os("CHROMIUM").is_some();
    let found =
        std::env::var_os("PATH").is_some_and(|p| std::env::split_paths(&p).any(|d| d.join("chromium").is_file()));
    if !(named || found) {
        missing("no Chromium makes a PDF; CHROMIUM names one");
    }
    !there.is_empty() && (named || found)
}

#[test]
fn one_specification() {
    let folder = Folder::new();
    folder.write("requirements.toml", REQUIREMENTS);
    folder.write(
        "airflow.c",
        "#include <math.h>\ndouble airflow(double dp, double p, double T) {\n  double rho = p / (287.05 * T);\n  \
         return 0.98 * 0.00196 * sqrt(2 * rho * dp / (1 - 0.6 * 0.6 * 0.6));\n}\n",
    );
    let spec = specs("airflow.fpcore");
    folder.run(&["gen", &spec, "-q", "-o", "run"]).expect(0);
    let arguments =
        ["report", "run", "--format", "record", "--id", "VR-7 <b>", "--revision", "B", "--tester", "A. Tester"];
    folder.run(&arguments).expect(0);
    let page = folder.read("run/record.html");
    // Without an implementation nothing passed.
    assert!(
        page.contains("Result: <strong>OPEN</strong> (specifications: 0 passed, 0 failed, 1 open; gaps: 1)"),
        "{page}"
    );
    for part in [
        "VR-7 &lt;b&gt;",
        "A. Tester",
        "The mass flow is right within 1e-10.",
        "DAL B",
        "relative 1e-10",
        "requirement REQ-X has no specification",
        "What the required accuracy cannot see",
        "meets the accuracy",
        "SHA-256",
        "not a qualified tool",
        "<math",
    ] {
        assert!(page.contains(part), "no `{part}` in\n{page}");
    }
    assert!(!page.contains("<script") && !page.contains("<b>\"") && page.contains("default-src 'none'"));
    // Equal runs make equal bytes, and the date is that of SOURCE_DATE_EPOCH.
    folder.run(&arguments).expect(0);
    assert_eq!(folder.read("run/record.html"), page);
    let mut dated = folder.command(&arguments);
    assert!(dated.env("SOURCE_DATE_EPOCH", "951782400").output().unwrap().status.success());
    assert!(folder.read("run/record.html").contains("2000-02-29"));
    // A wrong implementation is a discrepancy.
    folder.run(&["check", &spec, "run", "--c-source", "airflow.c", "--fn", "airflow", "-o", "run", "-q"]).expect(1);
    folder.run(&arguments).expect(0);
    let page = folder.read("run/record.html");
    assert!(
        page.contains("Result: <strong>FAILED</strong>")
            && page.contains("Discrepancies of <code class=\"id\">airflow</code>")
    );
    assert!(page.contains("Likely cause: the results match"), "{page}");
    folder.run(&["report", "run", "run", "--format", "csv"]).expect(2).says(&["--format csv is over one folder"]);
    if has_chromium(&folder) {
        let said = folder.run(&[&arguments[..], &["--pdf"]].concat()).expect(0).out;
        assert!(said.contains("record.pdf"), "{said}");
        let pdf = std::fs::read(folder.path("run/record.pdf")).unwrap();
        assert!((2..=4).contains(&pages(&pdf)), "{} pages", pages(&pdf));
        folder.write("run/record.pdf", "mine");
        folder.run(&[&arguments[..], &["--pdf"]].concat()).expect(2).says(&["record.pdf"]);
    }
}

#[test]
fn a_hundred_specifications() {
    let folder = Folder::new();
    let (mut cores, mut requirements) = (String::new(), String::from("id,text,level\n"));
    for k in 0..100 {
        cores += &format!(
            "(FPCore (x) :name \"f{k}\" :magneto-req \"REQ-{k:03}\" :magneto-units ((x \"m\")) :pre (<= 1 x {}) :magneto-rel-error 1e-9 (* x {}))\n",
            k + 2,
            k + 3
        );
        requirements += &format!(
            "REQ-{k:03},The output is {} times the input within 1e-9 for every input of the range.,B\n",
            k + 3
        );
    }
    folder.write("all.fpcore", cores).write("r.csv", requirements);
    folder.run(&["gen", "all.fpcore", "-q", "-o", "run"]).expect(0);
    let arguments = ["report", "run", "--format", "record", "--requirements", "r.csv", "--id", "VR-100"];
    folder.run(&arguments).expect(0);
    let page = folder.read("run/record.html");
    assert!(page.contains("REQ-099") && page.contains("100 open") && !page.contains("<h3>Gaps"), "{page}");
    if has_chromium(&folder) {
        folder.run(&[&arguments[..], &["--pdf"]].concat()).expect(0);
        let pdf = std::fs::read(folder.path("run/record.pdf")).unwrap();
        assert!((4..=12).contains(&pages(&pdf)), "{} pages", pages(&pdf));
    }
}

#[test]
fn several_requirements_and_units() {
    let folder = Folder::new();
    let text = "(FPCore (x) :name \"f\" :magneto-req (\"R-1\" \"R-2\") :magneto-units ((x \"Pa\") (result \"m\")) :pre (<= 1 x 2) :magneto-rel-error 1e-9 (* x 3))";
    folder.write("f.fpcore", text);
    folder.run(&["gen", "f.fpcore", "-q", "-o", "run"]).expect(0);
    let about = &folder.json("run/manifest.json")["specification"];
    assert_eq!((&about["requirement"], &about["requirements"][1]), (&"R-1, R-2".into(), &"R-2".into()));
    assert_eq!((&about["inputs"][0]["unit"], &about["result_unit"]), (&"Pa".into(), &"m".into()));
    folder.run(&["report", "run"]).expect(0);
    let page = folder.read("run/report.html");
    assert!(page.contains("<td>[1, 2]</td><td>Pa</td>") && page.contains("The result is in m."), "{page}");
    folder.run(&["report", "run", "--format", "trace"]).expect(0);
    let trace = folder.read("run/traceability.csv");
    assert!(
        trace.lines().any(|l| l.starts_with("R-1,f,")) && trace.lines().any(|l| l.starts_with("R-2,f,")),
        "{trace}"
    );
    folder
        .run(&["check", "f.fpcore", "run", "--exec", "while read x; do echo 1; done", "--junit", "j.xml", "-q"])
        .expect(1);
    assert!(folder.read("j.xml").contains("name=\"f [R-1, R-2]\""), "{}", folder.read("j.xml"));
    for (wrong, said) in [
        (":magneto-req (1 2)", "no string or list of strings"),
        (":magneto-units ((y \"Pa\"))", "`y` is no input"),
        (":magneto-units (x)", "not a name with a unit"),
        (":magneto-units ((x \"Pa\") (x \"m\"))", "has a unit already"),
    ] {
        folder.write("w.fpcore", format!("(FPCore (x) :name \"w\" {wrong} :pre (<= 1 x 2) x)"));
        folder.run(&["lint", "w.fpcore"]).expect(2).says(&[said, "hint: "]);
    }
}

/// Many gaps of a kind are one sentence, and few are one each.
#[test]
fn many_gaps_take_one_sentence() {
    let folder = Folder::new();
    let spec = |k: usize| format!("(FPCore (x) :name \"f{k}\" :pre (<= 1 x 2) :magneto-abs-error 1e-3 (fabs x))\n");
    folder.write("f.fpcore", (0..5).map(spec).collect::<String>());
    folder
        .write("r.toml", "[[requirement]]\nid = \"R-1\"\ntext = \"a\"\n[[requirement]]\nid = \"R-2\"\ntext = \"b\"\n");
    folder.run(&["gen", "f.fpcore", "-o", "out", "-q"]);
    folder.run(&["report", "out", "--format", "record", "--requirements", "r.toml"]).expect(0);
    let page = folder.read("out/record.html");
    assert!(page.contains("<li>5 specifications name no requirement: f0, f1, f2, f3, f4</li>"), "{page}");
    assert!(page.contains("<li>requirement R-1 has no specification</li>"), "{page}");
    // The same from an export of a tool for requirements.
    let value = |id: &str, text: &str| {
        format!(
            "<ATTRIBUTE-VALUE-STRING THE-VALUE=\"{text}\"><DEFINITION><ATTRIBUTE-DEFINITION-STRING-REF>{id}</ATTRIBUTE-DEFINITION-STRING-REF></DEFINITION></ATTRIBUTE-VALUE-STRING>"
        )
    };
    let object = |id: &str, text: &str| {
        format!("<SPEC-OBJECT IDENTIFIER=\"o\"><VALUES>{}{}</VALUES></SPEC-OBJECT>", value("i", id), value("t", text))
    };
    let names = "<ATTRIBUTE-DEFINITION-STRING IDENTIFIER=\"i\" LONG-NAME=\"ID\"/><ATTRIBUTE-DEFINITION-STRING IDENTIFIER=\"t\" LONG-NAME=\"ReqIF.Text\"/>";
    let reqif = |objects: &str| {
        format!("<REQ-IF><SPEC-TYPES>{names}</SPEC-TYPES><SPEC-OBJECTS>{objects}</SPEC-OBJECTS></REQ-IF>\n")
    };
    folder.write("r.reqif", reqif(&(object("R-1", "a") + &object("R-2", "b"))));
    folder.run(&["report", "out", "--format", "record", "--requirements", "r.reqif"]).expect(0);
    assert_eq!(folder.read("out/record.html"), page);
    // The same in an archive, beside a picture, and in two files.
    let archived = |files: &[(&str, String)]| {
        use std::io::Write as _;
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, text) in files {
            archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        archive.finish().unwrap().into_inner()
    };
    let two = [("b/two.reqif", reqif(&object("R-2", "b"))), ("a.ReqIF", reqif(&object("R-1", "a")))];
    for files in [vec![("all.reqif", folder.read("r.reqif")), ("p.png", "no text".to_owned())], two.to_vec()] {
        folder.write("r.reqifz", archived(&files));
        folder.run(&["report", "out", "--format", "record", "--requirements", "r.reqifz"]).expect(0);
        assert_eq!(folder.read("out/record.html"), page);
    }
    let twice = [two[0].clone(), ("c.reqif", two[0].1.clone())];
    for (files, message) in [
        (archived(&twice), "r.reqifz/c.reqif:1:"),
        (archived(&[("p.png", String::new())]), "there is no .reqif file in the archive"),
        (archived(&two)[..200].to_vec(), "the archive cannot be read"),
    ] {
        folder.write("r.reqifz", files);
        let refused = folder.run(&["report", "out", "--format", "record", "--requirements", "r.reqifz"]).expect(2);
        refused.says(&[message, "hint: "]);
    }
    folder.write("r.reqif", reqif(&object("", "b")));
    let refused = folder.run(&["report", "out", "--format", "record", "--requirements", "r.reqif"]).expect(2);
    refused.says(&["r.reqif:1:", "the object `o` has a text and no id", "ReqIF.ForeignID or ID"]);
}

/// What the author of a specification says in comments, inside and above it, stands in the record and in the page.
#[test]
fn comments_come_along() {
    let folder = Folder::new();
    folder.write(
        "f.fpcore",
        "; A licence.\n\n; The flow of chapter 7.\n(FPCore (x) :name \"flow\" ; type B <only>\n :pre (<= 1 x 2) :magneto-rel-error 1e-9 (* x x))\n",
    );
    folder.run(&["gen", "f.fpcore", "-o", "out", "-q"]).expect(0);
    folder.run(&["report", "out", "--format", "record"]).expect(0);
    let record = folder.read("out/record.html");
    let said = "The specification says: The flow of chapter 7.<br>type B &lt;only&gt;</p>";
    assert!(record.contains(said) && !record.contains("A licence"), "{record}");
    folder.run(&["report", "out"]).expect(0);
    let page = folder.read("out/report.html");
    assert!(page.contains("; The flow of chapter 7.\n(FPCore") && !page.contains("A licence"), "{page}");
    // The places of mutants are those of the file.
    assert!(page.contains("title=\"") && page.contains(" mutants at 5:"), "{page}");
}

/// What passes all tests of a run is no pass where another command found a wrong result, wherever that stands.
#[test]
fn a_wrong_result_that_another_command_found_fails() {
    let folder = Folder::new();
    folder.write("requirements.toml", "[[requirement]]\nid = \"R-1\"\ntext = \"Half of it.\"\n");
    folder.write(
        "half.fpcore",
        "(FPCore (x) :name \"half\" :pre (<= 1 x 1000) :magneto-req \"R-1\" :magneto-rel-error 1e-9 (/ x 2))",
    );
    folder.write("half.c", "double half(double x) { return x > 20.3 && x < 20.5 ? x / 2 + 1 : x / 2; }\n");
    folder.write("magneto.toml", "[[implementation]]\nspec = \"half.fpcore\"\nc-source = \"half.c\"\nfn = \"half\"\nname = \"target\"\ntester = \"A. Tester\"\nsoftware = \"half 1.2\"\n");
    folder.run(&["gen", "half.fpcore", "-o", "out", "-q"]).expect(0);
    folder.run(&["check", "-o", "out", "-q"]).expect(0);
    let record = |dirs: &[&str]| {
        folder.run(&[&["report"], dirs, &["--format", "record"]].concat()).expect(0);
        folder.read(&format!("{}/record.html", dirs[0]))
    };
    let passed = record(&["out"]);
    assert!(
        passed.contains("Result: <strong>PASSED</strong> (specifications: 1 passed, 0 failed, 0 open)"),
        "{passed}"
    );
    // Who ran what stands on the cover, and what nobody wrote is not required.
    assert!(passed.contains("<td>A. Tester</td>") && passed.contains("<td>half 1.2</td>"), "{passed}");
    assert!(passed.contains("Outside the domain: not specified"), "{passed}");
    // In a folder of its own, and in that of the run.
    folder.run(&["worst", "-o", "searched", "-q"]).expect(1);
    let failed = record(&["out", "searched"]);
    assert!(failed.contains("Result: <strong>FAILED</strong>") && failed.contains("worst.json"), "{failed}");
    folder.run(&["worst", "-o", "out", "-q"]).expect(1);
    let failed = record(&["out"]);
    assert!(failed.contains("Result: <strong>FAILED</strong>") && failed.contains("worst.json"), "{failed}");
    // What was found of another version of a specification is no evidence.
    let older = folder.read("half.fpcore");
    folder.write("half.fpcore", older.replace("1e-9", "1e-3"));
    folder.run(&["gen", "half.fpcore", "-o", "newer", "-q"]).expect(0);
    let refused = folder.run(&["report", "newer", "searched", "--format", "record"]).expect(2);
    refused.says(&[
        "worst.json is about another version of half.fpcore",
        "run `magneto gen` again, then what wrote that file",
    ]);
    for (command, name) in [("eval", "eval.json"), ("cover", "cover.json")] {
        folder.write("half.fpcore", &older);
        match command {
            "eval" => folder.run(&["eval", "half.fpcore", "out", "-o", command, "-q"]).expect(0),
            _ => {
                folder.run(&["cover", "half.c", "--fn", "half", "--spec", "half.fpcore", "-o", command, "-q"]).expect(1)
            }
        };
        let record = |run: &str| folder.run(&["report", run, command, "--format", "record"]);
        record("out").expect(0);
        folder.write("half.fpcore", older.replace("1e-9", "1e-3"));
        record("newer").expect(2).says(&[&format!("{name} is about another version of half.fpcore")]);
    }
    // Tests of another version are used where their oracles fit, and a note says it.
    folder.write("half.fpcore", format!("; a remark\n{older}"));
    for tests in ["out", "cover"] {
        let checked = folder.run(&["check", "half.fpcore", tests, "--c-source", "half.c", "--fn", "half"]);
        checked.says(&["was made for another version of half.fpcore"]);
    }
    folder.write("half.fpcore", older);
    // The level of a requirement is not that of the cover.
    let requirements = folder.read("requirements.toml");
    folder.write("requirements.toml", format!("{requirements}level = \"DAL A\"\n"));
    let cover = |level: &str| folder.run(&["report", "out", "--format", "record", "--level", level]).expect(0);
    cover("DAL B").says(&["the cover says level DAL B, but R-1 has level DAL A"]);
    assert!(!cover("dal a").err.contains("has level"), "a level in other letters is the same");
    // A name without a text is a gap.
    std::fs::remove_file(folder.path("requirements.toml")).unwrap();
    let open = record(&["out"]);
    assert!(open.contains("no file of requirements has the text of R-1") && open.contains("; gaps: 1)"), "{open}");
    // What was tested is not what is there.
    folder.write("half.c", "double half(double x) { return x / 2; }\n");
    let noted = folder.run(&["report", "out", "--format", "record"]).expect(0);
    noted.says(&["half.c has changed since it was tested: run `magneto check` again"]);
}
