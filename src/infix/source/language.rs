//! The languages of which functions are read.

/// A language of which functions are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceLanguage {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Python.
    Python,
}

impl SourceLanguage {
    /// The language of files with such an ending (without its point), if functions of it are read.
    #[must_use]
    pub fn of_ending(ending: &str) -> Option<SourceLanguage> {
        match ending {
            "c" | "h" => Some(SourceLanguage::C),
            "cpp" | "cc" | "cxx" | "hpp" | "hh" | "hxx" => Some(SourceLanguage::Cpp),
            "py" => Some(SourceLanguage::Python),
            _ => None,
        }
    }
}
