"""Reads FPCores into one graph in which equal expressions are one node.

Written from the FPCore 2.0 standard: loops and tensors are left out. `let` and calls of earlier FPCores are resolved by
substitution, so that what is bound is one node however often it is used.
"""

import re
from fractions import Fraction
from functools import lru_cache

from .formats import PARAMETERS

CONSTANTS = {
    "E", "LOG2E", "LOG10E", "LN2", "LN10", "PI", "PI_2", "PI_4", "M_1_PI", "M_2_PI", "M_2_SQRTPI", "SQRT2", "SQRT1_2",
}
COMPARISONS = {"<", ">", "<=", ">=", "==", "!="}
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


class Graph:
    """Nodes by number; the same node is made once."""

    def __init__(self):
        self.nodes = []
        self.numbers = {}
        # What can be called: the parameters and the body of FPCores that were read.
        self.callable = {}

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
        if head == "!" or head == "cast":
            return self.build(tree[-1], scope)
        if head in ("let", "let*"):
            inner = dict(scope)
            for name, value in rest[0]:
                inner[name] = self.build(value, inner if head == "let*" else scope)
            return self.build(rest[1], inner)
        if head == "digits":
            mantissa, power, base = (number(part) for part in rest)
            value = mantissa * base ** int(power)
            return self.node("number", value.numerator, value.denominator)
        args = [self.build(a, scope) for a in rest]
        if head in self.callable:
            names, body = self.callable[head]
            return self.build(body, dict(zip(names, args, strict=True)))
        if head in COMPARISONS:
            return self.chain(head, args)
        if head in ("and", "or", "not", "if") or head in CLASSES:
            return self.node(head, *args)
        if head == "-" and len(args) == 1:
            return self.node("neg", args[0])
        if head in "+-*/" and len(args) > 2:
            value = args[0]
            for more in args[1:]:
                value = self.node(head, value, more)
            return value
        return self.node(head, *args)

    def leaf(self, token, scope):
        if token in scope:
            return scope[token]
        if token in ("TRUE", "FALSE"):
            return self.node("bool", token == "TRUE")
        if token in CONSTANTS:
            return self.node("constant", token)
        value = number(token)
        if value is None:
            raise Unreadable(f"{token} is unknown")
        return self.node("number", value.numerator, value.denominator)

    def chain(self, relation, args):
        """A comparison of many is one of neighbours, or of all pairs for `!=`."""
        n = len(args)
        pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if relation == "!=" or j == i + 1]
        return self.node("and", *(self.node(relation, args[i], args[j]) for i, j in pairs))


class Core:
    """What the judge needs of one FPCore: names, formats, precondition, body and accuracy."""

    def __init__(self, graph, tree):
        if not isinstance(tree, list) or tree[0] != "FPCore":
            raise Unreadable("not an FPCore")
        rest = tree[1:] if isinstance(tree[1], list) else tree[2:]
        self.names = [a if isinstance(a, str) else a[-1] for a in rest[0]]
        self.properties = {}
        i = 1
        while isinstance(rest[i], str) and rest[i].startswith(":"):
            self.properties[rest[i]] = rest[i + 1]
            i += 2
        scope = {name: graph.node("input", k) for k, name in enumerate(self.names)}
        self.tree = rest[i]
        self.body = graph.build(rest[i], scope)
        self.pre = graph.build(self.properties.get(":pre", "TRUE"), scope)
        # Any other precision that FPCore knows stands for binary64.
        known = lambda name: name if name in PARAMETERS else "binary64"
        self.result = known(self.properties.get(":precision", "binary64"))
        formats = self.properties.get(":magneto-inputs", self.result)
        given = dict(formats) if isinstance(formats, list) else {}
        # An input may have its own: (! :precision binary32 x).
        given |= {a[-1]: a[a.index(":precision") + 1] for a in rest[0] if isinstance(a, list) and ":precision" in a}
        common = self.result if isinstance(formats, list) else formats
        self.formats = [known(given.get(n, common)) for n in self.names]
        self.response = self.properties.get(":magneto-out-of-range", "reject")
        bound = lambda key: number(self.properties[key]) if key in self.properties else None
        ulps = self.properties.get(":magneto-ulps")
        if isinstance(ulps, str):
            ulps = [ulps, self.result]
        self.accuracy = (
            bound(":magneto-rel-error"),
            bound(":magneto-abs-error"),
            (number(ulps[0]), ulps[1]) if ulps else None,
        )


def cores(graph, text):
    """The FPCores of a text."""
    return [Core(graph, tree) for tree in trees(text)]
