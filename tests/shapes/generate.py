#!/usr/bin/env python3
"""Specifications in shapes that are hard to decide, to measure which share of their mutants is resolved.

    python3 tests/shapes/generate.py FOLDER [COUNT]

writes COUNT files (300) in 12 families, numbered evenly through them: the same files every time.
"""

import random
import sys
from pathlib import Path

TRADE = ["1e-10", "1e-12", "1e-8", "1e-6"]


def number(r, lo=1, hi=40, halves=True):
    value = r.randint(lo, hi)
    return str(value / 4) if halves and r.random() < 0.5 else str(value)


def bounded(r, names, wide=False):
    parts = []
    for name in names:
        low, high = r.choice([(-10, 10), (0, 5), (1, 100), (-2, 3), (0.5, 20)] + ([(-1e6, 1e6)] if wide else []))
        parts.append(f"(<= {low:g} {name} {high:g})")
    return f"(and {' '.join(parts)})" if len(parts) > 1 else parts[0]


def zeros(r):
    c, d = number(r, 1, 9), number(r, 2, 8)
    body = r.choice([
        f"(- (* x x) {c})", f"(* (- x {c}) (+ x {d}))", f"(- (exp x) {c})", f"(- (sin x) (* {d} x))",
        f"(- (sqrt (+ x {d})) {c})", f"(- (* x (* x x)) (+ (* {c} x) {d}))", f"(log (/ x {c}))",
        f"(+ (- (* y y) (* {c} x)) {d})", f"(- (* x y) {c})", f"(- (cos (* {d} x)) (/ x {c}))",
        f"(* x (- {c} (* {d} y)))", f"(- (tanh x) (/ y {c}))", f"(- (atan x) (* 0.{r.randint(1, 9)} y))",
    ])
    names = "xy" if "y" in body else "x"
    pre = bounded(r, names)
    if "sqrt" in body or "log" in body:
        pre = "(<= 0.5 x 20)"
    return names, pre, body, r.choice(TRADE)


def unbounded(r):
    c, d = number(r, 1, 9), number(r, 2, 8)
    body = r.choice([
        "(hypot x y)", f"(sqrt (+ (* x x) {c}))", f"(/ x (+ {c} (* x x)))", f"(atan2 y (+ {d} (fabs x)))",
        f"(+ (* {c} x) (* {d} y))", f"(fmax x (- y {c}))", f"(* {c} (tanh (/ x {d})))", f"(/ (- x y) {c})",
        f"(fabs (- (* {c} x) y))", f"(log (+ {c} (* x x)))", f"(exp (- {c} (* x x)))", f"(atan (/ (* {c} x) {d}))",
        f"(cbrt (+ x {c}))", f"(+ (asinh x) (/ y {d}))", f"(if (< x y) (+ x {c}) (- y {d}))", "(fdim x y)",
    ])
    names = "xy" if "y" in body else "x"
    pre = r.choice([None, None, "(<= 0 x)", "(<= x 1000)"])
    return names, pre, body, r.choice(TRADE)


def repeated(r):
    c, d = number(r, 1, 9), number(r, 2, 8)
    u = r.choice(["(+ a b)", "(- a b)", f"(+ a (* {c} b))", f"(+ (* a a) {c})", f"(- (* a b) {d})"])
    v = r.choice(["(+ a c)", f"(+ {d} (fabs b))", "(* a b)", f"(+ c {c})"])
    body = r.choice([
        f"(* {u} {u})", f"(* {u} (* {u} {u}))", f"(* (* {u} {u}) {v})", f"(/ (* {u} {u}) (+ {c} (* {v} {v})))",
        f"(sqrt (* {u} {u}))", f"(+ (* {u} {u}) (* {v} {v}))", f"(let ([s {u}]) (* s (* s {v})))",
        f"(- (* {u} {u}) (* {v} {v}))", f"(pow {u} 2)", f"(/ {u} (sqrt (+ {c} (* {u} {u}))))",
    ])
    names = "".join(n for n in "abc" if n in body.replace("fabs", "").replace("let", ""))
    return names, bounded(r, names), body, r.choice(TRADE)


def sums(r):
    n = r.randint(3, 6)
    names = "abcdef"[:n]
    weight = lambda: f"{r.choice(['', '-'])}{r.randint(1, 99) / 50:g}"
    terms = [f"(* {weight()} {v})" for v in names]
    layer = lambda: "(+ " * (n - 1) + terms[0] + "".join(f" {t})" for t in terms[1:])
    body = r.choice([
        layer(), f"(tanh {layer()})", f"(/ 1 (+ 1 (exp (- {layer()}))))", f"(fmax 0 {layer()})",
        f"(+ (* {weight()} (tanh {layer()})) (* {weight()} (tanh (+ a (* 0.5 b)))))",
        f"(sqrt (+ 1 (* {layer()} {layer()})))", f"(/ {layer()} {n})",
        f"(+ (* {weight()} (fmax 0 {layer()})) (* {weight()} (fmax 0 (- a b))))",
    ])
    pre = "(and " + " ".join(f"(<= {r.choice(['-1', '0', '-10'])} {v} {r.choice(['1', '10'])})" for v in names) + ")"
    return names, pre, body, r.choice(TRADE)


def roots(r):
    c, d = number(r, 1, 9), number(r, 2, 8)
    u = r.choice(["x", "(+ x y)", f"(- x {c})", f"(* {c} x)", "(- x y)"])
    v = r.choice(["y", f"(+ y {d})", f"(+ {c} (* y y))"])
    body = r.choice([
        f"(/ (sqrt (* (* {u} {u}) {v})) {u})", f"(/ (sqrt (* {v} (* {u} {u}))) {v})", f"(/ {u} (sqrt (* {u} {u})))",
        f"(* (sqrt {v}) (sqrt (* {u} {u})))", f"(/ (sqrt (+ (* {u} {u}) (* {v} {v}))) {v})",
        f"(sqrt (/ (* {u} {u}) {v}))", f"(- (sqrt (+ {v} 1)) (sqrt {v}))", f"(/ (fabs {u}) (sqrt {v}))",
    ])
    names = "xy" if "y" in body else "x"
    low = r.choice(["-9", "1", "-3"])
    pre = f"(and (<= {low} x 12) (<= {r.choice(['0.25', '1'])} y 30))" if names == "xy" else f"(<= {low} x 12)"
    return names, pre, body, r.choice(TRADE)


def copysigns(r):
    c, d = number(r, 1, 9), number(r, 2, 8)
    body = r.choice([
        f"(copysign x (- y {c}))", f"(copysign (* {c} x) y)", f"(* (copysign 1 x) (sqrt (fabs x)))",
        f"(copysign (fabs (- x {d})) x)", f"(+ x (copysign {c} (* x y)))", f"(copysign (copysign x y) (- x))",
        f"(* (copysign {c} x) (copysign {d} y))", f"(copysign (floor (fabs (* {c} x))) x)",
        f"(copysign (exp (- (fabs x))) (+ y {c}))", f"(copysign x (* {c} x))", f"(- (copysign x y) (copysign {d} y))",
    ])
    names = "xy" if "y" in body.replace("copysign", "") else "x"
    return names, bounded(r, names), body, r.choice(TRADE)


def angles(r):
    n, k = r.choice([2, 3, 4, 5, 6, 8, 12]), r.randint(1, 5)
    body = r.choice([
        "(sin (* x (/ PI 180)))", f"(* x (sin (/ (* 2 PI) {n})))", f"(cos (/ (* {k} PI) {n}))",
        f"(+ x (cos (* {k} PI)))", f"(* x (sin (* {k} PI)))", f"(sin (+ x (/ PI {n})))", f"(tan (/ (* PI x) {4 * n}))",
        f"(* (cos (/ PI {n})) (sin x))", f"(/ x (cos (/ PI {n + 1})))", f"(- (sin (* PI x)) y)",
        f"(* y (cos (* 2 (* PI x))))", f"(atan2 (sin x) (cos (/ PI {n})))", f"(sqrt (+ 1 (cos (/ (* 2 PI) {n}))))",
    ])
    names = "".join(v for v in "xy" if v in body) or "x"
    if "tan (" in body:
        return names, "(<= 0 x 1)", body, r.choice(TRADE)
    return names, bounded(r, names), body, r.choice(TRADE)


def cosines(r):
    c, d = number(r, 1, 9), number(r, 2, 8)
    body = r.choice([
        "(tan x)", f"(/ x (cos y))", f"(/ {c} (cos (* {d} x)))", f"(* y (tan (/ x {d})))", "(/ (sin x) (cos x))",
        f"(/ y (* (cos x) (cos x)))", f"(/ (- 1 (cos x)) (cos x))", f"(log (fabs (cos x)))", f"(/ 1 (cos (+ x {c})))",
        f"(fabs (tan (+ x {c})))", f"(/ (sin (* 2 x)) (* 2 (cos x)))",
    ])
    names = "xy" if "y" in body else "x"
    return names, bounded(r, names), body, r.choice(TRADE)


def open_ends(r):
    c, d = number(r, 1, 9), number(r, 2, 8)
    body = r.choice([
        f"(/ {c} q)", f"(* {c} (log q))", f"(* (sqrt q) {d})", f"(/ q (+ q {c}))", f"(pow q 0.{r.randint(1, 9)})",
        f"(log (+ 1 (/ {c} q)))", f"(* {d} (* q q))", f"(/ (exp (- q)) q)", f"(sqrt (/ {c} q))", f"(+ q (/ {c} q))",
        f"(/ p q)", f"(* p (sqrt q))", f"(/ (* {c} p) (+ p q))", f"(* q (log (/ p q)))", f"(/ (- q p) (+ q p))",
    ])
    names = "".join(v for v in "pq" if v in body.replace("exp", "").replace("pow", ""))
    ranges = {v: f"(< 0 {v} {r.choice(['50000', '1', '300', '1e9'])})" for v in names}
    pre = " ".join(ranges.values())
    return names, f"(and {pre})" if len(names) > 1 else pre, body, r.choice(TRADE)


def transcendental(r):
    c, d = number(r, 1, 9), number(r, 2, 8)
    body = r.choice([
        f"(pow (+ 1 (/ x {d})) {c})", f"(/ {c} (+ 1 (exp (- (* {d} x)))))", f"(* x (exp (- x)))", f"(log1p (expm1 x))",
        f"(- (exp x) (exp (- x)))", f"(/ (- 1 (exp (- x))) x)", f"(+ (sinh x) (cosh (/ x {d})))", f"(erf (/ x {d}))",
        f"(* {c} (pow x 1.5))", f"(exp2 (/ (log x) {d}))", f"(/ (log x) (log {d}))", f"(acos (/ x 100))",
        f"(* x (- 1 (/ x {d})))", f"(sqrt (- (exp x) 1))", f"(* {c} (- 1 (pow x -{r.randint(1, 4)})))",
    ])
    return "x", r.choice(["(<= 0.5 x 10)", "(<= 1 x 50)", "(<= 0.01 x 3)"]), body, r.choice(TRADE)


def choices(r):
    c, d = number(r, 1, 9), number(r, 2, 8)
    body = r.choice([
        f"(if (< x {c}) (* {d} x) (+ x y))", f"(fmin (fmax x {c}) (+ {c} {d}))", f"(if (and (< x y) (< {c} y)) x (* {d} y))",
        f"(fmax (* x x) (* {c} y))", f"(if (<= (* x y) {c}) (sqrt (fabs x)) (/ x {d}))", f"(fabs (fmin x (- y {c})))",
        f"(if (< (fabs x) {c}) (/ (* x x) 2) (* {c} (- (fabs x) (/ {c} 2))))", f"(fdim (* {c} x) y)",
        f"(if (== x {c}) {d} (* x y))", f"(fmax 0 (- 1 (fabs (- x {c}))))", f"(if (or (< x {c}) (< y {d})) (+ x y) (- x y))",
    ])
    names = "xy" if "y" in body else "x"
    return names, bounded(r, names, wide=True), body, r.choice(TRADE)


def rounding(r):
    c, d = number(r, 1, 9), number(r, 2, 8)
    body = r.choice([
        f"(floor (* {c} x))", f"(- x (floor x))", f"(fmod x {d})", f"(* {c} (round (/ x {c})))", f"(ceil (/ x {d}))",
        f"(fmod (+ x {c}) {d})", f"(+ (trunc x) (* {d} y))", f"(remainder x {d})", f"(floor (+ (* x y) 0.5))",
        f"(/ (fmod x {d}) {c})", f"(* (- x (trunc x)) y)", f"(floor (sqrt (fabs x)))",
    ])
    names = "xy" if "y" in body else "x"
    return names, bounded(r, names), body, r.choice(TRADE)


FAMILIES = [zeros, unbounded, repeated, sums, roots, copysigns, angles, cosines, open_ends, transcendental, choices,
            rounding]


def main():
    folder, count = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 300
    folder.mkdir(parents=True, exist_ok=True)
    seen = set()
    for k in range(count):
        family = FAMILIES[k % len(FAMILIES)]
        r = random.Random(1000 + k)
        while True:
            names, pre, body, accuracy = family(r)
            if (pre, body) not in seen:
                break
        seen.add((pre, body))
        name = f"{family.__name__}-{k:03}"
        pre = f"\n  :pre {pre}" if pre else ""
        text = f'(FPCore ({" ".join(names)})\n  :name "{name}"\n  :precision binary64{pre}\n  :magneto-rel-error {accuracy}\n  {body})\n'
        (folder / f"{name}.fpcore").write_text(text)


if __name__ == "__main__":
    main()
