"""The texts of variants of a file, as the process that calls them takes them."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise

from hitscope.judge.fixing.edits import Edit, Part
from hitscope.judge.fixing.syntax import (
    MACROS,
    NAMING,
    PYTHON,
    Definition,
    Source,
    descendants,
    field_of,
    is_operator,
    parser,
    text_of,
)
from hitscope.targets.runners.variants import STEP, Variants, variant_name

LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")


def variants_of(source: Source, edits: Sequence[Edit], reading: str = "") -> Variants:
    """Return variants of a file's function, each with an edit."""
    if source.language is not PYTHON:
        return Variants([{0: _copy(source, edit, k)} for k, edit in enumerate(edits)])
    root = parser(PYTHON.grammar).parse(source.text).root_node
    starts = [0, *(node.start_byte for node in root.named_children[1:]), len(source.text)]
    parts = [source.text[a:b] for a, b in pairwise(starts)]
    changed = [
        {k: edit.of(parts[k], starts[k]).decode(errors="replace")}
        for edit in edits
        if (k := sum(start <= edit.first for start in starts) - 1) >= 0
    ]
    return Variants(changed, [part.decode(errors="replace") for part in parts], reading)


def _copy(source: Source, edit: Edit, variant: int) -> str:
    """Return what an edit concerns of a source in C once more, under names of its own."""
    changed = source.part_at(edit.first)
    names = {changed.name}
    if is_operator(changed):  # it has no name of its own, but its operands have types
        names |= {part.name for part in source.parts if part.name in changed.uses}
    while more := {part.name for part in source.parts if part.uses & names} - names:
        names |= more
    copied = [part for part in source.parts if part.name in names]
    macros = [part for part in copied if part.node.type in MACROS]
    names -= {macro.name for macro in macros}
    lines = list[str]()
    for macro in macros:
        text = _text(macro, edit, names, variant)
        lines += [f'#pragma push_macro("{macro.name}")', f"#undef {macro.name}", text]
    lines += [_text(part, edit, names, variant) for part in copied if part not in macros]
    lines += [f'#pragma pop_macro("{macro.name}")' for macro in macros]
    return "\n".join(lines)


def _text(part: Definition, edit: Edit, names: Collection[str], variant: int) -> str:
    """Return a part of a source with an edit, other names of what is copied, and an end of every loop."""
    start, end = part.node.start_byte, part.node.end_byte
    named = re.compile(rf"(?<![.:])(?<!->)\b({'|'.join(map(re.escape, names))})\b")
    edited = [each for each in edit.parts if start <= each.start and each.end <= end]
    puts = [(each._replace(text=named.sub(rf"\1{variant_name('', variant)}", each.text)), True) for each in edited]
    for put in _puts(part):
        is_free = not any(each.start < put.end and put.start < each.end for each in edited)
        if is_free and (put.text in names or put.start == put.end):
            text = put.text if put.start == put.end else variant_name(put.text, variant)
            puts.append((put._replace(text=text), False))
    # Of what is put in one place, the end of a loop stands before what an edit puts behind it.
    puts.sort(key=lambda each: (each[0][:2], each[1]), reverse=True)
    copied = Edit("", 0, tuple(put for put, _ in puts)).of(part.node.text or b"", start)
    return (copied + part.end).decode(errors="replace")


@lru_cache(256)
def _puts(part: Definition) -> list[Part]:
    """Return the names of a part, and what is put into it for the end of every loop."""
    found = list[Part]()
    for node in descendants(part.body):
        parent = node.parent
        is_of_other = parent is not None and parent.type == "qualified_identifier" and field_of(node) == "name"
        if node.type in NAMING and not is_of_other:
            found.append(Part(node.start_byte, node.end_byte, text_of(node)))
        elif node.type in LOOPS and part.node.type not in MACROS and (body := node.child_by_field_name("body")):
            found += [Part(body.start_byte, body.start_byte, STEP), Part(body.end_byte, body.end_byte, "}")]
    return found
