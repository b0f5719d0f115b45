"""Sets of binary32 and binary64 numbers, and what instructions make of them.

A set is (lo, hi, nan): the floats from the lo-th to the hi-th, counted from 0 in the order of the numbers with -0 before 0, none where lo > hi, and
with 1 in `nan` the NaNs without the bit of the sign, with 2 those with it. Every rule gives a set that has all results. Python's
floats are binary64 and round to the nearest, ties to even.
"""

import math
import struct

from .integers import opposite, order, whole

BITS = {"i32": 32, "i64": 64, "f32": 32, "f64": 64}
INFINITY = {"f32": 0x7F800000, "f64": 0x7FF0000000000000}
NOTHING = (1, 0)
# NaNs without and with the sign's bit; an operation may make any.
PLUS, MINUS, ANY = 1, 2, 3


def is_float(kind):
    return kind[0] == "f"


def everything(kind):
    if not is_float(kind):
        return whole(BITS[kind])
    return (-INFINITY[kind] - 1, INFINITY[kind], ANY)


def number(k, kind):
    """The k-th float."""
    code = {"f32": ("<I", "<f"), "f64": ("<Q", "<d")}[kind]
    bits = k if k >= 0 else -k - 1 | 1 << BITS[kind] - 1
    return struct.unpack(code[1], struct.pack(code[0], bits))[0]


def rank(x, kind):
    """The place of a float; of one of binary64 that is none of binary32 that of the nearest one."""
    if kind == "f32":
        try:
            bits = struct.unpack("<I", struct.pack("<f", x))[0]
        except OverflowError:
            bits = INFINITY["f32"] | (0 if x > 0 else 1 << 31)
    else:
        bits = struct.unpack("<Q", struct.pack("<d", x))[0]
    top = 1 << BITS[kind] - 1
    return bits if bits < top else -(bits - top) - 1


def ends(a, kind):
    return number(a[0], kind), number(a[1], kind)


def has_number(a):
    return a[0] <= a[1]


def has_zero(a):
    return a[0] <= 0 and a[1] >= -1 and has_number(a)


def has_infinity(a, kind):
    return has_number(a) and (a[1] == INFINITY[kind] or a[0] == -INFINITY[kind] - 1)


def monotone(apply):
    """A function of one float that grows, and makes NaN of NaN alone."""
    def of(a, kind):
        nan = ANY if a[2] else 0
        if not has_number(a):
            return NOTHING + (nan,)
        lo, hi = (rank(apply(x), kind) for x in ends(a, kind))
        return (lo, hi, nan)

    return of


def whole_number(rounded):
    """A rounding to a whole number that keeps the sign of 0."""
    return lambda x: x if not math.isfinite(x) or x == 0 else math.copysign(float(rounded(x)), x)


def root(a, kind):
    nan = ANY if a[2] or a[0] < -1 else 0
    if not has_number(a) or a[1] < -1:
        return NOTHING + (nan,)
    x, y = ends((max(a[0], -1), a[1]), kind)
    return (rank(math.sqrt(x), kind), rank(math.sqrt(y), kind), nan)


def negated(a, kind):
    return (-a[1] - 1, -a[0] - 1, (a[2] & PLUS) << 1 | a[2] >> 1)


def magnitude(a, kind):
    nan = PLUS if a[2] else 0
    if a[0] >= 0 or not has_number(a):
        return (a[0], a[1], nan)
    return (-a[1] - 1, -a[0] - 1, nan) if a[1] < 0 else (0, max(a[1], -a[0] - 1), nan)


FLOAT_UNARY = [
    magnitude, negated, monotone(whole_number(math.ceil)), monotone(whole_number(math.floor)), monotone(whole_number(math.trunc)),
    monotone(whole_number(round)), root,
]


def by_corners(apply, undefined):
    """An operation that is monotone in each operand; `undefined` says whether it may make a NaN, or has no corners."""
    def of(a, b, kind):
        if not (has_number(a) and has_number(b)):
            return NOTHING + (ANY,)
        if undefined(a, b, kind):
            return everything(kind)
        corners = [rank(apply(x, y), kind) for x in ends(a, kind) for y in ends(b, kind)]
        return (min(corners), max(corners), ANY if a[2] or b[2] else 0)

    return of


def two_infinities(a, b, kind):
    return has_infinity(a, kind) and has_infinity(b, kind)


def zero_times_infinity(a, b, kind):
    return has_zero(a) and has_infinity(b, kind) or has_infinity(a, kind) and has_zero(b)


def no_quotient(a, b, kind):
    """Whether 0 or infinity may be divided by itself, or a divisor is on both sides of 0."""
    return has_zero(b) and (has_zero(a) or b[0] < 0 <= b[1]) or two_infinities(a, b, kind)


def quotient(x, y):
    return x / y if y else math.copysign(math.inf, x) * math.copysign(1, y)


def extreme(pick):
    """The smaller or the larger one; a NaN where one operand is."""
    def of(a, b, kind):
        if not (has_number(a) and has_number(b)):
            return NOTHING + (ANY,)
        return (pick(a[0], b[0]), pick(a[1], b[1]), ANY if a[2] or b[2] else 0)

    return of


def signed_as(a, b, kind):
    size = magnitude((a[0], a[1], a[2]), kind)
    if b[2] or a[2]:
        return everything(kind)
    if b[0] >= 0:
        return size
    if b[1] < 0:
        return negated(size, kind)
    return (-size[1] - 1, size[1], 0)


FLOAT_BINARY = [
    by_corners(lambda x, y: x + y, two_infinities),
    by_corners(lambda x, y: x - y, two_infinities),
    by_corners(lambda x, y: x * y, zero_times_infinity),
    by_corners(quotient, no_quotient),
    extreme(min), extreme(max), signed_as,
]


def float_order(test):
    def of(a, b, kind):
        if not (has_number(a) and has_number(b)):
            return False
        found = order(test, ends(a, kind), ends(b, kind))
        return None if found and (a[2] or b[2]) else found

    return of


def float_same(a, b, kind):
    if not (has_number(a) and has_number(b)):
        return False
    (p, q), (r, s) = ends(a, kind), ends(b, kind)
    if q < r or s < p:
        return False
    return True if p == q == r == s and not (a[2] or b[2]) else None


FLOAT_COMPARE = [float_same, lambda a, b, kind: opposite(float_same(a, b, kind))] + list(map(float_order, ("<", ">", "<=", ">=")))
