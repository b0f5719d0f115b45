"""Claims over a whole domain, proved by cutting it into boxes until each part shows the claim.

A part is a box of inputs; its ends are numbers of the inputs' formats, and two parts share none, so that a comparison of an
input with a number is decided after finitely many cuts. A part that is one input is asked at exactly. Nothing that a folder
says is used but the claim.
"""

import math
from fractions import Fraction
from functools import cached_property

from .balls import Num
from .differences import Differences
from .evaluator import Evaluator
from .formats import PARAMETERS, ceil_to, floor_to, largest as largest_number, plain_float, rational, smallest, step
from .forms import Forms
from .fpcore import LEAVES
from .iterations import Chain, holds_no_number, same_by_steps
from .orders import proved_by_order, told_of
from .points import ratio_within, relative_size, same
from .ranges import Ranges, hull, largest, least, within_domain
from .reduced import Reduced

# Boxes for one claim, and boxes at which normal forms with the choices of the box are tried.
MOST_BOXES = 6000
FORMS_DEPTH = 6
# Boxes that are looked at for inputs that may be tests, and the most of these.
MOST_LOOKED, MOST_KEPT = 500, 4
# Of so many expressions on a box it is asked what they need to have a value.
MOST_NEEDS = 20_000


class Found:
    """How a search over a domain ended: `proved`, an input that refutes the claim, or why neither."""

    def __init__(self, proved=False, refuted=None, why="", boxes=0):
        self.proved, self.refuted, self.why, self.boxes = proved, refuted, why, boxes


# Functions with a value at x and -x or at none of them.
SYMMETRIC = ("tan", "asin", "acos", "atanh")
# Functions whose values are above 0, however small.
POSITIVE = ("exp", "exp2", "cosh")
OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "=="}


def ranges_of_inputs(graph, core):
    """For each input its least and largest number as the precondition's comparisons with numbers bound it; None if there
    are none. Every input that satisfies the precondition is in these ranges."""
    everything = lambda: [[smallest(f), largest_number(f)] for f in core.formats]
    is_empty = lambda bounds: any(a > b for a, b in bounds)

    def constant(node):
        value = Evaluator(graph, [], 128).value(node) if not has_inputs(graph, node) else None
        return value.rational if isinstance(value, Num) else None

    def narrow(bounds, k, up, value, strict):
        """Input k is at least (`up`) or at most a value."""
        name = core.formats[k]
        there = ceil_to(value, name) if up else floor_to(value, name)
        if there is not None and strict and there == value:
            there = step(there, up, name)
        if there is None:
            # No number of the format is there.
            there = largest_number(name) * (2 if up else -2)
        bounds[k][0 if up else 1] = max(bounds[k][0], there) if up else min(bounds[k][1], there)

    def read(node, bounds, holds=True):
        """Narrows the bounds by a condition, or by its opposite."""
        kind, *parts = graph.nodes[node]
        if kind == "not":
            return read(parts[0], bounds, not holds)
        if kind == ("and" if holds else "or"):
            for part in parts:
                read(part, bounds, holds)
        elif kind in ("and", "or"):
            sides = [read(part, [list(b) for b in bounds], holds) for part in parts if graph.nodes[part] != ("bool", not holds)]
            sides = [side for side in sides if not is_empty(side)]
            # With no side nothing is in the domain; that is for others to see.
            for k, own in enumerate(bounds if sides else []):
                own[0] = max(own[0], min(side[k][0] for side in sides))
                own[1] = min(own[1], max(side[k][1] for side in sides))
        kind = kind if holds else OPPOSITES.get(kind)
        if kind not in ("<", "<=", ">", ">=", "=="):
            return bounds
        low, high = parts if kind in ("<", "<=", "==") else parts[::-1]
        strict = kind in ("<", ">")
        for a, b in [(low, high), (high, low)] if kind == "==" else [(low, high)]:
            x, y = graph.nodes[a], graph.nodes[b]
            if y[0] == "input" and (c := constant(a)) is not None:
                narrow(bounds, y[1], True, c, strict)
            if x[0] == "input" and (c := constant(b)) is not None:
                narrow(bounds, x[1], False, c, strict)
            if x[0] == y[0] == "input":
                # What bounds one of two inputs bounds the other.
                narrow(bounds, y[1], True, bounds[x[1]][0], strict)
                narrow(bounds, x[1], False, bounds[y[1]][1], strict)
        return bounds

    bounds = everything()
    # A chain of inputs hands a bound on from one to the next.
    for _ in core.formats:
        before = [list(b) for b in bounds]
        read(core.pre, bounds)
        if before == bounds or is_empty(bounds):
            break
    return None if is_empty(bounds) else [tuple(b) for b in bounds]


def has_inputs(graph, node):
    kind, *parts = graph.nodes[node]
    if kind in LEAVES:
        return kind not in ("number", "constant", "bool")
    return any(has_inputs(graph, p) for p in parts)


def to_floats(bounds):
    return [(plain_float(a), plain_float(b)) for a, b in bounds]


def to_rationals(x):
    return tuple(rational(v) for v in x)


def middle(low, high, by_ordinals):
    """A number between two: the mean, or the middle one of all floats between."""
    if not by_ordinals:
        return low / 2 + high / 2
    if low < 0 < high:
        return 0.0
    a, b = abs(low), abs(high)
    m = math.sqrt(max(a, 5e-324)) * math.sqrt(max(b, 5e-324))
    return m if high > 0 else -m


def width(low, high):
    """How much a cut helps: the relative width."""
    if low == high:
        return -1.0
    if low <= 0 <= high:
        return 4.0 + math.log2(1 + max(abs(low), abs(high)))
    a, b = sorted((abs(low), abs(high)))
    return min(b / a - 1, 3.0 + math.log2(b / a))


def cut(box, formats, depth):
    """The two halves of a box that is more than one input."""
    k = max(range(len(box)), key=lambda i: width(*box[i]))
    (low, high), name = box[k], formats[k]
    wide = low < 0 < high or min(abs(low), abs(high)) * 4 < max(abs(low), abs(high))
    m = plain_float(floor_to(rational(middle(low, high, wide and depth % 2 == 0)), name))
    if m >= high:
        m = plain_float(step(rational(high), False, name))
    m = max(m, low)
    after = plain_float(step(rational(m), True, name))
    return [[*box[:k], part, *box[k + 1 :]] for part in ((low, m), (after, high))]


def search(boxes, formats, leaf, at_input, most=MOST_BOXES):
    """Cuts boxes until `leaf(box, depth)` holds on each; `at_input(x)` is True, False or None at one input."""
    left, looked = [(box, 0) for box in boxes], 0
    while left:
        box, depth = left.pop()
        looked += 1
        if looked > most:
            return Found(why=f"more than {most} boxes", boxes=looked)
        if leaf(box, depth):
            continue
        is_input = all(a == b for a, b in box)
        if is_input or looked <= 40 or looked % 64 == 0:
            x = to_rationals(a if a == b else plain_float(floor_to(rational(a / 2 + b / 2), f)) for (a, b), f in zip(box, formats))
            answer = at_input(x)
            if answer is False:
                return Found(refuted=x, boxes=looked)
            if is_input and answer is None:
                return Found(why="an input is left that no precision settles", boxes=looked)
        if not is_input:
            left.extend((half, depth + 1) for half in cut(box, formats, depth))
    return Found(proved=True, boxes=looked)


def tolerance_below(accuracy, f):
    """A lower bound of the tolerance where |f| is at least the least absolute value of a range."""
    rel, absolute, ulps = accuracy
    low = least(f)
    parts = [0.0]
    if rel is not None:
        parts.append(math.nextafter(float(rel), 0.0) * low * (1 - 1e-15))
    if absolute is not None:
        parts.append(math.nextafter(float(absolute), 0.0))
    if ulps is not None:
        n = float(ulps[0])
        parts.append((n if Fraction(n) <= ulps[0] else math.nextafter(n, 0.0)) * unit(low, ulps[1]))
    return max(parts)


def unit(x, name):
    """The unit in the last place at a number that is not negative."""
    p, emax = PARAMETERS[name]
    e = math.frexp(x)[1] - 1 if x else 1 - emax
    return math.ldexp(1.0, max(min(e, emax), 1 - emax) - p + 1)


def relative_below(accuracy):
    """r such that the tolerance is at least r |f| everywhere."""
    rel, _, ulps = accuracy
    parts = [0.0]
    if rel is not None:
        parts.append(math.nextafter(float(rel), 0.0))
    if ulps is not None:
        parts.append(math.nextafter(float(ulps[0]), 0.0) * math.ldexp(1.0, -PARAMETERS[ulps[1]][0]))
    return max(parts)


class Domain:
    """The proofs about one specification."""

    def __init__(self, points, most=MOST_BOXES):
        self.points, self.graph, self.core, self.most = points, points.graph, points.core, most
        bounds = ranges_of_inputs(self.graph, self.core)
        self.box = None if bounds is None else to_floats(bounds)
        self.forms, self.choices = Forms(self.graph, self.samples()), {}
        # By box, whether f has no valid number on it, and a bound of |f|.
        self.without, self.sizes = {}, {}
        # By expression, whether it has a value nowhere.
        self.nowhere, self.reducer = {}, None
        # Of two expressions, whether they are one function.
        self.same = {}

    def has(self, x):
        """Whether an input is in the ranges of the inputs."""
        return self.box is not None and all(rational(a) <= v <= rational(b) for v, (a, b) in zip(x, self.box))

    def samples(self):
        """Two inputs, at which forms are told apart."""
        if self.box is None:
            return []
        between = lambda a, b, t: a * (1 - t) + b * t
        return [[between(max(a, -1e3), min(b, 1e3), t) for a, b in self.box] for t in (0.382, 0.717)]

    def differences(self, box, depth, nodes, stated=()):
        """The differences on a box: with normal forms, near the whole domain with those that hold on the box alone. None if the
        orders that are stated hold nowhere on the box."""
        if depth > FORMS_DEPTH or not self.has_choice(nodes):
            at = Differences(self.graph, box, self.forms)
            return at if all(order.narrow(at) for order in stated) else None
        ranges = Ranges(self.graph, box)
        if not all(order.narrow(ranges) for order in stated):
            return None

        def decide(node):
            low, high, _ = ranges.of(node)
            if low is None or isinstance(low, bool):
                return low
            return 1 if low >= 0 else -1 if high <= 0 else None

        samples = [[a * (1 - t) + b * t for a, b in box] for t in (0.382, 0.717)]
        at = Differences(self.graph, box, Forms(self.graph, samples, decide))
        at.ranges.update(ranges.ranges)
        return at

    def is_nowhere(self, node):
        """Whether an expression has a value at no input of the ranges."""
        if node not in self.nowhere:
            self.nowhere[node] = self.box is None or Ranges(self.graph, self.box).of(node)[2] is False
        return self.nowhere[node]

    def is_one_function(self, f, g, is_claimed=False):
        """Whether two expressions are seen to be one function in the ranges. What is claimed to be so is also written shorter, and compared
        step by step."""
        if (f, g) not in self.same:
            self.same[f, g] = f == g or self.forms.equal(f, g) and self.same_needs(f, g) or self.is_nowhere(g) and self.is_nowhere(f)
        if is_claimed and not self.same[f, g]:
            shorter = self.reduced(f), self.reduced(g)
            self.same[f, g] = shorter != (f, g) and self.is_one_function(*shorter) or same_by_steps(self, *shorter)
        return self.same[f, g]

    def reduced(self, node):
        """An expression written shorter, with the same values in the ranges."""
        if self.box is None:
            return node
        self.reducer = self.reducer or Reduced(self, self.differences(self.box, 0, (node,)))
        return self.reducer.of(node)

    def has_choice(self, nodes):
        """Whether what an expression computes depends on signs or conditions."""
        found = False
        for node in nodes:
            if node not in self.choices:
                kind, *rest = self.graph.nodes[node]
                inner = kind not in LEAVES and self.has_choice(rest)
                self.choices[node] = inner or kind in ("if", "loop", "unknown", "fabs", "fmin", "fmax", "fdim", "copysign")
            found = found or self.choices[node]
        return found

    def surely_has_value(self, node):
        """Whether an expression has a value at every input of the ranges, as one box shows."""
        return Ranges(self.graph, self.box or []).of(node)[2] is True

    def is_no_test(self, at, f=None, pre=None):
        """Whether no input of a box is in the domain of a function, the specification's if none is given."""
        inside = at.of(self.core.pre if pre is None else pre)
        return inside[0] is False or inside[2] is False or at.of(self.core.body if f is None else f)[2] is False

    def same_function(self, core):
        """Whether a mutant has the specification's value wherever that has one, whatever is owed where a function has none."""
        return self.compared(core, lambda at, f, g: at.delta(f, g) == (0.0, 0.0) or at.equal(f, g), self.equal_at, has_value=True)

    def meets(self, core, bound=None):
        """Whether no test tells f and g apart; with a bound, whether |f - g| is nowhere more than so many times the sum of the
        tolerances."""
        # A number that is printed is one of all values, whether there is a test or not.
        is_without, share = (self.is_without_test, Fraction(1)) if bound is None else (None, bound)
        return self.compared(core, lambda at, f, g: self.near(at, f, g, core, share), lambda core, x: self.meets_at(core, x, bound), is_without,
                             has_value=self.core.response != "any")

    @cached_property
    def chain(self):
        """The specification's function as a chain."""
        return Chain(self.graph, self.core.body)

    def is_without_test(self, at):
        """Whether no number is valid anywhere on a box."""
        box = tuple(at.box)
        if box not in self.without:
            size = self.chain.size(at)
            self.without[box] = size is not None and holds_no_number(size, self.core)
        return self.without[box]

    @cached_property
    def testable(self):
        """The few inputs beside which there is no test, as no number is valid there; None where that is not so."""
        left, kept, is_less = [(self.box, 0)], [], False
        for _ in range(MOST_LOOKED):
            if not left:
                return kept if is_less else None
            box, depth = left.pop()
            if self.is_no_test(at := Ranges(self.graph, box)):
                continue
            if self.is_without_test(at):
                is_less = True
            elif all(a == b for a, b in box):
                kept.append(box)
            else:
                left += [(half, depth + 1) for half in cut(box, self.core.formats, depth)]
            if len(kept) > MOST_KEPT:
                break
        return None

    def compared(self, core, holds, at_input, is_without=None, has_value=True):
        """Whether a claim about f and a mutant holds in the domain; `has_value`: and that the mutant has a value where f has one."""
        if self.box is None:
            return Found(proved=True)
        f, g, pre, asked = self.core.body, core.body, self.core.pre, (holds, has_value, is_without)
        if is_without and self.testable is not None:
            inputs = [to_rationals(a for a, _ in box) for box in self.testable]
            answers = [at_input(core, x) for x in inputs]
            if False in answers:
                return Found(refuted=inputs[answers.index(False)])
            if None not in answers:
                return Found(proved=True)
        # What both compare differently no box decides.
        if not self.forms.equal(f, g) and proved_by_order(self, f, g, pre, asked, own=True):
            return Found(proved=True)
        found = self.covered(f, g, pre, asked, lambda x: at_input(core, x), self.most)
        if not found.proved and not found.refuted and proved_by_order(self, f, g, pre, asked):
            return Found(proved=True)
        return found

    def covered(self, f, g, pre, asked, at_input, most, stated=()):
        """Whether a claim about two functions holds where a precondition does, and expressions are in the orders that are stated. `asked`
        has what is to hold on each box, `holds(at, f, g)` and whether g is to have a value, or else `is_without(at)`."""
        holds, has_value, is_without = asked
        is_same, stated = self.forms.equal(f, g), [*stated, *told_of(self, pre, (f, g))]

        def leaf(box, depth):
            at = self.differences(box, depth, (f, g), stated)
            if at is None or self.is_no_test(at, f, pre) or is_without and is_without(at):
                return True
            return (not has_value or self.has_value(at, f, g)) and (is_same or holds(at, f, g))

        return search([self.box], self.core.formats, leaf, at_input, most)

    def near(self, at, f, g, core, bound):
        x, y = at.interval(f), at.interval(g)
        room = tolerance_below(self.core.accuracy, x) + tolerance_below(core.accuracy, y)
        room = math.nextafter(room * float_below(bound), 0.0)
        if largest(at.delta(f, g)) <= room:
            return True
        # |f| r <= bound (r1 |f| + r2 |f| (1 + r)).
        r = at.ratio(f, g)
        ours, theirs = relative_below(self.core.accuracy), relative_below(core.accuracy)
        if not math.isfinite(r[0]) or not math.isfinite(r[1]) or r[0] <= -1:
            return False
        room = float_below(bound) * (ours + theirs * (1 + r[0])) * (1 - 1e-15)
        return largest(r) <= room

    def equal_at(self, core, x):
        """Whether both functions have one value at an input of the domain."""
        is_inside = self.points.in_domain(x)
        if is_inside is False:
            return True
        answer = self.points.defined(core, x)
        if answer is not False and not self.forms.equal(self.core.body, core.body):
            answer = self.points.settle_pair(same, self.core, core, x, self.points.ladder[:2])
        return answer if answer or is_inside else None

    def meets_at(self, core, x, bound=None):
        """The same at one input."""
        points = self.points
        # Exact values of an iteration are long, and its size may be enough.
        if bound is None and self.is_without_test(Ranges(self.graph, [(plain_float(v),) * 2 for v in x])):
            return True
        is_inside = points.in_domain(x)
        if is_inside is False:
            return True
        if bound is not None and points.defined(core, x) is not False:
            answer = points.settle_pair(ratio_within(bound), self.core, core, x)
            return answer if answer or is_inside else None
        return points.spares(x, points.kill(core, x))

    # Where a function has a value.

    def same_needs(self, f, g):
        """Whether two expressions have a value at the same inputs of the domain."""
        if self.box is None:
            return True
        at = self.differences(self.box, 0, (f, g))
        return self.has_value(at, f, g) and self.has_value(at, g, f)

    def has_value(self, at, f, g, other=None):
        """Whether g has a value at each input of a box at which f, and another expression, have one."""
        if at.of(g)[2]:
            return True
        given = self.needs(at, f) | (set() if other is None else self.needs(at, other))
        # Where a product is not 0 no factor is.
        given |= {(path, *part) for path, kind, *nodes in given if kind == "nonzero" for part in self.nonzero(*nodes)}
        return all(self.follows(at, given, need) for need in self.needs(at, g))

    def follows(self, at, given, need):
        """Whether a need is met where others are."""
        if self.is_met(at, need) or any(self.implies(at, other, need) for other in given):
            return True
        path, *own = need
        parts = self.nonzero(own[1]) if own[0] == "nonzero" else {(*own,)}
        return (*own,) not in parts and all(self.follows(at, given, (path, *part)) for part in parts)

    def implies(self, at, given, need):
        """Whether two needs are the same: of the same kind, of equal expressions, on the same branches."""
        (path, *one), (other_path, *other) = given, need
        same = self.loops_alike if one[0] == "loop" else lambda at, x, y: x == y if one[0] == "variable" else at.equal(x, y)
        return (one[0] == other[0] and len(one) == len(other) and all(same(at, x, y) for x, y in zip(one[1:], other[1:]))
                and [t for _, t in path] == [t for _, t in other_path]
                and all(at.equal_conditions(c, d) for (c, _), (d, _) in zip(path, other_path)))

    def loops_alike(self, at, f, g):
        """Whether the loop g has a value where f has one: what both begin with and do in a round is equal, and of g has a value
        where it has one of f."""
        if f == g:
            return True
        (_, own, *start), (_, other, *other_start) = self.graph.nodes[f], self.graph.nodes[g]
        own, other = self.graph.nodes[own][1], self.graph.nodes[other][1]
        if (own.depth, own.variables) != (other.depth, other.variables):
            return False
        starts, rounds = zip(start, other_start), [*zip(own.updates, other.updates), (own.body, other.body)]
        # In each round of f its condition has a value, and so have the variables that this asks for.
        return (at.equal_conditions(own.condition, other.condition) and self.has_value(at, own.condition, other.condition)
                and all(at.equal(x, y) and self.has_value(at, x, y) for x, y in starts)
                and all(at.equal(x, y) and self.has_value(at, x, y, own.condition) for x, y in rounds))

    def is_met(self, at, need):
        _, kind, *operands = need
        if kind in ("unknown", "never", "loop", "variable"):
            return False
        node, *more = operands
        x = at.interval(node)
        if kind == "nonzero":
            return x[0] > 0 or x[1] < 0
        if kind == "gamma":
            return x[0] > 0
        if kind in ("tan", "atan2", "pow") or kind in PARAMETERS:
            return at.of(self.graph.node(kind, node, *more))[2] is True
        return within_domain(kind, x)[0] is True

    def needs(self, at, node, path=()):
        """What an expression needs to have a value, all of it: (path, kind, node, …). The path are the conditions, with their
        truth, under which the need is one."""
        key = node, path
        if key not in at.needed:
            # Where there are too many, that the node has a value is one.
            is_whole = len(at.needed) > MOST_NEEDS
            at.needed[key] = {(path, "unknown", node)} if is_whole else self.compute_needs(at, node, path)
        return at.needed[key]

    def compute_needs(self, at, node, path):
        kind, *rest = self.graph.nodes[node]
        if kind in ("input", "number", "constant", "bool"):
            return set()
        if kind == "loop":
            opened = self.graph.first_round(node)
            if opened != node and at.of(self.graph.nodes[opened][1])[0] is not None:
                return self.needs(at, opened, path)
        if kind in ("unknown", "variable", "loop"):
            return {(path, kind, node)}
        if kind == "if":
            found, truth = self.needs(at, rest[0], path), at.of(rest[0])[0]
            for side, branch in ((True, rest[1]), (False, rest[2])):
                if truth in (side, None):
                    found = found | self.needs(at, branch, path if truth == side else (*path, (rest[0], side)))
            return found
        found = set().union(*(self.needs(at, r, path) for r in rest))
        own = set()
        if kind in ("/", "fmod", "remainder"):
            own = {("nonzero", rest[1])}
        elif kind == "pow":
            own = self.needs_of_power(*rest)
        elif kind in ("tgamma", "lgamma"):
            own = {("gamma", rest[0])}
        elif kind in SYMMETRIC or kind in PARAMETERS:
            own = {(kind, self.size(rest[0]))}
        elif kind == "atan2":
            own = {(kind, *rest)}
        elif kind in ("log", "log2", "log10", "y0", "y1"):
            own = set() if self.graph.nodes[rest[0]][0] in POSITIVE else {("log", rest[0])}
        elif kind == "log1p" and self.graph.nodes[rest[0]][0] == "expm1":
            own = set()
        elif kind in ("sqrt", "log1p", "acosh"):
            own = {(kind, rest[0])}
        if own and not has_inputs(self.graph, node) and at.of(node)[2] is False:
            own = {("never",)}
        return found | {(path, *need) for need in own}

    def size(self, node):
        """An expression without its sign, where that has no part in whether there is a value."""
        while self.graph.nodes[node][0] in ("neg", "fabs"):
            node = self.graph.nodes[node][1]
        return node

    def needs_of_power(self, x, y):
        parts = self.graph.nodes[y]
        if parts[0] != "number":
            return {("pow", x, y)}
        if parts[2] == 1:
            return {("nonzero", x)} if parts[1] < 0 else set()
        return {("sqrt", x)} if parts[1] > 0 else {("log", x)}

    def nonzero(self, node):
        """What makes that an expression is not 0: its factors, or itself."""
        kind, *rest = self.graph.nodes[node]
        if kind == "*":
            return self.nonzero(rest[0]) | self.nonzero(rest[1])
        if kind in ("neg", "fabs", "sqrt", "cbrt", "/"):
            return self.nonzero(rest[0])
        if kind == "number" and rest[0] != 0 or kind in POSITIVE:
            return set()
        return {("nonzero", node)}

    # Mutants of the accuracy and of ranges.

    def reach(self, box):
        """A bound of |f| on a box; None if no input of it is in the domain. Claims about several accuracies ask for the same boxes."""
        key = tuple(box)
        if key not in self.sizes:
            at = Ranges(self.graph, box)
            self.sizes[key] = None if self.is_no_test(at) else largest(at.interval(self.core.body))
        return self.sizes[key]

    def never_reaches(self, core):
        """Whether a larger bound reaches nowhere more than 1000 r beyond the specification's."""
        if self.box is None:
            return Found(proved=True)
        far = Fraction(1000) * relative_size(self.core.accuracy)
        (r, a, n), (s, b, m) = self.core.accuracy, core.accuracy

        def leaf(box, depth):
            size = self.reach(box)
            if size is None:
                return True
            # The largest of several is larger by no more than one of them is.
            parts = [Fraction(0)] + ([b - (a or 0)] if b is not None else [])
            steps = [(s - (r or 0), lambda: size)] if s is not None else []
            steps += [(m[0] - (n[0] if n and n[1] == m[1] else 0), lambda: unit(size, m[1]))] if m else []
            for factor, by in steps:
                if factor > 0 and math.isinf(size):
                    return False
                parts += [factor * Fraction(by())] if factor > 0 else []
            return max(parts) <= far

        def at_input(x):
            return self.points.in_domain(x) is False or self.points.spares(x, self.points.reaches(core, x))

        return search([self.box], self.core.formats, leaf, at_input, self.most)

    def same_inputs(self, core, is_equal):
        """Whether a mutant with other ranges differs at no input that can be a test; `is_equal`: whether it takes all of the domain's, and
        others only where that cannot be told."""
        theirs, tells = ranges_of_inputs(self.graph, core), self.points.tells()
        if not (tells or is_equal) or (self.box is None and theirs is None):
            return Found(proved=True)
        boxes = self.strips(core, self.box, theirs and to_floats(theirs))

        def leaf(box, depth):
            at = Ranges(self.graph, box)
            if at.of(self.core.body)[2] is False:
                return True
            a, b = at.of(self.core.pre), at.of(core.pre)
            truth = [False if p[2] is False else p[0] if p[2] else None for p in (a, b)]
            return truth[0] is not None and truth[0] == truth[1] or not tells and (truth[1] is True or truth[0] is False)

        def takes(x):
            ours, theirs = self.points.in_domain(x), self.points.inside(core, x)
            if ours is False and (not tells or self.points.defined(self.core, x) is False):
                return True
            return None if None in (ours, theirs) else ours == theirs

        spares = lambda x: self.points.spares(x, self.points.kill(core, x))
        return search(boxes, self.core.formats, leaf, takes if is_equal else spares, self.most)

    def strips(self, core, ours, theirs):
        """Boxes that hold every input of one precondition's ranges and not of the other's, and what both share where the
        preconditions differ in more than ranges of inputs."""
        if ours is None or theirs is None:
            return [ours or theirs]
        both = [hull(a, b) for a, b in zip(ours, theirs)]
        boxes = []
        for k, (a, b) in enumerate(zip(ours, theirs)):
            name = self.core.formats[k]
            beside = lambda v, up: plain_float(step(rational(v), up, name))
            if a[0] != b[0]:
                boxes.append([*both[:k], (min(a[0], b[0]), beside(max(a[0], b[0]), False)), *both[k + 1 :]])
            if a[1] != b[1]:
                boxes.append([*both[:k], (beside(min(a[1], b[1]), True), max(a[1], b[1])), *both[k + 1 :]])
        return boxes if self.rest(self.core.pre) == self.rest(core.pre) else [both]

    def rest(self, node, holds=True):
        """The parts of a precondition, or of its opposite, that are no comparison of an input with a number."""
        kind, *parts = self.graph.nodes[node]
        if kind == "not":
            return self.rest(parts[0], not holds)
        # A comparison stands in an `and` of its own.
        if kind == ("and" if holds else "or") or kind in ("and", "or") and len(parts) == 1:
            return set().union(*(self.rest(p, holds) for p in parts))
        kinds = {self.graph.nodes[p][0] for p in parts} if kind != "bool" else {"number"}
        comparisons = ("<", "<=", ">", ">=", "==") if holds else OPPOSITES
        is_range = kind in (*comparisons, "bool") and kinds <= {"input", "number"} and kinds != {"input"}
        is_never = node == self.graph.node("bool", not holds)
        is_settled = not has_inputs(self.graph, node) and Evaluator(self.graph, [], 128).value(node) is holds
        if is_settled or is_range and not is_never:
            return set()
        if not holds and (kind in OPPOSITES or kind == "=="):
            return {self.graph.node({**OPPOSITES, "==": "!="}[kind], *parts)}
        return {node if holds else self.graph.node("not", node)}


def float_below(q):
    there = float(q)
    return there if Fraction(there) <= q else math.nextafter(there, 0.0)
