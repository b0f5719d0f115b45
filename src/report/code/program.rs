//! Programs over floats as C functions: one statement an operation, in the order of the program.

use super::names::{comment, identifier, identifiers};
use crate::floats::Format;
use crate::mutate::{Change, Mutant};
use crate::num::float::hex;
use crate::ops::Op;
use crate::program::{Id, Program, Step};
use crate::spec::Spec;
use crate::spec::core::Classify;
use crate::tape::eval::Relation;
use std::fmt::Write as _;

const HEAD: &str = "\
/* Compile with -ffp-contract=off -fexcess-precision=standard -fno-fast-math and link with -lm: each operation is rounded
   once, as it is written. */
#include <float.h>
#include <math.h>
#if FLT_EVAL_METHOD != 0
#error \"operations are not rounded to their type\"
#endif
";

/// Formats that C has no type for: computed in double and rounded to p bits.
const NARROW: &str = "
/* x rounded to a format of p bits, ties to even. */
static float narrow(double x, int p, int emin, double most) {
  int e;
  double quantum, y;
  if (x == 0 || !isfinite(x)) return (float)x;
  frexp(x, &e);
  e = e - 1 < emin ? emin : e - 1;
  quantum = ldexp(1.0, e - p + 1);
  y = nearbyint(x / quantum) * quantum;
  return (float)(fabs(y) > most ? copysign(INFINITY, y) : y);
}

/* a * b + c rounded to odd, so that rounding again to fewer bits is rounding once. */
static double odd_fma(double a, double b, double c) {
  double p = a * b, s = p + c, t = s - p, error = (p - (s - t)) + (c - t);
  int e;
  if (error == 0 || !isfinite(s) || fmod(ldexp(frexp(s, &e), 53), 2) != 0) return s;
  return nextafter(s, error > 0 ? INFINITY : -INFINITY);
}
";

/// The programs among mutants as one C file: a function for each, named after the specification and the mutant's id.
#[must_use]
pub fn programs(spec: &Spec, mutants: &[Mutant]) -> String {
    let found: Vec<(&Mutant, &Program)> = mutants
        .iter()
        .filter_map(|m| if let Change::Evaluation(e) = &m.change { Some((m, &*e.program)) } else { None })
        .collect();
    let mut out = format!("/* {}: mutants that are programs, {} */\n{HEAD}", comment(&spec.name), super::MARK);
    if found.iter().any(|(_, p)| p.nodes().iter().any(|n| is_narrow(n.format))) {
        out.push_str(NARROW);
    }
    for (mutant, program) in found {
        let _ = writeln!(out, "\n/* {} -> {} */", comment(&mutant.before), comment(&mutant.after));
        out.push_str(&function(spec, program, &name(spec, &mutant.id)));
    }
    out
}

/// The C function of a mutant that is a program.
#[must_use]
pub fn program(spec: &Spec, mutant: &Mutant) -> Option<String> {
    let Change::Evaluation(e) = &mutant.change else { return None };
    Some(function(spec, &e.program, &name(spec, &mutant.id)))
}

/// The name of a mutant's function.
#[must_use]
pub fn name(spec: &Spec, id: &str) -> String {
    format!("{}_{}", identifier(&spec.name), identifier(id).trim_start_matches("f_"))
}

fn is_narrow(format: Format) -> bool {
    !matches!(format, Format::BINARY32 | Format::BINARY64)
}

/// The type of a format's values; narrow formats' are floats.
fn type_of(format: Format) -> &'static str {
    if format.is_binary64() { "double" } else { "float" }
}

fn function(spec: &Spec, program: &Program, name: &str) -> String {
    let inputs = identifiers(spec.inputs.iter().map(|i| i.name.as_str()));
    let parameter = |(i, name): (&crate::spec::Input, &String)| format!("{} {name}", type_of(i.format));
    let parameters: Vec<String> = spec.inputs.iter().zip(&inputs).map(parameter).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let mut out = format!("{} {name}({parameters}) {{\n", type_of(spec.result_format));
    for id in program.ids() {
        let node = program.node(id);
        let is_truth = matches!(
            node.step,
            Step::Compare(..) | Step::Classify(..) | Step::Truth(_) | Step::And(..) | Step::Or(..) | Step::Not(_)
        );
        let kind = if is_truth { "int" } else { type_of(node.format) };
        let _ = writeln!(out, "  {kind} {} = {};", temporary(id), expression(program, id, &inputs));
    }
    let _ = writeln!(out, "  return t{}_;\n}}", program.result().index());
    out
}

fn temporary(id: Id) -> String {
    format!("t{}_", id.index())
}

/// A value rounded to a format.
fn rounded(text: &str, format: Format) -> String {
    match format {
        Format::BINARY64 => text.to_owned(),
        Format::BINARY32 => format!("(float)({text})"),
        _ => format!("narrow({text}, {}, {}, {})", format.precision(), format.emin(), hex(format.max())),
    }
}

/// An exact constant.
fn constant(x: f64, format: Format) -> String {
    if x.is_nan() {
        "NAN".into()
    } else if x.is_infinite() {
        if x > 0.0 { "INFINITY".into() } else { "-INFINITY".into() }
    } else {
        format!("{}{}", hex(x), if format.is_binary64() { "" } else { "f" })
    }
}

fn expression(program: &Program, id: Id, inputs: &[String]) -> String {
    let node = program.node(id);
    let format = node.format;
    match &node.step {
        Step::Input(i) => rounded(&inputs[*i as usize], format),
        Step::Literal(_) => constant(program.value(id), format),
        Step::Op(op, args) => {
            // C multiplies two floats in float, whatever the result is assigned to.
            let operand = |a: &Id| match type_of(program.node(*a).format) == type_of(format) {
                true => temporary(*a),
                false => format!("({}){}", type_of(format), temporary(*a)),
            };
            let args: Vec<String> = args[..op.arity()].iter().map(operand).collect();
            operation(*op, &args, format)
        }
        Step::Convert(a) => rounded(&temporary(*a), format),
        Step::Compare(relation, a, b) => {
            let sign = match relation {
                Relation::Less => "<",
                Relation::LessEq => "<=",
                Relation::Equal => "==",
            };
            format!("{} {sign} {}", temporary(*a), temporary(*b))
        }
        Step::Classify(class, a) => {
            let least = hex(program.node(*a).format.min_positive());
            let a = temporary(*a);
            match class {
                Classify::IsNormal => {
                    format!("isfinite({a}) && fabs({a}) >= {least}")
                }
                class => format!("{}({a}) != 0", class.name()),
            }
        }
        Step::Truth(b) => u8::from(*b).to_string(),
        Step::And(a, b) => format!("{} && {}", temporary(*a), temporary(*b)),
        Step::Or(a, b) => format!("{} || {}", temporary(*a), temporary(*b)),
        Step::Not(a) => format!("!{}", temporary(*a)),
        Step::If(c, t, e) => format!("{} ? {} : {}", temporary(*c), temporary(*t), temporary(*e)),
    }
}

/// An operation: FPCore's names are C's.
fn operation(op: Op, args: &[String], format: Format) -> String {
    let narrow = is_narrow(format);
    match (op, args) {
        (Op::Neg, [a]) => format!("-{a}"),
        (Op::Add | Op::Sub | Op::Mul | Op::Div, [a, b]) if narrow => {
            rounded(&format!("(double){a} {} {b}", op.name()), format)
        }
        (Op::Add | Op::Sub | Op::Mul | Op::Div, [a, b]) => format!("{a} {} {b}", op.name()),
        (Op::Fma, args) if narrow => rounded(&format!("odd_fma({})", args.join(", ")), format),
        _ if narrow => rounded(&format!("{}({})", op.name(), args.join(", ")), format),
        _ => format!("{}{}({})", op.name(), if format.is_binary64() { "" } else { "f" }, args.join(", ")),
    }
}
