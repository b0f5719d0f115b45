//! Modules as their reader takes them: what stands in memory and table, globals, imports, and what the name section says.

use magneto::code::machine::Trap;
use magneto::code::module::Module;
use magneto::code::program::CodeProgram;
use magneto::code::run::{Blind, Runner};
use magneto::reach::coverage::{Coverage, CoverageLimits};
use magneto::reach::infeasible::BUDGET;
use magneto::record::cover::CoveredFunction;

pub(crate) const I32: u8 = 0x7f;
pub(crate) const I64: u8 = 0x7e;
pub(crate) const F32: u8 = 0x7d;
pub(crate) const F64: u8 = 0x7c;

/// A module of sections, each with its number.
pub(crate) fn sections(all: &[(u8, &[u8])]) -> Vec<u8> {
    let one = |(id, content): &(u8, &[u8])| [&[*id, content.len() as u8], *content].concat();
    [b"\0asm\x01\0\0\0".to_vec(), all.iter().flat_map(one).collect()].concat()
}

/// What stands outside of the memory or the table that a module has is refused, as an engine does that makes an instance of it.
#[test]
fn what_stands_outside_of_memory_or_table_is_refused() {
    let (page, wide) = ([1, 0, 1], [1, 4, 1]);
    // Two bytes at an address: a signed number of a type, 7 bits a byte.
    let data = |ty: u8, at: &[u8]| [&[1, 0, ty], at, &[0x0b, 2, 8, 9]].concat();
    let decode = |memory: &[u8], data: &[u8]| Module::decode(&sections(&[(5, memory), (11, data)]));
    assert_eq!(decode(&page, &data(0x41, &[0xfe, 0xff, 3])).unwrap().segments[0].at, 0xfffe);
    for at in [&[0xff, 0xff, 3][..], &[0x7f], &[0xff, 0xff, 0xff, 0xff, 7]] {
        let refused = decode(&page, &data(0x41, at)).unwrap_err();
        assert!(refused.0.contains("are outside of its memory"), "{refused}");
    }
    // 2^32, of which the lower half is an address.
    let refused = decode(&wide, &data(0x42, &[0x80, 0x80, 0x80, 0x80, 0x10])).unwrap_err();
    assert!(refused.0.contains("at address 0x100000000 are outside"), "{refused}");
    let elements = |at: &[u8]| {
        let element = [&[1, 0, 0x41], at, &[0x0b, 1, 0]].concat();
        let (code, table): (&[u8], &[u8]) = (&[1, 2, 0, 0x0b], &[1, 0x70, 0, 4]);
        Module::decode(&sections(&[(1, &[1, 0x60, 0, 0]), (3, &[1, 0]), (4, table), (9, &element), (10, code)]))
    };
    assert_eq!(elements(&[3]).unwrap().table, [None, None, None, Some(0)]);
    for at in [&[4][..], &[0x7f], &[0xff, 0xff, 0xff, 0xff, 7]] {
        let refused = elements(at).unwrap_err();
        assert!(refused.0.contains("are outside of its table"), "{refused}");
    }
}

/// Globals that are no addresses say nothing of where there is room: objects of the caller stand above the module's own data.
#[test]
fn globals_that_are_no_addresses_leave_room() {
    // -1, 2^31 - 1, and 1.5 in binary32, each a global that does not change.
    let others: [&[u8]; 3] = [
        &[I32, 0, 0x41, 0x7f, 0x0b],
        &[I32, 0, 0x41, 0xff, 0xff, 0xff, 0xff, 7, 0x0b],
        &[F32, 0, 0x43, 0, 0, 0xc0, 0x3f, 0x0b],
    ];
    for other in others {
        // The address 32 beside it, and two bytes of data at 64.
        let globals = [&[2][..], &[I32, 0, 0x41, 32, 0x0b], other].concat();
        let bytes = sections(&[(5, &[1, 0, 1]), (6, &globals), (11, &[1, 0, 0x41, 0xc0, 0, 0x0b, 2, 8, 9])]);
        let module = Module::decode(&bytes).unwrap();
        assert_eq!(Runner::new(&module).memory.allocate(8), 80, "{other:x?}");
    }
}

/// A function of the host with other results than that of the library is another one: what it leaves on the stack is not known.
#[test]
fn imports_with_other_results_are_no_functions_of_the_library() {
    for (name, params, results) in [
        ("memcpy", 3, &[][..]),
        ("malloc", 1, &[]),
        ("memset", 3, &[F64]),
        ("free", 1, &[I32]),
        ("printf", 0, &[I32, I32]),
    ] {
        let ty = [&[0x60, params][..], &vec![I32; params as usize], &[results.len() as u8], results].concat();
        let types = [&[2][..], &ty, &[0x60, 0, 1, I32]].concat();
        let import = [&[1, 1, b'e', name.len() as u8], name.as_bytes(), &[0, 0]].concat();
        // 5, the call, whose results are dropped, and the end.
        let arguments = [0x41, 0].repeat(params as usize);
        let body = [&[0, 0x41, 5], &arguments[..], &[0x10, 0], &vec![0x1a; results.len()], &[0x0b]].concat();
        let code = [&[1, body.len() as u8], &body[..]].concat();
        let bytes = sections(&[(1, &types), (2, &import), (3, &[1, 1]), (5, &[1, 0, 1]), (10, &code)]);
        let module = Module::decode(&bytes).unwrap();
        let trap = Runner::new(&module).call(0, &[], &mut Blind).unwrap_err();
        assert!(matches!(&trap, Trap::Import(called) if called.starts_with(&format!("{name} as "))), "{trap:?}");
    }
}

/// The name section counts segments that are put into memory later, too.
#[test]
fn constants_are_the_segments_that_are_named_so() {
    let data: &[u8] = &[2, 1, 1, 7, 0, 0x41, 0, 0x0b, 1, 8];
    let named = |segment: u8| {
        let names = [&[4][..], b"name", &[9, 10, 1, segment, 7], b".rodata"].concat();
        let bytes = sections(&[(5, &[1, 0, 1]), (11, data), (0, &names)]);
        Module::decode(&bytes).unwrap().constants()
    };
    assert!(named(0).is_empty());
    assert_eq!(named(1).first(), Some(&(0..1)));
}

/// `if (g == 5) return 3; g = g + 1; return 1;` with a global of its own, which calls before have changed.
const COUNTS: &[u8] =
    b"\0asm\x01\0\0\0\x01\x06\x01`\x01\x7f\x01\x7f\x03\x02\x01\0\x05\x03\x01\x04\x01\x06\x06\x01\x7f\x01A\0\x0b\
    \x07\x05\x01\x01f\0\0\x0a\x18\x01\x16\0#\0A\x05F\x04@A\x03\x0f\x0b#\0A\x01j$\0A\x01\x0b";

#[test]
fn a_global_that_code_sets_is_an_assumption() {
    let program = CodeProgram::new(Module::decode(COUNTS).unwrap(), "f", &[]).unwrap();
    let mut coverage = Coverage::new(&program, &[0], CoverageLimits { evaluations: 100, seed: 0 });
    coverage.search_and_prove(BUDGET);
    let found = CoveredFunction::new(&program, &coverage, &[0]);
    assert_eq!((found.infeasible, found.infeasible_given), (0, 1), "{:#?}", found.branches);
    let given = found.branches.iter().flat_map(|b| &b.given).next().unwrap();
    assert_eq!(given, "the module's globals have the values of the program's start");
}

#[test]
fn what_runs_before_all_calls_is_refused() {
    let bytes = sections(&[(1, &[1, 0x60, 0, 0]), (3, &[1, 0]), (8, &[0]), (10, &[1, 2, 0, 0x0b])]);
    let refused = Module::decode(&bytes).unwrap_err().to_string();
    assert!(refused.contains("runs before all calls"), "{refused}");
}
