//! Test cases as other tools know them, whatever they are about.

/// A group of test cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseGroup {
    /// Its name.
    pub name: String,
    /// The cases in order.
    pub cases: Vec<ReportedCase>,
}

/// One test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedCase {
    /// Its name.
    pub name: String,
    /// What it is about, one line.
    pub about: String,
    /// What became of it.
    pub state: State,
}

/// What became of a test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It passed.
    Passed,
    /// It failed, and why.
    Failed(String),
    /// It was not settled, and why.
    Open(String),
    /// It did not pass, which counts for nothing, and why.
    Waived(String),
    /// It could not be run or read, and why.
    Broken(String),
}
