"""SMT-LIB scripts over floats and bit vectors at given values, from the standard's definitions, in exact rational numbers.

A float is (eb, sb, value): a fraction other than 0, or "nan", "+oo", "-oo", "+0", "-0". A bit vector is (n, integer from 0 on).
"""

import itertools
import math
import re
from fractions import Fraction

from .integers import toward_zero

TOKEN = re.compile(r';[^\n]*|\|[^|]*\||"(?:[^"]|"")*"|[()]|[^\s()";|]+')
MODES = {"RNE": "RNE", "RNA": "RNA", "RTP": "RTP", "RTN": "RTN", "RTZ": "RTZ", "roundNearestTiesToEven": "RNE",
         "roundNearestTiesToAway": "RNA", "roundTowardPositive": "RTP", "roundTowardNegative": "RTN", "roundTowardZero": "RTZ"}
SORTS = {"Float16": (5, 11), "Float32": (8, 24), "Float64": (11, 53), "Float128": (15, 113)}
SPECIAL = ("nan", "+oo", "-oo", "+0", "-0")
# Assignments that are tried one by one where a script is said to have no model.
MOST_TRIED = 1 << 16


class Unsettled(Exception):
    """What the standard leaves open, or this reader does not know."""


def trees(text):
    """The expressions of a script."""
    stack = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        elif token[0] != ";":
            stack[-1].append(token.strip("|") if token[0] == "|" else token)
    return stack[0]


# Floats.


def negative(v):
    return v[0] == "-" if isinstance(v, str) else v < 0


def zero(sign):
    return "-0" if sign else "+0"


def infinity(sign):
    return "-oo" if sign else "+oo"


def is_zero(v):
    return v in ("+0", "-0")


def is_infinite(v):
    return v in ("+oo", "-oo")


def number(v):
    """The number of a value that is finite."""
    return Fraction(0) if is_zero(v) else v


def to_integer(x, mode):
    """A rational number as an integer."""
    low = math.floor(x)
    rest = x - low
    up = {"RTP": rest > 0, "RTN": False, "RTZ": rest > 0 and x < 0,
          "RNE": rest > Fraction(1, 2) or rest == Fraction(1, 2) and low % 2 == 1,
          "RNA": rest > Fraction(1, 2) or rest == Fraction(1, 2) and x > 0}[mode]
    return low + up


def exponent(x):
    """e with 2^e <= |x| < 2^(e + 1)."""
    p, q = abs(x.numerator), x.denominator
    e = p.bit_length() - q.bit_length()
    return e - (p < q << e if e >= 0 else p << -e < q)


def rounded(x, eb, sb, mode, sign=None):
    """A rational number in a format; of 0 the sign is given."""
    if x == 0:
        return zero(sign)
    most = 2 ** (eb - 1) - 1
    unit = Fraction(2) ** (max(exponent(x), 1 - most) - sb + 1)
    y = to_integer(x / unit, mode) * unit
    largest = (2 - Fraction(2) ** (1 - sb)) * Fraction(2) ** most
    if abs(y) > largest:
        stays = mode == "RTZ" or mode == ("RTN" if x > 0 else "RTP")
        return (largest if x > 0 else -largest) if stays else infinity(x < 0)
    return zero(x < 0) if y == 0 else y


def negated(v):
    return v if v == "nan" else {"+": "-", "-": "+"}[v[0]] + v[1:] if isinstance(v, str) else -v


def added(mode, x, y, eb, sb):
    if "nan" in (x, y) or is_infinite(x) and is_infinite(y) and x != y:
        return "nan"
    if is_infinite(x) or is_infinite(y):
        return x if is_infinite(x) else y
    both = x if is_zero(x) and x == y else zero(mode == "RTN")
    return rounded(number(x) + number(y), eb, sb, mode, negative(both))


def multiplied(mode, x, y, eb, sb):
    if "nan" in (x, y) or is_infinite(x) and is_zero(y) or is_zero(x) and is_infinite(y):
        return "nan"
    sign = negative(x) != negative(y)
    if is_infinite(x) or is_infinite(y):
        return infinity(sign)
    return rounded(number(x) * number(y), eb, sb, mode, sign)


def divided(mode, x, y, eb, sb):
    if "nan" in (x, y) or is_infinite(x) and is_infinite(y) or is_zero(x) and is_zero(y):
        return "nan"
    sign = negative(x) != negative(y)
    if is_infinite(x) or is_zero(y):
        return infinity(sign)
    return zero(sign) if is_infinite(y) else rounded(number(x) / number(y), eb, sb, mode, sign)


def fused(mode, x, y, z, eb, sb):
    if "nan" in (x, y, z) or is_infinite(x) and is_zero(y) or is_zero(x) and is_infinite(y):
        return "nan"
    sign = negative(x) != negative(y)
    if is_infinite(x) or is_infinite(y):
        return "nan" if is_infinite(z) and negative(z) != sign else infinity(sign)
    if is_infinite(z):
        return z
    product = number(x) * number(y)
    same = product == 0 and is_zero(z) and negative(z) == sign
    return rounded(product + number(z), eb, sb, mode, sign if same else mode == "RTN")


def root(mode, x, eb, sb):
    if x in ("nan", "-oo") or not is_zero(x) and negative(x):
        return "nan"
    if is_infinite(x) or is_zero(x):
        return x
    # Two bits more than a result has, and one that tells whether anything is behind them.
    k = 2 * sb + 4 + abs(exponent(x))
    scaled = x * Fraction(4) ** k
    low = math.isqrt(math.floor(scaled))
    return rounded(Fraction(2 * low + (low * low != scaled), 2) / Fraction(2) ** k, eb, sb, mode)


def remainder(x, y):
    if "nan" in (x, y) or is_infinite(x) or is_zero(y):
        return "nan"
    if is_infinite(y) or is_zero(x):
        return x
    rest = x - y * to_integer(x / y, "RNE")
    return zero(negative(x)) if rest == 0 else rest


def whole(mode, x):
    if isinstance(x, str):
        return x
    y = to_integer(x, mode)
    return zero(x < 0) if y == 0 else Fraction(y)


def of_bits(bits, eb, sb):
    sign, e, m = bits >> (eb + sb - 1), bits >> (sb - 1) & (2**eb - 1), bits & (2 ** (sb - 1) - 1)
    if e == 2**eb - 1:
        return "nan" if m else infinity(sign)
    if e == m == 0:
        return zero(sign)
    significand = m + (2 ** (sb - 1) if e else 0)
    return (-1) ** sign * significand * Fraction(2) ** (max(e, 1) - 2 ** (eb - 1) + 2 - sb)


def order(x, y):
    """x - y by sign; none with NaN."""
    if "nan" in (x, y):
        return None
    far = {"+oo": 1, "-oo": -1}
    a, b = far.get(x, 0), far.get(y, 0)
    return a - b if a or b else (number(x) > number(y)) - (number(x) < number(y))


def signed(n, x):
    return x - (1 << n) if x >> (n - 1) else x


class Script:
    """A script: its `(check-sat)`s, each with what is declared and asserted by then."""

    def __init__(self, text):
        self.sorts, self.macros, self.checks, self.model = dict(SORTS), {}, [], {}
        frames = [({}, [])]
        for command in trees(text):
            head, rest = command[0], command[1:]
            if head in ("declare-const", "declare-fun"):
                if head == "declare-fun" and rest[1]:
                    raise Unsettled("a function is declared")
                frames[-1][0][rest[0]] = self.sort(rest[-1])
            elif head in ("define-fun", "define-const"):
                self.macros[rest[0]] = ([p[0] for p in rest[1]] if head == "define-fun" else [], rest[-1])
            elif head == "define-sort":
                self.sorts[rest[0]] = self.sort(rest[2])
            elif head == "assert":
                frames[-1][1].append(rest[0])
            elif head == "push":
                frames += [({}, []) for _ in range(int(rest[0]) if rest else 1)]
            elif head == "pop":
                del frames[len(frames) - (int(rest[0]) if rest else 1):]
            elif head in ("check-sat", "check-sat-assuming"):
                declared = {n: s for names, _ in frames for n, s in names.items()}
                assumed = rest[0] if rest else []
                self.checks.append((declared, [a for _, asserted in frames for a in asserted] + assumed, dict(self.macros)))
            elif head in ("reset", "reset-assertions"):
                raise Unsettled(head)

    def sort(self, tree):
        if isinstance(tree, str):
            return self.sorts.get(tree, tree)
        if tree[:2] == ["_", "FloatingPoint"]:
            return int(tree[2]), int(tree[3])
        if tree[:2] == ["_", "BitVec"]:
            return int(tree[2])
        raise Unsettled(f"the sort {tree}")

    def holds(self, check, values):
        """Whether all that is asserted by a check holds for values of what is declared."""
        _, asserted, macros = self.checks[check]
        self.model = values
        return all(self.value(a, values, macros) for a in asserted)

    def is_model(self, check, texts):
        """Whether values that are spelled as terms satisfy a check."""
        values = {name: self.value(trees(text)[0], {}, {}) for name, text in texts}
        return self.holds(check, values)

    def has_model(self, check):
        """Whether some values satisfy it, by trying all; none if there are too many."""
        declared, asserted, macros = self.checks[check]
        used = names_in([asserted, [body for _, body in macros.values()]])
        declared = {name: sort for name, sort in declared.items() if name in used}
        size = lambda s: {"Bool": 2, "RoundingMode": 5}.get(s) or 1 << (s if isinstance(s, int) else sum(s)) if s != "Real" else MOST_TRIED + 1
        if math.prod(map(size, declared.values())) > MOST_TRIED:
            return None
        choices = [list(everything(s)) for s in declared.values()]
        return any(self.holds(check, dict(zip(declared, chosen))) for chosen in itertools.product(*choices))

    def value(self, tree, scope, macros):
        """The value of a term."""
        if isinstance(tree, str):
            return self.atom(tree, scope, macros)
        head, rest = tree[0], tree[1:]
        if head == "let":
            inner = dict(scope)
            for name, term in rest[0]:
                inner[name] = self.value(term, scope, macros)
            return self.value(rest[1], inner, macros)
        if head == "!":
            return self.value(rest[0], scope, macros)
        if head == "ite":
            return self.value(rest[1] if self.value(rest[0], scope, macros) else rest[2], scope, macros)
        if head == "_":
            return self.indexed_constant(rest)
        args = [self.value(a, scope, macros) for a in rest]
        if isinstance(head, list):
            if head[0] == "_":
                return self.indexed(head[1], list(map(int, head[2:])), args)
            raise Unsettled(f"{head}")
        if head in macros:
            names, body = macros[head]
            return self.value(body, {**self.model, **dict(zip(names, args))}, {k: v for k, v in macros.items() if k != head})
        return applied(head, args)

    def atom(self, tree, scope, macros):
        if tree in scope:
            return scope[tree]
        if tree in macros:
            return self.value(macros[tree][1], self.model, {k: v for k, v in macros.items() if k != tree})
        if tree in MODES:
            return MODES[tree]
        if tree in ("true", "false"):
            return tree == "true"
        if tree.startswith("#b"):
            return len(tree) - 2, int(tree[2:], 2)
        if tree.startswith("#x"):
            return 4 * (len(tree) - 2), int(tree[2:], 16)
        if re.fullmatch(r"\d+(\.\d+)?", tree):
            return Fraction(tree)
        raise Unsettled(f"{tree} is unknown")

    def indexed_constant(self, rest):
        name = rest[0]
        if name.startswith("bv"):
            return int(rest[1]), int(name[2:])
        special = {"NaN": "nan", "+oo": "+oo", "-oo": "-oo", "+zero": "+0", "-zero": "-0"}.get(name)
        if special is None:
            raise Unsettled(f"{name} is unknown")
        return int(rest[1]), int(rest[2]), special

    def indexed(self, name, indices, args):
        if name == "extract":
            high, low = indices
            return high - low + 1, args[0][1] >> low & ((1 << high - low + 1) - 1)
        if name in ("zero_extend", "sign_extend", "repeat", "rotate_left", "rotate_right"):
            (n, x), (k,) = args[0], indices
            if name == "repeat":
                return n * k, sum(x << n * i for i in range(k))
            if name.startswith("rotate"):
                k = k % n if name == "rotate_left" else -k % n
                return n, (x << k | x >> (n - k)) & ((1 << n) - 1)
            return n + k, (x if name == "zero_extend" else signed(n, x)) & ((1 << n + k) - 1)
        if name in ("to_fp", "to_fp_unsigned"):
            eb, sb = indices
            if len(args) == 1:
                return eb, sb, of_bits(args[0][1], eb, sb)
            mode, x = args
            if isinstance(x, tuple) and len(x) == 3:
                return eb, sb, x[2] if isinstance(x[2], str) else rounded(x[2], eb, sb, mode)
            if isinstance(x, tuple):
                x = Fraction(x[1] if name == "to_fp_unsigned" else signed(*x))
            return eb, sb, rounded(x, eb, sb, mode, False)
        if name in ("fp.to_ubv", "fp.to_sbv"):
            (n,), (mode, (_, _, x)) = indices, args
            if x == "nan" or is_infinite(x):
                raise Unsettled(f"{name} of {x}")
            y = to_integer(number(x), mode)
            low, high = (0, 1 << n) if name == "fp.to_ubv" else (-(1 << n - 1), 1 << n - 1)
            if not low <= y < high:
                raise Unsettled(f"{name} out of range")
            return n, y & ((1 << n) - 1)
        raise Unsettled(f"{name} is unknown")


def names_in(tree):
    """All atoms of a term."""
    return {tree} if isinstance(tree, str) else set().union(*map(names_in, tree))


def everything(sort):
    """All values of a small sort."""
    if sort == "Bool":
        return [False, True]
    if sort == "RoundingMode":
        return ["RNE", "RNA", "RTP", "RTN", "RTZ"]
    if isinstance(sort, int):
        return [(sort, x) for x in range(1 << sort)]
    eb, sb = sort
    return [(eb, sb, v) for v in dict.fromkeys(of_bits(x, eb, sb) for x in range(1 << eb + sb))]


def chained(args, holds):
    return all(holds(a, b) for a, b in zip(args, args[1:]))


def applied(head, args):
    """The value of a function of the standard on values."""
    logic = {
        "not": lambda: not args[0], "and": lambda: all(args), "or": lambda: any(args),
        "xor": lambda: sum(args) % 2 == 1, "=>": lambda: any(not a for a in args[:-1]) or args[-1],
        "=": lambda: chained(args, lambda a, b: a == b), "distinct": lambda: len(set(args)) == len(args),
    }
    if head in logic:
        return logic[head]()
    if head == "fp":
        (_, s), (eb, e), (m, rest) = args
        return eb, m + 1, of_bits((s << eb + m) | e << m | rest, eb, m + 1)
    if head.startswith("fp."):
        return of_float(head[3:], args)
    if head.startswith("bv") or head == "concat":
        return of_vector(head, args)
    if head in ("+", "*") or head in ("-", "/"):
        if len(args) == 1:
            return -args[0]
        total = args[0]
        for a in args[1:]:
            if head == "/" and a == 0:
                raise Unsettled("a division by 0")
            total = {"+": lambda: total + a, "-": lambda: total - a, "*": lambda: total * a, "/": lambda: total / a}[head]()
        return total
    relation = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}.get(head)
    if relation is None:
        raise Unsettled(f"{head} is unknown")
    return chained(args, relation)


RELATIONS = {"lt": lambda o: o < 0, "leq": lambda o: o <= 0, "gt": lambda o: o > 0, "geq": lambda o: o >= 0, "eq": lambda o: o == 0}


def of_float(name, args):
    if name in RELATIONS:
        pairs = [order(a[2], b[2]) for a, b in zip(args, args[1:])]
        return all(o is not None and RELATIONS[name](o) for o in pairs)
    eb, sb, x = next(a for a in args if isinstance(a, tuple))
    smallest = Fraction(2) ** (2 - 2 ** (eb - 1))
    tests = {
        "isNaN": x == "nan", "isInfinite": is_infinite(x), "isZero": is_zero(x),
        "isNormal": not isinstance(x, str) and abs(x) >= smallest, "isSubnormal": not isinstance(x, str) and abs(x) < smallest,
        "isNegative": x != "nan" and negative(x), "isPositive": x != "nan" and not negative(x),
    }
    if name in tests:
        return tests[name]
    if name == "to_real":
        if x == "nan" or is_infinite(x):
            raise Unsettled(f"fp.to_real of {x}")
        return number(x)
    if name in ("min", "max"):
        y = args[1][2]
        if is_zero(x) and is_zero(y) and x != y:
            raise Unsettled(f"fp.{name} of zeros of both signs")
        if "nan" in (x, y):
            return eb, sb, y if x == "nan" else x
        return eb, sb, x if (order(x, y) <= 0) == (name == "min") else y
    mode, values = args[0], [a[2] for a in args if isinstance(a, tuple)]
    found = {
        "abs": lambda: negated(x) if x != "nan" and negative(x) else x, "neg": lambda: negated(x),
        "add": lambda: added(mode, *values, eb, sb), "sub": lambda: added(mode, x, negated(values[1]), eb, sb),
        "mul": lambda: multiplied(mode, *values, eb, sb), "div": lambda: divided(mode, *values, eb, sb),
        "fma": lambda: fused(mode, *values, eb, sb), "sqrt": lambda: root(mode, x, eb, sb),
        "rem": lambda: remainder(*values), "roundToIntegral": lambda: whole(mode, x),
    }.get(name)
    if found is None:
        raise Unsettled(f"fp.{name} is unknown")
    return eb, sb, found()


def of_vector(name, args):
    n, x = args[0]
    if name == "concat":
        for m, y in args[1:]:
            n, x = n + m, x << m | y
        return n, x
    whole_of = lambda v: (n, v & ((1 << n) - 1))
    if name in ("bvnot", "bvneg"):
        return whole_of(~x if name == "bvnot" else -x)
    y = args[1][1]
    a, b = signed(n, x), signed(n, y)
    relations = {"bvult": x < y, "bvule": x <= y, "bvugt": x > y, "bvuge": x >= y, "bvslt": a < b, "bvsle": a <= b, "bvsgt": a > b, "bvsge": a >= b}
    if name in relations:
        return relations[name]
    if name == "bvcomp":
        return 1, int(x == y)
    if name in ("bvand", "bvor", "bvxor", "bvadd", "bvmul"):
        for _, more in args[1:]:
            x = {"bvand": x & more, "bvor": x | more, "bvxor": x ^ more, "bvadd": x + more, "bvmul": x * more}[name]
        return whole_of(x)
    found = {
        "bvsub": lambda: x - y, "bvnand": lambda: ~(x & y), "bvnor": lambda: ~(x | y), "bvxnor": lambda: ~(x ^ y),
        "bvudiv": lambda: x // y if y else -1, "bvurem": lambda: x % y if y else x,
        "bvsdiv": lambda: toward_zero(a, b) if b else (1 if a < 0 else -1), "bvsrem": lambda: a - b * toward_zero(a, b) if b else a,
        "bvsmod": lambda: a % b if b else a, "bvshl": lambda: x << y if y < n else 0, "bvlshr": lambda: x >> y if y < n else 0,
        "bvashr": lambda: a >> min(y, n - 1),
    }.get(name)
    if found is None:
        raise Unsettled(f"{name} is unknown")
    return whole_of(found())
