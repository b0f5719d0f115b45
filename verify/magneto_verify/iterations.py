"""Where no number of the result format is near enough to f, so that no test is there: where |f| is beyond all of them, or f is not 0
and below all the others.

An iteration that comes near to 0 is such a function, and its intervals do not show it: what the terms of a round leave is smaller than
binary64 can tell from 0. So f is taken as a chain of functions of one number, each applied to what the one before it gives. The
normal form of such a function, t^n P(t) / Q(t), shows how large its value is, of which sign, and that it is not 0.
"""

from flint import arb, ctx

from .formats import PARAMETERS, fraction, largest as largest_number, rational, ulp
from .forms import Forms
from .fpcore import LEAVES
from .ranges import BITS, add, largest, least, mul, of_arb, of_fraction, power

# Operations that have a value only where all of their operands have one.
ARITHMETIC = {"+", "-", "*", "/", "neg", "fma", "pow"}
# A number of which nothing is known is a variable of a loop so deep that there is none; so many steps are compared, and which next ones.
STEP_DEPTH, MOST_STEPS = 60, 300
AHEAD = sorted(((i, j) for i in range(7) for j in range(7) if i + j), key=lambda ahead: (ahead != (1, 1), max(ahead), sum(ahead)))


class Chain:
    """A function as a chain: its `first` node, which intervals enclose, and of each later one the form over the one before."""

    def __init__(self, graph, root):
        self.graph, self.first, self.links = graph, root, []
        before = None
        for node in necks(graph, root):
            form = before is not None and self.over(before, node)
            if form:
                self.links.append(form)
            else:
                self.first, self.links = node, []
            before = node

    def over(self, before, node):
        """(n, P, Q) with the value of a node t^n P(t) / Q(t) for that of another one, t, which it needs; None if it is not seen to be so."""
        forms = Forms(self.graph, [])
        forms.forms[before] = forms.leaf(("link",), [])
        form = forms.of(node)
        if form is None or len(forms.values) > 1:
            return None
        sides = [{mono[0][1] if mono else 0: c for mono, c in side.items()} for side in (form.num, form.den)]
        if not sides[0]:
            return None
        (m, p), (n, q) = ((min(side), {k - min(side): c for k, c in side.items()}) for side in sides)
        return m - n, p, q

    def size(self, at):
        """Bounds of |f| on a box, wherever f has a value, the lower one not 0; None if that is not shown."""
        x = at.interval(self.first)
        if x[0] <= 0 <= x[1]:
            return None
        ctx.prec = BITS
        is_positive, low, high = x[0] > 0, arb(least(x)), arb(largest(x))
        for n, *sides in self.links:
            if not high.is_finite():
                return None
            near, far = of_arb(low, high)
            t = (max(near, 0.0), far) if is_positive else (-far, min(-near, 0.0))
            p, q = (polynomial(side, t) for side in sides)
            if p[0] <= 0 <= p[1] or q[0] <= 0 <= q[1]:
                return None
            ends = (low, high) if n >= 0 else (high, low)
            low = (ends[0] ** n * least(p) / largest(q)).lower()
            high = (ends[1] ** n * largest(p) / least(q)).upper()
            is_positive = (is_positive or n % 2 == 0) == ((p[0] > 0) == (q[0] > 0))
        return (low, high) if low > 0 else None


def same_by_steps(domain, f, g):
    """Whether two expressions are one function because they go the same steps: of each what it makes of any number is one function with
    what the other makes of it, whatever is in that number."""
    # An input is a step, too, where there is one; beside several it takes part in any step.
    return any(goes_same_steps(domain, f, g, are_free) for are_free in (True, False))


def goes_same_steps(domain, f, g, are_free):
    graph, reached = domain.graph, (0, 0)
    # Of what is no number none is a step. One step more than there are: before the first nothing is reached.
    steps = [[None] + [n for n in necks(graph, root, are_free) if not graph.is_truth(n)] for root in (f, g)]
    anything = graph.node("variable", STEP_DEPTH, 0)
    if max(map(len, steps)) > MOST_STEPS:
        return False
    while reached != (len(steps[0]) - 1, len(steps[1]) - 1):
        for ahead in AHEAD:
            there = [at + n for at, n in zip(reached, ahead)]
            if all(at < len(own) for at, own in zip(there, steps)) and (0 not in there):
                ends = [over(graph, own[at], own[before], anything, {}) for own, at, before in zip(steps, there, reached)]
                if domain.is_one_function(*ends):
                    reached = tuple(there)
                    break
        else:
            return False
    return True


def over(graph, node, before, anything, made):
    """A node with another one in the place of one below it."""
    if node == before:
        return anything
    if node not in made:
        kind, *parts = graph.nodes[node]
        made[node] = node if kind in LEAVES else graph.node(kind, *(over(graph, part, before, anything, made) for part in parts))
    return made[node]


def necks(graph, root, are_free=None):
    """The nodes, from below, on which the root depends through them alone from there on; the root is the last. By arithmetic, or with
    `are_free`, which says whether the inputs may be anywhere, by any operations."""
    # The operands of a node are made before it.
    nodes, depends, last_use, opaque = sorted(graph.below([root])), set(), {}, -1
    for node in nodes:
        kind, *parts = graph.nodes[node]
        parts = [] if kind in LEAVES else parts
        is_opaque = are_free is None and kind not in ("number", *ARITHMETIC)
        if is_opaque:
            opaque = node
        if is_opaque or kind == "input" or not depends.isdisjoint(parts):
            depends.add(node)
        last_use |= dict.fromkeys(parts, node)
    found, used_to = [], opaque
    if are_free:
        depends = {node for node in depends if graph.nodes[node][0] != "input"}
    for node in nodes:
        if node in depends and node >= used_to:
            found.append(node)
        if node in depends and node != root:
            used_to = max(used_to, last_use[node])
    return found or [root]


def polynomial(terms, t):
    """The range of a polynomial, from powers to coefficients, on an interval (Horner)."""
    found, before = (0.0, 0.0), None
    for k in sorted(terms, reverse=True):
        c = terms[k]
        if before is not None:
            found = mul(found, power(t, (float(before - k),) * 2)[:2])
        c = of_fraction(fraction(c))
        found, before = add(found, c), k
    return found if not before else mul(found, power(t, (float(before),) * 2)[:2])


def holds_no_number(size, core):
    """Whether no number of the result format is valid where |f| is between two numbers, of which the first is not 0."""
    (low, high), (rel, absolute, ulps), name = size, core.accuracy, core.result
    if name not in PARAMETERS:
        return False
    ctx.prec = BITS
    part = rational(rel or 0)
    if not absolute and ulps is None and part < 1 and high < arb(ulp(0, name)) / 2:
        return True
    if ulps is not None:
        if ulps[1] not in PARAMETERS:
            return False
        # An ulp of so large a number is at most this part of it.
        part = max(part, rational(ulps[0] * 2) / 2 ** PARAMETERS[ulps[1]][0])
    return part < 1 and low * arb(1 - part) - arb(rational(absolute or 0)) > arb(largest_number(name))
