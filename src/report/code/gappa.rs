//! That programs over floats meet the accuracy, as scripts of Gappa, a prover of bounds of rounding errors.
//!
//! Source of the language: G. Melquiond, "Gappa user's guide", 1.4. A script is about the program and about the same operations
//! without rounding; that those are the formula is algebra, which Gappa does not look at.

use super::CodeCases;
use super::coq::core;
use super::names::comment;
use crate::floats::Format;
use crate::mutate::MutationOperator;
use crate::num::Rational;
use crate::num::float::{hex, rational, rational_to_f64};
use crate::num::mpfr::Round;
use crate::ops::Op;
use crate::program::{Id, Literal, Program, Step};
use crate::record::Part;
use crate::record::mutants::MutantRow;
use crate::spec::inputs::representable;
use crate::spec::{is_program, parse_domain, parse_rational};
use crate::suite::Standing;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Scripts, and claims without one.
#[derive(Default)]
pub(super) struct Scripts {
    /// The files: names and contents.
    pub(super) files: Vec<(String, String)>,
    /// What is not expressed: reasons with the names of mutants.
    pub(super) left_out: BTreeMap<String, Vec<String>>,
}

/// How far a result may be from the exact value.
enum Tolerance {
    Relative(f64),
    Absolute(f64),
}

/// The scripts of a run, one for each program that was proved to meet the accuracy.
///
/// # Errors
/// A sentence that says why there are none.
pub(super) fn scripts(cases: &CodeCases) -> Result<Scripts, String> {
    let Some(part) = &cases.run else {
        return Err("--to gappa: scripts are about a folder of `magneto gen`".to_owned());
    };
    let mut scripts = Scripts::default();
    for mutant in &part.mutants.mutants {
        match script(cases, part, mutant) {
            Ok(text) => scripts.files.push((format!("{}_{}.g", cases.ident, mutant.id.replace('-', "_")), text)),
            Err(why) => scripts.left_out.entry(why).or_default().push(mutant.id.clone()),
        }
    }
    Ok(scripts)
}

fn script(cases: &CodeCases, part: &Part, mutant: &MutantRow) -> Result<String, String> {
    if mutant.operator != MutationOperator::Evaluation {
        return Err("a mutant that is no program over floats".to_owned());
    }
    if mutant.status != Some(Standing::Indistinguishable) {
        return Err("a program that is not proved to meet the accuracy".to_owned());
    }
    let specification = &part.manifest.specification;
    let tolerance =
        tolerance(&specification.accuracy).ok_or_else(|| format!("an accuracy of {}", specification.accuracy))?;
    let core =
        core(mutant.fpcore.as_deref().ok_or("a mutant of a large run")?).ok_or("a mutant that cannot be read")?;
    if is_program(&core) {
        return Err("a specification that is a program".to_owned());
    }
    let names: Vec<String> = specification.inputs.iter().map(|i| i.name.clone()).collect();
    let result = cases.result;
    let program = Program::written(&names, &core.body, result, result).filter(Program::is_formula);
    let program = program.ok_or("a program with loops, or that converts what the formula rounds")?;
    let mut text = String::new();
    for line in &cases.about {
        let _ = writeln!(text, "# {}", comment(line));
    }
    let _ = writeln!(text, "# {} -> {}", comment(&mutant.before), comment(&mutant.after));
    let (mut formats, mut hypotheses) = (Vec::new(), Vec::new());
    for (k, input) in specification.inputs.iter().enumerate() {
        let format = Format::from_name(&input.format).ok_or("an input of an unknown format")?;
        let (_, range) = parse_domain(&format!("x={}", input.range)).map_err(|_| "a range that cannot be read")?;
        let range = representable(&range, format).ok_or("an empty range")?;
        let _ = writeln!(text, "i{k} = {}(x{k}); # {}", rounding(format)?, comment(&input.name));
        hypotheses.push(format!("i{k} in [{}, {}]", hex(range.inf()), hex(range.sup())));
        formats.push(format);
    }
    let mut script = Script { program: &program, formats: &formats, text, numbers: Vec::new(), needs: Vec::new() };
    for id in program.ids() {
        script.define(id)?;
    }
    let [rounded, exact] = &script.numbers[program.result().index()];
    script.needs.push(match tolerance {
        Tolerance::Relative(r) => format!("{rounded} -/ {exact} in [-{}, {}]", hex(r), hex(r)),
        Tolerance::Absolute(a) => format!("|{rounded} - {exact}| <= {}", hex(a)),
    });
    let Script { text, needs, .. } = script;
    let hypotheses = if hypotheses.is_empty() { "0 in [0, 0]".to_owned() } else { hypotheses.join(" /\\ ") };
    Ok(format!("{text}{{ {hypotheses} ->\n  {} }}\n", needs.join(" /\\\n  ")))
}

/// The tolerance, rounded down to binary64, if the accuracy is one bound and no ulps.
fn tolerance(accuracy: &str) -> Option<Tolerance> {
    let (kind, bound) = accuracy.split_once(' ')?;
    let bound = rational_to_f64(&parse_rational(bound).ok()?, Round::Down);
    match kind {
        "relative" => Some(Tolerance::Relative(bound)),
        "absolute" => Some(Tolerance::Absolute(bound)),
        _ => None,
    }
}

/// An exact rational number as an expression.
fn number(x: &Rational) -> String {
    match *x.denom() == 1 {
        true => format!("({})", x.numer()),
        false => format!("({} / {})", x.numer(), x.denom()),
    }
}

/// The rounding to a format, to nearest.
fn rounding(format: Format) -> Result<String, String> {
    match format.is_fixed() {
        true => Err("a format that is none of floating point".to_owned()),
        false => Ok(format!("float<{}, {}, ne>", format.precision(), format.least_exponent())),
    }
}

/// A script under construction.
struct Script<'a> {
    program: &'a Program,
    /// The formats of the inputs.
    formats: &'a [Format],
    text: String,
    /// The names of each node's float, and of the number without rounding.
    numbers: Vec<[String; 2]>,
    /// What has to hold for the results to be floats at all: divisors that are not 0, no root of a negative number, no overflow.
    needs: Vec<String>,
}

impl Script<'_> {
    fn define(&mut self, id: Id) -> Result<(), String> {
        let (k, node) = (id.index(), self.program.node(id));
        let round = rounding(node.format)?;
        let (rounded, exact) = match &node.step {
            Step::Input(i) => {
                let input = format!("i{i}");
                let is_float = node.format.includes(self.formats[*i as usize]);
                let rounded =
                    if is_float { input.clone() } else { self.define_number('p', k, &format!("{round}({input})")) };
                (rounded, input)
            }
            Step::Literal(Literal::Number(n)) => {
                let value = self.program.value(id);
                let rounded = self.define_number('p', k, &hex(value));
                let is_exact = rational(value) == *n;
                (rounded.clone(), if is_exact { rounded } else { self.define_number('e', k, &number(n)) })
            }
            Step::Literal(Literal::Named(_)) => return Err("a constant that is no rational number".to_owned()),
            Step::Convert(of) => {
                let [rounded, exact] = self.numbers[of.index()].clone();
                (self.define_number('p', k, &format!("{round}({rounded})")), exact)
            }
            Step::Op(op, of) => {
                let of: Vec<[String; 2]> = of[..op.arity()].iter().map(|o| self.numbers[o.index()].clone()).collect();
                let applied =
                    |of: Vec<&String>| operation(*op, &of).ok_or_else(|| format!("the operator `{}`", op.name()));
                let rounded = applied(of.iter().map(|[rounded, _]| rounded).collect())?;
                let exact = applied(of.iter().map(|[_, exact]| exact).collect())?;
                let is_exact = matches!(op, Op::Neg | Op::Fabs);
                let rounded = if is_exact { rounded } else { format!("{round}({rounded})") };
                match op {
                    Op::Div => self.needs.push(format!("{} <> 0", of[1][0])),
                    Op::Sqrt => self.needs.push(format!("{} >= 0", of[0][0])),
                    _ => {}
                }
                (self.define_number('p', k, &rounded), self.define_number('e', k, &exact))
            }
            Step::If(..)
            | Step::Compare(..)
            | Step::Classify(..)
            | Step::Truth(_)
            | Step::And(..)
            | Step::Or(..)
            | Step::Not(_) => return Err("a choice (`if`)".to_owned()),
        };
        if !matches!(node.step, Step::Input(_) | Step::Literal(_)) {
            self.needs.push(format!("|{rounded}| <= {}", hex(node.format.max())));
        }
        self.numbers.push([rounded, exact]);
        Ok(())
    }

    /// Gives an expression a name, which it returns.
    fn define_number(&mut self, kind: char, k: usize, expression: &str) -> String {
        let _ = writeln!(self.text, "{kind}{k} = {expression};");
        format!("{kind}{k}")
    }
}

/// An operation of which Gappa knows the rounding.
fn operation(op: Op, of: &[&String]) -> Option<String> {
    Some(match (op, of) {
        (Op::Add, [a, b]) => format!("{a} + {b}"),
        (Op::Sub, [a, b]) => format!("{a} - {b}"),
        (Op::Mul, [a, b]) => format!("{a} * {b}"),
        (Op::Div, [a, b]) => format!("{a} / {b}"),
        (Op::Fma, [a, b, c]) => format!("{a} * {b} + {c}"),
        (Op::Neg, [a]) => format!("-{a}"),
        (Op::Fabs, [a]) => format!("|{a}|"),
        (Op::Sqrt, [a]) => format!("sqrt({a})"),
        _ => return None,
    })
}
