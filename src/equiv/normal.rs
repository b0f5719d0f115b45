//! From nodes of the tape to normal forms, with their needs and the facts of the domain that were used.

use super::definedness::{Cond, CondId, Logic, Need, NeedId, NeedSet, Signs, union};
use super::facts::{FactId, Facts};
use super::table::{Atom, FormId, Stop, Table, Try};
use crate::halt;
use crate::num::mpfr::Integer;
use crate::num::{Interval, Rational, Ternary};
use crate::ops::{Constant, Exact, MAX_ARITY, Op};
use crate::tape::eval::{Boxes, Enclosure, step};
use crate::tape::node::ConstValue;
use crate::tape::{NodeId, Tape, TapeNode};
use std::collections::HashMap;
use std::sync::Arc;

/// What a node is in normal form.
#[derive(Clone, Debug)]
pub(super) struct Normal {
    /// The value of a node that is a number, or the condition.
    pub(super) meaning: Meaning,
    /// Where it has a value.
    pub(super) needs: NeedSet,
    /// Facts of the domain on which this step rests (not those of its operands).
    pub(super) facts: Vec<FactId>,
}

/// A number or a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Number(FormId),
    Condition(CondId),
}

/// An operator applied to normal forms.
#[derive(Clone, Debug)]
struct Applied {
    value: FormId,
    needs: NeedSet,
    facts: Vec<FactId>,
}

/// Conditions and branches are not nested deeper than this.
const MAX_NESTING: u32 = 64;
/// Term operations for one node.
const FUEL: u32 = 60_000;
/// Term operations for all nodes of one root together; beyond them each node has little. The rounds of an iteration grow one
/// after the other.
const FUEL_OF_ROOT: u32 = 4 * FUEL;
/// Term operations for what another function has of its own in the rounds of a loop.
const FUEL_OF_OTHER: u32 = FUEL_OF_ROOT >> 3;
/// Term operations for a node where there are few.
const LITTLE_FUEL: u32 = FUEL >> 6;
/// Where more choices than these stand in each other there is less fuel: the rounds of a loop, each of which may be the last,
/// grow beyond any limit one after the other.
pub(super) const MANY_CHOICES: u32 = 12;

/// Normal forms of the nodes of one tape on one domain.
pub(super) struct Normalizer<'a> {
    pub(super) tape: &'a Tape,
    pub(super) table: Table,
    pub(super) logic: Logic,
    pub(super) facts: Facts,
    normals: Vec<Option<Arc<Normal>>>,
    /// For each node how many choices stand in each other, see [`Tape::choice_depths`].
    choices: Vec<u32>,
    applied: HashMap<(Op, [FormId; MAX_ARITY]), Try<Applied>>,
    /// Term operations for all roots together; without them each node has little.
    pub(super) fuel_left: u64,
    /// Facts used in the step at hand.
    pub(super) used: Vec<FactId>,
}

impl<'a> Normalizer<'a> {
    /// Nothing is in normal form yet.
    pub(super) fn new(tape: &'a Tape, facts: Facts) -> Self {
        Normalizer {
            tape,
            table: Table::new(),
            logic: Logic::default(),
            facts,
            normals: vec![None; tape.len()],
            choices: tape.choice_depths(),
            applied: HashMap::new(),
            fuel_left: u64::MAX,
            used: Vec::new(),
        }
    }

    /// Normal forms are made anew from now on: more is known of signs.
    pub(super) fn forget(&mut self) {
        self.applied.clear();
        self.normals.fill(None);
    }

    /// The normal form of a node; none where the work is to end early.
    pub(super) fn normal(&mut self, root: NodeId) -> Option<Arc<Normal>> {
        self.normal_within(root, None)
    }

    /// The same of a function that may be another one that has its form; none as well where it has much of its own in the rounds of
    /// a loop, which is nearly never the same in the end.
    pub(super) fn normal_of_other(&mut self, root: NodeId) -> Option<Arc<Normal>> {
        self.normal_within(root, (self.choices[root.index()] > MANY_CHOICES).then_some(FUEL_OF_OTHER))
    }

    fn normal_within(&mut self, root: NodeId, limit: Option<u32>) -> Option<Arc<Normal>> {
        let mut stack = vec![root];
        let is_long = self.choices[root.index()] > MANY_CHOICES;
        let most = if is_long { LITTLE_FUEL } else { FUEL };
        let of_root = limit.unwrap_or(FUEL_OF_ROOT);
        let mut left = u32::try_from(self.fuel_left).map_or(of_root, |all| all.min(of_root));
        while let Some(&id) = stack.last() {
            if halt::requested() || limit.is_some() && left == 0 {
                return None;
            }
            if self.normals[id.index()].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let node = self.tape.node(id);
            let taken = if is_long { self.branch_to_make(node) } else { None };
            let mut need = |o: NodeId| {
                if self.normals[o.index()].is_none() {
                    stack.push(o);
                }
            };
            match taken {
                Some(branch) => need(branch),
                None => node.for_each_operand(need),
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let fuel = left.clamp(LITTLE_FUEL, most);
            self.table.fuel = fuel;
            self.used.clear();
            let normal = self.node(id);
            let spent = fuel - self.table.fuel.min(fuel);
            left = left.saturating_sub(spent);
            self.fuel_left = self.fuel_left.saturating_sub(u64::from(spent));
            self.normals[id.index()] = Some(Arc::new(normal));
        }
        self.known(root).cloned()
    }

    /// Of a choice its condition, as long as that has no normal form, and then the branch that it takes on the whole domain:
    /// no form of the other one is needed. `None`: all operands are needed.
    fn branch_to_make(&mut self, node: TapeNode) -> Option<NodeId> {
        let TapeNode::If(condition, then, otherwise) = node else { return None };
        let Some(known) = self.known(condition) else { return Some(condition) };
        let Meaning::Condition(c) = known.meaning else { return None };
        self.table.fuel = LITTLE_FUEL;
        let decided = self.decide(c).0;
        match self.logic.cond(decided) {
            Cond::Bool(truth) => Some(if *truth { then } else { otherwise }),
            _ => None,
        }
    }

    /// The normal form of a node that was reached before.
    pub(super) fn known(&self, id: NodeId) -> Option<&Arc<Normal>> {
        self.normals.get(id.index())?.as_ref()
    }

    fn node(&mut self, id: NodeId) -> Normal {
        let node = self.tape.node(id);
        let enclosure = self.enclosure(id, node);
        let normal = match node {
            TapeNode::Var(_)
            | TapeNode::Const(_)
            | TapeNode::Op(..)
            | TapeNode::If(..)
            | TapeNode::Undefined
            | TapeNode::Unknown(..)
            | TapeNode::Arguments(..) => self.number(node),
            _ => self.condition(node),
        };
        let mut normal = match normal {
            Ok(n) => n,
            Err(stop) => return self.as_it_stands(id, node, stop),
        };
        // One value on the whole domain: that number. Only what is not a constant already.
        if let Meaning::Number(f) = normal.meaning
            && enclosure.x.is_point()
            && !enclosure.def.is_false()
            && self.table.rational(f).is_none()
        {
            let value = self.table.constant(crate::num::float::rational(enclosure.x.inf()));
            normal.meaning = Meaning::Number(value);
            normal.facts.push(self.facts.one_value(id));
        }
        normal
    }

    /// The enclosure of the node over the whole box; its operands have theirs.
    fn enclosure(&mut self, id: NodeId, node: TapeNode) -> Enclosure {
        let unknown = Enclosure { x: Interval::ENTIRE, def: Ternary::Unknown, own: Ternary::Unknown };
        let Facts { nodes, ranges, .. } = &mut self.facts;
        let value = step(self.tape, node, &mut Boxes { inputs: ranges }, |o| nodes.get(&o).unwrap_or(&unknown));
        nodes.insert(id, value);
        value
    }

    /// The node as an atom: too large for a normal form, or without a value anywhere.
    fn as_it_stands(&mut self, id: NodeId, node: TapeNode, stop: Stop) -> Normal {
        let need = if stop == Stop::Nowhere { Need::Never } else { Need::Node(id) };
        let needs = vec![self.logic.need_id(need)];
        let meaning = match node {
            TapeNode::Var(_)
            | TapeNode::Const(_)
            | TapeNode::Op(..)
            | TapeNode::If(..)
            | TapeNode::Undefined
            | TapeNode::Unknown(..)
            | TapeNode::Arguments(..) => Meaning::Number(self.table.opaque(id)),
            _ => Meaning::Condition(self.logic.cond_id(Cond::Node(id, true))),
        };
        Normal { meaning, needs, facts: Vec::new() }
    }

    fn operand(&self, id: NodeId) -> Try<(FormId, Arc<Normal>)> {
        let n = self.known(id).ok_or(Stop::Limit)?.clone();
        match n.meaning {
            Meaning::Number(f) => Ok((f, n)),
            Meaning::Condition(_) => Err(Stop::Limit),
        }
    }

    fn operand_condition(&self, id: NodeId) -> Try<(CondId, Arc<Normal>)> {
        let n = self.known(id).ok_or(Stop::Limit)?.clone();
        match n.meaning {
            Meaning::Condition(c) => Ok((c, n)),
            Meaning::Number(_) => Err(Stop::Limit),
        }
    }

    fn number(&mut self, node: TapeNode) -> Try<Normal> {
        let plain = |value| Normal { meaning: Meaning::Number(value), needs: Vec::new(), facts: Vec::new() };
        match node {
            TapeNode::Var(i) => Ok(plain(self.table.atomic(Atom::Input(i))?)),
            TapeNode::Const(c) => match &self.tape.constant(c).value {
                ConstValue::Rational(r) => Ok(plain(self.table.constant(r.clone()))),
                ConstValue::Named(c) => Ok(plain(self.named(*c)?)),
                // No single number: it need not even equal itself.
                ConstValue::Within(..) => Err(Stop::Limit),
            },
            TapeNode::Op(op, operands) => {
                let mut args = [FormId::ZERO; MAX_ARITY];
                let mut needs = NeedSet::new();
                for (slot, o) in args.iter_mut().zip(&operands[..op.arity()]) {
                    let (value, n) = self.operand(*o)?;
                    *slot = value;
                    needs = union(&needs, &n.needs);
                }
                for k in op.arity()..MAX_ARITY {
                    args[k] = args[0];
                }
                let applied = self.apply(op, args)?;
                let needs = union(&needs, &applied.needs);
                Ok(Normal { meaning: Meaning::Number(applied.value), needs, facts: applied.facts })
            }
            TapeNode::If(c, t, e) => self.choice(c, t, e),
            TapeNode::Undefined => Err(Stop::Nowhere),
            _ => Err(Stop::Limit),
        }
    }

    fn choice(&mut self, c: NodeId, t: NodeId, e: NodeId) -> Try<Normal> {
        let (c, of_c) = self.operand_condition(c)?;
        let (c, facts) = self.decide(c);
        let chosen = |value, needs: &[NeedId]| Normal {
            meaning: Meaning::Number(value),
            needs: union(&of_c.needs, needs),
            facts: facts.clone(),
        };
        if let Cond::Bool(b) = self.logic.cond(c) {
            let (value, of_value) = self.operand(if *b { t } else { e })?;
            return Ok(chosen(value, &of_value.needs));
        }
        let ((t, of_t), (e, of_e)) = (self.operand(t)?, self.operand(e)?);
        // What both branches need is needed anyway.
        let shared: NeedSet = of_t.needs.iter().copied().filter(|n| of_e.needs.contains(n)).collect();
        let own = |set: &[NeedId]| set.iter().copied().filter(|n| !shared.contains(n)).collect::<NeedSet>();
        let (then, otherwise) = (own(&of_t.needs), own(&of_e.needs));
        let contrary = self.logic.not(c);
        let swap = contrary < c;
        let first = if swap { contrary } else { c };
        let ((t, then), (e, otherwise)) = if swap { ((e, otherwise), (t, then)) } else { ((t, then), (e, otherwise)) };
        let mut needs = shared;
        if !(then.is_empty() && otherwise.is_empty()) {
            let branch = self.logic.need_id(Need::Branch(first, then, otherwise));
            if self.logic.need_depth(branch) > MAX_NESTING {
                return Err(Stop::Limit);
            }
            needs.push(branch);
            needs.sort_unstable();
        }
        // Branches in different shapes may still be one function: the two ways to write a root of a quadratic.
        let same = t == e || self.table.sub(t, e) == Ok(FormId::ZERO);
        let value = if same { t } else { self.table.atomic(Atom::If(first, t, e))? };
        Ok(chosen(value, &needs))
    }

    /// The condition with what is decided on the domain put in, and the facts used.
    fn decide(&mut self, c: CondId) -> (CondId, Vec<FactId>) {
        match self.logic.cond(c).clone() {
            Cond::Sign(f, signs) => {
                for (signs, truth) in [(signs, true), (signs.complement(), false)] {
                    if let Some(fact) = self.facts.sign(&mut self.table, &self.logic, f, signs) {
                        return (self.logic.cond_id(Cond::Bool(truth)), vec![fact]);
                    }
                }
                (c, Vec::new())
            }
            Cond::All(parts) | Cond::Any(parts) => {
                let all = matches!(self.logic.cond(c), Cond::All(_));
                let (mut decided, mut facts) = (Vec::new(), Vec::new());
                for p in parts {
                    let (p, f) = self.decide(p);
                    decided.push(p);
                    facts.extend(f);
                }
                (if all { self.logic.all(decided) } else { self.logic.any(decided) }, facts)
            }
            Cond::Bool(_) | Cond::Node(..) => (c, Vec::new()),
        }
    }

    fn condition(&mut self, node: TapeNode) -> Try<Normal> {
        let (meaning, needs) = match node {
            TapeNode::Bool(b) => (self.logic.cond_id(Cond::Bool(b)), Vec::new()),
            TapeNode::Less(a, b) => self.comparison(a, b, Signs::NEGATIVE)?,
            TapeNode::LessEq(a, b) => self.comparison(a, b, Signs::NOT_POSITIVE)?,
            TapeNode::Equal(a, b) => self.comparison(a, b, Signs::ZERO)?,
            TapeNode::And(a, b) | TapeNode::Or(a, b) => {
                let ((a, of_a), (b, of_b)) = (self.operand_condition(a)?, self.operand_condition(b)?);
                let parts = vec![a, b];
                let joined =
                    if matches!(node, TapeNode::And(..)) { self.logic.all(parts) } else { self.logic.any(parts) };
                if self.logic.cond_depth(joined) > MAX_NESTING {
                    return Err(Stop::Limit);
                }
                (joined, union(&of_a.needs, &of_b.needs))
            }
            TapeNode::Not(a) => {
                let (a, of_a) = self.operand_condition(a)?;
                (self.logic.not(a), of_a.needs.clone())
            }
            _ => return Err(Stop::Limit),
        };
        Ok(Normal { meaning: Meaning::Condition(meaning), needs, facts: Vec::new() })
    }

    /// The sign of `a - b` is one of these.
    fn comparison(&mut self, a: NodeId, b: NodeId, signs: Signs) -> Try<(CondId, NeedSet)> {
        let ((a, of_a), (b, of_b)) = (self.operand(a)?, self.operand(b)?);
        let difference = self.table.sub(a, b)?;
        let cond = match self.table.rational(difference) {
            Some(value) => Cond::Bool(Signs::of(&value).within(signs)),
            None => {
                let (key, flip) = self.table.sign_key(difference);
                Cond::Sign(key, signs.flipped_if(flip))
            }
        };
        Ok((self.logic.cond_id(cond), union(&of_a.needs, &of_b.needs)))
    }

    /// A named constant by pi, e and the logarithms of integers.
    fn named(&mut self, c: Constant) -> Try<FormId> {
        let half = Rational::from((1, 2));
        let pi = self.table.atomic(Atom::Pi)?;
        Ok(match c {
            Constant::E => self.exp(FormId::ONE)?,
            Constant::Ln2 => self.log_rational(&Rational::from(2))?,
            Constant::Ln10 => self.log_rational(&Rational::from(10))?,
            Constant::Log2E | Constant::Log10E => {
                let log = self.log_rational(&Rational::from(if c == Constant::Log2E { 2 } else { 10 }))?;
                self.table.power(log, -1)?
            }
            Constant::Pi => pi,
            Constant::Pi2 => self.table.scale(pi, &half)?,
            Constant::Pi4 => self.table.scale(pi, &Rational::from((1, 4)))?,
            Constant::InvPi => self.table.power(pi, -1)?,
            Constant::TwoInvPi => {
                let inverse = self.table.power(pi, -1)?;
                self.table.scale(inverse, &Rational::from(2))?
            }
            Constant::TwoInvSqrtPi => {
                let root = self.sqrt(pi)?;
                let inverse = self.table.power(root, -1)?;
                self.table.scale(inverse, &Rational::from(2))?
            }
            Constant::Sqrt2 => self.sqrt_rational(&Rational::from(2))?,
            Constant::Sqrt1_2 => self.sqrt_rational(&half)?,
            Constant::Infinity | Constant::Nan | Constant::True | Constant::False => return Err(Stop::Limit),
        })
    }

    /// An operator applied to normal forms that have values.
    fn apply(&mut self, op: Op, args: [FormId; MAX_ARITY]) -> Try<Applied> {
        if let Some(known) = self.applied.get(&(op, args)) {
            return known.clone();
        }
        let applied = self.applied(op, args);
        self.applied.insert((op, args), applied.clone());
        applied
    }

    fn applied(&mut self, op: Op, args: [FormId; MAX_ARITY]) -> Try<Applied> {
        let constants: Option<Vec<Rational>> = args[..op.arity()].iter().map(|a| self.table.rational(*a)).collect();
        if let Some(constants) = constants {
            match op.exact(&constants.iter().collect::<Vec<_>>()) {
                Exact::Value(v) => {
                    return Ok(Applied { value: self.table.constant(v), needs: Vec::new(), facts: Vec::new() });
                }
                Exact::Undefined => return Err(Stop::Nowhere),
                Exact::OfPi(_) | Exact::Unknown => {}
            }
        }
        let mut needs = Vec::new();
        let value = self.rule(op, args, &mut needs)?;
        let mut needs: NeedSet = needs.into_iter().map(|n| self.logic.need_id(n)).collect();
        needs.sort_unstable();
        needs.dedup();
        let mut facts = std::mem::take(&mut self.used);
        facts.sort_unstable();
        facts.dedup();
        Ok(Applied { value, needs, facts })
    }

    /// Whether the sign of the form is one of these at every point of the domain at which it has a value. The fact is
    /// noted as used.
    pub(super) fn always(&mut self, form: FormId, signs: Signs) -> bool {
        if let Some(value) = self.table.rational(form) {
            return Signs::of(&value).within(signs);
        }
        match self.facts.sign(&mut self.table, &self.logic, form, signs) {
            Some(fact) => {
                self.used.push(fact);
                true
            }
            None => false,
        }
    }
}

/// The powers of small primes in a positive integer, and what is left.
pub(super) fn small_primes(n: &Integer) -> (Vec<(u32, u32)>, Integer) {
    let mut rest = n.clone();
    let mut found = Vec::new();
    for p in [2u32, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31] {
        let k = rest.remove_factor_mut(&Integer::from(p));
        if k > 0 {
            found.push((p, k));
        }
    }
    (found, rest)
}
