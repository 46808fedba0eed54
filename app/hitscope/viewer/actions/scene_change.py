"""Changes of the scene that is shown, undo and redo; a large scene is evaluated in the background first."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from msgspec import UNSET, UnsetType

from hitscope import progress
from hitscope.draw.builder import Builder
from hitscope.errors import HitscopeError
from hitscope.evaluate import Report, evaluate
from hitscope.scene import Scene
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.inputs import JobKind
from hitscope.viewer.state.jobs import Job
from hitscope.viewer.state.session import Evaluated, size_of
from hitscope.viewer.state.state import State, command

Action: TypeAlias = Callable[[], None]


def change(state: State, scene: Scene, name: str, then: Action = lambda: None) -> None:
    """Edit the document and call `then`: at once, or when a large scene has been evaluated in the background."""
    session = state.session
    document, before = session.document, session.document.scene

    def take() -> None:
        if document is not session.document or document.scene is not before:
            state.messages.notice = f"Cancelled: {name}, because the scene changed meanwhile"
            return
        session.edit(scene, name)
        then()

    turn_to(state, scene, name, take)


def turn_to(state: State, scene: Scene, words: str, then: Action, stopped: Action = lambda: None) -> None:
    """Evaluate a scene, then call `then`, which makes it the scene of the document that is shown.

    A scene with many other primitives is evaluated in the background: until then nothing changes, and `words` are
    the status. `stopped` is called instead where the user stops it.
    """
    session, jobs = state.session, state.jobs
    if jobs.opening is not None and jobs.opening.about is scene:
        return
    if scene.primitives is session.scene.primitives or size_of(scene) < state.limits.background_from:
        then()
        return
    jobs.stop("opening")
    previous, level = session.report, level_of(state, session.document)

    def work(job: Job[Evaluated]) -> Evaluated:
        return evaluate_apart(state, scene, previous, job, level)

    take, refuse = partial(session.take_evaluated, change=then), state.messages.add_problem
    jobs.opening = Job(words, work, state.display.now, take=take, refuse=refuse, stopped=stopped, about=scene)
    finish_if_done(state, "opening")


def finish_if_done(state: State, work: JobKind) -> None:
    """Finish a job that was begun now, if it is done in time; with a patience of 0 s none is, however fast."""
    job, patience_s = state.jobs.of(work), state.limits.patience_s
    if job is not None and patience_s and job.done(patience_s):
        state.jobs.finish(work)


def evaluate_apart(
    state: State, scene: Scene, previous: Report | None, job: Job[Evaluated], level: int | UnsetType | None
) -> Evaluated:
    """Evaluate a scene and lay out its first picture, in the thread of a job."""
    job.set_status(f"{job.name}: deciding")
    report = evaluate(scene, previous, compile=False, level=level)
    job.set_status(f"{job.name}: laying out", units=3)
    builder = Builder(state.session.builder, state.limits.bulk_batch_from)
    draw_list = builder.build(report)
    progress.advance(1)
    state.jobs.pack(draw_list)
    progress.advance(1)
    builder.picture(report).arrays.sort()
    _ = report.mismatches  # computed once, so here and not before the first frame
    progress.advance(1)
    return Evaluated(report, builder)


def level_of(state: State, document: Document) -> int | UnsetType | None:
    """The level of the hierarchies that a document showed last; UNSET if it was never shown."""
    shown = state.display.viewpoints.get(document)
    return UNSET if shown is None else shown.hierarchy


@command(
    "redo",
    "Redo",
    keys=("Ctrl+Y", "Ctrl+Shift+Z"),
    synonyms="again repeat",
    is_possible=lambda state: state.session.document.redo_name is not None,
)
def redo(state: State) -> None:
    """Redo the edit that was undone last."""
    _step(state, 1, "redo", "redone", state.session.document.redo_name)


def undo(state: State) -> None:
    _step(state, -1, "undo", "undone", state.session.document.undo_name)


def go_back_to_saved(state: State) -> None:
    """Show the scene again that was loaded or saved last, as an edit that can be undone."""
    if (saved := state.session.document.saved) is not None:
        change(state, saved, "go back to the saved scene")


def _step(state: State, by: int, word: str, past: str, name: str | None) -> None:
    """Undo (`by` -1) or redo (1) an edit of the shown document, once the scene there is evaluated."""
    document, scene = state.session.document, state.session.document.scene_at(by)
    if scene is None:
        raise HitscopeError(f"Nothing to {word}")

    def step() -> None:
        if document.scene_at(by) is not scene:
            state.messages.notice = f"Cancelled: {word} {name}, because the scene changed meanwhile"
            return
        state.messages.notice = f"{past.capitalize()}: {name}"
        document.note_selection(state.selection.targets)
        document.step(by)
        state.selection.select(*document.selection)

    turn_to(state, scene, f"{word}: {name}", step)
