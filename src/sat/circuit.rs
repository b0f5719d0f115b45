//! Gates over truth values, as clauses for a SAT solver. Equal gates are one, and what is known is not asked for.

use super::clauses::ClauseSolver;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A truth value of a circuit: a variable, or not that variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SatLiteral(i32);

impl SatLiteral {
    /// What is true.
    pub const TRUE: SatLiteral = SatLiteral(1);
    /// What is false.
    pub const FALSE: SatLiteral = SatLiteral(-1);

    /// True or false.
    #[must_use]
    pub fn of(value: bool) -> Self {
        if value { SatLiteral::TRUE } else { SatLiteral::FALSE }
    }

    /// Which it is, if it is known.
    #[must_use]
    pub fn known(self) -> Option<bool> {
        (self.0.abs() == 1).then_some(self.0 == 1)
    }
}

impl std::ops::Not for SatLiteral {
    type Output = SatLiteral;
    fn not(self) -> SatLiteral {
        SatLiteral(-self.0)
    }
}

/// A gate of which there is one for the same operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Gate {
    And,
    Xor,
    Choice,
    Majority,
}

/// A hash of few small numbers.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.write_u64(u64::from(*b)));
    }
    fn write_isize(&mut self, x: isize) {
        self.write_u64(x as u64);
    }
    fn write_u64(&mut self, x: u64) {
        self.0 = (self.0.rotate_left(23) ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// Gates, and the solver that knows their clauses.
pub struct Circuit {
    solver: ClauseSolver,
    gates: HashMap<(Gate, [i32; 3]), SatLiteral, BuildHasherDefault<Mixer>>,
    last: i32,
    most: i32,
}

impl Circuit {
    /// Of at most so many gates, for CaDiCaL.
    #[must_use]
    pub fn of_at_most(gates: u32) -> Self {
        Circuit::for_solver(ClauseSolver::cadical(), gates)
    }

    /// The same for BatSat: slower, and independent of CaDiCaL.
    #[must_use]
    pub fn to_confirm(gates: u32) -> Self {
        Circuit::for_solver(ClauseSolver::batsat(), gates)
    }

    fn for_solver(mut solver: ClauseSolver, gates: u32) -> Self {
        solver.add_clause([1]);
        let most = i32::try_from(gates).unwrap_or(i32::MAX);
        Circuit { solver, gates: HashMap::default(), last: 1, most }
    }

    /// A truth value that is open.
    pub fn fresh(&mut self) -> SatLiteral {
        self.last += 1;
        SatLiteral(self.last)
    }

    /// Whether it is too large to go on with.
    #[must_use]
    pub fn is_too_large(&self) -> bool {
        self.last > self.most
    }

    /// That one of these is true.
    pub fn require(&mut self, any: &[SatLiteral]) {
        self.solver.add_clause(any.iter().map(|l| l.0));
    }

    /// Whether all that is required can hold, and what is assumed; with so many conflicts at most. `None`: it is not known.
    pub fn solve(&mut self, assumed: &[SatLiteral], conflicts: Option<i32>) -> Option<bool> {
        self.solver.solve(assumed.iter().map(|l| l.0), conflicts)
    }

    /// What something is in the solution that was found last.
    #[must_use]
    pub fn value(&self, of: SatLiteral) -> bool {
        of.known().unwrap_or_else(|| self.solver.value(of.0).unwrap_or(false))
    }

    fn gate(&mut self, gate: Gate, operands: [i32; 3], clauses: &[&[(usize, bool)]]) -> SatLiteral {
        if let Some(known) = self.gates.get(&(gate, operands)) {
            return *known;
        }
        let output = self.fresh();
        self.gates.insert((gate, operands), output);
        for clause in clauses {
            // Place 3 is the gate itself.
            let literal = |&(k, holds): &(usize, bool)| {
                let of = if k == 3 { output.0 } else { operands[k] };
                if holds { of } else { -of }
            };
            self.solver.add_clause(clause.iter().map(literal));
        }
        output
    }

    /// Both.
    pub fn and(&mut self, a: SatLiteral, b: SatLiteral) -> SatLiteral {
        match (a.known(), b.known()) {
            (Some(false), _) | (_, Some(false)) => return SatLiteral::FALSE,
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ if a == b => return a,
            _ if a == !b => return SatLiteral::FALSE,
            _ => {}
        }
        let (a, b) = (a.min(b), a.max(b));
        let clauses: [&[(usize, bool)]; 3] =
            [&[(0, true), (3, false)], &[(1, true), (3, false)], &[(0, false), (1, false), (3, true)]];
        self.gate(Gate::And, [a.0, b.0, 0], &clauses)
    }

    /// One of two, or both.
    pub fn or(&mut self, a: SatLiteral, b: SatLiteral) -> SatLiteral {
        !self.and(!a, !b)
    }

    /// One of two, and not both.
    pub fn xor(&mut self, a: SatLiteral, b: SatLiteral) -> SatLiteral {
        match (a.known(), b.known()) {
            (Some(x), _) => return if x { !b } else { b },
            (_, Some(y)) => return if y { !a } else { a },
            _ if a == b => return SatLiteral::FALSE,
            _ if a == !b => return SatLiteral::TRUE,
            _ => {}
        }
        // The gate is of the variables: a sign of either turns it.
        let turned = (a.0 < 0) != (b.0 < 0);
        let (x, y) = (a.0.abs().min(b.0.abs()), a.0.abs().max(b.0.abs()));
        let clauses: [&[(usize, bool)]; 4] = [
            &[(0, false), (1, false), (3, false)],
            &[(0, true), (1, true), (3, false)],
            &[(0, true), (1, false), (3, true)],
            &[(0, false), (1, true), (3, true)],
        ];
        let gate = self.gate(Gate::Xor, [x, y, 0], &clauses);
        if turned { !gate } else { gate }
    }

    /// Whether two are the same.
    pub fn same(&mut self, a: SatLiteral, b: SatLiteral) -> SatLiteral {
        !self.xor(a, b)
    }

    /// The second where the first holds, else the third.
    pub fn choice(&mut self, condition: SatLiteral, a: SatLiteral, b: SatLiteral) -> SatLiteral {
        if let Some(holds) = condition.known() {
            return if holds { a } else { b };
        }
        if a == b {
            return a;
        }
        if a == !b {
            return self.same(condition, a);
        }
        if a == condition || a == SatLiteral::TRUE {
            return self.or(condition, b);
        }
        if a == !condition || a == SatLiteral::FALSE {
            return self.and(!condition, b);
        }
        if b == condition || b == SatLiteral::FALSE {
            return self.and(condition, a);
        }
        if b == !condition || b == SatLiteral::TRUE {
            return self.or(!condition, a);
        }
        if condition.0 < 0 {
            return self.choice(!condition, b, a);
        }
        if a.0 < 0 {
            return !self.choice(condition, !a, !b);
        }
        let clauses: [&[(usize, bool)]; 6] = [
            &[(0, false), (1, false), (3, true)],
            &[(0, false), (1, true), (3, false)],
            &[(0, true), (2, false), (3, true)],
            &[(0, true), (2, true), (3, false)],
            // These follow, and let more be seen at once.
            &[(1, false), (2, false), (3, true)],
            &[(1, true), (2, true), (3, false)],
        ];
        self.gate(Gate::Choice, [condition.0, a.0, b.0], &clauses)
    }

    /// Two of three at least.
    pub fn majority(&mut self, a: SatLiteral, b: SatLiteral, c: SatLiteral) -> SatLiteral {
        let mut x = [a, b, c];
        x.sort_unstable_by_key(|l| (l.0.abs(), l.0));
        let [a, b, c] = x;
        match a.known() {
            Some(true) => return self.or(b, c),
            Some(false) => return self.and(b, c),
            None => {}
        }
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        let clauses: [&[(usize, bool)]; 6] = [
            &[(0, false), (1, false), (3, true)],
            &[(0, false), (2, false), (3, true)],
            &[(1, false), (2, false), (3, true)],
            &[(0, true), (1, true), (3, false)],
            &[(0, true), (2, true), (3, false)],
            &[(1, true), (2, true), (3, false)],
        ];
        if a.0 < 0 { !self.majority(!a, !b, !c) } else { self.gate(Gate::Majority, [a.0, b.0, c.0], &clauses) }
    }

    /// All of them.
    pub fn all(&mut self, of: &[SatLiteral]) -> SatLiteral {
        match of {
            [] => SatLiteral::TRUE,
            [one] => *one,
            _ => {
                let (a, b) = of.split_at(of.len() / 2);
                let (a, b) = (self.all(a), self.all(b));
                self.and(a, b)
            }
        }
    }

    /// One of them at least.
    pub fn any(&mut self, of: &[SatLiteral]) -> SatLiteral {
        let none: Vec<SatLiteral> = of.iter().map(|l| !*l).collect();
        !self.all(&none)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Make = fn(&mut Circuit, [SatLiteral; 3]) -> SatLiteral;
    type Table = fn([bool; 3]) -> bool;

    /// Every gate, for operands that are open, known, equal or each other's opposite, against its table.
    #[test]
    fn gates_are_their_tables() {
        let makers: [(Make, Table); 4] = [
            (|c, [a, b, _]| c.and(a, b), |[a, b, _]| a && b),
            (|c, [a, b, _]| c.xor(a, b), |[a, b, _]| a != b),
            (|c, [a, b, d]| c.choice(a, b, d), |[a, b, d]| if a { b } else { d }),
            (|c, [a, b, d]| c.majority(a, b, d), |[a, b, d]| u8::from(a) + u8::from(b) + u8::from(d) >= 2),
        ];
        for circuit in [Circuit::of_at_most(1 << 20), Circuit::to_confirm(1 << 20)] {
            compare(circuit, &makers);
        }
    }

    fn compare(mut circuit: Circuit, makers: &[(Make, Table)]) {
        let open = [circuit.fresh(), circuit.fresh(), circuit.fresh()];
        let kinds: Vec<SatLiteral> =
            open.iter().flat_map(|l| [*l, !*l]).chain([SatLiteral::TRUE, SatLiteral::FALSE]).collect();
        for (make, table) in makers {
            for a in &kinds {
                for b in &kinds {
                    for c in &kinds {
                        let gate = make(&mut circuit, [*a, *b, *c]);
                        for bits in 0..8 {
                            let assumed: Vec<SatLiteral> =
                                (0..3).map(|k| if bits >> k & 1 == 1 { open[k] } else { !open[k] }).collect();
                            assert_eq!(circuit.solve(&assumed, None), Some(true));
                            let expected = table([*a, *b, *c].map(|l| circuit.value(l)));
                            assert_eq!(circuit.value(gate), expected);
                            let other = if expected { !gate } else { gate };
                            let denied: Vec<SatLiteral> = assumed.iter().copied().chain([other]).collect();
                            assert_eq!(circuit.solve(&denied, None), Some(false));
                        }
                    }
                }
            }
        }
    }
}
