//! Printing FPCore: expressions on one line, cores wrapped. What is printed reads back as the same tree.

use super::core::{Arg, Core, Datum, DatumKind, Expr, ExprKind, Number, Property, Value};
use super::number::{digits_form, parse_rational, rational_text};
use std::fmt;

/// Lines are wrapped at this column where the text permits.
const WIDTH: usize = 100;
/// Past this column nesting costs one column a level, and past [`DEEPEST`] none.
const DEEP: usize = 40;
/// See [`DEEP`].
const DEEPEST: usize = 60;

impl fmt::Display for Expr {
    /// On one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        expr(self).flat(f)
    }
}

impl fmt::Display for Datum {
    /// On one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        datum(self).flat(f)
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
        let mut items = vec![atom("FPCore")];
        items.extend(self.ident.iter().map(atom));
        items.push(Doc::list(Shape::Items, self.args.iter().map(arg).collect()));
        items.extend(self.props.iter().flat_map(|p| [atom(format!(":{}", p.key)), value(&p.value)]));
        items.push(expr(&self.body));
        Flat(Doc::list(Shape::Items, items)).to_string()
    }
}

/// A text on one line.
struct Flat(Doc);

impl fmt::Display for Flat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.flat(f)
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

    fn flat(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doc::Atom(text) => f.write_str(text),
            Doc::List { shape, items, .. } => {
                f.write_str(shape.open())?;
                for (k, item) in items.iter().enumerate() {
                    f.write_str(if k > 0 { " " } else { "" })?;
                    item.flat(f)?;
                }
                f.write_str(shape.close())
            }
        }
    }

    /// Lays the text out from column `indent` on, with `after` closing brackets to come after it.
    fn wrapped(&self, f: &mut fmt::Formatter<'_>, indent: usize, after: usize) -> fmt::Result {
        let Doc::List { shape, items, width } = self else { return self.flat(f) };
        let fits = indent + width + after <= WIDTH && (!matches!(shape, Shape::Bindings) || items.len() < 2);
        if fits || items.is_empty() {
            return self.flat(f);
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

/// A name and what follows it.
fn call(name: &str, rest: impl IntoIterator<Item = Doc>) -> Doc {
    Doc::list(Shape::Call, std::iter::once(atom(name)).chain(rest).collect())
}

fn expr(e: &Expr) -> Doc {
    match &e.kind {
        ExprKind::Number(n) => atom(number(n)),
        ExprKind::Constant(c) => atom(c.name()),
        ExprKind::Var(name) => atom(name),
        ExprKind::Op(op, operands) => call(op.name(), operands.iter().map(expr)),
        ExprKind::Compare(compare, operands) => call(compare.name(), operands.iter().map(expr)),
        ExprKind::And(operands) => call("and", operands.iter().map(expr)),
        ExprKind::Or(operands) => call("or", operands.iter().map(expr)),
        ExprKind::Not(operand) => call("not", [expr(operand)]),
        ExprKind::Classify(class, operand) => call(class.name(), [expr(operand)]),
        ExprKind::If(parts) => call("if", parts.iter().map(expr)),
        ExprKind::Let { sequential, bindings, body } => {
            let binding = |(name, value): &(String, Expr)| Doc::list(Shape::Binding, vec![atom(name), expr(value)]);
            let bindings = Doc::list(Shape::Bindings, bindings.iter().map(binding).collect());
            let name = atom(if *sequential { "let*" } else { "let" });
            Doc::list(Shape::Block(2), vec![name, bindings, expr(body)])
        }
        ExprKind::Cast(operand) => call("cast", [expr(operand)]),
        ExprKind::Annotated(props, operand) => {
            let mut items = annotations(props);
            let head = items.len();
            items.push(expr(operand));
            Doc::list(Shape::Block(head), items)
        }
        ExprKind::Call(ident, operands) => call(ident, operands.iter().map(expr)),
    }
}

/// `!` and the properties after it.
fn annotations(props: &[Property]) -> Vec<Doc> {
    let props = props.iter().flat_map(|p| [atom(format!(":{}", p.key)), value(&p.value)]);
    std::iter::once(atom("!")).chain(props).collect()
}

fn arg(arg: &Arg) -> Doc {
    if arg.props.is_empty() {
        return atom(&arg.name);
    }
    let mut items = annotations(&arg.props);
    items.push(atom(&arg.name));
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
fn number(n: &Number) -> String {
    let digits = n.text.strip_prefix("(digits ").and_then(|t| t.strip_suffix(')'));
    let spelled = match digits.map(|d| d.split(' ').collect::<Vec<_>>()).as_deref() {
        Some([m, e, b]) => digits_form(m, e, b),
        _ => parse_rational(&n.text),
    };
    if spelled.as_ref() == Ok(&n.value) { n.text.clone() } else { rational_text(&n.value) }
}
