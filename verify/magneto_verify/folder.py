"""Reads what a run of `magneto gen` says of one specification."""

import csv
import hashlib
import json
import re
from functools import cached_property

from .calls import Calls
from .formats import is_value, rational
from .fpcore import MALFORMED, Core, Graph, is_list, sizes_of
from .texts import Unreadable, number, trees

# A proof over long sums takes more than the 128 KB that the module allows.
csv.field_size_limit(1 << 30)

# The letters of `matrix.csv`.
WORDS = {"K": "KO", "P": "PROBABLE", "O": "OK", "U": "UNCERTAIN"}


# A number that is spelled by its digits.
DIGITS = r"[(\[]\s*digits\s[^()\[\]]*[)\]]"


def number_of(text):
    """The number that a word or `(digits m e b)` spells; None if it spells none."""
    if text[0] not in "([":
        return number(text)
    parts = [number(part) for part in text[1:-1].split()[1:]]
    return None if None in parts or len(parts) != 3 else parts[0] * parts[2] ** int(parts[1])


def verdicts(code):
    """The cells of a row of `matrix.csv`, in the order of the mutants."""
    return [WORDS[letter] for count, letter in re.findall("([0-9]*)(.)", code) for _ in range(int(count or 1))]


def folders(path):
    """The folders of specifications in a folder of results, and what is wrong between them."""
    if (path / "manifest.json").is_file():
        return [path], []
    if not (path / "summary.json").is_file():
        raise Unreadable(f"{path} is no folder of `magneto gen`: it has no manifest.json and no summary.json")
    entries = json.loads((path / "summary.json").read_text()).get("specifications", [])
    wrong = [e["folder"] for e in entries if sha256(path / e["folder"] / "manifest.json") != e["manifest"]]
    return [path / e["folder"] for e in entries], wrong


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


class Folder:
    """The files of a run over one specification, with its functions in one graph."""

    def __init__(self, path):
        self.path, self.graph, self.starts = path, Graph(), None
        self.manifest = self.json("manifest.json")
        self.specification = self.manifest["specification"]
        text = self.specification["core"]
        try:
            self.core = Core(self.graph, next(iter(trees(text)), None))
        except Unreadable as e:
            raise Unreadable(f"{path / 'manifest.json'}: the specification: {e}") from e
        self.tests = self.json("tests.json")["tests"]
        self.mutants = self.json("mutants.json")["mutants"]
        self.summary = self.json("summary.json")
        self.options = {o["name"]: o["value"] for o in self.manifest["options"]}
        self.libm_ulps = float(self.options.get("libm-ulps") or 1)
        self.source = (path / "source.fpcore").read_bytes()
        ids = [m["id"] for m in self.mutants]
        self.matrix = {row["test_id"]: dict(zip(ids, verdicts(row["verdicts"]), strict=True)) for row in self.table("matrix.csv")}
        for test in self.tests:
            test["point"] = tuple(rational(float.fromhex(test["inputs"][n])) for n in self.core.names)
        for m in self.mutants:
            try:
                m["core"] = Core(self.graph, trees(m.get("fpcore") or spliced(text, m["changes"]), 1)[0])
            except Unreadable as e:
                m["core"], m["unreadable"] = None, str(e)
        # Those whose FPCore is followed.
        self.readable = [m for m in self.mutants if m["core"]]

    def json(self, name):
        try:
            return json.loads((self.path / name).read_text())
        except (OSError, ValueError) as e:
            raise Unreadable(f"{self.path / name}: {e}") from e

    def table(self, name):
        with open(self.path / name, newline="") as file:
            return list(csv.DictReader(file))

    def stated(self):
        """The specification as its file states it: the FPCore at its place, with what it calls."""
        return self.sized(self.stated_tree, self.place())

    @cached_property
    def calls(self):
        """What stands before the specification in its file, and can be called."""
        return Calls(self.source.decode()[: self.offset(self.specification["line"], self.specification["column"])])

    @cached_property
    def stated_tree(self):
        """The FPCore at the specification's place in its file, in the format that an option gives it."""
        return self.converted(trees(self.source.decode()[self.offset(self.specification["line"], self.specification["column"]):], 1)[0])

    def converted(self, tree):
        """An FPCore with the `:precision` that an option says."""
        given = self.options.get("convert")
        if not given:
            return tree
        head = 2 if is_list(tree[1]) else 3
        rest = iter(tree[head:-1])
        kept = [part for key, value in zip(rest, rest) if key != ":precision" for part in (key, value)]
        return [*tree[:head], *kept, ":precision", trees(given)[0], tree[-1]]

    @cached_property
    def sizes(self):
        """The numbers that the run had for names of the sizes of arrays."""
        return sizes_of(self.stated_tree, trees(self.specification["core"])[0])

    def sized(self, tree, place):
        """The core of a text of the specification's file, with these sizes."""
        return Core(self.graph, self.calls.written_out(tree), place, self.sizes)

    def place(self):
        """Which of the results of the stated FPCore the specification is about, and how many there are."""
        # Who writes the property himself has written one result.
        is_own = ":magneto-result" in self.stated_tree
        return (0, 1) if is_own else tuple(map(int, self.core.properties.get(":magneto-result", ("0", "1"))))

    def expression(self, text):
        """The node of an expression over the inputs."""
        return self.graph.build(trees(text)[0], self.core.scope)

    def changed(self, mutant):
        """The bodies that the specification has with `after` in place of what is at the mutant's place, or of every number
        that is spelled so, from the start or from that place on."""
        text, place = self.source.decode(), self.offset
        start, end = place(mutant["line"], mutant["column"]), place(mutant["end_line"], mutant["end_column"])
        at = place(self.specification["line"], self.specification["column"])
        before, after = mutant["before"], mutant["after"]
        # The name of a size stands for its number.
        spelled = text[start:end] if text[start:end] in self.sizes else before
        word = r"(?<![^\s()\[\]])" + re.escape(spelled) + r"(?![^\s()\[\]])"
        all_of = lambda part: re.sub(word, lambda _: after, part)
        # Equal numbers are one constant, however each is spelled.
        is_constant = mutant["operator"] == "constant"
        if is_constant and number(spelled) is not None:
            same = lambda found: after if number_of(found[0]) == number(spelled) else found[0]
            all_of = lambda part: re.sub(DIGITS + r"|(?<![^\s()\[\]])[-+.\d][^\s()\[\]\";]*", same, part)
        if text[start:end] in ("saturate", "wrap"):
            # A part of the specification as it is printed, with its overflow written out, is another.
            core = self.specification["core"]
            cores = [core[: m.start()] + after + core[m.end() :] for m in re.finditer(word, core)]
        else:
            cores = [text[at:start] + after + text[end:], all_of(text[at:]), text[at:start] + all_of(text[start:])]
        parsed = lambda whole: self.converted(trees(whole, 1)[0])
        candidates = [lambda whole=whole: [parsed(whole)] for whole in cores]
        # A constant is changed in what is called as well; any other change is at one place.
        if is_constant:
            candidates.append(lambda: [Calls(all_of(text[:at])).written_out(parsed(all_of(text[at:])))])
        if start < at:
            candidates.append(lambda: self.calls.changes(self.stated_tree, start, end, after, is_constant))
        for candidate in candidates:
            try:
                for tree in candidate():
                    yield from self.bodies(tree)
            except MALFORMED:
                pass

    def bodies(self, tree):
        """What a tree of the specification's place may mean: what is printed of a loop around several results has the one that is meant alone."""
        for place in {self.place(), (0, 1)}:
            try:
                yield self.sized(tree, place).body
            except MALFORMED:
                pass

    def offset(self, line, column):
        """Where a line and a column, both from 1, are in the specification's file."""
        if self.starts is None:
            lengths = [len(text) + 1 for text in self.source.decode().split("\n")]
            self.starts = [sum(lengths[:k]) for k in range(len(lengths))]
        return self.starts[line - 1] + column - 1

    def wrong_files(self):
        """Files whose hash is not the manifest's."""
        return [n for n, h in self.manifest["files"].items() if sha256(self.path / n) != h]

    def wrong_tables(self):
        """What the tables say that the documents do not."""
        wrong = []
        columns = {i["name"]: i["column"] for i in self.specification["inputs"]}
        rows = self.table("tests.csv")
        if [r["test_id"] for r in rows] != [t["id"] for t in self.tests] or list(self.matrix) != [t["id"] for t in self.tests]:
            wrong.append("tests.csv or matrix.csv has other tests than tests.json")
        for row, test in zip(rows, self.tests):
            cells = {c: test["inputs"][n] for n, c in columns.items()}
            cells |= {k: test.get(k) or "" for k in ("lo", "hi", "expected", "inner_lo", "inner_hi")}
            cells["kills"] = str(sum(v == "KO" for v in self.matrix[test["id"]].values()))
            wrong += [f"{test['id']}: {k} is {row[k]!r} in tests.csv, not {v!r}" for k, v in cells.items() if row[k] != v]
        rows = self.table("mutants.csv")
        if [r["id"] for r in rows] != [m["id"] for m in self.mutants]:
            wrong.append("mutants.csv has other mutants than mutants.json")
        for row, m in zip(rows, self.mutants):
            keys = ("operator", "status", "killed_by", "same_as", "subsumed_by", "proof", "fpcore")
            wrong += [f"{m['id']}: {k} differs in mutants.csv" for k in keys if k in row and plain(row[k]) != plain(m.get(k) or "")]
        return wrong

    def is_input(self, x):
        """Whether each number is one of its format."""
        return all(is_value(v, f) for v, f in zip(x, self.core.formats))


def plain(text):
    """A cell's text without what keeps a spreadsheet from running it."""
    return text.lstrip("'")


def spliced(text, changes):
    """A text with parts of its bytes replaced."""
    data, done, at = text.encode(), b"", 0
    for c in changes:
        done += data[at : c["from"]] + c["with"].encode()
        at = c["to"]
    return (done + data[at:]).decode()
