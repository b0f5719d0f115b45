//! Every operator in machine code gives what the interpreter gives, and ends a run where it does.

use super::CompiledProgram;
use crate::code::ins::{Binary, Compare, FuncType, Ins, Target, Type, Unary};
use crate::code::machine::Trap;
use crate::code::module::{Module, ModuleFunction, Site};
use crate::code::program::CodeProgram;
use crate::code::run::{Blind, Runner};
use crate::code::sets::sample::{Random, bits, operand};
use crate::tool;
use std::process::Command;

/// The instructions that take one operand or two, each with the type of its operands and of its result.
fn instructions() -> Vec<(Ins, usize, Type, Type)> {
    let result = |name: &str| super::function::result_of(name);
    let unary = Unary::ALL.iter().map(|op| {
        let name = format!("{op:?}");
        (Ins::Unary(*op), 1, operand(&name), result(&name))
    });
    let casts = Unary::ALL.iter().filter(|op| op.saturates()).map(|op| {
        let name = format!("{op:?}");
        (Ins::Cast(*op), 1, operand(&name), result(&name))
    });
    let binary = Binary::ALL.iter().map(|op| {
        let name = format!("{op:?}");
        (Ins::Binary(*op), 2, operand(&name), result(&name))
    });
    let compare = Compare::ALL.iter().map(|op| (Ins::Compare(*op), 2, operand(&format!("{op:?}")), Type::I32));
    unary.chain(casts).chain(binary).chain(compare).collect()
}

/// From a word, and back to one.
fn of_word(ty: Type) -> Vec<Ins> {
    match ty {
        Type::I32 => vec![Ins::Unary(Unary::I32WrapI64)],
        Type::I64 => Vec::new(),
        Type::F32 => vec![Ins::Unary(Unary::I32WrapI64), Ins::Unary(Unary::F32ReinterpretI32)],
        Type::F64 => vec![Ins::Unary(Unary::F64ReinterpretI64)],
    }
}

fn to_word(ty: Type) -> Vec<Ins> {
    match ty {
        Type::I32 => vec![Ins::Unary(Unary::I64ExtendI32U)],
        Type::I64 => Vec::new(),
        Type::F32 => vec![Ins::Unary(Unary::I32ReinterpretF32), Ins::Unary(Unary::I64ExtendI32U)],
        Type::F64 => vec![Ins::Unary(Unary::I64ReinterpretF64)],
    }
}

/// A function of a number and two words that does the instruction of that number.
fn program() -> CodeProgram {
    let mut arms = Vec::new();
    let mut code = vec![Ins::LocalGet(0), Ins::Unreachable];
    for (ins, operands, from, to) in instructions() {
        arms.push(Target { pc: code.len() as u32, keep: 0, height: 0 });
        for i in 0..operands {
            code.push(Ins::LocalGet(1 + i as u32));
            code.extend(of_word(from));
        }
        code.push(ins);
        code.extend(to_word(to));
        code.push(Ins::Return);
    }
    let ways = arms.len() as u32;
    code[1] = Ins::Table { site: 0, targets: arms.into() };
    let params = vec![Type::I32, Type::I64, Type::I64];
    let function = ModuleFunction {
        home: None,
        name: "f".to_owned(),
        locals: params.clone(),
        ty: FuncType { params, results: vec![Type::I64] },
        offsets: vec![0; code.len()],
        code,
        statements: Vec::new(),
    };
    let sites = vec![Site { function: 0, pc: 1, ways, when: 1, probe: None }];
    let module = Module { functions: vec![function], sites, pages: 1, pages_limit: 1, ..Module::default() };
    CodeProgram::new(module, "f", &[]).unwrap()
}

fn is_nan(ty: Type, x: u64) -> bool {
    match ty {
        Type::F32 => f32::from_bits(x as u32).is_nan(),
        Type::F64 => f64::from_bits(x).is_nan(),
        _ => false,
    }
}

#[test]
fn operators_give_what_the_interpreter_gives() {
    if tool::answer(Command::new("cc").arg("--version"), "").is_err() {
        eprintln!("skipped: no cc");
        return;
    }
    let program = program();
    let mut compiled = CompiledProgram::build(&program).unwrap();
    let mut runner = Runner::new(&program.module);
    let mut random = Random(5);
    let mut trapped = 0;
    for (n, (ins, operands, from, to)) in instructions().iter().enumerate() {
        for _ in 0..2000 {
            let input = [n as u64, bits(*from, &mut random), bits(*from, &mut random)];
            let owed = program.run(&mut runner, &input, &mut Blind);
            let steps = runner.steps();
            let found = compiled.run(&mut runner.memory, &input, &mut Blind).unwrap();
            // Of two NaNs a compiler takes one or the other.
            let both = *operands == 2 && is_nan(*from, input[1]) && is_nan(*from, input[2]);
            let is_same = found == owed
                || both && matches!((&found, &owed), (Ok(Some(a)), Ok(Some(b))) if is_nan(*to, *a) && is_nan(*to, *b));
            assert!(is_same, "{ins:?} of {input:x?}: {found:x?}, and the interpreter {owed:x?}");
            assert_eq!(compiled.steps, steps, "{ins:?} of {input:x?}");
            trapped += usize::from(matches!(owed, Err(Trap::DivisionByZero | Trap::Overflow)));
        }
    }
    assert!(trapped > 1000, "{trapped}");
}
