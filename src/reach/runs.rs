//! The runs of a search: interpreted, and in machine code where they have become long.

use super::watch::Record;
use crate::code::compiled::{Availability, CompiledProgram, MachineCode};
use crate::code::machine::Trap;
use crate::code::program::CodeProgram;
use crate::code::run::{FUEL, Runner};
use std::sync::Arc;

/// What the C compiler costs, as instructions of the interpreter: in any case, and for each instruction that it compiles.
const COMPILING: u64 = 5_000_000;
const COMPILING_EACH: u64 = 8_000;

/// The most instructions of a run once one has ended.
pub(super) const USUAL: u64 = FUEL / 4;
/// Instructions of runs that do not end before such runs are cut shorter.
const ENDLESS: u64 = FUEL;
/// Runs that do not end may cost this part of all.
const SHARE: u64 = 4;
/// Once one has ended runs have so many instructions at first.
const FIRST: u64 = USUAL / 16;
/// A run that is cut shorter has so many instructions at least.
pub(super) const LEAST: u64 = 20_000;

/// Runs a program for a search.
pub(super) struct Runs<'p> {
    program: &'p CodeProgram,
    runner: Runner<'p>,
    /// The machine code of the module, and the functions that the program reaches.
    code: Arc<MachineCode>,
    reached: Vec<u32>,
    compiled: Option<CompiledProgram<'p>>,
    /// Whether it is not settled yet that runs are made in machine code, or that they are not.
    may_compile: bool,
    /// After so many instructions it is looked again whether machine code pays.
    look: u64,
    made: u64,
    /// Runs that ended.
    ended: u64,
    /// Instructions of the others.
    endless: u64,
    /// The most instructions of a run once one has ended.
    cut: u64,
    /// Instructions that a run needs to come to the goal that is searched for; it has twice as many. With [`FUEL`] it has all of them.
    pub(super) needed: u64,
    /// Instructions of all runs so far.
    pub(super) instructions: u64,
}

impl<'p> Runs<'p> {
    pub(super) fn new(program: &'p CodeProgram) -> Self {
        Runs {
            program,
            runner: Runner::new(&program.module),
            code: MachineCode::of(&program.module),
            reached: program.reached(),
            compiled: None,
            may_compile: true,
            look: 0,
            made: 0,
            ended: 0,
            endless: 0,
            cut: FIRST,
            needed: 0,
            instructions: 0,
        }
    }

    /// From now on functions are compiled together with those of other searches in the same module.
    pub(super) fn share(&mut self, code: &Arc<MachineCode>) {
        self.code = Arc::clone(code);
    }

    /// Takes what has been compiled, or has it compiled beside the runs where those so far have cost half of what that does, and so many
    /// more would cost twice as much.
    pub(super) fn compile_if_it_pays(&mut self, runs: u64, instructions: u64) {
        if !self.may_compile || self.instructions < self.look {
            return;
        }
        self.look = self.instructions + self.instructions / 4 + COMPILING / 8;
        match self.code.availability(&self.reached) {
            Availability::Ready(_) => _ = self.compile(),
            Availability::Refused => self.may_compile = false,
            Availability::InWork => self.look = self.instructions + COMPILING / 8,
            Availability::Lacks(functions) => {
                let functions = functions.iter().map(|f| self.program.module.functions[*f as usize].code.len() as u64);
                let compiling = COMPILING + COMPILING_EACH * functions.sum::<u64>();
                let expected = runs.saturating_mul(self.instructions / self.made.max(1)).min(instructions);
                if self.instructions >= compiling / 2 && expected >= 2 * compiling {
                    self.code.compile_beside(&self.reached);
                }
            }
        }
    }

    /// From now on runs are made in machine code, where that can be had; whether it can.
    pub(super) fn compile(&mut self) -> bool {
        self.may_compile = false;
        self.code.compile(&self.reached);
        self.compiled = CompiledProgram::of(self.program, Arc::clone(&self.code));
        self.compiled.is_some()
    }

    /// From now on all runs are interpreted.
    pub(super) fn interpret(&mut self) {
        (self.may_compile, self.compiled) = (false, None);
    }

    /// Run on one input. The interpreter says what comes of one that may be new, and of any where it is asked to.
    ///
    /// Inputs of which a loop takes its length are no reason to run few others: runs are cut short while those that did not end
    /// have cost a quarter of all. One that takes something new is run again as long as a run may be.
    pub(super) fn run(&mut self, input: &[u64], watch: &mut Record, interpret: bool) -> Result<Option<u64>, Trap> {
        self.made += 1;
        let fuel = self.fuel();
        watch.begin();
        if let Some(compiled) = self.compiled.as_mut().filter(|_| !interpret) {
            compiled.fuel = fuel;
            let outcome = compiled.run(&mut self.runner.memory, input, watch);
            let steps = compiled.steps;
            if let Some(outcome) = outcome.filter(|_| watch.taken.is_empty()) {
                self.count(steps, &outcome);
                return outcome;
            }
            watch.reopen();
            watch.begin();
        }
        let outcome = self.interpreted(input, watch, fuel);
        if fuel == FUEL || watch.taken.is_empty() || outcome != Err(Trap::Fuel) {
            return outcome;
        }
        watch.reopen();
        watch.begin();
        self.interpreted(input, watch, FUEL)
    }

    /// The most instructions of the next run.
    fn fuel(&self) -> u64 {
        match self.needed {
            FUEL => FUEL,
            needed if self.ended > 0 => self.cut.max(2 * needed).min(USUAL),
            _ => FUEL,
        }
    }

    fn interpreted(&mut self, input: &[u64], watch: &mut Record, fuel: u64) -> Result<Option<u64>, Trap> {
        self.runner.fuel = fuel;
        let outcome = self.program.run(&mut self.runner, input, watch);
        self.count(self.runner.steps(), &outcome);
        outcome
    }

    /// Counts a run. The next ones are cut at half of what this one had where runs that do not end cost too much, and at twice that
    /// where they do not.
    fn count(&mut self, steps: u64, outcome: &Result<Option<u64>, Trap>) {
        self.instructions += steps;
        if !matches!(outcome, Err(Trap::Fuel)) {
            self.ended += 1;
            return;
        }
        self.endless += steps;
        let next =
            if self.endless > ENDLESS.max(self.instructions / SHARE) { steps / 2 } else { steps.saturating_mul(2) };
        self.cut = next.clamp(LEAST, USUAL);
    }
}
