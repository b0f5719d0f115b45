//! Pieces of a text as messages show them: short, and with all characters seen.

use std::borrow::Cow;

/// Whether a character is not shown as itself but does something: controls, formats (such as the marks that turn the
/// direction of a text), separators of lines, and what is no character.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    let format = matches!(c,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}'
        | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}');
    let none = matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe;
    c.is_control() || format || none
}

/// How a hidden character is shown, by its number: `<U+202E>`. None of what is shown as itself, nor of line ends and tabs.
#[must_use]
pub fn number_of(c: char) -> Option<String> {
    (is_hidden(c) && !matches!(c, '\n' | '\t')).then(|| format!("<U+{:04X}>", u32::from(c)))
}

/// A text in which all characters are seen, see [`number_of`].
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    match text.chars().any(|c| is_hidden(c) && !matches!(c, '\n' | '\t')) {
        false => Cow::Borrowed(text),
        true => Cow::Owned(text.chars().map(|c| number_of(c).unwrap_or_else(|| c.to_string())).collect()),
    }
}

/// A piece of a formula, short enough for a line.
#[must_use]
pub fn clip(text: &str) -> String {
    const LONGEST: usize = 48;
    let mut short: String = text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

/// A piece of the source in backquotes, cut where it is too long for a message.
#[must_use]
pub fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    let clean = |c: char| if is_hidden(c) { '\u{FFFD}' } else { c };
    let mut short: String = text.chars().take(LONGEST).map(clean).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    format!("`{short}`")
}
