"""The page of a report as HTML: complete without its script, and within a number of bytes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import NamedTuple

from hitscope import __version__, terminal
from hitscope.check.failures import Failure
from hitscope.check.pair_commands import CheckedBy
from hitscope.check.report.details import Answer
from hitscope.check.report.pictures import INLINE_BYTES
from hitscope.check.runner import IN_WORDS, CheckTally, Outcome, Status
from hitscope.explain import Explanation
from hitscope.explain.charts.svg import STYLE, chart_svgs
from hitscope.explain.listing import Style, listing
from hitscope.explain.page import colours, page_around, script_document, script_json
from hitscope.explain.page.steps import document_of
from hitscope.numerals import counted

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
        return sum(len(part.encode()) for part in self)


def steps_of(explanation: Explanation, title: str, is_listing: bool = False) -> Steps:
    """Return the steps of an explanation; a listing is without chart and document."""
    summary = f"How {text(explanation.chosen.method.name)} decides {text(title)}, step by step"
    lines = "\n".join(_listing_lines(explanation))
    if is_listing:
        return Steps(summary, "", lines, "")
    chart = "".join(chart_svgs(explanation)).replace(STYLE_OF_CHARTS, "")
    return Steps(summary, chart, lines, script_document(document_of(explanation, title), DOCUMENT_BYTES))


def _listing_lines(explanation: Explanation) -> Iterator[str]:
    room = LISTING_BYTES
    for line in listing(explanation, Style(COLUMNS)):
        found = escape(line)
        room -= len(found.encode()) + 1
        if room < 0:
            yield "..."
            return
        yield found


MOST_DETAILED = 1000
LINES_BYTES = 500_000
"""The most bytes of the lines of failures without details, and of those of broken files."""
PATHS_BYTES = 250_000
"""The most bytes of the paths of scenes that pass, and of those without expectations."""


class Lines:
    """Lines of text as HTML up to a number of bytes; the rest is counted."""

    def __init__(self, largest: int) -> None:
        self.shown: list[str] = []
        self.left_out = 0
        self._room = largest

    def __len__(self) -> int:
        return len(self.shown) + self.left_out

    def add(self, line: str) -> None:
        """Add a line of text; once one has been left out, the next ones are, too."""
        item = f"<li>{text(line)}</li>"
        self._room -= len(item.encode())
        if self._room >= 0:
            self.shown.append(item)
        else:
            self._room = 0
            self.left_out += 1


class Kept:
    """The outcomes of a check, as far as a report needs them."""

    def __init__(self) -> None:
        self.expectations = self.failures = 0
        self.failed: list[Outcome] = []
        """The failures that are shown in detail; the others are `lines`."""
        self.lines, self.broken = Lines(LINES_BYTES), Lines(LINES_BYTES)
        self.empty, self.passed = Lines(PATHS_BYTES), Lines(PATHS_BYTES)

    def add(self, outcome: Outcome) -> None:
        status = outcome.status
        self.expectations += len(outcome.names)
        if status == "broken":
            self.broken.add(str(outcome.error))
        elif status == "failed":
            detailed = outcome.failures[: max(0, MOST_DETAILED - self.failures)]
            self.failures += len(outcome.failures)
            if detailed:
                self.failed.append(replace(outcome, names=(), failures=detailed))
            for failure in outcome.failures[len(detailed) :]:
                self.lines.add(failure.text(outcome.path))
        elif status == "empty":
            self.empty.add(f"{outcome.path} ({outcome.count})" if outcome.names else outcome.path)
        else:
            self.passed.add(f"{outcome.path} ({outcome.count})")


def text(value: str) -> str:
    """Return a text as one line of HTML: nothing in it is markup, and what is too long is shortened."""
    return escape(terminal.one_line(value))


LARGEST = 10_000_000
"""The bytes below which a page stays."""
STEPS_BYTES, LISTINGS_BYTES = 1_800_000, 1_000_000
"""The most bytes of steps, and of the listings of those whose steps have no room."""
DETAILS_BYTES = 2_200_000
"""The most bytes of what else is said of failures in detail."""
LEAST_STEPS = 10_000
"""The bytes below which there is no room for steps, or for a tenth of them for a listing."""
FOLDER = Path(__file__).parent
CONTENT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: 'self' file:"
)


class Details(NamedTuple):
    """The parts that are shown of a failure beside its own words."""

    pair: str = ""
    """The names of the probe and the primitive that decide it."""
    answers: Sequence[Answer] = ()
    picture: str = ""
    """The URL of its picture; "" for none."""
    steps: Steps | None = None
    without_steps: str = ""


class Page:
    """A page that takes one failure after another, in order of their scenes."""

    def __init__(self, kept: Kept, by: CheckedBy, tally: CheckTally) -> None:
        self._kept, self._by, self._tally = kept, by, tally
        self._sections: list[str] = []
        self._path = ""
        self._steps_room, self._listings_room, self._details_room = STEPS_BYTES, LISTINGS_BYTES, DETAILS_BYTES
        self._listed = self._without_steps = 0

    @property
    def has_room(self) -> bool:
        """Whether another failure may be shown in detail."""
        return self._details_room > 0

    @property
    def has_room_for_steps(self) -> bool:
        return self._steps_room > LEAST_STEPS

    @property
    def has_room_for_listings(self) -> bool:
        return self._listings_room > LEAST_STEPS / 10

    def add(self, path: str, failure: Failure, details: Details) -> None:
        """Show a failure of a scene; with a listing or without its steps, or as a line, where there is no room."""
        steps = details.steps
        if steps is not None and not (steps.document and steps.size <= self._steps_room):
            listing = steps._replace(chart="", document="")
            steps = listing if listing.size <= self._listings_room else None
        section = self._failure(failure, details._replace(steps=steps))
        if path != self._path:
            section = f"<h3>{text(path)}</h3>\n{section}"
        inline = len(details.picture) if details.picture.startswith("data:") else 0
        size = len(section.encode()) - inline - (steps.size if steps else 0)
        if not self.has_room or size > self._details_room:
            self._details_room = 0
            self._kept.lines.add(failure.text(path))
            return
        self._path = path
        self._sections.append(section)
        self._details_room -= size
        if steps is not None and steps.document:
            self._steps_room -= steps.size
        elif steps is not None:
            self._listings_room -= steps.size
            self._listed += 1
        elif details.steps is not None:
            self._without_steps += 1

    def lines(self, lack: str, folder: str, beside: int) -> Iterator[str]:
        """Yield the page; `lack` is why there are no pictures, and `beside` the number of those in the folder."""
        kept, tally, total = self._kept, self._tally, self._tally.checked
        yield "<!DOCTYPE html>"
        yield '<html lang="en"><head><meta charset="utf-8"/>'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        yield '<meta name="color-scheme" content="light dark"/>'
        yield f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_POLICY}"/>'
        yield f"<title>hitscope check: {tally.counts['failed']:,} failed of {counted(total, 'scene')}</title>"
        yield f"<style>{colours()}{_file('report.css')}</style>{STYLE_OF_CHARTS}</head><body>"
        yield f'<header><h1>hitscope check</h1><p class="counts">{" ".join(self._counts())}</p>'
        expectations, failures = counted(kept.expectations, "expectation"), counted(kept.failures, "failure")
        yield f"<p>{counted(total, 'scene')} with {expectations}: {failures}. hitscope {__version__}.</p>"
        yield from (f'<p class="note">{note}</p>' for note in self._notes(lack))
        yield "</header><main>"
        if kept.failed:
            yield "<h2>Failed</h2>"
            yield from self._sections
            yield from _listed(kept.lines, "Failures without details", "failure", is_open=True)
        yield from _listed(kept.broken, "Broken files", "file", is_open=True)
        yield from _listed(kept.empty, "Scenes without expectations", "scene", is_open=True)
        yield from _listed(kept.passed, "Passed", "scene")
        yield f"</main><footer>{self._rule(folder, beside)}</footer>"
        if any('class="document"' in section for section in self._sections):
            # The page that shows a document: the script puts one in, and the chart.
            stepper = script_json(page_around("{{data}}", "Steps", f"{STYLE_OF_CHARTS}{{{{charts}}}}"))
            yield f'<script id="stepper" type="application/json">{stepper}</script>'
            yield f"<script>{_file('report.js')}</script>"
        yield "</body></html>"

    def _counts(self) -> Iterator[str]:
        shown: tuple[Status, ...] = ("failed", "broken", "empty", "passed")
        for status in shown:
            if (number := self._tally.counts[status]) or status in ("failed", "passed"):
                kind = "failed" if status == "empty" and self._tally.strict else status
                words = IN_WORDS.get(status, status)
                yield f'<span class="{kind if number else "none"}">{number:,} {words}</span>'

    def _notes(self, lack: str) -> Iterator[str]:
        if unchecked := self._tally.total - self._tally.counts.total():
            yield f"{counted(unchecked, 'scene was', 'scenes were')} not checked."
        if self._tally.unevaluated:
            yield f"{self._tally.unevaluated_words}."
        targets, precision, _ = self._by
        if targets:
            named = ", ".join(f"<code>{text(f'{pair}={known.given}')}</code>" for pair, known in targets.items())
            yield f"Decided by {named}{f' in {precision}' if precision else ''}."
        if lack:
            yield f"There are no pictures: {text(lack)}."

    def _rule(self, folder: str, beside: int) -> str:
        """The note on what is left out of the page."""
        where = f"the folder <code>{text(folder)}</code> beside it"
        words = [
            f"This page needs no network, and stays below {LARGEST // 1_000_000} MB.",
            f"Pictures beyond the first {INLINE_BYTES / 1e6:g} MB are in {where}"
            + (f": {counted(beside, 'file')}." if beside else ": here there are none."),
            f"Steps are shown up to {STEPS_BYTES / 1e6:g} MB, then as listings up to {LISTINGS_BYTES / 1e6:g} MB"
            f"{self._left_out()}; the command that explains a pair shows them, too.",
            f"The first {MOST_DETAILED:,} failures have details, up to {DETAILS_BYTES / 1e6:g} MB; "
            f"the others are one line each.",
        ]
        return f"<p>{' '.join(words)}</p>"

    def _left_out(self) -> str:
        """How many failures have no steps, in words; "" where none is without."""
        counts = {"has only a listing": self._listed, "has neither": self._without_steps}
        found = [
            f"{counted(count, 'failure')} {words if count == 1 else words.replace('has', 'have')}"
            for words, count in counts.items()
            if count
        ]
        return f" ({', '.join(found)})" if found else ""

    def _failure(self, failure: Failure, details: Details) -> str:
        line = "" if failure.line is None else f' <span class="line">line {failure.line}</span>'
        name = text(failure.name or "The code that decides")
        words = text("; ".join(failure.differences))
        return (
            f'<details class="failure" open=""><summary><code>{name}</code>{line}'
            f' <span class="difference">{words}</span></summary><div class="body">{_picture(details)}'
            f'<div class="facts">{_answers(details)}{_items(failure.facts, "fact")}'
            f"{_items(failure.hints, 'hint')}{_commands(failure.commands)}</div></div>"
            f"{self._steps(details)}</details>\n"
        )

    def _steps(self, details: Details) -> str:
        if (steps := details.steps) is None:
            return f'<p class="quiet">{text(details.without_steps)}</p>' if details.without_steps else ""
        document = steps.document and f'<script class="document" type="application/json">{steps.document}</script>'
        kind = "steps" if document else "steps listing"
        is_open = "" if self._sections else ' open=""'  # the first one, for all to see that there are steps
        return (
            f'<details class="{kind}"{is_open}><summary>{steps.summary}</summary>'
            f'<div class="static"><figure>{steps.chart}</figure><pre tabindex="0">{steps.listing}</pre></div>'
            f"{document}</details>"
        )


def _picture(details: Details) -> str:
    if not details.picture:
        return ""
    words = text(f"The scene with {details.pair} selected")
    return f'<img src="{escape(details.picture)}" alt="{words}" loading="lazy"/>'


def _answers(details: Details) -> str:
    if not details.answers:
        return ""
    has_numbers = any(answer.off for answer in details.answers)
    titles = ("", "expected", "found", *(("off by", "allowed") if has_numbers else ()))
    head = "".join(f"<th>{title}</th>" for title in titles)
    body = ""
    for name, *parts, is_wrong in details.answers:
        cells = "".join(f"<td>{text(part)}</td>" for part in parts[: len(titles) - 1])
        body += f'<tr class="{"wrong" if is_wrong else "right"}"><th>{name}</th>{cells}</tr>'
    caption = f"<caption>{text(details.pair)}</caption>"
    return f'<div class="table"><table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _items(lines: Sequence[str], kind: str) -> str:
    items = "".join(f"<li>{text(line)}</li>" for line in lines)
    return f'<ul class="{kind}">{items}</ul>' if items else ""


def _commands(commands: Sequence[str]) -> str:
    # What is shortened or escaped is not the command any more.
    whole = "\n".join(escape(command) for command in commands if command == terminal.one_line(command))
    return f"<pre>{whole}</pre>" if whole else ""


def _listed(lines: Lines, title: str, noun: str, is_open: bool = False) -> Iterator[str]:
    """Yield a list that may be collapsed; nothing for an empty one."""
    if not len(lines):
        return
    opened = ' open=""' if is_open else ""
    yield f'<details class="list"{opened}><summary>{title}: {len(lines):,}</summary><ul>'
    yield from lines.shown
    if lines.left_out:
        yield f"<li>and {counted(lines.left_out, f'more {noun}')}</li>"
    yield "</ul></details>"


def _file(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
