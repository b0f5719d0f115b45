//! What `gcov` counts in a native program.

use serde::Deserialize;

/// What `gcov` writes, as far as it is read.
#[derive(Deserialize)]
struct Document {
    files: Vec<CountedFile>,
}

#[derive(Deserialize)]
struct CountedFile {
    file: String,
    lines: Vec<CountedLine>,
}

#[derive(Deserialize)]
struct CountedLine {
    line_number: u32,
    count: u64,
    branches: Vec<CountedBranch>,
}

#[derive(Deserialize)]
struct CountedBranch {
    count: u64,
}

/// What is counted of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineCount {
    /// How often it was run.
    pub runs: u64,
    /// How often each of its branches was taken.
    pub branches: Vec<u64>,
}

/// The lines of documents of `gcov`, each with its file.
///
/// # Errors
/// What is wrong with the document.
pub(super) fn read(text: &str) -> Result<Vec<(String, u32, LineCount)>, String> {
    let mut all = Vec::new();
    let documents = serde_json::Deserializer::from_str(text).into_iter::<Document>();
    let files = documents.map(|d| d.map(|d| d.files)).collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string())?;
    for file in files.into_iter().flatten() {
        for line in file.lines {
            let branches = line.branches.iter().map(|b| b.count).collect();
            all.push((file.file.clone(), line.line_number, LineCount { runs: line.count, branches }));
        }
    }
    Ok(all)
}
