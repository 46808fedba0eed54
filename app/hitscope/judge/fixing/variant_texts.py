"""The texts of variants of a file, as the process that calls them takes them.

In C and C++ nearly all edits share one copy of the source: the statement or the value that one changes is chosen
there by the number of the variant. So a thousand are compiled in little more time than the copy.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from tree_sitter import Node

from hitscope.judge.fixing import syntax
from hitscope.judge.fixing.edits import Edit, Part, type_around
from hitscope.judge.fixing.syntax import MACROS, PYTHON, Definition, Source, field_of, text_of
from hitscope.targets.runners import variants

LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
STATEMENTS = ("expression_statement", "return_statement", "if_statement")
"""The types of statements that are chosen."""
DECLARED = ("identifier", "pointer_declarator")
UNCHOSEN = re.compile(r"\b(break|case|default|goto|static|constexpr|for|while)\b")
"""The words of statements that mean another thing where they are chosen, or that need more."""


class _Region(NamedTuple):
    """A statement or a value of a source, in whose place others stand in its variants."""

    start: int
    end: int
    is_value: bool
    whole: str
    """The text behind a condition: else one may be a bool, and one what that is converted to and is true."""


def variants_of(source: Source, edits: Sequence[Edit], reading: str = "") -> variants.Variants:
    """Return variants of a file's function, each with an edit."""
    if source.language is not PYTHON:
        regions = [_region(source, edit) for edit in edits]
        changed = [
            {0: _copy(source, edit, k)} if region is None else {}
            for k, (edit, region) in enumerate(zip(edits, regions, strict=True))
        ]
        return variants.Variants(changed, shared=_shared(source, edits, regions))
    root = syntax.parser(PYTHON.grammar).parse(source.text).root_node
    starts = [0, *(node.start_byte for node in root.named_children[1:]), len(source.text)]
    parts = [source.text[a:b] for a, b in pairwise(starts)]
    changed = [
        {k: edit.of(parts[k], starts[k]).decode(errors="replace")}
        for edit in edits
        if (k := sum(start <= edit.first for start in starts) - 1) >= 0
    ]
    return variants.Variants(changed, [part.decode(errors="replace") for part in parts], reading=reading)


def _region(source: Source, edit: Edit) -> _Region | None:
    """Return the smallest statement or value that an edit changes, if others can be chosen in its place."""
    if not edit.parts:
        return None
    last = max(part.end for part in edit.parts)
    node: Node | None = source.part_at(edit.first).body.descendant_for_byte_range(edit.first, last)
    region = None
    while node is not None and node.type != "function_definition":
        if region is None and (node.type in STATEMENTS or _is_value(node)):
            region = node
        node = node.parent
    if region is None or node is None or text_of(node).startswith("constexpr"):
        return None
    is_value = region.type not in STATEMENTS
    if not is_value and any(map(UNCHOSEN.search, (text_of(region), *(part.text for part in edit.parts)))):
        return None
    is_condition = field_of(region) == "condition" and type_around(region) != "switch_statement"
    whole = " ? 1 : 0" if is_condition else ""
    return _Region(region.start_byte, region.end_byte, is_value, whole)


def _is_value(node: Node) -> bool:
    """Whether a node is a condition, or the number that a variable begins with."""
    parent = node.parent
    if parent is None or parent.type != "init_declarator":
        return field_of(node) == "condition" and all(child.type != "declaration" for child in node.children)
    declarator, statement = parent.child_by_field_name("declarator"), parent.parent
    is_number = declarator is not None and declarator.type in DECLARED and node.type != "initializer_list"
    is_in_order = statement is not None and not UNCHOSEN.search(text_of(statement))
    return field_of(node) == "value" and is_number and is_in_order


def _shared(source: Source, edits: Sequence[Edit], regions: Sequence[_Region | None]) -> str:
    """Return a copy of a source with a choice between the edits of each region."""
    chosen: dict[_Region, str] = {}
    for k, (edit, region) in enumerate(zip(edits, regions, strict=True)):
        if region is not None:
            text = edit.of(source.text[region.start : region.end], region.start).decode(errors="replace")
            value = f"{variants.NUMBER} == {k} ? ({text}){region.whole} :"
            choice = value if region.is_value else f"case {k}: {{ {text} }} break;"
            chosen[region] = f"{chosen.get(region, '')}{variants.CHOSEN_LINE.format(k)}{choice}"
    puts: dict[int, str] = {}
    for region in sorted(chosen, key=lambda region: (region.start, -region.end)):  # what is around others first
        begin = f"({chosen[region]}" if region.is_value else f"switch ({variants.NUMBER}) {{{chosen[region]}"
        begin += f"{variants.SHARED_LINE}{'(' if region.is_value else 'default: '}"
        puts[region.start] = puts.get(region.start, "") + begin
        puts[region.end] = (f"){region.whole})" if region.is_value else "}") + puts.get(region.end, "")
    parts = tuple(Part(place, place, text) for place, text in sorted(puts.items(), reverse=True))
    return _copy(source, Edit("", 0, parts), variants.SHARED) if parts else ""


def _copy(source: Source, edit: Edit, variant: int) -> str:
    """Return what an edit concerns of a source in C once more, under names of its own."""
    changed = [source.part_at(place) for place in {part.start for part in edit.parts} or {0}]
    names = {part.name for part in changed}
    for operator in filter(syntax.is_operator, changed):  # it has no name of its own, but its operands have types
        names |= {part.name for part in source.parts if part.name in operator.uses}
    while more := {part.name for part in source.parts if part.uses & names} - names:
        names |= more
    copied = [part for part in source.parts if part.name in names]
    macros = [part for part in copied if part.node.type in MACROS]
    names -= {macro.name for macro in macros}
    lines, namespaces = list[str](), source.namespaces
    for macro in macros:
        text = _text(macro, edit, names, variant, namespaces)
        lines += [f'#pragma push_macro("{macro.name}")', f"#undef {macro.name}", text]
    for part in copied:
        if part not in macros:
            begin = "".join(f"namespace {name} {{ " for name in part.namespaces)
            lines.append(f"{begin}{_text(part, edit, names, variant, namespaces)}{' }' * len(part.namespaces)}")
    lines += [f'#pragma pop_macro("{macro.name}")' for macro in macros]
    return "\n".join(lines)


def _text(part: Definition, edit: Edit, names: Collection[str], variant: int, namespaces: frozenset[str]) -> str:
    """Return a part of a source with an edit, other names of what is copied, and an end of every loop."""
    start, end = part.node.start_byte, part.node.end_byte
    around, name = ("|".join(map(re.escape, words)) for words in (namespaces or {" "}, names))
    named = re.compile(rf"(?<![.:])(?<!->)\b((?:(?:{around})::)*)({name})\b")
    edited = [each for each in edit.parts if start <= each.start and each.end <= end]
    renamed = rf"\1\2{variants.variant_name('', variant)}"
    puts = [(each._replace(text=named.sub(renamed, each.text)), True) for each in edited]
    for put in _puts(part, namespaces):
        is_free = not any(each.start < put.end and put.start < each.end for each in edited)
        if is_free and (put.text in names or put.start == put.end):
            text = put.text if put.start == put.end else variants.variant_name(put.text, variant)
            puts.append((put._replace(text=text), False))
    # Of what is put in one place, the end of a loop stands before what an edit puts behind it.
    puts.sort(key=lambda each: (each[0][:2], each[1]), reverse=True)
    copied = Edit("", 0, tuple(put for put, _ in puts)).of(part.node.text or b"", start)
    return (copied + part.end).decode(errors="replace")


@lru_cache(256)
def _puts(part: Definition, namespaces: frozenset[str]) -> list[Part]:
    """Return the names of a part, and what is put into it for the end of every loop.

    A name that is qualified by another than namespaces of the file is not one of the file's.
    """
    found = list[Part]()
    for node in syntax.descendants(part.body):
        if node.type in syntax.NAMING and _scope(node) in {"", *namespaces}:
            found.append(Part(node.start_byte, node.end_byte, text_of(node)))
        elif node.type in LOOPS and part.node.type not in MACROS and (body := node.child_by_field_name("body")):
            start, end = body.start_byte, body.end_byte
            found += [Part(start, start, variants.STEP), Part(end, end, "}")]
    return found


def _scope(name: Node) -> str:
    """Return what stands before `::` and a name."""
    node = name
    while field_of(node) == "name" and (parent := node.parent) is not None:
        if parent.type == "qualified_identifier":
            scope = parent.child_by_field_name("scope")
            return "" if scope is None else text_of(scope)
        if parent.type not in ("template_type", "template_function"):
            break
        node = parent
    return ""
