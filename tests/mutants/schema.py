"""Mutants of Rust code, all of them in one program: at each place the text asks which mutant runs.

`a + b` becomes `(if crate::mutant::on(7) {a - b} else {a + b})`: one build has them all (mutant schemata, Untch, Offutt and Harrold,
ISSTA 1993). Comments around them say to which mutant an error of the compiler belongs. The operators are those of cargo-mutants.
"""

import collections
import dataclasses
import re

import tree_sitter
import tree_sitter_rust

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))

BINARY = {
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "<": ["==", ">", "<="], ">": ["==", "<", ">="], "<=": [">"], ">=": ["<"],
    "+": ["-", "*"], "-": ["+", "/"], "*": ["+", "/"], "/": ["%", "*"], "%": ["/", "+"],
    "<<": [">>"], ">>": ["<<"], "&": ["|", "^"], "|": ["&", "^"], "^": ["|", "&"],
}
ASSIGNED = {
    "+=": ["-=", "*="], "-=": ["+=", "/="], "*=": ["+=", "/="], "/=": ["%=", "*="], "%=": ["/=", "+="],
    "<<=": [">>="], ">>=": ["<<="], "&=": ["|="], "|=": ["&="], "^=": ["|="],
}
# What a function may return at once, by how its type begins.
RETURNED = [
    (r"\(\)$", ["()"]), (r"bool$", ["true", "false"]), (r"[ui](8|16|32|64|128|size)$", ["0", "1"]), (r"f(32|64)$", ["0.0", "1.0", "-1.0"]),
    (r"Option<", ["None"]), (r"Vec<", ["Vec::new()"]), (r"String$", ["String::new()", '"xyzzy".into()']),
    # These have no value of their own that fits.
    (r"(impl\b|&|!$)", []), (r"", ["Default::default()"]),
]
# Places where nothing is asked at run time.
CONSTANT = {"const_item", "static_item", "macro_definition", "attribute_item", "enum_variant", "type_arguments", "array_type"}


@dataclasses.dataclass
class Mutant:
    """One change, at one place of a file."""

    name: str
    line: int
    # Where the node that changes begins and ends, in bytes; the change itself by kind.
    node: object
    kind: str
    text: str
    number: int = -1


def text_of(node):
    return node.text.decode()


def one_line(text):
    return re.sub(r"\s+", " ", text)


def mutants_of(file, source):
    """All mutants of a file's text, in its order; of some that are named alike the second one is `#2`."""
    found, count = [], collections.Counter()
    _walk(PARSER.parse(source).root_node, file, [], None, found)
    for mutant in found:
        count[mutant.name] += 1
        if count[mutant.name] > 1:
            mutant.name += f" #{count[mutant.name]}"
    return found


def _walk(node, file, owners, function, found):
    if node.type in CONSTANT or _is_test(node):
        return
    if node.type in ("impl_item", "trait_item"):
        owners = [*owners, _owner(node)]
    if node.type == "function_item":
        if any(child.type == "function_modifiers" and "const" in text_of(child) for child in node.children):
            return
        name = text_of(node.child_by_field_name("name"))
        function = "::".join([*owners[-1:], name])
        found += _returns(node, file, function)
    elif function:
        found += [Mutant(f"{file}: {what} in {function}", node.start_point[0] + 1, node, kind, text) for what, kind, text in _changes(node)]
    for child in node.named_children:
        _walk(child, file, owners, function, found)


def _is_test(node):
    """Whether `#[cfg(test)]` or `#[test]` stands before a node."""
    before = node.prev_named_sibling
    while before is not None and before.type in ("attribute_item", "line_comment", "block_comment"):
        if re.search(r"\btest\b", text_of(before)) and before.type == "attribute_item":
            return True
        before = before.prev_named_sibling
    return False


def _owner(node):
    if node.type == "trait_item":
        return text_of(node.child_by_field_name("name"))
    own, trait = one_line(text_of(node.child_by_field_name("type"))), node.child_by_field_name("trait")
    return f"<impl {one_line(text_of(trait))} for {own}>" if trait else own


def _returns(node, file, function):
    """A function that returns at once."""
    body, given = node.child_by_field_name("body"), node.child_by_field_name("return_type")
    kind = one_line(text_of(given)) if given else "()"
    values = next(values for pattern, values in RETURNED if re.match(pattern, kind))
    arrow = f" -> {kind}" if given else ""
    return [
        Mutant(f"{file}: replace {function}{arrow} with {value}", node.start_point[0] + 1, body, "body", value)
        for value in values
        if re.sub(r"\s", "", text_of(body)).strip("{}") not in ("", value)
    ]


def _changes(node):
    """What changes at one expression: in words, the kind, the new text."""
    if node.type in ("binary_expression", "compound_assignment_expr"):
        sign = text_of(node.child_by_field_name("operator"))
        if _has_let(node):
            return
        left, right = text_of(node.child_by_field_name("left")), text_of(node.child_by_field_name("right"))
        for other in (BINARY if node.type == "binary_expression" else ASSIGNED).get(sign, []):
            yield f"replace {sign} with {other}", "instead", f"{left} {other} {right}"
    elif node.type == "unary_expression" and text_of(node)[0] in "!-":
        yield f"delete {text_of(node)[0]}", "instead", text_of(node)[1:]
    elif node.type == "match_arm":
        pattern = node.child_by_field_name("pattern")
        guard = pattern.child_by_field_name("condition")
        if guard is not None and not _has_let(guard):
            for value in ("true", "false"):
                yield f"replace match guard {one_line(text_of(guard))} with {value}", "guard", value
        later = node.next_named_sibling
        while later is not None:
            if later.type == "match_arm" and text_of(later.child_by_field_name("pattern")) == "_":
                yield f"delete match arm {one_line(text_of(pattern))}", "arm", ""
                break
            later = later.next_named_sibling


def _has_let(node):
    return node.type in ("let_condition", "let_chain") or any(_has_let(child) for child in node.named_children)


def write_schema(source, mutants):
    """The text of a file with the mutants that have a number."""
    places = {}
    for mutant in mutants:
        places.setdefault(_place(mutant.node), []).append(mutant)
    return _render(PARSER.parse(source).root_node, source, places).encode()


def _place(node):
    """Where a node is, and which of those that begin and end there: another parse of the text has it as well."""
    return node.type, node.start_byte, node.end_byte


def _render(node, source, places):
    inner, at = [], node.start_byte
    for child in node.children:
        inner += [source[at : child.start_byte].decode(), _render(child, source, places)]
        at = child.end_byte
    text = "".join(inner) + source[at : node.end_byte].decode()
    own = places.get(_place(node), [])
    on = [(f"/*[{m.number}*/crate::mutant::on({m.number})", f"/*{m.number}]*/", m) for m in own]
    if not own:
        return text
    if node.type == "block":
        return "{" + "".join(f"{begin}{{return {m.text};}}{end}".replace("*/crate", "*/if crate", 1) for begin, end, m in on) + text[1:]
    if node.type == "match_arm":
        return _render_arm(node, text, on, source, places)
    branches = " else ".join(f"{begin}{{{m.text}}}{end}".replace("*/crate", "*/if crate", 1) for begin, end, m in on)
    numbers = ",".join(str(m.number) for m in own)
    return f"/*[{numbers}*/({branches} else {{{text}}})/*{numbers}]*/"


def _render_arm(node, text, on, source, places):
    pattern, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
    guard = pattern.child_by_field_name("condition")
    matched = source[pattern.start_byte : guard.start_byte if guard else pattern.end_byte].decode()
    matched = re.sub(r"\bif\s*$", "", matched)
    condition = f"({_render(guard, source, places)})" if guard else "true"
    for begin, end, mutant in on:
        if mutant.kind == "guard":
            condition = f"(if {begin}{{{mutant.text}}} else {{{condition}}}{end})"
        else:
            condition = f"(!{begin} && {condition}{end})"
    before = source[node.start_byte : pattern.start_byte].decode()
    between = source[pattern.end_byte : value.start_byte].decode()
    return f"{before}{matched} if {condition}{between}{_render(value, source, places)}{source[value.end_byte : node.end_byte].decode()}"


def to_blame(text, begin, end):
    """The numbers of the mutants that an error at these bytes of a schema belongs to; none if to none."""
    opened, best = [], []
    for mark in re.finditer(rb"/\*(\[?)([\d,]+)(\]?)\*/", text):
        if mark[1]:
            opened.append((mark.start(), mark[2]))
        elif opened:
            start, numbers = opened.pop()
            if start <= begin and end <= mark.end() and (not best or start >= best[0]):
                best = [start, [int(n) for n in numbers.split(b",")]]
    return best[1] if best else []
