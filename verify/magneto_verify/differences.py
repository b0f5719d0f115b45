"""How far two expressions of nearly the same shape are apart on a box.

`delta(u, v)` encloses v - u and `ratio(u, v)` a number r with v = u (1 + r), at each point of the box at which both have a
value. They follow the two expressions down as long as these have the same operations: what both have in common cancels.
"""

from fractions import Fraction

from flint import arb

from .fpcore import LEAVES
from .ranges import (ANYTHING, INF, Ranges, add, div, hull, inverse, largest, monotone, mul, neg, of_fraction, size,
                     square_root, sub, unary)

ZERO, ONE = (0.0, 0.0), (1.0, 1.0)


def meet(x, y):
    """What two enclosures of one number have in common."""
    low, high = max(x[0], y[0]), min(x[1], y[1])
    return (low, high) if low <= high else x


def times_more(x, y):
    """r with (1 + x)(1 + y) = 1 + r."""
    return add(add(x, y), mul(x, y))


def times_less(x, y):
    """r with (1 + x) / (1 + y) = 1 + r."""
    below = add(ONE, y)
    return ANYTHING if below[0] <= 0 else div(sub(x, y), below)


class Differences(Ranges):
    """Differences of a graph's nodes on one box; `forms` are the normal forms that hold there."""

    def __init__(self, graph, box, forms):
        super().__init__(graph, box)
        self.forms, self.deltas, self.ratios, self.needed = forms, {}, {}, {}

    def same_or_choice(self, u, v, ask, same):
        """What holds of the same nodes, or of the branches that are taken; None if neither helps."""
        if self.equal(u, v):
            return same
        a, b = self.graph.nodes[u], self.graph.nodes[v]
        for node, parts in ((u, a), (v, b)):
            if parts[0] == "loop":
                parts = self.graph.nodes[self.graph.first_round(node)]
            if parts[0] == "if":
                truth = self.of(parts[1])[0]
                if truth is not None:
                    taken = parts[2] if truth else parts[3]
                    return ask(taken, v) if node == u else ask(u, taken)
            if parts[0] in ("fmin", "fmax", "fdim") and a[0] != b[0]:
                taken = self.side(parts)
                if taken is not None:
                    return ask(taken, v) if node == u else ask(u, taken)
        if a[0] == b[0] == "if" and self.equal_conditions(a[1], b[1]):
            return hull(ask(a[2], b[2]), ask(a[3], b[3]))
        return None

    def equal(self, u, v):
        """Whether two nodes are the same wherever both have a value."""
        return u == v or self.forms.equal(u, v)

    def equal_conditions(self, c, d):
        """Whether two conditions are."""
        return c == d or self.forms.equal_conditions(c, d)

    def side(self, parts):
        """The operand that a minimum or maximum is on the whole box."""
        x, y = self.interval(parts[1]), self.interval(parts[2])
        if parts[0] == "fdim":
            return None
        if x[1] <= y[0]:
            return parts[1] if parts[0] == "fmin" else parts[2]
        if y[1] <= x[0]:
            return parts[2] if parts[0] == "fmin" else parts[1]
        return None

    def delta(self, u, v):
        key = (u, v)
        if key not in self.deltas:
            # What a part of the pair asks about the pair itself is answered by the ranges.
            self.deltas[key] = sub(self.interval(v), self.interval(u))
            self.deltas[key] = self.compute_delta(u, v)
        return self.deltas[key]

    def ratio(self, u, v):
        key = (u, v)
        if key not in self.ratios:
            self.ratios[key] = ANYTHING
            self.ratios[key] = self.compute_ratio(u, v)
        return self.ratios[key]

    def compute_delta(self, u, v):
        known = self.same_or_choice(u, v, self.delta, ZERO)
        if known is not None:
            return known
        found = self.deltas[u, v]
        a, b = self.graph.nodes[u], self.graph.nodes[v]
        if a[0] == b[0] == "number":
            return found if a[1:] == b[1:] else exact_difference(a[1:], b[1:])
        if a[0] == b[0] and len(a) == len(b) and a[0] not in (*LEAVES, "if", "loop"):
            by_parts = self.delta_of(a[0], a[1:], b[1:])
            if by_parts is not None:
                found = meet(by_parts, found)
        elif {a[0], b[0]} == {"+", "-"} and len(a) == len(b):
            # One of a + b and a' - b': the second operands do not cancel.
            twice = add(self.interval(a[2]), self.interval(b[2]))
            found = meet(add(self.delta(a[1], b[1]), twice if b[0] == "+" else neg(twice)), found)
        for low, high, sign in ((a, v, -1), (b, u, 1)):
            # v = u + p and the like.
            extra = self.added(low, high)
            if extra is not None:
                found = meet(extra if sign > 0 else neg(extra), found)
        # The ratio asks for the difference.
        self.deltas[u, v] = found
        ratio = self.ratio(u, v)
        return meet(mul(self.interval(u), ratio), found) if ratio != ANYTHING else found

    def added(self, parts, base):
        """p where `parts` is base + p."""
        if parts[0] == "+":
            others = [y for x, y in (parts[1:], parts[:0:-1]) if self.equal(x, base)]
            return self.interval(others[0]) if others else None
        return neg(self.interval(parts[2])) if parts[0] == "-" and self.equal(parts[1], base) else None

    def delta_of(self, op, p, q):
        """v - u for u = op(p), v = op(q)."""
        d = [self.delta(x, y) for x, y in zip(p, q)] if op != "copysign" else []
        at = self.interval
        if op == "+":
            return add(*d)
        if op == "-":
            return sub(*d)
        if op == "neg":
            return neg(d[0])
        if op in ("*", "fma"):
            product = add(mul(at(p[0]), d[1]), mul(d[0], at(q[1])))
            return add(product, d[2]) if op == "fma" else product
        if op == "/":
            x, y = at(p[1]), at(q[1])
            if x[0] <= 0 <= x[1] or y[0] <= 0 <= y[1]:
                return None
            return div(sub(d[0], mul(div(at(p[0]), x), d[1])), y)
        if op in ("fmin", "fmax"):
            return hull(*d)
        if op == "fabs":
            reach = largest(d[0])
            x, y = at(p[0]), at(q[0])
            return d[0] if x[0] >= 0 and y[0] >= 0 else neg(d[0]) if x[1] <= 0 and y[1] <= 0 else (-reach, reach)
        if op == "fdim":
            return hull(ZERO, sub(*d))
        if len(p) == 1:
            return self.mean_value(op, p[0], q[0], d[0])
        return None

    def mean_value(self, op, x, y, d):
        """f(y) - f(x), by a bound of the derivative between the two, or by what is special of f."""
        whole = hull(self.interval(x), self.interval(y))
        if op == "exp":
            return mul(unary("exp", self.interval(x))[:2], unary("expm1", d)[:2])
        if op == "sqrt":
            total = add(square_root(self.positive(x)), square_root(self.positive(y)))
            return div(d, total) if total[0] > 0 else None
        if op == "log":
            r = self.ratio(x, y)
            return unary("log1p", r)[:2] if r[0] > -1 else None
        slope = derivative(op, whole)
        return None if slope is None else mul(slope, d)

    def positive(self, node):
        low, high = self.interval(node)
        return max(low, 0.0), max(high, 0.0)

    def compute_ratio(self, u, v):
        known = self.same_or_choice(u, v, self.ratio, ZERO)
        if known is not None:
            return known
        a, b = self.graph.nodes[u], self.graph.nodes[v]
        found = ANYTHING
        if a[0] == b[0] and len(a) == len(b) and a[0] not in (*LEAVES, "loop"):
            by_parts = self.ratio_of(a[0], a[1:], b[1:], u)
            if by_parts is not None:
                found = by_parts
        for parts, base, is_more in ((b, u, True), (a, v, False)):
            factor = self.factor(parts, base)
            if factor is not None:
                found = meet(sub(factor, ONE) if is_more else times_less(ZERO, sub(factor, ONE)), found)
        inner = [parts[1] if parts[0] in NEAR_IDENTITY else node for parts, node in ((a, u), (b, v))]
        if inner != [u, v] and self.equal(*inner):
            near = [near_identity(p[0], self.interval(i)) if i != n else ZERO for p, i, n in zip((a, b), inner, (u, v))]
            found = meet(times_less(near[1], near[0]), found)
        x = self.interval(u)
        if x[0] > 0 or x[1] < 0:
            found = meet(div(self.delta(u, v), x), found)
        return found

    def factor(self, parts, base):
        """p where `parts` is base p."""
        if parts[0] == "*":
            others = [y for x, y in (parts[1:], parts[:0:-1]) if self.equal(x, base)]
            return self.interval(others[0]) if others else None
        if parts[0] == "/" and self.equal(parts[1], base):
            y = self.interval(parts[2])
            return None if y[0] <= 0 <= y[1] else inverse(y)
        return None

    def ratio_of(self, op, p, q, u):
        """r with op(q) = op(p) (1 + r)."""
        if op == "number":
            if p[0] == 0:
                return None
            d = exact_difference((p[0], p[1]), (q[0], q[1]))
            return div(d, self.interval(u))
        if op in ("neg", "fabs"):
            r = self.ratio(p[0], q[0])
            return r if op == "neg" or r[0] >= -1 else None
        if op == "*":
            return times_more(self.ratio(p[0], q[0]), self.ratio(p[1], q[1]))
        if op == "/":
            return times_less(self.ratio(p[0], q[0]), self.ratio(p[1], q[1]))
        if op in ("+", "-"):
            x, y = self.interval(p[0]), self.interval(p[1])
            y = neg(y) if op == "-" else y
            if (x[0] >= 0 and y[0] >= 0) or (x[1] <= 0 and y[1] <= 0):
                return hull(self.ratio(p[0], q[0]), self.ratio(p[1], q[1]))
            return None
        if op == "sqrt":
            r = self.ratio(p[0], q[0])
            return None if r[0] < -1 else div(r, add(ONE, square_root(add(ONE, r))))
        if op == "exp":
            return unary("expm1", self.delta(p[0], q[0]))[:2]
        if op in THROUGH_ZERO:
            return through_zero(op, self.interval(p[0]), self.interval(q[0]), self.ratio(p[0], q[0]))
        if op == "pow":
            # (1 + r)^n x^(n - m) = exp(n log1p(r) + (n - m) log x) for x^m and (x (1 + r))^n.
            r, d = self.ratio(p[0], q[0]), self.delta(p[1], q[1])
            x, n = self.interval(p[0]), self.interval(q[1])
            is_whole = n[0] == n[1] and n[0].is_integer()
            if r[0] <= -1 or (x[0] <= 0 and d != ZERO) or not (x[0] >= 0 or is_whole):
                return None
            more = ZERO if d == ZERO else mul(d, unary("log", x)[:2])
            return unary("expm1", add(mul(n, unary("log1p", r)[:2]), more))[:2]
        if op in ("fmin", "fmax"):
            x, y = self.interval(p[0]), self.interval(p[1])
            if (x[0] >= 0 and y[0] >= 0) or (x[1] <= 0 and y[1] <= 0):
                r = hull(self.ratio(p[0], q[0]), self.ratio(p[1], q[1]))
                return r if r[0] >= -1 else None
        return None


# Functions f with f(0) = 0 and a positive derivative, at least where that is known; and those of them that bend towards the
# axis on both sides, or on the positive or the negative one.
THROUGH_ZERO = {"sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "expm1", "log1p", "erf"}
FLATTENING, FLATTENING_ABOVE, FLATTENING_BELOW = {"atan", "tanh", "asinh", "erf"}, {"log1p"}, {"expm1"}


def through_zero(op, x, y, r):
    """s with f(y) = f(x) (1 + s), for y = x (1 + r): r itself or less where f bends towards the axis, else r f'(a) / f'(b) for
    some a between x and y and b between 0 and x."""
    if op in FLATTENING or op in FLATTENING_ABOVE and x[0] >= 0 or op in FLATTENING_BELOW and x[1] <= 0:
        return hull(ZERO, r) if r[0] >= -1 else None
    if op == "sin" and largest(hull(x, y)) > 1.5:
        return None
    above, below = derivative(op, hull(x, y)), derivative(op, hull(ZERO, x))
    if above is None or below is None or below[0] <= 0:
        return None
    return mul(r, div(above, below))


# For |x| <= 1/2, f(x) = x (1 + c x^2) with c between these two, from the functions' series.
NEAR_IDENTITY = {"sin": (-0.167, 0.0), "tan": (0.0, 0.4), "asin": (0.0, 0.2), "atan": (-0.334, 0.0), "sinh": (0.0, 0.2),
                 "tanh": (-0.334, 0.0), "asinh": (-0.167, 0.0), "atanh": (0.0, 0.4)}


def near_identity(op, x):
    """r with f(x) = x (1 + r)."""
    reach = largest(x)
    return mul(NEAR_IDENTITY[op], mul((0.0, reach), (0.0, reach))) if reach <= 0.5 else ANYTHING


def exact_difference(a, b):
    """The second of two rational numbers less the first, as an interval."""
    return of_fraction(Fraction(*b) - Fraction(*a))


def derivative(op, x):
    """The range of a function's derivative on an interval on which it has a value; None where that is not known."""
    if op in ("sin", "cos"):
        return unary("cos", x)[:2] if op == "sin" else neg(unary("sin", x)[:2])
    if op == "sinh":
        return unary("cosh", x)[:2]
    if op == "cosh":
        return unary("sinh", x)[:2]
    if op in ("exp2", "expm1"):
        e = unary("exp" if op == "expm1" else "exp2", x)[:2]
        return e if op == "expm1" else mul(e, unary("log", (2.0, 2.0))[:2])
    square = mul(size(x), size(x))
    if op == "atan":
        return inverse(add(ONE, square))
    if op == "tanh":
        t = size(unary("tanh", x)[:2])
        return sub(ONE, mul(t, t))
    if op == "asinh":
        return inverse(square_root(add(ONE, square)))
    if op in ("log1p", "log2", "log10"):
        base = x if op != "log1p" else add(ONE, x)
        if base[0] <= 0:
            return None
        scale = ONE if op == "log1p" else unary("log", (2.0, 2.0) if op == "log2" else (10.0, 10.0))[:2]
        return inverse(mul(base, scale))
    if op in ("asin", "acos"):
        root = square_root(sub(ONE, square))
        if root[0] <= 0:
            return None
        return inverse(root) if op == "asin" else neg(inverse(root))
    if op == "tan":
        t = unary("tan", x)
        return add(ONE, mul(size(t[:2]), size(t[:2]))) if t[2] else None
    if op in ("erf", "erfc"):
        e = monotone(lambda v: (-v).exp() * 2 / arb.pi().sqrt(), square[::-1], (0.0, INF))
        return e if op == "erf" else neg(e)
    return None
