//! Programs in fixed point: other directions of rounding, other ends, coarser and narrower numbers, each for one rounding context.

use super::{in_context, property};
use crate::mutate::sites::Site;
use crate::mutate::{Collector, MutationOperator};
use crate::spec::core::{Datum, DatumKind, Expr, ExprKind, Number, Property, Value};
use crate::spec::{DIRECTIONS, Spec};
use crate::text::Span;

const ENDS: [&str; 2] = ["clamp", "wrap"];

/// All mutants of this kind.
pub(super) fn generate(spec: &Spec, sites: &[Site<'_>], out: &mut Collector<'_>) {
    let root = &sites[0];
    for (key, value) in changes(&spec.core.props, true) {
        let with = in_context(vec![property(key, value)], root.expr.clone(), root.expr.span);
        out.replace(MutationOperator::Evaluation, root, vec![root.place], with);
    }
    for site in sites.iter().filter(|site| !site.is_made_up()) {
        let ExprKind::Annotated(properties, inner) = &site.expr.kind else { continue };
        for (key, value) in changes(properties, false) {
            let kept = properties.iter().filter(|p| p.key != key).cloned();
            let with = in_context(kept.chain([property(key, value)]).collect(), Expr::clone(inner), site.expr.span);
            out.replace(MutationOperator::Evaluation, site, vec![site.place], with);
        }
    }
}

/// What else the properties of a context could say: a key with a value. The outermost context rounds to the nearest, if it says
/// nothing; an inner one may state a format alone.
fn changes(properties: &[Property], is_outermost: bool) -> Vec<(&'static str, DatumKind)> {
    let stated = |key: &str| {
        properties.iter().rev().find(|p| p.key == key).and_then(|p| match &p.value {
            Value::Data(datum) => Some(datum.to_string()),
            Value::Expr(_) => None,
        })
    };
    let symbol = |name: &str| DatumKind::Symbol(name.to_owned());
    let (round, format) = (stated("round"), stated("precision").as_deref().and_then(fixed));
    let mut all = Vec::new();
    if is_outermost || round.is_some() || format.is_some() {
        let own = round.or(is_outermost.then(|| "nearestEven".to_owned()));
        let others = DIRECTIONS.iter().filter(|(name, _)| own.as_deref() != Some(name));
        all.extend(others.map(|(name, _)| ("round", symbol(name))));
    }
    if let Some(own) = stated("overflow").filter(|own| ENDS.contains(&own.as_str())) {
        all.extend(ENDS.iter().filter(|end| own != **end).map(|end| ("overflow", symbol(end))));
    }
    if let Some((scale, bits)) = format {
        all.extend([(scale + 1, bits), (scale, bits / 2)].map(|(scale, bits)| {
            let number = |n: i32| DatumKind::Number(Number::new(n.into()));
            let words = [symbol("fixed"), number(scale), number(bits)];
            ("precision", DatumKind::List(words.map(|kind| Datum { kind, span: Span::default() }).to_vec()))
        }));
    }
    all
}

/// Scale and bits of a fixed-point format that can be halved.
fn fixed(name: &str) -> Option<(i32, i32)> {
    let words: Vec<&str> = name.strip_prefix('(')?.strip_suffix(')')?.split_whitespace().collect();
    let ["fixed", scale, bits] = words[..] else { return None };
    Some((scale.parse().ok()?, bits.parse().ok().filter(|bits| *bits >= 4)?))
}
