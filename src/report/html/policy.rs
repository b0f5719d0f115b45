//! What a browser may do for a page: nothing but show it. A name or a source in a page that got past its escapes could
//! neither run as a script nor load anything.

use crate::record::manifest::sha256;

/// The content security policy of a page with these texts of `style` and `script` elements, and pictures in the page alone.
pub(super) fn policy(styles: &[&str], scripts: &[&str]) -> String {
    let sources = |texts: &[&str]| match texts {
        [] => "'none'".to_owned(),
        all => all
            .iter()
            .map(|text| format!("'sha256-{}'", base64(&sha256(text.as_bytes()))))
            .collect::<Vec<_>>()
            .join(" "),
    };
    format!(
        "default-src 'none'; style-src {}; script-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        sources(styles),
        sources(scripts)
    )
}

/// Base64 (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let bits = (0..3).fold(0, |bits, k| bits << 8 | u32::from(three.get(k).copied().unwrap_or(0)));
        let digit = |k: usize| char::from(DIGITS[(bits >> (18 - 6 * k) & 63) as usize]);
        let digits = (0..4).map(move |k| if k <= three.len() { digit(k) } else { '=' });
        digits.collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits() {
        // The vectors of RFC 4648, section 10.
        for (text, expected) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(text.as_bytes()), expected);
        }
        // The hash of the empty text, as browsers write it.
        let empty = policy(&[""], &[]);
        assert!(empty.contains("style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; script-src 'none'"));
    }
}
