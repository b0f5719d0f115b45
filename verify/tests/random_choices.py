"""Claims about choices whose sides meet where the condition switches are checked: on random functions of which one compares by
`<` and the other one by `<=`, or takes `fdim` for a difference, whatever the checker proves holds at all inputs of a tiny
format, and so does its bound of the rounding errors of a program.
"""

import argparse
import itertools
import random
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]
sys.setrecursionlimit(20_000)

from magneto_verify.covers import Domain
from magneto_verify.formats import format_name
from magneto_verify.fpcore import Graph, cores
from magneto_verify.points import Points
from magneto_verify.programs import Program, nearest
from magneto_verify.rounding import meets

PRECISION = "(float 4 8)"
FORMAT = format_name(["float", "4", "8"])
OPERATIONS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "fmax": max, "fmin": min,
              "fdim": lambda a, b: max(a - b, Fraction(0))}
RELATIONS = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


# Functions of which the second has no value at inputs at which the first has one, or another one at the border.
DIFFERENT = [
    ("(if (< x y) x y)", "(if (<= x y) x (if (< (log x) (log x)) 1 y))"),
    ("(if (< x y) x y)", "(if (<= x y) x (if (< (log y) (log x)) y y))"),
    ("(if (< x y) x y)", "(if (<= x y) x (+ y (* 0 (sqrt y))))"),
    ("(if (< x y) x y)", "(if (and (<= x y) (< (sqrt (- (- x y))) 100)) x y)"),
    ("(if (< x y) x y)", "(if (or (> x y) (< 100 (sqrt (- (- x y))))) y x)"),
    ("(if (< x y) 1 2)", "(if (<= x y) 1 2)"),
    ("(if (< x y) x (+ y 1/1000))", "(if (<= x y) x (+ y 1/1000))"),
    ("(if (< (- x y) 1) x (+ y 1))", "(if (<= (- x y) 1) (+ x 1) (+ y 1))"),
    ("(fmax x y)", "(if (< x y) y (+ x 1/1000))"),
]


def wrong_proofs():
    """What the checker proves of functions that differ."""
    head = "(FPCore (x y) :magneto-abs-error 1/10000 :magneto-out-of-range reject :pre (and (<= -2 x 2) (<= -2 y 2)) "
    for f, g in DIFFERENT:
        graph = Graph()
        core, other = cores(graph, f"{head}{f}){head}{g})")
        domain = Domain(Points(graph, core), 300)
        if domain.same_function(other).proved or domain.meets(other).proved:
            yield f"{f} and {g} are proved to be the same"


def linear(chance, depth):
    kind = chance.choice(["number", "input", "input"] + (["*", "+", "-"] if depth else []))
    if kind == "number":
        return chance.choice([-1, -0.5, 0.25, 0.5, 1, 2])
    if kind == "input":
        return chance.choice("xy")
    left = chance.choice([-1, 0.5, 2]) if kind == "*" else linear(chance, depth - 1)
    return (kind, left, linear(chance, depth - 1))


def choice(chance, depth):
    """An `if` of which one side is the other one and a multiple of what the condition looks at, now and then with a step."""
    a, b = linear(chance, 1), linear(chance, 1)
    yes = choice(chance, depth - 1) if depth and chance.random() < 0.3 else linear(chance, 1)
    factor = "x" if chance.random() < 0.1 else chance.choice([-1, 0.5, 1, 2])
    no = ("+", yes, ("*", factor, ("-", a, b)))
    no = ("+", no, 0.25) if chance.random() < 0.25 else no
    # Sums with a large number are rounded more than the sides are.
    a, b = (("+", a, 8), ("+", b, 8)) if chance.random() < 0.5 else (a, b)
    made = ("if", (chance.choice([*RELATIONS]), a, b), yes, no)
    return chance.choice([made, made, made, ("fmax", made, linear(chance, 0)), ("-", linear(chance, 0), made)])


def changed(tree, chance):
    """The same with one relation or difference replaced by another one; None if there is none."""
    places = []

    def walk(tree, path):
        if isinstance(tree, tuple):
            if tree[0] in OTHER or tree[0] == "-":
                places.append(path)
            for k, part in enumerate(tree[1:], 1):
                walk(part, (*path, k))

    def put(tree, path):
        if path:
            return (*tree[: path[0]], put(tree[path[0]], path[1:]), *tree[path[0] + 1 :])
        return (OTHER.get(tree[0], "fdim"), *tree[1:])

    walk(tree, ())
    return put(tree, chance.choice(places)) if places else None


def text_of(tree):
    return "(" + " ".join(map(text_of, tree)) + ")" if isinstance(tree, tuple) else str(tree)


def value(tree, at):
    """The exact value, or the truth, at an input."""
    if not isinstance(tree, tuple):
        return at[tree] if tree in at else Fraction(tree)
    if tree[0] == "if":
        return value(tree[2] if value(tree[1], at) else tree[3], at)
    return {**OPERATIONS, **RELATIONS}[tree[0]](*(value(part, at) for part in tree[1:]))


def inputs():
    """The numbers of the format between -2 and 2."""
    return sorted({nearest(Fraction(k, 64), FORMAT) for k in range(-128, 129)})


def try_one(seed, all_inputs, count):
    """What is wrong with what the checker says of one pair of functions; None if nothing is."""
    chance = random.Random(seed)
    f = choice(chance, 1)
    g = changed(f, chance)
    if g is None:
        return None
    head = f"(FPCore (x y) :precision {PRECISION} :magneto-abs-error 1/4 :pre (and (<= -2 x 2) (<= -2 y 2)) "
    graph = Graph()
    core, other = cores(graph, head + text_of(f) + ")" + head + text_of(g) + ")")
    domain = Domain(Points(graph, core), 60)
    # Sides meet at simple numbers more often than elsewhere.
    pairs = [*itertools.product(all_inputs[::16], all_inputs[::16]), *((chance.choice(all_inputs), chance.choice(all_inputs)) for _ in range(300))]
    points = [{"x": Fraction(x), "y": Fraction(y)} for x, y in pairs]
    claims = {"same function": (domain.same_function(other), Fraction(0)), "near": (domain.meets(other), Fraction(1, 2))}
    for name, (found, most) in claims.items():
        apart = max(abs(value(f, at) - value(g, at)) for at in points)
        count[name, "proved" if found.proved else "refuted" if found.refuted else "open"] += 1
        if found.proved and apart > most:
            return f"seed {seed}: {name} is proved, but {apart} apart: {text_of(f)} and {text_of(g)}"
        if found.refuted and (at := dict(zip("xy", (Fraction(int(v.p), int(v.q)) for v in found.refuted)))):
            if abs(value(f, at) - value(g, at)) <= most:
                return f"seed {seed}: {name} is refuted at {at}: {text_of(f)} and {text_of(g)}"
    program = Program(core)
    bound = next((b for b in (Fraction(1, 2), 1, Fraction(3, 2), 2, 3, 4, 6, 8, 12, 16) if meets(domain, core, program, 1, Fraction(b), 40).proved), None)
    count["rounding errors", "proved" if bound else "open"] += 1
    for at in points if bound else []:
        for y in program.results((float(at["x"]), float(at["y"])), 1):
            if abs(Fraction(y) - value(f, at)) > Fraction(bound) / 4:
                return f"seed {seed}: the program errs by more than {bound}/4 at {at}: {text_of(f)}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    count, all_inputs = Counter(), inputs()
    wrong = [*wrong_proofs()]
    wrong += [found for k in range(args.pairs) if (found := try_one(args.seed + k, all_inputs, count))]
    print("\n".join(wrong))
    for (name, verdict), n in sorted(count.items()):
        print(f"{n:6} {name}: {verdict}")
    # A checker that proves little is not tested by this.
    few = [name for name in ("same function", "near", "rounding errors") if 5 * count[name, "proved"] < args.pairs]
    if few:
        print(f"fewer than a fifth are proved: {', '.join(few)}")
    return 1 if wrong or few else 0


if __name__ == "__main__":
    sys.exit(main())
