"""The viewer without its window: what is open, shown, hovered and selected, and what the mouse is doing.

Everything here is plain state; the tests drive it without a display.
"""

import math
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple, get_args

import numpy as np

from hitscope import progress
from hitscope.draw.bodies import clearance, extent_within
from hitscope.draw.build import Builder, Colours, Picture
from hitscope.draw.bundles import bundle_points
from hitscope.draw.extent import SMALLEST, Extent, extent_of, union, with_room
from hitscope.draw.facets import foot_of
from hitscope.draw.items import DrawList
from hitscope.draw.probes import handle_points, solid_points
from hitscope.draw.target import Hidden, Selection, Target
from hitscope.errors import HitscopeError
from hitscope.evaluate import Elements, Report, evaluate
from hitscope.geometry.exact import rounded
from hitscope.geometry.shapes import Frame, Line, Obb, Plane, Ray, Shape, Vec3
from hitscope.render.camera import Viewport
from hitscope.render.palette import THEMES
from hitscope.scene import Scene
from hitscope.scene.forms import IDENTITY
from hitscope.scene.model import Bulk
from hitscope.scene.named import split
from hitscope.viewer.background import Job
from hitscope.viewer.compiling import compile_apart
from hitscope.viewer.documents import DISK, EMPTY, UNTITLED, Document, Files, Shelf, write
from hitscope.viewer.files.gallery import Finding
from hitscope.viewer.files.settings import PLAIN, Settings, SnapKind
from hitscope.viewer.inputs import Work
from hitscope.viewer.panels.dialogs import Dialog
from hitscope.viewer.panels.layout import Layout, lay_out
from hitscope.viewer.picture.viewpoint import Viewpoint
from hitscope.viewer.requests import Request
from hitscope.viewer.tools.drags import CLICK_REACH, Begin, Drag
from hitscope.viewer.tools.gizmo import Gizmo, Mode, Part
from hitscope.viewer.tools.nudging import Nudged, grid_step
from hitscope.viewer.tools.picking import Eye, Shown, all_at, handle_at, pick, surface_at

MANY = 10_000
"""So many primitives take longer to decide and to lay out than a window may be held up for."""
PAUSE_SECONDS = 0.003
"""Between two pieces of a file that is written, the window has so long to itself."""
FURTHEST = 1e3
"""The wheel takes the camera away up to so many times the scene's size."""
SMALLEST_SIZE = 1e-12
"""What is smaller, as a part of its coordinates, is framed as a point."""
SMALLEST_FRAME = 0.05
"""Framing a point shows so much of the scene's size around it."""
CLEARANCES = 5.0
"""It shows so many times the distance to what is nearest, where that is less."""


class Opened(NamedTuple):
    """A scene with all that its first picture needs."""

    report: Report
    builder: Builder
    extent: Extent

    @classmethod
    def of(
        cls, scene: Scene, previous: Report | None = None, decided: Callable[[], None] = lambda: None
    ) -> "Opened":
        """Decide a scene and find its bounds; nothing waits for a compiler. For `previous` see `evaluate`."""
        report, builder = evaluate(scene, previous, compile=False), Builder()
        decided()
        return cls(report, builder, builder.extent(report))


class App:
    """The state of one window; coordinates are pixels from its top left corner."""

    def __init__(
        self,
        shelf: Shelf,
        size: tuple[int, int],
        points: float = 1.0,
        files: Files = DISK,
        settings: Settings = PLAIN,
        patience: float = math.inf,
        pack: Callable[[DrawList], None] = lambda _: None,
    ) -> None:
        """Show the first document that can be loaded, in a window of `size` pixels, `points` of them a point.

        What takes longer than `patience`, in seconds, goes on in the background until `finish` is called; without
        any, that is what all does, however fast it is.
        `pack` prepares a large draw list for the graphics card, in any thread.
        """
        self.shelf = shelf
        self.files = files
        self.now = 0.0
        """Seconds since the viewer was opened."""
        self.size = size
        self.points = points
        self.panels = True
        self.settings = settings
        """What the user had chosen when the window was opened."""
        self.settings_path: Path | None = None
        """Where that is kept; a replay has no such file."""
        self.panel_widths: dict[str, float] = dict(settings.panel_widths)
        """In points, of the panels that were dragged to a width; see `layout`."""
        self.closed: frozenset[str] = frozenset(settings.closed_parts)
        """The parts of the panels that are closed."""
        self.theme = THEMES[settings.look]
        self.labels = settings.labels
        """Whether everything has its id beside it, and what is selected the numbers of its vertices."""
        self.greets = not settings.first_start_seen
        """Whether the hint of the first start is shown."""
        self.hovered: Target | None = None
        self.selection: Selection = ()
        self.handle: Target | None = None
        """The handle of what is selected that was clicked: the arrow keys nudge it."""
        self.hidden: Hidden = frozenset()
        self._clicked: tuple[float, float] | None = None
        self._pivot: tuple[Report, Selection, Vec3 | None] | None = None
        self.partner: Target | None = None
        """What was selected before, of the other kind: the two are the pair that is looked at."""
        self.drag: Drag | None = None
        self.nudged: Nudged | None = None
        """The last nudge, which the next one goes on with."""
        self.prefix = ""
        self.tool: str | None = None
        self.mode: Mode | None = None
        """What the gizmo does, where one is shown."""
        self.own_axes = False
        """Whether the gizmo has the axes of what is selected, where that is an oriented box, not the world's."""
        self.part: Part | None = None
        """The part of the gizmo under the mouse."""
        self.snapping = settings.snapping
        """Whether drags snap; Ctrl held is for the other way."""
        self.snap_to: frozenset[SnapKind] = frozenset(settings.snap_to)
        """What they snap to."""
        self.axis: int | None = None
        self.held: frozenset[str] = frozenset()
        """The modifiers that are held: "Ctrl", "Alt", "Shift"."""
        self.clipboard = ""
        self.message = ""
        self.problem = ""
        self.asks_to_close = False
        self.dialog: Dialog | None = None
        """What is asked in the middle of the window."""
        self.requests: list[Request] = []
        """What is asked of the world outside; a replay has none, and only the answers."""
        self.findings: dict[Path, Finding] = {}
        """What is known of the gallery's scenes."""
        self.done = False
        self._pointer: tuple[float, float] | None = None
        self._pointer_moved = False
        self._preview: Scene | None = None
        self._report: Report
        self.builder: Builder
        """What lays the scene out; another one for each scene that is opened."""
        self._viewpoints: dict[Document, Viewpoint] = {}
        self._patience = patience
        self._pack = pack
        self.opening: Job[Opened] | None = None
        """What decides the scene that is to be shown next: of a file that is opened, or of a large change."""
        self._turning_to: Scene | None = None
        self._take: Callable[[Opened], None]
        self._stopped: Callable[[], None]
        self.preparing: Job[None] | None = None
        self.saving: Job[None] | None = None
        self._agree: Callable[[], None]
        self._compiles = True
        """Whether code is compiled; not until another scene is opened, where that was stopped."""
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
        words = f"opening {document.path.name}"

        def read_and_decide(job: Job[Opened]) -> Opened:
            job.say(f"{words}: reading")
            return self._decided(document.read(self.files.load), None, words, job)

        def take(opened: Opened) -> None:
            document.begin(opened.report.scene)
            self._show(document, opened)

        return self._begin(Job(words, read_and_decide, self.now), take)

    def turn_to(
        self,
        scene: Scene,
        words: str,
        then: Callable[[], None],
        stopped: Callable[[], None] = lambda: None,
    ) -> None:
        """Do what makes a scene the one of the document that is shown, when it is decided.

        Of many other primitives that takes a while: until then all stays as it is, and `words` say what goes on.
        Where the user stops it `stopped` is done instead.
        """
        if self.opening is not None and self._turning_to is scene:
            return
        if scene.primitives is self.scene.primitives or _size(scene) < MANY:
            then()
            return
        self.cancel_opening()
        self._turning_to = scene
        previous = self._report

        def take(opened: Opened) -> None:
            before = self._report, self.builder
            self._report, self.builder = opened.report, opened.builder
            then()
            if self.scene is scene:
                self._prepare(opened.report)
            else:
                self._report, self.builder = before

        self._begin(Job(words, lambda job: self._decided(scene, previous, words, job), self.now), take, stopped)

    def _begin(
        self, job: Job[Opened], take: Callable[[Opened], None], stopped: Callable[[], None] = lambda: None
    ) -> bool:
        """Let a job go on; says whether what it found is shown, or is still to come."""
        self.opening, self._take, self._stopped = job, take, stopped
        return self._finish_opening() if self._patience and job.done(self._patience) else True

    def _decided(self, scene: Scene, previous: Report | None, words: str, job: "Job[Opened]") -> "Opened":
        """Do all that comes before the first picture of a scene, in a thread of its own."""
        job.say(f"{words}: deciding")
        opened = Opened.of(scene, previous, lambda: job.say(f"{words}: laying out", units=4))
        progress.advance(1)
        draw_list = opened.builder.build(opened.report)
        progress.advance(1)
        self._pack(draw_list)
        progress.advance(1)
        opened.builder.picture(opened.report).bodies.sort()
        progress.advance(1)
        return opened

    def _finish_opening(self) -> bool:
        """Show what was opened, or say why it was not; says whether it was."""
        assert self.opening is not None
        job, self.opening, self._turning_to = self.opening, None, None
        try:
            opened = job.answer()
        except HitscopeError as error:
            self.problem = f"{self.problem}\n{error}".lstrip()
            self.shelf.drop_unmade(self.document)
            return False
        self._take(opened)
        return True

    def cancel_opening(self) -> bool:
        """Stop opening a document, or a large change; says whether there was one."""
        if self.opening is None:
            return False
        self.opening.cancel()
        self.opening = self._turning_to = None
        return True

    def stop(self) -> bool:
        """Stop what goes on in the background, as its user wants it; says whether there was something."""
        opening = self.opening
        if opening is not None and self.cancel_opening():
            self.message = f"stopped {opening.name}"
            self.shelf.return_to(self.document)
            self._stopped()
            return True
        if self.preparing is not None:
            self.preparing.cancel()
            self.preparing, self._compiles = None, False
            self.message = "stopped compiling: large scenes answer more slowly until one is opened again"
            return True
        return False

    @property
    def works(self) -> list[Work]:
        """What goes on in the background."""
        return [work for work in get_args(Work) if self.job(work) is not None]

    @property
    def done_work(self) -> Work | None:
        """What went on in the background and is done, but not yet taken by `finish`; it comes after a drag."""
        for work in self.works:
            job = self.job(work)
            if job is not None and job.done() and (self.drag is None or work != "opening"):
                return work
        return None

    def job(self, work: Work) -> Job[Opened] | Job[None] | None:
        """Give what does this in the background."""
        return {"opening": self.opening, "preparing": self.preparing, "saving": self.saving}[work]

    def finish(self, work: Work) -> None:
        """Take what was done in the background, waiting for it where it is not done."""
        job = self.job(work)
        if job is None:
            return
        job.done(math.inf)
        if work == "preparing":
            self.preparing = None
            if self.scene.view.hierarchy is not None:
                # Nothing but what is drawn of it is new.
                self._report = evaluate(self.scene, self._report, compile=False)
        elif work == "saving":
            self._finish_saving()
        elif not self._finish_opening():
            self._open_next()

    def save(self, document: Document, path: Path | None = None) -> bool:
        """Save a document where it is, or as another file; says whether that was done, and why it was not."""
        self.finish("saving")
        try:
            document.save(self.files.save, path)
        except HitscopeError as error:
            self.problem = str(error)
            return False
        self._tell_saved(document)
        return True

    def save_apart(self) -> None:
        """Save the document that is shown; one that is large is written while the window goes on."""
        document, scene, path = self.document, self.document.scene, self.document.place
        if _size(scene) < MANY:
            self.save(document)
            return
        if self.saving is not None:
            self.message = "the file is still being written"
            return

        def agree() -> None:
            document.agree(scene, path)
            self._tell_saved(document)

        def write_with_pauses(_: Job[None]) -> None:
            with progress.told_to(lambda _: time.sleep(PAUSE_SECONDS)):
                write(self.files.save, scene, path)

        self.saving, self._agree = Job(f"saving {path.name}", write_with_pauses, self.now), agree
        if self._patience and self.saving.done(self._patience):
            self._finish_saving()

    def _finish_saving(self) -> None:
        assert self.saving is not None
        job, self.saving = self.saving, None
        try:
            job.answer()
        except HitscopeError as error:
            self.problem = str(error)
        else:
            self._agree()

    def _tell_saved(self, document: Document) -> None:
        self.problem = ""
        self.message = f"saved {document.path}"

    def _prepare(self, report: Report) -> None:
        """Compile in the background what decides the report's pairs; until then they are decided without."""
        if self.preparing is not None or not (self._compiles or report.lacks_hierarchies):
            return
        missing = [work for work in report.work() if not work.group.ready(work.chosen, work.probe)]
        if missing or report.lacks_hierarchies:

            def compile_all(job: Job[None]) -> None:
                job.say("compiling what decides this scene, once for all", units=len(missing))
                compile_apart(missing)
                for group, chosen, probe in missing:
                    job.say(f"preparing {chosen.method.name} of {group.kind.__name__.lower()}")
                    group.prepare(chosen, probe)
                if report.lacks_hierarchies:
                    job.say("making the hierarchy")
                    report.hierarchies(grow=True)

            self.preparing = Job("compiling", compile_all, self.now)

    def _show(self, document: Document, opened: "Opened") -> None:
        self.document = document
        self._preview = None
        self._report = opened.report
        self.builder = opened.builder
        self.hovered = self.partner = self.handle = None
        self.selection = ()
        self.hidden = frozenset()
        self._compiles = True
        if document not in self._viewpoints:
            self._viewpoints[document] = Viewpoint(opened.report.scene.view, opened.extent, self.full)
        self._prepare(opened.report)

    @property
    def asks(self) -> bool:
        """Whether something is asked in the middle of the window, and nothing else can be done."""
        return self.asks_to_close or self.dialog is not None

    @property
    def documents(self) -> list[Document]:
        """All that are open; one that was drawn before any was opened included."""
        return list(dict.fromkeys((*self.shelf.documents, *self._viewpoints)))

    @property
    def unsaved(self) -> list[Document]:
        """The documents with something that is not saved."""
        return [document for document in self.documents if document.changed]

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
        if self._preview is None:
            # What the drag itself selects was not selected before.
            self.document.selection = self.selection
        self._preview = scene

    def commit(self, name: str = "edit") -> bool:
        """Make what a drag did an edit of that name; says whether there was something."""
        if self._preview is None:
            return False
        self.edit(self._preview, name)
        return True

    def revert(self) -> None:
        """Forget what a drag did."""
        self._preview = None

    def edit(self, scene: Scene, name: str = "edit") -> None:
        """Change the document; `name` says what was done, e.g. "move tri"."""
        if self._preview is None:
            self.document.selection = self.selection
        self._preview = None
        self.greets = False
        self.document.edit(scene, name)
        self.forget_missing()

    def change(self, scene: Scene, name: str, then: Callable[[], None] = lambda: None) -> None:
        """Change the document as `edit` does and do `then`; where that takes long, as soon as it is decided."""
        document, before = self.document, self.document.scene

        def take() -> None:
            if document is not self.document or document.scene is not before:
                self.message = f"not done, because the scene was changed meanwhile: {name}"
                return
            self.edit(scene, name)
            then()

        self.turn_to(scene, name, take)

    def forget_missing(self) -> None:
        """Let go of what is hovered or selected and no longer there, and see with the scene's axis up."""
        self.viewpoint.stand(self.scene.view.up)
        self.hovered = self.hovered if self.exists(self.hovered) else None
        self.selection = tuple(target for target in self.selection if self.exists(target))
        self.partner = self.partner if self.exists(self.partner) else None
        self.handle = self.handle if self._has(self.handle) else None

    def exists(self, target: Target | None) -> bool:
        """Say whether a target is in the scene."""
        if target is None:
            return False
        if target.kind == "probe" and target.id in self.scene.probe_ids:
            return True
        return len(self._places(target)) > 0

    def _has(self, handle: Target | None) -> bool:
        """Say whether a handle is one of something selected."""
        if handle is None or handle.handle is None or handle._replace(handle=None) not in self.selection:
            return False
        shape = self._shape_of(handle)
        return shape is not None and handle.handle < len(handle_points(shape))

    def probe_index(self, name: str) -> int:
        """Give the place of a probe in the scene."""
        return self.scene.probe_ids.index(name)

    # The picture

    @property
    def layout(self) -> Layout:
        """Where panels and picture are."""
        return lay_out(*self.size, self.points, self.panels, self.panel_widths)

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
        self._look()
        return self.builder.picture(self.report)

    def colours(self) -> Colours | None:
        """Give what is hit and what is missed, ahead of the rest of what is to be seen."""
        return self.builder.colours(self.report)

    def draw_list(self) -> DrawList:
        """Give what is to be seen."""
        self._look()
        faces = self.mode is None
        return self.builder.build(self.report, self.hovered, self.selection, self.hidden, self.partner, faces)

    def _look(self) -> None:
        camera = self.viewpoint.camera
        self.builder.look(camera.eye, camera.target)

    def extent_of(self, *targets: Target) -> Extent:
        """Give the bounds of targets, or of everything."""
        whole = self.builder.extent(self.report)
        own = self._own_extent(targets)
        if own is None:
            return whole
        if own.half.max() > max(SMALLEST_SIZE * np.abs(own.center).max(), SMALLEST):
            return with_room(own)
        margin = min(SMALLEST_FRAME * whole.scale, CLEARANCES * clearance(self.picture.bodies, own))
        return Extent(own.lo - margin, own.hi + margin)

    def _own_extent(self, targets: Sequence[Target]) -> Extent | None:
        """Give the bounds of targets alone, where they have any."""
        ranges = [self._places(target) for target in targets if target.kind == "primitive"]
        places = [np.arange(found.start, found.stop) for found in ranges]
        bounds = extent_within(self.picture.bodies, np.concatenate(places)) if places else None
        names = {target.id for target in targets if target.kind == "probe"}
        for part in (*self.report.probes.parts, *self.report.unasked.parts) if names else ():
            if part.id not in names:
                continue
            if part.shapes is not None:
                bounds = union(bounds, extent_of(bundle_points(part.shapes)))
            elif part.shape is not None:
                points = np.concatenate([handle_points(part.shape), solid_points(part.shape)])
                bounds = union(bounds, extent_of(points))
        return bounds

    def target_at(self, x: float, y: float) -> Target | None:
        """Give what is at a pixel."""
        return pick(self.shown, x, y)

    @property
    def shown(self) -> Shown:
        """What can be picked."""
        return Shown(self.picture, self.eye, self.selection, self.hidden, self.mode is None)

    @property
    def selected(self) -> Target | None:
        """What was selected last."""
        return self.selection[-1] if self.selection else None

    def select(self, *targets: Target | None, more: bool = False) -> None:
        """Select probes and primitives, a handle standing for what it belongs to.

        With `more` they are added to what is selected, or taken from it where they are selected already.
        """
        before, self._clicked, self.handle = self.selected, None, None
        given = tuple(dict.fromkeys(target._replace(handle=None) for target in targets if target is not None))
        if more:
            kept = tuple(target for target in self.selection if target not in given)
            given = (*kept, *(target for target in given if target not in self.selection))
        self.selection = given
        if self.selected is None:
            self.partner = None
        elif before is not None and before.kind != self.selected.kind:
            self.partner = before

    def click(self, x: float, y: float) -> None:
        """Select what is at a pixel, at the second click there what is behind it; with Shift, besides the rest."""
        found, handle = all_at(self.shown, x, y), handle_at(self.shown, x, y)
        again = self._clicked is not None and math.dist(self._clicked, (x, y)) <= CLICK_REACH * self.points
        more = "Shift" in self.held
        if again and not more and self.selected in found:
            behind = (found.index(self.selected) + 1) % len(found)
            self.select(found[behind])
        elif found or not more:
            self.select(*found[:1], more=more)
        if handle is not None and handle._replace(handle=None) == self.selected:
            self.handle = handle
        self._clicked = (x, y)

    @property
    def snaps(self) -> bool:
        """Whether drags snap now."""
        return self.snapping != ("Ctrl" in self.held)

    @property
    def grid_step(self) -> float:
        """The step of the grid, in scene units: as set, or that of the finest lines of the ground."""
        return self.settings.grid_step or grid_step(self.eye.camera)

    @property
    def gizmo(self) -> Gizmo | None:
        """What moves, turns or scales what is selected."""
        if self.mode is None:
            return None
        asked = self.report, self.selection
        if self._pivot is None or self._pivot[0] is not asked[0] or self._pivot[1] != asked[1]:
            self._pivot = *asked, self._middle()
        pivot = self._pivot[2]
        return None if pivot is None else Gizmo(self.mode, pivot, self.eye, self._frame)

    def _middle(self) -> Vec3 | None:
        """Give where the gizmo is: in the middle of what is selected; of a ray or line at its origin."""
        if not self.selection:
            return None
        bounds = self._own_extent(self.selection)
        shape = self._shape_of(self.selection[-1])
        if bounds is None:
            # What is unbounded has no middle.
            center = self.builder.extent(self.report).center
            bounds = extent_of((foot_of(shape, center) if isinstance(shape, Plane) else center)[None])
        elif len(self.selection) == 1 and isinstance(shape, Ray | Line):
            bounds = extent_of(handle_points(shape)[:1])
        assert bounds is not None
        x, y, z = (
            rounded((Fraction(repr(lo)) + Fraction(repr(hi))) / 2)
            for lo, hi in zip(bounds.lo.tolist(), bounds.hi.tolist(), strict=True)
        )
        return x, y, z

    def _shape_of(self, target: Target) -> Shape | None:
        """Give the shape of what is shown by a name; of a bulk item, that of its first element if it has any."""
        elements = self._elements_of(target)
        return next((elements[place].shape for place in self._places(target)[:1]), None)

    def _places(self, target: Target) -> range:
        """Give the places of what a target stands for among the elements or probes of the report."""
        try:
            return self._elements_of(target).places(target.id)
        except KeyError:
            return range(0)

    def _elements_of(self, target: Target) -> Elements:
        """Give the elements or probes of the report that a target is one of."""
        if target.kind == "primitive":
            return self.report.elements
        return self.report.unasked if split(target.id)[0] in self.report.unasked.ids else self.report.probes

    @property
    def _frame(self) -> Frame:
        """The axes of the gizmo, in rows."""
        shape = self._shape_of(self.selection[-1]) if self.own_axes and self.selection else None
        return shape.axes if isinstance(shape, Obb) else IDENTITY

    # Input

    def resize(self, size: tuple[int, int], points: float) -> None:
        """Follow the window."""
        if (size, points) != (self.size, self.points):
            self.size, self.points = size, points
            self.viewpoint.fit(self.builder.extent(self.report), self.full)

    def point_at(self, x: float, y: float) -> None:
        """Note where the mouse is; what follows from it is done once a frame, by `settle`."""
        self._pointer, self._pointer_moved = (x, y), True

    def leave(self) -> None:
        """The mouse is over a panel or out of the window."""
        if self.drag is None:
            self._pointer, self._pointer_moved, self.hovered, self.part = None, False, None, None

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

    def hold(self, held: frozenset[str]) -> None:
        """Follow the modifiers."""
        if held != self.held:
            self.held = held
            self._pointer_moved = self._pointer is not None

    def hold_axis(self, axis: int | None) -> None:
        """Drag along a world axis, or freely again."""
        self.axis = axis
        self.again()

    def again(self) -> None:
        """Let what follows from the place of the mouse be done again."""
        self._pointer_moved = self._pointer is not None

    def zoom(self, steps: float, x: float, y: float) -> None:
        """Zoom, what is under a pixel staying there."""
        self.settle()
        eye = self.eye
        surface = surface_at(self.shown, x, y)
        toward = surface.near if surface else eye.camera.beside_target(x, y, eye.viewport)
        camera = eye.camera.zoom(steps, toward)
        if steps > 0 or camera.distance < FURTHEST * self.extent_of().scale:
            self.viewpoint.set(camera)
        self._pointer_moved = True

    def settle(self) -> None:
        """Do what follows from the last place of the mouse."""
        if self._pointer is None or not self._pointer_moved:
            return
        self._pointer_moved = False
        if self.drag is not None:
            self.drag.move(self, *self._pointer)
        else:
            gizmo = self.gizmo
            self.part = gizmo.part_at(*self._pointer) if gizmo else None
            self.hovered = self.target_at(*self._pointer) if self.part is None else None

    def advance(self, now: float) -> bool:
        """Go on with what moves by itself; says whether there is more to come."""
        self.now = now
        return self.viewpoint.advance(now)


def _size(scene: Scene) -> int:
    """Say how many primitives a scene has, those of bulk items one by one."""
    return sum(len(item.shapes) if isinstance(item, Bulk) else 1 for item in scene.primitives)
