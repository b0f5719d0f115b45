//! Expressions.

use super::names;
use crate::ops::{Constant, Op};
use crate::spec::core::{Arg, Classify, Compare, Expr, ExprKind, Number};
use crate::spec::number::{digits_form, looks_numeric, number_hint, parse_rational};
use crate::spec::sizes::Sizes;
use crate::text::sexp::{Sexp, SexpKind};
use crate::text::{Diagnostic, Span, is_hidden, quote};
use std::collections::BTreeMap;

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Real,
    Bool,
    /// So many dimensions, at least 1.
    Array(usize),
    /// Of a name of the size of an array: this number.
    Size(usize),
    /// Of a name of a loop at a place where the standard does not say what it means.
    Gone,
    /// Of a variable whose definition is broken; fits everywhere.
    Unknown,
}

impl Type {
    /// That of an argument.
    pub(super) fn of(arg: &Arg) -> Self {
        if arg.sizes.is_empty() { Type::Real } else { Type::Array(arg.sizes.len()) }
    }

    fn name(self) -> String {
        match self {
            Type::Bool => "a condition".to_owned(),
            Type::Array(1) => "an array".to_owned(),
            Type::Array(rank) => format!("an array of {rank} dimensions"),
            Type::Real | Type::Size(_) | Type::Unknown | Type::Gone => "a number".to_owned(),
        }
    }
}

/// An earlier core as seen by a call.
#[derive(Clone, Debug)]
pub(super) enum Callee {
    Usable { parameters: Vec<Type>, result: Type },
    Broken,
}

/// What the name at the head of a list of numbers means.
enum Head<'f> {
    Compare(Compare),
    Classify(Classify),
    Op(Op),
    /// A call with arguments and a result of these types.
    Call(&'f [Type], Type),
}

type Typed = (Expr, Type);

/// Reads one core.
pub(super) struct Reader<'f> {
    source: &'f str,
    earlier: &'f BTreeMap<String, Callee>,
    /// Where the last core of each identifier is, and which core this one is.
    last: (&'f BTreeMap<&'f str, usize>, usize),
    /// The numbers that stand for the names of sizes of its arguments.
    pub(super) sizes: &'f Sizes,
    /// Where these names stand in expressions.
    pub(super) size_uses: Vec<(String, Span)>,
    pub(super) scope: Vec<(String, Type)>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'f> Reader<'f> {
    pub(super) fn new(
        source: &'f str,
        earlier: &'f BTreeMap<String, Callee>,
        last: (&'f BTreeMap<&'f str, usize>, usize),
        sizes: &'f Sizes,
    ) -> Self {
        Reader { source, earlier, last, sizes, size_uses: Vec::new(), scope: Vec::new(), diagnostics: Vec::new() }
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn text(&self, span: Span) -> String {
        quote(self.source.get(span.start..span.end).unwrap_or_default())
    }

    /// A symbol that is to be bound.
    pub(super) fn symbol(&mut self, item: &Sexp, what: &str) -> Option<String> {
        let Some(name) = item.atom() else {
            let message = format!("{what} must be a symbol, not {}", self.text(item.span));
            self.report(Diagnostic::syntax(item.span, message));
            return None;
        };
        let problem = if names::constant(name).is_some() {
            // `E` may well be an argument; `1_PI` of FPCore 1.0 may not, but no one does that.
            None
        } else if looks_numeric(name) {
            Some("starts like a number")
        } else if name.starts_with(':') {
            Some("is a property")
        } else if !name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/:'".contains(c) || is_letter(c) && !is_hidden(c))
        {
            Some("holds a character that cannot be part of a symbol")
        } else {
            return Some(name.to_owned());
        };
        match problem {
            None => Some(name.to_owned()),
            Some(problem) => {
                self.report(Diagnostic::syntax(
                    item.span,
                    format!("{} {problem}; {what} must be a symbol", quote(name)),
                ));
                None
            }
        }
    }

    /// An expression of the type; the mistakes found are reported.
    pub(super) fn expect(&mut self, item: &Sexp, wanted: Type) -> Option<Expr> {
        let (expr, found) = self.expr(item)?;
        if found == wanted || found == Type::Unknown || wanted == Type::Unknown {
            return Some(expr);
        }
        self.mismatch(item.span, wanted, found);
        None
    }

    fn mismatch(&mut self, span: Span, wanted: Type, found: Type) {
        let (wanted, found) = [wanted, found].map(Type::name).into();
        self.report(Diagnostic::semantic(span, format!("expected {wanted}, but {} is {found}", self.text(span))));
    }

    /// All of one type.
    fn expect_all(&mut self, items: &[Sexp], wanted: Type) -> Option<Vec<Expr>> {
        self.expect_each(items, &[wanted])
    }

    /// Each of its type, those after the last one of that: all are read, so that every mistake is found.
    fn expect_each(&mut self, items: &[Sexp], wanted: &[Type]) -> Option<Vec<Expr>> {
        // A plain loop: this recursion is the deepest of the reader, and iterator adaptors cost stack.
        let mut read = Vec::with_capacity(items.len());
        for (k, item) in items.iter().enumerate() {
            if let Some(expr) = self.expect(item, wanted[k.min(wanted.len() - 1)]) {
                read.push(expr);
            }
        }
        (read.len() == items.len()).then_some(read)
    }

    /// An expression and its type; the mistakes found are reported.
    pub(super) fn expr(&mut self, item: &Sexp) -> Option<Typed> {
        let span = item.span;
        let (kind, ty) = match &item.kind {
            SexpKind::Atom(text) => self.atom(text, span)?,
            SexpKind::Text(_) => {
                self.report(Diagnostic::syntax(span, "a string cannot stand in an expression"));
                return None;
            }
            SexpKind::List(items) => self.list(items, span)?,
        };
        Some((Expr { kind, span }, ty))
    }

    #[inline(never)]
    fn atom(&mut self, text: &str, span: Span) -> Option<(ExprKind, Type)> {
        if let Some((name, ty)) = self.scope.iter().rev().find(|(name, _)| name == text) {
            if *ty == Type::Gone {
                let message = format!("what {} means here the standard leaves open", quote(text));
                let diagnostic = Diagnostic::unsupported(span, message);
                self.report(diagnostic.hint("give the variables and indices of loops names of their own"));
                return None;
            }
            if let Type::Size(n) = *ty {
                self.size_uses.push((name.clone(), span));
                return Some((ExprKind::Number(Number::new(n.into())), Type::Real));
            }
            return Some((ExprKind::Var(name.clone()), *ty));
        }
        if let Some(constant) = names::constant(text) {
            let is_bool = matches!(constant, Constant::True | Constant::False);
            return Some((ExprKind::Constant(constant), if is_bool { Type::Bool } else { Type::Real }));
        }
        if looks_numeric(text) {
            return match parse_rational(text) {
                Ok(value) => Some((ExprKind::Number(Number { value, text: text.to_owned() }), Type::Real)),
                Err(e) => {
                    self.report(Diagnostic::syntax(span, e.to_string()).maybe_hint(number_hint(text)));
                    None
                }
            };
        }
        let diagnostic = if text.starts_with(':') {
            Diagnostic::syntax(span, format!("the property {} cannot stand here", quote(text)))
                .hint("properties stand before the body, or in `(! :property value expression)`")
        } else if names::is_operation(text) {
            Diagnostic::semantic(span, format!("{} is an operator, not a value", quote(text)))
                .hint(format!("write `({text} …)`"))
        } else {
            let hint = names::suggest_variable(text, self.scope.iter().map(|(name, _)| name.as_str()));
            Diagnostic::semantic(span, format!("unbound variable {}", quote(text))).maybe_hint(hint)
        };
        self.report(diagnostic);
        None
    }

    fn list(&mut self, items: &[Sexp], span: Span) -> Option<(ExprKind, Type)> {
        let Some((head, operands)) = items.split_first() else {
            self.report(Diagnostic::syntax(span, "an empty list is not an expression"));
            return None;
        };
        let Some(name) = head.atom() else {
            self.report(Diagnostic::syntax(head.span, "the name of an operator must come first in a list"));
            self.skip(operands);
            return None;
        };
        match name {
            "if" => self.conditional(operands, span),
            "let" | "let*" => self.binding(name == "let*", operands, span),
            "!" => self.annotated(operands, span),
            "cast" => {
                let (expr, ty) = self.arity(name, operands, 1, span).then(|| self.expr(&operands[0]))??;
                Some((ExprKind::Cast(Box::new(expr)), ty))
            }
            "digits" => self.digits(operands, span),
            "while" | "while*" | "for" | "for*" | "tensor" | "tensor*" => self.looping(name, operands, span),
            "array" | "ref" | "dim" | "size" => self.of_array(name, operands, span),
            "and" => Some((ExprKind::And(self.expect_all(operands, Type::Bool)?), Type::Bool)),
            "or" => Some((ExprKind::Or(self.expect_all(operands, Type::Bool)?), Type::Bool)),
            "not" => {
                let expr = self.arity(name, operands, 1, span).then(|| self.expect(&operands[0], Type::Bool))??;
                Some((ExprKind::Not(Box::new(expr)), Type::Bool))
            }
            _ => self.operation(name, head.span, operands, span),
        }
    }

    fn operation(&mut self, name: &str, head: Span, operands: &[Sexp], span: Span) -> Option<(ExprKind, Type)> {
        let Some(head) = self.head(name, head, operands.len(), span) else {
            self.skip(operands);
            return None;
        };
        let wanted = if let Head::Call(parameters, _) = head { parameters } else { &[Type::Real] };
        let mut es = self.expect_each(operands, wanted)?;
        Some(match head {
            Head::Compare(compare) => (ExprKind::Compare(compare, es), Type::Bool),
            Head::Classify(class) => (ExprKind::Classify(class, Box::new(es.pop()?)), Type::Bool),
            Head::Op(op) => (ExprKind::Op(op, es), Type::Real),
            Head::Call(_, result) => (ExprKind::Call(name.to_owned(), es), result),
        })
    }

    /// What a name means before so many operands; the reason is reported where it means nothing.
    #[inline(never)]
    fn head(&mut self, name: &str, head: Span, operands: usize, span: Span) -> Option<Head<'f>> {
        // More operands than two associate to the left.
        let variadic = matches!(name, "+" | "-" | "*" | "/") && operands > 2;
        let wanted = if let Some(compare) = Compare::ALL.into_iter().find(|c| c.name() == name) {
            if operands > 0 {
                return Some(Head::Compare(compare));
            }
            let hint = format!("write `({name} x y)`");
            self.report(Diagnostic::syntax(span, format!("`{name}` needs operands")).hint(hint));
            return None;
        } else if let Some(class) = Classify::ALL.into_iter().find(|c| c.name() == name) {
            if operands == 1 {
                return Some(Head::Classify(class));
            }
            1
        } else if let Some(op) = Op::from_fpcore(name, if variadic { 2 } else { operands }) {
            return Some(Head::Op(op));
        } else if let Some(op) = Op::ALL.iter().find(|o| o.name() == name) {
            op.arity()
        } else if let Some(Callee::Usable { parameters, result }) = self.earlier.get(name) {
            if operands == parameters.len() {
                return Some(Head::Call(parameters, *result));
            }
            parameters.len()
        } else {
            let diagnostic = self.unknown(name, head);
            self.report(diagnostic);
            return None;
        };
        self.wrong_arity(name, operands, wanted, span);
        None
    }

    /// Why a name cannot stand at the head of a list.
    fn unknown(&self, name: &str, head: Span) -> Diagnostic {
        if self.earlier.contains_key(name) {
            // Left out along with that core where such are left out; where it has other mistakes, they are reported.
            Diagnostic::unsupported(head, format!("the core {} that is called here cannot be used", quote(name)))
                .hint("see what is reported for that core")
        } else if self.last.0.get(name).is_some_and(|&at| at >= self.last.1) {
            Diagnostic::semantic(head, format!("only earlier cores can be called, and {} is not", quote(name)))
        } else if self.scope.iter().any(|(bound, _)| bound == name) {
            Diagnostic::semantic(head, format!("{} is a variable, not an operator", quote(name)))
        } else if looks_numeric(name) {
            Diagnostic::syntax(head, format!("{} is a number, not an operator", quote(name)))
        } else {
            let hint = names::suggest_operation(name, self.earlier.keys().map(String::as_str));
            Diagnostic::unsupported(head, format!("unknown operator {}", quote(name))).maybe_hint(hint)
        }
    }

    /// Reads for the mistakes only.
    #[inline(never)]
    fn skip(&mut self, items: &[Sexp]) {
        for item in items {
            self.expr(item);
        }
    }

    fn arity(&mut self, name: &str, operands: &[Sexp], wanted: usize, span: Span) -> bool {
        if operands.len() != wanted {
            self.wrong_arity(name, operands.len(), wanted, span);
            self.skip(operands);
        }
        operands.len() == wanted
    }

    fn wrong_arity(&mut self, name: &str, operands: usize, wanted: usize, span: Span) {
        let plural = if wanted == 1 { "" } else { "s" };
        let message = format!("{} takes {wanted} operand{plural}, not {operands}", quote(name));
        let hint = match name {
            "if" => "write `(if condition then else)`".to_owned(),
            "not" => "write `(not condition)`".to_owned(),
            _ => {
                let shown = ["x", "y", "z"].iter().take(wanted).map(|x| format!(" {x}")).collect::<String>();
                let more = if wanted > 3 { " …" } else { "" };
                format!("write `({name}{shown}{more})`")
            }
        };
        self.report(Diagnostic::syntax(span, message).hint(hint));
    }

    #[inline(never)]
    fn conditional(&mut self, operands: &[Sexp], span: Span) -> Option<(ExprKind, Type)> {
        let [condition, yes, no] = operands else {
            self.arity("if", operands, 3, span);
            return None;
        };
        let condition = self.expect(condition, Type::Bool);
        let first = self.expr(yes);
        let wanted = first.as_ref().map_or(Type::Unknown, |&(_, ty)| ty);
        let second =
            if wanted == Type::Unknown { self.expr(no) } else { self.expect(no, wanted).map(|expr| (expr, wanted)) };
        let ((yes, _), (no, ty)) = (first?, second?);
        Some((ExprKind::If(Box::new([condition?, yes, no])), ty))
    }

    #[inline(never)]
    fn binding(&mut self, sequential: bool, operands: &[Sexp], span: Span) -> Option<(ExprKind, Type)> {
        let name = if sequential { "let*" } else { "let" };
        let [list, body] = operands else {
            let hint = format!("write `({name} ([x 1]) body)`");
            self.report(Diagnostic::syntax(span, format!("`{name}` takes bindings and one body")).hint(hint));
            return None;
        };
        let Some(list) = list.list() else {
            let hint = format!("write `({name} ([x 1]) body)`");
            self.report(Diagnostic::syntax(list.span, format!("the bindings of `{name}` must be a list")).hint(hint));
            return None;
        };
        let outer = self.scope.len();
        let mut bindings = Vec::new();
        let mut names: Vec<(String, Type)> = Vec::new();
        for item in list {
            let Some([bound, value]) = item.list() else {
                let message = format!("a binding is a name and a value, not {}", self.text(item.span));
                self.report(Diagnostic::syntax(item.span, message));
                continue;
            };
            let symbol = self.symbol(bound, "a binding's name");
            let value = self.expr(value);
            let Some(symbol) = symbol else { continue };
            let entry = (symbol.clone(), value.as_ref().map_or(Type::Unknown, |&(_, ty)| ty));
            if sequential {
                self.scope.push(entry);
            } else {
                if names.iter().any(|(earlier, _)| *earlier == symbol) {
                    let message = format!("`let` binds {} twice", quote(&symbol));
                    self.report(Diagnostic::semantic(bound.span, message).hint("`let*` binds in sequence"));
                }
                names.push(entry);
            }
            if let Some((value, _)) = value {
                bindings.push((symbol, value));
            }
        }
        self.scope.append(&mut names);
        let body = self.expr(body);
        self.scope.truncate(outer);
        let (body, ty) = body?;
        (bindings.len() == list.len()).then(|| (ExprKind::Let { sequential, bindings, body: Box::new(body) }, ty))
    }

    #[inline(never)]
    fn annotated(&mut self, operands: &[Sexp], span: Span) -> Option<(ExprKind, Type)> {
        let (props, used) = self.properties(operands, false);
        let [body] = &operands[used..] else {
            self.report(
                Diagnostic::syntax(span, "`!` takes properties and one expression")
                    .hint("write `(! :property value expression)`"),
            );
            return None;
        };
        let (body, ty) = self.expr(body)?;
        Some((ExprKind::Annotated(props, Box::new(body)), ty))
    }

    #[inline(never)]
    fn digits(&mut self, operands: &[Sexp], span: Span) -> Option<(ExprKind, Type)> {
        let atoms: Option<Vec<&str>> = operands.iter().map(Sexp::atom).collect();
        let value = match atoms.as_deref() {
            Some([m, e, b]) => digits_form(m, e, b).map(|v| (v, format!("(digits {m} {e} {b})"))),
            _ => Err("write `(digits m e b)` with three integers".to_owned()),
        };
        match value {
            Ok((value, text)) => Some((ExprKind::Number(Number { value, text }), Type::Real)),
            Err(message) => {
                self.report(Diagnostic::syntax(span, message));
                None
            }
        }
    }
}

/// Letters beyond ASCII, such as Greek ones, are accepted although the standard has none.
fn is_letter(c: char) -> bool {
    !c.is_ascii() && !c.is_control() && !c.is_whitespace()
}
