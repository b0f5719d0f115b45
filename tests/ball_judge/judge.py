"""Judges what a run of `magneto gen` says of one specification, by looking at all inputs."""

import csv
import json
from collections import Counter

from magneto_verify.calls import Calls
from magneto_verify.folder import verdicts
from magneto_verify.fpcore import Core, Graph, cores
from magneto_verify.texts import trees
from magneto_verify.points import Points

# Operators whose mutants are specifications themselves.
REAL = {"accuracy", "bounds", "add", "delete", "constant", "variable", "unary", "binary"}


class Judge(Points):
    """One specification, the last of a text, with the run that is judged."""

    def __init__(self, text, values, most_bits=5000):
        graph = Graph()
        at = text.rindex("(FPCore")
        tree = Calls(text[:at]).written_out(trees(text[at:])[0])
        super().__init__(graph, Core(graph, tree), most_bits)
        self.count = Counter()
        self.wrong = []
        self.mutants, self.tests, self.matrix, self.summary = [], [], {}, {}
        self.inputs = self.all_inputs(values)
        self.domain = [x for x in self.inputs if self.in_domain(x)]

    def read(self, folder):
        """Reads a run."""
        self.mutants = list(csv.DictReader(open(folder / "mutants.csv", newline="")))
        self.tests = json.load(open(folder / "tests.json"))["tests"]
        ids = [m["id"] for m in self.mutants]
        rows = csv.DictReader(open(folder / "matrix.csv", newline=""))
        self.matrix = {row["test_id"]: dict(zip(ids, verdicts(row["verdicts"]), strict=True)) for row in rows}
        self.summary = json.load(open(folder / "summary.json"))
        # Of a program those in other orders of evaluation are programs as it is one.
        real = REAL | {"evaluation"} if self.core.is_program else REAL
        whole = json.load(open(folder / "mutants.json"))["mutants"]
        for m, written in zip(self.mutants, whole, strict=True):
            assert m["id"] == written["id"]
            m["core"] = cores(self.graph, written["fpcore"])[0] if m["operator"] in real else None

    def all_inputs(self, values):
        """Every combination."""
        combined = [()]
        for column in values:
            combined = [(*x, v) for x in combined for v in column]
        return combined

    def say(self, what, mutant=None, x=None):
        """Records a claim that does not hold."""
        at = "" if x is None else f" at {self.told(x)}"
        of = ""
        if mutant is not None:
            m = mutant
            of = f"{m['id']} ({m['operator']}: {m['before']} -> {m['after']}, {m['status']}): "
        self.wrong.append(f"{of}{what}{at}")
