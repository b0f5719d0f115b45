//! The rounds of a loop that are not written out, at a single input: they are gone through one by one. On the way it is looked
//! whether some rounds lead back into a box around the variables, with the condition holding: then the loop never ends.

use super::eval::Following;
use super::memo::Memo;
use super::node::{LoopRest, NodeId, StateUpdate, Tape, TapeNode};
use super::round::{LoopRound, extract_round};
use super::rounds::BoxRound;
use crate::halt;
use crate::num::{Interval, Ternary};
use crate::spec::unroll::COUNTED_ROUNDS;

/// The most rounds that are gone through after those that are written out.
pub const FOLLOWED_ROUNDS: usize = 1000;
/// The rounds before which it is looked whether the loop never ends.
const LOOKS: [usize; 4] = [0, 30, 120, 480];
impl StateUpdate {
    /// The next state, from the values of the tape's nodes; what does not change stays.
    fn advance<V: Clone>(&self, state: &[V], values: &[V]) -> Vec<V> {
        let next = |(now, next): (&V, &Option<NodeId>)| next.map_or(now, |next| &values[next.index()]).clone();
        state.iter().zip(&self.next).map(next).collect()
    }
}

impl LoopRest {
    /// The rest of a loop whose round is on the tape of rounds, and of whose names those are `used` that are arguments.
    pub(super) fn new(round: &LoopRound, rounds: &Tape, used: &[usize], deciding: &[usize], is_counted: bool) -> Self {
        // A variable that only the value needs gets its value in the last round.
        let of_value = rounds.below(&[round.value]).into_iter().filter_map(|node| match rounds.node(node) {
            TapeNode::Var(k) => round.next[k as usize],
            _ => None,
        });
        let carried = round.names_for(rounds, of_value.chain([round.goes_on]).collect());
        let [early, late] = [true, false].map(|is_carried| {
            let of = |(k, next): (usize, &Option<NodeId>)| next.filter(|_| carried.contains(&k) == is_carried);
            let some: Vec<Option<NodeId>> = round.next.iter().enumerate().map(of).collect();
            let (tape, goes_on, next) = extract_round(rounds, round.goes_on, &some);
            StateUpdate { tape, goes_on, next }
        });
        let (ended, value) = rounds.extract(&[round.value]);
        let places = (0..round.next.len()).map(|k| used.iter().position(|u| *u == k)).collect();
        let decides = (0..round.next.len()).map(|k| deciding.contains(&k)).collect();
        LoopRest { places, decides, early, late, ended, value: value[0], is_counted, memo: Memo::default() }
    }

    /// The value of the loop for arguments, of which it is known that it has none where a condition holds. It is unknown where it is
    /// not known whether a round takes place, where too many do, and where the work is to end early.
    pub(super) fn follow<D: Following>(&self, domain: &mut D, has_none: &D::Value, args: &[&D::Value]) -> D::Value {
        if domain.decide(has_none) == Ternary::True {
            return domain.undefined();
        }
        let value = if self.is_counted { self.end_once(domain, args) } else { self.end(domain, args) };
        value.unwrap_or_else(|| domain.unknown())
    }

    /// Whether it depends on no input how often the loop goes round.
    pub(super) fn is_counted(&self) -> bool {
        self.is_counted
    }

    /// The same value as [`LoopRest::end`], kept for those that ask again.
    fn end_once<D: Following>(&self, domain: &mut D, args: &[&D::Value]) -> Option<D::Value> {
        let precision = domain.precision();
        if let Some(known) = self.memo.get(precision, args) {
            return Some(known);
        }
        let value = match self.end(domain, args) {
            None if halt::requested() => return None,
            value => value.unwrap_or_else(|| domain.unknown()),
        };
        self.memo.keep(precision, args, &value);
        Some(value)
    }

    fn end<D: Following>(&self, domain: &mut D, args: &[&D::Value]) -> Option<D::Value> {
        let of_name = |place: &Option<usize>| place.map_or_else(|| domain.unknown(), |place| args[place].clone());
        let mut state: Vec<D::Value> = self.places.iter().map(of_name).collect();
        let (mut before, mut values) = (Vec::new(), Vec::new());
        let most = if self.is_counted { COUNTED_ROUNDS as usize } else { FOLLOWED_ROUNDS };
        for round in 0..most {
            if halt::requested() {
                return None;
            }
            if LOOKS.contains(&round) && self.never_ends(domain, &state) {
                return Some(domain.undefined());
            }
            domain.evaluate_over(&self.early.tape, &state, &mut values);
            match domain.decide(&values[self.early.goes_on.index()]) {
                Ternary::True => {
                    let next = self.early.advance(&state, &values);
                    before = std::mem::replace(&mut state, next);
                }
                Ternary::False => {
                    if !before.is_empty() && self.late.next.iter().any(Option::is_some) {
                        domain.evaluate_over(&self.late.tape, &before, &mut values);
                        state = self.late.advance(&state, &values);
                    }
                    domain.evaluate_over(&self.ended, &state, &mut values);
                    return values.get(self.value.index()).cloned();
                }
                Ternary::Unknown => return None,
            }
        }
        None
    }

    /// Whether it is shown that the loop never ends from a state on.
    fn never_ends<D: Following>(&self, domain: &D, state: &[D::Value]) -> bool {
        let followed =
            self.early.next.iter().zip(&self.decides).map(|(next, decides)| next.filter(|_| *decides)).collect();
        if state.iter().zip(&self.decides).any(|(value, decides)| *decides && !domain.has_value(value)) {
            return false;
        }
        let round = BoxRound { tape: &self.early.tape, goes_on: self.early.goes_on, next: followed };
        let enclosure = |(value, decides): (&D::Value, &bool)| match decides {
            true => domain.interval(value),
            false => Interval::ENTIRE,
        };
        round.returning_box(&state.iter().zip(&self.decides).map(enclosure).collect::<Vec<_>>()).is_some()
    }
}
