"""Reads FPCores into one graph in which equal expressions are one node.

Written from the FPCore 2.0 standard; of `tensor*` each element sees its variables updated, as in FPBench's interpreter. `let` is resolved by substitution, so
that what is bound is one node however often it is used. An array is a list.
"""

import math
import operator
from fractions import Fraction
from itertools import product

from .fixedpoint import ROUNDED, FixedPoint, computed, grid_of, grid_of_number
from .formats import INTEGERS, PARAMETERS, fixed, format_name, fraction, includes, is_value, largest, nearest_value, rational, smallest, ulp
from .loops import CLASSES, COMPARISONS, OPEN_ROUNDS, Loops, Round, choose, flat, mapped
from .texts import Text, Unreadable, number, spelled, trees

NUMBER, CONDITION = "a number", "a condition"
CONSTANTS = {
    "E", "LOG2E", "LOG10E", "LN2", "LN10", "PI", "PI_2", "PI_4", "M_1_PI", "M_2_PI", "M_2_SQRTPI", "SQRT2", "SQRT1_2",
}
# The bits of a number that is computed for a condition.
MOST_BITS = 1 << 16
# Nodes whose parts are no nodes. A loop is its "rounds" and the nodes with which its variables begin.
LEAVES = {"number", "bool", "constant", "input", "variable", "unknown", "rounds"}


class Graph(Loops):
    """Nodes by number; the same node is made once. The parts of a node are nodes, but for those of leaves."""

    follows_open_loops = True

    def __init__(self):
        self.nodes = []
        self.numbers = {}
        # The rational numbers and truth values of nodes that depend on no input.
        self.constants = {}
        # What is not known, by what it depends on; and by node the loops on whose variables it depends.
        self.keys, self.depths = {}, {}
        # Of loops what they are with their first round written out, and how many rounds of the whole were before.
        self.opened, self.ages = {}, {}
        # The formats of the inputs, and of a program the one in which it computes, or its fixed point.
        self.formats, self.context = [], None
        # What becomes of numbers of fixed point beyond their ends, where nothing else is said.
        self.overflow = "infinity"
        # Of nodes whether they are conditions.
        self.truths = {}
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

    made = node

    def run(self, tree, scope):
        self.has_loop_in_fixed_point |= self.is_fixed() and tree[0].rstrip("*") in ("while", "for", "tensor")
        return super().run(tree, scope)

    def literal(self, value):
        return self.held(self.node("number", value.numerator, value.denominator))

    def refuse_ill_typed(self, tree, args):
        """Refuses an operation with operands that it does not take."""
        head, given = tree[0], len(args)
        if head not in OPERANDS:
            raise Unreadable(f"`{head}` is unknown")
        fewest, most = OPERANDS[head]
        if not fewest <= given <= most:
            takes = f"{fewest}{'' if most == fewest else ' or more'} operand{'' if fewest == most == 1 else 's'}"
            raise Unreadable(f"`{head}` takes {takes}, not {given}, in `{spelled(tree)}`")
        is_logic = head in ("if", "and", "or", "not")
        for part, built in zip(tree[1:2] if head == "if" else tree[1:], args):
            if isinstance(built, list) or self.is_truth(built) is not is_logic:
                self.refuse_other(CONDITION if is_logic else NUMBER, built, part)
        if head == "if" and isinstance(args[1], int) and isinstance(args[2], int):
            self.refuse_other(self.sort(args[1]), args[2], tree[3])

    def refuse_other(self, wanted, built, part, what=None):
        """Refuses what was built of a part of a tree if it is of another sort."""
        if self.sort(built) != wanted:
            raise Unreadable(f"expected {wanted}, but {what or f'`{spelled(part)}`'} is {self.sort(built)}")

    def sort(self, built):
        """What was built: a number, a condition or an array."""
        return "an array" if isinstance(built, list) else CONDITION if self.is_truth(built) else NUMBER

    def is_truth(self, node):
        """Whether a node is a condition."""
        if node not in self.truths:
            kind, *rest = self.nodes[node]
            if kind in ("if", "loop"):
                self.truths[node] = self.is_truth(rest[1] if kind == "if" else self.nodes[rest[0]][1].body)
            else:
                self.truths[node] = kind in TRUTHS or kind in ("variable", "unknown") and rest[-1] is True
        return self.truths[node]

    def operation(self, head, *args):
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

    def in_context(self, stated, tree, scope):
        """What has a rounding context around it, which counts in a program."""
        before = self.context, self.overflow
        self.context = self.context and self.arithmetic(stated, self.context)
        built = self.build(tree, scope)
        self.context, self.overflow = before
        return built

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
            return mapped(self.held, built)
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

    def updated(self, head, variables, scope):
        found = super().updated(head, variables, scope)
        for name, built in found.items():
            if isinstance(built, int):
                self.refuse_other(self.sort(scope[name]), built, name, f"what `{name}` becomes")
        return found

    def variable(self, depth, place, start):
        """The node of a variable of a loop, that is a condition or a number as what it begins with."""
        return self.node("variable", depth, place, *([True] if self.is_truth(start) else []))

    def number_of(self, k):
        return self.node("number", k, 1)

    def index(self, tree, scope):
        # Indices are no numbers of a program.
        before, self.context = self.context, None
        found = super().index(tree, scope)
        self.context = before
        return found

    def nearest(self, name, node):
        """The node rounded to a format: itself if all of its values are numbers of the format."""
        return node if self.fits(node, name) else self.node(name, node)

    def below(self, roots, with_rounds=False):
        """All nodes that some nodes are made of, and themselves; with those of rounds of loops if they are asked for."""
        found, left = set(), list(roots)
        while left:
            node = left.pop()
            if node not in found:
                found.add(node)
                kind, *parts = self.nodes[node]
                is_round = with_rounds and kind == "rounds"
                left.extend(parts[0].nodes() if is_round else [] if kind in LEAVES else parts)
        return found

    def bound(self, node):
        """The loops on whose variables a node depends, as a set of their depths in bits."""
        found = self.depths.get(node)
        if found is None:
            kind, *parts = self.nodes[node]
            if kind == "variable":
                found = 1 << parts[0]
            elif kind == "rounds":
                found = self.bound_of(parts[0].nodes()) & ~(1 << parts[0].depth)
            else:
                found = 0 if kind in LEAVES else self.bound_of(parts)
            self.depths[node] = found
        return found

    def bound_of(self, nodes):
        found = 0
        for node in nodes:
            found |= self.bound(node)
        return found

    def first_round(self, node):
        """A loop as an `if`: whether it goes on, what it returns from the next round on, and what it returns if it ends. The loop itself
        after too many rounds, and where a round changes nothing."""
        if node not in self.opened:
            _, number, *start = self.nodes[node]
            own, age = self.nodes[number][1], self.ages.setdefault(node, 0)
            if age == OPEN_ROUNDS:
                return node
            at = dict(zip(own.variables, start))
            after = self.node("loop", number, *(self.replaced(update, own.depth, at) for update in own.updates))
            if self.ages.setdefault(after, age + 1) <= age:
                return node
            ends = [self.replaced(n, own.depth, at) for n in (own.condition, own.body)]
            self.opened[node] = self.node("if", ends[0], after, ends[1])
        return self.opened[node]

    def replaced(self, node, depth, values):
        """A node with other nodes for the variables of the loop at a depth; `values` is added to."""
        if not self.bound(node) >> depth & 1:
            return node
        if node not in values:
            kind, *parts = self.nodes[node]
            again = lambda part: self.replaced(part, depth, values)
            if kind == "rounds":
                own = parts[0]
                parts = [Round(own.depth, own.variables, again(own.condition), tuple(map(again, own.updates)), again(own.body))]
            else:
                parts = map(again, parts)
            values[node] = self.node(kind, *parts)
        return values[node]

    def without_roundings(self, node):
        """What a node is without what is rounded to a format."""
        kind, *rest = self.nodes[node]
        if kind in PARAMETERS:
            return self.without_roundings(rest[0])
        return node if kind in LEAVES else self.node(kind, *map(self.without_roundings, rest))

    def otherwise(self, node, condition):
        """A node with the other side of each `if` that has this condition."""
        made = {}

        def other(node):
            if node not in made:
                kind, *rest = self.nodes[node]
                if kind == "if" and rest[0] == condition:
                    made[node] = rest[2]
                else:
                    made[node] = node if kind in LEAVES else self.node(kind, *map(other, rest))
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
        if kind in LEAVES or kind == "loop":
            return None
        if kind == "if":
            holds = self.constant(rest[0])
            return None if holds is None else self.constant(rest[1] if holds else rest[2])
        args = [self.constant(a) for a in rest]
        if kind in PARAMETERS and args[0] is not None:
            y = nearest_value(rational(args[0]), kind)
            return None if y is None else fraction(y)
        if None in args or kind not in EXACT or kind in ("/", "fmod", "remainder") and args[1] == 0:
            return None
        value = EXACT[kind](*args)
        is_long = isinstance(value, Fraction) and max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS
        return None if is_long else value

    def leaf(self, token):
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
        return self.literal(value)


class Core:
    """What the judge needs of one FPCore: names, formats, precondition, body and accuracy. Of several results `place` says which
    one is meant, counted from 0, and how many there are, and `sizes` has the numbers that names of sizes stand for."""

    def __init__(self, graph, tree, place=(0, 1), sizes={}):
        if not isinstance(tree, list) or tree[:1] != ["FPCore"]:
            raise Unreadable("not an FPCore")
        try:
            self.read(graph, tree, place, sizes)
        except Unreadable:
            raise
        except RecursionError:
            raise Unreadable("the FPCore is nested too deeply") from None
        except MALFORMED as e:
            raise Unreadable(f"the FPCore is not formed as the standard says: {e}") from e

    def read(self, graph, tree, place, sizes):
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
        graph.refuse_other(NUMBER, self.body, None, "the body")
        if sizes:
            base = self.properties.get(":name") or (tree[1] if isinstance(tree[1], str) else None)
            self.properties[":name"] = Text(".".join([*([base] if base else []), *(f"{n}={sizes[n]}" for n in sizes)]))
        if place[1] > 1:
            self.properties[":name"] = self.result_name(tree, places(built)[place[0]], place[0])
        self.pre = graph.build(self.properties.get(":pre", "TRUE"), scope)
        graph.refuse_other(CONDITION, self.pre, None, "the precondition")
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
            length = ulps[0] * fraction(length)
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
        bound = fraction(unit) if self.accuracy[1] is None else self.accuracy[1]
        half = -fraction(smallest(self.result))
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


def own_bound(bound, place):
    """Of a list with a bound for each result the one that is meant, else the bound of all."""
    is_each = isinstance(bound, list) and place[1] > 1 and len(bound) == place[1]
    is_bound = lambda b: isinstance(b, list) or number(b) is not None
    return bound[place[0]] if is_each and all(map(is_bound, bound)) else bound


def places(built, before=""):
    """The indices of each element of an array, in brackets and in order."""
    return [p for k, part in enumerate(built) for p in places(part, f"{before}[{k}]")] if isinstance(built, list) else [before]


# What is raised where a tree has other parts than are looked for.
MALFORMED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
# How many operands an operation takes at least and at most.
OPERANDS = {
    **dict.fromkeys("""fabs sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf
        erfc tgamma lgamma floor ceil trunc round nearbyint j0 j1 y0 y1 not""".split(), (1, 1)),
    **dict.fromkeys([*CLASSES, *PARAMETERS], (1, 1)),
    **dict.fromkeys("pow atan2 hypot fmin fmax fdim fmod remainder copysign".split(), (2, 2)), "fma": (3, 3), "if": (3, 3),
    **dict.fromkeys("+*/", (2, math.inf)), "-": (1, math.inf), **dict.fromkeys(("and", "or"), (0, math.inf)),
    **dict.fromkeys(COMPARISONS, (1, math.inf)),
}
# What is no number, and is not rounded.
TRUTHS = {"bool", "and", "or", "not", *COMPARISONS, *CLASSES}
# Operations on floats whose results are floats of the same format.
WITHOUT_ROUNDING = {"if", "neg", "fabs", "copysign", "fmin", "fmax", "floor", "ceil", "trunc", "round", "nearbyint", "fmod", "remainder"}
# Operations on rational numbers and truth values.
EXACT = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "neg": operator.neg, "fabs": abs,
    "fmin": min, "fmax": max, **{op: lambda x, rule=rule: Fraction(rule(x)) for op, rule in INTEGERS.items()}, "fma": lambda x, y, z: x * y + z,
    "fdim": lambda x, y: max(x - y, Fraction(0)),
    "fmod": lambda x, y: x - math.trunc(x / y) * y, "remainder": lambda x, y: x - round(x / y) * y,
    **COMPARISONS, "not": operator.not_, "and": lambda *truths: all(truths), "or": lambda *truths: any(truths),
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
