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
from hitscope.explain.page.steps import document_of
from hitscope.outputs import write_output

LARGEST = 480_000
"""The most bytes of a page: of a run that would need more only the beginning is in it."""
FOLDER = Path(__file__).parent


def write_page(explanation: Explanation, path: Path, title: str, figures: Sequence[str] = ()) -> None:
    """Write the page of an explanation, with its charts and more figures (HTML); raises HitscopeError."""
    write_output(path, [page_text(explanation, title, [*chart_svgs(explanation), *figures]).encode()])


def page_text(explanation: Explanation, title: str, charts: Sequence[str] = ()) -> str:
    """Return the page of an explanation. `charts` are SVG or HTML; other texts are escaped."""
    document = document_of(explanation, escaped(title))
    title = html.escape(f"{document['method']}: {document['title']}")
    figures = "\n".join(f"<figure>{chart}</figure>" for chart in charts)
    fixed = len(page_around("", title, figures).encode())
    return page_around(script_document(document, LARGEST - fixed), title, figures)


def page_around(data: str, title: str, charts: str) -> str:
    """Return the page that shows a document, which is JSON from `script_document`; the other parts are HTML."""
    parts = {"title": title, "style": colours() + _file("page.css"), "script": _file("page.js")}
    parts |= {"charts": charts, "data": data}
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _file("page.html"))


def colours() -> str:
    """Return the colours of pages in CSS, as variables for a light and for a dark ground."""
    return _file("colours.css")


def script_document(document: dict[str, Any], largest: int) -> str:
    """Return a document as JSON that may stand in a script, with the steps that fit into its bytes."""
    room = largest - len(script_json(document | {"steps": ()}).encode())
    steps = []
    for step in document["steps"]:
        room -= len(script_json(step).encode()) + 1
        if room < 0:
            break
        steps.append(step)
    # No mark is on a step that is left out.
    past = [name for name in ("deciding", "wrongStep") if (document[name] or 0) >= len(steps)]
    return script_json(document | dict.fromkeys(past) | {"steps": steps})


def _file(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def script_json(value: Any) -> str:
    """Return JSON that no HTML parser takes for the end of a script."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text.encode("utf-8", "backslashreplace").decode()
