"""The panel of steps below the picture: the source and the values of a method, and the scrubber over its run."""

from typing import Final, Literal, TypeAlias

from imgui_bundle import ImVec2, ImVec4, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.evaluate.verdict_words import hit_or_miss
from hitscope.explain.step_words import truth_words, wrong_line_words
from hitscope.render.camera import Viewport
from hitscope.viewer.actions import command_palette
from hitscope.viewer.actions import stepping as actions
from hitscope.viewer.panels import signs, step_charts, step_values, style, text, widgets
from hitscope.viewer.panels.map_panel import MapPanel
from hitscope.viewer.panels.step_source import DECIDES, WRONG, StepSource, WrongLineStrip
from hitscope.viewer.panels.style import ACCENT, FAINT, LINE, QUIET, TEXT, WARNING, pixels
from hitscope.viewer.state.display import LOWEST_STEPS, STEPS
from hitscope.viewer.state.state import State
from hitscope.viewer.state.stepping import Run, Stepping

Tab: TypeAlias = Literal["values", "chart"]

BUTTONS = (
    ("steps_start", icons.ICON_FA_BACKWARD_FAST, ""),
    ("step_back", icons.ICON_FA_BACKWARD_STEP, ""),
    ("play_steps", icons.ICON_FA_PLAY, ""),
    ("step_forward", icons.ICON_FA_FORWARD_STEP, ""),
    ("steps_end", icons.ICON_FA_FORWARD_FAST, ""),
    ("to_decision", DECIDES, "Decision"),
    ("to_wrong_line", WRONG, "Wrong line"),
    ("to_not_finite", icons.ICON_FA_INFINITY, "NaN"),
    ("steps_in_hex", icons.ICON_FA_HASHTAG, "Hex"),
    ("step_through", icons.ICON_FA_XMARK, ""),
)
"""The commands that have a button at the right of the heading, with icons and words."""
GAPS = ("to_decision", "steps_in_hex", "step_through")
"""The buttons with a gap before them."""
POSSIBLE = {"to_wrong_line": actions.has_wrong_line, "to_not_finite": actions.has_not_finite}
"""Whether a button would do something."""
PADDING, GAP = 7.0, 10.0
"""Inside a button and before some, in points."""
HEADING, SCRUBBER, EDGE = 32.0, 26.0, 6.0
"""The heights of the rows above the source, and of the upper edge, by which the panel is resized, in points."""
KNOB, CLOSEST = 6.0, 3.0
"""The radius of a knob; marks of the scrubber that are closer than the second are left out, in points."""
VALUES, VALUES_ALONE, CHARTS, MAP = 0.25, 0.38, 0.29, 0.3
"""The parts of the width that the values, the charts and an open map have beside the source."""
ROOM_FOR_CHARTS = 900.0
"""A panel narrower than this, in points, has either the values or the charts."""
TABS: Final[dict[Tab, str]] = {"values": "The values of the names now.", "chart": "The method as a chart."}


class StepPanel:
    """The panel below the picture."""

    def __init__(self, state: State, map_panel: MapPanel) -> None:
        self._state, self._map = state, map_panel
        self._source, self._values = StepSource(state), step_values.StepValues(state)
        self._wrong_line = WrongLineStrip(state)
        self._tab: Tab = "values"

    def show(self) -> None:
        display, stepping = self._state.display, self._state.display.stepping
        if not stepping.is_open:
            return
        rect, run = display.layout.steps, stepping.run
        if self._state.session.map_view.is_open:
            rect = self._show_map(rect)
        with style.window("steps", rect, (10, 0)):
            self._heading(rect, stepping, run)
            if run is None:
                self._without_run(rect, stepping)
            else:
                self._scrubber(rect, stepping, run)
                self._columns(rect, stepping, run)
            left, top, width, height = rect
            corner, size = ImVec2(left, top), ImVec2(width, pixels(EDGE))
            widgets.resize_edge(self._state, STEPS, corner, size, top + height, LOWEST_STEPS)

    def _without_run(self, rect: Viewport, stepping: Stepping) -> None:
        """Draw why there is no run, and what can be done instead."""
        left, top, width, _ = rect
        imgui.set_cursor_screen_pos(ImVec2(left + pixels(14), top + pixels(HEADING + 10)))
        text.paragraph(stepping.problem, QUIET)
        x, room = left + pixels(10), width - pixels(20)
        self._wrong_line.show(ImVec2(x, imgui.get_cursor_screen_pos().y + pixels(4)), room)
        if stepping.others:
            self._others(stepping, left + pixels(14), left + width - pixels(14))
        self._wrong_line.show_change(ImVec2(x, imgui.get_cursor_screen_pos().y + pixels(4)), room)

    def _show_map(self, rect: Viewport) -> Viewport:
        """Draw the map at the right of the panel; returns the rectangle that is left for the steps."""
        wide = round(MAP * rect.width)
        left = rect.left + rect.width - wide
        with style.window("map", (left, rect.top, wide, rect.height)):
            with widgets.scroll_area("map", 0):
                self._map.show()
            style.line(left, rect.top, left, rect.top + rect.height, LINE)
        return rect._replace(width=rect.width - wide)

    def _others(self, stepping: Stepping, left: float, right: float) -> None:
        """Draw a button for each other method of the pair that can be stepped, in rows."""
        imgui.set_cursor_screen_pos(ImVec2(left, imgui.get_cursor_screen_pos().y + pixels(4)))
        text.paragraph("A method of the catalogue can be stepped on the same pair instead:", QUIET)
        x, y = left, imgui.get_cursor_screen_pos().y + pixels(4)
        for name in stepping.others:
            with text.small():
                wide = text.width(name) + pixels(24)
            if x + wide > right and x > left:
                x, y = left, y + imgui.get_frame_height() + pixels(4)
            imgui.set_cursor_screen_pos(ImVec2(x, y))
            if widgets.button(f"{name}##step {name}", f"Step through {name}."):
                self._state.do(actions.step_through, name)
            x += wide

    # The heading

    def _heading(self, rect: Viewport, stepping: Stepping, run: Run | None) -> None:
        """Draw what is stepped through and what came of it, and the buttons."""
        left, top, width, _ = rect
        y = top + (pixels(HEADING) - imgui.get_text_line_height()) / 2
        at, right = left + pixels(12), self._buttons(rect, width > pixels(1000)) - pixels(12)
        explanation, pair = stepping.explanation, stepping.pair
        if explanation is None or pair is None:
            text.draw_at(at, y, "Step", TEXT)
            return
        for depth, one in enumerate(stepping.runs):
            at = self._crumb(depth, one.name, at, y, is_last=one is run)
        names = text.pair_to_fit(pair[0], f" {icons.ICON_FA_ANGLE_RIGHT} ", pair[1], max((right - at) * 0.6, 1.0))
        at = text.draw_at(at, y, names, QUIET) + pixels(12)
        sign, colour, *_ = widgets.sign_of(explanation.hit)
        words = f"{sign} {hit_or_miss(explanation.hit)}"
        if explanation.trace.error:
            words, colour = f"{signs.DIFFERS} {explanation.trace.error}", WARNING
        text.draw_at(at, y, text.cut_end(words, max(right - at, 1.0)), colour)
        at += text.width(words) + pixels(12)
        if stepping.is_wrong and not explanation.trace.error:
            wrong_line = stepping.wrong_line
            words = truth_words(explanation, None if wrong_line is None else wrong_line.line)
            text.draw_at(at, y, text.cut_end(f"{signs.DIFFERS} {words}", max(right - at, 1.0)), WARNING)
            is_over = widgets.is_line_hovered(ImVec2(at, y), right, imgui.get_text_line_height())
            if wrong_line is not None and is_over:
                widgets.show_tooltip(text.sentence(wrong_line_words(explanation, stepping.in_hex)))

    def _crumb(self, depth: int, name: str, x: float, y: float, *, is_last: bool) -> float:
        """Draw the name of an open run; a click on an outer one goes back to it. Returns the x of what follows."""
        shown = text.cut_middle(name, pixels(180))
        with text.bold():
            width = text.width(shown)
            if not is_last:
                imgui.set_cursor_screen_pos(ImVec2(x, y))
                size = ImVec2(width, imgui.get_text_line_height())
                if imgui.invisible_button(f"##run {name}", size, style.NAVIGABLE):
                    self._state.do(actions.leave_calls, depth + 1)
            text.draw_at(x, y, shown, TEXT if is_last or imgui.is_item_hovered() else QUIET)
        x += width + pixels(6)
        if is_last:
            return x + pixels(6)
        text.draw_at(x, y, icons.ICON_FA_ANGLE_RIGHT, FAINT)
        return x + pixels(14)

    def _buttons(self, rect: Viewport, worded: bool) -> float:
        """Draw the buttons at the right; returns the x where they begin."""
        state, playing = self._state, self._state.display.stepping.playing is not None
        labels = {name: f"{icon} {words}" if worded and words else icon for name, icon, words in BUTTONS}
        if playing:
            labels["play_steps"] = icons.ICON_FA_PAUSE
        with text.small():
            widths = {name: text.width(label) + 2 * pixels(PADDING) for name, label in labels.items()}
            total = sum(widths.values()) + pixels(GAP) * len(GAPS)
            x = start = rect.left + rect.width - total - pixels(6)
            for name, label in labels.items():
                x += pixels(GAP) * (name in GAPS)
                command, hint = state.commands[name], state.commands.hint(name)
                enabled = state.display.stepping.run is not None or name == "step_through"
                enabled = enabled and POSSIBLE.get(name, lambda _: True)(state)
                is_on = name != "step_through" and command.is_on is not None and command.is_on(state)
                corner, size = ImVec2(x, rect.top + pixels(4)), ImVec2(widths[name], pixels(HEADING - 8))
                colour = WARNING if name == "to_wrong_line" else None
                if widgets.flat_button(
                    name, corner, size, label, hint, enabled=enabled, is_on=is_on, colour=colour
                ):
                    state.do(command_palette.run, name)
                x += size.x
        return start

    # The scrubber

    def _scrubber(self, rect: Viewport, stepping: Stepping, run: Run) -> None:
        """Draw the whole run with its passes, the decision and the wrong line; a drag goes to a statement."""
        count, y, height = len(run.steps), rect.top + pixels(HEADING), pixels(SCRUBBER)
        left = rect.left + pixels(14) + text.width(f"{count} / {count}") + pixels(14)
        right = rect.left + rect.width - pixels(18)
        room, middle = right - left, y + height / 2
        line_top = middle - imgui.get_text_line_height() / 2
        text.draw_right_aligned(left - pixels(14), line_top, f"{run.at} / {count}", QUIET)
        imgui.set_cursor_screen_pos(ImVec2(left - pixels(KNOB), y))
        imgui.invisible_button("##scrubber", ImVec2(room + 2 * pixels(KNOB), height))
        active, hovered = imgui.is_item_active(), imgui.is_item_hovered()
        wanted = round(min(max((imgui.get_mouse_pos().x - left) / max(room, 1.0), 0.0), 1.0) * count)
        if active and wanted != run.at:
            self._state.do(actions.go_to, wanted)

        def x_of(at: int) -> float:
            return left + room * at / max(count, 1)

        # The passes of the outermost loops are blocks, every other one lighter.
        for first, last, number in run.outer_passes if len(run.outer_passes) * pixels(CLOSEST) <= room else ():
            a, shade = x_of(first), style.faded(QUIET, 0.20 if number % 2 else 0.11)
            style.fill(a, middle - pixels(9), x_of(last) - a, pixels(18), shade, pixels(2))
        half = pixels(2)
        style.fill(left, middle - half, room, 2 * half, imgui.Col_.button, half)
        style.fill(left, middle - half, x_of(run.at) - left, 2 * half, ACCENT, half)
        for at in run.not_finite if len(run.not_finite) * pixels(CLOSEST) <= room else ():
            style.line(x_of(at), middle + pixels(3), x_of(at), middle + 2.4 * pixels(3), QUIET, pixels(1.5))
        flags: dict[int, tuple[str, ImVec4]] = {}
        if run is stepping.runs[0] and count:
            flags[stepping.decision] = DECIDES, QUIET
            if stepping.wrong_line is not None:
                flags[stepping.wrong_line.at] = WRONG, WARNING
        for at, (icon, colour) in flags.items():
            self._knob(x_of(at), middle, style.PANEL, icon, colour)
        self._knob(x_of(run.at), middle, ACCENT, flags.get(run.at, ("", ACCENT))[0], style.PANEL)
        if hovered and not active:
            self._show_place(stepping, run, wanted)

    def _knob(self, x: float, middle: float, shade: ImVec4, icon: str, colour: ImVec4) -> None:
        """Draw a disc on the scrubber with an icon in it."""
        draw, radius = imgui.get_window_draw_list(), pixels(KNOB + 3.5 if icon else KNOB)
        draw.add_circle_filled(ImVec2(x, middle), radius + pixels(1.5), imgui.get_color_u32(style.PANEL))
        draw.add_circle_filled(ImVec2(x, middle), radius, imgui.get_color_u32(shade))
        with text.small():
            text.draw_centred(x, middle - imgui.get_text_line_height() / 2, icon, colour)

    def _show_place(self, stepping: Stepping, run: Run, at: int) -> None:
        """Show what runs next at a place of the scrubber."""
        if at == len(run.steps):
            widgets.show_tooltip("The end")
            return
        step, is_method = run.steps[at], run is stepping.runs[0]
        words = ", ".join([f"Line {step.line}", *(f"pass {one.number}" for one in step.iterations)])
        lines = [(words, QUIET), (step.source.strip().split("\n")[0], TEXT)]
        if is_method and at == stepping.decision:
            lines.append((f"{DECIDES} The decision", ACCENT))
        if is_method and stepping.wrong_line is not None and at == stepping.wrong_line.at:
            lines.append((f"{WRONG} The wrong line", WARNING))
        if at in run.not_finite:
            lines.append(("A NaN or an infinity comes up", QUIET))
        widgets.show_tooltip(*lines)

    # The columns

    def _columns(self, rect: Viewport, stepping: Stepping, run: Run) -> None:
        """Draw the source, the values and the charts side by side, or in a narrow window values or charts."""
        left, top, width, height = rect
        x, room, gap = left + pixels(10), width - pixels(20), pixels(14)
        y = self._wrong_line.show(ImVec2(x, top + pixels(HEADING + SCRUBBER + 2)), room)
        tall = max(top + height - y - pixels(6), 1.0)
        has_chart = step_charts.has_chart(stepping.explanation)
        beside = has_chart and width >= pixels(ROOM_FOR_CHARTS)
        charts = round(room * CHARTS) if beside else 0
        values = round(room * (VALUES if beside else VALUES_ALONE))
        source = room - values - gap - (charts + gap if beside else 0)
        imgui.set_cursor_screen_pos(ImVec2(x, y))
        self._source.show(run, source, tall)
        x += source + gap
        style.line(x - gap / 2, y, x - gap / 2, y + tall, LINE)
        imgui.set_cursor_screen_pos(ImVec2(x, y))
        if has_chart and not beside:
            self._tab = widgets.choice("step tab", TABS, self._tab, values)
            below = imgui.get_cursor_screen_pos().y
            y, tall = below, tall - (below - y)
            imgui.set_cursor_screen_pos(ImVec2(x, y))
        if beside or not has_chart or self._tab == "values":
            self._values.show(run, values, tall)
        if beside:
            x += values + gap
            style.line(x - gap / 2, y, x - gap / 2, y + tall, LINE)
            imgui.set_cursor_screen_pos(ImVec2(x, y))
        if stepping.explanation is not None and has_chart and (beside or self._tab == "chart"):
            wide = charts if beside else values
            with widgets.child("step charts", ImVec2(wide, max(tall, 1.0))):
                free = wide - pixels(widgets.SCROLLBAR + 4)
                step_charts.show(self._state, stepping.explanation, stepping.shown_step, free)
