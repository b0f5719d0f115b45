"""Formulas that are none are refused in words: an operation with too few or too many operands, a number where a condition belongs, and
so on. The checker ends with exit code 2 and one line.
"""

import json
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(PACKAGE)]

from magneto_verify.folder import number_of
from magneto_verify.fpcore import Graph, cores
from magneto_verify.texts import Unreadable

# Bodies over x and y, and what is said of them.
BODIES = {
    "(+ x (< y 1))": "expected a number, but `(< y 1)` is a condition",
    "(if x 1 2)": "expected a condition, but `x` is a number",
    "(if (< x 1) TRUE 3)": "expected a condition, but `3` is a number",
    "(and (< x 1) y)": "expected a condition, but `y` is a number",
    "(if (and (< x 1) y) 1 2)": "expected a condition, but `y` is a number",
    "(if (not 3) 1 2)": "expected a condition, but `3` is a number",
    "(if (== (< x 1) TRUE) 1 2)": "expected a number, but `(< x 1)` is a condition",
    "(< x 1)": "expected a number, but the body is a condition",
    "TRUE": "expected a number, but the body is a condition",
    "(let ((b TRUE)) (+ b 1))": "expected a number, but `b` is a condition",
    "(+ 1 (array 1 2))": "expected a number, but `(array 1 2)` is an array",
    "(sqrt x y)": "`sqrt` takes 1 operand, not 2",
    "(exp)": "`exp` takes 1 operand, not 0",
    "(pow x)": "`pow` takes 2 operands, not 1",
    "(fma x y)": "`fma` takes 3 operands, not 2",
    "(if (< x 1) 1)": "`if` takes 3 operands, not 2",
    "(+ x)": "`+` takes 2 or more operands, not 1",
    "(/)": "`/` takes 2 or more operands, not 0",
    "(abs x)": "`abs` is unknown",
    "()": "`()` has no operator",
    "((+ x y) x)": "has no operator",
    "(ref x 0)": "`(ref x 0)` is no element",
    "(while x ([z x z]) z)": "expected a condition, but what a loop asks is a number",
    "(while (< z 3) ([z x (< z 2)]) 1)": "expected a number, but what `z` becomes is a condition",
    "(while (not z) ([z FALSE x]) x)": "expected a condition, but what `z` becomes is a number",
    "(while x)": "not formed as the standard says",
    "(let ((z)) z)": "not formed as the standard says",
    "1/0": "1/0 is unknown",
    "1.2.3": "1.2.3 is unknown",
}
PRECONDITIONS = {"(+ x 1)": "expected a condition, but the precondition is a number", "(<= x (< y 1))": "expected a number, but `(< y 1)` is"}
# What is well typed, though it may look odd.
FINE = [
    "(if (and) x 1)", "(if (< x) x 1)", "(- x)", "(+ x y x)", "(let ((b (< x 1.5))) (if b 1 2))", "(if (if (< x 1) TRUE (< y 1)) x y)",
    "(while (not done) ([done FALSE (> n 9)] [n x (+ n 1)]) n)", "(if (while (< i x) ([i 0 (+ i 1)]) (< i 2)) x y)", "(binary32 (+ x y))",
]


def said(text):
    """Why a text is not read; None if it is."""
    try:
        cores(Graph(), text)
    except Unreadable as e:
        return str(e)
    return None


def main():
    told = {f"(FPCore (x y) {body})": why for body, why in BODIES.items()}
    told |= {f"(FPCore (x y) :pre {pre} x)": why for pre, why in PRECONDITIONS.items()}
    told |= {f"(FPCore (x y) {body})": None for body in FINE} | {"(FPCore)": "not formed", "(+ 1 2)": "not an FPCore", "()": "not an FPCore"}
    wrong = [f"{text}: {said(text)}" for text, why in told.items() if why is not said(text) and why not in (said(text) or "")]
    spelled = {"(digits 3 -1 10)": Fraction(3, 10), "[ digits 5 2 2 ]": 20, "0.3": Fraction(3, 10), "(digits x 1 10)": None, "(digits 3 1)": None, "x": None,
               # Comments have such words.
               "..": None, "...": None, "1e": None, "1_0": None, "0x": None, "0x1.8p-1": Fraction(3, 4), "-1/3": Fraction(-1, 3), "+.5E1": 5, "5.": 5}
    wrong += [f"{text}: {number_of(text)}" for text, value in spelled.items() if number_of(text) != value]
    with tempfile.TemporaryDirectory() as scratch:
        for body, why in list(BODIES.items())[::8]:
            manifest = {"specification": {"name": "x", "sha256": "", "core": f"(FPCore (x y) {body})"}}
            (Path(scratch) / "manifest.json").write_text(json.dumps(manifest))
            found = subprocess.run([sys.executable, "-m", "magneto_verify", scratch], cwd=PACKAGE, capture_output=True, text=True)
            lines = found.stderr.splitlines()
            if found.returncode != 2 or len(lines) != 1 or not lines[0].startswith("error: ") or why not in lines[0] or found.stdout:
                wrong.append(f"{body}: exit code {found.returncode}, {found.stderr}")
    print("\n".join([*wrong, f"{len(told)} formulas, {len(wrong)} answered otherwise"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
