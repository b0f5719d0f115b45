//! The constants of a body, each with the body in which a variable stands in its place: for questions about which value fits.

use super::sites::{self, is_leaf};
use crate::spec::Spec;
use crate::spec::core::{Expr, ExprKind};
use crate::spec::unroll::{has_loops, unroll};
use crate::text::Span;

/// The variable in the place of a constant. No name that a person writes has a space.
pub const VARIABLE: &str = "the constant";

/// A literal or a named constant that a variable stands for.
#[derive(Clone, Debug)]
pub struct LooseConstant {
    /// Where it is in the source.
    pub span: Span,
    /// How it is written.
    pub before: String,
    /// Its value, to the nearest binary64 number.
    pub value: f64,
    /// The body with [`VARIABLE`] in its place.
    pub body: Expr,
}

/// The constants of a specification's body that are numbers other than 0, at most so many.
#[must_use]
pub fn loose_constants(spec: &Spec, most: usize) -> Vec<LooseConstant> {
    let number = |e: &Expr| match &e.kind {
        ExprKind::Number(n) => Some(n.value.to_f64()),
        ExprKind::Constant(c) => c.enclose(80)?.lo.to_rational().map(|x| x.to_f64()),
        _ => None,
    };
    let constants = sites::all(spec).into_iter().filter(|s| is_leaf(s.expr) && !s.truth);
    let numbers = constants.filter_map(|s| Some((number(s.expr).filter(|x| *x != 0.0 && x.is_finite())?, s)));
    let loose = |(value, site): (f64, sites::Site<'_>)| {
        let mut body = spec.core.body.clone();
        put(site.place, &mut body, &mut 0);
        LooseConstant { span: site.expr.span, before: site.expr.to_string(), value, body }
    };
    // A number that says how often a loop goes round is none that may be another.
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).chain([VARIABLE.to_owned()]).collect();
    let is_formula = |c: &LooseConstant| {
        !has_loops(&c.body) || unroll(&names, &c.body, spec.max_iterations).is_ok_and(|u| !u.may_end)
    };
    numbers.map(loose).filter(is_formula).take(most).collect()
}

/// Puts the variable at a place in pre-order.
fn put(place: usize, e: &mut Expr, next: &mut usize) {
    if *next == place {
        e.kind = ExprKind::Var(VARIABLE.to_owned());
    }
    *next += 1;
    e.children_mut().into_iter().for_each(|child| put(place, child, next));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Overrides, parse_file, resolve};

    #[test]
    fn each_constant_is_loose_once() {
        let source = "(FPCore (x) :pre (<= 1 x 2) (let ([a 0.5]) (if (< x 1.5) (* a PI) (+ x 0))))";
        let spec = resolve(&parse_file(source.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap();
        let found = loose_constants(&spec, 9);
        let shown: Vec<(&str, f64)> = found.iter().map(|c| (c.before.as_str(), c.value)).collect();
        assert_eq!(shown, [("0.5", 0.5), ("1.5", 1.5), ("PI", std::f64::consts::PI)]);
        assert_eq!(found[1].body.to_string().matches(VARIABLE).count(), 1);
        assert!(found[1].body.to_string().contains("(< x the constant)"));
        assert_eq!(loose_constants(&spec, 1).len(), 1);
    }
}
