//! Names that were meant where another one is written.

/// The candidate nearest to `name` in spelling, if it is near enough to be what was meant.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let len = name.chars().take(41).count();
    nearest_within(name, candidates, if len <= 2 { 1 } else { 1 + len / 4 })
}

/// The same among the candidates that at most so many edits change into `name`; a change of case is none.
pub(crate) fn nearest_within<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Option<&'a str> {
    let name: Vec<char> = name.chars().take(41).collect();
    if name.len() > 40 {
        return None;
    }
    let scored = candidates.into_iter().map(|c| (distance(&name, &c.chars().collect::<Vec<_>>()), c));
    // A distance of the whole word would offer anything for a name of one letter.
    scored.filter(|&(d, c)| d <= limit && d < c.chars().count().max(name.len())).min_by_key(|&(d, _)| d).map(|(_, c)| c)
}

/// Edit distance with transpositions of neighbours; a change of case costs nothing at equal length otherwise.
fn distance(a: &[char], b: &[char]) -> usize {
    let equal = |x: char, y: char| x.eq_ignore_ascii_case(&y);
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let same = equal(a[i - 1], b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + usize::from(!same));
            if i > 1 && j > 1 && equal(a[i - 1], b[j - 2]) && equal(a[i - 2], b[j - 1]) {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
