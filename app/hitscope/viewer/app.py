"""The viewer without its window: what is open, shown, hovered and selected, and what the mouse is doing.

Everything here is plain state; the tests drive it without a display.
"""

import math
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, get_args

from msgspec import UNSET, UnsetType

from hitscope import progress
from hitscope.draw.builder import Builder
from hitscope.draw.extent import Extent
from hitscope.draw.items import Array, DrawList
from hitscope.draw.picture import Colours, Picture
from hitscope.draw.shape_drawings import handle_points
from hitscope.draw.target import Hidden, Selection, Target
from hitscope.errors import HitscopeError
from hitscope.evaluate import Report, evaluate
from hitscope.geometry.shapes import Vec3
from hitscope.render.camera import Viewport
from hitscope.render.palette import THEMES, Theme
from hitscope.render.view import View
from hitscope.scene import Scene
from hitscope.scene.forms import IDENTITY
from hitscope.scene.model import Bulk
from hitscope.viewer.background import Job
from hitscope.viewer.compiling import compile_apart
from hitscope.viewer.documents import DISK, EMPTY, UNTITLED, Document, Files, Shelf, write
from hitscope.viewer.files.gallery import Finding
from hitscope.viewer.files.settings import PLAIN, Settings, SnapKind
from hitscope.viewer.inputs import Work
from hitscope.viewer.pairing import Pairing
from hitscope.viewer.panels.dialogs import Dialog
from hitscope.viewer.panels.layout import Layout, lay_out
from hitscope.viewer.picture.viewpoint import Viewpoint
from hitscope.viewer.requests import RememberFile, Request
from hitscope.viewer.state.limits import LIMITS, Limits
from hitscope.viewer.tools.drags import CLICK_REACH, Begin, Drag
from hitscope.viewer.tools.gizmo import Gizmo, Mode, Part
from hitscope.viewer.tools.nudging import Nudged, grid_step
from hitscope.viewer.tools.picking import Shown, all_at, faces_of, handle_at, pick, surface_at
from hitscope.viewer.whereabouts import axes_of, framed, middle_of, places_of, shape_of

PAUSE_SECONDS = 0.003
"""Between two pieces of a file that is written, the window has so long to itself."""
FURTHEST = 1e3
"""The wheel takes the camera away up to so many times the scene's size."""


class Opened(NamedTuple):
    """A scene with all that its first picture needs."""

    report: Report
    builder: Builder
    corners: Array

    @classmethod
    def of(
        cls,
        scene: Scene,
        previous: Report | None = None,
        shown: Builder | None = None,
        decided: Callable[[], None] = lambda: None,
        level: int | UnsetType | None = UNSET,
        limits: Limits = LIMITS,
    ) -> "Opened":
        """Decide a scene and find its bounds; nothing waits for a compiler.

        For `previous` and `level` see `evaluate`; what `shown` has laid out of the same items stays laid out.
        """
        report, builder = (
            evaluate(scene, previous, compile=False, level=level),
            Builder(shown, limits.bulk_batch_from),
        )
        decided()
        return cls(report, builder, builder.corners(report))


class App:
    """The state of one window; coordinates are pixels from its top left corner."""

    def __init__(
        self,
        shelf: Shelf,
        size: tuple[int, int],
        points: float = 1.0,
        files: Files = DISK,
        settings: Settings = PLAIN,
        limits: Limits = LIMITS,
        pack: Callable[[DrawList], None] = lambda _: None,
    ) -> None:
        """Show the first document that can be loaded, in a window of `size` pixels, `points` of them a point.

        What takes longer than `limits.patience_s` goes on in the background until `finish` is called; with none,
        that is what all does, however fast it is.
        `pack` prepares a large draw list for the graphics card, in any thread.
        """
        self.shelf = shelf
        self.files = files
        self.limits = limits
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
        self.grid = settings.grid
        """Whether the grid is shown."""
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
        self.pairing = Pairing()
        """What is looked at together with what was selected last."""
        self._selected_anew = False
        self._passed_over: Target | None = None
        """What the mouse was over already when something was selected."""
        self._pressed_with: Selection = ()
        self.drag: Drag | None = None
        self.nudged: Nudged | None = None
        """The last nudge, which the next one goes on with."""
        self.prefix = ""
        self.tool: str | None = None
        self.mode: Mode | None = None
        """What the gizmo does, where one is shown."""
        self.own_axes = False
        """Whether the gizmo has the axes of what is selected, where that has some, not the world's."""
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
        self._pack = pack
        self.opening: Job[Opened] | None = None
        """What decides the scene that is to be shown next: of a file that is opened, or of a large change."""
        self._turning_to: Scene | None = None
        self._take: Callable[[Opened], None]
        self._refuse: Callable[[], None]
        self._stopped: Callable[[], None]
        self.preparing: Job[None] | None = None
        self.saving: Job[None] | None = None
        self._take_saved: Callable[[str], None]
        self.closing: Callable[[], None] | None = None
        """What closes the window when the file is written that it waits for."""
        self._compiles = True
        """Whether code is compiled; not until another scene is opened, where that was stopped."""
        self._stage = Document(UNTITLED, example=True)
        """What is shown before anything is opened."""
        self._stage.load(lambda _: EMPTY)
        self._show(self._stage, Opened.of(EMPTY, limits=limits))
        self.refused: Path | None = None
        """The file that could not be opened last, until another one is."""
        self._to_open = list(shelf.documents)
        self._opens_all = False
        """Whether all of those are to be opened, not only the first that can be."""
        self._open_next()

    # Documents

    def open(self, *documents: Document, problem: str = "") -> None:
        """Show documents of the shelf one after the other, and keep showing the last.

        Where one cannot be loaded it is said why, after the `problem` that there is already.
        """
        self.cancel_opening()
        self._to_open, self._opens_all = list(documents), True
        self.problem = problem
        self._open_next()

    def _open_next(self) -> None:
        """Go on with the documents that are to be opened, until one takes a while."""
        while self._to_open and self.opening is None:
            self._open(self._to_open.pop(0))

    def _open(self, document: Document) -> None:
        self.shelf.return_to(document)
        self.refused = None
        words = f"opening {document.path.name}"
        level = self._level_of(document)

        def read_and_decide(job: Job[Opened]) -> Opened:
            job.say(f"{words}: reading")
            return self._decided(document.read(self.files.load), None, words, job, level)

        def take(opened: Opened) -> None:
            if document.dropped and document.made_by is None and not document.loaded:
                self.requests.append(RememberFile(document.path))
            document.begin(opened.report.scene)
            self._show(document, opened)
            self.message = ""
            if not self._opens_all:
                self._to_open.clear()
            self.problem = "\n".join(filter(None, [self.problem, document.problem]))

        def refuse() -> None:
            self.refused = document.path if document.made_by is None else None
            if document.dropped:
                self.shelf.drop(document, self.document)
            if not self.is_empty:
                self.message = f"{document.path.name} is not open: this is {self.document.path.name}"

        self._begin(Job(words, read_and_decide, self.now), take, refuse)

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
        if scene.primitives is self.scene.primitives or _size(scene) < self.limits.background_from:
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

        level = self._level_of(self.document)
        job = Job(words, lambda job: self._decided(scene, previous, words, job, level), self.now)
        self._begin(job, take, stopped=stopped)

    def _begin(
        self,
        job: Job[Opened],
        take: Callable[[Opened], None],
        refuse: Callable[[], None] = lambda: None,
        stopped: Callable[[], None] = lambda: None,
    ) -> None:
        """Let a job go on; what it finds is taken or refused, by `finish` where it takes a while."""
        self.opening, self._take, self._refuse, self._stopped = job, take, refuse, stopped
        if self.limits.patience_s and job.done(self.limits.patience_s):
            self._finish_opening()

    def _decided(
        self,
        scene: Scene,
        previous: Report | None,
        words: str,
        job: "Job[Opened]",
        level: int | UnsetType | None,
    ) -> "Opened":
        """Do all that comes before the first picture of a scene, in a thread of its own."""
        job.say(f"{words}: deciding")

        def decided() -> None:
            job.say(f"{words}: laying out", units=4)

        opened = Opened.of(scene, previous, self.builder, decided, level, self.limits)
        progress.advance(1)
        draw_list = opened.builder.build(opened.report)
        progress.advance(1)
        self._pack(draw_list)
        progress.advance(1)
        opened.builder.picture(opened.report).arrays.sort()
        progress.advance(1)
        return opened

    def _finish_opening(self) -> None:
        """Show what was opened, or say why it was not."""
        assert self.opening is not None
        job, self.opening, self._turning_to = self.opening, None, None
        try:
            opened = job.answer()
        except HitscopeError as error:
            self.problem = f"{self.problem}\n{error}".lstrip()
            self._refuse()
        else:
            self._take(opened)

    def cancel_opening(self) -> bool:
        """Stop opening a document, or a large change; says whether there was one."""
        if self.opening is None:
            return False
        self.opening.cancel()
        self.opening = self._turning_to = None
        return True

    def stop(self) -> bool:
        """Stop what goes on in the background, as its user wants it; says whether there was something.

        What is being written is written to its end.
        """
        if self.stay():
            return True
        opening = self.opening
        if opening is not None and self.cancel_opening():
            self.message = f"stopped {opening.name}"
            self._to_open.clear()
            self.shelf.return_to(self.document)
            self._stopped()
            return True
        if self.preparing is not None:
            self.preparing.cancel()
            self.preparing, self._compiles = None, False
            self.message = "stopped compiling: large scenes answer more slowly until one is opened again"
            return True
        return False

    def stay(self) -> bool:
        """Do not close the window when a file is written; says whether it was to be closed then."""
        if self.closing is None:
            return False
        self.closing, self.message = None, "the window stays open"
        return True

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

    def finish(self, work: Work, problem: str = "") -> None:
        """Take what was done in the background, waiting for it where it is not done.

        A `problem` is why a file could not be written when what is played now was recorded.
        """
        job = self.job(work)
        if job is None:
            return
        job.done(math.inf)
        if work == "preparing":
            self.preparing = None
            if self.viewpoint.hierarchy is not None:
                # Nothing but what is drawn of it is new.
                self._report = self._evaluated()
        elif work == "saving":
            self._finish_saving(problem)
        else:
            self._finish_opening()
            self._open_next()

    def saves_still(self) -> bool:
        """Say whether a file is being written, and tell that another one has to wait."""
        if self.saving is None:
            return False
        self.message = "the file is still being written"
        return True

    def save(
        self, document: Document, path: Path | None = None, then: Callable[[str], None] = lambda problem: None
    ) -> None:
        """Save a document as it is now where it is, or as another file, while the window goes on.

        `then` is done at the end, and is told why it could not be saved, or nothing.
        """
        if self.saves_still():
            return
        scene, place = document.scene, path or document.place

        def write_with_pauses(_: Job[None]) -> None:
            with progress.reporting_to(lambda _: time.sleep(PAUSE_SECONDS)):
                write(self.files.save, scene, place)

        def take(problem: str) -> None:
            self.problem = problem
            if not problem:
                document.agree(scene, place)
                self.message = f"saved {place}"
            then(problem)

        self.saving, self._take_saved = Job(f"saving {place.name}", write_with_pauses, self.now), take
        if self.limits.patience_s and self.saving.done(self.limits.patience_s):
            self._finish_saving("")

    def _finish_saving(self, problem: str) -> None:
        """Note that a file was written, or why it could not be; then close the window where that waited for it."""
        assert self.saving is not None
        job, self.saving = self.saving, None
        closing, self.closing = self.closing, None
        try:
            job.answer()
        except HitscopeError as error:
            problem = problem or str(error)
        self._take_saved(problem)
        if closing is not None and problem:
            self.message = ""
        elif closing is not None:
            closing()

    def refusal(self, work: Work) -> str:
        """Say why a file could not be written, if that is the work that is done; nothing where it was written."""
        return self.saving.problem if work == "saving" and self.saving is not None else ""

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
        self.hovered = self.handle = None
        self.selection, self.pairing = (), Pairing()
        self.hidden = frozenset()
        self._compiles = True
        if document not in self._viewpoints:
            self._viewpoints[document] = Viewpoint(opened.report.scene.view, opened.corners, self.full)
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
    def is_empty(self) -> bool:
        """Whether nothing was opened yet, nor drawn instead."""
        return self.document is self._stage and not self.document.changed

    @property
    def place(self) -> str:
        """Which of the documents on the shelf is shown, e.g. "2 / 3"; nothing where there is no other."""
        documents = self.shelf.documents
        shown = documents.index(self.document) + 1 if self.document in documents else "–"
        return f"{shown} / {len(documents)}" if len(documents) > 1 else ""

    @property
    def title(self) -> str:
        """What is shown; before anything is opened, the file that is to be or that could not be."""
        if self.is_empty and self.opening is not None:
            return self.opening.name
        if self.is_empty and self.shelf.place < len(self.shelf.documents):
            return f"{self.shelf.documents[self.shelf.place].path.name}: not opened"
        return self.document.title

    @property
    def unsaved(self) -> list[Document]:
        """The documents with something that is not saved."""
        return [document for document in self.documents if document.changed]

    @property
    def to_recover(self) -> dict[Document, Scene]:
        """What a crash would lose: what is not saved, and what a drag has done so far, but of a large scene."""
        unsaved = {document: document.scene for document in self.unsaved}
        if self._preview is not None and _size(self._preview) < self.limits.background_from:
            unsaved[self.document] = self._preview
        return unsaved

    @property
    def scene(self) -> Scene:
        """What is shown: the document, or what a drag would make of it."""
        return self.document.scene if self._preview is None else self._preview

    @property
    def report(self) -> Report:
        """The verdicts of what is shown."""
        if self._report.scene is not self.scene or self._report.level != self.viewpoint.hierarchy:
            if self.selected is not None and (met := self.builder.picture(self._report).pairs.met(self.selected)):
                self.pairing = self.pairing._replace(met=met)
            self._report = self._evaluated()
            self._prepare(self._report)
        return self._report

    def _evaluated(self) -> Report:
        """Decide what is shown; nothing waits for a compiler."""
        return evaluate(self.scene, self._report, compile=False, level=self.viewpoint.hierarchy)

    def _level_of(self, document: Document) -> int | UnsetType | None:
        """Give the level of the hierarchies that was last shown of a document; before that, its scene's."""
        return self._viewpoints[document].hierarchy if document in self._viewpoints else UNSET

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
        if not self.exists(self.pairing.partner):
            self.pairing = self.pairing._replace(partner=None, together=False)
        self.handle = self.handle if self._has(self.handle) else None

    def exists(self, target: Target | None) -> bool:
        """Say whether a target is in the scene."""
        if target is None:
            return False
        if target.kind == "probe" and target.id in self.scene.probe_ids:
            return True
        return len(places_of(self.report, target)) > 0

    def _has(self, handle: Target | None) -> bool:
        """Say whether a handle is one of something selected."""
        if handle is None or handle.handle is None or handle._replace(handle=None) not in self.selection:
            return False
        shape = shape_of(self.report, handle)
        return shape is not None and handle.handle < len(handle_points(shape))

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
    def view(self) -> View:
        """How the picture is seen now."""
        picture = self.layout.picture
        return View(self.viewpoint.seen(picture, self.full), picture, self.points)

    @property
    def picture(self) -> Picture:
        """What is drawn of the report."""
        self._look()
        return self.builder.picture(self.report)

    @property
    def picture_theme(self) -> Theme:
        """The colours of the picture; a grid that is not shown has none."""
        return self.theme if self.grid else replace(self.theme, grid_minor_opacity=0.0, grid_major_opacity=0.0)

    def colours(self) -> Colours | None:
        """Give what is hit and what is missed, ahead of the rest of what is to be seen."""
        return self.builder.colours(self.report)

    def draw_list(self) -> DrawList:
        """Give what is to be seen."""
        self._look()
        faces = faces_of(self.shown, self.hovered)
        return self.builder.build(
            self.report, self.hovered, self.selection, self.hidden, self.partner, faces, self.pair
        )

    def _look(self) -> None:
        camera = self.viewpoint.camera
        self.builder.look(camera.eye, camera.target)

    @property
    def corners(self) -> Array:
        """Points (n, 3) with everything between them."""
        return self.builder.corners(self.report)

    def extent_of(self, *targets: Target) -> Extent:
        """Give the bounds of targets, or of everything."""
        return framed(self.picture, targets, self.builder.extent(self.report))

    def target_at(self, x: float, y: float) -> Target | None:
        """Give what is at a pixel."""
        return pick(self.shown, x, y)

    @property
    def shown(self) -> Shown:
        """What can be picked."""
        return Shown(self.picture, self.view, self.selection, self.hidden, self.mode is None)

    @property
    def selected(self) -> Target | None:
        """What was selected last."""
        return self.selection[-1] if self.selection else None

    @property
    def pair(self) -> tuple[int, int] | None:
        """The places of the probe and the element that are looked at.

        What the mouse is over counts first, but not as long as it was over that when something was selected.
        """
        picture = self.picture  # which finds out what was met
        partner, together, met = self.pairing
        over = None if self.selection and (self._selected_anew or self._is_passed_over) else self.hovered
        chosen = partner if together or (partner is not None and partner.kind == "probe") else None
        return picture.pairs.find((over, self.selected, chosen), (met, partner))

    @property
    def _is_passed_over(self) -> bool:
        over, passed = self.hovered, self._passed_over
        return over is not None and passed is not None and over[:2] == passed[:2]

    @property
    def partner(self) -> Target | None:
        """What is looked at together with what is selected, where it was selected too, or met it before."""
        if (pair := self.pair) is None:
            return None
        probe, element = self.report.probes[pair[0]], self.report.elements[pair[1]]
        halves = Target("probe", probe.id), Target("primitive", element.id)
        return next((target for target in (self.pairing.partner, self.pairing.met) if target in halves), None)

    def select(self, *targets: Target | None, more: bool = False, beside: Target | None = None) -> None:
        """Select probes and primitives, a handle standing for what it belongs to; `beside` is looked at with them.

        With `more` they are added to what is selected, or taken from it where they are selected already.
        """
        before, self._clicked, self.handle = self.selected, None, None
        given = tuple(dict.fromkeys(target._replace(handle=None) for target in targets if target is not None))
        if more:
            known, anew = set(self.selection), set(given)
            kept = (target for target in self.selection if target not in anew)
            given = (*kept, *(target for target in given if target not in known))
        self.selection = given
        self.pairing = self.pairing.after(before, given, beside)
        self._selected_anew = bool(given)

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
        """The step of the grid, in scene units: as set, or that of the finest lines of the grid."""
        return self.settings.grid_step or grid_step(self.view.camera)

    @property
    def gizmo(self) -> Gizmo | None:
        """What moves, turns or scales what is selected."""
        if self.mode is None:
            return None
        asked = self.report, self.selection
        if self._pivot is None or self._pivot[0] is not asked[0] or self._pivot[1] != asked[1]:
            self._pivot = *asked, middle_of(self.picture, self.selection, self.builder.extent(self.report))
        pivot = self._pivot[2]
        if pivot is None:
            return None
        axes = axes_of(self.report, self.selection[-1]) if self.own_axes else IDENTITY
        return Gizmo(self.mode, pivot, self.view, axes)

    # Input

    def resize(self, size: tuple[int, int], points: float) -> None:
        """Follow the window."""
        if (size, points) != (self.size, self.points):
            self.size, self.points = size, points
            self.viewpoint.fit(self.corners, self.full)

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
        self._pressed_with = self.selection
        self.drag = begin(self, x, y)

    def release(self) -> None:
        """End the drag."""
        self.settle()
        if self.drag is not None:
            drag, self.drag = self.drag, None
            drag.release(self)
            self._selected_anew = self._selected_anew or self.selection not in ((), self._pressed_with)
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
        view = self.view
        surface = surface_at(self.shown, x, y)
        toward = surface.near if surface else view.beside_target(x, y)
        camera = view.camera.zoom(steps, toward)
        if steps > 0 or camera.distance < FURTHEST * self.extent_of().scale:
            self.viewpoint.set(camera)
        self._pointer_moved = True

    def settle(self) -> None:
        """Do what follows from the last place of the mouse."""
        if self._pointer is not None and self._pointer_moved:
            self._pointer_moved = False
            if self.drag is not None:
                self.drag.move(self, *self._pointer)
            else:
                gizmo = self.gizmo
                self.part = gizmo.part_at(*self._pointer) if gizmo else None
                self.hovered = self.target_at(*self._pointer) if self.part is None else None
        if self._selected_anew:
            self._selected_anew, self._passed_over = False, self.hovered
        elif not self._is_passed_over:
            self._passed_over = None

    def advance(self, now: float) -> bool:
        """Go on with what moves by itself; says whether there is more to come."""
        self.now = now
        return self.viewpoint.advance(now)


def _size(scene: Scene) -> int:
    """Say how many primitives a scene has, those of bulk items one by one."""
    return sum(len(item.shapes) if isinstance(item, Bulk) else 1 for item in scene.primitives)
