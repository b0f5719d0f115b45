"""Specifications whose domains hold a few floats, so that every input can be looked at.

Most contain `(if TRUE A B)` with B nearly A, or A written otherwise: the mutant FALSE asks whether A and B are the same
function on the domain.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from magneto_verify.formats import PARAMETERS, fixed, floor_to, hex_text, largest, rational, step, two_to

UNARY = (
    "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc "
    "tgamma lgamma j0 j1 y0 y1 fabs floor ceil round nearbyint trunc"
).split()
OFTEN_UNARY = ["-", "sqrt", "fabs", "exp", "log", "sin", "cos"]
BINARY = "fmin fmax fdim copysign fmod remainder hypot atan2 pow".split()
CONSTANTS = "0 1 2 3 -1 -2 0.5 0.1 1/3 10 1e-3 180 1.1 7 1e10 1e-20 PI E PI_2 SQRT2 LN2".split()

# Pairs that are the same function on all or on part of the reals.
IDENTITIES = [
    line.split(" = ")
    for line in """(+ u v) = (+ v u)
(- u v) = (- (- v u))
(* u (+ v w)) = (+ (* u v) (* u w))
(/ u v) = (* u (/ 1 v))
(/ (/ u v) w) = (/ u (* v w))
(sqrt (* u u)) = (fabs u)
(* (sqrt u) (sqrt u)) = u
(sqrt (* u v)) = (* (sqrt u) (sqrt v))
(sqrt (/ u v)) = (/ (sqrt u) (sqrt v))
(exp (log u)) = u
(log (exp u)) = u
(pow u 2) = (* u u)
(pow u 3) = (* u (* u u))
(pow u 0.5) = (sqrt u)
(pow u 0) = 1
(pow u -1) = (/ 1 u)
(pow u v) = (exp (* v (log u)))
(/ u u) = 1
(- u u) = 0
(* u 0) = 0
(+ (* (sin u) (sin u)) (* (cos u) (cos u))) = 1
(tan u) = (/ (sin u) (cos u))
(sinh u) = (/ (- (exp u) (exp (- u))) 2)
(cosh u) = (/ (+ (exp u) (exp (- u))) 2)
(tanh u) = (/ (sinh u) (cosh u))
(expm1 u) = (- (exp u) 1)
(log1p u) = (log (+ 1 u))
(exp2 u) = (pow 2 u)
(log2 u) = (/ (log u) (log 2))
(log10 u) = (/ (log u) LN10)
(log (* u v)) = (+ (log u) (log v))
(log (* (+ 2 u) (sqrt v))) = (+ (log (+ u 2)) (* 0.5 (log v)))
(log (* u u)) = (* 2 (log (fabs u)))
(fmin u v) = (- (fmax (- u) (- v)))
(fmax u v) = (/ (+ (+ u v) (fabs (- u v))) 2)
(fdim u v) = (fmax (- u v) 0)
(fmin u v) = (if (< u v) u v)
(fabs u) = (if (>= u 0) u (- u))
(hypot u v) = (sqrt (+ (* u u) (* v v)))
(copysign u v) = (if (>= v 0) (fabs u) (- (fabs u)))
(copysign 1 u) = (/ u (fabs u))
(floor u) = (- (ceil (- u)))
(trunc u) = (copysign (floor (fabs u)) u)
(round u) = (floor (+ u 0.5))
(nearbyint u) = (round u)
(fmod u v) = (- u (* v (trunc (/ u v))))
(remainder u v) = (- u (* v (nearbyint (/ u v))))
(atan2 u v) = (atan (/ u v))
(asin u) = (- (/ PI 2) (acos u))
(atan (/ 1 u)) = (- PI_2 (atan u))
(erfc u) = (- 1 (erf u))
(erf (- u)) = (- (erf u))
(cbrt (* u (* u u))) = u
(cbrt u) = (copysign (pow (fabs u) 1/3) u)
(tgamma (+ u 1)) = (* u (tgamma u))
(lgamma u) = (log (fabs (tgamma u)))
(lgamma (+ u 1)) = (+ (lgamma u) (log u))
(sin (+ u PI)) = (- (sin u))
(sin (* 2 (* PI u))) = (* 2 (* (sin (* PI u)) (cos (* PI u))))
(cos (* 2 u)) = (- 1 (* 2 (* (sin u) (sin u))))
(sin (asin u)) = u
(asin (sin u)) = u
(acosh (cosh u)) = (fabs u)
(asinh u) = (log (+ u (sqrt (+ (* u u) 1))))
(atanh u) = (/ (log (/ (+ 1 u) (- 1 u))) 2)
(fma u v w) = (+ (* u v) w)
(/ (- (* u u) (* v v)) (- u v)) = (+ u v)
(- (* u u) (* v v)) = (* (- u v) (+ u v))
(- (sqrt (+ u 1)) (sqrt u)) = (/ 1 (+ (sqrt (+ u 1)) (sqrt u)))
(/ (- 1 (cos u)) (* u u)) = (* 1/2 (pow (/ (sin (/ u 2)) (/ u 2)) 2))
(sqrt (* (* u u) v)) = (* u (sqrt v))""".splitlines()
]


# What specifications with loops may call.
CALLED = """(FPCore inner ((a n) (b n)) (for ([i n]) ([s 0 (+ s (* (ref a i) (ref b i)))]) s))
(FPCore scaled ((v n) x) (tensor ([i n]) (* x (+ (ref v i) n))))
(FPCore last ((v n)) (ref (scaled v 2) (- n 1)))
"""


@dataclass
class Made:
    """A specification's text, with all values that each input can take where the precondition allows it."""

    text: str
    values: list


def substitute(text, terms):
    """The text of an identity with terms for u, v and w."""
    for name in "uvw":
        text = text.replace(f"({name} ", f"({terms[name]} ").replace(f" {name})", f" {terms[name]})")
        text = text.replace(f" {name} ", f" {terms[name]} ").replace(f" {name})", f" {terms[name]})")
        text = terms[name] if text == name else text
    return text


class Maker:
    """Makes specifications from a random generator."""

    def __init__(self, random, most_inputs=60, responses=("nan",), loops=False, programs=False):
        self.random, self.most, self.responses, self.loops, self.programs = random, most_inputs, responses, loops, programs
        # The sign of a zero is no part of a program.
        is_there = lambda text: not (programs and re.search("copysign|atan2", text))
        self.binary, self.identities = ([x for x in all_of if is_there(str(x))] for all_of in (BINARY, IDENTITIES))

    def constant(self):
        return self.random.choice(CONSTANTS)

    def leaf(self, names):
        return self.random.choice(names) if self.random.random() < 0.7 else self.constant()

    def term(self, names, depth):
        """A random expression."""
        r = self.random
        if depth == 0 or r.random() < 0.15:
            return self.leaf(names)
        kind = r.random()
        sub = lambda: self.term(names, depth - 1)
        if self.is_fixed and r.random() < 0.2:
            return f"(! {self.context()} {r.choice(['(cast {})', '{}']).format(sub())})"
        if self.programs and not self.is_fixed and r.random() < 0.12:
            name = r.choice(list(PARAMETERS))
            # Another format is no part of a formula that is no program.
            context = r.choice(["! :precision {} ", "! :precision {} (cast "]) if self.is_program else "{} "
            return f"({context.format(name)}{sub()}){')' * context.count('(')}"
        if kind < 0.45:
            return f"({r.choice('+-*/')} {sub()} {sub()})"
        if kind < 0.55:
            return f"({r.choice(OFTEN_UNARY)} {sub()})"
        if kind < 0.75:
            return f"({r.choice(UNARY)} {sub()})"
        if kind < 0.88:
            return f"({r.choice(self.binary)} {sub()} {sub()})"
        if kind < 0.92:
            return f"(fma {sub()} {sub()} {sub()})"
        if kind < 0.97:
            return f"(if {self.condition(names, depth - 1)} {sub()} {sub()})"
        bound = f"t{depth}"
        return f"(let ([{bound} {sub()}]) {self.term([*names, bound], depth - 1)})"

    def condition(self, names, depth):
        r = self.random
        sub = lambda: self.term(names, max(depth - 1, 0))
        plain = f"({r.choice(['<', '<=', '>', '>=', '==', '!='])} {sub()} {sub()})"
        kind = r.random()
        if kind < 0.75:
            return plain
        if kind < 0.85:
            return f"(not {plain})"
        return f"({r.choice(['and', 'or'])} {plain} {self.condition(names, depth - 1)})"

    def nearly(self, text):
        """Something near the value of a term, or far from it."""
        r = self.random
        tiny = r.choice(["1e-9", "1e-12", "1e-17", "1e-30", "1e-320", "1e-3", "0x1p-53"])
        ways = [f"(+ {text} {tiny})", f"(* {text} (+ 1 {tiny}))", f"(* {text} (- 1 {tiny}))", f"(fma {text} {tiny} {text})"]
        return r.choice(ways)

    def near_miss(self, names, depth):
        """`(if TRUE A B)`, or another condition."""
        r = self.random
        identity = r.choice(self.identities)
        if r.random() < 0.5:
            identity = identity[::-1]
        terms = {name: self.term(names, r.randint(0, depth)) for name in "uvw"}
        a, b = (substitute(side, terms) for side in identity)
        if r.random() < 0.3:
            b = self.nearly(b)
        condition = "TRUE" if r.random() < 0.8 else self.condition(names, 1)
        return f"(if {condition} {a} {b})"

    def loop(self, names):
        """A loop that goes round a few times, or a tensor."""
        r = self.random
        small = lambda scope: self.term(scope, r.choice([0, 1, 1, 2]))
        star, count = r.choice(["", "*"]), r.randint(0, 4)
        state = [v for v in ("s", "t") if v == "s" or r.random() < 0.5]
        inner = [*names, *state, "i"]
        kind = r.random()
        if kind < 0.15:
            element = small([*names, "i"])
            sizes, place = (f"[i {max(count, 1)}]", "0") if r.random() < 0.6 else ("[i 2] [j 2]", "1 0")
            if r.random() < 0.5:
                update = r.choice(["(+ s i)", f"(+ s {small([*names, 'i'])})", f"(* s {small([*names, 's', 'i'])})"])
                return f"(let ([A (tensor* ({sizes}) ([s {small(names)} {update}]) {small([*names, 's', 'i'])})]) (+ (ref A {place}) {small(names)}))"
            return f"(let ([A (tensor ({sizes}) {element})]) (+ (ref A {place}) {small(names)}))"
        if kind < 0.3:
            items = " ".join(small(names) for _ in range(max(count, 1)))
            return f"(let ([A (array {items})]) (for{star} ([i (size A 0)]) ([s {small(names)} (+ s (* (ref A i) {small([*names, 's', 'i'])}))]) s))"
        update = lambda: r.choice(["s", small(inner), f"(+ s {small(inner)})", f"(* s {small(inner)})", f"(if (== i {r.randint(0, 3)}) {small(inner)} s)"])
        if kind < 0.6:
            variables = " ".join(f"[{v} {small(names)} {update()}]" for v in state)
            return f"(for{star} ([i {count}]) ({variables}) {small([*names, *state])})"
        step = r.choice(["(+ i 1)", "(+ i 1/2)", "(+ 1 (* 2 i))"])
        variables = [f"[{v} {small(names)} {update()}]" for v in state] + [f"[i 0 {step}]"]
        r.shuffle(variables)
        return f"(while{star} ({r.choice(['<', '<='])} i {count}) ({' '.join(variables)}) {small(inner)})"

    def call(self, names):
        """A call with arrays."""
        r = self.random
        count = r.randint(1, 3)
        term = lambda: self.term(names, r.choice([0, 0, 1, 1, 2]))
        array = lambda: f"(array {' '.join(term() for _ in range(count))})"
        return r.choice([
            f"(inner {array()} {array()})",
            f"(inner (scaled {array()} {term()}) {array()})",
            f"(let ([a {array()}]) (inner a a))",
            f"(last (scaled {array()} {term()}))",
        ])

    def body(self, names):
        r = self.random
        if self.loops:
            loop = self.call(names) if r.random() < 0.25 else self.loop(names)
            return loop if r.random() < 0.6 else f"({r.choice('+-*/')} {loop} {self.term(names, 1)})"
        if r.random() < 0.3:
            return self.term(names, r.randint(1, 4))
        piece = self.near_miss(names, r.choice([0, 1, 1, 2]))
        kind = r.random()
        if kind < 0.7:
            return piece
        if kind < 0.85:
            return f"({r.choice('+-*/')} {piece} {self.leaf(names)})"
        return f"({r.choice(OFTEN_UNARY)} {piece})"

    def context(self):
        """A rounding context of fixed point."""
        r = self.random
        stated = [
            f":precision ({self.fixed_format()})",
            f":round {r.choice(['nearestEven', 'nearestAway', 'toPositive', 'toNegative', 'toZero'])}",
            f":overflow {r.choice(['clamp', 'wrap', 'clamp', 'wrap', 'infinity'])}",
        ]
        return " ".join(r.sample(stated, r.randint(1, 3)))

    def fixed_format(self):
        """A fixed-point format."""
        return f"fixed {self.random.randint(-9, 3)} {self.random.choice([3, 5, 8, 12, 16, 24, 32, 48])}"

    def accuracy(self, result):
        r = self.random
        if self.is_fixed:
            return f":magneto-ulps ({r.choice(['0.25', '0.25', '0.25', '0.5', '2'])} ({result}))"
        p = PARAMETERS[result][0]
        if self.programs and r.random() < 0.6:
            # One number is valid.
            return f":magneto-ulps (0.25 {result})"
        one = r.choice([
            f":magneto-rel-error {r.choice(['1e-10', '1e-6', '1e-3', '0.01', '0.3', '1', '1e-15', '3'])}",
            f":magneto-abs-error {r.choice(['1e-10', '1e-3', '0.1', '1', '1e-20', '1e-300'])}",
            f":magneto-ulps ({r.choice(['1', '0.5', '4', '100'])} {result if r.random() < 0.8 else 'binary32'})",
            f":magneto-rel-error 0x1p-{p - 2}",
        ])
        both = r.random() < 0.25
        kinds = [":magneto-rel-error 1e-4", ":magneto-abs-error 1e-5", f":magneto-ulps (2 {result})"]
        others = [k for k in kinds if k.split()[0] != one.split()[0]]
        return f"{one} {r.choice(others)}" if both else one

    def anchor(self, name):
        """A number of the format around which the values lie."""
        r = self.random
        if fixed(name):
            return floor_to(rational(Fraction(r.choice([0, 0, 1, -1, 2, 0.5, 3, 10, r.uniform(-40, 40)]))), name) or two_to(fixed(name)[0])
        p, emax = PARAMETERS[name]
        plain = ["0", "0", "1", "1", "-1", "2", "1/2", "-1/2", "3", "10", "100", "4", "1.5", "-2", "0.1", "1/3", "1000"]
        circle = ["0.785398163397448309", "1.570796326794896619", "3.141592653589793238", "-1.570796326794896619"]
        pick = r.random()
        if pick < 0.7:
            x = rational(Fraction(r.choice(plain)))
        elif pick < 0.8:
            x = rational(Fraction(r.choice(circle)))
        elif pick < 0.86:
            x = two_to(r.choice([1 - emax, emax, 2 - emax - p, -10, 8]))
        elif pick < 0.88:
            x = largest(name)
        else:
            x = rational(Fraction(r.uniform(-4, 4)))
        return floor_to(x, name)

    def floats(self, name, count):
        """Consecutive values of a format, in order."""
        values = [self.anchor(name)]
        below = self.random.randint(0, count - 1)
        while len(values) <= below and (x := step(values[0], False, name)) is not None:
            values.insert(0, x)
        while len(values) < count and (x := step(values[-1], True, name)) is not None:
            values.append(x)
        return values

    def end(self, x, name, up):
        """An end of a range that includes x and nothing beyond it: relation and number."""
        r = self.random
        beyond = step(x, up, name)
        text = hex_text(x) if r.random() < 0.5 else str(x)
        if beyond is None or r.random() < 0.6:
            return "<=", text
        if r.random() < 0.5:
            return "<", str(beyond)
        return r.choice(["<", "<="]), str((x * 3 + beyond) / 4)

    def condition_on(self, var, values, name):
        """The precondition on one input whose values are consecutive."""
        low, high = self.end(values[0], name, False), self.end(values[-1], name, True)
        if low[0] == high[0]:
            return f"({low[0]} {low[1]} {var} {high[1]})"
        return f"({low[0]} {low[1]} {var}) ({high[0]} {var} {high[1]})"

    def make(self):
        """A specification."""
        r = self.random
        names = ["x", "y", "z"][: r.choice([1, 1, 1, 2, 2, 3])]
        result = r.choice(["binary64", "binary64", "binary32", "binary16", "bfloat16"])
        self.is_program = self.programs and r.random() < 0.8
        self.is_fixed = self.is_program and not self.loops and r.random() < 0.35
        if self.is_fixed:
            result = f"fixed {r.randint(-9, 3)} {r.choice([4, 8, 16, 32])}"
        own = r.random() < 0.3
        formats = [self.fixed_format() if own else result for _ in names] if self.is_fixed else [r.choice(list(PARAMETERS)) if own else result for _ in names]
        counts = [r.randint(1, 10) for _ in names]
        while (product := counts[0] * (counts + [1])[1] * (counts + [1, 1])[2]) > self.most:
            i = counts.index(max(counts))
            counts[i] -= 1
        values, conditions = [], []
        for var, name, count in zip(names, formats, counts):
            if not self.is_fixed and r.random() < 0.06:
                # Many floats in the box, few of them integers.
                low = r.randint(-5, 5)
                numbers = [fmpq(low + i) for i in range(count)]
                conditions.append(f"(<= {low} {var} {low + count - 1}) (== {var} (floor {var}))")
            else:
                numbers = self.floats(name, count)
                conditions.append(self.condition_on(var, numbers, name))
            values.append(numbers)
        if r.random() < 0.2:
            conditions.append(self.condition(names, 1))
        written = lambda name: f"({name})" if fixed(name) else name
        inputs = " ".join(f"({n} {written(f)})" for n, f in zip(names, formats))
        inputs = f" :magneto-inputs ({inputs})" if own else ""
        response = r.choice([""] * 8 + [f" :magneto-out-of-range {r.choice(self.responses)}"])
        pre = f"(and {' '.join(conditions)})"
        meaning = "\n  :magneto-meaning program" if self.is_program else ""
        # What a program calls computes in its format.
        in_format = re.sub(r"^(.*?\)) \((for|tensor|ref) ", rf"\1 :precision {result} (\2 ", CALLED, flags=re.MULTILINE)
        called = in_format if self.is_program else CALLED
        directions = f" {self.context()}" if self.is_fixed else ""
        directions = re.sub(r" :precision \([^)]*\)", "", directions)
        text = (
            f"{called if self.loops else ''}(FPCore meant ({' '.join(names)}) :precision {written(result)}{directions}{inputs}\n  :pre {pre}\n"
            f"  {self.accuracy(result)}{response}{meaning}\n  {self.body(names)})\n"
        )
        return Made(text, values)
