"""Reviewing scenes that differ from their expectations: accept, reject or skip them, and take that back."""

from hitscope import numerals
from hitscope.draw.builder import Builder
from hitscope.errors import HitscopeError
from hitscope.evaluate import evaluate
from hitscope.evaluate.acceptance import SceneUpdate, scene_update
from hitscope.evaluate.expected_report import expected_report
from hitscope.scene import loads
from hitscope.viewer.actions import scene_change
from hitscope.viewer.actions.opening import show_document
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.messages import Choice, Decided, Expected
from hitscope.viewer.state.session import Evaluated
from hitscope.viewer.state.state import State, command


def is_reviewed(state: State) -> bool:
    return state.session.document in state.messages.review.documents


def can_decide(state: State) -> bool:
    """Whether the scene that is shown is under review, and any is left to decide about."""
    return is_reviewed(state) and bool(state.messages.review.left)


def can_take_back(state: State) -> bool:
    """Whether there is a decision, and no edit of the scene that is shown that would be undone first."""
    is_edited = state.session.document.edited or state.session.has_preview
    return is_reviewed(state) and bool(state.messages.review.decided) and not is_edited


def shows_expected(state: State) -> bool:
    return is_reviewed(state) and state.messages.review.shows_expected


def decide(state: State, choice: Choice) -> None:
    """Decide about the scene that is shown, and show the next one."""
    if not can_decide(state) or state.jobs.opening is not None:
        return
    review, document = state.messages.review, state.session.document
    try:
        if (before := review.decision(document)) is not None:
            _restore(state, before)
        update = _accept(state, document) if choice == "accepted" else None
    except HitscopeError as error:
        state.messages.problem = str(error)
        return
    if document.edited and document.saved is not None:
        document.edit(document.saved, "go back to the saved scene")
    review.decided.append(Decided(document, choice, update))
    review.shows_expected = False
    notice, index = _notice(state, document, choice, update), review.documents.index(document)
    # After the last scene the next one is the first that is left.
    left = (other for other in (*review.documents[index:], *review.documents[:index]) if other in review.left)
    if (following := next(left, None)) is not None:
        _show(state, following, notice)
    else:
        state.messages.notice = notice


@command(
    "undo",
    "Undo",
    keys="Ctrl+Z",
    synonyms="back revert take decision",
    is_possible=lambda state: state.session.document.undo_name is not None or can_take_back(state),
)
def undo(state: State) -> None:
    """Undo the last edit of a scene; without an edit since it was loaded, take the last decision back."""
    if can_take_back(state):
        take_back(state)
    else:
        scene_change.undo(state)


def take_back(state: State) -> None:
    """Take the last decision back: the file has its text again, and its scene is shown."""
    last = state.messages.review.decided[-1]
    try:
        _restore(state, last)
    except HitscopeError as error:
        state.messages.problem = str(error)
        return
    state.messages.review.shows_expected = False
    _show(state, last.document, f"Taken back: {last.document.path.name} was {last.choice}")


@command(
    "review_expected",
    "Show what is expected, or what was found",
    keys="O",
    synonyms="before after old new compare difference",
    is_possible=is_reviewed,
    is_on=shows_expected,
)
def toggle_expected(state: State) -> None:
    """Show what is expected in place of what was found, or what was found again."""
    review = state.messages.review
    review.shows_expected = not review.shows_expected
    state.messages.notice = f"The picture shows what {'is expected' if review.shows_expected else 'was found'}"


def follow_scene(state: State) -> None:
    """Find what the scene expects, where that is to be drawn, and draw it from the same camera."""
    review, session = state.messages.review, state.session
    if not shows_expected(state):
        review.expected = None
        return
    if review.expected is None or review.expected.found is not session.report:
        builder = review.expected.builder if review.expected else Builder(None, state.limits.bulk_batch_from)
        review.expected = Expected(session.report, expected_report(session.report), builder)
    camera = state.display.viewpoint.camera
    review.expected.builder.set_camera(camera.eye, camera.target)


def _accept(state: State, document: Document) -> SceneUpdate:
    """Let the document's file expect what is found in it; raises HitscopeError."""
    session, path = state.session, document.path
    data = session.files.read(path)
    scene = loads(data, str(path), path.parent)
    is_shown = session.report.scene is document.saved and scene == document.saved
    update = scene_update(path, data, session.report if is_shown else evaluate(scene))
    _write(state, document, update.before, update.after)
    return update


def _restore(state: State, decided: Decided) -> None:
    """Forget a decision, and what it wrote; raises HitscopeError where the file was written since."""
    if decided.update is not None:
        _write(state, decided.document, decided.update.after, decided.update.before)
    state.messages.review.decided.remove(decided)


def _write(state: State, document: Document, before: bytes, after: bytes) -> None:
    """Replace the text of a document's file and show its scene; undo brings unsaved edits back."""
    if before != after:
        files = state.session.files
        files.patch(document.path, before, after)
        scene = files.load(document.path)
        document.reload(scene) if document.edited else document.begin(scene)


def _show(state: State, document: Document, notice: str) -> None:
    """Show a document with its failing pair and, when it is open, a notice."""
    document.pair = state.messages.review.pairs[document.path]
    show_document(state, document)
    state.messages.notice = notice
    if (opening := state.jobs.opening) is not None:
        show = opening.take

        def take(evaluated: Evaluated) -> None:
            show(evaluated)
            state.messages.notice = notice

        opening.take = take


def _notice(state: State, document: Document, choice: Choice, update: SceneUpdate | None) -> str:
    """The notice that tells the decision, and how it is taken back."""
    name, undo = document.path.name, state.commands.phrase("undo", "takes it back", "; ")
    if update is None:
        return f"{choice.capitalize()} {name}: its file stays{undo}"
    return f"Accepted {numerals.counted(len(update.changes), 'value')} in {name}{undo}"
