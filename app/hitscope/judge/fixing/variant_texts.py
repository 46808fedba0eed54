"""The texts of variants of a file, as the process that calls them takes them."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from tree_sitter import Node

from hitscope.judge.fixing.syntax import PYTHON, Source, descendants, name_of, parser, source_of, text_of
from hitscope.targets.runners.variants import STEP, Variants, variant_name

LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")


def variants_of(source: Source, texts: Sequence[bytes], unrounded: bool = False) -> Variants:
    """Return variants of a file's function, of which each is a whole text of the file."""
    if source.language is not PYTHON:
        return Variants([{0: _copy(source._replace(text=text), k)} for k, text in enumerate(texts)])
    parts = _parts(source.text)
    changed = []
    for text in texts:
        new = _parts(text)
        assert len(new) == len(parts), "an edit is inside a statement of the file"
        changed.append({k: after for k, (part, after) in enumerate(zip(parts, new, strict=True)) if part != after})
    return Variants(changed, parts, unrounded)


def _parts(text: bytes) -> list[str]:
    """Cut a file in Python where its statements begin."""
    root = parser(PYTHON.grammar).parse(text).root_node
    starts = [0, *(node.start_byte for node in root.named_children[1:]), len(text)]
    return [text[a:b].decode(errors="replace") for a, b in pairwise(starts)]


def _copy(changed: Source, variant: int) -> str:
    """Return the functions and constants of a source in C once more, under names of their own."""
    source = source_of(changed.text, changed.path, changed.function)
    macros = [node for node in source.parts if node.type == "preproc_def"]
    others = [node for node in source.parts if node.type != "preproc_def"]
    names = {name_of(node) for node in others}
    lines = [
        line
        for node in macros
        for line in (f'#pragma push_macro("{name_of(node)}")', f"#undef {name_of(node)}", text_of(node))
    ]
    lines += [_renamed(node, names, variant) for node in others]
    lines += [f'#pragma pop_macro("{name_of(node)}")' for node in macros]
    return "\n".join(lines)


def _renamed(part: Node, names: Collection[str], variant: int) -> str:
    """Return a function of C with other names of what the file defines, and an end of every loop."""
    puts = list[tuple[int, int, str]]()
    for node in descendants(part):
        if node.type == "identifier" and text_of(node) in names:
            puts.append((node.start_byte, node.end_byte, variant_name(text_of(node), variant)))
        body = node.child_by_field_name("body") if node.type in LOOPS else None
        if body is not None:
            puts += [(body.start_byte, body.start_byte, STEP), (body.end_byte, body.end_byte, "}")]
    text, start = part.text or b"", part.start_byte
    for first, last, new in sorted(puts, reverse=True):
        text = text[: first - start] + new.encode() + text[last - start :]
    return text.decode(errors="replace")
