"""Lies in what `check`, `worst`, `eval` and `cover` say: honest documents hold, and each with one false claim is refuted.

The function under test is right for small x, off by a little for larger ones, and does not refuse what is outside its domain.
"""

import argparse
import hashlib
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from magneto_verify.claims import REFUTED, VERIFIED, Checker
from magneto_verify.evidence import Evidence
from magneto_verify.folder import Folder

SPEC = """(FPCore (x y) :name "slope" :pre (and (<= 1 x 100) (<= -5 y 5)) :magneto-rel-error 1e-12 :magneto-out-of-range reject
  (/ (sqrt (+ x 1)) (+ 10 y)))
"""
CODE = """#include <math.h>
double slope(double x, double y) { return x > 40 ? sqrt(x + 1) / (10 + y) * (1 + 1e-9) : x < 1 ? NAN : sqrt(x + 1) / (10 + y); }
"""
BOXES = 300


def pick(r, some):
    """One of some; a document without any cannot tell this lie."""
    some = list(some)
    if not some:
        raise LookupError
    return r.choice(some)


def ulp(text, up):
    return math.nextafter(float.fromhex(text), math.inf if up else -math.inf).hex()


def recounted(d):
    for key, outside in (("counts", False), ("robustness", True)):
        verdicts = [t["verdict"] for t in d["tests"] if t["robustness"] == outside]
        d[key] = {"tests": len(verdicts), **{w: verdicts.count(w.upper()) for w in ("ok", "ko", "uncertain", "none")}}


def flipped(item):
    item["verdict"] = {"OK": "KO", "KO": "OK"}[item["verdict"]]


def verdict(robustness, word):
    def lie(d, r):
        flipped(pick(r, (t for t in d["tests"] if t["robustness"] == robustness and t["verdict"] == word)))
        recounted(d)

    return lie


def result(d, r):
    """A right result for a wrong one."""
    t = pick(r, (t for t in d["tests"] if t["verdict"] == "KO" and t["lo"]))
    t["result"] = t["expected"]


def scaled(items, key):
    """A larger error. Errors are printed to a millionth of the tolerance."""
    def lie(d, r):
        item = pick(r, (i for i in d[items] if i.get(key) and 0.2 < float(i[key]) < 1e300))
        item[key] = repr(float(item[key]) * 1.05)

    return lie


def count(d, r):
    d["counts"][r.choice(("tests", "ok", "ko", "none"))] += 1


def outside(d, r):
    """A test of the domain is called one of robustness."""
    t = pick(r, (t for t in d["tests"] if not t["robustness"]))
    t.update(robustness=True, verdict="KO", error_in_bounds=None, error_in_ulps=None)
    recounted(d)


def owed(items):
    def lie(d, r):
        item = pick(r, (i for i in d[items] if i["owed"]))
        k = r.randrange(2)
        item["owed"][k] = ulp(item["owed"][k], r.random() < 0.5)

    return lie


def of_item(items, change):
    return lambda d, r: change(pick(r, d[items]))


def out_of_its_part(part):
    part["to"]["x"] = ulp(part["from"]["x"], False)


def killer_moved(d, r):
    """A test that kills is said to be at an input where the mutant's value is the function's."""
    by_test = {}
    for m in d["mutants"]:
        if m["standing"] == "killed" and m["operator"] == "region":
            by_test.setdefault((m["killed_by"], m["test_line"]), []).append(m)
    chosen = pick(r, by_test)
    killer = next(k for k in d["killers"] if (k["test"], k["line"]) == chosen)
    killer["inputs"] = {"x": (3.3).hex(), "y": (1.7).hex()}


def standing(old, new):
    def lie(d, r):
        m = pick(r, (m for m in d["mutants"] if m["standing"] in old and m["operator"] not in ("bounds", "accuracy")))
        killer = pick(r, d["killers"])
        m.update(standing=new, killed_by=killer["test"], test_line=killer["line"])

    return lie


def suggestion(d, r):
    """A suggested test is said to kill a mutant that no test kills."""
    proved = pick(r, (m for m in d["mutants"] if m["standing"] == "equivalent"))
    pick(r, d["suggested"])["kills"].append(proved["id"])


def suggested_oracle(d, r):
    t = pick(r, (t for t in d["suggested"] if t["lo"]))
    t["hi"] = ulp(t["hi"], True)


def run_verdict(d, r):
    flipped(pick(r, (run for run in d["runs"] if run["verdict"] in ("OK", "KO"))))


LIES = {
    "check": {
        "OK for KO": verdict(False, "KO"), "KO for OK": verdict(False, "OK"), "refused for not refused": verdict(True, "KO"),
        "not refused for refused": verdict(True, "OK"), "another result": result, "a larger error": scaled("tests", "error_in_bounds"),
        "more ulps": scaled("tests", "error_in_ulps"), "another count": count, "outside for inside": outside,
    },
    "worst": {
        "another oracle": owed("parts"), "a larger error": scaled("parts", "tolerances"), "more ulps": scaled("parts", "ulps"),
        "another verdict": of_item("parts", flipped), "out of its part": of_item("parts", out_of_its_part),
    },
    "eval": {
        "kill at another input": killer_moved, "killed for equal": standing(("equivalent",), "killed"),
        "equal for killed": standing(("killed",), "equivalent"), "indistinguishable for missed": standing(("missed",), "indistinguishable"),
        "a suggestion that kills more": suggestion, "a suggestion's oracle": suggested_oracle,
    },
    "cover": {
        "another verdict": run_verdict, "another oracle": owed("runs"), "a larger error": scaled("runs", "error_in_bounds"),
    },
}


def sealed(document):
    """The text of a document; one of `check` with the hash of its content."""
    if "content_sha256" not in document:
        return json.dumps(document)
    bare = json.dumps({**document, "content_sha256": ""})
    return json.dumps({**document, "content_sha256": hashlib.sha256(bare.encode()).hexdigest()})


def verdicts(checker, file, kind):
    """The claims of a document."""
    checker.claims.clear()
    Evidence(checker, file, kind, json.loads(file.read_text())).check()
    return list(checker.claims)


def made(magneto, scratch):
    """A run, and a document of each command about it."""
    (scratch / "slope.fpcore").write_text(SPEC)
    (scratch / "slope.c").write_text(CODE)
    few = [f"{x},{y}" for x, y in ((1, -5), (2.5, 0.25), (99, 5), (30, 2), (0.5, 1))]
    (scratch / "few.csv").write_text("\n".join(["x,y", *few]) + "\n")
    code = ["--c-source", "slope.c", "--fn", "slope", "-o"]
    for arguments, code in (
        (["gen", "slope.fpcore", "--no-cache", "-o", "run"], 0), (["check", "slope.fpcore", "run", *code, "check"], 1),
        (["worst", "slope.fpcore", "--evaluations", "5000", *code, "worst"], 1), (["eval", "slope.fpcore", "few.csv", "--suggest", "-o", "eval"], None),
        (["cover", "slope.c", "--fn", "slope", "--spec", "slope.fpcore", "-o", "cover"], 1),
    ):
        done = subprocess.run([magneto, *arguments, "-q"], cwd=scratch, capture_output=True)
        if code not in (None, done.returncode):
            sys.exit(f"magneto {' '.join(arguments)} ends with {done.returncode}: {done.stderr.decode()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--magneto", default="target/debug/magneto", help="the program whose documents are changed")
    parser.add_argument("--each", type=int, default=1, help="how many lies of each kind")
    options = parser.parse_args()
    told, missed = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        made(Path(options.magneto).resolve(), scratch)
        checker = Checker(Folder(scratch / "run"), BOXES)
        for kind, lies in LIES.items():
            file = scratch / kind / f"{kind}.json"
            honest = file.read_text()
            bad = [c for c in verdicts(checker, file, kind) if c.verdict != VERIFIED]
            missed += [f"{kind}: honest, and {c.verdict}: {c.kind} {c.subject}: {c.why}" for c in bad]
            for name, plant in lies.items():
                for seed in range(options.each):
                    document = json.loads(honest)
                    try:
                        plant(document, random.Random(f"{kind} {name} {seed}"))
                    except LookupError:
                        missed.append(f"{kind}: {name}: there is nothing to lie about")
                        break
                    file.write_text(sealed(document))
                    told += 1
                    if REFUTED not in {c.verdict for c in verdicts(checker, file, kind)}:
                        missed.append(f"{kind}: {name} ({seed}) is not refuted")
            # What is changed without its seal.
            if kind == "check":
                file.write_text(honest.replace('"exit": 1', '"exit": 0'))
                told += 1
                if REFUTED not in {c.verdict for c in verdicts(checker, file, kind)}:
                    missed.append("check: a changed document is not refuted")
    print("\n".join([*missed, f"{told} lies, {len(missed)} not refuted"]))
    return 1 if missed or not told else 0


if __name__ == "__main__":
    sys.exit(main())
