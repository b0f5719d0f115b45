//! Reports opened in a browser, with the network off: charts are there, the script's own check passes, nothing is
//! reported as an error. Without Chromium (`$CHROMIUM`, or `chromium` in the path) this says so and
//! passes, but not where CI is set.

use crate::cli_support;
use crate::cli_support::{Folder, missing};
use magneto::record::check::Check;
use magneto::record::json;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A name that breaks what is not escaped, a choice, and an input that may be anything.
const AWKWARD: &str = r#"(FPCore (x y)
  :name "a <b> & \"c\" </script><img src=x onerror=alert(1)>"
  :precision binary64
  :pre (and (<= 1 x 100) (<= -1e6 y 1e6))
  :magneto-req "REQ <&> 'q'"
  :magneto-abs-error 1e-3
  (if (< x y) (- (sqrt x) y) (/ (fabs (- y x)) (pow x 3/2))))
"#;

fn chromium() -> Option<PathBuf> {
    let given = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|d| d.join("chromium")).find(|p| p.is_file());
    given.filter(|p| p.is_file()).or(found)
}

/// The runs: folder with a report each.
fn runs(folder: &Folder) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.write("awkward.fpcore", AWKWARD);
    let jet = format!("{}:jetEngine", root.join("fpbench/rosa.fpcore").display());
    let air = root.join("specs/airflow.fpcore").display().to_string();
    let runs = [("jet", jet.as_str()), ("air", air.as_str()), ("awkward", "awkward.fpcore")];
    for (name, spec) in runs {
        folder.run(&["gen", spec, "-o", name, "-q"]).expect(0);
    }
    // One of them with the results of an implementation.
    let inputs = folder.read("air/tests.csv");
    let ids = inputs.lines().skip(1).filter_map(|l| l.split(',').next());
    let results: String = ids.map(|id| format!("{id},0.05\n")).collect();
    folder.write("results.csv", format!("test_id,result\n{results}"));
    folder.run(&["check", &air, "air", "--results", "results.csv", "-o", "air", "-q"]).expect(1);
    for (name, _) in runs {
        let report = folder.run(&["report", name]).expect(0);
        assert_eq!(report.out.trim(), format!("{name}/report.html"));
    }
    runs.iter().map(|(name, _)| folder.path(name)).collect()
}

/// The tags of a page in order, without what is in `script` and `style`.
fn unclosed(page: &str) -> Result<(), String> {
    const VOID: [&str; 3] = ["meta", "input", "link"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        let end = rest[start..].find('>').ok_or("a tag does not end")? + start;
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        if tag.starts_with('!') || tag.ends_with('/') || VOID.contains(&name) {
            continue;
        }
        if tag.starts_with('/') {
            let last = open.pop();
            if last != Some(name) {
                return Err(format!("</{name}> after <{}>", last.unwrap_or_default()));
            }
            continue;
        }
        open.push(name);
        if ["script", "style"].contains(&name) {
            let close = rest.find(&format!("</{name}>")).ok_or("a script does not end")?;
            rest = &rest[close..];
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("not closed: {open:?}")) }
}

/// Every link inside the page has a target.
fn dangling(page: &str) -> Vec<&str> {
    let ids: std::collections::HashSet<&str> =
        page.split(" id=\"").skip(1).filter_map(|p| p.split('"').next()).collect();
    let links = page.split(" href=\"").skip(1).filter_map(|p| p.split('"').next());
    links.filter(|l| !l.strip_prefix('#').is_some_and(|id| ids.contains(id))).collect()
}

#[test]
fn reports_work_in_a_browser() {
    let folder = Folder::new();
    let pages: Vec<PathBuf> = runs(&folder).iter().map(|run| run.join("report.html")).collect();
    for path in &pages {
        let page = std::fs::read_to_string(path).unwrap();
        assert_eq!(unclosed(&page), Ok(()), "{}", path.display());
        assert_eq!(dangling(&page), [] as [&str; 0], "{}", path.display());
        assert!(page.len() < 3_000_000, "{}: {} bytes", path.display(), page.len());
        // Eight thousand mutants, and there are specifications with so many, stay below 4 MB; a row names its tests, and of
        // some 140 that fill the domain many kill it.
        let rows = page.split_once("<section id=\"mutants\"").unwrap().1.split_once("</section>").unwrap().0;
        let each = rows.len() / rows.matches("<tr id=").count();
        assert!(each < 480, "{}: {each} bytes for each mutant", path.display());
        // What scrolls sideways is reached by keyboard and has a name.
        let boxes: Vec<&str> = ["<div class=\"scroll", "<div class=\"chart\"", "<div class=\"formula\""]
            .iter()
            .flat_map(|start| page.split(start).skip(1).filter_map(|p| p.split('>').next()))
            .collect();
        let reached =
            |tag: &&&str| ["tabindex=\"0\"", "role=\"region\"", "aria-label=\""].iter().all(|a| tag.contains(a));
        assert!(boxes.len() > 8 && boxes.iter().all(|b| reached(&b)), "{boxes:?}");
        assert!(
            !page.replace("http-equiv", "").contains("http") && !page.contains("src=\""),
            "{} loads something",
            path.display()
        );
    }
    // In the summary, at the formula, and in the manifest.
    let defaulted =
        |page: &PathBuf| std::fs::read_to_string(page).unwrap().matches("(the default: none is stated)").count();
    assert_eq!([defaulted(&pages[0]), defaulted(&pages[2])], [3, 0]);
    let awkward = std::fs::read_to_string(&pages[2]).unwrap();
    assert!(!awkward.contains("<img") && awkward.contains("a &lt;b&gt; &amp; &quot;c&quot;"));
    assert!(awkward.contains("REQ &lt;&amp;&gt; 'q'"));
    let checked = std::fs::read_to_string(&pages[1]).unwrap();
    assert!(checked.contains("class=\"seen\"") && checked.contains("returned by the implementation"));

    let Some(browser) = chromium() else {
        missing("no Chromium opens the reports; CHROMIUM names one");
        return;
    };
    for path in &pages {
        let (dom, log) = opened(&browser, &folder, path);
        let root = dom.split("<html").nth(1).and_then(|t| t.split('>').next()).unwrap_or_default();
        assert!(root.contains("data-selfcheck=\"ok\"") && !root.contains("data-errors"), "{}: {root}", path.display());
        assert!(!log.contains(":CONSOLE"), "{}: {log}", path.display());
        let charts: Vec<&str> = dom.split("<svg").skip(1).filter_map(|s| s.split("</svg>").next()).collect();
        let drawn = charts.iter().filter(|c| ["<rect", "<path", "<circle"].iter().any(|shape| c.contains(shape)));
        assert!(charts.len() > 10 && drawn.count() == charts.len(), "{}: {} charts", path.display(), charts.len());
        assert!(dom.contains("<math") && dom.contains("<button type=\"button\">"), "{}", path.display());
        // The script's check counts them by the mark in their rows.
        assert!(dom.contains("data-find=\"minimal\"") && dom.contains(">minimal</span>"), "{}", path.display());
    }
}

/// What a browser makes of a page, and what it says.
fn opened(browser: &Path, folder: &Folder, page: &Path) -> (String, String) {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--v=0", "--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path("profile").display()))
        .arg(format!("file://{}#selfcheck", page.display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let [dom, log] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{}: {log}", page.display());
    (dom, log)
}

/// Every kind of page says what a browser may do for it: its own script and style, and nothing else.
#[test]
fn pages_run_and_load_nothing_but_their_own() {
    let folder = Folder::new();
    folder.write("f.fpcore", AWKWARD);
    folder.run(&["gen", "f.fpcore", "-o", "run", "-q", "--operators", "constant"]).expect(0);
    folder.run(&["eval", "f.fpcore", "run", "-o", "eval", "-q"]);
    folder.run(&[
        "worst",
        "f.fpcore",
        "--exec",
        "while read -r x; do echo 1; done",
        "--evaluations",
        "60",
        "-o",
        "worst",
        "-q",
    ]);
    let runs = ["run", "eval", "worst"];
    runs.iter().for_each(|run| drop(folder.run(&["report", run]).expect(0)));
    let pages: Vec<PathBuf> = runs.iter().map(|run| folder.path(run).join("report.html")).collect();
    for page in &pages {
        let text = std::fs::read_to_string(page).unwrap();
        let policy = text.split_once("<meta http-equiv=\"Content-Security-Policy\" content=\"").unwrap().1;
        let policy = policy.split_once('"').unwrap().0;
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-") && !policy.contains("unsafe"), "{policy}");
        assert!(!text.contains(" style=\""), "{}", page.display());
    }
    let Some(browser) = chromium() else {
        missing("no Chromium opens the reports; CHROMIUM names one");
        return;
    };
    for page in &pages {
        let (_, log) = opened(&browser, &folder, page);
        assert!(!log.contains(":CONSOLE"), "{}: {log}", page.display());
        // What came into the page in some other way does nothing.
        let text = std::fs::read_to_string(page).unwrap();
        let script = "<script>document.documentElement.setAttribute('data-foreign', '')</script>\
                      <img src=\"file:///none.png\"><style>p { color: red }</style>";
        let other = folder.path("foreign.html");
        std::fs::write(&other, text.replacen("</body>", &format!("{script}</body>"), 1)).unwrap();
        let (dom, log) = opened(&browser, &folder, &other);
        assert!(dom.contains("none.png") && !dom.split_once("<head").unwrap().0.contains("data-foreign"), "{dom}");
        assert!(log.matches("Content Security Policy").count() >= 3, "{log}");
    }
}

/// The charts of a page, one a line.
fn charts(page: &str) -> String {
    let parts = page.split("<svg").skip(1).filter_map(|p| p.split_once("</svg>"));
    parts.map(|(chart, _)| format!("<svg{chart}</svg>\n")).collect()
}

/// A run that never changes, with the results of an implementation that computes `(sqrt (+ x 2.5))`.
fn fixture() -> (PathBuf, String) {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/report");
    let page = Folder::new().run(&["report", fixture.to_str().unwrap(), "-o", "-"]).expect(0).out;
    (fixture, page)
}

/// The charts of that run. After a change that is meant, look at the new ones and put them in place: the failure says
/// where they are.
#[test]
fn charts_of_a_small_run() {
    let (fixture, page) = fixture();
    let (found, expected) = (charts(&page), std::fs::read_to_string(fixture.join("charts.svg")).unwrap_or_default());
    for class in [
        "class=\"bar\"",
        "class=\"ok\"",
        "class=\"ko\"",
        "class=\"seen\"",
        "class=\"cells killed\"",
        "class=\"domain\"",
    ] {
        assert!(found.contains(class), "no {class}");
    }
    if found != expected {
        let path = std::env::temp_dir().join("magneto-charts.svg");
        std::fs::write(&path, found).unwrap();
        panic!("the charts changed: compare {} with charts.svg in {}", path.display(), fixture.display());
    }
}

/// The text of a part of a page, without tags.
fn text(page: &str, from: &str, to: &str) -> String {
    let part = page.split_once(from).unwrap_or_else(|| panic!("no {from}")).1.split_once(to).unwrap().0;
    part.split('<').map(|p| p.split_once('>').map_or(p, |(_, text)| text)).collect()
}

#[test]
fn an_implementations_failures_have_their_likely_cause() {
    let (_, page) = fixture();
    let summary = text(&page, "<section id=\"summary\"", "</section>");
    for part in
        ["results.csv: 5 KO in the domain; 2 KO outside of it", "match the specification with 2.5 in place of 0.25"]
    {
        assert!(summary.contains(part), "no {part} in {summary}");
    }
    assert!(page.contains("<div class=\"verdict bad\">"));
    // From the requirement to results, and from the test to its mutants: few are named one by one.
    let trace = text(&page, "<section id=\"trace\"", "</section>");
    assert!(trace.contains("REQ-1functionalconstant") && trace.contains("5 KO"), "{trace}");
}

/// A `check.json` as `check` would have written it.
fn sealed(document: &serde_json::Value) -> Vec<u8> {
    let check: Check = serde_json::from_value(document.clone()).unwrap();
    json::document(&check.sealed())
}

/// A changed `check.json` is not believed, whatever was made to agree with the change.
#[test]
fn a_changed_check_is_refused() {
    let (fixture, _) = fixture();
    let folder = Folder::new();
    for file in std::fs::read_dir(&fixture).unwrap().flatten() {
        folder.write(&format!("run/{}", file.file_name().to_string_lossy()), std::fs::read(file.path()).unwrap());
    }
    let whole: serde_json::Value = serde_json::from_str(&folder.read("run/check.json")).unwrap();
    let refused = |text: &[u8], says: &str| {
        folder.write("run/check.json", text);
        for more in [&["report", "run"][..], &["report", "run", "--format", "trace"]] {
            let ended = folder.run(&[more, &["-o", "-"]].concat()).expect(2);
            ended.says(&["run/check.json: the file is damaged", says, "run `magneto check` again"]);
        }
    };
    let mut changed = whole.clone();
    changed["tests"][0]["verdict"] = "OK".into();
    refused(changed.to_string().as_bytes(), "`counts` says 5 tests: 0 OK, 5 KO");
    changed["counts"]["ok"] = 1.into();
    changed["counts"]["ko"] = 4.into();
    refused(changed.to_string().as_bytes(), "test t001 is called OK with 0x1.1e3779b97f4a8p+1, owed ");
    refused(&sealed(&changed), "test t001 is called OK with 0x1.1e3779b97f4a8p+1, owed ");
    changed["tests"][0]["result"] = changed["tests"][0]["lo"].clone();
    refused(changed.to_string().as_bytes(), "`content_sha256` is not that of its content");
    let mut changed = whole.clone();
    changed["robustness"]["tests"] = 3.into();
    refused(&sealed(&changed), "`robustness` says 3 tests");
    let mut changed = whole;
    changed["exit"] = 0.into();
    refused(changed.to_string().as_bytes(), "`content_sha256` is not that of its content");
    // Other spaces change nothing.
    changed["exit"] = 1.into();
    folder.write("run/check.json", changed.to_string());
    folder.run(&["report", "run"]).expect(0);
}

#[test]
fn a_check_of_another_specification_is_left_out_and_named() {
    let (fixture, _) = fixture();
    let folder = Folder::new();
    for file in std::fs::read_dir(&fixture).unwrap().flatten() {
        folder.write(&format!("run/{}", file.file_name().to_string_lossy()), std::fs::read(file.path()).unwrap());
    }
    let check = folder.read("run/check.json");
    let mut other: serde_json::Value = serde_json::from_str(&check).unwrap();
    other["sha256"] = "0".repeat(64).into();
    folder.write("run/check.json", sealed(&other));
    let page = folder.run(&["report", "run", "-o", "-"]).expect(0).out;
    assert!(page.contains("was checked against another version") && !page.contains("class=\"seen\""));
    // A test that it did not run at this input has no result, and nothing is called good.
    let mut other: serde_json::Value = serde_json::from_str(&check).unwrap();
    for test in other["tests"].as_array_mut().unwrap() {
        test["verdict"] = "OK".into();
        if test["robustness"] == false {
            test["result"] = test["lo"].clone();
        }
    }
    for counts in ["counts", "robustness"] {
        other[counts]["ok"] = other[counts]["tests"].clone();
        other[counts]["ko"] = 0.into();
    }
    other["causes"] = serde_json::json!([]);
    folder.write("run/check.json", sealed(&other));
    assert!(folder.run(&["report", "run", "-o", "-"]).expect(0).out.contains("<div class=\"verdict good\">"));
    other["tests"][0]["inputs"]["x"] = "0x1.8p+1".into();
    folder.write("run/check.json", sealed(&other));
    let page = folder.run(&["report", "run", "-o", "-"]).expect(0).out;
    assert!(page.contains("<div class=\"verdict open\">") && page.contains("4 OK, 1 not run"));
}

/// Every row names all tests that kill its mutant.
#[test]
fn rows_name_all_killers() {
    let (fixture, page) = fixture();
    let rows = cli_support::matrix(&fixture);
    let tests: Vec<&str> = rows.iter().map(|r| r["test_id"].as_str()).collect();
    let mut long = 0;
    for id in rows[0].keys().filter(|id| *id != "test_id") {
        let cell = text(&page, &format!("<tr id=\"m-{id}\">"), "</tr>");
        let row = page.split_once(&format!("<tr id=\"m-{id}\">")).unwrap().1.split_once("</tr>").unwrap().0;
        let cells: Vec<&str> = row.split("<td").skip(1).map(|c| c.split_once('>').unwrap().1).collect();
        let named = text(&format!("<td>{}", cells[5]), "<td>", "</td>");
        let place = |t: &str| tests.iter().position(|o| *o == t).unwrap_or_else(|| panic!("{t} in {cell}"));
        let mut found = Vec::new();
        for stretch in named.split_whitespace() {
            let (from, to) = stretch.split_once('–').unwrap_or((stretch, stretch));
            long += usize::from(from != to);
            found.extend(place(from)..=place(to));
        }
        let expected: Vec<usize> =
            (0..tests.len()).filter(|t| ["KO", "PROBABLE"].contains(&rows[*t][id].as_str())).collect();
        assert_eq!(found, expected, "{id}");
    }
    assert!(long > 0);
}

#[test]
fn the_same_run_gives_the_same_report_and_bad_folders_are_refused() {
    let folder = Folder::new();
    folder.write("a.fpcore", "(FPCore (x) :pre (<= 1 x 2) :magneto-rel-error 1e-3 (* x x))");
    for out in ["one", "two"] {
        folder.run(&["gen", "a.fpcore", "-o", out, "-q"]).expect(0);
        folder.run(&["report", out, "-o", &format!("{out}.html"), "-q"]).expect(0);
    }
    assert_eq!(folder.read("one.html"), folder.read("two.html"));
    assert_eq!(folder.run(&["report", "one", "-o", "-"]).expect(0).out, folder.read("one.html"));
    // A later run into the same folder takes the old report away, and a report does not keep a run from its folder.
    folder.run(&["report", "one", "-q"]).expect(0);
    folder.run(&["gen", "a.fpcore", "-o", "one", "-q"]).expect(0);
    assert!(!folder.path("one/report.html").exists());

    folder.run(&["report", "nowhere"]).expect(2).says(&["there is no folder nowhere"]);
    folder.write("two/matrix.csv", "test_id,verdicts\nt001,K\n");
    folder.run(&["report", "two"]).expect(2).says(&["matrix.csv is not of the run", "run `magneto gen` again"]);
}
