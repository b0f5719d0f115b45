"""The bounds that `lint` and `gen` print of the plain evaluation, judged at every input by a program that rounds exactly.

A bound from above has to hold at every input; an error that was found has to be there, and no smaller. What a person reads
is compared, not only what is in files, and it lies on the outer side of what the files say.
"""

import math
import re
from fractions import Fraction

from flint import fmpq
from magneto_verify.balls import OPEN, Num, ends, exact, sign
from magneto_verify.evaluator import Evaluator
from magneto_verify.formats import ceil_to, floor_to, rational
from magneto_verify.points import plain, surely

# Operations that a machine rounds correctly; every other one may be off by the library's error.
CORRECT = {
    "input", "number", "constant", "bool", "if", "and", "or", "not", "<", "<=", ">", ">=", "==", "!=", "+", "-", "*", "/", "neg",
    "sqrt", "fma", "fabs", "fmin", "fmax", "fdim", "floor", "ceil", "trunc", "round", "nearbyint", "fmod", "remainder", "copysign",
}
BOUND = re.compile(r"errs by at most (\S+) (relative|absolute) \(proved")
FOUND = re.compile(r", (\S+) (relative|absolute) found at (.*?); ")
POSSIBLE = r"( wherever a number of the format is that near)?"
MET = re.compile(r"\(proved, at most (\S+) of the tolerance" + POSSIBLE)
MISSED = re.compile(r"misses the accuracy at (.*) by a factor of (\S+)")
SUMMARY = re.compile(r"its error is at most (\S+) of the tolerance" + POSSIBLE)


def nearest(x, name):
    """The number of a format nearest to a value, ties to even; OPEN where that is not settled or beyond all numbers."""
    if x.rational is not None:
        found = {nearest_to(x.rational, name)}
    else:
        found = {nearest_to(end, name) for end in ends(x.ball)} if None not in ends(x.ball) else set()
    one = found.pop() if len(found) == 1 else None
    return OPEN if one is None else exact(one)


def nearest_to(q, name):
    """The number of a format nearest to a rational one, ties to even; None beyond all numbers."""
    low, high = floor_to(q, name), ceil_to(q, name)
    if low is None or high is None or low == high:
        return low if high is not None else None
    below, above = q - low, high - q
    # Of two numbers that follow each other the even one is an even multiple of what is between them.
    is_low = below < above or below == above and int((low / (high - low)).p) % 2 == 0
    return low if is_low else high


class Program(Evaluator):
    """The body as it is evaluated in the result's format: one of the results that it may return. Where a zero's sign counts it is
    open."""

    def __init__(self, graph, inputs, bits, name):
        super().__init__(graph, inputs, bits)
        self.format = name

    def compute(self, parts):
        if parts[0] in ("copysign", "atan2", "signbit"):
            signed = [self.value(a) for a in parts[1:]]
            if any(isinstance(v, Num) and sign(v) == 0 for v in signed):
                return OPEN
        value = super().compute(parts)
        return nearest(value, self.format) if isinstance(value, Num) else value


def is_correct(graph, node):
    """Whether every operation below a node is rounded correctly."""
    parts = graph.nodes[node]
    operands = () if parts[0] in ("input", "number", "constant", "bool") else parts[1:]
    return parts[0] in CORRECT and all(is_correct(graph, n) for n in operands)


class Plain:
    """The plain evaluation of one specification."""

    def __init__(self, judge):
        self.judge = judge
        self.is_correct = is_correct(judge.graph, judge.core.body)

    def compare(self, x, kind, bound, is_more):
        """Whether the error at x is at most a bound, or with `is_more` at least; None where that is not settled."""
        def ask(bits):
            y = Program(self.judge.graph, x, bits, self.judge.core.result).value(self.judge.core.body)
            view = self.judge.view(self.judge.core, x, bits)
            if not isinstance(y, Num) or y.rational is None or not isinstance(view.value, Num):
                return None
            f = plain(view.value)
            unit = abs(f) if kind == "relative" else view.tolerance if kind == "tolerance" else fmpq(1)
            error, limit = abs(y.rational - f), rational(Fraction(bound)) * unit
            small, large = (limit, error) if is_more else (error, limit)
            return True if surely("<=", small, large) else False if surely("<", large, small) else None

        for bits in self.judge.ladder[:2]:
            answer = ask(bits)
            if answer is not None:
                return answer
        self.judge.count["errors of programs not settled"] += 1
        return None

    def is_possible(self, x):
        """Whether some number of the format is within the tolerance, or that is not settled."""
        view = self.judge.view(self.judge.core, x, self.judge.ladder[0])
        if not isinstance(view.value, Num):
            return True
        f, tolerance = plain(view.value), view.tolerance
        around = {side(end, self.judge.core.result) for end in ends(view.value.ball) for side in (floor_to, ceil_to) if end is not None}
        return not around or not all(n is not None and surely("<", tolerance, abs(n - f)) for n in around)

    def at_most(self, kind, bound, of, where_possible=False):
        """A bound from above holds at every input, or where a number of the format is near enough."""
        self.judge.count["printed bounds"] += 1
        if bound in ("inf", "NaN"):
            return
        for x in self.judge.domain:
            if self.compare(x, kind, bound, False) is False and not (where_possible and not self.is_possible(x)):
                self.judge.say(f"{of}: the error is more than {bound} ({kind})", x=x)
                return

    def at_least(self, kind, bound, at, of):
        """An error that was found is there."""
        self.judge.count["printed bounds"] += 1
        given = dict(part.split(" = ") for part in at.split(", "))
        x = tuple(rational(Fraction(float.fromhex(given[n].split()[0]))) for n in self.judge.core.names)
        # What a library function returns is not known.
        if self.is_correct and self.compare(x, kind, bound, True) is False:
            self.judge.say(f"{of}: the error is less than {bound} ({kind})", x=x)


def check_lint(judge, text, document):
    """All that `lint` says of the plain evaluation, and that the text is no better than the document."""
    found = Plain(judge)
    known = document["specifications"][0]["plain"] or {}
    for bound, kind in BOUND.findall(text):
        found.at_most(kind, bound, "lint")
        check_outward(judge, bound, known["bound"], True)
    for bound, possible in MET.findall(text):
        found.at_most("tolerance", bound, "lint", bool(possible))
        check_outward(judge, bound, known["tolerances"], True)
    for bound, kind, at in FOUND.findall(text):
        found.at_least(kind, bound, at, "lint")
        check_outward(judge, bound, known["found"], False)
    for at, factor in MISSED.findall(text):
        found.at_least("tolerance", factor, at, "lint")
        check_outward(judge, factor, known["tolerances"], False)


def check_summary_line(judge, text, summary):
    """What `gen` says of it."""
    for bound, possible in SUMMARY.findall(text):
        Plain(judge).at_most("tolerance", bound, "gen", bool(possible))
        check_outward(judge, bound, summary["plain_evaluation"]["error"], True)


def check_outward(judge, shown, known, is_most):
    """A number that a person reads lies on the outer side of the one that was computed. A file has the first float from that one on
    whose decimal is on the outer side as well, so it was computed before the next such float."""
    judge.count["bounds in texts and files"] += 1
    is_inside = lambda x: Fraction(repr(x)) < Fraction(x) if is_most else Fraction(repr(x)) > Fraction(x)
    inward = lambda x: math.nextafter(x, -math.inf if is_most else math.inf)
    least = inward(float(known))
    while math.isfinite(least) and is_inside(least):
        least = inward(least)
    if math.isinf(least):
        return
    if Fraction(shown) < Fraction(least) if is_most else Fraction(shown) > Fraction(least):
        judge.say(f"{shown} is printed and {known!r} is in the file")
