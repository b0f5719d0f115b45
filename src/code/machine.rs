//! The interpreter: one set of rules for the flow of control, over whatever values a [`ValueDomain`] has.

mod jumps;

use super::ins::{Binary, BranchTest, CodeConst, Compare, FuncType, Ins, Load, Store, Target, Type, Unary};
use super::module::Module;
use super::probe::Probe;
use super::stubs::STUB;
pub use jumps::Jump;
use jumps::JumpMark;
use std::fmt;

/// Why a run ended before the function returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trap {
    /// An instruction that must not be reached; `abort` and `assert` of some compilers.
    Unreachable,
    /// Memory that the program does not have.
    OutOfBounds,
    /// An integer divided by 0.
    DivisionByZero,
    /// A quotient or a conversion beyond the integers, where the target traps.
    Overflow,
    /// A call through a table entry that is empty or of another type.
    IndirectCall,
    /// The program called `abort` or `exit`.
    Abort,
    /// An assertion failed.
    Assertion,
    /// More instructions than allowed.
    Fuel,
    /// Calls nested too deeply.
    StackOverflow,
    /// An allocation that a run has no room for, and a native program may have.
    Memory,
    /// A function of the host that there is not.
    Import(String),
    /// Not an end of the program: values that are known in part do not decide what to do.
    Undecided,
    /// Not an end of the program: what follows does not matter to who looks.
    Settled,
}

/// Whether a function of C++'s library is there to throw an exception: in it, or in what its compiler makes of `throw`.
pub(super) fn throws(name: &str) -> bool {
    name == "__cxa_allocate_exception"
        || name == "__cxa_throw"
        || (name.starts_with("_ZSt") && name.contains("__throw_"))
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trap::Unreachable => "reached what must not be reached",
            Trap::OutOfBounds => "access outside of memory",
            Trap::DivisionByZero => "integer division by 0",
            Trap::Overflow => "integer overflow",
            Trap::IndirectCall => "call through a bad function pointer",
            Trap::Abort => "abort",
            Trap::Assertion => "an assertion failed",
            Trap::Fuel => "does not end within the allowed number of instructions",
            Trap::StackOverflow => "calls nested too deeply",
            Trap::Memory => "needs more memory than a run has",
            Trap::Import(name) if throws(name) => "throws an exception",
            Trap::Import(name) if name == "fetestexcept" => {
                "asks for a flag of arithmetic that compilers raise at different times"
            }
            Trap::Import(name) if name == "fesetround" => "needs a rounding mode that runs do not have there",
            Trap::Import(name) if name == "longjmp" => "goes back by `longjmp` to a call that is not open",
            Trap::Import(name) if name == "magneto_bsr_of_0" => {
                "takes what `bsr` or `bsf` leaves of 0, which is undefined"
            }
            Trap::Import(name) => return write!(f, "calls `{name}`, which is not there"),
            Trap::Undecided => "undecided",
            Trap::Settled => "settled",
        })
    }
}

impl std::error::Error for Trap {}

impl Trap {
    /// Whether a native program may go on after this end of a run: because the run says too little, or because the program is
    /// undefined there.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        match self {
            Trap::Undecided | Trap::Fuel | Trap::StackOverflow | Trap::Memory | Trap::Import(_) => true,
            Trap::Unreachable | Trap::OutOfBounds | Trap::IndirectCall => true,
            Trap::DivisionByZero | Trap::Overflow | Trap::Abort | Trap::Assertion | Trap::Settled => false,
        }
    }
}

/// What values are and what operators do with them: bits for a run, sets for a proof.
pub trait ValueDomain {
    /// A value of any type.
    type Value: Clone;

    /// A value that is written in the code.
    fn constant(&mut self, c: CodeConst) -> Self::Value;
    /// One operand.
    ///
    /// # Errors
    /// A trap of the operator.
    fn unary(&mut self, op: Unary, a: Self::Value) -> Result<Self::Value, Trap>;
    /// A saturating conversion in place of a cast in C.
    ///
    /// # Errors
    /// As for [`ValueDomain::unary`].
    fn cast(&mut self, op: Unary, a: Self::Value) -> Result<Self::Value, Trap>;
    /// Two operands.
    ///
    /// # Errors
    /// A trap of the operator.
    fn binary(&mut self, op: Binary, a: Self::Value, b: Self::Value) -> Result<Self::Value, Trap>;
    /// A truth value, 1 or 0.
    fn compare(&mut self, op: Compare, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// A function of the module is called; the calling one goes on at an instruction.
    fn calls(&mut self, _function: usize, _next: usize) {}
    /// A function of the module begins.
    fn enters(&mut self, _function: usize) {}
    /// The last function that was called returns.
    fn returns(&mut self) {}
    /// The answer to a question about operands at a site is noted; nothing else happens.
    ///
    /// # Errors
    /// The end of a search for it, or of a budget.
    fn probe(&mut self, site: u32, probe: Probe, operands: &[Self::Value]) -> Result<(), Trap>;
    /// `first` where a test at a site comes out as `when`, else `second`.
    ///
    /// # Errors
    /// As for [`ValueDomain::branch`]; values that are sets may also be joined.
    fn select(
        &mut self,
        by: Selection<'_, Self::Value>,
        first: Self::Value,
        second: Self::Value,
    ) -> Result<Self::Value, Trap>;
    /// Read memory.
    ///
    /// # Errors
    /// Outside of memory, or not decided where.
    fn load(&mut self, load: Load, address: &Self::Value, offset: u32) -> Result<Self::Value, Trap>;
    /// Write memory.
    ///
    /// # Errors
    /// Outside of memory, or not decided where.
    fn store(&mut self, store: Store, address: &Self::Value, offset: u32, value: Self::Value) -> Result<(), Trap>;
    /// The number of pages; `more` are added first, -1 where that cannot be.
    fn pages(&mut self, more: Option<Self::Value>) -> Self::Value;
    /// Copy `length` bytes.
    ///
    /// # Errors
    /// Outside of memory, or not decided where.
    fn copy(&mut self, to: &Self::Value, from: &Self::Value, length: &Self::Value) -> Result<(), Trap>;
    /// Fill `length` bytes.
    ///
    /// # Errors
    /// Outside of memory, or not decided where.
    fn fill(&mut self, to: &Self::Value, byte: &Self::Value, length: &Self::Value) -> Result<(), Trap>;
    /// The outcome of a test at a site: of a comparison of `a` and `b`, or whether `a` is not 0.
    ///
    /// # Errors
    /// [`Trap::Undecided`], or the end of a budget.
    fn branch(&mut self, site: u32, test: BranchTest, a: &Self::Value, b: Option<&Self::Value>) -> Result<bool, Trap>;
    /// Which of the arms 0 to `arms` - 1 is taken at a site; the last stands for all other indices.
    ///
    /// # Errors
    /// [`Trap::Undecided`], or the end of a budget.
    fn arm(&mut self, site: u32, index: &Self::Value, arms: u32) -> Result<u32, Trap>;
    /// The 32-bit integer that a value is.
    ///
    /// # Errors
    /// [`Trap::Undecided`].
    fn known(&mut self, value: &Self::Value) -> Result<u32, Trap>;
    /// What a call of a function of the host does to the flow of control, if anything.
    ///
    /// # Errors
    /// As for [`ValueDomain::load`].
    fn jump(&mut self, _import: u32, _arguments: &[Self::Value]) -> Result<Option<Jump>, Trap> {
        Ok(None)
    }
    /// Call a function of the host.
    ///
    /// # Errors
    /// What the host's function does, or that there is none.
    fn host(&mut self, import: u32, arguments: &[Self::Value]) -> Result<Option<Self::Value>, Trap>;
    /// Call a stub at an address, with the type of the call.
    ///
    /// # Errors
    /// That there is none.
    fn answer(&mut self, _stub: u64, _ty: &FuncType, _arguments: &[Self::Value]) -> Result<Option<Self::Value>, Trap> {
        Err(Trap::IndirectCall)
    }
}

/// What selects one of two values.
#[derive(Debug)]
pub struct Selection<'v, V> {
    /// Index of the site.
    pub site: u32,
    /// What decides.
    pub test: BranchTest,
    /// The first operand.
    pub a: &'v V,
    /// The second one, of a comparison.
    pub b: Option<&'v V>,
    /// The outcome that takes the first value.
    pub when: bool,
}

/// The most calls that may be open.
pub(super) const DEEPEST: usize = 1000;

struct Frame {
    function: usize,
    pc: usize,
    /// Where the locals begin.
    base: usize,
}

/// Runs functions of a module; owns the stack, which is used again.
pub struct Machine<'m, V> {
    module: &'m Module,
    stack: Vec<V>,
    frames: Vec<Frame>,
    globals: Vec<V>,
    marks: Vec<JumpMark<V>>,
    /// Instructions of the last run.
    pub steps: u64,
}

impl<'m, V: Clone> Machine<'m, V> {
    /// A machine for a module.
    #[must_use]
    pub fn new(module: &'m Module) -> Self {
        Machine { module, stack: Vec::new(), frames: Vec::new(), globals: Vec::new(), marks: Vec::new(), steps: 0 }
    }

    /// Call a function; globals have their initial values, memory is the domain's. At most `fuel` instructions.
    ///
    /// # Errors
    /// Why it did not return.
    pub fn call<D: ValueDomain<Value = V>>(
        &mut self,
        domain: &mut D,
        function: u32,
        arguments: &[V],
        fuel: u64,
    ) -> Result<Option<V>, Trap> {
        self.steps = 0;
        self.stack.clear();
        self.frames.clear();
        self.marks.clear();
        self.globals.clear();
        let module = self.module;
        self.globals.extend(module.globals.iter().map(|c| domain.constant(*c)));
        self.stack.extend_from_slice(arguments);
        self.enter(domain, function as usize)?;
        let mut left = fuel;
        let outcome = self.run(domain, &mut left);
        self.steps = fuel - left;
        outcome?;
        Ok(self.stack.pop())
    }

    /// Go on in a function from one of its instructions, before which no operand is on the stack, with these locals and
    /// globals.
    ///
    /// # Errors
    /// Why it did not return.
    pub(super) fn run_from<D: ValueDomain<Value = V>>(
        &mut self,
        domain: &mut D,
        at: (u32, usize),
        locals: &[V],
        globals: &[V],
        fuel: u64,
    ) -> Result<(), Trap> {
        self.stack.clear();
        self.frames.clear();
        self.marks.clear();
        self.globals.clear();
        self.globals.extend_from_slice(globals);
        self.stack.extend_from_slice(locals);
        self.frames.push(Frame { function: at.0 as usize, pc: at.1, base: 0 });
        let mut left = fuel;
        let outcome = self.run(domain, &mut left);
        self.steps = fuel - left;
        outcome
    }

    /// The locals of the function that was called first, as the last run left them.
    pub(super) fn locals(&self) -> &[V] {
        let count = self.frames.first().map_or(0, |f| self.module.functions[f.function].locals.len());
        &self.stack[..count.min(self.stack.len())]
    }

    /// The arguments are on the stack.
    fn enter<D: ValueDomain<Value = V>>(&mut self, domain: &mut D, function: usize) -> Result<(), Trap> {
        if self.frames.len() >= DEEPEST {
            return Err(Trap::StackOverflow);
        }
        domain.enters(function);
        let f = &self.module.functions[function];
        let base = self.stack.len() - f.ty.params.len();
        for ty in &f.locals[f.ty.params.len()..] {
            let zero = match ty {
                Type::I32 => CodeConst::I32(0),
                Type::I64 => CodeConst::I64(0),
                Type::F32 => CodeConst::F32(0),
                Type::F64 => CodeConst::F64(0),
            };
            self.stack.push(domain.constant(zero));
        }
        self.frames.push(Frame { function, pc: 0, base });
        Ok(())
    }

    fn pop(&mut self) -> Result<V, Trap> {
        // Validated code never lacks an operand.
        self.stack.pop().ok_or(Trap::Unreachable)
    }

    fn run<D: ValueDomain<Value = V>>(&mut self, d: &mut D, fuel: &mut u64) -> Result<(), Trap> {
        let module = self.module;
        while let Some(frame) = self.frames.last_mut() {
            let function = &module.functions[frame.function];
            let (base, operands) = (frame.base, frame.base + function.locals.len());
            let mut pc = frame.pc;
            loop {
                if *fuel == 0 {
                    return Err(Trap::Fuel);
                }
                *fuel -= 1;
                let ins = &function.code[pc];
                pc += 1;
                match ins {
                    Ins::Jump(to) => pc = self.jump(operands, *to),
                    Ins::Branch { site, test, when, to } => {
                        let top = self.pop()?;
                        let outcome = if test.operands() == 1 {
                            d.branch(*site, *test, &top, None)?
                        } else {
                            let first = self.pop()?;
                            d.branch(*site, *test, &first, Some(&top))?
                        };
                        if outcome == *when {
                            pc = self.jump(operands, *to);
                        }
                    }
                    Ins::Table { site, targets } => {
                        let index = self.pop()?;
                        let arm = d.arm(*site, &index, targets.len() as u32)?;
                        pc = self.jump(operands, targets[arm as usize]);
                    }
                    Ins::Return => {
                        let from = self.stack.len() - function.ty.results.len();
                        self.stack.drain(base..from);
                        self.frames.pop();
                        self.marks.retain(|mark| mark.depth <= self.frames.len());
                        d.returns();
                        break;
                    }
                    Ins::Call(_) | Ins::CallIndirect(_) | Ins::CallHost(_) => {
                        if let Some(frame) = self.frames.last_mut() {
                            frame.pc = pc;
                        }
                        self.called(d, ins)?;
                        break;
                    }
                    Ins::Unreachable => return Err(Trap::Unreachable),
                    Ins::LocalGet(i) => self.stack.push(self.stack[base + *i as usize].clone()),
                    Ins::LocalSet(i) => self.stack[base + *i as usize] = self.pop()?,
                    Ins::LocalTee(i) => {
                        let top = self.pop()?;
                        self.stack[base + *i as usize] = top.clone();
                        self.stack.push(top);
                    }
                    Ins::Const(c) => {
                        let value = d.constant(*c);
                        self.stack.push(value);
                    }
                    _ => self.compute(d, ins)?,
                }
            }
        }
        Ok(())
    }

    fn jump(&mut self, operands: usize, to: Target) -> usize {
        let (from, upto) = (operands + to.height as usize, self.stack.len() - to.keep as usize);
        if from < upto {
            self.stack.drain(from..upto);
        }
        to.pc as usize
    }

    fn called<D: ValueDomain<Value = V>>(&mut self, d: &mut D, ins: &Ins) -> Result<(), Trap> {
        let module = self.module;
        let index = match ins {
            Ins::Call(f) => f + module.imports.len() as u32,
            Ins::CallHost(f) => *f,
            Ins::CallIndirect(ty) => {
                let at = self.pop()?;
                let at = d.known(&at)? as usize;
                if let Some(stub) = (at as u64).checked_sub(STUB) {
                    let ty = &module.types[*ty as usize];
                    let from = self.stack.len() - ty.params.len();
                    let result = d.answer(stub, ty, &self.stack[from..])?;
                    self.stack.truncate(from);
                    self.stack.extend(result);
                    return Ok(());
                }
                let index = module.table.get(at).copied().flatten().ok_or(Trap::IndirectCall)?;
                let found = match index.checked_sub(module.imports.len() as u32) {
                    Some(own) => &module.functions[own as usize].ty,
                    None => &module.imports[index as usize].ty,
                };
                if *found != module.types[*ty as usize] {
                    return Err(Trap::IndirectCall);
                }
                index
            }
            _ => return Err(Trap::Unreachable),
        };
        match index.checked_sub(module.imports.len() as u32) {
            Some(own) => {
                if let Some(frame) = self.frames.last() {
                    d.calls(frame.function, frame.pc);
                }
                self.enter(d, own as usize)
            }
            None => {
                let from = self.stack.len() - module.imports[index as usize].ty.params.len();
                if let Some(jump) = d.jump(index, &self.stack[from..])? {
                    self.stack.truncate(from);
                    return self.jumps(d, jump);
                }
                let result = d.host(index, &self.stack[from..])?;
                self.stack.truncate(from);
                self.stack.extend(result);
                Ok(())
            }
        }
    }

    fn compute<D: ValueDomain<Value = V>>(&mut self, d: &mut D, ins: &Ins) -> Result<(), Trap> {
        let result = match ins {
            Ins::GlobalGet(i) => self.globals[*i as usize].clone(),
            Ins::GlobalSet(i) => {
                self.globals[*i as usize] = self.pop()?;
                return Ok(());
            }
            Ins::Drop => return self.pop().map(drop),
            Ins::Probe { site } => {
                let Some(probe) = self.module.sites[*site as usize].probe else { return Ok(()) };
                let from = self.stack.len().saturating_sub(probe.operands());
                return d.probe(*site, probe, &self.stack[from..]);
            }
            Ins::Select { site, test, when } => {
                let top = self.pop()?;
                let below = if test.operands() == 1 { None } else { Some(self.pop()?) };
                let second = self.pop()?;
                let first = self.pop()?;
                let (a, b) = match &below {
                    Some(below) => (below, Some(&top)),
                    None => (&top, None),
                };
                d.select(Selection { site: *site, test: *test, a, b, when: *when }, first, second)?
            }
            Ins::Unary(op) => {
                let a = self.pop()?;
                d.unary(*op, a)?
            }
            Ins::Cast(op) => {
                let a = self.pop()?;
                d.cast(*op, a)?
            }
            Ins::Binary(op) => {
                let b = self.pop()?;
                let a = self.pop()?;
                d.binary(*op, a, b)?
            }
            Ins::Compare(op) => {
                let b = self.pop()?;
                let a = self.pop()?;
                d.compare(*op, &a, &b)
            }
            Ins::Load(load, offset) => {
                let address = self.pop()?;
                d.load(*load, &address, *offset)?
            }
            Ins::Store(store, offset) => {
                let value = self.pop()?;
                let address = self.pop()?;
                return d.store(*store, &address, *offset, value);
            }
            Ins::MemorySize => d.pages(None),
            Ins::MemoryGrow => {
                let more = self.pop()?;
                d.pages(Some(more))
            }
            Ins::MemoryCopy | Ins::MemoryFill => {
                let length = self.pop()?;
                let what = self.pop()?;
                let to = self.pop()?;
                return if matches!(ins, Ins::MemoryCopy) {
                    d.copy(&to, &what, &length)
                } else {
                    d.fill(&to, &what, &length)
                };
            }
            _ => return Err(Trap::Unreachable),
        };
        self.stack.push(result);
        Ok(())
    }
}
