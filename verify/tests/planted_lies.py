"""The checker is checked: honest folders hold, and each of many folders with one false claim is refuted.

A lie is planted in all files that tell it, and the hashes of the manifest are made right again.
"""

import argparse
import csv
import hashlib
import json
import math
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.setrecursionlimit(20_000)

from magneto_verify.claims import OPEN, REFUTED, Checker
from magneto_verify.folder import Folder, verdicts

LETTERS = {"KO": "K", "PROBABLE": "P", "OK": "O", "UNCERTAIN": "U"}
BOXES = 300


class Lie:
    """The documents of a folder, to be changed."""

    def __init__(self, path, seed):
        self.path, self.random = path, random.Random(seed)
        read = lambda name: json.loads((path / name).read_text())
        self.manifest, self.tests, self.mutants = read("manifest.json"), read("tests.json"), read("mutants.json")
        self.summary, self.source = read("summary.json"), (path / "source.fpcore").read_text()
        with open(path / "matrix.csv", newline="") as file:
            self.rows = {r["test_id"]: verdicts(r["verdicts"]) for r in csv.DictReader(file)}

    def write(self):
        """All files, with tables and hashes that fit."""
        put = lambda name, document: (self.path / name).write_text(json.dumps(document))
        for t in self.tests["tests"]:
            t["kills"] = self.rows[t["id"]].count("KO")
        put("tests.json", self.tests), put("mutants.json", self.mutants), put("summary.json", self.summary)
        (self.path / "source.fpcore").write_text(self.source)
        columns = {i["name"]: i["column"] for i in self.manifest["specification"]["inputs"]}
        tests = [{"test_id": t["id"], **{c: t["inputs"][n] for n, c in columns.items()},
                  **{k: t[k] or "" for k in ("lo", "hi", "expected", "inner_lo", "inner_hi")}, "kills": t["kills"]}
                 for t in self.tests["tests"]]
        keys = ("id", "operator", "status", "killed_by", "same_as", "subsumed_by", "proof", "fpcore")
        self.table("tests.csv", tests)
        self.table("mutants.csv", [{k: m[k] or "" for k in keys} for m in self.mutants["mutants"]])
        self.table("matrix.csv", [{"test_id": t, "verdicts": "".join(LETTERS[c] for c in row)} for t, row in self.rows.items()])
        for name in self.manifest["files"]:
            self.manifest["files"][name] = hashlib.sha256((self.path / name).read_bytes()).hexdigest()
        put("manifest.json", self.manifest)

    def table(self, name, rows):
        with open(self.path / name, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)

    def pick(self, some):
        """One of some; a folder without any cannot tell this lie."""
        some = list(some)
        if not some:
            raise LookupError
        return self.random.choice(some)

    def mutant(self, **wanted):
        """A mutant with these properties."""
        return self.pick(m for m in self.mutants["mutants"] if all(m[k] in (v if isinstance(v, tuple) else (v,)) for k, v in wanted.items()))

    def test(self):
        return self.pick(t for t in self.tests["tests"] if t["expected"] and t["lo"])

    def index(self, mutant):
        return self.mutants["mutants"].index(mutant)

    def becomes(self, mutant, status, proof):
        """A mutant that is killed gets a proof, and its cells, counts and scores go with it."""
        old, k = mutant["status"], self.index(mutant)
        for row in self.rows.values():
            row[k] = "OK" if row[k] in ("KO", "PROBABLE") else row[k]
        mutant.update(status=status, proof=proof, killed_by=None, subsumed_by=None)
        for m in self.mutants["mutants"]:
            m["subsumed_by"] = None if m["subsumed_by"] == mutant["id"] else m["subsumed_by"]
        scores = self.summary["scores"]
        scores[old] -= 1
        scores[status] += 1
        if old == "killed":
            scores["rigorous"]["part"] -= 1
            scores["rigorous"]["whole"] -= 1
        scores["paper"]["part"] -= 1


def ulp(text, up):
    return math.nextafter(float.fromhex(text), math.inf if up else -math.inf).hex()


def moved(key, up):
    """An end of an oracle, or the expected result, moved by one ulp."""
    def lie(f):
        t = f.test()
        t[key] = ulp(t[key], up)

    return lie


def input_moved(f):
    t = f.test()
    name = f.pick(t["inputs"])
    t["inputs"][name] = (float.fromhex(t["inputs"][name]) * 1.01).hex()


def kill_where_none_is(f):
    m = f.mutant(status=("equivalent", "indistinguishable"))
    f.rows[f.pick(f.rows)][f.index(m)] = "KO"


def kill_at_wrong_input(f):
    m = f.mutant(status="killed")
    f.rows[f.pick(t for t, row in f.rows.items() if row[f.index(m)] in ("OK", "UNCERTAIN"))][f.index(m)] = "KO"


def killed_by_another(f):
    m = f.mutant(status="killed")
    m["killed_by"] = f.pick(t for t in f.rows if t != m["killed_by"])


def right_where_killed(f):
    m = f.mutant(status="killed", operator=("constant", "variable", "unary", "binary", "add", "delete"))
    later = [t for t, row in f.rows.items() if row[f.index(m)] == "KO" and t != m["killed_by"]]
    f.rows[f.pick(later)][f.index(m)] = "OK"


def proof_for(operators, status, proof, old="killed"):
    """A proof for a mutant that can be killed."""
    return lambda f: f.becomes(f.mutant(status=old, operator=operators), status, proof)


def other_word(status, word, operators):
    """A mutant that no test kills, with the other word for it."""
    def lie(f):
        f.mutant(status=status, operator=operators)["status"] = word
        for one, n in ((status, -1), (word, 1)):
            f.summary["scores"][one] += n

    return lie


def another_mutant(f):
    """A mutant's formula is another one's."""
    a = f.mutant(status="killed", operator="constant")
    b = f.pick(m for m in f.mutants["mutants"] if m["operator"] == "unary" and m["fpcore"] != a["fpcore"])
    a["fpcore"] = b["fpcore"]


def unchanged_mutant(f):
    f.mutant(status="killed", operator=("constant", "variable", "unary"))["fpcore"] = f.manifest["specification"]["core"]


def in_text(get, put):
    """A number of a text changed in its last digit."""
    def lie(f):
        text = get(f)
        at = f.pick(k for k in range(1, len(text)) if text[k].isdigit() and text[k - 1] in ".123456789" and text[:k].count("(") > 1)
        put(f, text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :])

    return lie


def set_core(f, text):
    f.manifest["specification"]["core"] = text


def set_source(f, text):
    f.source = text


def spec_text(f):
    """The source with its comments blanked: a lie in a comment is none."""
    return "".join(line if not line.lstrip().startswith(";") else "\n" for line in f.source.splitlines(keepends=True))


def score(key):
    def lie(f):
        f.summary["scores"]["rigorous"][key] += 1

    return lie


def status_count(f):
    f.summary["scores"][f.pick(("killed", "equivalent", "undecided"))] += 1


def stands_for(f):
    a = f.mutant(status="killed")
    tests = lambda m: {t for t, row in f.rows.items() if row[f.index(m)] == "KO"}
    a["subsumed_by"] = f.pick(m for m in f.mutants["mutants"] if m["status"] == "killed" and not tests(m) <= tests(a))["id"]


def smaller_bound(f):
    m = f.pick(m for m in f.mutants["mutants"] if "|f - g| is at most " in (m["proof"] or ""))
    at = m["proof"].index("is at most ") + len("is at most ")
    m["proof"] = m["proof"][:at] + "1e-30" + m["proof"][m["proof"].index(" times", at) :]


def no_result_inside(f):
    f.test().update(lo=None, hi=None, expected=f.manifest["specification"]["out_of_range"])


def probable_elsewhere(f):
    m = f.mutant(operator="accuracy", status="indistinguishable")
    t = f.test()
    f.rows[t["id"]][f.index(m)] = "PROBABLE"
    m.update(status="probable", killed_by=t["id"], proof=None)
    for key, n in (("indistinguishable", -1), ("probable", 1)):
        f.summary["scores"][key] += n
    f.summary["scores"]["paper"]["part"] += 1


REAL = ("constant", "variable", "unary", "binary", "add", "delete")
LIES = {
    "lo up": moved("lo", True), "lo down": moved("lo", False), "hi up": moved("hi", True), "hi down": moved("hi", False),
    "expected up": moved("expected", True), "expected down": moved("expected", False), "input moved": input_moved,
    "kill where none is": kill_where_none_is, "kill at a wrong input": kill_at_wrong_input,
    "killed by another test": killed_by_another, "right where killed": right_where_killed,
    "proof of an equal function": proof_for(REAL, "equivalent", "same normal form"),
    "proof of a near function": proof_for(REAL, "indistinguishable", "cover of the domain by 3 boxes"),
    "proof of a region": proof_for("region", "equivalent", "the region is empty"),
    "proof of a range": proof_for("bounds", "equivalent", "same inputs"),
    "proof of a program": proof_for("evaluation", "indistinguishable", "meets the accuracy"),
    "proof of an accuracy": proof_for("accuracy", "indistinguishable", "never reaches", "probable"),
    "equal for near": other_word("indistinguishable", "equivalent", REAL),
    "near for equal": other_word("equivalent", "indistinguishable", REAL),
    "equal for accuracy": other_word("indistinguishable", "equivalent", "accuracy"),
    "equal for evaluation": other_word("indistinguishable", "equivalent", "evaluation"),
    "another mutant": another_mutant, "unchanged mutant": unchanged_mutant,
    "core changed": in_text(lambda f: f.manifest["specification"]["core"], set_core),
    "source changed": in_text(spec_text, set_source), "score": score("part"), "score of fewer": score("whole"),
    "status counted": status_count, "stands for": stands_for, "smaller bound": smaller_bound,
    "no result inside": no_result_inside, "probable elsewhere": probable_elsewhere,
}
# Words that are the wrong ones for what is proved: the claim is not verified, and no input refutes it.
WEAK = {"near for equal", "equal for accuracy", "equal for evaluation"}


def checked(path):
    """The claims of a folder that are not verified."""
    try:
        return [c for c in Checker(Folder(path), BOXES).check() if c.verdict != "verified"]
    except ValueError as e:
        return [type("Unreadable", (), {"verdict": REFUTED, "kind": "unreadable", "why": str(e)})]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--magneto", default="target/debug/magneto", help="the program whose folders are changed")
    parser.add_argument("--each", type=int, default=1, help="how many lies of each kind, for each specification")
    parser.add_argument("--operators", default="full", help="mutation operators")
    parser.add_argument("specs", nargs="+", type=Path)
    options = parser.parse_args()
    told, missed, doubted = 0, [], 0
    with tempfile.TemporaryDirectory() as scratch:
        for spec in options.specs:
            honest = Path(scratch) / spec.stem
            command = [options.magneto, "gen", spec, "-o", honest, "-q", "--no-cache", "--operators", options.operators]
            subprocess.run(command, check=True)
            found = checked(honest)
            wrong, left = [c for c in found if c.verdict == REFUTED], {(c.kind, c.subject) for c in found}
            missed += [f"{spec.stem}: honest, and refuted: {c.kind} {c.subject}: {c.why}" for c in wrong]
            for name, plant in LIES.items():
                for seed in range(options.each):
                    folder = Path(scratch) / "lie"
                    shutil.rmtree(folder, ignore_errors=True)
                    shutil.copytree(honest, folder)
                    lie = Lie(folder, f"{spec.stem} {name} {seed}")
                    try:
                        plant(lie)
                    except LookupError:
                        continue
                    lie.write()
                    found = checked(folder)
                    verdicts_found = {c.verdict for c in found}
                    is_open = name in WEAK and any((c.kind, c.subject) not in left for c in found)
                    told += 1
                    doubted += REFUTED not in verdicts_found and OPEN in verdicts_found
                    if REFUTED not in verdicts_found and not is_open:
                        missed.append(f"{spec.stem}: {name} ({seed}): {sorted(verdicts_found) or 'verified'}")
    print("\n".join([*missed, f"{told} lies, {len(missed)} not refuted, of these {doubted} not verified"]))
    return 1 if missed or not told else 0


if __name__ == "__main__":
    sys.exit(main())
