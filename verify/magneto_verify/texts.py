"""S-expressions and the numbers in them."""

import re
from fractions import Fraction
from functools import lru_cache


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


def spelled(tree):
    """The start of a tree as a text."""
    text = tree if isinstance(tree, str) else f"({' '.join(map(spelled, tree[:9]))})"
    return text if len(text) <= 60 else text[:59] + "…"


# A rational number, one in digits to the base 16 or one to the base 10.
DIGITS = r"(?:{0}+\.?{0}*|\.{0}+)".format
NUMBER = re.compile(rf"[-+]?(?:[0-9]+/0*[1-9][0-9]*|0x{DIGITS('[0-9a-f]')}(?:p[-+]?[0-9]+)?|{DIGITS('[0-9]')}(?:e[-+]?[0-9]+)?)", re.IGNORECASE)


@lru_cache(maxsize=100_000)
def number(token):
    """The rational number that a token spells; None if it spells none."""
    if not NUMBER.fullmatch(token):
        return None
    sign, digits = (-1, token[1:]) if token.startswith("-") else (1, token.removeprefix("+"))
    if digits.lower().startswith("0x"):
        mantissa, _, exponent = digits[2:].lower().partition("p")
        whole, _, rest = mantissa.partition(".")
        value = Fraction(int(whole + rest, 16), 16 ** len(rest)) * Fraction(2) ** int(exponent or 0)
    else:
        mantissa, _, exponent = digits.lower().partition("e")
        value = Fraction(mantissa) * Fraction(10) ** int(exponent or 0)
    return sign * value
