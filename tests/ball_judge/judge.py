"""Judges what a run of `magneto gen` says of one specification, by looking at all inputs."""

import csv
import json
import re
from collections import Counter

from balls import OPEN, UNDEFINED, Evaluator, Num, ends
from flint import arb, ctx, fmpq
from formats import ceil_to, floor_to, hex_text, rational, read_hex, ulp
from fpcore import Graph, cores

LADDER = [128, 640, 2048, 5000]
# Operators whose mutants are specifications themselves.
REAL = {"accuracy", "bounds", "add", "delete", "constant", "variable", "unary", "binary"}
# The letters of `matrix.csv`.
WORDS = {"K": "KO", "P": "PROBABLE", "O": "OK", "U": "UNCERTAIN"}


def verdicts(code):
    """The cells of a row of `matrix.csv`, in the order of the mutants."""
    return [WORDS[letter] for count, letter in re.findall("([0-9]*)(.)", code) for _ in range(int(count or 1))]


class View:
    """One function at one input: the value and its valid set, at one precision."""

    def __init__(self, evaluator, core):
        self.inside = evaluator.value(core.pre)
        value = evaluator.value(core.body)
        self.value = value if isinstance(value, Num) or value is OPEN else UNDEFINED
        self.tolerance = None
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
        return None
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


class Judge:
    """One specification with the run that is judged."""

    def __init__(self, text, values, most_bits=5000):
        self.graph = Graph()
        self.core = cores(self.graph, text)[0]
        self.ladder = [b for b in LADDER if b <= most_bits]
        self.evaluators, self.views = {}, {}
        # By the identity of an input, which is looked up far more often than made: its numbers, and the input, so that
        # no other one gets its identity.
        self.keys, self.known = {}, {}
        self.count = Counter()
        self.wrong = []
        self.mutants, self.tests, self.matrix, self.summary = [], [], {}, {}
        self.inputs = self.all_inputs(values)
        self.domain = [x for x in self.inputs if self.in_domain(x)]

    def read(self, folder):
        """Reads a run."""
        self.mutants = list(csv.DictReader(open(folder / "mutants.csv", newline="")))
        self.tests = json.load(open(folder / "tests.json"))["tests"]
        ids = [m["id"] for m in self.mutants]
        rows = csv.DictReader(open(folder / "matrix.csv", newline=""))
        self.matrix = {row["test_id"]: dict(zip(ids, verdicts(row["verdicts"]), strict=True)) for row in rows}
        self.summary = json.load(open(folder / "summary.json"))
        for m in self.mutants:
            m["core"] = cores(self.graph, m["fpcore"])[0] if m["operator"] in REAL else None

    def all_inputs(self, values):
        """Every combination."""
        combined = [()]
        for column in values:
            combined = [(*x, v) for x in combined for v in column]
        return combined

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

    def settle(self, question):
        """The first answer of a question that takes a precision; None if it has none."""
        for bits in self.ladder:
            ctx.prec = bits
            answer = question(bits)
            if answer is not None:
                return answer
        self.count["open"] += 1
        return None

    def settle_pair(self, question, first, second, x):
        """The first answer of a question on two functions where both have a value; None if it has none."""
        def ask(bits):
            f, g = self.view(first, x, bits), self.view(second, x, bits)
            return question(f, g) if isinstance(f.value, Num) and isinstance(g.value, Num) else None

        return self.settle(ask)

    def inside(self, core, x):
        """Whether an input satisfies a precondition; one without a value does not hold."""
        def ask(bits):
            held = self.evaluator(x, bits).value(core.pre)
            return None if held is OPEN else held is True

        return self.remember("inside", core, x, ask)

    def in_domain(self, x):
        """Whether an input satisfies the precondition and f has a value there."""
        return self.inside(self.core, x) is True and self.defined(self.core, x) is True

    def defined(self, core, x):
        def ask(bits):
            value = self.view(core, x, bits).value
            return None if value is OPEN else value is not UNDEFINED

        return self.remember("defined", core, x, ask)

    def kill(self, core, x):
        """Whether a mutant is told from the specification at an input: True, False, or None; with why."""
        ours, theirs = self.inside(self.core, x), self.inside(core, x)
        told = self.core.response in ("reject", "nan")
        f, g = self.defined(self.core, x), self.defined(core, x)
        if None in (ours, theirs, f, g):
            return None
        ours, theirs = ours and f, theirs and g
        if ours and theirs:
            if core.body == self.core.body and core.accuracy == self.core.accuracy:
                return False
            return self.settle_pair(disjoint, self.core, core, x)
        return ours != theirs and told

    def oracle(self, x):
        """The smallest and largest valid numbers of the result format; None each if there are none; None if open."""
        name = self.core.result

        def ask(bits):
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

        return self.settle(ask)

    def say(self, what, mutant=None, x=None):
        """Records a claim that does not hold."""
        at = "" if x is None else " at " + ", ".join(f"{n} = {hex_text(v)}" for n, v in zip(self.core.names, x))
        of = ""
        if mutant is not None:
            m = mutant
            of = f"{m['id']} ({m['operator']}: {m['before']} -> {m['after']}, {m['status']}): "
        self.wrong.append(f"{of}{what}{at}")


def text_of(x):
    return None if x is None else hex_text(x)
