"""The values of a graph's nodes at one exact input, loops included."""

import itertools
import operator
from functools import reduce

from flint import ctx, fmpq

from .balls import COMMUTATIVE, CONSTANT_BALLS, OPEN, PIS, UNDEFINED, ZERO, Num, binary, compare, product, sign, unary
from .formats import fraction
from .loops import COMPARISONS
from .ranges import ANYTHING, INF, Ranges, hull, of_arb, of_fraction

# So many rounds are followed at an input, and so many of those that may be the last.
MOST_ROUNDS, MOST_ENDS = 2000, 20
# Rounds of which values are kept, of all loops at an input.
MOST_KEPT = 2000
# After these rounds a box is looked for that no round leaves, widened so many times.
TRIES, MOST_BOXES = (9, 39, 299), 40
# How much wider a box may be at first than a state, in parts of its size; in how many pieces each of so many variables is then cut,
# and how often the box is then widened.
MARGINS, CUTS, FEW_BOXES = (2.0**-30, 2.0**-10, 2.0**-4), {1: 8, 2: 3, 3: 2}, 2
# Where ends of boxes stop on their way outward.
STOPS = (0.0, 1.0, 1000.0, INF)
# Operations on rational numbers that are one.
EXACT = {"+": operator.add, "-": operator.sub, "*": operator.mul}
# Exact numbers of a loop get no longer.
MOST_BITS = 5000


def short(value):
    """A value of a loop's variable, as a ball if its numerator or denominator is long."""
    if isinstance(value, Num) and value.a is not None:
        sizes = [q.bit_length() for part in (value.a, value.b) for q in (part.p, part.q)]
        if max(sizes) > MOST_BITS:
            return Num(ball=value.ball, name=value.name)
    return value


def interval_of(value):
    """Binary64 numbers around a value; all where it has none."""
    if not isinstance(value, Num):
        return ANYTHING
    return of_fraction(fraction(value.rational)) if value.rational is not None else of_arb(value.ball, value.ball)


def pieces(box, is_cut):
    """A box, cut if it is to be and has few variables, as ranges of variables: intervals see of a part what cancels."""
    has_width = [0 < b - a < INF for a, b in box]
    cuts = CUTS.get(sum(has_width), 1) if is_cut else 1
    steps = lambda a, b: [a + (b - a) * k / cuts for k in range(cuts)] + [b]
    parts = [list(zip(steps(a, b), steps(a, b)[1:])) if can else [(a, b)] for (a, b), can in zip(box, has_width)]
    return [[(*part, None) for part in piece] for piece in itertools.product(*parts)]


def wider(box, after, attempt):
    """The ends of a variable and of what a round makes of it: their hull, after a few attempts moved outward to a stop."""
    low, high = hull(box, after)
    if attempt >= 6 and low < box[0]:
        low = max(s for stop in STOPS for s in (stop, -stop) if s <= low)
    if attempt >= 6 and high > box[1]:
        high = min(s for stop in STOPS for s in (stop, -stop) if s >= high)
    return low, high


class Evaluator:
    """The values of a graph's nodes at one input and one precision, each computed once."""

    # Of the evaluator of a round: the one around its loop, the loop's depth, and the values of its variables.
    outer, depth, state = None, None, None

    def __init__(self, graph, point, bits):
        self.graph, self.point, self.bits = graph, point, bits
        self.values, self.names, self.rounds = {}, {}, {}

    def in_round(self, own, state):
        """Evaluates the nodes of a round of a loop, whose variables have these values. Loops that differ in a part alone have rounds
        with the same values, of which some are kept."""
        key = own.variables, tuple(v.name if isinstance(v, Num) else v for v in state)
        inner = self.rounds.get(key)
        if inner is None:
            inner = Evaluator(self.graph, self.point, self.bits)
            inner.outer, inner.depth, inner.names, inner.state = self, own.depth, self.names, dict(zip(own.variables, state))
            inner.values.update(inner.state)
            if len(self.rounds) < MOST_KEPT:
                self.rounds[key] = inner
        return inner

    def value(self, node):
        """A Num or a truth value, or UNDEFINED or OPEN."""
        if node not in self.values:
            if self.outer and not self.graph.bound(node) >> self.depth & 1:
                self.values[node] = self.outer.value(node)
            else:
                ctx.prec = self.bits
                self.values[node] = self.compute(self.graph.nodes[node])
        return self.values[node]

    def loop(self, own, start):
        """What a loop returns. Where a condition is not settled, both that the loop ends and that it goes on are followed."""
        state, ends, last = [self.value(node) for node in start], [], OPEN
        for n in range(MOST_ROUNDS):
            inner = self.in_round(own, state)
            goes_on = inner.value(own.condition)
            if goes_on is UNDEFINED or goes_on is False:
                last = UNDEFINED if goes_on is UNDEFINED else inner.value(own.body)
                break
            if goes_on is OPEN:
                ends.append(inner.value(own.body))
                if len(ends) > MOST_ENDS or not isinstance(ends[-1], Num) or inner.truth_name(own.condition) is None:
                    return OPEN
            state = [short(inner.value(update)) for update in own.updates]
            if n in TRIES and self.never_ends(own, state):
                last = UNDEFINED
                break
        if not ends:
            return last
        if not isinstance(last, Num):
            return OPEN
        ball = last.ball
        for end in ends:
            ball = ball.union(end.ball)
        # Its rounds may depend on the variables of loops around, so that the name is its own.
        return Num(ball=ball, name=self.name("loop", [Num(ball=ball, name=len(self.names))]))

    def never_ends(self, own, state):
        """Whether a loop surely has no end from a state on, as a box around the state shows that no round leaves and on which the
        condition is never false. A variable without a value is in no box, and ends no loop with a value."""
        near = [interval_of(v) for v in state]
        around = self.ranges()
        if self.is_never_left(own, around, near, MOST_BOXES, False):
            return True
        at = around.in_round(own.depth, {v: (*ends, None) for v, ends in zip(own.variables, near)})
        after = [ANYTHING if self.graph.is_truth(update) else at.interval(update) for update in own.updates]
        inflated = ([(a - margin * abs(a), b + margin * abs(b)) for a, b in near] for margin in MARGINS)
        # A state that the next round leaves is near no limit.
        inflated = (box for box in inflated if all(a <= low and high <= b for (a, b), (low, high) in zip(box, after)))
        return any(self.is_never_left(own, around, box, FEW_BOXES, True) for box in inflated)

    def is_never_left(self, own, around, box, attempts, is_cut):
        """Whether a box, or a wider one, is such; a round may be taken of its pieces."""
        for attempt in range(attempts):
            found = [around.in_round(own.depth, dict(zip(own.variables, piece))) for piece in pieces(box, is_cut)]
            if any(truth is not True and has is not False for truth, _, has in (at.of(own.condition) for at in found)):
                return False
            after = [[at.of(update) for at in found] for update in own.updates]
            ends = [[ANYTHING if self.graph.is_truth(u) else one[:2] for one in each if one[2] is not False]
                    for u, each in zip(own.updates, after)]
            after = [reduce(hull, each) if each else x for x, each in zip(box, ends)]
            if all(a <= low and high <= b for (a, b), (low, high) in zip(box, after)):
                return True
            box = [wider(x, y, attempt) for x, y in zip(box, after)]
        return False

    def ranges(self):
        """The ranges at the input, and of the variables of the loops around."""
        if not self.outer:
            return Ranges(self.graph, [of_fraction(fraction(v)) for v in self.point])
        return self.outer.ranges().in_round(self.depth, {v: (*interval_of(value), None) for v, value in self.state.items()})

    def truth_name(self, node):
        """A name of the truth of a condition that surely is true or false, though it may not be settled which; None of another one."""
        kind, *rest = self.graph.nodes[node]
        if kind in ("and", "or", "not"):
            parts = [self.truth_name(part) for part in rest]
        elif kind in COMPARISONS:
            parts = [v.name if isinstance(v, Num) else None for v in map(self.value, rest)]
        else:
            parts = rest if kind == "bool" else [None]
        return None if None in parts else (kind, *parts)

    def name(self, op, args):
        """A short name of an operation on named values."""
        names = self.names
        keys = [names.setdefault(a.name, len(names)) for a in args]
        if op in COMMUTATIVE:
            keys.sort()
        return ("v", names.setdefault((op, *keys), len(names)))

    def compute(self, parts):
        kind, rest = parts[0], parts[1:]
        if kind == "input":
            return Num(self.point[rest[0]])
        if kind == "number":
            return Num(fmpq(*rest))
        if kind == "bool":
            return rest[0]
        if kind == "unknown":
            return OPEN
        if kind == "loop":
            return self.loop(self.graph.nodes[rest[0]][1], rest[1:])
        if kind == "constant":
            name = rest[0]
            return Num(ZERO, PIS[name]) if name in PIS else Num(ball=CONSTANT_BALLS[name](), name=("c", name))
        if kind == "if":
            c = self.value(rest[0])
            if c is OPEN:
                # Where both values are near each other it need not be known which is taken, if the condition has a truth.
                yes, no, truth = self.value(rest[1]), self.value(rest[2]), self.truth_name(rest[0])
                if truth is None or not isinstance(yes, Num) or not isinstance(no, Num):
                    return OPEN
                # In another round the same condition may have another truth.
                key = ("either", truth, yes.name, no.name)
                return Num(ball=yes.ball.union(no.ball), name=("v", self.names.setdefault(key, len(self.names))))
            return c if c is UNDEFINED else self.value(rest[1] if c else rest[2])
        args = list(map(self.value, rest))
        if UNDEFINED in args:
            return UNDEFINED
        if OPEN in args:
            return OPEN
        if kind in EXACT:
            # By far the most of what rounds of loops compute.
            x, y = args
            if x.a is not None and y.a is not None and x.b is ZERO and y.b is ZERO:
                return Num(EXACT[kind](x.a, y.a))
            return self.apply(kind, args)
        if kind in ("and", "or", "not"):
            return all(args) if kind == "and" else any(args) if kind == "or" else not args[0]
        if kind in COMPARISONS:
            c = compare(*args)
            if c is None:
                return OPEN
            return COMPARISONS[kind](c, 0)
        if kind in ("isfinite", "isinf", "isnan"):
            return kind == "isfinite"
        if kind in ("isnormal", "signbit"):
            s = sign(args[0])
            return OPEN if s is None else s != 0 if kind == "isnormal" else s < 0
        return self.apply(kind, args)

    def apply(self, op, args):
        name = self.name(op, args)
        if len(args) == 1:
            return unary(op, args[0], name)
        if op == "fma":
            taken = product(args[0], args[1], self.name("*", args[:2]))
            return taken if taken is OPEN else binary("+", taken, args[2], self.name("+", [taken, args[2]]))
        return binary(op, *args, name)
