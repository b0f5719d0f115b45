"""IEEE 754's formats and fixed-point formats, from their definitions, over exact rational numbers."""

import math
from fractions import Fraction

from flint import fmpq

# Bits of the significand and the largest exponent.
PARAMETERS = {"binary64": (53, 1023), "binary32": (24, 127), "binary16": (11, 15), "bfloat16": (8, 127)}


def format_name(tree):
    """The name of the format that a core writes; None for what is none. `(fixed scale bits)` has the numbers k 2^scale with k of so
    many bits in two's complement, and `integer` stands for those of 54 bits with the scale 0."""
    if tree == "integer":
        return "fixed 0 54"
    if isinstance(tree, list) and tree[:1] == ["fixed"] and len(tree) == 3:
        return " ".join(tree)
    if isinstance(tree, list) and tree[:1] == ["float"] and len(tree) == 3:
        e, bits = map(int, tree[1:])
        own = (bits - e, 2 ** (e - 1) - 1)
        if own not in PARAMETERS.values() and (e > 8 or bits - e > 26):
            return None
        name = next((n for n, p in PARAMETERS.items() if p == own), " ".join(tree))
        PARAMETERS[name] = own
        return name
    return tree if isinstance(tree, str) and tree in PARAMETERS else None


def fixed(name):
    """The scale and the bits of a fixed-point format; None of another one."""
    return tuple(map(int, name.split()[1:])) if name.startswith("fixed ") else None


def two_to(e):
    """2^e."""
    return fmpq(2) ** e


# Functions that round a rational number to an integer.
INTEGERS = {"floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "nearbyint": round,
            "round": lambda x: math.floor(abs(x) + Fraction(1, 2)) * (1 if x > 0 else -1)}


def fraction(x):
    """A rational number of FLINT as one of Python."""
    return Fraction(int(x.p), int(x.q))


def rational(x):
    """A Python number as a rational number of FLINT."""
    x = Fraction(x)
    return fmpq(x.numerator, x.denominator)


def exponent(x):
    """e with 2^e <= |x| < 2^(e+1), for x != 0."""
    x = abs(x)
    p, q = int(x.p), int(x.q)
    e = p.bit_length() - q.bit_length()
    below = p < q << e if e >= 0 else p << -e < q
    return e - 1 if below else e


def ulp(x, name):
    """The unit in the last place at x: 2^(max(e, emin) - p + 1)."""
    if fixed(name):
        return two_to(fixed(name)[0])
    p, emax = PARAMETERS[name]
    e = 1 - emax if x == 0 else max(exponent(x), 1 - emax)
    return two_to(e - p + 1)


def largest(name):
    """The largest finite number."""
    if fixed(name):
        scale, bits = fixed(name)
        return two_to(scale + bits - 1) - two_to(scale)
    p, emax = PARAMETERS[name]
    return (2 - two_to(1 - p)) * two_to(emax)


def smallest(name):
    """The smallest finite number."""
    return -largest(name) - two_to(fixed(name)[0]) if fixed(name) else -largest(name)


def floor_to(x, name):
    """The largest finite number that is at most x; None if there is none."""
    most = largest(name)
    if x >= most:
        return most
    if x < smallest(name):
        return None
    unit = ulp(x, name)
    return fmpq((x / unit).floor()) * unit


def ceil_to(x, name):
    """The smallest finite number that is at least x; None if there is none."""
    if fixed(name):
        unit = ulp(x, name)
        y = fmpq((x / unit).ceil()) * unit
        return max(y, smallest(name)) if y <= largest(name) else None
    y = floor_to(-x, name)
    return None if y is None else -y


def step(x, up, name):
    """The next larger or smaller finite number; None beyond the largest."""
    if fixed(name):
        y = x + ulp(x, name) * (1 if up else -1)
        return y if smallest(name) <= y <= largest(name) else None
    if not up:
        y = step(-x, True, name)
        return None if y is None else -y
    # Below 0 and at a power of two the step is half of ulp(x).
    tiny = two_to(-1200)
    return ceil_to(x + tiny, name) if x < largest(name) else None


def is_value(x, name):
    """Whether x is a finite number of the format."""
    return floor_to(x, name) == x


def read_hex(text):
    """The number that a hex float spells."""
    return rational(float.fromhex(text))


def hex_text(x):
    """A number of a format as a hex float."""
    return float(fraction(x)).hex()


def nearest_value(x, name):
    """The number of a floating-point format nearest to a rational number, ties to even; None where that is an infinity."""
    unit = ulp(x, name)
    n = round(fraction(x / unit))
    y = n * unit
    return y if abs(y) <= largest(name) else None


def includes(name, other):
    """Whether each number of another format is one of a floating-point format."""
    (p, emax), least = PARAMETERS[name], ulp(0, name)
    if fixed(other):
        scale, bits = fixed(other)
        return bits - 1 <= p and two_to(scale) >= least and -smallest(other) <= largest(name)
    return PARAMETERS[other][0] <= p and PARAMETERS[other][1] <= emax and ulp(0, other) >= least


def plain_float(q):
    """A number of a format as a Python float."""
    return float(fraction(q))
