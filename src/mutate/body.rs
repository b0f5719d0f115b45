//! The body of a mutant: the specification's with another expression at some places. It is put together only where it
//! is asked for, since a mutant is judged and printed without: there are many, and each would be as large as the
//! specification.

use crate::spec::Spec;
use crate::spec::core::{Expr, ExprKind};
use crate::spec::print::Marked;
use crate::spec::unroll::has_loops;
use crate::tape::lower::{Lowered, lower, lower_around};
use crate::tape::{Builder, NodeId};
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

/// A body, given whole or by what is changed. It can be used as the whole expression.
#[derive(Clone, Debug)]
pub struct Body(Form);

#[derive(Clone, Debug)]
enum Form {
    Whole(Expr),
    Edited { edit: Edit, whole: OnceLock<Expr> },
    Around { around: Around, whole: OnceLock<Expr> },
}

/// A change of a body.
#[derive(Clone, Debug)]
struct Edit {
    original: Arc<Original>,
    /// Where, in pre-order, ascending.
    places: Vec<usize>,
    with: Expr,
}

/// The specification's body as the value of a variable, with an expression around it.
#[derive(Clone, Debug)]
struct Around {
    original: Arc<Original>,
    /// The variable, which hides no input.
    name: String,
    with: Expr,
}

/// The specification that is changed.
#[derive(Debug)]
pub(super) struct Original {
    body: Expr,
    /// Whether it has loops.
    has_loops: bool,
    /// The body as it is printed.
    marked: Marked,
    /// What is printed before it.
    head: String,
}

impl Original {
    pub(super) fn new(spec: &Spec) -> Self {
        let core = spec.to_core();
        let has_loops = has_loops(&core.body);
        Original { marked: core.body.marked(), head: core.one_line_head(), has_loops, body: core.body }
    }

    /// The text of the subexpression at a place in pre-order.
    pub(super) fn text(&self, place: usize) -> &str {
        &self.marked.text[self.marked.places[place].clone()]
    }

    /// The text of the body with another at some places.
    fn spliced(&self, places: &[usize], with: &str) -> String {
        let text = &self.marked.text;
        let mut new = String::with_capacity(text.len() + places.len() * with.len());
        let mut copied = 0;
        for &place in places {
            let place = &self.marked.places[place];
            new.push_str(&text[copied..place.start]);
            new.push_str(with);
            copied = place.end;
        }
        new.push_str(&text[copied..]);
        new
    }

    /// What tells the body with another text at some places from all others: how many bytes are the same as the original's
    /// at the beginning and at the end, and what is between.
    pub(super) fn difference(&self, places: &[usize], with: &str) -> (usize, usize, Vec<u8>) {
        if let [place] = places {
            return self.difference_at(self.marked.places[*place].clone(), with.as_bytes());
        }
        let (old, new) = (self.marked.text.as_bytes(), self.spliced(places, with));
        let new = new.as_bytes();
        let place = |place: Option<&usize>| place.map_or(0..old.len(), |p| self.marked.places[*p].clone());
        // What is before the first place and after the last one need not be compared.
        let (before, after) = (place(places.first()).start, old.len() - place(places.last()).end);
        let same = |(a, b): &(&u8, &u8)| a == b;
        let start = before + old[before..].iter().zip(&new[before..]).take_while(same).count();
        let after = after.min(old.len().min(new.len()) - start);
        let (old, rest) = (&old[start..old.len() - after], &new[start..new.len() - after]);
        let end = old.iter().rev().zip(rest.iter().rev()).take_while(same).count();
        (start, end + after, rest[..rest.len() - end].to_vec())
    }

    /// The same of one part, without the whole text.
    fn difference_at(&self, part: Range<usize>, with: &[u8]) -> (usize, usize, Vec<u8>) {
        let old = self.marked.text.as_bytes();
        let len = old.len() - part.len() + with.len();
        let new = |k: usize| match k.checked_sub(part.start) {
            None => old[k],
            Some(inside) => with.get(inside).copied().unwrap_or_else(|| old[k + part.len() - with.len()]),
        };
        let least = old.len().min(len);
        let start = (part.start..least).find(|k| old[*k] != new(*k)).unwrap_or(least);
        let after = (old.len() - part.end).min(least - start);
        let same = (after..least - start).find(|k| old[old.len() - 1 - k] != new(len - 1 - k));
        let end = same.unwrap_or(least - start);
        (start, end, (start..len - end).map(new).collect())
    }
}

impl Body {
    pub(super) fn edited(original: &Arc<Original>, places: Vec<usize>, with: Expr) -> Self {
        let edit = Edit { original: original.clone(), places, with };
        Body(Form::Edited { edit, whole: OnceLock::new() })
    }

    /// Whether it is the specification's with something else at some places.
    pub(super) fn is_edit(&self) -> bool {
        matches!(self.0, Form::Edited { .. })
    }

    /// What is changed, if it is an edit of a formula without loops: the specification's body, the places in pre-order, and what is there instead.
    #[must_use]
    pub fn edit(&self) -> Option<(&Expr, &[usize], &Expr)> {
        let Form::Edited { edit, .. } = &self.0 else { return None };
        // What is changed inside of a loop is changed in every round.
        (!edit.original.has_loops).then_some((&edit.original.body, &edit.places, &edit.with))
    }

    /// The parts of the specification on one line that are replaced, and by what; none if it is no edit of parts.
    #[must_use]
    pub fn replaced(&self) -> Option<Vec<(Range<usize>, String)>> {
        let Form::Edited { edit: Edit { original, places, with }, .. } = &self.0 else { return None };
        let (head, with) = (original.head.len(), with.to_string());
        let part = |place: &usize| {
            let part = &original.marked.places[*place];
            (part.start + head..part.end + head, with.clone())
        };
        Some(places.iter().map(part).collect())
    }

    /// The specification's body with the changes of two others; none where one is inside the other, or where one is no
    /// such change.
    pub(super) fn and(&self, other: &Body) -> Option<Body> {
        let (Form::Edited { edit: a, .. }, Form::Edited { edit: b, .. }) = (&self.0, &other.0) else { return None };
        let text = |edit: &Edit, place: &usize| edit.original.marked.places[*place].clone();
        let touches = |p: &usize, q: &usize| text(a, p).start < text(b, q).end && text(b, q).start < text(a, p).end;
        if a.places.iter().any(|p| b.places.iter().any(|q| touches(p, q))) {
            return None;
        }
        let mut whole = a.original.body.clone();
        replace(&[a, b], &mut whole, &mut 0);
        Some(Body::from(whole))
    }

    /// `(let ([name BODY]) with)`; `name` must be that of no input.
    pub(super) fn around(original: &Arc<Original>, name: String, with: Expr) -> Self {
        let around = Around { original: original.clone(), name, with };
        Body(Form::Around { around, whole: OnceLock::new() })
    }

    /// The mutant of this body as an FPCore on one line, `spec` being the specification.
    pub(super) fn one_line(&self, spec: &Spec) -> String {
        match &self.0 {
            Form::Whole(body) => format!("{}{body})", spec.to_core().one_line_head()),
            Form::Edited { edit, .. } => {
                let Edit { original, places, with } = edit;
                format!("{}{})", original.head, original.spliced(places, &with.to_string()))
            }
            Form::Around { around: Around { original, name, with }, .. } => {
                format!("{}(let ([{name} {}]) {with}))", original.head, original.text(0))
            }
        }
    }
}

impl From<Expr> for Body {
    fn from(body: Expr) -> Self {
        Body(Form::Whole(body))
    }
}

impl Deref for Body {
    type Target = Expr;
    fn deref(&self) -> &Expr {
        match &self.0 {
            Form::Whole(body) => body,
            Form::Edited { edit, whole } => whole.get_or_init(|| edit.whole()),
            Form::Around { around, whole } => whole.get_or_init(|| around.whole()),
        }
    }
}

impl Around {
    fn whole(&self) -> Expr {
        let bindings = vec![(self.name.clone(), self.original.body.clone())];
        let kind = ExprKind::Let { sequential: false, bindings, body: Box::new(self.with.clone()) };
        Expr { kind, span: self.original.body.span }
    }
}

impl Edit {
    fn whole(&self) -> Expr {
        let mut whole = self.original.body.clone();
        replace(&[self], &mut whole, &mut 0);
        whole
    }
}

/// Replace what edits replace in the part of the body at the place `next`, and go on to the place after it.
fn replace(edits: &[&Edit], e: &mut Expr, next: &mut usize) {
    let place = *next;
    *next += 1;
    e.children_mut().into_iter().for_each(|child| replace(edits, child, next));
    if let Some(edit) = edits.iter().find(|edit| edit.places.contains(&place)) {
        *e = edit.with.clone();
    }
}

/// Lowers the bodies of mutants onto one tape: of each only what is changed, and what depends on it.
pub struct Lowering<'a> {
    names: &'a [String],
    original: Option<(Arc<Original>, Lowered)>,
}

impl<'a> Lowering<'a> {
    /// Over the inputs `names`, for one builder.
    #[must_use]
    pub fn new(names: &'a [String]) -> Self {
        Lowering { names, original: None }
    }

    /// The node of a mutant's body: the one that [`lower`] gives.
    pub fn body(&mut self, builder: &mut Builder, body: &Body) -> NodeId {
        let original = match &body.0 {
            Form::Whole(body) => return lower(builder, self.names, body),
            Form::Edited { edit, .. } if edit.original.has_loops => return lower(builder, self.names, body),
            Form::Edited { edit, .. } => &edit.original,
            Form::Around { around, .. } => &around.original,
        };
        let known = self.original.take().filter(|(known, _)| Arc::ptr_eq(known, original));
        let (original, lowered) = self.original.insert(known.unwrap_or_else(|| {
            let lowered = Lowered::new(builder, self.names, &original.body);
            (original.clone(), lowered)
        }));
        match &body.0 {
            Form::Edited { edit: Edit { places, with, .. }, .. } => {
                lowered.replaced(builder, self.names, &original.body, places, with)
            }
            Form::Around { around: Around { name, with, .. }, .. } => {
                lower_around(builder, self.names, name, lowered.root(), with)
            }
            Form::Whole(_) => lowered.root(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::{Change, Mutant, MutationOperator, OperatorSet, mutants};
    use crate::spec::{Overrides, parse_file, resolve};

    /// Every kind of expression, names that hide others, and more variables than [`Lowered`] has bits for.
    fn specs() -> Vec<(Spec, [OperatorSet; 2])> {
        let chain = (0..150).fold(String::new(), |all, i| {
            let before = if i == 0 { "x".to_owned() } else { format!("v{}", i - 1) };
            format!("{all} [v{i} (+ {before} (* {i} y))]")
        });
        let bodies = [
            "(let ([a (* x 3)] [b (- y 3)]) (let ([x (+ a 1)] [c (* b b)]) (/ (+ x c) (+ a y))))".to_owned(),
            "(let* ([a (sqrt x)] [x (+ a y)] [a (* x x)]) (if (and (< a 2) (not (<= 1 y 2 3))) (- a 1e-3) (fmin x y)))"
                .to_owned(),
            "(let ([p (< x y)]) (if (or p (isnan (log x))) (! :precision binary32 (cast (fma x y PI))) (+ x y 1 2)))"
                .to_owned(),
            "(fmax NAN (fmin (- INFINITY) (if (!= x y 0.5) x (pow y 2))))".to_owned(),
            format!("(let* ({chain}) (- v149 v7))"),
        ];
        let spec = |body: String| {
            let text = format!("(FPCore f (x y) :pre (and (<= 1 x 2) (<= 1 y 2)) :magneto-rel-error 1e-6 {body})");
            resolve(&parse_file(text.as_bytes()), 0, "text", &Overrides::default()).unwrap()
        };
        let all = [OperatorSet::Full, OperatorSet::Paper];
        // Of so many variables, each for each other would take long.
        let few = [MutationOperator::Constant, MutationOperator::Delete].map(|o| OperatorSet::Only(vec![o]));
        let mut specs: Vec<_> = bodies.into_iter().map(|body| (spec(body), all.clone())).collect();
        specs[4].1 = few;
        specs
    }

    fn bodies(made: &[Mutant]) -> impl Iterator<Item = (&Mutant, &Body)> {
        made.iter().filter_map(|m| if let Change::Body(body) = &m.change { Some((m, body)) } else { None })
    }

    #[test]
    fn a_body_is_printed_as_when_it_is_whole() {
        for (spec, sets) in specs() {
            for set in sets {
                let made = mutants(&spec, &set);
                for (m, _) in bodies(&made) {
                    assert_eq!(m.one_line(&spec), m.apply(&spec).to_core().one_line(), "{} -> {}", m.before, m.after);
                }
            }
        }
    }

    #[test]
    fn mutants_are_distinct() {
        for (spec, [set, _]) in specs() {
            let made = mutants(&spec, &set);
            let texts: std::collections::HashSet<String> = bodies(&made).map(|(_, b)| b.to_string()).collect();
            assert_eq!(texts.len(), bodies(&made).count());
            assert!(!texts.contains(&spec.core.body.to_string()));
        }
    }

    #[test]
    fn lowering_what_is_changed_makes_the_tape_that_lowering_everything_makes() {
        for (spec, sets) in specs() {
            let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
            for set in sets {
                let made = mutants(&spec, &set);
                let (mut some, mut all) = (Builder::new(2), Builder::new(2));
                let mut lowering = Lowering::new(&names);
                lower(&mut all, &names, &spec.core.body);
                for (m, body) in bodies(&made) {
                    let nodes = (lowering.body(&mut some, body), lower(&mut all, &names, body));
                    assert_eq!(nodes.0, nodes.1, "{} -> {}", m.before, m.after);
                }
                assert_eq!(some.tape().nodes(), all.tape().nodes());
            }
        }
    }
}
