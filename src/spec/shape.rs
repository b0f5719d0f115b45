//! What is known of expressions without running anything: the sizes of arrays, and with which sizes a core is called.

use super::MAX_DEPTH;
use super::core::{Arg, Core, Expr, ExprKind, Loop, LoopHead, Number, SizeName};
use crate::num::Rational;
use crate::ops::Op;
use crate::text::{Diagnostic, Span, quote};
use std::cell::Cell;

/// How many expressions are looked at for one answer: calls of calls grow exponentially.
const MOST: usize = 1_000_000;

/// A core, or what is wrong with it.
pub(super) type ReadCore = Result<Core, Vec<Diagnostic>>;

/// What is known of a name or an expression.
#[derive(Clone, Debug, Default)]
pub(super) struct Static {
    /// The sizes of an array, the outermost first; none of a number.
    pub(super) shape: Vec<usize>,
    /// Of a number its value, if that is a natural one.
    natural: Option<usize>,
}

impl Static {
    /// The same of a variable of a loop: a number changes from round to round, the size of an array does not.
    pub(super) fn in_loop(self) -> Self {
        Static { natural: None, ..self }
    }
}

/// What is known of names, innermost last.
pub(super) type Names = Vec<(String, Static)>;

/// What is known of the arguments of a core.
pub(super) fn names_of(core: &Core) -> Names {
    let known = |shape: &[usize]| Static { shape: shape.to_vec(), natural: None };
    core.args.iter().map(|a| (a.name.clone(), known(&a.sizes))).collect()
}

/// Why the sizes of an array are not known.
#[derive(Debug)]
pub(super) enum UnknownShape {
    /// They do not stand in the text; where.
    Open(Span),
    /// A core is called with an array of other sizes.
    Misfit(Diagnostic),
}

impl UnknownShape {
    /// For a person; `open` says what does not stand in the text.
    pub(super) fn diagnostic(self, open: &str) -> Diagnostic {
        match self {
            UnknownShape::Open(span) => {
                Diagnostic::unsupported(span, open).hint("give the sizes of the array as numbers")
            }
            UnknownShape::Misfit(diagnostic) => diagnostic,
        }
    }
}

/// The last core of an identifier among these, and those that it may call itself.
pub(super) fn callee<'c>(earlier: &'c [ReadCore], ident: &str) -> Option<(&'c Core, &'c [ReadCore])> {
    let is_meant = |core: &ReadCore| matches!(core, Ok(core) if core.ident.as_deref() == Some(ident));
    let at = earlier.iter().rposition(is_meant)?;
    Some((earlier[at].as_ref().ok()?, &earlier[..at]))
}

/// The body of a core that is called with arguments of which this is known, and what is known of its names. A size that has a name is that of
/// the array which is given.
///
/// # Errors
/// An array has other sizes than the core takes.
pub(super) fn called_body(core: &Core, given: &[Static], operands: &[Expr]) -> Result<(Expr, Names), Diagnostic> {
    let mut sizes: Vec<(&str, usize)> = Vec::new();
    for ((arg, given), operand) in core.args.iter().zip(given).zip(operands) {
        let mut taken = Vec::new();
        for (k, size) in arg.sizes.iter().enumerate() {
            let (name, own) = (arg.size_names.get(k).and_then(Option::as_deref), given.shape.get(k));
            let known = sizes.iter().find(|(n, _)| Some(*n) == name).map(|(_, size)| *size);
            let size = if name.is_some() { known.or(own.copied()) } else { Some(*size) };
            sizes.extend(name.zip(size).filter(|_| known.is_none()));
            taken.extend(size);
        }
        if taken != given.shape {
            let words = |sizes: &[usize]| sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" by ");
            return Err(Diagnostic::semantic(
                operand.span,
                format!(
                    "{} takes an array of {} as {}, and this one has {}",
                    quote(core.ident.as_deref().unwrap_or_default()),
                    words(&taken),
                    quote(&arg.name),
                    words(&given.shape)
                ),
            ));
        }
    }
    let mut body = core.body.clone();
    let names: Names = core.args.iter().zip(given).map(|(arg, given)| (arg.name.clone(), given.clone())).collect();
    for size in &core.sizes {
        take_size(&mut body, core, size, &mut Vec::new())?;
    }
    Ok((body, names))
}

/// Takes a size from an array, `(size a 0)`, where its name stands. `hidden` are names that mean something else than arguments there.
fn take_size(e: &mut Expr, core: &Core, size: &SizeName, hidden: &mut Vec<String>) -> Result<(), Diagnostic> {
    let span = e.span;
    if matches!(e.kind, ExprKind::Number(_)) && size.uses.contains(&span) {
        let axis = |arg: &Arg| arg.size_names.iter().position(|name| name.as_ref() == Some(&size.name));
        let array = core.args.iter().filter(|arg| !hidden.contains(&arg.name)).find_map(|arg| Some((arg, axis(arg)?)));
        let Some((array, axis)) = array else {
            let message =
                format!("no array of the size {} can be named here, where a core is called", quote(&size.name));
            return Err(Diagnostic::unsupported(span, message).hint("give the variables names of their own"));
        };
        let made = |kind| Expr { kind, span };
        let axis = made(ExprKind::Number(Number::new(axis.into())));
        e.kind = ExprKind::Size(Box::new([made(ExprKind::Var(array.name.clone())), axis]));
        return Ok(());
    }
    let outer = hidden.len();
    match &e.kind {
        ExprKind::Let { bindings, .. } => hidden.extend(bindings.iter().map(|(name, _)| name.clone())),
        ExprKind::Loop(l) => {
            hidden.extend(l.indices().iter().map(|(name, _)| name.clone()));
            hidden.extend(l.state.iter().map(|v| v.name.clone()));
        }
        _ => {}
    }
    // What a name is bound to does not see it; that it counts as hidden there as well costs nothing but a hint.
    e.children_mut().into_iter().try_for_each(|child| take_size(child, core, size, hidden))?;
    hidden.truncate(outer);
    Ok(())
}

/// Looks for the sizes of arrays in the text.
pub(super) struct Shapes<'c> {
    /// The cores that may be called.
    earlier: &'c [ReadCore],
    left: Cell<usize>,
    /// How deep the expression stands that is looked at, calls written out.
    depth: Cell<usize>,
}

impl<'c> Shapes<'c> {
    pub(super) fn new(earlier: &'c [ReadCore]) -> Self {
        Shapes { earlier, left: Cell::new(MOST), depth: Cell::new(0) }
    }

    /// What is known of the value of an expression.
    ///
    /// # Errors
    /// Where the size of an array stands that is not known.
    pub(super) fn known(&self, e: &Expr, names: &mut Names) -> Result<Static, UnknownShape> {
        self.known_in(self.earlier, e, names)
    }

    fn known_in(&self, earlier: &[ReadCore], e: &Expr, names: &mut Names) -> Result<Static, UnknownShape> {
        let (left, depth) = (self.left.get(), self.depth.get());
        // What is nested deeper cannot be written out.
        if left == 0 || depth == MAX_DEPTH {
            return Err(UnknownShape::Open(e.span));
        }
        self.left.set(left - 1);
        self.depth.set(depth + 1);
        let found = self.known_of(earlier, e, names);
        self.depth.set(depth);
        found
    }

    fn known_of(&self, earlier: &[ReadCore], e: &Expr, names: &mut Names) -> Result<Static, UnknownShape> {
        let outer = names.len();
        let number = |natural| Ok(Static { shape: Vec::new(), natural });
        match &e.kind {
            ExprKind::Number(n) => number(natural_of(&n.value)),
            ExprKind::Var(name) => {
                Ok(names.iter().rev().find(|(n, _)| n == name).map(|(_, s)| s.clone()).unwrap_or_default())
            }
            ExprKind::Cast(e) | ExprKind::Annotated(_, e) => self.known_in(earlier, e, names),
            ExprKind::If(parts) => Ok(Static { natural: None, ..self.known_in(earlier, &parts[1], names)? }),
            ExprKind::Array(es) => {
                let first = self.known_in(earlier, &es[0], names)?;
                Ok(Static { shape: [&[es.len()], &first.shape[..]].concat(), natural: None })
            }
            ExprKind::Dim(e) => {
                let rank = self.known_in(earlier, e, names)?.shape.len();
                number(Some(rank))
            }
            ExprKind::Size(parts) => {
                let (array, k) = (self.known_in(earlier, &parts[0], names)?, self.known_in(earlier, &parts[1], names)?);
                number(k.natural.and_then(|k| array.shape.get(k).copied()))
            }
            ExprKind::Op(op, es) => {
                let each = es
                    .iter()
                    .map(|e| Ok(self.known_in(earlier, e, names)?.natural))
                    .collect::<Result<Option<Vec<_>>, UnknownShape>>()?;
                number(match (op, each.as_deref()) {
                    (Op::Add, Some(all)) => all.iter().try_fold(0usize, |sum, n| sum.checked_add(*n)),
                    (Op::Mul, Some(all)) => all.iter().try_fold(1usize, |product, n| product.checked_mul(*n)),
                    (Op::Sub, Some([a, b])) => a.checked_sub(*b),
                    _ => None,
                })
            }
            ExprKind::Let { sequential, bindings, body } => {
                let mut bound = Vec::new();
                for (name, value) in bindings {
                    let entry = (name.clone(), self.known_in(earlier, value, names)?);
                    if *sequential { names.push(entry) } else { bound.push(entry) }
                }
                names.append(&mut bound);
                let found = self.known_in(earlier, body, names);
                names.truncate(outer);
                found
            }
            ExprKind::Loop(l) => self.known_loop(earlier, l, names),
            ExprKind::Call(ident, es) => {
                let Some((core, before)) = callee(earlier, ident) else { return number(None) };
                let given = es.iter().map(|e| self.known_in(earlier, e, names)).collect::<Result<Vec<_>, _>>()?;
                let (body, mut names) = called_body(core, &given, es).map_err(UnknownShape::Misfit)?;
                self.known_in(before, &body, &mut names)
            }
            ExprKind::Constant(_)
            | ExprKind::Compare(..)
            | ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::Not(_)
            | ExprKind::Classify(..)
            | ExprKind::Ref(_) => number(None),
        }
    }

    fn known_loop(&self, earlier: &[ReadCore], l: &Loop, names: &mut Names) -> Result<Static, UnknownShape> {
        let outer = names.len();
        let mut bound = Vec::new();
        for v in &l.state {
            let entry = (v.name.clone(), self.known_in(earlier, &v.init, names)?.in_loop());
            if l.sequential && matches!(l.head, LoopHead::While(_)) { names.push(entry) } else { bound.push(entry) }
        }
        let mut shape = Vec::new();
        if let LoopHead::Tensor(indices) = &l.head {
            for (name, size) in indices {
                shape.push(self.known_in(earlier, size, names)?.natural.ok_or(UnknownShape::Open(size.span))?);
                bound.push((name.clone(), Static::default()));
            }
        }
        names.append(&mut bound);
        let found = self.known_in(earlier, &l.body, names);
        names.truncate(outer);
        let Static { shape: inner, natural } = found?;
        let natural = natural.filter(|_| shape.is_empty());
        shape.extend(inner);
        Ok(Static { shape, natural })
    }
}

/// The natural number that a number is.
pub(super) fn natural_of(x: &Rational) -> Option<usize> {
    if x.is_integer() { x.numer().to_usize() } else { None }
}
