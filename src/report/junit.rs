//! JUnit's XML, as CI servers read it: the only file that names quick-junit. Without times, so that two runs are equal.

use super::cases::{CaseGroup, State};
use crate::record::store::FileKind;
use crate::text::visible;
use crate::unfit::Unfit;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// By what a file of these commands is known.
pub const KIND: FileKind = FileKind { name: "a JUnit file", start: "<?xml", inside: "<testsuites name=\"magneto " };

/// All groups as one document. What was not settled or fails nothing counts as skipped, what could not be run as an error.
///
/// # Errors
/// A sentence, should the document not be writable.
pub fn document(name: &str, groups: &[CaseGroup]) -> Result<Vec<u8>, Unfit> {
    let mut report = Report::new(valid(name));
    for group in groups {
        let mut suite = TestSuite::new(valid(&group.name));
        for case in &group.cases {
            let kind = |kind, message: &str| {
                let mut status = TestCaseStatus::non_success(kind);
                status.set_message(valid(message)).set_description(valid(&format!("{message}\nat {}", case.about)));
                status
            };
            let status = match &case.state {
                State::Passed => TestCaseStatus::success(),
                State::Failed(m) => kind(NonSuccessKind::Failure, m),
                State::Broken(m) => kind(NonSuccessKind::Error, m),
                State::Open(m) | State::Waived(m) => {
                    let mut status = TestCaseStatus::skipped();
                    status.set_message(valid(m));
                    status
                }
            };
            let mut test = TestCase::new(valid(&case.name), status);
            test.set_classname(valid(&group.name));
            suite.add_test_case(test);
        }
        report.add_test_suite(suite);
    }
    let mut bytes = Vec::new();
    report.serialize(&mut bytes).map_err(|e| e.to_string())?;
    Ok(without_total(&bytes).unwrap_or(bytes))
}

/// A text in which every character is seen, without what XML 1.0 has no characters for.
fn valid(text: &str) -> String {
    let is_char = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    visible(text).chars().map(|c| if is_char(c) { c } else { '\u{fffd}' }).collect()
}

/// The document without the number of skipped cases in its root: suites have it, and the schema that Jenkins publishes
/// (junit-10.xsd) allows it there only.
fn without_total(document: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(document).ok()?;
    let start = text.find("<testsuites ")?;
    let end = start + text[start..].find('>')?;
    let from = start + text[start..end].find(" skipped=\"")?;
    let value = from + " skipped=\"".len();
    let to = value + text[value..end].find('"')? + 1;
    Some(format!("{}{}", &text[..from], &text[to..]).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::cases::ReportedCase;
    use super::*;

    #[test]
    fn every_state_and_hostile_text() {
        let case = |name: &str, state| ReportedCase { name: name.into(), about: "x < 1".into(), state };
        let cases = vec![
            case("a", State::Passed),
            case("b & c\u{fffe}", State::Failed("<\u{1}]]>\u{ffff}".into())),
            case("d", State::Open("open".into())),
            case("e", State::Broken("broken".into())),
        ];
        let text = document("magneto check", &[CaseGroup { name: "g".into(), cases }]).unwrap();
        let text = String::from_utf8(text).unwrap();
        let parts = [
            r#"tests="4""#,
            r#"failures="1""#,
            r#"errors="1""#,
            "name=\"b &amp; c&lt;U+FFFE&gt;\"",
            "<skipped message=\"open\"",
            "at x &lt; 1",
        ];
        for part in parts {
            assert!(text.contains(part), "no {part} in\n{text}");
        }
        let root = text.split_once("<testsuites ").and_then(|t| t.1.split_once('>')).unwrap().0;
        assert!(!root.contains("skipped") && root.contains("failures") && text.contains("skipped=\"1\""), "{text}");
        assert!(!text.contains(['\u{1}', '\u{fffe}', '\u{ffff}']) && !text.contains("timestamp"), "{text}");
    }
}
