//! Concrete runs: values are bits, memory is bytes, and a [`Watch`] sees what decides each branch.

use super::answers::seen;
use super::bits;
use super::ins::{Binary, BranchTest, CodeConst, Compare, FuncType, Load, Store, Type, Unary};
use super::machine::{Jump, Machine, Selection, Trap, ValueDomain};
use super::made::MadeObject;
use super::memory::Memory;
use super::module::Module;
use super::objects::widened;
use super::probe::Probe;
use super::stubs::returned;

/// Sees a run go by.
pub trait Watch {
    /// A site went `way`: 0 or 1, the outcome of the test on `a` and `b` (`b` is 0 where the test has one operand).
    fn branch(&mut self, site: u32, way: u32, test: BranchTest, a: u64, b: u64);
    /// A table went to an arm by this index.
    fn arm(&mut self, site: u32, arm: u32, arms: u32, index: u32);
    /// What is asked at a site has this answer. The test on `a` and `b` comes out true nearer and nearer to "yes".
    fn asked(&mut self, _site: u32, _yes: bool, _test: BranchTest, _a: u64, _b: u64) {}
    /// The sites at which it is of use to show it what happens, until it is shown the next thing.
    fn sites(&self) -> WatchedSites<'_> {
        WatchedSites::All
    }
}

/// Sites that a watch wants to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchedSites<'w> {
    /// All of them.
    All,
    /// None.
    None,
    /// Those that are not 0 here, by index.
    These(&'w [u8]),
}

/// Sees nothing.
pub struct Blind;

impl Watch for Blind {
    fn branch(&mut self, _: u32, _: u32, _: BranchTest, _: u64, _: u64) {}
    fn arm(&mut self, _: u32, _: u32, _: u32, _: u32) {}

    fn sites(&self) -> WatchedSites<'_> {
        WatchedSites::None
    }
}

impl<W: Watch> Watch for &mut W {
    fn branch(&mut self, site: u32, way: u32, test: BranchTest, a: u64, b: u64) {
        (**self).branch(site, way, test, a, b);
    }

    fn arm(&mut self, site: u32, arm: u32, arms: u32, index: u32) {
        (**self).arm(site, arm, arms, index);
    }

    fn asked(&mut self, site: u32, yes: bool, test: BranchTest, a: u64, b: u64) {
        (**self).asked(site, yes, test, a, b);
    }

    fn sites(&self) -> WatchedSites<'_> {
        (**self).sites()
    }
}

/// Shows a watch what is asked at a site.
pub(super) fn asked<W: Watch>(
    memory: &mut Memory<'_>,
    watch: &mut W,
    (site, probe): (u32, Probe),
    operands: &[u64],
) -> Result<(), Trap> {
    let result = match probe.call() {
        Some(call) => memory.host(call.import, operands)?.unwrap_or(0),
        None => 0,
    };
    let seen = seen(probe, operands, result);
    watch.asked(site, seen.holds, seen.test, seen.a, seen.b);
    Ok(())
}

/// Memory and a watch: the domain of concrete runs.
struct Concrete<'r, 'm, W> {
    memory: &'r mut Memory<'m>,
    watch: &'r mut W,
}

impl<W> Concrete<'_, '_, W> {
    /// What is computed of two values; where the code asks for the flags of arithmetic, these are kept.
    fn computed<T>(&mut self, values: (u64, u64), compute: impl FnOnce(u64, u64) -> T) -> T {
        match &mut self.memory.flags {
            Some(flags) => flags.keep(values, compute),
            None => compute(values.0, values.1),
        }
    }

    /// Ends a run at an operation that compilers do in different ways where it is not to the nearest: `rint` takes the mode and
    /// `roundeven` does not, and they make the same of both; of 0 some make -0 from an integer without a sign.
    fn in_direction(&self, op: Unary) -> Result<(), Trap> {
        use Unary::{F32ConvertI64U, F32Nearest, F64ConvertI64U, F64Nearest};
        let differs = matches!(op, F32Nearest | F64Nearest | F32ConvertI64U | F64ConvertI64U);
        if differs && self.memory.flags.is_some_and(|flags| flags.is_directed()) {
            return Err(Trap::Import("fesetround".to_owned()));
        }
        Ok(())
    }

    fn compared(&mut self, op: Compare, a: u64, b: u64) -> bool {
        if let Some(flags) = &mut self.memory.flags
            && bits::is_unordered(op, a, b)
        {
            flags.compare_nan();
        }
        bits::compare(op, a, b)
    }
}

impl<W: Watch> ValueDomain for Concrete<'_, '_, W> {
    type Value = u64;

    fn constant(&mut self, c: CodeConst) -> u64 {
        c.bits()
    }

    fn unary(&mut self, op: Unary, a: u64) -> Result<u64, Trap> {
        self.in_direction(op)?;
        self.computed((a, 0), |a, _| bits::unary(op, a))
    }

    fn cast(&mut self, op: Unary, a: u64) -> Result<u64, Trap> {
        self.in_direction(op)?;
        Ok(self.computed((a, 0), |a, _| bits::cast(op, a)))
    }

    fn binary(&mut self, op: Binary, a: u64, b: u64) -> Result<u64, Trap> {
        self.computed((a, b), |a, b| bits::binary(op, a, b))
    }

    fn compare(&mut self, op: Compare, a: &u64, b: &u64) -> u64 {
        u64::from(self.compared(op, *a, *b))
    }

    fn select(&mut self, by: Selection<'_, u64>, first: u64, second: u64) -> Result<u64, Trap> {
        let outcome = self.branch(by.site, by.test, by.a, by.b)?;
        Ok(if outcome == by.when { first } else { second })
    }

    fn load(&mut self, load: Load, address: &u64, offset: u32) -> Result<u64, Trap> {
        let x = self.memory.read(*address, offset, load.bytes)?;
        self.memory.see_load(load, *address + u64::from(offset));
        if !load.signed {
            return Ok(x);
        }
        let unused = 64 - 8 * u32::from(load.bytes);
        let x = ((x << unused) as i64 >> unused) as u64;
        Ok(if load.ty == Type::I32 { x & 0xffff_ffff } else { x })
    }

    fn store(&mut self, store: Store, address: &u64, offset: u32, value: u64) -> Result<(), Trap> {
        self.memory.write(*address, offset, store.bytes, value)
    }

    fn pages(&mut self, more: Option<u64>) -> u64 {
        self.memory.pages(more)
    }

    fn copy(&mut self, to: &u64, from: &u64, length: &u64) -> Result<(), Trap> {
        self.memory.copy(*to, *from, *length)
    }

    fn fill(&mut self, to: &u64, byte: &u64, length: &u64) -> Result<(), Trap> {
        self.memory.fill(*to, *byte, *length)
    }

    fn branch(&mut self, site: u32, test: BranchTest, a: &u64, b: Option<&u64>) -> Result<bool, Trap> {
        let b = b.copied().unwrap_or(0);
        let outcome = match test {
            BranchTest::NonZero => *a as u32 != 0,
            BranchTest::Compare(op) => self.compared(op, *a, b),
            BranchTest::Either => (*a | b) as u32 != 0,
        };
        self.watch.branch(site, u32::from(outcome), test, *a, b);
        Ok(outcome)
    }

    fn probe(&mut self, site: u32, probe: Probe, operands: &[u64]) -> Result<(), Trap> {
        asked(self.memory, self.watch, (site, probe), operands)
    }

    fn arm(&mut self, site: u32, index: &u64, arms: u32) -> Result<u32, Trap> {
        let index = *index as u32;
        let arm = index.min(arms - 1);
        self.watch.arm(site, arm, arms, index);
        Ok(arm)
    }

    fn known(&mut self, value: &u64) -> Result<u32, Trap> {
        Ok(*value as u32)
    }

    fn enters(&mut self, function: usize) {
        if let Some(flags) = &mut self.memory.flags
            && self.memory.module.functions[function].name.starts_with("magneto_wide")
        {
            flags.forget();
        }
    }

    fn jump(&mut self, import: u32, arguments: &[u64]) -> Result<Option<Jump>, Trap> {
        self.memory.jump(import, arguments)
    }

    fn host(&mut self, import: u32, arguments: &[u64]) -> Result<Option<u64>, Trap> {
        self.memory.host(import, arguments)
    }

    fn answer(&mut self, stub: u64, ty: &FuncType, arguments: &[u64]) -> Result<Option<u64>, Trap> {
        Ok(returned(self.memory.answer(stub, arguments)?, ty))
    }
}

/// A module ready to run, again and again.
pub struct Runner<'m> {
    machine: Machine<'m, u64>,
    /// Its memory: inputs that are behind pointers are written there after [`Memory::reset`].
    pub memory: Memory<'m>,
    /// The most instructions of a run.
    pub fuel: u64,
    /// Instructions that have been taken before the function under test is called.
    before: u64,
}

/// The most instructions of a run where nothing else is said.
pub const FUEL: u64 = 20_000_000;

impl<'m> Runner<'m> {
    /// A runner with [`FUEL`]. Variables that a program of C or C++ computes before it begins are computed, and the function that is
    /// to be called before each run is called.
    #[must_use]
    pub fn new(module: &'m Module) -> Self {
        let mut runner = Runner { machine: Machine::new(module), memory: Memory::new(module), fuel: FUEL, before: 0 };
        for function in module.preparation() {
            let Runner { machine, memory, .. } = &mut runner;
            // One that does not end has done what it has done: the native program says what differs.
            let _ = memory.prepare(|memory| call_blindly(machine, memory, function, &[], FUEL));
        }
        runner
    }

    /// Instructions of the last run.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.before + self.machine.steps
    }

    /// Call a function with bits as arguments, on memory as it is.
    ///
    /// # Errors
    /// Why it did not return.
    pub fn call<W: Watch>(&mut self, function: u32, arguments: &[u64], watch: &mut W) -> Result<Option<u64>, Trap> {
        self.before = 0;
        self.go_on(function, arguments, watch)
    }

    /// The same after objects were made.
    pub(super) fn go_on<W: Watch>(
        &mut self,
        function: u32,
        arguments: &[u64],
        watch: &mut W,
    ) -> Result<Option<u64>, Trap> {
        let mut domain = Concrete { memory: &mut self.memory, watch };
        self.machine.call(&mut domain, function, arguments, self.fuel.saturating_sub(self.before))
    }

    /// Makes the objects that inputs ask for, see [`make_objects`].
    pub(super) fn make_objects(
        &mut self,
        made: &[MadeObject],
        inputs: &[u64],
        arguments: &mut [u64],
    ) -> Result<(), Trap> {
        self.before = 0;
        self.machine.steps = 0;
        let Runner { machine, memory, .. } = self;
        self.before = make_objects(machine, memory, made, inputs, arguments)?;
        Ok(())
    }
}

/// Calls a function on memory as it is, and sees nothing.
pub(super) fn call_blindly(
    machine: &mut Machine<'_, u64>,
    memory: &mut Memory<'_>,
    function: u32,
    arguments: &[u64],
    fuel: u64,
) -> Result<Option<u64>, Trap> {
    machine.call(&mut Concrete { memory, watch: &mut Blind }, function, arguments, fuel)
}

/// The most instructions of a call that makes an object.
const MAKING: u64 = 100_000;

/// Makes the objects that inputs ask for and puts their addresses into the arguments of the call; returns how many instructions that
/// took. A pointer that leads nowhere is left so, and where a function returns no object that of the inputs stays.
pub(super) fn make_objects(
    machine: &mut Machine<'_, u64>,
    memory: &mut Memory<'_>,
    made: &[MadeObject],
    inputs: &[u64],
    arguments: &mut [u64],
) -> Result<u64, Trap> {
    let mut steps = 0;
    for one in made.iter().filter(|one| one.is_asked(inputs)) {
        if arguments[one.place] == 0 {
            continue;
        }
        let numbers: Vec<u64> = one.arguments().map(|(kind, input)| widened(inputs[input], kind)).collect();
        let failure = memory.failure.take();
        let outcome = call_blindly(machine, memory, one.maker.function, &numbers, MAKING);
        memory.failure = failure;
        steps += machine.steps;
        if let Some(address) = outcome?.filter(|address| *address != 0) {
            arguments[one.place] = address;
        }
    }
    Ok(steps)
}
