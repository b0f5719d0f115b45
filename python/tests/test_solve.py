"""Scripts of SMT-LIB."""

import math

import magneto
import pytest

HALVES = """
(declare-const x Float64) (declare-const h Float16) (declare-const b (_ BitVec 8)) (declare-const p Bool)
(declare-const w Float128)
(assert (= x (fp.neg ((_ to_fp 11 53) RNE 0.1)))) (assert (= b #x2a)) (assert p)
(assert (= h (_ -zero 5 11))) (assert (fp.isInfinite w)) (assert (fp.isNegative w))
(check-sat)
"""


def test_models_are_values_of_python():
    answer = magneto.solve(HALVES).last
    assert answer.status == "sat" and answer.reason is None and answer.confirmed is None
    model = answer.model
    assert model["x"] == -0.1 and model["b"] == 42 and model["p"] is True and model["w"] == -math.inf
    assert model["h"] == 0 and math.copysign(1, model["h"]) == -1


@pytest.mark.parametrize("x", ["5e-324", "1.7976931348623157e308", "2.2250738585072014e-308", "-1.5", "3.0"])
def test_each_number_comes_back(x):
    number = float(x)
    parts = "(/ {} {})".format(*abs(number).as_integer_ratio())
    sign = "fp.neg" if number < 0 else "fp.abs"
    script = f"(declare-const x Float64) (assert (= x ({sign} ((_ to_fp 11 53) RNE {parts})))) (check-sat)"
    assert magneto.solve(script).last.model["x"] == number


def test_proofs_are_looked_at_again():
    order = "(declare-const x Float64) (declare-const y Float64) (assert (and (fp.lt x y) (fp.lt y x))) (check-sat)"
    assert magneto.solve(order).last.confirmed is None
    answer = magneto.solve(order, check=True).last
    assert (answer.status, answer.confirmed) == ("unsat", True)
    tiny = "(declare-const x (_ BitVec 4)) (assert (bvult (bvmul x x) #x0)) (check-sat)"
    assert magneto.solve(tiny, check=True).last.confirmed is True
    products = """
    (declare-const x Float64) (declare-const y Float64) (declare-const z Float64)
    (define-fun one () Float64 ((_ to_fp 11 53) RNE 1.0))
    (assert (and (fp.leq one x) (fp.lt x y) (fp.leq one z)))
    (assert (fp.lt (fp.mul RNE y (fp.mul RNE y z)) (fp.mul RNE x (fp.mul RNE x z)))) (check-sat)
    """
    assert magneto.solve(products, check=True, budget=20).last.confirmed is True
    # A step of Newton's method: neither boxes, laws nor gates prove its bound in the work that an affine form takes.
    newton = """
    (declare-const x Float64)
    (define-fun c ((n Real)) Float64 ((_ to_fp 11 53) RNE n))
    (define-fun cube () Float64 (fp.mul RNE (fp.mul RNE x x) x))
    (define-fun value () Float64 (fp.sub RNE x (fp.div RNE cube (c 6.0))))
    (define-fun slope () Float64 (fp.sub RNE (c 1.0) (fp.div RNE (fp.mul RNE x x) (c 2.0))))
    (assert (fp.leq (fp.abs x) (c 0.4)))
    (assert (fp.gt (fp.abs (fp.sub RNE x (fp.div RNE value slope))) (c 0.025))) (check-sat)
    """
    answer = magneto.solve(newton, check=True, budget=20).last
    assert (answer.status, answer.confirmed, answer.reason) == ("unsat", False, "incomplete")


def test_several_questions_and_files(tmp_path):
    path = tmp_path / "two.smt2"
    path.write_text("(declare-const p Bool) (assert p) (check-sat) (assert (not p)) (check-sat)")
    answers = magneto.solve(path)
    assert [a.status for a in answers.answers] == ["sat", "unsat"] and answers.output == "sat\nunsat\n"
    assert magneto.solve(str(path)) == answers
    with pytest.raises(FileNotFoundError):
        magneto.solve(str(tmp_path / "none.smt2"))
    with pytest.raises(ValueError, match="no .check-sat."):
        magneto.solve("(declare-const p Bool)").last


def test_mistakes_have_a_place():
    with pytest.raises(magneto.ScriptError) as raised:
        magneto.solve("(declare-const x Float64)\n(assert (fp.isNan x))")
    error = raised.value
    assert (error.file, error.line, error.hint) == ("<script>", 2, "did you mean `fp.isNaN`?")
    with pytest.raises(ValueError, match="timeout"):
        magneto.solve("(check-sat)", timeout=-1)


HARD = """
(declare-const a (_ BitVec 64)) (declare-const b (_ BitVec 64))
(assert (= (bvmul a b) #x7fffffffffffffe7)) (assert (bvugt a #x0000000000000001)) (assert (bvult a #x00000000ffffffff))
(assert (bvugt b #x0000000000000001)) (assert (bvult b #x00000000ffffffff))
(check-sat)
"""


def test_a_time_limit_ends_a_question():
    answer = magneto.solve(HARD, timeout=0.2).last
    assert answer.status != "unknown" or answer.reason == "timeout"
