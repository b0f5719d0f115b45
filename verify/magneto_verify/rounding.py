"""Bounds on the rounding errors of a program over floats, on boxes of inputs.

Each value that the program computes differs from the real number that it stands for, E, by at most r |E| + t. Both numbers
are carried from operation to operation, by what the operation makes of the errors of its operands and by its own rounding:
half a unit in the last place for what is correctly rounded, so many units for a library function. A rounding is a part of
the value, in r, or the unit of the largest value, in t. Which of the two is less in the end depends on what is done with it.
"""

import math
from fractions import Fraction
from itertools import product

from flint import arb

from .balls import Num
from .boxes import Found, search
from .covers import float_below, relative_below, tolerance_below, unit
from .differences import THROUGH_ZERO, derivative, through_zero
from .evaluator import Evaluator
from .formats import PARAMETERS, fraction, plain_float, rational
from .fpcore import COMPARISONS
from .orders import told_of
from .ranges import INF, Ranges, add, compared, largest, least, of_arb, of_fraction, power, size, square_root, sum_to, unary, within_domain

# More than the errors of a few operations on positive numbers, and what these may lose where they underflow.
UP, TINY = 1 + 2.0**-50, 1e-323
CORRECT = {"+", "-", "*", "/", "sqrt", "fma", "fdim"}
WITHOUT_ERROR = {"neg", "fabs", "fmin", "fmax", "copysign"}


class TooWide(Exception):
    """A box on which the errors are not bounded: it has to be cut."""


class Errors:
    """The errors of a program's steps on one box. With `in_units` roundings are taken in both ways, and of the bounds of a step two are kept."""

    def __init__(self, program, at, ulps, in_units=False):
        self.program, self.at, self.ulps, self.known, self.in_units = program, at, float(ulps), {}, in_units
        self.graph = at.graph

    def of(self, s):
        """(node, bounds) of a step: the real expression that it stands for, and for each bound of its error r and t."""
        if s not in self.known:
            node, bounds = self.compute(*self.program.steps[s])
            value = self.program.constant(s)
            if isinstance(value, Fraction):
                # Without inputs it is one float, whatever its steps are off by.
                bounds = self.between(value, node)
            self.known[s] = node, self.best(node, [b for b in bounds if all(map(math.isfinite, b))])
        return self.known[s]

    def between(self, value, node):
        """The bound of the error of one float that stands for a node without inputs."""
        exact = Evaluator(self.graph, (), 200).value(node)
        if not isinstance(exact, Num) or exact.rational is None and exact.ball.contains(0):
            return []
        if exact.rational == rational(value):
            return [(0.0, 0.0)]
        error = abs(exact.ball - arb(rational(value)))
        return [(0.0, of_arb(error, error)[1])] if exact.rational == 0 else [(of_arb(part := error / abs(exact.ball), part)[1], 0.0)]

    def best(self, node, bounds):
        """The bound that is the smallest part of the value, and the one that is the smallest number."""
        if len(bounds) < 2:
            if not bounds:
                raise TooWide
            return bounds
        low, high = size(self.at.interval(node))
        number = lambda b: b[0] * high + b[1]
        part = lambda b: b[0] + (b[1] / low * UP if low else INF if b[1] else 0.0)
        r, t = min(bounds, key=lambda b: (part(b), number(b)))
        return list({(part((r, t)) * UP, 0.0) if t and math.isfinite(part((r, t))) else (r, t), min(bounds, key=number)})

    def reach(self, s):
        """How far what is computed is from the real number at most."""
        node, bounds = self.of(s)
        high = largest(self.at.interval(node))
        return min(r * high + t for r, t in bounds) * UP

    def computed(self, s):
        """The range of what is computed; it stays among the finite numbers of its format."""
        node, bounds = self.of(s)
        low, high, has = self.at.of(node)
        if not has:
            raise TooWide
        reach = lambda end: min(r * abs(end) + t if r <= 1 else self.reach(s) for r, t in bounds) * UP
        low, high = sum_to(low, -reach(low), -1), sum_to(high, reach(high), 1)
        if largest((low, high)) > float_below(Fraction(2) ** PARAMETERS[self.program.steps[s][1]][1] * Fraction(3, 2)):
            raise TooWide
        return low, high

    def compute(self, kind, format, *rest):
        if kind == "input":
            return self.graph.node("input", rest[0]), [(0.0, 0.0)]
        if kind in ("number", "constant"):
            return self.graph.node(kind, *([rest[0].numerator, rest[0].denominator] if kind == "number" else rest)), []
        if kind == "if":
            truth = self.decided(rest[0])
            return self.either(*rest) if truth is None else self.of(rest[1] if truth else rest[2])
        if kind == "convert":
            node, bounds = self.of(rest[0])
            self.computed(rest[0])
            return node, [after for r, t in bounds for after in self.rounded(node, r, t, format, 0.5)]
        if kind in ("fmod", "remainder", "floor", "ceil", "trunc", "round", "nearbyint"):
            raise TooWide
        nodes, bounds = zip(*map(self.of, rest))
        node, ranges, found = self.graph.node(kind, *nodes), [self.computed(s) for s in rest], []
        ulps = 0.5 if kind in CORRECT else self.ulps
        for each in product(*bounds):
            try:
                r, t = self.carried(kind, node, [(x, *bound) for x, bound in zip(nodes, each)], ranges)
            except TooWide:
                continue
            is_exact = kind in WITHOUT_ERROR or self.is_scaled(kind, rest) and self.is_normal(node, r, t, format)
            found += [(r, t)] if is_exact else self.rounded(node, r, t, format, ulps, kind in ("+", "-"))
        return node, found

    def is_scaled(self, kind, operands):
        """Whether a step takes a power of two times or by a number."""
        factors = {"*": operands, "/": operands[1:]}.get(kind, ())
        return any(isinstance(v, Fraction) and math.frexp(v)[0] in (0.5, -0.5) for v in map(self.program.constant, factors))

    def is_normal(self, node, r, t, format):
        """Whether what has such errors is a normal number of a format."""
        return least(self.at.interval(node)) * (1 - r) - t > math.ldexp(1.0, 2 - PARAMETERS[format][1])

    def unit(self, format):
        return math.ldexp(1.0, -PARAMETERS[format][0])

    def result(self):
        """(node, bounds) of the result."""
        self.computed(self.program.result)
        return self.of(self.program.result)

    def rounded(self, node, r, t, format, ulps, is_sum=False):
        """The bounds with the rounding of a result: `ulps` units in the last place, which are 2 ulps unit |v| at most for a normal v."""
        p, emax = PARAMETERS[format]
        if not math.isfinite(r) or not math.isfinite(t):
            return []
        u = 2 * ulps * self.unit(format)
        # Among subnormal numbers a unit is a fixed number; sums of two are exact there.
        tiny = 0.0 if is_sum or self.is_normal(node, r, t, format) else ulps * math.ldexp(1.0, 2 - emax - p) + TINY
        found = [((r + u * (1 + r)) * UP, (t * (1 + u) + tiny) * UP + TINY if t or tiny else 0.0)]
        if self.in_units:
            # The distance of neighbours at the largest value.
            high = min(largest(self.at.interval(node)), 2.0**1023)
            more = ulps * unit(high * (1 + r) * UP + t if r or t else high, format)
            # Half of the least number is none.
            found.append((r, (t + more) * UP + TINY if r or t or more < 1e-300 else more))
        return found

    def either(self, condition, yes, no):
        """An `if` whose condition the box does not decide. A program that takes another branch than the real function does so
        where what it compares differs by no more than its errors; there the branches must be near each other."""
        (x, of_x), (y, of_y) = self.of(yes), self.of(no)
        for branch in (yes, no):
            self.computed(branch)
        apart, found = self.apart(condition, yes, no), []
        for (r, t), (s, v) in product(of_x, of_y):
            # A value with an error of s |y| + v is off by s |x| + v + (1 + s) |x - y| at most.
            part = max(r, s)
            found.append((part, (max(t, v) + (1 + part) * apart * UP) * UP))
        return self.graph.node("if", self.real(condition), x, y), found

    def real(self, s):
        """The condition over the reals that a step stands for."""
        kind, _, *rest = self.program.steps[s]
        if kind == "bool":
            return self.graph.node("bool", rest[0])
        part = self.real if kind in ("and", "or", "not") else lambda a: self.of(a)[0]
        return self.graph.node(kind, *map(part, rest))

    def apart(self, s, yes, no):
        """How far the real expressions of two steps are apart at most where a condition may hold in the program alone, or in
        the real function alone."""
        kind, _, *rest = self.program.steps[s]
        if self.decided(s) is not None:
            return 0.0
        if kind in ("and", "or", "not"):
            return max(self.apart(a, yes, no) for a in rest)
        if kind not in COMPARISONS:
            return INF
        for operand in rest:
            # What overflows is off by more than its error.
            self.computed(operand)
        a, b = (self.of(operand)[0] for operand in rest)
        errors = sum(map(self.reach, rest)) * UP
        if errors == 0:
            return 0.0
        near = self.where_near(a, b, errors)
        x, y = (self.taken(step, near) for step in (yes, no))
        factor = self.at.forms.multiple(self.graph.node("-", x, y), self.graph.node("-", a, b))
        return INF if factor is None else largest(of_fraction(fraction(factor))) * errors * UP

    def where_near(self, a, b, distance):
        """The ranges on the part of the box where two real expressions are no further apart."""
        near = Ranges(self.graph, self.at.box)
        x, y = near.of(a), near.of(b)
        around = lambda r: add(r[:2], (-distance, distance))
        for node, own, other in ((a, x, around(y)), (b, y, around(x))):
            low, high = max(own[0], other[0]), min(own[1], other[1])
            if low <= high:
                near.ranges[node] = (low, high, own[2])
        return near

    def taken(self, s, ranges):
        """The real expression of a step, with the branches that the ranges decide."""
        kind, _, *rest = self.program.steps[s]
        while kind == "if" and (truth := ranges.of(self.real(rest[0]))[0]) is not None:
            s = rest[1] if truth else rest[2]
            kind, _, *rest = self.program.steps[s]
        return self.of(s)[0]

    def decided(self, s):
        """The truth of a condition for all that is computed on the box; None where that is open."""
        try:
            return self.truth(s)
        except TooWide:
            return None

    def truth(self, s):
        """Whether a condition holds for all that is computed on the box."""
        kind, _, *rest = self.program.steps[s]
        if kind == "bool":
            return rest[0]
        if kind == "not":
            return not self.truth(rest[0])
        if kind in ("and", "or"):
            return all([self.truth(a) for a in rest]) if kind == "and" else any([self.truth(a) for a in rest])
        if kind not in COMPARISONS:
            raise TooWide
        found = compared(kind, *(self.computed(a) for a in rest))
        if found is None:
            raise TooWide
        return found

    def carried(self, kind, node, args, ranges):
        """(r, t) of an exact operation on operands with errors; `ranges` are those of the computed operands."""
        at = self.at.interval
        (x, r, t), *more = args
        if kind in ("neg", "fabs"):
            return r, t
        if kind == "sqrt":
            return self.root(at(x), r, t, ranges[0])
        if kind in ("fmin", "fmax", "fdim") or kind == "copysign":
            return self.of_choice(kind, args, ranges)
        if kind in ("+", "-"):
            return self.of_sum(node, args, kind)
        if kind in ("*", "fma"):
            y, s, v = more[0]
            a, b = largest(at(x)), largest(at(y))
            product = (r + s + r * s) * UP, (a * (1 + r) * v + b * (1 + s) * t + t * v) * UP + TINY if t or v else 0.0
            if kind == "*":
                return product
            whole = self.graph.node("*", x, y)
            return self.of_sum(node, [(whole, *product), more[1]], "+")
        if kind == "/":
            y, s, v = more[0]
            if ranges[1][0] <= 0 <= ranges[1][1]:
                raise TooWide
            # 1 / (y (1 + e)) = 1/y (1 + e'), with all of the divisor's error as a part of it.
            part = s + (v / least(at(y)) * UP if v else 0.0)
            if part >= 0.5:
                raise TooWide
            inverse = part / (1 - part) * UP
            smallest = least(ranges[1])
            return (r + inverse + r * inverse) * UP, t / smallest * UP + TINY if t else 0.0
        if kind == "exp":
            reach = (r * largest(at(x)) + t) * UP
            return unary("expm1", (reach, reach))[1], 0.0
        if kind == "pow":
            return self.of_power(args, ranges)
        if len(args) == 1:
            return self.of_function(kind, at(x), r, t, ranges[0])
        if kind == "hypot" and not (t or more[0][2]):
            return max(r, more[0][1]), 0.0
        if any(a[1] or a[2] for a in args):
            raise TooWide
        return 0.0, 0.0

    def of_sum(self, node, args, kind):
        at = self.at.interval
        (x, r, t), (y, s, v) = args
        a, b = at(x), at(y)
        b = (-b[1], -b[0]) if kind == "-" else b
        if (a[0] >= 0 and b[0] >= 0) or (a[1] <= 0 and b[1] <= 0):
            return max(r, s), (t + v) * UP
        error = (r * largest(a) + s * largest(b) + t + v) * (UP * UP)
        low = least(at(node))
        # As a part of the result where that is not 0.
        return (error / low * UP, 0.0) if low > 0 and error < low else (0.0, error)

    def of_choice(self, kind, args, ranges):
        at = self.at.interval
        (x, r, t), (y, s, v) = args
        if kind == "copysign":
            # A computed zero has a sign that the real number has not.
            if ranges[1][0] <= 0 <= ranges[1][1]:
                raise TooWide
            return r, t
        a, b = at(x), at(y)
        if kind != "fdim" and ((a[0] >= 0 and b[0] >= 0) or (a[1] <= 0 and b[1] <= 0)):
            return max(r, s), max(t, v)
        first, second = r * largest(a) + t, s * largest(b) + v
        return 0.0, (max(first, second) if kind != "fdim" else first + second) * UP

    def root(self, x, r, t, computed):
        if computed[0] < 0:
            raise TooWide
        if t == 0:
            return (r / (1 + math.sqrt(max(0.0, 1 - r)))) * UP, 0.0
        low = square_root((max(x[0], 0.0),) * 2)[0]
        reach = (r * largest(x) + t) * UP
        return 0.0, (reach / low if low > 0 else square_root((reach, reach))[1]) * UP

    def of_power(self, args, ranges):
        (x, r, t), (y, s, v) = args
        parts = self.graph.nodes[y]
        if parts[0] != "number" or v:
            raise TooWide
        n, low = Fraction(parts[1], parts[2]), ranges[0][0]
        if t:
            if s or n.denominator != 1 or n < 1:
                raise TooWide
            # By the steepest slope between the two.
            reach, n = (r * largest(self.at.interval(x)) + t) * UP, float(n)
            top = max(largest(self.at.interval(x)), largest(ranges[0]))
            return 0.0, n * power((top, top), (n - 1, n - 1))[1] * reach * UP * UP + TINY
        if low < 0 and n.denominator != 1 or n < 0 and ranges[0][0] <= 0 <= ranges[0][1]:
            raise TooWide
        e = abs(float(n)) * UP * r / (1 - r) * UP if r < 0.5 else INF
        if s:
            e += abs(float(n)) * s * largest(unary("log", ranges[0])[:2]) * UP if low > 0 else INF
        if e >= 0.5:
            raise TooWide
        # e^x - 1 <= x / (1 - x).
        return e / (1 - e) * UP, 0.0

    def of_function(self, kind, x, r, t, computed):
        if within_domain(kind, computed)[0] is not True:
            raise TooWide
        reach = (r * largest(x) + t) * UP
        if reach == 0:
            return 0.0, 0.0
        if kind == "log" and t == 0 and r < 0.5:
            return 0.0, r / (1 - r) * UP
        if kind in THROUGH_ZERO and t == 0:
            share = through_zero(kind, x, computed, (-r, r))
            if share is not None and math.isfinite(largest(share)):
                return largest(share), 0.0
        slope = derivative(kind, (min(x[0], computed[0]), max(x[1], computed[1])))
        if slope is None or not math.isfinite(largest(slope)):
            raise TooWide
        return 0.0, largest(slope) * reach * UP + TINY


def is_within(domain, at, program, ulps, share, in_units):
    """Whether a program's errors and the distance from what it stands for to f are at most `share` times the tolerance on a box."""
    try:
        node, bounds = Errors(program, at, ulps, in_units).result()
    except TooWide:
        return False
    f, accuracy = domain.core.body, domain.core.accuracy
    x, apart = at.interval(f), largest(at.delta(f, node))
    e = x if apart == 0 or node == f or at.equal(f, node) else at.interval(node)
    room, own = (part if share == 1 else float_below(share) * part * (1 - 2.0**-50)
                 for part in (tolerance_below(accuracy, x), relative_below(accuracy)))
    for r, t in bounds:
        t = (t + apart) * UP if apart else t
        if (t if r == 0 else (r * largest(e) + t) * UP) <= room:
            return True
        # |E| is at most |f| and what is in t.
        left = (own - r * UP) * (1 - 2.0**-50)
        if left >= 0 and left * least(x) >= (t * (1 + r) * UP if t else 0.0):
            return True
    return False


def meets(domain, core, program, ulps, bound=None, most=None):
    """Whether all that a program may return on the domain is valid where anything is; with a bound, whether it is off by at most so
    many times the tolerance."""
    if domain.box is None:
        return Found(proved=True)

    given = told_of(domain, domain.core.pre, (domain.core.body, core.body))

    def leaf(box, depth):
        at = domain.differences(box, depth, (domain.core.body, core.body), given)
        if at is None or domain.is_no_test(at):
            return True
        return any(is_within(domain, at, program, ulps, 1 if bound is None else bound, in_units) for in_units in (False, True))

    def at_input(x):
        points = domain.points
        if points.in_domain(x) is False:
            return True
        verdicts = judged(points, program, x, ulps)
        if bound is not None:
            # What is valid is off by one tolerance at most; where nothing is, a result is off by some number, too.
            return bool(verdicts) and bound >= 1 and all(verdicts) or None
        return points.spares(x, None if not verdicts else not all(verdicts))

    return search([domain.box], domain.core.formats, leaf, at_input, most or domain.most)


def judged(points, program, x, ulps, test=None):
    """Whether each result that a program may return at an input is valid; none where that is not known."""
    oracle = points.oracle(x)
    floats = [float.fromhex(v) for v in test["inputs"].values()] if test else map(plain_float, x)
    results = program.results(tuple(floats), ulps) if oracle and oracle[0] else None
    if results is None:
        return []
    low, high = (float.fromhex(v) for v in oracle)
    return [low <= y <= high for y in results]
