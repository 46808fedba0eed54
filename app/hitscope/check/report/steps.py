"""The steps of a method in a report: a listing for reading, and the document that the page steps through."""

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from hitscope.check.report.markup import text
from hitscope.explain import Explanation
from hitscope.explain.charts.svg import STYLE, chart_svgs
from hitscope.explain.listing import Style, listing
from hitscope.explain.page import page_around, script_document, script_json
from hitscope.explain.page.steps import document_of

LISTING_BYTES, DOCUMENT_BYTES = 24_000, 150_000
"""The most bytes of a listing, and of a document: of a longer run only the beginning is in it."""
COLUMNS = 100
STYLE_OF_CHARTS = f"<style>{STYLE}</style>"


class Steps(NamedTuple):
    """The steps of one pair, as HTML and as JSON for a script; a listing alone has "" for chart and document."""

    summary: str
    chart: str
    listing: str
    document: str

    @property
    def size(self) -> int:
        """The bytes of all of it."""
        return sum(len(part.encode()) for part in self)


def steps_of(explanation: Explanation, title: str, is_listing: bool = False) -> Steps:
    """Return the steps of an explanation; a listing is without chart and document."""
    method = explanation.chosen.method.name
    steps = Steps(
        f"How {text(method)} decides {text(title)}, step by step", "", "\n".join(_listed(explanation)), ""
    )
    if is_listing:
        return steps
    chart = "".join(chart_svgs(explanation)).replace(STYLE_OF_CHARTS, "")
    return steps._replace(chart=chart, document=script_document(document_of(explanation, title), DOCUMENT_BYTES))


def stepper() -> str:
    """Return JSON of the page that shows a document: its script puts one in, and the chart."""
    return script_json(page_around("{{data}}", "Steps", f"{STYLE_OF_CHARTS}{{{{charts}}}}"))


def _listed(explanation: Explanation) -> Iterator[str]:
    room = LISTING_BYTES
    for line in listing(explanation, Style(COLUMNS)):
        found = escape(line)
        room -= len(found.encode()) + 1
        if room < 0:
            yield "..."
            return
        yield found
