//! Several results: of a core whose body is an array, each element is a specification of its own.

use super::core::{Core, Datum, DatumKind, Expr, ExprKind, Loop, LoopHead, Number, Property, Value};
use super::shape::{ReadCore, Shapes, names_of, natural_of};
use crate::text::{Diagnostic, quote};
use std::collections::BTreeSet;

/// The most results of one core.
const MAX_RESULTS: usize = 100;

/// Which of the results of an implementation a specification is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultPlace {
    /// Its place among them, counted from 0.
    pub index: usize,
    /// How many there are, at least 1.
    pub count: usize,
}

impl Default for ResultPlace {
    /// The only one.
    fn default() -> Self {
        ResultPlace { index: 0, count: 1 }
    }
}

impl ResultPlace {
    /// The place that the property `:magneto-result` of a core states; none where the core's function returns a number and no array.
    #[must_use]
    pub fn of_array(core: &Core) -> Option<Self> {
        match core.property("magneto-result").map(|p| &p.value) {
            Some(Value::Data(datum)) => place(Some(datum)).ok(),
            _ => None,
        }
    }
}

/// The cores that stand for the elements of a core's body, in order. `earlier` are those that it may call.
///
/// # Errors
/// The sizes cannot be read from the text, or what is said of the results does not fit them.
pub(super) fn elements(core: &Core, earlier: &[ReadCore]) -> Result<Vec<Core>, Vec<Diagnostic>> {
    let shape = Shapes::new(earlier).known(&core.body, &mut names_of(core)).map_err(|unknown| {
        let message = "how many results there are does not stand in the text";
        vec![unknown.diagnostic(message)]
    })?;
    let shape = shape.shape;
    let count = shape.iter().try_fold(1usize, |all, n| all.checked_mul(*n)).filter(|n| (1..=MAX_RESULTS).contains(n));
    let Some(count) = count else {
        let message = format!("more than {MAX_RESULTS} results are not supported");
        return Err(vec![Diagnostic::unsupported(core.body.span, message)]);
    };
    if let Some(property) = core.property("magneto-result") {
        let message = "`:magneto-result` is of a core with one result, and the body is an array";
        return Err(vec![
            Diagnostic::semantic(property.key_span, message).hint("`:magneto-results` names the elements"),
        ]);
    }
    let names = own_names(core, count)?;
    let places = shape.iter().fold(vec![Vec::new()], |places: Vec<Vec<usize>>, size| {
        places.iter().flat_map(|place| (0..*size).map(move |k| [place.as_slice(), &[k]].concat())).collect()
    });
    let one = |(index, place): (usize, Vec<usize>)| {
        let name = names.as_ref().map(|names| names[index].as_str());
        let mut core = core.clone();
        describe(&mut core, name, &place, ResultPlace { index, count });
        core.element = place;
        core.results = names.clone().unwrap_or_default();
        core
    };
    Ok(places.into_iter().enumerate().map(one).collect())
}

/// The names of `:magneto-results`, one for each result.
fn own_names(core: &Core, count: usize) -> Result<Option<Vec<String>>, Vec<Diagnostic>> {
    let Some(property) = core.property("magneto-results") else { return Ok(None) };
    let Value::Data(datum) = &property.value else { return Ok(None) };
    let wrong = |message: String| {
        let hint = "write a name for each result, such as `:magneto-results (command state)`";
        Err(vec![Diagnostic::semantic(datum.span, format!("`:magneto-results`: {message}")).hint(hint)])
    };
    let DatumKind::List(items) = &datum.kind else { return wrong(format!("{} is no list", quote(&datum.to_string()))) };
    let name = |d: &Datum| if let DatumKind::Symbol(name) = &d.kind { Some(name.clone()) } else { None };
    let Some(names) = items.iter().map(name).collect::<Option<Vec<_>>>() else {
        return wrong(format!("{} is no list of names", quote(&datum.to_string())));
    };
    if names.len() != count {
        return wrong(format!("{} names are given, and there are {count} results", names.len()));
    }
    if names.iter().collect::<BTreeSet<_>>().len() < count {
        return wrong("two results have one name".to_owned());
    }
    Ok(Some(names))
}

/// What a core is called by its `:name` or its identifier.
pub(super) fn base_name(core: &Core) -> Option<String> {
    let stated = core.name().filter(|text| !text.trim().is_empty());
    stated.map(str::to_owned).or_else(|| core.ident.clone())
}

/// Gives a core that stands for one of several a `:name` of its own.
pub(super) fn set_name(core: &mut Core, name: String) {
    let (span, kind) = (core.span, DatumKind::String(name));
    core.props.retain(|p| p.key != "name");
    let value = Value::Data(Datum { kind, span });
    core.props.insert(0, Property { key: "name".to_owned(), key_span: span, value });
}

/// Lets the properties of a core say what holds of one element: its name, place, accuracy and unit.
fn describe(core: &mut Core, name: Option<&str>, place: &[usize], result: ResultPlace) {
    let ResultPlace { index, count } = result;
    let base = base_name(core);
    let brackets: String = place.iter().map(|k| format!("[{k}]")).collect();
    let full = match (base, name) {
        (Some(base), Some(name)) => Some(format!("{base}.{name}")),
        (Some(base), None) => Some(format!("{base}{brackets}")),
        (None, name) => name.map(str::to_owned),
    };
    let span = core.span;
    let datum = |kind| Datum { kind, span };
    let natural = |n: usize| datum(DatumKind::Number(Number::new(n.into())));
    let property = |key: &str, kind| Property { key: key.to_owned(), key_span: span, value: Value::Data(datum(kind)) };
    for property in &mut core.props {
        let Value::Data(datum) = &mut property.value else { continue };
        match property.key.as_str() {
            "magneto-rel-error" | "magneto-abs-error" | "magneto-ulps" => {
                if let DatumKind::List(items) = &datum.kind
                    && is_one_for_each(items, count)
                {
                    *datum = items[index].clone();
                }
            }
            "magneto-units" => {
                if let DatumKind::List(items) = &mut datum.kind {
                    name_unit(items, core.args.iter().map(|a| a.name.as_str()).collect(), name);
                }
            }
            _ => {}
        }
    }
    core.props.retain(|p| p.key != "magneto-results");
    if let Some(full) = full {
        set_name(core, full);
    }
    core.props.push(property("magneto-result", DatumKind::List(vec![natural(index), natural(count)])));
}

/// Whether a list has a bound for each result, and is not one bound such as `(4 binary32)` or `(digits 1 -3 10)`.
fn is_one_for_each(items: &[Datum], count: usize) -> bool {
    items.len() == count && items.iter().all(|d| matches!(d.kind, DatumKind::Number(_) | DatumKind::List(_)))
}

/// Keeps the units of inputs, and that of the result of this name as the result's.
fn name_unit(items: &mut Vec<Datum>, inputs: Vec<&str>, result: Option<&str>) {
    items.retain_mut(|item| {
        let DatumKind::List(pair) = &mut item.kind else { return true };
        let Some(Datum { kind: DatumKind::Symbol(name), .. }) = pair.first_mut() else { return true };
        if inputs.contains(&name.as_str()) || name == "result" {
            return true;
        }
        let is_own = Some(name.as_str()) == result;
        if is_own {
            "result".clone_into(name);
        }
        is_own || result.is_none()
    });
}

/// The place that `:magneto-result (index count)` states; the only one without it.
///
/// # Errors
/// It is no such pair.
pub(super) fn place(datum: Option<&Datum>) -> Result<ResultPlace, Diagnostic> {
    let Some(datum) = datum else { return Ok(ResultPlace::default()) };
    let natural = |d: &Datum| if let DatumKind::Number(n) = &d.kind { natural_of(&n.value) } else { None };
    let pair = if let DatumKind::List(items) = &datum.kind { items.as_slice() } else { &[] };
    if let [index, count] = pair
        && let (Some(index), Some(count)) = (natural(index), natural(count))
        && index < count
        && count <= MAX_RESULTS
    {
        return Ok(ResultPlace { index, count });
    }
    let message = format!("`:magneto-result`: {} is no place among results", quote(&datum.to_string()));
    Err(Diagnostic::semantic(datum.span, message).hint("of the second of three results it is `(1 3)`"))
}

/// An element of an array-valued expression, without what plays no part in it: other elements, and names that nothing uses.
pub(super) fn project(e: Expr, place: &[usize]) -> Expr {
    let Some((first, rest)) = place.split_first() else { return e };
    let Expr { kind, span } = e;
    let inside = |e: Expr| Box::new(project(e, place));
    let kind = match kind {
        ExprKind::Array(mut es) => return project(es.swap_remove(*first), rest),
        ExprKind::Annotated(props, e) => ExprKind::Annotated(props, inside(*e)),
        ExprKind::Cast(e) => ExprKind::Cast(inside(*e)),
        ExprKind::If(parts) => {
            let [condition, yes, no] = *parts;
            ExprKind::If(Box::new([condition, project(yes, place), project(no, place)]))
        }
        ExprKind::Let { sequential, mut bindings, body } => {
            let body = inside(*body);
            let mut used = BTreeSet::new();
            mentioned(&body, &mut used);
            if sequential {
                // From the last one on: what only unused names use is unused.
                for k in (0..bindings.len()).rev() {
                    match used.contains(&bindings[k].0) {
                        true => mentioned(&bindings[k].1, &mut used),
                        false => drop(bindings.remove(k)),
                    }
                }
            } else {
                bindings.retain(|(name, _)| used.contains(name));
            }
            if bindings.is_empty() {
                return *body;
            }
            ExprKind::Let { sequential, bindings, body }
        }
        ExprKind::Loop(l) if !matches!(l.head, LoopHead::Tensor(_)) => {
            let mut l = *l;
            l.body = project(l.body, place);
            drop_unused_variables(&mut l);
            ExprKind::Loop(Box::new(l))
        }
        kind => {
            let index = |k: &usize| Expr { kind: ExprKind::Number(Number::new((*k).into())), span };
            let parts = std::iter::once(Expr { kind, span }).chain(place.iter().map(index));
            ExprKind::Ref(parts.collect())
        }
    };
    Expr { kind, span }
}

/// Takes away the variables of a loop on which neither its rounds nor its value depend.
pub(super) fn drop_unused_variables(l: &mut Loop) {
    let mut used = BTreeSet::new();
    mentioned(&l.body, &mut used);
    if let LoopHead::While(condition) = &l.head {
        mentioned(condition, &mut used);
    }
    loop {
        let before = used.len();
        for v in l.state.iter().filter(|v| used.contains(&v.name)).collect::<Vec<_>>() {
            mentioned(&v.init, &mut used);
            mentioned(&v.update, &mut used);
        }
        if used.len() == before {
            break;
        }
    }
    l.state.retain(|v| used.contains(&v.name));
}

/// The names that occur in an expression, those that it binds among them.
pub(super) fn mentioned(e: &Expr, names: &mut BTreeSet<String>) {
    if let ExprKind::Var(name) = &e.kind {
        names.insert(name.clone());
    }
    e.children().into_iter().for_each(|child| mentioned(child, names));
}
