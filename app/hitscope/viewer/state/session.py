"""The open documents, the one that is shown, its preview during a drag, and the report of that."""

from collections.abc import Callable
from typing import NamedTuple

from hitscope.draw.builder import Builder
from hitscope.draw.extent import Extent
from hitscope.draw.picture import Picture
from hitscope.draw.selection_geometry import indices_of
from hitscope.draw.target import Target
from hitscope.evaluate import Report, evaluate
from hitscope.evaluate.method_differences import MethodDifferences
from hitscope.geometry.arrays import Array
from hitscope.scene import Scene
from hitscope.scene.bulk import Bulk
from hitscope.viewer.state.documents import EMPTY, UNTITLED, Document, DocumentList, Files
from hitscope.viewer.state.map_view import MapView
from hitscope.viewer.state.own_code import OwnCode
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.settings import Limits


class Evaluated(NamedTuple):
    """The report of a scene, and the builder of its draw lists."""

    report: Report
    builder: Builder


class Session:
    """The documents and the report of the one that is shown.

    `edit`, `preview`, `commit` and `revert` are for tools and actions. `evaluate` writes `report`; `show` and
    `take_evaluated` write it and `builder`, of scenes that a job evaluated; `actions/method_jobs.py` `compared`.
    """

    def __init__(
        self, listed: DocumentList, files: Files, selection: Selection, limits: Limits, own: OwnCode
    ) -> None:
        """Show an empty scene until the first of the listed documents is opened."""
        self.listed = listed
        self.files = files
        self.own = own
        """The methods that decide in place of the scene's."""
        self.stage = Document(UNTITLED, example=True)
        """The document that is shown; an empty one before any is opened."""
        self.stage.begin(EMPTY)
        self.shown_before: dict[Document, None] = {}
        """The documents that were shown, in the order of their first showing."""
        self._selection = selection
        self._preview: Scene | None = None
        self.document: Document
        self.report: Report
        """The verdicts of the scene, as of the last `refresh`."""
        self.followed: Report | None = None
        """The report that the rest of the state was brought up to date with."""
        self.compared: MethodDifferences | None = None
        """The result of the last comparison of the methods, of this scene or an earlier one; see `differences`."""
        self.map_view = MapView()
        self.builder: Builder
        self.show(self.stage, Evaluated(evaluate(EMPTY, compile=False), Builder(None, limits.bulk_batch_from)))

    def evaluate(self, level: int | None, nearest_only: bool) -> None:
        """Evaluate the scene that is shown, with the hierarchies at a level."""
        own = self.own.methods(self.document, self.scene)
        self.report = evaluate(self.scene, self.report, False, level, nearest_only, own=own)

    def show(self, document: Document, evaluated: Evaluated) -> None:
        """Show a document, with nothing selected."""
        self.document = document
        self._preview = None
        self.report, self.builder = evaluated.report, evaluated.builder
        self.shown_before[document] = None
        self._selection.clear()

    def take_evaluated(self, evaluated: Evaluated, change: Callable[[], None]) -> None:
        """Take the report of a scene and call `change`; without effect if that does not show the scene."""
        before = self.report, self.builder
        self.report, self.builder = evaluated.report, evaluated.builder
        change()
        if self.scene is not evaluated.report.scene:
            self.report, self.builder = before

    @property
    def documents(self) -> list[Document]:
        """All open documents; one that was drawn before any was opened included."""
        return list(dict.fromkeys((*self.listed.documents, *self.shown_before)))

    @property
    def open_documents(self) -> list[Document]:
        """The documents that were opened, and those that the user gave, in the order of the list."""
        given = (document for document in self.documents if document.loaded or not document.example)
        return [document for document in given if document is not self.stage or document.changed]

    @property
    def unsaved(self) -> list[Document]:
        """The documents with changes that are not saved."""
        return [document for document in self.documents if document.changed]

    @property
    def is_empty(self) -> bool:
        """Whether no document was opened yet, and nothing was drawn instead."""
        return self.document is self.stage and not self.document.changed

    @property
    def position(self) -> str:
        """The position of the shown document in the list, e.g. "2 / 3"; "" for the only one."""
        documents = self.listed.documents
        shown = documents.index(self.document) + 1 if self.document in documents else "–"
        return f"{shown} / {len(documents)}" if len(documents) > 1 else ""

    @property
    def scene(self) -> Scene:
        """The scene that is shown: the preview of a drag, else the document's."""
        return self.document.scene if self._preview is None else self._preview

    @property
    def has_preview(self) -> bool:
        """Whether a drag has changed the scene that is shown."""
        return self._preview is not None

    @property
    def differences(self) -> MethodDifferences | None:
        """The pairs on which methods differ from exact; None until those of the shown scene are known."""
        compared = self.compared
        return compared if compared is not None and compared.report.decides_like(self.report) else None

    @property
    def has_wrong(self) -> bool:
        """Whether a method is known to be wrong on a pair of the scene."""
        return bool(self.differences and self.differences.wrong)

    @property
    def picture(self) -> Picture:
        return self.builder.picture(self.report)

    @property
    def corners(self) -> Array:
        """Points (n, 3) whose convex hull contains the scene."""
        return self.builder.corners(self.report)

    @property
    def extent(self) -> Extent:
        return self.builder.extent(self.report)

    def unsaved_scenes(self, largest: int) -> dict[Document, Scene]:
        """The scenes that a crash would lose, by document; previews only of scenes below `largest` primitives."""
        unsaved = {document: document.scene for document in self.unsaved}
        if self._preview is not None and not self.document.is_lesson and size_of(self._preview) < largest:
            unsaved[self.document] = self._preview
        return unsaved

    def preview(self, scene: Scene) -> None:
        """Show a scene instead of the document's during a drag."""
        self._keep_selection()
        self._preview = scene

    def commit(self, name: str = "edit") -> bool:
        """Make the preview of a drag an edit of that name; True if there was one."""
        if self._preview is None:
            return False
        self.edit(self._preview, name)
        return True

    def revert(self) -> None:
        self._preview = None

    def edit(self, scene: Scene, name: str = "edit") -> None:
        """Make a scene the next step of the document's history; `name` is that of the edit, e.g. "move tri"."""
        self._keep_selection()
        self._preview = None
        self.document.edit(scene, name)

    def _keep_selection(self) -> None:
        """Note in the history the selection before an edit, without what a drag itself selected."""
        if self._preview is None:
            self.document.note_selection(self._selection.targets)

    def exists(self, target: Target | None) -> bool:
        if target is None:
            return False
        is_probe = target.kind == "probe" and target.id in self.scene.probe_ids
        return is_probe or len(indices_of(self.report, target)) > 0


def size_of(scene: Scene) -> int:
    """Count the primitives of a scene, those of bulk items one by one."""
    return sum(len(item.shapes) if isinstance(item, Bulk) else 1 for item in scene.primitives)
