"""The viewer without its window: what is open, shown, hovered and selected, and what the mouse is doing.

Everything here is plain state; the tests drive it without a display.
"""

import time
from pathlib import Path

import numpy as np

from hitscope.draw.bodies import bodies_of
from hitscope.draw.build import Builder, Picture, extent
from hitscope.draw.extent import Extent, extent_of
from hitscope.draw.items import DrawList
from hitscope.draw.probes import handle_points, solid_points
from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.evaluate import Report, evaluate
from hitscope.render.camera import Viewport
from hitscope.scene import Scene, load
from hitscope.viewer.documents import EMPTY, Document, Shelf
from hitscope.viewer.layout import Layout, lay_out
from hitscope.viewer.picking import Eye, pick, surface_at
from hitscope.viewer.tools import Begin, Drag
from hitscope.viewer.viewpoint import Viewpoint

UNTITLED = Path("untitled.scene.json")
SMALLEST_FRAME = 0.05
"""Framing a point shows so much of the scene's size around it."""


class App:
    """The state of one window; coordinates are pixels from its top left corner."""

    def __init__(self, shelf: Shelf, size: tuple[int, int], points: float = 1.0) -> None:
        """Show the first document that can be loaded, in a window of `size` pixels, `points` of them a point."""
        self.shelf = shelf
        self.size = size
        self.points = points
        self.panels = True
        self.hovered: Target | None = None
        self.selected: Target | None = None
        self.partner: Target | None = None
        """What was selected before, of the other kind: the two are the pair that is looked at."""
        self.drag: Drag | None = None
        self.prefix = ""
        self.tool: str | None = None
        self.axis: int | None = None
        self.message = ""
        self.problem = ""
        self.asks_to_close = False
        self.done = False
        self._pointer: tuple[float, float] | None = None
        self._pointer_moved = False
        self._preview: Scene | None = None
        self._builder = Builder()
        self._viewpoints: dict[Document, Viewpoint] = {}
        self._show(Document(UNTITLED, example=True), evaluate(EMPTY))
        problems = []
        for place in range(len(shelf.documents)):
            if self.open(place):
                break
            problems.append(self.problem)
        self.problem = "\n".join(problems)

    # Documents

    def open(self, place: int) -> bool:
        """Show a document of the shelf; where it cannot be loaded, say why and keep showing what was shown."""
        self.shelf.place = place
        document = self.shelf.documents[place]
        try:
            if not document.loaded:
                document.load(load)
            report = evaluate(document.scene)
        except HitscopeError as error:
            self.problem = str(error)
            return False
        self.problem = ""
        self._show(document, report)
        return True

    def _show(self, document: Document, report: Report) -> None:
        self.document = document
        self._preview = None
        self._report = report
        self.hovered = self.selected = self.partner = None
        if document not in self._viewpoints:
            self._viewpoints[document] = Viewpoint(report.scene.view, extent(report), self.full)

    @property
    def unsaved(self) -> list[Document]:
        """The documents with something that is not saved; one that was drawn before any was open included."""
        return [
            document for document in dict.fromkeys((*self.shelf.documents, *self._viewpoints)) if document.changed
        ]

    @property
    def scene(self) -> Scene:
        """What is shown: the document, or what a drag would make of it."""
        return self.document.scene if self._preview is None else self._preview

    @property
    def report(self) -> Report:
        """The verdicts of what is shown."""
        if self._report.scene is not self.scene:
            self._report = evaluate(self.scene, self._report)
        return self._report

    def preview(self, scene: Scene) -> None:
        """Show what a drag would make of the document."""
        self._preview = scene

    def commit(self) -> bool:
        """Make what a drag did an edit; says whether there was something."""
        if self._preview is None:
            return False
        self.edit(self._preview)
        return True

    def revert(self) -> None:
        """Forget what a drag did."""
        self._preview = None

    def edit(self, scene: Scene) -> None:
        """Change the document."""
        self._preview = None
        self.document.edit(scene)
        self.forget_missing()

    def forget_missing(self) -> None:
        """Let go of what is hovered or selected and no longer there."""
        self.hovered = self.hovered if self.exists(self.hovered) else None
        self.selected = self.selected if self.exists(self.selected) else None
        self.partner = self.partner if self.exists(self.partner) else None

    def exists(self, target: Target | None) -> bool:
        """Say whether a target is in the scene."""
        if target is None:
            return False
        return target.id in (self.scene.probe_ids if target.kind == "probe" else self.scene.primitive_ids)

    def probe_index(self, name: str) -> int:
        """Give the place of a probe in the scene."""
        return self.scene.probe_ids.index(name)

    # The picture

    @property
    def layout(self) -> Layout:
        """Where panels and picture are."""
        return lay_out(*self.size, self.points, self.panels)

    @property
    def full(self) -> Viewport:
        """The whole window as a picture."""
        return lay_out(*self.size, self.points, panels=False).picture

    @property
    def viewpoint(self) -> Viewpoint:
        """Where the document is seen from."""
        return self._viewpoints[self.document]

    @property
    def eye(self) -> Eye:
        """How the picture is seen now."""
        picture = self.layout.picture
        return Eye(self.viewpoint.seen(picture, self.full), picture, self.points)

    @property
    def picture(self) -> Picture:
        """What is drawn of the report."""
        return self._builder.picture(self.report)

    def draw_list(self) -> DrawList:
        """Give what is to be seen."""
        return self._builder.build(self.report, self.hovered, self.selected)

    def extent_of(self, target: Target | None) -> Extent:
        """Give the bounds of a target, or of everything."""
        whole = extent(self.report)
        named = [element for element in self.report.elements if target and target[:2] == ("primitive", element.id)]
        probes = [element for element in self.report.probes if target and target[:2] == ("probe", element.id)]
        points = [points(probe.shape) for probe in probes for points in (handle_points, solid_points)]
        own = bodies_of(tuple(named)).extent if named else extent_of(np.concatenate(points)) if points else None
        if own is None:
            return whole
        margin = SMALLEST_FRAME * whole.scale
        return Extent(own.lo - margin, own.hi + margin)

    def target_at(self, x: float, y: float) -> Target | None:
        """Give what is at a pixel."""
        return pick(self.picture, self.eye, x, y, self.selected.id if self.selected else None)

    def select(self, target: Target | None) -> None:
        """Select a probe or a primitive; a handle stands for its probe."""
        if target is None:
            self.partner = None
        elif self.selected is not None and self.selected.kind != target.kind:
            self.partner = self.selected
        self.selected = None if target is None else target._replace(handle=None)

    # Input

    def resize(self, size: tuple[int, int], points: float) -> None:
        """Follow the window."""
        self.size, self.points = size, points

    def point_at(self, x: float, y: float) -> None:
        """Note where the mouse is; what follows from it is done once a frame, by `settle`."""
        self._pointer, self._pointer_moved = (x, y), True

    def leave(self) -> None:
        """The mouse is over a panel or out of the window."""
        if self.drag is None:
            self._pointer, self._pointer_moved, self.hovered = None, False, None

    def press(self, begin: Begin, x: float, y: float) -> None:
        """Begin a drag."""
        self.settle()
        self.message = self.prefix = ""
        self.drag = begin(self, x, y)

    def release(self) -> None:
        """End the drag."""
        self.settle()
        if self.drag is not None:
            drag, self.drag = self.drag, None
            drag.release(self)
            self._pointer_moved = True

    def cancel(self) -> bool:
        """End the drag as if it had not been; says whether there was one."""
        if self.drag is None:
            return False
        drag, self.drag = self.drag, None
        drag.cancel(self)
        self._pointer_moved = True
        return True

    def hold_axis(self, axis: int | None) -> None:
        """Drag along a world axis, or freely again."""
        self.axis = axis
        self._pointer_moved = self._pointer is not None

    def zoom(self, steps: float, x: float, y: float) -> None:
        """Zoom, what is under a pixel staying there."""
        self.settle()
        eye = self.eye
        surface = surface_at(self.picture, eye, x, y)
        if surface:
            toward = surface.near
        else:
            origin, sight = eye.camera.ray_through(x, y, eye.viewport)
            toward = origin + sight * eye.camera.distance / -(sight @ eye.camera.axes[2])
        self.viewpoint.set(eye.camera.zoom(steps, toward))
        self._pointer_moved = True

    def settle(self) -> None:
        """Do what follows from the last place of the mouse."""
        if self._pointer is None or not self._pointer_moved:
            return
        self._pointer_moved = False
        if self.drag is not None:
            self.drag.move(self, *self._pointer)
        else:
            self.hovered = self.target_at(*self._pointer)

    def advance(self) -> bool:
        """Go on with what moves by itself; says whether there is more to come."""
        return self.viewpoint.advance(time.monotonic())
