"""Functions that are to meet specifications."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, TypeVar, Union

from ._results import Report
from ._spec import Number, Spec, is_formula, specs

F = TypeVar("F", bound=Callable[..., Any])

_ATTRIBUTE = "__magneto_demands__"


@dataclass(frozen=True)
class Demand:
    """That a function is to meet a specification."""

    given: Union[str, "os.PathLike[str]"]
    """The specification, as :func:`magneto.spec` takes it."""
    options: Dict[str, Any] = field(default_factory=dict)
    """What else :func:`magneto.spec` takes."""
    vectorized: Optional[bool] = None
    random: int = 0

    def specs(self, folder: Optional["os.PathLike[str]"] = None) -> List[Spec]:
        """The specification of each result; its file is looked for in a folder first."""
        given = self.given
        if folder is not None and not os.path.isabs(given):
            beside = os.path.join(folder, given)
            # A name may stand behind the file's.
            is_file = os.path.exists(beside) or os.path.exists(beside.rpartition(":")[0])
            given = beside if is_file else given
        return specs(given, **self.options)

    def check(
        self,
        function: Callable[..., Any],
        *,
        folder: Optional["os.PathLike[str]"] = None,
        random: int = 0,
        seed: int = 0,
        cache: Union[None, str, "os.PathLike[str]"] = None,
    ) -> List[Report]:
        """Checks a function, with at least so many inputs at random: a report of each result."""
        more = max(random, self.random)
        how: Dict[str, Any] = {"vectorized": self.vectorized, "random": more, "seed": seed, "cache": cache}
        return [spec.check(function, **how) for spec in self.specs(folder)]


def test(
    given: Union[str, "os.PathLike[str]"],
    *,
    rel: Optional[Number] = None,
    abs: Optional[Number] = None,
    ulps: Optional[Number] = None,
    name: Optional[str] = None,
    domain: Optional[Dict[str, str]] = None,
    language: str = "plain",
    vectorized: Optional[bool] = None,
    random: int = 0,
) -> Callable[[F], F]:
    """A decorator: pytest tests the function against a specification, be it defined in a test file or imported there.

    >>> @magneto.test("x: [0,1] -> exp(x) - 1", rel=1e-12)
    ... def growth(x):
    ...     return math.expm1(x)

    The function stays what it is. ``given``, ``rel``, ``abs``, ``ulps``, ``name``, ``domain`` and ``language`` are those of
    :func:`magneto.spec`, ``vectorized`` and ``random`` those of :meth:`magneto.Spec.check`. The file of a specification is looked
    for beside the file of the function, then in the current folder; a formula without a ``name`` has that of the function. Of a
    specification with several results all are tested, as :func:`magneto.specs` says. Several decorators are several tests.
    """
    if callable(given):
        raise TypeError('magneto.test needs a specification: write @magneto.test("x: [0,1] -> exp(x) - 1", rel=1e-12)')
    options = {"rel": rel, "abs": abs, "ulps": ulps, "domain": domain, "language": language}

    def decorate(function: F) -> F:
        # A formula is called as the function is.
        called = name or (getattr(function, "__name__", None) if is_formula(given) else None)
        stated = {k: v for k, v in {**options, "name": called}.items() if v is not None}
        demand = Demand(given, stated, vectorized, random)
        try:
            setattr(function, _ATTRIBUTE, [demand, *demands(function)])
        except AttributeError:
            raise TypeError(
                f"{function!r} cannot be decorated; write a function that calls it, or assert magneto.spec(…).check(…).ok"
            ) from None
        return function

    return decorate


def demands(function: Any) -> List[Demand]:
    """The specifications that a function is to meet."""
    found = getattr(function, "__dict__", {}).get(_ATTRIBUTE, [])
    return list(found)
