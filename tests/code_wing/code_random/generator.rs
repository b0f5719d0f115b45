//! Random C programs with branches that are rare and feasible by construction: values are computed from the inputs, and the
//! conditions are those that a secret input satisfies. What the values are there a native program says.

use super::conditions::{secret, several, single};
use crate::support::rng::Rng;
use std::fmt::Write as _;

/// Types of C, all but the floats integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Type {
    pub(crate) name: &'static str,
    pub(crate) bits: u32,
    pub(crate) signed: bool,
    pub(crate) float: bool,
}

const fn whole(name: &'static str, bits: u32, signed: bool) -> Type {
    Type { name, bits, signed, float: false }
}

const WHOLE: [Type; 12] = [
    whole("int8_t", 8, true),
    whole("uint8_t", 8, false),
    whole("int16_t", 16, true),
    whole("uint16_t", 16, false),
    whole("int32_t", 32, true),
    whole("uint32_t", 32, false),
    whole("int64_t", 64, true),
    whole("uint64_t", 64, false),
    whole("long", 64, true),
    whole("unsigned long", 64, false),
    whole("size_t", 64, false),
    whole("char", 8, true),
];
pub(crate) const DOUBLE: Type = Type { name: "double", bits: 64, signed: true, float: true };
pub(crate) const FLOAT: Type = Type { name: "float", bits: 32, signed: true, float: true };
const INT: Type = WHOLE[4];
const U32: Type = WHOLE[5];
const I64: Type = WHOLE[6];
const U64: Type = WHOLE[7];

#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// A parameter: as a float it may be a NaN whose bits are the caller's. Those of a computed NaN are not fixed.
    pub(crate) given: bool,
}

/// What a condition is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Few inputs satisfy it, the secret one does.
    Rare,
    /// No input satisfies it.
    Never,
}

/// A condition on a line of its own; what follows if it holds is on the next line.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    /// The line, counted from the function's first one as 0.
    pub(crate) line: usize,
    pub(crate) purpose: Purpose,
    /// Whether it holds for the secret input.
    pub(crate) holds: bool,
}

/// A function whose inputs are known that get behind all of its conditions, to `return 1`.
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) types: Vec<Type>,
    pub(crate) secret: Vec<u64>,
    statements: Vec<String>,
    variables: Vec<Variable>,
    /// Variables that conditions are about, and what makes each condition from the value.
    asked: Vec<(usize, u64)>,
    never: Option<String>,
}

/// Whether casts of floats out of the integer's range give what x86-64 gives.
const OUTSIDE: bool = cfg!(target_arch = "x86_64");

impl Program {
    pub(crate) fn new(number: usize, rng: &mut Rng) -> Program {
        let mut program = Program {
            name: format!("p{number}"),
            types: Vec::new(),
            secret: Vec::new(),
            statements: Vec::new(),
            variables: Vec::new(),
            asked: Vec::new(),
            never: None,
        };
        for i in 0..1 + rng.below(3) {
            let ty = match rng.below(3) {
                0 => DOUBLE,
                1 if rng.below(2) == 0 => FLOAT,
                _ => *rng.pick(&WHOLE),
            };
            program.types.push(ty);
            program.secret.push(secret(ty, rng));
            program.variables.push(Variable { name: format!("x{i}"), ty, given: true });
        }
        let first = program.variables.len();
        for _ in 0..2 + rng.below(5) {
            program.statement(rng);
        }
        let last = program.variables.len();
        for _ in 0..1 + rng.below(3) {
            // Mostly what was computed last, and sometimes a parameter.
            let about = if rng.below(5) == 0 { rng.below(first) } else { first + rng.below(last - first) };
            program.asked.push((about, rng.bits()));
        }
        program.never = (rng.below(2) == 0).then(|| program.impossible(rng));
        program
    }

    /// A value of an integer type.
    fn whole(&self, rng: &mut Rng) -> String {
        let v = rng.pick(&self.variables);
        if v.ty.float { self.bits(v) } else { v.name.clone() }
    }

    /// The bits of a float.
    fn bits(&self, v: &Variable) -> String {
        let name = if v.given { v.name.clone() } else { format!("({0} == {0} ? {0} : 1)", v.name) };
        if v.ty == DOUBLE { format!("bits_of({name})") } else { format!("bits_of_float({name})") }
    }

    /// A floating-point value; one that is no NaN where its bits are looked at.
    fn real(&self, rng: &mut Rng) -> String {
        let v = rng.pick(&self.variables);
        if v.ty.float { v.name.clone() } else { format!("(double){}", v.name) }
    }

    fn number(&self, rng: &mut Rng) -> String {
        let x = self.real(rng);
        format!("({x} == {x} ? {x} : 1.5)")
    }

    fn define(&mut self, ty: Type, value: &str) {
        let name = format!("t{}", self.variables.len());
        self.statements.push(format!("{} {name} = {value};", ty.name));
        self.variables.push(Variable { name, ty, given: false });
    }

    /// One more value from those that are there.
    fn statement(&mut self, rng: &mut Rng) {
        let ty = *rng.pick(&WHOLE);
        let wide = if rng.below(2) == 0 { U64 } else { U32 };
        let (a, b, c) = (self.whole(rng), self.whole(rng), rng.bits() >> (8 * rng.below(8)));
        let (x, y) = (self.real(rng), self.real(rng));
        let (n, t, w) = (self.variables.len(), ty.name, wide.name);
        let shift = rng.below(wide.bits as usize);
        match rng.below(33) {
            0 | 1 => {
                let op = *rng.pick(&["+", "-", "*", "&", "|", "^"]);
                self.define(ty, &format!("({t})(({w}){a} {op} ({w}){b})"));
            }
            2 => self.define(I64, &format!("(int64_t){a} >> {}", 1 + shift % 63)),
            3 => self.define(INT, &format!("(int32_t){a} >> {}", 1 + shift % 31)),
            4 => self.define(wide, &format!("({w}){a} << ({b} & {})", wide.bits - 1)),
            5 => self.define(ty, &format!("({t})(({w}){a} >> ({b} & {}))", wide.bits - 1)),
            6 => self.define(U64, &format!("(uint64_t){a} * {:#x}ull ^ (uint64_t){b} >> {}", c | 1, shift % 63)),
            7 => self.define(wide, &format!("({w}){a} / (({w}){b} | 1)")),
            8 => self.define(I64, &format!("(int64_t){a} {} {}", rng.pick(&["/", "%"]), 2 + c % 100_000)),
            9 => self.define(ty, &format!("({t})({a} % {})", 2 + c % 1000)),
            10 => self.define(ty, &format!("({t}){a}")),
            11 => self.define(INT, &format!("{a} {} {b}", rng.pick(&["<", "<=", "==", ">"]))),
            12 => self.define(ty, &format!("{a} < {b} ? ({t}){a} : ({t}){b}")),
            13 | 14 => self.define(DOUBLE, &format!("{x} {} {y}", rng.pick(&["+", "-", "*", "/"]))),
            15 => self.define(FLOAT, &format!("(float){x} {} (float){y}", rng.pick(&["+", "-", "*", "/"]))),
            16 => {
                let f = *rng.pick(&["floor", "ceil", "fabs", "trunc", "rint", "sqrt"]);
                self.define(DOUBLE, &format!("{f}({x})"));
            }
            17 => {
                let f = *rng.pick(&["fmod", "copysign", "fmin", "fmax"]);
                let (x, y) = (self.number(rng), self.number(rng));
                self.define(DOUBLE, &format!("{f}({x}, {y})"));
            }
            18 => self.define(*rng.pick(&[FLOAT, DOUBLE]), &format!("({}){a}", rng.pick(&["float", "double"]))),
            19 => {
                let range = 2f64.powi(ty.bits as i32 - 1);
                self.define(ty, &format!("{x} > 0 && {x} < {range:?} ? ({t}){x} : ({t}){}", c % 100));
            }
            // An unsigned integer of 64 bits: compilers differ.
            20 if OUTSIDE && (ty.signed || ty.bits < 64) => self.define(ty, &format!("({t}){x}")),
            20 | 21 => self
                .define(I64, &format!("isnan({x}) * 4 + (isinf({x}) != 0) * 2 + (signbit({}) != 0)", self.number(rng))),
            22 => {
                let value = match rng.below(4) {
                    0 => format!("high_word({})", self.number(rng)),
                    1 => format!("third({})", self.number(rng)),
                    2 => format!("ones((uint64_t){a}) * 100 + leading((uint32_t){b})"),
                    _ => format!("(uint32_t)turned((uint64_t){a}, (unsigned){b})"),
                };
                self.define(U32, &value);
            }
            23 if rng.below(2) == 0 => self.define(DOUBLE, &format!("of_bits((uint64_t){a} & {:#x}ull)", c | 1 << 52)),
            23 => self.define(FLOAT, &format!("float_of((uint32_t){a} ^ {:#x}u)", c as u32)),
            24 => {
                self.statements.push(format!("uint64_t m{n}[2] = {{ (uint64_t){a}, (uint64_t){b} }};"));
                self.statements.push(format!("{t} u{n};"));
                self.statements.push(format!("memcpy(&u{n}, (char *)m{n} + {}, sizeof u{n});", rng.below(9)));
                self.define(ty, &format!("u{n}"));
            }
            25 => {
                self.statements.push(format!("{t} m{n}[4] = {{ ({t}){a}, 1, ({t}){b}, ({t}){} }};", c & 63));
                self.statements.push(format!("m{n}[{a} & 3] = ({t})(m{n}[{b} & 3] ^ {});", c >> 7 & 63));
                self.define(ty, &format!("m{n}[{} & 3]", self.whole(rng)));
            }
            26 => match rng.below(4) {
                0 => self.define(I64, &format!("bytes[{a} & 15] * 65536 + shorts[{b} & 7]")),
                1 => self.define(DOUBLE, &format!("doubles[{a} & 7] * {x}")),
                2 => self.define(U64, &format!("(uint64_t)longs[{a} & 3] + (uint64_t){b}")),
                _ => self.define(I64, &format!("found(bytes, bytes + ({a} & 15), (uint8_t){b})")),
            },
            27 => {
                self.statements.push(format!("uint64_t s{n} = {};", c & 0xffff));
                self.statements.push(format!("for (int i = 0; i < {}; i++)", 2 + c % 7));
                self.statements.push(format!("    s{n} = s{n} * 31 + ((uint64_t){a} >> (8 * i) & 255);"));
                self.define(U64, &format!("s{n}"));
            }
            28 => match rng.below(4) {
                0 => self.define(U64, &format!("mixed((uint64_t){a})")),
                1 => self.define(I64, &format!("rounded_down((int64_t){a}, {})", 2 + c % 1000)),
                2 => {
                    self.statements.push(format!("uint32_t a{n} = (uint32_t){a}, b{n} = (uint32_t){b};"));
                    self.statements.push(format!("if (a{n} > b{n})"));
                    self.statements.push(format!("    swapped(&a{n}, &b{n});"));
                    self.define(U32, &format!("b{n} - a{n}"));
                }
                _ => {
                    self.statements.push(format!("{t} c{n} = ({t}){a};"));
                    self.define(U32, &format!("sum_of_bytes(&c{n}, sizeof c{n})"));
                }
            },
            29 => {
                // Stores of bytes into words, of which some are then read as a whole.
                self.statements.push(format!("uint64_t m{n}[3] = {{ (uint64_t){a}, {c:#x}ull, (uint64_t){b} }};"));
                self.statements.push(format!("((uint8_t *)m{n})[{b} & 15] = (uint8_t){a};"));
                match rng.below(3) {
                    0 => self.statements.push(format!("memmove(m{n}, (char *)m{n} + {}, 11);", 1 + c % 9)),
                    1 => self.statements.push(format!("memset((char *)m{n} + ({a} & 7), {}, 3);", c & 255)),
                    _ => self.statements.push(format!("*(m{n} + ({a} & 1)) += 0x100000001ull;")),
                }
                self.define(U64, &format!("m{n}[{b} & 1]"));
            }
            30 => match rng.below(3) {
                0 => self.define(U64, &format!("operations[{a} & 3]((uint64_t){a}, (uint64_t){b})")),
                1 => self.define(U32, &format!("common((uint32_t){a}, (uint32_t){b} | 3)")),
                _ => self.define(U64, &format!("high_product((uint64_t){a}, (uint64_t){b} ^ {c:#x}ull)")),
            },
            31 => {
                self.statements.push(format!("char d{n}[24] = {{ 0 }};"));
                self.statements.push(format!("int l{n} = digits((int64_t){a}, d{n});"));
                self.define(INT, &format!("d{n}[l{n} / 2] * 256 + d{n}[0] + l{n}"));
            }
            _ => match rng.below(3) {
                0 => {
                    self.statements.push(format!("int k{n};"));
                    self.statements.push(format!("switch ({a} & 3) {{"));
                    for k in 0..3 {
                        self.statements.push(format!("case {k}: k{n} = {}; break;", (c >> (8 * k)) & 255));
                    }
                    self.statements.push(format!("default: k{n} = -1; }}"));
                    self.define(I64, &format!("k{n} + (int64_t)({b} & 0xffff)"));
                }
                1 => {
                    self.statements.push(format!("struct {{ unsigned a : 5; int b : 11; uint64_t c : 40; }} f{n};"));
                    self.statements.push(format!("f{n}.a = (unsigned){a} & 31;"));
                    self.statements.push(format!("f{n}.b = (int)({b} & 1023) - 512;"));
                    self.statements.push(format!("f{n}.c = (uint64_t){a} & 0xffffffffffull;"));
                    self.define(I64, &format!("(int64_t)(f{n}.c >> f{n}.a) + f{n}.b"));
                }
                _ => {
                    self.statements.push(format!("int e{n};"));
                    self.statements.push(format!("double m{n} = frexp(fabs({x}) < 1e300 ? {x} : 3.25, &e{n});"));
                    self.define(DOUBLE, &format!("m{n} * 8 + e{n}"));
                }
            },
        }
    }

    /// A condition that no input satisfies.
    fn impossible(&self, rng: &mut Rng) -> String {
        let (a, b, x, y) = (self.whole(rng), self.whole(rng), self.real(rng), self.real(rng));
        let c = rng.bits() >> (8 * rng.below(8));
        match rng.below(10) {
            0 => format!("((uint64_t){a} & {c:#x}ull) > {c:#x}ull"),
            1 => format!("(uint64_t){a} % {} >= {}", c | 1, c | 1),
            2 => format!("((uint32_t){a} | 4) == 0"),
            3 => format!("fabs({x}) < 0"),
            4 => format!("sqrt({x}) < 0"),
            5 => format!("(uint64_t){a} >> 40 > 0xffffff"),
            6 => format!("isnan({x}) && {x} > {y}"),
            7 => format!("bytes[{a} & 15] == 5"),
            8 => format!("(int64_t){a} >> 56 < -128"),
            _ => format!("ones((uint64_t){a}) > 64 + ({b} & 1)"),
        }
    }

    fn head(&self) -> String {
        let types: Vec<String> = self.types.iter().enumerate().map(|(i, t)| format!("{} x{i}", t.name)).collect();
        format!("int {}({})\n{{\n", self.name, types.join(", "))
    }

    fn body(&self) -> String {
        let mut text = self.head();
        for statement in &self.statements {
            let _ = writeln!(text, "    {statement}");
        }
        text
    }

    /// A program that hands over the values which the conditions are about, with `probe(&value, size)`.
    pub(crate) fn probing(&self) -> String {
        let mut text = self.body();
        for (about, _) in &self.asked {
            let name = &self.variables[*about].name;
            let _ = writeln!(text, "    probe(&{name}, sizeof {name});");
        }
        text + "    return 0;\n}\n"
    }

    /// The program whose conditions hold for these values, and the conditions in its order.
    pub(crate) fn finished(&self, values: &[u64]) -> (String, Vec<Condition>) {
        let (mut text, mut conditions) = (self.body(), Vec::new());
        let mut add = |text: &mut String, condition: &str, purpose: Purpose, holds: bool| {
            conditions.push(Condition { line: text.matches('\n').count(), purpose, holds });
            let _ = writeln!(text, "    if ({condition})");
        };
        if let Some(never) = &self.never {
            add(&mut text, never, Purpose::Never, false);
            text += "        return 9;\n";
        }
        // First those that return where they do not hold for the secret input, then the nested ones.
        let guards = |form: &u64| form.is_multiple_of(4);
        for ((about, _), value) in self.asked.iter().zip(values).filter(|((_, f), _)| guards(f)) {
            add(&mut text, &format!("!({})", single(&self.variables[*about], *value)), Purpose::Rare, false);
            text += "        return 0;\n";
        }
        for ((about, form), value) in self.asked.iter().zip(values).filter(|((_, f), _)| !guards(f)) {
            add(&mut text, &several(&self.variables[*about], *value, *form), Purpose::Rare, true);
        }
        text += "        return 1;\n    return 0;\n}\n";
        if self.asked.iter().all(|(_, f)| guards(f)) {
            // Nothing is nested.
            text = text.replace("        return 1;\n    return 0;\n}\n", "    return 1;\n}\n");
        }
        (text, conditions)
    }
}
