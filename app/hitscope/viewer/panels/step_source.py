"""The source of a run: the next line lit, the lines that ran, the one that decides and the wrong one."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from imgui_bundle import ImVec2, ImVec4, imgui
from imgui_bundle import icons_fontawesome_6 as icons
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String

from hitscope.draw.items import Role
from hitscope.explain.statements import SourceText
from hitscope.explain.step_words import wrong_line_words
from hitscope.geometry.registry import EXACT
from hitscope.targets.fixes import Fix
from hitscope.viewer.actions import command_palette
from hitscope.viewer.actions import stepping as actions
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.style import ACCENT, FAINT, QUIET, TEXT, WARNING, pixels
from hitscope.viewer.state.state import State
from hitscope.viewer.state.stepping import Run, Stepping

Kind: TypeAlias = Literal["plain", "keyword", "string", "number", "comment", "name"]
Mark: TypeAlias = tuple[str, ImVec4, str]
"""The icon of a line, in a colour and with a tooltip."""

_KINDS: Final[tuple[tuple[Any, Kind], ...]] = (
    (Comment, "comment"),
    (String.Doc, "comment"),
    (String, "string"),
    (Number, "number"),
    (Keyword, "keyword"),
    (Operator.Word, "keyword"),
    (Name.Function, "name"),
    (Name.Builtin, "name"),
)
_DARK: Final = {"keyword": "#c39ae0", "string": "#a9c77e", "number": "#e2b26d", "name": "#7fb4e8"}
_LIGHT: Final = {"keyword": "#7a3aa8", "string": "#4a6b10", "number": "#8f5300", "name": "#1c5f9e"}
DECIDES = icons.ICON_FA_SCALE_BALANCED
WRONG = icons.ICON_FA_BUG
SUSPECT = icons.ICON_FA_CIRCLE_QUESTION
CHANGES = {"−": Role.MISS, "+": Role.HIT}
"""The colours of lines that a fix takes out or puts in."""
MARK, BAR = 27.0, 3.0
"""The widths of the icons before the numbers of the lines, and of the bar beside lines that ran, in points."""
ROW = 1.28
"""The height of a line, in heights of its text."""
MARGIN = 3
"""The lines that are kept in view above and below the next one."""


class Row(NamedTuple):
    """A line as it is shown."""

    line: int
    """Its number in the file; of one that a fix puts in, the number of the line before."""
    words: str
    sign: Literal["", "−", "+"] = ""
    """Whether a fix takes it out or puts it in."""


class Piece(NamedTuple):
    """A part of a line, of one kind."""

    words: str
    kind: Kind


def colour_of(kind: Kind, light: bool) -> ImVec4:
    known = (_LIGHT if light else _DARK).get(kind)
    return style.colour_of(known) if known is not None else FAINT if kind == "comment" else TEXT


@lru_cache(maxsize=32)
def highlighted(lines: tuple[str, ...]) -> Sequence[Sequence[Piece]]:
    """The pieces of each line of a source."""
    found: list[list[Piece]] = [[]]
    lexer = PythonLexer(stripnl=False, stripall=False, ensurenl=False)
    for token, words in lexer.get_tokens("\n".join(lines)):
        kind: Kind = next((kind for known, kind in _KINDS if token in known), "plain")
        first, *others = words.split("\n")
        found[-1].append(Piece(first, kind))
        found.extend([Piece(other, kind)] for other in others)
    return found


@lru_cache(maxsize=1)  # every frame asks
def times_run(run: Run) -> Counter[int]:
    """How often each line runs, by its number."""
    counted: Counter[int] = Counter()
    for step in run.steps:
        counted.update(range(step.line, step.line + step.source.count("\n") + 1))
    return counted


@lru_cache(maxsize=1)  # every frame asks
def rows_of(source: SourceText, fix: Fix | None) -> list[Row]:
    """The lines of a source and, if it has the wrong line of a fix, the lines that this puts in."""
    lines = list(enumerate(source.lines, source.first))
    if fix is None or (fix.line, fix.source) not in ((line, words.strip()) for line, words in lines):
        return [Row(line, words) for line, words in lines]
    gone, put = fix.changes
    rows = [Row(source.first - 1, words, "+") for words in put.get(source.first - 1, ())]
    for line, words in lines:
        rows.append(Row(line, words, "−" if line in gone else ""))
        rows += [Row(line, new, "+") for new in put.get(line, ())]
    return rows


def shade_change(sign: str, corner: ImVec2, width: float, height: float) -> None:
    """Draw what is behind a line that a fix takes out or puts in."""
    style.fill(corner.x, corner.y, width, height, style.faded(style.role(CHANGES[sign]), 0.16))


class StepSource:
    """The source, which scrolls to the next line when that changes."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._scrolled_to: tuple[SourceText, Fix | None, int] | None = None

    def show(self, run: Run, width: float, height: float) -> None:
        """Draw the source on so many pixels; a click on a line goes to where it runs next."""
        size, flags = ImVec2(width, height), imgui.WindowFlags_.horizontal_scrollbar
        with widgets.child("step source", size, 0, flags), text.written(style.MONO, style.BODY):
            self._lines(run, height)

    def _lines(self, run: Run, height: float) -> None:
        stepping, source = self._state.display.stepping, run.source
        rows = rows_of(source, stepping.fix)
        row, letter = imgui.get_text_line_height() * ROW, text.width("0")
        digits = len(str(source.first + len(source.lines)))
        left = pixels(MARK) + (digits + 1) * letter + pixels(BAR + 8)
        self._scroll(run, rows, row, height)
        start = imgui.get_cursor_screen_pos()
        longest = left + max((len(row.words) for row in rows), default=0) * letter + pixels(12)
        room = max(imgui.get_content_region_avail().x, longest)
        first = max(int(imgui.get_scroll_y() / row) - 1, 0)
        is_exact = stepping.explanation is not None and stepping.explanation.chosen.method.name == EXACT
        is_code = not (is_exact and len(stepping.runs) == 1)
        pieces = highlighted(tuple(row.words for row in rows)) if is_code else None
        marks = self._marks(run)
        for k in range(first, min(first + int(height / row) + 3, len(rows))):
            line, words, sign = rows[k]
            at = ImVec2(start.x, start.y + k * row)
            y = at.y + (row - imgui.get_text_line_height()) / 2
            if sign:
                shade_change(sign, at, room, row)
            if sign != "+":
                self._line(run, line, (at, room, row), marks.get(line), bool(sign))
                text.draw_right_aligned(at.x + pixels(MARK) + digits * letter, y, str(line), FAINT)
            if sign:
                text.draw_at(at.x + left - letter, y, sign, style.role(CHANGES[sign]))
            shown = pieces[k] if pieces is not None else [Piece(words, "plain")]
            is_reached = sign == "+" or line not in source.code or line in times_run(run)
            self._pieces(shown, at.x + left, y, letter, is_reached)
        imgui.set_cursor_screen_pos(start)
        imgui.dummy(ImVec2(room, row * len(rows)))

    def _scroll(self, run: Run, rows: Sequence[Row], row: float, height: float) -> None:
        """Scroll so that the next line is in view, if it is another one than before."""
        step = run.next
        line = step.line if step is not None else run.steps[-1].line if run.steps else run.source.first
        before, fix = self._scrolled_to, self._state.display.stepping.fix
        self._scrolled_to = run.source, fix, line
        if before == self._scrolled_to:
            return
        if fix is not None and (before is None or before[1] is not fix):
            line = fix.line
        index = next((k for k, shown in enumerate(rows) if shown.line == line), 0)
        top, scroll = index * row, imgui.get_scroll_y()
        if not scroll + MARGIN * row <= top <= scroll + height - (MARGIN + 1) * row:
            imgui.set_scroll_y(max(top - height / 2 + row, 0.0))

    def _marks(self, run: Run) -> dict[int, Mark]:
        stepping = self._state.display.stepping
        explanation, wrong = stepping.explanation, stepping.wrong_line
        marks: dict[int, Mark] = {}
        if explanation is None:
            return marks
        for suspect in stepping.search.suspects if stepping.search is not None else ():
            marks[suspect.line] = SUSPECT, WARNING, suspect.shares
        if (fix := stepping.fix) is not None:
            marks[fix.line] = WRONG, WARNING, fix.sentence
        if run is stepping.runs[0] and (deciding := run.trace.deciding_step) >= 0:
            marks[run.steps[deciding].line] = DECIDES, ACCENT, "This line decides: the last comparison"
        if wrong is not None:
            is_method = run is stepping.runs[0]
            if is_method or (wrong.calls and wrong.calls[-1].name == run.name):
                line = run.steps[wrong.at].line if is_method and wrong.calls else wrong.line
                marks[line] = WRONG, WARNING, text.sentence(wrong_line_words(explanation, stepping.in_hex))
        return marks

    def _line(
        self, run: Run, line: int, place: tuple[ImVec2, float, float], mark: Mark | None, is_changed: bool
    ) -> None:
        """Draw what is behind and before a line: light, bar and icon; and take clicks on it."""
        at, room, row = place
        is_next, is_last = (
            step is not None and step.line <= line <= step.line + step.source.count("\n")
            for step in (run.next, run.steps[run.at - 1] if run.at else None)
        )
        imgui.set_cursor_screen_pos(at)
        times = times_run(run)[line]
        if imgui.invisible_button(f"##line {line}", ImVec2(room, row)) and times:
            self._state.do(actions.to_line, line)
        hovered = imgui.is_item_hovered()
        if is_next:
            style.fill(at.x, at.y, room, row, style.faded(ACCENT, 0.26))
            style.fill(at.x, at.y, pixels(BAR), row, ACCENT)
        elif mark is not None and mark[0] == WRONG and not is_changed:
            style.fill(at.x, at.y, room, row, style.faded(WARNING, 0.13))
        elif hovered and times:
            style.fill(at.x, at.y, room, row, imgui.Col_.header_hovered)
        if mark is not None:
            with text.small():
                y = at.y + (row - imgui.get_text_line_height()) / 2
                text.draw_centred(at.x + pixels(BAR) + pixels(MARK) / 2, y, mark[0], mark[1])
        if times:
            x = at.x + pixels(MARK) + (len(str(run.source.first + len(run.source.lines))) + 0.5) * text.width("0")
            style.fill(x, at.y, pixels(BAR), row, ACCENT if is_last else style.faded(QUIET, 0.45))
        if not hovered or line not in run.source.code:
            return
        ran = f"Runs {times} times" if times > 1 else "Runs once" if times else "Never reached"
        lines = [] if mark is None else [(f"{mark[0]} {mark[2]}", mark[1])]
        lines += [("It has just run", QUIET)] if is_last else []
        widgets.show_tooltip(*lines, (f"{ran}; click to go there" if times else ran, QUIET))

    def _pieces(self, pieces: Sequence[Piece], x: float, y: float, letter: float, reached: bool) -> None:
        light = self._state.display.theme.name.startswith("light")
        for words, kind in pieces:
            colour = colour_of(kind, light)
            text.draw_at(x, y, words, colour if reached else style.faded(colour, 0.42))
            x += len(words) * letter if words.isascii() else text.width(words)


PADDING, EDGE, GAP = 10.0, 3.0, 6.0
"""At the sides of the words, of the bar at the left, and above and below the words, in points."""
WHAT = "Which line is wrong? Small edits of it are tried until one is right on every case, which new cases prove."
LISTED = 3
"""The most lines that are named where no edit makes it right."""


class WrongLineStrip:
    """The strip, as high as its words need; absent where the function is right and nothing is known."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._height = 0.0

    def show(self, corner: ImVec2, width: float) -> float:
        """Draw it at a corner, `width` pixels wide; returns the y below it."""
        stepping = self._state.display.stepping
        searching = self._state.jobs.searching
        is_searching = searching is not None and searching.about == stepping.own
        if stepping.own is None or not (stepping.is_wrong or stepping.search is not None or is_searching):
            return corner.y
        # What is behind the words, which were measured in the frame before.
        style.fill(corner.x, corner.y, width, self._height, style.faded(WARNING, 0.10))
        style.fill(corner.x, corner.y, pixels(EDGE), self._height, WARNING)
        search, label, command = stepping.search, "", ""
        if search is not None and search.fix:
            label, command = "Copy the fix", "copy_fix"
        elif search is None or search.ended_early:
            label, command = "Find the wrong line", "find_wrong_line"
        left, right = corner.x + pixels(EDGE + PADDING), corner.x + width - pixels(PADDING)
        if command and not is_searching:
            with text.small():
                button = text.width(label) + pixels(16)
            imgui.set_cursor_screen_pos(ImVec2(right - button, corner.y + pixels(GAP - 2)))
            hint, main = self._state.commands.hint(command), command == "find_wrong_line"
            if widgets.button(f"{label}##{command}", hint, main=main):
                self._state.do(command_palette.run, command)
            right -= button + pixels(PADDING)
        imgui.set_cursor_screen_pos(ImVec2(left, corner.y + pixels(GAP)))
        text.flow(_words(stepping, stepping.own.name), right - left)
        bottom = imgui.get_item_rect_max().y + pixels(GAP)
        self._height = bottom - corner.y
        return bottom + pixels(GAP)

    def show_change(self, corner: ImVec2, width: float) -> None:
        """Draw the change of the fix, if there is one, with the lines around it: where no source is stepped."""
        fix, y = self._state.display.stepping.fix, corner.y
        with text.mono():
            row = round(imgui.get_text_line_height() * ROW)
            for line in fix.diff.splitlines()[2:] if fix else ():
                sign = line[:1].replace("-", "−")
                if sign in CHANGES:
                    shade_change(sign, ImVec2(corner.x, y), width, row)
                    text.draw_at(corner.x + pixels(PADDING), y, sign, style.role(CHANGES[sign]))
                words, colour = (line, FAINT) if sign == "@" else (line[1:], TEXT)
                text.draw_at(corner.x + pixels(PADDING + 16), y, words, colour)
                y += row


def _words(stepping: Stepping, name: str) -> Iterator[tuple[str, ImVec4]]:
    """The words about the function `name`, a piece each, and what is code in one piece."""
    yield f"{WRONG} ", WARNING
    search = stepping.search
    sentences = [WHAT if search is None else text.sentence(search.summary(name))]
    if search is not None and search.suspects:
        lines = ", ".join(str(suspect.line) for suspect in search.suspects[:LISTED])
        sentences.append(f"Most suspect: line {lines}")
    if stepping.alike is not None:
        sentences.append(stepping.alike.sentence)
    for k, part in enumerate(" · ".join(sentences).split("`")):
        yield from [(part, TEXT)] if k % 2 else ((word, QUIET) for word in part.split())
