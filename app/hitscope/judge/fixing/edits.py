"""The kinds of edits that are tried on a wrong function: a table with one entry each.

An edit replaces few parts of the text, so that all else stays as its author wrote it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise, permutations, product
from typing import NamedTuple, TypeAlias

from tree_sitter import Node, Parser

from hitscope.judge.fixing.syntax import MACROS, PYTHON, Source, descendants, field_of, parser, text_of, walk

STRICTNESS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
REVERSED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
DIRECTIONS = {token: [other, STRICTNESS[other]] for token, other in REVERSED.items()}
DIRECTIONS |= {"==": ["!=", *STRICTNESS], "!=": ["=="]}
_TAKEN = (
    "+ - *, - + *, * / +, / *, // /, | &, & |, += -=, -= +=, *= /=, /= *=, = += -= *=, "
    "and or, or and, && ||, || &&"
)
OPERATORS = {operator: others for operator, *others in map(str.split, _TAKEN.split(", "))}
"""The operators that each may be taken for."""
COMMUTE = ("+", "*", "==", "!=", "and", "or", "&&", "||", "&", "|")
_PAIRS = (
    "min/max fmin/fmax fminf/fmaxf minimum/maximum amin/amax any/all floor/ceil lo/hi low/high near/far start/end "
    "lower/upper first/last argmin/argmax in/out enter/exit entry/exit tmin/tmax t0/t1 smaller/larger least/most "
    "break/continue"
)
TWINS = [(one, other) for one, _, other in (pair.partition("/") for pair in _PAIRS.split())]
"""Words that are taken for each other."""
JOINED = ("and", "or", "&&", "||", "+", "|", "&")
"""The operators of chains that an axis may be missing in."""
LARGEST_TOLERANCE = 0.2
"""The largest constant that is taken for a tolerance."""
MOST_NUMBERS = 18
"""The most numbers of a shape that an index counts."""
SEQUENCES = ("xyz", "abc", "uvw", "pqr", "ijk", "012")
"""Letters that name axes, corners or shares."""
MOST_WORDS = 5
"""The most words of a text that are exchanged for each other, two at a time."""
MOST_ENDS = 14
"""The twins, from the first, that name two ends."""
LARGE, MOST_STRANGERS = 4, 2
"""The cost of edits from which names that a line does not have count, and how many of them."""
NAME = re.compile(r"(?<![.>\w])[A-Za-z_]\w*")
WORDS = re.compile(rb"[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*)*|[\d.]+|[<>=!]=|&&|\|\||\S")
WORDS_OF_AXES = re.compile(rb"(?<=[.>])[xyz]$")
RUNS = (3, 5)
"""The words, a name with its members and an operator being one each, and the lengths of their runs."""
LONGEST_COPY = 3
"""The most lines of a statement that is put in again, changed."""

NAMES = ("identifier",)
MEMBERS = ("attribute", "field_expression")
SUBSCRIPTS = ("subscript", "subscript_expression")
CALLS = ("call", "call_expression")
LITERALS = ("integer", "float", "number_literal")
COMPARISONS = ("comparison_operator", "binary_expression")
BINARY = ("binary_operator", "boolean_operator", "binary_expression")
UNARY = ("unary_operator", "unary_expression")
ARITHMETIC = (*NAMES, *MEMBERS, *SUBSCRIPTS, *CALLS, *LITERALS, *BINARY, *UNARY, "parenthesized_expression")
ENCLOSING = ("parenthesized_expression", "condition_clause")
BRACKETS = ("return_statement", *ENCLOSING, "argument_list")
LISTS = ("tuple", "list", "argument_list", "expression_list", "initializer_list")
BLOCKS = ("block", "compound_statement")
SCOPES = ("function_definition", "compound_statement", "for_statement", "for_range_loop", "translation_unit")
DEFINED = ("function_definition", "function_declarator", "class_definition")
ASSIGNMENTS = ("assignment", "assignment_expression", "init_declarator")
JUMPS = ("return_statement", "break_statement", "continue_statement", "raise_statement")
TARGETS = {"left", "function", "name", "attribute", "field", "type", "declarator", "operator", "operators"}
"""The fields of nodes that are no values."""


class Part(NamedTuple):
    """A part of the text that is replaced."""

    start: int
    end: int
    text: str


Parts: TypeAlias = tuple[Part, ...]


class Edit(NamedTuple):
    """A small change of a text."""

    kind: str
    cost: int
    """How much it changes: of two that come to the same, the smaller one is what its author meant."""
    parts: Parts
    """From the last to the first."""

    @property
    def first(self) -> int:
        """The place of its first part, in bytes of the file."""
        return min((part.start for part in self.parts), default=0)

    def of(self, text: bytes, first: int = 0) -> bytes:
        """Return a text, which begins at a byte of the file, after the change."""
        for start, end, new in self.parts:
            text = text[: start - first] + new.encode() + text[end - first :]
        return text


NO_EDIT = Edit("", 0, ())


def novelty(before: bytes, after: bytes) -> int:
    """Return how many runs of words a text has that it did not have before, axes being alike.

    Code repeats itself, and right code more than wrong code: Ray et al., On the "Naturalness" of Buggy Code, 2016.
    """
    runs = []
    for text in (before, after):
        words = [WORDS_OF_AXES.sub(b"x", word) for word in WORDS.findall(text)]
        runs.append({run for n in RUNS for run in zip(*(words[k:] for k in range(n)), strict=False)})
    return len(runs[1] - runs[0])


class Scope:
    """The names and numbers that edits put in the place of others, each once."""

    def __init__(self, source: Source, part: Node, members: Sequence[str]) -> None:
        """Collect them from a part of a source; `members` are the fields of the pair's shapes."""
        self.language = spelling = source.language
        self.nodes = nodes = list(walk(part))
        called = {text_of(node) for node in nodes if field_of(node) in ("function", "name")}
        names = [text_of(node) for node in nodes if node.type in NAMES and (is_value(node) or is_given(node))]
        self.variables = _once(name for name in names if name not in called)
        """The variables, arguments and constants."""
        self.assigned = _assigned(nodes)
        """The statements that give each variable a value."""
        used = (node for node in nodes if field_of(node) in ("attribute", "field") and not is_called(node))
        self.members = _once([*map(text_of, used), *members])
        """The fields that values are asked for."""
        subscripts = [node for node in nodes if node.type in SUBSCRIPTS]
        self.arrays = _once(text_of(node.named_children[0]) for node in subscripts)
        indices = _once(text_of(index) for node in subscripts for index in index_of(node))
        self.places = [text for text in indices if ":" not in text]
        """The indices that arrays are subscripted with."""
        self.numbers = _once(text_of(node) for node in nodes if node.type in LITERALS)
        compared = (node.children for node in nodes if node.type in COMPARISONS)
        tails = [each[1:] for each in compared if len(each) == 3 and each[2].type in LITERALS]
        own = [f"{text_of(token)} {text_of(number)}" for token, number in tails if text_of(token) in STRICTNESS]
        self.ends = _once([">= 0", "<= 1", *own])
        """The comparisons with a number, without what is compared."""
        own = [call for node in nodes if node.type in CALLS for call in _around(node)]
        root = [spelling.root] if spelling is PYTHON or b"math" in source.text else []
        from_0_to_1 = spelling.least.format(spelling.greatest.format("{0}", 0), 1)
        self.calls = _once([*own, spelling.absolute.format("{0}"), *root, from_0_to_1])
        """The calls of one value, with {0} in its place; its size, its root, and its part from 0 to 1."""
        branches = (node for node in nodes if node.type == "if_statement")
        conditions = (each for branch in branches for each in branch.children_by_field_name("condition"))
        self.conditions = _once(map(text_of, map(_unbracketed, conditions)))
        self.returns = _once(text_of(node) for node in nodes if node.type == "return_statement")
        words = ("continue", "break", f"return {spelling.true}", f"return {spelling.false}")
        self.jumps = _once([*self.returns, *(f"{word}{spelling.end}" for word in words)])
        """The statements that end a branch or a turn of a loop."""
        no = re.compile(r"return\s*\(?\s*(False|None|0|false|miss)\b")
        self.misses = [*filter(no.match, self.returns)] or [f"return {spelling.false}{spelling.end}"]
        """The statements that return, with an answer that says a miss."""

    def given_by(self, statement: Node) -> list[str]:
        """Return the variables that a statement gives a value."""
        return [name for name, given in self.assigned.items() if any(s.id == statement.id for s in given)]


def _once(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _assigned(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    found: dict[str, list[Node]] = {}
    for node in (each for each in nodes if each.type in (*ASSIGNMENTS, "augmented_assignment")):
        target = node.child_by_field_name("left") or node.child_by_field_name("declarator")
        is_named = target is not None and target.type in (*NAMES, "pattern_list", "tuple_pattern")
        if target is not None and is_named and (statement := statement_of(node)) is not None:
            for name in (child for child in walk(target) if child.type in NAMES):
                found.setdefault(text_of(name), []).append(statement)
    return found


def edits_of(source: Source, members: Sequence[str] = ()) -> list[Edit]:
    """Return the edits of a function, the smallest first, each text once."""
    found = list[Edit]()
    for part in source.parts:
        scope, text, first = Scope(source, part.body, members), part.node.text or b"", part.node.start_byte
        is_macro = part.node.type in MACROS
        line_end = " \\\n" if is_macro else "\n"
        edits: dict[bytes, Edit] = {text: NO_EDIT}
        for name, (least, edits_at) in KINDS.items():
            for parts in (parts for node in scope.nodes for parts in edits_at(node, scope)):
                cost = least + (_strangers(parts[0], source) if least >= LARGE else 0)
                put = (each._replace(text=each.text.replace("\n", line_end)) for each in parts)
                edit = Edit(name, cost, tuple(sorted(put, reverse=True)))
                changed = edit.of(text, first)
                if changed not in edits or edits[changed].cost > edit.cost:
                    edits[changed] = edit
        edits.pop(text)
        if source.language is PYTHON or is_macro:  # what does not compile harms no other variant there
            found += edits.values()
        else:
            in_scope = _in_scope(edits.values(), source)
            found += _parsing(in_scope, text + part.end, first, parser(source.language.grammar))
    return sorted(found, key=lambda edit: edit.cost)


def _strangers(put: Part, source: Source) -> int:
    """Return how many names a part puts in that the line does not have: so much less it is likely meant."""
    line = source.line(source.text.count(b"\n", 0, put.start) + 1)
    return min(MOST_STRANGERS, len({*NAME.findall(put.text)} - {*NAME.findall(f"{line} {source.language}")}))


def _in_scope(edits: Iterable[Edit], source: Source) -> Iterator[Edit]:
    """Yield the edits of a part in C that put in no variable where it is not declared."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for node in (node for each in source.parts for node in descendants(each.body)):
        if node.type in ("declaration", "parameter_declaration"):
            around = _around_of(node, SCOPES)
            for declarator in node.children_by_field_name("declarator"):
                name = next((text_of(each) for each in descendants(declarator) if each.type in NAMES), "")
                spans.setdefault(name, []).append((node.end_byte, around.end_byte))
    known = {*re.findall(r"\w+", source.text.decode(errors="replace")), *re.findall(r"\w+", str(source.language))}
    for edit in edits:
        if all(
            any(start <= each.start <= end for start, end in spans[name]) if name in spans else name in known
            for each in edit.parts
            for before in ["." if source.text[: each.start].endswith((b".", b"->")) else ""]
            for name in re.findall(r"(?<![.>])\b[A-Za-z_]\w*\b(?! *\()", f"{before}{each.text}")
        ):
            yield edit


def _around_of(node: Node, types: Sequence[str]) -> Node:
    """Return the nearest node of some types that a node is or is in, else the outermost one."""
    while node.parent is not None and node.type not in types:
        node = node.parent
    return node


def _parsing(edits: Iterable[Edit], text: bytes, first: int, parser: Parser) -> Iterator[Edit]:
    """Yield the edits after which a text, which begins at a byte of the file, has no error."""

    def point(place: int, text: bytes = text) -> tuple[int, int]:
        return text.count(b"\n", 0, place), place - 1 - text.rfind(b"\n", 0, place)

    tree = parser.parse(text)
    for edit in edits:
        edited = tree.copy()
        for part in edit.parts:  # from the last to the first, so that what is before is as it was
            start, end, put = part.start - first, part.end - first, part.text.encode()
            new_end = start + len(put)
            edited.edit(start, end, new_end, point(start), point(end), point(new_end, text[:start] + put))
        if not parser.parse(edit.of(text, first), edited).root_node.has_error:
            yield edit


DECLINES = re.compile(r"return( None| -1)?;?|raise (\w+\.)*Skip\b.*")
"""The statements that leave out a case."""


def declining_of(source: Source) -> list[tuple[int, int]]:
    """Return where a source says which cases it leaves out: the ends of conditions and of their statements."""
    found = list[tuple[int, int]]()
    for node in (node for part in source.parts for node in walk(part.body)):
        if node.type in JUMPS and DECLINES.fullmatch(text_of(node)):
            branch = _around_of(node, ("if_statement", "elif_clause"))
            found += [each.byte_range for each in (node, *branch.children_by_field_name("condition"))]
    return found


class Place(NamedTuple):
    """A statement of a source, and the edit that ends a run of the function there."""

    start: int
    end: int
    line: int
    stop: Edit


def places_of(source: Source) -> list[Place]:
    """Return the statements of a function and of what it uses."""
    found = []
    for node in (node for part in source.parts for node in walk(part.body)):
        start, end, stop = node.start_byte, node.end_byte, source.language.stop
        is_branch = field_of(node) in ("consequence", "body", "alternative") or type_around(node) == "else_clause"
        if is_statement(node):
            own_line = source.text[:start].rpartition(b"\n")[2].isspace()
            between = f"\n{' ' * node.start_point.column}" if own_line and source.language is PYTHON else "; "
            parts: Parts = (Part(start, start, f"{stop}{between}"),)
        elif node.type.endswith("_statement") and node.type not in BLOCKS and is_branch:
            parts = (Part(end, end, "}"), Part(start, start, f"{{ {stop}; "))
        else:
            continue
        found.append(Place(start, end, node.start_point.row + 1, Edit("", 0, parts)))
    return found


# What a node is


def type_around(node: Node) -> str:
    """Return the type of the node that a node is in; "" of a whole file."""
    return "" if node.parent is None else node.parent.type


def is_value(node: Node) -> bool:
    """Whether a node is an expression whose value is used."""
    if field_of(node) in TARGETS and not (field_of(node) == "left" and type_around(node) in BINARY):
        return False
    return node.type in ARITHMETIC and type_around(node) not in WITHOUT_VALUES


WITHOUT_VALUES = (
    *("pattern_list", "tuple_pattern", "parameter_declaration", "parameters", "keyword_argument"),
    *("type_descriptor", "declaration", "pointer_declarator", "array_declarator"),
)


def is_given(node: Node) -> bool:
    """Whether a name is given a value, alone or with others: a wrong line may be why it is used nowhere."""
    return type_around(node) in ("pattern_list", "tuple_pattern", "init_declarator", "assignment")


def is_whole(node: Node) -> bool:
    """Whether a value is not asked for a member or an element, and is no index: it may be a number."""
    return is_value(node) and type_around(node) not in (*MEMBERS, *SUBSCRIPTS) and not _is_index(node)


def is_called(node: Node) -> bool:
    """Whether a member is a method that is called."""
    return node.parent is not None and field_of(node.parent) == "function"


def is_condition(node: Node) -> bool:
    """Whether a node is true or false by itself: a comparison, or several joined ones."""
    joins = node.type == "binary_expression" and operator_of(node) in (*DIRECTIONS, "&&", "||")
    return joins or node.type in ("comparison_operator", "boolean_operator", "not_operator")


def operator_of(node: Node) -> str:
    """Return the operator of an expression; "" where there is none."""
    operator = node.child_by_field_name("operator") or node.child_by_field_name("operators")
    return "" if operator is None else text_of(operator)


def index_of(node: Node) -> list[Node]:
    """Return the indices of a subscript."""
    found = node.children_by_field_name("subscript") or node.children_by_field_name("index")
    return found or [child for group in node.children_by_field_name("indices") for child in group.named_children]


def arguments_of(node: Node) -> list[Node]:
    """Return the arguments of a call."""
    return [child for group in node.children_by_field_name("arguments") for child in group.named_children]


def statement_of(node: Node) -> Node | None:
    """Return the statement of a block that a node is in."""
    while node.parent is not None and node.parent.type not in BLOCKS:
        node = node.parent
    return node if node.parent is not None else None


def is_statement(node: Node) -> bool:
    """Whether a node is a statement of a block, and no comment or text."""
    others = ("comment", "function_definition", "class_definition", "decorated_definition")
    return type_around(node) in BLOCKS and node.is_named and node.type not in others


def enclosed(node: Node) -> str:
    """Return the text of an expression, in brackets where it needs them as an operand."""
    needing = (*BINARY, *UNARY, "conditional_expression", "comparison_operator", "not_operator")
    return f"({text_of(node)})" if node.type in needing else text_of(node)


def put_for(node: Node, text: str) -> Part:
    """Return the part of an edit that puts a text in the place of a node."""
    return Part(*node.byte_range, text)


def replaced(node: Node, *texts: str) -> Iterator[Parts]:
    """Yield the edits that put other texts in the place of a node, each once."""
    yield from ((put_for(node, text),) for text in dict.fromkeys(texts) if text != text_of(node))


def exchanged(a: Node, b: Node) -> Parts:
    """Return the edit that exchanges two nodes."""
    return put_for(a, text_of(b)), put_for(b, text_of(a))


def added(node: Node, *texts: str) -> Iterator[Parts]:
    """Yield the edits that put texts behind a node, each once."""
    yield from ((Part(node.end_byte, node.end_byte, text),) for text in dict.fromkeys(texts))


def behind(statement: Node, *texts: str) -> Iterator[Parts]:
    """Yield the edits that put statements behind another, each once."""
    yield from added(statement, *(f"\n{' ' * statement.start_point.column}{text}" for text in texts))


# The kinds


def _strictness(node: Node, scope: Scope) -> Iterator[Parts]:
    if not node.is_named and type_around(node) in COMPARISONS and text_of(node) in STRICTNESS:
        yield from replaced(node, STRICTNESS[text_of(node)])


def _direction(node: Node, scope: Scope) -> Iterator[Parts]:
    if not node.is_named and type_around(node) in COMPARISONS:
        yield from replaced(node, *DIRECTIONS.get(text_of(node), ()))


def _both_bounds(node: Node, scope: Scope) -> Iterator[Parts]:
    """Change both comparisons of a chain or of a joined condition; or compare with zero what has two bounds."""
    if node.type == "comparison_operator":
        tokens, bounded = _tokens_of(node), {*map(text_of, node.named_children[1:-1])}
    elif node.type in BINARY and operator_of(node) in ("and", "or", "&&", "||"):
        left, right = _unbracketed(node.named_children[0]), _unbracketed(node.named_children[-1])
        tokens = [*_tokens_of(left), *_tokens_of(right)]
        bounded = {*map(text_of, left.named_children)} & {*map(text_of, right.named_children)}
    else:
        return
    if len(tokens) == 2:
        equal = "!=" if operator_of(node) in ("or", "||") else "=="
        yield from replaced(node, *(f"{value} {equal} 0" for value in bounded if not value.isdigit()))
        for table in (STRICTNESS, REVERSED):
            both = [put_for(token, table[text_of(token)]) for token in tokens]
            yield tuple(both)
            if operator := node.child_by_field_name("operator"):
                yield (*both, put_for(operator, OPERATORS[text_of(operator)][0]))


def _unbracketed(node: Node) -> Node:
    while node.type in ENCLOSING:
        node = node.named_children[0]
    return node


def _tokens_of(node: Node) -> list[Node]:
    return [child for child in _unbracketed(node).children if text_of(child) in STRICTNESS]


def _operator(node: Node, scope: Scope) -> Iterator[Parts]:
    left = node.parent.child_by_field_name("left") if node.parent and node.parent.type == "assignment" else None
    is_of_one = left is not None and left.type in NAMES
    is_operator = not node.is_named and (field_of(node) in ("operator", "operators") or is_of_one)
    others = (*UNARY, *MEMBERS, "comparison_operator", "pointer_expression")
    if is_operator and type_around(node) not in others:
        yield from replaced(node, *OPERATORS.get(text_of(node), ()))


def _operands(node: Node, scope: Scope) -> Iterator[Parts]:
    """Exchange the operands of what does not commute."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator, kept = operator_of(node), (*COMMUTE, *STRICTNESS)
    if node.type in BINARY and left is not None and right is not None and operator not in kept:
        yield exchanged(left, right)
        yield from replaced(node, f"{enclosed(right)} {operator} {enclosed(left)}")


def _arguments(node: Node, scope: Scope) -> Iterator[Parts]:
    if node.type in CALLS:
        yield from (exchanged(a, b) for a, b in combinations(arguments_of(node), 2))


def _sign(node: Node, scope: Scope) -> Iterator[Parts]:
    if (node.type in UNARY and operator_of(node) in ("-", "not", "!")) or node.type == "not_operator":
        yield from replaced(node, text_of(node.named_children[-1]))
    elif is_condition(node):
        yield from replaced(node, scope.language.negation.format(text_of(node)))
    elif is_whole(node):
        yield from replaced(node, f"-{enclosed(node)}")


def _is_index(node: Node) -> bool:
    return field_of(node) in ("subscript", "index") or type_around(node) == "subscript_argument_list"


def _call_put_in(node: Node, scope: Scope) -> Iterator[Parts]:
    """Put a call around a value, as there is one around another."""
    if is_whole(node) and node.type not in (*LITERALS, "parenthesized_expression"):
        yield from replaced(node, *(call.format(text_of(node)) for call in scope.calls))


def _around(call: Node) -> Iterator[str]:
    """Yield a call with {0} in the place of its one value that is no number, and of what that calls in turn."""
    values = [each for each in arguments_of(call) if each.type not in LITERALS]
    if len(values) == 1 and "{" not in text_of(call):
        value, text = values[0], call.text or b""
        before, behind = text[: value.start_byte - call.start_byte], text[value.end_byte - call.start_byte :]
        for inside in ("{0}", *_around(value)):
            yield f"{before.decode()}{inside}{behind.decode()}"


def _number(node: Node, scope: Scope) -> Iterator[Parts]:
    if node.type not in LITERALS:
        return
    text = text_of(node)
    try:
        value = float(int(text, 16)) if text.startswith("0x") else float(text.strip("()fFlL ").replace("_", ""))
    except ValueError:
        return
    operator = operator_of(node.parent) if node.parent is not None and node.parent.type in COMPARISONS else ""
    if operator in ("==", "!="):
        yield from replaced(node, "0")
        return
    if value.is_integer() and ("." not in text and "e" not in text.lower()):
        whole = int(value)
        near = () if operator in STRICTNESS else range(max(0, whole - 4), min(MOST_NUMBERS, whole + 5))
        yield from replaced(node, *map(str, (0, 1, 2, *near)))
        if not _is_index(node):
            yield from replaced(node, f"-{text}", "0.5")
    elif abs(value) <= LARGEST_TOLERANCE:
        yield from replaced(node, "0", f"-{text}")
        yield from replaced(node, *(f"{value * factor:g}" for factor in (1e-3, 1e-6, 1e-12)))
    else:
        yield from replaced(node, "0", "0.0", "1.0", "0.5", "2.0", f"-{text}", repr(value + 1), repr(value - 1))
    if not _is_index(node):
        yield from replaced(node, scope.language.infinity, f"-{scope.language.infinity}")


def _tolerance(node: Node, scope: Scope) -> Iterator[Parts]:
    """Compare with zero instead of a tolerance."""
    tokens, values = _tokens_of(node), node.named_children
    if tokens and len(values) == 2:
        yield put_for(values[1], "0"), put_for(tokens[0], STRICTNESS[text_of(tokens[0])])


def _factor(node: Node, scope: Scope) -> Iterator[Parts]:
    """Halve, double or square a value, or take it from 1."""
    if is_whole(node) and node.type not in (*LITERALS, *UNARY, "boolean_operator"):
        text = enclosed(node)
        yield from replaced(node, f"{text} / 2", f"{text} * 2", f"{text} * {text}", f"1 - {text}")


def _name(node: Node, scope: Scope) -> Iterator[Parts]:
    if type_around(node) in SUBSCRIPTS and field_of(node) in ("argument", "value"):  # what stands before the index
        yield from replaced(node, *scope.arrays)
    if node.type in NAMES and is_value(node):
        names = filter(str.isidentifier, scope.places) if _is_index(node) else scope.variables
        yield from replaced(node, *names)


def _member(node: Node, scope: Scope) -> Iterator[Parts]:
    if field_of(node) in ("attribute", "field") and not is_called(node):
        yield from replaced(node, *scope.members)


def _twin(node: Node, scope: Scope) -> Iterator[Parts]:
    if node.child_count == 0 and type_around(node) not in DEFINED:
        text = text_of(node)
        yield from replaced(node, *(_exchanged_words(text, pair) for pair in TWINS if text in pair))
        if node.type in (*NAMES, "field_identifier"):
            known = (*scope.variables, *scope.members)
            twins = (_exchanged_words(text, pair) for pair in TWINS)
            turned = (_turned(text, letters, step) for letters in SEQUENCES for step in (1, 2))
            yield from replaced(node, *(twin for twin in twins if twin in known))
            yield from replaced(node, *(other for other in turned if len(text) == 1 or other in known))


def _index(node: Node, scope: Scope) -> Iterator[Parts]:
    if _is_index(node):
        yield from replaced(node, *scope.places, *(() if node.type in LITERALS else "012"))
    elif node.type in SUBSCRIPTS and node.named_children[0].type in SUBSCRIPTS:
        yield from map(exchanged, index_of(node), index_of(node.named_children[0]))


def _name_for_number(node: Node, scope: Scope) -> Iterator[Parts]:
    if node.type in LITERALS and not _is_index(node):
        yield from replaced(node, *scope.variables, *map("-{}".format, scope.variables))
    elif is_whole(node) and node.type in (*NAMES, *SUBSCRIPTS, *MEMBERS):
        yield from replaced(node, "0", "1", *scope.numbers)


def _operand_alone(node: Node, scope: Scope) -> Iterator[Parts]:
    """Leave out an operand, a call around a value, a slice, a member or a branch."""
    if node.type in BINARY:
        yield from replaced(node, text_of(node.named_children[0]), text_of(node.named_children[-1]))
    elif node.type in CALLS:
        is_operand = type_around(node) in (*BINARY, *UNARY)
        yield from replaced(node, *map(enclosed if is_operand else text_of, arguments_of(node)))
    elif (node.type in MEMBERS and is_value(node)) or any(child.type == "slice" for child in index_of(node)):
        yield from replaced(node, text_of(node.named_children[0]))
    elif node.type == "conditional_expression":
        children = node.named_children
        yield from replaced(node, *map(text_of, children))
        if len(children) == 3:  # in Python the condition stands in the middle, and the branches have no names
            yield exchanged(node.child_by_field_name("consequence") or children[0], children[2])
    elif node.type == "comparison_operator" and len(node.named_children) == 3:
        a, b, c = node.named_children
        tokens = [child for child in node.children if not child.is_named]
        yield from replaced(node, f"{text_of(a)} {text_of(tokens[0])} {text_of(b)}")
        yield from replaced(node, f"{text_of(b)} {text_of(tokens[-1])} {text_of(c)}")


def _statement_out(node: Node, scope: Scope) -> Iterator[Parts]:
    if is_statement(node) and node.type != "declaration":
        yield from replaced(node, scope.language.nothing)
    if node.type in JUMPS:
        yield from replaced(node, *scope.jumps)
    if node.type in ("else_clause", "elif_clause"):
        yield from replaced(node, "")


def _branch(node: Node, scope: Scope) -> Iterator[Parts]:
    """Take a branch always, or never, or take what is returned for the other."""
    if node.type in ("if_statement", "elif_clause") and (condition := node.child_by_field_name("condition")):
        enclosing = "({})" if text_of(condition).startswith("(") else "{}"
        yield from replaced(condition, *map(enclosing.format, (scope.language.true, scope.language.false)))
    if node.type in ("true", "false"):
        yield from replaced(node, scope.language.false if node.type == "true" else scope.language.true)
    if node.type == "return_statement" and node.named_children:
        answer = node.named_children[-1]
        yield from replaced(answer, scope.language.true, scope.language.false)


def _moved_out(node: Node, scope: Scope) -> Iterator[Parts]:
    """Move the last statement of a block behind the loop or the branch that it is in."""
    if is_statement(node) and node.parent is not None and node.parent.named_children[-1].id == node.id:
        outer, kept = (
            statement_of(node.parent),
            scope.language.nothing if node.parent.named_child_count == 1 else "",
        )
        if outer is not None and outer.id != node.id and is_statement(outer):
            yield from ((put_for(node, kept), *parts) for parts in behind(outer, text_of(node)))


def _order(node: Node, scope: Scope) -> Iterator[Parts]:
    if node.type in BLOCKS:
        statements = [child for child in node.named_children if is_statement(child)]
        yield from (exchanged(a, b) for a, b in pairwise(statements))


def _mirrors(text: str) -> Iterator[str]:
    """Yield what an expression or a statement becomes for another axis, or for the other end."""
    yield from _other_axes(text)
    turned = re.sub(r"<=|>=|<|(?<!-)>", lambda found: REVERSED[found[0]], text)
    for given in (text, turned):
        yield _exchanged_words(given, *TWINS)
        for pair in combinations(_words(text), 2):
            yield _exchanged_words(given, pair)
            yield _exchanged_words(given, pair, *TWINS)
        for pair in TWINS:
            yield _exchanged_words(given, pair)
        yield _exchanged_words(given, ("0", "1"))
        yield re.sub(r"(?<![\w.])0(\.0)?(?![\w.])", "1", given)
        yield re.sub(r"(?<![\w.])1(\.0)?(?![\w.])", "0", given)
    yield turned
    opposite = re.sub(r"(<=|>=|<|>) ", r"\1 -", turned)
    yield from (opposite, re.sub(r" ([+-]) ", lambda found: f" {'+-'[found[1] == '+']} ", turned))
    yield from (_exchanged_words(opposite, pair) for pair in TWINS)


def _other_axes(text: str) -> Iterator[str]:
    """Yield what an expression or a statement becomes for another axis, or for another corner."""
    for indices in ({0: 1}, {1: 2}, {0: 2}, {2: 0}, {2: 1}, {1: 0}, {0: 1, 1: 2, 2: 0}, {0: 2, 2: 1, 1: 0}):
        yield _renumbered(text, indices.get)
    for step in (1, 2, 3, 6):
        yield _renumbered(text, step.__add__)
    for letters in SEQUENCES:
        yield from (_turned(text, letters, step) for step in (1, 2))
    yield from (re.sub(rf"(?<![a-z]){a}(?![a-z])", b, text) for a, b in ("xy", "yz", "xz", "uv", "vw", "ab", "bc"))


def _turned(text: str, letters: str, step: int) -> str:
    """Return a text in which the next letters of a sequence end its names, or stand before their number."""

    def next_name(found: re.Match[str]) -> str:
        before, letter, behind = found.groups()
        return f"{before}{letters[(letters.index(letter) + step) % len(letters)]}{behind}"

    name = rf"(?<![\w.])(?<!\d\.)((?:[A-Za-z]\w*\.|\w*_|[A-Za-z])?)([{letters}])(\d?)(?!\w)"
    return re.sub(name, next_name, text)


def _words(text: str) -> list[str]:
    return [*dict.fromkeys(re.findall(r"(?<![\w.])(?<!->)[A-Za-z_]\w*", text))][:MOST_WORDS]


def _twins_exchanged(node: Node, scope: Scope) -> Iterator[Parts]:
    """Exchange two twins wherever they stand in a statement, a call or an index."""
    if _is_one(node):
        yield from replaced(node, *(_exchanged_words(text_of(node), pair) for pair in TWINS))


def _words_exchanged(node: Node, scope: Scope) -> Iterator[Parts]:
    """Exchange two words wherever they stand in a statement, a call or an index, one of them perhaps nowhere."""
    if _is_one(node):
        text = text_of(node)
        words, fields = _words(text), [name for name in scope.members if re.search(rf"[.>]{name}\b", text)]
        twice = [word for word in words if len(re.findall(rf"\b{word}\b", text)) > 1]
        others = product(twice, (name for name in scope.variables if name not in words))
        pairs = (*combinations(words, 2), *combinations(fields, 2), *others)
        yield from replaced(node, *(_exchanged_words(text, pair) for pair in pairs))


def _is_one(node: Node) -> bool:
    """Whether a node is a statement, a call, a list or an index in one line."""
    alone = ("return_statement", "expression_statement")  # of a branch without braces
    is_one = is_statement(node) or node.type in (*alone, *CALLS, *LISTS, *SUBSCRIPTS, "comparison_operator")
    return is_one and node.start_point.row == node.end_point.row


def _element_more(node: Node, scope: Scope) -> Iterator[Parts]:
    """Add to a list or to arguments the same for another axis."""
    if node.type in LISTS and node.named_children:
        last = node.named_children[-1]
        yield from added(last, *(f", {text}" for text in _other_axes(text_of(last))))


def _operand_put_in(node: Node, scope: Scope) -> Iterator[Parts]:
    """Add a variable to a value, or take it away, multiply or divide by it; or a term of a sum alone."""
    parent = node.parent
    if not is_whole(node) or parent is None:
        return
    is_term = parent.type in BINARY and operator_of(parent) in ("+", "-")
    is_one = field_of(node) in ("right", "value") and "operator" not in parent.type
    if is_term or is_one or parent.type in (*LISTS, *COMPARISONS, *JUMPS):
        text, others = enclosed(node), [name for name in scope.variables if name != text_of(node)]
        operators = "/*" if is_term else "-/*+"
        yield from replaced(node, *(f"{text} {token} {name}" for name, token in product(others, operators)))


def _jump_put_in(node: Node, scope: Scope) -> Iterator[Parts]:
    """End a branch or a turn of a loop."""
    if node.type == "pass_statement" or (node.type == "expression_statement" and text_of(node) == ";"):
        yield from replaced(node, *scope.jumps)
    elif node.type in BLOCKS and type_around(node) != "function_definition":
        statements = [child for child in node.named_children if is_statement(child)]
        if statements and statements[-1].type not in JUMPS:
            yield from behind(statements[-1], *scope.jumps)


def _exchanged_words(text: str, *pairs: tuple[str, str]) -> str:
    """Return a text with the words of pairs in each other's place."""
    words = {one: other for pair in pairs[::-1] for one, other in (pair, pair[::-1])}
    one_of = "|".join(map(re.escape, words))
    return re.sub(rf"(?<![a-zA-Z\d])(?<!\d\.)({one_of})(?![a-zA-Z\d]|\.\d)", lambda found: words[found[0]], text)


def _renumbered(text: str, new: Callable[[int], int | None]) -> str:
    """Return a text with other numbers in its subscripts, where there are new ones."""

    def replaced_index(found: re.Match[str]) -> str:
        number = new(int(found[1]))
        return found[0] if number is None else f"[{number}]"

    return re.sub(r"\[(\d+)\]", replaced_index, text)


def _operand_more(node: Node, scope: Scope) -> Iterator[Parts]:
    """Add to a sum or a joined condition the same for another axis, or for the other end."""
    is_end = node.parent is None or operator_of(node.parent) != operator_of(node)
    if node.type in BINARY and operator_of(node) in JOINED and is_end:
        mirrors = _mirrors(text_of(node.named_children[-1]))
        yield from added(node, *(f" {operator_of(node)} {text}" for text in mirrors))
    if is_condition(node) and is_end:
        both = "({0})" if operator_of(node) in ("or", "||") else "{0}"
        is_alone = field_of(node) == "condition" or type_around(node) in BRACKETS
        either = "{0}" if is_alone else "({0})"
        for text in dict.fromkeys(_mirrors(text_of(node))):
            if text != text_of(node):
                joined = scope.language.conjunction.format(both.format(text_of(node)), both.format(text))
                other = either.format(scope.language.disjunction.format(text_of(node), text))
                yield from replaced(node, joined, other)


def _like_the_next(node: Node, scope: Scope) -> Iterator[Parts]:
    """Put in the place of a term, an element, a statement or a condition the next one for another axis or end."""
    row, mirrors = list[Node](), _other_axes
    if node.type in LISTS:
        row = node.named_children
    elif node.type in BLOCKS:
        row = [child for child in node.named_children if _is_one(child)]
    elif node.type in BINARY and operator_of(node) in (*JOINED, "-"):
        left, right = node.named_children[0], node.named_children[-1]
        row = [left.named_children[-1] if operator_of(left) in (*JOINED, "-") else left, right]
        mirrors = _mirrors if is_condition(node) else _other_axes
    elif node.type == "if_statement":
        others = node.children_by_field_name("alternative")
        branches = [node, *(each.named_children[0] if each.type == "else_clause" else each for each in others)]
        row = [condition for each in branches for condition in each.children_by_field_name("condition")]
        mirrors = _mirrors
    for a, b in pairwise(row):
        for one, other in ((a, b), (b, a)):
            yield from replaced(one, *mirrors(text_of(other)))


def _statement_again(node: Node, scope: Scope) -> Iterator[Parts]:
    """Put a statement in again, for another axis or for the other end."""
    if is_statement(node) and node.end_point.row - node.start_point.row < LONGEST_COPY:
        yield from behind(node, *(text for text in _mirrors(text_of(node)) if text != text_of(node)))


def _exchange_put_in(node: Node, scope: Scope) -> Iterator[Parts]:
    """Put in the exchange of two variables that are out of order, or exchange those that are set to each other."""
    if node.type in ("assignment", "assignment_expression") and (statement := statement_of(node)) is not None:
        left, right = node.named_children[0], node.named_children[-1]
        if {left.type, right.type} <= {*NAMES, *MEMBERS, *SUBSCRIPTS}:
            yield from replaced(statement, scope.language.exchange.format(a=text_of(left), b=text_of(right)))
    others = [name for name, given in scope.assigned.items() if any(s.parent == node.parent for s in given)]
    for a, b in product(scope.given_by(node), others):
        for low, high in ((a, b), (b, a)) if a != b else ():
            swap = scope.language.exchange.format(a=low, b=high)
            yield from behind(node, scope.language.guarded.format(f"{low} > {high}", swap))


def _exit_put_in(node: Node, scope: Scope) -> Iterator[Parts]:
    """Put in the return of a miss where a value is beyond an end, or two are out of order."""
    ends = ["< 0", "> 1", "== 0", *(f"{token} {other}" for other in scope.variables for token in "><")]
    for miss, name, end in product(scope.misses[:2], scope.given_by(node), ends):
        if not end.endswith(f" {name}"):
            yield from behind(node, scope.language.guarded.format(f"{name} {end}", miss))


def _end_put_in(node: Node, scope: Scope) -> Iterator[Parts]:
    """Bound a value by an end, and what is returned by the checks of both."""
    parent = node.parent
    if parent is not None and field_of(node) in ("right", "value") and parent.type in ASSIGNMENTS:
        bounds = [bound for bound in ("0", "1", *scope.variables) if bound != text_of(node)]
        ways = (scope.language.greatest, scope.language.least)
        yield from replaced(node, *(way.format(text_of(node), bound) for bound, way in product(bounds, ways)))
    ends = [f"{name} {end}" for name in scope.assigned for end in scope.ends]
    ends += [f"{name} <= {other}" for name, other in permutations(scope.assigned, 2)]
    ends += [f"{name} + {other} <= 1" for name, other in combinations(scope.assigned, 2)]
    if node.type == "true":
        yield from replaced(node, *ends)
    is_answer = parent is not None and (parent.type == "return_statement" or field_of(node) == "condition")
    answer = node.named_children[0] if node.type in (*ENCLOSING, "expression_list") else node
    if is_answer and is_condition(answer):
        joined = f"({text_of(answer)})" if operator_of(answer) in ("or", "||") else text_of(answer)
        yield from replaced(answer, *(scope.language.conjunction.format(joined, end) for end in ends))
        negated = (scope.language.negation.format(end) for end in ends)
        yield from replaced(answer, *(scope.language.disjunction.format(text_of(answer), end) for end in negated))


def _range_put_in(node: Node, scope: Scope) -> Iterator[Parts]:
    """Put in what happens otherwise: a miss where a value is not between a low one and a high one."""
    if node.type != "if_statement" or node.child_by_field_name("alternative") is not None:
        return
    values = [text_of(node) for node in scope.nodes if node.type in (*NAMES, *SUBSCRIPTS) and is_whole(node)]
    twins = {(text, _exchanged_words(text, pair)) for text in values for pair in TWINS[:MOST_ENDS]}
    ends = [(a, b) for a, b in dict.fromkeys(sorted(twins)) if a != b and b in values]
    column, miss = " " * node.start_point.column, scope.misses[0]
    for (low, high), value in product(ends, dict.fromkeys(values)):
        if value not in (low, high):
            condition = scope.language.disjunction.format(f"{value} < {low}", f"{value} > {high}")
            otherwise = scope.language.otherwise.format(column=column, condition=condition, statement=miss)
            yield from added(node, otherwise)


def _condition_around(node: Node, scope: Scope) -> Iterator[Parts]:
    if is_statement(node) and node.start_point.row == node.end_point.row and node.type != "declaration":
        both = (way.format(each) for each in scope.conditions for way in ("{}", scope.language.negation))
        yield from replaced(node, *(scope.language.guarded.format(each, text_of(node)) for each in both))


def _order_of_values(node: Node, scope: Scope) -> Iterator[Parts]:
    if node.type in ("expression_list", "pattern_list", "tuple") and 1 < node.named_child_count <= 3:
        children = node.named_children
        for order in list(permutations(children))[1:]:
            yield tuple(put_for(a, text_of(b)) for a, b in zip(children, order, strict=True) if a.id != b.id)


KINDS: dict[str, tuple[int, Callable[[Node, Scope], Iterable[Parts]]]] = {
    "another strictness": (1, _strictness),
    "a tolerance or number": (2, _number),
    "another operator": (1, _operator),
    "the twin of a word": (1, _twin),
    "a sign": (2, _sign),
    "another direction": (2, _direction),
    "both bounds": (2, _both_bounds),
    "operands exchanged": (2, _operands),
    "arguments exchanged": (2, _arguments),
    "another index": (2, _index),
    "another field": (2, _member),
    "another variable": (3, _name),
    "a call": (3, _call_put_in),
    "no tolerance": (2, _tolerance),
    "twins exchanged": (2, _twins_exchanged),
    "words exchanged": (3, _words_exchanged),
    "an operand left out": (3, _operand_alone),
    "a statement left out": (3, _statement_out),
    "a branch": (3, _branch),
    "a statement moved out": (3, _moved_out),
    "another order of values": (3, _order_of_values),
    "another order of statements": (3, _order),
    "a factor": (3, _factor),
    "a variable for a number": (4, _name_for_number),
    "an operand more": (3, _operand_more),
    "an element more": (3, _element_more),
    "like the next": (3, _like_the_next),
    "a statement once more": (4, _statement_again),
    "a jump": (4, _jump_put_in),
    "an operand put in": (5, _operand_put_in),
    "an exchange": (4, _exchange_put_in),
    "an early exit": (5, _exit_put_in),
    "a check of an end": (5, _end_put_in),
    "a check of a range": (4, _range_put_in),
    "a condition around a statement": (5, _condition_around),
}
"""The kinds, by names that a report can give: the least cost of one, and its edits at a node."""
