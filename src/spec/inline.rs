//! Calls of earlier cores, replaced by what they compute.

use super::MAX_DEPTH;
use super::core::{Core, Expr, ExprKind, Value};
use super::parse::File;
use crate::text::{Diagnostic, Span, quote};
use std::collections::{BTreeMap, BTreeSet};

/// The most nodes that an expression may have after inlining: calls of calls grow exponentially.
const MAX_NODES: usize = 100_000;

/// Nodes and depth (in brackets, as the reader counts it) of an expression.
#[derive(Clone, Copy, Default)]
struct Size {
    nodes: usize,
    depth: usize,
}

struct Inliner<'f> {
    file: &'f File,
    sizes: BTreeMap<usize, Size>,
    bodies: BTreeMap<usize, Expr>,
}

/// The core at `index` of the file without calls. A call becomes a `let` of the callee's arguments around its body:
/// the body has no other variables, so that nothing is captured. A callee's precondition and properties play no part.
/// With it, where the texts of all cores stand that it is made of, in their order: its own is the last.
///
/// # Errors
/// An expression that grows too large, or a called core's constant that a variable hides.
pub(super) fn inline(file: &File, index: usize) -> Result<(Core, Vec<Span>), Vec<Diagnostic>> {
    let core = match file.cores.get(index) {
        Some(core) => core.as_ref().map_err(Clone::clone)?,
        None => return Err(vec![Diagnostic::semantic(Span::default(), format!("there is no core {}", index + 1))]),
    };
    let mut inliner = Inliner { file, sizes: BTreeMap::new(), bodies: BTreeMap::new() };
    let mut texts = Vec::new();
    // Callees before callers, so that the recursion stays within one core.
    for callee in inliner.reachable(index) {
        if let Some(Ok(core)) = file.cores.get(callee) {
            texts.push(core.span);
            inliner.check(&core.body, callee)?;
            let size = inliner.size(&core.body, callee);
            let body = inliner.expand(&core.body, callee);
            inliner.sizes.insert(callee, size);
            inliner.bodies.insert(callee, body);
        }
    }
    texts.push(core.span);
    inliner.check(&core.body, index)?;
    let mut result = core.clone();
    result.body = inliner.expand(&core.body, index);
    let mut names: Vec<String> = core.args.iter().map(|a| a.name.clone()).collect();
    let mut hidden = hidden_constant(&result.body, &mut names);
    for property in &mut result.props {
        if let Value::Expr(e) = &mut property.value {
            match inliner.check(e, index) {
                Ok(()) => *e = inliner.expand(e, index),
                Err(diagnostics) if property.key == "pre" => return Err(diagnostics),
                Err(_) => continue,
            }
            if property.key == "pre" {
                hidden = hidden.or_else(|| hidden_constant(e, &mut names));
            }
        }
    }
    match hidden {
        None => Ok((result, texts)),
        Some((name, span)) => {
            let message = format!("the variable `{name}` hides the constant `{name}` that a called core uses");
            Err(vec![Diagnostic::unsupported(span, message).hint("rename the variable")])
        }
    }
}

impl Inliner<'_> {
    /// The core that a call in the core `from` means.
    fn callee(&self, ident: &str, from: usize) -> Option<usize> {
        (0..from).rev().find(|&k| matches!(&self.file.cores[k], Ok(core) if core.ident.as_deref() == Some(ident)))
    }

    /// The cores that this one calls, directly or not, in the order of the file.
    fn reachable(&self, index: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut work = vec![index];
        while let Some(k) = work.pop() {
            let Some(Ok(core)) = self.file.cores.get(k) else { continue };
            let mut idents = BTreeSet::new();
            calls(&core.body, &mut idents);
            for property in &core.props {
                if let (Value::Expr(e), true) = (&property.value, k == index) {
                    calls(e, &mut idents);
                }
            }
            for callee in idents.into_iter().filter_map(|ident| self.callee(ident, k)) {
                if found.insert(callee) {
                    work.push(callee);
                }
            }
        }
        found
    }

    fn size(&self, e: &Expr, from: usize) -> Size {
        let mut size = Size { nodes: 1, depth: 0 };
        // A binding stands in brackets of its own in the brackets of the list of bindings.
        let inside =
            if matches!(e.kind, ExprKind::Let { .. } | ExprKind::Call(..) | ExprKind::Loop(_)) { 3 } else { 1 };
        for child in e.children() {
            let child = self.size(child, from);
            size.nodes = size.nodes.saturating_add(child.nodes);
            size.depth = size.depth.max(child.depth + inside);
        }
        if let ExprKind::Call(ident, _) = &e.kind
            && let Some(body) = self.callee(ident, from).and_then(|k| self.sizes.get(&k))
        {
            size.nodes = size.nodes.saturating_add(body.nodes);
            size.depth = size.depth.max(body.depth + 1);
        }
        size
    }

    fn check(&self, e: &Expr, from: usize) -> Result<(), Vec<Diagnostic>> {
        let mut idents = BTreeSet::new();
        calls(e, &mut idents);
        let size = self.size(e, from);
        if idents.is_empty() || size.nodes <= MAX_NODES && size.depth < MAX_DEPTH {
            return Ok(());
        }
        let problem = if size.nodes > MAX_NODES {
            format!("has more than {MAX_NODES} operations")
        } else {
            format!("is nested more than {MAX_DEPTH} deep")
        };
        let called = idents.into_iter().map(quote).collect::<Vec<_>>().join(", ");
        let message = format!("with the calls of {called} written out this expression {problem}");
        Err(vec![Diagnostic::unsupported(e.span, message)])
    }

    fn expand(&self, e: &Expr, from: usize) -> Expr {
        let each = |es: &[Expr]| es.iter().map(|e| self.expand(e, from)).collect::<Vec<_>>();
        let boxed = |e: &Expr| Box::new(self.expand(e, from));
        let kind = match &e.kind {
            ExprKind::Number(_) | ExprKind::Constant(_) | ExprKind::Var(_) => e.kind.clone(),
            ExprKind::Op(op, es) => ExprKind::Op(*op, each(es)),
            ExprKind::Compare(op, es) => ExprKind::Compare(*op, each(es)),
            ExprKind::And(es) => ExprKind::And(each(es)),
            ExprKind::Or(es) => ExprKind::Or(each(es)),
            ExprKind::Not(e) => ExprKind::Not(boxed(e)),
            ExprKind::Classify(class, e) => ExprKind::Classify(*class, boxed(e)),
            ExprKind::If(parts) => {
                let [a, b, c] = &**parts;
                ExprKind::If(Box::new([self.expand(a, from), self.expand(b, from), self.expand(c, from)]))
            }
            ExprKind::Let { sequential, bindings, body } => {
                let bindings = bindings.iter().map(|(name, value)| (name.clone(), self.expand(value, from))).collect();
                ExprKind::Let { sequential: *sequential, bindings, body: boxed(body) }
            }
            ExprKind::Cast(e) => ExprKind::Cast(boxed(e)),
            ExprKind::Annotated(props, e) => ExprKind::Annotated(props.clone(), boxed(e)),
            ExprKind::Array(es) => ExprKind::Array(each(es)),
            ExprKind::Ref(es) => ExprKind::Ref(each(es)),
            ExprKind::Dim(e) => ExprKind::Dim(boxed(e)),
            ExprKind::Size(parts) => ExprKind::Size(Box::new(parts.each_ref().map(|e| self.expand(e, from)))),
            ExprKind::Loop(l) => {
                let mut new = l.clone();
                new.parts_mut().into_iter().for_each(|part| *part = self.expand(part, from));
                ExprKind::Loop(new)
            }
            ExprKind::Call(ident, es) => {
                let callee = self.callee(ident, from);
                let core = callee.and_then(|k| self.file.cores[k].as_ref().ok());
                match (core, callee.and_then(|k| self.bodies.get(&k))) {
                    (Some(_), Some(body)) if es.is_empty() => return body.clone(),
                    (Some(core), Some(body)) => {
                        let names = core.args.iter().map(|a| a.name.clone());
                        let bindings = names.zip(each(es)).collect();
                        ExprKind::Let { sequential: false, bindings, body: Box::new(body.clone()) }
                    }
                    // The reader has made sure that there is such a core.
                    _ => ExprKind::Call(ident.clone(), each(es)),
                }
            }
        };
        Expr { kind, span: e.span }
    }
}

/// The names of the cores that an expression calls.
fn calls<'e>(e: &'e Expr, out: &mut BTreeSet<&'e str>) {
    if let ExprKind::Call(ident, _) = &e.kind {
        out.insert(ident);
    }
    for child in e.children() {
        calls(child, out);
    }
}

/// A constant at a place where a variable has its name, so that printing it would mean the variable.
fn hidden_constant(e: &Expr, names: &mut Vec<String>) -> Option<(&'static str, Span)> {
    match &e.kind {
        ExprKind::Constant(c) => names.iter().any(|n| n == c.name()).then(|| (c.name(), e.span)),
        ExprKind::Let { sequential, bindings, body } => {
            let outer = names.len();
            let mut found = None;
            let mut bound = Vec::new();
            for (name, value) in bindings {
                found = found.or_else(|| hidden_constant(value, names));
                if *sequential { names.push(name.clone()) } else { bound.push(name.clone()) }
            }
            names.append(&mut bound);
            found = found.or_else(|| hidden_constant(body, names));
            names.truncate(outer);
            found
        }
        ExprKind::Loop(l) => l.parts().into_iter().find_map(|part| {
            let outer = names.len();
            let indices = l.indices().iter().filter(|_| part.indices).map(|(name, _)| name.clone());
            names.extend(indices.chain(l.state[..part.variables].iter().map(|v| v.name.clone())));
            let found = hidden_constant(part.expr, names);
            names.truncate(outer);
            found
        }),
        _ => e.children().into_iter().find_map(|c| hidden_constant(c, names)),
    }
}
