"""Random SMT-LIB scripts over a few bits: the answers of `magneto solve` are what trying all values says, and a turned answer is refuted."""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.setrecursionlimit(20_000)

from magneto_verify.evidence import answers

MODES = ("RNE", "RNA", "RTP", "RTN", "RTZ")


class Terms:
    """Random terms over two floats of a small format, a bit vector and a rounding mode."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.eb, self.sb = self.random.choice(((2, 3), (3, 2)))
        self.sort = f"(_ FloatingPoint {self.eb} {self.sb})"
        self.to = f"(_ to_fp {self.eb} {self.sb})"

    def one(self, *some):
        return self.random.choice(some)

    def mode(self):
        return self.one("r", *MODES)

    def float(self, depth):
        if depth == 0:
            literal = f"({self.to} {self.one(*MODES)} {self.one('0.0', '1.0', '0.3', '(- 1.5)', '2.75', '(/ 1 3)')})"
            special = f"(_ {self.one('NaN', '+oo', '-oo', '+zero', '-zero')} {self.eb} {self.sb})"
            return self.one("x", "y", "x", "y", literal, special)
        a, b, c = (lambda: self.float(depth - 1) for _ in range(3))
        kind = self.random.randrange(9)
        if kind < 4:
            return f"(fp.{self.one('add', 'sub', 'mul', 'div')} {self.mode()} {a()} {b()})"
        return [lambda: f"(fp.fma {self.mode()} {a()} {b()} {c()})", lambda: f"(fp.{self.one('abs', 'neg')} {a()})",
                lambda: f"(fp.{self.one('sqrt', 'roundToIntegral')} {self.mode()} {a()})",
                lambda: self.one(f"(fp.{self.one('rem', 'min', 'max')} {a()} {b()})", f"({self.to} {self.mode()} {self.vector(depth - 1)})"),
                lambda: f"(ite {self.truth(depth - 1)} {a()} {b()})"][kind - 4]()

    def vector(self, depth):
        if depth == 0:
            return self.one("v", "v", f"#b{self.random.randrange(8):03b}")
        a, b = self.vector(depth - 1), self.vector(depth - 1)
        binary = self.one("bvand", "bvor", "bvxor", "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvshl", "bvlshr", "bvashr")
        return self.one(f"({binary} {a} {b})", f"({self.one('bvnot', 'bvneg')} {a})", f"((_ extract 2 0) (concat {a} {b}))",
                        f"((_ extract 3 1) ((_ {self.one('zero', 'sign')}_extend 2) {a}))")

    def truth(self, depth):
        a, b = (lambda: self.float(depth) for _ in range(2))
        kind = self.random.randrange(6)
        if kind < 2:
            return f"(fp.{self.one('lt', 'leq', 'gt', 'geq', 'eq')} {a()} {b()})"
        test = self.one("isNormal", "isSubnormal", "isZero", "isInfinite", "isNaN", "isNegative", "isPositive")
        return [lambda: f"(= {a()} {b()})", lambda: f"(fp.{test} {a()})", lambda: f"({self.one('bvult', 'bvsle', 'bvugt')} {self.vector(depth)} {self.vector(depth)})",
                lambda: f"(not {self.truth(depth - 1)})" if depth else "(fp.eq x x)"][kind - 2]()

    def script(self):
        asserted = "".join(f"(assert {self.truth(self.random.randrange(3))})\n" for _ in range(self.random.randrange(2, 6)))
        return (f"(declare-const x {self.sort})\n(declare-const y {self.sort})\n(declare-const v (_ BitVec 3))\n"
                f"(declare-const r RoundingMode)\n{asserted}(check-sat)\n(get-model)\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--magneto", default="target/debug/magneto", help="the program whose answers are checked")
    parser.add_argument("--scripts", type=int, default=200, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    options = parser.parse_args()
    missed, count = [], Counter()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        names = [f"s{options.seed + k}.smt2" for k in range(options.scripts)]
        for k, name in enumerate(names):
            (scratch / name).write_text(Terms(options.seed + k).script())
        done = subprocess.run([Path(options.magneto).resolve(), "solve", *names, "-o", "out", "-q"], cwd=scratch, capture_output=True)
        file = scratch / "out" / "solve.json"
        if not file.is_file():
            sys.exit(f"magneto solve ends with {done.returncode}: {done.stderr.decode()}")
        document = json.loads(file.read_text())
        for kind, subject, answer, why in answers(file, document):
            count[kind, answer] += 1
            if answer is False:
                missed.append(f"{subject}: {kind}: {why}: {(scratch / subject.split()[0]).read_text()}")
        turned = {"sat": "unsat", "unsat": "sat"}
        for one in document["files"]:
            for check in one["checks"]:
                check.update(status=turned.get(check["status"], check["status"]), model=[])
        for kind, subject, answer, _ in answers(file, document):
            count[f"turned {kind}", answer] += 1
            if answer is True:
                missed.append(f"{subject}: a turned answer is called right")
    said = ", ".join(f"{n} {kind} {'not settled' if answer is None else answer}" for (kind, answer), n in sorted(count.items(), key=str))
    print("\n".join([*missed, f"{options.scripts} scripts, {len(missed)} wrong: {said}"]))
    enough = count["solve: sat", True] and count["solve: unsat", True] and count["turned solve: unsat", False]
    return 1 if missed or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
