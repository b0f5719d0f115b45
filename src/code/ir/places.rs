//! Where in the source a line of the compiler's output comes from.

use std::collections::HashMap;

/// The notes about places, by number.
pub(super) struct Places<'t> {
    notes: HashMap<&'t str, &'t str>,
}

impl<'t> Places<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let note = |line: &'t str| {
            let (number, note) = line.strip_prefix('!')?.split_once(" = ")?;
            number.bytes().all(|b| b.is_ascii_digit()).then_some((number, note))
        };
        Places { notes: text.lines().filter_map(note).collect() }
    }

    /// `FILE:LINE: ` of a line of code, if it says where it comes from.
    pub(super) fn of_line(&self, line: &str) -> Option<String> {
        let note = self.notes.get(number(line, "!dbg !")?)?;
        let at = field(note, "line: ")?;
        // The place of an instruction names a block, and that a file.
        let file = match number(note, "file: !") {
            Some(file) => file,
            None => number(self.notes.get(number(note, "scope: !")?)?, "file: !")?,
        };
        let name = field(self.notes.get(file)?, "filename: \"")?;
        Some(format!("{name}:{at}: "))
    }

    /// The column of a line of code, from 1, if it says where it comes from.
    pub(super) fn column_of_line(&self, line: &str) -> Option<usize> {
        field(self.notes.get(number(line, "!dbg !")?)?, "column: ")?.parse().ok()
    }
}

fn number<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    let rest = &line[line.find(key)? + key.len()..];
    Some(&rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())])
}

fn field<'l>(note: &'l str, key: &str) -> Option<&'l str> {
    let rest = &note[note.find(key)? + key.len()..];
    Some(&rest[..rest.find([',', '"', ')']).unwrap_or(rest.len())])
}
