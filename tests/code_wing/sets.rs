//! Sets of values hold every result of their members: for all operators, on sets and members chosen to be bad.

use magneto::code::ins::{Binary, CodeConst, Compare, Ins, Unary};
use magneto::code::module::Module;
use magneto::code::run::{Blind, Runner};
use magneto::code::sets::{self, Floats, Ints, Nan, ValueSet};
use magneto::num::random::Random;

/// A set with some of its members, as bits.
type Sample = (ValueSet, Vec<u64>);

fn float_bits(double: bool, rng: &mut Random) -> u64 {
    let special = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e-300, 5e-324, 2147483648.0, 0.5];
    let x = match rng.index(3) {
        0 => special[rng.index(special.len())],
        1 => f64::from_bits(rng.bits()),
        _ => (rng.bits() as i32) as f64 / 16.0,
    };
    if double { x.to_bits() } else { u64::from((x as f32).to_bits()) }
}

fn floats(double: bool, rng: &mut Random) -> Sample {
    let value = |b: u64| if double { f64::from_bits(b) } else { f32::from_bits(b as u32).into() };
    let (mut a, mut b) = (float_bits(double, rng), float_bits(double, rng));
    if rng.index(3) == 0 {
        b = a;
    }
    if value(a).is_nan() || value(b).is_nan() {
        let nan = if double { f64::NAN.to_bits() } else { f32::NAN.to_bits().into() };
        return (ValueSet::Float(Floats::one(double, nan)), vec![nan]);
    }
    let (p, q) = (Floats::one(double, a), Floats::one(double, b));
    if p.lo > q.lo {
        std::mem::swap(&mut a, &mut b);
    }
    let (lo, hi) = (p.lo.min(q.lo), p.hi.max(q.hi));
    let nan = if rng.index(4) == 0 { Nan::of_arithmetic(double) } else { Nan::No };
    let set = Floats { double, lo, hi, nan };
    let mut members = vec![a, b];
    for _ in 0..3 {
        let n = lo.wrapping_add((rng.bits() % hi.abs_diff(lo).saturating_add(1).max(1)) as i64);
        members.push(of_total(double, n));
    }
    if nan.is() {
        members.push(if double { f64::NAN.to_bits() } else { f32::NAN.to_bits().into() });
    }
    (ValueSet::Float(set), members)
}

fn of_total(double: bool, n: i64) -> u64 {
    if double {
        sets::of_total(n).to_bits()
    } else {
        u64::from(if n >= 0 { n as u32 } else { (-(n + 1)) as u32 | 1 << 31 })
    }
}

fn ints(width: u32, rng: &mut Random) -> Sample {
    let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    let signed = |b: u64| (b << (64 - width)) as i64 >> (64 - width);
    let one = |rng: &mut Random| match rng.index(3) {
        0 => [0, 1, u64::MAX, 1 << (width - 1), mask >> 1, 31, 32][rng.index(7)] & mask,
        _ => (rng.bits() >> rng.index(63)) & mask,
    };
    let (a, b) = (signed(one(rng)), signed(one(rng)));
    let (lo, hi) = (a.min(b), a.max(b));
    let set = ValueSet::Int(Ints::between(width, lo, hi));
    let member = |rng: &mut Random| {
        lo.wrapping_add((rng.bits() % hi.abs_diff(lo).saturating_add(1).max(1)) as i64) as u64 & mask
    };
    let members = [lo as u64 & mask, hi as u64 & mask, member(rng), member(rng), member(rng)];
    // Some bits known, some not.
    let known = one(rng);
    let masked = sets::binary(and(width), set, ValueSet::Int(Ints::one(width, known)));
    if rng.index(2) == 0
        && let Some(set) = masked
    {
        return (set, members.iter().map(|m| m & known).collect());
    }
    (set, members.to_vec())
}

fn and(width: u32) -> Binary {
    if width == 64 { Binary::I64And } else { Binary::I32And }
}

fn holds(set: ValueSet, bits: u64) -> bool {
    match set {
        ValueSet::Outside => unreachable!("no operation on numbers makes an address"),
        ValueSet::Int(s) => {
            let mask = if s.width == 64 { u64::MAX } else { (1 << s.width) - 1 };
            let bits = bits & mask;
            let n = (bits << (64 - s.width)) as i64 >> (64 - s.width);
            s.lo <= n && n <= s.hi && (bits ^ s.known) & !s.unknown & mask == 0
        }
        ValueSet::Float(s) => {
            let one = Floats::one(s.double, bits);
            if one.no_number() { s.nan.is() } else { s.lo <= one.lo && one.lo <= s.hi }
        }
    }
}

/// What the interpreter of concrete values says, through a function of one instruction.
struct Calculator {
    module: Module,
}

impl Calculator {
    fn new() -> Self {
        let mut module = Module { pages: 1, pages_limit: 1, ..Module::default() };
        module.functions.push(magneto::code::module::ModuleFunction::default());
        Calculator { module }
    }

    fn result(&mut self, operands: &[CodeConst], ins: Ins) -> Option<u64> {
        let f = &mut self.module.functions[0];
        f.code = operands.iter().map(|c| Ins::Const(*c)).collect();
        f.code.extend([ins, Ins::Return]);
        f.offsets = vec![0; f.code.len()];
        f.ty.results = vec![magneto::code::ins::Type::I64];
        let module = &self.module;
        Runner::new(module).call(0, &[], &mut Blind).ok().flatten()
    }
}

fn constant(set: ValueSet, bits: u64) -> CodeConst {
    match set {
        ValueSet::Outside => unreachable!("no operation on numbers makes an address"),
        ValueSet::Int(s) if s.width == 64 => CodeConst::I64(bits as i64),
        ValueSet::Int(_) => CodeConst::I32(bits as i32),
        ValueSet::Float(s) if s.double => CodeConst::F64(bits),
        ValueSet::Float(_) => CodeConst::F32(bits as u32),
    }
}

fn sample(kind: &str, rng: &mut Random) -> Sample {
    match kind {
        "I32" => ints(32, rng),
        "I64" => ints(64, rng),
        "F32" => floats(false, rng),
        _ => floats(true, rng),
    }
}

macro_rules! each {
    ($ty:ident: $($op:ident)*) => { [$($ty::$op),*] };
}

#[test]
fn unary_operators() {
    let all = each!(Unary:
        I32Eqz I32Clz I32Ctz I32Popcnt I32Extend8S I32Extend16S I64Eqz I64Clz I64Ctz I64Popcnt I64Extend8S I64Extend16S
        I64Extend32S F32Abs F32Neg F32Ceil F32Floor F32Trunc F32Nearest F32Sqrt F64Abs F64Neg F64Ceil F64Floor F64Trunc
        F64Nearest F64Sqrt I32WrapI64 I64ExtendI32S I64ExtendI32U I32TruncSatF32S I32TruncSatF32U I32TruncSatF64S
        I32TruncSatF64U I64TruncSatF32S I64TruncSatF32U I64TruncSatF64S I64TruncSatF64U F32ConvertI32S F32ConvertI32U
        F32ConvertI64S F32ConvertI64U F32DemoteF64 F64ConvertI32S F64ConvertI32U F64ConvertI64S F64ConvertI64U
        F64PromoteF32 I32ReinterpretF32 I64ReinterpretF64 F32ReinterpretI32 F64ReinterpretI64);
    let mut rng = Random::seeded(1);
    let mut calculator = Calculator::new();
    let mut looked = 0;
    for op in all {
        let name = format!("{op:?}");
        let from = ["I32", "I64", "F32", "F64"];
        let tail = &name[3..];
        let kind = from.into_iter().find(|k| tail.contains(k)).unwrap_or(&name[..3]).to_owned();
        for _ in 0..400 {
            let (set, members) = sample(&kind, &mut rng);
            let Some(image) = sets::unary(op, set) else { continue };
            for x in members {
                let y = calculator.result(&[constant(set, x)], Ins::Unary(op)).unwrap();
                assert!(holds(image, y), "{name} of {x:#x} in {set:?} is {y:#x}, not in {image:?}");
                looked += 1;
            }
        }
    }
    assert!(looked > 50_000, "{looked}");
}

#[test]
fn binary_operators() {
    let all = each!(Binary:
        I32Add I32Sub I32Mul I32DivS I32DivU I32RemS I32RemU I32And I32Or I32Xor I32Shl I32ShrS I32ShrU I32Rotl I32Rotr
        I64Add I64Sub I64Mul I64DivS I64DivU I64RemS I64RemU I64And I64Or I64Xor I64Shl I64ShrS I64ShrU I64Rotl I64Rotr
        F32Add F32Sub F32Mul F32Div F32Min F32Max F32Copysign F64Add F64Sub F64Mul F64Div F64Min F64Max F64Copysign);
    let mut rng = Random::seeded(2);
    let mut calculator = Calculator::new();
    let mut looked = 0;
    for op in all {
        let name = format!("{op:?}");
        for _ in 0..400 {
            let ((a, xs), (b, ys)) = (sample(&name[..3], &mut rng), sample(&name[..3], &mut rng));
            let Some(image) = sets::binary(op, a, b) else { continue };
            for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
                let z = calculator.result(&[constant(a, x), constant(b, y)], Ins::Binary(op));
                let z = z.unwrap_or_else(|| panic!("{name} of {x:#x} and {y:#x} traps; the sets say that it does not"));
                assert!(holds(image, z), "{name} of {x:#x} in {a:?} and {y:#x} in {b:?} is {z:#x}, not in {image:?}");
                looked += 1;
            }
        }
    }
    assert!(looked > 200_000, "{looked}");
}

#[test]
fn comparisons() {
    let all = each!(Compare:
        I32Eq I32Ne I32LtS I32LtU I32GtS I32GtU I32LeS I32LeU I32GeS I32GeU I64Eq I64Ne I64LtS I64LtU I64GtS I64GtU I64LeS
        I64LeU I64GeS I64GeU F32Eq F32Ne F32Lt F32Gt F32Le F32Ge F64Eq F64Ne F64Lt F64Gt F64Le F64Ge);
    let mut rng = Random::seeded(3);
    let mut calculator = Calculator::new();
    let mut decided = 0;
    for op in all {
        let name = format!("{op:?}");
        for _ in 0..600 {
            let ((a, xs), (b, ys)) = (sample(&name[..3], &mut rng), sample(&name[..3], &mut rng));
            let Some(outcome) = sets::compare(op, a, b) else { continue };
            decided += 1;
            for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
                let z = calculator.result(&[constant(a, x), constant(b, y)], Ins::Compare(op)).unwrap();
                assert_eq!(z == 1, outcome, "{name} of {x:#x} in {a:?} and {y:#x} in {b:?}");
            }
        }
    }
    assert!(decided > 3000, "{decided}");
}

#[test]
fn halves_of_bits() {
    let mut rng = Random::seeded(4);
    for _ in 0..20_000 {
        let (set, members) = floats(true, &mut rng);
        let ValueSet::Float(s) = set else { continue };
        let (upper, lower) = sets::words(s);
        let whole = sets::from_words(upper, lower);
        for x in members {
            assert!(holds(ValueSet::Int(upper), x >> 32), "{x:#x} of {s:?}: {upper:?}");
            assert!(holds(ValueSet::Int(lower), x & 0xffff_ffff), "{x:#x} of {s:?}: {lower:?}");
            assert!(holds(ValueSet::Float(whole), x), "{x:#x} of {s:?}: {whole:?}");
        }
    }
}
