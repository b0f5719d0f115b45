"""What `check`, `worst`, `eval` and `cover` say of implementations and tests: verdicts, errors, kills and proofs, each anew.

The programs that were tested are not run here, but for the module of `cover`. What they returned is taken from the document; what it is
worth is not.
"""

import hashlib
import json
import math
import re
from fractions import Fraction
from pathlib import Path

from .balls import Num
from .code import claims as branches
from .formats import is_value, plain_float, rational, step
from .points import plain, surely, unit_at
from .smt import Script, Unsettled

# What the names of documents begin with, and the start of their schemas.
NAMES = ("check", "worst", "eval", "cover", "reach", "solve")
KINDS = ("check", "worst", "eval", "cover", "reach", "paths", "solve", "solve-script")
# By how much a printed error may be off: a part of the tolerance, and a part of the number.
OFF_TOLERANCE, OFF_PART = Fraction(1, 2**20), Fraction(1, 10**9)
# Magneto's last precision, in bits, where nobody asks for another one.
LAST_PRECISION = 3840
VERDICTS = {True: "OK", False: "KO"}


def documents(path):
    """The documents about implementations and tests in a folder and below it, as (path, kind, content)."""
    for file in sorted(path.rglob("*.json")):
        if not file.name.startswith(NAMES):
            continue
        try:
            content = json.loads(file.read_text())
            kind = re.fullmatch(r"magneto/([\w-]+)/\d+", content["schema"])[1]
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if kind in KINDS:
            yield file, kind, content


def about(kind, content):
    """(name, hash of the file) of the specification that a document is about; none where it is about none."""
    told = content.get("judging") if kind == "cover" else content
    return (told["specification"], told.get("sha256")) if told and told.get("specification") else None


class Evidence:
    """The claims of one document about the specification of a run, which `checker` checks."""

    def __init__(self, checker, file, kind, content):
        self.checker, self.points, self.core = checker, checker.points, checker.core
        self.kind, self.content, self.file, self.name, self.text = kind, content, file, file.stem, file.read_text()

    def check(self):
        """All claims, said to the checker."""
        {"check": self.of_check, "worst": self.of_worst, "eval": self.of_eval, "cover": self.of_cover}[self.kind]()

    def say(self, kind, subject, answer, wrong, x=None, limit="no precision settles it"):
        self.checker.settle(f"{self.kind}: {kind}", f"{self.name} {subject}".rstrip(), answer, wrong, x, limit)

    # Results of implementations.

    def of_check(self):
        seal = self.content["content_sha256"]
        at = self.text.rindex(seal)
        bare = self.text[:at] + self.text[at + len(seal):]
        self.say("seal", "", hashlib.sha256(bare.encode()).hexdigest() == seal, "the document was changed")
        for test in self.content["tests"]:
            x = self.input(test["inputs"])
            found = self.verdict(x, test["answer"], test["result"], test["robustness"])
            if test["verdict"] not in ("UNCERTAIN", "NONE"):
                self.say("verdict", test["id"], found if found is None else found == test["verdict"], f"the verdict is {found}", x)
            self.error("error", test["id"], x, test["result"], test["error_in_bounds"], test["error_in_ulps"])
        if not self.content.get("unlisted"):
            self.say("counts", "", self.wrong_counts() == [], "; ".join(self.wrong_counts()))

    def wrong_counts(self):
        wrong = []
        for key, outside in (("counts", False), ("robustness", True)):
            verdicts = [t["verdict"] for t in self.content["tests"] if t["robustness"] == outside]
            ours = {w: verdicts.count(w.upper()) for w in ("ok", "ko", "uncertain", "none")} | {"tests": len(verdicts)}
            wrong += [f"{key} says {n} {w}, and not {ours[w]}" for w, n in self.content[key].items() if n != ours[w]]
        return wrong

    def input(self, values):
        return tuple(rational(float.fromhex(values[n])) for n in self.core.names)

    def verdict(self, x, answer, result, robustness):
        """What an answer is worth: OK, KO, None if not settled, or why nobody may ask so."""
        inside, defined = self.points.inside(self.core, x), self.points.defined(self.core, x)
        if None in (inside, defined):
            return None
        if (inside and defined) == robustness:
            return "another one: whether the input is in the domain is told wrongly"
        if robustness:
            return self.outside(answer, result)
        if answer != "result":
            return "KO"
        found = self.points.oracle(x)
        return None if found is None else VERDICTS[within(found, result)]

    def outside(self, answer, result):
        """What an answer is worth outside the domain; None where it cannot be told."""
        owed = self.core.response
        number = float.fromhex(result) if answer == "result" else None
        if owed == "any":
            return "OK"
        if owed == "saturate":
            return None if number is not None and math.isfinite(number) else "KO"
        is_nan = number is not None and math.isnan(number)
        return VERDICTS[is_nan or owed == "reject" and answer == "reject"]

    def error(self, kind, subject, x, result, tolerances, ulps):
        """The printed distance of a finite result from f, in tolerances and in ulps of f."""
        if tolerances is None or ulps is None or not math.isfinite(float.fromhex(result)):
            return
        y = rational(float.fromhex(result))
        for name, told in (("tolerances", tolerances), ("ulps", ulps)):
            def ask(bits, in_ulps=name == "ulps", told=told):
                view = self.points.view(self.core, x, bits)
                if not isinstance(view.value, Num):
                    return None
                unit = unit_at(view.value, self.core.result) if in_ulps else view.tolerance
                if unit is None:
                    return None
                distance, room = abs(y - plain(view.value)), view.tolerance * rational(OFF_TOLERANCE)
                if not math.isfinite(float(told)):
                    # More than the largest number of Python.
                    return True if surely("<", unit * rational(Fraction(2) ** 1023), distance) else None
                told = rational(Fraction(told))
                room = room + unit * told * rational(OFF_PART)
                off = abs(unit * told - distance)
                return True if surely("<=", off, room) else False if surely("<", room, off) else None

            self.say(kind, f"{subject} in {name}", self.points.settle(ask), f"it is not {told}", x)

    def of_worst(self):
        for part in self.content["parts"]:
            x = self.input(part["input"])
            low, high = self.input(part["from"]), self.input(part["to"])
            is_there = all(a <= v <= b for a, v, b in zip(low, x, high)) and self.checker.folder.is_input(x)
            self.say("place", part["id"], is_there, "the input is not in its part of the domain", x)
            self.owed(part["id"], x, part["owed"])
            if part["verdict"] != "UNCERTAIN":
                found = self.verdict(x, "result", part["result"], False)
                self.say("verdict", part["id"], found if found is None else found == part["verdict"], f"the verdict is {found}", x)
            self.error("error", part["id"], x, part["result"], part["tolerances"], part["ulps"])
        for finding in self.content["findings"]:
            x = self.input(finding["input"])
            inside, defined = self.points.inside(self.core, x), self.points.defined(self.core, x)
            is_inside = None if None in (inside, defined) else inside and defined
            self.say("no finite result", finding["id"], is_inside, "no result is owed there", x)
        if self.content["exhaustive"]:
            self.say("every input", "", None, "", limit="implementations are not run by the checker")

    def owed(self, subject, x, told):
        """The smallest and the largest result that are valid, or that Magneto's last precision does not exclude."""
        found = self.points.oracle(x)
        if found is None or told is None or None in found:
            return self.say("oracle", subject, found and found == (None, None) and told is None, "the oracle is another one", x)
        ours, theirs = (tuple(map(float.fromhex, pair)) for pair in (found, told))
        early = [bits for bits in self.points.ladder if bits < LAST_PRECISION]
        is_late = self.points.settle(lambda bits: self.points.oracle_at(x, bits), early) is None
        around = tuple(self.beyond(end, up) for end, up in zip(ours, (False, True)))
        answer = ours == theirs or is_late and around[0] <= theirs[0] <= ours[0] and ours[1] <= theirs[1] <= around[1]
        return self.say("oracle", subject, answer, f"the oracle is {found[0]} to {found[1]}", x)

    def beyond(self, end, up):
        """The next number of the result format."""
        other = step(rational(end), up, self.core.result)
        return end if other is None else plain_float(other)

    # Tests that somebody brought.

    def of_eval(self):
        by_id = {m["id"]: m for m in self.checker.folder.readable}
        killers = {(k["test"], k["line"]): k["inputs"] for k in self.content.get("killers", [])}
        for row in self.content["mutants"]:
            mutant = by_id.get(row["id"])
            if row["standing"] in ("equivalent", "indistinguishable"):
                if mutant is None:
                    self.say("proof", row["id"], None, "", limit="the run has no such mutant, or it is not followed")
                    continue
                verdict, why, x = self.checker.prove(mutant, row["standing"])
                self.say("proof", row["id"], {"verified": True, "REFUTED": False}.get(verdict), why, x, why)
            elif row["standing"] == "killed":
                self.killed(row, mutant, killers.get((row["killed_by"], row["test_line"])))
        for test in self.content["suggested"]:
            x = self.input(test["inputs"])
            if test["lo"] is not None:
                self.owed(test["id"], x, [test["lo"], test["hi"]])
            for mutant in test["kills"]:
                self.kill(mutant, by_id.get(mutant), test, x)

    def killed(self, row, mutant, inputs):
        """A kill by a test of the file, where the document has the test's inputs."""
        if inputs is None:
            return self.say("kill", row["id"], None, "", limit="the document does not have the inputs")
        x = self.input(inputs)
        inside, defined = self.points.inside(self.core, x), self.points.defined(self.core, x)
        test = {"inputs": inputs, "lo": "" if inside and defined else None}
        return self.kill(row["id"], mutant, test, x)

    def kill(self, name, mutant, test, x):
        if mutant is None:
            return self.say("kill", name, None, "", limit="the run has no such mutant, or it is not followed")
        word = "PROBABLE" if mutant["operator"] == "accuracy" else "KO"
        answer = self.checker.cell(mutant, x, test, word)
        return self.say("kill", f"{test.get('id', '')} {name}".lstrip(), answer, "it is no kill", x)

    # Branches.

    def of_cover(self):
        """The verdicts on what code returned, and its branches."""
        for kind, subject, answer, why in branches(self.file, self.content):
            self.say(kind, subject, answer, why, limit=why)
        names = self.core.names
        for k, run in enumerate(self.content["runs"]):
            if run["verdict"] in (None, "UNCERTAIN", "outside"):
                continue
            values = [float.fromhex(v) for v in run["input"]]
            x = tuple(map(rational, values))
            subject = f"run {k}"
            if not all(map(is_value, x, self.core.formats)) or len(values) != len(names):
                self.say("verdict", subject, False, "an input is no number of its format")
                continue
            is_number = re.fullmatch(r"-?0x[0-9a-f.]+p[+-]?\d+|nan|-?inf(inity)?", run["result"], re.IGNORECASE)
            found = self.verdict(x, "result" if is_number else "crash", run["result"], False)
            self.say("verdict", subject, found if found is None else found == run["verdict"], f"the verdict is {found}", x)
            if run["owed"]:
                self.owed(subject, x, run["owed"])
            if is_number:
                self.error("error", subject, x, run["result"], run["error_in_bounds"], run["error_in_ulps"])


def within(oracle, result):
    """Whether a result is one of the valid numbers."""
    y = float.fromhex(result)
    return None not in oracle and math.isfinite(y) and float.fromhex(oracle[0]) <= y <= float.fromhex(oracle[1])


def answers(file, content):
    """(kind, subject, answer, why) of each answer of `solve` in a document: models are evaluated, and small scripts without a model
    are gone through. A script is looked for where it was, and beside the folder."""
    for one in content.get("files", [content]):
        places = (Path(one["file"]), file.parent / one["file"], file.parent.parent / Path(one["file"]).name)
        try:
            script = Script(next(p for p in places if p.is_file()).read_text())
        except (StopIteration, OSError):
            script, why = None, "the script is not there"
        except (Unsettled, ValueError, IndexError, KeyError, TypeError) as e:
            script, why = None, f"the script is not read: {e}"
        for k, check in enumerate(one["checks"]):
            if check["status"] not in ("sat", "unsat"):
                continue
            answer = None
            if script:
                why = "more values than are tried"
                try:
                    found = script.is_model(k, check["model"]) if check["status"] == "sat" and check["model"] else script.has_model(k)
                    answer = None if found is None else found == (check["status"] == "sat")
                except (Unsettled, ValueError, IndexError, KeyError, TypeError) as e:
                    why = f"not settled: {e}"
            yield f"solve: {check['status']}", f"{one['file']} {k + 1}", answer, why if answer is None else "" if answer else "it is not so"
