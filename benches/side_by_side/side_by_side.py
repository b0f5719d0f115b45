#!/usr/bin/env python3
"""Branch coverage of C functions, side by side: Magneto, random inputs, libFuzzer and ESBMC.

Every tool gets the same CPU time for each function and leaves inputs as raw bit patterns. One program, made by
gcc -O0 --coverage, is then called with them, and gcov says which branches they took, so that no tool is believed what
it says of itself. Writes OUT.csv (a row for each function) and OUT.txt (totals; what others took and Magneto did not).

  side_by_side.py --magneto BIN --esbmc BIN --libfuzzer libFuzzer.a --musl DIR --erfa DIR --work DIR --out OUT
"""
import argparse, csv, glob, json, os, re, resource, shlex, struct, subprocess, sys, time
from os.path import abspath, basename, dirname, exists, join

# Functions of scalars; memory behind pointers is written only, so that all tools have the same inputs. FILE:FUNCTION
# where the names differ. Then the folder of the sources, those of headers, and the options of the library's own build.
LIBRARIES = {
    "musl": ("acos acosh asin asinh atan atan2 cbrt erf exp exp2 expm1 fma fmod fmodf frexp hypot ilogb j0 j0:y0 jn "
             "lgamma_r:__lgamma_r log log10 log1p nextafter pow powf remquo scalb scalbn sin sincos sinh tan tanh tgamma",
             "src/math", "arch/x86_64 arch/generic obj/src/internal src/include src/internal obj/include include",
             "-std=c99 -nostdinc -ffreestanding -D_XOPEN_SOURCE=700"),
    "erfa": ("af2a anpm cal2jd d2tf dat gd2gce jd2cal jdcalf plan94 pmsafe refco starpm starpv taiutc tf2d ut1utc utctai "
             "utcut1", "src", "src", "")}
SIZE = {"char": 1, "int": 4, "float": 4, "double": 8}
CODE = {"char": "b", "int": "i", "float": "f", "double": "d"}
CALLER = join(dirname(abspath(__file__)), "side_by_side.c")  # calls the function with inputs, see there
TOOLS = ["magneto", "magneto_callees", "random_bits", "random_100", "libfuzzer", "esbmc", "esbmc_long"]

def run(command, cpu_limit=None, each_line=None, **more):
    """Runs it on one core; returns its exit code, output, and CPU seconds. Time is CPU time, so that other work on the
    machine does not decide the result."""
    limit = ["prlimit", f"--cpu={cpu_limit}"] if cpu_limit else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    p = subprocess.Popen(["taskset", "-c", str(ARGS.core)] + limit + command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, errors="replace", **more)
    lines = []
    for line in p.stdout:
        lines.append(line)
        if each_line:
            stat = open(f"/proc/{p.pid}/stat").read().rsplit(")")[1].split()
            each_line(line, (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK"))
    code, after = p.wait(), resource.getrusage(resource.RUSAGE_CHILDREN)
    return code, "".join(lines), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

def must(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    return done.stdout if done.returncode == 0 else sys.exit(shlex.join(command) + "\n" + done.stderr[-2000:])

class Library:
    def __init__(self, name, root):
        words, folder, include, options = LIBRARIES[name]
        self.name, self.folder, self.words, self.objects = name, join(root, folder), words.split(), join(ARGS.work, name)
        self.include, self.options = ["-I" + join(root, i) for i in include.split()], shlex.split(options)
        self.defined, self.undefined, d = {}, {}, self.objects + "/objects"
        os.makedirs(d, exist_ok=True)
        files = [f for f in glob.glob(self.folder + "/*.c") if not basename(f).startswith(("t_", "erfaversion"))]
        must(["gcc", "-w", "-O1", "-c"] + files + self.options + self.include, cwd=d)
        must(["ar", "rcs", d + ".a"] + sorted(glob.glob(d + "/*.o")))
        for f in files:  # which file defines a name, and which names a file needs
            for s in must(["nm", join(d, basename(f)[:-1] + "o")]).splitlines():
                kind, n = s.split()[-2:]
                if kind == "U":
                    self.undefined.setdefault(f, []).append(n)
                elif kind.isupper():
                    self.defined[n] = f

class Function:
    def __init__(self, lib, word):
        file, _, name = word.partition(":")
        self.lib, self.file, self.parts = lib, join(lib.folder, file + ".c"), {}
        self.name = name or (file if lib.name == "musl" else "era" + file.capitalize())
        self.text, self.dir = open(self.file).read(), join(lib.objects, self.name)
        head = re.search(r"^[a-z ]+\b%s\s*\(([^)]*)\)\s*(?=\{|/\*)" % self.name, self.text, re.M)
        args = [re.match(r"\s*(char|int|float|double)\s*(.*?)\s*$", a, re.S).groups() for a in head[1].split(",")]
        self.inputs = [(t, n) for t, n in args if not re.search(r"[*\[]", n)]
        self.length = sum(SIZE[t] for t, _ in self.inputs)
        os.makedirs(self.dir, exist_ok=True)
        load, begin, give, at = "", "", [], 0
        for t, n in args:
            if (t, n) in self.inputs:
                k = self.inputs.index((t, n))
                load += f"{t} in_{k}; memcpy(&in_{k}, p + {at}, {SIZE[t]}); "
                begin += f"{t} in_{k} = nondet_{t}(); "
                give, at = give + [f"in_{k}"], at + SIZE[t]
            else:
                give.append(f"(void *)(out + {len(give) * 64})")
        call = f"{self.name}({', '.join(give)});"
        top = "#include <string.h>\n" + "".join(f"{t} nondet_{t}(void); " for t in SIZE) + f"\nextern {head[0]};\nstatic double out[1024];\n"
        self.write("call.c", f"{top}void side_call(const unsigned char *p) {{ {load} memset(out, 0, sizeof out); {call} }}\n")
        self.write("esbmc.c", f"{top}int main(void) {{ {begin} {call} return 0; }}\n")
        self.sources = [self.file]  # with the files of the functions that it calls
        for f in self.sources:
            more = {lib.defined.get(n) for n in lib.undefined.get(f, ())}
            self.sources += sorted(more - set(self.sources) - {None})
        defines = [f"-DLENGTH={self.length}", '-DTYPES="%s"' % "".join(CODE[t] for t, _ in self.inputs)]
        here = lambda *words: must([w for part in words for w in ([part] if isinstance(part, str) else part)], cwd=self.dir)
        for kind, cc, cover, end in [("gcov", "gcc", "--coverage", ["--coverage"]),
                                     ("fuzz", "clang", "-fsanitize=fuzzer-no-link", [ARGS.libfuzzer, "-lstdc++", "-lpthread"])]:
            here(cc, "-w", "-O0", "-g", cover, "-c", self.file, "-o", f"{kind}.o", lib.options, lib.include)
            here("gcc", "-w", "-O0", "-fno-builtin", "-c", "call.c")
            # The names are made local: libFuzzer itself calls `log` and `exp`, but must not call the ones under test.
            here("ld", "-r", f"{kind}.o", "call.o", lib.objects + "/objects.a", "-o", f"{kind}-all.o")
            here("objcopy", "--keep-global-symbol=side_call", f"{kind}-all.o")
            here(cc, "-w", "-O1", "-D" + kind.upper(), defines, "-c", CALLER, "-o", "main.o")
            here(cc, "main.o", f"{kind}-all.o", "-o", kind, end, "-lm")
        static = {s.split()[-1] for s in here("nm", "gcov.o").splitlines() if s.split()[-2] == "t"}
        self.counted, self.more_functions = static | {self.name}, len(static - {"_sub_I_00100_0", "_sub_D_00100_1"}) > 0

    def write(self, name, what):
        with open(join(self.dir, name), "wb") as f:
            f.write(what.encode() if isinstance(what, str) else what)
        return f.name

    def measure(self, mode, path="-", lo=0, hi=1 << 62, seconds=1e9):
        """All branches of the function and of static functions in its file, those that the inputs take, and the number of calls."""
        for g in glob.glob(self.dir + "/*.gcda"):
            os.remove(g)
        out, taken, every = run(["./gcov", mode, path, str(lo), str(hi), str(seconds)], cwd=self.dir)[1], set(), set()
        for f in json.loads(must(["gcov", "--json-format", "--stdout", "-b", "gcov.gcno"], cwd=self.dir))["files"]:
            for line in f["lines"] if basename(f["file"]) == basename(self.file) else ():
                for k, b in enumerate(line["branches"] if line.get("function_name") in self.counted else ()):
                    branch = line["line_number"], k, line["function_name"]
                    every.add(branch)
                    taken.update([branch] * (b["count"] > 0))
        return every, taken, int(out)

    def replay(self, records, tool):
        path = self.write(tool + ".bin", b"".join(records))
        return self.measure("f", path, 0, len(records))[1], ("f", path, len(records))

    def magneto(self, more):
        out = join(self.dir, "magneto" + "".join(more))
        must(["rm", "-rf", out])
        code, text, cpu = run([ARGS.magneto, "cover", self.file, "--fn", self.name, "--seconds", str(ARGS.seconds), "-o", out, "--quiet"]
                              + self.lib.include + more + [w for o in self.lib.options for w in ("--cflags", o)])
        if code:
            print(f"  {self.name}: magneto's exit code is {code}: {text[-300:]}")
        rows = list(csv.DictReader(open(out + "/tests.csv"))) if exists(out + "/tests.csv") else []
        value = lambda t, s: float.fromhex(s) if t in ("float", "double") else int(s, 0)
        return [b"".join(struct.pack(CODE[t], value(t, row.get(n) or "0")) for t, n in self.inputs) for row in rows], cpu

    def fuzz(self):
        must(["rm", "-rf", self.dir + "/corpus"])
        os.mkdir(self.dir + "/corpus")
        self.write("corpus/zeros", bytes(self.length))
        run(["./fuzz", f"-max_len={self.length}", "-len_control=0", "-timeout=0", "-use_value_profile=1", "-reduce_inputs=0", "-seed=1",
             "-handle_segv=0", "-handle_fpe=0", "corpus"], ARGS.seconds, cwd=self.dir)
        return [b for b in (open(f, "rb").read() for f in sorted(glob.glob(self.dir + "/corpus/*"))) if len(b) == self.length]

    def esbmc(self, seconds):
        """(CPU time, input) of each trace, and why it ended. First with the function's own file alone, where calls return
        anything: fast, and whether the inputs are right is seen when they are replayed. Then with all files and rising
        bounds of loops, since some branches need a large one. No run may use more than half of the time left."""
        found, used, note = [], 0, ""
        alone = [self.file], ["--no-library"]
        for bound, (files, more) in [(1, alone), (3, alone)] + [(n, (self.sources, [])) for n in (3, 12, 60, 300)]:
            value = {}

            def line(text, at):
                m = re.match(r"\s+in_(\d+) = .*\(([01 ]+)\)\s*$", text)
                if m:
                    value[int(m[1])] = int(m[2].replace(" ", ""), 2)
                elif text.startswith("Reached:"):
                    found.append((used + at, b"".join(value.get(k, 0).to_bytes(SIZE[t], "little") for k, (t, _) in enumerate(self.inputs))))
                elif text.startswith("[Reachability trace]"):
                    value.clear()
            code, out, cpu = run([ARGS.esbmc, "esbmc.c"] + files + self.lib.include + [o for o in self.lib.options if o[:2] == "-D"] + [
                "--condition-coverage", "--unwind", str(bound), "--no-unwinding-assertions", "--no-bounds-check", "--no-pointer-check",
                "--no-div-by-zero-check", "--memlimit", "8g"] + more,
                max(1, round((seconds - used) / 2)), line, cwd=self.dir)
            used += cpu
            note = "time" if code < 0 else "" if "[Coverage]" in out else next((l.strip() for l in out.splitlines() if "rror" in l), "")
            if used > seconds - 0.5 or not more and code >= 0 and "unwinding bound cut off" not in out:
                break  # the time is over, or no loop was cut, so that a larger bound says nothing new
        return found, used, note

    def first(self, how, branch):
        """The first input that takes the branch, found by halving."""
        (mode, path, hi), lo, text, at = how, 0, [], 0
        while hi - lo > 1:
            part = mode, path, lo, (lo + hi) // 2
            if part not in self.parts:
                self.parts[part] = self.measure(*part)[1]
            lo, hi = (lo, part[3]) if branch in self.parts[part] else (part[3], hi)
        if mode != "f":
            return f"random input {lo} of mode {mode}"
        b = open(path, "rb").read()[lo * self.length:]
        for t, n in self.inputs:
            v = struct.unpack_from(CODE[t], b, at)[0]
            text, at = text + [f"{n} = {v.hex() if isinstance(v, float) else v}"], at + SIZE[t]
        return ", ".join(text)

    def look(self, long):
        """A row of the table; and the branches that others take and Magneto leaves, and those that none takes."""
        taken, how, row = {}, {}, {"library": self.lib.name, "function": self.name, "inputs": " ".join(t for t, _ in self.inputs)}
        for tool, more in (("magneto", []), ("magneto_callees", ["--callees"])):
            if tool == "magneto" or self.more_functions:  # --callees asks for the branches of called functions, too
                records, row[tool + "_seconds"] = self.magneto(more)
            taken[tool], how[tool] = self.replay(records, tool)
            row[tool + "_calls"] = len(records)
        for tool, mode in (("random_bits", "b"), ("random_100", "s")):
            every, taken[tool], n = self.measure(mode, seconds=ARGS.seconds)
            how[tool], row[tool + "_calls"] = (mode, "-", n), n
        taken["libfuzzer"], how["libfuzzer"] = self.replay(self.fuzz(), "libfuzzer")
        for tool, limit in (("esbmc", ARGS.seconds), ("esbmc_long", ARGS.long_seconds))[:1 + long]:
            records, row[tool + "_seconds"], row[tool + "_note"] = self.esbmc(limit)
            taken[tool], how[tool] = self.replay([r for t, r in records if t <= limit], tool)
        row.update(branches=len(every), any=len(set().union(*taken.values())), **{t: len(s) for t, s in taken.items()})
        said = json.load(open(self.dir + "/magneto/cover.json"))["branches"] if row["magneto_calls"] else []
        row.update({"magneto_says_" + s: sum(b["status"].startswith(s) for b in said) for s in ("taken", "infeasible", "open")})
        name = lambda b: f"{self.lib.name} {self.name}: {basename(self.file)}:{b[0]} branch {b[1]} in {b[2]}: `{self.text.splitlines()[b[0] - 1].strip()}`"
        lost, union = [], set().union(*taken.values())
        for b in sorted(union - taken["magneto"]):
            by = [t for t in TOOLS[1:] if b in taken.get(t, ())]
            best = min(by, key=lambda t: how[t][2])  # the fewest inputs are the quickest to halve
            status = sorted({x["status"] for x in said if x["line"] == b[0]}) or ["no goal without --callees"]
            lost.append(f"{name(b)}; taken by {', '.join(by)}; {best}: {self.first(how[best], b)}; Magneto of the line: {', '.join(status)}")
        return row, lost, [name(b) for b in sorted(every - union)]

def main():
    rows, lost, none, number = [], [], [], 0
    for lib in [Library(n, getattr(ARGS, n)) for n in LIBRARIES if getattr(ARGS, n)]:
        for word in lib.words:
            number += 1
            if word not in (ARGS.only or lib.words):
                continue
            row, l, n = Function(lib, word).look(number % ARGS.long_every == 0)
            rows, lost, none = rows + [row], lost + l, none + n
            print(row["function"], row["branches"], {t: row[t] for t in TOOLS if t in row}, flush=True)
            names = ["library", "function", "inputs", "branches", "any"] + TOOLS
            with open(ARGS.out + ".csv", "w") as out:
                w = csv.DictWriter(out, names + sorted({k for r in rows for k in r} - set(names)), lineterminator="\n")
                w.writerows([dict(zip(w.fieldnames, w.fieldnames))] + rows)
            with open(ARGS.out + ".txt", "w") as out:
                for group in [[n] for n in LIBRARIES] + [list(LIBRARIES)]:
                    total = lambda key, has: sum(r[key] for r in rows if r["library"] in group and has in r)
                    out.write(f"{group}" + "".join(f", {t} {total(t, t)} of {total('branches', t)}" for t in ["any"] + TOOLS) + "\n")
                out.write("\nTaken by another tool, not by Magneto\n" + "\n".join(lost) + "\n\nTaken by none\n" + "\n".join(none) + "\n")

if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ["magneto", "esbmc", "libfuzzer", "work", "out"] + list(LIBRARIES):
        p.add_argument("--" + name, required=name not in LIBRARIES, type=abspath)
    for name, default, text in (("seconds", 5, "of CPU time for a function"), ("long-seconds", 60, "a second limit, for ESBMC"),
                                ("long-every", 18, "every N-th function has it"), ("core", 0, "where all runs")):
        p.add_argument("--" + name, type=int, default=default, help=text)
    p.add_argument("--only", action="append", help="this function only; repeatable")
    ARGS = p.parse_args()
    main()
