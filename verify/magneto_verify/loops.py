"""Runs the loops of FPCore, and what is about arrays.

A loop is run as long as its condition is a constant. From where the condition depends on the inputs, the loop is one node over
the nodes of a single round, so that a loop is as small as its text.
"""

import operator
from dataclasses import dataclass
from itertools import count, product

from .formats import PARAMETERS
from .texts import Unreadable, number, spelled

COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}
CLASSES = {"isfinite", "isinf", "isnan", "isnormal", "signbit"}
LOOPS = {"while", "while*", "for", "for*", "tensor", "tensor*", "array", "ref", "dim", "size"}
# How often the loops of a formula may go round.
MOST_ROUNDS = 1_000_000
# So many rounds of a loop are written out where each may be the last, and so many where it is known that each is not.
OPEN_ROUNDS, CLOSED_ROUNDS = 100, 50


@dataclass(frozen=True)
class Round:
    """A round of a loop: the nodes of its condition, of what its variables become and of a result, over the nodes of the variables.
    `depth` counts the loops around it."""

    depth: int
    variables: tuple
    condition: int
    updates: tuple
    body: int

    def nodes(self):
        return (self.condition, self.body, *self.updates)


class Loops:
    """Builds trees, and runs their loops, for whoever says what is `made` of operations, and knows the `constant` that a built one is, if it
    is one. `context` says how a program computes."""

    rounds = depth = 0
    # Whether loops that may end in any round are followed.
    follows_open_loops = False

    def build(self, tree, scope):
        """What an expression is built to; `scope` has what its variables were built to."""
        if isinstance(tree, str):
            return scope[tree] if tree in scope else self.leaf(tree)
        if not tree or not isinstance(tree[0], str):
            raise Unreadable(f"`{spelled(tree)}` has no operator")
        head, rest = tree[0], tree[1:]
        if head == "!":
            return self.in_context(dict(zip(rest[:-1:2], rest[1:-1:2])), rest[-1] if rest else head, scope)
        if head == "cast":
            return self.held(self.build(tree[-1], scope))
        if head in ("let", "let*"):
            inner = dict(scope)
            for name, value in rest[0]:
                inner[name] = self.build(value, inner if head == "let*" else scope)
            return self.build(rest[1], inner)
        if head == "digits":
            mantissa, power, base = (number(part) for part in rest)
            return self.literal(mantissa * base ** int(power))
        if head in LOOPS:
            return self.run(tree, scope)
        args = [self.build(a, scope) for a in rest]
        self.refuse_ill_typed(tree, args)
        if head in COMPARISONS:
            # A comparison of many is one of neighbours, or of all pairs for `!=`.
            pairs = [(i, j) for j in range(len(args)) for i in range(j) if head == "!=" or j == i + 1]
            return self.made("and", *(self.made(head, args[i], args[j]) for i, j in sorted(pairs)))
        if head == "if":
            return self.chosen(*args)
        if head in ("and", "or", "not") or head in CLASSES:
            return self.made(head, *args)
        if head in PARAMETERS:
            return self.nearest(head, args[0])
        value, *more = map(self.held, args)
        if head == "-" and not more:
            return self.operation("neg", value)
        if head not in "+-*/":
            return self.operation(head, value, *more)
        for other in more:
            value = self.operation(head, value, other)
        return value

    def refuse_ill_typed(self, tree, args):
        """Refuses an operation with operands that it does not take, for whoever knows sorts."""

    def refuse_other(self, wanted, built, part, what=None):
        """Refuses what was built of another sort, for whoever knows sorts."""

    def run(self, tree, scope):
        """What a loop, a tensor, or something about an array is built to."""
        head, rest = tree[0], tree[1:]
        if head == "array":
            return [self.build(t, scope) for t in rest]
        if head in ("ref", "dim", "size"):
            array = self.build(rest[0], scope)
            places = [self.index(t, scope) for t in rest[1:]]
            if head == "ref":
                for place in places:
                    if not isinstance(array, list) or place >= len(array):
                        raise Unreadable(f"`{spelled(tree)}` is no element")
                    array = array[place]
                return array
            sizes = []
            while isinstance(array, list):
                sizes.append(len(array))
                array = array[0]
            return self.number_of(sizes[places[0]] if head == "size" else len(sizes))
        if head in ("tensor", "tensor*"):
            *variables, body = rest[1:]
            inner = scope | {name: self.build(init, scope) for name, init, _ in variables[0]} if variables else dict(scope)
            return self.tensor(rest[0], (variables[0] if variables else [], body), inner, {})
        if head in ("while", "while*"):
            return self.guarded(head, rest, scope)
        inner = scope | {name: self.build(init, scope) for name, init, _ in rest[1]}
        sizes = [range(self.index(size, scope)) for _, size in rest[0]]
        for places in product(*sizes):
            seen = inner | {name: self.number_of(k) for (name, _), k in zip(rest[0], places)}
            inner = inner | self.updated(head, rest[1], seen)
        return self.build(rest[2], inner)

    def tensor(self, indices, element, scope, places):
        """The elements in order; `scope` keeps what the variables become from one to the next."""
        if not indices:
            variables, body = element
            scope |= self.updated("for*", variables, scope | places)
            return self.build(body, scope | places)
        (name, size), more = indices[0], indices[1:]
        count = self.index(size, scope)
        return [self.tensor(more, element, scope, places | {name: self.number_of(k)}) for k in range(count)]

    def guarded(self, head, rest, scope):
        condition, variables, body = rest
        inner = dict(scope)
        for name, init, _ in variables:
            inner[name] = self.build(init, inner if head == "while*" else scope)
        seen, ends, followed, start = set(), [], 0, inner
        can_be_one = self.follows_open_loops and self.context is None
        for n in count():
            test = self.build(condition, inner)
            self.refuse_other("a condition", test, condition, "what a loop asks")
            goes_on = self.constant(test)
            if can_be_one and (goes_on is None or n == CLOSED_ROUNDS):
                whole, can_be_one = self.as_one_node(head, rest, inner if goes_on is None else start), False
                if whole is not None:
                    return whole
            if goes_on is None:
                if not self.follows_open_loops:
                    raise Unreadable("whether a loop goes on depends on the inputs")
                ends.append((test, self.build(body, inner)))
            elif not goes_on:
                last = self.build(body, inner)
                break
            followed += bool(ends)
            if followed > OPEN_ROUNDS:
                last = self.unknown(ends[-1][1], (repr((head, condition, variables, body)), *flat(list(inner.values()))))
                break
            state = frozen(["nodes", *(inner[name] for name, _, _ in variables)])
            known = frozen(["numbers", *(mapped(self.constant, inner[name]) for name, _, _ in variables)])
            if state in seen or known in seen and not ends:
                # What decides has been so before: the loop has ended by now, or never ends and has no value.
                last = self.nothing(self.build(body, inner))
                break
            seen |= {state, known}
            inner = inner | self.updated(head, variables, inner)
        for test, value in reversed(ends):
            last = self.chosen(test, last, value)
        return last

    def as_one_node(self, head, rest, scope):
        """A loop from a state on, as one node for each element of its result; None if a round is not the same for all states."""
        condition, variables, body = rest
        start = [scope[name] for name, _, _ in variables]
        depth, places = self.depth, count()
        own = [mapped(lambda one: self.variable(depth, next(places), one), built) for built in start]
        inner = scope | {name: built for (name, _, _), built in zip(variables, own)}
        self.depth += 1
        try:
            test, result = self.build(condition, inner), self.build(body, inner)
            after = self.updated(head, variables, inner)
        except Unreadable:
            # A size or an index that is a number in each round.
            return None
        finally:
            self.depth -= 1
        after = [after[name] for name, _, _ in variables]
        shape = lambda built: mapped(lambda _: None, built)
        if shape(start) != shape(after):
            return None
        places = list(zip(flat(own), flat(after), flat(start)))
        return mapped(lambda one: self.loop(depth, test, one, places), result)

    def loop(self, depth, test, body, places):
        """The node of a loop with one result, of (variable, update, start) for each of its variables."""
        updates, left, needed = {own: update for own, update, _ in places}, [test, body], set()
        while left:
            found = self.below([left.pop()], with_rounds=True) & updates.keys() - needed
            needed |= found
            left += [updates[own] for own in found]
        kept = [place for place in places if place[0] in needed]
        own, after, start = zip(*kept) if kept else ((), (), ())
        return self.node("loop", self.node("rounds", Round(depth, own, test, after, body)), *start)

    def nothing(self, built):
        """No value for each element of what was built."""
        return mapped(lambda _: self.build(["/", "1", "0"], {}), built)

    def unknown(self, built, key):
        """For each element of what was built a node of which nothing is known, but that it is the same for the same key."""
        if isinstance(built, list):
            return [self.unknown(b, (k, *key)) for k, b in enumerate(built)]
        return self.node("unknown", self.keys.setdefault(key, len(self.keys)), *([True] if self.is_truth(built) else []))

    def updated(self, head, variables, scope):
        """The next values of the variables of a loop: with a star each sees those before it."""
        self.count()
        seen, found = dict(scope), {}
        for name, _, update in variables:
            found[name] = self.build(update, seen if head.endswith("*") else scope)
            seen[name] = found[name]
        return found

    def count(self):
        self.rounds += 1
        if self.rounds > MOST_ROUNDS:
            raise Unreadable("the loops go round too often")

    def number_of(self, k):
        """What an index or a size is built to."""
        return self.build(str(k), {})

    def index(self, tree, scope):
        """The number of an index or a size."""
        built = self.build(tree, scope)
        value = None if isinstance(built, list) else self.constant(built)
        if value is None or isinstance(value, bool) or value != int(value) or value < 0:
            raise Unreadable("a size or an index is no natural number")
        return int(value)


def choose(yes, no, made):
    """What is `made` of both sides of an `if`; of arrays an array of such."""
    if isinstance(yes, list) or isinstance(no, list):
        if not isinstance(yes, list) or not isinstance(no, list) or len(yes) != len(no):
            raise Unreadable("the sides of an if differ in size")
        return [choose(y, n, made) for y, n in zip(yes, no)]
    return made(yes, no)


def mapped(function, built):
    """Lists with each element replaced."""
    return [mapped(function, b) for b in built] if isinstance(built, list) else function(built)


def frozen(built):
    """Lists as tuples, to be looked up."""
    return tuple(map(frozen, built)) if isinstance(built, list) else built


def flat(built):
    """The elements of an array in order; a number alone."""
    return [one for part in built for one in flat(part)] if isinstance(built, list) else [built]
