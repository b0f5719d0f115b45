//! Proofs by cases: where a condition of an `if` holds, and where it does not; or, where two functions compare the same
//! expressions differently, by the order of these.

use super::normal::MANY_CHOICES;
use super::proof::{Proof, ProofKind, Prover};
use crate::spec::InputBox;
use crate::tape::eval::Boxes;
use crate::tape::ordered::{OrderedCase, assume_order, compared, ordered_operands, state_order};
use crate::tape::simplify::assume;
use crate::tape::{Builder, NodeId, Tape, TapeNode, evaluate};
use std::cmp::Ordering;

/// How many conditions are taken apart one within the other.
const MAX_DEPTH: u32 = 3;

/// Two expressions, the conditions of the domain, and what is assumed beyond them.
struct Case {
    tape: Tape,
    f: NodeId,
    g: NodeId,
    conditions: Vec<NodeId>,
}

impl Case {
    fn roots(&self) -> Vec<NodeId> {
        [self.f, self.g].into_iter().chain(self.conditions.iter().copied()).collect()
    }

    /// The case in which the condition at `node` is true, or false: it becomes a condition of the domain.
    fn assuming(&self, node: NodeId, truth: bool) -> Case {
        let (tape, at, stated) = assume(&self.tape, &self.roots(), node, truth);
        let conditions = at[2..].iter().copied().chain([stated]).collect();
        Case { tape, f: at[0], g: at[1], conditions }
    }

    /// The case in which two expressions are in this order.
    fn in_order(&self, pair: [NodeId; 2], order: Ordering, domain: &InputBox) -> Case {
        let OrderedCase { tape, roots, stated } = assume_order(&self.tape, &self.roots(), pair, order, &domain.ranges);
        let conditions = roots[2..].iter().copied().chain(stated).collect();
        Case { tape, f: roots[0], g: roots[1], conditions }
    }

    /// Two expressions with values on the whole domain whose order tells what only one of f and g asks: both compare them, and
    /// differently, as by `<` and `<=`; or one chooses from them, as by `fmax`.
    fn ordered_by_one(&self, domain: &InputBox) -> Option<[NodeId; 2]> {
        let nodes = self.tape.nodes();
        let [of_f, of_g] = [self.f, self.g].map(|root| self.tape.cone(&[root]));
        let mut values = Vec::new();
        evaluate(&self.tape, &mut Boxes { inputs: &domain.ranges }, &mut values);
        let of_one = (0..nodes.len()).filter(|k| of_f[*k] != of_g[*k] && values[*k].def.is_true());
        let is_compared = |[x, y]: [NodeId; 2], cone: &[bool]| {
            let mut pairs = (0..nodes.len()).filter(|k| cone[*k]).filter_map(|k| compared(nodes[k]));
            pairs.any(|pair| pair == [x, y] || pair == [y, x])
        };
        let (comparisons, others): (Vec<_>, Vec<_>) = of_one
            .filter_map(|k| Some((ordered_operands(nodes[k])?, compared(nodes[k]).is_some())))
            .partition(|(_, is_comparison)| *is_comparison);
        let by_both = comparisons.iter().find(|(pair, _)| is_compared(*pair, &of_f) && is_compared(*pair, &of_g));
        by_both.or(others.first()).map(|(pair, _)| *pair)
    }

    /// The first condition of a choice that has a truth value on the whole domain: where it has none neither case holds,
    /// and nothing would be proved of it. Of more than can be taken apart, the first of a choice that `f` and `g` do not
    /// share, since what they differ in is part of it or beside it.
    fn condition(&self, domain: &InputBox) -> Option<NodeId> {
        let [of_f, of_g] = [self.f, self.g].map(|root| self.tape.cone(&[root]));
        let mut values = Vec::new();
        evaluate(&self.tape, &mut Boxes { inputs: &domain.ranges }, &mut values);
        let mut choices = Vec::new();
        for (k, node) in self.tape.nodes().iter().enumerate() {
            match node {
                TapeNode::If(c, ..) if (of_f[k] || of_g[k]) && values[c.index()].def.is_true() => {
                    choices.push((*c, of_f[k] && of_g[k]));
                }
                _ => {}
            }
        }
        let own = choices.iter().find(|(_, is_shared)| !is_shared);
        let chosen = if choices.len() > MAX_DEPTH as usize { own.or(choices.first()) } else { choices.first() };
        chosen.map(|(c, _)| *c)
    }
}

/// Prove that `f` and `g` are the same function by cases of the conditions of their choices. `None`: not proved.
#[must_use]
pub fn prove_by_cases(
    tape: &Tape,
    f: NodeId,
    g: NodeId,
    domain: &InputBox,
    conditions: &[NodeId],
    names: &[String],
) -> Option<Proof> {
    let roots: Vec<NodeId> = [f, g].into_iter().chain(conditions.iter().copied()).collect();
    let (tape, at) = tape.extract(&roots);
    let depths = tape.choice_depths();
    if at[..2].iter().any(|root| depths[root.index()] > MANY_CHOICES) {
        return None;
    }
    let case = Case { tape, f: at[0], g: at[1], conditions: at[2..].to_vec() };
    let with_orders = case.ordered_by_one(domain).map(|_| Begin::WithOrders);
    let lines = [Some(Begin::WithConditions), with_orders].into_iter().flatten().find_map(|begin| {
        let mut lines = Vec::new();
        split(&case, begin, domain, names, 0, &mut lines).map(|()| lines)
    })?;
    Some(Proof {
        kind: ProofKind::ByCases,
        form: String::new(),
        facts: lines,
        shared_needs: Vec::new(),
        discharged: Vec::new(),
    })
}

/// What cases are made of first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begin {
    /// Conditions of choices, in their order.
    WithConditions,
    /// The order of two expressions that only one function asks for, where there are such, and then conditions.
    WithOrders,
}

/// What is assumed in a case.
#[derive(Clone, Copy)]
enum Assumption {
    /// The node has this truth value.
    Truth(NodeId, bool),
    /// Two expressions are in this order.
    Order([NodeId; 2], Ordering),
}

/// Assumptions of which one holds at each point of the domain. `None`: nothing to take apart.
fn assumptions(case: &Case, begin: Begin, domain: &InputBox) -> Option<Vec<Assumption>> {
    let pair = if begin == Begin::WithOrders { case.ordered_by_one(domain) } else { None };
    if let Some(pair) = pair {
        return Some([Ordering::Less, Ordering::Equal, Ordering::Greater].map(|o| Assumption::Order(pair, o)).into());
    }
    let condition = case.condition(domain)?;
    Some([true, false].map(|truth| Assumption::Truth(condition, truth)).into())
}

/// A part of a case, and where it is.
fn part(case: &Case, assumption: Assumption, domain: &InputBox, names: &[String]) -> Option<(Case, String)> {
    let place = |tape: &Tape, conditions: &[NodeId], assumed: NodeId| {
        Prover::new(tape, domain, conditions).with_names(names).condition_text(assumed)
    };
    match assumption {
        Assumption::Truth(node, truth) => {
            let part = case.assuming(node, truth);
            let place = place(&part.tape, &part.conditions, part.conditions.last().copied()?);
            Some((part, place))
        }
        Assumption::Order(pair, order) => {
            let mut b = Builder::on(case.tape.clone());
            let assumed = state_order(&mut b, pair, order);
            let place = place(b.tape(), &case.conditions, assumed);
            Some((case.in_order(pair, order, domain), place))
        }
    }
}

/// Prove the case by cases of it.
fn split(
    case: &Case,
    begin: Begin,
    domain: &InputBox,
    names: &[String],
    depth: u32,
    lines: &mut Vec<String>,
) -> Option<()> {
    if depth == MAX_DEPTH {
        return None;
    }
    for assumption in assumptions(case, begin, domain)? {
        let (part, place) = part(case, assumption, domain, names)?;
        let mut prover = Prover::new(&part.tape, domain, &part.conditions).with_names(names);
        let title = format!("{}where {place}", "  ".repeat(depth as usize));
        let Some(proof) = prover.prove_equal(part.f, part.g) else {
            lines.push(format!("{title}, by cases:"));
            split(&part, begin, domain, names, depth + 1, lines)?;
            continue;
        };
        lines.push(format!("{title}:"));
        let margin = "  ".repeat(depth as usize + 1);
        lines.extend(proof.to_string().lines().map(|line| format!("{margin}{line}")));
    }
    Some(())
}
