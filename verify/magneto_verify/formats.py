"""The four formats, from IEEE 754's definitions, over exact rational numbers."""

from fractions import Fraction

from flint import fmpq

# Bits of the significand and the largest exponent.
PARAMETERS = {"binary64": (53, 1023), "binary32": (24, 127), "binary16": (11, 15), "bfloat16": (8, 127)}


def two_to(e):
    """2^e."""
    return fmpq(2) ** e


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
    p, emax = PARAMETERS[name]
    e = 1 - emax if x == 0 else max(exponent(x), 1 - emax)
    return two_to(e - p + 1)


def largest(name):
    """The largest finite number."""
    p, emax = PARAMETERS[name]
    return (2 - two_to(1 - p)) * two_to(emax)


def floor_to(x, name):
    """The largest finite number that is at most x; None if there is none."""
    most = largest(name)
    if x >= most:
        return most
    if x < -most:
        return None
    unit = ulp(x, name)
    return fmpq((x / unit).floor()) * unit


def ceil_to(x, name):
    """The smallest finite number that is at least x; None if there is none."""
    y = floor_to(-x, name)
    return None if y is None else -y


def step(x, up, name):
    """The next larger or smaller finite number; None beyond the largest."""
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
    return float(Fraction(int(x.p), int(x.q))).hex()
