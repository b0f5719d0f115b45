//! Proofs by cases: where a condition of an `if` holds, and where it does not.

use super::normal::MANY_CHOICES;
use super::proof::{Proof, ProofKind, Prover};
use crate::spec::InputBox;
use crate::tape::eval::Boxes;
use crate::tape::simplify::assume;
use crate::tape::{NodeId, Tape, TapeNode, evaluate};

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
    /// The case in which the condition at `node` is true, or false: it becomes a condition of the domain.
    fn assuming(&self, node: NodeId, truth: bool) -> Case {
        let roots: Vec<NodeId> = [self.f, self.g].into_iter().chain(self.conditions.iter().copied()).collect();
        let (tape, at, stated) = assume(&self.tape, &roots, node, truth);
        let conditions = at[2..].iter().copied().chain([stated]).collect();
        Case { tape, f: at[0], g: at[1], conditions }
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
    let mut lines = Vec::new();
    split(&case, domain, names, 0, &mut lines)?;
    Some(Proof {
        kind: ProofKind::ByCases,
        form: String::new(),
        facts: lines,
        shared_needs: Vec::new(),
        discharged: Vec::new(),
    })
}

/// Prove the case by the first condition that has a truth value on the whole domain and helps.
fn split(case: &Case, domain: &InputBox, names: &[String], depth: u32, lines: &mut Vec<String>) -> Option<()> {
    if depth == MAX_DEPTH {
        return None;
    }
    let condition = case.condition(domain)?;
    for truth in [true, false] {
        let part = case.assuming(condition, truth);
        let assumed = part.conditions.last().copied()?;
        let mut prover = Prover::new(&part.tape, domain, &part.conditions).with_names(names);
        let title = format!("{}where {}", "  ".repeat(depth as usize), prover.condition_text(assumed));
        let Some(proof) = prover.prove_equal(part.f, part.g) else {
            lines.push(format!("{title}, by cases:"));
            split(&part, domain, names, depth + 1, lines)?;
            continue;
        };
        lines.push(format!("{title}:"));
        let margin = "  ".repeat(depth as usize + 1);
        lines.extend(proof.to_string().lines().map(|line| format!("{margin}{line}")));
    }
    Some(())
}
