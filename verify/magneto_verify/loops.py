"""Runs the loops of FPCore, and what is about arrays.

A loop is run as long as its condition is a constant. From where the condition depends on the inputs, the loop is one node over
the nodes of a single round, so that a loop is as small as its text.
"""

from dataclasses import dataclass
from itertools import count, product

from .texts import Unreadable, spelled

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
    """Runs the loops of FPCore for whoever can `build` a tree, and knows the `constant` that a built one is, if it is one."""

    rounds = depth = 0
    # Whether loops that may end in any round are followed.
    follows_open_loops = False

    def refuse_other(self, wanted, built, part, what=None):
        """Refuses what was built of another sort, for whoever knows sorts."""

    def run(self, tree, build, scope):
        """What a loop, a tensor, or something about an array is built to."""
        head, rest = tree[0], tree[1:]
        if head == "array":
            return [build(t, scope) for t in rest]
        if head in ("ref", "dim", "size"):
            array = build(rest[0], scope)
            places = [self.index(t, build, scope) for t in rest[1:]]
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
            return self.number_of(sizes[places[0]] if head == "size" else len(sizes), build)
        if head in ("tensor", "tensor*"):
            *variables, body = rest[1:]
            inner = scope | {name: build(init, scope) for name, init, _ in variables[0]} if variables else dict(scope)
            return self.tensor(rest[0], (variables[0] if variables else [], body), build, inner, {})
        if head in ("while", "while*"):
            return self.guarded(head, rest, build, scope)
        inner = scope | {name: build(init, scope) for name, init, _ in rest[1]}
        sizes = [range(self.index(size, build, scope)) for _, size in rest[0]]
        for places in product(*sizes):
            seen = inner | {name: self.number_of(k, build) for (name, _), k in zip(rest[0], places)}
            inner = inner | self.updated(head, rest[1], build, seen)
        return build(rest[2], inner)

    def tensor(self, indices, element, build, scope, places):
        """The elements in order; `scope` keeps what the variables become from one to the next."""
        if not indices:
            variables, body = element
            scope |= self.updated("for*", variables, build, scope | places)
            return build(body, scope | places)
        (name, size), more = indices[0], indices[1:]
        count = self.index(size, build, scope)
        return [self.tensor(more, element, build, scope, places | {name: self.number_of(k, build)}) for k in range(count)]

    def guarded(self, head, rest, build, scope):
        condition, variables, body = rest
        inner = dict(scope)
        for name, init, _ in variables:
            inner[name] = build(init, inner if head == "while*" else scope)
        seen, ends, followed, start = set(), [], 0, inner
        can_be_one = self.follows_open_loops and self.context is None
        for n in count():
            test = build(condition, inner)
            self.refuse_other("a condition", test, condition, "what a loop asks")
            goes_on = self.constant(test)
            if can_be_one and (goes_on is None or n == CLOSED_ROUNDS):
                whole, can_be_one = self.as_one_node(head, rest, build, inner if goes_on is None else start), False
                if whole is not None:
                    return whole
            if goes_on is None:
                if not self.follows_open_loops:
                    raise Unreadable("whether a loop goes on depends on the inputs")
                ends.append((test, build(body, inner)))
            elif not goes_on:
                last = build(body, inner)
                break
            followed += bool(ends)
            if followed > OPEN_ROUNDS:
                last = self.unknown(ends[-1][1], (repr((head, condition, variables, body)), *flat(list(inner.values()))))
                break
            state = frozen(["nodes", *(inner[name] for name, _, _ in variables)])
            known = frozen(["numbers", *(self.known(inner[name]) for name, _, _ in variables)])
            if state in seen or known in seen and not ends:
                # What decides has been so before: the loop has ended by now, or never ends and has no value.
                last = self.nothing(build(body, inner), build)
                break
            seen |= {state, known}
            inner = inner | self.updated(head, variables, build, inner)
        for test, value in reversed(ends):
            last = self.chosen(test, last, value)
        return last

    def as_one_node(self, head, rest, build, scope):
        """A loop from a state on, as one node for each element of its result; None if a round is not the same for all states."""
        condition, variables, body = rest
        start = [scope[name] for name, _, _ in variables]
        depth, places = self.depth, count()
        own = [mapped(lambda one: self.variable(depth, next(places), one), built) for built in start]
        inner = scope | {name: built for (name, _, _), built in zip(variables, own)}
        self.depth += 1
        try:
            test, result = build(condition, inner), build(body, inner)
            after = self.updated(head, variables, build, inner)
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
        return self.node("loop", self.node("round", Round(depth, own, test, after, body)), *start)

    def nothing(self, built, build):
        """No value for each element of what was built."""
        return [self.nothing(b, build) for b in built] if isinstance(built, list) else build(["/", "1", "0"], {})

    def unknown(self, built, key):
        """For each element of what was built a node of which nothing is known, but that it is the same for the same key."""
        if isinstance(built, list):
            return [self.unknown(b, (k, *key)) for k, b in enumerate(built)]
        return self.node("unknown", self.keys.setdefault(key, len(self.keys)), *([True] if self.is_truth(built) else []))

    def updated(self, head, variables, build, scope):
        """The next values of the variables of a loop: with a star each sees those before it."""
        self.count()
        seen, found = dict(scope), {}
        for name, _, update in variables:
            found[name] = build(update, seen if head.endswith("*") else scope)
            seen[name] = found[name]
        return found

    def count(self):
        self.rounds += 1
        if self.rounds > MOST_ROUNDS:
            raise Unreadable("the loops go round too often")

    def known(self, built):
        return [self.known(b) for b in built] if isinstance(built, list) else self.constant(built)

    def number_of(self, k, build):
        """What an index or a size is built to."""
        return build(str(k), {})

    def index(self, tree, build, scope):
        """The number of an index or a size."""
        return self.natural(build(tree, scope))

    def natural(self, built):
        value = None if isinstance(built, list) else self.constant(built)
        if value is None or isinstance(value, bool) or value != int(value) or value < 0:
            raise Unreadable("a size or an index is no natural number")
        return int(value)


def mapped(function, built):
    """Lists with each element replaced."""
    return [mapped(function, b) for b in built] if isinstance(built, list) else function(built)


def frozen(built):
    """Lists as tuples, to be looked up."""
    return tuple(map(frozen, built)) if isinstance(built, list) else built


def flat(built):
    """The elements of an array in order; a number alone."""
    return [one for part in built for one in flat(part)] if isinstance(built, list) else [built]
