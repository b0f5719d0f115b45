//! What inputs do with integers of 64 bits is never "infeasible".

use crate::support::compilers::has_clang;
use magneto::cc::Flags;
use magneto::code::compile::compile;
use magneto::code::ins::BranchTest;
use magneto::code::module::Module;
use magneto::code::probe::ProbeQuestion;
use magneto::code::program::{BranchGoal, CodeProgram};
use magneto::code::run::{Runner, Watch};
use magneto::reach::infeasible::{BUDGET, ProofVerdict, prove};
use std::collections::BTreeSet;
use std::path::Path;

/// The branches that a run takes, and the questions whose answer is "yes".
#[derive(Default)]
struct Taken(BTreeSet<(u32, u32)>);

impl Watch for Taken {
    fn branch(&mut self, site: u32, way: u32, _: BranchTest, _: u64, _: u64) {
        self.0.insert((site, way));
    }

    fn arm(&mut self, site: u32, arm: u32, _: u32, _: u32) {
        self.0.insert((site, arm));
    }

    fn asked(&mut self, site: u32, yes: bool, _: BranchTest, _: u64, _: u64) {
        if yes {
            self.0.insert((site, 1));
        }
    }
}

/// A function, what is asked besides its branches, and inputs whose answer is "yes", or with the result 1.
type Case = (&'static str, Option<ProbeQuestion>, &'static [u64]);

const TICKS: u64 = (-77i64 << 40) as u64 | 0xdead_beef;
const C03: u64 = 0xc031_2345_6789_abcd;

const CASES: [Case; 15] = [
    ("xs", None, &[15_960_456_074_741_200_697]),
    ("mix", None, &[-6_597_069_766_636_911_257i64 as u64, -5_312_322_896_941_573_225i64 as u64]),
    ("sub", None, &[TICKS, TICKS.wrapping_add(123_456_789 << 32)]),
    ("shift", None, &[-40i64 as u64]),
    ("upper", None, &[0xfff0_0001_0000_0007]),
    ("flipped", None, &[0xc008_0000_1234_5678 ^ 0x5555]),
    ("next", None, &[0xffe0_0000_1234_5677]),
    ("negated", None, &[0xbff0_0000_1234_5678u64.wrapping_neg()]),
    ("exponent", None, &[C03]),
    ("exponent_long", None, &[C03]),
    ("exponent_masked", None, &[C03]),
    ("shares", Some(ProbeQuestion::DivisionByZero), &[(-123_456_789i64 << 20) as u64, 1]),
    ("hashed", Some(ProbeQuestion::DivisionByZero), &[(-77i64 << 32) as u64, 3_712_100_894_544_088_715]),
    ("asserted", Some(ProbeQuestion::Assertion), &[(-8191i64 << 50) as u64]),
    ("masked", None, &[6]),
];

#[test]
fn branches_that_inputs_take_are_not_infeasible() {
    if !has_clang() {
        return;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code/int64.c");
    let bytes = compile(&[source], &Flags::default()).unwrap();
    for (function, question, input) in CASES {
        let module = Module::decode_asking(&bytes, true, question).unwrap();
        let program = CodeProgram::new(module, function, &[]).unwrap();
        let mut runner = Runner::new(&program.module);
        let mut taken = Taken::default();
        let result = program.run(&mut runner, input, &mut taken);
        let is_yes = |(site, _): &(u32, u32)| program.module.sites[*site as usize].probe.is_some();
        match question {
            None => assert_eq!(result, Ok(Some(1)), "{function}"),
            Some(question) => assert!(taken.0.iter().any(is_yes), "{function}, {question:?}: {result:?}"),
        }
        for (site, way) in taken.0 {
            let verdict = prove(&program, BranchGoal { site, way }, BUDGET);
            assert!(
                !matches!(verdict, ProofVerdict::Infeasible { .. }),
                "{function}, {:?}, {way}",
                program.place(site)
            );
        }
    }
}
