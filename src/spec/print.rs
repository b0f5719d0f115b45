//! Printing FPCore: expressions on one line, cores wrapped. What is printed reads back as the same tree.

use super::core::{Arg, Core, Datum, DatumKind, Expr, ExprKind, Loop, LoopHead, Number, Property, Value};
use super::number::{digits_form, parse_rational, rational_text};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// Lines are wrapped at this column where the text permits.
const WIDTH: usize = 100;
/// Past this column nesting costs one column a level, and past [`DEEPEST`] none.
const DEEP: usize = 40;
/// See [`DEEP`].
const DEEPEST: usize = 60;

impl fmt::Display for Expr {
    /// On one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.marked().text)
    }
}

impl Expr {
    /// The text on one line, with where each subexpression stands in it.
    #[must_use]
    pub fn marked(&self) -> Marked {
        let mut marked = Marked::default();
        marked.expr(self);
        marked
    }
}

/// An expression on one line.
#[derive(Clone, Debug, Default)]
pub struct Marked {
    /// The text.
    pub text: String,
    /// The bytes of every subexpression, in pre-order ([`Expr::children`] from left to right).
    pub places: Vec<Range<usize>>,
}

impl Marked {
    fn expr(&mut self, e: &Expr) {
        let (place, start) = (self.places.len(), self.text.len());
        self.places.push(start..start);
        self.part(&part(e));
        self.places[place].end = self.text.len();
    }

    fn part(&mut self, part: &Part<'_>) {
        match part {
            Part::Text(text) => self.text.push_str(text),
            Part::Expr(e) => self.expr(e),
            Part::Doc(doc) => doc.flat(&mut self.text),
            Part::List(shape, parts) => {
                self.text.push_str(shape.open());
                for (k, part) in parts.iter().enumerate() {
                    self.text.push_str(if k > 0 { " " } else { "" });
                    self.part(part);
                }
                self.text.push_str(shape.close());
            }
        }
    }
}

impl fmt::Display for Datum {
    /// On one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        datum(self).write_flat(f)
    }
}

impl fmt::Display for Core {
    /// One line a property, the body last; no line end after it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(FPCore ")?;
        if let Some(ident) = &self.ident {
            write!(f, "{ident} ")?;
        }
        let args = Doc::list(Shape::Items, self.args.iter().map(arg).collect());
        args.wrapped(f, 8 + self.ident.as_ref().map_or(0, |i| i.chars().count() + 1), 0)?;
        for property in &self.props {
            write!(f, "\n :{} ", property.key)?;
            value(&property.value).wrapped(f, property.key.chars().count() + 3, 0)?;
        }
        f.write_str("\n ")?;
        expr(&self.body).wrapped(f, 1, 1)?;
        f.write_str(")")
    }
}

impl Core {
    /// The core on one line (if no string in it has line ends).
    #[must_use]
    pub fn one_line(&self) -> String {
        format!("{}{})", self.one_line_head(), self.body)
    }

    /// What comes before the body in [`Core::one_line`].
    #[must_use]
    pub fn one_line_head(&self) -> String {
        let mut items: Vec<Doc> = self.ident.iter().map(atom).collect();
        items.push(Doc::list(Shape::Items, self.args.iter().map(arg).collect()));
        items.extend(self.props.iter().flat_map(|p| [atom(format!(":{}", p.key)), value(&p.value)]));
        let mut text = String::from("(FPCore ");
        for item in items {
            item.flat(&mut text);
            text.push(' ');
        }
        text
    }
}

/// A text to be laid out.
enum Doc {
    Atom(String),
    List { shape: Shape, items: Vec<Doc>, width: usize },
}

/// How a list that is too long for one line is broken.
#[derive(Clone, Copy)]
enum Shape {
    /// The items below each other.
    Items,
    /// The bindings of a `let` that is broken: each on a line of its own.
    Bindings,
    /// The first item, then the others below each other beside it.
    Call,
    /// As `Call`, in square brackets.
    Binding,
    /// So many items on the first line, the others below, indented by two.
    Block(usize),
}

impl Doc {
    fn list(shape: Shape, items: Vec<Doc>) -> Doc {
        let width = items.iter().map(|i| i.width() + 1).sum::<usize>().max(1) + 1;
        Doc::List { shape, items, width }
    }

    fn width(&self) -> usize {
        match self {
            Doc::Atom(text) => text.chars().count(),
            Doc::List { width, .. } => *width,
        }
    }

    fn flat(&self, out: &mut String) {
        match self {
            Doc::Atom(text) => out.push_str(text),
            Doc::List { shape, items, .. } => {
                out.push_str(shape.open());
                for (k, item) in items.iter().enumerate() {
                    out.push_str(if k > 0 { " " } else { "" });
                    item.flat(out);
                }
                out.push_str(shape.close());
            }
        }
    }

    fn write_flat(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.flat(&mut text);
        f.write_str(&text)
    }

    /// Lays the text out from column `indent` on, with `after` closing brackets to come after it.
    fn wrapped(&self, f: &mut fmt::Formatter<'_>, indent: usize, after: usize) -> fmt::Result {
        let Doc::List { shape, items, width } = self else { return self.write_flat(f) };
        let fits = indent + width + after <= WIDTH && (!matches!(shape, Shape::Bindings) || items.len() < 2);
        if fits || items.is_empty() {
            return self.write_flat(f);
        }
        f.write_str(shape.open())?;
        let head = match shape {
            Shape::Items | Shape::Bindings => 0,
            Shape::Call | Shape::Binding => 1,
            Shape::Block(n) => (*n).min(items.len()),
        };
        let mut column = indent + 1;
        for (k, item) in items[..head].iter().enumerate() {
            f.write_str(if k > 0 { " " } else { "" })?;
            column += usize::from(k > 0);
            item.wrapped(f, column, 0)?;
            column += item.width();
        }
        let beside = matches!(shape, Shape::Call | Shape::Binding) && indent < DEEP;
        let below = match shape {
            Shape::Call | Shape::Binding if beside => column + 1,
            Shape::Block(_) if indent < DEEP => indent + 2,
            _ => (indent + 1).min(indent.max(DEEPEST)),
        };
        for (k, item) in items[head..].iter().enumerate() {
            match shape {
                Shape::Items | Shape::Bindings if k == 0 => {}
                _ if k == 0 && beside => f.write_str(" ")?,
                _ => write!(f, "\n{:below$}", "")?,
            }
            let last = head + k + 1 == items.len();
            item.wrapped(f, below, if last { after + 1 } else { 0 })?;
        }
        f.write_str(shape.close())
    }
}

impl Shape {
    fn open(self) -> &'static str {
        if matches!(self, Shape::Binding) { "[" } else { "(" }
    }

    fn close(self) -> &'static str {
        if matches!(self, Shape::Binding) { "]" } else { ")" }
    }
}

fn atom(text: impl Into<String>) -> Doc {
    Doc::Atom(text.into())
}

/// One level of an expression's text.
enum Part<'a> {
    Text(Cow<'a, str>),
    Expr(&'a Expr),
    /// What stands in an annotation, and is no part of the expression.
    Doc(Doc),
    List(Shape, Vec<Part<'a>>),
}

/// A name and what follows it.
fn call<'a>(name: &'a str, operands: impl IntoIterator<Item = &'a Expr>) -> Part<'a> {
    let name = std::iter::once(Part::Text(name.into()));
    Part::List(Shape::Call, name.chain(operands.into_iter().map(Part::Expr)).collect())
}

fn part(e: &Expr) -> Part<'_> {
    match &e.kind {
        ExprKind::Number(n) => Part::Text(number(n)),
        ExprKind::Constant(c) => Part::Text(c.name().into()),
        ExprKind::Var(name) => Part::Text(variable(name)),
        ExprKind::Op(op, operands) => call(op.name(), operands),
        ExprKind::Compare(compare, operands) => call(compare.name(), operands),
        ExprKind::And(operands) => call("and", operands),
        ExprKind::Or(operands) => call("or", operands),
        ExprKind::Not(operand) => call("not", [&**operand]),
        ExprKind::Classify(class, operand) => call(class.name(), [&**operand]),
        ExprKind::If(parts) => call("if", &**parts),
        ExprKind::Let { sequential, bindings, body } => {
            let bindings = bindings
                .iter()
                .map(|(name, value)| Part::List(Shape::Binding, vec![Part::Text(name.into()), Part::Expr(value)]));
            let bindings = Part::List(Shape::Bindings, bindings.collect());
            let name = Part::Text(if *sequential { "let*" } else { "let" }.into());
            Part::List(Shape::Block(2), vec![name, bindings, Part::Expr(body)])
        }
        ExprKind::Cast(operand) => call("cast", [&**operand]),
        ExprKind::Annotated(props, operand) => {
            let mut parts: Vec<Part<'_>> = annotations(props).into_iter().map(Part::Doc).collect();
            let head = parts.len();
            parts.push(Part::Expr(operand));
            Part::List(Shape::Block(head), parts)
        }
        ExprKind::Call(ident, operands) => call(ident, operands),
        ExprKind::Array(elements) => call("array", elements),
        ExprKind::Ref(operands) => call("ref", operands),
        ExprKind::Dim(array) => call("dim", [&**array]),
        ExprKind::Size(parts) => call("size", &**parts),
        ExprKind::Loop(l) => looping(l),
    }
}

fn looping(l: &Loop) -> Part<'_> {
    fn binding<'l>(name: &'l str, parts: &[&'l Expr]) -> Part<'l> {
        let name = std::iter::once(Part::Text(name.into()));
        Part::List(Shape::Binding, name.chain(parts.iter().map(|e| Part::Expr(e))).collect())
    }
    let head = match &l.head {
        LoopHead::While(condition) => Part::Expr(condition),
        LoopHead::For(indices) | LoopHead::Tensor(indices) => {
            Part::List(Shape::Bindings, indices.iter().map(|(name, bound)| binding(name, &[bound])).collect())
        }
    };
    let mut parts = vec![Part::Text(l.name().into()), head];
    if l.sequential || !matches!(l.head, LoopHead::Tensor(_)) {
        parts.push(Part::List(
            Shape::Bindings,
            l.state.iter().map(|v| binding(&v.name, &[&v.init, &v.update])).collect(),
        ));
    }
    parts.push(Part::Expr(&l.body));
    Part::List(Shape::Block(2), parts)
}

/// A name; an element of an array that is an argument, which is an input of its own, as `(ref A 0)`.
fn variable(name: &str) -> Cow<'_, str> {
    match name.split_once('[') {
        Some((array, places)) => format!("(ref {array} {})", places.replace("][", " ").trim_end_matches(']')).into(),
        None => name.into(),
    }
}

fn expr(e: &Expr) -> Doc {
    doc(part(e))
}

fn doc(part: Part<'_>) -> Doc {
    match part {
        Part::Text(text) => atom(text),
        Part::Expr(e) => expr(e),
        Part::Doc(doc) => doc,
        Part::List(shape, parts) => Doc::list(shape, parts.into_iter().map(doc).collect()),
    }
}

/// `!` and the properties after it.
fn annotations(props: &[Property]) -> Vec<Doc> {
    let props = props.iter().flat_map(|p| [atom(format!(":{}", p.key)), value(&p.value)]);
    std::iter::once(atom("!")).chain(props).collect()
}

fn arg(arg: &Arg) -> Doc {
    if arg.props.is_empty() && arg.sizes.is_empty() {
        return atom(&arg.name);
    }
    let mut items = if arg.props.is_empty() { Vec::new() } else { annotations(&arg.props) };
    items.push(atom(&arg.name));
    items.extend(arg.sizes.iter().map(|n| atom(n.to_string())));
    Doc::list(Shape::Block(items.len()), items)
}

fn value(value: &Value) -> Doc {
    match value {
        Value::Expr(e) => expr(e),
        Value::Data(d) => datum(d),
    }
}

fn datum(d: &Datum) -> Doc {
    match &d.kind {
        DatumKind::Symbol(text) => atom(text),
        DatumKind::Number(n) => atom(number(n)),
        DatumKind::String(text) => atom(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))),
        DatumKind::List(items) => Doc::list(Shape::Items, items.iter().map(datum).collect()),
    }
}

/// The spelling of a number, unless its value has been changed without it.
fn number(n: &Number) -> Cow<'_, str> {
    // By far the most frequent, and read at once.
    if n.text.bytes().all(|b| b.is_ascii_digit()) && n.text.parse::<u64>().is_ok_and(|value| n.value == value) {
        return Cow::Borrowed(&n.text);
    }
    let digits = n.text.strip_prefix("(digits ").and_then(|t| t.strip_suffix(')'));
    let spelled = match digits.map(|d| d.split(' ').collect::<Vec<_>>()).as_deref() {
        Some([m, e, b]) => digits_form(m, e, b),
        _ => parse_rational(&n.text).map_err(String::from),
    };
    if spelled.as_ref() == Ok(&n.value) { Cow::Borrowed(&n.text) } else { Cow::Owned(rational_text(&n.value)) }
}

#[cfg(test)]
mod tests {
    use crate::spec::parse_file;

    #[test]
    fn places_are_those_of_the_subexpressions() {
        let body = "(let ([a (! :precision binary32 :pre (< x 1) (+ x 1e-3 0.1))] [p (and (< 0 x 1) (not (isnan x)))]) \
                    (if p (fma a x PI) (cast (- x))))";
        let file = parse_file(format!("(FPCore (x) {body})").as_bytes());
        let body = &file.cores[0].as_ref().unwrap().body;
        let marked = body.marked();
        let mut places = marked.places.iter();
        let mut left = vec![body];
        while let Some(e) = left.pop() {
            assert_eq!(marked.text[places.next().unwrap().clone()], e.to_string());
            left.extend(e.children().into_iter().rev());
        }
        assert!(places.next().is_none());
    }
}
