"""Loops that are one function because something in them always is one number, and loops that nearly are: a factor of 0 that loses its value,
a variable that stays the same for some rounds only, a condition that is false in the end.
"""

import sys
from fractions import Fraction
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]
sys.setrecursionlimit(20_000)

from magneto_verify.covers import Domain
from magneto_verify.fpcore import Graph, cores
from magneto_verify.points import Points
from magneto_verify.texts import trees
from random_loops import known

OTHERS = "[a x (* a 3/4)]"
LOOP = "(while (> a 1/8) ({} {}) {})"


def loops(*variants):
    """Loops that end: of each variant its variables beside a, and what it returns."""
    return [LOOP.format(OTHERS, variables, body) for variables, body in variants]


def rounds(first, second, start="x", other="x"):
    """Six rounds of two iterations, which are written out."""
    return [f"(while (< i 6) ([v {x} {step}] [i 0 (+ i 1)]) v)" for x, step in ((start, first), (other, second))]


NEWTON = "(/ (+ v (/ 2 v)) 2)"
# Pairs over x that are one function.
SAME = [
    rounds(NEWTON, f"(fmin {NEWTON} {NEWTON})"),
    rounds(NEWTON, "(/ (+ (fmax v v) (/ 2 v)) 2)"),
    rounds(NEWTON, "(/ (- (- v) (/ 2 v)) -2)"),
    rounds(NEWTON, NEWTON, other="(fmin x x)"),
    rounds("(- v (* (- v x) 1/2))", "(+ v (/ (- x (fmin v v)) 2))"),
    loops(("[i 0 (+ i 1)] [w 1 (+ w (* 0 i))]", "w"), ("[w 1 (+ w (- a a))]", "w")),
    loops(("[i 0 (+ i 1)] [w 1 (+ a (* 0 i))]", "w"), ("[v x (* v 1/2)] [w 1 (+ a (* v 0))]", "w")),
    loops(("[c 1/2 (* c (/ 2 2))] [w 1 (+ w c)]", "w"), ("[w 1 (+ w 1/2)]", "w")),
    loops(("[b TRUE (or b (< a 0))] [w 1 (if b (+ w 1) a)]", "w"), ("[w 1 (+ w 1)]", "w")),
    loops(("[w 1 (if (< (acos 1) 1) (+ w 1) a)]", "w"), ("[w 1 (if (< (acosh 1) 2) (+ w 1) (* 2 w))]", "w")),
    loops(("[w 1 (if (< a 1/2) (log -1) w)]", "w"), ("[w 1 (if (< a 1/2) (sqrt -2) w)]", "w")),
    ["(while (> e 1/100) ([v x (* 0 v)] [e 1 (fabs (* 0 v))]) (+ v 1))", "(* 1 (while (< e 1) ([u (fabs x) (- u u)] [e 0 (+ e 1)]) (+ u 1)))"],
    ["(while (> 1 1/2) ([v x (* x v)]) v)", "(while (< 1 2) ([v 1 (+ 1 v)]) (+ 2 v))"],
    # 0 / 0 in the first round.
    ["(while (> e 1/2) ([v 0 (/ x v)] [e 1 (* v 1/2)]) v)", "(while (> 1 1/2) ([v 1 v]) v)"],
]
# Values at the same inputs, by forms of divisors, conditions and functions.
SAME += [
    ["(if (< x 2) -1 (/ 1 (sqrt (- x 2))))", "(if (< x 2) -1 (/ 1 (+ (- x x) (sqrt (- x 2)))))"],
    ["(/ x (fmin (* PI (- x 1)) (* PI (- x 1))))", "(/ x (* PI (fmin (- x 1) (- x 1))))"],
    ["(/ 1 (* (- x 1) (- x 2)))", "(/ 1 (- (* (- x 1) x) (* 2 (- x 1))))"],
    ["(if (== (log x) 0) 3 x)", "(if (== (* (log x) (log x)) 0) 3 x)"],
    ["(sinh (* 100/31 x))", "(- (sinh (* x -100/31)))"],
    ["(tan (atan (- x 2)))", "(- x 2)"],
    ["(tan (- (atan (- 2 x))))", "(- x 2)"],
    ["(log1p (expm1 (- x 2)))", "(- x 2)"],
]
# Pairs over x that differ at an input from 1/4 to 4.
OTHER = [
    rounds("(- v 1)", "(- (fabs v) 1)"),
    # At 1 a number of the iteration is 0.
    rounds("(- v 1/4)", "(- (/ (* v v) v) 1/4)"),
    rounds("(- v 1/4)", "(if (== v 0) 1 (- v 1/4))"),
    rounds("(+ v 1/4)", "(if (== i 3) (+ v 1/2) (+ v 1/4))"),
    rounds("(* v 1/2)", "(* v 1/2)", other="(- x 1/4096)"),
    rounds(NEWTON, "(+ (/ (+ v (/ 2 v)) 2) 1/1000000)"),
    rounds("(- v (* (- v x) 1/2))", "(- v (* (- v 1) 1/2))"),
    rounds("(if (< v 1/8) (/ 1 0) (/ v 2))", "(/ v 2)"),
    # 1 / (x - 1) has no value at 1, nor has what a round makes of it.
    loops(("[v (/ 1 (- x 1)) v] [w 1 (+ w (* 0 v))]", "w"), ("[w 1 (+ w 0)]", "w")),
    loops(("[v 1 (/ v (- a 1))] [w 1 (+ w (* 0 v))]", "w"), ("[w 1 (+ w (* 0 a))]", "w")),
    loops(("[v 2 (sqrt (- v 1))] [u 0 v] [w 1 (+ w (* 0 u))]", "w"), ("[w 1 (+ w 0)]", "w")),
    # No more 0 in the third round.
    loops(("[i 0 (+ i 1)] [u 0 i] [v 0 u] [w 1 (+ w v)]", "w"), ("[w 1 w]", "w")),
    loops(("[c 1/2 (if (< a 1/2) 1 c)] [w 1 (+ w c)]", "w"), ("[w 1 (+ w 1/2)]", "w")),
    loops(("[b TRUE (and b (> a 1/2))] [w 1 (if b (+ w 1) a)]", "w"), ("[w 1 (+ w 1)]", "w")),
    loops(("[b TRUE c] [c TRUE d] [d TRUE FALSE] [w 1 (if b (+ w 1) a)]", "w"), ("[w 1 (+ w 1)]", "w")),
    loops(("[w 1 (if (< a 1/2) (log -1) w)]", "w"), ("[w 1 (if (< a 1/3) (sqrt -2) w)]", "w")),
    loops(("[w 1 (if (< a 1/2) (log 2) w)]", "w"), ("[w 1 (if (< a 1/2) (sqrt -2) w)]", "w")),
    # It ends one round later, or never.
    ["(while (> e 1/100) ([v x (* 1/2 v)] [e 1 d] [d 1 0]) v)", "(while (> e 1/100) ([v x (* 1/2 v)] [e 1 0]) v)"],
    ["(while (> e 1/100) ([v x (* 1/2 v)] [e 1 (* e 1)]) v)", "(while (> e 1/100) ([v x (* 1/2 v)] [e 1 0]) v)"],
    ["(while (> 1 1/2) ([v x (* x v)]) v)", "(while (< 2 1) ([v 1 (+ 1 v)]) (+ 2 v))"],
    ["(while (> e 1/2) ([v 0 (/ x v)] [e 1 (* v 1/2)]) v)", "(while (> e 1/2) ([v 1 (/ x v)] [e 1 (* v 1/2)]) v)"],
    # A divisor is 0 at 3, or at 2.
    ["(/ (* (- x 1) (- x 2)) (* (- x 1) (- x 2)))", "(/ (* (* (- x 1) (- x 2)) (- x 3)) (* (* (- x 1) (- x 2)) (- x 3)))"],
    ["(if (< x 2) -1 (/ 1 (sqrt (- x 2))))", "(if (< x 2) -1 (/ (- x 3) (* (- x 3) (sqrt (- x 2)))))"],
    ["(/ (- x 1) (- x 1))", "(/ (* (- x 1) (- x 2)) (* (- x 1) (- x 2)))"],
    ["(if (== (* (log x) (- x 2)) 0) 3 x)", "(if (== (log x) 0) 3 x)"],
    ["(if (< (* (log x) (log x)) 0) 5 x)", "(if (< (log x) 0) 5 x)"],
    ["(sinh (* 100/31 x))", "(sinh (* x -100/31))"],
    ["(atan (tan x))", "x"],
    ["(tan (- (atan (- 2 x))))", "(- 2 x)"],
    ["(expm1 (log1p (- x 2)))", "(- x 2)"],
    # A product with 0 of an inner loop that has no end above 1.
    ["(+ x (* 0 (while (> b 1) ([b x (* b b)]) b)))", "x"],
]


def main():
    wrong = []
    for is_same, pairs in ((True, SAME), (False, OTHER)):
        for pair in pairs:
            both = cores(graph := Graph(), "".join(f"(FPCore (x) :pre (<= 1/4 x 4) {body})" for body in pair))
            domain = Domain(Points(graph, both[0]), 50)
            f, g = (core.body for core in both)
            for one, other in ((f, g), (g, f)):
                if domain.is_one_function(one, other, True) != is_same:
                    wrong.append(f"{'' if is_same else 'not '}one function: {' and '.join(pair)}")
            try:
                # What goes on so long has no end.
                value = lambda tree, x: "none" if (found := known(tree, x)) == "long" else found
                values = [[value(trees(body)[0], Fraction(k, 8)) for k in range(2, 33)] for body in pair]
            except (KeyError, ValueError):
                # Beyond rational numbers.
                continue
            if (values[0] == values[1]) != is_same:
                wrong.append(f"no pair for this list: {' and '.join(pair)}")
    print("\n".join([*wrong, f"{len(SAME) + len(OTHER)} pairs, {len(wrong)} answered otherwise"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
