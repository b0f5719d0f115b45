"""The checker's bounds are checked: on random expressions and boxes, what is computed exactly at inputs of a box is within
the range, the difference and the ratio that hold on the box; what has one normal form has one value; what surely has a value
has one; and what a program returns is within the bound of its errors. No number that is printed of a distance is too small where no
result is valid, and nothing is owed where a function has no value.
"""

import argparse
import math
import random
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2] / "tests/ball_judge")]
sys.setrecursionlimit(20_000)

from flint import arb, ctx
from magneto_verify.balls import UNDEFINED, Num
from magneto_verify.claims import VERIFIED, Checker
from magneto_verify.covers import Domain
from magneto_verify.evaluator import Evaluator
from magneto_verify.formats import floor_to, plain_float, rational
from magneto_verify.fpcore import Graph, cores
from magneto_verify.orders import excluded, told_of
from magneto_verify.points import Points, View, plain
from magneto_verify.programs import Program
from magneto_verify.ranges import product_to, sum_to
from magneto_verify.rounding import Errors, TooWide, meets
from specs import Maker

CONDITIONS = {"bool", "and", "or", "not", "<", "<=", ">", ">=", "==", "!=", "isfinite", "isinf", "isnan", "isnormal", "signbit"}


def outside(value, bounds):
    """Whether an exact value surely is not between two floats."""
    ball = arb(plain(value))
    return ball < arb(bounds[0]) or ball > arb(bounds[1])


def nodes_below(graph, node, found):
    if node not in found:
        found.add(node)
        parts = graph.nodes[node]
        if parts[0] not in ("input", "number", "constant", "bool"):
            for p in parts[1:]:
                nodes_below(graph, p, found)
    return found


def box_of(chance, formats):
    """A box of floats: narrow or wide, small or large, on either side of 0 or around it."""
    box = []
    for name in formats:
        scale = chance.choice([1e-6, 0.3, 1.0, 5.0, 1e3])
        low = chance.uniform(-1, 1) * scale
        ends = (low, low + abs(chance.choice([0.0, 1e-9, 1e-3, 0.5, 2.0]) * scale))
        box.append(tuple(plain_float(floor_to(rational(v), name)) for v in ends))
    return box


def input_of(chance, box, formats):
    """An input of a box."""
    numbers = [rational(chance.choice([a, b, a + (b - a) * chance.random()])) for a, b in box]
    return tuple(max(floor_to(v, f), rational(a)) for v, f, (a, _) in zip(numbers, formats, box))


def try_one(seed, count, wrong):
    chance = random.Random(seed)
    text = Maker(chance, 24, ["nan"]).make().text
    graph = Graph()
    core = cores(graph, text)[0]
    domain = Domain(Points(graph, core), 50)
    nodes = [n for n in sorted(nodes_below(graph, core.body, set())) if graph.nodes[n][0] not in CONDITIONS]
    # A copy with another constant or operation here and there: expressions that differ little.
    pairs = [(chance.choice(nodes), chance.choice(nodes)) for _ in range(12)]
    pairs += [(n, graph.node(kind, n)) for n in nodes[:6] for kind in ("sin", "atan", "log1p", "expm1")]
    for _ in range(3):
        box = box_of(chance, core.formats)
        at = domain.differences(box, 0, (core.body,))
        for x in [input_of(chance, box, core.formats) for _ in range(5)]:
            exact = Evaluator(graph, x, 300)
            ctx.prec = 300
            value = {n: exact.value(n) for n in {*nodes, *sum(pairs, ())}}
            say = lambda what, n: wrong.append(f"seed {seed}: {what} of {graph.nodes[n]} at {x} on {box}: {text}")
            for n, v in value.items():
                low, high, has = at.of(n)
                if isinstance(v, Num):
                    count["values"] += 1
                    if has is False or outside(v, (low, high)):
                        say("range", n)
                elif v is UNDEFINED and has is True:
                    say("definedness", n)
            for u, v in pairs:
                a, b = value[u], value[v]
                if not (isinstance(a, Num) and isinstance(b, Num)):
                    continue
                count["pairs"] += 1
                apart = arb(plain(b)) - arb(plain(a))
                d, r = at.delta(u, v), at.ratio(u, v)
                if apart < arb(d[0]) or apart > arb(d[1]):
                    say(f"difference {d} to {graph.nodes[v]}", u)
                ours = arb(plain(a))
                if r[0] > -1e300 and r[1] < 1e300 and ours != 0:
                    more = apart / ours
                    if more < arb(r[0]) or more > arb(r[1]):
                        say(f"ratio {r} to {graph.nodes[v]}", u)
                if at.equal(u, v):
                    count["equal"] += u != v
                    if not apart.contains(0):
                        say(f"equality to {graph.nodes[v]}", u)
            try_program(core, at, x, value, count, say)


def try_program(core, at, x, value, count, say):
    """Each result that the program may return is within all bounds of its errors on the box."""
    program = Program(core)
    results = program.results(tuple(map(plain_float, x)), 1) or []
    for in_units in (False, True):
        try:
            node, bounds = Errors(program, at, 1, in_units).result()
        except TooWide:
            continue
        exact = value.get(node)
        for y in results if isinstance(exact, Num) else []:
            count["results"] += 1
            for r, t in bounds:
                reach = arb(r) * abs(arb(plain(exact))) + arb(t)
                if abs(arb(rational(y)) - arb(plain(exact))) > reach:
                    say(f"error {r}, {t} of the result {y}", node)


def check_printed(wrong):
    """Where no number is valid there is no test, and a distance is as large as elsewhere."""
    for one, other in (("1e6", "3e6"), ("1e-12", "3e-12"), ("1e-12", "-1e-12")):
        head = "(FPCore (x) :precision binary16 :pre (<= 1 x 1.1) :magneto-rel-error 1/8"
        core, mutant = cores(graph := Graph(), f"{head} (* {one} x)) {head} (* {other} x))")
        domain = Domain(Points(graph, core))
        if not domain.meets(mutant).proved:
            wrong.append(f"{one} x: a test in binary16")
        wrong += [f"{one} x is within {bound} of {other} x" for bound in (1, Fraction(1, 1000)) if domain.meets(mutant, Fraction(bound)).proved]
        if not domain.meets(mutant, Fraction(20)).proved:
            wrong.append(f"{one} x is not within 20 of {other} x")
        # In binary16 it returns infinity or 0.
        program = Program(core)
        wrong += [f"{bound} bounds the errors of {one} x" for bound in (1, 20) if abs(float(one)) > 1 and meets(domain, core, program, 1, Fraction(bound)).proved]


# Programs of numbers from 40 to 60 and of tiny ones, each with a bound of its errors in units that holds, and one that some input refutes: what
# is rounded on the way to an exponent is a part of its largest value, powers of two round nothing but subnormal numbers, and what has no input is one float.
NEAR, TINY = "(<= 40 x 60) :magneto-ulps 1", "(<= -1e-300 x 1e-300) :magneto-abs-error 1e-320"
ERRORS = [(NEAR, "(exp (- (/ x 3)))", 18.1, 11), (NEAR, "(exp (- (/ (/ x 3) 7)))", 6.4, 3), (NEAR, "(* 2 (sqrt (* 2 x)))", 0.51, 0.49),
          (NEAR, "(/ (* 4 (* x x)) 8)", 1.01, 0.49), (NEAR, "(* x (* 0.98 0.00196))", 1.15, 0.9), (NEAR, "(* x (* 2 PI))", 1.36, 0.8), (NEAR, "(/ x LN10)", 1.2, 0.9),
          (NEAR, "(* -8 (- x (* 0.3 0.1)))", 0.51, 0.15),
          ("(<= 40 x 60) :magneto-abs-error 1e-13", "(pow (- x (* 50 0.99)) 2)", 0.85, 0.12),
          (TINY, "(* (* x 0x1p-60) 16)", 0.02, 0.003), (TINY, "(/ (/ x 0x1p60) 0.0625)", 0.02, 0.003),
          (TINY, "(* x 0x1p-60)", 0.0015, 0.0002)]


def check_errors(wrong):
    """Bounds of the errors of small programs: those that hold are proved, and those that do not are not."""
    for pre, body, bound, lie in ERRORS:
        core, = cores(graph := Graph(), f"(FPCore (x) :pre {pre} {body})")
        domain, program = Domain(Points(graph, core)), Program(core)
        holds = lambda bound: meets(domain, core, program, 1, Fraction(bound), 32).proved
        wrong += [f"the errors of {body} are not within {bound}"] * (not holds(bound)) + [f"the errors of {body} are within {lie}"] * holds(lie)
        chance, most = random.Random(1), 0
        for _ in range(300):
            low, high = domain.box[0]
            x = (floor_to(rational(chance.uniform(low, high)), "binary64"),)
            exact, tolerance = Evaluator(graph, x, 300).value(core.body), View(Evaluator(graph, x, 300), core).tolerance
            most = max([most] + [abs(arb(rational(y)) - arb(plain(exact))) / arb(tolerance) for y in program.results(tuple(map(plain_float, x)), 1)])
        if lie and not most > lie:
            wrong.append(f"no input shows that the errors of {body} are not within {lie}, but {most}")


def check_ends(wrong):
    """Ends of sums and products are on their side of the exact number, and are the nearest float where that is."""
    chance = random.Random(1)
    ends = [1.0, -1.0, 1e-17, 0.1, 3.0, 1e16, -1e-300, 5e-324, 1.7976931348623157e308, 1e-160]
    for _ in range(20_000):
        a, b = (chance.choice([chance.choice(ends), chance.uniform(-1, 1) * 10.0 ** chance.randrange(-20, 20)]) for _ in range(2))
        for name, to, exact in (("sum", sum_to, Fraction(a) + Fraction(b)), ("product", product_to, Fraction(a) * Fraction(b))):
            near = a + b if name == "sum" else a * b
            for side in (-1, 1):
                end = to(a, b, side)
                is_there = math.isinf(end) or (Fraction(end) - exact) * side >= 0
                is_near = math.isfinite(near) and (Fraction(near) - exact) * side >= 0 and (name == "sum" or max(abs(a), abs(b)) < 1e100 and 1e-100 < abs(near))
                if not is_there or is_near and end != near or end != near and not math.isinf(near) and end != math.nextafter(near, side * math.inf):
                    wrong.append(f"the end of the {name} of {a} and {b} on side {side} is {end}")


def check_told(wrong):
    """What a precondition tells of sums and differences holds at inputs of it; and the errors of what it keeps from 0 are proved small."""
    chance, found = random.Random(1), 0
    number = lambda: chance.choice(["1", "2", "-3", "1/2", "0"])
    side = lambda: f"(+ (* {number()} x) (- (* {number()} y) {number()}))"
    for _ in range(200):
        given = [f"({chance.choice(['<', '<=', '>', '>=', '==', '!='])} {side()} {side()})" for _ in range(2)]
        pre = chance.choice(["(and {} {})", "(or {} {})", "(and {} (not {}))", "(and (and {}) {})"]).format(*given)
        # The same comparison, written otherwise.
        again = given[0].split(" ", 1)[1][:-1]
        core, = cores(graph := Graph(), f"(FPCore (x y) :pre {pre} (- (* 2 (- {again})) {number()}))")
        domain = Domain(Points(graph, core))
        bounds = told_of(domain, core.pre, (core.body,))
        found += len(bounds)
        for _ in range(40):
            exact = Evaluator(graph, tuple(rational(chance.randint(-8, 8) / 4) for _ in range(2)), 128)
            if exact.value(core.pre) is True:
                wrong += [f"{pre} does not tell that {graph.nodes[b.node]} is from {b.low} to {b.high}" for b in bounds
                          if outside(exact.value(b.node), (b.low, b.high))]
                orders = {-1: "<", 0: "==", 1: ">"}
                for node in graph.below([core.body]):
                    kind, *parts = graph.nodes[node]
                    if kind == "-":
                        a, b = (exact.value(part).rational for part in parts)
                        wrong += [f"{pre} does not exclude that {a} {orders[o]} {b}" for o in excluded(domain, core.pre, *parts) if o == (a > b) - (a < b)]
    head = "(FPCore (x y) :magneto-rel-error 1e-10 :pre (and (<= 1 x 9) (<= 1 y 9) (> x (+ y {})))"
    for gap, is_enough in (("1e-3", True), ("1e-9", False), ("-1e-3", False)):
        core, = cores(graph := Graph(), f"{head.format(gap)} (sqrt (- (/ x 3) (/ y 3))))")
        domain = Domain(Points(graph, core))
        if meets(domain, core, Program(core), 1, Fraction(1), 50).proved != is_enough:
            wrong.append(f"errors of a difference of {gap}")
    if found < 50:
        wrong.append("preconditions tell nothing")


def check_owed(wrong):
    """Where the precondition holds and f has no value no response is owed, and a mutant with a value is not told from f."""
    head = "(FPCore (x) :pre (<= -1 x 1) :magneto-rel-error 1/8"
    core, mutant = cores(graph := Graph(), f"{head} (sqrt x)) {head} (exp x))")
    checker = Checker(SimpleNamespace(core=core, graph=graph, mutants=[], is_input=lambda x: True), 50)
    for at, is_owed in ((-0.5, False), (-2.0, True)):
        x = (rational(at),)
        checker.check_test({"id": "t", "point": x, "lo": None, "hi": None, "expected": "reject"})
        if (checker.claims[-1].verdict == VERIFIED) != is_owed:
            wrong.append(f"the response to {at} is {checker.claims[-1].verdict}")
        if checker.points.kill(mutant, x) is not False:
            wrong.append(f"a kill at {at}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--specs", type=int, default=60, help="how many specifications")
    parser.add_argument("--seed", type=int, default=0, help="the first")
    options = parser.parse_args()
    count, wrong = Counter(), []
    check_printed(wrong), check_owed(wrong), check_errors(wrong), check_ends(wrong), check_told(wrong)
    for seed in range(options.seed, options.seed + options.specs):
        try_one(seed, count, wrong)
    print("\n".join(wrong[:20]))
    print(dict(count), len(wrong), "wrong")
    return 1 if wrong or min(count[k] for k in ("values", "pairs", "equal", "results")) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
