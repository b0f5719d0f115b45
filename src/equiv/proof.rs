//! The prover and what it returns.

use super::cone::Cone;
use super::definedness::{Cond, CondId, Need, NeedId, Signs};
use super::facts::{FactId, Facts};
use super::normal::{Meaning, Normal, Normalizer};
use super::read;
use super::table::FormId;
use super::text::Text;
use crate::num::Ternary;
use crate::spec::InputBox;
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::{NodeId, Tape, evaluate_needed};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

/// On what a proof rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofKind {
    /// One node of the tape.
    SameExpression,
    /// The same normal form, wherever there is a value.
    SameNormalForm,
    /// The same normal form on this domain, with the signs that hold there.
    OnDomain,
    /// One of these in every case of a condition.
    ByCases,
    /// A chain of laws, each valid on the domain.
    ByRewriting,
}

impl ProofKind {
    /// As it stands in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ProofKind::SameExpression => "same-expression",
            ProofKind::SameNormalForm => "same-normal-form",
            ProofKind::OnDomain => "same-on-domain",
            ProofKind::ByCases => "by-cases",
            ProofKind::ByRewriting => "by-rewriting",
        }
    }
}

/// A proof that two expressions are the same function on a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// On what it rests.
    pub kind: ProofKind,
    /// The normal form of both.
    pub form: String,
    /// What holds on the domain and was used for the values.
    pub facts: Vec<String>,
    /// What both need to have a value.
    pub shared_needs: Vec<String>,
    /// What only one side needs, and which holds on the whole domain.
    pub discharged: Vec<String>,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ProofKind::SameExpression => return f.write_str("the same expression"),
            ProofKind::SameNormalForm => writeln!(f, "{}", read::FORM)?,
            ProofKind::OnDomain => writeln!(f, "{}", read::FORM_ON_DOMAIN)?,
            ProofKind::ByCases | ProofKind::ByRewriting => {
                f.write_str(if self.kind == ProofKind::ByCases { read::BY_CASES } else { read::BY_REWRITING })?;
                return self.facts.iter().try_for_each(|line| write!(f, "\n  {line}"));
            }
        }
        write!(f, "  {}", self.form)?;
        let parts = [
            (read::ON_DOMAIN, &self.facts),
            (read::VALUE_WHERE, &self.shared_needs),
            (read::ONE_SIDE, &self.discharged),
        ];
        for (title, lines) in parts {
            if !lines.is_empty() {
                write!(f, "\n{title}")?;
            }
            for line in lines {
                write!(f, "\n  {line}")?;
            }
        }
        Ok(())
    }
}

/// A function of the domain in normal form, to be compared with others of the same [`Prover`]. Functions that differ
/// here may still be equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NormalFunction(FormId, Vec<NeedId>);

/// Why two functions have the same values.
struct SameValue {
    /// The normal form of the first.
    form: FormId,
    /// What says that the other's is no other number, where it is another form.
    stated: Option<FactId>,
}

/// Why two functions have values at the same points of the domain.
#[derive(Default)]
pub(super) struct SameNeeds {
    /// The signs that both ask for: all that either asks of these forms.
    shared_signs: Vec<(FormId, Signs)>,
    /// What else both ask for.
    shared: Vec<NeedId>,
    /// What only one asks for, and which holds on the whole domain.
    discharged: Vec<FactId>,
}

/// Proves equalities between nodes of one tape on one domain; what it learns of shared nodes is kept.
pub struct Prover<'a> {
    pub(super) normalizer: Normalizer<'a>,
    names: Vec<String>,
    /// For every sample point, what is known of the nodes there.
    samples: Vec<FxHashMap<NodeId, Enclosure>>,
}

impl<'a> Prover<'a> {
    /// A prover for nodes of `tape` on the part of `domain` in which all `conditions` hold.
    #[must_use]
    pub fn new(tape: &'a Tape, domain: &InputBox, conditions: &[NodeId]) -> Self {
        let facts = Facts::new(domain, tape, conditions);
        let samples = vec![FxHashMap::default(); facts.samples().len()];
        let mut prover = Prover { normalizer: Normalizer::new(tape, facts), names: Vec::new(), samples };
        for &c in conditions {
            let meaning = prover.normalizer.normal(c).map(|n| n.meaning);
            if let Some(Meaning::Condition(c)) = meaning {
                prover.state(c);
            }
        }
        prover
    }

    /// How many terms all polynomials have that are kept: what the memory of a prover goes by, some 120 bytes each.
    #[must_use]
    pub fn terms(&self) -> usize {
        self.normalizer.table.terms
    }

    /// Print inputs by these names.
    #[must_use]
    pub fn with_names(mut self, names: &[String]) -> Self {
        self.names = names.to_vec();
        self
    }

    /// Spend up to so many term operations on normal forms, but for a few for each node. Default: no bound.
    #[must_use]
    pub fn with_fuel(mut self, operations: u64) -> Self {
        self.normalizer.fuel_left = operations;
        self
    }

    /// How many term operations are left for normal forms.
    #[must_use]
    pub fn fuel_left(&self) -> u64 {
        self.normalizer.fuel_left
    }

    /// Look at up to so many parts of the domain's box for one question. Default: 400.
    #[must_use]
    pub fn with_boxes(mut self, boxes: u32) -> Self {
        self.normalizer.facts.max_boxes = boxes;
        self
    }

    /// The signs that a condition of the domain states.
    fn state(&mut self, c: CondId) {
        match self.normalizer.logic.cond(c).clone() {
            Cond::Sign(key, signs) => self.normalizer.facts.state(key, signs),
            Cond::All(parts) => parts.into_iter().for_each(|p| self.state(p)),
            Cond::Any(_) | Cond::Bool(_) | Cond::Node(..) => {}
        }
    }

    /// From now on only the part of the domain counts on which f has a value, for claims that say nothing of the rest: what f
    /// needs for a value holds there, so that `sqrt(fdim(x, y))` is `sqrt(x - y)`.
    pub fn assume_value(&mut self, f: NodeId) {
        let Some(needs) = self.normalizer.normal(f).map(|n| n.needs.clone()) else { return };
        let has_value: Vec<bool> = (0..self.samples.len()).map(|k| self.sample(k, f).def.is_true()).collect();
        let mut flags = has_value.iter();
        self.samples.retain(|_| flags.next() == Some(&true));
        let Normalizer { table, logic, facts, .. } = &mut self.normalizer;
        for need in needs {
            if let Need::Sign(key, signs) = *logic.need(need) {
                facts.state(key, signs);
                // Of a product of which all factors but one have a known sign the other's is known.
                let factors = table.single_factors(key);
                for k in 0..factors.len() {
                    let mut others = factors.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, form)| *form);
                    let flip = others.try_fold(false, |flip, form| match form {
                        _ if facts.sign(table, logic, form, Signs::POSITIVE).is_some() => Some(flip),
                        _ => facts.sign(table, logic, form, Signs::NEGATIVE).map(|_| !flip),
                    });
                    if let Some(flip) = flip.filter(|_| factors.len() > 1) {
                        facts.state(factors[k], signs.flipped_if(flip));
                    }
                }
            }
        }
        facts.narrow(&has_value);
        self.normalizer.forget();
    }

    /// Prove that `f` and `g` have values at the same points of the domain, and the same ones. `None`: not proved.
    #[must_use]
    pub fn prove_equal(&mut self, f: NodeId, g: NodeId) -> Option<Proof> {
        if f == g {
            let nothing = Vec::new;
            return Some(Proof {
                kind: ProofKind::SameExpression,
                form: String::new(),
                facts: nothing(),
                shared_needs: nothing(),
                discharged: nothing(),
            });
        }
        if self.refuted(f, g) {
            return None;
        }
        let parts = self.parts_as_they_stand(f);
        if !self.normalizer.tape.computes_all(g, &parts) {
            return None;
        }
        let (a, b) = (self.normalizer.normal(f)?, self.normalizer.normal_of_other(g)?);
        let value = self.same_value(&a, &b)?;
        let needs = self.same_needs(&a, &b)?;
        Some(self.proof(f, g, value, needs))
    }

    /// The nodes that stand as they are in the normal form of `f`, having none of their own: what is computed without one of
    /// them has another normal form, and none of it need be made.
    pub fn parts_as_they_stand(&mut self, f: NodeId) -> Vec<NodeId> {
        let form = self.form(f);
        let Normalizer { table, logic, .. } = &self.normalizer;
        form.map_or_else(Vec::new, |form| Cone::new(table, logic, &[form]).nodes(table))
    }

    /// What nodes have in common that are the same function on the domain by their normal forms: the form, and what they
    /// need to have a value. `None`: not a number, or too large.
    pub fn function(&mut self, node: NodeId) -> Option<NormalFunction> {
        let normal = self.normalizer.normal(node)?;
        match normal.meaning {
            Meaning::Number(form) => Some(NormalFunction(form, normal.needs.clone())),
            Meaning::Condition(_) => None,
        }
    }

    /// The normal form of a node that is a number.
    pub(super) fn form(&mut self, node: NodeId) -> Option<FormId> {
        match self.normalizer.normal(node)?.meaning {
            Meaning::Number(form) => Some(form),
            Meaning::Condition(_) => None,
        }
    }

    /// A condition in normal form, for a reader.
    pub(super) fn condition_text(&mut self, condition: NodeId) -> String {
        let meaning = self.normalizer.normal(condition).map(|n| n.meaning);
        let text = Text { n: &self.normalizer, names: &self.names };
        match meaning {
            Some(Meaning::Condition(c)) => text.cond(c),
            _ => "its condition holds".into(),
        }
    }

    /// Whether the two surely differ at a sample point.
    pub(super) fn refuted(&mut self, f: NodeId, g: NodeId) -> bool {
        (0..self.samples.len()).any(|k| {
            let (a, b) = (self.sample(k, f), self.sample(k, g));
            match (a.def, b.def) {
                (Ternary::True, Ternary::True) => a.x.disjoint(b.x),
                (Ternary::True, Ternary::False) | (Ternary::False, Ternary::True) => true,
                _ => false,
            }
        })
    }

    /// The value of a node at a sample point.
    fn sample(&mut self, k: usize, root: NodeId) -> Enclosure {
        let tape = self.normalizer.tape;
        let (values, point) = (&mut self.samples[k], &self.normalizer.facts.samples()[k]);
        evaluate_needed(tape, &mut Boxes { inputs: point }, root, values);
        values[&root]
    }

    /// The normal form of both, if it is one, or if a condition of the domain states that they do not differ.
    fn same_value(&mut self, a: &Normal, b: &Normal) -> Option<SameValue> {
        let (Meaning::Number(form), Meaning::Number(other)) = (a.meaning, b.meaning) else { return None };
        let Normalizer { table, logic, facts, .. } = &mut self.normalizer;
        if form == other {
            return Some(SameValue { form, stated: None });
        }
        table.fuel = FUEL;
        let difference = table.sub(form, other).ok()?;
        if difference == FormId::ZERO {
            return Some(SameValue { form, stated: None });
        }
        let (key, _) = table.sign_key(difference);
        let is_stated = facts.stated.get(&key).is_some_and(|signs| signs.within(Signs::ZERO));
        let stated = if is_stated { facts.sign(table, logic, difference, Signs::ZERO) } else { None };
        stated.map(|_| SameValue { form, stated })
    }

    /// That both have values at the same points of the domain; none if that is not shown.
    pub(super) fn same_needs(&mut self, a: &Normal, b: &Normal) -> Option<SameNeeds> {
        let (of_a, of_b) = (self.signs_needed(a), self.signs_needed(b));
        let mut same = SameNeeds::default();
        let keys: BTreeSet<FormId> = of_a.keys().chain(of_b.keys()).copied().collect();
        let Normalizer { table, logic, facts: known, .. } = &mut self.normalizer;
        for key in keys {
            let (s, t) = (of_a.get(&key), of_b.get(&key));
            let agree = s.copied().unwrap_or(Signs::ALL).agreement(t.copied().unwrap_or(Signs::ALL));
            if let (Some(s), Some(t)) = (s, t) {
                // One may say it in two parts, y >= 0 and y != 0, and the other in one: what counts is what they say.
                same.shared_signs.push((key, s.and(*t)));
                if agree == Signs::ALL {
                    continue;
                }
            }
            // Where both ask for a sign, both are without a value where the form is.
            let fact = if s.is_some() && t.is_some() {
                known.sign(table, logic, key, agree)
            } else {
                known.value_and_sign(table, logic, key, agree)
            };
            same.discharged.push(fact?);
        }
        let others = |n: &Normal| -> Vec<NeedId> {
            n.needs.iter().filter(|id| !matches!(logic.need(**id), Need::Sign(..))).copied().collect()
        };
        let (of_a, of_b) = (others(a), others(b));
        same.shared = of_a.iter().filter(|n| of_b.contains(n)).copied().collect();
        for need in of_a.iter().filter(|n| !of_b.contains(n)).chain(of_b.iter().filter(|n| !of_a.contains(n))) {
            same.discharged.push(known.holds(table, logic, *need)?);
        }
        Some(same)
    }

    /// The signs that a node needs, of a form all in one: where a factor must not be 0, the signs of products do not
    /// depend on its square.
    fn signs_needed(&mut self, n: &Normal) -> BTreeMap<FormId, Signs> {
        let Normalizer { table, logic, .. } = &mut self.normalizer;
        let needs = n.needs.iter().filter_map(|id| match logic.need(*id) {
            Need::Sign(f, s) => Some((*f, *s)),
            _ => None,
        });
        let needs: Vec<(FormId, Signs)> = needs.collect();
        let not_zero: BTreeSet<FormId> = needs.iter().filter(|n| n.1.within(Signs::NOT_ZERO)).map(|n| n.0).collect();
        let mut signs: BTreeMap<FormId, Signs> = BTreeMap::new();
        for (form, s) in needs {
            let form = table.without_squares(form, &not_zero);
            if form == FormId::ONE && Signs::POSITIVE.within(s) {
                continue;
            }
            let known = signs.entry(form).or_insert(Signs::ALL);
            *known = known.and(s);
        }
        signs
    }

    fn proof(&self, f: NodeId, g: NodeId, value: SameValue, needs: SameNeeds) -> Proof {
        let text = Text { n: &self.normalizer, names: &self.names };
        let mut used = self.facts_of(&[f, g]);
        used.extend(value.stated);
        let kind = if used.is_empty() && needs.discharged.is_empty() {
            ProofKind::SameNormalForm
        } else {
            ProofKind::OnDomain
        };
        let signs = needs.shared_signs.iter().map(|(f, signs)| text.sign(*f, *signs));
        let shared = signs.chain(needs.shared.iter().map(|n| text.need(*n)));
        let lines = |facts: &mut dyn Iterator<Item = FactId>| facts.map(|x| text.fact(x)).collect::<Vec<_>>();
        Proof {
            kind,
            form: text.form(value.form),
            facts: lines(&mut used.into_iter()),
            shared_needs: shared.collect(),
            discharged: lines(&mut needs.discharged.into_iter()),
        }
    }

    /// The facts on which the normal forms of these nodes rest.
    fn facts_of(&self, roots: &[NodeId]) -> BTreeSet<FactId> {
        let mut facts = BTreeSet::new();
        let mut seen: HashSet<NodeId> = HashSet::new();
        let mut stack = roots.to_vec();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                facts.extend(self.normalizer.known(id).into_iter().flat_map(|n| n.facts.iter().copied()));
                self.normalizer.tape.node(id).for_each_operand(|o| stack.push(o));
            }
        }
        facts
    }
}

/// Term operations for one comparison.
pub(super) const FUEL: u32 = 200_000;
