"""How values show themselves in a notebook: small tables and pictures in HTML, which need no script."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from importlib import import_module
from io import BytesIO
from itertools import islice
from typing import Any

from hitscope import numerals

PICTURE_SIZE = (640, 400)
"""The pixels of the picture of a scene."""
SHOWN_ROWS = 20
"""The most rows that are shown of what may have many."""


def paragraph(words: str) -> str:
    return f"<p>{escape(words)}</p>"


def preformatted(lines: Iterable[str]) -> str:
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table of the texts of values; None is an empty cell."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    cells = ([f"<td>{escape(numerals.answer(value))}</td>" for value in row] for row in rows)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in cells)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def table_of(records: Iterable[dict[str, Any]], size: int) -> str:
    """Return the table of `size` rows that have the same keys: the first ones, with a line on the others."""
    shown = list(islice(records, SHOWN_ROWS))
    if not shown:
        return ""
    left = size - len(shown)
    rows = table(list(shown[0]), [list(record.values()) for record in shown])
    return rows + (paragraph(f"... and {left:,} more") if left > 0 else "")


def picture_of(scene: Any) -> str:
    """Return the picture of a scene; "" where it cannot be drawn, as where there is no OpenGL."""
    # By its name: the rooms that show themselves here must not import the one that draws.
    try:
        image = import_module("hitscope").render(scene, PICTURE_SIZE)
    except Exception:  # a notebook shows something, whatever the drivers of a machine do
        return ""
    data = BytesIO()
    image.save(data, format="JPEG", quality=90)  # a fifth of a PNG file
    return f'<img alt="the scene" src="data:image/jpeg;base64,{b64encode(data.getvalue()).decode()}">'
