"""Making a frame and drawing it only reads: no part of the state is written, and no scene is evaluated."""

import threading
from contextlib import contextmanager

import pytest

from hitscope.draw import pair_finder
from hitscope.evaluate import Report, acceptance, report
from hitscope.geometry import exact
from hitscope.offscreen_context import offscreen_context
from hitscope.scene.items import SegmentProbe
from hitscope.viewer.actions import expectation_edits
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.state import session
from hitscope.viewer.state.dialogs import Dialogs, Gallery, OpenFile, Recovery, SaveAs
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.documents import Document, DocumentList
from hitscope.viewer.state.host import Host
from hitscope.viewer.state.jobs import Jobs
from hitscope.viewer.state.messages import Messages
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import Tool
from hitscope.viewer.state.viewpoint import Viewpoint
from hitscope.viewer.window.painter import Painter
from tests.viewer.samples import two_boxes

WATCHED = (
    *(State, Session, Selection, Display, Tool, Jobs, Dialogs, Messages, Host),
    *(Document, DocumentList, Viewpoint, OpenFile, SaveAs, Recovery, Gallery),
)
"""The parts of the state, and what they hold that can be written."""


PROBES = (*two_boxes().probes, SegmentProbe(id="starts inside", start=(-2.0, 0.0, 0.0), end=(-2.0, 3.0, 0.0)))
COMPUTING = (
    *((session, "evaluate"), (Report, "find_verdict"), (report, "mismatches"), (pair_finder, "nearest")),
    *((exact, name) for name in ("nearest", "witness", "distance", "relation")),
    *((module, "accepted") for module in (acceptance, expectation_edits)),
)
"""The functions that evaluate, with the modules or classes in which they are looked up."""


class Reading:
    """What is written or evaluated while it is `watching`, jobs in the background aside."""

    def __init__(self, monkeypatch):
        self.watching = False
        self.faults = set()
        for kind in WATCHED:
            monkeypatch.setattr(kind, "__setattr__", self._noting(kind.__name__, kind.__setattr__))
        for owner, name in COMPUTING:
            monkeypatch.setattr(owner, name, self._noting(name, getattr(owner, name)))

    @contextmanager
    def of(self, state):
        """Watch a state, its containers included."""
        before = _containers(state)
        self.watching = True
        yield
        self.watching = False
        after = _containers(state)
        self.faults |= {name for name in before | after if before.get(name) != after.get(name)}

    def watched(self, function, state_of):
        """A function during which the state that its arguments lead to is watched."""

        def watched(*given):
            with self.of(state_of(*given)):
                return function(*given)

        return watched

    def _noting(self, name, function):
        def noted(*given, **options):
            if self.watching and threading.current_thread() is threading.main_thread():
                self.faults.add(f"{name}.{given[1]}" if function.__name__ == "__setattr__" else name)
            return function(*given, **options)

        return noted


def _containers(state):
    """A copy of every list, dictionary and set in the parts of a state, by the names of part and attribute."""
    parts = [getattr(state, name) for name in State.__slots__]
    return {
        f"{type(part).__name__}.{name}": value.copy()
        for part in parts
        for name, value in getattr(part, "__dict__", {}).items()
        if isinstance(value, list | dict | set)
        if (type(part).__name__, name) != ("Do", "_actions")  # which is what widgets ask for
    }


@pytest.fixture
def reading(monkeypatch):
    """What is written or evaluated while frames are made or painted."""
    reading = Reading(monkeypatch)
    for owner, name, state_of in (
        (UserInterface, "_make_frame", lambda interface: interface.state),
        (Painter, "paint", lambda _, interface, *__: interface.state),
    ):
        monkeypatch.setattr(owner, name, reading.watched(getattr(owner, name), state_of))
    return reading


def in_the_picture(user):
    """Drag handles and the gizmo, draw, select and look around."""
    start = user.pixel((-6.0, 0.25, 0.0))
    user.drag(start, (start[0] + 30, start[1] - 40))
    user.keys("S", "W")
    user.drag(user.arrow(), (700, 300))
    user.keys("E", "R", "N", "B")
    user.drag((500, 500), (600, 450))
    user.drag((300, 700), (350, 650), "Right")
    user.scroll(2.0, (600, 400))
    user.keys("Ctrl+A", "H", "Escape", "F", "7", "Delete", "Ctrl+Z", "Ctrl+B", "Ctrl+B", "Ctrl+Y")
    user.wait()


def in_the_panels(user):
    """Point at, click and type into widgets of all panels."""
    user.click_on("probe cut")
    user.click_on("probe starts inside")
    user.click_on("primitive right")
    user.click_eye("primitive left")
    user.enter("field primitive right $.min[0]", "0.5")
    user.enter("field primitive right $.min[0]", "9")
    user.enter("search", "cut")
    user.click_on("filter hits")
    user.click_on("filter all")
    user.enter("search", " ")
    user.click_on("part Probes")
    user.click_on("Accept all")
    x, y = user.middle_of("panel edge")
    user.drag((x, y), (x - 60, y))
    user.keys("T", "C", "I")


def in_dialogs(user):
    """Open every dialog, type into it and leave it."""
    user.keys("Ctrl+Shift+S")
    user.type("other")
    user.keys("Escape", "Ctrl+O")
    user.type("nowhere")
    user.click_on("Cancel")
    user.keys("Ctrl+G")
    user.type("ray")
    user.click_on("Close")
    user.keys("H")
    user.click_on("Close")
    user.keys("N", "P")
    user.click((600, 400))
    user.close()
    user.click_on("Cancel")
    user.close()
    user.click_on("Discard")


@pytest.mark.parametrize("act", [in_the_picture, in_the_panels, in_dialogs])
def test_a_frame_only_reads(reading, open_viewer, act):
    user = open_viewer(two_boxes(probes=PROBES))
    with offscreen_context() as context:
        painter, target = Painter(context), context.simple_framebuffer(user.state.display.size, components=3)
        painter.paint(user.interface, target)
        act(user)
        painter.paint(user.interface, target)
    assert user.state.session.document.edited
    assert reading.faults == set()
