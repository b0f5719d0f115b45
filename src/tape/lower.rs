//! From a syntax tree to nodes of a tape: `let` is resolved, chains become pairs, special values are decided.

mod lowered;
mod meaning;

pub use lowered::Lowered;

use super::builder::{Builder, UnknownFunction};
use super::node::NodeId;
use super::round::LoopRound;
use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::spec::core::{Expr, ExprKind};
use crate::spec::unroll::{Rest, Unrolled, has_loops, unknown_function, written_out};
use lowered::Entry;
use meaning::{Meaning, chain, classify, number};
use std::collections::HashMap;

/// Lower `body` over the inputs `names` (their indices are their places in the list).
///
/// Calls must have been inlined and names resolved by the reader; what is left of them has no value.
///
/// # Panics
/// If its loops cannot be written out ([`written_out`]).
pub fn lower(builder: &mut Builder, names: &[String], body: &Expr) -> NodeId {
    if !has_loops(body) {
        return Walk::new(builder, names, Mode::Plain).root(body);
    }
    let Unrolled { body, rests, .. } = written_out(names, body);
    // It has many names.
    Walk { rests: Some(&rests), ..Walk::whole(builder, names, Mode::Plain) }.root(&body)
}

/// Lower `body` over the inputs `names` and one more variable, which stands for a node.
pub fn lower_around(builder: &mut Builder, names: &[String], name: &str, node: NodeId, body: &Expr) -> NodeId {
    let mut walk = Walk::new(builder, names, Mode::Plain);
    walk.scope.push((name, Meaning::Node(node)));
    walk.root(body)
}

/// Lower what a round of a loop does. Its inputs are the `names` of the rest of which no number is `known`.
pub(super) fn lower_round<'r>(
    builder: &'r mut Builder,
    rest: &'r Rest,
    names: &'r [String],
    known: &[(&'r str, Rational)],
) -> LoopRound {
    let mut walk = Walk::new(builder, names, Mode::Plain);
    for (name, number) in known {
        let number = walk.b.rational(number.clone());
        walk.scope.push((name, Meaning::Node(number)));
    }
    let (goes_on, value) = (walk.node(&rest.condition), walk.node(&rest.body));
    let place = |name: &String| names.iter().position(|n| n == name);
    let mut next: Vec<Option<NodeId>> = vec![None; names.len()];
    for variable in &rest.state {
        let Some(place) = place(&variable.name) else { continue };
        let node = walk.node(&variable.update);
        next[place] = Some(node);
        if rest.sequential {
            walk.scope[place].1 = Meaning::Node(node);
        }
    }
    LoopRound { goes_on, value, next }
}

/// Lower what mutants have at places of `body`, in the scope of that place: for each of the `parts`, which are sorted by
/// their places in pre-order, what is there in the body and in the mutant. None of special values, and of a body with loops.
pub fn lower_parts(
    builder: &mut Builder,
    names: &[String],
    body: &Expr,
    parts: &[(usize, &Expr)],
) -> Vec<Option<[NodeId; 2]>> {
    if has_loops(body) {
        return vec![None; parts.len()];
    }
    let mut found = Vec::with_capacity(parts.len());
    Walk::new(builder, names, Mode::Visit(Visit { next: 0, parts, found: &mut found })).root(body);
    found
}

/// The bit of a variable, by its place in the scope. Two may share one: then more is lowered again than need be.
fn bit(variable: usize) -> u128 {
    1 << (variable % 128)
}

/// What is known of the expression that is walked through.
enum Mode<'w> {
    /// Nothing.
    Plain,
    /// Nothing, and it is noted.
    Record { entries: &'w mut Vec<Entry>, used: u128 },
    /// The meaning of its parts.
    Replay(Replay<'w>),
    /// Nothing, and other expressions are to be lowered at some of its places.
    Visit(Visit<'w>),
}

struct Visit<'w> {
    /// The place of the subexpression that comes next.
    next: usize,
    /// What is left to be lowered.
    parts: &'w [(usize, &'w Expr)],
    found: &'w mut Vec<Option<[NodeId; 2]>>,
}

struct Replay<'w> {
    entries: &'w [Entry],
    /// The place of the subexpression that comes next.
    next: usize,
    places: &'w [usize],
    with: &'w Expr,
    /// The variables that mean something else.
    changed: u128,
}

/// A walk through an expression.
struct Walk<'w> {
    b: &'w mut Builder,
    /// Variables in scope, innermost last.
    scope: Vec<(&'w str, Meaning)>,
    /// Where each name stands there, innermost last. Not kept where few names are looked up.
    places: Option<HashMap<&'w str, Vec<usize>>>,
    mode: Mode<'w>,
    /// What the unknown functions stand for.
    rests: Option<&'w HashMap<u128, Rest>>,
}

impl<'w> Walk<'w> {
    fn new(b: &'w mut Builder, names: &'w [String], mode: Mode<'w>) -> Self {
        let input = |(i, name): (usize, &'w String)| (name.as_str(), Meaning::Node(b.var(i)));
        let scope: Vec<(&str, Meaning)> = names.iter().enumerate().map(input).collect();
        let is_whole = matches!(mode, Mode::Record { .. } | Mode::Visit(_));
        let mut walk = Walk { b, scope, places: None, mode, rests: None };
        walk.places = is_whole.then(|| walk.by_name());
        walk
    }

    /// The same for an expression with many variables.
    fn whole(b: &'w mut Builder, names: &'w [String], mode: Mode<'w>) -> Self {
        let mut walk = Walk::new(b, names, mode);
        walk.places = Some(walk.by_name());
        walk
    }

    fn by_name(&self) -> HashMap<&'w str, Vec<usize>> {
        self.scope.iter().enumerate().map(|(k, (name, _))| (*name, vec![k])).collect()
    }

    fn root(mut self, body: &'w Expr) -> NodeId {
        self.node(body)
    }

    /// The meaning as a number.
    fn node(&mut self, e: &'w Expr) -> NodeId {
        let m = self.expr(e);
        number(self.b, m)
    }

    fn nodes(&mut self, args: &'w [Expr]) -> Vec<NodeId> {
        args.iter().map(|a| self.node(a)).collect()
    }

    fn expr(&mut self, e: &'w Expr) -> Meaning {
        match &mut self.mode {
            Mode::Plain => self.kind(e),
            Mode::Record { entries, used } => {
                let (place, before) = (entries.len(), std::mem::take(used));
                entries.push(Entry { meaning: Meaning::Nan, end: 0, uses: 0 });
                let meaning = self.kind(e);
                if let Mode::Record { entries, used } = &mut self.mode {
                    entries[place] = Entry { meaning, end: entries.len(), uses: *used };
                    *used |= before;
                }
                meaning
            }
            Mode::Replay(known) => {
                let place = known.next;
                let Entry { meaning, end, uses } = &known.entries[place];
                if known.places.contains(&place) {
                    known.next = *end;
                    let with = known.with;
                    return self.plain(with);
                }
                if uses & known.changed == 0 && !known.places.iter().any(|p| (place..*end).contains(p)) {
                    known.next = *end;
                    return *meaning;
                }
                known.next = place + 1;
                self.kind(e)
            }
            Mode::Visit(visit) => {
                let place = visit.next;
                visit.next += 1;
                let (here, later) = visit.parts.split_at(visit.parts.partition_point(|(p, _)| *p <= place));
                visit.parts = later;
                let withs: Vec<Meaning> = here.iter().map(|(_, with)| self.plain(with)).collect();
                let first = if let Mode::Visit(visit) = &mut self.mode { visit.found.len() } else { 0 };
                let pairs = withs.iter().map(|with| if let Meaning::Node(n) = with { Some([*n, *n]) } else { None });
                if let Mode::Visit(visit) = &mut self.mode {
                    visit.found.extend(pairs);
                }
                let own = self.kind(e);
                if let Mode::Visit(visit) = &mut self.mode {
                    for pair in &mut visit.found[first..first + withs.len()] {
                        match (pair.as_mut(), own) {
                            (Some(pair), Meaning::Node(own)) => pair[0] = own,
                            _ => *pair = None,
                        }
                    }
                }
                own
            }
        }
    }

    /// The meaning of another expression in this scope.
    fn plain(&mut self, with: &'w Expr) -> Meaning {
        let mode = std::mem::replace(&mut self.mode, Mode::Plain);
        let meaning = self.kind(with);
        self.mode = mode;
        meaning
    }

    fn kind(&mut self, e: &'w Expr) -> Meaning {
        Meaning::Node(match &e.kind {
            ExprKind::Number(n) => self.b.rational(n.value.clone()),
            ExprKind::Constant(Constant::Infinity) => return Meaning::Infinite { positive: true },
            ExprKind::Constant(Constant::Nan) => return Meaning::Nan,
            ExprKind::Constant(c) => self.b.named(*c),
            ExprKind::Var(name) => return self.variable(name),
            ExprKind::Cast(inner) | ExprKind::Annotated(_, inner) => return self.expr(inner),
            ExprKind::Op(op, args) => return self.apply(*op, args),
            ExprKind::Compare(relation, args) => {
                let args: Vec<Meaning> = args.iter().map(|a| self.expr(a)).collect();
                chain(self.b, *relation, &args)
            }
            ExprKind::And(args) => {
                let args = self.nodes(args);
                let yes = self.b.boolean(true);
                args.into_iter().fold(yes, |all, a| self.b.and(all, a))
            }
            ExprKind::Or(args) => {
                let args = self.nodes(args);
                let no = self.b.boolean(false);
                args.into_iter().fold(no, |any, a| self.b.or(any, a))
            }
            ExprKind::Not(a) => {
                let a = self.node(a);
                self.b.not(a)
            }
            ExprKind::Classify(class, a) => {
                let a = self.expr(a);
                classify(self.b, *class, a)
            }
            ExprKind::If(parts) => {
                let [c, t, e] = parts.each_ref().map(|p| self.node(p));
                self.b.choose(c, t, e)
            }
            ExprKind::Let { sequential, bindings, body } => return self.bind(*sequential, bindings, body),
            // `flat` has written out what is not inside of an edit.
            ExprKind::Loop(_) | ExprKind::Array(_) | ExprKind::Ref(_) | ExprKind::Dim(_) | ExprKind::Size(_) => {
                unreachable!("a formula with loops is written out")
            }
            ExprKind::Call(function, args) => {
                let meanings: Vec<Meaning> = args.iter().map(|a| self.expr(a)).collect();
                match unknown_function(function) {
                    Some(function) => self.rest(function, &meanings),
                    None => self.b.undefined(),
                }
            }
        })
    }

    /// The value of a loop after rounds that are not written out, which are a function of these arguments.
    fn rest(&mut self, function: u128, args: &[Meaning]) -> NodeId {
        let rest = self.rests.and_then(|rests| rests.get(&function));
        let is_special = args.iter().any(|a| !matches!(a, Meaning::Node(_)));
        // A truth value where others are numbers tells the special values apart.
        let special = |b: &mut Builder, a: &Meaning| match *a {
            Meaning::Node(node) => node,
            Meaning::Infinite { positive } => b.boolean(positive),
            Meaning::Nan => b.undefined(),
        };
        let args: Vec<NodeId> = args.iter().map(|a| special(self.b, a)).collect();
        match rest {
            Some(rest) if !is_special => {
                let is_variable = |name: &String| rest.state.iter().any(|v| v.name == *name);
                // A known number is one by any name: only the others are told apart.
                let (mut names, mut own, mut known) = (Vec::new(), Vec::new(), Vec::new());
                for (name, arg) in rest.names.iter().zip(args) {
                    match self.b.tape().rational(arg).filter(|_| !is_variable(name)) {
                        Some(number) => known.push((name.as_str(), number.clone())),
                        None => {
                            names.push(name.clone());
                            own.push(arg);
                        }
                    }
                }
                let mut rounds = self.b.rounds.take().unwrap_or_default();
                let round = lower_round(&mut rounds, rest, &names, &known);
                self.b.rounds = Some(rounds);
                self.b.rest(round, &own, rest.is_counted)
            }
            _ => {
                let never = self.b.boolean(false);
                self.b.unknown(UnknownFunction::Text(function), args, never)
            }
        }
    }

    fn variable(&mut self, name: &str) -> Meaning {
        let variable = match &self.places {
            Some(places) => places.get(name).and_then(|all| all.last().copied()),
            None => self.scope.iter().rposition(|(n, _)| *n == name),
        };
        let Some(variable) = variable else {
            return Meaning::Node(self.b.undefined());
        };
        if let Mode::Record { used, .. } = &mut self.mode {
            *used |= bit(variable);
        }
        match self.scope[variable].1 {
            Meaning::Node(node) => Meaning::Node(self.b.again(node)),
            special => special,
        }
    }

    fn bind(&mut self, sequential: bool, bindings: &'w [(String, Expr)], body: &'w Expr) -> Meaning {
        let outer = self.scope.len();
        let changed_outside = if let Mode::Replay(known) = &self.mode { known.changed } else { 0 };
        let mut values = Vec::with_capacity(bindings.len());
        for (name, value) in bindings {
            let known =
                if let Mode::Replay(known) = &self.mode { Some(known.entries[known.next].meaning) } else { None };
            let meaning = self.expr(value);
            values.push((name.as_str(), meaning, known.is_some_and(|k| k != meaning)));
            if sequential {
                values.drain(..).for_each(|v| self.bring(v));
            }
        }
        values.into_iter().for_each(|v| self.bring(v));
        let meaning = self.expr(body);
        for (name, _) in self.scope.drain(outer..) {
            if let Some(all) = self.places.as_mut().and_then(|places| places.get_mut(name)) {
                all.pop();
            }
        }
        if let Mode::Replay(known) = &mut self.mode {
            known.changed = changed_outside;
        }
        meaning
    }

    /// Bring a variable into scope.
    fn bring(&mut self, (name, meaning, is_changed): (&'w str, Meaning, bool)) {
        if let Mode::Replay(known) = &mut self.mode
            && is_changed
        {
            known.changed |= bit(self.scope.len());
        }
        self.places.iter_mut().for_each(|places| places.entry(name).or_default().push(self.scope.len()));
        self.scope.push((name, meaning));
    }

    fn apply(&mut self, op: Op, args: &'w [Expr]) -> Meaning {
        let args: Vec<Meaning> = args.iter().map(|a| self.expr(a)).collect();
        match (op, args.as_slice()) {
            // The library functions return the other operand where one is NaN.
            (Op::Fmin | Op::Fmax, [Meaning::Nan, other] | [other, Meaning::Nan]) => return *other,
            // Every real number is on one side of an infinity.
            (
                Op::Fmin,
                [Meaning::Infinite { positive: true }, other] | [other, Meaning::Infinite { positive: true }],
            )
            | (
                Op::Fmax,
                [Meaning::Infinite { positive: false }, other] | [other, Meaning::Infinite { positive: false }],
            ) => {
                return *other;
            }
            (Op::Neg, [Meaning::Infinite { positive }]) => return Meaning::Infinite { positive: !positive },
            (Op::Fabs, [Meaning::Infinite { .. }]) => return Meaning::Infinite { positive: true },
            _ => {}
        }
        let args: Vec<NodeId> = args.into_iter().map(|m| number(self.b, m)).collect();
        let n = op.arity();
        let mut value = self.b.op(op, &args[..n.min(args.len())]);
        // `(+ a b c)` associates to the left.
        for &more in args.get(n..).unwrap_or_default() {
            value = self.b.op(op, &[value, more]);
        }
        Meaning::Node(value)
    }
}
