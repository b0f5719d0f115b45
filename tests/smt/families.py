#!/usr/bin/env python3
"""200 scripts in the shape of SMT-LIB's families over floats: families.py FOLDER

Each family is a folder of 40 scripts, the same from run to run. `magneto bench solve FOLDER` compares solvers over them.

operations  one operation on given values, whose result is asked for (as Wintersteiger's)
programs    loops unrolled: Newton's method, Taylor sums, square roots, random linear systems over doubles (as Griggio's)
contracts   what a program verifier asks: ranges, order, conversions, absence of overflow (as Schanda's)
paths       conditions of a path through C code on floats that come from bytes of an input (as KLEE's)
arrays      the same with memory as an array (QF_ABVFP)
"""
import random
import struct
import sys
from fractions import Fraction
from pathlib import Path

EACH = 40
FLOATS = {"Float32": (8, 24), "Float64": (11, 53)}


def bits(value: float) -> str:
    """A double as a literal."""
    text = format(struct.unpack("<Q", struct.pack("<d", value))[0], "064b")
    return f"(fp #b{text[0]} #b{text[1:12]} #b{text[12:]})"


def real(value: float, sort: str = "Float64") -> str:
    """The float nearest to a decimal number."""
    exponent, significand = FLOATS[sort]
    text = f"((_ to_fp {exponent} {significand}) RNE {abs(value):.12f})"
    return text if value >= 0 else f"(fp.neg {text})"


def binary(operation: str, *operands: str) -> str:
    return f"(fp.{operation} RNE {' '.join(operands)})"


def script(logic: str, body: list, status: str = "unknown") -> str:
    return "\n".join([f"(set-logic {logic})", f"(set-info :status {status})", *body, "(check-sat)", "(exit)", ""])


def declared(*names: str, sort: str = "Float64") -> list:
    return [f"(declare-fun {name} () {sort})" for name in names]


def between(low: str, x: str, high: str) -> str:
    return f"(assert (and (fp.leq {low} {x}) (fp.leq {x} {high})))"


def any_double(source: random.Random) -> float:
    """Of any magnitude, subnormal numbers, infinities and zeros among them."""
    kind = source.random()
    if kind < 0.1:
        return source.choice([0.0, -0.0, float("inf"), float("-inf"), 5e-324, 1.7976931348623157e308])
    if kind < 0.3:
        return source.choice([-1, 1]) * source.getrandbits(52) * 5e-324
    return source.choice([-1, 1]) * (1 + source.random()) * 2.0 ** source.randint(-900, 900)


def operations(number: int, source: random.Random) -> str:
    """The result of an operation that Python's doubles have; every second script denies it."""
    while True:
        x, y = any_double(source), any_double(source)
        name = ["add", "sub", "mul", "div", "fma"][number % 5]
        if name == "div" and y == 0:
            continue
        z = any_double(source)
        if name == "fma":
            if not all(abs(v) < float("inf") for v in (x, y, z)):
                continue
            exact = Fraction(x) * Fraction(y) + Fraction(z)
            if exact == 0 or abs(exact) > Fraction(1.7e308):
                continue
            result = exact.numerator / exact.denominator
        else:
            result = {"add": lambda: x + y, "sub": lambda: x - y, "mul": lambda: x * y, "div": lambda: x / y}[name]()
        if result == result:
            break
    known = [("x", x), ("y", y)] + ([("z", z)] if name == "fma" else [])
    term = binary(name, *[n for n, _ in known])
    equal = f"(= r {bits(result)})"
    is_denied = number % 2 == 1
    body = declared("r", *[n for n, _ in known])
    body += [f"(assert (= {n} {bits(v)}))" for n, v in known]
    body += [f"(assert (= r {term}))", f"(assert {f'(not {equal})' if is_denied else equal})"]
    return script("QF_FP", body, "unsat" if is_denied else "sat")


def linear(number: int, source: random.Random) -> str:
    """Random inequalities between sums of products with numbers."""
    count, most = 2 + number % 4, 10.0
    names = [f"x{k}" for k in range(count)]
    body = declared(*names) + [between(real(-most), x, real(most)) for x in names]
    for _ in range(2 + number % 5):
        term = real(0)
        for x in names:
            term = binary("add", term, binary("mul", real(round(source.uniform(-1, 1), 3)), x))
        body.append(f"(assert (fp.{source.choice(['leq', 'geq'])} {term} {real(round(source.uniform(-3, 3), 3))}))")
    return script("QF_FP", body)


def newton(number: int, source: random.Random) -> str:
    """Steps of Newton's method for a zero of x - x^3/6 + x^5/120 from [-a, a] come as near to 0 as is said, or they do not."""
    steps, most = 1 + number % 3, [0.2, 0.4, 0.6, 0.8, 1.0, 1.2][number % 6]
    body = declared("x0") + [between(real(-most), "x0", real(most))]
    for k in range(steps):
        x = f"x{k}"
        square = binary("mul", x, x)
        value = binary("sub", x, binary("mul", binary("div", binary("mul", square, x), real(6)), real(1)))
        slope = binary("sub", real(1), binary("div", square, real(2)))
        body += declared(f"x{k + 1}")
        body.append(f"(assert (= x{k + 1} {binary('sub', x, binary('div', value, slope))}))")
    body.append(f"(assert (fp.gt (fp.abs x{steps}) {real(source.choice([0.01, 0.05, 0.1, 0.2]))}))")
    return script("QF_FP", body)


def taylor(number: int, source: random.Random) -> str:
    """A sum for sin x on [-pi/2, pi/2] is not above a bound."""
    body = declared("x") + [between(real(-1.57079632679), "x", real(1.57079632679))]
    term, sign, factorial, power = "x", -1, 1.0, "x"
    for k in range(1, 2 + number % 3):
        factorial *= 2 * k * (2 * k + 1)
        power = binary("mul", binary("mul", power, "x"), "x")
        term = binary("sub" if sign < 0 else "add", term, binary("div", power, real(factorial)))
        sign = -sign
    bound = source.choice([0.99, 1.0, 1.002, 1.01, 1.05, 1.1])
    body.append(f"(assert (fp.gt {term} {real(bound)}))")
    return script("QF_FP", body)


def square_root(number: int, source: random.Random) -> str:
    """A square root by Newton's steps, which a test of how near they are may end, is not far from the exact one."""
    steps = 1 + number % 6
    body = declared("v") + [between(real(0.5), "v", real(source.choice([2.0, 10.0, 100.0])))]
    x, done = binary("div", "v", real(10)), "false"
    for k in range(steps):
        step = binary("mul", real(0.5), binary("sub", "v", binary("mul", x, x)))
        body.append(f"(define-fun d{k} () Float64 {binary('div', step, x)})")
        body.append(f"(define-fun y{k} () Float64 (ite {done} {x} {binary('add', x, f'd{k}')}))")
        body.append(f"(define-fun e{k} () Bool (or {done} (fp.leq (fp.abs d{k}) {real(0.00001)})))")
        x, done = f"y{k}", f"e{k}"
    body.append(f"(assert {done})")
    body.append(f"(assert (fp.gt (fp.abs {binary('sub', binary('mul', x, x), 'v')}) {real(source.choice([0.01, 1.0]))}))")
    return script("QF_FP", body)


def programs(number: int, source: random.Random) -> str:
    return [linear, newton, taylor, square_root][number % 4](number // 4, source)


def contracts(number: int, source: random.Random) -> str:
    """A property that a verifier wants to hold of all inputs, denied; by each third script one that does not hold."""
    sort = ["Float32", "Float64"][number % 2]
    one, two = real(1, sort), real(2, sort)
    big = real(source.choice([100.0, 10000.0, 1000000.0]), sort)
    ordered = ["(assert (fp.leq x y))"]
    mean = binary("div", binary("add", "x", "y"), two)
    e, s = FLOATS[sort]
    kinds = [
        (ordered, f"(and (fp.leq x {mean}) (fp.leq {mean} y))", f"(and (fp.lt x {mean}) (fp.leq {mean} y))"),
        (ordered, f"(fp.leq {binary('add', 'x', 'z')} {binary('add', 'y', 'z')})", f"(fp.lt {binary('add', 'x', 'z')} {binary('add', 'y', 'z')})"),
        ([f"(assert (fp.leq {one} y))"], f"(fp.leq (fp.abs {binary('div', 'x', 'y')}) (fp.abs x))", f"(fp.lt (fp.abs {binary('div', 'x', 'y')}) (fp.abs x))"),
        (["(assert (fp.lt x y))"], f"(fp.lt {binary('sub', 'x', 'y')} {real(0, sort)})", f"(fp.lt {binary('sub', 'x', 'y')} {real(-0.001, sort)})"),
        ([], f"(fp.geq {binary('mul', 'x', 'x')} {real(0, sort)})", f"(fp.gt {binary('mul', 'x', 'x')} {real(0, sort)})"),
        ([], f"(= ((_ to_fp {e} {s}) RNE ((_ to_fp 11 53) RNE x)) x)", f"(= ((_ to_fp {e} {s}) RNE ((_ to_fp 5 11) RNE x)) x)"),
        (["(assert (fp.lt x y))", "(assert (fp.lt y z))"], "(not (fp.lt z x))", f"(fp.lt {binary('add', 'x', one)} z)"),
        ([], f"(not (fp.isInfinite {binary('add', binary('mul', 'x', 'y'), 'z')}))", f"(fp.leq {binary('mul', 'x', 'y')} {binary('mul', big, 'z')})"),
        ([], f"(fp.leq (fp.abs {binary('sub', '(fp.roundToIntegral RNE x)', 'x')}) {real(0.5, sort)})", "(fp.leq (fp.roundToIntegral RTP x) x)"),
        (["(assert (fp.geq x z))"], f"(fp.geq (fp.max x y) (fp.min y z))", "(fp.geq (fp.max z y) (fp.max x y))"),
    ]
    assumed, holds, fails = kinds[number % len(kinds)]
    is_wrong = number % 3 == 2
    body = declared("x", "y", "z", sort=sort) + [between(f"(fp.neg {big})", v, big) for v in "xyz"] + assumed
    return script("QF_FP", body + [f"(assert (not {fails if is_wrong else holds}))"], "sat" if is_wrong else "unsat")


def condition(terms: list, source: random.Random) -> str:
    """A condition of C code on doubles."""
    x, y = source.choice(terms), source.choice(terms)
    whole = f"((_ to_fp 11 53) RNE ((_ fp.to_sbv 32) RTZ {x}))"
    return source.choice([
        f"(fp.lt {x} {y})",
        f"(fp.leq {real(source.choice([0.0, 1.0, 10.0]))} {x})",
        f"(not (fp.isNaN {binary('sub', x, y)}))",
        f"(fp.isInfinite {binary('mul', x, y)})",
        f"(and (fp.lt (fp.abs {x}) {real(1000000)}) (fp.eq {whole} {x}))",
        f"(fp.gt {binary('add', binary('mul', x, x), y)} {real(2)})",
        f"(not (fp.eq {x} {y}))",
        f"(fp.leq (fp.abs {binary('sub', x, y)}) {real(0.001)})",
    ])


def path_of(terms: list, words: list, number: int, source: random.Random) -> list:
    conditions = [condition(terms, source) for _ in range(2 + number % 4)]
    body = [f"(assert {c if source.random() < 0.7 else f'(not {c})'})" for c in conditions]
    word = source.choice(words)
    body.append(source.choice([
        f"(assert (= #x7ff (bvand #x7ff ((_ extract 62 52) (bvadd {word} {word})))))",
        f"(assert (bvult ((_ extract 31 0) {word}) #x0000ffff))",
        f"(assert (not (= (bvand {word} #x000fffffffffffff) #x0000000000000000)))",
    ]).replace("#x7ff", "#b11111111111"))
    return body


def paths(number: int, source: random.Random) -> str:
    body, terms, words = [], [], []
    for k in range(1 + number % 3):
        names = [f"b{k}_{place}" for place in range(8)]
        body += declared(*names, sort="(_ BitVec 8)")
        words.append(f"(concat {' '.join(reversed(names))})")
        terms.append(f"((_ to_fp 11 53) {words[-1]})")
    return script("QF_BVFP", body + path_of(terms, words, number, source))


def arrays(number: int, source: random.Random) -> str:
    body = ["(declare-fun memory () (Array (_ BitVec 32) (_ BitVec 8)))", "(declare-fun at () (_ BitVec 32))"]
    memory, terms, words = "memory", [], []
    if number % 2:
        memory = f"(store {memory} (bvadd at #x{source.randint(0, 15):08x}) #x{source.getrandbits(8):02x})"
    for k in range(1 + number % 3):
        places = [f"(select {memory} (bvadd at #x{8 * k + place:08x}))" for place in reversed(range(8))]
        words.append(f"(concat {' '.join(places)})")
        terms.append(f"((_ to_fp 11 53) {words[-1]})")
    body.append("(assert (bvult at #x00000100))")
    return script("QF_ABVFP", body + path_of(terms, words, number, source))


def main() -> None:
    if len(sys.argv) != 2:
        print("families.py: expected the folder to write to\nusage: families.py FOLDER", file=sys.stderr)
        sys.exit(2)
    for make in (operations, programs, contracts, paths, arrays):
        folder = Path(sys.argv[1]) / make.__name__
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(EACH):
            source = random.Random(f"{make.__name__} {number}")
            (folder / f"{make.__name__}-{number:02}.smt2").write_text(make(number, source))


if __name__ == "__main__":
    main()
