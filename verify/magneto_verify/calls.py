"""Calls of earlier FPCores, written out as `let`s of their arguments."""

import re
from itertools import count
from typing import NamedTuple

from .fpcore import spelled_argument
from .texts import number, trees


class Callee(NamedTuple):
    """An FPCore that later ones may call: where its text begins, its parameters with their sizes, and its body."""

    at: int
    name: str
    parameters: list
    body: object


class Calls:
    """The FPCores of a text that one behind it may call."""

    def __init__(self, text):
        self.text = text
        self.known = []
        for match in re.finditer(r"\(\s*FPCore(?=\s)", text):
            try:
                tree = trees(text[match.start() :], 1)[0]
                if isinstance(tree[1], str):
                    parameters = [(own, sizes) for _, sizes, own in map(spelled_argument, tree[2])]
                    self.known.append(Callee(match.start(), tree[1], parameters, tree[-1]))
            except (ValueError, IndexError, TypeError, AttributeError):
                # What is wrong there plays no part here.
                pass

    def callee(self, name, before):
        """The last FPCore of a name whose text begins before that place."""
        return next((c for c in reversed(self.known) if c.name == name and c.at < before), None)

    def written_out(self, core, changed=None, which=None):
        """An FPCore's tree without calls. Of the calls of the one at the place `changed[0]` that of number `which`, from 0, gets the
        body `changed[1]`; with None all of them do."""
        numbers = count()

        def walk(tree, before):
            if not isinstance(tree, list) or not tree:
                return tree
            if isinstance(tree[0], list):
                # Variables, each with what it is bound to.
                return [[own, *(walk(value, before) for value in values)] for own, *values in tree]
            given = [walk(part, before) for part in tree[1:]]
            callee = self.callee(tree[0], before)
            if callee is None:
                return [tree[0], *given]
            body = callee.body
            if changed and callee.at == changed[0] and which in (None, next(numbers)):
                body = changed[1]
            if len(callee.parameters) != len(given):
                raise ValueError(f"{tree[0]} takes {len(callee.parameters)} arguments")
            body = walk(body, callee.at)
            # A size that is a name is that of the array which is given.
            sizes = {}
            for own, spelled in callee.parameters:
                for axis, size in enumerate(spelled):
                    if number(size) is None:
                        sizes.setdefault(size, ["size", own, str(axis)])
            if sizes:
                body = ["let", [[name, of] for name, of in sizes.items()], body]
            return ["let", [[own, value] for (own, _), value in zip(callee.parameters, given)], body] if given else body

        end = len(self.text) + 1
        tree = list(core)
        for k in range(1, len(tree) - 1):
            if tree[k] == ":pre":
                tree[k + 1] = walk(tree[k + 1], end)
        tree[-1] = walk(tree[-1], end)
        return tree

    def changes(self, core, start, end, after, is_of_all):
        """The trees that an FPCore becomes where `after` stands in place of a part of another one, in one call of that; with `is_of_all`
        in all of them, too."""
        around = [callee.at for callee in self.known if callee.at <= start]
        if not around:
            return
        at = max(around)
        body = trees(self.text[at:start] + after + self.text[end:], 1)[0][-1]
        unchanged = self.written_out(core)
        if is_of_all:
            yield self.written_out(core, (at, body))
        for which in count():
            tree = self.written_out(core, (at, body), which)
            if tree == unchanged:
                break
            yield tree
