//! Modules: one that is read is run, each function on a few inputs, with few steps.

#![no_main]

use libfuzzer_sys::fuzz_target;
use magneto::code::module::Module;
use magneto::code::program::CodeProgram;
use magneto::code::run::{Blind, Runner};

const FUNCTIONS: usize = 16;
const FUEL: u64 = 2000;
const ARGUMENTS: [u64; 4] = [0, 1, 0x7ff8_0000_0000_0000, 0xffff_ffff_ffff_fff0];

fuzz_target!(|bytes: &[u8]| {
    for read in [Module::decode, Module::decode_c] {
        let Ok(module) = read(bytes) else { return };
        let mut runner = Runner::new(&module);
        runner.fuel = FUEL;
        for (index, function) in module.functions.iter().enumerate().take(FUNCTIONS) {
            for argument in ARGUMENTS {
                runner.memory.reset();
                let arguments = vec![argument; function.ty.params.len()];
                let _ = runner.call(index as u32, &arguments, &mut Blind);
                assert!(runner.steps() <= FUEL);
            }
        }
        let names: Vec<String> = module.functions.iter().take(FUNCTIONS).map(|f| f.name.clone()).collect();
        for name in names {
            if let Ok(program) = CodeProgram::new(module.clone(), &name, &[]) {
                let _ = (program.reached(), program.lacking(), program.name().to_owned());
            }
        }
    }
});
