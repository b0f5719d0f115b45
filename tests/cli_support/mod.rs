//! Running the program in a folder of its own.

#![allow(dead_code, reason = "no test file uses all of it")]

pub(crate) mod payloads;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Says that something is missing and that a test goes without it. Where CI is set, as on CI servers, that is a failure:
/// there `.ci/setup ci` has installed what it can, and nothing may be left out without anybody seeing it.
#[track_caller]
pub(crate) fn missing(what: &str) {
    let ci = std::env::var("CI").is_ok_and(|v| !matches!(v.as_str(), "" | "0" | "false"));
    assert!(!ci, "{what}: run .ci/setup ci, or unset CI to go without");
    println!("skipped: {what}");
}

/// `matrix.csv` of a specification's folder with all its cells: the verdicts of each test in words, by mutant, and `test_id`.
pub(crate) fn matrix(folder: &Path) -> Vec<BTreeMap<String, String>> {
    let read = |name: &str| csv::Reader::from_path(folder.join(name)).unwrap();
    let ids: Vec<String> = read("mutants.csv").records().map(|m| m.unwrap()[0].to_owned()).collect();
    let row = |row: Result<csv::StringRecord, csv::Error>| {
        let (row, mut digits, mut next) = (row.unwrap(), String::new(), ids.iter());
        let mut cells = BTreeMap::from([("test_id".to_owned(), row[0].to_owned())]);
        for letter in row[1].chars() {
            if letter.is_ascii_digit() {
                digits.push(letter);
                continue;
            }
            let words = [('K', "KO"), ('P', "PROBABLE"), ('O', "OK"), ('U', "UNCERTAIN")];
            let word = words.iter().find(|w| w.0 == letter).unwrap().1;
            let count = if digits.is_empty() { 1 } else { digits.parse().unwrap() };
            cells.extend(next.by_ref().take(count).map(|id| (id.clone(), word.to_owned())));
            digits.clear();
        }
        assert_eq!(cells.len(), ids.len() + 1);
        cells
    };
    read("matrix.csv").records().map(row).collect()
}

/// A folder that is removed in the end, with what the program needs in it.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The folder itself.
    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.caching(arguments);
        // What a test is about is computed, however often.
        if arguments.first() == Some(&"gen") {
            command.arg("--no-cache");
        }
        command
    }

    /// The same with the cache of `gen`, as users have it.
    pub(crate) fn caching(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_magneto"));
        command.args(arguments).current_dir(self.root()).env_remove("NO_COLOR").stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        Ended::new(&self.command(arguments).output().unwrap())
    }

    /// Looks at the rows of all tables in a folder of results.
    #[track_caller]
    pub(crate) fn assert_rows_fit(&self, name: &str) {
        let is_table = |file: &&(String, Vec<u8>)| file.0.ends_with(".csv") || file.0.ends_with(".md");
        let tables: Vec<(String, Vec<u8>)> = self.files(name).iter().filter(is_table).cloned().collect();
        assert!(!tables.is_empty(), "no tables in {name}");
        tables.iter().for_each(|(file, bytes)| assert_rows_fit(file, std::str::from_utf8(bytes).unwrap()));
    }

    /// All files below a folder with their contents, in the order of their paths.
    pub(crate) fn files(&self, name: &str) -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        let mut folders = vec![self.path(name)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let shown = path.strip_prefix(self.path(name)).unwrap().to_string_lossy().into_owned();
                    files.push((shown, std::fs::read(path).unwrap()));
                }
            }
        }
        files.sort();
        files
    }
}

/// Every row of every table in this text has as many cells as its header: a CSV file, or Markdown.
#[track_caller]
pub(crate) fn assert_rows_fit(name: &str, text: &str) {
    if name.ends_with(".csv") {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        reader.records().for_each(|row| drop(row.unwrap_or_else(|e| panic!("{name}: {e}\n{text}"))));
        return;
    }
    let mut columns = None;
    for line in text.lines() {
        // A bar in code or behind a backslash ends no cell.
        let code = |(k, part): (usize, &str)| if k % 2 == 0 { part.replace("\\|", "") } else { String::new() };
        let cells = line.split('`').enumerate().map(code).collect::<String>().matches('|').count();
        columns = line.starts_with('|').then(|| columns.unwrap_or(cells));
        assert!(columns.is_none_or(|n| n == cells), "{name}: another number of cells than its header has: {line}");
    }
}

/// How a run ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    pub(crate) fn new(output: &Output) -> Self {
        Ended {
            code: output.status.code(),
            out: String::from_utf8(output.stdout.clone()).unwrap(),
            err: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }

    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}\n{}", self.out, self.err))
    }

    /// That the standard error holds all of these.
    #[track_caller]
    pub(crate) fn says(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(self.err.contains(text), "no `{text}` in\n{}", self.err);
        }
        self
    }

    /// That the standard output holds all of these.
    #[track_caller]
    pub(crate) fn prints(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(self.out.contains(text), "no `{text}` in\n{}", self.out);
        }
        self
    }
}

/// A small specification with a name, an accuracy and few mutants.
pub(crate) const SMALL: &str = "(FPCore (x y)\n  :name \"small\"\n  :pre (and (<= 1 x 4) (<= 0.5 y 2))\n  \
                         :magneto-req \"REQ-1\"\n  :magneto-rel-error 1e-9\n  (+ (* 0.1 x) (sqrt y)))\n";
