//! Stretches of what is in a row.

/// Where something holds: from, and how often in a row.
pub(super) fn runs(holds: impl Iterator<Item = bool>) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    for (k, _) in holds.enumerate().filter(|(_, h)| *h) {
        match out.last_mut() {
            Some((start, len)) if *start + *len == k => *len += 1,
            _ => out.push((k, 1)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_cells() {
        let holds = |s: &str| runs(s.chars().map(|c| c == '1'));
        assert_eq!(holds("1101"), [(0, 2), (3, 1)]);
        assert_eq!(holds("000"), []);
        assert_eq!(holds("1"), [(0, 1)]);
    }
}
