//! The solver asked about formulas, and its solutions looked at.

use super::blast::Blaster;
use super::circuit::{Circuit, SatLiteral};
use crate::num::Integer;
use crate::solve::float::value::Open;
use crate::solve::float::{Graph, Sort, Term, TermOp};
use crate::solve::float::{evaluation, exact};

/// What the solver knows.
#[derive(Clone, Debug, PartialEq)]
pub enum SatVerdict {
    /// The formulas hold for these bits of the unknowns, as exact evaluation says, with this meaning of what is open.
    Sat(Vec<Integer>, Open),
    /// They hold for none.
    Unsat,
    /// Neither was found.
    Unknown,
}

/// Formulas that are all to be true, in gates.
pub struct SatSearch<'g> {
    graph: &'g Graph,
    roots: Vec<Term>,
    /// Formulas that are true of every solution, which are looked at once one breaks them.
    lemmas: Vec<Term>,
    blaster: Blaster<'g>,
    is_made: bool,
}

/// The most lemmas that are added at a time.
const MOST_LEMMAS: usize = 200;
/// A solution that breaks a formula costs as much as so many conflicts.
const BROKEN: u64 = 50;

impl<'g> SatSearch<'g> {
    /// Of formulas, with the gates of a circuit that has none yet. `lemmas` are to be true as well; they are given to the solver as its solutions break
    /// them.
    #[must_use]
    pub fn new(graph: &'g Graph, roots: &[Term], lemmas: &[Term], circuit: Circuit) -> Self {
        SatSearch {
            graph,
            roots: roots.to_vec(),
            lemmas: lemmas.to_vec(),
            blaster: Blaster::new(graph, circuit),
            is_made: false,
        }
    }

    /// Without gates for sums, products, quotients and roots: of these is known what `lemmas` say, and what follows from solutions
    /// that were wrong.
    #[must_use]
    pub fn without_rounding(mut self) -> Self {
        self.blaster.is_rounding_open = true;
        self
    }

    /// Make something true.
    fn assert(&mut self, terms: &[Term]) -> Option<()> {
        self.blaster.make(terms)?;
        for term in terms {
            let truth = self.blaster.truth(*term);
            self.blaster.circuit.require(&[truth]);
        }
        Some(())
    }

    /// Look for a solution, with at most so many conflicts more. Nothing where more of them may decide it; [`SatVerdict::Unknown`]
    /// where they do not.
    pub fn run(&mut self, conflicts: u64) -> Option<SatVerdict> {
        let roots = self.roots.clone();
        if !self.is_made && self.assert(&roots).is_none() {
            return Some(SatVerdict::Unknown);
        }
        self.is_made = true;
        let mut left = conflicts;
        while left > 0 && !crate::halt::requested() {
            let most = i32::try_from(left).unwrap_or(i32::MAX);
            match self.blaster.circuit.solve(&[], Some(most)) {
                Some(false) => return Some(SatVerdict::Unsat),
                None => return None,
                Some(true) => {}
            }
            left = left.saturating_sub(BROKEN);
            let (inputs, open) = self.solution();
            let values = evaluation::all_bits(self.graph, &inputs, open);
            let holds = |t: &Term| values[t.index()] == 1;
            let broken: Vec<Term> = self.lemmas.iter().filter(|t| !holds(t)).take(MOST_LEMMAS).copied().collect();
            if broken.is_empty() && self.roots.iter().all(holds) {
                return Some(SatVerdict::Sat(inputs, open));
            }
            let corrected = self.correct();
            if !corrected && broken.is_empty() || self.assert(&broken).is_none() {
                return Some(SatVerdict::Unknown);
            }
        }
        None
    }

    /// The bits of all unknowns in the solution that was found last, and what it takes for open.
    fn solution(&mut self) -> (Vec<Integer>, Open) {
        let inputs = self.graph.variables().iter().map(|v| self.blaster.found(*v).unwrap_or_default()).collect();
        let mut open = Open::default();
        if let Some((_, zeros)) = self.blaster.zeros.first() {
            for (k, literal) in zeros.iter().enumerate() {
                open.zeros |= u8::from(self.blaster.circuit.value(*literal)) << k;
            }
        }
        (inputs, open)
    }

    /// Forbid what the solution that was found last says wrongly of operations without gates: whether there was any.
    fn correct(&mut self) -> bool {
        let mut wrong = Vec::new();
        for term in self.blaster.loose.clone() {
            let below = self.graph.below(term);
            let operands: Option<Vec<Integer>> = below.iter().map(|t| self.blaster.found(*t)).collect();
            let (Some(operands), Some(found)) = (operands, self.blaster.found(term)) else { continue };
            let value = self.operation(term, &below, &operands);
            if let Some(value) = value.filter(|v| *v != found) {
                wrong.push((term, below, operands, value));
            }
        }
        for (term, below, operands, value) in &wrong {
            let mut clause = Vec::new();
            for (operand, bits) in below.iter().zip(operands) {
                let word = self.blaster.word(*operand);
                clause.extend(word.iter().enumerate().map(|(k, l)| if bits.get_bit(k as u32) { !*l } else { *l }));
            }
            let word = self.blaster.word(*term);
            for (k, literal) in word.iter().enumerate() {
                let literal = if value.get_bit(k as u32) { *literal } else { !*literal };
                let implied: Vec<SatLiteral> = clause.iter().copied().chain([literal]).collect();
                self.blaster.circuit.require(&implied);
            }
        }
        !wrong.is_empty()
    }

    /// The bits that one operation comes to.
    fn operation(&self, term: Term, below: &[Term], operands: &[Integer]) -> Option<Integer> {
        let sort = |k: usize| -> Sort { self.graph.sort(below[k]) };
        match self.graph.op(term) {
            TermOp::Library(place) => {
                let values: Vec<i64> =
                    operands.iter().enumerate().map(|(k, bits)| exact::narrow(sort(k), bits)).collect();
                Some(exact::bits_of(self.graph.sort(term), self.graph.library(place).value(&values)))
            }
            op => exact::one(op, self.graph.sort(term), &sort, operands),
        }
    }
}
