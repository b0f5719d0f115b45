"""Programs in fixed point: the numbers k 2^scale, where k has so many bits in two's complement.

A value is rounded to a multiple of 2^scale in one of five directions. One beyond the ends becomes the number at the end, goes on at
the other end, or nothing is known of it. Where what is known of the operands shows that a result is a number already, nothing is
done with it.
"""

from fractions import Fraction
from typing import NamedTuple

from .formats import INTEGERS, PARAMETERS, fixed, fraction, largest, rational, smallest, two_to, ulp

# The operator that rounds to an integer.
ROUNDED = {"nearestEven": "nearbyint", "nearestAway": "round", "toPositive": "ceil", "toNegative": "floor", "toZero": "trunc"}


class Grid(NamedTuple):
    """The multiples of 2^scale from `low` to `high`."""

    scale: int
    low: Fraction
    high: Fraction

    def has(self, other):
        """Whether each number of another grid is one of this."""
        return other.scale >= self.scale and self.spans(other)

    def spans(self, other):
        """Whether the other's ends are within this one's."""
        return self.low <= other.low and other.high <= self.high

    def is_in(self, name):
        """Whether each number is one of a floating-point format."""
        size = max(-self.low, self.high)
        is_fine = two_to(self.scale) >= ulp(0, name)
        return is_fine and size <= Fraction(2) ** (self.scale + PARAMETERS[name][0]) and rational(size) <= largest(name)

    def union(self, other):
        """A grid with the numbers of both."""
        return Grid(min(self.scale, other.scale), min(self.low, other.low), max(self.high, other.high))


def grid_of(name):
    """The numbers of a fixed-point format."""
    return Grid(fixed(name)[0], fraction(smallest(name)), fraction(largest(name)))


def grid_of_number(x):
    """One rational number as a multiple of a power of two, if it is one; 0 is one of each."""
    if x.denominator & x.denominator - 1:
        return None
    zeros = lambda n: (n & -n).bit_length() - 1 if n else 1000
    return Grid(zeros(x.numerator) - zeros(x.denominator), x, x)


def computed(op, of):
    """The grid of an operation's results, where those of its operands show one."""
    if not of or None in of:
        return None
    a, *rest = of
    b = rest[0] if rest else None
    plus = lambda a, b: Grid(min(a.scale, b.scale), a.low + b.low, a.high + b.high)
    minus = lambda a: Grid(a.scale, -a.high, -a.low)

    def times(a, b):
        ends = [x * y for x in a[1:] for y in b[1:]]
        return Grid(a.scale + b.scale, min(ends), max(ends))

    if op in INTEGERS:
        return Grid(max(a.scale, 0), *(Fraction(INTEGERS[op](x)) for x in a[1:]))
    made = {
        "+": lambda: plus(a, b),
        "-": lambda: plus(a, minus(b)),
        "*": lambda: times(a, b),
        "fma": lambda: plus(times(a, b), rest[1]),
        "neg": lambda: minus(a),
        "fabs": lambda: Grid(a.scale, Fraction(0), max(abs(a.low), abs(a.high))),
        "fmin": lambda: Grid(min(a.scale, b.scale), min(a.low, b.low), min(a.high, b.high)),
        "fmax": lambda: Grid(min(a.scale, b.scale), max(a.low, b.low), max(a.high, b.high)),
    }
    return made[op]() if op in made else None


class FixedPoint(NamedTuple):
    """How a program computes."""

    scale: int
    bits: int
    direction: str
    overflow: str

    @property
    def grid(self):
        """Its numbers."""
        half = Fraction(2) ** (self.scale + self.bits - 1)
        return Grid(self.scale, -half, half - Fraction(2) ** self.scale)

    def nearest(self, x):
        """The number that a rational number is rounded to; None where nothing is known of it."""
        unit, grid = Fraction(2) ** self.scale, self.grid
        y = INTEGERS[ROUNDED[self.direction]](x / unit) * unit
        if grid.low <= y <= grid.high:
            return y
        if self.overflow == "clamp":
            return max(grid.low, min(grid.high, y))
        return (y - grid.low) % (-2 * grid.low) + grid.low if self.overflow == "wrap" else None

    def rounded(self, graph, node, exact):
        """The node of a value that is rounded; `exact` is the grid of its values, if there is one."""
        number = lambda x: graph.node("number", x.numerator, x.denominator)
        if exact is None or exact.scale < self.scale:
            op = ROUNDED[self.direction]
            unit = Fraction(2) ** self.scale
            node = graph.node(op, graph.node("*", node, number(1 / unit)) if self.scale else node)
            node = graph.node("*", node, number(unit)) if self.scale else node
        grid = self.grid
        if exact is not None and grid.spans(exact):
            return node
        low, high = number(grid.low), number(grid.high)
        if self.overflow == "clamp":
            return graph.node("fmin", graph.node("fmax", node, low), high)
        if self.overflow == "wrap":
            # The length is an even number of units, so that nothing is half of it after half a unit more.
            half = number(Fraction(2) ** (self.scale - 1))
            return graph.node("-", graph.node("remainder", graph.node("+", node, half), number(-2 * grid.low)), half)
        inside = graph.node("and", graph.node("<=", low, node), graph.node("<=", node, high))
        return graph.node("if", inside, node, graph.no_value())
