"""Functions without numpy: how they are called, and what is told of them."""

import functools
import json
import math
import os
import signal
import subprocess
import sys
import textwrap
import threading
from fractions import Fraction

import magneto
import pytest

GROWTH = "x: [0,1] -> exp(x) - 1"
RATIO = "x: [1,2], y: [3,4] -> x/y"


def test_a_wrong_function_is_told():
    spec = magneto.spec(GROWTH, rel=1e-12)
    assert spec.check(math.expm1).ok
    report = spec.check(lambda x: math.exp(x) - 1)
    assert not report.ok and report.verdict == "KO"
    first, last = report.failures[0], report.failures[-1]
    assert first.error_in_bounds >= last.error_in_bounds > 1
    assert any(c.explains_all and "each operation rounded to binary64" in c.text for c in report.causes), report.causes
    text = str(report)
    for words in ("accuracy relative 1e-12", "KO, the worst first", "owed: from", "likely causes"):
        assert words in text, text
    assert "magneto worst" not in text and "--verbose" not in text
    assert len(report.verbose) > len(text)
    assert report.document["schema"].startswith("magneto/check/")
    assert report.document["implementation"]["kind"] == "python"
    assert "failed" in repr(report)
    assert report.summary.startswith(f"KO: {len(report.failures)} of {len(report.results)} tests failed; at x = ")
    assert spec.check(math.expm1).summary.startswith("OK: none of")


def test_verdicts_are_asserted():
    spec = magneto.spec("x: [1,2] -> x + 1", ulps=1)
    assert spec.check(lambda x: x + 1) and not spec.check(lambda x: x + 2)
    assert spec.worst(lambda x: x + 1, evaluations=200) and not spec.worst(lambda x: x + 2, evaluations=200)
    nothing = spec.worst(lambda x: math.nan, evaluations=200)
    assert not nothing and repr(nothing).startswith("<KO: ") and "inputs without a finite result" in repr(nothing)
    for few in (0, -1):
        with pytest.raises(ValueError, match="1 evaluation or more"):
            spec.worst(lambda x: x, evaluations=few)
    with pytest.raises(TypeError, match="needs a specification"):
        magneto.test(lambda x: x)
    with pytest.raises(magneto.SpecificationError, match="no formula with inputs"):
        magneto.spec("sqrt(x)")


def test_names_bind_then_places():
    spec = magneto.spec(RATIO, ulps=1)
    assert spec.check(lambda x, y: x / y).ok
    assert spec.check(lambda y, x: x / y).ok, "names bind"
    assert spec.check(lambda a, b: a / b).ok, "places bind"
    assert not spec.check(lambda a, b: b / a).ok
    assert spec.check(lambda *, y, x: x / y).ok
    assert spec.check(lambda *numbers: numbers[0] / numbers[1]).ok
    assert spec.check(functools.partial(lambda scale, x, y: x * scale / y, 1.0)).ok
    assert spec.check(lambda x, y, scale=1.0: x * scale / y).ok
    with pytest.raises(magneto.FunctionError, match="has a parameter named x, and none named y"):
        spec.check(lambda x, z: x / z)
    with pytest.raises(magneto.FunctionError, match="takes 1 number, and the specification has 2 inputs"):
        spec.check(lambda x: x)
    with pytest.raises(magneto.FunctionError, match="is no function"):
        spec.check(3)


def test_refusals_and_crashes():
    spec = magneto.spec("(FPCore (x) :pre (<= 0 x 4) :magneto-out-of-range reject (sqrt x))")

    def refuses(x):
        if not 0 <= x <= 4:
            raise ValueError(f"{x} is out of range")
        return math.sqrt(x)

    assert spec.check(refuses).ok
    assert not spec.check(lambda x: math.sqrt(abs(x))).ok, "a result is given outside"

    def crashes(x):
        if x > 2:
            raise KeyError("no such entry")
        return refuses(x)

    report = spec.check(crashes)
    crashed = [r for r in report.failures if r.answer == "crash"]
    assert crashed and crashed[0].result is None
    assert "crashed: KeyError: 'no such entry' (" in crashed[0].reason and "test_functions.py:" in crashed[0].reason
    assert "returned None" in spec.check(lambda x: None).failures[0].reason
    assert spec.check(lambda x: sys.exit(3)).failures[0].answer == "crash"
    assert spec.check(lambda x: Fraction(refuses(x))).ok


def test_tests_say_why_they_are_there():
    tests = magneto.spec(GROWTH, rel=1e-12).tests()
    assert len(tests) > 20 and len({t.id for t in tests}) == len(tests)
    for test in tests:
        assert test.reason and set(test.inputs) == {"x"}
        if test.owed == "result":
            assert test.lo <= test.expected <= test.hi and 0 <= test.inputs["x"] <= 1
        else:
            assert test.lo is None and not 0 <= test.inputs["x"] <= 1
    assert tests[0].kills > 0 and len(tests[:3]) == 3 and list(tests)[0] is tests[0]


def test_the_oracle_encloses():
    spec = magneto.spec("x: [0,4] -> sqrt(x)", rel=1e-10)
    owed = spec.oracle(2.0)
    assert owed.lo <= math.sqrt(2) <= owed.hi and owed.hi - owed.lo < 1e-15
    assert owed.accepted_lo < owed.nearest < owed.accepted_hi and owed.state == "decided"
    assert spec.oracle(x=2) == owed and spec.oracle(Fraction(2)) == owed
    assert spec.oracle(5.0).state == "outside" and math.isnan(spec.oracle(5.0).lo)
    exact = spec.oracle(4.0)
    assert exact.lo == exact.hi == 2.0
    for wrong, says in [
        (lambda: spec.oracle(1.0, 2.0), "has 1 inputs"),
        (lambda: spec.oracle(y=1.0), "there is no input y"),
        (lambda: spec.oracle(), "x is not given"),
        (lambda: spec.oracle(1.0, x=1.0), "given twice"),
    ]:
        with pytest.raises(TypeError, match=says):
            wrong()
    with pytest.raises(ValueError, match="no binary64 number"):
        spec.oracle(float("nan"))
    single = magneto.spec("(FPCore (x) :precision binary32 :pre (<= 0 x 4) (sqrt x))")
    with pytest.raises(ValueError, match="x = 0.1 is no binary32 number; the nearest is 0.1000000"):
        single.oracle(0.1)


def test_inputs_of_ones_own_and_at_random():
    spec = magneto.spec(RATIO, ulps=1)
    report = spec.check(lambda x, y: x / y, inputs=[{"x": 1.5, "y": 3.5}, (1.25, 3.0)])
    assert report.ok and [r.inputs["x"] for r in report.results] == [1.5, 1.25]
    at_random = spec.random(50, seed=7)
    assert len(at_random) == 50 and at_random == spec.random(50, seed=7) != spec.random(50, seed=8)
    assert all(1 <= p["x"] <= 2 and 3 <= p["y"] <= 4 for p in at_random)
    report = spec.check(lambda x, y: x / y, random=25, seed=7)
    assert report.ok and len(report.results) == len(spec.tests()) + 25
    # What no test happens to hit.
    rare = magneto.spec("x: [0,1] -> x", ulps=1)
    assert not rare.check(lambda x: x if x not in {p["x"] for p in rare.random(10, seed=3)} else 0.5, random=10, seed=3).ok


def test_the_worst_input():
    spec = magneto.spec("x: [1,4] -> sqrt(x)", rel=1e-12)
    worst = spec.worst(math.sqrt, evaluations=3_000)
    assert worst.ok and worst.worst.error_in_ulps <= 0.5 and 0 < worst.evaluations <= 3_000
    wrong = spec.worst(lambda x: math.sqrt(x) if x != 2.0 else 1.5, evaluations=3_000, inputs=[2.0])
    assert not wrong.ok and wrong.worst.inputs == {"x": 2.0} and wrong.worst.result == 1.5

    def fails(x):
        raise ValueError("never")

    refused = spec.worst(fails, evaluations=500)
    assert not refused.ok and refused.worst is None and refused.findings
    assert worst.exhaustive is None


TURN = """
(FPCore (x y) :name "turn" :pre (and (<= 1 x 2) (<= 3 y 4)) :magneto-rel-error 1e-12 (array (+ x y) (- y x)))
(FPCore (x) :name "other" :pre (<= 1 x 2) x)
"""


def test_each_result_has_a_specification():
    both = magneto.specs(TURN, name="turn")
    assert [spec.name for spec in both] == ["turn[0]", "turn[1]"]
    assert all(spec.check(lambda x, y: (x + y, y - x)).ok for spec in both)
    assert [spec.check(lambda x, y: [x + y, x - y]).ok for spec in both] == [True, False]
    # Another number of results is none.
    assert not any(spec.check(lambda x, y: (x + y, y - x, 0.0)).ok for spec in both)
    assert [spec.name for spec in magneto.specs(TURN, name="other")] == ["other"]
    assert magneto.spec(TURN, name="turn[1]").worst(lambda x, y: (x, y - x), evaluations=500).ok
    for name, says in [("turn", "2 results"), (None, "3 FPCores"), ("burn", "no FPCore")]:
        with pytest.raises(magneto.SpecificationError, match=says) as caught:
            magneto.spec(TURN, name=name)
        assert "turn" in caught.value.hint


def test_every_input_is_looked_at():
    spec = magneto.spec("(FPCore (x) :precision binary16 :pre (<= 1 x 4) :magneto-ulps (1 binary16) (sqrt x))")
    asked = set()

    def root(x):
        asked.add(x)
        return math.sqrt(x)

    right = spec.worst(root, exhaustive=True)
    # Of binary16 there are 1,024 numbers from 1 to below 2, as many from 2, and 4.
    assert right.ok and len(asked) == 2049 and min(asked) == 1 and max(asked) == 4
    assert right.exhaustive == magneto.Counts(inputs=2049, owed=2049, ok=2049, ko=0, uncertain=0)
    assert right.worst.error_in_ulps <= 0.5 and "every input" in str(right)
    wrong = spec.worst(lambda x: 1.5 if x in (2.0, 3.0) else math.sqrt(x), exhaustive=True)
    assert not wrong.ok and wrong.exhaustive.ko == 2 and wrong.worst.inputs == {"x": 3.0}

    def fails(x):
        if x == 2.5:
            raise RuntimeError("never")
        return math.sqrt(x)

    crashed = spec.worst(fails, exhaustive=True)
    assert not crashed.ok and crashed.exhaustive.ko == 1 and crashed.findings[0][0] == {"x": 2.5}
    wide = magneto.spec("x: [1,4] -> sqrt(x)", rel=1e-12)
    with pytest.raises(ValueError, match=r"more than 2\^32 inputs.*domain="):
        wide.worst(math.sqrt, exhaustive=True)
    with pytest.raises(ValueError, match="exhaustive looks at every input"):
        spec.worst(math.sqrt, exhaustive=True, evaluations=10)


@pytest.mark.parametrize(
    "given, place, says",
    [
        ("(FPCore (x)\n  (+ x zz))", (2, 8), "unbound variable `zz`"),
        ("x: [0,1] -> exq(x)", (1, 13), "unknown function `exq`"),
        ("no_such_file.fpcore", (0, 0), "there is no such file"),
        ("(FPCore a (x) x) (FPCore b (x) x)", (0, 0), "holds 2 FPCores; pick one"),
        ("(FPCore (x) :magneto-rel-eror 1e-3 x)", (1, 13), "magneto-rel-eror"),
    ],
)
def test_mistakes_have_a_place(given, place, says):
    with pytest.raises(magneto.SpecificationError) as raised:
        magneto.spec(given)
    error = raised.value
    assert says in error.message and (error.line, error.column) == place, error
    assert error.hint is None or error.hint in str(error)
    assert isinstance(error, ValueError)


def test_specifications_by_file_and_name(tmp_path):
    file = tmp_path / "two.fpcore"
    file.write_text('(FPCore a (x) :pre (<= 1 x 2) x)\n(FPCore (x) :name "b" :pre (<= 1 x 2) (* 2 x))\n')
    assert magneto.spec(f"{file}:b").name == "b" and magneto.spec(file, name="a").name == "a"
    assert magneto.spec(file.read_text(), name="b").check(lambda x: 2 * x).ok
    with pytest.raises(magneto.SpecificationError, match="did you mean `b`"):
        magneto.spec(file, name="bb")
    spec = magneto.spec(GROWTH, rel="1/3", name="growth", domain={"x": "[0.5,1]"})
    assert (spec.name, spec.ranges) == ("growth", {"x": (0.5, 1.0)}) and "FPCore" in spec.text
    assert "relative" in spec.accuracy and "growth" in repr(spec)
    assert magneto.spec(r"x: [1,2] -> \frac{1}{x}", language="latex").check(lambda x: 1 / x).ok
    for wrong in ({"rel": "much"}, {"rel": -1}, {"ulps": "x"}, {"domain": {"z": "[0,1]"}}):
        with pytest.raises(magneto.SpecificationError):
            magneto.spec(GROWTH, **wrong)
    with pytest.raises(TypeError):
        magneto.spec(GROWTH, rel=True)


def test_tests_are_kept(tmp_path):
    cache = tmp_path / "cache"
    made = magneto.spec(GROWTH, rel=1e-12).tests(cache=cache)
    (entry,) = cache.glob("*.result")
    json.loads((entry / "tests.json").read_text())
    again = magneto.spec(GROWTH, rel=1e-12).tests(cache=cache)
    assert list(made) == list(again) and len(list(cache.glob("*.result"))) == 1
    # Another question has another entry.
    magneto.spec(GROWTH, rel=1e-11).tests(cache=cache)
    assert len(list(cache.glob("*.result"))) == 2
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    with pytest.raises(ValueError, match="is no cache"):
        magneto.spec(GROWTH).tests(cache=tmp_path / "full")


def test_other_threads_run_meanwhile():
    spec = magneto.spec("a: [1,2], b: [3,4], c: [1,9] -> exp(a*b) - sin(c)*cos(a*c) + log(b*c)", rel=1e-9)
    done, ticks = threading.Event(), []

    def tick():
        while not done.wait(0.001):
            ticks.append(1)

    other = threading.Thread(target=tick)
    other.start()
    spec.tests()
    done.set()
    other.join()
    assert len(ticks) > 5


@pytest.mark.skipif(not hasattr(signal, "SIGINT") or os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    "work",
    [
        "spec.worst(lambda x: x, evaluations=2_000_000_000)",
        "spec.check(lambda x: time.sleep(0.5) or x, vectorized=False)",
        "[magneto.spec(f'a: [1,{k}], b: [1,2] -> exp(a*b) - sin(a*b)*cos(b)').tests() for k in range(2, 1000)]",
    ],
)
def test_control_c_ends_it(work):
    program = f"""
        import signal, time, magneto
        # What runs in the background of a shell ignores it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        spec = magneto.spec("x: [1,2] -> x", ulps=1)
        spec.tests()
        print("ready", flush=True)
        try:
            {work}
            print("came to its end")
        except KeyboardInterrupt:
            print("interrupted")
    """
    child = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "ready\n"
        threading.Event().wait(0.2)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
    finally:
        child.kill()
    assert out == "interrupted\n", out


def test_what_ends_a_test_is_not_the_functions():
    spec = magneto.spec(GROWTH, rel=1e-12)

    def skips(x):
        pytest.skip("not today")

    with pytest.raises(pytest.skip.Exception):
        spec.check(skips)

    def interrupts(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        spec.check(interrupts)
    with pytest.raises(KeyboardInterrupt):
        spec.worst(interrupts, evaluations=100)


def test_numpy_is_optional():
    program = """
        import sys
        sys.modules["numpy"] = None
        import math, magneto
        spec = magneto.spec("x: [0,1] -> exp(x) - 1", rel=1e-12)
        assert spec.check(math.expm1).ok
        tests = spec.tests()
        assert isinstance(tests.lo, list) and len(tests.inputs["x"]) == len(tests)
        assert spec.oracle([0.5, 0.25]).state == ["decided", "decided"]
        try:
            spec.check(math.expm1, vectorized=True)
        except magneto.FunctionError as error:
            print(error)
    """
    out = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True)
    assert "needs numpy" in out.stdout


def test_a_formula_without_inputs():
    spec = magneto.spec("(FPCore () :magneto-ulps (1 binary64) (* 2 PI))")
    assert spec.inputs == [] and spec.check(lambda: 2 * math.pi).ok
    assert not spec.check(lambda: 6.28).ok


def test_integers_are_given_as_integers():
    spec = magneto.spec("(FPCore (n) :precision integer :pre (<= 0 n 9) :magneto-abs-error 1/4 (* 2 n))")
    assert spec.check(lambda n: 2 * len(range(n))).ok
    assert not spec.check(lambda n: 2 * len(range(n)) + (n == 7)).ok


def test_hypothesis_draws_inputs_of_the_domain():
    hypothesis = pytest.importorskip("hypothesis")
    spec = magneto.spec('(FPCore (a lambda) :pre (and (<= 0 a 1) (<= 0 lambda 1) (< a lambda)) (- lambda a))')
    narrow = magneto.spec("(FPCore (x) :precision binary32 :pre (< 0 x 1) (sqrt x))")
    half = magneto.spec("(FPCore (x) :precision bfloat16 :pre (<= 0.1 x 1) (sqrt x))")

    q15 = magneto.spec("(FPCore (x) :precision (fixed -15 16) :pre (<= -0.5 x 1) (* x x))")
    tiny = magneto.spec("(FPCore (x) :precision (float 4 8) :pre (<= 0.1 x 200) x)")

    @hypothesis.settings(max_examples=50, deadline=None)
    @hypothesis.given(spec.strategy(), narrow.strategy(), half.strategy(), q15.strategy(), tiny.strategy())
    def drawn(wide, single, short, fixed, few):
        assert q15.oracle(**fixed).state == "decided" and (fixed["x"] * 32768).is_integer()
        assert tiny.oracle(**few).state == "decided"
        assert set(wide) == {"a", "lambda_"} and 0 <= wide["a"] < wide["lambda_"] <= 1
        assert narrow.oracle(**single).state == "decided" and 0 < single["x"] < 1
        assert half.oracle(**short).state == "decided"

    drawn()
