"""A Hypothesis strategy of a specification's inputs."""

from __future__ import annotations

import array
import math
from functools import partial
from typing import Dict

from hypothesis import strategies as st

from . import _magneto
from ._calls import rules

# The bits of each format that Hypothesis knows.
_WIDTHS = {"binary64": 64, "binary32": 32, "binary16": 16}


def inputs_of(native: _magneto.Specification) -> "st.SearchStrategy[Dict[str, float]]":
    """Inputs of the domain, by the names that parameters have."""

    def one(form: str, lo: float, hi: float) -> "st.SearchStrategy[float]":
        if form in _WIDTHS:
            return st.floats(lo, hi, width=_WIDTHS[form])  # type: ignore[arg-type]
        words = form.strip("()").split()
        if form == "integer" or words[0] == "fixed":
            # The numbers k * unit, of which the ends are two.
            unit = 2.0 ** int(words[1]) if len(words) == 3 else 1.0
            return st.integers(round(lo / unit), round(hi / unit)).map(lambda k: k * unit)
        if words[0] == "float":
            bits = int(words[1])
            short = partial(_rounded, precision=int(words[2]) - bits, emin=2 - 2 ** (bits - 1))
            return st.floats(lo, hi).map(short).filter(lambda x: lo <= x <= hi)
        # Those of bfloat16 are the binary32 numbers whose last bits are 0.
        return st.floats(lo, hi, width=32).map(lambda x: _short(x)).filter(lambda x: lo <= x <= hi)

    inputs = native.inputs
    names = [rules.spelled(name) for name, *_ in inputs]
    all_inputs = st.fixed_dictionaries({n: one(*given[1:]) for n, given in zip(names, inputs)})

    def is_inside(point: Dict[str, float]) -> bool:
        states, _ = native.oracle(array.array("d", [point[name] for name in names]).tobytes())
        return states[0] in ("decided", "capped")

    return all_inputs.filter(is_inside)


def _rounded(x: float, precision: int, emin: int) -> float:
    """The nearest number with so many bits of precision and normal exponents from emin on."""
    unit = 2.0 ** (max(math.frexp(x)[1] - 1, emin) - precision + 1)
    return round(x / unit) * unit


def _short(x: float) -> float:
    """The number with the bits of bfloat16 alone."""
    (bits,) = array.array("I", array.array("f", [x]).tobytes())
    return array.array("f", array.array("I", [bits & 0xFFFF0000]).tobytes())[0]
