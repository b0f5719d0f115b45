//! Answers that were gathered elsewhere: a CSV file with the columns `test_id` and `result`, or one line a test.

use super::answer::{GivenAnswer, parse};
use crate::floats::Format;
use crate::text::{nearest, quote};
use crate::unfit::Unfit;
use std::collections::HashMap;

/// Answers, and what is worth knowing beside them.
#[derive(Clone, Debug)]
pub struct Read {
    /// An answer a test.
    pub answers: Vec<GivenAnswer>,
    /// What was ignored.
    pub notes: Vec<String>,
}

/// Reads a file of results, each written as the pipe protocol has it. A first line with `test_id` and `result` makes
/// it a CSV file in any order; otherwise there is one line for each of `tests`, in their order.
///
/// # Errors
/// `line:column: what is wrong` for each place; nothing is guessed.
pub fn read(bytes: &[u8], tests: &[String], format: Format) -> Result<Read, Vec<String>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => {
            let line = bytes[..e.valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
            return Err(vec![format!("{line}:1: this is no text in UTF-8")]);
        }
    };
    let first = text.lines().next().unwrap_or_default();
    let names: Vec<&str> = first.split(',').map(|c| c.trim().trim_matches('"')).collect();
    if names.contains(&"test_id") { table(text, tests, format) } else { lines(text, tests, format) }
}

fn lines(text: &str, tests: &[String], format: Format) -> Result<Read, Vec<String>> {
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() != tests.len() {
        let line = lines.len().min(tests.len()) + 1;
        let (have, want) = (lines.len(), tests.len());
        return Err(vec![format!(
            "{line}:1: there are {have} lines and {want} tests; expected a line for each test, or a header `test_id,result`"
        )]);
    }
    let one = |(k, line): (usize, &&str)| given(line, format).map_err(|why| format!("{}:1: {why}", k + 1));
    Ok(Read { answers: every(lines.iter().enumerate().map(one))?, notes: Vec::new() })
}

fn table(text: &str, tests: &[String], format: Format) -> Result<Read, Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|e| vec![format!("1:1: {e}")])?.clone();
    let column = |name: &str| -> Result<usize, Vec<String>> {
        let found: Vec<usize> = header.iter().enumerate().filter(|(_, h)| *h == name).map(|(k, _)| k).collect();
        match found[..] {
            [one] => Ok(one),
            [] => Err(vec![format!("1:1: there is no column `{name}`")]),
            [_, second, ..] => Err(vec![format!("1:{}: there are several columns `{name}`", second + 1)]),
        }
    };
    let (id_column, result_column) = (column("test_id")?, column("result")?);
    let place: HashMap<&str, usize> = tests.iter().enumerate().map(|(k, id)| (id.as_str(), k)).collect();
    let mut answers: Vec<Option<GivenAnswer>> = vec![None; tests.len()];
    let mut problems = Vec::new();
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            Err(e) => {
                let line = e.position().map_or(1, csv::Position::line);
                problems.push(format!("{line}:1: {e}"));
                break;
            }
        };
        let line = record.position().map_or(1, csv::Position::line);
        let id = record.get(id_column).unwrap_or_default();
        let Some(&test) = place.get(id) else {
            let hint = nearest(id, tests.iter().map(String::as_str));
            let hint = hint.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
            problems.push(format!("{line}:{}: there is no test {}{hint}", id_column + 1, quote(id)));
            continue;
        };
        if answers[test].is_some() {
            problems.push(format!("{line}:{}: the test {id} has a result already", id_column + 1));
            continue;
        }
        match given(record.get(result_column).unwrap_or_default(), format) {
            Ok(answer) => answers[test] = Some(answer),
            Err(why) => problems.push(format!("{line}:{}: {why}", result_column + 1)),
        }
    }
    let missing: Vec<&str> = tests.iter().zip(&answers).filter(|(_, a)| a.is_none()).map(|(t, _)| t.as_str()).collect();
    if problems.is_empty() && !missing.is_empty() {
        let last = text.lines().count();
        problems.push(format!("{last}:1: there is no result for {}", some(&missing)));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let ignored: Vec<&str> = header
        .iter()
        .enumerate()
        .filter(|(k, _)| *k != id_column && *k != result_column)
        .map(|(_, name)| name)
        .collect();
    let notes = if ignored.is_empty() { Vec::new() } else { vec![format!("ignored columns: {}", some(&ignored))] };
    Ok(Read { answers: answers.into_iter().flatten().collect(), notes })
}

fn given(text: &str, format: Format) -> Result<GivenAnswer, Unfit> {
    Ok(GivenAnswer { answer: parse(text, format)?, text: Some(text.trim().to_owned()) })
}

/// All results, or all errors.
fn every<T>(items: impl Iterator<Item = Result<T, String>>) -> Result<Vec<T>, Vec<String>> {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    items.for_each(|item| match item {
        Ok(x) => good.push(x),
        Err(e) => bad.push(e),
    });
    if bad.is_empty() { Ok(good) } else { Err(bad) }
}

/// Some names of a list.
fn some(names: &[&str]) -> String {
    const MOST: usize = 5;
    let shown = names.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{shown} and {} more", names.len() - MOST) } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::Answer;

    fn read_text(text: &str) -> Result<Read, Vec<String>> {
        let tests = ["t001", "t002"].map(str::to_owned);
        read(text.as_bytes(), &tests, Format::BINARY64)
    }

    #[test]
    fn both_forms() {
        for text in [
            "1.5\nnan\n",
            "\u{feff}0x1.8p+0\r\nNaN\r\n",
            "test_id,result\nt002,nan\nt001,1.5\n",
            "result , note, test_id\r\n1.5,\"a, b\",t001\r\nnan,,t002",
        ] {
            let answers = read_text(text).unwrap().answers;
            assert_eq!(answers[0].answer, Answer::Value(1.5), "{text}");
            assert!(matches!(answers[1].answer, Answer::Value(y) if y.is_nan()), "{text}");
        }
        assert_eq!(read_text("result,note,test_id\n1,x,t001\n2,y,t002").unwrap().notes, ["ignored columns: note"]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, said) in [
            ("1.5\n", "2:1: there are 1 lines and 2 tests"),
            ("1\n2\n3\n", "3:1: there are 3 lines"),
            ("", "1:1: there are 0 lines"),
            ("1\ntwo\n", "2:1: `two` is not a number"),
            ("test_id,result\nt001,1\n", "2:1: there is no result for t002"),
            ("test_id,result\nt001,1\nt001,2\nt002,3\n", "3:1: the test t001 has a result already"),
            ("test_id,result\nt001,1\nt003,2\n", "3:1: there is no test `t003`; did you mean"),
            ("test_id,result\nt001,1;5\nt002,1\n", "2:2: `1;5` is not a number"),
            ("test_id,results\nt001,1\n", "1:1: there is no column `result`"),
            ("test_id,result,result\nt001,1\n", "1:3: there are several columns `result`"),
            ("test_id,result\nt001\nt002,1\n", "2:2: an empty line"),
        ] {
            let errors = read_text(text).unwrap_err();
            assert!(errors[0].starts_with(said), "{text:?}: {errors:?}");
        }
        let binary = read(b"\xff\xfe\n", &["t001".to_owned()], Format::BINARY64).unwrap_err();
        assert_eq!(binary, ["1:1: this is no text in UTF-8"]);
    }
}
