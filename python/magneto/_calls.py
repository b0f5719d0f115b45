"""Calls of a user's function: with numbers, or with arrays that hold all inputs at once."""

from __future__ import annotations

import array
import hashlib
import inspect
import platform
import types
import warnings
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from . import _magneto
from ._errors import FunctionError

# The rules of `magneto check --python`: how a function is called, what is a result, a refusal or a crash.
rules: Any = types.ModuleType("magneto._rules")
exec(compile(_magneto.RULES, "<magneto>", "exec"), rules.__dict__)

# What no number is, by place: a kind and words.
Others = Dict[int, Tuple[str, str]]

# The longest words of an exception that are kept. Unit: characters.
_LONGEST = 400
# Results of arrays and of numbers by themselves are the same where they differ by less than this share: libraries have other
# last digits for arrays, which a formula may cancel down to. Results that depend on other inputs differ by more.
_CLOSE = 1e-3
# So many inputs of the first arrays, and of all later ones, are also put by themselves.
_FIRST_SAMPLE, _SAMPLE = 8, 1


def numpy_module() -> Any:
    """numpy, if it is installed."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def _is_integer(form: str) -> bool:
    """Whether all numbers of a format are integers: of ``integer``, and of ``(fixed scale bits)`` with a scale from 0 on."""
    words = form.strip("()").split()
    return form == "integer" or (words[0] == "fixed" and int(words[1]) >= 0)


class Calls:
    """A function as the native part calls it: with the bytes of many inputs, for the bytes of as many results."""

    def __init__(
        self,
        function: Callable[..., Any],
        inputs: Sequence[Tuple[str, str, float, float]],
        vectorized: Optional[bool],
        place: Tuple[int, int] = (0, 1),
    ) -> None:
        if not callable(function):
            raise FunctionError(f"{function!r} is no function")
        self.shown: str = getattr(function, "__name__", None) or type(function).__name__
        names = [name for name, *_ in inputs]
        try:
            self.bound = rules.bind(function, self.shown, names, place[1])
        except rules.Misfit as error:
            raise FunctionError(str(error)) from None
        self.function = function
        self.place = place
        self.width = len(names)
        self.numpy = numpy_module()
        dtypes = {"binary32": "float32", "binary16": "float16"}
        integers = [_is_integer(form) for _, form, *_ in inputs]
        self.dtypes = ["int64" if n else dtypes.get(form, "float64") for n, (_, form, *_) in zip(integers, inputs)]
        self.kinds = [int if n else float for n in integers]
        self.given = vectorized
        self.by_arrays: Optional[bool] = vectorized
        if vectorized and self.numpy is None:
            raise FunctionError("vectorized=True needs numpy, which is not installed")
        if self.width == 0 or self.numpy is None:
            self.by_arrays = False
        elif vectorized is None and isinstance(function, self.numpy.ufunc):
            self.by_arrays = self.given = True
        self.sample = _FIRST_SAMPLE
        self.notes: List[str] = []

    def __call__(self, data: bytes, count: int) -> Tuple[bytes, Others]:
        with warnings.catch_warnings():
            # numpy warns of infinities and NaN, which inputs at the ends of a domain provoke on purpose.
            warnings.simplefilter("ignore", RuntimeWarning)
            points = array.array("d", data)
            if self.by_arrays is None:
                self.by_arrays = self._takes_arrays(points, count)
            if not self.by_arrays:
                return self._singly(points, count)
            results, others = self._in_arrays(points, count)
            if self.given or self._is_elementwise(points, results, others):
                return results.tobytes(), others
            self.by_arrays = False
            return self._singly(points, count)

    def described(self) -> List[Tuple[str, str]]:
        """How the function is made and called, for the record."""
        module = getattr(self.function, "__module__", None)
        name = getattr(self.function, "__qualname__", self.shown)
        said = [("kind", "python"), ("function", f"{module}:{name}" if module else name)]
        said.append(("python_version", platform.python_version()))
        if self.numpy is not None:
            said.append(("numpy_version", str(self.numpy.__version__)))
        try:
            path = inspect.getsourcefile(inspect.unwrap(self.function))
            with open(path or "", "rb") as file:
                said.append(("source_sha256", hashlib.sha256(file.read()).hexdigest()))
        except (OSError, TypeError, ValueError):
            pass
        return said

    def _point(self, points: Any, k: int) -> List[float]:
        given = points[k * self.width : (k + 1) * self.width]
        return [kind(x) for kind, x in zip(self.kinds, given)]

    def _ask(self, inputs: Sequence[Any]) -> Tuple[str, Any]:
        kind, answer = rules.ask(self.bound, inputs, *self.place)
        # What ends a program, or a test, is not the function's.
        if kind == rules.CRASHED and not isinstance(answer, (Exception, SystemExit)):
            raise answer
        return kind, answer

    def _singly(self, points: Any, count: int) -> Tuple[bytes, Others]:
        results, others = array.array("d", bytes(8 * count)), {}
        for k in range(count):
            kind, answer = self._ask(self._point(points, k))
            if kind == rules.VALUE:
                results[k] = answer
            else:
                others[k] = (kind, _words(answer))
        return results.tobytes(), others

    def _columns(self, points: Any, places: slice) -> List[Any]:
        """The inputs as arrays of their formats, which the function may change."""
        table = self.numpy.frombuffer(points, dtype="float64").reshape(-1, self.width)[places]
        return [table[:, k].astype(dtype) for k, dtype in enumerate(self.dtypes)]

    def _in_arrays(self, points: Any, count: int) -> Tuple[Any, Others]:
        results = self.numpy.full(count, self.numpy.nan)
        others: Others = {}
        parts = [(0, count)] if count else []
        while parts:
            begin, end = parts.pop()
            columns = self._columns(points, slice(begin, end))
            try:
                given = self._one_of(self.bound(columns))
            except BaseException as error:
                if not isinstance(error, (Exception, SystemExit)):
                    raise
                if end - begin > 1:
                    # Which of them it was about is found by halves.
                    middle = (begin + end) // 2
                    parts += [(middle, end), (begin, middle)]
                    continue
                refused = isinstance(error, rules.REFUSALS)
                others[begin] = (rules.REFUSED if refused else rules.CRASHED, _words(error))
                continue
            self._take(given, begin, end, results, others)
        return results, others

    def _one_of(self, given: Any) -> Any:
        """The array of one result, where the function returns an array for each of several."""
        index, count = self.place
        parts = [given] if count == 1 else _parts(given)
        return parts[index] if len(parts) == count else None

    def _take(self, given: Any, begin: int, end: int, results: Any, others: Others) -> None:
        """Takes over what came back for an array of inputs."""
        numpy = self.numpy
        found = numpy.asarray(given) if isinstance(given, (numpy.ndarray, numpy.generic, list, tuple)) else given
        if not isinstance(found, numpy.ndarray):
            # What looks like an array to numpy, of another library.
            found = numpy.asarray(found) if hasattr(found, "__array__") or hasattr(found, "__float__") else None
        if found is None or found.shape != (end - begin,):
            shape = "no array" if found is None else f"an array of shape {found.shape}"
            wrong = (rules.CRASHED, f"it returned {shape} for arrays of {end - begin} inputs")
            others.update((k, wrong) for k in range(begin, end))
        elif found.dtype.kind in "fiu":
            results[begin:end] = found
        else:
            for k, one in enumerate(found, begin):
                try:
                    results[k] = rules.number(one)
                except TypeError as error:
                    others[k] = (rules.CRASHED, _words(error))

    def _alone(self, points: Any, k: int) -> Optional[float]:
        """The result at one input by itself, if there is one; numbers have the types that the elements of arrays have."""
        inputs: List[Any] = self._point(points, k)
        for i, dtype in enumerate(self.dtypes):
            if dtype != "float64":
                inputs[i] = self.numpy.dtype(dtype).type(inputs[i])
        kind, answer = self._ask(inputs)
        return float(answer) if kind == rules.VALUE else None

    def _takes_arrays(self, points: Any, count: int) -> Optional[bool]:
        """Whether two inputs in arrays give what they give one by one; None where no two inputs tell."""
        numpy = self.numpy
        known: List[Tuple[int, float]] = []
        for k in _spread(count, 16):
            result = self._alone(points, k)
            is_new = all(self._point(points, k) != self._point(points, j) for j, _ in known)
            if result is not None and numpy.isfinite(result) and is_new:
                known.append((k, result))
            if len(known) == 2:
                break
        if len(known) < 2:
            return None if count < 2 else False
        pair = array.array("d", [x for k, _ in known for x in self._point(points, k)])
        try:
            found = numpy.asarray(self._one_of(self.bound(self._columns(pair, slice(0, 2)))))
        except Exception:
            return False
        if found.shape != (2,) or found.dtype.kind not in "fiuO":
            return False
        try:
            return all(_is_close(alone, rules.number(one)) for (_, alone), one in zip(known, found))
        except TypeError:
            return False

    def _is_elementwise(self, points: Any, results: Any, others: Others) -> bool:
        """Whether some inputs by themselves give what they gave in arrays."""
        places = [k for k in _spread(len(results), self.sample) if k not in others]
        self.sample = _SAMPLE
        for k in places:
            alone = self._alone(points, k)
            if alone is not None and not _is_close(alone, float(results[k])):
                self.notes.append(
                    f"{self.shown} gives {float(results[k])!r} in an array and {alone!r} by itself at"
                    f" {self._point(points, k)}: it is called with single numbers"
                )
                return False
        return True


def _parts(given: Any) -> List[Any]:
    """The arrays in a tuple, a list or an array of more dimensions, in order."""
    if isinstance(given, (tuple, list)) or getattr(given, "ndim", 1) > 1:
        return [one for part in given for one in _parts(part)]
    return [given]


def _spread(count: int, some: int) -> List[int]:
    """Some places of so many, far from each other."""
    some = min(some, count)
    return [(2 * k + 1) * count // (2 * some) for k in range(some)]


def _is_close(a: float, b: float) -> bool:
    return a == b or (a != a and b != b) or abs(a - b) <= _CLOSE * max(abs(a), abs(b))


def _words(error: BaseException) -> str:
    return str(rules.words(error)).replace("\r", " ").replace("\n", " ")[:_LONGEST]
