//! The e-graph: everything that the laws make of two expressions, until they meet. All use of `egg` is here.

use super::Problem;
use super::cells::Cells;
use super::expr::{Expr, Head};
use super::laws::{LAWS, Law, weight};
use crate::num::{Interval, Ternary};
use crate::tape::NodeId;
use crate::tape::eval::Enclosure;
use egg::{
    Analysis, AstSize, Condition, ConditionalApplier, CostFunction, DidMerge, EGraph, ENodeOrVar, Extractor, FlatTerm,
    Id, Language, Pattern, PatternAst, RecExpr, Rewrite, Runner, Subst, TreeTerm, Var,
};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;
use std::time::Duration;

/// A node of the e-graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Term {
    head: Head,
    args: Vec<Id>,
}

impl Language for Term {
    type Discriminant = Head;

    fn discriminant(&self) -> Head {
        self.head.clone()
    }
    fn matches(&self, other: &Self) -> bool {
        self.head == other.head && self.args.len() == other.args.len()
    }
    fn children(&self) -> &[Id] {
        &self.args
    }
    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.args
    }
}

/// What is known of a class: enclosures of its values on the cells of the domain. All expressions of a class are one
/// partial function, so that each of their enclosures holds.
impl Analysis<Term> for Cells {
    type Data = Vec<Enclosure>;

    fn make(graph: &mut EGraph<Term, Self>, term: &Term, _: Id) -> Vec<Enclosure> {
        let args: Vec<&Vec<Enclosure>> = term.args.iter().map(|a| &graph[*a].data).collect();
        graph.analysis.enclose(&term.head, &args)
    }

    fn merge(&mut self, known: &mut Vec<Enclosure>, other: Vec<Enclosure>) -> DidMerge {
        for (k, o) in known.iter_mut().zip(&other) {
            *k = intersection(k, o);
        }
        // Expressions above are not enclosed anew: where a class is a function of itself, every enclosure would give a
        // slightly better one, without end.
        DidMerge(false, false)
    }
}

/// What is known of one function by two enclosures.
fn intersection(a: &Enclosure, b: &Enclosure) -> Enclosure {
    let def = if a.def == Ternary::Unknown { b.def } else { a.def };
    let x = if def.is_false() { Interval::EMPTY } else { a.x & b.x };
    // No value is left for it to have.
    let def = if x.is_empty() { Ternary::False } else { def };
    Enclosure { x, def, own: Ternary::Unknown }
}

/// When a law may be used.
#[derive(Clone)]
struct Applicable {
    law: usize,
    variables: Vec<Var>,
}

impl Condition<Term, Cells> for Applicable {
    fn check(&self, graph: &mut EGraph<Term, Cells>, _: Id, subst: &Subst) -> bool {
        let of = |v: &Var| subst.get(*v).map(|id| graph[*id].data.as_slice());
        let values: Vec<Option<&[Enclosure]>> = self.variables.iter().map(of).collect();
        graph.analysis.allow(&LAWS[self.law], &values)
    }
}

fn variable(i: usize) -> Var {
    format!("?{i}").parse().expect("a variable's name")
}

/// A side of a law as a pattern.
fn pattern(expr: &Expr) -> Pattern<Term> {
    fn add(expr: &Expr, ast: &mut PatternAst<Term>) -> Id {
        if let Head::Var(i) = expr.head {
            return ast.add(ENodeOrVar::Var(variable(i as usize)));
        }
        let args = expr.args.iter().map(|a| add(a, ast)).collect();
        ast.add(ENodeOrVar::ENode(Term { head: expr.head.clone(), args }))
    }
    let mut ast = PatternAst::default();
    add(expr, &mut ast);
    Pattern::new(ast)
}

static REWRITES: LazyLock<Vec<Rewrite<Term, Cells>>> = LazyLock::new(|| {
    let rewrite = |(i, law): (usize, &Law)| {
        let variables: Vec<Var> = (0..law.names.len()).map(variable).collect();
        let condition = Applicable { law: i, variables };
        let applier = ConditionalApplier { condition, applier: pattern(&law.right) };
        Rewrite::new(law.name.as_str(), pattern(&law.left), applier).expect("a law whose right side is bound")
    };
    LAWS.iter().enumerate().map(rewrite).collect()
});

/// The reason for which classes of one normal form are one.
pub(super) const NORMAL_FORM: &str = "the same normal form";

/// Rounds of laws, each followed by one of normal forms.
const ROUNDS: usize = 3;
/// Applications of all laws in a round.
const ITERATIONS: usize = 3;
/// Nodes of the e-graph at which a round ends.
const MAX_NODES: usize = 800;
/// Classes of which normal forms are made.
const MAX_CLASSES: usize = 120;

/// A longer chain is no proof that anybody reads.
const MAX_STEPS: u64 = 500;

/// A step of a proof: one expression in place of another.
pub(super) struct Rewritten {
    /// Which operand of which operand it is, from the top.
    pub(super) path: Vec<usize>,
    /// What stood there.
    pub(super) before: Expr,
    /// What stands there now.
    pub(super) after: Expr,
    /// The law's name, or [`NORMAL_FORM`].
    pub(super) law: String,
    /// Whether the law is read from right to left.
    pub(super) backward: bool,
}

/// Rewrite two expressions until they meet. `None`: they did not meet.
pub(super) fn meet(f: &Expr, g: &Expr, problem: &Problem<'_>) -> Option<Vec<Rewritten>> {
    let (f, g) = (rec_expr(f), rec_expr(g));
    let mut graph = EGraph::new(problem.cells()).with_explanations_enabled();
    let (a, b) = (graph.add_expr(&f), graph.add_expr(&g));
    for round in 0..ROUNDS {
        let nodes = MAX_NODES * (round + 1);
        // No limit of time: the same steps on every machine.
        let runner = Runner::<Term, Cells, ()>::new(Cells::default()).with_egraph(graph).with_iter_limit(ITERATIONS);
        let runner = runner.with_node_limit(nodes).with_time_limit(Duration::MAX);
        graph = runner.with_hook(move |r| stop_if(r.egraph.find(a) == r.egraph.find(b))).run(REWRITES.iter()).egraph;
        if graph.find(a) != graph.find(b) {
            join(&mut graph, problem, AstSize, [a, b]);
            join(&mut graph, problem, Elementary, [a, b]);
        }
        if graph.find(a) == graph.find(b) {
            let mut explanation = graph.explain_equivalence(&f, &g);
            // Shared parts are written out: what is short as a graph may be long as a chain.
            if steps(&explanation.explanation_trees, &mut HashMap::new()) > MAX_STEPS {
                return None;
            }
            let terms = explanation.make_flat_explanation();
            return terms.windows(2).map(|w| rewritten(&w[0], &w[1])).collect();
        }
    }
    None
}

/// How many steps an explanation has when its shared parts are written out.
fn steps(terms: &[Rc<TreeTerm<Term>>], known: &mut HashMap<*const TreeTerm<Term>, u64>) -> u64 {
    let mut all: u64 = 0;
    for term in terms {
        let place = Rc::as_ptr(term);
        let own = known.get(&place).copied().unwrap_or_else(|| {
            let rule = u64::from(term.forward_rule.is_some() || term.backward_rule.is_some());
            let below = term.child_proofs.iter().map(|p| steps(p, known));
            let count = below.fold(rule, u64::saturating_add);
            known.insert(place, count);
            count
        });
        all = all.saturating_add(own);
    }
    all
}

fn stop_if(met: bool) -> Result<(), String> {
    if met { Err("met".into()) } else { Ok(()) }
}

/// Prefers light heads ([`weight`]) on simple arguments.
struct Elementary;

impl CostFunction<Term> for Elementary {
    type Cost = u64;

    fn cost<C: FnMut(Id) -> u64>(&mut self, term: &Term, mut costs: C) -> u64 {
        let args = term.fold(1, |sum: u64, arg| sum.saturating_add(costs(arg)));
        args.saturating_mul(weight(&term.head))
    }
}

/// Make one class of those whose best expressions have one normal form.
fn join(
    graph: &mut EGraph<Term, Cells>,
    problem: &Problem<'_>,
    cost: impl CostFunction<Term, Cost: Ord>,
    asked: [Id; 2],
) {
    let mut classes: Vec<Id> = graph.classes().map(|c| c.id).collect();
    classes.sort_unstable();
    let extractor = Extractor::new(graph, cost);
    classes.sort_by_key(|c| extractor.find_best_cost(*c));
    classes.truncate(MAX_CLASSES);
    // A best expression's operands cost less.
    let mut builder = problem.builder();
    let mut place: HashMap<Id, NodeId> = HashMap::new();
    let mut nodes = Vec::new();
    for class in &classes {
        let term = extractor.find_best_node(*class);
        let args: Option<Vec<NodeId>> = term.args.iter().map(|a| place.get(&graph.find(*a)).copied()).collect();
        let Some(args) = args else { continue };
        let node = term.head.build(&mut builder, &args);
        place.insert(*class, node);
        nodes.push((*class, node));
    }
    let at: Vec<NodeId> = nodes.iter().map(|n| n.1).collect();
    let asked = asked.map(|id| nodes.iter().position(|n| n.0 == graph.find(id)));
    let pairs = problem.same_forms(builder, &at, asked);
    let exprs: Vec<[RecExpr<Term>; 2]> =
        pairs.into_iter().map(|(i, j)| [i, j].map(|k| extractor.find_best(nodes[k].0).1)).collect();
    for [a, b] in exprs {
        let (a, b) = (graph.add_expr_uncanonical(&a), graph.add_expr_uncanonical(&b));
        graph.union_trusted(a, b, NORMAL_FORM);
    }
    graph.rebuild();
}

fn rec_expr(expr: &Expr) -> RecExpr<Term> {
    fn add(expr: &Expr, out: &mut RecExpr<Term>) -> Id {
        let args = expr.args.iter().map(|a| add(a, out)).collect();
        out.add(Term { head: expr.head.clone(), args })
    }
    let mut out = RecExpr::default();
    add(expr, &mut out);
    out
}

fn tree(term: &FlatTerm<Term>) -> Expr {
    Expr { head: term.node.head.clone(), args: term.children.iter().map(tree).collect() }
}

/// What a step changes: the part of the later term that is marked, with what stood there before.
fn rewritten(mut before: &FlatTerm<Term>, mut after: &FlatTerm<Term>) -> Option<Rewritten> {
    let marked = |t: &FlatTerm<Term>| t.has_rewrite_forward() || t.has_rewrite_backward();
    let mut path = Vec::new();
    loop {
        if let Some(law) = after.forward_rule.or(after.backward_rule) {
            let (law, backward) = (law.to_string(), after.forward_rule.is_none());
            return Some(Rewritten { path, before: tree(before), after: tree(after), law, backward });
        }
        let place = after.children.iter().position(marked)?;
        (before, after) = (before.children.get(place)?, &after.children[place]);
        path.push(place);
    }
}
