//! The runs of a search: interpreted, and in machine code where they have become long.

use super::watch::Record;
use crate::code::compiled::{CompiledProgram, instruction_count};
use crate::code::machine::Trap;
use crate::code::program::CodeProgram;
use crate::code::run::{FUEL, Runner};

/// What the C compiler costs, as instructions of the interpreter: for a program, and for each instruction of it.
const COMPILING: u64 = 5_000_000;
const COMPILING_EACH: u64 = 8_000;

/// The most instructions of a run once one has ended.
const USUAL: u64 = FUEL / 4;
/// Instructions of runs that do not end before such runs are cut shorter.
const ENDLESS: u64 = 2 * FUEL;
/// While runs that do not end have cost more than all others together, a run has so many times the instructions of what ends.
const SHORT: u64 = 16;
/// But no fewer than these.
const LEAST: u64 = 20_000;

/// Runs a program for a search.
pub(super) struct Runs<'p> {
    program: &'p CodeProgram,
    runner: Runner<'p>,
    compiled: Option<CompiledProgram<'p>>,
    /// Whether it is not settled yet that runs are made in machine code, or that they are not.
    may_compile: bool,
    /// What compiling costs, as instructions of the interpreter.
    compiling: u64,
    made: u64,
    /// Runs that ended.
    ended: u64,
    /// Instructions of the others.
    endless: u64,
    /// Instructions of all runs so far.
    pub(super) instructions: u64,
}

impl<'p> Runs<'p> {
    pub(super) fn new(program: &'p CodeProgram) -> Self {
        Runs {
            program,
            runner: Runner::new(&program.module),
            compiled: None,
            may_compile: true,
            compiling: COMPILING + COMPILING_EACH * instruction_count(program) as u64,
            made: 0,
            ended: 0,
            endless: 0,
            instructions: 0,
        }
    }

    /// Compiles where the runs so far have cost half of what that does, and so many more would cost twice as much.
    pub(super) fn compile_if_it_pays(&mut self, runs: u64, instructions: u64) {
        let expected = runs.saturating_mul(self.instructions / self.made.max(1)).min(instructions);
        if self.may_compile && self.instructions >= self.compiling / 2 && expected >= 2 * self.compiling {
            self.compile();
        }
    }

    /// From now on runs are made in machine code, where that can be had; whether it can.
    pub(super) fn compile(&mut self) -> bool {
        self.may_compile = false;
        self.compiled = CompiledProgram::build(self.program);
        self.compiled.is_some()
    }

    /// From now on all runs are interpreted.
    pub(super) fn interpret(&mut self) {
        (self.may_compile, self.compiled) = (false, None);
    }

    /// Run on one input. The interpreter says what comes of one that may be new, and of any where it is asked to.
    ///
    /// Inputs of which a loop takes its length are no reason to run few others: a run is cut short while those that did not end
    /// have cost more than all others. One that takes something new is run again as long as a run may be.
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
        if self.endless > ENDLESS.max(self.instructions / 2) {
            let mean = (self.instructions - self.endless) / self.ended.max(1);
            (SHORT * mean).clamp(LEAST, USUAL)
        } else if self.ended > 0 {
            USUAL
        } else {
            FUEL
        }
    }

    fn interpreted(&mut self, input: &[u64], watch: &mut Record, fuel: u64) -> Result<Option<u64>, Trap> {
        self.runner.fuel = fuel;
        let outcome = self.program.run(&mut self.runner, input, watch);
        self.count(self.runner.steps(), &outcome);
        outcome
    }

    fn count(&mut self, steps: u64, outcome: &Result<Option<u64>, Trap>) {
        self.instructions += steps;
        match outcome {
            Err(Trap::Fuel) => self.endless += steps,
            _ => self.ended += 1,
        }
    }
}
