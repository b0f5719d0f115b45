//! The functions that a program reaches, as C: each instruction by the operator of its name in `include/compiled.c`.

use super::calls::{c_type, dispatcher, parameters, result};
use super::function::FunctionText;
use crate::code::memory::CHUNK;
use crate::code::program::CodeProgram;
use std::collections::BTreeSet;

const OPERATORS: &str = include_str!("../include/compiled.c");

/// A file of C with `magneto_run`, which calls a program's function; none where there is no C for an instruction.
pub(super) fn text(program: &CodeProgram) -> Option<String> {
    let module = &program.module;
    let mut heads = String::new();
    let mut bodies = String::new();
    let mut indirect = BTreeSet::new();
    for f in program.reached() {
        let ty = &module.functions[f as usize].ty;
        heads += &format!("ALONE {} f{f}({});\n", result(ty)?, parameters(ty, ""));
        bodies += &FunctionText::new(module, f).written(&mut indirect)?;
    }
    for ty in indirect {
        heads += &dispatcher(module, ty)?;
    }
    let entry = &module.functions[program.entry as usize].ty;
    let arguments: String =
        entry.params.iter().enumerate().map(|(i, ty)| format!(", {}_of(a[{i}])", c_type(*ty))).collect();
    let call = format!("f{}(c{arguments})", program.entry);
    let call = match entry.results.first() {
        Some(ty) => format!("return {}_bits({call});", c_type(*ty)),
        None => format!("{call};\n  return 0;"),
    };
    Some(format!(
        "#define MAGNETO_CHUNK {CHUNK}\n#define MAGNETO_WIDE {}\n{OPERATORS}\n{heads}\n{bodies}\n\
         uint64_t magneto_run(struct context *c, const uint64_t *a) {{\n  jmp_buf back;\n  c->back = &back;\n  \
         if (setjmp(back)) return 0;\n  (void)a;\n  {call}\n}}\n",
        u8::from(module.wide)
    ))
}
