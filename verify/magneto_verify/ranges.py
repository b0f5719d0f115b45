"""What an expression can be on a box of inputs: intervals whose ends are binary64 numbers, rounded outward.

A range is (lo, hi, has): every value that the expression has on the box is between lo and hi; `has` is True if it has one
everywhere on the box, False if nowhere, None if that is not known. Of a condition it is (truth, truth, has). Sums, products,
quotients and roots are Python's, which are IEEE 754's, and go outward by one step unless they are seen to be exact;
functions are FLINT's at the ends.
"""

import math
from fractions import Fraction

from flint import arb, ctx, fmpq

from .balls import BALLS, CONSTANT_BALLS, DOMAINS, PIS
from .formats import INTEGERS, PARAMETERS, nearest_value, plain_float, rational
from .formats import largest as largest_number

INF = math.inf
NOWHERE = (-INF, INF, False)
ANYTHING = (-INF, INF)
# So many rounds of a loop are followed on a box.
MOST_ROUNDS = 100
# Bits at which FLINT computes functions here.
BITS = 80


def below(x):
    return math.nextafter(x, -INF)


def above(x):
    return math.nextafter(x, INF)


def beside(x, direction):
    """The next number to one side."""
    return below(x) if direction < 0 else above(x)


def sum_to(a, b, direction):
    """a + b, rounded to one side (Knuth's exact error of a sum)."""
    s = a + b
    if math.isinf(a) or math.isinf(b):
        return direction * INF if math.isnan(s) else s
    if math.isinf(s):
        return beside(s, direction)
    part = s - a
    error = (a - (s - part)) + (b - part)
    return s if error * direction <= 0 else beside(s, direction)


def halves_of(a):
    c = 134217729.0 * a
    high = c - (c - a)
    return high, a - high


def beyond_product(p, a, b):
    """a b - p for p, the nearest number to a b (Dekker's exact error of a product); NaN where it is not known."""
    if a == 0 or b == 0:
        return 0.0
    if not (1e-200 < abs(p) < 1e200 and abs(a) < 1e150 and abs(b) < 1e150):
        return math.nan
    (ah, al), (bh, bl) = halves_of(a), halves_of(b)
    return ((ah * bh - p) + ah * bl + al * bh) + al * bl


def is_product(p, a, b):
    """Whether p, the nearest number to a b, surely is that product."""
    return beyond_product(p, a, b) == 0


def product_to(a, b, direction):
    """a b, rounded to one side; 0 times infinity is 0, since an infinite end stands for large numbers."""
    if a == 0 or b == 0:
        return 0.0
    p = a * b
    if math.isinf(a) or math.isinf(b) or beyond_product(p, a, b) * direction <= 0:
        return p
    return beside(p, direction)


def add(x, y):
    return sum_to(x[0], y[0], -1), sum_to(x[1], y[1], 1)


def neg(x):
    return -x[1], -x[0]


def sub(x, y):
    return add(x, neg(y))


def mul(x, y):
    a, b, c, d = *x[:2], *y[:2]
    if a < 0 < b and c < 0 < d:
        return min(product_to(a, d, -1), product_to(b, c, -1)), max(product_to(a, c, 1), product_to(b, d, 1))
    if a >= 0:
        low, high = (a if c >= 0 else b, c), (b if d >= 0 else a, d)
    elif b <= 0:
        low, high = (b if d <= 0 else a, d), (a if c <= 0 else b, c)
    else:
        low, high = ((a, d), (b, d)) if c >= 0 else ((b, c), (a, c))
    return product_to(*low, -1), product_to(*high, 1)


SIMPLE = {"+": add, "-": sub, "*": mul}


def inverse(y):
    """1 / y for an interval without 0 inside; an end may be 0."""
    def to(v, direction):
        if v == 0 or math.isinf(v):
            return direction * INF if v == 0 else 0.0
        q = 1.0 / v
        if math.isfinite(q) and q * v == 1.0 and is_product(1.0, q, v):
            return q
        return beside(q, direction)

    return to(y[1], -1), to(y[0], 1)


def div(x, y):
    """x / y where y is not 0."""
    if y[0] < 0 < y[1] or (y[0] == 0 == y[1]):
        return ANYTHING
    if y[0] == y[1] and x[0] == x[1] and math.isfinite(x[0]):
        q = x[0] / y[0]
        exact = math.isfinite(q) and is_product(x[0], q, y[0]) and q * y[0] == x[0]
        return (q, q) if exact else (below(q), above(q))
    return mul(x, inverse(y))


def hull(x, y):
    return min(x[0], y[0]), max(x[1], y[1])


def largest(x):
    """The largest absolute value."""
    return max(abs(x[0]), abs(x[1]))


def least(x):
    """The smallest absolute value."""
    return 0.0 if x[0] <= 0 <= x[1] else min(abs(x[0]), abs(x[1]))


def size(x):
    return least(x), largest(x)


def square_root(x):
    def to(v, direction):
        r = math.sqrt(max(v, 0.0))
        return r if r * r == v and is_product(v, r, r) else max(0.0, below(r)) if direction < 0 else above(r)

    return to(x[0], -1), to(x[1], 1)


def of_fraction(q):
    """The narrowest interval around a rational number."""
    try:
        near = float(q)
    except OverflowError:
        return (below(INF), INF) if q > 0 else (-INF, above(-INF))
    there = Fraction(near)
    return (near, near) if there == q else (below(near), near) if there > q else (near, above(near))


def of_arb(low, high):
    """The interval from the lower end of one ball to the upper end of another."""
    def to(ball, direction):
        if not ball.is_finite():
            return direction * INF
        v = float(ball.lower() if direction < 0 else ball.upper())
        if ball.is_exact() and math.isfinite(v) and arb(v) == ball:
            return v
        return beside(v, direction)

    return to(low, -1), to(high, 1)


INCREASING = {"exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "asin", "atan", "sinh", "tanh", "asinh", "acosh", "atanh",
              "erf", "cbrt"}
DECREASING = {"acos", "erfc"}
# Of these the value at FAR is beyond all floats, that at -FAR next to a limit or beyond all floats.
GROWING, FAR = {"exp", "exp2", "expm1", "sinh", "cosh"}, 1e5
LIMITS = {"exp": (0.0, INF), "exp2": (0.0, INF), "expm1": (-1.0, INF), "tanh": (-1.0, 1.0), "erf": (-1.0, 1.0),
          "erfc": (0.0, 2.0), "acosh": (0.0, INF)}


def within_domain(op, x):
    """Where a function has a value on an interval, and the part of the interval on which it may have one."""
    if op not in DOMAINS:
        return True, x
    low, high, is_open = DOMAINS[op]
    high = INF if high is None else high
    if x[1] < low or x[0] > high or (is_open and (x[1] == low or x[0] == high)):
        return False, x
    inside = low < x[0] and x[1] < high if is_open else low <= x[0] and x[1] <= high
    return inside or None, (max(x[0], low), min(x[1], high))


def monotone(function, x, limits=ANYTHING):
    """An increasing function on an interval."""
    low = function(arb(x[0])) if math.isfinite(x[0]) else arb("nan")
    high = low if x[0] == x[1] else function(arb(x[1])) if math.isfinite(x[1]) else arb("nan")
    found = of_arb(low, high)
    return max(found[0], limits[0]), min(found[1], limits[1])


def turns(x, shift):
    """The integer parts of x/pi + shift at both ends; None if not settled."""
    if not (math.isfinite(x[0]) and math.isfinite(x[1])):
        return None
    found = [(arb(v) / arb.pi() + shift).floor().unique_fmpz() for v in x]
    return None if None in found else [int(n) for n in found]


def wave(op, x):
    """Sine or cosine: its extremes are where x/pi, shifted by a half for the sine, is an integer."""
    at = turns(x, arb(0) if op == "cos" else arb(fmpq(-1, 2)))
    if at is None or at[1] - at[0] > 1:
        return -1.0, 1.0
    function = arb.sin if op == "sin" else arb.cos
    ends = [of_arb(y, y) for y in (function(arb(v)) for v in x)]
    low, high = hull(*ends)
    if at[1] > at[0]:
        low, high = (low, 1.0) if at[1] % 2 == 0 else (-1.0, high)
    return max(low, -1.0), min(high, 1.0)


def whole(op, v):
    """A rounding function at a number."""
    if math.isinf(v) or abs(v) > 1e17:
        return v
    return float(INTEGERS[op](Fraction(v)))


def rounded_to(name, x):
    """The nearest numbers of a format: lo, hi, has."""
    most = plain_float(largest_number(name))
    # None beyond the largest number.
    found = [None if math.isinf(v) else nearest_value(rational(v), name) for v in x]
    if found == [None, None] and (x[0] > 0) == (x[1] > 0):
        return NOWHERE
    low, high = (end if y is None else plain_float(y) for y, end in zip(found, (-most, most)))
    return low, high, None if None in found else True


def power(x, y):
    """x^y with where it has a value."""
    n = y[0] if y[0] == y[1] and math.isfinite(y[0]) else None
    is_whole = n is not None and n == int(n)
    if n == 0:
        return 1.0, 1.0, True
    if x[0] > 0 or (x[0] == 0 and y[0] > 0):
        def corner(p, q, direction):
            if p == 0:
                return 0.0
            if math.isinf(p) or math.isinf(q):
                return None
            v = arb(p) ** (arb(q) if q == int(q) and abs(q) < 1e6 else arb(q))
            return of_arb(v, v)[0 if direction < 0 else 1]

        def end(direction):
            found = [corner(p, q, direction) for p in x for q in y]
            if None in found:
                return 0.0 if direction < 0 else INF
            return min(found) if direction < 0 else max(found)

        return max(0.0, end(-1)), end(1), True
    if not is_whole:
        return (*ANYTHING, False) if x[1] < 0 and n is not None else (*ANYTHING, None)
    low, high, _ = power(size(x) if n > 0 else (max(least(x), 5e-324), largest(x)), y)
    if n < 0 and x[0] <= 0 <= x[1]:
        return (0.0, INF, None) if n % 2 == 0 else (*ANYTHING, None)
    if n % 2 == 0:
        return low, high, True
    ends = [power((abs(v), abs(v)), y) for v in x]
    signed = [e[:2] if v >= 0 else neg(e[:2]) for e, v in zip(ends, x)]
    return (*hull(*signed), True)


def gamma(op, x):
    if x[0] <= 0 or not math.isfinite(x[1]) or x[1] > 1e5:
        return (*ANYTHING, True if x[0] > 0 else None)
    ball = arb(x[0]).union(arb(x[1]))
    value = ball.gamma() if op == "tgamma" else ball.lgamma()
    return (*of_arb(value, value), True)


def bessel(op, x, has):
    # A ball around what is defined, and no value of a library's beyond the known bounds.
    if has is not True or not all(map(math.isfinite, x)) or max(map(abs, x)) > 1e6:
        return (*ANYTHING, has)
    value = BALLS[op](arb(x[0]).union(arb(x[1])))
    return (*(of_arb(value, value) if value.is_finite() else ANYTHING), True)


def unary(op, x):
    """A function of one operand: lo, hi, has."""
    if op == "neg":
        return (*neg(x), True)
    if op == "fabs":
        return (*size(x), True)
    if op in ("floor", "ceil", "trunc", "round", "nearbyint"):
        return whole(op, x[0]), whole(op, x[1]), True
    if op in PARAMETERS:
        return rounded_to(op, x)
    has, x = within_domain(op, x)
    if has is False:
        return NOWHERE
    if op == "sqrt":
        return (*square_root(x), has)
    if op in GROWING:
        # FLINT has no ball for what is beyond all floats by far, but a bound at a nearer number is one.
        low, high = size(x) if op == "cosh" else x
        x = min(low, FAR), max(high, -FAR)
    if op in INCREASING:
        return (*monotone(BALLS[op], x, LIMITS.get(op, ANYTHING)), has)
    if op in DECREASING:
        found = monotone(BALLS[op], x[::-1], LIMITS.get(op, ANYTHING))
        return (*found, has)
    if op == "cosh":
        return (*monotone(arb.cosh, x, (1.0, INF)), has)
    if op in ("sin", "cos"):
        return (*wave(op, x), has)
    if op == "tan":
        at = turns(x, arb(fmpq(-1, 2)))
        return (*monotone(arb.tan, x), True) if at and at[0] == at[1] else (*ANYTHING, None)
    return gamma(op, x) if op in ("tgamma", "lgamma") else bessel(op, x, has)


def binary(op, x, y):
    """A function of two operands: lo, hi, has."""
    if op == "+":
        return (*add(x, y), True)
    if op == "-":
        return (*sub(x, y), True)
    if op == "*":
        return (*mul(x, y), True)
    if op in ("/", "fmod", "remainder"):
        if y[0] == y[1] == 0:
            return NOWHERE
        has = None if y[0] <= 0 <= y[1] else True
        quotient = div(x, y)
        if op == "/":
            return (*quotient, has)
        kind = "trunc" if op == "fmod" else "nearbyint"
        low, high = whole(kind, quotient[0]), whole(kind, quotient[1])
        reach = min(largest(y), largest(x) if op == "fmod" else INF)
        bound = (0.0 if op == "fmod" and x[0] >= 0 else -reach, 0.0 if op == "fmod" and x[1] <= 0 else reach)
        if low == high and math.isfinite(low):
            found = sub(x, mul(y, (low, low)))
            bound = max(bound[0], found[0]), min(bound[1], found[1])
        return (*bound, has)
    if op == "fmin":
        return min(x[0], y[0]), min(x[1], y[1]), True
    if op == "fmax":
        return max(x[0], y[0]), max(x[1], y[1]), True
    if op == "fdim":
        low, high = sub(x, y)
        return max(low, 0.0), max(high, 0.0), True
    if op == "copysign":
        low, high = size(x)
        return (low, high, True) if y[0] >= 0 else (-high, -low, True) if y[1] < 0 else (-high, high, True)
    if op == "hypot":
        squares = [mul(v, v) for v in (size(x), size(y))]
        return (*square_root(add(*squares)), True)
    if op == "atan2":
        if y[0] > 0:
            return (*monotone(arb.atan, div(x, y)), True)
        if x[0] > 0 or x[1] < 0:
            found = sub(of_arb(arb.pi() / 2, arb.pi() / 2), monotone(arb.atan, div(y, size(x))))
            return (*(found if x[0] > 0 else neg(found)), True)
        return (*of_arb(-arb.pi(), arb.pi()), None)
    return power(x, y)


class Ranges:
    """The ranges of a graph's nodes on one box, which is a list of (lo, hi); each node is looked at once."""

    # Of the ranges in a round: those around its loop, and the depth of the loop.
    outer, depth = None, None

    def __init__(self, graph, box):
        self.graph, self.box, self.ranges = graph, box, {}
        ctx.prec = BITS

    def in_round(self, depth, state):
        """The ranges of the nodes of a round of a loop at a depth; `state` has those of its variables."""
        inner = Ranges(self.graph, self.box)
        inner.outer, inner.depth = self, depth
        # Whoever gives numbers for a condition knows nothing of it.
        inner.ranges.update((v, x if x[0] is None or isinstance(x[0], bool) or not self.graph.is_truth(v) else (None, None, x[2]))
                            for v, x in state.items())
        return inner

    def of(self, node):
        found = self.ranges.get(node)
        if found is None:
            if self.outer and not self.graph.bound(node) >> self.depth & 1:
                return self.outer.of(node)
            found = self.ranges[node] = self.compute(self.graph.nodes[node])
        return found

    def interval(self, node):
        """The ends alone."""
        return self.of(node)[:2]

    def compute(self, parts):
        kind, rest = parts[0], parts[1:]
        if kind == "input":
            return (*self.box[rest[0]], True)
        if kind == "number":
            return (*of_fraction(Fraction(*rest)), True)
        if kind == "bool":
            return rest[0], rest[0], True
        if kind in ("unknown", "variable"):
            return (None, None, None) if rest[-1] is True else (-INF, INF, None)
        if kind == "loop":
            return self.loop(self.graph.nodes[rest[0]][1], [self.of(node) for node in rest[1:]])
        if kind == "constant":
            name = rest[0]
            ball = arb(PIS[name]) * arb.pi() if name in PIS else CONSTANT_BALLS[name]()
            return (*of_arb(ball, ball), True)
        if kind == "if":
            return self.choice(*rest)
        if kind in SIMPLE and rest[0] != rest[1]:
            # By far the most of what rounds of loops compute.
            x, y = map(self.of, rest)
            has = False if x[2] is False or y[2] is False else True if x[2] and y[2] else None
            return NOWHERE if has is False else (*SIMPLE[kind](x, y), has)
        args = [self.of(a) for a in rest]
        if any(a[2] is False for a in args):
            return NOWHERE
        has = True if all(a[2] for a in args) else None
        if kind in ("and", "or", "not"):
            truth = self.logic(kind, [a[0] for a in args])
            return truth, truth, has
        if kind in ("<", "<=", ">", ">=", "==", "!="):
            truth = kind in ("<=", ">=", "==") if rest[0] == rest[1] else compared(kind, *args)
            return truth, truth, has
        if kind in ("isfinite", "isinf", "isnan"):
            return kind == "isfinite", kind == "isfinite", has
        if kind in ("isnormal", "signbit"):
            truth = compared("!=" if kind == "isnormal" else "<", args[0], (0.0, 0.0, True))
            return truth, truth, has
        low, high, own = self.apply(kind, rest, [a[:2] for a in args])
        return low, high, False if own is False else has and own

    def loop(self, own, state):
        """What a loop returns: the hull of what it returns after each round that may be the last."""
        found, everywhere, is_truth = None, True, self.graph.is_truth(own.body)
        for _ in range(MOST_ROUNDS):
            inner = self.in_round(own.depth, dict(zip(own.variables, state)))
            goes_on, _, has = inner.of(own.condition)
            if has is False:
                break
            everywhere = everywhere and has
            if goes_on is not True:
                low, high, own_has = inner.of(own.body)
                everywhere = everywhere and own_has
                if own_has is not False:
                    own_ends = (low, high)
                    is_apart = is_truth and found and found != own_ends
                    found = (None, None) if is_apart else hull(found, own_ends) if found and not is_truth else own_ends
            if goes_on is False:
                return (*found, everywhere or None) if found else NOWHERE
            state = [inner.of(update) for update in own.updates]
        else:
            return (None, None, None) if is_truth else (-INF, INF, None)
        return (*found, None) if found else NOWHERE

    def apply(self, op, nodes, args):
        if op == "fma":
            return (*add(mul(args[0], args[1]), args[2]), True)
        if len(args) == 1:
            return unary(op, args[0])
        if nodes[0] == nodes[1]:
            if op == "*":
                low, high = size(args[0])
                return product_to(low, low, -1), product_to(high, high, 1), True
            if op == "-":
                return 0.0, 0.0, True
            if op == "/" and args[0] != (0.0, 0.0):
                return 1.0, 1.0, args[0][0] > 0 or args[0][1] < 0 or None
        return binary(op, *args)

    def choice(self, condition, yes, no):
        truth, _, has = self.of(condition)
        if has is False:
            return NOWHERE
        if truth is not None:
            low, high, own = self.of(yes if truth else no)
            return low, high, False if own is False else has and own
        a, b = self.of(yes), self.of(no)
        if a[2] is False or b[2] is False:
            one = b if a[2] is False else a
            return NOWHERE if a[2] is b[2] else (one[0], one[1], None)
        known = has and a[2] and b[2]
        if isinstance(a[0], bool) or a[0] is None:
            truth = a[0] if a[0] == b[0] else None
            return truth, truth, known
        return (*hull(a, b), known)

    @staticmethod
    def logic(kind, truths):
        if kind == "not":
            return None if truths[0] is None else not truths[0]
        decisive = kind == "or"
        return decisive if decisive in truths else None if None in truths else not decisive


def compared(relation, x, y):
    """Whether a comparison holds everywhere, nowhere, or that is not known."""
    if relation in (">", ">="):
        return compared("<" if relation == ">" else "<=", y, x)
    if relation == "<":
        return True if x[1] < y[0] else False if x[0] >= y[1] else None
    if relation == "<=":
        return True if x[1] <= y[0] else False if x[0] > y[1] else None
    apart = x[1] < y[0] or y[1] < x[0]
    equal = x[0] == x[1] == y[0] == y[1]
    known = apart or equal
    return None if not known else equal == (relation == "==")
