"""An explanation as one HTML file that steps offline."""

import html
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hitscope.errors import escaped
from hitscope.explain.charts.svg import chart_svgs
from hitscope.explain.explanation import Explanation
from hitscope.explain.page.steps import document_of, with_steps
from hitscope.outputs import write_output

LARGEST = 480_000
"""The most bytes of a page: of a run that would need more only the beginning is in it."""
FOLDER = Path(__file__).parent


def write_page(explanation: Explanation, path: Path, title: str) -> None:
    """Write the page of an explanation, with its chart; raises HitscopeError where it cannot be written."""
    write_output(path, [page_text(explanation, title, chart_svgs(explanation)).encode()])


def page_text(explanation: Explanation, title: str, charts: Sequence[str] = ()) -> str:
    """Return the page of an explanation. `charts` are SVG, as `charts.svg` makes it; other texts are escaped."""
    document = document_of(explanation, escaped(title))
    every = document.pop("steps")
    parts = {
        "title": html.escape(f"{document['method']}: {document['title']}"),
        "style": _file("page.css"),
        "script": _file("page.js"),
        "charts": "\n".join(f"<figure>{chart}</figure>" for chart in charts),
    }
    fixed = sum(len(part.encode()) for part in (_file("page.html"), *parts.values()))
    steps = _up_to(LARGEST - fixed - len(_script_json(document).encode()), every)
    parts["data"] = _script_json(with_steps(document, steps))
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _file("page.html"))


def _file(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _up_to(size: int, steps: Sequence[Any]) -> list[Any]:
    """Return the steps from the first one that fit into a number of bytes."""
    fitting = []
    for step in steps:
        size -= len(_script_json(step).encode()) + 1
        if size < 0:
            break
        fitting.append(step)
    return fitting


def _script_json(value: Any) -> str:
    """Return JSON that no HTML parser takes for the end of a script."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text.encode("utf-8", "backslashreplace").decode()
