//! What is wrong with something that a person gave, where no caller asks which of many things it is.

use std::fmt;
use std::io;

/// Why a text, a value or a file is not fit for what it was given for: a part of a sentence, before which a caller says
/// where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// What is wrong.
    pub message: String,
    /// What may help.
    pub hint: Option<String>,
}

/// Why the system refused something, for people: without the number that it gives the error.
#[must_use]
pub fn io_reason(e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::NotADirectory => "it is a file, and no folder".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder, and no file".to_owned(),
        _ => {
            let text = e.to_string();
            text.split(" (os error").next().unwrap_or_default().to_owned()
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.hint.iter().try_for_each(|hint| write!(f, "; {hint}"))
    }
}

impl std::error::Error for Unfit {}

impl From<String> for Unfit {
    fn from(message: String) -> Self {
        Unfit { message, hint: None }
    }
}

impl From<&str> for Unfit {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl From<Unfit> for String {
    fn from(why: Unfit) -> Self {
        why.to_string()
    }
}
