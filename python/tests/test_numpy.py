"""Functions with numpy, right and wrong: all verdicts, and how they are called."""

import functools

import magneto
import pytest

np = pytest.importorskip("numpy")

from functions import FUNCTIONS  # noqa: E402


@functools.lru_cache(maxsize=None)
def spec_of(name):
    """The specification of a function, with its tests for all that ask for it."""
    given, accuracy, _, _ = FUNCTIONS[name]
    return magneto.spec(given, **accuracy)


def counted(function):
    """The function, with the sizes of what it was called with."""
    sizes = []

    @functools.wraps(function)
    def wrapper(*args, **named):
        sizes.append(max(np.size(x) for x in [*args, *named.values()]))
        return function(*args, **named)

    if isinstance(function, np.ufunc):
        del wrapper.__wrapped__
    return wrapper, sizes


@pytest.mark.parametrize("name", FUNCTIONS)
def test_right_is_right_and_wrong_is_wrong(name):
    _, _, right, wrong = FUNCTIONS[name]
    spec = spec_of(name)
    report = spec.check(right)
    assert report.ok, report
    assert report.verdict == "OK" and not report.failures and len(report.results) == len(spec.tests())
    report = spec.check(wrong)
    assert not report.ok and report.verdict == "KO", name
    worst = report.failures[0]
    assert set(worst.inputs) == set(spec.inputs) and worst.answer in ("result", "reject")
    # What is said of the worst failure is what the oracle says.
    if worst.lo is not None:
        owed = spec.oracle(**worst.inputs)
        assert (owed.accepted_lo, owed.accepted_hi) == (worst.lo, worst.hi)
        assert not worst.lo <= worst.result <= worst.hi


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "refuses"])
def test_arrays_have_all_tests(name):
    _, _, right, _ = FUNCTIONS[name]
    spec = spec_of(name)
    function, sizes = counted(right)
    assert spec.check(function).ok
    whole = len(spec.tests())
    assert [n for n in sizes if n > 2] == [whole], sizes
    assert len(sizes) < 30, "the others are samples"
    assert spec.check(right, vectorized=False).ok, "single numbers"
    assert spec.check(right, vectorized=True).ok, "arrays alone"


def test_a_ufunc_is_called_once():
    spec = magneto.spec("x: [0,1] -> exp(x) - 1", rel=1e-12)
    sizes = []
    ufunc = np.frompyfunc(lambda x: sizes.append(x) or float(np.expm1(x)), 1, 1)
    assert spec.check(ufunc).ok
    assert len(sizes) == len(spec.tests()), "one call of its own for each"
    assert spec.check(np.frompyfunc(lambda x: "1", 1, 1)).failures[0].answer == "crash"
    with pytest.raises(magneto.FunctionError, match="takes 2 numbers, and the specification has 1 input"):
        spec.check(np.hypot)
    with pytest.raises(magneto.FunctionError, match="gives 2 results"):
        spec.check(np.modf)


def test_results_that_depend_on_other_inputs_are_not_taken():
    spec = magneto.spec("x: [1,2] -> x", ulps=1)
    report = spec.check(lambda x: np.sort(x) if np.size(x) > 2 else x)
    assert report.ok and "called with single numbers" in report.text, report
    assert not spec.check(lambda x: np.sort(x)[::-1] if np.size(x) > 2 else x, vectorized=True).ok
    # Two inputs tell that this is no function of arrays.
    report = spec.check(lambda x: x - np.mean(x) + np.mean(x) if np.size(x) == 1 else np.ones(np.size(x)))
    assert report.ok and not report.notes, report


def test_a_refusal_is_of_its_input_alone():
    spec = spec_of("refuses")
    report = spec.check(FUNCTIONS["refuses"][2])
    answers = {r.id: r.answer for r in report.results}
    outside = {t.id for t in spec.tests() if t.owed == "reject"}
    assert outside and {k for k, a in answers.items() if a == "reject"} == outside
    assert all(r.counts for r in report.results)


def test_arrays_of_one_number_are_results():
    spec = magneto.spec("x: [0,1] -> exp(x) - 1", rel=1e-12)
    for shape in (lambda y: np.array([y]), lambda y: np.array(y), lambda y: np.float64(y), lambda y: np.array([[y]])):
        assert spec.check(lambda x: shape(np.expm1(x)), vectorized=False).ok
    report = spec.check(lambda x: np.array([np.expm1(x), 0.0]), vectorized=False)
    assert "an array of 2 numbers for one input" in report.failures[0].reason
    report = spec.check(lambda x: np.zeros((2, 2)), vectorized=True)
    assert "an array of shape (2, 2) for arrays of" in report.failures[0].reason
    for other in (np.bool_(True), np.complex128(1), None, "1", np.array(["a"])):
        assert spec.check(lambda x: other, vectorized=False).failures[0].answer == "crash"


def test_arrays_have_the_types_of_their_formats():
    seen = set()

    def function(x):
        seen.add(getattr(x, "dtype", None))
        return np.sqrt(x * x + np.float32(1))

    spec = magneto.spec(FUNCTIONS["single"][0])
    assert spec.check(function).ok
    assert seen == {np.dtype("float32")}
    assert spec.formats == {"x": "binary32"} and spec.result_format == "binary32"


def test_what_a_function_does_to_its_arrays_changes_nothing():
    spec = magneto.spec("x: [1,2] -> 2*x", ulps=1)

    def doubled(x):
        x *= 2
        return x

    for _ in range(2):
        report = spec.check(doubled)
        assert report.ok and not report.notes


def test_the_worst_input_of_a_ufunc():
    spec = magneto.spec("x: [0,1] -> exp(x) - 1", rel=1e-12)
    worst = spec.worst(np.expm1, evaluations=20_000)
    assert worst.ok and worst.worst.error_in_ulps < 2 and worst.evaluations > 10_000
    assert "a search, not a proof" in str(worst)
    function, sizes = counted(lambda x: np.exp(x) - 1)
    worst = spec.worst(function, evaluations=4_000)
    assert not worst.ok and worst.worst.error_in_bounds > 1
    assert not worst.worst.lo <= worst.worst.result <= worst.worst.hi
    assert max(sizes) > 100 and sum(1 for n in sizes if n == 1) < 1_500


def test_every_input_of_a_function_of_arrays():
    spec = magneto.spec("(FPCore (x) :precision binary32 :pre (<= 1 x 1.015625) :magneto-ulps (1 binary32) (expm1 x))")
    function, sizes = counted(np.expm1)
    right = spec.worst(function, exhaustive=True)
    assert right.ok and right.exhaustive.ok == right.exhaustive.inputs == 2**17 + 1
    assert sum(1 for n in sizes if n > 10_000) >= 2
    wrong = spec.worst(lambda x: np.where(x == np.float32(1.0078125), x, np.expm1(x)), exhaustive=True)
    assert not wrong.ok and wrong.exhaustive.ko == 1 and wrong.worst.inputs == {"x": 1.0078125}


def test_columns_are_arrays():
    spec = magneto.spec("x: [1,2], y: [0,1] -> x*y", rel=1e-12)
    tests = spec.tests()
    assert set(tests.inputs) == {"x", "y"}
    for column in [*tests.inputs.values(), tests.lo, tests.hi, tests.expected]:
        assert isinstance(column, np.ndarray) and column.shape == (len(tests),)
    inside = ~np.isnan(tests.lo)
    assert inside.any() and np.all(tests.lo[inside] <= tests.hi[inside])
    table = spec.oracle(np.linspace(1, 2, 6).reshape(2, 3), 0.5)
    assert table.lo.shape == (2, 3) and np.all(table.lo <= table.hi) and table.state[0, 0] == "decided"
    assert np.all(table.accepted_lo < table.nearest) and np.all(table.nearest < table.accepted_hi)


def test_warnings_of_numpy_are_no_noise(recwarn):
    spec = magneto.spec("x: [1e-300,1] -> log(x)", rel=1e-12)
    assert spec.check(np.log).ok
    assert not [w for w in recwarn if issubclass(w.category, RuntimeWarning)]
