//! From a syntax tree to nodes of a tape: `let` is resolved, chains become pairs, special values are decided.

use super::builder::Builder;
use super::node::NodeId;
use crate::ops::Op;
use crate::spec::core::{Classify, Compare, Constant, Expr, ExprKind};

/// What an expression means: a node, or one of the special values, which are no real numbers but which comparisons,
/// classifications, `fmin` and `fmax` understand.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Meaning {
    Node(NodeId),
    Infinite { positive: bool },
    Nan,
}

/// Variables in scope, innermost last.
type Scope = Vec<(String, Meaning)>;

/// Lower `body` over the inputs `names` (their indices are their places in the list).
///
/// Calls must have been inlined and names resolved by the reader; what is left of them has no value.
pub fn lower(builder: &mut Builder, names: &[String], body: &Expr) -> NodeId {
    let mut scope: Scope = Vec::with_capacity(names.len());
    for (i, name) in names.iter().enumerate() {
        let var = builder.var(i);
        scope.push((name.clone(), Meaning::Node(var)));
    }
    let meaning = expr(builder, &mut scope, body);
    node(builder, meaning)
}

/// The meaning as a number.
fn node(b: &mut Builder, m: Meaning) -> NodeId {
    match m {
        Meaning::Node(n) => n,
        Meaning::Infinite { .. } | Meaning::Nan => b.undefined(),
    }
}

fn nodes(b: &mut Builder, scope: &mut Scope, args: &[Expr]) -> Vec<NodeId> {
    args.iter()
        .map(|a| {
            let m = expr(b, scope, a);
            node(b, m)
        })
        .collect()
}

fn expr(b: &mut Builder, scope: &mut Scope, e: &Expr) -> Meaning {
    Meaning::Node(match &e.kind {
        ExprKind::Number(n) => b.rational(n.value.clone()),
        ExprKind::Constant(Constant::Infinity) => return Meaning::Infinite { positive: true },
        ExprKind::Constant(Constant::Nan) => return Meaning::Nan,
        ExprKind::Constant(c) => b.named(*c),
        ExprKind::Var(name) => match scope.iter().rev().find(|(n, _)| n == name) {
            Some((_, m)) => return *m,
            None => b.undefined(),
        },
        ExprKind::Cast(inner) | ExprKind::Annotated(_, inner) => return expr(b, scope, inner),
        ExprKind::Op(op, args) => return apply(b, scope, *op, args),
        ExprKind::Compare(relation, args) => {
            let args: Vec<Meaning> = args.iter().map(|a| expr(b, scope, a)).collect();
            chain(b, *relation, &args)
        }
        ExprKind::And(args) => {
            let args = nodes(b, scope, args);
            let yes = b.boolean(true);
            args.into_iter().fold(yes, |all, a| b.and(all, a))
        }
        ExprKind::Or(args) => {
            let args = nodes(b, scope, args);
            let no = b.boolean(false);
            args.into_iter().fold(no, |any, a| b.or(any, a))
        }
        ExprKind::Not(a) => {
            let a = expr(b, scope, a);
            let a = node(b, a);
            b.not(a)
        }
        ExprKind::Classify(class, a) => {
            let a = expr(b, scope, a);
            classify(b, *class, a)
        }
        ExprKind::If(parts) => {
            let [c, t, e] = parts.each_ref().map(|p| {
                let m = expr(b, scope, p);
                node(b, m)
            });
            b.choose(c, t, e)
        }
        ExprKind::Let { sequential, bindings, body } => {
            let outer = scope.len();
            if *sequential {
                for (name, value) in bindings {
                    let m = expr(b, scope, value);
                    scope.push((name.clone(), m));
                }
            } else {
                let values: Vec<Meaning> = bindings.iter().map(|(_, value)| expr(b, scope, value)).collect();
                scope.extend(bindings.iter().map(|(name, _)| name.clone()).zip(values));
            }
            let m = expr(b, scope, body);
            scope.truncate(outer);
            return m;
        }
        ExprKind::Call(..) => b.undefined(),
    })
}

fn apply(b: &mut Builder, scope: &mut Scope, op: Op, args: &[Expr]) -> Meaning {
    let args: Vec<Meaning> = args.iter().map(|a| expr(b, scope, a)).collect();
    match (op, args.as_slice()) {
        // The library functions return the other operand where one is NaN.
        (Op::Fmin | Op::Fmax, [Meaning::Nan, other] | [other, Meaning::Nan]) => return *other,
        (Op::Neg, [Meaning::Infinite { positive }]) => return Meaning::Infinite { positive: !positive },
        (Op::Fabs, [Meaning::Infinite { .. }]) => return Meaning::Infinite { positive: true },
        _ => {}
    }
    let args: Vec<NodeId> = args.into_iter().map(|m| node(b, m)).collect();
    let n = op.arity();
    let mut value = b.op(op, &args[..n.min(args.len())]);
    // `(+ a b c)` associates to the left.
    for &more in args.get(n..).unwrap_or_default() {
        value = b.op(op, &[value, more]);
    }
    Meaning::Node(value)
}

fn chain(b: &mut Builder, relation: Compare, args: &[Meaning]) -> NodeId {
    let mut all = b.boolean(true);
    let last = args.len();
    for i in 0..last {
        // "Distinct" is about all pairs, the others about neighbours.
        let end = if relation == Compare::Ne { last } else { (i + 2).min(last) };
        for j in i + 1..end {
            let holds = pair(b, relation, args[i], args[j]);
            all = b.and(all, holds);
        }
    }
    all
}

fn pair(b: &mut Builder, relation: Compare, x: Meaning, y: Meaning) -> NodeId {
    if let (Meaning::Node(x), Meaning::Node(y)) = (x, y) {
        return match relation {
            Compare::Lt => b.less(x, y),
            Compare::Gt => b.less(y, x),
            Compare::Le => b.less_eq(x, y),
            Compare::Ge => b.less_eq(y, x),
            Compare::Eq => b.equal(x, y),
            Compare::Ne => {
                let same = b.equal(x, y);
                b.not(same)
            }
        };
    }
    if x == Meaning::Nan || y == Meaning::Nan {
        return b.boolean(relation == Compare::Ne);
    }
    // At least one infinity: every real number is as 0 beside it.
    let rank = |m: Meaning| match m {
        Meaning::Infinite { positive: true } => 1,
        Meaning::Infinite { positive: false } => -1,
        _ => 0,
    };
    let o = rank(x).cmp(&rank(y));
    b.boolean(match relation {
        Compare::Lt => o.is_lt(),
        Compare::Gt => o.is_gt(),
        Compare::Le => o.is_le(),
        Compare::Ge => o.is_ge(),
        Compare::Eq => o.is_eq(),
        Compare::Ne => o.is_ne(),
    })
}

fn classify(b: &mut Builder, class: Classify, m: Meaning) -> NodeId {
    match (class, m) {
        (Classify::IsNan, m) => b.boolean(m == Meaning::Nan),
        (Classify::IsInf, m) => b.boolean(matches!(m, Meaning::Infinite { .. })),
        (Classify::IsFinite, m) => b.boolean(matches!(m, Meaning::Node(_))),
        // Over the reals every number but zero is normal.
        (Classify::IsNormal, Meaning::Node(x)) => {
            let zero = b.rational(0.into());
            let is_zero = b.equal(x, zero);
            b.not(is_zero)
        }
        (Classify::IsNormal, _) => b.boolean(false),
        (Classify::SignBit, Meaning::Node(x)) => {
            let zero = b.rational(0.into());
            b.less(x, zero)
        }
        (Classify::SignBit, m) => b.boolean(m == Meaning::Infinite { positive: false }),
    }
}
