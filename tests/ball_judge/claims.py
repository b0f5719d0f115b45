"""The claims of a run, each judged at every input."""

import re
from fractions import Fraction

from magneto_verify.balls import Num
from magneto_verify.formats import is_value, rational, read_hex, step
from magneto_verify.points import plain, ratio_within, same, surely, within


def check_refused(judge, why):
    """A specification for which there is no run, with the reason that is given."""
    judge.count["refused"] += 1
    if "the domain is empty" in why or "so that there is no input to test" in why:
        for x in judge.inputs:
            if judge.inside(judge.core, x) is True:
                return judge.say("the precondition holds", x=x)
    elif "has no value anywhere in its domain" in why:
        for x in judge.domain:
            return judge.say("the function has a value", x=x)
    elif "no input was found" in why:
        found = any(judge.oracle(x) not in (None, (None, None)) for x in judge.domain)
        judge.count["refused where an input exists"] += found
    elif "is beyond (fixed" in why:
        # A literal of a program in fixed point that is none of its numbers.
        judge.count["refused literals"] += 1
    else:
        judge.say(f"refused: {why}")
    return None


def check_printed(judge):
    """Judges the bounds in proofs and reasons alone."""
    for mutant in judge.mutants:
        if mutant["core"] is not None:
            check_text(judge, mutant, mutant["proof"])
            check_text(judge, mutant, mutant["reason"])


def check_all(judge):
    """Judges everything that a run says."""
    check_tests(judge)
    check_matrix(judge)
    for mutant in judge.mutants:
        judge.count[f"{mutant['status']} mutants"] += 1
        if mutant["core"] is None:
            judge.count["mutants not judged"] += 1
            continue
        check_status(judge, mutant)
        check_text(judge, mutant, mutant["proof"])
        check_text(judge, mutant, mutant["reason"])
        check_relations(judge, mutant)
    check_summary(judge)


def test_input(judge, test):
    if "point" not in test:
        test["point"] = tuple(rational(float.fromhex(test["inputs"][n])) for n in judge.core.names)
    return test["point"]


def check_tests(judge):
    """Inputs are numbers of their formats, oracles are right."""
    for test in judge.tests:
        judge.count["tests"] += 1
        x = test_input(judge, test)
        for v, name in zip(x, judge.core.formats):
            if not is_value(v, name):
                judge.say(f"{test['id']}: an input is no {name}", x=x)
        inside, defined = judge.inside(judge.core, x), judge.defined(judge.core, x)
        if test["lo"] is None:
            check_refusal(judge, test, x, inside, defined)
            continue
        if inside is False or defined is False:
            judge.say(f"{test['id']} owes a result outside the domain", x=x)
            continue
        found = judge.oracle(x)
        if test["expected"] is None:
            judge.count["tests whose oracle is capped"] += 1
        elif found is None:
            judge.count["oracles not settled"] += 1
        elif found[0] is None:
            judge.say(f"{test['id']} has an oracle, and no {judge.core.result} is valid", x=x)
        else:
            lo, hi = float.fromhex(test["lo"]), float.fromhex(test["hi"])
            if (lo, hi) != tuple(map(float.fromhex, found)):
                judge.say(f"{test['id']} has the oracle {lo.hex()} to {hi.hex()}, not {found[0]} to {found[1]}", x=x)
            check_expected(judge, test, x)


def check_refusal(judge, test, x, inside, defined):
    """A test that owes no result lies outside the domain."""
    if inside is True and defined is True:
        judge.say(f"{test['id']} owes no result inside the domain", x=x)
    if inside is True and defined is False:
        judge.count["refusals inside the precondition"] += 1


def check_expected(judge, test, x):
    """The expected result is valid, and no other number of the format is nearer to f."""
    if not float.fromhex(test["lo"]) <= float.fromhex(test["expected"]) <= float.fromhex(test["hi"]):
        judge.say(f"{test['id']}: the expected result is not valid", x=x)
    if judge.is_nearest(read_hex(test["expected"]), x) is False:
        judge.say(f"{test['id']}: {test['expected']} is expected, and a neighbour is nearer to f", x=x)


def check_matrix(judge):
    """Each cell of tests by mutants."""
    for test in judge.tests:
        x = test_input(judge, test)
        row = judge.matrix[test["id"]]
        for mutant in judge.mutants:
            core, cell = mutant["core"], row[mutant["id"]]
            if core is None:
                continue
            if cell == "KO":
                judge.count["kills"] += 1
                confirmed = judge.kill(core, x)
                judge.count["kills not settled"] += confirmed is None
                if confirmed is False:
                    judge.say(f"KO of {test['id']} is not confirmed", mutant, x)
                if mutant["status"] != "killed":
                    judge.say(f"KO of {test['id']}, which the status does not know of", mutant, x)
            elif cell == "PROBABLE" and judge.reaches(core, x) is False:
                judge.say(f"PROBABLE of {test['id']} reaches less than 1000 r beyond", mutant, x)
            elif cell == "OK":
                check_ok(judge, mutant, test, x)


def check_ok(judge, mutant, test, x):
    """Every result that is valid for the mutant is valid for the specification."""
    judge.count["OK cells"] += 1
    if test["lo"] is None or mutant["core"].body == judge.core.body and mutant["operator"] == "bounds":
        if judge.kill(mutant["core"], x) is True:
            judge.say(f"OK of {test['id']}, which tells it", mutant, x)
        return
    if judge.defined(mutant["core"], x) is False:
        judge.say(f"OK of {test['id']}, where it has no value", mutant, x)
    inside = judge.settle_pair(within, judge.core, mutant["core"], x)
    if inside is False:
        judge.say(f"OK of {test['id']}, where it reaches beyond the specification", mutant, x)


def check_status(judge, mutant):
    """The status, by all inputs."""
    core, status = mutant["core"], mutant["status"]
    if status == "killed":
        killers = [t for t, row in judge.matrix.items() if row[mutant["id"]] == "KO"]
        if mutant["killed_by"] not in killers[:1]:
            judge.say("killed by no test of the matrix, or not first by the one that is named", mutant)
    elif status in ("equivalent", "indistinguishable"):
        judge.count["proofs"] += 1
        refute(judge, mutant)
    elif status == "undecided" and mutant["operator"] != "accuracy":
        found = {judge.kill(core, x) for x in judge.domain if judge.oracle(x) not in (None, (None, None))}
        which = "a test exists" if True in found else "open" if None in found else "there is no test in D"
        judge.count[f"undecided: {which}"] += 1


def refute(judge, mutant):
    """Looks for an input at which a proof is wrong."""
    core = mutant["core"]
    if mutant["operator"] == "accuracy":
        for x in judge.domain:
            if judge.reaches(core, x) is True:
                return judge.say("the larger bound reaches further than 1000 r beyond", mutant, x)
        return None
    inputs = judge.domain
    if mutant["operator"] == "bounds":
        inputs = [*inputs, *beyond(judge, mutant)]
    for x in inputs:
        judge.count["inputs looked at for proofs"] += 1
        if judge.kill(core, x) is True and can_be_test(judge, mutant, x):
            return judge.say("an input tells it", mutant, x)
        if mutant["status"] == "equivalent" and mutant["operator"] != "bounds":
            both = judge.defined(judge.core, x) and judge.defined(core, x)
            if both and judge.settle_pair(same, judge.core, core, x) is False:
                return judge.say("another value", mutant, x)
    return None


def can_be_test(judge, mutant, x):
    """For there to be a test inside of the domain, a number of the format must be valid: without one a mutant is not the same
    function, but it is indistinguishable. A change of the domain needs no other function."""
    is_told = mutant["operator"] == "bounds" or mutant["status"] == "indistinguishable"
    if not is_told or judge.inside(judge.core, x) is not True:
        return True
    return judge.oracle(x) != (None, None)


def beyond(judge, mutant):
    """Inputs just outside of the specification's range and of the mutant's: what a change of a range can add."""
    found = []
    columns = [sorted({x[k] for x in judge.inputs}) for k in range(len(judge.core.names))]
    if not all(columns):
        return found
    for k, name in enumerate(judge.core.formats):
        outer = []
        for end, up in ((columns[k][0], False), (columns[k][-1], True)):
            for _ in range(3):
                end = step(end, up, name) if end is not None else None
                if end is not None:
                    outer.append(end)
        for v in outer:
            for base in judge.inputs[:: max(1, len(judge.inputs) // 6)]:
                x = (*base[:k], v, *base[k + 1 :])
                if judge.inside(judge.core, x) is False:
                    found.append(x)
    return found


COVER = re.compile(r"\|f - g\| is at most (\S+) times the sum of the tolerances")
BOUNDED = re.compile(r"\|f\| is (less than|at most) (\S+) on the domain")
MISS = re.compile(r"nearest miss: (.*?)\|f - g\| is (\S+) times the sum of the tolerances at (.*?)(?:;|$)", re.M)


def ratio_at_most(judge, core, x, bound):
    """Whether |f - g| <= bound (t_f + t_g) at x: False if surely not."""
    return judge.settle_pair(ratio_within(bound), judge.core, core, x)


def check_text(judge, mutant, text):
    """The numbers in a proof or a reason."""
    for bound in COVER.findall(text):
        judge.count["printed bounds"] += 1
        for x in judge.domain:
            if judge.kill(mutant["core"], x) is False and judge.defined(mutant["core"], x) and ratio_at_most(judge, mutant["core"], x, bound) is False:
                judge.say(f"|f - g| is more than {bound} times the tolerances", mutant, x)
                break
    for relation, bound in BOUNDED.findall(text):
        judge.count["printed bounds"] += 1
        limit = rational(Fraction(bound))
        for x in judge.domain:
            def ask(bits):
                value = judge.view(judge.core, x, bits).value
                size = abs(plain(value)) if isinstance(value, Num) else None
                if size is None:
                    return None
                good, bad = ("<", "<=") if relation == "less than" else ("<=", "<")
                return True if surely(good, size, limit) else False if surely(bad, limit, size) else None

            if judge.settle(ask) is False:
                judge.say(f"|f| is not {relation} {bound}", mutant, x)
                break
    for doubt, ratio, at in MISS.findall(text):
        if doubt:
            continue
        judge.count["near misses"] += 1
        check_miss(judge, mutant, ratio, at)


def check_miss(judge, mutant, ratio, at):
    """A near miss, printed to three digits or so."""
    given = dict(part.split(" = ") for part in at.split(", "))
    x = tuple(rational(float.fromhex(given[n].split()[0])) for n in judge.core.names)
    if judge.inside(judge.core, x) is not True:
        judge.count["near misses outside the precondition"] += 1
        return
    size = Fraction(ratio) if ratio not in ("inf", "NaN") else None
    if size is None or judge.defined(mutant["core"], x) is not True or judge.defined(judge.core, x) is not True:
        return
    # Printed to three decimals, or to three digits where small; computed in binary64, which may see an ulp twice as
    # large or half as large next to a power of two.
    room = Fraction(51, 100_000) if size >= Fraction(1, 1000) or size == 0 else size / 100
    factor = Fraction(202, 100) if judge.core.accuracy[2] else Fraction(101, 100)
    low, high = max(size / factor - room, Fraction(0)), size * factor + room
    if ratio_at_most(judge, mutant["core"], x, high) is False:
        judge.say(f"a near miss is larger than {ratio}", mutant, x)
    elif low > 0 and ratio_at_most(judge, mutant["core"], x, low) is True:
        judge.say(f"a near miss is smaller than {ratio}", mutant, x)


def check_relations(judge, mutant):
    """Mutants that are the same function, and mutants that stand for others."""
    by_id = {m["id"]: m for m in judge.mutants}
    if mutant["same_as"]:
        other = by_id[mutant["same_as"]]
        if other["core"] is not None:
            judge.count["same functions"] += 1
            for x in judge.domain:
                f, g = judge.defined(other["core"], x), judge.defined(mutant["core"], x)
                if None not in (f, g) and f != g:
                    judge.say(f"not the same as {other['id']}: only one has a value", mutant, x)
                    break
                if f and g:
                    if judge.settle_pair(same, other["core"], mutant["core"], x) is False:
                        judge.say(f"not the same as {other['id']}", mutant, x)
                        break
    if mutant["subsumed_by"]:
        tests = lambda m: {t for t, row in judge.matrix.items() if row[m["id"]] == "KO"}
        stands = tests(by_id[mutant["subsumed_by"]])
        if not stands or not stands <= tests(mutant):
            judge.say(f"{mutant['subsumed_by']} does not stand for it", mutant)


def check_summary(judge):
    """The counts, and the constant that passes every test inside the domain, where one is named or there is one."""
    inside = [(float.fromhex(t["lo"]), float.fromhex(t["hi"])) for t in judge.tests if t["lo"] is not None]
    constant, low, high = judge.summary.get("constant"), max(inside, default=(1, 0))[0], min((e[1] for e in inside), default=0)
    if constant is not None:
        judge.count["constants that pass"] += 1
        if constant["tests"] != len(inside) or not low <= float(constant["value"]) <= high:
            judge.say(f"the constant {constant['value']} does not pass {constant['tests']} of {len(inside)} tests")
    elif low <= high and all(t.get("inner_lo") is None for t in judge.tests):
        judge.say(f"the constant {low} passes all tests, and the summary does not say so")
    scores = judge.summary["scores"]
    for status in ("killed", "probable", "equivalent", "indistinguishable", "undecided", "accepted"):
        if scores[status] != sum(m["status"] == status for m in judge.mutants):
            judge.say(f"the summary counts {scores[status]} mutants as {status}")
    exempt = ("equivalent", "indistinguishable", "accepted")
    counted = [m for m in judge.mutants if m["operator"] != "accuracy" and m["status"] not in exempt]
    rigorous = scores["rigorous"]
    if (rigorous["part"], rigorous["whole"]) != (scores["killed"], len(counted)):
        judge.say(f"the rigorous score is {rigorous['part']} of {rigorous['whole']}")
