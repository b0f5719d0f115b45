//! What stands around a place of a text that may be half written: the word, the brackets that are open, the names that are
//! bound.

use magneto::text::Span;
use magneto::text::sexp::{Dialect, PlacedToken, TokenKind, tokens};

/// What a list is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListRole {
    /// `(FPCore …)`
    Core,
    /// The arguments of an FPCore.
    Arguments,
    /// `(! … x)` among them.
    Argument,
    /// The list of bindings of a `let`.
    Bindings,
    /// One of them.
    Binding,
    /// Any other.
    Plain,
}

/// A list that is open.
#[derive(Clone, Debug)]
pub(super) struct OpenList<'a> {
    pub(super) role: ListRole,
    /// Its first word.
    pub(super) head: Option<&'a str>,
    /// How many items stand in it before the place.
    pub(super) items: usize,
    /// The last word before the place, if no other item stands behind it.
    pub(super) last: Option<&'a str>,
    /// Whether a list stands in it.
    has_list: bool,
}

/// What stands around a place.
#[derive(Debug, Default)]
pub(super) struct Cursor<'a> {
    /// The word around the place, or just before it.
    pub(super) word: Option<(Span, &'a str)>,
    /// The lists that are open before the word, from the outermost on.
    pub(super) open: Vec<OpenList<'a>>,
    /// The names that are bound before it in its FPCore.
    pub(super) names: Vec<&'a str>,
    /// Whether the place is in a string or a comment.
    pub(super) is_text: bool,
}

impl<'a> Cursor<'a> {
    /// At a byte of a text.
    pub(super) fn new(source: &'a str, offset: usize) -> Self {
        let offset = offset.min(source.len());
        // A core begins anew at the beginning of a line, whatever is open before it.
        let start = source[..offset].rfind("\n(FPCore").map_or(0, |at| at + 1);
        let mut cursor = Cursor::default();
        let mut end = start;
        for PlacedToken { kind, span } in tokens(&source[start..], Dialect::FpCore) {
            let span = Span { start: span.start + start, end: span.end + start };
            let is_last = span.end >= offset;
            if span.start >= offset && !(kind == TokenKind::Atom && span.start == offset) {
                break;
            }
            end = span.end;
            let text = &source[span.start..span.end];
            match kind {
                TokenKind::Atom if is_last => cursor.word = Some((span, text)),
                TokenKind::Atom => cursor.atom(text),
                // Behind its closing quote a place is in no string.
                TokenKind::Text if span.end > offset || !text[1..].ends_with('"') => cursor.is_text = true,
                TokenKind::Text => cursor.item(None),
                TokenKind::Open => cursor.open(),
                TokenKind::Close => drop(cursor.open.pop()),
            }
            // Behind a bracket or a string another word may begin.
            if span.end > offset || is_last && kind == TokenKind::Atom {
                return cursor;
            }
        }
        let gap = &source[end.min(offset)..offset];
        cursor.is_text |= gap.rfind(';').is_some_and(|at| !gap[at..].contains('\n'));
        cursor
    }

    /// The innermost list.
    pub(super) fn list(&self) -> Option<&OpenList<'a>> {
        self.open.last()
    }

    /// Whether the word is, or would be, the first of its list.
    pub(super) fn is_head(&self) -> bool {
        self.list().is_some_and(|list| list.items == 0)
    }

    fn item(&mut self, word: Option<&'a str>) {
        if let Some(list) = self.open.last_mut() {
            list.items += 1;
            list.last = word;
        }
    }

    fn atom(&mut self, text: &'a str) {
        let Some(list) = self.open.last_mut() else { return };
        if list.items == 0 {
            list.head = Some(text);
            if text == "FPCore" && list.role == ListRole::Plain {
                list.role = ListRole::Core;
                self.names.clear();
            }
        }
        let list = &self.open[self.open.len() - 1];
        let is_name = match list.role {
            ListRole::Arguments => true,
            ListRole::Argument => list.items > 0 && !list.last.is_some_and(|word| word.starts_with(':')),
            ListRole::Binding => list.items == 0,
            _ => false,
        };
        if is_name && !text.starts_with(':') {
            self.names.push(text);
        }
        self.item(Some(text));
    }

    fn open(&mut self) {
        let role = self.open.last().map_or(ListRole::Plain, |outer| match (outer.role, outer.head) {
            (ListRole::Core, _) if !outer.has_list => ListRole::Arguments,
            (ListRole::Arguments, _) => ListRole::Argument,
            (ListRole::Bindings, _) => ListRole::Binding,
            (_, Some("let" | "let*")) if !outer.has_list => ListRole::Bindings,
            _ => ListRole::Plain,
        });
        self.item(None);
        if let Some(outer) = self.open.last_mut() {
            outer.has_list = true;
        }
        self.open.push(OpenList { role, head: None, items: 0, last: None, has_list: false });
    }
}
