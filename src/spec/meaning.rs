//! `:magneto-meaning program`: the formula is a program in floats or in fixed point. Its roundings are written out as operators, so
//! that the body is the real function that the program computes wherever nothing overflows.

use super::arithmetic::{Arithmetic, FixedPoint, Numbers, Overflow, direction};
use super::core::{Classify, Core, Datum, DatumKind, Expr, ExprKind, Loop, LoopHead, Number, Property, Value};
use crate::floats::{Format, Rounding};
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
    let own = roundings.context(&core.props, BINARY64);
    let others = callees.iter().map(|callee| Roundings::new(callee, &[]).context(&callee.props, BINARY64));
    if let Some(other) = others.into_iter().find(|other| *other != own) {
        let message = format!("a core that is called computes in {}", other.name());
        let hint = match other.name() == own.name() {
            true => "give what is called the `:round` and the `:overflow` of the program",
            false => "give what is called the `:precision` of the program",
        };
        roundings.refuse(core.body.span, message, hint);
    }
    let mut body = core.body.clone();
    roundings.write_in_format(&mut body, own);
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

/// A sentence on how a core computes as a program, but where a rounding context says otherwise.
#[must_use]
pub fn program_in_words(core: &Core) -> String {
    let own = arithmetic_of(core);
    format!("f is a program in {}: each operation {}.", own.name(), own.in_words())
}

/// How a program computes that does not say it.
const BINARY64: Arithmetic = Arithmetic::Float(Format::BINARY64, Overflow::Undefined);

/// How a core computes as a program.
pub(super) fn arithmetic_of(core: &Core) -> Arithmetic {
    Roundings::new(core, &[]).context(&core.props, BINARY64)
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

/// A formula in the place of the core's, with the roundings of a program. None where it is no program: a literal is beyond the numbers
/// of its fixed point, or a rounding context is none.
pub(super) fn rounded(core: &Core, inputs: &[Format], formula: &Expr) -> Option<Expr> {
    let (mut body, mut roundings) = (formula.clone(), Roundings::new(core, inputs));
    roundings.write_in_format(&mut body, arithmetic_of(core));
    (!roundings.is_misfit).then_some(body)
}

/// What is known of the values of an expression.
#[derive(Clone)]
struct Values {
    /// Numbers among which all of them, or all elements, are.
    numbers: Numbers,
    is_array: bool,
}

impl Values {
    fn of(numbers: Numbers) -> Self {
        Values { numbers, is_array: false }
    }

    /// Values of either kind.
    fn or(self, other: Values) -> Self {
        Values { numbers: self.numbers.or(other.numbers), is_array: self.is_array || other.is_array }
    }
}

/// A walk that writes roundings.
struct Roundings {
    /// Names with what they stand for, innermost last.
    scope: Vec<(String, Values)>,
    library_call: Option<(Op, Span)>,
    /// Whether a literal is beyond the numbers of its fixed point, or a rounding context is none.
    is_misfit: bool,
    /// What cannot be a part of a program.
    refused: Vec<Diagnostic>,
}

impl Roundings {
    fn new(core: &Core, inputs: &[Format]) -> Self {
        let mut formats = inputs.iter();
        let of = |arg: &super::core::Arg| {
            let own: Vec<&Format> = formats.by_ref().take(arg.sizes.iter().product()).collect();
            let values = |format: &&Format| Values { numbers: Numbers::of(**format), is_array: !arg.sizes.is_empty() };
            own.first().map(|format| (arg.name.clone(), values(format)))
        };
        let scope = core.args.iter().filter_map(of).collect();
        Roundings { scope, library_call: None, is_misfit: false, refused: Vec::new() }
    }

    fn refuse(&mut self, span: Span, message: String, hint: &str) {
        self.refused.push(Diagnostic::semantic(span, format!("`:{MEANING} program`: {message}")).hint(hint.to_owned()));
    }

    /// Writes the roundings of an expression in an arithmetic, and one more if it may have values that are none of its numbers.
    fn write_in_format(&mut self, e: &mut Expr, own: Arithmetic) -> Values {
        let values = self.write(e, own);
        if own.numbers().has_all(&values.numbers) {
            return values;
        }
        if values.is_array {
            let message = format!("an array of {} is used in {}", values.numbers.name(), own.name());
            self.refuse(e.span, message, "take its elements one by one: `(ref A i)`");
            return Values { numbers: own.numbers(), ..values };
        }
        Values::of(self.round(e, own, &values.numbers))
    }

    /// Writes that values, which are among these numbers, are rounded; what they are then is returned.
    fn round(&mut self, e: &mut Expr, own: Arithmetic, numbers: &Numbers) -> Numbers {
        if let (Arithmetic::Fixed(fixed), ExprKind::Number(n)) = (own, &e.kind)
            && let Some(value) = fixed.nearest(&n.value)
        {
            let numbers = Numbers::one(&value);
            if value != n.value {
                e.kind = ExprKind::Number(Number::new(value));
            }
            return numbers;
        }
        *e = own.rounded(take(e), numbers).unwrap_or_else(|e| {
            let message = format!("nothing is computed in {}", own.name());
            self.refuse(e.span, message, &format!("write one of {} as the `:precision`", all_formats()));
            e
        });
        own.numbers()
    }

    /// Writes the number that a literal is rounded to, which is returned.
    fn write_number(&mut self, e: &mut Expr, own: Arithmetic) -> Numbers {
        let (ExprKind::Number(n), span) = (&e.kind, e.span) else { return own.numbers() };
        match own {
            Arithmetic::Float(format, _) if format.has(&n.value) => own.numbers(),
            Arithmetic::Fixed(fixed) if fixed.nearest(&n.value).is_none() => {
                let message = format!("{} is beyond {}", quote(&n.text), own.name());
                self.is_misfit = true;
                self.refuse(span, message, "`:overflow clamp` makes it the number at the end");
                own.numbers()
            }
            _ => self.round(e, own, &Numbers::any()),
        }
    }

    /// Writes the roundings of an expression whose operations are in an arithmetic.
    fn write(&mut self, e: &mut Expr, format: Arithmetic) -> Values {
        let numbers = Values::of(format.numbers());
        match &mut e.kind {
            ExprKind::Number(_) => return Values::of(self.write_number(e, format)),
            ExprKind::Constant(Constant::True | Constant::False) => return Values::of(Numbers::Truths),
            ExprKind::Constant(Constant::Infinity | Constant::Nan) => {}
            ExprKind::Constant(_) => return Values::of(self.round(e, format, &Numbers::any())),
            ExprKind::Var(name) => {
                return self.scope.iter().rfind(|(n, _)| n == name).map_or(numbers, |(_, own)| own.clone());
            }
            ExprKind::Cast(inner) => {
                let own = self.write_in_format(inner, format);
                *e = take(inner);
                return own;
            }
            ExprKind::Annotated(properties, inner) => {
                let own = self.context(properties, format);
                let own = self.write(inner, own);
                *e = take(inner);
                return own;
            }
            ExprKind::Op(..) => return self.write_operation(e, format),
            ExprKind::Compare(_, parts) | ExprKind::And(parts) | ExprKind::Or(parts) => {
                for part in parts {
                    self.write(part, format);
                }
                return Values::of(Numbers::Truths);
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
                return Values::of(Numbers::Truths);
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
            // Indices are no numbers of the program.
            ExprKind::Ref(parts) => return Values::of(self.write(&mut parts[0], format).numbers),
            ExprKind::Dim(_) | ExprKind::Size(_) | ExprKind::Call(..) => {
                return Values::of(Numbers::of(Format::INTEGER));
            }
        }
        numbers
    }

    /// The arithmetic of a rounding context: what it does not say is as outside of it.
    fn context(&mut self, properties: &[Property], outside: Arithmetic) -> Arithmetic {
        let named = |key: &str| properties.iter().rev().find(|p| p.key == key);
        let data = |key: &str| match &named(key)?.value {
            Value::Data(datum) => Some(datum.clone()),
            Value::Expr(_) => None,
        };
        let (towards, overflow) = match outside {
            Arithmetic::Float(_, overflow) => (Rounding::NearestEven, overflow),
            Arithmetic::Fixed(own) => (own.direction, own.overflow),
        };
        let round = data("round");
        let towards = round.as_ref().and_then(|d| self.known(d, direction(&d.to_string()))).unwrap_or(towards);
        let overflow =
            data("overflow").and_then(|d| self.known(&d, Overflow::from_name(&d.to_string()))).unwrap_or(overflow);
        let (own, span) = match data("precision") {
            Some(datum) => (self.named_arithmetic(&datum, towards, overflow), Some(datum.span)),
            None => (None, None),
        };
        let own = own.unwrap_or(match outside {
            Arithmetic::Fixed(own) => Arithmetic::Fixed(FixedPoint { direction: towards, overflow, ..own }),
            Arithmetic::Float(format, _) => Arithmetic::Float(format, overflow),
        });
        if matches!(own, Arithmetic::Float(..))
            && towards != Rounding::NearestEven
            && let Some(span) = round.map(|datum| datum.span).or(span)
        {
            self.is_misfit = true;
            let hint = "floats are rounded to nearest, ties to even: `:round nearestEven`";
            self.refuse(span, format!("there is no other rounding in {}", own.name()), hint);
        }
        own
    }

    /// What a property says; none, and that is refused, where it is nothing known.
    fn known<T>(&mut self, datum: &Datum, found: Result<T, (String, String)>) -> Option<T> {
        found.map_err(|(message, hint)| self.refuse(datum.span, message, &hint)).ok()
    }

    /// The arithmetic in the format of this name.
    fn named_arithmetic(&mut self, datum: &Datum, direction: Rounding, overflow: Overflow) -> Option<Arithmetic> {
        let text = datum.to_string();
        let fixed = FixedPoint::from_name(&text, direction, overflow);
        let own = fixed.map(Arithmetic::Fixed).or_else(|| Some(Arithmetic::Float(Format::from_name(&text)?, overflow)));
        if own.is_none() {
            self.is_misfit = true;
            let message = format!("nothing is computed in {}", quote(&text));
            self.refuse(datum.span, message, &format!("there are {}, and (fixed scale bits)", all_formats()));
        }
        own
    }

    fn write_operation(&mut self, e: &mut Expr, format: Arithmetic) -> Values {
        let (span, numbers) = (e.span, format.numbers());
        let ExprKind::Op(op, operands) = &mut e.kind else { return Values::of(numbers) };
        let op = *op;
        if let Some(own) = op.rounds_to() {
            let inner = self.write(&mut operands[0], format);
            if Numbers::Float(own).has_all(&inner.numbers) {
                *e = operands.swap_remove(0);
                return inner;
            }
            return Values::of(Numbers::Float(own));
        }
        let of: Vec<Numbers> =
            operands.iter_mut().map(|operand| self.write_in_format(operand, format).numbers).collect();
        if op.tells_zeros_apart() {
            let message = format!("`{}` depends on the sign of a zero, which a real number has not", op.name());
            self.refuse(span, message, "write a choice: `(if (< x 0) … …)`");
        }
        if op.range(Format::BINARY64).is_some() && self.library_call.is_none() {
            self.library_call = Some((op, span));
        }
        if matches!(format, Arithmetic::Float(..)) && op.keeps_format() {
            return Values::of(numbers);
        }
        // `(+ a b c)` associates to the left, and each sum is rounded.
        let more = operands.split_off(op.arity().min(operands.len()));
        let mut left = of.into_iter();
        let first: Vec<Numbers> = left.by_ref().take(operands.len()).collect();
        let mut found = self.round_result(e, format, Numbers::computed(op, &first));
        for (operand, own) in more.into_iter().zip(left) {
            let exact = Numbers::computed(op, &[found, own]);
            *e = Expr { kind: ExprKind::Op(op, vec![take(e), operand]), span };
            found = self.round_result(e, format, exact);
        }
        Values::of(found)
    }

    /// Writes that the result of an operation is rounded, if it may have to be; `exact` are the numbers among which it is before.
    fn round_result(&mut self, e: &mut Expr, format: Arithmetic, exact: Option<Numbers>) -> Numbers {
        match (format, exact) {
            (Arithmetic::Fixed(_), Some(exact)) if format.numbers().has_all(&exact) => exact,
            (Arithmetic::Fixed(_), Some(exact)) => self.round(e, format, &exact),
            _ => self.round(e, format, &Numbers::any()),
        }
    }

    fn write_loop(&mut self, l: &mut Loop, format: Arithmetic) -> Values {
        let (outer, numbers) = (self.scope.len(), Values::of(format.numbers()));
        let is_while = matches!(l.head, LoopHead::While(_));
        let is_tensor = matches!(l.head, LoopHead::Tensor(_));
        let index = |(name, _): &(String, Expr)| (name.clone(), Values::of(Numbers::of(Format::INTEGER)));
        let indices: Vec<(String, Values)> = l.indices().iter().map(index).collect();
        let mut variables: Vec<(String, Values)> = Vec::new();
        for variable in &mut l.state {
            // Those of `while*` see the ones before.
            let seen = if l.sequential && is_while { variables.len() } else { 0 };
            self.scope.extend_from_slice(&variables[..seen]);
            let own = self.write(&mut variable.init, format);
            self.scope.truncate(outer);
            variables.push((variable.name.clone(), own.or(numbers.clone())));
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
        format: Arithmetic,
    ) {
        let (outer, refused) = (self.scope.len(), self.refused.len());
        let written: Vec<Expr> = l.state.iter().map(|v| v.update.clone()).collect();
        loop {
            self.scope.extend_from_slice(indices);
            self.scope.extend_from_slice(variables);
            let found: Vec<Values> = l.state.iter_mut().map(|v| self.write(&mut v.update, format)).collect();
            self.scope.truncate(outer);
            if variables.iter().zip(&found).all(|((_, said), own)| said.numbers.has_all(&own.numbers)) {
                return;
            }
            variables.iter_mut().for_each(|(_, said)| said.numbers = Numbers::any());
            self.refused.truncate(refused);
            l.state.iter_mut().zip(&written).for_each(|(v, update)| v.update = update.clone());
        }
    }
}

fn take(e: &mut Expr) -> Expr {
    std::mem::replace(e, Expr::new(ExprKind::Constant(Constant::Nan)))
}
