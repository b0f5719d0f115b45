//! Assertions of GoogleTest, Catch2 and Unity that call the function with literals.

use super::lex::{Token, items, span_of};
use super::value::{Value, value};
use super::{Found, Language};
use crate::testfile::header::Columns;
use crate::testfile::number::At;
use crate::text::Span;

/// Of a macro, which arguments hold the two that are compared, and which one a tolerance.
struct Macro {
    names: &'static [&'static str],
    sides: [usize; 2],
    tolerance: Option<usize>,
}

const MACROS: [Macro; 4] = [
    Macro { names: &["EXPECT_NEAR", "ASSERT_NEAR"], sides: [0, 1], tolerance: Some(2) },
    Macro {
        names: &[
            "EXPECT_DOUBLE_EQ",
            "ASSERT_DOUBLE_EQ",
            "EXPECT_FLOAT_EQ",
            "ASSERT_FLOAT_EQ",
            "EXPECT_EQ",
            "ASSERT_EQ",
            "TEST_ASSERT_EQUAL_DOUBLE",
            "TEST_ASSERT_EQUAL_FLOAT",
            "TEST_ASSERT_EQUAL_DOUBLE_MESSAGE",
            "TEST_ASSERT_EQUAL_FLOAT_MESSAGE",
        ],
        sides: [0, 1],
        tolerance: None,
    },
    Macro {
        names: &[
            "TEST_ASSERT_DOUBLE_WITHIN",
            "TEST_ASSERT_FLOAT_WITHIN",
            "TEST_ASSERT_DOUBLE_WITHIN_MESSAGE",
            "TEST_ASSERT_FLOAT_WITHIN_MESSAGE",
        ],
        sides: [1, 2],
        tolerance: Some(0),
    },
    // Catch2: what is compared stands in a matcher, or on the two sides of ==.
    Macro { names: &["REQUIRE_THAT", "CHECK_THAT", "REQUIRE", "CHECK"], sides: [0, 1], tolerance: None },
];

/// A tolerance of an assertion.
#[derive(Clone)]
pub(super) enum Tolerance {
    Absolute(Value),
    Relative(Value),
}

/// A comparison of a call with what is expected.
pub(super) struct Assertion<'t> {
    pub(super) function: (String, Span),
    pub(super) arguments: Vec<&'t [Token]>,
    pub(super) expected: &'t [Token],
    pub(super) tolerance: Option<Tolerance>,
    pub(super) span: Span,
}

impl Assertion<'_> {
    /// Whether the function is called with literals.
    pub(super) fn is_plain(&self, text: &str) -> bool {
        self.arguments.iter().all(|a| value(text, Language::C, a).is_ok_and(|v| !v.is_text))
    }

    /// Adds the test that it is.
    pub(super) fn add(&self, found: &mut Found<'_>) -> Result<(), At> {
        let text = found.text;
        let (inputs, fields) = (found.fields.inputs, found.fields.names.len());
        let mut columns = Columns { places: vec![None; fields], ..Columns::default() };
        (0..inputs).for_each(|i| columns.places[i] = Some(i));
        columns.places[inputs + 3] = Some(inputs);
        let mut values = Vec::new();
        for argument in &self.arguments {
            values.push(Some(value(text, Language::C, argument)?));
        }
        values.push(Some(value(text, Language::C, self.expected)?));
        if let Some(tolerance) = &self.tolerance {
            let (field, value) = tolerance.field();
            columns.places[inputs + field] = Some(inputs + 1);
            values.push(Some(value.clone()));
        }
        found.push(&columns, &values, None, self.span);
        Ok(())
    }
}

impl Tolerance {
    /// The field, counted behind the inputs, and its value.
    pub(super) fn field(&self) -> (usize, &Value) {
        match self {
            Tolerance::Absolute(v) => (4, v),
            Tolerance::Relative(v) => (5, v),
        }
    }
}

/// All assertions in some code that compare a call of as many arguments with something.
pub(super) fn find<'t>(text: &str, tokens: &'t [Token], inputs: usize, all: &mut Vec<Assertion<'t>>) {
    for (at, token) in tokens.iter().enumerate() {
        if let Token::Group(_, inside, _) = token {
            find(text, inside, inputs, all);
        }
        let Some(inside) = tokens.get(at + 1).and_then(|t| t.group(b'(')) else { continue };
        let Some(name) = token.word(text) else { continue };
        if let Some(known) = MACROS.iter().find(|m| m.names.contains(&name)) {
            let span = Span { start: token.span().start, end: tokens[at + 1].span().end };
            all.extend(read(text, known, inside, inputs, span));
        }
    }
}

fn read<'t>(text: &str, known: &Macro, inside: &'t [Token], inputs: usize, span: Span) -> Option<Assertion<'t>> {
    let mut arguments = items(inside);
    let equal = |tokens: &[Token]| tokens.windows(2).position(|w| w[0].is_mark(b'=') && w[1].is_mark(b'='));
    if arguments.len() == 1 {
        let at = equal(inside)?;
        arguments = vec![&inside[..at], &inside[at + 2..]];
    }
    let [one, other] = known.sides.map(|k| arguments.get(k).copied());
    let (one, other) = (one?, other?);
    let (call, expected) = match (called(text, one, inputs), called(text, other, inputs)) {
        (Some(call), _) => (call, other),
        (None, Some(call)) => (call, one),
        (None, None) => return None,
    };
    let number = |t: &[Token]| value(text, Language::C, t).ok();
    let tolerance = known.tolerance.and_then(|k| number(arguments.get(k)?)).map(Tolerance::Absolute);
    let (expected, matched) = matcher(text, expected);
    Some(Assertion { function: call.0, arguments: call.1, expected, tolerance: tolerance.or(matched), span })
}

/// The name of a function that is called, with its place, and the arguments.
type Called<'t> = ((String, Span), Vec<&'t [Token]>);

/// A call of a function with so many arguments: its name, without a namespace, and these.
fn called<'t>(text: &str, tokens: &'t [Token], inputs: usize) -> Option<Called<'t>> {
    let (last, before) = tokens.split_last()?;
    let arguments = items(last.group(b'(')?);
    let name = before.last()?.word(text)?;
    let qualified = before.iter().all(|t| t.word(text).is_some() || t.is_mark(b':'));
    let known = ["Approx", "WithinAbs", "WithinRel", "WithinULP"].contains(&name);
    (arguments.len() == inputs && qualified && !known).then(|| ((name.to_owned(), span_of(before)), arguments))
}

/// What a matcher of Catch2 expects, with its tolerance: `Approx(e).margin(m).epsilon(r)`, `WithinAbs(e, m)`, `WithinRel(e, r)`.
fn matcher<'t>(text: &str, tokens: &'t [Token]) -> (&'t [Token], Option<Tolerance>) {
    let number = |t: &[Token]| value(text, Language::C, t).ok();
    let call = |name: &str| {
        let at = tokens.iter().position(|t| t.word(text) == Some(name))?;
        tokens.get(at + 1)?.group(b'(').map(items)
    };
    for (name, kind) in
        [("WithinAbs", Tolerance::Absolute as fn(Value) -> Tolerance), ("WithinRel", Tolerance::Relative)]
    {
        if let Some([expected, tolerance]) = call(name).as_deref() {
            return (expected, number(tolerance).map(kind));
        }
    }
    if let Some([expected]) = call("Approx").as_deref() {
        let of = |name: &str| number(call(name)?.first()?);
        let tolerance = of("margin").map(Tolerance::Absolute).or(of("epsilon").map(Tolerance::Relative));
        return (expected, tolerance);
    }
    (tokens, None)
}
