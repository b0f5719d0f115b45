//! Runs in machine code: the functions that a program reaches are written as C, compiled by the machine's C compiler and loaded.
//!
//! A search looks at a run through a [`Watch`], and so does this: each test calls it where that
//! [wants to see](Watch::sites) the site. What is computed, what a run ends at and how many instructions it takes are the
//! interpreter's, whose memory and host it works on, so that a search goes the same way with it and without; only which of two NaNs
//! an operation gives may differ. Nothing is claimed from such a run alone: whoever finds something runs the interpreter.
//!
//! The code cannot leave the memory of the run, and ends where the interpreter would, so that it needs no process of its own.
#![allow(unsafe_code)]

mod calls;
mod frame;
mod function;
mod machine_code;
#[cfg(test)]
mod tests;
mod text;

use super::called::arguments_in;
use super::ins::{BranchTest, Ins};
use super::machine::{DEEPEST, Machine, Trap};
use super::memory::Memory;
use super::module::Module;
use super::program::CodeProgram;
use super::run::{FUEL, Watch, WatchedSites, asked, make_objects};
use super::stubs::STUB;
pub use machine_code::{Availability, MachineCode};
use machine_code::{ReadyCode, Run};
use std::ffi::c_void;
use std::sync::Arc;

/// How much of the thread's stack a run may take; one that needs more is left to the interpreter. Unit: bytes.
const ROOM: i64 = 512 * 1024;

/// What is optimised keeps the values of each operation.
const FLAGS: [&str; 8] =
    ["-O1", "-shared", "-fPIC", "-ffp-contract=off", "-fno-math-errno", "-fwrapv", "-fno-strict-aliasing", "-w"];

/// What a run and the interpreter's side have in common; `struct context` of `include/compiled.c`.
#[repr(C)]
struct Context {
    bytes: *mut u8,
    size: u64,
    is_dirty: *const bool,
    plain_from: u64,
    plain_upto: u64,
    piece_from: u64,
    piece_upto: u64,
    read_from: u64,
    read_room: u64,
    write_from: u64,
    write_room: u64,
    live: *const u8,
    globals: *mut u64,
    functions: *const *const c_void,
    back: *mut c_void,
    fuel: i64,
    room: i64,
    calls: u32,
    trap: u32,
    branch: extern "C" fn(*mut Context, u32, u32, u64, u64),
    arm: extern "C" fn(*mut Context, u32, u32, u32, u32),
    probe: unsafe extern "C" fn(*mut Context, u32, *const u64, u32),
    host: unsafe extern "C" fn(*mut Context, u32, *const u64, u32) -> u64,
    place: extern "C" fn(*mut Context, u64, u32, u32) -> u64,
    touch: extern "C" fn(*mut Context, u64, u32),
    pages: extern "C" fn(*mut Context, u32, u64) -> u64,
    copy: extern "C" fn(*mut Context, u64, u64, u64),
    fill: extern "C" fn(*mut Context, u64, u64, u64),
    side: *mut c_void,
}

/// Why a run ended; `enum` of `include/compiled.c`.
const TRAPS: [Option<Trap>; 8] = [
    None,
    Some(Trap::Unreachable),
    Some(Trap::OutOfBounds),
    Some(Trap::DivisionByZero),
    Some(Trap::Overflow),
    Some(Trap::IndirectCall),
    Some(Trap::Fuel),
    Some(Trap::StackOverflow),
];
/// The interpreter's side knows why.
const GIVEN: u32 = 8;
/// The interpreter has to run it.
const LEFT: u32 = 9;

/// A program in machine code.
pub struct CompiledProgram<'p> {
    program: &'p CodeProgram,
    /// Makes objects.
    maker: Machine<'p, u64>,
    run: Run,
    /// Where `run` is.
    _code: Arc<MachineCode>,
    /// By site.
    tests: Vec<BranchTest>,
    /// By site, for a watch that sees all, or nothing.
    all: Vec<u8>,
    none: Vec<u8>,
    globals: Vec<u64>,
    /// By import, where the functions are that are called without a detour.
    functions: Vec<*const c_void>,
    /// Instructions of the last run.
    pub steps: u64,
    /// The most instructions of a run. Default: [`FUEL`].
    pub fuel: u64,
}

impl<'p> CompiledProgram<'p> {
    /// Compiles what a program reaches; none where there is no compiler that makes something of it.
    #[must_use]
    pub fn build(program: &'p CodeProgram) -> Option<Self> {
        let code = MachineCode::of(&program.module);
        code.compile(&program.reached());
        Self::of(program, code)
    }

    /// A program whose functions have been compiled; none where one has not.
    #[must_use]
    pub fn of(program: &'p CodeProgram, code: Arc<MachineCode>) -> Option<Self> {
        let module = &program.module;
        let Availability::Ready(ReadyCode(run)) = code.availability(&program.reached()) else { return None };
        let test = |site: &super::module::Site| match &module.functions[site.function as usize].code[site.pc as usize] {
            Ins::Branch { test, .. } | Ins::Select { test, .. } => *test,
            _ => BranchTest::NonZero,
        };
        Some(CompiledProgram {
            program,
            maker: Machine::new(module),
            run,
            _code: code,
            tests: module.sites.iter().map(test).collect(),
            all: vec![1; module.sites.len()],
            none: vec![0; module.sites.len()],
            functions: module.imports.iter().map(calls::address).collect(),
            globals: Vec::new(),
            steps: 0,
            fuel: FUEL,
        })
    }

    /// Runs on inputs, each as its bits, on memory as it is at the start; none where only the interpreter can say what comes.
    pub fn run<W: Watch>(
        &mut self,
        memory: &mut Memory<'_>,
        inputs: &[u64],
        watch: &mut W,
    ) -> Option<Result<Option<u64>, Trap>> {
        let module = &self.program.module;
        self.steps = 0;
        let call = self.program.call_objects();
        let mut arguments = match arguments_in(memory, call, inputs) {
            Ok(arguments) => arguments,
            Err(trap) => return Some(Err(trap)),
        };
        match make_objects(&mut self.maker, memory, &call.made, inputs, &mut arguments) {
            Ok(steps) => self.steps = steps,
            Err(trap) => return Some(Err(trap)),
        }
        let fuel = self.fuel.saturating_sub(self.steps);
        self.globals.clear();
        self.globals.extend(module.globals.iter().map(|c| c.bits()));
        let mut side = Side { memory, watch, tests: &self.tests, all: &self.all, none: &self.none, module, trap: None };
        let mut context = Context {
            bytes: std::ptr::null_mut(),
            size: 0,
            is_dirty: std::ptr::null(),
            plain_from: 0,
            plain_upto: 0,
            piece_from: 0,
            piece_upto: 0,
            read_from: 0,
            read_room: 0,
            write_from: 0,
            write_room: 0,
            live: std::ptr::null(),
            globals: self.globals.as_mut_ptr(),
            functions: self.functions.as_ptr(),
            back: std::ptr::null_mut(),
            fuel: fuel as i64,
            room: ROOM,
            calls: DEEPEST as u32,
            trap: 0,
            branch: branch::<W>,
            arm: arm::<W>,
            probe: probe::<W>,
            host: host::<W>,
            place: place::<W>,
            touch: touch::<W>,
            pages: pages::<W>,
            copy: copy::<W>,
            fill: fill::<W>,
            side: (&raw mut side).cast(),
        };
        refresh(&mut context, side.memory);
        side.look(&mut context);
        // SAFETY: the context is as the code has it; what it points to lives until the run ends, and there are as many arguments as
        // the function takes.
        let result = unsafe { (self.run)(&raw mut context, arguments.as_ptr()) };
        self.steps += fuel - context.fuel.max(0) as u64;
        match (TRAPS.get(context.trap as usize), side.trap) {
            (Some(None), _) => {
                let returns = !module.functions[self.program.entry as usize].ty.results.is_empty();
                Some(Ok(returns.then_some(result)))
            }
            (Some(Some(trap)), _) => Some(Err(trap.clone())),
            (None, Some(trap)) if context.trap == GIVEN => Some(Err(trap)),
            _ => None,
        }
    }
}

/// The interpreter's side of a run.
struct Side<'r, 'm, W> {
    memory: &'r mut Memory<'m>,
    watch: &'r mut W,
    tests: &'r [BranchTest],
    all: &'r [u8],
    none: &'r [u8],
    module: &'r Module,
    trap: Option<Trap>,
}

/// Both sides of a run.
///
/// # Safety
/// The context is that of a run whose watch is a `W`.
unsafe fn sides<'c, 'm, W>(context: *mut Context) -> (&'c mut Context, &'c mut Side<'c, 'm, W>) {
    // SAFETY: both live as long as the run, and the code touches neither while this side works.
    unsafe { (&mut *context, &mut *(*context).side.cast::<Side<'c, 'm, W>>()) }
}

/// Where memory is, which may have moved.
fn refresh(context: &mut Context, memory: &mut Memory<'_>) {
    let open = memory.open();
    (context.bytes, context.size, context.is_dirty) = (open.bytes, open.size, open.is_dirty);
    (context.plain_from, context.plain_upto) = (open.plain.start, open.plain.end);
    // Nothing is known of the others.
    (context.piece_from, context.piece_upto) = (1, 0);
    (context.read_room, context.write_room) = (0, 0);
}

impl<W: Watch> Side<'_, '_, W> {
    /// What the watch sees from now on.
    fn look(&self, context: &mut Context) {
        let sites = match self.watch.sites() {
            WatchedSites::All => self.all,
            WatchedSites::None => self.none,
            WatchedSites::These(sites) => sites,
        };
        assert_eq!(sites.len(), self.all.len(), "there is one for each site");
        context.live = sites.as_ptr();
    }

    /// What a call on memory gives; where it fails the run ends.
    fn given<T: Default>(&mut self, context: &mut Context, given: Result<T, Trap>) -> T {
        given.unwrap_or_else(|trap| {
            (context.trap, self.trap) = (GIVEN, Some(trap));
            T::default()
        })
    }
}

extern "C" fn branch<W: Watch>(context: *mut Context, site: u32, way: u32, a: u64, b: u64) {
    // SAFETY: the code hands on its own context.
    let (context, side) = unsafe { sides::<W>(context) };
    side.watch.branch(site, way, side.tests[site as usize], a, b);
    side.look(context);
}

extern "C" fn arm<W: Watch>(context: *mut Context, site: u32, arm: u32, arms: u32, index: u32) {
    // SAFETY: as above.
    let (context, side) = unsafe { sides::<W>(context) };
    side.watch.arm(site, arm, arms, index);
    side.look(context);
}

/// # Safety
/// `operands` are so many.
unsafe extern "C" fn probe<W: Watch>(context: *mut Context, site: u32, operands: *const u64, count: u32) {
    // SAFETY: as above; the code says how many operands there are.
    let ((context, side), operands) =
        unsafe { (sides::<W>(context), std::slice::from_raw_parts(operands, count as usize)) };
    let Some(probe) = side.module.sites[site as usize].probe else { return };
    let asked = asked(side.memory, side.watch, (site, probe), operands);
    side.given(context, asked);
    side.look(context);
}

/// # Safety
/// `arguments` are so many.
unsafe extern "C" fn host<W: Watch>(context: *mut Context, import: u32, arguments: *const u64, count: u32) -> u64 {
    // SAFETY: as above.
    let ((context, side), arguments) =
        unsafe { (sides::<W>(context), std::slice::from_raw_parts(arguments, count as usize)) };
    let given = match u64::from(import).checked_sub(STUB) {
        Some(stub) => side.memory.answer(stub, arguments).map(Some),
        None if side.memory.hosts[import as usize].jumps() => {
            context.trap = LEFT;
            Ok(None)
        }
        None => side.memory.host(import, arguments),
    };
    let result = side.given(context, given);
    refresh(context, side.memory);
    result.unwrap_or(0)
}

extern "C" fn place<W: Watch>(context: *mut Context, address: u64, offset: u32, length: u32) -> u64 {
    // SAFETY: as above.
    let (context, side) = unsafe { sides::<W>(context) };
    let placed = side.memory.place(address, offset, length as usize);
    if let Ok(from) = placed
        && let Some((begin, upto)) = side.memory.piece_around(from as u64)
        && from as u64 >= context.plain_upto
        && from + (length as usize) <= upto as usize
    {
        (context.piece_from, context.piece_upto) = (begin.into(), upto.into());
    }
    side.given(context, placed) as u64
}

extern "C" fn touch<W: Watch>(context: *mut Context, from: u64, length: u32) {
    // SAFETY: as above.
    let (_, side) = unsafe { sides::<W>(context) };
    side.memory.touch(from as usize, length as usize);
}

extern "C" fn pages<W: Watch>(context: *mut Context, is_more: u32, more: u64) -> u64 {
    // SAFETY: as above.
    let (context, side) = unsafe { sides::<W>(context) };
    let pages = side.memory.pages((is_more != 0).then_some(more));
    refresh(context, side.memory);
    pages
}

extern "C" fn copy<W: Watch>(context: *mut Context, to: u64, from: u64, length: u64) {
    // SAFETY: as above.
    let (context, side) = unsafe { sides::<W>(context) };
    let copied = side.memory.copy(to, from, length);
    side.given(context, copied);
}

extern "C" fn fill<W: Watch>(context: *mut Context, to: u64, byte: u64, length: u64) {
    // SAFETY: as above.
    let (context, side) = unsafe { sides::<W>(context) };
    let filled = side.memory.fill(to, byte, length);
    side.given(context, filled);
}
