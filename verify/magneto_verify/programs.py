"""Programs over floats: a formula evaluated operation by operation, and all floats that it may return at an input.

Basic operations are correctly rounded to nearest, ties to even (IEEE 754). A library function returns any float within so
many ulps of its exact value and in its range, and the special values of C's Annex F.
"""

import math
from fractions import Fraction

from flint import arb, ctx

from .balls import CONSTANT_BALLS, OPEN, PIS, UNDEFINED, binary, ends, exact, unary
from .formats import INTEGERS, PARAMETERS, ceil_to, floor_to, format_name, fraction, includes, largest, nearest_value, plain_float, rational, step, ulp
from .fpcore import COMPARISONS, CONSTANTS, nested
from .loops import Loops, choose, mapped
from .texts import Unreadable, number

INF, NAN = math.inf, math.nan
# Runs of one program at one input, one for each choice among the results of its library functions.
MOST_RUNS = 256
# Results of one call.
MOST_RESULTS = 24


def float_name(tree):
    """The name of a floating-point format that a core writes, of which `integer` and `(fixed …)` are none."""
    name = format_name(tree)
    return name if name in PARAMETERS else None


class Program(Loops):
    """Steps, each (kind, format, operands), of which later ones use earlier ones; `result` is the last."""

    def __init__(self, core):
        self.steps, self.numbers, self.literals = [], {}, {}
        # What is computed without inputs, for the conditions of loops.
        self.still = Run(self, (), 1)
        tree, self.context = core.tree, core.result
        if tree[0] == "!" and len(tree) == 4 and tree[1] == ":precision" and float_name(tree[2]):
            # The whole in another format: inputs are rounded to it first.
            tree, self.context = tree[3], float_name(tree[2])
        inputs = {n: self.step("input", f, k) for k, (n, f) in enumerate(zip(core.names, core.formats))}
        # An input is a number of its own format, and is rounded to another where an operation asks for that.
        inputs = {n: self.held(s) for n, s in inputs.items()}
        scope = {name: nested(name, sizes, inputs) for _, sizes, name in core.arguments}
        self.result = self.nearest(core.result, self.build(tree, scope))

    def step(self, kind, format, *rest):
        parts = (kind, format, *rest)
        if parts not in self.numbers:
            self.numbers[parts] = len(self.steps)
            self.steps.append(parts)
        return self.numbers[parts]

    def made(self, kind, *args):
        return self.step(kind, None, *args)

    def operation(self, head, *args):
        return self.step(head, self.context, *args)

    def nearest(self, format, s):
        own = self.steps[s][1]
        return s if own is None or includes(format, own) else self.step("convert", format, s)

    def held(self, built):
        return mapped(lambda s: self.nearest(self.context, s), built)

    def chosen(self, condition, yes, no):
        return choose(yes, no, lambda *sides: self.operation("if", condition, *map(self.held, sides)))

    def in_context(self, stated, tree, scope):
        before, self.context = self.context, float_name(stated.get(":precision", self.context)) or self.context
        built = self.build(tree, scope)
        self.context = before
        return built

    def literal(self, value):
        return self.operation("number", value)

    def leaf(self, token):
        if token in ("TRUE", "FALSE"):
            return self.made("bool", token == "TRUE")
        value = number(token)
        if value is None and token not in CONSTANTS:
            raise Unreadable(f"{token} is unknown")
        return self.operation("constant", token) if value is None else self.literal(value)

    def constant(self, s):
        """The float or truth value of a step that depends on no input, and on no library function."""
        try:
            value = self.still.value(s)
        except IndexError:
            return None
        if self.still.choices or value is None:
            self.still = Run(self, (), 1)
            return None
        return value if isinstance(value, bool) else Fraction(value) if math.isfinite(value) else None

    def results(self, x, ulps):
        """All floats that may be returned at an input, which is a tuple of floats; None if these are too many."""
        run, found = Run(self, x, ulps), []
        for _ in range(MOST_RUNS):
            found.append(run.value(self.result))
            if found[-1] is None:
                return None
            if not run.advance():
                return found
        return None


class Run:
    """The runs of a program at one input, one after the other: each takes other results of its library functions, and
    computes again only what comes after the choice that changes."""

    def __init__(self, program, x, ulps):
        self.program, self.x, self.ulps = program, x, ulps
        # The steps that are computed, in that order, and of each choice: the step, how many were computed before it, the
        # results that it may have, and which is taken.
        self.values, self.order, self.choices = {}, [], []

    def advance(self):
        """Takes the next choices, if there are any left."""
        while self.choices:
            s, before, found, taken = self.choices.pop()
            if taken + 1 < len(found):
                for later in self.order[before:]:
                    del self.values[later]
                self.order[before:] = [s]
                self.values[s] = found[taken + 1]
                self.choices.append((s, before, found, taken + 1))
                return True
        return False

    def value(self, s):
        """The float or truth value of a step; None where it may be too much."""
        if s not in self.values:
            value = self.compute(s, *self.program.steps[s])
            self.values[s] = value
            self.order.append(s)
        return self.values[s]

    def compute(self, s, kind, format, *rest):
        if kind == "input":
            return self.x[rest[0]]
        if kind in ("number", "constant"):
            known = self.program.literals
            if s not in known:
                known[s] = (nearest if kind == "number" else constant)(rest[0], format)
            return known[s]
        if kind == "bool":
            return rest[0]
        if kind == "if":
            truth = self.value(rest[0])
            return None if truth is None else self.value(rest[1] if truth else rest[2])
        args = [self.value(a) for a in rest]
        if None in args:
            return None
        if kind == "convert":
            return to_format(args[0], format)
        if kind in ("and", "or", "not"):
            return all(args) if kind == "and" else any(args) if kind == "or" else not args[0]
        if kind in COMPARISONS:
            return COMPARISONS[kind](*args)
        if kind in ("isfinite", "isinf", "isnan", "isnormal", "signbit"):
            return classify(kind, args[0], self.program.steps[rest[0]][1])
        found = operation(kind, tuple(args), format, self.ulps)
        if found is None or len(found) > MOST_RESULTS:
            return None
        if len(found) == 1:
            return found[0]
        self.choices.append((s, len(self.order), found, 0))
        return found[0]


def classify(kind, x, format):
    if kind == "isnormal":
        return math.isfinite(x) and abs(x) >= math.ldexp(1.0, 1 - PARAMETERS[format][1])
    return {"isfinite": math.isfinite(x), "isinf": math.isinf(x), "isnan": math.isnan(x),
            "signbit": math.copysign(1.0, x) < 0}[kind]


def nearest(q, format):
    """The number of a format that is nearest to a rational number, ties to even, beyond the largest an infinity."""
    q = Fraction(q)
    if q == 0:
        return 0.0
    y = nearest_value(rational(q), format)
    if y is None:
        return INF if q > 0 else -INF
    return plain_float(y) or (0.0 if q > 0 else -0.0)


def to_format(x, format):
    return x if x == 0 or not math.isfinite(x) else nearest(Fraction(x), format)


def constant(name, format):
    """The number of a format that is nearest to a named constant; None where that is not settled."""
    ctx.prec = 300
    ball = arb(PIS[name]) * arb.pi() if name in PIS else CONSTANT_BALLS[name]()
    found = {nearest(fraction(e), format) for e in ends(ball)}
    return found.pop() if len(found) == 1 else None


EXACT = {
    "neg": lambda x: -x, "fabs": abs, **{op: lambda x, rule=rule: kept(x, rule) for op, rule in INTEGERS.items()},
}


def kept(x, rule):
    """A rounding function keeps zeros, infinities, NaN and the sign."""
    return x if x == 0 or not math.isfinite(x) else math.copysign(float(rule(Fraction(x))), x)


def operation(kind, x, format, ulps, known={}):
    """The floats that an operation may give; None if they are not known."""
    key = (kind, tuple((v, math.copysign(1.0, v)) for v in x), format, ulps)
    if key not in known:
        if len(known) > 200_000:
            known.clear()
        known[key] = results_of(kind, x, format, ulps)
    return known[key]


def results_of(kind, x, format, ulps):
    if kind in EXACT:
        return [EXACT[kind](x[0])]
    if kind == "copysign":
        return [math.copysign(x[0], x[1])]
    if kind in ("fmin", "fmax"):
        return extreme(kind, *x)
    if any(math.isnan(v) for v in x) and kind not in ("pow", "hypot"):
        return [NAN]
    if kind in ("+", "-"):
        return [rounded_sum(x[0], x[1] if kind == "+" else -x[1], format)]
    if kind == "*":
        return [product(*x, format)]
    if kind == "/":
        return [quotient(*x, format)]
    if kind == "fma":
        return [fused(*x, format)]
    if kind == "sqrt":
        return [root(x[0], format)]
    if kind == "fdim":
        return [0.0 if x[0] <= x[1] else rounded_sum(x[0], -x[1], format)]
    if kind in ("fmod", "remainder"):
        if math.isinf(x[0]) or x[1] == 0:
            return [NAN]
        y = x[0] if math.isinf(x[1]) else (math.fmod if kind == "fmod" else math.remainder)(*x)
        return [math.copysign(y, x[0]) if y == 0 else y]
    special = SPECIAL[kind](*x)
    if special is None:
        return near(kind, x, format, ulps)
    return special if isinstance(special, list) else near_quarters(special, format, ulps)


def extreme(kind, a, b):
    if math.isnan(a) or math.isnan(b):
        return [b if math.isnan(a) else a]
    if a == b == 0 and math.copysign(1.0, a) != math.copysign(1.0, b):
        return [0.0, -0.0]
    return [min(a, b) if kind == "fmin" else max(a, b)]


def rounded_sum(a, b, format):
    s = a + b
    return s if format == "binary64" or s == 0 or not math.isfinite(s) else nearest(Fraction(a) + Fraction(b), format)


def product(a, b, format):
    p = a * b
    return p if format == "binary64" or p == 0 or not math.isfinite(p) else nearest(Fraction(a) * Fraction(b), format)


def quotient(a, b, format):
    if b == 0:
        return NAN if a == 0 else math.copysign(INF, math.copysign(1.0, a) * math.copysign(1.0, b))
    q = a / b
    if format == "binary64" or a == 0 or math.isinf(a) or math.isinf(b):
        return q
    return nearest(Fraction(a) / Fraction(b), format)


def fused(a, b, c, format):
    if not all(math.isfinite(v) for v in (a, b, c)):
        if math.isfinite(a) and math.isfinite(b):
            return c
        return a * b + c
    value = Fraction(a) * Fraction(b) + Fraction(c)
    return nearest(value, format) if value else math.copysign(0.0, a) * math.copysign(1.0, b) + c if a * b == 0 and c == 0 else 0.0


def root(x, format):
    if x < 0:
        return NAN
    if x == 0 or math.isinf(x) or format == "binary64":
        return math.sqrt(x) if x > 0 else x
    # 53 bits are more than twice 24 and two: to round twice is to round once.
    return to_format(math.sqrt(x), format)


def special_values(table, below=None, above=None):
    """Annex F for a function of one operand: a table from arguments to results, in which a zero keeps its sign if its result
    is a zero; NaN at infinities that are not listed, and below and above these numbers."""
    def special(x):
        if x in table:
            y = table[x]
            return [x] if x == 0 and y == 0 else [y]
        outside = math.isinf(x) or (below is not None and x < below) or (above is not None and x > above)
        return [NAN] if outside else None

    return special


def special_gamma(x):
    if x == 0:
        return [math.copysign(INF, x)]
    if x == -INF or (x < 0 and x == math.floor(x)):
        return [NAN]
    return [INF] if x == INF else None


def special_lgamma(x):
    if math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return [INF]
    return [0.0] if x in (1, 2) else None


def special_hypot(x, y):
    if math.isinf(x) or math.isinf(y):
        return [INF]
    if math.isnan(x) or math.isnan(y):
        return [NAN]
    return [abs(x + y)] if x == 0 or y == 0 else None


def special_pow(x, y):
    if y == 0 or x == 1:
        return [1.0]
    if math.isnan(x) or math.isnan(y):
        return [NAN]
    is_odd = math.isfinite(y) and y == math.floor(y) and math.fmod(y, 2) != 0
    sign = math.copysign(1.0, x) if is_odd else 1.0
    if x == 0:
        return [sign * (0.0 if y > 0 else INF)]
    if math.isinf(y):
        return [1.0] if abs(x) == 1 else [INF if (abs(x) > 1) == (y > 0) else 0.0]
    if math.isinf(x):
        return [sign * (INF if y > 0 else 0.0)]
    return [NAN] if x < 0 and y != math.floor(y) else None


def special_atan2(y, x):
    """An exact zero, a number of quarters of pi, or None."""
    sign = math.copysign(1.0, y)
    if y == 0:
        return [y] if math.copysign(1.0, x) > 0 else int(4 * sign)
    if x == 0:
        return int(2 * sign)
    if math.isinf(y):
        return int(sign * (2 if math.isfinite(x) else 1 if x > 0 else 3))
    if math.isinf(x):
        return [math.copysign(0.0, y)] if x > 0 else int(4 * sign)
    return None


def special_atan(x):
    return [x] if x == 0 else int(math.copysign(2, x)) if math.isinf(x) else None


SPECIAL = {
    "exp": special_values({0: 1.0, INF: INF, -INF: 0.0}), "exp2": special_values({0: 1.0, INF: INF, -INF: 0.0}),
    "expm1": special_values({0: 0.0, INF: INF, -INF: -1.0}),
    **{op: special_values({0: -INF, 1: 0.0, INF: INF}, below=0) for op in ("log", "log2", "log10")},
    "log1p": special_values({0: 0.0, -1: -INF, INF: INF}, below=-1),
    "sin": special_values({0: 0.0}), "cos": special_values({0: 1.0}), "tan": special_values({0: 0.0}),
    "asin": special_values({0: 0.0}, -1, 1), "acos": special_values({1: 0.0}, -1, 1), "atan": special_atan,
    "sinh": special_values({0: 0.0, INF: INF, -INF: -INF}), "cosh": special_values({0: 1.0, INF: INF, -INF: INF}),
    "tanh": special_values({0: 0.0, INF: 1.0, -INF: -1.0}), "asinh": special_values({0: 0.0, INF: INF, -INF: -INF}),
    "acosh": special_values({1: 0.0, INF: INF}, below=1), "atanh": special_values({0: 0.0, 1: INF, -1: -INF}, -1, 1),
    "erf": special_values({0: 0.0, INF: 1.0, -INF: -1.0}), "erfc": special_values({INF: 0.0, -INF: 2.0}),
    "cbrt": special_values({0: 0.0, INF: INF, -INF: -INF}), "tgamma": special_gamma, "lgamma": special_lgamma,
    "j0": special_values({0: 1.0, INF: 0.0, -INF: 0.0}), "j1": special_values({0: 0.0, INF: 0.0, -INF: 0.0}),
    "y0": special_values({0: -INF, INF: 0.0}, below=0), "y1": special_values({0: -INF, INF: 0.0}, below=0),
    "hypot": special_hypot, "pow": special_pow, "atan2": special_atan2,
}
# Beyond these no library function's result goes.
RANGES = {
    "exp": (0, None), "exp2": (0, None), "expm1": (-1, None), "sin": (-1, 1), "cos": (-1, 1), "acos": (0, None),
    "cosh": (1, None), "tanh": (-1, 1), "erf": (-1, 1), "erfc": (0, 2), "hypot": (0, None), "acosh": (0, None),
}


def near(kind, x, format, ulps):
    """The floats within so many ulps of a function's exact value at floats."""
    args = [exact(rational(v)) for v in x]
    for bits in (128, 600, 2400):
        ctx.prec = bits
        value = unary(kind, args[0], ("f",)) if len(args) == 1 else binary(kind, *args, ("f",))
        if value is UNDEFINED:
            return [NAN]
        if value is OPEN:
            continue
        low, high = (value.rational,) * 2 if value.rational is not None else ends(value.ball)
        if low is None or high is None:
            continue
        found = around(low, high, format, ulps, RANGES.get(kind, (None, None)))
        if bits == 2400 or found == around(low, low, format, ulps, RANGES.get(kind, (None, None))):
            return found
    return None


def near_quarters(k, format, ulps):
    ctx.prec = 300
    low, high = ends(arb.pi() * k / 4)
    return around(low, high, format, ulps, (None, None))


def around(low, high, format, ulps, limits):
    """The floats within so many ulps of a number between two, and the nearest ones; None if they are many. An infinity
    stands for the next number after the largest."""
    least, most = (nearest(fraction(v), format) for v in (low, high))
    if ulps != 0.5:
        top = largest(format)
        end = top + ulp(top, format)
        below, above = low - rational(ulps) * ulp(low, format), high + rational(ulps) * ulp(high, format)
        least = -INF if below <= -end else min(least, plain_or(ceil_to(below, format), least))
        most = INF if above >= end else max(most, plain_or(floor_to(above, format), most))
    least = least if limits[0] is None else max(least, float(limits[0]))
    most = most if limits[1] is None else min(most, float(limits[1]))
    found, y = [], least
    while y <= most and len(found) <= MOST_RESULTS:
        # A zero has the sign of the value, and both where that is not known.
        found += [y] if y else [0.0] * (high > 0 or low == high == 0) + [-0.0] * (low < 0)
        if y == most:
            break
        y = after(y, format)
    return found if len(found) <= MOST_RESULTS else None


def plain_or(q, other):
    return other if q is None else plain_float(q)


def after(y, format):
    """The next larger float, with the infinities."""
    if y == -INF:
        return -plain_float(largest(format))
    up = step(rational(y), True, format)
    return INF if up is None else plain_float(up)
