#!/usr/bin/env python3
"""The oracles of runs beside MPFR at 500 digits and more: each test's right result, and the least and greatest result that its accuracy allows.

  tests/digits/main.py FOLDER...    folders that `magneto gen -o` wrote, with all that are in them

Needs gmpy2 (python3 -m pip install gmpy2). The formula is read from the manifest, by a reader of its own; nothing of Magneto or of
verify/ is used. Each result is computed with 500 digits and with 1,000, and with twice as many until two of them have 300 digits in
common: subtraction may cancel hundreds. A test is not judged, and counted so, where a comparison of the formula may be an equality.
Exit code 1 where an oracle is wrong, 2 where the arguments are wrong or nothing was judged.
"""

import collections
import csv
import json
import pathlib
import re
import sys

try:
    import gmpy2
    from gmpy2 import mpfr, mpq
except ModuleNotFoundError:
    print("digits: gmpy2 is not installed; get it by: python3 -m pip install gmpy2", file=sys.stderr)
    sys.exit(2)

DIGITS = 500
MOST_DIGITS = 16000
BITS_OF_A_DIGIT = 3.3219281
# What differs by less than this share of its size may be the same.
SAME = mpfr(10) ** -300
FORMATS = {"binary64": (53, -1022, 1023), "binary32": (24, -126, 127), "binary16": (11, -14, 15), "bfloat16": (8, -126, 127)}


class Undecided(Exception):
    """A comparison whose sides may be the same."""


class Unknown(Exception):
    """Something that is not read here."""


def read(text):
    """An S-expression as lists of atoms."""
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|[()\[\]]|[^\s()\[\]]+', text)
    stack = [[]]
    for token in tokens:
        if token in "([":
            stack.append([])
        elif token in ")]":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


def number(atom):
    """The rational number that an atom spells; none where it is a name."""
    if re.fullmatch(r"[+-]?0x[0-9a-fA-F.]+(p[+-]?\d+)?", atom):
        sign, body = (-1 if atom[0] == "-" else 1), atom.lstrip("+-")[2:]
        digits, _, power = body.partition("p")
        whole, _, part = digits.partition(".")
        return sign * mpq(int(whole + part or "0", 16)) * mpq(2) ** (int(power or 0) - 4 * len(part))
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", atom):
        digits, _, power = atom.partition("e")
        whole, _, part = digits.partition(".")
        return mpq(int(whole + part)) * mpq(10) ** (int(power or 0) - len(part))
    if re.fullmatch(r"[+-]?\d+/\d+", atom):
        return mpq(atom)
    return None


def below(a, b):
    """Whether a < b, where that is certain. The same numbers are the same where they are exact."""
    if a == b and gmpy2.is_integer(a * 2**60):
        return False
    if abs(a - b) <= SAME * max(abs(a), abs(b)):
        raise Undecided
    return a < b


def fmod(a, b):
    return a - b * gmpy2.trunc(a / b)


CONSTANTS = {
    "PI": lambda: gmpy2.const_pi(), "E": lambda: gmpy2.exp(mpfr(1)), "LN2": lambda: gmpy2.const_log2(),
    "LN10": lambda: gmpy2.log(mpfr(10)), "LOG2E": lambda: 1 / gmpy2.const_log2(), "LOG10E": lambda: 1 / gmpy2.log(mpfr(10)),
    "PI_2": lambda: gmpy2.const_pi() / 2, "PI_4": lambda: gmpy2.const_pi() / 4, "M_1_PI": lambda: 1 / gmpy2.const_pi(),
    "M_2_PI": lambda: 2 / gmpy2.const_pi(), "M_2_SQRTPI": lambda: 2 / gmpy2.sqrt(gmpy2.const_pi()),
    "SQRT2": lambda: gmpy2.sqrt(mpfr(2)), "SQRT1_2": lambda: gmpy2.sqrt(mpfr(0.5)),
}
ALIKE = (
    "sqrt cbrt exp exp2 log log10 log2 log1p expm1 sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh hypot erf erfc "
    "floor ceil trunc"
).split()
FUNCTIONS = {name: getattr(gmpy2, name) for name in ALIKE}
FUNCTIONS |= {
    "fabs": abs, "tgamma": gmpy2.gamma, "lgamma": lambda x: gmpy2.lgamma(x)[0], "pow": lambda a, b: a**b, "fmod": fmod, "cast": lambda x: x,
    "fma": lambda a, b, c: a * b + c, "fdim": lambda a, b: a - b if below(b, a) else mpfr(0),
    "fmax": lambda a, b: b if below(a, b) else a, "fmin": lambda a, b: a if below(a, b) else b,
}  # fmt: skip
RELATIONS = {
    "<": below, ">": lambda a, b: below(b, a), "<=": lambda a, b: not below(b, a), ">=": lambda a, b: not below(a, b),
    "==": lambda a, b: not below(a, b) and not below(b, a), "!=": lambda a, b: below(a, b) or below(b, a),
}  # fmt: skip


def value(e, names):
    """What an expression is at values of its names: a number of MPFR, or a truth value."""
    if isinstance(e, str):
        if e in names:
            return names[e]
        if e in ("TRUE", "FALSE"):
            return e == "TRUE"
        exact = number(e)
        if exact is not None:
            return mpfr(exact)
        if e in CONSTANTS:
            return CONSTANTS[e]()
        raise Unknown(e)
    head, *rest = e
    if head == "if":
        return value(rest[1] if value(rest[0], names) else rest[2], names)
    if head in ("let", "let*"):
        inner = dict(names)
        for name, bound in rest[0]:
            inner[name] = value(bound, inner if head == "let*" else names)
        return value(rest[1], inner)
    if head in ("while", "while*"):
        inner = dict(names)
        for name, first, _ in rest[1]:
            inner[name] = value(first, inner if head == "while*" else names)
        while value(rest[0], inner):
            before = dict(inner)
            for name, _, step in rest[1]:
                inner[name] = value(step, inner if head == "while*" else before)
        return value(rest[2], inner)
    if head == "!":
        return value(rest[-1], names)
    if head in ("and", "or"):
        return (all if head == "and" else any)(value(x, names) for x in rest)
    if head == "not":
        return not value(rest[0], names)
    x = [value(a, names) for a in rest]
    if head in RELATIONS:
        return all(RELATIONS[head](a, b) for a, b in zip(x, x[1:]))
    if head == "-":
        return -x[0] if len(x) == 1 else x[0] - x[1]
    if head == "+":
        return sum(x[1:], x[0])
    if head == "*":
        return gmpy2.mul(*x) if len(x) == 2 else x[0]
    if head == "/":
        return x[0] / x[1]
    if head in FUNCTIONS:
        return FUNCTIONS[head](*x)
    raise Unknown(head)


def ulp(f, name):
    """The distance of the floats of a format at f, in f's binade."""
    precision, emin, _ = FORMATS[name]
    exponent = gmpy2.get_exp(f) - 1 if f else emin
    return mpfr(2) ** (max(exponent, emin) - precision + 1)


def tolerance(accuracy, f):
    """The largest tolerance of an accuracy, as the manifest spells it."""
    sizes = []
    for part in accuracy.split(", "):
        if match := re.fullmatch(r"relative (\S+)", part):
            sizes.append(abs(f) * mpfr(number(match[1])))
        elif match := re.fullmatch(r"absolute (\S+)", part):
            sizes.append(mpfr(number(match[1])))
        elif match := re.fullmatch(r"(\S+) ulps of (\S+)", part):
            sizes.append(mpfr(number(match[1])) * ulp(f, match[2]))
        else:
            raise Unknown(part)
    return max(sizes)


def neighbour(x, name, side):
    """The next float of a format below (-1) or above (1) a float; none beyond its greatest."""
    precision, emin, emax = FORMATS[name]
    exponent = gmpy2.get_exp(x) - 1 if x else emin
    step = mpfr(2) ** (max(exponent, emin) - precision + 1)
    is_power = x and abs(x) == mpfr(2) ** exponent and exponent > emin
    # Toward zero from a power of two the floats are half as far apart.
    found = x + side * (step / 2 if is_power and (x > 0) == (side < 0) else step)
    return found if abs(found) < mpfr(2) ** (emax + 1) else None


def wrong(test, f, tolerance, name):
    """What is wrong with the oracle of a test whose exact result is f."""
    slack = SAME * max(abs(f), tolerance)
    numbers = {key: mpfr(number(test[key])) for key in ("lo", "hi", "expected") if number(test[key] or "") is not None}
    if len(numbers) < 3:
        return None
    lo, hi, expected = numbers["lo"], numbers["hi"], numbers["expected"]
    for other in (neighbour(expected, name, -1), neighbour(expected, name, 1)):
        if other is not None and abs(other - f) < abs(expected - f) - slack:
            return f"{test['expected']} is not the float nearest to the result"
    if lo < f - tolerance - slack or hi > f + tolerance + slack:
        return f"{test['lo']} or {test['hi']} is further off than the accuracy allows"
    # Narrower where some results were in doubt: the bounds inside are told then.
    under, over = neighbour(lo, name, -1), neighbour(hi, name, 1)
    if not test["inner_lo"] and under is not None and under >= f - tolerance + slack:
        return f"below {test['lo']} another float is as right"
    if not test["inner_hi"] and over is not None and over <= f + tolerance - slack:
        return f"above {test['hi']} another float is as right"
    return None


def settled(body, inputs):
    """The result at inputs, from two precisions that agree."""
    before, digits = None, DIGITS
    while digits <= MOST_DIGITS:
        gmpy2.get_context().precision = int(digits * BITS_OF_A_DIGIT)
        f = value(body, {name: mpfr(exact) for name, exact in inputs.items()})
        if not gmpy2.is_finite(f):
            raise Unknown("no number")
        if before is not None and abs(f - before) <= SAME * abs(f) / 2:
            return f
        before, digits = f, 2 * digits
    raise Unknown("precisions that do not agree")


def judge(folder, counts):
    """Judges the tests of one specification; what is wrong, as lines."""
    spec = json.loads((folder / "manifest.json").read_text())["specification"]
    core, lines = read(spec["core"])[0], []
    name = spec["result_format"]
    with (folder / "tests.csv").open(newline="") as file:
        for test in csv.DictReader(file):
            inputs = {i["name"]: number(test[i["column"]]) for i in spec["inputs"]}
            try:
                f = settled(core[-1], inputs)
                if name not in FORMATS:
                    raise Unknown(name)
                said = wrong(test, f, tolerance(spec["accuracy"], f), name)
            except (Undecided, Unknown) as why:
                counts[f"not judged: {str(why) or 'a comparison may be an equality'}"] += 1
                continue
            counts["wrong" if said else "right"] += 1
            if said:
                lines.append(f"{folder}: {test['test_id']}: {said}")
    return lines


def main():
    folders = [pathlib.Path(argument) for argument in sys.argv[1:]]
    for folder in folders:
        if not folder.is_dir():
            print(f"digits: {folder} is no folder", file=sys.stderr)
            sys.exit(2)
    counts, lines = collections.Counter(), []
    for folder in sorted({file.parent for base in folders for file in base.rglob("tests.csv")}):
        lines += judge(folder, counts)
    for line in lines:
        print(line)
    print("; ".join(f"{n} {what}" for what, n in sorted(counts.items(), key=lambda pair: -pair[1])))
    sys.exit(1 if lines else 0 if counts["right"] else 2)


main()
