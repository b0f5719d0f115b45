"""Sets of numbers of one kind as those of another: bits of floats, floats of bits, and conversions."""

import math

from .floats import ANY, BITS, INFINITY, MINUS, NOTHING, PLUS, ends, has_infinity, has_number, rank
from .integers import hull, signed, unsigned, whole, wrapped


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
