"""The strip over the steps of a function of the user's: its wrong line, or the button that looks for it."""

from collections.abc import Iterator

from imgui_bundle import ImVec2, ImVec4, imgui

from hitscope.viewer.actions import command_palette
from hitscope.viewer.panels import style, text, widgets
from hitscope.viewer.panels.step_source import CHANGES, ROW, WRONG, shade_change
from hitscope.viewer.panels.style import FAINT, QUIET, TEXT, WARNING, pixels
from hitscope.viewer.state.state import State

PADDING, BAR, GAP = 10.0, 3.0, 6.0
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
        if stepping.own is None or not (stepping.is_wrong or stepping.search is not None or self._is_searching):
            return corner.y
        self._ground(corner, width)
        label, command = self._button()
        left, right = corner.x + pixels(BAR + PADDING), corner.x + width - pixels(PADDING)
        if command:
            with text.small():
                button = text.width(label) + pixels(16)
            imgui.set_cursor_screen_pos(ImVec2(right - button, corner.y + pixels(GAP - 2)))
            hint, main = self._state.commands.hint(command), command == "find_wrong_line"
            if widgets.button(f"{label}##{command}", hint, main=main):
                self._state.do(command_palette.run, command)
            right -= button + pixels(PADDING)
        imgui.set_cursor_screen_pos(ImVec2(left, corner.y + pixels(GAP)))
        text.flow(self._words(), right - left)
        bottom = imgui.get_item_rect_max().y + pixels(GAP)
        self._height = bottom - corner.y
        return bottom + pixels(GAP)

    def show_change(self, corner: ImVec2, width: float) -> None:
        """Draw the change of the fix, if there is one, with the lines around it: where no source is stepped."""
        search = self._state.display.stepping.search
        if search is None or not search.fixes:
            return
        y = corner.y
        with text.mono():
            row = round(imgui.get_text_line_height() * ROW)
            for line in search.fixes[0].diff.splitlines()[2:]:
                sign = line[:1].replace("-", "−")
                if sign in CHANGES:
                    shade_change(sign, ImVec2(corner.x, y), width, row)
                    text.draw_at(corner.x + pixels(PADDING), y, sign, style.role(CHANGES[sign]))
                colour = FAINT if sign == "@" else TEXT
                words = line if sign == "@" else line[1:]
                text.draw_at(corner.x + pixels(PADDING + 16), y, words, colour)
                y += row

    @property
    def _is_searching(self) -> bool:
        searching = self._state.jobs.searching
        return searching is not None and searching.about == self._state.display.stepping.own

    def _ground(self, corner: ImVec2, width: float) -> None:
        """Draw what is behind the words; they were measured in the frame before."""
        style.fill(corner.x, corner.y, width, self._height, style.faded(WARNING, 0.10))
        style.fill(corner.x, corner.y, pixels(BAR), self._height, WARNING)

    def _button(self) -> tuple[str, str]:
        """The label and the command of the button; empty where there is none."""
        search = self._state.display.stepping.search
        if self._is_searching:
            return "", ""
        if search is not None and search.fixes:
            return "Copy the fix", "copy_fix"
        return ("Find the wrong line", "find_wrong_line") if search is None or search.ended_early else ("", "")

    def _words(self) -> Iterator[tuple[str, ImVec4]]:
        """The words, a piece each, and what is code in one piece."""
        stepping = self._state.display.stepping
        assert stepping.own is not None
        yield f"{WRONG} ", WARNING
        search = stepping.search
        sentences = [WHAT if search is None else text.sentence(search.summary(stepping.own.name))]
        if search is not None and search.suspects:
            lines = ", ".join(str(suspect.line) for suspect in search.suspects[:LISTED])
            sentences.append(f"Most suspect: line {lines}")
        if stepping.alike is not None:
            sentences.append(stepping.alike.sentence)
        for k, part in enumerate(" · ".join(sentences).split("`")):
            yield from [(part, TEXT)] if k % 2 else ((word, QUIET) for word in part.split())
