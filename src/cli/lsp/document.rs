//! An open document, and how the protocol names files.

use super::examine::Examined;
use super::places::Text;
use gen_lsp_types::TextDocumentContentChangeEvent;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// A document that is open in the editor.
pub(super) struct Document {
    pub(super) text: Arc<Text>,
    pub(super) version: i32,
    /// When it is to be looked at again; none if nothing has changed since.
    pub(super) due: Option<Instant>,
    /// What is known of it.
    pub(super) examined: Arc<Examined>,
    /// The version of which that is known.
    pub(super) examined_version: Option<i32>,
}

impl Document {
    pub(super) fn new(text: String, version: i32, due: Instant) -> Self {
        Document {
            text: Arc::new(Text::new(text)),
            version,
            due: Some(due),
            examined: Arc::default(),
            examined_version: None,
        }
    }

    /// Takes over what changed, in order.
    pub(super) fn change(&mut self, changes: Vec<TextDocumentContentChangeEvent>, version: i32, due: Instant) {
        use TextDocumentContentChangeEvent as Change;
        for change in changes {
            self.text = Arc::new(match change {
                Change::TextDocumentContentChangePartial(part) => self.text.replaced(part.range, &part.text),
                Change::TextDocumentContentChangeWholeDocument(whole) => Text::new(whole.text),
            });
        }
        (self.version, self.due) = (version, Some(due));
    }
}

/// The path of a `file:` URI; none of any other.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // Behind an authority, which is empty or this machine.
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.as_bytes();
    while let Some((first, rest)) = left.split_first() {
        let digits = rest.get(..2).and_then(|d| std::str::from_utf8(d).ok());
        let escaped = digits.filter(|_| *first == b'%').and_then(|d| u8::from_str_radix(d, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        left = if escaped.is_some() { &rest[2..] } else { rest };
    }
    Some(PathBuf::from(OsString::from_vec(bytes)))
}
