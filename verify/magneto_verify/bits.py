"""Sets of machine numbers and what instructions make of them.

A set of integers of n bits is (lo, hi): all numbers from lo to hi modulo 2^n, less than 2^n of them. A set of floats is (lo, hi, nan): the floats
from the lo-th to the hi-th, counted from 0 in the order of the numbers with -0 before 0, none where lo > hi, and with 1 in `nan` the NaNs
without the bit of the sign, with 2 those with it.
Every rule gives a set that has all results. Python's floats are binary64 and round to the nearest, ties to even.
"""

import math
import struct

BITS = {"i32": 32, "i64": 64, "f32": 32, "f64": 64}
INFINITY = {"f32": 0x7F800000, "f64": 0x7FF0000000000000}
NOTHING = (1, 0)
# NaNs without and with the sign's bit; an operation may make any.
PLUS, MINUS, ANY = 1, 2, 3


# Integers.


def wrapped(lo, hi, n):
    """The set of all numbers from lo to hi modulo 2^n, of which the unsigned ones are named, else the signed ones."""
    whole = 1 << n
    if hi - lo >= whole - 1:
        return (0, whole - 1)
    turn = lo // whole * whole
    lo, hi = lo - turn, hi - turn
    return (lo, hi) if hi < whole else (lo - whole, hi - whole)


def unsigned(a, n):
    lo, hi = a
    return (lo, hi) if lo >= 0 else (lo + (1 << n), hi + (1 << n)) if hi < 0 else (0, (1 << n) - 1)


def signed(a, n):
    half, (lo, hi) = 1 << (n - 1), a
    if lo >= half:
        lo, hi = lo - 2 * half, hi - 2 * half
    return (lo, hi) if -half <= lo and hi < half else (-half, half - 1)


def hull(a, b, n):
    """A set that has both."""
    candidates = []
    for view in (unsigned, signed):
        (p, q), (r, s) = view(a, n), view(b, n)
        candidates.append((min(p, r), max(q, s)))
    return min(candidates, key=lambda c: c[1] - c[0])


def whole(n):
    return (0, (1 << n) - 1)


def is_one(a):
    return a[0] == a[1]


def masked(a, mask, n):
    """a & mask."""
    lo, hi = unsigned(a, n)
    if lo == hi:
        return (lo & mask, lo & mask)
    # Below the mask's highest bit all is one block where the bits above are the same.
    top = mask.bit_length()
    if lo >> top == hi >> top:
        lo, hi = lo & ((1 << top) - 1), hi & ((1 << top) - 1)
        low = (mask & -mask).bit_length() - 1
        if mask == (1 << top) - (1 << low):
            return (lo >> low << low, hi >> low << low)
        # The bits that are the same in all numbers, and no more than the mask has.
        return (0, min(hi, mask))
    return (0, mask)


def conjoined(a, b, n):
    if is_one(b):
        return masked(a, unsigned(b, n)[0], n)
    if is_one(a):
        return masked(b, unsigned(a, n)[0], n)
    return (0, min(unsigned(a, n)[1], unsigned(b, n)[1]))


def disjoined(a, b, n):
    (p, q), (r, s) = unsigned(a, n), unsigned(b, n)
    if is_one(a) and is_one(b):
        return (p | r, p | r)
    return (max(p, r), min(q + s, (1 << max(q.bit_length(), s.bit_length())) - 1))


def exclusive(a, b, n):
    (p, q), (r, s) = unsigned(a, n), unsigned(b, n)
    if is_one(a) and is_one(b):
        return (p ^ r, p ^ r)
    ones = (1 << n) - 1
    for x, y in ((a, b), (b, a)):
        # All bits are turned, or the sign is.
        mask, (lo, hi) = unsigned(y, n)[0], unsigned(x, n)
        if is_one(y) and mask == ones:
            return (ones - hi, ones - lo)
    return (0, min(q + s, (1 << max(q.bit_length(), s.bit_length())) - 1))


def shifted_left(a, b, n):
    if not is_one(b):
        return whole(n)
    k = unsigned(b, n)[0] % n
    return wrapped(a[0] << k, a[1] << k, n)


def shifted_right(view):
    def shift(a, b, n):
        lo, hi = view(a, n)
        if is_one(b):
            k = unsigned(b, n)[0] % n
            return (lo >> k, hi >> k)
        first, last = unsigned(b, n)
        if last < n:
            corners = [x >> k for x in (lo, hi) for k in (first, last)]
            return (min(corners), max(corners))
        return (min(lo, 0), max(hi, 0)) if view is unsigned else signed(whole(n), n)

    return shift


def multiplied(a, b, n):
    best = whole(n)
    for view in (unsigned, signed):
        corners = [x * y for x in view(a, n) for y in view(b, n)]
        found = wrapped(min(corners), max(corners), n)
        best = min(best, found, key=lambda c: c[1] - c[0])
    return best


def toward_zero(x, y):
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def toward_zero_rest(x, y):
    return x - y * toward_zero(x, y)


def divided(view, remainder):
    def divide(a, b, n):
        (p, q), (r, s) = view(a, n), view(b, n)
        # A division by 0 ends the path.
        r, s = r or 1, s or -1
        if remainder:
            if p == q and r == s:
                return (toward_zero_rest(p, r),) * 2
            # It is smaller than the divisor, and has the sign of what is divided.
            most = max(abs(r), abs(s)) - 1
            return (max(min(p, 0), -most), min(max(q, 0), most)) if not (0 <= p and q < r) else (p, q)
        if r < 0 < s:
            return whole(n)
        corners = [toward_zero(x, y) for x in (p, q) for y in (r, s)]
        return wrapped(min(corners), max(corners), n)

    return divide


def rotated(a, b, n):
    if not (is_one(a) and is_one(b)):
        return whole(n)
    x, k = unsigned(a, n)[0], unsigned(b, n)[0] % n
    x = (x << k | x >> (n - k)) & ((1 << n) - 1)
    return (x, x)


def zeros_before(a, n):
    lo, hi = unsigned(a, n)
    return (n - hi.bit_length(), n - lo.bit_length())


def counted(count):
    def of(a, n):
        lo, hi = unsigned(a, n)
        return (count(lo, n),) * 2 if lo == hi else (0, n)

    return of


INTEGER_BINARY = [
    lambda a, b, n: wrapped(a[0] + b[0], a[1] + b[1], n),
    lambda a, b, n: wrapped(a[0] - b[1], a[1] - b[0], n),
    multiplied, divided(signed, False), divided(unsigned, False), divided(signed, True), divided(unsigned, True),
    conjoined, disjoined, exclusive, shifted_left, shifted_right(signed), shifted_right(unsigned), rotated,
    lambda a, b, n: rotated(a, wrapped(-b[1], -b[0], n), n),
]
INTEGER_UNARY = [
    zeros_before,
    counted(lambda x, n: (x & -x).bit_length() - 1 if x else n),
    counted(lambda x, n: bin(x).count("1")),
]


def order(test, a, b):
    """Whether all of a are before all of b, or none is; None where that depends. `test` is <, <=, > or >=."""
    if test in (">", ">="):
        return order({">": "<", ">=": "<="}[test], b, a)
    below = a[1] < b[0] if test == "<" else a[1] <= b[0]
    beyond = a[0] >= b[1] if test == "<" else a[0] > b[1]
    return True if below else False if beyond else None


def same(a, b, n):
    if is_one(a) and is_one(b):
        return (a[0] - b[0]) % (1 << n) == 0
    apart = any(view(a, n)[1] < view(b, n)[0] or view(b, n)[1] < view(a, n)[0] for view in (unsigned, signed))
    return False if apart else None


def opposite(answer):
    return None if answer is None else not answer


# In the order of their opcodes: =, !=, and each other for signed and unsigned numbers.
INTEGER_COMPARE = [same, lambda a, b, n: opposite(same(a, b, n))] + [
    lambda a, b, n, test=test, view=view: order(test, view(a, n), view(b, n))
    for test in ("<", ">", "<=", ">=") for view in (signed, unsigned)
]


# Floats.


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
    by_corners(lambda x, y: x / y, lambda a, b, kind: has_zero(b) or two_infinities(a, b, kind)),
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


# From one kind to another.


def bits_of(a, kind):
    """The bits of floats as integers."""
    n = BITS[kind]
    top = 1 << n - 1
    parts = []
    if has_number(a):
        if a[1] >= 0:
            parts.append((max(a[0], 0), a[1]))
        if a[0] < 0:
            parts.append((top + (-min(a[1], -1) - 1), top + (-a[0] - 1)))
    parts += [(start + INFINITY[kind] + 1, start + top - 1) for start, sign in ((0, PLUS), (top, MINUS)) if a[2] & sign]
    if not parts:
        return whole(n)
    found = parts[0]
    for part in parts[1:]:
        found = hull(found, part, n)
    return found


def of_bits(a, kind):
    """The floats that have integers as their bits."""
    n = BITS[kind]
    top, most = 1 << n - 1, INFINITY[kind]
    lo, hi = unsigned(a, n)
    found, nan = [], 0
    for start, sign in ((0, PLUS), (top, MINUS)):
        first, last = max(lo, start) - start, min(hi, start + top - 1) - start
        if first > last:
            continue
        nan |= sign if last > most else 0
        if first <= most:
            last = min(last, most)
            found.append((-last - 1, -first - 1) if sign == MINUS else (first, last))
    if not found:
        return NOTHING + (nan,)
    return (min(f[0] for f in found), max(f[1] for f in found), nan)


def to_integer(a, kind, n, view):
    """A conversion toward 0, whatever it makes of what has no integer."""
    least, most = (0, (1 << n) - 1) if view is unsigned else (-(1 << n - 1), (1 << n - 1) - 1)
    if a[2] or not has_number(a) or has_infinity(a, kind):
        return whole(n)
    lo, hi = map(math.trunc, ends(a, kind))
    return wrapped(lo, hi, n) if least <= lo and hi <= most else whole(n)


def of_integer(a, n, view, kind):
    def nearest(x, step):
        # What binary64 does not have is rounded twice for binary32: one float more holds that.
        if kind == "f64" or abs(x) < 1 << 53:
            return rank(float(x), kind)
        return rank(float(x), kind) + step

    lo, hi = view(a, n)
    return (nearest(lo, -1), nearest(hi, 1), 0)


def between(a, source, target):
    """From one format of floats to the other; to nearest where it is the smaller one."""
    nan = ANY if a[2] else 0
    if not has_number(a):
        return NOTHING + (nan,)
    lo, hi = ends(a, source)
    return (rank(lo, target), rank(hi, target), nan)


def extended(a, bits, n):
    """The low bits with their sign."""
    lo, hi = signed(wrapped(a[0], a[1], bits), bits)
    return (lo, hi)
