"""What is done with files, the gallery and the clipboard: functions of the app.

Nothing here reads a folder or a file that no scene names: that is asked of the world outside, see `requests`.
"""

from collections.abc import Iterable, Sequence
from itertools import count, product
from pathlib import Path
from typing import TYPE_CHECKING

from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.render.camera import Camera
from hitscope.resources import SCENES
from hitscope.scene import Scene, edits
from hitscope.scene.model import Camera as FileCamera
from hitscope.scene.model import View
from hitscope.viewer import requests
from hitscope.viewer.documents import UNTITLED, Document
from hitscope.viewer.files.as_python import as_test
from hitscope.viewer.files.clip import copied, copied_view, parsed, pasted
from hitscope.viewer.files.gallery import Finding, examples
from hitscope.viewer.files.paths import ENDING, dropped, readable
from hitscope.viewer.inputs import Leftover
from hitscope.viewer.panels.dialogs import (
    Conflict,
    Dialog,
    Gallery,
    Listing,
    OpenFile,
    Overwrite,
    Recovery,
    SaveAs,
    peeled,
)

if TYPE_CHECKING:
    from hitscope.viewer.app import App


def peel(app: "App", dialog: Dialog) -> None:
    """Take a question away that is not answered; what it was asked for is not done."""
    app.dialog = peeled(dialog)
    if app.dialog is None and app.saving is None:
        app.stay()


# Saving


def save_scene(app: "App") -> None:
    """Save the scene's file."""
    save(app, app.document)


def save(app: "App", document: Document) -> None:
    """Save a document's file; where there is none yet, or nobody can read what it says now, ask first."""
    if app.saves_still():
        return
    if document.is_untitled:
        _ask_for_place(app, document)
    elif document.problem:
        app.dialog = Overwrite(document)
    else:
        app.save(document)


def overwrite(app: "App", document: Document) -> None:
    """Save a document over what its file says now."""
    app.dialog = None
    app.save(document)


def save_as(app: "App") -> None:
    """Ask where to save the scene."""
    if not app.saves_still():
        _ask_for_place(app, app.document)


def _ask_for_place(app: "App", document: Document) -> None:
    place = document.place.absolute()
    app.dialog = SaveAs(document, place.parent, readable(place.name))
    app.requests.append(requests.ShowSaveDialog(place))


def find_place(app: "App", dialog: SaveAs) -> None:
    """Ask for the place that was typed."""
    app.requests.append(requests.FindPlace(dialog.typed, dialog.folder, dialog.document.path))


def placed(app: "App", path: Path, overwrites: bool, problem: str) -> None:
    """Save at the place that was found, after a question where another file is there."""
    dialog = app.dialog
    if not isinstance(dialog, SaveAs):
        return
    dialog.problem, dialog.native = problem, False
    # Of its own file, too, it is asked about what another program has written there and nobody can read.
    own = path.absolute() == dialog.document.path.absolute()
    if overwrites or (own and dialog.document.problem):
        dialog.overwrites = path
    elif not problem:
        save_there(app, dialog, path)


def save_there(app: "App", dialog: SaveAs, path: Path) -> None:
    """Save the document as another file; where that fails, the dialog comes again and says why."""
    document = dialog.document

    def take(problem: str) -> None:
        if not problem:
            app.requests.append(requests.RememberFile(path))
        elif app.document is document and not app.asks and app.drag is None:
            dialog.overwrites, dialog.problem = None, problem
            app.dialog, app.problem = dialog, ""

    app.dialog = None
    app.save(document, path, take)


def keep_picture(app: "App") -> None:
    """Write a picture of the scene as it is seen."""
    app.requests.append(requests.KeepPicture(app.document.path, app.document.example))


# Opening


def open_file(app: "App") -> None:
    """Ask which file to open."""
    app.dialog = OpenFile()
    app.requests.append(requests.ShowOpenDialog(_folder(app)))


def follow_native_dialog(app: "App", shown: bool) -> None:
    """Leave the question to the operating system's dialog, or drop it when that was closed without a choice."""
    dialog = app.dialog
    if isinstance(dialog, OpenFile | SaveAs):
        if shown:
            dialog.native = True
        elif dialog.native:
            peel(app, dialog)


def type_path(app: "App", dialog: OpenFile | SaveAs) -> None:
    """Ask for a path here instead of in the operating system's dialog."""
    dialog.native = False
    if isinstance(dialog, OpenFile):
        visit(app, _folder(app))


def _folder(app: "App") -> Path | None:
    """The folder of the document; of an example None, for the working folder."""
    return None if app.document.example else app.document.path.absolute().parent


def visit(app: "App", path: Path | None) -> None:
    """Go to a folder, or open a file."""
    app.requests.append(requests.Visit(path))


def listed(app: "App", listing: Listing | None, problem: str) -> None:
    """Show what is in a folder, or why there is nothing to show."""
    dialog = app.dialog
    if isinstance(dialog, OpenFile) and not dialog.native:
        dialog.problem = problem
        if listing is not None:
            dialog.listing, dialog.typed = listing, ""
        return
    app.problem = problem
    if isinstance(dialog, OpenFile):
        app.dialog = None


def new_scene(app: "App") -> None:
    """Begin an empty scene, beside what is open; it is untitled until it is saved as a file."""
    names = {document.path.name for document in (*app.shelf.documents, *app.unsaved)}
    free = (UNTITLED.with_name(f"untitled-{n}{ENDING}" if n > 1 else UNTITLED.name) for n in count(1))
    document = Document(next(path for path in free if path.name not in names), example=True)
    scene = Scene(version=1, primitives=(), probes=(), view=View(up=app.settings.up))
    document.load(lambda _: scene)
    _put_on_shelf(app, document)
    app.open(document)


def open_given(app: "App", paths: Sequence[Path]) -> None:
    """Open the scenes and the meshes in files that were chosen or dropped."""
    documents: list[Document] = []
    problems = []
    for path in paths:
        try:
            given = dropped(path, app.settings.up)
        except HitscopeError as error:
            problems.append(str(error))
            continue
        known = _document_of(app, given.path)
        if known is None:
            known = Document(given.path, made_by=given.read, dropped=True)
            _put_on_shelf(app, known, len(documents))
        elif given.read is None:
            app.requests.append(requests.RememberFile(given.path))
        documents.append(known)
    if documents:
        app.dialog = None
        app.open(*documents, problem="\n".join(problems))
    else:
        listed(app, None, "\n".join(problems))


def _document_of(app: "App", path: Path) -> Document | None:
    """Give the open document of a file."""
    documents = (document for document in app.documents if not document.is_untitled)
    return next((document for document in documents if document.path.absolute() == path.absolute()), None)


def _followed(app: "App", path: Path) -> Document:
    """Give the document that follows a file; in a recording from another folder, the one that is shown."""
    return _document_of(app, path) or app.document


def _put_on_shelf(app: "App", document: Document, further: int = 0) -> None:
    """Put a document after the one that is shown, or so many places further on."""
    app.shelf.documents.insert(app.shelf.place + 1 + further, document)


def show_gallery(app: "App") -> None:
    """Show the scenes that ship with hitscope, to choose one."""
    app.dialog = Gallery(examples())
    app.requests.append(requests.LookAtGallery(app.theme.name))


def found(app: "App", finding: Finding) -> None:
    """Note what was found of a scene of the gallery."""
    app.findings[SCENES / finding.path] = finding


def open_example(app: "App", path: Path) -> None:
    """Show a scene of the gallery."""
    app.dialog = None
    document = _document_of(app, path)
    if document is None:
        document = Document(path, example=True)
        _put_on_shelf(app, document)
    app.open(document)


# Changes on disk


def changed(app: "App", path: Path) -> None:
    """Follow a file that was changed on disk."""
    document = _followed(app, path)
    try:
        reload(app, document, app.files.load(document.path))
    except HitscopeError as error:
        app.problem = str(error)


def reload(app: "App", document: Document, scene: Scene) -> None:
    """Let a document follow its file, which says `scene` now; ask where the document was edited, too."""
    app.problem = ""

    def take() -> None:
        if document.edited:
            app.dialog = Conflict(document, scene)
        else:
            _take_from_disk(app, document, scene)

    if document.edited or document is not app.document:
        take()
    else:
        app.turn_to(scene, f"loading {document.path.name} again", take, lambda: _keep(app, document))


def take_theirs(app: "App", conflict: Conflict) -> None:
    """Let the file's word count; what was done here can be had back by undo."""
    app.dialog = None
    document, scene = conflict.document, conflict.scene
    if document is not app.document:
        _take_from_disk(app, document, scene)
        return
    words = f"loading {document.path.name} again"
    app.turn_to(scene, words, lambda: _take_from_disk(app, document, scene), lambda: _keep(app, document))


def keep_mine(app: "App", conflict: Conflict) -> None:
    """Let the document's word count, which is saved nowhere: the next save overwrites what the file says."""
    app.dialog = None
    _keep(app, conflict.document)


def _keep(app: "App", document: Document) -> None:
    document.keep()
    app.message = f"this scene stays; saving overwrites what {document.path.name} says now"


def _take_from_disk(app: "App", document: Document, scene: Scene) -> None:
    if document is app.document:
        app.cancel()
        document.selection = app.selection
    _is_mended(app, document)
    document.reload(scene)
    app.forget_missing()
    app.message = f"{document.path.name} was changed on disk: loaded again"


def broken(app: "App", path: Path, problem: str) -> None:
    """Note why a document's file cannot be read any more."""
    document = _followed(app, path)
    document.problem = problem
    if document is app.document:
        app.problem = problem
        app.message = f"{path.name} was changed on disk and cannot be read: this is what it said before"


def _is_mended(app: "App", document: Document) -> None:
    """Tell no more why a document's file could not be read; what else went wrong is still told."""
    app.problem = app.problem.replace(document.problem, "").strip()


def lost(app: "App", path: Path) -> None:
    """Note that a document's file is there no more."""
    document = _followed(app, path)
    _is_mended(app, document)
    document.lose()
    if document is app.document:
        app.message = f"{path.name} was removed from the disk; saving writes it again"


def regained(app: "App", path: Path) -> None:
    """Note that a document's file says again what it said."""
    document = _followed(app, path)
    _is_mended(app, document)
    document.regain()
    if document is app.document:
        app.message = f"{path.name} says again what it said"


# After a crash


def offer(app: "App", leftovers: Iterable[Leftover]) -> None:
    """Ask what of it that a crash left is to be restored."""
    app.dialog = Recovery(list(leftovers))


def restore(app: "App", leftover: Leftover) -> None:
    """Ask for what was not saved when hitscope ended."""
    _decided(app, leftover)
    app.requests.append(requests.Restore(leftover))


def restored(app: "App", leftover: Leftover, scene: Scene) -> None:
    """Show what was not saved when hitscope ended, as an edit where its file is open."""
    path = Path(leftover.path)
    document = _document_of(app, path)
    if document is None:
        document = Document(path, leftover.example)
        _put_on_shelf(app, document)

    def take() -> None:
        document.selection = app.selection
        document.edit(scene, "restore the autosave")
        app.forget_missing()
        app.requests.append(requests.Adopt(document, leftover))

    if document is app.document:
        app.turn_to(scene, f"restoring {path.name}", take)
        return
    if document.loaded:
        document.edit(scene, "restore the autosave")
    else:
        document.restore(scene)
    app.requests.append(requests.Adopt(document, leftover))
    app.open(document)


def discard(app: "App", leftover: Leftover) -> None:
    """Forget what was not saved."""
    _decided(app, leftover)
    app.requests.append(requests.Discard(leftover))


def _decided(app: "App", leftover: Leftover) -> None:
    if isinstance(app.dialog, Recovery):
        app.dialog.leftovers.remove(leftover)
        if not app.dialog.leftovers:
            app.dialog = None


# The clipboard


def copy(app: "App") -> None:
    """Copy what is selected as a scene, or, where nothing is, the view."""
    probes, primitives = _chosen(app)
    if not probes and not primitives:
        camera = app.viewpoint.camera
        seen = FileCamera(eye=camera.eye, target=camera.target, fov_deg=camera.fov_deg)
        app.clipboard = copied_view(View(up=camera.up, camera=seen))
        app.message = "copied the view"
        return
    app.clipboard = copied(app.scene, probes, primitives)
    app.message = f"copied {_words(probes, primitives)}"


def cut(app: "App") -> None:
    """Copy what is selected, and remove it."""
    probes, primitives = _chosen(app)
    if not probes and not primitives:
        app.message = "select something to cut it"
        return
    if any(name not in (*app.scene.probe_ids, *app.scene.primitive_ids) for name in (*probes, *primitives)):
        app.message = "one of many cannot be cut; cut all of them"
        return
    copy(app)
    scene = app.document.scene
    chosen: tuple[tuple[edits.Kind, list[str]], ...] = ("probe", probes), ("primitive", primitives)
    for kind, names in chosen:
        scene = edits.remove_items(scene, kind, {edits.place_of(scene, kind, name) for name in names})
    name = f"cut {_words(probes, primitives)}"
    app.change(scene, name, lambda: setattr(app, "message", name))


def paste(app: "App") -> None:
    """Add the items on the clipboard and select them, or see the scene as a view there says."""
    if not app.clipboard.strip():
        app.message = "the clipboard is empty"
        return
    try:
        what = parsed(app.clipboard, app.document.path.absolute().parent)
    except HitscopeError as error:
        app.problem = str(error)
        return
    app.problem = ""
    if isinstance(what, View):
        app.viewpoint.set(Camera.of_view(what, app.corners, app.full))
        app.message = "pasted the view"
        return
    result = pasted(app.document.scene, what)
    words = _words(result.probes, result.primitives)

    def select() -> None:
        targets = [Target("probe", name) for name in result.probes]
        app.select(*targets, *(Target("primitive", name) for name in result.primitives))
        app.message = f"pasted {words}"

    app.change(result.scene, f"paste {words}", select)


def copy_as_test(app: "App") -> None:
    """Copy what is selected as tests in Python."""
    pairs = _pairs(app)
    if not pairs:
        app.message = "no probe meets a primitive: select one of each to test them"
        return
    app.clipboard = as_test(app.report, pairs)
    app.message = f"copied {len(pairs)} {'test' if len(pairs) == 1 else 'tests'} in Python"


def _pairs(app: "App") -> list[tuple[int, int]]:
    """Give the selected probes with the selected primitives; of one kind alone, or of all, the hits."""
    picture = app.picture
    names, items = _chosen(app)
    probes = [p for name in names if (p := picture.report.probes.index_of(name)) is not None]
    elements = [e for name in items if (e := picture.report.elements.index_of(name)) is not None]
    if probes and elements:
        return [*product(probes, elements)]
    hits = [pair for pair, verdict in picture.verdicts.by_pair.items() if verdict.hit]
    found = [(p, e) for p, e in hits if (p in probes or not names) and (e in elements or not items)]
    alone = app.pair
    return found or ([] if alone is None else [alone])


def _chosen(app: "App") -> tuple[list[str], list[str]]:
    """Give the names of the probes and of the primitives that are selected."""
    probes = [target.id for target in app.selection if target.kind == "probe"]
    return probes, [target.id for target in app.selection if target.kind == "primitive"]


def _words(probes: "tuple[str, ...] | list[str]", primitives: "tuple[str, ...] | list[str]") -> str:
    names = [*probes, *primitives]
    return names[0] if len(names) == 1 else f"{len(names)} items"
