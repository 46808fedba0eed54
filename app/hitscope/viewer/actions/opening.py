"""Opening documents: files, examples of the gallery, new scenes; and the dialog, whose folders the host lists."""

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.outputs import numbered
from hitscope.resources import SCENES
from hitscope.scene import Scene
from hitscope.scene.model import FileView
from hitscope.viewer.actions.scene_change import evaluate_apart, finish_if_done, level_of
from hitscope.viewer.actions.view import show_pair
from hitscope.viewer.state.dialogs import Gallery, OpenFile, SaveDialog
from hitscope.viewer.state.documents import UNTITLED, Document
from hitscope.viewer.state.gallery import OWN, Example, examples, first_sentence
from hitscope.viewer.state.host import RememberFile, ShowOpenDialog, SurveyGallery, Visit
from hitscope.viewer.state.inputs import FolderListed, RecentFile
from hitscope.viewer.state.jobs import Job
from hitscope.viewer.state.paths import is_mesh
from hitscope.viewer.state.session import Evaluated
from hitscope.viewer.state.state import State, command


@command("open", "Open a scene or a mesh", keys="Ctrl+O", synonyms="load import file")
def open_file(state: State) -> None:
    """Show the dialog that opens a file."""
    state.dialogs.dialog = OpenFile()
    state.host.requests.append(ShowOpenDialog(_folder(state)))


def type_instead(state: State, dialog: OpenFile | SaveDialog) -> None:
    """Ask for a path here instead of in the operating system's dialog."""
    dialog.native = False
    if isinstance(dialog, OpenFile):
        state.host.requests.append(Visit(_folder(state)))


def _folder(state: State) -> Path | None:
    """The folder of the document; of an example None, for the working folder."""
    return None if state.session.document.example else state.session.document.path.absolute().parent


def show_listing(state: State, listing: FolderListed | None, problem: str) -> None:
    """Show the content of a folder, or why it cannot be listed; what was typed since it was asked for stays."""
    dialog = state.dialogs.dialog
    if not isinstance(dialog, OpenFile) or dialog.native:
        state.messages.problem = problem
        state.dialogs.dialog = None if isinstance(dialog, OpenFile) else dialog
        return
    dialog.problem = problem
    if listing is not None:
        dialog.listing = listing
        _write(dialog, dialog.typed.removeprefix(dialog.visiting))
    dialog.visiting = ""


def type_path(state: State, dialog: OpenFile, typed: str) -> None:
    """Take what is in the text field: the path of a folder is listed, and what follows it filters the list."""
    dialog.typed, dialog.problem, dialog.chosen = typed, "", 0 if typed.strip() else None
    folder, name = os.path.split(typed)
    if folder:
        dialog.visiting = typed[: len(typed) - len(name)]
        state.host.requests.append(Visit(_path(dialog, folder), opens=False))


def choose(state: State, dialog: OpenFile, by: int) -> None:
    """Choose the next entry of the list, or the previous one; before the first the next is the first."""
    if count := len(dialog.entries):
        before = -1 if by > 0 else count
        dialog.chosen = max(min((before if dialog.chosen is None else dialog.chosen) + by, count - 1), 0)


def complete(state: State, dialog: OpenFile) -> None:
    """Complete the typed name by the chosen entry: list a folder, write the name of a file."""
    entry = dialog.chosen_entry
    if entry is not None and entry.kind in ("up", "folder"):
        visit(state, dialog, entry.path)
    elif entry is not None:
        _write(dialog, str(entry.path) if entry.kind == "recent" else entry.name)


def open_chosen(state: State, dialog: OpenFile) -> None:
    """Open the chosen entry, or where there is none, the path that was typed."""
    entry, typed = dialog.chosen_entry, dialog.typed.strip()
    if entry is not None or typed:
        visit(state, dialog, _path(dialog, typed) if entry is None else entry.path)


def visit(state: State, dialog: OpenFile, path: Path) -> None:
    dialog.visiting = dialog.typed
    state.host.requests.append(Visit(path))


def _path(dialog: OpenFile, typed: str) -> Path:
    """A typed path, from the listed folder; `~` is the home folder."""
    return Path(dialog.listing.folder if dialog.listing else "", os.path.expanduser(typed))


def _write(dialog: OpenFile, typed: str) -> None:
    dialog.typed, dialog.chosen = typed, 0 if typed.strip() else None
    dialog.rewritten += 1


def open_documents(state: State, *documents: Document, problem: str = "") -> None:
    """Show listed documents one after the other, and keep the last; why one cannot be follows the `problem`."""
    state.jobs.stop("opening")
    forget_unopened(state, documents)
    state.jobs.to_open, state.jobs.opens_all = list(documents), True
    state.messages.problem = problem
    open_next(state)


def forget_unopened(state: State, but: Collection[Document] = ()) -> None:
    """Remove from the list what was given in the window and not opened, except documents that are opened next."""
    listed = state.session.listed
    kept = [one for one in listed.documents if one.loaded or not one.dropped or one in but]
    if len(kept) < len(listed.documents):
        listed.documents = kept
        listed.return_to(state.session.document)


def open_next(state: State) -> None:
    """Open the next of the documents to open, until one is evaluated in the background."""
    while state.jobs.to_open and state.jobs.opening is None:
        _open(state, state.jobs.to_open.pop(0))


def _open(state: State, document: Document) -> None:
    session, display, jobs, messages = state.session, state.display, state.jobs, state.messages
    session.listed.return_to(document)
    jobs.refused = None
    words = f"Opening {(document.given or document.path).name}"
    level = level_of(state, document)

    def work(job: Job[Evaluated]) -> Evaluated:
        job.set_status(f"{words}: reading")
        return evaluate_apart(state, document.read(session.files.load), None, job, level)

    def take(evaluated: Evaluated) -> None:
        if document.given is not None and not document.is_recent:
            document.is_recent = True
            state.host.requests.append(RememberFile(document.given))
        selected = evaluated.report.scene.probe_ids[:1] if document.selects and not document.loaded else ()
        pair, document.pair = document.pair, ()
        if not document.loaded:
            document.begin(evaluated.report.scene)
        show(state, document, evaluated)
        for name in selected:
            state.selection.select(Target("probe", name))
        if pair:
            show_pair(state, *pair)
        messages.notice = ""
        if not jobs.opens_all:
            jobs.to_open.clear()
        messages.problem = "\n".join(filter(None, [messages.problem, document.problem]))

    def refuse(problem: str) -> None:
        messages.add_problem(problem)
        jobs.refused = document.path if document.made_by is None else None
        forget_unopened(state, jobs.to_open)
        if not session.is_empty:
            messages.notice = f"{document.path.name} is not open: this is {session.document.path.name}"

    jobs.opening = Job(words, work, display.now, take=take, refuse=refuse)
    finish_if_done(state, "opening")


def show(state: State, document: Document, evaluated: Evaluated) -> None:
    """Show a document with its evaluated scene; what was compiled for another scene is stopped."""
    if document is not state.session.document:
        state.jobs.stop("preparing")
    state.session.show(document, evaluated)
    state.jobs.compiles = True
    state.display.show(document, evaluated.report.scene.view, state.session.corners)


def title_of(state: State) -> str:
    """The title of the document that is shown; before one is, of the file that is being or could not be opened."""
    if state.session.is_empty and state.jobs.opening is not None:
        return state.jobs.opening.name
    document = unopened(state)
    return f"{(document.given or document.path).name}: not opened" if document else state.session.document.title


def unopened(state: State) -> Document | None:
    """The document that was to be shown first and could not be, or was not to the end, while nothing is opened."""
    if not state.session.is_empty or state.jobs.opening is not None:
        return None
    listed = state.session.listed
    return next(iter(listed.documents[listed.index :]), None)


def show_document(state: State, document: Document) -> None:
    state.tool.armed = None
    open_documents(state, document)


def show_open(state: State, by: int) -> None:
    """Show the next or the previous of the open documents; after the last one comes the first."""
    documents = state.session.open_documents
    if len(documents) > 1:
        show_document(state, documents[(documents.index(state.session.document) + by) % len(documents)])
    else:
        state.messages.notice = "No other scene is open"


def show_listed(state: State, by: int) -> None:
    """Show the next or the previous of the listed documents; after the last one comes the first."""
    listed = state.session.listed
    if listed.documents:
        show_document(state, listed.documents[(listed.index + by) % len(listed.documents)])


@command("new", "New empty scene", keys="Ctrl+N", synonyms="create blank file")
def new_scene(state: State) -> None:
    """Add an empty document and show it; it is untitled until it is saved as a file."""
    session = state.session
    names = {document.path.name for document in (*session.listed.documents, *session.unsaved)}
    document = Document(next(path for path in numbered(UNTITLED) if path.name not in names), example=True)
    document.begin(Scene(version=1, primitives=(), probes=(), view=FileView(up=state.settings.up)))
    session.listed.insert(document)
    open_documents(state, document)


def open_given(state: State, paths: Sequence[Path]) -> None:
    """Open the scenes and the meshes in files that were chosen or dropped."""
    session = state.session
    documents: list[Document] = []
    problems = []
    for path in paths:
        made = (document for document in session.documents if document.given == path.absolute())
        known = next(made, None) if is_mesh(path) else document_of(state, path)
        try:
            if known is None:
                known = Document.of(path, state.settings.up, session.documents, dropped=True)
                session.listed.insert(known, len(documents))
        except HitscopeError as error:
            problems.append(str(error))
        else:
            known.given, known.is_recent = path.absolute(), False
            documents.append(known)
    if documents:
        state.dialogs.dialog = None
        open_documents(state, *documents, problem="\n".join(problems))
    else:
        show_listing(state, None, "\n".join(problems))


def document_of(state: State, path: Path) -> Document | None:
    documents = (document for document in state.session.documents if not document.is_untitled)
    return next((document for document in documents if document.path.absolute() == path.absolute()), None)


@command("gallery", "Open the gallery", keys="Ctrl+G", synonyms="examples samples demos")
def show_gallery(state: State) -> None:
    """Show the scenes that ship with hitscope and the user's own, to choose one."""
    begins = state.messages.introduction.offers
    own = _open_scenes(state) if begins else []
    state.dialogs.dialog = Gallery(examples(begins=begins), own)
    files = tuple(scene.path for scene in own if scene.path.is_absolute())
    state.host.requests.append(SurveyGallery(state.display.theme.name, files))


def list_recent(state: State, files: Sequence[RecentFile]) -> None:
    """Add the files that were opened last to the gallery, if it is open."""
    dialog = state.dialogs.dialog
    if not isinstance(dialog, Gallery) or not state.messages.introduction.offers:
        return
    known = {scene.path for scene in dialog.own}
    for file in files:
        path = Path(file.path)
        if path not in known:
            dialog.own.append(Example(path, OWN, file.name or path.name, file.line, missing=file.missing))


def _open_scenes(state: State) -> list[Example]:
    """The open scenes, without unchanged ones of the gallery; the path of an untitled one is not absolute."""
    scenes = []
    for document in state.session.open_documents:
        if document.changed or not document.ships:
            path = document.path if document.is_untitled else document.path.absolute()
            words = first_sentence(document.scene.description)
            scenes.append(Example(path, OWN, document.title, words, unsaved=document.changed))
    return scenes


def open_example(state: State, path: Path) -> None:
    """Show a scene of the gallery: the open document, with its changes, if there is one."""
    state.dialogs.dialog = None
    untitled = (document for document in state.session.documents if document.is_untitled)
    document = next((one for one in untitled if one.path == path), None) or document_of(state, path)
    if document is None:
        if not path.is_relative_to(SCENES):
            state.host.requests.append(Visit(path))
            return
        document = Document(path, example=True)
        state.session.listed.insert(document)
    open_documents(state, document)
