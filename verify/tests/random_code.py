"""Random C functions with branches that few inputs or none take: what `magneto cover` says of them holds, and is verified for the most
part; and no lie is verified: a branch that an input takes is not infeasible, and none is taken by an input that takes another one.
"""

import argparse
import copy
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from magneto_verify.code import claims

HEAD = """#include <math.h>
#include <stdint.h>
#include <string.h>
static int high(double x) { union { double d; uint64_t u; } b = { x }; return (int)(b.u >> 32); }
static double of_words(int high, unsigned low) { union { double d; uint32_t w[2]; } b; b.w[0] = low; b.w[1] = high; return b.d; }
static const double steps[4] = { 0.5, 1.0, 2.0, 1e300 };
static double last;
static long turns(long n) { return n <= 0 ? 0 : 1 + turns(n / 2 - 1); }
"""

# All that is claimed of it is settled by what copies make of memory.
COPIES = HEAD + """
struct pair { long n; double d; };
long f(double x) {
  double table[4] = { 3, 5, 7, 9 }, other[4];
  struct pair a, b;
  memset(&a, 0x11, sizeof a);
  if (a.n != 0x1111111111111111) return 1;
  a.d = x;
  b = a;
  memcpy(other + 1, table, 3 * sizeof *table);
  memmove(other, other + 1, 3 * sizeof *table);
  if (other[2] != 7) return 2;
  if (b.d < 3 && a.d > 4) return 3;
  return b.d < 3 ? 4 : 5;
}
"""


class Maker:
    """Makes one function."""

    def __init__(self, chance):
        self.chance = chance
        kind = chance.choice(["double", "float", "int32_t", "int16_t", "uint8_t", "uint32_t", "int64_t"])
        self.kind, self.is_float = kind, kind in ("double", "float")
        self.local = "double" if self.is_float else "long"
        self.names = ["x", "y"][: chance.choice([1, 1, 2])]

    def number(self):
        floats = ["0.0", "1.0", "0.5", "-2.0", "1e300", "1e-300", "3.75", "1e10"]
        return self.chance.choice(floats if self.is_float else ["0", "1", "7", "-3", "255", "1000", "65536"])

    def value(self, depth):
        chance = self.chance
        if depth == 0 or chance.random() < 0.2:
            return chance.choice(self.names + ["t", self.number()])
        a, b = self.value(depth - 1), self.value(depth - 1)
        if self.is_float:
            forms = [f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} / {b})", f"fabs({a})", f"sqrt({a})", f"floor({a})", f"({a}) * ({a})",
                     f"(double)(high({a}) & 0x7fffffff)", f"({a} < {b} ? {a} : {b})", f"of_words(high({a}) - 3, 7)", f"(float)({a})", "last"]
        else:
            forms = [f"({a} + {b})", f"({a} - {b})", f"({a} & {b})", f"({a} | {b})", f"({a} ^ {b})", f"(({a}) >> 3)", f"({a}) * ({a})", f"(({a}) % 13)",
                     f"({a} < {b} ? {a} : {b})", f"(uint16_t)({a})", f"(int8_t)({a})", f"(({a}) << 5)", f"turns({a})", f"(100 / ({a}))", f"({a} % ({b}))", f"(long)(float)({a})"]
        return chance.choice(forms)

    def test(self):
        a, b = self.value(2), self.value(1)
        return f"{a} {self.chance.choice(['<', '<=', '>', '>=', '==', '!='])} {b}"

    def block(self, depth):
        lines = []
        for _ in range(self.chance.choice([1, 2, 2, 3])):
            form = self.chance.randrange(8)
            if form == 0 or depth == 0:
                lines.append(f"t = {self.value(2)};")
            elif form == 1:
                inner = " ".join(self.block(depth - 1))
                lines.append(f"for (int i = 0; i < {self.chance.choice([2, 3, 9])}; i++) {{ {inner} if ({self.test()}) break; }}")
            elif form == 2 and self.is_float:
                lines.append(f"t = t * steps[{self.chance.choice(['0', '1', '3', '(int)(t > 1)'])}];")
            elif form == 3:
                index = f"(unsigned)(t > {self.number()}) + {self.chance.choice(['0', '1', '2'])}"
                lines.append(f"{{ {self.local} a[4] = {{ x, t, 1, 0 }}; a[{index}] = {self.value(1)}; t = a[{self.chance.choice([index, '1', '3'])}]; }}")
            elif form == 4:
                cases = " ".join(f"case {k}: t = {self.value(1)};{' break;' if self.chance.random() < 0.7 else ''}" for k in range(3))
                lines.append(f"switch ((int)(t > 0) + {self.chance.choice(['0', '(int)(x > 1)', '(t != t)'])}) {{ {cases} default: if ({self.test()}) t = 2; }}")
            elif form == 5 and self.is_float:
                lines.append(f"last = {self.value(1)};")
            elif form == 6:
                size = self.chance.choice([f"sizeof({self.local})", "4", "1"])
                copied = self.chance.choice([f"memcpy(&u, &t, {size});", f"memset(&u, {self.chance.choice(['0', '255', '(int)x'])}, {size});", "u = t;"])
                lines.append(f"{{ {self.local} u = {self.value(0)}; {copied} t = u; }}")
            else:
                other = f" else {{ {' '.join(self.block(depth - 1))} }}" if self.chance.random() < 0.5 else ""
                lines.append(f"if ({self.test()}) {{ {' '.join(self.block(depth - 1))} }}{other}")
        return lines

    def function(self):
        arguments = ", ".join(f"{self.kind} {name}" for name in self.names)
        kind = self.local
        return f"{HEAD}{kind} f({arguments}) {{\n  {kind} t = x;\n  " + "\n  ".join(self.block(2)) + "\n  return t;\n}\n"


def lies(chance, document):
    """Documents with one false claim each."""
    for k, branch in enumerate(document["branches"]):
        told = copy.deepcopy(document)
        mine = told["branches"][k]
        if branch["status"] == "taken" and branch.get("code"):
            mine |= {"status": "infeasible", "by": None}
            yield "infeasible", k, told
        elif branch["status"] == "infeasible" and branch.get("code") and told["runs"]:
            mine |= {"status": "taken", "by": chance.randrange(len(told["runs"]))}
            yield "taken", k, told


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--magneto", default="target/debug/magneto")
    parser.add_argument("--functions", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    count, wrong = Counter(), 0
    word = {True: "verified", False: "REFUTED", None: "not verified"}
    for seed in [None, *range(options.seed, options.seed + options.functions)]:
        chance = random.Random(seed or 0)
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "f.c").write_text(Maker(chance).function() if seed is not None else COPIES)
            command = [str(Path(options.magneto).resolve()), "cover", "f.c", "--fn", "f", "-o", "out", "--no-native", "--evaluations", "3000", "--quiet"]
            ended = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if ended.returncode not in (0, 1):
                print(f"seed {seed}: exit code {ended.returncode}: {ended.stderr[-300:]}")
                wrong += 1
                continue
            file = folder / "out/cover.json"
            document = json.loads(file.read_text())
            for kind, place, answer, why in claims(file, document):
                count[kind, word[answer]] += 1
                if answer is False or answer is None and seed is None:
                    wrong += 1
                    print(f"seed {seed}: {kind} {place}: {why}\n{(folder / 'f.c').read_text()}")
            told = list(lies(chance, document))
            for kind, k, lie in chance.sample(told, min(3, len(told))):
                lie["branches"] = [lie["branches"][k]]
                (_, place, answer, _), = claims(file, lie)
                count[f"lies: {kind}", word[answer]] += 1
                if answer:
                    wrong += 1
                    print(f"seed {seed}: the lie that {place} is {kind} is verified\n{(folder / 'f.c').read_text()}")
    for (kind, answer), n in sorted(count.items()):
        print(f"{n:8} {kind} {answer}")
    # Who verifies or refutes nothing would never be wrong.
    for kind, answer in (("infeasible", "verified"), ("taken", "verified"), ("lies: infeasible", "REFUTED")):
        if count[kind, answer] <= count[kind, "not verified"]:
            wrong += 1
            print(f"most are not {answer}: {kind}")
    print(f"{options.functions} functions, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
