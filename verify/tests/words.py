"""The word that is claimed is the one that is proved: a mutant that has no value where f has one is not equivalent, though nobody tells it
from f where any result is allowed there; one that takes fewer inputs neither.
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from magneto_verify.covers import Domain
from magneto_verify.fpcore import Graph, cores
from magneto_verify.points import Points

WHOLE = "(<= -1 x 1)"
# f, the precondition and the body of a mutant, and by the response that is owed outside of the domain whether the mutant is equivalent and
# whether it is indistinguishable: "yes" is proved, "no" refuted, "?" neither.
CASES = [
    ("x", WHOLE, "(/ (* x x) x)", {"any": ("no", "yes"), "reject": ("no", "no"), "nan": ("no", "no"), "saturate": ("no", "?")}),
    ("(+ x 1)", WHOLE, "(+ x (* (sqrt x) (/ 1 (sqrt x))))", {"any": ("no", "yes"), "reject": ("no", "no"), "saturate": ("no", "?")}),
    ("x", WHOLE, "(if (< x 1/2) x (exp (log x)))", dict.fromkeys(("any", "reject", "saturate"), ("yes", "yes"))),
    ("(+ x 3)", WHOLE, "(+ (+ x 1) 2)", dict.fromkeys(("any", "reject", "saturate"), ("yes", "yes"))),
    ("(+ x 3)", WHOLE, "(+ x 3.000000000001)", dict.fromkeys(("any", "reject", "saturate"), ("no", "yes"))),
    ("(+ x 3)", WHOLE, "(+ x 3.1)", dict.fromkeys(("any", "reject", "saturate"), ("no", "no"))),
    # Near 1/3 of a quarter of a turn, one input is left: both sides are one irrational number there, written otherwise.
    ("(/ (- (sqrt (+ x 2)) 1) 2)", WHOLE, "(if (< (tan (* 3 x)) 1000) (/ (- (sqrt (+ x 2)) 1) 2) (/ (+ x 1) (* 2 (+ (sqrt (+ x 2)) 1))))",
     {"any": ("yes", "yes"), "reject": ("yes", "yes")}),
    ("(/ (- (sqrt (+ x 2)) 1) 2)", WHOLE, "(if (< (tan (* 3 x)) 1000) (/ (- (sqrt (+ x 2)) 1) 2) (/ (+ x 1.00001) (* 2 (+ (sqrt (+ x 2)) 1))))",
     {"any": ("no", "no"), "reject": ("no", "no")}),
    # 49/4 - 3 x is above 10 at the input before 3/4, though no interval shows it.
    ("(if (> (- 49/4 (* 3 x)) 10) (/ (- (sqrt (+ x 2)) 1) 2) (/ (+ x 1) (* 2 (+ (sqrt (+ x 2)) 1))))", WHOLE,
     "(if (> (- 49/4 (* 3 (tan (* 2 x)))) 10) (/ (- (sqrt (+ x 2)) 1) 2) (/ (+ x 1) (* 2 (+ (sqrt (+ x 2)) 1))))", {"any": ("yes", "yes"), "reject": ("yes", "yes")}),
    ("(if (> (- 49/4 (* 3 x)) 10) (/ (- (sqrt (+ x 2)) 1) 2) (/ (+ x 1) (* 2 (+ (sqrt (+ x 2)) 1))))", WHOLE,
     "(if (>= (- 49/4 (* 3 x)) 10) (/ (- (sqrt (+ x 2)) 1) 2) (+ 1 (/ (+ x 1) (* 2 (+ (sqrt (+ x 2)) 1)))))", {"any": ("no", "no"), "reject": ("no", "no")}),
    # The tangent of a rational number has a value.
    ("(/ (- (sqrt (+ x 2)) 1) 2)", WHOLE, "(if (< (tan (- 49/4 (* 3 x))) 1000) (/ (- (sqrt (+ x 2)) 1) 2) (/ (+ x 1) (* 2 (+ (sqrt (+ x 2)) 1))))", {"any": ("yes", "yes"), "reject": ("yes", "yes")}),
    ("x", WHOLE, "(if (< (tan (* PI x)) 1000) x (+ x 0))", {"any": ("no", "yes"), "reject": ("no", "no")}),
    ("x", WHOLE, "(if (< (tan (* 2 (atan2 1 (* x 1)))) 1000) x (+ x 0))", {"any": ("?", "yes"), "reject": ("?", "?")}),
    # Of both one has no value below 0: nothing is owed there.
    ("(sqrt x)", WHOLE, "(pow x 1/2)", {"any": ("yes", "yes"), "reject": ("yes", "yes")}),
    ("(sqrt x)", WHOLE, "(sqrt (fabs x))", {"any": ("yes", "yes"), "reject": ("yes", "yes")}),
    # Other inputs.
    ("x", "(<= -1 x 1/2)", "x", {"any": ("no", "yes"), "saturate": ("no", "yes"), "reject": ("no", "no")}),
    ("x", "(<= -1 x 2)", "x", {"any": ("yes", "yes"), "saturate": ("yes", "yes"), "reject": ("no", "no")}),
    ("(sqrt x)", "(<= -1/2 x 1)", "(sqrt x)", {"any": ("yes", "yes"), "reject": ("yes", "yes")}),
    ("(sqrt x)", "(<= 1/2 x 1)", "(sqrt x)", {"any": ("no", "yes"), "reject": ("no", "no")}),
    ("x", "(<= -1 x (* 1 1))", "x", {"any": ("yes", "yes"), "reject": ("yes", "yes")}),
    # There is a test at 0 alone.
    ("(* (* x 1e-200) 1e-200)", WHOLE, "(+ (* (* x 1e-200) 1e-200) 1)", {"reject": ("no", "no"), "any": ("no", "no")}),
    ("(* (* x 1e-200) 1e-200)", WHOLE, "(* x 2)", {"reject": ("no", "yes"), "any": ("no", "yes")}),
    ("(* (* x 1e-200) 1e-200)", WHOLE, "(/ (* x (* (* x 1e-200) 1e-200)) x)", {"reject": ("no", "no"), "any": ("no", "yes"), "saturate": ("no", "?")}),
    ("(* (* x 1e-200) 1e-200)", WHOLE, "(if (== x 0x1p-1) (log -1) (* (* x 1e-200) 1e-200))", {"reject": ("no", "yes"), "any": ("no", "yes")}),
    # At the two inputs that are left out no number is near enough to f for a test.
    ("(* x 1e-400)", "(<= -1 x 0x1.ffffffffffffep-1)", "(* x 1e-400)", {"reject": ("no", "yes"), "any": ("no", "yes")}),
]


# Preconditions over x and y from 0 to 4 that tell, or do not tell, which of two expressions is the larger one; f, a mutant, and whether it
# is equivalent.
ORDERED = [
    ("(> (+ x 1) (+ y 2))", "(- (* 2 x) (* 2 y))", "(fdim (* 2 x) (* 2 y))", "yes"),
    ("(> (+ x 2) (+ y 1))", "(- (* 2 x) (* 2 y))", "(fdim (* 2 x) (* 2 y))", "no"),
    ("(<= (+ y 1) (+ x 1))", "(- x y)", "(fdim x y)", "yes"),
    ("(<= (+ x 1) (+ y 1))", "(- x y)", "(fdim x y)", "no"),
    ("(< (+ x 1) (+ y 1))", "(if (>= (* 3 x) (* 3 y)) 1 x)", "x", "yes"),
    ("(<= (+ x 1) (+ y 1))", "(if (>= (* 3 x) (* 3 y)) 1 x)", "x", "no"),
    ("(<= (- (* x y) x) -1/8)", "(if (>= (* x y) x) 1 y)", "y", "yes"),
    ("(<= (- (* x y) x) 1/8)", "(if (>= (* x y) x) 1 y)", "y", "no"),
    ("(not (> (+ x 1) (+ y 2)))", "(- (* 2 x) (* 2 y))", "(fdim (* 2 x) (* 2 y))", "no"),
    ("(or (> (+ x 1) (+ y 2)) (< x 1))", "(- (* 2 x) (* 2 y))", "(fdim (* 2 x) (* 2 y))", "?"),
]


def answered(found):
    return "yes" if found.proved else "no" if found.refuted else "?"


def main():
    wrong, told = [], 0
    for f, pre, g, responses in CASES:
        for response, expected in responses.items():
            head = f"(FPCore (x) :magneto-rel-error 1e-10 :magneto-out-of-range {response} :pre"
            own, mutant = cores(graph := Graph(), f"{head} {WHOLE} {f}) {head} {pre} {g})")
            domain = Domain(Points(graph, own), 500)
            if pre == WHOLE:
                found = domain.same_function(mutant), domain.meets(mutant)
            else:
                found = domain.same_inputs(mutant, True), domain.same_inputs(mutant, False)
            for word, answer, wanted in zip(("equivalent", "indistinguishable"), map(answered, found), expected):
                told += 1
                if answer != wanted:
                    wrong.append(f"{response}: {pre} {g} for {f}: {word} is {answer}, not {wanted}")
    for pre, f, g, expected in ORDERED:
        head = f"(FPCore (x y) :pre (and (<= 0 x 4) (<= 0 y 4) {pre}) :magneto-rel-error 1e-10"
        own, mutant = cores(graph := Graph(), f"{head} {f}) {head} {g})")
        answer, told = answered(Domain(Points(graph, own), 500).same_function(mutant)), told + 1
        wrong += [f"{pre}: {g} for {f}: equivalent is {answer}, not {expected}"] * (answer != expected)
    print("\n".join([*wrong, f"{told} claims, {len(wrong)} answered otherwise"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
