"""The rules of instructions on sets of numbers are checked: what each instruction gives for members of random sets, by the
standard's definition on bits, is in the set that its rule gives. What is read of memory after random stores, copies and fills has what
bytes have there.
"""

import argparse
import math
import random
import struct
import sys
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from magneto_verify.floats import BITS, INFINITY, NOTHING, has_number, is_float, rank
from magneto_verify.instructions import RULES
from magneto_verify.ways import Memory

CODE = {"f32": ("<I", "<f"), "f64": ("<Q", "<d")}
NAN = {"f32": 0x7FC00000, "f64": 0x7FF8000000000000}


def signed(x, n):
    return x - (1 << n) if x >> n - 1 else x


def value(bits, kind):
    return struct.unpack(CODE[kind][1], struct.pack(CODE[kind][0], bits))[0]


def code_of(x, kind):
    """The bits of the float nearest to a rational number or one of binary64."""
    if isinstance(x, float) and not math.isfinite(x):
        return NAN[kind] if math.isnan(x) else INFINITY[kind] | (0 if x > 0 else 1 << BITS[kind] - 1)
    if x == 0:
        return (math.copysign(1, x) < 0) << BITS[kind] - 1 if isinstance(x, float) else 0
    # Exactly, in the format's own digits: no rounding twice.
    digits, least, greatest = {"f32": (24, -149, 127), "f64": (53, -1074, 1023)}[kind]
    q = abs(Fraction(x))
    exponent = q.numerator.bit_length() - q.denominator.bit_length()
    exponent -= q < Fraction(2) ** exponent
    unit = Fraction(2) ** max(exponent - digits + 1, least)
    rounded = round(q / unit) * unit
    top = (1 << BITS[kind] - 1) if x < 0 else 0
    if rounded >= Fraction(2) ** (greatest + 1):
        return top | INFINITY[kind]
    return top | struct.unpack(CODE[kind][0], struct.pack(CODE[kind][1], float(rounded)))[0]


def integer(k, a, b, n):
    """The result of the k-th instruction on two integers; None for a trap."""
    s, t = signed(a, n), signed(b, n)
    if k in (3, 4, 5, 6) and b == 0 or k == 3 and s == -(1 << n - 1) and t == -1:
        return None
    shift = b % n
    toward_zero = lambda x, y: abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    found = [
        lambda: a + b, lambda: a - b, lambda: a * b, lambda: toward_zero(s, t), lambda: a // b, lambda: s - t * toward_zero(s, t), lambda: a % b,
        lambda: a & b, lambda: a | b, lambda: a ^ b, lambda: a << shift, lambda: s >> shift, lambda: a >> shift,
        lambda: a << shift | a >> n - shift, lambda: a >> shift | a << n - shift,
    ][k]()
    return found % (1 << n)


def floats(k, a, b, kind):
    x, y = value(a, kind), value(b, kind)
    sign = 1 << BITS[kind] - 1
    if k == 6:
        return a & ~sign | b & sign
    if math.isnan(x) or math.isnan(y):
        return NAN[kind]
    if k in (4, 5):
        first = (x < y or x == y and bool(a & sign)) == (k == 4)
        return a if first or a == b else b
    if math.isinf(x) or math.isinf(y) or x == 0 or y == 0:
        try:
            return code_of([lambda: x + y, lambda: x - y, lambda: x * y, lambda: x / y][k](), kind)
        except ZeroDivisionError:
            return code_of(math.nan if x == 0 else math.copysign(math.inf, x) * math.copysign(1, y), kind)
    p, q = Fraction(x), Fraction(y)
    exact = [lambda: p + q, lambda: p - q, lambda: p * q, lambda: p / q][k]()
    # Too small for the format it keeps its sign.
    found = code_of(exact, kind)
    return found | sign if exact < 0 else found


def one_float(k, a, kind):
    x, sign = value(a, kind), 1 << BITS[kind] - 1
    if k < 2:
        return a & ~sign if k == 0 else a ^ sign
    if math.isnan(x) or k == 6 and x < 0:
        return NAN[kind]
    if math.isinf(x) or x == 0:
        return a
    if k == 6:
        p = Fraction(x)
        # The root in so many digits that the rest decides no rounding: ties do not occur.
        scale = 1 << 300
        return code_of(Fraction(math.isqrt(p.numerator * scale * scale * p.denominator), p.denominator * scale), kind)
    found = [math.ceil, math.floor, math.trunc, round][k - 2](x)
    return code_of(float(found), kind) if found else a & sign


def to_integer(a, kind, n, is_signed, saturates):
    x = value(a, kind)
    least, most = (-(1 << n - 1), (1 << n - 1) - 1) if is_signed else (0, (1 << n) - 1)
    if math.isfinite(x) and least <= math.trunc(x) <= most:
        return math.trunc(x) % (1 << n)
    # A trap, or the end that is nearest; what a cast of C gives may be any number.
    return None if not saturates else 0 if math.isnan(x) else (least if x < 0 else most) % (1 << n)


def comparison(k, x, y):
    return int([x == y, x != y, x < y, x > y, x <= y, x >= y][k])


def meaning(op):
    """The kinds of the operands and of the result of an instruction, and what it gives for bits."""
    for kind, first in (("i32", 0x45), ("i64", 0x50)):
        n = BITS[kind]
        if op == first:
            return [kind], "i32", lambda a: int(a == 0)
        if first < op <= first + 2:
            return [kind] * 2, "i32", lambda a, b: comparison(op - first - 1, a, b)
        if first + 2 < op <= first + 10:
            k, view = (op - first - 3) // 2 + 2, (op - first - 3) % 2
            of = (lambda x: x) if view else (lambda x: signed(x, n))
            return [kind] * 2, "i32", lambda a, b: comparison(k, of(a), of(b))
    for kind, first in (("f32", 0x5B), ("f64", 0x61)):
        if first <= op < first + 6:
            return [kind] * 2, "i32", lambda a, b: comparison(op - first, value(a, kind), value(b, kind))
    for kind, first in (("i32", 0x67), ("i64", 0x79)):
        n = BITS[kind]
        if first <= op < first + 3:
            count = [lambda a: n - a.bit_length(), lambda a: (a & -a).bit_length() - 1 if a else n, lambda a: bin(a).count("1")]
            return [kind], kind, count[op - first]
        if first + 3 <= op < first + 18:
            return [kind] * 2, kind, lambda a, b: integer(op - first - 3, a, b, n)
    for kind, first in (("f32", 0x8B), ("f64", 0x99)):
        if first <= op < first + 7:
            return [kind], kind, lambda a: one_float(op - first, a, kind)
        if first + 7 <= op < first + 14:
            return [kind] * 2, kind, lambda a, b: floats(op - first - 7, a, b, kind)
    conversions = {
        0xA7: (["i64"], "i32", lambda a: a % (1 << 32)), 0xAC: (["i32"], "i64", lambda a: signed(a, 32) % (1 << 64)), 0xAD: (["i32"], "i64", lambda a: a),
        0xB6: (["f64"], "f32", lambda a: code_of(value(a, "f64"), "f32")), 0xBB: (["f32"], "f64", lambda a: code_of(value(a, "f32"), "f64")),
        0xBC: (["f32"], "i32", lambda a: a), 0xBD: (["f64"], "i64", lambda a: a), 0xBE: (["i32"], "f32", lambda a: a), 0xBF: (["i64"], "f64", lambda a: a),
    }
    if op in conversions:
        return conversions[op]
    for first, n, saturates in ((0xA8, 32, False), (0xAE, 64, False), (0xFC00, 32, True), (0xFC04, 64, True)):
        if first <= op < first + 4:
            kind, is_signed = ("f32", "f64")[(op - first) // 2], (op - first) % 2 == 0
            return [kind], f"i{n}", lambda a: to_integer(a, kind, n, is_signed, saturates)
    for first, kind in ((0xB2, "f32"), (0xB7, "f64")):
        if first <= op < first + 4:
            n, is_signed = (32, 64)[(op - first) // 2], (op - first) % 2 == 0
            return [f"i{n}"], kind, lambda a: code_of(Fraction(signed(a, n) if is_signed else a), kind)
    low, n = [(8, 32), (16, 32), (8, 64), (16, 64), (32, 64)][op - 0xC0]
    return [f"i{n}"], f"i{n}", lambda a: signed(a % (1 << low), low) % (1 << n)


def is_member(bits, found, kind):
    if not is_float(kind):
        whole = 1 << BITS[kind]
        return found[0] <= bits + (found[0] - bits + whole - 1) // whole * whole <= found[1]
    x = value(bits, kind)
    if math.isnan(x):
        return bool(found[2] & (2 if bits >> BITS[kind] - 1 else 1))
    return has_number(found) and found[0] <= rank(x, kind) <= found[1]


def bits_at(k, kind):
    """The bits of the k-th float."""
    return k if k >= 0 else -k - 1 | 1 << BITS[kind] - 1


def width(chance, most):
    return chance.choice([0, 0, 1, chance.randrange(16), chance.randrange(1 << chance.randrange(1, most.bit_length()))])


def a_set(chance, kind):
    """A random set and members of it."""
    n = BITS[kind]
    if not is_float(kind):
        special = [0, 1, 7, n, (1 << n - 1) - 1, 1 << n - 1, (1 << n) - 1, (1 << n // 2) - 1, 0x7FF00000, 0xFFFFF]
        lo = chance.choice([chance.choice(special), chance.randrange(1 << n), chance.randrange(1 << chance.randrange(1, n))]) - chance.randrange(3)
        lo, length = lo - chance.choice([0, 0, 1 << n - 1]), width(chance, (1 << n) - 1)
        lo = max(min(lo, (1 << n) - 1), -(1 << n - 1))
        hi = min(lo + length, (1 << n) - 1 if lo >= 0 else (1 << n - 1) - 1)
        return (lo, hi), [x % (1 << n) for x in (lo, hi, chance.randint(lo, hi), chance.randint(lo, hi))]
    least, most = -INFINITY[kind] - 1, INFINITY[kind]
    special = [rank(x, kind) for x in (-math.inf, -1.0, -0.0, 0.0, 0.5, 1.0, 2147483647.0, 4294967296.0, 9.2e18, 1e300, math.inf)]
    lo = chance.choice([chance.choice(special), chance.randint(least, most)]) - chance.randrange(3)
    lo = max(least, min(lo, most))
    hi = min(most, lo + width(chance, most))
    nan = chance.choice([0, 0, 0, 1, 2, 3])
    members = [bits_at(k, kind) for k in (lo, hi, chance.randint(lo, hi), chance.randint(lo, hi), min(max(0, lo), hi), min(max(-1, lo), hi))]
    if nan and chance.random() < 0.3:
        lo, hi, members = *NOTHING, []
    top = 1 << n - 1
    members += [most + 1 + chance.randrange(5) + (top if sign == 2 else 0) for sign in (1, 2) if nan & sign]
    return (lo, hi, nan), members


def try_memory(chance):
    """How many of the loads are settled after random stores, copies and fills, and what of them is wrong."""
    at, data = 1000, bytearray(chance.randrange(256) for _ in range(64))
    memory, settled, wrong = Memory([(at + 8, bytes(data[8:40]))]), 0, []
    place = lambda length: chance.randrange(len(data) - length + 1)
    for _ in range(12):
        action, length = chance.randrange(5), chance.choice([0, 1, 5, 8, 24])
        to, source = place(length), place(length)
        if action == 0:
            memory.copy_bytes(at + source, at + to, length)
            data[to : to + length] = data[source : source + length]
        elif action == 1:
            byte = chance.randrange(256)
            memory.fill(at + to, byte, length)
            data[to : to + length] = bytes([byte]) * length
        else:
            kind = chance.choice(["i32", "i64", "f32", "f64"])
            size = BITS[kind] // 8
            found, members = a_set(chance, kind)
            to, own, bits = place(size), kind if is_float(kind) else None, chance.choice(members)
            # A store whose address is known in part alone.
            first = max(0, to - chance.choice([0, 0, 0, 3]))
            memory.store((at + first, at + to), size, own, found)
            data[to : to + size] = bits.to_bytes(size, "little")
        kind = chance.choice(["i32", "i64", "f32", "f64"])
        size = BITS[kind] // 8
        source = place(size)
        found, bits = memory.load((at + source,) * 2, size, kind), int.from_bytes(data[source : source + size], "little")
        settled += found[0] == found[1]
        if not is_member(bits, found, kind):
            wrong.append(f"{kind} at {source} is {found}, and not {bits:#x}")
    return settled, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=300, help="for each instruction")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance, looked, wrong = random.Random(options.seed), 0, 0
    for op in sorted(RULES):
        operands, result, exact = meaning(op)
        assert RULES[op][0] == len(operands), hex(op)
        for _ in range(options.sets):
            sets, members = zip(*(a_set(chance, kind) for kind in operands))
            found = RULES[op][1](*sets)
            for _ in range(6):
                inputs = [chance.choice(m) for m in members]
                bits = exact(*inputs)
                looked += 1
                if bits is not None and not is_member(bits, found, result):
                    wrong += 1
                    if wrong < 20:
                        print(f"{op:#x} of {sets} is {found}, and {[hex(i) for i in inputs]} give {bits:#x}")
    found = [try_memory(chance) for _ in range(4 * options.sets)]
    settled, told = sum(one[0] for one in found), [text for one in found for text in one[1]]
    print(*told[:20], sep="\n", end="")
    print(f"{len(RULES)} instructions, {looked} results, {wrong + len(told)} wrong, {settled} loads of memory settled")
    return 1 if wrong or told or settled < options.sets else 0


if __name__ == "__main__":
    sys.exit(main())
