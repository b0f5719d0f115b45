//! One function as C.

use super::calls::{c_type, direct, host, parameters, result};
use super::frame::{Frame, frame};
use crate::code::flow;
use crate::code::ins::{BranchTest, FuncType, Ins, Load, Store, Target, Type, Unary};
use crate::code::module::Module;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A value on the stack.
#[derive(Clone, Copy)]
struct Value {
    ty: Type,
    /// Whether it is the address of the frame.
    is_frame: bool,
}

impl Value {
    fn of(ty: Type) -> Value {
        Value { ty, is_frame: false }
    }
}

/// One function.
pub(super) struct FunctionText<'m> {
    module: &'m Module,
    index: u32,
    out: String,
    frame: Option<Frame>,
    /// Whether the frame's local has its address.
    has_frame: bool,
    /// The values on the stack; none where the code cannot be reached.
    stack: Option<Vec<Value>>,
    /// The types of values at each instruction that is jumped to, as far as it is known.
    at_jumps: Vec<Option<Vec<Type>>>,
    /// The variables that stand for places of the stack.
    variables: BTreeSet<(usize, &'static str)>,
    /// Instructions that were charged for and come after the one that is written.
    rest: usize,
}

/// The result of an operator, by its name: the type at its beginning, but for tests of one operand.
pub(super) fn result_of(name: &str) -> Type {
    match (&name[..3], name.ends_with("Eqz")) {
        ("I64", false) => Type::I64,
        ("F32", _) => Type::F32,
        ("F64", _) => Type::F64,
        _ => Type::I32,
    }
}

/// Whether a conversion or a division may end a run.
fn may_trap(name: &str) -> bool {
    (name.contains("Trunc") && name.starts_with('I') && !name.contains("Sat"))
        || (name.starts_with('I') && (name.contains("Div") || name.contains("Rem")))
}

impl<'m> FunctionText<'m> {
    /// For a function, by its index.
    pub(super) fn new(module: &'m Module, index: u32) -> Self {
        let code = &module.functions[index as usize].code;
        FunctionText {
            module,
            index,
            frame: frame(&module.functions[index as usize]),
            has_frame: false,
            out: String::new(),
            stack: Some(Vec::new()),
            at_jumps: vec![None; code.len()],
            variables: BTreeSet::new(),
            rest: 0,
        }
    }

    /// Its definition, and the types of its indirect calls; none where there is no C for an instruction.
    pub(super) fn written(mut self, indirect: &mut BTreeSet<u32>) -> Option<String> {
        let f = &self.module.functions[self.index as usize];
        let begins = beginnings(&f.code);
        let room = 256 + 32 * (f.locals.len() + f.code.len() / 8);
        for (pc, ins) in f.code.iter().enumerate() {
            let jumped = self.at_jumps[pc].as_ref().map(|types| types.iter().copied().map(Value::of).collect());
            self.stack = jumped.or(self.stack.take());
            if self.stack.is_none() {
                continue;
            }
            let length = begins[pc + 1..].iter().position(|b| *b).unwrap_or(f.code.len() - pc - 1) + 1;
            self.rest = length - 1;
            if begins[pc] {
                let _ = writeln!(self.out, "L{pc}:\n  CHARGE({length});");
            }
            if let Ins::CallIndirect(ty) = ins {
                indirect.insert(*ty);
            }
            self.instruction(ins, &f.ty, room)?;
            match self.frame {
                Some(frame) if frame.set_at == pc => {
                    self.line(&format!("FRAME(v{}, {}u, {});", frame.local, frame.bytes, self.rest));
                    self.has_frame = true;
                }
                // Memory may have moved.
                Some(frame) if self.has_frame && self.stack.is_some() && moves_memory(ins) => {
                    self.line(&format!("frame = c->bytes + v{};", frame.local));
                }
                _ => {}
            }
        }
        let mut head = format!(
            "ALONE {} f{}({}) {{\n  ENTER({room});\n  I32 way = 0;\n  (void)way;\n",
            result(&f.ty)?,
            self.index,
            parameters(&f.ty, "")
        );
        for (i, ty) in f.locals.iter().enumerate().skip(f.ty.params.len()) {
            let _ = writeln!(head, "  {} v{i} = 0;", c_type(*ty));
        }
        if self.frame.is_some() {
            head += "  uint8_t *frame = 0;\n";
        }
        for (height, ty) in &self.variables {
            let _ = writeln!(head, "  {ty} {ty}_{height};");
        }
        Some(format!("{head}{}}}\n", self.out))
    }

    /// The variable for a place of the stack.
    fn variable(&mut self, ty: Type, height: usize) -> String {
        self.variables.insert((height, c_type(ty)));
        format!("{}_{height}", c_type(ty))
    }

    fn push(&mut self, ty: Type, value: &str) {
        let height = self.stack.as_ref().map_or(0, Vec::len);
        let variable = self.variable(ty, height);
        let _ = writeln!(self.out, "  {variable} = {value};");
        self.stack.get_or_insert_default().push(Value::of(ty));
    }

    fn pop_typed(&mut self) -> Option<(Type, String)> {
        let stack = self.stack.as_mut()?;
        let ty = stack.pop()?.ty;
        let height = stack.len();
        Some((ty, self.variable(ty, height)))
    }

    fn pop(&mut self) -> Option<String> {
        Some(self.pop_typed()?.1)
    }

    /// The values at the top of the stack, which stay there.
    fn top(&mut self, count: usize) -> Option<Vec<(Type, String)>> {
        let stack = self.stack.clone()?;
        let from = stack.len().checked_sub(count)?;
        Some((from..stack.len()).map(|height| (stack[height].ty, self.variable(stack[height].ty, height))).collect())
    }

    fn popped(&mut self, count: usize) -> Option<Vec<String>> {
        let all = self.top(count)?;
        let stack = self.stack.as_mut()?;
        stack.truncate(stack.len() - count);
        Some(all.into_iter().map(|(_, name)| name).collect())
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "  {text}");
    }

    /// The statements that jump; where to has these values on its stack.
    fn jump(&mut self, to: Target) -> Option<String> {
        let stack = self.stack.clone()?;
        let from = stack.len().checked_sub(to.keep as usize)?;
        let mut text = String::new();
        for (k, Value { ty, .. }) in stack[from..].iter().enumerate().filter(|_| from != to.height as usize) {
            let (source, target) = (self.variable(*ty, from + k), self.variable(*ty, to.height as usize + k));
            let _ = write!(text, "{target} = {source}; ");
        }
        let kept = stack[..to.height as usize].iter().chain(&stack[from..]).map(|value| value.ty).collect();
        self.at_jumps[to.pc as usize].get_or_insert(kept);
        Some(format!("{text}goto L{};", to.pc))
    }

    /// Pops the operands of a test, and lets the search see how it comes out: in `way`.
    fn test(&mut self, site: u32, test: BranchTest) -> Option<()> {
        let (bits, holds) = if test.operands() == 1 {
            let a = self.pop()?;
            (format!("{a}, 0"), format!("NonZero({a})"))
        } else {
            let (ty, b) = self.pop_typed()?;
            let a = self.pop()?;
            let name = match test {
                BranchTest::Compare(op) => format!("{op:?}"),
                _ => "Either".to_owned(),
            };
            let ty = c_type(ty);
            (format!("{ty}_bits({a}), {ty}_bits({b})"), format!("{name}({a}, {b})"))
        };
        self.line(&format!("way = {holds};"));
        self.line(&format!("SEE({site}, way, {bits});"));
        Some(())
    }

    fn instruction(&mut self, ins: &Ins, own: &FuncType, room: usize) -> Option<()> {
        match ins {
            Ins::Const(c) => self.push(c.ty(), &format!("{}_of({}u)", c_type(c.ty()), c.bits())),
            Ins::LocalGet(i) => {
                self.push(self.local(*i), &format!("v{i}"));
                if let (Some(frame), Some(top)) = (self.frame, self.stack.as_mut()?.last_mut()) {
                    top.is_frame = self.has_frame && frame.local == *i;
                }
            }
            Ins::LocalSet(i) => {
                let value = self.pop()?;
                self.line(&format!("v{i} = {value};"));
            }
            Ins::LocalTee(i) => {
                let top = self.top(1)?;
                self.line(&format!("v{i} = {};", top[0].1));
            }
            Ins::GlobalGet(i) => {
                let ty = self.module.globals[*i as usize].ty();
                self.push(ty, &format!("{}_of(c->globals[{i}])", c_type(ty)));
            }
            Ins::GlobalSet(i) => {
                let (ty, value) = self.pop_typed()?;
                self.line(&format!("c->globals[{i}] = {}_bits({value});", c_type(ty)));
            }
            Ins::Drop => drop(self.pop()?),
            Ins::Unary(op) => self.operator(&format!("{op:?}"), 1)?,
            Ins::Cast(op) => self.cast(*op)?,
            Ins::Binary(op) => self.operator(&format!("{op:?}"), 2)?,
            Ins::Compare(op) => {
                let operands = self.popped(2)?.join(", ");
                self.push(Type::I32, &format!("{op:?}({operands})"));
            }
            Ins::Load(load, offset) => self.load(*load, *offset)?,
            Ins::Store(store, offset) => self.store(*store, *offset)?,
            Ins::MemorySize => self.push(self.module.address(), "c->pages(c, 0, 0)"),
            Ins::MemoryGrow => {
                let more = self.pop()?;
                self.push(self.module.address(), &format!("c->pages(c, 1, {more})"));
            }
            Ins::MemoryCopy | Ins::MemoryFill => {
                let work = if matches!(ins, Ins::MemoryCopy) { "copy" } else { "fill" };
                let operands = self.popped(3)?.join(", ");
                self.line(&format!("c->{work}(c, {operands});\n  CHECK_GIVEN({});", self.rest));
            }
            Ins::Probe { site } => self.probe(*site)?,
            Ins::Call(_) | Ins::CallIndirect(_) | Ins::CallHost(_) => self.call(ins)?,
            _ => self.flow(ins, own, room)?,
        }
        Some(())
    }

    fn local(&self, i: u32) -> Type {
        self.module.functions[self.index as usize].locals[i as usize]
    }

    fn operator(&mut self, name: &str, operands: usize) -> Option<()> {
        let operands = self.popped(operands)?.join(", ");
        if may_trap(name) {
            self.line(&format!("CHECK_{name}({operands}, {});", self.rest));
        }
        self.push(result_of(name), &format!("{name}({operands})"));
        Some(())
    }

    fn cast(&mut self, op: Unary) -> Option<()> {
        let operand = self.pop()?;
        let name = format!("{op:?}");
        self.push(result_of(&name), &format!("Cast{name}({operand})"));
        Some(())
    }

    fn load(&mut self, load: Load, offset: u32) -> Option<()> {
        let access = self.access(load.bytes, offset)?;
        let height = self.stack.as_ref()?.len();
        let value = self.variable(load.ty, height);
        self.line(&format!("READ{access}{}, {value});", stored(load.ty, load.bytes, load.signed)));
        self.stack.as_mut()?.push(Value::of(load.ty));
        Some(())
    }

    fn store(&mut self, store: Store, offset: u32) -> Option<()> {
        let value = self.pop()?;
        let access = self.access(store.bytes, offset)?;
        self.line(&format!("WRITE{access}{}, {value});", stored(store.ty, store.bytes, false)));
        Some(())
    }

    /// Pops an address: the end of the name of an access to so many bytes there, and its first arguments.
    fn access(&mut self, bytes: u8, offset: u32) -> Option<String> {
        let is_frame = self.stack.as_ref()?.last()?.is_frame;
        let address = self.pop()?;
        let is_within = |frame: Frame| u64::from(offset) + u64::from(bytes) <= frame.bytes;
        Some(match self.frame.filter(|frame| is_frame && is_within(*frame)) {
            Some(_) => format!("_FRAME({offset}u, "),
            None => format!("({address}, {offset}u, {}, ", self.rest),
        })
    }

    fn probe(&mut self, site: u32) -> Option<()> {
        let Some(probe) = self.module.sites[site as usize].probe else { return Some(()) };
        let operands = self.top(probe.operands())?;
        let bits: String = operands.iter().map(|(ty, name)| format!(", {}_bits({name})", c_type(*ty))).collect();
        self.line(&format!("if (RARE(c->live[{site}])) {{\n    uint64_t a[] = {{0{bits}}};"));
        self.line(&format!("  c->probe(c, {site}, a + 1, {});\n    CHECK_GIVEN({});\n  }}", operands.len(), self.rest));
        Some(())
    }

    fn call(&mut self, ins: &Ins) -> Option<()> {
        let (index, ty) = match ins {
            Ins::Call(f) => (String::new(), &self.module.functions[*f as usize].ty),
            Ins::CallHost(f) => (String::new(), &self.module.imports[*f as usize].ty),
            Ins::CallIndirect(ty) => (format!(", {}", self.pop()?), &self.module.types[*ty as usize]),
            _ => return None,
        };
        let names = self.popped(ty.params.len())?;
        let result = ty.results.first().copied().map(|ty| (ty, self.stack.as_ref().map_or(0, Vec::len)));
        let result = result.map(|(ty, height)| (ty, self.variable(ty, height)));
        if let Ins::CallHost(import) = ins
            && let Some(call) = direct(self.module, *import, &names)
        {
            match &result {
                Some((_, name)) => self.line(&format!("{name} = {call};")),
                None => self.line(&format!("{call};")),
            }
        } else if let Ins::CallHost(import) = ins {
            self.line("c->fuel = fuel;");
            let call = host(&import.to_string(), ty, &names);
            self.line(&format!("{{\n{call}    CHECK_GIVEN({});", self.rest));
            if let Some((ty, name)) = &result {
                self.line(&format!("  {name} = {}_of(r);", c_type(*ty)));
            }
            self.line("}");
        } else {
            let function = match ins {
                Ins::CallIndirect(ty) => format!("t{ty}"),
                Ins::Call(f) => format!("f{f}"),
                _ => return None,
            };
            let arguments: String = names.iter().map(|name| format!(", {name}")).collect();
            self.line("c->fuel = fuel;");
            let kept = result.as_ref().map_or(String::new(), |(_, name)| format!("{name} = "));
            self.line(&format!("{kept}{function}(c{index}{arguments});\n  fuel = c->fuel;"));
        }
        if let Some((ty, _)) = result {
            self.stack.as_mut()?.push(Value::of(ty));
        }
        Some(())
    }

    /// What goes elsewhere.
    fn flow(&mut self, ins: &Ins, own: &FuncType, room: usize) -> Option<()> {
        match ins {
            Ins::Select { site, test, when } => {
                self.test(*site, *test)?;
                let second = self.pop()?;
                let (ty, first) = self.pop_typed()?;
                self.push(ty, &format!("way == {} ? {first} : {second}", u32::from(*when)));
            }
            Ins::Branch { site, test, when, to } => {
                self.test(*site, *test)?;
                let jump = self.jump(*to)?;
                self.line(&format!("if (way == {}) {{ {jump} }}", u32::from(*when)));
            }
            Ins::Table { site, targets } => {
                let (index, arms) = (self.pop()?, targets.len());
                self.line(&format!("way = {index} < {arms} ? {index} : {};", arms - 1));
                self.line(&format!("SEE_ARM({site}, way, {arms}, {index});\n  switch (way) {{"));
                for (arm, to) in targets.iter().enumerate() {
                    let jump = self.jump(*to)?;
                    let case = if arm + 1 == arms { "default".to_owned() } else { format!("case {arm}") };
                    self.line(&format!("{case}: {jump}"));
                }
                self.line("}");
                self.stack = None;
            }
            Ins::Jump(to) => {
                let jump = self.jump(*to)?;
                self.line(&jump);
                self.stack = None;
            }
            Ins::Return => {
                let result = if own.results.is_empty() { String::new() } else { self.pop()? };
                self.line(&format!("LEAVE({room});\n  return {result};"));
                self.stack = None;
            }
            Ins::Unreachable => {
                self.line("TRAP(UNREACHABLE, 0);");
                self.stack = None;
            }
            _ => return None,
        }
        Some(())
    }
}

/// Whether memory may be elsewhere after an instruction.
fn moves_memory(ins: &Ins) -> bool {
    matches!(ins, Ins::Call(_) | Ins::CallIndirect(_) | Ins::CallHost(_) | Ins::MemoryGrow)
}

/// The type of so many bytes in memory.
fn stored(ty: Type, bytes: u8, signed: bool) -> String {
    match ty {
        Type::F32 | Type::F64 => c_type(ty).to_owned(),
        Type::I32 | Type::I64 => format!("{}int{}_t", if signed { "" } else { "u" }, 8 * bytes),
    }
}

/// The instructions at which what is charged for begins: those that are jumped to, and those after a decision or a call.
fn beginnings(code: &[Ins]) -> Vec<bool> {
    let mut all = vec![false; code.len() + 1];
    all[0] = true;
    for (pc, ins) in code.iter().enumerate() {
        let decides =
            matches!(ins, Ins::Jump(_) | Ins::Branch { .. } | Ins::Table { .. } | Ins::Return | Ins::Unreachable);
        let calls = matches!(ins, Ins::Call(_) | Ins::CallIndirect(_) | Ins::CallHost(_));
        if decides {
            flow::next(ins, pc).into_iter().for_each(|next| all[next] = true);
        }
        all[pc + 1] |= decides || calls;
    }
    all.truncate(code.len());
    all
}
