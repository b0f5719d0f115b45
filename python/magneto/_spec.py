"""Specifications."""

from __future__ import annotations

import array
import json
import os
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _magneto
from ._calls import Calls, numpy_module, rules
from ._errors import FunctionError, Problem, SpecificationError
from ._results import Oracle, Report, Test, Tests, Worst, number

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Number = Union[int, float, str, Fraction]
"""A number that is meant exactly as it is written: ``1e-12``, ``'1/3'``."""


def spec(
    given: Union[str, "os.PathLike[str]"],
    *,
    rel: Optional[Number] = None,
    abs: Optional[Number] = None,
    ulps: Optional[Number] = None,
    name: Optional[str] = None,
    domain: Optional[Mapping[str, str]] = None,
    language: str = "plain",
) -> "Spec":
    """Reads a specification.

    ``given`` is a path, with ``:NAME`` behind it or not; the text of FPCores, which begins with a bracket; or a formula with its
    inputs, ``"x: [0,1], y: (0,inf) -> exp(x) - y**2"``, written in a ``language``: ``plain``, ``c``, ``python``, ``matlab``,
    ``julia``, ``sympy`` or ``latex``.

    ``rel``, ``abs`` and ``ulps`` say how far a result may be from the exact value, in the place of what the specification says;
    of several the largest holds. ``name`` picks one of several FPCores; of a formula it is its name. ``domain`` narrows inputs:
    ``{"x": "[1,2]"}``.

    Raises :class:`SpecificationError`, with file, line, column and hint.
    """
    asked = _asked(given, {"rel-error": rel, "abs-error": abs, "ulps": ulps}, name, domain, language)
    try:
        return Spec(_magneto.Specification.read(*asked))
    except _magneto.Refused as error:
        raise SpecificationError([Problem(*problem) for problem in error.args[0]]) from None


def specs(
    given: Union[str, "os.PathLike[str]"],
    *,
    rel: Optional[Number] = None,
    abs: Optional[Number] = None,
    ulps: Optional[Number] = None,
    name: Optional[str] = None,
    domain: Optional[Mapping[str, str]] = None,
    language: str = "plain",
) -> List["Spec"]:
    """Reads the specifications of all results of an FPCore whose body is an array, in their order. A function returns all
    results, as a tuple, a list or an array, and each specification judges its own. Of one result the list has one.

    What it takes is what :func:`spec` takes, and what it raises.
    """
    asked = _asked(given, {"rel-error": rel, "abs-error": abs, "ulps": ulps}, name, domain, language)
    try:
        return [Spec(native) for native in _magneto.Specification.read_results(*asked)]
    except _magneto.Refused as error:
        raise SpecificationError([Problem(*problem) for problem in error.args[0]]) from None


def _asked(
    given: Union[str, "os.PathLike[str]"],
    accuracy: Mapping[str, Optional[Number]],
    name: Optional[str],
    domain: Optional[Mapping[str, str]],
    language: str,
) -> Tuple[str, str, Optional[str], List[Tuple[str, str]]]:
    """What is given, of which kind, its name, and options."""
    options = [(flag, _text(value)) for flag, value in accuracy.items() if value is not None]
    options += [("domain", f"{key}={value}") for key, value in (domain or {}).items()]
    text = os.fspath(given)
    kind = language if is_formula(given) else "file"
    if isinstance(given, str) and text.lstrip().startswith(("(", ";")) and not os.path.exists(text):
        kind = "text"
    return text, kind, name, options


def is_formula(given: Union[str, "os.PathLike[str]"]) -> bool:
    """Whether a formula is given, and neither the text of FPCores nor a path."""
    is_text = isinstance(given, str) and not os.path.exists(given)
    return is_text and "->" in str(given) and not str(given).lstrip().startswith(("(", ";"))


def _text(value: Number) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Fraction)):
        raise TypeError(f"a number is expected, and {value!r} is none")
    return repr(float(value)) if isinstance(value, float) else str(value)


class Spec:
    """A formula over the real numbers, with its inputs, its domain and the accuracy that a program owes."""

    def __init__(self, native: _magneto.Specification) -> None:
        self._native = native

    @property
    def name(self) -> str:
        """Its name."""
        return self._native.name

    @property
    def text(self) -> str:
        """It as FPCore."""
        return self._native.text

    @property
    def accuracy(self) -> str:
        """The accuracy in words."""
        return self._native.accuracy

    @property
    def inputs(self) -> List[str]:
        """The names of the inputs in their order."""
        return [name for name, *_ in self._native.inputs]

    @property
    def ranges(self) -> Dict[str, Tuple[float, float]]:
        """For each input the smallest and the largest number of its format in its range."""
        return {name: (lo, hi) for name, _, lo, hi in self._native.inputs}

    @property
    def formats(self) -> Dict[str, str]:
        """For each input its format, such as ``binary64``."""
        return {name: form for name, form, *_ in self._native.inputs}

    @property
    def result_format(self) -> str:
        """The format of results."""
        return self._native.result_format

    @property
    def notes(self) -> List[str]:
        """What the reader of a formula took for granted."""
        return self._native.notes

    def __repr__(self) -> str:
        return f"<specification {self.name}: {', '.join(self.inputs)}; {self.accuracy}>"

    def oracle(self, *args: Any, **named: Any) -> Oracle:
        """What the exact value is, and which results are right, at an input; of arrays, at all of them.

        Inputs are given by place or by name. They are meant exactly: what is no number of its input's format is an error.
        """
        given = self._bound(args, named)
        numpy = numpy_module()
        is_array = [hasattr(x, "__array__") and getattr(x, "ndim", 0) or isinstance(x, (list, tuple)) for x in given]
        if not any(is_array):
            states, columns = self._native.oracle(array.array("d", [_float(x) for x in given]).tobytes())
            return _oracle([array.array("d", column)[0] for column in columns], states[0])
        if numpy is None:
            points = list(zip(*given)) if all(is_array) else []
            if not points or len({len(x) for x in given}) > 1:
                raise ValueError("without numpy all inputs are numbers, or all are lists of one length")
            states, columns = self._native.oracle(array.array("d", [_float(x) for p in points for x in p]).tobytes())
            return _oracle([list(array.array("d", column)) for column in columns], states)
        arrays = numpy.broadcast_arrays(*(numpy.asarray(x, dtype="float64") for x in given))
        table = numpy.stack([a.ravel() for a in arrays], axis=1)
        states, columns = self._native.oracle(table.tobytes())
        shape = arrays[0].shape
        shaped = [numpy.frombuffer(column, dtype="float64").reshape(shape).copy() for column in columns]
        return _oracle(shaped, numpy.array(states).reshape(shape))

    def tests(self, *, cache: Union[None, str, "os.PathLike[str]"] = None) -> Tests:
        """The tests that ``magneto gen`` makes: inputs at which wrong versions of the formula give wrong results, with the results
        that are right there and why each test is there.

        They are made once; ``cache`` is a folder in which later runs find them again, that of ``magneto gen --cache`` say.
        """
        document = json.loads(self._native.tests(_path(cache)))
        return Tests([_test(row) for row in document["tests"]], self.inputs)

    def check(
        self,
        function: Callable[..., Any],
        *,
        vectorized: Optional[bool] = None,
        inputs: Optional[Iterable[Union[Mapping[str, float], Sequence[float], float]]] = None,
        random: int = 0,
        seed: int = 0,
        cache: Union[None, str, "os.PathLike[str]"] = None,
    ) -> Report:
        """Puts the tests to a function, in this process.

        The function's parameters are bound by name where they have the names of the inputs, by place where none has.
        ``ValueError``, ``ArithmeticError`` and ``AssertionError`` refuse an input, any other exception is a crash; a result is a
        number or an array of one.

        ``vectorized``: with True the function is called with arrays of all inputs, with False with numbers. By default it is
        called with arrays where numpy is there and two inputs in arrays give what they give by themselves; numpy's ufuncs
        always are. Arrays have the type of the input's format, single numbers are Python's.

        ``inputs`` are put in the place of the tests; ``random`` is how many inputs are added at random, as ``seed`` says.
        """
        if random < 0:
            raise ValueError(f"random is how many inputs are added, and not {random}")
        calls = self._calls(function, vectorized)
        points = b"" if inputs is None else self._points(inputs)
        if random:
            points += self._native.random(random, seed)
        try:
            document, text, verbose = self._native.check(
                calls, calls.described(), inputs is None, points, _path(cache)
            )
        except _magneto.Broken as error:
            raise FunctionError(str(error)) from None
        return Report(json.loads(document), text, verbose, calls.notes)

    def worst(
        self,
        function: Callable[..., Any],
        *,
        evaluations: Optional[int] = None,
        exhaustive: bool = False,
        vectorized: Optional[bool] = None,
        inputs: Iterable[Union[Mapping[str, float], Sequence[float], float]] = (),
    ) -> Worst:
        """Looks for the input at which a function errs most.

        It is a search of so many ``evaluations``, 100,000 by default, which begins with ``inputs``. With ``exhaustive`` every
        input of the domain is looked at, where there are at most 2^32: one binary32 input, or two of binary16. Then what is
        found holds of all results that the function gave.

        The function is called as :meth:`check` does, many inputs at a time where it takes arrays.
        """
        points = self._points(inputs)
        if exhaustive and (evaluations is not None or points):
            raise ValueError("exhaustive looks at every input: evaluations and inputs are for a search")
        if evaluations is not None and evaluations < 1:
            raise ValueError(f"a search has 1 evaluation or more, and not {evaluations}")
        count = None if exhaustive else 100_000 if evaluations is None else evaluations
        calls = self._calls(function, vectorized)
        try:
            document, text = self._native.worst(calls, calls.described(), count, points)
        except _magneto.Broken as error:
            raise FunctionError(str(error)) from None
        return Worst(json.loads(document), text, calls.notes)

    def random(self, count: int, seed: int = 0) -> List[Dict[str, float]]:
        """Inputs of the domain at random, as the seed says; fewer where hardly any input of the ranges is in the domain."""
        numbers = array.array("d", self._native.random(count, seed))
        width = len(self.inputs)
        return [dict(zip(self.inputs, numbers[k : k + width])) for k in range(0, len(numbers), max(width, 1))]

    def strategy(self) -> "SearchStrategy[Dict[str, float]]":
        """A Hypothesis strategy of the inputs: dictionaries by name, with which a function is called as ``f(**inputs)``. Names
        that Python does not allow are written as in :meth:`check`."""
        from ._strategy import inputs_of

        return inputs_of(self._native)

    def _calls(self, function: Callable[..., Any], vectorized: Optional[bool]) -> Calls:
        return Calls(function, self._native.inputs, vectorized, self._native.result_place)

    def _bound(self, args: Sequence[Any], named: Mapping[str, Any]) -> List[Any]:
        """The inputs in their order."""
        names = self.inputs
        spelled = {rules.spelled(name): name for name in names}
        given = dict(zip(names, args))
        if len(args) > len(names):
            raise TypeError(f"{self.name} has {len(names)} inputs ({', '.join(names)}), and {len(args)} are given")
        for key, value in named.items():
            name = key if key in names else spelled.get(key)
            if name is None or name in given:
                why = f"there is no input {key}; there are {', '.join(names)}" if name is None else f"{key} is given twice"
                raise TypeError(why)
            given[name] = value
        missing = [name for name in names if name not in given]
        if missing:
            raise TypeError(f"{rules.listed(missing)} {'is' if len(missing) == 1 else 'are'} not given")
        return [given[name] for name in names]

    def _points(self, inputs: Iterable[Union[Mapping[str, float], Sequence[float], float]]) -> bytes:
        numbers = array.array("d")
        for one in inputs:
            if isinstance(one, Mapping):
                point = self._bound((), one)
            elif isinstance(one, (int, float)) or not hasattr(one, "__len__"):
                point = self._bound((one,), {})
            else:
                point = self._bound(tuple(one), {})
            numbers.extend(_float(x) for x in point)
        return numbers.tobytes()


def _oracle(columns: Sequence[Any], state: Any) -> Oracle:
    lo, hi, accepted_lo, accepted_hi, nearest = columns
    return Oracle(lo, hi, accepted_lo, accepted_hi, nearest, state)


def _float(value: Any) -> float:
    """A number as a float, if it is one."""
    exact = float(value)
    if isinstance(value, (int, Fraction)) and exact != value:
        raise ValueError(f"{value} is no binary64 number")
    return exact


def _path(path: Union[None, str, "os.PathLike[str]"]) -> Optional[str]:
    return None if path is None else os.fspath(path)


def _test(row: Mapping[str, Any]) -> Test:
    has_result = row["lo"] is not None
    return Test(
        id=row["id"],
        inputs={name: float.fromhex(text) for name, text in row["inputs"].items()},
        lo=number(row["lo"]),
        hi=number(row["hi"]),
        expected=number(row["expected"]) if has_result else None,
        owed="result" if has_result else row["expected"],
        reason=row["reason"],
        origin=row["origin"],
        kills=row["kills"],
    )
