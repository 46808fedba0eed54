"""The viewer without its window: what is open, shown, hovered and selected, and what the mouse is doing.

Everything here is plain state; the tests drive it without a display.
"""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hitscope.draw.bodies import bodies_of
from hitscope.draw.build import Builder, Colours, Picture
from hitscope.draw.bundles import bundle_points
from hitscope.draw.extent import Extent, extent_of
from hitscope.draw.items import DrawList
from hitscope.draw.probes import handle_points, solid_points
from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.evaluate import Report, evaluate
from hitscope.render.camera import Viewport
from hitscope.scene import Scene, load
from hitscope.viewer.background import Job
from hitscope.viewer.documents import EMPTY, Document, Shelf
from hitscope.viewer.layout import Layout, lay_out
from hitscope.viewer.picking import Eye, pick, surface_at
from hitscope.viewer.tools import Begin, Drag
from hitscope.viewer.viewpoint import Viewpoint

UNTITLED = Path("untitled.scene.json")
SMALLEST_FRAME = 0.05
"""Framing a point shows so much of the scene's size around it."""


class Opened(NamedTuple):
    """A scene with all that its first picture needs."""

    report: Report
    builder: Builder
    extent: Extent

    @classmethod
    def of(cls, scene: Scene) -> "Opened":
        """Decide a scene and lay it out; nothing waits for a compiler."""
        report, builder = evaluate(scene, compile=False), Builder()
        return cls(report, builder, builder.extent(report))


class App:
    """The state of one window; coordinates are pixels from its top left corner."""

    def __init__(
        self,
        shelf: Shelf,
        size: tuple[int, int],
        points: float = 1.0,
        patience: float = math.inf,
        pack: Callable[[DrawList], None] = lambda _: None,
    ) -> None:
        """Show the first document that can be loaded, in a window of `size` pixels, `points` of them a point.

        What takes longer than `patience`, in seconds, goes on in the background, and `follow_up` sees to it.
        `pack` prepares a large draw list for the graphics card, in any thread.
        """
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
        self._report: Report
        self._builder: Builder
        self._viewpoints: dict[Document, Viewpoint] = {}
        self._patience = patience
        self._pack = pack
        self.opening: Job[Opened] | None = None
        self.preparing: Job[None] | None = None
        self._show(Document(UNTITLED, example=True), Opened.of(EMPTY))
        self._to_try = list(range(len(shelf.documents)))
        self._open_next()

    # Documents

    def open(self, place: int) -> bool:
        """Show a document of the shelf; where it cannot be loaded, say why and keep showing what was shown.

        Says whether it is shown, or being opened.
        """
        self._to_try = []
        self.problem = ""
        return self._open(place)

    def _open_next(self) -> None:
        """Show the first document that can be loaded of those that were named."""
        while self._to_try and not self._open(self._to_try.pop(0)):
            pass

    def _open(self, place: int) -> bool:
        self.cancel_opening()
        self.shelf.place = place
        document = self.shelf.documents[place]
        self.opening = Job(f"opening {document.path.name}", lambda job: self._opened(document, job))
        return self._finish_opening() if self.opening.done(self._patience) else True

    def _opened(self, document: Document, job: "Job[Opened]") -> "Opened":
        """Do all that comes before the first picture of a document, in a thread of its own."""
        scene = document.scene if document.loaded else load(document.path)
        job.say(f"deciding {document.path.name}")
        opened = Opened.of(scene)
        job.say(f"laying out {document.path.name}")
        self._pack(opened.builder.build(opened.report))
        opened.builder.picture(opened.report).bodies.sort()
        return opened

    def _finish_opening(self) -> bool:
        """Show what was opened, or say why it was not; says whether it was."""
        assert self.opening is not None
        job, self.opening = self.opening, None
        document = self.shelf.documents[self.shelf.place]
        try:
            opened = job.answer()
        except HitscopeError as error:
            self.problem = f"{self.problem}\n{error}".lstrip()
            return False
        if not document.loaded:
            document.load(lambda _: opened.report.scene)
        self._show(document, opened)
        return True

    def cancel_opening(self) -> bool:
        """Stop opening a document; says whether one was being opened."""
        if self.opening is None:
            return False
        self.opening.cancel()
        self.opening = None
        return True

    def follow_up(self) -> bool:
        """See to what goes on in the background; says whether there still is something."""
        if self.opening is not None and self.opening.done() and not self._finish_opening():
            self._open_next()
        if self.preparing is not None and self.preparing.done():
            self.preparing = None
            if self.scene.view.hierarchy is not None:
                # Nothing but what is drawn of it is new.
                self._report = evaluate(self.scene, self._report, compile=False)
        return self.opening is not None or self.preparing is not None

    def _prepare(self, report: Report) -> None:
        """Compile in the background what decides the report's pairs; until then they are decided without."""
        if self.preparing is not None:
            return
        missing = [work for work in report.work() if not work.group.ready(work.chosen, work.probe)]
        if missing or report.lacks_hierarchies:

            def compile_all(job: Job[None]) -> None:
                for done, (group, chosen, probe) in enumerate(missing, start=1):
                    job.say(f"compiling {chosen.method.name} ({done} of {len(missing)})")
                    group.prepare(chosen, probe)
                if report.lacks_hierarchies:
                    job.say("making the hierarchy")
                    report.hierarchies(grow=True)

            self.preparing = Job("compiling", compile_all)

    def _show(self, document: Document, opened: "Opened") -> None:
        self.document = document
        self._preview = None
        self._report = opened.report
        self._builder = opened.builder
        self.hovered = self.selected = self.partner = None
        if document not in self._viewpoints:
            self._viewpoints[document] = Viewpoint(opened.report.scene.view, opened.extent, self.full)
        self._prepare(opened.report)

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
            self._report = evaluate(self.scene, self._report, compile=False)
            self._prepare(self._report)
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
        if target.kind == "probe":
            return target.id in self.scene.probe_ids
        return self.picture.element_index(target.id) is not None

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

    def colours(self) -> Colours | None:
        """Give what is hit and what is missed, ahead of the rest of what is to be seen."""
        return self._builder.colours(self.report)

    def draw_list(self) -> DrawList:
        """Give what is to be seen."""
        return self._builder.build(self.report, self.hovered, self.selected)

    def extent_of(self, target: Target | None) -> Extent:
        """Give the bounds of a target, or of everything."""
        whole = self._builder.extent(self.report)
        own = self._own_extent(target)
        if own is None:
            return whole
        margin = SMALLEST_FRAME * whole.scale
        return Extent(own.lo - margin, own.hi + margin)

    def _own_extent(self, target: Target | None) -> Extent | None:
        """Give the bounds of a target alone, where it has any."""
        if target is None:
            return None
        if target.kind == "primitive":
            place = self.picture.element_index(target.id)
            return None if place is None else bodies_of(self.report.elements[place : place + 1]).extent
        for part in self.report.probes.parts:
            if part.id == target.id:
                if part.shapes is not None:
                    return extent_of(bundle_points(part.shapes))
                assert part.shape is not None
                return extent_of(np.concatenate([handle_points(part.shape), solid_points(part.shape)]))
        return None

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
