"""Reads FPCores into one graph in which equal expressions are one node.

Written from the FPCore 2.0 standard; of `tensor*` each element sees its variables updated, as in FPBench's interpreter. `let` is resolved by substitution, so
that what is bound is one node however often it is used. A loop is run: each round gives its variables other nodes, and its
condition must be a constant each time. An array is a list.
"""

import math
import operator
import re
from fractions import Fraction
from functools import lru_cache
from itertools import product

from .fixedpoint import ROUNDED, FixedPoint, computed, grid_of, grid_of_number
from .formats import PARAMETERS, fixed, format_name, includes, is_value, largest, nearest_value, rational, smallest, ulp

CONSTANTS = {
    "E", "LOG2E", "LOG10E", "LN2", "LN10", "PI", "PI_2", "PI_4", "M_1_PI", "M_2_PI", "M_2_SQRTPI", "SQRT2", "SQRT1_2",
}
COMPARISONS = {"<", ">", "<=", ">=", "==", "!="}
# How often the loops of a formula may go round, and the bits of a number that is computed for a condition.
MOST_ROUNDS, MOST_BITS = 1_000_000, 1 << 16
# So many rounds of a loop are followed where each may be the last.
OPEN_ROUNDS = 100
CLASSES = {"isfinite", "isinf", "isnan", "isnormal", "signbit"}


class Unreadable(ValueError):
    """A file that does not say what it should; the text says what is wrong."""


class Text(str):
    """A string literal, to be told from a symbol."""


TOKEN = re.compile(r"""\s+|;[^\n]*|([()\[\]])|"((?:[^"\\]|\\.)*)"|([^\s()\[\]";]+)""", re.DOTALL)


def tokens(text):
    """The tokens of a text."""
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise Unreadable(f"no token at {text[at:at + 20]!r}")
        at = found.end()
        bracket, string, word = found.groups()
        if word is not None:
            yield word
        elif bracket is not None:
            yield "(" if bracket in "([" else ")"
        elif string is not None:
            yield Text(string)


def trees(text, most=None):
    """The S-expressions of a text, as nested lists; the first `most` ones."""
    stack = [[]]
    for token in tokens(text):
        if isinstance(token, Text) or token not in ("(", ")"):
            stack[-1].append(token)
        elif token == "(":
            stack.append([])
        else:
            done = stack.pop()
            if not stack:
                raise Unreadable("a bracket closes what none opens")
            stack[-1].append(done)
            if len(stack) == 1 and len(stack[0]) == most:
                return stack[0]
    if len(stack) != 1:
        raise Unreadable("a bracket is not closed")
    return stack[0]


@lru_cache(maxsize=100_000)
def number(token):
    """The rational number that a token spells; None if it spells none."""
    sign, digits = (-1, token[1:]) if token.startswith("-") else (1, token.removeprefix("+"))
    if not digits or not (digits[0].isdigit() or digits[0] == "."):
        return None
    if digits.lower().startswith("0x"):
        mantissa, _, exponent = digits[2:].lower().partition("p")
        whole, _, rest = mantissa.partition(".")
        value = Fraction(int(whole + rest, 16), 16 ** len(rest)) * Fraction(2) ** int(exponent or 0)
    elif "/" in digits:
        value = Fraction(digits)
    else:
        mantissa, _, exponent = digits.lower().partition("e")
        value = Fraction(mantissa) * Fraction(10) ** int(exponent or 0)
    return sign * value


class Loops:
    """Runs the loops of FPCore for whoever can `build` a tree, and knows the `constant` that a built one is, if it is one."""

    rounds = 0
    # Whether loops that may end in any round are followed.
    follows_open_loops = False

    def run(self, tree, build, scope):
        """What a loop, a tensor, or something about an array is built to."""
        head, rest = tree[0], tree[1:]
        if head == "array":
            return [build(t, scope) for t in rest]
        if head in ("ref", "dim", "size"):
            array = build(rest[0], scope)
            places = [self.index(t, build, scope) for t in rest[1:]]
            if head == "ref":
                for place in places:
                    if not isinstance(array, list) or place >= len(array):
                        raise Unreadable(f"{tree} is no element")
                    array = array[place]
                return array
            sizes = []
            while isinstance(array, list):
                sizes.append(len(array))
                array = array[0]
            return self.number_of(sizes[places[0]] if head == "size" else len(sizes), build)
        if head in ("tensor", "tensor*"):
            *variables, body = rest[1:]
            inner = scope | {name: build(init, scope) for name, init, _ in variables[0]} if variables else dict(scope)
            return self.tensor(rest[0], (variables[0] if variables else [], body), build, inner, {})
        if head in ("while", "while*"):
            return self.guarded(head, rest, build, scope)
        inner = scope | {name: build(init, scope) for name, init, _ in rest[1]}
        sizes = [range(self.index(size, build, scope)) for _, size in rest[0]]
        for places in product(*sizes):
            seen = inner | {name: self.number_of(k, build) for (name, _), k in zip(rest[0], places)}
            inner = inner | self.updated(head, rest[1], build, seen)
        return build(rest[2], inner)

    def tensor(self, indices, element, build, scope, places):
        """The elements in order; `scope` keeps what the variables become from one to the next."""
        if not indices:
            variables, body = element
            scope |= self.updated("for*", variables, build, scope | places)
            return build(body, scope | places)
        (name, size), more = indices[0], indices[1:]
        count = self.index(size, build, scope)
        return [self.tensor(more, element, build, scope, places | {name: self.number_of(k, build)}) for k in range(count)]

    def guarded(self, head, rest, build, scope):
        condition, variables, body = rest
        inner = dict(scope)
        for name, init, _ in variables:
            inner[name] = build(init, inner if head == "while*" else scope)
        seen, ends, followed = set(), [], 0
        while True:
            test = build(condition, inner)
            goes_on = self.constant(test)
            if goes_on is None:
                if not self.follows_open_loops:
                    raise Unreadable("whether a loop goes on depends on the inputs")
                ends.append((test, build(body, inner)))
            elif not goes_on:
                last = build(body, inner)
                break
            followed += bool(ends)
            if followed > OPEN_ROUNDS:
                last = self.unknown(ends[-1][1], (repr((head, condition, variables, body)), *flat(list(inner.values()))))
                break
            state = frozen(["nodes", *(inner[name] for name, _, _ in variables)])
            known = frozen(["numbers", *(self.known(inner[name]) for name, _, _ in variables)])
            if state in seen or known in seen and not ends:
                # What decides has been so before: the loop has ended by now, or never ends and has no value.
                last = self.nothing(build(body, inner), build)
                break
            seen |= {state, known}
            inner = inner | self.updated(head, variables, build, inner)
        for test, value in reversed(ends):
            last = self.chosen(test, last, value)
        return last

    def nothing(self, built, build):
        """No value for each element of what was built."""
        return [self.nothing(b, build) for b in built] if isinstance(built, list) else build(["/", "1", "0"], {})

    def unknown(self, built, key):
        """For each element of what was built a node of which nothing is known, but that it is the same for the same key."""
        if isinstance(built, list):
            return [self.unknown(b, (k, *key)) for k, b in enumerate(built)]
        return self.node("unknown", self.keys.setdefault(key, len(self.keys)))

    def updated(self, head, variables, build, scope):
        """The next values of the variables of a loop: with a star each sees those before it."""
        self.count()
        seen, found = dict(scope), {}
        for name, _, update in variables:
            found[name] = build(update, seen if head.endswith("*") else scope)
            seen[name] = found[name]
        return found

    def count(self):
        self.rounds += 1
        if self.rounds > MOST_ROUNDS:
            raise Unreadable("the loops go round too often")

    def known(self, built):
        return [self.known(b) for b in built] if isinstance(built, list) else self.constant(built)

    def number_of(self, k, build):
        """What an index or a size is built to."""
        return build(str(k), {})

    def index(self, tree, build, scope):
        """The number of an index or a size."""
        return self.natural(build(tree, scope))

    def natural(self, built):
        value = None if isinstance(built, list) else self.constant(built)
        if value is None or isinstance(value, bool) or value != int(value) or value < 0:
            raise Unreadable("a size or an index is no natural number")
        return int(value)


def choose(yes, no, made):
    """What is `made` of both sides of an `if`; of arrays an array of such."""
    if isinstance(yes, list) or isinstance(no, list):
        if not isinstance(yes, list) or not isinstance(no, list) or len(yes) != len(no):
            raise Unreadable("the sides of an if differ in size")
        return [choose(y, n, made) for y, n in zip(yes, no)]
    return made(yes, no)


class Graph(Loops):
    """Nodes by number; the same node is made once."""

    follows_open_loops = True

    def __init__(self):
        self.nodes = []
        self.numbers = {}
        # The rational numbers and truth values of nodes that depend on no input.
        self.constants = {}
        # What is not known, by what it depends on.
        self.keys = {}
        # The formats of the inputs, and of a program the one in which it computes, or its fixed point.
        self.formats, self.context = [], None
        # What becomes of numbers of fixed point beyond their ends, where nothing else is said.
        self.overflow = "infinity"
        # Of nodes with formats, whether all values fit.
        self.fitting = {}
        # Of nodes of programs in fixed point, the grids on which their values are; and whether one has a loop, of whose variables
        # more is known in each round than of all together, so that fewer roundings are written.
        self.grids, self.has_loop_in_fixed_point = {}, False

    def node(self, *parts):
        """The number of a node: its kind and its operands."""
        if parts not in self.numbers:
            self.numbers[parts] = len(self.nodes)
            self.nodes.append(parts)
        return self.numbers[parts]

    def build(self, tree, scope):
        """The node of an expression; `scope` gives the nodes of its variables."""
        if isinstance(tree, str):
            return self.leaf(tree, scope)
        head, rest = tree[0], tree[1:]
        if head == "!":
            return self.in_context(tree, scope)
        if head == "cast":
            return self.held(self.build(tree[-1], scope))
        if head in ("let", "let*"):
            inner = dict(scope)
            for name, value in rest[0]:
                inner[name] = self.build(value, inner if head == "let*" else scope)
            return self.build(rest[1], inner)
        if head == "digits":
            mantissa, power, base = (number(part) for part in rest)
            value = mantissa * base ** int(power)
            return self.held(self.node("number", value.numerator, value.denominator))
        if head in LOOPS:
            self.has_loop_in_fixed_point |= self.is_fixed() and head.rstrip("*") in ("while", "for", "tensor")
            return self.run(tree, self.build, scope)
        args = [self.build(a, scope) for a in rest]
        if head in COMPARISONS:
            return self.chain(head, args)
        if head == "if":
            return self.chosen(*args)
        if head in ("and", "or", "not") or head in CLASSES:
            return self.node(head, *args)
        if head in PARAMETERS:
            return self.nearest(head, args[0])
        args = list(map(self.held, args))
        if head == "-" and len(args) == 1:
            head = "neg"
        if head in "+-*/" and len(args) > 2:
            value = args[0]
            for more in args[1:]:
                value = self.result(head, value, more)
            return value
        return self.result(head, *args)

    def result(self, head, *args):
        """The node of an operation on nodes, in a program rounded."""
        value = self.node(head, *args)
        if self.is_fixed():
            return self.in_fixed_point(value, computed(head, [self.grid(a) for a in args]))
        return value if head in WITHOUT_ROUNDING else self.held(value)

    def no_value(self):
        """The node of an expression that has no value."""
        return self.node("/", self.node("number", 1, 1), self.node("number", 0, 1))

    def is_fixed(self):
        """Whether a program computes in fixed point here."""
        return isinstance(self.context, FixedPoint)

    def in_context(self, tree, scope):
        """What has a rounding context around it, which counts in a program."""
        before = self.context, self.overflow
        self.context = self.context and self.named_format(tree)
        built = self.build(tree[-1], scope)
        self.context, self.overflow = before
        return built

    def named_format(self, tree):
        """The format of a rounding context."""
        return self.arithmetic(dict(zip(tree[1:-1:2], tree[2:-1:2])), self.context)

    def arithmetic(self, stated, outside):
        """How a program computes where these properties are stated: a format's name, or fixed point."""
        was_fixed = isinstance(outside, FixedPoint)
        direction = stated.get(":round", outside.direction if was_fixed else "nearestEven")
        self.overflow = overflow = stated.get(":overflow", self.overflow)
        own = stated.get(":precision", f"fixed {outside.scale} {outside.bits}".split() if was_fixed else outside)
        name = format_name(own) or ""
        if fixed(name) and direction in ROUNDED and overflow in ("infinity", "clamp", "wrap"):
            # An `integer` has no end.
            return FixedPoint(*fixed(name), direction, "infinity" if own == "integer" else overflow)
        if direction != "nearestEven" or name not in PARAMETERS:
            raise Unreadable("a program rounds otherwise")
        return name

    def held(self, built):
        """In a program, a value in its format."""
        if self.context is None:
            return built
        if isinstance(built, list):
            return [self.held(b) for b in built]
        return self.in_fixed_point(built, self.grid(built)) if self.is_fixed() else self.nearest(self.context, built)

    def in_fixed_point(self, node, exact):
        """A value in the fixed point of the context; `exact` is the grid of its values, where one is known."""
        own, (kind, *rest) = self.context, self.nodes[node]
        value = own.nearest(Fraction(*rest)) if kind == "number" else None
        if value is not None:
            return self.node("number", value.numerator, value.denominator)
        if exact is not None and own.grid.has(exact):
            if kind != "if":
                # That of a choice is that of its sides, as they are used here.
                self.grids[node] = exact
            return node
        rounded = own.rounded(self, node, exact)
        self.grids[rounded] = own.grid
        return rounded

    def grid(self, node):
        """The grid of a node's values, where one is known."""
        if node in self.grids:
            return self.grids[node]
        kind, *rest = self.nodes[node]
        if kind == "number":
            return grid_of_number(Fraction(*rest))
        if kind == "input":
            own = self.formats[rest[0]] if rest[0] < len(self.formats) else ""
            return grid_of(own) if fixed(own) else None
        if kind == "if":
            sides = [self.grid(side) for side in rest[1:]]
            return None if None in sides else sides[0].union(sides[1])
        return None

    def number_of(self, k, build):
        return self.node("number", k, 1)

    def index(self, tree, build, scope):
        # Indices are no numbers of a program.
        before, self.context = self.context, None
        found = super().index(tree, build, scope)
        self.context = before
        return found

    def nearest(self, name, node):
        """The node rounded to a format: itself if all of its values are numbers of the format."""
        return node if self.fits(node, name) else self.node(name, node)

    def without_roundings(self, node):
        """What a node is without what is rounded to a format."""
        kind, *rest = self.nodes[node]
        if kind in PARAMETERS:
            return self.without_roundings(rest[0])
        is_leaf = kind in ("number", "bool", "constant", "input", "unknown")
        return node if is_leaf else self.node(kind, *map(self.without_roundings, rest))

    def otherwise(self, node, condition):
        """A node with the other side of each `if` that has this condition."""
        made = {}

        def other(node):
            if node not in made:
                kind, *rest = self.nodes[node]
                if kind == "if" and rest[0] == condition:
                    made[node] = rest[2]
                else:
                    is_leaf = kind in ("number", "bool", "constant", "input", "unknown")
                    made[node] = node if is_leaf else self.node(kind, *map(other, rest))
            return made[node]

        return other(node)

    def fits(self, node, name):
        """Whether all values of a node are numbers of a format by what it is made of."""
        grid = self.grids.get(node)
        if grid is not None:
            return grid.is_in(name)
        if (node, name) not in self.fitting:
            self.fitting[node, name] = self.fits_by(name, *self.nodes[node])
        return self.fitting[node, name]

    def fits_by(self, name, kind, *rest):
        if kind == "number":
            return is_value(rational(Fraction(*rest)), name)
        if kind == "input":
            return rest[0] < len(self.formats) and includes(name, self.formats[rest[0]])
        if kind in PARAMETERS:
            return includes(name, kind)
        if kind in TRUTHS:
            return True
        if kind == "/" and self.constant(rest[1]) == 0:
            # There is none.
            return True
        value = self.constant(self.node(kind, *rest))
        if isinstance(value, Fraction):
            return is_value(rational(value), name)
        of = {"if": rest[1:], "copysign": rest[:1]}.get(kind, rest)
        return kind in WITHOUT_ROUNDING and all(self.fits(part, name) for part in of)

    def chosen(self, condition, yes, no):
        """An `if`; of arrays an array of such."""
        return choose(yes, no, lambda y, n: self.node("if", condition, y, n))

    def constant(self, node):
        """The rational number or truth value of a node that depends on no input; None of any other, and where it is not so known."""
        if node not in self.constants:
            self.constants[node] = self.compute(*self.nodes[node])
        return self.constants[node]

    def compute(self, kind, *rest):
        if kind == "number":
            return Fraction(*rest)
        if kind == "bool":
            return rest[0]
        if kind in ("input", "constant", "unknown"):
            return None
        if kind == "if":
            holds = self.constant(rest[0])
            return None if holds is None else self.constant(rest[1] if holds else rest[2])
        args = [self.constant(a) for a in rest]
        if kind in PARAMETERS and args[0] is not None:
            y = nearest_value(rational(args[0]), kind)
            return None if y is None else Fraction(int(y.p), int(y.q))
        if None in args or kind not in EXACT or kind in ("/", "fmod", "remainder") and args[1] == 0:
            return None
        value = EXACT[kind](*args)
        is_long = isinstance(value, Fraction) and max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS
        return None if is_long else value

    def leaf(self, token, scope):
        if token in scope:
            return scope[token]
        if token in ("TRUE", "FALSE"):
            return self.node("bool", token == "TRUE")
        if token in CONSTANTS:
            return self.held(self.node("constant", token))
        if token == "NAN":
            nothing = self.no_value()
            if self.is_fixed():
                self.grids[nothing] = self.context.grid
            return nothing
        value = number(token)
        if value is None:
            raise Unreadable(f"{token} is unknown")
        return self.held(self.node("number", value.numerator, value.denominator))

    def chain(self, relation, args):
        """A comparison of many is one of neighbours, or of all pairs for `!=`."""
        n = len(args)
        pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if relation == "!=" or j == i + 1]
        return self.node("and", *(self.node(relation, args[i], args[j]) for i, j in pairs))


class Core:
    """What the judge needs of one FPCore: names, formats, precondition, body and accuracy. Of several results `place` says which
    one is meant, counted from 0, and how many there are, and `sizes` has the numbers that names of sizes stand for."""

    def __init__(self, graph, tree, place=(0, 1), sizes={}):
        if not isinstance(tree, list) or tree[0] != "FPCore":
            raise Unreadable("not an FPCore")
        rest = tree[1:] if isinstance(tree[1], list) else tree[2:]
        arguments = self.arguments = [argument(a, sizes) for a in rest[0]]
        self.names = [name for _, sizes, own in arguments for name in elements(own, sizes)]
        self.properties = {}
        i = 1
        while isinstance(rest[i], str) and rest[i].startswith(":"):
            self.properties[rest[i]] = rest[i + 1]
            i += 2
        inputs = {name: graph.node("input", k) for k, name in enumerate(self.names)}
        scope = self.scope = {own: nested(own, counts, inputs) for _, counts, own in arguments}
        scope |= {name: graph.node("number", n, 1) for name, n in sizes.items()}
        self.read_formats(arguments)
        graph.rounds, graph.formats = 0, self.formats
        self.tree = rest[i]
        self.is_program = self.properties.get(":magneto-meaning") == "program"
        graph.overflow = "infinity"
        graph.context = graph.arithmetic(self.properties, "binary64") if self.is_program else None
        built = graph.held(graph.build(rest[i], scope))
        graph.context = None
        results = flat(built)
        if len(results) != place[1]:
            raise Unreadable(f"the body has {len(results)} results, not {place[1]}")
        self.body = results[place[0]]
        if sizes:
            base = self.properties.get(":name") or (tree[1] if isinstance(tree[1], str) else None)
            self.properties[":name"] = Text(".".join([*([base] if base else []), *(f"{n}={sizes[n]}" for n in sizes)]))
        if place[1] > 1:
            self.properties[":name"] = self.result_name(tree, places(built)[place[0]], place[0])
        self.pre = graph.build(self.properties.get(":pre", "TRUE"), scope)
        if self.properties.get(":magneto-overflow") == "saturate":
            ends = [graph.node("number", int(x.p), int(x.q)) for x in (smallest(self.result), largest(self.result))]
            self.body = graph.node("fmin", graph.node("fmax", self.body, ends[0]), ends[1])
        wraps = self.properties.get(":magneto-overflow") == "wrap"
        self.response = self.properties.get(":magneto-out-of-range", "reject")
        bound = lambda key: number(own_bound(self.properties[key], place)) if key in self.properties else None
        ulps = own_bound(self.properties.get(":magneto-ulps"), place)
        if isinstance(ulps, str):
            ulps = [ulps, self.result]
        ulps = (number(ulps[0]), format_name(ulps[1]) or ulps[1]) if ulps else None
        absolute = bound(":magneto-abs-error")
        if ulps and fixed(ulps[1]):
            # All of its ulps are as long.
            length = ulp(0, ulps[1])
            length = ulps[0] * Fraction(int(length.p), int(length.q))
            absolute, ulps = length if absolute is None else max(absolute, length), None
        self.accuracy = (bound(":magneto-rel-error"), absolute, ulps)
        if self.is_program and not any(self.accuracy):
            # The program's own result alone.
            quarter, unit = Fraction(1, 4), fixed(self.result) and Fraction(2) ** fixed(self.result)[0]
            self.accuracy = (None, quarter * unit, None) if unit else (None, None, (quarter, self.result))
        if wraps:
            self.wrap(graph)

    def read_formats(self, arguments):
        """The formats of the inputs and of the result."""
        # Any other precision that FPCore knows stands for binary64.
        known = lambda name: format_name(name) or "binary64"
        self.result = known(self.properties.get(":precision", "binary64"))
        formats = self.properties.get(":magneto-inputs", self.properties.get(":precision", "binary64"))
        is_each = isinstance(formats, list) and isinstance(formats[0], list)
        given = dict(formats) if is_each else {}
        # An input may have its own: (! :precision binary32 x).
        given |= {own: properties[":precision"] for properties, _, own in arguments if ":precision" in properties}
        common = self.properties.get(":precision", "binary64") if is_each else formats
        self.formats = [known(given.get(n, given.get(n.split("[")[0], common))) for n in self.names]

    def wrap(self, graph):
        """A result beyond the format is its remainder, and nothing is owed within three error bounds of an end."""
        if any(self.accuracy[::2]):
            raise Unreadable("what wraps around has an absolute error alone")
        # One ulp is what is owed where nothing is stated.
        unit = ulp(0, self.result)
        bound = Fraction(int(unit.p), int(unit.q)) if self.accuracy[1] is None else self.accuracy[1]
        half = -Fraction(int(smallest(self.result).p), int(smallest(self.result).q))
        inside = half - 3 * bound
        self.body = graph.node("remainder", self.body, graph.node("number", (2 * half).numerator, (2 * half).denominator))
        within = graph.node("<=", graph.node("fabs", self.body), graph.node("number", inside.numerator, inside.denominator))
        self.pre = graph.node("and", self.pre, within)
        self.response = self.properties[":magneto-out-of-range"] = "any"

    def result_name(self, tree, brackets, index):
        """The name of one of several results."""
        base = self.properties.get(":name") or (tree[1] if isinstance(tree[1], str) else None)
        names = self.properties.get(":magneto-results")
        if base is None:
            return Text(names[index]) if names else None
        return Text(f"{base}.{names[index]}" if names else f"{base}{brackets}")


def frozen(built):
    """Lists as tuples, to be looked up."""
    return tuple(map(frozen, built)) if isinstance(built, list) else built


def flat(built):
    """The elements of an array in order; a number alone."""
    return [one for part in built for one in flat(part)] if isinstance(built, list) else [built]


def own_bound(bound, place):
    """Of a list with a bound for each result the one that is meant, else the bound of all."""
    is_each = isinstance(bound, list) and place[1] > 1 and len(bound) == place[1]
    is_bound = lambda b: isinstance(b, list) or number(b) is not None
    return bound[place[0]] if is_each and all(map(is_bound, bound)) else bound


def places(built, before=""):
    """The indices of each element of an array, in brackets and in order."""
    return [p for k, part in enumerate(built) for p in places(part, f"{before}[{k}]")] if isinstance(built, list) else [before]


# What is no number, and is not rounded.
TRUTHS = {"bool", "and", "or", "not", *COMPARISONS, *CLASSES}
# Operations on floats whose results are floats of the same format.
WITHOUT_ROUNDING = {"if", "neg", "fabs", "copysign", "fmin", "fmax", "floor", "ceil", "trunc", "round", "nearbyint", "fmod", "remainder"}
LOOPS = {"while", "while*", "for", "for*", "tensor", "tensor*", "array", "ref", "dim", "size"}
# Operations on rational numbers and truth values.
EXACT = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "neg": operator.neg, "fabs": abs,
    "fmin": min, "fmax": max, "floor": lambda x: Fraction(math.floor(x)), "ceil": lambda x: Fraction(math.ceil(x)),
    "trunc": lambda x: Fraction(math.trunc(x)), "fma": lambda x, y, z: x * y + z,
    "round": lambda x: Fraction(math.floor(abs(x) + Fraction(1, 2))) * (1 if x > 0 else -1),
    "nearbyint": lambda x: Fraction(round(x)), "fdim": lambda x, y: max(x - y, Fraction(0)),
    "fmod": lambda x, y: x - math.trunc(x / y) * y, "remainder": lambda x, y: x - round(x / y) * y,
    "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne, "not": operator.not_, "and": lambda *truths: all(truths), "or": lambda *truths: any(truths),
}


def spelled_argument(tree):
    """The properties, sizes and name of an argument as they are written."""
    if isinstance(tree, str):
        return {}, [], tree
    properties, at = {}, 0
    if tree[0] == "!":
        at = 1
        while tree[at].startswith(":"):
            properties[tree[at]] = tree[at + 1]
            at += 2
    return properties, tree[at + 1 :], tree[at]


def argument(tree, sizes={}):
    """The same; `sizes` has the numbers that names of sizes stand for."""
    properties, spelled, own = spelled_argument(tree)
    return properties, [sizes[size] if size in sizes else int(size) for size in spelled], own


def sizes_of(stated, understood):
    """The numbers that an FPCore has as sizes of its arguments where another one has names: 3 for n, of `(A 3)` and `(A n)`."""
    own, given = [[a for a in next(filter(is_list, tree)) if is_list(a)] for tree in (stated, understood)]
    pairs = [pair for a, b in zip(own, given) for pair in zip(a, b)]
    return {a: int(b) for a, b in pairs if isinstance(a, str) and a != b and number(a) is None and number(b) is not None}


def is_list(tree):
    return isinstance(tree, list)


def elements(name, sizes):
    """The names of the inputs of an argument."""
    return [name + "".join(f"[{k}]" for k in places) for places in product(*map(range, sizes))]


def nested(name, sizes, inputs):
    """The nodes of an argument, as a list of lists for an array."""
    if not sizes:
        return inputs[name]
    return [nested(f"{name}[{k}]", sizes[1:], inputs) for k in range(sizes[0])]


def cores(graph, text):
    """The FPCores of a text."""
    return [Core(graph, tree) for tree in trees(text)]
