"""What goes wrong."""

from __future__ import annotations

from typing import NamedTuple, Optional, Sequence


class Problem(NamedTuple):
    """One mistake in a specification or a script."""

    message: str
    """What is wrong, a sentence without a full stop."""
    file: str
    """The file, ``<text>``, ``<formula>`` or ``<script>``; empty for an option."""
    line: int
    """The line, from 1; 0 where there is no place."""
    column: int
    """The column in characters, from 1; 0 where there is no place."""
    hint: Optional[str]
    """What may help."""
    text: str
    """All of it as a person reads it, with the line of the file."""


class Refusal(ValueError):
    """What is given cannot be read, or has no meaning. ``file``, ``line``, ``column``, ``hint`` and ``message`` are those of the
    first of its ``problems``."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(p.text for p in problems))
        self.problems = list(problems)

    @property
    def message(self) -> str:
        return self.problems[0].message

    @property
    def file(self) -> str:
        return self.problems[0].file

    @property
    def line(self) -> int:
        return self.problems[0].line

    @property
    def column(self) -> int:
        return self.problems[0].column

    @property
    def hint(self) -> Optional[str]:
        return self.problems[0].hint


class SpecificationError(Refusal):
    """A specification cannot be read, or has no meaning."""


class ScriptError(Refusal):
    """A script of SMT-LIB cannot be read, or has no meaning."""


class FunctionError(TypeError):
    """A function cannot be called with the inputs of a specification."""
