//! Texts that are not in UTF-8.

use super::number::Wrong;

/// The text of bytes in UTF-16, with a byte order mark or recognised by the zeros of its first characters; none where they are not.
/// Whether the order had to be understood comes with it.
pub(super) fn utf16(bytes: &[u8]) -> Option<(Result<String, Wrong>, bool)> {
    let (little, marked) = match bytes {
        [0xff, 0xfe, ..] => (true, true),
        [0xfe, 0xff, ..] => (false, true),
        [a, 0, b, 0, ..] if *a != 0 && *b != 0 => (true, false),
        [0, a, 0, b, ..] if *a != 0 && *b != 0 => (false, false),
        _ => return None,
    };
    let body = if marked { &bytes[2..] } else { bytes };
    let unit = |pair: &[u8]| {
        let pair = [pair[0], pair[1]];
        if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
    };
    let units: Vec<u16> = body.chunks_exact(2).map(unit).collect();
    let text = match String::from_utf16(&units) {
        Ok(text) if body.len().is_multiple_of(2) => Ok(text),
        _ => Err(Wrong::new("the file begins as UTF-16 and is not all of it").hint("save it as UTF-8")),
    };
    Some((text, !marked))
}

/// Whether bytes begin like UTF-16.
pub(super) fn is_utf16(start: &[u8]) -> bool {
    utf16(&start[..start.len().min(4)]).is_some()
}
