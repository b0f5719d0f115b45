#!/usr/bin/env python3
"""Random scripts of SMT-LIB of all theories: random_scripts.py FOLDER COUNT [FIRST]

Script N is the same from run to run. `magneto bench solve FOLDER` compares solvers over them: an answer that another solver
contradicts is listed, and the exit code is 1.
"""
import random
import sys
from pathlib import Path

# The formats of the floats of a script, by its number.
FORMATS = [
    [(3, 5), (4, 4)],
    [(5, 11)],
    [(8, 24)],
    [(11, 53)],
    [(3, 4), (2, 3)],
    [(5, 11), (8, 24)],
    [(3, 5)],
    [(15, 113), (5, 11)],
]
MODES = ["RNE", "RNE", "RNE", "RNA", "RTP", "RTN", "RTZ"]
COMPARISONS = ["lt", "leq", "gt", "geq", "eq"]
CLASSES = ["isNaN", "isInfinite", "isZero", "isSubnormal", "isNormal", "isNegative", "isPositive"]
NUMBERS = ["0.5", "1.0", "2.0", "3.0", "0.1", "10.0", "100.0"]


class Script:
    """Unknowns and terms of one script. `depth` is how deep a term may be."""

    def __init__(self, number: int) -> None:
        self.source = random.Random(number)
        self.formats = FORMATS[number % len(FORMATS)]
        self.width = self.choice([3, 5] if number % 8 == 4 else [4, 8, 16, 32])
        self.declared = []
        self.floats = {format: [] for format in self.formats}
        for k in range(self.source.randint(1, 3)):
            format = self.choice(self.formats)
            self.floats[format].append(self.declare(f"x{k}", "() " + self.float_sort(format)))
        bits = f"(_ BitVec {self.width})"
        self.bits = [self.declare(f"b{k}", "() " + bits) for k in range(self.source.randint(0, 2))]
        self.has_truth = self.likely(0.4) and bool(self.declare("p", "() Bool"))
        self.has_mode = self.likely(0.15) and bool(self.declare("m", "() RoundingMode"))
        self.has_arrays = number % 8 in (1, 2, 5) and self.likely(0.4)
        if self.has_arrays:
            self.declare("a", f"() (Array {bits} {bits})")
            self.declare("c", f"() (Array {bits} {bits})")
        self.has_functions = self.likely(0.2)
        if self.has_functions:
            first = self.float_sort(self.formats[0])
            self.declare("f", f"({first}) {first}")
            self.declare("g", f"({bits} Bool) {bits}")
        asserted = [f"(assert {self.truth(self.source.randint(1, 3))})" for _ in range(self.source.randint(1, 4))]
        self.text = "\n".join(["(set-logic ALL)", *self.declared, *asserted, "(check-sat)", ""])

    def choice(self, of):
        return self.source.choice(of)

    def likely(self, share: float) -> bool:
        return self.source.random() < share

    @staticmethod
    def float_sort(format) -> str:
        return "(_ FloatingPoint {} {})".format(*format)

    def declare(self, name: str, rank: str) -> str:
        self.declared.append(f"(declare-fun {name} {rank})")
        return name

    def mode(self) -> str:
        return "m" if self.has_mode and self.likely(0.3) else self.choice(MODES)

    def binary(self, width: int) -> str:
        return "#b" + "".join(self.choice("01") for _ in range(width))

    def number(self, format) -> str:
        exponent, significand = format
        kind = self.source.random()
        if kind < 0.12:
            return f"(_ {self.choice(['+zero', '-zero', '+oo', '-oo', 'NaN'])} {exponent} {significand})"
        if kind < 0.5:
            size = f"((_ to_fp {exponent} {significand}) RNE {self.choice(NUMBERS)})"
            return size if self.likely(0.7) else f"(fp.neg {size})"
        return f"(fp {self.binary(1)} {self.binary(exponent)} {self.binary(significand - 1)})"

    def float(self, format, depth: int) -> str:
        exponent, significand = format
        if depth <= 0 or self.likely(0.12):
            names = self.floats[format]
            return self.choice(names) if names and self.likely(0.75) else self.number(format)
        to = f"to_fp {exponent} {significand}"
        one = lambda: self.float(format, depth - 1)
        other = lambda: self.float(self.choice(self.formats), depth - 1)
        kinds = [
            (3, lambda: f"(fp.add {self.mode()} {one()} {one()})"),
            (1, lambda: f"(fp.sub {self.mode()} {one()} {one()})"),
            (2, lambda: f"(fp.mul {self.mode()} {one()} {one()})"),
            (1, lambda: f"(fp.roundToIntegral {self.mode()} {one()})"),
            (1, lambda: f"(fp.{self.choice(['min', 'max'])} {one()} {one()})"),
            (1, lambda: f"(fp.{self.choice(['neg', 'abs'])} {one()})"),
            (1, lambda: f"(ite {self.truth(depth - 1)} {one()} {one()})"),
            (1, lambda: f"((_ {to}) {self.mode()} {other()})"),
            (1, lambda: f"((_ {to.replace('to_fp', self.choice(['to_fp', 'to_fp_unsigned']))}) {self.mode()} {self.vector(self.width, depth - 1)})"),
        ]
        # What takes other solvers long is for small formats.
        if significand <= 24:
            kinds += [(1, lambda: f"(fp.div {self.mode()} {one()} {one()})"), (1, lambda: f"(fp.sqrt {self.mode()} {one()})")]
        if significand <= 11:
            kinds.append((1, lambda: f"(fp.fma {self.mode()} {one()} {one()} {one()})"))
        if significand <= 5:
            kinds.append((1, lambda: f"(fp.rem {one()} {one()})"))
        if exponent + significand <= 16:
            kinds.append((1, lambda: f"((_ {to}) {self.vector(exponent + significand, depth - 1)})"))
        if self.has_functions and format == self.formats[0]:
            kinds.append((1, lambda: f"(f {one()})"))
        return self.one_of(kinds)

    def vector(self, width: int, depth: int) -> str:
        if width != self.width:
            if depth <= 0 or self.likely(0.5):
                return self.binary(width)
            inner = self.vector(self.width, depth - 1)
            if width > self.width:
                return f"((_ {self.choice(['zero_extend', 'sign_extend'])} {width - self.width}) {inner})"
            return f"((_ extract {width - 1} 0) {inner})"
        if depth <= 0 or self.likely(0.15):
            return self.choice(self.bits) if self.bits and self.likely(0.7) else self.binary(width)
        one = lambda: self.vector(width, depth - 1)
        pair = lambda *names: f"({self.choice(names)} {one()} {one()})"
        kinds = [
            (4, lambda: pair("bvadd", "bvsub", "bvmul")),
            (1, lambda: pair("bvand", "bvor", "bvxor")),
            (1, lambda: pair("bvshl", "bvlshr", "bvashr")),
            (1, lambda: f"({self.choice(['bvneg', 'bvnot'])} {one()})"),
            (1, lambda: f"(ite {self.truth(depth - 1)} {one()} {one()})"),
            (1, lambda: f"((_ fp.to_{self.choice('us')}bv {width}) {self.mode()} {self.float(self.choice(self.formats), depth - 1)})"),
        ]
        if width <= 16:
            kinds.append((1, lambda: pair("bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod")))
        if self.has_arrays:
            kinds.append((2, lambda: f"(select {self.array(depth - 1)} {one()})"))
        if self.has_functions:
            kinds.append((1, lambda: f"(g {one()} {self.truth(depth - 1)})"))
        return self.one_of(kinds)

    def array(self, depth: int) -> str:
        if depth <= 0 or self.likely(0.4):
            return self.choice("ac")
        if self.likely(0.2):
            return f"(ite {self.truth(depth - 1)} {self.array(depth - 1)} {self.array(depth - 1)})"
        return f"(store {self.array(depth - 1)} {self.vector(self.width, depth - 1)} {self.vector(self.width, depth - 1)})"

    def truth(self, depth: int) -> str:
        format = self.choice(self.formats)
        one = lambda: self.float(format, depth - 1)
        vector = lambda: self.vector(self.width, depth - 1)
        kinds = [(4, lambda: f"(fp.{self.choice(COMPARISONS)} {one()} {one()})")]
        if self.has_truth:
            kinds.append((1, lambda: "p"))
        if depth > 0:
            kinds += [
                (1, lambda: f"(= {one()} {one()})"),
                (1, lambda: f"({self.choice(['and', 'or', 'xor', '=>'])} {self.truth(depth - 1)} {self.truth(depth - 1)})"),
                (1, lambda: f"(not {self.truth(depth - 1)})"),
                (1, lambda: f"(fp.{self.choice(CLASSES)} {one()})"),
                (2, lambda: f"({self.choice(['bvult', 'bvsle', 'bvslt', 'bvuge', 'bvsgt', '=', 'distinct'])} {vector()} {vector()})"),
            ]
            if self.has_arrays:
                kinds.append((1, lambda: f"(= {self.array(depth - 1)} {self.array(depth - 1)})"))
        return self.one_of(kinds)

    def one_of(self, kinds) -> str:
        weights, makers = zip(*kinds)
        return self.source.choices(makers, weights)[0]()


def main() -> None:
    numbers = sys.argv[2:]
    if not 1 <= len(numbers) <= 2 or not all(n.isdecimal() for n in numbers):
        print("random_scripts.py: expected a folder and one or two numbers\nusage: random_scripts.py FOLDER COUNT [FIRST]", file=sys.stderr)
        sys.exit(2)
    folder, count, first = Path(sys.argv[1]), int(numbers[0]), int(numbers[1]) if len(numbers) > 1 else 0
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + count):
        (folder / f"{number:06}.smt2").write_text(Script(number).text)


if __name__ == "__main__":
    main()
