#!/usr/bin/env python3
"""Writes tests/fuzz/seeds: what each target of the fuzzer begins with, mostly taken from files of the repository.

    tests/fuzz/seeds.py
"""

import hashlib
import json
import random
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SEEDS = ROOT / "tests/fuzz/seeds"
LARGEST = 1500


def put(target, *texts):
    folder = SEEDS / target
    folder.mkdir(parents=True, exist_ok=True)
    for text in texts:
        data = text if isinstance(text, bytes) else text.encode()
        (folder / hashlib.sha256(data).hexdigest()[:12]).write_bytes(data)


def small(pattern, most, largest=LARGEST):
    files = sorted(p for p in ROOT.glob(pattern) if p.stat().st_size <= largest)
    return [p.read_bytes() for p in files[:: max(1, len(files) // most)][:most]]


def cores(file, most):
    """Cores of a file with many: from one `(FPCore` at the beginning of a line to the next."""
    parts = re.split(r"\n(?=\(FPCore)", (ROOT / file).read_text())
    parts = [p for p in parts if p.startswith("(FPCore") and len(p) < 700]
    return parts[:: max(1, len(parts) // most)][:most]


def fpcore():
    put("fpcore", *small("specs/*.fpcore", 20), *small("tests/state/*.fpcore", 12), *cores("fpbench/herbie.fpcore", 12))
    put("fpcore", *cores("fpbench/fptaylor-tests.fpcore", 4), *cores("fpbench/rump.fpcore", 4))
    put(
        "fpcore",
        "(FPCore (x (A 3)) :precision (float 5 16) :pre (and (<= 0 x 1) (<= 0 (ref A 1) 1)) (+ x (ref A 0)))",
        "(FPCore (x) :precision (fixed -8 16) :pre (<= 0 x 1) (cast (! :precision binary32 :round toZero (* x 3/7))))",
        "(FPCore (x) (while* (< i 3) ((i 0 (+ i 1)) (s x (* s s))) s))",
        '(FPCore f (x y) :name "f" :pre (or (< x y) (not (== x 1))) :magneto-ulps 2 (let* ([a x] [b (fma a y 1)]) (if (< a b) a b)))',
        "(FPCore g (x) (for ([i 3]) ([s 0 (+ s i)]) s)) (FPCore (x) (tensor ([i 2]) (g x)))",
        "(FPCore (x) :magneto-result 2 :magneto-req (R1 R2) :magneto-units ((x m) s) (array x (sqrt x) PI))",
    )


def smtlib():
    put("smtlib", *small("tests/smt/*.smt2", 4), *small("tests/smt/theories/*.smt2", 40))
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ROOT / "tests/smt/random_scripts.py", folder, "60"], check=True, stdout=subprocess.DEVNULL)
        texts = [p.read_bytes() for p in sorted(Path(folder).rglob("*.smt2"))]
        put("smtlib", *[t for t in texts if len(t) <= LARGEST][:30])
    put(
        "smtlib",
        "(set-logic QF_FP)(declare-const x Float16)(push 1)(assert (fp.lt x (fp.add RNE x x)))(check-sat)"
        "(get-model)(get-value (x))(pop 1)(check-sat)",
        "(set-option :produce-unsat-cores true)(declare-fun f ((_ FloatingPoint 3 4)) Bool)"
        "(declare-const x (_ FloatingPoint 3 4))(assert (! (f x) :named a))(assert (! (not (f x)) :named b))"
        "(check-sat)(get-unsat-core)",
        "(declare-datatypes ((P 0)) (((p (l Real)))))(declare-sort S 0)(declare-const a S)"
        "(define-fun-rec g ((x Int)) Int (g x))(check-sat-assuming (true))(get-info :reason-unknown)(exit)",
        "(declare-const a (Array (_ BitVec 3) (_ BitVec 3)))(assert (= (select (store a #b001 #b111) #b001) #b101))(check-sat)",
        "(declare-const r RoundingMode)(assert (= ((_ to_fp 3 4) r (/ 1.0 3.0)) (fp #b0 #b001 #b010)))(check-sat)(get-model)",
        "(declare-const b (_ BitVec 8))(assert (let ((c (bvudiv b #x03))) (bvult c ((_ rotate_left 3) b))))(check-sat)",
    )


def testfile():
    tables = [
        "x,y,expected,abs_tol\n1,0.5,1.25,1e-6\n0x1.8p+1,0,inf,\n",
        "sep=;\nx;y;lo;hi\n1,5;0,25;1,5;1,6\n",
        '\ufefftest_id,x,y,expected\r\n"a ""b""",1,0,reject\r\n,-0,1e-400,nan\r\n',
        "# made by hand\n\nX [m]\tY (s)\tresult\n[m]\t[s]\t\n1\t2\t3\n",
    ]
    put("testfile", *[b"\x00" + t.encode() for t in tables], b"\x80" + tables[0].encode(), b"\x06" + tables[3].encode())
    put("testfile", b"\x00" + tables[0].encode("utf-16"), b"\x00\xe4" + tables[1].encode())
    put(
        "testfile",
        b'\x01[{"x": 1, "y": "0x1p-1", "expected": 1.25}, {"test_id": "b", "inputs": {"x": -0, "y": 1e0}, "lo": 1}]',
        b'\x01{"tests": [{"x": 1.5, "y": 0, "expected": "nan", "rel_tol": 1e-3}]}',
        b"\x02import pytest\nCASES = [(1.0, 0.5, 1.25), pytest.param(2, -0.0, 2.0, id='b')]\n"
        b"@pytest.mark.parametrize('x,y,expected', CASES)\ndef test_f(x, y, expected):\n    assert f(x, y) == pytest.approx(expected)\n",
        b"\x03TEST_CASE(1.0f, 0.5, 1.25)\nvoid test(float x, double y, double e) { TEST_ASSERT_EQUAL_DOUBLE(e, f(x, y)); }\n",
        b"\x04TEST(F, a) { EXPECT_NEAR(f(1.0f, 0.5), 1.25, 1e-9); EXPECT_DOUBLE_EQ(2, f(0x1p+1f, -0.0)); }\n"
        b"INSTANTIATE_TEST_SUITE_P(A, F, Values(std::make_tuple(1.f, 2., 3.)));\n",
        b'\x05<testsuite><testcase name="f[1.5-0.25]"><properties><property name="x" value="1"/>'
        b'<property name="y" value="0"/></properties></testcase></testsuite>',
    )


def settings():
    put("settings", *[b"\x03" + t for t in small("tests/projects/devices/magneto.toml", 1, 5000)])
    put("settings", *[b"\x02" + t for t in small("tests/projects/devices/requirements.toml", 1, 5000)])
    put(
        "settings",
        b'\x03rel-error = "1e-6"\nbudget = 100\noperators = ["paper", "delete"]\nfail-on = ["undecided"]\nmin-score = 0.9\n'
        b'[gen]\n[[specification]]\nfiles = ["*.fpcore"]\nulps = 2\n',
        b'\x03[[accept]]\nfile = "a.fpcore"\nspecification = "f"\nmutant = "m3"\nby = "me"\nreason = "it is meant"\n',
        b"\x03double f(const float *x, int n, struct p q[3])",
        b"\x03void f(double complex z, long double, uint8_t a[2][3]);",
        b'\x00id,text,source\nR1,"a, b",s\nR2,c,\n',
        b'\x01<REQ-IF xmlns="http://www.omg.org/spec/ReqIF/20110401/reqif.xsd"><CORE-CONTENT><REQ-IF-CONTENT><SPEC-OBJECTS>'
        b'<SPEC-OBJECT IDENTIFIER="R1" DESC="text"><VALUES><ATTRIBUTE-VALUE-STRING THE-VALUE="t"/></VALUES></SPEC-OBJECT>'
        b"</SPEC-OBJECTS></REQ-IF-CONTENT></CORE-CONTENT></REQ-IF>",
        b'\x02[[requirement]]\nid = "R1"\ntext = "a"\n',
    )


def record():
    """Documents with their lists cut short."""

    def cut(value):
        if isinstance(value, list):
            return [cut(v) for v in value[:2]]
        return {k: cut(v) for k, v in value.items()} if isinstance(value, dict) else value

    for file in sorted((ROOT / "tests/fixtures/report").glob("*.json")):
        put("record", json.dumps(cut(json.loads(file.read_text()))))
    for file in sorted((ROOT / "results").rglob("*.json")):
        text = json.dumps(cut(json.loads(file.read_text())))
        if len(text) < 4000:
            put("record", text)
    put("record", "test_id,m1,m2,m3\nt1,ok,ko 2.5,uncertain\n", "test_id,kills\nt1,1 3\n")


def wasm():
    put("wasm", *small("tests/code/modules/*.wasm", 3, 5000))
    source = (
        "#include <math.h>\n#include <stdint.h>\nstatic double t[4] = {1, 2, 3, 4};\nint hits;\n"
        "double f(double x, int n) { double s = 0; for (int i = 0; i < n; i++) { s += sqrt(x * t[i & 3]); hits++; } return s; }\n"
        "int g(int64_t a, unsigned b) { switch (b % 5) { case 0: return a / (int64_t)b; case 1: return (int)(float)a; case 3: return f(a, b); default: return a >> b; } }\n"
        "float h(float *p, uint8_t *q) { return p[q[0]] > 1 ? fmaf(p[0], p[1], q[1]) : -p[2]; }\n"
    )
    for bits, more in [("32", ["-O0"]), ("32", ["-O2"]), ("64", ["-O1"])]:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.c").write_text(source.replace("#include <math.h>", "double sqrt(double); float fmaf(float, float, float);"))
            command = ["clang", f"--target=wasm{bits}", "-nostdlib", "-ffreestanding", "-Wl,--no-entry,--export-all,--allow-undefined"]
            subprocess.run([*command, *more, "a.c", "-o", "a.wasm"], cwd=folder, check=True)
            put("wasm", (Path(folder) / "a.wasm").read_bytes())


def answers():
    lines = ["0x1.8p+1", "-0", "nan(0x8000)", "+inf", "1e-400", "1 2 3", "error: too large", "crash: it broke", "broken: no"]
    put("answers", *[bytes([k, k]) + f"{line}\n".encode() for k, line in enumerate(lines)])
    put("answers", b"\x05\x00-32768.5\n127.998\n", b"\x01\x01 0.1 errno ERANGE\n", b"\x02\x05 1,5\n65520\n")


def solver():
    draw = random.Random(1)
    put("solver", *[bytes(draw.randrange(256) for _ in range(3 + 4 * (4 + k % 10))) for k in range(40)])


def folders():
    put("folders", b"\x00\x00\x10\x00\x01x", b"\x00\x03\x00\x00\x00", b"\x01\x01\x40\x00\x02true", b"\x01\x05\x20\x01\x00,")
    put("folders", b"\x01\x08\x30\x00\x01-1", b"\x01\x04\x05\x00\xff1,2,3\n")
    put("folders", b'\x02\x00{"schema": "magneto/share/1", "shard": 1, "shards": 2}\xff{"schema": "magneto/share/1"}')
    put("folders", b'\x03\x00{"schema": "magneto/worst-resume/1", "shard": 1, "shards": 1}\xff{}')


def infix():
    formulas = [
        "x: [0, 1], y: (0, 2*pi] -> z = sin(x)^2 + y/3e-2",
        "x > 0 and y <= 1 ? sqrt(x) : fma(x, y, 1.0f)",
        "a if b < 1 else -c**2**3",
        "max(x, min(y, abs(z))) - log10(x)*exp(-y)",
        "Piecewise((x, x > 0), (Pow(Symbol('x'), Rational(1, 2)), True))",
    ]
    put("infix", *[bytes([k]) + f.encode() for f in formulas for k in range(6)])
    latex = [r"\frac{-b + \sqrt{b^2 - 4ac}}{2a}", r"\rho: [1, 2] -> v = \sin^2 \left(\rho x\right) \cdot 10^{-3}", r"\begin{cases} x & x \ge 0 \\ -x & \text{otherwise} \end{cases}"]
    put("infix", *[b"\x06" + f.encode() for f in latex], b"\x0ax = (-inf, 3/4]")
    c = b"static double f(double x, double y) { const double a = x * y; double b; if (x < 0) { b = -a; } else b = a + 1; return b / 2; }\n"
    put("infix", b"\x07" + c, b"\x08" + c.replace(b"double", b"auto") + b"template <class T> T g(T x) { return std::sqrt(x); }\n")
    put("infix", b"\x09import math\ndef f(x, y=1):\n    a = x * y\n    if x < 0:\n        a = -a\n    return math.sqrt(a) + y ** 2\n")


def main():
    (SEEDS / "generate").unlink(missing_ok=True)
    for target in [fpcore, smtlib, testfile, settings, record, wasm, answers, solver, folders, infix]:
        target()
    (SEEDS / "generate").symlink_to("fpcore")


if __name__ == "__main__":
    main()
