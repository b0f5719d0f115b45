//! `:magneto-meaning program`: the formula is a program over floats. Its roundings are written out as operators, so that the body
//! is the real function that the program computes wherever nothing overflows.

use super::core::{Classify, Core, Datum, DatumKind, Expr, ExprKind, Loop, LoopHead, Property, Value};
use crate::floats::Format;
use crate::ops::{Constant, Op};
use crate::text::{Diagnostic, Span, nearest, quote};

/// The property that says it.
const MEANING: &str = "magneto-meaning";
/// What it may say.
const MEANINGS: [&str; 2] = ["real", PROGRAM];
const PROGRAM: &str = "program";

/// What a body is as a program.
pub(super) struct WrittenProgram {
    /// The body with its roundings.
    pub(super) body: Expr,
    /// The first call of a function that IEEE 754 does not demand to be correctly rounded, such as `exp`.
    pub(super) library_call: Option<(Op, Span)>,
}

/// The program that the core's body is, if `:magneto-meaning` says that it is one, over inputs of these formats. The property goes.
/// What it calls is written out in it.
pub(super) fn program(
    core: &mut Core,
    callees: &[&Core],
    inputs: &[Format],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<WrittenProgram> {
    let (datum, is_program) = (core.data(MEANING)?.clone(), is_program(core));
    core.props.retain(|p| p.key != MEANING);
    let text = datum.to_string();
    if !MEANINGS.contains(&text.as_str()) {
        let hint = match nearest(&text, MEANINGS) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "there are `real` and `program`".to_owned(),
        };
        let message = format!("`:{MEANING}`: {} is no meaning of a formula", quote(&text));
        diagnostics.push(Diagnostic::semantic(datum.span, message).hint(hint));
    }
    if !is_program {
        return None;
    }
    let mut roundings = Roundings::new(core, inputs);
    if let Some(property) = core.property("round") {
        roundings.check_direction(property);
    }
    let result = format_of(core);
    if let Some(datum) = core.data("precision") {
        roundings.named_format(datum);
    }
    if let Some(callee) = callees.iter().find(|callee| format_of(callee) != result) {
        let message = format!("a core that is called computes in {}", format_of(callee).name());
        roundings.refuse(core.body.span, message, "give what is called the `:precision` of the program");
    }
    let mut body = core.body.clone();
    roundings.write_in_format(&mut body, result);
    diagnostics.append(&mut roundings.refused);
    Some(WrittenProgram { body, library_call: roundings.library_call })
}

/// Whether a core says that it is a program.
#[must_use]
pub fn is_program(core: &Core) -> bool {
    core.data(MEANING).is_some_and(|datum| datum.to_string() == PROGRAM)
}

/// The property of a core that is a program.
pub(super) fn property() -> Property {
    let datum = Datum { kind: DatumKind::Symbol(PROGRAM.to_owned()), span: Span::default() };
    Property { key: MEANING.to_owned(), key_span: Span::default(), value: Value::Data(datum) }
}

/// The format in which a core computes.
fn format_of(core: &Core) -> Format {
    core.data("precision").and_then(|datum| Format::from_name(&datum.to_string())).unwrap_or(Format::BINARY64)
}

/// The names of the formats in which programs compute.
fn all_formats() -> String {
    let names = Op::ALL.iter().filter_map(|op| op.rounds_to()).map(Format::name);
    names.collect::<Vec<_>>().join(", ")
}

/// What is wrong where nobody says how far a library function may be off.
pub(super) fn inexact(op: Op, span: Span) -> Diagnostic {
    let message = format!("`:{MEANING} program`: the last digit of `{}` differs from library to library", op.name());
    Diagnostic::semantic(span, message).hint("say how far a result may be off: `:magneto-ulps 4`")
}

/// The same body with the roundings of a program, each operation in the `result`'s format but where `(! :precision … e)` names
/// another one.
pub(super) fn rounded(core: &Core, inputs: &[Format], result: Format, body: &Expr) -> Expr {
    let mut body = body.clone();
    Roundings::new(core, inputs).write_in_format(&mut body, result);
    body
}

/// What is known of the values of an expression.
#[derive(Clone, Copy)]
struct Values {
    /// A format that has all of them, or all elements.
    format: Format,
    is_array: bool,
}

impl Values {
    fn numbers(format: Format) -> Self {
        Values { format, is_array: false }
    }

    /// Truth values, which are in every format: nothing rounds them.
    fn truths() -> Self {
        Values::numbers(Format::small(2, 0, 1))
    }

    /// Values of either kind.
    fn or(self, other: Values) -> Self {
        let known = [self.format, other.format, Format::BINARY32, Format::BINARY64];
        let both = known.into_iter().find(|f| has_all(*f, self.format) && has_all(*f, other.format));
        Values { format: both.unwrap_or_else(any), is_array: self.is_array || other.is_array }
    }
}

/// A format that has the numbers of all others.
fn any() -> Format {
    Format::wide(15, 250).expect("the widest")
}

/// Whether each number of another format surely is one of this.
fn has_all(format: Format, other: Format) -> bool {
    format.is_wide() || !other.is_wide() && format.includes(other)
}

/// A walk that writes roundings.
struct Roundings {
    /// Names with what they stand for, innermost last.
    scope: Vec<(String, Values)>,
    library_call: Option<(Op, Span)>,
    /// What cannot be a part of a program.
    refused: Vec<Diagnostic>,
}

impl Roundings {
    fn new(core: &Core, inputs: &[Format]) -> Self {
        let mut formats = inputs.iter();
        let of = |arg: &super::core::Arg| {
            let own: Vec<&Format> = formats.by_ref().take(arg.sizes.iter().product()).collect();
            let values = |format: &&Format| Values { format: **format, is_array: !arg.sizes.is_empty() };
            own.first().map(|format| (arg.name.clone(), values(format)))
        };
        let scope = core.args.iter().filter_map(of).collect();
        Roundings { scope, library_call: None, refused: Vec::new() }
    }

    fn refuse(&mut self, span: Span, message: String, hint: &str) {
        self.refused.push(Diagnostic::semantic(span, format!("`:{MEANING} program`: {message}")).hint(hint.to_owned()));
    }

    /// Other directions of rounding are no part of it.
    fn check_direction(&mut self, property: &Property) {
        if let Value::Data(datum) = &property.value
            && datum.to_string() != "nearestEven"
        {
            let message = format!("there is no rounding {}", quote(&datum.to_string()));
            self.refuse(datum.span, message, "programs round to nearest, ties to even: `:round nearestEven`");
        }
    }

    /// Writes the roundings of an expression in `format`, and one more if it may have values that are none of the format.
    fn write_in_format(&mut self, e: &mut Expr, format: Format) -> Values {
        let own = self.write(e, format);
        if has_all(format, own.format) {
            return own;
        }
        if own.is_array {
            let message = format!("an array of {} is used in {}", own.format.name(), format.name());
            self.refuse(e.span, message, "take its elements one by one: `(ref A i)`");
        } else {
            self.round(e, format);
        }
        Values { format, ..own }
    }

    fn round(&mut self, e: &mut Expr, format: Format) {
        let Some(op) = Op::ALL.iter().find(|op| op.rounds_to() == Some(format)) else {
            let message = format!("nothing is computed in {}", format.name());
            return self.refuse(e.span, message, &format!("write one of {} as the `:precision`", all_formats()));
        };
        let inner = take(e);
        *e = Expr { span: inner.span, kind: ExprKind::Op(*op, vec![inner]) };
    }

    /// Writes the roundings of an expression whose operations are in `format`.
    fn write(&mut self, e: &mut Expr, format: Format) -> Values {
        let numbers = Values::numbers(format);
        match &mut e.kind {
            ExprKind::Number(n) => {
                if !format.has(&n.value) {
                    self.round(e, format);
                }
            }
            ExprKind::Constant(Constant::True | Constant::False) => return Values::truths(),
            ExprKind::Constant(Constant::Infinity | Constant::Nan) => {}
            ExprKind::Constant(_) => self.round(e, format),
            ExprKind::Var(name) => {
                return self.scope.iter().rfind(|(n, _)| n == name).map_or(numbers, |(_, own)| *own);
            }
            ExprKind::Cast(inner) => {
                let own = self.write_in_format(inner, format);
                *e = take(inner);
                return own;
            }
            ExprKind::Annotated(properties, inner) => {
                let own = self.context(properties).unwrap_or(format);
                let own = self.write(inner, own);
                *e = take(inner);
                return own;
            }
            ExprKind::Op(..) => return self.write_operation(e, format),
            ExprKind::Compare(_, parts) | ExprKind::And(parts) | ExprKind::Or(parts) => {
                for part in parts {
                    self.write(part, format);
                }
                return Values::truths();
            }
            ExprKind::Not(part) => return self.write(part, format),
            ExprKind::Classify(class, part) => {
                if matches!(class, Classify::SignBit | Classify::IsNormal) {
                    let hint = "compare with a number: `(< x 0)`";
                    let name = class.name();
                    self.refuse(e.span, format!("`{name}` tells floats apart that are one real number"), hint);
                } else {
                    self.write(part, format);
                }
                return Values::truths();
            }
            ExprKind::If(parts) => {
                let [condition, sides @ ..] = parts.as_mut();
                self.write(condition, format);
                let [then, otherwise] = sides.each_mut().map(|side| self.write(side, format));
                return then.or(otherwise);
            }
            ExprKind::Let { sequential, bindings, body } => {
                let outer = self.scope.len();
                let mut held = Vec::new();
                for (name, value) in bindings {
                    let own = self.write(value, format);
                    if *sequential { self.scope.push((name.clone(), own)) } else { held.push((name.clone(), own)) }
                }
                self.scope.append(&mut held);
                let own = self.write(body, format);
                self.scope.truncate(outer);
                return own;
            }
            ExprKind::Loop(l) => return self.write_loop(l, format),
            ExprKind::Array(elements) => {
                let all = elements.iter_mut().map(|element| self.write(element, format)).reduce(Values::or);
                return Values { is_array: true, ..all.unwrap_or(numbers) };
            }
            // Indices are no floats.
            ExprKind::Ref(parts) => return Values::numbers(self.write(&mut parts[0], format).format),
            ExprKind::Dim(_) | ExprKind::Size(_) | ExprKind::Call(..) => return Values::numbers(Format::INTEGER),
        }
        numbers
    }

    /// The format of a rounding context.
    fn context(&mut self, properties: &[Property]) -> Option<Format> {
        let named = |key: &str| properties.iter().rev().find(|p| p.key == key);
        if let Some(property) = named("round") {
            self.check_direction(property);
        }
        let Value::Data(datum) = &named("precision")?.value else { return None };
        self.named_format(datum)
    }

    /// The format of a name.
    fn named_format(&mut self, datum: &Datum) -> Option<Format> {
        let format = Format::from_name(&datum.to_string());
        if format.is_none() {
            let message = format!("nothing is computed in {}", quote(&datum.to_string()));
            self.refuse(datum.span, message, &format!("there are {}", all_formats()));
        }
        format
    }

    fn write_operation(&mut self, e: &mut Expr, format: Format) -> Values {
        let (span, numbers) = (e.span, Values::numbers(format));
        let ExprKind::Op(op, operands) = &mut e.kind else { return numbers };
        let op = *op;
        if let Some(own) = op.rounds_to() {
            let inner = self.write(&mut operands[0], format);
            if has_all(own, inner.format) {
                *e = operands.swap_remove(0);
                return inner;
            }
            return Values::numbers(own);
        }
        for operand in operands.iter_mut() {
            self.write_in_format(operand, format);
        }
        if op.tells_zeros_apart() {
            let message = format!("`{}` depends on the sign of a zero, which a real number has not", op.name());
            self.refuse(span, message, "write a choice: `(if (< x 0) … …)`");
        }
        if op.range(format).is_some() && self.library_call.is_none() {
            self.library_call = Some((op, span));
        }
        if op.keeps_format() {
            return numbers;
        }
        // `(+ a b c)` associates to the left, and each sum is rounded.
        let more = operands.split_off(op.arity().min(operands.len()));
        self.round(e, format);
        for operand in more {
            *e = Expr { kind: ExprKind::Op(op, vec![take(e), operand]), span };
            self.round(e, format);
        }
        numbers
    }

    fn write_loop(&mut self, l: &mut Loop, format: Format) -> Values {
        let (outer, numbers) = (self.scope.len(), Values::numbers(format));
        let is_while = matches!(l.head, LoopHead::While(_));
        let is_tensor = matches!(l.head, LoopHead::Tensor(_));
        let index = |(name, _): &(String, Expr)| (name.clone(), Values::numbers(Format::INTEGER));
        let indices: Vec<(String, Values)> = l.indices().iter().map(index).collect();
        let mut variables: Vec<(String, Values)> = Vec::new();
        for variable in &mut l.state {
            // Those of `while*` see the ones before.
            let seen = if l.sequential && is_while { variables.len() } else { 0 };
            self.scope.extend_from_slice(&variables[..seen]);
            let own = self.write(&mut variable.init, format);
            self.scope.truncate(outer);
            variables.push((variable.name.clone(), own.or(numbers)));
        }
        self.write_updates(l, &mut variables, &indices, format);
        self.scope.extend_from_slice(&variables);
        if let LoopHead::While(condition) = &mut l.head {
            self.write(condition, format);
        }
        if is_tensor {
            self.scope.extend_from_slice(&indices);
        }
        let own = self.write(&mut l.body, format);
        self.scope.truncate(outer);
        Values { is_array: own.is_array || is_tensor, ..own }
    }

    /// Writes what the variables of a loop become in each round. What has been said of a variable holds of these values too, or else
    /// nothing is said of any.
    fn write_updates(
        &mut self,
        l: &mut Loop,
        variables: &mut [(String, Values)],
        indices: &[(String, Values)],
        format: Format,
    ) {
        let (outer, refused) = (self.scope.len(), self.refused.len());
        let written: Vec<Expr> = l.state.iter().map(|v| v.update.clone()).collect();
        loop {
            self.scope.extend_from_slice(indices);
            self.scope.extend_from_slice(variables);
            let found: Vec<Values> = l.state.iter_mut().map(|v| self.write(&mut v.update, format)).collect();
            self.scope.truncate(outer);
            if variables.iter().zip(&found).all(|((_, said), own)| has_all(said.format, own.format)) {
                return;
            }
            variables.iter_mut().for_each(|(_, said)| said.format = any());
            self.refused.truncate(refused);
            l.state.iter_mut().zip(&written).for_each(|(v, update)| v.update = update.clone());
        }
    }
}

fn take(e: &mut Expr) -> Expr {
    std::mem::replace(e, Expr::new(ExprKind::Constant(Constant::Nan)))
}
