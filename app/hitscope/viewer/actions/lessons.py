"""Lessons: the steps of a scene's lesson, shown one after the other, and noticed when they are solved."""

import re

from msgspec import UNSET

from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.evaluate.lesson import unmet
from hitscope.scene import fields
from hitscope.scene.model import Condition, LessonStep
from hitscope.viewer.actions import opening
from hitscope.viewer.actions.expectation_edits import select_pair
from hitscope.viewer.actions.inspector_edits import set_numbers
from hitscope.viewer.actions.scene_change import change
from hitscope.viewer.state.edit_targets import find_item
from hitscope.viewer.state.gallery import Example, lesson_after, name_of
from hitscope.viewer.state.host import RememberLesson
from hitscope.viewer.state.messages import LessonProgress
from hitscope.viewer.state.state import State, command

NONE = "This scene has no lesson"
DOUBLE_CLICK_SECONDS = 0.4
"""For so long the end of a lesson does not go on: it is not to be missed by a double click."""
_NUMBER = r"\s*([−-]?[\d.]+)\s*"
_POINT = re.compile(rf"\({_NUMBER},{_NUMBER},{_NUMBER}\)")
"""Three coordinates in the text of a step."""


def follow_scene(state: State) -> None:
    """Begin the lesson of a document that is shown for the first time; tick off what its step asks for."""
    lessons, document = state.messages.lessons, state.session.document
    progress, lesson = lessons.progress.get(document), document.scene.lesson
    is_saved = document.saved is document.scene
    if progress is not None and is_saved and lesson != progress.begun[progress.index].lesson:
        del lessons.progress[document]  # a lesson that was rewritten in the file begins again at the same step
    # A closed document is shown until the next one is open.
    if document not in lessons.progress and lesson and document in state.session.documents:
        index = min(progress.index, len(lesson) - 1) if progress is not None else 0
        lessons.progress[document] = LessonProgress({index: document.scene}, index)
        _begin_step(state, lessons.progress[document])
    progress = lessons.shown(document)
    if progress is None:
        return
    step = step_of(state, progress)
    partner, selected = state.selection.pairing.partner, {target[:2] for target in state.selection.targets}
    progress.unmet = unmet(step, state.session.report, selected, {partner[:2]} if partner else set())
    rests = state.tool.drag is None and not state.session.has_preview
    if isinstance(step.until, Condition) and not progress.unmet and rests:
        _solve(state, progress)


def step_of(state: State, progress: LessonProgress) -> LessonStep:
    return progress.steps(state.session.scene)[progress.index]


def has_lesson(state: State) -> bool:
    return state.session.document in state.messages.lessons.progress


def is_shown(state: State) -> bool:
    return state.messages.lessons.shown(state.session.document) is not None


def can_continue(state: State) -> bool:
    """Whether the step that is shown is solved, or there is only something to read."""
    progress = state.messages.lessons.shown(state.session.document)
    if progress is None:
        return False
    is_read = not isinstance(step_of(state, progress).until, Condition)
    return progress.ended or progress.index in progress.solved or is_read


def can_go_back(state: State) -> bool:
    progress = state.messages.lessons.shown(state.session.document)
    return progress is not None and (progress.ended or progress.index > 0)


def next_lesson(state: State) -> Example | None:
    """The lesson of the gallery that follows the one that is shown; None if there is none."""
    return lesson_after(state.session.document.path.absolute())


@command(
    "lesson_continue", "Continue the lesson", keys="Enter", synonyms="next step tutorial", is_possible=can_continue
)
def go_on(state: State) -> None:
    """Show the next step, if this one is solved; after the last one the end, and then the next lesson."""
    progress = _shown(state)
    if progress.ended_at is not None:
        if state.display.now - progress.ended_at >= DOUBLE_CLICK_SECONDS:
            # Shown again, the lesson begins from its first step.
            progress.index, progress.shown, progress.ended_at = 0, False, None
            if (following := next_lesson(state)) is not None:
                opening.open_example(state, following.path)
    elif can_continue(state):
        _solve(state, progress)
        _go_to_next(state, progress)
    else:
        skip = state.commands.phrase("lesson_skip", "skips it", "; ")
        state.messages.notice = f"This step is not solved yet{skip}"


@command(
    "lesson_skip", "Skip the step of the lesson", keys="Ctrl+Enter", synonyms="next tutorial", is_possible=is_shown
)
def skip(state: State) -> None:
    """Show the next step, solved or not; after the last one the end."""
    if not (progress := _shown(state)).ended:
        _go_to_next(state, progress)


def numbers_to_fill_in(state: State) -> dict[fields.NumberPath, str]:
    """The coordinates in the text of the step, if they are all the numbers that its probe is given by."""
    progress = state.messages.lessons.shown(state.session.document)
    if progress is None or progress.ended:
        return {}
    step = step_of(state, progress)
    if not isinstance(step.until, Condition) or step.until.probe not in state.session.scene.probe_ids:
        return {}
    numbers = [number for point in _POINT.findall(step.say) for number in point]
    item = find_item(state.session.scene, Target("probe", step.until.probe))[1]
    given = [rows for name, rows in fields.number_rows(item) if getattr(item, name) is not UNSET]
    paths = [path for rows in given for row in rows for path in row.paths]
    return dict(zip(paths, numbers, strict=True)) if len(paths) == len(numbers) else {}


@command(
    "lesson_fill_in",
    "Fill in the numbers of the step",
    synonyms="coordinates type tutorial",
    is_possible=lambda state: bool(numbers_to_fill_in(state)),
)
def fill_in(state: State) -> None:
    """Set the probe of the step to the coordinates that its text names."""
    progress, numbers = _shown(state), numbers_to_fill_in(state)
    if numbers:
        until = step_of(state, progress).until
        assert isinstance(until, Condition) and until.probe
        set_numbers(state, Target("probe", until.probe), numbers)


@command(
    "lesson_back",
    "Go back a step of the lesson",
    keys="Ctrl+Backspace",
    synonyms="previous",
    is_possible=can_go_back,
)
def go_back(state: State) -> None:
    """Show the step before, from the end the first one that was skipped; the scene stays as it is."""
    progress = _shown(state)
    if not can_go_back(state):
        return
    if progress.ended:
        skipped = set(range(len(progress.steps(state.session.scene)))) - progress.solved
        progress.index, progress.ended_at = min(skipped & set(progress.begun), default=progress.index), None
    else:
        progress.index -= 1
    _begin_step(state, progress)


@command(
    "lesson_back_on_track",
    "Undo this step of the lesson",
    keys="Ctrl+Home",
    synonyms="reset restart stuck back on track tutorial",
    is_possible=is_shown,
)
def back_on_track(state: State) -> None:
    """Put the scene back to what it was when the step began, as an edit that can be undone."""
    progress = _shown(state)
    begun = progress.begun[progress.index]
    change(state, begun, "undo the step of the lesson", lambda: _begin_step(state, progress))


@command(
    "toggle_lesson",
    "Show or close the lesson",
    keys="Ctrl+L",
    synonyms="tutorial learn course",
    is_possible=has_lesson,
)
def toggle(state: State) -> None:
    """Close the lesson, or show it again."""
    progress = state.messages.lessons.progress.get(state.session.document)
    if progress is None:
        state.messages.notice = NONE
    elif progress.shown:
        progress.shown = False
        state.messages.notice = state.commands.phrase("toggle_lesson", "shows the lesson again")
    else:
        progress.shown = state.display.panels = True


def _shown(state: State) -> LessonProgress:
    """The progress in the lesson that is shown; raises HitscopeError if there is none."""
    progress = state.messages.lessons.shown(state.session.document)
    if progress is None:
        hidden = f"The lesson is closed{state.commands.phrase('toggle_lesson', 'shows it', '; ')}"
        raise HitscopeError(hidden if has_lesson(state) else NONE)
    return progress


def _go_to_next(state: State, progress: LessonProgress) -> None:
    if progress.index + 1 == len(progress.steps(state.session.scene)):
        progress.ended_at = state.display.now
    else:
        progress.index += 1
        progress.begun[progress.index] = state.session.document.scene
        _begin_step(state, progress)


def _solve(state: State, progress: LessonProgress) -> None:
    """Note that the step is solved; with the last one, that the lesson is."""
    lessons, document = state.messages.lessons, state.session.document
    progress.solved.add(progress.index)
    name = name_of(document.path)
    if len(progress.solved) == len(progress.steps(document.scene)) and not document.is_untitled:
        if name not in lessons.solved:
            state.host.requests.append(RememberLesson(name))
        lessons.solved |= {name}


def _begin_step(state: State, progress: LessonProgress) -> None:
    step, display = step_of(state, progress), state.display
    if step.view is not None:
        display.viewpoint.go_to(step.view, state.session.corners, display.full, display.now)
    if step.select is not None:
        select_pair(state, step.select.probe or None, step.select.primitive or None)
