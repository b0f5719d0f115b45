"""The judge is judged: values that are known, and runs in which a claim was made false."""

import argparse
import csv
import json
import math
import re
import subprocess
import tempfile
from pathlib import Path

from claims import check_all
from flint import fmpq
from judge import Judge
from magneto_verify.balls import OPEN, UNDEFINED, Num
from magneto_verify.evaluator import Evaluator
from magneto_verify.folder import verdicts
from magneto_verify.formats import PARAMETERS, floor_to, rational, step, two_to, ulp
from magneto_verify.fpcore import Graph
from magneto_verify.texts import trees
from printed import Program, check_lint, check_summary_line

# Expressions with exact values, from the functions' definitions and FPCore's conventions.
EXACT = """(sin (* 1/2 PI)) = 1 ; (cos (/ PI 3)) = 1/2 ; (tan (* 3/4 PI)) = -1 ; (- (sqrt 2) (sqrt 2)) = 0
(fmod -7.5 2) = -3/2 ; (remainder 7 2) = -1 ; (remainder 5 2) = 1 ; (pow 8 1/3) = 2 ; (pow 0 0) = 1 ; (pow -2 -3) = -1/8
(cbrt -27) = -3 ; (cos (acos 0.5)) = 1/2 ; (tgamma 5) = 24 ; (lgamma 2) = 0 ; (j0 0) = 1 ; (j1 0) = 0 ; (nearbyint 2.5) = 2 ; (nearbyint -3.5) = -4
(round -2.5) = -3 ; (round 2.5) = 3 ; (trunc -2.7) = -2 ; (copysign 3 -2) = -3 ; (copysign -3 0) = 3 ; (fdim 3 1) = 2
(fdim 1 3) = 0 ; (log2 1/8) = -3 ; (log10 1000) = 3 ; (fma 2 3 4) = 10 ; (hypot 3 4) = 5 ; (if (< 1 2 2) 1 0) = 0
(let ([x 2]) (let* ([x (+ x 1)] [y x]) (* x y))) = 9 ; (let ([a 1] [b 2]) (let ([a b] [b a]) (- a b))) = 1
(if (!= 1 2 1) 1 0) = 0 ; (- 7 2 1) = 4 ; 0x1.8p-1 = 3/4 ; -1.5e-1 = -3/20 ; (exp2 -2) = 1/4 ; (! :precision binary32 0.1) = 1/10"""
NOWHERE = """(log 0) ; (sqrt -1/10) ; (/ 1 (- x x)) ; (pow -8 1/3) ; (pow 0 -1) ; (atan2 0 0) ; (tan (/ PI 2)) ; (tgamma -3) ; (y0 0) ; (y1 -1/2)
(acosh 0.9) ; (atanh 1) ; (log1p -1) ; (fmod 1 0) ; (asin 1.1) ; (and (< 1 2) (< (log -1) 1))"""


def evaluate(text, bits=128):
    graph = Graph()
    tree = trees(text.strip())[0]
    node = graph.build(tree, {"x": graph.node("input", 0)})
    return Evaluator(graph, [fmpq(3)], bits).value(node)


def check_values():
    for line in EXACT.replace("\n", " ; ").split(" ; "):
        text, _, value = line.rpartition(" = ")
        found = evaluate(text)
        assert isinstance(found, Num) and found.rational == fmpq(*map(int, (value + "/1").split("/")[:2])), line
    for text in NOWHERE.replace("\n", " ; ").split(" ; "):
        assert evaluate(text) is UNDEFINED, text
    # What balls cannot tell stays open, and more bits settle what they can.
    assert evaluate("(< (* (sqrt 2) (sqrt 2)) 2)") is OPEN
    assert evaluate("(< (cos 1e-30) 1)") is OPEN and evaluate("(< (cos 1e-30) 1)", 300) is True


def check_formats():
    for name, (p, emax) in PARAMETERS.items():
        one = fmpq(1)
        assert step(one, True, name) == 1 + two_to(1 - p) and step(one, False, name) == 1 - two_to(-p)
        assert step(fmpq(0), True, name) == two_to(2 - emax - p) == ulp(fmpq(0), name)
        assert step(fmpq(0), False, name) == -two_to(2 - emax - p)
        assert floor_to(two_to(emax + 5), name) == (2 - two_to(1 - p)) * two_to(emax)
        assert floor_to(-two_to(emax + 1), name) is None
    assert floor_to(rational(0.1), "binary32") == rational(float.fromhex("0x1.999998p-4"))


SPEC = """(FPCore (x) :precision binary64 :pre (<= 0x1p+0 x 0x1.0000000000003p+0) :magneto-rel-error 1e-3
  (if TRUE (* x (log (+ x 1.00001))) (* x (log1p (+ x 0.00001)))))"""


def change(folder, wrong):
    """Makes one kind of claim of a run false."""
    path = folder / "mutants.csv"
    rows = list(csv.DictReader(open(path, newline="")))
    tests = json.load(open(folder / "tests.json"))
    if wrong == "oracle":
        tests["tests"][0]["hi"] = float(float.fromhex(tests["tests"][0]["hi"]) * 1.0000001).hex()
    elif wrong == "expected":
        tests["tests"][0]["expected"] = tests["tests"][0]["lo"]
    elif wrong == "proof":
        killed = next(r for r in rows if r["status"] == "killed" and r["operator"] != "bounds")
        killed["status"], killed["killed_by"] = "indistinguishable", ""
    elif wrong == "same":
        known = next(r for r in rows if r["operator"] == "constant" and r["status"] == "indistinguishable")
        known["status"] = "equivalent"
    elif wrong == "bound":
        known = next(r for r in rows if "times the sum" in r["proof"] and r["operator"] == "constant")
        at = known["proof"].index("at most ") + len("at most ")
        known["proof"] = known["proof"][:at] + "0 times the sum of the tolerances"
    elif wrong == "kill":
        path = folder / "matrix.csv"
        proved = [r["status"] == "equivalent" and r["operator"] == "delete" for r in rows]
        rows = list(csv.DictReader(open(path, newline="")))
        for row in rows:
            words = zip(verdicts(row["verdicts"]), proved)
            row["verdicts"] = "".join("K" if is_proved else word[0] for word, is_proved in words)
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    (folder / "tests.json").write_text(json.dumps(tests))


def check_runs(magneto):
    for wrong in (None, "oracle", "expected", "proof", "same", "bound", "kill"):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "s.fpcore").write_text(SPEC)
            subprocess.run([magneto, "gen", "s.fpcore", "-o", "out", "-q"], cwd=folder, check=True)
            if wrong:
                change(folder / "out", wrong)
            values = [[fmpq(1) + k * two_to(-52) for k in range(4)]]
            judge = Judge(SPEC, values)
            judge.read(folder / "out")
            check_all(judge)
            assert bool(judge.wrong) == bool(wrong), f"{wrong}: {judge.wrong}"


# Every operation is rounded correctly, so that errors that are found are judged as well.
PLAIN = """(FPCore (x) :precision binary64 :pre (<= 0x1p+0 x 0x1.0000000000007p+0) :magneto-rel-error ACCURACY
  (- (* x 0.1) 0.0999))"""


def check_printed(magneto):
    """Bounds in texts: as they are printed they hold, and made too small or too large they do not."""
    values = [[fmpq(1) + k * two_to(-52) for k in range(8)]]
    for accuracy, wrong in (("1e-6", BETTER), ("1e-15", WORSE)):
        text = PLAIN.replace("ACCURACY", accuracy)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "s.fpcore").write_text(text)
            run = lambda *a: subprocess.run([magneto, *a], cwd=folder, check=True, capture_output=True, text=True).stdout
            said, document = run("lint", "s.fpcore"), json.loads(run("lint", "s.fpcore", "--json"))
            gen = run("gen", "s.fpcore", "-o", "out", "--operators", "evaluation")
            summary = json.loads((Path(folder) / "out/summary.json").read_text())
        for change in (None, *wrong):
            judge = Judge(text, values)
            told = [re.sub(*change, t) if change else t for t in (said, gen)]
            check_lint(judge, told[0], document)
            check_summary_line(judge, told[1], summary)
            assert judge.count["printed bounds"] >= 3, judge.count
            assert told != [said, gen] or not change, f"{change} changes nothing in {said}{gen}"
            # One for the file, one for the input.
            assert len(judge.wrong) == (2 if change else 0), f"{change}: {judge.wrong}"


BETTER = [
    (r"errs by at most \S+", "errs by at most 1e-30"),
    (r", \S+ relative found", ", 1.0 relative found"),
    (r"\(proved, at most \S+", "(proved, at most 1e-30"),
    (r"its error is at most \S+", "its error is at most 1e-30"),
]
WORSE = [(r"by a factor of \S+", "by a factor of 1e9")]


def check_program():
    """Sums are rounded once each, and literals before."""
    graph = Graph()
    node = graph.build(trees("(- (+ 0.1 0.2) 0.3)")[0], {})
    assert Program(graph, [], 128, "binary64").value(node).rational == rational(0.1 + 0.2 - 0.3) != 0
    node = graph.build(trees("(* (sqrt 2) (fma 0.1 10 -1))")[0], {})
    assert Program(graph, [], 128, "binary64").value(node).rational == rational(math.sqrt(2) * 2.0**-54)
    assert Program(graph, [], 128, "binary64").value(graph.build(trees("(atan2 0 -1)")[0], {})) is OPEN
    node = graph.build(trees("(+ (* 3 0.1) 2049.2)")[0], {})
    for name, value in (("binary16", 2050), ("bfloat16", 2048)):
        assert Program(graph, [], 128, name).value(node).rational == rational(value), name


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--magneto", default="target/debug/magneto")
    check_values()
    check_formats()
    check_program()
    magneto = str(Path(parser.parse_args().magneto).resolve())
    check_printed(magneto)
    check_runs(magneto)
