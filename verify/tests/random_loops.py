"""What the checker says of loops whose condition depends on the input is compared with exact rational numbers: values and loops
that never end at inputs, ranges on boxes, loops that are said to be the same function, values so large that they are invalid, and
sizes of iterations.
"""

import argparse
import random
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]
sys.setrecursionlimit(20_000)

from flint import arb, ctx
from magneto_verify.balls import UNDEFINED, Num
from magneto_verify.covers import Domain
from magneto_verify.evaluator import Evaluator
from magneto_verify.formats import rational
from magneto_verify.fpcore import Graph, cores
from magneto_verify.points import Points, plain

# A loop that is said never to end goes on for so many rounds, or until its numbers have so many bits.
ROUNDS, BITS = 400, 3000
NUMBERS = ["0", "1/2", "1", "3/4", "2", "-1", "1/16", "10", "3"]
INFINITY = float("inf")
TRUTHS, CONDITIONS = {"TRUE": True, "FALSE": False}, ("<", ">", "<=", ">=", "not", "and", "or")


class TooLong(Exception):
    """Numbers of too many bits, or too many rounds."""


def expression(chance, names, depth):
    if depth == 0 or chance.random() < 0.2:
        return chance.choice(names + NUMBERS if chance.random() < 0.5 else names)
    inner = lambda: expression(chance, names, depth - 1)
    kind = chance.choice(["+", "-", "*", "*", "/", "fabs", "fmin", "fmax", "if", "+", "-", "round"])
    if kind in ("fabs", "round"):
        return [kind, inner()]
    return ["if", condition(chance, names, 1), inner(), inner()] if kind == "if" else [kind, inner(), inner()]


def condition(chance, names, depth):
    return [chance.choice(["<", ">", "<=", ">="]), expression(chance, names, depth), expression(chance, names, depth)]


def loop(chance, names, depth):
    """A loop over one to three variables, of which one may be a loop itself."""
    own = [f"{names[0]}{k}" for k in range(chance.choice([1, 2, 2, 3]))]
    if depth == 0:
        own = [f"{name}i" for name in own]
    inner = names + own
    if chance.random() < 0.15:
        # It moves slowly, and ends.
        bound, step = chance.choice([("<=", "1/16"), ("<=", "1/8"), (">=", "-1/16")])
        start = chance.choice([["fabs", names[0]], names[0], "1"])
        end = "6" if bound == "<=" else "-6"
        variables = [[own[0], start, ["+", own[0], step]]]
        return ["while", [bound, own[0], end], variables, expression(chance, [*names, own[0]], 2)]

    def update(name):
        # Loops of many rounds, and variables that lose their value, are rare by chance.
        kind = chance.random()
        if kind < 0.3:
            return chance.choice([["+", name, "1/16"], ["-", name, "1/8"], ["*", name, "3/4"], ["+", name, "1/2"]])
        if kind < 0.4:
            return ["/", name, ["-", chance.choice(inner), chance.choice(NUMBERS)]]
        return loop(chance, inner, 0) if depth and kind < 0.55 else expression(chance, inner, chance.choice([1, 2, 2, 3]))

    variables = [[name, expression(chance, names, 1), update(name)] for name in own]
    test, body = condition(chance, inner, 1), expression(chance, inner, 2)
    if chance.random() < 0.2:
        # A variable that is a condition.
        flag = f"{own[0]}?"
        becomes = [condition(chance, inner, 1), ["not", flag], [chance.choice(["and", "or"]), flag, condition(chance, inner, 1)]]
        variables.insert(chance.choice([0, len(variables)]), [flag, chance.choice(["TRUE", "FALSE"]), chance.choice(becomes)])
        test = chance.choice([[chance.choice(["and", "or"]), test, flag], ["and", flag, test], ["and", ["not", flag], test], ["not", flag]])
        body = chance.choice([body, ["if", flag, body, own[0]]])
    return [chance.choice(["while", "while*"]), test, variables, body]


def changed(chance, tree):
    """A tree with one expression written otherwise, or another one in its place."""
    if isinstance(tree, str) and (tree[-1] == "?" or tree in TRUTHS):
        return chance.choice([tree, ["not", tree], ["and", tree, "TRUE"], ["or", tree, tree]])
    if isinstance(tree, str) or tree[0] not in ("while", "while*", *CONDITIONS) and chance.random() < 0.3:
        x = tree
        return chance.choice([
            ["+", x, "0"], ["*", "1", x], ["-", x, "0"], ["-", ["-", x]], ["/", x, "1"], ["+", x, ["*", "0", x]], ["-", ["+", x, x], x],
            ["/", ["*", x, x], x], "1",
        ])
    place = chance.randrange(1, len(tree))
    if tree[0] in ("while", "while*") and place == 2:
        j = chance.randrange(len(tree[2]))
        name, start, update = tree[2][j]
        if name[-1] != "?" and chance.random() < 0.3:
            # Another variable is needed, that has no part in the value.
            update = ["+", update, ["*", "0", chance.choice([own for own, _, _ in tree[2] if own[-1] != "?"])]]
        own = [name, changed(chance, start), update] if chance.random() < 0.3 else [name, start, changed(chance, update)]
        return [*tree[:2], [*tree[2][:j], own, *tree[2][j + 1:]], *tree[3:]]
    return [*tree[:place], changed(chance, tree[place]), *tree[place + 1:]]


def written(tree):
    return tree if isinstance(tree, str) else f"({' '.join(map(written, tree))})"


def exact(tree, scope):
    """The rational number or truth value of a tree; None where it has none. A variable without one matters where it is used."""
    if isinstance(tree, str):
        return scope[tree] if tree in scope else TRUTHS[tree] if tree in TRUTHS else Fraction(tree)
    head, *parts = tree
    if head == "if":
        holds = exact(parts[0], scope)
        return None if holds is None else exact(parts[1] if holds else parts[2], scope)
    if head in ("while", "while*"):
        return run(head, parts, scope)
    args = [exact(part, scope) for part in parts]
    if None in args or head == "/" and args[1] == 0:
        return None
    value = {
        "+": lambda *terms: sum(terms), "pow": lambda x, n: x ** int(n), "fma": lambda x, y, z: x * y + z, "-": lambda x, y=None: -x if y is None else x - y, "*": lambda x, y: x * y, "/": lambda x, y: x / y,
        # Halves are rounded away from 0.
        "round": lambda x: Fraction(int(abs(x) + Fraction(1, 2))) * (1 if x > 0 else -1),
        "fabs": abs, "fmin": min, "fmax": max, "<": lambda x, y: x < y, ">": lambda x, y: x > y, "<=": lambda x, y: x <= y,
        ">=": lambda x, y: x >= y, "==": lambda x, y: x == y, "not": lambda x: not x, "and": lambda x, y: x and y, "or": lambda x, y: x or y,
    }[head](*args)
    if isinstance(value, Fraction) and max(value.numerator.bit_length(), value.denominator.bit_length()) > BITS:
        raise TooLong
    return value


def run(head, parts, scope):
    test, variables, body = parts
    inner = dict(scope)
    for name, start, _ in variables:
        inner[name] = exact(start, inner if head == "while*" else scope)
    for _ in range(ROUNDS):
        goes_on = exact(test, inner)
        if not goes_on:
            return None if goes_on is None else exact(body, inner)
        seen = dict(inner)
        for name, _, update in variables:
            seen[name] = exact(update, seen if head == "while*" else inner)
        inner = seen
    raise TooLong


def known(tree, x):
    """The value at an input, "none", or "long" where it is not known."""
    try:
        value = exact(tree, {"x": x})
    except TooLong:
        return "long"
    return "none" if value is None else value


class Trial:
    """A loop and changed ones, in one graph."""

    def __init__(self, seed, count, wrong, trees=None):
        chance = random.Random(seed)
        self.seed, self.count, self.wrong = seed, count, wrong
        first = loop(chance, ["x"], 1)
        self.trees = trees or [first] + [changed(chance, first) for _ in range(4)]
        self.graph = Graph()
        bounds = ["rel-error 1/8", "abs-error 1/4", "ulps (4 binary16)", "ulps (10 bfloat16)"]
        head = f"(FPCore (x) :pre (<= -4 x 4) :magneto-{chance.choice(bounds)}"
        self.cores = cores(self.graph, "\n".join(f"{head} {written(tree)})" for tree in self.trees))
        ends = sorted(Fraction(chance.randint(-512, 512), 128) for _ in range(2))
        self.low, self.high = (Fraction(-1), Fraction(1)) if trees else ends

    def say(self, what, k, x):
        self.wrong.append(f"seed {self.seed}: {what} at {x}: {written(self.trees[0])} {written(self.trees[k])}")

    def check(self):
        own, count = self.cores[0].body, self.count
        domain = Domain(Points(self.graph, self.cores[0]), 50)
        at = domain.differences([(float(self.low), float(self.high))], 0, (own,))
        points = domain.points
        shorter = [domain.reduced(core.body) for core in self.cores]
        count["shorter"] += sum(node != core.body for node, core in zip(shorter, self.cores))
        as_one = lambda f, g: (domain.forms.equal(f, g), domain.same_needs(f, g))
        pairs = [as_one(own, core.body) for core in self.cores] + [(domain.is_one_function(own, core.body, True),) * 2 for core in self.cores]
        count["same"] += sum(all(pair) and core.body != own for pair, core in zip(pairs, self.cores))
        count["same, shorter"] += sum(all(pair) for pair in pairs[len(self.trees):]) - sum(all(pair) for pair in pairs[:len(self.trees)])
        for x in {self.low, self.high, (self.low + self.high) / 2}:
            values = [known(tree, x) for tree in self.trees]
            for k, (value, core) in enumerate(zip(values, self.cores)):
                self.check_point(core.body, value, k, x)
                self.check_point(shorter[k], value, k, x)
                if values[0] == "none" and points.kill(core, (rational(x),)):
                    self.say("a kill where nothing is owed", k, x)
                # Also of values that balls hold.
                if isinstance(values[0], Fraction) and isinstance(value, Fraction) and points.is_vast(core, (rational(x),)):
                    count["vast"] += 1
                    if points.kill(core, (rational(x),)) is False:
                        self.say(f"{value} is far from {values[0]}", k, x)
                self.check_range(*at.of(core.body), value, k, x)
                self.check_range(*at.of(shorter[k]), value, k, x)
                self.check_pair(pairs[k], (values[0], value), k, x)
                self.check_pair(pairs[len(self.trees) + k], (values[0], value), k, x)

    def check_point(self, node, value, k, x):
        for bits in (64, 512):
            found = Evaluator(self.graph, (rational(x),), bits).value(node)
            ctx.prec = bits
            if isinstance(found, Num):
                self.count["values"] += 1
                if value == "none" or value != "long" and not arb(plain(found)).contains(arb(rational(value))):
                    self.say(f"{found.ball} for {value}", k, x)
            elif found is UNDEFINED:
                self.count["never" if value == "long" else "none"] += 1
                if isinstance(value, Fraction):
                    self.say(f"no value for {value}", k, x)

    def check_range(self, low, high, has, value, k, x):
        self.count["surely"] += has is True
        if isinstance(value, Fraction):
            self.count["ranges"] += high - low < INFINITY
            if has is False or low > -INFINITY and value < Fraction(low) or high < INFINITY and value > Fraction(high):
                self.say(f"{low} to {high}, {has} for {value}", k, x)
        elif value == "none" and has is True:
            self.say("a value for none", k, x)

    def check_pair(self, pair, values, k, x):
        is_equal, has_same_needs = pair
        if is_equal and all(isinstance(v, Fraction) for v in values) and values[0] != values[1]:
            self.say(f"equal forms of {values[0]} and {values[1]}", k, x)
        if has_same_needs and "long" not in values and values.count("none") == 1:
            self.say(f"the same needs of {values[0]} and {values[1]}", k, x)


def needing(update):
    """A loop with a variable that has no value at 0; `update` is the next value of what it returns."""
    variables = [["a", ["+", "5/8", "x"], ["*", "a", "3/4"]], ["v", ["/", "1", "x"], "v"], ["w", "1", update]]
    return ["while", [">", "a", "1/2"], variables, "w"]


def check_turns(wrong):
    """A condition that no precision settles has another truth in each round, and what it chooses another value."""
    variables = "([i 0 (+ i 1)] [a 0 b] [b 0 (if (< v 2) 1 5)] [v (* (sqrt 2) (sqrt 2)) w] [w (- 2 (exp -20000)) v])"
    [core] = cores(graph := Graph(), f"(FPCore (x) :magneto-abs-error 1/8 (while (< i 60) {variables} (- b a)))")
    oracle = Points(graph, core).oracle((rational(0),))
    if oracle is not None:
        wrong.append(f"{oracle} for 4 or -4")


def iteration(chance):
    """A function of x, applied a few times, of which 0 is often a fixed point and terms often cancel."""
    part = lambda n, x: ["*", chance.choice(["1/3", "1/2", "-2", "5", "-1/6"]), ["pow", x, str(n)]]
    sides = [[chance.choice([0, 1, 2, 3]) for _ in range(chance.choice([2, 3]))] for _ in range(2)]
    shift = chance.choice([0, 1, 1, 2])

    def round_of(x):
        above, below = (["+", *(part(n, x) for n in side)] for side in sides)
        quotient = ["/", ["*", ["pow", x, str(shift)], above], ["+", below, chance.choice(["4", "-4", x])]]
        kept = ["/", ["*", x, x], x]
        return chance.choice([quotient, ["-", ["+", kept, quotient], x], ["-", ["-", x, quotient], kept], ["fma", kept, "1/8", quotient]])

    tree = chance.choice(["x", "x", ["fabs", ["+", "x", "1/3"]], ["if", ["<", "x", "0"], ["+", "x", "-1"], ["*", "x", "x"]]])
    for _ in range(chance.choice([1, 2, 3])):
        tree = round_of(tree)
    return tree


def check_size(seed, count, wrong):
    """The size of a chain on a box, and that no number is near enough to it."""
    chance = random.Random(f"chain {seed}")
    tree, (low, high) = iteration(chance), sorted(chance.choice([-1, 1]) * chance.random() * 2.0 ** -chance.choice([0, 1, 2, 60, 400]) for _ in range(2))
    bound = chance.choice(["rel-error 1/8", "abs-error 1/4", "ulps (4 binary16)"])
    [core] = cores(graph := Graph(), f"(FPCore (x) :precision binary16 :magneto-{bound} {written(tree)})")
    domain = Domain(Points(graph, core), 50)
    at = domain.differences([(low, high)], 0, (core.body,))
    size = domain.chain.size(at)
    if size is None:
        return
    is_without = domain.is_without_test(at)
    for x in (Fraction(low), Fraction(high), (Fraction(low) + Fraction(high)) / 2):
        value = known(tree, x)
        if isinstance(value, Fraction):
            count["sizes"] += 1
            count["without"] += is_without
            least, most = (Fraction(2) ** int(e.man_exp()[1]) * int(e.man_exp()[0]) if e.is_finite() else INFINITY for e in size)
            oracle = domain.points.oracle((rational(x),))
            if not least <= abs(value) <= most or is_without and oracle not in (None, (None, None)):
                wrong.append(f"chain {seed}: {size}, {oracle} for {value} at {x}: {written(tree)}")


def check_steps(seed, count, wrong):
    """Iterations, one of them written otherwise in each round, that are said to be one function."""
    chance = random.Random(f"steps {seed}")
    start, step = chance.choice(["x", ["fabs", "x"], ["+", "x", "1/8"]]), expression(chance, ["v", "v", "x"], 3)
    changes = [changed(chance, step) for _ in range(3)] + [["fmin", step, changed(chance, step)]]
    trees = [["while", ["<", "i", "4"], [["v", start, own], ["i", "0", ["+", "i", "1"]]], "v"] for own in (step, *changes)]
    first, *others = cores(graph := Graph(), "".join(f"(FPCore (x) :pre (<= -4 x 4) {written(tree)})" for tree in trees))
    domain = Domain(Points(graph, first), 50)
    for tree, other in zip(trees[1:], others):
        if first.body != other.body and domain.is_one_function(first.body, other.body, True):
            count["steps"] += not domain.forms.equal(first.body, other.body)
            for x in {Fraction(k, 8) for k in range(-32, 33)}:
                values = known(trees[0], x), known(tree, x)
                if "long" not in values and values[0] != values[1]:
                    wrong.append(f"steps {seed}: {values} at {x}: {written(trees[0])} {written(tree)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loops", type=int, default=100, help="how many loops")
    parser.add_argument("--seed", type=int, default=0, help="the first")
    options = parser.parse_args()
    count, wrong = Counter(), []
    check_turns(wrong)
    # A round needs a variable that has no part in the value, which random loops rarely show.
    own = ["if", [">", "x", "100"], "v", "w"]
    Trial(0, count, wrong, [needing(own), needing(["+", own, ["*", "0", "v"]])]).check()
    # A variable that is a condition has no box of numbers that a round leaves or not.
    going = [["going?", "TRUE", ["<", "n", "15"]], ["n", "x", ["+", "n", "1"]]]
    Trial(0, count, wrong, [["while", ["and", "going?", [">", "n", "-5"]], going, "n"], ["while", "going?", going, "n"]]).check()
    for seed in range(options.seed, options.seed + options.loops):
        Trial(seed, count, wrong).check()
        for k in range(10):
            check_size(10 * seed + k, count, wrong)
        for k in range(5):
            check_steps(10 * seed + k, count, wrong)
    print("\n".join(wrong[:20]))
    print(dict(count), len(wrong), "wrong")
    return 1 if wrong or min(count[k] for k in ("values", "never", "none", "ranges", "surely", "same", "vast", "sizes", "without")) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
