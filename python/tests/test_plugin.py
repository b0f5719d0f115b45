"""The plugin of pytest."""

import pytest

pytest_plugins = ["pytester"]

MODULE = '''
import math
import magneto

@magneto.test("x: [0,1] -> exp(x) - 1", rel=1e-12)
def growth(x):
    return math.expm1(x)

@magneto.test("x: [0,1] -> exp(x) - 1", rel=1e-12)
def test_naive(x):
    return math.exp(x) - 1

def test_other():
    assert growth(0.0) == 0.0
'''


def test_functions_are_tests(pytester):
    pytester.makepyfile(test_math=MODULE)
    result = pytester.runpytest()
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "magneto: 0.1.0",
            "KO: * of * tests failed; at x = 5e-324 0.0 was returned, and 5e-324 is owed",
            "test_naive: accuracy relative 1e-12",
            "KO, the worst first",
            "*x = 0x*",
            "*returned 0x*off by*",
            "*owed: from 0x*",
            "likely causes",
            "*each operation rounded to binary64*",
            "FAILED test_math.py::test_naive*",
        ]
    )
    # The function's own code is not at fault in a traceback.
    assert "Traceback" not in result.stdout.str() and "in runtest" not in result.stdout.str()
    assert (pytester.path / ".magneto-cache").is_dir()
    pytester.runpytest("-k", "growth").assert_outcomes(passed=1, deselected=2)
    pytester.runpytest("-m", "magneto").assert_outcomes(passed=1, failed=1, deselected=1)
    listed = pytester.runpytest("--collect-only", "-q")
    listed.stdout.fnmatch_lines(["test_math.py::growth", "test_math.py::test_naive", "test_math.py::test_other"])


def test_options(pytester):
    pytester.makepyfile(test_math=MODULE)
    result = pytester.runpytest("--magneto-no-cache", "--magneto-random", "30", "--magneto-seed", "5", "-k", "growth", "-v")
    result.assert_outcomes(passed=1, deselected=2)
    result.stdout.fnmatch_lines(["magneto: 0.1.0, 30 random inputs of seed 5"])
    assert not (pytester.path / ".magneto-cache").exists()
    pytester.runpytest("--magneto-cache", "kept", "-k", "growth").assert_outcomes(passed=1, deselected=2)
    assert list((pytester.path / "kept").glob("*.result"))


def test_a_seed_finds_what_tests_do_not(pytester):
    pytester.makepyfile(
        """
        import magneto
        RARE = {p["x"] for p in magneto.spec("x: [0,1] -> x", ulps=1).random(10, seed=3)}

        @magneto.test("x: [0,1] -> x", ulps=1)
        def same(x):
            return x if x not in RARE else 0.75
        """
    )
    pytester.runpytest().assert_outcomes(passed=1)
    pytester.runpytest("--magneto-random", "10", "--magneto-seed", "3").assert_outcomes(failed=1)


def test_a_function_with_several_results(pytester):
    pytester.makepyfile(
        test_turn="""
        import magneto

        TURN = '(FPCore (x y) :name "turn" :pre (and (<= 1 x 2) (<= 3 y 4)) :magneto-rel-error 1e-12 (array (+ x y) (- y x)))'

        @magneto.test(TURN)
        def turn(x, y):
            return x + y, y - x

        @magneto.test(TURN)
        def drifts(x, y):
            return x + y, y - x * (1 + 1e-9)
        """
    )
    result = pytester.runpytest("-v")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*::turn PASSED*", "KO: * of * tests failed; at x = *", "turn?1?: accuracy relative 1e-12"])
    assert "turn[0]: accuracy" not in result.stdout.str()


def test_files_beside_the_function_and_several_specifications(pytester):
    folder = pytester.mkpydir("package")
    (folder / "air.fpcore").write_text('(FPCore (x) :name "one" :pre (<= 1 x 2) x)\n(FPCore (x) :name "two" :pre (<= 3 x 4) x)')
    (folder / "air.py").write_text(
        "import magneto\n\n"
        "@magneto.test('air.fpcore:one')\n@magneto.test('air.fpcore', name='two')\ndef air(x):\n    return x if x < 3.5 else 0\n"
    )
    pytester.makepyfile(test_air="from package.air import air\nagain = air\n")
    result = pytester.runpytest("-v")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["test_air.py::air?1? PASSED*", "test_air.py::air?2? FAILED*"])


def test_mistakes_are_told_with_their_place(pytester):
    pytester.makepyfile(
        """
        import magneto

        @magneto.test("x: [0,1] -> exq(x)")
        def misspelt(x):
            return x

        @magneto.test("nowhere.fpcore")
        def absent(x):
            return x

        @magneto.test("x: [0,1], y: [0,1] -> x*y")
        def few(x):
            return x
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        [
            "SpecificationError: <formula>:1:13: unknown function `exq`",
            "hint: did you mean `exp`?",
            "SpecificationError: cannot read nowhere.fpcore: there is no such file",
            "FunctionError: few(x) takes 1 number, and the specification has 2 inputs",
        ]
    )


def test_methods_and_imported_names(pytester):
    pytester.makepyfile(
        """
        from magneto import Test, Tests, test

        class TestMethods:
            scale = 2

            @test("x: [1,2] -> 2*x", ulps=1)
            def method(self, x):
                return self.scale * x

            @staticmethod
            @test("x: [1,2] -> 2*x", ulps=1)
            def test_static(x):
                return 2 * x
        """
    )
    pytester.runpytest().assert_outcomes(passed=2)


def test_what_cannot_be_decorated_is_told():
    import math

    import magneto

    with pytest.raises(TypeError, match="cannot be decorated"):
        magneto.test("x: [0,1] -> exp(x) - 1")(math.expm1)
