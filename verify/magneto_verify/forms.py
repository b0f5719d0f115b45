"""Normal forms: an expression as a quotient of polynomials over atoms, with rational coefficients.

Atoms are inputs, pi, and functions that are no polynomials, each with its operands in normal form. Two expressions with
equal quotients have the same value wherever both have one; where they have one is another question. Every rule is an
identity on the set where its left side has a value.
"""

import math

from flint import arb, fmpq

from .balls import ARCS, BALLS, SINES, root
from .formats import PARAMETERS, nearest_value

# Forms with more terms are given up.
MOST_TERMS, MOST_BITS = 400, 20_000
MOST_POWER = 24
ZERO, ONE = fmpq(0), {(): fmpq(1)}
ODD = {"asin", "atan", "asinh", "atanh", "atanh", "erf", "cbrt", "sin", "j1", *PARAMETERS}
EVEN = {"cos", "cosh", "j0"}
SIGN_KEEPING = {"sinh", "tanh", "asinh", "atan", "cbrt", "erf"}
SAMPLES = {"log": math.log, "exp": math.exp, "sqrt": math.sqrt, "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x),
           "fabs": abs, "tgamma": math.gamma, "lgamma": math.lgamma, "pow": math.pow, "floor": math.floor,
           **{op: lambda x, op=op: float(BALLS[op](arb(x))) for op in ("j0", "j1", "y0", "y1")},
           "trunc": math.trunc, "nearbyint": round, "round": lambda x: math.copysign(math.floor(abs(x) + 0.5), x)}


class TooLarge(Exception):
    """A form with too many terms."""


# Samples beyond binary64 are limits as well.
LIMITS = (TooLarge, OverflowError, ZeroDivisionError)


class Form:
    """num / den, with its values at the sample points in binary64, by which forms that differ are told apart at once."""

    __slots__ = ("num", "den", "values")

    def __init__(self, num, den, values):
        self.num, self.den, self.values = num, den, values

    def constant(self):
        """Its value, if it is a rational number."""
        if self.den == ONE and not self.num.keys() - {()}:
            return self.num.get((), fmpq(0))
        return None


def alike(a, b):
    """Whether the values of two forms at the sample points are about the same, as far as they are known."""
    for x, y in zip(a.values, b.values):
        if math.isfinite(x) and math.isfinite(y) and abs(x - y) > 1e-6 * max(abs(x), abs(y), 1e-200):
            return False
    return True


class Forms:
    """The normal forms of a graph's nodes. `decide` gives the truth of a condition, or the sign of an expression that is
    nowhere of the other sign, where that is known, else None."""

    def __init__(self, graph, points, decide=lambda node: None):
        self.graph, self.points, self.decide = graph, points, decide
        self.forms, self.compared, self.atoms, self.rules, self.values, self.meaning = {}, {}, {}, {}, [], []

    def of(self, node):
        """The form of a node; None if it has none or a large one."""
        if node not in self.forms:
            try:
                self.forms[node] = self.compute(self.graph.nodes[node])
            except LIMITS:
                self.forms[node] = None
        return self.forms[node]

    def equal(self, u, v):
        """Whether two nodes are equal wherever both have a value; False means that it is not known."""
        if u == v:
            return True
        if self.graph.is_truth(u):
            return self.graph.is_truth(v) and self.equal_conditions(u, v)
        if (u, v) not in self.compared:
            # A large form is given up late: where one of the two has none, the other is not asked for.
            is_without = any(node in self.forms and self.forms[node] is None for node in (u, v))
            try:
                a, b = (None, None) if is_without else (self.of(u), self.of(v))
                self.compared[u, v] = a is not None and b is not None and self.same(a, b)
            except LIMITS:
                self.compared[u, v] = False
        return self.compared[u, v]

    def multiple(self, u, v):
        """The number k such that u = k v wherever both have a value; None if that is not seen."""
        a, b = self.of(u), self.of(v)
        try:
            if a is None or b is None:
                return None
            p, q = self.times(a.num, b.den), self.times(b.num, a.den)
            mono = next(iter(q), None)
            factor = None if mono is None else p.get(mono, ZERO) / q[mono]
            return factor if factor is not None and self.plus(p, q, -factor) == {} else None
        except LIMITS:
            return None

    def same(self, a, b):
        if not alike(a, b):
            return False
        if a.den == b.den and (a.num == b.num or a.den == ONE):
            return a.num == b.num
        return self.plus(self.times(a.num, b.den), self.times(b.num, a.den), -1) == {}

    # Polynomials: from monomials, which are tuples of (atom, power), to coefficients.

    def plus(self, p, q, factor=1):
        total = dict(p)
        for mono, c in q.items():
            c = total.get(mono, fmpq(0)) + factor * c
            if c == 0:
                total.pop(mono, None)
            else:
                total[mono] = c
        if len(total) > MOST_TERMS:
            raise TooLarge
        return total

    def times(self, p, q):
        if len(p) * len(q) > 10 * MOST_TERMS:
            raise TooLarge
        total = {}
        for m, c in p.items():
            for n, d in q.items():
                powers = dict(m)
                for atom, k in n:
                    powers[atom] = powers.get(atom, 0) + k
                mono, rest = self.reduced(powers)
                part = {mono: c * d} if rest is ONE else self.times({mono: c * d}, rest)
                for key, more in part.items():
                    total[key] = total.get(key, ZERO) + more
        total = {mono: c for mono, c in total.items() if c != 0}
        # As numbers of a product are long together, one tells it.
        if len(total) > MOST_TERMS or total and next(iter(total.values())).height_bits() > MOST_BITS:
            raise TooLarge
        return total

    def reduced(self, powers):
        """A product of atoms with small powers, and the polynomial that the rest is."""
        rest, kept = ONE, []
        for atom in sorted(powers):
            k = powers[atom]
            rule = self.rules.get(atom)
            if rule and k >= rule[0]:
                rest = self.times(rest, self.power(rule[1], k // rule[0]))
                k %= rule[0]
            if k:
                kept.append((atom, k))
        return tuple(kept), rest

    def power(self, p, n):
        result = ONE
        for _ in range(n):
            result = self.times(result, p)
        return result

    # Forms.

    def form(self, num, den, values):
        if not den:
            raise TooLarge
        if not num:
            den = ONE
        if den != ONE:
            # One divisor for each quotient of monomials: the leading coefficient of the divisor is 1.
            lead = den[max(den)]
            num, den = {m: c / lead for m, c in num.items()}, {m: c / lead for m, c in den.items()}
            common = self.common(num, den)
            if common:
                num, den = self.without(num, common), self.without(den, common)
        return Form(num, den, values)

    @staticmethod
    def common(num, den):
        """The product of atoms that divides every term."""
        least = None
        for mono in (*num, *den):
            powers = dict(mono)
            least = powers if least is None else {a: min(k, powers[a]) for a, k in least.items() if a in powers}
        return least

    @staticmethod
    def without(poly, common):
        return {tuple((a, k - common.get(a, 0)) for a, k in m if k > common.get(a, 0)): c for m, c in poly.items()}

    def number(self, q):
        q = fmpq(q)
        return Form({(): q} if q else {}, ONE, [float(int(q.p) / int(q.q))] * len(self.points))

    def joined(self, a, b, factor=1):
        """a + factor b."""
        values = [x + factor * y for x, y in zip(a.values, b.values)]
        if a.den == b.den:
            return self.form(self.plus(a.num, b.num, factor), a.den, values)
        num = self.plus(self.times(a.num, b.den), self.times(b.num, a.den), factor)
        return self.form(num, self.times(a.den, b.den), values)

    def product(self, a, b):
        values = [x * y for x, y in zip(a.values, b.values)]
        return self.form(self.times(a.num, b.num), self.times(a.den, b.den), values)

    def quotient(self, a, b):
        if not b.num:
            raise TooLarge
        values = [x / y if y else math.nan for x, y in zip(a.values, b.values)]
        return self.form(self.times(a.num, b.den), self.times(a.den, b.num), values)

    def raised(self, a, n):
        if abs(n) > MOST_POWER:
            raise TooLarge
        if n < 0:
            return self.raised(self.quotient(self.number(1), a), -n)
        result = self.number(1)
        for _ in range(n):
            result = self.product(result, a)
        return result

    def scaled(self, a, q):
        return self.product(self.number(q), a)

    def atom(self, op, args, rule=None, extra=()):
        """The atom of a function of forms; the same for equal ones. `rule`: (n, polynomial), what its n-th power is."""
        known = self.atoms.setdefault((op, *extra), [])
        for others, k in known:
            if all(self.same(a, b) for a, b in zip(args, others, strict=True)):
                return self.of_atom(k)
        k, values = len(self.values), self.sampled(op, args)
        known.append((args, k))
        self.values.append(values)
        self.meaning.append((op, args))
        if rule:
            self.rules[k] = rule
        return self.of_atom(k)

    def of_atom(self, k):
        return Form({((k, 1),): fmpq(1)}, ONE, self.values[k])

    def sampled(self, op, args):
        if op == "input":
            return [p[args] for p in self.points]
        found = []
        for at in zip(*(a.values for a in args)) if args else [()] * len(self.points):
            try:
                function = SAMPLES.get(op) or (getattr(math, op, None) if args else lambda: math.pi)
                found.append(float(function(*at)) if function else math.nan)
            except (ValueError, OverflowError, ZeroDivisionError):
                found.append(math.nan)
        return found

    def single(self, form, op):
        """The operand of the atom that a form is, if it is one of that function."""
        if form.den == ONE and len(form.num) == 1:
            (mono, c), = form.num.items()
            if c == 1 and len(mono) == 1 and mono[0][1] == 1 and self.meaning[mono[0][0]][0] == op:
                return self.meaning[mono[0][0]][1][0]
        return None

    def compute(self, parts):
        kind, rest = parts[0], parts[1:]
        if kind == "input":
            return self.leaf(parts, [float(p[rest[0]]) for p in self.points])
        if kind == "number":
            return self.number(fmpq(*rest))
        if kind == "constant":
            return self.constant(rest[0])
        if kind == "unknown":
            return None
        if kind == "variable":
            # Any numbers will do to tell forms apart that differ: a variable may have any.
            return self.leaf(parts, [math.sin(float(3 * k + 7 * rest[1] + 11 * rest[0] + 1)) for k in range(len(self.points))])
        if kind == "loop":
            opened = self.graph.nodes[self.graph.first_round(self.graph.numbers[parts])]
            if opened[0] == "if" and self.decide(opened[1]) is not None:
                return self.compute(opened)
            own, parts = self.graph.nodes[rest[0]][1], []
            shape = tuple(self.part(node, parts) for node in (own.condition, own.body, *own.updates, *rest[1:]))
            return None if None in parts else self.atom("loop", parts, extra=(shape, own.depth, own.variables))
        if kind == "if":
            truth = self.decide(rest[0])
            if truth is not None:
                return self.of(rest[1] if truth else rest[2])
            parts = []
            shape = self.condition(rest[0], parts)
            parts += [self.of(a) for a in rest[1:]]
            return None if None in parts else self.atom("if", parts, extra=shape)
        if kind in ("and", "or", "not", "<", "<=", ">", ">=", "==", "!=", "bool") or kind.startswith("is"):
            return None
        args = [self.of(a) for a in rest]
        return None if None in args else self.apply(kind, args, rest)

    def leaf(self, parts, values):
        """The atom of an input, or of a variable of a loop."""
        if parts not in self.atoms:
            self.atoms[parts] = len(self.values)
            self.values.append(values)
            self.meaning.append((parts[0], ()))
        return self.of_atom(self.atoms[parts])

    def part(self, node, parts):
        """The shape of a condition; of a number None, and its form is added to `parts`."""
        if self.graph.is_truth(node):
            return self.condition(node, parts)
        parts.append(self.of(node))
        return None

    def condition(self, node, parts):
        """The shape of a condition; adds to `parts` the forms that it compares with 0."""
        kind, *rest = self.graph.nodes[node]
        if kind == "unknown":
            return (node,)
        if kind == "and" and len(rest) == 1:
            return self.condition(rest[0], parts)
        if kind in ("and", "or", "not"):
            return (kind, *(self.condition(r, parts) for r in rest))
        if kind not in ("<", "<=", ">", ">=", "==", "!="):
            return (node,)
        a, b = self.of(self.bare(*rest)), self.of(self.bare(*rest[::-1]))
        if kind in (">", ">="):
            kind, a, b = kind.replace(">", "<"), b, a
        apart = None if a is None or b is None else self.joined(b, a, -1)
        if apart and apart.num and apart.den == ONE:
            # The sign alone counts, of an equation not even that, and a product is 0 where its factors are, however often they are there.
            if kind in ("==", "!=") and len(apart.num) == 1:
                mono, = apart.num
                apart = Form({tuple((atom, 1) for atom, _ in mono): fmpq(1)}, ONE, [math.nan] * len(self.points))
            lead = apart.num[max(apart.num)]
            apart = self.scaled(apart, 1 / (lead if kind in ("==", "!=") else abs(lead)))
        parts.append(apart)
        return (kind,)

    def equal_conditions(self, c, d):
        """Whether two conditions have the same truth wherever both have one; False means that it is not known."""
        if (c, d, "?") not in self.compared:
            ours, theirs = [], []
            try:
                found = self.condition(c, ours) == self.condition(d, theirs) and None not in (*ours, *theirs)
                found = found and all(self.same(a, b) for a, b in zip(ours, theirs, strict=True))
            except LIMITS:
                found = False
            self.compared[c, d, "?"] = found
        return self.compared[c, d, "?"]

    def bare(self, node, other):
        """Where an expression is compared with 0, what is inside of functions that keep the sign."""
        while self.graph.nodes[other][:2] == ("number", 0) and self.graph.nodes[node][0] in SIGN_KEEPING:
            node = self.graph.nodes[node][1]
        return node

    def constant(self, name):
        pi, one = self.atom("pi", ()), self.number(1)
        if name in ("PI", "PI_2", "PI_4"):
            return self.scaled(pi, {"PI": fmpq(1), "PI_2": fmpq(1, 2), "PI_4": fmpq(1, 4)}[name])
        log = lambda n: self.apply("log", [self.number(n)])
        return {
            "E": lambda: self.apply("exp", [one]), "LN2": lambda: log(2), "LN10": lambda: log(10),
            "LOG2E": lambda: self.quotient(one, log(2)), "LOG10E": lambda: self.quotient(one, log(10)),
            "M_1_PI": lambda: self.quotient(one, pi), "M_2_PI": lambda: self.quotient(self.number(2), pi),
            "M_2_SQRTPI": lambda: self.quotient(self.number(2), self.apply("sqrt", [pi])),
            "SQRT2": lambda: self.apply("sqrt", [self.number(2)]),
            "SQRT1_2": lambda: self.quotient(one, self.apply("sqrt", [self.number(2)])),
        }[name]()

    def apply(self, op, args, nodes=(None, None)):
        """The form of an operation on forms."""
        a, b = args[0], args[1] if len(args) > 1 else None
        if op in ("+", "-") and b:
            return self.joined(a, b, 1 if op == "+" else -1)
        if op == "*":
            return self.product(a, b)
        if op == "/":
            return self.quotient(a, b)
        if op == "fma":
            return self.joined(self.product(a, b), args[2])
        if op == "neg":
            return self.scaled(a, -1)
        if b is None:
            return self.unary(op, a, nodes[0])
        if op in ("fmin", "fmax", "fdim"):
            # max(a, b) = (a + b + |a - b|) / 2.
            apart = self.joined(a, b, -1)
            if op == "fdim":
                a, b = apart, self.number(0)
            size = self.unary("fabs", apart, self.graph.node("-", *nodes) if nodes[0] is not None else None)
            return self.scaled(self.joined(self.joined(a, b), size, -1 if op == "fmin" else 1), fmpq(1, 2))
        if op == "hypot":
            return self.unary("sqrt", self.joined(self.product(a, a), self.product(b, b)))
        if op == "copysign":
            sign = self.decide(nodes[1]) if nodes[1] is not None else None
            if sign in (1, -1):
                return self.scaled(self.unary("fabs", a, nodes[0]), sign)
        if op == "pow":
            return self.pow(a, b)
        if op in ("fmod", "remainder"):
            whole = self.unary("trunc" if op == "fmod" else "nearbyint", self.quotient(a, b))
            return self.joined(a, self.product(b, whole), -1)
        return self.atom(op, args)

    def pow(self, a, b):
        n, base = b.constant(), a.constant()
        if n is not None and n.q == 1 and abs(n) <= MOST_POWER:
            return self.raised(a, int(n.p))
        if n is not None and n.q == 2 and 0 < n and n <= MOST_POWER:
            return self.raised(self.unary("sqrt", a), int(n.p))
        if (base is not None and base > 0) or (n is not None and n.q != 1):
            return self.unary("exp", self.product(b, self.unary("log", a)))
        return self.atom("pow", [a, b])

    def negative(self, form):
        """Whether the first coefficient is negative: of a form and its negation one is."""
        return bool(form.num) and form.num[max(form.num)] < 0

    def unary(self, op, a, node=None):
        one, q = self.number(1), a.constant()
        if op == "tan":
            for sign in (1, -1):
                if inner := self.single(self.scaled(a, sign), "atan"):
                    return self.scaled(inner, sign)
            return self.quotient(self.unary("sin", a), self.unary("cos", a))
        if op == "acos":
            return self.joined(self.scaled(self.atom("pi", ()), fmpq(1, 2)), self.unary("asin", a), -1)
        if op == "erfc":
            return self.joined(one, self.unary("erf", a), -1)
        if op == "expm1":
            return self.joined(self.unary("exp", a), one, -1)
        if op == "exp2":
            return self.unary("exp", self.product(a, self.unary("log", self.number(2))))
        if op in ("sinh", "cosh", "tanh"):
            up = self.unary("exp", a)
            down = self.quotient(one, up)
            s, c = self.joined(up, down, -1), self.joined(up, down)
            return self.quotient(s, c) if op == "tanh" else self.scaled(s if op == "sinh" else c, fmpq(1, 2))
        if op == "log1p":
            return self.unary("log", self.joined(one, a))
        if op in ("log2", "log10"):
            return self.quotient(self.unary("log", a), self.unary("log", self.number(2 if op == "log2" else 10)))
        if op == "ceil":
            return self.scaled(self.unary("floor", self.scaled(a, -1)), -1)
        if op == "log":
            if a.num == ONE and (inner := self.single(Form(a.den, ONE, a.values), "exp")):
                return self.scaled(inner, -1)
            return self.number(0) if q == 1 else self.single(a, "exp") or self.atom(op, [a])
        if op == "exp":
            return self.exponential(a)
        if op in ("sqrt", "fabs", "cbrt"):
            return self.root_of(op, a, node)
        if op in PARAMETERS and q is not None and (y := nearest_value(q, op)) is not None:
            return self.number(y)
        if op in ODD and not a.num or op == "acosh" and q == 1:
            return self.number(0)
        if q is not None and q in ARCS.get(op, ()):
            return self.scaled(self.atom("pi", ()), ARCS[op][q])
        if op in ("sin", "cos") and self.sixths(a) is not None:
            value = SINES.get((self.sixths(a) + 3 * (op == "cos")) % 12)
            if value is not None:
                return self.number(value)
        if (op in ODD or op in EVEN) and self.negative(a):
            turned = self.unary(op, self.scaled(a, -1))
            return turned if op in EVEN else self.scaled(turned, -1)
        if op == "sin":
            # sin^2 = 1 - cos^2.
            c = self.unary("cos", a)
            return self.atom(op, [a], (2, self.plus(ONE, self.times(c.num, c.num), -1)))
        if op == "cos" and not a.num:
            return one
        return self.atom(op, [a])

    def sixths(self, a):
        """How many sixths of pi a form is, if it is a whole number of them."""
        pi = self.atom("pi", ())
        if a.den == ONE and len(a.num) == 1 and a.num.keys() == pi.num.keys():
            k = 6 * a.num[next(iter(a.num))]
            return int(k.p) if k.q == 1 else None
        return None

    def exponential(self, a):
        """exp of a sum is a product; whole multiples of a logarithm are powers, of another term powers of one atom."""
        if not a.num:
            return self.number(1)
        if a.den != ONE:
            flip = self.negative(a)
            found = self.atom("exp", [self.scaled(a, -1) if flip else a])
            return self.raised(found, -1) if flip else found
        result = self.number(1)
        for mono, c in a.num.items():
            n = int(c.p)
            inner = self.form({mono: fmpq(1, c.q)}, ONE, [self.sample(mono, t) / int(c.q) for t in range(len(self.points))])
            base = self.single(self.form({mono: fmpq(1)}, ONE, inner.values), "log") if c.q == 1 else None
            if abs(n) > MOST_POWER:
                inner, n = self.scaled(inner, abs(n)), 1 if n > 0 else -1
            result = self.product(result, self.raised(base or self.atom("exp", [inner]), n))
        return result

    def sample(self, mono, t):
        value = 1.0
        for atom, k in mono:
            value *= self.values[atom][t] ** k
        return value

    def root_of(self, op, a, node):
        q, n = a.constant(), 3 if op == "cbrt" else 2
        sign = self.decide(node) if node is not None and op == "fabs" else None
        if sign in (1, -1):
            return self.scaled(a, sign)
        if q is not None:
            exact = abs(q) if op == "fabs" else root(q, n) if q >= 0 else None
            if exact is not None:
                return self.number(exact)
        if op == "fabs" and self.negative(a):
            a = self.scaled(a, -1)
        if op == "sqrt" and a.den == ONE and len(a.num) == 1:
            (mono, c), = a.num.items()
            exact = root(c, 2) if c > 0 else None
            if exact is not None and mono and all(k % 2 == 0 for _, k in mono):
                half = tuple((atom, k // 2) for atom, k in mono)
                inner = self.form({half: exact}, ONE, [float(int(exact.p) / int(exact.q)) * self.sample(half, t)
                                                       for t in range(len(self.points))])
                return self.root_of("fabs", inner, None)
        if op == "fabs":
            square = self.product(a, a)
            return self.atom(op, [a], (2, square.num) if square.den == ONE else None)
        return self.atom(op, [a], (n, a.num) if a.den == ONE else None)
