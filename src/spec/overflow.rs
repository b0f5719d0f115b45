//! What is owed where a fixed-point result is beyond its format, written out as a part of the specification.

use super::accuracy::Accuracy;
use super::arithmetic::between;
use super::core::{Compare, Core, Datum, DatumKind, Expr, ExprKind, Number, Property, Value};
use super::meaning::is_program;
use crate::floats::Format;
use crate::num::Rational;
use crate::num::float::rational;
use crate::ops::{Constant, Op};
use crate::text::{Diagnostic, Span, nearest, quote};

/// The property that says it.
const OVERFLOW: &str = "magneto-overflow";
/// What says what is owed outside the domain.
const OUT_OF_RANGE: &str = "magneto-out-of-range";
/// What the first may say.
const WAYS: [&str; 2] = ["saturate", "wrap"];
/// So many tolerances from the ends of a format that wraps around nothing is owed.
///
/// Let M be the length of the format, t the tolerance, f a value that is at least 3 t from both ends, and g one between them. Then f is
/// at least 3 t from g + M and from g - M. So a result that is valid for f and for g is valid for both without a turn, and what
/// tells two functions apart need not think of turns.
const MARGIN: u32 = 3;
/// So many tolerances are at most a format's length: its middle is then owed, and a wrong result of [`MARGIN`] tolerances more is
/// another number.
const LEAST_LENGTH: u32 = 16;

/// Makes what `:magneto-overflow` says a part of the core. Results that saturate are `(fmin (fmax f least) largest)`. Those that wrap
/// around are `(remainder f length)`; where that is nearly an end, an implementation may be at the other one, and the
/// precondition leaves such inputs out.
pub(super) fn write_overflow_out(
    core: &mut Core,
    format: Format,
    accuracy: &Accuracy,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(datum) = core.data(OVERFLOW) else { return };
    let (text, span) = (datum.to_string(), datum.span);
    let written = match text.as_str() {
        _ if is_program(core) => Err((
            "a program overflows where its operations do".to_owned(),
            "write `:overflow clamp` or `:overflow wrap`".to_owned(),
        )),
        _ if WAYS.contains(&text.as_str()) && !format.is_fixed() => Err((
            "only fixed-point results overflow".to_owned(),
            "write `:precision (fixed scale bits)` or `:precision integer`".to_owned(),
        )),
        "saturate" => {
            core.body = saturated(take_body(core), format, span);
            Ok(())
        }
        "wrap" => wrap(core, format, accuracy, span),
        _ => Err((
            format!("{} is no way to overflow", quote(&text)),
            match nearest(&text, WAYS) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "there are `saturate` and `wrap`".to_owned(),
            },
        )),
    };
    match written {
        Ok(()) => core.props.retain(|p| p.key != OVERFLOW),
        Err((message, hint)) => {
            diagnostics.push(Diagnostic::semantic(span, format!("`:{OVERFLOW}`: {message}")).hint(hint));
        }
    }
}

/// A function whose values beyond a fixed-point format are the number at its end.
#[must_use]
pub fn saturated(f: Expr, format: Format, span: Span) -> Expr {
    between(f, rational(format.min()), rational(format.max()), span)
}

/// Message and hint where the core cannot wrap around.
fn wrap(core: &mut Core, format: Format, accuracy: &Accuracy, span: Span) -> Result<(), (String, String)> {
    let length = rational(format.min()) * -2;
    let wrong = |message: &str, hint: &str| Err((message.to_owned(), hint.to_owned()));
    if format == Format::INTEGER {
        return wrong("`integer` is no type of a machine, and has no end", "write the bits: `:precision (fixed 0 32)`");
    }
    let (None, Some(tolerance)) = (&accuracy.rel, &accuracy.abs) else {
        return wrong("what wraps around has no relative error", "write `:magneto-ulps` or `:magneto-abs-error`");
    };
    if Rational::from(tolerance * LEAST_LENGTH) > length {
        return wrong(
            &format!("the error bound is more than 1/{LEAST_LENGTH} of the format's length"),
            "state a smaller one",
        );
    }
    if let Some(datum) = core.data(OUT_OF_RANGE).filter(|d| d.to_string() != "any") {
        return Err((
            format!("`:{OUT_OF_RANGE} {datum}` asks for a response where nothing is owed, near the ends of the format"),
            format!("write `:{OUT_OF_RANGE} any`, or leave it out"),
        ));
    }
    let inside = Rational::from(&length / 2u32) - Rational::from(tolerance * MARGIN);
    core.body = op(Op::Remainder, vec![take_body(core), number(length, span)], span);
    let size = op(Op::Fabs, vec![core.body.clone()], span);
    let condition = Expr { kind: ExprKind::Compare(Compare::Le, vec![size, number(inside, span)]), span };
    let key = |key: &str, value| Property { key: key.to_owned(), key_span: span, value };
    match core.props.iter_mut().find(|p| p.key == "pre") {
        Some(Property { value: Value::Expr(pre), .. }) => {
            let stated = std::mem::replace(pre, Expr::new(ExprKind::Constant(Constant::True)));
            *pre = Expr { kind: ExprKind::And(vec![stated, condition]), span };
        }
        _ => core.props.push(key("pre", Value::Expr(condition))),
    }
    if core.data(OUT_OF_RANGE).is_none() {
        let any = Datum { kind: DatumKind::Symbol("any".to_owned()), span };
        core.props.push(key(OUT_OF_RANGE, Value::Data(any)));
    }
    Ok(())
}

/// Of a body that wraps around its parts: the function, and the length of the format, which is at the place of the whole.
#[must_use]
pub fn wrapped(body: &Expr) -> Option<[&Expr; 2]> {
    match &body.kind {
        ExprKind::Op(Op::Remainder, args) => match args.as_slice() {
            [f, length] if length.span == body.span => Some([f, length]),
            _ => None,
        },
        _ => None,
    }
}

fn take_body(core: &mut Core) -> Expr {
    std::mem::replace(&mut core.body, Expr::new(ExprKind::Constant(Constant::Nan)))
}

fn number(value: Rational, span: Span) -> Expr {
    Expr { kind: ExprKind::Number(Number::new(value)), span }
}

fn op(op: Op, args: Vec<Expr>, span: Span) -> Expr {
    Expr { kind: ExprKind::Op(op, args), span }
}
