//! The syntax tree of an FPCore.

use super::number::rational_text;
use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::text::Span;

/// One FPCore as written.
#[derive(Clone, Debug)]
pub struct Core {
    /// The identifier by which later cores call this one.
    pub ident: Option<String>,
    /// The arguments in order.
    pub args: Vec<Arg>,
    /// All properties in order, known or not.
    pub props: Vec<Property>,
    /// The body.
    pub body: Expr,
    /// The whole `(FPCore …)`.
    pub span: Span,
}

impl Core {
    /// The property of that key (without its colon), if there is one.
    #[must_use]
    pub fn property(&self, key: &str) -> Option<&Property> {
        self.props.iter().find(|p| p.key == key)
    }
}

/// An argument of an FPCore.
#[derive(Clone, Debug)]
pub struct Arg {
    /// Its name.
    pub name: String,
    /// Properties from `(! :precision … x)`.
    pub props: Vec<Property>,
    /// Where it is declared.
    pub span: Span,
}

/// `:key value`.
#[derive(Clone, Debug)]
pub struct Property {
    /// The key without its colon.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Value,
}

/// The value of a property.
#[derive(Clone, Debug)]
pub enum Value {
    /// Of `:pre`, `:spec` and `:alt`: an expression.
    Expr(Expr),
    /// Of every other property.
    Data(Datum),
}

/// Uninterpreted data.
#[derive(Clone, Debug)]
pub struct Datum {
    /// What it is.
    pub kind: DatumKind,
    /// Where it stands.
    pub span: Span,
}

/// See [`Datum`].
#[derive(Clone, Debug)]
pub enum DatumKind {
    /// A symbol, keywords such as `:x` inside data included.
    Symbol(String),
    /// A number.
    Number(Number),
    /// A string, escapes resolved.
    String(String),
    /// A list.
    List(Vec<Datum>),
}

/// An exact number as spelled.
#[derive(Clone, Debug)]
pub struct Number {
    /// The exact value.
    pub value: Rational,
    /// The spelling, kept for printing.
    pub text: String,
}

impl Number {
    /// The number with its canonical spelling.
    #[must_use]
    pub fn new(value: Rational) -> Self {
        let text = rational_text(&value);
        Number { value, text }
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

impl Expr {
    /// An expression that was not read from a text.
    #[must_use]
    pub fn new(kind: ExprKind) -> Self {
        Expr { kind, span: Span::default() }
    }

    /// A literal in its canonical spelling.
    #[must_use]
    pub fn number(value: Rational) -> Self {
        Expr::new(ExprKind::Number(Number::new(value)))
    }

    /// A variable.
    #[must_use]
    pub fn var(name: impl Into<String>) -> Self {
        Expr::new(ExprKind::Var(name.into()))
    }

    /// How many expressions it is made of, itself among them.
    #[must_use]
    pub fn size(&self) -> usize {
        let (mut size, mut open) = (0, vec![self]);
        while let Some(e) = open.pop() {
            size += 1;
            open.extend(e.children());
        }
        size
    }

    /// The expressions directly inside this one, in the order of the text; those in properties are not among them.
    #[must_use]
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Number(_) | ExprKind::Constant(_) | ExprKind::Var(_) => Vec::new(),
            ExprKind::Op(_, es)
            | ExprKind::Compare(_, es)
            | ExprKind::And(es)
            | ExprKind::Or(es)
            | ExprKind::Call(_, es) => es.iter().collect(),
            ExprKind::Not(e) | ExprKind::Classify(_, e) | ExprKind::Cast(e) | ExprKind::Annotated(_, e) => vec![&**e],
            ExprKind::If(parts) => parts.iter().collect(),
            ExprKind::Let { bindings, body, .. } => {
                bindings.iter().map(|(_, value)| value).chain(std::iter::once(&**body)).collect()
            }
        }
    }
}

/// See [`Expr`].
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal, exact.
    Number(Number),
    /// A named constant that is not shadowed by a variable.
    Constant(Constant),
    /// A variable: an argument or one bound by `let`.
    Var(String),
    /// An operator applied to as many operands as its arity; `+ - * /` on more operands associate to the left and are
    /// kept flat here (`Op::Add` with three operands).
    Op(Op, Vec<Expr>),
    /// A comparison chain of at least one operand.
    Compare(Compare, Vec<Expr>),
    /// `and` of any number of operands.
    And(Vec<Expr>),
    /// `or` of any number of operands.
    Or(Vec<Expr>),
    /// `not`.
    Not(Box<Expr>),
    /// `isfinite`, `isinf`, `isnan`, `isnormal`, `signbit`.
    Classify(Classify, Box<Expr>),
    /// `(if condition then else)`.
    If(Box<[Expr; 3]>),
    /// `let` (simultaneous) or `let*` (sequential).
    Let {
        /// Whether it is `let*`.
        sequential: bool,
        /// Names with their values, in order.
        bindings: Vec<(String, Expr)>,
        /// The body.
        body: Box<Expr>,
    },
    /// `(cast e)`: the identity over the reals.
    Cast(Box<Expr>),
    /// `(! props… e)`: the identity over the reals.
    Annotated(Vec<Property>, Box<Expr>),
    /// A call of an earlier core of the same file by its identifier.
    Call(String, Vec<Expr>),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Compare {
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`: all equal.
    Eq,
    /// `!=`: all distinct.
    Ne,
}

impl Compare {
    /// Every comparison.
    pub const ALL: [Compare; 6] = [Compare::Lt, Compare::Gt, Compare::Le, Compare::Ge, Compare::Eq, Compare::Ne];

    /// Its name in FPCore.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Compare::Lt => "<",
            Compare::Gt => ">",
            Compare::Le => "<=",
            Compare::Ge => ">=",
            Compare::Eq => "==",
            Compare::Ne => "!=",
        }
    }
}

/// A test of a number's class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Classify {
    IsFinite,
    IsInf,
    IsNan,
    IsNormal,
    SignBit,
}

impl Classify {
    /// Every test.
    pub const ALL: [Classify; 5] =
        [Classify::IsFinite, Classify::IsInf, Classify::IsNan, Classify::IsNormal, Classify::SignBit];

    /// Its name in FPCore.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Classify::IsFinite => "isfinite",
            Classify::IsInf => "isinf",
            Classify::IsNan => "isnan",
            Classify::IsNormal => "isnormal",
            Classify::SignBit => "signbit",
        }
    }
}
