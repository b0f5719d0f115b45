//! Mutants of C text: one constant or operator is another.

/// Operators and what stands in for them.
const SWAPS: &[(&str, &[&str])] = &[
    ("<", &["<=", ">", ">=", "=="]),
    ("<=", &["<", ">=", "=="]),
    (">", &[">=", "<", "=="]),
    (">=", &[">", "<=", "=="]),
    ("==", &["!=", "<=", ">="]),
    ("!=", &["==", "<", ">"]),
    ("+", &["-", "*"]),
    ("-", &["+"]),
    ("*", &["+", "-"]),
    ("/", &["*"]),
    ("%", &["/", "&"]),
    ("&", &["|", "^"]),
    ("|", &["&", "^"]),
    ("^", &["|", "&"]),
    ("<<", &[">>"]),
    (">>", &["<<"]),
    ("&&", &["||"]),
    ("||", &["&&"]),
];
/// Operators that are none of these, but begin like them.
const OTHERS: &[&str] = &["<<=", ">>=", "...", "++", "--", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="];

/// A change: the bytes from here to there become this text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) text: String,
}

impl Change {
    pub(crate) fn applied(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.from], self.text, &text[self.to..])
    }

    /// What it is, for people.
    pub(crate) fn shown(&self, text: &str) -> String {
        let line = text[..self.from].matches('\n').count() + 1;
        format!("line {line}: {} -> {}", &text[self.from..self.to], self.text)
    }
}

/// All changes of a text in its order; comments, strings and lines of the preprocessor stay.
pub(crate) fn changes(text: &str) -> Vec<Change> {
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let line_start = text[..at].rsplit('\n').next().is_some_and(|l| l.trim().is_empty());
        let length = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |n| n + 2)
        } else if rest.starts_with("//") || c == '#' && line_start {
            directive(rest)
        } else if c == '"' || c == '\'' {
            quoted(rest, c)
        } else if c.is_ascii_digit() || c == '.' && rest[1..].starts_with(|d: char| d.is_ascii_digit()) {
            number(rest, at, &mut all)
        } else if c.is_alphabetic() || c == '_' {
            rest.find(|d: char| !d.is_alphanumeric() && d != '_').unwrap_or(rest.len())
        } else {
            operator(rest, at, &mut all).unwrap_or(c.len_utf8())
        };
        at += length;
    }
    all
}

/// To the end of the line; a line that ends in a backslash goes on.
fn directive(rest: &str) -> usize {
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    length
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return i + 1,
            _ => {}
        }
    }
    rest.len()
}

fn operator(rest: &str, at: usize, all: &mut Vec<Change>) -> Option<usize> {
    if let Some(other) = OTHERS.iter().find(|o| rest.starts_with(**o)) {
        return Some(other.len());
    }
    let of_length = |n: usize| SWAPS.iter().find(|(op, _)| op.len() == n && rest.starts_with(op));
    let (op, others) = of_length(2).or_else(|| of_length(1))?;
    all.extend(others.iter().map(|o| Change { from: at, to: at + op.len(), text: (*o).to_owned() }));
    Some(op.len())
}

/// The length of the number that begins here, with its suffix.
pub(crate) fn number_length(rest: &str) -> usize {
    let (mut before, mut length) = (' ', 0);
    for c in rest.chars() {
        let signed =
            matches!(c, '+' | '-') && (matches!(before, 'p' | 'P') || matches!(before, 'e' | 'E') && !is_hex(rest));
        if !c.is_ascii_alphanumeric() && c != '.' && !signed {
            break;
        }
        (before, length) = (c, length + 1);
    }
    length
}

fn is_hex(text: &str) -> bool {
    text.starts_with("0x") || text.starts_with("0X")
}

/// The value of an integer constant without its suffix.
pub(crate) fn integer(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    if is_hex(digits) { u64::from_str_radix(&digits[2..], 16).ok() } else { digits.parse().ok() }
}

fn number(rest: &str, at: usize, all: &mut Vec<Change>) -> usize {
    let length = number_length(rest);
    let text = &rest[..length];
    let suffix = &text[text.trim_end_matches(['u', 'U', 'l', 'L']).len()..];
    let mut push = |text: String| all.push(Change { from: at, to: at + length, text });
    if let Some(n) = integer(text) {
        if is_hex(text) {
            for bit in [0, 3, 12, 20, 30] {
                push(format!("{:#x}{suffix}", n ^ 1 << bit));
            }
        } else {
            push(format!("{}{suffix}", n + 1));
            if n > 0 {
                push(format!("{}{suffix}", n - 1));
            }
        }
    } else if let Ok(x) = text.parse::<f64>() {
        for y in [x * 2.0, x / 2.0, x.next_up(), -x] {
            push(if y < 0.0 { format!("({y:?})") } else { format!("{y:?}") });
        }
    }
    length
}
