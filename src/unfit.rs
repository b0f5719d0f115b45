//! What is wrong with something that a person gave, where no caller asks which of many things it is.

use std::fmt;

/// Why a text, a value or a file is not fit for what it was given for: a part of a sentence, before which a caller says
/// where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// What is wrong.
    pub message: String,
    /// What may help.
    pub hint: Option<String>,
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
