//! Pages of all that commands write, and the index of many: what they say, where their links lead, what is refused.

use crate::cli_support::Folder;
use magneto::record::json;
use magneto::record::reach::{ListedGoal, ListedPaths};
use std::path::Path;

/// Two specifications, one with implementations that are right, wrong, and cannot be run.
fn project() -> Folder {
    let folder = Folder::new();
    let spec = |name: &str| {
        format!(
            "(FPCore (x) :name \"{name}\" :precision binary64 :pre (<= 1 x 2) :magneto-req \"REQ-{name}\" \
             :magneto-abs-error 1e-3 (fabs x))\n"
        )
    };
    folder.write("f.fpcore", spec("f")).write("g.fpcore", spec("g <b>"));
    let entry = |spec: &str, name: &str, what: &str| {
        format!("[[implementation]]\nspec = \"{spec}.fpcore\"\nname = \"{name}\"\n{what}\n")
    };
    let toml = [
        entry("f", "right", "exec = \"cat\""),
        entry("f", "wrong", "exec = \"while read x; do echo 7; done\""),
        entry("f", "lost", "python = \"none.py:f\""),
        entry("g", "right", "exec = \"cat\""),
    ];
    folder.write("magneto.toml", toml.concat());
    folder
}

/// The cells of the rows of a table's body, as text, and the links in them.
fn table(page: &str, start: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let body =
        page.split_once(start).expect(start).1.split_once("<tbody>").unwrap().1.split_once("</tbody>").unwrap().0;
    let cells = |row: &str| row.split("<td").skip(1).map(|c| text(c.split_once('>').unwrap().1)).collect();
    let links = |row: &str| {
        row.split("href=\"").skip(1).filter_map(|l| l.split('"').next()).map(str::to_owned).collect::<Vec<_>>()
    };
    body.split("<tr").skip(1).map(|row| (cells(row), links(row))).collect()
}

/// What a person reads of some HTML.
fn text(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('<') {
        out += before;
        rest = after.split_once('>').map_or("", |(_, rest)| rest);
    }
    out += rest;
    let plain = out.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// That all links of a page in a folder lead somewhere.
fn assert_links_lead(folder: &Path, page: &str) {
    let ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|p| p.split('"').next()).collect();
    for link in page.split(" href=\"").skip(1).filter_map(|p| p.split('"').next()) {
        match link.strip_prefix('#') {
            Some(id) => assert!(ids.contains(&id), "{link}"),
            None => assert!(folder.join(link.replace("%20", " ")).is_file(), "{link}"),
        }
    }
}

#[test]
fn the_index_of_a_project_leads_to_all_pages_the_worst_first() {
    let folder = project();
    folder.run(&["check", "-o", "out", "-q"]).expect(2);
    folder.run(&["worst", "-o", "out", "-q", "--evaluations", "60"]).expect(2);
    let told = folder.run(&["report", "out"]).expect(0);
    let files: Vec<&str> = told.out.lines().collect();
    assert_eq!(files[0], "out/index.html");
    assert_eq!(files.len(), 9, "{files:?}");
    let index = folder.read("out/index.html");
    let rows = table(&index, "class=\"sortable index\"");
    let told: Vec<Vec<&str>> = rows.iter().map(|(cells, _)| cells[..4].iter().map(String::as_str).collect()).collect();
    assert_eq!(
        told,
        [
            ["wrong", "f", "REQ-f", "wrong"],
            ["not run", "f", "REQ-f", "lost"],
            ["nothing wrong found", "f", "REQ-f", "right"],
            ["nothing wrong found", "g <b>", "REQ-g <b>", "right"],
        ]
    );
    assert!(rows[0].0[4].starts_with("0 of ") && rows[0].0[5].ends_with("× the bound"), "{:?}", rows[0]);
    assert_eq!(rows[1].0[5], "not run");
    assert_eq!(rows[0].1, ["f/check-wrong.html", "f/worst-wrong.html"]);
    assert_eq!(rows[3].1, ["g--b/check.html", "g--b/worst.html"]);
    assert_links_lead(&folder.path("out"), &index);
    assert!(!index.contains(" style=\"") && index.contains("Content-Security-Policy"));
    // Each leads back.
    for page in ["f/check-wrong.html", "g--b/worst.html"] {
        let page = folder.read(&format!("out/{page}"));
        assert!(page.contains("<header><p class=\"back\"><a href=\"../index.html\">All results</a></p>"), "{page}");
    }
    // The pages say what was run, how it stands, and inputs in decimal with the exact number beside.
    let wrong = folder.read("out/f/check-wrong.html");
    assert!(text(&wrong).contains("Something is wrong.") && text(&wrong).contains("while read x; do echo 7; done"));
    // Each test has a mark by value and one by float, with the error that is recorded.
    let check = folder.json("out/f/check-wrong.json");
    let errors: Vec<(String, f64)> = check["tests"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|t| t["robustness"] == false)
        .map(|t| (t["id"].as_str().unwrap().to_owned(), t["error_in_bounds"].as_str().unwrap().parse().unwrap()))
        .collect();
    let marks = titles(&wrong);
    assert_eq!(marks.len(), 2 * errors.len());
    for (id, error) in errors {
        let own = marks.iter().filter_map(|m| m.strip_prefix(&format!("{id}: "))?.strip_suffix(" tolerances"));
        let own: Vec<f64> = own.map(|e| e.parse().unwrap()).collect();
        assert!(own.len() == 2 && own.iter().all(|e| (e / error - 1.0).abs() < 0.01), "{id}: {error}, {own:?}");
    }
    let searched = folder.json("out/f/worst-wrong.json");
    let found = searched["picture"].as_array().unwrap().len() + searched["parts"].as_array().unwrap().len();
    assert_eq!(titles(&folder.read("out/f/worst-wrong.html")).len(), 2 * found);
    let failures = table(&wrong, "<section aria-label=\"Wrong\">");
    assert!(
        failures.iter().any(|(cells, _)| cells[1] == "x = 1 0x1p+0" && cells[2] == "7 0x1.cp+2" && cells[6] == "KO")
    );
    let off: Vec<f64> = failures.iter().map(|(cells, _)| cells[4].parse().unwrap()).collect();
    assert!(off.is_sorted_by(|a, b| a >= b) && off[0] == 6000.0, "{off:?}");
    for page in ["out/f/check-lost.html", "out/f/worst-lost.html"] {
        let page = text(&folder.read(page));
        assert!(page.contains("could not be") && !page.contains("Nothing outside the bound"), "{page}");
    }
    assert!(text(&folder.read("out/f/worst-right.html")).contains("This is a search, not a proof."));
    // A later run takes its stale pages away, and leaves those of the others; the index is of both.
    let later = folder.run(&["check", "-o", "out"]).expect(2);
    assert!(later.err.contains("removed, since they showed earlier results: out/index.html ("), "{}", later.err);
    assert!(!folder.path("out/index.html").exists());
    assert!(!folder.path("out/f/check-wrong.html").exists() && folder.path("out/f/worst-wrong.html").exists());
}

/// What the marks of charts say.
fn titles(page: &str) -> Vec<String> {
    page.split("<title>").skip(2).filter_map(|t| Some(text(t.split_once("</title>")?.0))).collect()
}

#[test]
fn tests_stand_with_the_implementations_of_their_specification() {
    let folder = project();
    folder.run(&["gen", "f.fpcore", "g.fpcore", "-o", "out run", "-q"]).expect(0);
    folder.run(&["check", "-o", "out run", "-q"]).expect(2);
    folder.run(&["eval", "f.fpcore", "out run", "-o", "eval", "-q"]);
    folder.run(&["report", "eval", "out run"]).expect(0);
    let index = folder.read("eval/index.html");
    assert_links_lead(&folder.path("eval"), &index);
    let rows = table(&index, "class=\"sortable index\"");
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|(cells, _)| cells[4].contains(" tests") || cells[4].contains(" test")), "{rows:?}");
    // Of one implementation the verdicts stand on the page of the run.
    assert_eq!(rows[3].1, ["../out%20run/g--b/report.html", "../out%20run/g--b/report.html"]);
    assert_eq!(rows[0].1[0], "../out%20run/f/report.html");
    // One file holds one page.
    folder.run(&["report", "out run", "-o", "one.html"]).expect(2).says(&["there are 5 pages", "leave it out"]);
    folder.run(&["report", "eval", "-o", "-"]).expect(0).says(&[]);
}

#[test]
fn an_overview_that_is_of_other_documents_is_refused() {
    let folder = project();
    folder.run(&["check", "f.fpcore", "-o", "out", "-q"]).expect(2);
    let own = folder.read("out/check-wrong.json");
    folder.write("out/check-right.json", own);
    folder.run(&["report", "out"]).expect(2).says(&["checks.json", "check-right.json", "run `magneto check` again"]);
    folder.run(&["worst", "f.fpcore", "-o", "w", "-q", "--evaluations", "60"]).expect(2);
    folder.write("w/worst-right.json", folder.read("w/worst-wrong.json"));
    folder.run(&["report", "w"]).expect(2).says(&["worsts.json", "worst-right.json", "run `magneto worst` again"]);
    let out = folder.read("w/worsts.json").replace("\"worst-right.json\"", "\"../../x.json\"");
    folder.write("w/worsts.json", out);
    folder.run(&["report", "w"]).expect(2).says(&["`../../x.json` is no file of a specification"]);
}

#[test]
fn what_cannot_be_reported_says_what_can() {
    let folder = project();
    let no = |arguments: &[&str], says: &[&str]| drop(folder.run(arguments).expect(2).says(says));
    no(&["report", "none"], &["there is no folder none"]);
    no(&["report", "f.fpcore"], &["f.fpcore is a file", "name the folder"]);
    folder.write("empty/notes.txt", "mine");
    no(&["report", "empty"], &["holds nothing that a command wrote", "`reach`"]);
    folder.run(&["check", "--shard", "1/2", "-o", "shard", "-q"]);
    no(&["report", "shard"], &["is a part of a run", "magneto merge"]);
    folder.run(&["gen", "f.fpcore", "-o", "run", "-q"]).expect(0);
    folder.run(&["export", "run", "--to", "csv", "-o", "exported"]).expect(0);
    no(&["report", "exported"], &["holds exported tests"]);
    folder.write("damaged/reach.json", "{\"schema\": \"magneto/paths/1\", \"function\": 1}");
    no(&["report", "damaged"], &["reach.json", "is damaged", "magneto reach"]);
    no(&["report", "run", "run", "--format", "csv"], &["is over one folder"]);
    // Nothing of somebody else is replaced.
    folder.write("run/report.html", "mine");
    no(&["report", "run"], &["is not a page that magneto wrote"]);
    assert_eq!(folder.read("run/report.html"), "mine");
}

#[test]
fn pages_of_paths_and_of_answers() {
    let folder = Folder::new();
    let source = "double half(double x) { if (x > 1 && x < 1) return 3; return x > 2 ? x / 2 : x; }\n";
    folder.write("half.c", source);
    folder.run(&["reach", "half.c", "--fn", "half", "--paths", "3", "--check", "-o", "paths", "-q"]).expect(0);
    let paths: ListedPaths = json::read(folder.read("paths/reach.json").as_bytes()).unwrap();
    assert_eq!(paths.listing.question, "--paths 3");
    assert!(paths.listing.infeasible > 0 && paths.listing.feasible > 1);
    folder.run(&["report", "paths"]).expect(0);
    let page = folder.read("paths/report.html");
    let rows = table(&page, "aria-label=\"Paths\"");
    assert_eq!(rows.len(), paths.listing.paths.len());
    for ((cells, _), path) in rows.iter().zip(&paths.listing.paths) {
        let (input, decimal) = (path.input.first(), path.input_dec.first());
        let beside = match (decimal, input) {
            (Some(d), Some(x)) if d == x => d.clone(),
            (Some(d), Some(x)) => format!("{d} {x}"),
            _ => String::new(),
        };
        assert_eq!(cells[3], beside);
        assert_eq!(cells[2], if input.is_some() { "feasible" } else { "infeasible" });
        assert!(input.is_some() || cells[5].contains("confirmed by evaluating"), "{cells:?}");
    }
    assert!(text(&page).contains("The proofs hold of every call.") && text(&page).contains("magneto reach --paths 3"));
    // A goal is another document in the same file; a file of somebody else stays.
    folder.run(&["reach", "half.c", "--fn", "half", "--goal", "result == 1.5", "-o", "paths", "-q"]).expect(0);
    let goal: ListedGoal = json::read(folder.read("paths/reach.json").as_bytes()).unwrap();
    assert_eq!(goal.listing.question, "--goal 'result == 1.5'");
    folder.write("mine/reach.json", "{}");
    folder
        .run(&["reach", "half.c", "--fn", "half", "--line", "1", "-o", "mine"])
        .expect(2)
        .says(&["would be overwritten"]);

    let script = |status: &str, test: &str| {
        format!(
            "(set-info :status {status})\n(declare-const x Float32)\n(assert ({test} x ((_ to_fp 8 24) RNE 1.5)))\n(check-sat)\n"
        )
    };
    folder.write("a.smt2", script("sat", "fp.eq")).write("b.smt2", script("unsat", "fp.lt")).write("c.smt2", "(assert");
    folder.run(&["solve", "a.smt2", "b.smt2", "c.smt2", "-o", "answers", "-q"]);
    folder.run(&["report", "answers"]).expect(0);
    let page = folder.read("answers/report.html");
    let first = table(page.split_once("aria-label=\"Answers to a.smt2\"").unwrap().1, "aria-label=\"Values\"");
    assert_eq!(first[0].0[..2], ["x", "1.5 0x1.8p+0"]);
    let said = text(&page);
    assert!(said.contains("2 sat.") && said.contains("1 answer is not what the script says of itself."), "{said}");
    assert!(said.contains("1 script is wrong, and has no answer."), "{said}");
    assert_links_lead(&folder.path("answers"), &page);
}

/// A root of a square, which overflows on the way.
const ROOT: &str =
    "(FPCore (x) :name \"root\" :precision binary64 :pre (<= 1 x 1e200) :magneto-rel-error 1e-6 (sqrt (* x x)))";

#[test]
fn charts_show_the_tests_and_what_programs_return() {
    let folder = Folder::new();
    folder.write("f.fpcore", ROOT);
    folder.run(&["gen", "f.fpcore", "-o", "run", "-q"]);
    folder.run(&["check", "f.fpcore", "run", "--exec", "while read x; do echo nan; done", "-o", "run", "-q"]).expect(1);
    folder.run(&["report", "run"]).expect(0);
    let page = folder.read("run/report.html");
    let section = |id: &str| {
        let start = format!("<section id=\"{id}\"");
        page.split_once(start.as_str()).unwrap().1.split_once("</section>").unwrap().0
    };
    let tests = folder.json("run/tests.json");
    let tests = tests["tests"].as_array().unwrap();
    let inside: Vec<&str> = tests.iter().filter(|t| t["lo"].is_string()).map(|t| t["id"].as_str().unwrap()).collect();
    // The curve has a line, a band, and each test of the domain.
    let curve = section("curve");
    assert!(curve.contains("class=\"curve\" d=\"M") && curve.contains("class=\"right\" d=\"M"));
    let linked: Vec<&str> = curve.split("href=\"#").skip(1).filter_map(|l| l.split('"').next()).collect();
    assert_eq!(linked, inside);
    // No result is a number: each test says so, by value and by floats.
    let none = section("errors").matches("no finite number</title>").count();
    assert_eq!(none, 2 * inside.len());
    // A test serves an objective if it kills a mutant of it.
    let mutants = folder.json("run/mutants.json");
    let mutants = mutants["mutants"].as_array().unwrap();
    let matrix = crate::cli_support::matrix(&folder.path("run"));
    for objective in ["functional", "robustness", "precision"] {
        let own: Vec<&str> =
            mutants.iter().filter(|m| m["objective"] == objective).map(|m| m["id"].as_str().unwrap()).collect();
        let kills = |row: &&std::collections::BTreeMap<String, String>| {
            own.iter().any(|id| matches!(row[*id].as_str(), "KO" | "PROBABLE"))
        };
        let serving: Vec<&str> = matrix.iter().filter(kills).map(|row| row["test_id"].as_str()).collect();
        let chart = section("space").split_once(&format!("id=\"objective-{objective}\"")).unwrap().1;
        let chart = chart.split_once("</svg>").unwrap().0;
        let shown = chart.split("<a href=\"#").skip(1).filter_map(|l| l.split('"').next());
        assert_eq!(shown.collect::<Vec<_>>(), serving, "{objective}");
    }
    // What is killed is off by more than a tolerance; of programs no test can see what is within.
    let off: Vec<&str> = page.split(">KO, ").skip(1).filter_map(|t| t.split("</text>").next()).collect();
    assert!(off.iter().filter_map(|t| t.strip_suffix(" off")).all(|t| t.parse::<f64>().unwrap() >= 1.0), "{off:?}");
    assert!(off.contains(&"no finite result"), "{off:?}");
    let cards = section("tests");
    let programs = mutants.iter().filter(|m| m["operator"] == "evaluation").map(|m| m["id"].as_str().unwrap());
    let drawn: Vec<&str> = programs.filter(|id| cards.contains(&format!("href=\"#m-{id}\"><text"))).collect();
    assert!(!drawn.is_empty());
}

#[test]
fn three_inputs_stand_on_parallel_axes() {
    let folder = Folder::new();
    let spec = "(FPCore (x y z) :pre (and (<= 1 x 2) (<= 1 y 2) (<= 1 z 2)) :magneto-rel-error 1e-6 (+ x (* y z)))";
    folder.write("f.fpcore", spec);
    folder.run(&["gen", "f.fpcore", "-o", "run", "-q", "--operators", "binary"]).expect(0);
    folder.run(&["check", "f.fpcore", "run", "--exec", "while read x; do echo 7; done", "-o", "run", "-q"]).expect(1);
    folder.run(&["report", "run"]).expect(0);
    let page = folder.read("run/report.html");
    let errors = page.split_once("<section id=\"errors\"").unwrap().1.split_once("</section>").unwrap().0;
    let inside = folder.json("run/check.json")["counts"]["tests"].as_u64().unwrap() as usize;
    assert_eq!(errors.matches("<path class=\"e-line ").count(), inside);
    // Three axes, and a panel for each input.
    assert_eq!(errors.matches("<svg viewBox").count(), 4);
    assert_eq!(errors.matches("tolerances</title>").count(), 3 * inside);
}

#[test]
fn the_page_of_an_evaluation_has_what_completes_it() {
    let folder = Folder::new();
    folder.write("f.fpcore", crate::cli_support::SMALL);
    folder.write("mine.csv", "x,y\n2,1\n2,1\n3,1.5\n");
    folder.run(&["eval", "f.fpcore", "mine.csv", "--complete", "done.csv", "-o", "eval", "-q"]);
    let record = folder.json("eval/eval.json");
    let redundant = record["completion"]["redundant"].as_array().unwrap();
    assert!(!redundant.is_empty() && !record["suggested"].as_array().unwrap().is_empty());
    folder.run(&["report", "eval"]).expect(0);
    let page = folder.read("eval/report.html");
    let rows = table(&page, "aria-label=\"Redundant tests\"");
    let told: Vec<&str> = rows.iter().map(|(cells, _)| cells[0].as_str()).collect();
    let named: Vec<&str> = redundant.iter().map(|t| t["test"].as_str().unwrap()).collect();
    assert_eq!(told, named);
    let added = table(&page, "aria-label=\"Suggested tests\"");
    assert_eq!(added.len(), record["suggested"].as_array().unwrap().len());
    assert!(added.iter().any(|(cells, _)| cells[2].starts_with("x = ") && cells[2].contains(" 0x1")), "{added:?}");
    let places = table(&page, "aria-label=\"Where the missed would be killed\"");
    assert_eq!(places.len(), record["completion"]["missed_at"].as_object().unwrap().len());
    // Without --complete nothing is said of it.
    folder.run(&["eval", "f.fpcore", "mine.csv", "-o", "eval", "-q"]);
    folder.run(&["report", "eval"]).expect(0);
    assert!(!folder.read("eval/report.html").contains("Redundant tests"));
}

#[test]
fn annexes_of_a_record_are_there_on_request_only() {
    let folder = Folder::new();
    folder.write("f.fpcore", crate::cli_support::SMALL);
    folder.run(&["gen", "f.fpcore", "-o", "run", "-q"]);
    let record = |more: &[&str]| {
        folder.run(&[&["report", "run", "--format", "record", "-o", "r.html"], more].concat()).expect(0);
        folder.read("r.html")
    };
    assert!(!record(&[]).contains("Annex"));
    let page = record(&["--annex", "proofs,tests"]);
    let at = |name: &str| page.find(&format!("id=\"annex-{name}\"")).unwrap_or(usize::MAX);
    assert!(at("tests") < at("proofs") && at("mutants") == usize::MAX);
    assert!(page.contains("Annex A: tests") && page.contains("Annex B: proofs"));
    let tests = folder.json("run/tests.json")["tests"].as_array().unwrap().len();
    assert_eq!(table(&page, "id=\"annex-tests\"").len(), tests);
    let mutants = folder.json("run/mutants.json");
    let mutants = mutants["mutants"].as_array().unwrap();
    let proved = mutants.iter().filter(|m| m["proof"].is_string()).count();
    assert!(proved > 0 && table(&page, "id=\"annex-proofs\"").len() == proved);
    assert_eq!(table(&record(&["--annex", "mutants"]), "id=\"annex-mutants\"").len(), mutants.len());
    folder.run(&["report", "run", "--format", "record", "--annex", "all"]).expect(2).says(&["tests, mutants, proofs"]);
}
