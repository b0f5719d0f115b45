"""What comes of tests and searches."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, overload

from ._calls import numpy_module

Inputs = Dict[str, float]


def number(text: Optional[str]) -> Optional[float]:
    return None if text is None else float.fromhex(text)


def _column(values: Sequence[float]) -> Any:
    numpy = numpy_module()
    return list(values) if numpy is None else numpy.array(values, dtype="float64")


@dataclass(frozen=True)
class Test:
    """One test: an input, and what a function owes there."""

    __test__ = False  # For pytest, which collects classes of this name.

    id: str
    inputs: Inputs
    """The input by name; an exact value of its format."""
    lo: Optional[float]
    """The smallest result that is right; None outside of the domain."""
    hi: Optional[float]
    """The largest result that is right; None outside of the domain."""
    expected: Optional[float]
    """The number nearest to the exact value; None outside of the domain."""
    owed: str
    """``result``; outside of the domain ``reject``, ``nan``, ``saturate`` or ``any``."""
    reason: str
    """Why the test is there."""
    origin: str
    """The step of the search that found it."""
    kills: int
    """How many wrong versions of the specification it tells from the right one."""


class Tests(Sequence[Test]):
    """The tests of a specification. With numpy the columns are arrays, else lists; where a test has no number it is NaN."""

    __test__ = False

    def __init__(self, tests: Sequence[Test], names: Sequence[str]) -> None:
        self._tests = list(tests)
        self._names = list(names)

    @overload
    def __getitem__(self, place: int) -> Test: ...
    @overload
    def __getitem__(self, place: slice) -> "Tests": ...
    def __getitem__(self, place: Union[int, slice]) -> Union[Test, "Tests"]:
        return Tests(self._tests[place], self._names) if isinstance(place, slice) else self._tests[place]

    def __len__(self) -> int:
        return len(self._tests)

    def __iter__(self) -> Iterator[Test]:
        return iter(self._tests)

    @property
    def inputs(self) -> Dict[str, Any]:
        """For each input, by name, its values in all tests."""
        return {name: _column([t.inputs[name] for t in self._tests]) for name in self._names}

    @property
    def lo(self) -> Any:
        """The smallest right results."""
        return self._ends([t.lo for t in self._tests])

    @property
    def hi(self) -> Any:
        """The largest right results."""
        return self._ends([t.hi for t in self._tests])

    @property
    def expected(self) -> Any:
        """The numbers nearest to the exact values."""
        return self._ends([t.expected for t in self._tests])

    @staticmethod
    def _ends(values: Sequence[Optional[float]]) -> Any:
        return _column([float("nan") if v is None else v for v in values])

    def __repr__(self) -> str:
        return f"<{len(self)} tests of {', '.join(self._names)}>"


@dataclass(frozen=True)
class Oracle:
    """What is known of the exact value at an input, and which results are right there. Of arrays of inputs all are arrays."""

    lo: Any
    """At most the exact value; NaN where there is none."""
    hi: Any
    """At least the exact value."""
    accepted_lo: Any
    """The smallest result of the format that is right."""
    accepted_hi: Any
    """The largest result of the format that is right."""
    nearest: Any
    """The number of the format that is nearest to the exact value."""
    state: Any
    """``decided``; ``capped`` where results at the ends are in doubt; ``unsatisfiable`` where no number is right; ``outside`` of
    the domain; ``undefined`` or ``unsettled`` where the formula has no value or that is not known."""


@dataclass(frozen=True)
class Result:
    """What a function did at one test."""

    id: str
    inputs: Inputs
    verdict: str
    """``OK``, ``KO`` or ``UNCERTAIN``."""
    counts: bool
    """Whether a verdict that is not OK fails the check: outside of the domain only where the specification says what is owed."""
    answer: str
    """``result``, ``reject`` or ``crash``."""
    result: Optional[float]
    """The result, if it is a number."""
    lo: Optional[float]
    """The smallest right result."""
    hi: Optional[float]
    """The largest right result."""
    error_in_bounds: Optional[float]
    """How far the result is off, in units of what the accuracy allows."""
    error_in_ulps: Optional[float]
    """How far the result is off, in units in the last place."""
    reason: str
    """Why the verdict is what it is."""


@dataclass(frozen=True)
class Cause:
    """A likely cause of failures: a wrong version of the specification that gives the same results."""

    text: str
    """What the results match, a part of a sentence."""
    mistake: Optional[str]
    """The class of mistake, such as ``constant``."""
    explains_all: bool
    """Whether it explains every failure and every other result."""
    failures: int
    """How many failures it explains."""
    results: int
    """How many results it explains."""


class Report:
    """What a check of a function found. ``str()`` of it is what a person reads."""

    def __init__(self, document: Mapping[str, Any], text: str, verbose: str, notes: Sequence[str]) -> None:
        self.document: Mapping[str, Any] = document
        """All of it, as ``magneto check --json`` prints it."""
        notes_text = "".join(f"note: {note}\n" for note in notes)
        self.text: str = text + notes_text
        """What a person reads: the worst failures and the likely causes."""
        self.verbose: str = verbose + notes_text
        """The same with all failures."""
        self.notes: List[str] = list(notes)
        """What was noticed of how the function is called."""
        self.results: List[Result] = [_result(t, document["robustness_counts"]) for t in document["tests"]]
        """All tests in their order."""
        causes = [(c, True) for c in document["causes"]] + [(c, False) for c in document["partial_causes"]]
        self.causes: List[Cause] = [
            Cause(c["matches"], c["class"], whole, c["failures"], c["results"]) for c, whole in causes
        ]
        """Likely causes, the best first."""
        self.facts: List[str] = list(document["facts"])
        """What the results have in common besides."""

    @property
    def ok(self) -> bool:
        """Whether every test that counts is OK. It says nothing of other inputs."""
        return all(r.verdict == "OK" for r in self.results if r.counts)

    @property
    def verdict(self) -> str:
        """The worst verdict that counts: ``OK``, ``KO`` or ``UNCERTAIN``."""
        found = {r.verdict for r in self.results if r.counts}
        return next((v for v in ("KO", "UNCERTAIN") if v in found), "OK")

    @property
    def failures(self) -> List[Result]:
        """The tests that fail the check, the worst first: no number at all is worse than any."""
        failed = [r for r in self.results if r.counts and r.verdict == "KO"]
        off = [float("inf") if r.error_in_bounds is None else r.error_in_bounds for r in failed]
        return [r for _, r in sorted(zip(off, failed), key=lambda pair: -pair[0])]

    @property
    def summary(self) -> str:
        """One line: how many tests failed, and the worst of them."""
        failures, all_tests = self.failures, len(self.results)
        if not failures:
            return f"{self.verdict}: none of {all_tests} tests failed"
        worst = failures[0]
        at = ", ".join(f"{name} = {value!r}" for name, value in worst.inputs.items())
        owed = "" if worst.lo is None else f", and {_ends(worst.lo, worst.hi)} is owed"
        came = worst.reason if worst.result is None else f"{worst.result!r} was returned"
        return f"KO: {len(failures)} of {all_tests} tests failed; at {at} {came}{owed}"

    def __bool__(self) -> bool:
        """``ok``, so that ``assert spec.check(f)`` is a test."""
        return self.ok

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.verdict}: {len(self.failures)} of {len(self.results)} tests failed>"


def _ends(lo: Optional[float], hi: Optional[float]) -> str:
    return repr(lo) if lo == hi else f"{lo!r} to {hi!r}"


def _named(fields: Mapping[str, str]) -> Inputs:
    return {name: float.fromhex(text) for name, text in fields.items()}


def _decimal(text: Optional[str]) -> Optional[float]:
    return None if text is None else float(text)


def _result(test: Mapping[str, Any], robustness_counts: bool) -> Result:
    return Result(
        id=test["id"],
        inputs=_named(test["inputs"]),
        verdict=test["verdict"],
        counts=robustness_counts or not test["robustness"],
        answer=test["answer"],
        result=number(test["result"]),
        lo=number(test["lo"]),
        hi=number(test["hi"]),
        error_in_bounds=_decimal(test["error_in_bounds"]),
        error_in_ulps=_decimal(test["error_in_ulps"]),
        reason=test["reason"],
    )


@dataclass(frozen=True)
class Largest:
    """The largest error in a part of the domain."""

    inputs: Inputs
    result: float
    lo: Optional[float]
    """The smallest right result."""
    hi: Optional[float]
    """The largest right result."""
    error_in_bounds: float
    """In units of what the accuracy allows."""
    error_in_ulps: float
    """In units in the last place of the exact value."""


@dataclass(frozen=True)
class Counts:
    """How the results at all inputs of a domain were judged."""

    inputs: int
    """The combinations of the inputs' numbers in their ranges."""
    owed: int
    """Those in the domain, where a result is owed."""
    ok: int
    """Results surely within the accuracy."""
    ko: int
    """Results surely outside of it, and what is no result."""
    uncertain: int
    """Results that could not be judged."""


class Worst:
    """What a search for the worst input found, or a look at all of them. ``str()`` of it is what a person reads."""

    def __init__(self, document: Mapping[str, Any], text: str, notes: Sequence[str]) -> None:
        self.document: Mapping[str, Any] = document
        """All of it, as ``magneto worst --json`` prints it."""
        self.text: str = text + "".join(f"note: {note}\n" for note in notes)
        self.evaluations: int = document["evaluations"]
        """How often the function was asked for a result."""
        self.parts: List[Largest] = [_largest(p) for p in document["parts"]]
        """The largest error of each part of the domain, the largest first."""
        self.findings: List[Tuple[Inputs, str]] = [(_named(f["input"]), f["what"]) for f in document["findings"]]
        """Inputs with no finite result where one is owed, the first of each kind, and what happened there."""
        all_inputs = document.get("exhaustive")
        self.exhaustive: Optional[Counts] = (
            Counts(**{f.name: all_inputs[f.name] for f in fields(Counts)}) if all_inputs else None
        )
        """Of all inputs, where every input was looked at; None of a search."""
        self.notes: List[str] = list(notes)
        """What was noticed of how the function is called."""

    @property
    def ok(self) -> bool:
        """Whether nothing outside of the accuracy was found. Of a search it is no proof; where every input was looked at, it
        holds of all of them, as the function answered."""
        return bool(self.document["exit"] == 0)

    @property
    def worst(self) -> Optional[Largest]:
        """The largest error of all; None where no result could be judged."""
        return self.parts[0] if self.parts else None

    def __bool__(self) -> bool:
        """``ok``, so that ``assert spec.worst(f)`` is a test."""
        return self.ok

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        verdict = {0: "OK", 1: "KO"}.get(self.document["exit"], "UNCERTAIN")
        without = sum(f["times"] for f in self.document["findings"])
        found = [f"{without} inputs without a finite result"] if without else []
        found += [f"{self.worst.error_in_ulps:.4g} ulps"] if self.worst else []
        return f"<{verdict}: {', '.join(found) or 'nothing judged'} in {self.evaluations} evaluations>"


def _largest(part: Mapping[str, Any]) -> Largest:
    lo, hi = part["owed"] or (None, None)
    return Largest(
        inputs=_named(part["input"]),
        result=float.fromhex(part["result"]),
        lo=number(lo),
        hi=number(hi),
        error_in_bounds=float(part["tolerances"]),
        error_in_ulps=float(part["ulps"]),
    )
