//! Calls of earlier cores, replaced by what they compute.

use super::MAX_DEPTH;
use super::core::{Core, Expr, ExprKind, LoopHead, Value};
use super::parse::File;
use super::shape::{Names, Shapes, Static, called_body, callee, names_of};
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
    /// Of the cores that take no arrays the bodies without calls.
    bodies: BTreeMap<usize, Expr>,
    /// Whether a core that is called takes an array, so that sizes have to be known.
    has_arrays: bool,
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
    let mut inliner = Inliner { file, sizes: BTreeMap::new(), bodies: BTreeMap::new(), has_arrays: false };
    let reachable = inliner.reachable(index);
    inliner.has_arrays = reachable.iter().any(|k| file.cores[*k].as_ref().is_ok_and(takes_arrays));
    let mut texts = Vec::new();
    // Callees before callers, so that the recursion stays within one core where arrays play no part.
    for callee in reachable {
        if let Some(Ok(core)) = file.cores.get(callee) {
            texts.push(core.span);
            inliner.check(&core.body, callee)?;
            inliner.sizes.insert(callee, inliner.size(&core.body, callee));
            if !takes_arrays(core) {
                let mut body = core.body.clone();
                inliner.expand(&mut body, callee, &mut names_of(core)).map_err(|wrong| vec![wrong])?;
                inliner.bodies.insert(callee, body);
            }
        }
    }
    texts.push(core.span);
    inliner.check(&core.body, index)?;
    let mut result = core.clone();
    inliner.expand(&mut result.body, index, &mut names_of(core)).map_err(|wrong| vec![wrong])?;
    let mut names: Vec<String> = core.args.iter().map(|a| a.name.clone()).collect();
    let mut hidden = hidden_constant(&result.body, &mut names);
    for property in &mut result.props {
        if let Value::Expr(e) = &mut property.value {
            let mut new = e.clone();
            let expanded = |()| inliner.expand(&mut new, index, &mut names_of(core)).map_err(|wrong| vec![wrong]);
            match inliner.check(e, index).and_then(expanded) {
                Ok(()) => *e = new,
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
    /// The place of the core that a call in the core `from` means.
    fn callee(&self, ident: &str, from: usize) -> Option<usize> {
        callee(&self.file.cores[..from], ident).map(|(_, before)| before.len())
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

    /// Writes the calls in an expression out; of names `names` is known.
    fn expand(&self, e: &mut Expr, from: usize, names: &mut Names) -> Result<(), Diagnostic> {
        let outer = names.len();
        match &mut e.kind {
            ExprKind::Let { sequential, bindings, body } => {
                let mut bound = Vec::new();
                for (name, value) in bindings {
                    self.expand(value, from, names)?;
                    let entry = (name.clone(), self.known(value, names)?);
                    if *sequential { names.push(entry) } else { bound.push(entry) }
                }
                names.append(&mut bound);
                self.expand(body, from, names)?;
            }
            ExprKind::Loop(l) => {
                let (mut bound, mut indices) = (Vec::new(), Vec::new());
                if let LoopHead::For(all) | LoopHead::Tensor(all) = &mut l.head {
                    for (name, size) in all {
                        self.expand(size, from, names)?;
                        indices.push((name.clone(), Static::default()));
                    }
                }
                let is_sequential = l.sequential && matches!(l.head, LoopHead::While(_));
                for v in &mut l.state {
                    self.expand(&mut v.init, from, names)?;
                    let entry = (v.name.clone(), self.known(&v.init, names)?.in_loop());
                    if is_sequential { names.push(entry) } else { bound.push(entry) }
                }
                names.append(&mut bound);
                if let LoopHead::While(condition) = &mut l.head {
                    self.expand(condition, from, names)?;
                }
                names.append(&mut indices);
                for v in &mut l.state {
                    self.expand(&mut v.update, from, names)?;
                }
                self.expand(&mut l.body, from, names)?;
            }
            _ => e.children_mut().into_iter().try_for_each(|child| self.expand(child, from, names))?,
        }
        names.truncate(outer);
        if let ExprKind::Call(ident, operands) = &mut e.kind {
            // The reader has made sure that there is such a core.
            let Some((core, before)) = callee(&self.file.cores[..from], ident) else { return Ok(()) };
            let body = match self.bodies.get(&before.len()) {
                Some(body) => body.clone(),
                None => {
                    let given = operands.iter().map(|e| self.known(e, names)).collect::<Result<Vec<_>, _>>()?;
                    let (mut body, mut names) = called_body(core, &given, operands)?;
                    self.expand(&mut body, before.len(), &mut names)?;
                    body
                }
            };
            if operands.is_empty() {
                *e = body;
            } else {
                let bindings = core.args.iter().map(|a| a.name.clone()).zip(std::mem::take(operands)).collect();
                e.kind = ExprKind::Let { sequential: false, bindings, body: Box::new(body) };
            }
        }
        Ok(())
    }

    /// What is known of a value without calls; nothing where no core takes an array.
    fn known(&self, e: &Expr, names: &mut Names) -> Result<Static, Diagnostic> {
        if !self.has_arrays {
            return Ok(Static::default());
        }
        let open = "the size of this array, with which a core may be called, does not stand in the text";
        Shapes::new(&[]).known(e, names).map_err(|unknown| unknown.diagnostic(open))
    }
}

/// Whether an argument of a core is an array.
fn takes_arrays(core: &Core) -> bool {
    core.args.iter().any(|arg| !arg.sizes.is_empty())
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
