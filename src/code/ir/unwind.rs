//! Functions without what runs while an exception is on its way: a call returns, or the run ends there.

use super::dead::without_dead;

/// The import that a function calls first which catches exceptions, and one that only cleans up.
pub(crate) const CATCHES: &str = "magneto catches exceptions";
pub(crate) const CLEANS: &str = "magneto cleans up for exceptions";

/// A function whose calls all return, with a note at its beginning; none where it has no other.
pub(super) fn without_unwinding(head: &str, body: &[&str]) -> Option<(String, Vec<String>)> {
    let at = head.find(" personality ")?;
    let upto = [" !dbg ", " {"].iter().filter_map(|end| head[at..].find(end)).min()? + at;
    let head = format!("{}{}", &head[..at], &head[upto..]);
    let catches = |l: &str| ["catch ", "filter "].iter().any(|word| l.trim_start().starts_with(word));
    let note = if body.iter().any(|l| catches(l)) { CATCHES } else { CLEANS };
    let place = body.iter().find_map(|l| l.find(", !dbg ").map(|at| &l[at..])).unwrap_or_default();
    let place = place.split(", !").nth(1).map_or(String::new(), |dbg| format!(", !{dbg}"));
    let mut lines = vec![format!("  call void @\"{note}\"(){place}")];
    let mut rest = body.iter();
    while let Some(line) = rest.next() {
        let Some(at) = line.find("invoke ") else {
            lines.push((*line).to_owned());
            continue;
        };
        let ways = rest.next()?;
        let (normal, tail) = ways.trim_start().strip_prefix("to label ")?.split_once(" unwind label ")?;
        let tail = tail.find(", !").map_or("", |at| &tail[at..]);
        lines.push(format!("{}call {}{tail}", &line[..at], &line[at + "invoke ".len()..]));
        lines.push(format!("  br label {normal}{tail}"));
    }
    let texts: Vec<&str> = lines.iter().map(String::as_str).collect();
    Some(without_dead(&head, &texts).unwrap_or((head, lines)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_catches_is_left_out() {
        let head = "define double @f(double %0) #0 personality i8* bitcast (i32 (...)* @p to i8*) !dbg !9 {";
        let body = [
            "  %2 = invoke double @g(double %0)",
            "          to label %3 unwind label %4, !dbg !5",
            "",
            "3:                                                ; preds = %1",
            "  ret double %2, !dbg !6",
            "",
            "4:                                                ; preds = %1",
            "  %5 = landingpad { i8*, i32 }",
            "          catch i8* null, !dbg !6",
            "  resume { i8*, i32 } %5, !dbg !6",
        ];
        let (head, lines) = without_unwinding(head, &body).unwrap();
        assert_eq!(head, "define double @f(double %v0) #0 !dbg !9 {");
        assert_eq!(
            lines,
            [
                "v1:",
                "  call void @\"magneto catches exceptions\"(), !dbg !5",
                "  %v2 = call double @g(double %v0), !dbg !5",
                "  br label %v3, !dbg !5",
                "v3:",
                "  ret double %v2, !dbg !6",
            ]
        );
    }
}
