"""Claims over a whole domain, proved by cutting it into boxes until each part shows the claim.

A part that is one input is asked at exactly. Nothing that a folder says is used but the claim.
"""

import math
from fractions import Fraction
from functools import cached_property

from .boxes import MOST_BOXES, OPPOSITES, Found, cut, has_inputs, ranges_of_inputs, search, to_floats, to_rationals
from .differences import Differences
from .evaluator import Evaluator
from .formats import PARAMETERS, plain_float, rational, step
from .forms import Forms
from .fpcore import LEAVES
from .iterations import Chain, holds_no_number, same_by_steps
from .needs import Needs
from .orders import proved_by_order, told_of
from .points import ratio_within, relative_size, same
from .ranges import Ranges, hull, largest, least
from .reduced import Reduced

# Boxes at which normal forms with the choices of the box are tried.
FORMS_DEPTH = 6
# Boxes that are looked at for inputs that may be tests, and the most of these.
MOST_LOOKED, MOST_KEPT = 500, 4


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


class Domain(Needs):
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
        """The differences on a box: with normal forms, near the whole domain and at a single input with those that hold on the box
        alone. None if the orders that are stated hold nowhere on the box."""
        is_wide = any(a < b for a, b in box)
        if depth > FORMS_DEPTH and is_wide or not self.has_choice(nodes):
            at = Differences(self.graph, box, self.forms)
            return at if all(order.narrow(at) for order in stated) else None
        ranges = Ranges(self.graph, box)
        if not all(order.narrow(ranges) for order in stated):
            return None

        def decide(node):
            low, high, _ = ranges.of(node)
            if low is None and not is_wide:
                low = Evaluator(self.graph, to_rationals(a for a, _ in box), 128).value(node)
                return low if isinstance(low, bool) else None
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
