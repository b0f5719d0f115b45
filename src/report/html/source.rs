//! The specification's text with the places of its mutants, and changes as differences of text.

use super::data::{Mutant, Text};
use super::runs::runs;
use crate::spec::core::{Core, Expr, Value};
use crate::spec::parse_file;
use crate::suite::Standing;
use crate::text::{Span, line_column};
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::ops::Range;

/// A place of the text at which there are mutants.
pub(super) struct Place<'a> {
    /// Where it begins in the text, in bytes, and where what is marked ends.
    span: Span,
    /// Line and column in the file.
    at: (usize, usize),
    mutants: Vec<&'a Mutant>,
}

/// The anchor of a place.
pub(super) fn anchor(line: usize, column: usize) -> String {
    format!("p-{line}-{column}")
}

/// The places, in the order of the text.
pub(super) fn places<'a>(text: &Text, mutants: &'a [Mutant]) -> Vec<Place<'a>> {
    let mut by_place: BTreeMap<(usize, usize), Vec<&Mutant>> = BTreeMap::new();
    for mutant in mutants {
        by_place.entry((mutant.line, mutant.column)).or_default().push(mutant);
    }
    let bytes = text.source.as_bytes();
    // Line and column of each character, as the mutants count them.
    let starts: BTreeMap<(usize, usize), usize> = text
        .source
        .char_indices()
        .filter(|(_, c)| !c.is_whitespace())
        .map(|(offset, _)| {
            let (line, column) = line_column(bytes, offset);
            let column = if line == 1 { column + text.column - 1 } else { column };
            ((line + text.line - 1, column), offset)
        })
        .collect();
    let place = |(at, mutants): ((usize, usize), Vec<&'a Mutant>)| {
        let start = *starts.get(&at)?;
        Some(Place { span: Span { start, end: start + token(&text.source[start..]) }, at, mutants })
    };
    let mut places: Vec<Place<'a>> = by_place.into_iter().filter_map(place).collect();
    places.sort_by_key(|p| p.span.start);
    places
}

/// How much of a text to mark: a name or number, or a bracket with the operator after it. The marks of an expression
/// and of its parts do not overlap.
fn token(text: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || "()[]".contains(c);
    let open = text.chars().take_while(|c| "([".contains(*c)).count().min(1);
    let word = text[open..].find(ends).unwrap_or(text.len() - open);
    (open + word).max(1)
}

/// The text, each place a link to its first mutant; what is worst among the statuses there gives the colour.
pub(super) fn marked(text: &Text, places: &[Place<'_>]) -> Markup {
    let mut parts: Vec<Markup> = Vec::new();
    let mut done = 0;
    // The first line is moved to where it stands in the file, so that the lines below are aligned with it.
    let indent = " ".repeat(text.column - 1);
    for place in places.iter().filter(|p| p.span.end <= text.source.len()) {
        if place.span.start < done {
            continue;
        }
        let status = worst(&place.mutants);
        let (line, column) = place.at;
        let said = format!("{} mutants at {line}:{column}, {status}", place.mutants.len());
        parts.push(html! {
            (text.source[done..place.span.start])
            a.{ "site s-" (status) } href={ "#" (anchor(line, column)) } title=(said) {
                (text.source[place.span.start..place.span.end])
            }
        });
        done = place.span.end;
    }
    html! { pre.source tabindex="0" { code { (indent) @for part in &parts { (part) } (text.source[done..]) } } }
}

/// The status of a set of mutants that a reader should see first.
fn worst(mutants: &[&Mutant]) -> Standing {
    const ORDER: [Standing; 6] = [
        Standing::Undecided,
        Standing::Indistinguishable,
        Standing::Accepted,
        Standing::Probable,
        Standing::Killed,
        Standing::Equivalent,
    ];
    let rank = |m: &&&Mutant| ORDER.iter().position(|s| *s == m.status).unwrap_or(0);
    mutants.iter().min_by_key(rank).map_or(Standing::Killed, |m| m.status)
}

/// A change in its surroundings: what is removed, and what is in its place.
pub(super) fn difference(before: &str, after: &str) -> Markup {
    let (old, new) = (tokens(before), tokens(after));
    let places = changes(&old, &new);
    let of = |k: usize| places.iter().map(|p| p[k].clone()).collect::<Vec<_>>();
    html! {
        pre.diff tabindex="0" {
            del { span.sign { "− " } (side(&old, &of(0))) } "\n"
            ins { span.sign { "+ " } (side(&new, &of(1))) }
        }
    }
}

/// The stretches of tokens in which two texts differ: in the old and in the new one. Where one name or number is
/// changed at several places, these stand one by one.
fn changes(old: &[&str], new: &[&str]) -> Vec<[Range<usize>; 2]> {
    if old.len() == new.len() {
        let differs = old.iter().zip(new).map(|(a, b)| a != b);
        let single: Vec<Range<usize>> = runs(differs).into_iter().map(|(start, len)| start..start + len).collect();
        let closed = |p: &Range<usize>| unpaired(&old[p.clone()]) == (0, 0) && unpaired(&new[p.clone()]) == (0, 0);
        if single.iter().all(closed) {
            return single.into_iter().map(|p| [p.clone(), p]).collect();
        }
    }
    let (head, tail) = common(old, new);
    vec![[head..old.len() - tail, head..new.len() - tail]]
}

/// How many tokens two texts have in common at the beginning, and how many at the end, so that what is between has its
/// brackets in pairs.
fn common(old: &[&str], new: &[&str]) -> (usize, usize) {
    let mut head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let left = old.len().min(new.len()) - head;
    let mut tail = old.iter().rev().zip(new.iter().rev()).take(left).take_while(|(a, b)| a == b).count();
    loop {
        let between = [&old[head..old.len() - tail], &new[head..new.len() - tail]].map(unpaired);
        let (left, right) = (between.iter().any(|u| u.0 > 0), between.iter().any(|u| u.1 > 0));
        match (left && head > 0, right && tail > 0) {
            (false, false) => break,
            (more, beyond) => (head, tail) = (head - usize::from(more), tail - usize::from(beyond)),
        }
    }
    // All that is in a pair of brackets is read more easily with them.
    let inside =
        head > 0 && tail > 0 && unpaired(&old[head - 1..head]).1 > 0 && unpaired(&old[old.len() - tail..][..1]).0 > 0;
    let whole = inside && old.len().max(new.len()) > head + tail + 1;
    if whole { (head - 1, tail - 1) } else { (head, tail) }
}

/// How many brackets of some tokens close what is opened before them, and how many open what is closed after them.
fn unpaired(tokens: &[&str]) -> (usize, usize) {
    tokens.iter().fold((0, 0), |(closing, opening), t| match *t {
        "(" | "[" => (closing, opening + 1),
        ")" | "]" if opening > 0 => (closing, opening - 1),
        ")" | "]" => (closing + 1, opening),
        _ => (closing, opening),
    })
}

/// What differs alone, `…` for nothing.
pub(super) fn change(before: &str, after: &str) -> (String, String) {
    let (old, new) = (tokens(before), tokens(after));
    let (head, tail) = common(&old, &new);
    let middle = |tokens: &[&str]| {
        let text = tokens[head..tokens.len() - tail].concat().trim().to_owned();
        if text.is_empty() { "…".to_owned() } else { text }
    };
    (middle(&old), middle(&new))
}

/// One side of a difference, with a few tokens around what changed.
fn side(tokens: &[&str], changed: &[Range<usize>]) -> Markup {
    const AROUND: usize = 24;
    html! {
        @for (k, place) in changed.iter().enumerate() {
            @let before = if k == 0 { 0 } else { changed[k - 1].end };
            @let from = place.start.saturating_sub(AROUND).max(before);
            @if from > before { "… " }
            (tokens[from..place.start].concat())
            @if !place.is_empty() { mark { (tokens[place.clone()].concat()) } }
        }
        @if let Some(last) = changed.last() {
            @let to = (last.end + AROUND).min(tokens.len());
            (tokens[last.end..to].concat())
            @if to < tokens.len() { " …" }
        }
    }
}

/// Brackets, names with numbers, and spaces.
fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        '(' | ')' | '[' | ']' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut cuts = vec![0];
    let pairs = text.char_indices().zip(text.chars().skip(1));
    cuts.extend(
        pairs.filter(|((_, a), b)| class(*a) != class(*b) || class(*a) == 0).map(|((i, a), _)| i + a.len_utf8()),
    );
    cuts.push(text.len());
    cuts.windows(2).map(|w| &text[w[0]..w[1]]).filter(|t| !t.is_empty()).collect()
}

/// What of two cores differs: their bodies, or else the whole of them.
pub(super) fn changed(before: &str, after: &str) -> Markup {
    let body = |text: &str| Some(core(text)?.body.to_string());
    match (body(before), body(after)) {
        (Some(old), Some(new)) if old != new => difference(&old, &new),
        _ => difference(before, after),
    }
}

/// The first core of a text.
pub(super) fn core(text: &str) -> Option<Core> {
    parse_file(text.as_bytes()).cores.into_iter().next()?.ok()
}

/// The precondition of a core.
pub(super) fn precondition(core: &Core) -> Option<&Expr> {
    match &core.property("pre")?.value {
        Value::Expr(e) => Some(e),
        Value::Data(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_marks_what_changed() {
        let shown = difference("(+ x (* 2 y))", "(+ x (* 3 y))").into_string();
        assert!(
            shown.contains("(+ x (* <mark>2</mark> y))") && shown.contains("(+ x (* <mark>3</mark> y))"),
            "{shown}"
        );
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(change("(* (+ a b) c)", "(/ (+ a b) c)"), pair("*", "/"));
        assert_eq!(change("(f x)", "(f (g x))"), pair("x", "(g x)"));
        assert_eq!(change("x", "x"), pair("…", "…"));
        let shown = difference("(+ a (* 0.1 b))", "(+ a (* 0.2 b))").into_string();
        assert_eq!(shown.matches("<mark>").count(), 2, "{shown}");
        let shown = difference("(> (- b (* a c)) 1)", "(> (tan (- b (* a c))) 1)").into_string();
        assert!(
            shown.contains("(&gt; <mark>(- b (* a c))</mark> 1)")
                && shown.contains("(&gt; <mark>(tan (- b (* a c)))</mark> 1)"),
            "{shown}"
        );
        // As many tokens, and the brackets elsewhere.
        let shown = difference("(f (g x) y)", "(f x (g y))").into_string();
        assert!(shown.contains("(f <mark>(g x) y</mark>)") && shown.contains("(f <mark>x (g y)</mark>)"), "{shown}");
        let long = " x".repeat(60);
        let shown = difference(&format!("(+ 0.1{long} 0.1)"), &format!("(+ 0.2{long} 0.2)")).into_string();
        assert_eq!(shown.matches("<mark>0.2</mark>").count(), 2, "{shown}");
        assert_eq!(shown.matches('…').count(), 2, "{shown}");
        let shown = difference("(< a \"&\")", "(< b \"&\")").into_string();
        assert!(shown.contains("(&lt; <mark>a</mark> &quot;&amp;&quot;)"), "{shown}");
    }

    #[test]
    fn marks_end_with_the_operator() {
        assert_eq!(token("(sqrt (+ x 1))"), 5);
        assert_eq!(token("x1)"), 2);
        assert_eq!(token("x1"), 2);
        assert_eq!(token("(("), 1);
        assert_eq!(token("[a b]"), 2);
        assert_eq!(token(""), 1);
    }
}
