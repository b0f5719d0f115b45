//! Comments of a specification: what its author says beside it, for people who read of it.

use crate::text::Span;

/// The comments in a core, and those in lines directly above it, one a line, without semicolons and empty lines.
#[must_use]
pub fn remarks(source: &[u8], core: Span) -> Vec<String> {
    let text = source.get(above(source, core)..core.end).unwrap_or_default();
    let (mut found, mut in_text) = (Vec::new(), false);
    let mut rest = text.iter().enumerate();
    while let Some((at, byte)) = rest.next() {
        match byte {
            b'\\' if in_text => drop(rest.next()),
            b'"' => in_text = !in_text,
            b';' if !in_text => {
                let line = text[at..].split(|b| *b == b'\n').next().unwrap_or_default();
                let said = String::from_utf8_lossy(line);
                found.push(said.trim_start_matches(';').trim().to_owned());
                if line.len() > 1 {
                    rest.nth(line.len() - 2);
                }
            }
            _ => {}
        }
    }
    found.retain(|line| !line.is_empty());
    found
}

/// Where the comments begin that stand in lines directly above a core; where it begins itself, if there are none. The core
/// begins its line then.
#[must_use]
pub fn above(source: &[u8], core: Span) -> usize {
    let mut start = core.start;
    loop {
        let Some(before) = source.get(..start) else { return start };
        // What stands between the line's beginning and this place is space alone.
        let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        if line_start == 0 || !before[line_start..].iter().all(u8::is_ascii_whitespace) {
            return start;
        }
        let earlier = before[..line_start - 1].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        if !source[earlier..line_start].trim_ascii_start().starts_with(b";") {
            return start;
        }
        start = earlier;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> (Vec<String>, usize) {
        let start = source.find("(FPCore").unwrap();
        let core = Span { start, end: source.rfind(')').unwrap() + 1 };
        (remarks(source.as_bytes(), core), above(source.as_bytes(), core))
    }

    #[test]
    fn comments_inside_and_above() {
        let source =
            "; A licence.\n\n;; The flow,\n  ; twice.\n(FPCore (x) ; one input\n :name \"a;b\\\";c\" ;\n x) ; behind";
        let (said, start) = of(source);
        assert_eq!(said, ["The flow,", "twice.", "one input"]);
        assert_eq!(start, source.find(";; The").unwrap());
        assert_eq!(of("(FPCore (x) x)"), (Vec::new(), 0));
        assert_eq!(of("; all\n(FPCore (x) x)"), (vec!["all".to_owned()], 0));
        // Behind another core on one line, or in the middle of one, nothing stands above.
        assert_eq!(of("x (FPCore (x) x)").1, 2);
        assert_eq!(of("; a\nx (FPCore (x) x)"), (Vec::new(), 6));
        assert_eq!(of("; ä\n(FPCore (x) ; ö\n x)").0, ["ä", "ö"]);
    }
}
