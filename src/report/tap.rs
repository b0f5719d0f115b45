//! The Test Anything Protocol, version 14 (testanything.org).

use super::cases::{CaseGroup, State};
use std::fmt::Write as _;

/// All groups as one document. `bail` says why the run ended early.
#[must_use]
pub fn document(groups: &[CaseGroup], bail: Option<&str>) -> String {
    let count: usize = groups.iter().map(|g| g.cases.len()).sum();
    let mut out = format!("TAP version 14\n1..{count}\n");
    let mut number = 0;
    for group in groups {
        for case in &group.cases {
            number += 1;
            let name = escaped(&format!("{}: {}", group.name, case.name));
            let (ok, directive, message) = match &case.state {
                State::Passed => ("ok", "", None),
                State::Failed(m) => ("not ok", "", Some(m)),
                State::Open(m) => ("not ok", " # TODO not settled", Some(m)),
                State::Waived(m) => ("not ok", " # TODO not counted", Some(m)),
                State::Broken(m) => ("not ok", "", Some(m)),
            };
            let _ = writeln!(out, "{ok} {number} - {name}{directive}");
            if let Some(message) = message {
                let _ = writeln!(out, "  ---\n  message: {}\n  at: {}\n  ...", quoted(message), quoted(&case.about));
            }
        }
    }
    if let Some(why) = bail {
        let _ = writeln!(out, "Bail out! {}", why.replace('\n', " "));
    }
    out
}

/// `#` begins a directive.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('#', "\\#").replace('\n', " ")
}

/// A YAML string; JSON's are.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::cases::ReportedCase;
    use super::*;

    #[test]
    fn every_state() {
        let case = |name: &str, state| ReportedCase { name: name.into(), about: "x = 1".into(), state };
        let cases = vec![
            case("#1", State::Passed),
            case("b", State::Failed("a \"b\"".into())),
            case("c", State::Open("open".into())),
            case("d", State::Broken("broken".into())),
            case("e", State::Waived("waived".into())),
        ];
        let text = document(&[CaseGroup { name: "g".into(), cases }], Some("gone"));
        let expected = "TAP version 14\n1..5\nok 1 - g: \\#1\nnot ok 2 - g: b\n  ---\n  message: \"a \\\"b\\\"\"\n  at: \
                        \"x = 1\"\n  ...\nnot ok 3 - g: c # TODO not settled\n  ---\n  message: \"open\"\n  at: \"x = \
                        1\"\n  ...\nnot ok 4 - g: d\n  ---\n  message: \"broken\"\n  at: \"x = 1\"\n  ...\nnot ok \
                        5 - g: e # TODO not counted\n  ---\n  message: \"waived\"\n  at: \"x = 1\"\n  \
                        ...\nBail out! gone\n";
        assert_eq!(text, expected);
    }
}
