"""The claims of a folder, each proved again or refuted."""

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from .boxes import Found, ranges_of_inputs
from .covers import Domain
from .formats import fixed, is_value, read_hex
from .fpcore import MALFORMED
from .points import Points, within
from .programs import Program
from .rounding import judged, meets

VERIFIED, OPEN, REFUTED = "verified", "not verified", "REFUTED"
# Boxes for the bound that is printed of rounding errors: a bound that is too rough does not get better by cutting.
BOUND_BOXES = 32
# Tests at which functions that are said to be equal are compared.
TRIED = 20
BOUND = re.compile(r"at most (\S+) times the (?:sum of the tolerances|tolerance)")
# Properties that no option changes.
NAMES = (":name", ":magneto-req", ":magneto-out-of-range")
# What mutation operators change, where that is not the body.
CHANGED = {"accuracy": "accuracy", "bounds": "pre"}


@dataclass
class Claim:
    """A claim with its verdict: of what kind, of which test or mutant, and why it is not verified."""

    kind: str
    subject: str
    verdict: str
    why: str = ""


class Checker:
    """Checks the claims of one folder."""

    def __init__(self, folder, boxes):
        self.folder, self.core, self.graph = folder, folder.core, folder.graph
        self.points = Points(self.graph, self.core)
        self.domain = Domain(self.points, boxes)
        self.claims, self.proofs, self.programs = [], {}, {}
        self.by_id = {m["id"]: m for m in folder.mutants}
        # For each mutant a body that is one function with its own.
        self.stand_ins = {}
        # For each mutant the verdicts on the cells of its kills by test.
        self.kills = {m["id"]: {} for m in folder.mutants}

    def say(self, kind, subject, verdict, why="", x=None):
        at = f" at {self.points.told(x)}" if x is not None else ""
        self.claims.append(Claim(kind, subject, verdict, why + at))

    def settle(self, kind, subject, answer, wrong, x=None, limit="no precision settles it"):
        """A claim by an answer that is True, False or None."""
        verdict = OPEN if answer is None else VERIFIED if answer else REFUTED
        self.say(kind, subject, verdict, "" if answer else limit if answer is None else wrong, x if answer is not True else None)
        return verdict

    def check(self):
        """All claims."""
        for kind, wrong in (("files", self.folder.wrong_files()), ("tables", self.folder.wrong_tables())):
            self.say(kind, self.folder.path.name, REFUTED if wrong else VERIFIED, "; ".join(map(str, wrong[:5])))
        self.check_specification()
        for test in self.folder.tests:
            self.check_test(test)
            self.check_row(test, self.folder.readable)
            self.points.forget()
        for mutant in self.folder.mutants:
            self.check_mutant(mutant)
        self.check_summary()
        return self.claims

    def check_only(self, name):
        """The claims about the test of a name, or about the mutants whose ids begin so and the tests that kill them."""
        mutants = [m for m in self.folder.readable if m["id"].startswith(name)]
        kills = lambda test: any(self.folder.matrix[test["id"]][m["id"]] in ("KO", "PROBABLE") for m in mutants)
        for test in self.folder.tests:
            if test["id"] == name or kills(test):
                self.check_test(test)
                self.check_row(test, self.folder.readable if test["id"] == name else mutants)
        for mutant in mutants:
            self.check_mutant(mutant)
        return self.claims

    def check_mutant(self, mutant):
        """What is said of a mutant, once the rows of the tests are checked."""
        if not mutant["core"]:
            return self.say("mutant", mutant["id"], OPEN, mutant["unreadable"])
        self.check_change(mutant)
        self.check_status(mutant)
        self.check_relations(mutant)
        return self.points.forget()

    # The specification.

    def check_specification(self):
        """The FPCore that the run understood is the one at its place in the file, but for what options change."""
        try:
            stated = self.folder.stated()
        except (*MALFORMED, StopIteration) as e:
            return self.say("specification", self.folder.specification["name"], REFUTED, f"source.fpcore: {e}")
        options, wrong = self.folder.options, []
        told = [{k: v for k, v in c.properties.items() if k in NAMES} for c in (stated, self.core)]
        if told[0] != told[1]:
            wrong.append("another name or requirement")
        if (stated.names, stated.formats, stated.result) != (self.core.names, self.core.formats, self.core.result):
            wrong.append("other inputs or formats")
        if stated.body != self.core.body and not self.domain.forms.equal(stated.body, self.core.body):
            wrong.append("another function")
        is_given = any(options.get(o) for o in ("rel-error", "abs-error", "ulps"))
        if not is_given and any(stated.accuracy) and stated.accuracy != self.core.accuracy:
            wrong.append("another accuracy")
        ours, theirs = (ranges_of_inputs(self.graph, c) for c in (self.core, stated))
        is_narrower = options.get("domain") and ours and theirs and all(a >= c and b <= d for (a, b), (c, d) in zip(ours, theirs))
        if not is_narrower and (ours != theirs or self.domain.rest(self.core.pre) != self.domain.rest(stated.pre)):
            wrong.append("another precondition")
        self.say("specification", self.folder.specification["name"], REFUTED if wrong else VERIFIED,
                 f"source.fpcore has {', '.join(wrong)}" if wrong else "")
        return None

    # Tests.

    def check_test(self, test):
        """The input is of its formats, and the oracle is what its numbers say."""
        x, name, points = test["point"], test["id"], self.points
        inside, defined = points.inside(self.core, x), points.defined(self.core, x)
        if not self.folder.is_input(x):
            return self.say("oracle", name, REFUTED, "an input is no number of its format", x)
        if test["lo"] is None:
            # Where the precondition holds and f has no value nothing is owed.
            outside = None if inside is None else not inside
            return self.settle("oracle", name, outside and test["expected"] == self.core.response,
                               "no response is owed where the precondition holds, or another one", x)
        if inside is False or defined is False:
            return self.say("oracle", name, REFUTED, "the test owes a result outside the domain", x)
        found, given = points.oracle(x), (test["lo"], test["hi"])
        if found is None or inside is None:
            return self.say("oracle", name, OPEN, "no precision settles it", x)
        if found[0] is None:
            return self.say("oracle", name, REFUTED, f"no {self.core.result} is valid", x)
        ours, theirs = (tuple(map(float.fromhex, pair)) for pair in (found, given))
        if test["expected"] is None:
            inner = [float.fromhex(test[k]) for k in ("inner_lo", "inner_hi")]
            return self.settle("oracle", name, theirs[0] <= ours[0] <= inner[0] and inner[1] <= ours[1] <= theirs[1],
                               f"the oracle is {found[0]} to {found[1]}", x)
        if ours != theirs:
            return self.say("oracle", name, REFUTED, f"the oracle is {found[0]} to {found[1]}, not {given[0]} to {given[1]}", x)
        expected = read_hex(test["expected"])
        nearest = is_value(expected, self.core.result) and points.is_nearest(expected, x)
        valid = theirs[0] <= float.fromhex(test["expected"]) <= theirs[1]
        return self.settle("oracle", name, valid and nearest, f"{test['expected']} is not the nearest valid number", x)

    def check_row(self, test, mutants):
        """The cells of a test for some mutants: surely killed, probably killed, surely right."""
        asked, is_in_ranges = {}, self.domain.has(test["point"])
        for mutant in mutants:
            cell = self.folder.matrix[test["id"]][mutant["id"]]
            if cell == "UNCERTAIN":
                continue
            body = self.stand_in(mutant) if is_in_ranges else mutant["core"].body
            key = (cell, body, mutant["core"].pre, mutant["core"].accuracy, self.is_evaluated(mutant) and mutant["id"])
            if key not in asked:
                asked[key] = self.cell(mutant, test["point"], test, cell)
            self.kills[mutant["id"]][test["id"]] = self.settle(
                {"KO": "kill", "PROBABLE": "probable kill", "OK": "right result"}[cell], f"{test['id']} {mutant['id']}",
                asked[key], "it is not so", test["point"])

    def cell(self, mutant, x, test, cell):
        """Whether what a test at an input does to a mutant is right: True, False, or None."""
        core, points = mutant["core"], self.points
        if self.is_evaluated(mutant):
            if test["lo"] is None:
                # A program takes the inputs that the specification has.
                return cell == "OK"
            found = judged(points, self.program(mutant), x, self.folder.libm_ulps, test)
            return None if not found else not any(found) if cell == "KO" else all(found)
        if cell == "KO":
            return points.kill(core, x)
        if cell == "PROBABLE":
            return points.reaches(core, x)
        if test["lo"] is None or (core.body, core.accuracy) == (self.core.body, self.core.accuracy):
            killed = points.kill(core, x)
            return None if killed is None else not killed
        if points.defined(core, x) is False:
            return False
        if core.accuracy == self.core.accuracy and self.domain.forms.equal(core.body, self.core.body):
            return points.defined(core, x)
        # Sets that are equal by no normal form are not told from such as are nearly equal: few bits are enough, but for what
        # decides a comparison of numbers near 0.
        ladder = points.ladder if self.domain.has_choice((core.body,)) else points.ladder[:2]
        return points.settle_pair(within, self.core, core, x, ladder)

    def is_evaluated(self, mutant):
        """Whether a mutant is a program beside a formula: those of a program are formulas with roundings, as it is one itself."""
        return mutant["operator"] == "evaluation" and not self.core.is_program

    def program(self, mutant):
        if mutant["id"] not in self.programs:
            self.programs[mutant["id"]] = Program(mutant["core"])
        return self.programs[mutant["id"]]

    # Mutants.

    def check_change(self, mutant):
        """The mutant is the specification with the change that is told of it, and no other."""
        core, own, operator = mutant["core"], self.core, mutant["operator"]
        same = {"pre": core.pre == own.pre, "accuracy": core.accuracy == own.accuracy, "body": core.body == own.body}
        if self.graph.has_loop_in_fixed_point:
            return self.say("change", mutant["id"], OPEN, "the roundings of loops in fixed point are not compared one by one")
        others = [core.names, core.formats, core.result, core.response] != [own.names, own.formats, own.result, own.response]
        if others or not all(ok for what, ok in same.items() if what != CHANGED.get(operator, "body")):
            return self.say("change", mutant["id"], REFUTED, "more is changed than is told")
        parts = self.graph.nodes[core.body]
        if operator == "region":
            condition = self.folder.expression(mutant["after"].removeprefix("wrong where "))
            same = parts[0] == "if" and parts[1] == condition and parts[3] == own.body
            if not same and own.is_program and fixed(own.result):
                # The whole is rounded, as far as is known of the wrong results and the others together.
                same = self.graph.otherwise(core.body, condition) == own.body or None
            return self.settle("change", mutant["id"], same, "it is not wrong there, or elsewhere too",
                               limit="its roundings are not seen to be the same")
        if operator == "evaluation" and own.is_program and not fixed(own.result):
            # Another order of the same operations, but for what is rounded to another format.
            same = self.domain.forms.equal(*map(self.graph.without_roundings, (core.body, own.body)))
            return self.settle("change", mutant["id"], same or None, "", limit="its literals are other ones, or its form is not seen to be the same")
        if operator == "evaluation" and not own.is_program:
            same = self.domain.forms.equal(core.body, own.body) or self.domain.is_one_function(core.body, own.body, True)
            found = Found(proved=True) if same else self.domain.same_function(core)
            return self.settle("change", mutant["id"], found.proved or (False if found.refuted else None),
                               "it computes another function", found.refuted, found.why)
        if operator in CHANGED:
            return self.say("change", mutant["id"], VERIFIED)
        if operator == "second":
            return self.say("change", mutant["id"], OPEN, "changes of two places are not followed")
        return self.settle("change", mutant["id"], core.body in self.folder.changed(mutant),
                           "the change at its place does not give this mutant")

    def check_status(self, mutant):
        """What a status claims."""
        status, kills = mutant["status"], self.kills[mutant["id"]]
        cells = {t: row[mutant["id"]] for t, row in self.folder.matrix.items()}
        wanted = {"killed": "KO", "probable": "PROBABLE"}.get(status)
        killers = [t for t, cell in cells.items() if cell == (wanted or "KO")]
        if wanted:
            if mutant["killed_by"] not in killers[:1]:
                return self.say(status, mutant["id"], REFUTED, f"{mutant['killed_by']} is not the first test of the matrix that does it")
            return self.say(status, mutant["id"], kills[killers[0]], "the cell of the matrix is not" if kills[killers[0]] != VERIFIED else "")
        if killers:
            return self.say(status, mutant["id"], REFUTED, f"{killers[0]} kills it")
        if status in ("equivalent", "indistinguishable"):
            key = (status, mutant["core"].body, mutant["core"].pre, mutant["core"].accuracy, self.is_evaluated(mutant) and mutant["id"])
            if key not in self.proofs:
                self.proofs[key] = self.prove(mutant, status)
            verdict, why, x = self.proofs[key]
            self.say(status, mutant["id"], verdict, why, x)
            self.check_bound(mutant)
        return None

    def prove(self, mutant, status):
        """(verdict, why, input) of the claim that no test kills a mutant."""
        core, domain, is_equal = mutant["core"], self.domain, status == "equivalent"
        if is_equal and (self.is_evaluated(mutant) or core.accuracy != self.core.accuracy):
            return OPEN, "that no test kills it does not make it an equal function", None
        if self.is_evaluated(mutant):
            found = meets(domain, core, self.program(mutant), self.folder.libm_ulps)
        elif core.pre != self.core.pre:
            if (core.body, core.accuracy) != (self.core.body, self.core.accuracy):
                return OPEN, "two changes at once", None
            found = domain.same_inputs(core, is_equal)
        elif core.accuracy != self.core.accuracy:
            found = domain.never_reaches(core) if core.body == self.core.body else domain.meets(core)
        elif is_equal and domain.is_one_function(core.body, self.core.body, True):
            found = Found(proved=True)
        elif is_equal:
            # Values that differ are found soonest at the tests.
            points = [t["point"] for t in self.folder.tests[:TRIED] if t["lo"] is not None]
            other = next((x for x in points if domain.equal_at(core, x) is False), None)
            found = Found(refuted=other) if other else domain.same_function(core)
        elif self.domain.is_one_function(core.body, self.core.body):
            return OPEN, "it is no other function than the specification's, but equivalent", None
        else:
            found = domain.meets(core)
        if found.refuted:
            return REFUTED, "an input refutes the proof", found.refuted
        return (VERIFIED, "", None) if found.proved else (OPEN, found.why, None)

    def check_bound(self, mutant):
        """The number that a proof prints."""
        bound = BOUND.search(mutant.get("proof") or "")
        if not bound:
            return
        core, bound = mutant["core"], Fraction(bound[1])
        if self.is_evaluated(mutant):
            found = meets(self.domain, core, self.program(mutant), self.folder.libm_ulps, bound, BOUND_BOXES)
            found.why = found.why and "the checker's bound of the rounding errors is larger"
        else:
            found = self.domain.meets(core, bound)
        verdict = REFUTED if found.refuted else VERIFIED if found.proved else OPEN
        self.say("printed bound", mutant["id"], verdict, found.why or "a larger distance", found.refuted)

    def check_relations(self, mutant):
        """Mutants that are one function, and mutants that stand for others."""
        if mutant.get("same_as"):
            other = self.by_id[mutant["same_as"]]["core"]
            same = other and self.is_same(mutant["core"], other)
            self.settle("same function", mutant["id"], same or None, "", limit="the normal forms, or where they have a value, are not seen to be the same")
        if mutant.get("subsumed_by"):
            tests = lambda m: {t for t, row in self.folder.matrix.items() if row[m] == "KO"}
            stands = tests(mutant["subsumed_by"])
            self.settle("subsumed", mutant["id"], bool(stands) and stands <= tests(mutant["id"]),
                        f"{mutant['subsumed_by']} does not stand for it")

    def is_same(self, core, other):
        """Whether two mutants are seen to be one function."""
        return (core.pre, core.accuracy) == (other.pre, other.accuracy) and self.domain.is_one_function(core.body, other.body, True)

    def stand_in(self, mutant):
        """A body that is seen to be one function with a mutant's in the ranges of the inputs, so that many mutants have the same one."""
        name, own = mutant["id"], mutant["core"].body
        if name not in self.stand_ins:
            self.stand_ins[name] = own
            other = self.by_id.get(mutant.get("same_as"))
            if self.domain.is_one_function(own, self.core.body):
                self.stand_ins[name] = self.core.body
            elif other and other["core"] and self.domain.is_one_function(own, self.stand_in(other), True):
                self.stand_ins[name] = self.stand_in(other)
        return self.stand_ins[name]

    def check_summary(self):
        """The counts and scores."""
        scores, wrong = self.folder.summary["scores"], []
        count = Counter(m["status"] for m in self.folder.mutants)
        for status in ("killed", "probable", "equivalent", "indistinguishable", "undecided", "accepted"):
            if scores[status] != count[status]:
                wrong.append(f"{scores[status]} mutants are {status}, not {count[status]}")
        exempt = ("equivalent", "indistinguishable", "accepted")
        counted = [m for m in self.folder.mutants if m["operator"] != "accuracy" and m["status"] not in exempt]
        if (scores["rigorous"]["part"], scores["rigorous"]["whole"]) != (count["killed"], len(counted)):
            wrong.append("the rigorous score")
        if (scores["paper"]["part"], scores["paper"]["whole"]) != (count["killed"] + count["probable"], len(self.folder.mutants)):
            wrong.append("the paper score")
        self.say("summary", self.folder.specification["name"], REFUTED if wrong else VERIFIED, "; ".join(wrong))
