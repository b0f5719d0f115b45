"""What holds at single inputs: values, valid sets, oracles, kills.

A valid set is [f(x) - t(x), f(x) + t(x)] with the largest tolerance t that the accuracy allows at f(x). Each question is
asked at rising precision until balls settle it; None means that they do not.
"""

from fractions import Fraction

from flint import arb, ctx, fmpq

from .balls import OPEN, UNDEFINED, Num, ends
from .evaluator import Evaluator
from .formats import PARAMETERS, ceil_to, floor_to, hex_text, rational, read_hex, step, two_to, ulp

LADDER = [128, 640, 2048, 5000]


class View:
    """One function at one input: the value and its valid set, at one precision."""

    def __init__(self, evaluator, core):
        self.inside = evaluator.value(core.pre)
        value = evaluator.value(core.body)
        self.value = value if isinstance(value, Num) or value is OPEN else UNDEFINED
        self.tolerance, self.accuracy = None, core.accuracy
        if isinstance(self.value, Num):
            self.tolerance = tolerance(self.value, core.accuracy)
            if self.tolerance is None:
                self.value = OPEN


def tolerance(value, accuracy):
    """The largest tolerance at a value: a rational number or a ball; None if not settled."""
    rel, absolute, ulps = accuracy
    size = abs(value.rational) if value.rational is not None else abs(value.ball)
    parts = []
    if rel is not None:
        parts.append(rational(rel) * size)
    if absolute is not None:
        parts.append(rational(absolute))
    if ulps is not None:
        unit = unit_at(value, ulps[1])
        if unit is None:
            return None
        parts.append(rational(ulps[0]) * unit)
    most = parts[0]
    for part in parts[1:]:
        if isinstance(most, fmpq) and isinstance(part, fmpq):
            most = max(most, part)
        else:
            most = arb.max(arb(most), arb(part))
    return most


def unit_at(value, name):
    """ulp at a value, a ball where it is not settled which; None for a value without bounds."""
    if value.rational is not None:
        return ulp(value.rational, name)
    low, high = ends(abs(value.ball))
    if low is None or high is None:
        # Far beyond all formats an ulp is a part of the value between 2^-p and 2^(1-p).
        p = PARAMETERS[name][0]
        is_vast = value.ball.is_finite() and abs(value.ball) > 1
        return abs(value.ball) * arb(two_to(-p)).union(arb(two_to(1 - p))) if is_vast else None
    # A ball around 0 has its magnitude from 0 on, and not from its lower end.
    a, b = ulp(max(low, fmpq(0)), name), ulp(high, name)
    return a if a == b else arb(a).union(arb(b))


def plain(value):
    """A value as a rational number or a ball."""
    return value.rational if value.rational is not None else value.ball


def surely(relation, a, b):
    """a < b or a <= b, surely; exact for rational numbers."""
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return a < b if relation == "<" else a <= b
    a, b = arb(a), arb(b)
    return a < b if relation == "<" else a <= b


def at_most(a, b):
    """Whether a <= b: True, False, or None."""
    return True if surely("<=", a, b) else False if surely("<", b, a) else None


def disjoint(f, g):
    """Whether two valid sets are disjoint: True, False, or None."""
    a, b, s, t = plain(f.value), plain(g.value), f.tolerance, g.tolerance
    if surely("<", a + s, b - t) or surely("<", b + t, a - s):
        return True
    if surely("<=", b - t, a + s) and surely("<=", a - s, b + t):
        return False
    return None


def within(f, g):
    """Whether the valid set of g surely is inside that of f; False if it surely is not."""
    if f.value.name == g.value.name and f.accuracy == g.accuracy:
        return True
    a, b, s, t = plain(f.value), plain(g.value), f.tolerance, g.tolerance
    if surely("<=", a - s, b - t) and surely("<=", b + t, a + s):
        return True
    return False if surely("<", b - t, a - s) or surely("<", a + s, b + t) else None


def same(f, g):
    """Whether two values are equal."""
    if f.value.name == g.value.name:
        return True
    a, b = plain(f.value), plain(g.value)
    return False if surely("<", a, b) or surely("<", b, a) else None


def ratio_within(bound):
    """The question whether |f - g| <= bound (t_f + t_g)."""
    def ask(f, g):
        if f.value.name == g.value.name:
            return True
        return at_most(abs(plain(f.value) - plain(g.value)), rational(Fraction(bound)) * (f.tolerance + g.tolerance))

    return ask


class Points:
    """A specification, asked about at single inputs. An input is a tuple of rational numbers."""

    def __init__(self, graph, core, most_bits=5000):
        self.graph, self.core = graph, core
        self.ladder = [b for b in LADDER if b <= most_bits]
        # Questions that no precision settled.
        self.open = 0
        self.forget()

    def forget(self):
        """Drops what is kept of inputs."""
        self.evaluators, self.views, self.known = {}, {}, {}
        # By the identity of an input, which is looked up far more often than made: its numbers, and the input, so that
        # no other one gets its identity.
        self.keys = {}

    def key(self, x):
        """What stands for an input in tables."""
        found = self.keys.get(id(x))
        if found is None:
            found = self.keys[id(x)] = (tuple((int(v.p), int(v.q)) for v in x), x)
        return found[0]

    def remember(self, what, core, x, ask):
        """The first answer of a question about one function at an input, asked once."""
        key = (what, core, self.key(x))
        if key not in self.known:
            self.known[key] = self.settle(ask)
        return self.known[key]

    def evaluator(self, x, bits):
        key = (self.key(x), bits)
        if key not in self.evaluators:
            self.evaluators[key] = Evaluator(self.graph, x, bits)
        ctx.prec = bits
        return self.evaluators[key]

    def view(self, core, x, bits):
        key = (core, self.key(x), bits)
        view = self.views.get(key)
        if view is None:
            view = self.views[key] = View(self.evaluator(x, bits), core)
        return view

    def settle(self, question, ladder=None):
        """The first answer of a question that takes a precision; None if it has none."""
        for bits in ladder or self.ladder:
            ctx.prec = bits
            answer = question(bits)
            if answer is not None:
                return answer
        self.open += 1
        return None

    def settle_pair(self, question, first, second, x, ladder=None):
        """The first answer of a question on two functions where both have a value; None if it has none."""
        def ask(bits):
            f, g = self.view(first, x, bits), self.view(second, x, bits)
            return question(f, g) if isinstance(f.value, Num) and isinstance(g.value, Num) else None

        return self.settle(ask, ladder)

    def inside(self, core, x):
        """Whether an input satisfies a precondition; one without a value does not hold."""
        def ask(bits):
            held = self.evaluator(x, bits).value(core.pre)
            return None if held is OPEN else held is True

        return self.remember("inside", core, x, ask)

    def defined(self, core, x):
        """Whether a function has a value at an input."""
        def ask(bits):
            value = self.view(core, x, bits).value
            return None if value is OPEN else value is not UNDEFINED

        return self.remember("defined", core, x, ask)

    def in_domain(self, x):
        """Whether an input satisfies the precondition and f has a value there; None if not settled."""
        both = self.inside(self.core, x), self.defined(self.core, x)
        return False if False in both else None if None in both else True

    def spares(self, x, killed):
        """Whether no test at an input tells functions apart, of which `killed` says whether they differ by so much there; where no
        number is valid there is no test."""
        inside = self.inside(self.core, x)
        if killed is False or inside and (self.defined(self.core, x) is False or self.oracle(x) == (None, None)):
            return True
        is_open = killed is None or inside is None or inside and self.oracle(x) is None
        return None if is_open else False

    def tells(self):
        """Whether the response that is owed outside the domain can be told from a result."""
        return self.core.response in ("reject", "nan")

    def kill(self, core, x):
        """Whether a mutant is told from the specification at an input: True, False, or None."""
        ours, theirs = self.inside(self.core, x), self.inside(core, x)
        if ours is theirs is False:
            return False
        f, g = self.defined(self.core, x), self.defined(core, x)
        if ours and f is False:
            # Nothing is asked of a program there.
            return False
        if ours and theirs and f and g is None:
            return self.is_vast(core, x)
        if None in (ours, theirs, f, g):
            return None
        if ours and theirs and not g and self.core.response == "saturate":
            # It may be that it returns an end of the format there, or not.
            return None
        ours, theirs = ours and f, theirs and g
        if ours and theirs:
            if core.body == self.core.body and core.accuracy == self.core.accuracy:
                return False
            return self.settle_pair(disjoint, self.core, core, x)
        return ours != theirs and self.tells()

    def is_vast(self, core, x):
        """Whether a mutant surely has a value, so large that it is no valid one of the specification: True or None. No ball need
        hold it."""
        low, high, has = self.evaluator(x, self.ladder[0]).ranges().of(core.body)
        size = low if low > 0 else -high
        if not has or not 1 <= size < float("inf"):
            return None
        size = rational(Fraction(size))
        rel, absolute, ulps = core.accuracy
        # A larger value has no smaller least valid number if the tolerance is a part below 1 of it.
        part = max(rel or 0, ulps[0] * Fraction(2) / 2 ** PARAMETERS[ulps[1]][0] if ulps else 0)
        least = size - max(rational(part) * size, rational(absolute or 0))

        def ask(bits):
            f = self.view(self.core, x, bits)
            if not isinstance(f.value, Num):
                return None
            ends = plain(f.value) + f.tolerance, plain(f.value) - f.tolerance
            return surely("<", ends[0], least) if low > 0 else surely("<", -least, ends[1])

        return self.settle(ask) or None if part < 1 else None

    def oracle(self, x):
        """The smallest and largest valid numbers of the result format; None each if there are none; None if open."""
        return self.remember("oracle", self.core, x, lambda bits: self.oracle_at(x, bits))

    def oracle_at(self, x, bits):
        name = self.core.result
        view = self.view(self.core, x, bits)
        if not isinstance(view.value, Num):
            return None
        low, high = plain(view.value) - view.tolerance, plain(view.value) + view.tolerance
        lows = (low, low) if isinstance(low, fmpq) else ends(low)
        highs = (high, high) if isinstance(high, fmpq) else ends(high)
        if None in lows or None in highs:
            return None
        lo, hi = {text_of(ceil_to(v, name)) for v in lows}, {text_of(floor_to(v, name)) for v in highs}
        if len(lo) > 1 or len(hi) > 1:
            return None
        lo, hi = lo.pop(), hi.pop()
        empty = lo is None or hi is None or read_hex(lo) > read_hex(hi)
        return (None, None) if empty else (lo, hi)

    def is_nearest(self, y, x):
        """Whether no number of the result format is nearer to f than y; None if not settled."""
        known = True
        for up in (False, True):
            other = step(y, up, self.core.result)
            if other is None:
                continue
            middle = (y + other) / 2

            def ask(bits):
                value = self.view(self.core, x, bits).value
                if not isinstance(value, Num):
                    return None
                return at_most(plain(value), middle) if up else at_most(middle, plain(value))

            answer = self.settle(ask)
            if answer is False:
                return False
            known = known and answer
        return known

    def reaches(self, core, x):
        """Whether the larger bound of an accuracy mutant reaches more than 1000 r beyond the specification's."""
        far = rational(1000 * relative_size(self.core.accuracy))

        def ask(bits):
            ours, theirs = self.view(self.core, x, bits), self.view(core, x, bits)
            if ours.tolerance is None or theirs.tolerance is None:
                return None
            more = theirs.tolerance - ours.tolerance
            return True if surely("<", far, more) else False if surely("<=", more, far) else None

        return self.settle(ask)

    def told(self, x):
        """An input as text."""
        return ", ".join(f"{n} = {hex_text(v)}" for n, v in zip(self.core.names, x))


def relative_size(accuracy):
    """The r of accuracy mutants: the relative bound, else the absolute one, else the ulps as a part of f at least."""
    rel, absolute, ulps = accuracy
    return rel or absolute or ulps[0] / 2 ** PARAMETERS[ulps[1]][0]


def text_of(x):
    """A number as a hex float, if there is one."""
    return None if x is None else hex_text(x)
