"""The two side panels: the outliner with the legend; pair, item and expectations at the right."""

from collections.abc import Callable

from imgui_bundle import ImVec2, imgui

from hitscope.draw.items import DrawList
from hitscope.render.camera import Viewport
from hitscope.viewer.actions import appearance
from hitscope.viewer.panels import inspector, legend, outliner, pair_panel, signs, style, text, widgets
from hitscope.viewer.panels.expectations_panel import ExpectationsPanel
from hitscope.viewer.panels.map_panel import MapPanel
from hitscope.viewer.panels.style import FIXED, WARNING, pixels
from hitscope.viewer.state import display, documents
from hitscope.viewer.state.state import State

TABS = {
    "Scene": "The probes and primitives.",
    "Item": "The numbers of the selected item, and how the current pair meets.",
    "Expect": "The expectations of the scene, and which of them fail.",
}
"""The tabs of the one panel of a narrow window, with their tooltips."""
LEGEND_SPACE, SPLITTER = 10.0, 6.0
"""The space between the lists and the legend, and the width of the edge by which a panel is resized, in points."""
SHOWN_LINES = 4
"""The number of lines of the problems shown until they are expanded."""
HIGHEST = 0.5
"""The largest part of the window's height that the problems take; they scroll."""
WIDEST, MARGIN, PADDING = 560.0, 14.0, 10.0
"""The largest width of the problems, and the space around and inside their card, in points."""


class SidePanels:
    """The side panels, one in a narrow window."""

    def __init__(self, state: State, map_panel: MapPanel) -> None:
        self._state, self._display, self._map = state, state.display, map_panel
        self._session, self._dialogs, self._selection = state.session, state.dialogs, state.selection
        self._drawn: DrawList | None = None
        self._document: documents.Document | None = None
        self._explained = frozenset[str]()
        """The names of what the picture of the document has had, and of what explains it."""
        self._legend: legend.Entries = ()
        self.frames_to_follow = 0
        """The frames until the short panel has its new height, and then no scrollbar."""
        self._kept: dict[str, tuple[object, float]] = {}
        """The height in pixels of each part of the pair, and for which selection, closed sections and panel."""
        self._height = 0
        """The height of the short panel's content in the last frame, in pixels."""
        self._outliner = outliner.Outliner(state)
        self._inspector = inspector.Inspector(state)
        self._pair = pair_panel.PairPanel(state)
        self._expectations = ExpectationsPanel(state)
        # A probe that is selected at the opening is there to be read.
        self._tab = "Item" if any(document.selects for document in state.session.listed.documents[:1]) else "Scene"

    def update(self, draw_list: DrawList) -> None:
        """Compute the content of the next frame, if the panels are shown; the legend is that of a draw list."""
        if not self._display.panels:
            return
        self._pair.update()
        self._expectations.update()
        session = self._session
        if self._drawn is not draw_list:
            # What was explained stays: under the mouse, the picture has more and less from one moment to the next.
            known = self._explained if self._document is session.document else frozenset()
            self._explained = known | legend.drawn_in(draw_list, session.has_wrong)
            self._drawn, self._document = draw_list, session.document
        self._legend = legend.entries_of(session.report, self._explained) if self._explained else ()

    def show(self) -> None:
        layout = self._display.layout
        if layout.outliner.width > 0:
            with style.window("outliner", layout.outliner):
                self._scene()
                _splitter(self._state, "outliner", layout.outliner)
        self.frames_to_follow = max(self.frames_to_follow - 1, 0)
        if layout.panel.width > 0:
            self._show_panel(layout.panel)

    def _show_panel(self, rect: Viewport) -> None:
        """Draw the panel at the right: beside an outliner, one that shows no item is as high as its content."""
        short, scene = self._display.is_short, self._session.scene
        if short:
            if not (scene.expect or (scene.probes and len(self._session.report.elements))):
                return
            rect = rect._replace(height=min(self._height, rect.height))
        with style.window("panel", rect):
            if self._session.map_view.is_open and not self._display.stepping.is_open:
                with widgets.scroll_area("map", 0):
                    # Of a pair that is only hovered there is no sentence: what is below would move.
                    if self._selection.targets:
                        self._pair.show_answer()
                        widgets.vertical_space(0.5)
                    self._map.show()
            else:
                self._parts(rect, short)
            _splitter(self._state, "panel", rect)

    def _parts(self, rect: Viewport, short: bool) -> None:
        """Draw the parts of the panel at the right: of the one panel of a narrow window those of a tab."""
        tab = ""
        if self._display.has_one_panel:
            if self._dialogs.types_numbers:
                self._tab = "Item"
            labels = {"Expect": f"{signs.FAILS} Expect"} if self._expectations.fails else {}
            tab = self._tab = widgets.choice("tab", TABS, self._tab, labels=labels)
        if tab == "Scene":
            self._scene()
        else:
            with widgets.scroll_area("parts", 0):
                start = imgui.get_cursor_pos().y
                if tab != "Expect" and short:
                    self._pair.show_answer()
                elif tab != "Expect":
                    self._keep("answer", rect, self._pair.show_answer)
                self._expectations.show_failing()
                if tab != "Expect" and not short:
                    self._keep("sections", rect, self._pair.show_sections)
                    self._inspector.show()
                if tab != "Item":
                    self._expectations.show(short)
                content = imgui.get_cursor_pos().y - start
            if short:
                height = round(content + 2 * imgui.get_style().window_padding.y + pixels(6))
                if height != self._height:
                    self._height, self.frames_to_follow = height, 2

    def _keep(self, part: str, rect: Viewport, show: Callable[[], None]) -> None:
        """Draw a part of the pair as high as it has been: what is below stays while pairs are hovered."""
        start, key = imgui.get_cursor_pos().y, (self._selection.targets, self._display.closed_parts, rect)
        show()
        used = imgui.get_cursor_pos().y - start
        kept_for, kept = self._kept.get(part, (None, 0.0))
        kept = max(kept, used) if key == kept_for else used
        self._kept[part] = key, kept
        if kept > used:
            imgui.dummy(ImVec2(0, kept - used - imgui.get_style().item_spacing.y))

    def _scene(self) -> None:
        high = 0.0 if self._display.is_low else legend.height(self._legend)
        self._outliner.show(high + pixels(LEGEND_SPACE) if high else 0.0)
        if high:
            imgui.separator()
            legend.show(self._legend, self._display.theme)


def _splitter(state: State, name: str, rect: Viewport) -> None:
    left, top, width, height = rect
    at_left, size = name == "outliner", ImVec2(pixels(SPLITTER), height)
    corner, far = (ImVec2(left + width - size.x, top), left) if at_left else (ImVec2(left, top), left + width)
    widgets.resize_edge(state, name, corner, size, far, display.NARROWEST, at_end=at_left)


class Problems:
    """The problems, on a card over the picture: a few lines, and all of them on request."""

    def __init__(self, state: State) -> None:
        self._state, self._messages = state, state.messages
        self._expanded = ""

    def show(self) -> None:
        if not self._messages.problem:
            return
        left, top, width, _ = self._state.display.layout.picture
        wide = min(pixels(WIDEST), width - 2 * pixels(MARGIN))
        room = wide - 2 * pixels(PADDING)
        corner = ImVec2(left + pixels(MARGIN), top + pixels(MARGIN))
        flags = FIXED & ~imgui.WindowFlags_.no_bring_to_front_on_focus
        with style.card("problems", corner, ImVec2(wide, 0), PADDING, flags=flags):
            words = f"{signs.PROBLEM} {self._messages.problem}"
            cut, expanded = text.cut_lines(words, SHOWN_LINES, room), self._messages.problem == self._expanded
            if expanded:
                most = ImVec2(room, HIGHEST * self._state.display.size[1])
                imgui.set_next_window_size_constraints(ImVec2(0, 0), most)
                with widgets.child("problem", ImVec2(0, 0), imgui.ChildFlags_.auto_resize_y):
                    text.paragraph(words, WARNING, room)
            else:
                text.paragraph(cut, WARNING, room)
            widgets.vertical_space()
            escape = self._state.commands.pressed("cancel")
            if widgets.button("Dismiss", f"Close the problems ({escape})." if escape else ""):
                self._state.do(appearance.dismiss_problem)
            if cut != words:
                imgui.same_line(0, pixels(6))
                if widgets.button("Show less" if expanded else "Show all"):
                    self._expanded = "" if expanded else self._messages.problem
