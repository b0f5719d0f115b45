//! The interpreter's instructions against the definitions of the WebAssembly core specification (section 4.3, numerics):
//! each is put into a module of its own, which is decoded, validated and run like any other.

use crate::code_modules::{F32, F64, I32, I64, sections};
use magneto::code::machine::Trap;
use magneto::code::module::Module;
use magneto::code::run::{Blind, Runner};

/// A module with one function that applies an instruction to its parameters.
fn module(code: &[u8], params: &[u8], result: u8) -> Module {
    let gets: Vec<u8> = (0..params.len() as u8).flat_map(|i| [0x20, i]).collect();
    let body = [&[0], &gets[..], code, &[0x0b]].concat();
    let bytes = sections(&[
        (1, &[&[1, 0x60, params.len() as u8], params, &[1, result]].concat()),
        (3, &[1, 0]),
        (7, &[1, 1, b'f', 0, 0]),
        (10, &[&[1, body.len() as u8], &body[..]].concat()),
    ]);
    Module::decode(&bytes).unwrap()
}

fn run(code: &[u8], params: &[u8], result: u8, arguments: &[u64]) -> Result<u64, Trap> {
    let module = module(code, params, result);
    Runner::new(&module).call(0, arguments, &mut Blind).map(Option::unwrap)
}

/// Every case: the arguments, and what comes of them.
fn check(name: &str, code: &[u8], params: &[u8], result: u8, cases: &[(&[u64], Result<u64, Trap>)]) {
    for (arguments, wanted) in cases {
        let got = run(code, params, result, arguments);
        assert_eq!(got, *wanted, "{name} of {arguments:x?}");
    }
}

fn d(x: f64) -> u64 {
    x.to_bits()
}

fn s(x: f32) -> u64 {
    x.to_bits().into()
}

fn i(x: i32) -> u64 {
    u64::from(x as u32)
}

fn l(x: i64) -> u64 {
    x as u64
}

/// Two operands of one type with a result of it.
fn same(name: &str, op: u8, ty: u8, cases: &[(u64, u64, u64)]) {
    for (a, b, wanted) in cases {
        assert_eq!(run(&[op], &[ty, ty], ty, &[*a, *b]), Ok(*wanted), "{name} of {a:x}, {b:x}");
    }
}

fn one(name: &str, op: u8, from: u8, to: u8, cases: &[(u64, u64)]) {
    for (a, wanted) in cases {
        assert_eq!(run(&[op], &[from], to, &[*a]), Ok(*wanted), "{name} of {a:x}");
    }
}

const QUIET: u64 = 0x7ff8_0000_0000_0000;
const QUIET32: u64 = 0x7fc0_0000;

fn is_nan(ty: u8, bits: u64) -> bool {
    if ty == F64 { f64::from_bits(bits).is_nan() } else { f32::from_bits(bits as u32).is_nan() }
}

/// `fmin` and `fmax`: a NaN if one operand is, -0 below +0.
#[test]
fn minimum_and_maximum() {
    let doubles = [
        (d(0.0), d(-0.0), d(-0.0), d(0.0)),
        (d(-0.0), d(0.0), d(-0.0), d(0.0)),
        (d(-0.0), d(-0.0), d(-0.0), d(-0.0)),
        (d(1.0), d(2.0), d(1.0), d(2.0)),
        (d(2.0), d(-3.0), d(-3.0), d(2.0)),
        (d(f64::INFINITY), d(1.0), d(1.0), d(f64::INFINITY)),
        (d(f64::NEG_INFINITY), d(f64::INFINITY), d(f64::NEG_INFINITY), d(f64::INFINITY)),
        (d(5e-324), d(0.0), d(0.0), d(5e-324)),
    ];
    for (a, b, min, max) in doubles {
        same("f64.min", 0xa4, F64, &[(a, b, min)]);
        same("f64.max", 0xa5, F64, &[(a, b, max)]);
        let narrow = |x: u64| s(f64::from_bits(x) as f32);
        if narrow(a) != narrow(b) || a == b {
            same("f32.min", 0x96, F32, &[(narrow(a), narrow(b), narrow(min))]);
            same("f32.max", 0x97, F32, &[(narrow(a), narrow(b), narrow(max))]);
        }
    }
    for (op, ty, nan, one) in [
        (0xa4, F64, QUIET, d(1.0)),
        (0xa5, F64, QUIET, d(1.0)),
        (0x96, F32, QUIET32, s(1.0)),
        (0x97, F32, QUIET32, s(1.0)),
    ] {
        for arguments in [[nan, one], [one, nan], [nan, nan]] {
            let got = run(&[op], &[ty, ty], ty, &arguments).unwrap();
            assert!(is_nan(ty, got), "{op:x} of {arguments:x?}");
        }
    }
}

/// Rounding to integers: ties to even, the sign of zero is kept, infinities are themselves.
#[test]
fn roundings() {
    let cases: &[(f64, f64, f64, f64, f64)] = &[
        // x, ceil, floor, trunc, nearest
        (0.5, 1.0, 0.0, 0.0, 0.0),
        (-0.5, -0.0, -1.0, -0.0, -0.0),
        (1.5, 2.0, 1.0, 1.0, 2.0),
        (2.5, 3.0, 2.0, 2.0, 2.0),
        (-2.5, -2.0, -3.0, -2.0, -2.0),
        (-3.5, -3.0, -4.0, -3.0, -4.0),
        (0.75, 1.0, 0.0, 0.0, 1.0),
        (-0.25, -0.0, -1.0, -0.0, -0.0),
        (-0.0, -0.0, -0.0, -0.0, -0.0),
        (4_194_304.5, 4_194_305.0, 4_194_304.0, 4_194_304.0, 4_194_304.0),
        (-8_388_607.5, -8_388_607.0, -8_388_608.0, -8_388_607.0, -8_388_608.0),
        (f64::INFINITY, f64::INFINITY, f64::INFINITY, f64::INFINITY, f64::INFINITY),
        (f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    ];
    for (x, ceil, floor, trunc, nearest) in cases {
        for (k, wanted) in [ceil, floor, trunc, nearest].into_iter().enumerate() {
            one("f64 rounding", 0x9b + k as u8, F64, F64, &[(d(*x), d(*wanted))]);
            one("f32 rounding", 0x8d + k as u8, F32, F32, &[(s(*x as f32), s(*wanted as f32))]);
        }
    }
    one(
        "f64.nearest",
        0x9e,
        F64,
        F64,
        &[(d(4_503_599_627_370_495.5), d(4_503_599_627_370_496.0)), (d(0.499_999_999_999_999_94), d(0.0))],
    );
    for op in 0x9b..=0x9f {
        assert!(is_nan(F64, run(&[op], &[F64], F64, &[QUIET]).unwrap()));
    }
    one(
        "f64.sqrt",
        0x9f,
        F64,
        F64,
        &[(d(2.0), d(std::f64::consts::SQRT_2)), (d(-0.0), d(-0.0)), (d(f64::INFINITY), d(f64::INFINITY))],
    );
    assert!(is_nan(F64, run(&[0x9f], &[F64], F64, &[d(-1.0)]).unwrap()));
    assert!(is_nan(F32, run(&[0x91], &[F32], F32, &[s(-1.0)]).unwrap()));
}

/// `abs`, `neg` and `copysign` touch the sign alone, of NaNs too.
#[test]
fn signs() {
    let nan = 0x7ff4_0000_0000_0001;
    one("f64.neg", 0x9a, F64, F64, &[(d(0.0), d(-0.0)), (d(-1.5), d(1.5)), (nan, nan | 1 << 63), (nan | 1 << 63, nan)]);
    one(
        "f64.abs",
        0x99,
        F64,
        F64,
        &[(d(-0.0), d(0.0)), (nan | 1 << 63, nan), (d(f64::NEG_INFINITY), d(f64::INFINITY))],
    );
    one("f32.neg", 0x8c, F32, F32, &[(s(0.0), s(-0.0)), (0x7fa0_0001, 0xffa0_0001)]);
    one("f32.abs", 0x8b, F32, F32, &[(s(-0.0), s(0.0)), (0xffa0_0001, 0x7fa0_0001)]);
    same(
        "f64.copysign",
        0xa6,
        F64,
        &[
            (d(3.0), d(-0.0), d(-3.0)),
            (d(-3.0), d(2.0), d(3.0)),
            (nan, d(-1.0), nan | 1 << 63),
            (d(1.0), QUIET | 1 << 63, d(-1.0)),
        ],
    );
    same("f32.copysign", 0x98, F32, &[(s(3.0), s(-0.0), s(-3.0)), (0x7fa0_0001, s(-1.0), 0xffa0_0001)]);
}

/// Arithmetic rounds each operation to its format; subnormal numbers and zeros have their signs.
#[test]
fn arithmetic_of_floats() {
    let ulp = f64::EPSILON / 2.0;
    same(
        "f64.add",
        0xa0,
        F64,
        &[
            (d(1.0), d(ulp), d(1.0)),
            (d(1.0 + f64::EPSILON), d(ulp), d(1.0 + 2.0 * f64::EPSILON)),
            (d(1.0), d(-1.0), d(0.0)),
            (d(-0.0), d(-0.0), d(-0.0)),
            (d(f64::MAX), d(f64::MAX), d(f64::INFINITY)),
        ],
    );
    same(
        "f64.sub",
        0xa1,
        F64,
        &[(d(-0.0), d(0.0), d(-0.0)), (d(0.0), d(0.0), d(0.0)), (d(5e-324), d(1e-323), d(-5e-324))],
    );
    same(
        "f64.mul",
        0xa2,
        F64,
        &[
            (d(5e-324), d(0.5), d(0.0)),
            (d(5e-324), d(-0.5), d(-0.0)),
            (d(1.5e-323), d(0.5), d(1e-323)),
            (d(1e200), d(1e200), d(f64::INFINITY)),
        ],
    );
    same(
        "f64.div",
        0xa3,
        F64,
        &[
            (d(1.0), d(0.0), d(f64::INFINITY)),
            (d(1.0), d(-0.0), d(f64::NEG_INFINITY)),
            (d(1.0), d(3.0), d(1.0 / 3.0)),
            (d(-1.0), d(f64::INFINITY), d(-0.0)),
        ],
    );
    // In binary32 each result is rounded once.
    same(
        "f32.add",
        0x92,
        F32,
        &[(s(16_777_216.0), s(1.0), s(16_777_216.0)), (s(f32::MAX), s(f32::MAX), s(f32::INFINITY))],
    );
    same("f32.mul", 0x94, F32, &[(s(1.1), s(1.1), s(1.1f32 * 1.1f32)), (s(1e-30), s(1e-30), s(0.0))]);
    same("f32.div", 0x95, F32, &[(s(1.0), s(3.0), 0x3eaa_aaab), (s(1.0), s(-0.0), s(f32::NEG_INFINITY))]);
    for (op, a, b) in [
        (0xa0, f64::INFINITY, f64::NEG_INFINITY),
        (0xa1, f64::INFINITY, f64::INFINITY),
        (0xa2, 0.0, f64::INFINITY),
        (0xa3, 0.0, 0.0),
        (0xa3, f64::INFINITY, f64::INFINITY),
    ] {
        assert!(is_nan(F64, run(&[op], &[F64, F64], F64, &[d(a), d(b)]).unwrap()), "{op:x} of {a}, {b}");
    }
}

/// Comparisons: with a NaN only `ne` holds; zeros are equal.
#[test]
fn comparisons() {
    let order = |first: u8, ty: u8, a: u64, b: u64, wanted: [u64; 6]| {
        for (k, wanted) in wanted.into_iter().enumerate() {
            assert_eq!(
                run(&[first + k as u8], &[ty, ty], I32, &[a, b]),
                Ok(wanted),
                "{:x} of {a:x}, {b:x}",
                first + k as u8
            );
        }
    };
    // eq, ne, lt, gt, le, ge
    for (a, b, wanted) in [
        (0.0, -0.0, [1, 0, 0, 0, 1, 1]),
        (1.0, 2.0, [0, 1, 1, 0, 1, 0]),
        (f64::INFINITY, 1.0, [0, 1, 0, 1, 0, 1]),
        (f64::NAN, 1.0, [0, 1, 0, 0, 0, 0]),
        (1.0, f64::NAN, [0, 1, 0, 0, 0, 0]),
        (f64::NAN, f64::NAN, [0, 1, 0, 0, 0, 0]),
    ] {
        order(0x61, F64, d(a), d(b), wanted);
        order(0x5b, F32, s(a as f32), s(b as f32), wanted);
    }
    // eq, ne, lt_s, lt_u, gt_s, gt_u, le_s, le_u, ge_s, ge_u
    let (low, high) = ([0u64, 1, 1, 0, 0, 1, 1, 0, 0, 1], [1u64, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    for (k, (low, high)) in low.into_iter().zip(high).enumerate() {
        let k = k as u8;
        assert_eq!(run(&[0x46 + k], &[I32, I32], I32, &[i(-1), i(1)]), Ok(low));
        assert_eq!(run(&[0x51 + k], &[I64, I64], I32, &[l(-1), l(1)]), Ok(low));
        assert_eq!(run(&[0x46 + k], &[I32, I32], I32, &[i(i32::MIN), i(i32::MIN)]), Ok(high));
        assert_eq!(run(&[0x51 + k], &[I64, I64], I32, &[l(i64::MIN), l(i64::MIN)]), Ok(high));
    }
    one("i32.eqz", 0x45, I32, I32, &[(0, 1), (i(-1), 0)]);
    one("i64.eqz", 0x50, I64, I32, &[(0, 1), (1 << 40, 0)]);
}

/// Shifts and rotations count modulo the width; leading and trailing zeros of 0 are the width.
#[test]
fn bits_of_integers() {
    same("i32.shl", 0x74, I32, &[(1, 31, 0x8000_0000), (1, 32, 1), (1, 33, 2), (1, i(-1), 0x8000_0000)]);
    same("i32.shr_s", 0x75, I32, &[(i(-8), 1, i(-4)), (i(-1), 32, i(-1)), (i(i32::MIN), 31, i(-1))]);
    same("i32.shr_u", 0x76, I32, &[(i(-1), 31, 1), (i(-1), 32, i(-1)), (i(-8), 1, 0x7fff_fffc)]);
    same("i32.rotl", 0x77, I32, &[(0x8000_0001, 1, 3), (0xabcd_9876, 32, 0xabcd_9876), (0xabcd_9876, 36, 0xbcd9_876a)]);
    same("i32.rotr", 0x78, I32, &[(1, 1, 0x8000_0000), (0xb0c1_d2e3, 0xff05, 0x1d86_0e97)]);
    same("i64.shl", 0x86, I64, &[(1, 63, 1 << 63), (1, 64, 1), (1, 65, 2)]);
    same("i64.shr_s", 0x87, I64, &[(l(-8), 1, l(-4)), (l(i64::MIN), 127, l(-1))]);
    same("i64.shr_u", 0x88, I64, &[(l(-1), 63, 1), (l(-1), 64, l(-1))]);
    same("i64.rotl", 0x89, I64, &[(1 << 63 | 1, 1, 3), (5, 64, 5)]);
    same("i64.rotr", 0x8a, I64, &[(1, 1, 1 << 63), (5, 64, 5)]);
    one("i32.clz", 0x67, I32, I32, &[(0, 32), (1, 31), (i(-1), 0), (0x8000, 16)]);
    one("i32.ctz", 0x68, I32, I32, &[(0, 32), (1, 0), (0x8000_0000, 31)]);
    one("i32.popcnt", 0x69, I32, I32, &[(0, 0), (i(-1), 32), (0xdead_beef, 24)]);
    one("i64.clz", 0x79, I64, I64, &[(0, 64), (1, 63), (l(-1), 0)]);
    one("i64.ctz", 0x7a, I64, I64, &[(0, 64), (1 << 63, 63)]);
    one("i64.popcnt", 0x7b, I64, I64, &[(l(-1), 64), (0xaaaa_aaaa_5555_5555, 32)]);
    one("i32.extend8_s", 0xc0, I32, I32, &[(0x7f, 0x7f), (0x80, i(-128)), (0x1234_5678, 0x78)]);
    one("i32.extend16_s", 0xc1, I32, I32, &[(0x8000, i(-32_768)), (0x1234_5678, 0x5678)]);
    one("i64.extend8_s", 0xc2, I64, I64, &[(0x80, l(-128)), (0x17f, 0x7f)]);
    one("i64.extend16_s", 0xc3, I64, I64, &[(0x8000, l(-32_768))]);
    one("i64.extend32_s", 0xc4, I64, I64, &[(0x8000_0000, l(-2_147_483_648)), (0x1_7fff_ffff, 0x7fff_ffff)]);
}

/// Integers wrap; a division traps where there is no quotient.
#[test]
fn arithmetic_of_integers() {
    same("i32.add", 0x6a, I32, &[(i(i32::MAX), 1, i(i32::MIN)), (i(-1), 1, 0)]);
    same("i32.sub", 0x6b, I32, &[(i(i32::MIN), 1, i(i32::MAX)), (0, 1, i(-1))]);
    same(
        "i32.mul",
        0x6c,
        I32,
        &[(0x1000_0000, 4096, 0), (i(i32::MIN), i(-1), i(i32::MIN)), (0x0123_4567, 0x7654_3210, 0x358e_7470)],
    );
    same("i64.mul", 0x7e, I64, &[(l(i64::MIN), l(-1), l(i64::MIN)), (1 << 32, 1 << 32, 0)]);
    same("i64.add", 0x7c, I64, &[(l(i64::MAX), 1, l(i64::MIN))]);
    same("i64.sub", 0x7d, I64, &[(l(i64::MIN), 1, l(i64::MAX))]);
    let (zero, over) = (Err(Trap::DivisionByZero), Err(Trap::Overflow));
    let two = [I32, I32];
    check(
        "i32.div_s",
        &[0x6d],
        &two,
        I32,
        &[
            (&[i(-7), 2], Ok(i(-3))),
            (&[7, i(-2)], Ok(i(-3))),
            (&[1, 0], zero.clone()),
            (&[i(i32::MIN), i(-1)], over.clone()),
        ],
    );
    check(
        "i32.div_u",
        &[0x6e],
        &two,
        I32,
        &[(&[i(-1), 2], Ok(0x7fff_ffff)), (&[i(i32::MIN), i(-1)], Ok(0)), (&[0, 0], zero.clone())],
    );
    check(
        "i32.rem_s",
        &[0x6f],
        &two,
        I32,
        &[(&[i(-7), 2], Ok(i(-1))), (&[7, i(-2)], Ok(1)), (&[i(i32::MIN), i(-1)], Ok(0)), (&[1, 0], zero.clone())],
    );
    check("i32.rem_u", &[0x70], &two, I32, &[(&[i(-1), 10], Ok(5)), (&[1, 0], zero.clone())]);
    let two = [I64, I64];
    check(
        "i64.div_s",
        &[0x7f],
        &two,
        I64,
        &[(&[l(-7), 2], Ok(l(-3))), (&[1, 0], zero.clone()), (&[l(i64::MIN), l(-1)], over)],
    );
    check("i64.div_u", &[0x80], &two, I64, &[(&[l(-1), 2], Ok(l(i64::MAX))), (&[1, 0], zero.clone())]);
    check(
        "i64.rem_s",
        &[0x81],
        &two,
        I64,
        &[(&[l(-7), 2], Ok(l(-1))), (&[l(i64::MIN), l(-1)], Ok(0)), (&[1, 0], zero.clone())],
    );
    check("i64.rem_u", &[0x82], &two, I64, &[(&[l(-1), 10], Ok(5)), (&[1, 0], zero)]);
}

/// The last float that is converted on each side, and the first one that traps; NaN and infinities trap.
#[test]
fn truncations_trap() {
    let over = Err(Trap::Overflow);
    let up = |x: f64| x.next_up();
    let (p31, p32, p63, p64) =
        (2_147_483_648.0f64, 4_294_967_296.0f64, 9_223_372_036_854_775_808.0f64, 18_446_744_073_709_551_616.0f64);
    check(
        "i32.trunc_f64_s",
        &[0xaa],
        &[F64],
        I32,
        &[
            (&[d(-1.9)], Ok(i(-1))),
            (&[d(2_147_483_647.9)], Ok(i(i32::MAX))),
            (&[d(p31)], over.clone()),
            (&[d(-2_147_483_648.9)], Ok(i(i32::MIN))),
            (&[d(-2_147_483_649.0)], over.clone()),
            (&[QUIET], over.clone()),
            (&[d(f64::INFINITY)], over.clone()),
        ],
    );
    check(
        "i32.trunc_f64_u",
        &[0xab],
        &[F64],
        I32,
        &[
            (&[d(-0.999_999)], Ok(0)),
            (&[d(-1.0)], over.clone()),
            (&[d(4_294_967_295.9)], Ok(0xffff_ffff)),
            (&[d(p32)], over.clone()),
            (&[QUIET], over.clone()),
        ],
    );
    check(
        "i64.trunc_f64_s",
        &[0xb0],
        &[F64],
        I64,
        &[
            (&[d(p63.next_down())], Ok(0x7fff_ffff_ffff_fc00)),
            (&[d(p63)], over.clone()),
            (&[d(-p63)], Ok(l(i64::MIN))),
            (&[d(-up(p63))], over.clone()),
        ],
    );
    check(
        "i64.trunc_f64_u",
        &[0xb1],
        &[F64],
        I64,
        &[
            (&[d(p64.next_down())], Ok(0xffff_ffff_ffff_f800)),
            (&[d(p63)], Ok(1 << 63)),
            (&[d(p64)], over.clone()),
            (&[d(-0.5)], Ok(0)),
            (&[d(-1.0)], over.clone()),
        ],
    );
    check(
        "i32.trunc_f32_s",
        &[0xa8],
        &[F32],
        I32,
        &[
            (&[s(2_147_483_520.0)], Ok(0x7fff_ff80)),
            (&[s(p31 as f32)], over.clone()),
            (&[s(-p31 as f32)], Ok(i(i32::MIN))),
            (&[s(-2_147_483_904.0)], over.clone()),
        ],
    );
    check(
        "i32.trunc_f32_u",
        &[0xa9],
        &[F32],
        I32,
        &[(&[s(4_294_967_040.0)], Ok(0xffff_ff00)), (&[s(p32 as f32)], over.clone()), (&[s(-0.9)], Ok(0))],
    );
    check(
        "i64.trunc_f32_s",
        &[0xae],
        &[F32],
        I64,
        &[(&[s(-p63 as f32)], Ok(l(i64::MIN))), (&[s(p63 as f32)], over.clone()), (&[QUIET32], over.clone())],
    );
    check("i64.trunc_f32_u", &[0xaf], &[F32], I64, &[(&[s(p63 as f32)], Ok(1 << 63)), (&[s(p64 as f32)], over)]);
}

/// Conversions to floats round to nearest, ties to even; promotion is exact; reinterpretation keeps the bits.
#[test]
fn conversions() {
    one(
        "f32.convert_i32_s",
        0xb2,
        I32,
        F32,
        &[
            (i(-1), s(-1.0)),
            (16_777_217, s(16_777_216.0)),
            (16_777_219, s(16_777_220.0)),
            (i(i32::MAX), s(2_147_483_648.0)),
        ],
    );
    one(
        "f32.convert_i32_u",
        0xb3,
        I32,
        F32,
        &[(i(-1), s(4_294_967_296.0)), (0x8000_0080, s(2_147_483_648.0)), (0x8000_0180, s(2_147_484_160.0))],
    );
    one(
        "f32.convert_i64_s",
        0xb4,
        I64,
        F32,
        &[
            (l(i64::MIN), s(-9_223_372_036_854_775_808.0)),
            (0x7fff_ff40_0000_0001, s(9_223_371_487_098_961_920.0)),
            (l(-16_777_217), s(-16_777_216.0)),
        ],
    );
    one(
        "f32.convert_i64_u",
        0xb5,
        I64,
        F32,
        &[(l(-1), s(18_446_744_073_709_551_616.0)), (0x8000_0080_0000_0001, s(9_223_373_136_366_403_584.0))],
    );
    one("f64.convert_i32_s", 0xb7, I32, F64, &[(i(i32::MIN), d(-2_147_483_648.0))]);
    one("f64.convert_i32_u", 0xb8, I32, F64, &[(i(-1), d(4_294_967_295.0))]);
    one(
        "f64.convert_i64_s",
        0xb9,
        I64,
        F64,
        &[((1 << 53) + 1, d(9_007_199_254_740_992.0)), ((1 << 53) + 3, d(9_007_199_254_740_996.0)), (l(-1), d(-1.0))],
    );
    one(
        "f64.convert_i64_u",
        0xba,
        I64,
        F64,
        &[
            (l(-1), d(18_446_744_073_709_551_616.0)),
            (1 << 63 | 0x401, d(9_223_372_036_854_777_856.0)),
            (1 << 63 | 0x400, d(9_223_372_036_854_775_808.0)),
        ],
    );
    let half = f64::from(f32::from_bits(1)) / 2.0;
    one(
        "f32.demote_f64",
        0xb6,
        F64,
        F32,
        &[
            (d(half), s(0.0)),
            (d(half.next_up()), 1),
            (d(-half), s(-0.0)),
            (d(2f64.powi(128)), s(f32::INFINITY)),
            (d(3.402_823_567_797_336_3e38), s(f32::MAX)),
            (d(1.000_000_059_604_644_8), s(1.0)),
            (d(1.000_000_059_604_645), s(1.000_000_1)),
        ],
    );
    one(
        "f64.promote_f32",
        0xbb,
        F32,
        F64,
        &[(1, d(1.401_298_464_324_817e-45)), (s(-0.0), d(-0.0)), (s(f32::MAX), d(3.402_823_466_385_288_6e38))],
    );
    assert!(is_nan(F32, run(&[0xb6], &[F64], F32, &[QUIET]).unwrap()));
    assert!(is_nan(F64, run(&[0xbb], &[F32], F64, &[QUIET32]).unwrap()));
    one("i32.wrap_i64", 0xa7, I64, I32, &[(l(-1), 0xffff_ffff), (0x1_0000_0005, 5)]);
    one("i64.extend_i32_s", 0xac, I32, I64, &[(i(-1), l(-1)), (0x7fff_ffff, 0x7fff_ffff)]);
    one("i64.extend_i32_u", 0xad, I32, I64, &[(i(-1), 0xffff_ffff)]);
    for bits in [0, 1, d(-0.0), QUIET, 0x7ff4_0000_0000_0001, d(1.5)] {
        one("i64.reinterpret_f64", 0xbd, F64, I64, &[(bits, bits)]);
        one("f64.reinterpret_i64", 0xbf, I64, F64, &[(bits, bits)]);
        let low = bits >> 32;
        one("i32.reinterpret_f32", 0xbc, F32, I32, &[(low, low)]);
        one("f32.reinterpret_i32", 0xbe, I32, F32, &[(low, low)]);
    }
}

/// The saturating conversions of a module: the nearest integer, 0 for NaN. (Casts in C are another matter.)
#[test]
fn truncations_saturate() {
    let inf = f64::INFINITY;
    let cases: &[(f64, i32, u32, i64, u64)] = &[
        (1.9, 1, 1, 1, 1),
        (-1.9, -1, 0, -1, 0),
        (-0.5, 0, 0, 0, 0),
        (f64::NAN, 0, 0, 0, 0),
        (inf, i32::MAX, u32::MAX, i64::MAX, u64::MAX),
        (-inf, i32::MIN, 0, i64::MIN, 0),
        (2_147_483_648.0, i32::MAX, 2_147_483_648, 2_147_483_648, 2_147_483_648),
        (-2_147_483_904.0, i32::MIN, 0, -2_147_483_904, 0),
        (1e20, i32::MAX, u32::MAX, i64::MAX, u64::MAX),
        (-1e20, i32::MIN, 0, i64::MIN, 0),
    ];
    for (x, a, b, c, e) in cases {
        let wanted = [(I32, i(*a)), (I32, u64::from(*b)), (I64, l(*c)), (I64, *e)];
        for (k, (to, wanted)) in wanted.into_iter().enumerate() {
            let op = if to == I32 { k as u8 } else { 4 + (k as u8 - 2) };
            assert_eq!(run(&[0xfc, op], &[F32], to, &[s(*x as f32)]), Ok(wanted), "fc {op:x} of {x} in binary32");
            assert_eq!(run(&[0xfc, op + 2], &[F64], to, &[d(*x)]), Ok(wanted), "fc {:x} of {x}", op + 2);
        }
    }
}
