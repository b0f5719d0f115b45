"""The value of an expression at one exact input: an exact number where it is one, else a ball.

Exact numbers are a + b*PI with rational a and b, which knows the zeros and poles of the circular functions. Everything
else is a ball of FLINT (Arb), which contains the value. A value also has a name that tells how it was computed: two
values of one name are the same number, although no ball shows it.
"""

from math import isqrt

from flint import arb, fmpq, fmpz

from .formats import INTEGERS, PARAMETERS, fraction, largest, nearest_value

UNDEFINED = "undefined"  # There surely is no value.
OPEN = "open"  # Not settled at this precision.

ZERO, ONE, HALF = fmpq(0), fmpq(1), fmpq(1, 2)


class Num:
    """A real number."""

    __slots__ = ("a", "b", "_ball", "_name")

    def __init__(self, a=None, b=ZERO, ball=None, name=None):
        self.a, self.b, self._ball, self._name = a, b, ball, name if a is None else None

    @property
    def name(self):
        """What is the same for equal numbers alone."""
        if self._name is None:
            self._name = (self.a.p, self.a.q, self.b.p, self.b.q)
        return self._name

    @property
    def ball(self):
        """A ball around it, at the present precision."""
        if self._ball is None:
            self._ball = arb(self.a) if self.b == 0 else arb(self.a) + arb(self.b) * arb.pi()
        return self._ball

    @property
    def rational(self):
        """Its value if it is known to be rational."""
        return self.a if self.a is not None and self.b == 0 else None


def exact(q):
    return Num(fmpq(q))


def compare(x, y):
    """-1, 0 or 1; None where that is not settled."""
    if x.a is not None and y.a is not None and x.b == y.b:
        return -1 if x.a < y.a else int(x.a > y.a)
    if x.name == y.name:
        return 0
    if x.ball < y.ball:
        return -1
    return 1 if x.ball > y.ball else None


def sign(x):
    return compare(x, NOTHING)


NOTHING = exact(0)


def root(q, n):
    """The n-th root of a rational number, if it is rational."""
    if q < 0:
        positive = root(-q, n) if n % 2 else None
        return None if positive is None else -positive

    def integer(k):
        if n == 2:
            r = isqrt(k)
        else:
            # Newton from above.
            r = 1 << -(-k.bit_length() // n)
            while True:
                s = ((n - 1) * r + k // r ** (n - 1)) // n if r else 0
                if s >= r:
                    break
                r = s
        return r if r**n == k else None

    p, d = integer(int(q.p)), integer(int(q.q))
    return None if p is None or d is None else fmpq(p, d)


def of_interval(x, low, high, open_ends=False):
    """Whether x is in an interval (an end may be None): True, False, or None."""
    known = True
    for end, inside in ((low, 1), (high, -1)):
        if end is None:
            continue
        c = compare(x, exact(end))
        if c == -inside or (c == 0 and open_ends):
            return False
        if c is None:
            known = None
    return known


# The sine of k*PI/6 where it is rational.
SINES = {0: ZERO, 1: HALF, 3: ONE, 5: HALF, 6: ZERO, 7: -HALF, 9: -ONE, 11: -HALF}
# Arcs that are rational multiples of PI.
ARCS = {
    "asin": {ZERO: ZERO, ONE: HALF, -ONE: -HALF, HALF: fmpq(1, 6), -HALF: fmpq(-1, 6)},
    "acos": {ONE: ZERO, -ONE: ONE, ZERO: HALF, HALF: fmpq(1, 3), -HALF: fmpq(2, 3)},
    "atan": {ZERO: ZERO, ONE: fmpq(1, 4), -ONE: fmpq(-1, 4)},
}
# Functions of one operand with their domains: lower end, upper end, whether these are left out.
DOMAINS = {
    "sqrt": (0, None, False), "log": (0, None, True), "log2": (0, None, True), "log10": (0, None, True),
    "log1p": (-1, None, True), "asin": (-1, 1, False), "acos": (-1, 1, False), "acosh": (1, None, False),
    "atanh": (-1, 1, True), "y0": (0, None, True), "y1": (0, None, True),
}
AT_ZERO = {
    "exp": 1, "exp2": 1, "expm1": 0, "log1p": 0, "sin": 0, "cos": 1, "tan": 0, "sinh": 0, "cosh": 1, "tanh": 0,
    "asinh": 0, "atanh": 0, "erf": 0, "erfc": 1, "j0": 1, "j1": 0,
}
BALLS = {
    "exp": arb.exp, "expm1": arb.expm1, "log": arb.log, "log1p": arb.log1p, "sin": arb.sin, "cos": arb.cos,
    "tan": arb.tan, "asin": arb.asin, "acos": arb.acos, "atan": arb.atan, "sinh": arb.sinh, "cosh": arb.cosh,
    "tanh": arb.tanh, "asinh": arb.asinh, "acosh": arb.acosh, "atanh": arb.atanh, "sqrt": arb.sqrt,
    "exp2": lambda x: arb(2) ** x, "log2": lambda x: x.log() / arb(2).log(), "log10": lambda x: x.log() / arb(10).log(),
    "cbrt": lambda x: x if x == 0 else x.root(3) if x > 0 else -(-x).root(3),
    "erf": lambda x: x.erf(), "erfc": lambda x: x.erfc(),
    "tgamma": lambda x: x.gamma(), "lgamma": lambda x: abs(x.gamma()).log(),
    "j0": lambda x: x.bessel_j(0), "j1": lambda x: x.bessel_j(1), "y0": lambda x: x.bessel_y(0), "y1": lambda x: x.bessel_y(1),
}
# Beyond this the gamma function has no use here, and costs.
GAMMA_MOST = 100_000


def rounded(kind, x, name=None):
    """A rounding function's value as a Num, or OPEN; with a name, a ball around the integers that it may be."""
    rule = lambda q: INTEGERS[kind](fraction(q))
    if x.rational is not None:
        return exact(fmpq(rule(x.rational)))
    low, high = ends(x.ball)
    if low is None or high is None:
        return OPEN if name is None else of_ball(x.ball + arb(0, 1), name)
    a, b = rule(low), rule(high)
    # The rules do not fall, and an end that is a tie is only a bound of an irrational or unknown number.
    if a == b:
        return exact(fmpq(a))
    return OPEN if name is None else of_ball(arb(fmpq(a)).union(arb(fmpq(b))), name)


def rounded_to(name, x):
    """The nearest number of a format as a Num, or OPEN; UNDEFINED where it is an infinity."""
    if x.rational is None and abs(x.ball) > arb(2 * largest(name)):
        return UNDEFINED
    low, high = (x.rational, x.rational) if x.rational is not None else ends(x.ball)
    if low is None or high is None:
        return OPEN
    a, b = nearest_value(low, name), nearest_value(high, name)
    if a is None and b is None and (low > 0) == (high > 0):
        return UNDEFINED
    return exact(a) if a is not None and a == b else OPEN


# Exponents beyond which a bound is rounded to infinity or to this power of two.
MOST_BITS = 20_000


def ends(ball):
    """Rational bounds of a ball; None for an infinite one or one beyond all formats."""
    if not ball.is_finite():
        return None, None
    return end(ball.lower(), -1), end(ball.upper(), 1)


def end(x, direction):
    m, e = x.man_exp()
    if m == 0:
        return ZERO
    m, e = int(m), int(e)
    size = e + m.bit_length()
    if size > MOST_BITS:
        return None
    if size < -MOST_BITS:
        # Outward: to zero, or to a tiny number.
        tiny = fmpq(1, 2**MOST_BITS)
        return (tiny if direction > 0 else ZERO) if m > 0 else (-tiny if direction < 0 else ZERO)
    return fmpq(m) * fmpq(2) ** e


def of_ball(ball, name):
    """A value known by a ball; an exact one of sensible length becomes rational."""
    if not ball.is_finite():
        return OPEN
    if ball.is_exact():
        low = end(ball, 0)
        if low is not None and -MOST_BITS < int(ball.man_exp()[1]) and ball.man_exp()[0] != 0:
            return exact(low)
        if ball.is_zero():
            return NOTHING
    return Num(ball=ball, name=name)


def unary(op, x, name):
    """A function of one operand."""
    if op in DOMAINS:
        inside = of_interval(x, *DOMAINS[op])
        if inside is not True:
            return UNDEFINED if inside is False else OPEN
    if op == "neg":
        return Num(-x.a, -x.b) if x.a is not None else of_ball(-x.ball, name)
    if op == "fabs":
        s = sign(x)
        return OPEN if s is None and x.a is not None else x if s in (0, 1) else (
            unary("neg", x, name) if s == -1 else of_ball(abs(x.ball), name))
    if op in ("floor", "ceil", "trunc", "round", "nearbyint"):
        return rounded(op, x, name)
    if op in PARAMETERS:
        return rounded_to(op, x)
    if op in ("tgamma", "lgamma"):
        return gamma(op, x, name)
    if x.a is not None:
        known = known_value(op, x)
        if known is not None:
            return known
    if op == "sqrt" and not x.ball > 0:
        return OPEN
    if op == "cbrt" and not (x.ball > 0 or x.ball < 0):
        return OPEN
    return of_ball(BALLS[op](x.ball), name)


def known_value(op, x):
    """The value at an exact number, where it is one; None if not known to be."""
    q = x.rational
    if q is not None:
        if q == 0 and op in AT_ZERO:
            return exact(AT_ZERO[op])
        if op in ("sqrt", "cbrt"):
            r = root(q, 2 if op == "sqrt" else 3)
            return None if r is None else exact(r)
        if q == 1 and op in ("log", "log2", "log10", "acosh"):
            return NOTHING
        if op in ARCS and q in ARCS[op]:
            return Num(ZERO, ARCS[op][q])
        if op == "exp2" and q.q == 1 and abs(q) < MOST_BITS:
            return exact(fmpq(2) ** int(q.p))
        if op in ("log2", "log10"):
            return exact_logarithm(q, 2 if op == "log2" else 10)
        return None
    if x.a == 0 and op in ("sin", "cos", "tan"):
        turn = x.b * 6
        k = int(turn.p) % 12 if turn.q == 1 else None
        if op == "tan":
            if k is not None and k % 6 == 3:
                return UNDEFINED
            quarter = x.b * 4
            if quarter.q == 1:
                return exact({0: 0, 1: 1, 3: -1}[int(quarter.p) % 4])
            return None
        if k is not None:
            value = SINES.get((k + 3) % 12 if op == "cos" else k)
            return None if value is None else exact(value)
    return None


def exact_logarithm(q, base):
    """The logarithm of a power of the base."""
    p, d = int(q.p), int(q.q)
    whole, flip = (p, 1) if d == 1 else (d, -1)
    if p != 1 and d != 1:
        return None
    n = 0
    while whole % base == 0:
        whole //= base
        n += 1
    return exact(flip * n) if whole == 1 else None


def gamma(op, x, name):
    q = x.rational
    if q is not None and q.q == 1 and q <= 0:
        return UNDEFINED
    if q is None and not (x.ball > 0):
        near = x.ball.floor().unique_fmpz()
        if near is None or x.ball.contains(arb(near)):
            return OPEN
    if not abs(x.ball) < GAMMA_MOST:
        return OPEN
    if q is not None and q.q == 1:
        if op == "lgamma" and q <= 2:
            return NOTHING
        if op == "tgamma" and q <= 200:
            return exact(fmpq(fmpz.fac_ui(int(q.p) - 1)))
    return of_ball(BALLS[op](x.ball), name)


def binary(op, x, y, name):
    """A function of two operands."""
    if op in ("+", "-"):
        if x.a is not None and y.a is not None:
            return Num(x.a + y.a, x.b + y.b) if op == "+" else Num(x.a - y.a, x.b - y.b)
        if op == "-" and x.name == y.name:
            return NOTHING
        if y.rational == 0:
            return x
        if op == "+" and x.rational == 0:
            return y
        return of_ball(x.ball + y.ball if op == "+" else x.ball - y.ball, name)
    if op == "*":
        return product(x, y, name)
    if op == "/":
        return quotient(x, y, name)
    if op in ("fmin", "fmax", "fdim"):
        return choice(op, x, y, name)
    if op == "copysign":
        size, s = unary("fabs", x, name + ("size",)), sign(y)
        if size is OPEN or s is None:
            return OPEN
        return size if s >= 0 else unary("neg", size, name)
    if op == "hypot":
        if x.rational is not None and y.rational is not None:
            r = root(x.a * x.a + y.a * y.a, 2)
            if r is not None:
                return exact(r)
        square = x.ball * x.ball + y.ball * y.ball
        return of_ball(square.sqrt(), name) if square > 0 else OPEN
    if op == "atan2":
        return angle(x, y, name)
    if op in ("fmod", "remainder"):
        whole = quotient(x, y, name + ("quotient",))
        if whole is UNDEFINED or whole is OPEN:
            return whole
        n = rounded("trunc" if op == "fmod" else "nearbyint", whole)
        if n is OPEN:
            return OPEN
        taken = product(y, n, name + ("taken",))
        return binary("-", x, taken, name)
    if op == "pow":
        return power(x, y, name)
    raise ValueError(f"{op} is unknown")


def product(x, y, name):
    for a, b in ((x, y), (y, x)):
        if a.rational is not None:
            if a.a == 0:
                return NOTHING
            if a.a == 1:
                return b
            if b.a is not None:
                return Num(a.a * b.a, a.a * b.b)
    return of_ball(x.ball * y.ball, name)


def quotient(x, y, name):
    s = sign(y)
    if s == 0:
        return UNDEFINED
    if s is None:
        return OPEN
    if x.name == y.name:
        return exact(1)
    if y.rational is not None:
        return product(x, exact(1 / y.a), name)
    if x.rational == 0:
        return NOTHING
    if x.a is not None and y.a is not None and x.a == 0 and y.a == 0:
        return exact(x.b / y.b)
    return of_ball(x.ball / y.ball, name)


def choice(op, x, y, name):
    c = compare(x, y)
    if op == "fdim":
        return OPEN if c is None else NOTHING if c <= 0 else binary("-", x, y, name)
    if c is not None:
        return x if (c <= 0) == (op == "fmin") else y
    return of_ball(arb.min(x.ball, y.ball) if op == "fmin" else arb.max(x.ball, y.ball), name)


def angle(y, x, name):
    sy, sx = sign(y), sign(x)
    if sy == 0:
        return OPEN if sx is None else UNDEFINED if sx == 0 else Num(ZERO, ZERO if sx > 0 else ONE)
    if sx == 0 and sy is not None:
        return Num(ZERO, HALF * sy)
    return of_ball(arb.atan2(y.ball, x.ball), name)


def power(x, y, name):
    p, q = x.rational, y.rational
    sx, sy = sign(x), sign(y)
    if sy == 0:
        return exact(1)
    if p == 1:
        return exact(1)
    if sx is None or sy is None:
        whole = q is not None and q.q == 1 and q > 0
        return of_ball(x.ball ** arb(q), name) if whole else OPEN
    if sx == 0:
        return UNDEFINED if sy < 0 else NOTHING
    if sx < 0 and q is None:
        return OPEN if y.ball.floor().unique_fmpz() is None or y.ball.contains_integer() else UNDEFINED
    if sx < 0 and q.q != 1:
        return UNDEFINED
    if q == 1:
        return x
    if p is not None and q is not None and q.q <= 64:
        bits = max(int(p.p).bit_length(), int(p.q).bit_length())
        if bits * abs(int(q.p)) < MOST_BITS:
            r = root(p, int(q.q))
            if r is not None:
                return exact(r ** int(q.p))
    return of_ball(x.ball**y.ball, name)


CONSTANT_BALLS = {
    "E": lambda: arb(1).exp(), "LOG2E": lambda: 1 / arb(2).log(), "LOG10E": lambda: 1 / arb(10).log(),
    "LN2": lambda: arb(2).log(), "LN10": lambda: arb(10).log(), "M_1_PI": lambda: 1 / arb.pi(),
    "M_2_PI": lambda: 2 / arb.pi(), "M_2_SQRTPI": lambda: 2 / arb.pi().sqrt(), "SQRT2": lambda: arb(2).sqrt(),
    "SQRT1_2": lambda: arb(HALF).sqrt(),
}
PIS = {"PI": ONE, "PI_2": HALF, "PI_4": fmpq(1, 4)}
COMMUTATIVE = {"+", "*", "hypot", "fmin", "fmax"}
