"""Boxes of inputs: the ranges that a precondition gives them, and the search that cuts them.

The ends of a box are numbers of the inputs' formats, and two parts of it share none, so that a comparison of an input with a number is decided
after finitely many cuts.
"""

import math

from .balls import Num
from .evaluator import Evaluator
from .formats import ceil_to, floor_to, largest, plain_float, rational, smallest, step
from .fpcore import LEAVES

# Boxes for one claim.
MOST_BOXES = 6000
OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "=="}


class Found:
    """How a search over a domain ended: `proved`, an input that refutes the claim, or why neither."""

    def __init__(self, proved=False, refuted=None, why="", boxes=0):
        self.proved, self.refuted, self.why, self.boxes = proved, refuted, why, boxes


def ranges_of_inputs(graph, core):
    """For each input its least and largest number as the precondition's comparisons with numbers bound it; None if there
    are none. Every input that satisfies the precondition is in these ranges."""
    everything = lambda: [[smallest(f), largest(f)] for f in core.formats]
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
            there = largest(name) * (2 if up else -2)
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
