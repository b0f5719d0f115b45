"""Where an expression has a value: what it needs to have one, and what follows from the needs of another one."""

from .boxes import has_inputs
from .formats import INTEGERS, PARAMETERS
from .ranges import within_domain

# Of so many expressions on a box it is asked what they need to have a value.
MOST_NEEDS = 20_000
# Functions with a value at x and -x or at none of them.
SYMMETRIC = ("tan", "asin", "acos", "atanh")
# Operations that make rational numbers of rational numbers.
RATIONAL = {"+", "-", "*", "/", "neg", "fabs", "fma", "fmin", "fmax", "fdim", "copysign", *INTEGERS, *PARAMETERS}
# Functions whose values are above 0, however small.
POSITIVE = ("exp", "exp2", "cosh")


class Needs:
    """What is known of the needs of a graph's nodes in a domain, the inputs of which are in one `box`."""

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
        elif kind == "tan" and self.is_rational(rest[0]):
            # The poles are irrational.
            own = set()
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

    def is_rational(self, node):
        """Whether an expression is a rational number at each input at which it has a value."""
        kind, *parts = self.graph.nodes[node]
        return kind in ("input", "number") or kind in RATIONAL and all(map(self.is_rational, parts))

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
