"""What the instructions of WebAssembly make of sets of numbers, by opcode."""

from .bits import between, bits_of, extended, of_bits, of_integer, to_integer
from .floats import BITS, FLOAT_BINARY, FLOAT_COMPARE, FLOAT_UNARY, is_float
from .integers import INTEGER_BINARY, INTEGER_COMPARE, INTEGER_UNARY, same, signed, unsigned, wrapped

# For each load and store the kind of the value, the bytes, and whether they are extended with their sign.
LOADS = {
    0x28: ("i32", 4, None), 0x29: ("i64", 8, None), 0x2A: ("f32", 4, None), 0x2B: ("f64", 8, None), 0x2C: ("i32", 1, True), 0x2D: ("i32", 1, False),
    0x2E: ("i32", 2, True), 0x2F: ("i32", 2, False), 0x30: ("i64", 1, True), 0x31: ("i64", 1, False), 0x32: ("i64", 2, True), 0x33: ("i64", 2, False),
    0x34: ("i64", 4, True), 0x35: ("i64", 4, False),
}
STORES = {
    0x36: ("i32", 4), 0x37: ("i64", 8), 0x38: ("f32", 4), 0x39: ("f64", 8), 0x3A: ("i32", 1), 0x3B: ("i32", 2), 0x3C: ("i64", 1), 0x3D: ("i64", 2),
    0x3E: ("i64", 4),
}
CONSTANTS = {0x41: "i32", 0x42: "i64", 0x43: "f32", 0x44: "f64"}
# Of each family of instructions the first opcode, the kind of the operands and the rules in order.
UNARY = [(0x67, "i32", INTEGER_UNARY), (0x79, "i64", INTEGER_UNARY), (0x8B, "f32", FLOAT_UNARY), (0x99, "f64", FLOAT_UNARY)]
BINARY = [(0x6A, "i32", INTEGER_BINARY), (0x7C, "i64", INTEGER_BINARY), (0x92, "f32", FLOAT_BINARY), (0xA0, "f64", FLOAT_BINARY)]
COMPARE = [(0x46, "i32", INTEGER_COMPARE), (0x51, "i64", INTEGER_COMPARE), (0x5B, "f32", FLOAT_COMPARE), (0x61, "f64", FLOAT_COMPARE)]
# Functions of the host whose results are an instruction's.
HOST = {name + suffix: (kind, rule) for suffix, kind in (("", "f64"), ("f", "f32"))
        for name, rule in (("fabs", 0), ("ceil", 2), ("floor", 3), ("trunc", 4), ("rint", 5), ("nearbyint", 5), ("sqrt", 6))}


# Others of C that write no memory but `errno`: not `lgamma`, which writes `signgam`.
PURE = {name + suffix for suffix in ("", "f") for name in """acos acosh asin asinh atan atan2 atanh cbrt copysign cos cosh erf erfc exp exp2 expm1 fdim
fma fmax fmin fmod hypot log log10 log1p log2 nextafter pow remainder round roundeven sin sinh tan tanh tgamma j0 j1 y0 y1""".split()}
# What may trap: divisions of integers, by the bits of their operands; those among them that have the least number by -1 beyond their
# range; and conversions.
DIVISIONS = {0x6D: 32, 0x6E: 32, 0x6F: 32, 0x70: 32, 0x7F: 64, 0x80: 64, 0x81: 64, 0x82: 64}
QUOTIENTS = {0x6D, 0x7F}
CONVERSIONS = {*range(0xA8, 0xAC), *range(0xAE, 0xB2)}


def truth(answer):
    return (0, 1) if answer is None else (int(answer),) * 2


def rules():
    """For each instruction that only computes: how many operands it takes, and what it makes of them."""
    table = {0x45: (1, lambda a: truth(same(a, (0, 0), 32))), 0x50: (1, lambda a: truth(same(a, (0, 0), 64)))}
    # Integers are asked for their number of bits, floats for their kind.
    size = lambda kind: kind if is_float(kind) else BITS[kind]
    for families, operands in ((UNARY, 1), (BINARY, 2)):
        for first, kind, own in families:
            for k, rule in enumerate(own):
                table[first + k] = (operands, lambda *of, rule=rule, size=size(kind): rule(*of, size))
    for first, kind, own in COMPARE:
        for k, rule in enumerate(own):
            ask = (lambda a, b, rule=rule, size=size(kind): truth(rule(a, b, size)))
            table[first + k] = (2, ask)
    table |= {0xA7: (1, lambda a: wrapped(*a, 32)), 0xAC: (1, lambda a: signed(a, 32)), 0xAD: (1, lambda a: unsigned(a, 32))}
    floats, views = ("f32", "f64"), (signed, unsigned)
    each = [(source, view) for source in floats for view in views]
    for first, n in ((0xA8, 32), (0xAE, 64), (0xFC00, 32), (0xFC04, 64)):
        for k, (source, view) in enumerate(each):
            table[first + k] = (1, lambda a, s=source, v=view, n=n: to_integer(a, s, n, v))
    each = [(n, view) for n in (32, 64) for view in views]
    for first, target in ((0xB2, "f32"), (0xB7, "f64")):
        for k, (n, view) in enumerate(each):
            table[first + k] = (1, lambda a, n=n, v=view, t=target: of_integer(a, n, v, t))
    table |= {0xB6: (1, lambda a: between(a, "f64", "f32")), 0xBB: (1, lambda a: between(a, "f32", "f64"))}
    for k, kind in enumerate(floats):
        table[0xBC + k] = (1, lambda a, kind=kind: bits_of(a, kind))
        table[0xBE + k] = (1, lambda a, kind=kind: of_bits(a, kind))
    for k, (low, n) in enumerate(((8, 32), (16, 32), (8, 64), (16, 64), (32, 64))):
        table[0xC0 + k] = (1, lambda a, low=low, n=n: extended(a, low, n))
    return table


RULES = rules()
