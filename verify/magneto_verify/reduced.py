"""The same function, written shorter: what always has a value and is one number is written as that number.

Of a loop it is shown round by round which of its variables have a value in each round, and which always have the same one: if that holds
at the beginning of a round, it holds at the end. So a product with 0 is 0 where the other factor surely has a value, a condition that is
always true or false decides, and a loop that surely ends after a few rounds is written out.
"""

from fractions import Fraction

from .formats import fraction
from .fpcore import LEAVES
from .loops import COMPARISONS, Round

# So many rounds of a loop are written out where the last of them is known.
MOST_ROUNDS = 4


class Reduced:
    """Nodes of a graph in a round of the loops around them, whose variables `total` surely have a value. `at` knows what holds for all
    inputs of the domain's ranges."""

    def __init__(self, domain, at, total=frozenset()):
        self.domain, self.at, self.graph, self.total, self.known = domain, at, domain.graph, total, {}
        self.nothing = self.graph.no_value()

    def of(self, node):
        """A node with the same values, and none where there is none."""
        if node not in self.known:
            self.known[node] = self.compute(node, *self.graph.nodes[node])
        return self.known[node]

    def compute(self, node, kind, *parts):
        graph = self.graph
        if kind in LEAVES:
            return node
        if kind == "loop":
            return self.loop(graph.nodes[parts[0]][1], list(map(self.of, parts[1:])))
        if kind == "if":
            condition = self.of(parts[0])
            truth = graph.constant(condition)
            if condition == self.nothing or truth is not None:
                return condition if truth is None else self.of(parts[1] if truth else parts[2])
            return graph.node("if", condition, self.of(parts[1]), self.of(parts[2]))
        parts = list(map(self.of, parts))
        node = graph.node(kind, *parts)
        if self.nothing in parts or self.at.of(node)[2] is False:
            return self.nothing
        value = graph.constant(node)
        if value is None and self.has_value(node):
            value = self.single_value(node, kind, parts)
        if value is None:
            return node
        return graph.node("bool", value) if isinstance(value, bool) else graph.node("number", value.numerator, value.denominator)

    def single_value(self, node, kind, parts):
        """The number or truth that a node is wherever it has a value; None if that is not seen."""
        forms = self.at.forms
        if kind == "*" and any(self.graph.constant(part) == 0 for part in parts):
            return Fraction(0)
        if kind in ("and", "or"):
            return (kind == "or") if any(self.graph.constant(part) is (kind == "or") for part in parts) else None
        if kind in COMPARISONS:
            pair = self.graph.node("-", *parts)
            apart = forms.of(pair)
            sign = None if apart is None else apart.constant()
            return None if sign is None else COMPARISONS[kind](sign, 0)
        form = None if self.graph.is_truth(node) else forms.of(node)
        value = None if form is None else form.constant()
        return None if value is None else fraction(value)

    def has_value(self, node):
        """Whether a node surely has a value."""
        needs = self.domain.needs(self.at, node)
        return all(self.domain.follows(self.at, (), need) or need[1] == "variable" and need[2] in self.total for need in needs)

    def loop(self, own, start):
        """A loop from a state on."""
        graph = self.graph
        total = {v for v, node in zip(own.variables, start) if self.has_value(node)}
        constants = {v: node for v, node in zip(own.variables, start) if graph.nodes[node][0] in ("number", "bool")}
        while True:
            # What holds of all variables at the beginning of a round is to hold at its end.
            inner = Reduced(self.domain, self.at, self.total - set(own.variables) | total)
            within = lambda node: inner.of(graph.replaced(node, own.depth, dict(constants)))
            updates = dict(zip(own.variables, map(within, own.updates)))
            lost = {v for v in total if not inner.has_value(updates[v])}, {v for v, node in constants.items() if updates[v] != node}
            if not any(lost):
                break
            total -= lost[0]
            constants = {v: node for v, node in constants.items() if v not in lost[1]}
        condition, body = within(own.condition), within(own.body)
        if condition == self.nothing or graph.constant(condition) is True:
            # It has no value, or never ends.
            return self.nothing
        if graph.constant(condition) is False:
            return self.of(graph.replaced(body, own.depth, dict(zip(own.variables, start))))
        whole = graph.loop(own.depth, condition, body, list(zip(own.variables, updates.values(), start)))
        return self.written_out(self.numbered(whole))

    def numbered(self, whole):
        """A loop with its variables numbered anew."""
        _, own, *start = self.graph.nodes[whole]
        own = self.graph.nodes[own][1]
        new = {v: self.graph.variable(own.depth, k, v) for k, v in enumerate(own.variables)}
        again = lambda node: self.graph.replaced(node, own.depth, dict(new))
        shorter = Round(own.depth, tuple(new.values()), again(own.condition), tuple(map(again, own.updates)), again(own.body))
        return self.graph.node("loop", self.graph.node("rounds", shorter), *start)

    def written_out(self, whole):
        """A loop that surely ends after a few rounds without its rounds; any other one itself."""
        node = whole
        for _ in range(MOST_ROUNDS):
            kind, *parts = self.graph.nodes[node]
            opened = self.graph.first_round(node) if kind == "loop" else node
            if opened == node:
                break
            _, test, after, end = self.graph.nodes[opened]
            test = self.of(test)
            goes_on = self.graph.constant(test)
            if test == self.nothing:
                return test
            if goes_on is False:
                return self.of(end)
            if goes_on is None:
                break
            kind, *parts = self.graph.nodes[after]
            node = self.graph.node(kind, parts[0], *map(self.of, parts[1:]))
        return whole
