"""The syntax tree of a file of the user's, in any language that has edits: its functions, and where they are."""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import PurePath
from typing import NamedTuple

from tree_sitter import Language, Node, Parser

from hitscope.errors import HitscopeError

SEES_NOTHING = (
    *("comment", "string", "type", "type_identifier", "primitive_type", "type_qualifier", "type_definition"),
    *("parameters", "parameter_list", "decorator", "alias_declaration"),
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
    root: str
    least: str
    greatest: str
    nothing: str
    """A statement that does nothing."""
    end: str
    """The end of a statement."""
    stop: str
    """The statement that ends a run of a function, without an answer."""
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
    root="({0}) ** 0.5",
    least="min({}, {})",
    greatest="max({}, {})",
    nothing="pass",
    end="",
    stop="raise SystemExit",
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
    infinity="(1.0 / 0)",
    root="sqrt({0})",
    absolute="({0} < 0 ? -({0}) : ({0}))",
    least="(({0}) < ({1}) ? ({0}) : ({1}))",
    greatest="(({0}) > ({1}) ? ({0}) : ({1}))",
    nothing=";",
    end=";",
    stop="longjmp(hitscope_end, 1)",
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


class Definition(NamedTuple):
    """A definition of a file: of a function, a type, a macro or a constant."""

    name: str
    """The name; of a function that is a member of a type, that of the type."""
    node: Node
    body: Node
    """The part that is edited: the node itself, but of a macro its text, as it is parsed alone."""
    uses: frozenset[str]
    """The names in it."""
    namespaces: tuple[str, ...] = ()
    """The named namespaces that it stands in, from the outermost one."""

    @property
    def end(self) -> bytes:
        """The text that ends it, behind its node."""
        return b";" if self.node.type in TYPES else b""


class Source(NamedTuple):
    """A file as it is parsed, and the parts of it that decide what one of its functions answers."""

    text: bytes
    path: str
    language: Spelling
    function: str
    parts: tuple[Definition, ...]
    """The function and all that it uses of the same file, in the file's order."""

    def line(self, number: int) -> str:
        """Return a line, without indentation."""
        return self.text.splitlines()[number - 1].decode(errors="replace").strip()

    def part_at(self, place: int) -> Definition:
        """Return the part that a byte of the file is in, of others the function."""
        around = (part for part in self.parts if part.node.start_byte <= place <= part.node.end_byte)
        return next(around, None) or next(part for part in self.parts if part.name == _last(self.function))

    @property
    def namespaces(self) -> frozenset[str]:
        """The names of the namespaces of the parts."""
        return frozenset(name for part in self.parts for each in part.namespaces for name in each.split("::"))


def source_of(text: bytes, path: str, function: str) -> Source:
    """Parse a file for the edits of a function; raises HitscopeError where there are none in its language."""
    language = LANGUAGES.get(PurePath(path).suffix.lower())
    if language is None:
        raise HitscopeError(f"{path}: expected a function in Python, C or C++ to fix, found another file")
    defined = list(_definitions(parser(language.grammar).parse(text).root_node.named_children, text, language))
    if all(_last(function) != definition.name for definition in defined):
        expected = f"expected a function {function} that is defined in the file itself"
        raise HitscopeError(f"{path}: {expected}, found none")
    reached, used = set[str](), {_last(function)}
    while used:
        reached |= used
        of_operators = {each.name for each in defined if is_operator(each) and reached & each.uses}
        of_reached = {each for definition in defined if definition.name in reached for each in definition.uses}
        used = ({each.name for each in defined} & of_reached | of_operators) - reached
    return Source(text, path, language, function, tuple(each for each in defined if each.name in reached))


def _last(name: str) -> str:
    """Return a name of C++ without the namespaces before it."""
    return name.rpartition("::")[2]


def is_operator(definition: Definition) -> bool:
    """Whether a definition is that of an operator of C++, which is used without its name."""
    return definition.name.startswith("operator")


def _definitions(
    nodes: Iterable[Node], text: bytes, language: Spelling, namespaces: tuple[str, ...] = ()
) -> Iterator[Definition]:
    """Yield what the nodes of a file define, in `extern "C"` and in namespaces, too."""
    for node in nodes:
        body, value = node.child_by_field_name("body"), node.child_by_field_name("value")
        if body is not None and node.type in ("linkage_specification", "namespace_definition"):
            around = (*namespaces, *map(text_of, node.children_by_field_name("name")))
            inside = body.named_children if body.type == "declaration_list" else [body]
            yield from _definitions(inside, text, language, around)
        elif name := name_of(node):
            edited = node
            if node.type in MACROS and value is not None:
                of_value = Parser(parser(language.grammar).language, included_ranges=[value.range])
                edited = of_value.parse(text).root_node
            uses = frozenset(text_of(each) for each in descendants(edited) if each.type in NAMING) - {name}
            yield Definition(name, node, edited, uses, namespaces)


@cache
def parser(grammar: str) -> Parser:
    """Return the parser of a language."""
    return Parser(Language(import_module(grammar).language()))


def name_of(node: Node) -> str:
    """Return the name of what a statement of a file defines; "" of others."""
    if node.type in ("decorated_definition", "template_declaration"):
        return next((name for child in node.named_children[::-1] if (name := name_of(child))), "")
    if node.type == "expression_statement" and node.named_child_count:
        return name_of(node.named_children[0])
    if node.type == "using_declaration":
        used = node.named_children[-1]
        return _last(text_of(used)) if used.type == "qualified_identifier" else ""
    if node.type == "qualified_identifier":
        return name_of(node.child_by_field_name("scope") or node.named_children[-1])
    if node.type in NAMING or node.type == "operator_name":
        return text_of(node)
    if node.type not in DEFINING or (node.type in TYPES and node.child_by_field_name("body") is None):
        return ""
    named = (node.child_by_field_name(field) for field in ("name", "declarator", "left"))
    found = next((each for each in named if each is not None), node.named_children[-1])
    return "" if node.type == "declaration" and found.type != "init_declarator" else name_of(found)


NAMING = ("identifier", "type_identifier", "namespace_identifier")
"""The types of nodes that are the name of what a file defines."""
MACROS = ("preproc_def", "preproc_function_def")
TYPES = ("struct_specifier", "class_specifier")
DEFINING = (
    *("function_definition", "class_definition", "assignment", "declaration", "type_definition"),
    *("alias_declaration", "init_declarator", "function_declarator", "pointer_declarator"),
    *("reference_declarator", *MACROS, *TYPES),
)


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all below it, in the order of the text; of a field its value alone."""
    if node.type in SEES_NOTHING:
        return
    is_field = node.type == "field_declaration"
    if not is_field:
        yield node
    for child in node.children_by_field_name("default_value") if is_field else node.children:
        yield from walk(child)


def descendants(node: Node) -> Iterator[Node]:
    """Yield a node and all below it."""
    yield node
    for child in node.children:
        yield from descendants(child)


def text_of(node: Node) -> str:
    return node.text.decode(errors="replace") if node.text is not None else ""


def field_of(node: Node) -> str | None:
    """Return the name of the field of its parent that a node is in."""
    parent = node.parent
    if parent is None:
        return None
    place = next(k for k, child in enumerate(parent.children) if child.id == node.id)
    return parent.field_name_for_child(place)
