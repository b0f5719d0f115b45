"""Tests of numerical functions against formulas over the real numbers, with rigorous oracles.

>>> import math, magneto
>>> spec = magneto.spec("x: [0,1] -> exp(x) - 1", rel=1e-12)
>>> spec.check(math.expm1).ok
True
>>> report = spec.check(lambda x: math.exp(x) - 1)
>>> report.ok
False

``print(report)`` says at which inputs the function errs, what is owed there, and what the failures look like.
:func:`magneto.test` makes a test of pytest of a function. :func:`magneto.solve` answers scripts of SMT-LIB.
"""

from __future__ import annotations

from ._errors import FunctionError, Problem, ScriptError, SpecificationError
from ._magneto import VERSION as __version__
from ._results import Cause, Counts, Largest, Oracle, Report, Result, Test, Tests, Worst
from ._solve import Answer, Answers, solve
from ._spec import Number, Spec, spec, specs
from ._tested import Demand, test

__all__ = [
    "Answer",
    "Answers",
    "Cause",
    "Counts",
    "Demand",
    "FunctionError",
    "Largest",
    "Number",
    "Oracle",
    "Problem",
    "Report",
    "Result",
    "ScriptError",
    "Spec",
    "SpecificationError",
    "Test",
    "Tests",
    "Worst",
    "__version__",
    "solve",
    "spec",
    "specs",
    "test",
]
