"""The syntax tree of a file of the user's, in any language that has edits: its functions, and where they are."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import PurePath
from typing import NamedTuple

from tree_sitter import Language, Node, Parser

from hitscope.errors import HitscopeError

SEES_NOTHING = (
    "comment",
    "string",
    "type_identifier",
    "primitive_type",
    "type_qualifier",
    "parameters",
    "parameter_list",
)
"""The types of nodes with nothing to edit in them."""


class Spelling(NamedTuple):
    """How a language writes what edits put in."""

    grammar: str
    """The package of its grammar."""
    true: str
    false: str
    conjunction: str
    disjunction: str
    negation: str
    infinity: str
    absolute: str
    least: str
    greatest: str
    nothing: str
    """A statement that does nothing."""
    guarded: str
    """A statement that runs under a condition."""
    otherwise: str
    """A further branch of a statement, which has a column."""
    exchange: str
    """The statement that exchanges the values of two variables a and b."""


PYTHON = Spelling(
    grammar="tree_sitter_python",
    true="True",
    false="False",
    conjunction="{} and {}",
    disjunction="{} or {}",
    negation="not ({})",
    infinity='float("inf")',
    absolute="abs({})",
    least="min({}, {})",
    greatest="max({}, {})",
    nothing="pass",
    guarded="if {}: {}",
    otherwise="\n{column}elif {condition}:\n{column}    {statement}",
    exchange="{a}, {b} = {b}, {a}",
)
C = Spelling(
    grammar="tree_sitter_c",
    true="1",
    false="0",
    conjunction="{} && {}",
    disjunction="{} || {}",
    negation="!({})",
    infinity="(1e308 * 10)",
    absolute="({0} < 0 ? -({0}) : ({0}))",
    least="(({0}) < ({1}) ? ({0}) : ({1}))",
    greatest="(({0}) > ({1}) ? ({0}) : ({1}))",
    nothing=";",
    guarded="if ({}) {}",
    otherwise=" else if ({condition}) {statement}",
    exchange="{{ __typeof__({a}) swapped = {a}; {a} = {b}; {b} = swapped; }}",
)
LANGUAGES = {
    ".py": PYTHON,
    ".c": C,
    **dict.fromkeys((".cpp", ".cc", ".cxx"), C._replace(grammar="tree_sitter_cpp", true="true", false="false")),
}
"""The language of a file by its ending."""


class Source(NamedTuple):
    """A file as it is parsed, and the parts of it that decide what one of its functions answers."""

    text: bytes
    path: str
    language: Spelling
    function: str
    parts: tuple[Node, ...]
    """The function, what it calls in the same file, and the constants that these name, in the file's order."""

    def line(self, number: int) -> str:
        """Return a line, without indentation."""
        return self.text.splitlines()[number - 1].decode(errors="replace").strip()


def source_of(text: bytes, path: str, function: str) -> Source:
    """Parse a file for the edits of a function; raises HitscopeError where there are none in its language."""
    language = LANGUAGES.get(PurePath(path).suffix.lower())
    if language is None:
        raise HitscopeError(f"{path}: expected a function in Python, C or C++ to fix, found another file")
    root = parser(language.grammar).parse(text).root_node
    named = {name: node for node in _definitions(root) if (name := name_of(node))}
    if function not in named:
        raise HitscopeError(
            f"{path}: expected a function {function} that is defined in the file itself, found none"
        )
    reached, left = {function}, [function]
    while left:
        for node in walk(named[left.pop()]):
            name = text_of(node)
            if node.type == "identifier" and name in named and name not in reached:
                reached.add(name)
                left.append(name)
    return Source(text, path, language, function, tuple(node for name, node in named.items() if name in reached))


def _definitions(node: Node) -> Iterator[Node]:
    """Yield what a file defines, in `extern "C"` and in a namespace without a name, too."""
    for child in node.named_children:
        is_nameless = child.type == "namespace_definition" and child.child_by_field_name("name") is None
        body = child.child_by_field_name("body")
        if body is not None and (child.type == "linkage_specification" or is_nameless):
            yield from _definitions(body) if body.type == "declaration_list" else [body]
        else:
            yield child


@cache
def parser(grammar: str) -> Parser:
    """Return the parser of a language."""
    return Parser(Language(import_module(grammar).language()))


def name_of(node: Node) -> str:
    """Return the name of what a statement of a file defines: a function or a constant; "" of others."""
    if node.type in ("decorated_definition", "template_declaration"):
        return next((name for child in node.named_children if (name := name_of(child))), "")
    if node.type == "expression_statement" and node.named_child_count:
        return name_of(node.named_children[0])
    field = {"function_definition": "name", "assignment": "left", "preproc_def": "name"}.get(node.type)
    found = node.child_by_field_name(field) if field else None
    if found is None and node.type in ("function_definition", "declaration", *DECLARATORS):
        declarator = node.child_by_field_name("declarator")
        is_data = node.type == "declaration" and declarator is not None and declarator.type != "init_declarator"
        return "" if declarator is None or is_data else name_of(declarator)
    if found is None and node.type == "identifier":
        found = node
    return text_of(found) if found is not None and found.type == "identifier" else ""


DECLARATORS = ("init_declarator", "function_declarator", "pointer_declarator", "reference_declarator")


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all below it, in the order of the text."""
    if node.type in SEES_NOTHING:
        return
    yield node
    for child in node.children:
        yield from walk(child)


def descendants(node: Node) -> Iterator[Node]:
    """Yield a node and all below it."""
    yield node
    for child in node.children:
        yield from descendants(child)


def text_of(node: Node) -> str:
    """Return the text of a node."""
    return node.text.decode(errors="replace") if node.text is not None else ""


def field_of(node: Node) -> str | None:
    """Return the name of the field of its parent that a node is in."""
    parent = node.parent
    if parent is None:
        return None
    for index, child in enumerate(parent.children):
        if child.id == node.id:
            return parent.field_name_for_child(index)
    return None
