//! Terms of a script as terms of a graph: names, scopes, the core theory and numbers.

use super::Result;
use super::arrays::Arrays;
use super::call::{Call, Meaning};
use super::functions::{Function, Functions};
use super::poly::{Poly, Real};
use super::reals::Reals;
use super::sorts;
use super::theory;
use crate::floats::Rounding;
use crate::num::{Integer, Rational};
use crate::solve::float::{Graph, Sort, Term, TermOp};
use crate::text::sexp::{Sexp, SexpKind};
use crate::text::{Diagnostic, Span, nearest, quote};
use std::collections::HashMap;

/// A name of a script.
#[derive(Clone, Debug)]
pub(super) enum Symbol<'a> {
    /// An unknown, or a term.
    Term(Meaning),
    /// An unknown number that was not used yet: what it is to be equal to, where an assertion says that.
    Number { definition: Option<Sexp<'a>>, is_integer: bool },
    /// A function with parameters: it is its body, with them put in.
    Function { parameters: Vec<&'a str>, sorts: Vec<sorts::Of>, result: sorts::Of, body: Sexp<'a> },
    /// A function with parameters of which nothing is known.
    Unknown { function: Function, sorts: Vec<Sort>, result: Sort },
}

/// What names mean, and the graph of all terms.
#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    pub(super) graph: Graph,
    pub(super) symbols: HashMap<&'a str, Symbol<'a>>,
    pub(super) sorts: sorts::Names<'a>,
    pub(super) reals: Reals,
    pub(super) functions: Functions,
    pub(super) arrays: Arrays,
    /// What holds of a term where it is used.
    pub(super) axioms: Vec<(Term, Term)>,
    /// Unknowns for formulas that are not looked into.
    pub(super) abstracted: Vec<Term>,
    /// Names that terms were given by `:named`, in order.
    pub(super) labels: Vec<&'a str>,
    /// `let` and parameters: the innermost last.
    local: HashMap<&'a str, Vec<Meaning>>,
    /// How many functions are being put in, one within the other.
    depth: usize,
}

/// So many functions may be put in within each other; a term may be much larger than its text.
const MAX_FUNCTIONS: usize = 200;
/// The most terms of a script.
const MAX_TERMS: usize = 2_000_000;

impl<'a> Scope<'a> {
    /// The meaning of a term.
    pub(super) fn term(&mut self, sexp: &Sexp<'a>) -> Result<Meaning> {
        if self.graph.len() > MAX_TERMS {
            return Err(Diagnostic::unsupported(sexp.span, "the script has too many terms"));
        }
        match &sexp.kind {
            SexpKind::Text(_) => Err(Diagnostic::unsupported(sexp.span, "strings are no terms here")),
            SexpKind::Atom(text) => self.atom(text, sexp.span),
            SexpKind::List(items) => match items.first() {
                None => Err(Diagnostic::syntax(sexp.span, "a term is expected, and `()` is none")),
                Some(head) => match head.atom() {
                    Some("let") => self.binding(sexp.span, items),
                    Some("!") if items.len() > 1 => self.annotated(items),
                    Some("_") => theory::indexed_value(&mut self.graph, sexp.span, items),
                    Some("as") if items.len() == 3 => self.term(&items[1]),
                    Some("forall" | "exists") => self.quantified(sexp.span, items),
                    _ => self.application(sexp.span, head, &items[1..]),
                },
            },
        }
    }

    /// The meaning of a term that is to be true or false.
    pub(super) fn truth(&mut self, sexp: &Sexp<'a>) -> Result<Term> {
        match self.term(sexp)? {
            Meaning::Term(term) if self.graph.sort(term) == Sort::Bool => Ok(term),
            _ => Err(Diagnostic::semantic(sexp.span, "this is to be true or false, and is of another sort")),
        }
    }

    /// The sort of a meaning.
    pub(super) fn sort_of(&self, meaning: &Meaning) -> sorts::Of {
        match meaning {
            Meaning::Term(term) => sorts::Of::Sort(self.graph.sort(*term)),
            Meaning::Real(_) => sorts::Of::Real,
            Meaning::Array(array) => sorts::Of::Array(self.arrays.sort(*array)),
        }
    }

    fn atom(&mut self, text: &'a str, span: Span) -> Result<Meaning> {
        if let Some(meaning) = self.local.get(text).and_then(|m| m.last()) {
            return Ok(meaning.clone());
        }
        match self.symbols.get(text) {
            Some(Symbol::Term(meaning)) => return Ok(meaning.clone()),
            Some(Symbol::Number { .. }) => return self.number(text, span).map(Meaning::Real),
            Some(Symbol::Function { sorts: of, .. }) => return Err(no_constant(text, of.len(), span)),
            Some(Symbol::Unknown { sorts: of, .. }) => return Err(no_constant(text, of.len(), span)),
            None => {}
        }
        let mode = Rounding::ALL.into_iter().find(|m| m.names().contains(&text));
        let term = match (text, mode) {
            (_, Some(mode)) => self.graph.mode(mode),
            ("true" | "false", _) => self.graph.truth(text == "true"),
            _ => return self.literal(text, span),
        };
        Ok(Meaning::Term(term))
    }

    fn literal(&mut self, text: &'a str, span: Span) -> Result<Meaning> {
        let bits = match (text.strip_prefix("#b"), text.strip_prefix("#x")) {
            (Some(digits), _) => Some((digits, 2, digits.len())),
            (_, Some(digits)) => Some((digits, 16, 4 * digits.len())),
            _ => None,
        };
        if let Some((digits, radix, width)) = bits {
            if !(1..=sorts::MOST_WIDTH as usize).contains(&width) {
                return Err(sorts::too_wide(span));
            }
            return match Integer::from_str_radix(digits, radix) {
                Ok(value) if digits.bytes().all(|b| b.is_ascii_hexdigit()) => {
                    Ok(Meaning::Term(self.graph.constant_of_bits(Sort::Bits(width as u32), &value)))
                }
                _ => Err(Diagnostic::syntax(span, format!("{} is no bit vector", quote(text)))),
            };
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return match decimal(text) {
                Some(value) => Ok(Meaning::Real(Poly::number(value).into())),
                None => Err(Diagnostic::syntax(span, format!("{} is no number", quote(text)))),
            };
        }
        let near = nearest(text, self.symbols.keys().copied());
        let wrong = Diagnostic::semantic(span, format!("{} is not declared", quote(text)));
        Err(wrong.maybe_hint(near.map(|n| format!("did you mean `{n}`?"))))
    }

    /// `(! term :named name)`: the term, which has that name from then on.
    fn annotated(&mut self, items: &[Sexp<'a>]) -> Result<Meaning> {
        let meaning = self.term(&items[1])?;
        for pair in items[2..].windows(2) {
            if pair[0].atom() == Some(":named")
                && let Some(name) = pair[1].atom()
                && !self.symbols.contains_key(name)
            {
                self.symbols.insert(name, Symbol::Term(meaning.clone()));
                self.labels.push(name);
            }
        }
        Ok(meaning)
    }

    /// `(let ((x t) …) body)`: all at once, each in the scope around.
    fn binding(&mut self, span: Span, items: &[Sexp<'a>]) -> Result<Meaning> {
        let [_, pairs, body] = items else {
            return Err(Diagnostic::syntax(span, "`let` takes a list of bindings and a term"));
        };
        let wrong = |s: &Sexp<'_>| Diagnostic::syntax(s.span, "a binding is `(name term)`");
        let mut bound = Vec::new();
        for pair in pairs.list().ok_or_else(|| wrong(pairs))? {
            let Some([name, term]) = pair.list() else { return Err(wrong(pair)) };
            let name = name.atom().ok_or_else(|| wrong(pair))?;
            bound.push((name, self.term(term)?));
        }
        self.within(bound, |scope| scope.term(body))
    }

    /// Do something where names mean something else.
    pub(super) fn within<T>(&mut self, bound: Vec<(&'a str, Meaning)>, work: impl FnOnce(&mut Self) -> T) -> T {
        let names: Vec<&str> = bound.iter().map(|b| b.0).collect();
        for (name, meaning) in bound {
            self.local.entry(name).or_default().push(meaning);
        }
        let result = work(self);
        for name in names {
            if let Some(stack) = self.local.get_mut(name) {
                stack.pop();
            }
        }
        result
    }

    fn application(&mut self, span: Span, head: &Sexp<'a>, rest: &[Sexp<'a>]) -> Result<Meaning> {
        let operands = rest.iter().map(|s| self.term(s)).collect::<Result<Vec<Meaning>>>()?;
        let Some(name) = head.atom() else {
            if head.list().and_then(|l| l.first()).and_then(Sexp::atom) == Some("as") {
                return self.constant_array(head, &Call { span, name: "const", operands: &operands });
            }
            let indices = head.list().filter(|l| l.first().and_then(Sexp::atom) == Some("_"));
            let Some([_, name, indices @ ..]) = indices else {
                return Err(Diagnostic::syntax(head.span, "a function is expected"));
            };
            let name = name.atom().ok_or_else(|| Diagnostic::syntax(name.span, "a name is expected"))?;
            let call = Call { span, name, operands: &operands };
            if let ("to_fp", [_, Meaning::Real(x)]) = (name, &operands[..]) {
                let mode = call.of(&self.graph, 0, Sort::Mode)?;
                let format = sorts::format(span, indices)?;
                if format.is_wide() {
                    let Some(number) = x.known() else { return Err(wide_real(span)) };
                    return self.wide_number(&call, mode, Sort::Float(format), &number);
                }
                return Ok(Meaning::Term(self.reals.rounded(&mut self.graph, mode, format, x)));
            }
            if matches!(name, "fp.to_ubv" | "fp.to_sbv") {
                return self.integer_of_float(&call, indices);
            }
            return theory::indexed(&mut self.graph, &call, indices);
        };
        if let Some(Symbol::Function { parameters, sorts, result, body }) = self.symbols.get(name).cloned() {
            return self.call(&Call { span, name, operands: &operands }, (parameters, &sorts, result), &body);
        }
        let call = Call { span: head.span, name, operands: &operands };
        if let Some(Symbol::Unknown { function, sorts, result }) = self.symbols.get(name).cloned() {
            return self.unknown_function(&call, (function, &sorts, result));
        }
        if let Some(meaning) = self.of_arrays(&call)? {
            return Ok(meaning);
        }
        if let Some(meaning) = self.core(&call)? {
            return Ok(meaning);
        }
        if matches!(name, "fp.to_ieee_bv" | "to_ieee_bv") {
            return self.bits_of_float(&call);
        }
        if name == "fp.to_real" {
            if operands.len() == 1 && self.graph.sort(call.term(0)?).is_wide() {
                return Err(wide_real(span));
            }
            return self.reals.of_call(&mut self.graph, &call).map(Meaning::Real);
        }
        theory::apply(&mut self.graph, &call).map(Meaning::Term)
    }

    /// The number that an unknown number stands for: what an assertion says it is, if that can be said without it, else
    /// a new unknown.
    fn number(&mut self, name: &'a str, span: Span) -> Result<Real> {
        let (definition, is_integer) = match self.symbols.get_mut(name) {
            Some(Symbol::Number { definition, is_integer }) => (definition.take(), *is_integer),
            _ => (None, false),
        };
        // While it is looked at it is what is not known: a definition that comes back to it is none.
        let around = std::mem::take(&mut self.local);
        let meaning = definition.map(|d| self.term(&d));
        self.local = around;
        if let Some(Symbol::Term(Meaning::Real(known))) = self.symbols.get(name) {
            return Ok(known.clone());
        }
        let real = match meaning {
            Some(Ok(Meaning::Real(real))) => real,
            _ if is_integer => {
                let message = format!("no equation says what {} is, and integers are no unknowns here", quote(name));
                return Err(Diagnostic::unsupported(span, message));
            }
            _ => self.reals.unknown(&mut self.graph),
        };
        self.symbols.insert(name, Symbol::Term(Meaning::Real(real.clone())));
        Ok(real)
    }

    /// A function of the script, with operands for its parameters.
    fn call(
        &mut self,
        call: &Call<'_>,
        (parameters, sorts, result): (Vec<&'a str>, &[sorts::Of], sorts::Of),
        body: &Sexp<'a>,
    ) -> Result<Meaning> {
        call.count(parameters.len(), parameters.len())?;
        for (i, (operand, sort)) in call.operands.iter().zip(sorts).enumerate() {
            if !self.sort_of(operand).fits(*sort) {
                let message = format!("operand {} of {} should be of sort {}", i + 1, quote(call.name), sort.named());
                return Err(call.wrong(message));
            }
        }
        if self.depth == MAX_FUNCTIONS {
            return Err(call.wrong("functions are put in within each other too often"));
        }
        self.depth += 1;
        // Names that are bound around the call mean nothing in the body.
        let around = std::mem::take(&mut self.local);
        let bound = parameters.into_iter().zip(call.operands.iter().cloned()).collect();
        let meaning = self.within(bound, |scope| scope.term(body));
        self.local = around;
        self.depth -= 1;
        let meaning = meaning?;
        if self.sort_of(&meaning).fits(result) {
            return Ok(meaning);
        }
        Err(Diagnostic::semantic(body.span, format!("this should be of sort {}", result.named())))
    }

    /// The core theory, and arithmetic of numbers that are known. `None`: it is of another theory.
    fn core(&mut self, call: &Call<'_>) -> Result<Option<Meaning>> {
        let all_real: Option<Vec<Real>> =
            call.operands.iter().map(|m| if let Meaning::Real(x) = m { Some(x.clone()) } else { None }).collect();
        if let Some(numbers) = all_real.filter(|n| !n.is_empty())
            && let Some(meaning) = self.reals.apply(&mut self.graph, call, &numbers)?
        {
            return Ok(Some(meaning));
        }
        let bools = |scope: &Self| {
            (0..call.operands.len()).map(|i| call.of(&scope.graph, i, Sort::Bool)).collect::<Result<Vec<Term>>>()
        };
        let graph_term = match call.name {
            "not" => {
                call.count(1, 1)?;
                let x = call.of(&self.graph, 0, Sort::Bool)?;
                self.graph.not(x)
            }
            "and" | "or" | "=>" | "xor" => {
                call.count(1, usize::MAX)?;
                let mut terms = bools(self)?;
                match call.name {
                    "and" => self.graph.all(&terms),
                    "or" => self.graph.any(&terms),
                    "=>" => {
                        let last = terms.len() - 1;
                        for term in &mut terms[..last] {
                            *term = self.graph.not(*term);
                        }
                        self.graph.any(&terms)
                    }
                    _ => terms[1..].iter().fold(terms[0], |a, b| {
                        let same = self.graph.apply(TermOp::Same, Sort::Bool, &[a, *b]);
                        self.graph.not(same)
                    }),
                }
            }
            "=" => {
                call.count(2, usize::MAX)?;
                let terms = call.alike(&self.graph)?;
                let pairs: Vec<Term> =
                    terms.windows(2).map(|w| self.graph.apply(TermOp::Same, Sort::Bool, &[w[0], w[1]])).collect();
                self.graph.all(&pairs)
            }
            "distinct" => {
                call.count(2, 1000)?;
                let terms = call.alike(&self.graph)?;
                let mut pairs = Vec::new();
                for (i, a) in terms.iter().enumerate() {
                    for b in &terms[i + 1..] {
                        let same = self.graph.apply(TermOp::Same, Sort::Bool, &[*a, *b]);
                        pairs.push(self.graph.not(same));
                    }
                }
                self.graph.all(&pairs)
            }
            "ite" => {
                call.count(3, 3)?;
                let condition = call.of(&self.graph, 0, Sort::Bool)?;
                if let (Meaning::Real(a), Meaning::Real(b)) = (&call.operands[1], &call.operands[2]) {
                    return Reals::either(&mut self.graph, call, condition, [a, b]).map(|x| Some(Meaning::Real(x)));
                }
                let sort = self.graph.sort(call.term(1)?);
                let (a, b) = (call.term(1)?, call.of(&self.graph, 2, sort)?);
                self.graph.apply(TermOp::Ite, sort, &[condition, a, b])
            }
            _ => return Ok(None),
        };
        Ok(Some(Meaning::Term(graph_term)))
    }
}

fn no_constant(name: &str, parameters: usize, span: Span) -> Diagnostic {
    Diagnostic::semantic(span, format!("{} is a function with {parameters} parameters", quote(name)))
}

/// Real numbers are not known of floats that are so wide.
fn wide_real(span: Span) -> Diagnostic {
    Diagnostic::unsupported(span, "real numbers of unknowns and formats of more than 64 bits do not go together here")
}

/// A numeral or decimal of SMT-LIB.
fn decimal(text: &str) -> Option<Rational> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || text.ends_with('.') {
        return None;
    }
    let number: Integer = format!("{whole}{fraction}").parse().ok()?;
    let ten: Integer = Integer::from(10);
    let scale = (0..fraction.len()).fold(Integer::from(1), |s, _| s * &ten);
    Some(Rational::from((number, scale)))
}
