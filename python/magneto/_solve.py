"""Scripts of SMT-LIB."""

from __future__ import annotations

import json
import math
import os
import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Union

from . import _magneto
from ._errors import Problem, ScriptError

Value = Union[bool, int, float, str]
"""A value of a model: bits are an ``int``, a float that is a number of binary64 a ``float``; what else there is stands as SMT-LIB
writes it."""

_FLOAT = re.compile(r"\(fp #b([01]) #b([01]+) #b([01]+)\)")
_NAMED = {"NaN": math.nan, "+oo": math.inf, "-oo": -math.inf}


class Answer(NamedTuple):
    """What one ``(check-sat)`` is answered."""

    status: str
    """``sat``, ``unsat`` or ``unknown``."""
    model: Dict[str, Value]
    """The values of the declared constants where it is ``sat``."""
    reason: Optional[str]
    """Why it is ``unknown``, or a proof is not confirmed: ``incomplete``, ``timeout``, ``memout``, ``interrupted``."""
    confirmed: Optional[bool]
    """Whether a proof was confirmed, where it was looked at again."""


class Answers(NamedTuple):
    """What a script is answered."""

    answers: List[Answer]
    """Those to every ``(check-sat)``, in order."""
    output: str
    """What the commands of the script print."""

    @property
    def last(self) -> Answer:
        """The answer to the last ``(check-sat)``."""
        if not self.answers:
            raise ValueError("the script has no (check-sat)")
        return self.answers[-1]


def solve(
    script: Union[str, "os.PathLike[str]"],
    *,
    budget: int = 200_000,
    check: bool = False,
    timeout: Optional[float] = None,
    memory: int = 4096,
) -> Answers:
    """Answers a script of SMT-LIB, a text or the path of a file, as ``magneto solve`` does. A text without a bracket is a path.

    ``budget`` is the number of parts of the values that are looked at for each ``(check-sat)``, at most; ``check`` looks at every
    proof again; ``timeout`` is in seconds, ``memory`` in MiB.

    Raises :class:`ScriptError`, with line, column and hint.
    """
    if isinstance(script, os.PathLike) or "(" not in script:
        with open(script, encoding="utf-8") as file:
            script = file.read()
    try:
        output, checks = _magneto.solve(script, budget, check, timeout, memory)
    except _magneto.Refused as error:
        raise ScriptError([Problem(*problem) for problem in error.args[0]]) from None
    return Answers([_answer(row) for row in json.loads(checks)], output)


def _answer(row: Mapping[str, Any]) -> Answer:
    again = row["confirmation"]
    confirmed = None if again is None else again in ("laws", "gates", "solver") or "confirmed" in again
    model = {name: _value(text) for name, text in row["model"]}
    return Answer(row["status"], model, row.get("reason"), confirmed)


def _value(text: str) -> Value:
    """A value as SMT-LIB writes it."""
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("#b"):
        return int(text[2:], 2)
    words = text.strip("()").split()
    if words[:1] == ["_"] and len(words) == 4 and words[1] in _NAMED:
        return _NAMED[words[1]]
    parts = _FLOAT.fullmatch(text)
    if parts is None or len(parts[2]) > 11 or len(parts[3]) > 52:
        return text
    exponent, fraction = int(parts[2], 2), int(parts[3], 2)
    bias = 2 ** (len(parts[2]) - 1) - 1
    if exponent:
        fraction += 2 ** len(parts[3])
    size = math.ldexp(fraction, max(exponent, 1) - bias - len(parts[3]))
    return -size if parts[1] == "1" else size
