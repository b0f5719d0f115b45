//! `magneto accept`: what a person decides, how runs show it, and that it hides nothing.

use crate::cli_support;
use crate::cli_support::Folder;

/// A specification of which a budget of one box leaves mutants undecided.
fn folder() -> Folder {
    let folder = Folder::new();
    let specs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    folder.write("specs/rc.fpcore", std::fs::read(specs.join("rc-filter.fpcore")).unwrap());
    folder
}

const GEN: [&str; 4] = ["gen", "specs/rc.fpcore", "--budget", "1"];

/// The ids of the mutants of a status.
fn with_status(folder: &Folder, status: &str) -> Vec<String> {
    let document = folder.json("magneto.out/mutants.json");
    let rows = document["mutants"].as_array().unwrap().iter().filter(|m| m["status"] == status);
    rows.map(|m| m["id"].as_str().unwrap().to_owned()).collect()
}

fn accept(folder: &Folder, id: &str, more: &[&str]) -> cli_support::Ended {
    let line = ["accept", "specs/rc.fpcore", id, "--budget", "1", "--by", "A. Person", "--reason", "below\n the noise"];
    folder.run(&[&line, more].concat())
}

#[test]
fn accepted_mutants_stay_listed_and_leave_the_rigorous_score() {
    let folder = folder();
    folder.run(&GEN).expect(0);
    let (open, killed) = (with_status(&folder, "undecided"), with_status(&folder, "killed"));
    let before = folder.json("magneto.out/summary.json")["scores"].clone();
    let ended = accept(&folder, &open[0], &[]).expect(0);
    assert!(ended.out.contains("specs/magneto.accept.toml") && ended.out.contains("A. Person"), "{}", ended.out);
    assert!(!folder.path("magneto.accept.toml").exists());

    let ended = folder.run(&GEN).expect(0);
    assert!(ended.out.contains("    accepted          1\n"), "{}", ended.out);
    assert_eq!(with_status(&folder, "accepted"), [open[0].clone()]);
    assert_eq!(with_status(&folder, "undecided"), open[1..]);
    assert_eq!(with_status(&folder, "killed"), killed);
    let after = folder.json("magneto.out/summary.json")["scores"].clone();
    let number = |v: &serde_json::Value| v.as_u64().unwrap();
    assert_eq!(number(&after["accepted"]), 1);
    assert_eq!(number(&after["undecided"]) + 1, number(&before["undecided"]));
    assert_eq!(after["rigorous"]["part"], before["rigorous"]["part"]);
    assert_eq!(number(&after["rigorous"]["whole"]) + 1, number(&before["rigorous"]["whole"]));
    assert_eq!(after["paper"], before["paper"]);

    let mutants = folder.json("magneto.out/mutants.json");
    let row = mutants["mutants"].as_array().unwrap().iter().find(|m| m["id"] == open[0].as_str()).unwrap().clone();
    assert_eq!(row["accepted"]["by"], "A. Person");
    assert_eq!(row["accepted"]["reason"], "below the noise");
    let reason = row["reason"].as_str().unwrap();
    assert!(reason.starts_with("accepted by A. Person: below the noise; the budget of boxes was used up"), "{reason}");
    let trace = folder.run(&["report", "magneto.out", "--format", "trace", "-o", "-"]).expect(0).out;
    for text in [folder.read("magneto.out/mutants.csv"), trace] {
        let line = text.lines().find(|l| l.contains(&open[0]) && l.contains(",accepted,")).unwrap();
        assert!(line.contains("below the noise"), "{line}");
    }
    for more in [&[][..], &["--from", "magneto.out"]] {
        let line = ["explain", "specs/rc.fpcore", &open[0], "--budget", "1"];
        let ended = folder.run(&[&line, more].concat()).expect(0);
        assert!(ended.out.contains("accepted by A. Person"), "{}", ended.out);
    }
    let ended = folder.run(&["eval", "specs/rc.fpcore", "magneto.out", "--budget", "1", "--json"]).expect(0);
    assert_eq!(ended.json()["scores"]["accepted"], 1);
    // Not a gate that fails, once all are accepted.
    let fail = [&GEN[..], &["--fail-on", "undecided"]].concat();
    folder.run(&fail).expect(3);
    open[1..].iter().for_each(|id| drop(accept(&folder, id, &[]).expect(0)));
    folder.run(&fail).expect(0);
}

#[test]
fn a_decision_never_hides_a_kill_or_a_proof() {
    let folder = folder();
    folder.run(&GEN).expect(0);
    for status in ["killed", "probable", "equivalent"] {
        if let Some(id) = with_status(&folder, status).first() {
            accept(&folder, id, &[]).expect(2).says(&[&format!("is {status}, so that there is nothing to accept")]);
        }
    }
    assert!(!folder.path("specs/magneto.accept.toml").exists());
    // Nor does one that is written by hand.
    let killed = with_status(&folder, "killed")[0].clone();
    let name = folder.json("magneto.out/summary.json")["specification"].as_str().unwrap().to_owned();
    let text = format!(
        "[[accept]]\nfile = \"rc.fpcore\"\nspecification = \"{name}\"\nmutant = \"{killed}\"\nby = \"x\"\nreason = \"y\"\n"
    );
    folder.write("specs/magneto.accept.toml", text);
    folder.run(&GEN).expect(0).says(&[&format!("mutant {killed} of {name} need not be accepted: it is killed")]);
    assert!(with_status(&folder, "killed").contains(&killed) && with_status(&folder, "accepted").is_empty());
}

#[test]
fn stale_entries_are_errors_with_their_place() {
    let folder = folder();
    folder.run(&GEN).expect(0);
    let id = with_status(&folder, "undecided")[0].clone();
    folder.write("magneto.accept.toml", "# ours\n");
    // The nearest upward, here not beside the specification.
    accept(&folder, &id, &[]).expect(0);
    let text = folder.read("magneto.accept.toml");
    assert!(text.starts_with("# ours\n") && text.contains("file = \"specs/rc.fpcore\""), "{text}");
    // Other operators make no such mutant, and yet it is there.
    folder.run(&["gen", "specs/rc.fpcore", "--operators", "constant", "--budget", "1", "-o", "c"]).expect(0);
    // So do other accuracies.
    folder.run(&["gen", "specs/rc.fpcore", "--rel-error", "1e-3", "--budget", "1", "-o", "r"]).expect(0);

    let line = text.lines().position(|l| l.starts_with("mutant = ")).unwrap() + 1;
    for (from, to, what) in [
        (id.as_str(), "000000000000", "has no mutant `000000000000`"),
        ("change = '", "change = 'not ", "is another change now"),
        ("change = \"", "change = \"not ", "is another change now"),
        ("specification = \"", "specification = \"no ", "has no specification `no "),
    ] {
        let stale = text.replace(from, to);
        if stale == text {
            continue;
        }
        folder.write("magneto.accept.toml", stale);
        for command in ["gen", "eval"] {
            let tests: &[&str] = if command == "eval" { &["magneto.out"] } else { &[] };
            let ended = folder.run(&[&[command, "specs/rc.fpcore"], tests].concat()).expect(2);
            ended.says(&[&format!("error: magneto.accept.toml:{line}:10: "), what, "hint: ", "--remove"]);
        }
        let ended = folder.run(&["accept", "specs/rc.fpcore", "--list"]).expect(0);
        assert!(ended.out.contains("stale: ") && ended.out.contains(what), "{}", ended.out);
    }
    folder.write("magneto.accept.toml", text.replace("by = ", "buy = "));
    folder.run(&GEN).expect(2).says(&["magneto.accept.toml:", "unknown key `buy`", "did you mean `by`?"]);
}

/// A decision is about what the specification asked for, not about the mutant's id alone.
#[test]
fn a_decision_ends_where_the_specification_asks_for_something_else() {
    let folder = folder();
    folder.run(&GEN).expect(0);
    let id = with_status(&folder, "undecided")[0].clone();
    accept(&folder, &id, &[]).expect(0);
    let (spec, decisions) = (folder.read("specs/rc.fpcore"), folder.read("specs/magneto.accept.toml"));
    // A comment and a line break change nothing; flags that ask for something else are named.
    folder.write("specs/rc.fpcore", format!("; Another comment.\n{}", spec.replace("(let ", "(let\n")));
    let same = folder.run(&GEN).expect(0);
    assert!(!same.err.contains("what its file asks for"), "{}", same.err);
    assert_eq!(with_status(&folder, "accepted"), std::slice::from_ref(&id));
    let flags = [&GEN[..], &["--rel-error", "1e-3", "-o", "flags"]].concat();
    folder.run(&flags).expect(0).says(&[&format!("{id} of rc-filter was accepted for what its file asks for")]);
    for (from, to) in [
        ("(<= 1e-12 C 1e-6)", "(<= 1e-12 C 1e-5)"),
        (":magneto-rel-error 1e-12", ":magneto-rel-error 2e-12"),
        (":precision binary64", ":precision binary32"),
        ("LN10", "(+ LN10 (* 0 f))"),
    ] {
        let changed = spec.replace(from, to);
        assert!(changed != spec, "{from}");
        folder.write("specs/rc.fpcore", changed);
        folder
            .run(&GEN)
            .expect(2)
            .says(&[&format!("mutant `{id}` was accepted when `rc-filter` asked for something else")]);
    }
    // An entry that does not say what was asked for holds as long as its mutant is there.
    let without: String = decisions.lines().filter(|l| !l.starts_with("asked = ")).map(|l| format!("{l}\n")).collect();
    assert!(without.len() < decisions.len());
    folder.write("specs/magneto.accept.toml", without);
    folder.write("specs/rc.fpcore", spec.replace("(<= 1e-12 C 1e-6)", "(<= 1e-12 C 1e-5)"));
    folder.run(&GEN).expect(0);
}

#[test]
fn list_and_remove() {
    let folder = folder();
    folder.run(&GEN).expect(0);
    let open = with_status(&folder, "undecided");
    accept(&folder, &open[0], &[]).expect(0);
    accept(&folder, &open[1][..8], &["--json"]).expect(0);
    accept(&folder, &open[0], &[]).expect(2).says(&["is accepted already, by A. Person", "--remove"]);
    let list = |folder: &Folder| {
        let document = folder.run(&["accept", "specs/rc.fpcore", "--list", "--json"]).expect(0).json();
        let rows = document["accepted"].as_array().unwrap().clone();
        rows.into_iter().map(|r| r["mutant"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(list(&folder), open[..2]);
    folder.run(&["accept", "specs/rc.fpcore", "--remove", "nothing"]).expect(2).says(&["no entry", &open[0]]);
    folder.run(&["accept", "specs/rc.fpcore", "--remove", &open[0]]).expect(0);
    assert_eq!(list(&folder), open[1..2]);
    assert!(folder.read("specs/magneto.accept.toml").starts_with("# Mutants that a person has accepted"));

    folder.run(&["accept", "specs/rc.fpcore", &open[0], "--by", "x"]).expect(2);
    folder
        .run(&["accept", "specs/rc.fpcore", &open[0], "--by", " ", "--reason", "y"])
        .expect(2)
        .says(&["--by is empty"]);
    folder.run(&["accept", "specs/rc.fpcore"]).expect(2);
    folder
        .run(&["accept", "specs/rc.fpcore", "zz", "--by", "x", "--reason", "y"])
        .expect(2)
        .says(&["no mutant has an id"]);
}

#[test]
fn reports_show_decisions_and_say_when_they_are_older() {
    let folder = folder();
    folder.run(&GEN).expect(0);
    assert!(folder.json("magneto.out/manifest.json").get("accepted").is_none());
    let open = with_status(&folder, "undecided");
    accept(&folder, &open[0], &[]).expect(0).says(&["run `magneto gen` again"]);

    // The page is the record of a run that did not know of the decision.
    let report = |more: &[&str]| folder.run(&[&["report", "magneto.out", "--source-folder", "specs"], more].concat());
    let told = format!("does not say what this run had about {}", open[0]);
    for form in [&[][..], &["--format", "sarif"]] {
        report(form).expect(0).says(&["specs/magneto.accept.toml", &told]);
    }
    assert!(!folder.read("magneto.out/report.html").contains("A. Person"));

    folder.run(&GEN).expect(0);
    let decisions = folder.json("magneto.out/manifest.json")["accepted"].clone();
    assert_eq!(decisions[0]["mutant"], open[0].as_str());
    assert_eq!((&decisions[0]["by"], &decisions[0]["reason"]), (&"A. Person".into(), &"below the noise".into()));
    let ended = report(&[]).expect(0);
    assert!(!ended.err.contains("does not say"), "{}", ended.err);
    let page = folder.read("magneto.out/report.html");
    let part = |from: &str| page.split_once(from).unwrap_or_else(|| panic!("no {from}")).1;
    let card = part(&format!("<article class=\"survivor\" id=\"v-{}\">", open[0])).split_once("</article>").unwrap().0;
    assert!(card.contains("s-accepted") && card.contains("<strong>A. Person</strong>: below the noise"), "{card}");
    let summary = part("<section id=\"summary\"").split_once("</section>").unwrap().0;
    for words in ["Incomplete: ", "1 more is accepted by a person", "1 that a person accepted", "a person's decision"] {
        assert!(summary.contains(words), "no {words} in {summary}");
    }
    assert!(summary.contains("and the same decisions in <code>magneto.accept.toml</code>"));

    // All of the others too: nothing is open, and still the page does not say that all is killed.
    open[1..].iter().for_each(|id| drop(accept(&folder, id, &[]).expect(0)));
    folder.run(&GEN).expect(0);
    report(&[]).expect(0);
    let page = folder.read("magneto.out/report.html");
    assert!(page.contains("<p class=\"verdict open\">Complete but for "));

    // Taken back, or with another reason.
    let file = folder.read("specs/magneto.accept.toml");
    folder.write("specs/magneto.accept.toml", file.replace("below the noise", "other"));
    report(&[]).expect(0).says(&[&told]);
    folder.write("specs/magneto.accept.toml", "");
    report(&[]).expect(0).says(&[&told]);
}

/// Several at a time: none is lost.
#[test]
fn decisions_at_the_same_time_are_all_kept() {
    let folder = folder();
    folder.run(&GEN).expect(0);
    let open = with_status(&folder, "undecided");
    let some: Vec<&String> = open.iter().take(4).collect();
    assert!(some.len() > 1);
    let start = |id: &&String| {
        let line = ["accept", "specs/rc.fpcore", id, "--budget", "1", "--by", "A", "--reason", "B"];
        folder.command(&line).stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    let running: Vec<_> = some.iter().map(start).collect();
    for mut one in running {
        assert!(one.wait().unwrap().success());
    }
    let text = folder.read("specs/magneto.accept.toml");
    assert!(some.iter().all(|id| text.contains(id.as_str())), "{some:?}\n{text}");
}
