"""Claims by the order of two expressions that functions compare or choose from: below, equal, above.

In each order all comparisons of the two are decided. Where they are equal, and that tells one input by the others, the input
gives way to this. So `<` and `<=` make no difference where both sides of an `if` meet, which no box shows.
"""

from flint import fmpq

from .formats import fraction
from .forms import ONE
from .fpcore import LEAVES
from .ranges import INF, of_fraction

COMPARISONS = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1), "==": (0,), "!=": (-1, 1)}
CHOICES = ("fmin", "fmax", "fdim")
# How many orders are taken one within the other, and boxes for each.
DEPTH = 3
BOXES = 400
# The most operations that are undone on the way to an input.
MOST_STEPS = 12
# Functions with more nodes are left alone.
MOST_NODES = 4000


class InOrder:
    """Nodes where expressions a and b are in an order: -1, 0 or 1."""

    def __init__(self, graph, pair, order, has_value):
        self.graph, self.pair, self.order, self.has_value, self.known = graph, pair, order, has_value, {}
        self.solved = solve_equation(graph, *pair) if order == 0 else None
        if self.solved:
            self.known[graph.node("input", self.solved[0])] = self.solved[1]

    def of(self, node):
        if node not in self.known:
            kind, *parts = self.graph.nodes[node]
            self.known[node] = node if kind in LEAVES else self.made(kind, parts)
        return self.known[node]

    def made(self, kind, parts):
        graph = self.graph
        order = self.order if tuple(parts) == self.pair else -self.order if tuple(parts[::-1]) == self.pair else None
        decided = order is not None and (kind in COMPARISONS or kind in CHOICES)
        parts = [self.of(part) for part in parts]
        if not decided and kind in COMPARISONS and parts[0] == parts[1] and self.has_value(parts[0]):
            decided, order = True, 0
        if decided and kind in COMPARISONS:
            return graph.node("bool", order in COMPARISONS[kind])
        if decided and kind == "fdim":
            return graph.node("-", *parts) if order > 0 else graph.node("number", 0, 1)
        if decided:
            return parts[0] if (order > 0) == (kind == "fmax") else parts[1]
        truths = [graph.nodes[part][1] if graph.nodes[part][0] == "bool" else None for part in parts]
        if kind == "if" and truths[0] is not None:
            return parts[1] if truths[0] else parts[2]
        if kind == "not" and truths[0] is not None:
            return graph.node("bool", not truths[0])
        if kind in ("and", "or"):
            # All parts are asked for a value: one without is no less so where another one decides.
            if (kind == "or") in truths and all(map(self.has_value, parts)):
                return graph.node("bool", kind == "or")
            parts = [part for part, truth in zip(parts, truths) if truth is not (kind == "and")]
            return graph.node(kind, *parts) if parts else graph.node("bool", kind == "and")
        return self.cancelled(kind, *parts) if kind in ("+", "-") and self.solved else graph.node(kind, *parts)

    def cancelled(self, kind, a, b):
        """A sum or difference, of which one part may cancel what stands in the other."""
        graph = self.graph
        for one, other in ((a, b), (b, a)) if kind == "+" else ((a, b),):
            inner, *parts = graph.nodes[one]
            if inner in ("+", "-") and other in parts and self.has_value(other):
                rest = parts[1] if parts[0] == other else parts[0]
                # (p + q) - q, (p - q) + q and (p - q) - p
                if inner == "+" and kind == "-" or (inner, kind) == ("-", "+") and parts[1] == other:
                    return rest
                if (inner, kind) == ("-", "-") and parts[0] == other:
                    return graph.node("neg", rest)
        return graph.node(kind, a, b)


def solve_equation(graph, a, b):
    """(k, node): input k is the node's value wherever a = b; None if that is not seen."""
    return isolate(graph, a, b) or isolate(graph, b, a)


def isolate(graph, side, value, steps=MOST_STEPS):
    """The input that `side` = `value` tells."""
    kind, *parts = graph.nodes[side]
    if kind == "input":
        inner = [graph.nodes[node] for node in graph.below([value])]
        return None if any(n[0] in ("unknown", "rounds") or n == ("input", parts[0]) for n in inner) else (parts[0], value)
    if kind not in ("+", "-", "neg", "*", "/") or steps == 0:
        return None
    inverse = lambda operand, *node: isolate(graph, operand, graph.node(*node), steps - 1)
    if kind == "+":
        return inverse(parts[0], "-", value, parts[1]) or inverse(parts[1], "-", value, parts[0])
    if kind == "-":
        return inverse(parts[0], "+", value, parts[1]) or inverse(parts[1], "-", parts[0], value)
    if kind == "neg":
        return inverse(parts[0], "neg", value)
    factors = [k for k, p in enumerate(parts) if graph.nodes[p][0] == "number" and graph.nodes[p][1] != 0]
    if kind == "*" and factors:
        return inverse(parts[1 - factors[0]], "/", value, parts[factors[0]])
    if kind == "/" and 1 in factors:
        return inverse(parts[0], "*", value, parts[1])
    return None


def pair_to_order(graph, f, g, has_value, own=False):
    """The two expressions by whose order a claim about f and g is best taken apart; None if there are none. `has_value` tells
    whether an expression has one at every input; `own`: what only one of f and g asks must be among it."""
    of_f, of_g = graph.below([f]), graph.below([g])
    if len(of_f | of_g) > MOST_NODES:
        return None
    asked = {node: tuple(graph.nodes[node][1:]) for node in of_f | of_g if graph.nodes[node][0] in (*COMPARISONS, *CHOICES)}
    asked = {node: pair for node, pair in asked.items() if all(map(has_value, pair)) and pair[0] != pair[1]}
    is_comparison = lambda node: graph.nodes[node][0] in COMPARISONS
    compared = [{frozenset(asked[n]) for n in side if n in asked and is_comparison(n)} for side in (of_f, of_g)]
    alone = sorted(node for node in asked if (node in of_f) != (node in of_g))
    both = [n for n in alone if is_comparison(n) and all(frozenset(asked[n]) in side for side in compared)]
    best = both + [n for n in alone if not is_comparison(n)]
    if not own:
        best += alone + sorted(n for n in asked if is_comparison(n))
    return asked[best[0]] if best else None


class Stated:
    """That expressions are in an order: a < b (-1), a = b (0) or a > b (1)."""

    def __init__(self, graph, a, b, order):
        self.a, self.b, self.order = a, b, order
        self.difference = graph.node("-", a, b)

    def rewritten(self, there):
        return Stated(there.graph, there.of(self.a), there.of(self.b), self.order)

    def narrow(self, at):
        """Narrows ranges on a box; False if the order is nowhere on it."""
        (a, b), (c, d), (e, f) = (at.interval(node) for node in (self.a, self.b, self.difference))
        if self.order <= 0:
            b, c, f = min(b, d), max(a, c), min(f, 0.0)
        if self.order >= 0:
            a, d, e = max(a, c), min(b, d), max(e, 0.0)
        for node, low, high in ((self.a, a, b), (self.b, c, d), (self.difference, e, f)):
            if low > high:
                return False
            at.ranges[node] = (low, high, at.of(node)[2])
        return True


def told(domain, pre, node):
    """What the comparisons of a precondition tell of a node that is k (u - v) + c for one of them, u > v say: (sign, c, is_strict), where the
    node differs from c to the side of the sign, or, if that is not strict, not at all."""
    graph, forms, left = domain.graph, domain.forms, [pre]
    own = forms.of(node)
    while left and own and own.den == ONE:
        kind, *parts = graph.nodes[left.pop()]
        left += parts if kind == "and" else []
        given = forms.of(graph.node("-", *parts)) if kind in ("<", "<=", ">", ">=") else None
        mono = next(filter(None, given.num), None) if given else None
        if mono in own.num and given.den == ONE:
            k = own.num[mono] / given.num[mono]
            rest = forms.plus(own.num, given.num, -k)
            if not rest.keys() - {()}:
                yield (1 if k > 0 else -1) * (1 if kind[0] == ">" else -1), rest.get((), fmpq(0)), "=" not in kind


def excluded(domain, pre, a, b):
    """The orders of two expressions that a precondition excludes."""
    for sign, c, is_strict in told(domain, pre, domain.graph.node("-", a, b)):
        if c * sign >= 0:
            yield -sign
            if is_strict or c != 0:
                yield 0


class Told:
    """That an expression is between two numbers, as a precondition tells."""

    def __init__(self, node, low, high):
        self.node, self.low, self.high = node, low, high

    def rewritten(self, there):
        return Told(there.of(self.node), self.low, self.high)

    def narrow(self, at):
        """Narrows ranges on a box; False if the expression is nowhere on it between them."""
        low, high, has = at.of(self.node)
        at.ranges[self.node] = low, high, has = max(low, self.low), min(high, self.high), has
        return low <= high


def told_of(domain, pre, roots):
    """What a precondition tells of the sums and differences in some expressions."""
    sums = [node for node in sorted(domain.graph.below(roots)) if domain.graph.nodes[node][0] in ("+", "-")]
    bounds = lambda sign, c: (c[0], INF) if sign > 0 else (-INF, c[1])
    return [Told(node, *bounds(sign, of_fraction(fraction(c)))) for node in sums for sign, c, _ in told(domain, pre, node)]


def proved_by_order(domain, f, g, pre, asked, depth=DEPTH, own=False, stated=()):
    """Whether a claim about f and g is proved in each order of two expressions. `asked` is what `Domain.covered` asks."""
    graph = domain.graph
    pair = pair_to_order(graph, f, g, domain.surely_has_value, own)
    if pair is None:
        return False
    for order in {-1, 0, 1} - set(excluded(domain, pre, *pair)):
        there = InOrder(graph, pair, order, domain.surely_has_value)
        ours, theirs, inside = there.of(f), there.of(g), there.of(pre)
        if ours == theirs:
            continue
        orders = [one.rewritten(there) for one in stated] + ([] if there.solved else [Stated(graph, *pair, order)])
        if domain.covered(ours, theirs, inside, asked, lambda x: None, BOXES, orders).proved:
            continue
        if depth == 1 or not proved_by_order(domain, ours, theirs, inside, asked, depth - 1, stated=orders):
            return False
    return True
