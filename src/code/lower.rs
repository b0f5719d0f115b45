//! One function's body to [`Ins`]: structured control becomes jumps, and a comparison that decides a branch becomes a
//! part of it, so that a search sees its operands.

use super::host::Call;
use super::ins::{Binary, BranchTest, CodeConst, Compare, FuncType, Ins, Load, Store, Target, Type, Unary};
use super::module::{Malformed, Module, ModuleFunction, Site, type_of};
use super::probe::{Probe, ProbeQuestion};
use wasmparser::{BlockType, FuncValidator, FunctionBody, MemArg, Operator, ValidatorResources};

/// A block that is open.
struct Block {
    /// Where a jump to it goes, if that is known (a loop's start).
    start: Option<u32>,
    /// Instructions (and arms) whose jump has to go to the end.
    ends: Vec<(u32, usize)>,
    /// The branch that leads to the `else`, if one is open.
    otherwise: Option<u32>,
    /// The stack's height below the block's parameters.
    height: u32,
    /// Values that a jump to it brings.
    carried: u32,
}

struct Lowering<'m> {
    module: &'m mut Module,
    function: u32,
    code: Vec<Ins>,
    offsets: Vec<u32>,
    statements: Vec<u32>,
    blocks: Vec<Block>,
    /// The last instruction to which something jumps: nothing before it may be joined with what follows.
    label: usize,
}

/// Lower the body of function `index` (imports not counted). `code_start` is where the code section begins.
pub(super) fn lower(
    module: &mut Module,
    index: u32,
    ty: FuncType,
    body: &FunctionBody<'_>,
    mut validator: FuncValidator<ValidatorResources>,
    code_start: usize,
) -> Result<ModuleFunction, Malformed> {
    let mut locals = ty.params.clone();
    let mut reader = body.get_binary_reader();
    validator.read_locals(&mut reader)?;
    for local in body.get_locals_reader()? {
        let (count, ty) = local?;
        let ty = type_of(ty)?;
        if locals.len() + count as usize > 50_000 {
            return Err(Malformed("a function has more than 50,000 locals".to_owned()));
        }
        locals.extend(std::iter::repeat_n(ty, count as usize));
    }
    let results = ty.results.len() as u32;
    let outer = Block { start: None, ends: Vec::new(), otherwise: None, height: 0, carried: results };
    let mut l = Lowering {
        module,
        function: index,
        code: Vec::new(),
        offsets: Vec::new(),
        statements: Vec::new(),
        blocks: vec![outer],
        label: 0,
    };
    for item in body.get_operators_reader()?.into_iter_with_offsets() {
        let (op, at) = item?;
        // What cannot be reached is not lowered: its heights mean nothing. Its blocks are, to keep count.
        let dead = validator.get_control_frame(0).is_some_and(|f| f.unreachable);
        let height = validator.operand_stack_height();
        validator.op(at, &op)?;
        if height == 0 && !dead && l.statements.last() != Some(&l.here()) {
            l.statements.push(l.here());
        }
        l.operator(&op, height, dead, (at as usize).saturating_sub(code_start) as u32)?;
    }
    l.emit(Ins::Return, 0);
    let Lowering { code, offsets, statements, .. } = l;
    Ok(ModuleFunction { ty, locals, code, offsets, statements, ..ModuleFunction::default() })
}

/// Functions of the host that an assertion calls where it fails.
const ENDS: [&str; 4] = ["__assert_fail", "__assert", "__assert_rtn", "abort"];

impl Lowering<'_> {
    fn emit(&mut self, ins: Ins, at: u32) {
        self.code.push(ins);
        self.offsets.push(at);
    }

    fn here(&self) -> u32 {
        self.code.len() as u32
    }

    /// Parameters and results of a block.
    fn signature(&self, ty: BlockType) -> (u32, u32) {
        match ty {
            BlockType::Empty => (0, 0),
            BlockType::Type(_) => (0, 1),
            BlockType::FuncType(t) => {
                let ty = &self.module.types[t as usize];
                (ty.params.len() as u32, ty.results.len() as u32)
            }
        }
    }

    /// The target of a jump `depth` blocks outward, to be completed at that block's end unless it is a loop.
    fn target(&mut self, depth: u32, arm: usize) -> Target {
        let at = self.here();
        let place = self.blocks.len() - 1 - depth as usize;
        let block = &mut self.blocks[place];
        let target = Target { pc: block.start.unwrap_or(0), keep: block.carried, height: block.height };
        if block.start.is_none() {
            block.ends.push((at, arm));
        }
        target
    }

    fn open(&mut self, ty: BlockType, height: u32, is_loop: bool) {
        let (params, results) = self.signature(ty);
        let start = is_loop.then(|| self.here());
        if is_loop {
            self.label = self.code.len();
        }
        let carried = if is_loop { params } else { results };
        self.blocks.push(Block {
            start,
            ends: Vec::new(),
            otherwise: None,
            height: height.saturating_sub(params),
            carried,
        });
    }

    fn patch(&mut self, at: u32, arm: usize) {
        let pc = self.here();
        match &mut self.code[at as usize] {
            Ins::Jump(to) | Ins::Branch { to, .. } => to.pc = pc,
            Ins::Table { targets, .. } => targets[arm].pc = pc,
            _ => {}
        }
    }

    /// Puts what is asked of an instruction before it.
    fn ask(&mut self, ins: &Ins, at: u32) {
        let Some(question) = self.module.asked else { return };
        let ends = match ins {
            Ins::CallHost(i) => ENDS.contains(&self.module.imports[*i as usize].name.as_str()),
            // What stands after a call that does not return is asked of the call.
            Ins::Unreachable => match self.code.last() {
                Some(Ins::CallHost(_)) => false,
                Some(Ins::Call(_)) => return self.ask_before(question),
                _ => true,
            },
            _ => false,
        };
        let call = match ins {
            Ins::CallHost(i) => {
                let import = &self.module.imports[*i as usize];
                Call::of(*i, &import.name, &import.ty)
            }
            _ => None,
        };
        for probe in question.probes(ins, call, ends) {
            self.put(probe, at);
        }
    }

    /// Puts what is asked of an instruction that nothing reaches before the last one, a call that does not return.
    fn ask_before(&mut self, question: ProbeQuestion) {
        let (Some(call), Some(at)) = (self.code.pop(), self.offsets.pop()) else { return };
        // No statement begins between the two.
        let after = self.here() + 1;
        self.statements.retain(|s| *s < after);
        for probe in question.probes(&Ins::Unreachable, None, true) {
            self.put(probe, at);
        }
        self.emit(call, at);
    }

    fn put(&mut self, probe: Probe, at: u32) {
        let site = self.site(2, true);
        self.module.sites[site as usize].probe = Some(probe);
        self.emit(Ins::Probe { site }, at);
    }

    fn site(&mut self, ways: u32, when: bool) -> u32 {
        let site = Site { function: self.function, pc: self.here(), ways, when: when.into(), probe: None };
        self.module.sites.push(site);
        self.module.sites.len() as u32 - 1
    }

    /// The test that the last instructions compute, taken off, and the outcome of it for which the value is true.
    fn test(&mut self) -> (BranchTest, bool) {
        let mut when = true;
        let mut end = self.code.len();
        loop {
            let before = &self.code[self.label.min(end)..end];
            match before {
                [.., Ins::Unary(Unary::I32Eqz)] => {
                    when = !when;
                    end -= 1;
                }
                // A truth value and 1 is itself.
                [.., Ins::Compare(_), Ins::Const(CodeConst::I32(1)), Ins::Binary(Binary::I32And)] => end -= 2,
                [.., Ins::Compare(c)] => {
                    let test = BranchTest::Compare(*c);
                    self.cut(end - 1);
                    return (test, when);
                }
                [.., Ins::Unary(Unary::I64Eqz)] => {
                    let at = self.offsets[end - 1];
                    self.cut(end - 1);
                    self.emit(Ins::Const(CodeConst::I64(0)), at);
                    return (BranchTest::Compare(Compare::I64Eq), when);
                }
                [.., Ins::Binary(Binary::I32Or)] => {
                    self.cut(end - 1);
                    return (BranchTest::Either, when);
                }
                _ => {
                    self.cut(end);
                    return (BranchTest::NonZero, when);
                }
            }
        }
    }

    fn cut(&mut self, end: usize) {
        self.code.truncate(end);
        self.offsets.truncate(end);
    }

    fn operator(&mut self, op: &Operator<'_>, height: u32, dead: bool, at: u32) -> Result<(), Malformed> {
        if dead {
            return self.dead(op);
        }
        match op {
            Operator::Block { blockty } => self.open(*blockty, height, false),
            Operator::Loop { blockty } => self.open(*blockty, height, true),
            Operator::If { blockty } => self.condition(*blockty, height - 1, at),
            Operator::Else => self.otherwise(true, at),
            Operator::End => self.end(),
            Operator::Br { relative_depth } => {
                let to = self.target(*relative_depth, 0);
                self.emit(Ins::Jump(to), at);
            }
            Operator::BrIf { relative_depth } => {
                let (test, when) = self.test();
                let site = self.site(2, when);
                let to = self.target(*relative_depth, 0);
                self.emit(Ins::Branch { site, test, when, to }, at);
            }
            Operator::BrTable { targets } => self.table(targets, at)?,
            Operator::Return => self.emit(Ins::Return, at),
            Operator::Unreachable => {
                self.ask(&Ins::Unreachable, at);
                self.emit(Ins::Unreachable, at);
            }
            Operator::Nop => {}
            Operator::Select | Operator::TypedSelect { .. } => {
                let (test, when) = self.test();
                let site = self.site(2, when);
                self.emit(Ins::Select { site, test, when }, at);
            }
            _ => {
                let ins = self.plain(op)?;
                self.ask(&ins, at);
                self.emit(ins, at);
            }
        }
        Ok(())
    }

    /// An operator that cannot be reached: only the blocks count.
    fn dead(&mut self, op: &Operator<'_>) -> Result<(), Malformed> {
        match op {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                self.blocks.push(Block { start: None, ends: Vec::new(), otherwise: None, height: 0, carried: 0 });
            }
            Operator::Else => self.otherwise(false, 0),
            Operator::End => self.end(),
            _ => {}
        }
        Ok(())
    }

    fn condition(&mut self, ty: BlockType, height: u32, at: u32) {
        let (test, when) = self.test();
        let site = self.site(2, when);
        let (params, _) = self.signature(ty);
        let branch = self.here();
        let to = Target { pc: 0, keep: params, height: height.saturating_sub(params) };
        self.emit(Ins::Branch { site, test, when: !when, to }, at);
        self.open(ty, height, false);
        if let Some(block) = self.blocks.last_mut() {
            block.otherwise = Some(branch);
        }
    }

    fn otherwise(&mut self, reached: bool, at: u32) {
        if reached {
            let to = self.target(0, 0);
            self.emit(Ins::Jump(to), at);
        }
        let branch = self.blocks.last_mut().and_then(|b| b.otherwise.take());
        if let Some(branch) = branch {
            self.patch(branch, 0);
        }
        self.label = self.code.len();
    }

    fn end(&mut self) {
        let Some(block) = self.blocks.pop() else { return };
        if let Some(branch) = block.otherwise {
            self.patch(branch, 0);
        }
        for (at, arm) in block.ends {
            self.patch(at, arm);
        }
        self.label = self.code.len();
    }

    fn table(&mut self, table: &wasmparser::BrTable<'_>, at: u32) -> Result<(), Malformed> {
        let mut depths = table.targets().collect::<Result<Vec<u32>, _>>()?;
        depths.push(table.default());
        let site = self.site(depths.len() as u32, true);
        let targets = depths.iter().enumerate().map(|(arm, d)| self.target(*d, arm)).collect();
        self.emit(Ins::Table { site, targets }, at);
        Ok(())
    }

    /// Operators that only compute.
    fn plain(&self, op: &Operator<'_>) -> Result<Ins, Malformed> {
        if let Some(o) = Unary::of(op) {
            return Ok(if self.module.casts && cfg!(target_arch = "x86_64") && o.saturates() {
                Ins::Cast(o)
            } else {
                Ins::Unary(o)
            });
        }
        if let Some(o) = Binary::of(op) {
            return Ok(Ins::Binary(o));
        }
        if let Some(o) = Compare::of(op) {
            return Ok(Ins::Compare(o));
        }
        Ok(match op {
            Operator::I32Const { value } => Ins::Const(CodeConst::I32(*value)),
            Operator::I64Const { value } => Ins::Const(CodeConst::I64(*value)),
            Operator::F32Const { value } => Ins::Const(CodeConst::F32(value.bits())),
            Operator::F64Const { value } => Ins::Const(CodeConst::F64(value.bits())),
            Operator::LocalGet { local_index } => Ins::LocalGet(*local_index),
            Operator::LocalSet { local_index } => Ins::LocalSet(*local_index),
            Operator::LocalTee { local_index } => Ins::LocalTee(*local_index),
            Operator::GlobalGet { global_index } => Ins::GlobalGet(*global_index),
            Operator::GlobalSet { global_index } => Ins::GlobalSet(*global_index),
            Operator::Drop => Ins::Drop,
            Operator::MemorySize { .. } => Ins::MemorySize,
            Operator::MemoryGrow { .. } => Ins::MemoryGrow,
            Operator::MemoryCopy { .. } => Ins::MemoryCopy,
            Operator::MemoryFill { .. } => Ins::MemoryFill,
            Operator::CallIndirect { type_index, .. } => Ins::CallIndirect(*type_index),
            Operator::Call { function_index } => match function_index.checked_sub(self.module.imports.len() as u32) {
                Some(own) => Ins::Call(own),
                None => Ins::CallHost(*function_index),
            },
            other => match memory(other) {
                Some(ins) => ins,
                None => return Err(Malformed(format!("the instruction {other:?} is not supported"))),
            },
        })
    }
}

/// The offset of an access; what is beyond 32 bits is outside of memory as much as the largest is.
fn upto(arg: &MemArg) -> u32 {
    u32::try_from(arg.offset).unwrap_or(u32::MAX)
}

/// Reads and writes.
fn memory(op: &Operator<'_>) -> Option<Ins> {
    use Type::{F32, F64, I32, I64};
    let load = |ty, bytes, signed, arg: &MemArg| Some(Ins::Load(Load { ty, bytes, signed }, upto(arg)));
    let store = |ty, bytes, arg: &MemArg| Some(Ins::Store(Store { ty, bytes }, upto(arg)));
    match op {
        Operator::I32Load { memarg } => load(I32, 4, false, memarg),
        Operator::I64Load { memarg } => load(I64, 8, false, memarg),
        Operator::F32Load { memarg } => load(F32, 4, false, memarg),
        Operator::F64Load { memarg } => load(F64, 8, false, memarg),
        Operator::I32Load8S { memarg } => load(I32, 1, true, memarg),
        Operator::I32Load8U { memarg } => load(I32, 1, false, memarg),
        Operator::I32Load16S { memarg } => load(I32, 2, true, memarg),
        Operator::I32Load16U { memarg } => load(I32, 2, false, memarg),
        Operator::I64Load8S { memarg } => load(I64, 1, true, memarg),
        Operator::I64Load8U { memarg } => load(I64, 1, false, memarg),
        Operator::I64Load16S { memarg } => load(I64, 2, true, memarg),
        Operator::I64Load16U { memarg } => load(I64, 2, false, memarg),
        Operator::I64Load32S { memarg } => load(I64, 4, true, memarg),
        Operator::I64Load32U { memarg } => load(I64, 4, false, memarg),
        Operator::I32Store { memarg } => store(I32, 4, memarg),
        Operator::I64Store { memarg } => store(I64, 8, memarg),
        Operator::F32Store { memarg } => store(F32, 4, memarg),
        Operator::F64Store { memarg } => store(F64, 8, memarg),
        Operator::I32Store8 { memarg } => store(I32, 1, memarg),
        Operator::I32Store16 { memarg } => store(I32, 2, memarg),
        Operator::I64Store8 { memarg } => store(I64, 1, memarg),
        Operator::I64Store16 { memarg } => store(I64, 2, memarg),
        Operator::I64Store32 { memarg } => store(I64, 4, memarg),
        _ => None,
    }
}
